"""Cell formats are found or appended, never changed."""

from datetime import date
from io import BytesIO

import openpyxl
import pytest

from ledger.changes import NewStyle
from ledger.entries import BookRefused
from ledger.styles import Formats, Styles, appended
from ledger.template import sample_book
from ledger.workbook import Workbook

SMALL = (
    b'<styleSheet xmlns="m"><fonts count="2"><font/><font><b/><sz val="11"/><color theme="1"/></font></fonts>'
    b'<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid">'
    b'<fgColor rgb="FFEE7ADD"/></patternFill></fill></fills><cellXfs count="3"><xf numFmtId="0" fontId="1" fillId="0"/>'
    b'<xf numFmtId="0" fontId="1" fillId="1" applyFill="1"/><xf numFmtId="14" fontId="0" fillId="0">'
    b'<alignment horizontal="left"/></xf></cellXfs><dxfs count="1"><dxf><font/></dxf></dxfs></styleSheet>'
)


def test_a_format_the_book_has_is_found_by_what_it_looks_like() -> None:
    formats = Formats(Styles(SMALL, "Book.xlsx"))
    assert formats.like(0, fill="FFEE7ADD") == 1
    assert formats.like(1, fill="") == 0
    assert formats.like(1) == 1
    assert formats.new == ()


def test_a_format_the_book_lacks_is_planned_once() -> None:
    formats = Formats(Styles(SMALL, "Book.xlsx"))
    assert formats.like(0, fill="FFC00000", font="FFFFFFFF") == 3
    assert formats.like(1, fill="FFC00000", font="FFFFFFFF") == 3
    assert formats.like(2, fill="FFC00000") == 4
    assert formats.new == (NewStyle(3, 0, "FFC00000", "FFFFFFFF"), NewStyle(4, 2, "FFC00000"))


def test_appended_formats_stand_at_the_ends_of_their_lists() -> None:
    new = (NewStyle(3, 0, "FFC00000", "FFFFFFFF"), NewStyle(4, 2, "FFC00000", None, "dd-mmm-yyyy"))
    after = Styles(appended(Styles(SMALL, ""), new), "")
    assert [after.written(index) for index in range(3)] == [Styles(SMALL, "").written(index) for index in range(3)]
    assert len(after) == 5
    assert len(after.fills) == 3
    assert len(after.fonts) == 3
    assert b'<fonts count="3">' in after.xml
    assert b'<numFmts count="1"><numFmt numFmtId="164" formatCode="dd-mmm-yyyy"/></numFmts>' in after.xml
    assert after.said(3).fill == after.said(4).fill == "FFC00000"
    assert after.said(3).colour == "FFFFFFFF"
    assert after.is_date(4)
    assert after.written(4).endswith(b'<alignment horizontal="left"/></xf>')
    assert b"<dxf><font/></dxf>" in after.xml


def test_openpyxl_reads_an_appended_format_of_the_sample_book() -> None:
    book = Workbook(sample_book(date(2026, 11, 28)), "Budget_2026.xlsx")
    styles = Styles(book.part("xl/styles.xml"), book.name)
    cell = book.sheet("NOVEMBER").cells(6)["C"]
    xml = appended(styles, (NewStyle(len(styles), cell.style, "FF00B050", "FF112233"),))
    sheet = book.sheet("NOVEMBER").xml
    moved = sheet[: cell.start] + f'<c r="C6" s="{len(styles)}"><v>46327</v></c>'.encode() + sheet[cell.end :]
    data = book.rebuilt({"xl/styles.xml": xml, book.sheet("NOVEMBER").part: moved})
    seen = openpyxl.load_workbook(BytesIO(data))["NOVEMBER"]["C6"]
    assert (seen.fill.fgColor.rgb, seen.font.color.rgb, seen.number_format) == ("FF00B050", "FF112233", "dd-mmm-yyyy")


def test_a_prefixed_part_is_appended_to_in_its_own_prefix() -> None:
    prefixed = SMALL.replace(b"</", b"</x:").replace(b"<", b"<x:").replace(b"<x:/x:", b"</x:")
    after = appended(Styles(prefixed, ""), (NewStyle(3, 0, "FFC00000"),))
    assert b'<x:fill><x:patternFill patternType="solid"><x:fgColor rgb="FFC00000"/>' in after
    assert b'<x:cellXfs count="4">' in after


def test_formats_with_comments_among_them_are_refused() -> None:
    with pytest.raises(BookRefused, match="Save it again in Excel"):
        Styles(SMALL.replace(b"<fonts", b"<!-- --><fonts"), "Book.xlsx")
