"""Books to test with: small ones, edited ones, and LibreOffice as the second opinion on every formula."""

import shutil
import subprocess
import warnings
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from io import BytesIO
from xml.sax.saxutils import escape

import openpyxl
import pytest

from ledger.book import read_book
from ledger.entries import Book, Category, Draft
from ledger.sheetxml import Sheet, column_number
from ledger.template import new_book
from ledger.workbook import Workbook

Calculator = Callable[[Mapping[str, bytes]], Mapping[str, Mapping[str, object]]]

BUDGET = (
    Category("Food", "PERSONAL", Decimal("5000"), False, ("lunch", "coffee")),
    Category("Rent", "HOME", Decimal("15000"), True, ("rent",)),
    Category("Gifts", "WISHLIST", None, False, ()),
    Category("Transfer", "TRANSFER", None, True, ("atm withdrawal", "topup")),
)
LISTS = {"FOR HOME": ("SOAP",), "PERSONAL": ("GYM", "BELT"), "WISHLIST": ()}
DRAFTS = (
    Draft(date(2026, 10, 30), "coffee", "PHONEPE", "DEBIT", Decimal("120.10"), "Food"),
    Draft(date(2026, 11, 5), "Lunch", "PHONEPE", "DEBIT", Decimal("9.95"), "Food", ("PARTY",)),
    Draft(date(2026, 11, 6), "Refund of lunch", "PHONEPE", "CREDIT", Decimal("5"), "Food"),
    Draft(date(2026, 11, 7), "Auto", "WALLET", "DEBIT", Decimal("45.50")),
    Draft(date(2026, 11, 9), "Present", "WALLET", "DEBIT", Decimal("99"), "Gifts"),
    Draft(date(2026, 10, 1), "Salary", "BANK", "CREDIT", Decimal("150000")),
    Draft(date(2026, 11, 2), "Rent", "BANK", "DEBIT", Decimal("15000"), "Rent"),
    Draft(date(2026, 11, 3), "ATM withdrawal", "BANK", "DEBIT", Decimal("2000"), "Transfer"),
    Draft(date(2026, 11, 3), "Cash from ATM", "MONEY", "CREDIT", Decimal("2000"), "Transfer"),
)
OPENINGS = {"PHONEPE": Decimal("7670.1"), "WALLET": Decimal("300"), "MONEY": Decimal("0.3"), "BANK": Decimal("60000")}
SOFFICE_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


@pytest.fixture(scope="session")
def small_book() -> bytes:
    """October and November 2026: five rows on November's sheet, one on October's, four in CASH TRACKER."""
    return new_book(2026, BUDGET, OPENINGS, date(2026, 10, 1), LISTS, DRAFTS, 10)


def edited(data: bytes, cells: Mapping[str, str], *, name: str = "Budget_2026.xlsx") -> bytes:
    """The book with cells replaced, added or ("") removed, as a person would; `"NOVEMBER!F6": "t:500/-"`.

    `t:` a text, `n:` a number, `f:` a formula without a value, `v:formula|value` one with, `e:` an error.
    """
    workbook = Workbook(data, name)
    changed: dict[str, bytes] = {}
    for place, content in cells.items():
        sheet_name, reference = place.rsplit("!", 1)
        sheet = workbook.sheet(sheet_name.strip("'"))
        xml = changed.get(sheet.part, sheet.xml)
        changed[sheet.part] = _with_cell(workbook, sheet_name.strip("'"), xml, reference, content)
    return workbook.rebuilt(changed)


def _with_cell(workbook: Workbook, sheet_name: str, xml: bytes, reference: str, content: str) -> bytes:
    sheet = Sheet(sheet_name, "", xml, workbook.shared_strings, workbook.name)
    column, row = reference.rstrip("0123456789"), int(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    cells = sheet.cells(row)
    style = cells[column].style if column in cells else 0
    kind, _, text = content.partition(":")
    formula, _, value = text.partition("|")
    inside = {
        "": "",
        "t": f'<c r="{reference}" s="{style}" t="inlineStr"><is><t>{escape(text)}</t></is></c>',
        "n": f'<c r="{reference}" s="{style}"><v>{text}</v></c>',
        "f": f'<c r="{reference}" s="{style}"><f>{escape(text)}</f></c>',
        "v": f'<c r="{reference}" s="{style}"><f>{escape(formula)}</f><v>{value}</v></c>',
        "e": f'<c r="{reference}" s="{style}" t="e"><v>{text}</v></c>',
    }[kind].encode()
    if column in cells:
        return xml[: cells[column].start] + inside + xml[cells[column].end :]
    if row in sheet.rows:
        later = [cell.start for letter, cell in cells.items() if column_number(letter) > column_number(column)]
        at = min(later, default=sheet.rows[row].end - len("</row>"))
        return xml[:at] + inside + xml[at:]
    later = [span.start for number, span in sheet.rows.items() if number > row]
    at = min(later, default=sheet.data.end)
    return xml[:at] + f'<row r="{row}">'.encode() + inside + b"</row>" + xml[at:]


@pytest.fixture(scope="session")
def edit() -> Callable[..., bytes]:
    return edited


@pytest.fixture(scope="session")
def read() -> Callable[..., Book]:
    def reading(data: bytes, name: str = "Budget_2026.xlsx") -> Book:
        return read_book(Workbook(data, name))

    return reading


def _cell_values(file: BytesIO) -> Mapping[str, object]:
    """The value every cell of a file shows, a formula's cached one included, by openpyxl."""
    with warnings.catch_warnings():
        # LibreOffice writes a print area of whole columns as $B:$M, which openpyxl cannot read
        warnings.filterwarnings("ignore", message="Print area cannot be set")
        book = openpyxl.load_workbook(file, data_only=True)
    return {
        f"{sheet.title}!{cell.coordinate}": cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


@pytest.fixture(scope="session")
def cell_values() -> Callable[[bytes], Mapping[str, object]]:
    """The value every cell of a book shows (`NOVEMBER!H6`), a formula's cached one included."""
    return lambda data: _cell_values(BytesIO(data))


@pytest.fixture(scope="session")
def saved_by_libreoffice(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Mapping[str, bytes]], Mapping[str, bytes]]:
    """Books by name, as LibreOffice saves them after it calculated every formula; one start for all books of a call.

    Tests that use this are marked `office`.
    """
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice (soffice) is not installed")

    def save(books: Mapping[str, bytes]) -> Mapping[str, bytes]:
        folder = tmp_path_factory.mktemp("office")
        (folder / "profile" / "user").mkdir(parents=True)
        (folder / "profile" / "user" / "registrymodifications.xcu").write_text(SOFFICE_SETTINGS, encoding="utf-8")
        given, results = folder / "given", folder / "results"
        given.mkdir()
        results.mkdir()
        for name, data in books.items():
            (given / f"{name}.xlsx").write_bytes(data)
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--norestore", "--convert-to", "xlsx", "--outdir", str(results)]
        paths = [str(given / f"{name}.xlsx") for name in books]
        subprocess.run([*command, *paths], check=True, capture_output=True, timeout=240)
        return {name: (results / f"{name}.xlsx").read_bytes() for name in books}

    return save


@pytest.fixture(scope="session")
def recalculated(saved_by_libreoffice: Callable[[Mapping[str, bytes]], Mapping[str, bytes]]) -> Calculator:
    """Books by name in; by name and cell (`NOVEMBER!H6`) out: what LibreOffice finds, calculating every formula."""

    def calculate(books: Mapping[str, bytes]) -> Mapping[str, Mapping[str, object]]:
        return {name: _cell_values(BytesIO(data)) for name, data in saved_by_libreoffice(books).items()}

    return calculate


@pytest.fixture(scope="session")
def stale_formulas() -> Callable[[bytes, Mapping[str, object]], list[str]]:
    """Each formula of a book whose cached value is not the one LibreOffice found, as a sentence."""

    def compare(data: bytes, fresh: Mapping[str, object]) -> list[str]:
        cached = _cell_values(BytesIO(data))
        found = []
        for sheet in openpyxl.load_workbook(BytesIO(data)).worksheets:
            for cell in (cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"):
                place = f"{sheet.title}!{cell.coordinate}"
                had, has = cached.get(place), fresh.get(place)
                numbers = isinstance(had, int | float) and isinstance(has, int | float)
                if (abs(had - has) > 1e-6) if numbers else (had != has):
                    found.append(f"{place} {cell.value} shows {had!r}, LibreOffice finds {has!r}")
        return found

    return compare
