"""What the money on hand has to last for: the days left of a month, the bills still due, and one thing more.

    money on hand − bills still due ──► free ──► a day, over the days left
    free − what is to be put aside, or what the budgets leave: the lower ──► safe to spend a day
    the month so far, bills aside ──► its pace ──► where the month ends, and between which figures

It says what the book shows; it tells nobody what to buy.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from ledger.budget import BudgetLine, BudgetStatus, status
from ledger.categories import categorise
from ledger.entries import MODES, Book, Entry, Mode
from ledger.kinds import is_spending, net_spent
from ledger.queries import Span, closing_balance
from ledger.recurring import Bill, Due, bills_due, recurring_bills
from ledger.spending import spent_by_category
from money import days_text, month_span
from money.days import months_before

MONTHS_BEFORE = 3
"""whole months whose pace the range of a forecast is made from"""
WEEK = timedelta(days=7)
BILLS_AHEAD = 30
"""days whose bills are set aside before something is called affordable"""

_ZERO = Decimal(0)
_PAISA = Decimal("0.01")


@dataclass(frozen=True)
class OnHand:
    """The money there is, by mode."""

    balances: Mapping[Mode, Decimal]
    unknown: tuple[Mode, ...]
    """modes whose opening balance was never typed: it counts as nothing"""

    @property
    def total(self) -> Decimal:
        """Of all modes together."""
        return sum(self.balances.values(), _ZERO)


@dataclass(frozen=True)
class Pace:
    """How fast a month's money goes, and where that ends."""

    spent: Decimal
    """in the month so far, all categories"""
    entries: tuple[Entry, ...]
    everyday: Decimal
    """a day, bills aside, so far"""
    everyday_entries: tuple[Entry, ...]
    days_gone: int
    days_after: int
    """days of the month after today"""
    bills: Decimal
    """still due until the month's end"""
    lowest: Decimal
    """the slowest pace a day among this month and the whole months before it that have spending"""
    highest: Decimal

    @property
    def month_gone(self) -> Decimal:
        """The part of the month's days that is gone, today included, in percent."""
        return Decimal(self.days_gone * 100) / (self.days_gone + self.days_after)

    @property
    def forecast(self) -> Decimal:
        """What the month will have cost at this pace, to the paisa."""
        return self._ending(self.everyday)

    @property
    def between(self) -> tuple[Decimal, Decimal]:
        """The same at the slowest and the fastest pace of the last months."""
        return self._ending(self.lowest), self._ending(self.highest)

    def _ending(self, a_day: Decimal) -> Decimal:
        return (self.spent + self.bills + a_day * self.days_after).quantize(_PAISA, ROUND_HALF_UP)


@dataclass(frozen=True)
class Outlook:
    """A plan to a day: what there is, what is still due, what that leaves."""

    today: date
    until: date
    on_hand: OnHand
    due: tuple[Due, ...]
    soon: tuple[Due, ...]
    """bills of the week after `until`: they are no part of the plan"""
    budget: BudgetStatus
    """of the month of `today`, so far"""
    pace: Pace

    @property
    def days_left(self) -> int:
        """Today and the last day included."""
        return (self.until - self.today).days + 1

    @property
    def bills(self) -> Decimal:
        """What is still due in all."""
        return sum((due.bill.amount for due in self.due), _ZERO)

    @property
    def free(self) -> Decimal:
        """On hand less the bills still due; below zero when it does not reach."""
        return self.on_hand.total - self.bills

    @property
    def a_day(self) -> Decimal:
        """What is free on each day left, rounded down to the paisa; never below zero."""
        return _each(self.free, self.days_left)

    @property
    def budget_free(self) -> Decimal:
        """What is left of the month's budgets, less what the bills still due will take of them."""
        planned = {line.category.name.casefold() for line in self.budget.lines}
        last = month_span(self.today)[1]
        taken = (
            due.bill.amount for due in self.due if due.day <= last and (due.bill.category or "").casefold() in planned
        )
        return self.budget.left - sum(taken, _ZERO)

    @property
    def budget_a_day(self) -> Decimal:
        """What the budgets leave for each day of this month that is left, rounded down; never below zero."""
        return _each(self.budget_free, self.pace.days_after + 1)


@dataclass(frozen=True)
class SafeToSpend:
    """What may be spent on each day that is left of the month without missing a bill, a budget or the savings goal."""

    plan: Outlook
    put_aside: Decimal
    """what the savings goal keeps of this month; nothing without one"""

    @property
    def free(self) -> Decimal:
        """On hand less the bills still due and what is put aside; below zero when it does not reach."""
        return self.plan.free - self.put_aside

    @property
    def by_money(self) -> Decimal:
        """A day, by the money there is."""
        return _each(self.free, self.plan.days_left)

    @property
    def by_budget(self) -> Decimal | None:
        """A day, by what the budgets leave; None in a book without budgets."""
        return self.plan.budget_a_day if self.plan.budget.budget else None

    @property
    def a_day(self) -> Decimal:
        """The lower of the two."""
        return self.by_money if self.by_budget is None else min(self.by_money, self.by_budget)


@dataclass(frozen=True)
class Affordable:
    """One thing's price held against the money on hand, the bills ahead and its budget."""

    price: Decimal
    on_hand: OnHand
    due: tuple[Due, ...]
    """bills of the next 30 days"""
    until: date
    category: str | None
    """what the book would file it under; None: nothing says so"""
    line: BudgetLine | None
    """that category's budget this month"""

    @property
    def bills(self) -> Decimal:
        """What the bills ahead come to."""
        return sum((due.bill.amount for due in self.due), _ZERO)

    @property
    def free(self) -> Decimal:
        """On hand less the bills ahead."""
        return self.on_hand.total - self.bills

    @property
    def left(self) -> Decimal:
        """What is free after it; below zero when it does not reach."""
        return self.free - self.price

    @property
    def from_one(self) -> tuple[Mode, ...]:
        """The modes that hold the whole price."""
        return tuple(mode for mode, balance in self.on_hand.balances.items() if balance >= self.price)

    @property
    def budget_left(self) -> Decimal | None:
        """What its category's budget has left after it; None without a budget."""
        return self.line.left - self.price if self.line else None


def outlook(book: Book, today: date, until: date | None = None) -> Outlook:
    """The plan from today to a day, the end of this month when none is given."""
    until = max(until or month_span(today)[1], today)
    bills = recurring_bills(book)
    due = bills_due(bills, today, until + WEEK)
    return Outlook(
        today=today,
        until=until,
        on_hand=on_hand(book),
        due=tuple(each for each in due if each.day <= until),
        soon=tuple(each for each in due if each.day > until),
        budget=status(book, _month_so_far(today)),
        pace=pace(book, today, bills),
    )


def safe_to_spend(book: Book, today: date, put_aside: Decimal = _ZERO) -> SafeToSpend:
    """What may be spent a day until the end of this month."""
    return SafeToSpend(outlook(book, today), put_aside)


def affordable(book: Book, today: date, price: Decimal, thing: str = "", modes: Collection[Mode] = MODES) -> Affordable:
    """What paying the price now would leave, from all modes or from those named."""
    until = today + timedelta(days=BILLS_AHEAD)
    due = bills_due(recurring_bills(book), today, until)
    if set(modes) != set(MODES):
        due = tuple(each for each in due if each.bill.mode in modes)
    category = categorise(thing, book) if thing else None
    lines = status(book, _month_so_far(today)).lines if category else ()
    line = next((line for line in lines if line.category.name == category), None)
    return Affordable(price, on_hand(book, modes), due, until, category, line)


def on_hand(book: Book, modes: Collection[Mode] = MODES) -> OnHand:
    """What each mode holds now."""
    named = [mode for mode in MODES if mode in modes]
    balances = {
        mode: book.balances[mode] if mode in book.balances else closing_balance(book, mode, date.max) for mode in named
    }
    return OnHand(balances, tuple(mode for mode in named if book.openings.get(mode) is None))


def pace(book: Book, today: date, bills: Collection[Bill]) -> Pace:
    """This month's spending a day so far, bills aside, and where it ends."""
    first, last = month_span(today)
    days_gone = (today - first).days + 1
    rows = [entry for entry in book.entries if first <= entry.date <= today and is_spending(entry)]
    of_bills = {entry for bill in bills for entry in bill.entries}
    everyday = tuple(entry for entry in rows if entry not in of_bills)
    a_day = max(net_spent(everyday), _ZERO) / days_gone
    earlier = [_everyday_of(book, months_before(first, back), of_bills) for back in range(1, MONTHS_BEFORE + 1)]
    paces = [a_day, *(each for each in earlier if each is not None)]
    return Pace(
        spent=sum((each.total for each in spent_by_category(book, first, today).values()), _ZERO),
        entries=tuple(rows),
        everyday=a_day,
        everyday_entries=everyday,
        days_gone=days_gone,
        days_after=(last - today).days,
        bills=sum((due.bill.amount for due in bills_due(bills, today, last)), _ZERO),
        lowest=min(paces),
        highest=max(paces),
    )


def _month_so_far(today: date) -> Span:
    first = today.replace(day=1)
    return Span(first, today, f"in {days_text(*month_span(today), today)}")


def _everyday_of(book: Book, month: date, of_bills: Collection[Entry]) -> Decimal | None:
    """A whole month's spending a day, bills aside; None for a month without spending."""
    first, last = month_span(month)
    rows = [entry for entry in book.entries if first <= entry.date <= last and is_spending(entry)]
    everyday = [entry for entry in rows if entry not in of_bills]
    return max(net_spent(everyday), _ZERO) / last.day if rows else None


def _each(amount: Decimal, days: int) -> Decimal:
    return (max(amount, _ZERO) / days).quantize(_PAISA, ROUND_FLOOR)
