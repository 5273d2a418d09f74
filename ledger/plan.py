"""What a write will change, decided before anything is written.

    drafts ──refusals──► rows in their tables ──► new months ──► balances of later rows and cards ──► totals
                                                                         └──► fills ──► ranges ──► Plan

The card shows this plan, the patch carries out this plan, the verifier holds the new bytes to it. Rows are appended
below the last one of their table, in order of their days within the batch; nothing is ever shifted down.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from ledger.changes import (
    CardChange,
    CellChange,
    NewSheet,
    OpeningChange,
    Plan,
    PlannedRow,
    RangeChange,
    Shift,
    Value,
)
from ledger.edits import Add, Delete, EntryChange, drafts_of, standing
from ledger.entries import (
    CASH_TRACKER,
    MODE_NAMES,
    MODES,
    MONTHS,
    Book,
    BookRefused,
    Draft,
    Mode,
    Overdraft,
    quoted,
)
from ledger.formulas import column_index, renamed, shifted
from ledger.ground import MONTH, Ground, Table, columns_between, layout_of, split_cell
from ledger.layout import CASH_MODES, CLOSING_FILL, DATE_FORMAT, GROUP_FILLS, OPENING_FILL, WHITE_TEXT_ON
from ledger.months import MonthSheet, copied_parts
from ledger.reach import Growth, Reached, reaching
from ledger.sheetxml import Cell
from ledger.styles import WHITE, Formats
from ledger.workbook import Workbook
from money import rupees

LONGEST_DESCRIPTION = 500
MOST_DIGITS = 15
"""significant digits Excel keeps of a number"""
ZERO = Decimal(0)

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_MERGE = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*ref=\"([A-Z]+)(\d+):([A-Z]+)(\d+)\"")
_INPUT = ("B", "C", "D", "E", "F", "G", "J")
_COLOURED = ("C", "D", "E", "F", "G", "J")
"""the columns a group's colour stands in"""
_MARKED = frozenset({*GROUP_FILLS.values(), OPENING_FILL, CLOSING_FILL})
"""fills that say something about a row; any other fill is just how the book looks"""


def plan_changes(
    workbook: Workbook, book: Book, changes: Sequence[EntryChange], openings: Mapping[Mode, Decimal] | None = None
) -> Plan:
    """Plan rows to be added, edited and deleted in one write, and opening balances where they are typed.

    Raises NotStanding for an entry that is not in the book as it was read, and BookRefused, naming the reason and the
    cell, for what cannot be written safely; a batch that overdraws is planned all the same and carries its
    `overdrafts`.
    """
    openings = dict(openings or {})
    if not changes and not openings:
        raise BookRefused("There is nothing to write.")
    _refuse_waiting(book)
    settled = tuple(
        change if isinstance(change, Delete) else replace(change, draft=_settled(change.draft, number, book))
        for number, change in enumerate(standing(book, changes), 1)
    )
    return _Planner(Ground.of(workbook, book), settled, openings).plan()


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
    stopping = [issue for issue in book.issues if issue.stops_totals]
    if stopping:
        issue = stopping[0]
        more = f" The same goes for {', '.join(each.cell for each in stopping[1:4])}." if stopping[1:] else ""
        raise BookRefused(f"Writing waits: {issue.cell} reads {issue.reads or 'nothing'}. {issue.reason}{more}")
    if book.disagreements:
        others = len(book.disagreements) - 1
        more = f" {others} more {'differs' if others == 1 else 'differ'} as well." if others else ""
        raise BookRefused(
            f"Writing waits until {book.name} agrees with its rows: {book.disagreements[0]}{more} "
            "Mend it in Excel and save."
        )


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
    if len(draft.amount.normalize().as_tuple().digits) > MOST_DIGITS:
        raise BookRefused(f"{where} has an amount with more digits than Excel keeps.")
    if draft.amount != draft.amount.quantize(Decimal("0.01")):
        raise BookRefused(f"{where} has the amount {draft.amount}, which is no whole number of paise.")
    if draft.date.year != book.year:
        raise BookRefused(
            f"{book.name} is the book of {book.year}, and {where.lower()} is dated {_day(draft.date)} "
            f"{draft.date.year}. A new year has a new book: python -m ledger new --year {draft.date.year}."
        )
    first = book.months[0] if book.months else MONTHS[0]
    if draft.date.month < MONTHS.index(first) + 1:
        raise BookRefused(
            f"{where} is dated {_day(draft.date)}, before the first month of {book.name}, {first.capitalize()}."
        )
    if draft.category is None:
        return draft
    line = book.category(draft.category)
    if line is None:
        raise BookRefused(f"{where} has the category {draft.category}, which BUDGET does not have.")
    return replace(draft, category=line.name)


class _Planner:
    """One plan being made."""

    def __init__(self, ground: Ground, changes: tuple[EntryChange, ...], openings: Mapping[Mode, Decimal]) -> None:
        self.ground = ground
        self.book = ground.book
        self.changes = changes
        self.drafts = drafts = drafts_of(changes)
        if len(drafts) < len(changes) or not all(isinstance(change, Add) for change in changes):
            raise BookRefused("Entries cannot be edited or deleted here yet.")
        self.formats = Formats(ground.styles)
        self.notes: list[str] = []
        self.cells: dict[tuple[str, str, int], CellChange] = {}
        self.shifts: list[Shift] = []
        self.ranges: list[RangeChange] = []
        self.rows: dict[int, PlannedRow] = {}
        self.last_rows: dict[str, int] = {}
        """the last row of each table after the write"""
        self.opened: dict[Mode, Decimal] = {}
        """by how much an opening balance typed now differs from the one before"""
        self.openings = self._type_openings(openings)
        self.new = tuple(
            month
            for number, month in enumerate(MONTHS, 1)
            if month not in self.book.months and any(draft.date.month == number for draft in drafts)
        )
        self.months = tuple(sorted({*self.book.months, *self.new}, key=MONTHS.index))

    def plan(self) -> Plan:
        by_sheet: dict[str, list[tuple[int, Draft]]] = {}
        for item, draft in sorted(enumerate(self.drafts, 1), key=lambda pair: (pair[1].date, pair[0])):
            sheet = CASH_TRACKER if draft.mode in CASH_MODES else MONTHS[draft.date.month - 1]
            by_sheet.setdefault(sheet, []).append((item, draft))
        growths = []
        for sheet, items in by_sheet.items():
            if sheet not in self.new:
                growths.append(self._append(self._open_table(sheet), items))
        new_sheets, dropped = self._new_sheets(by_sheet), self._calculation_chain()
        self._carry()
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
            notes=(*self._order_notes(), *self.notes, *self._below_zero_notes()),
            openings=self.openings,
            cells=tuple(sorted(self.cells.values(), key=lambda c: (c.sheet, c.row, column_index(c.column)))),
            shifts=tuple(self.shifts),
            ranges=tuple(dict.fromkeys(self.ranges)),
            styles=self.formats.new,
            new_sheets=new_sheets,
            cards=cards,
            dropped=dropped,
        )

    # what moves

    def _moved(self, mode: Mode, month: int) -> Decimal:
        """By how much a mode's balance at the end of a month differs after the write."""
        moved = self.opened.get(mode, ZERO)
        return moved + sum((_effect(d) for d in self.drafts if d.mode == mode and d.date.month <= month), ZERO)

    def _change(self, sheet: str, column: str, row: int, **facets: Any) -> None:
        """Change a cell, or more of it."""
        key = (sheet, column, row)
        self.cells[key] = replace(self.cells.get(key) or CellChange(sheet, column, row), **facets)

    def _type_openings(self, openings: Mapping[Mode, Decimal]) -> tuple[OpeningChange, ...]:
        changes = []
        for mode, amount in openings.items():
            before = self.book.openings.get(mode)
            sheet, column, row = split_cell(self.book.opening_cells[mode])
            cell = self.ground.writable(sheet).cells(row).get(column)
            if cell is not None and cell.formula is not None:
                raise BookRefused(
                    f"The opening balance of {MODE_NAMES[mode]}, {self.book.opening_cells[mode]}, is a formula. "
                    "Type a number there in Excel."
                )
            if before == amount:
                continue
            changes.append(OpeningChange(mode, sheet, column, row, before, amount))
            self.opened[mode] = amount - (before or ZERO)
            self._change(sheet, column, row, value=amount)
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
                last = self.ground.table(sheet).last
                if last >= first:
                    self.shifts.append(Shift(sheet, column, first, last, by))
        moved = [draft for draft in self.drafts if self._later_months(draft)]
        if moved:
            later = {month for draft in moved for month in self._later_months(draft)}
            names = [month.capitalize() for month in self.book.months if month in later]
            self.notes.append(f"A row is of an earlier month: the balances of {_listed(names)} move with it.")

    def _later_months(self, draft: Draft) -> list[str]:
        if draft.mode in CASH_MODES:
            return []
        return [month for month in self.book.months if MONTHS.index(month) + 1 > draft.date.month]

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
        moved = _by_category(self.drafts)
        for (number, category), by in moved.items():
            month = MONTHS[number - 1]
            row = self.ground.totals(month).get(category) if month in self.book.months else None
            if row is None or not by:
                continue
            sheet = self.ground.writable(month)
            shown = sheet.value(sheet.cells(row).get("L"))
            if isinstance(shown, Decimal):
                self._change(month, "L", row, value=shown + by)

    # rows

    def _open_table(self, name: str) -> Table:
        """A table that can take rows below its last one; refused, naming the cell, when it cannot."""
        ref = next(ref for ref in self.ground.workbook.sheets if ref.name == name)
        if ref.state != "visible":
            raise BookRefused(
                f"The sheet {name} is hidden. Show it in Excel (right-click a sheet's tab, Unhide) first."
            )
        table = self.ground.table(name)
        around = table.sheet.xml[: table.sheet.data.start] + table.sheet.xml[table.sheet.data.end :]
        if re.search(rb"<(?:\w+:)?sheetProtection\s[^>]*\bsheet=\"(?:1|true)\"", around):
            raise BookRefused(
                f"The sheet {name} is protected. Take the protection off in Excel (Review, Unprotect Sheet)."
            )
        columns = {*table.columns, *table.calculated}
        for row in reversed(list(table.sheet.rows)):
            if row <= table.last:
                break
            for column, cell in table.sheet.cells(row).items():
                if column in columns and (cell.raw or cell.formula is not None):
                    raise BookRefused(
                        f"{table.cell(column, row)} is not blank, below the last row of the table ({table.last}). "
                        "Move it out of the way in Excel, or delete it, and add the row again."
                    )
        return table

    def _append(self, table: Table, items: Sequence[tuple[int, Draft]]) -> Growth:
        name, first = table.name, table.last + 1
        last = table.last + len(items)
        self._refuse_merges(table, first, last)
        looks = _Looks(self.ground, self.formats, table, self._donor(table))
        above = table.sheet.cells(table.last)
        balances: dict[str, Decimal | None] = {}
        for column, mode in table.layout.running.items():
            shown = table.sheet.value(above.get(column))
            earlier = self._moved(mode, MONTHS.index(name)) if name in MONTHS else self.opened.get(mode, ZERO)
            if isinstance(shown, Decimal):
                balances[column] = shown + earlier
            else:
                balances[column] = self.opened.get(mode, ZERO) if table.empty else None
        for row, (item, draft) in enumerate(items, first):
            self.rows[item] = PlannedRow(item, draft, name, row, table.last_column)
            for column, mode in table.layout.running.items():
                balance = balances[column]
                if balance is not None and draft.mode == mode:
                    balances[column] = balance + _effect(draft)
            for column in (*table.columns, *table.calculated):
                value, formula = self._content(table, column, row, draft, balances)
                style = looks.style(column, self._fill(draft) if column in _COLOURED else "")
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
        cell = table.sheet.cells(table.last).get(column)
        if cell is None or cell.formula is None:
            return None, None
        return None, shifted(self.ground.formula_of(table.sheet, cell), rows=row - table.last)

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
        like = self.ground.month_before(month, self.book.months)
        previous = self.ground.month_before(month, self.months)
        if like is None or previous is None:
            raise BookRefused(f"{self.book.name} has no month before {month.capitalize()} to carry balances from.")
        number = MONTHS.index(month) + 1
        parts = copied_parts(self.ground.workbook, like, taken)
        sheet = MonthSheet(self.ground, month, like, previous, parts)
        modes = tuple(MONTH.running.values())
        openings = {mode: self._closing(mode, number - 1) for mode in modes}
        closings = {mode: self._closing(mode, number) for mode in modes}
        spent = {category: total for (of, category), total in self.ground.spent.items() if of == number}
        for (of, category), by in _by_category(self.drafts).items():
            if of == number:
                spent[category] = spent.get(category, ZERO) + by
        sheet.copy(openings, closings, spent)
        table = self.ground.table(like)
        donor = self._donor(table)
        looks = _Looks(self.ground, self.formats, table, donor)
        balances: dict[str, Decimal | None] = {column: openings[mode] for column, mode in MONTH.running.items()}
        first = MONTH.opening + 1
        last = MONTH.opening + len(items)
        closes = month != self.months[-1]
        for row, (item, draft) in enumerate(items, first):
            self.rows[item] = PlannedRow(item, draft, month, row, table.last_column)
            for column, mode in MONTH.running.items():
                balance = balances[column]
                if balance is not None and draft.mode == mode:
                    balances[column] = balance + _effect(draft)
            for column in columns_between(MONTH.first, table.last_column):
                fill = self._fill(draft) if column in _COLOURED else ""
                value, formula = _typed(draft, column), None
                if column in MONTH.running:
                    fill = CLOSING_FILL if closes and row == last else ""
                    value, formula = balances[column], self._first_formula(table, column, row)
                sheet.put(column, row, value, formula, looks.style(column, fill))
        self.last_rows[month] = last
        self.ranges += sheet.ranges(max(last, first))
        self._lead_on(month)
        self.notes.append(f"The sheet {month} is opened, with the balances of {previous.capitalize()} carried over.")
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

    def _lead_on(self, month: str) -> None:
        """The month after a new one opens with the new one's balances, no longer with those before it."""
        following = self.months[self.months.index(month) + 1 :]
        after = next((each for each in following if each in self.book.months), None)
        if after is None or following[0] != after:
            return
        origin = self.ground.month_before(after, self.book.months)
        sheet = self.ground.writable(after)
        for column, cell in sheet.cells(MONTH.opening).items():
            if column in MONTH.running and cell.formula is not None and origin:
                formula = self.ground.formula_of(sheet, cell)
                led = renamed(formula, {origin: month})
                if led != formula:
                    self._change(after, column, MONTH.opening, formula=led)
        self.notes.append(f"{after.capitalize()} now opens with the balances of {month.capitalize()}.")

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
                self._colour_closing(table, last)
                if not table.empty:
                    self._uncolour(table)
            elif month == self.book.months[-1] and not table.empty:
                self._colour_closing(table, table.last)
        self._close_cash()

    def _close_cash(self) -> None:
        """In CASH TRACKER the last row before rows of a later month."""
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
            closing = _Looks(self.ground, self.formats, table, self._donor(table)).painted(style, CLOSING_FILL)
            if cell is None or row > table.last or closing != style:
                self._change(table.name, column, row, style=closing)

    def _uncolour(self, table: Table) -> None:
        """The row that was the month's last one loses its closing colour."""
        for column in table.layout.running:
            cell = table.sheet.cells(table.last).get(column)
            if cell is not None and self.ground.workbook.fill_of(cell.style) == CLOSING_FILL:
                looks = _Looks(self.ground, self.formats, table, table)
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
        for sheet in dict.fromkeys(row.sheet for row in self.rows.values()):
            last = self.ground.last_entries.get(sheet)
            if last is None:
                continue
            for row in sorted((row for row in self.rows.values() if row.sheet == sheet), key=lambda row: row.item):
                if row.draft.date < last.date:
                    yield (
                        f"{row.draft.stored_description} of {_day(row.draft.date)} is added at the end of {sheet}, in "
                        f"row {row.row}, below a row of {_day(last.date)}: out of the order of days."
                    )

    def _below_zero_notes(self) -> Iterable[str]:
        """An earlier balance that an earlier row takes below zero is said, not refused."""
        for mode in MODES:
            own = [draft for draft in self.drafts if draft.mode == mode]
            first = min((draft.date.toordinal() for draft in own), default=None)
            if first is None or not any(draft.direction == "DEBIT" for draft in own):
                continue
            days = dict(self.ground.daily.get(mode, {}))
            if max(days, default=0) <= first:
                continue
            before = after = (self.book.openings.get(mode) or ZERO) + self.opened.get(mode, ZERO)
            new: dict[int, Decimal] = {}
            for draft in own:
                new[draft.date.toordinal()] = new.get(draft.date.toordinal(), ZERO) + _effect(draft)
            for day in sorted({*days, *new}):
                before += days.get(day, ZERO)
                after += days.get(day, ZERO) + new.get(day, ZERO)
                if day >= first and after < 0 <= before and day < max(days):
                    yield (
                        f"With it the {MODE_NAMES[mode]} balance on {_day(date.fromordinal(day))} was {rupees(after)}, "
                        "below zero."
                    )
                    break

    def _overdrafts(self) -> tuple[Overdraft, ...]:
        found = []
        for mode in MODES:
            needs = -sum((_effect(draft) for draft in self.drafts if draft.mode == mode), ZERO)
            has = self.book.balances.get(mode, ZERO) + self.opened.get(mode, ZERO)
            if needs > 0 and needs > has:
                found.append(Overdraft(mode, has, needs))
        return tuple(found)

    def _budget_left(self) -> tuple[tuple[str, Decimal, Decimal], ...]:
        found = []
        for (number, category), by in _by_category(self.drafts).items():
            line = self.book.category(category)
            if line is None or line.monthly is None or line.group == "TRANSFER":
                continue
            left = line.monthly - self.ground.spent.get((number, category), ZERO)
            found.append((line.name, left, left - by))
        return tuple(found)


class _Looks:
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
            if own == fill or (not fill and own not in _MARKED):
                return cell.style
            if plain is None and own not in _MARKED:
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
        bare = self._formats.like(base, fill="") if self._ground.workbook.fill_of(base) in _MARKED else base
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


def _effect(draft: Draft) -> Decimal:
    """What a draft does to its mode's balance."""
    return draft.amount if draft.direction == "CREDIT" else -draft.amount


def _by_category(drafts: Iterable[Draft]) -> dict[tuple[int, str], Decimal]:
    """Debits less credits by month (1 to 12) and category in small letters."""
    found: dict[tuple[int, str], Decimal] = {}
    for draft in drafts:
        if draft.category:
            key = (draft.date.month, draft.category.casefold())
            found[key] = found.get(key, ZERO) - _effect(draft)
    return found


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


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1][:3].capitalize()}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
