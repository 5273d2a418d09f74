"""The books of other years beside this one: which rows are theirs, where they lie, how a new one begins.

    rows of one write ─┬─ of this year ───────────────► this book
                       └─ of 2027 ──► Budget_2027.xlsx, begun with this year's closing balances when it is not there
    closing balances that move ──► the opening balances of the book after it, where they are these balances

An entry that gets a date of another year is deleted here and added there, in the same write.

A write that touches several books is written down before the first of them is touched. What a crash cut off is
finished, from what was written down, before a book is read again.
"""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, cast

from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, day_of, draft_of, told
from ledger.effects import effects
from ledger.entries import MODE_NAMES, MODES, Book, BookRefused, Draft, Mode
from ledger.journal import entry_of, record_of, sync_folder
from ledger.template import new_book
from money import rupees

CARRIED = Decimal("0.005")
"""balances that a program stored in binary differ by less"""


@dataclass(frozen=True)
class Part:
    """What one write does to the book of one year."""

    year: int
    name: str
    """of its file"""
    changes: tuple[EntryChange, ...]
    openings: Mapping[Mode, Decimal | None]
    """opening balances: typed by a person, or following the year before; None takes one away"""
    carried: tuple[Mode, ...] = ()
    """the modes whose opening balance follows the year before"""
    begins: Mapping[Mode, Decimal] | None = None
    """the balances that a book which is not there yet is begun with"""
    notes: tuple[str, ...] = ()
    """which opening balances follow, in sentences"""


@dataclass(frozen=True)
class Spread:
    """One write by the books it goes to."""

    parts: tuple[Part, ...]
    """by year; those that nothing happens to are left out"""
    places: tuple[tuple[int, int], ...]
    """for each change as asked: its year, and its place among that year's changes"""
    notes: tuple[str, ...] = ()
    """what does not follow, and what goes to another year, in sentences"""

    def of(self, year: int) -> Part | None:
        """What happens to the book of a year."""
        return next((part for part in self.parts if part.year == year), None)


def split(
    changes: Sequence[EntryChange], year: int
) -> tuple[dict[int, list[EntryChange]], tuple[tuple[int, int], ...], tuple[Edit, ...]]:
    """The changes by the year of their rows, the place of each, and the edits that take an entry to another year.

    Such an edit is a deletion here and a row added there.
    """
    found: dict[int, list[EntryChange]] = {}
    places: list[tuple[int, int]] = []
    moved: list[Edit] = []
    for change in changes:
        to = change.was.date.year if isinstance(change, Delete) else change.draft.date.year
        placed = change
        if isinstance(change, Edit) and to != year:
            moved.append(change)
            found.setdefault(year, []).append(Delete(change.was))
            placed = Add(change.draft)
        mine = found.setdefault(year if isinstance(change, Delete) else to, [])
        places.append((year if isinstance(change, Delete) else to, len(mine)))
        mine.append(placed)
    return found, tuple(places), tuple(moved)


@dataclass(frozen=True)
class Beside:
    """What is known of the books beside this one."""

    name: Callable[[int], str]
    """the file name of a year's book"""
    book: Callable[[int], Book | None]
    """a year's book; None when it is not there. Raises BookRefused"""
    takes: Callable[[int, Mapping[Mode, Decimal]], None]
    """raises BookRefused when a year's book cannot take these opening balances"""
    today: date


def spread(
    book: Book, changes: Sequence[EntryChange], openings: Mapping[Mode, Decimal | None], beside: Beside
) -> Spread:
    """One write by the books it goes to, the opening balances of later years that follow it among them.

    Raises BookRefused for rows of a year whose book is neither there nor the next one.
    """
    by_year, places, moved = split(changes, book.year)
    notes = [f"{told(each.was)} moves to {beside.name(each.draft.date.year)}." for each in moved]
    parts: list[Part] = []
    year, last = min([book.year, *by_year]), max([book.year, *by_year])
    before: Book | None = None
    gone: dict[Mode, Decimal] = {}
    """by how much each mode's balance at the end of the year before differs"""
    while year <= last or any(gone.values()):
        mine, typed = tuple(by_year.get(year, ())), openings if year == book.year else {}
        there, follow = None, _Follow({}, ())
        if mine or typed or any(gone.values()):
            try:
                there = book if year == book.year else beside.book(year)
                if there is not None and before is not None:
                    follow = _follows(there, before, gone, typed)
                if follow.openings and not mine and year != book.year:
                    beside.takes(year, follow.openings)
            except BookRefused as refused:
                if mine or typed:
                    raise
                notes.append(f"{beside.name(year)} opens with the balances it has: {refused}")
                there, follow = None, _Follow({}, ())
            else:
                if there is None and not mine and year <= beside.today.year:
                    notes.append(f"{beside.name(year)} is not beside it: its opening balances do not follow.")
        begins = None
        if there is None and mine:
            refuse_missing(book, year, Path(beside.name(year)), _draft(mine[0]))
            begins = {mode: book.balances.get(mode, Decimal(0)) + gone.get(mode, Decimal(0)) for mode in MODES}
        if mine or typed or follow.openings:
            both: dict[Mode, Decimal | None] = {**follow.openings, **typed}
            parts.append(Part(year, beside.name(year), mine, both, tuple(follow.openings), begins, follow.notes))
        else:
            notes += follow.notes
        gone = _moved(mine, typed, follow.openings, there) if there is not None else {}
        before, year = there, year + 1
    return Spread(tuple(parts), places, tuple(notes))


def _draft(change: EntryChange) -> Draft:
    return draft_of(change.was) if isinstance(change, Delete) else change.draft


@dataclass(frozen=True)
class _Follow:
    """The opening balances that follow the year before, and sentences on them and on those that do not."""

    openings: Mapping[Mode, Decimal]
    notes: tuple[str, ...]


def _follows(book: Book, before: Book, moved: Mapping[Mode, Decimal], typed: Mapping[Mode, Decimal | None]) -> _Follow:
    found: dict[Mode, Decimal] = {}
    follow, stay = [], []
    for mode, by in moved.items():
        if not by or mode in typed:
            continue
        opening, closed = book.openings.get(mode), before.balances.get(mode, Decimal(0))
        if opening is not None and abs(opening - closed) < CARRIED:
            found[mode] = opening + by
            follow.append(f"{rupees(opening + by)} instead of {rupees(opening)} in {MODE_NAMES[mode]}")
        else:
            opens = "no balance" if opening is None else rupees(opening)
            stay.append(
                f"{book.name} opens with {opens} in {MODE_NAMES[mode]}, typed otherwise than the {rupees(closed)} "
                f"that {before.year} closed with, and is left so."
            )
    said = [f"{book.name} opens with {', '.join(follow)}."] if follow else []
    return _Follow(found, (*said, *stay))


def _moved(
    changes: Sequence[EntryChange], typed: Mapping[Mode, Decimal | None], follow: Mapping[Mode, Decimal], book: Book
) -> dict[Mode, Decimal]:
    """By how much each mode's closing balance differs after a part of a write."""
    found: dict[Mode, Decimal] = {}
    for each in effects(changes):
        found[each.mode] = found.get(each.mode, Decimal(0)) + each.by
    for mode, amount in {**follow, **typed}.items():
        found[mode] = found.get(mode, Decimal(0)) + (amount or Decimal(0)) - (book.openings.get(mode) or Decimal(0))
    return found


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


def told_of(part: Part, plan: Plan) -> tuple[str, ...]:
    """Sentences for the card and the receipt: what a write does to another year's book."""
    if not plan.rows:
        return (*part.notes, *plan.notes)
    count = len(plan.rows)
    rows = f"{count} row{'s' if count > 1 else ''} of {part.year}"
    goes = f"{rows} {'goes' if count == 1 else 'go'} to {part.name}"
    begun = f", which is begun with the closing balances of {part.year - 1}" if part.begins is not None else ""
    return (f"{goes}{begun}.", *part.notes, *plan.notes)


@dataclass(frozen=True)
class Several:
    """A write that touches several books, as it was asked for."""

    request: str
    who: str
    changes: tuple[EntryChange, ...]
    openings: Mapping[Mode, Decimal]
    to: Spread
    undoes: str = ""
    """the request of the write that is taken back"""
    content: str = ""
    """a hash of what is asked for, of a write that is taken back"""


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
        "undoes": several.undoes,
        "content": several.content,
        "changes": _changes_record(several.changes),
        "openings": _money(several.openings),
        "places": several.to.places,
        "notes": several.to.notes,
        "parts": [
            {
                "year": part.year,
                "name": part.name,
                "changes": _changes_record(part.changes),
                "openings": _money(part.openings),
                "carried": part.carried,
                "begins": None if part.begins is None else _money(part.begins),
                "notes": part.notes,
            }
            for part in several.to.parts
        ],
    }


def _money(amounts: Mapping[Mode, Decimal | None]) -> dict[str, str]:
    return {mode: "" if amount is None else str(amount) for mode, amount in amounts.items()}


def _typed(record: Mapping[str, str]) -> dict[Mode, Decimal | None]:
    return {cast("Mode", mode): Decimal(amount) if amount else None for mode, amount in record.items()}


def _amounts(record: Mapping[str, str]) -> dict[Mode, Decimal]:
    return {mode: amount for mode, amount in _typed(record).items() if amount is not None}


def _changes_record(changes: Sequence[EntryChange]) -> list[list[Any]]:
    return [
        [
            None if isinstance(change, Add) else record_of(change.was),
            None if isinstance(change, Delete) else _draft_record(change.draft),
        ]
        for change in changes
    ]


def _draft_record(draft: Draft) -> list[Any]:
    amount = str(draft.amount)
    said = [draft.date.isoformat(), draft.description, draft.mode, draft.direction, amount, draft.category]
    return [*said, list(draft.tags)]


def _several(record: Mapping[str, Any]) -> Several:
    parts = [
        Part(
            part["year"],
            part["name"],
            _changes(part["changes"]),
            _typed(part["openings"]),
            tuple(part["carried"]),
            None if part["begins"] is None else _amounts(part["begins"]),
            tuple(part["notes"]),
        )
        for part in record["parts"]
    ]
    to = Spread(tuple(parts), tuple((year, place) for year, place in record["places"]), tuple(record["notes"]))
    said = _changes(record["changes"]), _amounts(record["openings"])
    return Several(record["request"], record["who"], *said, to, record["undoes"], record["content"])


def _changes(record: Sequence[Any]) -> tuple[EntryChange, ...]:
    changes: list[EntryChange] = []
    for was, now in record:
        entry = None if was is None else entry_of(was)
        draft = None
        if now is not None:
            day, words, mode, direction, amount, category, tags = now
            draft = Draft(date.fromisoformat(day), words, mode, direction, Decimal(amount), category, tuple(tags))
        if draft is not None:
            changes.append(Add(draft) if entry is None else Edit(entry, draft))
        elif entry is not None:
            changes.append(Delete(entry))
    return tuple(changes)
