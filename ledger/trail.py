"""The audit trail as a page shows it: the newest write first, each with what it moved and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ledger.journal import JournalLine, undoable

State = Literal["standing", "undone", "undo", "not made"]


@dataclass(frozen=True)
class TrailLine:
    """One write with its state."""

    line: JournalLine
    moved: Decimal | None
    """how much more there is on hand for it, below zero for less; None: unknown"""
    state: State


def trail(lines: Sequence[JournalLine]) -> tuple[TrailLine, ...]:
    """Every write that came to pass, or was cut off, the newest first."""
    standing = {line.request for line in undoable(tuple(lines))}
    return tuple(
        TrailLine(line, _moved(line), _state(line, standing)) for line in reversed(lines) if line.outcome != "aborted"
    )


def _state(line: JournalLine, standing: set[str]) -> State:
    if line.outcome != "done":
        return "not made"
    if line.facts.kind == "undo":
        return "undo"
    return "standing" if line.request in standing else "undone"


def _moved(line: JournalLine) -> Decimal | None:
    before, after = line.facts.balances_before, line.facts.balances
    if not before or not after:
        return None
    return sum(after.values(), Decimal(0)) - sum(before.values(), Decimal(0))
