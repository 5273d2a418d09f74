"""Where threads are checkpointed: SQLite in the home folder, read back strictly and with tuples as tuples.

Only the classes listed in `state.KEPT` come back from a checkpoint; whatever else the file says stays plain data.
"""

import dataclasses
import sqlite3
from pathlib import Path
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agent.state import KEPT


class StateSerializer(JsonPlusSerializer):
    """msgpack knows lists only: the frozen dataclasses of the state get their tuples back."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value, its dataclasses as they were."""
        return _with_tuples(super().loads_typed(data), inside=False)


def strict_serializer() -> StateSerializer:
    """A serializer that revives the classes of the state and no other."""
    return StateSerializer(allowed_msgpack_modules=tuple((kept.__module__, kept.__name__) for kept in KEPT))


class Checkpoints(SqliteSaver):
    """SqliteSaver with `synchronous=NORMAL`, the strict serializer, and old checkpoints pruned."""

    def __init__(self, path: Path) -> None:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
        super().__init__(connection, serde=strict_serializer())
        self.setup()
        connection.execute("PRAGMA synchronous=NORMAL")

    def prune_thread(self, thread: str) -> None:
        """Keep a thread's newest checkpoint only: a conversation is continued, never rewound."""
        with self.cursor() as cursor:
            newest = "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?)"
            for table in ("checkpoints", "writes"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < {newest}", (thread, thread)
                )

    def close(self) -> None:
        """Close the file."""
        self.conn.close()


def _with_tuples(value: Any, *, inside: bool) -> Any:
    """`value` with lists inside dataclasses made tuples again; plain dicts and lists stay as they are."""
    if isinstance(value, KEPT):
        for field in dataclasses.fields(value):  # type: ignore[arg-type]
            held = getattr(value, field.name)
            settled = _with_tuples(held, inside=True)
            if settled is not held:
                object.__setattr__(value, field.name, settled)
        return value
    if isinstance(value, list):
        items = [_with_tuples(item, inside=inside) for item in value]
        return tuple(items) if inside or any(isinstance(item, KEPT) for item in items) else items
    if isinstance(value, dict) and not inside:
        return {key: _with_tuples(item, inside=inside) for key, item in value.items()}
    return value
