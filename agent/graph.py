"""THE TOPOLOGY: which node follows which, and why. Read this first.

One run a message, always entered at START: a waiting card or question is state in the checkpoint, not a suspended run.

    START ─┬─ a row is to be chosen ─► parse_choice ─┬ chosen, repeated ─────► present_batch, validate
           │                                         ├ useless ──────────────► ask_which
           │                                         ├ none, too often ──────► final_answer
           │                                         ├ another request ──────► memory_resolver
           │                                         └ cancel, stop, undo ───► clear_batch, undo_write
           ├─ an answer is awaited ─► parse_clarification ─┬ answered, useless ──────────────► validate
           │                                               ├ a question of its own ──────────► memory_resolver
           │                                               ├ cancel, stop ───────────────────► clear_batch
           │                                               └ undo ───────────────────────────► undo_write
           ├─ a card is open, a button ─► parse_decision ─┬ edit ─► merge_edits ─┬ merged ────► validate
           │                                              │                      ├ refused ───► present_batch
           │                                              │                      └ emptied ───► final_answer
           │                                              ├ yes ─► write_batch ─┬ questions left ► planner
           │                                              │                     ├ refused ──────► present_batch
           │                                              │                     └ done ─────────► final_answer
           │                                              ├ cancel, stop ─► clear_batch ─┬ questions left ► planner
           │                                              │                              └ done ─────────► final_answer
           │                                              ├ undo ─► undo_write ─┬ a card is open ► present_batch
           │                                              │                     └ done ──────────► final_answer
           │                                              ├ a question ──────────────────► memory_resolver, card kept
           │                                              ├ unclear, a new expense ──────► present_batch
           │                                              └ nothing is open ─────────────► final_answer
           └─ fresh ─► memory_resolver ─┬ an offer taken, advice continued ──────────────► planner
                                        ├ a statement, a bank's own words ───────────────► parse_transactions
                                        ├ what was suggested, by its own words ──────────► validate
                                        ├ rows to change or repeat ───► find_rows ─┬ one ───────► present_batch
                                        │                                          ├ the same again ► validate
                                        │                                          ├ several ───► ask_which ─► END
                                        │                                          ├ none ──────► final_answer
                                        │                                          └ no, after all ► classify
                                        └ otherwise ─► classify ─┬ transactions ─► parse_transactions ─► validate
                                                                 ├ questions ────► planner
                                                                 ├ undo ─────────► undo_write
                                                                 └ talk, help, unclear ─► final_answer

    validate ─┬ complete ──► present_batch ─► END            planner ─Send─► tool nodes, in parallel ─► guardrail_check
              ├ missing ───► request_clarification ─► END            └ nothing to run ─► final_answer
              └ exhausted ─► reject ─┬ siblings left ► validate
                                     ├ questions ────► planner      guardrail_check ─► compose ─► verify
                                     └ nothing left ─► final_answer  verify ─┬ a figure without source ► compose
                                                                             └ supported ─► final_answer ─► END

Routes are pure functions of the state named `after_<node>`; nodes return state, never a destination. The only writes
are `write_batch`, reached by the user's own yes to a card, and `undo_write`.
"""

from typing import Any, Literal, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agent import notes
from agent.nodes import amend, answer, clarify, decide, reckon, understand, write
from agent.state import Arrived, Planned, Routed, State, Toolbox

Graph = CompiledStateGraph[State, Toolbox, State, State]


class Node(Protocol):
    """A node: the state in, some of its keys out."""

    def __call__(self, state: State, runtime: Runtime[Toolbox]) -> State:
        """Run it."""
        ...


TOOLS: tuple[tuple[str, Node], ...] = (
    ("ledger_query", answer.ask_book),
    ("budget_advisor", answer.advise),
    ("financial_calculator", answer.calculate),
    ("lending", reckon.ask_lending),
    ("match_reality", reckon.ask_reality),
)
"""every tool node, once; each leads to guardrail_check"""


class Stopped(Exception):
    """The user stopped the turn; raised between two nodes."""


def build_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """The graph, compiled."""
    graph = StateGraph(State, context_schema=Toolbox)

    graph.add_node("parse_clarification", traced("parse_clarification", clarify.parse_clarification))
    graph.add_node("parse_decision", traced("parse_decision", decide.parse_decision))
    graph.add_node("memory_resolver", traced("memory_resolver", understand.resolve_memory))
    graph.add_node("find_rows", traced("find_rows", amend.find_rows))
    graph.add_node("ask_which", traced("ask_which", amend.ask_which))
    graph.add_node("parse_choice", traced("parse_choice", amend.parse_choice))
    graph.add_node("classify", traced("classify", understand.classify_parts))
    graph.add_node("parse_transactions", traced("parse_transactions", understand.read_transactions))
    graph.add_node("validate", traced("validate", clarify.validate))
    graph.add_node("request_clarification", traced("request_clarification", clarify.request_clarification))
    graph.add_node("reject", traced("reject", clarify.reject))
    graph.add_node("merge_edits", traced("merge_edits", decide.merge_edits))
    graph.add_node("present_batch", traced("present_batch", write.present_batch))
    graph.add_node("write_batch", traced("write_batch", write.write_batch))
    graph.add_node("clear_batch", traced("clear_batch", write.clear_batch))
    graph.add_node("undo_write", traced("undo_write", write.undo_write))
    graph.add_node("planner", traced("planner", answer.plan))
    for name, tool in TOOLS:
        graph.add_node(name, traced(name, tool))
        graph.add_edge(name, "guardrail_check")
    graph.add_node("guardrail_check", traced("guardrail_check", answer.check_guardrails))
    graph.add_node("compose", traced("compose", answer.compose))
    graph.add_node("verify", traced("verify", answer.verify_answer))
    graph.add_node("final_answer", traced("final_answer", answer.finish))

    graph.add_conditional_edges(
        START,
        after_start,
        {
            "answer": "parse_clarification",
            "choice": "parse_choice",
            "decision": "parse_decision",
            "fresh": "memory_resolver",
        },
    )
    graph.add_conditional_edges(
        "parse_choice",
        after_parse_choice,
        {
            "chosen": "present_batch",
            "again": "validate",
            "useless": "ask_which",
            "none": "final_answer",
            "other": "memory_resolver",
            "cancel": "clear_batch",
            "stop": "clear_batch",
            "undo": "undo_write",
        },
    )
    graph.add_conditional_edges(
        "parse_clarification",
        after_parse_clarification,
        {
            "validate": "validate",
            "question": "memory_resolver",
            "cancel": "clear_batch",
            "stop": "clear_batch",
            "undo": "undo_write",
        },
    )
    graph.add_conditional_edges(
        "parse_decision",
        after_parse_decision,
        {
            "edit": "merge_edits",
            "merged": "validate",
            "confirm": "write_batch",
            "cancel": "clear_batch",
            "stop": "clear_batch",
            "undo": "undo_write",
            "question": "memory_resolver",
            "unclear": "present_batch",
            "nothing": "final_answer",
        },
    )
    graph.add_conditional_edges(
        "merge_edits",
        after_merge_edits,
        {"merged": "validate", "refused": "present_batch", "empty": "final_answer"},
    )
    graph.add_conditional_edges(
        "memory_resolver",
        after_memory_resolver,
        {
            "known": "planner",
            "amend": "find_rows",
            "brought": "parse_transactions",
            "suggested": "validate",
            "read": "classify",
        },
    )
    graph.add_conditional_edges(
        "find_rows",
        after_find_rows,
        {
            "one": "present_batch",
            "again": "validate",
            "several": "ask_which",
            "none": "final_answer",
            "other": "classify",
        },
    )
    graph.add_conditional_edges(
        "classify",
        after_classify,
        {
            "transactions": "parse_transactions",
            "questions": "planner",
            "undo": "undo_write",
            "talk": "final_answer",
        },
    )
    graph.add_conditional_edges(
        "parse_transactions",
        after_parse_transactions,
        {"items": "validate", "offered": "present_batch", "questions": "planner", "nothing": "final_answer"},
    )
    graph.add_conditional_edges(
        "validate",
        after_validate,
        {"complete": "present_batch", "missing": "request_clarification", "exhausted": "reject"},
    )
    graph.add_conditional_edges(
        "reject", after_reject, {"left": "validate", "later": "planner", "none": "final_answer"}
    )
    graph.add_conditional_edges(
        "write_batch",
        after_write_batch,
        {"later": "planner", "refused": "present_batch", "done": "final_answer"},
    )
    graph.add_conditional_edges("clear_batch", after_clear_batch, {"later": "planner", "done": "final_answer"})
    graph.add_conditional_edges("undo_write", after_undo_write, {"card": "present_batch", "done": "final_answer"})
    graph.add_conditional_edges("planner", after_planner, [*(name for name, _ in TOOLS), "final_answer"])
    graph.add_edge("guardrail_check", "compose")
    graph.add_edge("compose", "verify")
    graph.add_conditional_edges("verify", after_verify, {"unsupported": "compose", "supported": "final_answer"})
    graph.add_edge("request_clarification", END)
    graph.add_edge("ask_which", END)
    graph.add_edge("present_batch", END)
    graph.add_edge("final_answer", END)
    return graph.compile(checkpointer=checkpointer)


# routes


def after_start(state: Arrived) -> Literal["answer", "choice", "decision", "fresh"]:
    """What waits decides; a button always speaks of a card."""
    waiting = state.get("waiting")
    if state["given"].action != "message" or (waiting and waiting.kind == "card"):
        return "decision"
    if waiting is None:
        return "fresh"
    return "choice" if waiting.kind == "choice" else "answer"


def after_parse_choice(state: Routed) -> str:
    """Which of the rows was meant, or what else the reply was."""
    return state["route"]


def after_parse_clarification(state: Routed) -> str:
    """What the reply to a question was."""
    return state["route"]


def after_parse_decision(state: Routed) -> str:
    """What was decided about the card."""
    return state["route"]


def after_merge_edits(state: Routed) -> str:
    """Whether the edits could be made, and left anything."""
    return state["route"]


def after_memory_resolver(state: Routed) -> str:
    """Whether it continues what was said, so that what is wanted is known; whether rows of the book are to change."""
    return state["route"]


def after_find_rows(state: Routed) -> str:
    """How many rows are meant."""
    return state["route"]


def after_classify(state: Routed) -> str:
    """Transactions first: questions of the same message are answered after the write."""
    return state["route"]


def after_parse_transactions(state: Routed) -> str:
    """Whether there is something to write, and whether a card is open already."""
    return state["route"]


def after_validate(state: Routed) -> str:
    """Whether a fact is missing, and may still be asked for."""
    return state["route"]


def after_reject(state: Routed) -> str:
    """Whether complete siblings are left."""
    return state["route"]


def after_write_batch(state: Routed) -> str:
    """Whether it was written, and whether questions came with it."""
    return state["route"]


def after_clear_batch(state: Routed) -> str:
    """Whether questions came with what was dropped."""
    return state["route"]


def after_undo_write(state: Routed) -> str:
    """Whether a card is still open: its balances are shown anew."""
    return state["route"]


def after_planner(state: Planned) -> list[Send] | str:
    """One tool node a call, in parallel."""
    if state["route"] != "calls":
        return "final_answer"
    return [Send(call.tool, {"given": state["given"], "plan": (call,)}) for call in state["plan"]]


def after_verify(state: Routed) -> str:
    """Whether every figure has its source."""
    return state["route"]


# tracing


def declared(name: str, update: State) -> State:
    """What a node returned. A key that the state does not declare is an error: LangGraph would drop it in silence."""
    if undeclared := update.keys() - State.__annotations__.keys():
        message = f"{name} returned {sorted(undeclared)}, which the state does not declare"
        raise KeyError(message)
    return update


def traced(name: str, node: Node) -> Node:
    """The node with its span recorded, ended before it begins when the user has stopped the turn."""

    def run(state: State, runtime: Runtime[Toolbox]) -> State:
        toolbox = runtime.context
        note = notes.before(name, state)
        started = toolbox.recorder.started(name, note)
        if toolbox.stopping.is_set() and not toolbox.committed:
            toolbox.recorder.ended(name, started, "stopped", note)
            raise Stopped
        try:
            update = declared(name, node(state, runtime))
        except Exception:
            toolbox.recorder.ended(name, started, "failed", note or notes.message_of(state))
            raise
        toolbox.recorder.ended(name, started, "ok", notes.after(name, state, update))
        return update

    return run
