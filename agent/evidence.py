"""Figures and where they come from: nothing is said that no tool's result supports.

    Wording      builds a sentence and collects its figures, each with its source, as it goes
    unsupported  reads a finished text again and names every number that no figure stands for

Figures are amounts, counts and rates; dates, ordinals, item numbers, cells and page numbers are not.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby

from agent.markdown import escaped
from agent.state import Saying
from agent.turn import Figure, Source
from ledger.entries import MODE_NAMES, Book, Entry, Mode, quoted
from money import percent, rupees

CELLS_KEPT = 500
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
        rest = rest.replace(text, " ")
    for figure in sorted(saying.figures, key=lambda each: len(each.text), reverse=True):
        rest = re.sub(rf"(?<![\d,.₹−]){re.escape(figure.text)}(?![\d,]|\.\d)", " ", rest)
    rest = _NOT_FIGURES.sub(" ", rest)
    return tuple(match.group() for match in _NUMBER.finditer(rest))


def plain_wording(saying: Saying) -> Saying:
    """The figures alone, each with where it comes from: said when a text could not be supported."""
    lines = [f"- **{figure.text}** ({escaped(figure.source.ref)})" for figure in saying.figures]
    refs = tuple(escaped(figure.source.ref) for figure in saying.figures)
    if not lines:
        return Saying("I found no figure for that which I can show you the source of.")
    return Saying("\n".join(["What I found:", *lines]), saying.figures, refs)


# sources


def message_source(words: str) -> Source:
    """What the user said."""
    return Source("message", words.strip() or "your message")


def cell_source(ref: str) -> Source:
    """One cell."""
    return Source("cell", ref, (ref,))


def entries_source(entries: Sequence[Entry], *, counting: bool = False) -> Source:
    """The amount cells of some entries."""
    if not entries:
        return Source("query", "no entry matches")
    cells = tuple(entry.amount_cell for entry in entries[:CELLS_KEPT])
    return Source("query" if counting else "cell", _ranges(entries), cells)


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
        + (f" {_ranges(rows)}" if rows else ""),
        ([opening] if opening else []) + [entry.amount_cell for entry in rows],
    )


def _ranges(entries: Sequence[Entry]) -> str:
    """`NOVEMBER!F7:F24 and 'CASH TRACKER'!F30`: from the first to the last cell on each sheet, by column."""
    found = []
    places = sorted(
        {(entry.sheet, entry.amount_cell.rpartition("!")[2].rstrip("0123456789"), entry.row) for entry in entries}
    )
    for (sheet, column), group in groupby(places, key=lambda place: place[:2]):
        rows = [row for *_, row in group]
        reach = f"{column}{rows[0]}" + (f":{column}{rows[-1]}" if len(rows) > 1 else "")
        found.append(f"{quoted(sheet)}!{reach}")
    more = f" ({len(entries)} cells)" if len(entries) > len(found) else ""
    return " and ".join(found) + more
