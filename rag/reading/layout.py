"""Words with their places made the text of a page: columns in reading order, headings, tables as Markdown.

words ─► lines (one baseline) ─► segments (a gap between) ─► columns of the page ─► blocks: text or table ─► text
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from rag.documents import Heading, LineBox, Page, Table
from rag.reading.tables import Cell, caption_and_units, markdown, table_runs

_GAP = 1.1
"""a gap of so many type sizes parts two segments of a line"""
_NUMBER_GAP = 0.45
"""and this between two figures, which stand closer in tables"""
_HEADING_LONGEST = 140
_NUMBERED = re.compile(
    r"(?:chapter|section|part|annex(?:ure)?|appendix|schedule)\s+[\dIVXLA-Z]+\b|\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z]",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"[(\-−–+]?[₹$€£]?\s?\d[\d,]*(?:\.\d+)?\)?%?[*#@^]?$")


@dataclass(frozen=True)
class Word:
    """A run of characters and its box in points from the page's top left corner; `size` of its type."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool


@dataclass
class Line:
    """Segments of one baseline, from left to right."""

    cells: list[Cell] = field(default_factory=list)
    size: float = 0.0
    bold: bool = False

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(cell.text for cell in self.cells)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Around all its segments."""
        return (
            min(cell.left for cell in self.cells),
            min(cell.top for cell in self.cells),
            max(cell.right for cell in self.cells),
            max(cell.bottom for cell in self.cells),
        )


def page_of(number: int, label: str, words: Sequence[Word], width: float, height: float) -> Page:
    """The page these words make."""
    shown = [word for word in words if word.right > 0 and word.bottom > 0 and word.left < width and word.top < height]
    lines = [line for column in _columns(_lines(shown), width) for line in column]
    body = median([line.size for line in lines for _ in range(max(len(line.text) // 20, 1))]) if lines else 0.0
    return _written(number, label, lines, body=body, width=width, height=height)


def _lines(words: Sequence[Word]) -> list[Line]:
    """Words gathered by their baseline, the topmost line first."""
    rows: list[list[Word]] = []
    spans: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: ((word.top + word.bottom) / 2, word.left)):
        middle = (word.top + word.bottom) / 2
        # the last few rows are enough: the words come from the top down
        for place in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            top, bottom = spans[place]
            if top <= middle <= bottom or word.top <= (top + bottom) / 2 <= word.bottom:
                rows[place].append(word)
                spans[place] = (min(top, word.top), max(bottom, word.bottom)) if len(rows[place]) < 3 else (top, bottom)
                break
        else:
            rows.append([word])
            spans.append((word.top, word.bottom))
    return [_segmented(row) for row in rows]


def _segmented(words: Sequence[Word]) -> Line:
    ordered = sorted(words, key=lambda word: word.left)
    cells: list[Cell] = []
    before: Word | None = None
    for word in ordered:
        size = max(word.size, 1.0)
        if before is not None and cells:
            gap = word.left - before.right
            figures = bool(_FIGURE.fullmatch(word.text)) and bool(_FIGURE.fullmatch(cells[-1].text))
            sign = cells[-1].text in {"₹", "$", "€", "£", "Rs.", "Rs", "("} or word.text in {"%", ")"}
            if (gap <= size * (_NUMBER_GAP if figures else _GAP)) or (sign and gap <= 6 * size):
                joint = "" if (sign and word.text in {"%", ")"}) or gap < 0.08 * size else " "
                cells[-1] = cells[-1].with_word(joint + word.text, word.left, word.top, word.right, word.bottom)
                before = word
                continue
        cells.append(Cell(word.text, word.left, word.top, word.right, word.bottom))
        before = word
    sizes = sorted(word.size for word in ordered)
    letters = sum(len(word.text) for word in ordered)
    bold = sum(len(word.text) for word in ordered if word.bold)
    return Line(cells, sizes[len(sizes) // 2], bold * 2 > letters)


# ------ columns


def _columns(lines: list[Line], width: float) -> Iterator[list[Line]]:
    """The page's lines in reading order: where two columns of text stand side by side, the left one first."""
    at = 0
    while at < len(lines):
        gutter, end = _gutter(lines, at, width)
        if gutter is None:
            yield [lines[at]]
            at += 1
            continue
        left: list[Line] = []
        right: list[Line] = []
        for line in lines[at:end]:
            parts: tuple[list[Cell], list[Cell]] = ([], [])
            for cell in line.cells:
                parts[cell.left >= gutter].append(cell)
            for side, cells in zip((left, right), parts, strict=True):
                if cells:
                    side.append(Line(cells, line.size, line.bold))
        yield left
        yield right
        at = end


def _gutter(lines: Sequence[Line], at: int, width: float) -> tuple[float | None, int]:
    """Where two columns that begin at this line part, and the line they end before."""
    first = lines[at]
    if len(first.cells) != 2 or not _is_prose(first.cells, width):
        return None, at
    low, high = first.cells[0].right, first.cells[1].left
    end, both, prose = at, 0, 0
    for place in range(at, len(lines)):
        sides = [cell for cell in lines[place].cells if cell.right <= high - 1 or cell.left >= low + 1]
        if len(sides) < len(lines[place].cells):
            break
        inner = max([low, *(cell.right for cell in sides if cell.right <= high - 1 and cell.left < low)])
        outer = min([high, *(cell.left for cell in sides if cell.left >= inner)])
        if outer - inner < 4:
            break
        low, high, end = inner, outer, place + 1
        if any(cell.left < low for cell in sides) and any(cell.left >= high for cell in sides):
            both += 1
            prose += len(sides) == 2 and _is_prose(sides, width)
    # a table's rows are short and full of figures; columns of text are not
    if both >= 4 and prose >= 0.6 * both:
        return (low + high) / 2, end
    return None, at


def _is_prose(cells: Sequence[Cell], width: float) -> bool:
    return all(cell.right - cell.left > 0.22 * width and len(cell.text.split()) >= 4 for cell in cells)


# ------ text


def _written(number: int, label: str, lines: Sequence[Line], *, body: float, width: float, height: float) -> Page:
    parts: list[str] = []
    length = 0
    headings: list[Heading] = []
    tables: list[Table] = []
    boxes: list[LineBox] = []

    def write(text: str, box: tuple[float, float, float, float]) -> tuple[int, int]:
        nonlocal length
        start = length
        parts.append(text + "\n")
        length += len(text) + 1
        left, top, right, bottom = box
        boxes.append(
            LineBox(
                start,
                start + len(text),
                round(max(left / width, 0), 4),
                round(max(top / height, 0), 4),
                round(min(right / width, 1), 4),
                round(min(bottom / height, 1), 4),
            )
        )
        return start, start + len(text)

    at, before = 0, None
    runs = {start: (end, grid) for start, end, grid in table_runs([line.cells for line in lines])}
    while at < len(lines):
        if at in runs:
            end, grid = runs[at]
            above = [line.text for line in lines[max(at - 4, 0) : at]]
            caption, units = caption_and_units(above, grid)
            start, header_end = length, 0
            for place, (text, rows) in enumerate(markdown(grid)):
                box = _around([lines[at + row] for row in rows]) if rows else boxes_last(boxes, width, height)
                _, stop = write(text, box)
                if place == 1:
                    header_end = stop + 1
            tables.append(Table(start, length, caption, units, header_end))
            at, before = end, lines[end - 1]
            continue
        line = lines[at]
        if before is not None and line.box[1] - before.box[3] > 0.9 * max(line.size, 1) and parts:
            parts.append("\n")
            length += 1
        level = _level(line, body)
        start, _ = write(line.text, line.box)
        if level:
            joined = (
                headings and headings[-1].start + len(headings[-1].text) + 1 == start and headings[-1].level == level
            )
            if joined and len(headings[-1].text) + len(line.text) < _HEADING_LONGEST:
                headings[-1] = Heading(headings[-1].start, level, f"{headings[-1].text} {line.text}")
            else:
                headings.append(Heading(start, level, line.text))
        before = line
        at += 1
    return Page(number, label, "".join(parts), tuple(headings), tuple(tables), tuple(boxes))


def boxes_last(boxes: Sequence[LineBox], width: float, height: float) -> tuple[float, float, float, float]:
    """The place of the line written last, in points: what stands for a line that is not on the page itself."""
    if not boxes:
        return (0.0, 0.0, width, 1.0)
    last = boxes[-1]
    return last.left * width, last.top * height, last.right * width, last.bottom * height


def _around(lines: Sequence[Line]) -> tuple[float, float, float, float]:
    found = [line.box for line in lines]
    return min(b[0] for b in found), min(b[1] for b in found), max(b[2] for b in found), max(b[3] for b in found)


def _level(line: Line, body: float) -> int:
    """How high a heading a line is; 0 when it is none."""
    text = line.text.strip()
    if len(line.cells) > 2 or not 3 <= len(text) <= _HEADING_LONGEST or not any(letter.isalpha() for letter in text):
        return 0
    if text.endswith((".", ",", ";")) and not _NUMBERED.match(text):
        return 0
    if _FIGURE.fullmatch(text.split()[-1]) and len(line.cells) == 2:
        return 0
    if line.size >= 1.5 * body:
        return 1
    if line.size >= 1.13 * body:
        return 2
    if line.bold and (text[0].isupper() or text[0].isdigit()):
        return 3
    if _NUMBERED.match(text) and text.split()[0].isalpha() and len(text) < 80:
        return 3
    return 0
