"""Money moved between one's own modes: `moved 500 from bank to wallet`, `withdrew 2000 from the atm`.

It is two rows, money out first: it changes balances and is neither spending nor income.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from agent.language.modes import Mention
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import AMOUNT, content, tokens_of
from ledger.entries import MODE_NAMES, Mode

_SOURCES = ("from", "out of", "using", "via", "by", "with", "through", "thru")
_INTO = ("to", "into")
_RECEIVED = re.compile(r"(?<!\w)(?:refund(?:ed|s)?|cash ?back|salary|rewards?|received|income|interest|stipend)(?!\w)")
_FRAME = re.compile(
    rf"(?:(?:please|pls|log|record|note|today|yesterday|just|also|and|then|i|we|have|i've|[^\w{AMOUNT}])(?!\w)\s*)*"
)


@dataclass(frozen=True)
class Transfer:
    """Where the money came from and where it went; None: not said, to be asked."""

    source: Mode | None
    target: Mode | None
    out_words: str
    """description of the row that takes the money out"""
    in_words: str


def transfer_said(clause: str, mentions: tuple[Mention, ...]) -> Transfer | None:
    """The move between own modes a clause tells of, its amount blanked out; None when it tells of something else."""
    text = lowered(clause)
    return _withdrawal(text, mentions) or _topup(text, mentions) or _from_to(text, mentions)


def _withdrawal(text: str, mentions: tuple[Mention, ...]) -> Transfer | None:
    atm = _words("atm").search(text)
    verb = _words("withdraw").search(text)
    if not verb and not (atm and re.search(r"(?<!\w)(?:took|got|drew|cash|money|taken)(?!\w)", text)):
        return None
    if not atm and re.search(r"(?<!\w)from\s+(?!\x00)", text) and not _bound(mentions, _SOURCES):
        return None
    if verb and not atm and not _begins(text, verb) and not re.search(r"(?<!\w)cash\s+withdrawal", text):
        return None
    source = _bound(mentions, _SOURCES) or next((m.mode for m in mentions if m.mode == "BANK"), "BANK")
    target = _bound(mentions, _INTO) or "MONEY"
    if source == target:
        return None
    if source == "BANK" and target == "MONEY":
        return Transfer(source, target, "atm withdrawal", "cash from atm")
    return _moved(source, target)


def _topup(text: str, mentions: tuple[Mention, ...]) -> Transfer | None:
    verb = _words("topup").search(text)
    if not verb:
        return None
    target = _bound(mentions, (*_INTO, "in") if verb[0] == "put" else _INTO)
    if not target and verb[0] not in ("added", "add"):
        target = next((m.mode for m in mentions if m.binder not in _SOURCES and _beside(text, verb, m, mentions)), None)
    if not target or not (_begins(text, verb) or verb[0].startswith("top")):
        return None
    source = next((m.mode for m in mentions if m.mode != target), None)
    if verb[0] in ("added", "add", "put") and target not in ("WALLET", "PHONEPE") and not source:
        return None
    return Transfer(
        source,
        target,
        f"topup {MODE_NAMES[target].lower()}",
        f"topup from {_name(source)}" if source else "topup received",
    )


def _beside(text: str, verb: re.Match[str], mention: Mention, mentions: tuple[Mention, ...]) -> bool:
    """`topped up wallet`, `wallet topup`; an amount between (`topup 500 wallet`) only when the source is said too."""
    if mention.end <= verb.start():
        return not text[mention.end : verb.start()].strip()
    amount = AMOUNT if _bound(mentions, _SOURCES) else ""
    return bool(re.fullmatch(rf"[\s{amount}]*(?:my\s+|the\s+)?", text[verb.end() : mention.start]))


def _from_to(text: str, mentions: tuple[Mention, ...]) -> Transfer | None:
    verb = _words("verbs").search(text)
    begins = verb is not None and _begins(text, verb)
    if _RECEIVED.search(text) and not begins:
        return None
    source, target = _bound(mentions, ("from", "out of")), _bound(mentions, _INTO)
    for one, other in pairwise(mentions):
        # "bank to wallet", "deposited 5000 cash in bank"
        binds = other.binder in _INTO or (begins and other.binder == "in")
        next_to = re.fullmatch(rf"[\s{AMOUNT}]*", text[one.end : other.start])
        if not target and binds and next_to and one.mode != other.mode:
            source, target = source or one.mode, other.mode
    if target and not source:
        source = (
            next((m.mode for m in mentions if m.mode != target and not m.binder and m.strength), None)
            if begins
            else None
        )
        if not source and not (begins and verb and verb[0].startswith(("mov", "transf", "shift", "swept"))):
            return None
    if not target or source == target:
        return None
    return _moved(source, target)


def _moved(source: Mode | None, target: Mode) -> Transfer:
    return Transfer(
        source,
        target,
        f"transfer to {_name(target)}",
        f"transfer from {_name(source)}" if source else "transfer received",
    )


def _name(mode: Mode | None) -> str:
    return MODE_NAMES[mode].lower() if mode else ""


def _bound(mentions: tuple[Mention, ...], binders: tuple[str, ...]) -> Mode | None:
    return next((mention.mode for mention in mentions if mention.binder in binders and mention.strength), None)


def _begins(text: str, verb: re.Match[str]) -> bool:
    """Whether nothing but framing stands before the verb: in `ravi transferred 500` it is somebody else's."""
    frame = _FRAME.match(text)
    return not content(tokens_of(text[frame.end() if frame else 0 : verb.start()]))


@cache
def _words(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('transactions')['transfer'][name])}(?!\w)")
