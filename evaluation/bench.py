"""How fast Munshi is, each figure beside a baseline taken in the same run: the measuring and the table.

Every measurement runs in a fresh process of its own, so that its peak memory is its own and nothing is warm but the
disk's cache; a figure is the median of its runs. What is measured stands in `bench_ledger` and `bench_agent`.
"""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import median

Measure = tuple[Callable[..., float], tuple[object, ...]]
"""what to run, giving the seconds it took, and on what"""


@dataclass(frozen=True)
class Measured:
    """One run of one thing."""

    seconds: float
    peak_mb: float
    """the most memory its process ever held, interpreter and libraries included; MiB"""


@dataclass(frozen=True)
class Line:
    """One figure beside its baseline."""

    size: str
    """`10,000 rows`"""
    what: str
    seconds: float
    baseline: str
    """what it is compared with; empty where it stands alone"""
    baseline_seconds: float
    bar: float | None = None
    """the ratio it must keep: at least when `faster`, under when not; None: shown, not judged"""
    faster: bool = True
    """the ratio is baseline : figure (how many times faster) rather than figure : baseline"""
    peak_mb: float | None = None
    baseline_peak_mb: float | None = None

    @property
    def ratio(self) -> float:
        """How many times faster than the baseline, or how many times its time."""
        pair = (self.baseline_seconds, self.seconds) if self.faster else (self.seconds, self.baseline_seconds)
        return pair[0] / pair[1]

    @property
    def holds(self) -> bool:
        """Whether the bar is kept; memory must not be above the baseline's where there is a bar on speed."""
        if self.bar is None:
            return True
        if self.faster:
            lean = self.peak_mb is None or self.baseline_peak_mb is None or self.peak_mb <= self.baseline_peak_mb
            return self.ratio >= self.bar and lean
        return self.ratio < self.bar


def in_own_process(measure: Callable[..., float], *arguments: object) -> Measured:
    """Run `measure(*arguments)` (seconds it took) in a new interpreter; with the memory that one came to hold."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_measured, measure, arguments).result()


def medians(runs: int, measures: Sequence[Measure]) -> list[Measured]:
    """Each measure's median over the runs, taken in turn so that a slow moment of the machine meets all of them."""
    taken: list[list[Measured]] = [[] for _ in measures]
    for _ in range(runs):
        for results, (measure, arguments) in zip(taken, measures, strict=True):
            results.append(in_own_process(measure, *arguments))
    return [
        Measured(median(run.seconds for run in results), median(run.peak_mb for run in results)) for results in taken
    ]


def table(lines: Sequence[Line]) -> str:
    """The figures as aligned text, one a line."""
    heads = ("", "what", "time", "baseline", "time", "ratio", "bar", "peak", "baseline", "")
    rows = [heads, *map(_row, lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left = {0, 1, 3, 9}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _row(line: Line) -> tuple[str, ...]:
    ratio = f"{line.ratio:.1f}x" if line.baseline else ""
    bar = "" if line.bar is None else f"{'>=' if line.faster else '<'} {line.bar:g}x"
    verdict = "" if line.bar is None else "holds" if line.holds else "MISSED"
    return (
        line.size,
        line.what,
        _time(line.seconds),
        line.baseline,
        _time(line.baseline_seconds) if line.baseline else "",
        ratio,
        bar,
        _memory(line.peak_mb),
        _memory(line.baseline_peak_mb),
        verdict,
    )


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _memory(megabytes: float | None) -> str:
    return "" if megabytes is None else f"{megabytes:.0f} MB"


def _measured(measure: Callable[..., float], arguments: tuple[object, ...]) -> Measured:
    return Measured(measure(*arguments), _peak_mb())


def _peak_mb() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
