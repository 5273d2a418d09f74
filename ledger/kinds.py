"""What a row is to whoever counts: an expense, a refund, income, or money moved between one's own modes.

    transfer   its group is TRANSFER: it changes balances and is neither spending nor income
    expense    any other debit
    refund     any other credit that carries a category, or whose words say that money came back
    income     every credit left
    withdrawal money that came into cash from another mode: the money in of a transfer, or a debit called so

Spending is the expenses less the refunds. A refund lowers the category it carries; without one it lowers the total and
no category. Everything that counts spending or income asks here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ledger.entries import Entry

_CAME_BACK = re.compile(r"(?<!\w)(?:refund(?:s|ed)?|returned|revers(?:al|als|ed)|charge ?back)(?!\w)", re.IGNORECASE)
_WITHDRAWN = re.compile(r"(?<!\w)(?:atm|withdraw(?:al|als|n)?|withdrew|wdl|cash wd)(?!\w)", re.IGNORECASE)
_ZERO = Decimal(0)


def is_expense(entry: Entry) -> bool:
    """Whether a row is money spent: a debit that is no transfer."""
    return entry.direction == "DEBIT" and not entry.is_transfer


def is_refund(entry: Entry) -> bool:
    """Whether a row is money that came back: it lowers spending and is no income."""
    return (
        entry.direction == "CREDIT"
        and not entry.is_transfer
        and (entry.category is not None or _CAME_BACK.search(entry.description) is not None)
    )


def is_spending(entry: Entry) -> bool:
    """Whether a row raises or lowers spending: an expense or a refund."""
    return is_expense(entry) or is_refund(entry)


def is_income(entry: Entry) -> bool:
    """Whether a row is income: a credit that is no transfer and no refund."""
    return entry.direction == "CREDIT" and not entry.is_transfer and not is_refund(entry)


def is_withdrawal(entry: Entry) -> bool:
    """Whether a row is cash taken out of a bank or an app, each time once."""
    if entry.is_transfer:
        return entry.direction == "CREDIT" and entry.mode == "MONEY"
    return entry.direction == "DEBIT" and entry.mode != "MONEY" and _WITHDRAWN.search(entry.description) is not None


def net_spent(entries: Iterable[Entry]) -> Decimal:
    """Debits less credits of rows of spending."""
    return sum((entry.amount if entry.direction == "DEBIT" else -entry.amount for entry in entries), _ZERO)


@dataclass(frozen=True)
class Moves:
    """Rows of transfers, put together as the moves they are."""

    pairs: tuple[tuple[Entry, Entry], ...]
    """money out and the same money in, of one day, in another mode"""
    singles: tuple[Entry, ...]
    """rows whose other half is not among them"""

    @property
    def counted(self) -> tuple[Entry, ...]:
        """One row a move: of a pair the money out."""
        return (*(out for out, _ in self.pairs), *self.singles)

    @property
    def total(self) -> Decimal:
        """The money moved, each move once."""
        return sum((entry.amount for entry in self.counted), _ZERO)


def moves_of(entries: Iterable[Entry]) -> Moves:
    """Transfers as moves: each money out with a money in of the same day and amount in another mode."""
    rows = tuple(entries)
    waiting: dict[tuple[date, Decimal], list[Entry]] = {}
    for entry in rows:
        if entry.direction == "CREDIT":
            waiting.setdefault((entry.date, entry.amount), []).append(entry)
    pairs: list[tuple[Entry, Entry]] = []
    alone: list[Entry] = []
    for entry in rows:
        if entry.direction != "DEBIT":
            continue
        there = waiting.get((entry.date, entry.amount), [])
        other = next((into for into in there if into.mode != entry.mode), None)
        if other is None:
            alone.append(entry)
        else:
            there.remove(other)
            pairs.append((entry, other))
    return Moves(tuple(pairs), (*alone, *(entry for left in waiting.values() for entry in left)))
