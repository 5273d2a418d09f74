"""What goes with the words of an advice: its alerts, its balances and its rows, as a Turn has them."""

from collections.abc import Iterable
from decimal import Decimal

from agent.tools.ledger_query import ROWS_SHOWN, shown_row
from agent.turn import Alert, Row
from ledger.budget import BudgetLine
from ledger.entries import Entry
from ledger.outlook import OnHand


def alerts_told(told: Iterable[BudgetLine]) -> tuple[Alert, ...]:
    """The alerts as a Turn has them."""
    return tuple(Alert(line.category.name, line.level, line.spent, line.budget) for line in told if line.level)


def balances_of(on_hand: OnHand) -> tuple[tuple[str, Decimal], ...]:
    """The balances as a Turn has them."""
    return tuple(on_hand.balances.items())


def rows_shown(entries: Iterable[Entry]) -> tuple[Row, ...]:
    """The newest rows, as a Turn shows them."""
    newest = sorted(entries, key=lambda entry: entry.date, reverse=True)
    return tuple(shown_row(entry) for entry in newest[:ROWS_SHOWN])
