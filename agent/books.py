"""Which book is open: the one a request names, the one last chosen, or the one the settings name.

Uploaded, sample and blank books live in `home/workbooks`; a book of the user's own stays where it is.
"""

import re
from pathlib import Path

from agent.clock import Clock
from agent.settings import Settings
from agent.store import Store
from ledger.book import read_book
from ledger.store import BookStore
from ledger.template import blank_book, sample_book
from ledger.workbook import Workbook

CURRENT = "book"


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
            self._open[path] = BookStore(path, self._settings.home, self._clock)
        return self._open[path]

    def current(self) -> BookStore | None:
        """The last chosen book, otherwise that of the settings, otherwise none."""
        return self._current

    def choose(self, path: Path) -> BookStore:
        """Make a file the current book. Raises BookRefused when it cannot be read as one."""
        book = self.at(path)
        book.read()
        self._current = book
        self._store.prefer(CURRENT, str(book.path))
        return book

    def add(self, data: bytes, name: str) -> Path:
        """Keep an uploaded file, once it is seen to be a book, under its own name or a free one beside it."""
        workbook = Workbook(data, name)
        read_book(workbook)
        return self._keep(data, name)

    def sample(self) -> Path:
        """The sample book; made when it is not there yet."""
        path = self._folder / "Sample.xlsx"
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(sample_book(self._clock().date()))
        return self.choose(path).path

    def blank(self, year: int | None) -> Path:
        """A blank book of a year, this one when none is given."""
        today = self._clock().date()
        year = year or today.year
        data = blank_book(year, today)
        return self._keep(data, f"Budget_{year}.xlsx")

    def _keep(self, data: bytes, name: str) -> Path:
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
            return self.choose(path).path
