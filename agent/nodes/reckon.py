"""The tool nodes of loans and of what was counted, and taking what they suggest by its own words."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.evidence import told
from agent.language.lending import owed_asked
from agent.language.reality import counted_in
from agent.language.vocabulary import plain, table
from agent.state import Findings, State, Toolbox, Waiting
from agent.tools.lending import lending
from agent.tools.match_reality import match_reality
from ledger.entries import BookRefused


def ask_lending(state: State, runtime: Runtime[Toolbox]) -> State:
    """The tool node of `lending`: who owes whom."""
    call = state["plan"][0]
    asked = owed_asked(call.words)
    if asked is None:
        raise ValueError("lending was called without a question about loans")
    try:
        book = runtime.context.opened().book
    except BookRefused as refused:
        return {"findings": (Findings(call.tool, call.words, told(str(refused))),)}
    return {"findings": (lending(asked, book, call.words),)}


def ask_reality(state: State, runtime: Runtime[Toolbox]) -> State:
    """The tool node of `match_reality`: what was counted against the book."""
    call = state["plan"][0]
    counted = counted_in(call.words)
    if counted is None:
        raise ValueError("match_reality was called without a balance")
    try:
        book = runtime.context.opened().book
    except BookRefused as refused:
        return {"findings": (Findings(call.tool, call.words, told(str(refused))),)}
    return {"findings": (match_reality(counted, book, runtime.context.today, call.words),)}


def takes_suggestion(message: str) -> bool:
    """Whether a whole message takes what was suggested: `adjust`, `add it`. A bare yes does not."""
    return plain(message).strip(" .!") in table("lending")["suggested"]["takes"]


def suggestion_taken(state: State, toolbox: Toolbox) -> State | None:
    """What was suggested, on its way to a card; None when the message does not take it, or something waits."""
    suggested = tuple(state.get("suggested", ()))
    if not suggested or state.get("waiting") is not None or not takes_suggestion(state["given"].message):
        return None
    begun = Waiting("answer", suggested, state["given"].request, toolbox.book_path)
    outcome = replace(
        state["outcome"], intents=("log",), plan_trace=("memory: what was suggested goes on a card, nothing written",)
    )
    return {"waiting": begun, "suggested": (), "offer": None, "route": "suggested", "outcome": outcome}
