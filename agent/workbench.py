"""The composition root: conversations, books and the graph put together, and the workers that own the turns.

    ask, submit, decide, stop, undo ─► a request, written down ─► the thread's lock ─► a worker ─► the graph ─► a Turn

A turn belongs to a worker, not to whoever asked: a click, a reload or a closed page neither ends nor repeats it. The
same request id gives the stored reply again and does nothing. A message on a thread whose turn still runs, here or in
another process, gets a busy reply and is taken up when that turn ends. A request whose process died is taken up by the
next one that looks at its thread.
"""

import gc
import hashlib
import logging
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from filelock import FileLock, Timeout

from agent.bills import BillsOffered
from agent.clock import Clock, system_clock
from agent.home import back_up, mark_closed, mark_open
from agent.imports import Imports, as_rows
from agent.language.consent import consent
from agent.person import Person, keep_person, kept_person
from agent.settings import Settings, SettingsRefused, home_refusal
from agent.store import ConversationInfo, RequestStatus, Store, StoredRequest, TraceInfo, digest_of
from agent.trace import Event, Recorder
from agent.turn import Action, ItemChange, Turn, Usage
from ledger.entries import BookRefused
from ledger.statements.taking_over import told

if TYPE_CHECKING:
    from agent.books import Books
    from agent.runner import Runner
    from ledger.entries import Mode
    from ledger.foreign import TableMapping
    from ledger.statements.statement import Said, Statement
    from ledger.statements.taking_over import Taken
    from ledger.store import BookStore

_log = logging.getLogger(__name__)
PERSON_KNOWN = 5.0
"""seconds until what a person set is read again"""
WORKERS = 8
LOOK_SECONDS = 0.05
"""between two looks at a thread that another process has"""


class RequestReused(ValueError):
    """A request id that already stands for another message; nothing was done."""


class Workbench:
    """Munshi, opened: everything a page, the command line or another program calls."""

    def __init__(
        self, settings: Settings, store: Store, books: "Books", runner: "Runner", clock: Clock, *, present: FileLock
    ) -> None:
        self._present = present
        self._settings = settings
        self._store = store
        self._runner = runner
        self._clock = clock
        self._books = books
        self._imports = Imports(store)
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="turn")
        self._runs: dict[str, _Run] = {}
        self._known: tuple[float, Person] | None = None
        self._settled: str | None = None
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._looking: list[threading.Thread] = []
        self._locks = settings.home / "locks"
        self._locks.mkdir(parents=True, exist_ok=True)

    @classmethod
    def open(cls, settings: Settings | None = None, clock: Clock = system_clock) -> Self:
        """Open the home folder, its store and the graph. Takes a moment the first time: LangGraph is imported here.

        Raises SettingsRefused with a sentence when the home folder or the database cannot be used.
        """
        from agent.books import Books
        from agent.runner import Runner

        settings = settings or Settings.read()
        store = Store(settings.database, settings.home)
        try:
            present = mark_open(settings.home)
            return cls(settings, store, Books(settings, store, clock), Runner(settings), clock, present=present)
        except OSError as error:
            raise SettingsRefused(home_refusal(settings.home, error)) from error

    def close(self) -> None:
        """Let running turns end, then close every file."""
        self._closing.set()
        for looking in self._looking:
            looking.join()
        self._workers.shutdown(wait=True)
        self._runner.close()
        self._store.close()
        mark_closed(self._present)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """The settings it was opened with."""
        return self._settings

    # who uses it

    def person(self) -> Person:
        """What was set about the person: name, boldness, savings goal. What another process set is seen soon."""
        now = time.monotonic()
        if self._known is None or now - self._known[0] > PERSON_KNOWN:
            self._known = now, kept_person(self._store)
        return self._known[1]

    def set_person(self, person: Person) -> None:
        """Keep it; the next message already counts on it."""
        keep_person(self._store, person)
        self._known = None

    def back_up(self, target: Path) -> int:
        """Copy everything Munshi keeps into a zip; gives the number of files. Raises HomeRefused."""
        return back_up(self._settings.home, target)

    # talking

    def ask(
        self,
        message: str,
        thread: str,
        request: str | None = None,
        *,
        book: Path | None = None,
        today: date | None = None,
    ) -> Turn:
        """Say something and wait for the reply."""
        return self._run(thread, _given(message, book=book, today=today), request).wait()

    def submit(
        self,
        message: str,
        thread: str,
        request: str | None = None,
        *,
        book: Path | None = None,
        today: date | None = None,
    ) -> str:
        """Say something and go on; gives the request id that `events` and `turn` follow."""
        return self._run(thread, _given(message, book=book, today=today), request).request

    def decide(
        self,
        thread: str,
        proposal: str,
        action: Literal["save", "cancel", "edit"],
        changes: tuple[ItemChange, ...] = (),
        request: str | None = None,
        *,
        book: Path | None = None,
        today: date | None = None,
    ) -> Turn:
        """Press a button of the card whose id is `proposal`. A card that has changed since is shown again instead."""
        given = _given("", book=book, today=today, action=action, proposal=proposal, changes=changes)
        return self._run(thread, given, request).wait()

    def undo(
        self,
        thread: str,
        request: str | None = None,
        *,
        write: str | None = None,
        book: Path | None = None,
        today: date | None = None,
    ) -> Turn:
        """Take a write back, named by its request as a receipt's Undo names it; the last one of the book without."""
        return self._run(thread, _given("undo", book=book, today=today, action="undo", write=write), request).wait()

    def stop(self, thread: str) -> Turn:
        """End the running turn; with none running, end what waits."""
        with self._guard:
            run = next((run for run in self._runs.values() if run.thread == thread), None)
        if run is None:
            return self._run(thread, _given("stop", action="stop"), None).wait()
        run.stopping.set()
        return run.wait(final=True)

    def events(self, request: str) -> Iterator[Event]:
        """Follow a turn from its beginning; the last event carries the Turn. Takes up a request whose process died."""
        with self._guard:
            run = self._runs.get(request)
        if run is None and (stored := self._store.request(request)):
            run = self._resumed(stored)
        if run:
            yield from run.events()

    def turn(self, request: str) -> Turn | None:
        """A request's Turn, once there is one."""
        stored = self._store.request(request)
        return stored.turn if stored else None

    def running(self, thread: str) -> str | None:
        """The request of the thread that has no Turn yet: running here, elsewhere, or left by a process that died."""
        pending = self._store.unfinished(thread)
        return pending[0].id if pending else None

    def unanswered(self, thread: str) -> tuple[tuple[str, str], ...]:
        """The thread's requests without a Turn with what was said in each, oldest first: the first one runs."""
        return tuple((stored.id, stored.given["message"]) for stored in self._store.unfinished(thread))

    # conversations

    def conversations(self, search: str = "") -> tuple[ConversationInfo, ...]:
        """Conversations, the latest first; with words, those that hold them."""
        return self._store.conversations(search)

    def new_conversation(self) -> str:
        """The id of a conversation that does not exist until something is said in it."""
        return uuid.uuid4().hex

    def rename(self, thread: str, title: str) -> None:
        """Give a conversation another name."""
        self._store.rename(thread, title)

    def delete(self, thread: str) -> None:
        """Forget a conversation. What it wrote into the book stays there."""
        self._store.delete(thread)
        self._runner.forget(thread)

    def messages(self, thread: str) -> tuple[Turn, ...]:
        """A conversation's turns in order. A receipt whose write was taken back, wherever, is not undoable any more."""
        turns = self._store.turns(thread)
        book = self._books.current()
        if book is None or not any(turn.undoable for turn in turns):
            return turns
        undone = {line.facts.undoes for line in book.history() if line.outcome == "done"}
        return tuple(replace(turn, undoable=False) if turn.request in undone else turn for turn in turns)

    def trace(self, request: str) -> TraceInfo | None:
        """What a turn did, node by node."""
        return self._store.trace(request)

    # books

    def book(self) -> "BookStore | None":
        """The current book; None when none was chosen yet."""
        return self._books.current()

    def choose_book(self, path: Path) -> "BookStore":
        """Make a file the current book. Raises BookRefused when it cannot be kept as one."""
        return self._books.choose(path)

    def add_book(self, data: bytes, name: str, mapping: "TableMapping | None" = None) -> Path:
        """Take an uploaded file into the home folder and make it the current book. Raises BookRefused.

        `mapping` is how a workbook in another layout is read; without one it is refused as OtherLayout.
        """
        return self._books.add(data, name, mapping)

    def confirm_book(self, path: Path, mapping: "TableMapping") -> "BookStore":
        """Remember how a workbook in another layout is read, and make it the current book. Raises BookRefused."""
        return self._books.confirm(path, mapping)

    def unsaved(self, book: Path) -> dict[str, str]:
        """What was typed into a book and not saved, by the visit that typed it, as `keep_unsaved` was given it."""
        return self._books.unsaved(book)

    def keep_unsaved(self, book: Path, visit: str, text: str) -> None:
        """Keep what a visit typed and did not save, over a reload and a restart; an empty text forgets it."""
        self._books.keep_unsaved(book, visit, text)

    def book_at(self, path: Path) -> "BookStore":
        """The store of a book that need not be the open one."""
        return self._books.at(path)

    def books(self) -> tuple[Path, ...]:
        """The books there are to choose from, the open one first; those taken off the list are left out."""
        return self._books.listed()

    def forget_book(self, path: Path) -> None:
        """Take a book off the list. Its file, its history and its versions stay."""
        self._books.forget(path)

    def is_made_here(self, path: Path) -> bool:
        """Whether Munshi made that file, as a sample or a blank book: such a one may be deleted too."""
        return self._books.is_made_here(path)

    def delete_book(self, path: Path) -> None:
        """Delete a sample or blank book that Munshi made, off the list as well. Raises BookRefused for any other."""
        self._books.delete(path)

    def open_sample(self) -> Path:
        """The sample book, made on the first call, as the current book."""
        return self._books.sample()

    def blank(self, year: int | None = None) -> Path:
        """A blank book as the current one; its opening balances are asked before the first entry.

        Raises BookExists, with its path, where one of that year was begun before.
        """
        return self._books.blank(year)

    def another_blank(self, year: int | None = None) -> Path:
        """A blank book beside the one there is of that year."""
        return self._books.another_blank(year)

    # statements

    def read_statement(self, data: bytes, name: str, said: "Said | None" = None) -> "Statement":
        """The statement in a file; `said` is what a person settled of it. Raises BookRefused with what to do."""
        return self._imports.read(data, name, said)

    def statement_mode(self, statement: "Statement") -> "Mode | None":
        """Where the statement's money is kept: as a person said of its account before, otherwise as its format says."""
        return self._imports.mode_of(statement.account or "") or statement.mode

    def hold_statement(self, statement: "Statement", mode: "Mode") -> "Taken":
        """What of a statement is new to the open book. Raises BookRefused when there is none to hold it against."""
        book = self._books.current()
        if book is None:
            raise BookRefused("No budget book is open. Choose one, or start a blank one, and bring it again.")
        return self._imports.held_against(statement, mode, book)

    def import_statement(
        self, taken: "Taken", thread: str, request: str | None = None, *, today: date | None = None
    ) -> str:
        """Put the new transactions of a statement on a card in the conversation; gives the request id to follow."""
        given = _given(f"Import {taken.statement.name}", today=today)
        given |= {"rows": as_rows(taken), "remarks": list(told(taken))}
        return self._run(thread, given, request).request

    # running

    def _run(self, thread: str, given: dict[str, Any], request: str | None) -> "_Run":
        """Write the request down and see that it runs; gives what to wait on."""
        request = request or uuid.uuid4().hex
        now = self._clock()
        given["today"] = given["today"] or now.date().isoformat()
        with self._guard:
            known = self._runs.get(request)
        if known:
            _same(known.digest, thread, given)
            return known
        lock = self._lock(thread)
        locked = _acquired(lock)
        status: RequestStatus = "started" if locked else "waiting"
        pending = self._store.arrived(request, thread, given, status=status, at=now)
        if not pending:
            if locked:
                lock.release()
            stored = self._store.request(request)
            if stored is None:
                return self._run(thread, given, request)
            _same(stored.digest, thread, given)
            return self._resumed(stored)
        run = _Run(request, thread, digest_of(thread, given), fresh=True)
        others = self._followed(run)
        if locked or _acquired(lock):
            self._workers.submit(self._work, thread, lock, pending if locked else ())
            return run
        if given["action"] == "stop" or consent(given["message"]) == "stop":
            for other in others:
                other.stopping.set()
        run.busy = _busy(thread, request, given["message"])
        if not others:
            self._wait_for_other_process(thread)
        return run

    def _resumed(self, stored: StoredRequest) -> "_Run":
        """A request met again: its Turn when done, otherwise taken up, or waited for where it runs."""
        run = _Run(stored.id, stored.thread, stored.digest, fresh=False)
        if stored.turn:
            run.finish(stored.turn)
            return run
        with self._guard:
            if known := self._runs.get(stored.id):
                return known
        others = self._followed(run)
        lock = self._lock(stored.thread)
        if _acquired(lock):
            self._workers.submit(self._work, stored.thread, lock)
            return run
        run.busy = _busy(stored.thread, stored.id, stored.given["message"])
        if not others:
            self._wait_for_other_process(stored.thread)
        return run

    def _followed(self, run: "_Run") -> list["_Run"]:
        """Follow a request from here on; gives the others of its thread. Only then may its lock be tried."""
        with self._guard:
            others = [other for other in self._runs.values() if other.thread == run.thread]
            self._runs[run.request] = run
        return others

    def _work(self, thread: str, lock: FileLock, pending: tuple[StoredRequest, ...] = ()) -> None:
        """Take the thread's requests up, oldest first, one lock a turn, until none of them is followed here.

        `pending` are those known already, read under the lock.
        """
        while True:
            done: list[tuple[_Run, Turn]] = []
            try:
                done += [self._turn(stored) for stored in (pending or self._store.unfinished(thread))[:1]]
                pending = ()
            except Exception:  # noqa: BLE001  the edge: whoever waits is told; the request is taken up again later
                _log.exception("a turn of %s could not be kept", thread)
                self._tell_failed(thread)
                return
            finally:
                lock.release()
            with self._guard:
                for run, _ in done:
                    self._runs.pop(run.request, None)
                left = [run for run in self._runs.values() if run.thread == thread]
            for run, turn in done:
                run.finish(turn)
                self._settle(run)
            if not left:
                return
            # somebody came while the lock was held, and found it taken; or the request just followed was a later one
            if not _acquired(lock):
                self._wait_for_other_process(thread)
                return
            if not done:
                self._tell_finished(left)

    def _settle(self, run: "_Run") -> None:
        """Take a book that was just read out of the garbage collector's rounds, once its reply is out.

        Tens of thousands of rows live as long as the book is open; looked through again and again, they would slow
        every later turn by a fifth.
        """
        try:
            read = run.book.read().book.sha256 if run.book else self._settled
        except BookRefused:
            return
        if read == self._settled:
            return
        self._settled = read
        gc.collect()
        gc.freeze()

    def _tell_finished(self, runs: "list[_Run]") -> None:
        """Requests followed here that ended elsewhere."""
        for run in runs:
            stored = self._store.request(run.request)
            if stored is None or stored.turn:
                with self._guard:
                    self._runs.pop(run.request, None)
                gone = Turn(run.thread, run.request, "", "This conversation was deleted meanwhile.")
                run.finish(stored.turn if stored and stored.turn else gone)

    def _tell_failed(self, thread: str) -> None:
        """Requests followed here that cannot be answered now: they stay written down."""
        with self._guard:
            failed = [run for run in self._runs.values() if run.thread == thread]
            for run in failed:
                self._runs.pop(run.request)
        for run in failed:
            run.finish(Turn(run.thread, run.request, "", _NOT_KEPT, problem=_NOT_KEPT))

    def _wait_for_other_process(self, thread: str) -> None:
        """Another process has the thread: look until its turn is over, then take up what is left."""

        def look() -> None:
            lock = self._lock(thread)
            while not self._closing.is_set():
                with self._guard:
                    followed = [run for run in self._runs.values() if run.thread == thread]
                self._tell_finished(followed)
                if not followed:
                    return
                if _acquired(lock):
                    self._work(thread, lock)
                    return
                time.sleep(LOOK_SECONDS)

        looking = threading.Thread(target=look, name="other-process", daemon=True)
        self._looking = [thread for thread in (*self._looking, looking) if thread.is_alive() or thread is looking]
        looking.start()

    def _turn(self, stored: StoredRequest) -> "tuple[_Run, Turn]":
        """Run one request under the thread's lock and keep its Turn."""
        with self._guard:
            run = self._runs.setdefault(
                stored.id, _Run(stored.id, stored.thread, stored.digest, fresh=stored.status == "waiting")
            )
        began = time.perf_counter()
        today = date.fromisoformat(stored.given["today"])
        recorder = Recorder(self._clock(), run.tell)
        path = stored.given["book"]
        run.book = self._books.at(Path(path)) if path else self._books.current()
        turn = self._runner.run(
            stored,
            today=today,
            book=run.book,
            recorder=recorder,
            stopping=run.stopping,
            fresh=run.fresh,
            said_in=self._said_in,
            imports=self._imports,
            person=self.person(),
            bills=BillsOffered(self._store.preference, self._store.prefer),
        )
        ended = self._clock()
        turn = replace(
            turn,
            usage=Usage(latency_ms=round((time.perf_counter() - began) * 1000, 1)),
            at=ended.isoformat(timespec="seconds"),
        )
        self._store.finish(turn, recorder.spans, ended)
        return run, turn

    def _said_in(self, request: str) -> str | None:
        stored = self._store.request(request)
        return stored.thread if stored else None

    def _lock(self, thread: str) -> FileLock:
        name = hashlib.sha256(thread.encode()).hexdigest()[:24]
        return FileLock(self._locks / f"{name}.lock", thread_local=False)


_NOT_KEPT = (
    "I could not keep that turn: the conversation's store cannot be written. Nothing said is lost; "
    "see that the disk has room, and say it again."
)


def _busy(thread: str, request: str, message: str) -> Turn:
    return Turn(
        thread,
        request,
        message,
        "I am still working on your last message. This one is kept and comes next.",
        plan_trace=("busy: the thread's last turn still runs",),
    )


class _Run:
    """One request while it is followed in this process."""

    def __init__(self, request: str, thread: str, digest: str, *, fresh: bool) -> None:
        self.request = request
        self.thread = thread
        self.digest = digest
        self.fresh = fresh
        """first met by this process: nothing of it can have happened before"""
        self.stopping = threading.Event()
        self.book: BookStore | None = None
        self.busy: Turn | None = None
        self._told: list[Event] = []
        self._turn: Turn | None = None
        self._news = threading.Condition()
        self._over = threading.Event()  # who waits for the Turn alone is not woken by every node on the way

    def tell(self, event: Event) -> None:
        """Something happened."""
        with self._news:
            self._told.append(event)
            self._news.notify_all()

    def finish(self, turn: Turn) -> None:
        """The Turn is there."""
        with self._news:
            self._turn = turn
            self._told.append(Event("turn", turn=turn))
            self._news.notify_all()
        self._over.set()

    def wait(self, *, final: bool = False) -> Turn:
        """The Turn; at once the busy reply where the thread is busy, unless the `final` one is wanted."""
        if self._turn is None and self.busy and not final:
            return self.busy
        self._over.wait()
        if self._turn is None:
            raise RuntimeError("a request ended without its Turn")
        return self._turn

    def events(self) -> Iterator[Event]:
        """Everything told, from the beginning, until the Turn."""
        seen = 0
        while True:
            with self._news:
                while len(self._told) == seen:
                    self._news.wait()
                news = self._told[seen:]
            seen += len(news)
            yield from news
            if news[-1].kind == "turn":
                return


def _given(
    message: str,
    *,
    book: Path | None = None,
    today: date | None = None,
    action: Action = "message",
    proposal: str | None = None,
    changes: tuple[ItemChange, ...] = (),
    write: str | None = None,
) -> dict[str, Any]:
    """A request as it is written down."""
    named = {"write": write} if write else {}
    return {
        # half of a surrogate pair, which a broken program may hand over, can be stored and shown nowhere
        "message": message.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        "action": action,
        "proposal": proposal,
        "changes": [asdict(change) for change in changes],
        "book": str(book) if book else None,
        "today": today.isoformat() if today else None,
        **named,
    }


def _same(digest: str, thread: str, given: dict[str, Any]) -> None:
    if digest != digest_of(thread, given):
        message = "That request id already stands for another message. Nothing was done: send it with a new id."
        raise RequestReused(message)


def _acquired(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True
