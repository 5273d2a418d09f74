"""Questions of the book: a Query in, Findings out, every figure with the cells it came from."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from agent import charts
from agent.evidence import Wording, balance_source, calculated, cell_source, entries_source, message_source
from agent.markdown import sentence_case
from agent.state import Findings, Offer, Saying
from agent.turn import Chart, Row, Source
from ledger.entries import MODE_NAMES, MODES, Book, Entry, Issue, Mode, plain_description
from ledger.queries import Answer, Part, Query, run
from money import day_text

NAME = "ledger_query"
ROWS_SHOWN = 50

_VERB = {
    "spending": "spent",
    "income": "received",
    "debits": "paid out",
    "credits": "took in",
    "transfers": "moved",
    "all": "moved",
}
_NOUN = {
    "spending": ("expense", "expenses"),
    "income": ("income entry", "income entries"),
    "debits": ("debit", "debits"),
    "credits": ("credit", "credits"),
    "transfers": ("transfer", "transfers"),
    "all": ("transaction", "transactions"),
}
_BOUND = re.compile(r"\b(above|below|from|to|of) (₹[\d,]+(?:\.\d+)?)")


def ledger_query(query: Query, book: Book, today: date, words: str) -> Findings:
    """What the book says to a question."""
    answer = run(query, book)
    findings = Findings(NAME, words, Wording().saying(""), query=query, count=len(answer.entries))
    if query.aggregate == "balance":
        return _balances(findings, answer, book)
    if answer.stopped_by:
        return replace(findings, saying=untrustworthy(answer.stopped_by))
    if answer.compared is not None:
        return _compared(findings, answer, answer.compared)
    if not answer.entries:
        return _nothing(findings, answer)
    if query.by is not None:
        return _parted(findings, answer)
    if query.description_only:
        return _descriptions(findings, answer)
    if query.aggregate in ("total", "count", "average"):
        return _single(findings, answer)
    return _rows(findings, answer, today)


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
    if answer.query.period is None:
        return replace(findings, saying=wording.saying(f"There are no {many} {scope}."))
    offer = "Shall I look over the whole book? Say **yes** (or **widen** while a card is open)."
    text = f"There are no {many} {scope}. {offer}"
    return replace(findings, saying=wording.saying(text), offer=Offer(answer.query, findings.words))


def _single(findings: Findings, answer: Answer) -> Findings:
    """A total, a count or an average, with its scope."""
    wording = Wording()
    scope = _scope(answer, wording)
    found = _counted(answer, wording)
    match answer.query.aggregate:
        case "count":
            text = f"{found} {scope}."
        case "average":
            average = wording.money(answer.average or Decimal(0), _average_source(answer))
            text = f"{average} on average {scope}, over {found}."
        case _:
            text = f"{_told_total(answer, wording)} {scope}, over {found}."
    return replace(findings, saying=wording.saying(text))


def _compared(findings: Findings, answer: Answer, other: Answer) -> Findings:
    """Both figures and the change between them; nothing before has no percentage."""
    wording = Wording()
    if answer.query.aggregate == "count":
        now, before = _counted(answer, wording), _counted(other, wording)
        text = f"{now} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    elif answer.query.aggregate == "average":
        now = wording.money(answer.average or Decimal(0), _average_source(answer))
        before = wording.money(other.average or Decimal(0), _average_source(other))
        text = f"{now} on average {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    else:
        before = wording.money(other.total, entries_source(other.entries))
        text = f"{_told_total(answer, wording)} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    change = answer.percent_change
    if change:
        rate = wording.rate(abs(change), calculated("(this − before) ÷ before"))
        text += f": {rate} {'more' if change > 0 else 'less'}"
    elif answer.difference == 0:
        text += ": the same"
    labels = (_period(answer), _period(other))
    chart = charts.bars(
        "Compared",
        labels,
        (answer.total, other.total),
        heading="Period",
        source=entries_source(answer.entries).ref,
        counts=(answer.count, other.count),
    )
    return replace(
        findings,
        saying=wording.saying(f"{text}."),
        charts=(chart,) if answer.query.chart else (),
        count=answer.count + other.count,
    )


def _parted(findings: Findings, answer: Answer) -> Findings:
    """A line a part with its total; a chart when asked, and always by category."""
    wording = Wording()
    query = answer.query
    scope = _scope(answer, wording)
    if query.aggregate == "average" and answer.average is not None:
        head = f"{wording.money(answer.average, _average_source(answer))} on average by {query.by} {scope}:"
    else:
        head = f"{_told_total(answer, wording)} {scope}, over {_counted(answer, wording)}:"
    lines = [f"- {_part(part, query, wording)}" for part in answer.groups[:ROWS_SHOWN]]
    drawn = (_chart(answer),) if query.chart or query.by == "category" else ()
    return replace(findings, saying=wording.saying("\n".join((head, *lines))), charts=drawn)


def _part(part: Part, query: Query, wording: Wording) -> str:
    label = wording.quote(part.label)
    if query.aggregate == "count":
        return f"{label}: {wording.count(part.count, *_nouns(query, part.entries))}"
    return f"{label}: {wording.money(part.total, entries_source(part.entries))}"


def _chart(answer: Answer) -> Chart:
    by = answer.query.by or "category"
    labels = [part.label for part in answer.groups]
    totals = [part.total for part in answer.groups]
    counts = [part.count for part in answer.groups]
    title = f"By {by}, {_period(answer)}"
    source = entries_source(answer.entries).ref
    if by in ("day", "month"):
        return charts.days(title, labels, totals, source=source, counts=counts)
    return charts.bars(title, labels, totals, heading=by.capitalize(), source=source, counts=counts)


def _descriptions(findings: Findings, answer: Answer) -> Findings:
    """Just the descriptions, each once, newest first."""
    wording = Wording()
    names = list(dict.fromkeys(plain_description(entry.description) for entry in answer.entries))
    lines = [f"- {wording.quote(sentence_case(name))}" for name in names[:ROWS_SHOWN]]
    if len(names) > ROWS_SHOWN:
        left = len(names) - ROWS_SHOWN
        lines.append(f"- and {wording.count(left, 'more', entries_source(answer.entries, counting=True), 'more')}")
    rows = tuple(shown_row(entry) for entry in answer.entries[:ROWS_SHOWN])
    return replace(findings, saying=wording.saying("\n".join(lines)), rows=rows)


def _rows(findings: Findings, answer: Answer, today: date) -> Findings:
    """The entries, with their count and total in the sentence."""
    wording = Wording()
    kept = answer.entries[:ROWS_SHOWN]
    rows = tuple(shown_row(entry) for entry in kept)
    if answer.query.aggregate in ("latest", "largest", "smallest") and len(kept) == 1:
        entry = kept[0]
        amount = wording.money(entry.amount, cell_source(entry.amount_cell))
        way = "into" if entry.direction == "CREDIT" else "from"
        name = wording.quote(sentence_case(entry.description))
        day = day_text(entry.date, today)
        return replace(
            findings, saying=wording.saying(f"{name}: {amount} {way} {MODE_NAMES[entry.mode]} on {day}."), rows=rows
        )
    text = f"{_counted(answer, wording)} {_scope(answer, wording)}: {_in_all(answer, wording)}."
    if len(answer.entries) > len(kept):
        shown = wording.count(len(kept), "is", entries_source(kept, counting=True), "are")
        text += f" The newest {shown} shown; name a month, a category or a mode to see the rest."
    return replace(findings, saying=wording.saying(text), rows=rows)


def _told_total(answer: Answer, wording: Wording) -> str:
    """`You spent ₹500.00`; of all rows what came in and what went out."""
    if answer.query.kind == "all":
        return _in_all(answer, wording)
    return f"You {_VERB[answer.query.kind]} {wording.money(answer.total, entries_source(answer.entries))}"


def _in_all(answer: Answer, wording: Wording) -> str:
    """What rows come to: one total, or in and out where both are among them."""
    if answer.query.kind in ("spending", "income", "transfers") or not (answer.money_in and answer.money_out):
        return f"{wording.money(answer.total, entries_source(answer.entries))} in all"
    out = tuple(entry for entry in answer.entries if entry.direction == "DEBIT")
    into = tuple(entry for entry in answer.entries if entry.direction == "CREDIT")
    went = wording.money(answer.money_out, entries_source(out))
    return f"{went} went out and {wording.money(answer.money_in, entries_source(into))} came in"


def _counted(answer: Answer, wording: Wording) -> str:
    return wording.count(answer.count, *_nouns(answer.query, answer.entries))


def _nouns(query: Query, entries: tuple[Entry, ...]) -> tuple[str, Source, str]:
    one, many = _NOUN[query.kind]
    return one, entries_source(entries, counting=True), many


def _average_source(answer: Answer) -> Source:
    return calculated("the sum of the entries ÷ their number", [entry.amount_cell for entry in answer.entries])


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
