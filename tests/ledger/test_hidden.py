import io
from datetime import date

import openpyxl
import pytest

from ledger.book import read_book
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 14)


def hidden(sheets: tuple[str, ...] = (), rows: tuple[tuple[str, int], ...] = ()) -> Workbook:
    book = openpyxl.load_workbook(io.BytesIO(sample_book(TODAY)))
    for name in sheets:
        book[name].sheet_state = "hidden"
    for name, row in rows:
        book[name].row_dimensions[row].hidden = True
    buffer = io.BytesIO()
    book.save(buffer)
    return Workbook(buffer.getvalue(), "Budget_2026.xlsx")


def test_a_book_with_nothing_hidden_says_nothing() -> None:
    assert read_book(Workbook(sample_book(TODAY), "Budget_2026.xlsx")).remarks == ()


@pytest.mark.parametrize(
    ("sheets", "rows", "said"),
    [
        ((), (("NOVEMBER", 7),), "1 row is hidden on NOVEMBER and read like any other."),
        ((), (("CASH TRACKER", 13), ("CASH TRACKER", 14)), "2 rows are hidden on CASH TRACKER"),
        (("OCTOBER",), (), "The sheet OCTOBER is hidden, and is read."),
        (("TERMINOLOGY",), (), "The sheet TERMINOLOGY is hidden, and no entries are read from there."),
    ],
)
def test_what_is_hidden_is_counted_and_said(
    sheets: tuple[str, ...], rows: tuple[tuple[str, int], ...], said: str
) -> None:
    whole = read_book(Workbook(sample_book(TODAY), "Budget_2026.xlsx"))
    book = read_book(hidden(sheets, rows))
    assert any(said in remark for remark in book.remarks)
    assert len(book.entries) == len(whole.entries)
