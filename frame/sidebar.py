"""The sidebar under the menu: which book lies open, what each mode holds, and how the month's budget stands."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import streamlit as st

from frame.escape import literal
from frame.look import row
from ledger.entries import MODE_NAMES, MODES, MONTHS, Book, Mode
from ledger.queries import spending_by_category
from money import day_text, month_span, rupees, whole_rupees


@dataclass(frozen=True)
class MonthBudget:
    """What was spent of a month's budget, over the categories that have one."""

    month: str
    spent: Decimal
    budget: Decimal
    days_left: int | None
    """None for a month that is over"""

    @property
    def share(self) -> float:
        """Spent of the budget, from 0 to 1."""
        return float(min(max(self.spent / self.budget, Decimal(0)), Decimal(1)))


def show_balances(book: Book, today: date) -> None:
    """A row a mode, what is on hand, and the budget's bar."""
    latest = max((entry.date for entry in book.entries), default=None)
    with st.container(gap="xsmall"):
        st.caption(f"Balances · {day_text(latest, today)}" if latest else "Balances")
        for mode in MODES:
            held = literal(rupees(book.balances[mode])) if is_known(book, mode) else ":gray[not set]"
            row(f":small[:gray[{MODE_NAMES[mode]}]]", f":small[{held}]")
        on_hand = sum(book.balances.values(), Decimal(0))
        row(":small[**On hand**]", f":small[**{literal(rupees(on_hand))}**]")
    budget = month_budget(book, today)
    if budget is None:
        return
    left = "" if budget.days_left is None else f" · {days_left_words(budget.days_left)}"
    with st.container(gap="xsmall"):
        st.caption(f"{budget.month} budget")
        figures = f"{whole_rupees(budget.spent)} of {whole_rupees(budget.budget)}"
        st.progress(budget.share, text=f":small[{literal(figures)}{left}]")


def is_known(book: Book, mode: Mode) -> bool:
    """Whether the book says what a mode holds: it has an opening balance, or an entry."""
    return book.openings.get(mode) is not None or any(entry.mode == mode for entry in book.entries)


def month_budget(book: Book, today: date) -> MonthBudget | None:
    """The budget of today's month, or of the last month of another year's book; None without budgets."""
    limits = {line.name: line.monthly for line in book.budget if line.monthly and line.group != "TRANSFER"}
    if not limits:
        return None
    month = today.month if book.year == today.year else max((MONTHS.index(name) + 1 for name in book.months), default=1)
    first, last = month_span(date(book.year, month, 1))
    spent = spending_by_category(book, first, last)
    running = first <= today <= last
    return MonthBudget(
        first.strftime("%B"),
        sum((spent.get(name, Decimal(0)) for name in limits), Decimal(0)),
        sum(limits.values(), Decimal(0)),
        (last - today).days if running else None,
    )


def days_left_words(days: int) -> str:
    """`last day`, `1 day left`, `9 days left`."""
    return "last day" if days == 0 else "1 day left" if days == 1 else f"{days} days left"
