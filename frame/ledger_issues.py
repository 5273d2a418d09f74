"""The Ledger's issues: cells not read, with what to do about each, and balances that differ from the rows.

An ignored cell is set aside and can be shown again. Writing into a book that differs waits for a person's own word.
"""

from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from frame import ledger_dialogs, press, waiting
from frame.escape import literal
from frame.look import cell_text, line
from ledger import pending as changing
from ledger.entries import MODE_NAMES, Book, BookRefused, Difference, Issue
from ledger.ground import split_cell
from ledger.mending import can_mend
from ledger.store import BookStore
from money import rupees

ISSUES_SHOWN = 50
PROBLEM = "ledger-issue-problem"
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def show(store: BookStore, book: Book) -> None:
    """Everything of the book that is not as it should be, the worst first."""
    if problem := st.session_state.pop(PROBLEM, ""):
        st.error(literal(problem))
    show_differences(store, book)
    _show_unread(store, book)
    _show_ignored(store, book)
    for remark in book.remarks:
        st.caption(literal(remark))
    if not book.issues and not book.differences and not book.ignored:
        with st.container(border=True, key="ledger-issues"), st.container(gap=None):
            st.markdown("**Every cell was read.**")
            st.caption("Nothing is left out of a total, and every balance of the book agrees with its rows.")


def show_differences(store: BookStore, book: Book, key: str = "issues") -> None:
    """Where the book differs from its rows, both figures, and the way to write all the same; nothing when it agrees."""
    if not book.differences:
        return
    if book.differences_accepted:
        st.info(
            "**These balances differ from the rows.** You said to write all the same: only what you change is written, "
            "and the difference stays until you mend it."
        )
    else:
        st.warning(
            "**These balances differ from the rows.** Nothing is saved until they agree, or you say otherwise.",
            icon=":material/error:",
        )
    first = {each.mode: each for each in reversed(book.differences)}
    with st.container(border=True, key=f"ledger-differences-{key}", gap="xsmall"):
        for each in book.differences[:ISSUES_SHOWN]:
            _show_difference(each, begins=first[each.mode] is each)
        if len(book.differences) > ISSUES_SHOWN:
            st.caption(f"{len(book.differences) - ISSUES_SHOWN} more.")
        if not book.differences_accepted and not book.read_only:
            st.caption(
                "Writing anyway adds only your own changes: running formulas are worked out as ever, plain numbers "
                "continue from the row above, and no other figure is put right. It holds until the differences change."
            )
            press.button("Write anyway", key=f"ledger-anyway-{key}", on_click=waiting.write_anyway, args=(store, book))


def _show_difference(each: Difference, *, begins: bool) -> None:
    shows = rupees(each.shows) if isinstance(each.shows, Decimal) else each.shows
    with line(wrap=True):
        with st.container(gap=None, width="content"):
            st.markdown(f"{cell_text(each.cell)} {MODE_NAMES[each.mode]} shows **{literal(shows)}**")
            if begins:
                st.caption("Here the difference begins. Look at this row and the one above it.")
        st.markdown(f":gray[its rows give] **{literal(rupees(each.rows_give))}**", width="content")


def _show_unread(store: BookStore, book: Book) -> None:
    if not book.issues:
        return
    count = len(book.issues)
    they = "One cell could not be read." if count == 1 else f"{_number(count)} cells could not be read."
    left = "It is left out of every total until you mend it"
    if count > 1:
        left = "They are left out of every total until you mend them"
    st.warning(f"**{they}** {left} here or in Excel.", icon=":material/error:")
    with st.container(border=True, key="ledger-issues", gap="small"):
        for number, issue in enumerate(book.issues[:ISSUES_SHOWN]):
            _show_issue(store, book, issue, number)
    if count > ISSUES_SHOWN:
        st.caption(f"{count - ISSUES_SHOWN} more. Mend these first; the others come up then.")


def _show_issue(store: BookStore, book: Book, issue: Issue, number: int) -> None:
    with line(wrap=True):
        with st.container(gap=None):
            st.markdown(f"{cell_text(issue.cell)} reads {literal(issue.reads) if issue.reads else 'nothing'}")
            stops = " Totals over it stop until then." if issue.stops_totals else ""
            st.caption(f"{literal(issue.reason)}{stops}")
        with st.container(horizontal=True, width="content"):
            _show_fix(store, book, issue, number)
            press.button(
                "Ignore",
                key=f"ledger-ignore-{number}",
                type="tertiary",
                help="Leave this cell out without stopping totals. It comes back when it reads something else.",
                on_click=_say,
                args=(store.ignore, issue),
            )


def _show_fix(store: BookStore, book: Book, issue: Issue, number: int) -> None:
    """The way to type the right value: in a question of its own, or for a category from the list."""
    key = f"ledger-fix-{number}"
    if can_mend(issue, book):
        press.button("Fix cell", key=key, on_click=ledger_dialogs.ask_fix, args=(issue,))
        return
    sheet, column, row = split_cell(issue.cell)
    entry = next((each for each in book.entries if (each.sheet, each.row) == (sheet, row)), None)
    if column == "J" and entry is not None and not book.read_only and not book.tables:
        with st.popover("Fix cell", key=f"{key}-category"):
            name = st.selectbox(
                "Category",
                [category.name for category in book.budget],
                index=None,
                format_func=literal,
                key=f"{key}-name",
                placeholder="Choose one",
            )
            if name and waiting.cells_of(store, entry).get("category") != name:
                waiting.change(store, lambda pending: changing.typed(pending, entry, {"category": name}))
                st.rerun()


def _show_ignored(store: BookStore, book: Book) -> None:
    if not book.ignored:
        return
    with st.container(border=True, key="ledger-ignored", gap="small"):
        with st.container(gap=None):
            st.markdown(f"**Ignored · {len(book.ignored)}**")
            st.caption("Left out of every total. An ignored cell comes back when it reads something else.")
        for number, issue in enumerate(book.ignored[:ISSUES_SHOWN]):
            with line(wrap=True):
                with st.container(gap=None):
                    st.markdown(f"{cell_text(issue.cell)} reads {literal(issue.reads) if issue.reads else 'nothing'}")
                    st.caption(literal(issue.reason))
                press.button(
                    "Show again",
                    key=f"ledger-show-again-{number}",
                    type="tertiary",
                    on_click=_say,
                    args=(store.show_again, issue),
                )


def _say(say: Callable[[Issue], None], issue: Issue) -> None:
    try:
        say(issue)
    except BookRefused as refused:
        st.session_state[PROBLEM] = str(refused)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
