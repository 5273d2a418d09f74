"""A description is filed the way this book files it; only then the way people commonly do."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.categories import categorise, listed_group
from ledger.entries import Book, Category, Entry

BUDGET = (
    Category("Groceries", "HOME", Decimal(8000), essential=True, words=("milk", "rice", "water can")),
    Category("Bills", "HOME", Decimal(2000), essential=True, words=("water",)),
    Category("Food & drinks", "PERSONAL", Decimal(4000), essential=False, words=("lunch",)),
    Category("Grooming", "PERSONAL", Decimal(500), essential=False),
    Category("Wish", "WISHLIST", None, essential=False),
    Category("Transfer", "TRANSFER", None, essential=True, words=("atm withdrawal",)),
)
LISTS = {"FOR HOME": ("SOAP", "BUCKET"), "PERSONAL": ("HAIRCUT",), "WISHLIST": ("GUITAR", "RICE COOKER")}


def filed(description: str, category: str | None, day: int) -> Entry:
    line = next((line for line in BUDGET if line.name == category), None)
    group = line.group if line else None
    return Entry(
        date(2026, 3, day), description, "MONEY", "DEBIT", Decimal(10), category, group, (), "CASH TRACKER", day
    )


def book(*entries: Entry, budget: tuple[Category, ...] = BUDGET) -> Book:
    return Book("b", "0", 2026, entries, (), budget, LISTS, {}, {}, ("MARCH",))


def test_the_books_own_rows_come_before_everything_else() -> None:
    own = book(filed("MILK", "Bills", 3), filed("MILK [PARTY]", "Wish", 9), filed("MILK", None, 20))
    assert categorise("milk", own) == "Wish"
    assert categorise("milk packet", own) == "Groceries"


@pytest.mark.parametrize(
    ("description", "category"),
    [
        ("milk", "Groceries"),
        ("Team LUNCH [party]", "Food & drinks"),
        ("lunches", None),
        ("water can", "Groceries"),
        ("water", "Bills"),
        ("waterfall trek", None),
        ("ATM withdrawal", "Transfer"),
        ("bills", "Bills"),
    ],
)
def test_budget_words_are_whole_words_and_the_longest_wins(description: str, category: str | None) -> None:
    assert categorise(description, book()) == category


def test_a_word_list_gives_the_category_when_its_group_has_just_one() -> None:
    assert categorise("guitar", book()) == "Wish"
    assert (categorise("bucket", book()), listed_group("bucket", book())) == (None, "HOME")


def test_where_a_lists_group_has_several_the_common_meaning_decides_among_them() -> None:
    assert categorise("soap", book()) == "Groceries"
    assert categorise("haircut", book()) == "Grooming"


def test_budget_words_come_before_longer_words_of_the_lists() -> None:
    assert categorise("rice cooker", book()) == "Groceries"


def test_common_words_are_filed_under_a_category_the_book_has_by_its_own_name() -> None:
    assert categorise("masala dosa", book()) == "Food & drinks"
    assert categorise("uber to office", book()) is None
    assert categorise("uber", book(budget=(Category("Conveyance", "HOME", None, essential=True),))) == "Conveyance"


@pytest.mark.parametrize(
    "description", ["amma", "Ravi", "akka gave", "", "   ", "[party]", "123", "salary", "transfer to ravi"]
)
def test_a_persons_name_and_income_have_no_category(description: str) -> None:
    assert categorise(description, book()) is None


@given(st.text(max_size=30))
def test_a_category_is_always_one_of_the_books(description: str) -> None:
    category = categorise(description, book())
    assert category is None or category in {line.name for line in BUDGET}
