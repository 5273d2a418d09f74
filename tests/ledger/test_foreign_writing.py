"""Writes into tables of another layout: planned, done and checked, rejected where they say something else."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from openpyxl import load_workbook

from ledger.changes import CellChange, Plan
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import Book, BookRefused, Draft
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


def as_shown(book: Workbook) -> list[tuple[object, ...]]:
    """The rows another program sees, blank ones left out."""
    rows = load_workbook(BytesIO(book.data)).active
    return [row for row in rows.iter_rows(values_only=True) if any(value is not None for value in row)]


@pytest.mark.parametrize("date1904", [False, True])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("days", ["real", "text"])
@pytest.mark.parametrize("new", [date(2026, 11, 4), date(2026, 11, 10), date(2026, 11, 30)])
def test_a_row_taken_out_again_leaves_the_table_as_it_was(*, date1904: bool, order: int, days: str, new: date) -> None:
    amounts = (
        (date(2026, 11, 5), 100, None, 900),
        (date(2026, 11, 9), None, 50, 950),
        (date(2026, 11, 20), 50, None, 900),
    )
    rows = [
        (f"{day:%d/%m/%Y}" if days == "text" else day, f"ROW {day.day}", out, into, balance)
        for day, out, into, balance in amounts
    ]
    book = workbook([("Date", "Narration", "Withdrawal", "Deposit", "Balance"), *rows[::order]], date1904=date1904)
    understood = replace(read(book), read_only="")
    plan = plan_changes(book, understood, [Add(Draft(new, "NEW", "BANK", "DEBIT", Decimal(5)))])
    after = Workbook(patch(book, plan), book.name)
    verify(book.data, after.data, plan)
    written = replace(read(after), read_only="")
    assert written.balances["BANK"] == Decimal(895)
    assert not written.differences
    added = next(entry for entry in written.entries if entry.description == "NEW")
    assert added.date == new
    back = plan_changes(after, written, [Delete(added)])
    undone = patch(after, back)
    verify(after.data, undone, back)
    assert as_shown(Workbook(undone, book.name)) == as_shown(book)


def test_a_plan_that_writes_a_text_date_the_other_way_round_is_rejected() -> None:
    rows = [("Date", "Narration", "Withdrawal", "Deposit", "Balance"), ("25/11/2026", "A", 10, None, 90)]
    book = workbook(rows)
    understood = replace(read(book), read_only="")
    plan = plan_changes(book, understood, [Add(Draft(date(2026, 12, 5), "B", "BANK", "DEBIT", Decimal(5)))])
    assert any(cell.value == "05/12/2026" for cell in plan.cells)
    cells = tuple(replace(cell, value="12/05/2026") if cell.value == "05/12/2026" else cell for cell in plan.cells)
    wrong = replace(plan, cells=cells)
    with pytest.raises(WriteRejected, match="does not say its draft"):
        verify(book.data, patch(book, wrong), wrong)


def test_a_plan_that_loses_a_row_is_rejected() -> None:
    book, plan = planned("plain", "delete")
    (moves,) = plan.moves
    wrong = replace(plan, moves=(replace(moves, origins=(None,) * len(moves.origins)),))
    with pytest.raises(WriteRejected):
        verify(book.data, patch(book, wrong), wrong)


ROW = Add(Draft(date(2026, 11, 20), "COFFEE", "MONEY", "DEBIT", Decimal(30)))


def test_a_total_right_below_the_last_row_is_refused_by_its_cell() -> None:
    book = workbook([*PLAIN, ("Total", None, "=SUM(C2:C3)|50", None, None)])
    with pytest.raises(BookRefused, match=r"Sheet1!A4 is not blank.*Insert blank rows"):
        plan_changes(book, replace(read(book), read_only=""), [ROW])


def test_a_total_further_down_goes_on_covering_the_rows() -> None:
    book = workbook([*PLAIN, (), ("Total", None, "=SUM(C2:C3)|50", None, None)])
    plan = plan_changes(book, replace(read(book), read_only=""), [ROW])
    assert ("C5", "SUM(C2:C4)") in {(cell.reference, cell.formula) for cell in plan.cells}
    verify(book.data, patch(book, plan), plan)


def test_a_hidden_sheet_is_refused() -> None:
    book = workbook({"Shown": [("Notes",)], "Mine": PLAIN}, hidden=["Mine"])
    with pytest.raises(BookRefused, match=r"The sheet Mine is hidden\. Show it in Excel"):
        plan_changes(book, replace(read(book), read_only=""), [ROW])


def test_an_amount_that_is_a_formula_is_never_overwritten() -> None:
    book = workbook([PLAIN[0], (date(2026, 11, 5), "Tea", "=5+5|10", "Food", "cash"), PLAIN[2]])
    understood = replace(read(book), read_only="")
    tea = understood.entries[0]
    with pytest.raises(BookRefused, match="Sheet1!C2 holds a formula"):
        plan_changes(book, understood, [Edit(tea, replace(draft_of(tea), amount=Decimal(12)))])


def test_running_balances_that_are_formulas_stay_formulas() -> None:
    rows = [
        ("Date", "Narration", "Withdrawal", "Deposit", "Balance"),
        (date(2026, 11, 5), "A", 10, None, 90),
        (date(2026, 11, 9), "B", 5, None, "=E2-C3+D3|85"),
        (date(2026, 11, 12), "C", None, 15, "=E3-C4+D4|100"),
    ]
    book = workbook(rows)
    draft = Draft(date(2026, 11, 10), "NEW", "BANK", "DEBIT", Decimal(20))
    plan = plan_changes(book, replace(read(book), read_only=""), [Add(draft)])
    after = patch(book, plan)
    verify(book.data, after, plan)
    sheet = load_workbook(BytesIO(after)).active
    assert [sheet.cell(row, 5).value for row in range(2, 6)] == [90, "=E2-C3+D3", "=E3-C4+D4", "=E4-C5+D5"]
    shown = load_workbook(BytesIO(after), data_only=True).active
    assert [shown.cell(row, 5).value for row in range(2, 6)] == [90, 85, 65, 80]
