"""What is kept besides the book: conversations, their turns with traces, requests, and a few preferences.

    conversations ──< requests, each with its Turn and its trace          preferences

A request is one message or button press. It is written down before it runs and holds its Turn when done, so that the
same id gives the same reply, and a message survives its process. SQLite in the home folder, or Postgres by URL; the
tables come from the Alembic migrations in `agent/migrations`, run when the store is opened.
"""

import contextlib
import hashlib
import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sql
from filelock import FileLock

from agent.settings import SettingsRefused, home_refusal
from agent.trace import Span
from agent.turn import Turn, turn_from_json

HEAD = "0001"
"""the newest migration; a test holds it true"""

RequestStatus = Literal["waiting", "started", "done"]

_tables = sql.MetaData()
conversations = sql.Table(
    "conversations",
    _tables,
    sql.Column("id", sql.String(200), primary_key=True),
    sql.Column("title", sql.String(200), nullable=False),
    sql.Column("created", sql.String(40), nullable=False),
    sql.Column("updated", sql.String(40), nullable=False, index=True),
    sql.Column("state", sql.String(30), nullable=False),
)
requests = sql.Table(
    "requests",
    _tables,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=True),
    sql.Column("id", sql.String(200), nullable=False, unique=True),
    sql.Column("thread", sql.String(200), nullable=False),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("given", sql.Text, nullable=False),
    sql.Column("status", sql.String(10), nullable=False),
    sql.Column("message", sql.Text, nullable=False),
    sql.Column("turn", sql.Text, nullable=True),
    sql.Column("spans", sql.Text, nullable=True),
    sql.Column("arrived", sql.String(40), nullable=False),
    sql.Column("ended", sql.String(40), nullable=True),
    sql.Index("requests_of_a_thread", "thread", "number"),
)
preferences = sql.Table(
    "preferences",
    _tables,
    sql.Column("name", sql.String(60), primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)


# what every turn runs, built once
_UNFINISHED = (
    sql.select(requests)
    .where(requests.c.thread == sql.bindparam("of"), requests.c.status != "done")
    .order_by(requests.c.number)
)
_UNFINISHED_BEFORE = _UNFINISHED.where(requests.c.id != sql.bindparam("own"))
_ARRIVED = sql.insert(requests)
_DONE = (
    sql.update(requests)
    .where(requests.c.id == sql.bindparam("of"))
    .values(status="done", turn=sql.bindparam("turn"), spans=sql.bindparam("spans"), ended=sql.bindparam("ended"))
)
_SPOKEN = (
    sql.update(conversations)
    .where(conversations.c.id == sql.bindparam("of"))
    .values(updated=sql.bindparam("updated"), state=sql.bindparam("state"))
)
_BEGUN = sql.insert(conversations)


@dataclass(frozen=True)
class ConversationInfo:
    """A conversation as a list shows it."""

    id: str
    title: str
    updated: str
    """ISO time of its last turn"""
    state: str


@dataclass(frozen=True)
class StoredRequest:
    """A message or button press as it was written down, and its Turn when it has one."""

    id: str
    thread: str
    digest: str
    given: dict[str, Any]
    status: RequestStatus
    turn: Turn | None


@dataclass(frozen=True)
class TraceInfo:
    """A turn's trace: its spans in order."""

    request: str
    thread: str
    message: str
    ended: str
    spans: tuple[Span, ...]


class Store:
    """The tables, opened. Safe to use from several threads and processes."""

    def __init__(self, url: str, home: Path) -> None:
        own = url.startswith("sqlite")
        try:
            home.mkdir(parents=True, exist_ok=True)
            self._engine = sql.create_engine(url, pool_pre_ping=not own)
            if self._engine.dialect.name == "sqlite":
                sql.event.listen(self._engine, "connect", _sqlite_settings)
            if self._version() != HEAD:
                with FileLock(home / "migrate.lock"):
                    self._migrate()
        except OSError as error:
            raise SettingsRefused(home_refusal(home, error)) from error
        except (sql.exc.SQLAlchemyError, ImportError) as error:
            raise SettingsRefused(_refusal(home, error, own=own)) from error

    def close(self) -> None:
        """Let go of every connection."""
        self._engine.dispose()

    # requests

    def request(self, request: str) -> StoredRequest | None:
        """A request by its id."""
        with self._engine.connect() as connection:
            row = connection.execute(sql.select(requests).where(requests.c.id == request)).one_or_none()
        return _stored(row) if row else None

    def arrived(
        self, request: str, thread: str, given: dict[str, Any], *, status: RequestStatus, at: datetime
    ) -> tuple[StoredRequest, ...]:
        """Write a request down; gives its thread's requests without a Turn, oldest first, itself among them.

        Empty when its id is there already: nothing is changed then.
        """
        values = {
            "id": request,
            "thread": thread,
            "digest": digest_of(thread, given),
            "given": json.dumps(given, ensure_ascii=False),
            "status": status,
            "message": given["message"],
            "arrived": _iso(at),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(_ARRIVED, values)
                before = connection.execute(_UNFINISHED_BEFORE, {"of": thread, "own": request}).all()
        except sql.exc.IntegrityError:
            return ()
        own = StoredRequest(request, thread, values["digest"], given, status, None)
        return (*(_stored(row) for row in before), own)

    def unfinished(self, thread: str) -> tuple[StoredRequest, ...]:
        """The thread's requests without a Turn, oldest first."""
        with self._engine.connect() as connection:
            return tuple(_stored(row) for row in connection.execute(_UNFINISHED, {"of": thread}))

    def finish(self, turn: Turn, recorded: tuple[Span, ...], at: datetime) -> None:
        """Keep a Turn with its trace and its conversation's state, in one transaction."""
        ended = _iso(at)
        done = {
            "of": turn.request,
            "turn": json.dumps(turn.as_json(), ensure_ascii=False),
            "spans": json.dumps([span._asdict() for span in recorded], ensure_ascii=False),
            "ended": ended,
        }
        with self._engine.begin() as connection:
            connection.execute(_DONE, done)
            updated = {"of": turn.thread, "updated": ended, "state": turn.state}
            if not connection.execute(_SPOKEN, updated).rowcount:
                begun = {"id": turn.thread, "title": _title(turn.message), "created": ended}
                connection.execute(_BEGUN, begun | {"updated": ended, "state": turn.state})

    # conversations

    def conversations(self, search: str = "") -> tuple[ConversationInfo, ...]:
        """Conversations, the latest first; with words, those whose title or messages hold them."""
        query = sql.select(conversations).order_by(conversations.c.updated.desc(), conversations.c.id)
        if words := search.strip():
            said = sql.select(requests.c.thread).where(requests.c.message.icontains(words, autoescape=True))
            query = query.where(
                sql.or_(conversations.c.title.icontains(words, autoescape=True), conversations.c.id.in_(said))
            )
        with self._engine.connect() as connection:
            return tuple(
                ConversationInfo(row.id, row.title, row.updated, row.state) for row in connection.execute(query)
            )

    def rename(self, thread: str, title: str) -> None:
        """Give a conversation another name."""
        with self._engine.begin() as connection:
            connection.execute(
                sql.update(conversations).where(conversations.c.id == thread).values(title=_title(title))
            )

    def delete(self, thread: str) -> None:
        """Forget a conversation with everything said in it. What it wrote into the book stays."""
        with self._engine.begin() as connection:
            connection.execute(sql.delete(requests).where(requests.c.thread == thread))
            connection.execute(sql.delete(conversations).where(conversations.c.id == thread))

    def turns(self, thread: str) -> tuple[Turn, ...]:
        """A conversation's turns in order."""
        query = sql.select(requests.c.turn).where(requests.c.thread == thread, requests.c.status == "done")
        with self._engine.connect() as connection:
            return tuple(
                turn_from_json(json.loads(row.turn)) for row in connection.execute(query.order_by(requests.c.number))
            )

    # traces

    def trace(self, request: str) -> TraceInfo | None:
        """What a finished turn did."""
        with self._engine.connect() as connection:
            about = connection.execute(
                sql.select(requests).where(requests.c.id == request, requests.c.status == "done")
            ).one_or_none()
        if about is None:
            return None
        recorded = tuple(Span(**span) for span in json.loads(about.spans))
        return TraceInfo(about.id, about.thread, about.message, about.ended, recorded)

    # preferences

    def preference(self, name: str) -> str | None:
        """A kept choice, such as the current book."""
        with self._engine.connect() as connection:
            return connection.execute(
                sql.select(preferences.c.value).where(preferences.c.name == name)
            ).scalar_one_or_none()

    def preferences_like(self, beginning: str) -> tuple[tuple[str, str], ...]:
        """The kept choices whose name begins so, by name."""
        query = sql.select(preferences).where(preferences.c.name.startswith(beginning, autoescape=True))
        with self._engine.connect() as connection:
            return tuple((row.name, row.value) for row in connection.execute(query.order_by(preferences.c.name)))

    def forget_preference(self, name: str) -> None:
        """Let go of a kept choice."""
        with self._engine.begin() as connection:
            connection.execute(sql.delete(preferences).where(preferences.c.name == name))

    def prefer(self, name: str, value: str) -> None:
        """Keep a choice."""
        with self._engine.begin() as connection:
            connection.execute(sql.delete(preferences).where(preferences.c.name == name))
            connection.execute(sql.insert(preferences).values(name=name, value=value))

    # migrations

    def _version(self) -> str | None:
        """The migration the tables are at; None for an empty database."""
        try:
            with self._engine.connect() as connection:
                return connection.execute(sql.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
        except (sql.exc.OperationalError, sql.exc.ProgrammingError):
            return None

    def _migrate(self) -> None:
        from alembic import command
        from alembic.config import Config

        if self._version() == HEAD:
            return
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def digest_of(thread: str, given: dict[str, Any]) -> str:
    """What a request id stands for: the thread and what was said or pressed."""
    said = {name: given.get(name) for name in ("message", "action", "proposal", "changes")}
    said |= {"write": given["write"]} if given.get("write") else {}  # a name of its own: older digests stay the same
    said |= {"rows": given["rows"]} if given.get("rows") else {}
    return hashlib.sha256(json.dumps([thread, said], sort_keys=True).encode()).hexdigest()


def copy_sqlite(path: Path, target: Path) -> None:
    """A whole copy of an SQLite file that may be in use."""
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def _refusal(home: Path, error: Exception, *, own: bool) -> str:
    """Why the store cannot be opened, in a sentence; never the URL, which may hold a password."""
    if own:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        return f"The conversations kept in {home} cannot be opened: {why}."
    match error:
        case sql.exc.ArgumentError() | ImportError():
            return (
                "MUNSHI_DATABASE_URL cannot be used: it is no database's address, like "
                "postgresql://name:password@host/database. Leave it empty to keep conversations in a file."
            )
        case _:
            return "MUNSHI_DATABASE_URL cannot be used: the database it names does not answer, or refuses the login."


def _sqlite_settings(connection: sqlite3.Connection, _record: object) -> None:
    """WAL: readers never wait for the writer. NORMAL: a power cut may cost the last turns, never the file."""
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _stored(row: Any) -> StoredRequest:
    turn = turn_from_json(json.loads(row.turn)) if row.turn else None
    return StoredRequest(row.id, row.thread, row.digest, json.loads(row.given), row.status, turn)


def _title(message: str) -> str:
    words = " ".join(message.split())
    return (words[:57] + "…" if len(words) > 58 else words) or "New conversation"


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
