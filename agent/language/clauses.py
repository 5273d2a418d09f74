"""A message taken apart into clauses, one for each transaction it tells of.

Lines and semicolons always separate. Commas, `and`, `&`, `plus` and full stops separate only where each side has its
own amount (or its own words and mode, with the amount still to be asked): `coffee 100 cash and tea 50 upi` is two,
`45 wallet senagapindi, soyachunks` is one. A clause with several amounts and nothing between them is cut behind each
of them: `coffee 100 tea 50`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import pairwise

from agent.language.modes import mentions_of, mode_named
from agent.language.splits import without_share
from agent.language.vocabulary import plain, table
from agent.language.wording import AMOUNT, READ, amounts_in, blank, content, days_in, tokens_of
from ledger.entries import Mode

_LINE = re.compile(r"[\n\r;]+")
_BULLET = re.compile(
    r"^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|(?:item|entry|row)\s*#?\d{1,2}\s*[:.)=-]?\s+(?=[^\W\d_]))(?=\S)", re.IGNORECASE
)
_WEAK = re.compile(r",(?!\d{2,3}\b)|,\s|\s(?:and|plus|then|aur|और)\s|\s[&+]\s|[.!?]\s+(?=[A-Za-z])", re.IGNORECASE)
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")


@dataclass(frozen=True)
class Clause:
    """The words of one transaction, with the day and the mode that stand for several of them."""

    text: str
    day: date | None = None
    """said in a heading or once for the whole line"""
    mode: Mode | None = None


@dataclass(frozen=True)
class _Piece:
    """A part between two possible cuts."""

    start: int
    end: int
    amounts: int
    has_mode: bool
    has_words: bool
    amount_first: bool


def clauses_of(message: str, today: date) -> tuple[Clause, ...]:
    """The clauses of a message that tell of a transaction, in order; a heading holds for what follows it."""
    clauses: list[Clause] = []
    heading = Clause("")
    for line in _LINE.split(message):
        text = without_number(line).strip()
        if not re.search(r"\w", text):
            continue
        if (opening := _heading(text, today)) is not None:
            heading, text = opening
            if not text:
                continue
        found = list(_of_line(text, today))
        if clauses and len(found) == 1 and (joined := _completed(clauses, found[0].text)):
            clauses = joined
            continue
        clauses += [
            replace(clause, day=clause.day or heading.day, mode=clause.mode or heading.mode) for clause in found
        ]
    return tuple(clauses)


def without_number(line: str) -> str:
    """A line without the bullet or the number before it: `item 3 milk 60 cash` is `milk 60 cash`."""
    return _BULLET.sub("", line)


def _completed(clauses: list[Clause], line: str) -> list[Clause] | None:
    """The clauses with what a line of only an amount or a mode adds to them; None when the line tells of more.

    `all by upi` is said of every line before it, `cash` of the one before it.
    """
    piece = _whole(line)
    if piece.has_words:
        return None
    if piece.has_mode and not piece.amounts and (mode := _shared_mode(line)):
        return [replace(clause, mode=clause.mode or mode) for clause in clauses]
    last = _whole(clauses[-1].text)
    if (piece.amounts and last.amounts) or (piece.has_mode and last.has_mode) or not (piece.amounts or piece.has_mode):
        return None
    return [*clauses[:-1], replace(clauses[-1], text=f"{clauses[-1].text} {line}")]


def _whole(line: str) -> "_Piece":
    line = without_share(line)
    closed = blank(line, tuple((amount.start, amount.end) for amount in amounts_in(line)), AMOUNT)
    return _piece(closed, 0, len(closed))


def _heading(line: str, today: date) -> tuple[Clause, str] | None:
    """The day and mode a heading gives, and what follows its colon; None when the line is none."""
    head, colon, rest = line.partition(":")
    if amounts_in(head) or (colon and rest[:1].isdigit()):
        return None
    days = days_in(head, today)
    without = blank(head, tuple((day.start, day.end) for day in days), READ)
    mode = mode_named(without)
    words = [token.plain for token in tokens_of(without)]
    said = _heading_words()
    unknown = [word for word in words if word and word not in said]
    if mode:
        named = [(mention.start, mention.end) for mention in mentions_of(without)]
        unknown = [
            token.plain
            for token in tokens_of(blank(without, tuple(named), READ))
            if token.plain and token.plain not in said
        ]
    if unknown or not (colon or (not mode and (days or words))):
        return None
    return Clause("", days[0].day if days else None, mode), rest.strip()


def _of_line(line: str, today: date) -> Iterator[Clause]:
    days = days_in(line, today)
    shared = without_share(line)
    day_marks = tuple((day.start, day.end) for day in days)
    closed = blank(shared, (*day_marks, *(match.span() for match in _BRACKETS.finditer(line))), READ)
    amounts = tuple((amount.start, amount.end) for amount in amounts_in(closed))
    closed = blank(closed, amounts, AMOUNT)
    pieces = [_piece(closed, start, end) for start, end in _between_cuts(closed)]
    spans = [span for start, end in _grouped(pieces) for span in _cut_behind_amounts(closed, start, end)]
    shared_day = days[0] if len(days) == 1 and len(spans) > 1 else None
    at_edge = shared_day is not None and (
        (not content(tokens_of(closed[: shared_day.start])) and AMOUNT not in closed[: shared_day.start])
        or not re.search(rf"[\w{AMOUNT}]", closed[shared_day.end :])
    )
    shared_mode = _shared_mode(line)
    for start, end in spans:
        yield Clause(line[start:end].strip(" ,.&+\t"), shared_day.day if shared_day and at_edge else None, shared_mode)


def _shared_mode(line: str) -> Mode | None:
    """The mode of `… all by upi`, `both cash`."""
    found = re.search(
        r"(?<!\w)(?:all|both|everything|sab|sabhi|sab ka|sab kuch|dono)\s+(?:paid\s+)?(.{2,30})$",
        plain(line),
    )
    return mode_named(found[1]) if found else None


def _between_cuts(closed: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in _WEAK.finditer(closed):
        if re.search(r"\w|\x00|\x01", closed[start : cut.start()]):
            yield start, cut.start()
            start = cut.end()
    if re.search(r"\w|\x00|\x01", closed[start:]):
        yield start, len(closed)


def _piece(closed: str, start: int, end: int) -> _Piece:
    text = closed[start:end]
    named = [mention for mention in mentions_of(text) if mention.strength]
    words = content(tokens_of(blank(text, tuple((mention.start, mention.end) for mention in named), READ)))
    first = text.find(AMOUNT)
    return _Piece(
        start,
        end,
        len(re.findall(f"{AMOUNT}+", text)),
        bool(named),
        bool(words),
        first >= 0 and not any(word.start < first for word in words),
    )


def _grouped(pieces: list[_Piece]) -> list[tuple[int, int]]:
    """The pieces put together again where they are parts of one transaction."""
    if sum(piece.amounts for piece in pieces) <= 1 and not any(_stands_alone(piece) for piece in pieces):
        return [(pieces[0].start, pieces[-1].end)] if pieces else []
    amount_first = next((piece.amount_first for piece in pieces if piece.amounts), False)
    groups: list[list[_Piece]] = []
    waiting: list[_Piece] = []
    for piece in pieces:
        if piece.amounts:
            groups.append([*waiting, piece])
            waiting = []
        elif _stands_alone(piece) and not waiting and (not groups or _complete(groups[-1])):
            groups.append([piece])
        elif groups and amount_first:
            groups[-1].append(piece)
        else:
            waiting.append(piece)
    if waiting:
        groups = [*groups[:-1], [*groups[-1], *waiting]] if groups else [waiting]
    return [(group[0].start, group[-1].end) for group in groups]


def _stands_alone(piece: _Piece) -> bool:
    """Without an amount, but with words and a mode of its own: kept, its amount is asked."""
    return not piece.amounts and piece.has_mode and piece.has_words


def _complete(group: list[_Piece]) -> bool:
    return any(piece.has_words for piece in group) and any(piece.has_mode for piece in group)


def _cut_behind_amounts(closed: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """One span an amount, where each amount has words of its own; the whole span otherwise."""
    marks = [(start + found.start(), start + found.end()) for found in re.finditer(f"{AMOUNT}+", closed[start:end])]
    if len(marks) < 2:
        yield start, end
        return
    if _piece(closed, start, end).amount_first:
        edges = [start, *(mark[0] for mark in marks[1:]), end]
    else:
        edges = [
            start,
            *(_behind(closed, mark[1], following[0]) for mark, following in pairwise(marks)),
            end,
        ]
    spans = list(pairwise(edges))
    if all(_piece(closed, *span).has_words for span in spans):
        yield from spans
    else:
        yield start, end


def _behind(closed: str, end: int, following: int) -> int:
    """Where a clause ends whose amount ends here: behind the mode that follows it at once."""
    after = closed[end:following]
    mode = next(
        (m for m in mentions_of(AMOUNT + after) if m.strength and not tokens_of(after[: max(m.start - 1, 0)])), None
    )
    return end + mode.end - 1 if mode else end


@cache
def _heading_words() -> frozenset[str]:
    return frozenset(table("transactions")["heading"])
