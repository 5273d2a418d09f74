"""Dates of a column: real ones, and texts by one rule for the whole column.

A text such as 05/11/2026 is read day first, unless another value of the column proves the month stands first.
"""

import re
from collections.abc import Iterable
from datetime import date
from typing import Literal

from ledger.cell_values import Unread, read_day
from ledger.sheetxml import Value

Order = Literal["day first", "month first", "either", "both", "plain"]
LONGEST_DAY = 80
"""letters; a longer text is no date"""

_NUMERIC = re.compile(r"(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{4}|\d{2})")
_TIME = re.compile(r"[\sT]+\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?Z?$", re.IGNORECASE)


def order_of(texts: Iterable[str]) -> Order:
    """Which part stands first in these texts; `either` when no value proves it, `both` when they contradict."""
    day = month = unclear = False
    for text in texts:
        match = _NUMERIC.fullmatch(_untimed(text))
        if match:
            first, second = int(match[1]), int(match[2])
            day |= first > 12 >= second
            month |= second > 12 >= first
            unclear |= max(first, second) <= 12 and first != second
    if day and month:
        return "both"
    if day or month:
        return "day first" if day else "month first"
    return "either" if unclear else "plain"


def swapped_by_excel(texts: Iterable[str], days: Iterable[date]) -> bool:
    """Whether Excel may have turned round what it took for dates.

    Opening 05/11/2026 and 25/11/2026 where months come first makes 11 May of the one and leaves the other a text.
    """
    left = [match for text in texts if (match := _NUMERIC.fullmatch(_untimed(text)))]
    made = tuple(days)
    return bool(left and made) and all(int(match[1]) > 12 for match in left) and all(day.day <= 12 for day in made)


def column_day(value: Value, *, day_first: bool, date1904: bool, year: int | None) -> date | Unread:
    """The day a cell of the column states."""
    if not isinstance(value, str):
        return read_day(value, date1904=date1904, month=None, year=year)
    text = _untimed(value)
    match = _NUMERIC.fullmatch(text)
    if match is None:
        return read_day(text, date1904=date1904, month=None, year=year)
    first, second, stated = int(match[1]), int(match[2]), int(match[3])
    day, month = (first, second) if day_first else (second, first)
    try:
        return date(stated if stated > 99 else 2000 + stated, month, day)
    except ValueError:
        order = "day" if day_first else "month"
        return Unread(f"The column is read {order} first, and there is no such day. Type it as 05-Nov-2026.")


def _untimed(text: str) -> str:
    plain = " ".join(text.split())
    return _TIME.sub("", plain) if len(plain) <= LONGEST_DAY else plain
