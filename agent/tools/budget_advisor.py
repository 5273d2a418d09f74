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
from agent.evidence import calculated, entries_source, message_source
from agent.language.advice import Advice, AdviceKind, rows_of
from agent.state import Findings
from agent.tools import advice_wording as words_for
from agent.tools.advice_wording import Asked
from agent.tools.ledger_query import ROWS_SHOWN, period_name, shown_row, untrustworthy
from agent.turn import Alert, Chart, Recommendation, Row
from ledger.budget import BudgetLine, alerts, recommendations, summary
from ledger.budget import Recommendation as Cut
from ledger.entries import MODE_NAMES, MODES, Book, Entry
from ledger.kinds import is_expense
from ledger.outlook import OnHand, affordable, on_hand, outlook
from ledger.queries import Span, stopping_issues
from ledger.spending import Change, anomalies, compared_days
from money import month_span

NAME = "budget_advisor"
LINES_SHOWN = 6
"""categories a summary names; the chart has them all"""
WEEK = 7
_ZERO = Decimal(0)
_NOTHING_STANDS_OUT = "Nothing stands out: no category rose by more than a fifth."


def budget_advisor(advice: Advice, book: Book, today: date, words: str) -> Findings:
    """What the book has to say to a request for advice."""
    asked = Asked(advice, book, today, compared_days(_looked_at(advice, today), today))
    found = Findings(NAME, words, asked.wording.saying(""), query=rows_of(advice, today), advice=advice)
    whole = None if advice.kind in ("plan", "afford") else Span(asked.days.before.first, asked.days.now.last, "")
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
        rows=_rows(entry for line in high for entry in line.now.entries),
        alerts=_alerts(told),
        count=_rows_read(lines),
        trace=_proactive(high),
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
    rows = _rows(entry for cut in cuts for entry in cut.change.now.entries)
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
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        alerts=_alerts(told),
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


def _plan(found: Findings, asked: Asked) -> Findings:
    """What there is, what is still due, what that leaves a day, and whether the budget keeps pace."""
    period = asked.advice.period
    plan = outlook(asked.book, asked.today, period.last if period and period.last >= asked.today else None)
    how = f"days from {plan.today.isoformat()} to {plan.until.isoformat()}"
    left = asked.wording.count(plan.days_left, "day", calculated(how), "days")
    this_month = plan.until <= month_span(plan.today)[1]
    told = alerts(plan.budget.lines) if this_month else ()
    text = [
        f"Until {asked.day(plan.until)} there {'is' if plan.days_left == 1 else 'are'} {left}, today included.",
        f"- {words_for.on_hand_sentence(plan.on_hand, asked)}",
        f"- {words_for.due_sentence(plan.due, plan.bills, plan.until, asked)}",
        f"- {words_for.left_a_day(plan, asked)}",
        *([f"- {words_for.soon_sentence(plan.soon, asked)}"] if plan.soon else []),
        *(f"- {sentence}" for sentence in (words_for.pace_sentences(plan, asked) if this_month else ())),
        *words_for.alert_lines(told, asked),
    ]
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        balances=_balances(plan.on_hand),
        alerts=_alerts(told),
        count=len({*plan.pace.entries, *(entry for due in plan.due for entry in due.bill.entries)}),
    )


def _afford(found: Findings, asked: Asked) -> Findings:
    """One price held against the money on hand, the bills of the next thirty days and its budget."""
    advice = asked.advice
    modes = advice.modes or MODES
    if advice.price is None or advice.price <= 0 or advice.currency:
        free = words_for.free_sentence(affordable(asked.book, asked.today, _ZERO, modes=modes), asked)
        foreign = "That price is not in rupees, and I do not convert: what is it in rupees?"
        question = foreign if advice.currency else "What does it cost? Say just the price."
        return replace(
            found, saying=asked.wording.saying(f"{question} {free}"), balances=_balances(on_hand(asked.book, modes))
        )
    held = affordable(asked.book, asked.today, advice.price, advice.thing, modes)
    price = asked.wording.money(advice.price, message_source(advice.price_text))
    thing = f"{asked.wording.quote(advice.thing[:1].upper() + advice.thing[1:])} at {price}" if advice.thing else price
    there = "the money is there" if held.left >= 0 else "the money on hand does not reach"
    text = [f"{thing}: {there}. {words_for.free_sentence(held, asked)}"]
    if held.left < 0:
        text.append(f"- {asked.worked_out(-held.left, 'the price − what is free')} is missing.")
    else:
        text.append(f"- {asked.worked_out(held.left, 'what is free − the price')} would be left after it.")
    if held.left >= 0 and len(held.on_hand.balances) > 1:
        alone = " or ".join(MODE_NAMES[mode] for mode in held.from_one)
        text.append(f"- {alone} alone can pay it." if alone else "- No mode alone holds that much: move some first.")
    if budget := words_for.budget_after(held, asked):
        text.append(f"- {budget}")
    text.append("Whether it is worth it is yours to say.")
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        balances=_balances(held.on_hand),
        count=len({*(held.line.entries if held.line else ()), *(e for due in held.due for e in due.bill.entries)}),
    )


_ANSWERS: Mapping[AdviceKind, Callable[[Findings, Asked], Findings]] = {
    "overspend": _overspend,
    "save": _save,
    "cut": _cut,
    "status": _status,
    "summary": _summary,
    "plan": _plan,
    "afford": _afford,
}


# the days looked at


def _looked_at(advice: Advice, today: date) -> Span | None:
    """The days asked about. What to cut this week is seen from the last seven days."""
    period = advice.period
    if advice.kind in ("plan", "afford"):
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
        alerts=_alerts(told),
        recommendations=tuple(Recommendation(cut.change.category or "", cut.cut_percent, cut.saving) for cut in cuts),
        count=_rows_read(lines),
        trace=_proactive(high),
    )


def _proactive(high: Iterable[Change]) -> tuple[str, ...]:
    return tuple(f"proactively ran the alert: anomaly in {line.category or 'no category'}" for line in high)


def _alerts(told: Iterable[BudgetLine]) -> tuple[Alert, ...]:
    return tuple(Alert(line.category.name, line.level, line.spent, line.budget) for line in told if line.level)


def _named(lines: Iterable[BudgetLine], categories: Sequence[str]) -> tuple[BudgetLine, ...]:
    wanted = {name.casefold() for name in categories}
    return tuple(line for line in lines if not wanted or line.category.name.casefold() in wanted)


def _balances(on_hand: OnHand) -> tuple[tuple[str, Decimal], ...]:
    return tuple(on_hand.balances.items())


def _rows(entries: Iterable[Entry]) -> tuple[Row, ...]:
    newest = sorted(entries, key=lambda entry: entry.date, reverse=True)
    return tuple(shown_row(entry) for entry in newest[:ROWS_SHOWN])


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
