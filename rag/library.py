"""A library of documents: files are added, read, cut and searched; what a question finds comes with file and page.

add ─► kept as it is ─► read page by page ─► cut and indexed by words, searchable ─► vectors, found by meaning too
       (each step is stored as it is made: a stopped or killed run goes on from there with `resume`)

library = Library.open(folder, now=clock)
library.add(path)                            →   Added(document, "new", "rbi.pdf: 14 pages, 61 passages.")
library.search("priority sector target")     →   passages, best first
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path

import numpy as np
from filelock import FileLock

from rag import store
from rag.chunks import chunks_of, last_heading
from rag.dense import PACKAGED, Dense, Embedder, Model
from rag.documents import (
    Added,
    Chunk,
    Document,
    Filters,
    Metadata,
    Page,
    Passage,
    Progress,
    Refused,
    Unreadable,
)
from rag.embedding import EmbeddingMissing, Vectors
from rag.fusion import DENSE_SHARE, Ranked, statement_marks
from rag.guessing import guessed_metadata
from rag.index import Found, Index
from rag.labels import printed_labels
from rag.reading import DEFAULT_LIMITS, Limits, kind_of, read_pages, readable_by_ocr
from rag.render import picture_of
from rag.store import Arrival, Damaged, Row, Store
from rag.tokens import spelled_out, tokens

Told = Callable[[Progress], None]
Asked = Callable[[], bool]
UNKNOWN, EVERYTHING = Metadata(), Filters()
_PAGES_AT_ONCE = 8
_CHUNKS_AT_ONCE = 16


class _Stopped(Exception):
    """The person said stop, or the document was deleted meanwhile."""


class Library:
    """The documents of one folder. May be used by several threads and processes at once."""

    def __init__(self, folder: Path, model: Model | None, now: Callable[[], datetime], limits: Limits) -> None:
        self._store = Store(folder)
        self._model = model
        self._now = now
        self._limits = limits
        self._lock_path = folder / "library.lock"
        self._guard = threading.Lock()
        self._index: Index | None = None

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        now: Callable[[], datetime],
        model: Model | None = PACKAGED,
        limits: Limits = DEFAULT_LIMITS,
    ) -> "Library":
        """The library in a folder, made when there is none. Without a model words alone count."""
        return cls(folder, model, now, limits)

    def add(
        self,
        source: Path | bytes,
        name: str = "",
        metadata: Metadata = UNKNOWN,
        *,
        progress: Told | None = None,
        stop: Asked | None = None,
        vectors: bool = True,
        ocr: bool = False,
    ) -> Added | Refused:
        """Add a file. The same bytes again change nothing; another file of the same name takes the old one's place.

        With `vectors` false it is found by words only until `resume`. `ocr`: scanned pages are read by ocrmypdf.
        """
        file = name or (source.name if isinstance(source, Path) else "document")
        try:
            data = self._bytes(source, file)
            kind = kind_of(data, file)
            identity = hashlib.sha256(data).hexdigest()[:20]
            with FileLock(self._lock_path):
                known = self.document(identity)
                if known is not None and known.state != "reading":
                    return self._again(known, metadata, progress, stop, vectors=vectors)
                if known is None:
                    arrived = self._now().isoformat(timespec="seconds")
                    arrival = Arrival(identity, file, kind, metadata, len(data), arrived, ocr)
                    self._store.remember(arrival, data)
                    with self._store.writing(counts=False) as connection:
                        store.insert_document(connection, arrival)
                return self._finish(identity, progress, stop, vectors=vectors)
        except Unreadable as error:
            return Refused(file, f"{file}: {error}")

    def resume(self, *, progress: Told | None = None, stop: Asked | None = None) -> tuple[Added | Refused, ...]:
        """Go on with whatever was stopped, killed or found damaged; what each document came to."""
        found: list[Added | Refused] = []
        for document in self.documents():
            if document.state == "ready" or (document.state == "lexical" and self._embedder() is None):
                continue
            try:
                with FileLock(self._lock_path):
                    found.append(self._finish(document.id, progress, stop, vectors=True))
            except Unreadable as error:
                found.append(Refused(document.file, f"{document.file}: {error}"))
            if stop is not None and stop():
                break
        return tuple(found)

    def documents(self) -> tuple[Document, ...]:
        """Every document, in the order in which they came."""
        return self._store.documents()

    def document(self, identity: str) -> Document | None:
        """A document by its id; None when there is none."""
        return next((one for one in self.documents() if one.id == identity), None)

    def describe(self, identity: str, metadata: Metadata) -> Document | None:
        """Set what a document is; an empty field goes back to what was guessed. None when there is none."""
        document = self.document(identity)
        if document is None:
            return None
        guessed = self._guessed(identity)
        with self._store.writing() as connection:
            connection.execute("UPDATE documents SET given = ? WHERE id = ?", (json.dumps(asdict(metadata)), identity))
            if metadata.over(guessed).title != document.metadata.title and document.state != "reading":
                self._retitle(connection, identity, metadata.over(guessed).title)
        original = self._store.original(identity, document.kind)
        if original.is_file():
            with self._store.reading() as connection:
                (ocr,) = connection.execute("SELECT ocr FROM documents WHERE id = ?", (identity,)).fetchone()
            arrival = Arrival(
                identity, document.file, document.kind, metadata, document.size, document.added, bool(ocr)
            )
            self._store.remember(arrival, original.read_bytes())
        return self.document(identity)

    def remove(self, identity: str) -> bool:
        """Delete a document with everything that came from it; whether there was one."""
        with self._store.writing() as connection:
            gone = connection.execute("DELETE FROM documents WHERE id = ?", (identity,)).rowcount
        self._store.forget(identity)
        return bool(gone)

    def reindex(
        self, identity: str, *, progress: Told | None = None, stop: Asked | None = None
    ) -> Added | Refused | None:
        """Read a document again from its file; None when there is none."""
        document = self.document(identity)
        if document is None:
            return None
        self._unread(identity)
        try:
            with FileLock(self._lock_path):
                return self._finish(identity, progress, stop, vectors=True)
        except Unreadable as error:
            return Refused(document.file, f"{document.file}: {error}")

    def search(
        self,
        question: str,
        filters: Filters = EVERYTHING,
        k: int = 10,
        *,
        share: float = DENSE_SHARE,
    ) -> tuple[Passage, ...]:
        """The k passages that answer a question best, best first. `share`: how much meaning counts, 0 (words) to 1."""
        index = self._current()
        if not question.strip() or not index.rows:
            return ()
        vector = self._vector(question) if index.by_meaning and share > 0 else None
        found = index.search(question, vector, filters, share)
        passages: list[Passage] = []
        for one in found.ranked:
            if len(passages) == k:
                break
            row = index.rows[one.place]
            document = index.documents.get(row.document)
            page = self.page(row.document, row.page) if document is not None else None
            if document is not None and page is not None:
                passages.append(_passage(document, page, one, index=index, question=question, found=found))
        return tuple(passages)

    def page(self, identity: str, number: int) -> Page | None:
        """A page of a document as it was read, by its number in the file; None when there is none."""
        try:
            return self._store.page(identity, number)
        except Damaged:
            self._unread(identity)
            return None

    def chunks(self, identity: str) -> tuple[Chunk, ...]:
        """All chunks of a document, in order."""
        return tuple(
            Chunk(row.number, row.page, row.start, row.end, row.kind, row.heading, self._text(row) or "", row.lead)
            for row in self._store.rows_of(identity)
        )

    def picture(self, identity: str, number: int, width: int = 900) -> bytes | None:
        """A page as a PNG image so many pixels wide; None for a document that has no pages to look at."""
        document = self.document(identity)
        if document is None or document.kind != "pdf":
            return None
        return picture_of(self._store.original(identity, "pdf"), number, width)

    def original(self, identity: str) -> Path | None:
        """The file a document came from, as it was added."""
        document = self.document(identity)
        return None if document is None else self._store.original(identity, document.kind)

    def bytes_used(self) -> int:
        """What the library takes on disk."""
        return self._store.bytes_used()

    # ------ adding

    def _bytes(self, source: Path | bytes, file: str) -> bytes:
        if isinstance(source, bytes):
            data = source
        else:
            try:
                size = source.stat().st_size
                data = source.read_bytes() if size <= self._limits.size else b""
            except OSError as error:
                raise Unreadable(f"it cannot be opened ({error.strerror or error}).") from error
            if size > self._limits.size:
                raise Unreadable(self._limits.too_large(size))
        if not data:
            raise Unreadable("the file is empty. Save or download it again.")
        if len(data) > self._limits.size:
            raise Unreadable(self._limits.too_large(len(data)))
        if not file.strip():
            raise Unreadable("it has no name.")
        return data

    def _again(
        self, known: Document, metadata: Metadata, progress: Told | None, stop: Asked | None, *, vectors: bool
    ) -> Added:
        if metadata != Metadata():
            with self._store.reading() as connection:
                (given,) = connection.execute("SELECT given FROM documents WHERE id = ?", (known.id,)).fetchone()
            self.describe(known.id, metadata.over(Metadata(**json.loads(given))))
        if vectors and known.state == "lexical":
            with suppress(_Stopped):
                self._embed(known.id, known.file, progress, stop)
        now = self.document(known.id) or known
        return Added(now, "unchanged", f"{known.file} is in the library already, the same to the byte.")

    def _finish(self, identity: str, progress: Told | None, stop: Asked | None, *, vectors: bool) -> Added | Refused:
        """Whatever is left to do of a document."""
        document = self.document(identity)
        if document is None:
            return Refused(identity, "The document was deleted.")
        outcome = "new"
        try:
            if document.state == "reading":
                self._read(document, progress, stop)
                if self._publish(document):
                    outcome = "replaced"
            if vectors:
                self._embed(identity, document.file, progress, stop)
        except Unreadable:
            self.remove(identity)
            raise
        except _Stopped:
            outcome = "stopped"
        now = self.document(identity)
        if now is None:
            return Refused(document.file, f"{document.file} was deleted while it was being read.")
        return Added(now, outcome, _sentence(now, outcome))  # type: ignore[arg-type]

    def _read(self, document: Document, progress: Told | None, stop: Asked | None) -> None:
        """Read the pages that are not read yet, storing them as they come."""
        path = self._store.original(document.id, document.kind)
        if not path.is_file():
            raise Unreadable("its file is gone from the library. Add it again.")
        with self._store.reading() as connection:
            (ocr,) = connection.execute("SELECT ocr FROM documents WHERE id = ?", (document.id,)).fetchone()
        notes: list[str] = []
        if ocr and document.kind == "pdf":
            try:
                path = readable_by_ocr(path)
            except Unreadable as error:
                # pages that have text are read all the same
                notes.append(f"Without OCR: {error}")
        waiting: list[Page] = []
        with read_pages(path, document.kind, self._limits, first=document.pages + 1) as reading:
            for page in reading:
                waiting.append(page)
                if len(waiting) >= _PAGES_AT_ONCE:
                    self._keep(document.id, waiting)
                    waiting = []
                if progress is not None:
                    progress(Progress(document.file, "pages", page.number, reading.of))
                if stop is not None and stop():
                    self._keep(document.id, waiting)
                    raise _Stopped
            self._keep(document.id, waiting)
            notes += reading.notes
        with self._store.writing(counts=False) as connection:
            connection.execute("UPDATE documents SET notes = ? WHERE id = ?", (json.dumps(notes), document.id))

    def _keep(self, identity: str, pages: Sequence[Page]) -> None:
        with self._store.writing(counts=False) as connection:
            if connection.execute("SELECT 1 FROM documents WHERE id = ?", (identity,)).fetchone() is None:
                raise _Stopped
            store.insert_pages(connection, identity, pages)

    def _publish(self, document: Document) -> bool:
        """Let a document that is read be found, in place of an older one of its name; whether there was one."""
        try:
            pages = self._store.pages(document.id)
        except Damaged:
            self._unread(document.id)
            raise Unreadable("what was read of it is damaged on the disk. Add it again.") from None
        pages = _labelled(pages)
        guessed = guessed_metadata(document.file, pages)
        title = document.metadata.over(guessed).title
        scanned = [page.label for page in pages if page.scanned]
        with self._store.reading() as connection:
            (known,) = connection.execute("SELECT notes FROM documents WHERE id = ?", (document.id,)).fetchone()
        notes = [*json.loads(known), *_notes(pages, scanned)]
        if not any(page.text.strip() for page in pages):
            raise Unreadable(_nothing_to_read(pages, scanned))
        with self._store.writing() as connection:
            if connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.id,)).fetchone() is None:
                raise _Stopped
            older = [
                identity
                for (identity,) in connection.execute(
                    "SELECT id FROM documents WHERE file = ? AND id <> ?", (document.file, document.id)
                )
            ]
            connection.executemany("DELETE FROM documents WHERE id = ?", [(identity,) for identity in older])
            connection.execute("DELETE FROM chunks WHERE document = ?", (document.id,))
            store.insert_pages(connection, document.id, pages)
            store.insert_chunks(connection, document.id, with_tokens(pages, title))
            connection.execute(
                "UPDATE documents SET state = 'lexical', guessed = ?, notes = ? WHERE id = ?",
                (json.dumps(asdict(guessed)), json.dumps(notes), document.id),
            )
        for identity in older:
            self._store.forget(identity)
        return bool(older)

    def _embed(self, identity: str, file: str, progress: Told | None, stop: Asked | None) -> None:
        """Make the vectors that are not made yet, a few at a time."""
        embedder = self._embedder()
        if embedder is None or self._model is None:
            return
        left = self._store.without_vector(self._model.name, identity)
        of = len(left)
        for at in range(0, of, _CHUNKS_AT_ONCE):
            if stop is not None and stop():
                raise _Stopped
            rows = left[at : at + _CHUNKS_AT_ONCE]
            vectors = embedder.vectors([meant(row.heading, self._text(row) or "", row.lead) for row in rows])
            with self._store.writing() as connection:
                if connection.execute("SELECT 1 FROM documents WHERE id = ?", (identity,)).fetchone() is None:
                    raise _Stopped
                store.insert_vectors(connection, self._model.name, identity, [row.number for row in rows], vectors)
            if progress is not None:
                progress(Progress(file, "vectors", min(at + _CHUNKS_AT_ONCE, of), of))
        with self._store.writing() as connection:
            connection.execute("UPDATE documents SET state = 'ready' WHERE id = ? AND state = 'lexical'", (identity,))

    def _unread(self, identity: str) -> None:
        """Take back what was read of a document: it is read again from its file by `resume`."""
        with self._store.writing() as connection:
            connection.execute("DELETE FROM chunks WHERE document = ?", (identity,))
            connection.execute("DELETE FROM pages WHERE document = ?", (identity,))
            connection.execute("UPDATE documents SET state = 'reading', notes = '[]' WHERE id = ?", (identity,))

    def _retitle(self, connection: sqlite3.Connection, identity: str, title: str) -> None:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        pages = self._store.pages(identity)
        for chunk, words in with_tokens(pages, title):
            row = Row(
                identity, chunk.number, chunk.page, chunk.start, chunk.end, chunk.kind, chunk.heading, chunk.lead,
                " ".join(words),
            )  # fmt: skip
            connection.execute(
                "UPDATE chunks SET tokens = ?, checksum = ? WHERE document = ? AND number = ?",
                (row.tokens, store.checksum_of(row), identity, chunk.number),
            )

    def _guessed(self, identity: str) -> Metadata:
        with self._store.reading() as connection:
            (guessed,) = connection.execute("SELECT guessed FROM documents WHERE id = ?", (identity,)).fetchone()
        return Metadata(**json.loads(guessed))

    # ------ searching

    def _current(self) -> Index:
        """The index of what is stored now; made again when that has changed, by one thread."""
        version = self._store.version()
        with self._guard:
            if self._index is None or self._index.version != version:
                self._index = self._load()
            return self._index

    def _load(self) -> Index:
        version, rows, damaged = self._store.rows()
        for identity in damaged:
            self._unread(identity)
        rows = [row for row in rows if row.document not in damaged]
        documents = {document.id: document for document in self.documents()}
        dense = None
        if self._model is not None:
            place_of = {(row.document, row.number): place for place, row in enumerate(rows)}
            pairs = [
                (place_of[document, number], vector)
                for document, number, vector in self._store.vectors(self._model.name, self._model.size)
                if (document, number) in place_of
            ]
            if pairs:
                dense = Dense([place for place, _ in pairs], np.stack([vector for _, vector in pairs]), len(rows))
        return Index(version, rows, documents, dense)

    def _text(self, row: Row) -> str | None:
        """The words of a chunk; None when its page is gone or damaged, which is then read again."""
        page = self.page(row.document, row.page)
        return None if page is None else page.text[row.start : row.end]

    def _embedder(self) -> Embedder | None:
        try:
            return self._model.load() if self._model is not None else None
        except EmbeddingMissing:
            return None

    def _vector(self, question: str) -> Vectors | None:
        embedder = self._embedder()
        return None if embedder is None else embedder.vectors([spelled_out(question)])[0]


def meant(heading: str, text: str, lead: str = "") -> str:
    """What of a chunk its vector is made from."""
    return "\n".join(part for part in (heading, lead, text) if part)


def chunk_tokens(title: str, chunk: Chunk, marks: Sequence[str] = ()) -> list[str]:
    """What of a chunk is found by words: the title and heading it stands under, and its own text."""
    return [*marks, *tokens("\n".join(part for part in (title, chunk.heading, chunk.whole) if part))]


def with_tokens(pages: Iterable[Page], title: str, heading: str = "") -> Iterable[tuple[Chunk, list[str]]]:
    """The chunks of a document's pages with what they are found by; `heading`: the one open where they begin."""
    first = 0
    for page in pages:
        marks = statement_marks(page.text)
        chunks = chunks_of(page, heading, first)
        for chunk in chunks:
            yield chunk, chunk_tokens(title, chunk, marks)
        heading, first = last_heading(page, heading), first + len(chunks)


def _passage(document: Document, page: Page, one: Ranked, *, index: Index, question: str, found: Found) -> Passage:
    row = index.rows[one.place]
    text = page.text[row.start : row.end]
    having = index.tokens_of(one.place)
    said = [word for word in dict.fromkeys(question.split()) if set(tokens(word)) & having]
    reasons = [f"has {len(said)} of the question's words: {', '.join(said[:6])}"] if said else []
    if one.dense is not None:
        reasons.append(f"likeness in meaning {one.dense:.2f}")
    if one.factor > 1:
        reasons.append("its document, period or statement is named")
    return Passage(
        document=document.id,
        file=document.file,
        title=document.title,
        page=row.page,
        label=page.label,
        heading=row.heading,
        text=f"{row.lead}\n{text}" if row.lead else text,
        span=(row.start, row.end),
        kind=row.kind,
        score=round(one.score, 6),
        lexical=round(one.lexical, 4),
        dense=None if one.dense is None else round(one.dense, 4),
        confidence=round(index.sureness(found, one.place), 4),
        reasons=tuple(reasons),
        missing=index.lacking(found, one.place),
        metadata=document.metadata,
        chunk=f"{row.document}:{row.number}",
    )


def _labelled(pages: Sequence[Page]) -> tuple[Page, ...]:
    labels = printed_labels(pages)
    return tuple(replace(page, label=label) for page, label in zip(pages, labels, strict=True))


def _notes(pages: Sequence[Page], scanned: Sequence[str]) -> list[str]:
    found = []
    if scanned:
        found.append(_scanned(scanned, len(pages)))
    found.extend(f"Page {page.label}: {page.note}" for page in pages if page.note and not page.scanned)
    return found[:20]


def _scanned(labels: Sequence[str], of: int) -> str:
    which = "Every page is" if len(labels) == of else f"{len(labels)} of {of} pages are"
    named = "" if len(labels) == of else f" ({', '.join(labels[:8])}{'…' if len(labels) > 8 else ''})"
    return f"{which} scanned: a picture without text, which is not searched{named}. Add it with OCR to read it."


def _nothing_to_read(pages: Sequence[Page], scanned: Sequence[str]) -> str:
    if not pages:
        return "it has no pages."
    if scanned:
        return "every page is scanned, a picture without text. Add it with OCR (ocrmypdf) to read it."
    return "no text was found in it."


def _sentence(document: Document, outcome: str) -> str:
    pages = f"{document.pages} page{'s' if document.pages != 1 else ''}"
    if outcome == "stopped":
        return f"{document.file}: stopped after {pages}. It goes on from there when it is resumed."
    chunks = f"{document.chunks} passage{'s' if document.chunks != 1 else ''}"
    replaced = ", in place of the older file of this name" if outcome == "replaced" else ""
    later = "" if document.state == "ready" else " Found by words; by meaning once its vectors are made."
    return " ".join((f"{document.file}: {pages}, {chunks}{replaced}.{later}", *document.notes))
