"""The budget held against the book: where each category stands, what to be warned of, what could be saved.

    BUDGET lines + the month's rows ──status──► lines, each with its level ──alerts──► over budget, then close to it
    changes against the days before ──recommendations──► the two cuts that matter most, by how bold one wants to be

Over its budget a category is critical, from 90 % of it a warning. A category made only of recurring bills is known to
come in at its budget: it is told of only when it is over. Every line carries the rows it is made of.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from ledger.entries import Book, Category, Entry
from ledger.kinds import is_income, is_spending, net_spent
from ledger.queries import Span
from ledger.recurring import fixed_categories, recurring_bills
from ledger.spending import Change, Spent, spent_by_category

Level = Literal["critical", "warning"]
Profile = Literal["conservative", "balanced", "aggressive"]

CUT_PERCENT: Mapping[Profile, int] = {"conservative": 10, "balanced": 15, "aggressive": 20}
DEFAULT_PROFILE: Profile = "balanced"
WARNING_FROM = 90
"""percent of the budget spent"""
CUTS = 2

_ZERO = Decimal(0)
_PAISA = Decimal("0.01")


@dataclass(frozen=True)
class BudgetLine:
    """A category with a budget, in one month."""

    category: Category
    budget: Decimal
    spent: Decimal
    entries: tuple[Entry, ...]
    fixed: bool
    """made only of recurring bills"""

    @property
    def left(self) -> Decimal:
        """What is left of the budget, below zero when overspent."""
        return self.budget - self.spent

    @property
    def percent(self) -> Decimal | None:
        """How much of the budget is spent; None for a budget of nothing."""
        return self.spent * 100 / self.budget if self.budget else None

    @property
    def level(self) -> Level | None:
        """How serious it is; None: nothing to be told of."""
        if self.left < 0:
            return "critical"
        near = self.spent > 0 and self.spent * 100 >= self.budget * WARNING_FROM
        return "warning" if near and not self.fixed else None


@dataclass(frozen=True)
class BudgetStatus:
    """The month's budget: each category that has one, and all of them together."""

    days: Span
    lines: tuple[BudgetLine, ...]
    """in the order of the BUDGET sheet"""
    unplanned: Spent
    """spending in categories without a budget, or in none"""

    @property
    def budget(self) -> Decimal:
        """Of all categories together."""
        return sum((line.budget for line in self.lines), _ZERO)

    @property
    def spent(self) -> Decimal:
        """In the categories that have a budget."""
        return sum((line.spent for line in self.lines), _ZERO)

    @property
    def left(self) -> Decimal:
        """Of all budgets together, below zero when overspent."""
        return self.budget - self.spent

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The rows of the categories that have a budget."""
        return tuple(entry for line in self.lines for entry in line.entries)


@dataclass(frozen=True)
class Recommendation:
    """A category to spend less on, and what that saves."""

    change: Change
    cut_percent: int

    @property
    def saving(self) -> Decimal:
        """To the paisa, at what the days looked at cost."""
        return (self.change.now.total * self.cut_percent / 100).quantize(_PAISA, ROUND_HALF_UP)


@dataclass(frozen=True)
class Summary:
    """What came in and what went out over some days."""

    income: Decimal
    income_entries: tuple[Entry, ...]
    spending: Decimal
    spending_entries: tuple[Entry, ...]
    largest: Entry | None
    """the largest single expense"""

    @property
    def saved(self) -> Decimal:
        """Income less spending, below zero when more went out."""
        return self.income - self.spending

    @property
    def saved_percent(self) -> Decimal | None:
        """The part of the income that was not spent, in percent; None without income."""
        return self.saved * 100 / self.income if self.income else None


def status(book: Book, days: Span) -> BudgetStatus:
    """Where every budget of a month stands at the end of the days: of the month that their last day lies in.

    A transfer category has no budget; a category may have a budget of nothing.
    """
    spent = spent_by_category(book, days.last.replace(day=1), days.last)
    fixed = fixed_categories(book, recurring_bills(book))
    lines = tuple(
        _line(line, line.monthly, spent, fixed)
        for line in _once(book.budget)
        if line.monthly is not None and line.group != "TRANSFER"
    )
    planned = {line.category.name for line in lines}
    rest = [each for each in spent.values() if each.category not in planned]
    unplanned = Spent(
        None, sum((each.total for each in rest), _ZERO), tuple(entry for each in rest for entry in each.entries)
    )
    return BudgetStatus(days, lines, unplanned)


def alerts(lines: Iterable[BudgetLine]) -> tuple[BudgetLine, ...]:
    """The lines to be told of, the most serious first: over budget before close to it, then by the part spent."""
    told = [line for line in lines if line.level]
    return tuple(sorted(told, key=lambda line: (line.level != "critical", *_least_left(line))))


def recommendations(
    lines: Iterable[Change], book: Book, profile: Profile = DEFAULT_PROFILE
) -> tuple[Recommendation, ...]:
    """The two cuts that matter most: no essential category, anomalies first, then by what they cost."""
    possible = [line for line in lines if line.now.total > 0 and _can_be_cut(line.category, book)]
    possible.sort(key=lambda line: (not line.is_anomaly, -line.now.total))
    return tuple(Recommendation(line, CUT_PERCENT[profile]) for line in possible[:CUTS])


def summary(book: Book, first: date, last: date) -> Summary:
    """Income, spending and the largest expense of some days."""
    rows = [entry for entry in book.entries if first <= entry.date <= last]
    came = tuple(entry for entry in rows if is_income(entry))
    went = tuple(entry for entry in rows if is_spending(entry))
    debits = [entry for entry in went if entry.direction == "DEBIT"]
    return Summary(
        income=sum((entry.amount for entry in came), _ZERO),
        income_entries=came,
        spending=net_spent(went),
        spending_entries=went,
        largest=max(debits, key=lambda entry: entry.amount, default=None),
    )


def _line(category: Category, budget: Decimal, spent: Mapping[str | None, Spent], fixed: frozenset[str]) -> BudgetLine:
    found = spent.get(category.name, Spent(category.name, _ZERO, ()))
    return BudgetLine(category, budget, found.total, found.entries, category.name.casefold() in fixed)


def _once(lines: Iterable[Category]) -> tuple[Category, ...]:
    """A category that stands twice counts by its first line."""
    first: dict[str, Category] = {}
    for line in lines:
        first.setdefault(line.name.casefold(), line)
    return tuple(first.values())


def _least_left(line: BudgetLine) -> tuple[bool, Decimal, Decimal]:
    """The larger part of its budget is spent, the further ahead; a budget of nothing is first, by what it cost."""
    return (line.budget != 0, -(line.percent or _ZERO), -line.spent)


def _can_be_cut(name: str | None, book: Book) -> bool:
    line = book.category(name)
    return line is not None and not line.essential and line.group != "TRANSFER"
