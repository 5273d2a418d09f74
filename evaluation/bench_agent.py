"""A turn of the conversation without a model, beside the least that LangGraph can do in six nodes.

    card      "spent 500 on groceries via phonepe" on a new conversation, up to the review card
    balance   "what is my phonepe balance" on a new conversation, up to the figure
              beside  a graph of six nodes that each set one word, with the same checkpointer  (bar: under 3 times)
    write     "yes" to a card, up to the receipt: the book verified and durable; on its own line

The book has been read before. All of it runs in one process, taken in turn, each figure the median of its runs.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypedDict

from evaluation.bench import Line
from evaluation.bench_ledger import LAST_DAY, YEAR, make_book

SIZES = (10_000,)
RUNS = 15
WRITES = 5
CARD = "spent 500 on groceries via phonepe"
BALANCE = "what is my phonepe balance"
BAR = 3.0
NODES = ("one", "two", "three", "four", "five", "six")


class BareState(TypedDict, total=False):
    """The state of the graph that does nothing."""

    message: str
    reply: str


def bench_agent(sizes: Sequence[int] = SIZES, runs: int = RUNS) -> Iterator[Line]:
    """The figures for books of these many rows, as they come."""
    for rows in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            book = Path(scratch) / f"Budget_{YEAR}.xlsx"
            make_book(book, rows)
            yield from _lines(book, rows, runs)


def _lines(book: Path, rows: int, runs: int) -> Iterator[Line]:
    from agent.clock import clock_on
    from agent.settings import Settings
    from agent.workbench import Workbench
    from rag.embedding import is_loaded

    loaded = is_loaded()
    settings = Settings(home=book.parent / "home", book=book)  # type: ignore[call-arg]
    size = f"{rows:,} rows"
    bare = _BareGraph(book.parent / "bare.sqlite")
    with closing(bare), Workbench.open(settings, clock_on(LAST_DAY)) as workbench:

        def card(number: int) -> bool:
            return workbench.ask(CARD, f"card-{number}").state == "awaiting_confirmation"

        def balance(number: int) -> bool:
            return bool(workbench.ask(BALANCE, f"balance-{number}").balances)

        def write(number: int) -> bool:
            return bool(workbench.ask("yes", f"write-{number}").written)

        for warm in (card, balance, bare.turn):
            _seconds(warm, -1)
        taken = [(_seconds(card, n), _seconds(balance, n), _seconds(bare.turn, n)) for n in range(runs)]
        cards, balances, nothings = (median(column) for column in zip(*taken, strict=True))
        yield Line(size, "turn that makes a card", cards, "six-node graph", nothings, bar=BAR, faster=False)
        yield Line(size, "turn that answers a balance", balances, "six-node graph", nothings, bar=BAR, faster=False)
        if is_loaded() and not loaded:
            raise RuntimeError("a turn that the rules were sure of loaded the embedding")
        writes = []
        for number in range(min(WRITES, runs)):
            workbench.ask(f"spent {number + 1} on coffee via phonepe", f"write-{number}")
            writes.append(_seconds(write, number))
        yield Line(size, "turn that writes", median(writes), "", 0.0)
        yield from _embedding_lines(size)


def _embedding_lines(size: str) -> Iterator[Line]:
    """What a message costs that no rule is sure of: the model is loaded once a process, then asked."""
    from agent.language.classifier import likely

    start = perf_counter()
    likely("is there anything you could tell me about it")
    yield Line(size, "embedding: the first unsure message", perf_counter() - start, "", 0.0)
    seconds = [
        _seconds(lambda number: bool(likely(f"tell me about it once more, number {number}")), n) for n in range(20)
    ]
    yield Line(size, "embedding: each one after it", median(seconds), "", 0.0)


class _BareGraph:
    def __init__(self, database: Path) -> None:
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.graph import END, START, StateGraph

        self._connection = sqlite3.connect(database, check_same_thread=False)
        saver = SqliteSaver(self._connection)
        saver.setup()
        self._connection.execute("pragma synchronous=NORMAL")
        graph: Any = StateGraph(BareState)
        for node in NODES:
            graph.add_node(node, _echo(node))
        for left, right in zip((START, *NODES), (*NODES, END), strict=True):
            graph.add_edge(left, right)
        self._graph = graph.compile(checkpointer=saver)

    def turn(self, number: int) -> bool:
        """One message through the six nodes, checkpointed once."""
        config = {"configurable": {"thread_id": f"bare-{number}"}}
        return bool(self._graph.invoke({"message": CARD}, config, durability="exit")["reply"])

    def close(self) -> None:
        """Close the checkpoints' file."""
        self._connection.close()


def _echo(node: str) -> Callable[[BareState], BareState]:
    def echo(state: BareState) -> BareState:
        return {"reply": f"{node}: {state['message']}"}

    return echo


def _seconds(turn: Callable[[int], bool], number: int) -> float:
    start = perf_counter()
    answered = turn(number)
    seconds = perf_counter() - start
    if not answered:
        raise RuntimeError("a turn that is measured did not do what it is measured for")
    return seconds
