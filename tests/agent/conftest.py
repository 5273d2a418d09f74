"""A workbench in a folder of its own, on the sample cases' book, on a fixed day."""

import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from agent import Settings, Workbench, clock_on
from evaluation.cases import BOOK
from ledger.intake import book_from_json

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="session")
def book_of_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cases") / "Budget_2026.xlsx"
    path.write_bytes(book_from_json(BOOK.read_bytes(), BOOK.name))
    return path


@pytest.fixture
def book(book_of_cases: Path, tmp_path: Path) -> Path:
    own = tmp_path / "books" / "Budget_2026.xlsx"
    own.parent.mkdir()
    return Path(shutil.copy(book_of_cases, own))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def opened(home: Path, book: Path) -> Iterator[Callable[[], Workbench]]:
    """Opens the same home again and again, as restarts do."""
    benches: list[Workbench] = []

    def open_again() -> Workbench:
        benches.append(Workbench.open(Settings.read({}, home=home, book=book), clock_on(TODAY)))
        return benches[-1]

    yield open_again
    for bench in benches:
        bench.close()


@pytest.fixture
def workbench(opened: Callable[[], Workbench]) -> Workbench:
    return opened()
