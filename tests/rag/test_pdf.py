"""PDFs made here are read as a person reads them: pages, columns, headings, tables, and a clear word for the rest."""

import io
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from rag import Added, Library, Page, Refused
from rag.reading import Limits, read_pages

WIDTH, HEIGHT = A4
ROWS = (("Repo rate", "6.50", "6.25"), ("Reverse repo", "3.35", "3.35"), ("Bank rate", "6.75", "6.50"))


def pdf(*drawings: Callable[[Canvas], None], encrypt: StandardEncryption | None = None) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, encrypt=encrypt)
    for draw in drawings:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def says(*lines: str, size: float = 11, top: float = 760) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", size)
        for place, line in enumerate(lines):
            canvas.drawString(72, top - place * 1.4 * size, line)

    return draw


def tabled(canvas: Canvas) -> None:
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(72, 780, "Policy rates")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(72, 750, "Table 2: Key rates (per cent)")
    for place, row in enumerate((("Rate", "2023-24", "2024-25"), *ROWS)):
        for x, cell in zip((72, 300, 420), row, strict=True):
            canvas.drawString(x, 730 - 14 * place, cell)
    canvas.drawString(72, 660, "The rates above hold from the day on which they were announced by the bank.")


def in_two_columns(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 10)
    for place in range(12):
        canvas.drawString(60, 760 - 14 * place, f"Left line {place} tells of savings and deposits")
        canvas.drawString(320, 760 - 14 * place, f"Right line {place} tells of loans and advances")


def scanned(canvas: Canvas) -> None:
    from PIL import Image

    canvas.drawImage(ImageReader(Image.new("RGB", (200, 280), (240, 240, 235))), 0, 0, WIDTH, HEIGHT)


def pages(data: bytes, tmp_path: Path, limits: Limits = Limits()) -> list[Page]:  # noqa: B008
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with read_pages(path, "pdf", limits) as reading:
        return list(reading)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library", now=lambda: datetime(2026, 11, 30), model=None)


def test_a_table_is_kept_whole_as_markdown_with_its_caption_and_units(tmp_path: Path) -> None:
    (page,) = pages(pdf(tabled), tmp_path)
    (table,) = page.tables
    assert page.text[table.start : table.end].splitlines() == [
        "| Rate | 2023-24 | 2024-25 |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in ROWS),
    ]
    assert (table.caption, table.units) == ("Table 2: Key rates (per cent)", "per cent")
    assert page.headings[0].text == "Policy rates"


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    (page,) = pages(pdf(in_two_columns), tmp_path)
    lines = [line for line in page.text.splitlines() if line]
    assert lines[:12] == [f"Left line {place} tells of savings and deposits" for place in range(12)]
    assert lines[12:] == [f"Right line {place} tells of loans and advances" for place in range(12)]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_lying_on_its_side_is_read_like_an_upright_one(tmp_path: Path, turn: int) -> None:
    with PdfDocument(pdf(tabled)) as document:
        document[0].set_rotation(turn)
        target = io.BytesIO()
        document.save(target)
    (upright,) = pages(pdf(tabled), tmp_path)
    (page,) = pages(target.getvalue(), tmp_path)
    assert page.text == upright.text
    box, was = page.lines[0], upright.lines[0]
    seen = {90: (1 - was.bottom, was.left), 180: (1 - was.right, 1 - was.bottom), 270: (was.top, 1 - was.right)}[turn]
    assert (box.left, box.top) == pytest.approx(seen, abs=0.001)


def test_each_line_knows_where_it_stands_on_the_page(tmp_path: Path) -> None:
    (page,) = pages(pdf(says("First words here", "Second words here")), tmp_path)
    (box,) = page.boxes(page.text.index("Second"), page.text.index("Second") + 6)
    assert box.left == pytest.approx(72 / WIDTH, abs=0.01)
    assert box.top < 1 - (760 - 1.4 * 11) / HEIGHT < box.bottom + 0.01


def test_the_label_is_the_number_a_reader_sees_on_the_page(library: Library) -> None:
    front = says("Foreword of the governor to this report on banking")
    body = [says(f"Chapter about matter {n} of the banks", str(n), top=100) for n in range(1, 9)]
    outcome = library.add(pdf(front, front, *body), "report.pdf")
    assert isinstance(outcome, Added)
    page = library.page(outcome.document.id, 5)
    assert page is not None
    assert (page.number, page.label) == (5, "3")


def test_scanned_pages_among_others_are_said_and_the_rest_is_found(library: Library) -> None:
    outcome = library.add(pdf(says("The repo rate stands at 6.5 per cent."), scanned), "mixed.pdf")
    assert isinstance(outcome, Added)
    assert "1 of 2 pages are scanned" in outcome.document.notes[0]
    assert library.search("repo rate")[0].page == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lambda: pdf(scanned), "scanned"),
        (lambda: pdf(says("secret"), encrypt=StandardEncryption("key", canPrint=0)), "password"),
        (lambda: pdf(says(*["words"] * 40), says("more"))[:600], "damaged"),
        (lambda: pdf(lambda canvas: None), "no text"),
        (lambda: b"%PDF-1.4\n" + b"0 0 obj junk " * 50, "damaged"),
    ],
)
def test_a_pdf_that_gives_nothing_is_refused_with_what_to_do_and_the_next_goes_on(
    library: Library, data: Callable[[], bytes], said: str
) -> None:
    outcome = library.add(data(), "bad.pdf")
    assert isinstance(outcome, Refused)
    assert outcome.sentence.startswith("bad.pdf: ")
    assert said in outcome.sentence
    assert isinstance(library.add(pdf(says("Good words are here")), "good.pdf"), Added)
    assert [document.file for document in library.documents()] == ["good.pdf"]


def test_five_hundred_pages_are_read_each_with_its_number(library: Library) -> None:
    told: list[int] = []
    data = pdf(*(says(f"Page about subject number {n}000", "and what follows from it") for n in range(1, 501)))
    outcome = library.add(data, "long.pdf", progress=lambda progress: told.append(progress.done))
    assert isinstance(outcome, Added)
    assert told == list(range(1, 501))
    assert library.search("subject 437000")[0].page == 437


def test_limits_on_pages_and_characters_are_held_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(*[says("words " * 10)] * 9))
    with read_pages(path, "pdf", Limits(pages=4, page_characters=20)) as reading:
        read = list(reading)
    assert [page.number for page in read] == [1, 2, 3, 4]
    assert "first 4 of 9 pages" in reading.notes[0]
    assert all(len(page.text) <= 21 and "first 20" in page.note for page in read)


def test_a_file_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    from rag import Unreadable

    with pytest.raises(Unreadable, match=r"cannot be read|too long"):
        pages(pdf(says("words")), tmp_path, Limits(page_seconds=0.001, failures=1))


def test_a_page_is_drawn_as_a_picture(library: Library) -> None:
    outcome = library.add(pdf(says("Words to look at")), "a.pdf")
    assert isinstance(outcome, Added)
    picture = library.picture(outcome.document.id, 1, 300)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert library.picture(outcome.document.id, 2) is None


def test_pages_with_text_are_read_where_ocr_is_wanted_and_missing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    outcome = library.add(pdf(says("The repo rate stands at 6.5 per cent."), scanned), "mixed.pdf", ocr=True)
    assert isinstance(outcome, Added)
    assert "not installed" in outcome.document.notes[0]
    assert "1 of 2 pages are scanned" in outcome.document.notes[1]
