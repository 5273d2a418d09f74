"""The book of cases, each played through the Workbench on its own copy of the book."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import Settings, Turn, Workbench
from evaluation.cases import Case, load_cases, play

CASES = load_cases()


@pytest.fixture(scope="module")
def shared_bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home = tmp_path_factory.mktemp("home")
    with Workbench.open(Settings.read({}, home=home)) as bench:
        yield bench


@pytest.mark.parametrize("case", CASES, ids=[case.case for case in CASES])
def test_the_case_holds(case: Case, shared_bench: Workbench, book_of_cases: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(book_of_cases, tmp_path))

    def ask(message: str, number: int) -> Turn:
        return shared_bench.ask(message, case.case, f"{case.case}-{number}", book=own, today=case.today)

    found = list(play(case, ask))
    assert not found
