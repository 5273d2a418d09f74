"""The sidebar's budget: which month, how much of it, and how long still."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from frame.sidebar import days_left_words, month_budget
from ledger.entries import Book, Category, Entry

FOOD = Category("Food", "PERSONAL", Decimal(1000), essential=False)
MOVES = Category("Transfer", "TRANSFER", Decimal(500), essential=False)
LUNCH = Entry(date(2026, 11, 3), "LUNCH", "PHONEPE", "DEBIT", Decimal(250), "Food", "PERSONAL", (), "NOVEMBER", 6)
BOOK = Book("b.xlsx", "", 2026, (LUNCH,), (), (FOOD, MOVES), {}, {}, {}, ("OCTOBER", "NOVEMBER"))


def test_the_budget_is_the_running_month_s_without_transfers() -> None:
    budget = month_budget(BOOK, date(2026, 11, 28))
    assert budget is not None
    assert (budget.month, budget.spent, budget.budget, budget.days_left) == ("November", 250, 1000, 2)
    assert budget.share == 0.25


def test_another_year_s_book_shows_its_last_month_without_days_left() -> None:
    budget = month_budget(BOOK, date(2027, 2, 1))
    assert budget is not None
    assert (budget.month, budget.days_left) == ("November", None)


def test_a_book_without_budgets_shows_none() -> None:
    assert month_budget(replace(BOOK, budget=(replace(FOOD, monthly=None),)), date(2026, 11, 28)) is None


def test_spending_over_the_budget_fills_the_bar_and_no_more() -> None:
    over = replace(BOOK, entries=(LUNCH._replace(amount=Decimal(2500)),))
    budget = month_budget(over, date(2026, 11, 28))
    assert budget is not None
    assert budget.share == 1.0


def test_days_left_are_said_in_words() -> None:
    assert [days_left_words(days) for days in (0, 1, 9)] == ["last day", "1 day left", "9 days left"]
