"""A measurement as text for a person, and as JSON for a program."""

import json
from collections.abc import Sequence

from evaluation.language.judging import Failure, Figure, Result

FAILURES_SHOWN = 20


def as_text(results: Sequence[Result], failures: int = FAILURES_SHOWN) -> str:
    """Each set's figures with interval, bar and verdict, and up to so many failures of each."""
    lines: list[str] = []
    for result in results:
        lines.append(f"{result.name}  n {result.n}")
        if result.problem:
            lines.append(f"  {result.problem}  Below")
        lines.extend(_figure(figure) for figure in result.figures)
        shown = result.failures[:failures]
        if shown:
            lines.append(f"  failures: {len(result.failures)}, shown {len(shown)}")
        lines.extend(_failure(failure) for failure in shown)
        lines.append("")
    below = [result.name for result in results if not result.met]
    lines.append(f"Below the bar or not measured: {', '.join(below)}." if below else "Every bar is met.")
    return "\n".join(lines)


def as_json(results: Sequence[Result], failures: int | None = None) -> str:
    """The same as one JSON object; every failure unless fewer are wanted."""
    sets = [
        {
            "set": result.name,
            "n": result.n,
            "met": result.met,
            "problem": result.problem,
            "figures": [
                {
                    "name": figure.name.strip(),
                    "value": round(figure.value, 4),
                    "interval": [round(end, 4) for end in figure.share.interval] if figure.share else None,
                    "right": figure.share.right if figure.share else None,
                    "of": figure.share.of if figure.share else None,
                    "bar": figure.bar,
                    "met": figure.met,
                }
                for figure in result.figures
            ],
            "failures": [
                {"text": failure.text, "expected": failure.expected, "got": failure.got}
                for failure in result.failures[:failures]
            ],
        }
        for result in results
    ]
    return json.dumps({"suite": "language", "met": all(result.met for result in results), "sets": sets}, indent=1)


def _figure(figure: Figure) -> str:
    if figure.share is None:
        text = f"  {figure.name:<52} {figure.value:6.3f}" + " " * 30
    else:
        low, high = figure.share.interval
        counted = f"{figure.share.right} of {figure.share.of}"
        text = f"  {figure.name:<52} {figure.value:6.1%}  {low:6.1%} to {high:6.1%}  {counted:>12}"
    if figure.bar is None:
        return text.rstrip()
    bar = f"{figure.bar:.0%}" if figure.share else f"{figure.bar:g}"
    return f"{text}  {'<=' if figure.under else '>='} {bar}  {'Met' if figure.met else 'Below'}"


def _failure(failure: Failure) -> str:
    text = " ".join(failure.text.split())
    return f"    “{text if len(text) <= 150 else text[:149] + '…'}”  expected {failure.expected}, got {failure.got}"
