"""The rows of a sheet: those outside the plan the same bytes, in the others only planned cells, each as planned."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation

from ledger.changes import KEEP, CellChange, Keep, Moves, Plan, Shift, Value
from ledger.verify.cells import CellXml, SheetXml, cells_of, plain_number, read_cell
from ledger.verify.package import Package, check_well_formed
from ledger.verify.ranges import check_ranges, pairs_of
from ledger.verify.rejection import WriteRejected, require


def check_sheets(old: Package, new: Package, plan: Plan) -> dict[str, tuple[SheetXml, SheetXml]]:
    """Every touched sheet: rows outside the plan the same bytes, inside it only planned cells, each as planned."""
    sheets: dict[str, tuple[SheetXml, SheetXml]] = {}
    for name in sorted(touched_sheets(old, plan)):
        require(
            name in old.sheet_parts and new.sheet_parts.get(name) == old.sheet_parts[name], f"there is no sheet {name}"
        )
        part = old.sheet_parts[name]
        before, after = SheetXml.of(old.read(part), name), SheetXml.of(new.read(part), name)
        require(before.prefix == after.prefix, f"the rows of {name} were renamed")
        check_well_formed(after.head + after.tail, part)
        check_ranges(before.head + before.tail, after.head + after.tail, pairs_of(plan, part), name)
        changes: dict[int, dict[str, CellChange]] = {}
        for change in plan.cells:
            if change.sheet == name:
                row = changes.setdefault(change.row, {})
                require(change.column not in row, f"the plan changes {change.cell} twice")
                row[change.column] = change
        shifts = [shift for shift in plan.shifts if shift.sheet == name]
        moves = [moves for moves in plan.moves if moves.sheet == name]
        _check_rows(before, after, Planned(changes, shifts, moves), Row(name, 0, after.prefix, new.date1904))
        sheets[name] = (before, after)
    return sheets


def touched_sheets(old: Package, plan: Plan) -> set[str]:
    """The sheets whose part may differ."""
    parts = {change.part for change in plan.ranges}
    touched = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    touched |= {moves.sheet for moves in plan.moves}
    return touched | {name for name, part in old.sheet_parts.items() if part in parts}


@dataclass(frozen=True)
class Row:
    """Which row is looked at, and how its sheet writes names and days."""

    sheet: str
    number: int
    prefix: bytes
    date1904: bool


@dataclass(frozen=True)
class Planned:
    """What the plan says of one sheet's rows."""

    changes: Mapping[int, Mapping[str, CellChange]]
    """by row and column"""
    shifts: Sequence[Shift]
    moves: Sequence[Moves]


def _check_rows(before: SheetXml, after: SheetXml, plan: Planned, sheet: Row) -> None:
    moved: dict[int, dict[str, Decimal]] = {}
    for shift in plan.shifts:
        low, high = bisect_left(before.numbers, shift.first), bisect_left(before.numbers, shift.last + 1)
        for number in before.numbers[low:high]:
            columns = moved.setdefault(number, {})
            columns[shift.column] = columns.get(shift.column, Decimal(0)) + shift.by
    origins, moving = _origins(plan.moves, sheet.sheet)
    left = right = 0
    for number in sorted({*plan.changes, *moved, *origins}):
        low, high = bisect_left(before.numbers, number), bisect_left(after.numbers, number)
        require(
            high < len(after.numbers) and after.numbers[high] == number, f"row {number} of {sheet.sheet} is missing"
        )
        if (left, right) != (low, high):
            _check_run(before, after, (left, low), (right, high), sheet.sheet)
        there = low < len(before.numbers) and before.numbers[low] == number
        chunk = before.chunk(low) if there else None
        planned, by = plan.changes.get(number, {}), moved.get(number, {})
        left, right = low + there, high + 1
        plain = chunk is not None and not planned and number not in origins
        if plain and _only_moved(chunk or b"", after.chunk(high), by, before.prefix, number):
            continue
        row = replace(sheet, number=number)
        if number in origins:
            require(not by, f"the plan sets and moves row {number} of {sheet.sheet}")
            check_row(chunk, after.chunk(high), planned, by, row, taken=_taken(before, origins[number], moving, row))
        else:
            check_row(chunk, after.chunk(high), planned, by, row)
    _check_run(before, after, (left, len(before.numbers)), (right, len(after.numbers)), sheet.sheet)


def _origins(moves: Sequence[Moves], sheet: str) -> tuple[dict[int, int | None], frozenset[str]]:
    """The rows that take over other cells than their own, and the columns these stand in."""
    require(len(moves) <= 1, f"the plan moves the rows of {sheet} twice")
    if not moves:
        return {}, frozenset()
    return moves[0].changed(), frozenset(moves[0].columns)


def _taken(before: SheetXml, origin: int | None, moving: frozenset[str], row: Row) -> dict[str, bytes | None]:
    """By column, the cell that a row takes over, as it must be written there; None where it takes over none."""
    found: dict[str, bytes | None] = dict.fromkeys(moving)
    chunk = before.row(origin) if origin is not None else None
    if chunk is None:
        return found
    _, cells, _ = cells_of(chunk, before.prefix, f"row {origin} of {row.sheet}")
    for column in moving & cells.keys():
        was, now = b'"%s%d"' % (column.encode(), origin or 0), b'"%s%d"' % (column.encode(), row.number)
        tag, rest = cells[column].split(b">", 1)
        require(tag.count(was) == 1, f"{row.sheet}!{column}{origin} cannot be moved")
        found[column] = tag.replace(was, now) + b">" + rest
    return found


def _check_run(before: SheetXml, after: SheetXml, left: tuple[int, int], right: tuple[int, int], sheet: str) -> None:
    """Rows that the plan does not touch: the same numbers, the same bytes."""
    old = before.xml[before.offset(left[0]) : before.offset(left[1])]
    new = after.xml[after.offset(right[0]) : after.offset(right[1])]
    if old == new or (old.rstrip() == new.rstrip() and right[1] == len(after.numbers)):
        return
    numbers = [*before.numbers[left[0] : left[1]]], [*after.numbers[right[0] : right[1]]]
    extra = set(numbers[0]) ^ set(numbers[1])
    require(not extra, f"row {min(extra, default=0)} of {sheet} was added or lost")
    pairs = zip(range(*left), range(*right), strict=True)
    differing = next((a for a, b in pairs if before.chunk(a) != after.chunk(b)), left[0])
    raise WriteRejected(f"row {before.numbers[differing]} of {sheet} has an unplanned change")


def _only_moved(old: bytes, new: bytes, by: Mapping[str, Decimal], prefix: bytes, number: int) -> bool:
    """The common case of a shift, without a parser: one column, the same bytes but for the number shown."""
    if len(by) != 1:
        return False
    ((column, amount),) = by.items()
    start = old.find(b'<%sc r="%s%d"' % (prefix, column.encode(), number))
    opening = b"<%sv>" % prefix
    first = old.find(opening, start) + len(opening)
    last = old.find(b"<", first)
    if start < 0 or first < start or b"<%sc " % prefix in old[start + 2 : first]:
        return False
    end = len(new) - (len(old) - last)
    if new[:first] != old[:first] or new[end:] != old[last:] or b' t="' in old[start : old.find(b">", start)]:
        return False
    try:
        return Decimal(new[first:end].decode()) == Decimal(old[first:last].decode()) + amount
    except (InvalidOperation, UnicodeDecodeError):
        return False


def check_row(
    old: bytes | None,
    new: bytes,
    planned: Mapping[str, CellChange],
    by: Mapping[str, Decimal],
    row: Row,
    *,
    taken: Mapping[str, bytes | None] | None = None,
) -> None:
    """A row of the new sheet, `old` as it was (None: it was not there), its cells planned or moved `by` an amount.

    `taken` are the cells it takes over from another row instead of its own, by column.
    """
    prefix = row.prefix
    where = f"row {row.number} of {row.sheet}"
    opening, cells, closing = cells_of(new, prefix, where)
    if old is None:
        require(not re.search(rb"\s(hidden|collapsed)\s*=\s*[\"'](1|true)", opening), f"{where} is hidden")
        require(closing.strip() == b"</" + prefix + b"row>", f"{where} is broken")
        before: Mapping[str, bytes] = {}
    else:
        old_opening, before, old_closing = cells_of(old, prefix, where)
        same = _row_tag(old_opening) == _row_tag(opening)
        closed = old_closing.strip() == closing.strip() or (not before and old_opening.endswith(b"/>"))
        require(same and closed, f"{where} has an unplanned change")
    if taken is not None:
        before = {column: cell for column, cell in before.items() if column not in taken}
        before |= {column: cell for column, cell in taken.items() if cell is not None}
    wanted = before.keys() | planned.keys()
    require(
        cells.keys() == wanted,
        f"{where} has a cell more or less than planned: {', '.join(sorted(cells.keys() ^ wanted))}",
    )
    # what is the same bytes as before, but for a number, was read before; all else must be well-formed
    familiar = {c for c, cell in cells.items() if _is_familiar(before.get(c), cell, planned.get(c), prefix)}
    if old is None or len(familiar) < len(cells):
        check_well_formed(new, where, fragment=True)
    for column, cell in cells.items():
        earlier = before.get(column)
        if column not in planned and column not in by:
            require(cell == earlier, f"{row.sheet}!{column}{row.number} was changed")
            continue
        if column not in by and column in familiar:
            continue
        was = read_cell(earlier, prefix) if earlier is not None else None
        change = planned.get(column, CellChange(row.sheet, column, row.number))
        _check_cell(was, read_cell(cell, prefix), change, by.get(column), row)


def _is_familiar(old: bytes | None, new: bytes, change: CellChange | None, prefix: bytes) -> bool:
    """Whether a cell is the one that was there, or differs in nothing but the planned number it shows."""
    if old is None or change is None:
        return old == new
    if not isinstance(change.value, Decimal) or not isinstance(change.style, Keep):
        return False
    # a cell without a formula may be told to have none
    if not isinstance(change.formula, Keep) and (change.formula is not None or b"<%sf" % prefix in old):
        return False
    was, now = plain_number(old, prefix), plain_number(new, prefix)
    return was is not None and now is not None and (*was[::2], change.value) == (*now[::2], now[1])


def _row_tag(tag: bytes) -> bytes:
    """A row's opening tag without the span of its columns, which widens, and without telling `<row/>` from `<row>`."""
    return re.sub(rb"\sspans=\"[^\"]*\"", b"", tag).replace(b"/>", b">").replace(b" >", b">")


def _check_cell(was: CellXml | None, now: CellXml, change: CellChange, by: Decimal | None, row: Row) -> None:
    where = f"{change.sheet}!{change.reference}"
    require(was is not None or KEEP not in (change.value, change.formula, change.style), f"{where} was not there")
    blank = CellXml(0, "n", None, (), None, ())
    was = was or blank
    require(now.others == (was.others if was.shown is not None else ()), f"{where} has an unplanned attribute")
    style = was.style if isinstance(change.style, Keep) else change.style
    require(now.style == style, f"{where} has another format than planned")
    if isinstance(change.formula, Keep):
        same = (now.formula, now.formula_attributes) == (was.formula, was.formula_attributes)
        require(same, f"the formula of {where} was changed")
    else:
        require(
            now.formula == change.formula and not now.formula_attributes,
            f"the formula of {where} differs from the plan",
        )
    if by is not None:
        require(isinstance(change.value, Keep), f"the plan sets and moves {where}")
        if was.number is None:
            require((now.type, now.shown) == (was.type, was.shown), f"{where} shows another value")
        else:
            require(now.number == was.number + by, f"{where} did not move by {by}")
    elif isinstance(change.value, Keep):
        require((now.type, now.shown) == (was.type, was.shown), f"{where} shows another value")
    else:
        require(_shows(now, change.value, date1904=row.date1904), f"{where} shows another value than planned")


def _shows(cell: CellXml, value: Value, *, date1904: bool) -> bool:
    if value is None:
        return cell.shown is None and cell.type == "n"
    if isinstance(value, str):
        return cell.type == ("inlineStr" if cell.formula is None else "str") and cell.shown == value
    expected = Decimal(serial(value, date1904=date1904)) if isinstance(value, date) else value
    return cell.number == expected


def serial(day: date, *, date1904: bool) -> int:
    """The number of a day."""
    return (day - (date(1904, 1, 1) if date1904 else date(1899, 12, 30))).days
