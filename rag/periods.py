"""Years as documents write them, in one form: FY2023 = FY 2022-23 = 2022-23 = the financial year 2022–2023.

A financial year is named by the year it ends in. An assessment year (AY 2023-24) is a year of its own kind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_DASH = "[-\u2010\u2011\u2012\u2013\u2014\u2212/]"
_NAMED = r"f\.?\s?y\.?|financial\s+year|fiscal\s+year|fiscal|a\.?\s?y\.?|assessment\s+year|tax\s+year"
_YEAR = re.compile(
    rf"(?<![\w.,])(?:(?P<name>{_NAMED})[\s:'’-]*)?"
    rf"(?:(?P<first>(?:19|20)\d\d)\s?{_DASH}\s?(?P<last>(?:(?:19|20)\d\d|\d\d))|(?P<year>(?:19|20)\d\d))(?!\d|[.,]\d)"
    rf"|(?<![\w.,])(?P<short>f\.?y\.?)[\s'’]*(?P<two>\d\d)(?:\s?{_DASH}\s?(?P<second>\d\d))?(?!\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Year:
    """A year in a text: its kind, the year it ends in, and where it stands."""

    kind: Literal["financial", "assessment", "calendar"]
    ends: int
    start: int
    end: int
    both: bool = False
    """whether both its years were written"""

    @property
    def token(self) -> str:
        """One word for it, however it was written."""
        return {"financial": "fy", "assessment": "ay", "calendar": ""}[self.kind] + str(self.ends)

    @property
    def text(self) -> str:
        """As a person writes it: FY2022-23, AY2023-24, 2019."""
        if self.kind == "calendar":
            return str(self.ends)
        return f"{self.token[:2].upper()}{self.ends - 1}-{self.ends % 100:02d}"


def years(text: str) -> Iterator[Year]:
    """Every year of a text, from its beginning on."""
    for match in _YEAR.finditer(text):
        name = re.sub(r"[^a-z]", "", (match["name"] or match["short"] or "").lower())
        kind: Literal["financial", "assessment", "calendar"] = "calendar"
        if name:
            kind = "assessment" if name.startswith("a") else "financial"
        if match["two"]:
            ends = 2000 + int(match["second"] or match["two"])
            yield Year("financial", ends, match.start(), match.end(), bool(match["second"]))
        elif match["first"]:
            first, last = int(match["first"]), match["last"]
            ends = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
            if ends < first:
                ends += 100
            if ends == first + 1:
                one: Literal["assessment", "financial"] = "assessment" if kind == "assessment" else "financial"
                yield Year(one, ends, match.start(), match.end(), both=True)
            elif len(last) == 4:
                yield Year("calendar", first, match.start("first"), match.end("first"))
                yield Year("calendar", ends, match.start("last"), match.end("last"))
        else:
            yield Year(kind, int(match["year"]), match.start(), match.end())
