"""Which mode of payment a clause says: the word that is bound to it, not the one that belongs to what was bought.

`bank charges via gpay` and `gave money to amma via upi` are paid by PhonePe; `bought a wallet for 500 cash` in cash.
Each mode word of a clause gets a strength, and the strongest wins:

    BOUND      after via, by, through, from, using, with, in: `by debit card`, `by bank or cash`
    AT_END     standing alone at the end of the clause: `amma 300 cash`
    BESIDE     next to the amount or at the beginning: `45 wallet senagapindi`
    INSIDE     part of what was paid, taken when nothing else says the mode: `bank charges 118`
    NO_MODE    a thing, not a way to pay: `a wallet`, `gift card`

Clauses come with what was already read blanked out: AMOUNT for each character of an amount, READ for a date or a tag.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import AMOUNT, READ, blank, content, end_of_content, tokens_of
from ledger.entries import MODES, Mode

BOUND, AT_END, BESIDE, INSIDE, NO_MODE = 4, 3, 2, 1, 0
_NEAR = 60


@dataclass(frozen=True)
class Mention:
    """A mode word of a clause, with its binder and its owner: `from my bank account`."""

    mode: Mode
    name: str
    binder: str
    start: int
    end: int
    strength: int


@dataclass(frozen=True)
class ModeSaid:
    """The mode of a clause, or why there is none, and which parts of the clause said it."""

    mode: Mode | None
    doubt: str | None
    spans: tuple[tuple[int, int], ...]


def mode_said(clause: str, mentions: tuple[Mention, ...]) -> ModeSaid:
    """The mode a clause was paid by: the strongest mention; two modes of the same strength are a doubt."""
    strongest = max((mention.strength for mention in mentions), default=NO_MODE)
    if strongest == NO_MODE:
        return ModeSaid(None, None, ())
    winners = [mention for mention in mentions if mention.strength == strongest]
    if strongest == AT_END and len({mention.mode for mention in winners}) > 1 and not _has_words(clause, mentions):
        # "wallet 500 cash": of nothing but mode words, the first is what was bought
        first = winners[0]
        winners = winners[1:] if first.name not in _never_bought() else winners
    modes = {mention.mode for mention in winners}
    rivals = [m for m in mentions if BESIDE <= m.strength < strongest and m.name in _never_bought()]
    modes |= {mention.mode for mention in rivals}
    chosen = frozenset(winners)
    spans = tuple(
        (mention.start, mention.end)
        for mention in mentions
        if mention.mode in modes and mention.strength >= BESIDE and (mention in chosen or mention.strength < strongest)
    )
    if len(modes) > 1:
        ordered = ",".join(dict.fromkeys(mention.mode for mention in mentions if mention.mode in modes))
        return ModeSaid(None, f"two_modes:{ordered}", spans)
    return ModeSaid(modes.pop(), None, spans)


def mentions_of(clause: str, *, incoming: bool = False) -> tuple[Mention, ...]:
    """The mode words of a clause with their strengths; `incoming`: also `to` binds, as in `credited to bank`."""
    return _mentions(lowered(clause), incoming)


@lru_cache(maxsize=256)
def _mentions(folded: str, incoming: bool) -> tuple[Mention, ...]:  # noqa: FBT001  # a key of the cache
    found = _named(folded)
    ends = _end_of_content(folded, found)
    mentions: list[Mention] = []
    for match in found:
        binder = " ".join((match["binder"] or "").split()) or _postpositions().get(match["after"] or "", "")
        name = _name(match)
        coordinated = bool(mentions) and re.fullmatch(
            r"\s*(?:or|and|/|,|&)?\s*(?:or)?\s*", folded[mentions[-1].end : match.start()]
        )
        if (coordinated and mentions[-1].strength == BOUND) or _binds(binder, name, incoming=incoming):
            strength = BOUND
        else:
            strength = _strength_unbound(folded, match, name, ends)
        if not coordinated and strength != BOUND and binder:
            # an unbinding word ("to bank") stays where it is
            start = match.start("owner") if match["owner"] else _span(match)[0]
        else:
            start = match.start()
        mentions.append(Mention(_modes_by_name()[name], name, binder, start, match.end(), strength))
    return tuple(mentions)


def mode_named(text: str) -> Mode | None:
    """The one mode a short text names: `phonepay`, `it was by upi`; None for none or several."""
    folded = lowered(text)
    modes = {_modes_by_name()[_name(match)] for match in _named(folded)}
    return modes.pop() if len(modes) == 1 else None


def _binds(binder: str, name: str, *, incoming: bool) -> bool:
    said = table("modes")["words"]
    if binder in said["binders"]:
        return True
    if binder == "on":
        return name in said["bound_by_on"]
    return incoming and binder in said["receivers"]


def _strength_unbound(clause: str, match: re.Match[str], name: str, end_of_content: int) -> int:
    starts = _span(match)[0]
    before, after = clause[max(0, starts - _NEAR) : starts], clause[match.end() : match.end() + _NEAR]
    if _charged().match(after):
        return INSIDE
    if name not in _never_bought() and _bought().search(before):
        return NO_MODE
    if name == "money" and _given().search(before):
        return NO_MODE
    if match.start("name") >= end_of_content:
        return AT_END
    if _touches_amount(before, after) or (starts < _NEAR and not content(tokens_of(before))):
        return BESIDE
    return BESIDE if name in _never_bought() else NO_MODE


def _touches_amount(before: str, after: str) -> bool:
    return bool(re.search(rf"{AMOUNT}[\s./-]*(?:rs|rupees|inr|bucks)?[\s.,/:-]*$", before)) or bool(
        re.match(rf"[\s,.:-]*(?:rs|inr|₹)?[\s.]*{AMOUNT}", after)
    )


def _end_of_content(clause: str, found: list[re.Match[str]]) -> int:
    """Where the last word ends that is neither a mode, nor read, nor filler: what follows is the clause's end."""
    named = tuple(_span(match) for match in found if not _charged().match(clause, match.end()))
    tokens = tokens_of(blank(clause, named, READ))
    last = end_of_content(tokens)
    return tokens[last - 1].end if last else 0


def _has_words(clause: str, mentions: tuple[Mention, ...]) -> bool:
    return bool(content(tokens_of(blank(clause, tuple((mention.start, mention.end) for mention in mentions), READ))))


def _span(match: re.Match[str]) -> tuple[int, int]:
    return (match.start("bank") if match["bank"] else match.start("name")), match.end()


def _name(match: re.Match[str]) -> str:
    return re.sub(r"[\s-]+", " ", match["name"])


def _named(folded: str) -> list[re.Match[str]]:
    """The mode words of a text but those of a phrase in which they are none: `gift card`."""
    phrases = [phrase.span() for phrase in _no_modes().finditer(folded)]
    return [
        match
        for match in _mention().finditer(folded)
        if not any(match.start("name") < end and start < match.end("name") for start, end in phrases)
    ]


@cache
def _modes_by_name() -> dict[str, Mode]:
    return {name: mode for mode in MODES for name in table("modes")["names"][mode]}


@cache
def _never_bought() -> frozenset[str]:
    return frozenset(table("modes")["words"]["never_bought"])


@cache
def _mention() -> re.Pattern[str]:
    said = table("modes")["words"]
    binders = one_of([*said["binders"], *said["receivers"]])
    return re.compile(
        rf"(?<!\w)(?:(?P<binder>{binders})\s+)?(?:(?P<owner>{one_of(said['owners'])})\s+)?(?:(?P<bank>{one_of(said['banks'])})\s+)?"
        rf"(?P<name>{one_of(_modes_by_name())})(?:\s+(?:account|acct|a/c|app|transfer))?"
        rf"(?:\s+(?P<after>{one_of(said['after'])}))?(?!\w)"
    )


def _postpositions() -> Mapping[str, str]:
    """The Hindi words that stand behind a mode, with the English binder that each is."""
    after: Mapping[str, str] = table("modes")["words"]["after"]
    return after


@cache
def _no_modes() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('modes')['words']['not_modes'])}(?!\w)")


@cache
def _charged() -> re.Pattern[str]:
    return re.compile(rf"\s+{one_of(table('modes')['words']['charged'])}(?!\w)")


@cache
def _bought() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('modes')['words']['bought'])}\s+$")


@cache
def _given() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('modes')['words']['given'])}\s+$")
