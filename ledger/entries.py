"""The nouns of the book: an entry, a draft of one, a category, an issue, and the four modes money is kept in.

Nothing here reads or writes; every other module of the package speaks in these words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from money import rupees

Mode = Literal["PHONEPE", "WALLET", "MONEY", "BANK"]
Direction = Literal["DEBIT", "CREDIT"]
Group = Literal["HOME", "PERSONAL", "WISHLIST", "AVOID", "PAY HOME", "TRANSFER"]
Role = Literal["date", "description", "amount", "debit", "credit", "type", "category", "mode", "balance"]
"""what a column of another layout means"""

MODES: tuple[Mode, ...] = ("PHONEPE", "WALLET", "MONEY", "BANK")
MODE_NAMES: Mapping[Mode, str] = {"PHONEPE": "PhonePe", "WALLET": "Wallet", "MONEY": "Cash", "BANK": "Bank"}
GROUPS: tuple[Group, ...] = ("HOME", "PERSONAL", "WISHLIST", "AVOID", "PAY HOME", "TRANSFER")
MONTHS: tuple[str, ...] = (
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
)
CASH_TRACKER = "CASH TRACKER"
ADJUSTMENT = "ADJUSTMENT"
"""the tag of a row that brings a balance to what is really there"""

_TAG = re.compile(r"\[([^\[\]]+)\]")


def _is_outside(tag: str) -> bool:
    """Whether a tag keeps its row out of spending and income, whatever its category: a loan, an adjustment."""
    return tag == ADJUSTMENT or tag.startswith(("LENT ", "BORROWED "))


def tags_of(description: str) -> tuple[str, ...]:
    """The tags standing in a description in brackets, in capitals: `TEAM LUNCH [PARTY]` has `PARTY`."""
    return tuple(tag.strip().upper() for tag in _TAG.findall(description) if tag.strip())


def plain_description(description: str) -> str:
    """A description without its tags and with single spaces."""
    return " ".join(_TAG.sub(" ", description).split())


class Place(NamedTuple):
    """The columns of a row in a book of another layout."""

    first: str
    last: str
    amount: str


class Entry(NamedTuple):
    """One row of the book, read whole. A NamedTuple because a book has tens of thousands and reading them is timed."""

    date: date
    description: str
    """as stored, in capitals, tags included"""
    mode: Mode
    direction: Direction
    amount: Decimal
    """positive, in rupees"""
    category: str | None
    group: Group | None
    tags: tuple[str, ...]
    sheet: str
    row: int
    place: Place | None = None
    """None: the columns of Munshi's own layout"""

    @property
    def cells(self) -> str:
        """Where the row stands: `NOVEMBER!C24:J24`, in CASH TRACKER from column B."""
        if self.place is not None:
            return f"{quoted(self.sheet)}!{self.place.first}{self.row}:{self.place.last}{self.row}"
        first = "B" if self.sheet == CASH_TRACKER else "C"
        return f"{quoted(self.sheet)}!{first}{self.row}:J{self.row}"

    @property
    def amount_cell(self) -> str:
        """The cell the amount stands in: `NOVEMBER!F24`."""
        if self.place is not None:
            return f"{quoted(self.sheet)}!{self.place.amount}{self.row}"
        return f"{quoted(self.sheet)}!{'F' if self.direction == 'DEBIT' else 'G'}{self.row}"

    @property
    def is_transfer(self) -> bool:
        """Money moved between one's own modes, lent, borrowed or adjusted: neither spending nor income."""
        return self.group == "TRANSFER" or (bool(self.tags) and any(_is_outside(tag) for tag in self.tags))


def quoted(sheet: str) -> str:
    """A sheet name as a formula writes it: `NOVEMBER`, `'CASH TRACKER'`."""
    return sheet if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", sheet) else "'" + sheet.replace("'", "''") + "'"


@dataclass(frozen=True)
class Draft:
    """A row to be written, complete: what the review card shows."""

    date: date
    description: str
    """any case, tags in brackets or in `tags`; stored in capitals"""
    mode: Mode
    direction: Direction
    amount: Decimal
    category: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def stored_description(self) -> str:
        """The description as the cell will hold it: capitals, tags in brackets at its end."""
        words = plain_description(self.description).upper()
        tags = dict.fromkeys((*tags_of(self.description), *(tag.upper() for tag in self.tags)))
        return " ".join((words, *(f"[{tag}]" for tag in tags))).strip()


@dataclass(frozen=True)
class Category:
    """A line of the BUDGET sheet."""

    name: str
    group: Group
    monthly: Decimal | None
    essential: bool
    words: tuple[str, ...] = ()
    cell: str = field(default="", compare=False)
    """where the monthly budget stands: `BUDGET!E14`; empty in a book without that sheet"""


@dataclass(frozen=True)
class Issue:
    """A cell that could not be read: its row is left out of every total until it is mended."""

    cell: str
    """`NOVEMBER!F12`"""
    reads: str
    """what stands there, as text"""
    reason: str
    """one sentence: what is wrong and what to do"""
    stops_totals: bool = False
    """an error or unknown amount: no total over this sheet can be trusted"""


@dataclass(frozen=True)
class Card:
    """A balance that the book itself states, by a formula or a number, with the value it shows."""

    cell: str
    mode: Mode
    month: str | None
    """the month whose closing balance it is; None for the whole book"""
    shows: Decimal | None
    """None: a formula with no cached value, unknown"""


@dataclass(frozen=True)
class Difference:
    """A balance that the book shows and its rows do not give: of a running balance the first row where it is so."""

    cell: str
    mode: Mode
    shows: Decimal | str
    """a text: an error, or what cannot be read as a number"""
    rows_give: Decimal

    @property
    def sentence(self) -> str:
        """`NOVEMBER!H6 shows ₹8,540.05 for PhonePe, the rows give ₹7,540.05.`"""
        says = rupees(self.shows) if isinstance(self.shows, Decimal) else self.shows
        return f"{self.cell} shows {says} for {MODE_NAMES[self.mode]}, the rows give {rupees(self.rows_give)}."


class Table(BaseModel):
    """One table of a book in another layout, with what a person confirmed of it. Kept as JSON, so it is validated."""

    model_config = ConfigDict(extra="forbid", frozen=True)

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
    def place(self) -> str:
        """`Sheet1, captions in row 4`"""
        first, last = self.header
        return f"{self.sheet}, captions in row{f' {first}' if first == last else f's {first} to {last}'}"


@dataclass(frozen=True)
class Book:
    """A budget book as read: its entries and issues, and what it says of itself.

    Balances are computed from the rows, never taken from a formula's value.
    """

    name: str
    sha256: str
    year: int
    entries: tuple[Entry, ...]
    """month sheets in calendar order, then CASH TRACKER; by row within a sheet"""
    issues: tuple[Issue, ...]
    budget: tuple[Category, ...]
    lists: Mapping[str, tuple[str, ...]]
    """TERMINOLOGY word lists by label: FOR HOME, PERSONAL, WISHLIST"""
    openings: Mapping[Mode, Decimal | None]
    """the first month's (for MONEY and BANK the book's) typed opening balance; None: never typed"""
    opening_cells: Mapping[Mode, str]
    months: tuple[str, ...]
    """month sheets there are, in calendar order"""
    cards: tuple[Card, ...] = ()
    differences: tuple[Difference, ...] = ()
    """each card or running balance that is not what the rows give, in the order of the book; writing waits for a
    person's word while there is one"""
    differences_accepted: bool = False
    """a person said that it may be written although the book differs so"""
    ignored: tuple[Issue, ...] = ()
    """cells that could not be read and that a person set aside: they stop no total, and are counted in none"""
    balances: Mapping[Mode, Decimal] = field(default_factory=dict)
    """now, by mode: opening + credits - debits over all entries (an unknown opening counts as 0)"""
    read_only: str = ""
    """a sentence: why nothing can be written into this book; empty when it can"""
    tables: tuple[Table, ...] = ()
    """the tables of a book in another layout, as they were confirmed; none for Munshi's own"""
    remarks: tuple[str, ...] = ()
    """sentences on what was passed by: rows of totals, hidden sheets"""

    @property
    def disagreements(self) -> tuple[str, ...]:
        """The differences, as sentences."""
        return tuple(each.sentence for each in self.differences)

    def category(self, name: str | None) -> Category | None:
        """The BUDGET line of that name, whatever its case."""
        wanted = (name or "").casefold()
        return next((line for line in self.budget if line.name.casefold() == wanted), None)


class BookRefused(Exception):
    """A file that cannot be kept as a book, or a write that cannot be made safely; the message says what to do."""


class BookExists(BookRefused):
    """A book was to be begun under a name that is taken: that one is opened, or another one is meant."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path.name} is there already. Open it, or start another one beside it.")


class BookDiffers(BookRefused):
    """A write that waits for a person's word: the book shows balances its rows do not give."""

    def __init__(self, book: Book) -> None:
        others = len(book.differences) - 1
        more = f" {others} more {'differs' if others == 1 else 'differ'} as well." if others else ""
        super().__init__(
            f"Writing waits, for {book.name} differs from its rows: {book.differences[0].sentence}{more} "
            "Mend it in Excel and save, or choose “write anyway”: then only your changes are written, and the "
            "difference stays."
        )


@dataclass(frozen=True)
class Overdraft:
    """A batch that would take a mode below zero: the three figures."""

    mode: Mode
    has: Decimal
    needs: Decimal
    """debits less credits of the batch"""

    @property
    def short(self) -> Decimal:
        """How much is missing."""
        return self.needs - self.has
