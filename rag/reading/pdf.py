"""PDF pages as words with their places, through pypdfium2; layout.py makes text of them.

A page without any text that shows a picture is scanned. pdfium may be used by one thread at a time: GUARD.
"""

import ctypes
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

from rag.documents import Page, Unreadable
from rag.reading.layout import Word, page_of

GUARD = threading.Lock()
_HYPHEN, _BROKEN = "\x02", "\ufffe"
_IMAGES_LOOKED_AT = 200


def opened(path: Path, first: int, characters: int) -> tuple[int, Iterator[Page]]:
    """How many pages a PDF has, and those from `first` on. Raises Unreadable."""
    try:
        document = pypdfium2.PdfDocument(path)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(_reason(error)) from error
    if count == 0:
        raise Unreadable("it has no pages.")
    return count, _pages(document, first, count, characters)


def _reason(error: Exception) -> str:
    code = getattr(error, "err_code", None)
    if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return "it is protected by a password. Save a copy without one and add that."
    if code == raw.FPDF_ERR_SUCCESS:
        return "it has no pages."
    return "the file is damaged or no PDF. Download or save it again."


def _pages(document: Any, first: int, count: int, characters: int) -> Iterator[Page]:
    for number in range(first, count + 1):
        try:
            yield _page(document, number, characters)
        except pypdfium2.PdfiumError:
            yield Page(number, str(number), "", note="The page is damaged and could not be read.")


def _page(document: Any, number: int, characters: int) -> Page:
    label = document.get_page_label(number - 1).strip() or str(number)
    page = document[number - 1]
    try:
        width, height = page.get_size()
        text = page.get_textpage()
        try:
            count = text.count_chars()
            words = list(_words(page, text, min(count, characters), width, height))
            read = page_of(number, label, words, width, height)
        finally:
            text.close()
        if not words and _shows_picture(page):
            return Page(number, label, "", note="The page is scanned: a picture without text.", scanned=True)
    finally:
        page.close()
    if count > characters:
        return Page(
            number, label, read.text, read.headings, read.tables, read.lines,
            f"Only the first {characters:,} of its {count:,} characters are kept.",
        )  # fmt: skip
    return read


def _shows_picture(page: Any) -> bool:
    for looked, thing in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4)):
        del thing
        return looked < _IMAGES_LOOKED_AT
    return False


def _words(page: Any, text: Any, count: int, width: float, height: float) -> Iterator[Word]:
    """Runs of characters without a space between, in the file's order, as the page is turned for a reader."""
    turn = _Turn(page.get_rotation(), page.get_mediabox(), width, height)
    sides = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = sides
    run: list[str] = []
    box = (0.0, 0.0, 0.0, 0.0)
    size, bold = 0.0, False
    for place in range(count):
        code = raw.FPDFText_GetUnicode(text, place)
        letter = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code <= 0xDFFF else ""
        if letter in (_HYPHEN, _BROKEN):
            letter = "-"
        if not letter or letter.isspace() or letter < " ":
            if run:
                yield Word("".join(run), *box, size, bold)
                run = []
            continue
        if not raw.FPDFText_GetCharBox(text, place, left, right, bottom, top):
            continue
        one = turn.seen(left.value, bottom.value, right.value, top.value)
        if run and _apart(box, one, size):
            yield Word("".join(run), *box, size, bold)
            run = []
        if not run:
            box = one
            size = float(raw.FPDFText_GetFontSize(text, place)) or one[3] - one[1]
            bold = raw.FPDFText_GetFontWeight(text, place) >= 600 or _bold_by_name(text, place)
        run.append(letter)
        box = (min(box[0], one[0]), min(box[1], one[1]), max(box[2], one[2]), max(box[3], one[3]))
    if run:
        yield Word("".join(run), *box, size, bold)


def _bold_by_name(text: Any, place: int) -> bool:
    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, place, buffer, 128, flags)
    name = buffer.value.lower()
    return b"bold" in name or b"black" in name or b"heavy" in name


def _apart(box: tuple[float, float, float, float], one: tuple[float, float, float, float], size: float) -> bool:
    """Whether a character stands away from the run before it: on another line, or after a gap."""
    gap, height = one[0] - box[2], max(size, 1.0)
    return gap > 0.6 * height or gap < -1.5 * height or one[1] > box[3] or one[3] < box[1]


class _Turn:
    """Places of the page's own axes as shares of the page a reader sees, from its top left corner."""

    def __init__(self, rotation: int, media: tuple[float, float, float, float], width: float, height: float) -> None:
        self._rotation, self._left, self._bottom = rotation, media[0], media[1]
        self._width, self._height = width, height

    def seen(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """A box in points from the top left, y downwards, as the page is turned."""
        left, right = left - self._left, right - self._left
        bottom, top = bottom - self._bottom, top - self._bottom
        match self._rotation:
            case 90:
                return bottom, left, top, right
            case 180:
                return self._width - right, bottom, self._width - left, top
            case 270:
                return self._width - top, self._height - right, self._width - bottom, self._height - left
            case _:
                return left, self._height - top, right, self._height - bottom
