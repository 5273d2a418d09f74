"""How advice is worded: each figure in bold with its source, each name and day quoted from the book."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from agent.evidence import Wording, balance_source, budgets_source, calculated, entries_source
from agent.language.advice import Advice
from agent.turn import Source
from ledger.budget import BudgetLine, BudgetStatus, Recommendation, status
from ledger.entries import MODE_NAMES, Book, Entry, plain_description
from ledger.outlook import Affordable, OnHand, Outlook
from ledger.recurring import Bill, Due, has_ended, recurring_bills
from ledger.spending import Change, Comparison, changes
from money import day_text, days_text, month_span

_ZERO = Decimal(0)
_RISE = "(this − before) ÷ before"


@dataclass(frozen=True)
class Asked:
    """What is asked of which book, and the wording of the reply while it is written."""

    advice: Advice
    book: Book
    today: date
    days: Comparison
    put_aside: Decimal = _ZERO
    """what the savings goal keeps of a month"""
    wording: Wording = field(default_factory=Wording)

    def changes(self) -> tuple[Change, ...]:
        """A line for each category, or each of those named."""
        wanted = {name.casefold() for name in self.advice.categories}
        lines = changes(self.book, self.days)
        return tuple(line for line in lines if not wanted or (line.category or "").casefold() in wanted)

    def status(self) -> BudgetStatus:
        """The budget of the month asked about."""
        return status(self.book, self.days.now)

    def named(self, category: str | None) -> str:
        """A category's name."""
        return self.wording.quote(category or "No category")

    def day(self, day: date) -> str:
        """A day: `28 Nov`."""
        return self.wording.quote(day_text(day, self.today))

    def cost(self, entries: Sequence[Entry], total: Decimal) -> str:
        """What some rows come to."""
        return self.wording.money(total, entries_source(entries))

    def worked_out(self, value: Decimal, how: str, entries: Iterable[Entry] = ()) -> str:
        """An amount calculated from others, and the rows under them."""
        return self.wording.money(value, calculated(how, [entry.amount_cell for entry in entries]))

    def rate(self, value: Decimal, how: str, entries: Iterable[Entry] = ()) -> str:
        """A rate in percent likewise."""
        return self.wording.rate(value, calculated(how, [entry.amount_cell for entry in entries]))


# spending


def against_before(lines: Sequence[Change], asked: Asked) -> str:
    """`You spent ₹… in November, ₹… more than in October (…%).`"""
    now = sum((line.now.total for line in lines), _ZERO)
    entries = [entry for line in lines for entry in line.now.entries]
    on = " and ".join(asked.named(name) for name in asked.advice.categories)
    opening = (
        f"You spent {asked.cost(entries, now)}{f' on {on}' if on else ''} {asked.wording.quote(asked.days.now.words)}"
    )
    if not any(line.before.entries for line in lines):
        return f"{opening}. The book has nothing {asked.wording.quote(asked.days.before.words)} to hold it against."
    return f"{opening}, {difference(lines, asked)}."


def difference(lines: Sequence[Change], asked: Asked) -> str:
    """`₹… more than in October (…%)`; `the same days before` where the month is not over."""
    now = sum((line.now.total for line in lines), _ZERO)
    was = sum((line.before.total for line in lines), _ZERO)
    earlier = asked.wording.quote(asked.days.before.words) + (", the same days before" if asked.days.partial else "")
    if now == was:
        return f"as much as {earlier}"
    rows = [entry for line in lines for entry in (*line.now.entries, *line.before.entries)]
    change = asked.worked_out(abs(now - was), "this − before", rows)
    rate = f" ({asked.rate(abs(now - was) * 100 / was, _RISE, rows)})" if was > 0 else ""
    return f"{change} {'more' if now > was else 'less'} than {earlier}{rate}"


def anomaly_sentence(line: Change, asked: Asked) -> str:
    """`Food: ₹12,000.00, 25.0% more than the ₹9,600.00 in October; the largest was Team lunch, ₹4,150.00 on 20 Nov.`"""
    before = asked.cost(line.before.entries, line.before.total)
    earlier = asked.wording.quote(asked.days.before.words)
    return (
        f"{asked.named(line.category)}: {spent(line, asked)}, {risen(line, asked)} more than the {before} {earlier}; "
        f"{largest(line, asked)}."
    )


def largest(line: Change, asked: Asked) -> str:
    """`the largest was Team lunch, ₹4,150.00 on 20 Nov`."""
    entry = max((each for each in line.now.entries if each.direction == "DEBIT"), key=lambda each: each.amount)
    name = asked.wording.quote(_sentence(plain_description(entry.description).lower()))
    return f"the largest was {name}, {asked.cost((entry,), entry.amount)} on {asked.day(entry.date)}"


def spent(line: Change, asked: Asked) -> str:
    """What a category costs now."""
    return asked.cost(line.now.entries, line.now.total)


def risen(line: Change, asked: Asked) -> str:
    """By how many percent a category rose."""
    return asked.rate(line.percent or _ZERO, _RISE, (*line.now.entries, *line.before.entries))


def kept_sentence(saved: Decimal, percent: Decimal | None, asked: Asked) -> str:
    """What of the income was kept, or how much more went out."""
    amount = asked.worked_out(abs(saved), "income − spending")
    if saved < 0:
        return f"{amount} more went out than came in"
    rate = f", {asked.rate(percent, 'saved ÷ income')} of it" if percent is not None else ""
    return f"you kept {amount}{rate}"


# the budget


def alert_lines(told: Iterable[BudgetLine], asked: Asked) -> list[str]:
    """A line an alert."""
    return [f"- {alert_sentence(line, asked)}" for line in told]


def alert_sentence(line: BudgetLine, asked: Asked) -> str:
    """`Entertainment is close to its budget: ₹4,500.00 of ₹5,000.00 (90.0%).`"""
    name, cost, budget = asked.named(line.category.name), asked.cost(line.entries, line.spent), _budget(line, asked)
    month, rate = _month_words(asked), _used(line, asked)
    if line.level == "critical":
        over = asked.worked_out(-line.left, "spent − budget", line.entries)
        return f"{name} is over its budget{month} by {over}: {cost} of {budget}{rate}."
    if line.left == 0:
        return f"{name} has used its whole budget{month}: {cost} of {budget}."
    return f"{name} is close to its budget{month}: {cost} of {budget}{rate}."


def budget_sentence(line: BudgetLine, asked: Asked) -> str:
    """Where one category stands."""
    if line.level:
        return alert_sentence(line, asked)
    name, cost, budget = asked.named(line.category.name), asked.cost(line.entries, line.spent), _budget(line, asked)
    if line.left == 0 and line.spent:
        return f"{name} has used its whole budget{_month_words(asked)}: {cost} of {budget}."
    left = asked.worked_out(line.left, "budget − spent", line.entries)
    return f"{name} is within its budget{_month_words(asked)}: {cost} of {budget}{_used(line, asked)}, {left} left."


def whole_budget_sentence(whole: BudgetStatus, asked: Asked) -> str:
    """Where all budgets together stand."""
    month = f"in {asked.wording.quote(_month_name(asked))}{' so far' if asked.days.partial else ''}"
    cost = asked.cost(whole.entries, whole.spent)
    budget = asked.wording.money(whole.budget, _budgets(whole.lines))
    if whole.left < 0:
        over = asked.worked_out(-whole.left, "spent − all budgets together", whole.entries)
        return f"You are over budget {month} by {over}: {cost} spent of {budget}."
    left = asked.worked_out(whole.left, "all budgets together − spent", whole.entries)
    return f"You are within budget {month}: {cost} spent of {budget}, {left} left."


# what to save


def saving_sentence(cuts: Sequence[Recommendation], asked: Asked) -> str:
    """`At the **balanced** rate you could save ₹3,000.00 on what you spent in November:`"""
    rows = [entry for cut in cuts for entry in cut.change.now.entries]
    how = " + ".join(f"the cut on {cut.change.category}" for cut in cuts)
    saving = asked.worked_out(sum((cut.saving for cut in cuts), _ZERO), how, rows)
    days = asked.wording.quote(asked.days.now.words)
    return f"At the **{asked.advice.profile}** rate you could save {saving} on what you spent {days}:"


def cut_words(cut: Recommendation, asked: Asked) -> str:
    """`Food: 15.0% of ₹12,000.00 is ₹1,800.00, and it is up by 25.0%`."""
    line = cut.change
    rate = asked.rate(Decimal(cut.cut_percent), f"the cut of the {asked.advice.profile} profile")
    saving = asked.worked_out(cut.saving, f"{cut.cut_percent} % of what {line.category} cost", line.now.entries)
    words = f"{asked.named(line.category)}: {rate} of {spent(line, asked)} is {saving}"
    return f"{words}, and it is up by {risen(line, asked)}" if line.is_anomaly else words


def avoided_sentences(lines: Iterable[Change], cuts: Sequence[Recommendation], asked: Asked) -> list[str]:
    """What went to categories one wants to avoid altogether."""
    told = {cut.change.category for cut in cuts}
    sentences = []
    for line in lines:
        known = asked.book.category(line.category)
        if known and known.group == "AVOID" and line.now.total > 0 and line.category not in told:
            sentences.append(f"{asked.named(line.category)}, better avoided: {spent(line, asked)}.")
    return sentences


def subscription_sentences(asked: Asked) -> list[str]:
    """Bills that come back in categories that are not essential, with what a year of them costs."""
    sentences = []
    for bill in recurring_bills(asked.book):
        known = asked.book.category(bill.category)
        if known is None or known.essential or has_ended(bill, asked.today):
            continue
        price = asked.cost(bill.entries[-1:], bill.amount)
        yearly = asked.worked_out(bill.yearly, "price × times a year", bill.entries)
        sentences.append(f"{bill_name(bill, asked)} comes back every {bill.rhythm.every}: {price}, {yearly} a year.")
    return sentences


def other_profile(asked: Asked) -> str:
    """How to have the same with another profile."""
    other = "conservative" if asked.advice.profile == "aggressive" else "aggressive"
    return f"Say **make it {other}** for another rate."


def essential_sentence(lines: Sequence[Change], asked: Asked) -> str:
    """What was named is essential: what it took, and that cuts are looked for elsewhere."""
    took = ", ".join(f"{asked.named(line.category)} took {spent(line, asked)}" for line in lines)
    days = asked.wording.quote(asked.days.now.words)
    return f"{took} {days}. Your budget marks that essential, so I would look elsewhere first."


def nothing_to_cut(asked: Asked) -> str:
    """Nothing was spent that is not essential."""
    days = asked.wording.quote(asked.days.now.words)
    return f"There is nothing to cut {days}: I only look at categories that your budget does not mark essential."


# the days ahead


def on_hand_sentence(on_hand: OnHand, asked: Asked) -> str:
    """`On hand: ₹…: PhonePe ₹…, Wallet ₹…, …`"""
    modes = [
        f"{MODE_NAMES[mode]} {asked.wording.money(balance, balance_source(asked.book, mode))}"
        for mode, balance in on_hand.balances.items()
    ]
    unknown = " and ".join(MODE_NAMES[mode] for mode in on_hand.unknown)
    note = f" (the book does not say what {unknown} opened with)" if unknown else ""
    return f"On hand: {_all_on_hand(on_hand, asked)}, which is {', '.join(modes)}{note}."


def due_sentence(due: Sequence[Due], bills: Decimal, until: date, asked: Asked) -> str:
    """`Bills still due until 30 Nov: ₹…, which is Rent ₹… on 2 Dec, …`"""
    when = f"until {asked.day(until)}"
    if not due:
        return f"No bill that comes back is still due {when}."
    total = asked.worked_out(bills, "the bills still due", _last_rows(due))
    return f"Bills still due {when}: {total}, which is {_each_due(due, asked)}."


def soon_sentence(due: Sequence[Due], asked: Asked) -> str:
    """What falls due just after the days planned for."""
    return f"Just after that come {_each_due(due, asked)}."


def left_a_day(plan: Outlook, asked: Asked) -> str:
    """What the money on hand leaves a day once the bills are paid."""
    if plan.free < 0:
        short = asked.worked_out(-plan.free, "bills still due − on hand", _last_rows(plan.due))
        return f"The money on hand does not reach for those bills: {short} is missing."
    how = "(on hand − bills still due) ÷ days left"
    return f"That leaves {asked.worked_out(plan.a_day, how, _last_rows(plan.due))} a day."


def pace_sentences(plan: Outlook, asked: Asked) -> list[str]:
    """Budget spent against month gone, what the budget leaves a day, and where the month ends at this pace."""
    sentences: list[str] = []
    pace, budget = plan.pace, plan.budget
    if budget.budget:
        used = asked.rate(budget.spent * 100 / budget.budget, "spent ÷ all budgets together", budget.entries)
        gone = asked.rate(pace.month_gone, "days gone ÷ days of the month")
        cost = asked.cost(budget.entries, budget.spent)
        whole = asked.wording.money(budget.budget, _budgets(budget.lines))
        sentences.append(f"Pace: {used} of the budget is spent ({cost} of {whole}) with {gone} of the month gone.")
        how = "(all budgets − spent − bills still due) ÷ days left of the month"
        a_day = asked.worked_out(plan.budget_a_day, how, budget.entries)
        sentences.append(
            f"The budget leaves {a_day} a day for the rest of this month."
            if plan.budget_free > 0
            else "The budget leaves nothing more for this month."
        )
    if pace.days_after:
        ends = asked.worked_out(pace.forecast, "spent + bills due + pace a day × days to come", pace.entries)
        low, high = pace.between
        lowest = asked.worked_out(low, "the same at the slowest pace of the last months")
        highest = asked.worked_out(high, "the same at the fastest pace of the last months")
        between = f", between {lowest} and {highest} going by the last months" if low != high else ""
        sentences.append(f"At this pace the month will have cost {ends}{between}.")
    return sentences


def free_sentence(held: Affordable, asked: Asked) -> str:
    """`On hand you have ₹…; ₹… of bills come by 30 Dec (Rent, …), which leaves ₹… free.`"""
    only = next(iter(held.on_hand.balances)) if len(held.on_hand.balances) == 1 else None
    where = f"{MODE_NAMES[only]} has" if only else "On hand you have"
    total = _all_on_hand(held.on_hand, asked)
    until = asked.day(held.until)
    if not held.due:
        return f"{where} {total}, and no bill that comes back is due by {until}."
    names = ", ".join(dict.fromkeys(bill_name(each.bill, asked) for each in held.due))
    bills = asked.worked_out(held.bills, "the bills due", _last_rows(held.due))
    rest = asked.worked_out(abs(held.free), "on hand − the bills due", _last_rows(held.due))
    leaves = f"which leaves {rest} free" if held.free >= 0 else f"which is {rest} more than there is"
    return f"{where} {total}; {bills} of bills come by {until} ({names}), {leaves}."


def budget_after(held: Affordable, asked: Asked) -> str:
    """What the price does to the budget of its category; empty without one."""
    line, left = held.line, held.budget_left
    if line is None or left is None:
        return ""
    name, budget = asked.named(line.category.name), _budget(line, asked)
    if left < 0:
        over = asked.worked_out(-left, "spent + the price − budget", line.entries)
        return f"It would take {name} {over} over its budget of {budget} this month."
    rest = asked.worked_out(left, "budget − spent − the price", line.entries)
    return f"{name} would have {rest} of its budget of {budget} left this month."


# pieces


def _each_due(due: Iterable[Due], asked: Asked) -> str:
    return ", ".join(
        f"{bill_name(each.bill, asked)} {asked.cost(each.bill.entries[-1:], each.bill.amount)} "
        f"{'was due' if each.day < asked.today else 'on'} {asked.day(each.day)}"
        for each in due
    )


def _all_on_hand(on_hand: OnHand, asked: Asked) -> str:
    modes = tuple(on_hand.balances)
    if len(modes) == 1:
        return asked.wording.money(on_hand.total, balance_source(asked.book, modes[0]))
    return asked.worked_out(on_hand.total, " + ".join(MODE_NAMES[mode] for mode in modes))


def _budget(line: BudgetLine, asked: Asked) -> str:
    return asked.wording.money(line.budget, _budgets((line,)))


def _budgets(lines: Iterable[BudgetLine]) -> Source:
    return budgets_source(line.category for line in lines)


def _used(line: BudgetLine, asked: Asked) -> str:
    return f" ({asked.rate(line.percent, 'spent ÷ budget', line.entries)})" if line.percent is not None else ""


def _month_words(asked: Asked) -> str:
    """A budget is a month's: said where other days were asked about."""
    first, last = asked.days.now.first, asked.days.now.last
    whole = first.day == 1 and last <= month_span(first)[1]
    return "" if whole else f" of {asked.wording.quote(_month_name(asked))}"


def _month_name(asked: Asked) -> str:
    return days_text(*month_span(asked.days.now.last), asked.today)


def bill_name(bill: Bill, asked: Asked) -> str:
    """A bill by its description."""
    return asked.wording.quote(_sentence(bill.description.lower()))


def _last_rows(due: Iterable[Due]) -> list[Entry]:
    return [each.bill.entries[-1] for each in due]


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
