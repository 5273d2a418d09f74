"""What holds for every text there is."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.language.consent import consent
from agent.language.edits import apply_edits
from agent.language.intents import classify, split_requests
from agent.language.items import FIELDS, Item, missing
from agent.language.knowledge import Knowledge
from agent.language.questions import parse_question
from agent.language.transactions import answer, parse_transactions, question_for
from agent.language.vocabulary import table
from ledger.queries import Query
from money import find_amounts

TODAY = date(2026, 11, 30)
VOCABULARY = """
    coffee tea amma 50 100 2k ₹1,200 -5 0 $10 cash upi bank wallet via by from to in on and , ; . ? ! [party] #x each 3
    yesterday tomorrow 5/11 november last month this week show how much spent received salary balance expenses food home
    avoid above below item 1 2 amount mode category to remove change yes no cancel stop what about them total card moved
    withdrew atm
"""
WORDS = st.sampled_from([*VOCABULARY.split(), "\n"])
SENTENCES = st.lists(WORDS, max_size=14).map(" ".join)
TEXTS = st.one_of(st.text(max_size=80), SENTENCES)
NAMES = st.sampled_from(["coffee", "tea", "dosa", "vada", "auto", "xerox", "milk", "pen"])
MODE_WORDS = st.sampled_from(["cash", "upi", "wallet", "bank", "via gpay", "by card"])


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_reading_never_fails_whatever_the_text(knowledge: Knowledge, text: str) -> None:
    items = parse_transactions(text, TODAY, knowledge)
    for number, item in enumerate(items, 1):
        assert item.amount is None or item.amount > 0
        assert (question_for(item, number, len(items)) != "") == (missing(item) is not None)
    for part in split_requests(text):
        assert 0 <= classify(part, TODAY, knowledge).confidence <= 1
    for question in parse_question(text, TODAY, knowledge, Query("total", kind="spending")):
        assert 0 <= question.confidence <= 1
    card = parse_transactions("tea 20 cash\ndosa 80 upi", TODAY, knowledge)
    edited = apply_edits(text, card, TODAY, knowledge)
    assert edited is None or edited.refused is None or edited.items == card


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(FIELDS))
def test_an_answer_changes_no_other_fact(knowledge: Knowledge, reply: str, field: str) -> None:
    item = Item(description=None if field == "description" else "coffee", words="coffee")
    answered = answer(item, field, reply, TODAY, knowledge)  # type: ignore[arg-type]
    if answered is not None:
        assert getattr(answered, field)
        assert all(getattr(answered, other) == getattr(item, other) for other in FIELDS if other != field)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_an_amount_always_stands_in_the_message(knowledge: Knowledge, text: str) -> None:
    if "each" in text.split() or len(find_amounts(text)) != 1:
        return
    said = find_amounts(text)[0].value
    assert all(item.amount in (None, said) for item in parse_transactions(text, TODAY, knowledge))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(NAMES, st.integers(1, 99999), MODE_WORDS), min_size=1, max_size=6),
    st.sampled_from(["\n", "; ", ", ", " and "]),
)
def test_no_item_of_several_is_lost(knowledge: Knowledge, told: list[tuple[str, int, str]], between: str) -> None:
    message = between.join(f"{name} {amount} {mode}" for name, amount, mode in told)
    items = parse_transactions(message, TODAY, knowledge)
    assert [(item.description, item.amount) for item in items] == [(name, amount) for name, amount, _ in told]
    assert all(item.mode for item in items)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["yes", "ok", "save it", "looks good"]),
    st.text(alphabet="abcdefghij0123456789?", min_size=1, max_size=12),
)
def test_a_yes_with_anything_besides_is_no_yes(agreed: str, besides: str) -> None:
    agreeing = {word for phrase in (*table("consent")["yes"], *table("consent")["polite"]) for word in phrase.split()}
    if besides not in agreeing:
        assert consent(f"{agreed} {besides}") != "yes"
        assert consent(f"{besides} {agreed}") != "yes"


@pytest.mark.parametrize(
    "piece", ["coffee 10 cash and ", "upi ", "1 ", "for ", "?", "how much ", "[", "₹", " \t", "item 1 "]
)
@pytest.mark.timeout(10)
def test_a_very_long_message_takes_no_longer_than_its_length(piece: str, knowledge: Knowledge) -> None:
    text = piece * 300
    parse_transactions(text, TODAY, knowledge)
    for part in split_requests(text):
        classify(part, TODAY, knowledge)
    apply_edits(text, parse_transactions("tea 20 cash", TODAY, knowledge), TODAY, knowledge)
