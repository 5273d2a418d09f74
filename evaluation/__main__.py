"""python -m evaluation bench [ledger] [agent] [app] [--rows 1000,10000] [--runs 3]; all when none is named.

Prints one table; exit code 0 when every bar holds, 1 when one is missed, 2 for wrong usage.
"""

import argparse
import sys
from collections.abc import Sequence

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
    chosen = parser.parse_args(arguments)
    given = {name: value for name, value in (("sizes", chosen.rows), ("runs", chosen.runs)) if value}
    lines: list[Line] = []
    for suite in chosen.suites or SUITES:
        lines.extend(SUITES[suite](**given))
    print(table(lines))
    return 0 if all(line.holds for line in lines) else 1


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(size.replace("_", "")) for size in text.split(","))
    if min(sizes) < 1:
        raise ValueError("a book has at least one row")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
