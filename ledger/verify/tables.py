"""Tables of another layout: rows say what was asked, none is lost or doubled, and every balance follows from its rows.

Read once more by calamine, before and after; nothing is taken from whoever planned the write but the table's shape.
"""

import io
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from python_calamine import CalamineError, CalamineWorkbook

from ledger.changes import Plan, PlannedRow
from ledger.edits import Add, Delete, Edit
from ledger.entries import MONTHS, Direction, Draft, Entry
from ledger.shape import Shape
from ledger.verify.cells import SheetXml
from ledger.verify.money import effects
from ledger.verify.package import Package
from ledger.verify.reader import check_extent
from ledger.verify.rejection import WriteRejected, require
from ledger.verify.sheets import serial

PAISA: Final = Decimal("0.005")
_MONEY: Final = ("amount", "debit", "credit")
_DIGITS = re.compile(r"[^\d.\-]")


def check_tables(old: Package, new: Package, plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
    """Hold every table that is written into to the changes that were asked for."""
    for mode in plan.balances_before.keys() | plan.balances_after.keys():
        moved = plan.balances_after.get(mode, Decimal(0)) - plan.balances_before.get(mode, Decimal(0))
        expected = effects(plan.drafts, mode) - effects(plan.removed, mode)
        require(moved == expected, f"the {mode} balance does not move by the rows")
    require([row.draft for row in plan.rows] == list(plan.drafts), "the planned rows are not the drafts")
    places = {(row.sheet, row.row, row.shape.columns[0] if row.shape else "") for row in plan.rows}
    require(len(places) == len(plan.rows), "two drafts share a row")
    require(all(row.shape in plan.shapes for row in plan.rows), "a row stands in no table of the plan")
    try:
        for shape in plan.shapes:
            before = _Table(old, shape, sheets[shape.sheet][0]) if shape.sheet in sheets else None
            if before is not None:
                _check_table(plan, before, _Table(new, shape, sheets[shape.sheet][1]))
    except CalamineError as error:
        raise WriteRejected(f"another reader cannot open the new book: {error}") from error


class _Table:
    """What another reader sees of a table."""

    def __init__(self, package: Package, shape: Shape, xml: SheetXml) -> None:
        check_extent(xml, shape.sheet)
        reader = CalamineWorkbook.from_filelike(io.BytesIO(package.data))
        self.rows = reader.get_sheet_by_name(shape.sheet).to_python(skip_empty_area=False)
        self.shape, self.date1904 = shape, package.date1904

    def at(self, column: str, row: int) -> Any:
        """What a cell shows; an empty text for nothing."""
        index = 0
        for letter in column:
            index = index * 26 + ord(letter) - 64
        cells = self.rows[row - 1] if 0 < row <= len(self.rows) else []
        return cells[index - 1] if index <= len(cells) else ""

    def role(self, role: str, row: int) -> Any:
        """What a row shows in the column of a role."""
        return self.at(self.shape.roles[role], row) if role in self.shape.roles else ""

    def signed(self, row: int) -> Decimal | None:
        """What a row does to the balance, None for a row without an amount."""
        if "amount" not in self.shape.roles:
            out, into = _number(self.role("debit", row)), _number(self.role("credit", row))
            return None if not out and not into else (into or Decimal(0)) - (out or Decimal(0))
        amount = _number(self.role("amount", row))
        if not amount:
            return None
        if "type" in self.shape.roles:
            word = str(self.role("type", row)).strip().casefold()
            out_words = {text.casefold() for way, text in self.shape.types.items() if way == "DEBIT"}
            in_words = {text.casefold() for way, text in self.shape.types.items() if way == "CREDIT"}
            return -abs(amount) if word in out_words else abs(amount) if word in in_words else None
        return amount if self.shape.positive == "CREDIT" else -amount

    def blank(self, row: int) -> bool:
        """Whether nothing is typed in a row of the table."""
        return all(self.at(column, row) == "" for column in self.shape.typed)


def _check_table(plan: Plan, before: _Table, after: _Table) -> None:
    shape = before.shape
    new = {row.row: row for row in plan.rows if row.shape == shape}
    changes = dict(enumerate(plan.changes, 1))
    removed = [was for was in plan.removed if _stands_in(was, shape)]
    for was in removed:
        _check_stood(was, before)
    origins = _origins(plan, shape, [row for row in new if isinstance(changes[new[row].item], Add)])
    gone = {was.row for was in removed}
    kept: set[int] = set()
    for number, planned in new.items():
        change = changes[planned.item]
        origin = origins.get(number, number)
        if isinstance(change, Edit) and _stands_in(change.was, shape) and origin == change.was.row:
            kept.add(origin)
            _check_edited(planned, change, before, after)
        else:
            require(not isinstance(change, Delete), f"row {number} of {shape.sheet} holds what is deleted")
            require(_says(planned.draft, after, number) == [], f"row {number} of {shape.sheet} does not say its draft")
    typed = frozenset(shape.typed)
    end = max([shape.last, *new, *origins])
    stood = {origins.get(row, row) for row in range(shape.top, end + 1)} - {None}
    for row in range(shape.top, shape.last + 1):
        there = row in stood and not (row in gone and row not in kept)
        require(there or row in gone or before.blank(row), f"row {row} of {shape.sheet} would be lost")
    require(not (gone - kept) & stood, f"a row of {shape.sheet} that goes is still there")
    for row, origin in origins.items():
        if origin is None and row not in new:
            require(all(after.at(column, row) == "" for column in typed), f"row {row} of {shape.sheet} is not blank")
        elif origin is not None and row not in new:
            same = all(after.at(column, row) == before.at(column, origin) for column in typed)
            require(same, f"row {row} of {shape.sheet} does not hold what row {origin} held")
    _check_balances(plan, before, after, end)


def _stands_in(was: Entry, shape: Shape) -> bool:
    return was.sheet == shape.sheet and (was.place is None or was.place.first in shape.columns)


def _origins(plan: Plan, shape: Shape, added: list[int]) -> dict[int, int | None]:
    found: dict[int, int | None] = dict.fromkeys(added)
    for moves in plan.moves:
        if moves.sheet == shape.sheet and set(moves.columns) & set(shape.columns):
            require(tuple(moves.columns) == shape.typed, f"other columns of {shape.sheet} move than an entry's")
            origins = [origin for origin in moves.origins if origin is not None]
            require(len(set(origins)) == len(origins), f"a row of {shape.sheet} would stand twice")
            found |= dict(enumerate(moves.origins, moves.first))
    return found


def _check_stood(was: Entry, before: _Table) -> None:
    amount = before.signed(was.row)
    signed = was.amount if was.direction == "CREDIT" else -was.amount
    words = " ".join(str(before.role("description", was.row)).split()).upper()
    same = amount is not None and abs(amount - signed) < PAISA
    same = same and (not words or words == was.description)
    require(same, f"{was.cells} is not the row that was read")


def _check_edited(row: PlannedRow, change: Edit, before: _Table, after: _Table) -> None:
    """What an edit changes says the draft; what it leaves shows what it did."""
    was, number = Draft(*change.was[:6]), row.row
    for role in _says(row.draft, after, number):
        column = after.shape.roles[role]
        require(
            role in _unchanged(was, row.draft) and after.at(column, number) == before.at(column, change.was.row),
            f"{after.shape.cell(column, number)} is not what item {row.item} says",
        )


def _unchanged(was: Draft, now: Draft) -> set[str]:
    money = (was.amount, was.direction) == (now.amount, now.direction)
    same = {
        "date": was.date == now.date,
        "description": was.stored_description == now.stored_description,
        "type": was.direction == now.direction,
        "mode": was.mode == now.mode,
        "category": (was.category or "").casefold() == (now.category or "").casefold(),
        **dict.fromkeys(_MONEY, money),
    }
    return {role for role, unchanged in same.items() if unchanged}


def _says(draft: Draft, table: _Table, row: int) -> list[str]:
    """The roles whose cell does not say the draft."""
    shape = table.shape
    debit = draft.direction == "DEBIT"
    amount = table.signed(row)
    right: dict[str, bool] = {
        "date": _is_day(table.role("date", row), draft.date, table),
        "description": " ".join(str(table.role("description", row)).split()).upper() == draft.stored_description,
        "type": str(table.role("type", row)) == shape.types.get(draft.direction, draft.direction.capitalize()),
        "mode": shape.mode is None and str(table.role("mode", row)) == shape.modes.get(draft.mode),
        "category": str(table.role("category", row)).casefold() == (draft.category or "").casefold(),
        **dict.fromkeys(_MONEY, amount == (-draft.amount if debit else draft.amount)),
    }
    return [role for role, holds in right.items() if role in shape.roles and not holds]


def _is_day(seen: Any, day: date, table: _Table) -> bool:
    if isinstance(seen, str):
        short, long = MONTHS[day.month - 1][:3].capitalize(), MONTHS[day.month - 1].capitalize()
        parts = {"d": day.day, "m": day.month, "y": day.year, "s": f"{day.year % 100:02}", "b": short, "l": long}
        return bool(table.shape.day) and seen == table.shape.day.format(**parts)
    if isinstance(seen, float):
        return seen == serial(day, date1904=table.date1904)
    return bool((seen.date() if isinstance(seen, datetime) else seen) == day)


def _number(seen: Any) -> Decimal | None:
    try:
        return round(Decimal(_DIGITS.sub("", seen) if isinstance(seen, str) else repr(seen)), 2)
    except InvalidOperation:
        return None


def _check_balances(plan: Plan, before: _Table, after: _Table, end: int) -> None:
    """Along the whole table each balance is the one before it and its own row; the first one starts where it did."""
    shape = before.shape
    column = shape.roles.get("balance")
    if column is None:
        return
    starts: list[Decimal] = []
    for table, last in ((before, shape.last), (after, end)):
        rows = range(shape.top, last + 1)
        balance: Decimal | None = None
        ran = Decimal(0)
        for row in reversed(rows) if shape.newest_first else rows:
            signed, shown = table.signed(row), _number(table.at(column, row))
            ran += signed or Decimal(0)
            balance = balance + (signed or Decimal(0)) if balance is not None else None
            if shown is None or signed is None:
                continue
            if balance is None:
                starts.append(shown - ran)
            elif table is after:
                place = shape.cell(column, row)
                require(abs(shown - balance) < PAISA, f"the running balance {place} does not follow from its row")
            balance = shown
    require(len(starts) < 2 or abs(starts[0] - starts[1]) < PAISA, f"the balances of {shape.sheet} begin elsewhere")
    moved = sum((_effect(d) for d in plan.drafts), Decimal(0)) - sum((_effect(w) for w in plan.removed), Decimal(0))
    one = len(plan.shapes) == 1
    totals = [
        sum((table.signed(row) or Decimal(0) for row in range(shape.top, last + 1)), Decimal(0))
        for table, last in ((before, shape.last), (after, end))
    ]
    require(not one or abs(totals[1] - totals[0] - moved) < PAISA, f"the rows of {shape.sheet} do not add up")


def _effect(row: Draft | Entry) -> Decimal:
    way: Direction = row.direction
    return row.amount if way == "CREDIT" else -row.amount
