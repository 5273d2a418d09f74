"""A row of another year goes to that year's book: begun for the next one, looked for beside this one otherwise."""

from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.durable import DurableFile
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import MODES, BookRefused, Category, Draft, Mode
from ledger.store import BookBusy, BookStore, NothingToUndo, Overdrawn
from ledger.template import new_book
from money import rupees

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


# the year after opens with what this one closes with


@pytest.fixture
def years(store: BookStore, tmp_path: Path) -> tuple[BookStore, BookStore, BookStore]:
    """2026 to 2028, each begun with the closing balances of the one before, with a row of its own."""
    store.write([TEA], request="begin 27", who="asha")
    following = store_of(tmp_path, 2027)
    following.write([replace(TEA, date=date(2028, 1, 1))], request="begin 28", who="asha")
    return store, following, store_of(tmp_path, 2028)


def openings(*stores: BookStore, mode: Mode = "PHONEPE") -> list[int]:
    return [int(store.read().book.openings[mode] or 0) for store in stores]


def test_what_changes_an_earlier_year_changes_the_openings_of_all_that_follow(
    years: tuple[BookStore, BookStore, BookStore],
) -> None:
    first, *later = years
    before = [each.path.read_bytes() for each in years]
    assert openings(*later) == [900, 880]
    coffee = first.read().book.entries[0]
    late = replace(COFFEE, description="late", date=date(2026, 12, 30))
    asked: dict[str, list[EntryChange]] = {
        "edit": [Edit(coffee, replace(draft_of(coffee), amount=Decimal(150)))],
        "delete": [Delete(coffee)],
        "add": [Add(late)],
    }
    for name, by in (("edit", -50), ("delete", 100), ("add", -100)):
        notes = first.preview(asked[name]).notes
        assert f"Budget_2027.xlsx opens with {rupees(Decimal(900 + by))} instead of ₹900.00 in PhonePe." in notes
        assert f"Budget_2028.xlsx opens with {rupees(Decimal(880 + by))} instead of ₹880.00 in PhonePe." in notes
        assert [each.path.read_bytes() for each in years] == before
        assert set(notes) <= set(first.change(asked[name], request=name, who="asha").notes)
        assert openings(*later) == [900 + by, 880 + by]
        assert all(not each.read().book.differences for each in years)
        assert first.can_undo(name)
        first.undo(request=f"undo {name}", who="asha")
        assert [each.path.read_bytes() for each in years] == before


def test_an_earlier_write_is_undone_by_as_much_when_others_followed(
    years: tuple[BookStore, BookStore, BookStore],
) -> None:
    first, second, third = years
    first.write([replace(COFFEE, amount=Decimal(7))], request="r7", who="asha")
    first.write([replace(COFFEE, amount=Decimal(30))], request="r30", who="asha")
    second.write([replace(TEA, date=date(2027, 3, 1))], request="march", who="asha")
    assert openings(second, third) == [863, 823]
    first.undo(request="u", who="asha", write="r7")
    assert openings(second, third) == [870, 830]
    assert third.read().book.balances["PHONEPE"] == 810


def test_the_part_of_a_write_in_another_book_is_undone_with_the_whole(
    years: tuple[BookStore, BookStore, BookStore],
) -> None:
    first, second, third = years
    first.write([COFFEE], request="r", who="asha")
    assert second.undo_refusal("r") is None
    assert second.undo(request="u", who="asha").write == "r"
    assert (len(descriptions(first)), openings(second, third)) == (1, [900, 880])


def test_an_opening_typed_otherwise_is_left_and_said(store: BookStore, tmp_path: Path) -> None:
    data = new_book(2027, BUDGET, dict.fromkeys(MODES, Decimal(5)), date(2027, 1, 1), {}, [], 1)
    (tmp_path / "Budget_2027.xlsx").write_bytes(data)
    receipt = store.write([COFFEE], request="r", who="asha")
    assert receipt.notes[-1] == (
        "Budget_2027.xlsx opens with ₹5.00 in PhonePe, typed otherwise than the ₹900.00 that 2026 closed with, and is "
        "left so."
    )
    assert (tmp_path / "Budget_2027.xlsx").read_bytes() == data


def test_a_book_after_it_that_cannot_be_written_is_left_and_said(store: BookStore, tmp_path: Path) -> None:
    (tmp_path / "Budget_2027.xlsx").write_bytes(b"no workbook")
    receipt = store.write([COFFEE], request="r", who="asha")
    assert receipt.notes[-1].startswith("Budget_2027.xlsx opens with the balances it has: ")


def test_a_missing_book_of_a_year_that_has_come_is_said(tmp_path: Path) -> None:
    data = new_book(2025, BUDGET, dict.fromkeys(MODES, Decimal(500)), date(2025, 12, 1), {}, [], 12)
    (tmp_path / "Budget_2025.xlsx").write_bytes(data)
    receipt = store_of(tmp_path, 2025).write([replace(COFFEE, date=date(2025, 12, 3))], request="r", who="asha")
    assert receipt.notes[-1] == "Budget_2026.xlsx is not beside it: its opening balances do not follow."


def test_a_typed_opening_reaches_the_year_after(years: tuple[BookStore, BookStore, BookStore]) -> None:
    first, second, third = years
    first.change((), request="r", who="asha", openings={"BANK": Decimal(70)})
    assert openings(first, second, third, mode="BANK") == [70, 70, 70]
    first.undo(request="u", who="asha")
    assert openings(first, second, third, mode="BANK") == [1000, 1000, 1000]


def test_an_undo_reaches_a_year_that_was_begun_after_the_write(store: BookStore, tmp_path: Path) -> None:
    store.write([replace(COFFEE, amount=Decimal(40))], request="r", who="asha")
    store.write([TEA], request="begin", who="asha")
    following = store_of(tmp_path, 2027)
    assert openings(following) == [860]
    store.undo(request="u", who="asha", write="r")
    assert openings(following) == [900]
    assert not following.read().book.differences


# an entry that gets a date of another year


def test_a_date_of_another_year_takes_the_row_to_its_book_in_one_write(
    years: tuple[BookStore, BookStore, BookStore],
) -> None:
    first, second, third = years
    before = [each.path.read_bytes() for each in years]
    tea = second.read().book.entries[0]
    change = Edit(tea, replace(draft_of(tea), date=date(2026, 12, 31)))
    plan = second.preview([change])
    assert "TEA ₹20.00 of 1 Jan moves to Budget_2026.xlsx." in plan.notes
    assert "Budget_2027.xlsx opens with ₹880.00 instead of ₹900.00 in PhonePe." in plan.notes
    receipt = second.change([change], request="r", who="asha")
    assert receipt.cells == ("Budget_2026.xlsx#DECEMBER!C7:J7",)
    assert (descriptions(first), descriptions(second)) == (["COFFEE", "TEA"], [])
    assert openings(second, third) == [880, 880]
    assert all(not each.read().book.differences for each in years)
    assert second.change([change], request="r", who="asha") == receipt
    second.undo(request="u", who="asha")
    assert [each.path.read_bytes() for each in years] == before


def test_a_row_moved_to_the_next_year_begins_its_book(store: BookStore, tmp_path: Path) -> None:
    coffee = store.read().book.entries[0]
    late = Edit(coffee, replace(draft_of(coffee), date=date(2027, 1, 2), mode="BANK"))
    store.change([late, Add(replace(COFFEE, description="other"))], request="r", who="asha")
    following = store_of(tmp_path, 2027)
    assert (descriptions(store), descriptions(following)) == (["OTHER"], ["COFFEE"])
    assert following.read().book.openings["PHONEPE"] == 900
    store.undo(request="u", who="asha")
    assert (descriptions(store), descriptions(following)) == (["COFFEE"], [])


@pytest.mark.parametrize("stops", ["Budget_2026.xlsx", "Budget_2027.xlsx", "Budget_2028.xlsx"])
@pytest.mark.parametrize("what", ["write", "undo"])
def test_a_write_or_undo_over_years_cut_off_anywhere_is_finished_before_the_next_read(
    stops: str,
    what: str,
    years: tuple[BookStore, BookStore, BookStore],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, *later = years
    coffee = first.read().book.entries[0]
    change = [Edit(coffee, replace(draft_of(coffee), amount=Decimal(150)))]
    if what == "undo":
        first.change(change, request="r", who="asha")

    def act() -> object:
        if what == "undo":
            return store_of(tmp_path, 2026).undo(request="u", who="asha")
        return store_of(tmp_path, 2026).change(change, request="r", who="asha")

    swap = DurableFile._swap

    def killed(self: DurableFile, *given: object) -> object:
        if self.path.name == stops:
            raise KeyboardInterrupt
        return swap(self, *given)

    with monkeypatch.context() as patched:
        patched.setattr(DurableFile, "_swap", killed)
        with pytest.raises(KeyboardInterrupt):
            act()
    again = store_of(tmp_path, 2026)
    spent = again.read().book.entries[0].amount
    assert (spent, openings(*later)) == ((150, [850, 830]) if what == "write" else (100, [900, 880]))
    act()
    assert (again.read().book.entries[0].amount, openings(*later)) == (
        (150, [850, 830]) if what == "write" else (100, [900, 880])
    )


# a typed opening balance


def test_an_opening_typed_for_the_first_time_is_undone_though_rows_came_since(tmp_path: Path) -> None:
    opened = {mode: Decimal(1000) if mode != "BANK" else None for mode in MODES}
    (tmp_path / "Budget_2026.xlsx").write_bytes(new_book(2026, BUDGET, opened, date(2026, 12, 1), {}, [COFFEE], 12))
    store = store_of(tmp_path, 2026)
    store.change((), request="typed", who="asha", openings={"BANK": Decimal(5000)})
    store.write([replace(COFFEE, description="later")], request="row", who="asha")
    store.undo(request="u", who="asha", write="typed")
    book = store.read().book
    assert (book.openings["BANK"], book.balances["BANK"], book.differences) == (None, 0, ())
    assert descriptions(store) == ["COFFEE", "LATER"]


def test_an_opening_typed_again_is_that_writes_to_undo(store: BookStore) -> None:
    store.change((), request="one", who="asha", openings={"BANK": Decimal(5000)})
    store.change((), request="two", who="asha", openings={"BANK": Decimal(6000)})
    with pytest.raises(NothingToUndo, match="it was typed again since"):
        store.undo(request="u", who="asha", write="one")
    store.undo(request="u2", who="asha", write="two")
    store.undo(request="u1", who="asha", write="one")
    assert store.read().book.openings["BANK"] == 1000
