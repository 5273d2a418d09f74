"""A row of a month that has no sheet: before the first one, between two, after the last; every balance follows."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.edits import Add
from ledger.entries import BookRefused, Draft
from ledger.plan import plan_changes
from ledger.store import BookStore
from ledger.template import new_book
from ledger.workbook import Workbook
from tests.ledger.test_edits import BUDGET, OPENINGS, cells, changed, order, reading, shown

TEA = Draft(date(2026, 9, 3), "tea", "PHONEPE", "DEBIT", Decimal("10.5"), "Food")


def on(month: int, day: int = 9, **facts: object) -> Draft:
    return replace(TEA, date=date(2026, month, day), **facts)  # type: ignore[arg-type]


def opening(data: bytes, month: str, column: str = "H") -> tuple[object, str | None]:
    cell = Workbook(data, "Budget_2026.xlsx").sheet(month).cells(5).get(column)
    return shown(data, f"{month}!{column}5"), cell.formula if cell else None


def test_a_row_before_the_first_month_opens_its_sheet_with_the_books_openings(small_book: bytes) -> None:
    after, plan = changed(small_book, Add(TEA))
    book = reading(after)
    assert book.months == ("SEPTEMBER", "OCTOBER", "NOVEMBER")
    assert (opening(after, "SEPTEMBER"), opening(after, "OCTOBER")) == (
        (Decimal("7670.1"), None),
        (Decimal("7659.6"), "SEPTEMBER!L8"),
    )
    assert book.openings == reading(small_book).openings
    assert "The sheet SEPTEMBER is opened, with the opening balances of the book." in plan.notes
    assert "October now opens with the balances of September." in plan.notes


def test_rows_of_several_months_before_the_first_open_each_in_order(small_book: bytes) -> None:
    after, _ = changed(small_book, Add(on(9)), Add(on(3)), Add(on(7, mode="WALLET")), Add(on(10, 31)))
    assert reading(after).months == ("MARCH", "JULY", "SEPTEMBER", "OCTOBER", "NOVEMBER")
    assert [opening(after, month)[1] for month in ("MARCH", "JULY", "SEPTEMBER", "OCTOBER")] == [
        None,
        "MARCH!L8",
        "JULY!L8",
        "SEPTEMBER!L8",
    ]
    again, _ = changed(after, Add(on(1)), Add(on(5, mode="BANK")))
    assert reading(again).months[:3] == ("JANUARY", "MARCH", "MAY")
    assert reading(again).openings == reading(small_book).openings


def test_an_opening_that_was_never_typed_stays_so() -> None:
    book = new_book(2026, BUDGET, OPENINGS, date(2026, 10, 1), {}, [], 10)
    after, _ = changed(book, Add(on(9)))
    assert (opening(after, "SEPTEMBER", "I"), opening(after, "OCTOBER", "I")) == ((None, None), (0, "SEPTEMBER!L7"))
    assert reading(after).openings == reading(book).openings


def test_a_month_that_is_missing_between_two_opens_in_its_place(small_book: bytes) -> None:
    gap, _ = changed(small_book, Add(on(3)), Add(on(12)))
    after, _ = changed(gap, Add(on(5)), Add(on(6, mode="WALLET")), Add(on(4, 30)))
    assert reading(after).months == ("MARCH", "APRIL", "MAY", "JUNE", "OCTOBER", "NOVEMBER", "DECEMBER")
    assert opening(after, "OCTOBER")[1] == "JUNE!L8"
    assert order(after, "MAY") == ["TEA"]


def test_a_book_of_plain_numbers_gets_plain_numbers_before_its_first_month(
    small_book: bytes, edit: Callable[..., bytes]
) -> None:
    plain = {}
    for month, rows in (("OCTOBER", range(5, 7)), ("NOVEMBER", range(5, 10))):
        places = [f"{column}{row}" for column in "HI" for row in rows] + ["L7", "L8"]
        plain |= {f"{month}!{place}": f"n:{shown(small_book, f'{month}!{place}')}" for place in places}
    after, _ = changed(edit(small_book, plain), Add(TEA))
    assert (opening(after, "OCTOBER"), opening(after, "NOVEMBER")) == (
        (Decimal("7659.6"), None),
        (Decimal("7539.5"), None),
    )


def test_openings_and_a_row_before_the_first_month_are_saved_one_after_the_other(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    with pytest.raises(BookRefused, match="Save these first, and then the row"):
        plan_changes(workbook, reading(small_book), [Add(TEA)], {"PHONEPE": Decimal(5)})


def test_a_month_before_the_first_is_undone(small_book: bytes, tmp_path: Path) -> None:
    path = tmp_path / "Budget_2026.xlsx"
    path.write_bytes(small_book)
    store = BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12))
    store.write([TEA], request="r", who="asha")
    store.write([on(11, 30)], request="later", who="asha")
    store.undo(request="u", who="asha", write="r")
    assert (order(path.read_bytes(), "SEPTEMBER"), opening(path.read_bytes(), "OCTOBER")[0]) == ([], Decimal("7670.1"))
    store.undo(request="u2", who="asha")
    assert reading(path.read_bytes()).balances == reading(small_book).balances
    assert cells(path.read_bytes())["NOVEMBER!H9"] == cells(small_book)["NOVEMBER!H9"]


@pytest.mark.office
def test_libreoffice_finds_the_balances_of_new_months(
    small_book: bytes,
    recalculated: Callable[[Mapping[str, bytes]], Mapping[str, Mapping[str, object]]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    first = changed(small_book, Add(on(9)), Add(on(3)))[0]
    books = {"first": first, "between": changed(first, Add(on(5)), Add(on(1)), Add(on(12)))[0]}
    fresh = recalculated(books)
    assert {name: stale_formulas(data, fresh[name]) for name, data in books.items()} == {name: [] for name in books}
