"""Amounts: one that is the whole text, and those that stand in a sentence.

    "₹1,23,456.50" · "500/-" · "Rs. 500" · "2k" · "1.5 lakh" · "1 cr" · "five hundred" · "(500)"   →   Decimal

Reading is strict. What could be two things (`12.345`; `5000 cr`, crore or credit) is not read:
the user is asked.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from money.days import DATE_SHAPE
from money.folding import fold
from money.numbers import FIRST_WORDS, LETTER_SCALES, SCALES, VAGUE, quantity_at

TOO_LARGE = Decimal(10**15)
"""from here on a workbook's number no longer holds every paisa's rupee: such an amount is not read"""

_CODES = (
    "usd|eur|gbp|jpy|aud|cad|sgd|myr|aed|sar|qar|omr|kwd|bhd|thb|npr|lkr|pkr|bdt|cny|hkd|chf|nzd|zar|krw"
    "|idr|php|vnd|brl|egp|kes|ngn"
)
_SYMBOLS = {
    "$": "USD",
    "us$": "USD",
    "us $": "USD",
    "u.s $": "USD",
    "u.s. $": "USD",
    "s$": "SGD",
    "a$": "AUD",
    "c$": "CAD",
    "hk$": "HKD",
    "£": "GBP",
    "€": "EUR",
    "¥": "¥",
    "₩": "KRW",
    "฿": "THB",
    "₫": "VND",
    "₱": "PHP",
    "₦": "NGN",
    "₺": "TRY",
    "₽": "RUB",
    "rm": "MYR",
}
_NAMES = {
    "us dollar": "USD",
    "dollar": "USD",
    "euro": "EUR",
    "pound": "GBP",
    "yen": "JPY",
    "dirham": "AED",
    "ringgit": "MYR",
    "baht": "THB",
    "riyal": "SAR",
    "dinar": "KWD",
    "yuan": "CNY",
}
_RUPEES_BEFORE = r"(?:[₹₨]|(?<![a-z0-9_])(?:rs|inr|rupees?|re(?=\.?\s*1(?![0-9]))))\.?"
_FOREIGN_BEFORE = (
    r"(?<![a-z0-9_])(?:"
    + "|".join(re.escape(mark) for mark in sorted(_SYMBOLS, key=len, reverse=True))
    + rf"|{_CODES})"
)
_BEFORE = re.compile(rf"(?:(?P<rupees>{_RUPEES_BEFORE})|(?P<foreign>{_FOREIGN_BEFORE}))\s*")
_AFTER = re.compile(
    r"\s*(?:(?P<rupees>(?:rupees?|rs\.?|inr|rupaye|rupaiya|rupay|bucks)(?![a-z0-9])(?:\s?/-)?|₹|/[-=](?![0-9]))"
    rf"|(?P<foreign>(?:{'|'.join(_NAMES)})s?|[$£€]|(?:us\s)?(?:{_CODES})|rm)(?![a-z0-9]))"
)
_SUBUNIT = re.compile(r"\s*(?:and\s+)?([0-9]{1,2}|[a-z]+(?:[\s-][a-z]+)?)\s*(?:paise|paisa|cents?|c)(?![a-z0-9])")
_LAST_HUNDREDTHS = re.compile(r"\s+(?:and\s+)?([1-9][0-9])(?=\s*[.!?]*\s*$)")
"""`17 USD 25` at the end of what is said: two digits behind the unit are its hundredths"""
_COINS = {
    "paise": (Decimal("0.01"), "INR"),
    "paisa": (Decimal("0.01"), "INR"),
    "cent": (Decimal("0.01"), "USD"),
    "penny": (Decimal("0.01"), "USD"),
    "pennie": (Decimal("0.01"), "USD"),
    "nickel": (Decimal("0.05"), "USD"),
    "dime": (Decimal("0.10"), "USD"),
}
"""what a coin named by itself is worth: `50 paise` is half a rupee"""
_COIN = re.compile(rf"\s*({'|'.join(_COINS)})s?(?![a-z0-9])")
_ONE = re.compile(r"(?:an?|one)(?=\s+[a-z])")
_LATE_SCALE = re.compile(r"\s+(million|billion|thousand|lakh|crore)s?\b")
_SIDE = re.compile(r"\s*(dr|cr)\b\.?")
_SIGN = re.compile(r"([-+])\s?")
_ONLY = re.compile(r"\s*(?:only\b)?\s*\.?\s*")


@dataclass(frozen=True)
class AmountFound:
    """An amount in a sentence and where it stands."""

    value: Decimal
    start: int
    end: int
    text: str
    currency: str | None
    """None: no mark; `INR`: marked as rupees; else an ISO code, or the symbol when it names no one currency"""


class _Reading(NamedTuple):
    value: Decimal
    end: int
    currency: str | None
    spelled: bool
    scale: str | None
    digits: str


def parse_amount(text: str) -> Decimal | None:
    """The amount in rupees that the whole text is; None when it is anything else, or another currency's.

    A `-`, brackets or a `Dr` after the number make it negative.
    """
    words = fold(text).strip()
    inner = re.fullmatch(r"((?:[₹₨]|rs\.?|inr)?)\s*\(([^()]+)\)", words)
    if inner:
        words = inner[1] + inner[2].strip()
    sign = None if inner else _SIGN.match(words)
    reading = _amount_at(words, sign.end() if sign else 0)
    if reading is None or reading.currency not in (None, "INR"):
        return None
    value, end, signed = reading.value, reading.end, bool(inner or sign)
    side = _SIDE.match(words, end)
    if side:
        if signed or value < 0:
            return None
        end = side.end()
        value = -value if side[1] == "dr" else value
    rest = _ONLY.match(words, end)
    if (rest.end() if rest else end) != len(words):
        return None
    if (inner or (sign and sign[1] == "-")) and value < 0:
        return None
    return -value if inner or (sign and sign[1] == "-") else value


def _amount_at(text: str, start: int) -> _Reading | None:
    """Currency mark, number, scale, currency mark, from `start` on; None when that is no amount."""
    before = _BEFORE.match(text, start)
    at = before.end() if before else start
    minus = before is not None and text[at : at + 1] == "-"
    quantity = quantity_at(text, at + 1 if minus else at)
    unit = None if quantity else _one_unit(text, at)
    if unit:
        return unit
    if quantity is None:
        return None
    value, end, scale = quantity.value, quantity.end, quantity.scale
    if scale == "cr":
        crore = _crore_or_credit(quantity.digits)
        if crore is None:
            return None
        value = value if crore else value / 10**7
        scale = scale if crore else None
    if scale is None and value == int(value) and (coin := _COIN.match(text, end)):
        worth, unit_of = _COINS[coin[1]]
        if before is None or _currency(before) == unit_of:
            return _Reading(value * worth, coin.end(), unit_of, quantity.spelled, None, quantity.digits)
    after = _AFTER.match(text, end)
    if after and before and after["foreign"] and before["rupees"]:
        after = None
    currency = _currency(before) or _currency(after)
    if after:
        end = after.end()
        later = _scale_after(text, end) if scale is None and after["foreign"] else None
        if later:
            value, end, scale = value * SCALES[later[1]], later.end(), later[1]
        value, end = _with_subunit(text, value, end)
    if text[end : end + 1].isalnum() or text[end : end + 1] == "_":
        return None
    if value >= TOO_LARGE or value != round(value, 2):
        return None
    value = value.to_integral_value() if scale and value == int(value) else value
    return _Reading(-value if minus else value, end, currency, quantity.spelled, scale, quantity.digits)


def _currency(mark: re.Match[str] | None) -> str | None:
    if mark is None:
        return None
    if mark["rupees"]:
        return "INR"
    name = " ".join(mark["foreign"].split())
    return _SYMBOLS.get(name) or _NAMES.get(name.removesuffix("s")) or name.removeprefix("us ").upper()


def _one_unit(text: str, start: int) -> _Reading | None:
    """`a rupee`, `a dollar`."""
    found = _ONE.match(text, start)
    if found and found.start() == 0 and text[found.end() :].strip(" .!?") == "quarter":
        # alone it is the coin; within a sentence it is a quarter of something
        return _Reading(Decimal("0.25"), len(text), "USD", spelled=True, scale=None, digits="")
    unit = _AFTER.match(text, found.end()) if found else None
    if unit is None:
        return None
    return _Reading(Decimal(1), unit.end(), _currency(unit), spelled=True, scale=None, digits="")


def _scale_after(text: str, end: int) -> re.Match[str] | None:
    """The scale that follows the currency in `75 USD million`."""
    return _LATE_SCALE.match(text, end)


def _crore_or_credit(digits: str) -> bool | None:
    """Whether `cr` after these digits is crore (True) or a statement's credit (False); None: it could be either."""
    whole, _, fraction = digits.replace(",", "").partition(".")
    large = len(whole) > 3
    if len(fraction) == 2 and large:
        return False
    if large or fraction == "00":
        return None
    return True


def _with_subunit(text: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """`five rupees fifty paise`, `20 dollars 43 cents`."""
    found = _SUBUNIT.match(text, end) or _LAST_HUNDREDTHS.match(text, end)
    quantity = quantity_at(text, found.start(1)) if found else None
    if found is None or quantity is None or quantity.value >= 100 or value != int(value):
        return value, end
    return value + quantity.value / 100, found.end()


_UNITS = (
    "kg|kgs|kilos?|g|gm|gms|grams?|km|kms|ml|ltrs?|litres?|liters?|pcs?|pieces?|packets?|pkts?|people|persons?|days?|weeks?"
    "|months?|years?|yrs?|hours?|hrs?|mins?|minutes?|times|x|units?|nos|dozens?|boxes|bottles?|plates?|cups?|am|pm"
    "|transactions?|rows?|entries|items?|records?|shares?|nights?|of us|o'clock|most|latest|recent"
)
_NUMBER_RUN = r"[0-9][0-9.,/:_a-z-]*"
_SKIPPED = (
    DATE_SHAPE,
    r"[a-z]{2,10}://\S{0,500}|[a-z0-9_.+-]{1,64}@[a-z0-9-]{1,64}\.\S{1,64}",
    r"(?<![0-9])[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?\s*[ap]\.?m\b|(?<![0-9])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])",
    r"\+[0-9]{1,3}[\s-]?[0-9]{4,5}[\s-]?[0-9]{5,6}(?![0-9])",
    r"(?<![0-9a-z])(?:0|91[\s-]?)?[6-9][0-9]{4}[\s-]?[0-9]{5}(?![0-9.,])",
    r"(?<![0-9a-z.,])1800[\s-]?[0-9]{3}[\s-]?[0-9]{3,4}(?![0-9])",
    r"items\s*[0-9]+(?:\s*(?:,|and|&|to|-)\s*[0-9]{1,2})*(?![0-9.,]*[0-9])",
    r"(?<=[a-z]\s)no\s+[0-9]+(?![0-9.,]*[0-9])",
    r"(?:items?|rows?|numbers?|nos?\.|pages?|lines?|steps?|#|ref|a/c|acct|account no|ending(?: in| with)?|otp|pin|pnr"
    r"|section|version)"
    r"(?:\s*(?:no\.?|number))?\s*#?\s*:?\s*[0-9]+(?:\s*(?:,|and|&|to|-)\s*[0-9]+(?=\s*(?:,|and|&|$)))*(?![0-9.,]*[0-9])",
    r"(?:top|last|latest|newest|recent|first|next|past|previous|largest|biggest|highest|smallest|lowest)\s+[0-9]{1,3}(?![0-9.,]*[0-9])"
    r"(?!\s*(?:rs|rupees|/-|k\b|lakh))",
    r"(?:in|during|since|year|vs|versus|until|till)\s+(?:19|20)[0-9]{2}"
    r"(?![0-9.,]*[0-9]|\s*(?:rs|rupees|/-|k\b|lakh|-\s?[0-9]{3}))(?:\s?-\s?[0-9]{2})?",
    r"(?:from|between)\s+20[0-9]{2}\s*(?:to|and|-|~)\s*20[0-9]{2}(?![0-9])",
    r"(?:fy|f\.y\.|ay)\s?'?(?:20)?[0-9]{2}(?:\s?[-/]\s?(?:20)?[0-9]{2})?(?![0-9])",
    r"20[0-9]{2}\s?-\s?[0-9]{2}(?![0-9-])",
    r"(?:q[1-4]|h[12]|half|week\s+(?:no\.?\s+|number\s+)?[0-9]{1,2})\s+(?:of\s+|in\s+)?20[0-9]{2}(?![0-9])",
    r"20[0-9]{2}-?w[0-9]{2}(?![0-9])",
)
_SKIP = r"(?<![a-z0-9_])(?:" + "|".join(f"(?:{skipped})" for skipped in _SKIPPED) + r")(?![a-z0-9_])"
_WORD_START = "|".join(sorted(FIRST_WORDS, key=len, reverse=True))
_SCAN = re.compile(
    rf"(?P<marked>(?:{_RUPEES_BEFORE}|{_FOREIGN_BEFORE})(?=\s*[-+]?(?:[0-9.]|(?:{_WORD_START})\b)))"
    rf"|(?P<skip>{_SKIP})"
    rf"|(?P<number>(?<![a-z0-9_])(?:[0-9]|\.[0-9]|(?:{_WORD_START})\b))"
)
_SPACES = re.compile(r"\s*")
_RUN = re.compile(r"[0-9a-z_](?:[0-9a-z_]|[.,/:-](?=[0-9]))*")
_RATE = re.compile(r"\s*(?:%|per\s?cent\b|percent|pct\b|bps\b)")
_UNIT_AFTER = re.compile(rf"\s*(?:{_UNITS})(?![a-z])|\s*[x×*]\s*(?=[0-9])")
_PLURAL_AFTER = re.compile(r"\s+(?:[a-z]+\s)??[a-z]*[a-z](?<![suia])s(?![a-z'])")
_THING_AFTER = re.compile(
    r"\s+(?!(?:for|on|to|from|via|by|in|at|with|using|through|of|and|or|cash|money|upi|bank|wallet|card|gpay|phonepe|paytm|each)\b)"
    r"[a-z]{2,}"
)
_RANGE_AFTER = re.compile(r"[/:-][0-9]")
_LIQUID = re.compile(r"\s*(?:of\s+)?(?:milk|petrol|diesel|oil|water|coke|juice|curd|buttermilk|paint)\b")
_LIQUID_BEFORE = re.compile(r"(?:milk|petrol|diesel|oil|water|coke|juice|curd|buttermilk|paint)\s*-?\s*$")
_VAGUELY = re.compile(rf"(?<![a-z])(?:{'|'.join(VAGUE)})\s+(?:a\s+)?$")
_RANGE_JOINED = re.compile(r"\s*(and|to|or|-|till|upto|up to)\s*")
_BETWEEN_BEFORE = re.compile(r"\b(?:between|from)\s+(?:₹|rs\.?|inr)?\s*$")
_SCALE_NEXT = re.compile(rf"\s*(?:{'|'.join(SCALES)})(?![a-z])")
_SCALE_AT_END = re.compile(rf"(?<![a-z])({'|'.join((*SCALES, *LETTER_SCALES))})\s*$")
_CLAUSE_END = re.compile(r"[,;\n+]|\band\b|&")


class _Candidate(NamedTuple):
    found: AmountFound
    countable: bool
    """a small whole number with things after it: `3 coffees`, `2 dosa`"""
    plural: bool = False


def find_amounts(text: str) -> tuple[AmountFound, ...]:
    """The amounts in a sentence, in order.

    Dates, years, times, phone and item numbers, percentages and counts (`3 coffees 40 each`) are none.
    """
    words = fold(text)
    candidates: list[_Candidate] = []
    position = 0
    while mark := _SCAN.search(words, position):
        if mark["skip"] is not None:
            position = mark.end()
            continue
        reading = _amount_at(words, mark.start())
        if reading is None:
            position = max(
                mark.end(), _end_of_unread(words, mark.end() if mark["marked"] is not None else mark.start())
            )
            continue
        position = reading.end
        candidate = _candidate(text, words, mark, reading)
        if candidate:
            candidates.append(candidate)
        elif _RANGE_AFTER.match(words, position):
            run = _RUN.match(words, mark.start())
            position = max(run.end() if run else 0, position)
            scale = _SCALE_NEXT.match(words, position)  # of `2-3 lakh` no lakh is left over to be one
            position = scale.end() if scale else position
    kept = [
        candidate.found
        for index, candidate in enumerate(candidates)
        if not (candidate.countable and _is_count(words, candidates, index))
    ]
    return _sharing_scales(words, kept)


def _sharing_scales(words: str, found: list[AmountFound]) -> tuple[AmountFound, ...]:
    """`between 2 and 3 lakh` is from two lakh: the scale said once, at the end of a range, is that of both its ends."""
    for index, (low, high) in enumerate(pairwise(found)):
        between = words[low.end : high.start]
        joined = _RANGE_JOINED.fullmatch(between)
        if joined is None or (joined[1] == "and" and not _BETWEEN_BEFORE.search(words, 0, low.start)):
            continue
        scale = _SCALE_AT_END.search(words, high.start, high.end)
        if scale is None or _SCALE_AT_END.search(words, low.start, low.end):
            continue
        size = SCALES.get(scale[1]) or LETTER_SCALES[scale[1]]
        if low.value * size <= high.value:
            found[index] = replace(low, value=low.value * size, currency=low.currency or high.currency)
    return tuple(found)


def _end_of_unread(words: str, start: int) -> int:
    """Where a number that is no amount ends, its scale with it, so that no part of it is taken for one."""
    gap = _SPACES.match(words, start)
    at = gap.end() if gap else start
    run, quantity = _RUN.match(words, at), quantity_at(words, at)
    return max(run.end() if run else 0, quantity.end if quantity else 0)


def _candidate(text: str, words: str, mark: re.Match[str], reading: _Reading) -> _Candidate | None:
    start, end, value, currency = mark.start(), reading.end, reading.value, reading.currency
    if _RATE.match(words, end):
        return None
    if (
        words[start - 1 : start] == "-"
        and text[start - 1] in "-\N{MINUS SIGN}"
        and (start < 2 or words[start - 2] in " \t\n(")
    ):
        start, value = start - 1, -value
    side = _SIDE.match(words, end) if "." in reading.digits and not reading.scale else None
    if side:
        end, value = side.end(), (-value if side[1] == "dr" else value)
    found = AmountFound(value, start, end, text[start:end], currency)
    if currency:
        return _Candidate(found, countable=False)
    if _is_no_amount(words, start, reading):
        return None
    whole = reading.scale is None and value == int(value) and "." not in reading.digits
    plural = whole and value <= 50 and _PLURAL_AFTER.match(words, end) is not None
    things = whole and value < 10 and _THING_AFTER.match(words, end) is not None
    return _Candidate(found, countable=plural or things, plural=plural)


def _is_no_amount(words: str, start: int, reading: _Reading) -> bool:
    """Whether an unmarked number is of another kind: a quantity, an account, part of a range, a vague `few hundred`."""
    digits, end = reading.digits, reading.end
    if reading.spelled:
        if _VAGUELY.search(words, max(start - 20, 0), start):
            return True
        if reading.scale is None and reading.value < 10:
            return True
    if digits and reading.scale is None:
        if len(digits) > 9 and digits.isdigit():
            return True
        if _RANGE_AFTER.match(words, end) or re.search(r"[0-9][/:-]$", words[max(start - 2, 0) : start]):
            return True
    if reading.scale == "l" and (_LIQUID.match(words, end) or _LIQUID_BEFORE.search(words, max(start - 14, 0), start)):
        return True
    return reading.scale is None and _UNIT_AFTER.match(words, end) is not None


def _is_count(words: str, candidates: list[_Candidate], index: int) -> bool:
    """A small number of things is a count when tiny, or when the amount itself follows in the same clause."""
    found = candidates[index].found
    if found.value < 10 and candidates[index].plural:
        return True
    clause_end = _CLAUSE_END.search(words, found.end)
    limit = clause_end.start() if clause_end else len(words)
    return any(found.end <= other.found.start < limit for other in candidates[index + 1 :])
