"""Balances, cards and running balances move by exactly the drafts."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from ledger.changes import Plan, Value
from ledger.entries import CASH_TRACKER, MONTHS, Draft, Mode
from ledger.verify.cells import SheetXml
from ledger.verify.rejection import require

RUNNING: Final[Mapping[str, Mapping[str, Mode]]] = {
    "month": {"H": "PHONEPE", "I": "WALLET"},
    CASH_TRACKER: {"H": "MONEY", "I": "BANK"},
}
"""which mode's running balance a column holds"""


def effects(drafts: Iterable[Draft], mode: Mode, month: int = 12) -> Decimal:
    """What the drafts of a mode do to its balance up to the end of a month."""
    return sum(
        (draft.amount if draft.direction == "CREDIT" else -draft.amount)
        for draft in drafts
        if draft.mode == mode and draft.date.month <= month
    ) or Decimal(0)


def check_money(plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
    """Balances, cards and running balances move by the drafts, to the paisa."""
    opened: dict[Mode, Decimal] = {}
    for opening in plan.openings:
        before, after = sheets[opening.sheet]
        reference = f"{opening.column}{opening.row}"
        shown = before.number(reference), after.number(reference)
        require(
            shown == (opening.before, opening.after),
            f"the opening balance {opening.sheet}!{reference} is not as planned",
        )
        opened[opening.mode] = opening.after - (opening.before or Decimal(0))
    for mode in plan.balances_before.keys() | plan.balances_after.keys():
        moved = plan.balances_after.get(mode, Decimal(0)) - plan.balances_before.get(mode, Decimal(0))
        expected = effects(plan.drafts, mode) + opened.get(mode, Decimal(0))
        require(moved == expected, f"the {mode} balance does not move by the rows")
    for change in plan.cards:
        sheet, _, reference = change.card.cell.rpartition("!")
        sheet = sheet.strip("'").replace("''", "'")
        month = MONTHS.index(change.card.month) + 1 if change.card.month else 12
        expected = effects(plan.drafts, change.card.mode, month) + opened.get(change.card.mode, Decimal(0))
        before, after = sheets[sheet]
        shown = before.number(reference), after.number(reference)
        require(shown == (change.card.shows, change.after), f"the card {change.card.cell} is not as planned")
        require(
            shown[0] is not None and shown[1] == shown[0] + expected,
            f"the card {change.card.cell} does not move by the rows",
        )
    _check_planned_rows(plan)
    _check_running(plan, sheets)


def _check_planned_rows(plan: Plan) -> None:
    """Every draft has its row, and the cells of that row say what the draft says."""
    require([row.draft for row in plan.rows] == list(plan.drafts), "the planned rows are not the drafts")
    require(len({(row.sheet, row.row) for row in plan.rows}) == len(plan.rows), "two drafts share a row")
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
        require(
            row.sheet == (CASH_TRACKER if cash else month),
            f"item {row.item} stands on another sheet than its mode says",
        )
        for column, value in expected.items():
            cell = cells.get((row.sheet, row.row, column))
            given = cell is not None and cell.value == value and cell.formula is None
            require(given, f"{row.sheet}!{column}{row.row} is not what item {row.item} says")


def _check_running(plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> None:
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
                effect = effects([row.draft], mode)
                require(
                    now == earlier + effect,
                    f"the running balance {row.sheet}!{column}{row.row} does not follow the row above",
                )
