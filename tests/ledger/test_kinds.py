"""What a row counts as: one definition for the chat, the Ledger's tiles, the sidebar and the advice."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frame.sidebar import month_budget
from ledger.book import read_book
from ledger.browse import figures
from ledger.budget import summary
from ledger.entries import MODES, Book, Category, Direction, Entry, Group, Mode
from ledger.kinds import is_expense, is_income, is_refund, moves_of
from ledger.overview import by_day, by_month
from ledger.queries import Query, Span, run, spending_by_category
from ledger.spending import spent_by_category
from ledger.template import sample_book
from ledger.workbook import Workbook

BUDGET = (
    Category("Food", "PERSONAL", Decimal(2000), essential=False),
    Category("Transfer", "TRANSFER", None, essential=True),
)
MARCH = Span(date(2026, 3, 1), date(2026, 3, 31), "in March")
SAMPLE = read_book(Workbook(sample_book(date(2026, 11, 30)), "Sample.xlsx"))


def entry(
    description: str,
    direction: Direction = "CREDIT",
    category: str | None = None,
    *,
    amount: str = "100",
    mode: Mode = "BANK",
    row: int = 6,
    day: int = 3,
) -> Entry:
    group: Group | None = {"Food": "PERSONAL", "Transfer": "TRANSFER"}.get(category or "")  # type: ignore[assignment]
    return Entry(date(2026, 3, day), description, mode, direction, Decimal(amount), category, group, (), "MARCH", row)


def book(*entries: Entry) -> Book:
    return Book("b", "0", 2026, entries, (), BUDGET, {}, dict.fromkeys(MODES, Decimal(0)), {}, ("MARCH",))


@pytest.mark.parametrize(
    "description",
    ["FLIPKART REFUND", "REFUNDED BY MYNTRA", "SHOES RETURNED", "UPI REVERSAL", "CHARGE REVERSED", "Amazon chargeback"],
)
def test_money_that_came_back_is_a_refund_whether_or_not_it_has_a_category(description: str) -> None:
    for category in (None, "Food"):
        assert is_refund(entry(description, category=category))
        assert not is_income(entry(description, category=category))
    assert not is_refund(entry(description, "DEBIT"))
    assert not is_refund(entry(description, category="Transfer"))


@pytest.mark.parametrize("description", ["SALARY", "CASHBACK RECEIVED", "RETURNS ON FD", "NONREFUNDABLE DEPOSIT BACK"])
def test_other_money_in_is_income(description: str) -> None:
    assert is_income(entry(description))


def test_a_refund_without_a_category_lowers_the_total_and_no_category() -> None:
    some = book(
        entry("TIFFIN", "DEBIT", "Food", amount="500"),
        entry("MESS REFUND", amount="120", row=7),
        entry("SALARY", amount="9000", row=8),
    )
    assert spending_by_category(some, MARCH.first, MARCH.last) == {"Food": Decimal(500), None: Decimal(-120)}
    assert run(Query("total", "spending", MARCH), some).total == 380
    assert run(Query("total", "income", MARCH), some).total == 9000


ENTRIES = st.lists(
    st.builds(
        entry,
        st.sampled_from(["TEA", "TEA REFUND", "SALARY"]),
        st.sampled_from(["DEBIT", "CREDIT"]),
        st.sampled_from([None, "Food", "Transfer"]),
        amount=st.integers(1, 999).map(str),
        mode=st.sampled_from(MODES),
        row=st.integers(6, 900),
        day=st.integers(1, 31),
    ),
    max_size=20,
)


@given(ENTRIES)
def test_every_page_says_the_same_of_a_month(entries: list[Entry]) -> None:
    some = book(*entries)
    tiles = figures(entries)
    spent, came = run(Query("total", "spending", MARCH), some), run(Query("total", "income", MARCH), some)
    assert (tiles.money_out, tiles.entries_out, tiles.refunds) == (spent.total, spent.count, len(spent.refunds))
    assert (tiles.money_in, tiles.entries_in) == (came.total, came.count)
    months = by_month(some)
    assert sum(each.money_out for each in months) == tiles.money_out
    assert sum(each.money_in for each in months) == tiles.money_in
    assert sum(amount for _, amount in by_day(some, MARCH.first)) == tiles.money_out
    assert sum(each.total for each in spent_by_category(some, MARCH.first, MARCH.last).values()) == tiles.money_out
    told = summary(some, MARCH.first, MARCH.last)
    assert (told.spending, told.income) == (tiles.money_out, tiles.money_in)
    bar = month_budget(some, MARCH.last)
    assert bar is not None
    assert bar.spent == sum(row.amount if is_expense(row) else -row.amount for row in spent.entries if row.category)


@given(ENTRIES)
def test_net_and_what_was_moved_are_what_the_balances_changed_by(entries: list[Entry]) -> None:
    tiles = figures(entries)
    assert tiles.net + tiles.moved == run(Query("balance"), book(*entries)).total


def test_the_sample_month_is_29_expenses_less_a_refund() -> None:
    november = [row for row in SAMPLE.entries if row.date.month == 11]
    tiles = figures(november)
    assert (tiles.money_out, tiles.entries_out, tiles.refunds) == (Decimal("54830.22"), 29, 1)
    assert (tiles.money_in, tiles.entries_in, tiles.moved) == (Decimal(74050), 3, 0)


def test_a_move_between_own_modes_is_two_rows_and_one_move() -> None:
    out, into = entry("TOPUP", "DEBIT", "Transfer"), entry("TOPUP", "CREDIT", "Transfer", mode="WALLET", row=7)
    lone = entry("ATM", "DEBIT", "Transfer", amount="40", row=8)
    moves = moves_of((lone, into, out))
    assert (moves.pairs, moves.singles, moves.total) == (((out, into),), (lone,), Decimal(140))
    same_mode = moves_of((out, entry("TOPUP", "CREDIT", "Transfer", row=9)))
    assert (same_mode.pairs, len(same_mode.singles)) == ((), 2)
