from datetime import date, timedelta
from decimal import Decimal

import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from money import over_time

AMOUNT = st.decimals("1", "100000000", places=2)
RATE = st.decimals("0.001", "0.4", places=4)
MONTHS = st.integers(1, 480)


def close(ours: Decimal, theirs: float) -> bool:
    return abs(float(ours) - theirs) <= 1e-6 * max(1.0, abs(theirs))


@given(AMOUNT, RATE, MONTHS)
def test_an_instalment_is_what_an_independent_library_computes(principal: Decimal, rate: Decimal, months: int) -> None:
    assert close(over_time.instalment(principal, rate, months), -npf.pmt(float(rate) / 12, months, float(principal)))


@given(AMOUNT, RATE, MONTHS)
def test_a_savings_plan_is_what_an_independent_library_computes(monthly: Decimal, rate: Decimal, months: int) -> None:
    theirs = npf.fv(float(rate) / 12, months, -float(monthly), 0, when="begin")
    assert close(over_time.savings_plan(monthly, rate, months), float(theirs))


@given(AMOUNT, RATE, MONTHS)
def test_the_monthly_amount_for_a_goal_reaches_it(goal: Decimal, rate: Decimal, months: int) -> None:
    monthly = over_time.monthly_for(goal, rate, months)
    assert close(over_time.savings_plan(monthly, rate, months), float(goal))


@given(AMOUNT, RATE, st.integers(1, 120))
def test_a_schedule_pays_back_exactly_what_was_borrowed(principal: Decimal, rate: Decimal, months: int) -> None:
    rows = over_time.schedule(principal, rate, months)
    assert sum(row.principal for row in rows) == principal
    assert rows[-1].owed == 0
    assert all(row.paid == row.principal + row.interest for row in rows)


def test_published_examples_come_out() -> None:
    assert round(over_time.savings_plan(Decimal(1000), Decimal("0.12"), 12)) == 12809
    assert round(over_time.instalment(Decimal(2500000), Decimal("0.085"), 240)) == 21696
    assert round(over_time.compound_growth(Decimal(100), Decimal(200), Decimal(5)) * 100, 2) == Decimal("14.87")
    assert over_time.instalment(Decimal(1200), Decimal(0), 12) == 100


def test_a_yearly_return_of_dated_payments_is_the_spreadsheet_example() -> None:
    flows = [
        (date(2008, 1, 1), Decimal(-10000)),
        (date(2008, 3, 1), Decimal(2750)),
        (date(2008, 10, 30), Decimal(4250)),
        (date(2009, 2, 15), Decimal(3250)),
        (date(2009, 4, 1), Decimal(2750)),
    ]
    assert close(over_time.internal_rate(flows), 0.373362535)


@given(st.decimals("-0.5", "3", places=4), st.integers(30, 4000))
def test_a_yearly_return_brings_one_payment_to_its_worth(rate: Decimal, days: int) -> None:
    begun = date(2015, 1, 1)
    worth = Decimal(1000) * (1 + rate) ** (Decimal(days) / 365)
    found = over_time.internal_rate([(begun, Decimal(-1000)), (begun + timedelta(days), worth)])
    assert close(found, float(rate))


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (lambda: over_time.instalment(Decimal(0), Decimal("0.1"), 12), "above 0"),
        (lambda: over_time.instalment(Decimal(100), Decimal("0.1"), 0), "one month and a hundred years"),
        (lambda: over_time.instalment(Decimal(100), Decimal(11), 12), "A rate has to lie"),
        (lambda: over_time.growth(Decimal(0), Decimal(5)), "nothing to divide by"),
        (lambda: over_time.break_even(Decimal(100), Decimal(5), Decimal(6)), "loses money"),
        (lambda: over_time.internal_rate([(date(2026, 1, 1), Decimal(-5))]), "came back"),
    ],
)
def test_what_has_no_meaning_is_refused_with_a_sentence(work: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        work()  # type: ignore[operator]


def test_a_step_up_raises_the_monthly_amount_once_a_year() -> None:
    assert over_time.invested(Decimal(1000), 24, Decimal("0.1")) == 12 * 1000 + 12 * 1100
    flat = over_time.savings_plan(Decimal(1000), Decimal("0.12"), 24)
    assert over_time.savings_plan(Decimal(1000), Decimal("0.12"), 24, Decimal("0.1")) > flat
