"""A word that only ends like a preposition or a currency says nothing of the days after it."""

from datetime import date

import pytest

from money import find_periods


@pytest.mark.parametrize(
    ("text", "found"),
    [("largest transaction this month", "this month"), ("swiggy orders last month", "last month")],
)
def test_the_end_of_another_word_is_no_preposition_and_no_currency(text: str, found: str) -> None:
    assert [period.text for period in find_periods(text, date(2026, 11, 30))] == [found]
