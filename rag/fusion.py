"""Words and meaning made one order of passages.

    candidates     the first hundred by words and by meaning
    base           0.7 · words / best words  +  0.3 · meaning, its range among the candidates made 0 to 1
    routing        × 1.25 where the question names the document, × 1.15 where it names the document's period
    statement      × 1.5 for a page that is the statement one of whose lines is asked

Both sides are compared by how good they are and not by their ranks: a weak model's ranks would spoil good words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag.lexical import Scores
from rag.periods import Year, years
from rag.tokens import tokens, vocabulary

CANDIDATES = 100
DENSE_SHARE = 0.3
NAMED, SAME_PERIOD, STATEMENT = 1.25, 1.15, 1.5
STATEMENT_MARK = "§"
"""begins the token that marks the chunks of a statement's page"""
_NUMBERS_OF_A_STATEMENT = 25


@dataclass(frozen=True)
class Ranked:
    """A chunk by its place in the index, with what made its score."""

    place: int
    score: float
    lexical: float
    dense: float | None
    factor: float


def candidates(lexical: Scores, nearest: Sequence[tuple[int, float]], allowed: NDArray[np.bool_] | None) -> list[int]:
    """The chunks worth ordering: the best by words that have any, and the nearest by meaning."""
    scores = lexical if allowed is None else np.where(allowed, lexical, 0.0)
    first = min(CANDIDATES, len(scores))
    best = np.argpartition(-scores, first - 1)[:first] if first else np.empty(0, np.int64)
    return sorted({int(place) for place in best if scores[place] > 0} | {place for place, _ in nearest})


def fused(
    places: Sequence[int], lexical: Scores, cosines: Mapping[int, float], factors: Mapping[int, float],
    share: float = DENSE_SHARE,
) -> list[Ranked]:  # fmt: skip
    """The candidates from the best on; those equally good in the order in which they stand."""
    most = max((float(lexical[place]) for place in places), default=0.0)
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=0.0)
    # a chunk whose vector is not made yet counts as the middle one: neither lifted nor buried
    middle = float(np.median(list(cosines.values()))) if cosines else 0.0
    ranked = []
    for place in places:
        words = float(lexical[place]) / most if most > 0 else 0.0
        score = words
        if cosines:
            meaning = (cosines.get(place, middle) - low) / (high - low) if high > low else 0.0
            score = (1 - share) * words + share * meaning
        factor = factors.get(place, 1.0)
        ranked.append(Ranked(place, score * factor, float(lexical[place]), cosines.get(place), factor))
    return sorted(ranked, key=lambda one: (-one.score, one.place))


def statement_marks(text: str) -> tuple[str, ...]:
    """The marks of a page that is a yearly report's statement: it says so at its head and is full of figures."""
    head = f" {' '.join(tokens(text[:600]))} "
    if sum(token.replace(".", "").isdigit() for token in tokens(text)) < _NUMBERS_OF_A_STATEMENT:
        return ()
    return tuple(
        f"{STATEMENT_MARK}{number}"
        for number, statement in enumerate(vocabulary()["statement"])
        if any(f" {' '.join(tokens(title))} " in head for title in statement["titles"])
    )


def statements_asked(question: str) -> frozenset[str]:
    """The marks of the statements one of whose lines a question asks for."""
    asked = f" {' '.join(tokens(question))} "
    return frozenset(
        f"{STATEMENT_MARK}{number}"
        for number, statement in enumerate(vocabulary()["statement"])
        if any(f" {' '.join(tokens(line))} " in asked for line in statement["asked"])
    )


def names_document(question: frozenset[str], name: Sequence[str], rare: frozenset[str]) -> bool:
    """Whether a question says a word of a document's name that few documents have."""
    return any(token in question and token in rare for token in name)


def same_period(question: Sequence[Year], period: str) -> bool:
    """Whether a question names the period of a document."""
    told = {year.ends for year in years(period)}
    return any(year.ends in told for year in question)
