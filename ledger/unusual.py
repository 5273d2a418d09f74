"""Rows that stand out from the others of their category.

An expense is unusual when it is more than 3.5 robust deviations above the median of its category: (amount − median) ÷
(1.4826 × the median of the distances from it). A category whose amounts hardly differ is given a deviation of a tenth
of its median, so that a rent of ₹17,501 is none. Of a category with fewer than five expenses nothing is said.
Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from ledger.entries import Entry
from ledger.kinds import is_expense

DEVIATIONS = Decimal("3.5")
FEWEST = 5
_TO_DEVIATION = Decimal("1.4826")
_LEAST = Decimal("0.1")
_PAISA = Decimal("0.01")


@dataclass(frozen=True)
class Usual:
    """What an expense of a category usually comes to."""

    median: Decimal
    unusual_above: Decimal
    entries: tuple[Entry, ...]
    """the expenses it is the median of"""


def usual_by_category(entries: Iterable[Entry]) -> Mapping[str, Usual]:
    """What is usual in each category with expenses enough to tell."""
    rows: dict[str, list[Entry]] = {}
    for entry in entries:
        if is_expense(entry) and entry.category:
            rows.setdefault(entry.category, []).append(entry)
    return {category: _usual(some) for category, some in rows.items() if len(some) >= FEWEST}


def is_unusual(entry: Entry, usual: Mapping[str, Usual]) -> bool:
    """Whether a row stands out from the others of its category."""
    known = usual.get(entry.category or "")
    return known is not None and is_expense(entry) and entry.amount > known.unusual_above


def median_of(amounts: Iterable[Decimal]) -> Decimal | None:
    """The middle amount, of two the mean of both to the paisa; None of none."""
    ranked = sorted(amounts)
    if not ranked:
        return None
    middle = len(ranked) // 2
    if len(ranked) % 2:
        return ranked[middle]
    return ((ranked[middle - 1] + ranked[middle]) / 2).quantize(_PAISA, ROUND_HALF_UP)


def _usual(entries: list[Entry]) -> Usual:
    median = median_of(entry.amount for entry in entries) or Decimal(0)
    distance = median_of(abs(entry.amount - median) for entry in entries) or Decimal(0)
    deviation = max(_TO_DEVIATION * distance, _LEAST * median)
    return Usual(median, median + DEVIATIONS * deviation, tuple(entries))
