"""The review card: what it shows, the id that names its content, and what saving it would change."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from agent.amending import change_of, row_of
from agent.language.items import Item
from agent.markdown import sentence_case
from agent.state import Toolbox, Waiting
from agent.turn import CardItem, Change
from ledger.entries import MODE_NAMES, Book, BookRefused, Entry, Mode, Overdraft, plain_description
from ledger.store import Overdrawn
from money import day_text, rupees

DAYS_ALIKE = 2
"""a row this many days before an item may be the same purchase"""


@dataclass(frozen=True)
class Preview:
    """What saving the card would change, or why it cannot be saved as it stands."""

    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str | None = None
    overdrafts: tuple[Overdraft, ...] = ()
    """the modes that saving would take below zero, which is refused"""
    seen: str = ""
    """hash of the book it was worked out for"""


def proposal_id(thread: str, waiting: Waiting) -> str:
    """The card's name: another thread, card, book or content is another proposal."""
    content = (thread, waiting.card, waiting.book, waiting.openings, waiting.items)
    return hashlib.sha256(repr(content).encode()).hexdigest()[:20]


def card_items(waiting: Waiting, book: Book) -> tuple[CardItem, ...]:
    """The card's lines."""
    return tuple(_card_item(number, item, book) for number, item in enumerate(waiting.items, 1))


def preview(waiting: Waiting, toolbox: Toolbox) -> Preview:
    """The same plan that a yes would carry out, without writing."""
    try:
        opened = toolbox.opened()
        plan = toolbox.store().preview([change_of(item) for item in waiting.items], openings_of(waiting))
    except Overdrawn as overdrawn:
        return Preview(overdrafts=overdrawn.overdrafts)
    except BookRefused as refused:
        return Preview(problem=str(refused))
    touched = touched_by(waiting.items)
    balances = tuple(
        Change(MODE_NAMES[mode], held(plan.balances_before, waiting, mode), plan.balances_after[mode])
        for mode in touched
    )
    budgets = tuple(Change(f"Left for {name}", before, after) for name, before, after in plan.budget_left)
    opened_with = tuple(
        f"{MODE_NAMES[mode]} opens with {rupees(amount)}." for mode, amount in openings_of(waiting).items()
    )
    return Preview(
        (*balances, *budgets),
        (*opened_with, *plan.notes, *rows_alike(waiting.items, opened.book)),
        overdrafts=tuple(plan.overdrafts),
        seen=opened.book.sha256,
    )


def rows_alike(items: tuple[Item, ...], book: Book) -> tuple[str, ...]:
    """A sentence for each new item that reads like a row of the last days: said on the card, and never in its way."""
    told = []
    for item in items:
        if item.was is None and item.amount and item.date:
            days = [item.date - timedelta(days=back) for back in range(DAYS_ALIKE + 1)]
            near = [entry for day in days for entry in _by_day(_State(book)).get(day, ())]
            alike = [entry for entry in near if entry.amount == item.amount and _reads_like(entry, item)]
            if alike:
                row = max(alike, key=lambda entry: (entry.date, entry.row))
                told.append(
                    f"{sentence_case(item.description or '')} may stand in the book already: {row.cells} has "
                    f"{sentence_case(row.description)} {rupees(row.amount)} on {day_text(row.date, item.date)}."
                )
    return tuple(told)


class _State:
    """One state of a book, as a key: told from another by the file's hash."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def __hash__(self) -> int:
        return hash(self.book.sha256)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _State) and other.book.sha256 == self.book.sha256


@lru_cache(
    maxsize=2
)  # a card is planned anew at every edit of it: the days are told apart once for a state of the book
def _by_day(state: _State) -> Mapping[date, list[Entry]]:
    days: dict[date, list[Entry]] = {}
    for entry in state.book.entries:
        days.setdefault(entry.date, []).append(entry)
    return days


def _reads_like(entry: Entry, item: Item) -> bool:
    """Whether a row of the same amount is of the item's day or the two before, the same way, in its mode or words."""
    if item.date is None or not 0 <= (item.date - entry.date).days <= DAYS_ALIKE or entry.direction != item.direction:
        return False
    same_words = plain_description(entry.description).casefold() == plain_description(item.description or "").casefold()
    return same_words or entry.mode == item.mode


def touched_by(items: tuple[Item, ...]) -> tuple[Mode, ...]:
    """The modes whose balance the items move: of a changed row the one it was of as well."""
    modes = (mode for item in items for mode in (item.was.mode if item.was else None, item.mode) if mode)
    return tuple(dict.fromkeys(modes))


def held(balances: Mapping[Mode, Decimal], waiting: Waiting, mode: Mode) -> Decimal:
    """What a mode holds before the card is saved, its opening balance included when that is written with it."""
    return balances.get(mode, Decimal(0)) + openings_of(waiting).get(mode, Decimal(0))


def openings_of(waiting: Waiting) -> dict[Mode, Decimal]:
    """The opening balances answered on the way to this card."""
    return dict(waiting.openings)


def shown(waiting: Waiting, seen: Preview) -> Waiting:
    """The batch as a card with its preview."""
    return replace(
        waiting,
        kind="card",
        asked=None,
        useless=0,
        changes=seen.changes,
        notes=seen.notes,
        problem=seen.problem,
        seen=seen.seen,
    )


def _card_item(number: int, item: Item, book: Book) -> CardItem:
    draft = item.draft()
    category = book.category(draft.category)
    return CardItem(
        item=number,
        date=draft.date,
        description=draft.description.upper(),
        category=draft.category,
        group=category.group if category else None,
        mode=draft.mode,
        direction=draft.direction,
        amount=draft.amount,
        tags=draft.tags,
        action="add" if item.was is None else "delete" if item.gone else "edit",
        was=row_of(item.was) if item.was else None,
    )
