"""What months came to: by month, by day, what is left of the budget, and what a month is held against."""

from datetime import date
from decimal import Decimal

from ledger.book import read_book
from ledger.browse import figures
from ledger.budget import status
from ledger.overview import axis_steps, by_day, by_month, closing, days_before, month_left, more_percent
from ledger.queries import Query, Span, run
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)
NOVEMBER = date(2026, 11, 1)
BOOK = read_book(Workbook(sample_book(TODAY), "Sample.xlsx"))


def test_the_months_together_are_all_money_in_and_out() -> None:
    months = by_month(BOOK)
    everything = figures(BOOK.entries)
    assert sum(each.money_in for each in months) == everything.money_in
    assert sum(each.money_out for each in months) == everything.money_out
    assert [each.month for each in months] == sorted(each.month for each in months)


def test_the_days_of_a_month_together_are_its_spending() -> None:
    days = by_day(BOOK, NOVEMBER)
    assert len(days) == 30
    asked = Query("total", "spending", period=Span(NOVEMBER, date(2026, 11, 30), "in November"))
    assert sum(amount for _, amount in days) == run(asked, BOOK).total


def test_what_is_left_of_the_budget_counts_days_only_while_the_month_runs() -> None:
    now = month_left(status(BOOK, Span(NOVEMBER, TODAY, "")), TODAY)
    assert now is not None
    assert now.days_left == 0
    past = month_left(status(BOOK, Span(date(2026, 10, 1), date(2026, 10, 31), "")), TODAY)
    assert past is not None
    assert past.days_left is None
    assert 0 <= past.percent <= 100


def test_a_running_month_is_held_against_as_many_days() -> None:
    assert days_before(NOVEMBER, date(2026, 11, 10)) == (date(2026, 10, 1), date(2026, 10, 10))
    assert days_before(date(2026, 3, 1), date(2026, 3, 31)) == (date(2026, 2, 1), date(2026, 2, 28))
    assert days_before(date(2026, 9, 1), TODAY) == (date(2026, 8, 1), date(2026, 8, 31))


def test_nothing_before_has_no_percentage() -> None:
    assert more_percent(Decimal(100), Decimal(0)) is None
    assert more_percent(Decimal(150), Decimal(100)) == 50


def test_the_closing_of_the_last_month_is_what_there_is_now() -> None:
    assert closing(BOOK, NOVEMBER) == closing(BOOK, None) == sum(BOOK.balances.values())


def test_the_marks_of_an_axis_are_round_and_reach_the_largest_bar() -> None:
    assert axis_steps(Decimal(77_000)) == tuple(map(Decimal, (0, 20_000, 40_000, 60_000)))
    assert axis_steps(Decimal(0)) == (Decimal(0),)
    for most in (Decimal("0.5"), Decimal(3), Decimal(99), Decimal(1_00_00_000)):
        steps = axis_steps(most)
        assert 3 <= len(steps) <= 5
        assert steps[-1] <= most
