"""A real book written to, undone and restored: what its owner sees of each, and what stays as it was."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger import store as store_module
from ledger.edits import Add, Delete, Edit, draft_of
from ledger.entries import MODES, BookRefused, Category, Draft, Mode
from ledger.store import (
    BookChanged,
    BookMissing,
    BookStore,
    NothingToUndo,
    Overdrawn,
    RequestReused,
)
from ledger.template import new_book

NOON = datetime(2026, 11, 30, 12)
COFFEE = Draft(date(2026, 11, 30), "coffee", "PHONEPE", "DEBIT", Decimal("100.00"), "Food")
TEA = Draft(date(2026, 11, 30), "tea", "MONEY", "DEBIT", Decimal("20.00"), "Food")


def book_bytes(*drafts: Draft, openings: dict[Mode, Decimal | None] | None = None) -> bytes:
    first = Draft(date(2026, 11, 2), "groceries", "PHONEPE", "DEBIT", Decimal("500.00"), "Food")
    return new_book(
        year=2026,
        budget=(Category("Food", "HOME", Decimal(9000), essential=True, words=("coffee", "tea")),),
        openings=openings or dict.fromkeys(MODES, Decimal("1000.00")),
        opening_date=date(2026, 11, 1),
        lists={},
        drafts=(first, *drafts),
        first_month=11,
    )


def store_in(folder: Path) -> BookStore:
    return BookStore(folder / "Budget_2026.xlsx", folder / "home", lambda: NOON)


@pytest.fixture
def store(tmp_path: Path) -> BookStore:
    (tmp_path / "Budget_2026.xlsx").write_bytes(book_bytes())
    return store_in(tmp_path)


def descriptions(store: BookStore) -> list[str]:
    return [entry.description for entry in store.read().book.entries]


def test_a_write_is_a_row_with_a_receipt_naming_its_cells_and_balances(store: BookStore) -> None:
    receipt = store.write([COFFEE, TEA], request="r1", who="asha")
    assert receipt.cells == ("Budget_2026.xlsx#NOVEMBER!C7:J7", "Budget_2026.xlsx#'CASH TRACKER'!B12:J12")
    assert receipt.balances["PHONEPE"] == Decimal(400)
    assert receipt.balances["MONEY"] == Decimal(980)
    assert receipt.at == NOON
    assert receipt.budget_left == (("Food", Decimal(8500), Decimal(8380)),)
    assert descriptions(store) == ["GROCERIES", "COFFEE", "TEA"]
    assert store.read().book.sha256 == receipt.after


def test_the_same_request_gives_an_equal_receipt_and_one_row_in_another_process_too(
    store: BookStore, tmp_path: Path
) -> None:
    first = store.write([COFFEE], request="r1", who="asha")
    assert store.write([COFFEE], request="r1", who="asha") == first
    assert store_in(tmp_path).write([COFFEE], request="r1", who="asha") == first
    assert descriptions(store) == ["GROCERIES", "COFFEE"]


def test_the_same_request_id_with_other_rows_is_refused(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    with pytest.raises(RequestReused):
        store.write([TEA], request="r1", who="asha")
    assert descriptions(store) == ["GROCERIES", "COFFEE"]


def test_an_overdraft_refuses_the_whole_batch_with_its_figures(store: BookStore) -> None:
    before = store.path.read_bytes()
    car = Draft(date(2026, 11, 30), "car", "PHONEPE", "DEBIT", Decimal("1200.00"), "Food")
    with pytest.raises(Overdrawn, match=r"PhonePe has ₹500.00, this needs ₹1,200.00, ₹700.00 short") as refusal:
        store.write([TEA, car], request="r1", who="asha")
    assert refusal.value.overdrafts[0].short == Decimal(700)
    assert store.path.read_bytes() == before
    assert store.history() == ()


def test_a_request_refused_may_come_again_changed(store: BookStore) -> None:
    car = Draft(date(2026, 11, 30), "car", "PHONEPE", "DEBIT", Decimal("1200.00"), "Food")
    with pytest.raises(Overdrawn):
        store.write([car], request="r1", who="asha")
    store.write([COFFEE], request="r1", who="asha")
    assert descriptions(store) == ["GROCERIES", "COFFEE"]


def test_undo_gives_back_the_very_bytes_and_a_second_one_those_before(store: BookStore) -> None:
    original = store.path.read_bytes()
    store.write([COFFEE], request="r1", who="asha")
    between = store.path.read_bytes()
    store.write([TEA], request="r2", who="asha")
    assert store.can_undo("r2")
    assert not store.can_undo("r1")
    undone = store.undo(request="u1", who="asha")
    assert (undone.write, undone.what) == ("r2", "1 row: TEA 20.00")
    assert undone.balances["MONEY"] == Decimal(1000)
    assert store.path.read_bytes() == between
    assert store.undo(request="u1", who="asha") == undone
    assert store.path.read_bytes() == between
    assert store.can_undo("r1")
    assert store.undo(request="u2", who="asha").write == "r1"
    assert store.path.read_bytes() == original
    with pytest.raises(NothingToUndo, match="nothing to undo"):
        store.undo(request="u3", who="asha")


def test_a_write_after_an_undo_is_undone_first(store: BookStore) -> None:
    original = store.path.read_bytes()
    store.write([COFFEE], request="r1", who="asha")
    store.undo(request="u1", who="asha")
    store.write([TEA], request="r2", who="asha")
    assert store.undo(request="u2", who="asha").write == "r2"
    assert store.path.read_bytes() == original


def test_undo_takes_the_row_out_of_a_book_that_was_changed_elsewhere(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    store.path.write_bytes(book_bytes(COFFEE, TEA))
    assert store.can_undo("r1")
    assert store.undo(request="u1", who="asha").balances["PHONEPE"] == Decimal(500)
    assert descriptions(store) == ["GROCERIES", "TEA"]


def test_undo_refuses_a_row_that_was_changed_elsewhere(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    edited = book_bytes(TEA)
    store.path.write_bytes(edited)
    assert not store.can_undo("r1")
    with pytest.raises(NothingToUndo, match=r"COFFEE ₹100.00 of 30 Nov no longer stands .* another program changed it"):
        store.undo(request="u1", who="asha")
    assert store.path.read_bytes() == edited


def test_an_earlier_write_is_undone_and_the_later_one_stays(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    store.write([TEA], request="r2", who="asha")
    assert store.undo_refusal("r1") is None
    undone = store.undo(request="u1", who="asha", write="r1")
    assert (undone.write, undone.what) == ("r1", "1 row: COFFEE 100.00")
    assert descriptions(store) == ["GROCERIES", "TEA"]
    assert store.read().book.balances["PHONEPE"] == Decimal(500)
    assert store.undo(request="u1", who="asha", write="r1") == undone
    assert store.undo(request="u2", who="asha").write == "r2"
    assert descriptions(store) == ["GROCERIES"]
    with pytest.raises(NothingToUndo, match="undone already"):
        store.undo(request="u3", who="asha", write="r1")


def test_edits_and_deletions_are_undone_row_by_row(store: BookStore) -> None:
    groceries = store.read().book.entries[0]
    edit = Edit(groceries, replace(draft_of(groceries), amount=Decimal(450), description="vegetables"))
    assert store.preview([edit]).balances_after["PHONEPE"] == Decimal(550)
    store.change([edit, Add(COFFEE)], request="r1", who="asha")
    assert store.history()[0].facts.what == (
        "1 row: COFFEE 100.00; 1 row edited: GROCERIES 500.00: GROCERIES is VEGETABLES, 500.00 is 450.00"
    )
    store.write([TEA], request="r2", who="asha")
    store.change([Delete(store.read().book.entries[1])], request="r3", who="ravi")
    refusal = store.undo_refusal("r1") or ""
    assert "COFFEE ₹100.00 of 30 Nov was changed again at 12:00 by ravi (1 row deleted: COFFEE 100.00)" in refusal
    store.undo(request="u3", who="asha", write="r3")
    store.undo(request="u1", who="asha", write="r1")
    assert [(e.description, e.amount) for e in store.read().book.entries] == [("GROCERIES", 500), ("TEA", 20)]


def test_undo_refuses_to_take_back_money_that_was_spent_since(store: BookStore) -> None:
    store.write([replace(COFFEE, direction="CREDIT", amount=Decimal(900))], request="r1", who="asha")
    store.write([replace(COFFEE, amount=Decimal(1200))], request="r2", who="asha")
    with pytest.raises(NothingToUndo, match=r"PhonePe would be ₹700.00 short: what came in was spent since"):
        store.undo(request="u1", who="asha", write="r1")


def test_two_people_who_delete_the_same_row_delete_it_once(store: BookStore) -> None:
    store.write([TEA, TEA], request="r1", who="asha")
    shown = store.read().book
    tea = next(entry for entry in shown.entries if entry.description == "TEA")
    store.change([Delete(tea)], request="r2", who="asha", expected=shown.sha256)
    with pytest.raises(BookChanged, match=r"TEA ₹20.00 of 30 Nov was changed or deleted meanwhile"):
        store.change([Delete(tea)], request="r3", who="ravi", expected=shown.sha256)
    assert descriptions(store) == ["GROCERIES", "TEA"]


def test_an_entry_changed_in_excel_meanwhile_is_named_with_the_time(store: BookStore) -> None:
    groceries = store.read().book.entries[0]
    store.path.write_bytes(book_bytes(COFFEE))
    os.utime(store.path, (datetime(2026, 11, 30, 18, 20).timestamp(),) * 2)
    gone = groceries._replace(amount=Decimal(7))
    with pytest.raises(BookChanged, match=r"Excel saved this book at 18:20. NOVEMBER!C6:J6 no longer reads GROCERIES"):
        store.preview([Delete(gone)])


def test_somebody_elses_row_stays_and_the_receipt_says_the_rows_were_planned_anew(store: BookStore) -> None:
    shown = store.read().book.sha256
    store.path.write_bytes(book_bytes(Draft(date(2026, 11, 29), "bread", "PHONEPE", "DEBIT", Decimal(40), "Food")))
    receipt = store.write([COFFEE], request="r1", who="asha", expected=shown)
    assert "had been changed since this was shown" in receipt.notes[0]
    assert receipt.cells == ("Budget_2026.xlsx#NOVEMBER!C8:J8",)
    assert receipt.balances["PHONEPE"] == Decimal(360)
    assert descriptions(store) == ["GROCERIES", "BREAD", "COFFEE"]


@pytest.mark.parametrize("read_before", [True, False])
def test_a_row_somebody_else_has_added_meanwhile_is_not_added_twice(
    store: BookStore, tmp_path: Path, read_before: bool
) -> None:
    shown = store.read().book.sha256
    store.path.write_bytes(book_bytes(COFFEE))
    with pytest.raises(BookChanged, match=r"a row COFFEE ₹100.00 is in it now"):
        (store if read_before else store_in(tmp_path)).write([COFFEE], request="r1", who="asha", expected=shown)
    again = store.write([COFFEE], request="r1", who="asha", expected=store.read().book.sha256)
    assert again.notes == ()
    assert descriptions(store) == ["GROCERIES", "COFFEE", "COFFEE"]


def test_an_equal_row_that_was_shown_is_no_reason_to_refuse(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    shown = store.read().book.sha256
    store.path.write_bytes(book_bytes(COFFEE, TEA))
    store.write([COFFEE], request="r2", who="asha", expected=shown)
    assert descriptions(store) == ["GROCERIES", "COFFEE", "COFFEE", "TEA"]


def test_money_spent_elsewhere_meanwhile_is_counted_against_an_overdraft(store: BookStore) -> None:
    shown = store.read().book.sha256
    store.path.write_bytes(book_bytes(Draft(date(2026, 11, 29), "rent", "PHONEPE", "DEBIT", Decimal(450), "Food")))
    with pytest.raises(Overdrawn, match=r"PhonePe has ₹50.00"):
        store.write([COFFEE], request="r1", who="asha", expected=shown)


def test_an_opening_balance_typed_elsewhere_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    openings: dict[Mode, Decimal | None] = {"PHONEPE": Decimal(1000), "WALLET": None, "MONEY": None, "BANK": None}
    store = store_in(tmp_path)
    store.path.write_bytes(book_bytes(openings=openings))
    shown = store.read().book.sha256
    store.path.write_bytes(book_bytes(openings=openings | {"MONEY": Decimal(70)}))
    with pytest.raises(BookChanged, match=r"Cash now opens with ₹70.00"):
        store.write([TEA], request="r1", who="asha", openings={"MONEY": Decimal(500)}, expected=shown)


def test_an_opening_balance_comes_with_the_first_row(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.path.write_bytes(book_bytes(openings={"PHONEPE": Decimal(1000)}))
    receipt = store.write([TEA], request="r1", who="asha", openings={"MONEY": Decimal(500)})
    assert receipt.balances["MONEY"] == Decimal(480)
    assert store.history()[0].facts.what == "1 row: TEA 20.00; opening Cash 500.00"


def test_an_older_version_comes_back_and_the_newer_one_is_kept(store: BookStore) -> None:
    original = store.path.read_bytes()
    store.write([COFFEE], request="r1", who="asha")
    store.write([TEA], request="r2", who="asha")
    newest = store.path.read_bytes()
    oldest = store.versions()[-1]
    assert (oldest.why, oldest.size) == ("1 row: COFFEE 100.00", len(original))
    restored = store.restore(oldest.sha256, request="v1", who="asha")
    assert restored == store.restore(oldest.sha256, request="v1", who="asha")
    assert store.path.read_bytes() == original
    assert restored.balances["PHONEPE"] == Decimal(500)
    store.undo(request="u1", who="asha")
    assert store.path.read_bytes() == newest
    with pytest.raises(BookRefused, match="not kept"):
        store.restore("0" * 64, request="v2", who="asha")
    with pytest.raises(BookRefused, match="already is that version"):
        store.restore(store.read().book.sha256, request="v3", who="asha")


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"not a book")])
def test_a_lost_or_broken_book_comes_back_from_a_version(store: BookStore, lose: Callable[[Path], object]) -> None:
    original = store.path.read_bytes()
    store.write([COFFEE], request="r1", who="asha")
    lose(store.path)
    with pytest.raises(BookRefused):
        store.read()
    with pytest.raises(BookRefused):
        store.write([TEA], request="r2", who="asha")
    store.restore(store.versions()[-1].sha256, request="v1", who="asha")
    assert store.path.read_bytes() == original


def test_a_missing_book_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(BookMissing):
        store_in(tmp_path).read()
    assert not store_in(tmp_path).can_undo("r1")


def test_what_the_check_rejects_is_not_written(store: BookStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before = store.path.read_bytes()
    monkeypatch.setattr(store_module, "patch", lambda workbook, plan: book_bytes(TEA))
    with pytest.raises(BookRefused, match="The check before saving rejected"):
        store.write([COFFEE], request="r1", who="asha")
    assert store.path.read_bytes() == before
    assert {path.name for path in store.path.parent.iterdir()} <= {"Budget_2026.xlsx", "home"}


def test_an_untouched_book_is_not_understood_again(store: BookStore) -> None:
    opened = store.read()
    assert store.read() is opened
    store.write([COFFEE], request="r1", who="asha")
    assert store.read() is not opened
    store.undo(request="u1", who="asha")
    assert store.read() is opened


def test_the_audit_trail_says_who_did_what_and_when(store: BookStore) -> None:
    store.write([COFFEE], request="r1", who="asha")
    store.undo(request="u1", who="ravi")
    trail = [(line.who, line.facts.kind, line.facts.what, line.at, line.outcome) for line in store.history()]
    assert trail == [
        ("asha", "write", "1 row: COFFEE 100.00", NOON, "done"),
        ("ravi", "undo", "undo of 1 row: COFFEE 100.00", NOON, "done"),
    ]
