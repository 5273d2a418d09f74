"""The card of a workbook in another layout: what its columns are taken for, rows as read, and a person's yes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import streamlit as st

from frame import desk
from frame.escape import literal
from frame.look import entries_words, line, table
from ledger.entries import MODE_NAMES, MODES, Book, BookRefused, Direction, Mode, Role
from ledger.foreign import OtherLayout, Recognised, TableMapping, read_foreign, title_of
from ledger.foreign.choosing import Alike, Choice, alike, chosen
from ledger.foreign.layouts import ROLE_NAMES, ROLES
from ledger.foreign.recognition import columns_of
from ledger.workbook import Workbook
from money import grouped

UNCONFIRMED = "unconfirmed-book"
KEY = "confirm"
AS_READ = "confirm-as-read"
"""the mapping last read by, and what it gave; a big statement is not read again at each answer"""
ROWS_SHOWN = 5
ISSUES_SHOWN = 20
ACROSS = 4
COLUMNS = ("Date", "Description", "Category", "Mode", "Out ₹", "In ₹")
SAMPLED: tuple[Role, ...] = ("date", "description", "category", "mode", "debit", "credit")
_DAY, _MONTH = "The day", "The month"
_NOT_READ = "Not read"
_SIGNS: Mapping[Direction, str] = {"DEBIT": "Money out", "CREDIT": "Money in"}


@dataclass(frozen=True)
class Unconfirmed:
    """A workbook that nobody has said yet how to read."""

    name: str
    workbook: Workbook
    recognised: Recognised
    path: Path | None
    """where it is kept already; None: it was uploaded"""


def ask(other: OtherLayout, name: str, data: bytes, path: Path | None = None) -> None:
    """Show the card until it is answered."""
    _forget()
    st.session_state[UNCONFIRMED] = Unconfirmed(name, Workbook(data, name), other.recognised, path)


def show() -> None:
    """The card, when there is a workbook to confirm."""
    asked: Unconfirmed | None = st.session_state.get(UNCONFIRMED)
    if asked is None:
        return
    with st.container(border=True, key="confirm-book"):
        with line(wrap=True):
            st.markdown(f"**How is {literal(asked.name)} read?**", width="content")
            st.badge("Not opened yet", icon=":material/hourglass_empty:", color="orange")
        st.caption("It is not in Munshi's own layout. Munshi answers from it and adds entries as its rows stand.")
        for note in asked.recognised.notes:
            st.caption(literal(note))
        groups = alike(asked.recognised)
        choices = []
        captions: dict[str, str] = {}
        for number, group in enumerate(groups):
            captions |= columns_of(asked.workbook, group.table)
            choices.append((group, _choose(asked, group, f"{KEY}-{number}", several=len(groups) > 1)))
        mapping = chosen(asked.recognised, choices, captions)
        book = _as_read(asked, mapping)
        if isinstance(book, Book):
            _show_read(book)
        else:
            _show_samples(asked.recognised)
            st.info(literal(book), icon=":material/help:")
        with st.container(horizontal=True):
            st.button(
                "Use this book",
                type="primary",
                key=f"{KEY}-use",
                disabled=not isinstance(book, Book),
                on_click=_use,
                args=(asked, mapping),
            )
            st.button("Choose another file", type="tertiary", key=f"{KEY}-decline", on_click=_forget)
        if problem := st.session_state.get(f"{KEY}-problem"):
            st.error(literal(problem))


def _choose(asked: Unconfirmed, group: Alike, key: str, *, several: bool) -> Choice:
    """What the columns of tables alike are, what their captions do not say, and whether they are read."""
    first = group.table
    sheets = group.sheets(asked.recognised)
    named = sheets[0] if len(sheets) == 1 else f"{', '.join(sheets[:-1])} and {sheets[-1]}"
    place = first.place if len(group.tables) == 1 else f"{named}, {len(group.tables)} tables alike"
    words = f"**{literal(place)}** · {literal(title_of(first))}"
    is_read = st.checkbox(words, value=True, key=f"{key}-read") if several else True
    if not several:
        st.markdown(words)
    if not is_read:
        return Choice(read=False, columns={}, mode=None, positive=first.positive, day_first=first.day_first, words={})
    columns = _columns(asked, group, key)
    roles = set(columns.values())
    questions = [each for each in asked.recognised.questions if each.table == group.tables[0]]
    for question in questions:
        if question.about in ("column", "dates"):
            st.caption(literal(question.sentence))
    with st.container(horizontal=True):
        mode = None if "mode" in roles else _mode("Where the money is kept", f"{key}-mode", first.mode)
        positive = first.positive
        if "amount" in roles and "type" not in roles:
            positive = st.selectbox(
                "Amounts above zero are",
                list(_SIGNS),
                index=list(_SIGNS).index(first.positive),
                format_func=_SIGNS.__getitem__,
                key=f"{key}-sign",
                width=190,
            )
        day_first = first.day_first
        if any(question.about == "dates" for question in questions):
            begins = st.selectbox(
                "Dates written as texts begin with",
                [_DAY, _MONTH],
                index=0 if first.day_first else 1,
                key=f"{key}-dates",
                width=230,
            )
            day_first = begins == _DAY
        said = {
            question.word: _mode(f"“{literal(question.word)}” is", f"{key}-word-{place}", None)
            for place, question in enumerate(question for question in questions if question.about == "word")
            if "mode" in roles
        }
    return Choice(
        read=True,
        columns=columns,
        mode=mode,
        positive=positive,
        day_first=day_first,
        words={word: its for word, its in said.items() if its is not None},
    )


def _columns(asked: Unconfirmed, group: Alike, key: str) -> dict[str, Role]:
    captions = columns_of(asked.workbook, group.table)
    names = {"": _NOT_READ} | {str(role): name for role, name in ROLE_NAMES.items()}
    options = ["", *ROLES]
    found: dict[str, Role] = {}
    letters = list(captions)
    for start in range(0, len(letters), ACROSS):
        for cell, letter in zip(st.columns(ACROSS), letters[start : start + ACROSS], strict=False):
            role = cell.selectbox(
                f"{letter} {literal(captions[letter])}",
                options,
                index=options.index(group.table.columns.get(letter, "")),
                format_func=names.__getitem__,
                key=f"{key}-column-{letter}",
            )
            if role:
                found[letter] = cast("Role", role)
    return found


def _mode(label: str, key: str, suggested: Mode | None) -> Mode | None:
    return st.selectbox(
        label,
        list(MODES),
        index=list(MODES).index(suggested) if suggested else None,
        format_func=MODE_NAMES.__getitem__,
        placeholder="Choose",
        key=key,
        width=230,
    )


def _as_read(asked: Unconfirmed, mapping: TableMapping | str) -> Book | str:
    if isinstance(mapping, str):
        return mapping
    before, book = st.session_state.get(AS_READ, (None, ""))
    if before != mapping:
        try:
            book = read_foreign(asked.workbook, mapping)
        except BookRefused as refused:
            book = str(refused)
        st.session_state[AS_READ] = mapping, book
    return cast("Book | str", book)


def _show_samples(recognised: Recognised) -> None:
    """The first rows of the first table, as long as something is missing to read them all."""
    table(
        COLUMNS,
        [tuple(sample[role] for role in SAMPLED) for sample in recognised.samples[0]],
        alt="The first rows as they would be read",
        key=f"{KEY}-samples",
    )


def _show_read(book: Book) -> None:
    """The first rows as they are read, how many there are, and what is left out."""
    table(
        COLUMNS,
        [
            (
                f"{entry.date:%d-%b-%Y}",
                entry.description.capitalize(),
                entry.category or "",
                MODE_NAMES[entry.mode],
                grouped(entry.amount) if entry.direction == "DEBIT" else "",
                grouped(entry.amount) if entry.direction == "CREDIT" else "",
            )
            for entry in book.entries[:ROWS_SHOWN]
        ],
        alt="The first rows as they are read",
        key=f"{KEY}-rows",
    )
    left = len(book.issues)
    unread = f", {left} cell{'s' if left > 1 else ''} not read and left out" if left else ""
    st.caption(f"{entries_words(len(book.entries))}{unread}.")
    for sentence in (*book.remarks, *book.disagreements):
        st.caption(literal(sentence))
    if book.issues:
        with st.expander("What could not be read"):
            for issue in book.issues[:ISSUES_SHOWN]:
                st.markdown(f"{literal(issue.cell)} reads “{literal(issue.reads)}”: {literal(issue.reason)}")
            if left > ISSUES_SHOWN:
                st.caption(f"And {left - ISSUES_SHOWN:,} more, on the Ledger page once it is open.")


def _use(asked: Unconfirmed, mapping: TableMapping) -> None:
    bench = desk.workbench()
    try:
        if asked.path is None:
            bench.add_book(asked.workbook.data, asked.name, mapping)
        else:
            bench.confirm_book(asked.path, mapping)
    except BookRefused as refused:
        st.session_state[f"{KEY}-problem"] = str(refused)
        return
    _forget()


def _forget() -> None:
    """Drop the workbook and every answer given on its card."""
    for key in [key for key in st.session_state if str(key).startswith(f"{KEY}-")]:
        del st.session_state[key]
    st.session_state.pop(UNCONFIRMED, None)
