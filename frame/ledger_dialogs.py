"""Two questions of the Ledger: a new entry, and what part of a row becomes a row of its own.

Neither writes: what is answered joins the changes that wait.
"""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from frame import waiting
from frame.card import DIRECTIONS, NO_CATEGORY
from frame.escape import literal
from frame.look import mode_name, sentence, signed
from frame.waiting import Waiting
from ledger import pending as changing
from ledger.entries import MODES, Book, Direction, Draft, Entry
from ledger.pending import Problem
from ledger.store import BookStore
from money import day_text, parse_amount, rupees

ADDING = "ledger-adding"
SPLITTING = "ledger-splitting"


def ask_add() -> None:
    """Open the question for a new entry."""
    st.session_state[ADDING] = True


def ask_split(rows: Sequence[Entry]) -> None:
    """Open the question for the part of that row."""
    st.session_state[SPLITTING] = rows[0] if rows else None


def show(store: BookStore, current: Waiting, today: date) -> None:
    """The question that is open, if one is."""
    if st.session_state.get(ADDING):
        _add(store, current, today)
    elif st.session_state.get(SPLITTING) is not None:
        _split(store, current, st.session_state[SPLITTING])


def _close() -> None:
    st.session_state.pop(ADDING, None)
    st.session_state.pop(SPLITTING, None)


@st.dialog("Add an entry", on_dismiss=_close)
def _add(store: BookStore, current: Waiting, today: date) -> None:
    """Every fact of a new entry."""
    description = st.text_input("Description", max_chars=200, key="add-description", placeholder="Groceries")
    left, right = st.columns(2)
    text = left.text_input("Amount ₹", max_chars=24, key="add-amount", placeholder="500")
    day = right.date_input("Date", today, format="DD/MM/YYYY", key="add-date")
    category = _category(current.book, "add-category")
    mode = st.segmented_control("Mode", MODES, default=MODES[0], required=True, format_func=mode_name, key="add-mode")
    direction = st.segmented_control(
        "Money goes",
        list(DIRECTIONS),
        default="DEBIT",
        required=True,
        format_func=lambda code: DIRECTIONS[code],
        key="add-direction",
    )
    st.caption("It waits with your other changes. Nothing is saved yet.")
    if st.button("Add to changes", type="primary", key="add-done"):
        amount = parse_amount(text or "")
        if not (description or "").strip():
            st.error("Description is empty. Say what it was.")
        elif amount is None or amount <= 0:
            st.error(f"Amount reads “{literal(text or '')}”, which is not an amount above zero.")
        elif not isinstance(day, date):
            st.error("Date is empty. Choose a day.")
        else:
            way: Direction = "CREDIT" if direction == "CREDIT" else "DEBIT"
            draft = Draft(day, description.strip(), mode, way, amount, category)
            _close()
            waiting.change(store, lambda pending: changing.added(pending, draft))
            st.rerun()


@st.dialog("Split this row", on_dismiss=_close)
def _split(store: BookStore, current: Waiting, entry: Entry) -> None:
    """The part that becomes a row of its own."""
    now = changing.draft_of(entry, current.pending.cells_of(entry))
    if isinstance(now, Problem):
        st.error(literal(now.sentence))
        return
    st.markdown(
        f"**{literal(sentence(now.description))}** · {day_text(now.date, now.date)} · {mode_name(now.mode)} · "
        f"**{literal(signed(now.amount, now.direction))}**"
    )
    left, right = st.columns(2)
    text = left.text_input("This much of it ₹", max_chars=24, key="split-amount")
    description = right.text_input("is for", sentence(now.description), max_chars=200, key="split-description")
    category = _category(current.book, "split-category", now.category)
    amount = parse_amount(text or "")
    if amount is not None and 0 < amount < now.amount:
        st.caption(f"{literal(rupees(now.amount - amount))} stays with {literal(sentence(now.description))}.")
    if st.button("Split", type="primary", key="split-done"):
        if amount is None or not 0 < amount < now.amount:
            st.error(f"Give an amount above zero and below {literal(rupees(now.amount))}.")
        elif not (description or "").strip():
            st.error("Say what the part is for.")
        else:
            part = Draft(now.date, description.strip(), now.mode, now.direction, amount, category)
            _close()
            waiting.change(store, lambda pending: changing.split(pending, entry, part))
            st.rerun()


def _category(book: Book, key: str, chosen: str | None = None) -> str | None:
    names = [*dict.fromkeys((*(category.name for category in book.budget), *([chosen] if chosen else []))), NO_CATEGORY]
    picked = st.selectbox("Category", names, index=names.index(chosen or NO_CATEGORY), format_func=literal, key=key)
    return None if picked == NO_CATEGORY else picked
