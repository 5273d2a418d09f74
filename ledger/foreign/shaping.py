"""How a person's own table is to be continued: where its rows end, in which order they stand, how each column spells.

mapped Table + the sheet + its entries ──► Written(Shape, entries by row, …)      or BookRefused, naming the cell
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from ledger import ground as own
from ledger.cell_values import NOTHING, Unread, shown
from ledger.entries import MODE_NAMES, MODES, BookRefused, Direction, Entry, Mode, Table
from ledger.foreign.captions import Captions
from ledger.foreign.days import column_day
from ledger.foreign.layouts import direction_of
from ledger.foreign.rows import mode_of, side_of
from ledger.ground import Ground, split_cell
from ledger.shape import Shape
from ledger.sheetxml import Cell, Sheet, column_letters, column_number

LEARNT_FROM = 200
"""rows that a spelling is learnt from"""
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONG_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_PARTS = {
    True: ("{d:02}", "{m:02}"),
    False: ("{d}", "{m}"),
}


def written_day(day: date, pattern: str) -> str:
    """A day as text: of the pattern `{d:02}/{m:02}/{y}`, `05/11/2026`."""
    return pattern.format(
        d=day.day, m=day.month, y=day.year, s=f"{day.year % 100:02}", b=_MONTH_NAMES[day.month - 1],
        l=_LONG_NAMES[day.month - 1],
    )  # fmt: skip


def _patterns(*, day_first: bool) -> Iterable[str]:
    """The shapes of text dates that are known, those with two digits first."""
    yield from ("{y}-{m:02}-{d:02}", "{y}/{m:02}/{d:02}", "{y}.{m:02}.{d:02}")
    for padded in (True, False):
        day, month = _PARTS[padded]
        first, second = (day, month) if day_first else (month, day)
        for year in ("{y}", "{s}"):
            for mark in ("/", "-", ".", " "):
                yield f"{first}{mark}{second}{mark}{year}"
            for name in ("{b}", "{l}"):
                yield from (f"{day}{mark}{name}{mark}{year}" for mark in ("-", " ", "/", ""))
                yield from (f"{name} {day}, {year}", f"{name} {day} {year}", f"{day} {name}, {year}")
        yield from (f"{day}{mark}{name}" for name in ("{b}", "{l}") for mark in (" ", "-"))


@dataclass(frozen=True)
class Written:
    """A table as it can be written into."""

    table: Table
    sheet: Sheet
    shape: Shape
    entries: Mapping[int, Entry]
    """by row"""
    sorted: bool
    """whether its rows stand in the order of their days, whichever way"""
    serial: Mapping[str, int]
    """columns of running numbers, and by how much each row differs from the one above"""
    formulas: frozenset[str]
    """kept columns whose last row holds a formula, that of the balance left out"""
    spelt: Mapping[Mode, tuple[str, ...]]
    """every spelling of each mode in the mode column, the last one first"""

    @property
    def balance(self) -> str | None:
        """The column of the running balance."""
        return self.shape.roles.get("balance")

    @cached_property
    def donors(self) -> tuple[Mapping[str, Cell], Mapping[str, Cell]]:
        """The cells of the newest row of entries, and of the one above it."""
        rows = sorted(self.entries)
        rows = rows[:2] if self.shape.newest_first else rows[:-3:-1]
        first = self.sheet.cells(rows[0]) if rows else {}
        return first, self.sheet.cells(rows[1]) if rows[1:] else {}

    @cached_property
    def as_table(self) -> own.Table:
        """The same as a table that rows may move within."""
        shape = self.shape
        kept: dict[str, Mode] = dict.fromkeys(shape.kept, "BANK")
        layout = own.Layout(shape.top - 2, shape.columns[0], kept)
        return own.Table(self.sheet, layout, shape.last, shape.columns[-1])

    def holds(self, mode: Mode) -> bool:
        """Whether a row of that mode can stand in it."""
        return mode in self.shape.modes if self.shape.mode is None else mode == self.shape.mode


def refusal_of(ground: Ground, table: Table) -> str | None:
    """Why nothing can be written on the sheet of a table: hidden, protected, odd; None when it can."""
    try:
        own.open_sheet(ground, table.sheet)
    except BookRefused as refused:
        return str(refused)
    return None


def owner(tables: Sequence[Table], entry: Entry) -> Table | None:
    """The table an entry stands in."""
    for table in tables:
        ordered = sorted(table.columns, key=column_number)
        place = entry.place
        if (
            table.sheet == entry.sheet
            and table.header[1] < entry.row <= (table.until or entry.row)
            and (place is None or (place.first, place.last) == (ordered[0], ordered[-1]))
        ):
            return table
    return None


def written_table(ground: Ground, table: Table) -> Written:
    """How one table is continued."""
    sheet = ground.workbook.sheet(table.sheet)
    book = ground.book
    entries = {entry.row: entry for entry in book.entries if owner((table,), entry)}
    columns = _columns(sheet, table, [each for each in book.tables if each is not table])
    issues = [split_cell(issue.cell) for issue in book.issues]
    low = [row for name, column, row in issues if name == table.sheet and column in table.columns]
    inside = [row for row in low if table.header[1] < row <= (table.until or row)]
    last = max([table.header[1], *entries, *inside])
    days = [entries[row].date for row in sorted(entries)]
    rising = all(first <= second for first, second in pairwise(days))
    falling = not rising and all(first >= second for first, second in pairwise(days))
    roles = {str(role): column for column, role in table.columns.items()}
    learnt = sorted(entries)[:LEARNT_FROM] if falling else sorted(entries)[-LEARNT_FROM:]
    cells = {row: sheet.cells(row) for row in learnt}
    serial = _serial(sheet, [column for column in columns if column not in table.columns], cells)
    newest = cells[learnt[0] if falling else learnt[-1]] if learnt else {}
    formulas = frozenset(
        column
        for column in columns
        if column not in table.columns and column in newest and newest[column].formula is not None
    )
    spelt = _spelt(sheet, table, entries, [*reversed(learnt)] if not falling else learnt)
    kept = tuple(column for column in columns if column in {roles.get("balance"), *serial, *formulas})
    shape = Shape(
        sheet=table.sheet,
        roles=roles,
        columns=columns,
        kept=kept,
        top=table.header[1] + 1,
        last=last,
        newest_first=falling,
        mode=table.mode if "mode" not in roles else None,
        positive=table.positive,
        modes=_modes(table, spelt) if "mode" in roles else {},
        types=_types(sheet, roles.get("type"), entries, learnt),
        debits_below_zero=_below_zero(sheet, roles, entries, cells),
        nothing=_nothing(sheet, roles, newest),
        day=_day_pattern(ground, table, roles["date"], entries, cells, newest),
        day_first=table.day_first,
        capitals=_in_capitals(sheet, roles.get("description"), cells),
    )
    return Written(table, sheet, shape, entries, rising or falling, serial, formulas, spelt)


def sided_amount(written: Written) -> str | None:
    """The first cell that writes Dr or Cr beside its amount, or its balance as text: such columns are not continued."""
    roles = written.shape.roles
    for row in sorted(written.entries):
        cells = written.sheet.cells(row)
        for role in ("amount", "debit", "credit", "balance"):
            column = roles.get(role, "")
            value = written.sheet.value(cells.get(column))
            if not isinstance(value, str) or value.strip().casefold() in NOTHING:
                continue
            if role == "balance" or side_of(value)[1] is not None:
                return written.shape.cell(column, row)
    return None


def _columns(sheet: Sheet, table: Table, others: Sequence[Table]) -> tuple[str, ...]:
    """A row's columns: those that are mapped, what stands between them, and captioned ones right beside."""
    mapped = [column_number(column) for column in table.columns]
    first, last = min(mapped), max(mapped)
    captioned = {column_number(column) for column in Captions(sheet).of_rows(*table.header)}
    captioned |= {column_number(column) for column in sheet.cells(table.header[1]) if sheet.value(
        sheet.cells(table.header[1])[column]) is not None}  # fmt: skip
    theirs = {column_number(c) for other in others if other.sheet == table.sheet for c in other.columns} - {*mapped}
    while first - 1 in captioned - theirs:
        first -= 1
    while last + 1 in captioned - theirs:
        last += 1
    return tuple(column_letters(number) for number in range(first, last + 1))


def _serial(sheet: Sheet, columns: Sequence[str], rows: Mapping[int, Mapping[str, Cell]]) -> dict[str, int]:
    found = {}
    for column in columns:
        cells = [(row, cells.get(column)) for row, cells in rows.items()]
        numbers = [
            (row, value)
            for row, cell in cells
            if cell is not None and cell.formula is None and isinstance(value := sheet.value(cell), Decimal)
        ]
        steps = {(second - first) / (below - above) for (above, first), (below, second) in pairwise(numbers)}
        if len(numbers) == len(rows) > 1 and steps in ({Decimal(1)}, {Decimal(-1)}):
            found[column] = int(steps.pop())
    return found


def _spelt(
    sheet: Sheet, table: Table, entries: Mapping[int, Entry], rows: Sequence[int]
) -> dict[Mode, tuple[str, ...]]:
    column = table.column("mode")
    found: dict[Mode, dict[str, None]] = {}
    for row in rows if column else ():
        text = " ".join(shown(sheet.value(sheet.cells(row).get(column or ""))).split())
        found.setdefault(entries[row].mode, {}).setdefault(text)
    return {mode: tuple(texts) for mode, texts in found.items()}


def _modes(table: Table, spelt: Mapping[Mode, tuple[str, ...]]) -> dict[Mode, str]:
    """How each mode is written: as the newest row of that mode has it, by a word that was explained, or by its name."""
    found = {}
    for mode in MODES:
        said = [word.capitalize() for word, of in table.words.items() if of == mode]
        texts = (*spelt.get(mode, ()), *said, MODE_NAMES[mode])
        text = next((text for text in texts if mode_of(text, table.words) == mode), None)
        if text is not None:
            found[mode] = text
    return found


def _types(sheet: Sheet, column: str | None, entries: Mapping[int, Entry], rows: Sequence[int]) -> dict[Direction, str]:
    if column is None:
        return {}
    found: dict[Direction, Counter[str]] = {}
    for row in rows:
        text = " ".join(shown(sheet.value(sheet.cells(row).get(column))).split())
        found.setdefault(entries[row].direction, Counter())[text] += 1
    words: dict[Direction, str] = {direction: count.most_common(1)[0][0] for direction, count in found.items()}
    opposite = {
        "dr": "Cr", "cr": "Dr", "d": "C", "c": "D", "debit": "Credit", "credit": "Debit", "expense": "Income",
        "expenses": "Income", "income": "Expense", "out": "In", "in": "Out", "withdrawal": "Deposit",
        "deposit": "Withdrawal", "money out": "Money in", "money in": "Money out",
    }  # fmt: skip
    for direction, other in (("DEBIT", "CREDIT"), ("CREDIT", "DEBIT")):
        if direction not in words and other in words:
            word = words[other]
            made = opposite.get(word.casefold(), "Debit" if direction == "DEBIT" else "Credit")
            made = made.upper() if word.isupper() else made.lower() if word.islower() else made
            if direction_of(made) == direction:
                words[direction] = made
    return words


def _below_zero(
    sheet: Sheet, roles: Mapping[str, str], entries: Mapping[int, Entry], rows: Mapping[int, Mapping[str, Cell]]
) -> bool:
    if "type" not in roles or "amount" not in roles:
        return False
    debits = [sheet.value(cells.get(roles["amount"])) for row, cells in rows.items() if _is_debit(entries[row])]
    below = [value for value in debits if isinstance(value, Decimal) and value < 0]
    return 2 * len(below) > len(debits)


def _is_debit(entry: Entry) -> bool:
    return entry.direction == "DEBIT"


def _nothing(sheet: Sheet, roles: Mapping[str, str], newest: Mapping[str, Cell]) -> str | Decimal | None:
    """What the newest row has in the money column that it does not use: nothing, a zero or a dash."""
    if "debit" not in roles:
        return None
    for role in ("debit", "credit"):
        value = sheet.value(newest.get(roles[role]))
        if value == Decimal(0) or (isinstance(value, str) and value.strip().casefold() in NOTHING):
            return value if isinstance(value, str | Decimal) and value != "" else None
    return None


def _day_pattern(  # noqa: PLR0917 -- what the table has, as found once by the caller
    ground: Ground,
    table: Table,
    column: str,
    entries: Mapping[int, Entry],
    rows: Mapping[int, Mapping[str, Cell]],
    newest: Mapping[str, Cell],
) -> str:
    """How the column writes a text date; empty where the newest row holds a real one."""
    sheet = ground.workbook.sheet(table.sheet)
    if not isinstance(sheet.value(newest.get(column)), str):
        return ""
    texts = [
        (entries[row].date, text)
        for row, cells in rows.items()
        if isinstance(text := sheet.value(cells.get(column)), str)
    ]
    texts = [(day, " ".join(text.split())) for day, text in texts]
    for pattern in _patterns(day_first=table.day_first):
        if all(written_day(day, pattern) == text for day, text in texts):
            return pattern
    latest = " ".join(shown(sheet.value(newest.get(column))).split())
    for pattern in _patterns(day_first=table.day_first):
        if any(written_day(day, pattern) == text == latest for day, text in texts):
            return pattern
    return "{d:02}-{b}-{y}"


def reads_back(day: date, text: str, *, day_first: bool, date1904: bool, year: int | None) -> bool:
    """Whether a text date is read as the day it was written for."""
    read = column_day(text, day_first=day_first, date1904=date1904, year=year)
    return not isinstance(read, Unread) and read == day


def _in_capitals(sheet: Sheet, column: str | None, rows: Mapping[int, Mapping[str, Cell]]) -> bool:
    texts = [shown(sheet.value(cells.get(column or ""))) for cells in rows.values()]
    words = [text for text in texts if any(letter.isalpha() for letter in text)]
    return bool(words) and 2 * sum(text.isupper() for text in words) > len(words)
