"""Changes of the Ledger that are not saved yet: kept by visit and by book, and saved as one write.

A tab has its own, kept in the workbench as well: after a reload or a restart they are offered back (`offers`, `take`),
and a tab whose changes another one took over has them no more. What is typed in the table is a list of positions on
the rows it was drawn with: `Drawn` remembers those, so that the same cell is never applied to another row.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from frame import desk
from frame.escape import literal
from frame.look import mode_name
from ledger import pending as changing
from ledger.browse import Page
from ledger.changes import Plan
from ledger.entries import MODES, Book, BookRefused, Entry, Issue
from ledger.pending import Field, Pending
from ledger.pending_record import pending_of, text_of
from ledger.store import BookStore, Opened, Receipt

WAITING = "ledger-waiting"
DRAWN = "ledger-drawn"
VERSION = "ledger-version"
PLAN = "ledger-plan"
SAVED = "ledger-saved"
REFUSED = "ledger-refused"
MOVED = "ledger-moved"
UNDO_REFUSALS = "ledger-undo-refusals"
VISIT = "ledger-visit"
KEPT = "ledger-kept"
TAKEN = "ledger-taken"

CHOSEN = "Choose"
COLUMNS: Mapping[str, Field] = {
    "Date": "date",
    "Description": "description",
    "Out ₹": "out",
    "In ₹": "in",
    "Mode": "mode",
    "Category": "category",
}


@dataclass(frozen=True)
class Waiting:
    """What was typed, the book it was typed on, and the request id its write will have."""

    book: Book
    pending: Pending
    asked: str


@dataclass(frozen=True)
class Drawn:
    """What a table was drawn with. It stays the same for as long as the table is on the page."""

    key: str
    book: Path
    pending: Pending
    """the changes it already shows"""
    page: Page
    page_key: str
    total: int
    """entries on all pages"""
    all_chosen: bool

    @property
    def rows(self) -> tuple[Entry, ...]:
        """The entries on its page."""
        return tuple(row.entry for row in self.page.rows)


@dataclass(frozen=True)
class Moved:
    """What somebody else did to the book while changes were waiting."""

    book: Path
    at: datetime | None
    differences: changing.Differences
    lost: tuple[changing.Lost, ...]
    fixes_lost: tuple[Issue, ...] = ()


@dataclass(frozen=True)
class Saved:
    """The last write of this visit."""

    path: Path
    count: int
    receipt: Receipt


def of(store: BookStore, opened: Opened) -> Waiting:
    """What waits for this book, with what was typed just now, held against the book as it is."""
    _settle()
    _given_up(store)
    kept = _all().get(store.path) or Waiting(opened.book, Pending(), uuid.uuid4().hex)
    if kept.book.sha256 != opened.book.sha256:
        result = changing.rebased(kept.pending, opened.book)
        if len(kept.pending):
            found = changing.differences(kept.book, opened.book)
            st.session_state[MOVED] = Moved(
                store.path, desk.file_saved(store.path), found, result.lost, result.fixes_lost
            )
            st.session_state.pop(REFUSED, None)  # what moved says it better
        kept = Waiting(opened.book, result.pending, uuid.uuid4().hex)
        _draw_anew()
    elif kept.book is not opened.book:
        kept = replace(kept, book=opened.book)  # the same bytes, of which a person said something else meanwhile
    _all()[store.path] = kept
    _keep(store, kept.pending)
    return kept


@dataclass(frozen=True)
class Offer:
    """Changes that another visit to this book typed and did not save."""

    visit: str
    at: datetime
    pending: Pending


def offers(store: BookStore) -> tuple[Offer, ...]:
    """What was typed into this book before a reload, before a restart or in another tab, and never saved."""
    found = []
    for visit, text in desk.workbench().unsaved(store.path).items():
        moment, _, record = text.partition(" ")
        pending = pending_of(record)
        if visit != _visit() and pending is not None and len(pending):
            found.append(Offer(visit, datetime.fromisoformat(moment), pending))
    return tuple(found)


def take(store: BookStore, offer: Offer) -> None:
    """Go on with what another visit typed; it has it no more. What was typed here as well stays."""
    desk.workbench().keep_unsaved(store.path, offer.visit, "")
    try:
        book = store.read().book
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)
        return
    result = changing.rebased(offer.pending, book)
    mine = _all().get(store.path)
    pending = changing.joined(mine.pending, result.pending) if mine else result.pending
    _all()[store.path] = Waiting(book, pending, uuid.uuid4().hex)
    if result.lost or result.fixes_lost:
        nothing = changing.Differences((), ())
        st.session_state[MOVED] = Moved(
            store.path, desk.file_saved(store.path), nothing, result.lost, result.fixes_lost
        )
    _draw_anew()


def drop_offer(store: BookStore, offer: Offer) -> None:
    """Forget what another visit typed."""
    desk.workbench().keep_unsaved(store.path, offer.visit, "")


def taken_elsewhere() -> int:
    """How many changes of this visit another one took over, said once."""
    return int(st.session_state.pop(TAKEN, 0))


def _visit() -> str:
    visit: str = st.session_state.setdefault(VISIT, uuid.uuid4().hex[:24])
    return visit


def _keep(store: BookStore, pending: Pending) -> None:
    """Keep what waits beside the conversations, whenever it differs from what was kept."""
    known: dict[Path, Pending] = st.session_state.setdefault(KEPT, {})
    if known.get(store.path, Pending()) == pending:
        return
    known[store.path] = pending
    text = f"{desk.now().isoformat(timespec='seconds')} {text_of(pending)}" if len(pending) else ""
    desk.workbench().keep_unsaved(store.path, _visit(), text)


def _given_up(store: BookStore) -> None:
    """Let go of changes that another tab took over meanwhile: they are that tab's now."""
    known: dict[Path, Pending] = st.session_state.setdefault(KEPT, {})
    kept = known.get(store.path)
    if kept is None or not len(kept) or _visit() in desk.workbench().unsaved(store.path):
        return
    known.pop(store.path)
    st.session_state[TAKEN] = len(kept)
    _all().pop(store.path, None)
    _draw_anew()


def change(store: BookStore, update: Callable[[Pending], Pending]) -> None:
    """Make a change beside the table, on top of everything typed in it: it is drawn anew with that."""
    _settle()
    kept = _all()[store.path]
    _all()[store.path] = replace(kept, pending=update(kept.pending))
    st.session_state.pop(REFUSED, None)
    _draw_anew()


def redraw() -> None:
    """Draw the table anew with everything that waits."""
    _settle()
    _draw_anew()


def version() -> int:
    """Goes up whenever the table has to be drawn anew."""
    return int(st.session_state.get(VERSION, 0))


def discard(store: BookStore) -> None:
    """Forget everything that waits for this book."""
    _all().pop(store.path, None)
    for name in (REFUSED, MOVED):
        st.session_state.pop(name, None)
    _draw_anew()


def drawn(wanted: Drawn) -> Drawn:
    """The table as it was first drawn with that key; as `wanted` when it was not on the page."""
    known: Drawn | None = st.session_state.get(DRAWN)
    if known is None or known.key != wanted.key or wanted.key not in st.session_state:
        known = wanted
        st.session_state[DRAWN] = known
    return known


def typed(table: Drawn) -> Pending:
    """The changes a table stands on with what was typed in it since."""
    pending, rows = table.pending, table.rows
    for position, cells in _typed_cells(table).items():
        over = {COLUMNS[name]: _text(COLUMNS[name], value) for name, value in cells.items() if name in COLUMNS}
        if over:
            pending = changing.typed(pending, rows[position], over)
    return pending


def chosen(table: Drawn) -> tuple[Entry, ...]:
    """The rows that are ticked."""
    cells = _typed_cells(table)
    return tuple(
        row for position, row in enumerate(table.rows) if bool(cells.get(position, {}).get(CHOSEN, table.all_chosen))
    )


def cells_of(store: BookStore, entry: Entry) -> Mapping[Field, str]:
    """What is typed over a row of this book and waits."""
    kept = _all().get(store.path)
    return kept.pending.cells_of(entry) if kept else {}


def plan(store: BookStore, waiting: Waiting) -> Plan | str:
    """What saving would do, or the sentence that says why it cannot be done; worked out once for the same changes."""
    changes = changing.changes(waiting.pending)
    fixes, openings = waiting.pending.fixes, waiting.pending.openings
    wanted = (waiting.book.sha256, waiting.book.differences_accepted, waiting.book.ignored, changes, fixes, openings)
    known = st.session_state.get(PLAN)
    if known is None or known[0] != wanted:
        try:
            result: Plan | str = store.preview_mends(fixes) if fixes else store.preview(changes, dict(openings))
        except BookRefused as error:
            result = str(error)
        known = (wanted, result)
        st.session_state[PLAN] = known
    planned: Plan | str = known[1]
    return planned


def save(store: BookStore, waiting: Waiting) -> None:
    """Write what waits. Pressed twice it is one write; refused, everything waits on and the reason is kept."""
    _settle()
    if _all()[store.path].pending != waiting.pending:
        st.session_state[REFUSED] = "A cell was changed at the same moment. Look at it here, and save again."
        return
    if waiting.pending.fixes:
        _save_fixes(store, waiting)
        return
    changes, openings = changing.changes(waiting.pending), dict(waiting.pending.openings)
    content = sha256(repr((changes, openings)).encode()).hexdigest()[:16]
    try:
        receipt = store.change(
            changes,
            request=f"ledger-{waiting.asked}-{content}",
            who=_who(),
            openings=openings,
            expected=waiting.book.sha256,
        )
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)
        return
    discard(store)
    st.session_state[SAVED] = Saved(store.path, len(waiting.pending), receipt)


def _save_fixes(store: BookStore, waiting: Waiting) -> None:
    """Write the cells typed right; whatever else waits stays waiting, held against the book as it then is."""
    fixes = waiting.pending.fixes
    content = sha256(repr(fixes).encode()).hexdigest()[:16]
    try:
        receipt = store.mend(fixes, request=f"ledger-{waiting.asked}-{content}", who=_who())
        book = store.read().book
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)
        return
    rest = changing.rebased(replace(waiting.pending, fixes=()), book).pending
    discard(store)
    _all()[store.path] = Waiting(book, rest, uuid.uuid4().hex)
    st.session_state[SAVED] = Saved(store.path, len(fixes), receipt)


def write_anyway(store: BookStore, book: Book) -> None:
    """Let the book be written although it differs from its rows as it does now; refused, the reason is kept."""
    st.session_state.pop(REFUSED, None)
    try:
        store.accept_differences(book.differences)
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)


def undo(store: BookStore, request: str) -> None:
    """Take a write back. Pressed twice it is one undo; refused, the reason is kept for the page."""
    st.session_state.pop(REFUSED, None)
    try:
        undone = store.undo(request=f"undo-{request}", who=_who(), write=request)
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)
        return
    saved = last_saved(store)
    if saved and saved.receipt.request == request:
        st.session_state.pop(SAVED)
    st.toast(f"Taken back: {literal(undone.what)}", icon=":material/undo:")


def undo_refusal(store: BookStore, sha256: str, request: str) -> str | None:
    """Why a write cannot be taken back from the book as it is now; worked out once for each state of the book."""
    known: dict[tuple[str, str], str | None] = st.session_state.setdefault(UNDO_REFUSALS, {})
    if (sha256, request) not in known:
        for stale in [key for key in known if key[0] != sha256]:
            del known[stale]
        known[sha256, request] = store.undo_refusal(request)
    return known[sha256, request]


def restore(store: BookStore, version: str) -> None:
    """Put an earlier version in the book's place; refused, the reason is kept for the page."""
    st.session_state.pop(REFUSED, None)
    try:
        store.restore(version, request=uuid.uuid4().hex, who=_who())
    except BookRefused as error:
        st.session_state[REFUSED] = str(error)


def last_saved(store: BookStore) -> Saved | None:
    """The last write of this visit to this book, until it is taken back."""
    saved: Saved | None = st.session_state.get(SAVED)
    return saved if saved and saved.path == store.path else None


def others(store: BookStore) -> tuple[tuple[Path, int], ...]:
    """Books that are not open and have changes waiting, with how many."""
    return tuple((path, len(kept.pending)) for path, kept in _all().items() if path != store.path and len(kept.pending))


def _settle() -> None:
    """Take what was typed in the table into what waits; a click elsewhere may come in the same moment."""
    table: Drawn | None = st.session_state.get(DRAWN)
    kept = _all().get(table.book) if table else None
    if table is None or kept is None or table.key not in st.session_state:
        return
    pending = typed(table)
    if pending != kept.pending:
        st.session_state.pop(REFUSED, None)  # what was refused is not what waits now
        _all()[table.book] = replace(kept, pending=pending)


def _draw_anew() -> None:
    st.session_state[VERSION] = version() + 1
    st.session_state.pop(DRAWN, None)


def _all() -> dict[Path, Waiting]:
    known: dict[Path, Waiting] = st.session_state.setdefault(WAITING, {})
    return known


def _typed_cells(table: Drawn) -> dict[int, Mapping[str, Any]]:
    state = st.session_state.get(table.key) or {}
    rows = state.get("edited_rows", {})
    return {int(at): cells for at, cells in rows.items() if 0 <= int(at) < len(table.rows)}


def _text(field: Field, value: Any) -> str:
    """A cell of the table as it is kept."""
    if value is None or pd.isna(value):
        return ""
    text = str(value)
    if field == "mode":
        return next((mode for mode in MODES if mode_name(mode) == text), text)
    return text[:10] if field == "date" else text


def _who() -> str:
    return desk.workbench().person().signed("ledger")
