"""A chart shows its labels as they are written, and money in and out in its own colours."""

from frame.charts import MONEY, styled

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
