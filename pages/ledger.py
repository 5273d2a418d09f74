"""The book itself: its entries to look through and change, its budget with charts, its history and its issues."""

from datetime import date

import streamlit as st

from frame import (
    books,
    desk,
    entries_table,
    ledger_dialogs,
    ledger_figures,
    ledger_history,
    ledger_issues,
    overview,
    pending_card,
    press,
    statement_import,
    waiting,
)
from frame.escape import literal
from frame.look import centred, entries_words, head, line, moment_text
from ledger.browse import Filter, Listed, listed, matching, months_of, places_in
from ledger.budget import BudgetStatus, status
from ledger.entries import Book
from ledger.queries import Span
from ledger.store import BookStore, Opened
from money import month_span

PLACES = "at"
"""The address may name entries to look at, by their cells: `?at=NOVEMBER!F6:F9`."""

ENTRIES, BUDGET, HISTORY, ISSUES = "Entries", "Budget", "History", "Issues"


def page() -> None:
    """Draw the book that is open."""
    opened = desk.opened_book()
    store = desk.workbench().book()
    with centred():
        if isinstance(opened, desk.NoBook) or store is None:
            st.title("Ledger", anchor=False)
            books.show_first_start(opened.reason if isinstance(opened, desk.NoBook) else "")
            return
        show_book(store, opened)


def show_book(store: BookStore, opened: Opened) -> None:
    """Everything of one book."""
    book, today = opened.book, desk.today()
    current = waiting.of(store, opened)
    show_head(store, opened, today, changes=len(current.pending) + (statement_import.STATEMENT in st.session_state))
    statement_import.show_elsewhere()
    rows = all_rows(book.sha256, book)
    named = places_in(st.query_params.get(PLACES, ""))
    with line(wrap=True):
        view = choose_view(book)
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            choosing = view == BUDGET or (view == ENTRIES and not named)
            month = entries_table.choose_month(months_of(book), today) if choosing else None
            wanted = entries_table.choose_filter(book) if choosing and view == ENTRIES else Filter()
    match view:
        case "Entries":
            wanted = Filter(places=named) if named else entries_table.narrowed(wanted, month)
            show_entries(store, opened, rows, wanted, today)
        case "Budget":
            overview.show(book, today)
            overview.show_report(book, month, today)
            ledger_figures.show_budget(budget_of(book.sha256, month, book), month)
            ledger_figures.show_charts(book, month, budget_of(book.sha256, month, book), today)
        case "History":
            pending_card.show(store, current, today, with_saved=False)
            ledger_history.show(store, book.sha256, today)
        case _:
            pending_card.show(store, current, today)
            ledger_issues.show(store, book)
    ledger_dialogs.show(store, current, today)


def show_head(store: BookStore, opened: Opened, today: date, *, changes: int) -> None:
    """Which book, how much is in it, when it was saved; a new entry, and everything else behind More."""
    saved = desk.file_saved(store.path)
    scope = (
        literal(store.name),
        entries_words(len(opened.book.entries)),
        *([f"last saved {moment_text(saved.isoformat(), today)}"] if saved else []),
        *(["read only"] if opened.book.read_only else []),
    )
    with head("Ledger", " · ".join(scope)):
        press.button(
            "Add entry",
            icon=":material/add:",
            key="ledger-add",
            type="secondary" if changes else "primary",
            on_click=ledger_dialogs.ask_add,
            disabled=bool(opened.book.read_only),
            help=literal(opened.book.read_only) or None,
        )
        with st.popover("More", key="ledger-more"):
            if not opened.book.read_only and not opened.book.tables:
                press.button(
                    "Opening balances",
                    key="ledger-openings",
                    type="tertiary",
                    on_click=ledger_dialogs.ask_openings,
                    help="What each mode held when this book begins",
                )
            books.show_actions(opened, "more")


def choose_view(book: Book) -> str:
    """What of the book is looked at."""
    found = len(book.issues) + len(book.differences)
    return st.segmented_control(
        "View",
        (ENTRIES, BUDGET, HISTORY, ISSUES),
        default=ENTRIES,
        required=True,
        format_func=lambda name: f"Issues · {found}" if name == ISSUES and found else name,
        label_visibility="collapsed",
        wrap=True,
        key="ledger-view",
    )


def show_entries(store: BookStore, opened: Opened, rows: tuple[Listed, ...], wanted: Filter, today: date) -> None:
    """The tiles, the changes that wait, and the table they are made in."""
    book, current = opened.book, waiting.of(store, opened)
    found = matching(rows, wanted)
    if wanted.places:
        show_named(len(found))
    ledger_figures.show_tiles(
        found, rows, book, wanted=wanted, status=budget_of(book.sha256, wanted.month, book), today=today
    )
    own = not book.read_only and not book.tables
    if own and not book.entries and any(amount is None for amount in book.openings.values()):
        show_beginning(current)
    if not found:
        pending_card.show(store, current, today)
        entries_table.show_nothing_found(wanted.month, narrowed=bool(wanted.narrows or wanted.places))
        return
    table = entries_table.draw(found, store, current, wanted)
    pending_card.show(store, current, today)
    entries_table.show(table, store, current)


def show_beginning(current: waiting.Waiting) -> None:
    """What a blank book needs first: the balances it begins with."""
    if current.pending.openings:
        return
    with st.container(border=True, key="ledger-beginning"), line(wrap=True):
        with st.container(gap=None, width="content"):
            st.markdown("**What does each mode hold today?**")
            st.caption("The balances this book begins with. Until they are typed, they count as nothing.")
        press.button("Type opening balances", key="ledger-begin", on_click=ledger_dialogs.ask_openings)


def show_named(count: int) -> None:
    """That only entries named by the address are shown, and the way back to all."""
    with line(wrap=True):
        st.markdown(f":blue-badge[Only the {entries_words(count)} behind a figure]", width="content")
        st.button("Show all", type="tertiary", key="ledger-show-all", on_click=st.query_params.clear)


@st.cache_resource(show_spinner=False, max_entries=4)
def all_rows(sha256: str, _book: Book) -> tuple[Listed, ...]:  # noqa: ARG001  the cache's key
    """The book's entries with their balances, worked out once for each state of it."""
    return listed(_book)


@st.cache_resource(show_spinner=False, max_entries=24)
def budget_of(sha256: str, month: date | None, _book: Book) -> BudgetStatus | None:  # noqa: ARG001  likewise
    """How the month's budget stands, worked out once for each state of the book."""
    return status(_book, Span(*month_span(month), "")) if month else None


page()
