"""What is understood and still cannot be answered as it was asked, and the sentence that says so.

    the surest first:  a day that no month has  >  `those two` of more balances than two  >  the patterns of limits.toml

A wrong figure said with confidence is worse than none: whatever stands here is told instead of being answered in part.
"""

import re
from calendar import monthrange
from datetime import date
from functools import cache
from typing import Any

from agent.language.facets import begins_with
from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of
from agent.language.requests import asks_of_the_book
from agent.language.vocabulary import one_of, plain, table
from agent.language.wording import tokens_of
from ledger.entries import MODE_NAMES, MODES
from ledger.queries import Query
from money import contradicted_day, day_text

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_LEAP = 2028
"""29 February is a day of some year"""


def cannot_answer(words: str, today: date, knowledge: Knowledge, previous: Query | None = None) -> str | None:
    """Why a question cannot be answered as asked, in a sentence for the user; None: nothing stands against it."""
    text = plain(words).strip(" ?.!")
    asks = bool(_pattern(table("limits")["alone"]["asks"]).fullmatch(text))
    if not asks and not (
        asks_of_the_book(text) or begins_with(text) or _rows().search(text) or _names_category(text, knowledge)
    ):
        return _those_of(text, previous)
    return _no_such_day(text) or _another_weekday(text, today) or _those_of(text, previous) or _of_patterns(text)


def note_on(words: str) -> str | None:
    """What has to be said beside the answer of a question; None: nothing."""
    text = plain(words)
    if not any("credit card" in mention.name for mention in mentions_of(text)):
        return None
    return str(table("limits")["notes"]["credit_card"])


def _no_such_day(text: str) -> str | None:
    for found in _day_of_month().finditer(text):
        name = found["m1"] or found["m2"]
        number = next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))
        day, days = int(found["d1"] or found["d2"]), monthrange(_LEAP, number)[1]
        if not 1 <= day <= days:
            month = _MONTHS[number - 1].capitalize()
            return f"There is no {day} {month}: {month} has {days} days. Which day do you mean?"
    return None


def _another_weekday(text: str, today: date) -> str | None:
    contradicted = contradicted_day(text, today)
    if contradicted is None:
        return None
    said, day = contradicted
    return f"{day_text(day, day)} is a {day:%A}, and you said “{said}”. Which day do you mean?"


def _those_of(text: str, previous: Query | None) -> str | None:
    """`those two?` after the balances of four modes may mean any two of them."""
    if previous is None or previous.aggregate != "balance":
        return None
    said = [token.plain for token in tokens_of(text) if token.plain]
    numbers = table("limits")["those"]["numbers"]
    number = next((numbers[word] for word in said if word in numbers), None)
    if number is None or not set(said) <= {*numbers, *table("limits")["those"]["words"]}:
        return None
    shown = len(previous.modes or MODES)
    if number == shown:
        return None
    *first, last = MODE_NAMES.values()
    return f"I am not sure which of them you mean. Name them: {', '.join(first)} or {last}."


def _of_patterns(text: str) -> str | None:
    for limit in table("limits")["cannot"]:
        found = _pattern(limit["when"]).search(text)
        if found and not ("unless" in limit and _pattern(limit["unless"]).search(text)):
            say: str = limit["say"]
            return say.replace("{found}", found["name"]) if "{found}" in say else say
    return None


def _names_category(text: str, knowledge: Knowledge) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text) for name in knowledge.categories)


@cache
def _rows() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['nouns']['row'])}(?!\w)")


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern.replace('{festival}', one_of(_festivals()))})(?!\w)")


def _festivals() -> Any:
    return table("limits")["festivals"]["names"]


@cache
def _day_of_month() -> re.Pattern[str]:
    month = "|".join(sorted({*_MONTHS, *(name[:3] for name in _MONTHS), "sept"}, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w.,/₹-])(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{month})(?!\w)"
        rf"|(?<!\w)(?P<m2>{month})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w.,/]*\d)(?!\w)(?!\s+(?:to|and)\s+\d)"
    )
