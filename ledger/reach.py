"""Ranges that end at a table's last row: what must reach further down when rows are added.

    validations, colour rules, filters ─┐
    Excel tables, names                 ├─ ends exactly at the last row? ──► RangeChange, or a formula that has grown
    charts, pivot tables                │
    formulas of any sheet              ─┘

After an append, `SUM(F6:F23)` would silently miss row 24. What ends elsewhere is nobody's business here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary
from xml.sax.saxutils import unescape

from ledger.changes import RangeChange
from ledger.entries import BookRefused, quoted
from ledger.formulas import Range, column_index, column_name, grown, ranges, shifted
from ledger.sheetxml import Sheet
from ledger.styles import attributes_of
from ledger.workbook import Workbook

MOST_SHARING = 20_000
"""cells of one shared formula that are looked through"""

_AREAS = re.compile(
    rb"<(?:\w+:)?(?:dataValidation|conditionalFormatting|ignoredError|protectedRange|autoFilter)\s[^>]*?\b(?:sqref|ref)=\"([^\"]*)\""
    rb"|<(?:\w+:)?sqref>([^<]*)</"
)
_RULES = re.compile(rb"<(?:\w+:)?(?:f|formula|formula1|formula2)>([^<]*)</")
_CHART_FORMULA = re.compile(rb"<(?:\w+:)?f>([^<]*)</")
# every range has a colon before its second corner, and colons are rare: this looks at few bytes
_CORNER = re.compile(rb":\s*\$?(?:[A-Za-z]{1,3}\$?)?([0-9]{1,7})(?![0-9])")
_CORNER_BEFORE = re.compile(rb"([0-9]{1,7})\s*$")
_MASTER = re.compile(rb"<(?:\w+:)?f\s(?=[^>]*t=\"shared\")[^>]*?\bref=\"([^\"]*)\"[^>]*>([^<]*:[^<]*)<")
_AREA = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d+)(?::(\$?)([A-Z]{1,3})(\$?)(\d+))?")


class Growth(NamedTuple):
    """A table that gets rows: its entries from `first` to `last`, to reach `new_last`; columns by number."""

    sheet: str
    first: int
    last: int
    new_last: int
    first_column: int
    last_column: int

    def covers(self, first_column: int, first_row: int, last_column: int, last_row: int) -> bool:
        """Whether an area ends at the table's last row, in its columns, and is one of several rows.

        It may end in blank rows below as well, which a deletion leaves, as long as the new rows reach beyond it.
        """
        several = first_row < last_row or (first_row == last_row == self.first and first_column == last_column)
        overlaps = first_column <= self.last_column and last_column >= self.first_column
        return self.last <= last_row < self.new_last and several and overlaps


# each begins with a fixed byte, so that a sheet is searched at the speed of memory
_INDIRECT = re.compile(rb"INDIRECT\(")
_TWICE = re.compile(rb":(?:'[^'<>]+'|\w+)!\$?[A-Z]")
_TEXT = re.compile(r'"([^"]*)"')
_TWICE_NAMED = re.compile(r"(\$?[A-Z]{1,3}\$?\d+):(?:'[^']*'|\w+)!")
"""`NOVEMBER!F6:NOVEMBER!F9`, with the sheet said at both ends"""


@dataclass(frozen=True)
class Reached:
    """What has to grow."""

    ranges: tuple[RangeChange, ...]
    formulas: Mapping[tuple[str, str, int], str]
    """the grown formula by sheet, column and row"""
    notes: tuple[str, ...]


_REACHED: WeakKeyDictionary[Workbook, dict[tuple[Growth, ...], Reached]] = WeakKeyDictionary()
_CORNERS: WeakKeyDictionary[Sheet, Mapping[int, Sequence[int]]] = WeakKeyDictionary()
_MASTERS: WeakKeyDictionary[Sheet, Sequence[re.Match[bytes]]] = WeakKeyDictionary()


def reaching(workbook: Workbook, growths: Sequence[Growth]) -> Reached:
    """All that ends at the last row of one of the tables. Raises BookRefused, naming the cell, for what cannot grow.

    Found once for the same rows of a book: a card is planned anew with every edit, and once more by the write.
    """
    known = _REACHED.setdefault(workbook, {})
    key = tuple(growths)
    if key not in known:
        known[key] = _reaching(workbook, key)
    return known[key]


def _reaching(workbook: Workbook, growths: Sequence[Growth]) -> Reached:
    by_sheet = {growth.sheet: growth for growth in growths if growth.last >= growth.first}
    changes: list[RangeChange] = []
    notes: list[str] = []
    for growth in growths:
        sheet = workbook.sheet(growth.sheet)
        changes += _dimension(sheet, growth)
        changes += _tables(workbook, sheet, growth)
    formulas: dict[tuple[str, str, int], str] = {}
    if by_sheet:
        for ref in workbook.sheets:
            try:
                sheet = workbook.sheet(ref.name)
            except KeyError:
                continue  # a chart sheet: its chart is looked at below
            changes += around(sheet, ref.part, by_sheet)
            formulas |= _cells(sheet, by_sheet)
            notes += _not_followed(sheet, by_sheet)
        changes += _names(workbook, by_sheet, notes)
        changes += _charts(workbook, by_sheet, notes)
        changes += _pivots(workbook, by_sheet, notes)
    for (name, column, row), formula in formulas.items():
        notes.append(f"The formula of {quoted(name)}!{column}{row} now covers the new row: ={formula}.")
    return Reached(tuple(dict.fromkeys(changes)), formulas, tuple(dict.fromkeys(notes)))


def around(sheet: Sheet, part: str, by_sheet: Mapping[str, Growth]) -> Iterator[RangeChange]:
    """The ranges outside a sheet's cells: of its validations, colour rules and filters, and those its rules name."""
    outside = sheet.xml[: sheet.data.start] + sheet.xml[sheet.data.end :]
    own = by_sheet.get(sheet.name)
    if own is not None:
        for match in _AREAS.finditer(outside):
            text = _plain(match[1] if match[1] is not None else match[2])
            after = " ".join(_grown_area(area, own) for area in text.split())
            if after != " ".join(text.split()):
                yield RangeChange(part, text, after, f"a range of {sheet.name}")
    for match in _RULES.finditer(outside):
        text = _plain(match[1])
        after = _grown_formula(text, sheet.name, by_sheet)
        if after != text:
            yield RangeChange(part, text, after, f"a rule of {sheet.name}")


def _plain(text: bytes) -> str:
    return unescape(text.decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})


def _grown_area(area: str, growth: Growth) -> str:
    match = _AREA.fullmatch(area)
    if match is None:
        return area
    first_column, first_row = column_index(match[2]), int(match[4])
    last_column, last_row = column_index(match[6] or match[2]), int(match[8] or match[4])
    if not growth.covers(first_column, first_row, last_column, last_row):
        return area
    return _down_to(match, growth.new_last)


def _down_to(area: re.Match[str], row: int) -> str:
    """An area with another last row."""
    first = f"{area[1]}{area[2]}{area[3]}{area[4]}"
    return f"{first}:{area[5] or ''}{area[6] or area[2]}{area[7] or ''}{row}"


def _grown_formula(
    formula: str, own_sheet: str, by_sheet: Mapping[str, Growth], own: tuple[str, int] | None = None
) -> str:
    """A formula whose ranges over the tables reach the new last row; `own` is the cell it stands in."""
    if ":" not in formula:
        return formula
    for growth in by_sheet.values():

        def wanted(found: Range, text: str = formula, growth: Growth = growth) -> bool:
            return _reaches(found, text, own_sheet, growth, own)

        if any(wanted(found) for found in ranges(formula)):
            formula = grown(formula, wanted, growth.new_last)
    return formula


def _reaches(found: Range, formula: str, own_sheet: str, growth: Growth, own: tuple[str, int] | None) -> bool:
    named = (own_sheet if found.sheet is None else found.sheet).casefold()
    if named != growth.sheet.casefold():
        if ":" in named and growth.covers(*found[1:5]):
            place = f"{quoted(own_sheet)}!{own[0]}{own[1]}" if own else own_sheet
            raise BookRefused(
                f"{place} sums over several sheets at once ({found.sheet}) down to row {found.last_row}, where a row "
                "would be added. Make that range longer in Excel first."
            )
        return False
    if not growth.covers(*found[1:5]):
        return False
    if own is None or own_sheet != growth.sheet:
        return True
    column, row = own
    in_table = growth.first_column <= column_index(column) <= growth.last_column and growth.first <= row <= growth.last
    running = row == growth.last and formula[found.start - 1] != "$"
    # a running sum over its own rows goes on in the next row instead
    return not in_table and not running


def _dimension(sheet: Sheet, growth: Growth) -> Iterator[RangeChange]:
    found = re.search(rb"<(?:\w+:)?dimension\s[^>]*?ref=\"([^\"]*)\"", sheet.xml[: sheet.data.start])
    match = _AREA.fullmatch(found[1].decode()) if found else None
    if found is None or match is None:
        return
    first_column, first_row = column_index(match[2]), int(match[4])
    last_column, last_row = column_index(match[6] or match[2]), int(match[8] or match[4])
    after = (
        f"{column_name(min(first_column, growth.first_column))}{min(first_row, growth.first)}:"
        f"{column_name(max(last_column, growth.last_column))}{max(last_row, growth.new_last)}"
    )
    if after != found[1].decode():
        yield RangeChange(sheet.part, found[1].decode(), after, f"the used range of {sheet.name}")


def _tables(workbook: Workbook, sheet: Sheet, growth: Growth) -> Iterator[RangeChange]:
    for relation in workbook.relations(sheet.part):
        if not relation.type.endswith("/table"):
            continue
        xml = workbook.part(relation.target)
        tag = re.search(rb"<(?:\w+:)?table\s[^>]*>", xml)
        attributes = attributes_of(tag[0]) if tag else {}
        name, area = attributes.get("displayName", "an Excel table"), _AREA.fullmatch(attributes.get("ref", ""))
        if area is None:
            continue
        columns = column_index(area[2]), column_index(area[6] or area[2])
        rows = int(area[4]), int(area[8] or area[4])
        if columns[0] > growth.last_column or columns[1] < growth.first_column or rows[1] < growth.last:
            continue
        place = f"{quoted(sheet.name)}!{attributes['ref']}"
        if rows[0] > growth.last:
            if rows[0] <= growth.new_last:
                raise BookRefused(
                    f"The Excel table {name} ({place}) stands where the new row would go. Move it in Excel first."
                )
            continue
        if attributes.get("totalsRowCount", "0") != "0":
            raise BookRefused(
                f"The Excel table {name} ({place}) has a total row under its last row. Switch the total row off in "
                "Excel (Table Design, Total Row), and add the row again."
            )
        if rows[1] < growth.new_last:
            after = _down_to(area, growth.new_last)
            yield RangeChange(relation.target, attributes["ref"], after, f"the table {name}")


def _cells(sheet: Sheet, by_sheet: Mapping[str, Growth]) -> dict[tuple[str, str, int], str]:
    """The formulas of a sheet's cells that have to grow."""
    found: dict[tuple[str, str, int], str] = {}
    looked: set[tuple[str, int]] = set()
    corners = _corners(sheet)
    ends = {row for growth in by_sheet.values() for row in range(growth.last, growth.new_last)}
    for corner in sorted({corner for row in ends for corner in corners.get(row, ())}):
        tag = sheet.xml.rfind(b"<", 0, corner)
        if not re.match(rb"<(?:\w+:)?f[\s>]", sheet.xml[tag : tag + 20]) or sheet.xml.find(b">", tag) > corner:
            continue
        address = _address_before(sheet, tag)
        if address is None or address in looked:
            continue
        looked.add(address)
        column, row = address
        cell = sheet.cells(row).get(column)
        if cell is None or not cell.formula:
            continue
        after = _grown_formula(cell.formula, sheet.name, by_sheet, address)
        if after != cell.formula:
            kind = cell.formula_attributes.get("t")
            if kind is not None:
                raise _cannot_grow(sheet, column, row, "an array" if kind == "array" else "a shared")
            found[sheet.name, column, row] = after
    _refuse_shared(sheet, by_sheet)
    return found


def _not_followed(sheet: Sheet, by_sheet: Mapping[str, Growth]) -> Iterator[str]:
    """Sentences for formulas whose range ends at the last row and is written where it is not made longer."""
    found = (match.start() for each in (_INDIRECT, _TWICE) for match in each.finditer(sheet.xml, *sheet.data))
    for at in sorted(found):
        start = sheet.xml.rfind(b"<", 0, at)
        address = _address_before(sheet, start)
        if address is None or not re.match(rb"<(?:\w+:)?f[\s>]", sheet.xml[start : start + 20]):
            continue
        cell = sheet.cells(address[1]).get(address[0])
        formula = cell.formula if cell is not None and cell.formula else ""
        written = _TEXT.findall(formula) if "INDIRECT(" in formula.upper() else []
        for text in (*written, _TWICE_NAMED.sub(r"\1:", formula)):
            if text != formula and _grown_formula(text, sheet.name, by_sheet) != text:
                yield (
                    f"The formula of {quoted(sheet.name)}!{address[0]}{address[1]} (={formula}) ends at the last row "
                    "in a way that is not followed, so it does not cover the new row. Change it in Excel."
                )
                break


def _corners(sheet: Sheet) -> Mapping[int, Sequence[int]]:
    """Where ranges stand in a sheet's cells, by the rows of their corners; found once for each sheet."""
    if sheet not in _CORNERS:
        found: dict[int, list[int]] = {}
        for match in _CORNER.finditer(sheet.xml, sheet.data.start, sheet.data.end):
            before = _CORNER_BEFORE.search(sheet.xml, match.start() - 8, match.start())
            for corner in (match, before) if before else (match,):  # a range may be written from its end up
                found.setdefault(int(corner[1]), []).append(match.start())
        _CORNERS[sheet] = found
    return _CORNERS[sheet]


def _masters(sheet: Sheet) -> Sequence[re.Match[bytes]]:
    """The shared formulas of a sheet that hold a range; found once for each sheet."""
    if sheet not in _MASTERS:
        start, end = sheet.data
        shared = b't="shared"' in sheet.xml
        _MASTERS[sheet] = tuple(_MASTER.finditer(sheet.xml, start, end)) if shared else ()
    return _MASTERS[sheet]


def _address_before(sheet: Sheet, at: int) -> tuple[str, int] | None:
    start = sheet.xml.rfind(b' r="', 0, at)
    match = re.match(rb' r="([A-Z]{1,3})(\d+)"', sheet.xml[start : start + 24])
    return (match[1].decode(), int(match[2])) if match else None


def _refuse_shared(sheet: Sheet, by_sheet: Mapping[str, Growth]) -> None:
    """A shared formula's followers have no text of their own: where one would have to grow, nothing is written."""
    for match in _masters(sheet):
        area, address = _AREA.fullmatch(match[1].decode()), _address_before(sheet, match.start())
        if area is None or address is None:
            continue
        columns = range(column_index(area[2]), column_index(area[6] or area[2]) + 1)
        rows = range(int(area[4]), int(area[8] or area[4]) + 1)
        if len(columns) * len(rows) > MOST_SHARING:
            raise _cannot_grow(sheet, *address, "a shared")
        formula = _plain(match[2])
        for row in rows:
            for column in columns:
                text = shifted(formula, rows=row - address[1], columns=column - column_index(address[0]))
                if _grown_formula(text, sheet.name, by_sheet, (column_name(column), row)) != text:
                    raise _cannot_grow(sheet, column_name(column), row, "a shared")


def _cannot_grow(sheet: Sheet, column: str, row: int, kind: str) -> BookRefused:
    return BookRefused(
        f"{quoted(sheet.name)}!{column}{row} holds {kind} formula over a range that ends at the last row, and would "
        "miss the new one. Make its range longer in Excel first."
    )


def _names(workbook: Workbook, by_sheet: Mapping[str, Growth], notes: list[str]) -> Iterator[RangeChange]:
    part = workbook.workbook_part
    for match in re.finditer(rb"<(?:\w+:)?definedName\s[^>]*>([^<]*)</", workbook.part(part)):
        text, name = _plain(match[1]), attributes_of(match[0]).get("name", "")
        after = _grown_formula(text, "", by_sheet)
        if after != text:
            yield RangeChange(part, text, after, f"the name {name}")
            if not name.startswith("_xlnm."):
                notes.append(f"The name {name} now covers the new row: {after}.")


def _charts(workbook: Workbook, by_sheet: Mapping[str, Growth], notes: list[str]) -> Iterator[RangeChange]:
    for part in workbook.part_names:
        if "/charts/" not in part or not part.endswith(".xml"):
            continue
        for match in _CHART_FORMULA.finditer(workbook.part(part)):
            text = _plain(match[1])
            after = _grown_formula(text, "", by_sheet)
            if after != text:
                yield RangeChange(part, text, after, f"a chart that draws {text}")
                notes.append(f"A chart that drew {text} now draws {after}.")


def _pivots(workbook: Workbook, by_sheet: Mapping[str, Growth], notes: list[str]) -> Iterator[RangeChange]:
    for part in workbook.part_names:
        if "pivotCacheDefinition" not in part or not part.endswith(".xml"):
            continue
        for match in re.finditer(rb"<(?:\w+:)?worksheetSource\s[^>]*>", workbook.part(part)):
            attributes = attributes_of(match[0])
            growth = by_sheet.get(attributes.get("sheet", ""))
            before = attributes.get("ref", "")
            after = _grown_area(before, growth) if growth else before
            if growth and after != before:
                yield RangeChange(part, before, after, f"a pivot table over {growth.sheet}")
                notes.append(
                    f"A pivot table over {quoted(growth.sheet)}!{before} now covers the new row; refresh it in Excel."
                )
