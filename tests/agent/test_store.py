"""Conversations, requests and traces as they are kept."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from alembic.config import Config
from alembic.script import ScriptDirectory

from agent import store as store_module
from agent.store import HEAD, Store, conversations, preferences, requests
from agent.trace import Span
from agent.turn import Turn

AT = datetime(2026, 11, 30, 18, 4, tzinfo=UTC)
NOBODY = "nobody"


def given(message: str) -> dict[str, Any]:
    return {"message": message, "action": "message", "proposal": None, "changes": [], "book": None, "today": None}


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A private cluster in a folder of its own; skipped where Postgres is not installed or may not be started."""
    if not shutil.which("initdb") or not shutil.which("pg_ctl"):
        pytest.skip("Postgres is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # not under pytest's own folder: that one is closed to the other user that Postgres wants when this is root
    with tempfile.TemporaryDirectory(prefix="munshi-postgres-", ignore_cleanup_errors=True) as folder:
        as_user: list[str] = []
        if subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip() == "0":
            shutil.chown(folder, NOBODY)
            as_user = ["setpriv", "--reuid", NOBODY, "--clear-groups"]

        def run(*command: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run([*as_user, *command], capture_output=True, text=True, cwd="/", check=False)

        data = f"{folder}/data"
        made = run("initdb", "-D", data, "-U", "munshi", "-A", "trust", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        started = (
            made.returncode or run("pg_ctl", "-D", data, "-l", f"{folder}/log", "-o", options, "-w", "start").returncode
        )
        if started:
            pytest.skip(f"a Postgres cluster could not be started: {made.stderr[-200:]}")
        try:
            yield f"postgresql+psycopg://munshi@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        opened = Store(f"sqlite:///{tmp_path / 'munshi.sqlite'}", tmp_path)
        yield opened
        opened.close()
        return
    url = request.getfixturevalue("postgres")
    opened = Store(url, tmp_path)
    yield opened
    with opened._engine.begin() as connection:
        for table in (conversations, requests, preferences):
            connection.execute(sql.delete(table))
    opened.close()


def test_a_finished_request_gives_its_turn_and_its_trace(store: Store) -> None:
    assert store.arrived("r1", "t1", given("tea 20 cash"), status="started", at=AT)
    turn = Turn("t1", "r1", "tea 20 cash", "Ready.", "awaiting_confirmation")
    store.finish(turn, (Span("classify", AT.isoformat(), 1.5, "ok", "tea"),), AT)
    kept = store.request("r1")
    assert kept is not None
    assert kept.turn == turn
    trace = store.trace("r1")
    assert trace is not None
    assert [span.node for span in trace.spans] == ["classify"]
    assert store.turns("t1") == (turn,)
    assert store.conversations()[0].state == "awaiting_confirmation"


def test_a_request_id_is_taken_once(store: Store) -> None:
    assert store.arrived("r1", "t1", given("tea"), status="started", at=AT)
    assert not store.arrived("r1", "t1", given("coffee"), status="started", at=AT)
    assert [each.given["message"] for each in store.unfinished("t1")] == ["tea"]


def test_what_waits_comes_in_the_order_it_arrived(store: Store) -> None:
    for number in range(3):
        store.arrived(f"r{number}", "t1", given(str(number)), status="waiting", at=AT)
    assert [each.id for each in store.unfinished("t1")] == ["r0", "r1", "r2"]


def test_conversations_are_found_by_title_and_by_what_was_said(store: Store) -> None:
    for thread, message in (("t1", "spent 100% on tea"), ("t2", "petrol")):
        store.arrived(thread, thread, given(message), status="started", at=AT)
        store.finish(Turn(thread, thread, message, "ok"), (), AT + timedelta(minutes=int(thread[1])))
    store.rename("t2", "Fuel")
    assert [info.id for info in store.conversations()] == ["t2", "t1"]
    assert [info.id for info in store.conversations("100%")] == ["t1"]
    assert [info.id for info in store.conversations("fuel")] == ["t2"]
    assert [info.id for info in store.conversations("PETROL")] == ["t2"]


def test_a_deleted_conversation_leaves_nothing(store: Store) -> None:
    store.arrived("r1", "t1", given("tea"), status="started", at=AT)
    store.finish(Turn("t1", "r1", "tea", "ok"), (Span("x", "", 1.0, "ok"),), AT)
    store.delete("t1")
    assert (store.turns("t1"), store.conversations(), store.trace("r1"), store.request("r1")) == ((), (), None, None)


def test_a_choice_is_kept_and_changed(store: Store) -> None:
    assert store.preference("book") is None
    store.prefer("book", "a.xlsx")
    store.prefer("book", "b.xlsx")
    assert store.preference("book") == "b.xlsx"


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'munshi.sqlite'}"
    first = Store(url, tmp_path)
    first.prefer("book", "a.xlsx")
    first.close()
    second = Store(url, tmp_path)
    assert second.preference("book") == "a.xlsx"
    second.close()


def test_the_newest_migration_is_the_one_the_store_wants() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(store_module.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_migrations_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    opened = Store(f"sqlite:///{tmp_path / 'munshi.sqlite'}", tmp_path)
    made = sql.inspect(opened._engine)
    for table in (conversations, requests, preferences):
        columns = {column["name"]: (str(column["type"]), column["nullable"]) for column in made.get_columns(table.name)}
        wanted = {
            column.name: (str(column.type.compile(opened._engine.dialect)), column.nullable) for column in table.columns
        }
        assert columns == wanted, table.name
    opened.close()
