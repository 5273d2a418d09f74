"""HTML as Markdown text: headings, paragraphs, lists and tables, without scripts, styles and what is hidden."""

from collections.abc import Iterator, Sequence

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from rag.documents import Page, Unreadable
from rag.reading.plain import pages_of_markdown

_LEFT_OUT = frozenset({"script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object"})
_BLOCKS = frozenset(
    {
        "p",
        "div",
        "section",
        "article",
        "li",
        "ul",
        "ol",
        "blockquote",
        "pre",
        "tr",
        "main",
        "header",
        "footer",
        "dt",
        "dd",
        "br",
    }
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def pages(data: bytes) -> Sequence[Page]:
    """The pages of an HTML file."""
    try:
        root = document_fromstring(data, parser=HTMLParser(huge_tree=False, no_network=True, remove_comments=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("there is nothing in it that can be read as HTML.") from error
    parts = [" ".join(part.split()) if "|" not in part else part.strip() for part in _parts(root)]
    return pages_of_markdown("\n\n".join(part for part in parts if part))


def _parts(root: etree._Element) -> Iterator[str]:
    """Blocks of text in order, without recursion: pages may be nested without end."""
    words: list[str] = []
    stack: list[tuple[str, etree._Element | str]] = [("open", root)]
    while stack:
        step, thing = stack.pop()
        if isinstance(thing, str):
            words.append(thing)
            continue
        tag = thing.tag if isinstance(thing.tag, str) else ""
        if step == "close":
            if tag in _BLOCKS:
                yield "".join(words)
                words = []
            continue
        if tag in _LEFT_OUT or not tag or "hidden" in thing.attrib:
            continue
        if tag in _HEADINGS or tag == "table":
            yield "".join(words)
            words = []
            if tag == "table" and not thing.findall(".//table"):
                yield _table(thing)
                continue
            if tag in _HEADINGS:
                yield f"{'#' * _HEADINGS[tag]} {' '.join(''.join(thing.itertext()).split())}"
                continue
        if tag in _BLOCKS:
            yield "".join(words)
            words = []
        stack.append(("close", thing))
        for child in reversed(thing):
            if child.tail:
                stack.append(("text", child.tail))
            stack.append(("open", child))
        if thing.text:
            words.append(thing.text)
    yield "".join(words)


def _table(table: etree._Element) -> str:
    rows = [
        [" ".join("".join(cell.itertext()).split()) for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
    ]
    caption = " ".join("".join(part.itertext()) for part in table.findall("caption"))
    return "\n\n".join(part for part in (" ".join(caption.split()), markdown_table(rows)) if part)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a table in Markdown, the first of them its header."""
    kept = [row for row in rows if any(row)]
    if not kept:
        return ""
    width = max(map(len, kept))
    lines = [
        "| " + " | ".join((row[place] if place < len(row) else "").replace("|", "\\|") for place in range(width)) + " |"
        for row in kept
    ]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]) + "\n"
