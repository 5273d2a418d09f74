"""What the environment may say."""

from pathlib import Path

import pytest

from agent.settings import Settings, SettingsRefused


def test_everything_has_a_default() -> None:
    settings = Settings.read({})
    assert (settings.home, settings.book, settings.model) == (Path(".munshi"), None, "none")
    assert settings.database.startswith("sqlite:///")


def test_the_environment_is_read_and_what_is_given_goes_first() -> None:
    settings = Settings.read({"MUNSHI_HOME": "/tmp/a", "MUNSHI_BOOK": "/tmp/b.xlsx"}, home=Path("/tmp/c"))
    assert (settings.home, settings.book) == (Path("/tmp/c"), Path("/tmp/b.xlsx"))


def test_an_empty_variable_is_no_variable() -> None:
    assert Settings.read({"MUNSHI_BOOK": "", "MUNSHI_MODEL": ""}).book is None


def test_a_model_that_is_not_built_is_answered_with_a_sentence() -> None:
    with pytest.raises(SettingsRefused, match="no language model can be used yet"):
        Settings.read({"MUNSHI_MODEL": "google_genai:gemini-3.5-flash"})


def test_a_value_that_cannot_be_used_names_its_variable() -> None:
    with pytest.raises(SettingsRefused, match="MUNSHI_TURN_SECONDS"):
        Settings.read({"MUNSHI_TURN_SECONDS": "soon"})


def test_postgres_by_url_uses_the_installed_driver() -> None:
    assert Settings.read({"MUNSHI_DATABASE_URL": "postgresql://me@h/db"}).database == "postgresql+psycopg://me@h/db"
