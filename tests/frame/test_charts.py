"""A chart shows its labels as they are written, and money in and out in its own colours."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest

from agent import Chart
from agent.charts import Numbers, across, calendar, flow, line, paired, treemap, upright
from frame.charts import MONEY, as_csv, config_of, styled

HOSTILE = '<a href="http://evil.example">Food</a> & <b>drink</b>'


def test_a_label_is_never_read_as_markup() -> None:
    lying = {"type": "bar", "orientation": "h", "y": [HOSTILE, "2026"], "x": [1.0, 2.0]}
    chart = styled({"data": [lying], "layout": {}}, "light")
    assert list(chart.data[0].y) == [
        '&lt;a href="http://evil.example"&gt;Food&lt;/a&gt; &amp; &lt;b&gt;drink&lt;/b&gt;',
        "2026",
    ]
    assert chart.layout.yaxis.type == "category", "a category named like a number is a name"
    upright = {"type": "bar", "x": [HOSTILE], "y": [1.0]}
    assert "<" not in styled({"data": [upright], "layout": {}}, "dark").data[0].x[0]


def test_money_in_and_out_have_their_colours_in_either_order() -> None:
    series = [{"type": "bar", "meta": way, "x": ["Nov"], "y": [1.0]} for way in ("out", "in")]
    for theme in ("light", "dark"):
        drawn = styled({"data": series, "layout": {}}, theme).data
        assert [trace.marker.color for trace in drawn] == [MONEY["out"][theme], MONEY["in"][theme]]


LABELS, VALUES = (HOSTILE, "Rent", "Lent"), (Decimal("123456.50"), Decimal(900), Decimal(0))
NUMBERS = Numbers("By category", "Category", LABELS, VALUES, "NOVEMBER!F6:F9", (1, 2, 3), period="November")
DAYS = {date(2026, 11, 3): Decimal(500), date(2026, 11, 30): Decimal(900)}
NOVEMBER = (date(2026, 11, 1), date(2026, 11, 30))
EVERY = {
    "bars": across(NUMBERS),
    "along time": upright(NUMBERS),
    "line": line(NUMBERS),
    "treemap": treemap(NUMBERS),
    "pairs": paired(NUMBERS, NUMBERS),
    "calendar": calendar(NUMBERS, DAYS, *NOVEMBER, today=date(2026, 11, 20)),
    "flow": flow("Flow", {HOSTILE: Decimal(9)}, {"Rent": Decimal(4)}, source="", kept="Kept", drawn_on="From savings"),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_of_chart_is_drawn_with_its_numbers_and_without_markup(name: str, theme: str) -> None:
    chart = EVERY[name]
    drawn = styled(chart.figure, theme).to_json()
    assert "<a" not in drawn
    assert chart.rows
    assert all(len(cells) == len(chart.columns) for cells in chart.rows)


def test_a_day_that_has_not_been_is_left_empty_on_the_calendar() -> None:
    (trace,) = EVERY["calendar"].figure["data"]
    pairs = [
        pair for words, row in zip(trace["text"], trace["z"], strict=True) for pair in zip(words, row, strict=True)
    ]
    squares = {text: value for text, value in pairs if text}
    assert (squares["3"], squares["4"], "21" in squares) == (500.0, 0.0, False)


@pytest.mark.parametrize(("income", "spent", "rest"), [(9, 4, "Kept"), (4, 9, "From savings")])
def test_what_a_flow_takes_in_it_gives_out(income: int, spent: int, rest: str) -> None:
    made = flow(
        "Flow", {"Salary": Decimal(income)}, {"Rent": Decimal(spent)}, source="", kept="Kept", drawn_on="From savings"
    )
    (trace,) = made.figure["data"]
    ends = set(trace["link"]["target"])
    middle = next(place for place in trace["link"]["source"] if place in ends)
    links = list(zip(trace["link"]["source"], trace["link"]["target"], trace["link"]["value"], strict=True))
    into = sum(value for _, end, value in links if end == middle)
    out = sum(value for start, _, value in links if start == middle)
    assert into == out == max(income, spent)
    assert made.rows[-1][0] == rest


def test_the_numbers_go_into_a_spreadsheet_as_numbers_and_never_as_formulas() -> None:
    evil = ("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "\tx", "\rx", " =1")
    chart = Chart("Mine", {}, ("Category", "₹"), tuple((name, "−1,23,456.50") for name in evil))
    _, *lines = csv.reader(io.StringIO(as_csv(chart).decode("utf-8-sig"), newline=""))
    assert [line[0] for line in lines] == [f"'{name}" for name in evil]
    assert {line[1] for line in lines} == {"-123456.50"}


def test_the_only_button_of_a_chart_takes_its_picture_under_its_name() -> None:
    config = config_of("Spending by category / 2026")
    assert config["modeBarButtons"] == [["toImage"]]
    assert config["toImageButtonOptions"]["filename"] == "spending-by-category-2026"
    assert config["toImageButtonOptions"]["format"] == "png"
