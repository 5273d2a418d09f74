"""From a message to the transactions it tells of, and from an answer to the fact that was asked."""

from datetime import date

from agent.language.items import Field, Item
from agent.language.knowledge import Knowledge


def parse_transactions(message: str, today: date, knowledge: Knowledge) -> tuple[Item, ...]:
    """The transactions in a message, in its order; what cannot be read whole is kept incomplete."""
    del message, today, knowledge
    return ()


def answer(item: Item, field: Field, reply: str, today: date, knowledge: Knowledge) -> Item | None:
    """The item with the one asked field taken from the reply; None when the reply does not say it."""
    del item, field, reply, today, knowledge
    return None


def question_for(item: Item, number: int, total: int) -> str:
    """The question for the item's next missing field, in the user's words: `How much was coffee?`"""
    del item, number, total
    return ""
