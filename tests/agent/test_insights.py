from datetime import date
from pathlib import Path

import pytest

from agent import Settings, Turn, Workbench, clock_on
from agent.insights import asked_of


@pytest.fixture
def bench(tmp_path: Path) -> object:

    with Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(date(2026, 11, 30))) as opened:
        opened.open_sample()
        yield opened


def said(bench: Workbench, *messages: str) -> list[Turn]:
    return [bench.ask(message, thread="t") for message in messages]


def figures(turn: Turn) -> set[str]:
    return {figure.text for figure in turn.figures}


def test_a_question_about_the_result_is_answered_from_it_and_the_trace_says_so(bench: Workbench) -> None:
    first, highest, lowest, rose = said(
        bench, "summarise this month", "which one was highest?", "and the lowest?", "what rose most"
    )
    assert figures(highest) <= figures(first)
    for turn in (highest, lowest, rose):
        assert "memory: reused the insight of turn 1" in turn.plan_trace
        assert turn.intents == ("advise",)


def test_the_saving_is_the_one_that_was_recommended_at_the_rate_last_chosen(bench: Workbench) -> None:
    advised, saving, bolder, again = said(
        bench, "how can I save more", "and the saving?", "make it aggressive", "how much would that save"
    )
    assert figures(saving) <= figures(advised)
    assert sum(cut.saving for cut in bolder.recommendations) in {figure.value for figure in again.figures}
    assert figures(saving) != figures(again)


def test_after_a_write_the_result_is_worked_out_anew(bench: Workbench) -> None:
    said(bench, "summarise this month", "spent 30000 on shopping via bank", "yes")
    (turn,) = said(bench, "which one was highest?")
    assert "Shopping" in turn.reply
    assert any("the book changed since" in step and "turn 1" in step for step in turn.plan_trace)


def test_after_another_question_which_one_is_about_that(bench: Workbench) -> None:
    said(bench, "summarise this month", "how much did I spend on food in october")
    (turn,) = said(bench, "which one was highest?")
    assert not any("insight" in step for step in turn.plan_trace)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("which was the biggest?", "highest"),
        ("so where did most of it go", "highest"),
        ("the smallest one", "lowest"),
        ("which category fell most", "fell"),
        ("how much is that in total?", "total"),
        ("And the savings?", "saving"),
        ("how many categories was that", "count"),
        ("which was the biggest expense last month", None),
        ("how much did I spend", None),
        ("highest electricity bill", None),
    ],
)
def test_only_a_question_about_the_result_is_taken_as_one(message: str, wanted: str | None) -> None:
    assert asked_of(message) == wanted


@pytest.mark.parametrize(
    ("message", "month"),
    [
        ("report for november", "2026-11"),
        ("give me the monthly report please", "2026-11"),
        ("October report", "2026-10"),
        ("weather report", None),
        ("credit report", None),
        ("lab report 500 cash", None),
    ],
)
def test_a_months_report_goes_with_the_answer(bench: Workbench, message: str, month: str | None) -> None:
    (turn,) = said(bench, message)
    assert turn.report == month
    assert turn.as_json()["report"] == month
