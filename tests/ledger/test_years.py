"""A row of another year goes to that year's book: begun for the next one, looked for beside this one otherwise."""

from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.durable import DurableFile
from ledger.edits import Add, Delete, Edit, draft_of
from ledger.entries import MODES, BookRefused, Category, Draft
from ledger.store import BookBusy, BookStore, NothingToUndo, Overdrawn
from ledger.template import new_book

NOON = datetime(2026, 12, 31, 12)
BUDGET = (Category("Food", "HOME", Decimal(9000), essential=True, words=("coffee", "tea")),)
COFFEE = Draft(date(2026, 12, 31), "coffee", "PHONEPE", "DEBIT", Decimal(100), "Food")
TEA = Draft(date(2027, 1, 1), "tea", "PHONEPE", "DEBIT", Decimal(20), "Food")
RENT = Draft(date(2027, 2, 1), "rent", "BANK", "DEBIT", Decimal(50))


@pytest.fixture
def store(tmp_path: Path) -> BookStore:
    opened = dict.fromkeys(MODES, Decimal(1000))
    data = new_book(2026, BUDGET, opened, date(2026, 12, 1), {"FOR HOME": ("SOAP",)}, [COFFEE], 12)
    (tmp_path / "Budget_2026.xlsx").write_bytes(data)
    return store_of(tmp_path, 2026)


def store_of(folder: Path, year: int) -> BookStore:
    return BookStore(folder / f"Budget_{year}.xlsx", folder / "home", lambda: NOON)


def descriptions(store: BookStore) -> list[str]:
    return [entry.description for entry in store.read().book.entries]


def test_the_first_row_of_a_year_begins_its_book_with_the_closing_balances(store: BookStore, tmp_path: Path) -> None:
    before = store.path.read_bytes()
    plan = store.preview([Add(TEA), Add(RENT)])
    assert plan.notes[0] == ("2 rows of 2027 go to Budget_2027.xlsx, which is begun with the closing balances of 2026.")
    assert plan.balances_after["PHONEPE"] == Decimal(880)
    receipt = store.write([TEA, RENT], request="r1", who="asha")
    assert receipt.cells == ("Budget_2027.xlsx#JANUARY!C6:J6", "Budget_2027.xlsx#'CASH TRACKER'!B12:J12")
    assert receipt.balances["BANK"] == Decimal(950)
    assert store.path.read_bytes() == before
    book = store_of(tmp_path, 2027).read().book
    assert (book.openings["PHONEPE"], book.lists["FOR HOME"], book.budget) == (900, ("SOAP",), BUDGET)
    assert store.write([TEA, RENT], request="r1", who="asha") == receipt
    assert descriptions(store_of(tmp_path, 2027)) == ["TEA", "RENT"]


def test_a_book_that_is_there_is_found_again(store: BookStore, tmp_path: Path) -> None:
    store.write([TEA], request="r1", who="asha")
    assert store.preview([Add(RENT)]).notes[0] == "1 row of 2027 goes to Budget_2027.xlsx."
    store.write([RENT], request="r2", who="asha")
    assert descriptions(store_of(tmp_path, 2027)) == ["TEA", "RENT"]
    late = replace(COFFEE, description="late", date=date(2026, 12, 30))
    receipt = store_of(tmp_path, 2027).write([late], request="r3", who="asha")
    assert receipt.cells == ("Budget_2026.xlsx#DECEMBER!C6:J6",)
    later = store.preview([Add(COFFEE)])
    assert "Budget_2027.xlsx opens with balances typed there" in later.notes[-1]
    assert descriptions(store) == ["LATE", "COFFEE"]


def test_rows_of_two_years_are_one_write_and_one_undo(store: BookStore, tmp_path: Path) -> None:
    late = replace(COFFEE, description="late", amount=Decimal(300))
    receipt = store.write([TEA, late], request="r1", who="asha")
    assert receipt.cells == ("Budget_2027.xlsx#JANUARY!C6:J6", "Budget_2026.xlsx#DECEMBER!C7:J7")
    following = store_of(tmp_path, 2027)
    assert following.read().book.openings["PHONEPE"] == Decimal(600)
    assert store.can_undo("r1")
    undone = store.undo(request="u1", who="asha")
    assert undone.write == "r1"
    assert (descriptions(store), descriptions(following)) == (["COFFEE"], [])
    with pytest.raises(NothingToUndo):
        store.undo(request="u2", who="asha")


def test_an_overdraft_in_either_year_refuses_both(store: BookStore, tmp_path: Path) -> None:
    with pytest.raises(Overdrawn):
        store.write([COFFEE, replace(TEA, amount=Decimal(801))], request="r1", who="asha")
    with pytest.raises(Overdrawn):
        store.write([replace(COFFEE, amount=Decimal(901)), TEA], request="r1", who="asha")
    assert not (tmp_path / "Budget_2027.xlsx").exists()
    assert descriptions(store) == ["COFFEE"]


def test_a_year_without_a_book_is_refused_in_words_for_a_browser(store: BookStore) -> None:
    for year in (2025, 2028):
        with pytest.raises(BookRefused, match=f"Put the book of {year} beside it, named Budget_{year}.xlsx") as refused:
            store.write([replace(TEA, date=date(year, 1, 1))], request="r1", who="asha")
        assert "python" not in str(refused.value)
    coffee = store.read().book.entries[0]
    with pytest.raises(BookRefused, match="Delete the row here, and add it with its date"):
        store.preview([Edit(coffee, replace(draft_of(coffee), date=date(2027, 1, 1)))])


def test_a_write_cut_off_between_two_books_is_finished_before_the_next_read(
    store: BookStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = replace(COFFEE, description="late")

    def killed(self: DurableFile, *_: object, **__: object) -> None:
        if self.path.name == "Budget_2026.xlsx":
            raise KeyboardInterrupt
        return swap(self, *_, **__)

    swap = DurableFile._swap
    with monkeypatch.context() as patched:
        patched.setattr(DurableFile, "_swap", killed)
        with pytest.raises(KeyboardInterrupt):
            store.write([TEA, late], request="r1", who="asha")
    again = store_of(tmp_path, 2026)
    assert descriptions(again) == ["COFFEE", "LATE"]
    assert descriptions(store_of(tmp_path, 2027)) == ["TEA"]
    assert len(again.write([TEA, late], request="r1", who="asha").cells) == 2
    assert descriptions(again) == ["COFFEE", "LATE"]


def test_a_year_that_is_open_in_excel_leaves_nothing_to_be_written_later(store: BookStore, tmp_path: Path) -> None:
    store.write([TEA], request="r1", who="asha")
    owner = tmp_path / "~$Budget_2027.xlsx"
    owner.write_bytes(b"\x04Asha")
    with pytest.raises(BookBusy):
        store.write([RENT, replace(COFFEE, description="late")], request="r2", who="asha")
    owner.unlink()
    assert descriptions(store_of(tmp_path, 2026)) == ["COFFEE"]
    assert descriptions(store_of(tmp_path, 2027)) == ["TEA"]


def test_rows_of_next_year_are_undone_when_later_ones_stand(store: BookStore, tmp_path: Path) -> None:
    store.write([TEA], request="r1", who="asha")
    store.write([RENT], request="r2", who="asha")
    store.undo(request="u1", who="asha", write="r1")
    following = store_of(tmp_path, 2027)
    assert descriptions(following) == ["RENT"]
    following.change([Delete(following.read().book.entries[0])], request="r3", who="asha")
    assert "RENT ₹50.00 of 1 Feb was changed again" in (store.undo_refusal("r2") or "")
