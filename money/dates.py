"""Dates and periods in a message, and how they are written back.

    "yesterday" · "12/11" · "last friday"                                →   a day
    "in november" · "last week" · "from 5 to 12 nov" · "Q2 FY26"         →   a period, both days included, and its words

A date that could be read two ways is read day first; a month or date without a year is the latest not in the future.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from money.days import (
    LOOSE_YEAR,
    MONTH,
    MONTH_NAMES,
    ORDINAL_DAY,
    START,
    YEAR,
    day_text,
    days_in,
    full_year,
    in_year,
    month_number,
    month_span,
    months_before,
    previous_month,
    short_day,
    valid_day,
    whole_day,
)
from money.folding import fold
from money.numbers import SMALL

__all__ = [
    "DateFound",
    "PeriodFound",
    "day_text",
    "days_text",
    "find_dates",
    "find_periods",
    "month_span",
    "parse_date",
    "previous_month",
]


@dataclass(frozen=True)
class DateFound:
    """A day in a sentence and where it stands."""

    day: date
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class PeriodFound:
    """Days from `first` to `last`, both included, where they stand, and words that name them in a sentence."""

    first: date
    last: date
    start: int
    end: int
    text: str
    words: str
    """`in November`, `this month`, `from 22 to 28 Nov`"""


def parse_date(text: str, today: date) -> date | None:
    """The day that the whole text is, else None. Without a year: the latest not after today; `tomorrow` is itself."""
    return whole_day(text, today)


def find_dates(text: str, today: date) -> tuple[DateFound, ...]:
    """The days in a sentence, in order; months, weeks and years are periods and not among them."""
    return tuple(DateFound(at.day, at.start, at.end, text[at.start : at.end]) for at in days_in(fold(text), today))


def days_text(first: date, last: date, today: date) -> str:
    """`22 to 28 Nov`, `22 Oct to 3 Nov`; `November` for a whole month, `2026` for a year; the year when not today's."""
    if first == date.min:
        return f"up to {day_text(last, today)}"
    year = "" if first.year == last.year == today.year else f" {last.year}"
    first_year = f" {first.year}" if first.year != last.year else ""
    if first == last:
        return day_text(first, today)
    if first == date(first.year, 1, 1) and last == date(last.year, 12, 31):
        return str(first.year) if first.year == last.year else f"{first.year} to {last.year}"
    if first.day == 1 and last == month_span(last)[1]:
        until = f"{MONTH_NAMES[last.month - 1]}{year}"
        same = (first.year, first.month) == (last.year, last.month)
        return until if same else f"{MONTH_NAMES[first.month - 1]}{first_year} to {until}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {short_day(last)}{year}"
    return f"{short_day(first)}{first_year} to {short_day(last)}{year}"


def find_periods(text: str, today: date) -> tuple[PeriodFound, ...]:
    """The periods in a sentence, in order: months, weeks, years, quarters, ranges, and single days."""
    words = fold(text)
    points = _joined(words, _points(words, today), today)
    return tuple(
        PeriodFound(point.first, point.last, point.start, point.end, text[point.start : point.end].strip(), point.words)
        for point in points
        if point.first <= point.last
    )


class _Span(NamedTuple):
    first: date
    last: date
    words: str
    dated: bool = True
    """its year was said, or is not in doubt"""


class _Point(NamedTuple):
    first: date
    last: date
    words: str
    dated: bool
    start: int
    end: int


class _Shape(NamedTuple):
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], date], _Span | None]


def _points(words: str, today: date) -> list[_Point]:
    """Every day and span by itself, the longest reading at each place."""
    found = [
        _Point(at.day, at.day, _day_words(at.day, today), at.dated, at.start, at.end) for at in days_in(words, today)
    ]
    for shape in _SHAPES:
        for match in shape.pattern.finditer(words):
            span = _safely(shape, match, today)
            if span:
                found.append(_Point(span.first, span.last, span.words, span.dated, match.start(), match.end()))
    found.sort(key=lambda point: (point.start, -point.end))
    kept: list[_Point] = []
    for point in found:
        if not kept or point.start >= kept[-1].end:
            kept.append(point)
    return kept


def _safely(shape: _Shape, match: re.Match[str], today: date) -> _Span | None:
    try:
        return shape.read(match, today)
    except (ValueError, OverflowError):
        # before year 1 or after 9999
        return None


_BETWEEN = re.compile(r"\s*(?:to|till|until|upto|through|thru|-|~)\s*(?:the\s+)?")
_AND = re.compile(r"\s*and\s+")
_FROM = re.compile(
    r"\b(?:(from|between)|(since|after)|(before|until|till|upto|up to))\s+(?:the\s+)?(?:month\s+of\s+)?$"
)
_IN = re.compile(r"\b(?:in|on|during|for|of|within|over)\s+(?:the\s+)?(?:month\s+of\s+)?$")
_TO_NOW = re.compile(r"\s*(?:to|till|until|and|-)\s+(?:now|date)\b|\s+onwards?\b")


def _joined(words: str, points: list[_Point], today: date) -> list[_Point]:
    """Ranges put together from their ends, and the preposition before a period taken into it."""
    joined: list[_Point] = []
    index = 0
    while index < len(points):
        point = points[index]
        index += 1
        before = _FROM.search(words, max(point.start - 26, 0), point.start)
        if index < len(points) and _is_range(words, point, points[index], before):
            point = _range(point, points[index], today)
            index += 1
        elif now := _TO_NOW.match(words, point.end):
            point = _named(point.first, today, point, today)._replace(end=now.end())
        elif before and (not before[1] or (before[1] == "from" and point.first == point.last)):
            point = _open(before, point, today)
        opening = before or _IN.search(words, max(point.start - 24, 0), point.start)
        joined.append(point._replace(start=opening.start()) if opening else point)
    return joined


def _is_range(words: str, one: _Point, other: _Point, before: re.Match[str] | None) -> bool:
    between = words[one.end : other.start]
    if before and before[1] == "between" and _AND.fullmatch(between):
        return True
    opens = before is None or before[1] is not None or (before[2] == "since" and between.strip() != "-")
    return _BETWEEN.fullmatch(between) is not None and opens


def _range(one: _Point, other: _Point, today: date) -> _Point:
    first, last = one.first, other.last
    if other.dated and not one.dated:
        moved = _years_on(first, other.first.year, month_end=False)
        first = moved if moved <= last else _years_on(moved, moved.year - 1, month_end=False)
    elif one.dated and not other.dated:
        whole_month = other.first != other.last
        last = _years_on(last, first.year, month_end=whole_month)
        last = last if first <= last else _years_on(last, last.year + 1, month_end=whole_month)
    elif first > last and not one.dated:
        # asked in September, "from august to october" is this year's; "from november to february" has to wrap
        whole_month = other.first != other.last
        ahead = _years_on(last, first.year, month_end=whole_month)
        first, last = (first, ahead) if first <= ahead else (_years_on(first, first.year - 1, month_end=False), last)
    elif last < first <= last + timedelta(days=7):
        # "from monday to friday", asked on a Monday
        first -= timedelta(days=7)
    return _named(first, last, one, today)._replace(end=other.end)


def _years_on(day: date, year: int, *, month_end: bool) -> date:
    moved = in_year(day, year) or date(year, day.month, 28)
    return month_span(moved)[1] if month_end else moved


def _named(first: date, last: date, point: _Point, today: date) -> _Point:
    days = days_text(first, last, today)
    before = "from" if " to " in days else "on" if first == last else "in"
    return point._replace(first=first, last=last, words=f"{before} {days}", dated=True)


def _open(before: re.Match[str], point: _Point, today: date) -> _Point:
    word = before[0].split()[0]
    if not before[3]:
        first = point.last + timedelta(days=1) if word == "after" else point.first
        return point._replace(first=first, last=max(today, first), words=f"since {day_text(first, today)}")
    last = point.first - timedelta(days=1) if word == "before" else point.last
    return point._replace(first=date.min, last=last, words=f"up to {day_text(last, today)}")


_COUNTS = {word: int(SMALL[word]) for word in list(SMALL)[1:13]} | {"couple of": 2, "few": 3}
_COUNT = rf"(?P<n>[0-9]{{1,3}}|{'|'.join(_COUNTS)})"
_PAST = r"(?:last|past|previous|prev|over(?:\s+the)?(?:\s+(?:last|past|previous))?)"
_NOT_AN_AMOUNT = (
    r"(?<!above )(?<!below )(?<!over )(?<!under )(?<!than )(?<!least )(?<!most )(?<!exactly )(?<!spent )(?<!paid )"
)
_END = r"(?![a-z0-9_])"
_FISCAL = r"(?:fy|f\.y\.|financial\s+year|fiscal\s+year|fiscal)"


def _day_words(day: date, today: date) -> str:
    if day == today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    return f"on {day_text(day, today)}"


def _month(year: int, month: int, today: date, *, dated: bool) -> _Span:
    first, last = month_span(date(year, month, 1))
    return _Span(first, last, f"in {days_text(first, last, today)}", dated)


def _named_month(match: re.Match[str], today: date) -> _Span:
    month = month_number(match["m"])
    which = match["which"] or match["then"] or ""
    if year := match["y"]:
        return _month(full_year(year.strip(" '-"), today), month, today, dated=True)
    if match["then"] and which.split()[0] != "this":
        return _month(today.year - 1, month, today, dated=True)
    if which.startswith("this"):
        return _month(today.year, month, today, dated=True)
    past = month < today.month if which else month <= today.month
    return _month(today.year if past else today.year - 1, month, today, dated=bool(which))


def _this(match: re.Match[str], today: date) -> _Span | None:
    which, unit = match["which"], match["unit"]
    steps = {"this": 0, "current": 0, "next": 1}.get(which, -1)
    match unit:
        case "week":
            return _week(which, today)
        case "weekend":
            return _weekend(steps, today)
        case "month":
            first, last = month_span(months_before(today.replace(day=1), -steps))
            words = "this month" if steps == 0 else f"in {days_text(first, last, today)}"
            return _Span(first, last, words)
        case "quarter":
            start = date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
            return _months(months_before(start, -3 * steps), 3, "this quarter" if steps == 0 else "in", today)
        case "year":
            year = today.year + steps
            return _Span(date(year, 1, 1), date(year, 12, 31), "this year" if steps == 0 else f"in {year}")
        case _:
            return _financial_year(_financial_year_of(today) + steps)


def _this_in_hindi(match: re.Match[str], today: date) -> _Span:
    """`is mahine`, `pichle hafte`, `इस साल`."""
    last = match["which"] not in _THIS_IN_HINDI
    match _UNITS_IN_HINDI[match["unit"]]:
        case "week":
            return _week("last" if last else "this", today)
        case "month":
            first, end = month_span(months_before(today.replace(day=1), int(last)))
            return _Span(first, end, f"in {days_text(first, end, today)}" if last else "this month")
        case _:
            year = today.year - int(last)
            return _Span(date(year, 1, 1), date(year, 12, 31), f"in {year}" if last else "this year")


def _week(which: str, today: date) -> _Span:
    monday = today - timedelta(days=today.weekday())
    if which in ("last", "past"):
        # the previous seven days, today among them, and the words say which
        first = today - timedelta(days=6)
        return _Span(first, today, f"last week ({days_text(first, today, today)})")
    if which not in ("this", "current", "next"):
        monday -= timedelta(days=7)
    elif which == "next":
        monday += timedelta(days=7)
    name = "this week" if which in ("this", "current") else "next week" if which == "next" else "the week before"
    last = monday + timedelta(days=6)
    return _Span(monday, last, f"{name} ({days_text(monday, last, today)})")


def _weekend(steps: int, today: date) -> _Span:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    if steps >= 0 and today.weekday() < 5:
        saturday += timedelta(days=7)
    elif steps < 0 and today.weekday() >= 5:
        saturday -= timedelta(days=7)
    sunday = saturday + timedelta(days=1)
    return _Span(saturday, sunday, f"at the weekend ({days_text(saturday, sunday, today)})")


def _months(first: date, count: int, words: str, today: date) -> _Span:
    last = months_before(first, -count) - timedelta(days=1)
    return _Span(first, last, f"in {days_text(first, last, today)}" if words == "in" else words)


def _last_several(match: re.Match[str], today: date) -> _Span | None:
    """`last 7 days` and weeks end today, as `last week` does; months, quarters and years are whole ones before this."""
    text = match["n"]
    count = int(text) if text.isdigit() else _COUNTS[text]
    unit = match["unit"]
    if count == 0:
        return None
    if unit in ("day", "week"):
        first = today - timedelta(days=count * (1 if unit == "day" else 7) - 1)
        last = today
    elif unit == "month":
        first, last = months_before(today.replace(day=1), count), previous_month(today)[1]
    elif unit == "quarter":
        start = date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
        first, last = months_before(start, 3 * count), start - timedelta(days=1)
    else:
        first, last = date(today.year - count, 1, 1), date(today.year - 1, 12, 31)
    plural = unit if count == 1 else f"{unit}s"
    return _Span(first, last, f"in the last {count} {plural} ({days_text(first, last, today)})")


def _one_year(match: re.Match[str], _: date) -> _Span:
    year = int(match["y"])
    return _Span(date(year, 1, 1), date(year, 12, 31), f"in {year}")


def _bare_year(match: re.Match[str], today: date) -> _Span | None:
    year = int(match["y"])
    return _one_year(match, today) if today.year - 15 <= year <= today.year + 5 and year % 100 else None


def _to_date(match: re.Match[str], today: date) -> _Span:
    if "y" in match[0]:
        return _Span(date(today.year, 1, 1), today, "this year so far")
    return _Span(today.replace(day=1), today, "this month so far")


def _financial_year_of(day: date) -> int:
    """The calendar year the day's April-to-March year begins in."""
    return day.year if day.month >= 4 else day.year - 1


def _financial_year(start: int) -> _Span:
    return _Span(date(start, 4, 1), date(start + 1, 3, 31), f"in FY {start}-{(start + 1) % 100:02}")


def _financial_start(match: re.Match[str], today: date) -> int | None:
    """`2025-26` begins in 2025; a single year, `FY26`, names the one it ends in."""
    one, other = match["a"], match["b"]
    first = full_year(one, today)
    if other is None:
        return first - 1
    return first if full_year(other, today) % 100 == (first + 1) % 100 else None


def _said_financial_year(match: re.Match[str], today: date) -> _Span | None:
    start = _financial_start(match, today)
    return _financial_year(start) if start else None


def _part_of_financial_year(match: re.Match[str], today: date) -> _Span | None:
    part, number = match["part"][0], int(match["part"][1])
    length = 3 if part == "q" else 6
    if match["a"]:
        start = _financial_start(match, today)
    elif "last" in (match["which"] or "") or "prev" in (match["which"] or ""):
        start = _financial_year_of(today) - 1
    else:
        start = _financial_year_of(today)
        if not match["which"] and months_before(date(start, 4, 1), -length * (number - 1)) > today:
            start -= 1
    if start is None:
        return None
    first = months_before(date(start, 4, 1), -length * (number - 1))
    span = _months(first, length, "in", today)
    name = f"{part.upper()}{number} FY {start}-{(start + 1) % 100:02}"
    return span._replace(words=f"in {name} ({days_text(span.first, span.last, today)})")


def _calendar_quarter(match: re.Match[str], today: date) -> _Span:
    number = int(match["q"] or match["r"])
    year = int(match["y"] or match["z"])
    return _months(date(year, 3 * number - 2, 1), 3, "in", today)


def _week_of(match: re.Match[str], today: date) -> _Span | None:
    """`first week of november`: days 1 to 7, and so on; the last week is the month's last seven days."""
    if match["m"]:
        month = (
            _month(full_year(match["y"], today), month_number(match["m"]), today, dated=True) if match["y"] else None
        )
        first, last = month[:2] if month else _latest_month(month_number(match["m"]), today)
    else:
        first, last = previous_month(today) if match["which"] in ("last", "previous") else month_span(today)
    number = _WEEKS[match["nth"]]
    if number:
        start = first + timedelta(days=7 * (number - 1))
        end = start + timedelta(days=6)
    else:
        start, end = last - timedelta(days=6), last
    return _Span(start, end, f"from {days_text(start, end, today)}")


def _latest_month(month: int, today: date) -> tuple[date, date]:
    return month_span(date(today.year if month <= today.month else today.year - 1, month, 1))


def _days_of_month(match: re.Match[str], today: date) -> _Span | None:
    """`5 to 12 nov`, `nov 5 to 12`."""
    one, other = (int(re.sub(r"[^0-9]", "", match[name])) for name in ("c", "d"))
    month = month_number(match["m"])
    if match["y"]:
        year = full_year(match["y"], today)
    else:
        year = today.year if (month, one) <= (today.month, today.day) else today.year - 1
    first, last = valid_day(year, month, one), valid_day(year, month, other)
    if first is None or last is None or last < first:
        return None
    return _Span(first, last, f"from {days_text(first, last, today)}", dated=bool(match["y"]))


def _part_of_this(match: re.Match[str], today: date) -> _Span:
    """`later this month` is what is left of it, today among it; `earlier this month` what of it is past."""
    monday = today - timedelta(days=today.weekday())
    match match["unit"]:
        case "week":
            first, last = monday, monday + timedelta(days=6)
        case "month":
            first, last = month_span(today)
        case _:
            first, last = date(today.year, 1, 1), date(today.year, 12, 31)
    first, last = (today, last) if match["side"] in ("later", "remaining") else (first, today)
    return _Span(first, last, f"from {days_text(first, last, today)}")


def _business_days(match: re.Match[str], today: date) -> _Span | None:
    """`the last 4 business days`: Mondays to Fridays before today, and what lies between them."""
    text = match["n"]
    left = int(text) if text.isdigit() else _COUNTS[text]
    day = today
    while left > 0:
        day -= timedelta(days=1)
        left -= day.weekday() < 5
    last = today - timedelta(days=1)
    while last.weekday() >= 5:
        last -= timedelta(days=1)
    return _Span(day, last, f"from {days_text(day, last, today)}") if day <= last else None


def _decade(match: re.Match[str], _: date) -> _Span:
    """`the 1990s`, `the nineties`: ten years."""
    first = int(match["y"]) if match["y"] else 1900 + 10 * _DECADES.index(match["name"])
    return _Span(date(first, 1, 1), date(first + 9, 12, 31), f"from {first} to {first + 9}")


def _week_of_year(match: re.Match[str], today: date) -> _Span | None:
    """`the last week of 2016`: Monday to Sunday; the first one is the one with the year's first Thursday."""
    year, number = int(match["y"]), _WEEKS[match["nth"]]
    if number:
        monday = date.fromisocalendar(year, number, 1)
    else:
        end = date(year, 12, 31)
        monday = end - timedelta(days=end.weekday())
    return _Span(monday, monday + timedelta(days=6), f"from {days_text(monday, monday + timedelta(days=6), today)}")


def _half_year(match: re.Match[str], today: date) -> _Span:
    """`first half of 2025`, `h2 2025`: six months of the calendar year."""
    second = (match["nth"] or "").startswith(("second", "2nd", "last")) or match["h"] == "2"
    return _months(date(int(match["y"] or match["z"]), 7 if second else 1, 1), 6, "in", today)


def _numbered_week(match: re.Match[str], today: date) -> _Span:
    """`week 45 of 2026`, `2026-W45`: Monday to Sunday, as ISO 8601 counts them."""
    monday = date.fromisocalendar(int(match["y"] or match["z"]), int(match["n"] or match["o"]), 1)
    sunday = monday + timedelta(days=6)
    return _Span(monday, sunday, f"from {days_text(monday, sunday, today)}")


def _week_from(match: re.Match[str], today: date) -> _Span | None:
    """`the week starting on 4 February`: seven days from that one."""
    month, day = month_number(match["m"] or match["n"]), int(re.sub(r"[^0-9]", "", match["d"] or match["e"]))
    first = valid_day(today.year if (month, day) <= (today.month, today.day) else today.year - 1, month, day)
    if first is None:
        return None
    last = first + timedelta(days=6)
    return _Span(first, last, f"from {days_text(first, last, today)}", dated=False)


def _month_first(match: re.Match[str], today: date) -> _Span | None:
    """`10-31-74`: a month cannot be 31, so in a question the first number is the month."""
    day = valid_day(full_year(match["y"], today), int(match["m"]), int(match["d"]))
    return _Span(day, day, _day_words(day, today)) if day else None


def _now(_: re.Match[str], today: date) -> _Span:
    return _Span(today, today, "today", dated=False)


_DECADES = (
    "", "", "", "", "", "fifties", "sixties", "seventies", "eighties", "nineties",
)  # fmt: skip
_WEEKS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0, "final": 0,
}  # fmt: skip
_THIS_IN_HINDI = ("is", "iss", "इस")
_LAST_IN_HINDI = ("pichle", "pichhle", "pichla", "pichhla", "pichli", "gaye", "last", "पिछले", "पिछला", "पिछली")
_UNITS_IN_HINDI = {
    "mahine": "month", "mahina": "month", "maheene": "month", "महीने": "month", "महीना": "month", "माह": "month",
    "hafte": "week", "hafta": "week", "haftay": "week", "हफ्ते": "week", "हफ़्ते": "week", "saptah": "week",
    "saal": "year", "sal": "year", "साल": "year", "वर्ष": "year",
}  # fmt: skip
# the second half of `Nov-Feb` or `2014-2018` begins right after its hyphen
_START_IN_RANGE = rf"(?:{START}|(?<=(?<![a-z])[a-z]{{3}}-)|(?<=20[0-9]{{2}}-))"
_MAY_IS_A_VERB = r"(?!may\s+(?:i|we|you|be|have|not|he|she|they|it|the|this|also)\b)"


def _shape(pattern: str, read: Callable[[re.Match[str], date], _Span | None]) -> _Shape:
    return _Shape(re.compile(pattern), read)


_SHAPES: tuple[_Shape, ...] = (
    _shape(
        rf"{START}(?P<side>later|earlier|remaining)\s+(?:in\s+|part\s+of\s+)?(?:this|the)\s+(?P<unit>week|month|year){_END}",
        _part_of_this,
    ),
    _shape(rf"{START}(?:the\s+)?{_PAST}\s+{_COUNT}\s+(?:business|working|week)\s?days?{_END}", _business_days),
    _shape(
        rf"{START}(?:the\s+)?(?:(?P<y>(?:19|20)[0-9]0)'?s|(?P<name>{'|'.join(filter(None, _DECADES))})){_END}", _decade
    ),
    _shape(rf"{START}(?:the\s+)?(?P<nth>{'|'.join(_WEEKS)})\s+week\s+(?:of|in)\s+(?P<y>{YEAR}){_END}", _week_of_year),
    _shape(
        rf"{START}(?:the\s+)?(?:(?P<nth>first|1st|second|2nd|last)\s+half\s+(?:of\s+|in\s+)?(?:the\s+year\s+)?(?P<y>{YEAR})"
        rf"|h(?P<h>[12])\s+(?:of\s+)?(?P<z>{YEAR})){_END}(?!\s?-\s?[0-9]{{2}}(?![0-9]))",
        _half_year,
    ),
    _shape(
        rf"{START}(?:(?P<y>{YEAR})-?w(?P<n>[0-9]{{2}})|week\s+(?:no\.?\s+|number\s+)?(?P<o>[0-9]{{1,2}})\s+(?:of|in)\s+(?P<z>{YEAR})){_END}",
        _numbered_week,
    ),
    _shape(
        rf"{START}(?:the\s+)?week\s+(?:starting|beginning|commencing|from|of)\s+(?:on\s+)?(?:the\s+)?"
        rf"(?:(?P<m>{MONTH})\s+(?P<d>{ORDINAL_DAY})|(?P<e>{ORDINAL_DAY})\s+(?:of\s+)?(?P<n>{MONTH})){_END}",
        _week_from,
    ),
    _shape(
        rf"{START}(?P<m>0?[1-9]|1[0-2])(?P<s>[-/.])(?P<d>1[3-9]|2[0-9]|3[01])(?P=s)(?P<y>{YEAR}|[0-9]{{2}}){_END}(?![-/.][0-9])",
        _month_first,
    ),
    _shape(r"(?<=\bbetween )now(?=\s+and\b)|(?<=\bfrom )now(?=\s+(?:to|till|until)\b)", _now),
    _shape(
        rf"{_START_IN_RANGE}{_MAY_IS_A_VERB}(?:(?P<which>this|last|previous)\s+)?(?P<m>{MONTH})"
        rf"(?:(?:\s+|,\s*|-|\s+of\s+|\s+in\s+)(?P<y>{LOOSE_YEAR}|(?<=-)[0-9]{{2}}|'[0-9]{{2}})"
        r"|\s+(?:of\s+)?(?P<then>(?:this|last|previous)\s+year))?(?![a-z0-9_]|-[0-9])",
        _named_month,
    ),
    _shape(rf"{START}(?P<y>{LOOSE_YEAR})[\s-](?P<which>)(?P<then>)(?P<m>{MONTH}){_END}(?!-[0-9])", _named_month),
    _shape(
        rf"{START}(?P<which>this|current|last|past|previous|prev|next)\s+"
        rf"(?P<unit>weekend|week|month|quarter|year|{_FISCAL}){_END}",
        _this,
    ),
    _shape(
        rf"{START}(?P<which>{'|'.join((*_THIS_IN_HINDI, *_LAST_IN_HINDI))})\s+(?P<unit>{'|'.join(_UNITS_IN_HINDI)})"
        rf"{_END}(?!\w)",
        _this_in_hindi,
    ),
    _shape(rf"{START}{_PAST}\s+{_COUNT}\s+(?P<unit>day|week|month|quarter|year)s?{_END}", _last_several),
    _shape(rf"{START}(?:the\s+)?year\s+(?P<y>{YEAR}){_END}", _one_year),
    _shape(rf"(?<=\bin )(?P<y>{YEAR}){_END}(?!\s?-\s?[0-9])", _one_year),
    _shape(rf"{_START_IN_RANGE}{_NOT_AN_AMOUNT}(?P<y>{LOOSE_YEAR})(?!\s?-\s?[0-9]{{2}}(?![0-9])){_END}", _bare_year),
    _shape(rf"{START}(?:(?:the\s+)?(?:year|month)\s+to\s+date|ytd|mtd){_END}", _to_date),
    _shape(
        rf"{START}{_FISCAL}\s?'?(?P<a>(?:20)?[0-9]{{2}})(?:\s?[-/]\s?(?P<b>(?:20)?[0-9]{{2}}))?{_END}",
        _said_financial_year,
    ),
    _shape(rf"{START}(?P<a>20[0-9]{{2}})\s?[-/]\s?(?P<b>[0-9]{{2}})(?!-[0-9]){_END}", _said_financial_year),
    _shape(
        rf"{START}(?P<part>q[1-4]|h[12])(?:\s*(?:of\s+)?(?P<which>(?:this|last|previous|current)\s+)?{_FISCAL}"
        rf"(?:\s?'?(?P<a>(?:20)?[0-9]{{2}})(?:\s?[-/]\s?(?P<b>(?:20)?[0-9]{{2}}))?)?)?{_END}(?!\s+(?:of\s+)?{YEAR})",
        _part_of_financial_year,
    ),
    _shape(
        rf"{START}(?:q(?P<q>[1-4])\s+(?:of\s+)?(?P<y>{YEAR})|(?P<z>{YEAR})\s+q(?P<r>[1-4])){_END}",
        _calendar_quarter,
    ),
    _shape(
        rf"{START}(?:the\s+)?(?P<nth>{'|'.join(_WEEKS)})\s+week\s+(?:of|in)\s+"
        rf"(?:(?P<which>this|last|previous)\s+month|(?P<m>{MONTH})(?:\s+(?P<y>{LOOSE_YEAR}))?){_END}",
        _week_of,
    ),
    _shape(
        rf"{START}(?P<c>{ORDINAL_DAY})\s*(?:to|till|until|-|~|and)\s*(?P<d>{ORDINAL_DAY})(?:\s+of)?\s+(?P<m>{MONTH})"
        rf"(?:[\s,]{{1,2}}(?P<y>{LOOSE_YEAR}))?{_END}",
        _days_of_month,
    ),
    _shape(
        rf"{START}(?P<m>{MONTH})\s+(?P<c>{ORDINAL_DAY})\s*(?:to|till|until|-|~)\s*(?P<d>{ORDINAL_DAY})"
        rf"(?!\s*(?:of\s+)?{MONTH})(?:[\s,]{{1,2}}(?P<y>{LOOSE_YEAR}))?{_END}",
        _days_of_month,
    ),
)
