"""Which rows of the book a query asks for, in its order.

A query and its negation (`leaving_out`) part the rows in two: each row is in one of them and in no other.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date

from ledger.entries import Book, Entry
from ledger.kinds import is_expense, is_income, is_refund, is_spending, is_withdrawal
from ledger.query import Kind, Order, Query

Test = Callable[[Entry], bool]


def selected(query: Query, book: Book) -> list[Entry]:
    """The rows asked for, in the query's order; of one day the one further down its sheet is newer."""
    entries: Iterable[Entry] = book.entries
    for narrows in _filters(query):
        entries = [entry for entry in entries if narrows(entry)]
    return ordered(entries, query.order)


def ordered(entries: Iterable[Entry], order: Order) -> list[Entry]:
    """Rows as they stand in the book, put in an order; equal ones keep the newest first, in `oldest` the oldest."""
    if order == "oldest":
        return sorted(entries, key=lambda entry: entry.date)
    newest = list(entries)[::-1]
    newest.sort(key=lambda entry: entry.date, reverse=True)
    if order == "newest":
        return newest
    return sorted(newest, key=lambda entry: entry.amount, reverse=order == "largest")


def _filters(query: Query) -> list[Test]:
    """One test for each narrowing field, the cheap ones first."""
    filters: list[Test] = []
    if query.period:
        first, last = query.period.first, query.period.last
        filters.append(lambda entry: first <= entry.date <= last)
    if query.kind != "all":
        filters.append(_KINDS[query.kind])
    row_by_row = query.aggregate in _ONE_BY_ONE and not query.by
    if query.kind == "spending" and (row_by_row or query.bounded):
        # a refund lowers a total, also one that is ranked; asked row by row it is no expense
        filters.append(is_expense)
    if query.modes:
        modes = frozenset(query.modes)
        filters.append(lambda entry: entry.mode in modes)
    if query.categories:
        categories = frozenset(name.casefold() for name in query.categories)
        filters.append(lambda entry: (entry.category or "").casefold() in categories)
    if query.groups:
        groups = frozenset(query.groups)
        filters.append(lambda entry: entry.group in groups)
    if query.weekdays:
        weekdays = frozenset(query.weekdays)
        filters.append(lambda entry: entry.date.weekday() in weekdays)
    filters.extend(_bounds(query))
    if query.tags:
        tags = frozenset(tag.upper() for tag in query.tags)
        filters.append(lambda entry: tags.issubset(entry.tags))
    filters.extend(_contains(word) for word in query.words if word.strip())
    filters.extend(_negation(left) for left in query.leaving_out)
    return filters


def _bounds(query: Query) -> Iterable[Test]:
    above, below, at_least, at_most = query.above, query.below, query.at_least, query.at_most
    if above is not None:
        yield lambda entry: entry.amount > above
    if below is not None:
        yield lambda entry: entry.amount < below
    if at_least is not None:
        yield lambda entry: entry.amount >= at_least
    if at_most is not None:
        yield lambda entry: entry.amount <= at_most


def _negation(query: Query) -> Test:
    """Whether a row is not among those of a query."""
    filters = _filters(query)
    return lambda entry: not all(narrows(entry) for narrows in filters)


def _contains(word: str) -> Test:
    """Whether the description has the word, or the words one after another, whole."""
    text = word.strip().upper()
    whole = re.compile(r"(?<!\w)" + r"\W+".join(re.escape(part) for part in text.split()) + r"(?!\w)")
    first = text.split()[0]

    def contains(entry: Entry) -> bool:
        description = entry.description.upper()
        return first in description and whole.search(description) is not None

    return contains


_ONE_BY_ONE = frozenset({"largest", "smallest", "latest", "earliest", "count", "median", "unusual"})
_KINDS: Mapping[Kind, Test] = {
    "spending": is_spending,
    "income": is_income,
    "net": lambda entry: not entry.is_transfer,
    "refunds": is_refund,
    "debits": lambda entry: entry.direction == "DEBIT",
    "credits": lambda entry: entry.direction == "CREDIT",
    "transfers": lambda entry: entry.is_transfer,
    "withdrawals": is_withdrawal,
}


def days_of(query: Query, book: Book) -> tuple[date, date] | None:
    """The days asked of: the period's, otherwise from the book's first row to its last; None without rows."""
    if query.period:
        return query.period.first, query.period.last
    dates = [entry.date for entry in book.entries]
    return (min(dates), max(dates)) if dates else None
