"""Advice on the days ahead: what there is, what is still due, what that leaves, and where the month ends.

Advice ──outlook, bills──► figures, each with its rows or how it is worked out ──► Findings
"""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from agent.amending import once_more
from agent.evidence import calculated, message_source
from agent.state import Findings
from agent.tools import advice_wording as words_for
from agent.tools import bills_wording as bill_words
from agent.tools.advice_parts import alerts_told, balances_of, rows_shown
from agent.tools.advice_wording import Asked
from ledger.budget import alerts
from ledger.entries import MODE_NAMES, MODES
from ledger.outlook import BILLS_AHEAD, affordable, on_hand, outlook, safe_to_spend
from ledger.recurring import Bill, bills_due, recurring_bills, standing_bills
from ledger.recurring import subscriptions as subscriptions_of
from money import month_span

_ZERO = Decimal(0)


def plan(found: Findings, asked: Asked) -> Findings:
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
        balances=balances_of(plan.on_hand),
        alerts=alerts_told(told),
        count=len({*plan.pace.entries, *(entry for due in plan.due for entry in due.bill.entries)}),
    )


def afford(found: Findings, asked: Asked) -> Findings:
    """One price held against the money on hand, the bills of the next thirty days and its budget."""
    advice = asked.advice
    modes = advice.modes or MODES
    if advice.price is None or advice.price <= 0 or advice.currency:
        free = words_for.free_sentence(affordable(asked.book, asked.today, _ZERO, modes=modes), asked)
        foreign = "That price is not in rupees, and I do not convert: what is it in rupees?"
        question = foreign if advice.currency else "What does it cost? Say just the price."
        return replace(
            found, saying=asked.wording.saying(f"{question} {free}"), balances=balances_of(on_hand(asked.book, modes))
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
        balances=balances_of(held.on_hand),
        count=len({*(held.line.entries if held.line else ()), *(e for due in held.due for e in due.bill.entries)}),
    )


def due(found: Findings, asked: Asked) -> Findings:
    """The bills that are due, the earliest first: in the next thirty days, or up to the day asked about."""
    period, today = asked.advice.period, asked.today
    until = period.last if period and period.last >= today else today + timedelta(days=BILLS_AHEAD)
    each_due = tuple(each for each in bills_due(_bills(asked), today, until) if not period or each.day >= period.first)
    # one that was paid is put on a card by its own words, as paid today
    paid = tuple(once_more(each.bill.entries[-1], each.bill.description, today, today) for each in each_due)
    return replace(
        found,
        saying=asked.wording.saying("\n".join(bill_words.due_lines(each_due, until, asked))),
        suggested=paid[: bill_words.BILLS_OFFERED],
        rows=rows_shown(dict.fromkeys(each.bill.entries[-1] for each in each_due)),
        count=len({entry for each in each_due for entry in each.bill.entries}),
        trace=(f"bills: {len(_bills(asked))} that come back found in the rows",),
    )


def subscriptions(found: Findings, asked: Asked) -> Findings:
    """What comes back and could be ended, with its next day and the cost of a year; then the other bills."""
    bills = _bills(asked)
    own = subscriptions_of(bills, asked.book)
    others = tuple(bill for bill in bills if bill not in own)
    return replace(
        found,
        saying=asked.wording.saying("\n".join(bill_words.subscription_lines(own, others, asked))),
        rows=rows_shown(bill.entries[-1] for bill in (*own, *others)),
        count=len({entry for bill in bills for entry in bill.entries}),
        trace=(f"bills: {len(bills)} that come back found in the rows",),
    )


def safe(found: Findings, asked: Asked) -> Findings:
    """What may be spent a day until the month's end: the lower of what the money and what the budgets leave."""
    held = safe_to_spend(asked.book, asked.today, asked.put_aside)
    told = alerts(held.plan.budget.lines)
    text = [*bill_words.safe_lines(held, asked), *words_for.alert_lines(told, asked)]
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        balances=balances_of(held.plan.on_hand),
        alerts=alerts_told(told),
        count=len({*held.plan.pace.entries, *(e for each in held.plan.due for e in each.bill.entries)}),
    )


def forecast(found: Findings, asked: Asked) -> Findings:
    """Where the month ends at its pace, between which figures, and what that makes of the budget."""
    plan_ahead = outlook(asked.book, asked.today)
    told = alerts(plan_ahead.budget.lines)
    text = [*bill_words.forecast_lines(plan_ahead, asked), *words_for.alert_lines(told, asked)]
    return replace(
        found,
        saying=asked.wording.saying("\n".join(text)),
        alerts=alerts_told(told),
        count=len({*plan_ahead.pace.entries, *(e for each in plan_ahead.due for e in each.bill.entries)}),
    )


def _bills(asked: Asked) -> tuple[Bill, ...]:
    """The bills that have not ended: of that name, else of the categories named, else all."""
    bills = standing_bills(recurring_bills(asked.book), asked.today)
    named = f" {asked.advice.thing.casefold()} "
    if of_name := tuple(bill for bill in bills if named.strip() and named in f" {bill.description.casefold()} "):
        return of_name
    if named.strip() and not asked.advice.categories:
        return ()
    wanted = {name.casefold() for name in asked.advice.categories}
    return tuple(bill for bill in bills if not wanted or (bill.category or "").casefold() in wanted)
