"""Which reader opens which kind of file."""

from collections.abc import Iterable
from pathlib import Path

from rag.documents import Page, Unreadable
from rag.reading import html, office, pdf, plain


def opened(path: Path, kind: str, first: int, characters: int) -> tuple[int, Iterable[Page]]:
    """How many pages a file has, and those from `first` on. Raises Unreadable."""
    try:
        if kind == "pdf":
            return pdf.opened(path, first, characters)
        pages = {
            "docx": office.docx_pages,
            "xlsx": office.xlsx_pages,
            "html": html.pages,
            "md": plain.markdown_pages,
        }.get(kind, plain.text_pages)(path.read_bytes())
    except RecursionError as error:
        raise Unreadable("it is nested too deeply to be read.") from error
    return len(pages), [page for page in pages if page.number >= first]
