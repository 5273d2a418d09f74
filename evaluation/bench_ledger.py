"""Appending to a book and reading it, beside what people use for that.

    append   a new BookStore on the file, one row planned, patched, verified and durable on the disk
             beside  openpyxl load + append + save              (bar: 5 times faster, no more memory)
             beside  rewriting the zip with nothing changed     (how far from the limit of any writer)
    read     Workbook + read_book from the file
             beside  python-calamine's raw read of every sheet  (bar: under 3 times its time)

The books are made for it: rows in turn over the four modes, spread over one year.
"""

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import perf_counter

from evaluation.bench import Line, Measure, in_own_process, medians
from ledger.entries import MODES, Category, Draft, Mode

SIZES = (1_000, 10_000, 100_000)
YEAR = 2026
LAST_DAY = date(YEAR, 12, 31)
ONCE_FROM = 50_000
"""rows from which openpyxl, a minute a run, runs only once"""
JUDGED_FROM = 10_000
"""rows from which the bars are meant; below it the figures are shown"""

BUDGET = (
    Category("Food", "HOME", Decimal(12000), essential=True, words=("groceries", "milk", "vegetables")),
    Category("Rent", "HOME", Decimal(18000), essential=True, words=("rent",)),
    Category("Travel", "PERSONAL", Decimal(4000), essential=False, words=("bus", "auto", "metro")),
    Category("Eating out", "AVOID", Decimal(3000), essential=False, words=("swiggy", "cafe")),
    Category("Shopping", "WISHLIST", Decimal(5000), essential=False, words=("amazon", "myntra")),
)
_WORDS = ("GROCERIES", "MILK", "VEGETABLES", "BUS", "AUTO", "METRO", "SWIGGY", "CAFE", "AMAZON", "MYNTRA")
_CATEGORIES = ("Food", "Food", "Food", "Travel", "Travel", "Travel", "Eating out", "Eating out", "Shopping", "Shopping")


def bench_ledger(sizes: Sequence[int] = SIZES, runs: int = 3) -> Iterator[Line]:
    """The figures for books of these many rows, as they come."""
    with tempfile.TemporaryDirectory() as scratch:
        for rows in sizes:
            book = Path(scratch) / f"Budget_{YEAR}_{rows}.xlsx"
            in_own_process(make_book, book, rows)
            yield from _append_lines(book, rows, runs)
            yield _read_line(book, rows, runs)


def drafts(rows: int) -> tuple[Draft, ...]:
    """That many entries over the year in date order, in turn over the four modes, money in often enough."""
    first = date(YEAR, 1, 1)
    return tuple(
        Draft(
            date=first + timedelta(days=number * 365 // rows),
            description=f"{_WORDS[number % 10]} {number % 97}" if number % 40 > 3 else "SALARY",
            mode=MODES[number % 4],
            direction="DEBIT" if number % 40 > 3 else "CREDIT",
            amount=Decimal(10 + number * 7 % 990) + Decimal(number % 100) / 100 if number % 40 > 3 else Decimal(25000),
            category=_CATEGORIES[number % 10] if number % 40 > 3 else None,
        )
        for number in range(rows)
    )


def make_book(book: Path, rows: int) -> float:
    """Write the book that is measured on; the seconds it took."""
    from ledger.template import new_book

    start = perf_counter()
    book.write_bytes(
        new_book(
            year=YEAR,
            budget=BUDGET,
            openings=dict.fromkeys(MODES, Decimal(50000)),
            opening_date=date(YEAR, 1, 1),
            lists={},
            drafts=drafts(rows),
            first_month=1,
        )
    )
    return perf_counter() - start


def append_with_munshi(book: Path, mode: Mode) -> float:
    """Seconds from the file on the disk to one more row in it, verified and durable.

    PHONEPE goes to December's sheet, BANK to CASH TRACKER, which holds half of all rows.
    """
    from ledger.store import BookStore

    with _copy_of(book) as copy:
        row = Draft(LAST_DAY, "coffee", mode, "DEBIT", Decimal("100.00"), "Food")
        start = perf_counter()
        BookStore(copy, copy.parent / "home", _noon).write([row], request="bench", who="bench")
        return perf_counter() - start


def append_with_openpyxl(book: Path) -> float:
    """Seconds openpyxl takes to load the book, append a row to the same sheet and save it over itself."""
    from openpyxl import load_workbook

    with _copy_of(book) as copy:
        start = perf_counter()
        workbook = load_workbook(copy)
        workbook["DECEMBER"].append([None, None, datetime(YEAR, 12, 31), "COFFEE", "PHONEPE", 100.00])  # noqa: DTZ001
        workbook.save(copy)
        return perf_counter() - start


def rewrite_the_zip(book: Path) -> float:
    """Seconds to unpack every part and pack it again, unchanged: no writer that touches the large parts does less."""
    with _copy_of(book) as copy:
        start = perf_counter()
        again = copy.with_suffix(".tmp")
        with zipfile.ZipFile(copy) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED) as new:
            for part in old.infolist():
                new.writestr(part, old.read(part))
        again.replace(copy)
        return perf_counter() - start


def read_with_munshi(book: Path) -> float:
    """Seconds from the file to its entries, issues, cards and balances."""
    from ledger.book import read_book
    from ledger.workbook import Workbook

    start = perf_counter()
    read_book(Workbook(book.read_bytes(), book.name))
    return perf_counter() - start


def read_with_calamine(book: Path) -> float:
    """Seconds python-calamine takes to give every sheet's values as lists."""
    from python_calamine import CalamineWorkbook

    start = perf_counter()
    workbook = CalamineWorkbook.from_path(book)
    for name in workbook.sheet_names:
        workbook.get_sheet_by_name(name).to_python()
    return perf_counter() - start


def _append_lines(book: Path, rows: int, runs: int) -> Iterator[Line]:
    measures: tuple[Measure, ...] = (
        (append_with_munshi, (book, "PHONEPE")),
        (append_with_munshi, (book, "BANK")),
        (rewrite_the_zip, (book,)),
    )
    baseline: Measure = (append_with_openpyxl, (book,))
    if rows > ONCE_FROM:
        month, cash, zipped = medians(runs, measures)
        (theirs,) = medians(1, (baseline,))
    else:
        month, cash, zipped, theirs = medians(runs, (*measures, baseline))
    size = f"{rows:,} rows"
    for sheet, ours in (("a month", month), ("CASH TRACKER", cash)):
        what = f"verified durable append to {sheet}"
        yield Line(
            size,
            what,
            ours.seconds,
            "openpyxl load + append + save",
            theirs.seconds,
            bar=5.0 if rows >= JUDGED_FROM else None,
            peak_mb=ours.peak_mb,
            baseline_peak_mb=theirs.peak_mb,
        )
        yield Line(size, what, ours.seconds, "rewriting the zip unchanged", zipped.seconds, faster=False)


def _read_line(book: Path, rows: int, runs: int) -> Line:
    # over in an instant, so that a busy moment of the machine weighs more: three times the runs
    ours, theirs = medians(3 * runs, ((read_with_munshi, (book,)), (read_with_calamine, (book,))))
    return Line(
        f"{rows:,} rows",
        "first read",
        ours.seconds,
        "calamine raw read",
        theirs.seconds,
        bar=3.0 if rows == JUDGED_FROM else None,
        faster=False,
        peak_mb=ours.peak_mb,
        baseline_peak_mb=theirs.peak_mb,
    )


def _noon() -> datetime:
    return datetime(YEAR, 12, 31, 12)  # noqa: DTZ001 - the user's local time, as everywhere in the book


@contextmanager
def _copy_of(book: Path) -> Iterator[Path]:
    """A copy of the book in a folder of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(dir=book.parent) as folder:
        yield Path(shutil.copy(book, Path(folder) / f"Budget_{YEAR}.xlsx"))
