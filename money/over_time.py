"""Money over time: instalments, savings, growth and yearly returns, in Decimal.

Rates are fractions a year (`Decimal("0.085")` is 8.5 %), periods are whole months unless said. A rate divided by
twelve is charged or earned each month, as Indian lenders and fund houses reckon. Arguments that have no meaning raise
ValueError with a sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext

DIGITS = 34
"""significant digits of every step"""
LONGEST = 1200
"""months; a hundred years"""
_ONE, _ZERO, _CENT = Decimal(1), Decimal(0), Decimal("0.01")
_YEAR = Decimal(365)
_STEPS = 200


@dataclass(frozen=True)
class Instalment:
    """One month of a loan: what is paid, how it divides, and what is still owed. In paise exactly."""

    month: int
    paid: Decimal
    interest: Decimal
    principal: Decimal
    owed: Decimal


def instalment(principal: Decimal, rate: Decimal, months: int) -> Decimal:
    """The equated monthly instalment: `P·i·(1+i)^n ÷ ((1+i)^n − 1)`, with i the rate a month."""
    _positive(principal, "The amount borrowed")
    _months(months)
    monthly = _monthly(rate)
    with localcontext(prec=DIGITS):
        if not monthly:
            return principal / months
        grown = (_ONE + monthly) ** months
        return principal * monthly * grown / (grown - _ONE)


def schedule(principal: Decimal, rate: Decimal, months: int) -> tuple[Instalment, ...]:
    """A loan month by month, each figure rounded to paise; the last instalment takes what rounding left."""
    paid = instalment(principal, rate, months).quantize(_CENT)
    monthly = _monthly(rate)
    owed = principal.quantize(_CENT)
    rows = []
    for month in range(1, months + 1):
        interest = (owed * monthly).quantize(_CENT)
        part = owed if month == months else min(paid - interest, owed)
        owed -= part
        rows.append(Instalment(month, part + interest, interest, part, owed))
    return tuple(rows)


def lump_sum(principal: Decimal, rate: Decimal, years: Decimal) -> Decimal:
    """What an amount grows to, compounded yearly: `P·(1+r)^years`."""
    _years(years)
    with localcontext(prec=DIGITS):
        return principal * (_ONE + _rate(rate)) ** years


def simple_interest(principal: Decimal, rate: Decimal, years: Decimal) -> Decimal:
    """The interest alone, never compounded: `P·r·years`."""
    _years(years)
    with localcontext(prec=DIGITS):
        return principal * _rate(rate) * years


def savings_plan(monthly: Decimal, rate: Decimal, months: int, step_up: Decimal = _ZERO) -> Decimal:
    """What a monthly investment at each month's start grows to; `step_up` raises it every year by that share.

    Without a step-up: `m·((1+i)^n − 1)/i·(1+i)`, the annuity due of the fund houses' calculators.
    """
    _positive(monthly, "The monthly amount")
    _months(months)
    a_month = _monthly(rate)
    with localcontext(prec=DIGITS):
        held = _ZERO
        paid = monthly
        for month in range(months):
            if month and month % 12 == 0:
                paid *= _ONE + step_up
            held = (held + paid) * (_ONE + a_month)
        return held


def invested(monthly: Decimal, months: int, step_up: Decimal = _ZERO) -> Decimal:
    """What was paid into a savings plan in all."""
    with localcontext(prec=DIGITS):
        return sum((monthly * (_ONE + step_up) ** (month // 12) for month in range(months)), _ZERO)


def monthly_for(goal: Decimal, rate: Decimal, months: int, held: Decimal = _ZERO) -> Decimal:
    """The monthly investment that reaches a goal, with what is held growing beside it; 0 when that is enough."""
    _positive(goal, "The goal")
    _months(months)
    with localcontext(prec=DIGITS):
        missing = goal - held * (_ONE + _monthly(rate)) ** months
        return max(_ZERO, missing) / savings_plan(_ONE, rate, months)


def months_for(goal: Decimal, rate: Decimal, monthly: Decimal, held: Decimal = _ZERO) -> int | None:
    """The first month's end at which a savings plan holds the goal; None: not within a hundred years."""
    _positive(goal, "The goal")
    a_month = _monthly(rate)
    with localcontext(prec=DIGITS):
        for month in range(LONGEST + 1):
            if held >= goal:
                return month
            held = (held + monthly) * (_ONE + a_month)
    return None


def growth(first: Decimal, last: Decimal) -> Decimal:
    """The change from one figure to another as a share of the first: `(last − first) ÷ |first|`."""
    if not first:
        raise ValueError("A change from 0 has no percentage: there is nothing to divide by.")
    with localcontext(prec=DIGITS):
        return (last - first) / abs(first)


def compound_growth(first: Decimal, last: Decimal, years: Decimal) -> Decimal:
    """The compound annual growth rate: `(last ÷ first)^(1/years) − 1`."""
    _positive(first, "The first value")
    _positive(last, "The last value")
    _years(years)
    with localcontext(prec=DIGITS):
        return (last / first) ** (_ONE / years) - _ONE


def real_return(nominal: Decimal, inflation: Decimal) -> Decimal:
    """What a return is worth after inflation: `(1+n) ÷ (1+π) − 1`."""
    with localcontext(prec=DIGITS):
        return (_ONE + _rate(nominal)) / (_ONE + _rate(inflation)) - _ONE


def break_even(fixed: Decimal, price: Decimal, variable: Decimal) -> Decimal:
    """The units that cover the fixed cost: `fixed ÷ (price − variable)`."""
    if price <= variable:
        raise ValueError("At that price every unit loses money, so no number of units breaks even.")
    with localcontext(prec=DIGITS):
        return fixed / (price - variable)


def internal_rate(flows: Iterable[tuple[date, Decimal]]) -> Decimal:
    """The yearly return of dated payments (XIRR): money paid in is negative, money received positive; 365 days a year.

    The rate at which the payments, brought back to the first day, sum to 0. Found by halving, so it is found whenever
    the sum changes its sign between −99.99 % and 1,000,000 % a year.
    """
    dated = sorted(flows)
    if not any(amount > 0 for _, amount in dated) or not any(amount < 0 for _, amount in dated):
        raise ValueError("A yearly return needs money paid in and money that came back, or its worth today.")
    if dated[0][0] == dated[-1][0]:
        raise ValueError("A yearly return needs payments on different days.")
    with localcontext(prec=DIGITS):
        low, high = Decimal("-0.9999"), Decimal(10_000)
        at_low, at_high = _present(dated, low), _present(dated, high)
        if at_low * at_high > 0:
            raise ValueError("These payments have no single yearly return.")
        for _ in range(_STEPS):
            middle = (low + high) / 2
            at_middle = _present(dated, middle)
            if at_middle * at_low > 0:
                low, at_low = middle, at_middle
            else:
                high = middle
            if high - low < Decimal("1e-15"):
                break
        return (low + high) / 2


def _present(dated: Sequence[tuple[date, Decimal]], rate: Decimal) -> Decimal:
    begun = dated[0][0]
    # Decimal's power of a fraction is slow; its exponential of a multiple of one logarithm is the same number
    fall = -(_ONE + rate).ln() / _YEAR
    return sum((amount * (fall * (day - begun).days).exp() for day, amount in dated), _ZERO)


def _monthly(rate: Decimal) -> Decimal:
    with localcontext(prec=DIGITS):
        return _rate(rate) / 12


def _rate(rate: Decimal) -> Decimal:
    if not -1 < rate <= 10:
        raise ValueError("A rate has to lie between −100 % and 1,000 % a year.")
    return rate


def _months(months: int) -> None:
    if not 0 < months <= LONGEST:
        raise ValueError("The time has to lie between one month and a hundred years.")


def _years(years: Decimal) -> None:
    if not 0 < years <= LONGEST // 12:
        raise ValueError("The time has to lie between a day and a hundred years.")


def _positive(amount: Decimal, name: str) -> None:
    if amount <= 0:
        raise ValueError(f"{name} has to be above 0.")
