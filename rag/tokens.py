"""A text as the words that search compares: stemmed, without stop words, numbers whole, years and percents in one form.

"Net NPAs fell to 6.50 per cent in FY 2022-23"   →   net npa fell 6.5 6.5% fy2023 2022 2023
"₹ 1,23,456.00 (in crore)"                       →   123456 crore
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import snowballstemmer

from rag.periods import Year, years

_WORDS = Path(__file__).parent / "vocabulary" / "words.toml"
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]))(?P<percent>\s?(?:%|per\s?cent\b|percent\b))?"
    r"|(?P<word>[^\W_]+(?:['’][^\W_]+)*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Term:
    """A word of a question: how much it counts beside the words that were typed (1)."""

    token: str
    weight: float = 1.0
    stands_for: tuple[frozenset[str], ...] = ()
    """the tokens of what an abbreviation stands for, in each of its ways"""


def tokens(text: str) -> list[str]:
    """The words of a text that search compares, in order."""
    return [token for token, _, _ in placed_tokens(text)]


def placed_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Each word with the span of the text it came from; a year in a special form gives more than one."""
    ahead = [year for year in years(text) if year.kind != "calendar"]
    at = 0
    for year in ahead:
        yield from _plain(text, at, year.start)
        yield from ((token, year.start, year.end) for token in _year_tokens(year))
        at = year.end
    yield from _plain(text, at, len(text))


def question_terms(question: str) -> tuple[Term, ...]:
    """The words of a question, each once, and at half weight the other ways in which what it says is written."""
    typed = list(dict.fromkeys(tokens(question)))
    found = dict.fromkeys(typed, 1.0)
    joined = f" {' '.join(tokens(question))} "
    stands_for: dict[str, tuple[frozenset[str], ...]] = {}
    for ways in _same():
        said = [way for way in ways if f" {way} " in joined]
        if said:
            others = tuple(frozenset(way.split()) for way in ways if way not in said)
            stands_for |= {way: others for way in said if " " not in way}
            for way in ways:
                for token in way.split():
                    found.setdefault(token, 0.5)
    return tuple(Term(token, weight, stands_for.get(token, ())) for token, weight in found.items())


def spelled_out(question: str) -> str:
    """A question with what its abbreviations stand for behind it: a model of general English does not know them."""
    joined = f" {' '.join(tokens(question))} "
    long = [
        group["ways"][1]
        for group, ways in zip(vocabulary()["same"], _same(), strict=True)
        if " " in ways[1] and f" {ways[0]} " in joined and " " not in ways[0] and f" {ways[1]} " not in joined
    ]
    return f"{question} ({', '.join(long)})" if long else question


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """A word without its endings, lower case."""
    return str(_stemmer().stemWord(word))


def number(text: str) -> str:
    """A number in one form: no grouping, no idle zeros."""
    plain = text.replace(",", "")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


def _plain(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for match in _TOKEN.finditer(text, start, end):
        if match["number"]:
            value = number(match["number"])
            yield value, match.start(), match.end()
            if match["percent"]:
                yield f"{value}%", match.start(), match.end()
            continue
        word = match["word"].casefold().replace("’", "'").removesuffix("'s").replace("'", "")
        if word not in _stop() and (len(word) > 1 or not word.isascii()):
            yield (word if any(letter.isdigit() for letter in word) else stem(word)), match.start(), match.end()


def _year_tokens(year: Year) -> tuple[str, ...]:
    if year.kind == "assessment":
        return (year.token, str(year.ends))
    return (year.token, str(year.ends - 1), str(year.ends)) if year.both else (year.token, str(year.ends))


@cache
def vocabulary() -> Mapping[str, Any]:
    """The word tables of search."""
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))


@cache
def _stop() -> frozenset[str]:
    return frozenset(vocabulary()["stop"].split())


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")


@cache
def _same() -> Sequence[Sequence[str]]:
    return [[" ".join(tokens(way)) for way in group["ways"]] for group in vocabulary()["same"]]
