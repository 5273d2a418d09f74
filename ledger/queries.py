"""Questions of the book as values, and the one evaluator that answers them.

A `Query` says what is asked of which rows; `run` filters and aggregates, and never guesses. Both are pure.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from ledger.entries import Group, Mode

Aggregate = Literal["rows", "total", "count", "average", "largest", "smallest", "latest", "balance"]
Kind = Literal["spending", "income", "debits", "credits", "transfers", "all"]
By = Literal["category", "group", "mode", "day", "month"]


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
    groups: tuple[Group, ...] = ()
    words: tuple[str, ...] = ()
    """whole words of the description, all of them, whatever their case"""
    tags: tuple[str, ...] = ()
    above: Decimal | None = None
    """strictly more than"""
    below: Decimal | None = None
    limit: int | None = None
    by: By | None = None
    compare: Span | None = None
    """also the same over this period, and the difference"""
    chart: bool = False
    with_total: bool = False
    """a balance question that also asks for the sum over the modes"""
    at: date | None = None
    """a balance at the end of this day; None: now"""
    description_only: bool = False
