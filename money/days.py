"""Days as words and digits: how one is written in a message, and how one is printed.

    "12/11" · "12 nov" · "5th of november" · "2026-11-30" · "last friday" · "3 days ago"   →   a day
    a day   →   "28 Nov", "28 Nov 2025" when the year is another

Day first, always. Without a year a date is the latest one not after today.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from money.folding import fold
from money.numbers import SMALL, TENS

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
MONTH_NUMBERS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
YEAR = r"(?:19[0-9]{2}|20[0-9]{2})"
# After "5 nov " a round 2000 is far more often an amount than a year.
LOOSE_YEAR = r"(?:19[0-9]{2}|20[0-4][0-9])(?<!1900)(?<!1950)(?<!2000)(?![0-9]|[.,][0-9]|\s*(?:rs|rupees|/-))"
START = r"(?<![a-z0-9_/.,₹$€£-])(?<![₹$€£]\s)(?<!\brs\s)(?<!\brs\.)(?<!\brs\.\s)(?<!\binr\s)"
ORDINAL_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?"
_END = r"(?![a-z0-9_]|[/.-][0-9])"
# before a day and month that only a hyphen joins, which without it may be a range or a score
_SAID_ON = r"(?:(?<=\bon\s)|(?<=\bdated\s)|(?<=\bdate\s))"
_PER_UNIT = r"(?!\s*(?:kg|kilo|plates?|litres?|ltr|dozen|hours?|hrs?|packets?|day|cups?|glass|bottles?)\b)"
_DAY_WORDS = {word: int(value) for word, value in (SMALL | TENS).items() if 0 < value < 32}
_ORDINAL_WORDS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        start=1,
    )
}
_SPOKEN_DAY = rf"(?:{'|'.join((*_ORDINAL_WORDS, *_DAY_WORDS))})"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT_WEEKDAY = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_COUNTS = {"a": 1, "an": 1} | {word: int(SMALL[word]) for word in list(SMALL)[1:13]}
_COUNT = rf"(?:[0-9]{{1,3}}|{'|'.join(_COUNTS)})"


class Day(NamedTuple):
    """A day read, and whether its year was said."""

    day: date
    dated: bool = True


class DayAt(NamedTuple):
    """A day read and where it stood."""

    day: date
    dated: bool
    start: int
    end: int


class _Shape(NamedTuple):
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], date], Day | None]


def day_text(day: date, today: date) -> str:
    """`28 Nov`, or `28 Nov 2025` when the year is not today's."""
    return f"{short_day(day)} {day.year}" if day.year != today.year else short_day(day)


def short_day(day: date) -> str:
    """`28 Nov`."""
    return f"{day.day} {MONTH_NAMES[day.month - 1][:3]}"


def month_span(day: date) -> tuple[date, date]:
    """The first and last day of the day's month."""
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def previous_month(day: date) -> tuple[date, date]:
    """The first and last day of the month before the day's."""
    return month_span(months_before(day.replace(day=1), 1))


def months_before(day: date, months: int) -> date:
    """The same day so many months earlier (later when negative), the month's last day where it has no such day."""
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_number(name: str) -> int:
    """1 to 12 for a month's name or its short form."""
    return MONTH_NUMBERS[name[:3]]


def full_year(text: str, today: date) -> int:
    """A year of four digits, or of two: at most ten years ahead, else the century before."""
    year = int(text)
    if len(text) == 4:
        return year
    near = today.year - today.year % 100 + year
    return near - 100 if near > today.year + 10 else near


def in_year(day: date, year: int) -> date | None:
    """The same day of another year; None for 29 February where there is none."""
    return valid_day(year, day.month, day.day)


def valid_day(year: int, month: int, day: int) -> date | None:
    """The day, or None when the calendar has none such."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def latest(month: int, day: int, today: date) -> date | None:
    """The latest such day not after today."""
    for year in range(today.year, max(today.year - 9, 0), -1):
        found = valid_day(year, month, day)
        if found and found <= today:
            return found
    return None


def days_in(text: str, today: date) -> list[DayAt]:
    """The days in a folded text, the longest reading at each place, in order."""
    found = [
        DayAt(*day, match.start(), match.end())
        for shape in _SHAPES
        for match in shape.pattern.finditer(text)
        if (day := _safely(shape, match, today))
    ]
    found.sort(key=lambda at: (at.start, -at.end))
    kept: list[DayAt] = []
    for at in found:
        if not kept or at.start >= kept[-1].end:
            kept.append(at)
    return kept


def whole_day(text: str, today: date) -> date | None:
    """The day that the whole text is, else None."""
    words = re.sub(r"^(?:on|dated)\s+", "", fold(text).strip().rstrip("."))
    for shape in (*_SHAPES, *_WHOLE_SHAPES):
        match = shape.pattern.fullmatch(words)
        if match and (day := _safely(shape, match, today)):
            return day.day
    return None


def _safely(shape: _Shape, match: re.Match[str], today: date) -> Day | None:
    try:
        return shape.read(match, today)
    except (ValueError, OverflowError):
        # before year 1 or after 9999: no day of anybody's book
        return None


def _dated(year: int, month: int, day: int) -> Day | None:
    found = valid_day(year, month, day)
    return Day(found) if found else None


def _undated(month: int, day: int, today: date) -> Day | None:
    found = latest(month, day, today)
    return Day(found, dated=False) if found else None


def _iso(match: re.Match[str], _: date) -> Day | None:
    month = match["m"]
    return _dated(int(match["y"]), int(month) if month.isdigit() else month_number(month), int(match["d"]))


def _digits(match: re.Match[str], today: date) -> Day | None:
    day, month = int(match["d"]), int(match["m"])
    year = match["y"]
    return _dated(full_year(year, today), month, day) if year else _undated(month, day, today)


def _numbered(match: re.Match[str], today: date) -> Day | None:
    day, month = _day_number(match["d"]), month_number(match["m"])
    if year := match["y"]:
        return _dated(full_year(year, today), month, day)
    return _undated(month, day, today)


def _named(match: re.Match[str], today: date) -> Day | None:
    found = _numbered(match, today)
    said = match.groupdict().get("w")
    if said and found and _weekday(said) != found.day.weekday():
        return None
    return found


def contradicted_day(text: str, today: date) -> tuple[str, date] | None:
    """A day whose weekday is not the one said with it, as it was said, and the day: `Mon 3 Nov` of a Tuesday."""
    words = fold(text)
    for shape in _SHAPES:
        if shape.read is not _named:
            continue
        for match in shape.pattern.finditer(words):
            if match.groupdict().get("w") and (day := _numbered(match, today)) and _named(match, today) is None:
                return text[match.start() : match.end()], day.day
    return None


def _day_number(text: str) -> int:
    digits = re.match(r"[0-9]+", text)
    if digits:
        return int(digits[0])
    return _ORDINAL_WORDS.get(text) or _DAY_WORDS[text]


def _relative(match: re.Match[str], today: date) -> Day:
    word = " ".join(match[1].split())
    return Day(today + timedelta(days=_RELATIVE[word]))


def _ago(match: re.Match[str], today: date) -> Day:
    return Day(_back(today, _count(match["n"]), match["unit"]))


def _ago_from(match: re.Match[str], today: date) -> Day | None:
    anchor = whole_day(match["anchor"], today)
    return Day(_back(anchor, _count(match["n"]), match["unit"])) if anchor else None


def _ahead(match: re.Match[str], today: date) -> Day:
    return Day(_back(today, -_count(match["n"]), match["unit"]))


def _back(day: date, count: int, unit: str) -> date:
    match unit:
        case "day":
            return day - timedelta(days=count)
        case "week":
            return day - timedelta(weeks=count)
        case "month":
            return months_before(day, count)
        case _:
            return months_before(day, 12 * count)


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text]


def _weekday(name: str) -> int:
    return next(number for number, full in enumerate(_WEEKDAYS) if full.startswith(name[:3]))


def _named_weekday(match: re.Match[str], today: date) -> Day:
    wanted, which = _weekday(match["w"]), (match["which"] or "").split(" ")[0]
    since = (today.weekday() - wanted) % 7
    match which:
        case "last" | "past" | "previous":
            return Day(today - timedelta(days=since or 7))
        case "this":
            return Day(today + timedelta(days=wanted - today.weekday()))
        case "next" | "coming":
            return Day(today + timedelta(days=7 - since))
        case _:
            return Day(today - timedelta(days=since))


def _weekday_of_last_week(match: re.Match[str], today: date) -> Day:
    monday = today - timedelta(days=today.weekday() + 7)
    return Day(monday + timedelta(days=_weekday(match["w"])))


def _weekday_and_number(match: re.Match[str], today: date) -> Day | None:
    """`Mon 13th`: the latest 13th that was a Monday."""
    number, wanted = _day_number(match["d"]), _weekday(match["w"])
    for back in range(48):
        month = months_before(today.replace(day=1), back)
        day = valid_day(month.year, month.month, number)
        if day and day <= today and day.weekday() == wanted:
            return Day(day)
    return None


def _nth_weekday(match: re.Match[str], today: date) -> Day | None:
    """`the first monday of the month`, `last friday of october`."""
    if match["m"]:
        month = month_number(match["m"])
        this_year = today.year if month <= today.month else today.year - 1
        first, last = month_span(date(full_year(match["y"], today) if match["y"] else this_year, month, 1))
    else:
        before = match["which"].startswith(("last", "previous"))
        first, last = previous_month(today) if before else month_span(today)
    wanted = _weekday(match["w"])
    if match["nth"] == "last":
        return Day(last - timedelta(days=(last.weekday() - wanted) % 7))
    nth = _NTH[match["nth"]]
    return Day(first + timedelta(days=(wanted - first.weekday()) % 7 + 7 * (nth - 1)))


def _number_of_month(match: re.Match[str], today: date) -> Day | None:
    """`on the 5th`, `20th of last month`: without a month, the latest such day not after today."""
    number = _day_number(match["d"])
    which = match["which"] or ""
    if "last" in which or "previous" in which:
        month = months_before(today.replace(day=1), 1)
        return _dated(month.year, month.month, number)
    if which:
        return _dated(today.year, today.month, number)
    for back in range(3):
        month = months_before(today.replace(day=1), back)
        day = valid_day(month.year, month.month, number)
        if day and day <= today:
            return Day(day)
    return None


_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_RELATIVE = {
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this evening": 0,
    "this afternoon": 0,
    "just now": 0,
    "aaj": 0,
    "yesterday": -1,
    "yest": -1,
    "yday": -1,
    "last night": -1,
    "kal": -1,
    "day before yesterday": -2,
    "day before yday": -2,
    "the day before yesterday": -2,
    "parso": -2,
    "parson": -2,
    "tomorrow": 1,
    "tmrw": 1,
    "day after tomorrow": 2,
    "the day after tomorrow": 2,
}
_RELATIVE_WORDS = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(_RELATIVE, key=len, reverse=True))
_UNIT = r"(?P<unit>day|week|month|year)s?"
_WEEKDAY_PREFIX = rf"(?:(?P<w>{_SHORT_WEEKDAY}[a-z]*)[\s,]+)?"
_OF = r"(?:\s+of|\s+in)?"
# the second half of `Nov 18-Dec 19` begins right after its hyphen
_AFTER_A_DAY = r"(?:(?<=[a-z]\s[0-9]-)|(?<=[a-z]\s[0-9]{2}-)|(?<=\s20[0-9]{2}-))"
_APART = r"[\s,.-]{0,2}"


def _shape(pattern: str, read: Callable[[re.Match[str], date], Day | None]) -> _Shape:
    return _Shape(re.compile(pattern), read)


_SHAPES: tuple[_Shape, ...] = (
    _shape(rf"{START}(?P<y>{YEAR})(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}}){_END}", _iso),
    _shape(rf"{START}(?P<y>{YEAR})[-/\s](?P<m>{MONTH})[-/\s](?P<d>[0-9]{{1,2}}){_END}", _iso),
    _shape(rf"{START}(?P<d>[0-9]{{1,2}})(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<y>{YEAR}|[0-9]{{2}}){_END}", _digits),
    _shape(
        rf"{START}(?!24/7)(?P<d>[0-9]{{1,2}})/(?P<m>[0-9]{{1,2}})(?P<y>)(?![0-9a-z_]|[/.-][0-9]|/-){_PER_UNIT}", _digits
    ),
    _shape(rf"{_SAID_ON}(?P<d>[0-9]{{1,2}})-(?P<m>[0-9]{{1,2}})(?P<y>)(?![0-9a-z_]|[/.-][0-9])", _digits),
    _shape(
        rf"{START}{_WEEKDAY_PREFIX}(?:the\s+)?(?P<d>{ORDINAL_DAY}|{_SPOKEN_DAY}\b){_OF}{_APART}(?P<m>{MONTH})"
        rf"(?:(?:[\s,]{{1,2}}|\s+of\s+|\s+in\s+)(?P<y>{LOOSE_YEAR}))?(?![a-z0-9_])",
        _named,
    ),
    _shape(
        rf"{START}(?P<d>{ORDINAL_DAY})(?:\s*of\s+|[-/. ]?)(?P<m>{MONTH})(?:[-/.,]\s?|\s?'|\s+of\s+|(?<=[a-z]))"
        rf"(?P<y>{YEAR}|[0-9]{{2}}){_END}",
        _named,
    ),
    _shape(
        rf"(?:{START}|{_AFTER_A_DAY}){_WEEKDAY_PREFIX}(?P<m>{MONTH})[\s,.-]{{1,2}}(?:the\s+)?"
        rf"(?P<d>{ORDINAL_DAY}|{'|'.join(_ORDINAL_WORDS)}\b)(?![0-9]|[.,:][0-9]|\s*(?:rs|rupees|/-|k\b|lakh))"
        rf"(?:(?:,\s*|\s+)(?P<y>{LOOSE_YEAR}))?(?![a-z0-9_])",
        _named,
    ),
    _shape(rf"{START}({_RELATIVE_WORDS})(?:'s)?(?:\s+(?:morning|evening|night|afternoon))?(?![a-z0-9_])", _relative),
    _shape(rf"{START}(?P<n>{_COUNT})\s+{_UNIT}\s+(?:ago|back)(?![a-z])", _ago),
    _shape(rf"{START}(?P<n>{_COUNT})\s+{_UNIT}\s+before\s+(?P<anchor>[^,;\n]{{3,20}}?)(?=[.,;\n]|$)", _ago_from),
    _shape(rf"{START}(?:in|after)\s+(?P<n>{_COUNT})\s+(?P<unit>day|week)s?(?![a-z])", _ahead),
    _shape(rf"{START}(?P<n>{_COUNT})\s+{_UNIT}\s+(?:from\s+(?:today|now)|hence|from\s+this\s+day)(?![a-z])", _ahead),
    _shape(
        rf"{START}(?:(?P<which>last|past|previous|this|next|coming|on)\s+)?(?P<w>{'|'.join(_WEEKDAYS)})(?![a-z0-9_])",
        _named_weekday,
    ),
    _shape(
        rf"{START}(?P<which>last|past|previous|this|next|on)\s+(?P<w>{_SHORT_WEEKDAY})(?![a-z0-9_])", _named_weekday
    ),
    _shape(
        rf"{START}(?:the\s+)?(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?P<w>{'|'.join(_WEEKDAYS)})\s+(?:of|in)\s+"
        rf"(?:(?P<which>(?:the|this|last|previous)\s+month)|(?P<m>{MONTH})(?:\s+(?P<y>{LOOSE_YEAR}))?)(?![a-z0-9])",
        _nth_weekday,
    ),
    _shape(
        rf"{START}(?:last\s+week(?:'s)?\s+(?:on\s+)?(?P<w>{_SHORT_WEEKDAY}[a-z]*))(?![a-z])",
        _weekday_of_last_week,
    ),
    _shape(rf"{START}(?P<w>{'|'.join(_WEEKDAYS)})\s+(?:of\s+)?last\s+week(?![a-z])", _weekday_of_last_week),
    _shape(
        rf"{START}(?P<w>{_SHORT_WEEKDAY}(?:day|sday|nesday|rsday|urday)?)\s+(?:the\s+)?(?P<d>[0-9]{{1,2}}(?:st|nd|rd|th))(?![a-z0-9])",
        _weekday_and_number,
    ),
    _shape(
        rf"{START}(?:on\s+)?(?:the\s+)?(?P<d>[0-9]{{1,2}}(?:st|nd|rd|th))\s+of\s+(?:the\s+)?(?P<which>(?:this|last|previous|current)\s+month)"
        r"(?![a-z])",
        _number_of_month,
    ),
    _shape(
        rf"{START}on\s+(?:the\s+)?(?P<d>[0-9]{{1,2}}(?:st|nd|rd|th))(?P<which>)(?![a-z0-9]|\s+(?:of|{MONTH}))",
        _number_of_month,
    ),
)
# Read only where nothing but a date can stand.
_WHOLE_SHAPES: tuple[_Shape, ...] = (
    _shape(r"(?P<d>[0-9]{1,2})[-](?P<m>[0-9]{1,2})(?P<y>)", _digits),
    _shape(rf"(?P<d>{ORDINAL_DAY})\s+(?P<m>{MONTH})\s+(?P<y>{YEAR}|[0-9]{{2}})", _named),
    _shape(rf"(?P<m>{MONTH})\s+(?P<d>{ORDINAL_DAY}),?\s+(?P<y>{YEAR}|[0-9]{{2}})", _named),
    _shape(r"(?:the\s+)?(?P<d>[0-9]{1,2}(?:st|nd|rd|th))(?P<which>)", _number_of_month),
    _shape(rf"(?P<which>)(?P<w>{_SHORT_WEEKDAY})", _named_weekday),
)

DATE_SHAPE = (
    rf"{START}(?:{YEAR}[-/.](?:[0-9]{{1,2}}|{MONTH})[-/.][0-9]{{1,2}}"
    rf"|[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.](?:{YEAR}|[0-9]{{2}})"
    rf"|[0-9]{{1,2}}/[0-9]{{1,2}}(?!/-)"
    rf"|{_SAID_ON}[0-9]{{1,2}}-[0-9]{{1,2}}(?![/.-][0-9])"
    rf"|{ORDINAL_DAY}(?:\s*(?:to|till|-|and|&)\s*{ORDINAL_DAY})?(?:\s+of)?[\s,.-]{{0,2}}{MONTH}"
    rf"(?:(?:[\s,]{{1,2}}|\s+of\s+|\s+in\s+){LOOSE_YEAR}|(?:[-/]|\s?')(?:{YEAR}|[0-9]{{2}})|(?:{YEAR}|[0-9]{{2}}))?"
    rf"|{MONTH}[\s,.-]{{1,2}}(?:the\s+)?{ORDINAL_DAY}(?:\s*(?:to|till|-)\s*{ORDINAL_DAY})?"
    rf"(?![0-9]|[.,:][0-9]|\s*(?:rs|rupees|/-|k\b|lakh))(?:(?:,\s*|\s+){LOOSE_YEAR})?"
    rf"|{MONTH}(?:\s+|\s+of\s+|\s+in\s+|[-,]\s?|\s?'){LOOSE_YEAR}"
    rf"|{MONTH}(?:-|\s?')[0-9]{{2}}"
    rf"|{LOOSE_YEAR}\s{MONTH}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th))(?![a-z0-9])"
)
"""what a date looks like, whatever the calendar says of it: the digits in it are nobody's amount"""
