"""A Turn as JSON and back."""

import json
from datetime import date
from decimal import Decimal

from agent.turn import (
    Alert,
    Asked,
    CardItem,
    Change,
    Chart,
    Figure,
    Recommendation,
    Row,
    Source,
    Turn,
    Usage,
    Written,
    turn_from_json,
)

WHOLE = Turn(
    "t",
    "r",
    "tea 20 cash",
    "**₹20.00**",
    "awaiting_confirmation",
    ("log",),
    0.9,
    (CardItem(1, date(2026, 11, 30), "TEA", "Food", "PERSONAL", "MONEY", "DEBIT", Decimal("20"), ("PARTY",)),),
    "abc",
    Asked(None, "opening:PHONEPE"),
    (Written(1, "Budget_2026.xlsx#NOVEMBER!C24:J24"),),
    {"MONEY": Decimal("11110")},
    (Row(date(2026, 11, 1), "TEA", "MONEY", "DEBIT", Decimal("20"), None, "NOVEMBER!F24"),),
    (
        Figure("₹20.00", Decimal("20.00"), Source("cell", "NOVEMBER!F24", ("NOVEMBER!F24",))),
        Figure("11 entries", Decimal(11), Source("query", "x")),
        Figure("25.0%", Decimal("25.0"), Source("calculation", "x")),
    ),
    (Chart("By category", {"data": [{"x": [1.0]}]}, ("Category", "₹"), (("Food", "20.00"),), "NOVEMBER!F24"),),
    (Alert("Entertainment", "warning", Decimal("4500"), Decimal("5000")),),
    (Recommendation("Food", 15, Decimal("1800")),),
    ("rounds",),
    ("planner: …",),
    ("ledger_query",),
    Usage(latency_ms=3.5),
    (Change("Cash", Decimal("11130"), Decimal("11110")),),
    ("A note.",),
    "A problem.",
    ("Cash",),
    undoable=True,
    at="2026-11-30T18:04:00+05:30",
)


def test_a_stored_turn_comes_back_the_same() -> None:
    stored = json.loads(json.dumps(WHOLE.as_json()))
    assert turn_from_json(stored).as_json() == WHOLE.as_json() == stored


def test_alerts_and_recommendations_have_the_documented_form() -> None:
    stored = WHOLE.as_json()
    assert stored["alerts"] == [
        {"category": "Entertainment", "level": "warning", "spent": "4500.00", "budget": "5000.00"}
    ]
    assert stored["recommendations"] == [{"category": "Food", "cut_percent": 15, "saving": "1800.00"}]


def test_amounts_have_two_decimals_counts_none_and_rates_one() -> None:
    values = [figure["value"] for figure in WHOLE.as_json()["figures"]]
    assert values == ["20.00", "11", "25.0"]
