"""`python -m ledger import STATEMENT --book BOOK`: what a statement would bring in; with `--yes` it is written."""

import argparse
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ledger.entries import MODE_NAMES, MODES, BookRefused
from ledger.statements.statement import Said, Statement, read_statement
from ledger.statements.taking_over import Taken, take_over, told
from ledger.store import BookStore
from money import rupees


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("statement", type=Path, metavar="STATEMENT")
    parser.add_argument("--book", type=Path, required=True, metavar="BOOK.xlsx")
    parser.add_argument("--mode", choices=MODES, help="where its money is kept, where its format does not say")
    parser.add_argument("--month-first", action="store_true", help="its dates begin with the month")
    parser.add_argument("--positive", choices=("in", "out"), help="what amounts without a sign are")
    parser.add_argument("--home", type=Path, default=Path(".munshi"), metavar="DIR", help="where versions are kept")
    parser.add_argument("--yes", action="store_true", help="write it; without this nothing is written")


def run(options: argparse.Namespace) -> Iterator[str]:
    """Lines of what is new, written when told to. Raises BookRefused with what to do."""
    positive = {"in": "CREDIT", "out": "DEBIT", None: None}[options.positive]
    said = Said(day_first=False if options.month_first else None, positive=positive)  # type: ignore[arg-type]
    statement = read_statement(options.statement.read_bytes(), options.statement.name, said)
    mode = options.mode or statement.mode
    if mode is None:
        raise BookRefused(f"Nothing in {statement.name} says where its money is kept. Name it with --mode.")
    if options.yes and statement.sign_asked:
        raise BookRefused("Its amounts have no sign and nothing says which way they went. Say --positive in or out.")
    store = BookStore(options.book, options.home, lambda: datetime.now(UTC))  # noqa: TID251 - the outermost edge
    taken = take_over(statement, store.read().book, mode)
    yield from lines(taken, statement)
    if not taken.new:
        return
    if not options.yes:
        yield "Nothing was written. Add --yes to write it."
        return
    receipt = store.write([draft for _, draft in taken.new], request=uuid.uuid4().hex, who="command line")
    yield f"Written: {len(receipt.cells)} rows. {MODE_NAMES[mode]} holds {rupees(receipt.balances[mode])}."


def lines(taken: Taken, statement: Statement) -> Iterator[str]:
    """What is printed: how it was read, what was found, and every new row."""
    if not statement.known:
        columns = ", ".join(f"{statement.captions.get(at, '')} is {role}" for role, at in statement.roles.items())
        yield f"Not a bank's format that is known; read so: {columns}."
    if statement.order == "either" and not statement.known:
        yield "Its dates could begin with the day or the month; the day is taken. --month-first takes the month."
    yield from told(taken)
    for _, draft in taken.new:
        sign = "+" if draft.direction == "CREDIT" else "-"
        amount = f"{sign}{rupees(draft.amount)}"
        yield f"  {draft.date:%d-%m-%Y}  {amount}  {draft.description}  {draft.category or ''}".rstrip()
