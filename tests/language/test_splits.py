"""A bill that was shared: the user's own part is logged, and what cannot be worked out is asked."""

from datetime import date
from decimal import Decimal

import pytest

from agent.language.edits import apply_edits
from agent.language.knowledge import Knowledge
from agent.language.transactions import answer, parse_transactions, question_for

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("message", "description", "share", "whole", "ways"),
    [
        ("dinner 1200 split 3 ways upi", "dinner", "400", "1200", 3),
        ("dinner 1000 split between 3 upi", "dinner", "333.33", "1000", 3),
        ("split 900 equally with ravi and priya cash", None, "300", "900", 3),
        ("split the dinner 1200 between 4 of us upi", "dinner", "300", "1200", 4),
        ("cab 600 shared with ravi gpay", "cab", "300", "600", 2),
        ("dinner 1200 split in two upi", "dinner", "600", "1200", 2),
        ("my share of 1500 was 500 upi pizza", "pizza", "500", "1500", 0),
        ("pizza 1500 upi my share 500", "pizza", "500", "1500", 0),
        ("my share of dinner 2000 was 500 upi", "dinner", "500", "2000", 0),
        ("1200 ka dinner 3 log me split upi", "dinner", "400", "1200", 3),
        ("pizza 900 teen logon mein baanta cash", "pizza", "300", "900", 3),
        ("we split the cab 600 three ways, paid by phonepe", "cab", "200", "600", 3),
        ("movie 1500 shared equally between 5 of us cash", "movie", "300", "1500", 5),
        ("lunch 800 half half with amit upi", "lunch", "400", "800", 2),
        ("split 1000 into 3 cash pizza", "pizza", "333.33", "1000", 3),
        ("auto 90 50-50 cash", "auto", "45", "90", 2),
        ("cake 1000/3 cash", "cake", "333.33", "1000", 3),
    ],
)
def test_of_a_shared_bill_the_own_share_is_logged(
    message: str, description: str | None, share: str, whole: str, ways: int, knowledge: Knowledge
) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert item.description == description
    assert (item.amount, item.whole, item.ways) == (Decimal(share), Decimal(whole), ways)
    assert item.mode is not None


def test_a_bill_split_with_nobody_knows_how_many_is_asked_about(knowledge: Knowledge) -> None:
    (item,) = parse_transactions("lunch 900 split with friends cash", TODAY, knowledge)
    assert item.amount is None
    assert question_for(item, 1, 1) == "How much was your share of lunch?"
    answered = answer(item, "amount", "225", TODAY, knowledge)
    assert answered is not None
    assert (answered.amount, answered.whole, answered.doubts) == (Decimal(225), Decimal(900), ())


@pytest.mark.parametrize("message", ["banana split 120 cash", "amazon shares 500 bank", "dinner for 4 of us 2000 cash"])
def test_what_was_not_shared_stays_whole(message: str, knowledge: Knowledge) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert item.whole is None


def test_an_amount_said_to_the_card_is_no_share_any_more(knowledge: Knowledge) -> None:
    items = parse_transactions("dinner 1200 split 3 ways upi", TODAY, knowledge)
    edited = apply_edits("make it 500", items, TODAY, knowledge)
    assert edited is not None
    assert (edited.items[0].amount, edited.items[0].whole) == (Decimal(500), None)


@pytest.mark.parametrize(
    ("message", "description", "amount"),
    [
        ("um i paid uh two hundred for parking in cash", "parking", "200"),
        ("so today i went to dmart and spent like 1250 rupees on groceries using gpay", "dmart on groceries", "1250"),
        ("salary aa gayi 50000 bank", "salary", "50000"),
        ("rent ka paisa de diya 18000 bank se", "rent", "18000"),
        ("flat 402 maintenance 3500 bank", "flat 402 maintenance", "3500"),
        ("atlas 2024 edition 350 cash", "atlas 2024 edition", "350"),
        ("actually petrol 500 upi", "petrol", "500"),
        ("hey munshi log 40 for auto by cash pls", "auto", "40"),
    ],
)
def test_a_dictated_message_leaves_its_fillers_out(
    message: str, description: str, amount: str, knowledge: Knowledge
) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert (item.description, item.amount) == (description, Decimal(amount))


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("only save item 1", ["coffee"]),
        ("keep only the tea", ["tea"]),
        ("save all but the last", ["coffee", "tea"]),
        ("everything except item 2", ["coffee", "cake"]),
        ("drop the second", ["coffee", "cake"]),
        ("skip the tea", ["coffee", "cake"]),
    ],
)
def test_some_of_a_card_are_kept(message: str, left: list[str], knowledge: Knowledge) -> None:
    items = parse_transactions("coffee 100 cash; tea 50 upi; cake 200 card", TODAY, knowledge)
    edited = apply_edits(message, items, TODAY, knowledge)
    assert edited is not None
    assert [item.description for item in edited.items] == left


@pytest.mark.parametrize("message", ["birthday cake 800 upi tag party", "birthday cake 800 upi, tagged as party"])
def test_a_tag_said_at_the_end_is_one(message: str, knowledge: Knowledge) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert (item.description, item.tags) == ("birthday cake", ("PARTY",))


@pytest.mark.parametrize(
    ("reply", "amount", "ways"), [("my share", "500", 4), ("the whole", "2000", 0), ("600", "600", 0)]
)
def test_a_bill_of_several_that_says_nothing_else_asks_whether_the_share_or_the_whole_is_meant(
    reply: str, amount: str, ways: int, knowledge: Knowledge
) -> None:
    (item,) = parse_transactions("paid 2000 for 4 of us", TODAY, knowledge)
    assert question_for(item, 1, 1) == "That was for 4 people. Log your share, ₹500.00, or the whole ₹2,000.00?"
    answered = answer(item, "amount", reply, TODAY, knowledge)
    assert answered is not None
    assert (answered.amount, answered.ways) == (Decimal(amount), ways)


@pytest.mark.parametrize(
    "message",
    [
        "rent on 1/2 upi 500",
        "petrol 500 upi 12/11",
        "bill dated 12/11/2026 500 cash",
        "flat 1203/4 maintenance 500 cash",
    ],
)
def test_a_day_with_a_slash_is_no_share(message: str, knowledge: Knowledge) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert (item.amount, item.whole) == (Decimal(500), None)
