"""A question of the book as a value: which rows, what of them, over which days, in which order."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from ledger.entries import Group, Mode

Aggregate = Literal[
    "rows", "total", "count", "average", "median", "largest", "smallest", "latest", "earliest", "share", "unusual",
    "balance",
]  # fmt: skip
Kind = Literal[
    "spending", "income", "net", "refunds", "debits", "credits", "transfers", "withdrawals", "all",
]  # fmt: skip
By = Literal["category", "group", "mode", "day", "week", "month"]
Order = Literal["newest", "oldest", "largest", "smallest"]
Extreme = Literal["lowest", "highest", "average"]
Shape = Literal["treemap", "line", "calendar", "flow", "budget"]


@dataclass(frozen=True)
class Span:
    """Days from `first` to `last`, both included, and the words that name them: `in November`, `22 to 28 Nov`."""

    first: date
    last: date
    words: str


@dataclass(frozen=True)
class Query:
    """One question of the book (BEHAVIOUR: asking). Every field narrows; an empty one does not."""

    aggregate: Aggregate
    kind: Kind = "all"
    period: Span | None = None
    """None: the whole book"""
    modes: tuple[Mode, ...] = ()
    categories: tuple[str, ...] = ()
    """an empty name: rows without a category"""
    groups: tuple[Group, ...] = ()
    words: tuple[str, ...] = ()
    """whole words of the description, all of them, whatever their case"""
    tags: tuple[str, ...] = ()
    weekdays: tuple[int, ...] = ()
    """0 is Monday"""
    above: Decimal | None = None
    """strictly more than"""
    below: Decimal | None = None
    """strictly less than"""
    at_least: Decimal | None = None
    at_most: Decimal | None = None
    leaving_out: "tuple[Query, ...]" = ()
    """rows that one of these selects are left out"""
    order: Order = "newest"
    limit: int | None = None
    skip: int = 0
    """rows already shown: `the rest`"""
    by: By | None = None
    compare: Span | None = None
    """also the same over this period, and the difference"""
    chart: bool = False
    shape: Shape | None = None
    """how the chart is drawn; None: bars"""
    with_total: bool = False
    """a balance question that also asks for the sum over the modes"""
    at: date | None = None
    """a balance at the end of this day; None: now"""
    over: Extreme | None = None
    """a balance question that asks for the lowest, highest or average of the period's days"""
    share_of: Kind | None = None
    """a share of this; None: of the same kind of rows, whatever they were for"""
    description_only: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether it asks of some of the rows only, besides their days and kind."""
        return bool(
            self.modes or self.categories or self.groups or self.words or self.tags or self.weekdays
            or self.leaving_out or self.bounded
        )  # fmt: skip

    @property
    def bounded(self) -> bool:
        """Whether it says how large the amounts are."""
        return any(bound is not None for bound in (self.above, self.below, self.at_least, self.at_most))
