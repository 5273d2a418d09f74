"""A new book looks and reads as one: exact numbers, text that stays text, formulas with their values."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from ledger.__main__ import main
from ledger.book import read_book
from ledger.entries import MODES, BookRefused, Category, Draft
from ledger.intake import book_from_json
from ledger.template import blank_book, new_book, sample_book
from ledger.workbook import Workbook

Run = Callable[..., tuple[int, str, str]]

FOOD = (Category("Food", "PERSONAL", Decimal("5000"), False, ("lunch",)),)


def one_row(draft: Draft) -> bytes:
    return new_book(2026, FOOD, {}, None, {}, (draft,), draft.date.month)


def xml_of(data: bytes, sheet: str) -> str:
    return Workbook(data, "b").sheet(sheet).xml.decode()


@pytest.mark.parametrize(
    "text", ["9.95", "7670.1", "0.01", "9018.61", "123456789012.37", "99999999999999.99", "100", "0.3"]
)
def test_an_amount_is_written_as_the_exact_decimal(text: str) -> None:
    data = one_row(Draft(date(2026, 5, 1), "Lunch", "WALLET", "CREDIT", Decimal(text)))
    assert f"<v>{text}</v>" in re.search(r'<c r="G6".*?</c>', xml_of(data, "MAY"))[0]
    for cell in ("I6", "L7"):
        assert f"<v>{text}</v>" in re.search(rf'<c r="{cell}".*?</c>', xml_of(data, "MAY"))[0]


@pytest.mark.parametrize(
    "text", ["=cmd|'/c calc'!A0", "@SUM(1+1)", "+91-98", "-5", "{=1}", "http://example.com", "007"]
)
def test_a_description_stays_text_whatever_it_begins_with(text: str) -> None:
    data = one_row(Draft(date(2026, 5, 1), text, "WALLET", "DEBIT", Decimal(5)))
    cell = openpyxl.load_workbook(BytesIO(data))["MAY"]["D6"]
    assert (cell.data_type, cell.value) == ("s", text.upper())
    assert cell.hyperlink is None


def test_the_layout_stands_where_the_book_is_read_and_written(small_book: bytes) -> None:
    book = openpyxl.load_workbook(BytesIO(small_book))
    assert book.sheetnames == ["OCTOBER", "NOVEMBER", "CASH TRACKER", "BUDGET", "TERMINOLOGY"]
    november, cash = book["NOVEMBER"], book["CASH TRACKER"]
    assert november["C2"].value == "NOVEMBER 2026"
    headings = ["Date", "Description", "Mode", "Debit", "Credit", "PhonePe balance", "Wallet balance", "Category"]
    assert [cell.value for cell in november["C4:J4"][0]] == headings
    assert november["D5"].value == "OPENING BALANCE"
    assert november["H5"].value == "=OCTOBER!L8"
    assert november["I5"].value == "=OCTOBER!L7"
    assert book["OCTOBER"]["H5"].value == 7670.1
    assert [cell.value for cell in november["C6:G6"][0]][1:] == ["LUNCH [PARTY]", "PHONEPE", 9.95, None]
    assert november["C6"].value.date() == date(2026, 11, 5)
    assert november["C6"].number_format == "dd-mmm-yyyy"
    assert november["H6"].value == '=H5+IF($E6="PHONEPE",$G6-$F6,0)'
    assert november["L8"].value == '=$H$5+SUMIFS($G:$G,$E:$E,"PHONEPE")-SUMIFS($F:$F,$E:$E,"PHONEPE")'
    assert [november[f"L{row}"].value for row in range(12, 19)] == [
        *("HOME", "PERSONAL", "WISHLIST", "AVOID", "PAY HOME", "OPENING", "CLOSING"),
    ]
    assert november["K26"].value == "=BUDGET!$C$5"
    assert "'CASH TRACKER'!$B:$B,\"NOVEMBER\"" in november["L26"].value
    assert november["K29"].value is None, "transfers are not spending"
    assert cash["D5"].value == '=$I$11+SUMIFS($G:$G,$E:$E,"BANK")-SUMIFS($F:$F,$E:$E,"BANK")'
    assert [cell.value for cell in cash["B12:E12"][0]][::2] == ["OCTOBER", "SALARY"]
    assert book["TERMINOLOGY"]["K5"].value == "='CASH TRACKER'!$D$5"
    assert [cell.value for cell in book["TERMINOLOGY"]["H16:J16"][0]] == ["PERSONAL", "GYM", "BELT"]
    assert [cell.value for cell in book["BUDGET"]["C5:G5"][0]] == ["Food", "PERSONAL", 5000, "No", "lunch, coffee"]
    assert november.freeze_panes == "A5"
    assert len(november._charts) == 1


def fill(cell: openpyxl.cell.Cell) -> str | None:
    return cell.fill.fgColor.rgb if cell.fill.patternType == "solid" else None


def test_debits_wear_their_groups_colour_and_credits_and_transfers_none(small_book: bytes) -> None:
    book = openpyxl.load_workbook(BytesIO(small_book))
    november, cash = book["NOVEMBER"], book["CASH TRACKER"]
    assert {fill(november[f"{column}6"]) for column in "CDEFGJ"} == {"FF70AD47"}
    assert {fill(november[f"{column}6"]) for column in "HI"} == {None}
    assert fill(november["D7"]) is None, "a refund is not coloured"
    assert fill(november["D8"]) is None, "no category, no colour"
    assert fill(november["D9"]) == "FFC00000"
    assert november["D9"].font.color.rgb == "FFFFFFFF"
    assert {fill(cash[f"D{row}"]) for row in (12, 14, 15)} == {None}, "salary and both halves of a transfer"
    assert {fill(november["H5"]), fill(november["I5"]), fill(cash["H11"])} == {"FF5B9BD5"}
    assert fill(book["OCTOBER"]["H6"]) == "FF4472C4", "October ended, November follows"
    assert fill(november["H9"]) is None, "the last month is still open"
    assert fill(cash["I12"]) == "FF4472C4"


def test_lists_offer_the_modes_of_the_sheet_and_the_categories(small_book: bytes) -> None:
    book = openpyxl.load_workbook(BytesIO(small_book))
    for sheet, first, modes in (("NOVEMBER", 6, '"PHONEPE,WALLET"'), ("CASH TRACKER", 12, '"MONEY,BANK"')):
        found = {str(rule.sqref): rule.formula1 for rule in book[sheet].data_validations.dataValidation}
        assert found == {f"E{first}:E2005": modes, f"J{first}:J2005": "BUDGET!$C$5:$C$8"}


def test_the_same_book_is_the_same_bytes(small_book: bytes) -> None:
    assert sample_book(date(2026, 11, 28)) == sample_book(date(2026, 11, 28))
    assert blank_book(2026, date(2026, 3, 1)) == blank_book(2026, date(2026, 3, 1))


def test_a_blank_book_waits_for_its_openings() -> None:
    book = read_book(Workbook(blank_book(2026, date(2026, 3, 9)), "Budget_2026.xlsx"))
    assert (book.year, book.months, book.entries, book.issues, book.disagreements) == (2026, ("MARCH",), (), (), ())
    assert set(book.openings.values()) == {None}
    assert book.opening_cells["BANK"] == "'CASH TRACKER'!I11"
    assert {"Groceries", "Transfer"} < {line.name for line in book.budget}
    assert all(line.monthly is None for line in book.budget)
    other = read_book(Workbook(blank_book(2027, date(2026, 3, 9)), "Budget_2027.xlsx"))
    assert other.months == ("JANUARY",)


@pytest.mark.parametrize("day", ["01-01", "01-31", "02-14", "03-31", "07-04", "11-28", "12-31"])
def test_the_sample_never_owes_money_and_reaches_back_three_months(day: str) -> None:
    today = date.fromisoformat(f"2026-{day}")
    book = read_book(Workbook(sample_book(today), "Budget_2026.xlsx"))
    assert (book.issues, book.disagreements) == ((), ())
    assert max(entry.date for entry in book.entries) <= today
    assert len(book.months) == min(3, today.month)
    running = {mode: book.openings[mode] or Decimal(0) for mode in MODES}
    for entry in sorted(book.entries, key=lambda entry: entry.date):
        running[entry.mode] += entry.amount if entry.direction == "CREDIT" else -entry.amount
        assert running[entry.mode] >= 0, entry


def test_the_sample_shows_what_a_book_can_hold() -> None:
    book = read_book(Workbook(sample_book(date(2026, 11, 28)), "Budget_2026.xlsx"))
    assert len(book.entries) > 100
    assert {entry.mode for entry in book.entries} == set(MODES)
    assert any(entry.tags for entry in book.entries)
    assert any(entry.category and entry.direction == "CREDIT" and not entry.is_transfer for entry in book.entries)
    assert {entry.group for entry in book.entries} == {*(line.group for line in book.budget), None}


def test_rows_that_do_not_fit_the_book_are_refused() -> None:
    good = Draft(date(2026, 5, 1), "Lunch", "WALLET", "DEBIT", Decimal(5), "Food")
    cases = {
        "is not of 2026": Draft(date(2025, 5, 1), "Lunch", "WALLET", "DEBIT", Decimal(5)),
        "before the book's first month": Draft(date(2026, 4, 1), "Lunch", "WALLET", "DEBIT", Decimal(5)),
        "An amount is above zero": Draft(date(2026, 5, 1), "Lunch", "WALLET", "DEBIT", Decimal(0)),
        "which the budget does not have": Draft(date(2026, 5, 1), "Lunch", "WALLET", "DEBIT", Decimal(5), "Fod"),
        "more than 500 characters": Draft(date(2026, 5, 1), "x" * 501, "WALLET", "DEBIT", Decimal(5)),
    }
    for words, draft in cases.items():
        with pytest.raises(BookRefused, match=words):
            new_book(2026, FOOD, {}, None, {}, (good, draft), 5)
    for name in ("Food?", ">5", " ", "A*"):
        with pytest.raises(BookRefused, match="a name the totals cannot look for"):
            new_book(2026, (Category(name, "HOME", None, True),), {}, None, {}, (), 5)
    with pytest.raises(BookRefused, match="a category twice"):
        new_book(2026, (*FOOD, *FOOD), {}, None, {}, (), 5)


# the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """The command line, in this process: status, standard output, standard error."""

    def running(*arguments: str | Path) -> tuple[int, str, str]:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as usage:
            status = int(usage.code or 0)
        return status, *capsys.readouterr()

    return running


GIVEN = {
    "year": 2026,
    "currency": "INR",
    "opening": {"BANK": 100, "MONEY": None},
    "opening_date": "2026-04-03",
    "budget": [{"category": "Food", "group": "PERSONAL", "monthly": 500.5, "essential": False, "words": ["lunch"]}],
    "lists": {"PERSONAL": ["GYM"]},
    "transactions": [
        {
            "date": "2026-05-02",
            "description": "Lunch",
            "mode": "BANK",
            "direction": "DEBIT",
            "amount": "9.95",
            "category": "Food",
            "tags": ["work"],
        }
    ],
}


def test_new_makes_a_book_from_json_and_check_describes_it(tmp_path: Path, run: Run) -> None:
    given, book = tmp_path / "book.json", tmp_path / "Budget_2026.xlsx"
    given.write_text(json.dumps(GIVEN))
    assert run("new", book, "--from", given)[0] == 0
    read = read_book(Workbook(book.read_bytes(), book.name))
    assert read.months == ("APRIL", "MAY")
    assert read.balances["BANK"] == Decimal("90.05")
    assert [(entry.description, entry.tags) for entry in read.entries] == [("LUNCH [WORK]", ("WORK",))]
    assert read.budget[0].monthly == Decimal("500.5")
    status, text, _ = run("check", book)
    assert status == 0
    assert "2026, 1 entry," in text
    assert "Bank: ₹90.05 (opening ₹100.00)" in text
    assert "Every balance shown agrees with the rows." in text


def test_new_never_writes_over_a_book(tmp_path: Path, run: Run) -> None:
    book = tmp_path / "Budget.xlsx"
    assert run("new", book, "--year", "2027", "--today", "2026-11-28")[0] == 0
    before = book.read_bytes()
    status, _, error = run("new", book)
    assert (status, book.read_bytes()) == (1, before)
    assert "is there already" in error


def test_the_command_line_says_what_is_wrong(tmp_path: Path, run: Run) -> None:
    text = tmp_path / "notes.xlsx"
    text.write_text("hello")
    for expected, words, arguments in (
        (1, "not an Excel workbook", ("check", text)),
        (1, "No such file", ("check", tmp_path / "no.xlsx")),
        (1, "must end in .xlsx", ("new", tmp_path / "book.csv")),
        (2, "not a year", ("new", tmp_path / "book.xlsx", "--year", "26")),
        (2, "required", ()),
    ):
        status, _, error = run(*arguments)
        assert (status, words in error) == (expected, True), error


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ledger", "new", str(tmp_path / "Budget.xlsx")]
    assert subprocess.run(command, cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_json_that_is_no_book_is_refused_naming_the_fields() -> None:
    wrong = GIVEN | {"year": "soon", "transactions": [{**GIVEN["transactions"][0], "amount": "-5", "mode": "GOLD"}]}
    with pytest.raises(BookRefused) as refused:
        book_from_json(json.dumps(wrong).encode(), "book.json")
    for field in ("year", "transactions.0.amount", "transactions.0.mode"):
        assert field in str(refused.value)
    with pytest.raises(BookRefused, match="does not describe a book"):
        book_from_json(b"{", "book.json")
