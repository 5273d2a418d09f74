"""The documents at the command line."""

import json
from pathlib import Path

import pytest

from rag.__main__ import main


@pytest.fixture
def library(tmp_path: Path) -> list[str]:
    return ["--library", str(tmp_path / "library")]


def test_files_are_added_listed_searched_and_deleted(
    tmp_path: Path, library: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rates.md"
    file.write_text("# Rates\n\nThe repo rate is 6.5 per cent.\n")
    added = main([*library, "add", str(file), "--words-only", "--domain", "tax", "--tax-year", "2025"])
    assert added == 0
    assert "rates.md: 1 page, 1 passage." in capsys.readouterr().out
    assert main([*library, "search", "repo rate", "--domain", "tax", "--json"]) == 0
    (passage,) = json.loads(capsys.readouterr().out)
    assert (passage["file"], passage["page"], passage["heading"]) == ("rates.md", 1, "Rates")
    assert passage["metadata"]["tax_year"] == "2025"
    assert main([*library, "list"]) == 0
    assert "rates.md" in capsys.readouterr().out
    assert main([*library, "delete", "rates.md"]) == 0
    assert main([*library, "search", "repo rate"]) == 1
    assert "Nothing was found." in capsys.readouterr().out


def test_a_file_that_is_refused_does_not_hold_up_the_others(
    tmp_path: Path, library: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.txt"
    good.write_text("Words to be found.")
    assert main([*library, "add", str(tmp_path / "none.pdf"), str(good), "--words-only"]) == 1
    said = capsys.readouterr()
    assert "none.pdf: it cannot be opened" in said.err
    assert "good.txt: 1 page" in said.out
