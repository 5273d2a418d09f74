"""A table of another layout as rows are written into it: what each column holds, and how the table spells it.

Munshi's own sheets need none: there every column has its place. A plan carries the shapes of the tables it touches, so
that whoever checks the new bytes can hold each cell to what its row says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from ledger.entries import Direction, Mode, quoted


@dataclass(frozen=True)
class Shape:
    """One table, as it stands before a write."""

    sheet: str
    roles: Mapping[str, str]
    """the column of each role: `{"date": "A", "description": "B", "debit": "E"}`"""
    columns: tuple[str, ...]
    """all of a row's own, those that mean nothing to Munshi included, from the first to the last"""
    kept: tuple[str, ...]
    """those that stay in their rows when entries move: balances, formulas filled down, running numbers"""
    top: int
    """the first row below the captions"""
    last: int
    """the lowest row that is used"""
    newest_first: bool
    mode: Mode | None
    """of every row; None: a column says it"""
    positive: Direction
    """what an amount above zero is, where no column says which way it went"""
    modes: Mapping[Mode, str]
    """how the mode column spells each mode it holds"""
    types: Mapping[Direction, str]
    """how the type column spells in and out"""
    debits_below_zero: bool
    """of a table with a type column: whether money out has a minus as well"""
    nothing: str | Decimal | None
    """what stands in the money column that a row does not use"""
    day: str
    """how a text date is written, `{d:02}/{m:02}/{y}`; empty for real dates"""
    day_first: bool
    capitals: bool
    """whether descriptions are written in capitals"""

    @property
    def typed(self) -> tuple[str, ...]:
        """The columns that move with an entry."""
        return tuple(column for column in self.columns if column not in self.kept)

    @property
    def name(self) -> str:
        """`Sheet1, columns A to G`."""
        return f"{self.sheet}, columns {self.columns[0]} to {self.columns[-1]}"

    def cell(self, column: str, row: int) -> str:
        """`Sheet1!G24`."""
        return f"{quoted(self.sheet)}!{column}{row}"
