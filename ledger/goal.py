"""What somebody wants to put aside: so much a month, or an amount by a day, which comes to so much a month."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal

_RUPEE = Decimal(1)


@dataclass(frozen=True)
class Goal:
    """A savings goal. Without `by` the amount is a month's; with it, what there shall be on that day."""

    amount: Decimal
    """above zero, in rupees"""
    by: date | None = None
    since: date | None = None
    """the day it was set: the months it is spread over are counted from here"""

    def a_month(self, today: date) -> Decimal:
        """What has to be put aside each month, rounded up to the rupee; nothing once its day is past."""
        if self.by is None:
            return self.amount
        if today > self.by:
            return Decimal(0)
        since = min(self.since or today, self.by)
        months = (self.by.year - since.year) * 12 + self.by.month - since.month + 1
        return (self.amount / months).quantize(_RUPEE, ROUND_CEILING)
