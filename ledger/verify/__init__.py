"""What must be true of a book's new bytes before they replace it. Shares no code with what reads and writes books.

    before, after, Plan ──► parts     only planned parts differ, the rest are the same bytes
                            listing   sheets, names and views as planned, recalculation asked for
                            formats   only appended to
                            sheets    rows outside the plan the same bytes, in the others only planned cells, as planned
                            month     a new month's sheet like the one it copies
                            money     balances and cards moved by exactly the rows, whose cells say what was asked
                            rows      no row lost, doubled or mixed up; running balances follow row by row
                            tables    of another layout: what rows say, none lost, balances along the whole table
                            mends     a cell typed right, and only what follows from it
                            reader    another program's reader sees the new rows

It reads the package by `zipfile`, the parts by its own expressions, expat and lxml, and the rows once more by calamine.
It does not judge whether a plan is wise: it rejects what differs from it.
"""

import hashlib

from ledger.changes import Plan
from ledger.verify.formats import check_styles
from ledger.verify.listing import check_workbook
from ledger.verify.mends import check_mends
from ledger.verify.money import check_money
from ledger.verify.month import check_new_sheet
from ledger.verify.package import Package
from ledger.verify.parts import check_parts
from ledger.verify.ranges import check_ranges, pairs_of
from ledger.verify.reader import check_second_reader
from ledger.verify.rejection import UNREADABLE, WriteRejected, require
from ledger.verify.rows import check_rows
from ledger.verify.sheets import check_sheets
from ledger.verify.tables import check_tables

__all__ = ["WriteRejected", "verify"]


def verify(before: bytes, after: bytes, plan: Plan) -> None:
    """Accept `after` as `before` with exactly the planned changes; WriteRejected names the first difference."""
    try:
        _verify(before, after, plan)
    except UNREADABLE as error:
        raise WriteRejected(f"the new book cannot be checked: {type(error).__name__} {error}") from error


def _verify(before: bytes, after: bytes, plan: Plan) -> None:
    require(
        hashlib.sha256(before).hexdigest() == plan.before_sha256, "the plan was made for another version of the book"
    )
    old, new = Package.of(before), Package.of(after)
    check_parts(old, new, plan)
    check_workbook(old, new, plan)
    check_styles(old, new, plan.styles)
    sheets = check_sheets(old, new, plan)
    for sheet in plan.new_sheets:
        check_new_sheet(old, new, plan, sheet)
    for part in {change.part for change in plan.ranges} - set(old.sheet_parts.values()) - set(new.sheet_parts.values()):
        if part != old.workbook:
            check_ranges(old.read(part), new.read(part), pairs_of(plan, part), part)
    if plan.mends:
        check_mends(old, new, plan, sheets)
        return
    if plan.shapes:
        check_tables(old, new, plan, sheets)
        return
    check_money(plan, sheets)
    check_rows(plan, sheets)
    check_second_reader(old, new, plan, sheets)
