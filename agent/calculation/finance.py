"""The calculations with a name: each takes what a message gives and comes to figures with their working."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from agent.calculation.arguments import Arguments
from agent.calculation.expression import Unit, amount_text
from money import over_time, rupees

_HUNDRED, _CENT, _ZERO, _TWELVE = Decimal(100), Decimal("0.01"), Decimal(0), Decimal(12)


class Missing(ValueError):
    """An argument was not given; `name` is which, as the vocabulary names it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True)
class Result:
    """One figure of a calculation: `EMI`, its value, how it was worked out."""

    label: str
    value: Decimal
    unit: Unit
    """a percentage's value is in percent"""
    working: str


def emi(given: Arguments) -> tuple[Result, ...]:
    """The instalment of a loan, its interest and all that is paid."""
    principal, rate, months = _principal(given), _rate(given), _months(given)
    monthly = over_time.instalment(principal, rate, months)
    what = f"P·i·(1+i)^n ÷ ((1+i)^n − 1), P {rupees(principal)}, i {_percent(rate)} ÷ 12, n {months} months"
    paid = monthly * months
    return (
        Result("a month", monthly, "rupees", what),
        Result("interest in all", paid - principal, "rupees", f"{months} × {rupees(monthly)} − {rupees(principal)}"),
        Result("paid in all", paid, "rupees", f"{months} × {rupees(monthly)}"),
    )


def sip(given: Arguments) -> tuple[Result, ...]:
    """What a monthly investment grows to, what was paid in, and the gain."""
    return _plan(given, _ZERO)


def step_up_sip(given: Arguments) -> tuple[Result, ...]:
    """The same with the monthly amount raised every year."""
    return _plan(given, _marked(given, "step"))


def goal(given: Arguments) -> tuple[Result, ...]:
    """The monthly investment that reaches a goal."""
    wanted, rate, months = _goal(given), _rate(given), _months(given)
    held = given.marked.get("held", _ZERO)
    monthly = over_time.monthly_for(wanted, rate, months, held)
    beside = f", {rupees(held)} growing beside it" if held else ""
    reached = f"{rupees(wanted)} after {months} months at {_percent(rate)} a year"
    what = f"the amount at each month's start that is {reached}{beside}"
    return (Result("a month", monthly, "rupees", what),)


def goal_time(given: Arguments) -> tuple[Result, ...]:
    """How long a monthly investment takes to reach a goal."""
    wanted, rate = _goal(given), _rate(given)
    monthly, held = given.monthly or _ZERO, given.marked.get("held", _ZERO)
    if not monthly and not held:
        raise Missing("monthly")
    months = over_time.months_for(wanted, rate, monthly, held)
    if months is None:
        raise ValueError("At that pace the goal is not reached within a hundred years.")
    what = f"the first month's end with {rupees(wanted)} at {_percent(rate)} a year"
    return (
        Result("months", Decimal(months), "number", what),
        Result("years", Decimal(months) / _TWELVE, "number", f"{months} ÷ 12"),
    )


def lump_sum(given: Arguments) -> tuple[Result, ...]:
    """What an amount grows to, compounded yearly, and the gain."""
    principal, rate, years = _principal(given), _rate(given), Decimal(_months(given)) / _TWELVE
    value = over_time.lump_sum(principal, rate, years)
    what = f"{rupees(principal)} × (1 + {_percent(rate)})^{_short(years)}"
    return (
        Result("at the end", value, "rupees", what),
        Result("gained", value - principal, "rupees", f"{rupees(value)} − {rupees(principal)}"),
    )


def simple_interest(given: Arguments) -> tuple[Result, ...]:
    """The interest alone, and the amount with it."""
    principal, rate, years = _principal(given), _rate(given), Decimal(_months(given)) / _TWELVE
    interest = over_time.simple_interest(principal, rate, years)
    what = f"{rupees(principal)} × {_percent(rate)} × {_short(years)} years"
    return (
        Result("interest", interest, "rupees", what),
        Result("at the end", principal + interest, "rupees", f"{rupees(principal)} + {rupees(interest)}"),
    )


def cagr(given: Arguments) -> tuple[Result, ...]:
    """The compound annual growth rate between two figures."""
    first, last = _two(given)
    years = Decimal(_months(given)) / _TWELVE
    value = over_time.compound_growth(first, last, years) * _HUNDRED
    what = f"({amount_text(last)} ÷ {amount_text(first)})^(1 ÷ {_short(years)}) − 1"
    return (Result("a year", value, "percent", what),)


def change(given: Arguments) -> tuple[Result, ...]:
    """The change from one figure to another, in percent and as it is."""
    first, last = _two(given)
    what = f"({amount_text(last)} − {amount_text(first)}) ÷ {amount_text(abs(first))}"
    return (
        Result("change", over_time.growth(first, last) * _HUNDRED, "percent", what),
        Result("difference", last - first, "number", f"{amount_text(last)} − {amount_text(first)}"),
    )


def ratio(given: Arguments) -> tuple[Result, ...]:
    """One figure for each one of the other."""
    first, last = _two(given)
    if not last:
        raise ValueError("There is no ratio to 0.")
    return (Result("to 1", first / last, "number", f"{amount_text(first)} ÷ {amount_text(last)}"),)


def real_return(given: Arguments) -> tuple[Result, ...]:
    """A return after inflation."""
    inflation, rate = _marked(given, "inflation"), _rate(given)
    value = over_time.real_return(rate, inflation) * _HUNDRED
    return (Result("a year", value, "percent", f"(1 + {_percent(rate)}) ÷ (1 + {_percent(inflation)}) − 1"),)


def break_even(given: Arguments) -> tuple[Result, ...]:
    """The units that cover the fixed cost."""
    fixed, price, variable = (_marked(given, name) for name in ("fixed", "price", "variable"))
    units = over_time.break_even(fixed, price, variable)
    what = f"{rupees(fixed)} ÷ ({rupees(price)} − {rupees(variable)})"
    return (Result("units", units, "number", what),)


def xirr(given: Arguments) -> tuple[Result, ...]:
    """The yearly return of dated payments; the worth today counts as received on `given`'s last day."""
    if len(given.flows) < 2:
        raise Missing("flows")
    value = over_time.internal_rate(given.flows) * _HUNDRED
    named = ", ".join(f"{amount_text(amount)} on {day:%d %b %Y}" for day, amount in given.flows)
    return (Result("a year", value, "percent", f"the rate at which {named} come to 0 on the first day"),)


NAMED: dict[str, Callable[[Arguments], tuple[Result, ...]]] = {
    "emi": emi,
    "schedule": emi,
    "sip": sip,
    "step_up_sip": step_up_sip,
    "goal": goal,
    "goal_time": goal_time,
    "lump_sum": lump_sum,
    "compound_interest": lump_sum,
    "simple_interest": simple_interest,
    "cagr": cagr,
    "change": change,
    "ratio": ratio,
    "real_return": real_return,
    "break_even": break_even,
    "xirr": xirr,
}
"""by the names of calculations.toml"""


def _plan(given: Arguments, step: Decimal) -> tuple[Result, ...]:
    monthly = given.monthly or (given.amounts[0] if given.amounts else None)
    if monthly is None:
        raise Missing("monthly")
    rate, months = _rate(given), _months(given)
    value = over_time.savings_plan(monthly, rate, months, step)
    paid = over_time.invested(monthly, months, step)
    raised = f", raised {_percent(step)} a year" if step else ""
    what = f"{rupees(monthly)} at each month's start for {months} months{raised}, {_percent(rate)} ÷ 12 a month"
    return (
        Result("at the end", value, "rupees", what),
        Result("paid in", paid, "rupees", f"{months} monthly amounts{raised}"),
        Result("gained", value - paid, "rupees", f"{rupees(value)} − {rupees(paid)}"),
    )


def _principal(given: Arguments) -> Decimal:
    if not given.amounts:
        raise Missing("principal")
    return given.amounts[0]


def _goal(given: Arguments) -> Decimal:
    if "goal" in given.marked:
        return given.marked["goal"]
    if not given.amounts:
        raise Missing("goal")
    return given.amounts[0]


def _rate(given: Arguments) -> Decimal:
    if not given.rates:
        raise Missing("rate")
    return given.rates[0]


def _months(given: Arguments) -> int:
    if given.months is None:
        raise Missing("time")
    return given.months


def _marked(given: Arguments, name: str) -> Decimal:
    if name not in given.marked:
        raise Missing(name)
    return given.marked[name]


def _two(given: Arguments) -> tuple[Decimal, Decimal]:
    figures = given.amounts or [rate * _HUNDRED for rate in given.rates]
    if not figures:
        raise Missing("first")
    if len(figures) < 2:
        raise Missing("last")
    return figures[0], figures[1]


def _percent(rate: Decimal) -> str:
    return f"{_short(rate * _HUNDRED)}%"


def _short(value: Decimal) -> str:
    return f"{value.quantize(_CENT).normalize():f}"
