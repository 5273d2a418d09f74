"""Another program's reader sees the new rows, and each card of the layout moved by them."""

import io
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from python_calamine import CalamineError, CalamineWorkbook

from ledger.changes import Plan, PlannedRow
from ledger.edits import Delete, Edit
from ledger.entries import CASH_TRACKER, MONTHS, Draft, Entry, Mode
from ledger.verify.cells import SheetXml, split
from ledger.verify.money import moved_by
from ledger.verify.package import Package
from ledger.verify.rejection import WriteRejected, require
from ledger.verify.sheets import serial

SECOND_READER_CELLS: Final = 20_000_000
"""calamine allocates the rectangle round all cells; a far cell would end the process"""
CARDS: Final[tuple[tuple[str, str, str, str, Mode], ...]] = (
    ("month", "K7", "L7", "WALLET", "WALLET"),
    ("month", "K8", "L8", "PHONEPE", "PHONEPE"),
    (CASH_TRACKER, "C5", "D5", "BANK", "BANK"),
    (CASH_TRACKER, "C6", "D6", "MONEY", "MONEY"),
    ("TERMINOLOGY", "J5", "K5", "BANK[CURR]", "BANK"),
    ("TERMINOLOGY", "J6", "K6", "MONEY[CURR]", "MONEY"),
)
"""(sheet, label's cell, card's cell, label, mode): where the layout has its cards"""


def check_second_reader(
    old: Package, package: Package, plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]
) -> None:
    """Calamine sees every planned row with its values, and each card of the layout moved by the rows.

    What an edit leaves of an entry shows as it did before; each entry that is edited or deleted was there.
    """
    wanted = {row.sheet for row in plan.rows} | {sheet for sheet in sheets if sheet in MONTHS or sheet == "TERMINOLOGY"}
    if not wanted:
        return
    try:
        reader = CalamineWorkbook.from_filelike(io.BytesIO(package.data))
        require(set(reader.sheet_names) == package.sheet_parts.keys(), "another reader sees other sheets")
        seen: dict[str, list[list[Any]]] = {}
        for name in sorted(wanted):
            xml = sheets[name][1] if name in sheets else SheetXml.of(package.read(package.sheet_parts[name]), name)
            check_extent(xml, name)
            seen[name] = reader.get_sheet_by_name(name).to_python(skip_empty_area=False)
        earlier = _earlier_rows(old, plan, sheets)
    except CalamineError as error:
        raise WriteRejected(f"another reader cannot open the new book: {error}") from error
    for was, showed in earlier.items():
        _check_stood(was, showed, old)
    changes = [change for change in plan.changes if not isinstance(change, Delete)]
    for row, change in zip(plan.rows, changes, strict=True):
        stays = isinstance(change, Edit) and change.was.sheet == row.sheet
        before = (change.was, earlier[change.was]) if isinstance(change, Edit) and stays else None
        _check_seen(row, seen[row.sheet], package, before)
    for name, rows in seen.items():
        if name in sheets:
            _check_labelled_cards(name, rows, plan, *sheets[name])


def check_extent(sheet: SheetXml, name: str) -> None:
    """Refuse a sheet with a cell so far out that reading it would end the process."""
    columns = set(re.findall(rb" r=\"([A-Z]{2,3})\d", sheet.xml)) | {b"Z"}
    widest = max(columns, key=lambda column: (len(column), column)).decode()
    width = 0
    for letter in widest:
        width = width * 26 + ord(letter) - 64
    height = sheet.numbers[-1] if sheet.numbers else 0
    require(width * height <= SECOND_READER_CELLS, f"{name} has a cell too far out to be checked: {widest}{height}")


Seen = list[Any]
"""what a row shows from column A to J"""


def _earlier_rows(old: Package, plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]) -> dict[Entry, Seen]:
    """What another reader saw of the entries that are edited and deleted, before the write."""
    names = {was.sheet for was in plan.removed}
    if not names:
        return {}
    reader = CalamineWorkbook.from_filelike(io.BytesIO(old.data))
    seen: dict[str, list[Seen]] = {}
    for name in sorted(names):
        # an edit that changes nothing touches no sheet
        check_extent(sheets[name][0] if name in sheets else SheetXml.of(old.read(old.sheet_parts[name]), name), name)
        seen[name] = reader.get_sheet_by_name(name).to_python(skip_empty_area=False)
    return {was: _row_of(seen[was.sheet], was.row, was.sheet) for was in plan.removed}


def _row_of(rows: list[Seen], number: int, sheet: str) -> Seen:
    require(number <= len(rows), f"another reader does not see row {number} of {sheet}")
    return [*rows[number - 1], *[""] * 10][:10]


def _check_stood(was: Entry, row: Seen, package: Package) -> None:
    """The entry that is edited or deleted is the one in its row: its text, its amount, its day where it is a number."""
    amount = row[5 if was.direction == "DEBIT" else 6]
    same = str(row[3]).strip() == was.description
    same = same and (not isinstance(amount, float) or abs(amount - float(was.amount)) < 0.005)
    same = same and amount != "" and (isinstance(row[2], str) or _is_day(row[2], was.date, package))
    require(same, f"{was.cells} is not the row that was read")


def _is_day(seen: Any, day: date, package: Package) -> bool:
    if isinstance(seen, float):
        return seen == serial(day, date1904=package.date1904)
    return bool((seen.date() if isinstance(seen, datetime) else seen) == day)


def _check_seen(planned: PlannedRow, rows: list[Seen], package: Package, before: tuple[Entry, Seen] | None) -> None:
    """A planned row shows what its draft says; `before` is the entry it was, and what that showed."""
    draft, sheet, number = planned.draft, planned.sheet, planned.row
    row = _row_of(rows, number, sheet)
    debit = draft.direction == "DEBIT"
    amount = float(draft.amount)
    says: dict[int, bool] = {
        2: _is_day(row[2], draft.date, package),
        3: row[3] == draft.stored_description,
        4: row[4] == draft.mode,
        5: row[5] == (amount if debit else ""),
        6: row[6] == ("" if debit else amount),
    }
    if sheet == CASH_TRACKER:
        says[1] = row[1] == MONTHS[draft.date.month - 1]
    if planned.last_column == "J":
        says[9] = row[9] == (draft.category or "")
    kept = _kept(draft, *before, row) if before is not None else frozenset()
    same = all(holds or index in kept for index, holds in says.items())
    require(same, f"another reader sees row {number} of {sheet} with other values")


def _kept(draft: Draft, was: Entry, shown: Seen, now: Seen) -> frozenset[int]:
    """The places of a row that an edit left as they were, and that show what they did."""
    money = (draft.direction, draft.amount) == (was.direction, was.amount)
    left = {
        1: draft.date.month == was.date.month,
        2: draft.date == was.date,
        3: draft.stored_description == Draft(*was[:6]).stored_description,
        4: draft.mode == was.mode,
        5: money,
        6: money,
        9: (draft.category or "").casefold() == (was.category or "").casefold(),
    }
    return frozenset(index for index, unchanged in left.items() if unchanged and now[index] == shown[index])


def _check_labelled_cards(name: str, rows: list[list[Any]], plan: Plan, before: SheetXml, after: SheetXml) -> None:
    opened = {opening.mode: (opening.after or Decimal(0)) - (opening.before or Decimal(0)) for opening in plan.openings}
    month = MONTHS.index(name) + 1 if name in MONTHS else 12
    for sheet, label_cell, card_cell, label, mode in CARDS:
        if sheet != ("month" if name in MONTHS else name):
            continue
        column, number = split(label_cell)
        row = rows[number - 1] if number <= len(rows) else []
        index = ord(column) - ord("A")
        if index >= len(row) or str(row[index]).strip().upper() != label:
            continue
        shown = before.number(card_cell), after.number(card_cell)
        if shown[0] is not None:
            expected = shown[0] + moved_by(plan, mode, month) + opened.get(mode, Decimal(0))
            require(shown[1] == expected, f"the card {name}!{card_cell} does not move by the rows")
