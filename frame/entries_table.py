"""The Ledger's entries: which are looked at, the table they are edited in, and what is done with many of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pandas as pd
import streamlit as st

from frame import ledger_dialogs, waiting
from frame.escape import literal
from frame.look import HEADER_HEIGHT, entries_words, mode_name
from frame.waiting import CHOSEN, Drawn, Waiting
from ledger import pending as changing
from ledger.browse import Filter, Listed, page_of
from ledger.entries import MODES, Book, Entry
from ledger.pending import Pending
from ledger.store import BookStore
from money import grouped, parse_amount

ROWS_IN_VIEW = 14
ROW_PIXELS = 34
NO_CATEGORY = "No category"
WHOLE_BOOK = "Whole book"
CHOOSING = "ledger-choosing"
CHOOSE_ALL = "ledger-choose-all"
FILTERS = ("ledger-modes", "ledger-categories", "ledger-text", "ledger-least", "ledger-most")

WIDTHS = {"Date": 76, "Description": 164, "Out ₹": 108, "In ₹": 108, "Balance ₹": 118, "Mode": 96, "Category": 126}
"""together wider than a phone, which then shows the first three whole; a wide page stretches them"""


def choose_month(months: Sequence[date], today: date) -> date | None:
    """The month that is looked at; None for the whole book."""
    named = {f"{month:%B %Y}": month for month in months}
    chosen = st.selectbox(
        "Month",
        [*named, WHOLE_BOOK],
        index=_first_shown(months, today),
        label_visibility="collapsed",
        key="ledger-month",
        width=170,
    )
    return named.get(chosen)


def choose_filter(book: Book) -> Filter:
    """What narrows the entries, behind one button that says how much does."""
    with st.popover(_filter_label(), icon=":material/filter_list:", key="ledger-filter"):
        modes = st.pills("Mode", MODES, selection_mode="multi", format_func=mode_name, key="ledger-modes")
        categories = st.multiselect(
            "Category",
            [*(category.name for category in book.budget), NO_CATEGORY],
            format_func=literal,
            key="ledger-categories",
        )
        text = st.text_input("Description has", max_chars=100, key="ledger-text")
        left, right = st.columns(2)
        least = left.text_input("At least ₹", max_chars=20, key="ledger-least")
        most = right.text_input("At most ₹", max_chars=20, key="ledger-most")
        for bound in (least, most):
            if (bound or "").strip() and parse_amount(bound) is None:
                st.error(f"“{literal(bound)}” is not an amount.")
        st.button("Clear", type="tertiary", key="ledger-filter-clear", on_click=clear_filter)
    return Filter(
        modes=tuple(modes),
        categories=tuple(None if name == NO_CATEGORY else name for name in categories),
        text=text or "",
        least=parse_amount(least or ""),
        most=parse_amount(most or ""),
    )


def clear_filter() -> None:
    """Look at all entries of the month again."""
    for name in FILTERS:
        st.session_state[name] = [] if name in ("ledger-modes", "ledger-categories") else ""


def show_nothing_found(month: date | None, *, narrowed: bool) -> None:
    """No entry to show: because of the filter, or because there is none."""
    where = f"in {month:%B %Y}" if month else "in this book"
    with st.container(border=True, key="ledger-nothing"):
        if narrowed:
            with st.container(gap=None):
                st.markdown(f"**No entry {where} matches the filter.**")
                st.caption("The book has others; clear the filter to see them.")
            st.button("Clear the filter", key="ledger-nothing-clear", on_click=clear_filter)
        else:
            with st.container(gap=None):
                st.markdown(f"**No entries {where} yet.**")
                st.caption("Add one above, or say it in Chat: “spent 500 on groceries via phonepe”.")


def draw(rows: Sequence[Listed], store: BookStore, current: Waiting, wanted: Filter) -> Drawn:
    """What the table stands on, before it is shown: a page of the rows, without those to be deleted."""
    gone = {changing.place(entry) for entry in current.pending.deletes}
    left = [row for row in rows if changing.place(row.entry) not in gone] if gone else rows
    page_key = f"ledger-page-{hash(wanted):x}"
    page = page_of(left, int(st.session_state.get(page_key, 1)))
    if st.session_state.get(page_key, 1) > page.pages:
        st.session_state[page_key] = page.number
    scope = f"{current.book.sha256[:12]}-{hash(wanted):x}"
    choosing = bool(st.session_state.get(CHOOSING))
    key = f"entries-{scope}-{page.number}-{'choosing' if choosing else 'plain'}-{waiting.version()}"
    everything = bool(st.session_state.pop(CHOOSE_ALL, False))
    return waiting.drawn(Drawn(key, store.path, current.pending, page, page_key, len(left), everything))


def show(table: Drawn, store: BookStore, current: Waiting) -> None:
    """The table, the line above it, and the pages."""
    book, rows = current.book, table.page.rows
    choosing = bool(st.session_state.get(CHOOSING)) and not book.read_only
    if not book.read_only:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.toggle("Choose rows", key=CHOOSING, help="To change, split or delete them together")
            if choosing:
                _show_actions(table, store, current)
    many_years = len({row.entry.date.year for row in rows}) > 1
    column = st.column_config
    categories = dict.fromkeys(
        (*(category.name for category in book.budget), *(row.entry.category for row in rows if row.entry.category))
    )
    frame = _frame(table)
    st.data_editor(
        frame,
        key=table.key,
        hide_index=True,
        row_height=ROW_PIXELS,
        height=HEADER_HEIGHT + ROW_PIXELS * min(len(rows), ROWS_IN_VIEW) + 2,
        column_order=[name for name in frame.columns if choosing or name != CHOSEN],
        disabled=True if book.read_only else ["Balance ₹"],
        column_config={
            CHOSEN: column.CheckboxColumn("", pinned=True, width=44),
            "Date": column.DateColumn(
                format="D MMM YYYY" if many_years else "D MMM", pinned=True, required=True, width=WIDTHS["Date"]
            ),
            "Description": column.TextColumn(max_chars=200, width=WIDTHS["Description"]),
            **{
                name: column.TextColumn(alignment="right", max_chars=24, width=WIDTHS[name])
                for name in ("Out ₹", "In ₹", "Balance ₹")
            },
            "Mode": column.SelectboxColumn(
                options=[mode_name(mode) for mode in MODES], required=True, width=WIDTHS["Mode"]
            ),
            "Category": column.SelectboxColumn(options=list(categories), width=WIDTHS["Category"]),
        },
        placeholder="",
        alt=f"{entries_words(len(rows))}, {'read only' if book.read_only else 'editable'}",
    )
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        how = "read only" if book.read_only else "click a cell to change it · changes wait above until you save"
        st.caption(f"{entries_words(table.total)} · {how}")
        if table.page.pages > 1:
            st.pagination(table.page.pages, key=table.page_key)


def _show_actions(table: Drawn, store: BookStore, current: Waiting) -> None:
    """What can be done with the rows that are ticked."""
    picked, book = waiting.chosen(table), current.book
    st.markdown(f":small[{f'{len(picked)} chosen' if picked else ':gray[Tick the rows to change]'}]", width="content")
    st.button("All on this page", type="tertiary", key="ledger-choose-all-rows", on_click=_choose_all)
    name = st.menu_button(
        "Set category",
        [*(category.name for category in book.budget), NO_CATEGORY],
        format_func=literal,
        disabled=not picked,
        key="ledger-set-category",
    )
    mode = st.menu_button("Set mode", MODES, format_func=mode_name, disabled=not picked, key="ledger-set-mode")
    st.button(
        "Split",
        disabled=len(picked) != 1,
        key="ledger-split",
        on_click=ledger_dialogs.ask_split,
        args=(picked[:1],),
        help="Make a part of one row a row of its own",
    )
    st.button("Delete", disabled=not picked, key="ledger-delete", on_click=_delete, args=(store, picked))
    if name is not None:
        _set(store, picked, {"category": "" if name == NO_CATEGORY else name})
    if mode is not None:
        _set(store, picked, {"mode": mode})


def _set(store: BookStore, picked: Sequence[Entry], cells: dict[changing.Field, str]) -> None:
    def update(pending: Pending) -> Pending:
        for entry in picked:
            pending = changing.typed(pending, entry, cells)
        return pending

    waiting.change(store, update)
    st.rerun()


def _delete(store: BookStore, picked: Sequence[Entry]) -> None:
    waiting.change(store, lambda pending: changing.deleted(pending, picked))


def _choose_all() -> None:
    st.session_state[CHOOSE_ALL] = True
    waiting.redraw()


def _frame(table: Drawn) -> pd.DataFrame:
    """The rows as text, with the changes the table stands on."""
    cells = [_cells(entry, table.pending) for entry in table.rows]
    return pd.DataFrame(
        {
            CHOSEN: [table.all_chosen] * len(cells),
            "Date": [_day(row["date"], entry) for row, entry in zip(cells, table.rows, strict=True)],
            "Description": [row["description"] for row in cells],
            "Out ₹": [row["out"] for row in cells],
            "In ₹": [row["in"] for row in cells],
            "Balance ₹": [grouped(row.balance) for row in table.page.rows],
            "Mode": [mode_name(row["mode"]) for row in cells],
            "Category": [row["category"] or None for row in cells],
        }
    )


def _cells(entry: Entry, pending: Pending) -> dict[changing.Field, str]:
    return {**changing.texts(entry), **pending.cells_of(entry)}


def _day(text: str, entry: Entry) -> date | None:
    return entry.date if text == entry.date.isoformat() else date.fromisoformat(text) if text else None


def _first_shown(months: Sequence[date], today: date) -> int:
    """This month where the book has it, otherwise its last one."""
    return next((at for at, month in enumerate(months) if month <= today), 0)


def _filter_label() -> str:
    state = st.session_state
    count = sum(bool(state.get(name)) for name in FILTERS)
    return f"Filter · {count}" if count else "Filter"


def narrowed(wanted: Filter, month: date | None) -> Filter:
    """The filter with its month."""
    return replace(wanted, month=month)
