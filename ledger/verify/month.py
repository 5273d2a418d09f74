"""A new month's sheet: the planned cells and no others, the rest as on the month it copies."""

import re
from collections.abc import Mapping

from ledger.changes import CellChange, NewSheet, Plan
from ledger.verify.cells import SheetXml
from ledger.verify.package import Package
from ledger.verify.ranges import check_ranges, pairs_of
from ledger.verify.rejection import require
from ledger.verify.sheets import Row, check_row


def check_new_sheet(old: Package, new: Package, plan: Plan, sheet: NewSheet) -> None:
    """The planned cells and no others; the rest as on the month it copies; its charts the same, of this sheet."""
    source = old.sheet_parts.get(sheet.like, "")
    require(sheet.parts[0][0] == source, f"{sheet.name} is not a copy of {sheet.like}")
    before, after = SheetXml.of(old.read(source), sheet.like), SheetXml.of(new.read(sheet.part), sheet.name)
    require(before.prefix == after.prefix, f"the rows of {sheet.name} were renamed")
    planned: dict[int, dict[str, CellChange]] = {}
    for change in sheet.cells:
        row = planned.setdefault(change.row, {})
        require(change.sheet == sheet.name and change.column not in row, f"the plan gives {change.cell} twice")
        row[change.column] = change
    require(planned.keys() <= set(after.numbers), f"a row of {sheet.name} is missing")
    for index, number in enumerate(after.numbers):
        chunk = after.chunk(index)
        check_row(None, chunk, planned.get(number, {}), {}, Row(sheet.name, number, after.prefix, new.date1904))
    check_ranges(
        _comparable(before.head + before.tail, before.prefix),
        _comparable(after.head + after.tail, after.prefix),
        pairs_of(plan, sheet.part),
        sheet.name,
    )
    selected = re.search(rb"\stabSelected\s*=\s*[\"'](1|true)", after.head)
    require(selected is None, f"{sheet.name} would be selected together with another sheet")
    copies = dict(sheet.parts)
    for part, copy in sheet.parts:
        _check_copied_relations(old, new, part, copy, copies)
        if part != source:
            first, second = old.read(part), new.read(copy)
            same = first == second or _redirected(first, sheet.like, sheet.name) == second
            require(same, f"{copy} is not the copy of {part} for {sheet.name}")


_OWN = ("sheetViews", "hyperlinks", "tableParts", "controls", "oleObjects")
_COPIED = ("/drawing", "/printerSettings", "/image")
"""the kinds of relations a month's copy has as well"""


def _comparable(xml: bytes, prefix: bytes) -> bytes:
    """A sheet outside its rows, without what is each sheet's own: view, used range, links, notes, tables, controls."""
    p = re.escape(prefix)
    for tag in _OWN:
        name = p + tag.encode()
        xml = re.sub(rb"<" + name + rb"(?:\s[^>]*)?(?<!/)>.*?</" + name + rb">", b"", xml, flags=re.DOTALL)
    xml = re.sub(rb"<mc:AlternateContent[\s>].*</mc:AlternateContent>", b"", xml, flags=re.DOTALL)
    own = (each for each in re.findall(rb"<" + p + rb"ext\s.*?</" + p + rb"ext>", xml, re.DOTALL) if b" r:id=" in each)
    for each in own:
        xml = xml.replace(each, b"")
    xml = xml.replace(b"<%sextLst></%sextLst>" % (prefix, prefix), b"")
    gone = rb"(?:dimension|legacyDrawing|legacyDrawingHF|tableParts|customProperties)"
    xml = re.sub(rb"<" + p + gone + rb"\s[^>]*/>", b"", xml)
    return re.sub(rb"\s(?:xr:uid|codeName)\s*=\s*\"[^\"]*\"", b"", xml)


def _redirected(xml: bytes, source: str, name: str) -> bytes:
    """A chart or drawing of one month without its stored figures, drawing from and naming another month."""
    xml = re.sub(rb"<(c:|)(numCache|strCache)>.*?</\1\2>", b"", xml, flags=re.DOTALL)
    shown = re.compile(rb"<(mc:AlternateContent|xdr:\w+Anchor)[\s>](?:(?!</\1>).)*</\1>", re.DOTALL)
    xml = shown.sub(lambda each: b"" if re.search(rb":(?:compatExt|slicer|timeslicer)\s", each[0]) else each[0], xml)
    for was, becomes in ((source, name), (source.capitalize(), name.capitalize())):
        xml = re.sub(rb"\b" + was.encode() + rb"\b", becomes.encode(), xml)
    return xml


def _check_copied_relations(old: Package, new: Package, part: str, copy: str, copies: Mapping[str, str]) -> None:
    sheet = part == next(iter(copies))
    before = {
        key: (kind, copies.get(target, target))
        for key, (kind, target) in old.relations(part).items()
        if not sheet or kind.endswith(_COPIED)
    }
    require(before == new.relations(copy), f"{copy} does not lead to the same things as {part}")
