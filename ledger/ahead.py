"""What stands below a table's last row: balances filled down ahead, notes, sums.

last row  ▸ TEA   10  =H8+…     its formulas, filled down ahead by a person:
ahead     ▸           =H9+…     a new row takes these over, the others show the new balance
a note    ▸ ask about it        rows are added as far as this, not over it
a sum     ▸ TOTAL  =SUM(…)      refused, with the cell
"""

from collections.abc import Callable
from dataclasses import dataclass

from ledger.entries import BookRefused
from ledger.formulas import shifted
from ledger.ground import Ground, Table
from ledger.sheetxml import Cell


@dataclass(frozen=True)
class Below:
    """The rows below a table's last one."""

    table: Table
    last: int
    """the lowest row whose balances are filled down ahead; the table's own last row where there is none"""
    note: tuple[str, int] | None = None
    """column and row of the first cell that is a person's own"""

    def formula(self, column: str, row: int) -> Cell | None:
        """The cell filled down ahead there, if there is one."""
        if not self.table.last < row <= self.last:
            return None
        cell = self.table.sheet.cells(row).get(column)
        return cell if cell is not None and cell.formula is not None else None

    def refuse(self, last: int) -> None:
        """Refuse a table that would reach what is a person's own. Raises BookRefused, naming the cell."""
        if self.note is not None and last >= self.note[1]:
            raise _in_the_way(self.table, *self.note)


def below(ground: Ground, table: Table, continued: Callable[[str, int], str | None]) -> Below:
    """Look below a table's last row; `continued` gives the formula its column goes on with in a row.

    Raises BookRefused for what new rows could not stand above: sums, and formulas that are no continuation.
    """
    sheet, columns = table.sheet, {*table.columns, *table.calculated}
    follow = {*table.running, *table.calculated}
    last, note = table.last, None
    for row in sheet.rows_below(table.last):
        held = [c for c in sheet.cells(row).values() if c.column in columns and (c.raw or c.formula is not None)]
        if not held:
            continue
        ahead = [cell for cell in held if cell.column in follow and cell.formula is not None]
        follows = len(ahead) == len(held) and row == last + 1 and note is None
        if follows and all(_continues(ground, table, cell, continued) for cell in ahead):
            last = row
            continue
        first = next((cell for cell in held if cell not in ahead), held[0])
        if any(cell.formula is not None or not isinstance(sheet.value(cell), str) for cell in held):
            raise _in_the_way(table, first.column, row)
        note = note or (first.column, row)
    return Below(table, last, note)


def _continues(ground: Ground, table: Table, cell: Cell, continued: Callable[[str, int], str | None]) -> bool:
    """Whether a formula is the one of the row above, filled down."""
    above = table.sheet.cells(cell.row - 1).get(cell.column)
    group = cell.formula_attributes.get("si")
    if above is None or above.formula is None or table.empty:
        if cell.formula_attributes.get("t") in ("array", "dataTable"):
            return False
        return ground.formula_of(table.sheet, cell) == continued(cell.column, cell.row)
    if group is not None and not cell.formula and above.formula_attributes.get("si") == group:
        return True
    if cell.formula_attributes.get("t") in ("array", "dataTable"):
        return False
    expected = shifted(ground.formula_of(table.sheet, above), rows=1)
    return ground.formula_of(table.sheet, cell) == expected


def _in_the_way(table: Table, column: str, row: int) -> BookRefused:
    return BookRefused(
        f"{table.cell(column, row)} is not blank, below the last row of the table ({table.last}). "
        "Move it out of the way in Excel, or delete it, and add the row again."
    )
