"""A date is read day first, is the latest not after today when no year is said, and is printed short."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money import day_text, days_text, find_dates, month_span, parse_date, previous_month

TODAY = date(2026, 11, 30)  # a Monday
DAYS = st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-11-30"),
        ("yesterday", "2026-11-29"),
        ("kal", "2026-11-29"),
        ("day before yesterday", "2026-11-28"),
        ("tomorrow", "2026-12-01"),
        ("3 days ago", "2026-11-27"),
        ("a week ago", "2026-11-23"),
        ("two months ago", "2026-09-30"),
        ("friday", "2026-11-27"),
        ("on friday", "2026-11-27"),
        ("monday", "2026-11-30"),
        ("last monday", "2026-11-23"),
        ("12/11", "2026-11-12"),
        ("12-11", "2026-11-12"),
        ("12/11/25", "2025-11-12"),
        ("12.11.2025", "2025-11-12"),
        ("2026-11-30", "2026-11-30"),
        ("12 nov", "2026-11-12"),
        ("5 november", "2026-11-05"),
        ("the 5th of november", "2026-11-05"),
        ("Nov 5", "2026-11-05"),
        ("November 5th, 2025", "2025-11-05"),
        ("12-Nov-26", "2026-11-12"),
        ("12 nov 26", "2026-11-12"),
        ("19AUG2024", "2024-08-19"),
        ("Monday, 30 November", "2026-11-30"),
        ("the 5th", "2026-11-05"),
        ("20th of last month", "2026-10-20"),
        ("first monday of november", "2026-11-02"),
        ("31/10/74", "1974-10-31"),
    ],
)
def test_days_are_read_as_people_say_them(text: str, day: str) -> None:
    assert parse_date(text, TODAY) == date.fromisoformat(day)


def test_without_a_year_it_is_the_latest_such_day_not_after_today() -> None:
    assert parse_date("5 dec", TODAY) == date(2025, 12, 5)
    assert parse_date("29 feb", TODAY) == date(2024, 2, 29)


def test_a_future_date_that_is_said_stays_in_the_future() -> None:
    assert parse_date("5 dec 2026", TODAY) == date(2026, 12, 5)


@pytest.mark.parametrize(
    "text", ["", "500", "5", "coffee", "31/02/2026", "12/31/2026", "32 nov", "Monday 29 nov", "2026"]
)
def test_what_is_no_day_or_a_day_the_calendar_lacks_is_not_read(text: str) -> None:
    assert parse_date(text, TODAY) is None


def test_days_are_found_where_they_stand_in_a_message() -> None:
    found = find_dates("tea 20 cash yesterday, rent 5000 on 5 nov", TODAY)
    assert [(at.text, at.day) for at in found] == [("yesterday", date(2026, 11, 29)), ("5 nov", date(2026, 11, 5))]


@pytest.mark.parametrize(
    "message", ["rent 2000 cash", "1/2 kg paneer 200", "500/- tea", "in november", "sun cream 300"]
)
def test_amounts_fractions_and_months_are_no_days(message: str) -> None:
    assert find_dates(message, TODAY) == ()


def test_a_day_is_printed_with_its_year_only_when_another() -> None:
    assert day_text(date(2026, 11, 28), TODAY) == "28 Nov"
    assert day_text(date(2025, 11, 28), TODAY) == "28 Nov 2025"


@pytest.mark.parametrize(
    ("first", "last", "printed"),
    [
        ("2026-11-22", "2026-11-28", "22 to 28 Nov"),
        ("2026-10-22", "2026-11-03", "22 Oct to 3 Nov"),
        ("2025-12-22", "2026-01-03", "22 Dec 2025 to 3 Jan 2026"),
        ("2025-11-22", "2025-11-28", "22 to 28 Nov 2025"),
        ("2026-11-01", "2026-11-30", "November"),
        ("2025-11-01", "2025-11-30", "November 2025"),
        ("2026-09-01", "2026-11-30", "September to November"),
        ("2025-04-01", "2026-03-31", "April 2025 to March 2026"),
        ("2026-01-01", "2026-12-31", "2026"),
        ("2026-11-28", "2026-11-28", "28 Nov"),
    ],
)
def test_days_are_printed_as_short_as_they_can_be(first: str, last: str, printed: str) -> None:
    assert days_text(date.fromisoformat(first), date.fromisoformat(last), TODAY) == printed


def test_months_know_their_first_and_last_day() -> None:
    assert month_span(date(2024, 2, 10)) == (date(2024, 2, 1), date(2024, 2, 29))
    assert previous_month(date(2026, 1, 31)) == (date(2025, 12, 1), date(2025, 12, 31))


@given(DAYS, DAYS)
def test_what_is_printed_with_a_year_is_read_back(day: date, today: date) -> None:
    for written in (f"{day:%d/%m/%Y}", day.isoformat(), f"{day:%d-%b-%Y}", f"{day.day} {day:%B} {day.year}"):
        assert parse_date(written, today) == day


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2049, 12, 31)), st.integers(min_value=0, max_value=364))
def test_what_is_printed_for_a_day_of_the_past_year_is_read_back(today: date, ago: int) -> None:
    day = today - timedelta(days=ago)
    assert parse_date(day_text(day, today), today) == day


@given(st.text(), st.dates())
def test_no_text_and_no_today_make_reading_fail(text: str, today: date) -> None:
    parse_date(text, today)
    for at in find_dates(text, today):
        assert text[at.start : at.end] == at.text
