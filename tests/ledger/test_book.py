"""A book is read strictly: a row is an entry or an issue, and what the book says of itself is held against the rows."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.book import read_book
from ledger.cell_values import Unread, read_day, read_mode
from ledger.check import report
from ledger.entries import MODES, Book, BookRefused, Category, Draft
from ledger.template import new_book
from ledger.workbook import Workbook

Read = Callable[..., Book]
Edit = Callable[..., bytes]

CATEGORIES = (
    Category("Food", "PERSONAL", Decimal("5000.5"), False, ("lunch", "filter coffee")),
    Category("Rent", "HOME", Decimal(0), True),
    Category("Fine", "AVOID", None, False),
    Category("Transfer", "TRANSFER", None, True, ("topup",)),
)


def listed(book: Book) -> dict[str, str]:
    return {issue.cell: issue.reason for issue in book.issues}


# what was written is read


words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12)
descriptions = (
    st.lists(words, min_size=1, max_size=4).map(" ".join).filter(lambda text: not re.search(r"[\[\]]|_x", text))
)
drafts = st.builds(
    Draft,
    st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    descriptions,
    st.sampled_from(MODES),
    st.sampled_from(("DEBIT", "CREDIT")),
    st.decimals(Decimal("0.01"), Decimal(10**9), places=2),
    st.sampled_from((None, *(line.name for line in CATEGORIES))),
    st.lists(st.from_regex(r"[A-Z0-9]{1,6}", fullmatch=True), max_size=2, unique=True).map(tuple),
)
openings = st.dictionaries(st.sampled_from(MODES), st.none() | st.decimals(-(10**9), 10**9, places=2), max_size=4)


@settings(deadline=None, max_examples=20)
@given(st.lists(drafts, max_size=12), openings)
def test_a_new_book_is_read_as_what_it_was_made_of(
    given_drafts: list[Draft], given_openings: dict[str, Decimal]
) -> None:
    book = read_book(
        Workbook(new_book(2026, CATEGORIES, given_openings, None, {"PERSONAL": ("GYM",)}, given_drafts, 1), "b.xlsx")
    )
    assert book.issues == ()
    assert book.disagreements == ()
    assert book.budget == CATEGORIES
    assert book.openings == {mode: given_openings.get(mode) for mode in MODES}
    groups = {line.name: line.group for line in CATEGORIES}
    expected = sorted(
        (
            d.date,
            d.stored_description,
            d.mode,
            d.direction,
            d.amount,
            d.category or "",
            groups.get(d.category or ""),
            d.tags,
        )
        for d in given_drafts
    )
    assert expected == sorted(
        (e.date, e.description, e.mode, e.direction, e.amount, e.category or "", e.group, e.tags) for e in book.entries
    )
    for mode in MODES:
        moved = (d.amount if d.direction == "CREDIT" else -d.amount for d in given_drafts if d.mode == mode)
        assert book.balances[mode] == sum(moved, given_openings.get(mode) or Decimal(0))
        last = [card.shows for card in book.cards if card.mode == mode][-1]
        assert last == book.balances[mode]


def test_entries_name_their_cells_and_stand_in_calendar_order(small_book: bytes, read: Read) -> None:
    book = read(small_book)
    assert [entry.cells for entry in book.entries] == [
        "OCTOBER!C6:J6",
        *(f"NOVEMBER!C{row}:J{row}" for row in range(6, 10)),
        *(f"'CASH TRACKER'!B{row}:J{row}" for row in range(12, 16)),
    ]
    assert book.opening_cells == {
        "PHONEPE": "OCTOBER!H5",
        "WALLET": "OCTOBER!I5",
        "MONEY": "'CASH TRACKER'!H11",
        "BANK": "'CASH TRACKER'!I11",
    }
    assert [(card.cell, card.month) for card in book.cards] == [
        *(
            ("OCTOBER!L7", "OCTOBER"),
            ("OCTOBER!L8", "OCTOBER"),
            ("NOVEMBER!L7", "NOVEMBER"),
            ("NOVEMBER!L8", "NOVEMBER"),
        ),
        *(("'CASH TRACKER'!D5", None), ("'CASH TRACKER'!D6", None), ("TERMINOLOGY!K5", None), ("TERMINOLOGY!K6", None)),
    ]
    assert book.lists == {"FOR HOME": ("SOAP",), "PERSONAL": ("GYM", "BELT"), "WISHLIST": ()}


# messy cells


@pytest.mark.parametrize(
    ("content", "amount"),
    [
        ("t:₹1,234.50", "1234.50"),
        ("t:500/-", "500"),
        ("t: 500\u00a0", "500"),
        ("t:1,00,000", "100000"),
        ("n:9018.610000000001", "9018.61"),
        ("n:0.30000000000000004", "0.3"),
        ("n:5E2", "500"),
        ("v:10+5|15", "15"),
    ],
)
def test_an_amount_is_read_in_the_shapes_people_leave(
    content: str, amount: str, small_book: bytes, edit: Edit, read: Read
) -> None:
    book = read(edit(small_book, {"NOVEMBER!F6": content}))
    assert book.issues == ()
    assert next(e for e in book.entries if e.amount_cell == "NOVEMBER!F6").amount == Decimal(amount)


@pytest.mark.parametrize(
    ("cells", "issue", "words"),
    [
        ({"NOVEMBER!F6": "t:about 500"}, "NOVEMBER!F6", "not one clear amount"),
        ({"NOVEMBER!F6": "t:1,2,3"}, "NOVEMBER!F6", "not one clear amount"),
        ({"NOVEMBER!F6": "t:(500)"}, "NOVEMBER!F6", "below zero"),
        ({"NOVEMBER!F6": "n:-500"}, "NOVEMBER!F6", "below zero"),
        ({"NOVEMBER!F6": "n:0"}, "NOVEMBER!F6", "no amount above zero"),
        ({"NOVEMBER!F6": ""}, "NOVEMBER!F6", "no amount above zero"),
        ({"NOVEMBER!F6": "t:-"}, "NOVEMBER!F6", "no amount above zero"),
        ({"NOVEMBER!G6": "n:7"}, "NOVEMBER!F6", "both a debit and a credit"),
        ({"NOVEMBER!C6": ""}, "NOVEMBER!C6", "no date"),
        ({"NOVEMBER!C6": "t:some day"}, "NOVEMBER!C6", "not a date"),
        ({"NOVEMBER!C6": "n:5"}, "NOVEMBER!C6", "not a date"),
        ({"NOVEMBER!C6": "n:45600"}, "NOVEMBER!C6", "this is the book of 2026"),
        ({"NOVEMBER!C6": "e:#VALUE!"}, "NOVEMBER!C6", "not a date"),
        ({"NOVEMBER!E6": ""}, "NOVEMBER!E6", "no mode"),
        ({"NOVEMBER!E6": "t:barter"}, "NOVEMBER!E6", "no mode of the book"),
        ({"NOVEMBER!E6": "t:BANK"}, "NOVEMBER!E6", "stand in CASH TRACKER"),
        ({"'CASH TRACKER'!E12": "t:GPay"}, "'CASH TRACKER'!E12", "on the sheet of their month"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_its_cell_and_left_out(
    cells: dict[str, str], issue: str, words: str, small_book: bytes, edit: Edit, read: Read
) -> None:
    before, book = read(small_book), read(edit(small_book, cells))
    assert words in listed(book)[issue]
    assert len(book.issues) == 1
    assert not book.issues[0].stops_totals
    assert len(book.entries) == len(before.entries) - 1


@pytest.mark.parametrize("content", ["e:#REF!", "e:#DIV/0!", "f:F5*2"])
def test_an_amount_nobody_knows_stops_every_total(content: str, small_book: bytes, edit: Edit, read: Read) -> None:
    for cell in ("NOVEMBER!F6", "'CASH TRACKER'!G12", "OCTOBER!H5"):
        book = read(edit(small_book, {cell: content}))
        (issue,) = book.issues
        assert (issue.cell, issue.stops_totals) == (cell, True)
        assert issue.reads in ("#REF!", "#DIV/0!", "=F5*2", "")


def test_modes_are_read_as_people_spell_them(small_book: bytes, edit: Edit, read: Read) -> None:
    for spelling in ("Phone Pay", "PhonePe", "phonepay", " GPay ", "UPI"):
        book = read(edit(small_book, {"NOVEMBER!E6": f"t:{spelling}"}))
        assert book.issues == ()
        assert book.entries[1].mode == "PHONEPE"
    assert read_mode("Debit Card") == "BANK"
    assert read_mode("cash") == "MONEY"
    assert isinstance(read_mode("cashback"), Unread)


def test_blank_rows_total_rows_and_a_dash_for_no_amount_are_not_issues(
    small_book: bytes, edit: Edit, read: Read
) -> None:
    cells = {
        "NOVEMBER!G6": "t:-",
        "NOVEMBER!G7": "n:5",
        "NOVEMBER!F7": "n:0",
        "NOVEMBER!C12": "n:46342",
        "NOVEMBER!D14": "t:Sub total",
        "NOVEMBER!F14": "v:SUM(F6:F13)|500",
        "NOVEMBER!F15": "v:SUM(F6:F14)|500",
        "NOVEMBER!D16": "t:CLOSING BALANCE",
        "NOVEMBER!G16": "n:500",
        "NOVEMBER!C17": "t:TOTAL",
        "NOVEMBER!F17": "n:1",
    }
    book = read(edit(small_book, cells))
    assert book.issues == ()
    assert len(book.entries) == 9
    unmoded = read(edit(small_book, {"NOVEMBER!D6": "t:Total lunch bill", "NOVEMBER!E6": ""}))
    assert "no mode" in listed(unmoded)["NOVEMBER!E6"], "words that only begin like a total are a row"
    kept = read(edit(small_book, {"NOVEMBER!D6": "t:Total petrol pump"}))
    assert kept.entries[1].description == "Total petrol pump", "a row with a mode is a row, whatever its words"


def test_a_note_and_an_entry_on_the_opening_row_are_named(small_book: bytes, edit: Edit, read: Read) -> None:
    book = read(edit(small_book, {"NOVEMBER!D12": "t:wedding week", "NOVEMBER!F5": "n:12"}))
    assert "no mode" in listed(book)["NOVEMBER!E12"]
    assert "is the opening balance's" in listed(book)["NOVEMBER!F5"]


def test_a_category_the_budget_lacks_is_named_and_its_row_counts(small_book: bytes, edit: Edit, read: Read) -> None:
    book = read(edit(small_book, {"NOVEMBER!J6": "t:Fod", "NOVEMBER!J9": "t: gifts "}))
    assert "BUDGET has no such category" in listed(book)["NOVEMBER!J6"]
    assert len(book.entries) == 9
    assert (book.entries[1].category, book.entries[1].group) == (None, "PERSONAL"), "the fill still says the group"
    assert book.entries[4].category == "Gifts"
    assert book.disagreements == ()


def test_a_book_without_the_category_column_has_groups_by_fill_and_transfers_by_words(
    small_book: bytes, edit: Edit, read: Read
) -> None:
    gone = {f"NOVEMBER!J{row}": "" for row in (4, *range(6, 10))} | {
        f"'CASH TRACKER'!J{row}": "" for row in (10, *range(12, 16))
    }
    book = read(edit(small_book, gone))
    assert book.issues == ()
    assert [(entry.category, entry.group) for entry in book.entries if entry.sheet != "OCTOBER"] == [
        *((None, "PERSONAL"), (None, None), (None, None), (None, "WISHLIST")),
        *((None, None), (None, "HOME"), (None, "TRANSFER"), (None, None)),
    ]


# dates


NOVEMBER_5 = date(2026, 11, 5)


@pytest.mark.parametrize(
    "text",
    [
        *("05-11-2026", "5/11/26", "5.11.2026", "2026-11-05", "2026-11-05 00:00:00", "5 Nov 2026", "5-Nov-26"),
        *("05 november 2026", "Nov 5, 2026", "5th Nov", "5/11", "05Nov2026"),
    ],
)
def test_a_text_date_is_read_day_first_where_its_month_is_known(text: str) -> None:
    assert read_day(text, date1904=False, month=11, year=2026) == NOVEMBER_5


@pytest.mark.parametrize(
    ("text", "month", "expected"),
    [
        ("25-10-2026", None, date(2026, 10, 25)),
        ("05-11-2026", None, None),
        ("11-05-2026", 11, None),
        ("11/25/2026", 11, None),
        ("07-07-2026", None, date(2026, 7, 7)),
        ("31-02-2026", 2, None),
        ("5 Foo 2026", 11, None),
        ("2026", 11, None),
        ("tomorrow", 11, None),
        ("1/2/3/4", 11, None),
    ],
)
def test_a_text_date_that_could_be_two_days_is_not_read(text: str, month: int | None, expected: date | None) -> None:
    found = read_day(text, date1904=False, month=month, year=2026)
    assert found == expected if expected else isinstance(found, Unread)


@given(st.dates(date(1990, 1, 1), date(2199, 12, 31)))
def test_every_day_of_a_calendar_is_read_from_its_number(day: date) -> None:
    for date1904, epoch in ((False, date(1899, 12, 30)), (True, date(1904, 1, 1))):
        serial = Decimal((day - epoch).days)
        if serial >= 31_417:
            assert read_day(serial, date1904=date1904, month=None, year=None) == day
            assert read_day(serial + Decimal("0.75"), date1904=date1904, month=None, year=None) == day


def test_the_month_column_decides_a_text_date_in_cash_tracker(small_book: bytes, edit: Edit, read: Read) -> None:
    there = {"'CASH TRACKER'!C13": "t:02-11-2026"}
    assert read(edit(small_book, there)).entries[6].date == date(2026, 11, 2)
    unknown = read(edit(small_book, there | {"'CASH TRACKER'!B13": ""}))
    assert "either way round" in listed(unknown)["'CASH TRACKER'!C13"]


def test_a_book_of_the_1904_calendar_has_the_same_days(small_book: bytes, read: Read) -> None:
    book = Workbook(small_book, "Budget_2026.xlsx")
    changed = {"xl/workbook.xml": book.part("xl/workbook.xml").replace(b"<workbookPr ", b'<workbookPr date1904="1" ')}
    for ref in book.sheets[:3]:
        dated = re.sub(
            rb'(<c r="C\d+" s="\d+"><v>)(\d+)(</v>)',
            lambda m: m[1] + str(int(m[2]) - 1462).encode() + m[3],
            book.part(ref.part),
        )
        changed[ref.part] = dated
    before, after = read(small_book), read(book.rebuilt(changed))
    assert after.issues == ()
    assert [entry.date for entry in after.entries] == [entry.date for entry in before.entries]


# what the book says of itself


def test_balances_come_from_the_rows_and_a_card_that_differs_is_named(
    small_book: bytes, edit: Edit, read: Read
) -> None:
    before = read(small_book)
    wrong = edit(small_book, {"NOVEMBER!L8": "n:99", "'CASH TRACKER'!D6": "e:#REF!"})
    book = read(wrong)
    assert book.balances == before.balances
    assert book.disagreements == (
        "NOVEMBER!L8 shows ₹99.00 for PhonePe, the rows give ₹7,545.05.",
        "'CASH TRACKER'!D6 shows #REF! for Cash, the rows give ₹2,000.30.",
    )
    shows = {card.cell: card.shows for card in book.cards}
    assert shows["NOVEMBER!L8"] == 99
    assert shows["'CASH TRACKER'!D6"] is None


def test_a_running_balance_that_differs_is_named_where_it_begins(small_book: bytes, edit: Edit, read: Read) -> None:
    def off(cell: str, value: str) -> dict[str, str]:
        return {f"NOVEMBER!{cell}": f"n:{value}"}

    book = read(
        edit(small_book, off("H6", "8540.05") | off("H7", "8545.05") | off("H8", "8545.05") | off("H9", "8545.05"))
    )
    assert book.disagreements == ("NOVEMBER!H6 shows ₹8,540.05 for PhonePe, the rows give ₹7,540.05.",)
    assert read(edit(small_book, off("H6", "7540.0500001"))).disagreements == (), "binary noise is no difference"


def test_an_opening_that_is_not_the_month_befores_closing_is_named(small_book: bytes, edit: Edit, read: Read) -> None:
    book = read(edit(small_book, {"NOVEMBER!H5": "n:1"}))
    assert book.disagreements[0] == "NOVEMBER!H5 shows ₹1.00 for PhonePe, the rows give ₹7,550.00."
    assert book.balances == read(small_book).balances


def test_a_formula_without_a_value_is_unknown_and_never_zero(small_book: bytes, edit: Edit, read: Read) -> None:
    book = read(edit(small_book, {"NOVEMBER!L8": "f:H9", "NOVEMBER!H6": "f:H5-F6", "NOVEMBER!H5": "f:OCTOBER!L8"}))
    assert book.disagreements == ()
    assert {card.cell: card.shows for card in book.cards}["NOVEMBER!L8"] is None


def test_a_book_saved_by_openpyxl_has_no_calculated_values_and_the_same_rows(small_book: bytes, read: Read) -> None:
    out = BytesIO()
    openpyxl.load_workbook(BytesIO(small_book)).save(out)
    before, after = read(small_book), read(out.getvalue())
    assert after.issues == ()
    assert after.entries == before.entries
    assert after.balances == before.balances
    assert {card.shows for card in after.cards} == {None}


def test_the_budget_sheets_own_mistakes_are_named(small_book: bytes, edit: Edit, read: Read) -> None:
    cells = {
        "BUDGET!D5": "t:FUN",
        "BUDGET!E6": "t:lots",
        "BUDGET!F6": "t:maybe",
        "BUDGET!C9": "t:rent",
        "BUDGET!D9": "t:For Home",
        "BUDGET!C10": "t:TOTAL",
        "BUDGET!E10": "v:SUM(E5:E9)|1",
    }
    book = read(edit(small_book, cells))
    assert [line.name for line in book.budget] == ["Rent", "Gifts", "Transfer"]
    assert book.budget[0].monthly is None
    assert book.budget[0].essential
    reasons = listed(book)
    assert "A group is one of HOME" in reasons["BUDGET!D5"]
    assert "not one clear amount" in reasons["BUDGET!E6"]
    assert "Yes or No" in reasons["BUDGET!F6"]
    assert "twice" in reasons["BUDGET!C9"]
    assert "BUDGET!C10" not in reasons


# which year, which layout


def test_the_year_is_the_titles_the_names_or_the_dates(small_book: bytes, edit: Edit, read: Read) -> None:
    untitled = edit(small_book, {"OCTOBER!C2": "t:OCTOBER", "NOVEMBER!C2": ""})
    assert read(small_book, "Money_2019.xlsx").year == 2026
    assert read(untitled, "Money 2026.xlsx").year == 2026
    assert read(untitled, "Money.xlsx").year == 2026
    other = read(untitled, "Money_2025.xlsx")
    assert other.year == 2025
    assert len(other.issues) == 9
    blank = new_book(2026, CATEGORIES, {}, None, {}, (), 5)
    with pytest.raises(BookRefused, match="which year"):
        read(edit(blank, {"MAY!C2": "t:MAY"}), "Money.xlsx")


def test_another_layout_is_refused_saying_what_was_looked_for(small_book: bytes, edit: Edit, read: Read) -> None:
    plain = openpyxl.Workbook()
    plain.active.append(["Date", "Amount"])
    out = BytesIO()
    plain.save(out)
    with pytest.raises(BookRefused, match=r"no sheet named for a month .* Its sheets are: Sheet\."):
        read(out.getvalue())
    with pytest.raises(
        BookRefused, match="C4 to G4 must say Date, Description, Mode, Debit, Credit, but say date, what"
    ):
        read(edit(small_book, {"NOVEMBER!D4": "t:What"}))
    book = Workbook(small_book, "Budget.xlsx")
    for old, new, sentence in (
        (b'name="CASH TRACKER"', b'name="CASH"', "no sheet called CASH TRACKER"),
        (b'name="NOVEMBER"', b'name="November"', "must be called NOVEMBER"),
    ):
        renamed = book.rebuilt({"xl/workbook.xml": book.part("xl/workbook.xml").replace(old, new)})
        with pytest.raises(BookRefused, match=sentence):
            read(renamed)


def test_hidden_rows_and_sheets_are_read(small_book: bytes, read: Read) -> None:
    book = openpyxl.load_workbook(BytesIO(small_book))
    book["OCTOBER"].sheet_state = "veryHidden"
    book["NOVEMBER"].row_dimensions[7].hidden = True
    out = BytesIO()
    book.save(out)
    assert read(out.getvalue()).entries == read(small_book).entries


def test_a_long_book_is_read_whole(read: Read) -> None:
    day = date(2026, 1, 1)
    many = [
        Draft(
            day + timedelta(days=n % 365),
            f"row {n}",
            MODES[n % 4],
            "CREDIT" if n % 3 else "DEBIT",
            Decimal(n + 1) / 100,
        )
        for n in range(2_500)
    ]
    book = read(new_book(2026, CATEGORIES, {}, None, {}, many, 1))
    assert len(book.entries) == 2_500
    assert (book.issues, book.disagreements) == ((), ())
    assert sum(entry.amount for entry in book.entries) == sum(draft.amount for draft in many)


# the report


def test_the_report_names_what_a_person_must_look_at(small_book: bytes, edit: Edit, read: Read) -> None:
    wrong = edit(small_book, {"NOVEMBER!F6": "e:#REF!", "NOVEMBER!L7": "n:1", "OCTOBER!I5": ""})
    workbook = Workbook(wrong, "Budget_2026.xlsx")
    text = report(workbook, read_book(workbook))
    assert "Budget_2026.xlsx: Munshi's layout, 2026, 8 entries, 4 categories" in text
    assert "NOVEMBER: 3 entries" in text
    assert "Wallet: −₹144.50 (no opening in OCTOBER!I5, counted as 0)" in text
    assert "NOVEMBER!L7 shows ₹1.00 for Wallet, the rows give −₹144.50." in text
    assert (
        "NOVEMBER!F6 reads '#REF!': It shows the error #REF!. Mend the formula in Excel. Totals stop until then."
        in text
    )
    commented = Workbook(small_book, "b")
    part = commented.sheet("NOVEMBER").part
    odd = commented.rebuilt({part: commented.part(part).replace(b"<sheetData>", b"<sheetData><!-- -->")})
    assert "NOVEMBER: 4 entries, can be read but not written" in report(Workbook(odd, "b"), read(odd))
