"""What a library keeps on disk: one SQLite file and the files themselves, always one consistent version.

    folder/library.sqlite      documents ─< pages, chunks ─< vectors; every row of the last three with a checksum
    folder/files/<id>.<kind>   the bytes as they were added, with their name and metadata beside them (<id>.json)

A document's chunks appear, and those of the file it replaces go, in one transaction. A row whose checksum is wrong is
never used: a vector is made again from its chunk, a page or chunk from the file. A database that cannot be opened
is set aside and everything is read again from the files.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rag.documents import Chunk, Document, Kind, Metadata, Page
from rag.embedding import Vectors
from rag.reading import page_from

SCHEMA = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS documents (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, file TEXT NOT NULL, kind TEXT NOT NULL,
    given TEXT NOT NULL, guessed TEXT NOT NULL, state TEXT NOT NULL, size INTEGER NOT NULL, added TEXT NOT NULL,
    notes TEXT NOT NULL, ocr INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
    document TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE, number INTEGER NOT NULL, body TEXT NOT NULL,
    checksum INTEGER NOT NULL, PRIMARY KEY (document, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunks (
    document TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE, number INTEGER NOT NULL, page INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, kind TEXT NOT NULL, heading TEXT NOT NULL, lead TEXT NOT NULL,
    tokens TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (document, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (
    document TEXT NOT NULL, number INTEGER NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (document, number, model),
    FOREIGN KEY (document, number) REFERENCES chunks(document, number) ON DELETE CASCADE) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Row:
    """A chunk as the index holds it: where it stands and its tokens; its text is fetched when it is shown."""

    document: str
    number: int
    page: int
    start: int
    end: int
    kind: Kind
    heading: str
    lead: str
    tokens: str


@dataclass(frozen=True)
class Arrival:
    """A file as it was added: what is needed to read it again. `size` in bytes, `added` an ISO time."""

    id: str
    file: str
    kind: str
    metadata: Metadata
    size: int
    added: str
    ocr: bool = False


class Damaged(Exception):
    """A stored row is not what was written: `document` has to be read again."""

    def __init__(self, document: str) -> None:
        super().__init__(f"What is stored of the document {document} is damaged and is made again from its file.")
        self.document = document


class Store:
    """The file and the folder. May be used by several threads and processes at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = folder / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self._path = folder / "library.sqlite"
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise
            self._set_aside()
            self._prepare()
            self._documents_from_files()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for questions."""
        connection = self._connect()
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def writing(self, *, counts: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or nothing. `counts`: what is searched changes, so that every index is renewed."""
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                if counts:
                    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'version'")
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
        finally:
            connection.close()

    def version(self) -> int:
        """A number that grows with every change of what is searched."""
        with self.reading() as connection:
            return int(connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()[0])

    def documents(self) -> tuple[Document, ...]:
        """All documents, in the order in which they came."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, file, kind, given, guessed, state, size, added, notes,"
                " (SELECT count(*) FROM pages WHERE document = id), (SELECT count(*) FROM chunks WHERE document = id),"
                " (SELECT count(*) FROM vectors WHERE document = id) FROM documents ORDER BY place"
            ).fetchall()
        return tuple(_document(row) for row in rows)

    def page(self, document: str, number: int) -> Page | None:
        """A page as it was read; None when there is none. Raises Damaged."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT body, checksum FROM pages WHERE document = ? AND number = ?", (document, number)
            ).fetchone()
        return None if row is None else _page(document, *row)

    def pages(self, document: str) -> tuple[Page, ...]:
        """All pages of a document that were read. Raises Damaged."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT body, checksum FROM pages WHERE document = ? ORDER BY number", (document,)
            ).fetchall()
        return tuple(_page(document, *row) for row in rows)

    def rows(self) -> tuple[int, list[Row], list[str]]:
        """The version, every chunk, and the documents some chunk of which is damaged."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            version = int(connection.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()[0])
            fetched = connection.execute(
                "SELECT document, number, page, start, stop, chunks.kind, heading, lead, tokens, checksum FROM chunks"
                " JOIN documents ON id = document ORDER BY place, number"
            ).fetchall()
            connection.execute("COMMIT")
        good, damaged = [], []
        for *values, checksum in fetched:
            row = Row(*values)
            if checksum_of(row) == checksum:
                good.append(row)
            else:
                damaged.append(row.document)
        return version, good, sorted(set(damaged))

    def vectors(self, model: str, size: int) -> Iterator[tuple[str, int, Vectors]]:
        """Each vector a model made that is as it was written; the others are dropped, to be made again."""
        with self.reading() as connection:
            fetched = connection.execute(
                "SELECT document, number, CAST(vector AS BLOB), checksum FROM vectors WHERE model = ?", (model,)
            ).fetchall()
        broken = []
        for document, number, blob, checksum in fetched:
            if len(blob) == 4 * size and zlib.crc32(blob) == checksum:
                yield document, number, np.frombuffer(blob, np.float32)
            else:
                broken.append((document, number, model))
        if broken:
            with self.writing() as connection:
                connection.executemany("DELETE FROM vectors WHERE document = ? AND number = ? AND model = ?", broken)
                connection.executemany(
                    "UPDATE documents SET state = 'lexical' WHERE id = ? AND state = 'ready'",
                    [row[:1] for row in broken],
                )

    def rows_of(self, document: str) -> list[Row]:
        """The chunks of a document, in order."""
        with self.reading() as connection:
            fetched = connection.execute(
                "SELECT document, number, page, start, stop, kind, heading, lead, tokens FROM chunks"
                " WHERE document = ? ORDER BY number",
                (document,),
            ).fetchall()
        return [Row(*values) for values in fetched]

    def without_vector(self, model: str, document: str) -> list[Row]:
        """The chunks of a document this model has not read yet."""
        with self.reading() as connection:
            fetched = connection.execute(
                "SELECT document, number, page, start, stop, kind, heading, lead, tokens FROM chunks c"
                " WHERE document = ?"
                " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.document = c.document AND v.number = c.number"
                " AND v.model = ?) ORDER BY number",
                (document, model),
            ).fetchall()
        return [Row(*values) for values in fetched]

    def remember(self, arrival: Arrival, data: bytes) -> None:
        """Keep a file's bytes, with what is needed to read it again."""
        for path, content in (
            (self.original(arrival.id, arrival.kind), data),
            (self.files / f"{arrival.id}.json", json.dumps(asdict(arrival)).encode()),
        ):
            fresh = path.with_name(path.name + ".new")
            fresh.write_bytes(content)
            fresh.replace(path)

    def original(self, identity: str, kind: str) -> Path:
        """Where a document's own file is kept."""
        return self.files / f"{identity}.{kind}"

    def forget(self, identity: str) -> None:
        """Remove a document's files."""
        for path in self.files.glob(f"{identity}.*"):
            path.unlink(missing_ok=True)

    def bytes_used(self) -> int:
        """What the library takes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _prepare(self) -> None:
        with self.reading() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("damaged")
            connection.executescript(_TABLES)
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('version', 0), ('schema', ?)", (SCHEMA,))

    def _set_aside(self) -> None:
        for ending in ("", "-wal", "-shm"):
            path = self._path.with_name(self._path.name + ending)
            if path.exists():
                path.replace(path.with_name(f"damaged-{path.name}"))

    def _documents_from_files(self) -> None:
        arrivals = []
        for path in self.files.glob("*.json"):
            try:
                known = json.loads(path.read_text(encoding="utf-8"))
                arrival = Arrival(**{**known, "metadata": Metadata(**known["metadata"])})
            except (ValueError, KeyError, TypeError):
                continue
            if self.original(arrival.id, arrival.kind).is_file():
                arrivals.append(arrival)
        with self.writing() as connection:
            for arrival in sorted(arrivals, key=lambda arrival: arrival.added):
                insert_document(connection, arrival)


def insert_document(connection: sqlite3.Connection, arrival: Arrival) -> None:
    """A document whose pages are yet to be read."""
    connection.execute(
        "INSERT INTO documents (id, file, kind, given, guessed, state, size, added, notes, ocr)"
        " VALUES (?, ?, ?, ?, '{}', 'reading', ?, ?, '[]', ?)",
        (
            arrival.id, arrival.file, arrival.kind, json.dumps(asdict(arrival.metadata)), arrival.size, arrival.added,
            int(arrival.ocr),
        ),
    )  # fmt: skip


def insert_pages(connection: sqlite3.Connection, document: str, pages: Iterable[Page]) -> None:
    """Pages as they were read."""
    bodies = ((page.number, json.dumps(asdict(page), ensure_ascii=False)) for page in pages)
    connection.executemany(
        "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)",
        [(document, number, body, zlib.crc32(body.encode("utf-8", "surrogatepass"))) for number, body in bodies],
    )


def insert_chunks(connection: sqlite3.Connection, document: str, chunks: Iterable[tuple[Chunk, Sequence[str]]]) -> None:
    """Chunks with their tokens."""
    rows = (
        Row(document, one.number, one.page, one.start, one.end, one.kind, one.heading, one.lead, " ".join(tokens))
        for one, tokens in chunks
    )
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(*vars(row).values(), checksum_of(row)) for row in rows],
    )


def insert_vectors(
    connection: sqlite3.Connection, model: str, document: str, numbers: Sequence[int], vectors: Vectors
) -> None:
    """Vectors a model made of chunks."""
    blobs = [np.ascontiguousarray(vector, np.float32).tobytes() for vector in vectors]
    connection.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)",
        [(document, number, model, blob, zlib.crc32(blob)) for number, blob in zip(numbers, blobs, strict=True)],
    )


def checksum_of(row: Row) -> int:
    """The checksum of a stored chunk."""
    return zlib.crc32("\x1f".join(map(str, vars(row).values())).encode("utf-8", "surrogatepass"))


def _document(row: Sequence[Any]) -> Document:
    identity, file, kind, given, guessed, state, size, added, notes, pages, chunks, embedded = row
    metadata = Metadata(**json.loads(given)).over(Metadata(**json.loads(guessed)))
    return Document(
        identity, file, kind, metadata, state, pages, chunks, embedded, size, added, tuple(json.loads(notes))
    )


def _page(document: str, body: str, checksum: int) -> Page:
    if zlib.crc32(body.encode("utf-8", "surrogatepass")) != checksum:
        raise Damaged(document)
    return page_from(json.loads(body))
