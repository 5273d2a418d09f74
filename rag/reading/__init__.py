"""A file read page by page, in a process of its own with limits of time and memory.

with read_pages(path, "pdf", DEFAULT_LIMITS) as reading:
    for page in reading: …          reading.of, reading.notes

parent ─► python -m rag.reading.child ─► a line of JSON a page
   └ a page that takes too long or breaks the child is named in its note, and the next one is read by a new child
"""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from rag.documents import Heading, LineBox, Page, Table, Unreadable
from rag.reading.kinds import kind_of
from rag.reading.ocr import readable_by_ocr

__all__ = ["DEFAULT_LIMITS", "Limits", "Reading", "kind_of", "read_pages", "readable_by_ocr"]

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Limits:
    """How much of a file is read: bytes, pages, characters of a page and of all, seconds of a page and of all."""

    size: int = 200_000_000
    pages: int = 5000
    page_characters: int = 200_000
    characters: int = 30_000_000
    page_seconds: float = 30.0
    seconds: float = 1800.0
    memory: int = 3_000_000_000
    failures: int = 5
    """pages that may break their reader before the file is given up"""

    def too_large(self, size: int) -> str:
        """What to say of a file of so many bytes."""
        return (
            f"it has {size / 1e6:,.0f} MB, and at most {self.size / 1e6:,.0f} MB are read. Split it and add the parts."
        )


DEFAULT_LIMITS = Limits()


def read_pages(path: Path, kind: str, limits: Limits = DEFAULT_LIMITS, first: int = 1) -> "Reading":
    """The pages of a file from `first` on. Iterating raises Unreadable when the file cannot be read at all."""
    return Reading(path, kind, limits, first)


class Reading:
    """The pages of a file as they come. `of` is how many there are, known with the first."""

    def __init__(self, path: Path, kind: str, limits: Limits, first: int) -> None:
        self.of = 0
        self.notes: list[str] = []
        self._path, self._kind, self._limits, self._next = path, kind, limits, first
        self._child: _Child | None = None

    def __enter__(self) -> "Reading":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def __iter__(self) -> Iterator[Page]:
        until, characters, failures = time.monotonic() + self._limits.seconds, 0, 0
        while True:
            if self._child is None:
                self._child = _Child(self._path, self._kind, self._limits, self._next)
            told = self._child.told(min(self._limits.page_seconds, until - time.monotonic()))
            match told:
                case {"of": int() as of}:
                    self.of = min(of, self._limits.pages)
                    if of > self.of:
                        self.notes.append(f"Only the first {self.of:,} of {of:,} pages were read.")
                case {"page": page}:
                    read = page_from(page)
                    characters += len(read.text)
                    self._next = read.number + 1
                    yield read
                    if characters > self._limits.characters:
                        self.notes.append(f"Reading ended at page {read.number}: it has more text than is kept.")
                        return
                case {"end": True}:
                    return
                case {"refused": str() as sentence}:
                    raise Unreadable(sentence)
                case _:
                    self._end()
                    failures += 1
                    if time.monotonic() >= until:
                        self._gave_up("it takes too long to read", self._next)
                        return
                    if not self.of or failures > self._limits.failures:
                        self._gave_up("its pages cannot be read: the file is damaged or far too large", self._next)
                        return
                    why = "took too long to read" if told is None else "could not be read"
                    yield Page(self._next, str(self._next), "", note=f"The page {why}.")
                    self._next += 1
                    if self._next > self.of:
                        return

    def _gave_up(self, why: str, page: int) -> None:
        if page == 1 or not self.of:
            raise Unreadable(f"{why}.")
        self.notes.append(f"Reading ended before page {page}: {why}.")

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class _Child:
    """The process that reads, and what it has told."""

    def __init__(self, path: Path, kind: str, limits: Limits, first: int) -> None:
        given = json.dumps(
            {
                "path": str(path.resolve()),
                "kind": kind,
                "first": first,
                "pages": limits.pages,
                "characters": limits.page_characters,
                "memory": limits.memory,
                "seconds": limits.seconds,
            }
        )
        self._process = subprocess.Popen(  # noqa: S603  our own module, the file's name is one argument of JSON
            [sys.executable, "-m", "rag.reading.child", given],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
        )
        # a full queue stops the child at a page boundary, so that a slow disk does not fill the memory
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._ended = threading.Event()
        self._pump = threading.Thread(target=self._read, daemon=True)
        self._pump.start()

    def told(self, seconds: float) -> dict[str, Any] | None:
        """The next thing it tells; {} when it broke, None when it took longer."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.01))
        except queue.Empty:
            return None
        try:
            told = json.loads(line)
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}

    def end(self) -> None:
        """Stop it, whatever it does."""
        self._ended.set()
        self._process.kill()
        self._process.wait()
        self._pump.join(5)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101  it was opened with a pipe
        for line in self._process.stdout:
            if not self._put(line):
                return
        self._put(b"")

    def _put(self, line: bytes) -> bool:
        while not self._ended.is_set():
            try:
                self._lines.put(line, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False


def page_from(known: dict[str, Any]) -> Page:
    """A page from its fields as JSON has them."""
    return Page(
        known["number"],
        known["label"],
        known["text"],
        tuple(Heading(**heading) for heading in known["headings"]),
        tuple(Table(**table) for table in known["tables"]),
        tuple(LineBox(**line) for line in known["lines"]),
        known["note"],
        known["scanned"],
    )
