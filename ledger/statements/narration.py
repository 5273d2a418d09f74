"""What a statement's narration and a message's payee come to: a name a person knows, and the bank's reference.

UPI/DR/412345678901/ZOMATO/HDFC/zomato@hdfcbank/Payment  →  ZOMATO, 412345678901
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

LONGEST_DESCRIPTION = 500
"""letters a description may have"""

_REFERENCE = re.compile(
    r"(?:\b(?:upi\s*ref(?:erence)?|ref(?:erence)?|rrn|utr|txn\s*(?:id|no)|txnid|trxid|transaction\s*(?:id|reference)"
    r"|imps\s*ref|upi|imps|umrn|utr\s*no)[\s.:#/-]*(?:no|number|is|id|num)?[\s.:#/-]*(?:cr/|dr/|[a-z]{1,4}/)*)"
    r"(?P<ref>[A-Z]{0,6}\d{6,22}\w{0,6})",
    re.IGNORECASE,
)
_LONE = re.compile(r"(?<![\dA-Za-z])(?P<ref>[A-Z]{4}[A-Z0-9]?\d{8,18}|\d{12})(?![\dA-Za-z])")
_TRANSFER = re.compile(r"^(?:by|to) transfer\s*-\s*(?=\S)", re.IGNORECASE)
_IFSC = re.compile(r"[a-z]{4}0[a-z0-9]{3,6}", re.IGNORECASE)
_BANK_LTD = re.compile(r"\bbank\s*(?:ltd|limited)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"[a-z]{0,6}\d[\w\- ]*|x{2,}\w*", re.IGNORECASE)
_VPA = re.compile(r"(?P<user>[\w.\-]{2,})@(?P<app>[a-z][\w]*)", re.IGNORECASE)
_SEPARATORS = re.compile(r"\s*/+\s*|\s*\*+\s*|\s*\|+\s*|(?<=\w)-(?=\S)(?=[^-]*-)|(?<=\w)-(?=\d{6,})|\s+-\s+|:")
_CARD_NUMBER = re.compile(r"\b\d{4,6}[xX*]{2,}\d{2,6}\b|\b[xX*]{2,}\d{2,6}\b")
_REFERENCE_LIKE = re.compile(r"\b(?=\w*\d)[A-Z0-9]{10,}\b|\b\d{6,}\b")


class _Words(NamedTuple):
    rails: frozenset[str]
    banks: frozenset[str]
    filler: re.Pattern[str]
    leads: re.Pattern[str]


def reference_in(text: str) -> str | None:
    """The bank's own number of the transaction that a text states; None when it states none."""
    match = _REFERENCE.search(text) or _LONE.search(text)
    return match["ref"].upper() if match else None


def clean_payee(narration: str) -> str:
    """The name in a narration, without rails, banks and numbers; the narration itself where nothing is left."""
    text = _TRANSFER.sub("", " ".join(narration.split())[: 2 * LONGEST_DESCRIPTION])
    pieces = [piece.strip(" -:.,") for piece in _SEPARATORS.split(text)]
    names = [piece for piece in pieces if _is_name(piece)]
    if len(pieces) > 2 and names:
        chosen = names[0]
    elif names:
        chosen = " ".join(names)
    else:
        vpa = _VPA.search(text)
        chosen = vpa["user"] if vpa else text
    return _tidied(chosen) or text[:LONGEST_DESCRIPTION]


def _is_name(piece: str) -> bool:
    words = _words()
    plain = piece.casefold().strip(" .")
    if not any(letter.isalpha() for letter in piece) or plain.removesuffix(" bank") in words.banks:
        return False
    if _IFSC.fullmatch(plain) or _BANK_LTD.search(plain) or words.filler.match(plain) or _NUMBERED.fullmatch(plain):
        return False
    if "@" in piece and " " not in piece:
        return False
    return not all(word.strip(".:") in words.rails or word.isdigit() for word in plain.split())


def _tidied(name: str) -> str:
    leads = _words().leads
    before = None
    while before != name:
        before, name = name, leads.sub("", name, count=1)
    if "@" in name:
        return " ".join(_VPA.sub(lambda match: match["user"], name).split())[:LONGEST_DESCRIPTION]
    name = _REFERENCE_LIKE.sub(" ", _CARD_NUMBER.sub(" ", name))
    return " ".join(name.split()).strip(" -:.,/*_&")[:LONGEST_DESCRIPTION]


@cache
def _words() -> _Words:
    with Path(__file__).with_name("narration.toml").open("rb") as file:
        table: Mapping[str, list[str]] = tomllib.load(file)
    leads = "|".join(re.escape(lead) for lead in sorted(table["leads"], key=len, reverse=True))
    filler = "|".join(re.escape(word) for word in sorted(table["filler"], key=len, reverse=True))
    return _Words(
        frozenset(table["rails"]),
        frozenset(table["banks"]),
        re.compile(rf"(?:{filler})\b"),
        re.compile(rf"^(?:{leads})\b[\s:*/.\-]+", re.IGNORECASE),
    )
