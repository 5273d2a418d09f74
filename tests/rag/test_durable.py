"""A library that is killed, damaged or used from two sides at once stays one consistent version."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from rag import Added, Library, Progress
from rag.dense import Model

ROOT = Path(__file__).parents[2]
TEXT = "\f".join(f"# Part {n}\n\nSubject number {n}000 is dealt with at length here, in words." for n in range(1, 61))
ADDING = """
import sys, time
from datetime import datetime
from pathlib import Path
import numpy as np
from rag import Library
from rag.dense import Model

class Slow:
    def vectors(self, texts):
        time.sleep(0.01)
        return np.asarray([[len(text), 1.0] for text in texts], np.float32)

print("up", flush=True)
Library.open(Path(sys.argv[1]), now=lambda: datetime(2026, 11, 30), model=Model("lengths", 2, Slow)).add(
    Path(sys.argv[2]), progress=lambda progress: time.sleep(0.003)
)
"""


class Lengths:
    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        return np.asarray([[len(text), 1.0] for text in texts], np.float32)


LENGTHS = Model("lengths", 2, Lengths)


def opened(folder: Path) -> Library:
    return Library.open(folder, now=lambda: datetime(2026, 11, 30), model=LENGTHS)


def contents(folder: Path) -> list[list[tuple[object, ...]]]:
    with sqlite3.connect(folder / "library.sqlite") as database:
        return [
            database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("pages", "chunks", "vectors")
        ] + [database.execute("SELECT id, state, guessed, notes FROM documents").fetchall()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "parts.md"
    path.write_text(TEXT)
    return path


@pytest.fixture
def undisturbed(tmp_path: Path, file: Path) -> list[list[tuple[object, ...]]]:
    opened(tmp_path / "undisturbed").add(file)
    return contents(tmp_path / "undisturbed")


def killed_while_adding(folder: Path, file: Path, seconds: float) -> None:
    child = subprocess.Popen([sys.executable, "-c", ADDING, str(folder), str(file)], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()


def goes_on_after_a_kill(folder: Path, file: Path, seconds: float, wanted: list[list[tuple[object, ...]]]) -> None:
    killed_while_adding(folder, file, seconds)
    library = opened(folder)
    library.search("subject 7000")
    library.resume()
    library.add(file)
    assert contents(folder) == wanted
    assert library.search("subject 7000")[0].page == 7


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_run_goes_on_to_the_same_library_as_an_undisturbed_one(
    tmp_path: Path, file: Path, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    for run, seconds in enumerate((0.1, 0.5, 0.8)):
        goes_on_after_a_kill(tmp_path / f"killed{run}", file, seconds, undisturbed)


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_fifty_kills_at_random_instants_leave_the_same_library(
    tmp_path: Path, file: Path, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    chance = random.Random(7)
    for run in range(50):
        goes_on_after_a_kill(tmp_path / f"killed{run}", file, chance.uniform(0, 1.5), undisturbed)


@pytest.mark.parametrize("step", ["pages", "vectors"])
def test_adding_can_be_stopped_and_goes_on_from_there(
    tmp_path: Path, file: Path, step: str, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    library, told = opened(tmp_path / "stopped"), list[Progress]()
    outcome = library.add(file, progress=told.append, stop=lambda: told[-1].step == step and told[-1].done >= 20)
    assert isinstance(outcome, Added)
    assert outcome.outcome == "stopped"
    told.clear()
    library.resume(progress=told.append)
    assert contents(tmp_path / "stopped") == undisturbed
    assert step == "vectors" or min(progress.done for progress in told if progress.step == "pages") > 20


def test_a_flipped_byte_in_a_vector_is_seen_and_the_vector_made_again(
    tmp_path: Path, file: Path, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    folder = tmp_path / "library"
    opened(folder).add(file)
    with sqlite3.connect(folder / "library.sqlite") as database:
        database.execute("UPDATE vectors SET vector = x'00000000' || substr(vector, 5) WHERE number = 3")
    library = opened(folder)
    assert library.search("subject 7000")[0].page == 7
    assert library.documents()[0].state == "lexical"
    library.resume()
    assert contents(folder) == undisturbed


@pytest.mark.parametrize("table", ["pages", "chunks"])
def test_a_flipped_byte_in_a_page_or_chunk_is_seen_and_the_file_read_again(
    tmp_path: Path, file: Path, table: str, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    folder = tmp_path / "library"
    opened(folder).add(file)
    column = "body" if table == "pages" else "tokens"
    with sqlite3.connect(folder / "library.sqlite") as database:
        database.execute(f"UPDATE {table} SET {column} = replace({column}, '7000', '9999') WHERE number IN (6, 7)")
    library = opened(folder)
    assert all("9999" not in passage.text for passage in library.search("subject 9999 7000"))
    library.resume()
    assert contents(folder) == undisturbed


def test_a_database_that_cannot_be_opened_is_made_again_from_the_files(
    tmp_path: Path, file: Path, undisturbed: list[list[tuple[object, ...]]]
) -> None:
    folder = tmp_path / "library"
    opened(folder).add(file)
    with (folder / "library.sqlite").open("r+b") as database:
        database.write(b"\x00" * 5000)
    library = opened(folder)
    library.resume()
    assert contents(folder) == undisturbed
    assert (folder / "damaged-library.sqlite").exists()


def test_a_document_deleted_while_it_is_read_stays_deleted(tmp_path: Path, file: Path) -> None:
    library = opened(tmp_path / "library")

    def delete(progress: Progress) -> None:
        if progress.done == 30:
            library.remove(library.documents()[0].id)

    library.add(file, progress=delete)
    assert library.documents() == ()
    assert library.search("subject 7000") == ()


def test_searching_while_a_file_is_added_never_fails_and_sees_it_whole_or_not_at_all(
    tmp_path: Path, file: Path
) -> None:
    library, seen, ended = opened(tmp_path / "library"), set[int](), threading.Event()

    def ask() -> None:
        while not ended.is_set():
            seen.add(len(library.search("subject dealt with", k=1000)))

    asking = threading.Thread(target=ask)
    asking.start()
    library.add(file)
    time.sleep(0.1)
    ended.set()
    asking.join()
    assert seen <= {0, 60}
