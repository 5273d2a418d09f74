"""Word, Excel, web pages, Markdown and text are read with their headings and tables; what is broken is said."""

import io
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from rag import Unreadable
from rag.guessing import guessed_metadata
from rag.reading import Limits, kind_of, read_pages
from rag.reading.html import pages as html_pages
from rag.reading.office import docx_pages, xlsx_pages
from rag.reading.plain import markdown_pages, text_pages

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as parts:
        parts.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
    return target.getvalue()


def paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


def test_a_word_document_keeps_headings_tables_and_its_authors_page_breaks() -> None:
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>"
        for row in (("Slab", "Rate"), ("Up to 4 lakh", "0%"))
    )
    broken = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    pages = docx_pages(
        docx(f"{paragraph('Rates', 'Heading1')}<w:tbl>{rows}</w:tbl>{broken}{paragraph('The second page.')}")
    )
    assert [page.number for page in pages] == [1, 2]
    assert [heading.text for heading in pages[0].headings] == ["Rates"]
    (table,) = pages[0].tables
    assert "| Up to 4 lakh | 0% |" in pages[0].text[table.start : table.end]
    assert "The second page." in pages[1].text


def test_a_workbook_is_a_table_a_sheet_with_its_name_as_the_label() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Loans"
    book.active.append(["Bank", "Rate", "From"])
    book.active.append(["North", 8.5, date(2026, 4, 1)])
    book.create_sheet("Empty")
    target = io.BytesIO()
    book.save(target)
    (page,) = xlsx_pages(target.getvalue())
    assert page.label == "Loans"
    assert "| North | 8.5 | 2026-04-01 |" in page.text
    assert len(page.tables) == 1


def test_a_web_page_is_read_without_its_scripts_and_hidden_parts() -> None:
    (page,) = html_pages(
        b"<html><head><title>x</title><script>evil()</script></head><body><h2>Due dates</h2>"
        b"<p>Pay <b>advance</b> tax.</p><p hidden>secret</p>"
        b"<table><tr><th>Part</th><th>By</th></tr><tr><td>15%</td><td>15 June</td></tr></table></body>"
    )
    assert [heading.text for heading in page.headings] == ["Due dates"]
    assert "Pay advance tax." in page.text
    assert "| 15% | 15 June |" in page.text
    assert "evil" not in page.text
    assert "secret" not in page.text


def test_deeply_nested_markup_is_read_or_refused_and_never_breaks_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "deep.html"
    path.write_bytes(b"<div>" * 50_000 + b"words")
    with read_pages(path, "html", Limits()) as reading, suppress(Unreadable):
        assert list(reading)


def test_markdown_keeps_headings_and_a_table_with_what_stands_above_it() -> None:
    (page,) = markdown_pages(
        b"# Rates\n\nTable 1: Home loans\n\n| Bank | Rate |\n| --- | --- |\n| North | 8.5 |\n\nAfter.\n"
    )
    (table,) = page.tables
    assert table.caption == "Table 1: Home loans"
    assert page.text[table.start : table.end].endswith("| North | 8.5 |\n")


def test_a_long_text_is_cut_into_pages_that_together_are_the_text() -> None:
    text = "".join(f"Sentence number {number} stands here.\n\n" for number in range(900))
    pages = text_pages(text.encode())
    assert len(pages) > 5
    assert "".join(page.text for page in pages) == text
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))


@pytest.mark.parametrize(
    "data", ["résumé ₹500".encode("utf-16"), "résumé".encode("cp1252"), b"\xef\xbb\xbfr\xc3\xa9sum\xc3\xa9"]
)
def test_text_in_common_encodings_is_read(data: bytes) -> None:
    assert text_pages(data)[0].text.startswith("résumé")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "old.doc"),
        (b"PK\x03\x04", "a.xlsx"),
        (b"not a zip", "a.docx"),
        (b"\x89PNG", "a.png"),
        (b"text", "no ending"),
    ],
)
def test_what_is_no_document_is_refused_by_its_bytes_and_name(data: bytes, name: str) -> None:
    with pytest.raises(Unreadable):
        kind_of(data, name)


def test_an_archive_that_unpacks_to_far_too_much_is_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as parts, parts.open("word/document.xml", "w") as part:
        for _ in range(320):
            part.write(b" " * 1_000_000)
    with pytest.raises(Unreadable, match="far more"):
        docx_pages(target.getvalue())


def test_what_a_document_is_is_guessed_from_its_words() -> None:
    pages = markdown_pages(
        b"# Master Directions on lending\n\nReserve Bank of India, Mumbai. Commercial banks, repo rate, India.\n"
        b"For 2024-25 and again 2024-25, in crore.\n"
    )
    metadata = guessed_metadata("directions.md", pages)
    assert (metadata.title, metadata.publisher) == ("Master Directions on lending", "Reserve Bank of India")
    assert (metadata.domain, metadata.jurisdiction, metadata.period) == ("banking", "IN", "FY2024-25")
