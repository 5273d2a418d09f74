from datetime import date
from decimal import Decimal

import pytest

from agent.language.knowledge import Knowledge
from ledger.entries import Book, Category, Entry

TODAY = date(2026, 11, 30)

BUDGET = (
    Category("Groceries", "HOME", Decimal(8000), essential=True, words=("groceries", "vegetables", "milk", "rice")),
    Category("Rent", "HOME", Decimal(15000), essential=True, words=("rent",)),
    Category("Food", "PERSONAL", Decimal(15000), essential=False, words=("restaurant", "lunch", "coffee", "tea")),
    Category("Travel", "PERSONAL", Decimal(6000), essential=False, words=("petrol", "auto", "cab")),
    Category("Shopping", "PERSONAL", Decimal(12000), essential=False, words=("shirt", "amazon")),
    Category("Wishlist", "WISHLIST", Decimal(4000), essential=False, words=("headset", "shoes")),
    Category("Fees and fines", "AVOID", Decimal(500), essential=False, words=("late fee", "fine")),
    Category("For family", "PAY HOME", Decimal(5000), essential=False),
    Category("Transfer", "TRANSFER", None, essential=True, words=("atm withdrawal", "cash from atm", "topup")),
)


def entry(day: int, description: str, category: str | None = None) -> Entry:
    tags = ("PARTY",) if "[PARTY]" in description else ()
    return Entry(
        date(2026, 11, day), description, "PHONEPE", "DEBIT", Decimal(100), category, None, tags, "NOVEMBER", 5 + day
    )


BOOK = Book(
    name="Budget_2026.xlsx",
    sha256="0" * 64,
    year=2026,
    entries=(
        entry(1, "PETROL", "Travel"),
        entry(2, "TEAM LUNCH [PARTY]", "Food"),
        entry(3, "COFFEE WITH RAVI", "Food"),
        entry(4, "SALARY"),
    ),
    issues=(),
    budget=BUDGET,
    lists={},
    openings={},
    opening_cells={},
    months=("NOVEMBER",),
)


@pytest.fixture(scope="session")
def today() -> date:
    return TODAY


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return Knowledge.of(BOOK)
