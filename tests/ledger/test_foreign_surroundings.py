"""A table of one's own with something of Excel around it: written with it kept whole, or refused with the cell."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from agent.clock import clock_on
from ledger.edits import Add
from ledger.entries import BookRefused, Draft
from ledger.foreign.mapping import OtherLayout
from ledger.foreign.opening import open_book
from ledger.store import BookStore, Receipt
from ledger.workbook import Workbook

CAPTIONS = ["Date", "Description", "Debit", "Credit", "Balance", "Category"]
ROWS = [(1, "Salary", None, 5000, "x"), (5, "Groceries", 450, None, "Food"), (9, "Rent", 3000, None, "Home")]
_LAST_CELL = {"Debit": {"total_function": "sum"}, "Date": {"total_string": "Total"}}
TOTALS = [{"header": name} | _LAST_CELL.get(name, {}) for name in CAPTIONS]


def chart(book: xlsxwriter.Workbook, sheet: xlsxwriter.worksheet.Worksheet) -> None:
    drawn = book.add_chart({"type": "column"})
    drawn.add_series({"values": "=All!$C$2:$C$4"})
    sheet.insert_chart("H2", drawn)


def elsewhere(book: xlsxwriter.Workbook, sheet: xlsxwriter.worksheet.Worksheet) -> None:
    sheet.hide()
    book.add_worksheet("Other").activate()


Around = Callable[[xlsxwriter.Workbook, xlsxwriter.worksheet.Worksheet], object]
REFUSED: dict[str, tuple[Around, str]] = {
    "a protected sheet": (lambda _, sheet: sheet.protect(), "The sheet All is protected"),
    "a merged cell where the row would go": (lambda _, sheet: sheet.merge_range("A5:C5", ""), "The merged cell All!A5"),
    "a total below": (lambda _, sheet: sheet.write_row(4, 1, ["Total", 3450]), "All!B5 is not blank"),
    "the total row of an Excel table": (
        lambda _, sheet: sheet.add_table("A1:F5", {"total_row": True, "columns": TOTALS}),
        "All!A5",
    ),
    "a hidden sheet": (elsewhere, "The sheet All is hidden"),
}
KEPT: dict[str, tuple[Around, str]] = {
    "a name": (lambda book, _: book.define_name("Spent", "=All!$C$2:$C$4"), "The name Spent now covers the new row"),
    "a chart": (chart, "A chart that drew All!$C$2:$C$4 now draws All!$C$2:$C$5"),
    "a filter": (lambda _, sheet: sheet.autofilter("A1:F4"), ""),
    "a list of choices": (
        lambda _, sheet: sheet.data_validation("F2:F4", {"validate": "list", "source": ["Food", "Home", "x"]}),
        "",
    ),
    "a note further down": (lambda _, sheet: sheet.write(9, 0, "checked by me"), ""),
}


def store_of(folder: Path, around: Around) -> BookStore:
    path = folder / "mine.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("All")
        days = book.add_format({"num_format": "dd/mm/yyyy"})
        sheet.write_row(0, 0, CAPTIONS)
        balance = 0
        for row, (day, text, out, back, category) in enumerate(ROWS, 1):
            balance += (back or 0) - (out or 0)
            sheet.write_datetime(row, 0, datetime(2026, 11, day), days)
            sheet.write_row(row, 1, [text, out, back, balance, category])
        around(book, sheet)
    with pytest.raises(OtherLayout) as other:
        open_book(Workbook(path.read_bytes(), path.name))
    mapping = other.value.recognised.mapping
    tables = tuple(table.model_copy(update={"mode": "BANK"}) for table in mapping.tables)
    mapping = mapping.model_copy(update={"tables": tables})
    clock = clock_on(date(2026, 11, 30))
    return BookStore(path, folder / "home", clock, lambda workbook: open_book(workbook, mapping))


def add(store: BookStore, day: int) -> Receipt:
    draft = Draft(date(2026, 11, day), "Tea", "BANK", "DEBIT", Decimal(10), "Food")
    return store.change([Add(draft)], request=f"on {day}", who="test")


@pytest.mark.parametrize("day", [6, 20])
@pytest.mark.parametrize("kind", REFUSED)
def test_what_stands_in_the_way_is_named_and_the_file_untouched(tmp_path: Path, kind: str, day: int) -> None:
    around, says = REFUSED[kind]
    store = store_of(tmp_path, around)
    before = store.path.read_bytes()
    with pytest.raises(BookRefused) as refused:
        add(store, day)
    assert says in str(refused.value)
    assert store.path.read_bytes() == before


@pytest.mark.parametrize("kind", KEPT)
def test_what_stands_around_is_kept_and_grows_with_the_table(tmp_path: Path, kind: str) -> None:
    around, says = KEPT[kind]
    store = store_of(tmp_path, around)
    before = store.read().book
    notes = " ".join(add(store, 6).notes)
    assert says in notes
    assert add(store, 20).cells
    after = store.read().book
    assert len(after.entries) == len(before.entries) + 2
    assert after.balances["BANK"] == before.balances["BANK"] - 20
    sheet = openpyxl.load_workbook(store.path)["All"]
    if kind == "a filter":
        assert sheet.auto_filter.ref == "A1:F6"
    if kind == "a list of choices":
        assert [str(each.sqref) for each in sheet.data_validations.dataValidation] == ["F2:F6"]
    if kind == "a note further down":
        assert sheet["A10"].value == "checked by me"
