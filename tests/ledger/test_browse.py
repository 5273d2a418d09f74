"""Entries are looked through by date, with balances, filtered, a page at a time; an address may name some of them."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ledger.book import read_book
from ledger.browse import (
    Filter,
    Listed,
    figures,
    listed,
    matching,
    months_of,
    page_of,
    places_in,
    places_text,
)
from ledger.entries import MODES, Book
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)
BOOK: Book = read_book(Workbook(sample_book(TODAY), "Sample.xlsx"))
ROWS = listed(BOOK)


def test_every_entry_is_listed_once_by_date() -> None:
    assert sorted(row.entry for row in ROWS) == sorted(BOOK.entries)
    assert [row.entry.date for row in ROWS] == sorted(entry.date for entry in BOOK.entries)


def test_the_balance_beside_a_modes_last_entry_is_what_the_mode_holds() -> None:
    for mode in MODES:
        last = next(entry for entry in reversed(BOOK.entries) if entry.mode == mode)
        assert next(row.balance for row in ROWS if row.entry == last) == BOOK.balances[mode]


def test_each_field_of_a_filter_narrows_and_an_empty_one_does_not() -> None:
    assert matching(ROWS, Filter()) == ROWS
    november = matching(ROWS, Filter(month=date(2026, 11, 1)))
    assert {row.entry.date.month for row in november} == {11}
    cash = matching(november, Filter(modes=("MONEY",)))
    assert cash
    assert {row.entry.mode for row in cash} == {"MONEY"}
    none = matching(ROWS, Filter(categories=(None,)))
    assert {row.entry.category for row in none} == {None}
    assert {row.entry.category for row in matching(ROWS, Filter(categories=("food",)))} == {"Food"}
    big = matching(ROWS, Filter(least=Decimal(1000), most=Decimal(3000)))
    assert all(1000 <= row.entry.amount <= 3000 for row in big)
    assert {row.entry.description for row in matching(ROWS, Filter(text=" filter  coffee "))} == {"FILTER COFFEE"}
    assert Filter(modes=("MONEY",), text="x").narrows == 2


def test_the_months_are_those_with_a_sheet_or_an_entry_newest_first() -> None:
    months = months_of(BOOK)
    assert months[0] == date(2026, 11, 1)
    assert list(months) == sorted(set(months), reverse=True)


def test_what_came_in_and_went_out_leaves_transfers_out() -> None:
    transfers = [entry for entry in BOOK.entries if entry.is_transfer]
    assert transfers
    assert figures(transfers).net == 0
    assert figures(transfers).entries_in == 0


@given(st.integers(0, 1100), st.integers(-3, 12), st.integers(1, 300))
def test_the_pages_hold_every_row_once_in_order(count: int, number: int, size: int) -> None:
    rows = [Listed(BOOK.entries[0], Decimal(place)) for place in range(count)]
    pages = page_of(rows, 1, size).pages
    together = [row for at in range(1, pages + 1) for row in page_of(rows, at, size).rows]
    assert together == rows
    assert 1 <= page_of(rows, number, size).number <= pages


SHEETS = st.sampled_from(["NOVEMBER", "CASH TRACKER", "It's", "Sheet1"])


@given(st.frozensets(st.tuples(SHEETS, st.integers(1, 400)), max_size=60))
def test_rows_named_in_an_address_are_the_same_rows_read_from_it(places: frozenset[tuple[str, int]]) -> None:
    assert places_in(places_text(places)) == places


@given(st.text())
def test_any_address_names_rows_or_none(text: str) -> None:
    assert isinstance(places_in(text), frozenset)


def test_an_address_cannot_name_more_rows_than_a_book_has() -> None:
    assert len(places_in("A!A1:A9999999,B!A1:A9999999")) <= 20_000
