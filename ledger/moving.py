"""What keeps a table's rows where they are: whatever is tied to a row and would not move with what it holds.

    notes beside a row, comments, links, pictures, merged cells, hidden rows, sums inside the table ─┐
    formulas, names, charts, pivots, colour rules over some but not all of the rows that would move ─┼─► Obstacle
    amounts that are formulas over other cells, running balances written in some other way          ─┘

Rows are never shifted: where there is no obstacle, what the rows hold moves within the table.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary
from xml.sax.saxutils import unescape

from ledger.entries import MONTHS, quoted
from ledger.formulas import Area, areas, column_index, column_name, shifted
from ledger.ground import CASH, Ground, Table
from ledger.sheetxml import Sheet
from ledger.styles import attributes_of

MOST_SHARING = 20_000
"""cells of one shared formula that are looked through"""

_FOREIGN = re.compile(rb'<(?:\w+:)?c r="(A|B|[K-Z]|[A-Z]{2,3})([0-9]+)"')
_ANY = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]+)"')
_FORMULA = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]+)"[^>]*><(?:\w+:)?f((?:\s[^>]*?)?)(?:/>|>([^<]*)<)')
_REFERENCE = re.compile(
    rb'<(?:\w+:)?(?:comment|threadedComment|hyperlink)\s[^>]*?\bref="([A-Z]+)(\d+)(?::[A-Z]+(\d+))?"'
)
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*\bref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_COLOURED = re.compile(
    rb"<(?:\w+:)?conditionalFormatting\s[^>]*?\bsqref=\"([^\"]*)\""
    rb"|<(?:\w+:)?conditionalFormatting(?:\s[^>]*)?>(?:(?!</(?:\w+:)?conditionalFormatting>).)*?<(?:\w+:)?sqref>([^<]*)</",
    re.DOTALL,
)
_RULES = re.compile(rb"<(?:\w+:)?(?:f|formula|formula1|formula2)>([^<]*)</")
_FROM = re.compile(
    rb"<(?:\w+:)?from>\s*<(?:\w+:)?col>(\d+)</.*?<(?:\w+:)?row>(\d+)</.*?</(?:\w+:)?from>"
    rb"(?:\s*<(?:\w+:)?to>\s*<(?:\w+:)?col>\d+</.*?<(?:\w+:)?row>(\d+)</)?",
    re.DOTALL,
)
_HIDDEN = re.compile(rb"\s(?:hidden|collapsed)=\"(?:1|true)\"")


@dataclass(frozen=True)
class Obstacle:
    """Why rows cannot move: the cell or thing it is about, and what a person can do."""

    why: str
    """`NOVEMBER!M8 stands beside a row that would move`"""
    remedy: str
    """`Move it in Excel to a place beside no entry`"""


@dataclass(frozen=True)
class Stretch:
    """The rows of a table whose content would move: from `first` to `last`, both included."""

    table: Table
    first: int
    last: int

    def meets(self, first: int, last: int) -> bool:
        """Whether rows overlap it."""
        return first <= self.last and last >= self.first

    def within_columns(self, first: int, last: int) -> bool:
        """Whether columns, by number, overlap the table's."""
        columns = self.table.columns
        return first <= column_index(columns[-1]) and last >= column_index(columns[0])

    def tears(self, area: Area) -> bool:
        """Whether an area is over some of the rows that would move and not over all, or over one cell of them."""
        if not self.within_columns(area.first_column, area.last_column) or not self.meets(
            area.first_row, area.last_row
        ):
            return False
        return area.single or not (area.first_row <= self.first and area.last_row >= self.last)


def in_the_way(ground: Ground, stretch: Stretch) -> Obstacle | None:
    """The first thing found that keeps these rows where they are, or None."""
    if stretch.first > stretch.last:
        return None
    looks = (_own_rows, _beside, _anchored, _around, _parts, _formulas)
    return next((found for look in looks for found in look(ground, stretch)), None)


def _own_rows(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Hidden rows, rows that are no entries, formulas in the amounts, columns of formulas beside."""
    table = stretch.table
    sheet = table.sheet
    if table.calculated:
        cell = table.cell(table.calculated[0], stretch.last)
        yield Obstacle(f"{cell} and the formulas above it stand beside rows that would move", "Take that column away")
    entries = ground.entries_by_row(table.name)
    for row in range(stretch.first, stretch.last + 1):
        span = sheet.rows.get(row)
        if span is None:
            continue
        if _HIDDEN.search(sheet.xml, span.start, sheet.xml.index(b">", span.start)):
            yield Obstacle(f"row {row} of {table.name} is hidden", "Show the hidden rows in Excel")
        if row not in entries:
            used = [c for c in sheet.cells(row).values() if c.column in table.columns and c.column not in table.running]
            held = next((c for c in used if c.raw or c.formula is not None), None)
            if held is not None:
                yield Obstacle(
                    f"{table.cell(held.column, row)} is in a row that is no entry", "Move or mend that row in Excel"
                )
    yield from _formulas_within(table, stretch)


def _formulas_within(table: Table, stretch: Stretch) -> Iterator[Obstacle]:
    """Formulas of the table's own cells: running balances all alike, amounts over no other cell."""
    sheet = table.sheet
    expected: dict[str, _Alike] = {}
    first = next((row for row in sheet.rows if row >= stretch.first), None)
    start = sheet.rows[first].start if first is not None else sheet.data.end
    for match in _FORMULA.finditer(sheet.xml, start, sheet.data.end):
        column, row = match[1].decode(), int(match[2])
        if row > stretch.last:
            break
        if column not in table.columns:
            continue
        place = table.cell(column, row)
        kind = attributes_of(b"<f" + match[3] + b">").get("t") if match[3] else None
        if column not in table.running:
            text = _plain(match[4] or b"")
            if kind is not None or areas(text):
                yield Obstacle(f"{place} is a formula over other cells", "Type the amount there as a number")
            continue
        if kind not in (None, "shared"):
            yield Obstacle(f"{place} is an array formula", "Type an ordinary formula there in Excel")
        if match[4] is None:
            continue  # a follower of a shared formula, which is alike by what sharing means
        text = _plain(match[4])
        alike = expected.get(column)
        if alike is None:
            alike = expected[column] = _Alike(text, row)
        if not alike.holds(text, row):
            yield Obstacle(
                f"the running balance {place} is written in another way than that of row {alike.row}",
                "Copy the formula of the row above into it in Excel",
            )


class _Alike:
    """A formula, as it reads in other rows of its column."""

    def __init__(self, text: str, row: int) -> None:
        self.row = row
        self._pieces = re.split(r"(?<=[A-Z])(\d+)", text)
        self._plain = shifted(text, rows=1) == self._written(row + 1)
        self._text = text

    def _written(self, row: int) -> str:
        pieces = [*self._pieces]
        pieces[1::2] = [str(int(number) + row - self.row) for number in self._pieces[1::2]]
        return "".join(pieces)

    def holds(self, text: str, row: int) -> bool:
        """Whether this is the formula filled down, or up, to that row."""
        return text == (self._written(row) if self._plain else shifted(self._text, rows=row - self.row))


def _beside(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Cells of the reader's own beside the rows, the layout's own panel left out."""
    table = stretch.table
    sheet = table.sheet
    first = next((row for row in sheet.rows if row >= stretch.first), None)
    if first is None:
        return
    # the rows of another table beside this one are tied to nothing here
    others = {column for each in ground.book.tables if each.sheet == table.name for column in each.columns}
    pattern = _ANY if ground.book.tables else _FOREIGN
    for match in pattern.finditer(sheet.xml, sheet.rows[first].start, sheet.data.end):
        column, row = match[1].decode(), int(match[2])
        if row > stretch.last:
            return
        if column in table.columns or _in_panel(ground, table, column, row) or column in others:
            continue
        cell = sheet.cells(row).get(column)
        if cell is not None and (cell.raw or cell.formula is not None):
            yield Obstacle(
                f"{table.cell(column, row)} stands beside a row that would move",
                "Move it in Excel to a place beside no entry",
            )


def _in_panel(ground: Ground, table: Table, column: str, row: int) -> bool:
    """Whether a cell belongs to a month's own panel: balances K4 to L9, legend K10 to M22, totals in K and L below."""
    if table.layout is CASH or table.name not in MONTHS or ground.book.tables:
        return False
    if column in ("K", "L"):
        return row < 23 or row <= max(ground.totals(table.name).values(), default=22)
    return column == "M" and 10 <= row <= 22


def _anchored(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Comments, links, merged cells, pictures and controls tied to cells of the rows."""
    table, workbook = stretch.table, ground.workbook
    outside = table.sheet.xml[table.sheet.data.end :]
    related = [relation for relation in workbook.relations(table.sheet.part) if not relation.external]
    comments = [each.target for each in related if each.type.endswith(("/comments", "/threadedComment"))]
    for xml, what in ((outside, "a link"), *((workbook.part(part), "a comment") for part in comments)):
        for match in _REFERENCE.finditer(xml):
            column, first, last = match[1].decode(), int(match[2]), int(match[3] or match[2])
            if stretch.meets(first, last) and not _in_panel(ground, table, column, first):
                yield Obstacle(
                    f"{table.cell(column, first)} has {what}, which would not move with its row",
                    f"Take {what} off in Excel",
                )
    for match in _MERGE.finditer(outside):
        columns = column_index(match[1].decode()), column_index(match[3].decode())
        if stretch.meets(int(match[2]), int(match[4])) and stretch.within_columns(*columns):
            yield Obstacle(f"{table.cell(match[1].decode(), int(match[2]))} is merged", "Unmerge it in Excel")
    drawings = [each.target for each in related if each.type.endswith("/drawing")]
    for xml in (outside, *(workbook.part(part) for part in drawings if part in workbook.part_names)):
        for match in _FROM.finditer(xml):
            column, first = int(match[1]) + 1, int(match[2]) + 1
            last = int(match[3]) + 1 if match[3] else first
            if stretch.meets(first, last) and stretch.within_columns(column, column):
                cell = table.cell(column_name(column), first)
                yield Obstacle(f"a picture or control lies on {cell}", "Move it beside the table in Excel")


def _around(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Colour rules for some of the rows, and rules that refer to some. A list a cell offers is tied to no entry."""
    table = stretch.table
    outside = table.sheet.xml[: table.sheet.data.start] + table.sheet.xml[table.sheet.data.end :]
    for match in _COLOURED.finditer(outside):
        for text in _plain(match[1] if match[1] is not None else match[2]).split():
            if any(stretch.tears(area) for area in areas(text)):
                yield Obstacle(
                    f"a colour rule of {table.name} is for {text}, some of the rows that would move",
                    "Make it a rule for the whole column in Excel",
                )
    for name in ground.workbook_sheets:
        sheet = ground.workbook.sheet(name)
        rules = sheet.xml[: sheet.data.start] + sheet.xml[sheet.data.end :]
        for match in _RULES.finditer(rules):
            # a single cell in a rule is the first of those it is for, and goes along with each
            yield from _torn(_plain(match[1]), name, stretch, f"a rule of {name}", single=False)


def _parts(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Excel tables, names, charts and pivot tables over some of the rows."""
    workbook, table = ground.workbook, stretch.table
    for relation in workbook.relations(table.sheet.part):
        if relation.type.endswith("/table") and relation.target in workbook.part_names:
            tag = re.search(rb"<(?:\w+:)?table\s[^>]*>", workbook.part(relation.target))
            attributes = attributes_of(tag[0]) if tag else {}
            if any(stretch.tears(area) for area in areas(attributes.get("ref", ""))):
                name = attributes.get("displayName", "")
                yield Obstacle(f"the Excel table {name} holds only some of the rows", "Make it as long as the entries")
    for match in re.finditer(rb"<(?:\w+:)?definedName\s[^>]*>([^<]*)</", workbook.part(workbook.workbook_part)):
        name = attributes_of(match[0]).get("name", "")
        if not name.startswith("_xlnm."):
            yield from _torn(_plain(match[1]), "", stretch, f"the name {name}")
    for part in workbook.part_names:
        if "/charts/" in part and part.endswith(".xml"):
            for match in re.finditer(rb"<(?:\w+:)?f>([^<]*)</", workbook.part(part)):
                yield from _torn(_plain(match[1]), "", stretch, f"a chart that draws {_plain(match[1])}")
        elif "pivotCacheDefinition" in part and part.endswith(".xml"):
            for match in re.finditer(rb"<(?:\w+:)?worksheetSource\s[^>]*>", workbook.part(part)):
                attributes = attributes_of(match[0])
                text = f"{quoted(attributes.get('sheet', ''))}!{attributes.get('ref', '')}"
                yield from _torn(text, "", stretch, f"a pivot table over {text}")


def _formulas(ground: Ground, stretch: Stretch) -> Iterator[Obstacle]:
    """Formulas of any cell outside the running balances."""
    for name in ground.workbook_sheets:
        sheet = ground.workbook.sheet(name)
        own = name == stretch.table.name
        for column, row, text in _formulas_of(sheet, own_layout=not ground.book.tables):
            if own and row >= stretch.table.layout.opening and column in stretch.table.running:
                continue
            yield from _torn(text, name, stretch, f"{quoted(name)}!{column}{row}")


_FORMULAS: WeakKeyDictionary[Sheet, tuple[tuple[str, int, str], ...]] = WeakKeyDictionary()


def _formulas_of(sheet: Sheet, *, own_layout: bool) -> tuple[tuple[str, int, str], ...]:
    """The formulas of a sheet, running ones of its own rows apart; shared ones written out. Found once for a sheet."""
    if sheet not in _FORMULAS:
        ledger = own_layout and (sheet.name in MONTHS or sheet.name == "CASH TRACKER")
        found: list[tuple[str, int, str]] = []
        for match in _FORMULA.finditer(sheet.xml, *sheet.data):
            if ledger and match[1] in (b"H", b"I") and b"!" not in (match[4] or b""):
                continue
            found += _written_out(match)
        _FORMULAS[sheet] = tuple(found)
    return _FORMULAS[sheet]


def _written_out(match: re.Match[bytes]) -> Iterator[tuple[str, int, str]]:
    column, row, text = match[1].decode(), int(match[2]), _plain(match[4] or b"")
    yield column, row, text
    attributes = attributes_of(b"<f" + match[3] + b">") if match[3] else {}
    if attributes.get("t") != "shared" or not text:
        return
    for area in areas(attributes.get("ref", "")):
        for below in range(area.first_row, min(area.last_row, area.first_row + MOST_SHARING) + 1):
            for beside in range(area.first_column, area.last_column + 1):
                moved = shifted(text, rows=below - row, columns=beside - column_index(column))
                yield column_name(beside), below, moved


def _torn(text: str, own_sheet: str, stretch: Stretch, what: str, *, single: bool = True) -> Iterator[Obstacle]:
    if own_sheet != stretch.table.name and "!" not in text:
        return
    for area in _areas(text):
        if area.single and not single:
            continue
        named = own_sheet if area.sheet is None else area.sheet
        first, _, last = named.casefold().partition(":")
        if stretch.table.name.casefold() in (first, last) and stretch.tears(area):
            yield Obstacle(
                f"{what} refers to some of the rows that would move, not to all",
                "Let it cover the whole column in Excel",
            )
            return


@lru_cache(maxsize=4096)
def _areas(text: str) -> tuple[Area, ...]:
    return areas(text)


def _plain(text: bytes) -> str:
    return unescape(text.decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})
