"""Messages a bank sent, pasted into the conversation: their items, and a sentence for each that is no transaction."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from agent.language.items import Item
from agent.language.knowledge import Knowledge
from ledger.entries import MODE_NAMES, Book, Entry, Mode
from ledger.statements.matching import DAYS_APART, Moved, compare
from ledger.statements.sms import NotTransaction, SmsTransaction, looks_like_sms, read_sms, split_sms
from money import day_text, rupees

WORDS_TOLD = 46
"""letters of a message that name it in a sentence"""
MOST_MESSAGES = 60

__all__ = ["Brought", "bring_messages", "looks_like_sms"]


@dataclass(frozen=True)
class Brought:
    """What bank messages or a statement come to: items for a card, and what is said of the rest."""

    items: tuple[Item, ...]
    remarks: tuple[str, ...] = ()


def bring_messages(
    text: str,
    today: date,
    book: Book,
    mode_of: Callable[[str], Mode | None] = lambda _: None,
    references: Collection[str] = (),
) -> Brought:
    """The items of one or several pasted messages. `mode_of` is what a person said of an account by its last digits."""
    messages = split_sms(text)
    remarks: list[str] = []
    told: list[SmsTransaction] = []
    for message in messages[:MOST_MESSAGES]:
        read = read_sms(message)
        if isinstance(read, SmsTransaction):
            told.append(read)
        else:
            remarks.append(_refused(read, alone=len(messages) == 1))
    if len(messages) > MOST_MESSAGES:
        remarks.append(f"Only the first {MOST_MESSAGES} messages were read; paste the others by themselves.")
    distinct = [read for number, read in enumerate(told) if not _said_before(read, told[:number])]
    if len(distinct) < len(told):
        remarks.append("A message that was pasted twice is taken once.")
    kept: list[SmsTransaction] = []
    rupee = [read for read in distinct if read.currency == "INR"]
    moved = {id(read): _moved(read, today, _mode(read, mode_of)) for read in rupee}
    compared = compare(rupee, lambda read: moved[id(read)], book.entries, references)
    known = {id(read): entry for read, entry in compared.known}
    for read in distinct:
        if id(read) in known:
            remarks.append(_already(read, known[id(read)], today))
        else:
            kept.append(read)
    knowledge = Knowledge.of(book)
    for read in kept:
        remarks += _elsewhere(read, moved.get(id(read)), book, today)
    items = tuple(item for read in kept for item in _items(read, today, _mode(read, mode_of), knowledge))
    return Brought(items, (*remarks, *_balance(kept, items, book)))


def _mode(read: SmsTransaction, mode_of: Callable[[str], Mode | None]) -> Mode:
    return (mode_of(read.account) if read.account else None) or read.mode


def _moved(read: SmsTransaction, today: date, mode: Mode) -> Moved:
    return Moved(read.day or today, mode, read.direction, read.amount, read.reference)


def _items(read: SmsTransaction, today: date, mode: Mode, knowledge: Knowledge) -> Iterator[Item]:
    """The item of a message; cash from a machine is a move between one's own modes, and so is cash paid in."""
    doubts: tuple[str, ...] = ()
    if read.currency != "INR":
        doubts += (f"currency:{read.currency}",)
    day = read.day or today
    if day > today:
        doubts += (f"future_date:{day.isoformat()}",)
    moves = read.cash and mode == "BANK"
    name = read.payee or None
    if moves:
        name = "ATM withdrawal" if read.direction == "DEBIT" else "Cash deposit"
    category = knowledge.transfer if moves else None
    if not moves and name and read.direction == "DEBIT":
        category = knowledge.categorise(name)
    item = Item(
        description=name,
        amount=None if read.currency != "INR" else read.amount,
        mode=mode,
        direction=read.direction,
        date=None if day > today else day,
        category=category,
        doubts=doubts,
        words=" ".join(read.text.split()),
        reference=read.reference or "",
        account=read.account or "",
    )
    if not moves:
        yield item
        return
    other = replace(item, mode="MONEY", direction="CREDIT" if read.direction == "DEBIT" else "DEBIT", account="")
    yield from (item, other) if read.direction == "DEBIT" else (other, item)


def _refused(read: NotTransaction, *, alone: bool) -> str:
    if alone:
        return f"That message is no transaction, so there is nothing to save. {read.sentence}"
    return f"“{_start(read.text)}”: no transaction. {read.sentence}"


def _start(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= WORDS_TOLD else f"{plain[:WORDS_TOLD].rstrip()}…"


def _already(read: SmsTransaction, entry: Entry | None, today: date) -> str:
    name = f"{rupees(read.amount)}{f' {read.payee}' if read.payee else ''}"
    if entry is None:
        return f"{name} was taken over before, by its reference {read.reference}, so it is left out."
    where = f"{MODE_NAMES[entry.mode]}, {day_text(entry.date, today)}, {entry.amount_cell}"
    return f"{name} is in the book already ({where}), so it is left out."


def _elsewhere(read: SmsTransaction, moved: Moved | None, book: Book, today: date) -> Iterator[str]:
    """A row of the same amount and day under another mode: perhaps the same, said so, never left out."""
    if moved is None:
        return
    near = timedelta(days=DAYS_APART)
    for entry in reversed(book.entries):
        if (
            (entry.amount, entry.direction) == (moved.amount, moved.direction)
            and entry.mode != moved.mode
            and abs(entry.date - moved.day) <= near
            and not entry.is_transfer
        ):
            yield (
                f"{rupees(read.amount)} also stands under {MODE_NAMES[entry.mode]} on {day_text(entry.date, today)} "
                f"({entry.amount_cell}). Remove it from this card if it is the same."
            )
            return


def _said_before(read: SmsTransaction, before: list[SmsTransaction]) -> bool:
    """Whether the very message, or its reference with its amount and direction, was pasted before."""
    return any(
        " ".join(read.text.split()) == " ".join(other.text.split())
        or (
            read.reference is not None
            and (read.reference, read.amount, read.direction) == (other.reference, other.amount, other.direction)
        )
        for other in before
    )


def _balance(kept: list[SmsTransaction], items: tuple[Item, ...], book: Book) -> tuple[str, ...]:
    """What the last message says is left, where the book would say otherwise."""
    last = next((read for read in reversed(kept) if read.balance is not None and read.currency == "INR"), None)
    item = items[-1] if items else None
    if last is None or item is None or item.mode is None or last.card or book.openings.get(item.mode) is None:
        return ()
    after = book.balances.get(item.mode, Decimal(0)) + sum(
        (each.amount if each.direction == "CREDIT" else -each.amount)
        for each in items
        if each.mode == item.mode and each.amount
    )
    if last.balance is None or after == last.balance:
        return ()
    name = MODE_NAMES[item.mode]
    return (f"The message says {rupees(last.balance)} is left; {name} in the book would have {rupees(after)}.",)
