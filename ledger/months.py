"""A month's sheet that is not there yet: planned as a copy of the latest month before it, without its entries.

    title, header, opening row, side panel, legend, totals ──copied, led to the new month──► NewSheet
    drawing, chart, printer settings ──copied as parts──►

The opening balances are formulas on the month before's cards. What belongs to the old month alone (its Excel table, a
pivot table, controls, notes and links on its cells) stays behind, and the plan says so.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from ledger.changes import CellChange, NewSheet, RangeChange, Value
from ledger.entries import MONTHS, BookRefused, Mode, quoted
from ledger.formulas import column_index, renamed, reworded
from ledger.ground import MONTH, Ground, split_cell
from ledger.reach import Growth, around
from ledger.sheetxml import Cell, CellError, Sheet
from ledger.styles import attributes_of
from ledger.workbook import Workbook

LAST_PANEL_COLUMN = "M"
"""the side panel stands from K to M; what is beside it belongs to the old month"""
COPIED = ("/drawing", "/printerSettings", "/image")
"""the kinds of relations of a month's sheet that its copy has as well; what others lead to stays behind"""
_WHAT = {
    "/table": "an Excel table",
    "/pivotTable": "a pivot table",
    "/slicer": "a slicer",
    "/ctrlProp": "form controls",
    "/control": "controls",
    "/queryTable": "a query",
    "/oleObject": "an embedded object",
}


@dataclass
class MonthSheet:
    """A month's sheet being planned; the caller adds its rows."""

    ground: Ground
    name: str
    like: str
    previous: str | None
    """the month whose cards its opening refers to; None for the first, which has the book's typed openings"""
    parts: tuple[tuple[str, str], ...]
    cells: dict[tuple[str, int], CellChange] = field(default_factory=dict)

    def put(self, column: str, row: int, value: Value, formula: str | None, style: int) -> None:
        """Give a cell whole. Raises BookRefused for a formula over an Excel table, which the copy does not have."""
        table = next((each for each in self._tables if formula and f"{each}[".casefold() in formula.casefold()), None)
        if table is not None:
            raise BookRefused(
                f"A sheet for {self.name.capitalize()} is made as a copy of {self.like}, without its Excel table "
                f"{table}, and the formula of {quoted(self.like)}!{column}{row} refers to that table (={formula}). "
                "Let it refer to cells in Excel, or convert the table to a range (Table Design, Convert to Range)."
            )
        self.cells[column, row] = CellChange(self.name, column, row, value, formula, style)

    @cached_property
    def _tables(self) -> tuple[str, ...]:
        """The Excel tables of the copied sheet, by name."""
        workbook = self.ground.workbook
        relations = workbook.relations(workbook.sheet(self.like).part)
        parts = [workbook.part(each.target) for each in relations if each.type.endswith("/table")]
        tags = [re.search(rb"<(?:\w+:)?table\s[^>]*>", part) for part in parts]
        return tuple(attributes_of(tag[0]).get("displayName", "") for tag in tags if tag)

    def copy(
        self, openings: Mapping[Mode, Decimal | None], closings: Mapping[Mode, Decimal], spent: Mapping[str, Decimal]
    ) -> None:
        """Copy what is not an entry; `spent` by category in small letters."""
        sheet = self.ground.writable(self.like)
        cards = {split_cell(c.cell)[1:]: c.mode for c in self.ground.book.cards if c.month == self.like}
        totals = {row: category for category, row in self.ground.totals(self.like).items()}
        earlier = self.ground.month_before(self.like, self.ground.book.months)
        sheets = {self.like: self.name} | ({earlier: self.previous} if earlier and self.previous else {})
        panel = {int(row) for row in re.findall(rb"[\s:]r=\"[K-M](\d+)\"", sheet.xml)}
        for row in sorted({*panel, *(row for row in sheet.rows if row <= MONTH.opening)}):
            for column, cell in sheet.cells(row).items():
                if not _is_copied(column, row):
                    continue
                value = self._shown(sheet, cell)
                formula = None
                if cell.formula is not None:
                    formula = renamed(self.ground.formula_of(sheet, cell), sheets)
                    formula = reworded(formula, {self.like: self.name})
                elif isinstance(value, str):
                    value = self._worded(value)
                mode = cards.get((column, row))
                if mode:
                    value = closings[mode]
                elif column == "L" and row in totals:
                    value = spent.get(totals[row], Decimal(0))
                self.put(column, row, value, formula, cell.style)
        self._opening_row(openings, {mode: place for place, mode in cards.items()})

    def _opening_row(self, openings: Mapping[Mode, Decimal | None], cards: Mapping[Mode, tuple[str, int]]) -> None:
        row = MONTH.opening
        sheet = self.ground.writable(self.like)
        old = sheet.cells(row)
        if (day := old.get("C")) is not None and isinstance(sheet.value(day), Decimal):
            first = date(self.ground.book.year, MONTHS.index(self.name) + 1, 1)
            self.put("C", row, first, None, day.style)
        for column, mode in MONTH.running.items():
            cell = old.get(column)
            copied = self.cells.get((column, row))
            formula = copied.formula if copied is not None and isinstance(copied.formula, str) else None
            if formula is None and mode in cards and self.previous:
                card_column, card_row = cards[mode]
                card = sheet.cells(card_row).get(card_column)
                if card is not None and card.formula is not None:
                    formula = f"{quoted(self.previous)}!{card_column}{card_row}"
            self.put(column, row, openings[mode], formula, cell.style if cell else 0)

    def _shown(self, sheet: Sheet, cell: Cell) -> Value:
        value = sheet.value(cell)
        if isinstance(value, CellError | bool):
            if cell.formula is not None:
                return None  # calculated anew on opening
            place = f"{quoted(sheet.name)}!{cell.column}{cell.row}"
            raise BookRefused(
                f"{place} cannot be copied to the sheet of {self.name}: it holds {value}. Clear it in Excel first."
            )
        return value

    def _worded(self, text: str) -> str:
        """A text of the old month as it reads in the new one: `OCTOBER 2026`, `Spending in October`."""
        for was, becomes in ((self.like, self.name), (self.like.capitalize(), self.name.capitalize())):
            text = re.sub(rf"\b{was}\b", becomes, text)
        return text

    def ranges(self, last_row: int) -> tuple[RangeChange, ...]:
        """The ranges that ended at the old month's last entry, and rules that name its sheet, as the copy has them."""
        table = self.ground.table(self.like)
        part = self.parts[0][1]
        growth = Growth(self.like, MONTH.opening + 1, table.last, last_row, 3, column_index(table.last_column))
        return tuple(around(table.sheet, part, {self.like: growth})) if table.last >= growth.first else ()

    def planned(self, position: int) -> NewSheet:
        """The sheet, placed among the others."""
        ordered = sorted(self.cells.values(), key=lambda cell: (cell.row, column_index(cell.column)))
        return NewSheet(self.name, self.like, position, self.parts, tuple(ordered), self._names())

    def _names(self) -> tuple[tuple[str, str], ...]:
        xml = self.ground.workbook.part(self.ground.workbook.workbook_part)
        index = [ref.name for ref in self.ground.workbook.sheets].index(self.like)
        found = []
        for match in re.finditer(rb"<(?:\w+:)?definedName\s([^>]*)>([^<]*)</", xml):
            attributes = dict(re.findall(r'([\w:]+)="([^"]*)"', match[1].decode()))
            if attributes.get("localSheetId") == str(index) and attributes.get("name", "").startswith("_xlnm.Print_"):
                text = match[2].decode().replace("&apos;", "'").replace("&amp;", "&")
                found.append((attributes["name"], renamed(text, {self.like: self.name})))
        return tuple(found)


def _is_copied(column: str, row: int) -> bool:
    index = column_index(column)
    if row <= MONTH.opening:
        return True
    return column_index("J") < index <= column_index(LAST_PANEL_COLUMN)


def copied_parts(workbook: Workbook, like: str, taken: set[str]) -> tuple[tuple[str, str], ...]:
    """The parts a copy of a sheet needs, old and new, the sheet's own first. New names are added to `taken`."""
    source = workbook.sheet(like).part
    pairs = [(source, _free(source, taken))]
    for relation in workbook.relations(source):
        if relation.external or not relation.type.endswith(COPIED):
            continue
        if not relation.type.endswith("/image"):
            pairs += _with_own(workbook, relation.target, taken, {source, *(old for old, _ in pairs)})
    return tuple(pairs)


def left_behind(workbook: Workbook, like: str, month: str) -> tuple[str, ...]:
    """A sentence naming what of the copied month its copy does not have; none when all is copied."""
    kinds = [relation.type for relation in workbook.relations(workbook.sheet(like).part)]
    found = [words for end, words in _WHAT.items() if any(kind.endswith(end) for kind in kinds)]
    if not found:
        return ()
    listed = found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
    return (f"{like.capitalize()} has {listed}; the sheet {month} is begun without.",)


def _with_own(workbook: Workbook, part: str, taken: set[str], seen: Iterable[str]) -> list[tuple[str, str]]:
    if part in seen or part not in workbook.part_names:
        return []
    pairs = [(part, _free(part, taken))]
    for relation in workbook.relations(part):
        if not relation.external and not relation.type.endswith("/image"):
            pairs += _with_own(workbook, relation.target, taken, {*seen, *(old for old, _ in pairs)})
    return pairs


def _free(part: str, taken: set[str]) -> str:
    folder, base = posixpath.split(part)
    stem, ending = posixpath.splitext(base)
    stem = stem.rstrip("0123456789")
    number = 1
    folded = {each.casefold() for each in taken}
    while posixpath.join(folder, f"{stem}{number}{ending}").casefold() in folded:
        number += 1
    name = posixpath.join(folder, f"{stem}{number}{ending}")
    taken.add(name)
    return name
