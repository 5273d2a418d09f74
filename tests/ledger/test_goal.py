"""What a savings goal comes to a month."""

from datetime import date
from decimal import Decimal

import pytest

from ledger.goal import Goal


@pytest.mark.parametrize(
    ("goal", "today", "monthly"),
    [
        (Goal(Decimal(5000)), date(2026, 11, 30), 5000),
        (Goal(Decimal(120000), date(2027, 10, 31), date(2026, 11, 1)), date(2026, 11, 30), 10000),
        (Goal(Decimal(100), date(2027, 1, 31), date(2026, 11, 1)), date(2026, 11, 30), 34),
        (Goal(Decimal(5000), date(2026, 11, 1)), date(2026, 11, 30), 0),
    ],
)
def test_an_amount_by_a_day_is_spread_over_its_months(goal: Goal, today: date, monthly: int) -> None:
    assert goal.a_month(today) == monthly
