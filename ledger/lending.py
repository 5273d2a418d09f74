"""Money lent and borrowed: rows that carry a tag, `[LENT RAVI]` or `[BORROWED AMMA]`, settled under the same tag.

    LENT       money out is what was lent, money in is what came back
    BORROWED   money in is what was borrowed, money out is what was paid back

Such rows change balances and are neither spending nor income; a person reads them in Excel as they stand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ledger.entries import Entry

LoanKind = Literal["LENT", "BORROWED"]
_KINDS: tuple[LoanKind, ...] = ("LENT", "BORROWED")
_ZERO = Decimal(0)
LOAN_TAGS: tuple[str, ...] = tuple(f"{kind} " for kind in _KINDS)
"""how such a tag begins"""


@dataclass(frozen=True)
class Loan:
    """What one person was lent, or lent, with its rows."""

    kind: LoanKind
    person: str
    """in capitals, as the tag has it"""
    entries: tuple[Entry, ...]

    @property
    def given(self) -> Decimal:
        """What was lent or borrowed in all."""
        out = "DEBIT" if self.kind == "LENT" else "CREDIT"
        return sum((entry.amount for entry in self.entries if entry.direction == out), _ZERO)

    @property
    def back(self) -> Decimal:
        """What was paid back so far."""
        return sum((entry.amount for entry in self.entries), _ZERO) - self.given

    @property
    def left(self) -> Decimal:
        """What is still owed; below zero: more came back than was given."""
        return self.given - self.back


def loan_tag(kind: LoanKind, person: str) -> str:
    """The tag that such rows carry: `LENT RAVI`."""
    return f"{kind} {' '.join(person.upper().split())}"


def loans_in(entries: Iterable[Entry]) -> tuple[Loan, ...]:
    """Every person's loan, the dearest still owed first; settled ones are among them."""
    rows: dict[tuple[LoanKind, str], list[Entry]] = {}
    for entry in entries:
        for tag in entry.tags:
            kind = next((kind for kind in _KINDS if tag.startswith(f"{kind} ")), None)
            if kind:
                rows.setdefault((kind, tag.removeprefix(f"{kind} ").strip()), []).append(entry)
    loans = (Loan(kind, person, tuple(some)) for (kind, person), some in rows.items())
    return tuple(sorted(loans, key=lambda loan: (-loan.left, loan.kind, loan.person)))
