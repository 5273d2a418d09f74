"""The measurement of retrieval: its figures on a small labelled set made here."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from evaluation.retrieval import DataRefused, Remembering, judged, read_set, read_sets
from evaluation.sureness import auroc, calibration, judged_sureness

CORPUS = {
    "a": "The repo rate is 6.5 per cent.",
    "b": "Banks keep a cash reserve ratio.",
    "c": "Tax is deducted on rent.",
}
QUESTIONS = {"q1": ("What is the repo rate?", "a"), "q2": ("cash reserve ratio", "b"), "q3": ("TDS on rent", "c")}


class ByLetters:
    """An embedder that counts letters."""

    asked = 0

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += len(texts)
        rows = np.asarray([[text.lower().count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "small"
    made.mkdir()
    lines = {
        "corpus": [{"_id": key, "title": f"doc {key}", "page": 1, "text": text} for key, text in CORPUS.items()],
        "queries": [{"_id": key, "text": text} for key, (text, _) in QUESTIONS.items()],
        "qrels": [{"query-id": key, "corpus-id": row, "score": 1} for key, (_, row) in QUESTIONS.items()],
    }
    for name, records in lines.items():
        (made / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)))
    return tmp_path


def test_a_set_whose_questions_are_all_answered_first_scores_one(folder: Path) -> None:
    result = judged(read_set(folder / "small", ByLetters()))
    assert {one.name: one.mean for one in result.measures["lexical"]} == dict.fromkeys(
        ("recall@1", "recall@5", "recall@10", "MRR@10", "nDCG@10"), 1.0
    )
    assert result.met


def test_a_broken_line_is_named(folder: Path) -> None:
    (folder / "small" / "queries.jsonl").write_text("{broken")
    with pytest.raises(DataRefused, match=r"queries\.jsonl, line 1"):
        read_sets(folder, ByLetters())


def test_vectors_that_were_made_once_are_kept(tmp_path: Path) -> None:
    made = ByLetters()
    first = Remembering(tmp_path / "kept.sqlite", lambda: made).vectors(["a", "b", "a"])
    again = Remembering(tmp_path / "kept.sqlite", lambda: made).vectors(["a", "b", "a"])
    assert (first == again).all()
    assert made.asked == 2


def test_confidence_is_measured_against_questions_without_an_answer(folder: Path) -> None:
    result = judged_sureness(read_set(folder / "small", ByLetters()), [], ["play some jazz"], ByLetters())
    assert any("off-topic 1.000" in verdict.sentence for verdict in result.verdicts)


def test_the_area_under_the_curve_counts_pairs_and_half_of_ties() -> None:
    assert auroc(np.asarray([0.9, 0.5]), np.asarray([0.5, 0.1])) == 0.875


def test_a_confidence_that_is_right_has_no_calibration_error() -> None:
    curve = calibration(np.asarray([0.5] * 4), np.asarray([0.5] * 4), np.asarray([]))
    assert [(one.share, one.sure, one.right) for one in curve] == [pytest.approx((1.0, 0.5, 0.5))]
