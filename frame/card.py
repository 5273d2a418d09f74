"""The review card: what would be written and what it leaves, with Save, Edit and Cancel; then the receipt with Undo.

Nothing here writes. Every decision goes to `decide`, which names the card's own id: a click on a card that has changed
in between does nothing but show the new one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, cast

import pandas as pd
import streamlit as st

from agent import CardItem, Change, ItemChange, Turn
from frame import press
from frame.desk import NoBook
from frame.escape import literal
from frame.look import (
    ARROW,
    HEADER_HEIGHT,
    ROW_HEIGHT,
    cell_text,
    entries_words,
    line,
    mode_name,
    row,
    sentence,
    shortened,
    signed,
    table,
)
from ledger.edits import Add
from ledger.entries import MODE_NAMES, MODES, BookRefused, Direction, Draft, Mode
from ledger.store import BookStore, Opened
from money import day_text, grouped, parse_amount, rupees

Action = Literal["save", "cancel", "edit"]
Decide = Callable[[Action, tuple[ItemChange, ...]], None]

ROWS_AT_MOST = 5
"""More items than this are a table that is edited in place."""

LISTED_AT_MOST = 30
"""More items than this are not drawn a row each."""

AMOUNT_PATTERN = r"^[0-9,]+(\.[0-9]{1,2})?$"
NO_CATEGORY = "None"
_VERBS: Mapping[str, str] = {"add": "Save", "edit": "Change", "delete": "Delete"}
_DONE: Mapping[str, str] = {"add": "Saved", "edit": "Changed", "delete": "Deleted"}
_BUTTONS: Mapping[str, str] = {"add": "Save to book", "edit": "Save change", "delete": "Delete from book"}
_UNDOES: Mapping[str, str] = {
    "add": "Takes these rows out of the book again",
    "edit": "Puts these rows back as they were",
    "delete": "Puts these rows back into the book",
}
DIRECTIONS: Mapping[str, str] = {"DEBIT": "Out", "CREDIT": "In"}
EDITING = "card-being-edited"
DRAFTS = "card-drafts"


@dataclass(frozen=True)
class Form:
    """The facts of one item as the user left them; the amount is still the text that was typed."""

    amount: str
    day: date | None
    description: str
    category: str
    mode: str
    direction: str


def form_of(item: CardItem) -> Form:
    """The form that changes nothing of `item`."""
    return Form(
        grouped(item.amount),
        item.date,
        sentence(item.description),
        item.category or NO_CATEGORY,
        item.mode,
        item.direction,
    )


def changes_of(item: CardItem, form: Form) -> tuple[ItemChange, ...] | str:
    """What the form changes of the item, or the sentence that says why it cannot be."""
    amount = parse_amount(form.amount)
    if amount is None or amount <= 0:
        return f"“{form.amount}” is not an amount above zero."
    if form.day is None:
        return "Choose a date."
    description = form.description.strip()
    if not description:
        return "The description is empty."
    before = form_of(item)
    category = "" if form.category == NO_CATEGORY else form.category
    changes = (
        (amount != item.amount, ItemChange(item.item, "amount", str(amount))),
        (form.day != item.date, ItemChange(item.item, "date", form.day.isoformat())),
        (description != before.description, ItemChange(item.item, "description", description)),
        (form.category != before.category, ItemChange(item.item, "category", category)),
        (form.mode != item.mode, ItemChange(item.item, "mode", form.mode)),
        (form.direction != item.direction, ItemChange(item.item, "direction", form.direction)),
    )
    return tuple(change for differs, change in changes if differs)


def table_changes(batch: Sequence[CardItem], edited: Mapping[Any, Mapping[Any, Any]]) -> tuple[ItemChange, ...] | str:
    """What a table left as `edited`, by item number, changes of the card; or why it cannot be."""
    modes = {mode_name(mode): mode for mode in MODES}
    directions = {words: code for code, words in DIRECTIONS.items()}
    changes: list[ItemChange] = []
    for item in batch:
        cells = edited.get(item.item)
        if cells is None:
            changes.append(ItemChange(item.item, "remove", ""))
            continue
        form = Form(
            str(cells["Amount ₹"]),
            cells["Date"],
            str(cells["Description"]),
            str(cells["Category"]),
            modes.get(cells["Mode"], item.mode),
            directions.get(cells["Goes"], item.direction),
        )
        result = changes_of(item, form)
        if isinstance(result, str):
            return f"Item {item.item}: {result}"
        changes.extend(result)
    return tuple(changes)


@dataclass(frozen=True)
class Standing:
    """An open card on the book as it is at this moment."""

    turn: Turn
    savable: bool


def as_it_stands(turn: Turn, opened: Opened | NoBook, store: BookStore | None) -> Standing:
    """The card with the reason it cannot be saved now: its book is gone, or its entries do not fit the book.

    A reason that was true when the card was made and is no more, such as a book that has come back, is left out.
    """
    if isinstance(opened, NoBook) or store is None:
        reason = (opened.reason if isinstance(opened, NoBook) else "") or "No budget book is open."
        return Standing(replace(turn, problem=reason, changes=(), notes=()), savable=False)
    if not turn.problem or turn.changes:
        return Standing(turn, is_savable(turn))
    if any(item.action != "add" for item in turn.batch):
        return Standing(turn, savable=True)
    drafts = [
        Draft(
            item.date,
            item.description,
            cast("Mode", item.mode),
            cast("Direction", item.direction),
            item.amount,
            item.category,
            item.tags,
        )
        for item in turn.batch
    ]
    try:
        plan = store.preview([Add(draft) for draft in drafts])
    except BookRefused as refused:
        return Standing(replace(turn, problem=str(refused)), savable=False)
    touched = dict.fromkeys(draft.mode for draft in drafts)
    changes = (
        *(Change(MODE_NAMES[mode], plan.balances_before[mode], plan.balances_after[mode]) for mode in touched),
        *(Change(f"Left for {name}", before, after) for name, before, after in plan.budget_left),
    )
    now = replace(turn, problem=None, changes=changes, notes=plan.notes)
    return Standing(now, is_savable(now))


def is_savable(turn: Turn) -> bool:
    """Whether Save may be pressed: nothing falls below zero, and what it would change could be worked out."""
    return not is_short(turn) and not (turn.problem and not turn.changes)


def show_card(standing: Standing, *, today: date, categories: Sequence[str], decide: Decide) -> None:
    """The open card with its buttons."""
    turn = standing.turn
    key = f"card-{turn.proposal}"
    with st.container(border=True, key=key):
        with line(wrap=True):
            st.markdown(f"**{_VERBS[_action(turn.batch)]} {entries_words(len(turn.batch))}?**", width="content")
            st.badge("Not saved yet", icon=":material/hourglass_empty:", color="orange")
        changes: tuple[ItemChange, ...] | str = ()
        if _is_table(turn.batch):
            changes = _edit_table(turn, categories, key)
        else:
            _item_rows(turn.batch, today, key=key)
        _after_saving(turn.changes)
        if turn.problem:
            st.error(literal(turn.problem))
        elif is_short(turn):
            st.warning("  \n".join(literal(note) for note in turn.notes) or "A balance would fall below zero.")
        else:
            _notes(turn)
        if isinstance(changes, str):
            st.error(literal(changes))
        _buttons(standing, changes, key, decide)
    if st.session_state.get(EDITING) == turn.proposal:
        _edit_dialog(turn, categories, decide)


def is_short(turn: Turn) -> bool:
    """Whether saving the card would take a mode below zero, which is refused."""
    return "overdraft" in turn.guardrails or any(
        change.after < 0 and change.label in MODE_NAMES.values() for change in turn.changes
    )


def _action(batch: Sequence[CardItem]) -> Literal["add", "edit", "delete"]:
    """What saving a card does; a card that does several things adds, as far as its words go."""
    actions = {item.action for item in batch}
    return actions.pop() if len(actions) == 1 else "add"


def _is_table(batch: Sequence[CardItem]) -> bool:
    """Whether the card is a table to edit: many new entries."""
    return len(batch) > ROWS_AT_MOST and all(item.was is None for item in batch)


def show_closed_card(turn: Turn, outcome: str, *, today: date, key: str) -> None:
    """A card that is no longer open, folded to one line."""
    with st.expander(f"{entries_words(len(turn.batch)).capitalize()} · :gray[{outcome}]", type="compact", key=key):
        _item_rows(turn.batch, today, key=key)


def show_receipt(
    turn: Turn, items: Sequence[CardItem], *, today: date, undone: bool, blocked: str, undo: Callable[[], None]
) -> None:
    """What was written and where. `blocked` says why Undo is not possible, empty when it is."""
    cells = {written.item: written.cell for written in turn.written}
    with st.container(border=True, key=f"receipt-{turn.request}"):
        with line(wrap=True):
            st.markdown(f"**{entries_words(len(turn.written)).capitalize()}**", width="content")
            if undone:
                st.badge("Undone", icon=":material/undo:", color="gray")
            else:
                st.badge(_DONE[_action(items)], icon=":material/check:", color="green")
        if items:
            _item_rows(items, today, cells, key=f"receipt-{turn.request}")
        else:
            st.markdown(" ".join(cell_text(cell) for cell in cells.values()))
        if not undone:
            _after_saving(turn.changes, "Balances")
        _notes(turn)
        if not undone:
            press.button(
                "Undo",
                key=f"undo-{turn.request}",
                type="tertiary",
                icon=":material/undo:",
                disabled=bool(blocked),
                help=literal(blocked) if blocked else _UNDOES[_action(items)],
                on_click=undo,
            )


def _item_row(item: CardItem, today: date, cell: str) -> None:
    caption = " · ".join(_fact(before, after) for before, after in _facts(item, today))
    name = literal(sentence(item.description) + "".join(f" [{tag}]" for tag in _unwritten_tags(item)))
    amount = literal(signed(item.amount, item.direction))
    amounts = [f"**{amount}**"]
    if item.action == "delete":
        name, amounts = f":gray[~~{name}~~]", [f":gray[~~{amount}~~]"]
    elif item.was:
        if (item.was.amount, item.was.direction) != (item.amount, item.direction):
            amounts.insert(0, f":small[{_struck(signed(item.was.amount, item.was.direction))} {ARROW}]")
        if item.was.description != item.description:
            name = f"{_struck(sentence(item.was.description))} {ARROW} {name}"
    with line():
        st.markdown(f":gray[{item.item}]", width="content")
        with st.container(gap=None):
            st.markdown(name)
            st.caption(f"{caption} {cell_text(cell)}" if cell else caption)
        with st.container(gap=None, width="content", horizontal_alignment="right"):
            for text in amounts:
                st.markdown(text, width="content")


def _facts(item: CardItem, today: date) -> tuple[tuple[str, str], ...]:
    """Day, category and mode of an item, each with what it was; of a new entry both are the same."""
    was = item.was or item
    pairs = ((was.date, item.date), (was.category, item.category), (was.mode, item.mode))
    (day, new_day), (category, new_category), (mode, new_mode) = pairs
    return (
        (day_text(day, today), day_text(new_day, today)),
        (category or "no category", new_category or "no category"),
        (mode_name(mode), mode_name(new_mode)),
    )


def _fact(before: str, after: str) -> str:
    """A fact; where it changes, the old one struck through before the new one."""
    return literal(after) if before == after else f"{_struck(before)} {ARROW} {literal(after)}"


def _struck(text: str) -> str:
    return f":gray[~~{literal(text)}~~]"


def _item_rows(items: Sequence[CardItem], today: date, cells: Mapping[int, str] | None = None, *, key: str) -> None:
    if len(items) > LISTED_AT_MOST:
        _item_table(items, today, cells or {}, f"{key}-rows")
        return
    with st.container(gap="xsmall"):
        for item in items:
            _item_row(item, today, (cells or {}).get(item.item, ""))


def _item_table(items: Sequence[CardItem], today: date, cells: Mapping[int, str], key: str) -> None:
    """Very many items as a table that scrolls, those of a statement for instance."""
    table(
        ("Date", "Description", "Amount ₹", "Mode", "Category", "Cell"),
        [
            (
                day_text(item.date, today),
                sentence(item.description),
                signed(item.amount, item.direction).replace("₹", ""),
                mode_name(item.mode),
                item.category or NO_CATEGORY,
                cells.get(item.item, "").rpartition("#")[2],
            )
            for item in items
        ],
        alt=f"The {len(items)} entries",
        key=key,
    )


def _notes(turn: Turn) -> None:
    if turn.notes:
        with st.container(gap="xxsmall"):
            for note in turn.notes:
                st.caption(literal(note))


def _unwritten_tags(item: CardItem) -> tuple[str, ...]:
    return tuple(tag for tag in item.tags if f"[{tag}]" not in item.description.upper())


def _after_saving(changes: Sequence[Change], title: str = "After saving") -> None:
    if not changes:
        return
    with st.container(gap="xxsmall"):
        st.caption(title)
        for change in changes:
            before, after = literal(rupees(change.before)), literal(rupees(change.after))
            row(f":small[{literal(change.label)}]", f":small[:gray[{before} {ARROW}] {after}]")


def _buttons(standing: Standing, changes: tuple[ItemChange, ...] | str, key: str, decide: Decide) -> None:
    turn = standing.turn
    with st.container(horizontal=True, vertical_alignment="center"):
        if changes:
            press.button(
                "Apply changes",
                key=f"{key}-apply",
                type="primary",
                disabled=isinstance(changes, str),
                on_click=decide,
                args=("edit", changes),
            )
        else:
            press.button(
                _BUTTONS[_action(turn.batch)],
                key=f"{key}-save",
                type="primary",
                disabled=not standing.savable,
                help=None if standing.savable else "It cannot be saved as it stands; the reason is above",
                on_click=decide,
                args=("save", ()),
            )
        if not _is_table(turn.batch) and all(item.action != "delete" for item in turn.batch):
            press.button("Edit", key=f"{key}-edit", on_click=_start_editing, args=(turn.proposal,))
        press.button("Cancel", key=f"{key}-cancel", type="tertiary", on_click=decide, args=("cancel", ()))


def _start_editing(proposal: str | None) -> None:
    st.session_state[EDITING] = proposal
    st.session_state[DRAFTS] = {}


def _stop_editing() -> None:
    st.session_state.pop(EDITING, None)
    st.session_state.pop(DRAFTS, None)


@st.dialog("Change before saving", on_dismiss=_stop_editing)
def _edit_dialog(turn: Turn, categories: Sequence[str], decide: Decide) -> None:
    """Every fact of every item; what is typed for one item is kept while looking at another."""
    drafts: dict[int, Form] = st.session_state.setdefault(DRAFTS, {})
    items = {item.item: item for item in turn.batch}
    chosen = turn.batch[0].item
    if len(items) > 1:
        chosen = st.segmented_control(
            "Item",
            list(items),
            default=chosen,
            required=True,
            format_func=lambda number: f"{number} {literal(shortened(sentence(items[number].description), 18))}",
            key=f"edit-{turn.proposal}-item",
        )
    drafts[chosen] = _fields(turn, items[chosen], drafts.get(chosen) or form_of(items[chosen]), categories)
    results = [changes_of(items[number], form) for number, form in drafts.items()]
    problem = next((result for result in results if isinstance(result, str)), None)
    if problem:
        st.error(literal(problem))
    changes = tuple(change for result in results if not isinstance(result, str) for change in result)
    with st.container(horizontal=True):
        # never disabled: a click that also ends the typing would come to a button that still is
        if st.button("Apply", key=f"edit-{turn.proposal}-apply", type="primary") and not problem:
            _stop_editing()
            if changes:
                decide("edit", changes)
            st.rerun()
        if len(items) > 1 and st.button("Remove item", key=f"edit-{turn.proposal}-remove", type="tertiary"):
            _stop_editing()
            decide("edit", (ItemChange(chosen, "remove", ""),))
            st.rerun()


def _fields(turn: Turn, item: CardItem, form: Form, categories: Sequence[str]) -> Form:
    key = f"edit-{turn.proposal}-{item.item}"
    description = st.text_input("Description", form.description, max_chars=200, key=f"{key}-description")
    left, right = st.columns(2)
    amount = left.text_input("Amount ₹", form.amount, max_chars=20, key=f"{key}-amount")
    day = right.date_input("Date", form.day, format="DD/MM/YYYY", key=f"{key}-date")
    choices = [*categories, NO_CATEGORY]
    if form.category not in choices:
        choices.insert(0, form.category)
    category = st.selectbox("Category", choices, index=choices.index(form.category), key=f"{key}-category")
    mode = st.segmented_control(
        "Mode", MODES, default=form.mode, required=True, format_func=mode_name, key=f"{key}-mode"
    )
    direction = st.segmented_control(
        "Money goes",
        list(DIRECTIONS),
        default=form.direction,
        required=True,
        format_func=lambda code: DIRECTIONS[code],
        key=f"{key}-direction",
    )
    return Form(amount, day, description, category, mode, direction)


def _edit_table(turn: Turn, categories: Sequence[str], key: str) -> tuple[ItemChange, ...] | str:
    """Many items as a table to edit; what was changed there, or why it cannot be."""
    frame = pd.DataFrame(
        {
            "Date": [item.date for item in turn.batch],
            "Description": [sentence(item.description) for item in turn.batch],
            "Amount ₹": [grouped(item.amount) for item in turn.batch],
            "Mode": [mode_name(item.mode) for item in turn.batch],
            "Category": [item.category or NO_CATEGORY for item in turn.batch],
            "Goes": [DIRECTIONS[item.direction] for item in turn.batch],
        },
        index=pd.Index([item.item for item in turn.batch], name="Item"),
    )
    known = dict.fromkeys((*categories, *(item.category or NO_CATEGORY for item in turn.batch), NO_CATEGORY))
    column = st.column_config
    edited = st.data_editor(
        frame,
        key=f"{key}-table",
        num_rows="delete",
        row_height=ROW_HEIGHT,
        height=HEADER_HEIGHT + ROW_HEIGHT * min(len(turn.batch), 10) + 2,
        column_config={
            "_index": column.NumberColumn("Item", disabled=True),
            "Date": column.DateColumn(format="DD MMM", required=True),
            "Description": column.TextColumn(max_chars=200, required=True),
            "Amount ₹": column.TextColumn(alignment="right", validate=AMOUNT_PATTERN, required=True),
            "Mode": column.SelectboxColumn(options=[mode_name(mode) for mode in MODES], required=True),
            "Category": column.SelectboxColumn(options=list(known), required=True),
            "Goes": column.SelectboxColumn(options=list(DIRECTIONS.values()), required=True),
        },
        alt=f"The {len(turn.batch)} entries to be saved, editable",
    )
    return table_changes(turn.batch, edited.to_dict("index"))
