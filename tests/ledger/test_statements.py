"""Statements of banks and apps: read whatever their shape, told apart from the book, nothing doubled, nothing lost."""

import io
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.__main__ import main
from ledger.entries import BookRefused, Direction, Entry
from ledger.statements.matching import Moved, compare
from ledger.statements.narration import clean_payee, reference_in
from ledger.statements.numbers import Signed, notation_of, signed_amount
from ledger.statements.statement import Said, Statement, read_pages, read_statement
from ledger.template import sample_book

HDFC = """HDFC BANK Ltd.,,,,,,
Account No :50100012344321,,,,,,
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
********,*****,****,****,***,***,***
01/11/26,NEFT CR-CITI0000002-ACME LTD-SALARY-CITIN26123456,CITIN26123456,01/11/26,,"55,000.00","65,000.00"
03/11/26,"UPI-ZOMATO-ZOMATO@HDFCBANK-HDFC0000001-612345678901-UPI
 FOOD",0000612345678901,03/11/26,350.00,,"64,650.00"
03/11/26,UPI-ZOMATO-ZOMATO@HDFCBANK-HDFC0000001-612345678999-UPI,0000612345678999,03/11/26,350.00,,"64,300.00"
,,,,,,
STATEMENT SUMMARY :-,,,,,,
Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal,
"10,000.00",2,1,700.00,"55,000.00","64,300.00",
"""
ICICI = """S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount(INR),Deposit Amount(INR),Balance(INR)
1,12/11/2026,13/11/2026,-,UPI/612345678901/Payment from Ph/zomato@axl/AXIS BANK,350.00,0.00,9650.00
"""  # noqa: E501  a bank's own captions
SBI = (
    "Account Number\t:_00000012344321\n"
    "Txn Date\tValue Date\tDescription\tRef No./Cheque No.\t Debit\tCredit\tBalance\n"
    "1 Nov 2026\t1 Nov 2026\tTO TRANSFER-UPI/DR/612345678901/RAVI K/SBIN/ravi@ybl/--\t-\t500.00\t \t9,500.00\n"
    "2 Nov 2026\t2 Nov 2026\tBY TRANSFER-NEFT*HDFC0000001*N123*ACME\t\t \t1,000.00\t10,500.00\n"
)
AXIS = """Statement of Axis Account No : 912010012344321
Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL
,,OPENING BALANCE,,,1000.00,
12-11-2026,-,UPI/P2M/612345678901/ZOMATO/HDFC/food,200.00,,800.00,123
13-11-2026,-,UPI/P2M/612345678902/ZOMATO/HDFC/food,200.00,,600.00,123
,,TRANSACTION TOTAL,400.00,0.00,,
,,CLOSING BALANCE,,,600.00,
"""
KOTAK = """Kotak Mahindra Bank,,,,,,,
Sl. No.,Date,Description,Chq / Ref number,Amount,Dr / Cr,Balance,Dr / Cr
1,12-11-2026,UPI/RAVI/612345678901/x,UPI-612345678901,"1,250.50",DR,"8,749.50",CR
2,13-11-2026,UPI/AMMA/612345678902/x,UPI-612345678902,100.00,CR,"8,849.50",CR
"""
PHONEPE = """Date,Transaction Details,Type,Amount
"Nov 12, 2026",Paid to ZOMATO,DEBIT,₹350
"Nov 13, 2026",Received from Ravi,CREDIT,"₹1,200"
"""
PAYTM = """Date,Time,Transaction Details,Your Account,Amount,UPI Ref No.,Order ID,Remarks,Tags
12/11/2026,10:00:00,Paid to Swiggy,HDFC Bank - 4321,-250.00,612345678901,,,
13/11/2026,10:00:00,Money received from Ravi,HDFC Bank - 4321,+300.00,612345678902,,,
"""


def read(text: str, name: str = "statement.csv", said: Said | None = None) -> Statement:
    return read_statement(text.encode(), name, said)


def facts(statement: Statement) -> list[tuple[str, str]]:
    return [(row.payee, f"{row.signed}") for row in statement.rows]


@pytest.mark.parametrize(
    ("text", "name", "title", "account", "rows"),
    [
        (HDFC, "a.csv", "HDFC Bank", "4321", [("ACME LTD", "55000.00"), ("ZOMATO", "-350.00"), ("ZOMATO", "-350.00")]),
        (ICICI, "a.csv", "ICICI Bank", None, [("zomato", "-350.00")]),
        (SBI, "a.xls", "State Bank of India", "4321", [("RAVI K", "-500.00"), ("ACME", "1000.00")]),
        (AXIS, "a.csv", "Axis Bank", "4321", [("ZOMATO", "-200.00"), ("ZOMATO", "-200.00")]),
        (KOTAK, "a.csv", "Kotak Mahindra Bank", None, [("RAVI", "-1250.50"), ("AMMA", "100.00")]),
        (PHONEPE, "PhonePe_Statement.csv", "PhonePe", None, [("ZOMATO", "-350"), ("Ravi", "1200")]),
        (PAYTM, "Paytm_UPI.csv", "Paytm", "4321", [("Swiggy", "-250.00"), ("Ravi", "300.00")]),
    ],
)
def test_each_banks_statement_is_known_and_read(
    text: str, name: str, title: str, account: str | None, rows: list[tuple[str, str]]
) -> None:
    statement = read(text, name)
    assert (statement.title, statement.account, facts(statement)) == (title, account, rows)
    assert not statement.unread
    assert not statement.asked


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_statement_is_read_in_any_encoding(encoding: str) -> None:
    assert facts(read_statement(HDFC.encode(encoding), "a.csv")) == facts(read(HDFC))


def test_a_statement_from_the_newest_row_down_is_read_the_same() -> None:
    top, first, second, bottom = AXIS.partition("12-11-2026")[0], "12-11-2026", "13-11-2026", ",,TRANSACTION"
    lines = [line for line in AXIS.splitlines() if line.startswith((first, second))]
    turned = top + "\n".join(lines[::-1]) + "\n" + bottom + AXIS.partition(bottom)[2]
    assert [row.day.day for row in read(turned).rows] == [12, 13]
    assert not read(turned).differs


def test_opening_total_and_closing_rows_are_no_transactions() -> None:
    statement = read(AXIS)
    assert (statement.passed, statement.opening, statement.closing) == (3, Decimal(1000), Decimal(600))


def test_the_first_balance_that_the_rows_do_not_give_is_named() -> None:
    assert read(AXIS.replace("600.00,123", "650.00,123")).differs.startswith("Row 5 of the statement states ₹650.00")


def test_a_date_that_cannot_be_read_is_listed_and_never_today() -> None:
    statement = read(AXIS.replace("13-11-2026", "13-31-2026"))
    assert [(row.row, len(statement.rows)) for row in statement.unread] == [(5, 1)]


def test_a_failed_payment_of_an_app_is_passed_by() -> None:
    text = "Date,Transaction Details,Type,Amount,Status\n12/11/2026,Paid to A,DEBIT,10,SUCCESS\n"
    statement = read(f"{text}13/11/2026,Paid to B,DEBIT,20,FAILED\n", "phonepe.csv")
    assert (facts(statement), statement.passed) == ([("A", "-10")], 1)


def test_an_unknown_statement_is_asked_about_before_it_is_taken_over() -> None:
    statement = read("Date,Details,Amount\n03/04/2026,Coffee,110.7\n04/05/2026,Tea,12.50\n")
    assert (statement.asked, statement.known, statement.order, statement.sign_asked) == (True, False, "either", True)
    said = Said(day_first=False, positive="CREDIT")
    settled = read("Date,Details,Amount\n03/04/2026,Coffee,110.7\n04/05/2026,Tea,12.50\n", said=said)
    assert [(row.day, row.signed) for row in settled.rows] == [
        (date(2026, 3, 4), Decimal("110.7")),
        (date(2026, 4, 5), Decimal("12.50")),
    ]


def test_a_table_with_captions_of_nobody_is_read_by_what_stands_in_it() -> None:
    statement = read("Posted,Memo,Sum\n13/04/2026,Coffee,-110.70\n14/05/2026,Tea,-12.50\n")
    assert (facts(statement), statement.known) == ([("Coffee", "-110.70"), ("Tea", "-12.50")], False)


def test_days_up_to_12_are_not_swapped_when_another_row_proves_the_order() -> None:
    statement = read("Date,Details,Amount\n09-11-2018,A,-1\n23-11-2018,B,-2\n")
    assert [row.day for row in statement.rows] == [date(2018, 11, 9), date(2018, 11, 23)]


def test_columns_for_money_out_and_in_keep_incomes() -> None:
    statement = read("Date,Details,Debit,Credit\n13/11/2026,Rent,500,0\n14/11/2026,Salary,0,900\n")
    assert [str(row.signed) for row in statement.rows] == ["-500", "900"]


def test_the_lines_of_a_pdfs_pages_are_a_statement() -> None:
    statement = read_pages(
        [
            [
                "Axis Bank account XX4321",
                "Tran Date    Particulars               Debit        Credit       Balance",
                "12-11-2026   UPI-RAVI-612345678901     500.00                    9,500.00",
            ],
            ["13-11-2026   Salary                                 1,000.00     10,500.00", "Page 2"],
        ],
        "axis.pdf",
    )
    assert facts(statement) == [("RAVI", "-500.00"), ("Salary", "1000.00")]
    assert (statement.account, statement.differs) == ("4321", "")


def test_a_statement_in_a_workbook_is_read_with_its_real_dates_and_numbers() -> None:
    sheet = openpyxl.Workbook()
    for row in (
        ["ICICI Bank statement"],
        ["Account No", "012345678901"],
        ICICI.splitlines()[0].split(","),
        [1, date(2026, 11, 3), date(2026, 11, 4), "-", "BIL/ONL/000123/BESCOM", 350.1, 0, 9649.9],
    ):
        sheet.active.append(row)
    file = io.BytesIO()
    sheet.save(file)
    statement = read_statement(file.getvalue(), "OpTransactionHistory.xlsx")
    assert (statement.title, statement.account, facts(statement)) == ("ICICI Bank", "8901", [("BESCOM", "-350.1")])
    assert [row.day for row in statement.rows] == [date(2026, 11, 4)]


def test_lines_below_a_transaction_of_an_apps_pdf_give_its_reference() -> None:
    page = [
        "PhonePe transaction statement",
        "Date   Transaction Details   Type   Amount",
        "Nov 12, 2026   Paid to ZOMATO   DEBIT   ₹350",
        "02:22 PM   Transaction ID T2611121422",
        "UTR No. 612345678901",
        "Paid by XXXX4321",
        "Nov 13, 2026   Received from Ravi   CREDIT   ₹1,200",
        "Page 1 of 2",
    ]
    statement = read_pages([page], "statement.pdf")
    assert facts(statement) == [("ZOMATO", "-350"), ("Ravi", "1200")]
    assert (statement.rows[0].reference, statement.unread) == ("612345678901", ())


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7", b"\xd0\xcf\x11\xe0abc", b"a,b\nc,d\n", b"Date,Amount\n"])
def test_a_file_without_a_statement_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(BookRefused, match=r"mine\.csv"):
        read_statement(data, "mine.csv")


@pytest.mark.parametrize(
    ("column", "read"),
    [
        (["-110.7", "20.00"], ["-110.7", "20.00"]),
        (["-3.000"], ["-3000"]),
        (["-500,00"], ["-500.00"]),
        (["12,34"], ["12.34"]),
        (["1.250,50", "3.000"], ["1250.50", "3000"]),
        (["1,23,456.50"], ["123456.50"]),
        (["(250.00)", "250.00-"], ["-250.00", "-250.00"]),
        (["₹1,200", "Rs. 50", "−40", "250\u00a0"], ["1200", "50", "-40", "250"]),
        (["３５０.00"], ["350.00"]),
    ],
)
def test_an_amount_keeps_its_size_in_any_notation(column: list[str], read: list[str]) -> None:
    amounts = [signed_amount(text, notation_of(column)) for text in column]
    assert [each.value if isinstance(each, Signed) else each for each in amounts] == [Decimal(text) for text in read]


def test_an_amount_that_could_be_two_things_is_not_read() -> None:
    assert isinstance(signed_amount("3.000", notation_of(["3.000", "12.50"])), str)


@pytest.mark.parametrize(
    ("narration", "payee", "reference"),
    [
        ("UPI/DR/412345678901/ZOMATO/HDFC/zomato@hdfcbank/Payment", "ZOMATO", "412345678901"),
        ("UPI-SWIGGY-SWIGGY@YBL-YESB0000001-612345678901-UPI", "SWIGGY", "612345678901"),
        ("POS 416021XXXXXX8812 DMART BANGALORE", "DMART BANGALORE", None),
        ("ACH D- BAJAJ FINANCE-1234567", "BAJAJ FINANCE", None),
        ("Received from 9876543210@ybl", "9876543210", None),
        ("VIN/AMAZON/20261112/123456", "AMAZON", None),
    ],
)
def test_a_narration_comes_to_the_name_a_person_knows(narration: str, payee: str, reference: str | None) -> None:
    assert (clean_payee(narration), reference_in(narration)) == (payee, reference)


def test_a_description_is_never_longer_than_the_book_takes() -> None:
    assert len(clean_payee("x" * 5000)) <= 500


# at the command line


def test_the_command_shows_what_is_new_and_writes_it_only_on_yes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, statement = tmp_path / "Budget_2026.xlsx", tmp_path / "hdfc.csv"
    book.write_bytes(sample_book(date(2026, 11, 30)))
    statement.write_text(HDFC)
    before = book.read_bytes()
    command = ["import", str(statement), "--book", str(book), "--home", str(tmp_path / "home")]
    assert main(command) == 0
    assert "3 transactions new to the book" in capsys.readouterr().out
    assert book.read_bytes() == before
    assert main([*command, "--yes"]) == 0
    assert main(command) == 0
    assert "0 transactions new to the book, 3 in it already" in capsys.readouterr().out


# against the book


def moved(day: int, amount: str, direction: Direction = "DEBIT", reference: str | None = None) -> Moved:
    return Moved(date(2026, 11, day), "BANK", direction, Decimal(amount), reference)


def entry(of: Moved) -> Entry:
    return Entry(of.day, "ROW", of.mode, of.direction, of.amount, None, None, (), "CASH TRACKER", 12)


def itself(each: Moved) -> Moved:
    return each


def test_two_real_purchases_of_one_day_and_amount_are_both_new() -> None:
    assert len(compare([moved(3, "350"), moved(3, "350")], itself, []).new) == 2


def test_of_two_equal_payments_one_booked_one_is_new() -> None:
    compared = compare([moved(3, "350"), moved(3, "350")], itself, [entry(moved(4, "350"))])
    assert (len(compared.new), len(compared.known)) == (1, 1)


def test_a_refund_of_the_same_amount_is_no_duplicate() -> None:
    assert compare([moved(3, "100", "CREDIT")], itself, [entry(moved(3, "100"))]).new


def test_three_days_apart_is_the_same_and_four_is_not() -> None:
    assert not compare([moved(3, "9")], itself, [entry(moved(6, "9"))]).new
    assert compare([moved(3, "9")], itself, [entry(moved(7, "9"))]).new


def test_a_reference_taken_over_before_is_known_whatever_became_of_its_row() -> None:
    assert not compare([moved(3, "9", reference="R1")], itself, [], {"R1"}).new


MOVES = st.lists(
    st.builds(
        lambda day, amount, direction: Moved(
            date(2026, 11, 1) + timedelta(days=day), "BANK", direction, Decimal(amount)
        ),
        st.integers(0, 20),
        st.sampled_from(["100", "250.50", "350"]),
        st.sampled_from(["DEBIT", "CREDIT"]),
    ),
    max_size=25,
)


@given(MOVES, st.data())
@settings(max_examples=60, deadline=None)
def test_any_part_of_the_books_rows_brings_nothing_new(book: list[Moved], data: st.DataObject) -> None:
    part = data.draw(st.lists(st.sampled_from(book), unique_by=id)) if book else []
    assert compare(part, itself, [entry(each) for each in book]).new == ()


@given(MOVES, MOVES)
@settings(max_examples=60, deadline=None)
def test_new_and_known_together_are_what_came_and_no_row_answers_twice(coming: list[Moved], book: list[Moved]) -> None:
    rows = [entry(each)._replace(row=number) for number, each in enumerate(book)]
    compared = compare(coming, itself, rows)
    answering = [row.row for _, row in compared.known if row]
    assert len(compared.new) + len(compared.known) == len(coming)
    assert len(answering) == len(set(answering))
