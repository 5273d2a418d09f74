"""How sure a search is that the answer to the question stands in what it found: a probability, 0 to 1.

    cosine     the likeness in meaning of the passage most alike
    first      and of the passage that comes first, by words and meaning together
    words      the best BM25 score as a share of the most the question's words could give
    covered    the share of the question's words, weighed by what they tell, in the first passage and in three
    agreed     how far the first five by words and by meaning are the same

A logistic curve over these, fitted on questions whose answer is known to be there or known not to be. A passage that
lacks names, years or figures of the question is then believed less: up to a third of it is taken off.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.periods import years
from rag.tokens import Term, number, tokens

_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w&.-]*")
_FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")


@dataclass(frozen=True)
class Signs:
    """What a search shows of how well it went, each from 0 to 1. `cosine` is None where no vectors are made."""

    cosine: float | None
    first: float
    words: float
    covered: float
    covered_by_three: float
    agreed: float


@dataclass(frozen=True)
class Curve:
    """The weights of a logistic curve over the signs."""

    base: float
    cosine: float
    first: float
    words: float
    covered: float
    covered_by_three: float
    agreed: float

    def probability(self, signs: Signs) -> float:
        """The probability that the answer is there."""
        x = self.base + sum(
            weight * (getattr(signs, name) or 0.0) for name, weight in vars(self).items() if name != "base"
        )
        return 1 / (1 + math.exp(-max(min(x, 30.0), -30.0)))


WITH_VECTORS = Curve(-9.31, 4.88, 6.54, 1.48, 3.45, 1.69, 1.47)
WORDS_ONLY = Curve(-4.57, 0.0, 0.0, 3.99, 5.11, 1.45, 0.0)
"""fitted on 600 questions to tables and paragraphs of yearly reports, against off-topic questions and those to other
papers; `python -m evaluation run --suite retrieval` says how well they hold elsewhere"""
_LACKING = 0.3


def confidence(signs: Signs, lacks: float = 0.0) -> float:
    """The calibrated probability. `lacks`: the share of the question's demands that the cited passage does not meet."""
    curve = WORDS_ONLY if signs.cosine is None else WITH_VECTORS
    return curve.probability(signs) * (1 - _LACKING * lacks)


def covered(terms: Sequence[Term], idf: Callable[[str], float], having: Sequence[frozenset[str]]) -> float:
    """The share of a question's own words, weighed by how much they tell, that these passages have."""
    typed = [term for term in terms if term.weight == 1]
    whole = sum(idf(term.token) for term in typed)
    there = frozenset().union(*having)
    told = (term for term in typed if term.token in there or any(way <= there for way in term.stands_for))
    return sum(idf(term.token) for term in told) / whole if whole else 0.0


def demands(question: str) -> tuple[str, ...]:
    """The names, years and figures of a question, as it writes them: what an answer has to be about."""
    found = [question[year.start : year.end].strip() for year in years(question)]
    taken = [(year.start, year.end) for year in years(question)]
    for pattern in (_CAPITAL, _FIGURE):
        found.extend(
            match[0].rstrip(".-")
            for match in pattern.finditer(question)
            if not any(start < match.end() and match.start() < end for start, end in taken)
        )
    return tuple(dict.fromkeys(found))


def lacking(asked: Sequence[str], having: frozenset[str]) -> tuple[str, ...]:
    """Those of a question's demands that a passage, given as its tokens, does not meet."""
    return tuple(one for one in asked if not _met(one, having))


def _met(asked: str, having: frozenset[str]) -> bool:
    told = list(years(asked))
    if told:
        return any(year.token in having or str(year.ends) in having for year in told)
    if asked[0].isdigit():
        return number(asked) in having
    words = tokens(asked)
    return not words or any(word in having for word in words)
