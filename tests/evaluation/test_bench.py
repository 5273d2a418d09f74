"""The benchmarks run, at small sizes, and the table says what was measured beside what."""

import pytest

from evaluation.__main__ import main
from evaluation.bench import Line, table


def test_the_ledger_table_has_each_figure_beside_its_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "ledger", "--rows", "120", "--runs", "1"]) == 0
    printed = capsys.readouterr().out
    for words in (
        "120 rows",
        "verified durable append",
        "openpyxl load + append + save",
        "rewriting the zip",
        "calamine",
    ):
        assert words in printed


def test_the_agent_table_has_the_turns_beside_a_bare_graph_and_the_write_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["bench", "agent", "--rows", "120", "--runs", "2"])
    printed = capsys.readouterr().out
    for words in ("makes a card", "answers a balance", "six-node graph", "turn that writes"):
        assert words in printed


def test_a_bar_is_judged_by_speed_and_by_memory() -> None:
    fast = Line("10 rows", "append", 1.0, "other", 6.0, bar=5.0, peak_mb=90, baseline_peak_mb=100)
    assert fast.holds
    assert not Line("10 rows", "append", 1.0, "other", 6.0, bar=5.0, peak_mb=101, baseline_peak_mb=100).holds
    assert not Line("10 rows", "append", 2.0, "other", 6.0, bar=5.0).holds
    assert Line("10 rows", "read", 2.9, "other", 1.0, bar=3.0, faster=False).holds
    assert not Line("10 rows", "read", 3.0, "other", 1.0, bar=3.0, faster=False).holds
    assert "holds" in table([fast])
    assert "6.0x" in table([fast])


def test_a_suite_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["bench", "moon"], ["bench", "ledger", "--rows", "none"], []):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
