"""Search by meaning: FAISS over the chunks' vectors, bound to the model that made them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rag.embedding import SHA256, SIZE, Vectors, embedding


class Embedder(Protocol):
    """What makes vectors of length 1 from texts."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text."""


@dataclass(frozen=True)
class Model:
    """An embedder, loaded on first need. `name` says exactly which: vectors of another are never compared with its."""

    name: str
    size: int
    load: Callable[[], Embedder]
    """raises EmbeddingMissing when it cannot be used"""


PACKAGED = Model(f"all-MiniLM-L6-v2 int8 {SHA256[:16]}", SIZE, embedding)
"""the model that comes with the program"""


class Dense:
    """The vectors of the chunks that have one; the others are found by words only."""

    def __init__(self, places: Sequence[int], vectors: Vectors, chunks: int) -> None:
        import faiss

        self._index = faiss.IndexFlatIP(vectors.shape[1])
        if len(vectors):
            self._index.add(np.ascontiguousarray(vectors, np.float32))
        self._places = np.asarray(places, np.int64)
        self._rows = np.full(chunks, -1, np.int64)
        self._rows[self._places] = np.arange(len(self._places))

    def nearest(self, question: Vectors, k: int, allowed: NDArray[np.bool_] | None = None) -> list[tuple[int, float]]:
        """The chunks most alike in meaning with their cosines, best first; among the allowed ones."""
        import faiss

        if not len(self._places):
            return []
        parameters: Any = None
        if allowed is not None:
            rows = np.flatnonzero(allowed[self._places]).astype(np.int64)
            if not len(rows):
                return []
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBatch(rows))  # type: ignore[call-arg]
        found, rows_found = self._index.search(question.reshape(1, -1), min(k, len(self._places)), params=parameters)
        return [
            (int(self._places[row]), float(score))
            for row, score in zip(rows_found[0], found[0], strict=True)
            if row >= 0
        ]

    def cosines(self, question: Vectors, places: Sequence[int]) -> dict[int, float]:
        """How alike these chunks are in meaning to a question; those without a vector are left out."""
        rows = self._rows[np.asarray(places, np.int64)] if len(places) else np.empty(0, np.int64)
        having = [(place, int(row)) for place, row in zip(places, rows, strict=True) if row >= 0]
        if not having:
            return {}
        vectors = np.stack([self._index.reconstruct(row) for _, row in having])
        return dict(zip([place for place, _ in having], map(float, vectors @ question.reshape(-1)), strict=True))
