"""The .xlsx file as a zip of parts: opened under guards, and rebuilt with everything untouched copied byte for byte.

    bytes ──guards──► Package ──part(name)──► inflated bytes
                         └──rebuilt(changed, added, dropped)──► bytes

A file that is not what it claims, or that would inflate beyond reason, is refused with a sentence before any part of it
is parsed.
"""

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from lxml import etree

from ledger.entries import BookRefused

LARGEST_TOTAL = 300 * 1024 * 1024
"""bytes the parts may have together once inflated"""
LARGEST_RATIO = 250
"""inflated to compressed; real sheets reach about 60, deflate's limit is 1032"""
RATIO_MATTERS_FROM = 16 * 1024 * 1024
MOST_MEMBERS = 20_000

REPAIR = "Open it in Excel, let it repair the file, and save it again."
RESAVE = "Open it in Excel and save it again."
COPY_AGAIN = "Copy it again from where it came from, or restore an earlier version."

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_CENTRAL_HEADER = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    ValueError,
    etree.LxmlError,
    struct.error,
)
_UTF8_NAME, _DESCRIPTOR, _ENCRYPTED = 0x800, 0x8, 0x1


@dataclass(frozen=True)
class Relation:
    """A relationship of a part: `target` is the name of another part, or an address when `external`."""

    id: str
    type: str
    target: str
    external: bool


def parsed(xml: bytes, part: str, name: str) -> etree._Element:
    """The XML of a part as a tree; no entity, DTD or network is followed. Raises `BookRefused` when it is damaged."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as error:
        raise BookRefused(f"{name} is damaged: its part {part} is not readable XML ({error.msg}). {REPAIR}") from error


@contextmanager
def refusing_damage(name: str) -> Iterator[None]:
    """What a file whose parts do not fit together can raise anywhere, said as a refusal."""
    try:
        yield
    except _DAMAGE as error:
        raise BookRefused(
            f"{name} is damaged: its parts do not fit together ({type(error).__name__}: {error!s:.80}). {REPAIR}"
        ) from error


class Package:
    """The members of an .xlsx, read lazily and never changed."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self._refuse_other_formats()
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                self._members = {info.filename: info for info in archive.infolist()}
                self._order = archive.infolist()
                self._comment = archive.comment
        except (zipfile.BadZipFile, ValueError, struct.error, UnicodeDecodeError, NotImplementedError) as error:
            raise BookRefused(
                f"{name} is damaged: it begins like a workbook but its end is missing or wrong. {COPY_AGAIN}"
            ) from error
        self._refuse_bombs()
        self._inflated: dict[str, bytes] = {}
        self._relations: dict[str, tuple[Relation, ...]] = {}

    @property
    def part_names(self) -> tuple[str, ...]:
        """Every part, in the order of the file."""
        return tuple(info.filename for info in self._order)

    def __contains__(self, part: str) -> bool:
        return part in self._members

    def inflate(self, part: str) -> bytes:
        """The bytes of a part, not kept. Raises `BookRefused` when there is none or it is damaged."""
        if part not in self._members:
            raise BookRefused(f"{self.name} is damaged: its part {part} is missing. {RESAVE}")
        info = self._members[part]
        raw = self._raw(info)
        try:
            if info.compress_type == zipfile.ZIP_STORED:
                content = raw
            else:
                inflater = zlib.decompressobj(-15)
                # one byte more than declared is enough to see a lie
                content = inflater.decompress(raw, info.file_size + 1)
        except zlib.error as error:
            raise self._damaged(part) from error
        if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
            raise self._damaged(part)
        return content

    def part(self, part: str) -> bytes:
        """The bytes of a part, kept for the next time; XML with a DTD or in another encoding than UTF-8 is refused."""
        if part not in self._inflated:
            content = self.inflate(part)
            self.refuse_traps(part, content)
            self._inflated[part] = content
        return self._inflated[part]

    def relations(self, part: str) -> tuple[Relation, ...]:
        """The relationships of a part ("" for the package's own), targets resolved to part names, and kept."""
        if part not in self._relations:
            self._relations[part] = self._read_relations(part)
        return self._relations[part]

    def _read_relations(self, part: str) -> tuple[Relation, ...]:
        folder, base = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", base + ".rels")
        if rels not in self._members:
            return ()
        found = []
        for element in parsed(self.part(rels), rels, self.name).iter(f"{{{_RELATIONS}}}Relationship"):
            target, external = element.get("Target", ""), element.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(target[1:] if target.startswith("/") else posixpath.join(folder, target))
            found.append(Relation(element.get("Id", ""), element.get("Type", ""), target, external))
        return tuple(found)

    def refuse_traps(self, part: str, content: bytes) -> None:
        """Refuse XML that declares entities, or that could hide them in another encoding."""
        if not part.lower().endswith((".xml", ".rels", ".vml")):
            return
        head = content[:200]
        declared = head[: head.find(b"?>")].lower() if head.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") else b""
        if (
            head[:2] in (b"\xff\xfe", b"\xfe\xff")
            or b"\x00" in head
            or (b"encoding" in declared and b"utf-8" not in declared)
        ):
            raise BookRefused(f"{self.name} has a part ({part}) that is not in UTF-8. {RESAVE}")
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise BookRefused(
                f"{self.name} has a part ({part}) with a document type declaration, which no workbook needs and "
                "which can "
                f"be a trap. It was not read. If you trust it: {RESAVE}"
            )

    def rebuilt(self, changed: Mapping[str, bytes], added: Mapping[str, bytes], dropped: Collection[str]) -> bytes:
        """A new package: changed parts replaced in their place, dropped ones left out, added ones at the end.

        Every other member is copied as its raw compressed bytes, in the same order and with the same date.
        Raises KeyError for a changed or dropped part that is not there, or an added one that is.
        """
        unknown = [part for part in (*changed, *dropped) if part not in self._members]
        if unknown or any(part in self._members for part in added):
            raise KeyError(", ".join(unknown) or "an added part stands in the package already")
        body, directory = bytearray(), bytearray()
        count = 0
        for info in self._order:
            if info.filename in dropped:
                continue
            if info.filename in changed:
                _append(body, directory, _like(info, changed[info.filename]), _deflated(changed[info.filename]))
            else:
                _append(body, directory, info, self._raw(info))
            count += 1
        date = self._order[0].date_time if self._order else (1980, 1, 1, 0, 0, 0)
        for part, content in added.items():
            fresh = zipfile.ZipInfo(part, date)
            fresh.external_attr = self._order[0].external_attr if self._order else 0
            _append(body, directory, _like(fresh, content), _deflated(content))
            count += 1
        end = _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), len(body), len(self._comment))
        return bytes(body + directory + end + self._comment)

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        header = self.data[info.header_offset : info.header_offset + _LOCAL_HEADER.size]
        if len(header) < _LOCAL_HEADER.size or header[:4] != b"PK\3\4":
            raise self._damaged(info.filename)
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        start = info.header_offset + _LOCAL_HEADER.size + name_length + extra_length
        raw = self.data[start : start + info.compress_size]
        if len(raw) != info.compress_size:
            raise self._damaged(info.filename)
        return raw

    def _damaged(self, part: str) -> BookRefused:
        return BookRefused(f"{self.name} is damaged: its part {part} cannot be unpacked. {COPY_AGAIN}")

    def _refuse_other_formats(self) -> None:
        if not self.data:
            raise BookRefused(f"{self.name} is empty (0 bytes). {COPY_AGAIN}")
        if self.data.startswith(_OLE):
            if "EncryptedPackage".encode("utf-16-le") in self.data:
                raise BookRefused(
                    f"{self.name} is password-protected. Open it in Excel, take the password off (File, Info, Protect "
                    "Workbook), and save it."
                )
            raise BookRefused(
                f"{self.name} is locked in a way that cannot be read here. Open it in Excel and save it as an Excel "
                "Workbook (.xlsx)."
            )
        if not self.data.startswith(b"PK"):
            raise BookRefused(
                f"{self.name} is not an Excel workbook. Choose an .xlsx file, or save it as one from your program."
            )
        if b"mimetypeapplication/vnd.oasis" in self.data[:200]:
            raise BookRefused(
                f"{self.name} is an OpenDocument file. Save it as an Excel Workbook (.xlsx) and open that."
            )

    def _refuse_bombs(self) -> None:
        if len(self._order) > MOST_MEMBERS:
            raise BookRefused(
                f"{self.name} holds {len(self._order):,} parts; no workbook needs so many, so it was not read."
            )
        folded: set[str] = set()
        for info in self._order:
            if info.filename.casefold() in folded:
                raise BookRefused(
                    f"{self.name} holds its part {info.filename} twice, so two programs could read two different "
                    f"books. {RESAVE}"
                )
            folded.add(info.filename.casefold())
            if info.flag_bits & _ENCRYPTED:
                raise BookRefused(f"{self.name} is an encrypted zip. Save it without a password.")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BookRefused(f"{self.name} is packed in a way Excel does not use. {RESAVE}")
            if info.file_size > RATIO_MATTERS_FROM and info.file_size > LARGEST_RATIO * max(1, info.compress_size):
                raise self._bomb(info.file_size)
        total = sum(info.file_size for info in self._order)
        if total > LARGEST_TOTAL:
            raise self._bomb(total)
        end = 0
        for info in sorted(self._order, key=lambda info: info.header_offset):
            if info.header_offset < end:
                raise BookRefused(
                    f"{self.name} has parts that overlap, which only a trap or a damaged file has. It was not read."
                )
            end = info.header_offset + _LOCAL_HEADER.size + info.compress_size

    def _bomb(self, size: int) -> BookRefused:
        return BookRefused(
            f"{self.name} would unpack to {size // (1024 * 1024):,} MB from {len(self.data) // 1024:,} KB, more than a "
            "budget book needs. It was not read. Remove what makes it so big (pictures, empty formatted rows), and "
            "save it again."
        )


def _deflated(content: bytes) -> bytes:
    # level 5 gives sheets within 1 % of level 6 in little more than half the time
    deflater = zlib.compressobj(5, zlib.DEFLATED, -15)
    return deflater.compress(content) + deflater.flush()


def _like(info: zipfile.ZipInfo, content: bytes) -> zipfile.ZipInfo:
    """The directory line of a part with new content; its name, date and attributes stay."""
    fresh = zipfile.ZipInfo(info.filename, info.date_time)
    fresh.external_attr, fresh.create_system, fresh.create_version = (
        info.external_attr,
        info.create_system,
        info.create_version,
    )
    fresh.extract_version, fresh.flag_bits, fresh.comment = info.extract_version, info.flag_bits, info.comment
    fresh.compress_type, fresh.CRC, fresh.file_size = zipfile.ZIP_DEFLATED, zlib.crc32(content), len(content)
    return fresh


def _append(body: bytearray, directory: bytearray, info: zipfile.ZipInfo, raw: bytes) -> None:
    """One member: its local header and raw bytes to the body, its line to the directory."""
    if info.filename.isascii():
        name, flags = info.filename.encode("ascii"), info.flag_bits
    else:
        name, flags = info.filename.encode("utf-8"), info.flag_bits | _UTF8_NAME
    flags &= ~_DESCRIPTOR  # sizes stand in the header, none follows the data
    year, month, day, hour, minute, second = info.date_time
    on, at = (year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | second // 2
    offset = len(body)
    common = (info.extract_version, flags, info.compress_type, at, on, info.CRC, len(raw), info.file_size, len(name), 0)
    body += _LOCAL_HEADER.pack(b"PK\3\4", *common) + name + raw
    made_by = info.create_system << 8 | info.create_version
    directory += (
        _CENTRAL_HEADER.pack(
            b"PK\1\2", made_by, *common, len(info.comment), 0, info.internal_attr, info.external_attr, offset
        )
        + name
        + info.comment
    )
