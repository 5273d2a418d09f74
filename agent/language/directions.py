"""Whether a clause says money came in or went out.

Going out is the default and needs no word. Coming in needs the user's own signal: `received`, `salary`, `X paid me
back`; what only reads like it (`akka gave 1500`, `bonus 5000`) is a doubt, and asked.
"""

import re
from functools import cache
from typing import Literal

from agent.language.vocabulary import one_of, plain, table
from agent.language.wording import AMOUNT, READ

Said = Literal["DEBIT", "CREDIT", "looks_like_income"]

_FRAME = re.compile(r"(?:(?:please|pls|log|add|record|note|today|yesterday|just|also|and|then|ok|hi|so|#)\s+)*")
_SOMEONE = (
    r"(?!(?:i|we|maine|mai|main|humne|i've|have|had|has|my|the|paid|spent|for|on|bought)\b)"
    r"(?:(?!#)[^\s#]+\s+){1,3}?(?:has\s+|had\s+|have\s+|ne\s+)?"
)


def direction_said(clause: str, *, expense: bool) -> Said:
    """Where the money of a clause went.

    `expense`: its words have a category in the book, so `got … from` a shop is a purchase.
    """
    text = re.sub(f"{AMOUNT}+", "#", plain(clause.replace(READ, " ")))
    text = _masked().sub(" ", text)
    text = text[_frame_end(text) :]
    if _any("out").search(text):
        return "DEBIT"
    if _any("in").match(text):
        return "CREDIT"
    if _any("out_first").match(text):
        return "DEBIT"
    if _any("in").search(text) or _after_someone("in_after_someone").match(text):
        return "CREDIT"
    if _after_someone("looks_in_after_someone").match(text) or re.match(r"#?\s*from\s+(?!#)\w+(?:\s+#)?", text):
        return "looks_like_income"
    if not expense and _any("looks_in").search(text):
        return "looks_like_income"
    return "DEBIT"


def direction_answered(reply: str) -> Literal["DEBIT", "CREDIT"] | None:
    """What a short reply says of `coming in or going out?`; None when it says neither, or both."""
    said = {_answers()[" ".join(found[0].split())] for found in _answer().finditer(plain(reply))}
    return said.pop() if len(said) == 1 else None


def _frame_end(text: str) -> int:
    frame = _FRAME.match(text)
    return frame.end() if frame else 0


@cache
def _any(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(table('directions')[name])})(?!\w)")


@cache
def _after_someone(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_SOMEONE}(?:{'|'.join(table('directions')[name])})(?!\w)")


@cache
def _masked() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(table('directions')['masked'])})(?!\w)")


@cache
def _answers() -> dict[str, Literal["DEBIT", "CREDIT"]]:
    answers = table("directions")["answers"]
    return {**dict.fromkeys(answers["DEBIT"], "DEBIT"), **dict.fromkeys(answers["CREDIT"], "CREDIT")}


@cache
def _answer() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(_answers())}(?!\w)")
