"""A page cut into chunks: pieces of about a thousand characters that stand under one heading and never leave the page.

    heading            a chunk ends before a heading and carries it
    paragraph          kept whole when it fits, else cut after a sentence, else after a word
    table              in one piece; a long one by rows, its caption and header repeated in each piece (`lead`)

Every chunk is exactly `page.text[start:end]`.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from rag.documents import Chunk, Page, Table

TARGET = 1000
"""characters a chunk of text aims at"""
TABLE_LONGEST = 4000
"""characters of a table that stays in one piece"""
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n+")


def chunks_of(page: Page, heading: str = "", first: int = 0) -> tuple[Chunk, ...]:
    """The chunks of a page in order, numbered from `first`; `heading` is the one still open from the page before."""
    found: list[Chunk] = []
    for start, end, kind_table in _sections(page):
        above = _heading_at(page, end) or heading
        if kind_table is not None:
            pieces = _table_pieces(page, kind_table)
        else:
            pieces = ((a, b, "") for a, b in _text_pieces(page.text, start, end))
        for a, b, lead in pieces:
            a, b = _trimmed(page.text, a, b)
            if a < b:
                kind = "text" if kind_table is None else "table"
                number = first + len(found)
                found.append(Chunk(number, page.number, a, b, kind, above, page.text[a:b], lead))  # type: ignore[arg-type]
    return tuple(found)


def last_heading(page: Page, heading: str = "") -> str:
    """The heading that is still open where a page ends."""
    return page.headings[-1].text if page.headings else heading


def _sections(page: Page) -> Iterator[tuple[int, int, Table | None]]:
    """Spans between headings and tables, and the tables themselves, in order; together the whole page."""
    at = 0
    tables = sorted(page.tables, key=lambda table: table.start)
    cuts = sorted({heading.start for heading in page.headings})
    for table in tables:
        if table.start < at:
            continue
        yield from _between(at, table.start, cuts)
        yield table.start, table.end, table
        at = table.end
    yield from _between(at, len(page.text), cuts)


def _between(start: int, end: int, cuts: list[int]) -> Iterator[tuple[int, int, None]]:
    places = [start, *(cut for cut in cuts if start < cut < end), end]
    for a, b in pairwise(places):
        if a < b:
            yield a, b, None


def _heading_at(page: Page, end: int) -> str:
    """The heading that is open where a section ends: sections are cut where headings begin."""
    return next((heading.text for heading in reversed(page.headings) if heading.start < end), "")


def _text_pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while end - at > TARGET * 1.3:
        cut = _cut(text, at, end)
        yield at, cut
        at = cut
    if at < end:
        yield at, end


def _cut(text: str, at: int, end: int) -> int:
    """Where a piece that begins at `at` ends: after a paragraph, a sentence or a word near the target."""
    window = text[at : min(at + TARGET, end)]
    for mark in ("\n\n", None, "\n", " "):
        if mark is None:
            ends = [match.end() for match in _SENTENCE_END.finditer(window)]
            place = ends[-1] if ends else 0
        else:
            place = window.rfind(mark) + len(mark)
        if place > TARGET // 2:
            return at + place
    return at + len(window)


def _table_pieces(page: Page, table: Table) -> Iterator[tuple[int, int, str]]:
    if table.end - table.start <= TABLE_LONGEST:
        yield table.start, table.end, ""
        return
    header_end = max(table.header_end, table.start)
    lead = page.text[table.start : header_end].strip()
    if len(lead) > TARGET:
        lead, header_end = "", table.start
    at, first = table.start, True
    while at < table.end:
        room = max(TABLE_LONGEST // 2 - (0 if first else len(lead)), TARGET // 2)
        stop = at + room
        if stop < table.end:
            row = page.text.rfind("\n", at + 1, stop)
            stop = row + 1 if row > max(at, header_end - 1) else _row_end(page.text, at + room, table.end)
        else:
            stop = table.end
        yield at, stop, "" if first else lead
        at, first = stop, False


def _row_end(text: str, at: int, end: int) -> int:
    row = text.find("\n", at, end)
    # a row longer than a piece is cut like text: a table of one endless row must not make an endless chunk
    return row + 1 if 0 <= row < at + TABLE_LONGEST else min(at, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
