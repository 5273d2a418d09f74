"""Answers from what advice found before: every figure keeps the rows or the working it had."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from agent.evidence import Wording, calculated
from agent.insights import Asked, Insight, InsightLine
from agent.state import Findings

NAME = "budget_advisor"


def from_insight(asked: Asked, insight: Insight, words: str) -> Findings:
    """What a follow-up asks of the result."""
    wording = Wording()
    text = _ANSWERS[asked](insight, wording)
    return Findings(NAME, words, wording.saying(text), count=0)


def _highest(insight: Insight, wording: Wording) -> str:
    return _one(insight, wording, max(insight.lines, key=lambda line: line.now, default=None), "most")


def _lowest(insight: Insight, wording: Wording) -> str:
    spent = [line for line in insight.lines if line.now > 0]
    return _one(insight, wording, min(spent, key=lambda line: line.now, default=None), "least")


def _one(insight: Insight, wording: Wording, line: InsightLine | None, which: str) -> str:
    if line is None:
        return _nothing(insight, wording)
    days = wording.quote(insight.words)
    name = wording.quote(line.category or "No category")
    return f"{name} cost the {which} {days}: {wording.money(line.now, line.source)}."


def _rose(insight: Insight, wording: Wording) -> str:
    return _moved(insight, wording, max(insight.lines, key=_more, default=None), up=True)


def _fell(insight: Insight, wording: Wording) -> str:
    return _moved(insight, wording, min(insight.lines, key=_more, default=None), up=False)


def _moved(insight: Insight, wording: Wording, line: InsightLine | None, *, up: bool) -> str:
    if line is None or (_more(line) <= 0 if up else _more(line) >= 0):
        return f"No category {'rose' if up else 'fell'} against what it cost {wording.quote(insight.before_words)}."
    name = wording.quote(line.category or "No category")
    by = wording.money(abs(_more(line)), calculated(f"{line.source.ref} against {line.before_source.ref}"))
    now, before = wording.money(line.now, line.source), wording.money(line.before, line.before_source)
    return (
        f"{name} {'rose' if up else 'fell'} most, by {by}: {now} {wording.quote(insight.words)}, "
        f"{before} {wording.quote(insight.before_words)}."
    )


def _total(insight: Insight, wording: Wording) -> str:
    if not insight.lines:
        return _nothing(insight, wording)
    cells = [cell for line in insight.lines for cell in line.source.cells]
    total = sum((line.now for line in insight.lines), Decimal(0))
    source = calculated(" + ".join(line.source.ref for line in insight.lines), cells)
    return f"{wording.money(total, source)} {wording.quote(insight.words)}, over all the categories."


def _saving(insight: Insight, wording: Wording) -> str:
    if not insight.savings:
        return "That answer recommended no cut, so there is no saving to name. Ask **how can I save** for one."
    total = sum((saved.amount for saved in insight.savings), Decimal(0))
    parts = " and ".join(
        f"{wording.money(saved.amount, saved.source)} on {wording.quote(saved.category or 'No category')}"
        for saved in insight.savings
    )
    if len(insight.savings) == 1:
        return f"The cut saves {parts}."
    source = calculated(" + ".join(saved.source.ref for saved in insight.savings))
    return f"The cuts save {wording.money(total, source)}: {parts}."


def _count(insight: Insight, wording: Wording) -> str:
    spent = [line for line in insight.lines if line.now > 0]
    source = calculated(", ".join(line.category or "No category" for line in spent) or "no category")
    return f"Money went to {wording.count(len(spent), 'category', source)} {wording.quote(insight.words)}."


def _nothing(insight: Insight, wording: Wording) -> str:
    return f"Nothing was spent {wording.quote(insight.words)}."


def _more(line: InsightLine) -> Decimal:
    return line.now - line.before


_ANSWERS: Mapping[Asked, Callable[[Insight, Wording], str]] = {
    "highest": _highest,
    "lowest": _lowest,
    "rose": _rose,
    "fell": _fell,
    "total": _total,
    "saving": _saving,
    "count": _count,
}
