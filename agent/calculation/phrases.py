"""Numbers and operations in words, written as a calculation: `subtract sixty from 244` becomes `244 - 60`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from agent.calculation.expression import is_calculation
from agent.language.vocabulary import one_of, plain, table
from money.numbers import FIRST_WORDS, quantity_at

_STARTS = re.compile(rf"(?<![\w.,])(?:(?:₹|rs\.?\s*|inr\s*)?(?=[\d.])|(?={'|'.join(sorted(FIRST_WORDS))}\b))")
_NUMBER = r"(₹?\d+(?:\.\d+)?(?:/\d+)?)"
_PLACE = re.compile(r"\$(\d)")


@dataclass(frozen=True)
class Written:
    """A calculation in signs, and whether its result is a percentage."""

    expression: str
    is_percent: bool = False


def in_digits(text: str) -> str:
    """The text with every number in digits: `six minus four lakh` becomes `6 minus 400000`."""
    said = plain(text).replace("×", "*").replace("÷", "/").replace("−", "-")
    pieces, at = [], 0
    while found := _STARTS.search(said, at):
        quantity = quantity_at(said, found.end())
        if quantity is None or quantity.end <= found.start():
            pieces.append(said[at : found.end() + 1])
            at = found.end() + 1
            continue
        rupees = "₹" if found[0].strip() else ""
        pieces.append(f"{said[at : found.start()]}{rupees}{quantity.value:f}")
        at = quantity.end
    return "".join((*pieces, said[at:]))


def written(text: str) -> Written | None:
    """The calculation that a text asks for; None when it asks for none."""
    said = _bare(_with_parts(in_digits(text)))
    for pattern, means, is_percent in _forms():
        if found := pattern.fullmatch(said):
            return Written(_filled(means, found), is_percent)
    said = _in_signs(said)
    return Written(said) if is_calculation(said) else None


def _bare(said: str) -> str:
    before, after = _around()
    said = said.strip(" ?.!=,")
    while (cut := after.sub("", before.sub("", said)).strip(" ?.!=,:")) != said:
        said = cut
    return said


def _with_parts(said: str) -> str:
    """`3 quarters of 1 sixth` as `(3/4) of (1/6)`, `half of 60` as `(1/2) of 60`."""
    return _parts().sub(lambda found: f"({found[1] or 1}/{table('calculations')['parts'][found[2]]})", said)


def _in_signs(said: str) -> str:
    signs = table("calculations")["signs"]
    return " ".join(_signs().sub(lambda found: f" {signs[' '.join(found[0].split())]} ", said).split())


def _filled(means: str, found: re.Match[str]) -> str:
    if "$list" in means:
        listed = found.groupdict()
        numbers = re.findall(_NUMBER, listed.get("list") or listed.get("list2") or "")
        return means.replace("$list", ", ".join(numbers))
    numbers = [group for group in found.groups() if group]
    return _PLACE.sub(lambda place: numbers[int(place[1]) - 1], means)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    return tuple(_form(entry) for entry in table("calculations")["forms"])


def _form(entry: Any) -> tuple[re.Pattern[str], str, bool]:
    return re.compile(entry["says"].replace("#", _NUMBER)), entry["means"], entry.get("unit") == "percent"


@cache
def _around() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = table("calculations")
    return re.compile(rf"^{one_of(words['before'])}(?!\w)"), re.compile(rf"(?<!\w){one_of(words['after'])}$")


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:(\d+) |a )?({'|'.join(table('calculations')['parts'])})\b(?= of\b|$| \*| x )")


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('calculations')['signs'])}(?!\w)")
