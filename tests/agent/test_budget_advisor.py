"""What the book has to say to a request for advice, each figure with its source."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent import Workbench
from agent.evidence import unsupported
from agent.language.advice import PROFILES, Advice
from agent.state import Findings
from agent.tools.budget_advisor import budget_advisor
from agent.tools.ledger_query import ROWS_SHOWN
from agent.turn import Alert, Recommendation
from evaluation.cases import BOOK
from ledger.book import read_book
from ledger.entries import MODES, Book, Issue
from ledger.intake import book_from_json
from ledger.queries import Span
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)
OCTOBER = Span(date(2026, 10, 1), date(2026, 10, 31), "in October")
KINDS = (
    "afford", "overspend", "plan", "cut", "save", "status", "summary", "due", "subscriptions", "safe", "forecast"
)  # fmt: skip


@pytest.fixture(scope="module")
def kept() -> Book:
    return read_book(Workbook(book_from_json(BOOK.read_bytes(), BOOK.name), "Budget_2026.xlsx"))


@pytest.fixture(scope="module")
def advised(kept: Book) -> Callable[..., Findings]:
    def advise(advice: Advice, today: date = TODAY, book: Book = kept) -> Findings:
        return budget_advisor(advice, book, today, "the words")

    return advise


def figures(found: Findings) -> set[str]:
    return {figure.text for figure in found.saying.figures}


DAYS = st.integers(0, 150).map(lambda days: date(2026, 8, 20) + timedelta(days=days))
SPANS = st.none() | st.tuples(DAYS, DAYS).map(lambda pair: Span(min(pair), max(pair), "over those days"))
ADVICE = st.builds(
    Advice,
    kind=st.sampled_from(KINDS),
    period=SPANS,
    categories=st.sampled_from([(), ("Food",), ("Rent",), ("Food", "Transfer"), ("Nowhere",)]),
    modes=st.sampled_from([(), ("WALLET",), ("BANK", "MONEY")]),
    price=st.none() | st.integers(1, 20_000_000).map(lambda paise: Decimal(paise) / 100),
    price_text=st.just("that much"),
    currency=st.sampled_from([None, None, "USD"]),
    thing=st.sampled_from(["", "phone", "iphone 15", "5 shirts [new]", "camera"]),
    profile=st.sampled_from(PROFILES),
)


@settings(max_examples=150, deadline=None)
@given(ADVICE, DAYS)
def test_every_number_of_every_advice_has_its_source(kept: Book, advice: Advice, today: date) -> None:
    found = budget_advisor(advice, kept, today, "the words")
    assert found.saying.text
    assert unsupported(found.saying) == ()
    for figure in found.saying.figures:
        assert figure.text in found.saying.text
        assert figure.source.ref
    assert len(found.rows) <= ROWS_SHOWN
    assert len(found.recommendations) <= 2
    assert found.query is not None


def test_food_stands_out_and_entertainment_is_close_to_its_budget(advised: Callable[..., Findings]) -> None:
    found = advised(Advice("overspend"))
    assert {"₹52,450.00", "₹12,000.00", "25.0%", "₹9,600.00", "₹4,150.00"} <= figures(found)
    assert found.alerts == (Alert("Entertainment", "warning", Decimal(4500), Decimal(5000)),)
    assert found.trace == ("proactively ran the alert: anomaly in Food",)
    assert {row.category for row in found.rows} == {"Food"}


def test_a_total_opens_to_the_cells_it_sums(kept: Book, advised: Callable[..., Findings]) -> None:
    found = advised(Advice("overspend"))
    amounts = {entry.amount_cell: entry.amount for entry in kept.entries}
    for text in ("₹52,450.00", "₹12,000.00", "₹9,600.00", "₹4,500.00"):
        (figure,) = [figure for figure in found.saying.figures if figure.text == text]
        assert sum(amounts[cell] for cell in figure.source.cells) == figure.value


def test_in_the_middle_of_a_month_the_same_days_are_compared_and_said(advised: Callable[..., Findings]) -> None:
    found = advised(Advice("overspend"), date(2026, 11, 14))
    assert "from 1 to 14 Nov" in found.saying.text
    assert "from 1 to 14 Oct, the same days before" in found.saying.text
    assert {"₹32,750.00", "₹5,650.00", "₹4,100.00", "37.8%"} <= figures(found)


def test_on_the_first_days_of_a_month_advice_looks_back(advised: Callable[..., Findings]) -> None:
    for kind in ("overspend", "save", "cut"):
        assert "in November" in advised(Advice(kind), date(2026, 12, 1)).saying.text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("profile", "percent", "savings"),
    [("conservative", 10, (1200, 800)), ("balanced", 15, (1800, 1200)), ("aggressive", 20, (2400, 1600))],
)
def test_two_cuts_at_the_rate_of_the_profile(
    advised: Callable[..., Findings], profile: str, percent: int, savings: tuple[int, int]
) -> None:
    found = advised(Advice("save", profile=profile))  # type: ignore[arg-type]
    assert found.recommendations == (
        Recommendation("Food", percent, Decimal(savings[0])),
        Recommendation("Shopping", percent, Decimal(savings[1])),
    )


def test_what_is_essential_is_not_cut(advised: Callable[..., Findings]) -> None:
    found = advised(Advice("cut", categories=("Groceries",)))
    assert "essential" in found.saying.text
    assert found.recommendations == ()


def test_a_summary_brings_the_alert_only_with_an_anomaly(advised: Callable[..., Findings]) -> None:
    november, september = (
        advised(Advice("summary")),
        advised(Advice("summary", replace(OCTOBER, first=date(2026, 9, 1), last=date(2026, 9, 30)))),
    )
    assert [alert.category for alert in november.alerts] == ["Entertainment"]
    assert november.charts
    assert september.alerts == september.trace == ()
    assert "nothing in August" in september.saying.text


def test_the_budget_as_a_whole_and_in_a_category(advised: Callable[..., Findings]) -> None:
    whole = advised(Advice("status"))
    assert "within budget in November" in whole.saying.text
    assert {"₹78,500.00", "₹26,050.00"} <= figures(whole)
    rent = advised(Advice("status", categories=("Rent",)))
    assert "whole budget" in rent.saying.text
    assert rent.alerts == ()


def test_a_plan_sets_the_bills_of_its_days_aside(advised: Callable[..., Findings]) -> None:
    december = Span(date(2026, 12, 1), date(2026, 12, 31), "in December")
    found = advised(Advice("plan", december))
    assert {"32 days", "₹94,350.00", "₹18,000.00", "₹2,385.93"} <= figures(found)
    assert dict(found.balances).keys() == set(MODES)


def test_what_one_can_afford_leaves_the_bills_alone(advised: Callable[..., Findings]) -> None:
    phone = Advice("afford", price=Decimal(12000), price_text="₹12,000", thing="phone")
    found = advised(phone)
    assert {"₹12,000.00", "₹94,350.00", "₹18,000.00", "₹76,350.00", "₹64,350.00"} <= figures(found)
    (price,) = [figure for figure in found.saying.figures if figure.text == "₹12,000.00"]
    assert price.source.kind == "message"
    short = advised(replace(phone, price=Decimal(80000)))
    assert "does not reach" in short.saying.text
    assert "₹3,650.00" in figures(short)
    assert "What does it cost?" in advised(replace(phone, price=None)).saying.text


def test_a_cell_that_cannot_be_read_stops_all_advice_over_it(kept: Book, advised: Callable[..., Findings]) -> None:
    broken = replace(kept, issues=(Issue("NOVEMBER!F12", "#REF!", "an error", stops_totals=True),))
    for kind in KINDS:
        found = advised(Advice(kind), book=broken)  # type: ignore[arg-type]
        assert found.saying.figures == ()
        assert "NOVEMBER!F12" in found.saying.text


def test_bills_are_named_with_their_next_day_and_the_cost_of_a_year(advised: Callable[..., Findings]) -> None:
    due = advised(Advice("due"), date(2026, 11, 14))
    assert "Rent: **₹15,000.00** on 2 Dec, every month." in due.saying.text
    assert "₹18,000.00" in figures(due)
    (rent,) = [row for row in due.rows if row.description == "RENT"]
    assert rent.amount == 15000
    yearly = advised(Advice("subscriptions"), date(2026, 11, 14))
    assert {"₹1,80,000.00", "₹2,16,000.00"} <= figures(yearly)


def test_a_bill_that_the_book_does_not_have_is_said_to_be_none(advised: Callable[..., Findings]) -> None:
    found = advised(Advice("due", thing="netflix"))
    assert found.saying.text.startswith("No bill named netflix")
    assert found.rows == ()


def test_safe_to_spend_is_the_lower_of_money_and_budget_and_keeps_the_goal(kept: Book) -> None:
    today = date(2026, 11, 14)
    plain = budget_advisor(Advice("safe"), kept, today, "the words")
    assert plain.saying.text.startswith("You can safely spend **₹2,691.17** a day until 30 Nov (**17 days**")
    saving = budget_advisor(Advice("safe"), kept, today, "the words", Decimal(70000))
    assert saving.saying.text.startswith("You can safely spend **₹1,432.35** a day")
    assert unsupported(saving.saying) == ()


def test_a_forecast_has_its_range_and_what_it_makes_of_the_budget(advised: Callable[..., Findings]) -> None:
    found = advised(Advice("forecast"), date(2026, 11, 14))
    assert {"₹49,607.14", "₹45,976.67", "₹28,892.86", "₹78,500.00"} <= figures(found)


# in a conversation


def test_the_profile_said_once_decides_what_follows(workbench: Workbench) -> None:
    first = workbench.ask("how can I save more?", "t")
    bolder = workbench.ask("make it aggressive", "t")
    later = workbench.ask("what can I cut?", "t")
    assert [found.cut_percent for found in first.recommendations] == [15, 15]
    assert bolder.intents == later.intents == ("advise",)
    assert [found.cut_percent for found in bolder.recommendations] == [20, 20]
    assert [found.cut_percent for found in later.recommendations] == [20, 20]
    assert any("continues “how can I save more?”" in line for line in bolder.plan_trace)


def test_after_advice_its_rows_can_be_shown_and_other_days_asked(workbench: Workbench) -> None:
    workbench.ask("why did I overspend?", "t")
    before = workbench.ask("and last month?", "t")
    assert before.tools == ("budget_advisor",)
    assert "in October" in before.reply
    rows = workbench.ask("show them", "t")
    assert rows.tools == ("ledger_query",)
    assert {row.date.month for row in rows.rows} == {10}


def test_advice_and_a_question_are_both_answered(workbench: Workbench) -> None:
    turn = workbench.ask("what is my bank balance? can I afford a ₹12,000 phone?", "t")
    assert set(turn.tools) == {"ledger_query", "budget_advisor"}
    assert {"₹75,250.00", "₹64,350.00"} <= {figure.text for figure in turn.figures}


def test_advice_with_a_card_open_keeps_the_card(workbench: Workbench) -> None:
    workbench.ask("tea 20 cash", "t")
    turn = workbench.ask("can I afford a vacation for 40000?", "t")
    assert turn.state == "awaiting_confirmation"
    assert turn.tools == ("budget_advisor",)
    assert workbench.ask("yes", "t").written


def test_without_advice_before_it_a_profile_changes_nothing(workbench: Workbench) -> None:
    assert workbench.ask("make it aggressive", "t").tools == ()
