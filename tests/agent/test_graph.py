"""The topology is what its drawing says, and nodes return what the state declares."""

import re
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest

from agent import graph as topology
from agent import state as states
from agent.checkpoints import strict_serializer
from agent.graph import TOOLS, build_graph, declared, traced
from agent.language.advice import Advice
from agent.language.amendments import Amendment
from agent.language.items import Item, Standing
from agent.language.sought import Sought
from agent.state import KEPT, Findings, Given, Offer, Outcome, Pointed, Remembered, Saying, State, Toolbox, Waiting
from agent.trace import Event, Recorder
from agent.turn import Alert, Asked, Change, Chart, Figure, ItemChange, Recommendation, Row, Source, Written
from ledger.queries import Query, Span

DRAWN = build_graph().get_graph()
NODES = {name for name in DRAWN.nodes if not name.startswith("__")}


def test_every_node_stands_in_the_drawing() -> None:
    drawing = topology.__doc__ or ""
    for name in NODES - {name for name, _ in TOOLS}:
        assert name in drawing, name


def test_every_node_can_be_reached_and_left() -> None:
    reached = {edge.target for edge in DRAWN.edges}
    left = {edge.source for edge in DRAWN.edges}
    assert reached >= NODES
    assert left >= NODES


def test_the_only_ways_to_a_write_are_a_decision_and_an_undo() -> None:
    into = {edge.source for edge in DRAWN.edges if edge.target == "write_batch"}
    assert into == {"parse_decision"}


def test_every_route_is_named_for_the_node_it_follows() -> None:
    routes = {name.removeprefix("after_") for name in vars(topology) if name.startswith("after_")}
    branching = {edge.source for edge in DRAWN.edges if edge.conditional}
    assert {name.strip("_") for name in branching} == routes


def test_every_tool_leads_to_the_limits() -> None:
    for name, _ in TOOLS:
        assert {edge.target for edge in DRAWN.edges if edge.source == name} == {"guardrail_check"}


def test_a_key_that_the_state_does_not_declare_is_an_error() -> None:
    assert declared("n", {"route": "x"}) == {"route": "x"}
    with pytest.raises(KeyError, match="replies"):
        declared("n", {"replies": ()})  # type: ignore[typeddict-unknown-key]


def test_a_node_that_fails_is_in_the_trace() -> None:
    told: list[Event] = []
    recorder = Recorder(datetime(2026, 11, 30, tzinfo=UTC), told.append)
    toolbox = Toolbox(date(2026, 11, 30), None, recorder)

    def failing(state: State, runtime: Any) -> State:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        traced("failing", failing)({"given": Given("t", "r", "tea 20 cash")}, SimpleNamespace(context=toolbox))  # type: ignore[arg-type]
    (span,) = recorder.spans
    assert (span.node, span.status, span.note) == ("failing", "failed", "tea 20 cash")
    assert [event.kind for event in told] == ["node_started", "node_finished"]


DAY = date(2026, 11, 30)
QUERY = Query("total", "spending", Span(DAY, DAY, "today"), ("BANK",), ("Food",), above=Decimal(500))
FIGURE = Figure("₹20.00", Decimal("20.00"), Source("cell", "NOVEMBER!F24", ("NOVEMBER!F24",)))
ITEM = Item("tea", Decimal(20), "MONEY", "DEBIT", DAY, "Food", tags=("PARTY",), words="tea 20 cash [party]")
ADVICE = Advice("afford", QUERY.period, ("Food",), ("BANK",), Decimal(12000), "12k", None, "phone", "aggressive")
STANDING = Standing(DAY, "TEA [PARTY]", "MONEY", "DEBIT", Decimal(20), None, "CASH TRACKER", 24)
EXAMPLES: tuple[Any, ...] = (
    Given("t", "r", "m", "edit", "p", (ItemChange(1, "amount", "500"),), late=True),
    Waiting(
        "card",
        (ITEM,),
        "r",
        "b.xlsx",
        Asked(1, "mode"),
        1,
        2,
        (("BANK", Decimal(5)),),
        ("x",),
        ("y?",),
        (ITEM,),
        "s",
        (Change("Cash", Decimal(1), Decimal(2)),),
        ("n",),
        "p",
    ),
    Offer(QUERY, "food"),
    Amendment("edit", Sought(("tea",), DAY, DAY, Decimal(20), "MONEY", ("cash",)), (("amount", "30"),)),
    Pointed((STANDING,), written=True),
    Waiting("choice", (Item("tea", Decimal(30), "MONEY", "DEBIT", DAY, was=STANDING, gone=True),), "r", "b"),
    Remembered("m", QUERY, ADVICE),
    states.Call("ledger_query", "food", QUERY),
    states.Call("budget_advisor", "can I afford it", QUERY, ADVICE),
    Findings(
        "ledger_query",
        "w",
        Saying("**₹20.00**", (FIGURE,), ("q",)),
        (Row(DAY, "TEA", "MONEY", "DEBIT", Decimal(20), None, "NOVEMBER!F24"),),
        (Chart("t", {"data": [{"x": [1.0]}]}, ("a",), (("b",),), "s"),),
        (("BANK", Decimal(1)),),
        QUERY,
        Offer(QUERY, "w"),
        advice=ADVICE,
        alerts=(Alert("Food", "critical", Decimal(2), Decimal(1)),),
        recommendations=(Recommendation("Food", 15, Decimal("1.50")),),
        trace=("proactively ran the alert: anomaly in Food",),
    ),
    Outcome((Saying("x"),), ("log",), 0.9, (Written(1, "c"),), (("BANK", Decimal(1)),)),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: type(example).__name__)
def test_what_a_thread_remembers_comes_back_from_its_checkpoint_as_it_was(example: Any) -> None:
    serializer = strict_serializer()
    stored = serializer.dumps_typed({"channel": (example,), "one": example})
    again = serializer.loads_typed(stored)
    assert again == {"channel": (example,), "one": example}


def test_nothing_else_is_revived_from_a_checkpoint() -> None:
    serializer = strict_serializer()
    again = serializer.loads_typed(serializer.dumps_typed(Event("turn", "x")))
    assert not isinstance(again, Event)


def test_every_class_in_the_state_may_come_back() -> None:
    named: set[type] = set()

    def walk(hint: Any) -> None:
        for part in get_args(hint):
            walk(part)
        if isinstance(hint, type) and is_dataclass(hint) and hint not in named:
            named.add(hint)
            for hinted in get_type_hints(hint).values():
                walk(hinted)

    for hint in get_type_hints(State).values():
        walk(hint)
    assert named <= set(KEPT), named - set(KEPT)
    assert all(re.fullmatch(r"[a-z_]+", field.name) for kept in KEPT for field in fields(kept))
