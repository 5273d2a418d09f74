"""The amounts that stand in a bank's message: which currency, which one moved, which one is what is left."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from ledger.statements.vocabulary import currencies, phrases

NUMBER = (
    r"\d{1,3}(?:[,٬]\d{2,3})+(?:[.٫]\d{1,3})?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d{1,2})?|\d+(?:[.,٫]\d{1,3})?"
)
_ZEROES = 3
_BEFORE_LETTERS = 28
"""how far before an amount a word says what it is"""
_CUT = re.compile(r"\d[.,)]?\s|\.\s|[;\n!(]|\bon\b|\bat\b")


@dataclass(frozen=True)
class Said:
    """One amount of a message."""

    value: Decimal
    currency: str | None
    """None: the number stands alone"""
    start: int
    end: int
    role: str
    """`moved`, `balance`, `limit` or `beside` (a fee, what is due)"""
    sign: str = ""
    """a plus or minus before the number"""


def amounts_in(text: str) -> list[Said]:
    """Every amount with a currency, in the order of the message (in lower case)."""
    found = []
    for match in _shape().finditer(text):
        mark = match["before"] or match["after"]
        code = currencies().of.get(" ".join((mark or "").split()))
        if code is None:
            continue
        value = number_of(match["number"] or match["first"], code)
        if value is not None:
            sign = match["sign"] or match["sign_first"] or ""
            found.append(Said(value, code, match.start(), match.end(), role_of(text, match.start()), sign))
    return found


def bare_numbers(text: str) -> list[Said]:
    """Numbers without a currency that a movement's word leads to: `debited by 20.0`, `DEBIT with amount 500`."""
    found = []
    for match in _bare().finditer(text):
        value = number_of(match["number"], "INR")
        if value:
            found.append(Said(value, None, match.start("number"), match.end("number"), "moved"))
    return found


def bare_balance(text: str) -> Said | None:
    """A balance without a currency: `Av Bal: 140270.04`, `(CLR BAL 30987.99CR)`."""
    for match in re.finditer(rf"[:.\s](?P<number>{NUMBER})", text):
        before = text[max(match.start() - 24, 0) : match.start("number")]
        near = list(phrases().balance.finditer(before))
        if near and not any(letter.isdigit() for letter in before[near[-1].end() :]):
            rest = before[near[-1].end() :].strip(" :.=-")
            value = number_of(match["number"], "INR")
            if rest in ("", "is", "bal", "balance", "amt", "a/c") and value is not None:
                return Said(value, None, match.start("number"), match.end("number"), "balance")
    return None


def number_of(text: str, code: str) -> Decimal | None:
    """The number a text writes: Indian and western grouping, a decimal comma, blanks between thousands."""
    plain = text.replace("٬", ",").replace("٫", ".")
    plain = re.sub(r"\s", "", plain).rstrip(".,")
    marks = [letter for letter in plain if letter in ".,"]
    decimals = "".join(reversed(plain)).find(next(iter(marks[::-1]), "#"))
    last = marks[-1] if marks else ""
    three = code in currencies().three_decimals
    if not marks:
        pass
    elif len(set(marks)) == 2:
        other = "," if last == "." else "."
        plain = plain.replace(other, "").replace(last, ".")
    elif len(marks) > 1:
        plain = plain.replace(last, "")
    elif last == ",":
        plain = plain.replace(",", "" if decimals == _ZEROES and not (three and plain.startswith("0")) else ".")
    elif decimals == _ZEROES and code in ("IDR", "VND"):
        plain = plain.replace(".", "")
    return Decimal(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else None


def role_of(text: str, start: int) -> str:
    """What the words right before an amount say it is."""
    before = text[max(start - _BEFORE_LETTERS, 0) : start]
    pieces = _CUT.split(before)
    near = pieces[-1] if pieces else before
    words = phrases()
    beside = list(words.beside.finditer(near))
    if not beside:
        return "moved"
    moved = [*words.out_sure.finditer(near), *words.in_sure.finditer(near)]
    if moved and max(match.end() for match in moved) >= max(match.end() for match in beside):
        return "moved"
    if words.limit.search(near):
        return "limit"
    return "balance" if words.balance.search(near) else "beside"


@cache
def _shape() -> re.Pattern[str]:
    marks = currencies()
    return re.compile(
        rf"(?:(?P<before>{marks.before})\s*[:.=*]?\s*(?P<sign>[-+]?)\s*(?P<number>{NUMBER}))"
        rf"|(?:(?<![\w/.*#-])(?P<sign_first>[-+]?)(?P<first>{NUMBER})\s?(?:/-\s?)?(?P<after>{marks.after}))"
    )


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(
        r"(?:debited|credited|withdrawn|spent|deducted|paid|sent|transferred|amount|amt|debit|credit|dr|cr)\.?"
        r"\s*(?:with|by|for|of|amount|amt|:|\s|-|=|is)*\s*"
        rf"(?P<number>{NUMBER})(?![\w/*-]|\.\d)"
    )
