"""A person's word on a book: unread cells set aside, and writing into a book that differs from its rows."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.book import read_book
from ledger.check import report
from ledger.edits import Add, Delete
from ledger.entries import BookDiffers, Draft
from ledger.queries import Query, ignored_issues, run, stopping_issues
from ledger.store import BookStore
from ledger.workbook import Workbook

NOVEMBER = date(2026, 11, 30)
TEA = Draft(NOVEMBER, "Tea", "PHONEPE", "DEBIT", Decimal(20))


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[bytes], BookStore]:
    def keep(data: bytes) -> BookStore:
        path = tmp_path / "Budget_2026.xlsx"
        path.write_bytes(data)
        return BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12))

    return keep


def again(store: BookStore, tmp_path: Path) -> BookStore:
    """The same book opened by another process."""
    return BookStore(store.path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12))


def broken(small_book: bytes, edit) -> bytes:
    return edit(small_book, {"NOVEMBER!F8": "e:#REF!"})


def differing(small_book: bytes, edit) -> bytes:
    """A person typed 1,000 too much over the balance of one row, and the rows below went on from it."""
    cells = {
        f"NOVEMBER!H{row}": balance for row, balance in zip(range(6, 10), ("8540.05", *["8545.05"] * 3), strict=True)
    }
    return edit(small_book, {cell: f"n:{balance}" for cell, balance in cells.items()} | {"NOVEMBER!L8": "n:8545.05"})


def test_an_ignored_cell_stops_no_total_and_is_said_to_be_left_out(small_book, edit, kept, tmp_path) -> None:
    store = kept(broken(small_book, edit))
    book = store.read().book
    (issue,) = (each for each in book.issues if each.stops_totals)
    assert stopping_issues(book, None)
    store.ignore(issue)
    for opened in (store, again(store, tmp_path)):
        book = opened.read().book
        assert stopping_issues(book, None) == ()
        assert book.ignored == (issue,)
        assert ignored_issues(book, None) == 1
        assert run(Query("total"), book).stopped_by == ()
    store.show_again(issue)
    assert stopping_issues(store.read().book, None) == (issue,)


def test_an_ignored_cell_comes_back_when_it_reads_something_else(small_book, edit, kept) -> None:
    store = kept(broken(small_book, edit))
    store.ignore(next(each for each in store.read().book.issues if each.stops_totals))
    store.path.write_bytes(edit(small_book, {"NOVEMBER!F8": "e:#VALUE!"}))
    assert [issue.reads for issue in store.read().book.issues] == ["#VALUE!"]
    assert store.read().book.ignored == ()


def test_the_row_of_an_ignored_cell_is_never_written_over(small_book, edit, kept) -> None:
    store = kept(edit(small_book, {"NOVEMBER!E10": "t:FONEPE", "NOVEMBER!F10": "n:5", "NOVEMBER!C10": "n:46330"}))
    (issue,) = store.read().book.issues
    store.ignore(issue)
    receipt = store.write([TEA], request="r", who="test")
    assert receipt.cells[0].endswith("C11:J11")


def test_a_book_that_differs_waits_for_a_word_and_names_the_first_row_with_both_figures(small_book, edit, kept) -> None:
    store = kept(differing(small_book, edit))
    opened = store.read()
    first = opened.book.differences[0]
    assert (first.cell, first.mode, first.shows, first.rows_give) == (
        "NOVEMBER!H6",
        "PHONEPE",
        Decimal("8540.05"),
        Decimal("7540.05"),
    )
    with pytest.raises(BookDiffers, match=r"NOVEMBER!H6 shows ₹8,540.05 for PhonePe, the rows give ₹7,540.05"):
        store.preview([Add(TEA)])
    assert "NOVEMBER!H6 shows ₹8,540.05 for PhonePe" in report(opened.workbook, opened.book)


def test_accepted_differences_stay_as_they_are_while_rows_come_and_go(small_book, edit, kept) -> None:
    """Added, back-dated, edited, deleted, a month opened, and taken back: the book is off by what it was off before."""
    store = kept(differing(small_book, edit))
    store.accept_differences(store.read().book.differences)

    def off() -> set[Decimal]:
        book = store.read().book
        assert book.differences_accepted
        return {each.shows - each.rows_give for each in book.differences if isinstance(each.shows, Decimal)}

    before = store.path.read_bytes()
    receipt = store.write([TEA], request="r1", who="test")
    assert any("differs from its rows, as you said" in note for note in receipt.notes)
    assert any("differs from its rows" in note for note in store.history()[-1].facts.notes)
    assert off() == {Decimal(1000)}
    store.write([Draft(date(2026, 11, 5), "Bun", "PHONEPE", "DEBIT", Decimal(7))], request="r2", who="test")
    assert off() == {Decimal(1000)}
    row = next(entry for entry in store.read().book.entries if entry.description == "BUN")
    store.change([Delete(row)], request="r3", who="test")
    assert off() == {Decimal(1000)}
    store.write([Draft(date(2026, 12, 1), "Milk", "PHONEPE", "DEBIT", Decimal(30))], request="r4", who="test")
    assert off() == {Decimal(1000)}
    for request in ("r4", "r3", "r2", "r1"):
        store.undo(request=f"u{request}", who="test", write=request)
    assert store.path.read_bytes() == before


def test_a_new_difference_is_asked_about_anew(small_book, edit, kept) -> None:
    store = kept(differing(small_book, edit))
    store.accept_differences(store.read().book.differences)
    store.write([TEA], request="r1", who="test")
    store.path.write_bytes(edit(store.path.read_bytes(), {"'CASH TRACKER'!D6": "n:1"}))
    with pytest.raises(BookDiffers):
        store.write([TEA], request="r2", who="test")


def test_a_damaged_file_of_overrides_says_nothing(small_book, edit, kept, tmp_path) -> None:
    store = kept(broken(small_book, edit))
    store.ignore(store.read().book.issues[0])
    (file,) = (tmp_path / "home").rglob("overrides.json")
    file.write_text("{")
    assert store.read().book.ignored == ()
    assert read_book(Workbook(store.path.read_bytes(), "x")).issues == store.read().book.issues
