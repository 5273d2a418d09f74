"""How a new row's cells look: as a row above in the wanted colour does, or made like it."""

from collections.abc import Mapping

from ledger.ground import Ground, Table
from ledger.layout import CLOSING_FILL, DATE_FORMAT, GROUP_FILLS, OPENING_FILL, WHITE_TEXT_ON
from ledger.sheetxml import Cell
from ledger.styles import WHITE, Formats

COLOURED = ("C", "D", "E", "F", "G", "J")
"""the columns a group's colour stands in"""
MARKED = frozenset({*GROUP_FILLS.values(), OPENING_FILL, CLOSING_FILL})
"""fills that say something about a row; any other fill is just how the book looks"""


class Looks:
    """Which cell format a new row's cells have: that of a row above in the wanted colour, or one made like it."""

    def __init__(self, ground: Ground, formats: Formats, table: Table, donor: Table | None) -> None:
        self._ground = ground
        self._formats = formats
        self._table = table
        self._rows: list[dict[str, Cell]] = list(donor.rows_up) if donor is not None and not donor.empty else []

    def style(self, column: str, fill: str) -> int:
        """The format for a column of a new row in a group's fill; `fill` is empty for a row without colour."""
        plain: int | None = None
        for cells in self._rows:
            cell = cells.get(column)
            if cell is None:
                continue
            own = self._ground.workbook.fill_of(cell.style)
            if own == fill or (not fill and own not in MARKED):
                return cell.style
            if plain is None and own not in MARKED:
                plain = cell.style
        if plain is None:
            plain = self._bare(column)
        return self.painted(plain, fill)

    def painted(self, style: int, fill: str) -> int:
        """A format in another fill, with text that can be read on it."""
        if not fill:
            return style
        return self._formats.like(style, fill=fill, font=WHITE if fill in WHITE_TEXT_ON else None)

    def _bare(self, column: str) -> int:
        """An uncoloured format where no row above has one: from the row above, else from the opening row."""
        for cells in self._rows[:1]:
            if column in cells:
                own = self._ground.workbook.fill_of(cells[column].style)
                white = own in WHITE_TEXT_ON
                return self._formats.like(cells[column].style, fill="", font=self._ink(cells) if white else None)
        opening = self._table.sheet.cells(self._table.layout.opening)
        balance, own_cell = opening.get("H") or opening.get("I"), opening.get(column)
        if column == "B" and own_cell is not None:
            return own_cell.style
        base = balance.style if balance else 0
        bare = self._formats.like(base, fill="") if self._ground.workbook.fill_of(base) in MARKED else base
        if column == "C":
            day = own_cell.style if own_cell else base
            code = None if self._ground.styles.is_date(day) else DATE_FORMAT
            return self._formats.like(day, font=self._formats.said(base).colour, number_format=code)
        if column in ("D", "E", "J"):
            return self._formats.like(base, fill="", number_format="")
        return bare

    def _ink(self, cells: Mapping[str, Cell]) -> str:
        for cell in cells.values():
            if self._ground.workbook.fill_of(cell.style) not in WHITE_TEXT_ON:
                return self._ground.styles.said(cell.style).colour
        return ""
