"""Figures and their sources; text from outside inside a reply."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agent.evidence import Wording, calculated, cell_source, plain_wording, unsupported
from agent.markdown import escaped, plain_text
from agent.state import Saying
from agent.turn import Figure

CELL = cell_source("NOVEMBER!F24")


def test_a_number_that_went_through_the_wording_is_supported() -> None:
    wording = Wording()
    text = f"You spent {wording.money(Decimal('12000'), CELL)} over {wording.count(4, 'entry', CELL)}."
    saying = wording.saying(text)
    assert saying.text == "You spent **₹12,000.00** over **4 entries**."
    assert unsupported(saying) == ()


def test_a_number_that_nothing_supports_is_named() -> None:
    wording = Wording()
    text = f"You spent {wording.money(Decimal('500'), CELL)}, about ₹600.00 or 12% more than 500."
    assert unsupported(wording.saying(text)) == ("₹600.00", "12%", "500")


def test_part_of_a_number_is_no_support() -> None:
    figure = Figure("₹500.00", Decimal(500), CELL)
    assert unsupported(Saying("₹1,500.00 and ₹500.001", (figure,))) == ("₹1,500.00", "₹500.001")


@pytest.mark.parametrize(
    "text",
    [
        "from 22 to 28 Nov",
        "28 Nov 2025",
        "28 Oct to 3 Nov",
        "in November 2025, FY 2025-26, Q2 FY26",
        "in 2026",
        "item 2 and the 3rd",
        "NOVEMBER!C24:J24 and 'CASH TRACKER'!F30",
    ],
)
def test_dates_items_and_cells_are_no_figures(text: str) -> None:
    assert unsupported(Saying(text)) == ()


@pytest.mark.parametrize("quoted", ["640", "40", "6", "00", "₹640", "640.00"])
def test_quoted_digits_do_not_take_a_figure_apart(quoted: str) -> None:
    wording = Wording()
    said = f"{wording.quote(quoted)} is {wording.money(Decimal(640), CELL)}, and 641 is not."
    assert unsupported(wording.saying(said)) == ("641",)


def test_numbers_inside_quoted_text_are_not_ours() -> None:
    wording = Wording()
    assert unsupported(wording.saying(f"Saved {wording.quote('IPHONE 15 (2 pcs)')}.")) == ()


@given(st.decimals(min_value=Decimal(-(10**9)), max_value=Decimal(10**9), places=2))
def test_every_amount_that_is_worded_is_supported(amount: Decimal) -> None:
    wording = Wording()
    assert unsupported(wording.saying(f"It is {wording.money(amount, CELL)}.")) == ()


@given(st.text(max_size=60))
def test_text_from_outside_is_shown_as_it_is(text: str) -> None:
    rendered = MarkdownIt("commonmark").renderInline(escaped(text)).replace("\u2060", "")
    for entity, mark in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        rendered = rendered.replace(entity, mark)
    shown = " ".join(text.split()).replace("\x00", "\ufffd")
    assert rendered == shown


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=40))
def test_a_terminal_shows_what_was_written(text: str) -> None:
    assert plain_text(f"**{escaped('x')}** {escaped(text)}") == f"x {' '.join(text.split())}"


def test_the_plain_wording_says_each_figure_with_its_source() -> None:
    wording = Wording()
    rate = wording.rate(Decimal("25"), calculated("this ÷ that"))
    plain = plain_wording(wording.saying(f"{rate}, or 26%"))
    assert "**25.0%**, worked out as this ÷ that" in plain.text
    assert unsupported(plain) == ()
