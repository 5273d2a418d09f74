"""What Munshi is measured by.

    python -m evaluation bench [ledger] [agent] [app] [--rows 1000,10000] [--runs 3]  how fast; all when none is named
    python -m evaluation run --suite language --data DIR [--failures N] [--json]   how well it understands
    python -m evaluation run --suite retrieval --data DIR [--cache FILE] [--json]  how well a question finds its page

Exit code 0 when every bar holds, 1 when one is missed or could not be measured, 2 for wrong usage.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evaluation.bench import Line, table
from evaluation.bench_agent import bench_agent
from evaluation.bench_app import bench_app
from evaluation.bench_ledger import bench_ledger

SUITES = {"ledger": bench_ledger, "agent": bench_agent, "app": bench_app}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description="What Munshi is measured by.")
    commands = parser.add_subparsers(dest="command", required=True)
    bench = commands.add_parser("bench", help="how fast it is, beside a baseline taken in the same run")
    bench.add_argument(
        "suites", nargs="*", choices=[*SUITES, []], metavar="ledger|agent|app", help="all when none is named"
    )
    bench.add_argument("--rows", type=_sizes, default=None, help="sizes of the book, by commas")
    bench.add_argument("--runs", type=int, default=None, help="runs whose median is shown")
    run = commands.add_parser("run", help="how well it does, on labelled data that lies elsewhere")
    run.add_argument("--suite", choices=["language", "retrieval"], required=True, help="what is measured")
    run.add_argument("--data", type=Path, required=True, help="the folder with the labelled files")
    run.add_argument("--failures", type=int, default=None, help="how many failures of each set are shown")
    run.add_argument("--cache", type=Path, default=None, help="a file that keeps vectors for the next measurement")
    run.add_argument("--json", action="store_true", help="as JSON")
    chosen = parser.parse_args(arguments)
    if chosen.command == "run" and chosen.suite == "retrieval":
        return _run_retrieval(chosen.data, chosen.cache, as_json=chosen.json)
    if chosen.command == "run":
        return _run_language(chosen.data, chosen.failures, as_json=chosen.json)
    given = {name: value for name, value in (("sizes", chosen.rows), ("runs", chosen.runs)) if value}
    lines: list[Line] = []
    for suite in chosen.suites or SUITES:
        lines.extend(SUITES[suite](**given))
    print(table(lines))
    return 0 if all(line.holds for line in lines) else 1


def _run_language(folder: Path, failures: int | None, *, as_json: bool) -> int:
    from evaluation.language import report
    from evaluation.language.judging import measure
    from evaluation.language.rows import DataRefused

    if not folder.is_dir():
        print(f"There is no folder {folder}.", file=sys.stderr)
        return 2
    try:
        results = tuple(measure(folder))
    except DataRefused as refused:
        print(refused, file=sys.stderr)
        return 2
    if as_json:
        print(report.as_json(results, failures))
    else:
        print(report.as_text(results, report.FAILURES_SHOWN if failures is None else failures))
    return 0 if all(result.met for result in results) else 1


def _run_retrieval(folder: Path, cache: Path | None, *, as_json: bool) -> int:
    from evaluation import retrieval, sureness
    from rag.embedding import EmbeddingMissing, embedding

    if not folder.is_dir():
        print(f"There is no folder {folder}.", file=sys.stderr)
        return 2
    try:
        embedder = embedding() if cache is None else retrieval.Remembering(cache)
        sets = retrieval.read_sets(folder, embedder)
        results = [retrieval.judged(one) for one in sets]
        off_topic = sureness.off_topic_messages(folder)
        sure = [
            sureness.judged_sureness(
                one, [asked for other in sets if other is not one for asked in other.questions], off_topic, embedder
            )
            for one in sets
        ]
    except (retrieval.DataRefused, EmbeddingMissing) as refused:
        print(refused, file=sys.stderr)
        return 2
    met = all(result.met for result in results) and all(one.met for one in sure)
    if as_json:
        told = {
            "suite": "retrieval",
            "met": met,
            "sets": [retrieval.as_record(result) for result in results],
            "confidence": [sureness.as_record(result) for result in sure],
        }
        print(json.dumps(told, indent=1))
    else:
        print(retrieval.as_text(results), "", sureness.as_text(sure), sep="\n")
    return 0 if met else 1


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(size.replace("_", "")) for size in text.split(","))
    if min(sizes) < 1:
        raise ValueError("a book has at least one row")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
