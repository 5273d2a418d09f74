"""A budget book on this computer: read when it changed, written by plan, patch and verifier, undone, restored.

    BookStore.change ──► DurableFile.replace(build)             lock, journal, versions, exactly once (ledger.durable)
                              build = plan_changes ► overdrafts? ► patch ► verify

A refusal of any kind leaves the book, and everything beside it, as it was.

    BookRefused (ledger.entries)   the message says what to do; also BookMissing, BookBusy, BookChanged, RequestReused
      ├─ Overdrawn                 a mode would fall below zero: carries the three figures of each
      └─ NothingToUndo             there is no write that may be taken back
"""

import json
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

from ledger.book import read_book
from ledger.changes import Mend, Plan
from ledger.durable import BookBusy, BookChanged, BookMissing, Change, Content, DurableFile, RequestReused, Version
from ledger.edits import Add, Delete, Edit, EntryChange, NotStanding, day_of, draft_of, removed_of, told
from ledger.entries import MODE_NAMES, Book, BookRefused, Difference, Draft, Entry, Issue, Mode, Overdraft
from ledger.ground import Ground
from ledger.journal import Facts, JournalLine, undoable
from ledger.mending import plan_mends
from ledger.overrides import Overrides
from ledger.package import refusing_damage
from ledger.patch import patch
from ledger.plan import plan_changes
from ledger.reversal import NothingToUndo, chosen, later, reversed_changes, reversed_openings, steps_of, touched
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook
from ledger.years import Beside, Part, Several, Spread, Unfinished, next_years_book, path_of, spread, told_of
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
        super().__init__(f"Nothing was saved: {short}. Change an amount or a mode, or remove an item.")


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
    """`Budget_2026.xlsx#NOVEMBER!C24:J24`, in the order of the changes; where a deleted row stood"""
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

    `path` is the book, `home` Munshi's folder (everything but one temporary file beside the book lies in it). `reader`
    gives a workbook its meaning; a book that it reads as read only is never written.
    """

    def __init__(
        self,
        path: Path,
        home: Path,
        clock: Callable[[], datetime],
        reader: Callable[[Workbook], Book] = read_book,
    ) -> None:
        self._file = DurableFile(path, home, clock)
        self._home, self._clock, self._reader = home, clock, reader
        self._several = Unfinished(self._file.folder)
        self._overrides = Overrides(self._file.folder)
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._said: tuple[str, object, Opened] | None = None
        """the book last opened with what a person said of it"""
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
        self._finish()
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
        """Add the drafts: as `change`."""
        changes = tuple(Add(draft) for draft in drafts)
        return self.change(changes, request=request, who=who, openings=openings, expected=expected)

    def preview(self, changes: Sequence[EntryChange], openings: Mapping[Mode, Decimal] | None = None) -> Plan:
        """The very plan that `change` would carry out on the book as it is now, without writing.

        Where all rows are of another year it is that year's book's plan; of several years, this one's, with notes on
        the others. Raises BookChanged for an entry that no longer stands as it was read, and BookRefused as `change`
        does; a batch that overdraws is planned and carries its `overdrafts`.
        """
        opened, openings = self.read(), dict(openings or {})
        _refuse_read_only(opened.book)
        to = self._spread(opened, changes, openings)
        own = to.of(opened.book.year) or Part(opened.book.year, self.name, (), {})
        others = [part for part in to.parts if part.year != own.year]
        if not others:
            plan = self._plan(opened, own.changes, own.openings)
            return replace(plan, notes=(*plan.notes, *own.notes, *to.notes))
        changed = [part for part in others if part.changes]
        alone = len(changed) == 1 and not own.changes and not openings
        chief: Plan | None = None if alone else self._plan(opened, own.changes, own.openings)
        notes: tuple[str, ...] = (*own.notes, *to.notes)
        for part in others:
            _, ground = self._named(part.name).ground(opened.book, part)
            theirs = plan_changes(ground.workbook, ground.book, part.changes, part.openings)
            notes += told_of(part, theirs)
            if chief is None and part.changes:
                chief = theirs
            elif theirs.overdrafts:
                raise Overdrawn(theirs.overdrafts)
        if chief is None:
            raise BookRefused("There is nothing to write.")
        return replace(chief, notes=notes if alone else (*chief.notes, *notes))

    def change(
        self,
        changes: Sequence[EntryChange],
        *,
        request: str,
        who: str,
        openings: Mapping[Mode, Decimal] | None = None,
        expected: str | None = None,
    ) -> Receipt:
        """Add, edit and delete entries, all or none, once for each request id however often it comes.

        `expected` is the hash of the book the user was shown. When another program changed the book since, the changes
        are planned anew on it and the receipt says so; where that change meets them, BookChanged. Raises Overdrawn,
        BookBusy, BookMissing, RequestReused, and BookRefused for whatever cannot be done safely.
        """
        changes, openings = tuple(changes), dict(openings or {})
        shown = expected
        notes: tuple[str, ...] = ()
        with suppress(BookMissing):  # said below, unless this was asked and done before
            opened = self.read()
            _refuse_read_only(opened.book)
            if not self.is_done(request):
                to = self._spread(opened, changes, openings)
                notes = to.notes
                if any(part.year != opened.book.year for part in to.parts):
                    return _receipt(self._change_years(Several(request, who, changes, openings, to), expected))

        def build(current: Content) -> Change:
            nonlocal shown
            opened = self._open(current)
            moved = shown is not None and shown != current.sha256
            if moved:
                self._refuse_meeting(opened.book, changes, openings, shown or "")
            shown = shown or current.sha256
            return self._planned(opened, changes, openings, notes, redone=moved)

        return _receipt(
            self._file.replace(request=request, content=_content_hash("write", changes, openings), who=who, build=build)
        )

    def is_done(self, request: str) -> bool:
        """Whether this request was carried out already: what it asked for is not looked at again."""
        return any(line.request == request and line.outcome == "done" for line in self.history())

    def _spread(
        self, opened: Opened, changes: Sequence[EntryChange], openings: Mapping[Mode, Decimal | None]
    ) -> Spread:
        """A write by the books it goes to; a table of a person's own holds any year."""
        book = opened.book
        if book.tables:
            places = tuple((book.year, place) for place in range(len(changes)))
            return Spread((Part(book.year, self.name, tuple(changes), openings),), places)

        def name(year: int) -> str:
            return self.name if year == book.year else path_of(self.path, book.year, year).name

        def there(year: int) -> Book | None:
            try:
                return self._named(name(year)).of_year(year)
            except BookMissing:
                return None

        def takes(year: int, carried: Mapping[Mode, Decimal]) -> None:
            other = self._named(name(year)).read()
            plan_changes(other.workbook, other.book, (), carried)

        return spread(book, changes, openings, Beside(name, there, takes, self._clock().date()))

    def _change_years(self, asked: Several, expected: str | None) -> JournalLine:
        """Write to this year's book and to others beside it: all of it now or, after a crash, before the next read."""
        receipts: dict[int, Receipt] = {}

        def build(current: Content) -> Change:
            opened = self._open(current)
            own = asked.to.of(opened.book.year) or Part(opened.book.year, self.name, (), {})
            others = [part for part in asked.to.parts if part.year != own.year]
            if expected not in (None, current.sha256):
                self._refuse_meeting(opened.book, own.changes, asked.openings, expected or "")
            plan, data = None, current.data
            if own.changes or own.openings:
                plan = self._plan(opened, own.changes, own.openings)
                if plan.overdrafts:
                    raise Overdrawn(plan.overdrafts)
                data = self._carried_out(opened, plan)
            for part in others:
                if not self._named(part.name).is_done(asked.request):
                    self._named(part.name).would_take(opened.book, part)
            self._several.begin(asked)
            for part in others:
                receipts[part.year] = self._named(part.name).take(opened.book, part, asked, self.name)
            facts = self._facts(plan) if plan is not None else Facts("write", "", balances_before=opened.book.balances)
            cells = {own.year: facts.cells} | {year: receipt.cells for year, receipt in receipts.items()}
            last = max((part.year for part in others if part.changes), default=own.year)
            mine = own.changes or asked.openings or last == own.year
            facts = replace(
                facts,
                what=_what(asked.changes, asked.openings),
                cells=tuple(cells[year][place] for year, place in asked.to.places),
                balances=facts.balances if mine else receipts[last].balances,
                budget_left=(*facts.budget_left, *(left for each in receipts.values() for left in each.budget_left)),
                notes=(
                    *(facts.notes if mine else ()),
                    *own.notes,
                    *asked.to.notes,
                    *(note for each in receipts.values() for note in each.notes),
                ),
                elsewhere=tuple(part.name for part in others),
                carried=own.carried,
            )
            return Change(data, facts)

        content = _content_hash("write", asked.changes, asked.openings)
        try:
            line = self._file.replace(request=asked.request, content=content, who=asked.who, build=build)
        except BookRefused:
            # nothing is written yet: the refusal is the whole outcome. Otherwise the rest follows before the next read
            if not receipts:
                self._forget(asked)
            raise
        self._forget(asked)
        return line

    def _forget(self, asked: Several) -> None:
        found = self._several.found()
        if found is not None and found.request == asked.request:
            self._several.end()

    def _finish(self) -> None:
        """Finish a write over several books that a crash cut off."""
        asked = self._several.found()
        if asked is None:
            return
        try:
            if asked.undoes:
                self._undo(asked.request, asked.who, asked.undoes, asked.content)
                self._forget(asked)
            else:
                self._change_years(asked, None)
        except BookBusy:
            return  # its writer is alive, or the book is open elsewhere: later
        except BookRefused as refused:
            self._several.end()
            raise BookChanged(
                f"Munshi was stopped while saving {_what(asked.changes, asked.openings)} to several books, and it "
                f"cannot be finished now: {refused} Look in each of them what is there before saving it again."
            ) from refused

    def beside(self, book: Book, year: int) -> "BookStore":
        """The store of another year's book, which lies beside this one, whether or not the file is there."""
        return BookStore(path_of(self.path, book.year, year), self._home, self._clock)

    def of_year(self, year: int) -> Book:
        """This book, which must be that year's. Raises BookRefused when it is another's."""
        book = self.read().book
        if book.year != year:
            raise BookRefused(f"{self.name} is the book of {book.year}, not of {year}. Rename it.")
        return book

    def ground(self, book: Book, part: Part) -> tuple[bool, Opened]:
        """This book, of another year than `book`, to plan on: whether it is only begun now, and its parts."""
        try:
            self.of_year(part.year)
            return False, self.read()
        except BookMissing:
            if part.begins is None:
                raise
            workbook = Workbook(next_years_book(book, part.begins), self.name)
            return True, Opened(workbook, read_book(workbook))

    def would_take(self, book: Book, part: Part) -> None:
        """Refuse now what could not be written later."""
        self._file.refuse_if_open()
        _, ground = self.ground(book, part)
        plan = plan_changes(ground.workbook, ground.book, part.changes, part.openings)
        if plan.overdrafts:
            raise Overdrawn(plan.overdrafts)

    def take(self, book: Book, part: Part, asked: Several, of: str) -> Receipt:
        """Write what is this book's of a write to the book named `of`, beginning this one when it is not there."""

        def build(current: Content) -> Change:
            begun, ground = self.ground(book, part)
            if not begun:
                ground = self._open(current)
            plan = plan_changes(ground.workbook, ground.book, part.changes, part.openings)
            if plan.overdrafts:
                raise Overdrawn(plan.overdrafts)
            facts = replace(
                self._facts(plan),
                kind="undo" if asked.undoes else "write",
                what=_what(part.changes, part.openings),
                notes=told_of(part, plan),
                carried=part.carried,
                of=of,
            )
            return Change(self._carried_out(ground, plan), facts)

        content = _content_hash("write", part.changes, part.openings)
        line = self._file.replace(
            request=asked.request, content=content, who=asked.who, build=build, may_be_missing=True
        )
        return _receipt(line)

    def preview_mends(self, mends: Sequence[Mend]) -> Plan:
        """The plan that `mend` would carry out on the book as it is now."""
        opened = self.read()
        return plan_mends(opened.workbook, opened.book, mends)

    def mend(self, mends: Sequence[Mend], *, request: str, who: str) -> Receipt:
        """Type what cells that could not be read should say, once for each request id; raises as `change`."""
        mends = tuple(mends)

        def build(current: Content) -> Change:
            opened = self._open(current)
            plan = plan_mends(opened.workbook, opened.book, mends)
            facts = replace(
                self._facts(plan),
                what=f"{len(mends)} cell{'s' if len(mends) > 1 else ''} mended: "
                + _named(f"{each.issue.cell} read {each.issue.reads or 'nothing'}" for each in mends),
                cells=tuple(f"{self.name}#{each.issue.cell}" for each in mends),
            )
            return Change(self._carried_out(opened, plan), facts)

        asked = [
            [each.issue.cell, each.issue.reads, *(f"{column}={value}" for column, value in each.cells)]
            for each in mends
        ]
        content = _content_hash("mend", asked)
        return _receipt(self._file.replace(request=request, content=content, who=who, build=build))

    def undo(self, *, request: str, who: str, write: str | None = None) -> Undone:
        """Take back a write, by its request, or the last one that still stands.

        A book that is still what the write left gets back the very bytes from before. In one that was written to
        since, the write's rows are taken back where they stand as it left them. Raises NothingToUndo, naming what
        must be undone first, and what `change` raises.
        """
        self._finish()
        line = None if self.is_done(request) else chosen(self.history(), self.name, write)
        if line is not None and line.facts.of and line.facts.of != self.name:
            return self._named(line.facts.of).undo(request=request, who=who, write=line.request)
        return _undone(
            self._undo(request, who, write, _content_hash(*(("undo",) if write is None else ("undo", write))))
        )

    def _undo(self, request: str, who: str, write: str | None, content: str) -> JournalLine:
        begun: list[Several] = []

        def build(current: Content) -> Change:
            line = chosen(self.history(), self.name, write)
            change = self._taken_back(current, line)
            elsewhere, to = line.facts.elsewhere, self._carried_on(current, line)
            others = [part for part in to.parts if part.name != self.name]
            for part in others:
                self._named(part.name).would_take(self._open(current).book, part)
            for name in elsewhere:
                self._named(name).refuse_undo(line.request)
            if elsewhere or others:
                begun.append(Several(request, who, (), {}, to, line.request, content))
                self._several.begin(begun[-1])
            for name in elsewhere:
                self._named(name).undo_part(request=request, who=who, write=line.request)
            for part in others:
                self._named(part.name).take(self._open(current).book, part, begun[-1], self.name)
            notes = (*(note for part in others for note in part.notes), *to.notes)
            return replace(change, facts=replace(change.facts, notes=(*change.facts.notes, *notes)))

        line = self._file.replace(request=request, content=content, who=who, build=build)
        for each in begun[:1]:
            self._forget(each)
        return line

    def _carried_on(self, current: Content, line: JournalLine) -> Spread:
        """The opening balances of later years that follow when a write is taken back that touched this book alone."""
        facts = line.facts
        if facts.elsewhere or facts.of or not (facts.steps or facts.openings):
            return Spread((), ())
        opened = self._open(current)
        return self._spread(opened, self._reversed(opened, line), reversed_openings(line, opened.book))

    def undo_part(self, *, request: str, who: str, write: str) -> None:
        """Take back what a write to another year's book did here; nothing when it was taken back already."""
        if any(line.request == write for line in undoable(self.history())):
            self._undo(request, who, write, _content_hash("undo", write))

    def refuse_undo(self, write: str) -> None:
        """Refuse now what could not be taken back later. Raises BookRefused."""
        if any(line.request == write for line in undoable(self.history())):
            self._file.refuse_if_open()
            if refusal := self.undo_refusal(write, part=True):
                raise NothingToUndo(refusal)

    def can_undo(self, request: str) -> bool:
        """Whether `undo` without a request would now take back the write of this one: it is the last that stands."""
        standing = undoable(self.history())
        return bool(standing) and standing[-1].request == request and self.undo_refusal(request) is None

    def undo_refusal(self, request: str, *, part: bool = False) -> str | None:
        """Why the write of this request cannot be taken back now; None when it can.

        `part`: what it did to this book, when it was a write to another year's book.
        """
        try:
            current = self._file.read()
            line = chosen(self.history(), self.name, request)
            if current.sha256 != line.after or not line.before:
                self._reverse(self._open(current), line)
            if line.facts.of and line.facts.of != self.name and not part:
                return self._named(line.facts.of).undo_refusal(request)
            refusals = (self._named(name).undo_refusal(request, part=True) for name in line.facts.elsewhere)
            return next((refusal for refusal in refusals if refusal), None)
        except BookRefused as refused:
            return str(refused)

    def _named(self, name: str) -> "BookStore":
        return BookStore(self.path.with_name(name), self._home, self._clock)

    def ignore(self, issue: Issue) -> None:
        """Set a cell that cannot be read aside: it stops no total, until it reads something else. No cell changes."""
        self._overrides.ignore(issue)

    def show_again(self, issue: Issue) -> None:
        """Count an ignored cell among the issues again."""
        self._overrides.show_again(issue)

    def accept_differences(self, differences: Sequence[Difference]) -> None:
        """A person's word that the book may be written although it differs from its rows, so and not otherwise."""
        self._overrides.accept(differences)

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
            else:
                with refusing_damage(self.name):
                    workbook = Workbook(content.data, self.name)
                    self._opened[content.sha256] = Opened(workbook, self._reader(workbook))
            while len(self._opened) > BOOKS_REMEMBERED:
                self._opened.popitem(last=False)
            opened, said = self._opened[content.sha256], self._overrides.state()
            if self._said is None or self._said[:2] != (content.sha256, said):
                book = self._overrides.applied(opened.book)
                known = opened if book is opened.book else Opened(opened.workbook, book)
                self._said = content.sha256, said, known
            return self._said[2]

    def _plan(self, opened: Opened, changes: tuple[EntryChange, ...], openings: Mapping[Mode, Decimal | None]) -> Plan:
        try:
            return plan_changes(opened.workbook, opened.book, changes, openings)
        except NotStanding as gone:
            raise BookChanged(f"{self._saved_last(opened)} {gone}") from gone

    def _saved_last(self, opened: Opened) -> str:
        """Who saved the book as it stands, and when: `Excel saved this book at 18:20.`"""
        line = next((line for line in reversed(self.history()) if line.after == opened.book.sha256), None)
        if line is not None:
            return f"{line.who} changed this book at {line.at:%H:%M} ({line.facts.what})."
        return f"{_program(opened.workbook)} saved this book at {self._file.saved_at():%H:%M}."

    def _planned(
        self,
        opened: Opened,
        changes: tuple[EntryChange, ...],
        openings: Mapping[Mode, Decimal],
        more: tuple[str, ...],
        *,
        redone: bool,
    ) -> Change:
        plan = self._plan(opened, changes, openings)
        if plan.overdrafts:
            raise Overdrawn(plan.overdrafts)
        notes = (*plan.notes, *more)
        if redone:
            notes = (
                f"{self.name} had been changed since this was shown; this was planned anew on the book as it is now.",
                *notes,
            )
        facts = replace(self._facts(plan), what=_what(changes, openings), notes=notes)
        return Change(self._carried_out(opened, plan), facts)

    def _carried_out(self, opened: Opened, plan: Plan) -> bytes:
        """The new bytes of the book, checked."""
        after = patch(opened.workbook, plan)
        try:
            verify(opened.workbook.data, after, plan)
        except WriteRejected as rejected:
            raise BookRefused(
                f"{self.name} was left as it is. The check before saving rejected the new file: {rejected}."
            ) from rejected
        return after

    def _facts(self, plan: Plan) -> Facts:
        places = {row.item: row.cells_ref for row in plan.rows}
        stood = [c.was.cells if isinstance(c, Delete) else places[item] for item, c in enumerate(plan.changes, 1)]
        return Facts(
            kind="write",
            what="",
            cells=tuple(f"{self.name}#{cells}" for cells in stood),
            balances=plan.balances_after,
            balances_before=plan.balances_before,
            budget_left=plan.budget_left,
            notes=plan.notes,
            steps=steps_of(plan),
            openings=tuple((each.mode, each.before, each.after) for each in plan.openings),
        )

    def _taken_back(self, current: Content, line: JournalLine) -> Change:
        if current.sha256 == line.after and line.before:
            facts = Facts("undo", "", balances=line.facts.balances_before, balances_before=line.facts.balances)
            after = self._file.version(line.before)
        else:
            opened = self._open(current)
            plan = self._reverse(opened, line)
            balances = opened.book.balances
            facts = Facts("undo", "", balances=balances, balances_before=balances)
            after = current.data
            if plan is not None:
                facts, after = self._facts(plan), self._carried_out(opened, plan)
        what = f"undo of {line.facts.what}"
        undone = replace(facts, kind="undo", what=what, cells=line.facts.cells, undoes=line.request)
        return Change(after, undone)

    def _reverse(self, opened: Opened, line: JournalLine) -> Plan | None:
        """The plan that takes a write's rows back in the book as it is now; None where all were another book's.

        Raises NothingToUndo when it cannot.
        """
        if line.facts.elsewhere and not line.facts.steps and not line.facts.openings:
            return None
        if not line.facts.steps and not line.facts.openings:
            raise NothingToUndo(
                f"{self.name} was changed after {line.facts.what}, so going back would lose that change. Restore a "
                "version instead."
            )
        changes, openings = self._reversed(opened, line), reversed_openings(line, opened.book)
        try:
            plan = plan_changes(opened.workbook, opened.book, changes, openings)
        except NotStanding as gone:
            raise touched(line, gone.was, later(self.history(), line, gone.was), self.name) from gone
        if plan.overdrafts:
            short = plan.overdrafts[0]
            raise NothingToUndo(
                f"Without {line.facts.what}, {MODE_NAMES[short.mode]} would be {rupees(short.short)} short: what came "
                "in was spent since. Undo or change that first."
            )
        return plan

    @staticmethod
    def _reversed(opened: Opened, line: JournalLine) -> tuple[EntryChange, ...]:
        """The changes that take a write's rows back, in a book without a category column with their colours."""
        book = opened.book
        if book.tables or not book.months or Ground.of(opened.workbook, book).table(book.months[0]).last_column == "J":
            return reversed_changes(line)
        return reversed_changes(line, book, {each.group: each.name for each in reversed(book.budget)})

    def _refuse_meeting(
        self, book: Book, changes: tuple[EntryChange, ...], openings: Mapping[Mode, Decimal], shown: str
    ) -> None:
        """Refuse where somebody else's change meets these rows: the same row came in, or the same opening balance."""
        with self._guard:
            before = self._opened.get(shown)
        added = _rows(book) - (_rows(before.book) if before else Counter())
        for was in removed_of(changes):
            self._refuse_touched(book, was, before)
        new = (change.draft for change in changes if isinstance(change, Add))
        twice = next((draft for draft in new if _row(draft) in added), None)
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

    def _refuse_touched(self, book: Book, was: Entry, shown: Opened | None) -> None:
        """Refuse to change an entry that somebody else has changed or deleted, an equal one left behind or not."""
        there = _rows(book)[_row(draft_of(was))]
        if shown is not None and there < _rows(shown.book)[_row(draft_of(was))]:
            raise BookChanged(
                f"{self.name} was changed since this was shown: {told(was)} was changed or deleted meanwhile. Nothing "
                "was saved; look again."
            )

    def _balances(self, content: Content) -> Mapping[Mode, Decimal]:
        try:
            return self._open(content).book.balances
        except BookRefused:
            return {}  # a damaged book may be replaced by a good version, and taken back


def _rows(book: Book) -> Counter[tuple[object, ...]]:
    return Counter(map(_row, map(draft_of, book.entries)))


def _row(draft: Draft) -> tuple[object, ...]:
    return (draft.date, draft.stored_description, draft.mode, draft.direction, draft.amount)


def _what(changes: tuple[EntryChange, ...], openings: Mapping[Mode, Decimal | None]) -> str:
    parts = []
    added = [change.draft for change in changes if isinstance(change, Add)]
    edited = [change for change in changes if isinstance(change, Edit)]
    deleted = [draft_of(change.was) for change in changes if isinstance(change, Delete)]
    if added:
        parts.append(f"{_rows_counted(len(added))}: {_named(map(_short, added))}")
    if edited:
        parts.append(f"{_rows_counted(len(edited))} edited: {_named(map(_difference, edited))}")
    if deleted:
        parts.append(f"{_rows_counted(len(deleted))} deleted: {_named(map(_short, deleted))}")
    parts += [
        f"opening {MODE_NAMES[mode]} {'none' if amount is None else f'{amount:.2f}'}"
        for mode, amount in openings.items()
    ]
    return "; ".join(parts)


def _rows_counted(count: int) -> str:
    return f"{count} row{'s' if count > 1 else ''}"


def _named(rows: Iterable[str]) -> str:
    names = list(rows)
    return ", ".join([*names[:3], *([f"{len(names) - 3} more"] if names[3:] else [])])


def _short(draft: Draft) -> str:
    return f"{draft.stored_description} {draft.amount:.2f}"


def _difference(change: Edit) -> str:
    """`COFFEE 100.00 is 120.00`, and likewise for whatever else is changed."""
    was, now = draft_of(change.was), change.draft
    pairs = (
        (was.stored_description, now.stored_description),
        (f"{was.amount:.2f}", f"{now.amount:.2f}"),
        (day_of(was.date), day_of(now.date)),
        (MODE_NAMES[was.mode], MODE_NAMES[now.mode]),
        (was.direction.capitalize(), now.direction.capitalize()),
        (was.category or "no category", now.category or "no category"),
    )
    differing = [f"{before} is {after}" for before, after in pairs if before != after]
    return f"{_short(was)}: {', '.join(differing) or 'nothing'}"


def _program(workbook: Workbook) -> str:
    """The program that wrote a file, as it says of itself."""
    if "docProps/app.xml" in workbook.part_names:
        found = re.search(rb"<Application>(?:Microsoft )?([A-Za-z]+)", workbook.part("docProps/app.xml"))
        if found:
            return found[1].decode()
    return "Another program"


def _content_hash(*asked: object) -> str:
    """What a request asks for, as a hash: equal askings hash alike in every process and version."""
    return sha256(json.dumps(asked, default=_plain, ensure_ascii=False).encode(errors="surrogatepass")).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Add):
        return _plain(value.draft)
    if isinstance(value, Edit):
        return {"was": _place(value.was), "draft": _plain(value.draft)}
    if isinstance(value, Delete):
        return {"was": _place(value.was)}
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


def _place(entry: Entry) -> object:
    return [_plain(draft_of(entry)), entry.sheet, entry.row]


def _refuse_read_only(book: Book) -> None:
    """Before rows of another year are sent to the book beside it."""
    if book.read_only:
        raise BookRefused(book.read_only)


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
