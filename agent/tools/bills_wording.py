"""How bills that come back, safe spending and the month's forecast are worded."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from agent.evidence import budgets_source, calculated
from agent.tools.advice_wording import Asked, bill_name
from ledger.outlook import Outlook, SafeToSpend
from ledger.recurring import Bill, Due, yearly_cost

BILLS_OFFERED = 5
FOUND_BY = "A bill is found in the book by three payments at a steady interval and price."


def due_lines(due: Sequence[Due], until: date, asked: Asked) -> list[str]:
    """`Bills due until 30 Dec: ₹18,450.00.` and a line a bill."""
    when = asked.day(until)
    if not due:
        named = f" named {asked.wording.quote(asked.advice.thing)}" if asked.advice.thing else ""
        return [f"No bill{named} that comes back is due until {when}. {FOUND_BY}"]
    total = sum((each.bill.amount for each in due), Decimal(0))
    rows = [each.bill.entries[-1] for each in due]
    whole = asked.worked_out(total, "the bills due, each at its latest price", rows)
    which = "it" if len(due) == 1 else "them"
    already = "If it is paid already" if len(due) == 1 else "If they are paid already"
    offer = f"{already}, say **add {which}** and I put {which} on a card."
    return [f"Bills due until {when}: {whole}.", *(f"- {_due_line(each, asked)}" for each in due), "", offer]


def subscription_lines(own: Sequence[Bill], others: Sequence[Bill], asked: Asked) -> list[str]:
    """What each subscription costs and when it comes next; the bills that are no choice after them."""
    if not own and not others:
        return [f"No bill that comes back was found in this book. {FOUND_BY}"]
    if not own:
        lines = ["No subscription was found: every bill that comes back is in an essential category."]
    else:
        count = asked.wording.count(len(own), "subscription", calculated(f"bills that come back; {FOUND_BY}"))
        comes = "comes" if len(own) == 1 else "come"
        lines = [f"{count} {comes} to {_yearly(own, asked)} a year.", *(f"- {_bill_line(bill, asked)}" for bill in own)]
    if others:
        lines.append(f"Essential bills that come back are {_yearly(others, asked)} a year:")
        lines += [f"- {_bill_line(bill, asked)}" for bill in others]
    return lines


def safe_lines(held: SafeToSpend, asked: Asked) -> list[str]:
    """`You can safely spend ₹450.00 a day until 30 Nov (1 day, today included).` and why."""
    plan = held.plan
    how = f"days from {plan.today.isoformat()} to {plan.until.isoformat()}"
    days = asked.wording.count(plan.days_left, "day", calculated(how), "days")
    rows = [each.bill.entries[-1] for each in plan.due]
    aside = " − to be put aside" if held.put_aside else ""
    money_how = f"(on hand − bills still due{aside}) ÷ days left"
    budget_how = "(all budgets − spent − bills still due) ÷ days left of the month"
    lower = held.by_budget is not None and held.by_budget < held.by_money
    entries = plan.budget.entries if lower else rows
    a_day = asked.worked_out(held.a_day, budget_how if lower else money_how, entries)
    lines = [f"You can safely spend {a_day} a day until {asked.day(plan.until)} ({days}, today included)."]
    total = asked.worked_out(plan.on_hand.total, "the balances of all modes together")
    bills = asked.worked_out(plan.bills, "the bills still due", rows)
    money = f"Money: {total} on hand, {bills} of bills still due"
    if held.put_aside:
        money += f", {asked.worked_out(held.put_aside, 'your savings goal, a month')} to be put aside"
    if held.free < 0:
        lines.append(f"- {money}: {asked.worked_out(-held.free, money_how.rpartition(' ÷')[0], rows)} is missing.")
    else:
        lines.append(f"- {money}, which leaves {asked.worked_out(held.by_money, money_how, rows)} a day.")
    if held.by_budget is None:
        lines.append("- This book has no budgets, so only the money counts.")
    elif plan.budget_free > 0:
        left = asked.worked_out(held.by_budget, budget_how, plan.budget.entries)
        lines.append(f"- Budget: what is left of it comes to {left} a day.")
    else:
        lines.append("- Budget: nothing is left of it for this month.")
    if plan.on_hand.unknown:
        lines.append("- Some opening balances were never typed and count as nothing, so there may be more on hand.")
    return lines


def forecast_lines(plan: Outlook, asked: Asked) -> list[str]:
    """`At this pace November will have cost ₹…, between ₹… and ₹… .` and what that makes of the budget."""
    pace = plan.pace
    month = asked.wording.quote(f"{plan.today:%B}")
    if not pace.entries and not pace.bills:
        return [f"Nothing was spent in {month} yet and no bill is due, so there is no pace to go by."]
    spent = asked.cost(pace.entries, pace.spent)
    ends = asked.worked_out(pace.forecast, "spent + bills due + pace a day × days to come", pace.entries)
    low, high = pace.between
    between = ""
    if low != high:
        lowest = asked.worked_out(low, "the same at the slowest pace of the last months")
        highest = asked.worked_out(high, "the same at the fastest pace of the last months")
        between = f", between {lowest} and {highest} going by the pace of the last months"
    if pace.days_after:
        a_day = asked.worked_out(pace.everyday, "everyday spending ÷ days gone", pace.everyday_entries)
        lines = [f"At this pace {month} will have cost {ends}{between}."]
        lines.append(f"- So far: {spent}, everyday spending {a_day} a day, bills aside.")
        if pace.bills:
            lines.append(f"- Bills still due: {asked.worked_out(pace.bills, 'the bills due until the month ends')}.")
    else:
        due = f" with the bills still due, {ends}" if pace.bills else ""
        lines = [f"{month} ends today: it has cost {spent}{due}."]
    if plan.budget.budget:
        outside = plan.budget.unplanned.total
        over = pace.forecast - plan.budget.budget
        budget = asked.wording.money(plan.budget.budget, budgets_source(line.category for line in plan.budget.lines))
        how = "the forecast − all budgets together"
        beyond = asked.worked_out(abs(over), how, pace.entries)
        held = f"{beyond} {'over' if over > 0 else 'under'} your budgets of {budget}"
        lines.append(f"- That is {held}{', spending outside every budget counted' if outside else ''}.")
    return lines


def _bill_line(bill: Bill, asked: Asked) -> str:
    """`Netflix: ₹199.00 every month, ₹2,388.00 a year, next on 5 Dec`."""
    price = asked.cost(bill.entries[-1:], bill.amount)
    how = f"{bill.rhythm.a_year} times a year at its latest price"
    yearly = asked.worked_out(bill.yearly, how, bill.entries)
    late = bill.next_due < asked.today
    when = f"was due on {asked.day(bill.next_due)}" if late else f"next on {asked.day(bill.next_due)}"
    return f"{bill_name(bill, asked)}: {price} every {bill.rhythm.every}, {yearly} a year, {when}."


def _due_line(each: Due, asked: Asked) -> str:
    price = asked.cost(each.bill.entries[-1:], each.bill.amount)
    when = f"was due on {asked.day(each.day)}" if each.day < asked.today else f"on {asked.day(each.day)}"
    return f"{bill_name(each.bill, asked)}: {price} {when}, every {each.bill.rhythm.every}."


def _yearly(bills: Sequence[Bill], asked: Asked) -> str:
    how = "each bill's price × times a year"
    return asked.worked_out(yearly_cost(bills), how, [bill.entries[-1] for bill in bills])
