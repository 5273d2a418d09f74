"""A plan carried out on the bytes of a book: touched rows and ranges replaced where they stand, every other byte kept.

Plan ──cells, rows, ranges──► spliced sheets ────────────────┐
──names, sheets──► workbook part, relations, types ─────┼─ Workbook.rebuilt ──► the new file
──formats──► styles part, appended to ──────────────────┤
──new months──► copies of a month's parts ──────────────┘
"""

import re
from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from ledger.changes import CellChange, NewSheet, Plan
from ledger.entries import BookRefused
from ledger.formulas import column_index
from ledger.listing import content_types, relations_part, workbook_part, workbook_relations
from ledger.months import COPIED
from ledger.package import refusing_damage
from ledger.sheetxml import Sheet
from ledger.splice import CellWriter, Splicer, kept_attributes, pairs_of, with_ranges, written_row
from ledger.styles import Styles, appended, attributes_of
from ledger.workbook import Workbook

_CONTROLS = (
    re.compile(
        rb"<mc:AlternateContent[^>]*>(?:(?!</mc:AlternateContent>).)*?:compatExt\s.*?</mc:AlternateContent>", re.DOTALL
    ),
    re.compile(
        rb"<(xdr:(?:twoCell|oneCell|absolute)Anchor)[\s>](?:(?!</\1>).)*?<\w+:(?:slicer|timeslicer)\s.*?</\1>",
        re.DOTALL,
    ),
)
"""the pictures of controls and slicers in a drawing"""


def patch(workbook: Workbook, plan: Plan) -> bytes:
    """The new bytes of a book. Raises BookRefused for a plan of another version and for a value no cell can take."""
    if plan.before_sha256 != workbook.sha256:
        raise BookRefused(f"{workbook.name} is not the version this was planned for. Nothing was written; look again.")
    with refusing_damage(workbook.name):
        return _patched(workbook, plan)


def _patched(workbook: Workbook, plan: Plan) -> bytes:
    changed: dict[str, bytes] = {}
    added: dict[str, bytes] = {}
    for name in _touched(workbook, plan):
        sheet = workbook.sheet(name)
        changed[sheet.part] = Splicer(workbook, sheet, plan).xml()
    for part in {change.part for change in plan.ranges}:
        if part not in changed and part in workbook.part_names and part != workbook.workbook_part:
            changed[part] = with_ranges(workbook.part(part), pairs_of(plan, part))
    if plan.styles:
        part = next(r.target for r in workbook.relations(workbook.workbook_part) if r.type.endswith("/styles"))
        changed[part] = appended(Styles(workbook.part(part), workbook.name), plan.styles)
    for sheet_to_add in plan.new_sheets:
        added |= _new_sheet_parts(workbook, plan, sheet_to_add)
    changed[workbook.workbook_part] = workbook_part(workbook, plan)
    if plan.new_sheets or plan.dropped:
        relations = relations_part(workbook.workbook_part)
        changed[relations] = workbook_relations(workbook, plan)
        changed["[Content_Types].xml"] = content_types(workbook, plan)
    return workbook.rebuilt(
        {part: xml for part, xml in changed.items() if xml != workbook.part(part)}, added, plan.dropped
    )


def _touched(workbook: Workbook, plan: Plan) -> list[str]:
    names = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    names |= {moves.sheet for moves in plan.moves}
    parts = {change.part for change in plan.ranges}
    names |= {ref.name for ref in workbook.sheets if ref.part in parts}
    return [ref.name for ref in workbook.sheets if ref.name in names]


def _new_sheet_parts(workbook: Workbook, plan: Plan, sheet: NewSheet) -> dict[str, bytes]:
    source = workbook.sheet(sheet.like)
    copies = dict(sheet.parts)
    parts = {sheet.part: _new_sheet_xml(workbook, source, plan, sheet)}
    for part, copy in sheet.parts:
        if part != source.part:
            xml = workbook.part(part)
            parts[copy] = _redirected(xml, sheet.like, sheet.name) if part.endswith(".xml") else xml
        relations = relations_part(part)
        if relations in workbook.part_names:
            parts[relations_part(copy)] = _copied_relations(workbook, part, copies)
    return parts


def _new_sheet_xml(workbook: Workbook, source: Sheet, plan: Plan, sheet: NewSheet) -> bytes:
    prefix = source.prefix
    p = re.escape(prefix.encode())
    head, tail = source.xml[: source.data.start], source.xml[source.data.end :]
    head = re.sub(rb"\s(?:tabSelected|codeName|xr:uid)=\"[^\"]*\"", b"", head)
    head = re.sub(rb"(<" + p + rb"pane\s[^>]*?ySplit=\"(\d+)\"[^>]*?topLeftCell=\"[A-Z]+)\d+", _back_to_top, head)
    used = [change for change in sheet.cells if change.value is not None or change.formula is not None]
    widest = max((change.column for change in used), key=column_index, default="A")
    lowest = max((change.row for change in used), default=1)
    head = re.sub(rb"(<" + p + rb"dimension\s[^>]*?ref=\")[^\"]*", rb"\g<1>A1:%s%d" % (widest.encode(), lowest), head)
    tail = _without_belongings(tail, p)
    pairs = pairs_of(plan, sheet.part)
    writer = CellWriter(prefix, date1904=workbook.date1904)
    rows: dict[int, list[CellChange]] = {}
    for change in sheet.cells:
        rows.setdefault(change.row, []).append(change)
    written = []
    for row in sorted({*rows, *(number for number in source.rows if number <= min(rows, default=0))}):
        kept = b""
        if row in source.rows:
            start = source.rows[row].start
            kept = kept_attributes(source.xml[start : source.xml.index(b">", start) + 1])
        cells = sorted(rows.get(row, ()), key=lambda change: column_index(change.column))
        written.append(written_row(prefix, row, kept, [writer.cell(change) for change in cells]))
    return with_ranges(head, pairs) + b"".join(written) + with_ranges(tail, pairs)


def _without_belongings(tail: bytes, p: bytes) -> bytes:
    """What stands behind a sheet's rows without what belongs to that sheet alone (ledger.months.COPIED)."""
    for tag in (p + b"hyperlinks", p + b"tableParts", p + b"oleObjects", rb"mc:AlternateContent", p + b"controls"):
        # the outer block of nested ones ends where no later one begins before its end
        block = rb"<" + tag + rb"(?:\s[^>]*)?(?<!/)>.*</" + tag + rb">"
        tail = re.sub(block, b"", tail, flags=re.DOTALL)
    ext = re.compile(rb"<(" + p + rb"ext)\s(?:(?!</\1>).)*?\br:id=\"(?:(?!</\1>).)*?</\1>", re.DOTALL)
    tail = re.sub(rb"<(" + p + rb"extLst)></\1>", b"", ext.sub(b"", tail))
    return re.sub(rb"<" + p + rb"(?:legacyDrawing(?:HF)?|tableParts|customProperties)\s[^>]*/>", b"", tail)


def _back_to_top(found: re.Match[bytes]) -> bytes:
    return found[1] + str(int(found[2]) + 1).encode()


def _redirected(xml: bytes, like: str, name: str) -> bytes:
    """A chart or drawing led to the new month, without the figures stored in it."""
    xml = re.sub(rb"<(c:|)(numCache|strCache)>.*?</\1\2>", b"", xml, flags=re.DOTALL)
    for pattern in _CONTROLS:
        xml = pattern.sub(b"", xml)
    for was, becomes in ((like, name), (like.capitalize(), name.capitalize())):
        xml = re.sub(rb"\b" + was.encode() + rb"\b", becomes.encode(), xml)
    return xml


def _copied_relations(workbook: Workbook, part: str, copies: Mapping[str, str]) -> bytes:
    xml = workbook.part(relations_part(part))
    of_sheet = part == next(iter(copies))
    targets = {relation.id: relation for relation in workbook.relations(part)}

    def led(found: re.Match[bytes]) -> bytes:
        attributes = attributes_of(found[0])
        relation = targets[attributes["Id"]]
        if of_sheet and not relation.type.endswith(COPIED):
            return b""
        if relation.target not in copies:
            return found[0]
        target = quoteattr("/" + copies[relation.target]).encode()
        return re.sub(rb"\bTarget=\"[^\"]*\"", lambda _: b"Target=" + target, found[0])

    return re.sub(rb"<(?:\w+:)?Relationship\s[^>]*?/>", led, xml)
