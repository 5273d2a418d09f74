"""Who owes whom: the rows of money lent or borrowed, and what of each is still open."""

from agent.evidence import Wording, calculated
from agent.language.lending import OwedAsked
from agent.state import Findings
from agent.tools.ledger_query import shown_row
from ledger.entries import Book
from ledger.lending import Loan, loans_in

NAME = "lending"
_ROWS_SHOWN = 50


def lending(asked: OwedAsked, book: Book, words: str) -> Findings:
    """What is owed, person by person, the dearest first, with the rows it stands in."""
    loans = [loan for loan in loans_in(book.entries) if loan.kind == asked.kind]
    named = [loan for loan in loans if asked.person in ("", loan.person)]
    open_loans = [loan for loan in named if loan.left > 0]
    wording = Wording()
    if not open_loans:
        text = _nothing(asked, named, wording)
    elif len(open_loans) == 1:
        text = _sentence(open_loans[0], wording)
    else:
        every = [entry.amount_cell for loan in open_loans for entry in loan.entries]
        total = wording.money(
            sum((loan.left for loan in open_loans), start=open_loans[0].left * 0), calculated("sum of the loans", every)
        )
        lead = f"{total} is owed to you" if asked.kind == "LENT" else f"You owe {total}"
        people = wording.count(len(open_loans), "person", calculated("people with a loan", every), "people")
        text = "\n".join(
            [f"{lead} by {people}:" if asked.kind == "LENT" else f"{lead} to {people}:"]
            + [f"- {_sentence(loan, wording)}" for loan in open_loans]
        )
    rows = tuple(sorted((entry for loan in open_loans or named for entry in loan.entries), key=lambda row: row.date))
    shown = tuple(map(shown_row, reversed(rows)))[:_ROWS_SHOWN]
    return Findings(NAME, words, wording.saying(text), rows=shown, count=len(rows))


def _sentence(loan: Loan, wording: Wording) -> str:
    """`Ravi owes you ₹200.00: ₹500.00 lent, ₹300.00 paid back.`"""
    cells = [entry.amount_cell for entry in loan.entries]
    given_cells = [entry.amount_cell for entry in loan.entries if entry.direction == _out(loan)]
    back_cells = [entry.amount_cell for entry in loan.entries if entry.direction != _out(loan)]
    name = wording.quote(loan.person.title())
    left = wording.money(loan.left, calculated(f"{loan.kind} {loan.person}: given − paid back", cells))
    lead = f"{name} owes you {left}" if loan.kind == "LENT" else f"You owe {name} {left}"
    if not back_cells:
        return f"{lead}."
    given = wording.money(loan.given, calculated("what was given", given_cells))
    back = wording.money(loan.back, calculated("what was paid back", back_cells))
    return f"{lead}: {given} {'lent' if loan.kind == 'LENT' else 'borrowed'}, {back} paid back."


def _nothing(asked: OwedAsked, settled: list[Loan], wording: Wording) -> str:
    who = wording.quote(asked.person.title())
    if asked.kind == "LENT":
        lead = f"{who} owes you nothing" if asked.person else "Nobody owes you anything"
        example = wording.quote("lent 500 to ravi cash")
    else:
        lead = f"You owe {who} nothing" if asked.person else "You owe nobody anything"
        example = wording.quote("borrowed 500 from amma cash")
    if settled:
        return f"{lead}: what there was is settled."
    return f"{lead} that stands in the book. Say {example} to keep a loan."


def _out(loan: Loan) -> str:
    return "DEBIT" if loan.kind == "LENT" else "CREDIT"
