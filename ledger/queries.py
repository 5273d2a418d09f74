"""Questions of the book as values, and the one evaluator that answers them.

A `Query` says what is asked of which rows; `run` filters and aggregates, and never guesses. Both are pure.

    Query (ledger.query) ──selected (ledger.selection)──► rows ──run──► Answer, with its scope in words (ledger.scope)
                         └─of a balance: ledger.running─────────┘

Spending and income are what `ledger.kinds` says: expenses less refunds, and the credits left. A balance is opening +
credits - debits, never the total of a period.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from ledger.entries import CASH_TRACKER, MODE_NAMES, MODES, MONTHS, Book, Entry, Issue, Mode
from ledger.kinds import is_expense, is_spending, moves_of, net_spent
from ledger.query import Aggregate, By, Extreme, Kind, Order, Query, Shape, Span
from ledger.running import Held, balances_at, closing_balance, daily_balances, held_over
from ledger.scope import balance_day, scope_of
from ledger.selection import days_of, selected
from ledger.unusual import Usual, is_unusual, median_of, usual_by_category
from money import day_text, days_text, month_span

__all__ = [
    "Aggregate",
    "Answer",
    "By",
    "Extreme",
    "Kind",
    "Order",
    "Part",
    "Query",
    "Shape",
    "Span",
    "budget_left",
    "closing_balance",
    "ignored_issues",
    "run",
    "scope_of",
    "spending_by_category",
    "stopping_issues",
]


class Part(NamedTuple):
    """One line of an answer asked `by` category, group, mode, day, week or month."""

    label: str
    total: Decimal
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody asks of a line
    """as that of an Answer"""
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Answer:
    """What the rows say to a query."""

    query: Query
    entries: tuple[Entry, ...]
    """the rows counted: newest first, or by size when the largest or smallest were asked"""
    total: Decimal
    """spending: debits less refunds; net: income less spending; transfers: the money moved; rows of one direction:
    their sum; of both: credits less debits; balance: the sum over the modes"""
    count: int
    """of spending the expenses: a refund is none; of transfers the moves, which are two rows each"""
    average: Decimal | None
    """to the paisa, over the rows there are, of spending the expenses (with `by`: over the parts there are); None:
    there is none"""
    scope: str
    """of which rows, for the end of a sentence: `on Food in November`"""
    groups: tuple[Part, ...] = ()
    """with `by`: days and months in order, everything else the largest first"""
    compared: "Answer | None" = None
    balances: Mapping[Mode, Decimal] = field(default_factory=dict)
    stopped_by: tuple[Issue, ...] = ()
    """cells on the sheets asked that could not be read and make the total untrustworthy: no total may be told"""
    money_in: Decimal = Decimal(0)
    money_out: Decimal = Decimal(0)
    openings_unknown: tuple[Mode, ...] = ()
    """balance: modes whose opening was never typed; it counts as 0"""
    refunds: tuple[Entry, ...] = ()
    """spending: the refunds taken off the total; of an average, those left aside"""
    as_large: tuple[Entry, ...] = ()
    """largest, smallest: rows left out though they have the amount of the last one kept"""
    found: int = 0
    """rows that match, of which `entries` may be some: a limit, or the rest after those already shown"""
    whole: "Answer | None" = None
    """share: what it is a share of"""
    usual: Mapping[str, Usual] = field(default_factory=dict)
    """unusual: what is usual in each category"""
    held: Mapping[Mode, Held] = field(default_factory=dict)
    """a balance over some days: the lowest, highest or average, and when"""

    @property
    def value(self) -> Decimal | None:
        """The one figure asked for: the count, the average, the median, the share in percent, else the total."""
        match self.query.aggregate:
            case "count":
                return Decimal(self.count)
            case "average" | "median":
                return self.average
            case "share":
                return self.share
            case _:
                return self.total

    @property
    def share(self) -> Decimal | None:
        """The total in percent of the whole it is a share of; None when that is nothing, or below it."""
        if self.whole is None or self.whole.total <= 0:
            return None
        return self.total * 100 / self.whole.total

    @property
    def difference(self) -> Decimal | None:
        """How much more the value is than that of the compared period; None when one of them is missing."""
        if self.compared is None or self.value is None or self.compared.value is None:
            return None
        return self.value - self.compared.value

    @property
    def percent_change(self) -> Decimal | None:
        """The difference in percent of the compared period's value; None when that is zero."""
        if self.difference is None or self.compared is None or not self.compared.value:
            return None
        return self.difference / abs(self.compared.value) * 100


def run(query: Query, book: Book) -> Answer:
    """The answer of the book's rows to the query."""
    if query.aggregate == "balance":
        return _balances(query, book)
    found = selected(query, book)
    usual = usual_by_category(book.entries) if query.aggregate == "unusual" else {}
    if query.aggregate == "unusual":
        found = [entry for entry in found if is_unusual(entry, usual)]
    aside: list[Entry] = []
    if query.kind == "spending" and query.aggregate == "average" and not query.by:
        aside = [entry for entry in found if entry.direction == "CREDIT"]
        found = [entry for entry in found if entry.direction == "DEBIT"]
    parts = _parts(query, found, book) if query.by else ()
    every, found, parts, as_large = len(found), *_kept(query, found, parts)
    return Answer(
        query=query,
        entries=tuple(found),
        total=_total(query.kind, found),
        count=_count(query.kind, found),
        average=_middle(query, found, parts),
        scope=scope_of(query, book),
        groups=parts,
        compared=run(replace(query, period=query.compare, compare=None), book) if query.compare else None,
        stopped_by=stopping_issues(book, query.period, query.modes),
        money_in=_sum(found, "CREDIT"),
        money_out=_sum(found, "DEBIT"),
        refunds=tuple(aside or (entry for entry in found if query.kind == "spending" and entry.direction == "CREDIT")),
        as_large=tuple(as_large),
        found=every,
        whole=run(_whole_of(query), book) if query.aggregate == "share" else None,
        usual=usual,
    )


def spending_by_category(book: Book, first: date, last: date) -> dict[str | None, Decimal]:
    """Debits less refunds by category from `first` to `last`, the largest first; None: rows without a category."""
    spent: dict[str | None, Decimal] = {}
    for entry in book.entries:
        if first <= entry.date <= last and is_spending(entry):
            amount = entry.amount if entry.direction == "DEBIT" else -entry.amount
            spent[entry.category] = spent.get(entry.category, _ZERO) + amount
    return dict(sorted(spent.items(), key=lambda item: -item[1]))


def budget_left(book: Book, category: str, month_day: date) -> Decimal | None:
    """What is left of the category's monthly budget in the month of the day, below zero when overspent.

    None: the category has no budget.
    """
    line = book.category(category)
    if line is None or line.monthly is None:
        return None
    wanted = line.name.casefold()
    spent = spending_by_category(book, *month_span(month_day))
    return line.monthly - sum((amount for name, amount in spent.items() if (name or "").casefold() == wanted), _ZERO)


def stopping_issues(book: Book, period: Span | None, modes: Collection[Mode] = ()) -> tuple[Issue, ...]:
    """The unread cells that make every total over these days and modes untrustworthy; no modes are all of them."""
    if not any(issue.stops_totals for issue in book.issues):
        return ()
    if book.tables:  # in another layout no sheet is one month's or one mode's
        return tuple(issue for issue in book.issues if issue.stops_totals)
    sheets = _sheets_concerned(period, modes, book.year)
    return tuple(issue for issue in book.issues if issue.stops_totals and _concerns(issue, sheets))


def ignored_issues(book: Book, period: Span | None, modes: Collection[Mode] = ()) -> int:
    """How many unread cells that a person set aside would else stop totals over these days and modes."""
    aside = [issue for issue in book.ignored if issue.stops_totals]
    if not book.tables:
        sheets = _sheets_concerned(period, modes, book.year)
        aside = [issue for issue in aside if _sheet_of(issue.cell) in sheets]
    return len(aside)


_ZERO = Decimal(0)
_PAISA = Decimal("0.01")
_WEEK = timedelta(days=6)


def _whole_of(query: Query) -> Query:
    """What a share is of: the same days of the same kind, or of the kind that was said, with nothing else narrowed."""
    return Query("total", query.share_of or query.kind, query.period)


def _kept(
    query: Query, found: list[Entry], parts: tuple[Part, ...]
) -> tuple[list[Entry], tuple[Part, ...], list[Entry]]:
    """The rows and parts that an answer keeps of those found, and the rows as large as the last one kept."""
    if query.aggregate in ("largest", "smallest"):
        kept, ranked = _extremes(query, found, parts)
        last = kept[-1] if kept and not query.by else None
        kept_rows = set(kept)
        alike = [entry for entry in found if last and entry.amount == last.amount and entry not in kept_rows]
        return kept, ranked, alike
    if query.aggregate == "earliest":
        return sorted(found, key=lambda entry: entry.date)[: _limit(query)], parts, []
    if query.limit is not None or query.aggregate == "latest":
        return found[query.skip : query.skip + _limit(query)], parts, []
    return found[query.skip :], parts, []


def _middle(query: Query, found: list[Entry], parts: tuple[Part, ...]) -> Decimal | None:
    """The average, or the median where that is asked: over the parts of a `by`; else over the rows."""
    if query.aggregate == "median":
        return median_of(part.total for part in parts) if query.by else median_of(entry.amount for entry in found)
    if query.by:
        total, over = sum((part.total for part in parts), _ZERO), len(parts)
    elif query.kind == "transfers":
        total, over = _total(query.kind, found), _count(query.kind, found)
    else:
        total, over = sum((entry.amount for entry in found), _ZERO), len(found)
    return (total / over).quantize(_PAISA, ROUND_HALF_UP) if over else None


def _sum(entries: Iterable[Entry], direction: str) -> Decimal:
    return sum((entry.amount for entry in entries if entry.direction == direction), _ZERO)


def _total(kind: Kind, entries: Collection[Entry]) -> Decimal:
    came, went = _sum(entries, "CREDIT"), _sum(entries, "DEBIT")
    match kind:
        case "spending":
            return net_spent(entries)
        case "transfers":
            return moves_of(entries).total
        case "net":
            return came - went
        case "withdrawals":
            return came + went
        case _:
            return came - went if came and went else came + went


def _count(kind: Kind, entries: Collection[Entry]) -> int:
    match kind:
        case "spending":
            return sum(map(is_expense, entries))
        case "transfers":
            return len(moves_of(entries).counted)
        case _:
            return len(entries)


def _limit(query: Query) -> int:
    return max(query.limit if query.limit is not None else 1, 0)


def _extremes(query: Query, found: list[Entry], parts: tuple[Part, ...]) -> tuple[list[Entry], tuple[Part, ...]]:
    """The largest or smallest rows; with `by`, the largest or smallest parts and their rows."""
    largest = query.aggregate == "largest"
    if query.by:
        kept = tuple(sorted(parts, key=lambda part: part.total, reverse=largest)[: _limit(query)])
        return [entry for part in kept for entry in part.entries], kept
    return sorted(found, key=lambda entry: entry.amount, reverse=largest)[: _limit(query)], ()


def _parts(query: Query, found: list[Entry], book: Book) -> tuple[Part, ...]:
    by = query.by
    rows: dict[tuple[date | None, str], list[Entry]] = {}
    home = date(book.year, 1, 1)
    labels: dict[date, str] = {}
    key: tuple[date | None, str]
    for entry in found:
        match by:
            case "category":
                key = (None, entry.category or "No category")
            case "group":
                key = (None, entry.group.capitalize() if entry.group else "No group")
            case "mode":
                key = (None, MODE_NAMES[entry.mode])
            case "week":
                week = entry.date - timedelta(days=entry.date.weekday())
                label = labels.get(week) or labels.setdefault(week, days_text(week, week + _WEEK, home))
                key = (week, label)
            case "day":
                label = labels.get(entry.date) or labels.setdefault(entry.date, day_text(entry.date, home))
                key = (entry.date, label)
            case _:
                month = entry.date.replace(day=1)
                label = labels.get(month) or labels.setdefault(month, days_text(*month_span(month), home))
                key = (month, label)
        rows.setdefault(key, []).append(entry)
    parts = {
        key: Part(key[1], _total(query.kind, some), _count(query.kind, some), tuple(some)) for key, some in rows.items()
    }
    if by in ("day", "week", "month"):
        return tuple(parts[key] for key in sorted(parts, key=lambda key: key[0] or date.min))
    return tuple(sorted(parts.values(), key=lambda part: (-part.total, part.label)))


def _balances(query: Query, book: Book) -> Answer:
    modes = query.modes or MODES
    day = balance_day(query)
    days = days_of(query, book) if query.over or query.chart else None
    held = {mode: held_over(book, mode, *days, query.over) for mode in modes} if query.over and days else {}
    balances = {mode: each.amount for mode, each in held.items()} or balances_at(book, modes, day)
    span = Span(date.min, day, "") if day else None
    return Answer(
        query=query,
        entries=(),
        total=sum(balances.values(), _ZERO),
        count=0,
        average=None,
        scope=scope_of(query, book),
        groups=_held_by_day(modes, days, book) if query.chart and days else (),
        compared=(
            run(replace(query, at=query.compare.last, period=None, compare=None), book) if query.compare else None
        ),
        balances=balances,
        stopped_by=stopping_issues(book, span, modes),
        openings_unknown=tuple(mode for mode in modes if book.openings.get(mode) is None),
        held=held,
    )


def _held_by_day(modes: Sequence[Mode], days: tuple[date, date], book: Book) -> tuple[Part, ...]:
    """What the modes held together at the end of each day."""
    home = date(book.year, 1, 1)
    held = [daily_balances(book, mode, *days) for mode in modes]
    return tuple(Part(day_text(day, home), sum((each[day] for each in held), _ZERO), 0, ()) for day in held[0])


def _sheets_concerned(period: Span | None, modes: Collection[Mode], year: int) -> frozenset[str]:
    """The sheets that hold the rows of these modes, and of this book's months among the days."""
    sheets: set[str] = set()
    if not modes or "MONEY" in modes or "BANK" in modes:
        sheets.add(CASH_TRACKER)
    if not modes or "PHONEPE" in modes or "WALLET" in modes:
        first = max(period.first, date(year, 1, 1)) if period else date(year, 1, 1)
        last = min(period.last, date(year, 12, 31)) if period else date(year, 12, 31)
        sheets.update(MONTHS[first.month - 1 : last.month] if first <= last else ())
    return frozenset(sheets)


def _concerns(issue: Issue, sheets: Collection[str]) -> bool:
    """Whether an unread cell is on one of the sheets, or in a book of another year that was asked as well."""
    sheet = _sheet_of(issue.cell)
    return sheet in sheets or sheet.startswith("[")


def _sheet_of(cell: str) -> str:
    """The sheet of `NOVEMBER!F12` or `'CASH TRACKER'!F12`."""
    return cell.rpartition("!")[0].strip("'").replace("''", "'").upper()
