"""Search by words: BM25 over the chunks' tokens.

    up to SMALL chunks    rank_bm25's Okapi, with an inverse document frequency that is never negative
    beyond                the same formula over postings in numpy arrays; the scores are the same

A chunk's score is the sum over the question's terms of  weight · idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length)),
idf = ln(1 + (n - df + ½) / (df + ½))  (Robertson & Zaragoza 2009; Lucene's idf).
"""  # noqa: E501  a formula stays on its line

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from rag.tokens import Term

K1, B = 1.2, 0.75
SMALL = 500
"""chunks up to which rank_bm25 itself does the work"""

Scores = NDArray[np.float64]


class Lexical(Protocol):
    """An index of chunks by their words."""

    def scores(self, terms: Sequence[Term]) -> Scores:
        """A score for each chunk, in their order; 0 where no term occurs."""

    def idf(self, token: str) -> float:
        """How much a word tells: high for a rare one, and for one that occurs nowhere as high as for the rarest."""


def lexical_index(chunks: Iterable[Sequence[str]], count: int) -> Lexical:
    """The index over so many chunks given as their tokens: the small engine or the large one, with the same scores."""
    return Okapi(list(chunks)) if count <= SMALL else Postings.of(chunks)


class Okapi:
    """rank_bm25 for a small library."""

    def __init__(self, chunks: Sequence[Sequence[str]]) -> None:
        # rank_bm25 divides by the number of chunks, and by their mean length
        self._index = _Positive([list(chunk) for chunk in chunks], k1=K1, b=B) if any(chunks) else None
        self._size = len(chunks)

    def scores(self, terms: Sequence[Term]) -> Scores:
        """A score for each chunk."""
        found = np.zeros(self._size)
        if self._index is not None:
            for term in terms:
                if term.token in self._index.idf:
                    found += term.weight * np.asarray(self._index.get_scores([term.token]))
        return found

    def idf(self, token: str) -> float:
        """How much a word tells."""
        known: Mapping[str, float] = self._index.idf if self._index is not None else {}
        return known.get(token, _idf(self._size, 0))


class _Positive(BM25Okapi):  # type: ignore[misc]
    """rank_bm25's own idf is below zero for a word of more than half the chunks: one document would find nothing."""

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        self.idf = {token: _idf(self.corpus_size, count) for token, count in nd.items()}


class Postings:
    """For each word the chunks it occurs in and how often, in three arrays."""

    def __init__(
        self,
        words: Mapping[str, int],
        starts: NDArray[Any],
        chunks: NDArray[Any],
        counts: NDArray[Any],
        lengths: NDArray[Any],
    ) -> None:
        self._words, self._starts, self._chunks = words, starts, chunks
        mean = float(lengths.mean()) if len(lengths) else 0.0
        norm = K1 * (1 - B + B * lengths / (mean or 1.0))
        self._gains = (counts * (K1 + 1) / (counts + norm[chunks])).astype(np.float64)
        self._size = len(lengths)

    @classmethod
    def of(cls, chunks: Iterable[Sequence[str]]) -> "Postings":
        """The postings of chunks given as their tokens, which are looked at once and not kept."""
        words: dict[str, int] = {}
        lengths: list[int] = []

        def numbers() -> Iterator[int]:
            for chunk in chunks:
                lengths.append(len(chunk))
                for token in chunk:
                    yield words.setdefault(token, len(words))

        word_of = np.fromiter(numbers(), np.int64)
        sizes = np.asarray(lengths, np.int64)
        # word and chunk as one number: sorted, the postings stand word by word, and equal ones are how often
        keys = word_of * max(len(sizes), 1) + np.repeat(np.arange(len(sizes)), sizes)
        postings, counts = np.unique(keys, return_counts=True)
        word_of, chunk_of = np.divmod(postings, max(len(sizes), 1))
        starts = np.searchsorted(word_of, np.arange(len(words) + 1))
        return cls(words, starts, chunk_of.astype(np.int32), counts.astype(np.int32), sizes)

    def scores(self, terms: Sequence[Term]) -> Scores:
        """A score for each chunk."""
        found = np.zeros(self._size)
        for term in terms:
            word = self._words.get(term.token)
            if word is not None:
                start, end = self._starts[word], self._starts[word + 1]
                found[self._chunks[start:end]] += (
                    term.weight * _idf(self._size, int(end - start)) * self._gains[start:end]
                )
        return found

    def idf(self, token: str) -> float:
        """How much a word tells."""
        word = self._words.get(token)
        return _idf(self._size, 0 if word is None else int(self._starts[word + 1] - self._starts[word]))


def _idf(chunks: int, having: int) -> float:
    return math.log(1 + (chunks - having + 0.5) / (having + 0.5))
