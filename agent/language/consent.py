"""Yes, cancel, stop, undo and `write anyway`: understood only when they are the whole message.

`yes please` and `ok, save it` are a yes; `yes but make it 500` is not, nor is `yes?`: whatever says anything besides
is left to those who read edits and questions, and a card is never confirmed by half a message.
"""

import re
from functools import cache
from typing import Literal

from agent.language.vocabulary import one_of, plain, table

Consent = Literal["yes", "cancel", "stop", "undo", "anyway"]

_LONGEST = 60
_KINDS: tuple[Consent, ...] = ("yes", "cancel", "stop", "undo", "anyway")
_PUNCTUATION = re.compile(r"[\s.,!;:()\-–—\"*_~/]+")


def consent(message: str) -> Consent | None:
    """What the whole message agrees to; None when it says anything else, or anything besides."""
    if len(message) > _LONGEST:
        return None
    said = _PUNCTUATION.sub(" ", plain(message)).strip()
    return next((kind for kind in _KINDS if _whole(kind).fullmatch(said)), None)


def undoes_several(message: str) -> bool:
    """`undo the last two`: more than one write, which are taken back one at a time."""
    return bool(_several().fullmatch(plain(message).strip(" .!")))


@cache
def _several() -> re.Pattern[str]:
    said = table("consent")["several"]
    return re.compile(rf"(?:undo|revert|take back)(?: the| my)?(?: last)? (?:{one_of(said)}|\d+)(?: \w+)?")


@cache
def _whole(kind: Consent) -> re.Pattern[str]:
    """Phrases of one kind and polite words, at least one phrase among them."""
    phrase, polite = one_of(table("consent")[kind]), one_of(table("consent")["polite"])
    return re.compile(rf"(?:{polite} )*{phrase}(?: (?:{phrase}|{polite}))*")
