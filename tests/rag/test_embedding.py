import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import embedding as module
from rag.embedding import SIZE, Embedding, EmbeddingMissing, embedding
from rag.word_pieces import WordPieces

PIECES = WordPieces(
    {piece: number for number, piece in enumerate(["[UNK]", "[CLS]", "[SEP]", "up", "##i", "via", ",", "₹", "##5"])}
)


def test_a_word_is_the_longest_pieces_from_its_beginning() -> None:
    assert PIECES.encode("Via UPI, ₹5", 16) == [1, 5, 3, 4, 6, 7, 8, 2]


def test_a_word_that_no_pieces_make_is_unknown_as_a_whole() -> None:
    assert PIECES.encode("upset via", 16) == [1, 0, 5, 2]


@given(st.text(max_size=80), st.integers(2, 20))
def test_any_text_is_at_most_so_many_pieces_between_its_marks(text: str, longest: int) -> None:
    numbers = PIECES.encode(text, longest)
    assert numbers[0] == 1
    assert numbers[-1] == 2
    assert len(numbers) <= longest


def test_texts_of_like_meaning_are_nearer_than_others() -> None:
    rent, house, tea = embedding().vectors(
        ["how much rent did I pay", "what I spent on the house's rent", "a cup of tea"]
    )
    assert rent @ house > rent @ tea + 0.2


def test_every_vector_has_length_one_and_stands_at_its_text() -> None:
    texts = ["tea", "a much longer text about the price of gold in the month of november", "rent"]
    together = embedding().vectors(texts)
    assert together.shape == (3, SIZE)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for row, text in zip(together, texts, strict=True):
        assert np.allclose(row, embedding().vectors([text])[0], atol=2e-2)


def test_another_file_than_the_measured_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"not the model")
    assert hashlib.sha256(other.read_bytes()).hexdigest() != module.SHA256
    with pytest.raises(EmbeddingMissing, match="not the model that was measured"):
        Embedding.load(other)
    with pytest.raises(EmbeddingMissing, match="cannot be read"):
        Embedding.load(tmp_path / "none.onnx")
