"""The home folder as a whole: everything in it copied into one file, or deleted."""

import shutil
import tempfile
import uuid
import zipfile
from pathlib import Path

from filelock import FileLock, Timeout

from agent.store import copy_sqlite

OWN = ("munshi.sqlite", "checkpoints.sqlite", "books", "workbooks", "locks", "migrate.lock")
"""what Munshi keeps in its home folder; nothing else there is ever deleted"""


_OPEN = Path("locks", "open")
"""a lock file for each process that has the folder open"""


class HomeRefused(ValueError):
    """A folder that cannot be backed up or erased; the message says why."""


def back_up(home: Path, target: Path) -> int:
    """Copy everything in the home folder into a zip; gives the number of files. Conversations may go on meanwhile."""
    if not home.is_dir():
        raise HomeRefused(f"There is nothing at {home} yet, so there is nothing to back up.")
    if target.exists():
        raise HomeRefused(f"{target} is there already. Choose another name, so that no backup is lost.")
    target = target.resolve()
    try:
        return _copied(home, target)
    except OSError as error:
        raise HomeRefused(f"{target} cannot be written: {error.strerror or error}.") from error


def _copied(home: Path, target: Path) -> int:
    count = 0
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(home.resolve().rglob("*")):
            inside = path.relative_to(home.resolve())
            if path == target or not path.is_file() or _is_passing(path):
                continue
            source = path
            if path.suffix == ".sqlite":
                source = Path(folder) / path.name
                copy_sqlite(path, source)
            archive.write(source, inside)
            count += 1
    return count


def erase(home: Path) -> tuple[str, ...]:
    """Delete everything Munshi keeps in its home folder; gives what was deleted. Books elsewhere stay.

    Raises HomeRefused while a server or another command has that folder open.
    """
    if in_use(home):
        raise HomeRefused(f"Munshi is running on {home}, so nothing was deleted. Stop it first, then erase.")
    gone = []
    for path in sorted(home.glob("*")) if home.is_dir() else ():
        if not any(path.name == own or path.name.startswith(f"{own}-") for own in OWN):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
        gone.append(path.name)
    if home.is_dir() and not any(home.iterdir()):
        home.rmdir()
    return tuple(gone)


def mark_open(home: Path) -> FileLock:
    """Say that this process has the home folder open, until `mark_closed`, or until it dies in whatever way."""
    folder = home / _OPEN
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / f"{uuid.uuid4().hex}.lock", thread_local=False)
    lock.acquire(timeout=0)
    return lock


def mark_closed(lock: FileLock) -> None:
    """Say that it is not open any more. A second time does nothing."""
    lock.release()
    Path(lock.lock_file).unlink(missing_ok=True)


def in_use(home: Path) -> bool:
    """Whether any process has the home folder open. A lock left by one that died holds nobody off."""
    for path in (home / _OPEN).glob("*.lock"):
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
    return False


def _is_passing(path: Path) -> bool:
    """Locks, and the parts of SQLite's own that a whole copy already holds."""
    return path.parent.name == "locks" or path.name.endswith((".lock", ".sqlite-wal", ".sqlite-shm"))
