"""Changes to an open card, in words."""

from dataclasses import dataclass
from datetime import date

from agent.language.items import Item
from agent.language.knowledge import Knowledge


@dataclass(frozen=True)
class Edited:
    """What an edit came to. When `refused` says why it could not be made, `items` are the ones that were there."""

    items: tuple[Item, ...]
    changed: tuple[str, ...] = ()
    """one short text a change: `item 2 mode Cash → Wallet`"""
    refused: str | None = None


def apply_edits(message: str, items: tuple[Item, ...], today: date, knowledge: Knowledge) -> Edited | None:
    """The items after the edits a message asks for, all or none; None when the message is no edit."""
    del message, items, today, knowledge
    return None
