"""From a question about the book to the `Query` that answers it."""

from dataclasses import dataclass
from datetime import date

from agent.language.knowledge import Knowledge
from ledger.queries import Query


@dataclass(frozen=True)
class Question:
    """One question of a message: the words that asked it and how it was understood."""

    words: str
    query: Query
    confidence: float
    """how sure the understanding is, 0 to 1; below 0.7 the user is asked"""


def parse_question(
    message: str, today: date, knowledge: Knowledge, previous: Query | None = None
) -> tuple[Question, ...]:
    """The questions in a message, in its order; `previous` is what a follow-up (`and last month?`) continues."""
    del message, today, knowledge, previous
    return ()


def widened(query: Query) -> Query:
    """The same question of the whole book: its dates dropped."""
    return query
