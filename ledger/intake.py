"""A book given as JSON: year, openings, budget, word lists and entries, validated and made an .xlsx.

{"year": 2026, "currency": "INR", "opening": {"BANK": 60000, …}, "opening_date": "2026-09-01",
 "budget": [{"category", "group", "monthly", "essential", "words"}…], "lists": {"FOR HOME": […]},
 "transactions": [{"date", "description", "mode", "direction", "amount", "category", "tags"}…]}
"""

from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.entries import BookRefused, Category, Direction, Draft, Group, Mode
from ledger.template import new_book


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _BudgetLine(_Strict):
    category: str = Field(min_length=1, max_length=100)
    group: Group
    monthly: Decimal | None = Field(ge=0)
    essential: bool
    words: tuple[str, ...] = ()


class _Transaction(_Strict):
    date: date
    description: str = Field(min_length=1, max_length=500)
    mode: Mode
    direction: Direction
    amount: Decimal = Field(gt=0, max_digits=15, decimal_places=2)
    category: str | None = None
    tags: tuple[str, ...] = ()


class _Book(_Strict):
    year: int = Field(ge=1990, le=2199)
    currency: Literal["INR"] = "INR"
    opening: dict[Mode, Decimal | None] = {}
    opening_date: date | None = None
    budget: tuple[_BudgetLine, ...]
    lists: dict[str, tuple[str, ...]] = {}
    transactions: tuple[_Transaction, ...] = ()


def book_from_json(text: bytes, name: str) -> bytes:
    """The .xlsx of a book described in JSON. Raises `BookRefused` naming the first fields that are wrong."""
    try:
        book = _Book.model_validate_json(text)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, line['loc'])) or 'the file'}: {line['msg']}" for line in error.errors()[:5]]
        raise BookRefused(f"{name} does not describe a book. {'; '.join(wrong)}.") from error
    first = book.opening_date or min((row.date for row in book.transactions), default=date(book.year, 1, 1))
    return new_book(
        year=book.year,
        budget=tuple(
            Category(line.category, line.group, line.monthly, line.essential, line.words) for line in book.budget
        ),
        openings=book.opening,
        opening_date=book.opening_date,
        lists=book.lists,
        drafts=tuple(
            Draft(row.date, row.description, row.mode, row.direction, row.amount, row.category, row.tags)
            for row in book.transactions
        ),
        first_month=first.month if first.year == book.year else 1,
    )
