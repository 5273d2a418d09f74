"""What a step of a turn came to, in a few words of its own: shown beside the step, live and in the trace."""

from agent.evidence import counted
from agent.state import State

_WORDS_SHOWN = 80


def message_of(state: State) -> str:
    """What the turn was asked: the message, or the button that was pressed."""
    return " ".join(state["given"].message.split())[:_WORDS_SHOWN] or state["given"].action


def before(node: str, state: State) -> str:
    """What a step begins with: the message where it is read, the words a tool looks up; otherwise nothing."""
    if node in _READ_THE_MESSAGE:
        return message_of(state)
    return "; ".join(call.words for call in state.get("plan", ()))[:_WORDS_SHOWN] if node in _TOOLS else ""


def after(node: str, state: State, update: State) -> str:
    """What a step came to. `state` is what it was given, `update` what it returned."""
    outcome = update.get("outcome")
    waiting = update.get("waiting")
    match node:
        case "planner":
            return (
                "; ".join(f"{call.tool}: {call.words}"[:60] for call in update.get("plan", ())) or "nothing to look up"
            )
        case _ if node in _TOOLS:
            rows = sum(found.count for found in update.get("findings", ()))
            return f"{before(node, state)} · {rows} {counted(rows, 'row')}"
        case "classify" if outcome is not None:
            return ", ".join(outcome.intents) or "not understood"
        case "guardrail_check" if outcome is not None:
            return ", ".join(outcome.guardrails) or "none reached"
        case "compose":
            number = len(update.get("answers", ()))
            return f"{number} {counted(number, 'answer')}"
        case "verify":
            number = sum(len(answer.figures) for answer in state.get("answers", ()))
            return (
                "a figure without source"
                if update.get("route") == "unsupported"
                else (f"{number} {counted(number, 'figure')}, each with its source")
            )
        case "present_batch" if waiting is not None:
            return f"{len(waiting.items)} {counted(len(waiting.items), 'entry')} on the card"
        case "parse_transactions" | "validate" if waiting is not None:
            return f"{len(waiting.items)} {counted(len(waiting.items), 'entry')}"
        case _:
            return before(node, state)


_READ_THE_MESSAGE = frozenset(
    {"memory_resolver", "parse_clarification", "parse_decision", "parse_choice", "merge_edits"}
)
_TOOLS = frozenset({"ledger_query", "budget_advisor", "lending", "match_reality"})
