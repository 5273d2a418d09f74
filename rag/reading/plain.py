"""Markdown and plain text as pages: cut at form feeds, else every three thousand characters or so."""

import re
from collections.abc import Sequence

from rag.documents import Heading, Page, Table, Unreadable

_PAGE = 3000
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$", re.MULTILINE)
_TABLE = re.compile(r"(?:^[^\n]*\|[^\n]*\n)(?:^\s*\|?\s*:?-{3,}[^\n]*\n)(?:^[^\n]*\|[^\n]*(?:\n|\Z))*", re.MULTILINE)


def text_pages(data: bytes) -> Sequence[Page]:
    """The pages of a text file."""
    return _cut(_decoded(data), marked=False)


def markdown_pages(data: bytes) -> Sequence[Page]:
    """The pages of a Markdown file, with its headings and tables."""
    return _cut(_decoded(data), marked=True)


def pages_of_markdown(text: str) -> Sequence[Page]:
    """Pages of a text whose headings and tables are written as Markdown."""
    return _cut(text, marked=True)


def _decoded(data: bytes) -> str:
    for encoding in ("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
        except UnicodeDecodeError:
            continue
    raise Unreadable("its characters are in no encoding that is read. Save it as UTF-8.")


def _cut(text: str, *, marked: bool) -> Sequence[Page]:
    pages: list[Page] = []
    for part in text.split("\f"):
        at = 0
        while True:
            end = _end(part, at, marked=marked)
            pages.append(_page(len(pages) + 1, part[at:end], marked=marked))
            at = end
            if at >= len(part):
                break
    return pages


def _end(text: str, at: int, *, marked: bool) -> int:
    if len(text) - at <= _PAGE * 1.5:
        return len(text)
    tables = [match.span() for match in _TABLE.finditer(text, at, min(len(text), at + 20 * _PAGE))] if marked else []
    for mark in ("\n#", "\n\n", "\n", " "):
        place = text.rfind(mark, at + _PAGE // 2, at + _PAGE)
        if place > 0:
            end = place + (1 if mark == "\n#" else len(mark))
            return next((stop for start, stop in tables if start < end < stop), end)
    return at + _PAGE


def _page(number: int, text: str, *, marked: bool) -> Page:
    return page_of_markdown(number, text) if marked else Page(number, str(number), text)


def page_of_markdown(number: int, text: str) -> Page:
    """One page, with the headings and tables that are written in it as Markdown."""
    tables = []
    for match in _TABLE.finditer(text):
        rule = text.index("\n", text.index("\n", match.start()) + 1) + 1
        above = [line for line in text[: match.start()].splitlines() if line.strip()][-1:]
        caption = above[0].strip("# *") if above and len(above[0]) < 150 else ""
        tables.append(Table(match.start(), match.end(), caption, "", rule))
    headings = tuple(Heading(match.start(), len(match[1]), match[2]) for match in _HEADING.finditer(text))
    return Page(number, str(number), text, headings, tuple(tables))
