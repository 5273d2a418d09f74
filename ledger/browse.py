"""The entries of a book as a person looks through them: by date, with balances, filtered, a page at a time.

listed ──► matching(Filter) ──► page_of        and `figures`, what the matching rows come to
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ledger.entries import MODES, MONTHS, Book, Entry, Mode, quoted
from ledger.kinds import is_expense, is_refund
from money import month_span

PAGE_ROWS = 200

_RANGE = re.compile(
    r"(?P<sheet>'(?:[^']|'')+'|[^!,']+)!(?P<column>[A-Z]{1,3})(?P<first>\d{1,7})"
    r"(?::[A-Z]{1,3}(?P<last>\d{1,7}))?"
)
_ZERO = Decimal(0)


class Listed(NamedTuple):
    """An entry and what its mode held after it, in the order of its sheet."""

    entry: Entry
    balance: Decimal


@dataclass(frozen=True)
class Filter:
    """Which entries to look at. Every field narrows; an empty one does not."""

    month: date | None = None
    """a day of it; None: the whole book"""
    modes: tuple[Mode, ...] = ()
    categories: tuple[str | None, ...] = ()
    """None among them: entries without a category"""
    text: str = ""
    """letters anywhere in the description or its tags, whatever their case"""
    least: Decimal | None = None
    most: Decimal | None = None
    places: frozenset[tuple[str, int]] = frozenset()
    """sheet and row of the entries wanted"""

    @property
    def narrows(self) -> int:
        """How many of the fields besides the month narrow."""
        bounds = self.least is not None, self.most is not None
        return sum((bool(self.modes), bool(self.categories), bool(self.text.strip()), *bounds))


class Page(NamedTuple):
    """A page of many rows."""

    rows: tuple[Listed, ...]
    number: int
    """from 1"""
    pages: int
    """at least 1"""


@dataclass(frozen=True)
class Figures:
    """What some entries come to: income in, spending out. Transfers between one's own modes are neither."""

    money_in: Decimal
    """income: a refund is none"""
    entries_in: int
    money_out: Decimal
    """expenses less refunds"""
    entries_out: int
    """expenses"""
    refunds: int
    moved: Decimal
    """what transfers brought in less what they took out: nothing where both halves of each are among the entries"""

    @property
    def net(self) -> Decimal:
        """In less out; with `moved` it is what the balances changed by."""
        return self.money_in - self.money_out


def listed(book: Book) -> tuple[Listed, ...]:
    """Every entry by date, of one day in the order of the book, with its mode's balance after it."""
    balances: dict[Mode, Decimal] = {mode: book.openings.get(mode) or _ZERO for mode in MODES}
    rows = []
    for entry in book.entries:
        balance = balances[entry.mode] + (entry.amount if entry.direction == "CREDIT" else -entry.amount)
        balances[entry.mode] = balance
        rows.append(Listed(entry, balance))
    rows.sort(key=lambda row: row.entry.date)
    return tuple(rows)


def months_of(book: Book) -> tuple[date, ...]:
    """The first days of the months that have a sheet or an entry, the newest first."""
    months = {date(book.year, MONTHS.index(name) + 1, 1) for name in book.months if name in MONTHS}
    months.update({entry.date.replace(day=1) for entry in book.entries})
    return tuple(sorted(months, reverse=True))


def matching(rows: Iterable[Listed], wanted: Filter) -> tuple[Listed, ...]:
    """The rows that pass every field of the filter, in the order given."""
    if wanted.month is not None:
        first, last = month_span(wanted.month)
        rows = [row for row in rows if first <= row.entry.date <= last]
    if wanted.places:
        rows = [row for row in rows if (row.entry.sheet, row.entry.row) in wanted.places]
    if wanted.modes:
        modes = frozenset(wanted.modes)
        rows = [row for row in rows if row.entry.mode in modes]
    if wanted.categories:
        names = frozenset((name or "").casefold() for name in wanted.categories)
        rows = [row for row in rows if (row.entry.category or "").casefold() in names]
    if words := " ".join(wanted.text.upper().split()):
        rows = [row for row in rows if words in row.entry.description.upper()]
    if wanted.least is not None:
        least = wanted.least
        rows = [row for row in rows if row.entry.amount >= least]
    if wanted.most is not None:
        most = wanted.most
        rows = [row for row in rows if row.entry.amount <= most]
    return tuple(rows)


def page_of(rows: Sequence[Listed], number: int, size: int = PAGE_ROWS) -> Page:
    """That page of the rows, or the nearest one there is."""
    pages = max(-(-len(rows) // size), 1)
    number = min(max(number, 1), pages)
    return Page(tuple(rows[(number - 1) * size : number * size]), number, pages)


def figures(entries: Iterable[Entry]) -> Figures:
    """What came in and what went out over the entries, as everywhere in the book."""
    came: list[Decimal] = []
    went: list[Decimal] = []
    back: list[Decimal] = []
    moved = _ZERO
    for entry in entries:
        if entry.is_transfer:
            moved += entry.amount if entry.direction == "CREDIT" else -entry.amount
        elif is_expense(entry):
            went.append(entry.amount)
        else:
            (back if is_refund(entry) else came).append(entry.amount)
    out = sum(went, _ZERO) - sum(back, _ZERO)
    return Figures(sum(came, _ZERO), len(came), out, len(went), len(back), moved)


def places_text(entries: Collection[tuple[str, int]]) -> str:
    """Sheets and rows as ranges, to name them in an address: `NOVEMBER!A6:A9,'CASH TRACKER'!A30`."""
    parts: list[str] = []
    run: tuple[str, int, int] | None = None
    for sheet, row in [*sorted(set(entries)), ("", 0)]:
        if run and run[0] == sheet and row == run[2] + 1:
            run = (sheet, run[1], row)
            continue
        if run:
            parts.append(f"{quoted(run[0])}!A{run[1]}" + (f":A{run[2]}" if run[2] > run[1] else ""))
        run = (sheet, row, row)
    return ",".join(parts)


def places_in(text: str, most: int = 20_000) -> frozenset[tuple[str, int]]:
    """The sheets and rows that cells or ranges name, however they are joined; at most so many of them."""
    places: set[tuple[str, int]] = set()
    for match in _RANGE.finditer(text):
        first = int(match["first"])
        last = min(int(match["last"] or first), first + most - len(places) - 1)
        places.update((match["sheet"].strip("' ").replace("''", "'"), row) for row in range(first, last + 1))
        if len(places) >= most:
            break
    return frozenset(places)
