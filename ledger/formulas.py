"""Formula text: references shifted, sheets renamed, ranges found and grown. Nothing is calculated.

A formula is cut into texts in quotes, quoted sheet names and the rest, so that `"A1"`, `'A1 2'!B2`, `LOG10(` and table
references such as `Spent[Amount1]` are never taken for cells. Formulas are without their leading `=`.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ledger.entries import quoted

MOST_COLUMNS = 16_384
MOST_ROWS = 1_048_576

_PIECE = re.compile(
    r"""
    (?P<text>"(?:[^"]|"")*")
    |(?P<table>\[(?:[^\[\]]|\[[^\[\]]*\])*\])
    |(?P<sheet>(?:'(?:[^']|'')+'|[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*(?::[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*)?)!)
    |(?P<cell>\$?[A-Za-z]{1,3}\$?[1-9][0-9]*(?![\w.(!\[]))
    |(?P<columns>\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.(!\[]))
    |(?P<rows>\$?[1-9][0-9]*:\$?[1-9][0-9]*(?![\w.(!\[]))
    |(?P<word>[A-Za-z_\\\u0080-\uffff][\w.\\?\u0080-\uffff]*|[0-9][\w.]*|\#[A-Z0-9/!?]+)
    """,
    re.VERBOSE,
)
_CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([1-9][0-9]*)")
_COLUMN = re.compile(r"(\$?)([A-Za-z]{1,3})")
_ROW = re.compile(r"(\$?)([1-9][0-9]*)")


class Range(NamedTuple):
    """A range written in a formula, `'CASH TRACKER'!$F$12:$F$40` or `6:17`, and where in the text it stands.

    Its first corner is the upper left one, however it is written.
    """

    sheet: str | None
    """None: the formula's own; `A:B` for a range over several sheets"""
    first_column: int
    first_row: int
    last_column: int
    last_row: int
    start: int
    end: int
    """of the lower corner's row number: what a grown range replaces"""


class Area(NamedTuple):
    """What a formula refers to by rows: a cell, or a range of cells or of whole rows. Whole columns are none."""

    sheet: str | None
    """None: the formula's own; `A:B` for several sheets"""
    first_column: int
    first_row: int
    last_column: int
    last_row: int
    single: bool
    """one cell, not written as a range"""


def shifted(formula: str, *, rows: int = 0, columns: int = 0) -> str:
    """The formula as copied `rows` down and `columns` to the right: relative references move, `$` ones stay.

    A reference moved off the sheet becomes `#REF!`, as Excel has it.
    """

    def moved(kind: str, text: str) -> str:
        if kind == "cell":
            return _moved_cell(text, rows, columns)
        if kind == "columns":
            return _COLUMN.sub(lambda found: _moved_column(found[1], found[2], columns), text)
        if kind == "rows":
            return _ROW.sub(lambda found: _moved_row(found[1], found[2], rows), text)
        return text

    return _rewritten(formula, moved)


def renamed(formula: str, names: dict[str, str]) -> str:
    """The formula with references to some sheets led to others: `{"OCTOBER": "NOVEMBER"}`."""
    folded = {old.casefold(): new for old, new in names.items()}

    def led(kind: str, text: str) -> str:
        if kind != "sheet":
            return text
        name = sheet_named(text)
        return quoted(folded[name.casefold()]) + "!" if name.casefold() in folded else text

    return _rewritten(formula, led)


def reworded(formula: str, texts: dict[str, str]) -> str:
    """The formula with some of its quoted texts replaced: `{"OCTOBER": "NOVEMBER"}` for a criterion."""

    def said(kind: str, text: str) -> str:
        if kind != "text":
            return text
        inside = text[1:-1].replace('""', '"')
        return '"' + texts[inside].replace('"', '""') + '"' if inside in texts else text

    return _rewritten(formula, said)


def sheet_named(text: str) -> str:
    """The sheet of `NOVEMBER!` or `'CASH TRACKER'!`."""
    name = text.removesuffix("!")
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


@lru_cache(maxsize=2048)
def ranges(formula: str) -> tuple[Range, ...]:
    """Every range of two cells or of whole rows in a formula, single cells and whole columns not."""
    pieces = [(match.lastgroup or "", match.group(), match.start(), match.end()) for match in _PIECE.finditer(formula)]
    found = []
    for index, (kind, text, start, end) in enumerate(pieces):
        sheet = (
            sheet_named(pieces[index - 1][1])
            if index and pieces[index - 1][0] == "sheet" and pieces[index - 1][3] == start
            else None
        )
        if kind == "rows":
            upper, lower = (number.strip("$") for number in text.split(":"))
            corners = [(1, int(upper), start + text.index(":")), (MOST_COLUMNS, int(lower), end)]
        elif kind == "cell" and index + 1 < len(pieces):
            follows, other, other_start, other_end = pieces[index + 1]
            first, second = _CELL.fullmatch(text), _CELL.fullmatch(other)
            if follows != "cell" or formula[end:other_start].strip() != ":" or not first or not second:
                continue
            corners = [(column_index(each[2]), int(each[4]), at) for each, at in ((first, end), (second, other_end))]
        else:
            continue
        columns, rows = sorted(corner[0] for corner in corners), sorted(corner[1] for corner in corners)
        # the lower corner; the second one where both stand in one row
        _, row, at = max(reversed(corners), key=lambda corner: corner[1])
        found.append(Range(sheet, columns[0], rows[0], columns[1], rows[1], at - len(str(row)), at))
    return tuple(found)


def areas(formula: str) -> tuple[Area, ...]:
    """Every cell and range in a formula, whole rows included and whole columns not."""
    found: list[Area] = []
    pieces = [(match.lastgroup or "", match.group(), match.start(), match.end()) for match in _PIECE.finditer(formula)]
    index = 0
    while index < len(pieces):
        kind, text, start, end = pieces[index]
        sheet = None
        if index and pieces[index - 1][0] == "sheet" and pieces[index - 1][3] == start:
            sheet = sheet_named(pieces[index - 1][1])
        index += 1
        if kind == "rows":
            first, last = (int(number.strip("$")) for number in text.split(":"))
            found.append(Area(sheet, 1, min(first, last), MOST_COLUMNS, max(first, last), single=False))
        corner = _CELL.fullmatch(text) if kind == "cell" else None
        if corner is None:
            continue
        corners = [(column_index(corner[2]), int(corner[4]))]
        if index < len(pieces) and pieces[index][0] == "cell" and formula[end : pieces[index][2]].strip() == ":":
            second = _CELL.fullmatch(pieces[index][1])
            if second is not None:
                corners.append((column_index(second[2]), int(second[4])))
                index += 1
        columns, rows = zip(*corners, strict=True)
        found.append(Area(sheet, min(columns), min(rows), max(columns), max(rows), single=len(corners) == 1))
    return tuple(found)


def grown(formula: str, wanted: Callable[[Range], bool], last_row: int) -> str:
    """The formula with the ranges that are wanted reaching down to `last_row`."""
    for found in reversed(ranges(formula)):
        if wanted(found):
            formula = formula[: found.start] + str(last_row) + formula[found.end :]
    return formula


@lru_cache(maxsize=2048)
def column_index(letters: str) -> int:
    """`A` is 1, `J` is 10."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def column_name(index: int) -> str:
    """1 is `A`, 10 is `J`."""
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _rewritten(formula: str, change: Callable[[str, str], str]) -> str:
    return _PIECE.sub(lambda found: change(found.lastgroup or "", found.group()), formula)


def _moved_cell(text: str, rows: int, columns: int) -> str:
    match = _CELL.fullmatch(text)
    if match is None or column_index(match[2]) > MOST_COLUMNS or int(match[4]) > MOST_ROWS:
        return text  # a name such as TAX2026
    column, row = _moved_column(match[1], match[2], columns), _moved_row(match[3], match[4], rows)
    return "#REF!" if "#REF!" in (column, row) else column + row


def _moved_column(fixed: str, letters: str, columns: int) -> str:
    index = column_index(letters) + (0 if fixed else columns)
    return fixed + (column_name(index) if columns and not fixed else letters) if 1 <= index <= MOST_COLUMNS else "#REF!"


def _moved_row(fixed: str, number: str, rows: int) -> str:
    row = int(number) + (0 if fixed else rows)
    return f"{fixed}{row}" if 1 <= row <= MOST_ROWS else "#REF!"
