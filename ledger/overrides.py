"""What a person said of one book and what no cell of it holds: unread cells set aside, differences accepted.

    Overrides.applied(book) ──► the same book, its ignored issues aside, its differences accepted or not

An ignored cell is known by its place and by what it reads: when either changes it is an issue again. Differences are
known by mode and amount, so that an accepted one stays accepted while rows are added, and not once it changes.
"""

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ledger.entries import Book, BookRefused, Difference, Issue

FILE = "overrides.json"


@dataclass(frozen=True)
class _Said:
    """The file's content."""

    ignored: frozenset[tuple[str, str]] = frozenset()
    """cell, and what it reads"""
    accepted: str = ""
    """the print of the differences that were accepted"""


class Overrides:
    """The overrides of one book, in Munshi's folder of it. Threads and processes may share them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._guard = threading.Lock()
        self._read: tuple[tuple[int, int], _Said] | None = None

    def state(self) -> object:
        """Equal for as long as nothing else was said; can be a key."""
        return self._said()

    def applied(self, book: Book) -> Book:
        """The book with what was said of it."""
        said = self._said()
        if said == _Said():
            return book
        ignored = tuple(issue for issue in book.issues if (issue.cell, issue.reads) in said.ignored)
        accepted = bool(book.differences) and said.accepted == print_of(book.differences)
        if not ignored and not accepted:
            return book
        return replace(
            book,
            issues=tuple(issue for issue in book.issues if issue not in ignored),
            ignored=ignored,
            differences_accepted=accepted,
        )

    def ignore(self, issue: Issue) -> None:
        """Set a cell aside for as long as it reads what it reads. Raises BookRefused when that cannot be kept."""
        said = self._said()
        self._keep(replace(said, ignored=said.ignored | {(issue.cell, issue.reads)}))

    def show_again(self, issue: Issue) -> None:
        """Count a cell among the issues again."""
        said = self._said()
        self._keep(replace(said, ignored=said.ignored - {(issue.cell, issue.reads)}))

    def accept(self, differences: Iterable[Difference]) -> None:
        """Let the book be written although it differs exactly so."""
        self._keep(replace(self._said(), accepted=print_of(differences)))

    def _said(self) -> _Said:
        with self._guard:
            try:
                found = self._path.stat()
                stamp = (found.st_mtime_ns, found.st_size)
                if self._read is None or self._read[0] != stamp:
                    record = json.loads(self._path.read_text(encoding="utf-8"))
                    ignored = frozenset((str(cell), str(reads)) for cell, reads in record["ignored"])
                    self._read = (stamp, _Said(ignored, str(record["accepted"])))
            except FileNotFoundError:
                return _Said()
            except (OSError, ValueError, KeyError, TypeError):
                return _Said()  # nothing said: every issue is shown and writing waits, which loses nothing
            return self._read[1]

    def _keep(self, said: _Said) -> None:
        record = {"ignored": sorted(said.ignored), "accepted": said.accepted}
        new = self._path.with_suffix(".tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
            new.chmod(0o600)
            new.replace(self._path)
        except OSError as error:
            raise BookRefused(
                f"Munshi cannot keep that in {self._path.parent}: {error.strerror}. Nothing was changed."
            ) from error
        with self._guard:
            self._read = None


def print_of(differences: Iterable[Difference]) -> str:
    """What stands for these differences: the modes and by how much each is off, wherever that is carried to."""
    found = sorted({(each.mode, _off(each)) for each in differences})
    return sha256(json.dumps(found).encode()).hexdigest()


def _off(each: Difference) -> str:
    return each.shows if isinstance(each.shows, str) else f"{each.shows - each.rows_give:.2f}"
