import shutil
import subprocess
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from agent.clock import clock_on
from ledger.edits import Add
from ledger.entries import BookRefused, Draft
from ledger.foreign.mapping import OtherLayout
from ledger.foreign.opening import open_book
from ledger.old_formats import OLE, as_xlsx, is_old
from ledger.store import BookStore
from ledger.workbook import Workbook

PAGE = b"""<html><body><table><tr><td>Some Bank Ltd</td></tr></table>
<table><tr><th>Date</th><th>Narration</th><th>Withdrawal</th><th>Deposit</th><th>Balance</th></tr>
<tr><td>05/11/2026</td><td>UPI-SHOP &amp; CO</td><td>1,250.00</td><td></td><td>8,750.00</td></tr>
<tr><td>07/11/2026</td><td>=cmd()</td><td></td><td>500.00</td><td>9,250.00</td></tr></table></body></html>"""


def test_a_banks_web_page_named_xls_is_read_as_a_statement_and_never_written() -> None:
    workbook = Workbook(PAGE, "statement.xls")
    with pytest.raises(OtherLayout) as other:
        open_book(workbook)
    book = open_book(workbook, other.value.recognised.mapping)
    assert [(entry.date, entry.amount, entry.direction) for entry in book.entries] == [
        (date(2026, 11, 5), Decimal("1250.00"), "DEBIT"),
        (date(2026, 11, 7), Decimal("500.00"), "CREDIT"),
    ]
    assert "read only" in book.read_only
    assert "SHOP & CO" in book.entries[0].description.upper()


def test_a_text_that_begins_like_a_formula_stays_text() -> None:
    assert b"<f>" not in as_xlsx(PAGE, "s.xls")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<html><body><p>Session expired</p></body></html>", "not an Excel workbook"),
        (OLE + b"\0" * 600, "old .xls file that cannot be read"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "password-protected"),
        (b"<table></table>", "has no table"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(BookRefused, match=says):
        Workbook(data, "old.xls")


@given(st.binary(max_size=400))
def test_any_bytes_after_the_old_mark_are_read_or_refused(rest: bytes) -> None:
    for data in (OLE + rest, b"<table>" + rest):
        assert is_old(data)
        try:
            Workbook(data, "old.xls")
        except BookRefused:
            continue


@pytest.mark.office
def test_an_old_workbook_gives_the_entries_that_it_holds(tmp_path: Path) -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    path = tmp_path / "mine.xlsx"
    with xlsxwriter.Workbook(path) as workbook:
        sheet = workbook.add_worksheet("All")
        days = workbook.add_format({"num_format": "dd/mm/yyyy"})
        sheet.write_row(0, 0, ["Date", "Description", "Debit", "Credit", "Category"])
        for row, (day, text, out, back) in enumerate(
            [(date(2026, 11, 5), "Groceries", 450.5, None), (date(2026, 11, 6), "Salary", None, 65000)], 1
        ):
            sheet.write_datetime(row, 0, day, days)
            sheet.write_row(row, 1, [text, out, back])
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--norestore", "--convert-to", "xls", "--outdir", str(tmp_path), path]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    old = tmp_path / "mine.xls"
    before = old.read_bytes()
    with pytest.raises(OtherLayout) as other:
        open_book(Workbook(before, old.name))
    mapping = other.value.recognised.mapping
    table = mapping.tables[0].model_copy(update={"mode": "BANK"})
    mapping = mapping.model_copy(update={"tables": (table,)})
    clock = clock_on(date(2026, 11, 30))
    store = BookStore(old, tmp_path / "home", clock, lambda workbook: open_book(workbook, mapping))
    book = store.read().book
    assert [(entry.description.upper(), entry.amount) for entry in book.entries] == [
        ("GROCERIES", Decimal("450.50")),
        ("SALARY", Decimal("65000")),
    ]
    draft = Draft(date(2026, 11, 7), "TEA", "BANK", "DEBIT", Decimal(10), None)
    with pytest.raises(BookRefused, match="read only"):
        store.change([Add(draft)], request="r", who="test")
    assert old.read_bytes() == before
