"""The same again: `same as yesterday`, `rent again`, `usual coffee`, `netflix again 649`.

It names rows of the book as a change of them does; what comes of it is a new row of today, or of the day that is said.
"""

import re
from datetime import date
from functools import cache

from agent.language.amendments import Amendment, Values, values_in
from agent.language.facets import begins_with
from agent.language.knowledge import Knowledge
from agent.language.sought import Sought, sought_in
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import days_in

_LONGEST = 120


def parse_repeat(message: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """The rows to be written again, and what is new of them; None for any other message."""
    text = " ".join(message.replace("’", "'").split()).strip(" .!")
    if not text or len(text) > _LONGEST or "\n" in message or ";" in message or begins_with(text) == "question":
        return None
    lower = lowered(text)
    if found := _same_as().fullmatch(lower):
        return _again(text[slice(*found.span("ref"))], "", today, knowledge, sure=True)
    if found := _same_again().fullmatch(lower):
        return _again("that", text[slice(*found.span("new"))], today, knowledge, sure=True)
    if found := _usual().fullmatch(lower):
        return _again(text[slice(*found.span("ref"))], text[slice(*found.span("new"))], today, knowledge, sure=False)
    if found := _named_again().fullmatch(lower):
        return _again(text[slice(*found.span("ref"))], text[slice(*found.span("new"))], today, knowledge, sure=False)
    return None


def _again(reference: str, new: str, today: date, knowledge: Knowledge, *, sure: bool) -> Amendment | None:
    sought = sought_in(reference, today)
    if sought is None or (sought.only_mode and not sought.pointed):
        return None
    becomes = _new_values(new.strip(), today, knowledge)
    return None if becomes is None else Amendment("repeat", sought, becomes, sure=sure)


def _new_values(new: str, today: date, knowledge: Knowledge) -> Values | None:
    """What is said to be new; None when it is something else. A day still to come is kept, to be asked about."""
    if not new:
        return ()
    days = days_in(new, today)
    if len(days) == 1 and not (new[: days[0].start] + new[days[0].end :]).strip(" ,."):
        return (("date", new),)
    return values_in(new, today, knowledge) or None


def day_of(becomes: Values, today: date) -> date:
    """The day of the new row: the one said, otherwise today."""
    said = next((value for field, value in becomes if field == "date"), None)
    days = days_in(said, today) if said else ()
    return days[0].day if days else today


def newest_of_each(sought: Sought, descriptions: tuple[str, ...]) -> tuple[int, ...]:
    """Of rows, the newest first, the first of each description; all of one day where a day is named."""
    if sought.first and not sought.words:
        return tuple(range(len(descriptions)))
    seen: dict[str, int] = {}
    for place, description in enumerate(descriptions):
        seen.setdefault(description.casefold(), place)
    return tuple(seen.values())


@cache
def _said() -> dict[str, str]:
    return {name: one_of(phrases) for name, phrases in table("repeats").items()}


@cache
def _same_as() -> re.Pattern[str]:
    said = _said()
    return re.compile(rf"(?:{said['opening']}\s+)*{said['same']}\s+(?:as|like)\s+(?P<ref>.+)")


@cache
def _same_again() -> re.Pattern[str]:
    said = _said()
    return re.compile(rf"(?:{said['opening']}\s+)*(?:{said['same_again']})(?P<new>(?:\s+.+)?)")


@cache
def _usual() -> re.Pattern[str]:
    said = _said()
    return re.compile(
        rf"(?:{said['opening']}\s+)*(?:my\s+|the\s+)?{said['usual']}\s+(?P<ref>[^\d]+?)(?P<new>(?:\s+\d.*)?)"
    )


@cache
def _named_again() -> re.Pattern[str]:
    said = _said()
    return re.compile(rf"(?:{said['opening']}\s+)*(?P<ref>[^\d,]+?)\s+{said['again']}(?P<new>(?:\s+.+)?)")
