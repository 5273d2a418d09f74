"""Which book is open: the one a request names, the one last chosen, or the one the settings name.

Uploaded, sample and blank books live in `home/workbooks`; a book of the user's own stays where it is. How a workbook in
another layout is read is remembered by its path, once a person has confirmed it.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from agent.clock import Clock
from agent.settings import Settings
from agent.store import Store
from ledger.entries import Book, BookExists, BookRefused
from ledger.foreign import TableMapping, open_book
from ledger.store import BookStore
from ledger.template import blank_book, sample_book
from ledger.workbook import Workbook

CURRENT = "book"
SAMPLE = "Sample.xlsx"
HIDDEN = "books off the list"
MADE = "books made here"


class Books:
    """The books this workbench has open, one BookStore a file."""

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._folder = settings.home / "workbooks"
        self._open: dict[Path, BookStore] = {}
        chosen = store.preference(CURRENT) or settings.book
        self._current = self.at(Path(chosen)) if chosen else None

    def at(self, path: Path) -> BookStore:
        """The store of the book at a path, whether or not the file is there."""
        path = path.expanduser().resolve()
        if path not in self._open:
            self._open[path] = BookStore(path, self._settings.home, self._clock, self._reader(path))
        return self._open[path]

    def current(self) -> BookStore | None:
        """The last chosen book, otherwise that of the settings, otherwise none."""
        return self._current

    def choose(self, path: Path) -> BookStore:
        """Make a file the current book. Raises BookRefused when it cannot be read as one, of it OtherLayout when nobody
        has confirmed yet how it is read.
        """
        book = self.at(path)
        book.read()
        self._current = book
        self._store.prefer(CURRENT, str(book.path))
        self._remember(HIDDEN, self._names(HIDDEN) - {str(book.path)})
        return book

    def listed(self) -> tuple[Path, ...]:
        """The open book, that of the settings, and those kept in the home folder, without those taken off the list."""
        kept = sorted(self._folder.glob("*.xlsx"))
        current = self._current.path if self._current else None
        candidates = [current, self._settings.book, *kept]
        found = dict.fromkeys(path.expanduser().resolve() for path in candidates if path)
        hidden = self._names(HIDDEN)
        return tuple(path for path in found if path.is_file() and str(path) not in hidden)

    def forget(self, path: Path) -> None:
        """Take a book off the list; the open one is closed by it. Its file stays."""
        path = path.expanduser().resolve()
        self._remember(HIDDEN, self._names(HIDDEN) | {str(path)})
        if self._current is not None and self._current.path == path:
            self._current = None
            self._store.forget_preference(CURRENT)

    def is_made_here(self, path: Path) -> bool:
        """Whether a file is a sample or blank book that Munshi made."""
        path = path.expanduser().resolve()
        return path.parent == self._folder.resolve() and (path.name == SAMPLE or str(path) in self._names(MADE))

    def delete(self, path: Path) -> None:
        """Delete a book that Munshi made. Raises BookRefused for any other, and when the file cannot be deleted."""
        path = path.expanduser().resolve()
        if not self.is_made_here(path):
            raise BookRefused(f"{path.name} is your own file. It is taken off the list, never deleted.")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise BookRefused(f"{path.name} cannot be deleted: {error.strerror}.") from error
        self.forget(path)
        self._remember(HIDDEN, self._names(HIDDEN) - {str(path)})
        self._remember(MADE, self._names(MADE) - {str(path)})
        self._open.pop(path, None)

    def unsaved(self, path: Path) -> dict[str, str]:
        """What was typed and not saved, by visit."""
        beginning = _unsaved_as(path)
        kept = self._store.preferences_like(beginning)
        return {name.removeprefix(beginning): value for name, value in kept}

    def keep_unsaved(self, path: Path, visit: str, text: str) -> None:
        """Keep what a visit typed; an empty text forgets it."""
        name = _unsaved_as(path) + visit[:24]
        if text:
            self._store.prefer(name, text)
        else:
            self._store.forget_preference(name)

    def _names(self, of: str) -> frozenset[str]:
        try:
            return frozenset(json.loads(self._store.preference(of) or "[]"))
        except ValueError:
            return frozenset()

    def _remember(self, of: str, names: frozenset[str]) -> None:
        if names != self._names(of):
            self._store.prefer(of, json.dumps(sorted(names)))

    def add(self, data: bytes, name: str, mapping: TableMapping | None = None) -> Path:
        """Keep an uploaded file, once it is seen to be a book, under its own name or a free one beside it.

        `mapping` is how a workbook in another layout is read, confirmed by a person. Raises as `choose`.
        """
        open_book(Workbook(data, name), mapping)
        return self._keep(data, name, mapping)

    def confirm(self, path: Path, mapping: TableMapping) -> BookStore:
        """Remember how the workbook at a path is read, and make it the current book."""
        path = path.expanduser().resolve()
        self._store.prefer(_remembered_as(path), mapping.model_dump_json())
        self._open.pop(path, None)  # it may hold the book as it was read before
        return self.choose(path)

    def sample(self) -> Path:
        """The sample book; made when it is not there yet."""
        path = self._folder / SAMPLE
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(sample_book(self._clock().date()))
        return self.choose(path).path

    def blank(self, year: int | None) -> Path:
        """A blank book of a year, this one when none is given. Raises BookExists when there is one of its name."""
        there = self._folder / f"Budget_{year or self._clock().date().year}.xlsx"
        if there.exists():
            raise BookExists(there)
        return self.another_blank(year)

    def another_blank(self, year: int | None) -> Path:
        """A blank book of a year, under a free name."""
        today = self._clock().date()
        year = year or today.year
        path = self._keep(blank_book(year, today), f"Budget_{year}.xlsx")
        self._remember(MADE, self._names(MADE) | {str(path)})
        return path

    def _reader(self, path: Path) -> Callable[[Workbook], Book]:
        return lambda workbook: open_book(workbook, self._mapping(path))

    def _mapping(self, path: Path) -> TableMapping | None:
        kept = self._store.preference(_remembered_as(path))
        try:
            return TableMapping.model_validate_json(kept) if kept else None
        except ValidationError:
            return None  # of another version of Munshi: it is asked about again

    def _keep(self, data: bytes, name: str, mapping: TableMapping | None = None) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w .()-]+", "_", Path(name).stem).strip(" .") or "Book"
        number = 1
        while True:
            path = self._folder / (f"{stem}.xlsx" if number == 1 else f"{stem} ({number}).xlsx")
            try:
                with path.open("xb") as file:
                    file.write(data)
            except FileExistsError:
                number += 1
                continue
            return (self.confirm(path, mapping) if mapping else self.choose(path)).path


def _unsaved_as(path: Path) -> str:
    return f"typed {hashlib.sha256(str(path).encode()).hexdigest()[:16]} "


def _remembered_as(path: Path) -> str:
    return f"tables {hashlib.sha256(str(path).encode()).hexdigest()[:40]}"
