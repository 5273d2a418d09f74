"""The audit trail of one book: who wrote what and when, and whether it came to pass. Appended to, never changed.

Each write leaves two records, a JSON object a line: its intent, on disk before the book is touched, and its outcome.

    intent ─┬─► done       the book holds the write's bytes
            ├─► aborted    the book still holds the bytes from before
            └─► conflict   it holds neither: somebody else changed it while the write was unfinished

An intent without an outcome is a write that was cut off; the book's own hash tells what became of it. A line torn by
a crash or a full disk was never acted upon and is passed over.
"""

import errno
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal, cast

from ledger.entries import BookRefused, Entry, Mode, tags_of

Kind = Literal["write", "undo", "restore"]
Outcome = Literal["pending", "done", "aborted", "conflict"]


@dataclass(frozen=True)
class Step:
    """What a write did to one entry: as it was (None: it was added), as it is (None: it was deleted)."""

    was: Entry | None
    now: Entry | None


@dataclass(frozen=True)
class Facts:
    """What a write says of itself: everything its receipt needs, so that it can be shown again without the book."""

    kind: Kind
    what: str
    """for a person: `1 row: GROCERIES 500.00`"""
    cells: tuple[str, ...] = ()
    """`Budget_2026.xlsx#NOVEMBER!C24:J24`, in the order of the rows shown"""
    balances: Mapping[Mode, Decimal] = field(default_factory=dict)
    balances_before: Mapping[Mode, Decimal] = field(default_factory=dict)
    budget_left: tuple[tuple[str, Decimal, Decimal], ...] = ()
    """category, left before, left after"""
    notes: tuple[str, ...] = ()
    undoes: str | None = None
    """the request that an undo took back"""
    steps: tuple[Step, ...] = ()
    """what was done to each entry, in the order of the changes; what an undo needs"""
    openings: tuple[tuple[Mode, Decimal | None, Decimal | None], ...] = ()
    """opening balances typed: mode, before (None: none), after"""
    elsewhere: tuple[str, ...] = ()
    """file names of the other years' books that this write touched, under the same request"""
    of: str = ""
    """the file name of the book whose write this is a part of; empty when it is this one"""
    carried: tuple[Mode, ...] = ()
    """the modes whose opening balance follows the year before"""


@dataclass(frozen=True)
class JournalLine:
    """One write: who, what, when, the book's hash before and after, and what became of it."""

    request: str
    content: str
    """a hash of what was asked for: the same request id must ask for the same"""
    who: str
    at: datetime
    before: str
    """SHA-256 of the book before; empty when there was none"""
    after: str
    facts: Facts
    outcome: Outcome = "pending"


class Journal:
    """The lines of one file, read once and then only as far as it has grown; any number of threads may read.

    Writers hold the book's lock. OSError of an append is the caller's to answer for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._forget()

    def lines(self) -> tuple[JournalLine, ...]:
        """Every write, oldest first, each with its outcome so far."""
        with self._guard:
            self._catch_up()
            return tuple(self._lines)

    def find(self, request: str) -> JournalLine | None:
        """The latest write of that request."""
        with self._guard:
            self._catch_up()
            at = self._latest.get(request)
            return None if at is None else self._lines[at]

    def unfinished(self) -> JournalLine | None:
        """The last write, when nothing is known of its outcome."""
        with self._guard:
            self._catch_up()
            return self._lines[-1] if self._lines and self._lines[-1].outcome == "pending" else None

    def intend(self, line: JournalLine) -> None:
        """Record a write before it is made; it is on the disk when this returns."""
        self._append({"step": "intent", **_plain(line)})

    def conclude(self, line: JournalLine, outcome: Outcome, at: datetime) -> JournalLine:
        """Record what became of a write; it is on the disk when this returns."""
        self._append({"step": outcome, "request": line.request, "at": at.isoformat()})
        return replace(line, outcome=outcome)

    def _append(self, record: Mapping[str, Any]) -> None:
        is_new = not self._path.exists()
        with self._path.open("a+b") as file:
            if is_new:
                self._path.chmod(0o600)
            end = file.seek(0, os.SEEK_END)
            if end:
                file.seek(end - 1)
                if file.read(1) != b"\n":  # a torn line: what follows must not be glued to it
                    file.write(b"\n")
            text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            file.write(text.encode(errors="surrogatepass") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_folder(self._path.parent)

    def _forget(self) -> None:
        self._lines: list[JournalLine] = []
        self._latest: dict[str, int] = {}
        self._read_to = 0
        self._inode = 0

    def _catch_up(self) -> None:
        try:
            self._read_on()
        except FileNotFoundError:
            self._forget()
        except OSError as error:
            raise BookRefused(
                f"Munshi's journal of this book, {self._path}, cannot be read: {error.strerror}. Nothing was changed."
            ) from error

    def _read_on(self) -> None:
        found = self._path.stat()
        if found.st_ino != self._inode or found.st_size < self._read_to:
            self._forget()
            self._inode = found.st_ino
        if found.st_size == self._read_to:
            return
        with self._path.open("rb") as file:
            file.seek(self._read_to)
            grown = file.read()
        whole = grown[: grown.rfind(b"\n") + 1]
        self._read_to += len(whole)
        for text in whole.splitlines():
            self._take(text)

    def _take(self, text: bytes) -> None:
        try:
            record = json.loads(text)
            step, request = record["step"], record["request"]
            if step == "intent":
                self._lines.append(_line(record))
                self._latest[request] = len(self._lines) - 1
            elif step in ("done", "aborted", "conflict") and request in self._latest:
                at = self._latest[request]
                self._lines[at] = replace(self._lines[at], outcome=step)
        except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
            return  # torn: see the module's docstring


def undoable(lines: tuple[JournalLine, ...]) -> tuple[JournalLine, ...]:
    """The writes that stand, oldest first: those that no undo took back."""
    taken_back = {line.facts.undoes for line in lines if line.outcome == "done" and line.facts.kind == "undo"}
    return tuple(
        line
        for line in lines
        if line.outcome == "done" and line.facts.kind != "undo" and line.request not in taken_back
    )


def sync_folder(folder: Path) -> None:
    """Make a file's new name in a folder survive a loss of power, where the file system knows how to."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _plain(line: JournalLine) -> dict[str, Any]:
    facts = line.facts
    return {
        "request": line.request,
        "content": line.content,
        "kind": facts.kind,
        "who": line.who,
        "what": facts.what,
        "at": line.at.isoformat(),
        "before": line.before,
        "after": line.after,
        "cells": list(facts.cells),
        "balances": _money(facts.balances),
        "balances_before": _money(facts.balances_before),
        "budget_left": [[category, str(before), str(after)] for category, before, after in facts.budget_left],
        "notes": list(facts.notes),
        "undoes": facts.undoes,
        "elsewhere": list(facts.elsewhere),
        "of": facts.of,
        "carried": list(facts.carried),
        "steps": [[each and record_of(each) for each in (step.was, step.now)] for step in facts.steps],
        "openings": [[mode, *map(_said, amounts)] for mode, *amounts in facts.openings],
    }


def _said(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)


def record_of(entry: Entry) -> list[Any]:
    """An entry as JSON has it."""
    said = (entry.date.isoformat(), entry.description, entry.mode, entry.direction, str(entry.amount))
    return [*said, entry.category, entry.group, entry.sheet, entry.row]


def entry_of(record: list[Any]) -> Entry:
    """The entry of a record."""
    day, words, mode, direction, amount, category, group, sheet, row = record
    tags = tags_of(words)
    return Entry(date.fromisoformat(day), words, mode, direction, Decimal(amount), category, group, tags, sheet, row)


def _line(record: Mapping[str, Any]) -> JournalLine:
    facts = Facts(
        kind=record["kind"],
        what=record["what"],
        cells=tuple(record["cells"]),
        balances=_amounts(record["balances"]),
        balances_before=_amounts(record["balances_before"]),
        budget_left=tuple((name, Decimal(before), Decimal(after)) for name, before, after in record["budget_left"]),
        notes=tuple(record["notes"]),
        undoes=record["undoes"],
        steps=tuple(Step(*(each and entry_of(each) for each in step)) for step in record.get("steps", ())),
        elsewhere=tuple(record.get("elsewhere", ())),
        of=record.get("of", ""),
        carried=tuple(record.get("carried", ())),
        openings=tuple(
            (mode, None if before is None else Decimal(before), None if after is None else Decimal(after))
            for mode, before, after in record.get("openings", ())
        ),
    )
    return JournalLine(
        request=record["request"],
        content=record["content"],
        who=record["who"],
        at=datetime.fromisoformat(record["at"]),
        before=record["before"],
        after=record["after"],
        facts=facts,
    )


def _money(amounts: Mapping[Mode, Decimal]) -> dict[str, str]:
    return {mode: str(amount) for mode, amount in amounts.items()}


def _amounts(record: Mapping[str, str]) -> dict[Mode, Decimal]:
    return {cast("Mode", mode): Decimal(amount) for mode, amount in record.items()}
