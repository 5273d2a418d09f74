"""What was counted held against the book: the difference, what may explain it, and one row that would close it."""

from datetime import date
from decimal import Decimal

from agent.amending import row_words
from agent.evidence import Wording, balance_source, calculated, cell_source, message_source
from agent.language.items import Item, Standing
from agent.language.reality import Counted
from agent.state import Findings
from agent.tools.ledger_query import shown_row
from ledger.entries import ADJUSTMENT, MODE_NAMES, Book
from ledger.reality import Suspect, reckoned
from money import day_text

NAME = "match_reality"


def match_reality(counted: Counted, book: Book, today: date, words: str) -> Findings:
    """The difference of a mode, the rows that most likely explain it, and an adjustment to be asked for."""
    reckoning = reckoned(book, counted.mode, counted.amount, today)
    wording = Wording()
    name = MODE_NAMES[counted.mode]
    holds = wording.money(reckoning.book, balance_source(book, counted.mode))
    if not reckoning.gap:
        text = f"The book says the same: {name} has {holds}."
        return Findings(NAME, words, wording.saying(text), count=len(book.entries))
    there = wording.money(counted.amount, message_source(words))
    gap = wording.money(abs(reckoning.gap), calculated(f"what you counted − what the book gives for {name}"))
    lines = [f"The book gives {holds} for {name}, you have {there}: {gap} {'more' if reckoning.gap > 0 else 'less'}."]
    if reckoning.suspects:
        lines += ["What would explain it exactly:", *(f"- {_told(each, wording)}" for each in reckoning.suspects)]
    else:
        lines.append("No single row explains it: an entry may be missing.")
    missing = "money that came in" if reckoning.gap > 0 else "an expense"
    lines += [
        "",
        f"If {missing} is missing, tell me and I write it down. Otherwise say **adjust**: I put one row of {gap} on a "
        "card, which is neither spending nor income.",
    ]
    category = next((line.name for line in book.budget if line.group == "TRANSFER"), None)
    adjustment = Item(
        "balance adjustment",
        abs(reckoning.gap),
        counted.mode,
        "CREDIT" if reckoning.gap > 0 else "DEBIT",
        today,
        category,
        category_said=True,
        tags=(ADJUSTMENT,),
        words=words,
    )
    return Findings(
        NAME,
        words,
        wording.saying("\n".join(lines)),
        rows=tuple(shown_row(each.entry) for each in reckoning.suspects),
        count=len(book.entries),
        suggested=(adjustment,),
    )


def _told(suspect: Suspect, wording: Wording) -> str:
    """Why a row may be it: `₹630.00 for Petrol from PhonePe on 9 Nov may have been paid in Cash`."""
    entry = suspect.entry
    stands = cell_source(entry.amount_cell)
    row = row_words(Standing.of(entry, entry.sheet, entry.row), wording, stands)
    place = wording.quote(entry.cells)
    match suspect.why:
        case "twice":
            other = suspect.other or entry
            day = day_text(other.date, entry.date)
            return f"{row} ({place}) may stand twice: {wording.quote(other.cells)} says the same on {day}."
        case "direction":
            return (
                f"{row} ({place}) may be the wrong way round: money {'out' if entry.direction == 'CREDIT' else 'in'}."
            )
        case "digits":
            meant = wording.money(suspect.amount or Decimal(0), calculated("two digits exchanged", [entry.amount_cell]))
            return f"{row} ({place}) may be {meant}, two digits exchanged."
        case "other mode":
            return f"{row} ({place}) may belong to another mode."
        case _:
            return f"{row} ({place}) may belong to this one."
