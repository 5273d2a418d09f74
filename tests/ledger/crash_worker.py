"""Writes to a book in children that die: imports once, then forks afresh for every line of JSON on stdin.

    {"writes": [{"book", "home", "request", "description", "expected"}, …], "kill": null | seconds}

Each write is a child of its own, all let go at the same instant; with `kill` they are killed that long after. Answers a
line of JSON: what each child said of its write, or null for one that died first.
"""

import json
import os
import signal
import sys
import time
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ledger.entries import BookRefused, Draft
from ledger.store import BookStore


def write(order: dict) -> dict:
    store = BookStore(Path(order["book"]), Path(order["home"]), lambda: datetime(2026, 11, 30, 12))
    draft = Draft(date(2026, 11, 30), order["description"], "PHONEPE", "DEBIT", Decimal("1.00"), None)
    begin = time.perf_counter()
    try:
        receipt = store.write([draft], request=order["request"], who="crash", expected=order.get("expected"))
    except BookRefused as refusal:
        return {"refused": type(refusal).__name__, "says": str(refusal)}
    seconds = time.perf_counter() - begin
    return {"cells": receipt.cells, "notes": receipt.notes, "after": receipt.after, "seconds": seconds}


def run(orders: list[dict], kill: float | None) -> list[dict | None]:
    ready, readies = os.pipe()
    gate, opener = os.pipe()
    children = [child(order, readies, gate, opener) for order in orders]
    for _ in children:
        os.read(ready, 1)
    os.close(opener)
    if kill is not None:
        time.sleep(kill)
        for pid, _ in children:
            os.kill(pid, signal.SIGKILL)
    said = [answer(pid, says) for pid, says in children]
    for end in (ready, readies, gate):
        os.close(end)
    return said


def child(order: dict, readies: int, gate: int, opener: int) -> tuple[int, int]:
    says, say = os.pipe()
    pid = os.fork()
    if pid:
        os.close(say)
        return pid, says
    try:
        os.close(opener)
        os.write(readies, b".")
        os.read(gate, 1)  # until the parent closes the gate
        os.write(say, json.dumps(write(order)).encode())
    finally:
        os._exit(0)


def answer(pid: int, says: int) -> dict | None:
    with os.fdopen(says, "rb") as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else None


if __name__ == "__main__":
    for line in sys.stdin:
        order = json.loads(line)
        sys.stdout.write(json.dumps(run(order["writes"], order.get("kill"))) + "\n")
        sys.stdout.flush()
