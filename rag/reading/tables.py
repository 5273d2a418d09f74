"""Rows of segments that stand in columns, made a table in Markdown with its caption and units.

A table begins where at least three lines in a row have two or more segments, figures in most of them. A
line with one short segment between such rows is a row's label over two lines, or a caption within the table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_VALUE = re.compile(
    r"[(\[+\-−–]?\s?"
    r"(?:₹|\$|€|£|Rs\.?|INR|US\$)?\s?[(\-−–]?\d[\d,]*(?:\.\d+)?\s?[)\]]?\s?(?:%|x|bps|per cent)?\s?[)*#@^†]*"
    r"|[-–—−]|nil|n\.?a\.?|\.\.",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:FY|CY|AY|Q[1-4])?\s?'?(?:(?:19|20)\d\d(?:[-–/]\d{2,4})?|\d\d)(?:\s?[A-Z()]{1,5})?")
_CAPTION = re.compile(
    r"(?:table|statement|exhibit|chart|annex(?:ure)?|schedule)\s*[-:]?\s*[\dIVX]+|\btable\b", re.IGNORECASE
)
_UNITS = re.compile(
    r"\(?\s*(?:(?:all\s+)?(?:amounts?|figures?|values?)\s+(?:are\s+)?in\s+)?"
    r"(?:in\s+)?(?P<unit>(?:₹|rs\.?|inr|rupees|us\$|\$|usd|€)?\s*(?:in\s+)?(?:crores?|lakhs?|millions?|billions?|thousands?|"
    r"per\s?cent|percent|cr\b\.?|mn\b|bn\b))(?:[^()\n]{0,40})\)?",
    re.IGNORECASE,
)
_LEAST_ROWS = 3
_LABEL_LONGEST = 90


@dataclass(frozen=True)
class Cell:
    """A segment of a line and its box."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def with_word(self, text: str, left: float, top: float, right: float, bottom: float) -> "Cell":
        """This with another word at its end."""
        return Cell(
            self.text + text, min(self.left, left), min(self.top, top), max(self.right, right), max(self.bottom, bottom)
        )


@dataclass(frozen=True)
class Grid:
    """A table's rows of cell texts, how many of them are its header, and the lines each row came from."""

    rows: tuple[tuple[str, ...], ...]
    header: int
    lines: tuple[tuple[int, ...], ...]


def table_runs(lines: Sequence[Sequence[Cell]]) -> Iterator[tuple[int, int, Grid]]:
    """Each table: the line it begins at, the line after its last, and its cells."""
    at = 0
    while at < len(lines):
        end = _run_end(lines, at)
        if end > at:
            grid = _grid(lines[at:end])
            if grid is not None:
                yield at, end, grid
                at = end
                continue
        at += 1


def caption_and_units(above: Sequence[str], grid: Grid) -> tuple[str, str]:
    """The caption of a table from the lines above it, and the units its figures are in."""
    caption = next((line for line in reversed(above) if _CAPTION.search(line) and len(line) < 200), "")
    if not caption:
        caption = next(
            (
                line
                for line in reversed(above[-2:])
                if 3 < len(line) < 120 and not line.endswith(".") and not _units(line)
            ),
            "",
        )
    head = [*reversed(above), *(" ".join(row) for row in grid.rows[: max(grid.header, 1)])]
    units = next((found for found in map(_units, head) if found), "")
    return caption.strip(), units


def markdown(grid: Grid) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The lines of a table as Markdown, each with the lines of the page it came from."""
    header = grid.rows[: grid.header]
    names = (
        [" ".join(part for part in column if part) for column in zip(*header, strict=True)]
        if header
        else [""] * len(grid.rows[0])
    )
    yield _row(names), tuple(line for lines in grid.lines[: grid.header] for line in lines)
    yield _row(["---"] * len(names)), ()
    for row, lines in zip(grid.rows[grid.header :], grid.lines[grid.header :], strict=True):
        yield _row(row), lines


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _units(line: str) -> str:
    match = _UNITS.search(line)
    if match is None or (len(line) > 80 and "(" not in match[0]):
        return ""
    return match[0].strip(" ()")


def is_value(text: str) -> bool:
    """Whether a cell is a figure, or what stands for none."""
    return bool(_VALUE.fullmatch(text.strip()))


def _is_row(cells: Sequence[Cell]) -> bool:
    return len(cells) >= 2 and (
        any(is_value(cell.text) or _YEAR.fullmatch(cell.text) for cell in cells[1:])
        or (len(cells) >= 3 and all(len(cell.text) < 60 for cell in cells))
    )


def _run_end(lines: Sequence[Sequence[Cell]], at: int) -> int:
    """The line after the last of a table that begins here; `at` when none does."""
    if not _is_row(lines[at]) and not (len(lines[at]) >= 2 and at + 1 < len(lines) and _is_row(lines[at + 1])):
        return at
    end, rows, place = at, 0, at
    while place < len(lines):
        cells = lines[place]
        if _is_row(cells) or (len(cells) >= 2 and place == at):
            rows, end = rows + 1, place + 1
        elif not (
            len(cells) == 1
            and (len(cells[0].text) <= _LABEL_LONGEST or _goes_on(lines[place + 1 : place + 2]))
            and place + 1 < len(lines)
            and _is_row(lines[place + 1])
            and cells[0].top - lines[place - 1][0].bottom < 2.5 * (cells[0].bottom - cells[0].top)
        ):
            break
        place += 1
    valued = sum(any(is_value(cell.text) for cell in cells[1:]) for cells in lines[at:end])
    wide = sum(len(cells) >= 3 for cells in lines[at:end])
    return end if rows >= _LEAST_ROWS and (valued >= 2 or wide >= _LEAST_ROWS) else at


def _goes_on(following: Sequence[Sequence[Cell]]) -> bool:
    """Whether the next line carries on the label before it: it begins small."""
    return bool(following) and following[0][0].text[:1].islower()


def _grid(lines: Sequence[Sequence[Cell]]) -> Grid | None:
    columns = _column_spans(lines)
    if len(columns) < 2:
        return None
    rows: list[tuple[str, ...]] = []
    of_lines: list[tuple[int, ...]] = []
    waiting: tuple[str, tuple[int, ...]] | None = None
    valued = False
    for number, cells in enumerate(lines):
        valued = valued or _has_values(cells)
        texts = [""] * len(columns)
        for cell in cells:
            for place in _over(columns, cell) if not valued else (_column(columns, cell),):
                texts[place] = f"{texts[place]} {cell.text}".strip()
        label = len(cells) == 1 and cells[0].left < columns[0][1] and not is_value(cells[0].text)
        if label and _goes_on(lines[number + 1 : number + 2]):
            # its figures stand beside its second line
            waiting = (
                f"{waiting[0] if waiting else ''} {cells[0].text}".strip(),
                (*(waiting[1] if waiting else ()), number),
            )
            continue
        if waiting is not None:
            texts[0] = f"{waiting[0]} {texts[0]}".strip()
            of_lines.append((*waiting[1], number))
            waiting = None
        else:
            of_lines.append((number,))
        rows.append(tuple(texts))
    if waiting is not None:
        rows.append((waiting[0], *[""] * (len(columns) - 1)))
        of_lines.append(waiting[1])
    header = 0
    for row in rows:
        values = [text for text in row[1:] if text]
        if (
            any(is_value(text) and not _YEAR.fullmatch(text) for text in values)
            or header >= 4
            or header == len(rows) - 1
        ):
            break
        header += 1
    return Grid(tuple(rows), max(header, 0), tuple(of_lines))


def _column_spans(lines: Sequence[Sequence[Cell]]) -> list[tuple[float, float]]:
    """Where the columns stand: the boxes of rows with figures, those that overlap made one."""
    rows = [cells for cells in lines if _has_values(cells)] or [cells for cells in lines if len(cells) >= 2]
    spans: list[tuple[float, float]] = []
    for left, right in sorted((cell.left, cell.right) for cells in rows for cell in cells):
        if spans and left < spans[-1][1] - 0.5:
            spans[-1] = (spans[-1][0], max(spans[-1][1], right))
        else:
            spans.append((left, right))
    return spans


def _has_values(cells: Sequence[Cell]) -> bool:
    """Whether a line has a figure beside its label that is no year: it is no header."""
    return any(is_value(cell.text) and not _YEAR.fullmatch(cell.text) for cell in cells[1:])


def _over(spans: Sequence[tuple[float, float]], cell: Cell) -> tuple[int, ...]:
    """The columns a header's cell stands over: all those it covers."""
    covered = tuple(
        place
        for place, (left, right) in enumerate(spans)
        if place and min(right, cell.right) - max(left, cell.left) > 0.5 * (right - left)
    )
    return covered if len(covered) > 1 and cell.left >= spans[0][1] else (_column(spans, cell),)


def _column(spans: Sequence[tuple[float, float]], cell: Cell) -> int:
    def distance(place: int) -> tuple[float, float]:
        left, right = spans[place]
        overlap = min(right, cell.right) - max(left, cell.left)
        return (-max(overlap, 0.0), abs((left + right) / 2 - (cell.left + cell.right) / 2))

    return min(range(len(spans)), key=distance)
