"""What changes do to balances and to what is spent by category, day by day."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ledger.edits import Add, Delete, EntryChange
from ledger.entries import Draft, Entry, Mode

ZERO = Decimal(0)


class Effect(NamedTuple):
    """What a change does to a balance and a category on one day."""

    mode: Mode
    day: date
    category: str
    """in small letters; empty for none"""
    by: Decimal


def effects(changes: Iterable[EntryChange]) -> tuple[Effect, ...]:
    """Of each change: an entry that goes takes its effect back, a row that comes has its own."""
    found = []
    for change in changes:
        if not isinstance(change, Add):
            was = change.was
            found.append(Effect(was.mode, was.date, (was.category or "").casefold(), -effect(was)))
        if not isinstance(change, Delete):
            draft = change.draft
            found.append(Effect(draft.mode, draft.date, (draft.category or "").casefold(), effect(draft)))
    return tuple(found)


def effect(row: Draft | Entry) -> Decimal:
    """What a row does to its mode's balance."""
    return row.amount if row.direction == "CREDIT" else -row.amount


def effect_on(mode: Mode, row: Draft | Entry) -> Decimal:
    """What a row does to the balance of a mode: nothing to another's."""
    return effect(row) if row.mode == mode else ZERO


def by_category(changes: Iterable[Effect]) -> dict[tuple[int, str], Decimal]:
    """Debits less credits by month (1 to 12) and category in small letters."""
    found: dict[tuple[int, str], Decimal] = {}
    for each in changes:
        if each.category:
            key = (each.day.month, each.category)
            found[key] = found.get(key, ZERO) - each.by
    return found
