"""What must be true of a book's new bytes before they replace it. Shares no code with what reads and writes books.

    before, after, Plan ──► package   only planned parts differ, the rest are the same bytes
                            workbook  sheets, names and views as planned, recalculation asked for
                            styles    only appended to
                            sheets    rows outside the plan the same bytes, in the others only planned cells, as planned
                            money     cards, running balances and totals moved by exactly the drafts
                            reader    another program's reader sees the new rows

It reads the package by `zipfile`, the parts by its own expressions, expat and lxml, and the rows once more by calamine.
It does not judge whether a plan is wise: it rejects what differs from it.
"""

import hashlib
import io
import posixpath
import re
import struct
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from xml.parsers import expat
from xml.sax.saxutils import unescape

from lxml import etree
from python_calamine import CalamineError, CalamineWorkbook

from ledger.changes import KEEP, CellChange, Keep, NewSheet, NewStyle, Plan, PlannedRow, Shift, Value
from ledger.entries import CASH_TRACKER, MONTHS, Draft, Mode

MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
SECOND_READER_CELLS: Final = 20_000_000
"""calamine allocates the rectangle round all cells; a far cell would end the process"""
RUNNING: Final[Mapping[str, Mapping[str, Mode]]] = {
    "month": {"H": "PHONEPE", "I": "WALLET"},
    CASH_TRACKER: {"H": "MONEY", "I": "BANK"},
}
"""which mode's running balance a column holds"""
CARDS: Final[tuple[tuple[str, str, str, str, Mode], ...]] = (
    ("month", "K7", "L7", "WALLET", "WALLET"),
    ("month", "K8", "L8", "PHONEPE", "PHONEPE"),
    (CASH_TRACKER, "C5", "D5", "BANK", "BANK"),
    (CASH_TRACKER, "C6", "D6", "MONEY", "MONEY"),
    ("TERMINOLOGY", "J5", "K5", "BANK[CURR]", "BANK"),
    ("TERMINOLOGY", "J6", "K6", "MONEY[CURR]", "MONEY"),
)
"""(sheet, label's cell, card's cell, label, mode): where the layout has its cards"""

UNREADABLE: Final = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
    etree.LxmlError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""what reading a file that is not what it seems can raise, in any of the readers used here: none of it may pass"""


_LOCAL_HEADER: Final = struct.Struct("<4s5H3L2H")


class WriteRejected(Exception):
    """The new bytes are not the old ones with exactly the planned changes; the reason says where."""


def verify(before: bytes, after: bytes, plan: Plan) -> None:
    """Accept `after` as `before` with exactly the planned changes; WriteRejected names the first difference."""
    try:
        _verify(before, after, plan)
    except UNREADABLE as error:
        raise WriteRejected(f"the new book cannot be checked: {type(error).__name__} {error}") from error


def _verify(before: bytes, after: bytes, plan: Plan) -> None:
    _require(
        hashlib.sha256(before).hexdigest() == plan.before_sha256, "the plan was made for another version of the book"
    )
    old, new = _Package.of(before), _Package.of(after)
    _check_parts(old, new, plan)
    _check_workbook(old, new, plan)
    _check_styles(old, new, plan.styles)
    sheets = _check_sheets(old, new, plan)
    for sheet in plan.new_sheets:
        _check_new_sheet(old, new, plan, sheet)
    for part in {change.part for change in plan.ranges} - set(old.sheet_parts.values()) - set(new.sheet_parts.values()):
        if part != old.workbook:
            _check_ranges(old.read(part), new.read(part), _pairs(plan, part), part)
    _check_money(plan, sheets)
    _check_second_reader(after, new, plan, sheets)


def _require(holds: object, reason: str) -> None:
    if not holds:
        raise WriteRejected(reason)


# The package


@dataclass(frozen=True)
class _Package:
    """A zip package and its workbook part, read by nothing but zipfile and lxml."""

    data: bytes
    archive: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]
    workbook: str
    workbook_tree: Any
    sheet_parts: Mapping[str, str]
    date1904: bool
    inflated: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, data: bytes) -> "_Package":
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = {info.filename: info for info in archive.infolist()}
        _require(len(members) == len(archive.infolist()), "the package names a part twice")
        root = _relations(archive.read("_rels/.rels"), "")
        workbook = next(target for kind, target in root.values() if kind.endswith("/officeDocument"))
        tree = _tree(archive.read(workbook))
        relations = _relations(archive.read(_relations_part(workbook)), workbook)
        sheets = {sheet.get("name"): relations[sheet.get(RELATION_ID)][1] for sheet in tree.iter(f"{MAIN}sheet")}
        properties = tree.find(f"{MAIN}workbookPr")
        date1904 = properties is not None and properties.get("date1904") in ("1", "true")
        return cls(data, archive, members, workbook, tree, sheets, date1904)

    def read(self, part: str) -> bytes:
        if part not in self.inflated:
            self.inflated[part] = self.archive.read(part)
        return self.inflated[part]

    def raw(self, part: str) -> bytes:
        """The compressed bytes of a member, as they lie in the file behind a header that agrees with the directory."""
        info = self.members[part]
        offset = info.header_offset
        signature, _, flags, method, *_, name_length, extra_length = _LOCAL_HEADER.unpack_from(self.data, offset)
        start = offset + _LOCAL_HEADER.size
        name = self.data[start : start + name_length].decode("utf-8" if flags & 0x800 else "cp437")
        agrees = (signature, name, method) == (b"PK\3\4", info.orig_filename, info.compress_type) and not flags & 1
        _require(agrees, f"the header of the part {part} is damaged")
        start += name_length + extra_length
        return self.data[start : start + info.compress_size]

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        name = _relations_part(part)
        return _relations(self.read(name), part) if name in self.members else {}


def _relations_part(part: str) -> str:
    return posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")


def _relations(xml: bytes, part: str) -> dict[str, tuple[str, str]]:
    """(type, target part or outside address) by id."""
    found = {}
    for relation in _tree(xml):
        target = relation.get("Target")
        if relation.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", posixpath.dirname(part), target)).lstrip("/")
        found[relation.get("Id")] = (relation.get("Type"), target)
    return found


def _tree(xml: bytes) -> Any:
    try:
        return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as error:
        raise WriteRejected(f"a part is not well-formed: {error}") from error


def _canonical(element: Any) -> bytes:
    text: bytes = etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
    return text


def _check_parts(old: _Package, new: _Package, plan: Plan) -> None:
    """Only planned parts are changed, added or dropped; the others are the same bytes; what changed is well-formed."""
    added = {target for sheet in plan.new_sheets for _, target in sheet.parts}
    added |= {
        _relations_part(to)
        for sheet in plan.new_sheets
        for part, to in sheet.parts
        if _relations_part(part) in old.members
    }
    gone = set(old.members) - set(new.members)
    _require(gone == set(plan.dropped), f"a part is missing: {', '.join(sorted(gone ^ set(plan.dropped)))}")
    extra = set(new.members) - set(old.members)
    _require(extra == added, f"a part more or less than planned was added: {', '.join(sorted(extra ^ added))}")
    for part in plan.dropped:
        _require(posixpath.basename(part) == "calcChain.xml", f"the part {part} may not be dropped")
    touched = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    allowed = (
        {old.sheet_parts.get(sheet, "") for sheet in touched} | {change.part for change in plan.ranges} | {old.workbook}
    )
    if plan.styles:
        allowed |= {part for part in (_styles_part(old),) if part}
    if plan.new_sheets or plan.dropped:
        allowed |= {"[Content_Types].xml", _relations_part(old.workbook)}
        _check_listing(old, new, plan)
    # of a sheet, what lies outside its rows and each touched row is parsed later: the other rows are the same bytes
    sheet_parts = {old.sheet_parts.get(sheet) for sheet in _touched(old, plan)}
    for part in old.members.keys() & new.members.keys():
        raw = new.raw(part)
        if part in allowed:
            if part not in sheet_parts:
                _check_well_formed(new.read(part), part)
        elif old.raw(part) != raw or old.members[part].CRC != new.members[part].CRC:
            _require(old.read(part) == new.read(part), f"the part {part} was changed")
    for part in added:
        if part.endswith((".xml", ".rels")):
            _check_well_formed(new.read(part), part)


def _check_well_formed(xml: bytes, part: str, *, fragment: bool = False) -> None:
    """Of a fragment the prefixes may be declared further up."""

    def refuse(*_: object) -> None:
        raise WriteRejected(f"{part} declares a document type")

    parser = expat.ParserCreate() if fragment else expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)  # noqa: FBT003 -- expat's own signature
    except expat.ExpatError as error:
        raise WriteRejected(f"{part} is not well-formed: {error}") from error


def _check_listing(old: _Package, new: _Package, plan: Plan) -> None:
    """Content types and the workbook's relations name the new parts, not the dropped ones, and nothing else moved."""
    defaults, overrides = _content_types(old)
    expected = {part: kind for part, kind in overrides.items() if part not in plan.dropped}
    for sheet in plan.new_sheets:
        expected |= {target: overrides[part] for part, target in sheet.parts if part in overrides}
    _require(_content_types(new) == (defaults, expected), "the list of content types differs from the plan")
    relations = sorted(pair for pair in old.relations(old.workbook).values() if pair[1] not in plan.dropped)
    kind = next(kind for kind, target in relations if target in old.sheet_parts.values())
    relations = sorted([*relations, *((kind, sheet.part) for sheet in plan.new_sheets)])
    _require(
        relations == sorted(new.relations(new.workbook).values()), "the relations of the workbook differ from the plan"
    )
    kept = {key: pair for key, pair in old.relations(old.workbook).items() if pair[1] not in plan.dropped}
    after = new.relations(new.workbook)
    _require(all(after.get(key) == pair for key, pair in kept.items()), "a relation of the workbook was renamed")


def _content_types(package: _Package) -> tuple[dict[str, str], dict[str, str]]:
    defaults, overrides = {}, {}
    for element in _tree(package.read("[Content_Types].xml")):
        if element.tag.endswith("}Default"):
            defaults[element.get("Extension")] = element.get("ContentType")
        else:
            overrides[element.get("PartName").lstrip("/")] = element.get("ContentType")
    return defaults, overrides


# The workbook part


def _check_workbook(old: _Package, new: _Package, plan: Plan) -> None:
    """Sheets in the planned order, names moved with them or grown as planned, recalculation on opening, no more."""
    before, after = old.workbook_tree, new.workbook_tree
    _require(
        new.workbook == old.workbook and dict(before.attrib) == dict(after.attrib), "the workbook part was replaced"
    )
    sheets = [dict(sheet.attrib) for sheet in before.find(f"{MAIN}sheets")]
    names = [sheet["name"] for sheet in sheets]
    for planned in plan.new_sheets:
        _require(planned.name not in names, f"there is already a sheet {planned.name}")
    order: list[str] = list(names)
    for planned in sorted(plan.new_sheets, key=lambda sheet: sheet.position):
        order.insert(planned.position, planned.name)
    moved = {names.index(name): order.index(name) for name in names}
    after_sheets = [dict(sheet.attrib) for sheet in after.find(f"{MAIN}sheets")]
    _require([sheet["name"] for sheet in after_sheets] == order, "the order of the sheets differs from the plan")
    _require(
        [sheet for sheet in after_sheets if sheet["name"] in names] == sheets,
        "a sheet's name, number or state was changed",
    )
    _require(len({sheet["sheetId"] for sheet in after_sheets}) == len(order), "two sheets share a number")
    for planned in plan.new_sheets:
        own = next(sheet for sheet in after_sheets if sheet["name"] == planned.name)
        _require(
            "state" not in own and new.sheet_parts[planned.name] == planned.part,
            f"the sheet {planned.name} is not as planned",
        )
    _check_names(before, after, plan, old.workbook, moved)
    calculation = after.find(f"{MAIN}calcPr")
    asks = calculation is not None and calculation.get("fullCalcOnLoad") in ("1", "true")
    _require(asks, "the book does not ask to be recalculated on opening")
    earlier = before.find(f"{MAIN}calcPr")
    for key in {*calculation.attrib, *(earlier.attrib if earlier is not None else ())} - {"fullCalcOnLoad"}:
        same = earlier is not None and earlier.get(key) == calculation.get(key)
        _require(same, f"the calculation setting {key} was changed")
    views = [dict(view.attrib) for view in before.iter(f"{MAIN}workbookView")]
    for view in views:
        for key in view.keys() & {"activeTab", "firstSheet"}:
            view[key] = str(moved.get(int(view[key]), int(view[key])))
    _require(
        views == [dict(view.attrib) for view in after.iter(f"{MAIN}workbookView")], "the view of the book was changed"
    )
    skipped = {f"{MAIN}{tag}" for tag in ("sheets", "definedNames", "calcPr", "bookViews")}
    rest = [[_canonical(child) for child in tree if child.tag not in skipped] for tree in (before, after)]
    _require(rest[0] == rest[1], "the workbook part has an unplanned change")


def _check_names(before: Any, after: Any, plan: Plan, part: str, moved: Mapping[int, int]) -> None:
    pairs = _pairs(plan, part)
    used: set[str] = set()
    expected = []
    for name in before.iter(f"{MAIN}definedName"):
        attributes = dict(name.attrib)
        if "localSheetId" in attributes:
            index = int(attributes["localSheetId"])
            attributes["localSheetId"] = str(moved.get(index, index))
        text = name.text or ""
        used |= {text} & pairs.keys()
        expected.append((sorted(attributes.items()), pairs.get(text, text)))
    _require(used == pairs.keys(), "a name that should grow is not there")
    for sheet in plan.new_sheets:
        expected += [
            (sorted({"name": name, "localSheetId": str(sheet.position)}.items()), text) for name, text in sheet.names
        ]
    found = [
        (sorted((key, value) for key, value in name.attrib.items()), name.text or "")
        for name in after.iter(f"{MAIN}definedName")
    ]
    own = {(dict(attributes).get("name"), dict(attributes).get("localSheetId")) for attributes, _ in found}
    _require(len(own) == len(found), "a name is defined twice")
    trimmed = [(_without_hidden(attributes, plan), text) for attributes, text in found]
    wanted = [(_without_hidden(attributes, plan), text) for attributes, text in expected]
    _require(sorted(trimmed) == sorted(wanted), "the defined names differ from the plan")


def _without_hidden(attributes: list[tuple[str, str]], plan: Plan) -> list[tuple[str, str]]:
    """A new sheet's names may be hidden, as the copied ones are; of all others every attribute counts."""
    given = dict(attributes)
    if given.get("localSheetId") in {str(sheet.position) for sheet in plan.new_sheets}:
        given.pop("hidden", None)
    return sorted(given.items())


# Cell formats


def _styles_part(package: _Package) -> str | None:
    return next(
        (target for kind, target in package.relations(package.workbook).values() if kind.endswith("/styles")), None
    )


def _check_styles(old: _Package, new: _Package, planned: Sequence[NewStyle]) -> None:
    """Formats are only appended, each equal to its base but for the planned fill, font colour and number format."""
    if not planned:
        return
    part = _styles_part(old)
    _require(part is not None and part == _styles_part(new), "the book's formats were moved")
    before, after = _tree(old.read(part or "")), _tree(new.read(part or ""))
    growing = {f"{MAIN}{tag}" for tag in ("numFmts", "fonts", "fills", "cellXfs")}
    rest = [[_canonical(child) for child in tree if child.tag not in growing] for tree in (before, after)]
    _require(
        rest[0] == rest[1] and dict(before.attrib) == dict(after.attrib), "the book's formats have an unplanned change"
    )
    _require(
        [child.tag for child in after if child.tag != f"{MAIN}numFmts"]
        == [child.tag for child in before if child.tag != f"{MAIN}numFmts"],
        "the book's formats were reordered",
    )
    for tag in growing:
        first, second = before.find(tag), after.find(tag)
        lists = [[_canonical(child) for child in element] if element is not None else [] for element in (first, second)]
        _require(lists[1][: len(lists[0])] == lists[0], f"an existing format was changed in {tag.rpartition('}')[2]}")
        if second is not None and second.get("count") is not None:
            _require(int(second.get("count")) == len(lists[1]), f"the count of {tag.rpartition('}')[2]} is wrong")
    formats = after.find(f"{MAIN}cellXfs")
    first_new = len(before.find(f"{MAIN}cellXfs"))
    _require(
        [style.index for style in planned] == list(range(first_new, len(formats))),
        "the new formats differ from the plan",
    )
    for style in planned:
        _check_style(after, style)


def _check_style(tree: Any, style: NewStyle) -> None:
    formats = tree.find(f"{MAIN}cellXfs")
    own, base = formats[style.index], formats[style.base]
    free = {"fillId", "fontId", "numFmtId", "applyFill", "applyFont", "applyNumberFormat"}
    same = {key: value for key, value in own.attrib.items() if key not in free} == {
        key: value for key, value in base.attrib.items() if key not in free
    }
    _require(
        same and [_canonical(child) for child in own] == [_canonical(child) for child in base], "a new format differs"
    )
    fill = tree.find(f"{MAIN}fills")[int(own.get("fillId", "0"))]
    if style.fill is None:
        _require(own.get("fillId", "0") == base.get("fillId", "0"), "a new format has another fill")
    elif style.fill == "":
        _require(own.get("fillId", "0") == "0", "a new format has a fill")
    else:
        pattern = fill.find(f"{MAIN}patternFill")
        colour = pattern.find(f"{MAIN}fgColor") if pattern is not None else None
        solid = colour is not None and pattern.get("patternType") == "solid" and colour.get("rgb") == style.fill
        _require(solid, "a new format has another fill than planned")
    fonts = tree.find(f"{MAIN}fonts")
    own_font, base_font = fonts[int(own.get("fontId", "0"))], fonts[int(base.get("fontId", "0"))]
    if style.font is None:
        _require(own_font is base_font, "a new format has another font")
    else:
        colours = own_font.findall(f"{MAIN}color")
        _require(
            [colour.get("rgb") for colour in colours] == ([style.font] if style.font else []),
            "a font has another colour",
        )
        others = [
            [_canonical(child) for child in font if child.tag != f"{MAIN}color"] for font in (own_font, base_font)
        ]
        _require(others[0] == others[1], "a new font differs in more than its colour")
    if style.number_format is None:
        _require(own.get("numFmtId", "0") == base.get("numFmtId", "0"), "a new format has another number format")
    else:
        codes = {element.get("numFmtId"): element.get("formatCode") for element in tree.iter(f"{MAIN}numFmt")}
        codes["0"] = ""
        _require(codes.get(own.get("numFmtId", "0")) == style.number_format, "a new format has another number format")


# Ranges outside the cells

_TOKEN = re.compile(rb"<[^>]*>|[^<]+")
_ATTRIBUTE = re.compile(rb"([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


def _pairs(plan: Plan, part: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for change in plan.ranges:
        if change.part == part:
            _require(
                pairs.setdefault(change.before, change.after) == change.after, f"the plan grows {change.before} twice"
            )
    return pairs


def _plain(text: bytes) -> str:
    return unescape(text.decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})


def _check_ranges(old: bytes, new: bytes, pairs: Mapping[str, str], where: str) -> None:
    """The same tags and texts, but for those that are a planned range; each planned range has grown."""
    if old == new and not pairs:
        return
    first, second = _TOKEN.findall(old), _TOKEN.findall(new)
    _require(len(first) == len(second), f"{where} has something more or less outside the cells")
    grown: set[str] = set()
    for before, after in zip(first, second, strict=True):
        if not before.startswith(b"<"):
            text = _plain(before)
            grown |= {text} & pairs.keys()
            same = before == after or pairs.get(text) == _plain(after)
            _require(same, f"{where} has an unplanned change: {text[:60]}")
            continue
        if before == after and b"ref=" not in before:
            continue
        _require(
            _ATTRIBUTE.sub(b"", before) == _ATTRIBUTE.sub(b"", after),
            f"{where} has an unplanned change outside the cells",
        )
        one, two = _ATTRIBUTE.findall(before), _ATTRIBUTE.findall(after)
        _require(
            [key for key, _ in one] == [key for key, _ in two], f"{where} has an unplanned change outside the cells"
        )
        for (key, was), (_, becomes) in zip(one, two, strict=True):
            text = _plain(was[1:-1])
            ranges = key in (b"ref", b"sqref")
            if ranges and text in pairs:
                grown.add(text)
                _require(_plain(becomes[1:-1]) == pairs[text], f"the range {text} of {where} did not grow as planned")
            else:
                _require(was == becomes, f"{where} has an unplanned change: {key.decode()} {text[:60]}")
    _require(grown == pairs.keys(), f"a range of {where} that should grow is not there")


# The cells


@dataclass(frozen=True)
class _SheetXml:
    """A sheet's part cut at its rows, by offsets only."""

    xml: bytes
    prefix: bytes
    start: int
    end: int
    numbers: Sequence[int]
    starts: Sequence[int]

    @classmethod
    def of(cls, xml: bytes, where: str) -> "_SheetXml":
        _require(b"<!" not in xml, f"{where} holds a comment, a CDATA section or a document type")
        opening = re.search(rb"<((?:[A-Za-z_][\w.-]*:)?)sheetData(?:\s[^>]*)?>", xml)
        _require(opening is not None and not opening.group().endswith(b"/>"), f"{where} has no rows")
        assert opening is not None  # noqa: S101 -- said to mypy; required above
        prefix = opening.group(1)
        end = xml.find(b"</" + prefix + b"sheetData", opening.end())
        _require(end >= 0 and xml.count(b"<" + prefix + b"sheetData") == 1, f"{where} has no single block of rows")
        row = re.compile(rb"<" + re.escape(prefix) + rb"row(?=[\s/>])(?:[^>]*?\sr\s*=\s*[\"'](\d+)[\"'])?")
        numbers, starts = [], []
        for found in row.finditer(xml, opening.end(), end):
            numbers.append(int(found.group(1) or 0))
            starts.append(found.start())
        _require(all(map(int.__lt__, numbers, numbers[1:])), f"the rows of {where} do not ascend")
        _require(not numbers or numbers[0] > 0, f"{where} has a row without a number")
        return cls(xml, prefix, opening.end(), end, numbers, starts)

    @property
    def head(self) -> bytes:
        return self.xml[: self.starts[0] if self.starts else self.end]

    @property
    def tail(self) -> bytes:
        return self.xml[self.end :]

    def chunk(self, index: int) -> bytes:
        return self.xml[self.starts[index] : self.offset(index + 1)]

    def offset(self, index: int) -> int:
        return self.starts[index] if index < len(self.starts) else self.end

    def row(self, number: int) -> bytes | None:
        index = bisect_left(self.numbers, number)
        return self.chunk(index) if index < len(self.numbers) and self.numbers[index] == number else None

    def number(self, reference: str) -> Decimal | None:
        """The number a cell shows, None when it shows none."""
        column, row = _split(reference)
        chunk = self.row(row)
        cell = _cells(chunk, self.prefix, "")[1].get(column) if chunk is not None else None
        return _read_cell(cell, self.prefix).number if cell is not None else None


@dataclass(frozen=True)
class _CellXml:
    style: int
    """0, the book's plain format, when the cell names none"""
    type: str
    formula: str | None
    formula_attributes: tuple[tuple[str, str], ...]
    shown: str | None
    others: tuple[tuple[str, str], ...]

    @property
    def number(self) -> Decimal | None:
        try:
            return Decimal(self.shown) if self.type == "n" and self.shown is not None else None
        except InvalidOperation:
            return None


def _split(reference: str) -> tuple[str, int]:
    column = reference.rstrip("0123456789")
    return column, int(reference[len(column) :])


def _column_order(column: str) -> tuple[int, str]:
    return len(column), column


def _cells(chunk: bytes, prefix: bytes, where: str) -> tuple[bytes, dict[str, bytes], bytes]:
    """One row cut into its opening tag, its cells by column, and what closes it; the cells tile it, ascending."""
    p = re.escape(prefix)
    opening = re.match(rb"<" + p + rb"row(?:\s[^>]*)?>", chunk)
    _require(opening is not None, f"a row of {where} is broken")
    assert opening is not None  # noqa: S101 -- said to mypy; required above
    cells: dict[str, bytes] = {}
    position = opening.end()
    cell = re.compile(rb"\s*(<" + p + rb"c(?=[\s/>])[^>]*?(?:/>|>.*?</" + p + rb"c\s*>))", re.DOTALL)
    named = re.compile(rb"\sr\s*=\s*[\"']([A-Z]+)(\d+)[\"']")
    row = re.search(rb"\sr\s*=\s*[\"'](\d+)[\"']", opening.group())
    while found := cell.match(chunk, position):
        name = named.search(found.group(1), 0, found.group(1).find(b">"))
        _require(name is not None, f"a cell of {where} has no address")
        assert name is not None  # noqa: S101 -- said to mypy; required above
        column = name.group(1).decode()
        _require(
            row is not None and name.group(2) == row.group(1), f"a cell of {where} stands in another row than it says"
        )
        _require(
            not cells or _column_order(next(reversed(cells))) < _column_order(column),
            f"the cells of {where} do not ascend",
        )
        cells[column] = found.group(1)
        position = found.end()
    return opening.group(), cells, chunk[position:]


def _read_cell(xml: bytes, prefix: bytes) -> _CellXml:
    space = b'xmlns="m"' if not prefix else b"xmlns:" + prefix[:-1] + b'="m"'
    # A cell may use prefixes declared at the sheet's root (x14ac:…, xr:…): recovery keeps them as plain names.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    cell = etree.fromstring(b"<w " + space + b">" + xml + b"</w>", parser)[0]
    attributes = dict(cell.attrib)
    formula, shown = cell.find("{m}f"), cell.find("{m}v")
    inline = cell.find("{m}is")
    text = None
    if inline is not None:
        text = "".join(piece.text or "" for piece in inline.iter("{m}t"))
    elif shown is not None:
        text = shown.text or ""
    attributes.pop("r", None)
    style, kind = attributes.pop("s", None), attributes.pop("t", "n")
    return _CellXml(
        int(style or 0),
        kind,
        (formula.text or "") if formula is not None else None,
        tuple(sorted(formula.attrib.items())) if formula is not None else (),
        text,
        tuple(sorted(attributes.items())),
    )


def _check_sheets(old: _Package, new: _Package, plan: Plan) -> dict[str, tuple[_SheetXml, _SheetXml]]:
    """Every touched sheet: rows outside the plan the same bytes, inside it only planned cells, each as planned."""
    sheets: dict[str, tuple[_SheetXml, _SheetXml]] = {}
    for name in sorted(_touched(old, plan)):
        _require(
            name in old.sheet_parts and new.sheet_parts.get(name) == old.sheet_parts[name], f"there is no sheet {name}"
        )
        part = old.sheet_parts[name]
        before, after = _SheetXml.of(old.read(part), name), _SheetXml.of(new.read(part), name)
        _require(before.prefix == after.prefix, f"the rows of {name} were renamed")
        _check_well_formed(after.head + after.tail, part)
        _check_ranges(before.head + before.tail, after.head + after.tail, _pairs(plan, part), name)
        changes: dict[int, dict[str, CellChange]] = {}
        for change in plan.cells:
            if change.sheet == name:
                row = changes.setdefault(change.row, {})
                _require(change.column not in row, f"the plan changes {change.cell} twice")
                row[change.column] = change
        shifts = [shift for shift in plan.shifts if shift.sheet == name]
        _check_rows(before, after, changes, shifts, _Row(name, 0, after.prefix, new.date1904))
        sheets[name] = (before, after)
    return sheets


def _touched(old: _Package, plan: Plan) -> set[str]:
    parts = {change.part for change in plan.ranges}
    touched = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    return touched | {name for name, part in old.sheet_parts.items() if part in parts}


@dataclass(frozen=True)
class _Row:
    """Which row is looked at, and how its sheet writes names and days."""

    sheet: str
    number: int
    prefix: bytes
    date1904: bool


def _check_rows(
    before: _SheetXml,
    after: _SheetXml,
    changes: Mapping[int, Mapping[str, CellChange]],
    shifts: Sequence[Shift],
    sheet: _Row,
) -> None:
    moved: dict[int, dict[str, Decimal]] = {}
    for shift in shifts:
        low, high = bisect_left(before.numbers, shift.first), bisect_left(before.numbers, shift.last + 1)
        for number in before.numbers[low:high]:
            columns = moved.setdefault(number, {})
            columns[shift.column] = columns.get(shift.column, Decimal(0)) + shift.by
    left = right = 0
    for number in sorted({*changes, *moved}):
        low, high = bisect_left(before.numbers, number), bisect_left(after.numbers, number)
        _require(
            high < len(after.numbers) and after.numbers[high] == number, f"row {number} of {sheet.sheet} is missing"
        )
        _check_run(before, after, (left, low), (right, high), sheet.sheet)
        there = low < len(before.numbers) and before.numbers[low] == number
        chunk = before.chunk(low) if there else None
        planned, by = changes.get(number, {}), moved.get(number, {})
        if planned or chunk is None or not _only_moved(chunk, after.chunk(high), by, before.prefix, number):
            _check_row(chunk, after.chunk(high), planned, by, replace(sheet, number=number))
        left, right = low + there, high + 1
    _check_run(before, after, (left, len(before.numbers)), (right, len(after.numbers)), sheet.sheet)


def _check_run(before: _SheetXml, after: _SheetXml, left: tuple[int, int], right: tuple[int, int], sheet: str) -> None:
    """Rows that the plan does not touch: the same numbers, the same bytes."""
    old = before.xml[before.offset(left[0]) : before.offset(left[1])]
    new = after.xml[after.offset(right[0]) : after.offset(right[1])]
    if old == new or (old.rstrip() == new.rstrip() and right[1] == len(after.numbers)):
        return
    numbers = [*before.numbers[left[0] : left[1]]], [*after.numbers[right[0] : right[1]]]
    extra = set(numbers[0]) ^ set(numbers[1])
    _require(not extra, f"row {min(extra, default=0)} of {sheet} was added or lost")
    pairs = zip(range(*left), range(*right), strict=True)
    differing = next((a for a, b in pairs if before.chunk(a) != after.chunk(b)), left[0])
    raise WriteRejected(f"row {before.numbers[differing]} of {sheet} has an unplanned change")


def _only_moved(old: bytes, new: bytes, by: Mapping[str, Decimal], prefix: bytes, number: int) -> bool:
    """The common case of a shift, without a parser: one column, the same bytes but for the number shown."""
    if len(by) != 1:
        return False
    ((column, amount),) = by.items()
    start = old.find(b'<%sc r="%s%d"' % (prefix, column.encode(), number))
    opening = b"<%sv>" % prefix
    first = old.find(opening, start) + len(opening)
    last = old.find(b"<", first)
    if start < 0 or first < start or b"<%sc " % prefix in old[start + 2 : first]:
        return False
    end = len(new) - (len(old) - last)
    if new[:first] != old[:first] or new[end:] != old[last:] or b' t="' in old[start : old.find(b">", start)]:
        return False
    try:
        return Decimal(new[first:end].decode()) == Decimal(old[first:last].decode()) + amount
    except (InvalidOperation, UnicodeDecodeError):
        return False


def _check_row(
    old: bytes | None,
    new: bytes,
    planned: Mapping[str, CellChange],
    by: Mapping[str, Decimal],
    row: _Row,
) -> None:
    prefix = row.prefix
    where = f"row {row.number} of {row.sheet}"
    _check_well_formed(new, where, fragment=True)
    opening, cells, closing = _cells(new, prefix, where)
    if old is None:
        _require(not re.search(rb"\s(hidden|collapsed)\s*=\s*[\"'](1|true)", opening), f"{where} is hidden")
        _require(closing.strip() == b"</" + prefix + b"row>", f"{where} is broken")
        before: dict[str, bytes] = {}
    else:
        old_opening, before, old_closing = _cells(old, prefix, where)
        same = _row_tag(old_opening) == _row_tag(opening)
        closed = old_closing.strip() == closing.strip() or (not before and old_opening.endswith(b"/>"))
        _require(same and closed, f"{where} has an unplanned change")
    wanted = before.keys() | planned.keys()
    _require(
        cells.keys() == wanted,
        f"{where} has a cell more or less than planned: {', '.join(sorted(cells.keys() ^ wanted))}",
    )
    for column, cell in cells.items():
        earlier = before.get(column)
        if column not in planned and column not in by:
            _require(cell == earlier, f"{row.sheet}!{column}{row.number} was changed")
            continue
        was = _read_cell(earlier, prefix) if earlier is not None else None
        change = planned.get(column, CellChange(row.sheet, column, row.number))
        _check_cell(was, _read_cell(cell, prefix), change, by.get(column), row)


def _row_tag(tag: bytes) -> bytes:
    """A row's opening tag without the span of its columns, which widens, and without telling `<row/>` from `<row>`."""
    return re.sub(rb"\sspans=\"[^\"]*\"", b"", tag).replace(b"/>", b">").replace(b" >", b">")


def _check_cell(was: _CellXml | None, now: _CellXml, change: CellChange, by: Decimal | None, row: _Row) -> None:
    where = f"{change.sheet}!{change.reference}"
    _require(was is not None or KEEP not in (change.value, change.formula, change.style), f"{where} was not there")
    blank = _CellXml(0, "n", None, (), None, ())
    was = was or blank
    _require(now.others == (was.others if was.shown is not None else ()), f"{where} has an unplanned attribute")
    style = was.style if isinstance(change.style, Keep) else change.style
    _require(now.style == style, f"{where} has another format than planned")
    if isinstance(change.formula, Keep):
        same = (now.formula, now.formula_attributes) == (was.formula, was.formula_attributes)
        _require(same, f"the formula of {where} was changed")
    else:
        _require(
            now.formula == change.formula and not now.formula_attributes,
            f"the formula of {where} differs from the plan",
        )
    if by is not None:
        _require(isinstance(change.value, Keep), f"the plan sets and moves {where}")
        if was.number is None:
            _require((now.type, now.shown) == (was.type, was.shown), f"{where} shows another value")
        else:
            _require(now.number == was.number + by, f"{where} did not move by {by}")
    elif isinstance(change.value, Keep):
        _require((now.type, now.shown) == (was.type, was.shown), f"{where} shows another value")
    else:
        _require(_shows(now, change.value, date1904=row.date1904), f"{where} shows another value than planned")


def _shows(cell: _CellXml, value: Value, *, date1904: bool) -> bool:
    if value is None:
        return cell.shown is None and cell.type == "n"
    if isinstance(value, str):
        return cell.type == ("inlineStr" if cell.formula is None else "str") and cell.shown == value
    expected = Decimal(_serial(value, date1904=date1904)) if isinstance(value, date) else value
    return cell.number == expected


def _serial(day: date, *, date1904: bool) -> int:
    return (day - (date(1904, 1, 1) if date1904 else date(1899, 12, 30))).days


# A new month's sheet


def _check_new_sheet(old: _Package, new: _Package, plan: Plan, sheet: NewSheet) -> None:
    """The planned cells and no others; the rest as on the month it copies; its charts the same, of this sheet."""
    source = old.sheet_parts.get(sheet.like, "")
    _require(sheet.parts[0][0] == source, f"{sheet.name} is not a copy of {sheet.like}")
    before, after = _SheetXml.of(old.read(source), sheet.like), _SheetXml.of(new.read(sheet.part), sheet.name)
    _require(before.prefix == after.prefix, f"the rows of {sheet.name} were renamed")
    planned: dict[int, dict[str, CellChange]] = {}
    for change in sheet.cells:
        row = planned.setdefault(change.row, {})
        _require(change.sheet == sheet.name and change.column not in row, f"the plan gives {change.cell} twice")
        row[change.column] = change
    _require(planned.keys() <= set(after.numbers), f"a row of {sheet.name} is missing")
    for index, number in enumerate(after.numbers):
        chunk = after.chunk(index)
        _check_row(None, chunk, planned.get(number, {}), {}, _Row(sheet.name, number, after.prefix, new.date1904))
    _check_ranges(
        _comparable(before.head + before.tail, before.prefix),
        _comparable(after.head + after.tail, after.prefix),
        _pairs(plan, sheet.part),
        sheet.name,
    )
    selected = re.search(rb"\stabSelected\s*=\s*[\"'](1|true)", after.head)
    _require(selected is None, f"{sheet.name} would be selected together with another sheet")
    copies = dict(sheet.parts)
    for part, copy in sheet.parts:
        _check_copied_relations(old, new, part, copy, copies)
        if part != source:
            first, second = old.read(part), new.read(copy)
            same = first == second or _redirected(first, sheet.like, sheet.name) == second
            _require(same, f"{copy} is not the copy of {part} for {sheet.name}")


_OWN = ("sheetViews", "hyperlinks")


def _comparable(xml: bytes, prefix: bytes) -> bytes:
    """A sheet outside its rows, without what is each sheet's own: its view, used range, code name, links and notes."""
    p = re.escape(prefix)
    for tag in _OWN:
        name = p + tag.encode()
        xml = re.sub(rb"<" + name + rb"(?:\s[^>]*)?(?<!/)>.*?</" + name + rb">", b"", xml, flags=re.DOTALL)
    xml = re.sub(rb"<" + p + rb"(?:dimension|legacyDrawing)\s[^>]*/>", b"", xml)
    return re.sub(rb"\s(?:xr:uid|codeName)\s*=\s*\"[^\"]*\"", b"", xml)


def _redirected(xml: bytes, source: str, name: str) -> bytes:
    """A chart or drawing of one month without its stored figures, drawing from and naming another month."""
    xml = re.sub(rb"<(c:|)(numCache|strCache)>.*?</\1\2>", b"", xml, flags=re.DOTALL)
    for was, becomes in ((source, name), (source.capitalize(), name.capitalize())):
        xml = re.sub(rb"\b" + was.encode() + rb"\b", becomes.encode(), xml)
    return xml


def _check_copied_relations(old: _Package, new: _Package, part: str, copy: str, copies: Mapping[str, str]) -> None:
    dropped = ("/comments", "/vmlDrawing", "/threadedComment", "/hyperlink")
    before = {
        key: (kind, copies.get(target, target))
        for key, (kind, target) in old.relations(part).items()
        if not kind.endswith(dropped)
    }
    _require(before == new.relations(copy), f"{copy} does not lead to the same things as {part}")


# Money


def _effects(drafts: Iterable[Draft], mode: Mode, month: int = 12) -> Decimal:
    """What the drafts of a mode do to its balance up to the end of a month."""
    return sum(
        (draft.amount if draft.direction == "CREDIT" else -draft.amount)
        for draft in drafts
        if draft.mode == mode and draft.date.month <= month
    ) or Decimal(0)


def _check_money(plan: Plan, sheets: Mapping[str, tuple[_SheetXml, _SheetXml]]) -> None:
    """Balances, cards and running balances move by the drafts, to the paisa."""
    opened: dict[Mode, Decimal] = {}
    for opening in plan.openings:
        before, after = sheets[opening.sheet]
        reference = f"{opening.column}{opening.row}"
        shown = before.number(reference), after.number(reference)
        _require(
            shown == (opening.before, opening.after),
            f"the opening balance {opening.sheet}!{reference} is not as planned",
        )
        opened[opening.mode] = opening.after - (opening.before or Decimal(0))
    for mode in plan.balances_before.keys() | plan.balances_after.keys():
        moved = plan.balances_after.get(mode, Decimal(0)) - plan.balances_before.get(mode, Decimal(0))
        expected = _effects(plan.drafts, mode) + opened.get(mode, Decimal(0))
        _require(moved == expected, f"the {mode} balance does not move by the rows")
    for change in plan.cards:
        sheet, _, reference = change.card.cell.rpartition("!")
        sheet = sheet.strip("'").replace("''", "'")
        month = MONTHS.index(change.card.month) + 1 if change.card.month else 12
        expected = _effects(plan.drafts, change.card.mode, month) + opened.get(change.card.mode, Decimal(0))
        before, after = sheets[sheet]
        shown = before.number(reference), after.number(reference)
        _require(shown == (change.card.shows, change.after), f"the card {change.card.cell} is not as planned")
        _require(
            shown[0] is not None and shown[1] == shown[0] + expected,
            f"the card {change.card.cell} does not move by the rows",
        )
    _check_planned_rows(plan)
    _check_running(plan, sheets)


def _check_planned_rows(plan: Plan) -> None:
    """Every draft has its row, and the cells of that row say what the draft says."""
    _require([row.draft for row in plan.rows] == list(plan.drafts), "the planned rows are not the drafts")
    _require(len({(row.sheet, row.row) for row in plan.rows}) == len(plan.rows), "two drafts share a row")
    cells = {(cell.sheet, cell.row, cell.column): cell for cell in plan.cells}
    cells |= {(cell.sheet, cell.row, cell.column): cell for sheet in plan.new_sheets for cell in sheet.cells}
    for row in plan.rows:
        draft = row.draft
        month = MONTHS[draft.date.month - 1]
        cash = draft.mode in ("MONEY", "BANK")
        debit = draft.direction == "DEBIT"
        expected: dict[str, Value] = {
            "C": draft.date,
            "D": draft.stored_description,
            "E": draft.mode,
            "F": draft.amount if debit else None,
            "G": None if debit else draft.amount,
        }
        if cash:
            expected["B"] = month
        if row.last_column == "J":
            expected["J"] = draft.category
        _require(
            row.sheet == (CASH_TRACKER if cash else month),
            f"item {row.item} stands on another sheet than its mode says",
        )
        for column, value in expected.items():
            cell = cells.get((row.sheet, row.row, column))
            given = cell is not None and cell.value == value and cell.formula is None
            _require(given, f"{row.sheet}!{column}{row.row} is not what item {row.item} says")


def _check_running(plan: Plan, sheets: Mapping[str, tuple[_SheetXml, _SheetXml]]) -> None:
    """A new row's running balance is the one of the row above and its own amount."""
    for row in plan.rows:
        if row.sheet not in sheets:
            continue
        _, after = sheets[row.sheet]
        own = after.numbers.index(row.row) if row.row in after.numbers[-500:] else bisect_left(after.numbers, row.row)
        above = after.numbers[own - 1]
        for column, mode in RUNNING.get(row.sheet, RUNNING["month"]).items():
            earlier, now = after.number(f"{column}{above}"), after.number(f"{column}{row.row}")
            if earlier is not None and now is not None:
                effect = _effects([row.draft], mode)
                _require(
                    now == earlier + effect,
                    f"the running balance {row.sheet}!{column}{row.row} does not follow the row above",
                )


# The second reader


def _check_second_reader(
    data: bytes, package: _Package, plan: Plan, sheets: Mapping[str, tuple[_SheetXml, _SheetXml]]
) -> None:
    """Calamine sees every planned row with its values, and each card of the layout moved by the rows."""
    wanted = {row.sheet for row in plan.rows} | {sheet for sheet in sheets if sheet in MONTHS or sheet == "TERMINOLOGY"}
    if not wanted:
        return
    try:
        reader = CalamineWorkbook.from_filelike(io.BytesIO(data))
        _require(set(reader.sheet_names) == package.sheet_parts.keys(), "another reader sees other sheets")
        seen: dict[str, list[list[Any]]] = {}
        for name in sorted(wanted):
            xml = sheets[name][1] if name in sheets else _SheetXml.of(package.read(package.sheet_parts[name]), name)
            _check_extent(xml, name)
            seen[name] = reader.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise WriteRejected(f"another reader cannot open the new book: {error}") from error
    for row in plan.rows:
        _check_seen(row, seen[row.sheet], package)
    for name, rows in seen.items():
        if name in sheets:
            _check_labelled_cards(name, rows, plan, *sheets[name])


def _check_extent(sheet: _SheetXml, name: str) -> None:
    columns = set(re.findall(rb" r=\"([A-Z]{2,3})\d", sheet.xml)) | {b"Z"}
    widest = max(columns, key=lambda column: (len(column), column)).decode()
    width = 0
    for letter in widest:
        width = width * 26 + ord(letter) - 64
    height = sheet.numbers[-1] if sheet.numbers else 0
    _require(width * height <= SECOND_READER_CELLS, f"{name} has a cell too far out to be checked: {widest}{height}")


def _check_seen(planned: PlannedRow, rows: list[list[Any]], package: _Package) -> None:
    draft, sheet, number = planned.draft, planned.sheet, planned.row
    _require(number <= len(rows), f"another reader does not see row {number} of {sheet}")
    row = [*rows[number - 1], *[""] * 10][:10]
    month, day, description, mode, debit, credit = row[1:7]
    amount = float(draft.amount)
    seen_day = day.date() if isinstance(day, datetime) else day
    if isinstance(day, float):
        same_day = day == _serial(draft.date, date1904=package.date1904)
    else:
        same_day = seen_day == draft.date
    expected = (amount, "") if draft.direction == "DEBIT" else ("", amount)
    same = same_day and (description, mode) == (draft.stored_description, draft.mode) and (debit, credit) == expected
    if sheet == CASH_TRACKER:
        same = same and month == MONTHS[draft.date.month - 1]
    if planned.last_column == "J":
        same = same and row[9] == (draft.category or "")
    _require(same, f"another reader sees row {number} of {sheet} with other values")


def _check_labelled_cards(name: str, rows: list[list[Any]], plan: Plan, before: _SheetXml, after: _SheetXml) -> None:
    opened = {opening.mode: opening.after - (opening.before or Decimal(0)) for opening in plan.openings}
    month = MONTHS.index(name) + 1 if name in MONTHS else 12
    for sheet, label_cell, card_cell, label, mode in CARDS:
        if sheet != ("month" if name in MONTHS else name):
            continue
        column, number = _split(label_cell)
        row = rows[number - 1] if number <= len(rows) else []
        index = ord(column) - ord("A")
        if index >= len(row) or str(row[index]).strip().upper() != label:
            continue
        shown = before.number(card_cell), after.number(card_cell)
        if shown[0] is not None:
            expected = shown[0] + _effects(plan.drafts, mode, month) + opened.get(mode, Decimal(0))
            _require(shown[1] == expected, f"the card {name}!{card_cell} does not move by the rows")
