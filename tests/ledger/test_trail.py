"""The trail tells each write once, the newest first, with what it moved and whether it still stands."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.entries import Draft
from ledger.store import BookStore
from ledger.template import sample_book
from ledger.trail import trail

TODAY = date(2026, 11, 30)
TEA = Draft(TODAY, "Tea", "MONEY", "DEBIT", Decimal(20))
REFUND = Draft(TODAY, "Refund", "BANK", "CREDIT", Decimal(50))


@pytest.fixture
def store(tmp_path: Path) -> BookStore:
    path = tmp_path / "Budget_2026.xlsx"
    path.write_bytes(sample_book(TODAY))
    return BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12, tzinfo=UTC))


def test_a_book_never_written_to_has_none(store: BookStore) -> None:
    assert trail(store.history()) == ()


def test_the_newest_stands_first_with_what_it_moved(store: BookStore) -> None:
    store.write([TEA], request="a", who="chat")
    store.write([REFUND], request="b", who="ledger")
    lines = trail(store.history())
    assert [(line.line.request, line.moved, line.state) for line in lines] == [
        ("b", Decimal(50), "standing"),
        ("a", Decimal(-20), "standing"),
    ]


def test_an_undo_is_told_and_what_it_took_back_does_not_stand(store: BookStore) -> None:
    store.write([TEA], request="a", who="chat")
    store.write([REFUND], request="b", who="chat")
    store.undo(request="c", who="ledger", write="a")
    lines = trail(store.history())
    assert [(line.line.request, line.moved, line.state) for line in lines] == [
        ("c", Decimal(20), "undo"),
        ("b", Decimal(50), "standing"),
        ("a", Decimal(-20), "undone"),
    ]
