"""A file replaced whole: killed at every step, refused in every way, repeated, and shared."""

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.durable import (
    BookBusy,
    BookChanged,
    BookMissing,
    BookRefused,
    Change,
    Content,
    DurableFile,
    RequestReused,
)
from ledger.journal import Facts, Journal, undoable

NOON = datetime(2026, 11, 30, 12)
OLD = b"opening balance\n"

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked children")


def clock() -> datetime:
    return NOON


def line_added(text: bytes) -> Callable[[Content], Change]:
    return lambda current: Change(current.data + text + b"\n", Facts(kind="write", what=f"1 row: {text.decode()}"))


def shout(name: str = "") -> Callable[[Content], Change]:
    def build(_current: Content) -> Change:
        raise AssertionError(f"built again {name}")

    return build


def file_in(folder: Path) -> DurableFile:
    return DurableFile(folder / "Budget_2026.xlsx", folder / "home", clock)


def replace(file: DurableFile, request: str, text: bytes = b"coffee 100", content: str = "coffee") -> None:
    file.replace(request=request, content=content, who="asha", build=line_added(text))


@pytest.fixture
def book(tmp_path: Path) -> DurableFile:
    (tmp_path / "Budget_2026.xlsx").write_bytes(OLD)
    return file_in(tmp_path)


def beside(file: DurableFile) -> set[str]:
    return {entry.name for entry in file.path.parent.iterdir()} - {"home"}


def test_a_write_is_in_the_file_the_journal_and_the_versions(book: DurableFile) -> None:
    replace(book, "r1")
    assert book.path.read_bytes() == OLD + b"coffee 100\n"
    (line,) = book.journal.lines()
    assert (line.outcome, line.who, line.at, line.facts.what) == ("done", "asha", NOON, "1 row: coffee 100")
    assert [book.version(version.sha256) for version in book.versions()] == [OLD]
    assert beside(book) == {"Budget_2026.xlsx"}


def test_the_same_request_again_gives_the_first_outcome_and_builds_nothing(book: DurableFile) -> None:
    first = book.replace(request="r1", content="coffee", who="asha", build=line_added(b"coffee 100"))
    again = file_in(book.path.parent).replace(request="r1", content="coffee", who="asha", build=shout())
    assert again == first
    assert book.read().data == OLD + b"coffee 100\n"


def test_a_request_id_that_asks_for_something_else_is_refused(book: DurableFile) -> None:
    replace(book, "r1")
    with pytest.raises(RequestReused):
        replace(book, "r1", b"tea 20", "tea")
    assert book.read().data == OLD + b"coffee 100\n"


def test_an_untouched_file_is_not_read_again(book: DurableFile) -> None:
    assert book.read() is book.read()
    book.path.write_bytes(b"edited elsewhere")
    assert book.read().data == b"edited elsewhere"


@needs_fork
def test_a_kill_at_any_step_leaves_old_or_new_and_the_redelivery_writes_once(tmp_path: Path) -> None:
    """Every system call that the write makes is a step; the child dies before it, and again after it."""
    steps = 0
    outcomes = set()
    while True:
        folder = tmp_path / str(steps)
        folder.mkdir()
        (folder / "Budget_2026.xlsx").write_bytes(OLD)
        new = OLD + b"coffee 100\n"
        survived = killed_at(steps, lambda at=folder: replace(file_in(at), "r1"))
        left = (folder / "Budget_2026.xlsx").read_bytes()
        assert left in (OLD, new)
        file = file_in(folder)
        assert file.read().data == left
        outcomes.add((left == new, tuple(line.outcome for line in file.journal.lines())))
        replace(file, "r1")
        assert file.path.read_bytes() == new
        assert [line.outcome for line in file.journal.lines()].count("done") == 1
        assert beside(file) == {"Budget_2026.xlsx"}
        if survived and steps % 2 == 0:
            break
        steps += 1
    assert steps > 20
    assert outcomes == {(False, ()), (False, ("aborted",)), (True, ("done",))}


def test_a_torn_last_line_is_passed_over_and_never_glued_to_the_next(book: DurableFile) -> None:
    replace(book, "r1")
    path = book.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes() + b'{"step":"intent","request":"r2","con')
    again = file_in(book.path.parent)
    replace(again, "r3", b"tea 20", "tea")
    assert [(line.request, line.outcome) for line in again.journal.lines()] == [("r1", "done"), ("r3", "done")]
    assert [(line.request, line.outcome) for line in book.journal.lines()] == [("r1", "done"), ("r3", "done")]


def test_somebody_elses_edit_of_an_unfinished_write_is_told_once_and_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "Budget_2026.xlsx").write_bytes(OLD)
    book = file_in(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", interrupt_after_edit(book.path))
        with pytest.raises(KeyboardInterrupt):
            replace(book, "r1")
    with pytest.raises(BookChanged, match="stopped while saving 1 row: coffee 100"):
        file_in(tmp_path).read()
    assert book.read().data == b"edited elsewhere"
    with pytest.raises(BookChanged):
        replace(book, "r1")
    replace(book, "r2")
    assert book.read().data == b"edited elsewherecoffee 100\n"
    assert [line.outcome for line in book.journal.lines()] == ["conflict", "done"]


def test_a_change_during_the_write_is_kept_and_the_rows_are_added_to_it(book: DurableFile) -> None:
    seen = []

    def build(current: Content) -> Change:
        seen.append(current.data)
        if len(seen) == 1:
            book.path.write_bytes(b"edited elsewhere\n")
        return line_added(b"coffee 100")(current)

    book.replace(request="r1", content="coffee", who="asha", build=build)
    assert seen == [OLD, b"edited elsewhere\n"]
    assert book.read().data == b"edited elsewhere\ncoffee 100\n"


def test_a_file_that_keeps_changing_is_left_alone(book: DurableFile) -> None:
    def build(current: Content) -> Change:
        book.path.write_bytes(current.data + b"!")
        return line_added(b"coffee 100")(current)

    with pytest.raises(BookChanged, match="keeps being changed"):
        book.replace(request="r1", content="coffee", who="asha", build=build)
    assert book.read().data == OLD + b"!!!"


@pytest.mark.parametrize(
    ("name", "holds", "says"),
    [
        ("~$Budget_2026.xlsx", b"\x04Asha" + b" " * 50, "open in Excel by Asha"),
        (
            ".~lock.Budget_2026.xlsx#",
            b",asha,laptop,30.11.2026 12:00,file:///x;",
            "open in LibreOffice by asha on laptop",
        ),
        (".~lock.Budget_2026.xlsx#", b"Asha Rao,asha,laptop,30.11.2026 12:00,file:///x;", "LibreOffice by Asha Rao"),
        ("~$Budget_2026.xlsx", b"", "open in Excel. Close"),
    ],
)
def test_a_book_open_in_another_program_is_busy_and_says_who_has_it(
    book: DurableFile, name: str, holds: bytes, says: str
) -> None:
    (book.path.parent / name).write_bytes(holds)
    with pytest.raises(BookBusy, match=says):
        replace(book, "r1")
    assert book.read().data == OLD
    (book.path.parent / name).unlink()
    replace(book, "r1")


def test_a_request_already_done_is_answered_though_the_book_is_open(book: DurableFile) -> None:
    replace(book, "r1")
    (book.path.parent / "~$Budget_2026.xlsx").write_bytes(b"")
    replace(book, "r1")


def test_another_window_writing_is_busy(book: DurableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.durable.LOCK_SECONDS", 0.1)

    def build(current: Content) -> Change:
        with pytest.raises(BookBusy, match="Another window"):
            replace(file_in(book.path.parent), "r2")
        assert file_in(book.path.parent).read().data == OLD
        return line_added(b"coffee 100")(current)

    book.replace(request="r1", content="coffee", who="asha", build=build)
    assert book.read().data == OLD + b"coffee 100\n"


def test_a_read_only_book_is_refused(book: DurableFile) -> None:
    book.path.chmod(0o444)
    with pytest.raises(BookRefused, match="read-only"):
        replace(book, "r1")
    assert beside(book) == {"Budget_2026.xlsx"}


def test_a_folder_that_may_not_be_written_is_refused(book: DurableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != book.path.parent)
    with pytest.raises(BookRefused, match="may not write in"):
        replace(book, "r1")
    assert (book.read().data, beside(book)) == (OLD, {"Budget_2026.xlsx"})


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EACCES])
def test_a_failing_disk_at_any_step_changes_nothing_and_a_retry_writes_once(tmp_path: Path, error: int) -> None:
    """Each system call of the write fails in turn, and every one after it too (a full disk stays full)."""
    step = written = 0
    while True:
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "Budget_2026.xlsx").write_bytes(OLD)
        with pytest.MonkeyPatch.context() as patch:
            calls = counted(patch, lambda number, at=step: fail(error) if number >= at else None)
            with suppress(BookRefused):
                replace(file_in(folder), "r1")
                written += 1
        file = file_in(folder)
        assert file.read().data in (OLD, OLD + b"coffee 100\n")
        replace(file, "r1")
        assert file.read().data == OLD + b"coffee 100\n"
        assert beside(file) == {"Budget_2026.xlsx"}
        if calls() <= step:
            break
        step += 1
    assert step - written > 10


@pytest.mark.skipif(os.name != "posix" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounts a disk")
def test_a_really_full_disk_is_a_sentence_and_the_book_stands(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=64k tmpfs {disk} 2>/dev/null"):
        pytest.skip("may not mount here")
    try:
        (disk / "Budget_2026.xlsx").write_bytes(b"x" * 40_000)
        book = DurableFile(disk / "Budget_2026.xlsx", tmp_path / "home", clock)
        with pytest.raises(BookRefused, match="disk is full"):
            replace(book, "r1")
        assert (len(book.read().data), beside(book)) == (40_000, {"Budget_2026.xlsx"})
        (line,) = book.journal.lines()
        assert line.outcome == "aborted"
    finally:
        os.system(f"umount {disk}")


def test_a_missing_book_says_where_it_was_looked_for(tmp_path: Path) -> None:
    book = file_in(tmp_path)
    for attempt in (book.read, lambda: replace(book, "r1")):
        with pytest.raises(BookMissing, match=f"not in {tmp_path}"):
            attempt()
    assert beside(book) == set()


def test_a_folder_in_the_books_place_is_refused(book: DurableFile) -> None:
    book.path.unlink()
    book.path.mkdir()
    with pytest.raises(BookRefused, match="not a file any more"):
        replace(book, "r1")


def test_a_link_stays_a_link_and_the_books_own_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "cloud").mkdir()
    target = tmp_path / "cloud" / "real.xlsx"
    target.write_bytes(OLD)
    (tmp_path / "Budget_2026.xlsx").symlink_to(target)
    replace(file_in(tmp_path), "r1")
    assert (tmp_path / "Budget_2026.xlsx").is_symlink()
    assert target.read_bytes() == OLD + b"coffee 100\n"
    (tmp_path / ".~lock.Budget_2026.xlsx#").write_bytes(b"")
    target.with_name("~$real.xlsx").write_bytes(b"")
    with pytest.raises(BookBusy):
        replace(file_in(tmp_path), "r2")


def test_the_new_file_has_the_old_ones_permissions(book: DurableFile) -> None:
    book.path.chmod(0o640)
    replace(book, "r1")
    assert book.path.stat().st_mode & 0o777 == 0o640


def test_what_build_raises_passes_through_and_leaves_no_trace(book: DurableFile) -> None:
    with pytest.raises(AssertionError):
        book.replace(request="r1", content="coffee", who="asha", build=shout())
    assert (book.read().data, beside(book), book.journal.lines()) == (OLD, {"Budget_2026.xlsx"}, ())


def test_a_file_may_be_put_where_none_is(tmp_path: Path) -> None:
    book = file_in(tmp_path)
    book.replace(request="r1", content="c", who="asha", build=line_added(b"first"), may_be_missing=True)
    assert book.read().data == b"first\n"
    assert book.versions() == ()


def test_fifty_versions_and_the_last_of_every_day_are_kept(tmp_path: Path) -> None:
    (tmp_path / "Budget_2026.xlsx").write_bytes(OLD)
    now = NOON
    book = DurableFile(tmp_path / "Budget_2026.xlsx", tmp_path / "home", lambda: now)
    for number in range(63):
        now = NOON + timedelta(days=number // 5, minutes=number)
        replace(book, f"r{number}", b"%d" % number)
    kept = book.versions()
    assert [version.why for version in kept[:50]] == [f"1 row: {number}" for number in range(62, 12, -1)]
    assert [version.why for version in kept[50:]] == ["1 row: 9", "1 row: 4"]
    assert sha256(book.version(kept[-1].sha256)).hexdigest() == kept[-1].sha256
    with pytest.raises(BookRefused, match="not kept"):
        book.version("0" * 64)


def test_a_damaged_version_is_never_given_out(book: DurableFile) -> None:
    replace(book, "r1")
    (kept,) = (book.folder / "versions").iterdir()
    kept.write_bytes(b"rot")
    with pytest.raises(BookRefused, match="damaged"):
        book.version(book.versions()[0].sha256)


def test_the_journal_gives_back_what_was_written_down(book: DurableFile, tmp_path: Path) -> None:
    facts = Facts(
        kind="write",
        what="1 row: ಕಾಫಿ 100.00",
        cells=("Budget_2026.xlsx#NOVEMBER!C24:J24",),
        balances={"PHONEPE": Decimal("7170.00")},
        balances_before={"PHONEPE": Decimal("7670.00")},
        budget_left=(("Food", Decimal("1000"), Decimal("500")),),
        notes=("Appended.",),
    )
    done = book.replace(request="r", content="c", who="asha", build=lambda now: Change(now.data + b"x", facts))
    (line,) = Journal(book.folder / "journal.jsonl").lines()
    assert line == done
    assert undoable((line,)) == (line,)


@needs_fork
def test_a_reader_never_waits_for_a_writer_nor_settles_a_living_ones_write(book: DurableFile) -> None:
    def build(current: Content) -> Change:
        return line_added(b"coffee 100")(current)

    original = Path.replace

    def look_then_replace(self: Path, target: Path) -> Path:
        if target == book.path:
            other = file_in(book.path.parent)
            assert other.read().data == OLD
            assert [line.outcome for line in other.journal.lines()] == ["pending"]
        return original(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", look_then_replace)
        book.replace(request="r1", content="coffee", who="asha", build=build)
    assert [line.outcome for line in book.journal.lines()] == ["done"]


def fail(error: int) -> None:
    raise OSError(error, os.strerror(error))


def interrupt_after_edit(path: Path) -> Callable[[Path, Path], Path]:
    def edited(_self: Path, _target: Path) -> Path:
        path.write_bytes(b"edited elsewhere")
        raise KeyboardInterrupt

    return edited


CALLS = ("fsync", "open", "replace", "rename", "unlink", "chmod", "chown", "mkdir")


def counted(patch: pytest.MonkeyPatch, before: Callable[[int], None], after: Callable[[int], None] | None = None):
    """Number every system call that changes files, from 0, and let `before` and `after` act around it."""
    count = iter_count()

    def wrap(call):
        def wrapped(*arguments, **options):
            number = next(count)
            before(number)
            result = call(*arguments, **options)
            if after:
                after(number)
            return result

        return wrapped

    for name in CALLS:
        patch.setattr(os, name, wrap(getattr(os, name)))
    return lambda: next(count)


def iter_count() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def killed_at(step: int, write: Callable[[], None]) -> bool:
    """Run the write in a child that kills itself around its n-th call (even: before, odd: after). Did it survive?"""
    child = os.fork()
    if child == 0:
        patch = pytest.MonkeyPatch()
        die = lambda number, at: os.kill(os.getpid(), signal.SIGKILL) if number == at else None  # noqa: E731
        if step % 2 == 0:
            counted(patch, lambda number: die(number, step // 2))
        else:
            counted(patch, lambda _number: None, lambda number: die(number, step // 2))
        try:
            write()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return not os.WIFSIGNALED(status)
