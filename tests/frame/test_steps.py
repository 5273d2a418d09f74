"""The line above an answer says what was read, how long it took, and whether a model was used."""

import pytest

from agent.graph import build_graph
from agent.turn import Turn, Usage
from frame.steps import STEPS, summary


@pytest.mark.parametrize(
    ("decided", "usage", "words"),
    [
        (("ledger_query: 9 rows read for “food”",), Usage(latency_ms=42.3), "Read 9 entries · 42 ms · no model used"),
        (("a: 1 rows read for “x”",), Usage(latency_ms=1250, model_calls=1), "Read 1 entry · 1.2 s · 1 model call"),
        ((), Usage(latency_ms=3, model_calls=2), "Read the book · 3 ms · 2 model calls"),
    ],
)
def test_a_turn_is_summed_up_in_a_line(decided: tuple[str, ...], usage: Usage, words: str) -> None:
    assert summary(Turn("t", "r", "m", "reply", plan_trace=decided, usage=usage)) == words


def test_every_node_of_the_graph_has_words_for_a_person() -> None:
    nodes = set(build_graph().get_graph().nodes) - {"__start__", "__end__"}
    assert nodes == nodes & STEPS.keys()
