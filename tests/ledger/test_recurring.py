"""Bills that come back are found in the rows, and when they are due next."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.entries import CASH_TRACKER, Book, Entry
from ledger.recurring import Bill, bills_due, fixed_categories, has_ended, recurring_bills


def paid(day: str | date, amount: int | str | Decimal, description: str = "RENT", category: str = "Rent") -> Entry:
    when = date.fromisoformat(day) if isinstance(day, str) else day
    group = "TRANSFER" if category == "Transfer" else "HOME"
    return Entry(
        when, description, "BANK", "DEBIT", Decimal(amount), category, group, (), CASH_TRACKER, when.toordinal()
    )  # type: ignore[arg-type]


def book(*entries: Entry) -> Book:
    return Book("Budget_2026.xlsx", "0" * 64, 2026, entries, (), (), {}, {}, {}, ())


def found(*entries: Entry) -> tuple[Bill, ...]:
    return recurring_bills(book(*entries))


def monthly(amount: int | str, months: tuple[int, ...], day: int = 2, description: str = "RENT") -> tuple[Entry, ...]:
    return tuple(paid(date(2026, month, day), amount, description) for month in months)


def test_a_rent_paid_each_month_is_a_bill_with_its_next_day_and_its_year() -> None:
    (bill,) = found(*monthly(15000, (9, 10, 11)))
    assert (bill.description, bill.amount, bill.rhythm.every) == ("RENT", 15000, "month")
    assert bill.next_due == date(2026, 12, 2)
    assert bill.yearly == 180000
    assert [entry.date.month for entry in bill.entries] == [9, 10, 11]


@pytest.mark.parametrize(
    ("days", "every", "due", "a_year"),
    [
        (("2026-03-02", "2026-03-09", "2026-03-16"), "week", "2026-03-23", 52),
        (("2026-03-02", "2026-03-17", "2026-03-30"), "fortnight", "2026-04-13", 26),
        (("2026-01-05", "2026-02-03", "2026-03-07"), "month", "2026-04-05", 12),
        (("2026-01-31", "2026-02-28", "2026-03-31"), "month", "2026-04-30", 12),
        (("2026-09-01", "2026-10-01", "2026-10-31"), "month", "2026-12-01", 12),
        (("2026-01-10", "2026-04-12", "2026-07-09"), "quarter", "2026-10-10", 4),
        (("2025-01-10", "2025-07-10", "2026-01-12"), "half-year", "2026-07-10", 2),
    ],
)
def test_the_interval_may_come_a_few_days_early_or_late(
    days: tuple[str, ...], every: str, due: str, a_year: int
) -> None:
    (bill,) = found(*(paid(day, 500) for day in days))
    assert (bill.rhythm.every, bill.next_due, bill.yearly) == (every, date.fromisoformat(due), 500 * a_year)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((("2026-09-02", 500), ("2026-10-02", 500)), id="twice is no habit"),
        pytest.param((("2026-09-02", 500), ("2026-09-20", 500), ("2026-11-02", 500)), id="no steady interval"),
        pytest.param((("2026-09-10", 2000), ("2026-10-09", 2000), ("2026-11-09", 2100)), id="no steady amount"),
        pytest.param((("2026-09-04", 3150), ("2026-10-04", 3300), ("2026-11-04", 3400)), id="each time another amount"),
        pytest.param((("2026-09-04", 100), ("2026-09-04", 100), ("2026-09-04", 100)), id="three on one day"),
    ],
)
def test_what_is_not_steady_is_no_bill(rows: tuple[tuple[str, int], ...]) -> None:
    assert found(*(paid(day, amount) for day, amount in rows)) == ()


def test_transfers_and_income_are_no_bills() -> None:
    moved = [paid(date(2026, month, 7), 4000, "ATM WITHDRAWAL", "Transfer") for month in (9, 10, 11)]
    salary = [entry._replace(direction="CREDIT") for entry in monthly(50000, (9, 10, 11), description="SALARY")]
    assert found(*moved, *salary) == ()


def test_the_same_description_is_the_same_whatever_its_case_and_tags() -> None:
    rows = monthly(649, (9, 10, 11))
    names = ("NETFLIX", "Netflix [family]", "NETFLIX")
    (bill,) = found(*(row._replace(description=name) for row, name in zip(rows, names, strict=True)))
    assert len(bill.entries) == 3


def test_a_new_price_is_the_bills_once_the_old_one_had_held() -> None:
    (bill,) = found(*monthly(15000, (6, 7, 8)), *monthly(16500, (9, 10)))
    assert (bill.amount, len(bill.entries), bill.yearly) == (16500, 5, 198000)


def test_a_price_that_jumps_begins_a_new_bill() -> None:
    assert found(*monthly(500, (6, 7, 8)), *monthly(5000, (9,))) == ()


def test_a_missed_month_begins_the_bill_anew() -> None:
    (bill,) = found(*monthly(649, (3, 4, 6, 7, 8)))
    assert [entry.date.month for entry in bill.entries] == [6, 7, 8]


def test_what_is_due_is_listed_by_day_and_a_late_bill_counts_once() -> None:
    bills = found(*monthly(15000, (9, 10, 11)), *monthly(799, (9, 10, 11), day=25, description="BROADBAND"))
    due = bills_due(bills, date(2026, 12, 5), date(2027, 1, 31))
    assert [(each.bill.description, each.day) for each in due] == [
        ("RENT", date(2026, 12, 2)),
        ("BROADBAND", date(2026, 12, 25)),
        ("RENT", date(2027, 1, 2)),
        ("BROADBAND", date(2027, 1, 25)),
    ]


def test_a_bill_that_did_not_come_for_a_whole_interval_has_ended() -> None:
    (bill,) = found(*monthly(649, (3, 4, 5)))
    assert not has_ended(bill, date(2026, 7, 1))
    assert has_ended(bill, date(2026, 7, 2))
    assert bills_due((bill,), date(2026, 7, 2), date(2026, 12, 31)) == ()


def test_a_category_is_fixed_when_all_its_expenses_are_bills() -> None:
    rent = monthly(15000, (9, 10, 11))
    films = tuple(paid(date(2026, month, 9), 649, "NETFLIX", "Fun") for month in (9, 10, 11))
    once = paid("2026-11-20", 900, "MOVIE", "Fun")
    kept = book(*rent, *films, once)
    assert fixed_categories(kept, recurring_bills(kept)) == {"rent"}
    kept = book(*rent, *films)
    assert fixed_categories(kept, recurring_bills(kept)) == {"rent", "fun"}


DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 31))


@given(DAYS, st.sampled_from([7, 14]), st.integers(3, 8), st.integers(1, 99999), st.integers(0, 120))
def test_a_bill_of_exact_days_is_due_exactly_so_many_days_later(
    first: date, step: int, times: int, paise: int, ahead: int
) -> None:
    amount = Decimal(paise) / 100
    rows = [paid(first + timedelta(days=step * number), amount) for number in range(times)]
    (bill,) = found(*reversed(rows))
    last = rows[-1].date
    assert bill.entries == tuple(rows)
    assert bill.next_due == last + timedelta(days=step)
    due = bills_due((bill,), last, last + timedelta(days=ahead))
    assert [each.day for each in due] == [last + timedelta(days=step * k) for k in range(1, ahead // step + 1)]


@given(st.integers(1, 31), st.integers(1, 6), st.integers(3, 6), st.data())
def test_a_bill_of_one_day_a_month_stays_on_that_day(day: int, month: int, times: int, data: st.DataObject) -> None:
    def on(number: int) -> date:
        after = date(2026 + number // 12, number % 12 + 1, 1)
        length = (date(after.year + after.month // 12, after.month % 12 + 1, 1) - after).days
        return after.replace(day=min(day, length))

    rows = [paid(on(month - 1 + number), 100) for number in range(times)]
    (bill,) = found(*data.draw(st.permutations(rows)))
    # of February alone the thirtieth cannot be told from the twenty-eighth: most of the rows decide
    assert bill.next_due.day >= min(day, 28) - 1
    assert (bill.next_due.year * 12 + bill.next_due.month) == 2026 * 12 + month + times
    assert bill.yearly == 1200


@given(st.lists(st.tuples(st.dates(date(2026, 1, 1), date(2026, 12, 28)), st.integers(1, 500)), max_size=12))
def test_every_bill_is_made_of_rows_of_the_book_and_is_due_after_them(rows: list[tuple[date, int]]) -> None:
    kept = book(*(paid(day, amount) for day, amount in rows))
    for bill in recurring_bills(kept):
        assert len(bill.entries) >= 3
        assert set(bill.entries) <= set(kept.entries)
        assert bill.next_due > bill.entries[-1].date
        assert bill.amount == bill.entries[-1].amount
