"""Cells that could not be read and are typed right: they hold what was typed, and whatever else moves follows from it.

A running balance differs from the one above it as it did before, or as its own row's cells say, read by calamine; an
opening, a card and a total by category is what the rows of the new file come to. Nothing else may change.
"""

import io
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from python_calamine import CalamineWorkbook

from ledger.changes import Plan
from ledger.entries import CASH_TRACKER, MONTHS, quoted
from ledger.verify.cells import SheetXml, split
from ledger.verify.package import Package
from ledger.verify.rejection import require
from ledger.verify.rows import PAISA, RUNNING, Running

CARDS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "month": {"L7": ("month", "I"), "L8": ("month", "H")},
    CASH_TRACKER: {"D5": (CASH_TRACKER, "I"), "D6": (CASH_TRACKER, "H")},
    "TERMINOLOGY": {"K5": (CASH_TRACKER, "I"), "K6": (CASH_TRACKER, "H")},
}
"""by card, the running column whose last balance it shows"""
OPENING: Final = {"month": 5, CASH_TRACKER: 11}


def check_mends(old: Package, new: Package, plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
    """Each mended cell is as typed, and every other planned cell follows from the rows of the new file."""
    others = (plan.changes, plan.rows, plan.openings, plan.shifts, plan.moves, plan.ranges, plan.styles, plan.cards)
    require(not any(others) and not plan.new_sheets, "a plan that mends cells does something else as well")
    typed: dict[tuple[str, str, int], Any] = {}
    for mend in plan.mends:
        for column, value in mend.cells:
            sheet, _, place = mend.issue.cell.rpartition("!")
            typed[sheet.strip("'").replace("''", "'"), column, split(place)[1]] = value
    planned = {(cell.sheet, cell.column, cell.row): cell for cell in plan.cells}
    for key, value in typed.items():
        require(
            (key in planned and planned[key].value == value and planned[key].formula is None)
            or (key not in planned and value is None),
            f"{quoted(key[0])}!{key[1]}{key[2]} is not what was typed",
        )
    reader = CalamineWorkbook.from_filelike(io.BytesIO(new.data))
    seen = {
        name: reader.get_sheet_by_name(name).to_python(skip_empty_area=False)
        for name in sorted({cell.sheet for cell in plan.cells})
        if name in MONTHS or name == CASH_TRACKER
    }
    ends = _Ends(old, new, sheets)
    for key in planned.keys() - typed.keys():
        change = planned[key]
        require(isinstance(change.value, Decimal), f"{change.cell} does not follow from a mended cell")
        require(not isinstance(change.formula, str | None), f"the formula of {change.cell} would change")
        _check_follows(key, change.value, seen, ends)


def _check_follows(
    key: tuple[str, str, int], value: object, seen: Mapping[str, list[list[Any]]], ends: "_Ends"
) -> None:
    name, column, row = key
    kind = "month" if name in MONTHS else name
    follows = False
    if column in RUNNING.get(kind, {}) and kind in OPENING and row >= OPENING[kind]:
        before, after = ends.running(name)
        if row == OPENING[kind]:
            follows = ends.carried(name, column, before.number(column, row), value)
        else:
            step = after.step(column, row)
            by = _contribution(seen[name], row, RUNNING[kind][column])
            kept = before.step(column, row)
            follows = step is not None and any(each is not None and abs(step - each) < PAISA for each in (by, kept))
    elif f"{column}{row}" in CARDS.get(kind, {}):
        of, running = CARDS[kind][f"{column}{row}"]
        follows = ends.closes(name if of == "month" else of, running, name, f"{column}{row}", value)
    elif column == "L" and kind == "month":
        label = str(seen[name][row - 1][10]).strip().casefold()
        spent = sum((_spent(each, label) for each in seen[name][OPENING[kind] :]), Decimal(0))
        follows = isinstance(value, Decimal) and abs(spent - value) < PAISA
    require(follows, f"{quoted(name)}!{column}{row} does not follow from the rows")


class _Ends:
    """Running balances of the sheets that are touched, and what they end with."""

    def __init__(self, old: Package, new: Package, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
        self._packages = old, new
        self._sheets = dict(sheets)
        self._running: dict[str, tuple[Running, Running]] = {}

    def running(self, name: str) -> tuple[Running, Running]:
        """Of a sheet, before and after."""
        if name not in self._running:
            before, after = self._pair(name)
            self._running[name] = Running(before, name), Running(after, name)
        return self._running[name]

    def _pair(self, name: str) -> tuple[SheetXml, SheetXml]:
        if name not in self._sheets:
            old, new = self._packages
            part = old.sheet_parts[name]
            self._sheets[name] = SheetXml.of(old.read(part), name), SheetXml.of(new.read(part), name)
        return self._sheets[name]

    def last(self, name: str, column: str) -> tuple[Decimal | None, Decimal | None]:
        """The lowest number of a running column before, and in the same row after."""
        before, after = self.running(name)
        rows = (row for row in reversed(self._pair(name)[1].numbers) if after.number(column, row) is not None)
        row = next(rows, None)
        return before.number(column, row), after.number(column, row)

    def carried(self, name: str, column: str, was: Decimal | None, value: object) -> bool:
        """Whether an opening is what the month before ends with, or moved as much as that."""
        earlier = [each for each in MONTHS[: MONTHS.index(name)] if each in self._packages[0].sheet_parts]
        return bool(earlier) and _alike(self.last(earlier[-1], column), was, value)

    def closes(self, name: str, column: str, sheet: str, place: str, value: object) -> bool:
        """Whether a card is what its running column ends with, or moved as much as that."""
        return _alike(self.last(name, column), self._pair(sheet)[0].number(place), value)


def _alike(last: tuple[Decimal | None, Decimal | None], was: Decimal | None, value: object) -> bool:
    before, after = last
    if after is None or not isinstance(value, Decimal):
        return False
    moved = before is not None and was is not None and abs((value - was) - (after - before)) < PAISA
    return moved or abs(value - after) < PAISA


def _contribution(rows: list[list[Any]], row: int, mode: str) -> Decimal | None:
    if row > len(rows):
        return None
    cells = [*rows[row - 1], *[""] * 10][:10]
    if str(cells[4]).strip().upper() != mode:
        return Decimal(0)
    out, came = (_amount(cell) for cell in cells[5:7])
    return None if out is None or came is None else came - out


def _amount(cell: Any) -> Decimal | None:
    if cell in ("", None):
        return Decimal(0)
    return Decimal(str(cell)) if isinstance(cell, int | float) and not isinstance(cell, bool) else None


def _spent(cells: list[Any], label: str) -> Decimal:
    row = [*cells, *[""] * 10][:10]
    if str(row[9]).strip().casefold() != label:
        return Decimal(0)
    return (_amount(row[5]) or Decimal(0)) - (_amount(row[6]) or Decimal(0))
