"""Charts as plain Plotly JSON, with their numbers beside them. Colours and fonts are the window's business."""

from collections.abc import Sequence
from decimal import Decimal

from agent.turn import Chart
from money import grouped, short_rupees


def bars(
    title: str,
    labels: Sequence[str],
    values: Sequence[Decimal],
    *,
    heading: str,
    source: str,
    counts: Sequence[int | str],
    counted: str = "Entries",
    period: str = "",
) -> Chart:
    """Bars of amounts, the first label at the top; the numbers as rows under it, with how many are `counted`."""
    figure = {
        "data": [
            {
                "type": "bar",
                "name": period,
                "orientation": "h",
                "y": list(labels),
                "x": [float(value) for value in values],
                "text": [short_rupees(value) for value in values],
                "textposition": "outside",
                "cliponaxis": False,
                "constraintext": "none",
                "hovertemplate": "%{y}: ₹%{customdata}<extra></extra>",
                "customdata": [grouped(value) for value in values],
            }
        ],
        "layout": {
            "height": max(230, 60 + 28 * len(labels)),
            "yaxis": {"autorange": "reversed", "type": "category"},
            "xaxis": {"visible": False, "rangemode": "tozero", "range": [0, float(max(values, default=1)) * 1.45 or 1]},
        },
    }
    rows = tuple(
        (label, grouped(value), str(count)) for label, value, count in zip(labels, values, counts, strict=True)
    )
    return Chart(title, figure, (heading, "₹", counted), rows, source)


def days(
    title: str,
    labels: Sequence[str],
    values: Sequence[Decimal],
    *,
    heading: str,
    source: str,
    counts: Sequence[int | str],
    counted: str = "Entries",
    period: str = "",
) -> Chart:
    """Upright bars along time, the oldest first."""
    figure = {
        "data": [
            {
                "type": "bar",
                "name": period,
                "x": list(labels),
                "y": [float(value) for value in values],
                "hovertemplate": "%{x}: ₹%{customdata}<extra></extra>",
                "customdata": [grouped(value) for value in values],
            }
        ],
        "layout": {"height": 260, "xaxis": {"type": "category", "nticks": 4}, "yaxis": {"rangemode": "tozero"}},
    }
    rows = tuple(
        (label, grouped(value), str(count)) for label, value, count in zip(labels, values, counts, strict=True)
    )
    return Chart(title, figure, (heading, "₹", counted), rows, source)
