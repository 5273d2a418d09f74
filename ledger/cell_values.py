"""Cells read strictly: an amount, a day, a mode, or a sentence that says why not.

Nothing is guessed. A text that can be read in two ways is not read, and the sentence says what to type instead.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ledger.entries import MONTHS, Mode
from ledger.sheetxml import CellError, Value
from money import parse_amount

MODE_SPELLINGS: Mapping[str, Mode] = {
    **dict.fromkeys(("phonepe", "phonepay", "phnpe", "gpay", "googlepay", "upi", "bhim"), "PHONEPE"),
    **dict.fromkeys(("wallet", "paytm", "amazonpay"), "WALLET"),
    **dict.fromkeys(("money", "cash", "inhand", "cashinhand"), "MONEY"),
    **dict.fromkeys(("bank", "account", "savings", "card", "debitcard", "creditcard", "netbanking"), "BANK"),
    **dict.fromkeys(("neft", "imps", "rtgs"), "BANK"),
}
NOTHING = ("-", "–", "—", "nil", "n/a", "na")
"""texts that stand for an empty amount"""
DIGITS = 15
"""what Excel keeps of a number"""

_EPOCH_1900, _EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)
_MONTH_NUMBER = {name[:3].casefold(): number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
_NUMERIC_DAY = re.compile(r"(\d{1,2})\s*([-/.])\s*(\d{1,2})(?:\s*\2\s*(\d{4}|\d{2}))?")
_ISO_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")
_NAMED_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[-\s/.]*([A-Za-z]+)\.?(?:[-\s/.,]*(\d{4}|\d{2}))?")
_NAMED_MONTH = re.compile(r"([A-Za-z]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?:,?\s*(\d{4}))?")


@dataclass(frozen=True)
class Unread:
    """Why a cell was not read: one sentence, what is wrong and what to do."""

    reason: str
    unknown_amount: bool = False
    """an error or a formula with no value: nobody can say what the amount is"""


def shown(value: Value) -> str:
    """What stands in a cell, as text for a person."""
    if value is None:
        return ""
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Decimal):
        return f"{value:f}" if abs(value.adjusted()) < 21 else f"{value:E}"
    return value


def exact_amount(number: Decimal) -> Decimal:
    """A stored number without the noise of binary arithmetic: Excel itself shows 15 digits and no more."""
    if len(number.as_tuple().digits) > DIGITS:
        return Decimal(f"{number:.{DIGITS}g}")
    return number


def read_number(value: Value, *, has_formula: bool = False) -> Decimal | Unread | None:
    """A number of either sign, as a number or a text that is one amount; None for an empty cell."""
    if isinstance(value, CellError):
        return Unread(f"It shows the error {value.code}. Mend the formula in Excel.", unknown_amount=True)
    if value is None:
        if has_formula:
            return Unread(
                "It is a formula whose value was never calculated. Open the book in Excel, and save it.",
                unknown_amount=True,
            )
        return None
    if isinstance(value, bool):
        return Unread("It holds TRUE or FALSE, not an amount. Type the amount as a number.")
    if isinstance(value, str) and not value.strip():
        return None
    amount = exact_amount(value) if isinstance(value, Decimal) else parse_amount(value.strip())
    if amount is None:
        return Unread("This text is not one clear amount. Type the amount as a number.")
    if amount.adjusted() >= DIGITS:
        return Unread("No amount in rupees has that many digits. Type the amount again.")
    return amount


def read_amount(value: Value, *, has_formula: bool = False) -> Decimal | Unread | None:
    """The amount of a row, above zero; None for an empty cell, a dash or a zero."""
    if isinstance(value, str) and value.strip().casefold() in NOTHING:
        return None
    number = read_number(value, has_formula=has_formula)
    if isinstance(number, Decimal):
        if number < 0:
            return Unread(
                "The amount is below zero. Type it without the minus, under Debit for money out or Credit for money in."
            )
        if number == 0:
            return None
    return number


def read_mode(value: Value) -> Mode | Unread:
    """The mode a cell names, in the spellings people use."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return Unread("The row has no mode. Type PHONEPE, WALLET, MONEY or BANK.")
    if isinstance(value, str):
        mode = MODE_SPELLINGS.get(re.sub(r"[\s.\-_/]+", "", value).casefold())
        if mode is not None:
            return mode
    return Unread("This is no mode of the book. Type PHONEPE, WALLET, MONEY or BANK.")


def read_day(value: Value, *, date1904: bool, month: int | None, year: int | None) -> date | Unread:
    """The day a cell states.

    `month` is the one its place in the book says (the sheet, or the Month column), `year` the book's: a text such as
    05-11-2026 is read day first, and only when the other order is impossible or contradicts that month.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return Unread("The row has no date. Type its date.")
    if isinstance(value, Decimal):
        return _serial_day(value, date1904=date1904)
    if isinstance(value, str):
        found = _text_day(" ".join(value.split()), month, year)
        if found is not None:
            return found
    return Unread("This is not a date that can be read. Type it as a date, such as 05-Nov-2026.")


def _serial_day(number: Decimal, *, date1904: bool) -> date | Unread:
    whole = int(number)
    # 1990 to 2199 in either calendar; anything else is a number typed in the wrong column
    if not 31_000 <= whole <= 110_000:
        return Unread("This number is not a date. Type it as a date, such as 05-Nov-2026.")
    return (_EPOCH_1904 if date1904 else _EPOCH_1900) + timedelta(days=whole)


def _text_day(text: str, month: int | None, year: int | None) -> date | Unread | None:
    if match := _ISO_DAY.fullmatch(text):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _NUMERIC_DAY.fullmatch(text):
        stated = _year(match[4], year)
        first, second = int(match[1]), int(match[3])
        day_first = stated and _day(stated, second, first)
        month_first = stated and _day(stated, first, second)
        if day_first and month_first and day_first != month_first and month != second:
            return Unread("Day and month could be either way round. Type it as a date, such as 05-Nov-2026.")
        if month_first and not day_first:
            return Unread("The month stands before the day. Type the day first, such as 05-Nov-2026.")
        return day_first or None
    if match := _NAMED_DAY.fullmatch(text):
        return _named(match[2], match[1], match[3], year)
    if match := _NAMED_MONTH.fullmatch(text):
        return _named(match[1], match[2], match[3], year)
    return None


def _named(month: str, day: str, stated: str | None, year: int | None) -> date | None:
    word = month.casefold()
    number = _MONTH_NUMBER.get(word) or next((n for n, name in enumerate(MONTHS, 1) if name.casefold() == word), None)
    full_year = _year(stated, year)
    return _day(full_year, number, int(day)) if number and full_year else None


def _year(stated: str | None, year: int | None) -> int | None:
    if stated is None:
        return year
    return int(stated) + 2000 if len(stated) == 2 else int(stated)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
