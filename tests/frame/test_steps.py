"""The line above an answer says what was read, how long it took, and whether a model was used."""

import pytest

from agent.graph import build_graph
from agent.turn import Figure, Source, Turn, Usage
from frame.steps import STEPS, summary


@pytest.mark.parametrize(
    ("cells", "usage", "words"),
    [
        (9, Usage(latency_ms=42.3), "Read 9 entries · 42 ms · no model used"),
        (1, Usage(latency_ms=1250, model_calls=1), "Read 1 entry · 1.2 s · 1 model call"),
        (0, Usage(latency_ms=3, model_calls=2), "Read the message · 3 ms · 2 model calls"),
    ],
)
def test_a_turn_is_summed_up_in_a_line(cells: int, usage: Usage, words: str) -> None:
    source = Source("cell", "NOVEMBER!F7", tuple(f"NOVEMBER!F{row}" for row in range(cells)))
    turn = Turn("t", "r", "m", "reply", figures=(Figure("₹1.00", 1, source),) if cells else (), usage=usage)  # type: ignore[arg-type]
    assert summary(turn) == words


def test_every_node_of_the_graph_has_words_for_a_person() -> None:
    nodes = set(build_graph().get_graph().nodes) - {"__start__", "__end__"}
    assert nodes == nodes & STEPS.keys()
