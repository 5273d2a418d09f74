"""The chart of an answer: its parts drawn as they were asked for, with the cells they come from under it."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from agent import charts
from agent.charts import Numbers
from agent.evidence import budgets_source, entries_source
from agent.turn import Chart
from ledger.budget import BudgetStatus
from ledger.entries import Book, Entry
from ledger.kinds import is_income, moves_of
from ledger.queries import Answer, Part, Query, Span
from ledger.selection import days_of

TITLE = {
    "spending": "Spending",
    "income": "Income",
    "net": "Net",
    "refunds": "Refunds",
    "debits": "Money out",
    "credits": "Money in",
    "transfers": "Transfers",
    "withdrawals": "Cash withdrawn",
    "all": "Transactions",
}
_ZERO = Decimal(0)


def chart_of(answer: Answer, book: Book, today: date) -> Chart:
    """The chart of an answer that has parts."""
    query = answer.query
    if query.shape == "flow":
        return _flow(answer)
    numbers = _numbers(answer)
    days = days_of(query, book)
    if query.shape == "calendar" and query.by == "day" and days:
        amounts = {part.entries[0].date: part.total for part in answer.groups if part.entries}
        return charts.calendar(numbers, amounts, *days, today)
    if query.by in ("day", "week", "month"):
        return charts.line(numbers) if query.shape == "line" else charts.upright(numbers)
    whole = all(part.total >= 0 for part in answer.groups)
    return charts.treemap(numbers) if query.shape == "treemap" and whole else charts.across(numbers)


def compared_chart(answer: Answer, other: Answer) -> Chart:
    """Two periods beside one another: each part of both, or just their two totals."""
    title = f"{TITLE[answer.query.kind]} compared"
    source = "; ".join(f"{period_name(each.query.period)}: {total_ref(each)}" for each in (answer, other))
    names = (period_name(answer.query.period), period_name(other.query.period))
    if not answer.groups and not other.groups:
        counts = tuple(count_told(each.count, each.refunds) for each in (answer, other))
        values = (answer.total, other.total)
        counted = counted_heading(answer.query)
        return charts.across(Numbers(title, "Period", names, values, source, counts, counted))
    now, before = ({part.label: part.total for part in each.groups} for each in (answer, other))
    labels = tuple(dict.fromkeys((*now, *before)))
    heading = (answer.query.by or "category").capitalize()
    return charts.paired(
        Numbers(title, heading, labels, [now.get(label, _ZERO) for label in labels], source, period=names[0]),
        Numbers(title, heading, labels, [before.get(label, _ZERO) for label in labels], source, period=names[1]),
    )


def budget_chart(status: BudgetStatus) -> Chart:
    """What was spent of each category's budget."""
    lines = sorted(status.lines, key=lambda line: -line.spent)
    labels = [line.category.name for line in lines]
    budgets = budgets_source(line.category for line in lines).ref
    source = f"Spent: {entries_source(status.entries).ref}; budgets: {budgets}"
    return charts.paired(
        Numbers("Budget against actual", "Category", labels, [line.spent for line in lines], source, period="Spent"),
        Numbers("Budget against actual", "Category", labels, [line.budget for line in lines], source, period="Budget"),
    )


def balance_chart(answer: Answer, title: str, source: str) -> Chart:
    """A balance at the end of every day."""
    labels = [part.label for part in answer.groups]
    values = [part.total for part in answer.groups]
    return charts.line(Numbers(title, "Day", labels, values, source, period=period_name(answer.query.period)))


def _numbers(answer: Answer) -> Numbers:
    query, by = answer.query, answer.query.by or "category"
    return Numbers(
        f"{TITLE[query.kind]} by {by}",
        by.capitalize(),
        [part.label for part in answer.groups],
        [part.total for part in answer.groups],
        total_ref(answer),
        [count_told(part.count, refunds_of(query, part.entries)) for part in answer.groups],
        counted_heading(query),
        period_name(query.period),
    )


def _flow(answer: Answer) -> Chart:
    """Income by what it was, through to what it was spent on."""
    came: dict[str, Decimal] = {}
    for entry in answer.entries:
        if is_income(entry):
            name = entry.description.capitalize()
            came[name] = came.get(name, _ZERO) + entry.amount
    went = {part.label: spent for part in answer.groups if (spent := _spent(part)) > 0}
    return charts.flow(
        "Where the income went", came, went, source=total_ref(answer), kept="Kept", drawn_on="From savings"
    )


def _spent(part: Part) -> Decimal:
    rows = (entry for entry in part.entries if not is_income(entry))
    return sum((entry.amount if entry.direction == "DEBIT" else -entry.amount for entry in rows), _ZERO)


def total_ref(answer: Answer) -> str:
    """The cells of a total, in words."""
    rows = moves_of(answer.entries).counted if answer.query.kind == "transfers" else answer.entries
    if answer.query.kind == "transfers":
        return entries_source(rows).ref
    return entries_source(rows, came_in=answer.query.kind != "spending").ref


def count_told(count: int, refunds: Sequence[Entry]) -> str:
    """`6`, and where there are refunds among the entries `6 − 1 refund`."""
    return f"{count} − {len(refunds)} refund{'s' if len(refunds) > 1 else ''}" if refunds else str(count)


def refunds_of(query: Query, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The refunds among rows of spending."""
    return tuple(entry for entry in entries if query.kind == "spending" and entry.direction == "CREDIT")


def counted_heading(query: Query) -> str:
    """What a table's counts are of."""
    return {"spending": "Expenses", "transfers": "Moves"}.get(query.kind, "Entries")


def period_name(period: Span | None) -> str:
    """A period as a label: `November`, `This month`, `22 to 28 Nov`; none is `The whole book`."""
    words = period.words if period else "the whole book"
    for before in ("in ", "on ", "from ", "over "):
        words = words.removeprefix(before)
    return words[:1].upper() + words[1:]
