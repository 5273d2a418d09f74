"""Writes into tables of another layout: planned, done and checked, rejected where they say something else."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from ledger.changes import CellChange, Plan
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import Book, Draft
from ledger.patch import patch
from ledger.plan import plan_changes
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook
from tests.ledger.test_foreign import HDFC, read, workbook

PLAIN = [
    ("Date", "Description", "Amount", "Category", "Mode"),
    (date(2026, 11, 5), "Tea", 10, "Food", "cash"),
    (date(2026, 11, 9), "Bus", 40, "Travel", "cash"),
]
TYPED = [
    ("Date", "Item", "Amount", "Type"),
    (date(2026, 11, 5), "Tea", 10, "Expense"),
    (date(2026, 11, 9), "Pay", 40, "Income"),
]
STATEMENT = [
    HDFC,
    (date(2026, 11, 5), "SWIGGY", "1", date(2026, 11, 5), 250.5, None, 9749.5),
    (date(2026, 11, 13), "PAY", "2", date(2026, 11, 13), None, 5000, 14749.5),
]
LAYOUTS = {"plain": (PLAIN, "MONEY"), "typed": (TYPED, "MONEY"), "statement": (STATEMENT, "BANK")}


def opened(layout: str) -> tuple[Workbook, Book]:
    """A book as it will be once such a book is no longer read only."""
    book = workbook(LAYOUTS[layout][0])
    return book, replace(read(book), read_only="")


def planned(layout: str, kind: str) -> tuple[Workbook, Plan]:
    book, understood = opened(layout)
    mode = LAYOUTS[layout][1]
    draft = Draft(date(2026, 11, 20), "COFFEE", mode, "DEBIT", Decimal(30))  # type: ignore[arg-type]
    first = understood.entries[0]
    changes: dict[str, EntryChange] = {
        "append": Add(draft),
        "back-date": Add(replace(draft, date=date(2026, 11, 6))),
        "edit": Edit(first, replace(draft_of(first), amount=Decimal(12))),
        "delete": Delete(first),
    }
    return book, plan_changes(book, understood, [changes[kind]])


@pytest.mark.parametrize("kind", ["append", "back-date", "edit", "delete"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_change_in_a_table_of_ones_own_passes_the_check(layout: str, kind: str) -> None:
    book, plan = planned(layout, kind)
    after = patch(book, plan)
    verify(book.data, after, plan)
    again = read(Workbook(after, book.name))
    assert again.balances == plan.balances_after
    assert not again.issues
    assert not again.differences
    assert [entry.date for entry in again.entries] == sorted(entry.date for entry in again.entries)


@pytest.mark.parametrize("kind", ["append", "back-date", "edit"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_plan_whose_row_says_another_amount_is_rejected(layout: str, kind: str) -> None:
    book, plan = planned(layout, kind)
    shape = plan.shapes[0]
    money = {shape.roles[role] for role in ("amount", "debit", "credit") if role in shape.roles}

    def other(cell: CellChange) -> CellChange:
        wrong = cell.row == plan.rows[0].row and cell.column in money and isinstance(cell.value, Decimal)
        return replace(cell, value=cell.value + 1) if wrong else cell  # type: ignore[operator]

    wrong = replace(plan, cells=tuple(map(other, plan.cells)))
    with pytest.raises(WriteRejected):
        verify(book.data, patch(book, wrong), wrong)


def test_a_balance_that_does_not_follow_from_its_rows_is_rejected() -> None:
    book, plan = planned("statement", "append")
    cells = tuple(
        replace(cell, value=cell.value + 1)  # type: ignore[operator]
        if cell.column == "G" and isinstance(cell.value, Decimal)
        else cell
        for cell in plan.cells
    )
    wrong = replace(plan, cells=cells)
    with pytest.raises(WriteRejected, match="running balance"):
        verify(book.data, patch(book, wrong), wrong)
