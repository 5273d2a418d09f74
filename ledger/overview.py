"""What months came to: what is left of a month's budget, what it is held against, and the lines of the Ledger's charts.

Money in is income, money out is expenses less refunds; transfers between one's own modes are neither.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from ledger.budget import BudgetStatus
from ledger.entries import Book
from ledger.kinds import is_income, is_spending, net_spent
from ledger.queries import closing_balance
from money import month_span, previous_month

_ZERO = Decimal(0)


@dataclass(frozen=True)
class MonthLeft:
    """What is left of all budgets of a month together."""

    budget: Decimal
    left: Decimal
    """below zero when overspent"""
    days_left: int | None
    """None: the month is not running"""

    @property
    def percent(self) -> int:
        """Left of the budget, whole, never below zero."""
        share = max(self.left, _ZERO) * 100 / self.budget
        return int(share.quantize(Decimal(1), ROUND_HALF_UP))


@dataclass(frozen=True)
class InAndOut:
    """Money in and out of one month."""

    month: date
    money_in: Decimal
    money_out: Decimal


def month_left(status: BudgetStatus, today: date) -> MonthLeft | None:
    """What is left of the month's budgets together; None in a book without any."""
    if not status.budget:
        return None
    first, last = month_span(status.days.last)
    return MonthLeft(status.budget, status.left, (last - today).days if first <= today <= last else None)


def days_before(month: date, today: date) -> tuple[date, date]:
    """The days a month is held against: the month before, and only as far into it as a running month has come."""
    first, last = previous_month(month)
    running = month_span(month)[0] <= today <= month_span(month)[1]
    return first, min(last, first + timedelta(days=today.day - 1)) if running else last


def more_percent(now: Decimal, before: Decimal) -> Decimal | None:
    """How much more in percent; None when there was nothing before."""
    return (now - before) * 100 / before if before > 0 else None


def axis_steps(most: Decimal, count: int = 4) -> tuple[Decimal, ...]:
    """Round amounts from nothing up to about `most`, for the marks of an axis: 0, 20,000, 40,000, 60,000."""
    if most <= 0:
        return (_ZERO,)
    rough = most / count
    scale = Decimal(10) ** rough.adjusted()
    step = next(scale * times for times in map(Decimal, ("1", "2", "2.5", "5", "10")) if scale * times >= rough)
    return tuple(step * number for number in range(int(most / step) + 1))


def closing(book: Book, month: date | None) -> Decimal:
    """What all modes held together at the end of the month; without a month, what they hold now."""
    if month is None:
        return sum(book.balances.values(), _ZERO)
    last = month_span(month)[1]
    return sum((closing_balance(book, mode, last) for mode in book.balances), _ZERO)


def by_month(book: Book) -> tuple[InAndOut, ...]:
    """Money in and out of each month that has entries, the oldest first."""
    came: dict[date, Decimal] = {}
    went: dict[date, Decimal] = {}
    for entry in book.entries:
        month = entry.date.replace(day=1)
        if is_income(entry):
            came[month] = came.get(month, _ZERO) + entry.amount
        elif is_spending(entry):
            went[month] = went.get(month, _ZERO) + net_spent((entry,))
    return tuple(InAndOut(month, came.get(month, _ZERO), went.get(month, _ZERO)) for month in sorted({*came, *went}))


def by_day(book: Book, month: date) -> tuple[tuple[date, Decimal], ...]:
    """What was spent on each day of the month, days without spending included."""
    first, last = month_span(month)
    spent = {first + timedelta(days=number): _ZERO for number in range((last - first).days + 1)}
    for entry in book.entries:
        if first <= entry.date <= last and is_spending(entry):
            spent[entry.date] += net_spent((entry,))
    return tuple(spent.items())
