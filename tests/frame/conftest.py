"""A real workbench on a fresh home, and the window opened on it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from agent.clock import clock_on
from agent.settings import Settings
from agent.turn import Turn
from agent.workbench import Workbench
from frame import desk

ROOT = Path(__file__).resolve().parent.parent.parent
TODAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def seed(bench: Workbench, *turns: Turn) -> None:
    """Keep turns as if they had been had, in order."""
    for turn in turns:
        bench._store.arrived(turn.request, turn.thread, {"message": turn.message}, status="started", at=NOON)
        bench._store.finish(replace(turn, at=NOON.isoformat()), (), NOON)


@pytest.fixture
def keep() -> Callable[..., None]:
    return seed


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A workbench without a book yet, whose day is 30 November 2026."""
    config.get_config_options()
    config.set_option("client.showErrorDetails", "full")
    opened = Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(TODAY))
    monkeypatch.setattr(desk, "open_workbench", lambda: opened)
    monkeypatch.setattr(desk, "today", lambda: TODAY)
    desk.workbench.clear()
    desk.followed.clear()
    yield opened
    desk.workbench.clear()
    desk.followed.clear()
    opened.close()


@pytest.fixture
def sample(bench: Workbench) -> Workbench:
    """The workbench with the sample book open."""
    bench.open_sample()
    return bench


@pytest.fixture
def window(bench: Workbench) -> AppTest:
    """The window, not yet drawn."""
    return AppTest.from_file(str(ROOT / "frame" / "main.py"), default_timeout=30)
