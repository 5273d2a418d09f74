"""Questions of the book as values, and the one evaluator that answers them.

A `Query` says what is asked of which rows; `run` filters and aggregates, and never guesses. Both are pure.

Spending and income are what `ledger.kinds` says: expenses less refunds, and the credits left. A balance is opening +
credits - debits, never the total of a period.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from ledger.entries import CASH_TRACKER, MODE_NAMES, MODES, MONTHS, Book, Entry, Group, Issue, Mode
from ledger.kinds import is_expense, is_income, is_spending, moves_of, net_spent
from money import day_text, days_text, month_span, rupees, whole_rupees

Aggregate = Literal["rows", "total", "count", "average", "largest", "smallest", "latest", "balance"]
Kind = Literal["spending", "income", "debits", "credits", "transfers", "all"]
By = Literal["category", "group", "mode", "day", "month"]


@dataclass(frozen=True)
class Span:
    """Days from `first` to `last`, both included, and the words that name them: `in November`, `22 to 28 Nov`."""

    first: date
    last: date
    words: str


@dataclass(frozen=True)
class Query:
    """One question of the book (BEHAVIOUR: asking). Every field narrows; an empty one does not."""

    aggregate: Aggregate
    kind: Kind = "all"
    period: Span | None = None
    """None: the whole book"""
    modes: tuple[Mode, ...] = ()
    categories: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    words: tuple[str, ...] = ()
    """whole words of the description, all of them, whatever their case"""
    tags: tuple[str, ...] = ()
    above: Decimal | None = None
    """strictly more than"""
    below: Decimal | None = None
    """strictly less than"""
    at_least: Decimal | None = None
    at_most: Decimal | None = None
    limit: int | None = None
    by: By | None = None
    compare: Span | None = None
    """also the same over this period, and the difference"""
    chart: bool = False
    with_total: bool = False
    """a balance question that also asks for the sum over the modes"""
    at: date | None = None
    """a balance at the end of this day; None: now"""
    description_only: bool = False


class Part(NamedTuple):
    """One line of an answer asked `by` category, group, mode, day or month."""

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
    """spending: debits less refunds; transfers: the money moved; rows of one direction: their sum; of both: credits
    less debits; balance: the sum over the modes"""
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

    @property
    def value(self) -> Decimal | None:
        """The one figure asked for: the count, the average, else the total."""
        match self.query.aggregate:
            case "count":
                return Decimal(self.count)
            case "average":
                return self.average
            case _:
                return self.total

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
    found = _selected(query, book)
    aside: list[Entry] = []
    if query.kind == "spending" and query.aggregate == "average" and not query.by:
        aside = [entry for entry in found if entry.direction == "CREDIT"]
        found = [entry for entry in found if entry.direction == "DEBIT"]
    parts = _parts(query, found, book) if query.by else ()
    as_large: list[Entry] = []
    if query.aggregate in ("largest", "smallest"):
        ranked = found
        found, parts = _extremes(query, found, parts)
        if found and not query.by:
            as_large = [entry for entry in ranked if entry.amount == found[-1].amount and entry not in found]
    elif query.limit is not None or query.aggregate == "latest":
        found = found[: _limit(query)]
    total = _total(query.kind, found)
    return Answer(
        query=query,
        entries=tuple(found),
        total=total,
        count=_count(query.kind, found),
        average=_average(query, found, parts),
        scope=scope_of(query, book),
        groups=parts,
        compared=run(replace(query, period=query.compare, compare=None), book) if query.compare else None,
        stopped_by=stopping_issues(book, query.period, query.modes),
        money_in=_sum(found, "CREDIT"),
        money_out=_sum(found, "DEBIT"),
        refunds=tuple(aside or (entry for entry in found if query.kind == "spending" and entry.direction == "CREDIT")),
        as_large=tuple(as_large),
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


def closing_balance(book: Book, mode: Mode, day: date) -> Decimal:
    """What the mode held at the end of the day; an opening that was never typed counts as 0."""
    return _balances_at(book, (mode,), day)[mode]


def stopping_issues(book: Book, period: Span | None, modes: Collection[Mode] = ()) -> tuple[Issue, ...]:
    """The unread cells that make every total over these days and modes untrustworthy; no modes are all of them."""
    if not any(issue.stops_totals for issue in book.issues):
        return ()
    if book.read_only:  # in another layout no sheet is one month's or one mode's
        return tuple(issue for issue in book.issues if issue.stops_totals)
    sheets = _sheets_concerned(period, modes, book.year)
    return tuple(issue for issue in book.issues if issue.stops_totals and _sheet_of(issue.cell) in sheets)


def scope_of(query: Query, book: Book) -> str:
    """Of which rows, for the end of a sentence: `on Food in November`, `above ₹3,000 this month`."""
    home = date(book.year, 1, 1)
    parts: list[str] = []
    if query.categories:
        parts.append(f"on {_listed(_category_name(name, book) for name in query.categories)}")
    if query.groups:
        groups = _listed((group.capitalize() for group in query.groups), "or")
        parts.append(f"in the {groups} group")
    if query.words:
        parts.append(f"with “{' '.join(query.words)}”")
    if query.tags:
        parts.append(f"tagged {_listed(tag.upper() for tag in query.tags)}")
    if query.modes and len(query.modes) < len(MODES) and query.aggregate != "balance":
        parts.append(f"by {_listed((MODE_NAMES[mode] for mode in query.modes), 'or')}")
    if query.above is not None:
        parts.append(f"above {_plain_rupees(query.above)}")
    if query.below is not None:
        parts.append(f"below {_plain_rupees(query.below)}")
    if query.at_least is not None or query.at_most is not None:
        parts.append(_bounds_words(query.at_least, query.at_most))
    if query.aggregate == "balance":
        day = _balance_day(query)
        parts.append(f"at the end of {day_text(day, home)}" if day else "now")
    else:
        parts.append(query.period.words if query.period else "in the whole book")
    return " ".join(parts)


_ZERO = Decimal(0)
_PAISA = Decimal("0.01")


def _selected(query: Query, book: Book) -> list[Entry]:
    """The rows the query asks for, newest first; of one day the one further down its sheet is newer."""
    entries: Iterable[Entry] = book.entries
    if query.period:
        first, last = query.period.first, query.period.last
        entries = [entry for entry in entries if first <= entry.date <= last]
    for narrows in _filters(query):
        entries = [entry for entry in entries if narrows(entry)]
    found = [*reversed(tuple(entries))]
    found.sort(key=lambda entry: entry.date, reverse=True)
    return found


def _filters(query: Query) -> list[Callable[[Entry], bool]]:
    """One test for each narrowing field, the cheap ones first."""
    filters: list[Callable[[Entry], bool]] = []
    if query.kind != "all":
        filters.append(_KINDS[query.kind])
    row_by_row = query.aggregate in _ONE_BY_ONE and not query.by
    bounds = (query.above, query.below, query.at_least, query.at_most)
    if query.kind == "spending" and (row_by_row or any(bound is not None for bound in bounds)):
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
    if query.above is not None:
        above = query.above
        filters.append(lambda entry: entry.amount > above)
    if query.below is not None:
        below = query.below
        filters.append(lambda entry: entry.amount < below)
    if query.at_least is not None:
        at_least = query.at_least
        filters.append(lambda entry: entry.amount >= at_least)
    if query.at_most is not None:
        at_most = query.at_most
        filters.append(lambda entry: entry.amount <= at_most)
    if query.tags:
        tags = frozenset(tag.upper() for tag in query.tags)
        filters.append(lambda entry: tags.issubset(entry.tags))
    filters.extend(_contains(word) for word in query.words if word.strip())
    return filters


def _contains(word: str) -> Callable[[Entry], bool]:
    """Whether the description has the word, or the words one after another, whole."""
    text = word.strip().upper()
    whole = re.compile(r"(?<!\w)" + r"\W+".join(re.escape(part) for part in text.split()) + r"(?!\w)")
    first = text.split()[0]

    def contains(entry: Entry) -> bool:
        description = entry.description.upper()
        return first in description and whole.search(description) is not None

    return contains


_ONE_BY_ONE = frozenset({"largest", "smallest", "latest", "count"})
_KINDS: Mapping[Kind, Callable[[Entry], bool]] = {
    "spending": is_spending,
    "income": is_income,
    "debits": lambda entry: entry.direction == "DEBIT",
    "credits": lambda entry: entry.direction == "CREDIT",
    "transfers": lambda entry: entry.group == "TRANSFER",
}


def _average(query: Query, found: list[Entry], parts: tuple[Part, ...]) -> Decimal | None:
    """Over the parts of a `by`; else over the rows."""
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
    if by in ("day", "month"):
        return tuple(parts[key] for key in sorted(parts, key=lambda key: key[0] or date.min))
    return tuple(sorted(parts.values(), key=lambda part: (-part.total, part.label)))


def _balances(query: Query, book: Book) -> Answer:
    modes = query.modes or MODES
    day = _balance_day(query)
    balances = _balances_at(book, modes, day)
    span = Span(date.min, day, "") if day else None
    return Answer(
        query=query,
        entries=(),
        total=sum(balances.values(), _ZERO),
        count=0,
        average=None,
        scope=scope_of(query, book),
        compared=(
            run(replace(query, at=query.compare.last, period=None, compare=None), book) if query.compare else None
        ),
        balances=balances,
        stopped_by=stopping_issues(book, span, modes),
        openings_unknown=tuple(mode for mode in modes if book.openings.get(mode) is None),
    )


def _balance_day(query: Query) -> date | None:
    return query.at or (query.period.last if query.period else None)


def _balances_at(book: Book, modes: Collection[Mode], day: date | None) -> dict[Mode, Decimal]:
    if day is None and book.balances.keys() >= set(modes):
        return {mode: book.balances[mode] for mode in modes}
    balances = {mode: book.openings.get(mode) or _ZERO for mode in modes}
    for entry in book.entries:
        if entry.mode in balances and (day is None or entry.date <= day):
            balances[entry.mode] += entry.amount if entry.direction == "CREDIT" else -entry.amount
    return balances


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


def _sheet_of(cell: str) -> str:
    """The sheet of `NOVEMBER!F12` or `'CASH TRACKER'!F12`."""
    return cell.rpartition("!")[0].strip("'").replace("''", "'").upper()


def _category_name(name: str, book: Book) -> str:
    line = book.category(name)
    return line.name if line else name


def _listed(names: Iterable[str], word: str = "and") -> str:
    *before, last = names
    return f"{', '.join(before)} {word} {last}" if before else last


def _bounds_words(at_least: Decimal | None, at_most: Decimal | None) -> str:
    """`from ₹500 to ₹1,000`, `of ₹649.00`, `of ₹500 or more`."""
    if at_least is not None and at_most is not None:
        if at_least == at_most:
            return f"of {rupees(at_least)}"
        return f"from {_plain_rupees(at_least)} to {_plain_rupees(at_most)}"
    if at_least is not None:
        return f"of {_plain_rupees(at_least)} or more"
    return f"of {_plain_rupees(at_most or _ZERO)} or less"


def _plain_rupees(value: Decimal) -> str:
    return whole_rupees(value) if value == value.to_integral_value() else rupees(value)
