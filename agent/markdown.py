"""Text from outside as a reply shows it: escaped, in sentence case; and a reply outside a browser."""

import re

from ledger.entries import plain_description

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&@^]|:(?=[a-z_]))")
_LINK = re.compile(r"(?i)(?<=\bwww)(?=\.)|(?<=://)(?=\S)|(?<=-)(?=-)")
_WORD_JOINER = "\u2060"


def escaped(text: str) -> str:
    """Text from outside made safe inside Markdown: no emphasis, link, formula, badge or line break comes out of it."""
    one_line = " ".join(text.split())
    return _MARKUP.sub(r"\\\1", _LINK.sub(_WORD_JOINER, one_line))


def plain_text(reply: str) -> str:
    """A reply without its Markdown, as a terminal shows it."""
    bare = re.sub(r"(?<!\\)\*\*", "", reply).replace(_WORD_JOINER, "")
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", bare)


def sentence_case(description: str) -> str:
    """A stored description as it is shown: `TRAIN TICKET` reads `Train ticket`."""
    plain = plain_description(description)
    return plain[:1].upper() + plain[1:].lower() if plain.isupper() or plain.islower() else plain
