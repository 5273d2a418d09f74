"""The likeliest intents of a message, by meaning: asked only where the rules are unsure.

    message ─embedding─► 384 numbers ─logistic regression─► a calibrated probability for each intent

The weights are made from `phrases/*.toml` by `python -m agent.language.training` and kept beside them; a test fails
when they are stale. Without the embedding's package there are no guesses, and the rules stand alone.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.embedding import EmbeddingMissing, embedding

PHRASES = Path(__file__).parent / "phrases"
WEIGHTS = PHRASES / "weights.npz"
_WORD = re.compile(r"[^\W\d_]+")
LONGEST_READ = 64
"""word pieces of a message that are read"""


@dataclass(frozen=True)
class Guess:
    """An intent and how probable it is, 0 to 1, calibrated on phrases that were left out of the fit."""

    intent: str
    probability: float


@dataclass(frozen=True)
class Model:
    """The regression: one column of weights an intent, and the temperature that makes its probabilities honest."""

    intents: tuple[str, ...]
    weights: NDArray[np.float32]
    """385 × intents; the last row is the bias"""
    temperature: float
    phrases: str
    """the hash of the phrases it was made from"""

    def guesses(self, vector: NDArray[np.float32]) -> tuple[Guess, ...]:
        """Every intent, the likeliest first."""
        scores = (vector @ self.weights[:-1] + self.weights[-1]) / self.temperature
        powers = np.exp(scores - scores.max())
        shares = powers / powers.sum()
        return tuple(Guess(self.intents[place], float(shares[place])) for place in np.argsort(-shares))

    def save(self, path: Path) -> None:
        """Write it beside the phrases."""
        np.savez_compressed(
            path,
            intents=np.array(self.intents),
            weights=self.weights.astype(np.float16),
            temperature=np.array(self.temperature),
            phrases=np.array(self.phrases),
        )


def likely(message: str) -> tuple[Guess, ...]:
    """The intents of a message, the likeliest first.

    None where the embedding or the weights are missing, and of words that are mostly no words: `lkjh poiu mnbv` means
    nothing, however near something it comes to lie.
    """
    said = _WORD.findall(message.casefold())
    if sum(word in known_words() for word in said) * 2 < len(said):
        return ()
    try:
        return model().guesses(embedding().vectors([message], LONGEST_READ)[0])
    except (EmbeddingMissing, FileNotFoundError):
        return ()


@cache
def known_words(folder: Path = PHRASES) -> frozenset[str]:
    """Every word of the phrases."""
    return frozenset(
        word for file in folder.glob("*.toml") for word in _WORD.findall(file.read_text("utf-8").casefold())
    )


@cache
def model() -> Model:
    """The packaged weights. Raises FileNotFoundError where they were never made."""
    with np.load(WEIGHTS) as kept:
        return Model(
            tuple(str(name) for name in kept["intents"]),
            kept["weights"].astype(np.float32),
            float(kept["temperature"]),
            str(kept["phrases"]),
        )


def hash_of_phrases(folder: Path = PHRASES) -> str:
    """Changes whenever a phrase does."""
    files = sorted(folder.glob("*.toml"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
