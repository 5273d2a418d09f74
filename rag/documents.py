"""The nouns of a library: documents, their pages, the passages a question finds, and what an upload came to.

Document ─< Page ─< Chunk          a chunk is a span of one page's text
question ─► Passage                a chunk that was found, with its scores and where it stands
"""

from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["text", "table"]
State = Literal["reading", "lexical", "ready"]
"""reading: not searchable yet; lexical: found by words, vectors to come; ready: found by meaning too"""


class Unreadable(Exception):
    """A file that cannot be read, with the reason and what to do in a sentence."""


@dataclass(frozen=True)
class Metadata:
    """What a document is; an empty field is not known. `period` is a financial year (FY2023-24) or a year (2019)."""

    title: str = ""
    publisher: str = ""
    period: str = ""
    domain: str = ""
    jurisdiction: str = ""
    tax_year: str = ""

    def over(self, other: "Metadata") -> "Metadata":
        """This, with what is not known here taken from the other."""
        return replace(other, **{name: value for name, value in vars(self).items() if value})


@dataclass(frozen=True)
class Document:
    """A document of the library. `file` is the name it was added under, `size` in bytes, `added` an ISO time."""

    id: str
    file: str
    kind: str
    metadata: Metadata
    state: State
    pages: int
    chunks: int
    embedded: int
    size: int
    added: str
    notes: tuple[str, ...] = ()
    """what a reader should know: scanned pages, pages that could not be read, what was left out"""

    @property
    def title(self) -> str:
        """Its title, or its file's name."""
        return self.metadata.title or self.file


@dataclass(frozen=True)
class Heading:
    """A heading on a page: where it begins in the page's text, how deep (1 is the highest), and its words."""

    start: int
    level: int
    text: str


@dataclass(frozen=True)
class Table:
    """A table in a page's text as Markdown: its span, caption and units where they were found."""

    start: int
    end: int
    caption: str = ""
    units: str = ""
    header_end: int = 0
    """where its header rows end; 0: there are none"""


@dataclass(frozen=True)
class LineBox:
    """Where a span of a page's text stands on the page: shares of its width and height, from the top left corner."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Page:
    """A page as it was read. `number` counts from 1 in the file; `label` is the number a reader sees on it."""

    number: int
    label: str
    text: str
    headings: tuple[Heading, ...] = ()
    tables: tuple[Table, ...] = ()
    lines: tuple[LineBox, ...] = ()
    note: str = ""
    """what is wrong with the page, in a sentence; empty when nothing is"""
    scanned: bool = False

    def boxes(self, start: int, end: int) -> tuple[LineBox, ...]:
        """The places on the page of a span of its text."""
        return tuple(line for line in self.lines if line.start < end and line.end > start)


@dataclass(frozen=True)
class Chunk:
    """A piece of one page: `page text[start:end]`, under its heading. `lead`: a long table's header, repeated."""

    number: int
    page: int
    start: int
    end: int
    kind: Kind
    heading: str
    text: str
    lead: str = ""

    @property
    def whole(self) -> str:
        """Its words with what is repeated before them."""
        return f"{self.lead}\n{self.text}" if self.lead else self.text


@dataclass(frozen=True)
class Filters:
    """Which documents and chunks count in a search; an empty field lets all through."""

    documents: frozenset[str] = frozenset()
    domain: str = ""
    jurisdiction: str = ""
    tax_year: str = ""
    period: str = ""
    publisher: str = ""
    tables_only: bool = False


@dataclass(frozen=True)
class Passage:
    """A chunk that was found.

    `score` orders the passages (0 to about 1); `lexical` is the BM25 score, `dense` the cosine of meaning or None while
    its vector is not made; `confidence` is the calibrated probability that the answer to the question stands in these
    passages, the same for all of one search but for what this passage lacks.
    """

    document: str
    file: str
    title: str
    page: int
    label: str
    heading: str
    text: str
    span: tuple[int, int]
    kind: Kind
    score: float
    lexical: float
    dense: float | None
    confidence: float
    reasons: tuple[str, ...] = ()
    """why it stands where it does, in words: the question's words it has, the year, the file's name"""
    missing: tuple[str, ...] = ()
    """names, years and figures of the question that it does not have"""
    metadata: Metadata = field(default_factory=Metadata)
    chunk: str = ""

    @property
    def place(self) -> str:
        """Its citation in short: file, page and heading."""
        where = f"{self.file}, p. {self.label}"
        return f"{where}, {self.heading}" if self.heading else where


@dataclass(frozen=True)
class Added:
    """What adding a file came to: `new`, `replaced` an older file of its name, or `unchanged`: the same bytes again."""

    document: Document
    outcome: Literal["new", "replaced", "unchanged", "stopped"]
    sentence: str


@dataclass(frozen=True)
class Refused:
    """A file that was not added, and why; the other files of an upload go on."""

    file: str
    sentence: str


@dataclass(frozen=True)
class Progress:
    """How far adding a file is: `step` of a file, `done` pages or chunks of `of`."""

    file: str
    step: Literal["pages", "vectors"]
    done: int
    of: int
