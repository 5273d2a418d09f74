"""An amount is read as people write it, strictly; what is none is not taken for one."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money import find_amounts, parse_amount


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500", "500"),
        ("₹1,23,456.50", "123456.50"),
        ("1,23,456", "123456"),
        ("123,456.50", "123456.50"),
        ("500/-", "500"),
        ("Rs. 500", "500"),
        ("rs 500 only", "500"),
        ("INR 1,500/-", "1500"),
        ("500rs", "500"),
        ("twenty rupees", "20"),
        (".50", "0.50"),
        ("500.", "500"),
        ("2k", "2000"),
        ("1.5 lakh", "150000"),
        ("1.5L", "150000"),
        ("45 L", "4500000"),
        ("1 cr", "10000000"),
        ("₹1.25Cr", "12500000"),
        ("2 million", "2000000"),
        ("2 lakh crore", "2000000000000"),
        ("₹\xa0500", "500"),
        ("１２３", "123"),
        ("₹५००", "500"),
        ("five rupees fifty paise", "5.50"),
    ],
)
def test_amounts_are_read_in_every_notation_in_use(text: str, value: str) -> None:
    assert parse_amount(text) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("five hundred", 500),
        ("five hundred and fifty", 550),
        ("twenty-five", 25),
        ("a hundred", 100),
        ("one fifty", 150),
        ("two lakh", 200000),
        ("two lakh fifty thousand", 250000),
        ("half a crore", 5000000),
        ("one and a half lakh", 150000),
        ("two point five lakh", 250000),
        ("2 crore twenty thousand", 20020000),
        ("two crore twenty thousand twenty", 20020020),
        ("five hundred and twenty thousand", 520000),
        ("1.5 lakh 20 thousand", 170000),
        ("dhai sau", 250),
        ("do hazaar", 2000),
    ],
)
def test_amounts_are_read_in_words(text: str, value: int) -> None:
    assert parse_amount(text) == value


@pytest.mark.parametrize(
    "text", ["−500", "-500", "-₹500", "₹-500", "(500)", "(₹500)", "₹(500)", "500 Dr", "₹500.00 dr."]
)
def test_a_minus_brackets_and_dr_make_an_amount_negative(text: str) -> None:
    assert parse_amount(text) == -500


def test_cr_is_credit_after_a_statements_amount_and_crore_after_a_small_number() -> None:
    assert parse_amount("1,00,000.00 Cr") == 100000
    assert parse_amount("1.25 Cr") == 12500000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "coffee",
        "500 tea",
        "5 6",
        "1,2,3",
        "12,345,67",
        "1.2.3",
        "12.345",
        "0500",
        "2 lakh 500",
        "5000 cr",
        "50.00 cr",
        "a few hundred",
        "12%",
        "--5",
        "-(500)",
        "-500 Dr",
        "$10",
        "RM25",
        "1e5",
        "NaN",
        "½",
        "99999999999999 cr",
        "2.3 invalidunit",
    ],
)
def test_what_is_no_amount_or_could_be_two_is_not_read(text: str) -> None:
    assert parse_amount(text) is None


def found(text: str) -> list[str]:
    return [amount.text for amount in find_amounts(text)]


@pytest.mark.parametrize(
    ("message", "amounts"),
    [
        ("spent 500 on groceries via phonepay", ["500"]),
        ("paid rs. 1,500/- for shirt by debit card", ["rs. 1,500/-"]),
        ("received salary 1.5 lakh in bank", ["1.5 lakh"]),
        ("coffee 100 cash and tea 50 upi", ["100", "50"]),
        ("headset 2000 money", ["2000"]),
        ("paid five hundred for tea", ["five hundred"]),
        ("Tea-20, samosa:30", ["20", "30"]),
        ("500 groceries upi", ["500"]),
        ("50 snacks cash", ["50"]),
        ("show expenses above 3000 this month", ["3000"]),
        ("bought a flat for 1.25 cr", ["1.25 cr"]),
        ("Avl Bal Rs.27000.00 CR", ["Rs.27000.00 CR"]),
    ],
)
def test_amounts_are_found_in_a_message(message: str, amounts: list[str]) -> None:
    assert found(message) == amounts


@pytest.mark.parametrize(
    ("message", "amounts"),
    [
        ("tea 20 on 12/11", ["20"]),
        ("tea 20 12 nov", ["20"]),
        ("rent 5 nov 2000 cash", ["2000"]),
        ("12-11-2026 bus 30", ["30"]),
        ("tea 20 on 2026-11-30", ["20"]),
        ("how much in 2026", []),
        ("compare FY 2025-26 with FY25", []),
        ("call 9876543210", []),
        ("+91 98765 43210 paid 300", ["300"]),
        ("A/c 123456789012 debited 300", ["300"]),
        ("edit item 2 amount to 500", ["500"]),
        ("top 5 expenses", []),
        ("last 3 months", []),
        ("2nd floor rent 5000", ["5000"]),
        ("20% off on 500", ["500"]),
        ("10:30 tea 20", ["20"]),
        ("at 5 pm tea 20", ["20"]),
        ("3 coffees 40 each", ["40"]),
        ("3 coffees upi", []),
        ("2 dosa 120 cash", ["120"]),
        ("20 tea 30 coffee", ["20", "30"]),
        ("items 1 and 2 mode wallet", []),
        ("bus no 42 fare 30", ["30"]),
        ("coffee 3 x 40", ["40"]),
        ("dinner for 4 people 1200", ["1200"]),
        ("5kg rice 300", ["300"]),
        ("milk 2l 120 cash", ["120"]),
        ("one tea 20", ["20"]),
        ("a few hundred", []),
        ("got a refund of five hundred", ["five hundred"]),
        ("show my ten most recent transactions", []),
        ("gold 1,2,3", []),
        ("in may 500 on tea", ["500"]),
    ],
)
def test_dates_counts_phones_and_items_are_no_amounts(message: str, amounts: list[str]) -> None:
    assert found(message) == amounts


def test_another_currency_is_named_so_that_the_user_can_be_asked() -> None:
    currencies = [find_amounts(text)[0].currency for text in ("$10 coffee", "Grab RM25", "20 euros", "₹50", "50 tea")]
    assert currencies == ["USD", "MYR", "EUR", "INR", None]


def test_an_amount_marked_as_money_is_no_date() -> None:
    assert found("bought it for ₹12 december 27") == ["₹12"]


def test_a_negative_amount_is_found_as_negative_and_a_bullet_is_no_minus() -> None:
    assert find_amounts("tea -500")[0].value == -500
    assert find_amounts("tea - 500")[0].value == 500


@given(st.text())
def test_no_text_whatever_makes_reading_fail(text: str) -> None:
    parse_amount(text)
    for amount in find_amounts(text):
        assert text[amount.start : amount.end] == amount.text


@given(st.text(alphabet="0123456789,.₹-/ kKlLcrRdsone twohundrxaf", max_size=40))
def test_text_that_looks_like_money_is_read_or_refused(text: str) -> None:
    value = parse_amount(text)
    assert value is None or value.is_finite()
    assert all(abs(amount.value) < 10**15 for amount in find_amounts(text))


@given(st.integers(min_value=10, max_value=10**9 - 1).filter(lambda value: not 1900 <= value <= 2099))
def test_a_plain_number_among_words_is_its_amount(value: int) -> None:
    assert [amount.value for amount in find_amounts(f"tea {value} cash")] == [value]


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("it was 15 dollars and 15.", "15.15", "USD"),
        ("the fee rises to 17 USD 25", "17.25", "USD"),
        ("twenty rupees 43", "20.43", "INR"),
        ("three dimes", "0.30", "USD"),
        ("a quarter", "0.25", "USD"),
        ("2e-3 crore", "20000", None),
    ],
)
def test_hundredths_behind_the_unit_and_coins_are_part_of_the_amount(
    text: str, value: str, currency: str | None
) -> None:
    (found,) = find_amounts(text)
    assert (found.value, found.currency) == (Decimal(value), currency)


@pytest.mark.parametrize("text", ["coffee 20 rs and tea 30", "chai 20 rs 30 cash", "paid 50 rupees and 20 for tea"])
def test_two_amounts_of_one_sentence_stay_two(text: str) -> None:
    assert len(find_amounts(text)) == 2


@given(st.integers(1, 99))
def test_coins_by_themselves_are_hundredths(count: int) -> None:
    for text, currency in ((f"{count} paise", "INR"), (f"rs {count} paise", "INR"), (f"{count} cents", "USD")):
        (found,) = find_amounts(f"tea {text} cash")
        assert (found.value, found.currency) == (Decimal(count) / 100, currency)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("spent between 2 and 3 lakh", ["200000", "300000"]),
        ("2 to 3 lakh", ["200000", "300000"]),
        ("from 5 to 10k", ["5000", "10000"]),
        ("between 500 and 2 lakh", ["500", "200000"]),
        ("coffee 50 and car 3 lakh", ["50", "300000"]),
        ("above 2 and below 3 lakh", ["2", "300000"]),
        ("2-3 lakh", []),
    ],
)
def test_the_scale_at_a_ranges_end_is_that_of_both_ends(text: str, values: list[str]) -> None:
    assert [found.value for found in find_amounts(text)] == [Decimal(value) for value in values]
