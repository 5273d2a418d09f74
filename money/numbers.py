"""Numbers in digits and words, the Indian way and the western: `1,23,456.50`, `1.5 lakh`, `two crore twenty thousand`.

A number is read whole or not at all: wrong groups (`1,2,3`) and vague ones (`a few hundred`) are nobody's number.
"""

import re
from decimal import Decimal
from typing import NamedTuple

SCALES = {
    "hundred": Decimal(100),
    "sau": Decimal(100),
    "thousand": Decimal(1000),
    "hazaar": Decimal(1000),
    "hazar": Decimal(1000),
    "lakh": Decimal(10**5),
    "lakhs": Decimal(10**5),
    "lac": Decimal(10**5),
    "lacs": Decimal(10**5),
    "crore": Decimal(10**7),
    "crores": Decimal(10**7),
    "million": Decimal(10**6),
    "millions": Decimal(10**6),
    "mn": Decimal(10**6),
    "billion": Decimal(10**9),
    "billions": Decimal(10**9),
    "bn": Decimal(10**9),
}
LETTER_SCALES = {"k": Decimal(1000), "l": Decimal(10**5), "cr": Decimal(10**7)}
SMALL = {
    word: Decimal(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS = {
    word: Decimal(value)
    for value, word in zip(
        range(20, 100, 10), ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], strict=True
    )
} | {"fourty": Decimal(40)}
# Hindi counting words are English words too ("do", "das", "char"): they count only right before a scale.
HINDI = {
    "ek": "1",
    "dedh": "1.5",
    "do": "2",
    "dhai": "2.5",
    "adhai": "2.5",
    "teen": "3",
    "char": "4",
    "chaar": "4",
    "panch": "5",
    "paanch": "5",
    "chhe": "6",
    "saat": "7",
    "aath": "8",
    "nau": "9",
    "das": "10",
    "bees": "20",
    "pachas": "50",
}
PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
VAGUE = ("few", "several", "some", "many", "couple of", "per")

FIRST_WORDS = frozenset({*SMALL, *TENS, *HINDI, *PARTS, "a", "an", "hundred", "thousand", "lakh", "crore"})
"""the words a number in words can begin with"""

_DIGITS = re.compile(r"(?:[0-9]+(?:,[0-9]+)*)?(?:\.[0-9]+)?")
_WELL_GROUPED = re.compile(r"0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3}|")
_WORD = re.compile(r"[a-z]+")
_NEXT_WORD = re.compile(r"[\s-]+([a-z]+)")
_GAP = re.compile(r"[\s-]+(and\s+)?")
_DIGIT_AFTER = re.compile(r"[.,][0-9]")
_POWER_OF_TEN = re.compile(r"e([-+]?[0-9]{1,2})(?=\s*(?:lakhs?|lacs?|crores?|cr|l|k|million|billion)(?![a-z0-9]))")
"""`1e-3 lakh`; without a scale it is no way to write money"""
_SCALE = re.compile(r"\s*([a-z]+)(?![a-z0-9])")
_AND_A_PART = re.compile(r"\s+and\s+(?:a\s+)?(half|quarter)(?![a-z])")
_POINT = re.compile(rf"\s+point((?:\s+(?:{'|'.join(list(SMALL)[:10])}))+)(?![a-z])")


class Quantity(NamedTuple):
    """A number and how it was written."""

    value: Decimal
    end: int
    spelled: bool
    """begins with a word rather than a digit"""
    scale: str | None
    """the first scale word: `k`, `lakh`"""
    digits: str
    """the digits before the first scale, as written; empty when spelled"""


class _Group(NamedTuple):
    value: Decimal
    end: int
    spelled: bool
    scale: str | None
    size: Decimal | None
    digits: str


def quantity_at(text: str, start: int) -> Quantity | None:
    """The longest number that begins at `start` of a folded text; None when none does, or it is badly formed."""
    first = _group_at(text, start)
    if first is None:
        return None
    value, end, size = first.value, first.end, first.size
    while size is not None and (joined := _joined(text, end, size, spelled=first.spelled)):
        value, end, size = value + joined.value, joined.end, joined.size
    return Quantity(value, end, first.spelled, first.scale, first.digits)


def well_grouped(whole: str) -> bool:
    """Whether digits with commas are grouped by thousands or the Indian way, or not at all."""
    return _WELL_GROUPED.fullmatch(whole) is not None


def _joined(text: str, end: int, size: Decimal, *, spelled: bool) -> _Group | None:
    """The next, smaller group of the same number: the `twenty thousand` of `2 crore twenty thousand`.

    Bare digits never join: in `2 lakh 500` the 500 may be another amount.
    """
    gap = _GAP.match(text, end)
    if gap is None:
        return None
    group = _group_at(text, gap.end())
    if group is None or group.value >= size or (group.size or Decimal(1)) >= size:
        return None
    if not group.spelled and (group.scale not in SCALES or gap[1]):
        return None
    if gap[1] and not (spelled or size == 100):
        return None
    return group


def _group_at(text: str, start: int) -> _Group | None:
    """A coefficient and its scale: `2 crore`, `1.5L`, `five hundred and twenty thousand`, `500`."""
    word = _WORD.match(text, start)
    if word is None:
        number = _digits_at(text, start)
        if number is None:
            return None
        value, end, digits = number
    elif word[0] in HINDI:
        scale = _NEXT_WORD.match(text, word.end())
        if scale is None or scale[1] not in SCALES:
            return None
        value, end, digits = Decimal(HINDI[word[0]]), word.end(), ""
    else:
        spelled = _spelled_at(text, word)
        if spelled is None:
            return None
        value, end = spelled
        digits = ""
    if part := _AND_A_PART.match(text, end):
        value, end = value + PARTS[part[1]], part.end()
    return _scaled(text, value, end, digits, spelled=word is not None)


def _scaled(text: str, value: Decimal, end: int, digits: str, *, spelled: bool) -> _Group:
    first: str | None = None
    size: Decimal | None = None
    # twice, for `2 lakh crore` and `five hundred crore`
    for _ in range(2):
        word = _SCALE.match(text, end)
        if word is None:
            break
        scale = SCALES.get(word[1]) or (None if spelled or first else LETTER_SCALES.get(word[1]))
        if scale is None or (size is not None and scale <= size):
            break
        value, end, size, first = value * scale, word.end(), scale, first or word[1]
        if word[1] in LETTER_SCALES:
            break
    return _Group(value, end, spelled, first, size, digits)


def _digits_at(text: str, start: int) -> tuple[Decimal, int, str] | None:
    found = _DIGITS.match(text, start)
    if found is None or not found[0]:
        return None
    whole, _, _ = found[0].partition(".")
    if not well_grouped(whole) or _DIGIT_AFTER.match(text, found.end()):
        return None
    value = Decimal(found[0].replace(",", ""))
    if power := _POWER_OF_TEN.match(text, found.end()):
        return value.scaleb(int(power[1])), power.end(), found[0]
    return value, found.end(), found[0]


def _spelled_at(text: str, word: re.Match[str]) -> tuple[Decimal, int] | None:
    """A number in words below a thousand, or the part that only a scale completes (`a lakh`, `half a crore`)."""
    first = word[0]
    if first in ("a", "an") or first in PARTS:
        return _part_of_a_scale(text, word)
    if first in SCALES:
        return (Decimal(1), word.start()) if first in FIRST_WORDS else None
    below = _below_hundred(text, word.start())
    if below is None:
        return None
    value, end = below
    if fraction := _POINT.match(text, end):
        digits = "".join(str(SMALL[digit]) for digit in fraction[1].split())
        return value + Decimal(f"0.{digits}"), fraction.end()
    hundred = _NEXT_WORD.match(text, end)
    if hundred is None:
        return value, end
    if value < 10 and hundred[1] in TENS:
        # "one fifty" is how 150 is said
        rest = _below_hundred(text, hundred.start(1))
        return (value * 100 + rest[0], rest[1]) if rest else (value, end)
    if hundred[1] != "hundred":
        return value, end
    tail = _GAP.match(text, hundred.end())
    rest = _below_hundred(text, tail.end()) if tail else None
    big = rest and _SCALE.match(text, rest[1])
    # only a coefficient of a bigger scale is put together here; "five hundred and twenty" joins by its groups
    if rest and big and SCALES.get(big[1], 0) > 100:
        return value * 100 + rest[0], rest[1]
    return value, end


def _part_of_a_scale(text: str, word: re.Match[str]) -> tuple[Decimal, int] | None:
    value, end = PARTS.get(word[0], Decimal(1)), word.end()
    following = _NEXT_WORD.match(text, end)
    if following and word[0] in ("a", "an") and following[1] in PARTS:
        value, end = PARTS[following[1]], following.end()
        following = _NEXT_WORD.match(text, end)
    if following and following[1] in ("a", "of") and value < 1:
        end = following.end()
        following = _NEXT_WORD.match(text, end)
    return (value, end) if following and following[1] in SCALES else None


def _below_hundred(text: str, start: int) -> tuple[Decimal, int] | None:
    word = _WORD.match(text, start)
    if word is None:
        return None
    if word[0] in SMALL:
        return SMALL[word[0]], word.end()
    if word[0] not in TENS:
        return None
    unit = _NEXT_WORD.match(text, word.end())
    if unit and 0 < SMALL.get(unit[1], Decimal(0)) < 10:
        return TENS[word[0]] + SMALL[unit[1]], unit.end()
    return TENS[word[0]], word.end()
