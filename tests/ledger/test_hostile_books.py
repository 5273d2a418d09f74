"""What other programs, careless hands and broken disks leave behind: it is read, written around, or refused by name."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.book import read_book
from ledger.entries import Book, BookRefused, Draft
from ledger.patch import patch
from ledger.plan import plan_write
from ledger.store import BookStore
from ledger.verify import verify
from ledger.workbook import Workbook

COFFEE = Draft(date(2026, 11, 20), "coffee", "PHONEPE", "DEBIT", Decimal("10"), "Food")
Edit = Callable[..., bytes]
Read = Callable[..., Book]


def written(data: bytes, *drafts: Draft) -> bytes:
    """The book with drafts written and verified."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    plan = plan_write(workbook, read_book(workbook), drafts)
    after = patch(workbook, plan)
    verify(workbook.data, after, plan)
    return after


def notes_of(data: bytes, *drafts: Draft) -> tuple[str, ...]:
    """What the card would say of writing the drafts."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    return plan_write(workbook, read_book(workbook), drafts).notes


def with_part(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The book with one part changed."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    return workbook.rebuilt({part: change(workbook.part(part))})


def renamed(data: bytes, name: str, becomes: str) -> bytes:
    """The book with a sheet renamed."""
    old, new = f'name="{name}"'.encode(), f'name="{becomes}"'.encode()
    return with_part(data, "xl/workbook.xml", lambda xml: xml.replace(old, new))


@pytest.fixture
def store(tmp_path: Path, small_book: bytes) -> BookStore:
    """The small book on the disk."""
    path = tmp_path / "Budget_2026.xlsx"
    path.write_bytes(small_book)
    return BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, 12, tzinfo=UTC))


# sheets


def test_a_month_under_another_name_stops_every_total_until_it_is_called_by_its_own(
    small_book: bytes, read: Read
) -> None:
    data = renamed(small_book, "NOVEMBER", "Nov")
    issues = read(data).issues
    assert [(issue.cell, issue.stops_totals) for issue in issues] == [("Nov!C4", True)]
    with pytest.raises(BookRefused, match=r"Nov!C4 .*Call it NOVEMBER"):
        written(data, COFFEE)


def test_a_second_sheet_of_a_month_is_named_and_not_counted(small_book: bytes, read: Read) -> None:
    copied = renamed(small_book, "OCTOBER", "NOVEMBER (2)")
    (issue,) = read(copied).issues
    assert (issue.cell, issue.stops_totals) == ("'NOVEMBER (2)'!C4", False)


def test_a_new_month_is_opened_in_a_book_whose_sheets_each_declare_the_prefix(small_book: bytes, read: Read) -> None:
    def each(xml: bytes) -> bytes:
        declared = re.search(rb'\sxmlns:r="[^"]*"', xml)
        assert declared
        return xml.replace(declared[0], b"").replace(b"<sheet ", b"<sheet" + declared[0] + b" ")

    data = with_part(small_book, "xl/workbook.xml", each)
    december = Draft(date(2026, 12, 1), "coffee", "PHONEPE", "DEBIT", Decimal("10"))
    assert read(written(data, december)).months == ("OCTOBER", "NOVEMBER", "DECEMBER")


# balances


def test_balances_filled_down_ahead_follow_a_row_of_an_earlier_month(
    small_book: bytes, edit: Edit, read: Read, cell_values: Callable[[bytes], dict[str, object]]
) -> None:
    last = max(entry.row for entry in read(small_book).entries if entry.sheet == "NOVEMBER")
    shown = cell_values(small_book)[f"NOVEMBER!H{last}"]
    formula = 'H{0}+IF($E{1}="PHONEPE",$G{1}-$F{1},0)'
    ahead = {f"NOVEMBER!H{row}": f"v:{formula.format(row - 1, row)}|{shown}" for row in range(last + 1, last + 4)}
    after = written(edit(small_book, ahead), Draft(date(2026, 10, 30), "tea", "PHONEPE", "DEBIT", Decimal("10")))
    assert read(after).disagreements == ()
    values = cell_values(after)
    assert {values[f"NOVEMBER!H{row}"] for row in range(last, last + 4)} == {float(str(shown)) - 10}


def test_a_balance_that_shows_an_empty_text_is_none(small_book: bytes, edit: Edit, read: Read) -> None:
    empty = edit(small_book, {"NOVEMBER!H10": "t:", "NOVEMBER!I11": "t: "})
    assert read(empty).disagreements == ()


def test_a_note_under_the_table_is_no_row_to_write_below(small_book: bytes, edit: Edit) -> None:
    noted = edit(small_book, {"NOVEMBER!D10": "t:ask about the refund"})
    with pytest.raises(BookRefused, match=r"NOVEMBER!D10 is not blank, below the last row of the table \(9\)"):
        written(noted, COFFEE)


def test_a_row_typed_without_balances_is_said_to_end_them(small_book: bytes, edit: Edit, read: Read) -> None:
    typed = {"C10": "n:46346", "D10": "t:BUS", "E10": "t:WALLET", "F10": "n:20"}
    data = edit(small_book, {f"NOVEMBER!{cell}": content for cell, content in typed.items()})
    data = edit(data, {"NOVEMBER!L7": "n:135.5"})
    assert (read(data).issues, read(data).disagreements) == ((), ())
    (note,) = notes_of(data, COFFEE)
    assert note.startswith("NOVEMBER!H10 and NOVEMBER!I10 show no running balance, so the rows added below have none")


# numbers


@pytest.mark.parametrize("number", ["1E309", "1E+30", "1000000000000000"])
def test_an_absurd_number_is_an_unread_cell(number: str, small_book: bytes, edit: Edit, read: Read) -> None:
    book = read(edit(small_book, {"NOVEMBER!F6": f"n:{number}"}))
    assert [issue.cell for issue in book.issues] == ["NOVEMBER!F6"]
    assert read(edit(small_book, {"NOVEMBER!H6": f"n:{number}"})).disagreements


@pytest.mark.parametrize("amount", ["1E30", "10000000000000", "9999999999999.99"])
def test_an_amount_or_a_balance_that_excel_would_round_is_refused(amount: str, small_book: bytes) -> None:
    with pytest.raises(BookRefused, match="more digits than Excel keeps"):
        written(small_book, Draft(date(2026, 11, 20), "prize", "BANK", "CREDIT", Decimal(amount)))


@pytest.mark.parametrize(("amount", "reason"), [("NaN", "digits"), ("Infinity", "digits"), ("1E40", "digits")])
def test_an_opening_balance_that_is_no_amount_is_refused(amount: str, reason: str, store: BookStore) -> None:
    with pytest.raises(BookRefused, match=f"opening balance of Bank .*{reason}"):
        store.write([], openings={"BANK": Decimal(amount)}, request="o", who="test")


def test_an_opening_balance_in_parts_of_a_paisa_is_refused(store: BookStore) -> None:
    with pytest.raises(BookRefused, match="no whole number of paise"):
        store.write([], openings={"BANK": Decimal("0.001")}, request="o", who="test")


# texts and files


def test_texts_that_are_not_utf_8_are_refused_as_damage(small_book: bytes) -> None:
    with pytest.raises(BookRefused, match=r"xl/sharedStrings.xml is not text in UTF-8"):
        written(with_part(small_book, "xl/sharedStrings.xml", lambda xml: xml.replace(b"Date", b"D\xffte")), COFFEE)


def test_half_a_character_is_refused_like_any_control_character(store: BookStore) -> None:
    half = Draft(COFFEE.date, "tea \ud83c", "PHONEPE", "DEBIT", Decimal("1"))
    with pytest.raises(BookRefused, match="control character at position 5"):
        store.write([half], request="half", who="test")


def test_a_request_may_be_named_by_any_text(store: BookStore) -> None:
    for request in ("", "a\nb", "\ud83c", "🎉" * 300):
        first = store.write([COFFEE], request=request, who="test")
        assert store.write([COFFEE], request=request, who="test") == first
    assert len(store.history()) == 4


def test_a_book_whose_name_leaves_no_room_for_a_lock_file_is_written(tmp_path: Path, small_book: bytes) -> None:
    path = tmp_path / f"{'n' * 246}2026.xlsx"
    path.write_bytes(small_book)
    store = BookStore(path, tmp_path / "home", lambda: datetime(2026, 11, 30, tzinfo=UTC))
    assert store.write([COFFEE], request="1", who="test").cells


def test_a_journal_that_cannot_be_read_is_said_by_everything_that_needs_it(store: BookStore, tmp_path: Path) -> None:
    store.write([COFFEE], request="1", who="test")
    (journal,) = tmp_path.rglob("journal.jsonl")
    journal.unlink()
    journal.mkdir()
    for asked in (store.read, store.history, lambda: store.undo(request="2", who="test")):
        with pytest.raises(BookRefused, match=r"journal of this book, .*journal\.jsonl, cannot be read"):
            asked()


# ranges and formulas


@pytest.mark.parametrize(
    ("formula", "grows"),
    [
        ("SUM(NOVEMBER!F9:F6)", "SUM(NOVEMBER!F10:F6)"),
        ("SUM(NOVEMBER!$G9:F$6)", "SUM(NOVEMBER!$G10:F$6)"),
        ("COUNTA(NOVEMBER!6:9)", "COUNTA(NOVEMBER!6:10)"),
        ("COUNTA(NOVEMBER!$9:$6)", "COUNTA(NOVEMBER!$10:$6)"),
        ("SUM(NOVEMBER!F6:G8)", "SUM(NOVEMBER!F6:G8)"),
    ],
)
def test_a_range_down_to_the_last_row_covers_the_new_one_however_it_is_written(
    formula: str, grows: str, small_book: bytes, edit: Edit
) -> None:
    after = Workbook(written(edit(small_book, {"BUDGET!K3": f"v:{formula}|1"}), COFFEE), "Budget_2026.xlsx")
    assert after.sheet("BUDGET").cells(3)["K"].formula == grows


def test_balances_stay_formulas_where_a_row_was_typed_without_one(small_book: bytes, edit: Edit, read: Read) -> None:
    typed = {"C10": "n:46350", "D10": "t:BUS", "E10": "t:WALLET", "F10": "n:20"}
    data = edit(
        small_book, {f"NOVEMBER!{cell}": content for cell, content in typed.items()} | {"NOVEMBER!L7": "n:135.5"}
    )
    after = written(data, Draft(date(2026, 11, 5), "tea", "PHONEPE", "DEBIT", Decimal("1")))
    sheet = Workbook(after, "Budget_2026.xlsx").sheet("NOVEMBER")
    assert [bool(sheet.cells(row)["H"].formula) for row in range(6, 11)] == [True] * 5
    assert read(after).disagreements == ()


def test_balances_go_on_in_a_book_that_was_saved_without_calculated_values(
    small_book: bytes, read: Read, cell_values: Callable[[bytes], dict[str, object]]
) -> None:
    data = small_book
    for ref in Workbook(small_book, "Budget_2026.xlsx").sheets:
        data = with_part(data, ref.part, lambda xml: re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", xml))
    after = written(data, COFFEE, Draft(date(2026, 11, 21), "bus", "BANK", "DEBIT", Decimal("5")))
    whole = written(small_book, COFFEE, Draft(date(2026, 11, 21), "bus", "BANK", "DEBIT", Decimal("5")))
    for cell in ("NOVEMBER!H10", "NOVEMBER!I10", "CASH TRACKER!H16", "CASH TRACKER!I16"):
        assert cell_values(after)[cell] == cell_values(whole)[cell]
    assert read(after).disagreements == ()
