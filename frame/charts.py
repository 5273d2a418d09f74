"""One look for every chart: the template, its colours by theme, and the chart as a page shows it.

A chart comes as plain Plotly JSON from whoever computed it, its texts ready-made; only the look is given here. Its
numbers can be taken along as CSV, the picture as PNG, made by the browser itself.
"""

import csv
import html
import io
import re
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from agent import Chart
from frame.escape import literal
from frame.look import is_dark, table

FONT = "Inter Tabular, Inter, sans-serif"
BASE = {
    "margin": {"l": 0, "r": 0, "t": 28, "b": 0},
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
QUIET = {"light": "#596070", "dark": "#A6ADBA"}
COMPARED = {"light": "#C3C8D1", "dark": "#5C6472"}
MONEY = {"in": {"light": "#12917F", "dark": "#4DB8A6"}, "out": {"light": "#C4562A", "dark": "#E5835A"}}
"""a series that is money in or out says so in its `meta`"""

AREAS = {
    "light": ["#DDE1F7", "#F3E3C8", "#D3EAE4", "#F1D9E7", "#D8E8F4", "#E6E8EC"],
    "dark": ["#333D8F", "#6B4A14", "#14554B", "#6E2B57", "#1F4E72", "#3A404B"],
}
"""areas that carry words in one colour: ink on the light ones, white on the dark"""
DENSITY = {
    "light": [[0, "#F3F4FB"], [0.5, "#B9C1F0"], [1, "#8591E2"]],
    "dark": [[0, "#1F2330"], [0.5, "#333D8F"], [1, "#4C5AD0"]],
}
BANDS = {"light": "rgba(59,76,202,0.18)", "dark": "rgba(98,112,230,0.32)"}
WORDS = {"light": "#14171E", "dark": "#FFFFFF"}

BADGES = {"in": "green", "out": "red"}
PICTURE = {"format": "png", "scale": 3}


def config_of(title: str) -> dict[str, Any]:
    """Plotly's own bar with one button: the picture, under the chart's name, made in the browser."""
    return {
        "displayModeBar": True,
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {**PICTURE, "filename": file_name(title)},
        "responsive": True,
    }


BAR_PIXELS = 32
PAIR_PIXELS = 52
"""two bars a line: tall enough that the first one's label does not touch the second"""
HEAD_ROOM = 1.35
BAR_ROOM = 20
"""above the chart, for the button that takes its picture"""


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
            colour = (ACCENT if position == 0 else COMPARED)[theme]
            trace.update(line={"width": 1.75, "color": colour}, marker={"size": 7, "color": colour})
        elif trace.type == "treemap":
            _as_treemap(trace, theme)
        elif trace.type == "heatmap":
            trace.update(colorscale=DENSITY[theme], textfont={"size": 12, "family": FONT, "color": WORDS[theme]})
        elif trace.type == "sankey":
            _as_flow(trace, theme)
    chart.update_layout(BASE)
    chart.update_layout(modebar={"bgcolor": "rgba(0,0,0,0)", "color": QUIET[theme], "activecolor": ACCENT[theme]})
    tickfont = {"size": 12, "color": INK[theme]}
    chart.update_xaxes(AXIS, tickfont=tickfont)
    chart.update_yaxes(AXIS, tickfont=tickfont)
    bars = [trace for trace in chart.data if trace.type == "bar"]
    if bars and bars[0].orientation == "h":
        longest = max((float(value) for bar in bars for value in bar.x), default=0.0)
        chart.update_xaxes(showticklabels=False, range=[0, longest * HEAD_ROOM or 1])
        chart.update_yaxes(autorange="reversed", type="category")
        pixels = BAR_PIXELS if len(bars) == 1 else PAIR_PIXELS
        height = max(pixels * len(bars[0].y) + 16 + BAR_ROOM, 120)
        chart.update_layout(height=height, bargap=0.45 if len(bars) == 1 else 0.35)
    elif any(trace.type in ("treemap", "sankey") for trace in chart.data):
        chart.update_layout(height=300)
    elif any(trace.type == "heatmap" for trace in chart.data):
        chart.update_xaxes(tickangle=0, nticks=4, type="category")
        chart.update_yaxes(autorange="reversed", type="category")
        chart.update_layout(height=260)
    else:
        chart.update_yaxes(showgrid=True, gridcolor=GRID[theme])
        chart.update_xaxes(tickangle=0, nticks=6)
        chart.update_layout(height=260)
    return chart


def _colours(meta: object, position: int) -> Mapping[str, str]:
    return MONEY.get(str(meta), ACCENT if position == 0 else COMPARED)


def _as_treemap(trace: Any, theme: str) -> None:
    labels = [html.escape(str(label), quote=False) for label in trace.labels]
    palette = AREAS[theme]
    trace.update(
        labels=labels,
        marker={
            "colors": [palette[min(place, len(palette) - 1)] for place in range(len(labels))],
            "line": {"width": 0},
            "pad": {"t": 0, "l": 0, "r": 0, "b": 0},
            "cornerradius": 3,
        },
        tiling={"pad": 3},
        textfont={"size": 12, "family": FONT, "color": WORDS[theme]},
        root={"color": "rgba(0,0,0,0)"},
        pathbar={"visible": False},
    )


def _as_flow(trace: Any, theme: str) -> None:
    labels = [html.escape(str(label), quote=False) for label in trace.node.label]
    trace.update(
        node={"label": labels, "color": ACCENT[theme], "line": {"width": 0}},
        link={"color": BANDS[theme]},
        textfont={"size": 12, "family": FONT, "color": INK[theme], "shadow": "none"},
    )


def show_chart(chart: Chart, key: str) -> None:
    """The chart under its bold title, its numbers as a table and a file, and where they come from."""
    theme = "dark" if is_dark() else "light"
    series = chart.figure.get("data", ())
    names = [str(trace.get("name") or "") for trace in series]
    colours = [
        BADGES.get(str(trace.get("meta")), "blue" if place == 0 else "gray") for place, trace in enumerate(series)
    ]
    legend = " ".join(f":{colour}-badge[{literal(name)}]" for colour, name in zip(colours, names, strict=True) if name)
    st.markdown(f"**{literal(chart.title)}** {legend}".strip())
    words = "; ".join(", ".join(cells) for cells in chart.rows)
    st.plotly_chart(styled(chart.figure, theme), key=key, config=config_of(chart.title), alt=f"{chart.title}: {words}")
    if chart.rows:
        with st.expander("The numbers", type="compact", key=f"{key}-numbers"):
            table(chart.columns, chart.rows, alt=f"{chart.title}, the numbers", key=f"{key}-table")
            st.download_button(
                "Download CSV",
                as_csv(chart),
                f"{file_name(chart.title)}.csv",
                "text/csv",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                key=f"{key}-csv",
            )
    if chart.source:
        st.caption(literal(chart.source))


def as_csv(chart: Chart) -> bytes:
    """A chart's numbers for a spreadsheet: amounts as bare numbers, and no cell that a spreadsheet would work out."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow([_harmless(column) for column in chart.columns])
    lines.writerows([_number(cell) or _harmless(cell) for cell in cells] for cells in chart.rows)
    return text.getvalue().encode("utf-8-sig")


def file_name(title: str) -> str:
    """A chart's title as the name of a file: `spending-by-category`."""
    return "-".join(re.findall(r"\w+", title.casefold()))[:60] or "chart"


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_GROUPED = re.compile(r"[−-]?[\d,]+(?:\.\d+)?")


def _number(cell: str) -> str | None:
    """`1,23,456.50` as 123456.50; None for any other text."""
    return cell.replace(",", "").replace("−", "-") if _GROUPED.fullmatch(cell) else None


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) or cell.startswith(_FORMULA) else cell
