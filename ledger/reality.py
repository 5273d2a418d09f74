"""What is really there, held against the book: the gap, and the rows that most likely explain it.

    counted − what the book gives = gap     above zero: more is there than the book says

A row explains a gap when putting it right would close it exactly: written twice, of another mode, the wrong way round,
two digits exchanged. Only the rows of the last two months are looked at, the newest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from ledger.entries import Book, Entry, Mode

Why = Literal["twice", "other mode", "this mode", "direction", "digits"]
DAYS_LOOKED_AT = 62
DAYS_DOUBLED = 3
"""two equal rows so near to each other may be one purchase"""
SUSPECTS = 5


@dataclass(frozen=True)
class Suspect:
    """A row that would close the gap, and how."""

    entry: Entry
    why: Why
    other: Entry | None = None
    """the row it may be written twice with"""
    amount: Decimal | None = None
    """of exchanged digits: what the amount may be"""


@dataclass(frozen=True)
class Reckoning:
    """A mode as the book gives it and as it was counted."""

    mode: Mode
    book: Decimal
    counted: Decimal
    suspects: tuple[Suspect, ...]

    @property
    def gap(self) -> Decimal:
        """What is there more than the book says; below zero: less."""
        return self.counted - self.book


def reckoned(book: Book, mode: Mode, counted: Decimal, today: date) -> Reckoning:
    """The gap of a mode and what may explain it."""
    held = book.balances.get(mode, Decimal(0))
    gap = counted - held
    near = [entry for entry in book.entries if timedelta(0) <= today - entry.date <= timedelta(days=DAYS_LOOKED_AT)]
    near.sort(key=lambda entry: (entry.date, entry.row), reverse=True)
    found: dict[tuple[str, int], Suspect] = {}
    if gap:
        for suspect in _suspects(near, mode, gap):
            found.setdefault((suspect.entry.sheet, suspect.entry.row), suspect)
    return Reckoning(mode, held, counted, tuple(found.values())[:SUSPECTS])


def _suspects(entries: list[Entry], mode: Mode, gap: Decimal) -> Iterator[Suspect]:
    """The likeliest kinds first."""
    own = [entry for entry in entries if entry.mode == mode]
    for place, entry in enumerate(own):
        if -_moves(entry) == gap and (other := _twin(entry, own[place + 1 :])):
            yield Suspect(entry, "twice", other)
    yield from (Suspect(entry, "direction") for entry in own if -2 * _moves(entry) == gap)
    for entry in own:
        if meant := _exchanged(entry, gap):
            yield Suspect(entry, "digits", amount=meant)
    yield from (Suspect(entry, "other mode") for entry in own if -_moves(entry) == gap)
    yield from (Suspect(entry, "this mode") for entry in entries if entry.mode != mode and _moves(entry) == gap)


def _moves(entry: Entry) -> Decimal:
    """What a row does to its mode's balance."""
    return entry.amount if entry.direction == "CREDIT" else -entry.amount


def _twin(entry: Entry, others: list[Entry]) -> Entry | None:
    return next(
        (
            other
            for other in others
            if (other.amount, other.direction, other.description) == (entry.amount, entry.direction, entry.description)
            and abs((entry.date - other.date).days) <= DAYS_DOUBLED
        ),
        None,
    )


def _exchanged(entry: Entry, gap: Decimal) -> Decimal | None:
    """The amount with two digits beside each other exchanged, where that closes the gap: 540 for 450."""
    digits = f"{entry.amount:.2f}"
    for place in range(len(digits) - 1):
        one, two = digits[place], digits[place + 1]
        if one.isdigit() and two.isdigit() and one != two:
            meant = Decimal(digits[:place] + two + one + digits[place + 2 :])
            change = meant - entry.amount
            if meant and (change if entry.direction == "CREDIT" else -change) == gap:
                return meant
    return None
