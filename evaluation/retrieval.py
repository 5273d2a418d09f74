"""How well a question finds its page: labelled sets put into a library of their own and asked, in three ways.

    DIR/<set>/{corpus,queries,qrels}.jsonl  ─►  documents with pages and chunks  ─►  lexical | dense | fused
                                             ─►  recall@1/5/10, MRR@10, nDCG@10, each with a 95 % interval by bootstrap

The corpus' rows of one title are one document, each row a page of it; a chunk counts as its row. In a set whose rows
have a `ref`, several rows are one answer (a section of an act in parts) and count as one.
"""

import hashlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.dense import Dense, Embedder
from rag.documents import Document, Filters, Metadata, Page
from rag.embedding import Vectors, embedding
from rag.fusion import DENSE_SHARE
from rag.index import Found, Index
from rag.library import meant, with_tokens
from rag.store import Row
from rag.tokens import spelled_out

SETS = ("tatqa_dev600", "india_dev", "incometax")
LARGE = "tatqa_dev600"
WAYS: Mapping[str, float] = {"lexical": 0.0, "dense": 1.0, "fused": DENSE_SHARE}
"""how much meaning counts in each way"""
MEASURES = ("recall@1", "recall@5", "recall@10", "MRR@10", "nDCG@10")
LEAST_NDCG = 0.60
_RESAMPLES = 10_000
_SEED = 20261130
_DEEP = 10

Values = NDArray[np.float64]


class DataRefused(ValueError):
    """A labelled set that cannot be read, with what is wrong."""


@dataclass(frozen=True)
class Question:
    """A question, its vector, and the rows that answer it with how well they do."""

    text: str
    vector: Vectors
    relevant: Mapping[str, float]


@dataclass(frozen=True)
class LabelledSet:
    """A set as a library: the index over its corpus, the row each chunk belongs to, and the questions."""

    name: str
    index: Index
    rows: Sequence[str]
    questions: Sequence[Question]

    def found(self, question: Question, share: float) -> Found:
        """What the library gives for a question."""
        return self.index.search(question.text, question.vector, Filters(), share)

    def order(self, found: Found) -> list[str]:
        """The corpus' rows a search gives, best first, each once."""
        return list(dict.fromkeys(self.rows[one.place] for one in found.ranked))[:_DEEP]


@dataclass(frozen=True)
class Measured:
    """A measure of one way on one set: its mean and the 95 % interval of the mean."""

    name: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """A bar and whether it is met."""

    sentence: str
    met: bool


@dataclass(frozen=True)
class SetResult:
    """A set's measures for each way, and the verdicts on the fused one."""

    name: str
    n: int
    measures: Mapping[str, Sequence[Measured]]
    verdicts: Sequence[Verdict]

    @property
    def met(self) -> bool:
        """Whether every bar is met."""
        return all(verdict.met for verdict in self.verdicts)


def read_sets(folder: Path, embedder: Embedder) -> Sequence[LabelledSet]:
    """Every set of the folder as a library. Raises DataRefused."""
    names = [name for name in SETS if (folder / name).is_dir()]
    names += sorted(path.parent.name for path in folder.glob("*/queries.jsonl") if path.parent.name not in SETS)
    if not names:
        raise DataRefused(f"{folder} holds no set: a folder with corpus, queries and qrels as .jsonl.")
    return [read_set(folder / name, embedder) for name in names]


def read_set(folder: Path, embedder: Embedder, without: frozenset[str] = frozenset()) -> LabelledSet:
    """A labelled set as a library; `without`: titles of documents that are left out. Raises DataRefused."""
    records = list(_records(folder / "corpus.jsonl"))
    refs = {str(record["_id"]): str(record.get("ref") or record["_id"]) for record in records}
    by_title: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        by_title.setdefault(str(record.get("title", "")), []).append(record)
    rows: list[Row] = []
    owners: list[str] = []
    texts: list[str] = []
    documents: dict[str, Document] = {}
    for title, pages in by_title.items():
        if title in without:
            continue
        documents[title] = _document(title)
        for number, record in enumerate(pages, 1):
            page = Page(number, str(record.get("page", number)), str(record["text"]))
            for chunk, words in with_tokens([page], title, str(record.get("heading") or "")):
                rows.append(
                    Row(
                        title,
                        len(rows),
                        number,
                        chunk.start,
                        chunk.end,
                        chunk.kind,
                        chunk.heading,
                        chunk.lead,
                        " ".join(words),
                    )
                )
                owners.append(refs[str(record["_id"])])
                texts.append(meant(chunk.heading, chunk.text, chunk.lead))
    dense = Dense(range(len(rows)), embedder.vectors(texts), len(rows))
    return LabelledSet(folder.name, Index(0, rows, documents, dense), owners, _questions(folder, refs, embedder))


def judged(labelled: LabelledSet) -> SetResult:
    """A set measured in each way, with the verdicts on the fused one."""
    scores = {
        way: np.asarray(
            [_scores(labelled.order(labelled.found(one, share)), one.relevant) for one in labelled.questions]
        )
        for way, share in WAYS.items()
    }
    draws = np.random.default_rng(_SEED).integers(0, len(labelled.questions), (_RESAMPLES, len(labelled.questions)))
    measures = {
        way: [
            Measured(name, float(values[:, place].mean()), *_interval(values[:, place], draws))
            for place, name in enumerate(MEASURES)
        ]
        for way, values in scores.items()
    }
    ndcg = {way: values[:, -1] for way, values in scores.items()}
    return SetResult(labelled.name, len(labelled.questions), measures, _verdicts(labelled.name, ndcg, draws))


def _verdicts(name: str, ndcg: Mapping[str, Values], draws: NDArray[np.int64]) -> list[Verdict]:
    found = []
    if name == LARGE:
        low, high = _interval(ndcg["fused"] - ndcg["lexical"], draws)
        gain = float((ndcg["fused"] - ndcg["lexical"]).mean())
        said = f"fused - lexical nDCG@10 {gain:+.3f}, paired 95 % interval {low:+.3f} to {high:+.3f}: above 0"
        found.append(Verdict(said, low > 0))
        fused = float(ndcg["fused"].mean())
        found.append(Verdict(f"fused nDCG@10 {fused:.3f}: at least {LEAST_NDCG:.2f}", fused >= LEAST_NDCG))
    better = max(("lexical", "dense"), key=lambda way: float(ndcg[way].mean()))
    low, high = _interval(ndcg["fused"] - ndcg[better], draws)
    said = f"fused - {better} (the better one) {low:+.3f} to {high:+.3f}: not wholly below 0"
    return [*found, Verdict(said, high >= 0)]


def _scores(order: Sequence[str], relevant: Mapping[str, float]) -> tuple[float, ...]:
    """Recall at 1, 5 and 10, the reciprocal rank and nDCG at 10 of one question."""
    hits = [relevant.get(row, 0.0) for row in order]
    recalls = [sum(hit > 0 for hit in hits[:k]) / len(relevant) for k in (1, 5, 10)]
    rank = next((place for place, hit in enumerate(hits, 1) if hit > 0), 0)
    gained = sum(hit / math.log2(place + 1) for place, hit in enumerate(hits, 1))
    best = sum(
        hit / math.log2(place + 1) for place, hit in enumerate(sorted(relevant.values(), reverse=True)[:_DEEP], 1)
    )
    return (*recalls, 1 / rank if rank else 0.0, gained / best)


def _interval(values: Values, draws: NDArray[np.int64]) -> tuple[float, float]:
    """Where the mean of all such questions lies with 95 % confidence: percentiles of the means of resamples."""
    means = values[draws].mean(axis=1)
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def _questions(folder: Path, refs: Mapping[str, str], embedder: Embedder) -> Sequence[Question]:
    relevant: dict[str, dict[str, float]] = {}
    for record in _records(folder / "qrels.jsonl"):
        row, score = refs.get(str(record["corpus-id"])), float(record.get("score", 1))
        if row is not None and score > 0:
            known = relevant.setdefault(str(record["query-id"]), {})
            known[row] = max(score, known.get(row, 0.0))
    asked = [record for record in _records(folder / "queries.jsonl") if str(record["_id"]) in relevant]
    if not asked:
        raise DataRefused(f"{folder.name} has no question with an answer in its corpus.")
    vectors = embedder.vectors([spelled_out(str(record["text"])) for record in asked])
    return [
        Question(str(record["text"]), vector, relevant[str(record["_id"])])
        for record, vector in zip(asked, vectors, strict=True)
    ]


def _document(title: str) -> Document:
    return Document(title, f"{title}.pdf", "pdf", Metadata(title=title), "ready", 0, 0, 0, 0, "")


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataRefused(f"{path.parent.name}/{path.name} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataRefused(f"{path.parent.name}/{path.name}, line {number} is not JSON: {error.msg}.") from error
        if not isinstance(record, dict):
            raise DataRefused(f"{path.parent.name}/{path.name}, line {number} is no object.")
        yield record


class Remembering:
    """An embedder that keeps the vectors it made in a file: a second measurement needs no minutes."""

    def __init__(self, path: Path, make: Callable[[], Embedder] = embedding) -> None:
        self._path, self._make = path, make

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        with sqlite3.connect(self._path, timeout=60) as kept:
            kept.execute("CREATE TABLE IF NOT EXISTS v (k TEXT PRIMARY KEY, v BLOB)")
            known = dict(self._known(kept, keys))
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if missing:
                made = self._make().vectors(list(missing.values()))
                rows = [(key, vector.tobytes()) for key, vector in zip(missing, made, strict=True)]
                kept.executemany("INSERT OR IGNORE INTO v VALUES (?, ?)", rows)
                known |= dict(rows)
        return np.stack([np.frombuffer(known[key], np.float32) for key in keys])

    @staticmethod
    def _known(kept: sqlite3.Connection, keys: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for key in dict.fromkeys(keys):
            row = kept.execute("SELECT v FROM v WHERE k = ?", (key,)).fetchone()
            if row is not None:
                yield key, row[0]


def as_text(results: Sequence[SetResult]) -> str:
    """The ways side by side, each measure with its interval, and the verdicts."""
    lines = []
    for result in results:
        lines.append(f"{result.name}  {result.n} questions")
        lines.append(f"  {'':<10}" + "".join(f"{way:<24}" for way in result.measures))
        for place, name in enumerate(MEASURES):
            cells = (values[place] for values in result.measures.values())
            lines.append(
                f"  {name:<10}" + "".join(f"{c.mean:.3f} ({c.low:.3f} to {c.high:.3f})".ljust(24) for c in cells)
            )
        lines.extend(f"  {verdict.sentence}  {'Met' if verdict.met else 'Below'}" for verdict in result.verdicts)
        lines.append("")
    below = [result.name for result in results if not result.met]
    lines.append(f"Below the bar: {', '.join(below)}." if below else "Every bar is met.")
    return "\n".join(lines)


def as_record(result: SetResult) -> dict[str, object]:
    """A set's measures for a program."""
    return {
        "set": result.name,
        "n": result.n,
        "met": result.met,
        "ways": {
            way: {
                one.name: {"mean": round(one.mean, 4), "interval": [round(one.low, 4), round(one.high, 4)]}
                for one in values
            }
            for way, values in result.measures.items()
        },
        "verdicts": [{"sentence": one.sentence, "met": one.met} for one in result.verdicts],
    }
