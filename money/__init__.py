"""How money and dates are written: parsed strictly, printed the Indian way."""

from money.amounts import AmountFound, find_amounts, parse_amount
from money.dates import (
    DateFound,
    PeriodFound,
    day_text,
    days_text,
    find_dates,
    find_periods,
    month_span,
    parse_date,
    previous_month,
)
from money.days import contradicted_day
from money.printing import grouped, percent, rupees, short_rupees, whole_rupees

__all__ = [
    "AmountFound",
    "DateFound",
    "PeriodFound",
    "contradicted_day",
    "day_text",
    "days_text",
    "find_amounts",
    "find_dates",
    "find_periods",
    "grouped",
    "month_span",
    "parse_amount",
    "parse_date",
    "percent",
    "previous_month",
    "rupees",
    "short_rupees",
    "whole_rupees",
]
