"""How long each step on the Ledger page takes its script, on a book of 10,000 and one of 100,000 rows.

The page is run by `python -m frame.timed` in a process of its own: this package knows no Streamlit. At 10,000 rows
every step after the first reading has to stay under a second; at 100,000 it is shown and not judged.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from evaluation.bench import Line, in_own_process
from evaluation.bench_ledger import YEAR, make_book

SIZES = (10_000, 100_000)
JUDGED_TO = 10_000
ALLOWED = 1.0
"""seconds of a step"""
ROOT = Path(__file__).resolve().parent.parent


def bench_app(sizes: Sequence[int] = SIZES, runs: int = 3) -> Iterator[Line]:
    """A line a step and size, the median of the runs."""
    with tempfile.TemporaryDirectory() as folder:
        for rows in sizes:
            book = Path(folder) / f"{rows}" / f"Budget_{YEAR}.xlsx"
            book.parent.mkdir()
            in_own_process(make_book, book, rows)
            taken = [_measured(book.read_bytes(), Path(folder) / f"{rows}-{run}") for run in range(runs)]
            for step in taken[0]:
                yield Line(
                    f"{rows:,} rows",
                    f"Ledger: {step}",
                    median(each[step] for each in taken),
                    "a second",
                    ALLOWED,
                    bar=1.0 if rows <= JUDGED_TO and step != "read the book" else None,
                    faster=False,
                )


def _measured(data: bytes, folder: Path) -> Mapping[str, float]:
    folder.mkdir()
    book = folder / f"Budget_{YEAR}.xlsx"
    book.write_bytes(data)
    command = [sys.executable, "-m", "frame.timed", str(book), str(folder / "home")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the page could not be timed: {done.stderr[-2000:]}")
    result: Mapping[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result
