"""Balances, cards and running balances move by exactly what is added, edited and deleted."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from ledger.changes import KEEP, Plan, PlannedRow, Value
from ledger.edits import Delete, Edit
from ledger.entries import CASH_TRACKER, MONTHS, Draft, Entry, Mode
from ledger.verify.cells import SheetXml
from ledger.verify.rejection import require


def effects(rows: Iterable[Draft | Entry], mode: Mode, month: int = 12) -> Decimal:
    """What the rows of a mode do to its balance up to the end of a month."""
    return sum(
        (row.amount if row.direction == "CREDIT" else -row.amount)
        for row in rows
        if row.mode == mode and row.date.month <= month
    ) or Decimal(0)


def moved_by(plan: Plan, mode: Mode, month: int = 12) -> Decimal:
    """By how much a mode's balance at the end of a month moves: the rows as they shall be, less those that were."""
    return effects(plan.drafts, mode, month) - effects(plan.removed, mode, month)


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
        opened[opening.mode] = (opening.after or Decimal(0)) - (opening.before or Decimal(0))
    for mode in plan.balances_before.keys() | plan.balances_after.keys():
        moved = plan.balances_after.get(mode, Decimal(0)) - plan.balances_before.get(mode, Decimal(0))
        expected = moved_by(plan, mode) + opened.get(mode, Decimal(0))
        require(moved == expected, f"the {mode} balance does not move by the rows")
    for change in plan.cards:
        sheet, _, reference = change.card.cell.rpartition("!")
        sheet = sheet.strip("'").replace("''", "'")
        month = MONTHS.index(change.card.month) + 1 if change.card.month else 12
        expected = moved_by(plan, change.card.mode, month) + opened.get(change.card.mode, Decimal(0))
        before, after = sheets[sheet]
        shown = before.number(reference), after.number(reference)
        require(shown == (change.card.shows, change.after), f"the card {change.card.cell} is not as planned")
        require(
            shown[0] is not None and shown[1] == shown[0] + expected,
            f"the card {change.card.cell} does not move by the rows",
        )
    _check_planned_rows(plan)


def _check_planned_rows(plan: Plan) -> None:
    """Every row that is added or edited has its place, and the cells there say what its draft says."""
    require([row.draft for row in plan.rows] == list(plan.drafts), "the planned rows are not the drafts")
    require(len({(row.sheet, row.row) for row in plan.rows}) == len(plan.rows), "two drafts share a row")
    cells = {(cell.sheet, cell.row, cell.column): cell for cell in plan.cells}
    cells |= {(cell.sheet, cell.row, cell.column): cell for sheet in plan.new_sheets for cell in sheet.cells}
    kept = [change for change in plan.changes if not isinstance(change, Delete)]
    for row, change in zip(plan.rows, kept, strict=True):
        draft = row.draft
        cash = draft.mode in ("MONEY", "BANK")
        require(
            row.sheet == (CASH_TRACKER if cash else MONTHS[draft.date.month - 1]),
            f"item {row.item} stands on another sheet than its mode says",
        )
        stays = isinstance(change, Edit) and change.was.sheet == row.sheet
        before = _said(change.was, row) if isinstance(change, Edit) and stays else {}
        for column, value in _said(draft, row).items():
            cell = cells.get((row.sheet, row.row, column))
            given = cell is not None and cell.value == value and cell.formula is None
            # what an edit leaves as it was stays in its cell, or comes along with it
            same = column in before and before[column] == value and (cell is None or cell.value is KEEP)
            require(given or same, f"{row.sheet}!{column}{row.row} is not what item {row.item} says")


def _said(row: Draft | Entry, planned: PlannedRow) -> dict[str, Value]:
    """What the cells of a row say, by column."""
    draft = row if isinstance(row, Draft) else Draft(*row[:6])
    debit = draft.direction == "DEBIT"
    said: dict[str, Value] = {
        "C": draft.date,
        "D": draft.stored_description,
        "E": draft.mode,
        "F": draft.amount if debit else None,
        "G": None if debit else draft.amount,
    }
    if planned.sheet == CASH_TRACKER:
        said["B"] = MONTHS[draft.date.month - 1]
    if planned.last_column == "J":
        said["J"] = draft.category
    return said
