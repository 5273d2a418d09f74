"""Another program's reader sees the new rows, and each card of the layout moved by them."""

import io
import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from python_calamine import CalamineError, CalamineWorkbook

from ledger.changes import Plan, PlannedRow
from ledger.entries import CASH_TRACKER, MONTHS, Mode
from ledger.verify.cells import SheetXml, split
from ledger.verify.money import effects
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
    data: bytes, package: Package, plan: Plan, sheets: Mapping[str, tuple[SheetXml, SheetXml]]
) -> None:
    """Calamine sees every planned row with its values, and each card of the layout moved by the rows."""
    wanted = {row.sheet for row in plan.rows} | {sheet for sheet in sheets if sheet in MONTHS or sheet == "TERMINOLOGY"}
    if not wanted:
        return
    try:
        reader = CalamineWorkbook.from_filelike(io.BytesIO(data))
        require(set(reader.sheet_names) == package.sheet_parts.keys(), "another reader sees other sheets")
        seen: dict[str, list[list[Any]]] = {}
        for name in sorted(wanted):
            xml = sheets[name][1] if name in sheets else SheetXml.of(package.read(package.sheet_parts[name]), name)
            _check_extent(xml, name)
            seen[name] = reader.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise WriteRejected(f"another reader cannot open the new book: {error}") from error
    for row in plan.rows:
        _check_seen(row, seen[row.sheet], package)
    for name, rows in seen.items():
        if name in sheets:
            _check_labelled_cards(name, rows, plan, *sheets[name])


def _check_extent(sheet: SheetXml, name: str) -> None:
    columns = set(re.findall(rb" r=\"([A-Z]{2,3})\d", sheet.xml)) | {b"Z"}
    widest = max(columns, key=lambda column: (len(column), column)).decode()
    width = 0
    for letter in widest:
        width = width * 26 + ord(letter) - 64
    height = sheet.numbers[-1] if sheet.numbers else 0
    require(width * height <= SECOND_READER_CELLS, f"{name} has a cell too far out to be checked: {widest}{height}")


def _check_seen(planned: PlannedRow, rows: list[list[Any]], package: Package) -> None:
    draft, sheet, number = planned.draft, planned.sheet, planned.row
    require(number <= len(rows), f"another reader does not see row {number} of {sheet}")
    row = [*rows[number - 1], *[""] * 10][:10]
    month, day, description, mode, debit, credit = row[1:7]
    amount = float(draft.amount)
    seen_day = day.date() if isinstance(day, datetime) else day
    if isinstance(day, float):
        same_day = day == serial(draft.date, date1904=package.date1904)
    else:
        same_day = seen_day == draft.date
    expected = (amount, "") if draft.direction == "DEBIT" else ("", amount)
    same = same_day and (description, mode) == (draft.stored_description, draft.mode) and (debit, credit) == expected
    if sheet == CASH_TRACKER:
        same = same and month == MONTHS[draft.date.month - 1]
    if planned.last_column == "J":
        same = same and row[9] == (draft.category or "")
    require(same, f"another reader sees row {number} of {sheet} with other values")


def _check_labelled_cards(name: str, rows: list[list[Any]], plan: Plan, before: SheetXml, after: SheetXml) -> None:
    opened = {opening.mode: opening.after - (opening.before or Decimal(0)) for opening in plan.openings}
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
            expected = shown[0] + effects(plan.drafts, mode, month) + opened.get(mode, Decimal(0))
            require(shown[1] == expected, f"the card {name}!{card_cell} does not move by the rows")
