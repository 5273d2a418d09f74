"""What the rows of a small book say to every kind of question."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.entries import CASH_TRACKER, MONTHS, Book, Category, Direction, Entry, Issue, Mode, tags_of
from ledger.queries import (
    Answer,
    Order,
    Query,
    Span,
    budget_left,
    closing_balance,
    run,
    spending_by_category,
    stopping_issues,
)

BUDGET = (
    Category("Rent", "HOME", Decimal(9000), essential=True),
    Category("Food", "PERSONAL", Decimal(2000), essential=False),
    Category("Books", "PERSONAL", None, essential=False),
    Category("Fines", "AVOID", Decimal(100), essential=False),
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
    group = GROUPS.get(category)
    return Entry(when, description, mode, direction, Decimal(amount), name, group, tags_of(description), sheet, number)  # type: ignore[arg-type]


def book(*lines: str, issues: tuple[Issue, ...] = ()) -> Book:
    entries = tuple(row(line, number) for number, line in enumerate(lines, start=6))
    return Book("Budget_2026.xlsx", "0" * 64, 2026, entries, issues, BUDGET, {}, OPENINGS, {}, ("FEBRUARY", "MARCH"))


BOOK = book(
    "2026-02-01 BANK    CREDIT 30000.00 -        SALARY",
    "2026-02-02 BANK    DEBIT  9000.00  Rent     RENT",
    "2026-02-10 PHONEPE DEBIT  400.00   Food     TIFFIN",
    "2026-02-20 MONEY   DEBIT  200.00   Food     COFFEE WITH RAVI",
    "2026-03-02 BANK    DEBIT  9000.00  Rent     RENT",
    "2026-03-05 BANK    DEBIT  1500.00  Transfer TOPUP",
    "2026-03-05 PHONEPE CREDIT 1500.00  Transfer TOPUP RECEIVED",
    "2026-03-10 PHONEPE DEBIT  700.00   Food     TEAM LUNCH [PARTY]",
    "2026-03-12 PHONEPE DEBIT  250.50   Books    NOVEL",
    "2026-03-14 PHONEPE CREDIT 100.00   Food     REFUND TIFFIN",
    "2026-03-15 BANK    CREDIT 500.00   -        INTEREST",
    "2026-03-20 MONEY   DEBIT  80.00    -        BALLOONS",
    "2026-03-20 MONEY   DEBIT  60.00    Food     COFFEE",
)
FEBRUARY = Span(date(2026, 2, 1), date(2026, 2, 28), "in February")
MARCH = Span(date(2026, 3, 1), date(2026, 3, 31), "in March")


def descriptions(answer: Answer) -> list[str]:
    return [entry.description for entry in answer.entries]


def test_spending_leaves_transfers_out_and_takes_refunds_off() -> None:
    answer = run(Query("total", "spending", MARCH), BOOK)
    assert answer.total == Decimal("9990.50")
    assert answer.total == sum(spending_by_category(BOOK, MARCH.first, MARCH.last).values())


def test_income_is_credits_without_transfers_and_refunds() -> None:
    answer = run(Query("total", "income", MARCH), BOOK)
    assert (answer.total, descriptions(answer)) == (Decimal(500), ["INTEREST"])


def test_a_refund_lowers_its_category() -> None:
    assert spending_by_category(BOOK, MARCH.first, MARCH.last) == {
        "Rent": Decimal(9000),
        "Food": Decimal(660),
        "Books": Decimal("250.50"),
        None: Decimal(80),
    }


def test_all_transactions_are_all_rows_newest_first() -> None:
    answer = run(Query("rows", "all", MARCH), BOOK)
    assert descriptions(answer)[:3] == ["COFFEE", "BALLOONS", "INTEREST"]
    assert (answer.count, answer.money_in, answer.money_out) == (9, Decimal(2100), Decimal("11590.50"))


def test_a_transfer_counts_once() -> None:
    assert run(Query("total", "transfers", MARCH), BOOK).total == 1500


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query("rows", "spending", MARCH, categories=("food",)), ["COFFEE", "REFUND TIFFIN", "TEAM LUNCH [PARTY]"]),
        (Query("rows", "spending", MARCH, groups=("HOME",)), ["RENT"]),
        (Query("rows", "all", MARCH, modes=("MONEY",)), ["COFFEE", "BALLOONS"]),
        (Query("rows", "all", words=("coffee",)), ["COFFEE", "COFFEE WITH RAVI"]),
        (Query("rows", "all", words=("with ravi",)), ["COFFEE WITH RAVI"]),
        (Query("rows", "all", words=("coff",)), []),
        (Query("rows", "all", words=("party",)), ["TEAM LUNCH [PARTY]"]),
        (Query("rows", "all", tags=("party",)), ["TEAM LUNCH [PARTY]"]),
        (Query("rows", "spending", MARCH, above=Decimal(60), below=Decimal(700)), ["BALLOONS", "NOVEL"]),
        (Query("rows", "spending", groups=("AVOID",)), []),
    ],
)
def test_every_field_narrows(query: Query, found: list[str]) -> None:
    assert descriptions(run(query, BOOK)) == found


def test_the_latest_of_a_day_is_the_row_further_down() -> None:
    assert descriptions(run(Query("latest"), BOOK)) == ["COFFEE"]
    assert descriptions(run(Query("latest", modes=("BANK",), limit=2), BOOK)) == ["INTEREST", "TOPUP"]


def test_the_largest_and_smallest_are_expenses_never_refunds() -> None:
    assert descriptions(run(Query("largest", "spending", MARCH, limit=2), BOOK)) == ["RENT", "TEAM LUNCH [PARTY]"]
    assert descriptions(run(Query("smallest", "spending", MARCH), BOOK)) == ["COFFEE"]


def test_the_category_most_was_spent_on() -> None:
    answer = run(Query("largest", "spending", MARCH, by="category"), BOOK)
    assert [(part.label, part.total) for part in answer.groups] == [("Rent", Decimal(9000))]


def test_a_ranking_of_categories_is_by_the_same_net_totals_as_a_list_of_them() -> None:
    spent = book(
        "2026-03-02 BANK DEBIT  800 Rent  RENT",
        "2026-03-03 BANK DEBIT  900 Books ATLAS",
        "2026-03-04 BANK CREDIT 300 Books ATLAS RETURNED",
    )
    listed = run(Query("total", "spending", MARCH, by="category"), spent).groups
    ranked = run(Query("largest", "spending", MARCH, by="category", limit=5), spent).groups
    assert ranked == listed
    assert [(part.label, part.total, part.count) for part in ranked] == [("Rent", 800, 1), ("Books", 600, 1)]


def test_a_refund_is_counted_as_no_expense_anywhere() -> None:
    counted = run(Query("count", "spending", MARCH), BOOK)
    for aggregate in ("total", "rows"):
        answer = run(Query(aggregate, "spending", MARCH), BOOK)  # type: ignore[arg-type]
        assert answer.count == counted.count == 5
        assert [entry.description for entry in answer.refunds] == ["REFUND TIFFIN"]


def test_an_average_is_of_the_expenses_with_the_refunds_left_aside() -> None:
    answer = run(Query("average", "spending", MARCH, categories=("Food",)), BOOK)
    assert (answer.total, answer.count, answer.average) == (760, 2, 380)
    assert [entry.description for entry in answer.refunds] == ["REFUND TIFFIN"]


def test_rows_as_large_as_the_largest_are_told() -> None:
    same = book(*(f"2026-0{month}-02 BANK DEBIT 900 Rent RENT" for month in (1, 2, 3)))
    answer = run(Query("largest", "spending"), same)
    assert answer.entries[0].date == date(2026, 3, 2)
    assert [entry.date.month for entry in answer.as_large] == [2, 1]


def test_transfers_come_to_the_money_moved_once() -> None:
    assert run(Query("rows", "transfers", MARCH), BOOK).total == 1500
    assert run(Query("rows", "transfers", MARCH, modes=("PHONEPE",)), BOOK).total == 1500


def test_an_average_is_over_the_rows_there_are() -> None:
    assert run(Query("average", "spending", FEBRUARY, categories=("Food",)), BOOK).average == 300
    assert run(Query("average", "spending", MARCH, groups=("AVOID",)), BOOK).average is None


def test_a_monthly_average_is_over_the_months_that_have_rows() -> None:
    assert run(Query("average", "spending", by="month", categories=("Food",)), BOOK).average == 630


def test_parts_come_largest_first_and_months_in_order() -> None:
    by_category = run(Query("total", "spending", MARCH, by="category"), BOOK).groups
    assert [part.label for part in by_category] == ["Rent", "Food", "Books", "No category"]
    by_month = run(Query("total", "spending", by="month"), BOOK).groups
    assert [(part.label, part.total) for part in by_month] == [
        ("February", Decimal(9600)),
        ("March", Decimal("9990.50")),
    ]
    by_day = run(Query("total", "spending", FEBRUARY, by="day"), BOOK).groups
    assert [part.label for part in by_day] == ["2 Feb", "10 Feb", "20 Feb"]
    assert [part.label for part in run(Query("total", "spending", MARCH, by="mode"), BOOK).groups] == [
        "Bank",
        "PhonePe",
        "Cash",
    ]


def test_a_comparison_has_a_difference_and_a_percentage() -> None:
    answer = run(Query("total", "spending", MARCH, categories=("Food",), compare=FEBRUARY), BOOK)
    assert answer.compared is not None
    assert (answer.total, answer.compared.total, answer.difference, answer.percent_change) == (660, 600, 60, 10)


def test_what_was_nothing_before_has_no_percentage() -> None:
    answer = run(Query("total", "spending", MARCH, categories=("Books",), compare=FEBRUARY), BOOK)
    assert (answer.difference, answer.percent_change) == (Decimal("250.50"), None)


def test_a_count_is_compared_as_a_count() -> None:
    answer = run(Query("count", "spending", MARCH, categories=("Food",), compare=FEBRUARY), BOOK)
    assert (answer.count, answer.difference) == (2, 0)


def test_a_balance_is_opening_and_credits_less_debits() -> None:
    answer = run(Query("balance", with_total=True), BOOK)
    assert answer.balances == {
        "PHONEPE": Decimal("5249.50"),
        "WALLET": Decimal(0),
        "MONEY": Decimal(660),
        "BANK": Decimal(31000),
    }
    assert answer.total == Decimal("36909.50")
    assert answer.openings_unknown == ("WALLET",)


def test_a_past_balance_is_that_days_own() -> None:
    assert run(Query("balance", modes=("BANK",), at=date(2026, 2, 28)), BOOK).balances == {"BANK": Decimal(41000)}
    assert run(Query("balance", period=FEBRUARY, modes=("BANK",)), BOOK).balances == {"BANK": Decimal(41000)}
    assert closing_balance(BOOK, "BANK", date(2026, 1, 31)) == 20000


def test_what_is_left_of_a_budget_may_be_below_zero_and_may_not_exist() -> None:
    assert budget_left(BOOK, "food", date(2026, 3, 31)) == 1340
    assert budget_left(book("2026-03-01 BANK DEBIT 150 Fines FINE"), "Fines", date(2026, 3, 9)) == -50
    assert budget_left(BOOK, "Books", date(2026, 3, 31)) is None
    assert budget_left(BOOK, "Yachts", date(2026, 3, 31)) is None


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        (Query("total", "spending", MARCH, categories=("food",)), "on Food in March"),
        (Query("total", "spending", MARCH, categories=("food", "Rent")), "on Food and Rent in March"),
        (Query("rows", "spending", MARCH, groups=("PAY HOME",)), "in the Pay home group in March"),
        (Query("rows", modes=("MONEY",), words=("tea",)), "with “tea” by Cash in the whole book"),
        (Query("rows", "spending", MARCH, above=Decimal(3000)), "above ₹3,000 in March"),
        (Query("rows", tags=("party",)), "tagged PARTY in the whole book"),
        (Query("balance", modes=("BANK",), at=date(2026, 2, 28)), "at the end of 28 Feb"),
    ],
)
def test_the_scope_says_of_which_rows(query: Query, scope: str) -> None:
    assert run(query, BOOK).scope == scope


ERROR = Issue("MARCH!F9", "#REF!", "The amount is an error.", stops_totals=True)
CASH_ERROR = Issue("'CASH TRACKER'!F14", "#VALUE!", "The amount is an error.", stops_totals=True)
UNREAD = Issue("MARCH!F10", "lots", "The amount cannot be read.")


def test_an_error_stops_the_totals_of_its_sheet_and_no_others() -> None:
    broken = book("2026-03-01 PHONEPE DEBIT 10 Food TEA", issues=(ERROR, UNREAD))
    assert run(Query("total", "spending", MARCH), broken).stopped_by == (ERROR,)
    assert run(Query("total", "spending"), broken).stopped_by == (ERROR,)
    assert run(Query("total", "spending", FEBRUARY), broken).stopped_by == ()
    assert run(Query("total", "spending", MARCH, modes=("BANK",)), broken).stopped_by == ()


def test_an_error_in_an_earlier_month_stops_every_later_balance() -> None:
    broken = book(issues=(ERROR, CASH_ERROR))
    assert run(Query("balance", modes=("PHONEPE",)), broken).stopped_by == (ERROR,)
    assert run(Query("balance", modes=("PHONEPE",), at=date(2026, 2, 28)), broken).stopped_by == ()
    assert run(Query("balance", modes=("BANK",)), broken).stopped_by == (CASH_ERROR,)
    assert stopping_issues(broken, None) == (ERROR, CASH_ERROR)


def test_an_empty_book_answers_with_nothing() -> None:
    answer = run(Query("total", "spending", MARCH, by="category", compare=FEBRUARY), book())
    assert (answer.total, answer.count, answer.groups, answer.percent_change) == (0, 0, (), None)


MODES: st.SearchStrategy[Mode] = st.sampled_from(["PHONEPE", "WALLET", "MONEY", "BANK"])
DIRECTIONS: st.SearchStrategy[Direction] = st.sampled_from(["DEBIT", "CREDIT"])
ENTRIES = st.lists(
    st.builds(
        lambda days, mode, direction, paise, category, number: Entry(
            date(2026, 1, 1) + timedelta(days=days),
            "TEA",
            mode,
            direction,
            Decimal(paise) / 100,
            category,
            GROUPS.get(category or ""),
            (),
            "MARCH",
            number,
        ),
        st.integers(0, 364),
        MODES,
        DIRECTIONS,
        st.integers(1, 10**7),
        st.sampled_from([None, *GROUPS]),
        st.integers(6, 2000),
    ),
    max_size=25,
)


@given(ENTRIES)
def test_the_parts_add_up_to_the_whole(entries: list[Entry]) -> None:
    some = Book("b", "0", 2026, tuple(entries), (), BUDGET, {}, OPENINGS, {}, ())
    whole = run(Query("total", "spending"), some).total
    for by in ("category", "group", "mode", "day", "week", "month"):
        assert sum(part.total for part in run(Query("total", "spending", by=by), some).groups) == whole
    assert sum(spending_by_category(some, date(2026, 1, 1), date(2026, 12, 31)).values()) == whole


@given(ENTRIES)
def test_balances_are_openings_income_and_spending_together(entries: list[Entry]) -> None:
    some = Book("b", "0", 2026, tuple(entries), (), BUDGET, {}, OPENINGS, {}, ())
    every_row = run(Query("rows"), some)
    opening = sum(value or Decimal(0) for value in OPENINGS.values())
    assert run(Query("balance"), some).total == opening + every_row.money_in - every_row.money_out


NARROWING = st.builds(
    Query,
    aggregate=st.just("rows"),
    kind=st.sampled_from(["all", "spending", "income", "net", "refunds", "debits", "transfers", "withdrawals"]),
    period=st.sampled_from([None, MARCH, FEBRUARY]),
    modes=st.lists(MODES, max_size=2, unique=True).map(tuple),
    categories=st.sampled_from([(), ("Food",), ("",), ("Food", "Rent")]),
    groups=st.sampled_from([(), ("HOME",), ("PERSONAL", "AVOID")]),
    words=st.sampled_from([(), ("tea",), ("coffee",)]),
    weekdays=st.sampled_from([(), (5, 6), (0,)]),
    above=st.sampled_from([None, Decimal(1000)]),
    at_most=st.sampled_from([None, Decimal(50000)]),
)


@given(ENTRIES, NARROWING)
def test_a_question_and_its_negation_part_the_rows(entries: list[Entry], query: Query) -> None:
    some = Book("b", "0", 2026, tuple(entries), (), BUDGET, {}, OPENINGS, {}, ())
    those = run(query, some).entries
    others = run(Query("rows", leaving_out=(query,)), some).entries
    assert sorted(map(repr, (*those, *others))) == sorted(map(repr, some.entries))
    both = Query("rows", leaving_out=(query, Query("rows", leaving_out=(query,))))
    assert run(both, some).entries == ()


@given(ENTRIES, NARROWING)
def test_the_parts_of_any_question_add_up_to_it(entries: list[Entry], query: Query) -> None:
    some = Book("b", "0", 2026, tuple(entries), (), BUDGET, {}, OPENINGS, {}, ())
    whole = run(replace(query, aggregate="total"), some)
    for by in ("category", "group", "mode", "day", "week", "month"):
        parts = run(replace(query, aggregate="total", by=by), some).groups
        assert sum(len(part.entries) for part in parts) == len(whole.entries)
        if query.kind in ("spending", "income", "net", "refunds", "debits", "withdrawals"):
            assert sum(part.total for part in parts) == whole.total


@given(ENTRIES, st.sampled_from(["newest", "oldest", "largest", "smallest"]), st.integers(0, 30))
def test_any_order_has_the_same_rows_and_the_rest_goes_on_after_those_shown(
    entries: list[Entry], order: Order, skip: int
) -> None:
    some = Book("b", "0", 2026, tuple(entries), (), BUDGET, {}, OPENINGS, {}, ())
    every = run(Query("rows", order=order), some)
    rest = run(Query("rows", order=order, skip=skip), some)
    assert sorted(map(repr, every.entries)) == sorted(map(repr, some.entries))
    assert (rest.entries, rest.found) == (every.entries[skip:], len(entries))


def test_what_was_kept_is_income_less_spending() -> None:
    answer = run(Query("total", "net", MARCH), BOOK)
    assert answer.total == 500 - Decimal("9990.50")


def test_cash_taken_out_counts_once_whether_or_not_it_is_a_transfer() -> None:
    taken = book(
        "2026-03-05 BANK  DEBIT  2000 Transfer CASH FROM ATM",
        "2026-03-05 MONEY CREDIT 2000 Transfer CASH FROM ATM",
        "2026-03-06 BANK  DEBIT  300  -        ATM WITHDRAWAL",
        "2026-03-07 BANK  DEBIT  90   Food     LUNCH",
    )
    assert run(Query("total", "withdrawals"), taken).total == 2300


def test_a_share_is_of_the_same_days_and_kind_or_of_what_is_said() -> None:
    food = run(Query("share", "spending", FEBRUARY, categories=("Food",)), BOOK)
    assert food.share == Decimal(600) * 100 / 9600
    rent = run(Query("share", "spending", FEBRUARY, categories=("Rent",), share_of="income"), BOOK)
    assert rent.share == 30


def test_a_median_is_the_middle_and_of_two_their_mean() -> None:
    assert run(Query("median", "spending", MARCH, categories=("Food",)), BOOK).average == 380
    assert run(Query("median", "spending", FEBRUARY), BOOK).average == 400


def test_the_lowest_and_highest_balance_are_of_the_days_ends_and_the_average_of_every_day() -> None:
    lowest = run(Query("balance", period=MARCH, modes=("BANK",), over="lowest"), BOOK).held["BANK"]
    assert (lowest.amount, lowest.day) == (30500, date(2026, 3, 14))
    highest = run(Query("balance", period=MARCH, modes=("BANK",), over="highest"), BOOK).held["BANK"]
    assert (highest.amount, highest.day) == (41000, date(2026, 3, 1))
    first_two = Span(date(2026, 3, 1), date(2026, 3, 2), "from 1 to 2 March")
    average = run(Query("balance", period=first_two, modes=("BANK",), over="average"), BOOK).held["BANK"]
    assert (average.amount, average.days) == (36500, 2)


def test_an_unusual_row_is_far_above_the_median_of_its_category_and_a_steady_rent_is_none() -> None:
    usual = [f"2026-03-{day:02} BANK DEBIT {100 + day} Food TIFFIN" for day in range(1, 10)]
    rents = [f"2026-0{month}-02 BANK DEBIT {9000 + month} Rent RENT" for month in range(1, 7)]
    few = ["2026-03-01 BANK DEBIT 10 Books PEN", "2026-03-02 BANK DEBIT 9999 Books SHELF"]
    answer = run(Query("unusual", "spending"), book(*usual, *rents, *few, "2026-03-20 BANK DEBIT 900 Food PARTY LUNCH"))
    assert descriptions(answer) == ["PARTY LUNCH"]
    assert answer.usual["Food"].median == Decimal("105.50")
    assert "Books" not in answer.usual
