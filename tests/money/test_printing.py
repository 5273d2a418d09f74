"""Money is printed the Indian way, and what is printed is read back."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money import grouped, parse_amount, percent, rupees, short_rupees, whole_rupees

AMOUNTS = st.decimals(min_value=-(10**14), max_value=10**14, places=2, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("0", "₹0.00"),
        ("999.5", "₹999.50"),
        ("1000", "₹1,000.00"),
        ("123456.5", "₹1,23,456.50"),
        ("12345678", "₹1,23,45,678.00"),
        ("-500", "−₹500.00"),
        ("-0.001", "₹0.00"),
        ("2.675", "₹2.68"),
    ],
)
def test_rupees_are_grouped_the_indian_way_with_the_minus_before_the_sign(value: str, printed: str) -> None:
    assert rupees(Decimal(value)) == printed


def test_a_change_carries_its_plus() -> None:
    assert rupees(Decimal(4492), sign=True) == "+₹4,492.00"
    assert whole_rupees(Decimal(-4492), sign=True) == "−₹4,492"
    assert whole_rupees(Decimal(0), sign=True) == "₹0"


def test_tiles_round_to_the_rupee_and_tables_leave_the_sign_out() -> None:
    assert whole_rupees(Decimal("123456.5")) == "₹1,23,457"
    assert grouped(Decimal("123456.5")) == "1,23,456.50"


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0, "₹0"),
        (950, "₹950"),
        (1500, "₹1.5K"),
        (72000, "₹72K"),
        (720000, "₹7.2L"),
        (12500000, "₹1.25Cr"),
        (99960, "₹1L"),
        (9999000, "₹1Cr"),
        (-72000, "−₹72K"),
        (123450000000, "₹12,345Cr"),
    ],
)
def test_chart_labels_are_short(value: int, printed: str) -> None:
    assert short_rupees(Decimal(value)) == printed


def test_a_rate_has_one_decimal() -> None:
    assert percent(Decimal(25)) == "25.0%"
    assert percent(Decimal("12.345"), sign=True) == "+12.3%"
    assert percent(Decimal("-3.25")) == "−3.3%"


@given(AMOUNTS)
def test_what_is_printed_is_read_back_to_the_paisa(value: Decimal) -> None:
    assert parse_amount(rupees(value)) == value
    assert parse_amount(grouped(value)) == value
    assert parse_amount(rupees(value, sign=True)) == value


@given(st.integers(min_value=0, max_value=10**14))
def test_groups_are_three_digits_then_twos(value: int) -> None:
    whole = grouped(Decimal(value)).removesuffix(".00")
    first, *rest = whole.split(",")
    assert whole.replace(",", "") == str(value)
    assert all(len(group) == 2 for group in rest[:-1])
    assert len(rest[-1]) == 3 if rest else len(first) <= 3


@given(st.integers(min_value=0, max_value=10**12))
def test_western_groups_are_read_like_indian_ones(value: int) -> None:
    assert parse_amount(f"{value:,}") == value
    assert parse_amount(whole_rupees(Decimal(value))) == value
