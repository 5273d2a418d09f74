import time
from datetime import date
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.calculation import Calculation, CalculationRefused, NotGiven, asks_to_calculate, calculation_of, work_out
from agent.evidence import unsupported
from agent.tools.financial_calculator import financial_calculator

TODAY = date(2026, 11, 30)
NUMBER = st.decimals("0", "1000000", places=2)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> tuple[str, Decimal]:
    """A calculation in signs and its value by Python's own Decimal."""
    if depth == 0 or draw(st.booleans()):
        number = draw(NUMBER)
        return str(number), number
    (left, first), (right, second) = draw(trees(depth - 1)), draw(trees(depth - 1))
    sign = draw(st.sampled_from("+-*/"))
    if sign == "/" and second == 0:
        sign = "+"
    with localcontext(prec=34):
        value = {"+": first.__add__, "-": first.__sub__, "*": first.__mul__, "/": first.__truediv__}[sign](second)
    return f"({left} {sign} {right})", value


@given(trees())
def test_any_calculation_in_signs_has_the_value_that_decimal_gives(tree: tuple[str, Decimal]) -> None:
    text, value = tree
    assert work_out(text).value == value


@given(trees())
def test_the_working_shown_is_the_same_calculation(tree: tuple[str, Decimal]) -> None:
    worked = work_out(tree[0])
    again = work_out(worked.working).value
    assert abs(again - worked.value) <= abs(worked.value) * Decimal("1e-25")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2^3^2", "512"), ("-2^2", "-4"), ("2 lakh * 3", "600000"), ("18% of 2,500", "450"), ("1000 + 18%", "1180"),
        ("₹1,00,000 × 2", "200000"), ("5!", "120"), ("1/2 of 3", "1.5"), ("average(1,2,3)", "2"),
        ("7-(3-4)", "8"), ("10 x 5", "50"),
    ],
)  # fmt: skip
def test_signs_are_read_as_a_person_means_them(text: str, value: str) -> None:
    assert work_out(text).value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9", "a.b", "__import__('os')", "1/0", "1,2,3", "(" * 1500, "1+" * 999, "9" * 1999,
        "201!", "2**-1001", "", "1 2", "0^0",
    ],
)  # fmt: skip
def test_what_is_no_calculation_is_refused_in_milliseconds(text: str) -> None:
    began = time.perf_counter()
    with pytest.raises(CalculationRefused):
        work_out(text)
    assert time.perf_counter() - began < 0.5


@given(st.text(max_size=200))
def test_any_text_is_worked_out_or_refused_and_nothing_else(text: str) -> None:
    try:
        work_out(text)
    except CalculationRefused:
        return


def test_ten_kilobytes_are_refused() -> None:
    with pytest.raises(CalculationRefused, match="too long"):
        work_out("1+" * 5000 + "1")


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("what is six minus four", "2"),
        ("subtract sixty from 244", "184"),
        ("what's 15% of 2,400?", "360"),
        ("divide 76 in two parts", "38"),
        ("how many times does fifty go into one million", "20000"),
        ("three quarters of one sixth", "0.125"),
        ("what percent of 200 is 50", "25"),
        ("250 is what percent of 1000", "25"),
        ("percentage change from 80 to 100", "25"),
        ("18% gst on 2500", "450"),
        ("30% off 235", "164.5"),
        ("average of 10, 20 and 30", "20"),
        ("break even with fixed cost 50000 price 100 variable cost 60", "1250"),
        ("how long to double 1 lakh at 8%", "105"),
        ("simple interest on 50000 at 10% for 2 years", "10000"),
    ],
)
def test_a_calculation_in_words_is_worked_out(message: str, value: str) -> None:
    asked = calculation_of(message, TODAY)
    assert isinstance(asked, Calculation)
    assert asked.results[0].value == Decimal(value)


@pytest.mark.parametrize(
    "message",
    [
        "sip 5000 from bank", "paid emi 12000 via bank", "coffee 100 and tea 50", "how much did i spend on food",
        "12/11", "28-11-2026", "rent 18000",
    ],
)  # fmt: skip
def test_what_tells_of_money_or_a_day_is_no_calculation(message: str) -> None:
    assert not asks_to_calculate(message, TODAY)


def test_a_missing_argument_is_asked_for_by_its_name() -> None:
    asked = calculation_of("emi on 25 lakh", TODAY)
    assert isinstance(asked, NotGiven)
    assert "the rate a year" in asked.why


@pytest.mark.parametrize(
    "message",
    [
        "EMI on 25 lakh at 8.5% for 20 years", "(17.8-16.1)/16.1", "200!", "9**9**9", "1/7",
        "loan schedule for 1 lakh at 12% for 12 months",
    ],
)  # fmt: skip
def test_every_figure_of_the_answer_has_its_working(message: str) -> None:
    asked = calculation_of(message, TODAY)
    assert asked is not None
    found = financial_calculator(asked, message)
    assert unsupported(found.saying) == ()
    assert all(figure.source.kind == "calculation" and figure.source.ref for figure in found.saying.figures)


def test_a_loan_is_shown_month_by_month_and_a_long_one_by_year() -> None:
    short = calculation_of("loan schedule for 1 lakh at 12% for 12 months", TODAY)
    long = calculation_of("loan schedule for 25 lakh at 8.5% for 20 years", TODAY)
    assert isinstance(short, Calculation)
    assert isinstance(long, Calculation)
    (months,) = financial_calculator(short, "").charts
    (years,) = financial_calculator(long, "").charts
    assert (months.columns[0], len(months.rows), months.rows[-1][-1]) == ("Month", 12, "0.00")
    assert (years.columns[0], len(years.rows), years.rows[-1][-1]) == ("Year", 20, "0.00")
