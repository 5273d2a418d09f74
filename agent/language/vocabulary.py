"""The word tables of the conversation: read once, turned into patterns once.

The tables are files a person can read and extend, `vocabulary/*.toml`; nothing here knows what they mean.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "vocabulary"


@cache
def table(name: str) -> Mapping[str, Any]:
    """The tables of one vocabulary file, by its name without the ending."""
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def one_of(phrases: Iterable[str]) -> str:
    """A pattern for any of the phrases, the longest that fits first, spaces or hyphens between their words."""
    longest_first = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"[\s-]+") for phrase in longest_first) + ")"


def words(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of the phrases as whole words, whatever their case."""
    return _whole_words(tuple(phrases))


@cache
def _whole_words(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(phrases)}(?!\w)", re.IGNORECASE)


def plain(text: str) -> str:
    """The text in lower case with straight apostrophes and single spaces, for comparing whole messages."""
    return " ".join(text.casefold().replace("’", "'").replace("‘", "'").split())


def lowered(text: str) -> str:
    """The text in lower case, each character in its place: the few letters that would grow stay as they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
