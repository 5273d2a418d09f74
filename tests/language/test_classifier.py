from datetime import date

import numpy as np
import pytest

from agent.language import classifier
from agent.language.classifier import Guess, Model, hash_of_phrases, likely, model
from agent.language.intents import classify
from agent.language.knowledge import Knowledge
from agent.language.training import labelled
from agent.state import NO_BOOK

TODAY = date(2026, 11, 30)
NOTHING = Knowledge.of(NO_BOOK)


def test_the_weights_are_those_of_the_phrases() -> None:
    assert model().phrases == hash_of_phrases(), "make them anew: python -m agent.language.training"


def test_no_phrase_stands_under_two_intents() -> None:
    seen: dict[str, str] = {}
    for phrase, intent in labelled():
        assert seen.setdefault(phrase.casefold(), intent) == intent, phrase


def test_the_probabilities_of_all_intents_sum_to_one() -> None:
    guesses = likely("what is left of my money")
    assert sum(guess.probability for guess in guesses) == pytest.approx(1, abs=1e-5)
    assert [guess.probability for guess in guesses] == sorted((g.probability for g in guesses), reverse=True)


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("play that tune from the radio again", "unclear"),
        ("is there a pharmacy open near me", "unclear"),
        ("could you remind me to water the plants", "unclear"),
        ("how much is one euro in rupees these days", "market"),
        ("how did wipro do on the exchange today", "market"),
        ("lovely to make your acquaintance", "smalltalk"),
        ("which things are you capable of", "help"),
    ],
)
def test_a_message_that_no_rule_knows_is_told_by_its_meaning(message: str, intent: str) -> None:
    assert classify(message, TODAY, NOTHING).intent == intent


@pytest.mark.parametrize(
    "message",
    [
        "coffee 100 cash", "spent 500 on groceries via phonepe", "how much did I spend on food this month", "yes",
        "undo", "hello", "what is my balance", "how can I save more", "EMI on 25 lakh at 8.5% for 20 years",
    ],
)  # fmt: skip
def test_a_sure_message_never_asks_for_its_meaning(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: str) -> tuple[Guess, ...]:
        raise AssertionError("the classifier was asked")

    monkeypatch.setattr("agent.language.intents.likely", never)
    assert classify(message, TODAY, NOTHING).confidence >= 0.7


def test_meaning_alone_never_begins_an_entry_and_never_confirms(monkeypatch: pytest.MonkeyPatch) -> None:
    for intent in ("log", "confirm", "undo", "edit"):
        monkeypatch.setattr("agent.language.intents.likely", lambda _, intent=intent: (Guess(intent, 0.99),))
        assert classify("zorp the flimble", TODAY, NOTHING).intent not in ("log", "confirm", "undo", "edit")


def test_where_two_readings_are_close_both_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "agent.language.intents.likely", lambda _: (Guess("market", 0.5), Guess("research", 0.4), Guess("ask", 0.1))
    )
    reading = classify("zorp the flimble", TODAY, NOTHING)
    assert reading.confidence < 0.7
    assert reading.options == ("price of zorp the flimble", "what is zorp the flimble")


def test_without_the_model_the_rules_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise classifier.EmbeddingMissing("It is not installed.")

    monkeypatch.setattr(classifier, "embedding", missing)
    assert likely("anything") == ()
    assert classify("zorp the flimble", TODAY, NOTHING).intent == "unclear"


def test_a_higher_temperature_is_less_sure() -> None:
    vector = np.ones(384, np.float32)
    weights = np.zeros((385, 2), np.float32)
    weights[-1] = (2, 0)
    bold, shy = (Model(("a", "b"), weights, each, "").guesses(vector)[0].probability for each in (0.5, 2.0))
    assert bold == pytest.approx(1 / (1 + np.exp(-4)), abs=1e-6)
    assert shy == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-6)
