"""A workbook in Munshi's own layout, read as a Book: entries, issues, budget, openings, and what it says of itself.

    month sheets ─┐                        ┌─ entries, issues
    CASH TRACKER ─┼─ row by row, strictly ─┼─ balances, computed from the rows
    BUDGET        │                        └─ cards and running balances ──compared──► differences
    TERMINOLOGY ──┘

A row that cannot be read whole becomes an `Issue` naming its cell, and no other row suffers from it. Balances are never
taken from a formula's value; those values are only compared with what the rows give.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from ledger.cell_values import DIGITS, Unread, read_amount, read_day, read_mode, read_number, shown
from ledger.entries import (
    CASH_TRACKER,
    GROUPS,
    MODES,
    MONTHS,
    Book,
    BookRefused,
    Card,
    Category,
    Difference,
    Entry,
    Group,
    Issue,
    Mode,
    quoted,
    tags_of,
)
from ledger.hidden import hidden_remarks
from ledger.layout import CASH_MODES, GROUP_FILLS, MONTH_MODES
from ledger.sheetxml import Cell, Sheet, Value
from ledger.workbook import Workbook

HEADINGS: tuple[str, ...] = ("date", "description", "mode", "debit", "credit")
"""of columns C to G, on a month's sheet in row 4 and in CASH TRACKER in row 10"""
TOLERANCE = Decimal("0.005")
"""a difference from here on is one a person can see"""

_GROUP_OF_FILL: Mapping[str, Group] = {fill: group for group, fill in GROUP_FILLS.items()}
_TOTAL_LABEL = re.compile(
    r"(?:(?:grand|sub|net|monthly|month|running)[\s\-]*)?totals?"
    r"(?:\s+(?:for\s+|of\s+|in\s+)?(?:the\s+)?(?:month|year|expenses?|spending|spent|debits?|credits?|amount|"
    + "|".join(MONTHS)
    + r"))?|(?:opening|closing)(?:\s+bal(?:ance)?)?",
    re.IGNORECASE,
)
_OWN_SUM = re.compile(r"\s*(?:SUM|SUBTOTAL|SUMIFS?|AGGREGATE)\s*\(", re.IGNORECASE)
_MONTH_CARDS: tuple[tuple[str, str, Mode], ...] = (("K7", "L7", "WALLET"), ("K8", "L8", "PHONEPE"))
_CASH_CARDS: tuple[tuple[str, str, Mode], ...] = (("C5", "D5", "BANK"), ("C6", "D6", "MONEY"))
_NOW_CARDS: tuple[tuple[str, str, Mode], ...] = (("J5", "K5", "BANK"), ("J6", "K6", "MONEY"))
_CARD_LABELS: Mapping[Mode, tuple[str, ...]] = {
    "PHONEPE": ("phonepe", "phone pe", "phonepay", "phone pay"),
    "WALLET": ("wallet",),
    "MONEY": ("money", "cash"),
    "BANK": ("bank",),
}
_PLAIN_TYPES = ("n", "s", "s", "n", "n")
"""of a date, description, mode, debit and credit cell as Excel writes them"""
_YEAR = re.compile(r"(?<!\d)(19[89]\d|2[01]\d\d)(?!\d)")


@dataclass(frozen=True)
class _Layout:
    """Where the ledger of one sheet stands."""

    name: str
    header: int
    modes: tuple[Mode, Mode]
    """of the running balances in H and I"""
    month: int | None
    """1 to 12; None for CASH TRACKER, whose column B says it row by row"""
    has_category: bool

    @property
    def opening(self) -> int:
        return self.header + 1

    def cell(self, column: str, row: int) -> str:
        return f"{quoted(self.name)}!{column}{row}"


@dataclass
class _Reading:
    """What has been found so far."""

    workbook: Workbook
    year: int
    budget: tuple[Category, ...]
    entries: list[Entry] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    off: dict[Mode, Decimal] = field(default_factory=dict)
    """by how much the last balance shown for a mode was more than the rows give"""
    days: dict[str | None, date] = field(default_factory=dict)
    """what the raw text of a number cell means as a date; a book has few days and many rows"""
    modes: dict[str | None, Mode] = field(default_factory=dict)
    categories: dict[str | None, tuple[str, Group]] = field(default_factory=dict)
    """what shared texts mean, by their number"""
    fills: dict[int, Group | None] = field(default_factory=dict)


def read_book(workbook: Workbook) -> Book:
    """The book a workbook holds. Raises `BookRefused`, naming what was looked for, for another layout."""
    months, cash = _layouts(workbook)
    issues: list[Issue] = []
    budget = _budget(workbook, issues)
    reading = _Reading(workbook, _year(workbook, months, cash), budget, issues=issues)
    openings: dict[Mode, Decimal | None] = {}
    opening_cells: dict[Mode, str] = {}
    for layout in (months[0], cash):
        for column, mode in zip("HI", layout.modes, strict=True):
            opening_cells[mode] = layout.cell(column, layout.opening)
            openings[mode] = _opening(reading, layout, column)
    running: dict[Mode, Decimal] = {mode: openings[mode] or Decimal(0) for mode in MODES}
    for layout in months:
        if layout is not months[0]:
            _compare_openings(reading, layout, running)
        _rows(reading, layout, running)
        _cards(reading, layout.name, _MONTH_CARDS, layout.name, running)
    _rows(reading, cash, running)
    _cards(reading, CASH_TRACKER, _CASH_CARDS, None, running)
    _cards(reading, "TERMINOLOGY", _NOW_CARDS, None, running)
    reading.issues += _left_out(workbook, [layout.name for layout in (*months, cash)])
    return Book(
        name=workbook.name,
        sha256=workbook.sha256,
        year=reading.year,
        entries=tuple(reading.entries),
        issues=tuple(reading.issues),
        budget=budget,
        lists=_lists(workbook),
        openings=openings,
        opening_cells=opening_cells,
        months=tuple(layout.name for layout in months),
        cards=tuple(reading.cards),
        differences=tuple(reading.differences),
        balances=running,
        remarks=tuple(hidden_remarks(workbook, [layout.name for layout in (*months, cash)])),
    )


# the layout


def _layouts(workbook: Workbook) -> tuple[tuple[_Layout, ...], _Layout]:
    names = {ref.name for ref in workbook.sheets}
    for name in sorted(names):
        if name.strip().upper() in (*MONTHS, CASH_TRACKER, "BUDGET", "TERMINOLOGY") and name != name.strip().upper():
            raise BookRefused(
                f"The sheet {name} must be called {name.strip().upper()}, in capitals. Rename it in Excel."
            )
    months = tuple(
        _Layout(month, 4, MONTH_MODES, number, has_category=_checked_header(workbook, month, 4))
        for number, month in enumerate(MONTHS, 1)
        if month in names
    )
    if not months or CASH_TRACKER not in names:
        missing = f"no sheet called {CASH_TRACKER}" if months else "no sheet named for a month (JANUARY to DECEMBER)"
        found = ", ".join(ref.name for ref in workbook.sheets) or "none"
        raise BookRefused(
            f"{workbook.name} is not a budget book in Munshi's layout: it has {missing}. Its sheets are: {found}. "
            "Open another file, or start a blank book."
        )
    cash = _Layout(CASH_TRACKER, 10, CASH_MODES, None, has_category=_checked_header(workbook, CASH_TRACKER, 10))
    return months, cash


def _left_out(workbook: Workbook, read: Sequence[str]) -> Iterator[Issue]:
    """The sheets that look like a book's but by their name are none: their rows are in no total.

    `Nov` beside no NOVEMBER is that month, and no total holds without it; a second sheet of a month may be a copy.
    """
    for ref in workbook.sheets:
        if ref.name in read:
            continue
        try:
            sheet = workbook.sheet(ref.name)
        except KeyError:
            continue  # a chart sheet
        cells = sheet.cells(4)
        if tuple(_label(sheet.value(cells.get(column))) for column in "CDEFG") != HEADINGS:
            continue
        word = ref.name.strip().upper()[:3]
        month = next((month for month in MONTHS if month.startswith(word) and len(word) == 3), None)
        needed = month is not None and month not in read
        mend = f"Call it {month} in Excel." if needed else "Move what belongs to the book to the sheet of its month."
        reason = f"It is laid out like a month's sheet but not named as one, so none of its rows is counted. {mend}"
        yield Issue(f"{quoted(ref.name)}!C4", ref.name, reason, stops_totals=needed)


def _has(workbook: Workbook, name: str) -> bool:
    return any(ref.name == name for ref in workbook.sheets)


def _sheet(workbook: Workbook, name: str) -> Sheet:
    try:
        return workbook.sheet(name)
    except KeyError as error:
        raise BookRefused(f"{name} is a chart sheet, not a table. Rename it in Excel.") from error


def _checked_header(workbook: Workbook, name: str, row: int) -> bool:
    """Refuse a sheet whose header is not where it must be; gives whether column J is the category."""
    sheet = _sheet(workbook, name)
    cells = sheet.cells(row)
    found = [_label(sheet.value(cells.get(column))) for column in "CDEFG"]
    if tuple(found) != HEADINGS:
        raise BookRefused(
            f"{name} is not laid out as a book's sheet: cells C{row} to G{row} must say Date, Description, Mode, "
            "Debit, Credit, "
            f"but say {', '.join(word or 'nothing' for word in found)}."
        )
    return _label(sheet.value(cells.get("J"))) == "category"


def _label(value: Value) -> str:
    return " ".join(shown(value).split()).casefold()


def _year(workbook: Workbook, months: Sequence[_Layout], cash: _Layout) -> int:
    """The year the sheets' titles state, else the file's name, else the dates."""
    titles = []
    for layout in months:
        sheet = _sheet(workbook, layout.name)
        titles += _YEAR.findall(shown(sheet.value(sheet.cells(2).get("C"))))
    if titles:
        return int(Counter(titles).most_common(1)[0][0])
    named = _YEAR.findall(workbook.name)
    if named:
        return int(named[-1])
    years: Counter[int] = Counter()
    for layout in (*months, cash):
        sheet = _sheet(workbook, layout.name)
        for row, cells in sheet.iterate():
            if row > layout.opening:
                day = read_day(sheet.value(cells.get("C")), date1904=workbook.date1904, month=layout.month, year=None)
                years.update([day.year] if isinstance(day, date) else [])
    if not years:
        raise BookRefused(
            f"{workbook.name} does not say which year it is of. Write it into cell C2 of {months[0].name}: "
            f"{months[0].name} 2026."
        )
    return years.most_common(1)[0][0]


# openings, cards


def _opening(reading: _Reading, layout: _Layout, column: str) -> Decimal | None:
    """The opening typed on a sheet; an unreadable one is an issue that stops every total."""
    sheet = _sheet(reading.workbook, layout.name)
    cell = sheet.cells(layout.opening).get(column)
    value = sheet.value(cell)
    number = read_number(value, has_formula=cell is not None and cell.formula is not None)
    if isinstance(number, Unread):
        reason = f"The opening balance cannot be read. {number.reason}"
        reading.issues.append(Issue(layout.cell(column, layout.opening), shown(value), reason, stops_totals=True))
        return None
    return number


def _compare_openings(reading: _Reading, layout: _Layout, running: Mapping[Mode, Decimal]) -> None:
    sheet = _sheet(reading.workbook, layout.name)
    cells = sheet.cells(layout.opening)
    for column, mode in zip("HI", layout.modes, strict=True):
        value = sheet.value(cells.get(column))
        _compare(reading, value, layout.cell(column, layout.opening), mode, running[mode])


def _compare(reading: _Reading, value: Value, place: str, mode: Mode, computed: Decimal) -> bool:
    """Hold a running balance the book shows against the rows; gives whether they agree.

    A difference is carried down every later balance: it is named where it begins, and again only when it changes.
    """
    number = read_number(value)
    if number is None:
        return True
    if not isinstance(number, Decimal):
        _disagree(reading, value, place, mode, computed)
        return False
    off = number - computed
    if abs(off - reading.off.get(mode, Decimal(0))) >= TOLERANCE and abs(off) >= TOLERANCE:
        _disagree(reading, number, place, mode, computed)
    reading.off[mode] = off
    return abs(off) < TOLERANCE


def _disagree(reading: _Reading, value: Value, place: str, mode: Mode, computed: Decimal) -> None:
    shows = value if isinstance(value, Decimal) and value.adjusted() < DIGITS else shown(value)
    reading.differences.append(Difference(place, mode, shows, computed))


def _cards(
    reading: _Reading,
    name: str,
    places: Sequence[tuple[str, str, Mode]],
    month: str | None,
    running: Mapping[Mode, Decimal],
) -> None:
    """Read the cards of a sheet (label cell, value cell, mode), those whose label says that they are one."""
    if not _has(reading.workbook, name):
        return
    sheet = _sheet(reading.workbook, name)
    for label, place, mode in places:
        cells = sheet.cells(int(place[1:]))
        cell, words = cells.get(place[0]), _label(sheet.value(cells.get(label[0])))
        if cell is None or (cell.raw is None and cell.formula is None) or not words.startswith(_CARD_LABELS[mode]):
            continue
        value = sheet.value(cell)
        number = read_number(value)
        where = f"{quoted(name)}!{place}"
        shows = number if isinstance(number, Decimal) else None
        reading.cards.append(Card(where, mode, month, shows))
        if number is not None and (shows is None or abs(shows - running[mode]) >= TOLERANCE):
            _disagree(reading, value if shows is None else shows, where, mode, running[mode])


# the rows


def _rows(reading: _Reading, layout: _Layout, running: dict[Mode, Decimal]) -> None:
    """Read a sheet's rows into entries and issues, carrying the running balances along."""
    sheet = _sheet(reading.workbook, layout.name)
    reader = _RowReader(reading, layout, sheet)
    left, right = layout.modes
    # where the raw values of H and I stand among the fields; a column leaves the watch at its first difference,
    # for every balance below is off by the same
    watched = [(27, "H", left), (31, "I", right)]
    for row, fields in sheet.columns("BCDEFGHIJ"):
        if row <= layout.opening:
            if row == layout.opening:
                reader.opening_row(sheet.cells(row))
            continue
        entry = reader.entry(row, fields)
        if entry is not None:
            reading.entries.append(entry)
            if entry.direction == "CREDIT":
                running[entry.mode] += entry.amount
            else:
                running[entry.mode] -= entry.amount
        for place, column, mode in watched:
            raw = fields[place]
            if raw is None or _agrees(raw, running[mode]):
                continue
            value = sheet.value(sheet.cells(row).get(column))
            if not _compare(reading, value, layout.cell(column, row), mode, running[mode]):
                watched = [watch for watch in watched if watch[1] != column]


def _agrees(raw: str, computed: Decimal) -> bool:
    """Whether a number cell's text is this balance; anything else is looked at more closely."""
    try:
        number = Decimal(raw)
        return number == computed or abs(number - computed) < TOLERANCE
    except ArithmeticError:
        return False


class _RowReader:
    """Reads the rows of one sheet.

    A row whose cells are all plain, its day, mode and category met before, becomes an entry at once; any other is
    looked at cell by cell.
    """

    def __init__(self, reading: _Reading, layout: _Layout, sheet: Sheet) -> None:
        self._reading = reading
        self._layout = layout
        self._sheet = sheet
        self._value = sheet.value
        self._texts = reading.workbook.shared_strings
        self._folded = {line.name.casefold(): line for line in reading.budget}
        self._transfers = _transfer_words(reading.budget)
        self._days, self._modes, self._categories = reading.days, reading.modes, reading.categories
        self._fills = reading.fills

    def opening_row(self, cells: Mapping[str, Cell]) -> None:
        """The opening row holds no debit and no credit; an entry standing there is named, not counted."""
        for column in "FG":
            value = self._value(cells.get(column))
            if not (value is None or value == 0 or (isinstance(value, str) and not value.strip())):
                place = self._layout.cell(column, self._layout.opening)
                reason = (
                    "This row is the opening balance's and has no debit or credit. Move the entry to a row of its own."
                )
                self._reading.issues.append(Issue(place, shown(value), reason))

    def entry(self, row: int, fields: Sequence[str | None]) -> Entry | None:
        """The row as an entry; None when it is blank, a total, or left out with an issue."""
        return self._plain_entry(row, fields) or self._any_entry(row, self._sheet.cells(row))

    def _plain_entry(self, row: int, fields: Sequence[str | None]) -> Entry | None:
        """A row of known days, modes and categories with one plain amount; None when it is anything else."""
        # four fields a column, B to J; the running balances in H and I are not looked at here
        _, _, _, _, _, day_type, _, day_raw, style, text_type, _, text_raw, _, mode_type, _, mode_raw, *rest = fields
        (
            _,
            debit_type,
            debit_formula,
            debit,
            _,
            credit_type,
            credit_formula,
            credit,
            *_,
            category_type,
            _,
            category_raw,
        ) = rest
        day = self._days.get(day_raw)
        mode = self._modes.get(mode_raw)
        amount = credit if debit is None else debit
        if (
            day is None
            or mode not in self._layout.modes
            or not text_raw
            or not text_raw.isdecimal()
            or not amount
            or (debit is not None and credit is not None)
            or (day_type or "n", text_type, mode_type, debit_type or "n", credit_type or "n") != _PLAIN_TYPES
            or debit_formula
            or credit_formula
            or len(amount) > 14
            or not amount.replace(".", "", 1).isdecimal()
        ):
            return None
        value = Decimal(amount)
        index = int(text_raw)
        description = self._texts[index].strip() if index < len(self._texts) else ""
        if not value or not description:
            return None
        category: str | None
        group: Group | None
        if category_raw is None or not self._layout.has_category:
            category, group = self._uncategorised(description, int(style or 0), is_debit=credit is None)
        elif category_type == "s" and category_raw in self._categories:
            category, group = self._categories[category_raw]
        else:
            return None
        return Entry(
            day,
            description,
            mode,
            "CREDIT" if debit is None else "DEBIT",
            value,
            category,
            group,
            tags_of(description) if "[" in description else (),
            self._layout.name,
            row,
        )

    def _any_entry(self, row: int, cells: Mapping[str, Cell]) -> Entry | None:
        get = cells.get
        debit_cell, credit_cell, text_cell = get("F"), get("G"), get("D")
        description = shown(self._value(text_cell)).strip()
        mode_value = self._value(get("E"))
        if not description and mode_value is None and _empty(debit_cell) and _empty(credit_cell):
            return None
        if mode_value is None and self._is_total(description, cells):
            return None
        mode = self._mode(row, get("E"), mode_value)
        if mode is None:
            return None
        debit = self._amount("F", row, debit_cell)
        credit = self._amount("G", row, credit_cell)
        if isinstance(debit, Unread) or isinstance(credit, Unread):
            return None
        if debit is not None and credit is not None:
            reads = f"{shown(self._value(debit_cell))} and {shown(self._value(credit_cell))}"
            self._issue("F", row, reads, "The row has both a debit and a credit. Keep one, or make two rows of it.")
            return None
        amount = debit if debit is not None else credit
        if amount is None:
            reads = shown(self._value(debit_cell)) or shown(self._value(credit_cell))
            self._issue("F", row, reads, "The row has no amount above zero. Type it under Debit or Credit.")
            return None
        day = self._day(row, cells)
        if day is None:
            return None
        category, group = self._category(
            row, get("J"), description, text_cell.style if text_cell else 0, is_debit=debit is not None
        )
        return Entry(
            day,
            description,
            mode,
            "DEBIT" if debit is not None else "CREDIT",
            amount,
            category,
            group,
            tags_of(description),
            self._layout.name,
            row,
        )

    def _is_total(self, description: str, cells: Mapping[str, Cell]) -> bool:
        """A row without a mode that sums up: by its words, or by formulas over its own columns."""
        day = cells.get("C")
        label = description or (shown(self._value(day)) if day is not None and day.type != "n" else "")
        if _TOTAL_LABEL.fullmatch(label.strip(" :.-")):
            return True
        sums = [
            cell for column in "FG" if (cell := cells.get(column)) and cell.formula and _OWN_SUM.match(cell.formula)
        ]
        return bool(sums) and (day is None or day.raw is None)

    def _mode(self, row: int, cell: Cell | None, value: Value) -> Mode | None:
        mode = read_mode(value)
        if isinstance(mode, Unread):
            self._issue("E", row, shown(value), mode.reason)
            return None
        if mode not in self._layout.modes:
            there = f"in {CASH_TRACKER}" if mode in CASH_MODES else "on the sheet of their month"
            reason = f"{mode} rows stand {there}, and the balances of this sheet leave the row out. Move it there."
            self._issue("E", row, shown(value), reason)
            return None
        if cell is not None and cell.type == "s":
            self._modes[cell.raw] = mode
        return mode

    def _amount(self, column: str, row: int, cell: Cell | None) -> Decimal | Unread | None:
        if cell is None:
            return None
        value = self._value(cell)
        # a formula that gives a text, even an empty one, was calculated
        amount = read_amount(value, has_formula=cell.formula is not None and cell.type == "n")
        if isinstance(amount, Unread):
            place = self._layout.cell(column, row)
            reads = shown(value) or f"={cell.formula}"
            self._reading.issues.append(Issue(place, reads, amount.reason, stops_totals=amount.unknown_amount))
        return amount

    def _day(self, row: int, cells: Mapping[str, Cell]) -> date | None:
        cell, month = cells.get("C"), self._layout.month
        if month is None:
            named = _label(self._value(cells.get("B"))).upper()
            month = MONTHS.index(named) + 1 if named in MONTHS else None
        value = self._value(cell)
        year = self._reading.year
        day = read_day(value, date1904=self._reading.workbook.date1904, month=month, year=year)
        if isinstance(day, Unread):
            self._issue("C", row, shown(value), day.reason)
            return None
        if day.year != year:
            reason = f"The date is of {day.year}, and this is the book of {year}. Mend the date, or move the row."
            self._issue("C", row, day.isoformat(), reason)
            return None
        if cell is not None and cell.type == "n":
            self._days[cell.raw] = day
        return day

    def _category(
        self, row: int, cell: Cell | None, description: str, style: int, *, is_debit: bool
    ) -> tuple[str | None, Group | None]:
        value = self._value(cell) if self._layout.has_category else None
        words = _label(value)
        line = self._folded.get(words)
        if line is not None:
            if cell is not None and cell.type == "s":
                self._categories[cell.raw] = line.name, line.group
            return line.name, line.group
        if words:
            reason = "BUDGET has no such category. The row counts, but in no category: choose one, or add it to BUDGET."
            self._issue("J", row, shown(value), reason)
        return self._uncategorised(description, style, is_debit=is_debit)

    def _uncategorised(self, description: str, style: int, *, is_debit: bool) -> tuple[None, Group | None]:
        """A row without a category has the group of its fill; without that column, transfers go by their words."""
        if not self._layout.has_category and self._transfers is not None and self._transfers.search(description):
            return None, "TRANSFER"
        if not is_debit:
            return None, None
        if style not in self._fills:
            fill = self._reading.workbook.fill_of(style)
            self._fills[style] = _GROUP_OF_FILL.get(fill) if fill else None
        return None, self._fills[style]

    def _issue(self, column: str, row: int, reads: str, reason: str) -> None:
        self._reading.issues.append(Issue(self._layout.cell(column, row), reads, reason))


def _empty(cell: Cell | None) -> bool:
    return cell is None or (cell.raw is None and cell.formula is None) or (not cell.raw and cell.type != "n")


def _transfer_words(budget: Sequence[Category]) -> re.Pattern[str] | None:
    words = [word for line in budget if line.group == "TRANSFER" for word in (line.name, *line.words)]
    if not words:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)", re.IGNORECASE)


# BUDGET and TERMINOLOGY


def _budget(workbook: Workbook, issues: list[Issue]) -> tuple[Category, ...]:
    if not _has(workbook, "BUDGET"):
        return ()
    sheet = _sheet(workbook, "BUDGET")
    header = [_label(sheet.value(sheet.cells(4).get(column))) for column in "CDE"]
    if header != ["category", "group", "monthly budget"]:
        raise BookRefused(
            "BUDGET is not laid out as a book's: cells C4 to E4 must say Category, Group, Monthly budget, "
            f"but say {', '.join(word or 'nothing' for word in header)}."
        )
    lines: list[Category] = []
    for row, cells in sheet.iterate():
        name = " ".join(shown(sheet.value(cells.get("C"))).split())
        if row < 5 or not name or (_TOTAL_LABEL.fullmatch(name) and not _label(sheet.value(cells.get("D")))):
            continue
        line = _budget_line(sheet, row, name, cells, issues)
        if line is not None and any(other.name.casefold() == name.casefold() for other in lines):
            issues.append(
                Issue(f"BUDGET!C{row}", name, "This category stands twice; the first line counts. Delete one.")
            )
        elif line is not None:
            lines.append(line)
    return tuple(lines)


def _budget_line(sheet: Sheet, row: int, name: str, cells: Mapping[str, Cell], issues: list[Issue]) -> Category | None:
    stated = shown(sheet.value(cells.get("D")))
    word = " ".join(stated.split()).upper()
    group = next((group for group in GROUPS if group == word or (group == "HOME" and word == "FOR HOME")), None)
    if group is None:
        reason = f"A group is one of {', '.join(GROUPS)}. Until then the category {name} is unknown."
        issues.append(Issue(f"BUDGET!D{row}", stated, reason))
        return None
    cell = cells.get("E")
    monthly = read_number(
        sheet.value(cell), has_formula=cell is not None and cell.formula is not None and cell.type == "n"
    )
    if isinstance(monthly, Decimal) and monthly < 0:
        monthly = Unread("A budget is not below zero. Type it as a number, or leave it empty.")
    if isinstance(monthly, Unread):
        reason = f"{name} has no budget until then. {monthly.reason}"
        issues.append(Issue(f"BUDGET!E{row}", shown(sheet.value(cell)), reason))
        monthly = None
    essential = _label(sheet.value(cells.get("F")))
    if essential not in ("yes", "y", "true", "1", "no", "n", "false", "0", ""):
        reason = f"Type Yes or No. Until then {name} counts as essential."
        issues.append(Issue(f"BUDGET!F{row}", essential, reason))
        essential = "yes"
    words = shown(sheet.value(cells.get("G"))).split(",")
    return Category(
        name,
        group,
        monthly,
        essential in ("yes", "y", "true", "1"),
        tuple(" ".join(word.split()) for word in words if word.strip()),
        cell=f"BUDGET!E{row}",
    )


def _lists(workbook: Workbook) -> dict[str, tuple[str, ...]]:
    if not _has(workbook, "TERMINOLOGY"):
        return {}
    sheet = _sheet(workbook, "TERMINOLOGY")
    return {label: words for label, words in _list_rows(sheet) if label}


def _list_rows(sheet: Sheet) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row, cells in sheet.iterate():
        if row >= 15:
            texts = {column: " ".join(shown(sheet.value(cell)).split()) for column, cell in cells.items()}
            label = texts.get("H", "").upper()
            beyond = (text for column, text in texts.items() if (len(column), column) > (1, "H"))
            yield label, tuple(text for text in beyond if text)
