"""A month's report: one file, whole, and nothing in it that a book could make run or fetch."""

import re
from dataclasses import replace
from datetime import date

import pytest

from ledger.book import read_book
from ledger.entries import Book, Issue
from ledger.report import file_name, month_report
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def book() -> Book:
    return read_book(Workbook(sample_book(TODAY), "Budget_2026.xlsx"))


def test_the_report_names_the_month_its_figures_and_their_cells(book: Book) -> None:
    page = month_report(book, TODAY, TODAY)
    assert "<h1>November 2026</h1>" in page
    assert "Spending by category" in page
    assert "Bills that come back" in page
    for entry in book.entries:
        if entry.date.month == 11:
            assert entry.amount_cell.replace("'", "&#x27;") in page
    assert file_name(book, TODAY) == "Budget_2026_2026-11.html"


def test_it_asks_for_nothing_from_outside(book: Book) -> None:
    page = month_report(book, TODAY, TODAY)
    assert not re.search(r"(?:https?:|src=|href=|@import|url\()", page)
    assert "default-src 'none'" in page


def test_a_text_of_the_book_is_shown_as_it_is_written(book: Book) -> None:
    entry = next(entry for entry in book.entries if entry.date.month == 11)
    hostile = replace(book, name="<b>x</b>.xlsx", entries=(entry._replace(description="<SCRIPT>ALERT(1)</SCRIPT>"),))
    page = month_report(hostile, TODAY, TODAY).lower()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<b>x" not in page


def test_a_month_without_rows_says_so_and_one_with_a_broken_cell_gives_no_total(book: Book) -> None:
    assert "Nothing was spent." in month_report(replace(book, entries=()), TODAY, TODAY)
    broken = replace(book, issues=(Issue("NOVEMBER!F12", "#REF!", "An error.", stops_totals=True),))
    page = month_report(broken, TODAY, TODAY)
    assert "NOVEMBER!F12" in page
    assert "Money out" not in page
