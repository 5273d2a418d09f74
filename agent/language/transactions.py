"""From a message to the transactions it tells of, and from an answer to the fact that was asked.

    message ─ clauses_of ─► clauses ─┬ transfer_said ─► two items, money out first
                                     └ tags, category, day, amount, direction, mode ─► what is left is the description

Each step blanks out what it has read, so that no word is read twice and the description keeps the user's own words.
"""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from agent.language.amounts import AmountSaid, amount_said
from agent.language.clauses import Clause, clauses_of
from agent.language.directions import direction_answered, direction_said
from agent.language.facets import begins_with
from agent.language.items import Field, Item, missing, without_doubts
from agent.language.knowledge import Knowledge
from agent.language.lending import loan_of
from agent.language.modes import BOUND, mentions_of, mode_named, mode_said
from agent.language.requests import asks_of_the_book
from agent.language.splits import ShareSaid, share_said
from agent.language.transfers import transfer_said
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import AMOUNT, READ, Token, amounts_in, blank, content, days_in, tokens_of
from ledger.entries import MODE_NAMES, MODES, tags_of
from money import contradicted_day, day_text, parse_date, rupees

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_NO_SUCH_DAY = re.compile(r"(?<!\w)(?:on|dated)\s+(?P<day>\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?)(?![\w/-])", re.IGNORECASE)
_BRACKETED = re.compile(r"\[[^\[\]]+\]")
_TAG_AT_END = re.compile(r"(?<![^\s,])tag(?:ged)?(?:\s+(?:as|it|with))?\s+([A-Za-z][\w-]+)\s*$", re.IGNORECASE)
_HASHTAG = re.compile(r"(?<![\w#])#([A-Za-z][\w-]*)")


class _Marked(NamedTuple):
    """A clause with what was read blanked out, and what that was."""

    text: str
    tags: tuple[str, ...]
    category: str | None
    day: date | None
    doubts: tuple[str, ...]


def parse_transactions(message: str, today: date, knowledge: Knowledge) -> tuple[Item, ...]:
    """The transactions in a message, in its order; what cannot be read whole is kept incomplete."""
    return tuple(
        item for clause in clauses_of(_CONTROL.sub(" ", message), today) for item in _items_of(clause, today, knowledge)
    )


def answer(item: Item, field: Field, reply: str, today: date, knowledge: Knowledge) -> Item | None:
    """The item with the one asked field taken from the reply; None when the reply does not say it.

    Whatever else the reply says changes nothing. Cancel, stop and yes are the caller's to notice first.
    """
    reply = _CONTROL.sub(" ", reply).strip()
    answered: Item | None = None
    match field:
        case "amount":
            value = _answered_amount(item, reply).value
            answered = replace(item, amount=value) if value else _share_or_whole(item, reply)
        case "description":
            answered = _described(item, reply, knowledge)
        case "mode":
            mode = mode_named(reply)
            answered = replace(item, mode=mode) if mode else None
        case "direction":
            direction = direction_answered(reply)
            answered = categorised(replace(item, direction=direction), knowledge) if direction else None
        case "date":
            day = _answered_day(item, reply, today)
            answered = replace(item, date=day) if day else None
    return replace(answered, doubts=without_doubts(answered, field)) if answered else None


def question_for(item: Item, number: int, total: int) -> str:
    """The question for the item's next missing field, in the user's words: `How much was coffee?`"""
    field, doubt, name = missing(item), item.doubt or "", item.description or item.words or "it"
    name = re.sub(r"\s*\([^()]*\)", "", name).strip() or name
    kind, _, detail = doubt.partition(":")
    match field, kind:
        case "amount", "currency":
            question = f"{name[:1].upper()}{name[1:]} is in another currency ({detail}). How much was it in rupees?"
        case "amount", "not_positive":
            question = f"How much was {name}? The amount has to be more than zero."
        case "amount", "two_amounts":
            question = f"Which amount was {name}? I see more than one."
        case "amount", "part":
            question = f"How much of it was paid for {name}? Say the amount in rupees."
        case "amount", "share":
            question = f"How much was your share of {name}?"
        case "amount", "among":
            own = _even_part(item, int(detail))
            whole = rupees(item.whole or own)
            question = f"That was for {detail} people. Log your share, {rupees(own)}, or the whole {whole}?"
        case "amount", "each":
            question = f"How much was {name} in all?"
        case "amount", _:
            question = f"How much was {name}?"
        case "description", _:
            question = f"What was the {rupees(item.amount)} for?" if item.amount else "What was it for?"
        case "mode", "two_modes":
            names = [MODE_NAMES[mode] for mode in MODES if mode in detail.split(",")]
            question = f"Was {name} {_paid(item)} {', '.join(names[:-1])} or {names[-1]}?"
        case "mode", _:
            *first, last = MODE_NAMES.values()
            asked = f"How was {name} {_paid(item)[:-3]}" if item.direction else f"Which mode is {name}"
            question = f"{asked}: {', '.join(first)} or {last}?"
        case "direction", _:
            question = f"{name}: is that money coming in or going out?"
        case "date", "no_such_day":
            question = f"There is no day {detail}. Which day was {name}?"
        case "date", "other_weekday":
            meant = date.fromisoformat(detail)
            question = f"{day_text(meant, meant)} is a {meant:%A}. Which day was {name}?"
        case "date", _:
            day = date.fromisoformat(detail) if detail else None
            said = f"{day_text(day, day)} is still to come. " if day else ""
            question = f"{said}Which day was {name}?"
        case _:
            return ""
    return f"{question} (item {number} of {total})" if total > 1 else question


def categorised(item: Item, knowledge: Knowledge) -> Item:
    """The item with the category its description has in the book, unless the user named one.

    Income has none; a refund has that of what it pays back, and so lowers its spending.
    """
    if item.category_said:
        return item
    if item.direction == "CREDIT" and item.description and (bought := paid_back_for(item.description)):
        return replace(item, category=knowledge.carried_by(bought) or knowledge.categorise(bought))
    if item.direction != "DEBIT" or not item.description:
        return replace(item, category=None)
    named = next((name for name in knowledge.categories if name.casefold() == item.description.casefold()), None)
    return replace(item, category=named or knowledge.categorise(item.description))


def paid_back_for(description: str) -> str | None:
    """What a refund was bought from or as, `amazon` of `refund from amazon`; None: the words tell of no refund."""
    text = lowered(description)
    if not _money_back().search(text):
        return None
    said = _framing_of_refunds().sub(" ", text)
    return " ".join(said.split()) or None


def description_of(text: str) -> str | None:
    """The words that are left of a blanked clause, without the framing ones; None when none are."""
    bare = _dangling().sub("", text)
    kept = content(tokens_of(bare))
    if not kept:
        return None
    words = re.sub(r"\s+([,;:.])", r"\1", " ".join(text_of(bare, kept)))
    return words.strip(" ,.;:!?-–=+*/|\"'") or None


def text_of(text: str, tokens: list[Token]) -> list[str]:
    """The words as they stand in the text."""
    return [text[token.start : token.end] for token in tokens]


def tags_in(text: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """The tags of a text, `[party]`, `#party` and `tag party` at its end, in capitals, and where they stand."""
    at_end = _TAG_AT_END.search(text)
    said = [*_HASHTAG.finditer(text), *([at_end] if at_end and not mode_named(at_end[1]) else [])]
    found = [*_BRACKETED.finditer(text), *said]
    tags = (*tags_of(text), *(match[1].upper() for match in said))
    return tuple(dict.fromkeys(tags)), tuple(match.span() for match in found)


def category_in(text: str, knowledge: Knowledge) -> tuple[str, tuple[int, int]] | None:
    """The category a text names, as in `category food` or `as travel`, and where."""
    for found in _category_said().finditer(text):
        rest = text[found.end() :]
        for name in sorted(knowledge.categories, key=len, reverse=True):
            if re.match(rf"{re.escape(name)}(?!\w)", rest, re.IGNORECASE):
                end = found.end() + len(name)
                tail = re.match(r"\s+category(?!\w)", text[end:], re.IGNORECASE)
                return name, (found.start(), end + (tail.end() if tail else 0))
    return None


def _items_of(clause: Clause, today: date, knowledge: Knowledge) -> tuple[Item, ...]:
    marked = _marked(clause, today, knowledge)
    share = share_said(marked.text)
    told = blank(marked.text, share.spans, READ) if share else marked.text
    amount = amount_said(told.replace(READ, " "))
    text = blank(told, amount.spans, AMOUNT)
    text = blank(text, _denied_modes(text), READ)
    mentions = mentions_of(text)
    doubts = tuple(doubt for doubt in (amount.doubt, *marked.doubts) if doubt)
    item = Item(
        None,
        amount.value,
        None,
        "DEBIT",
        marked.day,
        marked.category,
        bool(marked.category),
        marked.tags,
        doubts,
        clause.text,
    )
    if share:
        item = _shared(item, share)
    elif transfer := transfer_said(text, mentions):
        moved = replace(item, category=marked.category or knowledge.transfer, category_said=True)
        return (
            replace(moved, description=transfer.out_words, mode=transfer.source),
            replace(moved, description=transfer.in_words, mode=transfer.target, direction="CREDIT"),
        )
    told_item = _item_of(item, text, clause, knowledge)
    return (_loan(told_item, text, knowledge) or told_item,)


def _shared(item: Item, share: ShareSaid) -> Item:
    """The item with the user's share of a bill as its amount."""
    if share.whole is not None:
        return replace(item, whole=share.whole)
    if item.amount is None or (share.ways is None and item.whole):
        return item
    if share.asked:
        return replace(item, amount=None, whole=item.amount, doubts=(*item.doubts, f"among:{share.ways}"))
    own = share.of(item.amount)
    if own is None:
        return replace(item, amount=None, whole=item.amount, doubts=(*item.doubts, "share"))
    return replace(item, amount=own, whole=item.amount, ways=share.ways or 0)


def _loan(item: Item, text: str, knowledge: Knowledge) -> Item | None:
    """The item as money lent, borrowed or paid back; None when its clause tells of none."""
    spans = mode_said(text, mentions_of(text, incoming=item.direction == "CREDIT")).spans
    return loan_of(item, blank(text, spans, READ), knowledge)


def _denied_modes(text: str) -> tuple[tuple[int, int], ...]:
    """Where it says how it was not paid: the `not cash` of `phonepe not cash`."""
    denied = ((mention, _denying().search(text, 0, mention.start)) for mention in mentions_of(text))
    return tuple((before.start(), mention.end) for mention, before in denied if before)


def _item_of(item: Item, text: str, clause: Clause, knowledge: Knowledge) -> Item:
    unbound = blank(text, tuple((m.start, m.end) for m in mentions_of(text) if m.strength == BOUND), READ)
    direction = direction_said(unbound, expense=False)
    mode = mode_said(text, mentions_of(text, incoming=direction != "DEBIT"))
    description = description_of(blank(text, mode.spans, READ))
    if direction == "looks_like_income" and description and knowledge.categorise(description):
        direction = direction_said(unbound, expense=True)
    doubts = (*item.doubts, *((mode.doubt,) if mode.doubt else ()))
    item = replace(
        item, description=description, mode=mode.mode or (None if mode.doubt else clause.mode), doubts=doubts
    )
    if direction == "looks_like_income":
        return replace(item, direction=None, doubts=(*doubts, direction))
    return categorised(replace(item, direction=direction), knowledge)


def _marked(clause: Clause, today: date, knowledge: Knowledge) -> _Marked:
    tags, spans = tags_in(clause.text)
    text = blank(clause.text, spans, READ)
    category = category_in(text, knowledge)
    if category:
        text = blank(text, (category[1],), READ)
    found = next((day for day in days_in(text, today) if day.day <= today or not _is_purpose(text, day.start)), None)
    day = found.day if found else clause.day or today
    if found:
        before = re.search(r"(?<!\w)(?:on|dated|date)\s+$", text[: found.start], re.IGNORECASE)
        hour = _hour().match(text, found.end)
        text = blank(text, ((before.start() if before else found.start, hour.end() if hour else found.end),), READ)
    elif contradicted := contradicted_day(text, today):
        said, meant = contradicted
        text = blank(text, ((at := text.index(said), at + len(said)),), READ)
        return _Marked(text, tags, category[0] if category else None, None, (f"other_weekday:{meant.isoformat()}",))
    elif wrong := _NO_SUCH_DAY.search(text):
        text = blank(text, (wrong.span(),), READ)
        return _Marked(text, tags, category[0] if category else None, None, (f"no_such_day:{wrong['day']}",))
    future = day > today
    return _Marked(
        text,
        tags,
        category[0] if category else None,
        None if future else day,
        (f"future_date:{day.isoformat()}",) if future else (),
    )


def _is_purpose(text: str, start: int) -> bool:
    """A day to come after `for` is what was paid for: `movie ticket for tomorrow`."""
    return bool(re.search(r"(?<!\w)for\s+$", text[:start], re.IGNORECASE))


def _described(item: Item, reply: str, knowledge: Knowledge) -> Item | None:
    tags, spans = tags_in(reply)
    text = blank(reply, spans, READ)
    found = amounts_in(text)
    text = blank(text, tuple((amount.start, amount.end) for amount in found), AMOUNT) if len(found) == 1 else text
    said = mentions_of(text)
    words = description_of(text)
    if not words or not re.search(r"[^\W\d_]", words) or _useless(reply) or reply.endswith("?"):
        return None
    if begins_with(reply) and asks_of_the_book(reply):
        return None
    if not content(tokens_of(blank(text, tuple((m.start, m.end) for m in said if m.strength), READ))):
        return None
    return categorised(replace(item, description=words, tags=tuple(dict.fromkeys((*item.tags, *tags)))), knowledge)


def _answered_amount(item: Item, reply: str) -> AmountSaid:
    """An amount with nothing beside it but filler, modes and the item's own words: another transaction is no answer."""
    said = amount_said(reply)
    text = blank(reply, said.spans, AMOUNT)
    rest = blank(text, tuple((m.start, m.end) for m in mentions_of(text)), READ)
    own = {token.plain for token in tokens_of(f"{item.description or ''} {item.words}")}
    strange = [
        token for token in content(tokens_of(rest)) if token.plain not in own and not _hedge().fullmatch(token.plain)
    ]
    return AmountSaid(None, None, ()) if strange else said


def _share_or_whole(item: Item, reply: str) -> Item | None:
    """`my share` or `the whole`, for a bill that was for several."""
    among = next((doubt for doubt in item.doubts if doubt.startswith("among:")), None)
    said = " ".join(token.plain for token in tokens_of(reply) if token.plain)
    answers = table("transactions")["splits"]["answers"]
    if among is None or item.whole is None:
        return None
    ways = int(among.partition(":")[2])
    if said in answers["share"]:
        return replace(item, amount=_even_part(item, ways), ways=ways)
    return replace(item, amount=item.whole, whole=None) if said in answers["whole"] else None


def _even_part(item: Item, ways: int) -> Decimal:
    return ShareSaid((), ways).of(item.whole or Decimal(0)) or Decimal(0)


def _answered_day(item: Item, reply: str, today: date) -> date | None:
    found = days_in(reply, today)
    day = parse_date(reply, today) or (found[0].day if len(found) == 1 else None)
    if day is None or day <= today:
        return day
    # said twice, it is meant
    return day if f"future_date:{day.isoformat()}" in item.doubts else None


def _useless(reply: str) -> bool:
    words = [token.plain for token in tokens_of(reply) if token.plain]
    return not words or " ".join(words) in _useless_words() or all(word in _useless_words() for word in words)


def _paid(item: Item) -> str:
    return "received in" if item.direction == "CREDIT" else "paid by"


@cache
def _useless_words() -> frozenset[str]:
    return frozenset(table("transactions")["useless"])


@cache
def _category_said() -> re.Pattern[str]:
    return re.compile(
        r"(?<!\w)(?:in\s+the\s+category|under\s+the\s+category|in\s+category|under\s+category|category|categorised?\s+as|categori[sz]ed?\s+as|under|as)\s*[:=]?\s*(?:is\s+|to\s+)?",
        re.IGNORECASE,
    )


@cache
def _denying() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('transactions')['denied'])}\s*$", re.IGNORECASE)


@cache
def _hour() -> re.Pattern[str]:
    return re.compile(rf"\s+{one_of(table('transactions')['hours'])}(?!\w)", re.IGNORECASE)


@cache
def _money_back() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(table('directions')['money_back'])})(?!\w)")


@cache
def _framing_of_refunds() -> re.Pattern[str]:
    said = table("directions")
    return re.compile(rf"(?<!\w)(?:{'|'.join([*said['money_back_words'], one_of(said['money_back_around'])])})(?!\w)")


@cache
def _dangling() -> re.Pattern[str]:
    """A preposition left before an amount taken out: the `of` in `lunch of 250 with friends`."""
    return re.compile(rf"(?<!\w){one_of(table('transactions')['before_amount'])}\s*(?={AMOUNT})", re.IGNORECASE)


@cache
def _hedge() -> re.Pattern[str]:
    return re.compile(one_of(table("transactions")["hedges"]))
