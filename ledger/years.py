"""The books of other years beside this one: which rows are theirs, where they lie, how a new one begins.

    rows of one write ─┬─ of this year ───────────────► this book
                       └─ of 2027 ──► Budget_2027.xlsx, begun with this year's closing balances when it is not there

A write that touches several books is written down before the first of them is touched. What a crash cut off is
finished, from what was written down, before a book is read again.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, cast

from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, day_of
from ledger.entries import MODES, Book, BookRefused, Draft, Mode
from ledger.journal import entry_of, record_of, sync_folder
from ledger.template import new_book


@dataclass(frozen=True)
class Split:
    """The changes of one write by the book they go to."""

    own: tuple[EntryChange, ...]
    others: Mapping[int, tuple[Add, ...]]
    """by year, in calendar order"""
    places: tuple[tuple[int, int], ...]
    """for each change as asked: its year, and its place among that year's changes"""


def split(changes: Sequence[EntryChange], year: int) -> Split:
    """The changes by the year of their rows. Raises BookRefused for an entry to be moved to another year."""
    own: list[EntryChange] = []
    others: dict[int, list[Add]] = {}
    places: list[tuple[int, int]] = []
    for change in changes:
        to = change.was.date.year if isinstance(change, Delete) else change.draft.date.year
        if to == year or isinstance(change, Delete):
            places.append((year, len(own)))
            own.append(change)
        elif isinstance(change, Edit):
            raise BookRefused(
                f"This is the book of {year}, and {day_of(change.draft.date)} {to} is of another year. Delete the row "
                f"here, and add it with its date: it goes to the book of {to}."
            )
        else:
            mine = others.setdefault(to, [])
            places.append((to, len(mine)))
            mine.append(change)
    return Split(tuple(own), {to: tuple(others[to]) for to in sorted(others)}, tuple(places))


def path_of(path: Path, own: int, year: int) -> Path:
    """Where another year's book lies: `Budget_2027.xlsx` beside `Budget_2026.xlsx`."""
    stem = re.sub(rf"(?<!\d){own}(?!\d)", str(year), path.stem)
    return path.with_name(f"{stem if stem != path.stem else f'{path.stem} {year}'}{path.suffix}")


def refuse_missing(book: Book, year: int, path: Path, draft: Draft) -> None:
    """Only the next year's book is begun by a row of it."""
    if year != book.year + 1:
        raise BookRefused(
            f"{draft.stored_description} is dated {day_of(draft.date)} {year}, and {book.name} is the book of "
            f"{book.year}. Put the book of {year} beside it, named {path.name}, or give the row another date."
        )


def next_years_book(book: Book, balances: Mapping[Mode, Decimal]) -> bytes:
    """Next year's book without rows: the same budget and word lists, opened with this year's closing balances."""
    openings = {mode: balances.get(mode, Decimal(0)) for mode in MODES}
    return new_book(book.year + 1, book.budget, openings, date(book.year + 1, 1, 1), book.lists, (), 1)


def told_of(name: str, year: int, plan: Plan, *, begun: bool) -> tuple[str, ...]:
    """Sentences for the card and the receipt: what goes to another year's book."""
    count = len(plan.rows)
    rows = f"{count} row{'s' if count > 1 else ''} of {year}"
    goes = f"{rows} {'goes' if count == 1 else 'go'} to {name}"
    if begun:
        return (f"{goes}, which is begun with the closing balances of {year - 1}.", *plan.notes)
    return (f"{goes}.", *plan.notes)


@dataclass(frozen=True)
class Several:
    """A write that touches several books, as it was asked for."""

    request: str
    who: str
    changes: tuple[EntryChange, ...]
    openings: Mapping[Mode, Decimal]


class Unfinished:
    """The write over several books that is going on, kept in this book's folder until all of it is done."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "several.json"

    def begin(self, several: Several) -> None:
        """Write down what is to be done; it is on the disk when this returns."""
        half = self._path.with_suffix(".tmp")
        half.write_text(json.dumps(_record(several), ensure_ascii=False), encoding="utf-8")
        with half.open("rb+") as file:
            os.fsync(file.fileno())
        half.replace(self._path)
        sync_folder(self._path.parent)

    def end(self) -> None:
        """All of it is done, or none of it will be."""
        self._path.unlink(missing_ok=True)

    def found(self) -> Several | None:
        """What was begun and not ended."""
        try:
            record = json.loads(self._path.read_bytes())
        except (FileNotFoundError, ValueError):
            return None  # a record cut short was never acted upon
        try:
            return _several(record)
        except (KeyError, TypeError, ValueError, InvalidOperation):
            return None


def _record(several: Several) -> dict[str, Any]:
    return {
        "request": several.request,
        "who": several.who,
        "changes": [
            [
                None if isinstance(change, Add) else record_of(change.was),
                None if isinstance(change, Delete) else _draft_record(change.draft),
            ]
            for change in several.changes
        ],
        "openings": {mode: str(amount) for mode, amount in several.openings.items()},
    }


def _draft_record(draft: Draft) -> list[Any]:
    amount = str(draft.amount)
    said = [draft.date.isoformat(), draft.description, draft.mode, draft.direction, amount, draft.category]
    return [*said, list(draft.tags)]


def _several(record: Mapping[str, Any]) -> Several:
    changes: list[EntryChange] = []
    for was, now in record["changes"]:
        entry = None if was is None else entry_of(was)
        draft = None
        if now is not None:
            day, words, mode, direction, amount, category, tags = now
            draft = Draft(date.fromisoformat(day), words, mode, direction, Decimal(amount), category, tuple(tags))
        if draft is not None:
            changes.append(Add(draft) if entry is None else Edit(entry, draft))
        elif entry is not None:
            changes.append(Delete(entry))
    openings = {cast("Mode", mode): Decimal(amount) for mode, amount in record["openings"].items()}
    return Several(record["request"], record["who"], tuple(changes), openings)
