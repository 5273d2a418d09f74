"""The words of `phrases.toml` as patterns, and the currencies of `currencies.toml`: read once, compared whole."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_GAP = r"[^\n;!]{0,70}?"
"""what `…` stands for: a few words of one sentence"""
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Refusal:
    """A kind of message that is no transaction."""

    name: str
    """`otp`, `failed`, `due` …"""
    sentence: str
    pattern: re.Pattern[str]
    weak_outweighs: bool = False
    """an amount that moved on a named account outweighs it, even without a sure word"""


@dataclass(frozen=True)
class Phrases:
    """What messages say, as patterns over the message in lower case."""

    names: re.Pattern[str]
    footers: re.Pattern[str]
    unreal: re.Pattern[str]
    out_sure: re.Pattern[str]
    out_weak: re.Pattern[str]
    in_sure: re.Pattern[str]
    in_weak: re.Pattern[str]
    back: re.Pattern[str]
    theirs: re.Pattern[str]
    never: tuple[Refusal, ...]
    unless: tuple[Refusal, ...]
    beside: re.Pattern[str]
    balance: re.Pattern[str]
    limit: re.Pattern[str]
    marks: tuple[re.Pattern[str], ...]
    official: re.Pattern[str]
    wallet: re.Pattern[str]
    upi: re.Pattern[str]
    atm: re.Pattern[str]
    cash_in: re.Pattern[str]


@dataclass(frozen=True)
class Currencies:
    """How amounts are written in messages."""

    of: Mapping[str, str]
    """the code by its mark, in lower case"""
    three_decimals: frozenset[str]
    before: str
    """a pattern of every mark that may stand before a number"""
    after: str


def pattern_of(words: Iterable[str], end: str = "") -> re.Pattern[str]:
    """Any of the phrases, whole words, the longest first; where white space stands any may."""
    parts = sorted({_part(word) for word in words if word}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(parts)}){end}") if parts else _NEVER


def _part(word: str) -> str:
    return _GAP.join(_whole(piece.strip()) for piece in word.split("…"))


def _whole(words: str) -> str:
    body = r"\s+".join(re.escape(each) for each in words.split())
    begins = r"(?<!\w)" if words[:1].isalnum() else ""
    ends = r"(?!\w)" if words[-1:].isalnum() else ""
    return f"{begins}{body}{ends}"


@cache
def phrases() -> Phrases:
    """The phrases, read once."""
    table = _table("phrases")
    out, into = table["out"], table["in"]
    return Phrases(
        names=pattern_of(table["names"]["words"]),
        footers=pattern_of(table["footers"]["words"]),
        unreal=pattern_of(table["unreal"]["words"], r"\s+(?:auto[\s-]?|successfully\s+|automatically\s+|yet\s+)?$"),
        out_sure=pattern_of(out["sure"]),
        out_weak=pattern_of(out["weak"]),
        in_sure=pattern_of(into["sure"]),
        in_weak=pattern_of(into["weak"]),
        back=pattern_of(into["back"]),
        theirs=pattern_of(into["theirs"]),
        never=_refusals(table["never"]),
        unless=_refusals(table["unless"]),
        beside=pattern_of(table["beside"]["words"]),
        balance=pattern_of(table["beside"]["balance"]),
        limit=pattern_of(table["beside"]["limit"]),
        marks=tuple(pattern_of((word,)) for word in table["marks"]["words"]),
        official=pattern_of(table["marks"]["official"]),
        wallet=pattern_of(table["modes"]["wallet"]),
        upi=pattern_of(table["modes"]["upi"]),
        atm=pattern_of(table["modes"]["atm"]),
        cash_in=pattern_of(table["modes"]["cash_in"]),
    )


@cache
def currencies() -> Currencies:
    """The currencies, read once."""
    table = _table("currencies")
    known = table["codes"]["known"]
    of = {code.casefold(): code for code in known}
    of |= {mark.casefold(): code for code, marks in table["marks"].items() for mark in marks}
    marks = sorted(of, key=len, reverse=True)
    before = "|".join((rf"(?<![^\W\d_]){re.escape(mark)}" if mark[0].isalpha() else re.escape(mark)) for mark in marks)
    after = "|".join((rf"{re.escape(mark)}(?!\w)" if mark[-1].isalnum() else re.escape(mark)) for mark in marks)
    return Currencies(of, frozenset(table["codes"]["three_decimals"]), before, after)


def _refusals(table: Mapping[str, Any]) -> tuple[Refusal, ...]:
    return tuple(
        Refusal(name, kind["sentence"], pattern_of(kind["words"]), kind.get("weak_outweighs", False))
        for name, kind in table.items()
    )


@cache
def _table(name: str) -> Mapping[str, Any]:
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
