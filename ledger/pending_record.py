"""Changes that wait, as a text that outlives a page, and back."""

import json
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from ledger.changes import Mend, Value
from ledger.entries import Draft, Issue
from ledger.journal import entry_of, record_of
from ledger.pending import Pending, Typed


def text_of(pending: Pending) -> str:
    """The changes as JSON."""
    return json.dumps(
        {
            "edits": [[record_of(edit.was), dict(edit.cells)] for edit in pending.edits],
            "deletes": [record_of(entry) for entry in pending.deletes],
            "adds": [_draft_record(draft) for draft in pending.adds],
            "fixes": [
                [
                    [fix.issue.cell, fix.issue.reads, fix.issue.reason, fix.issue.stops_totals],
                    [[column, *_value_record(value)] for column, value in fix.cells],
                ]
                for fix in pending.fixes
            ],
            "openings": [[mode, str(amount)] for mode, amount in pending.openings],
        },
        ensure_ascii=False,
    )


def pending_of(text: str) -> Pending | None:
    """The changes of a text; None for one of another version of Munshi, or a damaged one."""
    try:
        record = json.loads(text)
        return Pending(
            tuple(Typed(entry_of(was), cells) for was, cells in record["edits"]),
            tuple(map(entry_of, record["deletes"])),
            tuple(map(_draft_of, record["adds"])),
            tuple(
                Mend(Issue(*issue), tuple((column, _value_of(kind, value)) for column, kind, value in cells))
                for issue, cells in record["fixes"]
            ),
            tuple((mode, Decimal(amount)) for mode, amount in record["openings"]),
        )
    except (ValueError, KeyError, TypeError, InvalidOperation):
        return None


def _draft_record(draft: Draft) -> list[Any]:
    said = (draft.date.isoformat(), draft.description, draft.mode, draft.direction, str(draft.amount))
    return [*said, draft.category, list(draft.tags)]


def _draft_of(record: list[Any]) -> Draft:
    day, words, mode, direction, amount, category, tags = record
    return Draft(date.fromisoformat(day), words, mode, direction, Decimal(amount), category, tuple(tags))


def _value_record(value: Value) -> tuple[str, str | None]:
    if isinstance(value, Decimal):
        return "amount", str(value)
    return ("day", value.isoformat()) if isinstance(value, date) else ("text", value)


def _value_of(kind: str, text: str | None) -> Value:
    if text is None:
        return None
    return Decimal(text) if kind == "amount" else date.fromisoformat(text) if kind == "day" else text
