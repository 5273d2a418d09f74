"""The rows of the labelled files that count, in Munshi's words.

    intents.jsonl            labels that stand for one intent beyond doubt; what is out of scope, sure label or not
    amounts.jsonl            rupee, Indian and plain currency texts
    dates.jsonl              days and periods that begin by today; no idioms, no month before the day in digits
    expense_messages.jsonl   those with an amount
    sms.jsonl                those that can be read one way only

Each file is a JSON object a line. Nothing of them is kept in this project.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

LABELS: Mapping[str, tuple[str, ...]] = {
    "NEW_TRANSACTION_BATCH": ("log",),
    "ANALYTICAL_QUERY": ("ask", "advise"),
    "EDIT_OR_CONFIRM": ("unclear", "confirm", "edit", "cancel", "stop", "undo", "smalltalk"),
    "MARKET": ("market",),
    "CALCULATE": ("calculate",),
    "GREETING_SMALLTALK": ("smalltalk", "help"),
    "RESEARCH": ("research", "compare"),
    "PORTFOLIO": ("portfolio",),
    "UNKNOWN": ("unclear",),
}
"""the intents that are right for each label, when nothing is pending"""
OUT_OF_SCOPE = "UNKNOWN"

_IDIOMS = (
    "bom", "eom", "boy", "eoy", "season", "all week", "rest of", "beginning", "end of", "late ", "early ", "mid",
    "fortnight", "o'clock", " am", " pm",
)  # fmt: skip
_IN_DIGITS = re.compile(r"\d+[/.-]\d+")
_AMOUNT_KINDS = frozenset({"currency", "indian", "indian_words", "indian_negative", "plain_negative"})
_UNITS = frozenset(
    {None, "Indian rupee", "Indian Rupee", "Rupee", "INR", "Dollar", "United States dollar", "$"},
)
_DIRECTIONS = {"INCOME": "CREDIT", "CREDIT": "DEBIT", "EXPENSE": "DEBIT", "DEBIT": "DEBIT"}
"""a CREDIT of the source is a spend with a credit card: money out"""
_TODAY = "2026-11-30"


class DataRefused(ValueError):
    """A file of labelled texts that cannot be read, with what is wrong and where."""


@dataclass(frozen=True)
class IntentRow:
    """A message with nothing pending. `scored` rows make the headline; the others only must not become a card."""

    text: str
    label: str
    scored: bool

    @property
    def right(self) -> tuple[str, ...]:
        """The intents that are right for it."""
        return LABELS[self.label]


@dataclass(frozen=True)
class AmountRow:
    """A text and the amount in it; None: there is none."""

    text: str
    value: Decimal | None


@dataclass(frozen=True)
class Days:
    """A period as the sources write it: from `first` up to, and without, `end`; with no end it is one `grain` long."""

    first: date
    end: date | None
    grain: str


@dataclass(frozen=True)
class DateRow:
    """A text, the day it was said on, and the readings that count."""

    text: str
    today: date
    readings: tuple[Days, ...]


@dataclass(frozen=True)
class ExpenseRow:
    """A message that tells of one transaction; what is None is not known of it."""

    text: str
    amount: Decimal
    mode: str | None
    description: str | None


@dataclass(frozen=True)
class SmsRow:
    """A bank's message: whether money moved, how much, and which way."""

    text: str
    is_transaction: bool
    amount: Decimal | None
    direction: str | None


def records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The objects of a file, one a line. Raises DataRefused naming the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataRefused(f"{path.name} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, parse_float=Decimal)
        except json.JSONDecodeError as error:
            raise DataRefused(f"{path.name}, line {number} is not JSON: {error.msg}.") from error
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise DataRefused(f"{path.name}, line {number} has no text.")
        yield record


def intent_row(record: Mapping[str, Any]) -> IntentRow | None:
    """A row of intents.jsonl; None when it does not count."""
    label, sure = record.get("our_intent"), record.get("mapping") == "strict"
    if not isinstance(label, str) or label not in LABELS or not (sure or label == OUT_OF_SCOPE):
        return None
    return IntentRow(record["text"], label, sure)


def amount_row(record: Mapping[str, Any]) -> AmountRow | None:
    """A row of amounts.jsonl; None when it does not count."""
    if record.get("kind") not in _AMOUNT_KINDS:
        return None
    match record.get("expected"):
        case None:
            return AmountRow(record["text"], None)
        case {"value": int() | Decimal() as value, **rest} if rest.get("unit") in _UNITS:
            return AmountRow(record["text"], Decimal(value))
        case _:
            return None


def date_row(record: Mapping[str, Any]) -> DateRow | None:
    """A row of dates.jsonl; None when it does not count."""
    text = record["text"].casefold()
    if any(idiom in text for idiom in _IDIOMS):
        return None
    if record.get("dialect") == "en-US" and _IN_DIGITS.search(text):
        return None
    today = date.fromisoformat((record.get("reference_date") or _TODAY)[:10])
    readings = tuple(reading for reading in _readings(record) if reading.first <= today)
    return DateRow(record["text"], today, readings) if readings else None


def expense_row(record: Mapping[str, Any]) -> ExpenseRow | None:
    """A row of expense_messages.jsonl; None when it has no amount."""
    wanted = record.get("expected") or {}
    if wanted.get("amount") is None:
        return None
    return ExpenseRow(record["text"], Decimal(wanted["amount"]), wanted.get("mode"), wanted.get("description"))


def sms_row(record: Mapping[str, Any]) -> SmsRow | None:
    """A row of sms.jsonl; None when it can be read in more than one way."""
    if record.get("ambiguous"):
        return None
    wanted = record.get("expected") or {}
    amount = wanted.get("amount")
    direction = _DIRECTIONS.get(str(wanted.get("type", "")).upper())
    return SmsRow(
        record["text"], bool(record["is_transaction"]), None if amount is None else Decimal(amount), direction
    )


def _readings(record: Mapping[str, Any]) -> Iterator[Days]:
    found: list[tuple[str | None, str | None, str | None]] = []
    match record.get("expected"):
        case {"start": str() as start, **rest} if record.get("kind") in ("date", "interval"):
            end, grain = (str(rest[key]) if rest.get(key) else None for key in ("end_exclusive", "grain"))
            found = [(start, end, grain)]
        case [{"type": "date" | "daterange", "candidates": candidates}]:
            found = [(one.get("start") or one.get("value"), one.get("end"), "day") for one in candidates]
    for first, last, unit in found:
        if first and first[:4].isdigit():
            until = date.fromisoformat(last[:10]) if last else None
            yield Days(date.fromisoformat(first[:10]), until, unit or "day")
