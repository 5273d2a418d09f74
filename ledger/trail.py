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
    first: JournalLine | None
    """the later write that has to be undone before this one; None: there is none"""


def trail(lines: Sequence[JournalLine]) -> tuple[TrailLine, ...]:
    """Every write that came to pass, or was cut off, the newest first."""
    standing = undoable(tuple(lines))
    undone = {line.facts.undoes for line in lines if line.outcome == "done" and line.facts.undoes}
    found = []
    for line in reversed(lines):
        if line.outcome == "aborted":
            continue
        before, after = line.facts.balances_before, line.facts.balances
        moved = sum(after.values(), Decimal(0)) - sum(before.values(), Decimal(0)) if before and after else None
        state: State = (
            "not made"
            if line.outcome != "done"
            else "undo"
            if line.facts.kind == "undo"
            else "undone"
            if line.request in undone
            else "standing"
        )
        last = standing[-1] if standing else None
        blocked = last if state == "standing" and last is not None and last.request != line.request else None
        found.append(TrailLine(line, moved, state, blocked))
    return tuple(found)
