"""How far a search's confidence can be trusted: high where the answer is in the library, low where it is not.

    answerable    the questions of a set, put to its own library
    off-topic     messages that are about nothing a library holds (UNKNOWN rows of dev/intents.jsonl beside the sets)
    uncovered     the questions of the other sets
    removed       the set's own questions with the answering document taken out

AUROC is the chance that an answerable question gets the higher confidence of the two. The expected calibration error
is taken over answerable, off-topic and uncovered questions, the first weighing as much as the others together. The
curve was fitted on the set named FITTED_ON; the figures of the other sets are those that count.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.retrieval import LabelledSet, Question, Values, Verdict
from rag.dense import Embedder
from rag.documents import Filters
from rag.tokens import spelled_out

FITTED_ON = "tatqa_dev600"
THRESHOLD = 0.6
"""at or above it an answer is given without a hold"""
_BINS = 10
_REMOVED = 300
"""questions of a set asked again without their document"""


@dataclass(frozen=True)
class Bin:
    """Questions of like confidence: their number by weight, the mean confidence, and the share that has an answer."""

    share: float
    sure: float
    right: float


@dataclass(frozen=True)
class SurenessResult:
    """A set's figures, the curve of its calibration, and the verdicts."""

    name: str
    verdicts: Sequence[Verdict]
    curve: Sequence[Bin]

    @property
    def met(self) -> bool:
        """Whether every bar is met."""
        return all(verdict.met for verdict in self.verdicts)


def judged_sureness(
    labelled: LabelledSet, others: Sequence[Question], off_topic: Sequence[str], embedder: Embedder
) -> SurenessResult:
    """One set's confidence measured, with the questions of the other sets and the off-topic ones."""
    answerable = _sure(labelled, labelled.questions)
    uncovered = _sure(labelled, others)
    off = np.empty(0)
    if off_topic:
        vectors = embedder.vectors([spelled_out(text) for text in off_topic])
        off = _sure(labelled, [Question(text, vector, {}) for text, vector in zip(off_topic, vectors, strict=True)])
    kept, removed = _without_documents(labelled)
    verdicts = []
    for name, values, mine, bar in (
        ("off-topic", off, answerable, 0.98),
        ("uncovered", uncovered, answerable, 0.95),
        ("removed", removed, kept, 0.75),
    ):
        if len(values):
            value = auroc(mine, values)
            verdicts.append(
                Verdict(f"AUROC against {name} {value:.3f} (n {len(values)}): at least {bar:.2f}", value >= bar)
            )
    curve = calibration(answerable, off, uncovered)
    error = sum(one.share * abs(one.sure - one.right) for one in curve)
    verdicts.append(Verdict(f"expected calibration error {error:.3f}: at most 0.08", error <= 0.08))
    for name, values, bar in (("off-topic", off, 0.05), ("uncovered", uncovered, 0.10)):
        if len(values):
            share = float((values >= THRESHOLD).mean())
            verdicts.append(Verdict(f"{name} answered without a hold {share:.1%}: at most {bar:.0%}", share <= bar))
    share = float((answerable >= THRESHOLD).mean())
    verdicts.append(Verdict(f"answerable answered {share:.1%}: at least 85%", share >= 0.85))
    return SurenessResult(labelled.name, verdicts, curve)


def auroc(high: Values, low: Values) -> float:
    """The chance that one of `high` is above one of `low`; a tie counts half."""
    above = (high[:, None] > low[None]).mean()
    return float(above + 0.5 * (high[:, None] == low[None]).mean())


def calibration(answerable: Values, off: Values, uncovered: Values) -> Sequence[Bin]:
    """The confidences in ten bins, beside the share that has an answer in each; answerable ones weigh half of all."""
    groups = [group for group in (off, uncovered) if len(group)]
    sure = np.concatenate([answerable, *groups])
    right = np.concatenate([np.ones(len(answerable)), np.zeros(sum(map(len, groups)))])
    weight = np.concatenate(
        [np.full(len(answerable), 0.5 / len(answerable))]
        + [np.full(len(g), 0.5 / len(groups) / len(g)) for g in groups]
    )
    of = np.minimum((sure * _BINS).astype(int), _BINS - 1)
    total = weight.sum()
    return [
        Bin(
            float(weight[of == place].sum() / total),
            float(np.average(sure[of == place], weights=weight[of == place])),
            float(np.average(right[of == place], weights=weight[of == place])),
        )
        for place in range(_BINS)
        if (of == place).any()
    ]


def off_topic_messages(folder: Path) -> Sequence[str]:
    """The messages about nothing a library holds, from the labelled messages beside the sets, where there are any."""
    path = folder.parent / "dev" / "intents.jsonl"
    if not path.is_file():
        return ()
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [str(record["text"]) for record in records if record.get("our_intent") == "UNKNOWN"]


def as_text(results: Sequence[SurenessResult]) -> str:
    """The verdicts of each set and its curve."""
    lines = ["How far the confidence can be trusted", ""]
    for result in results:
        lines.append(f"{result.name}{'  (the curve was fitted on it)' if result.name == FITTED_ON else ''}")
        lines.extend(f"  {verdict.sentence}  {'Met' if verdict.met else 'Below'}" for verdict in result.verdicts)
        lines.append("  sure → has an answer (share of all): " + ", ".join(
            f"{one.sure:.2f} → {one.right:.2f} ({one.share:.0%})" for one in result.curve
        ))  # fmt: skip
        lines.append("")
    below = [result.name for result in results if not result.met]
    lines.append(f"Below a bar: {', '.join(below)}." if below else "Every bar is met.")
    return "\n".join(lines)


def as_record(result: SurenessResult) -> dict[str, object]:
    """A set's figures for a program."""
    return {
        "set": result.name,
        "met": result.met,
        "fitted_on": result.name == FITTED_ON,
        "verdicts": [{"sentence": one.sentence, "met": one.met} for one in result.verdicts],
        "curve": [vars(one) for one in result.curve],
    }


def _sure(labelled: LabelledSet, questions: Sequence[Question], filters: Filters = Filters()) -> Values:  # noqa: B008
    return np.asarray([_one(labelled, question, filters) for question in questions], np.float64)


def _one(labelled: LabelledSet, question: Question, filters: Filters) -> float:
    found = labelled.index.search(question.text, question.vector, filters)
    return labelled.index.sureness(found, found.ranked[0].place) if found.ranked else 0.0


def _without_documents(labelled: LabelledSet) -> tuple[Values, Values]:
    """The confidences of questions with and without the documents that answer them."""
    owners: dict[str, set[str]] = {}
    for row, owner in zip(labelled.index.rows, labelled.rows, strict=True):
        owners.setdefault(owner, set()).add(row.document)
    every = {row.document for row in labelled.index.rows}
    if len(every) < 2:
        return np.empty(0), np.empty(0)
    asked = list(labelled.questions[:_REMOVED])
    left = [every - set().union(*(owners[row] for row in question.relevant)) for question in asked]
    removed = [
        _one(labelled, question, Filters(documents=frozenset(documents)))
        for question, documents in zip(asked, left, strict=True)
    ]
    return _sure(labelled, asked), np.asarray(removed, np.float64)
