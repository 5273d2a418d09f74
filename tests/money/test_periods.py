"""A period is found in a question, both its days included, and named so that the reply can say it."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money import find_periods

TODAY = date(2026, 11, 30)  # a Monday


@pytest.mark.parametrize(
    ("question", "first", "last", "words"),
    [
        ("how much did I spend this month?", "2026-11-01", "2026-11-30", "this month"),
        ("spending last month", "2026-10-01", "2026-10-31", "in October"),
        ("food in november", "2026-11-01", "2026-11-30", "in November"),
        ("expenses in december", "2025-12-01", "2025-12-31", "in December 2025"),
        ("nov 2025", "2025-11-01", "2025-11-30", "in November 2025"),
        ("november last year", "2025-11-01", "2025-11-30", "in November 2025"),
        ("spending last week", "2026-11-24", "2026-11-30", "last week (24 to 30 Nov)"),
        ("last 7 days", "2026-11-24", "2026-11-30", "in the last 7 days (24 to 30 Nov)"),
        ("last 3 months", "2026-08-01", "2026-10-31", "in the last 3 months (August to October)"),
        ("today", "2026-11-30", "2026-11-30", "today"),
        ("yesterday", "2026-11-29", "2026-11-29", "yesterday"),
        ("on 5 nov", "2026-11-05", "2026-11-05", "on 5 Nov"),
        ("this year", "2026-01-01", "2026-12-31", "this year"),
        ("in 2025", "2025-01-01", "2025-12-31", "in 2025"),
        ("expenses 2026", "2026-01-01", "2026-12-31", "in 2026"),
        ("from 5 nov to 12 nov", "2026-11-05", "2026-11-12", "from 5 to 12 Nov"),
        ("between 5 and 12 nov", "2026-11-05", "2026-11-12", "from 5 to 12 Nov"),
        ("5-12 nov", "2026-11-05", "2026-11-12", "from 5 to 12 Nov"),
        ("5/11 to 12/11", "2026-11-05", "2026-11-12", "from 5 to 12 Nov"),
        ("since 5 nov", "2026-11-05", "2026-11-30", "since 5 Nov"),
        ("from 20 oct", "2026-10-20", "2026-11-30", "since 20 Oct"),
        ("from monday to friday", "2026-11-23", "2026-11-27", "from 23 to 27 Nov"),
        ("until yesterday", "0001-01-01", "2026-11-29", "up to 29 Nov"),
        ("from august to october", "2026-08-01", "2026-10-31", "from August to October"),
        ("dec to feb", "2025-12-01", "2026-02-28", "from December 2025 to February 2026"),
        ("first week of november", "2026-11-01", "2026-11-07", "from 1 to 7 Nov"),
        ("FY 2025-26", "2025-04-01", "2026-03-31", "in FY 2025-26"),
        ("FY26", "2025-04-01", "2026-03-31", "in FY 2025-26"),
        ("this FY", "2026-04-01", "2027-03-31", "in FY 2026-27"),
        ("Q2 FY26", "2025-07-01", "2025-09-30", "in Q2 FY 2025-26 (July to September 2025)"),
        ("last quarter", "2026-07-01", "2026-09-30", "in July to September"),
        ("year to date", "2026-01-01", "2026-11-30", "this year so far"),
    ],
)
def test_periods_are_understood(question: str, first: str, last: str, words: str) -> None:
    (period,) = find_periods(question, TODAY)
    assert (period.first.isoformat(), period.last.isoformat(), period.words) == (first, last, words)


def test_a_range_begun_this_year_is_this_years_even_before_it_ends() -> None:
    (period,) = find_periods("between august and october", date(2026, 9, 7))
    assert (period.first, period.last) == (date(2026, 8, 1), date(2026, 10, 31))


def test_two_periods_of_a_comparison_are_found_apart() -> None:
    found = find_periods("compare november with october", TODAY)
    assert [period.words for period in found] == ["in November", "in October"]


def test_the_preposition_belongs_to_the_period() -> None:
    (period,) = find_periods("food in november please", TODAY)
    assert period.text == "in november"


@pytest.mark.parametrize(
    "question", ["latest bank transaction", "may I see it", "above 2000", "expenses over 2025", "hi"]
)
def test_what_names_no_period_has_none(question: str) -> None:
    assert find_periods(question, TODAY) == ()


@given(st.text(), st.dates())
def test_no_text_and_no_today_make_finding_fail(text: str, today: date) -> None:
    assert all(period.first <= period.last for period in find_periods(text, today))


# fmt: off
WORDS = st.sampled_from((
    "last", "this", "next", "month", "week", "year", "fy", "quarter", "november", "dec", "5",
    "12", "2026", "2025-26", "from", "to", "between", "and", "since", "before", "q2", "h1",
    "29", "feb", "ago", "days", "999", "first", "friday", "-", "of", "until",
))
# fmt: on


@given(st.lists(WORDS, max_size=7).map(" ".join), st.dates())
def test_any_order_of_period_words_is_read_or_left(text: str, today: date) -> None:
    assert all(period.first <= period.last for period in find_periods(text, today))


@pytest.mark.parametrize(
    ("text", "today", "first", "last"),
    [
        ("what will I spend later this month", date(2026, 11, 20), date(2026, 11, 20), date(2026, 11, 30)),
        ("earlier this year", date(2026, 11, 20), date(2026, 1, 1), date(2026, 11, 20)),
        ("the last 3 working days", date(2026, 11, 30), date(2026, 11, 25), date(2026, 11, 27)),
        ("3 days from today", date(2026, 11, 30), date(2026, 12, 3), date(2026, 12, 3)),
        ("first half of 2025", date(2026, 11, 30), date(2025, 1, 1), date(2025, 6, 30)),
        ("h2 2025", date(2026, 11, 30), date(2025, 7, 1), date(2025, 12, 31)),
        ("2026-W45", date(2026, 11, 30), date(2026, 11, 2), date(2026, 11, 8)),
        ("week 45 of 2026", date(2026, 11, 30), date(2026, 11, 2), date(2026, 11, 8)),
        ("since october till 12 november", date(2026, 11, 30), date(2026, 10, 1), date(2026, 11, 12)),
        ("in the 1990s", date(2026, 11, 30), date(1990, 1, 1), date(1999, 12, 31)),
        ("the eighties", date(2026, 11, 30), date(1980, 1, 1), date(1989, 12, 31)),
        ("last week of 2025", date(2026, 11, 30), date(2025, 12, 29), date(2026, 1, 4)),
        ("week starting on 2 November", date(2026, 11, 30), date(2026, 11, 2), date(2026, 11, 8)),
        ("between now and 5 December", date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 5)),
        ("10-31-24", date(2026, 11, 30), date(2024, 10, 31), date(2024, 10, 31)),
    ],
)
def test_parts_weeks_decades_and_ranges_from_now_are_the_days_they_name(
    text: str, today: date, first: date, last: date
) -> None:
    (found,) = find_periods(text, today)
    assert (found.first, found.last) == (first, last)
