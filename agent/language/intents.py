"""What a message wants: its parts, and the intent of each with a confidence.

A part is held against the readings below, the surest first; the first that fits decides:

    the whole message is yes, cancel, stop or undo  >  small talk, help  >  an edit  >  a transaction with its amount
    >  advice, goals, holdings, prices, documents, sums  >  a question of the book  >  a transaction without its amount

What could be a question as well as an entry gets a confidence below 0.7 and both as options.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal, cast

from agent.calculation import asks_to_calculate
from agent.language.advice import asks_advice, asks_ahead
from agent.language.classifier import Guess, likely
from agent.language.clauses import without_number
from agent.language.consent import consent
from agent.language.facets import begins_with
from agent.language.knowledge import Knowledge
from agent.language.lending import owed_asked
from agent.language.limits import cannot_answer
from agent.language.modes import AT_END, BOUND, mentions_of, mode_named
from agent.language.questions import Question, parse_question
from agent.language.reality import counted_in
from agent.language.requests import asks_of_the_book, requests_of, tells_of_money
from agent.language.splits import without_share
from agent.language.vocabulary import one_of, plain, table, words
from agent.language.wording import READ, amounts_in, blank, content, tokens_of
from ledger.queries import Query

Intent = Literal[
    "log", "confirm", "edit", "cancel", "undo", "stop", "ask", "advise", "research", "compare", "calculate", "market",
    "portfolio", "plan_goal", "sheet", "smalltalk", "help", "unclear",
]  # fmt: skip

_MOST_PARTS = 4
_SURE, _LIKELY, _POSSIBLE, _ENOUGH, _UNSURE = 0.95, 0.85, 0.75, 0.7, 0.5
_UNCLEAR_SURE = 0.9
_LONG = 2000
_SHORT, _SHORTER, _WORDY = 8, 4, 10
_OF_OTHERS: tuple[Intent, ...] = ("sheet", "compare", "calculate", "portfolio", "market", "plan_goal", "research")


_OF_THE_BOOK = ("log", "ask", "advise", "edit")
_AS_INTENT = {"confirm": "smalltalk", "undo": "unclear"}
"""what the classifier may see and must not do"""
_READINGS = 2


@dataclass(frozen=True)
class Reading:
    """The intent of one part of a message. Under a confidence of 0.7 the user is asked, with `options` to choose."""

    intent: Intent
    confidence: float
    options: tuple[str, ...] = ()
    settled: bool = True
    """a rule decided; without it the words fitted none"""
    by: Literal["rules", "meaning"] = "rules"
    """messages the user may have meant, ready to be sent as they stand"""


def _by_meaning(part: str, reading: Reading, guesses: Sequence[Guess]) -> Reading:
    """The reading with what the classifier makes of the words; without guesses as it is.

    It never begins an entry and never confirms anything: those are the rules' alone.
    """
    if not guesses:
        return reading
    first = guesses[0]
    intent = _AS_INTENT.get(first.intent, first.intent)
    if first.probability >= _ENOUGH:
        if intent == reading.intent or (intent in _OF_THE_BOOK and reading.intent in _OF_THE_BOOK):
            return replace(reading, settled=True)
        if intent in _OF_THE_BOOK:
            return replace(reading, options=reading.options or _offered(part, guesses), settled=True)
        return Reading(cast(Intent, intent), first.probability, by="meaning")
    if reading.intent in _OF_THE_BOOK and reading.options:
        return reading
    if options := _offered(part, guesses):
        return Reading("unclear", first.probability, options, by="meaning")
    return reading


def _offered(part: str, guesses: Sequence[Guess]) -> tuple[str, ...]:
    """The two likeliest readings, as messages that say them plainly."""
    wordings = table("intents")["readings"]
    name = part.strip(" .!?")
    likeliest = [wordings[guess.intent] for guess in guesses[:_READINGS] if guess.intent in wordings]
    return tuple(wording.format(words=name) for wording in likeliest) if len(likeliest) == _READINGS else ()


def split_requests(message: str) -> tuple[str, ...]:
    """The requests in a message, in its order, up to four; what follows the fourth stays with it."""
    parts = requests_of(message)
    if len(parts) <= _MOST_PARTS:
        return parts
    return (*parts[: _MOST_PARTS - 1], "; ".join(parts[_MOST_PARTS - 1 :]))


def classify(part: str, today: date, knowledge: Knowledge, previous: Query | None = None) -> Reading:
    """What one part of a message wants; `previous` is the question a follow-up would continue.

    The rules first. Where they are unsure, or know of nothing it could be, the meaning of the whole is asked.
    """
    reading = by_rules(part, today, knowledge, previous)
    if reading.settled and reading.confidence >= _ENOUGH:
        return reading
    return _by_meaning(part[:_LONG], reading, likely(part[:_LONG]))


def by_rules(part: str, today: date, knowledge: Knowledge, previous: Query | None = None) -> Reading:
    """What the rules make of it."""
    part = part[:_LONG]
    text = plain(part).strip(" .!,")
    if not re.search(r"\w", text):
        return Reading("help", _POSSIBLE) if "?" in part else Reading("unclear", _UNCLEAR_SURE)
    if said := consent(part):
        word = "yes" if said == "anyway" else said
        return Reading("confirm" if word == "yes" else word, _SURE)
    if _any("notices").search(text):
        return Reading("unclear", _UNCLEAR_SURE)
    if _whole("help").fullmatch(text):
        return Reading("help", _SURE)
    if owed_asked(part) or counted_in(part):
        return Reading("ask", _SURE)
    if _is_numbered_entry(part, text):
        return Reading("log", _LIKELY)
    if _any("edit").search(text) and not asks_of_the_book(text) and not _any("services").search(text):
        return Reading("edit", _POSSIBLE)
    if is_remark(part):
        return Reading("smalltalk", _LIKELY)
    if not mentions_of(part) and asks_to_calculate(part, today):
        return Reading("calculate", _SURE)
    if _tells(part, text):
        return _logged(part, text)
    if not asks_advice(part, today, knowledge) and cannot_answer(part, today, knowledge, previous):
        return Reading("ask", _LIKELY)
    asked = parse_question(part, today, knowledge, previous)
    sure = min((question.confidence for question in asked), default=0.0)
    bare = sure < _ENOUGH and not amounts_in(text) and not mentions_of(text)
    if bare and _whole("smalltalk").fullmatch(text.rstrip("?")):
        return Reading("smalltalk", _SURE)
    if _is_sum(part):
        return Reading("calculate", _LIKELY)
    if _any("smalltalk").search(text) and not asks_of_the_book(text):
        return Reading("smalltalk", _LIKELY)
    if _any("help").search(text) and not asks_of_the_book(text):
        return Reading("help", _LIKELY)
    if other := _other(text, sure, advised=asks_advice(part, today, knowledge)):
        return other
    if sure >= _ENOUGH:
        return Reading("ask", sure)
    return _incomplete(part, text, asked, knowledge)


def _is_numbered_entry(part: str, text: str) -> bool:
    """Whether it is an entry with the number of a list before it: `item 3 milk 60 cash`, unlike `item 3 amount 60`."""
    bare = without_number(text)
    if bare == text or _of_a_card().search(bare):
        return False
    return bool(amounts_in(bare)) and bool(mentions_of(bare)) and tells_of_money(without_number(part))


def is_remark(part: str) -> bool:
    """Whether it says that nothing happened: `I didn't spend anything today`."""
    return bool(_any("remarks").search(plain(part))) and not begins_with(part) and not amounts_in(part)


def _tells(part: str, text: str) -> bool:
    """Whether it tells of a transaction with its amount: not a hypothetical one, and not a sum to be worked out."""
    if (
        not amounts_in(without_share(part))
        or begins_with(part)
        or _is_sum(part)
        or _any("advise").search(text)
        or _any("services").search(text)
        or _any("intended").search(text)
    ):
        return False
    return tells_of_money(part)


def _is_sum(part: str) -> bool:
    """Amounts to be worked out and nothing else: `add twelve and twelve`."""
    amounts = amounts_in(part)
    if len(amounts) < 2 or mentions_of(part):
        return False
    rest = content(tokens_of(blank(part, tuple((amount.start, amount.end) for amount in amounts), READ)))
    return not rest and bool(_any("calculate").search(plain(part)))


def _logged(part: str, text: str) -> Reading:
    """How surely an entry is meant: told with a mode, a verb or a rupee sign, or just a number with words."""
    amounts = amounts_in(without_share(part))
    mentions = [mention for mention in mentions_of(part) if mention.strength]
    words = len(tokens_of(text))
    if mentions or _verb().search(text) or any(amount.currency for amount in amounts):
        others = any(_any(name).search(text) for name in ("market", "calculate", "elsewhere"))
        return Reading("log", _POSSIBLE if others and not mentions else _SURE)
    if other := next((name for name in _OF_OTHERS if _any(name).search(text)), None):
        return Reading(other, _POSSIBLE)
    strange = _any("elsewhere").search(text) or re.match(r"(?:and\s+)?(?:in|from|of|that|which|is|are|the)\s", text)
    return Reading("unclear", _UNCLEAR_SURE) if strange or words > _WORDY else Reading("log", _LIKELY)


def _other(text: str, sure: float, *, advised: bool) -> Reading | None:
    """What is wanted besides entries and figures of the book."""
    if _any("elsewhere").search(text) and not asks_of_the_book(text) and not asks_ahead(text):
        return Reading("unclear", _UNCLEAR_SURE)
    if _any("plan_goal").search(text):
        return Reading("plan_goal", _LIKELY)
    if advised:
        return Reading("advise", _LIKELY)
    if _any("services").search(text) and not asks_of_the_book(text):
        return Reading("unclear", _UNCLEAR_SURE)
    if sure < _SURE - 0.1 or (sure < _SURE and not asks_of_the_book(text)):
        for name in _OF_OTHERS:
            if _any(name).search(text):
                return Reading(name, _LIKELY)
    return None


def _incomplete(part: str, text: str, asked: tuple[Question, ...], knowledge: Knowledge) -> Reading:
    """An entry without its amount, or words that may be an entry or a question."""
    named = tuple((mention.start, mention.end) for mention in mentions_of(part) if mention.strength)
    mentions = [mention for mention in mentions_of(part) if mention.strength >= AT_END]
    rest = content(tokens_of(blank(part, named, READ)))
    bound = any(mention.strength == BOUND for mention in mentions)
    known = knowledge.categorise(text) is not None
    sure = min((question.confidence for question in asked), default=0.0)
    if begins_with(part) == "question" or text.startswith(("stop", "don't", "do not")):
        return Reading("unclear", _UNCLEAR_SURE, settled=False)
    if begins_with(part) or not rest:
        unfit = Reading("unclear", _UNCLEAR_SURE, settled=False)
        return Reading("ask", _UNSURE, _shown(part)) if sure >= _UNSURE else unfit
    if mentions and len(rest) <= (_SHORT if bound else _SHORTER):
        return Reading("log", _LIKELY if bound else _POSSIBLE)
    if amounts_in(part) and len(rest) <= 1:
        return Reading("log", _POSSIBLE)
    if _begins_with_verb().match(text) and len(rest) <= _SHORT:
        return Reading("log", _POSSIBLE) if known else Reading("log", _UNSURE, _both(part))
    if known and (asked or len(rest) <= _SHORTER):
        return Reading("ask", _UNSURE, _both(part))
    if sure > _UNSURE:
        return Reading("ask", _UNSURE, _shown(part))
    return Reading("unclear", _UNCLEAR_SURE, settled=False)


def _shown(part: str) -> tuple[str, ...]:
    name = re.sub(r"^(?:show|find|list|see|view)(?: me)?\s+", "", part.strip(" .!?"), flags=re.IGNORECASE)
    if mode_named(name):
        return (f"what is my {name} balance", f"show {name} transactions")
    return (f"show {name} transactions", f"show {name} expenses")


def _both(part: str) -> tuple[str, ...]:
    name = part.strip(" .!?")
    return (f"show {name} expenses", f"log {name}")


@cache
def _of_a_card() -> re.Pattern[str]:
    said = table("edits")
    fields = [phrase for phrases in said["fields"].values() for phrase in phrases]
    return re.compile(rf"{one_of([*fields, *said['is'], *said['values']['none']])}(?!\w)")


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
