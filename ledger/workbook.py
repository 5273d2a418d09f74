"""The .xlsx as a workbook: its sheets, texts and fills, with no meaning given to any of them.

`Workbook` guards and opens the file, `Sheet` gives rows and cells with their byte offsets. Both are immutable; whoever
reads a book keeps them.
"""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from lxml import etree

from ledger.entries import BookRefused
from ledger.old_formats import as_xlsx, is_old
from ledger.package import REPAIR, Package, Relation, parsed
from ledger.sheetxml import (
    MAIN,
    STRICT,
    Cell,
    CellError,
    Sheet,
    Span,
    Value,
    column_letters,
    column_number,
    inline_text,
    refuse_far_cells,
    strict_refusal,
    text_of,
)

__all__ = [
    "Cell",
    "CellError",
    "Relation",
    "Sheet",
    "SheetRef",
    "Span",
    "Value",
    "Workbook",
    "column_letters",
    "column_number",
]

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_OFFICE = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_PLAIN_TEXTS = re.compile(r'\s*<si><t(?: xml:space="preserve")?>([^<]*)</t></si>', re.ASCII)
_THEME = ("lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6")
# the eight plain colours of the old palette; the rest of it is not one a group is painted with
_INDEXED = ("000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF")


class SheetRef(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    part: str
    state: str
    """visible, hidden or veryHidden"""


class Workbook:
    """An .xlsx file, opened under guards.

    An old .xls is taken for the values it holds. Raises `BookRefused` with a sentence for a file that is encrypted, no
    zip, damaged, a bomb, has a part twice, a document type declaration, values absurdly far away, or no workbook
    inside.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.is_import = is_old(data)
        """an old .xls, or a web page named so: its values alone were taken over, and nothing is written into it"""
        data = as_xlsx(data, name) if self.is_import else data
        self.data = data
        self._package = Package(data, name)
        self.part_names = self._package.part_names
        self.workbook_part = self._find_workbook()
        root = parsed(self.part(self.workbook_part), self.workbook_part, name)
        if root.tag == f"{{{STRICT}}}workbook":
            raise strict_refusal(name)
        if root.tag != f"{{{MAIN}}}workbook":
            raise self._no_workbook()
        properties = root.find(f"{{{MAIN}}}workbookPr")
        self.date1904 = properties is not None and properties.get("date1904") in ("1", "true")
        """whether day 0 is 1 January 1904"""
        targets = {relation.id: relation for relation in self.relations(self.workbook_part)}
        self.sheets = tuple(
            self._listed(element, targets) for element in root.iterfind(f"{{{MAIN}}}sheets/{{{MAIN}}}sheet")
        )
        self._worksheets = {
            ref.name: ref
            for ref in self.sheets
            if any(r.target == ref.part and r.type == f"{_OFFICE}/worksheet" for r in targets.values())
        }
        self._opened: dict[str, Sheet] = {}
        self._refuse_traps()

    def part(self, name: str) -> bytes:
        """The bytes of a part. Raises `BookRefused` when there is none."""
        return self._package.part(name)

    def relations(self, part: str) -> tuple[Relation, ...]:
        """The relationships of a part, their targets as part names."""
        return self._package.relations(part)

    def sheet(self, name: str) -> Sheet:
        """The worksheet of that exact name, kept once opened. Raises KeyError for none, or a chart sheet."""
        if name not in self._opened:
            ref = self._worksheets[name]
            self._opened[name] = Sheet(ref.name, ref.part, self.part(ref.part), self.shared_strings, self.name)
        return self._opened[name]

    @cached_property
    def shared_strings(self) -> Sequence[str]:
        """The texts cells refer to by number."""
        part = self._related("sharedStrings")
        if part is None:
            return ()
        try:
            text = self.part(part).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BookRefused(f"{self.name} is damaged: its part {part} is not text in UTF-8. {REPAIR}") from error
        start, end = text.find("<si>"), text.rfind("</sst>")
        if start >= 0 and "<!" not in text:
            found, at = [], start
            for match in _PLAIN_TEXTS.finditer(text, start, end):
                if match.start() != at:
                    break
                found.append(match[1])
                at = match.end()
            if not text[at:end].strip():
                try:
                    return tuple(
                        text_of(item) if "&" in item or "_x" in item or "\r" in item else item for item in found
                    )
                except KeyError:
                    pass  # an unknown entity: the parser below says which
        return tuple(inline_text(item) for item in parsed(self.part(part), part, self.name).iterfind(f"{{{MAIN}}}si"))

    def fill_of(self, style: int) -> str | None:
        """The solid fill of a cell format as `FFC00000`; None for no fill, a pattern, or a tinted colour."""
        return self._fills[style] if 0 <= style < len(self._fills) else None

    def rebuilt(
        self, changed: Mapping[str, bytes], added: Mapping[str, bytes] = {}, dropped: Collection[str] = ()
    ) -> bytes:
        """A new file: changed parts replaced in their place, added ones at the end, all else copied byte for byte."""
        return self._package.rebuilt(changed, added, dropped)

    def _find_workbook(self) -> str:
        relations = self.relations("")
        if any(relation.type == f"{_STRICT_OFFICE}/officeDocument" for relation in relations):
            raise strict_refusal(self.name)
        part = next((relation.target for relation in relations if relation.type == f"{_OFFICE}/officeDocument"), None)
        if part is not None and part.endswith(".bin"):
            raise BookRefused(
                f"{self.name} is a binary workbook (.xlsb). In Excel, save it as an Excel Workbook (.xlsx)."
            )
        if part is None or part not in self._package:
            raise self._no_workbook()
        return part

    def _no_workbook(self) -> BookRefused:
        return BookRefused(
            f"{self.name} holds no Excel workbook; it may be another program's document, or a zip. Choose the .xlsx "
            "file."
        )

    def _listed(self, element: etree._Element, targets: Mapping[str, Relation]) -> SheetRef:
        relation = targets.get(element.get(f"{{{_OFFICE}}}id", ""))
        name = element.get("name", "")
        if relation is None or relation.target not in self._package:
            raise BookRefused(f"{self.name} is damaged: its sheet {name} is listed but not in the file. {REPAIR}")
        return SheetRef(name, relation.target, element.get("state") or "visible")

    def _related(self, kind: str) -> str | None:
        for relation in self.relations(self.workbook_part):
            if relation.type == f"{_OFFICE}/{kind}" and relation.target in self._package:
                return relation.target
        return None

    def _refuse_traps(self) -> None:
        """Look through every XML part once, so that whatever reads the file after this reads no trap."""
        sheets = {ref.part: ref.name for ref in self._worksheets.values()}
        needed = {self._related(kind) for kind in ("sharedStrings", "styles", "theme")}
        for part in self.part_names:
            if part in sheets:
                refuse_far_cells(self.part(part), sheets[part], self.name)
            elif part in needed:
                self.part(part)
            elif part.lower().endswith((".xml", ".rels", ".vml")):
                self._package.refuse_traps(part, self._package.inflate(part))

    @cached_property
    def _fills(self) -> tuple[str | None, ...]:
        part = self._related("styles")
        if part is None:
            return ()
        root = parsed(self.part(part), part, self.name)
        fills = [self._solid(fill) for fill in root.iterfind(f"{{{MAIN}}}fills/{{{MAIN}}}fill")]
        found: list[str | None] = []
        for xf in root.iterfind(f"{{{MAIN}}}cellXfs/{{{MAIN}}}xf"):
            index = int(xf.get("fillId", "0"))
            found.append(fills[index] if index < len(fills) else None)
        return tuple(found)

    def _solid(self, fill: etree._Element) -> str | None:
        pattern = fill.find(f"{{{MAIN}}}patternFill")
        if pattern is None or pattern.get("patternType") != "solid":
            return None
        colour = pattern.find(f"{{{MAIN}}}fgColor")
        if colour is None or float(colour.get("tint", "0")) != 0:
            return None
        if rgb := colour.get("rgb"):
            return str("FF" + rgb if len(rgb) == 6 else rgb).upper()
        if theme := colour.get("theme"):
            return self._theme.get(int(theme))
        indexed = int(colour.get("indexed", "64"))
        return "FF" + _INDEXED[indexed % 8] if indexed < 16 else None

    @cached_property
    def _theme(self) -> Mapping[int, str]:
        part = self._related("theme")
        if part is None:
            return {}
        root = parsed(self.part(part), part, self.name)
        colours: dict[int, str] = {}
        for index, name in enumerate(_THEME):
            element = root.find(f".//{{{_DRAWING}}}clrScheme/{{{_DRAWING}}}{name}")
            colour = element[0] if element is not None and len(element) else None
            rgb = None if colour is None else colour.get("lastClr") or colour.get("val")
            if rgb and re.fullmatch(r"[0-9A-Fa-f]{6}", rgb):
                colours[index] = "FF" + rgb.upper()
        return colours
