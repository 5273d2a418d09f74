"""A real workbook written to: the rows are there, every balance follows, and everything else is as it was."""

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.workbook import Workbook as OpenedBook

from ledger.book import read_book
from ledger.changes import Plan
from ledger.entries import MODES, Book, BookRefused, Draft, Entry, Mode
from ledger.patch import patch
from ledger.plan import plan_write
from ledger.template import blank_book, sample_book
from ledger.verify import verify
from ledger.workbook import Workbook

COFFEE = Draft(date(2026, 11, 30), "coffee", "PHONEPE", "DEBIT", Decimal("120.25"), "Food")
GIFT = Draft(date(2026, 11, 30), "present", "WALLET", "DEBIT", Decimal("9.50"), "Gifts")
RENT = Draft(date(2026, 11, 30), "rent", "BANK", "DEBIT", Decimal("15000"), "Rent")
REFUND = Draft(date(2026, 11, 30), "refund", "PHONEPE", "CREDIT", Decimal("0.05"), "Food")
NOVEMBER, CASH = "xl/worksheets/sheet2.xml", "xl/worksheets/sheet3.xml"

Edit = Callable[..., bytes]


def write(data: bytes, *drafts: Draft, openings: Mapping[Mode, Decimal] | None = None) -> tuple[bytes, Plan]:
    """Plan, patch and verify, and hold what the new book says of itself to what was planned."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    before = read_book(workbook)
    plan = plan_write(workbook, before, drafts, openings)
    after = patch(workbook, plan)
    verify(data, after, plan)
    book = read_book(Workbook(after, "Budget_2026.xlsx"))
    assert (book.disagreements, book.issues) == (before.disagreements, before.issues)
    assert book.balances == plan.balances_after
    assert sorted(map(facts, book.entries)) == sorted([*map(facts, before.entries), *map(draft_facts, plan.drafts)])
    return after, plan


def facts(entry: Entry) -> tuple[str, ...]:
    shown = (entry.date, entry.description, entry.mode, entry.direction, f"{entry.amount:.2f}", entry.category)
    return tuple(map(str, shown))


def draft_facts(draft: Draft) -> tuple[str, ...]:
    shown = (draft.date, draft.stored_description, draft.mode, draft.direction, f"{draft.amount:.2f}", draft.category)
    return tuple(map(str, shown))


def opened(data: bytes, *, values: bool = False) -> OpenedBook:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def replaced(
    data: bytes, changes: Mapping[str, Callable[[bytes], bytes]], added: Mapping[str, bytes] | None = None
) -> bytes:
    workbook = Workbook(data, "Budget_2026.xlsx")
    changed = {part: change(workbook.part(part)) for part, change in changes.items()}
    assert all(content != workbook.part(part) for part, content in changed.items())
    return workbook.rebuilt(changed, added or {})


def look(book: OpenedBook, cell: str) -> tuple[object, ...]:
    sheet, _, reference = cell.partition("!")
    found = book[sheet][reference]
    fill = found.fill.fgColor.rgb if found.fill.patternType == "solid" else None
    return fill, found.font.color.rgb if found.font.color else None, found.number_format, found.border.bottom.style


# what a person sees


def test_a_row_is_seen_by_another_program_with_its_values_formulas_and_look(small_book: bytes) -> None:
    after, _ = write(small_book, COFFEE, GIFT)
    sheet, shown = opened(after)["NOVEMBER"], opened(after, values=True)["NOVEMBER"]
    assert [cell.value for cell in sheet[10]][2:10] == [
        datetime(2026, 11, 30),
        "COFFEE",
        "PHONEPE",
        120.25,
        None,
        '=H9+IF($E10="PHONEPE",$G10-$F10,0)',
        '=I9+IF($E10="WALLET",$G10-$F10,0)',
        "Food",
    ]
    assert (shown["H11"].value, shown["I11"].value, shown["L8"].value, shown["L7"].value) == (7424.8, 146, 7424.8, 146)
    book = opened(after)
    assert look(book, "NOVEMBER!D10") == ("FF70AD47", "FF14171E", "General", "thin")
    assert look(book, "NOVEMBER!C10")[2] == "dd-mmm-yyyy"
    assert look(book, "NOVEMBER!J11") == ("FFC00000", "FFFFFFFF", "General", "thin")
    assert look(book, "NOVEMBER!H11") == look(book, "NOVEMBER!H9")


def test_credits_and_transfers_are_never_coloured_and_a_plain_row_is_plain_again(small_book: bytes) -> None:
    atm = Draft(date(2026, 11, 30), "atm withdrawal", "BANK", "DEBIT", Decimal(50), "Transfer")
    after, _ = write(small_book, REFUND, atm)
    book = opened(after)
    for cell in ("NOVEMBER!D10", "NOVEMBER!G10", "NOVEMBER!J10", "CASH TRACKER!D16"):
        assert look(book, cell)[:2] == (None, "FF14171E")


def test_every_part_a_write_does_not_touch_keeps_its_bytes(small_book: bytes) -> None:
    after, _ = write(small_book, COFFEE)
    old, new = parts(small_book), parts(after)
    assert old.keys() == new.keys()
    assert {part for part in old if old[part] != new[part]} == {NOVEMBER}
    assert zipfile.ZipFile(io.BytesIO(after)).testzip() is None
    assert [i.filename for i in zipfile.ZipFile(io.BytesIO(after)).infolist()] == [*old]


@pytest.mark.parametrize(
    "text",
    [
        "=cmd|'/c calc'!a0",
        "+91 98765 43210",
        "@sum(a1)",
        "-5",
        "a & <b> \"c\" 'd'",
        "_x0041_",
        "चाय ☕ ₹",
        "#ref!",
        "1/2",
    ],
)
def test_text_stays_text(text: str, small_book: bytes) -> None:
    after, plan = write(small_book, Draft(date(2026, 11, 30), text, "PHONEPE", "DEBIT", Decimal(1)))
    cell = opened(after)["NOVEMBER"]["D10"]
    assert cell.data_type == "s" or not text.startswith("=")
    assert b"<f>" not in re.search(rb'<c r="D10".*?</c>', parts(after)[NOVEMBER])[0]  # type: ignore[index]
    read = read_book(Workbook(after, "Budget_2026.xlsx"))
    assert plan.drafts[0].stored_description in {entry.description for entry in read.entries}


def test_amounts_are_written_as_the_decimals_they_are(small_book: bytes) -> None:
    after, _ = write(small_book, Draft(date(2026, 11, 30), "odd", "BANK", "CREDIT", Decimal("1234567890.10")))
    assert b"<v>1234567890.1</v>" in parts(after)[CASH]
    assert b"<v>1234760890.1</v>" in parts(after)[CASH]


def test_writes_can_follow_one_another(small_book: bytes) -> None:
    data = small_book
    for number in range(5):
        data, _ = write(
            data, Draft(date(2026, 11, 30), f"tea {number}", MODES[number % 4], "CREDIT", Decimal(number + 1))
        )
    book = read_book(Workbook(data, "Budget_2026.xlsx"))
    assert len(book.entries) == 14


# months


def test_an_earlier_months_row_moves_what_follows_and_the_closing_colour(small_book: bytes) -> None:
    after, _ = write(small_book, Draft(date(2026, 10, 31), "late", "PHONEPE", "DEBIT", Decimal(50), "Food"))
    shown = opened(after, values=True)
    assert [shown["OCTOBER"][cell].value for cell in ("H6", "H7", "L8")] == [7550, 7500, 7500]
    assert [shown["NOVEMBER"][cell].value for cell in ("H5", "H6", "H9", "L8")] == [7500, 7490.05, 7495.05, 7495.05]
    book = opened(after)
    assert look(book, "OCTOBER!H7")[:2] == look(book, "OCTOBER!I7")[:2] == ("FF4472C4", "FFFFFFFF")
    assert look(book, "OCTOBER!H6")[:2] == (None, "FF14171E")
    assert look(book, "OCTOBER!D7")[0] == "FF70AD47"


def test_a_new_month_is_a_sheet_like_the_one_before(small_book: bytes) -> None:
    december = Draft(date(2026, 12, 5), "cake", "WALLET", "DEBIT", Decimal("15.50"), "Food")
    after, _ = write(small_book, december, Draft(date(2026, 12, 6), "rent", "BANK", "DEBIT", Decimal(15000), "Rent"))
    book, shown = opened(after), opened(after, values=True)["DECEMBER"]
    assert book.sheetnames == ["OCTOBER", "NOVEMBER", "DECEMBER", "CASH TRACKER", "BUDGET", "TERMINOLOGY"]
    sheet, before = book["DECEMBER"], book["NOVEMBER"]
    assert (sheet["C2"].value, shown["C5"].value) == ("DECEMBER 2026", datetime(2026, 12, 1))
    assert (sheet["H5"].value, sheet["I5"].value) == ("=NOVEMBER!L8", "=NOVEMBER!L7")
    assert (shown["H5"].value, shown["I5"].value, shown["I6"].value, shown["L7"].value) == (7545.05, 155.5, 140, 140)
    assert {shown[f"K{row}"].value: shown[f"L{row}"].value for row in (26, 27, 28)} == {
        "Food": 15.5,
        "Rent": 15000,
        "Gifts": 0,
    }
    assert '"DECEMBER"' in sheet["L26"].value
    assert [cell.value for cell in sheet[7]][2:10] == [None] * 8
    assert [sheet.cell(row, 12).value for row in range(12, 19)] == [before.cell(row, 12).value for row in range(12, 19)]
    assert look(book, "DECEMBER!K12")[0] == "FFEE7ADD"
    assert sheet.freeze_panes == before.freeze_panes
    assert sheet.column_dimensions["D"].width == before.column_dimensions["D"].width
    assert sheet.row_dimensions[2].height == before.row_dimensions[2].height
    assert [str(v.sqref) for v in sheet.data_validations.dataValidation] == ["E6:E2005", "J6:J2005"]
    assert sheet.print_area == before.print_area.replace("NOVEMBER", "DECEMBER")
    assert sheet.print_title_rows == before.print_title_rows
    assert not sheet.sheet_view.tabSelected
    assert book.active.title == "NOVEMBER"
    assert book["TERMINOLOGY"].print_area.startswith("'TERMINOLOGY'")
    chart = parts(after)["xl/charts/chart3.xml"]
    assert b"DECEMBER!$K$26:$K$28" in chart
    assert b"Spending in December 2026" in chart
    assert b"Cache" not in chart
    assert look(book, "NOVEMBER!H9")[:2] == ("FF4472C4", "FFFFFFFF")
    assert look(book, "DECEMBER!H6")[:2] == (None, "FF14171E")


def test_two_months_can_be_opened_at_once_and_one_between_them_later() -> None:
    february = blank_book(2026, date(2026, 2, 10))
    tea = Draft(date(2026, 4, 2), "tea", "PHONEPE", "DEBIT", Decimal(20), "Food")
    pay = Draft(date(2026, 6, 2), "pay", "WALLET", "CREDIT", Decimal(300))
    after, plan = write(february, tea, pay, openings={"PHONEPE": Decimal(500), "BANK": Decimal(70)})
    assert [sheet.name for sheet in plan.new_sheets] == ["APRIL", "JUNE"]
    assert opened(after)["JUNE"]["H5"].value == "=APRIL!L8"
    between, _ = write(after, Draft(date(2026, 5, 9), "may", "PHONEPE", "DEBIT", Decimal(80), "Food"))
    book, shown = opened(between), opened(between, values=True)
    assert book.sheetnames[:4] == ["FEBRUARY", "APRIL", "MAY", "JUNE"]
    assert (book["MAY"]["H5"].value, book["JUNE"]["H5"].value) == ("=APRIL!L8", "=MAY!L8")
    assert (shown["MAY"]["H5"].value, shown["JUNE"]["H5"].value, shown["JUNE"]["L8"].value) == (480, 400, 400)
    assert look(book, "MAY!H6")[0] == "FF4472C4"
    assert book["CASH TRACKER"].print_title_rows == "$10:$10"
    assert [ws.print_area.split("!")[0].strip("'") for ws in book.worksheets] == book.sheetnames


def test_the_first_row_of_a_blank_book_looks_like_a_row() -> None:
    after, _ = write(
        blank_book(2026, date(2026, 11, 28)),
        Draft(date(2026, 11, 28), "milk", "PHONEPE", "DEBIT", Decimal(60), "Groceries"),
        Draft(date(2026, 11, 28), "milk", "MONEY", "DEBIT", Decimal(60), "Groceries"),
        openings=dict.fromkeys(MODES, Decimal(1000)),
    )
    book, shown = opened(after), opened(after, values=True)
    for sheet, row in (("NOVEMBER", 6), ("CASH TRACKER", 12)):
        assert look(book, f"{sheet}!D{row}") == ("FFEE7ADD", "FF14171E", "General", "thin")
        assert look(book, f"{sheet}!C{row}")[:3] == ("FFEE7ADD", "FF14171E", "dd-mmm-yyyy")
        assert look(book, f"{sheet}!H{row}")[0] is None
        assert "##" in str(look(book, f"{sheet}!F{row}")[2])
        assert shown[sheet][f"H{row}"].value == 940
    assert book["NOVEMBER"]["H6"].value == '=H5+IF($E6="PHONEPE",$G6-$F6,0)'


def test_cash_tracker_marks_the_last_row_of_a_month(small_book: bytes) -> None:
    before = opened(small_book)
    after, _ = write(small_book, Draft(date(2026, 12, 1), "rent", "BANK", "DEBIT", Decimal(1), "Rent"))
    book = opened(after)
    assert look(before, "CASH TRACKER!I15")[0] is None
    assert look(book, "CASH TRACKER!I15")[:2] == ("FF4472C4", "FFFFFFFF")


# books of other makes


def test_a_book_of_plain_numbers_keeps_plain_numbers(small_book: bytes) -> None:
    def plain(xml: bytes) -> bytes:
        return re.sub(rb"(<c r=\"[HI]\d+\"[^>]*>|<c r=\"[LD][5-8]\"[^>]*>)<f>[^<]*</f>", rb"\1", xml)

    data = replaced(small_book, {NOVEMBER: plain, CASH: plain})
    after, _ = write(data, COFFEE, RENT, Draft(date(2026, 10, 30), "late", "PHONEPE", "DEBIT", Decimal(1)))
    sheet = opened(after)["NOVEMBER"]
    assert (sheet["H10"].value, sheet["H5"].value, sheet["L8"].value) == (7423.8, 7549, 7423.8)
    assert opened(after)["CASH TRACKER"]["D5"].value == 178000


def test_shared_formulas_are_written_out_for_the_new_row(small_book: bytes) -> None:
    def shared(xml: bytes) -> bytes:
        for row in (7, 8, 9):
            xml = re.sub(rb'(<c r="H%d"[^>]*>)<f>[^<]*</f>' % row, rb'\1<f t="shared" si="0"/>', xml)
        return xml.replace(b"<f>H5+IF", b'<f t="shared" ref="H6:H9" si="0">H5+IF')

    after, _ = write(replaced(small_book, {NOVEMBER: shared}), COFFEE)
    assert opened(after)["NOVEMBER"]["H10"].value == '=H9+IF($E10="PHONEPE",$G10-$F10,0)'
    assert b'<f t="shared" si="0"/>' in parts(after)[NOVEMBER]


def test_a_sheet_in_a_prefix_of_its_own_is_written_in_it(small_book: bytes) -> None:
    def prefixed(xml: bytes) -> bytes:
        xml = re.sub(rb"<(/?)(?!\?)", rb"<\1x:", xml)
        return xml.replace(b'<x:worksheet xmlns="', b'<x:worksheet xmlns:x="')

    data = replaced(small_book, {NOVEMBER: prefixed})
    after, _ = write(data, COFFEE, Draft(date(2026, 10, 30), "late", "PHONEPE", "DEBIT", Decimal(1)))
    assert b'<x:c r="F10"' in parts(after)[NOVEMBER]
    assert opened(after)["NOVEMBER"]["F10"].value == 120.25
    december, _ = write(after, Draft(date(2026, 12, 1), "dec", "PHONEPE", "DEBIT", Decimal(1)))
    assert opened(december)["DECEMBER"]["D6"].value == "DEC"


def test_days_are_counted_as_the_book_counts_them(small_book: bytes) -> None:
    def later(xml: bytes) -> bytes:
        return re.sub(rb'(<c r="C\d+" s="\d+"><v>)(\d{5})', lambda m: m[1] + str(int(m[2]) - 1462).encode(), xml)

    sheets = {f"xl/worksheets/sheet{number}.xml": later for number in (1, 2, 3)}
    data = replaced(
        small_book, {**sheets, "xl/workbook.xml": lambda x: x.replace(b"<workbookPr", b'<workbookPr date1904="1"')}
    )
    after, _ = write(data, COFFEE, Draft(date(2026, 12, 1), "dec", "PHONEPE", "DEBIT", Decimal(1)))
    assert opened(after)["NOVEMBER"]["C10"].value == datetime(2026, 11, 30)
    assert opened(after)["DECEMBER"]["C5"].value == datetime(2026, 12, 1)


def test_the_calculation_chain_is_left_out_so_that_excel_builds_it_anew(small_book: bytes) -> None:
    chain = (
        b'<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="H6" i="2"/></calcChain>'
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain"
    data = replaced(
        small_book,
        {
            "[Content_Types].xml": lambda x: x.replace(
                b"</Types>", b'<Override PartName="/xl/calcChain.xml" ContentType="c"/></Types>'
            ),
            "xl/_rels/workbook.xml.rels": lambda x: x.replace(
                b"</Relationships>",
                f'<Relationship Id="rId99" Type="{kind}" Target="calcChain.xml"/></Relationships>'.encode(),
            ),
            "xl/workbook.xml": lambda x: x.replace(b' fullCalcOnLoad="1"', b""),
        },
        {"xl/calcChain.xml": chain},
    )
    after, plan = write(data, COFFEE)
    assert plan.dropped == ("xl/calcChain.xml",)
    left = parts(after)
    assert "xl/calcChain.xml" not in left
    assert b"calcChain" not in left["[Content_Types].xml"] + left["xl/_rels/workbook.xml.rels"]
    assert b'fullCalcOnLoad="1"' in left["xl/workbook.xml"]


X14 = (
    b'<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}" '
    b'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:dataValidations count="1" '
    b'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:dataValidation type="list"><x14:formula1>'
    b"<xm:f>BUDGET!$C$5:$C$8</xm:f></x14:formula1><xm:sqref>J6:J9 E6:E2005</xm:sqref></x14:dataValidation>"
    b"</x14:dataValidations></ext></extLst>"
)


def with_table(data: bytes, more: str = "") -> bytes:
    """November's rows as an Excel table, and a dropdown of the newer kind that ends with them."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/table"
    names = ("Date", "Description", "Mode", "Debit", "Credit", "PhonePe balance", "Wallet balance", "Category")
    columns = "".join(f'<tableColumn id="{n}" name="{name}"/>' for n, name in enumerate(names, 1))
    table = (
        f'<table xmlns="{space}" id="1" name="Spent" displayName="Spent" ref="C4:J9"{more}><autoFilter ref="C4:J9"/>'
        f'<tableColumns count="8">{columns}</tableColumns></table>'
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"
    return replaced(
        data,
        {
            NOVEMBER: lambda x: x.replace(
                b"</worksheet>", b'<tableParts count="1"><tablePart r:id="rId9"/></tableParts>' + X14 + b"</worksheet>"
            ),
            "xl/worksheets/_rels/sheet2.xml.rels": lambda x: x.replace(
                b"</Relationships>",
                f'<Relationship Id="rId9" Type="{relation}" Target="../tables/table1.xml"/></Relationships>'.encode(),
            ),
            "[Content_Types].xml": lambda x: x.replace(
                b"</Types>", f'<Override PartName="/xl/tables/table1.xml" ContentType="{kind}"/></Types>'.encode()
            ),
        },
        {"xl/tables/table1.xml": table.encode()},
    )


def test_a_table_and_a_newer_dropdown_cover_the_new_rows(small_book: bytes) -> None:
    after, _ = write(with_table(small_book), COFFEE, GIFT)
    table = opened(after)["NOVEMBER"].tables["Spent"]
    assert (table.ref, table.autoFilter.ref) == ("C4:J11", "C4:J11")
    assert b"<xm:sqref>J6:J11 E6:E2005</xm:sqref>" in parts(after)[NOVEMBER]


def test_a_table_with_a_total_row_is_refused_and_a_new_month_is_begun_without_its_table(small_book: bytes) -> None:
    with pytest.raises(BookRefused, match="Switch the total row off"):
        write(with_table(small_book, ' totalsRowCount="1"'), COFFEE)
    _, plan = write(with_table(small_book, ""), replace(COFFEE, date=date(2026, 12, 1)))
    assert "November has an Excel table; the sheet DECEMBER is begun without." in plan.notes


def test_a_chart_and_a_formula_that_ended_at_the_last_row_take_in_the_new_one(small_book: bytes, edit: Edit) -> None:
    data = edit(small_book, {"BUDGET!L6": "v:SUM(NOVEMBER!F6:F9)|153.45"})
    data = replaced(data, {"xl/charts/chart1.xml": lambda x: x.replace(b"OCTOBER!$L$26:$L$28", b"NOVEMBER!$F$6:$F$9")})
    after, plan = write(data, COFFEE)
    assert opened(after)["BUDGET"]["L6"].value == "=SUM(NOVEMBER!F6:F10)"
    assert b"NOVEMBER!$F$6:$F$10" in parts(after)["xl/charts/chart1.xml"]
    assert "A chart that drew NOVEMBER!$F$6:$F$9 now draws NOVEMBER!$F$6:$F$10." in plan.notes


def test_a_column_of_formulas_beside_cash_tracker_is_continued(small_book: bytes, edit: Edit) -> None:
    beside = {
        "'CASH TRACKER'!K10": "t:Net",
        "'CASH TRACKER'!K14": "v:G14-F14|0",
        "'CASH TRACKER'!K15": "v:G15-F15|2000",
    }
    after, _ = write(edit(small_book, beside), RENT)
    sheet = opened(after)["CASH TRACKER"]
    assert (sheet["K15"].value, sheet["K16"].value, sheet["K17"].value) == ("=G15-F15", "=G16-F16", None)


def test_a_pivot_tables_source_takes_in_the_new_row(small_book: bytes) -> None:
    part = "xl/pivotCache/pivotCacheDefinition1.xml"
    source = (
        b'<pivotCacheDefinition xmlns="m"><cacheSource><worksheetSource ref="C4:J9" sheet="NOVEMBER"/></cacheSource>'
    )
    data = Workbook(small_book, "Budget_2026.xlsx").rebuilt({}, {part: source + b"</pivotCacheDefinition>"})
    after, plan = write(data, COFFEE)
    assert b'ref="C4:J10" sheet="NOVEMBER"' in parts(after)[part]
    assert plan.notes == ("A pivot table over NOVEMBER!C4:J9 now covers the new row; refresh it in Excel.",)


def test_formatted_blank_rows_below_the_table_are_filled_in_turn(small_book: bytes) -> None:
    blanks = b"".join(
        b'<row r="%d" hidden="0"><c r="B%d" s="3"/><c r="F%d" s="3"/><c r="K%d" s="3"/></row>' % (r, r, r, r)
        for r in range(16, 30)
    )
    data = replaced(small_book, {CASH: lambda x: x.replace(b"</sheetData>", blanks + b"</sheetData>")})
    after, plan = write(data, RENT)
    assert plan.rows[0].row == 16
    assert b'<c r="K16" s="3"/>' in parts(after)[CASH]
    assert opened(after)["CASH TRACKER"]["F16"].value == 15000


def test_a_plan_for_another_version_of_the_book_is_refused(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    plan = plan_write(workbook, read_book(workbook), [COFFEE])
    with pytest.raises(BookRefused, match="not the version"):
        patch(Workbook(patch(workbook, plan), "Budget_2026.xlsx"), plan)


# whatever is written


LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"))
DRAFTS = st.builds(
    Draft,
    st.dates(date(2026, 10, 1), date(2026, 12, 31)),
    st.text(LETTERS, min_size=1, max_size=20).map(lambda text: f"x {text}"),
    st.sampled_from(MODES),
    st.sampled_from(("DEBIT", "CREDIT")),
    st.integers(1, 10**9).map(lambda paise: Decimal(paise) / 100),
    st.sampled_from(("Food", "Rent", "Gifts", "Transfer", None)),
    st.sampled_from(((), ("PARTY",))),
)


@given(
    batches=st.lists(st.lists(DRAFTS, min_size=1, max_size=4), min_size=1, max_size=2),
    opening=st.integers(0, 10**7),
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_batch_is_written_exactly_as_planned(batches: list[list[Draft]], opening: int, small_book: bytes) -> None:
    data = small_book
    for batch in batches:
        data, _ = write(data, *batch, openings={"PHONEPE": Decimal(opening) / 100})


# LibreOffice


@pytest.mark.office
@pytest.mark.filterwarnings("ignore:Data Validation extension")
def test_libreoffice_finds_every_formula_of_every_written_book_at_its_value(
    small_book: bytes,
    recalculated: Callable[[Mapping[str, bytes]], Mapping[str, Mapping[str, object]]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    sample = sample_book(date(2026, 11, 28))
    milk = Draft(date(2026, 11, 28), "milk", "PHONEPE", "DEBIT", Decimal("60.05"), "Groceries")
    december = Draft(date(2026, 12, 2), "milk", "WALLET", "DEBIT", Decimal("30.10"), "Food")
    out = Draft(date(2026, 11, 28), "to cash", "BANK", "DEBIT", Decimal(500), "Transfer")
    back = Draft(date(2026, 11, 28), "from bank", "MONEY", "CREDIT", Decimal(500), "Transfer")
    october = Draft(date(2026, 10, 3), "forgotten", "PHONEPE", "DEBIT", Decimal("12.34"), "Groceries")
    gap, _ = write(
        blank_book(2026, date(2026, 2, 10)),
        Draft(date(2026, 5, 2), "pay", "PHONEPE", "CREDIT", Decimal(5000)),
        openings={"PHONEPE": Decimal("0.10"), "MONEY": Decimal(40)},
    )
    opened_december, _ = write(sample, december, Draft(date(2026, 12, 3), "cash", "MONEY", "DEBIT", Decimal(5), "Food"))
    typed: Mapping[Mode, Decimal] = {"PHONEPE": Decimal(20000), "WALLET": Decimal("5.05"), "BANK": Decimal(9)}
    books = {
        "append": write(sample, milk, COFFEE, out, back)[0],
        "earlier": write(sample, october, Draft(date(2026, 9, 9), "older", "WALLET", "DEBIT", Decimal(1)))[0],
        "afterwards": write(opened_december, milk, december, october)[0],
        "openings": write(sample, openings=typed)[0],
        "between": write(gap, Draft(date(2026, 3, 2), "march", "PHONEPE", "DEBIT", Decimal("7.07"), "Food"))[0],
        "table": write(with_table(small_book), COFFEE, GIFT, RENT, REFUND)[0],
    }
    fresh = recalculated(books)
    assert {name: stale_formulas(data, fresh[name]) for name, data in books.items()} == {name: [] for name in books}


def test_the_balances_of_a_written_book_are_those_of_its_rows(small_book: bytes) -> None:
    after, plan = write(small_book, COFFEE, GIFT, RENT, REFUND)
    book: Book = read_book(Workbook(after, "Budget_2026.xlsx"))
    assert {card.cell: card.shows for card in book.cards if card.month is None} == {
        "'CASH TRACKER'!D5": plan.balances_after["BANK"],
        "'CASH TRACKER'!D6": plan.balances_after["MONEY"],
        "TERMINOLOGY!K5": plan.balances_after["BANK"],
        "TERMINOLOGY!K6": plan.balances_after["MONEY"],
    }
