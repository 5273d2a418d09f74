"""The one workbench of this process, the book that lies open on it, and the turns that are being followed."""

import threading
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import streamlit as st

from agent import Event, Settings, Workbench, system_clock
from ledger.entries import BookRefused
from ledger.store import Opened


@dataclass(frozen=True)
class NoBook:
    """Why there is no book to show: none was chosen (an empty reason), or it is gone, or it cannot be read."""

    reason: str = ""


@dataclass
class Followed:
    """A turn that runs, with what was told of it so far."""

    began: float
    events: list[Event] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)


def open_workbench() -> Workbench:
    """The workbench that the environment describes."""
    return Workbench.open(Settings.read())


@st.cache_resource(show_spinner=False)
def workbench() -> Workbench:
    """The workbench, opened once and shared by every visit."""
    return open_workbench()


@st.cache_resource(show_spinner=False, max_entries=200)
def followed(request: str, _now: float) -> Followed:
    """The turn of that request, followed from its beginning by a thread of its own, whoever looks and however often."""
    turn = Followed(_now)
    bench = workbench()

    def follow() -> None:
        for event in bench.events(request):
            turn.events.append(event)
        turn.ended.set()

    threading.Thread(target=follow, name=f"follow-{request[:8]}", daemon=True).start()
    return turn


def today() -> date:
    """The user's day."""
    return system_clock().date()


def now() -> datetime:
    """The moment, in the user's zone."""
    return system_clock()


def opened_book() -> Opened | NoBook:
    """The book as it stands on the disk now; an unchanged file is not read again."""
    store = workbench().book()
    if store is None:
        return NoBook()
    try:
        return store.read()
    except BookRefused as error:
        return NoBook(str(error))


def fingerprint(opened: Opened | NoBook) -> str:
    """Tells one state of the book from another."""
    return opened.reason if isinstance(opened, NoBook) else opened.workbook.sha256


def known_books() -> tuple[Path, ...]:
    """The books there are to choose from, the open one first."""
    return workbench().books()


def file_saved(path: Path) -> datetime | None:
    """When the book's file was last written, by whomever, in the zone of this machine; None when it is gone."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).astimezone()
    except OSError:
        return None
