"""Changes to rows that stand in the book already, in words.

    message ─ parse_amendment ─► Amendment(action, which rows, what they become) ─ amended ─► the row as it shall be

`that was 600, not 500`, `the petrol of 5 Nov was cash`, `delete yesterday's tea`, `change last swiggy to 300`. A plain
expense, a question and money moved between own modes are none. Where the words could mean something else as well the
amendment is not `sure`: it counts only when a row of the book is found for it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal

from agent.language.consent import consent
from agent.language.edits import Edited, EditedField, apply_edits, field_named, typed_value
from agent.language.facets import begins_with
from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of
from agent.language.requests import requests_of
from agent.language.sought import Sought, rows_meant, sought_in
from agent.language.vocabulary import lowered, one_of, plain, table, words
from agent.language.wording import READ, amounts_in, blank, content, days_in, tokens_of
from ledger.entries import Entry
from money import parse_amount

Becoming = Literal["untag"] | EditedField
Values = tuple[tuple[Becoming, str], ...]
_TAG = r"[\[#]?[\w ]+?\]?"
_OFF = r"(?:remove|delete|drop|take off|clear) (?:the |a )?"
_TAGGED: tuple[tuple[str, Becoming], ...] = (
    (
        rf"(?:add|put) (?:the |a )?(?:tag )?(?P<tag>{_TAG})(?: tag)? (?:to|on) (?P<ref>(?:the |my |last |yesterday).+)",
        "tag",
    ),
    (r"tag (?P<ref>.+?) (?:as|with) (?P<tag>[\[#]?[\w -]+\]?)", "tag"),
    (rf"{_OFF}tag (?P<tag>{_TAG}) (?:from|of|on|off) (?P<ref>.+)", "untag"),
    (rf"{_OFF}(?P<tag>[\[#]?[\w ]*?\]?) ?tags? (?:from|of|on|off) (?P<ref>.+)", "untag"),
    (r"untag (?P<ref>.+)", "untag"),
)
"""a tag put on a row or taken off"""
_LONGEST = 240
_NUMBER = re.compile(
    r"(?:the\s+)?(?:number|item|row|entry|no\.?|option)?\s*#?(\d{1,2})(?:[.):]\s.*|\s+(?:one|please))?"
)


@dataclass(frozen=True)
class Amendment:
    """What is wanted of rows of the book."""

    action: Literal["edit", "delete", "repeat"]
    sought: Sought
    becomes: Values = ()
    """field and new value, as said"""
    sure: bool = True
    """False: the words mean this only when such a row is found"""


def parse_amendment(message: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """The amendment a whole message asks for; None when it asks for none."""
    if len(message) > _LONGEST or not _marks().search(message) or "\n" in message or ";" in message:
        return None
    text = _closing().sub("", _opening().sub("", message.replace("’", "'").strip())).strip(" .!")
    lower = lowered(text)
    if not text or begins_with(text) == "question" or (consent(message) and not _deletes_that().fullmatch(lower)):
        return None
    if _elsewhere().search(lower):
        return None
    for read in (_tagged, _deleted, _changed, _denied, _stated, _exchanged):
        if found := read(text, lower, today, knowledge):
            return None if len(requests_of(message)) > 1 else found
    return None


def amended(item: Item, becomes: Values, today: date, knowledge: Knowledge) -> Edited:
    """A row, as an item, with its new values; refused with a sentence when one of them cannot be used."""
    items: tuple[Item, ...] = (item,)
    for field, value in becomes:
        words = f"remove tag {value} from item 1" if field == "untag" else f"item 1 {field} {value}"
        edited = apply_edits(words, items, today, knowledge)
        if edited is None:
            return Edited((item,), refused=f"“{value}” cannot be its {field}.")
        if edited.refused:
            return Edited((item,), refused=edited.refused)
        items = edited.items
    return Edited(items)


def chosen(reply: str, entries: Sequence[Entry], today: date, knowledge: Knowledge) -> tuple[int, ...] | None:
    """Which of the rows shown a reply means, by their places from 0; none of them is (); None: it does not say."""
    said = plain(reply).strip(" .!?")
    choice = table("amendments")["choice"]
    if said in choice["all"]:
        return tuple(range(len(entries)))
    if said in choice["none"]:
        return ()
    if said in ("last", "the last", "the last one"):
        return (len(entries) - 1,)
    number = _NUMBER.fullmatch(said)
    ordinal = re.fullmatch(rf"(?:the\s+|number\s+)?({one_of(choice['ordinals'])})(?:\s+(?:one|please))*", said)
    if number or ordinal:
        place = int(number[1]) if number else choice["ordinals"][ordinal[1]] if ordinal else 0
        return (place - 1,) if 1 <= place <= len(entries) else None
    sought = sought_in(reply, today)
    if sought is None or sought.only_points:
        return None
    meant = rows_meant(sought, entries, (), knowledge)
    places = tuple(place for place, entry in enumerate(entries) if entry in meant)
    return places if len(places) == 1 else None


def agrees_to_delete(message: str) -> bool:
    """`yes, delete it`: a yes to a card that deletes, and to no other."""
    return bool(_agreed().fullmatch(re.sub(r"[\s,.!]+", " ", plain(message)).strip()))


def only_says_delete(message: str) -> bool:
    """`delete it`, which drops any other card, but is neither yes nor cancel to a card that deletes."""
    return bool(re.fullmatch(one_of(table("amendments")["agreed"]["delete"]), plain(message).strip(" .!")))


# the ways to say it


def _tagged(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`tag the pizza of friday as party`, `remove the party tag from the team lunch`."""
    del knowledge
    for pattern, field in _TAGGED:
        if found := re.fullmatch(pattern, lower):
            sought = sought_in(text[slice(*found.span("ref"))], today)
            tag = (found.groupdict().get("tag") or "").strip(" []#\"“”'")
            return Amendment("edit", sought, ((field, tag),)) if sought and (tag or field == "untag") else None
    return None


def _deleted(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    del knowledge
    verb = re.match(rf"{_one('delete')}\s+", lower)
    sought = sought_in(text[verb.end() :], today) if verb else None
    if sought is None or (sought.only_mode and not sought.pointed and not _entry_noun().search(lower)):
        return None  # "delete my account" is no row
    return Amendment("delete", sought)


def _changed(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`change the amount of last swiggy from 250 to 300`, `move the movie to entertainment`, `make the rent 15500`."""
    said = table("amendments")
    verb = re.match(rf"(?P<verb>{_one('change')})\s+", lower)
    if verb is None:
        return None
    rest = text[verb.end() :]
    split = re.match(rf"(?P<ref>.+)\s+{_one('becomes')}\s+(?P<new>.+)$", rest, re.IGNORECASE)
    if split is None:
        return _made(rest, today, knowledge) if verb["verb"] in said["bare"] else None
    reference, new = split["ref"], split["new"]
    field, reference = _field_off(reference)
    reference, old = _from_old(reference, today, knowledge)
    sought = _held(reference, old, today)
    if sought is None or (verb["verb"] in said["moving"] and (sought.amount or not sought.words)):
        return None
    values, typed = _values_for(field, new, today, knowledge), True
    if not values:
        as_field: EditedField = "category" if verb["verb"] in said["filing"] else "description"
        values, typed = ((as_field, new),), verb["verb"] in said["naming"]
        if not typed and not sought.words:
            return None
    return Amendment("edit", sought, values, sure=typed)


def _made(rest: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`make it 600`: the new value is the longest end of the message that is one."""
    ends = [match.start() for match in re.finditer(r"(?<=\s)\S", rest)]
    for end in ends:
        if values := values_in(rest[end:], today, knowledge):
            field, reference = _field_off(rest[:end])
            sought = sought_in(reference, today)
            fits = field in (None, values[0][0])
            return Amendment("edit", sought, values) if sought and fits and not sought.amount else None
    return None


def _stated(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`that was 600, not 500`, `the rent on 2 nov should be 15500`, `the petrol of 5 Nov was cash`."""
    strong = re.match(rf"(?P<ref>.+?)\s+{_one('should')}\s+(?P<new>.+)$", lower)
    found = strong or re.match(rf"(?P<ref>.+?)\s+{_one('is')}\s+(?P<new>.+)$", lower)
    if found is None or text.endswith("?"):
        return None
    new, old = _without_old(text[slice(*found.span("new"))])
    field, reference = _field_off(text[slice(*found.span("ref"))])
    sought = _held(reference, old, today)
    if sought is None:
        return None
    values = _values_for(field, new, today, knowledge)
    if not values and old and sought.words:
        values = (("description", new),)
    if not values:
        return None
    definite = sought.first is not None or bool(_definite().match(lower))
    if strong or (old and (definite or sought.pointed)) or (sought.pointed and not sought.words):
        return Amendment("edit", sought, values)
    if old:
        return Amendment("edit", sought, values, sure=False)
    names_amount = any(name == "amount" for name, _ in values)
    if not _was().search(lower) or not definite or (names_amount and not field) or amounts_in(reference):
        return None
    return Amendment("edit", sought, values, sure=False)


def _denied(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`it was not 500 but 600`, `the tea wasn't cash, it was upi`."""
    found = re.match(
        r"(?P<ref>.+?)\s+(?:was\s+not|is\s+not|wasn't|isn't)\s+(?P<old>.+?)\s*,?\s+"
        r"(?:but|it\s+was|it's|rather|it\s+is)\s+(?P<new>.+)$",
        lower,
    )
    if found is None:
        return None
    sought = _held(text[slice(*found.span("ref"))], found["old"], today)
    values = values_in(text[slice(*found.span("new"))], today, knowledge)
    return Amendment("edit", sought, values) if sought and values else None


def _exchanged(text: str, lower: str, today: date, knowledge: Knowledge) -> Amendment | None:
    """`600, not 500`, `upi instead of cash`."""
    del lower
    new, old = _without_old(text)
    values = values_in(new, today, knowledge) if old else ()
    before = values_in(old, today, knowledge)
    if len(values) != 1 or len(before) != 1 or values[0][0] != before[0][0]:
        return None
    sought = _held("that", old, today)
    return Amendment("edit", sought, values, sure=False) if sought else None


# pieces


def _held(reference: str, old: str, today: date) -> Sought | None:
    """The rows named, which hold the old value where one is said: `500` alone names what was just written."""
    sought = sought_in(reference, today)
    if sought is None or not old:
        only_value = sought is not None and not sought.words and not sought.first and not sought.newest
        return replace(sought, pointed=True) if sought and only_value else sought
    amount = parse_amount(old)
    # a number by itself is an amount here, also where it could be a year: "2100, not 2011"
    before = Sought(amount=amount, said=old) if amount else sought_in(old, today)
    if before is None:
        return None
    return replace(
        sought,
        words=(*sought.words, *before.words),
        first=before.first or sought.first,
        last=before.last or sought.last,
        amount=before.amount or sought.amount,
        mode=before.mode or sought.mode,
        said=f"{sought.said}, {before.said}" if not sought.only_points else before.said,
    )


def _values_for(field: EditedField | None, new: str, today: date, knowledge: Knowledge) -> Values:
    if field is None:
        return values_in(new, today, knowledge)
    return ((field, new.strip()),) if new.strip() else ()


def values_in(text: str, today: date, knowledge: Knowledge) -> Values:
    """The new values in a text that holds nothing else: `600`, `cash`, `600 cash`, `entertainment`."""
    if parse_amount(text):
        return (("amount", text.strip()),)
    field, value = typed_value(text, today, knowledge)
    if field:
        return ((field, value),)
    amounts, days = amounts_in(text), days_in(text, today)
    closed = blank(text, tuple((found.start, found.end) for found in amounts), READ)
    closed = blank(closed, tuple((found.start, found.end) for found in days), READ)
    mentions = mentions_of(closed)
    rest = blank(closed, tuple((mention.start, mention.end) for mention in mentions), READ)
    if max(len(amounts), len(days), len(mentions)) > 1 or content(tokens_of(rest)):
        return ()
    said: list[tuple[EditedField, str]] = [("amount", found.text) for found in amounts]
    said += [("mode", text[mention.start : mention.end]) for mention in mentions]
    said += [("date", found.text) for found in days]
    return tuple(said)


def _field_off(reference: str) -> tuple[EditedField | None, str]:
    """`the amount of last swiggy`, `tea's mode`: the field that is named, and the row without it."""
    if field := field_named(re.sub(r"^\s*(?:the|its)\s+", "", reference, flags=re.IGNORECASE)):
        return field, "that"
    before = r"\s*(?:the\s+)?(?P<field>[\w ]+?)\s+(?:of|for|on)\s+(?P<row>.+)$"
    behind = r"\s*(?P<row>.+?)(?:'s)?\s+(?P<field>\w+)\s*$"
    for found in (re.match(before, reference, re.IGNORECASE), re.match(behind, reference)):
        if found and (field := field_named(found["field"])):
            return field, found["row"]
    return None, reference


def _from_old(reference: str, today: date, knowledge: Knowledge) -> tuple[str, str]:
    """`petrol from 500`: the row, and the value it has now."""
    found = re.match(r"(?P<ref>.+?)\s+from\s+(?P<old>.+)$", reference, re.IGNORECASE)
    if found and values_in(found["old"], today, knowledge):
        return found["ref"], found["old"]
    return reference, ""


def _without_old(text: str) -> tuple[str, str]:
    """`600, not 500` as the new value and the old one."""
    found = re.match(rf"(?P<new>.+?)\s*,?\s+{_one('rather')}\s+(?P<old>.+)$", text, re.IGNORECASE)
    return (found["new"].strip(" ,"), found["old"]) if found else (text, "")


@cache
def _one(name: str) -> str:
    return rf"{one_of(table('amendments')[name])}(?![\w'])"


@cache
def _elsewhere() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){table('amendments')['elsewhere']}")


@cache
def _marks() -> re.Pattern[str]:
    said = table("amendments")
    return words([*said["marks"], *said["delete"], *said["change"]])


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"^(?:{one_of(table('amendments')['opening'])}(?:[\s,:]+))+", re.IGNORECASE)


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"(?:[\s,]+{one_of(table('amendments')['closing'])}[.!?]*)+$", re.IGNORECASE)


@cache
def _entry_noun() -> re.Pattern[str]:
    return words(table("amendments")["rows"]["entries"])


@cache
def _definite() -> re.Pattern[str]:
    return re.compile(rf"{one_of(table('amendments')['rows']['definite'])}\s")


@cache
def _was() -> re.Pattern[str]:
    return words(table("amendments")["was"])


@cache
def _deletes_that() -> re.Pattern[str]:
    return re.compile(r"(?:delete|remove|erase)\s+(?:it|that|this)")


@cache
def _agreed() -> re.Pattern[str]:
    said = table("amendments")["agreed"]
    return re.compile(rf"{one_of(said['yes'])} {one_of(said['delete'])}(?: please)?")
