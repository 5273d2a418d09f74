"""What a message wants: its parts, and the intent of each with a confidence.

A part is held against the readings below, the surest first; the first that fits decides:

    the whole message is yes, cancel, stop or undo  >  small talk, help  >  an edit  >  a transaction with its amount
    >  advice, goals, holdings, prices, documents, sums  >  a question of the book  >  a transaction without its amount

What could be a question as well as an entry gets a confidence below 0.7 and both as options.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from agent.language.consent import consent
from agent.language.facets import begins_with
from agent.language.knowledge import Knowledge
from agent.language.modes import AT_END, BOUND, mentions_of
from agent.language.questions import Question, parse_question
from agent.language.requests import asks_of_the_book, requests_of, tells_of_money
from agent.language.vocabulary import one_of, plain, table, words
from agent.language.wording import content, tokens_of
from ledger.queries import Query
from money import find_amounts

Intent = Literal[
    "log", "confirm", "edit", "cancel", "undo", "stop", "ask", "advise", "research", "compare", "calculate", "market",
    "portfolio", "plan_goal", "sheet", "smalltalk", "help", "unclear",
]  # fmt: skip

_MOST_PARTS = 4
_SURE, _LIKELY, _POSSIBLE, _UNSURE = 0.95, 0.85, 0.75, 0.5
_UNCLEAR_SURE = 0.9
_LONG = 2000
_SHORT, _SHORTER, _WORDY = 8, 4, 14
_OF_OTHERS: tuple[Intent, ...] = ("sheet", "compare", "calculate", "portfolio", "market", "plan_goal", "research")


@dataclass(frozen=True)
class Reading:
    """The intent of one part of a message. Under a confidence of 0.7 the user is asked, with `options` to choose."""

    intent: Intent
    confidence: float
    options: tuple[str, ...] = ()
    """messages the user may have meant, ready to be sent as they stand"""


def split_requests(message: str) -> tuple[str, ...]:
    """The requests in a message, in its order, up to four; what follows the fourth stays with it."""
    parts = requests_of(message)
    if len(parts) <= _MOST_PARTS:
        return parts
    return (*parts[: _MOST_PARTS - 1], "; ".join(parts[_MOST_PARTS - 1 :]))


def classify(part: str, today: date, knowledge: Knowledge, previous: Query | None = None) -> Reading:
    """What one part of a message wants; `previous` is the question a follow-up would continue."""
    text = plain(part[:_LONG]).strip(" .!,")
    if not re.search(r"\w", text):
        return Reading("help", _POSSIBLE) if "?" in part else Reading("unclear", _UNCLEAR_SURE)
    if said := consent(part):
        return Reading("confirm" if said == "yes" else said, _SURE)
    asked = parse_question(part, today, knowledge, previous)
    sure = min((question.confidence for question in asked), default=0.0)
    if _whole("smalltalk").fullmatch(text.rstrip("?")) and not find_amounts(text):
        return Reading("smalltalk", _SURE)
    if _whole("help").fullmatch(text):
        return Reading("help", _SURE)
    if _any("edit").search(text) and not asks_of_the_book(text):
        return Reading("edit", _POSSIBLE)
    if _tells(part, text):
        return _logged(part, text)
    if _any("smalltalk").search(text) and not asks_of_the_book(text):
        return Reading("smalltalk", _LIKELY)
    if _any("help").search(text) and not asks_of_the_book(text):
        return Reading("help", _LIKELY)
    if other := _other(text, sure):
        return other
    if sure >= _POSSIBLE - 0.05:
        return Reading("ask", sure)
    return _incomplete(part, text, asked, knowledge)


def _tells(part: str, text: str) -> bool:
    """Whether it tells of a transaction with its amount: not a hypothetical one, and not a sum to be worked out."""
    if not find_amounts(part) or begins_with(part) or _any("advise").search(text) or _any("services").search(text):
        return False
    return tells_of_money(part)


def _logged(part: str, text: str) -> Reading:
    """How surely an entry is meant: told with a mode, a verb or a rupee sign, or just a number with words."""
    amounts = find_amounts(part)
    mentions = [mention for mention in mentions_of(part) if mention.strength]
    words = len(tokens_of(text))
    if mentions or _verb().search(text) or any(amount.currency for amount in amounts):
        others = any(_any(name).search(text) for name in ("market", "calculate", "elsewhere"))
        return Reading("log", _POSSIBLE if others and not mentions else _SURE)
    if any(_any(name).search(text) for name in (*_OF_OTHERS, "elsewhere")) or words > _WORDY:
        return Reading("unclear", _UNCLEAR_SURE) if words > _WORDY else Reading(_other_name(text), _POSSIBLE)
    return Reading("log", _LIKELY)


def _other_name(text: str) -> Intent:
    return next((name for name in _OF_OTHERS if _any(name).search(text)), "unclear")


def _other(text: str, sure: float) -> Reading | None:
    """What is wanted besides entries and figures of the book."""
    if _any("elsewhere").search(text) and not asks_of_the_book(text):
        return Reading("unclear", _UNCLEAR_SURE)
    if _any("plan_goal").search(text):
        return Reading("plan_goal", _LIKELY)
    if _any("advise").search(text):
        return Reading("advise", _LIKELY)
    if _any("services").search(text) and not asks_of_the_book(text):
        return Reading("unclear", _UNCLEAR_SURE)
    if sure < _SURE - 0.1 or not asks_of_the_book(text):
        for name in _OF_OTHERS:
            if _any(name).search(text):
                return Reading(name, _LIKELY)
    return None


def _incomplete(part: str, text: str, asked: tuple[Question, ...], knowledge: Knowledge) -> Reading:
    """An entry without its amount, or words that may be an entry or a question."""
    mentions = [mention for mention in mentions_of(part) if mention.strength >= AT_END]
    rest = content(tokens_of(text))
    bound = any(mention.strength == BOUND for mention in mentions)
    known = knowledge.categorise(text) is not None
    if begins_with(part) or not rest or text.startswith(("stop", "don't", "do not")):
        return Reading("unclear", _UNCLEAR_SURE)
    if mentions and len(rest) <= (_SHORT if bound else _SHORTER):
        return Reading("log", _LIKELY if bound else _POSSIBLE)
    if find_amounts(part) and len(rest) <= 1:
        return Reading("log", _POSSIBLE)
    if _begins_with_verb().match(text) and len(rest) <= _SHORT:
        return Reading("log", _POSSIBLE) if known else Reading("log", _UNSURE, _both(part))
    if known and (asked or len(rest) <= _SHORTER):
        return Reading("ask", _UNSURE, _both(part))
    return Reading("unclear", _UNCLEAR_SURE)


def _both(part: str) -> tuple[str, ...]:
    name = part.strip(" .!?")
    return (f"show {name} expenses", f"log {name}")


@cache
def _whole(name: str) -> re.Pattern[str]:
    polite = one_of(table("intents")["smalltalk"]["polite"])
    return re.compile(rf"(?:{'|'.join(table('intents')[name]['whole'])})(?: {polite})*")


@cache
def _any(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(table('intents')[name]['anywhere'])})(?!\w)")


@cache
def _verb() -> re.Pattern[str]:
    return words(table("intents")["verbs"]["told"])


@cache
def _begins_with_verb() -> re.Pattern[str]:
    return re.compile(rf"(?:i |we |just )?{one_of(table('intents')['verbs']['first'])}(?!\w)")
