"""What is known of a workbook in another layout: where its tables stand and what each column means.

A `TableMapping` is kept as JSON beside the conversations, so it is validated when it comes back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ledger.entries import BookRefused, Role, Table
from ledger.foreign.layouts import layout_named

TABLES_TOLD = 3


def title_of(table: Table) -> str:
    """`a bank statement with …`"""
    layout = layout_named(table.layout)
    return layout.title if layout else "a table"


class TableMapping(BaseModel):
    """How a workbook is read: its tables, in the order of its sheets."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tables: tuple[Table, ...] = Field(min_length=1)


Subject = Literal["mode", "sign", "dates", "column", "word"]


@dataclass(frozen=True)
class Question:
    """What the workbook does not say by itself."""

    table: int
    """its place among the tables, from 0"""
    about: Subject
    sentence: str
    word: str = ""
    """of a question about a word of the mode column"""


@dataclass(frozen=True)
class Recognised:
    """What was found in a workbook: a mapping to be confirmed, rows as they would be read, and what is asked."""

    mapping: TableMapping
    samples: tuple[tuple[Mapping[Role, str], ...], ...]
    """for each table its first rows, as they would be read"""
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    """sentences: hidden rows and sheets"""

    def told(self) -> str:
        """`a bank statement with … on Sheet1, captions in row 4`, of the first tables."""
        tables = self.mapping.tables
        more = f"; and {len(tables) - TABLES_TOLD} more" if len(tables) > TABLES_TOLD else ""
        return "; ".join(f"{title_of(table)} on {table.place}" for table in tables[:TABLES_TOLD]) + more


class OtherLayout(BookRefused):
    """A workbook that can be read once a person has confirmed what its columns mean."""

    def __init__(self, name: str, recognised: Recognised) -> None:
        self.recognised = recognised
        super().__init__(
            f"{name} is not in Munshi's own layout. It holds {recognised.told()}. "
            "Upload it in the window, and confirm how it is read."
        )
