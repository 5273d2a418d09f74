"""The formats of statements, a file a bank or app in `formats/`, and which of them a table's captions are."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, cast, get_args

from ledger.entries import Direction, Mode
from ledger.foreign.layouts import layouts, plain_caption
from ledger.sheetxml import Value
from ledger.statements.numbers import Signed, signed_amount

StatementRole = Literal[
    "date",
    "value_date",
    "description",
    "reference",
    "debit",
    "credit",
    "amount",
    "type",
    "balance",
    "status",
    "account",
]
ROLES: tuple[StatementRole, ...] = get_args(StatementRole)
NAMES = ("hdfc", "icici", "sbi", "axis", "kotak", "phonepe", "paytm", "generic")
_DAY = re.compile(r"\d{1,4}[-/. ]+(?:\d{1,2}|[A-Za-z]{3,9})[-/., ]+\d{1,4}")
_FOLDER = Path(__file__).parent / "formats"
_COMMON: tuple[
    tuple[StatementRole, Literal["date", "description", "amount", "debit", "credit", "type", "balance"]], ...
] = (
    ("date", "date"),
    ("description", "description"),
    ("amount", "amount"),
    ("debit", "debit"),
    ("credit", "credit"),
    ("type", "type"),
    ("balance", "balance"),
)


@dataclass(frozen=True)
class StatementFormat:
    """How one bank or app captions its statement."""

    name: str
    title: str
    """`HDFC Bank`"""
    mode: Mode | None
    """where its money is kept, as far as anybody can say"""
    words: tuple[str, ...]
    """words above its captions, or in the file's name, that name it"""
    positive: Direction | None
    """what an amount above zero is, where no column says it; None: asked where the amounts have no sign"""
    captions: Mapping[StatementRole, tuple[str, ...]]


@dataclass(frozen=True)
class Columns:
    """Where the columns of a table stand, from 0, and whose format it is."""

    format: StatementFormat
    header: int
    """the row of the captions, from 0"""
    at: Mapping[StatementRole, int]
    captions: Mapping[int, str] = field(default_factory=dict)
    """every caption as it stands"""

    @property
    def whole(self) -> bool:
        """Whether it says when and how much."""
        return "date" in self.at and bool({"amount", "debit", "credit"} & self.at.keys())


@cache
def formats() -> tuple[StatementFormat, ...]:
    """Every format, the generic one last."""
    return tuple(_format(name) for name in NAMES)


def find_columns(rows: Sequence[Sequence[object]], name: str, looked_at: int = 60) -> Columns | None:
    """The captions of a table and what its columns mean; None when no row of the first ones is a row of captions.

    Of two formats that fit, the one whose bank is named above the captions or in the file's name.
    """
    best: tuple[tuple[int, int, int], Columns] | None = None
    above = plain_caption(name)
    for number, row in enumerate(rows[:looked_at]):
        captions = {at: plain_caption(cell) for at, cell in enumerate(row) if isinstance(cell, str) and cell.strip()}
        if len(captions) >= 2:
            for order, each in enumerate(formats()):
                columns = _columns(each, number, captions, row)
                if not columns.whole:
                    continue
                named = any(f" {word} " in f" {above} " for word in each.words)
                known = each.name != "generic"
                rank = (len(columns.at) + (2 if named else 0), int(known and named), -order if known else -99)
                if best is None or rank > best[0]:
                    best = (rank, columns)
        above = f"{above} {' '.join(captions.values())}"[-4000:]
    if best is None:
        return None
    found = best[1]
    return found if _sure_of(found, above) else Columns(_generic(), found.header, found.at, found.captions)


def columns_by_content(rows: Sequence[Sequence[Value]], looked_at: int = 60) -> Columns | None:
    """The columns of a table whose captions nobody knows, by what stands below them: to be confirmed by a person."""
    for number, row in enumerate(rows[:looked_at]):
        texts = {at: text for at, cell in enumerate(row) if isinstance(cell, str) and (text := cell.strip())}
        if len(texts) < 2 or any(letter.isdigit() for text in texts.values() for letter in text):
            continue
        below = [each for each in rows[number + 1 : number + 1 + looked_at] if any(each)]
        at: dict[StatementRole, int] = {}
        for role, fits in (("date", _is_day), ("amount", _is_number), ("description", _is_text)):
            counts = {
                place: sum(1 for each in below if place < len(each) and fits(each[place]))
                for place in texts
                if place not in at.values()
            }
            best = max(counts, key=lambda place: counts[place], default=None)
            if best is not None and counts[best] * 2 >= max(len(below), 1):
                at[cast("StatementRole", role)] = best
        found = Columns(_generic(), number, at, texts)
        if found.whole:
            return found
    return None


def _is_day(value: Value) -> bool:
    return isinstance(value, str) and bool(_DAY.search(value))


def _is_number(value: Value) -> bool:
    return isinstance(value, Decimal) or (isinstance(value, str) and isinstance(signed_amount(value), Signed))


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and any(letter.isalpha() for letter in value)


def _sure_of(columns: Columns, above: str) -> bool:
    """Whether the table is that bank's: it is named, or all its captions are that format's own."""
    each = columns.format
    if each.name == "generic":
        return True
    named = any(f" {word} " in f" {above} " for word in each.words)
    return named or {"description", "balance", "reference"} <= columns.at.keys()


def _columns(each: StatementFormat, number: int, captions: Mapping[int, str], row: Sequence[object]) -> Columns:
    at: dict[StatementRole, int] = {}
    for role in ROLES:
        names = each.captions.get(role, ())
        ranked = [
            (names.index(text), place) for place, text in captions.items() if text in names and place not in at.values()
        ]
        if ranked:
            at[role] = min(ranked)[1]
    if "debit" in at and "credit" in at:
        at.pop("amount", None)
        at.pop("type", None)
    elif "amount" in at:
        at.pop("debit", None)
        at.pop("credit", None)
    return Columns(each, number, at, {place: str(row[place]).strip() for place in captions})


def _generic() -> StatementFormat:
    return formats()[-1]


def _format(name: str) -> StatementFormat:
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        table = tomllib.load(file)
    captions = {role: tuple(plain_caption(each) for each in table["captions"].get(role, ())) for role in ROLES}
    if name == "generic":
        for role, its in _COMMON:
            common = dict.fromkeys(caption for layout in layouts() for caption in layout.captions[its])
            captions[role] = tuple(each for each in common if each not in captions["value_date"] or role != "date")
    return StatementFormat(
        name, table["title"], table.get("mode"), tuple(table["words"]), table.get("positive"), captions
    )
