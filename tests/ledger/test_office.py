"""LibreOffice calculates every formula of our books to the value that is written beside it."""

from collections.abc import Callable, Mapping
from datetime import date

import pytest

from ledger.entries import Book
from ledger.template import blank_book, sample_book

pytestmark = pytest.mark.office

Stale = Callable[[bytes, Mapping[str, object]], list[str]]


@pytest.fixture(scope="module")
def books(small_book: bytes, edit: Callable[..., bytes]) -> Mapping[str, bytes]:
    return {
        "small": small_book,
        "sample": sample_book(date(2026, 11, 28)),
        "january": sample_book(date(2027, 1, 9)),
        "blank": blank_book(2026, date(2026, 11, 28)),
        "wrong": edit(small_book, {"NOVEMBER!H6": 'v:H5+IF($E6="PHONEPE",$G6-$F6,0)|1'}),
    }


@pytest.fixture(scope="module")
def saved(
    books: Mapping[str, bytes], saved_by_libreoffice: Callable[[Mapping[str, bytes]], Mapping[str, bytes]]
) -> Mapping[str, bytes]:
    return saved_by_libreoffice(books)


@pytest.fixture(scope="module")
def fresh(
    saved: Mapping[str, bytes], cell_values: Callable[[bytes], Mapping[str, object]]
) -> Mapping[str, Mapping[str, object]]:
    return {name: cell_values(data) for name, data in saved.items()}


def test_a_book_saved_by_libreoffice_has_the_same_rows_and_balances(
    books: Mapping[str, bytes], saved: Mapping[str, bytes], read: Callable[[bytes], Book]
) -> None:
    for name in ("small", "sample"):
        before, after = read(books[name]), read(saved[name])
        assert (after.issues, after.disagreements) == ((), ())
        assert after.entries == before.entries
        assert after.balances == before.balances


@pytest.mark.parametrize("name", ["small", "sample", "january", "blank"])
def test_every_formula_of_a_new_book_has_the_value_libreoffice_finds(
    name: str, books: Mapping[str, bytes], fresh: Mapping[str, Mapping[str, object]], stale_formulas: Stale
) -> None:
    assert stale_formulas(books[name], fresh[name]) == []


def test_libreoffice_finds_the_balances_the_rows_give(fresh: Mapping[str, Mapping[str, object]]) -> None:
    assert fresh["small"]["NOVEMBER!L8"] == pytest.approx(7670.1 - 120.1 - 9.95 + 5)
    assert fresh["small"]["TERMINOLOGY!K5"] == 60000 + 150000 - 15000 - 2000


def test_the_comparison_notices_a_wrong_value(
    books: Mapping[str, bytes], fresh: Mapping[str, Mapping[str, object]], stale_formulas: Stale
) -> None:
    assert [sentence.split()[0] for sentence in stale_formulas(books["wrong"], fresh["wrong"])] == ["NOVEMBER!H6"]
