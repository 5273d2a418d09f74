"""The four tiles over a month: right where the book knows, and said to be unknown where it does not."""

from dataclasses import replace
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from agent.workbench import Workbench
from frame.overview import UNKNOWN, tiles
from ledger.book import read_book
from ledger.entries import Book, Issue
from ledger.outlook import safe_to_spend
from ledger.template import blank_book, sample_book
from ledger.workbook import Workbook
from money import whole_rupees

TODAY = date(2026, 11, 14)


@pytest.fixture(scope="module")
def book() -> Book:
    return read_book(Workbook(sample_book(TODAY), "Budget_2026.xlsx"))


def test_the_tiles_say_what_the_book_says(book: Book) -> None:
    net, used, due, free = tiles(book, TODAY)
    assert net.label == "Net this month"
    assert used.value.endswith("%")
    assert due.note.startswith("next ")
    assert free.value == whole_rupees(safe_to_spend(book, TODAY).a_day)


def test_a_blank_book_has_no_figure_that_it_does_not_know() -> None:
    blank = read_book(Workbook(blank_book(2026, TODAY), "Budget_2026.xlsx"))
    values = {tile.label: tile.value for tile in tiles(blank, TODAY)}
    assert values["Net this month"] == values["Bills due"] == values["Safe a day"] == UNKNOWN


def test_a_cell_that_cannot_be_read_leaves_every_tile_unknown(book: Book) -> None:
    broken = replace(book, issues=(Issue("NOVEMBER!F12", "#REF!", "An error.", stops_totals=True),))
    assert {tile.value for tile in tiles(broken, TODAY)} == {UNKNOWN}


def test_a_report_asked_for_in_the_chat_is_there_to_be_saved(sample: Workbench, window: AppTest) -> None:
    sample.ask("report for november", thread="t")
    window.query_params["c"] = "t"
    window.run()
    assert not window.exception
    assert any("Report to print or save" in str(button) for button in window.get("download_button"))
