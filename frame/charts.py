"""One look for every chart: the template, its colours by theme, and the chart as a page shows it.

A chart comes as plain Plotly JSON from whoever computed it, its texts ready-made; only the look is given here.
"""

import html
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from agent import Chart
from frame.escape import literal
from frame.look import is_dark, table

FONT = "Inter Tabular, Inter, sans-serif"
BASE = {
    "margin": {"l": 0, "r": 0, "t": 8, "b": 0},
    "font": {"family": FONT, "size": 12},
    "showlegend": False,
    "bargap": 0.45,
    "dragmode": False,
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "hoverlabel": {"font": {"family": FONT, "size": 12}, "align": "left"},
    "title": None,
}
AXIS = {
    "showgrid": False,
    "zeroline": False,
    "showline": False,
    "ticks": "",
    "title": None,
    "automargin": True,
}
GRID = {"light": "#EEF0F3", "dark": "#23272F"}
ACCENT = {"light": "#3B4CCA", "dark": "#6270E6"}
INK = {"light": "#14171E", "dark": "#E6E8EC"}
COMPARED = {"light": "#C3C8D1", "dark": "#5C6472"}
MONEY = {"in": {"light": "#12917F", "dark": "#4DB8A6"}, "out": {"light": "#C4562A", "dark": "#E5835A"}}
"""a series that is money in or out says so in its `meta`"""

BADGES = {"in": "green", "out": "red"}
CONFIG: dict[str, Any] = {"displayModeBar": False, "responsive": True}

BAR_PIXELS = 32
PAIR_PIXELS = 52
"""two bars a line: tall enough that the first one's label does not touch the second"""
HEAD_ROOM = 1.35


def styled(figure: Mapping[str, Any], theme: str) -> go.Figure:
    """A chart's plain JSON in our look. The first series is this period's and has the accent, a second is what it is
    compared with and grey. Plotly reads tags in labels; here every label is shown as it is written.
    """
    chart = go.Figure(dict(figure))
    for position, trace in enumerate(chart.data):
        for axis in ("x", "y"):
            labels = getattr(trace, axis, None)
            if labels is not None and any(isinstance(label, str) for label in labels):
                trace[axis] = [html.escape(str(label), quote=False) for label in labels]
        if trace.type == "bar":
            trace.update(
                marker={"color": _colours(trace.meta, position)[theme], "cornerradius": 3},
                constraintext="none",
                textposition="outside" if position == 0 else "none",
                textfont={"size": 12, "family": FONT, "color": INK[theme]},
                cliponaxis=False,
            )
        elif trace.type in ("scatter", "scattergl"):
            trace.update(line={"width": 1.75, "color": (ACCENT if position == 0 else COMPARED)[theme]})
    chart.update_layout(BASE)
    tickfont = {"size": 12, "color": INK[theme]}
    chart.update_xaxes(AXIS, tickfont=tickfont)
    chart.update_yaxes(AXIS, tickfont=tickfont)
    bars = [trace for trace in chart.data if trace.type == "bar"]
    if bars and bars[0].orientation == "h":
        longest = max((float(value) for bar in bars for value in bar.x), default=0.0)
        chart.update_xaxes(showticklabels=False, range=[0, longest * HEAD_ROOM or 1])
        chart.update_yaxes(autorange="reversed", type="category")
        pixels = BAR_PIXELS if len(bars) == 1 else PAIR_PIXELS
        chart.update_layout(height=max(pixels * len(bars[0].y) + 16, 120), bargap=0.45 if len(bars) == 1 else 0.35)
    else:
        chart.update_yaxes(showgrid=True, gridcolor=GRID[theme])
        chart.update_xaxes(tickangle=0, nticks=6)
        chart.update_layout(height=260)
    return chart


def _colours(meta: object, position: int) -> Mapping[str, str]:
    return MONEY.get(str(meta), ACCENT if position == 0 else COMPARED)


def show_chart(chart: Chart, key: str) -> None:
    """The chart under its bold title, its numbers as a table, and where they come from."""
    theme = "dark" if is_dark() else "light"
    series = chart.figure.get("data", ())
    names = [str(trace.get("name") or "") for trace in series]
    colours = [
        BADGES.get(str(trace.get("meta")), "blue" if place == 0 else "gray") for place, trace in enumerate(series)
    ]
    legend = " ".join(f":{colour}-badge[{literal(name)}]" for colour, name in zip(colours, names, strict=True) if name)
    st.markdown(f"**{literal(chart.title)}** {legend}".strip())
    words = "; ".join(", ".join(cells) for cells in chart.rows)
    st.plotly_chart(styled(chart.figure, theme), key=key, config=CONFIG, alt=f"{chart.title}: {words}")
    if chart.rows:
        with st.expander("The numbers", type="compact", key=f"{key}-numbers"):
            table(chart.columns, chart.rows, alt=f"{chart.title}, the numbers", key=f"{key}-table")
    if chart.source:
        st.caption(literal(chart.source))
