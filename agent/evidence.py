"""Figures and where they come from: nothing is said that no tool's result supports.

    Wording      builds a sentence and collects its figures, each with its source, as it goes
    unsupported  reads a finished text again and names every number that no figure stands for

Figures are amounts, counts and rates; dates, ordinals, item numbers, cells and page numbers are not.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from agent.markdown import escaped
from agent.state import Saying
from agent.turn import Figure, Source
from ledger.entries import MODE_NAMES, Book, Category, Entry, Mode, quoted
from money import percent, rupees

CELLS_KEPT = 500
RUNS_NAMED = 12
"""runs of cells named in words; the others are counted, and stand in the source's cells"""
_CENT = Decimal("0.01")

_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september"
    r"|october|november|december)"
)
_NOT_FIGURES = re.compile(
    rf"(?:'[^'\n]+'|\w+)!\$?[A-Z]{{1,3}}\$?\d+(?::\$?[A-Z]{{1,3}}\$?\d+)?"  # a cell or a range
    rf"|\b\d{{1,2}}(?: {_MONTH})?(?: \d{{4}})? to \d{{1,2}} {_MONTH}\b(?: \d{{4}})?"  # 22 to 28 Nov
    rf"|\b\d{{1,2}} {_MONTH}\b(?: \d{{4}})?"  # 28 Nov 2025
    rf"|\b{_MONTH} \d{{4}}\b"
    r"|\bFY ?\d{2,4}(?:-\d{2})?\b|\bQ[1-4]\b"
    r"|\b(?:19|20)\d\d\b(?![.,]\d)"  # a year
    r"|\b(?:item|page|row) \d+"
    r"|\b\d+(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_CELL = re.compile(r"(?P<sheet>'(?:[^']|'')+'|[^!]+)!(?P<column>[A-Z]{1,3})(?P<row>[0-9]{1,7})")
_NUMBER = re.compile(r"[−-]?[₹$€£]?\d[\d,]*(?:\.\d+)?%?")


class Wording:
    """One piece of a reply while it is written: every number goes through it and keeps its source."""

    def __init__(self) -> None:
        self._figures: dict[str, Figure] = {}
        self._quoted: list[str] = []

    def money(self, value: Decimal, source: Source) -> str:
        """An amount in bold: `**₹500.00**`."""
        return self.figure(rupees(value), value.quantize(_CENT), source)

    def count(self, number: int, noun: str, source: Source, plural: str = "") -> str:
        """A count in bold with its noun: `**11 entries**`."""
        return self.figure(f"{number} {counted(number, noun, plural)}", Decimal(number), source)

    def rate(self, value: Decimal, source: Source) -> str:
        """A rate in percent, in bold: `**25.0%**`."""
        return self.figure(percent(value), value.quantize(Decimal("0.1")), source)

    def quote(self, text: str) -> str:
        """Text from outside, escaped so that it is shown as it is; numbers in it are not ours."""
        safe = escaped(text)
        self._quoted.append(safe)
        return safe

    def saying(self, text: str) -> Saying:
        """The finished piece, with the figures that stand in it."""
        return Saying(
            text, tuple(figure for figure in self._figures.values() if figure.text in text), tuple(self._quoted)
        )

    def figure(self, text: str, value: Decimal, source: Source) -> str:
        """A figure as it is written already, in bold."""
        self._figures.setdefault(text, Figure(text, value, source))
        return f"**{text}**"


def said(text: str) -> Saying:
    """A piece of a reply without figures."""
    return Saying(text)


def told(text: str) -> Saying:
    """A sentence of another part (a refusal, a note), shown as it is."""
    wording = Wording()
    return wording.saying(wording.quote(text))


def counted(number: int, noun: str, plural: str = "") -> str:
    """The noun for a number of things: `entry`, `entries`."""
    if number == 1:
        return noun
    return plural or (noun[:-1] + "ies" if noun.endswith("y") else noun + "s")


def unsupported(saying: Saying) -> tuple[str, ...]:
    """The numbers of a text that none of its figures stands for, in order."""
    rest = saying.text
    for text in sorted(saying.quoted, key=len, reverse=True):
        rest = re.sub(_whole(text), " ", rest)
    for figure in sorted(saying.figures, key=lambda each: len(each.text), reverse=True):
        rest = re.sub(_whole(figure.text), " ", rest)
    rest = _NOT_FIGURES.sub(" ", rest)
    return tuple(match.group() for match in _NUMBER.finditer(rest))


def _whole(text: str) -> str:
    """A pattern for a text as it stands by itself: the 640 of ₹640.00 is none, nor is the 500 of 1,500."""
    before = r"(?<![\d,.₹−])" if re.match(r"[\d₹−-]", text) else ""
    after = r"(?![\d,]|\.\d)" if text[-1:].isdigit() or text.endswith("%") else ""
    return f"{before}{re.escape(text)}{after}"


_COMES_FROM = {
    "message": "as you said it: {}",
    "cell": "in {}",
    "query": "counted in {}",
    "calculation": "worked out as {}",
}


def plain_wording(saying: Saying) -> Saying:
    """The figures alone, each with where it comes from: said when a text could not be supported."""
    lines, refs = [], []
    for figure in saying.figures:
        ref = escaped(figure.source.ref)
        lines.append(f"- **{figure.text}**, {_COMES_FROM.get(figure.source.kind, '{}').format(ref)}")
        refs.append(ref)
    if not lines:
        return Saying("I found no figure for that which I can show you the source of.")
    opening = "I could not show a source for all I was about to say. What I am sure of:"
    return Saying("\n".join([opening, *lines]), saying.figures, tuple(refs))


# sources


def message_source(words: str) -> Source:
    """What the user said."""
    return Source("message", words.strip() or "your message")


def cell_source(ref: str) -> Source:
    """One cell."""
    return Source("cell", ref, (ref,))


def budgets_source(lines: Iterable[Category]) -> Source:
    """The cells of the monthly budgets, which together give the figure: `BUDGET!E5:E9 and E14`."""
    refs = tuple(line.cell for line in lines)
    places = [place for ref in refs if (place := _CELL.fullmatch(ref))]
    if not places:
        return calculated("the monthly budgets")
    named = ((place["sheet"].strip("'").replace("''", "'"), place["column"], int(place["row"])) for place in places)
    return Source("cell", _runs(named), refs[:CELLS_KEPT])


def entries_source(entries: Sequence[Entry], *, counting: bool = False, came_in: bool = False) -> Source:
    """The amount cells of some entries: a person who sums them as they are named gets the figure.

    Where some went out and some came in, those that came in are taken off: `NOVEMBER!F11 and F25 − G26`; with
    `came_in` the other way round.
    """
    if not entries:
        return Source("query", "no entry matches")
    cells = tuple(entry.amount_cell for entry in entries[:CELLS_KEPT])
    return Source("query" if counting else "cell", summed(entries, counting=counting, came_in=came_in), cells)


def amounts_source(entries: Sequence[Entry]) -> Source:
    """The amount cells of some entries, all of them added, whichever way the money went."""
    cells = tuple(entry.amount_cell for entry in entries[:CELLS_KEPT])
    return Source("cell", summed(entries, counting=True), cells) if entries else entries_source(entries)


def summed(entries: Sequence[Entry], *, counting: bool = False, came_in: bool = False) -> str:
    """The amount cells of some entries in words: every cell that counts, and no other."""
    added = [entry for entry in entries if counting or (entry.direction == "CREDIT") is came_in]
    taken_off = [entry for entry in entries if not counting and (entry.direction == "CREDIT") is not came_in]
    if not added or not taken_off:
        return _cells(added or taken_off)
    return (
        f"{_cells(added)} − {_cells(taken_off)}" if len(taken_off) == 1 else f"{_cells(added)} − ({_cells(taken_off)})"
    )


def calculated(ref: str, cells: Iterable[str] = ()) -> Source:
    """Worked out from other figures, as `ref` says."""
    return Source("calculation", ref, tuple(cells)[:CELLS_KEPT])


def balance_source(book: Book, mode: Mode) -> Source:
    """A mode's balance now: the card that states it where the book has one, otherwise its rows."""
    opening = book.opening_cells.get(mode)
    card = next((card for card in book.cards if card.mode == mode and card.month is None), None)
    if card is None and book.months:
        card = next((card for card in book.cards if card.mode == mode and card.month == book.months[-1]), None)
    if card and card.shows == book.balances.get(mode):
        return Source("cell", card.cell, tuple(cell for cell in (card.cell, opening) if cell))
    rows = [entry for entry in book.entries if entry.mode == mode]
    return calculated(
        f"opening {opening or 'unknown'} + in − out over the {MODE_NAMES[mode]} rows"
        + (f" {summed(rows, came_in=True)}" if rows else ""),
        ([opening] if opening else []) + [entry.amount_cell for entry in rows],
    )


def _cells(entries: Sequence[Entry]) -> str:
    return _runs((entry.sheet, _column(entry), entry.row) for entry in entries)


def _runs(places: Iterable[tuple[str, str, int]]) -> str:
    """`NOVEMBER!F11, F17, F19:F20 and F25`: runs of cells, the sheet named where it begins; many are shortened."""
    runs: list[tuple[str, str, int, int]] = []
    for sheet, column, row in sorted(set(places)):
        if runs and runs[-1][:2] == (sheet, column) and runs[-1][3] == row - 1:
            runs[-1] = (sheet, column, runs[-1][2], row)
        else:
            runs.append((sheet, column, row, row))
    kept = runs if len(runs) <= RUNS_NAMED + 1 else runs[:RUNS_NAMED]
    names = []
    before = ""
    for sheet, column, first, last in kept:
        name = f"{column}{first}" if first == last else f"{column}{first}:{column}{last}"
        names.append(name if sheet == before else f"{quoted(sheet)}!{name}")
        before = sheet
    if left := sum(last - first + 1 for _, _, first, last in runs[len(kept) :]):
        names.append(f"{left} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _column(entry: Entry) -> str:
    return entry.amount_cell.rpartition("!")[2].rstrip("0123456789")
