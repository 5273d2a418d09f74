"""Taking a write back when the book has been written to since: its rows undone one by one, where they still stand.

    added ► deleted     edited ► edited back     deleted ► added again     opening typed ► the one before

A row that a later write touched is that write's: it has to be undone first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of, standing, told
from ledger.entries import MODE_NAMES, Book, BookRefused, Entry, Mode, tags_of
from ledger.journal import JournalLine, Step, undoable


class NothingToUndo(BookRefused):
    """No write may be taken back; the message says why."""


def steps_of(plan: Plan) -> tuple[Step, ...]:
    """What a plan does to each entry: as it was, and as it is."""
    rows = {row.item: row for row in plan.rows}
    found = []
    for item, change in enumerate(plan.changes, 1):
        was = None if isinstance(change, Add) else change.was
        now = None
        if not isinstance(change, Delete):
            row, draft = rows[item], change.draft
            words = draft.stored_description
            category = draft.category if row.last_column == "J" or row.shape is not None else None
            said = (draft.date, words, draft.mode, draft.direction, draft.amount, category)
            now = Entry(*said, None, tags_of(words), row.sheet, row.row)
        found.append(Step(was, now))
    return tuple(found)


def reversed_changes(
    line: JournalLine, book: Book | None = None, by_group: Mapping[str, str] | None = None
) -> tuple[EntryChange, ...]:
    """The changes that take a write's rows back.

    `by_group` gives, for a book without a category column, a category for each group: such a row is known by its
    colour alone, and gets it back.
    """
    found: list[EntryChange] = []
    for was, now in ((step.was, step.now) for step in line.facts.steps):
        before = None if was is None else draft_of(was)
        if was is not None and before is not None and by_group is not None:
            before = replace(before, category=by_group.get(was.group or ""))
        if was is None and now is not None:
            found.append(Delete(now))
        elif now is None and before is not None:
            found.append(Add(before))
        elif was is not None and now is not None and before is not None:
            stands = _stands(book, now) if book is not None and by_group is not None else None
            if stands is not None and stands.group != was.group:
                found += [Delete(now), Add(before)]  # the colour of an edited row stays, that of a new one is its own
            else:
                found.append(Edit(now, draft_of(was)))
    return tuple(found)


def _stands(book: Book, entry: Entry) -> Entry | None:
    try:
        (found,) = standing(book, [Delete(entry)])
    except BookRefused:
        return None
    return found.was if isinstance(found, Delete) else None


def reversed_openings(line: JournalLine, book: Book) -> Mapping[Mode, Decimal | None]:
    """The opening balances from before a write. None: there was none. Raises NothingToUndo where another is typed now.

    One that follows the year before moves back by as much as it moved, whatever moved it since.
    """
    found: dict[Mode, Decimal | None] = {}
    for mode, before, after in line.facts.openings:
        now = book.openings.get(mode)
        if mode in line.facts.carried and before is not None and after is not None and now is not None:
            found[mode] = now + before - after
            continue
        if now != after:
            raise NothingToUndo(
                f"{line.facts.what} typed the opening balance of {MODE_NAMES[mode]}, and it was typed again since. "
                "Undo that first, type it in the book itself, or restore a version."
            )
        found[mode] = before
    return found


def chosen(lines: Sequence[JournalLine], name: str, write: str | None) -> JournalLine:
    """The write to be taken back: the one of that request, else the last that stands."""
    standing = undoable(tuple(lines))
    if write is None and standing:
        return standing[-1]
    if write is None:
        raise NothingToUndo(f"There is nothing to undo in {name}.")
    found = next((line for line in reversed(standing) if line.request == write), None)
    if found is None:
        raise NothingToUndo("That write does not stand any more: it was undone already, or never came to pass.")
    return found


def later(lines: Sequence[JournalLine], line: JournalLine, entry: Entry) -> JournalLine | None:
    """The write that touched an entry after `line` did, when one of those that stand has."""
    standing = undoable(tuple(lines))
    after = standing[standing.index(line) + 1 :] if line in standing else ()
    wanted = draft_of(entry)
    for other in after:
        touched_rows = [draft_of(step.was) for step in other.facts.steps if step.was is not None]
        if other.facts.kind == "restore" or wanted in touched_rows:
            return other
    return None


def touched(line: JournalLine, entry: Entry, other: JournalLine | None, name: str) -> NothingToUndo:
    """Why a write cannot be taken back: one of its rows is not as it left it."""
    if other is not None:
        return NothingToUndo(
            f"{told(entry)} was changed again at {other.at:%H:%M} by {other.who} ({other.facts.what}). Undo that "
            f"first, and then {line.facts.what}."
        )
    return NothingToUndo(
        f"{told(entry)} no longer stands in {name} as {line.facts.what} left it: another program changed it. Change "
        "the row itself, or restore a version."
    )
