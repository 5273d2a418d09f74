"""Taking the framing words off a phrase: `spent … on`, `paid for`, `please log`.

Works on tokens, so that a message of any length takes time in proportion to its length.
"""

import re
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

from agent.language.vocabulary import one_of, table
from money import AmountFound, DateFound, find_amounts, find_dates

AMOUNT, READ = "\x00", "\x01"
"""what stands for each character of an amount, and of a date or tag, that was already read"""

_TOKEN = re.compile(rf"[^\s{AMOUNT}{READ}]+")
_EDGES = ".,;:!?\"'()[]{}<>*_~`|/\\=@#&+-–—₹$€£"
_FORMULA = re.compile(r"\$(?=[A-Za-z\\])[^$\n]{1,60}\$")
"""`$x^2$`: a sign between letters is no currency"""
_LONGEST_PHRASE = 4
_YEAR = re.compile(r"(?:19|20)\d\d")


@lru_cache(maxsize=256)
def amounts_in(text: str) -> tuple[AmountFound, ...]:
    """The amounts in a text; remembered, because several readers of a message look for them."""
    text = _FORMULA.sub(lambda found: " " * len(found[0]), text.replace(READ, " "))
    found = find_amounts(text)
    return tuple(
        amount for place, amount in enumerate(found) if place + 1 == len(found) or not _is_number_of(text, amount)
    )


def _is_number_of(text: str, amount: AmountFound) -> bool:
    """The 13 of `bus 13 fare 25`: which bus, not what it cost; the year of `2024 edition`."""
    if amount.currency or not amount.text.strip().isdigit():
        return False
    if _YEAR.fullmatch(amount.text.strip()) and _year_of().match(text, amount.end):
        return True
    before, after = _numbered()
    return bool(before.search(text[: amount.start]) and after.match(text, amount.end))


@lru_cache(maxsize=256)
def days_in(text: str, today: date) -> tuple[DateFound, ...]:
    """The days in a text; remembered likewise."""
    return find_dates(text, today)


class Token(NamedTuple):
    """A word of a text: where it stands, and its letters in lower case without punctuation around them."""

    start: int
    end: int
    plain: str


def blank(text: str, spans: tuple[tuple[int, int], ...], mark: str) -> str:
    """The text with a mark in place of every character of the spans; as long as before."""
    for start, end in spans:
        text = text[:start] + mark * (end - start) + text[end:]
    return text


def tokens_of(text: str) -> list[Token]:
    """The words of a text, in order; what is only punctuation has an empty plain form."""
    return [
        Token(found.start(), found.end(), found[0].casefold().replace("’", "'").strip(_EDGES))
        for found in _TOKEN.finditer(text)
    ]


def content(tokens: list[Token]) -> list[Token]:
    """The words without the framing ones at both ends."""
    first, last = 0, len(tokens)
    while first < last and (skipped := _framing(tokens, first, last)):
        first += skipped
    return tokens[first : end_of_content(tokens, first)]


def end_of_content(tokens: list[Token], first: int = 0) -> int:
    """How many of the words remain when the framing ones at the end are left out."""
    last = len(tokens)
    while first < last and (skipped := _framing_end(tokens, first, last)):
        last -= skipped
    return last


def _framing(tokens: list[Token], first: int, last: int) -> int:
    if not tokens[first].plain:
        return 1
    longest = min(_LONGEST_PHRASE, last - first)
    phrases = [" ".join(token.plain for token in tokens[first : first + size]) for size in range(1, longest + 1)]
    if any(phrase in _phrases("kept") for phrase in phrases):
        return 0
    return next((size for size in range(longest, 0, -1) if phrases[size - 1] in _phrases("lead")), 0)


def _framing_end(tokens: list[Token], first: int, last: int) -> int:
    if not tokens[last - 1].plain:
        return 1
    longest = min(_LONGEST_PHRASE, last - first)
    for size in range(longest, 0, -1):
        phrase = " ".join(token.plain for token in tokens[last - size : last])
        if phrase in _phrases("kept"):
            return 0
        if phrase in _phrases("trail"):
            return size
    return 0


@cache
def _year_of() -> re.Pattern[str]:
    return re.compile(rf"\s+{one_of(table('transactions')['year_of'])}(?!\w)", re.IGNORECASE)


@cache
def _numbered() -> tuple[re.Pattern[str], re.Pattern[str]]:
    said = table("transactions")
    before = re.compile(rf"(?<!\w){one_of(said['numbered'])}\.?\s+$", re.IGNORECASE)
    return before, re.compile(rf"\s+{one_of(said['numbered_for'])}(?!\w)", re.IGNORECASE)


@cache
def _phrases(name: str) -> frozenset[str]:
    return frozenset(table("transactions")[name])
