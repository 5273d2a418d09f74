"""What a message wants: its parts, and the intent of each with a confidence."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agent.language.knowledge import Knowledge
from ledger.queries import Query

Intent = Literal[
    "log", "confirm", "edit", "cancel", "undo", "stop", "ask", "advise", "research", "compare", "calculate", "market",
    "portfolio", "plan_goal", "sheet", "smalltalk", "help", "unclear",
]  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """The intent of one part of a message. Under a confidence of 0.7 the user is asked, with `options` to choose."""

    intent: Intent
    confidence: float
    options: tuple[str, ...] = ()
    """messages the user may have meant, ready to be sent as they stand"""


def split_requests(message: str) -> tuple[str, ...]:
    """The requests in a message, in its order, up to four; what follows the fourth stays with it."""
    return (message.strip(),) if message.strip() else ()


def classify(part: str, today: date, knowledge: Knowledge, previous: Query | None = None) -> Reading:
    """What one part of a message wants; `previous` is the question a follow-up would continue."""
    del part, today, knowledge, previous
    return Reading("unclear", 0.3)
