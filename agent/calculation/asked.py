"""What a message asks to be worked out: a calculation with a name, or one in signs or words."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

from agent.calculation.arguments import arguments_of
from agent.calculation.expression import CalculationRefused, is_calculation, work_out
from agent.calculation.finance import NAMED, Missing, Result
from agent.calculation.phrases import written
from agent.language.vocabulary import plain, table
from money import parse_date
from money.over_time import Instalment, schedule

_ALSO_PAID = ("emi", "sip", "lump_sum")
"""what is paid as often as it is calculated"""


@dataclass(frozen=True)
class Calculation:
    """What came out: its title, its figures (the first is the answer), and a loan's rows where they were asked for."""

    title: str
    results: tuple[Result, ...]
    schedule: tuple[Instalment, ...] = ()
    is_ratio: bool = False


@dataclass(frozen=True)
class NotGiven:
    """A calculation that cannot be made yet: what is missing or wrong, in a sentence."""

    title: str
    why: str


def calculation_of(text: str, today: date) -> Calculation | NotGiven | None:
    """The calculation that a message asks for, made; None when it asks for none."""
    if is_calculation(text):
        return _worked(text, is_percent=False)
    said = plain(text)
    name = next((name for name, pattern in _names() if pattern.search(said)), None)
    if name and _is_meant(name, text, today):
        return _named(name, text, today)
    if found := written(text):
        return _worked(found.expression, is_percent=found.is_percent)
    return None


def asks_to_calculate(text: str, today: date) -> bool:
    """Whether a message surely asks for a calculation: in signs, or by name or wording with its figures."""
    if parse_date(text.strip(" ?.!"), today) is not None:
        return False
    return is_calculation(text) or isinstance(calculation_of(text, today), Calculation)


def _worked(expression: str, *, is_percent: bool) -> Calculation | NotGiven:
    try:
        worked = work_out(expression)
    except CalculationRefused as refused:
        return NotGiven("Calculation", str(refused))
    unit = "percent" if is_percent else worked.unit
    return Calculation("", (Result("", worked.value, unit, worked.working),), is_ratio=worked.is_ratio)


def _named(name: str, text: str, today: date) -> Calculation | NotGiven:
    words = table("calculations")
    title = str(words["named"][name]["title"])
    given = arguments_of(text, today)
    if given.worth is not None:
        given.flows.append((today, given.worth))
    if "double" in plain(text) and given.amounts and "goal" not in given.marked:
        given.marked |= {"goal": 2 * given.amounts[0], "held": given.amounts[0]}
    try:
        results = NAMED[name](given)
        rows = schedule(given.amounts[0], given.rates[0], given.months or 1) if name == "schedule" else ()
    except Missing as missing:
        argument: Any = words["arguments"][missing.name]
        return NotGiven(title, f"For the {title} I still need {argument['ask']}: for example “{argument['example']}”.")
    except ValueError as wrong:
        return NotGiven(title, str(wrong))
    return Calculation(title, results, rows)


def _is_meant(name: str, text: str, today: date) -> bool:
    """Whether a name is asked about and not just said: `sip 5000 from bank` tells of an expense."""
    given = arguments_of(text, today)
    if name in ("change", "ratio"):
        return len(given.amounts) + len(given.rates) >= 2
    if name not in _ALSO_PAID or (given.rates and (given.months or given.marked)):
        return True
    return bool(_asking().search(plain(text)))


@cache
def _asking() -> re.Pattern[str]:
    return re.compile(table("calculations")["asking"])


@cache
def _names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    named = table("calculations")["named"]
    return tuple((name, re.compile(entry["says"].replace("#", r"₹?\d"))) for name, entry in named.items())


def yearly(rows: tuple[Instalment, ...]) -> tuple[tuple[int, Decimal, Decimal, Decimal], ...]:
    """A loan's schedule by year: year, interest, principal, still owed at its end."""
    years = []
    for begin in range(0, len(rows), 12):
        part = rows[begin : begin + 12]
        interest = sum((row.interest for row in part), Decimal(0))
        principal = sum((row.principal for row in part), Decimal(0))
        years.append((begin // 12 + 1, interest, principal, part[-1].owed))
    return tuple(years)
