"""Any file is opened safely or refused with a sentence; what was opened is rebuilt byte for byte."""

import re
import struct
import warnings
import zipfile
from collections.abc import Callable
from decimal import Decimal
from io import BytesIO

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cell_values import exact_amount
from ledger.entries import BookRefused
from ledger.sheetxml import CellError, Sheet, column_letters, column_number, text_of
from ledger.workbook import Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def sheet_of(sheet_data: str, *, shared: tuple[str, ...] = (), around: str = "{}") -> Sheet:
    xml = f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{MAIN}">{around.format(sheet_data)}</worksheet>'
    return Sheet("S", "xl/worksheets/sheet1.xml", xml.encode(), shared, "Book.xlsx")


def values(sheet: Sheet) -> dict[str, object]:
    return {f"{c.column}{row}": sheet.value(c) for row, cells in sheet.iterate() for c in cells.values()}


def repacked(data: bytes, changed: dict[str, bytes] | None = None, *, without: str = "") -> bytes:
    """The same package written anew by zipfile, some members changed or left out."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != without:
                new.writestr(name, (changed or {}).get(name, old.read(name)))
    return out.getvalue()


def part(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return archive.read(name)


# refusals


def refusal(data: bytes, name: str = "Budget.xlsx") -> str:
    with pytest.raises(BookRefused) as refused:
        Workbook(data, name)
    return str(refused.value)


def test_files_that_are_no_workbook_are_refused_with_what_to_do(small_book: bytes) -> None:
    plain_zip = BytesIO()
    with zipfile.ZipFile(plain_zip, "w") as archive:
        archive.writestr("notes.txt", "hello")
    cases = {
        b"": "is empty",
        b"Date,Amount\n": "not an Excel workbook",
        OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 100: "password-protected",
        OLE + b"\0" * 600 + "Workbook".encode("utf-16-le"): "old .xls file",
        small_book[: len(small_book) // 2]: "is damaged",
        small_book[:-30]: "is damaged",
        plain_zip.getvalue(): "holds no Excel workbook",
        repacked(small_book, without="xl/workbook.xml"): "holds no Excel workbook",
        repacked(small_book, without="xl/worksheets/sheet1.xml"): "its sheet OCTOBER is listed but not in the file",
    }
    for data, words in cases.items():
        sentence = refusal(data)
        assert words in sentence
        assert sentence.startswith("Budget.xlsx")
        assert re.search(r"(Copy|Open|Choose|save|Save)", sentence), sentence


def test_a_zip_bomb_is_refused_before_it_is_unpacked(small_book: bytes) -> None:
    bomb = repacked(small_book, {"xl/sharedStrings.xml": b"<sst>" + b" " * (80 * 1024 * 1024) + b"</sst>"})
    assert len(bomb) < 200_000
    assert "would unpack to" in refusal(bomb)


def test_a_part_that_lies_about_its_size_is_refused(small_book: bytes) -> None:
    archive = zipfile.ZipFile(BytesIO(small_book))
    info = archive.getinfo("xl/sharedStrings.xml")
    at = small_book.rindex(b"xl/sharedStrings.xml") - 46
    assert struct.unpack("<L", small_book[at + 24 : at + 28])[0] == info.file_size
    assert "cannot be unpacked" in refusal(small_book[: at + 24] + struct.pack("<L", 100) + small_book[at + 28 :])


def test_a_part_that_stands_twice_is_refused(small_book: bytes) -> None:
    for name in ("xl/workbook.xml", "XL/Workbook.xml"):
        out = BytesIO(small_book)
        with warnings.catch_warnings(), zipfile.ZipFile(out, "a") as archive:
            warnings.simplefilter("ignore")
            archive.writestr(name, b"<workbook/>")
        assert "twice" in refusal(out.getvalue())


def test_entity_declarations_are_refused_in_any_part(small_book: bytes) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    for name in ("xl/sharedStrings.xml", "xl/worksheets/sheet2.xml", "docProps/core.xml", "xl/drawings/drawing1.xml"):
        xml = part(small_book, name)
        trap = repacked(small_book, {name: bomb + xml[xml.index(b"?>") + 2 :]})
        assert "document type declaration" in refusal(trap)
        utf16 = repacked(small_book, {name: (bomb + b"<a/>").decode().encode("utf-16")})
        assert "not in UTF-8" in refusal(utf16)


def test_a_value_in_the_last_cell_of_the_sheet_is_refused_and_a_formatted_blank_is_not(small_book: bytes) -> None:
    name = "xl/worksheets/sheet1.xml"
    xml = part(small_book, name)

    def with_row(row: bytes) -> bytes:
        return repacked(small_book, {name: xml.replace(b"</sheetData>", row + b"</sheetData>")})

    far = refusal(with_row(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'))
    assert "far away" in far
    assert "XFD1048576" in far
    for trap in (
        b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
        b'<row r="900"><c r="XFD1048576"><v>1</v></c></row>',
        b'<row r="1048576"><c><v>1</v></c></row>',
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="200"/>',
        b'<x:row r="1048576"><x:c s="1" r="AAA1048576"><v>1</v></x:c></x:row>',
    ):
        assert "far away" in refusal(with_row(trap)), trap
    Workbook(with_row(b'<row r="1048576"><c r="XFD1048576" s="1"/></row>'), "Budget.xlsx")
    Workbook(with_row(b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>'), "Budget.xlsx")


def test_strict_and_binary_workbooks_are_refused_with_how_to_save_them(small_book: bytes) -> None:
    workbook = part(small_book, "xl/workbook.xml").replace(
        MAIN.encode(), b"http://purl.oclc.org/ooxml/spreadsheetml/main"
    )
    assert "Strict Open XML" in refusal(repacked(small_book, {"xl/workbook.xml": workbook}))
    rels = part(small_book, "_rels/.rels").replace(b"xl/workbook.xml", b"xl/workbook.bin")
    assert "binary workbook" in refusal(repacked(small_book, {"_rels/.rels": rels}))


def test_broken_xml_is_refused_wherever_it_stands(small_book: bytes) -> None:
    xml = part(small_book, "xl/worksheets/sheet1.xml")
    for broken in (xml[:-40], xml.replace(b"<cols>", b"<cols"), xml.replace(b"</c></row>", b"</row>", 1)):
        workbook = Workbook(repacked(small_book, {"xl/worksheets/sheet1.xml": broken}), "Budget.xlsx")
        with pytest.raises(BookRefused, match="is damaged"):
            list(workbook.sheet("OCTOBER").iterate())


# reading


def test_values_are_typed_and_exact() -> None:
    sheet = sheet_of(
        '<sheetData><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>7670.1</v></c>'
        '<c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#REF!</v></c><c r="E2" t="str"><f>A2</f><v>a &amp; b</v></c>'
        '<c r="F2" t="inlineStr"><is><t xml:space="preserve"> ₹5 _x0041_</t></is></c><c r="G2" s="3"/>'
        '<c r="H2"><f>1/3</f><v>0.33333333333333331</v></c><c r="I2"><f>NOW()</f></c><c r="J2" t="s"><v/></c>'
        '<c r="K2"><v>1e3</v></c><c r="L2"><v>NaN</v></c></row></sheetData>',
        shared=("zero", "one"),
    )
    assert sheet.regular
    assert values(sheet) == {
        "A2": "one",
        "B2": Decimal("7670.1"),
        "C2": True,
        "D2": CellError("#REF!"),
        "E2": "a & b",
        "F2": " ₹5 A",
        "G2": None,
        "H2": Decimal("0.33333333333333331"),
        "I2": None,
        "J2": None,
        "K2": Decimal("1E+3"),
        "L2": CellError("NaN"),
    }
    assert sheet.cells(2)["I"].formula == "NOW()"
    assert sheet.cells(2)["B"].formula is None


def test_a_cell_knows_its_bytes_in_text_of_any_script() -> None:
    sheet = sheet_of(
        '<sheetData><row r="1" spans="1:2"><c r="A1" t="inlineStr"><is><t>किराया ₹</t></is></c>'
        '<c r="B1" s="12"><v>1</v></c></row><row r="3"/>'
        '<row r="4"><c r="C4"><f t="shared" ref="C4:C9" si="0">C3+1</f><v>2</v></c></row></sheetData>'
    )
    assert sheet.regular
    assert list(sheet.rows) == [1, 3, 4]
    for row, cells in sheet.iterate():
        for cell in cells.values():
            assert sheet.xml[cell.start : cell.end].startswith(b"<c ")
            assert sheet.xml[cell.start : cell.end].endswith(b"</c>")
            assert sheet.rows[row].start < cell.start < cell.end < sheet.rows[row].end
    assert sheet.xml[sheet.rows[3].start : sheet.rows[3].end] == b'<row r="3"/>'
    assert sheet.xml[: sheet.data.start].endswith(b"<sheetData>")
    assert sheet.xml[sheet.data.end :].startswith(b"</sheetData>")
    assert sheet.cells(1)["A"].raw == "किराया ₹"
    assert sheet.cells(1)["B"].style == 12
    assert sheet.cells(4)["C"].formula_attributes == {"t": "shared", "ref": "C4:C9", "si": "0"}
    assert sheet.cells(99) == {}


@pytest.mark.parametrize(
    "sheet_data",
    [
        "<sheetData><!-- a note --><row r='2'><c r='A2'><v>5</v></c></row></sheetData>",
        '<sheetData><row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[five]]></t></is></c></row></sheetData>',
        "<sheetData><row><c><v>1</v></c></row><row><c><v>5</v></c></row></sheetData>",
        '<sheetData><row r="2"><c r="A2" t="inlineStr"><is><r><t>fi</t></r><r><t>ve</t></r></is></c></row></sheetData>',
        '<sheetData><row r="2"><c r="A2"><v>5</v><extLst/></c></row></sheetData>',
        '<sheetData><row r="3"><c r="A3"><v>1</v></c></row><row r="2"><c r="A2"><v>5</v></c></row></sheetData>',
        '<sheetData><row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>5</v></c></row></sheetData>',
    ],
)
def test_xml_that_excel_would_not_write_is_read_but_not_regular(sheet_data: str) -> None:
    sheet = sheet_of(sheet_data)
    assert not sheet.regular
    assert sheet.value(sheet.cells(2)["A"]) in (Decimal(5), "five")
    assert list(sheet.rows) == sorted(sheet.rows)
    assert [row for row, _ in sheet_of(sheet_data).columns("AB")] == list(sheet.rows)


def test_a_row_or_cell_that_stands_twice_is_refused() -> None:
    for twice in (
        '<row r="2"><c r="A2"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
        '<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>',
    ):
        with pytest.raises(BookRefused, match="stands twice"):
            list(sheet_of(f"<sheetData>{twice}</sheetData>").iterate())


def test_rows_of_another_namespace_are_not_rows() -> None:
    sheet = sheet_of(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>',
        around='{}<controls xmlns:xdr="urn:x"><xdr:row>5</xdr:row><x:f xmlns:x="urn:y">A1</x:f></controls>',
    )
    assert sheet.regular
    assert values(sheet) == {"A1": Decimal(1)}


def test_a_prefixed_sheet_is_read_and_names_its_prefix() -> None:
    row = '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>'
    xml = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>{row}</x:sheetData></x:worksheet>'
    sheet = Sheet("S", "p", xml.encode(), (), "Book.xlsx")
    assert (sheet.regular, sheet.prefix, values(sheet)) == (True, "x:", {"A1": Decimal(1)})


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=20)
cell_contents = st.one_of(st.none(), texts, st.decimals(-(10**12), 10**12, places=2), st.booleans())


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(cell_contents, min_size=4, max_size=4), max_size=8))
def test_whatever_openpyxl_writes_is_read_the_same_by_each_way_through_a_sheet(rows: list[list[object]]) -> None:
    book = openpyxl.Workbook()
    for number, row in enumerate(rows, 1):
        for column, content in enumerate(row, 1):
            cell = book.active.cell(number, column)
            cell.value = content
            if isinstance(content, str):
                cell.data_type = "s"
    out = BytesIO()
    book.save(out)
    workbook = Workbook(out.getvalue(), "Book.xlsx")
    sheet = workbook.sheet("Sheet")
    assert sheet.regular
    exact = Sheet("S", "p", sheet.xml.replace(b"<sheetData>", b"<sheetData><!-- -->"), workbook.shared_strings, "Book")
    assert not exact.regular
    found = {place: value for place, value in values(sheet).items() if value is not None}
    assert found == {place: value for place, value in values(exact).items() if value is not None}
    by_columns = {
        f"{letter}{row}": (fields[4 * index + 3], fields[4 * index + 1] or "n")
        for row, fields in sheet.columns("ABCD")
        for index, letter in enumerate("ABCD")
    }
    for row, cells in sheet.iterate():
        for letter in "ABCD":
            cell = cells.get(letter)
            assert by_columns[f"{letter}{row}"] == ((cell.raw, cell.type) if cell else (None, "n"))
    for number, row in enumerate(rows, 1):
        for column, content in zip("ABCD", row, strict=True):
            got = found.get(f"{column}{number}")
            if isinstance(content, str):
                assert (got or "") == content
            elif isinstance(got, Decimal):
                # openpyxl itself writes 9018.61 as 9018.610000000001
                assert exact_amount(got) == content
            else:
                assert got == content


def test_columns_are_lettered_as_excel_does() -> None:
    assert [column_letters(n) for n in (1, 26, 27, 702, 703, 16384)] == ["A", "Z", "AA", "ZZ", "AAA", "XFD"]
    assert all(column_number(column_letters(n)) == n for n in range(1, 2000))


def test_sheets_keep_their_order_state_and_relations(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget.xlsx")
    assert [ref.name for ref in workbook.sheets] == ["OCTOBER", "NOVEMBER", "CASH TRACKER", "BUDGET", "TERMINOLOGY"]
    assert {ref.state for ref in workbook.sheets} == {"visible"}
    (drawing,) = (r for r in workbook.relations(workbook.sheets[0].part) if r.type.endswith("/drawing"))
    assert drawing.target == "xl/drawings/drawing1.xml"
    assert not drawing.external
    hidden = part(small_book, "xl/workbook.xml").replace(
        b'<sheet name="BUDGET"', b'<sheet state="hidden" name="BUDGET"'
    )
    assert Workbook(repacked(small_book, {"xl/workbook.xml": hidden}), "b").sheets[3].state == "hidden"
    with pytest.raises(KeyError):
        workbook.sheet("DECEMBER")


def test_the_1904_calendar_is_noticed(small_book: bytes) -> None:
    assert not Workbook(small_book, "b").date1904
    xml = part(small_book, "xl/workbook.xml").replace(b"<workbookPr ", b'<workbookPr date1904="1" ')
    assert Workbook(repacked(small_book, {"xl/workbook.xml": xml}), "b").date1904


def test_fills_are_read_from_plain_and_theme_colours(small_book: bytes) -> None:
    workbook = Workbook(small_book, "b")
    cells = workbook.sheet("NOVEMBER").cells(6)
    assert workbook.fill_of(cells["D"].style) == "FF70AD47"
    assert workbook.fill_of(cells["H"].style) is None
    assert workbook.fill_of(9999) is None
    styles = part(small_book, "xl/styles.xml")
    theme = styles.replace(b'<fgColor rgb="FF70AD47"/>', b'<fgColor theme="4"/>')
    accent = re.search(rb'<a:accent1><a:srgbClr val="(\w{6})"', part(small_book, "xl/theme/theme1.xml"))
    assert theme != styles
    assert accent
    themed = Workbook(repacked(small_book, {"xl/styles.xml": theme}), "b")
    assert themed.fill_of(cells["D"].style) == "FF" + accent[1].decode()
    tinted = styles.replace(b'<fgColor rgb="FF70AD47"/>', b'<fgColor theme="4" tint="0.4"/>')
    assert Workbook(repacked(small_book, {"xl/styles.xml": tinted}), "b").fill_of(cells["D"].style) is None


# rebuilding


def members(data: bytes) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert archive.testzip() is None
        return [
            (i.filename, i.CRC, i.file_size, i.compress_size, i.date_time, i.external_attr) for i in archive.infolist()
        ]


def test_a_rebuilt_book_keeps_every_other_part_byte_for_byte(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget.xlsx")
    assert members(workbook.rebuilt({})) == members(small_book)
    new = workbook.rebuilt({"docProps/app.xml": b"<a/>"}, {"xl/extra.xml": "<₹/>".encode()}, ["docProps/core.xml"])
    before = {line[0]: line for line in members(small_book)}
    after = {line[0]: line for line in members(new)}
    assert list(after) == [name for name in before if name != "docProps/core.xml"] + ["xl/extra.xml"]
    assert {name for name in after if after[name] != before.get(name)} == {"docProps/app.xml", "xl/extra.xml"}
    assert part(new, "xl/extra.xml") == "<₹/>".encode()
    assert after["docProps/app.xml"][4:] == before["docProps/app.xml"][4:]
    assert workbook.rebuilt({}) == workbook.rebuilt({})


def test_rebuilding_with_parts_that_are_not_there_is_an_error(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget.xlsx")
    for changed, added, dropped in (
        ({"no.xml": b""}, {}, ()),
        ({}, {"xl/workbook.xml": b""}, ()),
        ({}, {}, ("no.xml",)),
    ):
        with pytest.raises(KeyError):
            workbook.rebuilt(changed, added, dropped)


def test_a_book_whose_sizes_follow_the_data_is_rebuilt_with_sizes_first(small_book: bytes) -> None:
    class Stream(BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

    out = Stream()
    with zipfile.ZipFile(BytesIO(small_book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert zipfile.ZipFile(BytesIO(out.getvalue())).infolist()[0].flag_bits & 8
    rebuilt = Workbook(out.getvalue(), "Budget.xlsx").rebuilt({})
    assert [line[:4] for line in members(rebuilt)] == [line[:4] for line in members(out.getvalue())]


def test_a_book_edited_by_hand_is_still_one_openpyxl_reads(small_book: bytes, edit: Callable[..., bytes]) -> None:
    data = edit(small_book, {"NOVEMBER!F6": "t:500/-", "NOVEMBER!D200": "t:far below"})
    book = openpyxl.load_workbook(BytesIO(data))
    assert book["NOVEMBER"]["F6"].value == "500/-"
    assert book["NOVEMBER"]["D200"].value == "far below"


@pytest.mark.parametrize("reference", ["&#x110000;", "&#xD800;", "&#99999999;"])
def test_a_reference_to_no_character_shows_as_unreadable(reference: str) -> None:
    assert text_of(f"tea {reference}") == "tea \ufffd"
