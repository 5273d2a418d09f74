"""One turn: the graph run on a request, and the Turn made of where it ended."""

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError

from agent.bills import BillsOffered
from agent.card import card_items, proposal_id
from agent.checkpoints import Checkpoints
from agent.evidence import plain_wording, unsupported
from agent.graph import Stopped, build_graph
from agent.imports import Imports, items_of
from agent.person import NOBODY, Person
from agent.settings import Settings
from agent.state import ANEW, Given, Outcome, Saying, State, Toolbox, Waiting
from agent.store import StoredRequest
from agent.trace import Recorder
from agent.turn import Figure, ItemChange, Turn, TurnState
from ledger.store import BookStore

_log = logging.getLogger(__name__)
_ENDS = ["given", "waiting", "outcome"]
"""the channels a Turn is made of"""
PRUNE_EVERY = 16
"""turns of this process between two prunings of a thread's checkpoints"""


class Runner:
    """The compiled graph with its checkpoints."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._checkpoints = Checkpoints(settings.home / "checkpoints.sqlite")
        self._graph = build_graph(self._checkpoints)
        self._turns = 0

    def close(self) -> None:
        """Close the checkpoints' file."""
        self._checkpoints.close()

    def forget(self, thread: str) -> None:
        """Drop what a thread remembers."""
        self._checkpoints.delete_thread(thread)

    def run(
        self,
        stored: StoredRequest,
        *,
        today: date,
        book: BookStore | None,
        recorder: Recorder,
        stopping: threading.Event,
        fresh: bool,
        said_in: Callable[[str], str | None] = lambda _: None,
        imports: Imports | None = None,
        person: Person = NOBODY,
        bills: BillsOffered | None = None,
    ) -> Turn:
        """Run a request to its Turn; whatever goes wrong is said in one.

        A request met again after a crash (not `fresh`) may have ended in the checkpoint already: then its Turn is made
        of that and nothing runs.
        """
        config: RunnableConfig = {
            "configurable": {"thread_id": stored.thread},
            "recursion_limit": self._settings.recursion_limit,
        }
        toolbox = Toolbox(
            today,
            book,
            recorder,
            stopping,
            tool_calls=self._settings.tool_calls,
            turn_seconds=self._settings.turn_seconds,
            said_in=said_in,
            imports=imports,
            who=person.signed("chat"),
            profile=person.profile,
            put_aside=person.put_aside(today),
            bills=bills,
        )
        given = Given(
            stored.thread,
            stored.id,
            stored.given["message"],
            stored.given["action"],
            stored.given["proposal"],
            tuple(ItemChange(**change) for change in stored.given["changes"]),
            late=stored.status == "waiting",
            write=stored.given.get("write"),
            rows=items_of(stored.given.get("rows", ()), today),
            remarks=tuple(stored.given.get("remarks", ())),
        )
        if not fresh and (ended := self._ended(config, stored.id)):
            return turn_of(given, ended, toolbox)
        begun = {
            "given": given,
            "route": "",
            "parts": (),
            "questions": (),
            "plan": (),
            "findings": ANEW,
            "answers": (),
            "attempts": 0,
            "outcome": Outcome(),
        }
        try:
            state = self._graph.invoke(
                cast(State, begun), config, context=toolbox, durability="exit", output_keys=_ENDS
            )
        except Stopped:
            kept = cast(State, self._graph.get_state(config).values)
            outcome = Outcome(
                (Saying("Stopped. Nothing was written."),), ("stop",), plan_trace=("stopped by the user",)
            )
            return turn_of(given, cast(State, {**kept, "outcome": outcome}), toolbox)
        except Exception as error:
            _log.exception("turn %s failed", stored.id)
            kept = cast(State, self._graph.get_state(config).values)
            if toolbox.committed and ("given" not in kept or kept["given"].request != stored.id):
                raise  # the book is written and the thread does not know: the request runs again, to the same receipt
            loop = ("loop",) if isinstance(error, GraphRecursionError) else ()
            # what was written before it failed is told all the same
            done = kept["outcome"] if toolbox.committed and "outcome" in kept else Outcome(confidence=0.0)
            outcome = replace(
                done,
                sayings=(*done.sayings, Saying(_FAILED)),
                guardrails=(*done.guardrails, *loop),
                plan_trace=(*done.plan_trace, f"failed: {type(error).__name__}"),
            )
            return turn_of(given, cast(State, {**kept, "outcome": outcome}), toolbox)
        self._turns += 1
        if self._turns % PRUNE_EVERY == 0:
            self._checkpoints.prune_thread(stored.thread)
        return turn_of(given, cast(State, state), toolbox)

    def _ended(self, config: RunnableConfig, request: str) -> State | None:
        """Where the thread stands, when that is the end of this very request."""
        snapshot = self._graph.get_state(config)
        if snapshot.next or not snapshot.values or snapshot.values["given"].request != request:
            return None
        return cast(State, snapshot.values)


_FAILED = (
    "Something went wrong inside Munshi while I worked on that. What waited is kept. "
    "Say it again; if it happens again, its trace shows where."
)


def turn_of(given: Given, state: State, toolbox: Toolbox) -> Turn:
    """The Turn that a finished state makes."""
    outcome = state["outcome"]
    waiting = state.get("waiting")
    card = waiting if waiting and waiting.kind == "card" else None
    sayings = tuple(_supported(saying) for saying in outcome.sayings if saying.text)
    reply = "\n\n".join(saying.text for saying in sayings)
    return Turn(
        thread=given.thread,
        request=given.request,
        message=given.message,
        reply=reply,
        state=_turn_state(waiting),
        intents=outcome.intents,
        confidence=round(outcome.confidence, 3),
        batch=card_items(card, toolbox.facts()) if card else (),
        proposal=proposal_id(given.thread, card) if card else None,
        asked=waiting.asked if waiting and not card else None,
        written=outcome.written,
        balances=dict(outcome.balances),
        rows=outcome.rows,
        figures=_figures(sayings),
        charts=outcome.charts,
        alerts=outcome.alerts,
        recommendations=outcome.recommendations,
        guardrails=outcome.guardrails,
        plan_trace=outcome.plan_trace,
        tools=outcome.tools,
        changes=card.changes if card else outcome.changes,
        notes=card.notes if card else outcome.notes,
        problem=outcome.problem or (card.problem if card else None),
        options=outcome.options,
        report=outcome.report,
        undoable=outcome.undoable,
    )


def _turn_state(waiting: Waiting | None) -> TurnState:
    if waiting is None:
        return "idle"
    return "awaiting_confirmation" if waiting.kind == "card" else "awaiting_answer"


def _supported(saying: Saying) -> Saying:
    """The saying, or its figures alone when a number in it has no source: the last guard before a person reads it."""
    missing = unsupported(saying)
    if not missing:
        return saying
    _log.error("no source for %s in %r", missing, saying.text)
    return plain_wording(saying)


def _figures(sayings: tuple[Saying, ...]) -> tuple[Figure, ...]:
    """Every figure once by text and source."""
    found: dict[Any, Figure] = {}
    for saying in sayings:
        for figure in saying.figures:
            found.setdefault((figure.text, figure.source.kind, figure.source.ref), figure)
    return tuple(found.values())
