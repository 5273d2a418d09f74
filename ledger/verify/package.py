"""A zip package read by nothing but zipfile, expat and lxml."""

import io
import posixpath
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from xml.parsers import expat

from lxml import etree

from ledger.verify.rejection import WriteRejected, require

MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_LOCAL_HEADER: Final = struct.Struct("<4s5H3L2H")


@dataclass(frozen=True)
class Package:
    """A zip package and its workbook part, read by nothing but zipfile and lxml."""

    data: bytes
    archive: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]
    workbook: str
    workbook_tree: Any
    sheet_parts: Mapping[str, str]
    date1904: bool
    inflated: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, data: bytes) -> "Package":
        """The package of a file's bytes; raises whatever reading a damaged one raises (`UNREADABLE`)."""
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = {info.filename: info for info in archive.infolist()}
        require(len(members) == len(archive.infolist()), "the package names a part twice")
        root = read_relations(archive.read("_rels/.rels"), "")
        workbook = next(target for kind, target in root.values() if kind.endswith("/officeDocument"))
        tree = tree_of(archive.read(workbook))
        relations = read_relations(archive.read(relations_part(workbook)), workbook)
        sheets = {sheet.get("name"): relations[sheet.get(RELATION_ID)][1] for sheet in tree.iter(f"{MAIN}sheet")}
        properties = tree.find(f"{MAIN}workbookPr")
        date1904 = properties is not None and properties.get("date1904") in ("1", "true")
        return cls(data, archive, members, workbook, tree, sheets, date1904)

    def read(self, part: str) -> bytes:
        """The bytes of a part, inflated once."""
        if part not in self.inflated:
            self.inflated[part] = self.archive.read(part)
        return self.inflated[part]

    def raw(self, part: str) -> bytes:
        """The compressed bytes of a member, as they lie in the file behind a header that agrees with the directory."""
        info = self.members[part]
        offset = info.header_offset
        signature, _, flags, method, *_, name_length, extra_length = _LOCAL_HEADER.unpack_from(self.data, offset)
        start = offset + _LOCAL_HEADER.size
        name = self.data[start : start + name_length].decode("utf-8" if flags & 0x800 else "cp437")
        agrees = (signature, name, method) == (b"PK\3\4", info.orig_filename, info.compress_type) and not flags & 1
        require(agrees, f"the header of the part {part} is damaged")
        start += name_length + extra_length
        return self.data[start : start + info.compress_size]

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """(type, target part or outside address) of a part's relations by id."""
        name = relations_part(part)
        return read_relations(self.read(name), part) if name in self.members else {}


def relations_part(part: str) -> str:
    """The part that lists the relations of another."""
    return posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")


def read_relations(xml: bytes, part: str) -> dict[str, tuple[str, str]]:
    """(type, target part or outside address) by id."""
    found = {}
    for relation in tree_of(xml):
        target = relation.get("Target")
        if relation.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", posixpath.dirname(part), target)).lstrip("/")
        found[relation.get("Id")] = (relation.get("Type"), target)
    return found


def tree_of(xml: bytes) -> Any:
    """A part as a tree, no entity resolved."""
    try:
        return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as error:
        raise WriteRejected(f"a part is not well-formed: {error}") from error


def canonical(element: Any) -> bytes:
    """An element in its canonical form: equal for what means the same."""
    text: bytes = etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
    return text


def check_well_formed(xml: bytes, part: str, *, fragment: bool = False) -> None:
    """Refuse XML that is broken or declares a document type; a fragment's prefixes may be declared elsewhere."""

    def refuse(*_: object) -> None:
        raise WriteRejected(f"{part} declares a document type")

    parser = expat.ParserCreate() if fragment else expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)  # noqa: FBT003 -- expat's own signature
    except expat.ExpatError as error:
        raise WriteRejected(f"{part} is not well-formed: {error}") from error
