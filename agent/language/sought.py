"""Which rows of the book are meant: `yesterday's tea`, `the petrol of 5 Nov`, `last swiggy`, `that`.

    words ─ sought_in ─► Sought ─ rows_meant(entries, pointed) ─► the rows, the newest first

A row is named by its description, day, amount and mode; `last` is the newest of those; `that` is what was just written
or shown. Of several rows those that were just written or shown are meant before the others.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of
from agent.language.vocabulary import lowered, one_of, table, words
from agent.language.wording import READ, amounts_in, blank, days_in, tokens_of
from ledger.entries import Entry, Mode
from money import find_periods

_WORD = re.compile(r"\w+")
_NUMBERED = re.compile(r"(?:the\s+)?(?:(?:item|row|entry|number|no\.?|line)s?\s*#?\d.*|#?\d{1,2})")
"""a line of a card, not a row of the book"""


@dataclass(frozen=True)
class Sought:
    """What was said of the rows meant; None or empty: not said."""

    words: tuple[str, ...] = ()
    """of a description, in lower case; what reads like a mode besides"""
    first: date | None = None
    last: date | None = None
    """both days included"""
    amount: Decimal | None = None
    mode: Mode | None = None
    mode_words: tuple[str, ...] = ()
    """the words that named the mode: they may be a description's, as in `bank charges`"""
    newest: bool = False
    pointed: bool = False
    """`that`, `it`: what was just written or shown"""
    said: str = ""
    """in the user's own words"""

    @property
    def only_points(self) -> bool:
        """Whether nothing but what was just written or shown is meant, of one mode at most."""
        return self.pointed and self.only_mode

    @property
    def only_mode(self) -> bool:
        """Whether no row is named, at most a mode."""
        return not (self.words or self.first or self.amount or self.newest)


def sought_in(text: str, today: date) -> Sought | None:
    """The rows that a phrase names; None when it names none, or something of Munshi that is no row."""
    said = text.strip(' ,.!“”"')
    lower = lowered(said).replace("’", "'")
    if not lower or _NUMBERED.fullmatch(lower):
        return None
    if _pointing().fullmatch(lower):
        return Sought(pointed=True, said=said)
    first, last, lower = _days(lower, today)
    amounts = amounts_in(lower)
    if len(amounts) > 1 or any(amount.currency not in (None, "INR") for amount in amounts):
        return None
    lower = blank(lower, tuple((amount.start, amount.end) for amount in amounts), READ)
    newest = bool(_newest().search(lower))
    lower = _newest().sub(lambda match: READ * len(match[0]), lower)
    mentions = mentions_of(lower)
    modes = {mention.mode for mention in mentions}
    rest = blank(lower, tuple((mention.start, mention.end) for mention in mentions), READ) if len(modes) == 1 else lower
    names = _names(rest)
    if names & _others():
        return None
    found = Sought(
        words=tuple(dict.fromkeys(_named(rest))),
        first=first,
        last=last,
        amount=amounts[0].value if amounts else None,
        mode=modes.pop() if len(modes) == 1 else None,
        mode_words=tuple(word for word in _named(lower) if word not in names),
        newest=newest,
        pointed=bool(re.match(r"(?:that|this|those|these)\b", lower)),
        said=said,
    )
    named = found.words or found.first or found.amount or found.mode or found.newest
    return found if named or found.pointed else None


def rows_meant(
    sought: Sought, entries: Sequence[Entry], pointed: Sequence[Entry], knowledge: Knowledge
) -> tuple[Entry, ...]:
    """The entries that are meant, the newest first; one at most where the newest was asked for."""
    if sought.only_points:
        return tuple(entry for entry in pointed if sought.mode in (None, entry.mode))
    plain = not (sought.words or sought.first or sought.amount or sought.mode)
    if sought.newest and plain and pointed:
        return tuple(pointed[:1])
    found = _described(sought, [entry for entry in entries if _fits(entry, sought)], knowledge)
    found = sorted(found, key=lambda entry: (entry.date, entry.row), reverse=True)
    near = [entry for entry in found if entry in pointed]
    if sought.newest:
        return tuple(found[:1])
    return tuple(near or found)


def _fits(entry: Entry, sought: Sought) -> bool:
    """Day and amount."""
    return (
        (sought.amount is None or entry.amount == sought.amount)
        and (sought.first is None or entry.date >= sought.first)
        and (sought.last is None or entry.date <= sought.last)
    )


def _described(sought: Sought, entries: list[Entry], knowledge: Knowledge) -> list[Entry]:
    """Those with the words and the mode: first as a description, then, of a day, as a category's."""
    if sought.mode_words and sought.words:
        as_words = (*sought.words, *sought.mode_words)
        if found := [entry for entry in entries if _has_words(entry.description, as_words)]:
            return found
    kept = [entry for entry in entries if sought.mode in (None, entry.mode)]
    found = [entry for entry in kept if _has_words(entry.description, sought.words)]
    if found or not sought.words or not (sought.first or sought.newest or sought.amount):
        return found
    name = " ".join(sought.words)
    if any(category.casefold() == name for category in knowledge.categories):
        return [entry for entry in kept if (entry.category or "").casefold() == name]
    return []


def _has_words(description: str, wanted: Iterable[str]) -> bool:
    there = {_singular(word) for word in _WORD.findall(description.casefold())}
    return all(_singular(part) in there for word in wanted for part in _WORD.findall(word))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _days(lower: str, today: date) -> tuple[date | None, date | None, str]:
    days = days_in(lower, today)
    if len(days) == 1:
        return days[0].day, days[0].day, blank(lower, ((days[0].start, days[0].end),), READ)
    periods = find_periods(lower, today)
    if len(periods) == 1:
        return periods[0].first, periods[0].last, blank(lower, ((periods[0].start, periods[0].end),), READ)
    return None, None, lower


def _named(text: str) -> list[str]:
    """The words that name something, framing left out."""
    plains = [token.plain.removesuffix("'s") for token in tokens_of(text)]
    return [word for word in plains if word and word not in _filler()]


def _names(text: str) -> set[str]:
    return set(_named(text))


@cache
def _pointing() -> re.Pattern[str]:
    entry = r"(?:entry|row|transaction|expense|payment|one)"
    return re.compile(rf"{one_of(table('amendments')['rows']['pointing'])}(?:\s+{entry})?")


@cache
def _newest() -> re.Pattern[str]:
    return words(table("amendments")["rows"]["newest"])


@cache
def _filler() -> frozenset[str]:
    rows = table("amendments")["rows"]
    return frozenset((*rows["filler"], *rows["pointing"], "s"))


@cache
def _others() -> frozenset[str]:
    return frozenset(table("amendments")["rows"]["others"])
