"""A home folder that cannot be used, as a visitor meets it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent import Settings, Workbench
from frame import desk


def test_a_home_folder_that_cannot_be_used_is_said_on_the_page(
    window: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(desk, "open_workbench", lambda: Workbench.open(Settings.read({}, home=tmp_path / "file")))
    desk.workbench.clear()
    window.run()
    assert not window.exception
    assert "which is a file" in window.error[0].value.replace("\\", "")
