"""What is asked of a book: a row added, an entry changed, an entry deleted. One list of these is one write.

    Add(draft)   Edit(was, draft)   Delete(was)  ──standing(book)──► the same, each `was` where it stands now

An entry is known by what it says and where it stands. One that only moved to another row meanwhile is found again; one
that says something else now is `NotStanding`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ledger.entries import MONTHS, Book, BookRefused, Draft, Entry
from money import rupees


@dataclass(frozen=True)
class Add:
    """A row to be written where its mode and day say."""

    draft: Draft


@dataclass(frozen=True)
class Edit:
    """An entry to say something else: `was` as it was read, `draft` as it shall be."""

    was: Entry
    draft: Draft


@dataclass(frozen=True)
class Delete:
    """An entry to be taken out of the book, as it was read."""

    was: Entry


EntryChange = Add | Edit | Delete


class NotStanding(BookRefused):
    """An entry to be changed no longer stands in the book as it was read."""

    def __init__(self, was: Entry, now: Entry | None) -> None:
        self.was = was
        self.now = now
        """what stands in its row instead"""
        stands = f"in its row stands {told(now)}" if now is not None else "its row is empty now"
        super().__init__(f"{was.cells} no longer reads {told(was)}: {stands}. Nothing was changed; look again.")


def drafts_of(changes: Iterable[EntryChange]) -> tuple[Draft, ...]:
    """The rows as they shall be: of what is added and what is edited, in order."""
    return tuple(change.draft for change in changes if not isinstance(change, Delete))


def removed_of(changes: Iterable[EntryChange]) -> tuple[Entry, ...]:
    """The entries that no longer stand as they were: what is edited and what is deleted, in order."""
    return tuple(change.was for change in changes if not isinstance(change, Add))


def draft_of(entry: Entry) -> Draft:
    """An entry as a draft that says the same: where an edit starts, and what adds a deleted entry again."""
    return Draft(entry.date, entry.description, entry.mode, entry.direction, entry.amount, entry.category)


def says_the_same(entry: Entry, draft: Draft) -> bool:
    """Whether a draft changes nothing of an entry."""
    return _said(draft_of(entry)) == _said(draft)


def told(row: Entry | Draft) -> str:
    """A row for a person: `GROCERIES ₹500.00 of 2 Nov`."""
    words = row.description if isinstance(row, Entry) else row.stored_description
    return f"{words} {rupees(row.amount)} of {day_of(row.date)}"


def day_of(day: date) -> str:
    """`2 Nov`."""
    return f"{day.day} {MONTHS[day.month - 1][:3].capitalize()}"


def standing(book: Book, changes: Sequence[EntryChange]) -> tuple[EntryChange, ...]:
    """Each change with its entry as it stands in this book. Raises NotStanding, and BookRefused for one asked twice."""
    if all(isinstance(change, Add) for change in changes):
        return tuple(changes)
    places = {_place(entry): entry for entry in book.entries}
    taken: set[_Place] = set()
    found: list[EntryChange] = []
    for change in changes:
        if isinstance(change, Add):
            found.append(change)
            continue
        now = _stands(book, change.was, places.get(_place(change.was)), taken)
        if _place(now) in taken:
            raise BookRefused(f"{told(now)} ({now.cells}) is to be changed twice at once. Keep one of the two changes.")
        taken.add(_place(now))
        found.append(replace(change, was=now))
    return tuple(found)


_Place = tuple[str, int, str]


def _place(entry: Entry) -> _Place:
    """Where an entry stands; of tables side by side, in which."""
    return entry.sheet, entry.row, entry.place.first if entry.place else ""


def _stands(book: Book, was: Entry, there: Entry | None, taken: set[_Place]) -> Entry:
    if there is not None and _identity(there) == _identity(was):
        return there
    alike = [
        entry
        for entry in book.entries
        if entry.amount == was.amount and _identity(entry) == _identity(was) and _place(entry) not in taken
    ]
    if not alike:
        raise NotStanding(was, there)
    return alike[-1]  # equal entries are told apart by nothing


def _identity(entry: Entry) -> tuple[object, ...]:
    return (*_said(draft_of(entry)), entry.sheet)


def _said(draft: Draft) -> tuple[object, ...]:
    category = (draft.category or "").casefold()
    return (draft.date, draft.stored_description, draft.mode, draft.direction, draft.amount, category)
