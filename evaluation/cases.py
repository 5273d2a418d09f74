"""Conversation cases: what is said, turn by turn, and what must hold of each Turn.

    load_cases(path) ──► Case ──play──► Turn by Turn ──differences──► sentences; none: the case holds

An expectation names what must hold; what it does not name is free. The files lie in `evaluation/cases/`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from agent.markdown import plain_text
from agent.turn import Turn

FOLDER = Path(__file__).parent / "cases"
CONVERSATION = FOLDER / "conversation.yaml"
BOOK = FOLDER / "book.json"
_CENT = Decimal("0.01")


class Expectation(BaseModel):
    """What must hold of one Turn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    state: str | None = None
    intents: tuple[str, ...] | None = None
    tools: tuple[str, ...] | None = None
    asked: Mapping[str, Any] | None = None
    written: int | None = Field(None, description="how many rows were written")
    batch: tuple[Mapping[str, Any], ...] | None = Field(None, description="each item in part, in order, none besides")
    balances: Mapping[str, Decimal] = Field(default_factory=dict)
    figures: tuple[Decimal, ...] = ()
    rows: int | None = None
    reply_has: tuple[str, ...] = ()
    reply_lacks: tuple[str, ...] = ()
    alerts: tuple[Mapping[str, Any], ...] = Field((), description="alerts that must be there, each in part")
    alerts_size: int | None = None


class Exchange(BaseModel):
    """One message and its expectation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    say: str
    expect: Expectation


class Case(BaseModel):
    """A conversation on its own thread with its own copy of the book."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    case: str
    about: str
    today: date
    turns: tuple[Exchange, ...]


def load_cases(path: Path = CONVERSATION) -> tuple[Case, ...]:
    """The cases of a file. Raises pydantic's ValidationError naming what cannot be understood."""
    return tuple(Case.model_validate(case) for case in yaml.safe_load(path.read_text(encoding="utf-8")))


def play(case: Case, ask: Callable[[str, int], Turn]) -> Iterator[str]:
    """Say the case's messages in order (`ask` gets each with its number from 1) and name every difference."""
    for number, exchange in enumerate(case.turns, 1):
        turn = ask(exchange.say, number)
        for difference in differences(exchange.expect, turn):
            yield f"turn {number} “{exchange.say}”: {difference}"


def differences(expected: Expectation, turn: Turn) -> Iterator[str]:
    """What does not hold of a Turn, a sentence each; and what must hold of every Turn."""
    yield from _plain_differences(expected, turn)
    yield from _batch_differences(expected, turn)
    values = [figure.value for figure in turn.figures]
    for wanted in expected.figures:
        if not any(abs(value - wanted) < _CENT for value in values):
            yield f"there is no figure {wanted} among {[str(value) for value in values]}"
    for mode, wanted in expected.balances.items():
        if (had := turn.balances.get(mode)) is None or abs(had - wanted) >= _CENT:
            yield f"the balance of {mode} is {had}, not {wanted}"
    said = plain_text(turn.reply).casefold()
    yield from (f"the reply lacks “{words}”" for words in expected.reply_has if words.casefold() not in said)
    yield from (f"the reply has “{words}”" for words in expected.reply_lacks if words.casefold() in said)
    for figure in turn.figures:
        if figure.text not in turn.reply:
            yield f"the figure {figure.text} does not stand in the reply"
        if not figure.source.ref:
            yield f"the figure {figure.text} has no source"
    found = turn.as_json()["alerts"]
    for alert in expected.alerts:
        if not any(alert.items() <= other.items() for other in found):
            yield f"there is no alert {dict(alert)}"
    if expected.alerts_size is not None and len(found) != expected.alerts_size:
        yield f"there are {len(found)} alerts, not {expected.alerts_size}"


def _plain_differences(expected: Expectation, turn: Turn) -> Iterator[str]:
    if expected.state is not None and turn.state != expected.state:
        yield f"the state is {turn.state}, not {expected.state}"
    if expected.intents is not None and turn.intents != expected.intents:
        yield f"the intents are {turn.intents}, not {expected.intents}"
    if expected.tools is not None and turn.tools != expected.tools:
        yield f"the tools are {turn.tools}, not {expected.tools}"
    if expected.written is not None and len(turn.written) != expected.written:
        yield f"{len(turn.written)} rows were written, not {expected.written}"
    if expected.rows is not None and len(turn.rows) != expected.rows:
        yield f"{len(turn.rows)} rows are shown, not {expected.rows}"
    if expected.asked is not None:
        asked = turn.as_json()["asked"] or {}
        yield from (
            f"asked {name} is {asked.get(name)}, not {wanted}"
            for name, wanted in expected.asked.items()
            if asked.get(name) != wanted
        )


def _batch_differences(expected: Expectation, turn: Turn) -> Iterator[str]:
    if expected.batch is None:
        return
    batch = turn.as_json()["batch"]
    if len(batch) != len(expected.batch):
        yield f"the card has {len(batch)} items, not {len(expected.batch)}"
    for number, (wanted, item) in enumerate(zip(expected.batch, batch, strict=False), 1):
        for name, value in wanted.items():
            if not _alike(name, value, item.get(name)):
                yield f"item {number} has {name} {item.get(name)!r}, not {value!r}"


def _alike(name: str, wanted: Any, had: Any) -> bool:
    """Descriptions by their words, with two more at most; amounts by value; texts whatever their case."""
    if name == "description":
        words = re.findall(r"\w+", str(had).casefold())
        return set(wanted.casefold().split()) <= set(words) and len(words) <= len(wanted.split()) + 2
    if name == "amount":
        return abs(Decimal(str(had)) - Decimal(str(wanted))) < _CENT
    if isinstance(wanted, list):
        return sorted(wanted) == sorted(had)
    return wanted == had or (wanted is not None and had is not None and str(wanted).casefold() == str(had).casefold())
