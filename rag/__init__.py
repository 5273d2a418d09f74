"""Documents that answer with the page: read, cut, searched by words and by meaning, on this machine.

library = Library.open(folder, now=clock)
library.add(Path("report.pdf"))          →   Added(document, "new", "report.pdf: 14 pages, 61 passages.")
library.search("priority sector target", Filters(domain="banking"), k=5)   →   passages, best first
library.page(document, 7)                →   its text, and where each line stands on the page
library.picture(document, 7)             →   the page as a PNG
"""

from rag.documents import (
    Added,
    Document,
    Filters,
    Heading,
    LineBox,
    Metadata,
    Page,
    Passage,
    Progress,
    Refused,
    Table,
    Unreadable,
)

__all__ = [
    "Added",
    "Document",
    "Filters",
    "Heading",
    "Library",
    "LineBox",
    "Metadata",
    "Page",
    "Passage",
    "Progress",
    "Refused",
    "Table",
    "Unreadable",
]


def __getattr__(name: str) -> object:
    # the embedding alone is wanted by every message: what a library needs besides is loaded with the first library
    if name == "Library":
        from rag.library import Library

        return Library
    raise AttributeError(name)
