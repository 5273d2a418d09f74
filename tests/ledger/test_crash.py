"""A write cut off at any instant, and two programs writing at once: never half a book, never a row twice, none lost.

`ledger/test_durable.py` kills at every system call of a replacement; here whole writes to a real book die at instants
spread over the time a write takes.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.entries import MODES, Category, Draft
from ledger.patch import patch
from ledger.plan import plan_write
from ledger.store import BookStore
from ledger.template import new_book

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills forked children")

soak = pytest.mark.soak


class Worker:
    """The program of `crash_worker.py`, kept running."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("crash_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *writes: dict, kill: float | None = None) -> list[dict | None]:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps({"writes": writes, "kill": kill}), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    started = Worker()
    yield started
    started.close()


class Desk:
    """A book of 200 rows, Munshi's home, and the orders that write to it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "Budget_2026.xlsx"
        self.home = folder / "home"
        rows = [
            Draft(date(2026, 11, 1 + number % 30), f"ROW {number}", MODES[number % 4], "DEBIT", Decimal(10), "Food")
            for number in range(200)
        ]
        self.path.write_bytes(
            new_book(
                year=2026,
                budget=(Category("Food", "HOME", Decimal(9000), essential=True),),
                openings=dict.fromkeys(MODES, Decimal(50_000)),
                opening_date=date(2026, 11, 1),
                lists={},
                drafts=sorted(rows, key=lambda row: row.date),
                first_month=11,
            )
        )

    @property
    def store(self) -> BookStore:
        return BookStore(self.path, self.home, lambda: datetime(2026, 11, 30, 12))

    def order(self, request: str, expected: str | None = None) -> dict:
        return {
            "book": str(self.path),
            "home": str(self.home),
            "request": request,
            "description": f"coffee {request}",
            "expected": expected,
        }

    def hash(self) -> str:
        return sha256(self.path.read_bytes()).hexdigest()

    def hash_after(self, request: str) -> str:
        """What the book's bytes will be once this request is in it."""
        opened = self.store.read()
        draft = Draft(date(2026, 11, 30), f"coffee {request}", "PHONEPE", "DEBIT", Decimal("1.00"), None)
        return sha256(patch(opened.workbook, plan_write(opened.workbook, opened.book, [draft], {}))).hexdigest()

    def coffees(self) -> Counter[str]:
        return Counter(
            entry.description.removeprefix("COFFEE ").lower()
            for entry in self.store.read().book.entries
            if entry.description.startswith("COFFEE")
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=soak)])
def test_a_kill_at_a_random_instant_leaves_the_old_book_or_the_new_one_and_redelivery_one_row(
    worker: Worker, desk: Desk, kills: int
) -> None:
    (finished,) = worker.run(desk.order("whole"))
    assert finished
    duration = finished["seconds"]
    chance = random.Random(kills)
    written: list[str] = ["whole"]
    ends: Counter[str] = Counter()
    for number in range(kills):
        request = f"k{number}"
        old, new = desk.hash(), desk.hash_after(request)
        (said,) = worker.run(desk.order(request), kill=duration * 1.4 * (number + chance.random()) / kills)
        left = desk.hash()
        assert left in (old, new)
        assert said is None or left == new
        ends["new" if left == new else "old"] += 1
        (again,) = worker.run(desk.order(request))
        assert again
        assert again["after"] == desk.hash() == new
        if left == old:
            duration = again["seconds"]  # the machine may have become slower or faster since
        written.append(request)
        assert {path.name for path in desk.path.parent.iterdir()} == {desk.path.name, "home"}
    assert desk.coffees() == Counter(written)
    assert set(ends) == {"old", "new"}
    outcomes: dict[str, list[str]] = {}
    for line in desk.store.history():
        outcomes.setdefault(line.request, []).append(line.outcome)
    assert set(outcomes) == set(written)
    assert all(each[-1] == "done" and set(each[:-1]) <= {"aborted"} for each in outcomes.values())
    opened = desk.store.read()
    assert opened.book.disagreements == ()


@pytest.mark.parametrize("rounds", [10, pytest.param(100, marks=soak)])
def test_two_programs_writing_at_once_lose_no_row_and_tell_the_one_that_came_second(
    worker: Worker, desk: Desk, rounds: int
) -> None:
    for number in range(rounds):
        shown = desk.hash()
        orders = [desk.order(f"{hand}{number}", expected=shown) for hand in ("left", "right")]
        said = worker.run(*orders)
        assert all(said)
        clean = [answer for answer in said if answer and answer.get("cells") and not answer["notes"]]
        assert len(clean) == 1, said
        (other,) = [answer for answer in said if answer is not clean[0]]
        assert other
        assert other.get("says") or "had been changed since this was shown" in " ".join(other["notes"])
        for order, answer in zip(orders, said, strict=True):
            if answer and answer.get("refused"):
                worker.run({**order, "expected": desk.hash()})
    assert desk.coffees() == Counter(f"{hand}{number}" for hand in ("left", "right") for number in range(rounds))
    assert desk.store.read().book.disagreements == ()
