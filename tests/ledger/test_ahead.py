"""Books whose balances are filled down ahead of their rows, with formatted blank rows, or with notes below the rows."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from ledger.book import read_book
from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import CASH_TRACKER, Book, BookRefused, Draft
from ledger.patch import patch
from ledger.plan import plan_changes
from ledger.verify import verify
from ledger.workbook import Workbook
from tests.ledger.test_edits import changed, entry, order, reading, shown

EditBook = Callable[..., bytes]
RUNNING = 'H{0}+IF($E{1}="PHONEPE",$G{1}-$F{1},0)', 'I{0}+IF($E{1}="WALLET",$G{1}-$F{1},0)'
BLANK = 'IF($E{1}="","",' + RUNNING[0] + ")", 'IF($E{1}="","",' + RUNNING[1] + ")"
TEA = Draft(date(2026, 11, 30), "tea", "PHONEPE", "DEBIT", Decimal("10.5"), "Food")
EARLY = replace(TEA, date=date(2026, 11, 6))
KINDS = ("numbers", "blanks", "shared", "uncalculated")


def ahead(data: bytes, edit: EditBook, kind: str, rows: int = 20) -> bytes:
    """The small book with November's balances, whose last row is 9, filled down by so many rows."""
    cells: dict[str, str] = {}
    for column, running, blank in zip("HI", RUNNING, BLANK, strict=True):
        now = shown(data, f"NOVEMBER!{column}9")
        if kind == "blanks":
            for row in range(6, 10):
                cells[f"NOVEMBER!{column}{row}"] = (
                    f"v:{blank.format(row - 1, row)}|{shown(data, f'NOVEMBER!{column}{row}')}"
                )
        for row in range(10, 10 + rows):
            formula = (blank if kind == "blanks" else running).format(row - 1, row)
            value = {"blanks": "f:{}", "uncalculated": "f:{}"}.get(kind, "v:{}|" + str(now)).format(formula)
            cells[f"NOVEMBER!{column}{row}"] = value
    book = edit(data, cells)
    workbook = Workbook(book, "Budget_2026.xlsx")
    part = workbook.sheet("NOVEMBER").part
    xml = workbook.part(part)
    for number, (column, running) in enumerate(zip("HI", RUNNING, strict=True), 7):
        for row in range(10, 10 + rows):
            if kind == "shared":
                text = b"<f>" + running.format(row - 1, row).encode().replace(b'"', b"&quot;") + b"</f>"
                text = text if text in xml else text.replace(b"&quot;", b'"')
                own = text.removeprefix(b"<f>") if row == 10 else b""
                ref = b' ref="%s10:%s%d"' % (column.encode(), column.encode(), 9 + rows) if row == 10 else b""
                new = b'<f t="shared"%s si="%d"' % (ref, number) + (b">" + own if own else b"/>")
                assert text in xml
                xml = xml.replace(text, new)
            elif kind == "blanks":
                at = xml.index(b'<c r="%s%d"' % (column.encode(), row))
                end = xml.index(b"</c>", at)
                cell = xml[at:end].replace(b">", b' t="str">', 1) + b"<v></v>"
                xml = xml[:at] + cell + xml[end:]
    return workbook.rebuilt({part: xml})


def filled(data: bytes, row: int, column: str = "H") -> str | None:
    cell = Workbook(data, "Budget_2026.xlsx").sheet("NOVEMBER").cells(row).get(column)
    return None if cell is None else cell.formula


def several(book: Book) -> Mapping[str, list[EntryChange]]:
    lunch, auto, refund = (entry(book, words) for words in ("LUNCH", "AUTO", "REFUND"))
    return {
        "append": [Add(TEA)],
        "three": [Add(TEA), Add(TEA), Add(replace(TEA, mode="WALLET"))],
        "earlier": [Add(EARLY)],
        "both": [Add(EARLY), Add(TEA)],
        "october": [Add(replace(TEA, date=date(2026, 10, 31)))],
        "december": [Add(replace(TEA, date=date(2026, 12, 1)))],
        "edit": [Edit(auto, replace(draft_of(auto), amount=Decimal(40)))],
        "moved": [Edit(lunch, replace(draft_of(lunch), date=date(2026, 11, 20)))],
        "delete": [Delete(lunch), Delete(auto), Delete(refund)],
        "mode": [Edit(auto, replace(draft_of(auto), mode="MONEY"))],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_balances_filled_down_ahead_are_taken_over_and_show_the_new_balance(
    kind: str, small_book: bytes, edit: EditBook
) -> None:
    book = ahead(small_book, edit, kind)
    for name, changes in several(reading(book)).items():
        after, plan = changed(book, *changes)
        stands = len(order(after))
        last = 5 + stands
        assert [filled(after, row) is not None for row in range(6, 30)] == [True] * 24, name
        for column, mode in zip("HI", ("PHONEPE", "WALLET"), strict=True):
            below = {shown(after, f"NOVEMBER!{column}{row}") for row in range(last + 1, 30)}
            november = shown(after, f"NOVEMBER!{column}{last}")
            expected = {"blanks": "", "uncalculated": None}.get(kind, november)
            assert below <= {expected, None}, name
            if "DECEMBER" not in reading(after).months:
                assert november == plan.balances_after[mode], name


@pytest.mark.office
def test_libreoffice_finds_balances_filled_down_ahead_as_they_are_shown(
    small_book: bytes,
    edit: EditBook,
    recalculated: Callable[[Mapping[str, bytes]], Mapping[str, Mapping[str, object]]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    books = {}
    for kind, names in (("numbers", ("earlier", "delete")), ("blanks", ("delete", "moved")), ("shared", ("both",))):
        book = ahead(small_book, edit, kind)
        wanted = several(reading(book))
        books |= {f"{kind} {name}": changed(book, *wanted[name])[0] for name in names}
    fresh = recalculated(books)
    assert {name: stale_formulas(data, fresh[name]) for name, data in books.items()} == {name: [] for name in books}


def test_more_rows_than_were_filled_ahead_go_on_below(small_book: bytes, edit: EditBook) -> None:
    after, _ = changed(ahead(small_book, edit, "numbers", 2), *[Add(TEA)] * 4)
    assert filled(after, 13) == 'H12+IF($E13="PHONEPE",$G13-$F13,0)'
    assert filled(after, 14) is None


def test_a_month_without_rows_yet_takes_over_what_is_filled_ahead(small_book: bytes, edit: EditBook) -> None:
    book = changed(small_book, *[Delete(each) for each in reading(small_book).entries if each.sheet == "NOVEMBER"])[0]
    cells = {f"NOVEMBER!H{row}": f"v:{RUNNING[0].format(row - 1, row)}|7550" for row in range(6, 12)}
    after, _ = changed(edit(book, cells), Add(TEA))
    assert [shown(after, f"NOVEMBER!H{row}") for row in (6, 7, 11)] == [Decimal("7539.5")] * 3


@pytest.mark.parametrize(
    "formula", ["H9+G10-F10", "SUM(H8:H9)", 'H$9+IF($E10="PHONEPE",$G10-$F10,0)', 'H9+IF($E10="WALLET",$G10-$F10,0)']
)
def test_a_formula_ahead_that_is_no_continuation_is_refused_with_its_cell(
    formula: str, small_book: bytes, edit: EditBook
) -> None:
    book = edit(small_book, {"NOVEMBER!H10": f"v:{formula}|{shown(small_book, 'NOVEMBER!H9')}"})
    with pytest.raises(BookRefused, match="NOVEMBER!H10 is not blank, below the last row"):
        changed(book, Add(TEA))


def test_a_gap_in_what_is_filled_ahead_is_refused_with_its_cell(small_book: bytes, edit: EditBook) -> None:
    now = shown(small_book, "NOVEMBER!H9")
    book = edit(small_book, {"NOVEMBER!H11": f"v:{RUNNING[0].format(10, 11)}|{now}"})
    with pytest.raises(BookRefused, match="NOVEMBER!H11 is not blank, below the last row"):
        changed(book, Add(TEA))


def written(data: bytes, *changes: EntryChange) -> tuple[bytes, Plan]:
    """Planned, patched and verified, in a book that has a note among its issues."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    plan = plan_changes(workbook, read_book(workbook), changes)
    after = patch(workbook, plan)
    verify(data, after, plan)
    assert reading(after).balances == plan.balances_after
    return after, plan


def test_rows_are_added_as_far_as_a_note_and_never_over_it(small_book: bytes, edit: EditBook) -> None:
    after, plan = written(edit(small_book, {"NOVEMBER!D12": "t:ask about the refund"}), Add(TEA), Add(EARLY))
    assert (plan.rows[0].row, shown(after, "NOVEMBER!D12")) == (11, "ask about the refund")
    with pytest.raises(BookRefused, match="NOVEMBER!D12 is not blank, below the last row"):
        written(after, Add(TEA))
    lunch, tea = entry(reading(after), "LUNCH"), entry(reading(after), "TEA")
    again, _ = written(after, Edit(lunch, replace(draft_of(lunch), amount=Decimal(11))), Delete(tea))
    assert shown(again, "NOVEMBER!D12") == "ask about the refund"


def test_formatted_blank_rows_are_rows_to_write_into(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    changes = {}
    for name in ("NOVEMBER", CASH_TRACKER):
        sheet = workbook.sheet(name)
        last = max(each.row for each in reading(small_book).entries if each.sheet == name)
        style = sheet.cells(last)["D"].style
        rows = "".join(
            f'<row r="{row}" ht="21" customHeight="1">'
            + "".join(f'<c r="{column}{row}" s="{style}"/>' for column in "BCDEFGHIJ")
            + "</row>"
            for row in range(max(sheet.rows) + 1, 60)
        )
        changes[sheet.part] = sheet.xml[: sheet.data.end] + rows.encode() + sheet.xml[sheet.data.end :]
    book = workbook.rebuilt(changes)
    after, _ = changed(book, *[Add(replace(TEA, mode=mode)) for mode in ("WALLET", "BANK", "PHONEPE")], Add(EARLY))
    assert order(after)[2] == "TEA"
    for name, was in changes.items():
        now = Workbook(after, "Budget_2026.xlsx").part(name)
        assert now.count(b'customHeight="1"') >= was.count(b'customHeight="1"')
