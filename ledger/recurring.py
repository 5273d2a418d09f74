"""Bills that come back, found in the book's own rows: the same description, a steady interval and a steady amount.

    rows of one description ──latest run with one rhythm and one price at a time──► Bill ──► the days it is due on

Steady: each gap between two rows is a week, a fortnight, a month, a quarter or half a year, a few days more or less;
each amount is the one before, within 2 %. A price may change (by a quarter at most) once it has held three times.
Three rows make a bill. Money moved between one's own modes, and income, are none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import median_low
from typing import Literal, NamedTuple

from ledger.entries import Book, Entry, Group, Mode, plain_description
from money.days import month_span, months_before

Every = Literal["week", "fortnight", "month", "quarter", "half-year"]

ROWS_NEEDED = 3
SAME_PRICE = Decimal("0.02")
"""the part of an amount by which the next one may differ and still be the same price"""
PRICE_STEP = Decimal("0.25")
"""the most a price may change in one step"""


class Rhythm(NamedTuple):
    """How often a bill comes, and how many days early or late it may be."""

    every: Every
    months: int
    days: int
    slack: int
    a_year: int


RHYTHMS: tuple[Rhythm, ...] = (
    Rhythm("week", 0, 7, 1, 52),
    Rhythm("fortnight", 0, 14, 2, 26),
    Rhythm("month", 1, 0, 5, 12),
    Rhythm("quarter", 3, 0, 10, 4),
    Rhythm("half-year", 6, 0, 15, 2),
)


@dataclass(frozen=True)
class Bill:
    """A bill that comes back."""

    description: str
    """as its latest row has it, without tags"""
    category: str | None
    group: Group | None
    mode: Mode
    """what its latest row was paid from"""
    amount: Decimal
    """its latest price, in rupees"""
    rhythm: Rhythm
    next_due: date
    """the day it is due after its latest row"""
    entries: tuple[Entry, ...]
    """its rows of steady interval and amount, the oldest first"""

    @property
    def yearly(self) -> Decimal:
        """What a year of it costs at its latest price."""
        return self.amount * self.rhythm.a_year


class Due(NamedTuple):
    """A bill and a day it is due on; a day already past means that it is late."""

    bill: Bill
    day: date


def recurring_bills(book: Book) -> tuple[Bill, ...]:
    """The bills found in the book, the dearest by the year first."""
    rows: dict[str, list[Entry]] = {}
    for entry in book.entries:
        if entry.direction == "DEBIT" and not entry.is_transfer:
            rows.setdefault(_spoken(entry), []).append(entry)
    found = (_bill(sorted(some, key=lambda entry: entry.date)) for some in rows.values() if len(some) >= ROWS_NEEDED)
    return tuple(sorted((bill for bill in found if bill), key=lambda bill: (-bill.yearly, bill.description)))


def bills_due(bills: Iterable[Bill], today: date, until: date) -> tuple[Due, ...]:
    """What is still to be paid up to and including a day, the earliest first.

    A bill that is late counts once; one that is a whole interval late has ended and counts no more.
    """
    due = (Due(bill, day) for bill in bills if not has_ended(bill, today) for day in _days_due(bill, until))
    return tuple(sorted(due, key=lambda each: (each.day, -each.bill.amount, each.bill.description)))


def has_ended(bill: Bill, today: date) -> bool:
    """Whether a bill is late by a whole interval: then it is not expected any more."""
    return _following(bill, bill.next_due) <= today


def standing_bills(bills: Iterable[Bill], today: date) -> tuple[Bill, ...]:
    """The bills that have not ended, in the order they came in."""
    return tuple(bill for bill in bills if not has_ended(bill, today))


def subscriptions(bills: Iterable[Bill], book: Book) -> tuple[Bill, ...]:
    """Those that could be ended: of categories that the budget does not mark essential, or of none."""
    known = ((bill, book.category(bill.category)) for bill in bills)
    return tuple(bill for bill, line in known if line is None or not line.essential)


def yearly_cost(bills: Iterable[Bill]) -> Decimal:
    """What a year of them costs, each at its latest price."""
    return sum((bill.yearly for bill in bills), Decimal(0))


def fixed_categories(book: Book, bills: Iterable[Bill]) -> frozenset[str]:
    """The categories, in lower case, in which every expense of the book is one of these bills."""
    known = {bill.description.casefold() for bill in bills}
    fixed: dict[str, bool] = {}
    for entry in book.entries:
        if entry.direction == "DEBIT" and entry.category is not None:
            name = entry.category.casefold()
            fixed[name] = fixed.get(name, True) and _spoken(entry) in known
    return frozenset(name for name, only in fixed.items() if only)


def _spoken(entry: Entry) -> str:
    return plain_description(entry.description).casefold()


def _bill(rows: Sequence[Entry]) -> Bill | None:
    rhythm = _rhythm(rows[-2], rows[-1])
    if rhythm is None:
        return None
    run = _of_steady_price(_of_steady_interval(rows, rhythm))
    if len(run) < ROWS_NEEDED:
        return None
    last = run[-1]
    return Bill(
        description=plain_description(last.description),
        category=last.category,
        group=last.group,
        mode=last.mode,
        amount=last.amount,
        rhythm=rhythm,
        next_due=_next_due(run, rhythm),
        entries=tuple(run),
    )


def _rhythm(one: Entry, other: Entry) -> Rhythm | None:
    return next((rhythm for rhythm in RHYTHMS if _keeps(rhythm, one, other)), None)


def _keeps(rhythm: Rhythm, one: Entry, other: Entry) -> bool:
    return abs((other.date - _later(one.date, rhythm)).days) <= rhythm.slack


def _later(day: date, rhythm: Rhythm) -> date:
    return months_before(day, -rhythm.months) if rhythm.months else day + timedelta(days=rhythm.days)


def _of_steady_interval(rows: Sequence[Entry], rhythm: Rhythm) -> Sequence[Entry]:
    """The latest rows that keep the rhythm."""
    begin = len(rows) - 1
    while begin and _keeps(rhythm, rows[begin - 1], rows[begin]):
        begin -= 1
    return rows[begin:]


def _of_steady_price(rows: Sequence[Entry]) -> Sequence[Entry]:
    """The latest rows at one price, and those before it at prices that held long enough to be one."""
    prices: list[list[Entry]] = [[rows[-1]]]
    for earlier, later in reversed(tuple(pairwise(rows))):
        change = abs(later.amount - earlier.amount)
        if change <= earlier.amount * SAME_PRICE:
            prices[-1].append(earlier)
        elif change <= earlier.amount * PRICE_STEP:
            prices.append([earlier])
        else:
            break
    kept = len(prices[0])
    for price in prices[1:]:
        if len(price) < ROWS_NEEDED:
            break
        kept += len(price)
    return rows[-kept:]


def _next_due(run: Sequence[Entry], rhythm: Rhythm) -> date:
    """One interval after the latest row; by the month, on the day of the month it usually comes."""
    expected = _later(run[-1].date, rhythm)
    if not rhythm.months:
        return expected
    usual = _usual_day(run)
    near = (_on_day(months_before(expected.replace(day=1), months), usual) for months in (-1, 0, 1))
    return min((day for day in near if day > run[-1].date), key=lambda day: abs((day - expected).days))


def _following(bill: Bill, due: date) -> date:
    """The due day after a due day."""
    if not bill.rhythm.months:
        return due + timedelta(days=bill.rhythm.days)
    return _on_day(months_before(due.replace(day=1), -bill.rhythm.months), _usual_day(bill.entries))


def _days_due(bill: Bill, until: date) -> Iterator[date]:
    day = bill.next_due
    while day <= until:
        yield day
        day = _following(bill, day)


def _usual_day(run: Sequence[Entry]) -> int:
    return median_low(entry.date.day for entry in run)


def _on_day(month: date, day: int) -> date:
    return month.replace(day=min(day, month_span(month)[1].day))
