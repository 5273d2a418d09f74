"""Four tiles over this month: what came in less what went out, the budget used, the bills due, what is safe to spend.

Each says that it does not know where the book does not: a cell that cannot be read, an opening that was never typed, a
month or a budget that is not there.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

import streamlit as st

from frame import desk
from frame.escape import literal
from frame.look import tile
from ledger.budget import status, summary
from ledger.entries import Book
from ledger.outlook import BILLS_AHEAD, safe_to_spend
from ledger.queries import Span, stopping_issues
from ledger.recurring import bills_due, recurring_bills
from ledger.report import file_name, month_report
from money import day_text, month_span, whole_rupees

UNKNOWN = "–"


class Tile(NamedTuple):
    """A tile's texts, ready to be shown."""

    label: str
    value: str
    note: str


@st.cache_resource(show_spinner=False, max_entries=8)
def tiles_of(sha256: str, today: date, _book: Book, put_aside: Decimal = Decimal(0)) -> tuple[Tile, ...]:  # noqa: ARG001
    """The four tiles, worked out once for each state of the book and each day."""
    return tiles(_book, today, put_aside)


def tiles(book: Book, today: date, put_aside: Decimal = Decimal(0)) -> tuple[Tile, ...]:
    """The four tiles of a book on a day."""
    first, last = month_span(today)
    if stopping_issues(book, None):
        labels = ("Net this month", "Budget used", "Bills due", "Safe a day")
        return tuple(Tile(label, UNKNOWN, "see Issues") for label in labels)
    month = summary(book, first, today)
    rows = bool(month.income_entries or month.spending_entries)
    net = Tile("Net this month", whole_rupees(month.saved) if rows else UNKNOWN, "in less out" if rows else "no rows")
    so_far = status(book, Span(first, today, ""))
    if so_far.budget:
        percent = so_far.spent * 100 / so_far.budget
        used = Tile("Budget used", f"{percent:.0f}%", f"of {whole_rupees(so_far.budget)}")
    else:
        used = Tile("Budget used", UNKNOWN, "no budget")
    bills = recurring_bills(book)
    due = bills_due(bills, today, today + timedelta(days=BILLS_AHEAD))
    amount = sum((each.bill.amount for each in due), Decimal(0))
    if due:
        owed = Tile("Bills due", whole_rupees(amount), f"next {day_text(due[0].day, today)}")
    else:
        owed = Tile("Bills due", whole_rupees(amount) if bills else UNKNOWN, "30 days" if bills else "none known")
    held = safe_to_spend(book, today, put_aside)
    if book.year != today.year or len(held.plan.on_hand.unknown) == len(held.plan.on_hand.balances):
        free = Tile("Safe a day", UNKNOWN, "not known")
    else:
        free = Tile("Safe a day", whole_rupees(held.a_day), f"to {day_text(last, today)}")
    return net, used, owed, free


def show(book: Book, today: date) -> None:
    """The tiles in a grid: four across, two on a phone."""
    with st.grid(4, min_column_width=150):
        for each in tiles_of(book.sha256, today, book, desk.workbench().person().put_aside(today)):
            tile(each.label, literal(each.value), literal(each.note))


def show_report(book: Book, month: date | None, today: date, key: str = "ledger-report") -> None:
    """The month's report as a file to save or to print: the month looked at, this one when none is."""
    month = month or today
    st.download_button(
        "Report to print or save",
        report_of(book.sha256, month, today, book),
        file_name(book, month),
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        key=key,
        help="One HTML file of this month, with the cells behind its figures",
    )


@st.cache_data(show_spinner=False, max_entries=4)
def report_of(sha256: str, month: date, today: date, _book: Book) -> str:  # noqa: ARG001  the cache's key
    """The report, made once for each state of the book."""
    return month_report(_book, month, today)
