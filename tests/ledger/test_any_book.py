"""Any file survives: whatever was broken in a book, it is read or refused in a sentence, and the file is as it was.

Books of the corpus, with their parts, their XML, their zip and their cells broken in ways drawn at random.
"""

import re
import time
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger.edits import Add, Delete, EntryChange
from ledger.entries import BookRefused, Draft
from ledger.foreign import recognise
from ledger.store import BookStore
from ledger.workbook import Workbook
from tests.ledger.corpus import Parts
from tests.ledger.test_corpus import BOOKS, WORKBOOKS

NOON = datetime(2026, 11, 30, 12)
TEA = Draft(date(2026, 11, 6), "tea", "PHONEPE", "DEBIT", Decimal("10.55"), "Food")
GIVEN = [
    *(BOOKS[name].data for name in ("plain", "everything", "table", "threads", "their controls")),
    *(path.read_bytes() for path in sorted(WORKBOOKS.glob("*.xlsx"))),
]
SLOWEST = 20
"""seconds, with room for a computer that does other things as well"""
XML = (
    b'<', b'>', b'/>', b'&', b'&#0;', b'&#x110000;', b'&nope;', b'<!-- x -->', b'<![CDATA[x]]>', b'<!DOCTYPE x>',
    b'\x00', b'\xff\xfe', b'<row/>', b'<row r="0">', b'<row r="1048577"/>', b'<c r="XFD1048576"/>',
    b'<c r="A1"><v>1</v></c>', b'<c t="s"><v>999999</v></c>', b'<f>', b'</sheetData>', b'<sheetData/>', b' r="A1"',
    b' s="99999"', b' t="s"', b' xmlns="urn:x"', b'\xe0\xa4\xb0', b"'", b'"',
)  # fmt: skip
VALUES = (
    '', '-1', '0', '1e999', 'NaN', '99999999999999999999', '#REF!', 'XFD1048576', 'A0', 'rId999',
    '../../../etc/passwd', '\u20b9', 'true', 'A1:XFD1048576', 'SUM(A:A', '[1]Sheet1!A1', 'shared', 'array',
    '\U0001f600', "1" * 400,
)  # fmt: skip


def _cut(data: st.DataObject, parts: Parts) -> None:
    """A part is cut short, left out, emptied, doubled or taken from another place."""
    part = data.draw(st.sampled_from(sorted(parts.parts)))
    content = parts.parts[part]
    how = data.draw(st.sampled_from(("cut", "gone", "empty", "doubled", "other")))
    if how == "gone":
        del parts.parts[part]
    else:
        at = data.draw(st.integers(0, len(content)))
        other = parts.parts[data.draw(st.sampled_from(sorted(parts.parts)))]
        parts.parts[part] = {"cut": content[:at], "empty": b"", "doubled": content * 2, "other": other}[how]


def _marks(data: st.DataObject, parts: Parts) -> None:
    """Something stands in the XML that should not."""
    part = _xml_part(data, parts)
    content = parts.parts[part]
    at = data.draw(st.integers(0, len(content)))
    left_out = data.draw(st.integers(0, 30))
    parts.parts[part] = content[:at] + data.draw(st.sampled_from(XML)) + content[at + left_out :]


def _attributes(data: st.DataObject, parts: Parts) -> None:
    """An attribute or a text has another value."""
    part = _xml_part(data, parts)
    content = parts.parts[part]
    found = list(re.finditer(rb'="([^"]*)"|>([^<]+)<', content))
    if found:
        match = data.draw(st.sampled_from(found))
        start, end = match.span(1 if match[1] is not None else 2)
        value = data.draw(st.sampled_from(VALUES)).encode()
        parts.parts[part] = content[:start] + value + content[end:]


def _elements(data: st.DataObject, parts: Parts) -> None:
    """An element is missing, or stands twice."""
    part = _xml_part(data, parts)
    content = parts.parts[part]
    found = list(re.finditer(rb"<([\w:]+)(?:\s[^<>]*)?(?:/>|>[^<>]*</\1>)", content))
    if found:
        match = data.draw(st.sampled_from(found))
        parts.parts[part] = (
            content[: match.start()] + match[0] * data.draw(st.sampled_from((0, 2))) + content[match.end() :]
        )


def _xml_part(data: st.DataObject, parts: Parts) -> str:
    names = [name for name in parts.parts if name.endswith((".xml", ".rels"))]
    sheets = [name for name in names if re.search(r"worksheets/|workbook|sharedStrings|styles", name)]
    return data.draw(st.sampled_from(sorted(sheets if data.draw(st.booleans()) else names)))


@given(data=st.data())
@settings(
    max_examples=150,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_a_book_whose_parts_are_broken_is_read_or_refused_and_never_harmed(data: st.DataObject) -> None:
    parts = Parts(data.draw(st.sampled_from(GIVEN)))
    for _ in range(data.draw(st.integers(1, 3))):
        breaking = data.draw(st.sampled_from((_cut, _marks, _attributes, _elements)))
        breaking(data, parts)
    survives(parts.data())


@given(data=st.data())
@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_a_book_whose_bytes_are_broken_is_read_or_refused_and_never_harmed(data: st.DataObject) -> None:
    book = bytearray(data.draw(st.sampled_from(GIVEN)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(book) - 1))
        tail = data.draw(st.booleans())
        place = max(0, len(book) - 1 - at % 4000) if tail else at
        book[place] = data.draw(st.integers(0, 255))
    if data.draw(st.integers(0, 4)) == 0:
        del book[data.draw(st.integers(0, len(book) - 1)) :]
    survives(bytes(book))


def survives(book: bytes) -> None:
    """Read, written to and undone, or refused with a sentence at any of it; the file as it was in the end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Budget_2026.xlsx"
        path.write_bytes(book)
        store = BookStore(path, Path(folder) / "home", lambda: NOON)
        began = time.monotonic()
        _said(partial(_recognised, book))
        _said(store.read)
        for request in ("added", "deleted"):
            entries = _said(lambda: store.read().book.entries) or ()
            changes: tuple[EntryChange, ...] = (Delete(entries[0]),) if entries else ()
            changes = changes if request == "deleted" else (Add(TEA),)
            if changes and _said(partial(store.change, changes, request=request, who="asha")) is not None:
                store.undo(request=f"{request} undone", who="asha")
            assert path.read_bytes() == book
        assert time.monotonic() - began < SLOWEST
        assert [each.name for each in Path(folder).iterdir() if each.name not in ("home", path.name)] == []


def _recognised(book: bytes) -> object:
    return recognise(Workbook(book, "Budget_2026.xlsx"))


T = TypeVar("T")


def _said(call: Callable[[], T]) -> T | None:
    """What a call gives; None when it is refused in words."""
    try:
        return call()
    except BookRefused as refused:
        said = str(refused)
    assert said.strip().endswith(".")
    return None


def test_a_cell_format_that_is_no_number_is_refused_with_the_sheet() -> None:
    parts = Parts(BOOKS["plain"].data)
    part = parts.sheet("NOVEMBER")
    parts.parts[part] = re.sub(rb'<c r="D6" s="\d+" t="s">', b'<c r="D6" t="s" s="SUM(A">', parts.parts[part])
    with pytest.raises(BookRefused, match="NOVEMBER has 'SUM\\(A' where a number must stand"):
        recognise(Workbook(parts.data(), "Budget_2026.xlsx"))
