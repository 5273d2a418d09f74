"""Which transactions stand in the book already: one to one, so that two real purchases of one amount are both kept."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Generic, TypeVar

from ledger.entries import Direction, Entry, Mode

DAYS_APART = 3
"""between the bank's day and the one it was written under"""
_FAR = 10**6


@dataclass(frozen=True)
class Moved:
    """What is compared of a transaction."""

    day: date
    mode: Mode
    direction: Direction
    amount: Decimal
    reference: str | None = None


Each = TypeVar("Each")


@dataclass(frozen=True)
class Compared(Generic[Each]):
    """Transactions told apart."""

    new: tuple[Each, ...]
    known: tuple[tuple[Each, Entry | None], ...]
    """those of the book, each with its row; None: its reference was taken over before"""


def compare(
    coming: Sequence[Each], of: Callable[[Each], Moved], entries: Sequence[Entry], references: Collection[str] = ()
) -> Compared[Each]:
    """What of `coming` is new to the book. Direction, mode and amount must be equal and the days at most three apart;
    each row of the book answers for one transaction, the nearest.
    """
    rows: dict[tuple[Mode, Direction, Decimal], list[Entry]] = defaultdict(list)
    for entry in entries:
        rows[entry.mode, entry.direction, entry.amount].append(entry)
    groups: dict[tuple[Mode, Direction, Decimal], list[int]] = defaultdict(list)
    answered: dict[int, Entry | None] = {}
    moved = [of(each) for each in coming]
    for number, each in enumerate(moved):
        groups[each.mode, each.direction, each.amount].append(number)
    for key, numbers in groups.items():
        numbers.sort(key=lambda number: moved[number].day)
        standing = sorted(rows.get(key, ()), key=lambda entry: entry.date)
        pairs = _paired([moved[number].day for number in numbers], [entry.date for entry in standing])
        answered |= {numbers[at]: standing[row] for at, row in pairs}
    for number, each in enumerate(moved):
        if number not in answered and each.reference and each.reference in references:
            answered[number] = None
    return Compared(
        tuple(each for number, each in enumerate(coming) if number not in answered),
        tuple((coming[number], entry) for number, entry in sorted(answered.items(), key=lambda pair: pair[0])),
    )


def _paired(days: Sequence[date], standing: Sequence[date]) -> list[tuple[int, int]]:
    """As many pairs as can be at most three days apart, of those the nearest; both are in order of their days."""
    if not days or not standing:
        return []
    width = len(standing) + 1
    # fewest left over, then the least days apart, of the first so many of each
    best = [[0] * width for _ in range(len(days) + 1)]
    for one in range(1, len(days) + 1):
        for other in range(1, width):
            apart = abs((days[one - 1] - standing[other - 1]).days)
            joined = best[one - 1][other - 1] + _FAR - apart if apart <= DAYS_APART else -1
            best[one][other] = max(best[one - 1][other], best[one][other - 1], joined)
    pairs, one, other = [], len(days), len(standing)
    while one and other:
        if best[one][other] == best[one - 1][other]:
            one -= 1
        elif best[one][other] == best[one][other - 1]:
            other -= 1
        else:
            one, other = one - 1, other - 1
            pairs.append((one, other))
    return pairs[::-1]
