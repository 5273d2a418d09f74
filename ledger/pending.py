"""Changes a person has typed but not saved: kept as typed, held against the book, and put in order for one write.

    typed / deleted / added / split ──► Pending ─┬─► lines      what the card shows, before and after
                                                 ├─► problems   cells that cannot be saved as they are, in sentences
                                                 ├─► changes    what the write is asked for
                                                 └─► rebased    the same on a book that was changed meanwhile

What was typed is never lost: an amount that is none stays as it was typed until it is mended or discarded.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple, cast

from ledger.changes import Mend, Plan
from ledger.edits import Add, Delete, Edit, EntryChange
from ledger.entries import MODE_NAMES, MODES, Book, Direction, Draft, Entry, Issue, Mode
from money import grouped, parse_amount, rupees
from money.days import day_text

Field = Literal["date", "description", "out", "in", "mode", "category"]

FIELDS: Mapping[Field, str] = {
    "date": "Date",
    "description": "Description",
    "out": "Out",
    "in": "In",
    "mode": "Mode",
    "category": "Category",
}
"""the columns one may type in, as they are called"""

Place = tuple[str, int, str]
_PAISA = Decimal("0.01")


@dataclass(frozen=True)
class Typed:
    """A row of the book and the cells typed over it."""

    was: Entry
    cells: Mapping[Field, str]
    """as typed: a day as 2026-11-30, a mode by its code, nothing as an empty text"""


@dataclass(frozen=True)
class Pending:
    """Everything not saved yet, in the order it was done."""

    edits: tuple[Typed, ...] = ()
    deletes: tuple[Entry, ...] = ()
    adds: tuple[Draft, ...] = ()
    fixes: tuple[Mend, ...] = ()
    """cells that could not be read, typed right; they are saved before anything else"""
    openings: tuple[tuple[Mode, Decimal], ...] = ()
    """opening balances typed"""

    def __len__(self) -> int:
        return len(self.edits) + len(self.deletes) + len(self.adds) + len(self.fixes) + len(self.openings)

    def cells_of(self, entry: Entry) -> Mapping[Field, str]:
        """What is typed over that row; empty when nothing is."""
        return next((edit.cells for edit in self.edits if place(edit.was) == place(entry)), {})


class Problem(NamedTuple):
    """A cell that cannot be saved as it was typed."""

    was: Entry
    field: Field
    sentence: str
    """names the row and the column, and says what to do"""


@dataclass(frozen=True)
class Line:
    """One change as the card shows it."""

    kind: Literal["edit", "delete", "add", "fix", "opening"]
    of: Place | Draft | Issue | Mode
    """what it is about: where a row stands, the new row itself, the unread cell, the mode"""
    fields: tuple[Field, ...]
    """of an edit, the cells it is about"""
    cell: str
    """`NOVEMBER!F18`; empty for a row that is not in the book yet"""
    description: str
    day: date | None
    """None: it is about no row"""
    what: str
    """`amount`, `category`, `new entry`, `deleted`"""
    before: str
    """empty: there was nothing"""
    after: str


@dataclass(frozen=True)
class Lost:
    """A change whose row is not in the book any more as it was."""

    was: Entry
    now: Entry | None
    """what stands in its place; None: nothing"""


@dataclass(frozen=True)
class Rebased:
    """Pending changes put onto another state of the book."""

    pending: Pending
    lost: tuple[Lost, ...]
    fixes_lost: tuple[Issue, ...] = ()
    """unread cells that read something else by now, so that what was typed for them was left out"""


@dataclass(frozen=True)
class Differences:
    """What another program changed in a book: rows it has now, and rows it had."""

    came: tuple[Entry, ...]
    went: tuple[Entry, ...]


def place(entry: Entry) -> Place:
    """Where a row stands; of tables side by side, in which."""
    return entry.sheet, entry.row, entry.place.first if entry.place else ""


def texts(entry: Entry) -> dict[Field, str]:
    """A row's cells as they would be typed."""
    amount = grouped(entry.amount)
    return {
        "date": entry.date.isoformat(),
        "description": entry.description,
        "out": amount if entry.direction == "DEBIT" else "",
        "in": amount if entry.direction == "CREDIT" else "",
        "mode": entry.mode,
        "category": entry.category or "",
    }


# typing


def typed(pending: Pending, entry: Entry, cells: Mapping[Field, str]) -> Pending:
    """Cells typed over a row, on top of what was typed over it before; what stands there anyway is no change."""
    standing = texts(entry)
    merged = {**pending.cells_of(entry), **cells}
    kept = {field: text.strip() for field, text in merged.items() if not _same(field, text, standing[field])}
    edits = {place(edit.was): edit for edit in pending.edits}
    if kept:
        edits[place(entry)] = Typed(entry, kept)
    else:
        edits.pop(place(entry), None)
    return replace(pending, edits=tuple(edits.values()))


def deleted(pending: Pending, entries: Iterable[Entry]) -> Pending:
    """Rows to be taken out; what was typed over them is given up."""
    gone = {place(entry): entry for entry in (*pending.deletes, *entries)}
    return replace(
        pending,
        deletes=tuple(gone.values()),
        edits=tuple(edit for edit in pending.edits if place(edit.was) not in gone),
    )


def added(pending: Pending, draft: Draft) -> Pending:
    """A new row."""
    return replace(pending, adds=(*pending.adds, draft))


def fixed(pending: Pending, mend: Mend) -> Pending:
    """An unread cell typed right; typed again, the last one counts."""
    return replace(pending, fixes=(*(fix for fix in pending.fixes if fix.issue != mend.issue), mend))


def opened(pending: Pending, book: Book, openings: Mapping[Mode, Decimal]) -> Pending:
    """Opening balances typed; what the book says already is no change."""
    merged = {**dict(pending.openings), **openings}
    kept = tuple((mode, amount) for mode, amount in merged.items() if book.openings.get(mode) != amount)
    return replace(pending, openings=kept)


def joined(mine: Pending, theirs: Pending) -> Pending:
    """Two visits' changes together; of a cell that both typed over, mine stays."""
    together = theirs
    for edit in mine.edits:
        together = typed(together, edit.was, edit.cells)
    together = deleted(together, mine.deletes)
    for fix in mine.fixes:
        together = fixed(together, fix)
    return replace(
        together,
        adds=(*theirs.adds, *mine.adds),
        openings=tuple({**dict(theirs.openings), **dict(mine.openings)}.items()),
    )


def split(pending: Pending, entry: Entry, part: Draft) -> Pending:
    """A part of a row becomes a row of its own; the row keeps the rest of its amount."""
    field: Field = "out" if entry.direction == "DEBIT" else "in"
    return added(typed(pending, entry, {field: grouped(entry.amount - part.amount)}), part)


def dropped(pending: Pending, line: Line) -> Pending:
    """Without that change; the other cells typed over its row stay."""
    match line.kind:
        case "edit":
            edits = (
                Typed(edit.was, {field: text for field, text in edit.cells.items() if field not in line.fields})
                if place(edit.was) == line.of
                else edit
                for edit in pending.edits
            )
            return replace(pending, edits=tuple(edit for edit in edits if edit.cells))
        case "delete":
            return replace(pending, deletes=tuple(entry for entry in pending.deletes if place(entry) != line.of))
        case "fix":
            return replace(pending, fixes=tuple(fix for fix in pending.fixes if fix.issue != line.of))
        case "opening":
            return replace(pending, openings=tuple(pair for pair in pending.openings if pair[0] != line.of))
        case _:
            adds = list(pending.adds)
            if line.of in adds:
                adds.remove(line.of)
            return replace(pending, adds=tuple(adds))


# what comes of it


def draft_of(entry: Entry, cells: Mapping[Field, str]) -> Draft | Problem:
    """The row as it would be written, or the first cell of it that cannot be."""
    values = {**texts(entry), **cells}
    try:
        day = date.fromisoformat(values["date"][:10])
    except ValueError:
        return _problem(entry, "date", "has no day. Choose one.")
    if not values["description"].strip():
        return _problem(entry, "description", "is empty. Say what it was.")
    money = _money(entry, values)
    if isinstance(money, Problem):
        return money
    direction, amount = money
    if values["mode"] not in MODES:
        return _problem(entry, "mode", "is empty. Choose one.")
    return Draft(day, values["description"].strip(), values["mode"], direction, amount, values["category"] or None)


def problems(pending: Pending) -> tuple[Problem, ...]:
    """The cells that cannot be saved as they were typed."""
    results = (draft_of(edit.was, edit.cells) for edit in pending.edits)
    return tuple(result for result in results if isinstance(result, Problem))


def changes(pending: Pending) -> tuple[EntryChange, ...]:
    """What the write is asked for; rows with a problem are left out."""
    asked: list[EntryChange] = []
    for edit in pending.edits:
        draft = draft_of(edit.was, edit.cells)
        if isinstance(draft, Draft):
            asked.append(Edit(edit.was, draft))
    asked += [Delete(entry) for entry in pending.deletes]
    asked += [Add(draft) for draft in pending.adds]
    return tuple(asked)


def lines(pending: Pending) -> tuple[Line, ...]:
    """A line for each cell typed, each row taken out and each new one."""
    shown: list[Line] = []
    for fix in pending.fixes:
        after = " and ".join(_value_text(value) for _, value in fix.cells if value is not None)
        shown.append(Line("fix", fix.issue, (), fix.issue.cell, "", None, "", fix.issue.reads or "nothing", after))
    for mode, amount in pending.openings:
        what = f"{MODE_NAMES[mode]} opening balance"
        shown.append(Line("opening", mode, (), "", "", None, what, "", rupees(amount)))
    for edit in pending.edits:
        shown += _edit_lines(edit)
    for entry in pending.deletes:
        before = _signed(entry.direction, entry.amount)
        shown.append(
            Line("delete", place(entry), (), entry.cells, entry.description, entry.date, "deleted", before, "")
        )
    for draft in pending.adds:
        what = " · ".join(("new entry", MODE_NAMES[draft.mode], *([draft.category] if draft.category else [])))
        after = _signed(draft.direction, draft.amount)
        shown.append(Line("add", draft, (), "", draft.stored_description, draft.date, what, "", after))
    return tuple(shown)


def consequences(plan: Plan) -> tuple[str, ...]:
    """What follows from the changes beside the rows themselves, in sentences for the card."""
    said: list[str] = []
    for mode in MODES:
        before, after = plan.balances_before.get(mode), plan.balances_after.get(mode)
        if before is not None and after is not None and before != after:
            said.append(f"{MODE_NAMES[mode]} closes at {rupees(after)} instead of {rupees(before)}")
    later = sum(shift.last - shift.first + 1 for shift in plan.shifts)
    if later:
        said.append(f"{later} later balance{'s follow' if later > 1 else ' follows'}")
    said += [
        f"{rupees(after)} left for {category} instead of {rupees(before)}"
        for category, before, after in plan.budget_left
    ]
    return (*said, *plan.notes)


# a book that was changed meanwhile


def rebased(pending: Pending, book: Book) -> Rebased:
    """The changes held against the book as it is now.

    A row that moved is found again by what stands in it, when there is just one such row. A row that is not there any
    more, or reads differently, is `lost`: its change is left out and nothing is guessed.
    """
    at = {place(entry): entry for entry in book.entries}
    alike: dict[tuple[object, ...], list[Entry]] = {}
    for entry in book.entries:
        alike.setdefault(_content(entry), []).append(entry)
    lost: list[Lost] = []

    def found(was: Entry) -> Entry | None:
        now = at.get(place(was))
        if now is not None and _content(now) == _content(was):
            return now
        same = alike.get(_content(was), [])
        if len(same) == 1:
            return same[0]
        lost.append(Lost(was, now))
        return None

    edits = tuple(Typed(now, edit.cells) for edit in pending.edits if (now := found(edit.was)))
    deletes = tuple(now for entry in pending.deletes if (now := found(entry)))
    unread = {(issue.cell, issue.reads) for issue in (*book.issues, *book.ignored)}
    fixes = tuple(fix for fix in pending.fixes if (fix.issue.cell, fix.issue.reads) in unread)
    openings = tuple((mode, amount) for mode, amount in pending.openings if book.openings.get(mode) != amount)
    gone = tuple(fix.issue for fix in pending.fixes if fix not in fixes)
    return Rebased(Pending(edits, deletes, pending.adds, fixes, openings), tuple(lost), gone)


def differences(before: Book, after: Book) -> Differences:
    """The rows that came into a book and those that went, by what stands in them; a changed row is one of each."""
    had, has = Counter(map(_content, before.entries)), Counter(map(_content, after.entries))
    return Differences(_extra(after, has - had), _extra(before, had - has))


def _extra(book: Book, wanted: Counter[tuple[object, ...]]) -> tuple[Entry, ...]:
    found = []
    for entry in book.entries:
        if wanted[_content(entry)] > 0:
            wanted[_content(entry)] -= 1
            found.append(entry)
    return tuple(found)


def _content(entry: Entry) -> tuple[object, ...]:
    return (entry.date, entry.description, entry.mode, entry.direction, entry.amount, entry.category)


def _same(field: Field, text: str, standing: str) -> bool:
    if field in ("out", "in"):
        return text.strip() == standing or (bool(standing) and parse_amount(text) == parse_amount(standing))
    return text.strip() == standing


def _money(entry: Entry, values: Mapping[Field, str]) -> tuple[Direction, Decimal] | Problem:
    out, came = values["out"].strip(), values["in"].strip()
    own: Field = "out" if entry.direction == "DEBIT" else "in"
    if out and came:
        return _problem(entry, "in" if own == "out" else "out", "is filled beside the other one. Empty one of them.")
    if not out and not came:
        return _problem(entry, own, "is empty, and so is the other one. Give an amount.")
    field: Field = "out" if out else "in"
    amount = parse_amount(out or came)
    if amount is None or amount <= 0:
        return _problem(entry, field, f"reads “{out or came}”, which is not an amount above zero.")
    if amount != amount.quantize(_PAISA):
        return _problem(entry, field, f"reads “{out or came}”, which is finer than a paisa.")
    return ("DEBIT" if field == "out" else "CREDIT"), amount


def _problem(entry: Entry, field: Field, says: str) -> Problem:
    row = f"{entry.description} of {day_text(entry.date, entry.date)} ({entry.cells})"
    return Problem(entry, field, f"{row}: {FIELDS[field]} {says}")


def _edit_lines(edit: Typed) -> list[Line]:
    was, standing = edit.was, texts(edit.was)

    def line(fields: tuple[Field, ...], cell: str, what: str, before: str, after: str) -> Line:
        return Line("edit", place(was), fields, cell, was.description, was.date, what, before, after)

    shown: list[Line] = []
    draft = draft_of(was, edit.cells)
    if "out" in edit.cells or "in" in edit.cells:
        after = (
            " and ".join(text for field in ("out", "in") if (text := {**standing, **edit.cells}[field])) or "nothing"
        )
        if isinstance(draft, Draft):
            turned = draft.direction != was.direction
            before = _signed(was.direction, was.amount) if turned else rupees(was.amount)
            after = _signed(draft.direction, draft.amount) if turned else rupees(draft.amount)
        else:
            before = rupees(was.amount)
        shown.append(line(("out", "in"), was.amount_cell, "amount", before, after))
    for field, text in edit.cells.items():
        if field in ("out", "in"):
            continue
        before, after = _shown(field, standing[field], was.date), _shown(field, text, was.date)
        shown.append(line((field,), was.cells, FIELDS[field].lower(), before, after))
    return shown


def _shown(field: Field, text: str, day: date) -> str:
    if not text:
        return "none"
    if field == "mode":
        return MODE_NAMES.get(cast("Mode", text), text)
    if field == "date":
        try:
            return day_text(date.fromisoformat(text[:10]), day)
        except ValueError:
            return text
    return text


def _value_text(value: object) -> str:
    """What is typed into an unread cell, for the card."""
    if isinstance(value, Decimal):
        return rupees(value)
    if isinstance(value, date):
        return day_text(value, value)
    return MODE_NAMES.get(cast("Mode", value), str(value))


def _signed(direction: Direction, amount: Decimal) -> str:
    return rupees(-amount) if direction == "DEBIT" else rupees(amount, sign=True)
