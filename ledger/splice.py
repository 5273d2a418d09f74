"""One sheet's XML with its planned cells, rows, moved numbers and grown ranges, every other byte kept.

Text is always written as inline text, so that none can become a formula; amounts are written as the decimals they are.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr, unescape

from ledger.changes import CellChange, Keep, Plan, Shift, Value
from ledger.entries import BookRefused
from ledger.formulas import column_index
from ledger.plan import no_text
from ledger.sheetxml import Cell, Sheet, number_of
from ledger.styles import attributes_of
from ledger.workbook import Workbook

_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ROW_KEEPS = ("ht", "customHeight", "s", "customFormat", "x14ac:dyDescent", "thickBot", "thickTop")
"""what a new row takes over from the row above; not that it is hidden or grouped"""

MOST_LOOKED_AT = 1000

Edit = tuple[int, int, bytes]
"""bytes from start to end, replaced"""


class Splicer:
    """One sheet's XML with its planned cells, rows, shifted numbers and grown ranges."""

    def __init__(self, workbook: Workbook, sheet: Sheet, plan: Plan) -> None:
        if not sheet.regular:
            raise BookRefused(
                f"The sheet {sheet.name} cannot be changed in place. Open the book in Excel and save it once."
            )
        self.sheet = sheet
        self.numbers = list(sheet.rows)
        self.opening, self.closing = f"<{sheet.prefix}v>".encode(), f"</{sheet.prefix}c>".encode()
        name = re.escape(sheet.prefix.encode()) + b"c"
        self.cell = re.compile(rb"<" + name + rb' r="([A-Z]{1,3})[0-9]+"[^>]*?(?:/>|>.*?</' + name + rb">)", re.DOTALL)
        self.writer = CellWriter(sheet.prefix, date1904=workbook.date1904)
        self.pairs = pairs_of(plan, sheet.part)
        self.cells: dict[int, dict[str, CellChange]] = {}
        for change in plan.cells:
            if change.sheet == sheet.name:
                self.cells.setdefault(change.row, {})[change.column] = change
        self.origins: dict[int, int | None] = {}
        """rows that take over other cells than their own, and from which row"""
        self.moving: frozenset[str] = frozenset()
        self.looked: dict[int, dict[str, bytes]] = {}
        for moves in plan.moves:
            if moves.sheet == sheet.name:
                self.origins |= moves.changed()
                self.moving |= frozenset(moves.columns)
        self.shifts: dict[int, dict[str, Decimal]] = {}
        for shift in plan.shifts:
            if shift.sheet == sheet.name:
                self._shift(shift)

    def _shift(self, shift: Shift) -> None:
        low, high = bisect_left(self.numbers, shift.first), bisect_right(self.numbers, shift.last)
        for row in self.numbers[low:high]:
            columns = self.shifts.setdefault(row, {})
            columns[shift.column] = columns.get(shift.column, Decimal(0)) + shift.by

    def xml(self) -> bytes:
        """The whole sheet."""
        sheet = self.sheet
        edits: list[Edit] = []
        for row in sorted({*self.cells, *self.shifts, *self.origins}):
            if row not in sheet.rows:
                continue
            if row in self.origins:
                edits.append((*sheet.rows[row], self._taken_over(row)))
                continue
            moved = self._moved(row) if row not in self.cells else None
            edits += self._row(row) if moved is None else moved
        edits += self._new_rows()
        start, end = sheet.data
        head, tail = sheet.xml[:start], sheet.xml[end:]
        inside = _spliced(sheet.xml[start:end], [(a - start, b - start, new) for a, b, new in edits])
        return with_ranges(head, self.pairs) + inside + with_ranges(tail, self.pairs)

    def _moved(self, row: int) -> list[Edit] | None:
        """The edits of a row whose numbers only move, without taking it apart; None when it is not so plain."""
        xml, (start, end) = self.sheet.xml, self.sheet.rows[row]
        edits = []
        for column, by in self.shifts[row].items():
            cell = xml.find(f'<{self.sheet.prefix}c r="{column}{row}"'.encode(), start, end)
            tag_end = xml.find(b">", cell, end)
            first = xml.find(self.opening, tag_end, end) + len(self.opening)
            last = xml.find(b"<", first, end)
            closing = xml.find(self.closing, tag_end, end)
            if cell < 0 or first < tag_end or closing < last or xml[tag_end - 1] == 47 or b" t=" in xml[cell:tag_end]:
                return None
            value = number_of(xml[first:last].decode())
            if value is None:
                return None
            edits.append((first, last, decimal_text(value + by).encode()))
        return edits

    def _row(self, row: int) -> Iterator[Edit]:
        """The edits of a row that is there."""
        planned, by = self.cells.get(row, {}), self.shifts.get(row, {})
        there = self.sheet.cells(row)
        fresh = sorted(planned.keys() - there.keys(), key=column_index)
        for column in planned.keys() | by.keys():
            if (cell := there.get(column)) is None:
                continue
            change = planned.get(column) or CellChange(self.sheet.name, column, row)
            if column in by:
                value = self.sheet.value(cell)
                if isinstance(value, Decimal):
                    change = _with_value(change, value + by[column])
                elif column not in planned:
                    continue
            yield from self._cell(cell, change)
        if not fresh:
            return
        span = self.sheet.rows[row]
        opening = self.sheet.xml.index(b">", span.start) + 1
        tag = self.sheet.xml[span.start : opening]
        first = min([column_index(column) for column in (*there, *fresh)])
        last = max([column_index(column) for column in (*there, *fresh)])
        widened = _with_spans(tag, first, last)
        if tag.endswith(b"/>"):
            inside = b"".join(self.writer.cell(planned[column]) for column in fresh)
            closing = f"</{self.sheet.prefix}row>".encode()
            yield span.start, span.end, widened[:-2].rstrip() + b">" + inside + closing
            return
        if widened != tag:
            yield span.start, opening, widened
        places: dict[int, list[bytes]] = {}
        closing_at = span.end - len(f"</{self.sheet.prefix}row>")
        for column in fresh:
            later = [cell.start for other, cell in there.items() if column_index(other) > column_index(column)]
            places.setdefault(self._cell_start(min(later)) if later else closing_at, []).append(
                self.writer.cell(planned[column])
            )
        for place, cells in places.items():
            yield place, place, b"".join(cells)

    def _taken_over(self, row: int) -> bytes:
        """A row that is there, with the cells of another one in the columns that move."""
        span = self.sheet.rows[row]
        tag = self.sheet.xml[span.start : self.sheet.xml.index(b">", span.start) + 1]
        cells = self._cells_of(row)
        columns = [column_index(column) for column in cells] or [1]
        opening = _with_spans(tag, min(columns), max(columns))
        if opening.endswith(b"/>"):
            opening = opening[:-2].rstrip() + b">"
        return opening + b"".join(cells.values()) + f"</{self.sheet.prefix}row>".encode()

    def _cells_of(self, row: int) -> dict[str, bytes]:
        """The written cells of a row that takes over others, by column and in order."""
        planned, origin = self.cells.get(row, {}), self.origins[row]
        taken = self._cut(origin) if origin is not None else {}
        found = {column: cell for column, cell in self._cut(row).items() if column not in self.moving}
        was, now = f'{origin}"'.encode(), f'{row}"'.encode()
        for column in self.moving & taken.keys():
            found[column] = taken[column].replace(was, now, 1)
        for column, change in planned.items():
            stood = (origin if column in self.moving else row) if column in found else None
            found[column] = self._planned_cell(found.get(column), stood, change)
        return {column: found[column] for column in sorted(found, key=column_index)}

    def _planned_cell(self, old: bytes | None, row: int | None, change: CellChange) -> bytes:
        """A cell of a row that takes over others, with what is planned of it; `row` is where it stood."""
        if old is None or row is None:
            return self.writer.cell(change)
        kept = isinstance(change.formula, Keep) and isinstance(change.style, Keep)
        if kept and isinstance(change.value, Decimal) and b" t=" not in old[: old.index(b">")]:
            start = old.find(self.opening) + len(self.opening)
            end = old.find(b"<", start)
            if start >= len(self.opening):
                return old[:start] + decimal_text(change.value).encode() + old[end:]
        return self.writer.changed(old, self.sheet.cells(row)[change.column], change)

    def _cut(self, row: int) -> dict[str, bytes]:
        """The cells of a row as they are written; the row that one takes over from is often the one just cut."""
        if row not in self.looked:
            if len(self.looked) > MOST_LOOKED_AT:
                self.looked.clear()
            span = self.sheet.rows.get(row)
            cells = self.cell.finditer(self.sheet.xml, *span) if span is not None else ()
            self.looked[row] = {match[1].decode(): match[0] for match in cells}
        return self.looked[row]

    def _cell_start(self, start: int) -> int:
        return self.sheet.xml.index(b"<", start)  # a cell's span takes in white space before it

    def _cell(self, cell: Cell, change: CellChange) -> Iterator[Edit]:
        start, end = self._cell_start(cell.start), cell.end
        old = self.sheet.xml[start:end]
        new = self.writer.changed(old, cell, change)
        if new != old:
            yield start, end, new

    def _new_rows(self) -> Iterator[Edit]:
        """Rows that are not there yet, each after the last one before it."""
        sheet, numbers = self.sheet, self.numbers
        places: dict[int, list[bytes]] = {}
        for row in sorted({*self.cells, *self.origins}):
            if row in sheet.rows:
                continue
            at = bisect_left(numbers, row)
            earlier = numbers[at - 1 : at] if at else []
            place = sheet.rows[earlier[0]].end if earlier else sheet.data.start
            places.setdefault(place, []).append(self._fresh_row(row, earlier))
        for place, rows in places.items():
            yield place, place, b"".join(rows)

    def _fresh_row(self, row: int, earlier: Sequence[int]) -> bytes:
        kept = b""
        if earlier:
            start = self.sheet.rows[earlier[0]].start
            tag = self.sheet.xml[start : self.sheet.xml.index(b">", start) + 1]
            kept = kept_attributes(tag)
        if row in self.origins:
            return written_row(self.sheet.prefix, row, kept, [*self._cells_of(row).values()])
        changes = self.cells[row]
        columns = sorted(changes, key=column_index)
        return written_row(self.sheet.prefix, row, kept, [self.writer.cell(changes[column]) for column in columns])


def _with_value(change: CellChange, value: Value) -> CellChange:
    return CellChange(change.sheet, change.column, change.row, value, change.formula, change.style)


def kept_attributes(tag: bytes) -> bytes:
    """What a row takes over from the opening tag of another: its height and format."""
    attributes = attributes_of(tag)
    return b"".join(f" {key}={quoteattr(attributes[key])}".encode() for key in _ROW_KEEPS if key in attributes)


def written_row(prefix: str, row: int, kept: bytes, cells: Sequence[bytes]) -> bytes:
    """A row of its written cells."""
    tag = f"<{prefix}row".encode()
    return b'%s r="%d"%s>%s</%srow>' % (tag, row, kept, b"".join(cells), prefix.encode())


def _with_spans(tag: bytes, first: int, last: int) -> bytes:
    """A row's opening tag whose stated span of columns takes in more of them."""

    def widened(found: re.Match[bytes]) -> bytes:
        return b' spans="%d:%d"' % (min(first, int(found[1])), max(last, int(found[2])))

    return re.sub(rb" spans=\"(\d+):(\d+)\"", widened, tag, count=1)


class CellWriter:
    """Writes cells in a sheet's own prefix and its book's way of counting days."""

    def __init__(self, prefix: str, *, date1904: bool) -> None:
        self.prefix = prefix
        self.base = date(1904, 1, 1) if date1904 else date(1899, 12, 30)

    def cell(self, change: CellChange) -> bytes:
        """A cell given whole."""
        if isinstance(change.value, Keep):
            raise BookRefused(f"{change.cell} is not there, so its value cannot be kept.")
        formula = None if isinstance(change.formula, Keep) else change.formula
        style = 0 if isinstance(change.style, Keep) else change.style
        return self._written(change, style, formula, change.value, "")

    def changed(self, old: bytes, cell: Cell, change: CellChange) -> bytes:
        """A cell that is there, with what the plan gives of it; what it keeps stays as the same bytes."""
        style = cell.style if isinstance(change.style, Keep) else change.style
        if isinstance(change.value, Keep) and isinstance(change.formula, Keep):
            return _with_style(old, style)
        if isinstance(change.formula, Keep) and cell.formula is not None:
            return self._with_shown(_with_style(old, style), change)
        if isinstance(change.value, Keep):
            new = "" if change.formula is None else str(change.formula)
            name = re.escape(self.prefix.encode())
            pattern = rb"<" + name + rb"f(?:\s[^>]*)?(?:/>|>[^<]*</" + name + rb"f>)"
            element = f"<{self.prefix}f>{escape(new)}</{self.prefix}f>".encode()
            return re.sub(pattern, lambda _: element, _with_style(old, style), count=1)
        formula = None if isinstance(change.formula, Keep) else change.formula
        return self._written(change, style, formula, change.value, "")

    def _with_shown(self, old: bytes, change: CellChange) -> bytes:
        """A formula's cell with another stored value."""
        name = re.escape(self.prefix.encode())
        value = b"" if isinstance(change.value, Keep) else self._value(change, change.value)
        bare = re.sub(rb"<" + name + rb"v(?:\s[^>]*)?(?:/>|>[^<]*</" + name + rb"v>)", b"", old, count=1)
        if isinstance(change.value, Decimal | date | str):
            kind = rb' t="str"' if isinstance(change.value, str) else b""
            bare = re.sub(rb"^([^>]*?)(?:\s+t=\"[^\"]*\")?(?=>)", lambda tag: tag[1] + kind, bare, count=1)
        end = bare.rindex(b"</")
        return bare[:end] + value + bare[end:]

    def _written(self, change: CellChange, style: int, formula: str | None, value: Value, more: str) -> bytes:
        p = self.prefix
        attributes = f' r="{change.reference}"' + (f' s="{style}"' if style else "") + more
        if formula is not None:
            kind = ' t="str"' if isinstance(value, str) else ""
            inside = f"<{p}f>{escape(formula)}</{p}f>".encode() + self._value(change, value)
            return f"<{p}c{attributes}{kind}>".encode() + inside + f"</{p}c>".encode()
        if value is None:
            return f"<{p}c{attributes}/>".encode()
        if isinstance(value, str):
            text = f'<{p}is><{p}t xml:space="preserve">{self._text(change, value)}</{p}t></{p}is>'
            return f'<{p}c{attributes} t="inlineStr">{text}</{p}c>'.encode()
        return f"<{p}c{attributes}>".encode() + self._value(change, value) + f"</{p}c>".encode()

    def _value(self, change: CellChange, value: Value) -> bytes:
        p = self.prefix
        if value is None:
            return b""
        if isinstance(value, str):
            return f"<{p}v>{self._text(change, value)}</{p}v>".encode()
        if isinstance(value, date):
            return f"<{p}v>{(value - self.base).days}</{p}v>".encode()
        return f"<{p}v>{decimal_text(value)}</{p}v>".encode()

    def _text(self, change: CellChange, text: str) -> str:
        if problem := no_text(text):
            raise BookRefused(f"The text for {change.cell} {problem}.")
        return escape(_ESCAPED.sub("_x005F_", text))


def decimal_text(value: Decimal) -> str:
    """A number as a cell writes it, exact: `1200`, `0.05`."""
    return f"{value.normalize():f}" if value else "0"


def _with_style(old: bytes, style: int) -> bytes:
    end = old.index(b">")
    tag, rest = old[:end], old[end:]
    slash = tag.endswith(b"/")
    tag = tag.rstrip(b"/").rstrip() if slash else tag
    own = re.search(rb"\ss=\"(\d+)\"", tag)
    if (int(own[1]) if own else 0) == style:
        return old
    tag = tag[: own.start()] + b' s="%d"' % style + tag[own.end() :] if own else tag + b' s="%d"' % style
    return tag + (b"/" if slash else b"") + rest


def with_ranges(xml: bytes, pairs: Mapping[str, str]) -> bytes:
    """The XML with each range that is the whole of a `ref`, a `sqref` or an element's text replaced."""
    if not pairs:
        return xml

    def led(found: re.Match[bytes]) -> bytes:
        after = pairs.get(unescape(found[2].decode(), {"&quot;": '"', "&apos;": "'"}))
        return found[0] if after is None else found[1] + escape(after, {'"': "&quot;"}).encode() + found[3]

    xml = re.sub(rb"(\s(?:ref|sqref)=\")([^\"]*)(\")", led, xml)
    return re.sub(rb"(>)([^<]+)(</)", led, xml)


def pairs_of(plan: Plan, part: str) -> dict[str, str]:
    """The planned ranges of a part, before and after."""
    return {change.before: change.after for change in plan.ranges if change.part == part}


def _spliced(xml: bytes, edits: Sequence[Edit]) -> bytes:
    pieces, position = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if start < position:
            raise BookRefused("Two changes meet in the same place; nothing was written.")
        pieces += [xml[position:start], new]
        position = end
    return b"".join([*pieces, xml[position:]])
