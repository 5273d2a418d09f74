"""Spending by category over some days, against the days before them.

    days asked ──compared_days──► those days, and the same days one period earlier
               ──changes────────► a line a category: what it was, what it is, whether that is an anomaly

Spending is expenses less refunds, as everywhere in the book. An anomaly is a rise
of more than 20.0 %; a category that had nothing before has no percentage and is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ledger.entries import Book, Entry
from ledger.kinds import is_spending, net_spent
from ledger.queries import Span
from money import days_text, month_span
from money.days import months_before

ANOMALY_ABOVE = Decimal("20.0")
"""in percent more than before"""

_DAY = timedelta(days=1)
_ZERO = Decimal(0)


@dataclass(frozen=True)
class Spent:
    """What went to a category over some days, less its refunds, and the rows that make it."""

    category: str | None
    """None: rows without a category"""
    total: Decimal
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Change:
    """A category's spending now and before."""

    category: str | None
    now: Spent
    before: Spent

    @property
    def more(self) -> Decimal:
        """How much more than before, below zero when less."""
        return self.now.total - self.before.total

    @property
    def percent(self) -> Decimal | None:
        """How much more in percent; None when there was nothing before."""
        return self.more * 100 / self.before.total if self.before.total > 0 else None

    @property
    def is_anomaly(self) -> bool:
        """More than 20.0 % up."""
        return self.before.total > 0 and self.more * 100 > self.before.total * ANOMALY_ABOVE

    @property
    def is_new(self) -> bool:
        """Spending where there was none before."""
        return self.now.total > 0 and self.before.total <= 0


@dataclass(frozen=True)
class Comparison:
    """The days looked at and those they are held against."""

    now: Span
    before: Span
    partial: bool
    """the period is not over: only its days so far are compared, with as many before"""


def compared_days(period: Span | None, today: date) -> Comparison:
    """The days of a period up to today and the same days one period earlier; no period is this month.

    Whole months are held against the whole months before; other days against as many days just before them.
    """
    first, last = (period.first, period.last) if period else month_span(today)
    until = min(last, today) if first <= today else last
    partial = until < last
    if first.day == 1 and last == month_span(last)[1]:
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        begin = months_before(first, months)
        end = _same_day(until, months)
    else:
        length = (last - first).days + 1
        begin = first - timedelta(days=length)
        end = until - timedelta(days=length)
    # words as the user gave them hold for the whole period only
    words = period.words if period and not partial else _days(first, until, today)
    return Comparison(Span(first, until, words), Span(begin, end, _days(begin, end, today)), partial)


def spent_by_category(book: Book, first: date, last: date) -> dict[str | None, Spent]:
    """What each category cost from `first` to `last`, the most first; names as the BUDGET sheet writes them."""
    names: dict[str, str] = {line.name.casefold(): line.name for line in reversed(book.budget)}
    rows: dict[str | None, list[Entry]] = {}
    for entry in book.entries:
        if not first <= entry.date <= last or not is_spending(entry):
            continue
        name = entry.category
        rows.setdefault(names.get(name.casefold(), name) if name else None, []).append(entry)
    spent = [Spent(name, net_spent(some), tuple(some)) for name, some in rows.items()]
    return {each.category: each for each in sorted(spent, key=lambda each: (-each.total, each.category or ""))}


def changes(book: Book, days: Comparison) -> tuple[Change, ...]:
    """A line for each category that had spending in either period, the largest now first."""
    now = spent_by_category(book, days.now.first, days.now.last)
    before = spent_by_category(book, days.before.first, days.before.last)
    return tuple(
        Change(name, now.get(name, Spent(name, _ZERO, ())), before.get(name, Spent(name, _ZERO, ())))
        for name in dict.fromkeys((*now, *before))
    )


def anomalies(lines: Iterable[Change]) -> tuple[Change, ...]:
    """Those more than 20.0 % up, the one that grew by the most rupees first."""
    return tuple(sorted((line for line in lines if line.is_anomaly), key=lambda line: -line.more))


def _same_day(day: date, months: int) -> date:
    """The day so many months earlier; the last day of a month becomes the last day of the other."""
    earlier = months_before(day, months)
    return month_span(earlier)[1] if day == month_span(day)[1] else earlier


def _days(first: date, last: date, today: date) -> str:
    words = days_text(first, last, today)
    if first == last:
        return f"on {words}"
    whole = first.day == 1 and last == month_span(last)[1]
    return f"in {words}" if whole else f"from {words}"
