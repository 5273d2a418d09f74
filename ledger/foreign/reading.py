"""A workbook in another layout, read as a Book by a mapping that a person confirmed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ledger.entries import MODES, MONTHS, Book, BookRefused, Category, Difference, Entry, Issue, Mode
from ledger.foreign.mapping import TableMapping
from ledger.foreign.recognition import captions_stand, hidden_notes
from ledger.foreign.rows import held_against_balances, read_rows, year_named
from ledger.workbook import Workbook

CELLS_NAMED = 5


def read_foreign(workbook: Workbook, mapping: TableMapping) -> Book:
    """The book of the mapped tables.

    Raises `BookRefused` when a table's captions are not what was confirmed, when nothing says where its money is
    kept, or when no row of any table can be read.
    """
    entries: list[Entry] = []
    issues: list[Issue] = []
    differences: list[Difference] = []
    totals: list[str] = []
    notes: list[str] = []
    openings: dict[Mode, Decimal | None] = dict.fromkeys(MODES)
    opening_cells: dict[Mode, str] = {}
    began: dict[Mode, Entry] = {}
    for table in mapping.tables:
        if not captions_stand(workbook, table):
            raise BookRefused(
                f"The captions of {table.sheet} in {workbook.name} are not what they were when its columns were "
                "confirmed. Upload it again to confirm them."
            )
        if table.mode is None and table.column("mode") is None:
            raise BookRefused(f"Nothing says where the money of {table.sheet} is kept. Choose its mode.")
        rows = read_rows(workbook, table)
        entries += rows.entries
        issues += rows.issues
        totals += rows.totals
        notes += rows.notes
        if table.mode is None or not rows.entries:
            continue
        opening, differs = held_against_balances(rows, table.mode)
        differences += [differs] if differs else []
        first = min(rows.entries, key=lambda entry: entry.date)
        if opening is not None and (table.mode not in began or first.date < began[table.mode].date):
            began[table.mode] = first
            openings[table.mode], opening_cells[table.mode] = opening.amount, opening.cell
    if not entries and not issues:
        raise BookRefused(f"No row of {workbook.name} can be read as an entry.")
    year = _year(workbook, mapping, entries)
    return Book(
        name=workbook.name,
        sha256=workbook.sha256,
        year=year,
        entries=tuple(entries),
        issues=tuple(issues),
        budget=tuple(_categories(entries)),
        lists={},
        openings=openings,
        opening_cells=opening_cells,
        months=tuple(
            month
            for number, month in enumerate(MONTHS, 1)
            if any(entry.date.month == number and entry.date.year == year for entry in entries)
        ),
        differences=tuple(differences),
        balances=_balances(openings, entries),
        tables=mapping.tables,
        remarks=(
            *hidden_notes(workbook, mapping),
            *_passed(totals, "total or balance", "not counted"),
            *_passed(notes, "note without day and amount", "passed by"),
        ),
    )


def _year(workbook: Workbook, mapping: TableMapping, entries: Sequence[Entry]) -> int:
    if entries:
        return Counter(entry.date.year for entry in entries).most_common(1)[0][0]
    named = (year_named(workbook, table.sheet) for table in mapping.tables)
    year = next((year for year in named if year), None)
    if year is None:
        raise BookRefused(f"No row of {workbook.name} can be read, and it does not say which year it is of.")
    return year


def _categories(entries: Sequence[Entry]) -> Iterator[Category]:
    """The categories that rows name. Without a BUDGET sheet none has a budget, and none is said to be dispensable."""
    met: dict[str, Entry] = {}
    for entry in entries:
        if entry.category:
            met.setdefault(entry.category.casefold(), entry)
    for entry in met.values():
        if entry.category:
            yield Category(entry.category, entry.group or "PERSONAL", None, essential=True)


def _balances(openings: dict[Mode, Decimal | None], entries: Sequence[Entry]) -> dict[Mode, Decimal]:
    balances = {mode: openings[mode] or Decimal(0) for mode in MODES}
    for entry in entries:
        balances[entry.mode] += entry.amount if entry.direction == "CREDIT" else -entry.amount
    return balances


def _passed(cells: Sequence[str], what: str, how: str) -> Iterator[str]:
    if cells:
        more = f" and {len(cells) - CELLS_NAMED:,} more" if len(cells) > CELLS_NAMED else ""
        named = ", ".join(cells[:CELLS_NAMED])
        noun = f"1 row is a {what}" if len(cells) == 1 else f"{len(cells):,} rows are each a {what}"
        yield f"{noun}, {how}: {named}{more}."
