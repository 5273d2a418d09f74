"""Spending against the month before, the budget's alerts, what to save, and what the money has to last for."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.budget import CUT_PERCENT, Profile, alerts, recommendations, status, summary
from ledger.entries import CASH_TRACKER, MODES, MONTHS, Book, Category, Entry, Mode
from ledger.outlook import affordable, on_hand, outlook
from ledger.queries import Query, Span, run
from ledger.spending import Change, anomalies, changes, compared_days

BUDGET = (
    Category("Rent", "HOME", Decimal(9000), essential=True),
    Category("Food", "PERSONAL", Decimal(2000), essential=False),
    Category("Fun", "PERSONAL", Decimal(1000), essential=False),
    Category("Books", "PERSONAL", None, essential=False),
    Category("Fines", "AVOID", Decimal(0), essential=False),
    Category("Phone", "WISHLIST", Decimal(5000), essential=False, words=("phone",)),
    Category("Transfer", "TRANSFER", None, essential=True),
)
GROUPS = {line.name: line.group for line in BUDGET}
OPENINGS: dict[Mode, Decimal | None] = {
    "PHONEPE": Decimal(5000),
    "WALLET": None,
    "MONEY": Decimal(1000),
    "BANK": Decimal(20000),
}


def row(line: str, number: int) -> Entry:
    """`2026-03-02 BANK DEBIT 9000 Rent RENT` as the entry of that row; `-` is no category."""
    day, mode, direction, amount, category, description = line.split(maxsplit=5)
    when = date.fromisoformat(day)
    sheet = MONTHS[when.month - 1] if mode in ("PHONEPE", "WALLET") else CASH_TRACKER
    name = None if category == "-" else category
    return Entry(when, description, mode, direction, Decimal(amount), name, GROUPS.get(category), (), sheet, number)  # type: ignore[arg-type]


def book(*lines: str) -> Book:
    entries = tuple(row(line, number) for number, line in enumerate(lines, start=6))
    balances = {mode: OPENINGS[mode] or Decimal(0) for mode in MODES}
    for entry in entries:
        balances[entry.mode] += entry.amount if entry.direction == "CREDIT" else -entry.amount
    return Book("B.xlsx", "0" * 64, 2026, entries, (), BUDGET, {}, OPENINGS, {}, (), balances=balances)


def month(day: date) -> Span:
    return compared_days(None, day).now


BOOK = book(
    "2026-01-02 BANK    DEBIT  9000.00  Rent     RENT",
    "2026-02-02 BANK    DEBIT  9000.00  Rent     RENT",
    "2026-02-03 BANK    CREDIT 30000.00 -        SALARY",
    "2026-02-10 PHONEPE DEBIT  1000.00  Food     TIFFIN",
    "2026-02-27 PHONEPE DEBIT  500.00   Food     CAKE",
    "2026-03-02 BANK    DEBIT  9000.00  Rent     RENT",
    "2026-03-03 BANK    CREDIT 31000.00 -        SALARY",
    "2026-03-05 BANK    DEBIT  1500.00  Transfer TOPUP",
    "2026-03-05 PHONEPE CREDIT 1500.00  Transfer TOPUP RECEIVED",
    "2026-03-09 PHONEPE DEBIT  1300.50  Food     TEAM LUNCH",
    "2026-03-10 PHONEPE CREDIT 100.50   Food     REFUND OF LUNCH",
    "2026-03-12 PHONEPE DEBIT  900.00   Fun      CONCERT",
    "2026-03-14 PHONEPE DEBIT  250.00   Books    NOVEL",
    "2026-03-15 MONEY   DEBIT  50.00    Fines    FINE",
    "2026-03-20 PHONEPE DEBIT  700.00   Food     DINNER",
    "2026-03-25 MONEY   DEBIT  30.00    -        BALLOONS",
)
MARCH_12, MARCH_31 = date(2026, 3, 12), date(2026, 3, 31)


def by_name(lines: tuple[Change, ...]) -> dict[str | None, Change]:
    return {line.category: line for line in lines}


# which days


@pytest.mark.parametrize(
    ("period", "today", "now", "before", "partial"),
    [
        (None, "2026-03-31", "in March", "in February", False),
        (None, "2026-03-12", "from 1 to 12 Mar", "from 1 to 12 Feb", True),
        (None, "2026-03-30", "from 1 to 30 Mar", "in February", True),
        (None, "2026-03-01", "on 1 Mar", "on 1 Feb", True),
        (None, "2026-01-10", "from 1 to 10 Jan", "from 1 to 10 Dec 2025", True),
        (("2026-02-01", "2026-02-28", "last month"), "2026-03-12", "last month", "in January", False),
        (
            ("2026-01-01", "2026-12-31", "this year"),
            "2026-03-31",
            "in January to March",
            "in January to March 2025",
            True,
        ),
        (("2026-03-06", "2026-03-12", "last week"), "2026-03-12", "last week", "from 27 Feb to 5 Mar", False),
        (("2026-03-09", "2026-03-15", "this week"), "2026-03-12", "from 9 to 12 Mar", "from 2 to 5 Mar", True),
    ],
)
def test_the_days_before_are_as_many_and_said(
    period: tuple[str, str, str] | None, today: str, now: str, before: str, partial: bool
) -> None:
    span = Span(date.fromisoformat(period[0]), date.fromisoformat(period[1]), period[2]) if period else None
    days = compared_days(span, date.fromisoformat(today))
    assert (days.now.words, days.before.words) == (now, before)
    assert days.partial is partial


@given(st.dates(date(2026, 2, 1), date(2026, 12, 31)))
def test_of_an_unfinished_month_the_same_days_of_the_month_before_are_compared(today: date) -> None:
    days = compared_days(None, today)
    assert days.now.first == today.replace(day=1)
    assert days.now.last == today
    assert days.before.first.day == 1
    assert days.before.last < days.now.first
    assert days.before.last.day == today.day or (days.before.last + timedelta(days=1)).day == 1


@given(st.dates(date(2026, 1, 8), date(2026, 12, 1)), st.integers(0, 40))
def test_other_days_are_held_against_as_many_just_before_them(first: date, more: int) -> None:
    last = first + timedelta(days=more)
    days = compared_days(Span(first, last, "then"), date(2027, 2, 1))
    if first.day != 1:
        assert days.before.last + timedelta(days=1) == first
        assert days.before.last - days.before.first == last - first


# spending and anomalies


def test_each_category_stands_beside_the_month_before_with_its_rows() -> None:
    lines = by_name(changes(BOOK, compared_days(None, MARCH_31)))
    food = lines["Food"]
    assert (food.now.total, food.before.total, food.more) == (Decimal(1900), Decimal(1500), Decimal(400))
    assert [entry.description for entry in food.now.entries] == ["TEAM LUNCH", "REFUND OF LUNCH", "DINNER"]
    assert lines["Rent"].percent == 0
    assert lines["Fun"].percent is None
    assert "Transfer" not in lines
    assert lines[None].now.total == 30


def test_in_the_middle_of_a_month_only_the_same_days_are_compared() -> None:
    food = by_name(changes(BOOK, compared_days(None, MARCH_12)))["Food"]
    assert (food.now.total, food.before.total) == (Decimal(1200), Decimal(1000))
    assert not food.is_anomaly


@pytest.mark.parametrize(
    ("before", "now", "anomaly"),
    [
        ("1000", "1200", False),
        ("1000", "1200.01", True),
        ("0.05", "0.06", False),
        ("0.05", "0.07", True),
        ("100", "50", False),
        ("0", "5000", False),
    ],
)
def test_more_than_a_fifth_up_is_an_anomaly_and_nothing_before_is_none(before: str, now: str, anomaly: bool) -> None:
    rows = [f"2026-03-01 BANK DEBIT {now} Food X"]
    if Decimal(before):
        rows.append(f"2026-02-01 BANK DEBIT {before} Food X")
    (line,) = changes(book(*rows), compared_days(None, MARCH_31))
    assert line.is_anomaly is anomaly
    assert (line.percent is None) is (before == "0")
    assert line.is_new is (before == "0")


DAYS = st.dates(date(2026, 1, 1), date(2026, 4, 30))
AMOUNTS = st.integers(1, 500000).map(lambda paise: Decimal(paise) / 100)
ROWS = st.lists(
    st.builds(
        lambda day, mode, direction, amount, category: f"{day} {mode} {direction} {amount} {category} X",
        DAYS,
        st.sampled_from(MODES),
        st.sampled_from(["DEBIT", "DEBIT", "CREDIT"]),
        AMOUNTS,
        st.sampled_from(["Rent", "Food", "Fun", "Books", "Fines", "Transfer", "-"]),
    ),
    max_size=25,
)
BOOKS = ROWS.map(lambda rows: book(*rows))


@given(BOOKS, DAYS)
def test_the_categories_of_both_periods_sum_to_the_spending_of_each(kept: Book, today: date) -> None:
    days = compared_days(None, today)
    lines = changes(kept, days)
    for side, span in ((lambda line: line.now, days.now), (lambda line: line.before, days.before)):
        assert sum(side(line).total for line in lines) == run(Query("total", "spending", span), kept).total
    for line in lines:
        own = sum(entry.amount if entry.direction == "DEBIT" else -entry.amount for entry in line.now.entries)
        assert own == line.now.total
        if line.percent is not None:
            assert line.is_anomaly == (line.now.total * 5 > line.before.total * 6)
    assert [line.category for line in anomalies(lines)] == [
        line.category for line in sorted(lines, key=lambda line: -line.more) if line.is_anomaly
    ]


# the budget


def test_the_month_stands_against_its_budget_with_what_no_budget_covers_apart() -> None:
    found = status(BOOK, month(MARCH_31))
    assert (found.budget, found.spent, found.left) == (Decimal(17000), Decimal(11850), Decimal(5150))
    assert found.unplanned.total == 280
    assert [line.category.name for line in found.lines] == ["Rent", "Food", "Fun", "Fines", "Phone"]


def test_in_the_middle_of_a_month_the_budget_stands_as_of_that_day() -> None:
    food = next(line for line in status(BOOK, month(MARCH_12)).lines if line.category.name == "Food")
    assert (food.spent, food.level) == (Decimal(1200), None)


def test_over_budget_comes_before_close_to_it_and_a_fixed_bill_not_at_all() -> None:
    told = alerts(status(BOOK, month(MARCH_31)).lines)
    assert [(line.category.name, line.level) for line in told] == [
        ("Fines", "critical"),
        ("Food", "warning"),
        ("Fun", "warning"),
    ]


def test_a_fixed_bill_over_its_budget_is_told_of() -> None:
    rows = [f"2026-0{number}-02 BANK DEBIT 9000.01 Rent RENT" for number in (1, 2, 3)]
    (line,) = alerts(status(book(*rows), month(MARCH_31)).lines)
    assert (line.category.name, line.level, line.left) == ("Rent", "critical", Decimal("-0.01"))


@pytest.mark.parametrize(
    ("spent", "level"),
    [("899.99", None), ("900", "warning"), ("1000", "warning"), ("1000.01", "critical")],
)
def test_a_warning_is_from_nine_tenths_and_critical_only_over_the_budget(spent: str, level: str | None) -> None:
    found = status(book(f"2026-03-02 BANK DEBIT {spent} Fun X"), month(MARCH_31))
    assert next(line for line in found.lines if line.category.name == "Fun").level == level


@given(BOOKS, DAYS)
def test_alerts_are_the_lines_at_nine_tenths_or_more_most_serious_first(kept: Book, today: date) -> None:
    found = status(kept, month(today))
    told = alerts(found.lines)
    for line in found.lines:
        over = line.spent > line.budget
        near = line.spent > 0 and line.spent * 10 >= line.budget * 9
        assert (line in told) == (over or (near and not line.fixed))
        assert (line.level == "critical") == over
    levels = [line.level for line in told]
    assert levels == sorted(levels)
    for one, other in pairwise(told):
        if one.level == other.level and one.budget and other.budget:
            assert one.spent * other.budget >= other.spent * one.budget
    total = run(Query("total", "spending", Span(today.replace(day=1), today, "")), kept).total
    assert found.spent + found.unplanned.total == total


def _whole_month(day: date) -> tuple[date, date]:
    return day.replace(day=1), (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


# what to save


@pytest.mark.parametrize(("profile", "saving"), [("conservative", 190), ("balanced", 285), ("aggressive", 380)])
def test_how_bold_one_is_decides_the_cut(profile: Profile, saving: int) -> None:
    first, second = recommendations(changes(BOOK, compared_days(None, MARCH_31)), BOOK, profile)
    assert (first.change.category, first.cut_percent, first.saving) == ("Food", CUT_PERCENT[profile], saving)
    assert second.change.category == "Fun"


def test_an_anomaly_comes_before_what_costs_more() -> None:
    kept = book(
        "2026-02-01 BANK DEBIT 1000 Food X", "2026-03-01 BANK DEBIT 1000 Food X",
        "2026-02-01 BANK DEBIT 100 Fun X", "2026-03-01 BANK DEBIT 130 Fun X",
        "2026-03-01 BANK DEBIT 9000 Rent RENT", "2026-03-01 BANK DEBIT 700 Books X",
    )  # fmt: skip
    found = recommendations(changes(kept, compared_days(None, MARCH_31)), kept)
    assert [each.change.category for each in found] == ["Fun", "Food"]


@given(BOOKS, DAYS, st.sampled_from(sorted(CUT_PERCENT)))
def test_only_what_is_not_essential_is_cut_two_at_most(kept: Book, today: date, profile: Profile) -> None:
    lines = changes(kept, compared_days(None, today))
    found = recommendations(lines, kept, profile)
    possible = [line for line in lines if line.category in ("Food", "Fun", "Books", "Fines") and line.now.total > 0]
    assert len(found) == min(2, len(possible))
    for each in found:
        assert each.change in possible
        assert 0 <= each.saving <= each.change.now.total
        assert abs(each.saving * 100 - each.change.now.total * CUT_PERCENT[profile]) <= Decimal("0.5")
    left = [line for line in possible if line not in [each.change for each in found]]
    for line in left:
        assert all(each.change.is_anomaly or not line.is_anomaly for each in found)


# summary and plan


def test_a_summary_has_what_came_what_went_and_the_largest_expense() -> None:
    found = summary(BOOK, date(2026, 3, 1), MARCH_31)
    assert (found.income, found.spending, found.saved) == (Decimal(31000), Decimal(12130), Decimal(18870))
    assert found.largest is not None
    assert found.largest.description == "RENT"
    assert summary(BOOK, date(2026, 4, 1), date(2026, 4, 30)).saved_percent is None


def test_the_plan_sets_bills_aside_and_spreads_the_rest_over_the_days_left() -> None:
    found = outlook(BOOK, date(2026, 3, 31), date(2026, 4, 30))
    assert [(due.bill.description, due.day) for due in found.due] == [("RENT", date(2026, 4, 2))]
    assert found.days_left == 31
    assert found.free == found.on_hand.total - 9000 == sum(BOOK.balances.values()) - 9000
    assert found.a_day == (found.free / 31).quantize(Decimal("0.01"), "ROUND_FLOOR")


def test_the_pace_leaves_bills_aside_and_its_range_is_that_of_the_last_months() -> None:
    kept = book(
        "2026-01-02 BANK DEBIT 9000 Rent RENT", "2026-01-10 BANK DEBIT 3100 Food X",
        "2026-02-02 BANK DEBIT 9000 Rent RENT", "2026-02-10 BANK DEBIT 280 Food X",
        "2026-03-02 BANK DEBIT 9000 Rent RENT", "2026-03-10 BANK DEBIT 600 Food Y",
    )  # fmt: skip
    pace = outlook(kept, MARCH_12).pace
    assert (pace.spent, pace.everyday, pace.days_gone, pace.days_after) == (Decimal(9600), Decimal(50), 12, 19)
    assert pace.forecast == 9600 + 50 * 19
    assert pace.between == (9600 + 10 * 19, 9600 + 100 * 19)


@given(BOOKS, DAYS, st.integers(0, 70))
def test_what_is_left_a_day_never_spends_more_than_there_is(kept: Book, today: date, ahead: int) -> None:
    found = outlook(kept, today, today + timedelta(days=ahead))
    assert found.days_left == ahead + 1
    assert found.on_hand.total == sum(kept.balances.values())
    assert 0 <= found.a_day * found.days_left <= max(found.free, 0)
    assert max(found.free, 0) - found.a_day * found.days_left < Decimal("0.01") * found.days_left
    low, high = found.pace.between
    assert low <= found.pace.forecast <= high
    assert all(each.day <= found.until for each in found.due)
    assert all(found.until < each.day <= found.until + timedelta(days=7) for each in found.soon)
    assert found.pace.days_gone + found.pace.days_after == _whole_month(today)[1].day
    if found.pace.days_after == 0 and not found.pace.bills:
        assert found.pace.forecast == found.pace.spent


# can I afford it


def test_what_is_affordable_leaves_the_bills_of_the_next_month_alone() -> None:
    found = affordable(BOOK, MARCH_31, Decimal(12000), "phone")
    assert found.bills == 9000
    assert found.left == sum(BOOK.balances.values()) - 9000 - 12000
    assert found.from_one == ("BANK",)
    assert (found.category, found.budget_left) == ("Phone", Decimal(-7000))


def test_a_mode_that_is_named_counts_alone_with_the_bills_paid_from_it() -> None:
    found = affordable(BOOK, MARCH_31, Decimal(100), modes=("MONEY",))
    assert (found.on_hand.total, found.bills, found.category, found.budget_left) == (Decimal(920), 0, None, None)
    assert on_hand(BOOK).unknown == ("WALLET",)


@given(BOOKS, DAYS, AMOUNTS)
def test_the_price_and_what_is_left_make_what_is_free(kept: Book, today: date, price: Decimal) -> None:
    found = affordable(kept, today, price)
    assert found.left + price + found.bills == sum(kept.balances.values())
    assert set(found.from_one) == {mode for mode in MODES if kept.balances[mode] >= price}
