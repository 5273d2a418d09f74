"""What a message wants."""

from datetime import date

import pytest

from agent.language.amendments import parse_amendment
from agent.language.intents import classify, split_requests
from agent.language.knowledge import Knowledge
from agent.language.transactions import parse_transactions
from agent.state import NO_BOOK

TODAY = date(2026, 11, 30)


def intent(message: str, knowledge: Knowledge) -> str:
    reading = classify(message, TODAY, knowledge)
    return reading.intent if reading.confidence >= 0.7 else "asked"


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("spent 500 on groceries via phonepay", "log"),
        ("coffee via upi", "log"),
        ("tea 20", "log"),
        ("moved 500 from bank to wallet", "log"),
        ("salary 50000 credited to bank", "log"),
        ("log milk 30 cash", "log"),
        ("what's my phonepe balance", "ask"),
        ("spending last week", "ask"),
        ("show expenses above 3000 this month", "ask"),
        ("count phonepay transactions", "ask"),
        ("spent on food this month", "ask"),
        ("where did I overspend this month?", "advise"),
        ("how can I improve my monthly savings?", "advise"),
        ("summarize my spending this month", "advise"),
        ("can I afford a vacation for 40000", "advise"),
        ("am I within budget", "advise"),
        ("stop buying groceries", "advise"),
        ("save for a house", "plan_goal"),
        ("show my holdings", "portfolio"),
        ("what's the share price of reliance", "market"),
        ("if I have five dollars how many rupees is that", "market"),
        ("what is 20% of 500", "calculate"),
        ("add twelve and twelve", "calculate"),
        ("compare the two annual reports", "compare"),
        ("what does the annual report say about debt", "research"),
        ("hi", "smalltalk"),
        ("thanks a lot!", "smalltalk"),
        ("who made you", "smalltalk"),
        ("what can you do", "help"),
        ("yes", "confirm"),
        ("cancel", "cancel"),
        ("stop", "stop"),
        ("undo", "undo"),
        ("item 2 amount 500", "edit"),
        ("asdf qwer zxcv", "unclear"),
        ("", "unclear"),
        ("set an alarm for 7", "unclear"),
    ],
)
def test_what_a_message_wants(message: str, wanted: str, knowledge: Knowledge) -> None:
    assert intent(message, knowledge) == wanted


@pytest.mark.parametrize(
    "message",
    [
        "stop buying groceries",
        "pay my bill",
        "transfer money to ravi account",
        "can I afford a vacation for 40000",
        "did I pay 500 for rent?",
        "should I buy shoes for 2000",
        "how much is 500 dollars in rupees",
        "change the pin on my savings account to 1234",
    ],
)
def test_a_wish_or_a_question_is_never_booked(message: str, knowledge: Knowledge) -> None:
    assert intent(message, knowledge) != "log"


@pytest.mark.parametrize("message", ["coffee", "petrol", "food"])
def test_what_could_be_both_is_asked_with_options(message: str, knowledge: Knowledge) -> None:
    reading = classify(message, TODAY, knowledge)
    assert reading.confidence < 0.7
    assert any(message in option for option in reading.options)
    assert all(intent(option, knowledge) in ("ask", "log") for option in reading.options if option.startswith("show"))


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("log amma 100 bank and what's my bank balance", ["log amma 100 bank", "what's my bank balance"]),
        (
            "food expenses last month and home expenses this month",
            ["food expenses last month", "home expenses this month"],
        ),
        ("coffee 100 cash. what's my balance?", ["coffee 100 cash.", "what's my balance?"]),
        ("balances and their total", ["balances and their total"]),
        ("coffee 100 cash and tea 50 upi", ["coffee 100 cash and tea 50 upi"]),
        ("idli 50 cash\nvada upi\ndosa 80 wallet", ["idli 50 cash\nvada upi\ndosa 80 wallet"]),
        ("phonepe and bank balance", ["phonepe and bank balance"]),
        ("how much did I spend on food and travel", ["how much did I spend on food and travel"]),
        ("compare food and travel expenses", ["compare food and travel expenses"]),
        ("show expenses above 500 and below 1000", ["show expenses above 500 and below 1000"]),
    ],
)
def test_a_message_is_cut_between_requests_only(message: str, parts: list[str]) -> None:
    assert list(split_requests(message)) == parts


def test_a_fifth_request_is_not_lost() -> None:
    message = "bank balance? food expenses? income this month? rent expenses? wallet balance?"
    parts = split_requests(message)
    assert len(parts) == 4
    assert "wallet balance" in parts[-1]


@pytest.mark.parametrize(
    "message",
    [
        "remove eggs from my shopping list",
        "take bread off the to-do list",
        "add yesterday to my playlist",
        "create a 300 word essay",
        "please write me a 2 page letter",
        "fly to delhi for $90 on the 4th",
    ],
)
def test_lists_and_requests_of_another_kind_are_no_edit_and_no_entry(message: str) -> None:
    knowledge = Knowledge.of(NO_BOOK)
    assert parse_amendment(message, TODAY, knowledge) is None
    assert classify(message, TODAY, knowledge).intent not in ("log", "edit")


@pytest.mark.parametrize(
    ("message", "description"),
    [
        ("flight to goa 4500 upi", "flight to goa"),
        ("letter pad 300 cash", "letter pad"),
        ("write 50 for tea cash", "tea"),
    ],
)
def test_what_was_paid_for_them_is_an_entry_all_the_same(message: str, description: str) -> None:
    (item,) = parse_transactions(message, TODAY, Knowledge.of(NO_BOOK))
    assert item.description == description
    assert classify(message, TODAY, Knowledge.of(NO_BOOK)).intent == "log"
