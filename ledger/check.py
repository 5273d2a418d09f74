"""What a person wants to know of a book before trusting it, as plain text.

The layout that was found, the rows on each sheet, every issue by its cell, and each balance computed from the rows
beside the card that states it.
"""

from collections import Counter
from collections.abc import Iterator

from ledger.entries import CASH_TRACKER, MODE_NAMES, MODES, Book, Issue
from ledger.foreign import Recognised, TableMapping, read_foreign, title_of
from ledger.foreign.layouts import ROLE_NAMES
from ledger.workbook import Workbook
from money import rupees


def report(workbook: Workbook, book: Book) -> str:
    """The report of a book that was read, a paragraph for each question."""
    return "\n".join(_lines(workbook, book)) + "\n"


def report_of_tables(workbook: Workbook, recognised: Recognised) -> str:
    """The report of a workbook in another layout: its tables, what each column is taken for, and what must be asked.

    Raises BookRefused when none of its rows can be read.
    """
    return "\n".join(_table_lines(workbook, recognised)) + "\n"


def _table_lines(workbook: Workbook, recognised: Recognised) -> Iterator[str]:
    tables = recognised.mapping.tables
    # which mode does not matter to what can be read; the balances, which would show it, are not told
    book = read_foreign(
        workbook,
        TableMapping(tables=tuple(table.model_copy(update={"mode": table.mode or "BANK"}) for table in tables)),
    )
    rows = _entries(len(book.entries))
    yield f"{workbook.name}: another layout, {book.year}, {rows}, read only once it is confirmed in the window"
    for number, table in enumerate(tables):
        yield f"  {table.place}: {title_of(table)}"
        for column, role in table.columns.items():
            yield f"    {column} “{table.captions[column]}” is {ROLE_NAMES[role]}"
        if table.mode is not None:
            yield f"    every row is {MODE_NAMES[table.mode]}"
        yield from (f"    ? {asked.sentence}" for asked in recognised.questions if asked.table == number)
        for sample in recognised.samples[number]:
            money = f"out {sample['debit']}" if sample["debit"] else f"in {sample['credit']}"
            yield f"    reads {sample['date']}, {sample['description']}, {money}, {sample['mode']}"
    yield from ("", *book.remarks) if book.remarks else ()
    yield ""
    yield "These balances differ from the rows:" if book.disagreements else "No balance shown differs from the rows."
    yield from (f"  {sentence}" for sentence in book.disagreements)
    yield from _issues(book.issues)


def _lines(workbook: Workbook, book: Book) -> Iterator[str]:
    rows = Counter(entry.sheet for entry in book.entries)
    yield f"{book.name}: Munshi's layout, {book.year}, {_entries(len(book.entries))}, {len(book.budget)} categories"
    for sheet in (*book.months, CASH_TRACKER):
        state = next(ref.state for ref in workbook.sheets if ref.name == sheet)
        notes = [_entries(rows[sheet]), *(["hidden"] if state != "visible" else [])]
        if not workbook.sheet(sheet).regular:
            notes.append("can be read but not written: open it in Excel and save it once")
        yield f"  {sheet}: {', '.join(notes)}"
    yield ""
    yield "Balances, from the rows"
    for mode in MODES:
        opening = book.openings.get(mode)
        began = (
            f"opening {rupees(opening)}"
            if opening is not None
            else f"no opening in {book.opening_cells[mode]}, counted as 0"
        )
        yield f"  {MODE_NAMES[mode]}: {rupees(book.balances[mode])} ({began})"
        for card in book.cards:
            if card.mode == mode and card.month in (None, book.months[-1]):
                yield f"    {card.cell} shows {rupees(card.shows) if card.shows is not None else 'no calculated value'}"
    yield ""
    if book.differences:
        yield "These balances differ from the rows, each where the difference begins; writing waits for your word:"
    else:
        yield "Every balance shown agrees with the rows."
    yield from (f"  {sentence}" for sentence in book.disagreements)
    yield from _issues(book.issues)


def _issues(issues: tuple[Issue, ...]) -> Iterator[str]:
    yield "These cells could not be read:" if issues else "Every row could be read."
    for issue in issues:
        stops = " Totals stop until then." if issue.stops_totals else ""
        yield f"  {issue.cell} reads {issue.reads!r}: {issue.reason}{stops}"


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"
