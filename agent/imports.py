"""Statements and bank messages brought into the open book: read, told apart, and what is remembered of them.

Kept beside the conversations, not in the workbook: the references that each write took over, forgotten when that write
is taken back; and where a person said an account's money is kept, by its last digits.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any, cast

from agent.language.items import Item
from agent.store import Store
from ledger.entries import MODES, Direction, Mode
from ledger.statements.statement import Said, Statement, read_statement
from ledger.statements.taking_over import Taken, take_over
from ledger.store import BookStore

WRITES_KEPT = 500


class Imports:
    """What this workbench remembers of statements and messages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, data: bytes, name: str, said: Said | None = None) -> Statement:
        """The statement in a file. Raises BookRefused with what to do."""
        return read_statement(data, name, said)

    def held_against(self, statement: Statement, mode: Mode, book: BookStore) -> Taken:
        """What of a statement is new to the book. Raises BookRefused when the book cannot be read."""
        return take_over(statement, book.read().book, mode, self.references(book))

    def mode_of(self, account: str) -> Mode | None:
        """Where a person said the money of the account with these last digits is kept."""
        kept = self._store.preference(_account(account)) if account else None
        return next((mode for mode in MODES if mode == kept), None)

    def references(self, book: BookStore) -> frozenset[str]:
        """The references that were taken over into the book and not taken back."""
        kept = self._kept(book)
        if not kept:
            return frozenset()
        undone = {line.facts.undoes for line in book.history() if line.outcome == "done"}
        return frozenset(each for write, its in kept.items() if write not in undone for each in its)

    def remember(self, request: str, items: Sequence[Item], book: BookStore) -> None:
        """Keep the references of a write that was just made, and the mode of each account on it."""
        references = list(dict.fromkeys(item.reference for item in items if item.reference))
        if references:
            kept = {**self._kept(book), request: references}
            newest = dict(list(kept.items())[-WRITES_KEPT:])
            self._store.prefer(_imported(book), json.dumps(newest))
        modes: dict[str, set[Mode]] = {}
        for item in items:
            if item.account and item.mode:
                modes.setdefault(item.account, set()).add(item.mode)
        for account, named in modes.items():
            if len(named) == 1:
                self._store.prefer(_account(account), named.pop())

    def _kept(self, book: BookStore) -> dict[str, list[str]]:
        text = self._store.preference(_imported(book))
        return json.loads(text) if text else {}


def as_rows(taken: Taken) -> list[dict[str, Any]]:
    """The new transactions of a statement as they are written down with a request."""
    account = taken.statement.account or ""
    return [
        {
            **{name: value for name, value in asdict(draft).items() if name != "tags"},
            "date": draft.date.isoformat(),
            "amount": str(draft.amount),
            "reference": row.reference or "",
            "account": account,
            "words": row.narration[:200],
        }
        for row, draft in taken.new
    ]


def items_of(rows: Sequence[dict[str, Any]], today: date) -> tuple[Item, ...]:
    """The items that rows written down stand for."""
    items = []
    for row in rows:
        day = date.fromisoformat(row["date"])
        items.append(
            Item(
                description=row["description"],
                amount=Decimal(row["amount"]),
                mode=cast("Mode", row["mode"]),
                direction=cast("Direction", row["direction"]),
                date=day if day <= today else None,
                category=row["category"],
                doubts=() if day <= today else (f"future_date:{row['date']}",),
                words=row["words"],
                reference=row["reference"],
                account=row["account"],
            )
        )
    return tuple(items)


def _account(account: str) -> str:
    return f"account {account}"


def _imported(book: BookStore) -> str:
    return f"imported {hashlib.sha256(str(book.path).encode()).hexdigest()[:40]}"
