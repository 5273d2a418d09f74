"""Money lent and borrowed, in words: `lent 500 to my brother`, `brother paid back 300`, `who owes me`.

Lending and borrowing begin a loan. Money that comes or goes back settles one only where the book has it; otherwise it
is what it was before: money in, money out.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.language.vocabulary import lowered, plain, table
from agent.language.wording import AMOUNT, READ
from ledger.entries import Direction
from ledger.lending import LoanKind, loan_tag

_NAME = r"[^\W\d_][\w'.]*(?: [^\W\d_][\w'.]*){0,2}?"
_SAID: tuple[tuple[str, LoanKind, Direction, str], ...] = (
    ("lent", "LENT", "DEBIT", "lent to"),
    ("borrowed", "BORROWED", "CREDIT", "borrowed from"),
    ("came_back", "LENT", "CREDIT", "paid back by"),
    ("given_back", "BORROWED", "DEBIT", "paid back to"),
)


@dataclass(frozen=True)
class OwedAsked:
    """A question about loans: of money lent or borrowed, of one person or of all."""

    kind: LoanKind
    person: str = ""
    """in capitals"""


def loan_of(item: Item, text: str, knowledge: Knowledge) -> Item | None:
    """The item as a row of a loan; None when its clause (amount and mode blanked out) tells of none."""
    words = " ".join(re.sub(rf"[{AMOUNT}{READ}]+", " ", lowered(text)).replace("₹", " ").strip(" .,!").split())
    for name, kind, direction, said in _SAID:
        found = _whole(name).fullmatch(words)
        person = _person(_named(found)) if found else ""
        begins = name in ("lent", "borrowed")
        if person and (begins or loan_tag(kind, person) in knowledge.loans):
            return replace(
                item,
                description=f"{said} {person.lower()}",
                direction=direction,
                category=knowledge.transfer,
                category_said=True,
                tags=tuple(dict.fromkeys((*item.tags, loan_tag(kind, person)))),
                doubts=tuple(doubt for doubt in item.doubts if doubt != "looks_like_income"),
            )
    return None


def owed_asked(message: str) -> OwedAsked | None:
    """What a question about loans asks; None for any other message."""
    words = plain(message).strip(" .!?")
    names: tuple[tuple[Literal["owe_me", "i_owe"], LoanKind], ...] = (("owe_me", "LENT"), ("i_owe", "BORROWED"))
    for name, kind in names:
        if found := _whole(name).fullmatch(words):
            return OwedAsked(kind, _person(_named(found)))
    return None


def _named(found: re.Match[str]) -> str:
    """The person of whichever pattern fitted; empty: it names none."""
    return next((name for name in found.groupdict().values() if name), "")


def _person(name: str) -> str:
    said = [word for word in name.split() if word not in table("lending")["owners"]]
    return "" if any(word in table("lending")["nobody"] for word in said) else " ".join(said).upper()


@cache
def _whole(name: str) -> re.Pattern[str]:
    """Any of the patterns of a name, each with its group for the person."""
    patterns = [f"(?:{pattern})" for pattern in table("lending")[name]]
    joined = "|".join(patterns)
    parts = joined.split("{who}")
    named = parts[0] + "".join(f"(?P<who{n}>{_NAME}){part}" for n, part in enumerate(parts[1:]))
    return re.compile(named)
