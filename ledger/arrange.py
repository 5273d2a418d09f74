"""In which order a table's rows stand after a write. Pure: rows are numbers and days, nothing is read or written.

A new row stands below the rows of its own day and of earlier ones. An edited row stays where it is while its day fits
between its neighbours, and is placed like a new one otherwise. All others keep their order.
"""

from collections.abc import Mapping, Sequence, Set
from datetime import date
from typing import NamedTuple


class Slot(NamedTuple):
    """One row of the table after the write."""

    day: date | None
    """None: a row that is no entry"""
    origin: int | None
    """the row its cells stood in before; None for a new row"""
    item: int | None = None
    """the change whose draft it holds"""


def arranged(
    rows: Sequence[tuple[int, date | None]],
    *,
    gone: Set[int] = frozenset(),
    edited: Mapping[int, tuple[int, date]] | None = None,
    added: Sequence[tuple[int, date]] = (),
) -> list[Slot]:
    """The rows of a table after a write, from its first one on.

    `rows` are the numbers and days of those there are; `gone` leave the table; `edited` have, by row, the number of
    the change and the day they get; `added` are the numbers and days of new rows.
    """
    edited = edited or {}
    stay = [(row, day) for row, day in rows if row not in gone]
    slots: list[Slot] = []
    placed = [Slot(day, None, item) for item, day in added]
    for index, (row, day) in enumerate(stay):
        if row not in edited:
            slots.append(Slot(day, row))
            continue
        item, new = edited[row]
        slot = Slot(new, row, item)
        if new == day or _fits(stay, index, new):
            slots.append(slot)
        else:
            placed.append(slot)
    for slot in sorted(placed, key=lambda slot: (slot.day, slot.item)):
        slots.insert(_place(slots, slot.day), slot)
    return slots


def _fits(rows: Sequence[tuple[int, date | None]], index: int, day: date) -> bool:
    above = next((other for _, other in reversed(rows[:index]) if other is not None), None)
    below = next((other for _, other in rows[index + 1 :] if other is not None), None)
    return (above is None or above <= day) and (below is None or day <= below)


def _place(slots: Sequence[Slot], day: date | None) -> int:
    """Before the later days that end the table, whatever stands among them."""
    at = len(slots)
    for index in range(len(slots) - 1, -1, -1):
        other = slots[index].day
        if other is None or day is None:
            continue
        if other <= day:
            break
        at = index
    return at
