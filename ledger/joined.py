"""Books of several years read as one, for a question whose days they share: an April-to-March year lies in two.

A row of another book keeps its place by Excel's own way of naming another file: `'[Budget_2025.xlsx]NOVEMBER'!F12`.
Rows are only read so; each write goes to its own year's book.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ledger.entries import CASH_TRACKER, Book, Entry, Issue, Place
from ledger.query import Query

MOST_YEARS = 5
"""of a question over more years only the latest are looked for"""


@dataclass(frozen=True)
class Missing:
    """Days that a question asks of and no book has."""

    year: int
    first: date
    last: date


def across_years(
    query: Query, book: Book, today: date, book_of: Callable[[int], Book | None]
) -> tuple[Book, tuple[Missing, ...]]:
    """The book with the rows of the other years that a question asks of, and the years whose book is not there."""
    days = _days_asked(query, book, today)
    if book.read_only or book.tables or not days:
        return book, ()
    found = {year: book_of(year) for year in days}
    others = [other for other in found.values() if other is not None and not other.read_only and not other.tables]
    missing = tuple(Missing(year, *days[year]) for year, other in found.items() if other is None)
    return (joined(book, others) if others else book), missing


def joined(book: Book, others: Sequence[Book]) -> Book:
    """A book with the rows of others before and after it; its balances now stay its own."""
    every = sorted((book, *others), key=lambda each: each.year)
    earliest = every[0]
    return replace(
        book,
        entries=tuple(entry for each in every for entry in (each.entries if each is book else _named(each))),
        issues=(*book.issues, *(_issue_in(each, issue) for each in others for issue in each.issues)),
        openings=earliest.openings,
        opening_cells=earliest.opening_cells
        if earliest is book
        else {mode: _place(earliest, cell) for mode, cell in earliest.opening_cells.items()},
        cards=book.cards if earliest is book else (),
    )


def _days_asked(query: Query, book: Book, today: date) -> dict[int, tuple[date, date]]:
    """The days asked of each other year that have been; days before anything was written down are not among them."""
    asked: dict[int, tuple[date, date]] = {}
    spans = [(span.first, span.last) for span in (query.period, query.compare) if span is not None]
    if query.at is not None:
        spans.append((query.at, query.at))
    for first, last in spans:
        until = min(last, today)
        if first == date.min or until < first:
            continue
        for year in range(max(first.year, until.year - MOST_YEARS + 1), until.year + 1):
            if year != book.year:
                asked[year] = (max(first, date(year, 1, 1)), min(until, date(year, 12, 31)))
    return asked


def _named(book: Book) -> list[Entry]:
    return [
        entry._replace(
            sheet=f"[{book.name}]{entry.sheet}",
            place=entry.place
            or Place("B" if entry.sheet == CASH_TRACKER else "C", "J", "F" if entry.direction == "DEBIT" else "G"),
        )
        for entry in book.entries
    ]


def _issue_in(book: Book, issue: Issue) -> Issue:
    return replace(issue, cell=_place(book, issue.cell))


def _place(book: Book, cell: str) -> str:
    sheet, _, place = cell.rpartition("!")
    return f"'[{book.name}]{sheet.strip(chr(39))}'!{place}"
