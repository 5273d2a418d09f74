"""Choosing the budget book: download, upload, another one, a sample, a blank one; and the card when there is none."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import streamlit as st

from frame import confirm_book, desk, press, statement_import
from frame.escape import literal
from frame.look import entries_words, line
from frame.sidebar import is_known
from ledger.entries import MODE_NAMES, MODES, Book, BookExists, BookRefused
from ledger.foreign import OtherLayout, open_book
from ledger.store import Opened
from ledger.workbook import Workbook
from money import days_text, rupees

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OFFERED = "offered-book"
PROBLEM = "book-problem"
UPLOADS = "uploads"
REMOVING = "book-removing"
TAKEN = "book-name-taken"
LARGEST_LOOKED_AT = 3_000_000
"""bytes of a book that is read only to say what it holds"""
BOOKS_SHOWN = 8


@dataclass(frozen=True)
class OfferedBook:
    """A file dropped into the conversation, read but not opened yet; or why it cannot be a book."""

    name: str
    data: bytes
    sentence: str
    refused: bool
    elsewhere: bool = False
    """it is in another layout, and the card above the page asks how it is read"""


def offer(name: str, data: bytes, today: date) -> OfferedBook:
    """Read a dropped file and say what is in it."""
    try:
        book = open_book(Workbook(data, name))
    except OtherLayout as other:
        confirm_book.ask(other, name, data)
        return OfferedBook(name, b"", "", refused=False, elsewhere=True)
    except BookRefused as error:
        return OfferedBook(name, b"", str(error), refused=True)
    return OfferedBook(name, data, what_was_read(book, today), refused=False)


def what_was_read(book: Book, today: date) -> str:
    """`61 entries, 1 Sep to 28 Nov. 2 cells could not be read.`"""
    if book.entries:
        days = [entry.date for entry in book.entries]
        said = f"{entries_words(len(book.entries))}, {days_text(min(days), max(days), today)}."
    else:
        said = f"A blank book for {book.year}."
    if book.issues:
        count = len(book.issues)
        said += (
            f" {count} cell{'s' if count > 1 else ''} could not be read and {'are' if count > 1 else 'is'} left out."
        )
    return said


def show_chooser(opened: Opened | desk.NoBook) -> None:
    """The open book's name; behind it download, upload and the other books."""
    store = desk.workbench().book()
    name = store.path.name if store else "No book"
    with st.popover(literal(name), icon=":material/book_2:", type="tertiary", width="content", key="book"):
        show_actions(opened, "book")


def show_actions(opened: Opened | desk.NoBook, key: str) -> None:
    """Download the open book, upload one, open another, begin with a sample or a blank one."""
    store = desk.workbench().book()
    if isinstance(opened, Opened) and store is not None:
        st.caption(literal(what_was_read(opened.book, desk.today())))
        st.download_button(
            "Download",
            opened.workbook.data,
            file_name=store.path.name,
            mime=XLSX,
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
            key=f"{key}-download",
        )
    _show_problem()
    _show_taken(key)
    _upload("Upload a book or a statement", f"{key}-upload")
    _show_removing(key)
    others = [path for path in desk.known_books() if store is None or path != store.path]
    if others:
        with st.container(gap="xsmall"):
            st.caption("Other books")
            for number, path in enumerate(others[:BOOKS_SHOWN]):
                _show_other(path, f"{key}-{number}")
            if len(others) > BOOKS_SHOWN:
                st.caption(f"{len(others) - BOOKS_SHOWN} more are in {literal(others[-1].parent)}.")
    with st.container(gap=None):
        st.caption("Or begin with")
        _choice("A sample book", f"{key}-sample", desk.workbench().open_sample)
        _choice("A blank book", f"{key}-blank", desk.workbench().blank)
    if store is not None:
        press.button(
            "Take this book off the list",
            key=f"{key}-remove",
            type="tertiary",
            icon=":material/playlist_remove:",
            on_click=_ask_remove,
            args=(store.path,),
        )


def show_first_start(reason: str) -> None:
    """The card of a workbench without a readable book."""
    if reason:
        st.error(literal(reason), icon=":material/error:")
    with st.container(border=True, key="first-start"):
        with st.container(gap=None):
            st.markdown("**Open your budget book**")
            st.caption("It stays on this computer, and nothing is saved in it before you say yes.")
        _show_problem()
        _show_taken("first")
        _upload("Your book", "first-upload")
        with st.container(horizontal=True):
            bench = desk.workbench()
            press.button(
                "Start a blank one", key="first-blank", icon=":material/add:", on_click=_switch, args=(bench.blank,)
            )
            press.button(
                "Look around with a sample",
                key="first-sample",
                icon=":material/visibility:",
                on_click=_switch,
                args=(bench.open_sample,),
            )
        known = desk.known_books()
        if known:
            with st.container(gap="xsmall"):
                st.caption("Books there are")
                for number, path in enumerate(known[:BOOKS_SHOWN]):
                    _show_other(path, f"first-{number}")
    _show_removing("first")


def show_offer(offered: OfferedBook, *, first: bool = True) -> None:
    """What was read of a dropped file, and whether to open it. `first`: no other card's button goes before its own."""
    if offered.elsewhere:
        return
    if offered.refused:
        st.error(f"**{literal(offered.name)}** was not opened. {literal(offered.sentence)}")
        return
    with st.container(border=True, key="offered-book-card"):
        with line(wrap=True):
            st.markdown(f"**Open {literal(offered.name)}?**", width="content")
            st.badge("Not opened yet", icon=":material/hourglass_empty:", color="orange")
        st.markdown(literal(offered.sentence))
        with st.container(horizontal=True):
            st.button(
                "Open this book",
                type="primary" if first else "secondary",
                key="offer-open",
                on_click=_accept,
                args=(offered,),
            )
            st.button("Not now", type="tertiary", key="offer-decline", on_click=_decline)


def _accept(offered: OfferedBook) -> None:
    _decline()
    _switch(desk.workbench().add_book, offered.data, offered.name)


def _decline() -> None:
    st.session_state.pop(OFFERED, None)


def _show_other(path: Path, key: str) -> None:
    """A book that is not open: what it holds, and the ways to open it and to take it off the list."""
    with line(wrap=False):
        with st.container(gap=None):
            _choice(literal(path.name), key, _choose, path)
            st.caption(literal(_held(path, path.stat().st_mtime_ns, path.stat().st_size)))
        press.button(
            "",
            key=f"{key}-remove",
            type="tertiary",
            icon=":material/close:",
            help=f"Take {literal(path.name)} off the list",
            on_click=_ask_remove,
            args=(path,),
        )


@st.cache_resource(show_spinner=False, max_entries=32)
def _held(path: Path, saved: int, size: int) -> str:  # noqa: ARG001  of each state of the file, once
    """What a book's modes hold: `PhonePe ₹7,670.00 · Wallet ₹300.00`."""
    if size > LARGEST_LOOKED_AT:
        return "A large book; its balances are shown once it is open."
    try:
        book = desk.workbench().book_at(path).read().book
    except BookRefused:
        return "Cannot be read as it is."
    held = [f"{MODE_NAMES[mode]} {rupees(book.balances[mode])}" for mode in MODES if is_known(book, mode)]
    return " · ".join(held) or f"{entries_words(len(book.entries))}, no balance set"


def _ask_remove(path: Path) -> None:
    st.session_state[REMOVING] = path


def _show_removing(key: str) -> None:
    """Whether a book is taken off the list, and for one that Munshi made, whether its file goes too."""
    path: Path | None = st.session_state.get(REMOVING)
    if path is None:
        return
    made = desk.workbench().is_made_here(path)
    with st.container(border=True, key=f"{key}-removing", gap="xsmall"):
        st.markdown(f"**Take {literal(path.name)} off the list?**")
        stays = f"Its file stays in {path.parent}, and so do its history and versions."
        st.caption(literal(f"{stays} Munshi made this one, so it can be deleted as well." if made else stays))
        with st.container(horizontal=True):
            press.button("Take it off", key=f"{key}-removing-yes", on_click=_remove, args=(path,))
            if made:
                press.button(
                    "Delete the file",
                    key=f"{key}-removing-delete",
                    on_click=_delete,
                    args=(path,),
                    help="The file goes for good; its versions stay in Munshi's folder",
                )
            press.button("Keep it", key=f"{key}-removing-no", type="tertiary", on_click=_end_removing)


def _end_removing() -> None:
    st.session_state.pop(REMOVING, None)


def _remove(path: Path) -> None:
    _end_removing()
    desk.workbench().forget_book(path)


def _delete(path: Path) -> None:
    _end_removing()
    _switch(desk.workbench().delete_book, path)


def _show_taken(key: str) -> None:
    """That a blank book was begun before: it is opened, or another one is meant."""
    path: Path | None = st.session_state.get(TAKEN)
    if path is None or not path.is_file():
        return
    with st.container(border=True, key=f"{key}-taken", gap="xsmall"):
        st.markdown(f"**{literal(path.name)} is there already.**")
        st.caption(literal(_held(path, path.stat().st_mtime_ns, path.stat().st_size)))
        with st.container(horizontal=True):
            press.button("Open it", key=f"{key}-taken-open", on_click=_switch, args=(_choose, path))
            press.button(
                "Start another one",
                key=f"{key}-taken-another",
                type="tertiary",
                on_click=_switch,
                args=(desk.workbench().another_blank,),
            )


def _choice(label: str, key: str, choose: Callable[..., object], *arguments: object) -> None:
    press.button(label, key=key, type="tertiary", on_click=_switch, args=(choose, *arguments))


def _switch(choose: Callable[..., object], *arguments: object) -> None:
    """Open another book, or keep the sentence that says why not."""
    for name in (PROBLEM, TAKEN, REMOVING):
        st.session_state.pop(name, None)
    try:
        choose(*arguments)
    except OtherLayout:
        raise
    except BookExists as exists:
        st.session_state[TAKEN] = exists.path
    except BookRefused as error:
        st.session_state[PROBLEM] = str(error)


def _choose(path: Path) -> None:
    """Open a book there is; of one in another layout, ask first how it is read."""
    try:
        desk.workbench().choose_book(path)
    except OtherLayout as other:
        confirm_book.ask(other, path.name, path.read_bytes(), path)


def _show_problem() -> None:
    if PROBLEM in st.session_state:
        st.error(literal(st.session_state[PROBLEM]))


def _upload(label: str, key: str) -> None:
    """A file box that is empty again after each file."""
    version = st.session_state.setdefault(UPLOADS, 0)
    widget = f"{key}-{version}"
    st.file_uploader(label, type=statement_import.TYPES, key=widget, on_change=_uploaded, args=(widget,))


def _uploaded(widget: str) -> None:
    file = st.session_state[widget]
    if file is None:
        return
    st.session_state[UPLOADS] += 1
    name, data = Path(file.name).name, file.getvalue()
    opened = desk.opened_book()
    if statement_import.take(name, data, opened.book if isinstance(opened, Opened) else None):
        return
    try:
        _switch(desk.workbench().add_book, data, name)
    except OtherLayout as other:
        confirm_book.ask(other, name, data)
