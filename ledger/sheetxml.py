"""A worksheet's XML as rows and cells with their byte offsets, exactly, or not at all.

    <sheetData> ──rows: find──► row spans ──cells: one regex──► Cell(start, end, style, type, formula, raw)

The row and cell patterns must tile the sheet data: every byte is a row tag, a cell, or white space between them.
What does not tile (comments, CDATA, single quotes, cells without an address) is read by a real XML parser instead, and
the sheet is marked not `regular`: it can be read but not written. Everything outside the sheet data goes through the
real parser in any case, so damage anywhere is seen.

The text is looked at as Latin-1, in which one character is one byte: offsets are byte offsets, and only text that is
not ASCII has to be decoded again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from lxml import etree

from ledger.entries import BookRefused
from ledger.package import REPAIR, parsed

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
LARGEST_AREA = 20_000_000
"""cells of the smallest rectangle around all values; a reader that keeps it dense needs about 30 bytes for each"""

_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_ATTRIBUTE = re.compile(r'([\w:.]+)="([^"<]*)"', re.ASCII)
_ADDRESS = re.compile(r'<(?:\w+:)?c r="([A-Z]{1,3})', re.ASCII)
_ENTITY = re.compile(r"&(#x[0-9A-Fa-f]+|#[0-9]+|\w+);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_INLINE_TEXT = re.compile(r'<(?:\w+:)?t(?: xml:space="preserve")?>([^<]*)</(?:\w+:)?t>', re.ASCII)
_ROW_NUMBER = re.compile(r'\sr="([1-9][0-9]{0,6})"')
# three patterns and no alternatives in them: each is one quick pass
_FAR = tuple(map(re.compile, (rb'r="[A-Z]{3}[0-9]', rb'r="[A-Z]{1,2}[0-9]{5}', rb'r="[0-9]{5}')))
# likewise for a long table of few columns: cells that do not begin with their address, columns beyond Z, long rows
_ODD_CELL = re.compile(rb'<c(?![A-Za-z]| r=")')
_WIDE_CELL = re.compile(rb' r="[A-Z]{2,3}[0-9]')
_LONG_ROW = re.compile(rb'r="[A-Z]?([0-9]{5,})"')
_FILLED_CELL = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br=["\']([A-Z]{1,3})([0-9]+)["\'][^>]*(?<!/)>')
_CELL_WITHOUT_ADDRESS = re.compile(rb"<(?:\w+:)?c(?![^>]*\br=)(?:\s[^>]*)?(?<!/)>")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*\bref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_ANY_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br=["\']([0-9]+)["\']')


class Span(NamedTuple):
    """Bytes from `start` up to, not including, `end`."""

    start: int
    end: int


class Cell(NamedTuple):
    """A cell as it stands in the XML."""

    column: str
    row: int
    start: int
    end: int
    style: int
    """its index in the workbook's cell formats"""
    type: str
    """n number, s shared text, str formula's text, inlineStr, b, e error, d ISO date"""
    formula: str | None
    """None: no formula; empty: a shared formula whose text stands at another cell"""
    formula_attributes: Mapping[str, str]
    raw: str | None
    """the text of its value, or its inline text; None: no value"""


@dataclass(frozen=True)
class CellError:
    """An error standing where a value should: `#REF!`, `#DIV/0!`, or a number no program can read."""

    code: str


Value = str | Decimal | bool | CellError | None


def column_number(letters: str) -> int:
    """`A` is 1, `J` is 10."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """1 is `A`, 10 is `J`."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def text_of(xml_text: str) -> str:
    """Character data as text: entities and Excel's `_x000D_` escapes read. Raises KeyError for an unknown entity."""
    if "&" in xml_text:
        xml_text = _ENTITY.sub(_entity, xml_text)
    if "_x" in xml_text:
        xml_text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), xml_text)
    return xml_text.replace("\r\n", "\n") if "\r" in xml_text else xml_text


def number_of(text: str) -> Decimal | None:
    """The exact decimal a number cell's text states, None when it states none."""
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def refuse_far_cells(xml: bytes, sheet: str, name: str) -> None:
    """Refuse a sheet whose values lie so far apart that a reader keeping the rectangle between them would choke."""
    # nearly every sheet ends here: no address has three letters or five digits, and no quote is single
    if b"='" not in xml and not any(pattern.search(xml) for pattern in _FAR):
        return
    narrow = b"='" not in xml and b":sheetData" not in xml and not _WIDE_CELL.search(xml) and not _ODD_CELL.search(xml)
    if narrow and 26 * max(map(int, set(_LONG_ROW.findall(xml))), default=0) <= LARGEST_AREA:
        return
    furthest_row = furthest_column = 0
    for match in _FILLED_CELL.finditer(xml):
        furthest_row = max(furthest_row, int(match[2]))
        furthest_column = max(furthest_column, column_number(match[1].decode()))
    if _CELL_WITHOUT_ADDRESS.search(xml):
        furthest_row = max((int(number) for number in _ANY_ROW.findall(xml)), default=furthest_row)
        furthest_column = max(furthest_column, 1_000)
    if furthest_row * furthest_column > LARGEST_AREA or furthest_row > 1_048_576:
        raise BookRefused(
            f"{name} has a value far away on its sheet {sheet}: the used area reaches "
            f"{column_letters(furthest_column)}{furthest_row}. Delete the rows and columns beyond your data in Excel, "
            "and save it again."
        )


class Sheet:
    """One worksheet: its rows by number, its cells on demand, and their typed values."""

    def __init__(self, name: str, part: str, xml: bytes, shared_strings: Sequence[str], book: str) -> None:
        self.name = name
        self.part = part
        self.xml = xml
        self._book = book
        self._shared = shared_strings
        self._text = xml.decode("latin-1")
        self._recent: tuple[int, Mapping[str, Cell]] = (0, {})
        """the row asked for last: a plan asks for the same one for each of its cells"""
        self._exact: dict[int, dict[str, Cell]] | None = None
        self._tiles: bool | None = None
        self._met: dict[int, tuple[int, int]] = {}
        self.prefix, self.data, tiling = self._frame()
        self._cell = _cell_pattern(self.prefix)
        self._row = _row_pattern(self.prefix)
        self._row_end = f"</{self.prefix}row>"
        if not tiling:
            self._read_exactly()

    @property
    def rows(self) -> Mapping[int, Span]:
        """Each row's span from its `<row` to past its end tag, in order of the row numbers."""
        return self._spans

    def rows_below(self, row: int) -> tuple[int, ...]:
        """The numbers of the rows below one, ascending; those above are not looked at when it can be helped."""
        here = self._span(row) if "_spans" not in self.__dict__ and self._tiles is True and self._ascends else None
        if here is None:
            return tuple(sorted(number for number in self.rows if number > row))
        found, at = [], here.end
        while (following := self._row_at(at)) is not None:
            found.append(following[0])
            at = following[1].end
        return tuple(found)

    @property
    def regular(self) -> bool:
        """Whether every byte of the sheet data was accounted for, so that cells can be replaced by their offsets."""
        if self._tiles is None:
            for _ in self.iterate():
                pass
        return self._tiles is True

    @cached_property
    def merged(self) -> tuple[tuple[int, int, int, int], ...]:
        """The merged cells: first column, first row, last column, last row, by number."""
        found = _MERGED.finditer(self.xml, self.data.end)
        return tuple((column_number(m[1].decode()), int(m[2]), column_number(m[3].decode()), int(m[4])) for m in found)

    def cells(self, row: int) -> dict[str, Cell]:
        """The cells of one row by column letter; empty when there is no such row."""
        if row != self._recent[0]:
            self._recent = (row, self._read_cells(row))
        return dict(self._recent[1])

    def _read_cells(self, row: int) -> Mapping[str, Cell]:
        span = self._span(row)
        if span is None:
            return {}
        if self._exact is None:
            found = self._tokenized(row, span)
            if found is not None:
                return found
            self._read_exactly()
        return (self._exact or {}).get(row, {})

    def iterate(self) -> Iterator[tuple[int, dict[str, Cell]]]:
        """Every row that stands in the sheet, in order, with its cells."""
        reached = 0
        spans = self._spans  # finding the rows can already show that they do not tile
        if self._exact is None:
            for row, span in spans.items():
                found = self._tokenized(row, span)
                if found is None:
                    # what tiled so far was read right; the rest comes from the exact path
                    self._read_exactly()
                    break
                yield row, found
                reached = row
            else:
                self._tiles = True
                return
        for row, cells in (self._exact or {}).items():
            if row > reached:
                yield row, cells

    def columns(self, letters: str) -> Iterator[tuple[int, Sequence[str | None]]]:
        """Every row in order, with the cells of some neighbouring columns only: the fast way through a long table.

        For each column four texts stand one after the other: style, type, a mark when there is a formula, and the raw
        value; None for what is not there: `"3", None, None, "46327"` for C, then `"4", "s", None, "12"` for D.
        """
        if self._exact is not None or not self._ascends:
            for row, cells in self.iterate():
                yield row, _flat(cells, letters)
            return
        text, (at, end) = self._text, self.data
        match, met = _columns_pattern(self.prefix, letters).match, self._met
        beyond = 4 * len(letters) + 2
        reached = 0
        while True:
            found = match(text, at, end)
            if found is not None and (not found[beyond] or _follows(letters[-1], found[beyond])):
                fields = found.groups()
                row, past = int(fields[0]), found.end()
                met[row] = at, past
                yield row, fields[1:-1]
            else:
                # something else stands in it: earlier columns, other attributes, inline text, white space
                odd = self._row_at(at)
                tokens = self._tokenized(*odd) if odd is not None else None
                if odd is None or tokens is None:
                    break
                row, past = odd[0], odd[1].end
                yield row, _flat(tokens, letters)
            reached, at = row, past
        if odd is None and not text[at:end].strip(" \t\r\n"):
            self._tiles = True
            return
        self._read_exactly()
        for row, cells in (self._exact or {}).items():
            if row > reached:
                yield row, _flat(cells, letters)

    def value(self, cell: Cell | None) -> Value:
        """What a cell holds, of a formula its cached value. A number is the exact Decimal of its text."""
        if cell is None or cell.raw is None:
            return None
        raw, kind = cell.raw, cell.type
        if kind == "s":
            if not raw:
                return None
            if raw.isascii() and raw.isdigit() and int(raw) < len(self._shared):
                return self._shared[int(raw)]
            raise BookRefused(
                f"{self._book} is damaged: {self.name}!{cell.column}{cell.row} names a text that is not in the "
                f"file. {REPAIR}"
            )
        if kind == "n":
            if not raw:
                return None
            number = number_of(raw.strip())
            return CellError(raw) if number is None else number
        if kind == "b":
            return raw.strip() in ("1", "true")
        if kind == "e":
            return CellError(raw)
        return raw

    def _frame(self) -> tuple[str, Span, bool]:
        """The prefix, the inside of sheetData, and whether the fast path may be tried."""
        text = self._text
        opening = re.search(r"<((?:\w+:)?)sheetData\s*(/?)>", text, re.ASCII)
        if opening is None:
            root = parsed(self.xml, self.part, self._book)
            if root.tag == f"{{{STRICT}}}worksheet":
                raise strict_refusal(self._book)
            return "", Span(0, 0), False
        prefix, start = opening[1], opening.end()
        if opening[2]:
            return prefix, Span(start, start), False
        end = text.rfind(f"</{prefix}sheetData>")
        plain = "<!" not in text and text.count(f"<{prefix}sheetData") == 1 and end >= start
        if not plain:
            return prefix, Span(start, max(start, end)), False
        around = parsed(self.xml[:start] + self.xml[end:], self.part, self._book)
        if around.tag == f"{{{STRICT}}}worksheet":
            raise strict_refusal(self._book)
        if around.tag != f"{{{MAIN}}}worksheet" or around.find(f"{{{MAIN}}}sheetData") is None:
            return prefix, Span(start, end), False
        return prefix, Span(start, end), True

    @cached_property
    def _spans(self) -> dict[int, Span]:
        """Every row's place; in a sheet whose rows do not tile, the exact path's rows without one."""
        if self._exact is None:
            found: dict[int, Span] = {}
            at, reached = self.data.start, 0
            while (here := self._row_at(at)) is not None and here[0] > reached:
                reached, span = here
                found[reached], at = span, span.end
            if here is None and not self._text[at : self.data.end].strip(" \t\r\n"):
                return found
            self._read_exactly()
        return dict.fromkeys(self._exact or {}, Span(0, 0))

    @cached_property
    def _ascends(self) -> bool:
        """Whether every row begins with its number and the numbers ascend, by a quick look at all of them."""
        start, end = self.data
        numbers = list(map(int, _row_numbers(self.prefix).findall(self._text, start, end)))
        if len(numbers) != self._text.count(f"<{self.prefix}row", start, end):
            return False
        return numbers == sorted(numbers) and len(numbers) == len(set(numbers))

    def _span(self, row: int) -> Span | None:
        """Where one row stands, without looking at all the others when it can be helped."""
        if "_spans" in self.__dict__ or self._exact is not None:
            return self._spans.get(row)
        if row in self._met:
            return Span(*self._met[row])
        at = self._text.find(f'<{self.prefix}row r="{row}"', *self.data)
        here = self._row_at(at) if at >= 0 else None
        return here[1] if here is not None else self._spans.get(row)

    def _row_at(self, at: int) -> tuple[int, Span] | None:
        """The row that begins here, after white space at most, with its number."""
        opening = self._row.match(self._text, at, self.data.end)
        if opening is None:
            return None
        number, more, alone = opening.groups()
        if number is None:
            numbered = _ROW_NUMBER.search(more)
            if numbered is None:
                return None
            number = numbered[1]
        start, past = opening.start(), opening.end()
        if not alone:
            closing = self._text.find(self._row_end, past, self.data.end)
            if closing < 0:
                return None
            past = closing + len(self._row_end)
        if self._text[start] != "<":
            start = self._text.index("<", start)
        return int(number), Span(start, past)

    def _tokenized(self, row: int, span: Span) -> dict[str, Cell] | None:
        """The cells of a row by the pattern; None when they do not tile its bytes."""
        text = self._text
        opening = self._row.match(text, *span)
        if opening is None:
            return None
        start, end = opening.end(), span.end
        if not opening[3]:
            end -= len(self._row_end)
        at = start
        number = str(row)
        found: dict[str, Cell] = {}
        width, previous = 0, ""
        for match in self._cell.finditer(text, start, end):
            column, stated, style, kind, more, attributes, formula, value, inline = match.groups()
            here, past = match.span()
            if here != at or stated != number:
                return None
            at = past
            if (len(column), column) <= (width, previous):
                return None
            width, previous = len(column), column
            if more:
                extra = dict(_ATTRIBUTE.findall(more))
                style, kind = style or extra.get("s"), kind or extra.get("t")
                if style and not (style.isascii() and style.isdigit()):
                    return None
            if attributes is not None and formula is None:
                formula = ""
            if formula or value:
                try:
                    formula = formula and self._decoded(formula)
                    if value and (kind == "str" or kind == "e" or "&" in value):
                        value = self._decoded(value)
                except (KeyError, UnicodeDecodeError):
                    return None
            if inline is not None:
                value = self._inline(inline)
                if value is None:
                    return None
            found[column] = Cell(
                column,
                row,
                here,
                past,
                int(style) if style else 0,
                kind or "n",
                formula,
                dict(_ATTRIBUTE.findall(attributes)) if attributes else _NO_ATTRIBUTES,
                value,
            )
        return found if not text[at:end].strip(" \t\r\n") else None

    def _decoded(self, text: str) -> str:
        if not text.isascii():
            text = text.encode("latin-1").decode("utf-8")
        return text_of(text)

    def _inline(self, xml_text: str) -> str | None:
        """The text of one plain inline string; None for rich text, which the exact path reads."""
        match = _INLINE_TEXT.fullmatch(xml_text)
        try:
            return self._decoded(match[1]) if match else None
        except (KeyError, UnicodeDecodeError):
            return None

    def _read_exactly(self) -> None:
        """Read the whole sheet by the XML parser: slower, right for any well-formed XML, and not writable."""
        self._tiles = False
        root = parsed(self.xml, self.part, self._book)
        table: dict[int, dict[str, Cell]] = {}
        last = 0
        for element in root.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row"):
            row = self._whole(element.get("r"), last + 1)
            if row in table:
                raise self._twice(f"row {row}")
            last = row
            cells: dict[str, Cell] = {}
            width = 0
            for item in element.iterfind(f"{{{MAIN}}}c"):
                address = re.fullmatch(r"([A-Z]{1,3})([0-9]+)", item.get("r") or f"{column_letters(width + 1)}{row}")
                if address is None or int(address[2]) != row:
                    raise BookRefused(
                        f"{self._book} is damaged: a cell of row {row} on {self.name} says it is {item.get('r')!r}. "
                        f"{REPAIR}"
                    )
                column = address[1]
                width = column_number(column)
                if column in cells:
                    raise self._twice(f"cell {column}{row}")
                cells[column] = self._exact_cell(item, column, row)
            table[row] = cells
        self._exact = {row: table[row] for row in sorted(table)}
        self.__dict__.pop("_spans", None)

    def _exact_cell(self, item: etree._Element, column: str, row: int) -> Cell:
        formula, value, inline = (item.find(f"{{{MAIN}}}{tag}") for tag in ("f", "v", "is"))
        raw = None if value is None else text_of(value.text or "")
        if inline is not None:
            raw = inline_text(inline)
        return Cell(
            column,
            row,
            0,
            0,
            self._whole(item.get("s"), 0),
            item.get("t") or "n",
            None if formula is None else (formula.text or ""),
            _NO_ATTRIBUTES if formula is None else {str(key): str(text) for key, text in formula.attrib.items()},
            raw,
        )

    def _whole(self, text: str | None, default: int) -> int:
        if text is None:
            return default
        if not (text.isascii() and text.isdigit()):
            raise BookRefused(f"{self._book} is damaged: {self.name} has {text!r} where a number must stand. {REPAIR}")
        return int(text)

    def _twice(self, what: str) -> BookRefused:
        return BookRefused(
            f"{self._book} is damaged: {what} stands twice on {self.name}, so two programs could read two books. "
            f"{REPAIR}"
        )


def inline_text(element: etree._Element) -> str:
    """The text of a string item, rich or plain, without its phonetic hints."""
    parts = []
    for child in element:
        if child.tag == f"{{{MAIN}}}t":
            parts.append(child.text or "")
        elif child.tag == f"{{{MAIN}}}r":
            parts += [run.text or "" for run in child.iterfind(f"{{{MAIN}}}t")]
    return text_of("".join(parts).replace("&", "&amp;"))


def strict_refusal(name: str) -> BookRefused:
    """The refusal of a workbook saved in the strict dialect."""
    return BookRefused(
        f"{name} was saved as a Strict Open XML workbook. In Excel, save it as an Excel Workbook (.xlsx) instead."
    )


_LAST_CHARACTER = 0x10FFFF


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return _ENTITIES[name]
    code = int(name[2:], 16) if name.startswith("#x") else int(name[1:])
    # a number that is no character, or half of one, shows as what it is: unreadable
    return chr(code) if code <= _LAST_CHARACTER and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _flat(cells: Mapping[str, Cell], letters: str) -> list[str | None]:
    """Cells as `Sheet.columns` gives them."""
    fields: list[str | None] = []
    for letter in letters:
        cell = cells.get(letter)
        if cell is None:
            fields += (None, None, None, None)
        else:
            fields += (str(cell.style), cell.type, None if cell.formula is None else "<f", cell.raw)
    return fields


@lru_cache(maxsize=64)
def _columns_pattern(prefix: str, letters: str) -> re.Pattern[str]:
    """A whole row with plain cells in these columns, numbers and shared texts; its last group are the cells beyond."""
    attributes = r'(?: [\w:.]+="[^"<]*")*+'
    formula = rf"(<{prefix}f){attributes}(?:/>|>[^<]*+</{prefix}f>)"
    value = rf"<{prefix}v>([^<]*+)</{prefix}v>"
    cells = "".join(
        rf'(?:<{prefix}c r="{letter}\1"(?: s="([0-9]+)")?+(?: t="([sn])")?+'
        rf"(?:/>|>(?:{formula})?+{value}</{prefix}c>))?+"
        for letter in letters
    )
    inside = f"(?:{formula})?+(?:{value})?+".replace(f"(<{prefix}f)", f"<{prefix}f").replace("([^<]*+)", "[^<]*+")
    others = rf'((?:<{prefix}c r="[A-Z]{{1,3}}\1"{attributes}(?:/>|>{inside}</{prefix}c>))*+)'
    return re.compile(rf'<{prefix}row r="([0-9]+)"{attributes}>{cells}{others}</{prefix}row>', re.ASCII)


def _follows(letter: str, cells: str) -> bool:
    """Whether the addresses of these cells ascend from beyond a column."""
    columns = [(1, letter), *((len(column), column) for column in _ADDRESS.findall(cells))]
    return columns == sorted(columns) and len(columns) == len(set(columns))


@lru_cache(maxsize=8)
def _row_numbers(prefix: str) -> re.Pattern[str]:
    return re.compile(rf'<{prefix}row r="([1-9][0-9]{{0,6}})"')


@lru_cache(maxsize=8)
def _row_pattern(prefix: str) -> re.Pattern[str]:
    """A row's opening tag: its number when that comes first, its other attributes, and `/` when it has no cells."""
    return re.compile(rf'\s*<{prefix}row(?: r="([1-9][0-9]{{0,6}})")?((?:\s+[\w:.]+="[^"<]*")*)\s*(/?)>', re.ASCII)


@lru_cache(maxsize=8)
def _cell_pattern(prefix: str) -> re.Pattern[str]:
    """One cell: address, style, type, other attributes, formula attributes, formula, value, inline string."""
    return re.compile(
        rf'\s*<{prefix}c r="([A-Z]{{1,3}})([0-9]+)"(?: s="([0-9]+)")?(?: t="([A-Za-z]+)")?((?:\s+[\w:.]+="[^"<]*")*)\s*'
        rf"(?:/>|>(?:<{prefix}f((?:\s+[\w:.]+=\"[^\"<]*\")*)\s*(?:/>|>([^<]*)</{prefix}f>))?"
        rf'(?:<{prefix}v(?: xml:space="preserve")?>([^<]*)</{prefix}v>|<{prefix}v/>)?'
        rf"(?:<{prefix}is>((?:(?!</{prefix}is>).)*)</{prefix}is>)?</{prefix}c>)",
        re.ASCII | re.DOTALL,
    )
