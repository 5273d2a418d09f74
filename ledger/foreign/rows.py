"""The rows of one table of a person's own, read strictly: entries, issues by cell, and what was passed by.

A total's row is no entry, whether its label or a formula over its own column says so. A row with neither day nor
amount is a note. Everything else is an entry or an issue.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from ledger.cell_values import MODE_SPELLINGS, NOTHING, Unread, read_amount, read_mode, read_number, shown
from ledger.entries import GROUPS, Difference, Direction, Entry, Group, Issue, Mode, Place, Role, Table, quoted, tags_of
from ledger.foreign.captions import Captions
from ledger.foreign.days import column_day
from ledger.foreign.layouts import direction_of, is_opening, is_total, plain_caption
from ledger.sheetxml import Cell, Sheet, Value, column_number
from ledger.workbook import Workbook

MONEY: tuple[Role, ...] = ("amount", "debit", "credit")
LONGEST_AMOUNT = 60
"""letters; a longer text is no amount, and no pattern is tried on it"""

_SUMS = re.compile(r"\s*(?:SUM|SUBTOTAL|SUMIFS?|AGGREGATE)\s*\(", re.IGNORECASE)
_OF_TABLE = re.compile(r"\[(?!\d+\])")
"""a table's column, as in `SUM(Table1[Amount])`, and no other file, as in `[1]Sheet1!A1`"""
_TOTAL_FIRST = re.compile(r"(?:grand |sub ?|net )?totals?\b")
_SIDE = re.compile(r"(.*\d.*?)\s*(?:\(\s*(dr|cr)\.?\s*\)|\b(dr|cr)\.?|(?<=\d)(dr|cr)\.?)\s*", re.IGNORECASE)
"""`250.00 Dr`, `9,750.00(Cr)`"""
_PAISE = re.compile(r"\.\d\d\D*$")
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row\b(?=[^>]*\bhidden=["\'](?:1|true)["\'])[^>]*?\br=["\'](\d+)["\']')
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_TRANSFERS = ("transfer", "transfers", "self transfer", "own transfer", "internal transfer")
_UNKNOWN_MODE: Mode = "BANK"
"""stands in for a mode nobody has named yet, in rows that are only shown"""


@dataclass(frozen=True)
class Stated:
    """A balance the table itself states."""

    cell: str
    amount: Decimal


@dataclass
class Rows:
    """What the rows of a table came to."""

    entries: list[Entry] = field(default_factory=list)
    stated: list[Stated | None] = field(default_factory=list)
    """beside each entry, the balance its row states"""
    opening: Stated | None = None
    """the balance brought forward, from a row that says so"""
    issues: list[Issue] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)
    """cells of rows that sum up"""
    notes: list[str] = field(default_factory=list)
    """cells of rows with neither day nor amount"""
    hidden: int = 0
    """entries in hidden rows"""


def read_rows(workbook: Workbook, table: Table, limit: int | None = None) -> Rows:
    """The table's rows; of a table whose mode is not known yet, with any mode. At most `limit` entries."""
    reader = _Reader(workbook, table)
    hidden = hidden_rows(reader.sheet)
    rows = reader.rows
    for row, cells in table_rows(reader.sheet, table):
        before = len(rows.entries)
        reader.read(row, cells)
        if len(rows.entries) > before and row in hidden:
            rows.hidden += 1
        if limit is not None and len(rows.entries) >= limit:
            break
    return rows


def table_rows(sheet: Sheet, table: Table) -> Iterator[tuple[int, Mapping[str, Cell]]]:
    """The rows below the captions that can be the table's own."""
    for row, cells in sheet.iterate():
        if row > table.header[1] and (table.until is None or row <= table.until):
            yield row, cells


def hidden_rows(sheet: Sheet) -> frozenset[int]:
    """The numbers of the rows that are not shown."""
    return frozenset(int(number) for number in _HIDDEN_ROW.findall(sheet.xml))


def mode_of(value: Value, words: Mapping[str, Mode]) -> Mode | Unread:
    """The mode a cell names: by its spelling, by what was said of its word, or by the one mode among its words."""
    said = words.get(" ".join(shown(value).split()).casefold())
    mode = said or read_mode(value)
    if isinstance(mode, Unread) and isinstance(value, str):
        named = {MODE_SPELLINGS[word] for word in plain_caption(value).split() if word in MODE_SPELLINGS}
        if len(named) == 1:
            return named.pop()
    return mode


def year_named(workbook: Workbook, sheet: str) -> int | None:
    """The year the sheet's or else the file's name states; None for none, or several."""
    for name in (sheet, workbook.name):
        years = set(_YEAR.findall(name))
        if years:
            return int(years.pop()) if len(years) == 1 else None
    return None


class _Unreadable(Exception):
    """A cell of a row that cannot be read."""

    def __init__(self, role: Role, reads: str, reason: str, *, stops: bool = False) -> None:
        super().__init__(reason)
        self.role, self.reads, self.reason, self.stops = role, reads, reason, stops


class _Reader:
    def __init__(self, workbook: Workbook, table: Table) -> None:
        self.sheet = workbook.sheet(table.sheet)
        self.rows = Rows()
        self._table = table
        self._date1904 = workbook.date1904
        self._year = year_named(workbook, table.sheet)
        self._column: dict[Role, str] = {role: column for column, role in table.columns.items()}
        self._ordered = sorted(table.columns, key=column_number)
        self._money = [role for role in MONEY if role in self._column]
        self._captions = Captions(self.sheet)
        self._categories: dict[str, str] = {}

    def read(self, row: int, cells: Mapping[str, Cell]) -> None:
        """Read one row into an entry, an issue, or what is passed by."""
        values = {role: self.sheet.value(cells.get(column)) for role, column in self._column.items()}
        filled = {role for role, column in self._column.items() if not _empty(cells.get(column), values[role])}
        if not filled or self._repeats_captions(values):
            return
        if self._is_total(cells, values, filled):
            self._passed_total(row, cells, values)
            return
        money = [role for role in self._money if role in filled]
        if not money and ("date" not in filled or filled == {"date"}):
            first = min((self._column[role] for role in filled), key=column_number)
            self.rows.notes.append(self._cell(first, row))
            return
        try:
            entry = self._entry(row, cells, values)
        except _Unreadable as cell:
            place = self._cell(self._column[cell.role], row)
            self.rows.issues.append(Issue(place, cell.reads, cell.reason, stops_totals=cell.stops))
            return
        self.rows.entries.append(entry)
        self.rows.stated.append(self._stated(row, values))

    def _entry(self, row: int, cells: Mapping[str, Cell], values: Mapping[Role, Value]) -> Entry:
        role, amount, direction = self._amount(cells, values)
        value = values["date"]
        day = column_day(value, day_first=self._table.day_first, date1904=self._date1904, year=self._year)
        if isinstance(day, Unread):
            raise _Unreadable("date", shown(value), day.reason)
        mode = self._mode(values)
        category, group = self._category(values)
        description = " ".join(shown(values.get("description")).split()).upper() or (category or "").upper()
        return Entry(
            day,
            description,
            mode,
            direction,
            amount,
            category,
            group,
            tags_of(description),
            self._table.sheet,
            row,
            Place(self._ordered[0], self._ordered[-1], self._column[role]),
        )

    def _amount(self, cells: Mapping[str, Cell], values: Mapping[Role, Value]) -> tuple[Role, Decimal, Direction]:
        if "amount" in self._column:
            return self._one_amount(cells.get(self._column["amount"]), values)
        read: dict[Role, Decimal] = {}
        for role in self._money:
            value, _ = self._sided(role, values[role])
            number = read_amount(value, has_formula=_has_formula(cells.get(self._column[role])))
            if isinstance(number, Unread):
                raise _Unreadable(role, shown(values[role]), number.reason, stops=number.unknown_amount)
            if number is not None:
                read[role] = number
        if len(read) == 2:
            reads = f"{shown(values['debit'])} and {shown(values['credit'])}"
            raise _Unreadable("debit", reads, "The row has both money out and money in. Make two rows of it.")
        if "debit" in read:
            return "debit", read["debit"], "DEBIT"
        if "credit" in read:
            return "credit", read["credit"], "CREDIT"
        raise _Unreadable(self._money[0], "", "The row has no amount above zero. Type it.")

    def _one_amount(self, cell: Cell | None, values: Mapping[Role, Value]) -> tuple[Role, Decimal, Direction]:
        value, side = self._sided("amount", values["amount"])
        nothing = isinstance(value, str) and value.strip().casefold() in NOTHING
        number = None if nothing else read_number(value, has_formula=_has_formula(cell))
        if isinstance(number, Unread):
            raise _Unreadable("amount", shown(values["amount"]), number.reason, stops=number.unknown_amount)
        if not number:
            raise _Unreadable("amount", shown(value), "The row has no amount. Type it as a number.")
        if side is not None:
            return "amount", abs(number), side
        if "type" not in self._column:
            other: Direction = "CREDIT" if self._table.positive == "DEBIT" else "DEBIT"
            return "amount", abs(number), self._table.positive if number > 0 else other
        stated = direction_of(shown(values["type"]))
        if stated is None:
            reason = "This does not say whether the money went out or came in. Type Debit or Credit."
            raise _Unreadable("type", shown(values["type"]), reason)
        if number < 0 and stated == "CREDIT":
            reason = "The amount is below zero, and the row says that money came in. Mend one of the two."
            raise _Unreadable("amount", shown(value), reason)
        return "amount", abs(number), stated

    def _sided(self, role: Role, value: Value) -> tuple[Value, Direction | None]:
        """The amount without a Dr or Cr behind it, and what that says. Of a person's own `2 Cr` nobody can tell."""
        number, side = side_of(value)
        if side == "CREDIT" and "balance" not in self._column and not _PAISE.search(shown(number)):
            raise _Unreadable(role, shown(value), "Cr could be credit or crore. Type the amount as a number.")
        return number, side

    def _mode(self, values: Mapping[Role, Value]) -> Mode:
        if "mode" not in self._column:
            return self._table.mode or _UNKNOWN_MODE
        mode = mode_of(values["mode"], self._table.words)
        if isinstance(mode, Unread):
            raise _Unreadable("mode", shown(values["mode"]), mode.reason)
        return mode

    def _category(self, values: Mapping[Role, Value]) -> tuple[str | None, Group | None]:
        name = " ".join(shown(values.get("category")).split())
        if not name or name in NOTHING:
            return None, None
        if name.casefold() in _TRANSFERS:
            return name, "TRANSFER"
        group = next((group for group in GROUPS if group in (name.upper(), name.upper().removeprefix("FOR "))), None)
        # the first spelling counts: Food and food are one category
        return self._categories.setdefault(name.casefold(), name), group

    def _stated(self, row: int, values: Mapping[Role, Value]) -> Stated | None:
        if "balance" not in self._column:
            return None
        value, side = side_of(values["balance"])
        number = read_number(value)
        if isinstance(number, Decimal) and side == "DEBIT":
            number = -abs(number)
        return Stated(self._cell(self._column["balance"], row), number) if isinstance(number, Decimal) else None

    # rows that are no entries

    def _repeats_captions(self, values: Mapping[Role, Value]) -> bool:
        """The captions again, at the top of a statement's next page."""
        return isinstance(values["date"], str) and all(
            plain_caption(shown(values[role])) == plain_caption(self._table.captions.get(column, ""))
            for role, column in self._column.items()
        )

    def _is_total(self, cells: Mapping[str, Cell], values: Mapping[Role, Value], filled: set[Role]) -> bool:
        low, high = column_number(self._ordered[0]), column_number(self._ordered[-1])
        labels = [
            label
            for column, cell in cells.items()
            if low <= column_number(column) <= high and (label := self._label(cell))
        ]
        if any(is_total(label) for label in labels):
            return True
        undated = "date" not in filled or isinstance(values["date"], str)
        if undated and any(_TOTAL_FIRST.match(plain_caption(label)) for label in labels):
            return True
        return any(self._sums_itself(self._column[role], cells) for role in self._money)

    def _label(self, cell: Cell) -> str:
        value = self.sheet.value(cell)
        return value if isinstance(value, str) and len(value) < 60 else ""

    def _sums_itself(self, column: str, cells: Mapping[str, Cell]) -> bool:
        cell = cells.get(column)
        if cell is None or not cell.formula or not _SUMS.match(cell.formula):
            return False
        own = rf"(?<![A-Z$!'])\$?{column}\$?\d*\s*:\s*\$?{column}(?![A-Z])"
        return _OF_TABLE.search(cell.formula) is not None or re.search(own, cell.formula.upper()) is not None

    def _passed_total(self, row: int, cells: Mapping[str, Cell], values: Mapping[Role, Value]) -> None:
        labels = {column: label for column, cell in cells.items() if (label := self._label(cell))}
        opening = self._stated(row, values)
        if opening is not None and self.rows.opening is None and any(map(is_opening, labels.values())):
            self.rows.opening = opening
        first = next((column for column in labels if is_total(labels[column])), self._ordered[0])
        self.rows.totals.append(self._cell(first, row))

    def _cell(self, column: str, row: int) -> str:
        return f"{quoted(self._table.sheet)}!{column}{row}"


def held_against_balances(rows: Rows, mode: Mode) -> tuple[Stated | None, Difference | None]:
    """The balance before a statement's first entry, and the first balance that its rows do not give.

    A statement may begin with its newest row.
    """
    pairs = list(zip(rows.entries, rows.stated, strict=True))
    if not any(stated for _, stated in pairs):
        return rows.opening, None
    if _agreeing(pairs[::-1]) > _agreeing(pairs):
        pairs.reverse()
    entry, first = pairs[0]
    opening = rows.opening or (replace(first, amount=first.amount - _signed(entry)) if first else None)
    if opening is None:
        return None, None
    balance = opening.amount
    for entry, stated in pairs:
        balance += _signed(entry)
        if stated is not None and abs(stated.amount - balance) >= Decimal("0.005"):
            return opening, Difference(stated.cell, mode, stated.amount, balance)
    return opening, None


def _agreeing(pairs: list[tuple[Entry, Stated | None]]) -> int:
    return sum(
        1
        for (_, before), (entry, after) in pairwise(pairs)
        if before and after and abs(before.amount + _signed(entry) - after.amount) < Decimal("0.005")
    )


def _signed(entry: Entry) -> Decimal:
    return entry.amount if entry.direction == "CREDIT" else -entry.amount


def side_of(value: Value) -> tuple[Value, Direction | None]:
    """An amount's text without the Dr or Cr behind it, and what that says."""
    match = _SIDE.fullmatch(value) if isinstance(value, str) and len(value) <= LONGEST_AMOUNT else None
    if match is None:
        return value, None
    return match[1], "DEBIT" if (match[2] or match[3] or match[4]).casefold() == "dr" else "CREDIT"


def _has_formula(cell: Cell | None) -> bool:
    return cell is not None and cell.formula is not None


def _empty(cell: Cell | None, value: Value) -> bool:
    """Nothing, white space, a dash or a line of stars; a formula without a value is something."""
    if cell is None or (value is None and cell.formula is None):
        return True
    return isinstance(value, str) and not any(letter.isalnum() for letter in value)
