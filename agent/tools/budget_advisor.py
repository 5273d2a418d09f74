"""Advice from the book: what stands out, what could be saved, where the budget stands, how long the money lasts.

    Advice ──the days it looks at──► figures from `ledger`, each with its rows ──advice_wording──► Findings

Finding an anomaly also runs the budget's alerts, whatever was asked. It says what the book shows and leaves the choice
to its owner.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from agent import charts
from agent.evidence import calculated, entries_source
from agent.insights import Insight, InsightLine, Saved
from agent.language.advice import Advice, AdviceKind, rows_of
from agent.state import Findings
from agent.tools import advice_wording as words_for
from agent.tools import days_ahead
from agent.tools.advice_parts import alerts_told, rows_shown
from agent.tools.advice_wording import Asked
from agent.tools.ledger_charts import period_name
from agent.tools.ledger_query import untrustworthy
from agent.turn import Chart, Recommendation
from ledger.budget import BudgetLine, alerts, recommendations, summary
from ledger.budget import Recommendation as Cut
from ledger.entries import Book
from ledger.kinds import is_expense
from ledger.outlook import outlook
from ledger.queries import Span, stopping_issues
from ledger.spending import Change, anomalies, compared_days
from money import days_text, month_span

NAME = "budget_advisor"
LINES_SHOWN = 6
"""categories a summary names; the chart has them all"""
WEEK = 7
AHEAD = frozenset[AdviceKind]({"plan", "afford", "due", "subscriptions", "safe", "forecast"})
"""advice on the days ahead: it rests on all balances, or on every row"""
_ZERO = Decimal(0)
_NOTHING_STANDS_OUT = "Nothing stands out: no category rose by more than a fifth."


def budget_advisor(advice: Advice, book: Book, today: date, words: str, put_aside: Decimal = _ZERO) -> Findings:
    """What the book has to say to a request for advice; `put_aside` is what the savings goal keeps of a month."""
    asked = Asked(advice, book, today, compared_days(_looked_at(advice, today), today), put_aside)
    found = Findings(NAME, words, asked.wording.saying(""), query=rows_of(advice, today), advice=advice)
    whole = None if advice.kind in AHEAD else Span(asked.days.before.first, asked.days.now.last, "")
    if stopped := stopping_issues(book, whole):
        return replace(found, saying=untrustworthy(stopped))
    return _ANSWERS[advice.kind](found, asked)


# the kinds of advice


def _overspend(found: Findings, asked: Asked) -> Findings:
    """What cost more than before, by how much, and what made it so."""
    asked = _where(asked, lambda look: any(line.now.entries for line in look.changes()))
    lines = asked.changes()
    high = anomalies(lines)
    text = [words_for.against_before(lines, asked)]
    text += [f"- {words_for.anomaly_sentence(line, asked)}" for line in high]
    known = any(line.before.entries for line in lines)
    if known and not high:
        stands_out = "That is no unusual rise." if asked.advice.categories else _NOTHING_STANDS_OUT
        text.append(stands_out)
    if new := [line for line in lines if known and line.is_new]:
        named = ", ".join(f"{asked.named(line.category)} {words_for.spent(line, asked)}" for line in new)
        text.append(f"- New, with nothing {asked.wording.quote(asked.days.before.words)}: {named}.")
    told = alerts(_named(asked.status().lines, asked.advice.categories))
    text += words_for.alert_lines(told, asked)
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        rows=rows_shown(entry for line in high for entry in line.now.entries),
        alerts=alerts_told(told),
        count=_rows_read(lines),
        trace=_proactive(high),
        insight=_insight(lines, asked),
    )


def _save(found: Findings, asked: Asked) -> Findings:
    """The two cuts that matter most, at the profile's rate."""
    if essential := _essential_named(asked):
        return _with_alerts(found, asked, [words_for.essential_sentence(essential, asked)])
    asked = _where(asked, _can_cut)
    cuts = recommendations(asked.changes(), asked.book, asked.advice.profile)
    if not cuts:
        return _with_alerts(found, asked, [words_for.nothing_to_cut(asked)])
    text = [words_for.saving_sentence(cuts, asked), *(f"- {words_for.cut_words(cut, asked)}." for cut in cuts)]
    return _with_alerts(found, asked, text, cuts)


def _cut(found: Findings, asked: Asked) -> Findings:
    """The same cuts with the expenses behind them, what was better avoided, and what comes back every month."""
    if essential := _essential_named(asked):
        return _with_alerts(found, asked, [words_for.essential_sentence(essential, asked)])
    asked = _where(asked, _can_cut)
    lines = asked.changes()
    cuts = recommendations(lines, asked.book, asked.advice.profile)
    if not cuts:
        return _with_alerts(found, asked, [words_for.nothing_to_cut(asked)])
    more = (*words_for.avoided_sentences(lines, cuts, asked), *words_for.subscription_sentences(asked))
    text = [
        words_for.saving_sentence(cuts, asked),
        *(f"- {words_for.cut_words(cut, asked)}; {words_for.largest(cut.change, asked)}." for cut in cuts),
        *(f"- {sentence}" for sentence in more),
    ]
    rows = rows_shown(entry for cut in cuts for entry in cut.change.now.entries)
    return replace(_with_alerts(found, asked, text, cuts), rows=rows)


def _status(found: Findings, asked: Asked) -> Findings:
    """Where the month's budget stands, as a whole or in the categories named."""
    whole = asked.status()
    lines = _named(whole.lines, asked.advice.categories)
    told = alerts(lines)
    if asked.advice.categories:
        planned = {line.category.name.casefold() for line in lines}
        missing = [name for name in asked.advice.categories if name.casefold() not in planned]
        text = [words_for.budget_sentence(line, asked) for line in lines]
        text += [f"{asked.named(name)} has no budget in this book." for name in missing]
    elif not lines:
        text = ["This book has no budgets yet. They stand on its BUDGET sheet, a category a row."]
    else:
        text = [words_for.whole_budget_sentence(whole, asked)]
        if whole.unplanned.entries:
            more = asked.cost(whole.unplanned.entries, whole.unplanned.total)
            text.append(f"{more} more went to what has no budget.")
        text += words_for.alert_lines(told, asked) or ["No category is over its budget or close to it."]
        if month_span(asked.days.now.last) == month_span(asked.today):
            text += [f"- {sentence}" for sentence in words_for.pace_sentences(outlook(asked.book, asked.today), asked)]
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        alerts=alerts_told(told),
        count=sum(len(line.entries) for line in lines) + len(whole.unplanned.entries),
    )


def _summary(found: Findings, asked: Asked) -> Findings:
    """What came in, what went out and where to; an anomaly also brings the budget's alerts."""
    lines = asked.changes()
    whole = summary(asked.book, asked.days.now.first, asked.days.now.last)
    spending = [line for line in lines if line.now.entries]
    text = [words_for.against_before(lines, asked)]
    if whole.income and not asked.advice.categories:
        came = asked.cost(whole.income_entries, whole.income)
        text.append(f"{came} came in: {words_for.kept_sentence(whole.saved, whole.saved_percent, asked)}.")
    text += [f"- {asked.named(line.category)}: {words_for.spent(line, asked)}" for line in spending[:LINES_SHOWN]]
    if rest := spending[LINES_SHOWN:]:
        entries = [entry for line in rest for entry in line.now.entries]
        text.append(f"- everything else: {asked.cost(entries, sum((line.now.total for line in rest), _ZERO))}")
    text += [f"- Unusual: {words_for.anomaly_sentence(line, asked)}" for line in anomalies(lines)]
    return replace(_with_alerts(found, asked, text), charts=(_chart(spending, asked),) if spending else ())


def _report(found: Findings, asked: Asked) -> Findings:
    """The month's figures in short, and the month whose report is to be taken along."""
    month = asked.days.now.first
    told = _summary(found, asked)
    if not told.count:
        return told
    name = asked.wording.quote(days_text(*month_span(month), asked.today))
    lead = f"The report of {name} is below, to save or print."
    saying = asked.wording.saying(f"{lead}\n\n{told.saying.text}")
    return replace(told, saying=saying, report=f"{month:%Y-%m}")


_ANSWERS: Mapping[AdviceKind, Callable[[Findings, Asked], Findings]] = {
    "overspend": _overspend,
    "save": _save,
    "cut": _cut,
    "status": _status,
    "summary": _summary,
    "plan": days_ahead.plan,
    "afford": days_ahead.afford,
    "due": days_ahead.due,
    "subscriptions": days_ahead.subscriptions,
    "safe": days_ahead.safe,
    "forecast": days_ahead.forecast,
    "report": _report,
}


# the days looked at


def _looked_at(advice: Advice, today: date) -> Span | None:
    """The days asked about. What to cut this week is seen from the last seven days."""
    period = advice.period
    if advice.kind in AHEAD:
        return None
    if advice.kind == "cut" and period and period.last >= today and (period.last - period.first).days < WEEK:
        return Span(today - timedelta(days=WEEK - 1), today, "in the last seven days")
    return period


def _where(asked: Asked, there_is: Callable[[Asked], bool]) -> Asked:
    """The month before where this month has nothing to speak of yet: on its first days advice looks back."""
    if asked.advice.period or there_is(asked):
        return asked
    earlier = replace(asked, days=compared_days(None, month_span(asked.days.before.first)[1]))
    return earlier if there_is(earlier) else asked


def _can_cut(asked: Asked) -> bool:
    return bool(recommendations(asked.changes(), asked.book))


def _essential_named(asked: Asked) -> tuple[Change, ...]:
    """The lines of essential categories that were asked about by name."""
    known = [(line, asked.book.category(line.category)) for line in asked.changes() if asked.advice.categories]
    return tuple(line for line, category in known if category and category.essential)


# what goes with the words


def _with_alerts(found: Findings, asked: Asked, text: Sequence[str], cuts: Sequence[Cut] = ()) -> Findings:
    """The findings, with the alerts that an anomaly brings unasked."""
    lines = asked.changes()
    high = anomalies(lines)
    told = alerts(asked.status().lines) if high else ()
    hint = (words_for.other_profile(asked),) if cuts else ()
    return replace(
        found,
        saying=asked.wording.saying("\n".join((*text, *words_for.alert_lines(told, asked), *hint))),
        alerts=alerts_told(told),
        recommendations=tuple(Recommendation(cut.change.category or "", cut.cut_percent, cut.saving) for cut in cuts),
        insight=_insight(lines, asked, cuts),
        count=_rows_read(lines),
        trace=_proactive(high),
    )


def _proactive(high: Iterable[Change]) -> tuple[str, ...]:
    return tuple(f"proactively ran the alert: anomaly in {line.category or 'no category'}" for line in high)


def _named(lines: Iterable[BudgetLine], categories: Sequence[str]) -> tuple[BudgetLine, ...]:
    wanted = {name.casefold() for name in categories}
    return tuple(line for line in lines if not wanted or line.category.name.casefold() in wanted)


def _rows_read(lines: Iterable[Change]) -> int:
    return sum(len(line.now.entries) + len(line.before.entries) for line in lines)


def _chart(lines: Sequence[Change], asked: Asked) -> Chart:
    return charts.bars(
        "Spending by category",
        [line.category or "No category" for line in lines],
        [line.now.total for line in lines],
        heading="Category",
        source=entries_source([entry for line in lines for entry in line.now.entries]).ref,
        counts=[sum(map(is_expense, line.now.entries)) for line in lines],
        counted="Expenses",
        period=period_name(asked.days.now),
    )


def _insight(lines: Sequence[Change], asked: Asked, cuts: Sequence[Cut] = ()) -> Insight:
    """What a question that follows may be answered from."""
    return Insight(
        0,
        asked.book.sha256,
        asked.days.now.words,
        asked.days.before.words,
        tuple(
            InsightLine(
                line.category,
                line.now.total,
                line.before.total,
                entries_source(line.now.entries),
                entries_source(line.before.entries),
            )
            for line in lines
        ),
        tuple(
            Saved(
                cut.change.category,
                cut.saving,
                calculated(
                    f"{cut.cut_percent} % of what {cut.change.category or 'No category'} cost",
                    [entry.amount_cell for entry in cut.change.now.entries],
                ),
            )
            for cut in cuts
        ),
    )
