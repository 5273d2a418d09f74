"""What is offered beside a reply, taken by its own words and never by a bare yes: like rows, bills that are due."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from agent.amending import item_of, once_more
from agent.evidence import Wording, calculated, cell_source
from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.markdown import sentence_case
from agent.state import Saying
from ledger.entries import Book, Entry, plain_description
from ledger.recurring import Due, bills_due, recurring_bills
from money import day_text

LIKE_ROWS = 50
"""rows that one card changes at most"""
BILLS = 5


def learnt(
    items: tuple[Item, ...], before: Book, book_now: Callable[[], Book]
) -> tuple[tuple[Saying, ...], tuple[Item, ...]]:
    """What is filed otherwise from now on because the user said so, and the like rows that could follow.

    The book as it is now is read only when a category was said.
    """
    sayings: list[Saying] = []
    others: list[Item] = []
    told = [item for item in items if not item.gone and not item.tags and item.category and item.category_said]
    if not told:
        return (), ()
    after = book_now()
    known, now = Knowledge.of(before), Knowledge.of(after)
    for item in told:
        name = plain_description(item.description or "")
        if not item.category or not name:
            continue
        stood = item.was.category if item.was else known.categorise(name)
        if stood is None or stood == item.category or now.categorise(name) != item.category:
            continue
        wording = Wording()
        shown, filed = wording.quote(sentence_case(name)), wording.quote(item.category)
        text = f"From now on I file {shown} under {filed}, as you said."
        like = _like(name, item.category, after)
        if like:
            cells = [entry.amount_cell for entry in like]
            count = wording.count(len(like), "other row", calculated(f"rows of {name} filed otherwise", cells))
            says = "says" if len(like) == 1 else "say"
            text += f" {count} {says} {shown} with another category: say **apply to like rows** to change them too."
            others += [
                replace(item_of(entry, item.words), category=item.category, category_said=True) for entry in like
            ]
        sayings.append(wording.saying(text))
    return tuple(sayings), tuple(others)


@dataclass(frozen=True)
class BillsDue:
    """Bills offered as ready entries; without one nothing is said."""

    sayings: tuple[Saying, ...] = ()
    items: tuple[Item, ...] = ()
    names: tuple[str, ...] = ()
    """by day and book, to offer each once a day"""


def bills_now_due(book: Book, today: date, told: tuple[str, ...], place: str = "") -> BillsDue:
    """The bills that are due by today and were not offered yet today; `place` is the book's path."""
    due = [
        each
        for each in bills_due(recurring_bills(book), today, today)
        if _name(each, place or book.name, today) not in told
    ]
    if not due:
        return BillsDue()
    wording = Wording()
    lines = []
    for each in due[:BILLS]:
        amount = wording.money(each.bill.amount, cell_source(each.bill.entries[-1].amount_cell))
        lines.append(f"{wording.quote(sentence_case(each.bill.description))} {amount}, due {day_text(each.day, today)}")
    which = "it" if len(due) == 1 else "them"
    listed = "\n".join(f"- {line}" for line in lines)
    text = f"A bill is due: {lines[0]}." if len(due) == 1 else f"Bills are due:\n{listed}"
    items = tuple(once_more(each.bill.entries[-1], each.bill.description, today, today) for each in due[:BILLS])
    saying = wording.saying(f"{text}\n\nIf it was paid, say **add {which}** and I put {which} on a card.")
    return BillsDue((saying,), items, tuple(_name(each, place or book.name, today) for each in due))


def _name(due: Due, place: str, today: date) -> str:
    return f"{today.isoformat()} {place} {due.bill.description}"


def _like(name: str, category: str, book: Book) -> list[Entry]:
    """The rows of the same description that are filed otherwise."""
    return [
        entry
        for entry in book.entries
        if entry.direction == "DEBIT"
        and entry.category not in (None, category)
        and not entry.is_transfer
        and plain_description(entry.description).casefold() == name.casefold()
    ][:LIKE_ROWS]
