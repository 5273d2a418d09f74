"""The documents at the command line.

    python -m rag add FILE… [--domain tax] [--jurisdiction IN] [--tax-year 2025] [--period FY2023-24] [--ocr]
    python -m rag search "priority sector target" [-k 5] [--domain …] [--tables] [--json]
    python -m rag list [--json]        python -m rag delete ID…        python -m rag resume

The library is in `.munshi/documents` beside the code unless --library names another folder. Exit status: 0 done, 1 some
file was refused or nothing was found, 2 wrong usage.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from rag.documents import Added, Filters, Metadata, Progress, Refused
from rag.library import Library

_METADATA = ("title", "publisher", "period", "domain", "jurisdiction", "tax_year")
_FOLDER = Path(__file__).resolve().parents[1] / ".munshi" / "documents"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    options = _parser().parse_args(arguments)
    library = Library.open(options.library, now=_now)
    match options.command:
        case "add":
            return _add(library, options)
        case "search":
            return _search(library, options)
        case "list":
            return _list(library, as_json=options.json)
        case "resume":
            return _told(library.resume(progress=_progress))
        case _:
            return _delete(library, options.ids)


def _add(library: Library, options: argparse.Namespace) -> int:
    metadata = Metadata(**{name: getattr(options, name) or "" for name in _METADATA})
    outcomes = []
    for path in options.files:
        outcome = library.add(path, metadata=metadata, progress=_progress, ocr=options.ocr, vectors=options.vectors)
        _told([outcome])
        outcomes.append(outcome)
    return 1 if any(isinstance(outcome, Refused) for outcome in outcomes) else 0


def _told(outcomes: Sequence[Added | Refused]) -> int:
    for outcome in outcomes:
        print(outcome.sentence, file=sys.stderr if isinstance(outcome, Refused) else sys.stdout)
    return 1 if any(isinstance(outcome, Refused) for outcome in outcomes) else 0


def _search(library: Library, options: argparse.Namespace) -> int:
    filters = Filters(
        documents=frozenset(options.document),
        domain=options.domain or "",
        jurisdiction=options.jurisdiction or "",
        tax_year=options.tax_year or "",
        period=options.period or "",
        publisher=options.publisher or "",
        tables_only=options.tables,
    )
    passages = library.search(options.question, filters, options.k)
    if options.json:
        print(json.dumps([asdict(passage) for passage in passages], ensure_ascii=False, indent=1))
    else:
        for place, passage in enumerate(passages, 1):
            print(f"{place}. {passage.place}   score {passage.score:.3f}, sure {passage.confidence:.0%}")
            print("   " + "\n   ".join(passage.text.splitlines()) + "\n")
        if not passages:
            print("Nothing was found.")
    return 0 if passages else 1


def _list(library: Library, *, as_json: bool) -> int:
    documents = library.documents()
    if as_json:
        print(json.dumps([asdict(document) for document in documents], ensure_ascii=False, indent=1))
        return 0
    for document in documents:
        said = " · ".join(value for value in vars(document.metadata).values() if value)
        print(f"{document.id}  {document.file}  {document.pages} pages, {document.chunks} passages, {document.state}")
        if said:
            print(f"    {said}")
        for note in document.notes:
            print(f"    {note}")
    if not documents:
        print("The library is empty. Add a file: python -m rag add report.pdf")
    return 0


def _delete(library: Library, ids: Sequence[str]) -> int:
    missing = 0
    for given in ids:
        document = next((one for one in library.documents() if given in (one.id, one.file)), None)
        if document is None:
            print(f"There is no document {given}.", file=sys.stderr)
            missing += 1
        elif library.remove(document.id):
            print(f"{document.file} is deleted, with everything that came from it.")
    return 1 if missing else 0


def _progress(progress: Progress) -> None:
    if sys.stderr.isatty():
        end = "\n" if progress.done >= progress.of else "\r"
        print(
            f"{progress.file}: {progress.step} {progress.done} of {progress.of}", end=end, file=sys.stderr, flush=True
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rag", description="Documents that answer with the page.")
    parser.add_argument("--library", type=Path, default=_FOLDER, metavar="FOLDER", help="where the documents are kept")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="read files and let them be found")
    add.add_argument("files", type=Path, nargs="+", metavar="FILE")
    add.add_argument("--ocr", action="store_true", help="read scanned pages by ocrmypdf")
    add.add_argument("--words-only", dest="vectors", action="store_false", help="make no vectors: found by words only")
    search = commands.add_parser("search", help="the passages that answer a question best")
    search.add_argument("question")
    search.add_argument("-k", type=int, default=5, help="how many")
    search.add_argument("--document", action="append", default=[], metavar="ID", help="only in this document")
    search.add_argument("--tables", action="store_true", help="only among tables")
    search.add_argument("--json", action="store_true", help="as JSON")
    for command in (add, search):
        for name in _METADATA[1:] if command is search else _METADATA:
            command.add_argument(f"--{name.replace('_', '-')}", default="")
    listing = commands.add_parser("list", help="the documents of the library")
    listing.add_argument("--json", action="store_true", help="as JSON")
    delete = commands.add_parser("delete", help="delete documents with everything that came from them")
    delete.add_argument("ids", nargs="+", metavar="ID", help="an id of `list`, or a file's name")
    commands.add_parser("resume", help="go on with what was stopped or killed")
    return parser


def _now() -> datetime:
    return datetime.now().astimezone()  # noqa: TID251  the outermost edge: a person's own time


if __name__ == "__main__":
    sys.exit(main())
