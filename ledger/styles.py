"""The cell formats of a book: finding one like another but for its fill, font colour or number format, or appending it.

    Styles ──Formats.like(base, fill=…)──► the index of a format the book has, or a NewStyle ──appended──► styles.xml

Formats are only ever appended: an index that stands in the book means the same before and after.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from xml.sax.saxutils import quoteattr, unescape

from ledger.changes import NewStyle
from ledger.entries import BookRefused

WHITE = "FFFFFFFF"

_ATTRIBUTE = re.compile(rb"([\w:]+)\s*=\s*\"([^\"]*)\"")
_BLACK = (b"FF000000", b"00000000")
_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_FIRST_OWN_NUMBER_FORMAT = 164


class _Format(NamedTuple):
    """Everything a cell format says, in a form that compares: two equal ones look the same."""

    number_format: str
    """the code, or the number of a built-in one"""
    font: bytes
    """without its colour"""
    colour: str
    """`FFRRGGBB`, empty for automatic, else as written"""
    fill: str
    """`FFRRGGBB` of a solid fill, empty for none, else its number"""
    rest: tuple[tuple[str, str], ...]
    inside: bytes


class Styles:
    """The formats of a book's styles part. Raises BookRefused for a part with comments, which cannot be appended to."""

    def __init__(self, xml: bytes, book: str) -> None:
        found = re.search(rb"<((?:\w+:)?)styleSheet[\s>]", xml)
        if found is None or b"<!" in xml:
            raise BookRefused(
                f"The cell formats of {book} are written in an unusual way. Save it again in Excel first."
            )
        self.xml = xml
        self.prefix = found[1]
        self._rows = self.pieces("cellXfs", "xf")

    def pieces(self, block: str, tag: str) -> list[bytes]:
        """The elements of a block, `font` of `fonts`, as they are written."""
        p = re.escape(self.prefix)
        whole = self.block(block)
        if whole is None:
            return []
        name = p + tag.encode()
        element = re.compile(rb"<" + name + rb"(?=[\s/>])[^>]*?(?:/>|>.*?</" + name + rb">)", re.DOTALL)
        return element.findall(self.xml, whole.start(2), whole.end(2))

    def block(self, tag: str) -> re.Match[bytes] | None:
        """A block of the part: its opening tag and its inside as groups 1 and 2."""
        name = re.escape(self.prefix) + tag.encode()
        return re.search(rb"(<" + name + rb"(?:\s[^>]*)?(?<!/)>)(.*?)</" + name + rb">", self.xml, re.DOTALL)

    @cached_property
    def fonts(self) -> Sequence[bytes]:
        """Every font as it is written."""
        return self.pieces("fonts", "font")

    @cached_property
    def fills(self) -> Sequence[bytes]:
        """Every fill as it is written."""
        return self.pieces("fills", "fill")

    @cached_property
    def number_formats(self) -> Mapping[int, str]:
        """The book's own number formats by their number."""
        found = {}
        for piece in self.pieces("numFmts", "numFmt"):
            attributes = attributes_of(piece)
            found[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        return found

    def __len__(self) -> int:
        return len(self._rows)

    def written(self, index: int) -> bytes:
        """A cell format as it is written; the plain one for an index the book does not have."""
        return self._rows[index if 0 <= index < len(self._rows) else 0]

    def said(self, index: int) -> _Format:
        """What a cell format says."""
        return self._said(self.written(index))

    def is_date(self, index: int) -> bool:
        """Whether a number in this format shows as a day."""
        number = int(attributes_of(self.written(index)).get("numFmtId", "0"))
        code = re.sub(r"\[[^\]]*\]|\"[^\"]*\"|\\.", "", self.number_formats.get(number, ""))
        return number in _BUILT_IN_DATES or bool(re.search(r"[dy]", code, re.IGNORECASE))

    @cached_property
    def by_what_they_say(self) -> Mapping[_Format, int]:
        """The first index of each format."""
        found: dict[_Format, int] = {}
        for index, row in enumerate(self._rows):
            found.setdefault(self._said(row), index)
        return found

    def _said(self, row: bytes) -> _Format:
        attributes = attributes_of(row)
        font = self._at(self.fonts, attributes.pop("fontId", "0"))
        fill = attributes.pop("fillId", "0")
        number = attributes.pop("numFmtId", "0")
        rest = sorted((key, value) for key, value in attributes.items() if not key.startswith("apply"))
        inside = row[row.find(b">") + 1 :]
        return _Format(
            self.number_formats.get(int(number), number),
            self._colour.sub(b"", font),
            self._colour_of(font),
            self.solid(int(fill)),
            tuple(rest),
            inside,
        )

    def solid(self, fill: int) -> str:
        """`FFRRGGBB` of a solid fill, empty for none, its number for any other."""
        piece = self._at(self.fills, str(fill))
        colour = re.search(rb"<" + re.escape(self.prefix) + rb"fgColor\s[^>]*?rgb=\"([0-9A-Fa-f]{8})\"", piece)
        if b'patternType="solid"' in piece and colour and b"tint=" not in piece:
            return colour[1].decode().upper()
        return "" if fill == 0 else str(fill)

    @cached_property
    def _colour(self) -> re.Pattern[bytes]:
        return re.compile(rb"<" + re.escape(self.prefix) + rb"color(?=[\s/])[^>]*/>")

    def _colour_of(self, font: bytes) -> str:
        found = self._colour.search(font)
        if found is None:
            return ""
        attributes = attributes_of(found[0])
        plain = attributes.get("theme") == "1" and "tint" not in attributes
        if plain or attributes.get("indexed") in ("8", "64") or attributes.get("rgb", "").encode() in _BLACK:
            return ""
        return attributes["rgb"].upper() if "rgb" in attributes else str(sorted(attributes.items()))

    def with_colour(self, font: bytes, colour: str) -> bytes:
        """A font as it is written, in another colour; empty for automatic."""
        p = self.prefix
        element = b"<" + p + b'color rgb="' + colour.encode() + b'"/>' if colour else b""
        if self._colour.search(font):
            return self._colour.sub(element, font)
        if not element:
            return font
        size = re.search(rb"<" + re.escape(p) + rb"sz(?=[\s/])[^>]*/>", font)
        if size:
            return font[: size.end()] + element + font[size.end() :]
        if font.rstrip().endswith(b"/>") and font.count(b"<") == 1:
            return b"<" + p + b"font>" + element + b"</" + p + b"font>"
        at = font.rfind(b"</")
        return font[:at] + element + font[at:]

    @staticmethod
    def _at(pieces: Sequence[bytes], index: str) -> bytes:
        return pieces[int(index)] if int(index) < len(pieces) else b""


def attributes_of(piece: bytes) -> dict[str, str]:
    """The attributes of the first tag of an element."""
    tag = piece[: piece.find(b">")]
    return {key.decode(): unescape(value.decode(), {"&quot;": '"'}) for key, value in _ATTRIBUTE.findall(tag)}


class Formats:
    """Formats chosen while a write is planned: those the book has, and new ones where it has none."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self._new: dict[_Format, NewStyle] = {}

    @property
    def new(self) -> tuple[NewStyle, ...]:
        """The formats to be appended, in order."""
        return tuple(self._new.values())

    def said(self, index: int) -> _Format:
        """What a format says, one planned just now included."""
        return next((said for said, new in self._new.items() if new.index == index), None) or self.styles.said(index)

    def like(
        self, base: int, *, fill: str | None = None, font: str | None = None, number_format: str | None = None
    ) -> int:
        """The index of a format like `base` but for what is given: None keeps, "" is none, automatic or General."""
        wanted = own = self.said(base)
        if fill is not None:
            wanted = wanted._replace(fill=fill)
        if font is not None:
            wanted = wanted._replace(colour=font)
        if number_format is not None:
            wanted = wanted._replace(number_format=number_format or "0")
        if wanted == own:
            return base
        known = self.styles.by_what_they_say.get(wanted)
        if known is not None:
            return known
        if wanted not in self._new:
            root = next((new for new in self._new.values() if new.index == base), None)
            if root is not None:
                base = root.base
                own = self.styles.said(base)
                fill = root.fill if fill is None else fill
                font = root.font if font is None else font
                number_format = root.number_format if number_format is None else number_format
            keeps = (
                fill if wanted.fill != own.fill else None,
                font if wanted.colour != own.colour else None,
                number_format if wanted.number_format != own.number_format else None,
            )
            self._new[wanted] = NewStyle(len(self.styles) + len(self._new), base, *keeps)
        return self._new[wanted].index


def appended(styles: Styles, new: Sequence[NewStyle]) -> bytes:
    """The styles part with the new formats, and the fills, fonts and number formats they need, at the ends."""
    p = styles.prefix
    fonts, fills, rows = [*styles.fonts], [*styles.fills], []
    codes = dict(styles.number_formats)
    for style in new:
        row = styles.written(style.base)
        attributes = attributes_of(row)
        if style.fill is not None:
            attributes |= {"fillId": str(_fill(styles, fills, style.fill)), "applyFill": "1"}
        if style.font is not None:
            font = styles.with_colour(fonts[int(attributes.get("fontId", "0"))], style.font)
            attributes |= {"fontId": str(_place(fonts, font)), "applyFont": "1"}
        if style.number_format is not None:
            attributes |= {"numFmtId": str(_number_format(codes, style.number_format)), "applyNumberFormat": "1"}
        tag = (
            b"<" + p + b"xf" + b"".join(b" %s=%s" % (k.encode(), quoteattr(v).encode()) for k, v in attributes.items())
        )
        inside = row[row.find(b">") + 1 :]
        rows.append(tag + (b">" + inside if inside else b"/>"))
    own = [
        b"<" + p + f'numFmt numFmtId="{number}" formatCode={quoteattr(code)}/>'.encode()
        for number, code in codes.items()
        if number not in styles.number_formats
    ]
    xml = _extended(styles, "numFmts", own, len(styles.number_formats))
    for block, pieces, had in (
        ("fonts", fonts, len(styles.fonts)),
        ("fills", fills, len(styles.fills)),
        ("cellXfs", [*[b""] * len(styles), *rows], len(styles)),
    ):
        xml = _extended(Styles(xml, ""), block, pieces[had:], had)
    return xml


def _fill(styles: Styles, fills: list[bytes], colour: str) -> int:
    if not colour:
        return 0
    for index in range(len(styles.fills)):
        if styles.solid(index) == colour:
            return index
    p = styles.prefix.decode()
    colours = f'<{p}fgColor rgb="{colour}"/><{p}bgColor indexed="64"/>'
    piece = f'<{p}fill><{p}patternFill patternType="solid">{colours}</{p}patternFill></{p}fill>'
    return _place(fills, piece.encode())


def _number_format(codes: dict[int, str], code: str) -> int:
    if not code:
        return 0
    for number, known in codes.items():
        if known == code:
            return number
    number = max([_FIRST_OWN_NUMBER_FORMAT - 1, *codes]) + 1
    codes[number] = code
    return number


def _place(pieces: list[bytes], piece: bytes) -> int:
    if piece not in pieces:
        pieces.append(piece)
    return pieces.index(piece)


def _extended(styles: Styles, tag: str, pieces: Sequence[bytes], had: int) -> bytes:
    """The part with elements added at the end of one of its lists, which is begun where there is none."""
    if not pieces:
        return styles.xml
    p, xml = styles.prefix, styles.xml
    count = str(had + len(pieces)).encode()
    block = styles.block(tag)
    if block is None:
        root = re.search(rb"<" + re.escape(p) + rb"styleSheet(?:\s[^>]*)?>", xml)
        at = root.end() if root else 0
        name = p + tag.encode()
        return xml[:at] + b"<" + name + b' count="' + count + b'">' + b"".join(pieces) + b"</" + name + b">" + xml[at:]
    opening = re.sub(rb"(\scount=\")\d+", lambda found: found[1] + count, block[1], count=1)
    return xml[: block.start()] + opening + block[2] + b"".join(pieces) + xml[block.end(2) :]
