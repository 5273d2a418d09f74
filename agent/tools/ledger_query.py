"""Questions of the book: a Query in, Findings out, every figure with the cells it came from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from agent import charts
from agent.evidence import Wording, balance_source, calculated, cell_source, entries_source, message_source
from agent.markdown import sentence_case
from agent.state import Findings, Offer, Saying
from agent.turn import Chart, Row, Source
from ledger.entries import MODE_NAMES, MODES, Book, Entry, Issue, Mode, plain_description
from ledger.kinds import Moves, moves_of
from ledger.queries import Answer, Part, Query, Span, run
from money import day_text

NAME = "ledger_query"
ROWS_SHOWN = 50

_VERB = {
    "spending": "spent",
    "income": "received",
    "debits": "paid out",
    "credits": "received",
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
_TITLE = {
    "spending": "Spending",
    "income": "Income",
    "debits": "Money out",
    "credits": "Money in",
    "transfers": "Transfers",
    "all": "Transactions",
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
    match answer.query.aggregate:
        case "count":
            text = f"{_counted(answer, wording)} {scope}"
        case "average":
            text = _averaged(answer, scope, wording)
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
    if answer.query.aggregate == "count":
        now, before = _counted(answer, wording), _counted(other, wording)
        text = f"{now} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    elif answer.query.aggregate == "average":
        now = wording.money(answer.average or Decimal(0), _average_source(answer))
        before = wording.money(other.average or Decimal(0), _average_source(other))
        text = f"{now} on average {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    else:
        before = _total_alone(other, wording)
        text = f"{_told_total(answer, wording)} {_scope(answer, wording)}, against {before} {_days(other, wording)}"
    change = answer.percent_change
    if change:
        rate = wording.rate(abs(change), calculated("(this − before) ÷ before"))
        text += f": {rate} {'more' if change > 0 else 'less'}"
    elif answer.difference == 0:
        text += ": the same"
    chart = charts.bars(
        f"{_TITLE[answer.query.kind]} compared",
        (_period_name(answer), _period_name(other)),
        (answer.total, other.total),
        heading="Period",
        source="; ".join(f"{_period_name(each)}: {_total_source(each).ref}" for each in (answer, other)),
        counts=(_count_told(answer.count, answer.refunds), _count_told(other.count, other.refunds)),
        counted=_counted_heading(answer.query),
    )
    lines = [f"- {line}" for line in _compared_parts(answer, other, wording)]
    return replace(
        findings,
        saying=wording.saying("\n".join((f"{text}.", *lines))),
        charts=(chart,) if answer.query.chart else (),
        count=answer.count + other.count,
    )


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


def _parted(findings: Findings, answer: Answer) -> Findings:
    """Parts with their totals: in a chart with its table when one is drawn, otherwise a line a part."""
    wording = Wording()
    query = answer.query
    parts = answer.groups
    scope = _scope(answer, wording)
    ranked = query.aggregate in ("largest", "smallest")
    if ranked and len(parts) == 1:
        text = f"{_part(parts[0], query, wording)} {scope}, {_in(answer)} {_counted(answer, wording)}."
        return replace(findings, saying=wording.saying(text))
    if query.aggregate == "average" and answer.average is not None:
        head = f"{wording.money(answer.average, _average_source(answer))} on average by {query.by} {scope}"
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
    if query.chart or query.by == "category":
        return replace(findings, saying=wording.saying(f"{head}."), charts=(_chart(answer),))
    lines = [f"- {_part(part, query, wording)}" for part in parts[:ROWS_SHOWN]]
    return replace(findings, saying=wording.saying("\n".join((f"{head}:", *lines))))


_PART = {
    "category": ("category", "categories"),
    "group": ("group", "groups"),
    "mode": ("mode", "modes"),
    "day": ("day", "days"),
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


def _chart(answer: Answer) -> Chart:
    by = answer.query.by or "category"
    labels = [part.label for part in answer.groups]
    totals = [part.total for part in answer.groups]
    counts = [_count_told(part.count, _refunds_of(answer.query, part.entries)) for part in answer.groups]
    title = f"{_TITLE[answer.query.kind]} by {by}"
    source, counted, period = _total_source(answer).ref, _counted_heading(answer.query), _period_name(answer)
    if by in ("day", "month"):
        heading = by.capitalize()
        return charts.days(
            title, labels, totals, heading=heading, source=source, counts=counts, counted=counted, period=period
        )
    return charts.bars(
        title, labels, totals, heading=by.capitalize(), source=source, counts=counts, counted=counted, period=period
    )


def _count_told(count: int, refunds: Sequence[Entry]) -> str:
    """`6`, and where there are refunds among the entries `6 − 1 refund`."""
    return f"{count} − {len(refunds)} refund{'s' if len(refunds) > 1 else ''}" if refunds else str(count)


def _refunds_of(query: Query, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if query.kind == "spending" and entry.direction == "CREDIT")


def _counted_heading(query: Query) -> str:
    return {"spending": "Expenses", "transfers": "Moves"}.get(query.kind, "Entries")


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
    if answer.query.aggregate in ("latest", "largest", "smallest") and len(kept) == 1:
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
    counted = _counted(answer, wording)
    if answer.refunds and answer.count:
        counted += ","
    text = f"{counted} {_scope(answer, wording)}: {_in_all(answer, wording)}."
    if answer.as_large:
        left = wording.count(len(answer.as_large), "more", entries_source(answer.as_large, counting=True), "more")
        text += f" There {'is' if len(answer.as_large) == 1 else 'are'} {left} of the last one's amount."
    if len(answer.entries) > len(kept):
        shown = wording.count(len(kept), "entry", entries_source(kept, counting=True))
        text += f" The newest {shown} are shown; name a month, a category or a mode to see the rest."
    return replace(findings, saying=wording.saying(text), rows=rows)


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
    if kind in ("spending", "income") or not (answer.money_in and answer.money_out):
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
    return entries_source(entries, came_in=query.kind != "spending")


def _nouns(query: Query, entries: tuple[Entry, ...]) -> tuple[str, Source, str]:
    one, many = _NOUN[query.kind]
    refunds = _refunds_of(query, entries)
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


def period_name(period: Span | None) -> str:
    """A period as a label: `November`, `This month`, `22 to 28 Nov`; none is `The whole book`."""
    words = period.words if period else "the whole book"
    for before in ("in ", "on ", "from ", "over "):
        words = words.removeprefix(before)
    return words[:1].upper() + words[1:]


def _period_name(answer: Answer) -> str:
    return period_name(answer.query.period)
