"""Finding the tables of a workbook by their captions, and what cannot be told from the workbook alone.

first 20 rows that hold something ──captions over 1 to 3 rows──► layout, columns ──► rows beneath ──► Table
│ side by side, or below one another: several tables
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from ledger.cell_values import Unread, read_number, shown
from ledger.entries import MODE_NAMES, Mode, Role, Table
from ledger.foreign.captions import Captions
from ledger.foreign.days import column_day, order_of, swapped_by_excel
from ledger.foreign.layouts import (
    ROLE_NAMES,
    ROLES,
    Layout,
    direction_of,
    layout_named,
    layouts,
    plain_caption,
)
from ledger.foreign.mapping import Question, Recognised, TableMapping
from ledger.foreign.rows import MONEY, hidden_rows, mode_of, read_rows, table_rows
from ledger.sheetxml import Cell, Sheet, Value, column_number
from ledger.workbook import Workbook
from money import grouped

FIRST_ROWS = 20
"""rows that hold something, among which the captions must begin"""
CAPTION_ROWS = 3
SAMPLES = 5
LOOKED_AT = 2_000
"""rows that a column's rule is learnt from"""
WORDS_ASKED = 8
TABLES = 60

_Texts = Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class _Fit:
    layout: Layout
    columns: Mapping[str, Role]
    doubled: tuple[tuple[Role, tuple[str, ...]], ...]
    """roles that several columns are captioned as, equally well"""


def recognise(workbook: Workbook) -> Recognised | None:
    """The tables that the workbook holds in a layout that is known, or None. Nothing is guessed in silence: whatever
    the workbook does not say is among the questions.
    """
    shown_sheets = [ref.name for ref in workbook.sheets if ref.state == "visible"]
    hidden = [ref.name for ref in workbook.sheets if ref.state != "visible"]
    found = list(islice(_all(workbook, shown_sheets), TABLES)) or list(islice(_all(workbook, hidden), TABLES))
    if not found:
        return None
    tables: list[Table] = []
    questions: list[Question] = []
    samples = []
    for number, (table, fit) in enumerate(found):
        settled, asked = _settled(workbook, table, fit, number)
        tables.append(settled)
        questions += asked
        samples.append(_samples(workbook, settled))
    mapping = TableMapping(tables=tuple(tables))
    return Recognised(mapping, tuple(samples), tuple(questions), tuple(hidden_notes(workbook, mapping)))


def columns_of(workbook: Workbook, table: Table) -> dict[str, str]:
    """Every captioned column beside or inside the table, by letter, with its caption: what may be chosen from."""
    captions = Captions(workbook.sheet(table.sheet))
    return {
        column: captions.shown(*table.header, column)
        for column in captions.of_rows(*table.header)
        if captions.shown(*table.header, column)
    }


def captions_stand(workbook: Workbook, table: Table) -> bool:
    """Whether the captions are still what was confirmed."""
    try:
        captions = Captions(workbook.sheet(table.sheet))
    except KeyError:
        return False
    return all(
        plain_caption(captions.shown(*table.header, column)) == plain_caption(text)
        for column, text in table.captions.items()
    )


def hidden_notes(workbook: Workbook, mapping: TableMapping) -> Iterator[str]:
    """Sentences on hidden sheets and rows."""
    read = {table.sheet for table in mapping.tables}
    states = {ref.name: ref.state for ref in workbook.sheets}
    left = [name for name, state in states.items() if state != "visible" and name not in read]
    if left:
        yield f"{_sheets(left)} {'is' if len(left) == 1 else 'are'} hidden and not read."
    for name in dict.fromkeys(table.sheet for table in mapping.tables):
        if states[name] != "visible":
            yield f"The sheet {name} is hidden, and is read."
        rows = hidden_rows(workbook.sheet(name))
        if rows:
            count = "1 row is" if len(rows) == 1 else f"{len(rows):,} rows are"
            yield f"{count} hidden on {name}; they are read like any other."


def _sheets(names: Sequence[str]) -> str:
    return f"The sheet {names[0]}" if len(names) == 1 else f"The sheets {', '.join(names[:-1])} and {names[-1]}"


# where tables stand


def _all(workbook: Workbook, names: Sequence[str]) -> Iterator[tuple[Table, _Fit]]:
    for name in names:
        try:
            sheet = workbook.sheet(name)
        except KeyError:
            continue  # a chart sheet
        yield from _tables(workbook, sheet)


def _tables(workbook: Workbook, sheet: Sheet) -> list[tuple[Table, _Fit]]:
    captions = Captions(sheet)
    filled = [row for row, cells in _first_rows(sheet) if any(cell.raw for cell in cells.values())]
    for at, first in enumerate(filled[:FIRST_ROWS]):
        best = _best(captions, filled[at : at + CAPTION_ROWS])
        if best is None:
            continue
        # a title above the captions is none of them
        while best[1] > first and (lower := _fits(captions, first + 1, best[1])):
            if sum(len(fit.columns) for fit in lower) < sum(len(fit.columns) for fit in best[0]):
                break
            first, best = first + 1, (lower, best[1])
        if first not in filled[:FIRST_ROWS]:
            break
        found = [(_table(captions, fit, first, best[1]), fit) for fit in best[0]]
        return [each for each in _with_those_below(captions, found) if _has_rows(workbook, each[0])]
    return []


def _first_rows(sheet: Sheet) -> list[tuple[int, dict[str, Cell]]]:
    rows = ((row, cells) for row, cells in sheet.iterate() if any(cell.raw is not None for cell in cells.values()))
    return list(islice(rows, FIRST_ROWS + CAPTION_ROWS - 1))


def _best(captions: Captions, rows: Sequence[int]) -> tuple[list[_Fit], int] | None:
    """The tables whose captions begin in the first of these rows, and the last row of the captions."""
    best: tuple[list[_Fit], int] | None = None
    most = 0
    for last in rows:
        if last - rows[0] >= CAPTION_ROWS or not captions.only_texts(last):
            break
        fits = _fits(captions, rows[0], last)
        roles = sum(len(fit.columns) for fit in fits)
        if roles > most:
            best, most = (fits, last), roles
    return best


def _fits(captions: Captions, first: int, last: int) -> list[_Fit]:
    texts = captions.of_rows(first, last)
    blocks = _blocks(texts)
    apart = [fit for block in blocks if (fit := _fit(captions, block, last))]
    if len(apart) > 1:
        return apart
    whole = _fit(captions, texts, last)
    return [whole] if whole else []


def _blocks(texts: _Texts) -> list[_Texts]:
    """Captions that stand beside one another, apart from the next by an empty column."""
    blocks: list[dict[str, tuple[str, str]]] = []
    reached = -1
    for column, text in texts.items():
        number = column_number(column)
        if number != reached + 1:
            blocks.append({})
        blocks[-1][column] = text
        reached = number
    return list(blocks)


def _fit(captions: Captions, texts: _Texts, last: int) -> _Fit | None:
    for layout in layouts():
        # a layout with one amount has no columns for money out and in, and the other way round
        money: tuple[Role, ...] = ("amount",) if "amount" in layout.required else ("debit", "credit")
        left_out = {*MONEY} - {*money} | ({"type"} - {*layout.required})
        columns: dict[str, Role] = {}
        doubled = []
        for role in ROLES:
            if role in left_out:
                continue
            ranks = {
                column: min(ranks)
                for column, said in texts.items()
                if column not in columns
                and (ranks := [rank for text in said if (rank := layout.rank(role, text)) is not None])
            }
            best = [column for column, rank in ranks.items() if rank == min(ranks.values())]
            if best:
                columns[best[0]] = role
                if len(best) > 1:
                    doubled.append((role, tuple(best)))
        roles = set(columns.values())
        if not roles.issuperset(layout.required) or roles.intersection(layout.without):
            continue
        if "type" in layout.required and not _says_directions(captions, columns, last):
            continue
        return _Fit(layout, columns, tuple(doubled))
    return None


def _says_directions(captions: Captions, columns: Mapping[str, Role], last: int) -> bool:
    column = next(column for column, role in columns.items() if role == "type")
    values = _values(captions.sheet, column, last)
    return any(isinstance(value, str) and direction_of(value) for value in values)


def _values(sheet: Sheet, column: str, after: int, until: int | None = None) -> list[Value]:
    rows = (cells for row, cells in sheet.iterate() if row > after and (until is None or row <= until))
    return [value for cells in islice(rows, LOOKED_AT) if (value := sheet.value(cells.get(column))) not in (None, "")]


def _table(captions: Captions, fit: _Fit, first: int, last: int) -> Table:
    columns = {column: fit.columns[column] for column in sorted(fit.columns, key=column_number)}
    return Table(
        sheet=captions.sheet.name,
        layout=fit.layout.name,
        header=(first, last),
        captions={column: captions.shown(first, last, column) for column in columns},
        columns=columns,
        mode=fit.layout.mode,
    )


def _with_those_below(captions: Captions, found: list[tuple[Table, _Fit]]) -> list[tuple[Table, _Fit]]:
    """Add the tables that begin further down; each ends where the next in its columns has its captions."""
    last = found[0][0].header[1]
    names = {name for layout in layouts() for name in layout.captions["date"]}
    for row, cells in captions.sheet.iterate():
        if row <= last or not any(_is_caption(captions.sheet.value(cell), names) for cell in cells.values()):
            continue
        for fit in _fits(captions, row, row):
            table = _table(captions, fit, row, row)
            above = [at for at, (each, _) in enumerate(found) if set(each.columns) & set(table.columns)]
            if any(found[at][0].captions == table.captions for at in above[-1:]):
                continue  # the same captions again: the next page of the same table
            for at in above:
                if found[at][0].until is None:
                    found[at] = found[at][0].model_copy(update={"until": row - 1}), found[at][1]
            found.append((table, fit))
        if len(found) >= TABLES:
            break
    return found


def _is_caption(value: Value, names: set[str]) -> bool:
    return isinstance(value, str) and len(value) < 40 and plain_caption(value) in names


def _has_rows(workbook: Workbook, table: Table) -> bool:
    """Whether some row beneath has a day and an amount."""
    columns = {role: column for column, role in table.columns.items()}
    sheet = workbook.sheet(table.sheet)
    for _, cells in islice(table_rows(sheet, table), LOOKED_AT):
        value = sheet.value(cells.get(columns["date"]))
        if value is None or isinstance(
            column_day(value, day_first=True, date1904=workbook.date1904, year=2000), Unread
        ):
            continue
        for role in MONEY:
            cell = cells.get(columns.get(role, ""))
            if cell is not None and (
                cell.formula is not None or not isinstance(read_number(sheet.value(cell)), Unread)
            ):
                return True
    return False


# what must be asked


def _settled(workbook: Workbook, table: Table, fit: _Fit, number: int) -> tuple[Table, list[Question]]:
    """The table with what its columns say, and what they do not say."""
    sheet = workbook.sheet(table.sheet)
    questions = [_column_question(table, role, columns, number) for role, columns in fit.doubled]
    columns = {role: column for column, role in table.columns.items()}
    dates = _values(sheet, columns["date"], table.header[1], table.until)
    texts = [value for value in dates if isinstance(value, str)]
    order = order_of(texts)
    table = table.model_copy(update={"day_first": order != "month first"})
    if sentence := _date_question(workbook, columns["date"], dates, texts, order):
        questions.append(Question(number, "dates", sentence))
    if "amount" in columns and "type" not in columns:
        positive, sentence = _sign(_values(sheet, columns["amount"], table.header[1], table.until))
        table = table.model_copy(update={"positive": positive})
        questions.append(Question(number, "sign", sentence))
    if "mode" in columns:
        questions += _word_questions(sheet, table, columns["mode"], number)
    elif table.mode is None:
        choices = ", ".join(MODE_NAMES.values())
        questions.append(
            Question(number, "mode", f"Nothing on {table.sheet} says where this money is kept: {choices}.")
        )
    return table, questions


def _column_question(table: Table, role: Role, columns: Sequence[str], number: int) -> Question:
    listed = f"{', '.join(columns[:-1])} and {columns[-1]}"
    layout = layout_named(table.layout)
    caption = table.captions[columns[0]] if layout else ""
    return Question(
        number,
        "column",
        f"Columns {listed} could each be {ROLE_NAMES[role]} (“{caption}”); {columns[0]} is taken.",
    )


def _date_question(
    workbook: Workbook, column: str, values: Sequence[Value], texts: Sequence[str], order: str
) -> str | None:
    if order == "either":
        example = f"The dates in column {column}, such as {texts[0]},"
        return f"{example} could begin with the day or the month; day first is taken."
    if order == "both":
        return (
            f"In column {column} some dates begin with the day and some with the month. Day first is taken, and those "
            "that do not fit are listed as unread."
        )
    made = [
        day
        for value in values
        if not isinstance(value, str)
        and isinstance(day := column_day(value, day_first=True, date1904=workbook.date1904, year=None), date)
    ]
    if swapped_by_excel(texts, made):
        return (
            f"Column {column} holds both dates and texts, and each text has a day above 12: Excel may have turned day "
            "and month round in the others. Compare them with where they came from."
        )
    return None


def _sign(values: Sequence[Value]) -> tuple[str, str]:
    numbers = [number for value in values if not isinstance(number := read_number(value), Unread) and number]
    if any(number < 0 for number in numbers):
        return "CREDIT", "Amounts below zero are taken as money out, those above as money in."
    return "DEBIT", "Every amount is above zero and nothing says which way it went; all are taken as money out."


def _word_questions(sheet: Sheet, table: Table, column: str, number: int) -> Iterator[Question]:
    texts = dict.fromkeys(
        " ".join(value.split()).casefold()
        for value in _values(sheet, column, table.header[1], table.until)
        if isinstance(value, str) and isinstance(mode_of(value, table.words), Unread)
    )
    for text in islice((text for text in texts if text), WORDS_ASKED):
        sentence = f"“{text}” in column {column} is no mode by itself; its rows are left out until it is said."
        yield Question(number, "word", sentence, text)


def _samples(workbook: Workbook, table: Table) -> tuple[Mapping[Role, str], ...]:
    known = table.mode is not None or table.column("mode") is not None
    rows = []
    for entry in read_rows(workbook, table, SAMPLES).entries:
        mode: Mode | None = entry.mode if known else None
        row: dict[Role, str] = {
            "date": f"{entry.date:%d-%b-%Y}",
            "description": entry.description.capitalize(),
            "debit": grouped(entry.amount) if entry.direction == "DEBIT" else "",
            "credit": grouped(entry.amount) if entry.direction == "CREDIT" else "",
            "category": shown(entry.category),
            "mode": MODE_NAMES[mode] if mode else "?",
        }
        rows.append(row)
    return tuple(rows)
