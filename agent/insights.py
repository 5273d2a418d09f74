"""What an advice turn found, kept for the questions that follow it: `which one was highest?`, `and the saving?`.

A follow-up about it is answered from it, as long as the book has not changed since.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from agent.language.vocabulary import plain, table
from agent.turn import Source

Asked = Literal["highest", "lowest", "rose", "fell", "total", "saving", "count"]
KEPT_FOR = 5
"""turns"""


@dataclass(frozen=True)
class InsightLine:
    """A category of the result: what it cost, what it cost before, and the rows of both."""

    category: str | None
    now: Decimal
    before: Decimal
    source: Source
    before_source: Source


@dataclass(frozen=True)
class Saved:
    """A recommended cut: the category, how much is saved, and how."""

    category: str | None
    amount: Decimal
    source: Source


@dataclass(frozen=True)
class Insight:
    """What one turn's advice found, and of which state of the book it was true."""

    turn: int
    """the turn of the conversation it was found in, from 1"""
    book: str
    """the hash of the book as it was read"""
    words: str
    """the days it is about: `in November`"""
    before_words: str
    lines: tuple[InsightLine, ...] = ()
    """the most spent first"""
    savings: tuple[Saved, ...] = ()


def asked_of(message: str) -> Asked | None:
    """What a follow-up wants of the result just told; None: it is about something else."""
    text = plain(message).strip(" ?.!,")
    return next((name for name, pattern in _patterns() if pattern.fullmatch(text)), None)


@cache
def _patterns() -> tuple[tuple[Asked, re.Pattern[str]], ...]:
    words = table("advice")["insight"]
    names: tuple[Asked, ...] = ("highest", "lowest", "rose", "fell", "total", "saving", "count")
    return tuple(
        (name, re.compile(f"(?:{words['before']} )?(?:{words[name]})(?: {words['after']})?")) for name in names
    )
