"""Rows that move: the rows of a table after the write are those before, less what is gone, and what is new.

before  6 7 8 9 .     8 is deleted, a row is added between 6 and 7
after   6 + 7 9 .     each old row once, whole, in a row of the table; each running balance by its own row
"""

from bisect import bisect_left
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from ledger.changes import Moves, Plan
from ledger.edits import Add, Delete, Edit
from ledger.entries import CASH_TRACKER, Mode
from ledger.verify.cells import SheetXml, cells_of, plain_number, read_cell
from ledger.verify.money import effects
from ledger.verify.rejection import require

RUNNING: Final[Mapping[str, Mapping[str, Mode]]] = {
    "month": {"H": "PHONEPE", "I": "WALLET"},
    CASH_TRACKER: {"H": "MONEY", "I": "BANK"},
}
"""which mode's running balance a column holds"""
MOVING: Final[Mapping[str, frozenset[str]]] = {
    "month": frozenset("CDEFGJ"),
    CASH_TRACKER: frozenset("BCDEFGJ"),
}
"""the columns an entry stands in"""
PAISA: Final = Decimal("0.005")
"""numbers that a program stored in binary differ by less"""


def check_rows(plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
    """No row is lost, doubled or mixed up, and every running balance follows from the row above and its own row."""
    moves = {each.sheet: each for each in plan.moves}
    for name, each in moves.items():
        _check_permutation(plan, each, *sheets[name])
    for row, change in zip(plan.rows, _kept(plan), strict=True):
        if isinstance(change, Edit) and change.was.sheet == row.sheet:
            origin = _origin(moves.get(row.sheet), row.row)
            require(origin == change.was.row, f"item {row.item} does not stand where its entry goes")
    kept = {(c.was.sheet, c.was.row) for c in plan.changes if isinstance(c, Edit)}
    staying = {(row.sheet, _origin(moves.get(row.sheet), row.row)) for row in plan.rows}
    for was in plan.removed:
        stays = (was.sheet, was.row) in kept & staying
        stretch = moves.get(was.sheet)
        gone = stretch is not None and stretch.first <= was.row < stretch.first + len(stretch.origins)
        gone = gone and stretch is not None and was.row not in stretch.origins
        require(stays or gone, f"{was.cells} is still there")
    _check_running(plan, moves, sheets)


def _kept(plan: Plan) -> list[Add | Edit]:
    """The changes that leave a row behind, in the order of `Plan.rows`."""
    return [change for change in plan.changes if not isinstance(change, Delete)]


def _origin(moves: Moves | None, row: int) -> int | None:
    if moves is None or not moves.first <= row < moves.first + len(moves.origins):
        return row
    return moves.origins[row - moves.first]


def _check_permutation(plan: Plan, moves: Moves, before: SheetXml, after: SheetXml) -> None:
    name = moves.sheet
    wanted = MOVING.get(name, MOVING["month"])
    columns = frozenset(moves.columns)
    require(columns in (wanted, wanted - {"J"}), f"other columns of {name} move than an entry's")
    rows = range(moves.first, moves.first + len(moves.origins))
    origins = [origin for origin in moves.origins if origin is not None]
    require(len(set(origins)) == len(origins), f"a row of {name} would stand twice")
    require(set(origins) <= set(rows), f"a row of {name} comes from outside the rows that move")
    removed = {was.row for was in plan.removed if was.sheet == name}
    for row in set(rows) - set(origins) - removed:
        require(_blank(before, row, columns), f"row {row} of {name} would be lost")
    new = {row.row for row in plan.rows if row.sheet == name}
    for row, origin in zip(rows, moves.origins, strict=True):
        if origin is None and row not in new:
            require(_blank(after, row, columns), f"row {row} of {name} is not blank")
            for column in ("H", "I"):
                ahead = _goes_on(before, after, column, row)
                require(ahead or _blank(after, row, frozenset(column)), f"row {row} of {name} is not blank")


def _goes_on(before: SheetXml, after: SheetXml, column: str, row: int) -> bool:
    """Whether a row left blank keeps its running formula as others below have it ahead, showing the balance above."""
    old, new = before.cell(column, row), after.cell(column, row)
    below, above = after.cell(column, row + 1), after.cell(column, row - 1)
    if old is None or new is None or below is None or above is None:
        return False
    was, now = read_cell(old, before.prefix), read_cell(new, after.prefix)
    same = was.formula is not None and (was.formula, was.formula_attributes) == (now.formula, now.formula_attributes)
    ahead = read_cell(below, after.prefix).formula is not None
    return same and ahead and (not now.shown or now.number == read_cell(above, after.prefix).number)


def _blank(sheet: SheetXml, row: int, columns: frozenset[str]) -> bool:
    chunk = sheet.row(row)
    if chunk is None:
        return True
    cells = (cell for column, cell in cells_of(chunk, sheet.prefix, "")[1].items() if column in columns)
    return all(read.shown is None and read.formula is None for read in (read_cell(c, sheet.prefix) for c in cells))


def _check_running(plan: Plan, moves: Mapping[str, Moves], sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
    """A row's running balance is the one above and its own amount; one that moved brings what it did before."""
    drafts: dict[str, dict[int, Add | Edit]] = {}
    for row, change in zip(plan.rows, _kept(plan), strict=True):
        drafts.setdefault(row.sheet, {})[row.row] = change
    for name in drafts.keys() | moves.keys():
        if name not in sheets:
            continue
        before, after = Running(sheets[name][0], name), Running(sheets[name][1], name)
        stretch = moves.get(name)
        rows = {*drafts.get(name, ())}
        # with the first row below those that move, whose balance has to go on from theirs
        rows |= set(range(stretch.first, stretch.first + len(stretch.origins) + 1)) if stretch else set()
        for number in sorted(rows):
            origin = _origin(stretch, number)
            for column, mode in RUNNING.get(name, RUNNING["month"]).items():
                moved = after.step(column, number)
                asked = drafts.get(name, {}).get(number)
                expected = before.step(column, origin) if origin is not None else None
                if asked is not None:
                    expected = effects([asked.draft], mode)
                if moved is not None and expected is not None:
                    off = abs(moved - expected)
                    follows = off == 0 if isinstance(asked, Add) else off < PAISA
                    require(follows, f"the running balance {name}!{column}{number} does not follow the row above")
                shown = before.number(column, origin) if origin not in (None, number) else None
                lost = shown is not None and after.number(column, number) is None
                require(not lost, f"the running balance {name}!{column}{number} is gone")


class Running:
    """The running balances of a sheet, each row looked at once."""

    def __init__(self, sheet: SheetXml, name: str) -> None:
        self._sheet = sheet
        self._columns = tuple(RUNNING.get(name, RUNNING["month"]))
        self._known: dict[int, dict[str, Decimal | None]] = {}

    def number(self, column: str, row: int | None) -> Decimal | None:
        """The number a row shows in a column."""
        if row is None:
            return None
        if row not in self._known:
            chunk = self._sheet.row(row)
            self._known[row] = {each: self._read(self._sheet.cell_in(chunk, each, row)) for each in self._columns}
        return self._known[row][column]

    def _read(self, cell: bytes | None) -> Decimal | None:
        if cell is None:
            return None
        plain = plain_number(cell, self._sheet.prefix)
        return plain[1] if plain is not None else read_cell(cell, self._sheet.prefix).number

    def step(self, column: str, row: int) -> Decimal | None:
        """By how much a row's balance differs from that of the row above it."""
        index = bisect_left(self._sheet.numbers, row)
        above = self._sheet.numbers[index - 1] if index else None
        first, second = self.number(column, above), self.number(column, row)
        return None if first is None or second is None else second - first
