"""People's own tables and bank statements: found by their captions, read strictly, never guessed in silence."""

import time
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.__main__ import main
from ledger.entries import Book, BookRefused
from ledger.foreign import OtherLayout, Recognised, TableMapping, open_book, read_foreign, recognise
from ledger.foreign.days import order_of
from ledger.foreign.rows import read_rows, table_rows
from ledger.queries import stopping_issues
from ledger.workbook import Workbook

Rows = Sequence[Sequence[object]]

HDFC = ("Date", "Narration", "Chq./Ref.No.", "Value Dt", "Withdrawal Amt.", "Deposit Amt.", "Closing Balance")
ICICI = (
    *("S No.", "Value Date", "Transaction Date", "Cheque Number", "Transaction Remarks"),
    *("Withdrawal Amount (INR )", "Deposit Amount (INR )", "Balance (INR )"),
)
SBI = ("Txn Date", "Value Date", "Description", "Ref No./Cheque No.", "Branch Code", "Debit", "Credit", "Balance")
AXIS = ("Tran Date", "CHQNO", "PARTICULARS", "DR", "CR", "BAL", "SOL")
KOTAK = ("Sl. No.", "Date", "Description", "Chq / Ref No.", "Amount", "Dr / Cr", "Balance", "Dr / Cr")


def workbook(sheets: Mapping[str, Rows] | Rows, *, name: str = "Mine.xlsx", **options: object) -> Workbook:
    """A workbook of those sheets; a text that begins with = is a formula, `=…|value` one with that value.

    `hidden_rows` of the first sheet (from 1), `hidden` sheet names, `merged` ranges of the first sheet with their text,
    `date1904`.
    """
    file = BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "date_1904": bool(options.get("date1904"))})
    day = book.add_format({"num_format": "dd-mmm-yyyy"})
    named = sheets if isinstance(sheets, Mapping) else {"Sheet1": sheets}
    for number, (title, rows) in enumerate(named.items()):
        sheet = book.add_worksheet(title)
        if title in options.get("hidden", ()):  # type: ignore[operator]
            sheet.hide()
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                if isinstance(value, date):
                    sheet.write_datetime(row, column, datetime(value.year, value.month, value.day), day)
                elif isinstance(value, str) and value.startswith("="):
                    formula, _, cached = value.partition("|")
                    sheet.write_formula(row, column, formula, None, _cached(cached))
                elif isinstance(value, Decimal):
                    sheet.write_number(row, column, float(value))
                elif value is not None:
                    sheet.write(row, column, value)
        if not number:
            for place, text in options.get("merged", {}).items():  # type: ignore[attr-defined]
                sheet.merge_range(place, text)
            for row in options.get("hidden_rows", ()):  # type: ignore[attr-defined]
                sheet.set_row(row - 1, options={"hidden": True})
    book.close()
    return Workbook(file.getvalue(), name)


def _cached(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def found(book: Workbook) -> Recognised:
    recognised = recognise(book)
    assert recognised is not None
    return recognised


def read(book: Workbook, **confirmed: object) -> Book:
    """The book read as recognised, with what a person would have confirmed of every table."""
    confirmed.setdefault("mode", "MONEY")
    tables = [
        table.model_copy(
            update={**confirmed, "mode": table.mode or (None if table.column("mode") else confirmed["mode"])}
        )
        for table in found(book).mapping.tables
    ]
    return read_foreign(book, TableMapping(tables=tuple(tables)))


def rows_of(book: Book) -> list[tuple[str, str, str, str, str]]:
    return [
        (entry.date.isoformat(), entry.description, entry.mode, entry.direction, str(entry.amount.normalize()))
        for entry in book.entries
    ]


NOV = date(2026, 11, 5)
PLAIN = ("Date", "Description", "Amount", "Category", "Mode")


# layouts


STATEMENTS = {
    "hdfc": (
        HDFC,
        ("05/11/26", "SWIGGY", "1", "05/11/26", 250.5, None, 9749.5),
        ("13/11/26", "PAY", "2", "13/11/26", None, 5000, 14749.5),
    ),
    "icici": (
        ICICI,
        (1, "06/11/2026", "05/11/2026", "-", "SWIGGY", 250.5, 0, 9749.5),
        (2, "13/11/2026", "13/11/2026", "-", "PAY", 0, 5000, 14749.5),
    ),
    "sbi": (
        SBI,
        ("5 Nov 2026", "5 Nov 2026", "SWIGGY", "", "4", "250.50", " ", "9,749.50"),
        ("13 Nov 2026", "13 Nov 2026", "PAY", "", "4", " ", "5,000.00", "14,749.50"),
    ),
    "axis": (
        AXIS,
        ("05-11-2026", None, "SWIGGY", 250.5, None, 9749.5, 12),
        ("13-11-2026", None, "PAY", None, 5000, 14749.5, 12),
    ),
    "kotak": (
        KOTAK,
        (1, "05/11/2026", "SWIGGY", "UPI-1", "250.50", "DR", "9,749.50", "CR"),
        (2, "13/11/2026", "PAY", "N-1", "5,000.00", "CR", "14,749.50", "CR"),
    ),
}


@pytest.mark.parametrize("bank", STATEMENTS)
def test_a_bank_statement_is_known_by_its_captions_and_its_rows_are_the_banks(bank: str) -> None:
    statement = workbook([["A bank"], ["Statement of account"], [], *STATEMENTS[bank]])
    assert [table.mode for table in found(statement).mapping.tables] == ["BANK"]
    book = read(statement)
    assert rows_of(book) == [
        ("2026-11-05", "SWIGGY", "BANK", "DEBIT", "250.5"),
        ("2026-11-13", "PAY", "BANK", "CREDIT", "5E+3"),
    ]
    assert book.openings["BANK"] == Decimal(10000)
    assert book.balances["BANK"] == Decimal("14749.5")
    assert not book.issues
    assert not book.disagreements


def test_a_plain_table_is_read_with_its_modes_categories_and_cells() -> None:
    book = read(workbook([PLAIN, (NOV, "Milk", 60, "Food", "UPI"), (NOV, "Rent", "₹15,000", "House", "HDFC Bank")]))
    assert rows_of(book) == [
        ("2026-11-05", "MILK", "PHONEPE", "DEBIT", "6E+1"),
        ("2026-11-05", "RENT", "BANK", "DEBIT", "1.5E+4"),
    ]
    assert [entry.category for entry in book.entries] == ["Food", "House"]
    assert [line.name for line in book.budget] == ["Food", "House"]
    assert [entry.amount_cell for entry in book.entries] == ["Sheet1!C2", "Sheet1!C3"]
    assert book.entries[0].cells == "Sheet1!A2:E2"


def test_a_type_says_which_way_the_money_went_and_an_unknown_type_is_an_issue() -> None:
    book = read(
        workbook(
            [
                ("Date", "Amount", "Type"),
                (NOV, 60, "Expense"),
                (NOV, 900, "Income"),
                (NOV, 5, "Loan"),
                (NOV, -8, "Debit"),
            ]
        )
    )
    assert [(entry.direction, entry.amount) for entry in book.entries] == [
        ("DEBIT", Decimal(60)),
        ("CREDIT", Decimal(900)),
        ("DEBIT", Decimal(8)),
    ]
    assert [(issue.cell, issue.reads) for issue in book.issues] == [("Sheet1!C4", "Loan")]


def test_a_type_that_names_no_direction_is_a_category() -> None:
    book = read(workbook([("Date", "Amount", "Type"), (NOV, 60, "Food"), (NOV, 90, "Travel")]))
    assert [(entry.category, entry.direction) for entry in book.entries] == [("Food", "DEBIT"), ("Travel", "DEBIT")]


def test_money_out_and_money_in_stand_in_columns_of_their_own() -> None:
    both = (NOV, "Odd", 5, 5)
    book = read(
        workbook([("Day", "Details", "Expense", "Income"), (NOV, "Tea", 10, None), (NOV, "Pay", None, 99), both])
    )
    assert [entry.direction for entry in book.entries] == ["DEBIT", "CREDIT"]
    assert [issue.reason for issue in book.issues] == ["The row has both money out and money in. Make two rows of it."]


def test_a_minus_is_money_out_where_there_are_both_signs_and_that_is_said() -> None:
    table = workbook([("Date", "Description", "Amount"), (NOV, "Tea", -10), (NOV, "Pay", 99)])
    assert [entry.direction for entry in read(table).entries] == ["DEBIT", "CREDIT"]
    assert "Amounts below zero are taken as money out, those above as money in." in [
        asked.sentence for asked in found(table).questions
    ]


def test_the_user_may_say_that_every_amount_is_income() -> None:
    table = workbook([("Date", "Description", "Amount"), (NOV, "Pay", 99)])
    assert [entry.direction for entry in read(table, positive="CREDIT").entries] == ["CREDIT"]


def test_a_table_that_does_not_say_its_mode_asks_and_is_not_read_before() -> None:
    table = workbook([("Date", "Description", "Amount"), (NOV, "Tea", 10)])
    recognised = found(table)
    assert [asked.about for asked in recognised.questions] == ["sign", "mode"]
    assert recognised.samples[0][0]["mode"] == "?"
    with pytest.raises(BookRefused, match="Nothing says where the money of Sheet1 is kept"):
        read_foreign(table, recognised.mapping)
    assert [entry.mode for entry in read(table, mode="WALLET").entries] == ["WALLET"]


def test_a_word_that_is_no_mode_is_asked_and_read_once_it_is_said() -> None:
    table = workbook([PLAIN, (NOV, "Milk", 60, "Food", "Amma"), (NOV, "Tea", 10, "Food", "cash")])
    assert [asked.word for asked in found(table).questions if asked.about == "word"] == ["amma"]
    assert [issue.cell for issue in read(table).issues] == ["Sheet1!E2"]
    assert [entry.mode for entry in read(table, words={"amma": "MONEY"}).entries] == ["MONEY", "MONEY"]


# where captions stand


def test_captions_are_found_below_other_rows_but_not_below_the_first_twenty() -> None:
    rows = [PLAIN, (NOV, "Tea", 10, "Food", "cash")]
    assert found(workbook([*([("note",)] * 19), *rows])).mapping.tables[0].header == (20, 20)
    assert recognise(workbook([*([("note",)] * 20), *rows])) is None


def test_captions_merged_over_two_rows_are_read() -> None:
    table = workbook(
        [
            ("Date", "Narration", None, None),
            (None, None, "Withdrawal", "Deposit"),
            (NOV, "Tea", 10, None),
            (NOV, "Pay", None, 90),
        ],
        merged={"A1:A2": "Date", "B1:B2": "Narration", "C1:D1": "Amount"},
    )
    assert found(table).mapping.tables[0].header == (1, 2)
    assert [(entry.direction, entry.amount) for entry in read(table).entries] == [
        ("DEBIT", Decimal(10)),
        ("CREDIT", Decimal(90)),
    ]


def test_a_caption_broken_over_three_rows_is_read() -> None:
    table = workbook(
        [("Txn", "Description", "Withdrawal", "Deposit", "Closing"), ("Date", None, "Amount", "Amount", "Balance"),
         (None, None, "(INR)", "(INR)", "(INR)"), (NOV, "Tea", 10, None, 90)]
    )  # fmt: skip
    table_found = found(table).mapping.tables[0]
    assert table_found.layout == "statement"
    assert table_found.header[1] in (2, 3)
    assert [entry.amount for entry in read(table).entries] == [Decimal(10)]


def test_a_column_captioned_twice_is_asked_about() -> None:
    rows = (1, "05/11/2026", "SWIGGY", "U", 250, "DR", 750, "CR"), (2, "13/11/2026", "X", "U", 50, "DR", 700, "CR")
    questions = [asked.sentence for asked in found(workbook([KOTAK, *rows])).questions]
    assert questions == ["Columns F and H could each be In or out (“Dr / Cr”); F is taken."]


@pytest.mark.parametrize("captions", [("Description", "Amount"), ("Date", "Description"), ("Date", "Debit", "Balance")])
def test_without_a_caption_it_needs_it_is_not_that_layout(captions: Sequence[str]) -> None:
    recognised = recognise(workbook([captions, (NOV, 10, 20)]))
    assert recognised is None or recognised.mapping.tables[0].layout == "plain"


def test_captions_without_a_row_beneath_are_no_table() -> None:
    assert recognise(workbook([PLAIN])) is None


def test_two_tables_side_by_side_are_two() -> None:
    table = workbook(
        [
            ("Date", "Item", "Amount", None, "Date", "Source", "Amount"),
            (NOV, "Tea", 10, None, NOV, "Salary", 900),
            (None, None, None, None, NOV, "Gift", 50),
        ]
    )
    assert [list(each.columns) for each in found(table).mapping.tables] == [["A", "B", "C"], ["E", "F", "G"]]


def test_a_table_below_another_is_another_and_captions_repeated_by_pages_are_not() -> None:
    table = workbook(
        [
            ("Date", "Item", "Amount"),
            (NOV, "Tea", 10),
            ("Date", "Item", "Amount"),
            (NOV, "Milk", 20),
            (),
            ("Date", "Details", "Spent", "Received"),
            (NOV, "Pay", None, 900),
        ]
    )
    recognised = found(table)
    assert [(each.header, each.until) for each in recognised.mapping.tables] == [((1, 1), 5), ((6, 6), None)]
    assert [entry.description for entry in read(table).entries] == ["TEA", "MILK", "PAY"]


def test_each_month_on_a_sheet_of_its_own_is_read() -> None:
    sheets = {"January": [PLAIN, (date(2026, 1, 3), "Tea", 10, "Food", "cash")]}
    sheets["February"] = [PLAIN, (date(2026, 2, 3), "Milk", 20, "Food", "cash")]
    with pytest.raises(OtherLayout) as refused:
        open_book(workbook(sheets))
    assert [table.sheet for table in refused.value.recognised.mapping.tables] == ["January", "February"]


# messes


def test_dates_that_are_texts_are_read_by_what_one_value_of_the_column_proves() -> None:
    day_first = read(workbook([PLAIN[:3], ("05/11/2026", "Tea", 10), ("25/11/2026 14:30", "Milk", 20)]))
    assert [entry.date for entry in day_first.entries] == [date(2026, 11, 5), date(2026, 11, 25)]
    month_first = read(workbook([PLAIN[:3], ("11/05/2026", "Tea", 10), ("11/25/2026", "Milk", 20)]))
    assert [entry.date for entry in month_first.entries] == [date(2026, 11, 5), date(2026, 11, 25)]


def test_dates_that_could_be_either_way_round_are_asked_about() -> None:
    table = workbook([PLAIN[:3], ("05/11/2026", "Tea", 10)])
    assert found(table).questions[0].sentence == (
        "The dates in column A, such as 05/11/2026, could begin with the day or the month; day first is taken."
    )
    assert [entry.date.month for entry in read(table, day_first=False).entries] == [5]


def test_dates_that_contradict_one_another_are_said_and_those_that_do_not_fit_are_issues() -> None:
    table = workbook([PLAIN[:3], ("25/11/2026", "Tea", 10), ("11/26/2026", "Milk", 20)])
    assert "some dates begin with the day and some with the month" in found(table).questions[0].sentence
    assert [issue.cell for issue in read(table).issues] == ["Sheet1!A3"]


def test_dates_that_excel_may_have_turned_round_are_said() -> None:
    table = workbook([PLAIN[:3], (date(2026, 5, 11), "Tea", 10), ("25/11/2026", "Milk", 20)])
    assert "Excel may have turned day and month round" in found(table).questions[0].sentence


def test_a_serial_is_a_day_in_the_column_of_dates_and_a_far_number_is_not() -> None:
    book = read(workbook([PLAIN[:3], (46331, "Tea", 10), (60, "Odd", 10), (-5, "Odd", 10)]))
    assert [entry.date for entry in book.entries] == [date(2026, 11, 5)]
    assert [issue.cell for issue in book.issues] == ["Sheet1!A3", "Sheet1!A4"]


def test_a_workbook_that_counts_from_1904_has_the_same_days() -> None:
    assert read(workbook([PLAIN[:3], (NOV, "Tea", 10)], date1904=True)).entries[0].date == NOV


def test_amounts_typed_as_texts_are_read_and_unclear_ones_are_issues() -> None:
    texts = ["₹1,234.50", "500/-", "Rs. 40", "250\u00a0", "1,00,000", "１２"]
    book = read(
        workbook([PLAIN[:3], *((NOV, "Tea", text) for text in texts), (NOV, "Odd", "1,2,3"), (NOV, "No", "N/A")])
    )
    assert [str(entry.amount) for entry in book.entries] == ["1234.50", "500", "40", "250", "100000", "12"]
    assert [issue.cell for issue in book.issues] == ["Sheet1!C8", "Sheet1!C9"]


def test_brackets_and_dr_or_cr_say_which_way_an_amount_went() -> None:
    rows = (NOV, "A", "(500)"), (NOV, "B", "20 Dr"), (NOV, "C", "750.25 Cr"), (NOV, "D", 7), (NOV, "E", "30 Cr")
    book = read(workbook([PLAIN[:3], *rows]))
    assert [(entry.direction, str(entry.amount)) for entry in book.entries] == [
        ("DEBIT", "500"),
        ("DEBIT", "20"),
        ("CREDIT", "750.25"),
        ("CREDIT", "7"),
    ]
    assert [(issue.cell, issue.reason) for issue in book.issues] == [
        ("Sheet1!C6", "Cr could be credit or crore. Type the amount as a number.")
    ]


def test_rows_of_totals_are_no_rows_whether_by_label_or_by_formula() -> None:
    book = read(
        workbook(
            [
                PLAIN[:3],
                (NOV, "Tea", 10),
                ("Total", None, 10),
                (NOV, "Total petrol", 30),
                (None, None, "=SUM(C2:C4)|40"),
                (NOV, "Lunch", "=10+5|15"),
                (None, "Total for November", 55),
                (None, "Closing balance", 12),
            ]
        )
    )
    assert [entry.description for entry in book.entries] == ["TEA", "TOTAL PETROL", "LUNCH"]
    assert not book.issues
    assert book.remarks[0] == (
        "4 rows are each a total or balance, not counted: Sheet1!A3, Sheet1!A5, Sheet1!A7, Sheet1!B8."
    )


def test_blank_rows_pass_and_notes_are_named() -> None:
    book = read(workbook([PLAIN[:3], (NOV, "Tea", 10), (), (None, "  "), (None, "from the trip"), (NOV, "Milk", 20)]))
    assert len(book.entries) == 2
    assert book.remarks == ("1 row is a note without day and amount, passed by: Sheet1!B5.",)


def test_a_row_with_a_day_or_an_amount_alone_is_an_issue() -> None:
    book = read(workbook([PLAIN[:3], (NOV, "Tea", 10), (NOV, "Milk", None), (None, "Bus", 20)]))
    assert [(issue.cell, issue.reason) for issue in book.issues] == [
        ("Sheet1!C3", "The row has no amount. Type it as a number."),
        ("Sheet1!A4", "The row has no date. Type its date."),
    ]


def test_hidden_rows_and_sheets_are_said() -> None:
    sheets = {"Mine": [PLAIN[:3], (NOV, "Tea", 10), (NOV, "Milk", 20)], "Old": [PLAIN[:3], (NOV, "Tea", 10)]}
    table = workbook(sheets, hidden_rows=[3], hidden=["Old"])
    assert found(table).notes == (
        "The sheet Old is hidden and not read.",
        "1 row is hidden on Mine; they are read like any other.",
    )
    assert len(read(table).entries) == 2


def test_an_error_in_the_money_stops_every_total() -> None:
    book = read(workbook([PLAIN[:3], (NOV, "Tea", 10), (NOV, "Milk", "=Old!C3|#REF!")]))
    assert [(issue.cell, issue.stops_totals) for issue in book.issues] == [("Sheet1!C3", True)]
    assert stopping_issues(book, None) == book.issues


def test_a_formula_that_was_never_calculated_is_unknown_and_not_nothing(edit) -> None:
    table = workbook([PLAIN[:3], (NOV, "Tea", 10), (NOV, "Milk", 5)])
    book = read(Workbook(edit(table.data, {"Sheet1!C3": "f:10+5"}), "Mine.xlsx"))
    assert [(issue.cell, issue.stops_totals) for issue in book.issues] == [("Sheet1!C3", True)]


def test_lines_of_stars_under_captions_and_above_the_end_are_no_rows() -> None:
    stars = ("********",) * 5
    row = ("05/11/26", "A", 10, None, 90)
    book = read(workbook([("Date", "Narration", "Withdrawal", "Deposit", "Balance"), stars, row, stars]))
    assert len(book.entries) == 1
    assert not book.issues
    assert not book.remarks


@pytest.mark.parametrize("text", ["T" * 30_000, "(d " * 10_000, "1 " * 15_000, "9" * 30_000 + "x"])
def test_a_very_long_text_anywhere_is_no_trap(text: str) -> None:
    began = time.monotonic()
    recognised = found(workbook([(text,), PLAIN, (NOV, "Tea", 10, "Food", "cash"), (text, text, text, text, text)]))
    assert [len(samples) for samples in recognised.samples] == [1]
    assert time.monotonic() - began < 5


def test_two_equal_purchases_are_two_entries() -> None:
    assert len(read(workbook([PLAIN[:3], (NOV, "Tea", 10), (NOV, "Tea", 10)])).entries) == 2


# a statement's balances


def test_a_statement_with_its_newest_row_on_top_agrees_with_its_balances() -> None:
    rows = ("13/11/2026", "B", None, 50, 140), ("05/11/2026", "A", 10, None, 90)
    book = read(workbook([("Date", "Narration", "Withdrawal", "Deposit", "Balance"), *rows]))
    assert book.openings["BANK"] == Decimal(100)
    assert book.balances["BANK"] == Decimal(140)
    assert not book.disagreements


def test_a_balance_with_its_side_in_brackets_is_read() -> None:
    rows = ("05/11/2026", "A", "10.00Dr", None, "90.00(Cr)"), ("13/11/2026", "B", 100, None, "10.00 (Dr)")
    book = read(workbook([("Date", "Narration", "Withdrawal(Dr)", "Deposit(Cr)", "Balance"), *rows]))
    assert book.openings["BANK"] == Decimal(100)
    assert not book.disagreements


def test_a_balance_that_the_rows_do_not_give_is_named_where_it_begins() -> None:
    rows = ("05/11/2026", "A", 10, None, 90), ("13/11/2026", "B", None, 50, 140), ("14/11/2026", "C", 5, None, 130)
    book = read(workbook([("Date", "Narration", "Withdrawal", "Deposit", "Balance"), *rows]))
    assert book.disagreements == ("Sheet1!E4 shows ₹130.00 for Bank, the rows give ₹135.00.",)


def test_a_balance_brought_forward_is_the_opening() -> None:
    rows = (None, "Opening Balance", None, None, 100), ("13/11/2026", "A", 10, None, 90)
    book = read(workbook([("Date", "Narration", "Withdrawal", "Deposit", "Balance"), *rows]))
    assert (book.openings["BANK"], book.opening_cells["BANK"]) == (Decimal(100), "Sheet1!E2")


# refused, or asked


def test_munshis_own_book_is_read_as_ever(small_book: bytes) -> None:
    book = open_book(Workbook(small_book, "Budget_2026.xlsx"))
    assert not book.read_only
    assert len(book.entries) == 9


def test_munshis_own_book_that_is_damaged_is_not_read_as_something_else(small_book: bytes, edit) -> None:
    with pytest.raises(BookRefused, match="cells C4 to G4 must say"):
        open_book(Workbook(edit(small_book, {"NOVEMBER!E4": "t:Made"}), "Budget_2026.xlsx"))


def test_munshis_own_book_without_its_cash_tracker_is_not_read_as_something_else() -> None:
    header = (None, None, "Date", "Description", "Mode", "Debit", "Credit")
    rows = [(), (None, None, "NOVEMBER 2026"), (), header, (None, None, NOV, "Tea", "PHONEPE", 10)]
    with pytest.raises(BookRefused, match="no sheet called CASH TRACKER") as refused:
        open_book(workbook({"NOVEMBER": rows}))
    assert not isinstance(refused.value, OtherLayout)


def test_a_workbook_without_a_table_says_what_was_looked_for() -> None:
    with pytest.raises(BookRefused, match="captions such as Date and Amount") as refused:
        open_book(workbook([("Recipes",), ("Dal", "Rice")]))
    assert not isinstance(refused.value, OtherLayout)


def test_another_layout_is_not_read_before_it_is_confirmed_and_then_again_when_a_caption_changed() -> None:
    table = workbook([PLAIN, (NOV, "Tea", 10, "Food", "cash")])
    with pytest.raises(OtherLayout, match="a table of dates and amounts on Sheet1, captions in row 1") as refused:
        open_book(table)
    mapping = TableMapping.model_validate_json(refused.value.recognised.mapping.model_dump_json())
    assert len(open_book(table, mapping).entries) == 1
    changed = workbook([("Date", "Description", "Budget", "Amount", "Mode"), (NOV, "Tea", 10, 12, "cash")])
    with pytest.raises(OtherLayout):
        open_book(changed, mapping)


def test_check_says_the_layout_its_columns_and_what_is_asked(tmp_path: Path, capsys) -> None:
    path = tmp_path / "Mine.xlsx"
    path.write_bytes(workbook([PLAIN[:3], (NOV, "Tea", 10), (NOV, "Odd", "x")]).data)
    assert main(["check", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Sheet1, captions in row 1: a table of dates and amounts" in said
    assert "A “Date” is Date" in said
    assert "? Nothing on Sheet1 says where this money is kept: PhonePe, Wallet, Cash, Bank." in said
    assert "Sheet1!C3 reads 'x'" in said


# for all tables


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.dates(date(2001, 1, 1), date(2030, 12, 31)),
            st.text(st.characters(categories=("L", "N"), max_codepoint=0x24F), min_size=1, max_size=12),
            st.integers(1, 10**9).map(lambda paise: Decimal(paise) / 100),
            st.sampled_from(["cash", "UPI", "Paytm", "NEFT"]),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(0, 15),
)
def test_whatever_stands_in_a_plain_table_is_read_back(rows: list[tuple[date, str, Decimal, str]], above: int) -> None:
    table = workbook(
        [
            *([("about this book",)] * above),
            ("Date", "Note", "Amount", "Mode"),
            *((day, f"x{words}", amount, mode) for day, words, amount, mode in rows),
        ]
    )
    modes = {"cash": "MONEY", "UPI": "PHONEPE", "Paytm": "WALLET", "NEFT": "BANK"}
    book = read(table)
    assert [(entry.date, entry.description, entry.amount, entry.mode) for entry in book.entries] == [
        (day, f"x{words}".upper(), amount, modes[mode]) for day, words, amount, mode in rows
    ]


CELLS = st.one_of(
    st.none(),
    st.sampled_from(
        ["Total", "Tea", "05/11/2026", "31/02/2026", "₹40", "-", " ", "DR", "cash", "=SUM(C2:C4)|9", "=1/0|#DIV/0!"]
    ),
    st.sampled_from(["Date", "Amount", "Credit", "x" * 300, "=10+5|15"]),
    st.integers(-(10**6), 10**6),
    st.dates(date(2020, 1, 1), date(2027, 1, 1)),
    st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*PLAIN, "Debit", "Credit", "Type", "Balance", "Date", ""]), min_size=5, max_size=5),
    st.lists(st.lists(CELLS, min_size=5, max_size=5), min_size=1, max_size=8),
)
def test_no_row_is_dropped_in_silence(captions: list[str], rows: list[list[object]]) -> None:
    table = workbook([captions, (NOV, *(["Tea"] * 4)), (NOV, 5, 5, 5, 5), *rows])
    try:
        book = open_book(table)
    except OtherLayout as other:
        recognised = other.recognised
    except BookRefused:
        return
    else:
        pytest.fail(f"{book.name} was read without a word")
    for each in recognised.mapping.tables:
        read_of = read_rows(table, each)
        accounted = [entry.row for entry in read_of.entries]
        accounted += [int(issue.cell.split("!")[1].lstrip("ABCDE")) for issue in read_of.issues]
        accounted += [int(cell.split("!")[1].lstrip("ABCDE")) for cell in (*read_of.totals, *read_of.notes)]
        assert len(accounted) == len(set(accounted))
        sheet = table.sheet("Sheet1")
        for row, cells in table_rows(sheet, each):
            texts = [str(sheet.value(cells[column]) or "").strip() for column in each.columns if column in cells]
            filled = any(letter.isalnum() for text in texts for letter in text)
            repeated = texts == [each.captions[column] for column in each.columns]
            assert row in accounted or repeated or not filled


@given(st.dates(date(2001, 1, 13), date(2030, 12, 31)).filter(lambda day: day.day > 12))
def test_one_day_above_twelve_settles_a_column(day: date) -> None:
    assert order_of(["03/04/2026", f"{day:%d/%m/%Y}"]) == "day first"
    assert order_of(["03/04/2026", f"{day:%m/%d/%Y}"]) == "month first"
