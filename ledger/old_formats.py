"""Old .xls files, and web pages named .xls as many banks send them: their values put into an .xlsx for reading.

Formulas, colours and whatever else such a file has are not taken over, which is why it is read and never written.
"""

import io
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal

import xlsxwriter
from lxml import html
from python_calamine import CalamineError, CalamineWorkbook

from ledger.entries import BookRefused

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
LARGEST = 30_000_000
"""bytes; the old format ends at 65,536 rows a sheet"""
MOST_CELLS = 3_000_000
_TABLE = re.compile(rb"<table[\s>]", re.IGNORECASE)
_NAME = re.compile(r"[\[\]:*?/\\']")

Rows = list[list[object]]


def is_old(data: bytes) -> bool:
    """Whether a file is one of these: an old .xls that is not locked, or a web page with a table."""
    if data.startswith(OLE):
        return ENCRYPTED not in data
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start[:1] == b"<" and not start.startswith(b"<?xml") and bool(_TABLE.search(data))


def as_xlsx(data: bytes, name: str) -> bytes:
    """Its values as an .xlsx, a sheet a sheet, a sheet a table of a web page. Raises BookRefused."""
    if len(data) > LARGEST:
        raise BookRefused(f"{name} is too large to be read: {len(data) / 1e6:.0f} MB, at most {LARGEST / 1e6:.0f} MB.")
    sheets = list(_old_sheets(data, name) if data.startswith(OLE) else _tables(data, name))
    if not sheets:
        raise BookRefused(f"{name} has no table in it. Open it in Excel and save it as an Excel Workbook (.xlsx).")
    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(buffer, options) as workbook:
        days = workbook.add_format({"num_format": "dd-mmm-yyyy"})
        used: set[str] = set()
        for title, rows in sheets:
            sheet = workbook.add_worksheet(_unique(title, used))
            for row, values in enumerate(rows):
                for column, value in enumerate(values):
                    match value:
                        case None | "":
                            pass
                        case bool():
                            sheet.write_boolean(row, column, value)
                        case datetime() | date():
                            sheet.write_datetime(row, column, value, days)
                        case int() | float() | Decimal():
                            sheet.write_number(row, column, value)
                        case _:
                            sheet.write_string(row, column, str(value)[:32_000])
    return buffer.getvalue()


def _old_sheets(data: bytes, name: str) -> Iterator[tuple[str, Rows]]:
    try:
        old = CalamineWorkbook.from_filelike(io.BytesIO(data))
        cells = 0
        for title in old.sheet_names:
            rows = old.get_sheet_by_name(title).to_python(skip_empty_area=False)
            cells += len(rows) * max(map(len, rows), default=0)
            if cells > MOST_CELLS:
                raise BookRefused(f"{name} has more cells than can be read. Save the sheet you need as an .xlsx.")
            yield title, [[_kept(value) for value in row] for row in rows]
    except (CalamineError, OSError, ValueError) as error:
        raise BookRefused(
            f"{name} is an old .xls file that cannot be read here, or it is locked. Open it in Excel and save it as an "
            "Excel Workbook (.xlsx)."
        ) from error


def _kept(value: object) -> object:
    return value.isoformat() if isinstance(value, time) else value


def _tables(data: bytes, name: str) -> Iterator[tuple[str, Rows]]:
    try:
        page = html.fromstring(data)
    except (ValueError, html.etree.ParserError) as error:
        raise BookRefused(f"{name} is a web page that cannot be read. Save it as an .xlsx or .csv file.") from error
    for number, table in enumerate(page.iter("table"), 1):
        if any(True for _ in table.iterdescendants("table")):
            continue  # one that only lays others out
        rows: Rows = [
            [" ".join(cell.text_content().split()) for cell in row.iter("td", "th")] for row in table.iter("tr")
        ]
        if sum(map(len, rows)) > MOST_CELLS:
            raise BookRefused(f"{name} has more cells than can be read.")
        if any(any(row) for row in rows):
            yield f"Table {number}", rows


def _unique(title: str, used: set[str]) -> str:
    """A sheet's name that Excel allows and that no other has."""
    plain = _NAME.sub(" ", title).strip()[:28] or "Sheet"
    name, number = plain, 1
    while name.casefold() in used:
        number += 1
        name = f"{plain} {number}"
    used.add(name.casefold())
    return name
