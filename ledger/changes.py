"""What a write will change, cell by cell: the card shows it, the patch carries it out, the verifier holds it to that.

    plan_write ──► Plan ──┬─► the review card, the page's difference
                          ├─► patch   makes the new bytes
                          └─► verify  accepts them only when they are the old ones with exactly these changes

A row that stays or moves keeps its cells byte for byte; what it says anew is in `Plan.cells`. Nothing here reads or
writes a file. A cell is addressed by sheet, column letter and row; amounts are rupees.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Final

from ledger.edits import EntryChange, drafts_of, removed_of
from ledger.entries import CASH_TRACKER, Card, Draft, Entry, Issue, Mode, Overdraft, quoted
from ledger.shape import Shape

Value = str | Decimal | date | None
"""what a cell shows: text, an exact number, a day, or nothing"""


class Keep(Enum):
    """The one value of `KEEP`: this side of a cell stays as it is."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell after the write. What is `KEEP` stays as it was; a cell that was not there has all three given."""

    sheet: str
    column: str
    row: int
    value: Value | Keep = KEEP
    """what it shows; for a formula the value stored beside it"""
    formula: str | Keep | None = KEEP
    """without the leading `=`; None: no formula"""
    style: int | Keep = KEEP
    """index into the cell formats of the book, those of `Plan.styles` included; 0 is the plain one"""

    @property
    def reference(self) -> str:
        """`H24`."""
        return f"{self.column}{self.row}"

    @property
    def cell(self) -> str:
        """`NOVEMBER!H24`."""
        return f"{quoted(self.sheet)}!{self.reference}"


@dataclass(frozen=True, slots=True)
class Shift:
    """A stretch of a column whose numbers all move by one amount: running balances after an earlier row.

    Blank cells stay blank.
    """

    sheet: str
    column: str
    first: int
    last: int
    by: Decimal


@dataclass(frozen=True, slots=True)
class Moves:
    """A stretch of a table whose rows take over cells of other rows; the rows themselves stay where they are.

    A cell moves as it is written, with its format; what `Plan.cells` says of it comes on top.
    """

    sheet: str
    columns: tuple[str, ...]
    """what moves: an entry's columns without those of running balances"""
    first: int
    origins: tuple[int | None, ...]
    """by row from `first` on, the row its cells come from: itself where it stays; None: `Plan.cells` gives them all"""

    def changed(self) -> dict[int, int | None]:
        """The rows that take over other cells than their own, with where these come from."""
        rows = enumerate(self.origins, self.first)
        return {row: origin for row, origin in rows if origin != row}


@dataclass(frozen=True, slots=True)
class RangeChange:
    """A range outside the cells, before and after: of a table, a validation, a colour rule, a filter, a name."""

    part: str
    before: str
    """the whole attribute or text as it stands, unescaped: `E6:E23`, `NOVEMBER!$C$4:$J$23`"""
    after: str
    what: str
    """in the reader's words: `the table Expenses`, `the name Spent`"""


@dataclass(frozen=True, slots=True)
class NewStyle:
    """A cell format to be appended: `base` with another fill, font colour or number format. None keeps, "" removes."""

    index: int
    base: int
    fill: str | None = None
    """`FFEE7ADD`"""
    font: str | None = None
    number_format: str | None = None


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A month's sheet opened as a copy of another month's, without its entries."""

    name: str
    like: str
    """the month sheet it is a copy of"""
    position: int
    """index among the book's sheets, counted with every sheet of the plan in place"""
    parts: tuple[tuple[str, str], ...]
    """(part of the copied sheet, new part): the sheet first, then its drawings, charts and what belongs to them"""
    cells: tuple[CellChange, ...]
    """every cell it has, each given whole"""
    names: tuple[tuple[str, str], ...] = ()
    """names that stand for this sheet alone, such as its print area, with their ranges"""

    @property
    def part(self) -> str:
        """The part of the sheet itself."""
        return self.parts[0][1]


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """Where a draft will stand."""

    item: int
    """the number of its change, from 1: as on the review card"""
    draft: Draft
    sheet: str
    row: int
    last_column: str = "J"
    """`I` in a book without a category column"""
    shape: Shape | None = None
    """of a table of another layout"""

    @property
    def cells_ref(self) -> str:
        """`NOVEMBER!C24:J24`."""
        if self.shape is not None:
            first, last = self.shape.columns[0], self.shape.columns[-1]
            return f"{quoted(self.sheet)}!{first}{self.row}:{last}{self.row}"
        first = "B" if self.sheet == CASH_TRACKER else "C"
        return f"{quoted(self.sheet)}!{first}{self.row}:{self.last_column}{self.row}"


@dataclass(frozen=True, slots=True)
class CardChange:
    """A balance the book states and what it will state."""

    card: Card
    after: Decimal


@dataclass(frozen=True, slots=True)
class OpeningChange:
    """A typed opening balance and the cell it stands in."""

    mode: Mode
    sheet: str
    column: str
    row: int
    before: Decimal | None
    """None: the cell was empty"""
    after: Decimal | None


@dataclass(frozen=True)
class Mend:
    """A cell that could not be read, and what it and its neighbours shall hold: by column, on the issue's own row."""

    issue: Issue
    cells: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Plan:
    """Everything one write will do to one book, decided before anything is written."""

    before_sha256: str
    """of the book's bytes the plan was made for"""
    changes: tuple[EntryChange, ...]
    """what was asked for, with categories as BUDGET spells them"""
    rows: tuple[PlannedRow, ...]
    """where each row that is added or edited will stand, in the order of the changes"""
    balances_before: Mapping[Mode, Decimal]
    balances_after: Mapping[Mode, Decimal]
    budget_left: tuple[tuple[str, Decimal, Decimal], ...] = ()
    """(category, left before, left after) in each draft's own month, for categories with a monthly budget"""
    overdrafts: tuple[Overdraft, ...] = ()
    """modes the batch would take below zero; the store refuses to write while there is one"""
    notes: tuple[str, ...] = ()
    """sentences for the card and the receipt: what the reader would not expect"""
    openings: tuple[OpeningChange, ...] = ()
    """opening balances typed by this write"""
    cells: tuple[CellChange, ...] = ()
    """cells of sheets that are there already"""
    shifts: tuple[Shift, ...] = ()
    moves: tuple[Moves, ...] = ()
    ranges: tuple[RangeChange, ...] = ()
    styles: tuple[NewStyle, ...] = ()
    new_sheets: tuple[NewSheet, ...] = ()
    cards: tuple[CardChange, ...] = ()
    """the cards whose balance moves, of sheets that are there already"""
    shapes: tuple[Shape, ...] = ()
    """the tables of another layout that are written into; none for Munshi's own"""
    mends: tuple[Mend, ...] = ()
    """cells that could not be read and are typed right; such a plan does nothing else"""
    dropped: tuple[str, ...] = ()
    """parts left out of the new file: the calculation chain, which Excel builds anew"""

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """The rows as they shall be: of what is added and what is edited."""
        return drafts_of(self.changes)

    @property
    def removed(self) -> tuple[Entry, ...]:
        """The entries that no longer stand as they were: what is edited and what is deleted."""
        return removed_of(self.changes)
