"""Questions of the book: a Query in, Findings out, every figure with the cells it came from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from agent.evidence import (
    Wording,
    amounts_source,
    balance_source,
    budgets_source,
    calculated,
    cell_source,
    entries_source,
    message_source,
)
from agent.markdown import sentence_case
from agent.state import Findings, Offer, Saying
from agent.tools.ledger_charts import (
    balance_chart,
    budget_chart,
    chart_of,
    compared_chart,
    refunds_of,
)
from agent.turn import Chart, Row, Source
from ledger import budget
from ledger.entries import MODE_NAMES, MODES, Book, Entry, Issue, Mode, plain_description
from ledger.joined import Missing
from ledger.kinds import Moves, is_income, is_spending, moves_of, net_spent
from ledger.queries import Answer, Part, Query, Span, ignored_issues, run
from ledger.selection import days_of
from ledger.unusual import DEVIATIONS
from ledger.years import path_of
from money import day_text, days_text, month_span

NAME = "ledger_query"
ROWS_SHOWN = 50

_VERB = {
    "spending": "spent",
    "income": "received",
    "net": "kept",
    "refunds": "got back",
    "withdrawals": "withdrew",
    "debits": "paid out",
    "credits": "received",
    "transfers": "moved",
    "all": "moved",
}
_NOUN = {
    "spending": ("expense", "expenses"),
    "income": ("income entry", "income entries"),
    "net": ("transaction", "transactions"),
    "refunds": ("refund", "refunds"),
    "withdrawals": ("withdrawal", "withdrawals"),
    "debits": ("debit", "debits"),
    "credits": ("credit", "credits"),
    "transfers": ("transfer", "transfers"),
    "all": ("transaction", "transactions"),
}
_BOUND = re.compile(r"\b(above|below|from|to|of) (₹[\d,]+(?:\.\d+)?)")


def ledger_query(query: Query, book: Book, today: date, words: str) -> Findings:
    """What the book says to a question; and how many cells the user set aside are in none of its figures."""
    findings = _found(query, book, today, words)
    aside = ignored_issues(book, query.period, query.modes)
    if not aside or not findings.saying.text:
        return findings
    wording = Wording()
    cells = calculated("cells you ignore", [issue.cell for issue in book.ignored])
    left = wording.saying(
        f"{wording.count(aside, 'cell', cells)} that you ignore {'is' if aside == 1 else 'are'} left out."
    )
    told = findings.saying
    saying = replace(
        told,
        text=f"{told.text} {left.text}",
        figures=(*told.figures, *left.figures),
        quoted=(*told.quoted, *left.quoted),
    )
    return replace(findings, saying=saying)


def with_missing(findings: Findings, book: Book, missing: Sequence[Missing], today: date) -> Findings:
    """The findings with a sentence on the days that lie in books that are not there."""
    if not missing:
        return findings
    wording = Wording()
    name = path_of(Path(book.name), book.year, missing[0].year).name
    names = wording.quote(name if len(missing) == 1 else f"{name} and the books of {_years(missing[1:])}")
    days = wording.quote(" and ".join(days_text(each.first, each.last, today) for each in missing))
    verb = "is" if len(missing) == 1 else "are"
    left = wording.saying(f"{names} {verb} not beside this book, so {days} {verb} missing from that.")
    told = findings.saying
    lines = f"{told.text}\n\n{left.text}" if "\n" in told.text else f"{told.text} {left.text}"
    return replace(findings, saying=replace(told, text=lines, quoted=(*told.quoted, *left.quoted)))


def _years(missing: Sequence[Missing]) -> str:
    return " and ".join(str(each.year) for each in missing)


def _found(query: Query, book: Book, today: date, words: str) -> Findings:
    answer = run(query, book)
    resolved = resolved_words(answer)
    findings = Findings(
        NAME, words, Wording().saying(""), query=query, count=len(answer.entries), trace=(f"read as: {resolved}",)
    )
    if query.aggregate == "balance":
        return _held(findings, answer, book, today) if query.over or query.chart else _balances(findings, answer, book)
    if answer.stopped_by:
        return replace(findings, saying=untrustworthy(answer.stopped_by))
    if query.shape == "budget":
        return _budgeted(findings, answer, book, today)
    if answer.compared is not None:
        return _compared(findings, answer, answer.compared)
    if not answer.entries:
        return _nothing(findings, answer)
    if query.aggregate == "share":
        return _shared(findings, answer, book, today)
    if query.aggregate == "unusual":
        return _unusual(findings, answer, today)
    if query.by is not None:
        return _parted(findings, answer, book, today)
    if query.description_only:
        return _descriptions(findings, answer)
    if query.kind == "net" and query.aggregate == "total":
        return _net(findings, answer)
    if query.aggregate in ("total", "count", "average", "median"):
        return _single(findings, answer)
    return _rows(findings, answer, today)


def resolved_words(answer: Answer) -> str:
    """The question as it was understood, whatever it continued: `total spending on Food in October, by day`."""
    query = answer.query
    what = f"{query.over or ''} balance".strip() if query.aggregate == "balance" else f"{query.aggregate} {query.kind}"
    more = [f"by {query.by}"] if query.by else []
    more += [f"against {query.compare.words}"] if query.compare else []
    more += [f"{query.order} first"] if query.order != "newest" else []
    more += [f"after the first {query.skip}"] if query.skip else []
    more += [f"drawn as {query.shape or 'bars'}"] if query.chart else []
    return ", ".join((f"{what} {answer.scope}", *more))


def shown_row(entry: Entry) -> Row:
    """An entry as a row of a table."""
    return Row(
        entry.date, entry.description, entry.mode, entry.direction, entry.amount, entry.category, entry.amount_cell
    )


def untrustworthy(issues: Sequence[Issue]) -> Saying:
    """Amounts that cannot be read: no total may be told over them."""
    wording = Wording()
    cells = " ".join(
        f"{wording.quote(issue.cell)} reads {wording.quote(issue.reads or 'nothing')}." for issue in issues[:5]
    )
    return wording.saying(f"I cannot count on that: {cells} Mend it in the book and ask again.")


def _balances(findings: Findings, answer: Answer, book: Book) -> Findings:
    """One sentence a mode, and nothing else unless asked."""
    wording = Wording()
    query = answer.query
    modes = [mode for mode in MODES if mode in answer.balances]
    past = answer.scope.removeprefix("now")
    sentences: list[str] = []
    for mode in modes:
        balance = wording.money(answer.balances[mode], _balance_source(mode, answer, book))
        had = f"had {balance} {wording.quote(past)}" if past else f"has {balance}"
        sentences.append(f"{MODE_NAMES[mode]} {had}.")
        if mode in answer.openings_unknown:
            sentences.append(f"(The book does not say what {MODE_NAMES[mode]} opened with.)")
        if not past:
            sentences += _disagreeing(mode, book, wording)
    if query.with_total:
        summed = calculated(" + ".join(MODE_NAMES[mode] for mode in modes))
        sentences.append(f"Together that is {wording.money(answer.total, summed)}.")
    return replace(
        findings,
        saying=wording.saying(" ".join(sentences)),
        balances=tuple((mode, answer.balances[mode]) for mode in modes),
        count=len(book.entries),
    )


def _balance_source(mode: Mode, answer: Answer, book: Book) -> Source:
    if answer.scope == "now":
        return balance_source(book, mode)
    last = answer.query.at or (answer.query.period.last if answer.query.period else None)
    rows = [entry for entry in book.entries if entry.mode == mode and (last is None or entry.date <= last)]
    opening = book.opening_cells.get(mode)
    return calculated(
        f"opening {opening or 'unknown'} + in − out of {MODE_NAMES[mode]} {answer.scope}",
        [*([opening] if opening else []), *(entry.amount_cell for entry in rows)],
    )


def _disagreeing(mode: Mode, book: Book, wording: Wording) -> list[str]:
    """Where the book's own card says otherwise, both are shown."""
    return [
        f"The card {wording.quote(card.cell)} shows {wording.money(card.shows, cell_source(card.cell))} instead: "
        "look at it before you write more."
        for card in book.cards
        if card.mode == mode and card.month is None and card.shows not in (None, book.balances.get(mode))
        if card.shows is not None
    ]


def _nothing(findings: Findings, answer: Answer) -> Findings:
    """No rows: the scope, and an offer to look over the whole book where dates narrowed it."""
    wording = Wording()
    many = _NOUN[answer.query.kind][1]
    scope = _scope(answer, wording)
    if answer.found and answer.query.skip:
        every = wording.count(answer.found, "row", Source("query", f"the rows {answer.scope}"))
        return replace(findings, saying=wording.saying(f"That was the last of them: there are {every} {scope}."))
    if answer.query.aggregate == "unusual":
        many = "unusual expenses"
    if answer.query.period is None:
        return replace(findings, saying=wording.saying(f"There are no {many} {scope}."))
    offer = "Shall I look over the whole book? Say **yes** (or **widen** while a card is open)."
    text = f"There are no {many} {scope}. {offer}"
    return replace(findings, saying=wording.saying(text), offer=Offer(answer.query, findings.words))


def _single(findings: Findings, answer: Answer) -> Findings:
    """A total, a count or an average, with its scope."""
    wording = Wording()
    scope = _scope(answer, wording)
    match answer.query.aggregate:
        case "count":
            text = f"{_counted(answer, wording)} {scope}"
        case "average":
            text = _averaged(answer, scope, wording)
        case "median":
            middle = wording.money(answer.average or Decimal(0), _average_source(answer))
            text = f"{middle} is the median {scope}: half of {_counted(answer, wording)} are above it, half below"
        case _ if _only_refunds(answer):
            text = f"{_told_total(answer, wording)} {scope}, in {_counted(answer, wording)}"
        case _:
            text = f"{_told_total(answer, wording)} {scope}, over {_counted(answer, wording)}"
    return replace(findings, saying=wording.saying(f"{text}."))


def _averaged(answer: Answer, scope: str, wording: Wording) -> str:
    """The average with what it is of: the total and the count as they are said give it."""
    average = wording.money(answer.average or Decimal(0), _average_source(answer))
    counted = _counted(answer, wording)
    if answer.money_in and answer.money_out and answer.query.kind == "all":
        return f"{average} on average {scope}, in or out, over {counted}"
    text = f"{average} on average {scope}: {_total_alone(answer, wording)} over {counted}"
    if answer.refunds:
        one = wording.count(len(answer.refunds), "refund", entries_source(answer.refunds, counting=True))
        text += f", not counting {one} of {_refunded(answer, wording)}"
    return text


def _compared(findings: Findings, answer: Answer, other: Answer) -> Findings:
    """Both figures and the change between them; nothing before has no percentage."""
    wording = Wording()
    if answer.query.aggregate == "share":
        now, before = (_rate_of(each, wording) for each in (answer, other))
        text = f"{now} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
        return replace(findings, saying=wording.saying(f"{text}."), count=answer.count + other.count)
    if answer.query.aggregate == "count":
        now, before = _counted(answer, wording), _counted(other, wording)
        text = f"{now} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    elif answer.query.aggregate in ("average", "median"):
        now = wording.money(answer.average or Decimal(0), _average_source(answer))
        before = wording.money(other.average or Decimal(0), _average_source(other))
        text = (
            f"{now} {_AS[answer.query.aggregate]} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
        )
    else:
        before = _total_alone(other, wording)
        text = f"{_told_total(answer, wording)} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    change = answer.percent_change
    if change:
        rate = wording.rate(abs(change), calculated("(this − before) ÷ before"))
        text += f": {rate} {'more' if change > 0 else 'less'}"
    elif answer.difference == 0:
        text += ": the same"
    lines = [f"- {line}" for line in _compared_parts(answer, other, wording)]
    return replace(
        findings,
        saying=wording.saying("\n".join((f"{text}.", *lines))),
        charts=(compared_chart(answer, other),) if answer.query.chart else (),
        count=answer.count + other.count,
    )


_AS = {"average": "on average", "median": "as the median"}


def _compared_parts(answer: Answer, other: Answer, wording: Wording) -> list[str]:
    """A line a part of either period, the one that rose most first."""
    now = {part.label: part for part in answer.groups}
    before = {part.label: part for part in other.groups}
    zero = Decimal(0)

    def told(parts: Mapping[str, Part], label: str) -> str:
        part = parts.get(label)
        return wording.money(part.total if part else zero, entries_source(part.entries if part else ()))

    def rise(label: str) -> Decimal:
        return (now[label].total if label in now else zero) - (before[label].total if label in before else zero)

    labels = sorted(dict.fromkeys((*now, *before)), key=lambda label: (-rise(label), label))
    return [f"{wording.quote(label)}: {told(now, label)}, against {told(before, label)}" for label in labels]


def _parted(findings: Findings, answer: Answer, book: Book, today: date) -> Findings:
    """Parts with their totals: in a chart with its table when one is drawn, otherwise a line a part."""
    wording = Wording()
    query = answer.query
    parts = answer.groups
    scope = _scope(answer, wording)
    ranked = query.aggregate in ("largest", "smallest")
    averaged = query.aggregate in ("average", "median") and answer.average is not None
    if ranked and len(parts) == 1:
        text = f"{_part(parts[0], query, wording)} {scope}, {_in(answer)} {_counted(answer, wording)}."
        return replace(findings, saying=wording.saying(text))
    if averaged:
        head = _averaged_parts(answer, book, today, wording)
    elif query.kind == "net":
        head = _kept(answer, scope, wording)
    elif ranked:
        most = "largest" if query.aggregate == "largest" else "smallest"
        of = wording.count(
            len(parts),
            f"{most} {_PART[query.by or 'category'][0]}",
            entries_source(answer.entries, counting=True),
            f"{most} {_PART[query.by or 'category'][1]}",
        )
        head = f"Your {of} {scope}: {_in_all(answer, wording)}, {_in(answer)} {_counted(answer, wording)}"
    else:
        head = f"{_told_total(answer, wording)} {scope}, {_in(answer)} {_counted(answer, wording)}"
    if query.shape == "line":
        head += _direction(answer, wording)
    if query.chart or query.by == "category":
        return replace(findings, saying=wording.saying(f"{head}."), charts=(chart_of(answer, book, today),))
    if averaged and query.by in ("day", "week"):
        return replace(findings, saying=wording.saying(f"{head}."))
    lines = [f"- {_part(part, query, wording)}" for part in parts[:ROWS_SHOWN]]
    if len(parts) > ROWS_SHOWN:
        left = wording.count(
            len(parts) - ROWS_SHOWN,
            f"more {_PART[query.by or 'day'][0]}",
            entries_source(answer.entries, counting=True),
            f"more {_PART[query.by or 'day'][1]}",
        )
        lines.append(f"- and {left}; a chart shows them all")
    return replace(findings, saying=wording.saying("\n".join((f"{head}:", *lines))))


def _averaged_parts(answer: Answer, book: Book, today: date, wording: Wording) -> str:
    """The average of the days, weeks or months there are rows of; of days also over all of them, blank ones too."""
    query, by = answer.query, answer.query.by or "day"
    average = wording.money(answer.average or Decimal(0), _average_source(answer))
    with_rows = calculated(
        f"the {_PART[by][1]} of {entries_source(answer.entries, counting=True).ref}",
        [entry.amount_cell for entry in answer.entries],
    )
    parts = wording.count(len(answer.groups), _PART[by][0], with_rows, _PART[by][1])
    scope = _scope(answer, wording)
    if query.aggregate == "median":
        return f"{average} is the median {_PART[by][0]} {scope}, of {parts} with {_NOUN[query.kind][1]}"
    text = f"{average} on average a {_PART[by][0]} {scope}: {_total_alone(answer, wording)} over {parts} with "
    text += _NOUN[query.kind][1]
    days = days_of(query, book)
    if by != "day" or days is None or query.weekdays:
        return text
    last = min(days[1], today)
    every = (last - days[0]).days + 1
    if every > len(answer.groups):
        cells = [entry.amount_cell for entry in answer.entries]
        over = (answer.total / every).quantize(Decimal("0.01"), ROUND_HALF_UP)
        source = calculated(f"the sum of {_total_source(answer).ref}, divided by {every} days", cells)
        all_days = wording.figure(f"{every} days", Decimal(every), calculated(f"the days from {days[0]} to {last}"))
        text += f"; over all {all_days} it is {wording.money(over, source)}"
    return text


def _direction(answer: Answer, wording: Wording) -> str:
    """How the first of a row of months and the last one differ."""
    first, last = answer.groups[0], answer.groups[-1]
    if len(answer.groups) < 2 or first.total <= 0 or last.total < 0:
        return ""
    start, end = (wording.money(part.total, _sum_source(answer.query, part.entries)) for part in (first, last))
    told = f". From {start} in {wording.quote(first.label)} to {end} in {wording.quote(last.label)}"
    change = (last.total - first.total) * 100 / first.total
    if not change:
        return f"{told}: the same"
    rate = wording.rate(abs(change), calculated("(last − first) ÷ first"))
    return f"{told}: {rate} {'more' if change > 0 else 'less'}"


def _net(findings: Findings, answer: Answer) -> Findings:
    """What was kept: what came in less what was spent, both told."""
    wording = Wording()
    return replace(findings, saying=wording.saying(f"{_kept(answer, _scope(answer, wording), wording)}."))


def _kept(answer: Answer, scope: str, wording: Wording) -> str:
    income = tuple(entry for entry in answer.entries if is_income(entry))
    spending = tuple(entry for entry in answer.entries if is_spending(entry))
    came = wording.money(sum((entry.amount for entry in income), Decimal(0)), entries_source(income, came_in=True))
    went = wording.money(net_spent(spending), entries_source(spending))
    cells = [entry.amount_cell for entry in answer.entries]
    net = wording.money(abs(answer.total), calculated(f"{came} came in − {went} spent".replace("*", ""), cells))
    if answer.total < 0:
        return f"You spent {net} more than came in {scope}: {came} came in and {went} was spent"
    return f"You kept {net} {scope}: {came} came in and {went} was spent"


def _shared(findings: Findings, answer: Answer, book: Book, today: date) -> Findings:
    """What part of a whole it is; with parts, of each of them."""
    wording = Wording()
    whole = answer.whole
    if whole is None or answer.share is None or (answer.total < 0 and answer.query.by is None):
        return _single(findings, answer)
    kind = _WHOLE.get(whole.query.kind, "money moved")
    all_of_it = wording.money(whole.total, _total_source(whole))
    period = wording.quote(_period(answer))
    if answer.query.by is None:
        text = f"{_rate_of(answer, wording)} of your {kind} went {_scope(answer, wording)}"
        if whole.query.kind == answer.query.kind != "spending":
            text = f"{_rate_of(answer, wording)} of your {kind} came {_scope(answer, wording)}"
        text += f": {_total_alone(answer, wording)} of {all_of_it}"
        return replace(findings, saying=wording.saying(f"{text}."))
    lines = [
        f"- {wording.quote(part.label)}: "
        f"{wording.rate(part.total * 100 / whole.total, _share_source(answer.query, part.entries, whole))}, "
        f"{wording.money(part.total, _sum_source(answer.query, part.entries))}"
        for part in answer.groups[:ROWS_SHOWN]
    ]
    chart = (chart_of(replace(answer, query=replace(answer.query, shape="treemap")), book, today),)
    head = f"Of {all_of_it} {kind} {period}:"
    return replace(
        findings, saying=wording.saying("\n".join((head, *lines))), charts=chart if answer.query.chart else ()
    )


_WHOLE = {"spending": "spending", "income": "income"}


def _rate_of(answer: Answer, wording: Wording) -> str:
    if answer.share is None or answer.whole is None:
        return "nothing"
    return wording.rate(answer.share, _share_source(answer.query, answer.entries, answer.whole))


def _share_source(query: Query, entries: Sequence[Entry], whole: Answer) -> Source:
    part = _sum_source(query, entries).ref
    return calculated(f"({part}) ÷ ({_total_source(whole).ref})", [entry.amount_cell for entry in entries])


def _unusual(findings: Findings, answer: Answer, today: date) -> Findings:
    """The rows that stand out, each beside what is usual in its category, and by what it was judged."""
    wording = Wording()
    kept = answer.entries[:ROWS_SHOWN]
    counted = wording.count(
        len(answer.entries), "unusual expense", entries_source(answer.entries, counting=True), "unusual expenses"
    )
    lines = []
    for entry in kept:
        usual = answer.usual[entry.category or ""]
        source = calculated(
            f"the median of {len(usual.entries)} expenses of {entry.category}: "
            f"{entries_source(usual.entries, counting=True).ref}",
            [each.amount_cell for each in usual.entries],
        )
        lines.append(
            f"- {wording.quote(sentence_case(entry.description))}: "
            f"{wording.money(entry.amount, cell_source(entry.amount_cell))} on {day_text(entry.date, today)}; "
            f"{wording.quote(entry.category or '')} is usually {wording.money(usual.median, source)}"
        )
    measure = wording.figure(f"{DEVIATIONS}", DEVIATIONS, calculated("the bound that is used for what is unusual"))
    how = f"That is more than {measure} robust deviations above the median of the category, over the whole book."
    text = "\n".join((f"{counted} {_scope(answer, wording)}:", *lines, "", how))
    return replace(findings, saying=wording.saying(text), rows=tuple(shown_row(entry) for entry in kept))


def _budgeted(findings: Findings, answer: Answer, book: Book, today: date) -> Findings:
    """A month's budget against what was spent of it."""
    wording = Wording()
    period = answer.query.period
    day = min(period.last, today) if period else today
    status = budget.status(book, Span(*month_span(day), _month_words(day, today)))
    if not status.lines:
        return replace(findings, saying=wording.saying("This book has no budgets yet, so there is nothing to compare."))
    spent = wording.money(status.spent, entries_source(status.entries))
    planned = wording.money(status.budget, budgets_source(line.category for line in status.lines))
    text = f"You spent {spent} of {planned} budgeted {wording.quote(status.days.words)}."
    return replace(findings, saying=wording.saying(text), charts=(budget_chart(status),), count=len(status.entries))


def _month_words(day: date, today: date) -> str:
    first, last = month_span(day)
    return "this month" if first <= today <= last else f"in {days_text(first, last, today)}"


def _held(findings: Findings, answer: Answer, book: Book, today: date) -> Findings:
    """The lowest, highest or average balance of some days, a sentence a mode; with a chart its course."""
    wording = Wording()
    if answer.stopped_by:
        return replace(findings, saying=untrustworthy(answer.stopped_by))
    scope = wording.quote(_period(answer))
    sentences = []
    for mode in (mode for mode in MODES if mode in answer.balances):
        held = answer.held.get(mode)
        rows = [entry.amount_cell for entry in book.entries if entry.mode == mode]
        name = MODE_NAMES[mode]
        source = calculated(
            f"opening {book.opening_cells.get(mode) or 'unknown'} + in − out of {name}, day by day", rows
        )
        amount = wording.money(answer.balances[mode], source)
        if held is None:
            sentences.append(f"{name} had {amount} at the end.")
        elif answer.query.over == "average":
            days = wording.count(held.days, "day", calculated("the days asked about"), "days")
            sentences.append(f"{name} had {amount} on average {scope}, over {days}.")
        else:
            when = day_text(held.day, today)
            sentences.append(f"{name} was {answer.query.over} {scope} with {amount} at the end of {when}.")
    charts: tuple[Chart, ...] = ()
    if answer.query.chart and answer.groups:
        names = " and ".join(MODE_NAMES[mode] for mode in answer.balances)
        origin = f"Opening + in − out of {names}, at the end of each day"
        charts = (balance_chart(answer, "Balance" if len(answer.balances) > 1 else f"{names} balance", origin),)
    return replace(
        findings,
        saying=wording.saying(" ".join(sentences)),
        balances=tuple(answer.balances.items()),
        charts=charts,
        count=len(book.entries),
    )


_PART = {
    "category": ("category", "categories"),
    "group": ("group", "groups"),
    "mode": ("mode", "modes"),
    "day": ("day", "days"),
    "week": ("week", "weeks"),
    "month": ("month", "months"),
}


def _part(part: Part, query: Query, wording: Wording) -> str:
    label = wording.quote(part.label)
    if query.aggregate == "count":
        return f"{label}: {wording.count(part.count, *_nouns(query, part.entries))}"
    if query.kind == "spending" and part.total < 0:
        back = wording.money(-part.total, entries_source(part.entries, came_in=True))
        return f"{label}: {back} {'more came back than was spent' if part.count else 'came back'}"
    return f"{label}: {wording.money(part.total, _sum_source(query, part.entries))}"


def _descriptions(findings: Findings, answer: Answer) -> Findings:
    """Just the descriptions, each once, newest first."""
    wording = Wording()
    names = list(dict.fromkeys(plain_description(entry.description) for entry in answer.entries))
    lines = [f"- {wording.quote(sentence_case(name))}" for name in names[:ROWS_SHOWN]]
    if len(names) > ROWS_SHOWN:
        left = len(names) - ROWS_SHOWN
        lines.append(f"- and {wording.count(left, 'other', entries_source(answer.entries, counting=True))}")
    rows = tuple(shown_row(entry) for entry in answer.entries[:ROWS_SHOWN])
    return replace(findings, saying=wording.saying("\n".join(lines)), rows=rows)


def _rows(findings: Findings, answer: Answer, today: date) -> Findings:
    """The entries, with their count and total in the sentence."""
    wording = Wording()
    kept = answer.entries[:ROWS_SHOWN]
    rows = tuple(shown_row(entry) for entry in kept)
    if answer.query.aggregate in ("latest", "earliest", "largest", "smallest") and len(kept) == 1:
        entry = kept[0]
        amount = wording.money(entry.amount, cell_source(entry.amount_cell))
        way = "into" if entry.direction == "CREDIT" else "from"
        name = wording.quote(sentence_case(entry.description))
        text = f"{name}: {amount} {way} {MODE_NAMES[entry.mode]} on {day_text(entry.date, today)}."
        if answer.as_large:
            alike = (entry, *answer.as_large)
            one, many = _NOUN[answer.query.kind]
            same = wording.count(len(alike), one, entries_source(alike, counting=True), many)
            text += f" It is the latest of {same} of that amount."
        return replace(findings, saying=wording.saying(text), rows=rows)
    if answer.query.skip:
        every = wording.count(answer.found, "row", Source("query", f"the rows {answer.scope}"), "rows")
        text = f"{every} {_scope(answer, wording)}.{_which_rows(answer, kept, wording)}"
        return replace(findings, saying=wording.saying(text), rows=rows)
    counted = _counted(answer, wording)
    if answer.refunds and answer.count:
        counted += ","
    text = f"{counted} {_scope(answer, wording)}: {_in_all(answer, wording)}."
    if answer.as_large:
        left = wording.count(len(answer.as_large), "more", entries_source(answer.as_large, counting=True), "more")
        text += f" There {'is' if len(answer.as_large) == 1 else 'are'} {left} of the last one's amount."
    if len(answer.entries) > len(kept):
        text += _which_rows(answer, kept, wording)
    return replace(findings, saying=wording.saying(text), rows=rows)


_FIRST = {"newest": "newest", "oldest": "oldest", "largest": "largest", "smallest": "smallest"}


def _which_rows(answer: Answer, kept: Sequence[Entry], wording: Wording) -> str:
    """Which of the many rows are shown, and the words that show the others."""
    source = entries_source(kept, counting=True)
    left = len(answer.entries) - len(kept)
    first = answer.query.skip + 1
    if answer.query.skip:
        every = wording.figure(f"{answer.found}", Decimal(answer.found), Source("query", f"the rows {answer.scope}"))
        begin, end = (wording.figure(f"{number}", Decimal(number), source) for number in (first, first + len(kept) - 1))
        text = f" These are {begin} to {end} of {every}."
    else:
        text = f" The {_FIRST[answer.query.order]} {wording.count(len(kept), 'entry', source)} are shown."
    return f"{text} Say **show more** to see the rest." if left else text


def _told_total(answer: Answer, wording: Wording) -> str:
    """`You spent ₹500.00`; of all rows what came in and what went out."""
    kind = answer.query.kind
    if kind == "spending" and answer.total < 0:
        more = "" if _only_refunds(answer) else " more than you spent"
        return f"You got back {wording.money(-answer.total, entries_source(answer.entries, came_in=True))}{more}"
    if kind == "all" or (kind == "transfers" and _one_sided(answer.entries)):
        return _in_all(answer, wording)
    return f"You {_VERB[kind]} {wording.money(answer.total, _total_source(answer))}"


def _total_alone(answer: Answer, wording: Wording) -> str:
    """The total without its verb: `₹500.00`, `₹700.00 that came back`."""
    if answer.query.kind == "spending" and answer.total < 0:
        return f"{wording.money(-answer.total, entries_source(answer.entries, came_in=True))} that came back"
    return wording.money(answer.total, _total_source(answer))


def _in_all(answer: Answer, wording: Wording) -> str:
    """What rows come to: one total, or in and out where both are among them."""
    kind = answer.query.kind
    if kind == "transfers" and not _one_sided(answer.entries):
        return f"{wording.money(answer.total, _total_source(answer))} moved"
    if kind in ("spending", "income", "withdrawals") or not (answer.money_in and answer.money_out):
        return f"{_total_alone(answer, wording)} in all"
    out = tuple(entry for entry in answer.entries if entry.direction == "DEBIT")
    into = tuple(entry for entry in answer.entries if entry.direction == "CREDIT")
    went = wording.money(answer.money_out, entries_source(out))
    return f"{went} went out and {wording.money(answer.money_in, entries_source(into))} came in"


def _counted(answer: Answer, wording: Wording) -> str:
    """`29 expenses, less 1 refund of ₹700.00`; `3 moves between your own modes (6 rows)`."""
    query = answer.query
    if query.kind == "transfers" and not _one_sided(answer.entries):
        return _moves_counted(moves_of(answer.entries), wording)
    if query.kind != "spending" or not answer.refunds or (query.aggregate == "average" and not query.by):
        return wording.count(answer.count, *_nouns(query, answer.entries))
    refunds = wording.count(len(answer.refunds), "refund", entries_source(answer.refunds, counting=True))
    if not answer.count:
        return refunds
    expenses = wording.count(answer.count, *_nouns(query, answer.entries))
    return f"{expenses}, less {refunds} of {_refunded(answer, wording)}"


def _refunded(answer: Answer, wording: Wording) -> str:
    amount = sum((entry.amount for entry in answer.refunds), Decimal(0))
    return wording.money(amount, entries_source(answer.refunds))


def _moves_counted(moves: Moves, wording: Wording) -> str:
    paired = [entry for pair in moves.pairs for entry in pair]
    count = wording.count(len(moves.pairs), "move", entries_source(paired, counting=True))
    text = (
        f"{count} between your own modes ({wording.count(len(paired), 'row', entries_source(paired, counting=True))})"
    )
    if moves.singles:
        lone = wording.count(len(moves.singles), "row", entries_source(moves.singles, counting=True))
        text += (
            f" and {lone} without its other half"
            if len(moves.singles) == 1
            else f" and {lone} without their other half"
        )
    return text


def _one_sided(entries: Sequence[Entry]) -> bool:
    """Whether of no move between own modes both rows are among the entries."""
    return not moves_of(entries).pairs


def _only_refunds(answer: Answer) -> bool:
    return answer.query.kind == "spending" and bool(answer.refunds) and not answer.count


def _in(answer: Answer) -> str:
    return "in" if _only_refunds(answer) else "over"


def _total_source(answer: Answer) -> Source:
    return _sum_source(answer.query, answer.entries)


def _sum_source(query: Query, entries: Sequence[Entry]) -> Source:
    """The cells of a total, added and taken off as it does."""
    if query.kind == "transfers":
        return entries_source(moves_of(entries).counted, counting=False)
    if query.kind == "withdrawals":
        return amounts_source(entries)
    return entries_source(entries, came_in=query.kind != "spending")


def _nouns(query: Query, entries: tuple[Entry, ...]) -> tuple[str, Source, str]:
    one, many = _NOUN[query.kind]
    refunds = refunds_of(query, entries)
    return one, entries_source([entry for entry in entries if entry not in refunds], counting=True), many


def _average_source(answer: Answer) -> Source:
    query = answer.query
    if not answer.entries:
        return Source("query", "no entry matches")
    if query.by:
        over = f"{len(answer.groups)} {_PART[query.by][1 if len(answer.groups) > 1 else 0]}"
    else:
        over = f"{answer.count} {_NOUN[query.kind][1 if answer.count > 1 else 0]}"
    either_way = not query.by and query.kind == "all"
    cells = entries_source(answer.entries, counting=True).ref if either_way else _total_source(answer).ref
    if query.aggregate == "median":
        every = entries_source(answer.entries, counting=True).ref
        return calculated(f"the median of {over}: {every}", [entry.amount_cell for entry in answer.entries])
    return calculated(f"the sum of {cells}, divided by {over}", [entry.amount_cell for entry in answer.entries])


def _scope(answer: Answer, wording: Wording) -> str:
    """The scope as the book's evaluator words it; a bound in it is the user's own figure."""
    pieces: list[str] = []
    end = 0
    for match in _BOUND.finditer(answer.scope):
        bound = _bound_of(answer.query, match[1])
        if bound is not None:
            pieces.append(wording.quote(answer.scope[end : match.start(2)]))
            pieces.append(wording.figure(match[2], bound, message_source(f"{match[1]} {match[2]}")))
            end = match.end()
    if rest := answer.scope[end:].strip():
        pieces.append(wording.quote(rest))
    return " ".join(pieces)


def _bound_of(query: Query, word: str) -> Decimal | None:
    """The bound that a word of the scope introduces."""
    match word:
        case "above":
            return query.above
        case "below":
            return query.below
        case "to":
            return query.at_most
        case _:
            return query.at_most if query.at_least is None else query.at_least


def _days(answer: Answer, wording: Wording) -> str:
    return wording.quote(_period(answer))


def _period(answer: Answer) -> str:
    return answer.query.period.words if answer.query.period else "in the whole book"
