"""What a turn did, node by node: a Trace of Spans, recorded while it runs and stored with it from the first day.

Recorder ── one a turn ──► Span, Span, Span …   (stored by store.py, shown live through Event)
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from agent.turn import Turn

SpanStatus = Literal["ok", "failed", "stopped"]


class Span(NamedTuple):
    """One node's run: its start as ISO time, how long it took, how it ended, and in a few words what it came to."""

    node: str
    started: str
    ms: float
    status: SpanStatus
    note: str = ""


class Event(NamedTuple):
    """Something a person who waits may see. `turn` comes once, last."""

    kind: Literal["node_started", "node_finished", "turn"]
    name: str = ""
    ms: float = 0.0
    note: str = ""
    turn: Turn | None = None


class Recorder:
    """Collects a turn's spans and tells each as it happens. Parallel nodes record at once."""

    def __init__(self, began: datetime, tell: Callable[[Event], None]) -> None:
        self._began = began
        self._zero = time.perf_counter()
        self._tell = tell
        self._ended: list[tuple[str, float, float, SpanStatus, str]] = []

    def started(self, node: str, note: str) -> float:
        """A node begins; gives the moment to hand back to `ended`."""
        self._tell(Event("node_started", node, note=note))
        return time.perf_counter()

    def ended(self, node: str, moment: float, status: SpanStatus, note: str) -> None:
        """A node ended, well or not."""
        ms = round((time.perf_counter() - moment) * 1000, 3)
        self._ended.append((node, moment, ms, status, note))
        self._tell(Event("node_finished", node, ms, note))

    @property
    def seconds(self) -> float:
        """How long the turn has run."""
        return time.perf_counter() - self._zero

    @property
    def spans(self) -> tuple[Span, ...]:
        """What was recorded so far, in order of ending."""
        return tuple(
            Span(node, self._at(moment), ms, status, note) for node, moment, ms, status, note in tuple(self._ended)
        )

    def _at(self, moment: float) -> str:
        return (self._began + timedelta(seconds=moment - self._zero)).isoformat(timespec="milliseconds")
