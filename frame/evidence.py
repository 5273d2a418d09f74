"""Figure chips: each number of an answer, opening to the cells, the message or the calculation it came from."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import streamlit as st

from agent import Figure, Row, Source
from frame import desk
from frame.escape import literal
from frame.look import CODE_LETTERS, cell_text, entries_words, mode_name, table
from ledger.browse import places_in, places_text
from ledger.entries import BookRefused, Entry, quoted
from ledger.store import Opened
from ledger.workbook import column_number
from money import day_text, grouped

ICONS: Mapping[str, str] = {
    "cell": ":material/table_rows:",
    "query": ":material/table_rows:",
    "message": ":material/chat:",
    "calculation": ":material/calculate:",
    "page": ":material/description:",
    "price": ":material/show_chart:",
    "web": ":material/public:",
    "review": ":material/person:",
}
ROWS_SHOWN = 5
CELLS_LINKED = 500
"""a figure keeps no more cells than this: with as many, it may have others that a link would not show"""

LEDGER = Path(__file__).parent.parent / "pages" / "ledger.py"
CHIPS_SHOWN = 6
REF_LETTERS = 24
"""a longer source would make a chip of two lines on a phone; a number stands for it"""

_INSIDE = re.compile(r"\[(?P<file>[^\[\]]+)\]")
_CELL = re.compile(r"(?P<sheet>'(?:[^']|'')+'|[^!]+)!(?P<column>[A-Z]{1,3})(?P<row>[0-9]{1,7})")


@dataclass(frozen=True)
class SourceCell:
    """A cell that a figure rests on, as the book has it now."""

    cell: str
    day: date | None
    description: str
    amount: Decimal | None
    """below zero for money out"""


def show_figures(figures: Sequence[Figure], opened: Opened | None, *, today: date, key: str) -> None:
    """A chip a figure; the chosen one opens its source under them. Many figures keep the later chips folded."""
    chips = tuple({(figure.text, figure.source): figure for figure in figures}.values())
    if not chips:
        return
    first, more = chips[:CHIPS_SHOWN], chips[CHIPS_SHOWN:]
    if len(more) == 1:
        first, more = chips, ()
    _chips(first, opened, today, f"{key}-figures")
    if more:
        with st.expander(f"{len(more)} more figures", type="compact", key=f"{key}-more"):
            _chips(more, opened, today, f"{key}-more-figures")


def chip_names(figures: Sequence[Figure]) -> tuple[str, ...]:
    """A name of its own for each chip: the figure, and where another one reads the same, its place or its number.

    The browser knows a chip by its name alone; two of one name would open one source.
    """
    names = []
    for number, figure in enumerate(figures):
        alike = [at for at, other in enumerate(figures) if other.text == figure.text]
        if len(alike) == 1:
            names.append(figure.text)
            continue
        tellings = ([_sheet_of(figures[at]) for at in alike], [_short_ref(figures[at]) for at in alike])
        mine = alike.index(number)
        telling = next((places[mine] for places in tellings if all(places) and len({*places}) == len(alike)), "")
        names.append(f"{figure.text} · {telling or mine + 1}")
    return tuple(names)


def _sheet_of(figure: Figure) -> str:
    """The one sheet whose cells it rests on, `October`; empty when there are several or none."""
    sheets = {cell.rpartition("!")[0].strip("'") for cell in figure.source.cells}
    return sheets.pop().capitalize() if len(sheets) == 1 else ""


def _short_ref(figure: Figure) -> str:
    return figure.source.ref if len(figure.source.ref) <= REF_LETTERS else ""


def show_rows(rows: Sequence[Row], *, today: date, key: str) -> None:
    """Entries as a table, money beside the date: a phone shows both without scrolling.

    The line above it is where the table's own buttons appear; without it they would cover a figure.
    """
    st.caption(entries_words(len(rows)))
    mixed = len({row.direction for row in rows}) > 1
    table(
        ("Date", "Amount ₹", "Description", "Mode", "Category", "Cell"),
        [
            (
                day_text(row.date, today),
                amount_text(row.amount if row.direction == "CREDIT" else -row.amount, with_sign=mixed),
                row.description,
                mode_name(row.mode),
                row.category or "",
                row.cell.rsplit("#", 1)[-1],
            )
            for row in rows
        ],
        alt=f"{len(rows)} entries",
        key=key,
    )


def amount_text(amount: Decimal, *, with_sign: bool) -> str:
    """An amount for a table's cell: bare where all go one way, otherwise with its sign."""
    if not with_sign:
        return grouped(abs(amount))
    return f"{'−' if amount < 0 else '+'}{grouped(abs(amount))}"


def source_cells(
    cells: Sequence[str], opened: Opened, beside: Callable[[str], Opened | None] = lambda _: None
) -> tuple[SourceCell, ...]:
    """What stands in those cells now: an entry with its date and description, or just the cell's value.

    `beside` opens another year's book by its file name, for cells like `'[Budget_2025.xlsx]NOVEMBER'!F12`.
    """
    books: dict[str, Opened | None] = {"": opened}
    entries: dict[tuple[str, str, int], Entry] = {}
    found = []
    for cell in cells:
        place = _CELL.fullmatch(cell)
        if place is None:
            continue
        sheet, row = place["sheet"].strip("'").replace("''", "'"), int(place["row"])
        inside = _INSIDE.match(sheet)
        file, sheet = (inside["file"], sheet[inside.end() :]) if inside else ("", sheet)
        if file not in books:
            books[file] = beside(file)
        book = books[file]
        if book is None:
            found.append(SourceCell(cell, None, "", None))
            continue
        if not any(key[0] == file for key in entries):
            entries |= {(file, entry.sheet, entry.row): entry for entry in book.book.entries}
        entry = entries.get((file, sheet, row))
        if entry is not None and entry.amount_cell.rpartition("!")[2] == f"{place['column']}{row}":
            amount = -entry.amount if entry.direction == "DEBIT" else entry.amount
            found.append(SourceCell(cell, entry.date, entry.description, amount))
        else:
            found.append(replace(_other_cell(book, sheet, place["column"], row), cell=cell))
    return tuple(found)


def relation(figure: Figure, cells: Sequence[SourceCell]) -> str:
    """How a figure follows from its cells, in words."""
    amounts = [cell.amount for cell in cells if cell.amount is not None]
    things = entries_words(len(cells)) if all(cell.day for cell in cells) else f"{len(cells)} cells"
    if amounts and abs(amounts[0]) == abs(figure.value):
        return "stands in"
    if figure.value == len(cells) and "₹" not in figure.text:
        return f"counts {things} ·"
    if abs(sum(amounts, Decimal(0))) == abs(figure.value):
        return f"is the sum of {things} ·"
    return f"comes from {things} ·"


def _other_cell(opened: Opened, sheet: str, column: str, row: int) -> SourceCell:
    """A cell that is no entry's amount, named by the words left of it: an opening balance, a card, a budget."""
    name = f"{quoted(sheet)}!{column}{row}"
    try:
        page = opened.workbook.sheet(sheet)
    except KeyError:
        return SourceCell(name, None, "", None)
    cells = page.cells(row)
    value = page.value(cells[column]) if column in cells else None
    before = [page.value(cell) for letter, cell in cells.items() if column_number(letter) < column_number(column)]
    label = next((text for text in reversed(before) if isinstance(text, str)), "")
    return SourceCell(name, None, label, value if isinstance(value, Decimal) else None)


def _chips(figures: Sequence[Figure], opened: Opened | None, today: date, key: str) -> None:
    names = chip_names(figures)
    chosen = st.pills(
        "Figures of this answer; choose one to see where it comes from",
        range(len(figures)),
        format_func=lambda number: f"{ICONS[figures[number].source.kind]} {literal(names[number])}",
        label_visibility="collapsed",
        key=key,
    )
    if chosen is not None:
        _show_source(figures[chosen], opened, today, f"{key}-source-{chosen}")


def _show_source(figure: Figure, opened: Opened | None, today: date, key: str) -> None:
    source = figure.source
    text = f"**{literal(figure.text)}**"
    with st.container(border=True, key=key, gap="small"):
        cells = source_cells(source.cells, opened, partial(_beside, opened)) if opened else ()
        if source.kind == "calculation" or not cells:
            st.markdown(f"{text} {_origin(source)}")
        elif len(source.ref) <= CODE_LETTERS:
            st.markdown(f"{text} {relation(figure, cells)} {cell_text(source.ref)}")
        else:
            with st.container(gap=None):
                st.markdown(f"{text} {relation(figure, cells).removesuffix(' ·')}")
                st.caption(literal(source.ref))
        mixed = len({cell.amount > 0 for cell in cells if cell.amount}) > 1
        one_sheet = len({cell.cell.rpartition("!")[0] for cell in cells}) == 1
        dated = any(cell.day for cell in cells)
        table(
            ("Date", "Amount ₹", "Description", "Cell") if dated else ("Amount ₹", "Description", "Cell"),
            [
                (
                    *((day_text(cell.day, today) if cell.day else "",) if dated else ()),
                    "" if cell.amount is None else amount_text(cell.amount, with_sign=mixed),
                    cell.description,
                    cell.cell.rpartition("!")[2] if one_sheet else cell.cell,
                )
                for cell in cells
            ],
            alt=f"The {len(cells)} cells behind {figure.text}",
            key=f"{key}-table",
            most=ROWS_SHOWN,
        )
        entries = places_in(",".join(cell.cell for cell in cells if cell.day and "[" not in cell.cell))
        if entries and len(cells) < CELLS_LINKED:
            st.page_link(
                LEDGER,
                label="Open in Ledger",
                icon=":material/table_rows:",
                query_params={"at": places_text(entries)},
            )


def _beside(opened: Opened, name: str) -> Opened | None:
    """Another year's book beside the open one, by its file name; None when it cannot be read."""
    store, year = desk.workbench().book(), re.search(r"(?<!\d)(?:19|20|21)\d\d(?!\d)", name)
    if store is None or year is None:
        return None
    try:
        return store.beside(opened.book, int(year[0])).read()
    except BookRefused:
        return None


def _origin(source: Source) -> str:
    match source.kind:
        case "calculation":
            return f"is worked out: {literal(source.ref)}"
        case "message":
            return f"is from your message: “{literal(source.ref)}”"
        case "query":
            return f"is counted: {literal(source.ref)}"
        case _:
            return f"· {cell_text(source.ref)}"
