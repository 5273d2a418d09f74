"""The questions of the Ledger: a new entry, a part of a row, an unread cell's right value, the opening balances.

Neither writes: what is answered joins the changes that wait.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import streamlit as st

from frame import waiting
from frame.card import DIRECTIONS, NO_CATEGORY
from frame.escape import literal
from frame.look import cell_text, mode_name, sentence, signed
from frame.waiting import Waiting
from ledger import pending as changing
from ledger.cell_values import shown
from ledger.changes import Mend, Value
from ledger.entries import CASH_TRACKER, GROUPS, MODES, MONTHS, Book, Direction, Draft, Entry, Issue, Mode
from ledger.ground import split_cell
from ledger.layout import CASH_MODES
from ledger.pending import Problem
from ledger.store import BookStore
from money import day_text, grouped, month_span, parse_amount, rupees

PAISA = Decimal("0.01")

ADDING = "ledger-adding"
SPLITTING = "ledger-splitting"
FIXING = "ledger-fixing"
OPENING = "ledger-opening"


def ask_add() -> None:
    """Open the question for a new entry."""
    st.session_state[ADDING] = True


def ask_fix(issue: Issue) -> None:
    """Open the question for the right value of an unread cell."""
    st.session_state[FIXING] = issue


def ask_openings() -> None:
    """Open the question for the opening balances."""
    st.session_state[OPENING] = True


def ask_split(rows: Sequence[Entry]) -> None:
    """Open the question for the part of that row."""
    st.session_state[SPLITTING] = rows[0] if rows else None


def show(store: BookStore, current: Waiting, today: date) -> None:
    """The question that is open, if one is."""
    if st.session_state.get(ADDING):
        _add(store, current, today)
    elif st.session_state.get(SPLITTING) is not None:
        _split(store, current, st.session_state[SPLITTING])
    elif st.session_state.get(FIXING) is not None:
        _fix(store, current, st.session_state[FIXING])
    elif st.session_state.get(OPENING):
        _openings(store, current)


def _close() -> None:
    for question in (ADDING, SPLITTING, FIXING, OPENING):
        st.session_state.pop(question, None)


@st.dialog("Fix this cell", on_dismiss=_close)
def _fix(store: BookStore, current: Waiting, issue: Issue) -> None:
    """What an unread cell should say."""
    st.markdown(f"{cell_text(issue.cell)} reads {literal(issue.reads) if issue.reads else 'nothing'}")
    st.caption(literal(issue.reason))
    sheet, column, row = split_cell(issue.cell)
    value = _right_value(current.book, sheet, column, store, row)
    st.caption("It waits with your other changes. Nothing is saved yet.")
    if st.button("Add to changes", type="primary", key="fix-done"):
        if isinstance(value, str):
            st.error(literal(value))
        else:
            _close()
            waiting.change(store, lambda pending: changing.fixed(pending, Mend(issue, value)))
            st.rerun()


def _right_value(
    book: Book, sheet: str, column: str, store: BookStore, row: int
) -> tuple[tuple[str, Value], ...] | str:
    """The cells typed right, or the sentence that says what is missing."""
    if sheet == "BUDGET":
        return _right_budget(column)
    if column in "HI":
        amount = parse_amount(st.text_input("Opening balance ₹", max_chars=24, key="fix-amount") or "")
        return ((column, amount),) if amount is not None else "Type the balance as a number."
    _show_row(store, sheet, row)
    if column == "C":
        month = MONTHS.index(sheet) + 1 if sheet in MONTHS else None
        first, last = (
            month_span(date(book.year, month, 1)) if month else (date(book.year, 1, 1), date(book.year, 12, 31))
        )
        day = st.date_input("Date", None, min_value=first, max_value=last, format="DD/MM/YYYY", key="fix-date")
        return (("C", day),) if isinstance(day, date) else "Choose a day."
    if column == "E":
        modes = [mode for mode in MODES if (mode in CASH_MODES) == (sheet == CASH_TRACKER)]
        mode = st.segmented_control("Mode", modes, format_func=mode_name, key="fix-mode")
        return (("E", mode),) if mode else "Choose a mode."
    amount = parse_amount(st.text_input("Amount ₹", max_chars=24, key="fix-amount", placeholder="500") or "")
    direction = st.segmented_control(
        "Money goes",
        list(DIRECTIONS),
        default="CREDIT" if column == "G" else "DEBIT",
        required=True,
        format_func=lambda code: DIRECTIONS[code],
        key="fix-direction",
    )
    if amount is None or amount <= 0 or amount != amount.quantize(PAISA):
        return "Type an amount above zero."
    return (("F", None), ("G", amount)) if direction == "CREDIT" else (("F", amount), ("G", None))


def _right_budget(column: str) -> tuple[tuple[str, Value], ...] | str:
    if column == "E":
        amount = parse_amount(st.text_input("Monthly budget ₹", max_chars=24, key="fix-amount") or "")
        return ((column, amount),) if amount is not None and amount >= 0 else "Type the budget as a number."
    if column == "C":
        name = (st.text_input("Category", max_chars=100, key="fix-text") or "").strip()
        return ((column, name),) if name else "Give the category a name of its own."
    label, choices = ("Group", GROUPS) if column == "D" else ("Essential", ("Yes", "No"))
    chosen = st.selectbox(label, choices, index=None, key="fix-choice")
    return ((column, chosen),) if chosen else f"Choose one for {label.lower()}."


def _show_row(store: BookStore, name: str, row: int) -> None:
    """The row an unread cell stands in, as its cells read."""
    sheet = store.read().workbook.sheet(name)
    cells = sheet.cells(row)
    words = [shown(sheet.value(cells.get(column))) for column in "DEFGJ"]
    st.markdown(f":gray[Row {row}:] {literal(' · '.join(word for word in words if word)) or 'nothing else'}")


@st.dialog("Opening balances", on_dismiss=_close)
def _openings(store: BookStore, current: Waiting) -> None:
    """What each mode held when the book begins."""
    book, typed = current.book, dict(current.pending.openings)
    st.caption("What each held before the first entry of this book. Every later balance follows.")
    found: dict[Mode, Decimal] = {}
    wrong = []
    for mode in MODES:
        known = typed.get(mode, book.openings.get(mode))
        label = f"{mode_name(mode)} ₹"
        text = st.text_input(
            label,
            "" if known is None else grouped(known),
            max_chars=24,
            key=f"opening-{mode}",
            placeholder="not set",
            help=f"It stands in {book.opening_cells[mode]}",
        )
        amount = parse_amount(text or "")
        if (text or "").strip() and (amount is None or amount != amount.quantize(PAISA)):
            wrong.append(f"{mode_name(mode)} reads “{text}”, which is not an amount.")
        elif amount is not None:
            found[mode] = amount
    if st.button("Add to changes", type="primary", key="opening-done"):
        for sentence_said in wrong:
            st.error(literal(sentence_said))
        if not wrong:
            _close()
            waiting.change(store, lambda pending: changing.opened(pending, book, found))
            st.rerun()


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
