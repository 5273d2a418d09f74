"""python -m agent.language.training: make the classifier's weights anew from `phrases/*.toml`.

A logistic regression over the sentences' vectors, weighted so that no intent drowns in another, fitted by gradient
steps from zero: the same phrases give the same weights. The temperature is the one under which phrases that were left
out (ten folds) are least surprising; what that gives is printed.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.language.classifier import LONGEST_READ, PHRASES, WEIGHTS, Model, hash_of_phrases
from rag.embedding import embedding

FOLDS = 10
STEPS = 1500
RATE = 4.0
RIDGE = 1e-3
"""how much large weights cost"""
_TEMPERATURES = np.geomspace(0.2, 5, 60)

Matrix = NDArray[np.float64]


def labelled(folder: Path = PHRASES) -> tuple[tuple[str, str], ...]:
    """Each phrase with its intent, in the order of the files."""
    return tuple(_read(folder))


def _read(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.toml")):
        for intent, phrases in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for phrase in phrases:
                yield phrase, intent


def trained(folder: Path = PHRASES) -> tuple[Model, float]:
    """The model of the phrases, and the share of left-out phrases whose likeliest intent was right."""
    rows = labelled(folder)
    intents = tuple(sorted({intent for _, intent in rows}))
    vectors = embedding().vectors([phrase for phrase, _ in rows], LONGEST_READ).astype(np.float64)
    wanted = np.array([intents.index(intent) for _, intent in rows])
    folds = np.arange(len(rows)) * 7919 % FOLDS
    scores = np.zeros((len(rows), len(intents)))
    for fold in range(FOLDS):
        out = folds == fold
        scores[out] = _scores(vectors[out], _fit(vectors[~out], wanted[~out], len(intents)))
    temperature = min(_TEMPERATURES, key=lambda each: _surprise(scores / each, wanted))
    right = float(np.mean(scores.argmax(axis=1) == wanted))
    weights = _fit(vectors, wanted, len(intents)).astype(np.float32)
    return Model(intents, weights, float(temperature), hash_of_phrases(folder)), right


def _fit(vectors: Matrix, wanted: NDArray[np.int64], count: int) -> Matrix:
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    targets = np.eye(count)[wanted]
    # an intent with few phrases counts as much as the square root of its share allows
    sizes = targets.sum(axis=0)
    importance = (1 / np.sqrt(sizes))[wanted]
    importance /= importance.sum()
    weights = np.zeros((rows.shape[1], count))
    moved = np.zeros_like(weights)
    for _ in range(STEPS):
        slope = rows.T @ ((_shares(rows @ weights) - targets) * importance[:, None]) + RIDGE * weights
        moved = 0.9 * moved - RATE * slope
        weights += moved
    return weights


def _scores(vectors: Matrix, weights: Matrix) -> Matrix:
    return np.asarray(vectors @ weights[:-1] + weights[-1])


def _shares(scores: Matrix) -> Matrix:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _surprise(scores: Matrix, wanted: NDArray[np.int64]) -> float:
    return float(-np.log(_shares(scores)[np.arange(len(wanted)), wanted] + 1e-12).mean())


def main() -> None:
    """Make the weights and say how well they do."""
    model, right = trained()
    model.save(WEIGHTS)
    sys.stdout.write(
        f"{len(labelled())} phrases of {len(model.intents)} intents; of those left out {right:.1%} right; "
        f"temperature {model.temperature:.2f}\n"
    )


if __name__ == "__main__":
    main()
