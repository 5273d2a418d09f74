"""A file that is only ever replaced whole, exactly once for each request, and never over somebody else's change.

It knows bytes and hashes and nothing of what a book means. A replacement goes

    lock ► settle what a crash left ► seen this request? its first outcome ► open elsewhere? refuse
      ► read, hash ► build(bytes) -> new bytes
      ► journal: intent ► keep the old bytes as a version ► temporary file beside it, synced, read back
      ► still the file that was read? ► rename over it ► sync the folder ► journal: done

so that a kill at any instant leaves the old file or the new one, and the next start knows which by its hash. Everything
but the temporary file lies in the file's own folder in Munshi's home: lock, journal.jsonl, versions/.

    BookRefused (ledger.entries)   the message says what to do
      ├─ BookMissing               there is no such file
      ├─ BookBusy                  somebody has it open, or is writing: try again
      ├─ BookChanged               it is not the book that was shown: look, and confirm again
      └─ RequestReused             this request id has already asked for something else
"""

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout

from ledger.entries import BookRefused
from ledger.journal import Facts, Journal, JournalLine, sync_folder

LOCK_SECONDS = 5.0
VERSIONS_KEPT = 50
ATTEMPTS = 3


class BookMissing(BookRefused):
    """There is no file at the book's path."""


class BookBusy(BookRefused):
    """Another program has the book open, or another window is writing to it; nothing was changed."""


class BookChanged(BookRefused):
    """The book is no longer the one that was shown; nothing was written over the change."""


class RequestReused(BookRefused):
    """A request id came again asking for something else; nothing was done."""


@dataclass(frozen=True)
class Content:
    """A file's bytes and their SHA-256; no bytes and an empty hash when there is no file."""

    data: bytes
    sha256: str


@dataclass(frozen=True)
class Change:
    """The bytes that shall stand in the file, and what its journal line says of them."""

    data: bytes
    facts: Facts


@dataclass(frozen=True)
class Version:
    """Bytes the book once held, kept before they were replaced."""

    sha256: str
    at: datetime
    """when they were replaced"""
    why: str
    """by what: `1 row: GROCERIES 500.00`"""
    size: int
    """bytes"""


class DurableFile:
    """One file, its lock, its journal and its versions. Threads and processes may share it."""

    def __init__(self, path: Path, home: Path, clock: Callable[[], datetime]) -> None:
        self.path = Path(os.path.realpath(path))  # a link stays a link: what it points to is replaced
        self._beside = {path.absolute().parent, self.path.parent}
        self._clock = clock
        key = sha256(str(self.path).encode()).hexdigest()[:12]
        self.folder = home / "books" / f"{self.path.stem[:60]}-{key}"
        self.journal = Journal(self.folder / "journal.jsonl")
        own = sha256(str(self.folder.absolute()).encode()).hexdigest()[:12]
        self._temporary = self.path.parent / f".munshi-{own}.tmp"
        self._guard = threading.Lock()
        self._seen: tuple[tuple[int, ...], Content] | None = None

    def read(self) -> Content:
        """The file as it is, after settling a write that a crash cut off. Not read again while it is untouched.

        Raises BookMissing, BookRefused when it cannot be read, and once BookChanged when an unfinished write and
        somebody's change met.
        """
        if self.journal.unfinished():
            with suppress(BookBusy), self._locked(0):  # busy: the writer is alive, and what stands there is whole
                self._settle()
        return self._content()

    def replace(
        self,
        *,
        request: str,
        content: str,
        who: str,
        build: Callable[[Content], Change],
        may_be_missing: bool = False,
    ) -> JournalLine:
        """Put what `build` makes of the file in its place; the same request again gives the first time's line.

        `build` is called under the lock, again when the file changed meanwhile, and what it raises passes through
        with nothing changed. `content` is a hash of what is asked for.
        """
        with self._locked(LOCK_SECONDS):
            self._settle()
            if delivered := self._delivered(request, content):
                return delivered
            self.refuse_if_open()
            for _ in range(ATTEMPTS):
                current = self._writable(may_be_missing=may_be_missing)
                change = build(current)
                line = JournalLine(
                    request=request,
                    content=content,
                    who=who,
                    at=self._clock(),
                    before=current.sha256,
                    after=sha256(change.data).hexdigest(),
                    facts=change.facts,
                )
                if done := self._swap(current, change.data, line):
                    self._prune()
                    return done
            raise BookChanged(
                f"{self.path.name} keeps being changed by another program. Nothing was written; try again in a moment."
            )

    def saved_at(self) -> datetime:
        """When the file was last saved, by whatever program: local time. Raises BookMissing."""
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime)  # noqa: DTZ006 -- local, as the clock's times
        except FileNotFoundError as error:
            raise BookMissing(f"{self.path.name} is not in {self.path.parent} any more.") from error

    def versions(self) -> tuple[Version, ...]:
        """The bytes kept from before each write, newest first."""
        try:
            kept = {Path(file.name).stem: file.stat().st_size for file in os.scandir(self.folder / "versions")}
        except FileNotFoundError:
            return ()
        found: dict[str, Version] = {}
        for line in reversed(self.journal.lines()):
            if line.before in kept and line.before not in found:
                found[line.before] = Version(line.before, line.at, line.facts.what, kept[line.before])
        return tuple(found.values())

    def version(self, sha: str) -> bytes:
        """A kept version's bytes. Raises BookRefused when it is not kept (any more) or damaged."""
        try:
            kept = self._version(sha).read_bytes()
        except OSError as error:
            raise BookRefused("That version of the book is not kept any more; choose another one.") from error
        if sha256(kept).hexdigest() != sha:
            raise BookRefused("That version of the book was damaged on the disk; choose another one.")
        return kept

    @contextmanager
    def _locked(self, seconds: float) -> Iterator[None]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = FileLock(self.folder / "lock", timeout=seconds, poll_interval=0.02)
            lock.acquire()
        except Timeout as busy:
            raise BookBusy(
                f"Another window of Munshi is writing to {self.path.name}. Nothing was changed; try again in a moment."
            ) from busy
        except OSError as error:
            raise self._refusal(error) from error
        try:
            yield
        except OSError as error:
            raise self._refusal(error) from error
        finally:
            lock.release()

    def _settle(self) -> None:
        """Find out what became of a write that was cut off, by the hash of what stands there now."""
        self._temporary.unlink(missing_ok=True)
        line = self.journal.unfinished()
        if line is None:
            return
        try:
            now = self._content().sha256
        except BookMissing:
            now = ""
        if now == line.after:
            self.journal.conclude(line, "done", self._clock())
        elif now == line.before:
            self.journal.conclude(line, "aborted", self._clock())
        else:
            raise self._conflict(self.journal.conclude(line, "conflict", self._clock()))

    def _conflict(self, line: JournalLine) -> BookChanged:
        where = f" ({', '.join(cell.partition('#')[2] for cell in line.facts.cells)})" if line.facts.cells else ""
        return BookChanged(
            f"Munshi was stopped while saving {line.facts.what}{where}, and {self.path.name} has been changed or moved "
            "by another program since. Look in the book whether it is there before saving it again."
        )

    def _delivered(self, request: str, content: str) -> JournalLine | None:
        line = self.journal.find(request)
        if line is None:
            return None
        if line.content != content:
            raise RequestReused(
                "This request was already used for something else. Nothing was done; send it as a new one."
            )
        if line.outcome in ("conflict", "pending"):
            raise self._conflict(line)
        return line if line.outcome == "done" else None

    def refuse_if_open(self) -> None:
        """Raises BookBusy, naming who has it open, when another program has the file open."""
        for folder in self._beside:
            for lock_file, program in (
                (folder / f"~${self.path.name}", "Excel"),
                (folder / f"~${self.path.name[2:]}", "Excel"),
                (folder / f".~lock.{self.path.name}#", "LibreOffice"),
            ):
                if _stands(lock_file):
                    who = _owner(lock_file)
                    raise BookBusy(
                        f"{self.path.name} is open in {program}{f' by {who}' if who else ''}. Close it there and "
                        f"confirm again; if nobody has it open, delete {lock_file.name} beside it."
                    )

    def _content(self) -> Content:
        try:
            found = self.path.stat()
            if not stat.S_ISREG(found.st_mode):
                raise BookRefused(f"{self.path.name} is not a file any more but a folder or device; put the book back.")
            mark = _mark(found)
            with self._guard:
                if self._seen and self._seen[0] == mark:
                    return self._seen[1]
            content = self._read()
        except FileNotFoundError as error:
            raise BookMissing(
                f"{self.path.name} is not in {self.path.parent}. Put it back there, or choose where it is now."
            ) from error
        except OSError as error:
            raise BookRefused(f"{self.path.name} cannot be read: {error.strerror}.") from error
        with self._guard:
            self._seen = (mark, content)
        return content

    def _read(self) -> Content:
        read = self.path.read_bytes()
        return Content(read, sha256(read).hexdigest())

    def _writable(self, *, may_be_missing: bool) -> Content:
        """The file read afresh, whatever was cached, if it may be replaced."""
        folder = self.path.parent
        with self._guard:
            self._seen = None
        try:
            content = self._content()
        except BookMissing:
            if not may_be_missing or not folder.is_dir():
                raise
            content = Content(b"", "")
        else:
            # Root may write to anything; a person who took the write bits away meant it.
            if not self.path.stat().st_mode & 0o222 or not os.access(self.path, os.W_OK):
                raise BookRefused(f"{self.path.name} is read-only. Allow writing to it and confirm again.")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise BookRefused(f"Munshi may not write in {folder}, so {self.path.name} was left as it is.")
        return content

    def _swap(self, current: Content, new: bytes, line: JournalLine) -> JournalLine | None:
        """Journal, keep, write and rename; None when the file turned out to be another than `current`."""
        try:
            self.journal.intend(line)
            if current.sha256:
                self._keep(current)
            self._write_temporary(new, line.after, is_new=not current.sha256)
            if not self._is_still(current):
                self._temporary.unlink()
                self.journal.conclude(line, "aborted", self._clock())
                return None
            self._temporary.replace(self.path)
        except BaseException:
            # Where even this fails (a full disk), the intent stays and the file's hash settles it at the next start.
            with suppress(OSError):
                self._temporary.unlink(missing_ok=True)
                if self._is_still(current):
                    self.journal.conclude(line, "aborted", self._clock())
            raise
        sync_folder(self.path.parent)
        with suppress(OSError):  # likewise: the book is written, and the next start says so
            return self.journal.conclude(line, "done", self._clock())
        return line

    def _keep(self, content: Content) -> None:
        kept = self._version(content.sha256)
        if kept.exists() and kept.stat().st_size == len(content.data):
            return
        kept.parent.mkdir(exist_ok=True, mode=0o700)
        half = kept.parent / "half.tmp"
        _write_synced(half, content.data, 0o600)
        half.replace(kept)
        sync_folder(kept.parent)

    def _version(self, sha: str) -> Path:
        return self.folder / "versions" / f"{Path(sha).name}{self.path.suffix}"

    def _write_temporary(self, new: bytes, expected: str, *, is_new: bool) -> None:
        mode = 0o644
        owner = None
        if not is_new:
            found = self.path.stat()
            mode, owner = stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid)
        self._temporary.unlink(missing_ok=True)
        _write_synced(self._temporary, new, mode)
        if owner and os.name == "posix":
            with suppress(PermissionError):  # only root may give a file away, and only root needs to
                os.chown(self._temporary, *owner)
        if sha256(self._temporary.read_bytes()).hexdigest() != expected:
            raise OSError(errno.EIO, "what was written reads back differently")

    def _is_still(self, current: Content) -> bool:
        try:
            mark = _mark(self.path.stat())
            return self._read().sha256 == current.sha256 and _mark(self.path.stat()) == mark
        except FileNotFoundError:
            return not current.sha256

    def _prune(self) -> None:
        """Keep the last 50 versions, and of every day the last one."""
        versions = self.versions()
        if len(versions) <= VERSIONS_KEPT:
            return
        days: set[date] = set()
        for place, version in enumerate(versions):
            if place >= VERSIONS_KEPT and version.at.date() in days:
                with suppress(OSError):  # a version too many harms nobody
                    self._version(version.sha256).unlink()
            days.add(version.at.date())

    def _refusal(self, error: OSError) -> BookRefused:
        name = self.path.name
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return BookRefused(f"The disk is full, so {name} was left as it was. Free some space and confirm again.")
        if isinstance(error, PermissionError) and os.name == "nt":
            return BookBusy(f"{name} is open in another program. Close it there and confirm again.")
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return BookRefused(f"Munshi may not write to {error.filename or name}, so {name} was left as it was.")
        return BookRefused(
            f"{name} could not be written ({error.strerror or error}). Confirm again when that is mended."
        )


def _mark(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _write_synced(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        path.chmod(mode)
        os.fsync(file.fileno())


def _stands(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long for any file
        return False


def _owner(lock_file: Path) -> str:
    """Who a lock file names: Excel's begins with the name's length, LibreOffice's lists name, user and computer."""
    try:
        held = lock_file.read_bytes()
    except OSError:
        return ""
    if lock_file.name.startswith("~$"):
        return held[1 : 1 + held[0]].decode("latin-1").strip("\0 ") if held else ""
    name, user, computer, *_ = [*held.decode("utf-8", "replace").split(","), "", "", ""]
    return name or " on ".join(word for word in (user, computer) if word)
