"""What each mode holds, now, at the end of a day and day by day: opening + credits - debits, never a period's total."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from ledger.entries import Book, Mode
from ledger.query import Extreme

_ZERO = Decimal(0)
_PAISA = Decimal("0.01")
_DAY = timedelta(days=1)


def closing_balance(book: Book, mode: Mode, day: date) -> Decimal:
    """What the mode held at the end of the day; an opening that was never typed counts as 0."""
    return balances_at(book, (mode,), day)[mode]


def balances_at(book: Book, modes: Collection[Mode], day: date | None) -> Mapping[Mode, Decimal]:
    """What each mode held at the end of the day; None: now."""
    if day is None and book.balances.keys() >= set(modes):
        return {mode: book.balances[mode] for mode in modes}
    balances = {mode: book.openings.get(mode) or _ZERO for mode in modes}
    for entry in book.entries:
        if entry.mode in balances and (day is None or entry.date <= day):
            balances[entry.mode] += entry.amount if entry.direction == "CREDIT" else -entry.amount
    return balances


@dataclass(frozen=True)
class Held:
    """What a mode held at the end of one day, or on average over several."""

    amount: Decimal
    day: date
    """the latest day of that balance; of an average the last day it is over"""
    days: int = 1
    """how many days it is the average of"""


def daily_balances(book: Book, mode: Mode, first: date, last: date) -> Mapping[date, Decimal]:
    """What the mode held at the end of every day from `first` to `last`."""
    moved: dict[date, Decimal] = {}
    balance = book.openings.get(mode) or _ZERO
    for entry in book.entries:
        if entry.mode != mode:
            continue
        change = entry.amount if entry.direction == "CREDIT" else -entry.amount
        if entry.date < first:
            balance += change
        else:
            moved[entry.date] = moved.get(entry.date, _ZERO) + change
    held: dict[date, Decimal] = {}
    day = first
    while day <= last:
        balance += moved.get(day, _ZERO)
        held[day] = balance
        day += _DAY
    return held


def held_over(book: Book, mode: Mode, first: date, last: date, which: Extreme) -> Held:
    """The lowest, highest or average balance at the end of the days from `first` to `last`."""
    held = daily_balances(book, mode, first, last)
    if which == "average":
        mean = sum(held.values(), _ZERO) / len(held)
        return Held(mean.quantize(_PAISA, ROUND_HALF_UP), last, len(held))
    amount = min(held.values()) if which == "lowest" else max(held.values())
    return Held(amount, max(day for day, balance in held.items() if balance == amount))
