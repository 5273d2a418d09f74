"""One line of what the user said they spent or received, as far as it is understood.

An `Item` may be incomplete: what is missing is asked, one fact at a time, in the order of `FIELDS`. A fact that was
said but cannot be taken as it stands (two modes, another currency, a day still to come) counts as missing, and
`doubts` says why.
"""

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ledger.entries import Direction, Draft, Entry, Mode, tags_of

Field = Literal["amount", "description", "mode", "direction", "date"]
FIELDS: tuple[Field, ...] = ("amount", "description", "mode", "direction", "date")

_FIELD_OF_DOUBT: dict[str, Field] = {
    "currency": "amount",
    "not_positive": "amount",
    "two_amounts": "amount",
    "each": "amount",
    "part": "amount",
    "share": "amount",
    "among": "amount",
    "two_modes": "mode",
    "looks_like_income": "direction",
    "future_date": "date",
    "no_such_day": "date",
    "other_weekday": "date",
}


@dataclass(frozen=True)
class Standing:
    """A row of the book as it was read, for what an item changes of it."""

    date: datetime.date
    description: str
    """as stored, in capitals, tags included"""
    mode: Mode
    direction: Direction
    amount: Decimal
    category: str | None
    sheet: str
    row: int

    @classmethod
    def of(cls, row: Entry | Draft, sheet: str, number: int) -> "Standing":
        """What an entry says, or a draft once it is written there."""
        words = row.description if isinstance(row, Entry) else row.stored_description
        return cls(row.date, words, row.mode, row.direction, row.amount, row.category, sheet, number)

    @property
    def entry(self) -> Entry:
        """The entry, whose group is not known."""
        said = (self.date, self.description, self.mode, self.direction, self.amount, self.category)
        return Entry(*said, None, tags_of(self.description), self.sheet, self.row)

    def is_of(self, entry: Entry) -> bool:
        """Whether an entry says what this row said, wherever it stands."""
        return self == Standing.of(entry, self.sheet, self.row)


@dataclass(frozen=True)
class Item:
    """A transaction as understood so far; every field but `words` may still be asked for."""

    description: str | None = None
    """the user's words for it, case as typed, without amount, mode, date and filler"""
    amount: Decimal | None = None
    """positive, in rupees"""
    mode: Mode | None = None
    direction: Direction | None = None
    date: datetime.date | None = None
    category: str | None = None
    category_said: bool = False
    """the user named the category: a new description does not change it"""
    tags: tuple[str, ...] = ()
    """in capitals, without brackets"""
    doubts: tuple[str, ...] = ()
    """why a field said is still missing: `two_modes:BANK,MONEY`, `currency:USD`, `not_positive`, `two_amounts`,
    `each` (a price for one, and no count), `part` (half of an amount), `share` (of a bill
    split between nobody knows how many), `among:4` (of a bill for 4: the share or the whole),
    `future_date:2026-12-05`, `no_such_day:30/2`, `looks_like_income`"""
    words: str = ""
    """the part of the message it was read from"""
    reference: str = ""
    """the bank's own number of it, where a statement or a bank's message brought it"""
    account: str = ""
    """the last digits of the account it was on, where one of these said so"""
    whole: Decimal | None = None
    """what all paid of whom the user's share is `amount`; None: it was not shared"""
    ways: int = 0
    """people it was split between; 0: not said"""
    was: Standing | None = None
    """the row of the book that it changes; None: it is a new one"""
    gone: bool = False
    """that row is deleted"""

    @property
    def doubt(self) -> str | None:
        """Why the next missing field is asked although something was said about it; None: nothing was said."""
        field = missing(self)
        return next((doubt for doubt in self.doubts if field_of(doubt) == field), None) if field else None

    def draft(self) -> Draft:
        """The row to be written. Only a complete item has one: raises ValueError naming the missing field."""
        if not (self.amount and self.description and self.mode and self.direction and self.date):
            raise ValueError(f"the item has no {missing(self)} yet")
        return Draft(self.date, self.description, self.mode, self.direction, self.amount, self.category, self.tags)


def missing(item: Item) -> Field | None:
    """The first fact still to be asked for; None when the item is complete."""
    present = (item.amount, item.description, item.mode, item.direction, item.date)
    return next((field for field, value in zip(FIELDS, present, strict=True) if not value), None)


def field_of(doubt: str) -> Field:
    """The field a doubt is about: `two_modes:BANK,MONEY` is about the mode."""
    return _FIELD_OF_DOUBT[doubt.partition(":")[0]]


def without_doubts(item: Item, field: Field) -> tuple[str, ...]:
    """The item's doubts but those about one field: what stays once that field is answered."""
    return tuple(doubt for doubt in item.doubts if field_of(doubt) != field)
