"""What cannot be answered as asked is said instead of being answered in part."""

from datetime import date

import pytest

from agent.language.advice import parse_advice
from agent.language.intents import classify
from agent.language.knowledge import Knowledge
from agent.language.limits import cannot_answer, note_on
from agent.language.transactions import parse_transactions, question_for
from agent.planner import plan_questions
from agent.state import NO_BOOK
from ledger.queries import Query

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("wallet balance on diwali", "which day diwali was"),
        ("how much did I spend during onam", "which day onam was"),
        ("how much did I spend on 31 november", "There is no 31 November: November has 30 days."),
        ("expenses on february 30", "There is no 30 February: February has 29 days."),
    ],
)
def test_it_says_what_it_cannot_do(message: str, said: str, knowledge: Knowledge) -> None:
    reading = classify(message, TODAY, knowledge)
    planned = plan_questions((message,), TODAY, knowledge, None)
    assert reading.intent == "ask"
    assert reading.confidence >= 0.7
    assert planned.calls == ()
    assert said in " ".join(planned.told)


@pytest.mark.parametrize(
    "message",
    [
        "how much did I spend on 30 november",
        "expenses last weekend",
        "spending without transfers",
        "coffee without sugar 40 cash",
        "balance on 29 february",
        "spending in november",
        "largest expense in november",
        "expenses from 5 november to 12 november",
    ],
)
def test_what_it_can_do_is_left_alone(message: str, knowledge: Knowledge) -> None:
    assert cannot_answer(message, TODAY, knowledge) is None


def test_those_two_of_four_balances_is_asked_about(knowledge: Knowledge) -> None:
    four, two = Query("balance"), Query("balance", modes=("BANK", "MONEY"))
    assert "Name them: PhonePe, Wallet, Cash or Bank." in (cannot_answer("those two?", TODAY, knowledge, four) or "")
    assert cannot_answer("those two?", TODAY, knowledge, two) is None
    assert cannot_answer("show them", TODAY, knowledge, four) is None


def test_a_credit_card_is_answered_as_bank_and_says_so(knowledge: Knowledge) -> None:
    planned = plan_questions(("balance of my credit card",), TODAY, knowledge, None)
    assert [call.query for call in planned.calls] == [Query("balance", modes=("BANK",))]
    assert planned.told == (note_on("balance of my credit card"),)
    assert note_on("what is my bank balance") is None


@pytest.mark.parametrize("message", ["how much is left for food", "how much is my budget for food", "food budget left"])
def test_what_is_left_for_a_category_is_what_is_left_of_its_budget(message: str, knowledge: Knowledge) -> None:
    advice = parse_advice(message, TODAY, knowledge)
    assert advice is not None
    assert (advice.kind, advice.categories) == ("status", ("Food",))
    assert classify(message, TODAY, knowledge).intent == "advise"


@pytest.mark.parametrize(
    "message", ["spent nothing on food", "I didn't spend anything today", "haven't bought anything this week"]
)
def test_that_nothing_was_spent_is_neither_an_entry_nor_a_question(message: str, knowledge: Knowledge) -> None:
    assert classify(message, TODAY, knowledge).intent == "smalltalk"


def test_a_weekday_that_is_another_days_is_asked_about_and_never_taken_for_the_month() -> None:
    knowledge = Knowledge.of(NO_BOOK)
    assert "3 Nov is a Tuesday" in (cannot_answer("how much did I spend on mon 3 nov", TODAY, knowledge) or "")
    assert cannot_answer("how much did I spend on tue 3 nov", TODAY, knowledge) is None
    (item,) = parse_transactions("tea 50 cash mon 3 nov", TODAY, knowledge)
    assert item.date is None
    assert "3 Nov is a Tuesday" in question_for(item, 1, 1)
    assert item.description == "tea"
