"""A statement held against the open book: what is new, what stands there already, what its balance says."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from ledger.categories import categorise
from ledger.entries import MODE_NAMES, Book, Draft, Entry, Mode
from ledger.statements.matching import Moved, compare
from ledger.statements.statement import Statement, StatementRow
from money import days_text, rupees

UNREAD_TOLD = 3


@dataclass(frozen=True)
class Taken:
    """A statement's transactions, told apart."""

    statement: Statement
    mode: Mode
    new: tuple[tuple[StatementRow, Draft], ...]
    known: tuple[tuple[StatementRow, Entry | None], ...]
    closes: Decimal | None
    """the statement's own balance at its end"""
    book_closes: Decimal | None
    """what the book would have at the end of that day, with the new rows"""

    @property
    def apart(self) -> Decimal | None:
        """How much more the statement has than the book would; None where nobody can say."""
        return None if self.closes is None or self.book_closes is None else self.closes - self.book_closes


def take_over(statement: Statement, book: Book, mode: Mode, references: Collection[str] = ()) -> Taken:
    """What a statement brings into the book, its rows being of that mode. `references` were taken over before."""
    compared = compare(
        statement.rows,
        lambda row: Moved(row.day, mode, row.direction, row.amount, row.reference),
        book.entries,
        references,
    )
    new = tuple((row, draft_of(row, book, mode)) for row in compared.new)
    return Taken(statement, mode, new, compared.known, statement.closing, _book_closes(statement, book, mode, new))


def draft_of(row: StatementRow, book: Book, mode: Mode) -> Draft:
    """The row as it would be written: its payee, and the category this book has for it. Income has none."""
    category = None
    if row.direction == "DEBIT":
        category = categorise(row.payee, book) or categorise(row.narration, book)
    return Draft(row.day, row.payee, mode, row.direction, row.amount, category)


def told(taken: Taken) -> tuple[str, ...]:
    """What was found, in sentences."""
    statement = taken.statement
    account = f", account ending {statement.account}" if statement.account else ""
    said = []
    if statement.rows:
        period = days_text(statement.first, statement.last, statement.last)
        said.append(f"{statement.title}{account}, {period} {statement.last.year}.")
    said.append(
        f"{_count(len(taken.new), 'transaction')} new to the book, {len(taken.known)} in it already"
        + (f", {statement.passed} passed by (openings, totals, failed)." if statement.passed else ".")
    )
    said += unread_told(statement)
    if statement.differs:
        said.append(statement.differs)
    if taken.closes is not None and taken.book_closes is not None:
        name = MODE_NAMES[taken.mode]
        if taken.apart:
            said.append(
                f"The statement closes at {rupees(taken.closes)}; {name} in the book would have "
                f"{rupees(taken.book_closes)} then, {rupees(abs(taken.apart))} {'less' if taken.apart > 0 else 'more'}."
            )
        else:
            said.append(f"The statement closes at {rupees(taken.closes)}, as {name} in the book would.")
    return tuple(said)


def unread_told(statement: Statement) -> list[str]:
    """The rows that were not read, the first ones with their reasons."""
    if not statement.unread:
        return []
    rows = "; ".join(f"row {each.row}: {each.reason.rstrip('.')}" for each in statement.unread[:UNREAD_TOLD])
    more = len(statement.unread) - UNREAD_TOLD
    return [f"{_count(len(statement.unread), 'row')} not read: {rows}{f'; and {more} more' if more > 0 else ''}."]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _book_closes(
    statement: Statement, book: Book, mode: Mode, new: tuple[tuple[StatementRow, Draft], ...]
) -> Decimal | None:
    if not statement.rows or book.openings.get(mode) is None:
        return None
    last = statement.last
    balance = book.openings[mode] or Decimal(0)
    for entry in book.entries:
        if entry.mode == mode and entry.date <= last:
            balance += entry.amount if entry.direction == "CREDIT" else -entry.amount
    return balance + sum((row.signed for row, _ in new), Decimal(0))
