"""What a write will change, decided before anything is written.

    changes ──refusals──► rows in their tables ──► new months ──► balances of later rows and cards ──► totals
                                                                          └──► fills ──► ranges ──► Plan

The card shows this plan, the patch carries out this plan, the verifier holds the new bytes to it. A table's rows stand
in the order of their days after a write (ledger.arrange): a row of today is appended below the last one; for any other
what the rows hold moves within the table, which grows by one row at its end, or leaves its last one blank. No row is
ever shifted. Where something is tied to a row that would move (ledger.moving), a new row is appended all the same and
the plan says so; an edit or a deletion is refused.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from ledger.ahead import Below, below
from ledger.arrange import Slot, arranged
from ledger.changes import (
    CardChange,
    CellChange,
    Moves,
    NewSheet,
    OpeningChange,
    Plan,
    PlannedRow,
    RangeChange,
    Shift,
    Value,
)
from ledger.edits import (
    Add,
    Delete,
    Edit,
    EntryChange,
    day_of,
    draft_of,
    drafts_of,
    removed_of,
    says_the_same,
    standing,
    told,
)
from ledger.effects import ZERO, by_category, effect, effect_on, effects
from ledger.entries import (
    CASH_TRACKER,
    MODE_NAMES,
    MODES,
    MONTHS,
    Book,
    BookDiffers,
    BookRefused,
    Draft,
    Entry,
    Mode,
    Overdraft,
    quoted,
)
from ledger.foreign.writing import plan_tables
from ledger.formulas import MOST_ROWS, column_index, renamed, shifted
from ledger.ground import MONTH, Ground, Table, columns_between, layout_of, open_sheet, split_cell
from ledger.layout import CASH_MODES, CLOSING_FILL, GROUP_FILLS
from ledger.looks import COLOURED, MARKED, Looks
from ledger.months import MonthSheet, copied_parts, left_behind
from ledger.moving import Stretch, in_the_way
from ledger.package import refusing_damage
from ledger.reach import Growth, Reached, reaching
from ledger.sheetxml import Cell, Sheet
from ledger.styles import Formats
from ledger.workbook import Workbook
from money import rupees

LONGEST_DESCRIPTION = 500
TOO_LARGE = Decimal(10**13)
"""rupees from which on Excel, which keeps 15 digits of a number, would lose the paise"""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_MERGE = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*ref=\"([A-Z]+)(\d+):([A-Z]+)(\d+)\"")
_INPUT = ("B", "C", "D", "E", "F", "G", "J")


def plan_changes(
    workbook: Workbook,
    book: Book,
    changes: Sequence[EntryChange],
    openings: Mapping[Mode, Decimal | None] | None = None,
) -> Plan:
    """Plan rows to be added, edited and deleted in one write, and opening balances typed; None clears one.

    Raises NotStanding for an entry that is not in the book as it was read, and BookRefused, naming the reason and the
    cell, for what cannot be written safely; a batch that overdraws is planned all the same and carries its
    `overdrafts`.
    """
    openings = dict(openings or {})
    if not changes and not openings:
        raise BookRefused("There is nothing to write.")
    _refuse_waiting(book)
    if changes and not openings and all(isinstance(c, Edit) and says_the_same(c.was, c.draft) for c in changes):
        raise BookRefused("There is nothing to write: that is what the book says already.")
    if book.tables and openings:
        raise BookRefused(f"{book.name} is a table of its own; its opening balance is changed in Excel.")
    settled = tuple(
        change if isinstance(change, Delete) else replace(change, draft=_settled(change.draft, number, book))
        for number, change in enumerate(standing(book, changes), 1)
    )
    with refusing_damage(workbook.name):
        ground = Ground.of(workbook, book)
    return plan_tables(ground, settled) if book.tables else _Planner(ground, settled, openings).plan()


def plan_write(
    workbook: Workbook, book: Book, drafts: Sequence[Draft], openings: Mapping[Mode, Decimal] | None = None
) -> Plan:
    """Plan the adding of rows; as `plan_changes`."""
    return plan_changes(workbook, book, [Add(draft) for draft in drafts], openings)


def unwritable(text: str) -> str | None:
    """Why a text cannot be a description, as the end of a sentence; None when it can."""
    if problem := no_text(text):
        return problem
    if len(text) > LONGEST_DESCRIPTION:
        return f"is {len(text)} characters long; a description has at most {LONGEST_DESCRIPTION}"
    return None


def no_text(text: str) -> str | None:
    """Why a text can stand in no cell of any workbook, as the end of a sentence; None when it can."""
    found = _CONTROL.search(text)
    return f"has a control character at position {found.start() + 1}" if found else None


def _refuse_waiting(book: Book) -> None:
    if book.read_only:
        raise BookRefused(book.read_only)
    stopping = [issue for issue in book.issues if issue.stops_totals]
    if stopping:
        issue = stopping[0]
        more = f" The same goes for {', '.join(each.cell for each in stopping[1:4])}." if stopping[1:] else ""
        raise BookRefused(f"Writing waits: {issue.cell} reads {issue.reads or 'nothing'}. {issue.reason}{more}")
    if book.differences and not book.differences_accepted:
        raise BookDiffers(book)


def _settled(draft: Draft, number: int, book: Book) -> Draft:
    """The draft with its category as BUDGET spells it; refused when it cannot stand in this book."""
    where = f"Item {number}"
    description = draft.stored_description
    if not description:
        raise BookRefused(f"{where} has no description.")
    if problem := unwritable(description):
        raise BookRefused(f"The description of item {number} {problem}.")
    if not draft.amount.is_finite() or draft.amount <= 0:
        raise BookRefused(f"{where} needs an amount above zero.")
    if draft.amount + abs(book.balances.get(draft.mode, ZERO)) >= TOO_LARGE:
        raise BookRefused(f"{where} has an amount, or leaves a balance, with more digits than Excel keeps.")
    if draft.amount != draft.amount.quantize(Decimal("0.01")):
        raise BookRefused(f"{where} has the amount {draft.amount}, which is no whole number of paise.")
    if book.tables:
        return draft
    if draft.date.year != book.year:
        raise BookRefused(
            f"{book.name} is the book of {book.year}, and {where.lower()} is dated {day_of(draft.date)} "
            f"{draft.date.year}. Give it a date of {book.year}, or open the book of {draft.date.year}."
        )
    if draft.category is None:
        return draft
    line = book.category(draft.category)
    if line is None:
        raise BookRefused(f"{where} has the category {draft.category}, which BUDGET does not have.")
    return replace(draft, category=line.name)


class _Planner:
    """One plan being made."""

    def __init__(
        self, ground: Ground, changes: tuple[EntryChange, ...], openings: Mapping[Mode, Decimal | None]
    ) -> None:
        self.ground = ground
        self.book = ground.book
        self.changes = changes
        self.drafts = drafts = drafts_of(changes)
        self.removed = removed_of(changes)
        self.effects = effects(changes)
        self.formats = Formats(ground.styles)
        self.notes: list[str] = []
        self.cells: dict[tuple[str, str, int], CellChange] = {}
        self.shifts: list[Shift] = []
        self.moves: list[Moves] = []
        self.settled_from: dict[str, int] = {}
        """by sheet, the first of the rows whose running balances are given one by one"""
        self.ranges: list[RangeChange] = []
        self.rows: dict[int, PlannedRow] = {}
        self.last_rows: dict[str, int] = {}
        """the last row of each table after the write"""
        self.opened: dict[Mode, Decimal] = {}
        """by how much an opening balance typed now differs from the one before"""
        self.below: dict[str, Below] = {}
        """what stands below each table"""
        self.slots: dict[str, Sequence[Slot]] = {}
        """the rows of each table whose rows move, as they are after the write"""
        self.because: dict[str, str] = {}
        """why rows were appended out of the order of days, by sheet"""
        self.openings = self._type_openings(openings)
        self.new = tuple(
            month
            for number, month in enumerate(MONTHS, 1)
            if month not in self.book.months and any(draft.date.month == number for draft in drafts)
        )
        self.months = tuple(sorted({*self.book.months, *self.new}, key=MONTHS.index))

    def plan(self) -> Plan:
        by_sheet = self._by_sheet()
        added = {name: changes.added for name, changes in by_sheet.items() if name in self.new}
        growths = [
            growth
            for name, changes in by_sheet.items()
            if name not in self.new and (growth := self._change_table(self._open_table(name), changes))
        ]
        new_sheets, dropped = self._new_sheets(added), self._calculation_chain()
        self._carry()
        self._follow()
        self._close()
        cards = self._cards()
        self._totals()
        reached = reaching(self.ground.workbook, growths)
        self._grow(reached)
        return Plan(
            before_sha256=self.ground.workbook.sha256,
            changes=self.changes,
            rows=tuple(self.rows[item] for item in sorted(self.rows)),
            balances_before={mode: self.book.balances.get(mode, ZERO) for mode in MODES},
            balances_after={mode: self.book.balances.get(mode, ZERO) + self._moved(mode, 12) for mode in MODES},
            budget_left=self._budget_left(),
            overdrafts=self._overdrafts(),
            notes=(*self._order_notes(), *self.notes, *self._below_zero_notes(), *self._difference_notes()),
            openings=self.openings,
            cells=tuple(sorted(self.cells.values(), key=lambda c: (c.sheet, c.row, column_index(c.column)))),
            shifts=tuple(self.shifts),
            moves=tuple(self.moves),
            ranges=tuple(dict.fromkeys(self.ranges)),
            styles=self.formats.new,
            new_sheets=new_sheets,
            cards=cards,
            dropped=dropped,
        )

    def _by_sheet(self) -> dict[str, "_Changes"]:
        """What changes on each sheet, by the sheet's name."""
        found: dict[str, _Changes] = {}
        ordered = sorted(enumerate(self.changes, 1), key=lambda pair: (_day_of(pair[1]), pair[0]))
        for item, change in ordered:
            to = None if isinstance(change, Delete) else _sheet_of(change.draft)
            if isinstance(change, Add) or (isinstance(change, Edit) and change.was.sheet != to):
                found.setdefault(to or "", _Changes()).added.append((item, change.draft))
            if isinstance(change, Edit) and change.was.sheet == to:
                found.setdefault(to, _Changes()).edited[change.was.row] = (item, change)
            elif not isinstance(change, Add):
                found.setdefault(change.was.sheet, _Changes()).gone[change.was.row] = change.was
        return found

    # what moves

    def _moved(self, mode: Mode, month: int) -> Decimal:
        """By how much a mode's balance at the end of a month differs after the write."""
        moved = self.opened.get(mode, ZERO)
        return moved + sum((e.by for e in self.effects if e.mode == mode and e.day.month <= month), ZERO)

    def _change(self, sheet: str, column: str, row: int, **facets: Any) -> None:
        """Change a cell, or more of it."""
        key = (sheet, column, row)
        self.cells[key] = replace(self.cells.get(key) or CellChange(sheet, column, row), **facets)

    def _type_openings(self, openings: Mapping[Mode, Decimal | None]) -> tuple[OpeningChange, ...]:
        changes = []
        for mode, typed in openings.items():
            before = self.book.openings.get(mode)
            amount = ZERO if typed is None else typed
            if not amount.is_finite() or abs(amount) + abs(self.book.balances.get(mode, ZERO)) >= TOO_LARGE:
                raise BookRefused(f"The opening balance of {MODE_NAMES[mode]} has more digits than Excel keeps.")
            if amount != amount.quantize(Decimal("0.01")):
                raise BookRefused(f"The opening balance of {MODE_NAMES[mode]}, {amount}, is no whole number of paise.")
            sheet, column, row = split_cell(self.book.opening_cells[mode])
            cell = self.ground.writable(sheet).cells(row).get(column)
            if cell is not None and cell.formula is not None:
                raise BookRefused(
                    f"The opening balance of {MODE_NAMES[mode]}, {self.book.opening_cells[mode]}, is a formula. "
                    "Type a number there in Excel."
                )
            if before == typed:
                continue
            changes.append(OpeningChange(mode, sheet, column, row, before, typed))
            self.opened[mode] = amount - (before or ZERO)
            self._change(sheet, column, row, value=typed)
            if cell is None:
                self._change(sheet, column, row, formula=None, style=0)
        return tuple(changes)

    def _carry(self) -> None:
        """Move the running balances of rows that are there already: after a typed opening or an earlier month's row."""
        for sheet in (*self.book.months, CASH_TRACKER):
            layout = layout_of(sheet)
            earlier = MONTHS.index(sheet) if sheet in MONTHS else 0
            typed = sheet in (self.book.months[0], CASH_TRACKER)
            first = layout.opening + 1 if typed else layout.opening
            for column, mode in layout.running.items():
                by = self._moved(mode, earlier) if sheet in MONTHS else self.opened.get(mode, ZERO)
                if not by:
                    continue
                self.ground.writable(sheet)
                last = min(self.ground.table(sheet).last, self.settled_from.get(sheet, MOST_ROWS) - 1)
                if last >= first:
                    self.shifts.append(Shift(sheet, column, first, last, by))
        later = [month for month in self.book.months if self._begins_elsewhere(month)]
        if later:
            names = [month.capitalize() for month in later]
            self.notes.append(f"A row is of an earlier month: the balances of {_listed(names)} move with it.")

    def _follow(self) -> None:
        """Balances that are filled down ahead, below the last row, show the one the table now ends with."""
        for sheet in (*self.book.months, CASH_TRACKER):
            month = MONTHS.index(sheet) + 1 if sheet in MONTHS else 12
            for column, mode in layout_of(sheet).running.items():
                if not (by := self._moved(mode, month)):
                    continue
                table = self.ground.table(sheet)
                first = max(self.last_rows.get(sheet, 0), table.last) + 1
                last = self.ground.last_balance(sheet, column)
                if last >= first:
                    self.shifts.append(Shift(sheet, column, first, last, by))

    def _begins_elsewhere(self, month: str) -> bool:
        """Whether a month's opening balances move by rows of earlier months."""
        earlier = MONTHS.index(month)
        modes = MONTH.running.values()
        return any(self._moved(mode, earlier) != self.opened.get(mode, ZERO) for mode in modes)

    def _cards(self) -> tuple[CardChange, ...]:
        changes = []
        for card in self.book.cards:
            by = self._moved(card.mode, MONTHS.index(card.month) + 1 if card.month else 12)
            if not by or card.shows is None:
                continue
            sheet, column, row = split_cell(card.cell)
            self.ground.writable(sheet)
            self._change(sheet, column, row, value=card.shows + by)
            changes.append(CardChange(card, card.shows + by))
        return tuple(changes)

    def _totals(self) -> None:
        """The shown totals by category of the drafts' months."""
        moved = by_category(self.effects)
        for (number, category), by in moved.items():
            month = MONTHS[number - 1]
            row = self.ground.totals(month).get(category) if month in self.book.months else None
            if row is None or not by or self.ground.table(month).last_column != "J":
                continue
            sheet = self.ground.writable(month)
            shown = sheet.value(sheet.cells(row).get("L"))
            if isinstance(shown, Decimal):
                self._change(month, "L", row, value=shown + by)

    # rows

    def _open_table(self, name: str) -> Table:
        """A table that can take rows below its last one; refused, naming the cell, when it cannot."""
        open_sheet(self.ground, name)
        table = self.ground.table(name)
        self.below[name] = below(self.ground, table, lambda column, row: self._continued(table, column, row))
        return table

    def _continued(self, table: Table, column: str, row: int) -> str | None:
        """The formula with which a column that every row carries goes on in a row below."""
        if column in table.running:
            return self._running_formula(table, column, row)
        cell = table.sheet.cells(table.last).get(column)
        if cell is None or cell.formula is None:
            return None
        return shifted(self.ground.formula_of(table.sheet, cell), rows=row - table.last)

    def _change_table(self, table: Table, changes: "_Changes") -> Growth | None:
        """Give a table's rows their places and contents; what it grows by."""
        in_order = not changes.gone and not changes.edited and self._follows(table, changes.added)
        if in_order:
            return self._append(table, changes.added)
        slots = arranged(
            self._days(table),
            gone=changes.gone.keys(),
            edited={row: (item, change.draft.date) for row, (item, change) in changes.edited.items()},
            added=[(item, draft.date) for item, draft in changes.added],
        )
        moving = self._first_moved(table, slots)
        if moving is None:
            self._edit_in_place(table, changes)
            return self._append(table, changes.added) if changes.added else None
        stretch = Stretch(table, moving, table.last)
        obstacle = in_the_way(self.ground, stretch)
        if obstacle is None:
            return self._settle(table, changes, slots, moving)
        stuck = next(iter(changes.gone.values()), None) or self._leaving(slots, changes)
        if stuck is not None:
            raise BookRefused(
                f"{told(stuck)} ({stuck.cells}) cannot be taken from its place: {obstacle.why}. {obstacle.remedy}, "
                "and try again."
            )
        self._edit_in_place(table, changes)
        self.because[table.name] = obstacle.why
        return self._append(table, changes.added)

    def _follows(self, table: Table, added: Sequence[tuple[int, Draft]]) -> bool:
        """Whether new rows belong below the last one."""
        last = self.ground.last_entries.get(table.name)
        return last is None or all(last.date <= draft.date for _, draft in added)

    def _days(self, table: Table) -> list[tuple[int, date | None]]:
        entries = self.ground.entries_by_row(table.name)
        rows = range(table.layout.opening + 1, table.last + 1)
        return [(row, entries[row].date if row in entries else None) for row in rows]

    @staticmethod
    def _first_moved(table: Table, slots: Sequence[Slot]) -> int | None:
        """The first row that holds something else after the write; None when rows are only edited and appended."""
        first = table.layout.opening + 1
        moved = (row for row, slot in enumerate(slots, first) if slot.origin != row and row <= table.last)
        short = first + len(slots)
        return next(moved, short if short <= table.last else None)

    def _leaving(self, slots: Sequence[Slot], changes: "_Changes") -> Entry | None:
        """An entry that is edited and would stand elsewhere."""
        order = [slot.origin for slot in slots if slot.origin is not None]
        for row, (_, change) in changes.edited.items():
            at = order.index(row)
            if (at and order[at - 1] > row) or (at + 1 < len(order) and order[at + 1] < row):
                return change.was
        return None

    def _edit_in_place(self, table: Table, changes: "_Changes") -> None:
        """Entries that keep their rows: what differs of them, and by how much the balances below move."""
        for row, (item, change) in changes.edited.items():
            self._rewrite(table, row, row, item, change)
            for column, mode in table.running.items():
                by = effect_on(mode, change.draft) - effect_on(mode, change.was)
                if by:
                    self.shifts.append(Shift(table.name, column, row, table.last, by))

    def _rewrite(self, table: Table, row: int, origin: int, item: int, change: Edit) -> None:
        """An edited entry in its row, its cells coming from another one where it moves."""
        was, draft = change.was, change.draft
        self.rows[item] = PlannedRow(item, draft, table.name, row, table.last_column)
        before, cells = draft_of(was), table.sheet.cells(origin)
        fills = self._fill(before), self._fill(draft)
        kept = (draft.category, draft.direction) == (before.category, before.direction)
        looks = Looks(self.ground, self.formats, table, table)
        for column in table.typed_columns:
            value = _typed(draft, column)
            facets: dict[str, Any] = {}
            if value != _typed(before, column):
                self._refuse_shared_cell(table, cells.get(column))
                facets |= {"value": value, "formula": None}
            if column in COLOURED and not kept and (fills[0] != fills[1] or self._marked(cells.get(column))):
                facets["style"] = looks.style(column, fills[1])
            if column not in cells and facets:
                facets = {"value": value, "formula": None, "style": looks.style(column, fills[1])}
            if facets:
                self._change(table.name, column, row, **facets)

    @staticmethod
    def _refuse_shared_cell(table: Table, cell: Cell | None) -> None:
        if cell is not None and cell.formula_attributes.get("t") in ("array", "dataTable", "shared"):
            raise BookRefused(
                f"{table.cell(cell.column, cell.row)} has its formula in common with other cells. Type the value there "
                "in Excel."
            )

    def _marked(self, cell: Cell | None) -> bool:
        """Whether a cell has a group's colour."""
        return cell is not None and self.ground.workbook.fill_of(cell.style) in MARKED

    def _settle(self, table: Table, changes: "_Changes", slots: Sequence[Slot], moving: int) -> Growth | None:
        """Move what the rows hold, from the first that holds something else to the table's end."""
        name, top = table.name, table.layout.opening + 1
        first = min([moving, *changes.edited])
        last = top + len(slots) - 1
        stop = last
        if last == table.last:  # the rows below the last one that is changed stay; their balances move alike
            stop = max(row for row, slot in enumerate(slots, top) if slot.origin != row or slot.item is not None)
        new = dict(changes.added)
        edits = dict(changes.edited.values())
        entries = self.ground.entries_by_row(name)
        looks = Looks(self.ground, self.formats, table, table)
        balances = self._balances_above(table, first)
        shown = self._shown(table, first, max(last, table.last))
        if last > table.last:
            self.below[name].refuse(last)
            self._refuse_merges(table, table.last + 1, last)
        for row, slot in enumerate(slots[first - top : stop - top + 1], first):
            if slot.item in new:
                now: Draft | Entry | None = new[slot.item]
                self._put_new(table, row, slot.item, new[slot.item], looks)
            elif slot.item is not None and slot.origin is not None:
                change = edits[slot.item]
                now = change.draft
                self._rewrite(table, row, slot.origin, slot.item, change)
            else:
                now = entries.get(slot.origin or 0)
            for column, mode in table.running.items():
                balances[column] += self._step(table, column, slot, effect_on(mode, now) if now is not None else ZERO)
                self._show_balance(table, (column, row), slot, balances[column], shown[column])
        for row in range(last + 1, table.last + 1):
            for column, cell in table.sheet.cells(row).items():
                if column not in table.columns:
                    continue
                style = cell.style if column == "B" else looks.style(column, "")
                ahead = self.below[name].formula(column, table.last + 1)
                if ahead is not None and cell.formula is not None:
                    stays = table.sheet.value(ahead)
                    shows = balances[column] if isinstance(stays, Decimal) else "" if stays is not None else None
                    self._change(name, column, row, value=shows, style=style)
                else:
                    self._change(name, column, row, value=None, formula=None, style=style)
        for column, mode in table.running.items():
            by = self._moved(mode, MONTHS.index(name) + 1 if name in MONTHS else 12)
            if by and stop < last:
                self.shifts.append(Shift(name, column, stop + 1, last, by))
        origins = [slot.origin if slot.item not in new else None for slot in slots[first - top : stop - top + 1]]
        origins += [None] * (table.last - last)
        self.moves.append(Moves(name, table.typed_columns, first, tuple(origins)))
        self.settled_from[name] = first
        self.last_rows[name] = last
        self.slots[name] = slots
        if last <= table.last:
            return None
        columns = (column_index(table.columns[0]), column_index(table.columns[-1]))
        return Growth(name, top, table.last, last, *columns)

    def _step(self, table: Table, column: str, slot: Slot, by: Decimal) -> Decimal:
        """By how much a row's running balance differs from the one above: in a book that differs, as it always did."""
        if slot.item is not None or slot.origin is None or not self.book.differences:
            return by
        cells = (table.sheet.cells(row).get(column) for row in (slot.origin - 1, slot.origin))
        above, own = (table.sheet.value(cell) for cell in cells)
        return own - above if isinstance(above, Decimal) and isinstance(own, Decimal) else by

    def _put_new(self, table: Table, row: int, item: int, draft: Draft, looks: "Looks") -> None:
        """A new row's cells but for its running balances."""
        self.rows[item] = PlannedRow(item, draft, table.name, row, table.last_column)
        for column in table.typed_columns:
            style = looks.style(column, self._fill(draft) if column in COLOURED else "")
            self._change(table.name, column, row, value=_typed(draft, column), formula=None, style=style)

    def _balances_above(self, table: Table, first: int) -> dict[str, Decimal]:
        """The running balances of the row above a stretch, as they are after the write."""
        found = {}
        for column, mode in table.running.items():
            month = MONTHS.index(table.name) if table.name in MONTHS else 0
            carried = self._moved(mode, month) if table.name in MONTHS else self.opened.get(mode, ZERO)
            found[column] = self._balance_at(table, column, first - 1) + carried
        return found

    def _balance_at(self, table: Table, column: str, row: int) -> Decimal:
        """The running balance a row shows; where none was calculated, the one the rows give."""
        balance = table.sheet.value(table.sheet.cells(row).get(column))
        if isinstance(balance, Decimal):
            return balance
        mode = table.running[column]
        sheets = MONTHS[: MONTHS.index(table.name)] if table.name in MONTHS else ()
        entries = self.ground.entries_by_row(table.name).items()
        return (
            (self.book.openings.get(mode) or ZERO)
            + sum((self.ground.moved.get((mode, sheet), ZERO) for sheet in sheets), ZERO)
            + sum((effect_on(mode, entry) for at, entry in entries if at <= row), ZERO)
        )

    @staticmethod
    def _shown(table: Table, first: int, last: int) -> dict[str, "_Shown"]:
        """By column, the rows from `first` to `last` that show a running balance."""
        found: dict[str, _Shown] = {column: {} for column in table.running}
        letters = "BCDEFGHIJ"
        places = {column: 4 * letters.index(column) for column in table.running}
        for row, fields in table.sheet.columns(letters):
            if first <= row <= last:
                for column in table.running:
                    _, _, formula, raw = fields[places[column] : places[column] + 4]
                    if formula or raw:
                        found[column][row] = bool(formula)
        return found

    def _show_balance(self, table: Table, place: tuple[str, int], slot: Slot, balance: Decimal, has: "_Shown") -> None:
        """A row's running balance: its formula stays with another value; a plain number, or none, goes with the row."""
        column, row = place
        if has.get(row):
            ahead = {"style": table.sheet.cells(row)[column].style} if row > table.last else {}
            self._change(table.name, column, row, value=balance, **ahead)
            return
        new = slot.origin is None
        shows = bool(has) if new else slot.origin in has
        by_formula = any(has.values()) if new else has.get(slot.origin or 0, False)
        facets: dict[str, Any] = {"value": balance if shows else None, "formula": None}
        if by_formula:
            source = next(each for each, formula in has.items() if formula) if new else slot.origin or 0
            text = self.ground.formula_of(table.sheet, table.sheet.cells(source)[column])
            facets["formula"] = shifted(text, rows=row - source)
        if row > table.last or column not in table.sheet.cells(row):
            facets["style"] = Looks(self.ground, self.formats, table, table).style(column, "")
        elif not shows and row not in has:
            return
        self._change(table.name, column, row, **facets)

    def _append(self, table: Table, items: Sequence[tuple[int, Draft]]) -> Growth:
        name, first = table.name, table.last + 1
        last = table.last + len(items)
        self.below[name].refuse(last)
        self._refuse_merges(table, first, last)
        looks = Looks(self.ground, self.formats, table, self._donor(table))
        above = table.sheet.cells(table.last)
        balances: dict[str, Decimal | None] = {}
        for column, mode in table.layout.running.items():
            cell = above.get(column)
            earlier = self._moved(mode, MONTHS.index(name)) if name in MONTHS else self.opened.get(mode, ZERO)
            earlier += sum(each.by for each in self.shifts if (each.sheet, each.column) == (name, column))
            if cell is not None and (cell.formula is not None or isinstance(table.sheet.value(cell), Decimal)):
                balances[column] = self._balance_at(table, column, table.last) + earlier
            else:
                balances[column] = self.opened.get(mode, ZERO) if table.empty else None
        missing = [table.cell(column, table.last) for column, balance in balances.items() if balance is None]
        if missing:
            self.notes.append(
                f"{' and '.join(missing)} show{'s' if len(missing) == 1 else ''} no running balance, so the rows added "
                "below have none either. Copy the formulas of an earlier row down in Excel to have them again."
            )
        for row, (item, draft) in enumerate(items, first):
            self.rows[item] = PlannedRow(item, draft, name, row, table.last_column)
            for column, mode in table.layout.running.items():
                balance = balances[column]
                if balance is not None and draft.mode == mode:
                    balances[column] = balance + effect(draft)
            for column in (*table.columns, *table.calculated):
                value, formula = self._content(table, column, row, draft, balances)
                ahead = self.below[name].formula(column, row)
                if ahead is not None:
                    if value is not None or column not in table.running:
                        self._change(name, column, row, value=value, style=ahead.style)
                    continue
                style = looks.style(column, self._fill(draft) if column in COLOURED else "")
                self._change(name, column, row, value=value, formula=formula, style=style)
        self.last_rows[name] = last
        columns = (*table.columns, *table.calculated)
        return Growth(
            name, table.layout.opening + 1, table.last, last, column_index(columns[0]), column_index(columns[-1])
        )

    def _content(
        self, table: Table, column: str, row: int, draft: Draft, balances: Mapping[str, Decimal | None]
    ) -> tuple[Value, str | None]:
        """What a new row's cell holds: a typed value, or the formula of the row above with its value."""
        if column in _INPUT:
            return _typed(draft, column), None
        if column in table.layout.running:
            balance = balances[column]
            if balance is None:
                return None, None
            return balance, self._running_formula(table, column, row)
        return None, self._continued(table, column, row)

    def _running_formula(self, table: Table, column: str, row: int) -> str | None:
        """The running balance's formula as the book writes it; None in a book of plain numbers."""
        mode = table.layout.running[column]
        own = f'{column}{row - 1}+IF($E{row}="{mode}",$G{row}-$F{row},0)'
        if not table.empty:
            cell = table.sheet.cells(table.last).get(column)
            if cell is None or cell.formula is None:
                return None
            return shifted(self.ground.formula_of(table.sheet, cell), rows=row - table.last)
        donor = self._donor(table)
        if donor is not None:
            cell = donor.sheet.cells(donor.last).get(column)
            return own if cell is not None and cell.formula is not None else None
        for card in self.book.cards:
            sheet, card_column, card_row = split_cell(card.cell)
            if card.mode == mode and sheet == table.name:
                stands = table.sheet.cells(card_row).get(card_column)
                return own if stands is not None and stands.formula is not None else None
        return own

    def _donor(self, table: Table) -> Table | None:
        """For a table without rows: another month's that has some, the latest first."""
        if not table.empty:
            return table
        if table.layout is not MONTH:
            return None
        others = (self.ground.table(month) for month in reversed(self.book.months) if month != table.name)
        return next((other for other in others if not other.empty), None)

    def _fill(self, draft: Draft) -> str:
        line = self.book.category(draft.category)
        return GROUP_FILLS.get(line.group, "") if line and draft.direction == "DEBIT" else ""

    def _refuse_merges(self, table: Table, first: int, last: int) -> None:
        for match in _MERGE.finditer(table.sheet.xml, table.sheet.data.end):
            left, top, right, bottom = (
                column_index(match[1].decode()),
                int(match[2]),
                column_index(match[3].decode()),
                int(match[4]),
            )
            columns = column_index(table.columns[0]), column_index(table.columns[-1])
            if top <= last and bottom >= first and left <= columns[1] and right >= columns[0]:
                place = f"{quoted(table.name)}!{(match[1] + match[2] + b':' + match[3] + match[4]).decode()}"
                raise BookRefused(
                    f"The merged cells {place} are in the way of row {first}. Unmerge them in Excel first."
                )

    # a month that is not there yet

    def _new_sheets(self, by_sheet: Mapping[str, Sequence[tuple[int, Draft]]]) -> tuple[NewSheet, ...]:
        if not self.new:
            return ()
        workbook = self.ground.workbook
        if re.search(
            rb"<(?:\w+:)?workbookProtection\s[^>]*\blockStructure=\"(?:1|true)\"", workbook.part(workbook.workbook_part)
        ):
            raise BookRefused(
                f"The structure of {workbook.name} is protected, so the sheet {self.new[0]} cannot be added. "
                "Take the protection off in Excel (Review, Protect Workbook)."
            )
        order = [ref.name for ref in workbook.sheets]
        folded = {name.casefold() for name in order}
        taken = set(workbook.part_names)
        made = []
        for month in self.new:
            if month.casefold() in folded:
                raise BookRefused(
                    f"There is a sheet called {month} already, but it is no month's sheet. Rename it in Excel."
                )
            later = [name for name in order if name in MONTHS and MONTHS.index(name) > MONTHS.index(month)]
            at = order.index(min(later, key=MONTHS.index) if later else CASH_TRACKER)
            order.insert(at, month)
            made.append(self._new_sheet(month, by_sheet.get(month, ()), taken))
        return tuple(sheet.planned(order.index(sheet.name)) for sheet in made)

    def _new_sheet(self, month: str, items: Sequence[tuple[int, Draft]], taken: set[str]) -> MonthSheet:
        like = self.ground.month_before(month, self.book.months) or self.book.months[0]
        previous = self.ground.month_before(month, self.months)
        if previous is None and self.openings:
            raise BookRefused(
                f"{month.capitalize()} would be the first month of {self.book.name}, with its opening balances. Save "
                "these first, and then the row."
            )
        number = MONTHS.index(month) + 1
        parts = copied_parts(self.ground.workbook, like, taken)
        sheet = MonthSheet(self.ground, month, like, previous, parts)
        modes = tuple(MONTH.running.values())
        later = MONTHS.index(like) >= number
        off = {mode: ZERO if later else self._off(column, mode, like) for column, mode in MONTH.running.items()}
        openings: dict[Mode, Decimal | None] = {
            mode: self.book.openings.get(mode) if previous is None else self._closing(mode, number - 1) + off[mode]
            for mode in modes
        }
        closings = {mode: self._closing(mode, number) + off[mode] for mode in modes}
        spent = {category: total for (of, category), total in self.ground.spent.items() if of == number}
        for (of, category), by in by_category(self.effects).items():
            if of == number and self.ground.table(like).last_column == "J":
                spent[category] = spent.get(category, ZERO) + by
        sheet.copy(openings, closings, spent)
        table = self.ground.table(like)
        donor = self._donor(table)
        looks = Looks(self.ground, self.formats, table, donor)
        balances = {column: openings[mode] or ZERO for column, mode in MONTH.running.items()}
        first = MONTH.opening + 1
        last = MONTH.opening + len(items)
        closes = month != self.months[-1]
        for row, (item, draft) in enumerate(items, first):
            self.rows[item] = PlannedRow(item, draft, month, row, table.last_column)
            for column, mode in MONTH.running.items():
                balances[column] += effect_on(mode, draft)
            for column in columns_between(MONTH.first, table.last_column):
                fill = self._fill(draft) if column in COLOURED else ""
                value, formula = _typed(draft, column), None
                if column in MONTH.running:
                    fill = CLOSING_FILL if closes and row == last else ""
                    value, formula = balances[column], self._first_formula(table, column, row)
                sheet.put(column, row, value, formula, looks.style(column, fill))
        self.last_rows[month] = last
        self.ranges += sheet.ranges(max(last, first))
        self._lead_on(month, like)
        carried = f"balances of {previous.capitalize()} carried over" if previous else "opening balances of the book"
        self.notes.append(f"The sheet {month} is opened, with the {carried}.")
        self.notes += left_behind(self.ground.workbook, like, month)
        return sheet

    def _first_formula(self, like: Table, column: str, row: int) -> str | None:
        """The running formula of a new sheet's row, continuing the way the month it copies has them."""
        if like.empty:
            return self._running_formula(replace(like, last=MONTH.opening), column, row)
        cell = like.sheet.cells(like.last).get(column)
        if cell is None or cell.formula is None:
            return None
        formula = shifted(self.ground.formula_of(like.sheet, cell), rows=row - like.last)
        return None if "#REF!" in formula else formula

    def _closing(self, mode: Mode, month: int) -> Decimal:
        """A mode's balance at the end of a month (1 to 12), the drafts counted, as the sheets carry it."""
        balance = self.book.openings.get(mode) or ZERO
        balance += sum((self.ground.moved.get((mode, sheet), ZERO) for sheet in MONTHS[:month]), ZERO)
        return balance + self._moved(mode, month)

    def _off(self, column: str, mode: Mode, month: str) -> Decimal:
        """By how much the balance a month's sheet ends with is more than its rows give: nothing where they agree."""
        if not self.book.differences:
            return ZERO
        sheet = self.ground.workbook.sheet(month)
        shown = sheet.value(sheet.cells(self.ground.last_balance(month, column)).get(column))
        sheets = MONTHS[: MONTHS.index(month) + 1]
        given = (self.book.openings.get(mode) or ZERO) + sum(
            (self.ground.moved.get((mode, each), ZERO) for each in sheets), ZERO
        )
        return shown - given if isinstance(shown, Decimal) else ZERO

    def _lead_on(self, month: str, like: str) -> None:
        """The month after a new one opens with the new one's balances, no longer with those before it."""
        following = self.months[self.months.index(month) + 1 :]
        after = next((each for each in following if each in self.book.months), None)
        if after is None or following[0] != after:
            return
        origin = self.ground.month_before(after, self.book.months)
        sheet = self.ground.writable(after)
        if origin is None:
            self._open_after(sheet, month, like)
        for column, cell in sheet.cells(MONTH.opening).items():
            if column in MONTH.running and cell.formula is not None and origin:
                formula = self.ground.formula_of(sheet, cell)
                led = renamed(formula, {origin: month})
                if led != formula:
                    self._change(after, column, MONTH.opening, formula=led)
        self.notes.append(f"{after.capitalize()} now opens with the balances of {month.capitalize()}.")

    def _open_after(self, sheet: Sheet, month: str, like: str) -> None:
        """What was the first month opens with a new one's balances, no longer with typed ones."""
        for column, mode in MONTH.running.items():
            cards = (split_cell(card.cell) for card in self.book.cards if (card.mode, card.month) == (mode, like))
            places = ((place, sheet.cells(row).get(place), row) for _, place, row in cards)
            formula = next(
                (f"{quoted(month)}!{place}{row}" for place, card, row in places if card and card.formula is not None),
                None,
            )
            there = sheet.cells(MONTH.opening).get(column)
            shows = (self.book.openings.get(mode) or ZERO) + self._moved(mode, MONTHS.index(sheet.name))
            style = {} if there is not None else {"style": 0}
            self._change(sheet.name, column, MONTH.opening, value=shows, formula=formula, **style)

    def _calculation_chain(self) -> tuple[str, ...]:
        part = self.ground.workbook.workbook_part
        return tuple(
            relation.target
            for relation in self.ground.workbook.relations(part)
            if relation.type.endswith("/calcChain") and relation.target in self.ground.workbook.part_names
        )

    # colours of closing balances

    def _close(self) -> None:
        """The closing colour on the last row of every month a later one follows, and only there."""
        for month in self.book.months:
            if month == self.months[-1]:
                continue
            table, last = self.ground.table(month), self.last_rows.get(month)
            if last is not None:
                if last > table.layout.opening:
                    self._colour_closing(table, last)
                if not table.empty and last != table.last:
                    self._uncolour(table)
            elif month == self.book.months[-1] and not table.empty:
                self._colour_closing(table, table.last)
        self._close_cash()

    def _close_cash(self) -> None:
        """In CASH TRACKER the last row before rows of a later month."""
        if CASH_TRACKER in self.slots or any(each.was.sheet == CASH_TRACKER for each in self._edited()):
            self._close_moved()
            return
        rows = sorted((row for row in self.rows.values() if row.sheet == CASH_TRACKER), key=lambda row: row.row)
        entry = self.ground.last_entries.get(CASH_TRACKER)
        if not rows:
            return
        table = self.ground.table(CASH_TRACKER)
        months = [(row.row, row.draft.date.month) for row in rows]
        if entry is not None and entry.row == table.last:
            months.insert(0, (entry.row, entry.date.month))
        for (row, month), (_, following) in pairwise(months):
            if following > month:
                self._colour_closing(table, row)

    def _edited(self) -> list[Edit]:
        return [change for change in self.changes if isinstance(change, Edit)]

    def _close_moved(self) -> None:
        """The same where rows of CASH TRACKER are edited or moved: colours that are due no more go."""
        table = self.ground.table(CASH_TRACKER)
        top = table.layout.opening + 1
        first = self.settled_from.get(CASH_TRACKER, top) - 1
        days = {row: day for row, day in self._days(table) if day is not None}
        before = _closing_rows([*days.items()])
        if CASH_TRACKER in self.slots:
            slots = enumerate(self.slots[CASH_TRACKER], top)
            days = {row: slot.day for row, slot in slots if slot.day is not None}
        else:
            days |= {row.row: row.draft.date for row in self.rows.values() if row.sheet == CASH_TRACKER}
        after = _closing_rows(sorted(days.items()))
        for row in sorted(row for row in before - after if first <= row <= max(days, default=0)):
            self._uncolour(replace(table, last=row))
        for row in sorted(row for row in after - before if row >= first):
            self._colour_closing(table, row)

    def _colour_closing(self, table: Table, row: int) -> None:
        for column in table.layout.running:
            change = self.cells.get((table.name, column, row))
            cell = table.sheet.cells(row).get(column)
            if change is not None and isinstance(change.style, int):
                style = change.style
            elif cell is not None and row <= table.last:
                style = cell.style
            else:
                continue
            closing = Looks(self.ground, self.formats, table, self._donor(table)).painted(style, CLOSING_FILL)
            if cell is None or row > table.last or closing != style:
                self._change(table.name, column, row, style=closing)

    def _uncolour(self, table: Table) -> None:
        """The row that was the month's last one loses its closing colour."""
        for column in table.layout.running:
            cell = table.sheet.cells(table.last).get(column)
            if cell is not None and self.ground.workbook.fill_of(cell.style) == CLOSING_FILL:
                looks = Looks(self.ground, self.formats, table, table)
                self._change(table.name, column, table.last, style=looks.style(column, ""))

    # ranges, sentences, figures

    def _grow(self, reached: Reached) -> None:
        self.ranges += reached.ranges
        for (sheet, column, row), formula in reached.formulas.items():
            change = self.cells.get((sheet, column, row))
            if change is not None and isinstance(change.formula, str):
                continue  # led to another month meanwhile; it is not a sum over rows
            self.ground.writable(sheet)
            self._change(sheet, column, row, formula=formula)
        self.notes += reached.notes

    def _order_notes(self) -> Iterable[str]:
        for sheet in dict.fromkeys(row.sheet for row in self.rows.values() if row.sheet not in self.slots):
            last = self.ground.last_entries.get(sheet)
            if last is None:
                continue
            for row in sorted((row for row in self.rows.values() if row.sheet == sheet), key=lambda row: row.item):
                if row.draft.date < last.date and row.row > last.row:
                    because = f", because {self.because[sheet]}" if sheet in self.because else ""
                    yield (
                        f"{row.draft.stored_description} of {day_of(row.draft.date)} is added at the end of {sheet}, "
                        f"in row {row.row}, below a row of {day_of(last.date)}: out of the order of days{because}."
                    )

    def _below_zero_notes(self) -> Iterable[str]:
        """An earlier balance that an earlier row takes below zero is said, not refused."""
        for mode in MODES:
            own = [each for each in self.effects if each.mode == mode]
            first = min((each.day.toordinal() for each in own), default=None)
            if first is None or not any(each.by < 0 for each in own):
                continue
            days = dict(self.ground.daily.get(mode, {}))
            if max(days, default=0) <= first:
                continue
            before = after = (self.book.openings.get(mode) or ZERO) + self.opened.get(mode, ZERO)
            new: dict[int, Decimal] = {}
            for each in own:
                new[each.day.toordinal()] = new.get(each.day.toordinal(), ZERO) + each.by
            for day in sorted({*days, *new}):
                before += days.get(day, ZERO)
                after += days.get(day, ZERO) + new.get(day, ZERO)
                if day >= first and after < 0 <= before and day < max(days):
                    said = day_of(date.fromordinal(day))
                    yield f"With it the {MODE_NAMES[mode]} balance on {said} was {rupees(after)}, below zero."
                    break

    def _difference_notes(self) -> Iterable[str]:
        """That a person let the book be written although it differs from its rows."""
        if self.book.differences:
            yield f"Written although the book differs from its rows, as you said: {self.book.differences[0].sentence}"

    def _overdrafts(self) -> tuple[Overdraft, ...]:
        found = []
        for mode in MODES:
            needs = -sum((each.by for each in self.effects if each.mode == mode), ZERO)
            has = self.book.balances.get(mode, ZERO) + self.opened.get(mode, ZERO)
            if needs > 0 and needs > has:
                found.append(Overdraft(mode, has, needs))
        return tuple(found)

    def _budget_left(self) -> tuple[tuple[str, Decimal, Decimal], ...]:
        found = []
        new = [change.draft for change in self.changes if isinstance(change, Add)]
        said = {(draft.date.month, (draft.category or "").casefold()) for draft in new}
        for (number, category), by in by_category(self.effects).items():
            line = self.book.category(category)
            if line is None or line.monthly is None or line.group == "TRANSFER":
                continue
            if not by and (number, category) not in said:
                continue
            left = line.monthly - self.ground.spent.get((number, category), ZERO)
            found.append((line.name, left, left - by))
        return tuple(found)


@dataclass
class _Changes:
    """What changes on one sheet; the numbers are those of the changes."""

    added: list[tuple[int, Draft]] = field(default_factory=list)
    """in order of their days"""
    edited: dict[int, tuple[int, Edit]] = field(default_factory=dict)
    """by row, entries that stay on the sheet"""
    gone: dict[int, Entry] = field(default_factory=dict)
    """by row, entries that leave it"""


_Shown = dict[int, bool]
"""the rows of a column that show a running balance, and whether by a formula"""


def _sheet_of(draft: Draft) -> str:
    """The sheet a row stands on."""
    return CASH_TRACKER if draft.mode in CASH_MODES else MONTHS[draft.date.month - 1]


def _day_of(change: EntryChange) -> date:
    return change.was.date if isinstance(change, Delete) else change.draft.date


def _closing_rows(days: Sequence[tuple[int, date]]) -> set[int]:
    """The rows that a row of a later month follows."""
    return {row for (row, day), (_, following) in pairwise(days) if following.month > day.month}


def _typed(draft: Draft, column: str) -> Value:
    debit = draft.direction == "DEBIT"
    values: Mapping[str, Value] = {
        "B": MONTHS[draft.date.month - 1],
        "C": draft.date,
        "D": draft.stored_description,
        "E": draft.mode,
        "F": draft.amount if debit else None,
        "G": None if debit else draft.amount,
        "J": draft.category,
    }
    return values.get(column)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
