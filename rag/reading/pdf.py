"""PDF pages as words with their places, through pypdfium2; layout.py makes text of them.

A page without any text that shows a picture is scanned. pdfium may be used by one thread at a time: GUARD.
"""

import ctypes
import math
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

from rag.documents import LineBox, Page, Unreadable
from rag.reading.layout import Word, page_of

GUARD = threading.Lock()
_HYPHEN, _BROKEN = "\x02", "\ufffe"
_IMAGES_LOOKED_AT = 200
_LOOSE = 1.15
"""height of a character's box with its leading, as a share of its size, in most fonts"""
_Box = tuple[float, float, float, float]


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
        text = page.get_textpage()
        try:
            count = text.count_chars()
            turn = _Turn(page, _level(text, min(count, characters)))
            words = list(_words(text, min(count, characters), turn))
        finally:
            text.close()
        if not words and _shows_picture(page):
            return Page(number, label, "", note="The page is scanned: a picture without text.", scanned=True)
        read = page_of(number, label, words, turn.width, turn.height)
        shown = (page.get_rotation() - turn.clockwise) % 360
    finally:
        page.close()
    if shown:
        read = replace(read, lines=tuple(_as_shown(line, shown) for line in read.lines))
    if count > characters:
        return replace(read, note=f"Only the first {characters:,} of its {count:,} characters are kept.")
    return read


def _shows_picture(page: Any) -> bool:
    for looked, thing in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4)):
        del thing
        return looked < _IMAGES_LOOKED_AT
    return False


def _words(text: Any, count: int, turn: "_Turn") -> Iterator[Word]:
    """Runs of characters without a space between, in the file's order."""
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
            size = _size(text, place, turn) or one[3] - one[1]
            bold = raw.FPDFText_GetFontWeight(text, place) >= 600 or _bold_by_name(text, place)
        run.append(letter)
        box = (min(box[0], one[0]), min(box[1], one[1]), max(box[2], one[2]), max(box[3], one[3]))
    if run:
        yield Word("".join(run), *box, size, bold)


def _size(text: Any, place: int, turn: "_Turn") -> float:
    """The size of a character's type as it is shown: what the file calls its size may be scaled afterwards."""
    box = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text, place, box):
        return 0.0
    _, top, _, bottom = turn.seen(box.left, box.bottom, box.right, box.top)
    return abs(bottom - top) / _LOOSE


def _bold_by_name(text: Any, place: int) -> bool:
    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, place, buffer, 128, flags)
    name = buffer.value.lower()
    return b"bold" in name or b"black" in name or b"heavy" in name


def _apart(box: _Box, one: _Box, size: float) -> bool:
    """Whether a character stands away from the run before it: on another line, or after a gap."""
    gap, height = one[0] - box[2], max(size, 1.0)
    return gap > 0.6 * height or gap < -1.5 * height or one[1] > box[3] or one[3] < box[1]


class _Turn:
    """Places on the page's own axes as places from the top left corner of the page turned until its text is level."""

    def __init__(self, page: Any, clockwise: int) -> None:
        self.clockwise = clockwise
        self._left, self._bottom, right, top = page.get_bbox()
        self._width, self._height = right - self._left, top - self._bottom
        self.width, self.height = (self._height, self._width) if clockwise in (90, 270) else (self._width, self._height)

    def seen(self, left: float, bottom: float, right: float, top: float) -> _Box:
        """A box in points: left, top, right, bottom, y downwards."""
        left, right = left - self._left, right - self._left
        bottom, top = bottom - self._bottom, top - self._bottom
        match self.clockwise:
            case 90:
                return bottom, left, top, right
            case 180:
                return self._width - right, bottom, self._width - left, top
            case 270:
                return self._height - top, self._width - right, self._height - bottom, self._width - left
            case _:
                return left, self._height - top, right, self._height - bottom


def _level(text: Any, count: int) -> int:
    """By how much the page is to be turned clockwise for most of its text to lie level: 0, 90, 180 or 270."""
    turns: Counter[int] = Counter()
    for place in range(0, count, max(count // 60, 1)):
        # pdfium counts a character's angle clockwise
        angle = raw.FPDFText_GetCharAngle(text, place)
        if angle >= 0 and raw.FPDFText_GetUnicode(text, place) > 32:
            turns[round(math.degrees(-angle) / 90) * 90 % 360] += 1
    return max(turns, key=lambda turn: (turns[turn], -turn), default=0)


def _as_shown(line: LineBox, turn: int) -> LineBox:
    """The place of a line on the page as a reader sees it, from its place on the page turned level."""
    left, top, right, bottom = line.left, line.top, line.right, line.bottom
    match turn:
        case 90:
            left, top, right, bottom = 1 - bottom, left, 1 - top, right
        case 180:
            left, top, right, bottom = 1 - right, 1 - bottom, 1 - left, 1 - top
        case 270:
            left, top, right, bottom = top, 1 - right, bottom, 1 - left
    return LineBox(line.start, line.end, *(round(side, 4) for side in (left, top, right, bottom)))
