"""Hindi as it is typed, in Latin letters and in its own."""

from datetime import date
from decimal import Decimal

import pytest

from agent.language.intents import classify
from agent.language.knowledge import Knowledge
from agent.language.questions import parse_question
from agent.language.transactions import parse_transactions
from ledger.queries import Query

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("message", "description", "amount", "mode", "direction"),
    [
        ("petrol dalwaya 500 ka cash mein", "petrol", 500, "MONEY", "DEBIT"),
        ("sabzi pe 200 kharch kiye upi se", "sabzi", 200, "PHONEPE", "DEBIT"),
        ("maid ko 2500 diye cash mein", "maid", 2500, "MONEY", "DEBIT"),
        ("ravi ko 500 de diya gpay se", "ravi", 500, "PHONEPE", "DEBIT"),
        ("auto ke 80 rupay paytm se", "auto", 80, "WALLET", "DEBIT"),
        ("500 ka petrol bank se", "petrol", 500, "BANK", "DEBIT"),
        ("maine chai pe 20 rupaye kharch kiye cash se", "chai", 20, "MONEY", "DEBIT"),
        ("papa ne 5000 bheje bank mein", "papa", 5000, "BANK", "CREDIT"),
        ("salary aayi 50000 bank me", "salary", 50000, "BANK", "CREDIT"),
        ("refund aaya 499 amazon se wallet mein", "refund aaya amazon", 499, "WALLET", "CREDIT"),
        ("चाय ₹20 नकद", "चाय", 20, "MONEY", "DEBIT"),
        ("सब्जी 200 रुपये कैश", "सब्जी", 200, "MONEY", "DEBIT"),
        ("दूध ६० फोनपे", "दूध", 60, "PHONEPE", "DEBIT"),
        ("किराया 5000 बैंक से", "किराया", 5000, "BANK", "DEBIT"),
        ("ऑटो 50 पेटीएम", "ऑटो", 50, "WALLET", "DEBIT"),
    ],
)
def test_an_entry_keeps_no_particle(
    message: str, description: str, amount: int, mode: str, direction: str, knowledge: Knowledge
) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    told = (item.description, item.amount, item.mode, item.direction)
    assert told == (description, Decimal(amount), mode, direction)
    assert classify(message, TODAY, knowledge).intent == "log"


def test_aur_parts_two_entries(knowledge: Knowledge) -> None:
    items = parse_transactions("doodh 60 cash aur bread 40 upi", TODAY, knowledge)
    assert [(item.description, item.mode) for item in items] == [("doodh", "MONEY"), ("bread", "PHONEPE")]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("kal raat dinner 300 phonepe", date(2026, 11, 29)),
        ("aaj subah dinner 300 phonepe", TODAY),
        ("parso dinner 300 phonepe", date(2026, 11, 28)),
    ],
)
def test_a_day_takes_its_hour_with_it(message: str, day: date, knowledge: Knowledge) -> None:
    (item,) = parse_transactions(message, TODAY, knowledge)
    assert (item.description, item.date) == ("dinner", day)


@pytest.mark.parametrize(
    ("message", "aggregate", "first"),
    [
        ("is mahine kitna kharcha hua", "total", date(2026, 11, 1)),
        ("pichle mahine kitna kharcha hua", "total", date(2026, 10, 1)),
        ("food pe kitna kharcha hua", "total", date(2026, 11, 1)),
        ("pichle saal kitna kharch kiya", "total", date(2025, 1, 1)),
        ("इस महीने कितना खर्च हुआ", "total", date(2026, 11, 1)),
    ],
)
def test_kitna_kharcha_asks_what_was_spent(message: str, aggregate: str, first: date, knowledge: Knowledge) -> None:
    (question,) = parse_question(message, TODAY, knowledge)
    query = question.query
    assert (query.aggregate, query.kind, query.words) == (aggregate, "spending", ())
    assert query.period is not None
    assert query.period.first == first
    assert question.confidence >= 0.7


@pytest.mark.parametrize(
    ("message", "mode"), [("bank me kitna paisa hai", "BANK"), ("wallet mein kitne paise hain", "WALLET")]
)
def test_kitna_paisa_asks_a_balance(message: str, mode: str, knowledge: Knowledge) -> None:
    (question,) = parse_question(message, TODAY, knowledge)
    assert question.query == Query("balance", modes=(mode,))  # type: ignore[arg-type]
