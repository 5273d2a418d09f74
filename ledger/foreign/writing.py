"""A write into tables of another layout, planned: rows in their tables, what they say, and the balances that follow.

    changes ──which table holds them──► rows in their order ──► cells as the table spells them ──► balances ──► ranges

What the rows hold moves within a table, as in Munshi's own sheets (ledger.plan); no row is ever shifted. Every balance
a row shows moves by what comes before it, whichever way round the table stands.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from ledger.arrange import Slot, arranged
from ledger.changes import CellChange, Moves, Plan, PlannedRow, Shift, Value
from ledger.edits import Add, Delete, Edit, EntryChange, day_of, draft_of, told
from ledger.effects import ZERO, effect, effects
from ledger.entries import MODE_NAMES, MODES, Book, BookRefused, Draft, Entry, Mode, Overdraft, plain_description
from ledger.foreign.rows import year_named
from ledger.foreign.shaping import (
    Written,
    owner,
    reads_back,
    refusal_of,
    sided_amount,
    written_day,
    written_table,
)
from ledger.formulas import column_index, shifted
from ledger.ground import Ground
from ledger.moving import Obstacle, Stretch, in_the_way
from ledger.reach import Growth, reaching
from ledger.sheetxml import Cell


@dataclass
class _Changes:
    """What changes in one table; the numbers are those of the changes."""

    added: list[tuple[int, Draft]] = field(default_factory=list)
    edited: dict[int, tuple[int, Edit]] = field(default_factory=dict)
    gone: dict[int, Entry] = field(default_factory=dict)


def plan_tables(ground: Ground, changes: tuple[EntryChange, ...]) -> Plan:
    """The plan of a write into a book of another layout. Raises BookRefused, naming the cell, for what is not safe."""
    return _Planner(ground, changes).plan()


class _Planner:
    def __init__(self, ground: Ground, changes: tuple[EntryChange, ...]) -> None:
        self.ground, self.book, self.changes = ground, ground.book, changes
        self.cells: dict[tuple[str, str, int], CellChange] = {}
        self.shifts: list[Shift] = []
        self.moves: list[Moves] = []
        self.rows: dict[int, PlannedRow] = {}
        self.notes: list[str] = []

    def plan(self) -> Plan:
        touched, growths = [], []
        for written, changes in self._by_table():
            touched.append(written.shape)
            growth = _Table(self, written, changes).change()
            growths += [growth] if growth else []
        sheets = [moves.sheet for moves in self.moves]
        if len(set(sheets)) < len(sheets):
            raise BookRefused(
                "Rows of two tables on one sheet would move at once. Save the changes of each table on their own."
            )
        reached = reaching(self.ground.workbook, growths)
        for (sheet, column, row), formula in reached.formulas.items():
            self.ground.writable(sheet)
            self.change(sheet, column, row, formula=formula)
        before = {mode: self.book.balances.get(mode, ZERO) for mode in MODES}
        moved = effects(self.changes)
        after = {mode: before[mode] + sum((e.by for e in moved if e.mode == mode), ZERO) for mode in MODES}
        return Plan(
            before_sha256=self.ground.workbook.sha256,
            changes=self.changes,
            rows=tuple(self.rows[item] for item in sorted(self.rows)),
            balances_before=before,
            balances_after=after,
            overdrafts=tuple(_overdrafts(self.book, before, after)),
            notes=(*self.notes, *reached.notes),
            cells=tuple(sorted(self.cells.values(), key=lambda c: (c.sheet, c.row, column_index(c.column)))),
            shifts=tuple(self.shifts),
            moves=tuple(self.moves),
            ranges=reached.ranges,
            shapes=tuple(touched),
            dropped=_calculation_chain(self.ground),
        )

    def change(self, sheet: str, column: str, row: int, **facets: Any) -> None:
        """Change a cell, or more of it."""
        key = (sheet, column, row)
        self.cells[key] = replace(self.cells.get(key) or CellChange(sheet, column, row), **facets)

    def _by_table(self) -> list[tuple[Written, _Changes]]:
        tables: dict[int, tuple[Written, _Changes]] = {}
        known = dict(enumerate(self.book.tables))
        made: dict[int, Written] = {}

        def written(number: int) -> Written:
            if number not in made:
                refused = refusal_of(self.ground, known[number])
                if refused:
                    raise BookRefused(refused)
                made[number] = written_table(self.ground, known[number])
            return made[number]

        def of(number: int) -> _Changes:
            return tables.setdefault(number, (written(number), _Changes()))[1]

        for item, change in enumerate(self.changes, 1):
            stands = None
            if not isinstance(change, Add):
                stood = owner(self.book.tables, change.was)
                stands = next(number for number, table in known.items() if table is stood)
            if isinstance(change, Delete) and stands is not None:
                of(stands).gone[change.was.row] = change.was
            elif isinstance(change, Edit) and stands is not None and written(stands).holds(change.draft.mode):
                of(stands).edited[change.was.row] = (item, change)
            elif not isinstance(change, Delete):
                to = self._table_for(change.draft, item)
                of(to).added.append((item, change.draft))
                if isinstance(change, Edit) and stands is not None:
                    of(stands).gone[change.was.row] = change.was
        for _, changes in tables.values():
            changes.added.sort(key=lambda pair: (pair[1].date, pair[0]))
        return [tables[number] for number in sorted(tables)]

    def _table_for(self, draft: Draft, item: int) -> int:
        """Which table a new row goes to: of those that hold its mode, the one with rows of its month."""
        open_tables: dict[int, Written] = {}
        refusals = []
        for number, table in enumerate(self.book.tables):
            refused = refusal_of(self.ground, table)
            if refused is None:
                open_tables[number] = written_table(self.ground, table)
            else:
                refusals.append(refused)
        if not open_tables:
            raise BookRefused(refusals[0])
        fit = {number: each for number, each in open_tables.items() if each.holds(draft.mode)}
        if not fit:
            held = [MODE_NAMES[mode] for mode in MODES if any(each.holds(mode) for each in open_tables.values())]
            raise BookRefused(
                f"Item {item} is {MODE_NAMES[draft.mode]}, and no table of {self.book.name} holds that: "
                f"its rows are {' or '.join(held)}. Give it one of those modes, or keep it in another book."
            )
        if len(fit) == 1:
            return next(iter(fit))
        month = (draft.date.year, draft.date.month)
        has = {n: {(e.date.year, e.date.month) for e in each.entries.values()} for n, each in fit.items()}
        same = [number for number in fit if month in has[number]]
        if not same:  # a month none has yet: the table that goes on latest before it
            earlier = {n: max((m for m in has[n] if m < month), default=(0, 0)) for n in fit}
            same = [number for number in fit if earlier[number] == max(earlier.values())]
        if len(same) > 1:
            names = " and ".join(fit[number].shape.name for number in same)
            raise BookRefused(
                f"Item {item} could go to more than one table: {names}. Type it in Excel where it belongs, or read "
                "only one of them: open the book again and choose its tables."
            )
        return same[0]


class _Table:
    """What one write does to one table."""

    def __init__(self, planner: _Planner, written: Written, changes: _Changes) -> None:
        self.planner, self.written, self.changes = planner, written, changes
        self.shape, self.sheet, self.entries = written.shape, written.sheet, written.entries
        self.book, self.ground = planner.book, planner.ground
        self.new = dict(changes.added)
        self.edits = dict(changes.edited.values())

    def change(self) -> Growth | None:
        shape = self.shape
        if cell := sided_amount(self.written):
            raise BookRefused(
                f"{cell} is a text with Dr or Cr, or a balance written as text, which Munshi does not continue. Turn "
                "that column into numbers in Excel, and upload the book again."
            )
        self._refuse_broken_balances()
        slots = self._arranged(by_day=self.written.sorted)
        obstacle = self._obstacle(slots)
        if obstacle is not None:
            slots = self._in_place(obstacle)
        last = shape.top + len(slots) - 1
        self._refuse_below(last)
        self._write(slots)
        self._say(slots, obstacle)
        if last <= shape.last or shape.last < shape.top:
            return None
        ends = column_index(shape.columns[0]), column_index(shape.columns[-1])
        return Growth(shape.sheet, shape.top, shape.last, last, *ends)

    # in which order

    def _arranged(self, *, by_day: bool) -> list[Slot]:
        """The rows after the write, from the top down."""
        rows = range(self.shape.top, self.shape.last + 1)
        days = [(row, self.entries[row].date if row in self.entries and by_day else None) for row in rows]
        backwards = self.shape.newest_first and by_day
        slots = arranged(
            days[::-1] if backwards else days,
            gone=self.changes.gone.keys(),
            edited={row: (item, change.draft.date) for row, (item, change) in self.changes.edited.items()},
            added=[(item, draft.date) for item, draft in self.changes.added],
        )
        return slots[::-1] if backwards else slots

    def _in_place(self, obstacle: Obstacle) -> list[Slot]:
        """The rows where something keeps them where they are: new ones at the end, the rest unmoved."""
        stuck = next(iter(self.changes.gone.values()), None)
        slots = self._arranged(by_day=False)
        if stuck is None and self.shape.newest_first and self.changes.added and self.written.balance:
            stuck_draft = self.changes.added[0][1]
            raise BookRefused(
                f"{stuck_draft.stored_description} belongs at the top of {self.shape.sheet}, whose newest row stands "
                f"first, and cannot go there: {obstacle.why}. {obstacle.remedy}, and try again."
            )
        if stuck is not None:
            raise BookRefused(
                f"{told(stuck)} ({stuck.cells}) cannot be taken from its place: {obstacle.why}. {obstacle.remedy}, "
                "and try again."
            )
        return slots

    def _first_moved(self, slots: Sequence[Slot]) -> int | None:
        top, last = self.shape.top, self.shape.last
        moved = (row for row, slot in enumerate(slots, top) if slot.origin != row and row <= last)
        short = top + len(slots)
        return next(moved, short if short <= last else None)

    def _obstacle(self, slots: Sequence[Slot]) -> Obstacle | None:
        first = self._first_moved(slots)
        if first is None:
            return None
        last, shape = self.shape.last, self.shape
        only_blanked = all(slot.origin in (None, row) for row, slot in enumerate(slots, shape.top))
        if only_blanked and not self.new and all(row >= first for row in self.changes.gone):
            return None  # the last rows go, and no other one moves
        for row in range(first, last + 1):
            held = next((c for c in self.sheet.cells(row).values() if c.column in shape.typed and _filled(c)), None)
            if row not in self.entries and held is not None:
                where = shape.cell(held.column, row)
                return Obstacle(f"{where} is in a row that is no entry", "Move or mend that row in Excel")
        for column in self.written.formulas:
            cells = [self.sheet.cells(row).get(column) for row in range(first, last + 1)]
            kinds = {type(self.sheet.value(cell)) for cell in cells if cell is not None}
            if len(kinds) > 1:
                place = shape.cell(column, first)
                return Obstacle(f"the formulas from {place} on are not all alike", "Fill that column down in Excel")
        return in_the_way(self.ground, Stretch(self.written.as_table, first, last))

    def _refuse_below(self, last: int) -> None:
        shape = self.shape
        for row in range(shape.last + 1, last + 1):
            for column, cell in self.sheet.cells(row).items():
                if column in shape.columns and _filled(cell):
                    raise BookRefused(
                        f"{shape.cell(column, row)} is not blank, below the table's last row ({shape.last}). "
                        "Insert blank rows above it in Excel, and add the row again."
                    )
        if last > shape.last:
            merged = next(self._merged(shape.last + 1, last), None)
            if merged:
                raise BookRefused(f"The merged cell {merged} is in the way of row {last}. Unmerge it in Excel first.")

    def _merged(self, first: int, last: int) -> Iterator[str]:
        ends = column_index(self.shape.columns[0]), column_index(self.shape.columns[-1])
        for left, top, right, bottom in self.sheet.merged:
            if top <= last and bottom >= first and left <= ends[1] and right >= ends[0]:
                yield self.shape.cell(self.shape.columns[max(left - ends[0], 0)], top)

    # what the cells say

    def _write(self, slots: Sequence[Slot]) -> None:
        shape, sheet = self.shape, self.sheet
        last = shape.top + len(slots) - 1
        for row, slot in enumerate(slots, shape.top):
            if slot.item in self.new:
                self._new_row(row, slot.item, self.new[slot.item])
            elif slot.item in self.edits and slot.origin is not None:
                self._edited_row(row, slot.origin, slot.item, self.edits[slot.item])
        for row in range(last + 1, shape.last + 1):
            for column, cell in sheet.cells(row).items():
                if column in shape.columns and (_filled(cell) or column in shape.typed):
                    self._refuse_shared(cell)
                    self._set(column, row, value=None, formula=None, style=cell.style)
        first = self._first_moved(slots)
        if first is not None:
            origins = [slot.origin for slot in slots[first - shape.top :]] + [None] * (shape.last - last)
            self.planner.moves.append(Moves(shape.sheet, shape.typed, first, tuple(origins)))
        self._balances(slots)
        self._follow(slots)

    def _new_row(self, row: int, item: int, draft: Draft) -> None:
        shape = self.shape
        self.planner.rows[item] = PlannedRow(item, draft, shape.sheet, row, shape=shape)
        if draft.category and "category" not in shape.roles:
            raise BookRefused(f"{shape.sheet} has no column for the category of item {item}. Leave the category out.")
        says = self._said(draft, item)
        donor = self.written.donors[0]
        for column in shape.typed:
            style = donor[column].style if column in donor else 0
            self._set(column, row, value=says.get(column), formula=None, style=style)

    def _edited_row(self, row: int, origin: int, item: int, change: Edit) -> None:
        shape, was, draft = self.shape, change.was, change.draft
        self.planner.rows[item] = PlannedRow(item, draft, shape.sheet, row, shape=shape)
        before = draft_of(was)
        changed = {
            "date": draft.date != was.date,
            "description": draft.stored_description != before.stored_description,
            "category": (draft.category or "").casefold() != (was.category or "").casefold(),
            "mode": draft.mode != was.mode,
            "type": draft.direction != was.direction,
        }
        money = (draft.amount, draft.direction) != (was.amount, was.direction)
        changed |= dict.fromkeys(("amount", "debit", "credit"), money)
        says, cells = self._said(draft, item), self.sheet.cells(origin)
        donor = self.written.donors[0]
        missing = next(
            (role for role in ("description", "category") if changed[role] and role not in shape.roles), None
        )
        if missing:
            raise BookRefused(f"{shape.sheet} has no column for a {missing}, so that of item {item} cannot be changed.")
        for role, column in shape.roles.items():
            if not changed.get(role):
                continue
            cell = cells.get(column)
            if cell is not None and cell.formula is not None:
                raise BookRefused(
                    f"{shape.cell(column, origin)} holds a formula, which is shown and never overwritten. Change it in "
                    "Excel."
                )
            value = says[column]
            if role == "date" and cell is not None and isinstance(self.sheet.value(cell), Decimal):
                value = draft.date
            style = cell.style if cell is not None else donor[column].style if column in donor else 0
            self._set(column, row, value=value, formula=None, **({} if cell is not None else {"style": style}))

    def _said(self, draft: Draft, item: int) -> dict[str, Value]:
        """By column, what a row's cells say."""
        shape, roles = self.shape, self.shape.roles
        debit = draft.direction == "DEBIT"
        says: dict[str, Value] = {roles["date"]: self._day(draft.date, item)}
        if "description" in roles:
            says[roles["description"]] = self._words(draft)
        if "amount" in roles:
            minus = draft.direction != shape.positive if "type" not in roles else debit and shape.debits_below_zero
            says[roles["amount"]] = -draft.amount if minus else draft.amount
        if "type" in roles:
            says[roles["type"]] = shape.types.get(draft.direction, draft.direction.capitalize())
        if "debit" in roles:
            says[roles["debit"]] = draft.amount if debit else shape.nothing
        if "credit" in roles:
            says[roles["credit"]] = shape.nothing if debit else draft.amount
        if not {"amount", "debit" if debit else "credit"} & roles.keys():
            side = "out" if debit else "in"
            raise BookRefused(f"{shape.sheet} has no column for money {side}, so item {item} fits no table.")
        if "mode" in roles:
            says[roles["mode"]] = shape.modes.get(draft.mode, MODE_NAMES[draft.mode])
            others = [text for text in self.written.spelt.get(draft.mode, ()) if text != shape.modes[draft.mode]]
            if others:
                self.planner.notes.append(
                    f"{MODE_NAMES[draft.mode]} is written as {shape.modes[draft.mode]}, as in the latest such row; "
                    f"the column also has {', '.join(others[:3])}."
                )
        if "category" in roles:
            line = self.book.category(draft.category)
            says[roles["category"]] = line.name if line else draft.category
        return says

    def _day(self, day: date, item: int) -> date | str:
        if not self.shape.day:
            return day
        text = written_day(day, self.shape.day)
        year = year_named(self.ground.workbook, self.shape.sheet)
        date1904 = self.ground.workbook.date1904
        if not reads_back(day, text, day_first=self.shape.day_first, date1904=date1904, year=year):
            raise BookRefused(
                f"The dates of {self.shape.sheet} are texts such as {text}, which would not be read as {day_of(day)} "
                f"{day.year}. Turn the column into dates in Excel, or give item {item} a date of that year."
            )
        return text

    def _words(self, draft: Draft) -> str:
        """The description as the table writes its own: in capitals, or with a capital at the start."""
        if self.shape.capitals:
            return draft.stored_description
        tags = draft.stored_description[len(plain_description(draft.stored_description)) :]
        words = plain_description(draft.description)
        words = words.capitalize() if words.isupper() else words[:1].upper() + words[1:]
        return words + tags

    # balances, and whatever else stays in its row

    def _balances(self, slots: Sequence[Slot]) -> None:
        """Every balance after the first change, whichever way the table stands."""
        column = self.written.balance
        if column is None:
            return
        shape = self.shape
        shown = self._shown(column)
        places = [*enumerate(slots, shape.top)]
        order = places[::-1] if shape.newest_first else places
        before, running = {}, ZERO
        rows = range(shape.top, shape.last + 1)
        for row in reversed(rows) if shape.newest_first else rows:
            running += effect(self.entries[row]) if row in self.entries else ZERO
            before[row] = running
        opening = next((shown[row] - before[row] for row in shown), None)
        has = {row: cell for row in rows if (cell := self.sheet.cells(row).get(column)) is not None and _filled(cell)}
        start = order[0][0] if order else 0
        after = ZERO
        moved: dict[int, Decimal] = {}
        for row, slot in order:
            now = self._now(slot)
            after += effect(now) if now is not None else ZERO
            if slot.origin == row:
                if row in shown and after != before[row]:
                    moved[row] = after - before[row]
                continue
            balance = None if opening is None else opening + after
            if slot.origin is not None and slot.origin in shown:
                balance = shown[slot.origin] + after - before[slot.origin]
            self._show(column, (row, slot), balance, has, start=row == start)
        self._shift(column, moved)

    def _now(self, slot: Slot) -> Draft | Entry | None:
        if slot.item in self.new:
            return self.new[slot.item]
        if slot.item in self.edits:
            return self.edits[slot.item].draft
        return self.entries.get(slot.origin or 0)

    def _shown(self, column: str) -> dict[int, Decimal]:
        values = ((row, self.sheet.value(self.sheet.cells(row).get(column))) for row in sorted(self.entries))
        return {row: value for row, value in values if isinstance(value, Decimal)}

    def _show(
        self, column: str, place: tuple[int, Slot], balance: Decimal | None, has: Mapping[int, Cell], *, start: bool
    ) -> None:
        row, slot = place
        there = has.get(row)
        if there is not None and there.formula is not None:
            self._set(column, row, value=balance)
            return
        new = slot.origin is None
        if not (bool(has) if new else slot.origin in has):
            if row in has:
                self._set(column, row, value=None, formula=None)
            return
        source = self._source(column, has) if new else has.get(slot.origin or 0)
        formula = None
        if source is not None and source.formula is not None and not (start and new):
            formula = shifted(self.ground.formula_of(self.sheet, source), rows=row - source.row)
        facets: dict[str, Any] = {"value": balance, "formula": formula}
        if column not in self.sheet.cells(row):
            facets["style"] = source.style if source is not None else 0
        self._set(column, row, **facets)

    def _source(self, column: str, has: Mapping[int, Cell]) -> Cell | None:
        """The balance that a new row continues: the newest one. Refused where its formula does not follow on."""
        rows = sorted(has)
        newest = rows[0] if self.shape.newest_first else rows[-1]
        cell = has[newest]
        if cell.formula is None:
            return cell
        text = self.ground.formula_of(self.sheet, cell)
        step = 1 if self.shape.newest_first else -1
        beside = has.get(newest + step)
        alike = (
            beside is not None
            and beside.formula is not None
            and shifted(self.ground.formula_of(self.sheet, beside), rows=-step) == text
        )
        if not alike and f"{column}{newest + step}" not in text.replace("$", ""):
            raise BookRefused(
                f"The running balance {self.shape.cell(column, newest)} does not follow from the row before it, so it "
                "cannot be continued. Copy the formula of another row into it in Excel."
            )
        return cell

    def _shift(self, column: str, moved: Mapping[int, Decimal]) -> None:
        first: int | None = None
        rows = sorted(moved)
        for index, row in enumerate(rows):
            first = row if first is None else first
            following = rows[index + 1] if index + 1 < len(rows) else None
            if following is None or following != row + 1 or moved[following] != moved[row]:
                self.planner.shifts.append(Shift(self.shape.sheet, column, first, row, moved[row]))
                first = None

    def _follow(self, slots: Sequence[Slot]) -> None:
        """Formulas filled down and running numbers: they stay, and new rows continue them."""
        shape = self.shape
        donor = self.written.donors[0]
        for column in shape.kept:
            if column == self.written.balance:
                continue
            for row, slot in enumerate(slots, shape.top):
                cell = self.sheet.cells(row).get(column)
                if column in self.written.serial:
                    if row > shape.last and column in donor:
                        above = self.sheet.value(self.sheet.cells(shape.last).get(column))
                        number = above + (row - shape.last) * self.written.serial[column] if isinstance(
                            above, Decimal) else None  # fmt: skip
                        self._set(column, row, value=number, formula=None, style=donor[column].style)
                elif slot.origin != row and column in donor:
                    origin = self.sheet.cells(slot.origin or 0).get(column)
                    carried = self.sheet.value(origin) if origin is not None else None
                    value = carried if isinstance(carried, str | Decimal) else None
                    if cell is not None and cell.formula is not None and row <= shape.last:
                        if cell.type == "n":
                            self._set(column, row, value=value if isinstance(value, Decimal) else None)
                        continue
                    text = shifted(self.ground.formula_of(self.sheet, donor[column]), rows=row - donor[column].row)
                    self._set(column, row, value=value, formula=text, style=donor[column].style)

    def _refuse_broken_balances(self) -> None:
        """A balance that its own rows do not give is not followed."""
        column = self.written.balance
        if column is None:
            return
        shown = self._shown(column)
        rows = sorted(self.entries, reverse=self.shape.newest_first)
        balance: Decimal | None = None
        for row in rows:
            balance = None if balance is None else balance + effect(self.entries[row])
            if row in shown:
                if balance is not None and abs(balance - shown[row]) >= Decimal("0.005"):
                    raise BookRefused(
                        f"The balance {self.shape.cell(column, row)} does not follow from its rows, so Munshi "
                        "does not know how to continue it. Mend it in Excel and save."
                    )
                balance = shown[row]

    def _refuse_shared(self, cell: Cell) -> None:
        if cell.formula_attributes.get("t") in ("array", "dataTable", "shared"):
            raise BookRefused(
                f"{self.shape.cell(cell.column, cell.row)} has its formula in common with other cells, so its row "
                "cannot be emptied. Type an ordinary formula there in Excel."
            )

    def _set(self, column: str, row: int, **facets: Any) -> None:
        there = self.sheet.cells(row).get(column)
        if there is not None and there.formula_attributes.get("t") in ("array", "dataTable"):
            raise BookRefused(
                f"{self.shape.cell(column, row)} holds an array formula, which is never changed. Type an ordinary "
                "formula there in Excel."
            )
        if there is None and column not in self.shape.typed and "style" not in facets:
            facets["style"] = 0
        self.planner.change(self.shape.sheet, column, row, **facets)

    def _say(self, slots: Sequence[Slot], obstacle: Obstacle | None) -> None:
        """Where each new row goes, and why."""
        sheet = self.shape.sheet
        for row, slot in enumerate(slots, self.shape.top):
            draft = self.new.get(slot.item or 0)
            if draft is None:
                continue
            goes = f"{draft.stored_description} goes to row {row} of {sheet}"
            newest = [entry.date for entry in self.entries.values()]
            if obstacle is not None:
                self.planner.notes.append(f"{goes}, below its last row and out of order, because {obstacle.why}.")
            elif row <= self.shape.last:
                why = "its newest row stands first" if self.shape.newest_first else "among the rows of its day"
                self.planner.notes.append(f"{goes}: {why}, and what the rows from there on hold moves down by one.")
            elif not self.written.sorted and newest and draft.date < max(newest):
                self.planner.notes.append(f"{goes}, at its end: its rows do not stand in the order of their days.")
            else:
                self.planner.notes.append(f"{goes}.")


def _filled(cell: Cell) -> bool:
    return bool(cell.raw) or cell.formula is not None


def _overdrafts(book: Book, before: Mapping[Mode, Decimal], after: Mapping[Mode, Decimal]) -> Iterator[Overdraft]:
    """Modes that would fall below zero, of those whose balance the book states."""
    for mode in MODES:
        needs = before[mode] - after[mode]
        if book.openings.get(mode) is not None and needs > 0 and needs > before[mode]:
            yield Overdraft(mode, before[mode], needs)


def _calculation_chain(ground: Ground) -> tuple[str, ...]:
    workbook = ground.workbook
    relations = workbook.relations(workbook.workbook_part)
    targets = (each.target for each in relations if each.type.endswith("/calcChain"))
    return tuple(target for target in targets if target in workbook.part_names)
