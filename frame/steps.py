"""What a turn does and did, step by step: live while it runs, folded to one line afterwards."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import streamlit as st

from agent import Event, Span, Turn
from frame.escape import literal
from frame.look import entries_words


class Words(NamedTuple):
    """A step while it runs, and once it is done."""

    doing: str
    done: str


STEPS: Mapping[str, Words] = {
    "memory_resolver": Words("Looking back in the conversation", "Looked back in the conversation"),
    "classify": Words("Understanding the message", "Understood the message"),
    "find_rows": Words("Finding the rows meant", "Found the rows meant"),
    "ask_which": Words("Asking which row is meant", "Asked which row is meant"),
    "parse_choice": Words("Reading which row you chose", "Read which row you chose"),
    "parse_transactions": Words("Reading the expenses in it", "Read the expenses in it"),
    "parse_clarification": Words("Reading your answer", "Read your answer"),
    "parse_decision": Words("Reading your decision", "Read your decision"),
    "validate": Words("Checking that nothing is missing", "Checked that nothing is missing"),
    "request_clarification": Words("Asking for what is missing", "Asked for what is missing"),
    "reject": Words("Putting away what stayed unclear", "Put away what stayed unclear"),
    "present_batch": Words("Making the card", "Made the card"),
    "merge_edits": Words("Changing the card", "Changed the card"),
    "write_batch": Words("Saving to the book", "Saved to the book"),
    "clear_batch": Words("Putting the card away", "Put the card away"),
    "undo_write": Words("Taking the last write back", "Took the last write back"),
    "planner": Words("Choosing what to look up", "Chose what to look up"),
    "ledger_query": Words("Reading the book", "Read the book"),
    "budget_advisor": Words("Working out the advice", "Worked out the advice"),
    "financial_calculator": Words("Calculating", "Calculated"),
    "lending": Words("Looking up who owes whom", "Looked up who owes whom"),
    "match_reality": Words("Holding the book against what there is", "Held the book against what there is"),
    "guardrail_check": Words("Checking the limits", "Checked the limits"),
    "review": Words("Looking whether that is enough", "Looked whether that is enough"),
    "compose": Words("Writing the answer", "Wrote the answer"),
    "verify": Words("Checking every figure", "Checked every figure"),
    "final_answer": Words("Finishing", "Finished"),
}
_ROWS_READ = re.compile(r"\b(\d+) rows? read\b")
STATES: Mapping[str, Literal["complete", "error"]] = {"ok": "complete", "failed": "error", "stopped": "error"}


def words_of(node: str) -> Words:
    """A node's name in a person's words."""
    plain = node.replace("_", " ").capitalize()
    return STEPS.get(node, Words(plain, plain))


def show_running(events: Sequence[Event], seconds: float, *, stop: Callable[[], None], key: str) -> None:
    """The steps so far, a Stop button, and the word that leaving is safe."""
    finished = [event for event in events if event.kind == "node_finished"]
    started = [event for event in events if event.kind == "node_started"]
    current = started[-1] if len(started) > len(finished) else None
    doing = words_of(current.name).doing if current else "Reading your message"
    label = f":shimmer[{literal(doing)}] :gray[· {seconds:.1f} s]"
    status = st.status(label, type="compact", expanded=True)
    for event in finished:
        status.status(_step(words_of(event.name).done, event.note), type="step", state="complete")
    if current:
        status.status(_step(doing, current.note), type="step", state="running")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", icon=":material/stop_circle:", key=f"{key}-stop", on_click=stop)
        st.caption("You can leave this page. The answer will be here when you come back.", width="content")


def show_steps(turn: Turn, spans: Sequence[Span], *, key: str) -> None:
    """One line that says how the answer came about; open, its steps."""
    with st.expander(literal(summary(turn)), type="compact", key=key):
        for span in spans:
            state = STATES.get(span.status, "complete")
            took = f"{span.note} · {span.ms:.0f} ms" if span.note else f"{span.ms:.0f} ms"
            st.status(_step(words_of(span.node).done, took), type="step", state=state)
        for decision in turn.plan_trace:
            st.caption(literal(decision))


def summary(turn: Turn) -> str:
    """`Read 9 entries · 42 ms · no model used`."""
    read = sum(int(count) for decision in turn.plan_trace for count in _ROWS_READ.findall(decision))
    did = f"Read {entries_words(read)}" if read else "Read the book"
    calls = turn.usage.model_calls
    model = "no model used" if not calls else f"{calls} model call{'s' if calls > 1 else ''}"
    spent = turn.usage.latency_ms
    return f"{did} · {spent:.0f} ms · {model}" if spent < 1000 else f"{did} · {spent / 1000:.1f} s · {model}"


def _step(words: str, note: str) -> str:
    return f"{literal(words)} :gray[· {literal(note)}]" if note else literal(words)
