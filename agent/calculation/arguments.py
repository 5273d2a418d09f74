"""The arguments of a named calculation, read from the words around them: amounts, rates, times, marked figures."""

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache

from agent.calculation.phrases import in_digits
from agent.language.vocabulary import table
from money import find_dates

_FIGURE = r"₹?(?P<number>\d+(?:\.\d+)?)"
_RATE = re.compile(rf"{_FIGURE} ?(?:%|per ?cent\b|percent\b|p\.?a\.?\b)")
_TIME = re.compile(rf"{_FIGURE}[- ]?(?P<unit>years?|yrs?|y|saal|months?|mths?|mon|mahine)\b")
_OTHER = _FIGURE.replace("number", "other")
_MONTHLY = re.compile(
    rf"{_FIGURE}(?:/-)?(?: rupees| rs)? ?(?:a|per|each|every|/) ?(?:month|mo\b|mahina)|monthly (?:of )?{_OTHER}"
)
_STEP_AFTER = re.compile(
    rf"{_FIGURE} ?(?:%|percent|per cent) ?(?:annual |yearly |a year )?(?:step[ -]?up|top[ -]?up|increase|hike)"
)
_AMOUNT = re.compile(_FIGURE)
_HUNDRED = Decimal(100)


@dataclass
class Arguments:
    """What a message gives a calculation. Rates are fractions, times whole months."""

    amounts: list[Decimal] = field(default_factory=list)
    rates: list[Decimal] = field(default_factory=list)
    months: int | None = None
    monthly: Decimal | None = None
    marked: dict[str, Decimal] = field(default_factory=dict)
    flows: list[tuple[date, Decimal]] = field(default_factory=list)
    worth: Decimal | None = None


def arguments_of(text: str, today: date) -> Arguments:
    """The figures of a message by their kind; each figure counts once."""
    found = Arguments()
    found.flows, found.worth = _dated(text, today)
    rest = in_digits(text)
    if step := _STEP_AFTER.search(rest):
        found.marked["step"] = Decimal(step["number"]) / _HUNDRED
        rest = _without(rest, step)
    for name, pattern in _marks().items():
        if name not in found.marked and (mark := pattern.search(rest)):
            value = Decimal(mark["number"])
            found.marked[name] = value / _HUNDRED if mark["percent"] else value
            if name not in ("goal", "held") or not mark["percent"]:
                rest = _without(rest, mark)
    for rate in _RATE.finditer(rest):
        found.rates.append(Decimal(rate["number"]) / _HUNDRED)
    rest = _RATE.sub(" ", rest)
    if time := _TIME.search(rest):
        found.months = round(Decimal(time["number"]) * (1 if time["unit"].startswith("m") else 12))
        rest = _without(rest, time)
    if monthly := _MONTHLY.search(rest):
        found.monthly = Decimal(monthly["number"] or monthly["other"])
        rest = _without(rest, monthly)
    found.amounts = [Decimal(amount["number"]) for amount in _AMOUNT.finditer(rest)]
    return found


def _dated(text: str, today: date) -> tuple[list[tuple[date, Decimal]], Decimal | None]:
    """The payments with a date, in their order, and what all is worth today."""
    flows: list[tuple[date, Decimal]] = []
    worth = None
    for part in re.split(r"[;\n]|,(?!\d)|\band\b", text):
        dates = find_dates(part, today)
        bare = part
        for day in reversed(dates):
            bare = bare[: day.start] + " " + bare[day.end :]
        amounts = [Decimal(amount["number"]) for amount in _AMOUNT.finditer(in_digits(bare))]
        if len(amounts) != 1:
            continue
        if _worth().search(part.casefold()):
            worth = amounts[0]
        elif len(dates) == 1:
            came_back = re.search(r"\b(?:got|received|redeemed|withdrew|sold|back)\b", part.casefold())
            flows.append((dates[0].day, amounts[0] if came_back else -amounts[0]))
    return flows, worth


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


@cache
def _marks() -> dict[str, re.Pattern[str]]:
    marks = table("calculations")["marks"]
    figure = rf"{_FIGURE} ?(?P<percent>%|percent\b|per cent\b)?(?! ?(?:years?|yrs?|months?))"
    return {name: re.compile(rf"\b(?:{words}) ?{figure}") for name, words in marks.items() if name != "worth"}


@cache
def _worth() -> re.Pattern[str]:
    return re.compile(rf"\b{table('calculations')['marks']['worth']}\b")
