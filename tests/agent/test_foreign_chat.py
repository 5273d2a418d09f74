"""A table of one's own in the conversation: asked, added to, changed, taken back, and never harmed."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from agent import Settings, Workbench, clock_on
from ledger.foreign.mapping import OtherLayout
from ledger.foreign.opening import open_book
from ledger.workbook import Workbook as Spreadsheet

ROWS = [(1, "Salary", None, 5000, ""), (5, "Groceries", 450, None, "Food"), (9, "Rent", 3000, None, "Home")]


def made(path: Path, *, formulas: bool, as_table: bool) -> Path:
    with xlsxwriter.Workbook(path) as workbook:
        sheet = workbook.add_worksheet("All")
        days = workbook.add_format({"num_format": "dd/mm/yyyy"})
        captions = ["Date", "Description", "Debit", "Credit", "Balance", "Category"]
        sheet.write_row(0, 0, captions)
        balance = 0
        for row, (day, text, out, back, category) in enumerate(ROWS, 1):
            balance += (back or 0) - (out or 0)
            sheet.write_datetime(row, 0, datetime(2026, 11, day), days)
            sheet.write_row(row, 1, [text, out, back])
            if formulas:
                above = f"E{row}" if row > 1 else "0"
                sheet.write_formula(row, 4, f"={above}+D{row + 1}-C{row + 1}", None, balance)
            else:
                sheet.write_number(row, 4, balance)
            sheet.write(row, 5, category)
        if as_table:
            sheet.add_table(0, 0, len(ROWS), 5, {"name": "Mine", "columns": [{"header": each} for each in captions]})
        other = workbook.add_worksheet("Sums")
        other.write_formula(0, 0, f"=SUM(All!C2:C{len(ROWS) + 1})", None, 3450)
    return path


@pytest.fixture(params=[(False, False), (True, False), (False, True)], ids=["numbers", "formulas", "an Excel table"])
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workbench]:
    formulas, as_table = request.param
    path = made(tmp_path / "mine.xlsx", formulas=formulas, as_table=as_table)
    with Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(date(2026, 11, 30))) as opened:
        with pytest.raises(OtherLayout) as other:
            open_book(Spreadsheet(path.read_bytes(), path.name))
        mapping = other.value.recognised.mapping
        table = mapping.tables[0].model_copy(update={"mode": "BANK"})
        opened.confirm_book(path, mapping.model_copy(update={"tables": (table,)}))
        yield opened


def cells(bench: Workbench, sheet: str = "All") -> list[tuple[object, ...]]:
    store = bench.book()
    assert store is not None
    return [tuple(row) for row in openpyxl.load_workbook(store.path)[sheet].iter_rows(values_only=True)]


def said(bench: Workbench, *messages: str) -> str:
    return [bench.ask(message, thread="t") for message in messages][-1].reply


def test_an_entry_is_added_in_its_day_and_the_balances_follow(bench: Workbench) -> None:
    before = cells(bench)
    reply = said(bench, "spent 100 on tea via bank on 6 nov", "yes")
    assert "Bank now holds **₹1,450.00**" in reply
    rows = cells(bench)
    assert [row[1] for row in rows[1:]] == ["Salary", "Groceries", "Tea", "Rent"]
    assert rows[3][0] == datetime(2026, 11, 6)
    assert rows[3][2] == 100
    store = bench.book()
    assert store is not None
    assert store.read().book.balances["BANK"] == 1450
    said(bench, "undo")
    assert cells(bench)[: len(before)] == before
    assert all(value is None for row in cells(bench)[len(before) :] for value in row)


def test_a_range_elsewhere_that_ended_at_the_last_row_covers_the_new_one(bench: Workbench) -> None:
    turns = [bench.ask(message, thread="t") for message in ("spent 100 on tea via bank on 12 nov", "yes")]
    assert cells(bench, "Sums")[0][0] == "=SUM(All!C2:C5)"
    assert any("Sums" in note for note in turns[0].notes)


def test_an_entry_is_changed_and_deleted_in_words(bench: Workbench) -> None:
    before = cells(bench)
    assert "Bank now holds **₹1,500.00**" in said(bench, "the groceries of 5 nov was 500, not 450", "yes")
    assert cells(bench)[2][2] == 500
    said(bench, "undo")
    assert cells(bench) == before
    assert "Bank now holds **₹4,550.00**" in said(bench, "delete the rent of 9 nov", "yes")
    said(bench, "undo")
    assert cells(bench)[: len(before)] == before


def test_a_mode_the_table_does_not_hold_is_refused_and_named(bench: Workbench) -> None:
    before = cells(bench)
    turn = bench.ask("tea 50 cash", thread="t")
    assert turn.problem
    assert "Bank" in turn.problem
    assert not bench.ask("yes", thread="t").written
    assert cells(bench) == before


def test_more_than_there_is_cannot_be_spent(bench: Workbench) -> None:
    before = cells(bench)
    assert "short" in said(bench, "spent 99999 on gold via bank", "yes")
    assert cells(bench) == before
