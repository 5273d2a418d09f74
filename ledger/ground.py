"""What a write needs to know of a book before it is planned: where its tables end, how its rows look, what was spent.

Found when first asked for and kept for the books last read, so that planning on a book already read takes milliseconds.
"""

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from ledger.entries import CASH_TRACKER, MONTHS, Book, BookRefused, Entry, Mode, quoted
from ledger.formulas import column_index, column_name, shifted
from ledger.layout import CASH_MODES, MONTH_MODES
from ledger.sheetxml import Cell, Sheet
from ledger.styles import Styles
from ledger.workbook import Workbook

LOOKED_BACK = 40
"""rows above the last one that are looked through for a row of the wanted colour"""


@dataclass(frozen=True)
class Layout:
    """Where a ledger sheet's table stands (BEHAVIOUR: the workbook)."""

    header: int
    first: str
    """its first column"""
    running: Mapping[str, Mode]
    """the columns of running balances"""

    @property
    def opening(self) -> int:
        """The row of the opening balance; entries stand below it."""
        return self.header + 1


MONTH = Layout(4, "C", dict(zip("HI", MONTH_MODES, strict=True)))
CASH = Layout(10, "B", dict(zip("HI", CASH_MODES, strict=True)))


def layout_of(sheet: str) -> Layout:
    """The layout of a month's sheet or of CASH TRACKER."""
    return CASH if sheet == CASH_TRACKER else MONTH


@dataclass(frozen=True)
class Table:
    """A sheet's rows of entries, and where the next one goes."""

    sheet: Sheet
    layout: Layout
    last: int
    """the last row that is used; the opening row while there are no entries"""
    last_column: str
    """J, the category's; I in a book without one"""
    calculated: tuple[str, ...] = ()
    """columns beyond it whose formulas every row carries"""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of an entry, from the first to the last."""
        return columns_between(self.layout.first, self.last_column)

    @property
    def running(self) -> Mapping[str, Mode]:
        """The columns of running balances."""
        return self.layout.running

    @cached_property
    def typed_columns(self) -> tuple[str, ...]:
        """The columns of what a row says, those of running balances left out: what moves with an entry."""
        return tuple(column for column in self.columns if column not in self.layout.running)

    @property
    def name(self) -> str:
        """The sheet's name."""
        return self.sheet.name

    @property
    def empty(self) -> bool:
        """Whether there is no entry yet."""
        return self.last <= self.layout.opening

    def cell(self, column: str, row: int) -> str:
        """`NOVEMBER!H24`."""
        return f"{quoted(self.name)}!{column}{row}"

    @cached_property
    def rows_up(self) -> tuple[dict[str, Cell], ...]:
        """The cells of the last rows of entries, from the last one up."""
        return tuple(map(self.sheet.cells, range(self.last, max(self.layout.opening, self.last - LOOKED_BACK), -1)))


class Ground:
    """A book as it stands before a write."""

    def __init__(self, workbook: Workbook, book: Book) -> None:
        self.workbook = workbook
        self.book = book
        self.last_entries: dict[str, Entry] = {}
        """the lowest entry of each sheet"""
        self.spent: dict[tuple[int, str], Decimal] = {}
        """debits less credits by month (1 to 12) and category in small letters"""
        self.moved: dict[tuple[Mode, str], Decimal] = {}
        """credits less debits by mode and sheet"""
        for entry in book.entries:
            self.last_entries[entry.sheet] = entry
            place = (entry.mode, entry.sheet)
            effect = entry.amount if entry.direction == "CREDIT" else -entry.amount
            self.moved[place] = self.moved.get(place, Decimal(0)) + effect
            if entry.category:
                key = (entry.date.month, entry.category.casefold())
                self.spent[key] = self.spent.get(key, Decimal(0)) - effect
        self._by_row: dict[str, Mapping[int, Entry]] = {}
        self._tables: dict[str, Table] = {}
        self._totals: dict[str, dict[str, int]] = {}

    @staticmethod
    def of(workbook: Workbook, book: Book) -> "Ground":
        """The ground of a book, kept from the last time it was asked for."""
        for ground in _KEPT:
            if ground.workbook is workbook and ground.book is book:
                return ground
        ground = Ground(workbook, book)
        _KEPT.append(ground)
        return ground

    @cached_property
    def styles(self) -> Styles:
        """The cell formats of the book."""
        part = next(
            (
                each.target
                for each in self.workbook.relations(self.workbook.workbook_part)
                if each.type.endswith("/styles")
            ),
            None,
        )
        if part is None:
            raise BookRefused(f"{self.workbook.name} has no cell formats. Open it in Excel and save it again.")
        return Styles(self.workbook.part(part), self.workbook.name)

    def entries_by_row(self, name: str) -> Mapping[int, Entry]:
        """The entries of a sheet by their row."""
        if name not in self._by_row:
            self._by_row[name] = {entry.row: entry for entry in self.book.entries if entry.sheet == name}
        return self._by_row[name]

    @cached_property
    def workbook_sheets(self) -> tuple[str, ...]:
        """The names of the sheets that have cells: chart sheets have none."""
        found = []
        for ref in self.workbook.sheets:
            try:
                self.workbook.sheet(ref.name)
            except KeyError:
                continue
            found.append(ref.name)
        return tuple(found)

    @cached_property
    def lowest_issues(self) -> Mapping[str, int]:
        """The lowest row with an issue on each sheet; the row is there although it could not be read.

        A row that holds nothing but a text is a note, not a row of the table.
        """
        found: dict[str, int] = {}
        for issue in (*self.book.issues, *self.book.ignored):
            name, _, row = split_cell(issue.cell)
            if row > found.get(name, 0):
                sheet = self.workbook.sheet(name)
                cells = sheet.cells(row)
                if any(sheet.value(cells.get(column)) is not None for column in "CEFG"):
                    found[name] = row
        return found

    @cached_property
    def daily(self) -> Mapping[Mode, Mapping[int, Decimal]]:
        """What each day of the year (its ordinal) did to each mode's balance."""
        found: dict[Mode, dict[int, Decimal]] = {}
        for entry in self.book.entries:
            days = found.setdefault(entry.mode, {})
            day = entry.date.toordinal()
            amount = entry.amount if entry.direction == "CREDIT" else -entry.amount
            days[day] = days.get(day, Decimal(0)) + amount
        return found

    def month_before(self, month: str, months: tuple[str, ...]) -> str | None:
        """The latest of `months` before `month`."""
        earlier = [each for each in months if MONTHS.index(each) < MONTHS.index(month)]
        return max(earlier, key=MONTHS.index, default=None)

    def writable(self, name: str) -> Sheet:
        """A sheet whose cells can be changed in place; refused when its XML could not be told apart exactly."""
        sheet = self.workbook.sheet(name)
        if not sheet.regular:
            raise BookRefused(
                f"The sheet {name} of {self.workbook.name} is written in an unusual way (comments or odd marks in it), "
                "so it cannot be changed safely. Open the book in Excel and save it once."
            )
        return sheet

    def table(self, name: str) -> Table:
        """Where a sheet's entries end. Raises BookRefused when the sheet cannot be changed in place."""
        if name not in self._tables:
            layout = layout_of(name)
            sheet = self.writable(name)
            entry = self.last_entries.get(name)
            last = max(layout.opening, entry.row if entry else 0, self.lowest_issues.get(name, 0))
            label = sheet.value(sheet.cells(layout.header).get("J"))
            last_column = "J" if isinstance(label, str) and label.strip().casefold() == "category" else "I"
            calculated = self._calculated(sheet, layout, last, last_column)
            self._tables[name] = Table(sheet, layout, last, last_column, calculated)
        return self._tables[name]

    def last_balance(self, name: str, column: str) -> int:
        """The lowest row that shows a running balance: below the last entry where formulas were filled down ahead."""
        table = self.table(name)
        ahead = reversed(table.sheet.rows_below(table.last))
        shown = (row for row in ahead if isinstance(table.sheet.value(table.sheet.cells(row).get(column)), Decimal))
        return next(shown, table.last)

    def _calculated(self, sheet: Sheet, layout: Layout, last: int, last_column: str) -> tuple[str, ...]:
        """Headed columns of CASH TRACKER beyond its last in which the last entry carries a formula."""
        if layout is not CASH or last <= layout.opening:
            return ()
        heads, above = sheet.cells(layout.header), sheet.cells(last)
        found = []
        index = column_index(last_column) + 1
        while (column := column_name(index)) in heads and sheet.value(heads[column]) is not None:
            if column in above and above[column].formula is not None:
                found.append(column)
            index += 1
        return tuple(found)

    def totals(self, month: str) -> Mapping[str, int]:
        """The rows of a month's block of totals (columns K and L) by category in small letters."""
        if month not in self._totals:
            sheet = self.workbook.sheet(month)
            found: dict[str, int] = {}
            for match in re.finditer(rb'[\s:]r="L(\d+)"', sheet.xml):
                row = int(match[1])
                cells = sheet.cells(row)
                label, total = sheet.value(cells.get("K")), cells.get("L")
                if isinstance(label, str) and total is not None and total.formula:
                    text = total.formula.replace("$", "").upper().replace(" ", "")
                    if text.startswith(f"SUMIFS(F:F,J:J,K{row})-SUMIFS(G:G,J:J,K{row})"):
                        found.setdefault(label.strip().casefold(), row)
            self._totals[month] = found
        return self._totals[month]

    def formula_of(self, sheet: Sheet, cell: Cell) -> str:
        """The formula text of a cell, a shared one written out. Raises BookRefused for an array formula."""
        if cell.formula_attributes.get("t") in ("array", "dataTable"):
            raise BookRefused(
                f"{quoted(sheet.name)}!{cell.column}{cell.row} holds an array formula, which a new row cannot "
                "continue. Type an ordinary formula there in Excel, or fill the row by hand."
            )
        if cell.formula or cell.formula_attributes.get("t") != "shared":
            return cell.formula or ""
        number = cell.formula_attributes.get("si", "")
        for match in re.finditer(rb'<(?:\w+:)?f\s[^>]*si="' + number.encode() + rb'"[^>]*(?<!/)>', sheet.xml):
            at = sheet.xml.rfind(b' r="', 0, match.start())
            address = re.match(rb' r="([A-Z]+)(\d+)"', sheet.xml[at : at + 24])
            if address:
                source = sheet.cells(int(address[2])).get(address[1].decode())
                if source is not None and source.formula:
                    columns = column_index(cell.column) - column_index(source.column)
                    return shifted(source.formula, rows=cell.row - source.row, columns=columns)
        raise BookRefused(f"{quoted(sheet.name)}!{cell.column}{cell.row} shares a formula that is not in the file.")


_KEPT: deque[Ground] = deque(maxlen=2)


def open_sheet(ground: Ground, name: str) -> Sheet:
    """A sheet that rows can be written on. Raises BookRefused for one that is hidden, protected or written oddly."""
    ref = next(ref for ref in ground.workbook.sheets if ref.name == name)
    if ref.state != "visible":
        raise BookRefused(f"The sheet {name} is hidden. Show it in Excel (right-click a sheet's tab, Unhide) first.")
    sheet = ground.writable(name)
    around = sheet.xml[: sheet.data.start] + sheet.xml[sheet.data.end :]
    if re.search(rb"<(?:\w+:)?sheetProtection\s[^>]*\bsheet=\"(?:1|true)\"", around):
        raise BookRefused(f"The sheet {name} is protected. Take the protection off in Excel (Review, Unprotect Sheet).")
    return sheet


def columns_between(first: str, last: str) -> tuple[str, ...]:
    """The column letters from `first` to `last`, both included."""
    return tuple(map(column_name, range(column_index(first), column_index(last) + 1)))


def split_cell(cell: str) -> tuple[str, str, int]:
    """The sheet, column and row of `'CASH TRACKER'!D5`."""
    sheet, _, reference = cell.rpartition("!")
    if sheet.startswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    column = reference.rstrip("0123456789")
    return sheet, column, int(reference[len(column) :] or 0)
