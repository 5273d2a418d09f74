"""Charts as plain Plotly JSON, with their numbers beside them. Colours and fonts are the window's business.

    across · upright · line · treemap · paired · calendar · flow      each gives a figure and its numbers as rows

Every text in a figure is ready-made in Indian grouping, for Plotly has no such format.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from agent.turn import Chart
from money import day_text, grouped, short_rupees

_ZERO = Decimal(0)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LETTERS = 16
_SIDES = 6
"""lines of a flow on either side; the smaller ones are drawn as one"""


@dataclass(frozen=True)
class Numbers:
    """What a chart shows: amounts by label, how many rows each has, and where they come from."""

    title: str
    heading: str
    labels: Sequence[str]
    values: Sequence[Decimal]
    source: str
    counts: Sequence[int | str] = ()
    counted: str = "Entries"
    period: str = ""

    def as_chart(self, trace: Mapping[str, Any], layout: Mapping[str, Any]) -> Chart:
        """The chart of one series, with these numbers as its table."""
        columns = (self.heading, "₹", self.counted) if self.counts else (self.heading, "₹")
        rows = tuple(
            (label, grouped(value), *((str(self.counts[place]),) if self.counts else ()))
            for place, (label, value) in enumerate(zip(self.labels, self.values, strict=True))
        )
        return Chart(
            self.title, {"data": [{"name": self.period, **trace}], "layout": layout}, columns, rows, self.source
        )

    @property
    def texts(self) -> list[str]:
        """The amounts as the pointer shows them."""
        return [grouped(value) for value in self.values]

    @property
    def sizes(self) -> list[float]:
        """The amounts as Plotly draws them."""
        return [float(value) for value in self.values]


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
    return across(Numbers(title, heading, labels, values, source, counts, counted, period))


def across(numbers: Numbers) -> Chart:
    """Bars from left to right, the first label at the top."""
    trace = {
        "type": "bar",
        "orientation": "h",
        "y": list(numbers.labels),
        "x": numbers.sizes,
        "text": [short_rupees(value) for value in numbers.values],
        "textposition": "outside",
        "cliponaxis": False,
        "constraintext": "none",
        "hovertemplate": "%{y}: ₹%{customdata}<extra></extra>",
        "customdata": numbers.texts,
    }
    longest = float(max(numbers.values, default=Decimal(1))) * 1.45 or 1
    layout = {
        "height": max(230, 60 + 28 * len(numbers.labels)),
        "yaxis": {"autorange": "reversed", "type": "category"},
        "xaxis": {"visible": False, "rangemode": "tozero", "range": [0, longest]},
    }
    return numbers.as_chart(trace, layout)


def upright(numbers: Numbers) -> Chart:
    """Bars along time, the oldest first."""
    trace = {
        "type": "bar",
        "x": list(numbers.labels),
        "y": numbers.sizes,
        "hovertemplate": "%{x}: ₹%{customdata}<extra></extra>",
        "customdata": numbers.texts,
    }
    return numbers.as_chart(trace, _over_time(numbers.values))


def line(numbers: Numbers) -> Chart:
    """A line along time, the oldest first."""
    trace = {
        "type": "scatter",
        "mode": "lines" if len(numbers.labels) > 31 else "lines+markers",
        "x": list(numbers.labels),
        "y": numbers.sizes,
        "hovertemplate": "%{x}: ₹%{customdata}<extra></extra>",
        "customdata": numbers.texts,
    }
    return numbers.as_chart(trace, _over_time(numbers.values))


def treemap(numbers: Numbers) -> Chart:
    """Areas of a whole; what came to nothing or less has none, and stands in the numbers alone."""
    drawn = [(label, value) for label, value in zip(numbers.labels, numbers.values, strict=True) if value > 0]
    whole = sum((value for _, value in drawn), _ZERO)
    trace = {
        "type": "treemap",
        "labels": [label for label, _ in drawn],
        "parents": [""] * len(drawn),
        "values": [float(value) for _, value in drawn],
        "text": [f"{short_rupees(value)} · {round(value * 100 / whole)}%" for _, value in drawn],
        "textinfo": "label+text",
        "hovertemplate": "%{label}: ₹%{customdata}<extra></extra>",
        "customdata": [grouped(value) for _, value in drawn],
    }
    return numbers.as_chart(trace, {"height": 300})


def paired(now: Numbers, before: Numbers) -> Chart:
    """Two bars a label: what is asked about, and what it is held against."""
    first, second = across(now), across(before)
    figure = {"data": [*first.figure["data"], *second.figure["data"]], "layout": first.figure["layout"]}
    rows = tuple(
        (label, grouped(value), grouped(other))
        for label, value, other in zip(now.labels, now.values, before.values, strict=True)
    )
    return replace(first, figure=figure, columns=(now.heading, f"{now.period} ₹", f"{before.period} ₹"), rows=rows)


def calendar(numbers: Numbers, days: Mapping[date, Decimal], first: date, last: date, today: date) -> Chart:
    """A square a day, a column a week, darker where more was spent; days that have not been are left empty."""
    monday = first - timedelta(days=first.weekday())
    weeks = [monday + timedelta(days=7 * week) for week in range((last - monday).days // 7 + 1)]
    shown = [[week + timedelta(days=weekday) for week in weeks] for weekday in range(7)]

    def has(day: date) -> bool:
        return first <= day <= min(last, today)

    trace = {
        "type": "heatmap",
        "x": [day_text(week, today) for week in weeks],
        "y": list(_WEEKDAYS),
        "z": [[float(days.get(day, _ZERO)) if has(day) else None for day in row] for row in shown],
        "text": [[str(day.day) if has(day) else "" for day in row] for row in shown],
        "customdata": [
            [f"{day_text(day, today)}: ₹{grouped(days.get(day, _ZERO))}" if has(day) else "" for day in row]
            for row in shown
        ],
        "texttemplate": "%{text}" if len(weeks) <= 14 else "",
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "xgap": 2,
        "ygap": 2,
        "showscale": False,
    }
    layout = {"height": 260, "yaxis": {"autorange": "reversed"}, "xaxis": {"type": "category", "nticks": 4}}
    return numbers.as_chart(trace, layout)


def flow(
    title: str, into: Mapping[str, Decimal], out: Mapping[str, Decimal], *, source: str, kept: str, drawn_on: str
) -> Chart:
    """Income on the left, through one whole, to what it went to on the right.

    What is left is a band to `kept`; what was spent beyond the income is a band from `drawn_on`.
    """
    left, right = _largest(into), _largest(out)
    came, went = sum(into.values(), _ZERO), sum(out.values(), _ZERO)
    if came > went:
        right[kept] = came - went
    elif went > came:
        left[drawn_on] = went - came
    names = [*map(_short, left), "", *map(_short, right)]
    whole = len(left)
    links = [(place, whole, value) for place, value in enumerate(left.values())]
    links += [(whole, whole + 1 + place, value) for place, value in enumerate(right.values())]
    totals = [*left.values(), max(came, went), *right.values()]
    trace = {
        "type": "sankey",
        "arrangement": "snap",
        "node": {
            "label": [f"{name} {short_rupees(value)}".strip() for name, value in zip(names, totals, strict=True)],
            "customdata": [grouped(value) for value in totals],
            "hovertemplate": "₹%{customdata}<extra></extra>",
            "pad": 14,
            "thickness": 12,
        },
        "link": {
            "source": [start for start, _, _ in links],
            "target": [end for _, end, _ in links],
            "value": [float(value) for _, _, value in links],
            "customdata": [grouped(value) for _, _, value in links],
            "hovertemplate": "₹%{customdata}<extra></extra>",
        },
    }
    ways = [(name, "in", value) for name, value in into.items()] + [(name, "out", value) for name, value in out.items()]
    if came > went:
        ways.append((kept, "kept", came - went))
    elif went > came:
        ways.append((drawn_on, "drawn on", went - came))
    rows = tuple((name, way, grouped(value)) for name, way, value in ways)
    return Chart(title, {"data": [trace], "layout": {"height": 300}}, ("From or to", "Way", "₹"), rows, source)


def _short(name: str) -> str:
    """A name that fits beside its band on a phone."""
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…"


def _largest(amounts: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """The largest ones by themselves, the others as one."""
    ranked = sorted(((name, value) for name, value in amounts.items() if value > 0), key=lambda pair: -pair[1])
    if len(ranked) <= _SIDES:
        return dict(ranked)
    kept = dict(ranked[: _SIDES - 1])
    kept["Other"] = kept.get("Other", _ZERO) + sum((value for _, value in ranked[_SIDES - 1 :]), _ZERO)
    return kept


def _over_time(values: Sequence[Decimal]) -> Mapping[str, Any]:
    """The axes of a chart along time; the amounts at the side in short Indian notation."""
    top, low = max(values, default=_ZERO), min(values, default=_ZERO)
    lowest = min(low, _ZERO)
    step = _step(max(top, _ZERO) - lowest)
    ticks = [step * place for place in range(int(lowest // step) - (1 if lowest % step else 0), int(top // step) + 2)]
    return {
        "height": 260,
        "xaxis": {"type": "category", "nticks": 4},
        "yaxis": {
            "rangemode": "tozero",
            "tickvals": [float(tick) for tick in ticks],
            "ticktext": [short_rupees(tick) for tick in ticks],
        },
    }


def _step(height: Decimal) -> Decimal:
    """A round distance that divides a height in three to six."""
    size = Decimal(1)
    while True:
        for factor in (1, 2, 5):
            if height <= size * factor * 5:
                return size * factor
        size *= 10
