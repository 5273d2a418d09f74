"""What the environment says. Nothing else in the program reads it; every name here stands in `.env.example`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

PREFIX = "MUNSHI_"
MODELS_BUILT = ("none",)


class SettingsRefused(ValueError):
    """A setting that cannot be used; the message names it and says what works."""


class Described(NamedTuple):
    """One setting, for a page that lists them."""

    name: str
    what: str
    is_set: bool
    """by the environment"""


class Settings(BaseModel):
    """Where Munshi keeps its things and what it may use. Immutable; `Settings.read()` takes it from the environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path = Field(Path(".munshi"), description="the folder with everything Munshi keeps: conversations, versions")
    book: Path | None = Field(None, description="the budget book to start with; the last chosen one when empty")
    database_url: str | None = Field(None, description="an SQLAlchemy URL, e.g. postgresql+psycopg://…; SQLite in home")
    model: str = Field("none", description="the language model; none for now: rules and local code")
    recursion_limit: int = Field(40, ge=10, le=200, description="steps of the graph a turn may take")
    tool_calls: int = Field(5, ge=1, le=50, description="tool calls a turn may make")
    turn_seconds: float = Field(8.0, gt=0, le=600, description="seconds a turn may take")

    @field_validator("model")
    @classmethod
    def _model_is_built(cls, value: str) -> str:
        if value not in MODELS_BUILT:
            message = (
                f"MUNSHI_MODEL is {value!r}, and no language model can be used yet. Leave it empty or set it to none."
            )
            raise ValueError(message)
        return value

    @field_validator("database_url")
    @classmethod
    def _psycopg_is_named(cls, value: str | None) -> str | None:
        """`postgresql://` means the driver this program installs."""
        return value.replace("postgresql://", "postgresql+psycopg://", 1) if value else value

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **given: object) -> "Settings":
        """The settings of the environment, with what is given (and is not None) in their place.

        Raises SettingsRefused with a sentence for a value that cannot be used.
        """
        source = os.environ if environment is None else environment  # noqa: TID251  the one reader
        names = {name: source.get(PREFIX + name.upper(), "") for name in cls.model_fields}
        values = {name: value for name, value in names.items() if value}
        values |= {name: value for name, value in given.items() if value is not None}  # type: ignore[misc]
        try:
            return cls.model_validate(values)
        except ValueError as error:
            raise SettingsRefused(_sentence(error)) from error

    @classmethod
    def described(cls, environment: Mapping[str, str] | None = None) -> tuple[Described, ...]:
        """Every setting: its name, what it is for, and whether the environment says it. No value that may be secret."""
        source = os.environ if environment is None else environment  # noqa: TID251  the one reader
        return tuple(
            Described(PREFIX + name.upper(), field.description or "", bool(source.get(PREFIX + name.upper())))
            for name, field in cls.model_fields.items()
        )

    @property
    def database(self) -> str:
        """The URL of the store: the given one, or a file in home."""
        return self.database_url or f"sqlite:///{(self.home / 'munshi.sqlite').resolve()}"


def home_refusal(home: Path, error: OSError) -> str:
    """Why the home folder cannot be used, in a sentence."""
    if home.exists() and not home.is_dir():
        return f"MUNSHI_HOME is {home}, which is a file. Name a folder."
    return f"MUNSHI_HOME is {home}, and that folder cannot be used: {error.strerror or error}."


def _sentence(error: ValueError) -> str:
    """The first complaint of a validation, without pydantic's frame around it."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    first = errors()[0]
    message = str(first["msg"]).removeprefix("Value error, ")
    if message.startswith(PREFIX):
        return message
    where = ".".join(str(part) for part in first["loc"])
    return f"{PREFIX}{where.upper()} cannot be used: {message}."
