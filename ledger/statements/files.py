"""A statement as rows of cells: a CSV of any encoding and separator, a sheet, or the lines of a PDF's pages."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from ledger.entries import BookRefused
from ledger.old_formats import is_old
from ledger.sheetxml import CellError, Value, column_number
from ledger.workbook import Workbook

Row = tuple[Value, ...]
MOST_ROWS = 50_000
MOST_COLUMNS = 60
LARGEST = 25 * 1024 * 1024
"""bytes of a text file"""
_SEPARATORS = (",", ";", "\t", "|")
_GAP = re.compile(r"\s{2,}|\t")


def rows_of_file(data: bytes, name: str) -> tuple[list[Row], bool]:
    """The rows of a file, and whether its dates count from 1904. Raises BookRefused with what to do."""
    if data[:4] == b"PK\x03\x04" or is_old(data):
        return _rows_of_workbook(Workbook(data, name))
    if data[:4] == b"%PDF":
        raise BookRefused(f"{name} is a PDF. Download the statement as CSV or Excel, or add the PDF under Documents.")
    if data[:4] == b"\xd0\xcf\x11\xe0":
        raise BookRefused(f"{name} is locked by a password. Save it without one.")
    return rows_of_text(data, name), False


def rows_of_text(data: bytes, name: str) -> list[Row]:
    """The rows of a CSV: quoted newlines, a byte order mark, and any of four separators."""
    if len(data) > LARGEST:
        raise BookRefused(f"{name} is larger than 25 MB. Choose a shorter period.")
    text = _decoded(data)
    if text is None or "\x00" in text:
        raise BookRefused(f"{name} is no text: it cannot be read as a statement.")
    separator = _separator(text)
    csv.field_size_limit(1_000_000)
    rows: list[Row] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if len(rows) >= MOST_ROWS:
                raise BookRefused(f"{name} has more than {MOST_ROWS:,} rows. Choose a shorter period.")
            rows.append(tuple(cell.strip() for cell in row[:MOST_COLUMNS]))
    except csv.Error as error:
        raise BookRefused(f"{name} cannot be read as a table: {error}.") from error
    return rows


def rows_of_pages(pages: Sequence[Sequence[str]]) -> list[Row]:
    """The rows of a PDF's pages, each given as its lines: columns stand apart by two blanks or more."""
    lines = [line.rstrip() for page in pages for line in page if line.strip()]
    header: list[tuple[int, int]] = []
    rows: list[Row] = []
    for line in lines:
        pieces = list(_pieces(line))
        if len(pieces) > len(header) and not any(any(letter.isdigit() for letter in text) for _, _, text in pieces):
            header = [(start, end) for start, end, _ in pieces]
        rows.append(_placed(pieces, header) if len(header) > 2 and len(pieces) > 1 else tuple(p[2] for p in pieces))
    return rows


def _pieces(line: str) -> Iterator[tuple[int, int, str]]:
    place = 0
    for gap in [*_GAP.finditer(line), None]:
        end = gap.start() if gap else len(line)
        if line[place:end].strip():
            yield place, end, line[place:end].strip()
        place = gap.end() if gap else end


def _placed(pieces: Sequence[tuple[int, int, str]], header: Sequence[tuple[int, int]]) -> Row:
    """The pieces of a line under the captions they stand nearest to."""
    if len(pieces) == len(header):
        return tuple(text for _, _, text in pieces)
    cells = [""] * len(header)
    for start, end, text in pieces:

        def apart(at: int, start: int = start, end: int = end) -> tuple[int, int]:
            first, last = header[at]
            return (max(first - end, start - last, 0), min(abs(first - start), abs(last - end)))

        at = min(range(len(header)), key=apart)
        cells[at] = f"{cells[at]} {text}".strip()
    return tuple(cells)


def _rows_of_workbook(workbook: Workbook) -> tuple[list[Row], bool]:
    """The rows of the first visible sheet that holds a table, else of the first with anything on it."""
    fullest: list[Row] = []
    for ref in workbook.sheets:
        if ref.state != "visible":
            continue
        try:
            sheet = workbook.sheet(ref.name)
        except KeyError:
            continue  # a chart sheet
        rows: list[Row] = []
        for number, cells in sheet.iterate():
            if number > MOST_ROWS:
                raise BookRefused(f"{workbook.name} has more than {MOST_ROWS:,} rows. Choose a shorter period.")
            rows += [()] * (number - 1 - len(rows))
            width = max((column_number(column) for column in cells), default=0)
            row: list[Value] = [None] * min(width, MOST_COLUMNS)
            for column, cell in cells.items():
                at = column_number(column) - 1
                if at < MOST_COLUMNS:
                    value = sheet.value(cell)
                    row[at] = value.code if isinstance(value, CellError) else value
            rows.append(tuple(row))
        if sum(len(row) > 2 for row in rows) > sum(len(row) > 2 for row in fullest):
            fullest = rows
    if not fullest:
        raise BookRefused(f"{workbook.name} holds no table.")
    return fullest, workbook.date1904


def _decoded(data: bytes) -> str | None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _separator(text: str) -> str:
    """The separator that gives most lines the same number of cells, above one."""
    lines = [line for line in text.splitlines() if line.strip()][:200]

    def rank(separator: str) -> tuple[int, int]:
        counts = [line.count(separator) for line in lines if line.count(separator) >= 2]
        most = max(counts, key=counts.count, default=0)
        return (sum(1 for count in counts if count >= most > 0), most)

    return max(_SEPARATORS, key=rank)
