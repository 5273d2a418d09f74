"""Amounts of a statement's column: one notation for the whole column, learnt from it, never a guess a cell.

1,23,456.50 · 110.7 · -500,00 · -3.000 (thousands) · (250.00) · 250.00- · 1,200.00 Dr · ₹350
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ledger.cell_values import NOTHING, exact_amount
from ledger.entries import Direction

Notation = Literal["point", "comma"]
"""which mark stands before the paise"""
PAISE = 2
"""digits behind the mark at most"""
LONGEST = 40
"""letters; a longer text is no amount"""

_MONEY = re.compile(r"(?:rs\.?|inr|₹|₨|€|\$|£|rupees)", re.IGNORECASE)
_SIDE = re.compile(r"\(?(dr|cr|debit|credit|d|c)\.?\)?$", re.IGNORECASE)
_GROUPED_POINT = re.compile(r"\d{1,3}(?:,\d{2,3})*(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_GROUPED_COMMA = re.compile(r"\d{1,3}(?:\.\d{3})*(?:,\d+)?|\d+(?:,\d+)?")


@dataclass(frozen=True)
class Signed:
    """An amount with the side that its own cell states."""

    value: Decimal
    """with its sign"""
    side: Direction | None = None
    """of a Dr or Cr beside it"""


def notation_of(texts: Iterable[str]) -> Notation:
    """Which mark stands before the paise in a column: 3.000 alone is three thousand, beside 12.50 it is not read."""
    point = comma = thousands = 0
    for text in texts:
        body = _bare(text)[0]
        if re.search(r"\.\d{1,2}$", body) or re.search(r",\d{2,3}\.", body) or re.search(r",\d\d,", body):
            point += 1
        elif re.search(r",\d{1,2}$", body) or re.search(r"\.\d{3}(?:\.|,)", body):
            comma += 1
        elif re.fullmatch(r"[-+]?\d{1,3}\.\d{3}", body):
            thousands += 1
    return "comma" if (comma or thousands) and not point else "point"


def signed_amount(value: str | Decimal, notation: Notation = "point") -> Signed | str | None:
    """The amount in a cell; None for an empty one, a sentence for one that cannot be read."""
    if isinstance(value, Decimal):
        return Signed(exact_amount(value))
    if len(value) > LONGEST:
        return "This text is too long to be an amount."
    body, sign, side = _bare(value)
    if not body or body.casefold() in NOTHING:
        return None
    shape = _GROUPED_COMMA if notation == "comma" else _GROUPED_POINT
    if not shape.fullmatch(body):
        return "This is not one clear amount in the notation of its column."
    plain = body.replace(".", "").replace(",", ".") if notation == "comma" else body.replace(",", "")
    number = Decimal(plain)
    if int(number.as_tuple().exponent) < -PAISE:
        return "The amount has more than two decimals, and could be thousands."
    return Signed(-number if sign else number, side)


def _bare(text: str) -> tuple[str, bool, Direction | None]:
    """The digits and marks of a text, whether it is below zero, and the side it states."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").replace("'", "")
    plain = _MONEY.sub("", "".join(plain.split()))
    side: Direction | None = None
    if any(letter.isdigit() for letter in plain) and (match := _SIDE.search(plain)):
        side = "DEBIT" if match[1].casefold().startswith("d") else "CREDIT"
        plain = plain[: match.start()]
    negative = False
    if plain.startswith("(") and plain.endswith(")"):
        negative, plain = True, plain[1:-1]
    if len(plain) > 1 and plain[-1] in "+-":
        negative, plain = negative or plain[-1] == "-", plain[:-1]
    if len(plain) > 1 and plain[:1] in "+-":
        negative, plain = negative or plain[0] == "-", plain[1:]
    return plain, negative, side
