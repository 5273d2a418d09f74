"""What is known of a workbook in another layout: where its tables stand and what each column means.

A `TableMapping` is kept as JSON beside the conversations, so it is validated when it comes back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ledger.entries import BookRefused, Direction, Mode
from ledger.foreign.layouts import ROLE_NAMES, Role, layout_named

TABLES_TOLD = 3


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Table(_Kept):
    """One table of a sheet, with what the user confirmed of it."""

    sheet: str
    layout: str
    header: tuple[int, int]
    """its first and last row"""
    until: int | None = None
    """the last row that can be its own, where another table follows below"""
    captions: dict[str, str]
    """by column letter, as they stand in the sheet; a caption that changed is asked about again"""
    columns: dict[str, Role]
    """what a column means; one that is not named here is not read"""
    day_first: bool = True
    """how text dates are read that could be either way round"""
    positive: Direction = "DEBIT"
    """what an amount above zero is, where neither a type nor a column says it"""
    mode: Mode | None = None
    """of every row, where no column says it"""
    words: dict[str, Mode] = Field(default_factory=dict)
    """what words of the mode column mean that are no mode by themselves, in lower case"""

    def column(self, role: Role) -> str | None:
        """The column of a role."""
        return next((column for column, its in self.columns.items() if its == role), None)

    @property
    def title(self) -> str:
        """`a bank statement with …`"""
        layout = layout_named(self.layout)
        return layout.title if layout else "a table"

    @property
    def place(self) -> str:
        """`Sheet1, captions in row 4`"""
        first, last = self.header
        return f"{self.sheet}, captions in row{f' {first}' if first == last else f's {first} to {last}'}"

    @property
    def in_words(self) -> str:
        """`A Date is Date, C Narration is Description`"""
        return ", ".join(
            f"{column} “{self.captions.get(column, '')}” is {ROLE_NAMES[role]}" for column, role in self.columns.items()
        )


class TableMapping(_Kept):
    """How a workbook is read: its tables, in the order of its sheets."""

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
        return "; ".join(f"{table.title} on {table.place}" for table in tables[:TABLES_TOLD]) + more


class OtherLayout(BookRefused):
    """A workbook that can be read once a person has confirmed what its columns mean."""

    def __init__(self, name: str, recognised: Recognised) -> None:
        self.recognised = recognised
        super().__init__(
            f"{name} is not in Munshi's own layout. It holds {recognised.told()}. "
            "Upload it in the window, and confirm how it is read."
        )
