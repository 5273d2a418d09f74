"""A library's chunks in memory, ready to be searched: one version of what is stored, never changed.

question ─► terms ─► lexical scores ┐
         └► vector ─► nearest       ┴─► candidates ─► fused × routing × statement ─► places in order
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rag.confidence import Signs, confidence, covered, demands, lacking
from rag.dense import Dense
from rag.documents import Document, Filters
from rag.embedding import Vectors
from rag.fusion import (
    CANDIDATES,
    DENSE_SHARE,
    NAMED,
    SAME_PERIOD,
    STATEMENT,
    STATEMENT_MARK,
    Ranked,
    candidates,
    fused,
    names_document,
    same_period,
    statements_asked,
)
from rag.lexical import K1, Lexical, lexical_index
from rag.periods import years
from rag.store import Row
from rag.tokens import Term, question_terms, tokens

_FEW_DOCUMENTS = 0.34
"""a word of a name tells documents apart when at most this share of them has it"""


@dataclass(frozen=True)
class Found:
    """What a search came to: the chunks from the best on, and the signs of how well it went."""

    ranked: Sequence[Ranked]
    signs: Signs
    asked: tuple[str, ...]
    """the names, years and figures of the question"""


class Index:
    """One version of the library, for searching."""

    def __init__(
        self, version: int, rows: Sequence[Row], documents: Mapping[str, Document], dense: Dense | None
    ) -> None:
        self.version = version
        self.rows = rows
        self.documents = documents
        self._dense = dense
        self._lexical: Lexical = lexical_index((row.tokens.split(" ") if row.tokens else [] for row in rows), len(rows))

    @property
    def by_meaning(self) -> bool:
        """Whether any chunk has its vector."""
        return self._dense is not None

    def search(self, question: str, vector: Vectors | None, filters: Filters, share: float = DENSE_SHARE) -> Found:
        """The chunks that answer a question best. `share`: how much meaning counts beside words, 0 to 1."""
        terms = question_terms(question)
        allowed = self._allowed(filters)
        scores = self._lexical.scores(terms)
        dense = self._dense if vector is not None else None
        nearest = dense.nearest(vector, CANDIDATES, allowed) if dense is not None and vector is not None else []
        places = candidates(scores, nearest, allowed)
        cosines = dense.cosines(vector, places) if dense is not None and vector is not None else {}
        ranked = fused(places, scores, cosines, self._factors(question, places), share)
        asked = demands(question)
        return Found(ranked, self._signs(terms, nearest, ranked, cosines=cosines), asked)

    def lacking(self, found: Found, place: int) -> tuple[str, ...]:
        """The names, years and figures of the question that a chunk does not have."""
        return lacking(found.asked, self.tokens_of(place))

    def sureness(self, found: Found, place: int) -> float:
        """The probability that the answer stands in what was found, cited from this chunk."""
        lacks = len(self.lacking(found, place)) / len(found.asked) if found.asked else 0.0
        return confidence(found.signs, lacks)

    def tokens_of(self, place: int) -> frozenset[str]:
        """A chunk's tokens, with those of its document's name and period."""
        row = self.rows[place]
        return frozenset(row.tokens.split(" ")) | self._about[row.document]

    def _allowed(self, filters: Filters) -> NDArray[np.bool_] | None:
        if filters == Filters():
            return None
        passed = {identity for identity, document in self.documents.items() if _passes(document, filters)}
        return np.asarray(
            [row.document in passed and (row.kind == "table" or not filters.tables_only) for row in self.rows], np.bool_
        )

    def _factors(self, question: str, places: Sequence[int]) -> Mapping[int, float]:
        said, told, asked = frozenset(tokens(question)), tuple(years(question)), statements_asked(question)
        of_document = {
            identity: (NAMED if names_document(said, self._names[identity], self._rare) else 1.0)
            * (SAME_PERIOD if same_period(told, document.metadata.period) else 1.0)
            for identity, document in self.documents.items()
        }
        found = {}
        for place in places:
            row = self.rows[place]
            factor = of_document.get(row.document, 1.0)
            if asked and STATEMENT_MARK in row.tokens and not asked.isdisjoint(row.tokens.split(" ")):
                factor *= STATEMENT
            found[place] = factor
        return found

    def _signs(
        self, terms: Sequence[Term], nearest: Sequence[tuple[int, float]], ranked: Sequence[Ranked],
        *, cosines: Mapping[int, float],
    ) -> Signs:  # fmt: skip
        first = [self.tokens_of(one.place) for one in ranked[:3]]
        most = (K1 + 1) * sum(self._lexical.idf(term.token) for term in terms if term.weight == 1)
        by_words = sorted((one for one in ranked if one.lexical > 0), key=lambda one: -one.lexical)[:5]
        by_meaning = {place for place, _ in nearest[:5]}
        return Signs(
            cosine=max(cosines.values()) if cosines else None,
            first=max((ranked[0].dense or 0.0) if ranked else 0.0, 0.0),
            words=min(max((one.lexical for one in ranked), default=0.0) / most, 1.0) if most else 0.0,
            covered=covered(terms, self._lexical.idf, first[:1]),
            covered_by_three=covered(terms, self._lexical.idf, first),
            agreed=sum(one.place in by_meaning for one in by_words) / 5,
        )

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each document's file name, title and publisher."""
        return {identity: tuple(tokens(_name_text(document))) for identity, document in self.documents.items()}

    @cached_property
    def _about(self) -> Mapping[str, frozenset[str]]:
        return {
            identity: frozenset(self._names[identity]) | frozenset(tokens(document.metadata.period))
            for identity, document in self.documents.items()
        }

    @cached_property
    def _rare(self) -> frozenset[str]:
        """The words of names that tell documents apart; years do so by the period."""
        having = Counter(token for name in self._names.values() for token in set(name))
        most = max(_FEW_DOCUMENTS * len(self._names), 1)
        return frozenset(token for token, count in having.items() if count <= most and not token[-1].isdigit())


def _name_text(document: Document) -> str:
    stem = document.file.rsplit(".", 1)[0].replace("_", " ").replace("-", " ")
    return f"{stem} {document.metadata.title} {document.metadata.publisher}"


def _passes(document: Document, filters: Filters) -> bool:
    metadata = document.metadata
    if filters.documents and document.id not in filters.documents:
        return False
    wanted = (
        (filters.domain, metadata.domain),
        (filters.jurisdiction, metadata.jurisdiction),
        (filters.tax_year, metadata.tax_year),
        (filters.publisher, metadata.publisher),
    )
    if any(want and want.casefold() != have.casefold() for want, have in wanted):
        return False
    if not filters.period:
        return True
    told = {year.ends for year in years(filters.period)}
    return same_period(tuple(years(metadata.period)), filters.period) if told else metadata.period == filters.period
