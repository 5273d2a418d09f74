"""A plan carried out on the bytes of a book: touched rows and ranges replaced where they stand, every other byte kept.

    Plan ──by sheet──► spliced XML ─┐
         ──names, sheets──► workbook part, relations, content types ─┼─ Workbook.rebuilt ──► the new file
         ──formats──► styles part, appended to ─┘

Text is always written as inline text, so that none can become a formula; amounts are written as the decimals they are.
"""

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr, unescape

from ledger.changes import CellChange, Keep, NewSheet, Plan, Shift, Value
from ledger.entries import BookRefused
from ledger.formulas import column_index
from ledger.plan import no_text
from ledger.sheetxml import Cell, Sheet, number_of
from ledger.styles import Styles, appended, attributes_of
from ledger.workbook import Workbook

_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ROW_KEEPS = ("ht", "customHeight", "s", "customFormat", "x14ac:dyDescent", "thickBot", "thickTop")
"""what a new row takes over from the row above; not that it is hidden or grouped"""
_WORKSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"

Edit = tuple[int, int, bytes]
"""bytes from start to end, replaced"""


def patch(workbook: Workbook, plan: Plan) -> bytes:
    """The new bytes of a book. Raises BookRefused for a plan of another version and for a value no cell can take."""
    if plan.before_sha256 != workbook.sha256:
        raise BookRefused(f"{workbook.name} is not the version this was planned for. Nothing was written; look again.")
    changed: dict[str, bytes] = {}
    added: dict[str, bytes] = {}
    for name in _touched(workbook, plan):
        sheet = workbook.sheet(name)
        changed[sheet.part] = _Splicer(workbook, sheet, plan).xml()
    for part in {change.part for change in plan.ranges}:
        if part not in changed and part in workbook.part_names and part != workbook.workbook_part:
            changed[part] = _with_ranges(workbook.part(part), _pairs(plan, part))
    if plan.styles:
        part = next(r.target for r in workbook.relations(workbook.workbook_part) if r.type.endswith("/styles"))
        changed[part] = appended(Styles(workbook.part(part), workbook.name), plan.styles)
    for sheet_to_add in plan.new_sheets:
        added |= _new_sheet_parts(workbook, plan, sheet_to_add)
    changed[workbook.workbook_part] = _workbook_part(workbook, plan)
    if plan.new_sheets or plan.dropped:
        relations = _relations_part(workbook.workbook_part)
        changed[relations] = _workbook_relations(workbook, plan)
        changed["[Content_Types].xml"] = _content_types(workbook, plan)
    return workbook.rebuilt(
        {part: xml for part, xml in changed.items() if xml != workbook.part(part)}, added, plan.dropped
    )


def _touched(workbook: Workbook, plan: Plan) -> list[str]:
    names = {change.sheet for change in plan.cells} | {shift.sheet for shift in plan.shifts}
    parts = {change.part for change in plan.ranges}
    names |= {ref.name for ref in workbook.sheets if ref.part in parts}
    return [ref.name for ref in workbook.sheets if ref.name in names]


def _pairs(plan: Plan, part: str) -> dict[str, str]:
    return {change.before: change.after for change in plan.ranges if change.part == part}


def _relations_part(part: str) -> str:
    return posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")


def _spliced(xml: bytes, edits: Sequence[Edit]) -> bytes:
    pieces, position = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if start < position:
            raise BookRefused("Two changes meet in the same place; nothing was written.")
        pieces += [xml[position:start], new]
        position = end
    return b"".join([*pieces, xml[position:]])


# Cells


class _Splicer:
    """One sheet's XML with its planned cells, rows, shifted numbers and grown ranges."""

    def __init__(self, workbook: Workbook, sheet: Sheet, plan: Plan) -> None:
        if not sheet.regular:
            raise BookRefused(
                f"The sheet {sheet.name} cannot be changed in place. Open the book in Excel and save it once."
            )
        self.sheet = sheet
        self.numbers = list(sheet.rows)
        self.opening, self.closing = f"<{sheet.prefix}v>".encode(), f"</{sheet.prefix}c>".encode()
        self.writer = _CellWriter(sheet.prefix, date1904=workbook.date1904)
        self.pairs = _pairs(plan, sheet.part)
        self.cells: dict[int, dict[str, CellChange]] = {}
        for change in plan.cells:
            if change.sheet == sheet.name:
                self.cells.setdefault(change.row, {})[change.column] = change
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
        for row in sorted({*self.cells, *self.shifts}):
            if row not in sheet.rows:
                continue
            moved = self._moved(row) if row not in self.cells else None
            edits += self._row(row) if moved is None else moved
        edits += self._new_rows()
        start, end = sheet.data
        head, tail = sheet.xml[:start], sheet.xml[end:]
        inside = _spliced(sheet.xml[start:end], [(a - start, b - start, new) for a, b, new in edits])
        return _with_ranges(head, self.pairs) + inside + _with_ranges(tail, self.pairs)

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
        for row in sorted(self.cells):
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
            kept = _kept_attributes(tag)
        changes = self.cells[row]
        columns = sorted(changes, key=column_index)
        return _row(self.sheet.prefix, row, kept, [self.writer.cell(changes[column]) for column in columns])


def _with_value(change: CellChange, value: Value) -> CellChange:
    return CellChange(change.sheet, change.column, change.row, value, change.formula, change.style)


def _kept_attributes(tag: bytes) -> bytes:
    attributes = attributes_of(tag)
    return b"".join(f" {key}={quoteattr(attributes[key])}".encode() for key in _ROW_KEEPS if key in attributes)


def _row(prefix: str, row: int, kept: bytes, cells: Sequence[bytes]) -> bytes:
    tag = f"<{prefix}row".encode()
    return b'%s r="%d"%s>%s</%srow>' % (tag, row, kept, b"".join(cells), prefix.encode())


def _with_spans(tag: bytes, first: int, last: int) -> bytes:
    """A row's opening tag whose stated span of columns takes in more of them."""

    def widened(found: re.Match[bytes]) -> bytes:
        return b' spans="%d:%d"' % (min(first, int(found[1])), max(last, int(found[2])))

    return re.sub(rb" spans=\"(\d+):(\d+)\"", widened, tag, count=1)


class _CellWriter:
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
        if isinstance(change.value, Decimal | date):
            bare = re.sub(rb"^([^>]*?)\s+t=\"[^\"]*\"", rb"\1", bare, count=1)
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


# Ranges outside the cells


def _with_ranges(xml: bytes, pairs: Mapping[str, str]) -> bytes:
    """The XML with each range that is the whole of a `ref`, a `sqref` or an element's text replaced."""
    if not pairs:
        return xml

    def led(found: re.Match[bytes]) -> bytes:
        after = pairs.get(unescape(found[2].decode(), {"&quot;": '"', "&apos;": "'"}))
        return found[0] if after is None else found[1] + escape(after, {'"': "&quot;"}).encode() + found[3]

    xml = re.sub(rb"(\s(?:ref|sqref)=\")([^\"]*)(\")", led, xml)
    return re.sub(rb"(>)([^<]+)(</)", led, xml)


# The workbook part


def _workbook_part(workbook: Workbook, plan: Plan) -> bytes:
    xml = workbook.part(workbook.workbook_part)
    prefix = _prefix(xml, b"workbook")
    xml = _with_ranges(xml, _pairs(plan, workbook.workbook_part))
    if plan.new_sheets:
        xml = _with_sheets(xml, prefix, workbook, plan.new_sheets)
    return _recalculated(xml, prefix)


def _prefix(xml: bytes, root: bytes) -> bytes:
    found = re.search(rb"<((?:\w+:)?)" + root + rb"[\s>]", xml)
    return found[1] if found else b""


def _recalculated(xml: bytes, prefix: bytes) -> bytes:
    """The workbook part asking for every formula to be calculated on opening."""
    found = re.search(rb"<" + re.escape(prefix) + rb"calcPr(?=[\s/>])[^>]*>", xml)
    if found:
        tag = found[0]
        if b"fullCalcOnLoad=" in tag:
            tag = re.sub(rb"fullCalcOnLoad=\"[^\"]*\"", b'fullCalcOnLoad="1"', tag)
        else:
            end = len(tag) - (2 if tag.endswith(b"/>") else 1)
            tag = tag[:end].rstrip() + b' fullCalcOnLoad="1"' + tag[end:]
        return xml[: found.start()] + tag + xml[found.end() :]
    for name in (b"definedNames", b"externalReferences", b"functionGroups", b"sheets"):
        closing = b"</" + prefix + name + b">"
        if closing in xml:
            at = xml.index(closing) + len(closing)
            return xml[:at] + b"<" + prefix + b'calcPr fullCalcOnLoad="1"/>' + xml[at:]
    raise BookRefused("The workbook lists no sheets.")


def _with_sheets(xml: bytes, prefix: bytes, workbook: Workbook, sheets: Sequence[NewSheet]) -> bytes:
    """The new sheets listed in their places; what counts sheets by their place follows."""
    p = re.escape(prefix)
    listed = list(re.finditer(rb"<" + p + rb"sheet\s[^>]*?(?:/>|></" + p + rb"sheet>)", xml))
    elements = [found[0] for found in listed]
    relation = re.search(rb"\s(\w+):id=\"", elements[0])
    numbers = [int(attributes_of(element)["sheetId"]) for element in elements]
    ids = _relation_ids(workbook, sheets)
    order: list[int | None] = list(range(len(elements)))
    for sheet in sorted(sheets, key=lambda sheet: sheet.position):
        name = quoteattr(sheet.name).encode()
        number = max(numbers) + 1
        numbers.append(number)
        space = relation[1] if relation else b"r"
        element = b'<%ssheet name=%s sheetId="%d" %s:id="%s"/>' % (
            prefix,
            name,
            number,
            space,
            ids[sheet.name].encode(),
        )
        elements.insert(sheet.position, element)
        order.insert(sheet.position, None)
    moved = {old: new for new, old in enumerate(order) if old is not None}
    xml = xml[: listed[0].start()] + b"".join(elements) + xml[listed[-1].end() :]

    def followed(found: re.Match[bytes]) -> bytes:
        index = int(found[2])
        return found[1] + str(moved.get(index, index)).encode() + b'"'

    def in_tag(tag: re.Match[bytes]) -> bytes:
        return re.sub(rb"(\s(?:localSheetId|activeTab|firstSheet)=\")(\d+)\"", followed, tag[0])

    xml = re.sub(rb"<" + p + rb"(?:definedName|workbookView)\s[^>]*>", in_tag, xml)
    names = b"".join(
        b'<%sdefinedName name=%s localSheetId="%d">%s</%sdefinedName>'
        % (prefix, quoteattr(name).encode(), sheet.position, escape(text).encode(), prefix)
        for sheet in sheets
        for name, text in sheet.names
    )
    return _sorted_names(xml, prefix, names) if names else xml


def _sorted_names(xml: bytes, prefix: bytes, names: bytes) -> bytes:
    """New names among the book's own: Excel keeps names in the order of the alphabet."""
    p = re.escape(prefix)
    block = re.search(rb"(<" + p + rb"definedNames[^>]*>)(.*?)(</" + p + rb"definedNames>)", xml, re.DOTALL)
    if block is None:
        return xml
    element = re.compile(rb"<" + p + rb"definedName\s.*?</" + p + rb"definedName>", re.DOTALL)
    every = element.findall(block[2]) + element.findall(names)
    # stable: names of one kind stay in the order they had
    every.sort(key=lambda each: attributes_of(each).get("name", "").casefold())
    return xml[: block.start(2)] + b"".join(every) + xml[block.end(2) :]


def _relation_ids(workbook: Workbook, sheets: Sequence[NewSheet]) -> dict[str, str]:
    taken = {relation.id for relation in workbook.relations(workbook.workbook_part)}
    ids: dict[str, str] = {}
    number = 1
    for sheet in sheets:
        while f"rId{number}" in taken:
            number += 1
        ids[sheet.name] = f"rId{number}"
        taken.add(f"rId{number}")
    return ids


def _workbook_relations(workbook: Workbook, plan: Plan) -> bytes:
    part = workbook.workbook_part
    xml = workbook.part(_relations_part(part))
    for relation in workbook.relations(part):
        if relation.target in plan.dropped:
            xml = re.sub(rb"<(?:\w+:)?Relationship\s[^>]*?\bId=\"" + relation.id.encode() + rb"\"[^>]*?/>", b"", xml)
    if not plan.new_sheets:
        return xml
    like = workbook.sheet(plan.new_sheets[0].like).part
    kind = next(relation.type for relation in workbook.relations(part) if relation.target == like)
    prefix = _prefix(xml, b"Relationships")
    ids = _relation_ids(workbook, plan.new_sheets)
    lines = b"".join(
        b'<%sRelationship Id="%s" Type=%s Target=%s/>'
        % (prefix, ids[sheet.name].encode(), quoteattr(kind).encode(), quoteattr("/" + sheet.part).encode())
        for sheet in plan.new_sheets
    )
    end = xml.rindex(b"</" + prefix + b"Relationships>")
    return xml[:end] + lines + xml[end:]


def _content_types(workbook: Workbook, plan: Plan) -> bytes:
    xml = workbook.part("[Content_Types].xml")
    prefix = _prefix(xml, b"Types")
    override = re.compile(rb"<(?:\w+:)?Override\s[^>]*?/>")
    kinds: dict[str, str] = {}
    for found in override.finditer(xml):
        attributes = attributes_of(found[0])
        kinds[attributes["PartName"].lstrip("/")] = attributes["ContentType"]
    xml = override.sub(
        lambda found: b"" if attributes_of(found[0])["PartName"].lstrip("/") in plan.dropped else found[0], xml
    )
    lines = b"".join(
        b"<%sOverride PartName=%s ContentType=%s/>"
        % (prefix, quoteattr("/" + copy).encode(), quoteattr(kinds[part]).encode())
        for sheet in plan.new_sheets
        for part, copy in sheet.parts
        if part in kinds
    )
    end = xml.rindex(b"</" + prefix + b"Types>")
    return xml[:end] + lines + xml[end:]


# A new month's sheet


def _new_sheet_parts(workbook: Workbook, plan: Plan, sheet: NewSheet) -> dict[str, bytes]:
    source = workbook.sheet(sheet.like)
    copies = dict(sheet.parts)
    parts = {sheet.part: _new_sheet_xml(workbook, source, plan, sheet)}
    for part, copy in sheet.parts:
        if part != source.part:
            xml = workbook.part(part)
            parts[copy] = _redirected(xml, sheet.like, sheet.name) if part.endswith(".xml") else xml
        relations = _relations_part(part)
        if relations in workbook.part_names:
            parts[_relations_part(copy)] = _copied_relations(workbook, part, copies)
    return parts


def _new_sheet_xml(workbook: Workbook, source: Sheet, plan: Plan, sheet: NewSheet) -> bytes:
    prefix = source.prefix
    p = re.escape(prefix.encode())
    head, tail = source.xml[: source.data.start], source.xml[source.data.end :]
    head = re.sub(rb"\s(?:tabSelected|codeName|xr:uid)=\"[^\"]*\"", b"", head)
    head = re.sub(rb"(<" + p + rb"pane\s[^>]*?ySplit=\"(\d+)\"[^>]*?topLeftCell=\"[A-Z]+)\d+", _back_to_top, head)
    used = [change for change in sheet.cells if change.value is not None or change.formula is not None]
    widest = max((change.column for change in used), key=column_index, default="A")
    lowest = max((change.row for change in used), default=1)
    head = re.sub(rb"(<" + p + rb"dimension\s[^>]*?ref=\")[^\"]*", rb"\g<1>A1:%s%d" % (widest.encode(), lowest), head)
    for tag in (b"hyperlinks",):
        tail = re.sub(rb"<" + p + tag + rb"(?:\s[^>]*)?(?<!/)>.*?</" + p + tag + rb">", b"", tail, flags=re.DOTALL)
    tail = re.sub(rb"<" + p + rb"legacyDrawing\s[^>]*/>", b"", tail)
    pairs = _pairs(plan, sheet.part)
    writer = _CellWriter(prefix, date1904=workbook.date1904)
    rows: dict[int, list[CellChange]] = {}
    for change in sheet.cells:
        rows.setdefault(change.row, []).append(change)
    written = []
    for row in sorted({*rows, *(number for number in source.rows if number <= min(rows, default=0))}):
        kept = b""
        if row in source.rows:
            start = source.rows[row].start
            kept = _kept_attributes(source.xml[start : source.xml.index(b">", start) + 1])
        cells = sorted(rows.get(row, ()), key=lambda change: column_index(change.column))
        written.append(_row(prefix, row, kept, [writer.cell(change) for change in cells]))
    return _with_ranges(head, pairs) + b"".join(written) + _with_ranges(tail, pairs)


def _back_to_top(found: re.Match[bytes]) -> bytes:
    return found[1] + str(int(found[2]) + 1).encode()


def _redirected(xml: bytes, like: str, name: str) -> bytes:
    """A chart or drawing led to the new month, without the figures stored in it."""
    xml = re.sub(rb"<(c:|)(numCache|strCache)>.*?</\1\2>", b"", xml, flags=re.DOTALL)
    for was, becomes in ((like, name), (like.capitalize(), name.capitalize())):
        xml = re.sub(rb"\b" + was.encode() + rb"\b", becomes.encode(), xml)
    return xml


def _copied_relations(workbook: Workbook, part: str, copies: Mapping[str, str]) -> bytes:
    xml = workbook.part(_relations_part(part))
    left_behind = ("/comments", "/vmlDrawing", "/threadedComment", "/hyperlink")
    targets = {relation.id: relation for relation in workbook.relations(part)}

    def led(found: re.Match[bytes]) -> bytes:
        attributes = attributes_of(found[0])
        relation = targets[attributes["Id"]]
        if relation.type.endswith(left_behind):
            return b""
        if relation.target not in copies:
            return found[0]
        target = quoteattr("/" + copies[relation.target]).encode()
        return re.sub(rb"\bTarget=\"[^\"]*\"", lambda _: b"Target=" + target, found[0])

    return re.sub(rb"<(?:\w+:)?Relationship\s[^>]*?/>", led, xml)
