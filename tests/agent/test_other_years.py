"""A question whose days lie in two books is answered from both, and says which months no book has."""

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from agent import Settings, Workbench, clock_on
from ledger.intake import book_from_json
from ledger.joined import joined
from ledger.queries import Query, Span, run
from ledger.store import BookStore

TODAY = date(2026, 11, 30)


def book_of(year: int, *rows: tuple[str, str, str, str]) -> bytes:
    """Rows as `(day, words, mode, amount)`; money out of Food."""
    transactions = [
        {"date": day, "description": words, "mode": mode, "direction": "DEBIT", "amount": amount, "category": "Food"}
        for day, words, mode, amount in rows
    ]
    budget = [{"category": "Food", "group": "PERSONAL", "monthly": 5000, "essential": False, "words": []}]
    opening = {"PHONEPE": 9000, "WALLET": 9000, "MONEY": 9000, "BANK": 9000 if year == 2025 else 8700}
    book = {"year": year, "opening": opening, "opening_date": f"{year}-01-01", "budget": budget}
    return book_from_json(json.dumps({**book, "transactions": transactions}).encode(), "book")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Budget_2026.xlsx").write_bytes(
        book_of(2026, ("2026-01-05", "TIFFIN", "PHONEPE", "100"), ("2026-04-02", "DOSA", "BANK", "40"))
    )
    return tmp_path


@pytest.fixture
def bench(folder: Path) -> Iterator[Workbench]:
    settings = Settings.read({}, home=folder / "home", book=folder / "Budget_2026.xlsx")
    bench = Workbench.open(settings, clock_on(TODAY))
    yield bench
    bench.close()


def put_beside(folder: Path) -> None:
    rows = (("2025-02-01", "IDLI", "PHONEPE", "7"), ("2025-05-01", "VADA", "BANK", "300"))
    (folder / "Budget_2025.xlsx").write_bytes(book_of(2025, *rows))


def test_a_financial_year_is_summed_over_both_books_and_its_cells_name_theirs(bench: Workbench, folder: Path) -> None:
    put_beside(folder)
    turn = bench.ask("how much did I spend in FY 2025-26", thread="t")
    figure = next(figure for figure in turn.figures if figure.value == Decimal(400))
    assert "missing" not in turn.reply
    assert figure.text in turn.reply
    values = []
    for cell in figure.source.cells:
        sheet, _, place = cell.rpartition("!")
        file, _, name = sheet.strip("'").rpartition("]")
        path = folder / (file.lstrip("[") or "Budget_2026.xlsx")
        values.append(openpyxl.load_workbook(path)[name][place].value)
    assert sum(Decimal(str(value)) for value in values) == figure.value


def test_without_the_other_book_the_reply_says_which_months_are_missing(bench: Workbench) -> None:
    turn = bench.ask("how much did I spend in FY 2025-26", thread="t")
    assert "₹100.00" in turn.reply
    assert "Budget_2025.xlsx is not beside this book, so April to December 2025 is missing" in turn.reply.replace(
        "\\", ""
    )
    assert "missing" not in bench.ask("how much did I spend this year", thread="u").reply


def test_a_balance_of_last_year_is_that_books_own(bench: Workbench, folder: Path) -> None:
    put_beside(folder)
    assert bench.ask("bank balance on 31 december 2025", thread="t").balances == {"BANK": Decimal(8700)}
    assert bench.ask("bank balance on 1 january 2025", thread="t").balances == {"BANK": Decimal(9000)}
    assert bench.ask("bank balance", thread="t").balances == {"BANK": Decimal(8660)}


def test_books_read_as_one_keep_their_balances_and_their_rows(folder: Path) -> None:
    put_beside(folder)
    clock = clock_on(TODAY)
    now, before = (
        BookStore(folder / f"Budget_{year}.xlsx", folder / "home", clock).read().book for year in (2026, 2025)
    )
    both = joined(now, [before])
    assert len(both.entries) == len(now.entries) + len(before.entries)
    assert both.balances == now.balances
    year = Span(date(2025, 1, 1), date(2025, 12, 31), "in 2025")
    assert run(Query("total", "spending", year), both).total == 307
