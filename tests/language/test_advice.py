"""Which advice a message asks for, and what a follow-up changes of it."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.language.advice import PROFILES, Advice, continued, parse_advice
from agent.language.knowledge import Knowledge
from ledger.budget import CUT_PERCENT, Profile
from ledger.entries import Group
from ledger.queries import Span

TODAY = date(2026, 11, 30)
GROUPS: Mapping[str, Group] = {"Groceries": "HOME", "Food": "PERSONAL", "Travel": "PERSONAL"}
KNOWN = Knowledge(GROUPS, lambda text: None)
NOVEMBER = Span(date(2026, 11, 1), TODAY, "this month")
OCTOBER = Span(date(2026, 10, 1), date(2026, 10, 31), "in October")


def asked(message: str) -> Advice:
    found = parse_advice(message, TODAY, KNOWN)
    assert found is not None, message
    return found


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("where did I overspend this month?", "overspend"),
        ("why did I overspend?", "overspend"),
        ("am I overspending", "overspend"),
        ("why is my food bill so high", "overspend"),
        ("any unusual spending?", "overspend"),
        ("where am I wasting money", "overspend"),
        ("why am I over budget", "overspend"),
        ("how can I improve my monthly savings?", "save"),
        ("how can i save more", "save"),
        ("give me advice", "save"),
        ("tips to save money", "save"),
        ("am i within budget?", "status"),
        ("how much budget is left for food", "status"),
        ("am I on track", "status"),
        ("have I exceeded my budget", "status"),
        ("summarize my spending this month", "summary"),
        ("summarise last month", "summary"),
        ("unusual expenses", "overspend"),
        ("how am i doing", "summary"),
        ("analyse my spending", "summary"),
        ("plan my month", "plan"),
        ("plan my budget", "plan"),
        ("how much can I still spend", "plan"),
        ("how much is left per day", "plan"),
        ("what can I cut this week?", "cut"),
        ("how do I reduce my expenses", "cut"),
        ("stop buying groceries", "cut"),
        ("can I afford a vacation for 40000", "afford"),
        ("should i buy shoes for 3000", "afford"),
        ("can I spend 5000 on shoes", "afford"),
        ("what bills are due", "due"),
        ("when is rent due", "due"),
        ("upcoming bills", "due"),
        ("what subscriptions do I have", "subscriptions"),
        ("what do my subscriptions cost a year", "subscriptions"),
        ("list my recurring bills", "subscriptions"),
        ("how much can I safely spend a day", "safe"),
        ("is it safe to spend", "safe"),
        ("forecast this month", "forecast"),
        ("spending forecast", "forecast"),
    ],
)
def test_each_way_of_asking_is_one_kind_of_advice(message: str, kind: str) -> None:
    assert asked(message).kind == kind


@pytest.mark.parametrize(
    "message",
    [
        "weather forecast for this month",
        "how much did I spend on subscriptions",
        "how much did I spend on food",
        "coffee 100 cash",
        "show my expenses",
        "what is my bank balance",
        "hi",
    ],
)
def test_a_question_or_an_expense_is_no_advice(message: str) -> None:
    assert parse_advice(message, TODAY, KNOWN) is None


def test_days_and_categories_are_read_as_in_any_question() -> None:
    found = asked("why did I overspend on food last month")
    assert (found.period, found.categories) == (OCTOBER, ("Food",))
    assert asked("what can I cut this month").period == NOVEMBER


@pytest.mark.parametrize(
    ("message", "price", "thing", "modes"),
    [
        ("can I afford a ₹12,000 phone", 12000, "phone", ()),
        ("can I afford a phone for 12k?", 12000, "phone", ()),
        ("can i afford a vacation for 40000", 40000, "vacation", ()),
        ("could I afford a trip to goa for 20,000 this month", 20000, "trip to goa", ()),
        ("can I afford an iphone 15 for 80,000", 80000, "iphone 15", ()),
        ("can i afford a 12k phone from my wallet", 12000, "phone", ("WALLET",)),
        ("can I afford 1.5 lakh by bank", 150000, "", ("BANK",)),
        ("can I afford it", None, "", ()),
        ("can I afford a car", None, "car", ()),
    ],
)
def test_a_price_its_thing_and_the_way_to_pay_are_read(
    message: str, price: int | None, thing: str, modes: tuple[str, ...]
) -> None:
    found = asked(message)
    assert (found.price, found.thing, found.modes) == (price, thing, modes)


def test_a_price_in_another_currency_is_not_taken_for_rupees() -> None:
    found = asked("can I afford a $500 watch")
    assert (found.price, found.currency) == (None, "USD")


def test_a_profile_is_taken_from_the_message_else_from_before() -> None:
    assert asked("how can I save more, aggressively").profile == "aggressive"
    later = parse_advice("what can I cut", TODAY, KNOWN, "conservative")
    assert later is not None
    assert later.profile == "conservative"


@pytest.mark.parametrize(
    ("message", "now", "then"),
    [
        ("make it aggressive", "balanced", "aggressive"),
        ("be more conservative please", "balanced", "conservative"),
        ("what if I am bold?", "balanced", "aggressive"),
        ("less aggressive", "aggressive", "balanced"),
        ("less aggressive", "conservative", "conservative"),
        ("balanced", "aggressive", "balanced"),
    ],
)
def test_a_follow_up_changes_the_profile(message: str, now: Profile, then: Profile) -> None:
    found = continued(message, Advice("save", OCTOBER, profile=now), TODAY, KNOWN)
    assert found == Advice("save", OCTOBER, profile=then)


def test_a_profile_after_other_advice_asks_what_to_save() -> None:
    found = continued("make it aggressive", Advice("status"), TODAY, KNOWN)
    assert found == Advice("save", profile="aggressive")


@pytest.mark.parametrize("message", ["and last month?", "what about october?", "in october?", "the previous month?"])
def test_a_follow_up_changes_the_days(message: str) -> None:
    found = continued(message, Advice("overspend", NOVEMBER), TODAY, KNOWN)
    assert found == Advice("overspend", OCTOBER)


@pytest.mark.parametrize("message", ["and food?", "what about food"])
def test_a_follow_up_names_a_category(message: str) -> None:
    assert continued(message, Advice("status"), TODAY, KNOWN) == Advice("status", categories=("Food",))
    assert continued(message, Advice("plan"), TODAY, KNOWN) is None


def test_a_follow_up_names_another_price() -> None:
    phone = asked("can I afford a phone for 12000")
    dearer = continued("what about 20k?", phone, TODAY, KNOWN)
    assert dearer is not None
    assert (dearer.price, dearer.thing) == (Decimal(20000), "phone")
    laptop = continued("or a laptop for 80,000", phone, TODAY, KNOWN)
    assert laptop is not None
    assert (laptop.price, laptop.thing) == (Decimal(80000), "laptop")
    answered = continued("15000", asked("can I afford a car"), TODAY, KNOWN)
    assert answered is not None
    assert (answered.price, answered.thing) == (Decimal(15000), "car")


@pytest.mark.parametrize(
    "message",
    [
        "coffee 100 cash", "and coffee 100 cash", "show them", "how much did I spend on food", "show october", "yes",
        "cancel", "undo", "20000", "what is my balance", "make it 600", "hello", "", "next month",
    ],
)  # fmt: skip
@pytest.mark.parametrize("last", ["save", "overspend", "status", "summary", "cut"])
def test_what_stands_for_itself_continues_no_advice(message: str, last: str) -> None:
    assert continued(message, Advice(last), TODAY, KNOWN) is None  # type: ignore[arg-type]


def test_an_expense_after_a_price_is_no_other_price() -> None:
    phone = asked("can I afford a phone for 12000")
    for message in ("coffee 100 cash", "and coffee 100 cash", "20000", "tea 20 upi"):
        assert continued(message, phone, TODAY, KNOWN) is None


def test_the_profiles_are_those_the_budget_knows() -> None:
    assert set(PROFILES) == set(CUT_PERCENT)


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse_advice(text, TODAY, KNOWN)
    parse_advice(f"can I afford {text}", TODAY, KNOWN)
    for kind in ("save", "afford", "plan"):
        continued(text, Advice(kind), TODAY, KNOWN)  # type: ignore[arg-type]
