"""Budget books with all that Excel puts into a book: made by XlsxWriter, by hand, with parts of other programs' files.

    new_book ──furnished by XlsxWriter──┐
    small book ──Parts: parts, relations, elements injected──┼─► corpus(): Case by name
    workbooks/*.xlsx ──their parts transplanted─┘

Every book has the sheet SUMMARY, whose formulas total the entries and whose other cells have nothing to do with them.
"""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.sax.saxutils import quoteattr

import xlsxwriter

from ledger.template import new_book

WORKBOOKS = Path(__file__).parent / "workbooks"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MICROSOFT = "http://schemas.microsoft.com/office"
X14 = f"{MICROSOFT}/spreadsheetml/2009/9/main"
XM = f"{MICROSOFT}/excel/2006/main"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# fmt: off
_ORDER = [
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection",
    "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells",
    "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins",
    "pageSetup", "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors",
    "smartTags", "drawing", "legacyDrawing", "legacyDrawingHF", "picture", "oleObjects", "controls",
    "AlternateContent", "webPublishItems", "tableParts", "extLst",
]
# fmt: on
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003010100"
    "18dd8db00000000049454e44ae426082"
)


@dataclass(frozen=True)
class Case:
    """A book of the corpus, and what is expected of the writes that cannot be made in it."""

    data: bytes
    refused: Mapping[str, str] = field(default_factory=dict)
    """by write, what its refusal says: the cell or the sheet"""
    suffix: str = ".xlsx"
    office: bool = True
    """whether LibreOffice can open it: some versions end at another program's sparklines"""


class Parts:
    """The parts of a book, to be added to."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.parts = {info.filename: archive.read(info) for info in archive.infolist()}

    def data(self) -> bytes:
        """The book."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.parts.items():
                archive.writestr(zipfile.ZipInfo(name, (2026, 11, 30, 9, 0, 0)), content)
        return buffer.getvalue()

    def sheet(self, name: str) -> str:
        """The part of a sheet."""
        book = self.parts["xl/workbook.xml"].decode()
        found = re.search(rf"<sheet name={re.escape(quoteattr(name))}[^>]*?r:id=\"(\w+)\"", book)
        assert found
        rels = self.parts["xl/_rels/workbook.xml.rels"].decode()
        line = next(each for each in re.findall(r"<Relationship [^>]*>", rels) if f'Id="{found[1]}"' in each)
        return posixpath.join("xl", re.findall(r'Target="([^"]*)"', line)[0])

    def add(self, part: str, content: bytes | str, kind: str = "") -> None:
        """A part with its content type, or with that of its ending."""
        self.parts[part] = content.encode() if isinstance(content, str) else content
        types = self.parts["[Content_Types].xml"].decode()
        ending = posixpath.splitext(part)[1][1:]
        new = ""
        if kind:
            new = f'<Override PartName="/{part}" ContentType="{kind}"/>'
        elif f'Extension="{ending}"' not in types:
            new = f'<Default Extension="{ending}" ContentType="application/{ending}"/>'
        self.parts["[Content_Types].xml"] = types.replace("</Types>", f"{new}</Types>").encode()

    def relate(self, owner: str, kind: str, target: str, *, external: bool = False) -> str:
        """Relate a part to another; the relation's id. `kind` is a whole address or the end of Office's own."""
        folder, base = posixpath.split(owner)
        rels = posixpath.join(folder, "_rels", f"{base}.rels")
        empty = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
        xml = self.parts.get(rels, empty.encode()).decode()
        known = {int(number) for number in re.findall(r'Id="rId(\d+)"', xml)}
        own = f"rId{max(known, default=0) + 1}"
        kind = kind if ":" in kind else f"{OFFICE}/{kind}"
        mode = ' TargetMode="External"' if external else ""
        target = target if external else f"/{target}"
        line = f'<Relationship Id="{own}" Type="{kind}" Target="{target}"{mode}/>'
        self.parts[rels] = xml.replace("</Relationships>", f"{line}</Relationships>").encode()
        return own

    def element(self, sheet: str, xml: str) -> None:
        """An element in a sheet's part, where the order of the schema has it."""
        part = self.sheet(sheet)
        text = self.parts[part].decode()
        tag = re.match(r"<(?:\w+:)?(\w+)", xml)
        assert tag
        later = _ORDER[_ORDER.index(tag[1]) + 1 :]
        start = text.rindex("</sheetData>") if "</sheetData>" in text else text.index("<sheetData/>")
        start = start if _ORDER.index(tag[1]) > _ORDER.index("sheetData") else 0
        follows = rf"<(?:mc:)?(?:{'|'.join(later)})[\s/>]|" if later else ""
        found = re.compile(rf"{follows}</worksheet>").search(text, start)
        assert found
        self.parts[part] = (text[: found.start()] + xml + text[found.start() :]).encode()

    def extension(self, sheet: str, uri: str, xml: str) -> None:
        """An extension of a sheet's part."""
        part = self.sheet(sheet)
        extension = f'<ext uri="{uri}" xmlns:x14="{X14}" xmlns:xm="{XM}">{xml}</ext>'
        text = self.parts[part].decode()
        if "</extLst>" in text:
            at = text.rindex("</extLst>")
            self.parts[part] = (text[:at] + extension + text[at:]).encode()
        else:
            self.element(sheet, f"<extLst>{extension}</extLst>")

    def cell(self, sheet: str, reference: str, xml: str) -> None:
        """A cell put in the place of the one there, or of none: `xml` is what it has inside `<c …>`, `attrs|inside`."""
        attributes, _, inside = xml.partition("|")
        part = self.sheet(sheet)
        text = self.parts[part].decode()
        new = f'<c r="{reference}"{" " if attributes else ""}{attributes}>{inside}</c>'
        old = re.compile(rf'<c r="{reference}"[^>]*?(?:/>|>.*?</c>)', re.DOTALL)
        if old.search(text):
            self.parts[part] = old.sub(lambda _: new, text, count=1).encode()
            return
        column, row = re.sub(r"\d", "", reference), int(re.sub(r"\D", "", reference))
        line = re.search(rf'<row r="{row}"[^>]*>(.*?)</row>', text, re.DOTALL)
        if line is None:
            after = next((m for m in re.finditer(r'<row r="(\d+)"', text) if int(m[1]) > row), None)
            at = after.start() if after else text.rindex("</sheetData>")
            self.parts[part] = (text[:at] + f'<row r="{row}">{new}</row>' + text[at:]).encode()
            return
        cells = re.finditer(r'<c r="([A-Z]+)\d+"', line[1])
        after = next((m for m in cells if (len(m[1]), m[1]) > (len(column), column)), None)
        at = line.start(1) + (after.start() if after else len(line[1]))
        self.parts[part] = (text[:at] + new + text[at:]).encode()

    def book(self, xml: str, before: str) -> None:
        """An element in the workbook part, before the first of the tags given."""
        text = self.parts["xl/workbook.xml"].decode()
        found = re.search(rf"<(?:{before})[\s/>]|</workbook>", text)
        assert found
        self.parts["xl/workbook.xml"] = (text[: found.start()] + xml + text[found.start() :]).encode()

    def name(self, name: str, area: str) -> None:
        """A defined name."""
        text = self.parts["xl/workbook.xml"].decode()
        line = f'<definedName name="{name}">{area}</definedName>'
        if "</definedNames>" in text:
            self.parts["xl/workbook.xml"] = text.replace("</definedNames>", f"{line}</definedNames>").encode()
        else:
            self.book(f"<definedNames>{line}</definedNames>", "calcPr|extLst")


# furnished by XlsxWriter

Furnish = Callable[[Any], None]
DAYS = date(2026, 11, 5), date(2026, 11, 9)


def furnished(*furnishing: Furnish, **book: Any) -> bytes:
    """A book as Munshi makes it, with more put in by XlsxWriter before it is closed."""

    class Furnished(xlsxwriter.Workbook):  # type: ignore[misc]
        def close(self) -> None:
            if not self.fileclosed:
                _summary(self)
                for put in furnishing:
                    put(self)
            super().close()

    with patch("ledger.template.xlsxwriter.Workbook", Furnished):
        return new_book(**book)


def _summary(book: Any) -> None:
    """Totals over the entries, and old formulas that have nothing to do with them."""
    sheet = book.add_worksheet("SUMMARY")
    for row, (label, formula) in enumerate(TOTALS.items()):
        sheet.write(row, 0, label)
        sheet.write_formula(row, 1, f"={formula}")
    for row in range(20):
        sheet.write(row, 4, row * 1.25)
        sheet.write_formula(row, 5, f"=E{row + 1}*2+ROW()", None, row * 2.5 + row + 1)
    sheet.write_formula("G1", "=SUM(E1:E20)", None, 237.5)
    sheet.write_formula("G2", '=IF(G1>100,"many","few")', None, "many")


TOTALS: Mapping[str, str] = {
    "debits of november": "SUM(NOVEMBER!F6:F9)",
    "credits of november": "SUM(NOVEMBER!G6:G9)",
    "debits of the column": "SUM(NOVEMBER!F:F)",
    "rows of november": "COUNTA(NOVEMBER!D6:D9)",
    "food": 'SUMIFS(NOVEMBER!$F$6:$F$9,NOVEMBER!$J$6:$J$9,"Food")',
    "debits of cash": "SUM('CASH TRACKER'!F12:F15)",
    "credits of cash": "SUM('CASH TRACKER'!G12:G15)",
    "bank": "TERMINOLOGY!K5",
}
"""the totals of SUMMARY in column B, from row 1 on"""


def _charts(book: Any) -> None:
    sheet = book.get_worksheet_by_name("SUMMARY")
    for number, kind in enumerate(("column", "pie", "line", "scatter")):
        chart = book.add_chart({"type": kind})
        chart.add_series(
            {"categories": "=NOVEMBER!$D$6:$D$9", "values": "=NOVEMBER!$F$6:$F$9", "name": "=SUMMARY!$A$1"}
        )
        chart.set_title({"name": f"Spending {number}"})
        chart.set_chartarea({"border": {"color": "#111111"}})
        chart.set_style(10 + number)
        sheet.insert_chart(30 + 15 * number, 0, chart)
    whole = book.add_chartsheet("DRAWN")
    chart = book.add_chart({"type": "bar"})
    chart.add_series({"values": "=SUMMARY!$E$1:$E$20"})
    whole.set_chart(chart)


def _rules(book: Any) -> None:
    """Old and new colour rules, lists on another sheet, sparklines, ignored errors."""
    for name, rows in (("NOVEMBER", "6:F9"), ("CASH TRACKER", "12:F15")):
        sheet = book.get_worksheet_by_name(name)
        area = f"F{rows}"
        sheet.conditional_format(area, {"type": "data_bar", "data_bar_2010": True, "bar_color": "#63C384"})
        sheet.conditional_format(area, {"type": "3_color_scale"})
        sheet.conditional_format(area, {"type": "icon_set", "icon_style": "4_ratings"})
        sheet.ignore_errors({"number_stored_as_text": f"D{rows.replace('F', 'D')}"})
    sheet = book.get_worksheet_by_name("SUMMARY")
    sheet.data_validation("H1:H9", {"validate": "list", "source": "=BUDGET!$C$5:$C$8"})
    sheet.add_sparkline("I1", {"range": "SUMMARY!E1:E20", "markers": True})
    sheet.add_sparkline("I2", {"range": "NOVEMBER!F6:F9", "type": "column"})


def _things(book: Any) -> None:
    """Pictures, text boxes, buttons, comments, links, rich text, outlines, headers with pictures."""
    sheet = book.get_worksheet_by_name("SUMMARY")
    sheet.insert_image(
        "K1", "logo.png", {"image_data": io.BytesIO(_PIXEL), "description": "a logo", "url": "https://example.com"}
    )
    sheet.insert_textbox("K5", "Household <notes> & more", {"fill": {"color": "#FFEE77"}})
    sheet.insert_button("K12", {"macro": "Show", "caption": "Show"})
    sheet.insert_checkbox("J1", True)
    sheet.write_comment("A1", "Who typed this?", {"author": "Asha"})
    sheet.write_url("A12", "https://example.com/a?b=1&c=2", string="a link")
    sheet.write_url("A13", "internal:'CASH TRACKER'!A1", string="to cash")
    bold, red = book.add_format({"bold": True}), book.add_format({"color": "red"})
    sheet.write_rich_string("A14", "This is ", bold, "bold", " and ", red, "red")
    sheet.set_header("&L&G", {"image_left": "logo.png", "image_data_left": io.BytesIO(_PIXEL)})
    sheet.set_row(3, None, None, {"level": 1, "hidden": True})
    sheet.set_column("M:N", None, None, {"level": 1, "collapsed": True})
    sheet.set_background(io.BytesIO(_PIXEL))
    sheet.repeat_rows(0, 1)
    sheet.set_h_pagebreaks([20])
    sheet.freeze_panes(1, 1)
    beside = book.get_worksheet_by_name("NOVEMBER")
    beside.insert_image("P2", "logo.png", {"image_data": io.BytesIO(_PIXEL)})
    beside.insert_textbox("P6", "beside the table")
    beside.write_comment("L2", "about the panel")


def _lists(book: Any) -> None:
    """Excel tables, names, dynamic and fixed arrays, merges, protection of a sheet that is not written."""
    sheet = book.get_worksheet_by_name("SUMMARY")
    sheet.add_table(
        "P1:R5",
        {
            "name": "Goals",
            "total_row": True,
            "columns": [{"header": "Goal"}, {"header": "Due"}, {"header": "Left", "formula": "=[@Due]*2"}],
        },
    )
    book.define_name("Spent", "=NOVEMBER!$F$6:$F$9")
    book.define_name("Rate", "=0.18")
    book.define_name("SUMMARY!Local", "=SUMMARY!$E$1:$E$20")
    sheet.write_dynamic_array_formula("T1", "=SORT(E1:E5)", None, 0)
    sheet.write_array_formula("U1:U3", "{=E1:E3*2}", None, 0)
    sheet.write_formula("V1", "=LET(_xlpm.x,5,_xlpm.x*2)", None, 10)
    sheet.merge_range("X1:Z3", "merged")
    sheet.write_formula("X1", "=G1*2", None, 475)
    other = book.add_worksheet("LOCKED")
    other.write_formula("A1", "=1+1", None, 2)
    other.protect("secret")
    other.merge_range("B2:C3", "")
    other.write_formula("B2", "=A1*3", None, 6)


def _tabled(book: Any) -> None:
    """November's own rows as an Excel table."""
    sheet = book.get_worksheet_by_name("NOVEMBER")
    titles = ("Date", "Description", "Mode", "Debit", "Credit", "PhonePe balance", "Wallet balance", "Category")
    sheet.add_table("C4:J9", {"name": "Rows", "columns": [{"header": each} for each in titles]})


def _macros(book: Any) -> None:
    book.add_vba_project(io.BytesIO(b"\xd0\xcf\x11\xe0 not a real project \x00\x01" * 40), is_stream=True)
    book.set_vba_name("ThisWorkbook")
    book.set_custom_property("Checked by", "Asha")
    book.set_custom_property("Copies", 3)


def _merges(book: Any) -> None:
    sheet = book.add_worksheet("MERGED")
    for row in range(5000):
        sheet.merge_range(row, 0, row, 3, row)
    sheet.write_formula("A7", "=SUMMARY!G1+1", None, 238.5)


def _formatted(book: Any) -> None:
    """Formatted blank rows to 1,000 under the entries, as a spreadsheet with whole columns painted has them."""
    style = book.add_format({"bottom": 1, "num_format": "#,##0.00"})
    for name, top in (("NOVEMBER", 10), ("CASH TRACKER", 16)):
        sheet = book.get_worksheet_by_name(name)
        for row in range(top - 1, 1000):
            for column in range(1, 10):
                sheet.write_blank(row, column, None, style)


# by hand


def _pivoted(parts: Parts) -> None:
    """A pivot table over November's rows, a slicer and its cache."""
    records = f'<pivotCacheRecords xmlns="{MAIN}" count="1"><r><s v="LUNCH"/><n v="9.95"/></r></pivotCacheRecords>'
    cache = (
        f'<pivotCacheDefinition xmlns="{MAIN}" xmlns:r="{OFFICE}" r:id="rId1" refreshedBy="Asha" recordCount="1">'
        '<cacheSource type="worksheet"><worksheetSource ref="D4:F9" sheet="NOVEMBER"/></cacheSource>'
        '<cacheFields count="3"><cacheField name="Description"><sharedItems/></cacheField>'
        '<cacheField name="Mode"><sharedItems/></cacheField><cacheField name="Debit"><sharedItems/></cacheField>'
        "</cacheFields></pivotCacheDefinition>"
    )
    table = (
        f'<pivotTableDefinition xmlns="{MAIN}" name="Pivot" cacheId="7" dataCaption="Values">'
        '<location ref="A40:B42" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
        '<pivotFields count="3"><pivotField axis="axisRow" showAll="0"/><pivotField showAll="0"/>'
        '<pivotField dataField="1" showAll="0"/></pivotFields>'
        '<dataFields count="1"><dataField name="Sum of Debit" fld="2"/></dataFields></pivotTableDefinition>'
    )
    parts.add("xl/pivotCache/pivotCacheDefinition1.xml", cache, f"{SHEET}.pivotCacheDefinition+xml")
    parts.add("xl/pivotCache/pivotCacheRecords1.xml", records, f"{SHEET}.pivotCacheRecords+xml")
    parts.add("xl/pivotTables/pivotTable1.xml", table, f"{SHEET}.pivotTable+xml")
    parts.relate("xl/pivotCache/pivotCacheDefinition1.xml", "pivotCacheRecords", "xl/pivotCache/pivotCacheRecords1.xml")
    parts.relate("xl/pivotTables/pivotTable1.xml", "pivotCacheDefinition", "xl/pivotCache/pivotCacheDefinition1.xml")
    parts.relate(parts.sheet("SUMMARY"), "pivotTable", "xl/pivotTables/pivotTable1.xml")
    own = parts.relate("xl/workbook.xml", "pivotCacheDefinition", "xl/pivotCache/pivotCacheDefinition1.xml")
    parts.book(f'<pivotCaches><pivotCache cacheId="7" r:id="{own}"/></pivotCaches>', "extLst")
    cached = (
        f'<slicerCacheDefinition xmlns="{X14}" name="Slicer_Mode" sourceName="Mode"><pivotTables>'
        '<pivotTable tabId="5" name="Pivot"/></pivotTables><data><tabular pivotCacheId="7"><items count="1">'
        '<i x="0" s="1"/></items></tabular></data></slicerCacheDefinition>'
    )
    shown = (
        f'<slicers xmlns="{X14}"><slicer name="Mode" cache="Slicer_Mode" caption="Mode" rowHeight="241300"/></slicers>'
    )
    parts.add("xl/slicerCaches/slicerCache1.xml", cached, "application/vnd.ms-excel.slicerCache+xml")
    parts.add("xl/slicers/slicer1.xml", shown, "application/vnd.ms-excel.slicer+xml")
    parts.relate("xl/workbook.xml", f"{MICROSOFT}/2007/relationships/slicerCache", "xl/slicerCaches/slicerCache1.xml")
    own = parts.relate(parts.sheet("SUMMARY"), f"{MICROSOFT}/2007/relationships/slicer", "xl/slicers/slicer1.xml")
    slicers = f'<x14:slicerList><x14:slicer xmlns:r="{OFFICE}" r:id="{own}"/></x14:slicerList>'
    parts.extension("SUMMARY", "{A8765BA9-456A-4dab-B4F3-ACF838C121DE}", slicers)


def _offered(parts: Parts) -> None:
    """Lists and colour rules in the way newer Excel writes them, over the very rows, naming another sheet."""
    for sheet, first, last in (("NOVEMBER", 6, 9), ("CASH TRACKER", 12, 15)):
        validations = (
            '<x14:dataValidations count="1"><x14:dataValidation type="list" allowBlank="1"><x14:formula1>'
            f"<xm:f>BUDGET!$C$5:$C$8</xm:f></x14:formula1><xm:sqref>J{first}:J{last}</xm:sqref></x14:dataValidation>"
            "</x14:dataValidations>"
        )
        rules = (
            '<x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="expression" priority="9" '
            'id="{11111111-2222-4333-8444-555555555555}"><xm:f>SUMMARY!$G$1&gt;1</xm:f><x14:dxf/></x14:cfRule>'
            f"<xm:sqref>F{first}:F{last}</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings>"
        )
        parts.extension(sheet, "{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}", validations)
        parts.extension(sheet, "{78C0D931-6437-407d-A8EE-F0AAD7539E65}", rules)


def _styled_charts(parts: Parts) -> None:
    """The style and colour parts that newer Excel keeps with each chart, and its rounded corners."""
    for part in [each for each in parts.parts if re.fullmatch(r"xl/charts/chart\d+\.xml", each)]:
        number = re.sub(r"\D", "", part)
        chart = "http://schemas.microsoft.com/office/drawing/2012/chartStyle"
        style, colors = f"xl/charts/style{number}.xml", f"xl/charts/colors{number}.xml"
        parts.add(style, f'<cs:chartStyle xmlns:cs="{chart}" id="201"/>', "application/vnd.ms-office.chartstyle+xml")
        parts.add(
            colors,
            f'<cs:colorStyle xmlns:cs="{chart}" meth="cycle" id="10"/>',
            "application/vnd.ms-office.chartcolorstyle+xml",
        )
        parts.relate(part, f"{MICROSOFT}/2011/relationships/chartStyle", style)
        parts.relate(part, f"{MICROSOFT}/2011/relationships/chartColorStyle", colors)


def _talked(parts: Parts, at: Mapping[str, str]) -> None:
    """Threaded comments with their persons, and the older notes Excel keeps beside them."""
    persons = (
        f'<personList xmlns="{MICROSOFT}/spreadsheetml/2018/threadedcomments"><person displayName="Asha" '
        'id="{11111111-0000-4000-8000-000000000001}" userId="asha" providerId="None"/></personList>'
    )
    parts.add("xl/persons/person.xml", persons, "application/vnd.ms-excel.person+xml")
    parts.relate("xl/workbook.xml", f"{MICROSOFT}/2017/10/relationships/person", "xl/persons/person.xml")
    for number, (sheet, reference) in enumerate(at.items(), 11):
        own = f"{{22222222-0000-4000-8000-0000000000{number:02d}}}"
        thread = (
            f'<ThreadedComments xmlns="{MICROSOFT}/spreadsheetml/2018/threadedcomments"><threadedComment '
            f'ref="{reference}" dT="2026-11-05T10:00:00.00" personId="{{11111111-0000-4000-8000-000000000001}}" '
            f'id="{own}"><text>Is this ours?</text></threadedComment></ThreadedComments>'
        )
        notes = (
            f'<comments xmlns="{MAIN}"><authors><author>tc={own}</author></authors><commentList><comment '
            f'ref="{reference}" authorId="0"><text><t>[Threaded comment] Is this ours?</t></text></comment>'
            "</commentList></comments>"
        )
        shape = (
            '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">'
            '<v:shape id="_x0000_s1025" type="#_x0000_t202" style="visibility:hidden"><x:ClientData ObjectType="Note">'
            "<x:Row>4</x:Row><x:Column>3</x:Column></x:ClientData></v:shape></xml>"
        )
        parts.add(
            f"xl/threadedComments/threadedComment{number}.xml", thread, "application/vnd.ms-excel.threadedcomments+xml"
        )
        parts.add(f"xl/comments{number}.xml", notes, f"{SHEET}.comments+xml")
        parts.add(
            f"xl/drawings/vmlDrawing{number}.vml", shape, "application/vnd.openxmlformats-officedocument.vmlDrawing"
        )
        part = parts.sheet(sheet)
        kind = f"{MICROSOFT}/2017/10/relationships/threadedComment"
        parts.relate(part, kind, f"xl/threadedComments/threadedComment{number}.xml")
        parts.relate(part, "comments", f"xl/comments{number}.xml")
        drawn = parts.relate(part, "vmlDrawing", f"xl/drawings/vmlDrawing{number}.vml")
        parts.element(sheet, f'<legacyDrawing xmlns:r="{OFFICE}" r:id="{drawn}"/>')


def _controlled(parts: Parts) -> None:
    """An ActiveX control and an embedded object beside the table."""
    part = parts.sheet("NOVEMBER")
    active = f'<ax:ocx xmlns:ax="{MICROSOFT}/2006/activeX" ax:classid="{{D7053240-CE69-11CD-A777-00DD01143C57}}"/>'
    parts.add("xl/activeX/activeX1.xml", active, "application/vnd.ms-office.activeX+xml")
    parts.add("xl/activeX/activeX1.bin", b"\x01\x02\x03" * 30, "application/vnd.ms-office.activeX")
    parts.relate(
        "xl/activeX/activeX1.xml", f"{MICROSOFT}/2006/relationships/activeXControlBinary", "xl/activeX/activeX1.bin"
    )
    control = parts.relate(part, "control", "xl/activeX/activeX1.xml")
    parts.add(
        "xl/embeddings/oleObject1.bin",
        b"\xd0\xcf\x11\xe0" * 9,
        "application/vnd.openxmlformats-officedocument.oleObject",
    )
    parts.relate(part, "oleObject", "xl/embeddings/oleObject1.bin")
    place = (
        '<from xmlns:xdr="urn:x"><xdr:col>16</xdr:col><xdr:row>6</xdr:row></from>'
        '<to xmlns:xdr="urn:x"><xdr:col>18</xdr:col><xdr:row>8</xdr:row></to>'
    )
    parts.element(
        "NOVEMBER",
        f'<controls><control xmlns:r="{OFFICE}" shapeId="1025" r:id="{control}" name="Button1">'
        f"<controlPr><anchor>{place}</anchor></controlPr></control></controls>",
    )


def _queried(parts: Parts) -> None:
    """Power Query, its connection and its table, custom XML, printer settings, a chain of calculation."""
    parts.add("customXml/item1.xml", '<DataMashup xmlns="urn:mashup">AAAA</DataMashup>')
    parts.add(
        "customXml/itemProps1.xml",
        '<ds:datastoreItem xmlns:ds="urn:ds" ds:itemID="{1}"/>',
        "application/vnd.openxmlformats-officedocument.customXmlProperties+xml",
    )
    parts.relate("customXml/item1.xml", "customXmlProps", "customXml/itemProps1.xml")
    parts.relate("xl/workbook.xml", "customXml", "customXml/item1.xml")
    query = '<connection id="1" name="Query - Bank" type="5" refreshedVersion="6"/>'
    connection = f'<connections xmlns="{MAIN}">{query}</connections>'
    parts.add("xl/connections.xml", connection, f"{SHEET}.connections+xml")
    parts.relate("xl/workbook.xml", "connections", "xl/connections.xml")
    query = f'<queryTable xmlns="{MAIN}" name="Bank" connectionId="1" autoFormatId="16"/>'
    parts.add("xl/queryTables/queryTable1.xml", query, f"{SHEET}.queryTable+xml")
    parts.relate(parts.sheet("SUMMARY"), "queryTable", "xl/queryTables/queryTable1.xml")
    for number, sheet in enumerate(("NOVEMBER", "SUMMARY"), 1):
        parts.add(f"xl/printerSettings/printerSettings{number}.bin", b"\x00P\x00r" * 50, f"{SHEET}.printerSettings")
        own = parts.relate(parts.sheet(sheet), "printerSettings", f"xl/printerSettings/printerSettings{number}.bin")
        part = parts.sheet(sheet)
        text = parts.parts[part].decode()
        if "<pageSetup " in text:
            parts.parts[part] = text.replace("<pageSetup ", f'<pageSetup xmlns:r="{OFFICE}" r:id="{own}" ', 1).encode()
    chain = f'<calcChain xmlns="{MAIN}"><c r="G1" i="6"/><c r="G2" i="6"/></calcChain>'
    parts.add("xl/calcChain.xml", chain, f"{SHEET}.calcChain+xml")
    parts.relate("xl/workbook.xml", "calcChain", "xl/calcChain.xml")


# parts of other programs' files


def _file(name: str) -> Mapping[str, bytes]:
    return Parts((WORKBOOKS / name).read_bytes()).parts


def _their_comments(parts: Parts) -> None:
    theirs = _file("30_threaded_comments.xlsx")
    kinds = {
        "xl/persons/person.xml": "application/vnd.ms-excel.person+xml",
        "xl/threadedComments/threadedComment1.xml": "application/vnd.ms-excel.threadedcomments+xml",
        "xl/comments1.xml": f"{SHEET}.comments+xml",
        "xl/drawings/vmlDrawing1.vml": "application/vnd.openxmlformats-officedocument.vmlDrawing",
    }
    for part, kind in kinds.items():
        parts.add(part.replace("1.", "21."), theirs[part], kind)
    part = parts.sheet("NOVEMBER")
    threads = f"{MICROSOFT}/2017/10/relationships/threadedComment"
    parts.relate(part, threads, "xl/threadedComments/threadedComment21.xml")
    parts.relate(part, "comments", "xl/comments21.xml")
    drawn = parts.relate(part, "vmlDrawing", "xl/drawings/vmlDrawing21.vml")
    parts.element("NOVEMBER", f'<legacyDrawing xmlns:r="{OFFICE}" r:id="{drawn}"/>')
    parts.relate("xl/workbook.xml", f"{MICROSOFT}/2017/10/relationships/person", "xl/persons/person.xml")


def _their_sparklines(parts: Parts) -> None:
    theirs = _file("31_sparklines.xlsx")["xl/worksheets/sheet1.xml"].decode()
    groups = re.search(r"<x14:sparklineGroups.*</x14:sparklineGroups>", theirs, re.DOTALL)
    assert groups
    drawn = groups[0].replace("Linear!", "SUMMARY!")
    parts.extension("NOVEMBER", "{05C60535-1F16-4fd2-B633-F4F36F0B64E0}", re.sub(r">B(\d+)<", r">P\1<", drawn))


def _their_controls(parts: Parts) -> None:
    theirs = _file("32_form_controls.xlsx")
    part = parts.sheet("NOVEMBER")
    sheet = theirs["xl/worksheets/sheet1.xml"].decode()
    block = re.search(r"<mc:AlternateContent .*</mc:AlternateContent>", sheet, re.DOTALL)
    assert block
    controls = block[0]
    for number in (1, 2, 3):
        new = f"xl/ctrlProps/ctrlProp{number + 20}.xml"
        parts.add(new, theirs[f"xl/ctrlProps/ctrlProp{number}.xml"], "application/vnd.ms-excel.controlproperties+xml")
        own = parts.relate(part, "ctrlProp", new)
        controls = controls.replace(f'r:id="rId{number + 2}"', f'r:id="{own}X"')
    controls = controls.replace('X"', '"')
    controls = re.sub(r"<xdr:col>(\d+)<", lambda found: f"<xdr:col>{int(found[1]) + 20}<", controls)
    drawing = re.sub(
        r"<xdr:col>(\d+)<", lambda found: f"<xdr:col>{int(found[1]) + 20}<", theirs["xl/drawings/drawing1.xml"].decode()
    )
    parts.add("xl/drawings/drawing21.xml", drawing, "application/vnd.openxmlformats-officedocument.drawing+xml")
    parts.add(
        "xl/drawings/vmlDrawing22.vml",
        theirs["xl/drawings/vmlDrawing1.vml"],
        "application/vnd.openxmlformats-officedocument.vmlDrawing",
    )
    drawn = parts.relate(part, "drawing", "xl/drawings/drawing21.xml")
    shaped = parts.relate(part, "vmlDrawing", "xl/drawings/vmlDrawing22.vml")
    spaces = (
        f'xmlns:r="{OFFICE}" xmlns:x14="{X14}" '
        'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"'
    )
    parts.element("NOVEMBER", f'<drawing xmlns:r="{OFFICE}" r:id="{drawn}"/>')
    parts.element("NOVEMBER", f'<legacyDrawing xmlns:r="{OFFICE}" r:id="{shaped}"/>')
    text = parts.parts[part].decode()
    text = text.replace("<worksheet ", f"<worksheet {spaces} ".replace(f'xmlns:r="{OFFICE}" ', ""), 1)
    at = re.search(r"<(?:tableParts|extLst)[\s>]|</worksheet>", text[text.rindex("</sheetData>") :])
    assert at
    place = text.rindex("</sheetData>") + at.start()
    parts.parts[part] = (text[:place] + controls + text[place:]).encode()


def _their_link(parts: Parts) -> None:
    theirs = _file("33_external_link.xlsx")
    parts.add(
        "xl/externalLinks/externalLink1.xml", theirs["xl/externalLinks/externalLink1.xml"], f"{SHEET}.externalLink+xml"
    )
    parts.parts["xl/externalLinks/_rels/externalLink1.xml.rels"] = theirs[
        "xl/externalLinks/_rels/externalLink1.xml.rels"
    ]
    own = parts.relate("xl/workbook.xml", "externalLink", "xl/externalLinks/externalLink1.xml")
    parts.book(
        f'<externalReferences><externalReference r:id="{own}"/></externalReferences>', "definedNames|calcPr|extLst"
    )
    parts.cell("SUMMARY", "W1", 't="str"|<f>[1]Sheet1!$A$1</f><v>hello world</v>')


def altered(data: bytes, *changes: Callable[[Parts], None]) -> bytes:
    """A book with parts put in by hand."""
    parts = Parts(data)
    for change in changes:
        change(parts)
    return parts.data()


def corpus(**book: Any) -> Mapping[str, Case]:
    """The books, by what they carry. `book` are the arguments of `new_book`: five rows in November, four in cash."""
    plain = furnished(**book)
    charts = altered(furnished(_charts, **book), _styled_charts)
    loaded = altered(
        furnished(_charts, _rules, _things, _lists, **book), _styled_charts, _pivoted, _offered, _queried, _their_link
    )
    beside = {"NOVEMBER": "L3", "CASH TRACKER": "D5"}
    on_a_row = {"NOVEMBER": "D7"}
    return {
        "plain": Case(plain),
        "charts": Case(charts),
        "rules": Case(furnished(_rules, **book)),
        "things": Case(furnished(_things, **book)),
        "lists": Case(furnished(_lists, **book)),
        "table": Case(furnished(_tabled, **book)),
        "macros": Case(furnished(_macros, **book), suffix=".xlsm"),
        "merges": Case(furnished(_merges, **book)),
        "formatted": Case(furnished(_formatted, **book)),
        "pivot": Case(altered(plain, _pivoted)),
        "offered": Case(altered(plain, _offered)),
        "threads": Case(altered(plain, lambda parts: _talked(parts, beside))),
        "thread on a row": Case(
            altered(plain, lambda parts: _talked(parts, on_a_row)), {"edit": "NOVEMBER!D7", "delete": "NOVEMBER!D7"}
        ),
        "controls": Case(altered(plain, _controlled)),
        "query": Case(altered(plain, _queried)),
        "their comments": Case(altered(plain, _their_comments)),
        "their sparklines": Case(altered(plain, _their_sparklines), office=False),
        "their controls": Case(altered(plain, _their_controls)),
        "their link": Case(altered(plain, _their_link)),
        "everything": Case(loaded),
    }
