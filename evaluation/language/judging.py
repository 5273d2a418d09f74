"""Each set of labelled texts held against the program: what is right, what is not, and whether the bar is met.

messages   ─► Workbench.ask on a sample book in a home folder of its own, a conversation each ─► intents, the card
expenses   ─► the same, and where an entry is meant, the transactions read from it
amounts    ─► money.find_amounts          dates ─► money.find_periods          SMS ─► ledger.statements.sms.read_sms
"""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from evaluation.language.rows import (
    LABELS,
    OUT_OF_SCOPE,
    AmountRow,
    DateRow,
    Days,
    ExpenseRow,
    IntentRow,
    SmsRow,
    amount_row,
    date_row,
    expense_row,
    intent_row,
    records,
    sms_row,
)
from evaluation.language.scores import Share, f1_by_label, macro_f1
from ledger.statements.sms import SmsTransaction, read_sms
from money import PeriodFound, find_amounts, find_periods
from money.days import months_before

if TYPE_CHECKING:
    from agent.turn import Turn
    from agent.workbench import Workbench
    from ledger.entries import Book

TODAY = date(2026, 11, 30)
_Row = TypeVar("_Row")


@dataclass(frozen=True)
class Figure:
    """One figure of a set. `bar`: the least it must be, or the most when `under`; None: shown, not judged."""

    name: str
    value: float
    share: Share | None = None
    bar: float | None = None
    under: bool = False

    @property
    def met(self) -> bool:
        """Whether the bar is met."""
        return self.bar is None or (self.value <= self.bar if self.under else self.value >= self.bar)


@dataclass(frozen=True)
class Failure:
    """A text that was not understood as its label says."""

    text: str
    expected: str
    got: str


@dataclass(frozen=True)
class Result:
    """What came of one file."""

    name: Literal["intents", "amounts", "dates", "expense_messages", "sms"]
    n: int
    figures: tuple[Figure, ...] = ()
    failures: tuple[Failure, ...] = ()
    problem: str | None = field(default=None)
    """why it was not measured: it counts as not passed"""

    @property
    def met(self) -> bool:
        """Whether it was measured and every bar is met."""
        return self.problem is None and all(figure.met for figure in self.figures)


def measure(folder: Path) -> Iterator[Result]:
    """The five sets, as they come. A file that is not there is said, never passed."""
    with tempfile.TemporaryDirectory() as scratch, _sample(Path(scratch)) as workbench:
        yield _of(folder, "intents", intent_row, lambda rows: _intents(rows, workbench))
        yield _of(folder, "expense_messages", expense_row, lambda rows: _expenses(rows, workbench))
    yield _of(folder, "amounts", amount_row, _amounts)
    yield _of(folder, "dates", date_row, _dates)
    yield _of(folder, "sms", sms_row, _sms)


def _sample(home: Path) -> "Workbench":
    from agent.clock import clock_on
    from agent.settings import Settings
    from agent.workbench import Workbench

    workbench = Workbench.open(Settings(home=home), clock_on(TODAY))  # type: ignore[call-arg]
    workbench.open_sample()
    return workbench


def _of(
    folder: Path,
    name: Literal["intents", "amounts", "dates", "expense_messages", "sms"],
    row_of: Callable[..., _Row | None],
    judge: Callable[[Sequence[_Row]], tuple[Sequence[Figure], Sequence[Failure]]],
) -> Result:
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        return Result(name, 0, problem=f"{path.name} is not in {folder}: not measured.")
    rows = [row for record in records(path) if (row := row_of(record)) is not None]
    if not rows:
        return Result(name, 0, problem=f"{path.name} has no row that counts: not measured.")
    figures, failures = judge(rows)
    return Result(name, len(rows), tuple(figures), tuple(failures))


# messages


def _intents(rows: Sequence[IntentRow], workbench: "Workbench") -> tuple[list[Figure], list[Failure]]:
    wanted: list[str] = []
    got: list[str] = []
    right = outside = cards = 0
    failures: list[Failure] = []
    for number, row in enumerate(rows):
        turn = workbench.ask(row.text, f"intent-{number}")
        first = turn.intents[0] if turn.intents else "none"
        if row.label == OUT_OF_SCOPE:
            outside += 1
            if made_a_card(turn):
                cards += 1
                failures.append(Failure(row.text, "no card", f"a card or a question for one: {turn.reply[:80]}"))
        if row.scored:
            label = label_of(first, row.label)
            wanted.append(row.label)
            got.append(label)
            right += label == row.label
            if label != row.label:
                failures.append(Failure(row.text, " or ".join(row.right), f"{first} {turn.confidence:.2f}"))
    scores = f1_by_label(wanted, got)
    recall = Share(
        sum(want == have == OUT_OF_SCOPE for want, have in zip(wanted, got, strict=True)), wanted.count(OUT_OF_SCOPE)
    )
    asked_cards = Share(cards, outside)
    return [
        Figure("accuracy", right / max(len(wanted), 1), Share(right, len(wanted))),
        Figure("macro-F1", macro_f1(scores), bar=0.85),
        *(Figure(f"  F1 {score.label} (n {score.n})", score.value) for score in scores),
        Figure("out-of-scope recall", recall.value, recall),
        Figure("out-of-scope texts turned into a card", asked_cards.value, asked_cards, bar=0.02, under=True),
    ], failures


def made_a_card(turn: "Turn") -> bool:
    """Whether a message became an entry to be saved, or the question for what is missing of one."""
    return bool(turn.batch or turn.proposal) or turn.state == "awaiting_answer"


def label_of(intent: str, wanted: str) -> str:
    """The label an intent stands for: the wanted one where it is right for that, else the first it is right for."""
    if intent in LABELS[wanted]:
        return wanted
    order = (OUT_OF_SCOPE, "GREETING_SMALLTALK", *LABELS)
    return next((label for label in order if intent in LABELS[label]), intent)


def _expenses(rows: Sequence[ExpenseRow], workbench: "Workbench") -> tuple[list[Figure], list[Failure]]:
    opened = workbench.book()
    if opened is None:
        raise RuntimeError("the sample book is not open")
    book = opened.read().book
    failures: list[Failure] = []
    told: dict[str, list[bool]] = {"amount": [], "mode": [], "description": []}
    for number, row in enumerate(rows):
        turn = workbench.ask(row.text, f"expense-{number}")
        got = _read_expense(row.text, book) if "log" in turn.intents else (None, None, None)
        wants = (row.amount, row.mode, row.description)
        for name, want, have in zip(told, wants, got, strict=True):
            if want is None:
                continue
            same = says(str(have or ""), str(want)) if name == "description" else have == want
            told[name].append(same)
            if not same:
                failures.append(Failure(row.text, f"{name} {want}", f"{have} ({', '.join(turn.intents)})"))
    shares = {name: Share(sum(marks), len(marks)) for name, marks in told.items() if marks}
    return [
        Figure(name, share.value, share, bar=0.97 if name == "amount" else None) for name, share in shares.items()
    ], failures


def _read_expense(text: str, book: "Book") -> tuple[Decimal | None, str | None, str | None]:
    """Amount, mode and description of the one transaction in a message; another currency's amount as it stands."""
    from agent.language.knowledge import Knowledge
    from agent.language.transactions import parse_transactions

    items = parse_transactions(text, TODAY, Knowledge.of(book))
    if len(items) != 1:
        return None, None, None
    item = items[0]
    amount = item.amount
    if amount is None and any(doubt.startswith("currency:") for doubt in item.doubts):
        # understood and asked about in rupees: it is never converted in silence
        amount = next((found.value for found in find_amounts(text) if found.currency not in (None, "INR")), None)
    return amount, item.mode, item.description


def says(description: str, wanted: str) -> bool:
    """Whether a description has all the wanted words, and at most two more."""
    have, want = (re.findall(r"\w+", text.casefold()) for text in (description, wanted))
    return all(word in have for word in want) and len(have) <= len(want) + 2


# amounts and dates


def _amounts(rows: Sequence[AmountRow]) -> tuple[list[Figure], list[Failure]]:
    failures: list[Failure] = []
    for row in rows:
        found = [amount.value for amount in find_amounts(row.text) if amount.value > 0]
        if (row.value in found) if row.value is not None else not found:
            continue
        failures.append(Failure(row.text, str(row.value), ", ".join(map(str, found)) or "none"))
    share = Share(len(rows) - len(failures), len(rows))
    return [Figure("accuracy", share.value, share, bar=0.97)], failures


def _dates(rows: Sequence[DateRow]) -> tuple[list[Figure], list[Failure]]:
    failures: list[Failure] = []
    exact = 0
    for row in rows:
        found = find_periods(row.text, row.today)
        exact += any(_is(period, reading, both_ends=False) for period in found for reading in row.readings)
        if any(_is(period, reading, both_ends=True) for period in found for reading in row.readings):
            continue
        wanted = " or ".join(f"{days.first} to {days.end or days.grain}" for days in row.readings)
        got = ", ".join(f"{period.first} to {period.last + _DAY}" for period in found if period.last < date.max)
        failures.append(Failure(f"{row.text} (said on {row.today})", wanted, got or "none"))
    share = Share(len(rows) - len(failures), len(rows))
    return [
        Figure("accuracy", share.value, share, bar=0.85),
        Figure("  with a range's last unit left out, as some sources do", exact / len(rows), Share(exact, len(rows))),
    ], failures


_DAY = timedelta(days=1)


def _is(period: PeriodFound, reading: Days, *, both_ends: bool) -> bool:
    """Whether a period is the reading. `both_ends`: `2014 to 2018` may have all of 2018 in it, as it has here."""
    if period.first != reading.first:
        return False
    last = period.last + _DAY if period.last < date.max else period.last
    if reading.end is None:
        return last == _after(reading.first, reading.grain) or (reading.grain == "day" and period.last != period.first)
    if last == reading.end:
        return True
    ends = (reading.end + _DAY, *(months_before(reading.end, -months) for months in (1, 3, 12)))
    return both_ends and last in ends


def _after(first: date, grain: str) -> date:
    match grain:
        case "week":
            return first + timedelta(days=7)
        case "month" | "quarter" | "year":
            return months_before(first, -{"month": 1, "quarter": 3, "year": 12}[grain])
        case _:
            return first + _DAY


# SMS


def _sms(rows: Sequence[SmsRow]) -> tuple[list[Figure], list[Failure]]:
    failures: list[Failure] = []
    told = amounts = directions = booked = 0
    moved = [row for row in rows if row.is_transaction]
    for row in rows:
        read = read_sms(row.text)
        found = read if isinstance(read, SmsTransaction) else None
        told += (found is not None) == row.is_transaction
        booked += found is not None and not row.is_transaction
        right_amount = found is not None and (row.amount is None or found.amount == row.amount)
        right_direction = found is not None and (row.direction is None or found.direction == row.direction)
        if row.is_transaction:
            amounts += right_amount
            directions += right_direction
        if (found is not None) != row.is_transaction or (found and not (right_amount and right_direction)):
            wanted = f"{row.direction} {row.amount}" if row.is_transaction else "no transaction"
            failures.append(Failure(row.text, wanted, f"{found.direction} {found.amount}" if found else "none"))
    none = len(rows) - len(moved)
    return [
        _figure("is a transaction", told, len(rows)),
        _figure("amount", amounts, len(moved), bar=0.97),
        _figure("direction", directions, len(moved)),
        _figure("non-transactions booked", booked, none, bar=0.01, under=True),
    ], failures


def _figure(name: str, right: int, of: int, *, bar: float | None = None, under: bool = False) -> Figure:
    share = Share(right, of)
    return Figure(name, share.value, share, bar, under)
