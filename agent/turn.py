"""A Turn: what one message came to. The contract between the agent and whoever shows it.

`as_json` gives the documented JSON; amounts are strings with two decimals there, Decimal here.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

TurnState = Literal["idle", "awaiting_answer", "awaiting_confirmation"]
Action = Literal["message", "save", "cancel", "edit", "undo", "stop"]
"""what a person did: wrote a message, or pressed a button"""
ChangedField = Literal["description", "amount", "date", "mode", "direction", "category", "tags", "remove"]
SourceKind = Literal["cell", "message", "page", "price", "calculation", "query", "web", "review"]


@dataclass(frozen=True)
class Source:
    """Where a figure came from. `ref` is for a person: `NOVEMBER!F24`, `NOVEMBER!F7:F24`."""

    kind: SourceKind
    ref: str
    cells: tuple[str, ...] = ()
    """the cells summed or counted, as `SHEET!F24`, for opening them; at most 500"""


@dataclass(frozen=True)
class Figure:
    """A number that stands in the reply, as it stands there, with its source."""

    text: str
    value: Decimal
    source: Source


@dataclass(frozen=True)
class Row:
    """An entry shown."""

    date: date
    description: str
    mode: str
    direction: str
    amount: Decimal
    category: str | None
    cell: str


@dataclass(frozen=True)
class CardItem:
    """One line of the open review card: a new entry, or one that stands in the book and is changed or deleted."""

    item: int
    date: date
    description: str
    category: str | None
    group: str | None
    mode: str
    direction: str
    amount: Decimal
    tags: tuple[str, ...] = ()
    action: Literal["add", "edit", "delete"] = "add"
    was: Row | None = None
    """the row as it stands; None: it is a new one"""


@dataclass(frozen=True)
class ItemChange:
    """One change made on the card itself. `value` as a person writes it; tags by commas; empty for `remove`."""

    item: int
    field: ChangedField
    value: str = ""


@dataclass(frozen=True)
class Asked:
    """The missing fact a turn waits for. `item` is None for an opening balance, whose field is `opening:PHONEPE`, and
    where several rows of the book could be meant, whose field is `entry`.
    """

    item: int | None
    field: str


@dataclass(frozen=True)
class Written:
    """A row written, and where: `Budget_2026.xlsx#NOVEMBER!C24:J24`."""

    item: int
    cell: str


@dataclass(frozen=True)
class Change:
    """A before and after shown on the card: a mode's balance, or what is left of a category's budget."""

    label: str
    before: Decimal
    after: Decimal


@dataclass(frozen=True)
class Chart:
    """A chart as plain Plotly JSON (`data`, `layout`), its numbers under it as `rows` with `columns`."""

    title: str
    figure: Mapping[str, Any]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Alert:
    """A category over its monthly budget (`critical`) or close to it (`warning`)."""

    category: str
    level: Literal["critical", "warning"]
    spent: Decimal
    budget: Decimal


@dataclass(frozen=True)
class Recommendation:
    """A category to spend less on: by how many percent, and what that saves."""

    category: str
    cut_percent: int
    saving: Decimal


@dataclass(frozen=True)
class Usage:
    """What a turn cost."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    latency_ms: float = 0.0


@dataclass(frozen=True)
class Turn:
    """One message's outcome."""

    thread: str
    request: str
    message: str
    reply: str
    """Markdown: figures are bold, and text that came from outside (cells, messages, file names) is already escaped"""
    state: TurnState = "idle"
    intents: tuple[str, ...] = ()
    confidence: float = 1.0
    batch: tuple[CardItem, ...] = ()
    proposal: str | None = None
    """the open card's id: a hash of its content; a decision by button names it"""
    asked: Asked | None = None
    written: tuple[Written, ...] = ()
    balances: Mapping[str, Decimal] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    figures: tuple[Figure, ...] = ()
    charts: tuple[Chart, ...] = ()
    alerts: tuple[Alert, ...] = ()
    """the most serious first"""
    recommendations: tuple[Recommendation, ...] = ()
    guardrails: tuple[str, ...] = ()
    plan_trace: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    usage: Usage = Usage()
    changes: tuple[Change, ...] = ()
    """on a card and a receipt: balances and budgets before and after"""
    notes: tuple[str, ...] = ()
    """what else the write does or did, a sentence each"""
    problem: str | None = None
    """why the card was refused, in one sentence; shown on the card"""
    options: tuple[str, ...] = ()
    """answers the user may tap instead of typing"""
    report: str | None = None
    """the month, `2026-11`, whose report goes with the reply"""
    undoable: bool = False
    """the receipt's write can still be undone"""
    at: str = ""
    """ISO time the turn ended"""

    def as_json(self) -> dict[str, Any]:
        """The documented JSON of a Turn."""
        return {
            "thread": self.thread,
            "request": self.request,
            "message": self.message,
            "reply": self.reply,
            "state": self.state,
            "intents": list(self.intents),
            "confidence": self.confidence,
            "batch": [_plain(item) for item in self.batch],
            "proposal": self.proposal,
            "asked": _plain(self.asked) if self.asked else None,
            "written": [_plain(row) for row in self.written],
            "balances": {mode: _money(value) for mode, value in self.balances.items()},
            "rows": [_plain(row) for row in self.rows],
            "figures": [
                {
                    "text": figure.text,
                    "value": _exact(figure.value),
                    "source": {
                        "kind": figure.source.kind,
                        "ref": figure.source.ref,
                        "cells": list(figure.source.cells),
                    },
                }
                for figure in self.figures
            ],
            "citations": [],
            "charts": [_plain(chart) for chart in self.charts],
            "alerts": [_plain(alert) for alert in self.alerts],
            "recommendations": [_plain(advised) for advised in self.recommendations],
            "guardrails": list(self.guardrails),
            "review": None,
            "plan_trace": list(self.plan_trace),
            "tools": list(self.tools),
            "usage": {**asdict(self.usage), "cost": str(self.usage.cost)},
            "changes": [_plain(change) for change in self.changes],
            "notes": list(self.notes),
            "problem": self.problem,
            "options": list(self.options),
            "report": self.report,
            "undoable": self.undoable,
            "at": self.at,
        }


def turn_from_json(stored: Mapping[str, Any]) -> Turn:
    """The Turn that `as_json` gave: `turn_from_json(turn.as_json()).as_json() == turn.as_json()`."""
    given = stored
    asked = given["asked"]
    return Turn(
        thread=given["thread"],
        request=given["request"],
        message=given["message"],
        reply=given["reply"],
        state=given["state"],
        intents=tuple(given["intents"]),
        confidence=given["confidence"],
        proposal=given["proposal"],
        guardrails=tuple(given["guardrails"]),
        plan_trace=tuple(given["plan_trace"]),
        tools=tuple(given["tools"]),
        notes=tuple(given["notes"]),
        problem=given["problem"],
        options=tuple(given["options"]),
        report=given.get("report"),
        undoable=given["undoable"],
        at=given["at"],
        batch=tuple(
            CardItem(
                **item
                | {
                    "date": date.fromisoformat(item["date"]),
                    "amount": Decimal(item["amount"]),
                    "tags": tuple(item["tags"]),
                    "was": _row(item["was"]) if item.get("was") else None,
                }
            )
            for item in given["batch"]
        ),
        asked=Asked(**asked) if asked else None,
        written=tuple(Written(**row) for row in given["written"]),
        balances={mode: Decimal(value) for mode, value in given["balances"].items()},
        rows=tuple(_row(row) for row in given["rows"]),
        figures=tuple(
            Figure(
                figure["text"],
                Decimal(figure["value"]),
                Source(figure["source"]["kind"], figure["source"]["ref"], tuple(figure["source"].get("cells", ()))),
            )
            for figure in given["figures"]
        ),
        charts=tuple(
            Chart(
                chart["title"],
                chart["figure"],
                tuple(chart["columns"]),
                tuple(tuple(row) for row in chart["rows"]),
                chart["source"],
            )
            for chart in given["charts"]
        ),
        alerts=tuple(
            Alert(alert["category"], alert["level"], Decimal(alert["spent"]), Decimal(alert["budget"]))
            for alert in given["alerts"]
        ),
        recommendations=tuple(
            Recommendation(advised["category"], advised["cut_percent"], Decimal(advised["saving"]))
            for advised in given["recommendations"]
        ),
        usage=Usage(**given["usage"] | {"cost": Decimal(given["usage"]["cost"])}),
        changes=tuple(
            Change(change["label"], Decimal(change["before"]), Decimal(change["after"])) for change in given["changes"]
        ),
    )


def _row(stored: Mapping[str, Any]) -> Row:
    return Row(**dict(stored) | {"date": date.fromisoformat(stored["date"]), "amount": Decimal(stored["amount"])})


def _plain(value: Any) -> Any:
    return _jsonable(asdict(value))


def _jsonable(value: Any) -> Any:
    match value:
        case Decimal():
            return _money(value)
        case date():
            return value.isoformat()
        case dict():
            return {key: _jsonable(item) for key, item in value.items()}
        case list() | tuple():
            return [_jsonable(item) for item in value]
        case _:
            return value


def _money(value: Decimal) -> str:
    return f"{value:.2f}"


def _exact(value: Decimal) -> str:
    """A figure's value with the digits it has: an amount `7170.00`, a count `11`, a rate `25.0`."""
    return format(value, "f")
