"""A sheet's part cut at its rows and cells, by offsets only."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from lxml import etree

from ledger.verify.rejection import require

_Match = Callable[[bytes, int], re.Match[bytes] | None]
_ROW_NUMBER = re.compile(rb"\sr\s*=\s*[\"'](\d+)[\"']")


@dataclass(frozen=True)
class SheetXml:
    """A sheet's part cut at its rows, by offsets only."""

    xml: bytes
    prefix: bytes
    start: int
    end: int
    numbers: Sequence[int]
    starts: Sequence[int]

    @classmethod
    def of(cls, xml: bytes, where: str) -> "SheetXml":
        """Cut a sheet's part at its rows, which must ascend and all stand inside its one block of rows."""
        require(b"<!" not in xml, f"{where} holds a comment, a CDATA section or a document type")
        opening = re.search(rb"<((?:[A-Za-z_][\w.-]*:)?)sheetData(?:\s[^>]*)?>", xml)
        require(opening is not None and not opening.group().endswith(b"/>"), f"{where} has no rows")
        assert opening is not None  # noqa: S101 -- said to mypy; required above
        prefix = opening.group(1)
        end = xml.find(b"</" + prefix + b"sheetData", opening.end())
        require(end >= 0 and xml.count(b"<" + prefix + b"sheetData") == 1, f"{where} has no single block of rows")
        row = re.compile(rb"<" + re.escape(prefix) + rb"row(?=[\s/>])(?:[^>]*?\sr\s*=\s*[\"'](\d+)[\"'])?")
        numbers, starts = [], []
        for found in row.finditer(xml, opening.end(), end):
            numbers.append(int(found.group(1) or 0))
            starts.append(found.start())
        require(all(map(int.__lt__, numbers, numbers[1:])), f"the rows of {where} do not ascend")
        require(not numbers or numbers[0] > 0, f"{where} has a row without a number")
        return cls(xml, prefix, opening.end(), end, numbers, starts)

    @property
    def head(self) -> bytes:
        """What stands before the first row."""
        return self.xml[: self.starts[0] if self.starts else self.end]

    @property
    def tail(self) -> bytes:
        """What stands behind the last row."""
        return self.xml[self.end :]

    def chunk(self, index: int) -> bytes:
        """A row by its place among the rows, up to the next one."""
        return self.xml[self.starts[index] : self.offset(index + 1)]

    def offset(self, index: int) -> int:
        """The byte where that row begins, or where the rows end."""
        return self.starts[index] if index < len(self.starts) else self.end

    def row(self, number: int) -> bytes | None:
        """A row by its number."""
        index = bisect_left(self.numbers, number)
        return self.chunk(index) if index < len(self.numbers) and self.numbers[index] == number else None

    def cell(self, column: str, row: int) -> bytes | None:
        """One cell as it is written."""
        return self.cell_in(self.row(row), column, row)

    def cell_in(self, chunk: bytes | None, column: str, row: int) -> bytes | None:
        """One cell of a row as it is written."""
        if chunk is None:
            return None
        start = chunk.find(b'<%sc r="%s%d"' % (self.prefix, column.encode(), row))
        end = chunk.find(b">", start)
        if start < 0 or end < 0:
            return cells_of(chunk, self.prefix, "")[1].get(column)
        if chunk[end - 1] == ord("/"):
            return chunk[start : end + 1]
        closing = b"</%sc>" % self.prefix
        end = chunk.find(closing, end)
        return chunk[start : end + len(closing)] if end >= 0 else cells_of(chunk, self.prefix, "")[1].get(column)

    def number(self, reference: str) -> Decimal | None:
        """The number a cell shows, None when it shows none."""
        column, row = split(reference)
        chunk = self.row(row)
        cell = cells_of(chunk, self.prefix, "")[1].get(column) if chunk is not None else None
        return read_cell(cell, self.prefix).number if cell is not None else None


@dataclass(frozen=True)
class CellXml:
    """A cell as it is written."""

    style: int
    """0, the book's plain format, when the cell names none"""
    type: str
    formula: str | None
    formula_attributes: tuple[tuple[str, str], ...]
    shown: str | None
    others: tuple[tuple[str, str], ...]

    @property
    def number(self) -> Decimal | None:
        """The exact number it shows, None when it shows none."""
        try:
            return Decimal(self.shown) if self.type == "n" and self.shown is not None else None
        except InvalidOperation:
            return None


def split(reference: str) -> tuple[str, int]:
    """`H24` as column and row."""
    column = reference.rstrip("0123456789")
    return column, int(reference[len(column) :])


@lru_cache(maxsize=8)
def cells_of(chunk: bytes, prefix: bytes, where: str) -> tuple[bytes, Mapping[str, bytes], bytes]:
    """One row cut into its opening tag, its cells by column, and what closes it; the cells tile it, ascending.

    Kept for the rows last cut: where rows move, each is cut as itself and as the one that the next takes over.
    """
    row, plain, any_cell = _patterns(prefix)
    opening = row.match(chunk)
    require(opening is not None, f"a row of {where} is broken")
    assert opening is not None  # noqa: S101 -- said to mypy; required above
    cells: dict[str, bytes] = {}
    position, last = opening.end(), (0, b"")
    number = _ROW_NUMBER.search(opening.group())
    own = number[1] if number is not None else b""
    while found := plain(chunk, position) or any_cell(chunk, position):
        end, column = found.end(), found[2]
        require(column is not None, f"a cell of {where} has no address")
        require(found[3] == own, f"a cell of {where} stands in another row than it says")
        here = (len(column), column)
        require(last < here, f"the cells of {where} do not ascend")
        cells[column.decode()] = found[1]
        position, last = end, here
    return opening.group(), cells, chunk[position:]


@lru_cache(maxsize=8)
def _patterns(prefix: bytes) -> tuple[re.Pattern[bytes], _Match, _Match]:
    """A row's opening tag; a cell with its column and row, as programs mostly write it and as it may be written."""
    p = re.escape(prefix)
    row = re.compile(rb"<" + p + rb"row(?:\s[^>]*)?>")
    cell = re.compile(
        rb"\s*(<" + p + rb"c(?=[\s/>])(?:[^>]*?\sr\s*=\s*[\"']([A-Z]+)(\d+)[\"'])?[^>]*?(?:/>|>.*?</" + p + rb"c\s*>))",
        re.DOTALL,
    )
    # one element after another without lazy steps; whatever it matches, the other one would match just so
    inside = rb"(?:<(?!/)[^<>]*>[^<]*|</(?!" + p + rb"c\s*>)[^<>]*>[^<]*)*"
    plain = re.compile(
        rb"(<"
        + p
        + rb"c r=\"([A-Z]+)(\d+)\"(?:/>|(?: [a-z]+=\"[^\"<>]*\")*(?:/>|>[^<]*"
        + inside
        + rb"</"
        + p
        + rb"c>)))"
    )
    return row, plain.match, cell.match


def plain_number(xml: bytes, prefix: bytes) -> tuple[bytes, Decimal, bytes] | None:
    """A number cell as what stands before its number, the number, and what stands behind; None for any other cell."""
    opening = b"<%sv>" % prefix
    start = xml.find(opening) + len(opening)
    end = xml.find(b"<", start)
    if start < len(opening) or b" t=" in xml[: xml.find(b">")] or xml.count(opening) != 1:
        return None
    try:
        return xml[:start], Decimal(xml[start:end].decode()), xml[end:]
    except (InvalidOperation, UnicodeDecodeError):
        return None


def read_cell(xml: bytes, prefix: bytes) -> CellXml:
    """One cell's XML, read by lxml."""
    space = b'xmlns="m"' if not prefix else b"xmlns:" + prefix[:-1] + b'="m"'
    # A cell may use prefixes declared at the sheet's root (x14ac:…, xr:…): recovery keeps them as plain names.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    cell = etree.fromstring(b"<w " + space + b">" + xml + b"</w>", parser)[0]
    attributes = dict(cell.attrib)
    formula, shown = cell.find("{m}f"), cell.find("{m}v")
    inline = cell.find("{m}is")
    text = None
    if inline is not None:
        text = "".join(piece.text or "" for piece in inline.iter("{m}t"))
    elif shown is not None:
        text = shown.text or ""
    attributes.pop("r", None)
    style, kind = attributes.pop("s", None), attributes.pop("t", "n")
    return CellXml(
        int(style or 0),
        kind,
        (formula.text or "") if formula is not None else None,
        tuple(sorted(formula.attrib.items())) if formula is not None else (),
        text,
        tuple(sorted(attributes.items())),
    )
