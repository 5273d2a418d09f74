"""An unread cell typed right: its row counts, every balance below follows, nothing else moves, and it is taken back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.book import read_book
from ledger.changes import CellChange, Mend, Value
from ledger.entries import Book, BookRefused, Issue
from ledger.mending import can_mend, plan_mends
from ledger.patch import patch
from ledger.store import BookStore
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[bytes], BookStore]:
    def keep(data: bytes) -> BookStore:
        path = tmp_path / "Budget_2026.xlsx"
        path.write_bytes(data)
        return BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12))

    return keep


def issue_of(book: Book, cell: str) -> Issue:
    return next(issue for issue in book.issues if issue.cell == cell)


CASES: tuple[tuple[str, str, tuple[tuple[str, Value], ...]], ...] = (
    ("NOVEMBER!F6", "e:#REF!", (("F", Decimal("9.95")), ("G", None))),
    ("NOVEMBER!F6", "t:abc", (("F", Decimal("9.95")), ("G", None))),
    ("NOVEMBER!E6", "t:FONEPE", (("E", "PHONEPE"),)),
    ("NOVEMBER!C6", "t:some day", (("C", date(2026, 11, 5)),)),
    ("'CASH TRACKER'!C13", "t:some day", (("C", date(2026, 11, 2)),)),
    ("NOVEMBER!G6", "n:3", (("F", Decimal("9.95")), ("G", None))),
)


@pytest.mark.parametrize(("cell", "stands", "cells"), CASES)
def test_a_mended_cell_makes_the_book_what_it_was_before_it_broke(
    small_book, edit, kept, cell: str, stands: str, cells
) -> None:
    whole = read_book(Workbook(small_book, "Budget_2026.xlsx"))
    store = kept(edit(small_book, {cell: stands}))
    before = store.path.read_bytes()
    book = store.read().book
    issue = book.issues[0]
    assert can_mend(issue, book)
    store.mend([Mend(issue, cells)], request="m", who="test")
    mended = store.read().book
    assert (mended.issues, mended.balances) == ((), whole.balances)
    assert mended.disagreements == ()
    assert [entry[:6] for entry in mended.entries] == [entry[:6] for entry in whole.entries]
    assert store.history()[-1].facts.what.startswith("1 cell mended")
    store.undo(request="u", who="test")
    assert store.path.read_bytes() == before


def test_another_amount_than_before_moves_every_later_balance_and_card(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"OCTOBER!F6": "e:#REF!"}))
    issue = issue_of(store.read().book, "OCTOBER!F6")
    store.mend([Mend(issue, (("F", Decimal("220.10")), ("G", None)))], request="m", who="test")
    book = store.read().book
    assert book.balances["PHONEPE"] == Decimal("7445.05")
    assert book.disagreements == ()
    assert {card.shows for card in book.cards if card.mode == "PHONEPE" and card.month == "NOVEMBER"} == {
        Decimal("7445.05")
    }


def test_what_would_not_be_read_either_is_refused_with_the_reason(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"NOVEMBER!E6": "t:FONEPE"}))
    issue = issue_of(store.read().book, "NOVEMBER!E6")
    before = store.path.read_bytes()
    with pytest.raises(BookRefused, match="BANK rows stand in CASH TRACKER"):
        store.mend([Mend(issue, (("E", "BANK"),))], request="m", who="test")
    assert store.path.read_bytes() == before


def test_a_cell_that_reads_something_else_by_now_is_left_alone(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"NOVEMBER!E6": "t:FONEPE"}))
    issue = issue_of(store.read().book, "NOVEMBER!E6")
    store.path.write_bytes(edit(small_book, {"NOVEMBER!E6": "t:PONEFE"}))
    with pytest.raises(BookRefused, match="does not read FONEPE any more"):
        store.mend([Mend(issue, (("E", "PHONEPE"),))], request="m", who="test")


def test_an_opening_balance_that_could_not_be_read_is_typed(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"OCTOBER!H5": "t:about 7000"}))
    issue = issue_of(store.read().book, "OCTOBER!H5")
    store.mend([Mend(issue, (("H", Decimal("7670.1")),))], request="m", who="test")
    book = store.read().book
    assert (book.issues, book.disagreements) == ((), ())
    assert book.openings["PHONEPE"] == Decimal("7670.1")


def test_a_budget_that_could_not_be_read_is_typed(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"BUDGET!E5": "t:lots"}))
    issue = issue_of(store.read().book, "BUDGET!E5")
    store.mend([Mend(issue, (("E", Decimal(5000)),))], request="m", who="test")
    assert store.read().book.budget[0].monthly == 5000


@pytest.mark.parametrize(
    "stray",
    [
        CellChange("NOVEMBER", "H", 7, value=Decimal("1.00")),
        CellChange("NOVEMBER", "L", 8, value=Decimal("1.00")),
        CellChange("NOVEMBER", "D", 7, value="ANOTHER"),
        CellChange("NOVEMBER", "F", 8, value=Decimal(1)),
    ],
)
def test_the_check_rejects_whatever_does_not_follow_from_the_mended_cell(small_book, edit, stray: CellChange) -> None:
    data = edit(small_book, {"NOVEMBER!E6": "t:FONEPE"})
    workbook = Workbook(data, "Budget_2026.xlsx")
    book = read_book(workbook)
    plan = plan_mends(workbook, book, [Mend(book.issues[0], (("E", "PHONEPE"),))])
    verify(data, patch(workbook, plan), plan)
    others = [cell for cell in plan.cells if (cell.column, cell.row) != (stray.column, stray.row)]
    harmful = replace(plan, cells=(*others, stray))
    with pytest.raises(WriteRejected):
        verify(data, patch(workbook, harmful), harmful)


def test_errors_below_a_mended_amount_become_balances_again(small_book, edit, kept) -> None:
    whole = read_book(Workbook(small_book, "Budget_2026.xlsx"))
    store = kept(edit(small_book, {"NOVEMBER!F6": "e:#REF!"} | {f"NOVEMBER!H{row}": "e:#REF!" for row in range(6, 11)}))
    issue = issue_of(store.read().book, "NOVEMBER!F6")
    store.mend([Mend(issue, (("F", Decimal("9.95")), ("G", None)))], request="m", who="test")
    assert store.read().book.balances == whole.balances
    assert not [each for each in store.read().book.differences if each.cell.startswith("NOVEMBER!H")]
