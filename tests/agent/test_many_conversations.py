"""Twenty people talk to one workbench at once: each is answered as if alone, and the book adds up."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl

from agent import Settings, Workbench, clock_on

PEOPLE = 20


def conversation(bench: Workbench, number: int) -> dict[str, object]:
    """One person's talk: a question, an entry, a change of it, yes, and what was said to each."""
    thread = f"person-{number}"
    amount = 10 + number
    asked = bench.ask("how much did I spend on rent in october", thread=thread)
    card = bench.ask(f"snack{chr(97 + number)}x 5 cash", thread=thread)
    changed = bench.ask(f"make it {amount}", thread=thread)
    if number % 4 == 0:
        ended = bench.ask("cancel", thread=thread)
    else:
        ended = bench.ask("yes", thread=thread)
        for _ in range(PEOPLE):  # a write of somebody else in between shows the card again, and a second yes saves it
            if ended.written or ended.state == "idle":
                break
            ended = bench.ask("yes", thread=thread)
    return {"asked": asked, "card": card, "changed": changed, "ended": ended, "amount": amount}


def test_twenty_conversations_at_once_are_answered_each_by_itself(tmp_path: Path) -> None:
    with Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(date(2026, 11, 30))) as bench:
        path = bench.open_sample()
        store = bench.book()
        assert store is not None
        before = store.read().book
        with ThreadPoolExecutor(PEOPLE) as people:
            talks = list(people.map(lambda number: conversation(bench, number), range(PEOPLE)))
        after = store.read().book

    answers = {talk["asked"].reply for talk in talks}
    assert len(answers) == 1
    for number, talk in enumerate(talks):
        (item,) = talk["changed"].batch
        assert (item.description.upper(), item.amount) == (f"SNACK{chr(65 + number)}X", Decimal(talk["amount"]))
        assert bool(talk["ended"].written) == (number % 4 != 0), talk["ended"].reply
    saved = [talk["amount"] for number, talk in enumerate(talks) if number % 4 != 0]
    new = [entry for entry in after.entries if entry.description.upper().startswith("SNACK")]
    assert sorted(entry.amount for entry in new) == sorted(map(Decimal, saved))
    assert after.balances["MONEY"] == before.balances["MONEY"] - sum(saved)
    rows = openpyxl.load_workbook(path)["CASH TRACKER"].iter_rows(min_row=12, values_only=True)
    assert sum(1 for row in rows if str(row[3] or "").startswith("SNACK")) == len(saved)
