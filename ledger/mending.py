"""Cells that could not be read, typed right: the cell itself, and every balance and total that its row then moves.

    Mend ──the cell alone, patched and read again──► is it read now? what does it come to?
         └─running balances from its row down, later months, cards, totals by category──► Plan

Of a running balance each step stays as the book shows it; where an error stood, it follows from the row's own cells,
as the book's formula will work it out. A row that still cannot be worked out ends the walk.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ledger.book import read_book
from ledger.cell_values import shown
from ledger.changes import CellChange, Mend, Plan
from ledger.entries import CASH_TRACKER, MODES, MONTHS, Book, BookRefused, Issue, Mode, quoted
from ledger.ground import Ground, layout_of, split_cell
from ledger.patch import patch
from ledger.sheetxml import Sheet
from ledger.workbook import Workbook
from money import rupees

ZERO = Decimal(0)
COLUMNS = {"C": "date", "E": "mode", "F": "amount", "G": "amount"}
"""what a ledger's row can be mended in"""
BUDGET_COLUMNS = "CDEF"


def can_mend(issue: Issue, book: Book) -> bool:
    """Whether typing the right value into the cell is what mends it."""
    if book.read_only or book.tables:
        return False
    sheet, column, row = split_cell(issue.cell)
    if sheet == "BUDGET":
        return column in BUDGET_COLUMNS
    if sheet not in (*book.months, CASH_TRACKER):
        return False
    if issue.cell in book.opening_cells.values():
        return True
    return column in COLUMNS and row > layout_of(sheet).opening


def plan_mends(workbook: Workbook, book: Book, mends: Sequence[Mend]) -> Plan:
    """Plan the mending of cells in one write.

    Raises BookRefused when a cell reads something else by now, or would not be read with what is typed.
    """
    if book.read_only:
        raise BookRefused(book.read_only)
    if book.tables:
        raise BookRefused(f"{book.name} is a table of its own; a cell that cannot be read is mended in Excel.")
    standing = {(issue.cell, issue.reads) for issue in (*book.issues, *book.ignored)}
    for mend in mends:
        if (mend.issue.cell, mend.issue.reads) not in standing:
            raise BookRefused(
                f"{mend.issue.cell} does not read {mend.issue.reads or 'nothing'} any more. Nothing was changed; look "
                "again."
            )
    ground = Ground.of(workbook, book)
    typed = [change for mend in mends for change in _typed(ground, mend)]
    if len({(change.sheet, change.column, change.row) for change in typed}) < len(typed):
        raise BookRefused("A cell is mended twice at once. Keep one of the two.")
    bare = Plan(workbook.sha256, (), (), book.balances, book.balances, cells=tuple(typed), mends=tuple(mends))
    after = Workbook(patch(workbook, bare), workbook.name)
    read = read_book(after)
    _refuse_unread(mends, read)
    cells = {(change.sheet, change.column, change.row): change for change in typed}
    for change in _Following(ground, after, mends).changes():
        cells.setdefault((change.sheet, change.column, change.row), change)
    return replace(
        bare,
        cells=tuple(cells.values()),
        balances_after=read.balances,
        notes=tuple(_notes(book, read)),
        dropped=tuple(
            relation.target
            for relation in workbook.relations(workbook.workbook_part)
            if relation.type.endswith("/calcChain") and relation.target in workbook.part_names
        )
        if any(_has_formula(ground, change) for change in typed)
        else (),
    )


def _typed(ground: Ground, mend: Mend) -> list[CellChange]:
    name, _, row = split_cell(mend.issue.cell)
    sheet = ground.writable(name)
    there = sheet.cells(row)
    found = []
    for column, value in mend.cells:
        cell = there.get(column)
        if cell is not None and cell.formula_attributes.get("t") in ("array", "dataTable", "shared"):
            raise BookRefused(
                f"{quoted(name)}!{column}{row} has its formula in common with other cells. Type the value in Excel."
            )
        if cell is None and value is None:
            continue
        change = CellChange(name, column, row, value=value, formula=None)
        donor = _donor(ground, sheet, column, row)
        if column == "C" and name != "BUDGET" and donor is not None:
            change = replace(change, style=donor)
        elif cell is None:
            change = replace(change, style=donor or 0)
        found.append(change)
    return found


def _donor(ground: Ground, sheet: Sheet, column: str, row: int) -> int | None:
    """The format of the same column in the nearest row that is an entry."""
    rows = ground.entries_by_row(sheet.name)
    nearest = min((at for at in rows if column in sheet.cells(at)), key=lambda at: abs(at - row), default=None)
    return None if nearest is None else sheet.cells(nearest)[column].style


def _has_formula(ground: Ground, change: CellChange) -> bool:
    cell = ground.workbook.sheet(change.sheet).cells(change.row).get(change.column)
    return cell is not None and cell.formula is not None


def _refuse_unread(mends: Sequence[Mend], read: Book) -> None:
    """A cell that would be an issue again is refused now, with the reason."""
    for mend in mends:
        sheet, _, row = split_cell(mend.issue.cell)
        columns = {column for column, _ in mend.cells}
        for issue in read.issues:
            other, column, at = split_cell(issue.cell)
            if (other, at) == (sheet, row) and column in columns:
                raise BookRefused(f"{issue.cell} would read {issue.reads or 'nothing'}. {issue.reason}")


def _notes(book: Book, read: Book) -> list[str]:
    said = []
    if came := len(read.entries) - len(book.entries):
        said.append(f"{came} row{'s count' if came > 1 else ' counts'} from now on")
    left = {issue.cell for issue in read.issues} - {issue.cell for issue in (*book.issues, *book.ignored)}
    said += [f"{issue.cell} is still to be mended: {issue.reason}" for issue in read.issues if issue.cell in left]
    said += [
        f"{mode.capitalize()} closes below zero, at {rupees(read.balances[mode])}"
        for mode in MODES
        if read.balances[mode] < 0 <= book.balances[mode]
    ]
    return said


class _Following:
    """What follows from mended cells elsewhere: `before` as the book shows it, `after` with the cells typed."""

    def __init__(self, ground: Ground, after: Workbook, mends: Sequence[Mend]) -> None:
        self._ground = ground
        self._after = after
        self._rows: dict[str, list[int]] = {}
        for mend in mends:
            sheet, _, row = split_cell(mend.issue.cell)
            if sheet != "BUDGET":
                self._rows.setdefault(sheet, []).append(row)
        self._found: list[CellChange] = []

    def changes(self) -> list[CellChange]:
        """Cells that show something else."""
        for sheets in (self._ground.book.months, (CASH_TRACKER,)):
            for column, mode in layout_of(sheets[0]).running.items():
                self._walk_modes(sheets, column, mode)
        for sheet in self._rows:
            if sheet in MONTHS:
                self._totals(sheet)
        return self._found

    def _walk_modes(self, sheets: Sequence[str], column: str, mode: Mode) -> None:
        """A running column through its sheets, from the first mended row on."""
        last: tuple[Decimal | None, Decimal] | None = None
        for sheet in sheets:
            if last is None and sheet not in self._rows:
                continue
            opening = layout_of(sheet).opening
            begin = min(self._rows.get(sheet, [opening])) if last is None else opening
            last = self._walk(sheet, column, mode, begin, last)
            if last is None:
                return  # not to be worked out further
            self._cards(sheet, mode, last)
        if last is not None:
            self._cards("TERMINOLOGY", mode, last)

    def _walk(
        self, name: str, column: str, mode: Mode, begin: int, carried: tuple[Decimal | None, Decimal] | None
    ) -> tuple[Decimal | None, Decimal] | None:
        """The column of one sheet; its last balance before and after, None where it cannot be worked out."""
        sheet, opening = self._ground.workbook.sheet(name), layout_of(name).opening
        mended, after = frozenset(self._rows.get(name, ())), self._after.sheet(name)
        rows = [row for row in sheet.rows if row >= opening]
        above: tuple[Decimal | None, Decimal] | None = carried
        for row in rows:
            cell = sheet.cells(row).get(column)
            if cell is None or (cell.raw is None and cell.formula is None):
                continue
            value = sheet.value(cell)
            before = value if isinstance(value, Decimal) else None
            if row < begin:
                above = None if before is None else (before, before)
                continue
            if row == opening:
                now = self._opening(after, column, row, before, carried)
            elif above is None:
                return None
            else:
                step = None
                if row not in mended and before is not None and above[0] is not None:
                    step = before - above[0]
                step = _contribution(after, row, mode) if step is None else step
                now = None if step is None else above[1] + step
            if now is None:
                return None
            if now != before and not (row == opening and name in self._rows and row in mended):
                self._found.append(CellChange(name, column, row, value=now))
            above = (before, now)
        return above

    @staticmethod
    def _opening(
        after: Sheet, column: str, row: int, before: Decimal | None, carried: tuple[Decimal | None, Decimal] | None
    ) -> Decimal | None:
        """An opening balance: the one typed, or the one carried from the month before."""
        if carried is None:
            value = after.value(after.cells(row).get(column))
            return value if isinstance(value, Decimal) else None
        if before is not None and carried[0] is not None:
            return before + carried[1] - carried[0]
        return carried[1]

    def _cards(self, sheet: str, mode: Mode, last: tuple[Decimal | None, Decimal]) -> None:
        for card in self._ground.book.cards:
            name, column, row = split_cell(card.cell)
            if card.mode != mode or name != sheet:
                continue
            cell = self._ground.writable(name).cells(row)[column]
            if card.shows is not None and last[0] is not None:
                now = card.shows + last[1] - last[0]
            elif cell.formula is not None and cell.type == "e":
                now = last[1]
            else:
                continue
            if now != card.shows:
                self._found.append(CellChange(name, column, row, value=now))

    def _totals(self, month: str) -> None:
        """The shown totals by category of a month with a mended row."""
        after = self._after.sheet(month)
        rows = [row for row in after.rows if row > layout_of(month).opening]
        for category, row in self._ground.totals(month).items():
            cell = after.cells(row).get("L")
            if cell is None or (cell.raw is None and cell.type == "n"):
                continue
            parts = [_spent(after, at, category) for at in rows]
            now = sum((part for part in parts if part is not None), ZERO)
            if None not in parts and after.value(cell) != now:
                self._found.append(CellChange(month, "L", row, value=now))


def _contribution(sheet: Sheet, row: int, mode: Mode) -> Decimal | None:
    """What a row adds to its mode's running balance by the book's formula; None: it gives an error."""
    cells = sheet.cells(row)
    stated = sheet.value(cells.get("E"))
    if not isinstance(stated, str) or stated.strip().upper() != mode:
        return ZERO if stated is None or isinstance(stated, str) else None
    out, came = (_number(sheet.value(cells.get(column))) for column in "FG")
    return None if out is None or came is None else came - out


def _spent(sheet: Sheet, row: int, category: str) -> Decimal | None:
    cells = sheet.cells(row)
    if shown(sheet.value(cells.get("J"))).strip().casefold() != category:
        return ZERO
    values = [sheet.value(cells.get(column)) for column in "FG"]
    out, came = (ZERO if isinstance(value, str) else _number(value) for value in values)
    return None if out is None or came is None else out - came


def _number(value: object) -> Decimal | None:
    return ZERO if value is None else value if isinstance(value, Decimal) else None
