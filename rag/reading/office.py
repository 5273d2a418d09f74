"""Word documents and Excel workbooks: paragraphs, headings and tables of the one, a page a sheet of the other."""

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from lxml import etree

from rag.documents import Page, Unreadable
from rag.reading.html import markdown_table
from rag.reading.plain import page_of_markdown, pages_of_markdown

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MOST_BYTES = 300_000_000
_MOST_CELLS = 500_000
_ROWS_OF_A_PAGE = 200


def docx_pages(data: bytes) -> Sequence[Page]:
    """The text of a Word document; its pages are those its author broke, else cut by length."""
    body = _xml(data, "word/document.xml").find(f"{_W}body")
    parts: list[str] = []
    for block in body if body is not None else ():
        if block.tag == f"{_W}p":
            text = _paragraph(block)
            style = block.find(f"{_W}pPr/{_W}pStyle")
            level = re.match(
                r"(?:heading|title)\s?(\d?)", style.get(f"{_W}val", "") if style is not None else "", re.IGNORECASE
            )
            parts.append(f"{'#' * int(level[1] or 1)} {text}" if level and text.strip() else text)
        elif block.tag == f"{_W}tbl":
            rows = [
                [" ".join(_paragraph(part) for part in cell.iter(f"{_W}p")).strip() for cell in row.findall(f"{_W}tc")]
                for row in block.iter(f"{_W}tr")
            ]
            parts.append(markdown_table(rows))
    return pages_of_markdown("\n\n".join(part for part in parts if part.strip(" \n")))


def xlsx_pages(data: bytes) -> Sequence[Page]:
    """The sheets of a workbook as tables, as many rows a page as can be read; the label is the sheet's name."""
    import openpyxl

    _checked(data)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = [(sheet.title, [[_cell(value) for value in row] for row in _rows(sheet)]) for sheet in book.worksheets]
        book.close()
    except (
        KeyError,
        ValueError,
        TypeError,
        OSError,
        AttributeError,
        zipfile.BadZipFile,
        etree.XMLSyntaxError,
    ) as error:
        raise Unreadable("the workbook is damaged. Open it in Excel or LibreOffice and save it again.") from error
    pages: list[Page] = []
    for title, rows in sheets:
        kept = [row for row in rows if any(row)]
        for at in range(0, len(kept), _ROWS_OF_A_PAGE):
            part = kept[at : at + _ROWS_OF_A_PAGE]
            part = [kept[0], *part] if at else part
            text = f"# {title}\n\n{markdown_table(part)}"
            page = page_of_markdown(len(pages) + 1, text)
            label = title if len(kept) <= _ROWS_OF_A_PAGE else f"{title}, rows {at + 1} to {at + len(part)}"
            pages.append(replace(page, label=label))
    return pages


def _rows(sheet: Any) -> Sequence[Sequence[Any]]:
    found, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells > _MOST_CELLS:
            break
        found.append(row)
    return found


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.10g}"
    return " ".join(str(value).split())


def _paragraph(block: Any) -> str:
    found = []
    for part in block.iter(f"{_W}t", f"{_W}tab", f"{_W}br"):
        if part.tag == f"{_W}t":
            found.append(part.text or "")
        elif part.get(f"{_W}type") == "page":
            found.append("\f")
        else:
            found.append(" ")
    return "".join(found)


def _xml(data: bytes, name: str) -> Any:
    _checked(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            return etree.fromstring(
                parts.read(name), etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
            )
    except (KeyError, zipfile.BadZipFile, etree.XMLSyntaxError, OSError, NotImplementedError, RuntimeError) as error:
        raise Unreadable("the document is damaged. Open it in Word or LibreOffice and save it again.") from error


def _checked(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _MOST_BYTES:
                raise Unreadable("it unpacks to far more than a document holds.")
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise Unreadable("the file is damaged. Save or download it again.") from error
