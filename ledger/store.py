"""A budget book on this computer: read when it changed, written by plan, patch and verifier, undone, restored.

    BookStore.write ──► DurableFile.replace(build)             lock, journal, versions, exactly once (ledger.durable)
                              build = plan_write ► overdrafts? ► patch ► verify

A refusal of any kind leaves the book, and everything beside it, as it was.

    BookRefused (ledger.entries)   the message says what to do; also BookMissing, BookBusy, BookChanged, RequestReused
      ├─ Overdrawn                 a mode would fall below zero: carries the three figures of each
      └─ NothingToUndo             there is no write that may be taken back
"""

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

from ledger.book import read_book
from ledger.durable import BookBusy, BookChanged, BookMissing, Change, Content, DurableFile, RequestReused, Version
from ledger.entries import MODE_NAMES, Book, BookRefused, Direction, Draft, Mode, Overdraft
from ledger.journal import Facts, JournalLine, undoable
from ledger.patch import patch
from ledger.plan import plan_write
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook
from money import rupees

__all__ = [
    "BookBusy",
    "BookChanged",
    "BookMissing",
    "BookStore",
    "JournalLine",
    "NothingToUndo",
    "Opened",
    "Overdrawn",
    "Receipt",
    "RequestReused",
    "Undone",
    "Version",
]

BOOKS_REMEMBERED = 2


class Overdrawn(BookRefused):
    """A batch that would take a mode below zero; none of it was written."""

    def __init__(self, overdrafts: Sequence[Overdraft]) -> None:
        self.overdrafts = tuple(overdrafts)
        short = "; ".join(
            f"{MODE_NAMES[each.mode]} has {rupees(each.has)}, this needs {rupees(each.needs)}, "
            f"{rupees(each.short)} short"
            for each in self.overdrafts
        )
        super().__init__(f"Nothing was saved: {short}. Change an amount or a mode, or remove a row.")


class NothingToUndo(BookRefused):
    """No write may be taken back; the message says why."""


@dataclass(frozen=True)
class Opened:
    """The book as it stands: its parts, and what they mean."""

    workbook: Workbook
    book: Book


@dataclass(frozen=True)
class Receipt:
    """What a write did. The same request again gives an equal one."""

    request: str
    cells: tuple[str, ...]
    """`Budget_2026.xlsx#NOVEMBER!C24:J24`, in the order of the drafts"""
    balances: Mapping[Mode, Decimal]
    budget_left: tuple[tuple[str, Decimal, Decimal], ...]
    """category, left before, left after"""
    notes: tuple[str, ...]
    """sentences: what the reader would not expect"""
    before: str
    after: str
    """SHA-256 of the book's bytes"""
    at: datetime


@dataclass(frozen=True)
class Undone:
    """What an undo took back."""

    request: str
    write: str
    """the request of the write taken back"""
    what: str
    """`1 row: GROCERIES 500.00`"""
    cells: tuple[str, ...]
    """where its rows stood"""
    balances: Mapping[Mode, Decimal]
    before: str
    after: str
    at: datetime


class BookStore:
    """One book's file, its versions and its audit trail. Threads and processes may share a book.

    `path` is the book, `home` Munshi's folder (everything but one temporary file beside the book lies in it).
    """

    def __init__(self, path: Path, home: Path, clock: Callable[[], datetime]) -> None:
        self._file = DurableFile(path, home, clock)
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def path(self) -> Path:
        """The book's own file, links followed."""
        return self._file.path

    @property
    def name(self) -> str:
        """`Budget_2026.xlsx`."""
        return self._file.path.name

    def read(self) -> Opened:
        """The book as it is now. An untouched file is not read again, known bytes are not understood again.

        Settles a write that a crash cut off first. Raises BookMissing, BookRefused, and once BookChanged when such a
        write and somebody else's change met.
        """
        return self._open(self._file.read())

    def write(
        self,
        drafts: Sequence[Draft],
        *,
        request: str,
        who: str,
        openings: Mapping[Mode, Decimal] | None = None,
        expected: str | None = None,
    ) -> Receipt:
        """Append the drafts, all or none, once for each request id however often it comes.

        `expected` is the hash of the book the user was shown. When another program changed the book since, the rows
        are planned anew on it and the receipt says so; where that change meets them, BookChanged. Raises Overdrawn,
        BookBusy, BookMissing, RequestReused, and BookRefused for whatever cannot be done safely.
        """
        drafts, openings = tuple(drafts), dict(openings or {})
        shown = expected

        def build(current: Content) -> Change:
            nonlocal shown
            opened = self._open(current)
            moved = shown is not None and shown != current.sha256
            if moved:
                self._refuse_meeting(opened.book, drafts, openings, shown or "")
            shown = shown or current.sha256
            return self._planned(opened, drafts, openings, redone=moved)

        return _receipt(
            self._file.replace(request=request, content=_content_hash("write", drafts, openings), who=who, build=build)
        )

    def undo(self, *, request: str, who: str) -> Undone:
        """Put back the bytes from before the last write that still stands; again, those from before the one before.

        Raises NothingToUndo when there is no such write or the book was changed since it.
        """

        def build(current: Content) -> Change:
            standing = undoable(self._file.journal.lines())
            if not standing:
                raise NothingToUndo(f"There is nothing to undo in {self.name}.")
            last = standing[-1]
            if current.sha256 != last.after:
                raise NothingToUndo(
                    f"{self.name} was changed by another program after {last.facts.what} was saved, so undoing would "
                    "lose that change. Remove the row in Excel, or restore a version."
                )
            if not last.before:
                raise NothingToUndo(f"{self.name} did not exist before; there is nothing to go back to.")
            facts = Facts(
                kind="undo",
                what=f"undo of {last.facts.what}",
                cells=last.facts.cells,
                balances=last.facts.balances_before,
                balances_before=last.facts.balances,
                undoes=last.request,
            )
            return Change(self._file.version(last.before), facts)

        return _undone(self._file.replace(request=request, content=_content_hash("undo"), who=who, build=build))

    def can_undo(self, request: str) -> bool:
        """Whether `undo` would now take back the write of this request."""
        standing = undoable(self._file.journal.lines())
        if not standing or standing[-1].request != request or not standing[-1].before:
            return False
        try:
            return self._file.read().sha256 == standing[-1].after
        except BookRefused:
            return False

    def versions(self) -> tuple[Version, ...]:
        """What the book was before each write, newest first: the last fifty, and of every day the last one."""
        return self._file.versions()

    def restore(self, version: str, *, request: str, who: str) -> Receipt:
        """Put a kept version's bytes (named by their SHA-256) in the book's place, even when the book is gone.

        What stands there now is kept as a version too, and the restoring can be undone.
        """

        def build(current: Content) -> Change:
            if current.sha256 == version:
                raise BookRefused(f"{self.name} already is that version.")
            kept = self._file.version(version)
            facts = Facts(
                kind="restore",
                what=f"version {version[:8]} restored",
                balances=self._balances(Content(kept, version)),
                balances_before=self._balances(current),
            )
            return Change(kept, facts)

        return _receipt(
            self._file.replace(
                request=request, content=_content_hash("restore", version), who=who, build=build, may_be_missing=True
            )
        )

    def history(self) -> tuple[JournalLine, ...]:
        """The audit trail, oldest first: every write, undo and restore with what became of it."""
        return self._file.journal.lines()

    def _open(self, content: Content) -> Opened:
        with self._guard:
            if content.sha256 in self._opened:
                self._opened.move_to_end(content.sha256)
                return self._opened[content.sha256]
            workbook = Workbook(content.data, self.name)
            opened = Opened(workbook, read_book(workbook))
            self._opened[content.sha256] = opened
            while len(self._opened) > BOOKS_REMEMBERED:
                self._opened.popitem(last=False)
            return opened

    def _planned(
        self, opened: Opened, drafts: tuple[Draft, ...], openings: Mapping[Mode, Decimal], *, redone: bool
    ) -> Change:
        plan = plan_write(opened.workbook, opened.book, drafts, openings)
        if plan.overdrafts:
            raise Overdrawn(plan.overdrafts)
        after = patch(opened.workbook, plan)
        try:
            verify(opened.workbook.data, after, plan)
        except WriteRejected as rejected:
            raise BookRefused(
                f"{self.name} was left as it is. The check before saving rejected the new file: {rejected}"
            ) from rejected
        notes = plan.notes
        if redone:
            notes = (
                f"{self.name} had been changed since this was shown; the rows were added to the book as it is now.",
                *notes,
            )
        facts = Facts(
            kind="write",
            what=_what(drafts, openings),
            cells=tuple(f"{self.name}#{row.cells_ref}" for row in plan.rows),
            balances=plan.balances_after,
            balances_before=plan.balances_before,
            budget_left=plan.budget_left,
            notes=notes,
        )
        return Change(after, facts)

    def _refuse_meeting(
        self, book: Book, drafts: tuple[Draft, ...], openings: Mapping[Mode, Decimal], shown: str
    ) -> None:
        """Refuse where somebody else's change meets these rows: the same row came in, or the same opening balance."""
        with self._guard:
            before = self._opened.get(shown)
        added = _rows(book) - (_rows(before.book) if before else Counter())
        twice = next((draft for draft in drafts if _row(draft) in added), None)
        if twice:
            raise BookChanged(
                f"{self.name} was changed since this was shown, and a row {twice.stored_description} "
                f"{rupees(twice.amount)} is in it now. Nothing was saved; confirm again if this is another one."
            )
        for mode, amount in openings.items():
            if book.openings.get(mode) not in (None, amount):
                raise BookChanged(
                    f"{self.name} was changed since this was shown: {MODE_NAMES[mode]} now opens with "
                    f"{rupees(book.openings[mode] or Decimal(0))}. Nothing was saved; look and confirm again."
                )

    def _balances(self, content: Content) -> Mapping[Mode, Decimal]:
        try:
            return self._open(content).book.balances
        except BookRefused:
            return {}  # a damaged book may be replaced by a good version, and taken back


def _rows(book: Book) -> Counter[tuple[object, ...]]:
    return Counter((e.date, e.description.upper(), e.mode, e.direction, e.amount) for e in book.entries)


def _row(draft: Draft) -> tuple[object, ...]:
    direction: Direction = draft.direction
    return (draft.date, draft.stored_description, draft.mode, direction, draft.amount)


def _what(drafts: tuple[Draft, ...], openings: Mapping[Mode, Decimal]) -> str:
    named = [f"{draft.stored_description} {draft.amount:.2f}" for draft in drafts[:3]]
    if len(drafts) > 3:
        named.append(f"{len(drafts) - 3} more")
    parts = [f"{len(drafts)} row{'s' if len(drafts) > 1 else ''}: {', '.join(named)}"] if drafts else []
    parts += [f"opening {MODE_NAMES[mode]} {amount:.2f}" for mode, amount in openings.items()]
    return "; ".join(parts)


def _content_hash(*asked: object) -> str:
    """What a request asks for, as a hash: equal askings hash alike in every process and version."""
    return sha256(json.dumps(asked, default=_plain, ensure_ascii=False).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Draft):
        category = (value.category or "").casefold()
        return [
            value.date.isoformat(),
            value.stored_description,
            value.mode,
            value.direction,
            f"{value.amount.normalize():f}",
            category,
        ]
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    raise TypeError(f"{type(value).__name__} is not part of a request")


def _receipt(line: JournalLine) -> Receipt:
    facts = line.facts
    return Receipt(
        line.request, facts.cells, facts.balances, facts.budget_left, facts.notes, line.before, line.after, line.at
    )


def _undone(line: JournalLine) -> Undone:
    facts = line.facts
    return Undone(
        request=line.request,
        write=facts.undoes or "",
        what=facts.what.removeprefix("undo of "),
        cells=facts.cells,
        balances=facts.balances,
        before=line.before,
        after=line.after,
        at=line.at,
    )
