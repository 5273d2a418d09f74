"""The verifier accepts a book with exactly the planned changes, and rejects every other, however little it differs."""

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import pytest

from ledger.book import read_book
from ledger.changes import Plan
from ledger.edits import Add
from ledger.entries import Draft
from ledger.patch import patch
from ledger.plan import plan_write
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook

COFFEE = Draft(date(2026, 11, 30), "coffee", "PHONEPE", "DEBIT", Decimal("120.25"), "Food")
GIFT = Draft(date(2026, 11, 30), "present for amma", "BANK", "DEBIT", Decimal("99.50"), "Gifts")
LATE = Draft(date(2026, 10, 20), "late coffee", "PHONEPE", "DEBIT", Decimal("10"), "Food")
DECEMBER = Draft(date(2026, 12, 2), "new month", "WALLET", "DEBIT", Decimal("15.75"), "Food")

NOVEMBER, CASH, OCTOBER = "xl/worksheets/sheet2.xml", "xl/worksheets/sheet3.xml", "xl/worksheets/sheet1.xml"
STYLES, STRINGS, WORKBOOK = "xl/styles.xml", "xl/sharedStrings.xml", "xl/workbook.xml"


@dataclass(frozen=True)
class Write:
    before: bytes
    after: bytes
    plan: Plan


def written(data: bytes, *drafts: Draft) -> Write:
    workbook = Workbook(data, "Budget_2026.xlsx")
    plan = plan_write(workbook, read_book(workbook), drafts)
    return Write(data, patch(workbook, plan), plan)


@pytest.fixture(scope="module")
def append(small_book: bytes) -> Write:
    return written(small_book, COFFEE, GIFT)


@pytest.fixture(scope="module")
def earlier(small_book: bytes) -> Write:
    return written(small_book, LATE)


@pytest.fixture(scope="module")
def opened(small_book: bytes) -> Write:
    return written(small_book, DECEMBER)


def rezipped(
    data: bytes,
    change: Mapping[str, Callable[[bytes], bytes]],
    drop: tuple[str, ...] = (),
    add: Mapping[str, bytes] | None = None,
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            if info.filename not in drop:
                content = old.read(info)
                new.writestr(info, change[info.filename](content) if info.filename in change else content)
        for name, content in (add or {}).items():
            new.writestr(name, content)
    return out.getvalue()


def sub(pattern: str, replacement: str, count: int = 1) -> Callable[[bytes], bytes]:
    """A change that must find what it changes, or the mutation would test nothing."""

    def change(content: bytes) -> bytes:
        after, times = re.subn(pattern.encode(), replacement.encode(), content, count=count, flags=re.DOTALL)
        assert times >= 1, f"{pattern} is not there"
        assert after != content
        return after

    return change


def appended_style(xml: bytes) -> bytes:
    return sub(r"</cellXfs>", '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellXfs>')(xml)


def swapped_rows(xml: bytes) -> bytes:
    rows = re.findall(rb"<row r=\"(?:9|10)\".*?</row>", xml, re.DOTALL)
    return xml.replace(rows[0] + rows[1], rows[1] + rows[0])


def new_row_outside(xml: bytes) -> bytes:
    row = re.search(rb"<row r=\"10\".*?</row>", xml, re.DOTALL)
    assert row
    return xml.replace(row[0], b"").replace(b"</sheetData>", b"</sheetData>" + row[0])


def new_row_in_a_drawing_anchor(xml: bytes) -> bytes:
    """The trap of a patcher that takes any element called row: the row stands in another part of the sheet."""
    row = re.search(rb"<row r=\"16\".*?</row>", xml, re.DOTALL)
    assert row
    return xml.replace(row[0], b"").replace(b"<pageMargins", b"<controls>" + row[0] + b"</controls><pageMargins")


MUTATIONS: Mapping[str, tuple[Mapping[str, Callable[[bytes], bytes]], str]] = {
    "another cell's amount": ({NOVEMBER: sub(r'(<c r="F6"[^>]*><v>)9.95', r"\g<1>9.96")}, "row 6 of NOVEMBER"),
    "another cell's style": ({NOVEMBER: sub(r'(<c r="D6") s="\d+"', r'\1 s="0"')}, "row 6 of NOVEMBER"),
    "another cell in a touched row": ({NOVEMBER: sub(r'(<c r="K8".*?<v>)\d+', r"\g<1>3")}, "K8 was changed"),
    "a cell dropped from a touched row": ({NOVEMBER: sub(r'<c r="K8".*?</c>', "")}, "a cell more or less"),
    "a formula replaced by its number": ({NOVEMBER: sub(r'(<c r="H6"[^>]*>)<f>[^<]*</f>', r"\1")}, "row 6 of NOVEMBER"),
    "a card's formula replaced by its number": (
        {NOVEMBER: sub(r'(<c r="L8"[^>]*>)<f>[^<]*</f>', r"\1")},
        "formula of NOVEMBER!L8",
    ),
    "the new row's balance typed": (
        {NOVEMBER: sub(r'(<c r="H10"[^>]*>)<f>[^<]*</f>', r"\1")},
        "formula of NOVEMBER!H10",
    ),
    "a stale card": ({NOVEMBER: sub(r'(<c r="L8".*?<v>)[^<]*', r"\g<1>7545.05")}, "NOVEMBER!L8 shows another value"),
    "a stale running balance": (
        {NOVEMBER: sub(r'(<c r="H10".*?<v>)[^<]*', r"\g<1>1")},
        "NOVEMBER!H10 shows another value",
    ),
    "an amount off by a paisa": ({NOVEMBER: sub(r'(<c r="F10"[^>]*><v>)120.25', r"\g<1>120.26")}, "NOVEMBER!F10"),
    "a float's rounding": ({NOVEMBER: sub(r"<v>120.25</v>", "<v>120.24999999999999</v>")}, "NOVEMBER!F10"),
    "the amount as text": ({NOVEMBER: sub(r'(<c r="F10"[^>]*)><v>', r'\1 t="str"><v>')}, "NOVEMBER!F10"),
    "text turned into a formula": (
        {NOVEMBER: sub(r'(<c r="D10"[^>]*) t="inlineStr"><is>.*?</is>', r"\1><f>COFFEE</f>")},
        "formula of NOVEMBER!D10",
    ),
    "another text": ({NOVEMBER: sub("COFFEE</t>", "TOFFEE</t>")}, "NOVEMBER!D10"),
    "another day": ({NOVEMBER: sub(r'(<c r="C10"[^>]*><v>)\d+', r"\g<1>46355")}, "NOVEMBER!C10"),
    "the new row in another colour": ({NOVEMBER: sub(r'(<c r="D10") s="\d+"', r'\1 s="1"')}, "NOVEMBER!D10"),
    "the new row missing": ({NOVEMBER: sub(r'<c r="[C-J]10".*?(?=<c r="K10"|</row>)', "", 8)}, "a cell more or less"),
    "the cash row missing": ({CASH: sub(r'<row r="16".*?</row>', "")}, "row 16 of CASH TRACKER is missing"),
    "a second new row": (
        {CASH: sub(r"</sheetData>", r'<row r="17"><c r="F17"><v>1</v></c></row></sheetData>')},
        "row 17",
    ),
    "the new row hidden": ({CASH: sub(r'<row r="16"', r'<row r="16" hidden="1"')}, "row 16 of CASH TRACKER is hidden"),
    "a row deleted": ({CASH: sub(r'<row r="13".*?</row>', "")}, "row 13 of CASH TRACKER"),
    "rows out of order": ({NOVEMBER: swapped_rows}, "rows of NOVEMBER do not ascend"),
    "cells out of order": ({CASH: sub(r'(<c r="C16".*?)(<c r="D16".*?</c>)', r"\2\1")}, "do not ascend"),
    "a cell that says another row": ({CASH: sub(r'<c r="C16"', '<c r="C17"')}, "another row than it says"),
    "a row outside the sheet's data": ({NOVEMBER: new_row_outside}, "NOVEMBER"),
    "a row among the controls": ({CASH: new_row_in_a_drawing_anchor}, "CASH TRACKER"),
    "a validation lost": (
        {NOVEMBER: sub(r"<dataValidations.*?</dataValidations>", "")},
        "NOVEMBER has something more or less",
    ),
    "a validation changed": ({NOVEMBER: sub(r'sqref="E6:E2005"', 'sqref="E6:E9"')}, "NOVEMBER has an unplanned change"),
    "a width changed": ({NOVEMBER: sub(r'width="36[^"]*"', 'width="3"')}, "NOVEMBER has an unplanned change"),
    "a comment slipped in": ({NOVEMBER: sub(r"</sheetData>", "</sheetData><!-- x -->")}, "comment"),
    "not well-formed": ({NOVEMBER: sub(r"</worksheet>", "")}, "not well-formed"),
    "a document type": ({NOVEMBER: sub(r"<worksheet", "<!DOCTYPE x [<!ENTITY a 'b'>]><worksheet")}, "document type"),
    "a shared text changed": ({STRINGS: sub("RENT", "BENT")}, "xl/sharedStrings.xml was changed"),
    "another sheet changed": ({"xl/worksheets/sheet4.xml": sub("5000", "6000")}, "sheet4.xml was changed"),
    "a chart changed": ({"xl/charts/chart1.xml": sub("Spent", "Spend")}, "chart1.xml was changed"),
    "a style changed": ({STYLES: sub("FFEE7ADD", "FFEE7ADC")}, "xl/styles.xml was changed"),
    "a style slipped in": ({STYLES: appended_style}, "xl/styles.xml was changed"),
    "no recalculation": ({WORKBOOK: sub(r' fullCalcOnLoad="1"', "")}, "does not ask to be recalculated"),
    "manual calculation": ({WORKBOOK: sub(r"<calcPr", '<calcPr calcMode="manual"')}, "calculation setting calcMode"),
    "a sheet hidden": (
        {WORKBOOK: sub(r'<sheet name="BUDGET"', '<sheet name="BUDGET" state="hidden"')},
        "name, number or state",
    ),
    "a sheet renamed": ({WORKBOOK: sub(r'<sheet name="BUDGET"', '<sheet name="BUDGETS"')}, "order of the sheets"),
    "a name changed": ({WORKBOOK: sub(r"NOVEMBER!\$B\$1", "NOVEMBER!$$C$$1")}, "defined names"),
    "a name lost": ({WORKBOOK: sub(r"<definedName .*?</definedName>", "")}, "defined names"),
    "another date system": ({WORKBOOK: sub(r"<workbookPr", '<workbookPr date1904="1"')}, "unplanned change"),
}


def test_a_correct_write_is_accepted(append: Write, earlier: Write, opened: Write) -> None:
    for write in (append, earlier, opened):
        verify(write.before, write.after, write.plan)


def test_another_program_may_have_packed_the_same_parts(append: Write) -> None:
    verify(append.before, rezipped(append.after, {}), append.plan)


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_book_that_differs_from_the_plan_is_rejected(what: str, append: Write) -> None:
    change, reason = MUTATIONS[what]
    with pytest.raises(WriteRejected, match=re.escape(reason)):
        verify(append.before, rezipped(append.after, change), append.plan)


def test_a_part_dropped_or_added_is_rejected(append: Write) -> None:
    with pytest.raises(WriteRejected, match=r"a part is missing: xl/charts/chart1\.xml"):
        verify(append.before, rezipped(append.after, {}, drop=("xl/charts/chart1.xml",)), append.plan)
    with pytest.raises(WriteRejected, match=r"added: xl/vbaProject.bin"):
        verify(append.before, rezipped(append.after, {}, add={"xl/vbaProject.bin": b"x"}), append.plan)


def test_bytes_that_are_no_package_are_rejected(append: Write) -> None:
    for data in (
        b"",
        append.after[:-100],
        b"PK\3\4" + append.after[4:200],
        append.after.replace(b"xl/workbook", b"xl/workboot"),
    ):
        with pytest.raises(WriteRejected):
            verify(append.before, data, append.plan)


def test_flipped_bytes_never_pass_unless_nothing_is_changed_by_them(append: Write) -> None:
    passed = []
    for position in range(0, len(append.after), max(1, len(append.after) // 150)):
        broken = bytearray(append.after)
        broken[position] ^= 0x10
        try:
            verify(append.before, bytes(broken), append.plan)
        except WriteRejected:
            continue
        passed.append(position)
    with zipfile.ZipFile(io.BytesIO(append.after)) as archive:
        right = {info.filename: archive.read(info) for info in archive.infolist()}
    for position in passed:  # a date in the directory, say
        broken = bytearray(append.after)
        broken[position] ^= 0x10
        with zipfile.ZipFile(io.BytesIO(bytes(broken))) as archive:
            assert {info.filename: archive.read(info) for info in archive.infolist()} == right


def test_a_plan_of_another_version_of_the_book_is_rejected(append: Write, earlier: Write) -> None:
    with pytest.raises(WriteRejected, match="another version"):
        verify(append.after, append.after, append.plan)
    with pytest.raises(WriteRejected):
        verify(earlier.before, append.after, earlier.plan)


def test_a_write_that_changes_nothing_is_rejected(append: Write) -> None:
    with pytest.raises(WriteRejected):
        verify(append.before, append.before, append.plan)


def test_an_earlier_months_row_must_move_every_later_balance(earlier: Write) -> None:
    shift = next(shift for shift in earlier.plan.shifts if shift.sheet == "NOVEMBER")
    assert (shift.first, shift.by) == (5, Decimal(-10))
    stale = rezipped(earlier.after, {NOVEMBER: sub(r'(<c r="H7".*?<v>)[^<]*', r"\g<1>7545.05")})
    with pytest.raises(WriteRejected, match=r"NOVEMBER!H7 did not move by -10"):
        verify(earlier.before, stale, earlier.plan)
    opening = rezipped(earlier.after, {NOVEMBER: sub(r'(<c r="H5".*?<v>)[^<]*', r"\g<1>7550")})
    with pytest.raises(WriteRejected, match="NOVEMBER!H5 did not move"):
        verify(earlier.before, opening, earlier.plan)
    colour = rezipped(earlier.after, {NOVEMBER: sub(r'(<c r="H7") s="\d+"', r'\1 s="0"')})
    with pytest.raises(WriteRejected, match="NOVEMBER!H7 has another format"):
        verify(earlier.before, colour, earlier.plan)


NEW_SHEET = "xl/worksheets/sheet6.xml"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({NEW_SHEET: sub(r"NOVEMBER!L8", "OCTOBER!L8")}, "formula of DECEMBER!H5"),
        ({NEW_SHEET: sub(r'(<c r="H5".*?<v>)[^<]*', r"\g<1>1")}, "DECEMBER!H5 shows another value"),
        ({NEW_SHEET: sub(r'<c r="L15".*?</c>', "")}, "a cell more or less"),
        (
            {NEW_SHEET: sub(r"</sheetData>", '<row r="99"><c r="A99"><v>1</v></c></row></sheetData>')},
            "row 99 of DECEMBER",
        ),
        ({NEW_SHEET: sub(r"<sheetView ", '<sheetView tabSelected="1" ')}, "selected together"),
        ({NEW_SHEET: sub(r"<dataValidations.*?</dataValidations>", "")}, "more or less outside the cells"),
        ({"xl/charts/chart3.xml": sub(r"DECEMBER!", "NOVEMBER!")}, "chart3.xml is not the copy"),
        ({"xl/drawings/_rels/drawing3.xml.rels": sub(r"chart3", "chart2")}, "does not lead to the same things"),
        ({WORKBOOK: sub(r'(<sheet name="DECEMBER")', r'\1 state="hidden"')}, "DECEMBER is not as planned"),
        ({WORKBOOK: sub(r'localSheetId="2">DECEMBER', 'localSheetId="3">DECEMBER')}, "defined"),
        ({"[Content_Types].xml": sub(r'<Override PartName="/xl/charts/chart3.xml"[^>]*/>', "")}, "content types"),
        ({"xl/_rels/workbook.xml.rels": sub(r'Id="rId1"', 'Id="rId77"')}, "cannot be checked"),
    ],
)
def test_a_new_months_sheet_must_be_the_planned_one(
    change: Mapping[str, Callable[[bytes], bytes]], reason: str, opened: Write
) -> None:
    with pytest.raises(WriteRejected, match=reason):
        verify(opened.before, rezipped(opened.after, change), opened.plan)


def test_a_plan_whose_figures_do_not_follow_from_its_drafts_is_rejected_with_its_own_bytes(append: Write) -> None:
    plan = append.plan
    wrong: list[tuple[Plan, str]] = [
        (replace(plan, balances_after={**plan.balances_after, "BANK": Decimal(1)}), "BANK balance does not move"),
        (replace(plan, rows=plan.rows[:1]), "planned rows are not the drafts"),
        (replace(plan, rows=(plan.rows[0], replace(plan.rows[1], sheet="NOVEMBER"))), "another sheet than its mode"),
        (replace(plan, changes=(Add(replace(COFFEE, amount=Decimal(1))), Add(GIFT))), "does not move by the rows"),
    ]
    for each, reason in wrong:
        with pytest.raises(WriteRejected, match=reason):
            verify(append.before, append.after, each)


def test_a_card_that_the_plan_forgot_is_noticed_by_its_label(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    plan = plan_write(workbook, read_book(workbook), [COFFEE])
    forgetful = replace(
        plan,
        cells=tuple(cell for cell in plan.cells if cell.reference != "L8"),
        cards=tuple(change for change in plan.cards if not change.card.cell.endswith("L8")),
    )
    with pytest.raises(WriteRejected, match="the card NOVEMBER!L8 does not move by the rows"):
        verify(small_book, patch(workbook, forgetful), forgetful)


def test_a_running_balance_that_does_not_follow_the_row_above_is_noticed(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    plan = plan_write(workbook, read_book(workbook), [COFFEE])
    wrong = replace(
        plan, cells=tuple(replace(cell, value=Decimal(5)) if cell.reference == "H10" else cell for cell in plan.cells)
    )
    with pytest.raises(WriteRejected, match="running balance NOVEMBER!H10 does not follow"):
        verify(small_book, patch(workbook, wrong), wrong)


def test_a_far_cell_is_rejected_before_the_second_reader_meets_it(small_book: bytes) -> None:
    write = written(small_book, GIFT)
    far = {CASH: sub("</sheetData>", '<row r="60000"><c r="ZZ60000"><v>1</v></c></row></sheetData>')}
    before, after = rezipped(write.before, far), rezipped(write.after, far)
    plan = replace(write.plan, before_sha256=hashlib.sha256(before).hexdigest())
    with pytest.raises(WriteRejected, match="too far out to be checked: ZZ60000"):
        verify(before, after, plan)
