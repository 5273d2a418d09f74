"""Rows of the book on a card: as an item before and after, as a change to be written, and in words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from agent.evidence import Wording
from agent.language.items import Item, Standing
from agent.markdown import sentence_case
from agent.state import Saying, Waiting
from agent.turn import Row, Source
from ledger.edits import Add, Delete, Edit, EntryChange
from ledger.entries import MODE_NAMES, Book, Entry, plain_description, tags_of
from money import day_text, rupees

SHOWN_AT_MOST = 6
"""rows that are offered to choose from"""


def item_of(entry: Entry, words: str) -> Item:
    """A row of the book as an item that changes nothing of it yet."""
    return Item(
        description=plain_description(entry.description) or entry.description,
        amount=entry.amount,
        mode=entry.mode,
        direction=entry.direction,
        date=entry.date,
        category=entry.category,
        category_said=True,
        tags=entry.tags,
        words=words,
        was=Standing.of(entry, entry.sheet, entry.row),
    )


def change_of(item: Item) -> EntryChange:
    """What saving an item does to the book."""
    if item.was is None:
        return Add(item.draft())
    return Delete(item.was.entry) if item.gone else Edit(item.was.entry, item.draft())


def row_of(standing: Standing) -> Row:
    """A row of the book as a Turn shows it."""
    entry = standing.entry
    return Row(
        entry.date, entry.description, entry.mode, entry.direction, entry.amount, entry.category, entry.amount_cell
    )


def found_again(rows: Sequence[Standing], book: Book) -> tuple[Entry, ...]:
    """The rows where they stand now; one that says something else meanwhile is left out."""
    if not rows:
        return ()
    found: list[Entry] = []
    for row in rows:
        alike = [entry for entry in book.entries if entry.amount == row.amount and row.is_of(entry)]
        place = next((entry for entry in alike if (entry.sheet, entry.row) == (row.sheet, row.row)), None)
        if alike and (entry := place or alike[-1]) not in found:
            found.append(entry)
    return tuple(found)


def with_partner(entry: Entry, book: Book) -> tuple[Entry, ...]:
    """The row, and the other one of a move between own modes, money out first."""
    if not entry.is_transfer or entry.tags:
        return (entry,)
    others = [
        other
        for other in book.entries
        if other.is_transfer
        and not other.tags
        and (other.amount, other.date) == (entry.amount, entry.date)
        and other.direction != entry.direction
        and other.mode != entry.mode
    ]
    if len(others) != 1:
        return (entry,)
    return tuple(sorted((entry, others[0]), key=lambda row: row.direction, reverse=True))


def same_moves(entries: Sequence[Entry], book: Book) -> bool:
    """Whether several rows are the two of one move between own modes."""
    return len(entries) == 2 and set(with_partner(entries[0], book)) == set(entries)


def differences_of(item: Item, wording: Wording, before: Source, after: Source) -> list[str]:
    """What an item changes of its row, a piece a field: `amount ₹500.00 → ₹600.00`, the amounts with their sources."""
    was = item.was
    if was is None:
        return []
    draft, told = item.draft(), []
    before_tags, after_tags = tags_of(was.description), tags_of(draft.stored_description)
    if before_tags != after_tags:
        names = (wording.quote(", ".join(tags) or "none") for tags in (before_tags, after_tags))
        told.append(f"tags {' → '.join(names)}")
    if plain_description(was.description) != plain_description(draft.stored_description):
        told.append(f"description {wording.quote(sentence_case(draft.stored_description))}")
    if was.amount != draft.amount:
        told.append(f"amount {wording.money(was.amount, before)} → {wording.money(draft.amount, after)}")
    if was.mode != draft.mode:
        told.append(f"mode {MODE_NAMES[was.mode]} → {MODE_NAMES[draft.mode]}")
    if was.direction != draft.direction:
        told.append("money in" if draft.direction == "CREDIT" else "money out")
    if (was.category or "").casefold() != (draft.category or "").casefold():
        told.append(f"category {wording.quote(was.category or 'none')} → {wording.quote(draft.category or 'none')}")
    if was.date != draft.date:
        told.append(f"date {day_text(was.date, draft.date)} → {day_text(draft.date, was.date)}")
    return told


def row_words(standing: Standing, wording: Wording, source: Source) -> str:
    """`₹500.00 for Petrol from PhonePe on 5 Nov`, the amount with its source."""
    amount = wording.money(standing.amount, source)
    way = "into" if standing.direction == "CREDIT" else "from"
    name = wording.quote(sentence_case(standing.description))
    return f"{amount} for {name} {way} {MODE_NAMES[standing.mode]} on {standing.date.day} {standing.date:%b}"


def choices(rows: Sequence[Standing], today: date) -> tuple[str, ...]:
    """The rows to choose from, numbered: `1. Petrol ₹500.00, 5 Nov, PhonePe`."""
    return tuple(
        f"{number}. {sentence_case(row.description)} {rupees(row.amount)}, {day_text(row.date, today)},"
        f" {MODE_NAMES[row.mode]}"
        for number, row in enumerate(rows, 1)
    )


def which(waiting: Waiting, today: date) -> Saying:
    """The question which of several rows is meant."""
    wording = Wording()
    rows = standing_of(waiting)
    lines = "\n".join(f"- {wording.quote(choice)}" for choice in choices(rows, today))
    verb = "delete" if any(item.gone for item in waiting.items) else "repeat" if waiting.repeats else "change"
    more = "These are the newest; say its day or amount for an older one.\n" if waiting.left else ""
    return wording.saying(f"Which one shall I {verb}? Say its number.\n{more}{lines}")


def standing_of(waiting: Waiting) -> tuple[Standing, ...]:
    """The rows of the book that a card or a question is about."""
    return tuple(item.was for item in waiting.items if item.was is not None)


def once_more(entry: Entry, words: str, day: date, today: date) -> Item:
    """A row of the book as a new one of another day; a day still to come is asked about."""
    to_come = day > today
    return replace(
        item_of(entry, words),
        description=plain_description(entry.description),
        date=None if to_come else day,
        doubts=(f"future_date:{day.isoformat()}",) if to_come else (),
        was=None,
    )


def deleted(item: Item) -> Item:
    """The item as one that deletes its row."""
    return replace(item, gone=True)
