"""The command line of the conversation.

    python -m agent ask "spent 500 on groceries via phonepe" --thread t1 [--json]
    python -m agent replay FILE.jsonl      one Turn a line of JSON for each line {"thread", "message", "request"?, …}
    python -m agent chat                   the conversation in a terminal
    python -m agent sample                 a first book: the sample, unless a book was chosen already
    python -m agent backup FILE.zip        everything in the home folder in one file
    python -m agent erase --yes            delete everything in the home folder

Exit code 0: done, 1: the input was refused (reason on stderr), 2: wrong usage.
"""

import argparse
import json
import sys
import uuid
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from agent import Clock, Settings, SettingsRefused, Turn, Workbench, clock_on, plain_text, system_clock
from agent.books import Books
from agent.home import HomeRefused, back_up, erase
from agent.store import Store
from agent.workbench import RequestReused
from ledger.entries import MODE_NAMES, BookRefused
from money import day_text, rupees


def main(arguments: Sequence[str]) -> int:
    """Run one command; gives the exit code."""
    given = _parser().parse_args(arguments)
    try:
        settings = Settings.read(home=given.home, book=given.book, model=given.model)
        match given.command:
            case "backup":
                count = back_up(settings.home, given.file)
                print(f"{count} files in {given.file}")
                return 0
            case "erase":
                return _erase(settings, sure=given.yes)
            case "sample":
                return _first_book(settings, clock_on(given.today) if given.today else system_clock)
            case _:
                with Workbench.open(settings, clock_on(given.today) if given.today else system_clock) as workbench:
                    return _talk(workbench, given)
    except (SettingsRefused, RequestReused, HomeRefused, InputRefused, BookRefused) as refused:
        print(refused, file=sys.stderr)
        return 1


class InputRefused(ValueError):
    """A file that is not there or cannot be replayed; the message names it, and the line."""


def _talk(workbench: Workbench, given: argparse.Namespace) -> int:
    if given.book and not given.book.expanduser().is_file():
        raise InputRefused(f"There is no book at {given.book}.")
    match given.command:
        case "ask":
            turn = workbench.ask(given.message, given.thread, given.request, book=given.book)
            print(json.dumps(turn.as_json(), ensure_ascii=False) if given.json else as_text(turn))
            return 0
        case "replay":
            for line in _lines(given.file):
                print(json.dumps(_replayed(workbench, line, given.book).as_json(), ensure_ascii=False), flush=True)
            return 0
        case _:
            return _chat(workbench, given)


def _replayed(workbench: Workbench, line: dict[str, Any], book: Path | None) -> Turn:
    """The Turn of a line. A refusal is a Turn too."""
    named = line.get("book") or book
    today = date.fromisoformat(line["today"]) if line.get("today") else None
    request = line.get("request")
    try:
        return workbench.ask(line["message"], line["thread"], request, book=Path(named) if named else None, today=today)
    except RequestReused as refused:
        return Turn(line["thread"], request or "", line["message"], str(refused), problem=str(refused))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputRefused(f"{path} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
            said["thread"], said["message"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputRefused(f"Line {number} of {path} is no JSON object with a thread and a message.") from error
        yield said


def _chat(workbench: Workbench, given: argparse.Namespace) -> int:
    thread = given.thread or uuid.uuid4().hex
    print("Tell me what you spent, or ask. An empty line ends it.")
    while True:
        try:
            message = input("› ").strip()
        except (EOFError, KeyboardInterrupt):
            message = ""
        if not message:
            return 0
        print(as_text(workbench.ask(message, thread, book=given.book)))


def _erase(settings: Settings, *, sure: bool) -> int:
    if not sure:
        raise HomeRefused(f"This deletes everything Munshi keeps in {settings.home}. Say it with --yes to do it.")
    gone = erase(settings.home)
    print(f"Deleted from {settings.home}: {', '.join(gone)}." if gone else f"There was nothing in {settings.home}.")
    return 0


def _first_book(settings: Settings, clock: Clock) -> int:
    """Make the sample the current book, but never in place of one that was chosen."""
    store = Store(settings.database, settings.home)
    try:
        books = Books(settings, store, clock)
        current = books.current()
        print(f"The book is {current.path if current else books.sample()}")
    finally:
        store.close()
    return 0


def as_text(turn: Turn) -> str:
    """A Turn as a terminal shows it: the reply, the card, the rows."""
    parts = [plain_text(turn.reply)]
    parts += [
        f"  {item.item}. {day_text(item.date, item.date)}  {item.description}  {item.category or '-'}  "
        f"{MODE_NAMES[item.mode]}  {'+' if item.direction == 'CREDIT' else '−'}{rupees(item.amount)}"  # type: ignore[index]
        for item in turn.batch
    ]
    parts += [f"     {change.label}: {rupees(change.before)} → {rupees(change.after)}" for change in turn.changes]
    if turn.batch:
        parts += [f"     {note}" for note in turn.notes]
    parts += [
        f"  {day_text(row.date, row.date)}  {row.description}  {row.category or '-'}  {rupees(row.amount)}  {row.cell}"
        for row in turn.rows
    ]
    for chart in turn.charts:
        parts += ["", chart.title, *("  " + "  ".join(cells) for cells in (chart.columns, *chart.rows))]
    return "\n".join(parts)


_REPLAY = (
    "Say every line of a file of JSON lines, and print the Turn of each as a line of JSON. A line is an object with "
    "the keys thread and message, and where wanted request (an id), book (a path) and today (YYYY-MM-DD)."
)


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--book", type=Path, help="the budget book, an .xlsx")
    common.add_argument("--home", type=Path, help="the folder Munshi keeps its things in")
    common.add_argument("--today", type=_day, help="the day it is taken to be, YYYY-MM-DD")
    common.add_argument("--model", help="the language model; none for now")
    parser = argparse.ArgumentParser(prog="python -m agent", description="Talk with Munshi.")
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", parents=[common], help="say one thing")
    ask.add_argument("message")
    ask.add_argument("--thread", default="terminal")
    ask.add_argument("--request", help="an id; the same again gives the same reply and does nothing")
    ask.add_argument("--json", action="store_true", help="print the whole Turn")
    replay = commands.add_parser("replay", parents=[common], help="say every line of a file", description=_REPLAY)
    replay.add_argument("file", type=Path, help="JSON lines: one object a line")
    chat = commands.add_parser("chat", parents=[common], help="talk in the terminal")
    chat.add_argument("--thread")
    commands.add_parser("sample", parents=[common], help="write a sample book, unless a book was chosen already")
    backup = commands.add_parser("backup", parents=[common], help="copy the home folder into a zip")
    backup.add_argument("file", type=Path)
    gone = commands.add_parser("erase", parents=[common], help="delete everything in the home folder")
    gone.add_argument("--yes", action="store_true")
    return parser


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no day as YYYY-MM-DD") from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
