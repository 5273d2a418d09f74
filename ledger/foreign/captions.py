"""The texts of a sheet's first rows as captions: spread over merged cells, joined over up to three rows."""

import re
from collections.abc import Mapping
from functools import cached_property

from ledger.foreign.layouts import plain_caption
from ledger.sheetxml import Cell, Sheet, column_letters, column_number

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*?\bref=["\']([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)["\']')
_WIDEST = 60
"""columns that a merged caption is spread over at most"""


class Captions:
    """What stands in the rows of one sheet, as captions."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def of_rows(self, first: int, last: int) -> dict[str, tuple[str, str]]:
        """By column, the plain caption joined over the rows and that of the lowest row alone."""
        found: dict[str, list[str]] = {}
        for row in range(first, last + 1):
            for column, text in self.row(row).items():
                found.setdefault(column, []).append(text)
        columns = sorted(found, key=column_number)
        return {
            column: (plain_caption(" ".join(found[column])), plain_caption(found[column][-1])) for column in columns
        }

    def shown(self, first: int, last: int, column: str) -> str:
        """The caption of a column as it stands: `Withdrawal Amt.`"""
        texts = (self.row(row).get(column, "") for row in range(first, last + 1))
        return " ".join(text for text in texts if text)

    def row(self, row: int) -> Mapping[str, str]:
        """The texts of a row by column; a text merged over columns stands in each, one merged down only at its top."""
        texts = {column: text for column, cell in self.sheet.cells(row).items() if (text := self._text(cell))}
        for first, last in self._merged.get(row, ()):
            anchor = texts.get(column_letters(first))
            for number in range(first + 1, min(last, first + _WIDEST) + 1):
                if anchor:
                    texts.setdefault(column_letters(number), anchor)
        return texts

    def only_texts(self, row: int) -> bool:
        """Whether no number and no formula stands in the row: captions are words."""
        return all(
            cell.formula is None and isinstance(self.sheet.value(cell), str)
            for cell in self.sheet.cells(row).values()
            if cell.raw is not None or cell.formula is not None
        )

    def _text(self, cell: Cell) -> str:
        value = self.sheet.value(cell)
        return " ".join(value.split()) if isinstance(value, str) else ""

    @cached_property
    def _merged(self) -> Mapping[int, list[tuple[int, int]]]:
        spans: dict[int, list[tuple[int, int]]] = {}
        for match in _MERGED.finditer(self.sheet.xml):
            first, last = column_number(match[1].decode()), column_number(match[3].decode())
            if last > first:
                spans.setdefault(int(match[2]), []).append((first, last))
        return spans
