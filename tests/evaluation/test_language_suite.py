import json
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.language.judging import Result, measure
from evaluation.language.scores import f1_by_label, macro_f1


def written(folder: Path, **files: list[dict[str, object]]) -> Path:
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


def intent(text: str, label: str) -> dict[str, object]:
    return {"text": text, "our_intent": label, "mapping": "strict", "finance_like": False}


ALL = {
    "intents": [
        intent("hello there", "GREETING_SMALLTALK"),
        intent("what is my balance", "ANALYTICAL_QUERY"),
        intent("what is 2 plus 2", "UNKNOWN"),
        intent("play some music", "UNKNOWN"),
    ],
    "amounts": [
        {"text": "it costs 500 rupees", "kind": "currency", "expected": {"value": 500, "unit": "Rupee"}},
        {"text": "it costs 20 rupees", "kind": "currency", "expected": {"value": 21, "unit": "Rupee"}},
    ],
    "dates": [
        {
            "text": "on 3 Nov 2026",
            "kind": "date",
            "reference_date": "2026-11-30T00:00:00",
            "expected": {"start": "2026-11-03T00:00:00", "end_exclusive": "2026-11-04T00:00:00", "grain": "day"},
        }
    ],
    "expense_messages": [{"text": "coffee 80", "expected": {"amount": 80, "description": "coffee"}}],
    "sms": [
        {
            "text": "Rs.500.00 debited from a/c XX1234 on 05-11-26 to SHOP. Avl Bal Rs.900.00",
            "is_transaction": True,
            "expected": {"amount": 500, "type": "EXPENSE"},
        },
        {"text": "Your OTP is 123456. Do not share it.", "is_transaction": False, "expected": {}},
    ],
}


def figures(result: Result) -> dict[str, float]:
    return {figure.name.strip(): figure.value for figure in result.figures}


@pytest.fixture
def measured(tmp_path: Path) -> dict[str, Result]:
    return {result.name: result for result in measure(written(tmp_path, **ALL))}


def test_each_figure_is_what_a_hand_computes(measured: dict[str, Result]) -> None:
    intents = figures(measured["intents"])
    assert intents["accuracy"] == 3 / 4, "two plus two is a sum, which this file calls out of scope"
    assert intents["out-of-scope recall"] == 1 / 2
    assert intents["out-of-scope texts turned into a card"] == 0
    assert figures(measured["amounts"])["accuracy"] == 1 / 2
    assert figures(measured["dates"])["accuracy"] == 1
    assert figures(measured["expense_messages"])["amount"] == 1
    assert figures(measured["sms"])["amount"] == 1
    assert figures(measured["sms"])["non-transactions booked"] == 0


def test_what_failed_is_named_and_a_bar_below_is_not_met(measured: dict[str, Result]) -> None:
    assert [failure.text for failure in measured["amounts"].failures] == ["it costs 20 rupees"]
    assert not measured["amounts"].met
    assert measured["expense_messages"].met


def test_a_missing_file_is_said_and_never_counted_as_passed(tmp_path: Path) -> None:
    results = {result.name: result for result in measure(written(tmp_path, amounts=ALL["amounts"][:1]))}
    assert results["amounts"].met
    assert not results["sms"].met
    assert "sms.jsonl" in (results["sms"].problem or "")


def test_a_line_that_is_no_json_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "amounts.jsonl").write_text('{"text": "a"\n', encoding="utf-8")
    assert main(["run", "--suite", "language", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "amounts.jsonl" in said
    assert "1" in said


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    assert main(["run", "--suite", "language", "--data", str(tmp_path / "none")]) == 2


def test_macro_f1_is_the_mean_over_labels_whatever_their_size() -> None:
    wanted = ["a", "a", "a", "b"]
    got = ["a", "a", "b", "b"]
    scores = {each.label: each.value for each in f1_by_label(wanted, got)}
    assert scores == {"a": pytest.approx(0.8), "b": pytest.approx(2 / 3)}
    assert macro_f1(f1_by_label(wanted, got)) == pytest.approx((0.8 + 2 / 3) / 2)
