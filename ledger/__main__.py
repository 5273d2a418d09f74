"""The book at the command line: `new` makes one, `check` says what stands in one, `import` brings a statement into one.

Exit status: 0 done, 1 refused (the reason on standard error), 2 wrong usage.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ledger.check import report, report_of_tables
from ledger.entries import BookRefused
from ledger.foreign import OtherLayout, open_book
from ledger.intake import book_from_json
from ledger.statements import command
from ledger.template import blank_book
from ledger.workbook import Workbook


def main(arguments: Sequence[str]) -> int:
    """Run one command; gives the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "new":
            return _new(options.book, options.year, options.source, options.today)
        if options.command == "import":
            for line in command.run(options):
                print(line)
            return 0
        return _check(options.book)
    except BookRefused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}.", file=sys.stderr)
        return 1


def _new(path: Path, year: int | None, source: Path | None, today: date) -> int:
    if path.suffix.lower() != ".xlsx":
        raise BookRefused(f"{path.name} must end in .xlsx.")
    data = blank_book(year or today.year, today) if source is None else book_from_json(source.read_bytes(), source.name)
    try:
        # "x": a book that is already there is never written over
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise BookRefused(f"{path} is there already. Choose another name, or move it away first.") from error
    print(f"{path} is ready.")
    return 0


def _check(path: Path) -> int:
    workbook = Workbook(path.read_bytes(), path.name)
    try:
        print(report(workbook, open_book(workbook)), end="")
    except OtherLayout as other:
        print(report_of_tables(workbook, other.recognised), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ledger", description="The Excel budget book.")
    commands = parser.add_subparsers(dest="command", required=True)
    new = commands.add_parser("new", help="make a book: the blank template, or one with entries")
    new.add_argument("book", type=Path, metavar="BOOK.xlsx")
    contents = new.add_mutually_exclusive_group()
    contents.add_argument("--year", type=_year, help="the calendar year of a blank book; this year when left out")
    contents.add_argument("--from", dest="source", type=Path, metavar="FILE.json", help="entries, budget and openings")
    new.add_argument("--today", type=date.fromisoformat, default=_today(), metavar="YYYY-MM-DD")
    check = commands.add_parser(
        "check", help="say what stands in a book, what cannot be read, and whether its balances agree"
    )
    command.add_arguments(commands.add_parser("import", help="say what a statement would bring into a book"))
    check.add_argument("book", type=Path, metavar="BOOK.xlsx")
    return parser


def _year(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1990 <= int(text) <= 2199):
        raise argparse.ArgumentTypeError(f"{text} is not a year from 1990 to 2199")
    return int(text)


def _today() -> date:
    return date.today()  # noqa: DTZ011, TID251 - the outermost edge: a person's own day where none is given


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
