"""The layouts that are known besides Munshi's own, read from `ledger/layouts/*.toml`."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, get_args

from ledger.entries import Direction, Mode, Role

ROLES: tuple[Role, ...] = get_args(Role)
ROLE_NAMES: Mapping[Role, str] = {
    "date": "Date",
    "description": "Description",
    "amount": "Amount",
    "debit": "Money out",
    "credit": "Money in",
    "type": "In or out",
    "category": "Category",
    "mode": "Mode",
    "balance": "Balance",
}
NAMES = ("statement", "statement_typed", "typed", "two_columns", "plain")
"""the layouts, the more particular ones first"""
LONGEST_CAPTION = 200
"""letters that are looked at"""

_FOLDER = Path(__file__).parent.parent / "layouts"
_SHAPE = re.compile(r"\(\s*(?:in\s+)?(?:inr|rs\.?|₹|rupees?|d{1,2}\W.*?|m{1,2}\W.*?|y{2,4}\W.*?)\s*\)|₹")
_IN_RUPEES = re.compile(r" in (?:inr|rs|rupees)$| (?:inr|rs)$")


@dataclass(frozen=True)
class Layout:
    """A kind of table: which columns it must have, and what their captions may say."""

    name: str
    title: str
    """`a bank statement with …`"""
    required: tuple[Role, ...]
    without: tuple[Role, ...]
    """roles that make it another layout"""
    mode: Mode | None
    """of every row; None: a column says it, or the user"""
    captions: Mapping[Role, tuple[str, ...]]
    """the better name of a role first"""

    def rank(self, role: Role, caption: str) -> int | None:
        """How well a plain caption names a role, 0 best; None when it does not."""
        names = self.captions[role]
        return names.index(caption) if caption in names else None


@lru_cache(maxsize=20_000)
def plain_caption(text: str) -> str:
    """A caption as it is compared: `Withdrawal Amt. (INR)` is `withdrawal amt`."""
    folded = _SHAPE.sub(" ", unicodedata.normalize("NFKC", text).casefold()[:LONGEST_CAPTION])
    words = " ".join(re.sub(r"[\W_]+", " ", folded).split())
    return _IN_RUPEES.sub("", words)


@cache
def layouts() -> tuple[Layout, ...]:
    """Every layout, the more particular ones first."""
    return tuple(_layout(name) for name in NAMES)


def layout_named(name: str) -> Layout | None:
    """The layout of that name."""
    return next((layout for layout in layouts() if layout.name == name), None)


def direction_of(text: str) -> Direction | None:
    """Which way a word of a type column says the money went."""
    words = plain_caption(text)
    table = _table("captions")["directions"]
    return "DEBIT" if words in table["debit"] else "CREDIT" if words in table["credit"] else None


def is_total(text: str) -> bool:
    """Whether a label is a total's, a closing's or an opening's: such a row is no entry."""
    return plain_caption(text) in _table("captions")["totals"]["words"]


def is_opening(text: str) -> bool:
    """Whether a label is that of the balance brought forward."""
    return plain_caption(text) in _table("captions")["totals"]["openings"]


def _layout(name: str) -> Layout:
    table, common = _table(name), _table("captions")["captions"]
    own = table.get("captions", {})
    return Layout(
        name=name,
        title=table["title"],
        required=tuple(table["required"]),
        without=tuple(table.get("without", ())),
        mode=table.get("mode"),
        captions={
            role: tuple(plain_caption(each) or each for each in (*common.get(role, ()), *own.get(role, ())))
            for role in ROLES
        },
    )


@cache
def _table(name: str) -> Mapping[str, Any]:
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
