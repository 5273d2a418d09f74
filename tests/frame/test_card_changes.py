"""What is changed on the card becomes exactly the changes that the conversation is told."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.turn import CardItem, ItemChange
from frame.card import NO_CATEGORY, changes_of, form_of, table_changes
from money import grouped

GROCERIES = CardItem(1, date(2026, 11, 30), "GROCERIES", "Groceries", "HOME", "PHONEPE", "DEBIT", Decimal("500.00"))
SALARY = CardItem(2, date(2026, 11, 30), "SALARY", None, None, "BANK", "CREDIT", Decimal("50000.00"))


def cells(item: CardItem, **changed: object) -> dict[object, object]:
    row = {
        "Date": item.date,
        "Description": form_of(item).description,
        "Amount ₹": grouped(item.amount),
        "Mode": {"PHONEPE": "PhonePe", "BANK": "Bank"}[item.mode],
        "Category": item.category or NO_CATEGORY,
        "Goes": {"DEBIT": "Out", "CREDIT": "In"}[item.direction],
    }
    return {**row, **{name.replace("_", " "): value for name, value in changed.items()}}


def test_a_form_left_alone_changes_nothing() -> None:
    assert changes_of(GROCERIES, form_of(GROCERIES)) == ()
    assert changes_of(SALARY, form_of(SALARY)) == ()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"amount": "1,250.50"}, ("amount", "1250.50")),
        ({"day": date(2026, 11, 28)}, ("date", "2026-11-28")),
        ({"description": "Vegetables"}, ("description", "Vegetables")),
        ({"category": NO_CATEGORY}, ("category", "")),
        ({"mode": "MONEY"}, ("mode", "MONEY")),
        ({"direction": "CREDIT"}, ("direction", "CREDIT")),
    ],
)
def test_each_fact_that_differs_is_one_change(changed: dict[str, object], expected: tuple[str, str]) -> None:
    assert changes_of(GROCERIES, replace(form_of(GROCERIES), **changed)) == (ItemChange(1, *expected),)


@pytest.mark.parametrize("amount", ["", "abc", "0", "-5", "1,2,3"])
def test_an_unreadable_amount_is_refused_with_a_sentence(amount: str) -> None:
    refused = changes_of(GROCERIES, replace(form_of(GROCERIES), amount=amount))
    assert refused == f"“{amount}” is not an amount above zero."


def test_an_empty_date_or_description_is_refused() -> None:
    assert changes_of(GROCERIES, replace(form_of(GROCERIES), day=None)) == "Choose a date."
    assert changes_of(GROCERIES, replace(form_of(GROCERIES), description=" ")) == "The description is empty."


@given(st.decimals(min_value=Decimal("0.01"), max_value=Decimal("99999999"), places=2))
def test_an_amount_shown_is_the_amount_read_back(amount: Decimal) -> None:
    item = replace(GROCERIES, amount=amount)
    assert changes_of(item, form_of(item)) == ()


def test_a_table_left_alone_changes_nothing() -> None:
    assert table_changes((GROCERIES, SALARY), {1: cells(GROCERIES), 2: cells(SALARY)}) == ()


def test_a_row_taken_out_of_the_table_is_removed_and_an_edited_one_changed() -> None:
    edited = {2: cells(SALARY, Mode="PhonePe")}
    assert table_changes((GROCERIES, SALARY), edited) == (ItemChange(1, "remove"), ItemChange(2, "mode", "PHONEPE"))


def test_a_refusal_in_the_table_names_the_item() -> None:
    broken = cells(SALARY)
    broken["Amount ₹"] = "none"
    assert table_changes((SALARY,), {2: broken}) == "Item 2: “none” is not an amount above zero."
