"""Changes to an open card, in words.

    message ─ pieces ─► each piece is one Wish (set, remove, add, tag) ─► all are tried on the items ─► all or none

`item 2 mode wallet, item 1 description masala tea`, `change the date to yesterday`, `make it 600`, `cancel item 2`,
`change cash to upi`. A new expense, a question and a bare yes are no edits. The two rows of a move between own modes
are changed together.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple

from agent.language.amounts import amount_said
from agent.language.directions import direction_answered
from agent.language.facets import begins_with
from agent.language.items import Item, field_of
from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of, mode_named
from agent.language.transactions import categorised, description_of, parse_transactions, tags_in
from agent.language.vocabulary import lowered, one_of, table, words
from agent.language.wording import READ, amounts_in, blank, content, days_in, tokens_of
from ledger.entries import MODE_NAMES
from money import day_text, parse_date, rupees

EditedField = Literal["amount", "mode", "description", "category", "date", "direction", "tag"]
_FIELDS: tuple[EditedField, ...] = ("amount", "mode", "description", "category", "date", "direction", "tag")
_PIECES = re.compile(
    r"\s*[;\n]\s*|,\s+(?:and\s+)?|\s+and\s+(?:also\s+)?"
    r"|\s+(?:with|and)\s+(?:the\s+|a\s+)?(?=tags?\s+\S)|\s+(?=tags?\s+[\[#])"
    r"|\s+(?=(?:amount|mode|category|date|description|direction)\s+\S)",
    re.IGNORECASE,
)
_LONGEST = 600


@dataclass(frozen=True)
class Edited:
    """What an edit came to. When `refused` says why it could not be made, `items` are the ones that were there."""

    items: tuple[Item, ...]
    changed: tuple[str, ...] = ()
    """one short text a change: `item 2 mode Cash → Wallet`"""
    refused: str | None = None


class _Refused(Exception):
    """A wish that cannot be granted; the message is the sentence for the user."""


class _Wish(NamedTuple):
    """One change asked for: of which items (None: not said), and what."""

    kind: Literal["set", "remove", "add", "tag", "untag"]
    targets: tuple[int, ...] | None
    field: EditedField | None = None
    value: str = ""


def apply_edits(message: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> Edited | None:
    """The items after the edits a message asks for, all or none; None when the message is no edit."""
    text = _opening().sub("", message.strip()).strip(" .!") if len(message) <= _LONGEST else ""
    if not text or not items or (begins_with(text) == "question" and not _changes().match(lowered(text))):
        return None
    try:
        wishes = _wishes(text, items, today, knowledge)
        if not wishes:
            return None
        edited: tuple[Item, ...] = items
        gone: set[int] = set()
        for wish in wishes:
            edited, removed = _granted(wish, edited, today, knowledge)
            gone |= removed
    except _Refused as refusal:
        return Edited(items, refused=str(refusal))
    kept = tuple(item for index, item in enumerate(edited) if index not in gone)
    return Edited(kept, (*(f"item {index + 1} removed" for index in sorted(gone)), *_changes_between(items, edited)))


def without_opening(message: str) -> str:
    """A message without the words that may stand before an edit: `no wait 150` is `150`."""
    return _opening().sub("", message.strip())


def field_named(text: str) -> EditedField | None:
    """The field that a whole text names: `amount`, `payment mode`."""
    field, rest = _leading_field(lowered(text))
    return field if not rest.strip() else None


def _wishes(text: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> list[_Wish]:
    """The wishes of a message; none when its beginning is no edit."""
    wishes: list[_Wish] = []
    start, last = 0, 0
    ends = [match.span() for match in _PIECES.finditer(text)] + [(len(text), len(text))]
    said: tuple[int, ...] | None = None
    for position, (end, following) in enumerate(ends):
        wish = _wish(text[start:end], items, today, knowledge)
        if wish and wish.targets is None and wish.kind in ("set", "tag") and said is not None:
            wish = wish._replace(targets=said)
        if wish is None and any(
            _wish(text[start:further], items, today, knowledge) for further, _ in ends[position + 1 : position + 3]
        ):
            continue
        if wish is None and wishes and wishes[-1].field in ("amount", "mode", "date", "category"):
            # a bare value behind another: "make it 120 and upi"
            field, value = typed_value(text[start:end], today, knowledge)
            wish = _Wish("set", wishes[-1].targets, field, value) if field in ("amount", "mode", "date") else None
        if wish is None and wishes:
            # not an edit of its own: the rest of the value before it, as in "item 1 description milk, bread"
            joined = _wish(text[last:end], items, today, knowledge)
            if joined is None:
                return []
            inherited = wishes[-1].targets
            wishes[-1] = joined if joined.targets is not None else joined._replace(targets=inherited)
        elif wish is not None:
            wishes.append(wish)
            last = start
            said = wish.targets if wish.targets is not None else said
        else:
            continue
        start = following
    return wishes


def _wish(piece: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    piece = _opening().sub("", piece.strip()).strip(" .!")
    lower = lowered(piece)
    for read in (_tag_wish, _remove_wish, _keep_wish, _add_wish, _field_wish, _exchange_wish):
        if wish := read(piece, lower, items, today, knowledge):
            return wish
    return _typed_wish(piece, lower, items, today, knowledge)


def _tag_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    del today, knowledge
    if found := re.fullmatch(
        rf"(?:{_one('remove')}|clear)\s+(?:the\s+)?tags?(?:\s+(?P<tag>.+?))??(?:\s+(?:from|of|on)\s+(?P<ref>.+))?|untag(?:\s+(?P<of>.+))?",
        lower,
    ):
        reference = found["ref"] or found["of"]
        return _Wish(
            "untag", _referred(reference, items) if reference else None, value=(found["tag"] or "").strip("[]# ")
        )
    if found := re.fullmatch(
        r"(?:add|put|set|use)\s+(?:the\s+|a\s+)?tags?\s+(?P<tag>.+?)(?:\s+(?:to|on|for)\s+(?P<ref>.+))?", lower
    ):
        reference = found["ref"]
        return _Wish("tag", _referred(reference, items) if reference else None, value=piece[slice(*found.span("tag"))])
    if found := re.fullmatch(r"add\s+(?P<tag>\[[^\]]+\]|#\w+)(?:\s+(?:to|on|for)\s+(?P<ref>.+))?", lower):
        return _Wish("tag", _referred(found["ref"], items) if found["ref"] else None, value=found["tag"])
    if found := re.fullmatch(r"tag\s+(?P<rest>.+)", lower):
        rest = found["rest"]
        reference, after = _leading_reference(rest, items)
        if reference is None and (pointing := re.match(r"(?:it|this|that)\s+", rest)):
            reference, after = None, rest[pointing.end() :]
        value = re.sub(r"^(?:as|with|:)\s+", "", after.strip())
        return _Wish("tag", reference, value=value) if value else None
    return None


def _remove_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    del piece, today, knowledge
    found = re.fullmatch(rf"{_one('remove')}\s+(?P<what>.+)", lower)
    if not found:
        return None
    what = found["what"]
    if category := re.fullmatch(r"(?:the\s+)?category(?:\s+(?:from|of|on)\s+(?P<ref>.+))?", what):
        targets = _referred(category["ref"], items) if category["ref"] else None
        return _Wish("set", targets, "category", "none")
    if re.fullmatch(r"(?:it|that|this)(?:\s+one)?", what):
        return _Wish("remove", None)
    bare = re.fullmatch(r"(\d{1,3})", what)
    targets = _numbered(int(bare[1]), items) if bare else _referred_or_none(what, items)
    return _Wish("remove", targets) if targets is not None else None


def _keep_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    """`only save item 1`, `save all but the last`: the others are taken off; saving still waits for a yes."""
    del piece, today, knowledge
    if found := re.fullmatch(rf"{_one('but')}\s+(?P<what>.+)", lower):
        targets = _referred_or_none(found["what"], items)
        return _Wish("remove", targets) if targets is not None else None
    if found := re.fullmatch(rf"{_one('only')}\s+(?P<what>.+)", lower):
        targets = _referred_or_none(found["what"], items)
        kept = tuple(index for index in range(len(items)) if index not in (targets or ()))
        return _Wish("remove", kept) if targets and kept else None
    return None


def _add_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    del items
    found = re.match(
        rf"{_one('add')}\s+(?:another\s+|one\s+more\s+|a\s+new\s+|new\s+)?(?:(?:item|entry|row|expense)\s*:?\s+)?(?=\S)",
        lower,
    )
    if not found:
        return None
    rest = piece[found.end() :]
    told = parse_transactions(rest, today, knowledge)
    return _Wish("add", None, value=rest) if any(item.amount and item.description for item in told) else None


def _field_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    """`item 2 amount 500`, `change the amount of item 2 to 500`, `mode of tea is upi`, `date yesterday`."""
    del today, knowledge
    rest = re.sub(rf"^(?:{_one('change')}\s+)?(?:the\s+|its\s+|my\s+)?", "", lower)
    reference, after = _leading_reference(rest, items)
    if reference is not None:
        after = re.sub(r"^\s*(?:'s|ka|ki)?\s*(?:the\s+)?", "", after)
    field, value = _leading_field(after if reference is not None else rest)
    if field is None:
        return None
    if reference is None and (of := re.match(r"\s*(?:of|for|in|on)\s+", value)):
        reference, value = _leading_reference(value[of.end() :], items)
        if reference is None:
            return None
    value = re.sub(rf"^\s*{_one('is')}(?!\w)\s*", "", value, count=1)
    if reference is None and (
        trailing := re.search(r"\s+(?:for|of|in|on)\s+(?P<ref>(?:item|row|entry|the\s+\w+|#|all|both)\b.*)$", value)
    ):
        targets = _referred_or_none(trailing["ref"], items)
        if targets is not None:
            reference, value = targets, value[: trailing.start()]
            return _value_wish(piece, lower, reference, field, value)
    if old := re.match(r"from\s+.+?\s+to\s+", value):
        value = value[old.end() :]
    return _value_wish(piece, lower, reference, field, value)


def _value_wish(
    piece: str, lower: str, reference: tuple[int, ...] | None, field: EditedField, value: str
) -> _Wish | None:
    value = value.strip()
    if not value:
        return None
    at = lower.rfind(value)
    said = piece[at : at + len(value)]
    return _Wish("tag", reference, value=said) if field == "tag" else _Wish("set", reference, field, said)


def _exchange_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    """`change cash to upi`, `upi instead of cash`, `600 not 500`: the items that have the old value get the new one."""
    found = (
        re.fullmatch(rf"{_one('change')}\s+(?:the\s+)?(?P<old>.+?)\s+(?:to|into|as|with|by)\s+(?P<new>.+)", lower)
        or re.fullmatch(
            r"(?:use\s+|it was\s+|it is\s+|it's\s+)?(?P<new>.+?)\s*,?\s+(?:instead of|not|and not|rather than)\s+"
            r"(?P<old>.+)",
            lower,
        )
        or re.fullmatch(
            r"(?:it was\s+|it is\s+|it's\s+)?not\s+(?P<old>.+?)\s*,?\s+(?:but|it was|it is|it's)\s+(?P<new>.+)", lower
        )
    )
    if (
        not found
        or _leading_reference(found["old"], items, named=False)[0] is not None
        or re.fullmatch(r"it|that|this", found["old"])
    ):
        return None
    new = piece[slice(*found.span("new"))]
    field, _ = typed_value(found["old"], today, knowledge)
    if field:
        if typed_value(new, today, knowledge)[0] != field:
            return None
        having = tuple(index for index, item in enumerate(items) if _has(item, field, found["old"], today))
        if having:
            return _Wish("set", having, field, new)
    elif (named := _referred_or_none(found["old"], items)) is not None:
        typed, value = typed_value(new, today, knowledge)
        return _Wish("set", named, typed or "description", value or new)
    return None


def _typed_wish(piece: str, lower: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> _Wish | None:
    """`make it 600`, `item 2 was upi`, `it was yesterday`, `via upi`: what kind of value it is says the field."""
    verb = re.match(rf"(?:{_one('change')})\s+", lower)
    rest = lower[verb.end() :] if verb else lower
    reference, after = _leading_reference(rest, items)
    joined = re.match(rf"\s*(?:{_one('is')}(?!\w)\s*)+", after)
    if reference is not None:
        by_name = not re.match(
            r"(?:the\s+)?(?:item|row|entry|number|#|\d|first|second|third|fourth|fifth|last|all|both|every|each|no)",
            rest,
        )
        if by_name and not joined and not verb:
            return None
        value = after[joined.end() :] if joined else after
    elif pointing := re.match(
        rf"(?:it|that|this|they|them)(?:\s+(?:all|both))?(?:'s|\s+{_one('is')}(?!\w)|\s)\s*(?:{_one('is')}(?!\w)\s*)?",
        rest,
    ):
        reference = tuple(range(len(items))) if re.match(r"(?:they|them)", rest) else None
        value = rest[pointing.end() :]
    elif paid := re.match(
        r"(?:use|via|by|using|through|paid\s+(?:by|via|in|with|using|from)|pay\s+(?:by|via))\s+", rest
    ):
        value = rest[paid.end() :]
        if typed_value(value, today, knowledge)[0] != "mode":
            return None
    else:
        return None
    value = re.sub(r"^.+?\s*(?:->|→)\s*", "", value.strip())
    at = lower.rfind(value)
    said = piece[at : at + len(value)]
    if verb and verb[0].split()[0] in ("rename", "call", "name"):
        return _Wish("set", reference, "description", said) if value else None
    field, typed = typed_value(said, today, knowledge)
    if field:
        return _Wish("set", reference, field, typed)
    if reference is not None and value and (joined or verb) and re.search(r"[^\W\d_]", value):
        return _Wish("set", reference, "description", said)
    return None


def typed_value(value: str, today: date, knowledge: Knowledge) -> tuple[EditedField | None, str]:
    """The field that a bare value can only belong to, and the value without its framing."""
    bare = re.sub(
        r"^(?:(?:actually|only|just|about|paid|by|via|in|from|using|with|on|to|as|a|an|the|rs\.?)\s+)+",
        "",
        value.strip(),
        flags=re.IGNORECASE,
    )
    lower = lowered(bare).strip()
    if not lower:
        return None, ""
    if lower in table("edits")["values"]["direction"]:
        return "direction", bare
    found = amounts_in(bare)
    if len(found) == 1 and not content(tokens_of(blank(bare, ((found[0].start, found[0].end),), READ))):
        return "amount", bare
    said = mentions_of(bare)
    if said and not content(tokens_of(blank(bare, tuple((m.start, m.end) for m in said), READ))):
        return "mode", bare
    if parse_date(bare, today):
        return "date", bare
    if any(name.casefold() == lower for name in knowledge.categories):
        return "category", bare
    return None, bare


def _has(item: Item, field: EditedField, value: str, today: date) -> bool:
    match field:
        case "amount":
            return item.amount == amount_said(value).value
        case "mode":
            return item.mode == mode_named(value)
        case "date":
            return item.date == parse_date(value, today)
        case "category":
            return (item.category or "").casefold() == value.strip().casefold()
        case _:
            return item.direction == direction_answered(value)


def _granted(
    wish: _Wish, items: tuple[Item, ...], today: date, knowledge: Knowledge
) -> tuple[tuple[Item, ...], set[int]]:
    """The items with the wish granted, and which of them are to go."""
    if wish.kind == "add":
        return (*items, *parse_transactions(wish.value, today, knowledge)), set()
    targets = _targets(wish, items)
    together = wish.kind == "remove" or wish.field in ("amount", "date")
    if together:
        targets = tuple(dict.fromkeys(index for target in targets for index in (target, *_partner(items, target))))
    if wish.kind == "remove":
        return items, set(targets)
    edited = list(items)
    for index in targets:
        edited[index] = _with(wish, items[index], today, knowledge)
    return tuple(edited), set()


def _targets(wish: _Wish, items: tuple[Item, ...]) -> tuple[int, ...]:
    if wish.targets is not None:
        return wish.targets
    if len(items) == 1 or (len(items) == 2 and wish.field in ("amount", "date") and _partner(items, 0)):
        return (0,)
    example = {"remove": "remove item 2", "tag": "tag item 2 party", "untag": "remove tag from item 2"}.get(
        wish.kind, ""
    )
    raise _Refused(f"Which item? Say it with its number, like “{example or f'item 2 {wish.field} {wish.value}'}”.")


def _partner(items: tuple[Item, ...], index: int) -> tuple[int, ...]:
    """The other row of a move between own modes; none for any other row."""
    return tuple(
        other for other in (index - 1, index + 1) if 0 <= other < len(items) and _are_a_move(items[index], items[other])
    )


def _are_a_move(one: Item, other: Item) -> bool:
    same = all(getattr(one, field) == getattr(other, field) for field in ("words", "amount", "category", "date"))
    return same and one.category_said and {one.direction, other.direction} == {"DEBIT", "CREDIT"}


def _with(wish: _Wish, item: Item, today: date, knowledge: Knowledge) -> Item:
    """The item with one field changed. Raises _Refused when the value cannot be used."""
    value = wish.value.strip()
    if wish.kind == "tag":
        tags, _ = tags_in(value)
        added = tags or (value.strip(' []#"“”').upper(),)
        return replace(item, tags=tuple(dict.fromkeys((*item.tags, *added))))
    if wish.kind == "untag":
        return replace(item, tags=tuple(tag for tag in item.tags if value and tag != value.upper()))
    match wish.field:
        case "amount":
            changed = replace(item, amount=_amount(value), whole=None, ways=0)
        case "mode":
            mode = mode_named(value)
            if mode is None:
                raise _Refused(f"“{value}” is no mode. There are {', '.join(MODE_NAMES.values())}.")
            changed = replace(item, mode=mode)
        case "date":
            changed = replace(item, date=_day(value, today))
        case "category":
            changed = replace(item, category=_category(value, knowledge), category_said=True)
        case "direction":
            direction = direction_answered(value)
            if direction is None:
                raise _Refused(f"“{value}” does not say whether the money came in or went out.")
            changed = categorised(replace(item, direction=direction), knowledge)
        case _:
            changed = _renamed(item, value, knowledge)
    return replace(changed, doubts=_doubts_left(changed, wish))


def _doubts_left(item: Item, wish: _Wish) -> tuple[str, ...]:
    return tuple(doubt for doubt in item.doubts if wish.field is None or field_of(doubt) != wish.field)


def _amount(value: str) -> Decimal:
    said = amount_said(value)
    if said.value is not None:
        return said.value
    kind, _, detail = (said.doubt or "").partition(":")
    match kind:
        case "currency":
            raise _Refused(f"“{value}” is in another currency ({detail}). Say the amount in rupees.")
        case "not_positive":
            raise _Refused("An amount has to be more than zero.")
        case _:
            raise _Refused(f"“{value}” is no amount.")


def _day(value: str, today: date) -> date:
    found = days_in(value, today)
    day = parse_date(value, today) or (found[0].day if len(found) == 1 else None)
    if day is None:
        raise _Refused(f"“{value}” is no date I can read.")
    if day > today:
        raise _Refused(f"{day_text(day, today)} is still to come.")
    return day


def _category(value: str, knowledge: Knowledge) -> str | None:
    wanted = re.sub(r"\s+category$", "", value.casefold()).strip(" \"'“”.")
    if wanted in table("edits")["values"]["none"]:
        return None
    name = next((name for name in knowledge.categories if name.casefold() == wanted), None)
    if name is None:
        raise _Refused(f"There is no category “{value}” in this book. It has {', '.join(knowledge.categories)}.")
    return name


def _renamed(item: Item, value: str, knowledge: Knowledge) -> Item:
    tags, spans = tags_in(value)
    description = description_of(blank(value, spans, READ))
    if not description:
        raise _Refused("A description needs a word or two.")
    named = replace(item, description=description, tags=tuple(dict.fromkeys((*item.tags, *tags))))
    known = categorised(named, knowledge)
    # a new name that says nothing of its category keeps the old one
    return known if known.category else replace(named, category=item.category)


def _referred(text: str, items: tuple[Item, ...]) -> tuple[int, ...]:
    targets = _referred_or_none(text, items)
    if targets is None:
        raise _Refused(f"There is no “{text.strip()}” on the card.")
    return targets


def _referred_or_none(text: str, items: tuple[Item, ...]) -> tuple[int, ...] | None:
    """The items that a whole text names."""
    text = text.strip()
    several = re.fullmatch(
        rf"(?:{_references('item')}\s*)?#?(\d{{1,3}})((?:\s*(?:,|and|&)\s*(?:{_references('item')}\s*)?#?\d{{1,3}})+)",
        text,
    )
    if several:
        numbers = [int(number) for number in re.findall(r"\d+", several[0])]
        return tuple(dict.fromkeys(index for number in numbers for index in _numbered(number, items)))
    targets, rest = _leading_reference(text, items)
    return targets if targets is not None and not rest.strip() else None


def _leading_reference(text: str, items: tuple[Item, ...], *, named: bool = True) -> tuple[tuple[int, ...] | None, str]:
    """The items named at the beginning of a text, and what follows. Raises _Refused for a number that is not there."""
    said = table("edits")["references"]
    if found := re.match(rf"(?:the\s+)?{_references('all')}(?!\w)(?:\s+(?:items?|rows?|entries))?", text):
        return tuple(range(len(items))), text[found.end() :]
    if found := re.match(
        rf"(?:the\s+)?{_references('item')}\s*#?\s*(?P<n>\d{{1,3}}|{one_of(said['numbers'])})(?![\w.,]\d)(?!\w)", text
    ):
        number = int(found["n"]) if found["n"].isdigit() else said["numbers"][found["n"]]
        return _numbered(number, items), text[found.end() :]
    if found := re.match(rf"(?:the\s+)?(?P<n>{one_of(said['ordinals'])})(?:\s+(?:one|item|row|entry))?(?!\w)", text):
        if found["n"] == "last" and re.match(
            r"\s+(?:week|month|year|mon|tue|wed|thu|fri|sat|sun)", text[found.end() :]
        ):
            return None, text
        number = said["ordinals"][found["n"]]
        return _numbered(len(items) if number < 0 else number, items), text[found.end() :]
    if named:
        for index, item in sorted(enumerate(items), key=lambda pair: -len(pair[1].description or "")):
            name = lowered(item.description or "")
            if name and (found := re.match(rf"(?:the\s+)?{re.escape(name)}(?:\s+(?:one|item|row|entry))?(?!\w)", text)):
                same = tuple(i for i, other in enumerate(items) if lowered(other.description or "") == name)
                return same if len(same) > 1 else (index,), text[found.end() :]
    return None, text


def _numbered(number: int, items: tuple[Item, ...]) -> tuple[int, ...]:
    if not 1 <= number <= len(items):
        there = "1 item" if len(items) == 1 else f"{len(items)} items"
        raise _Refused(f"There is no item {number}: the card has {there}.")
    return (number - 1,)


def _leading_field(text: str) -> tuple[EditedField | None, str]:
    for field in _FIELDS:
        if found := re.match(rf"\s*{one_of(table('edits')['fields'][field])}(?!\w)", text):
            return field, text[found.end() :]
    return None, text


def _changes_between(before: tuple[Item, ...], after: tuple[Item, ...]) -> tuple[str, ...]:
    told = []
    for number, (old, new) in enumerate(zip(before, after, strict=False), 1):
        for field in ("description", "amount", "mode", "category", "date", "direction", "tags"):
            one, other = _shown(getattr(old, field)), _shown(getattr(new, field))
            if one != other:
                told.append(f"item {number} {field} {one} → {other}")
    told += [f"item {number} added" for number in range(len(before) + 1, len(after) + 1)]
    return tuple(told)


def _shown(value: object) -> str:
    match value:
        case Decimal():
            return rupees(value)
        case date():
            return day_text(value, value)
        case tuple():
            return ", ".join(value) or "none"
        case None:
            return "none"
        case _:
            return next((name for mode, name in MODE_NAMES.items() if mode == value), str(value))


@cache
def _one(name: str) -> str:
    return one_of(table("edits")[name])


@cache
def _references(name: str) -> str:
    return one_of(table("edits")["references"][name])


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"^(?:{_one('opening')}(?:[\s,:]+|$))+", re.IGNORECASE)


@cache
def _changes() -> re.Pattern[str]:
    return words([*table("edits")["change"], *table("edits")["remove"]])
