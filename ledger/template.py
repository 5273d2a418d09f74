"""A new budget book: the blank template, one with entries, and the sample.

    drafts ──by sheet and day──► rows with running balances ──XlsxWriter──► bytes

Every formula is written together with the value it has, computed here in Decimal, so that the book reads right in
Excel, in a phone's preview and in a program that reads values only. The same arguments always give the same bytes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from ledger.entries import CASH_TRACKER, GROUPS, MODES, MONTHS, BookRefused, Category, Draft, Mode, quoted
from ledger.layout import (
    CASH_MODES,
    CLOSING_FILL,
    DATE_FORMAT,
    GROUP_FILLS,
    LAST_VALIDATED_ROW,
    MONEY_FORMAT,
    MONTH_MODES,
    OPENING_FILL,
    RUPEE_FORMAT,
    WHITE_TEXT_ON,
)

_HERE = Path(__file__).parent
_INK, _QUIET, _ACCENT, _PANEL, _LINE = "#14171E", "#596070", "#3B4CCA", "#F1F3F7", "#E2E5EA"
_LEGEND: tuple[tuple[str, str, str], ...] = (
    (GROUP_FILLS["HOME"], "HOME", "for the household"),
    (GROUP_FILLS["PERSONAL"], "PERSONAL", "for oneself"),
    (GROUP_FILLS["WISHLIST"], "WISHLIST", "wanted, not needed"),
    (GROUP_FILLS["AVOID"], "AVOID", "better not again"),
    (GROUP_FILLS["PAY HOME"], "PAY HOME", "given to the family"),
    (OPENING_FILL, "OPENING", "balance the month began with"),
    (CLOSING_FILL, "CLOSING", "balance the month ended with"),
)
_TERMS: tuple[tuple[str, str], ...] = (
    ("PHONEPE", "Paid or received by UPI: PhonePe, Google Pay, BHIM. Stands on the sheet of its month."),
    ("WALLET", "A prepaid wallet: Paytm, Amazon Pay. Stands on the sheet of its month."),
    ("MONEY", "Cash in hand. Stands in CASH TRACKER."),
    ("BANK", "The bank account and its card. Stands in CASH TRACKER."),
    ("DEBIT", "Money out, in rupees, always above zero."),
    ("CREDIT", "Money in, in rupees, always above zero. Credits are never coloured."),
    ("TRANSFER", "Money moved between your own modes: two rows, neither spending nor income."),
    ("[TAG]", "A word in brackets in a description marks it, such as TEAM LUNCH [PARTY]."),
)


def new_book(  # noqa: PLR0917 - the facts a book is made of, in the order of the sheets
    year: int,
    budget: Sequence[Category],
    openings: Mapping[Mode, Decimal | None],
    opening_date: date | None,
    lists: Mapping[str, Sequence[str]],
    drafts: Sequence[Draft],
    first_month: int,
) -> bytes:
    """A book of one year as an .xlsx, with a sheet for every month from `first_month` (1 to 12) to the last draft's.

    An opening that is missing or None is left empty for the person to type. Raises `BookRefused` for a draft of another
    year, before the first month, of a category the budget lacks, or with an amount that is not above zero.
    """
    _refuse_unfit(year, budget, drafts, first_month)
    last_month = max((draft.date.month for draft in drafts), default=first_month)
    months = MONTHS[first_month - 1 : last_month]
    ordered = sorted(drafts, key=lambda draft: draft.date)
    buffer = BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as workbook:
        workbook.set_properties(
            {"title": f"Budget {year}", "author": "Munshi", "created": datetime(year, 1, 1, tzinfo=UTC)}
        )
        workbook.set_calc_mode("auto")
        _BookWriter(workbook, year, budget, openings, opening_date, lists, ordered, months).write()
    return buffer.getvalue()


def blank_book(year: int, today: date) -> bytes:
    """The template: starting categories without amounts, the sheet of this month (JANUARY of another year), no rows."""
    budget, lists = _starting()
    return new_book(year, budget, {}, None, lists, (), today.month if year == today.year else 1)


SAMPLE_BEGINS = 10
"""rows of this month up to this day are in the sample on whatever day it is made"""


def sample_book(today: date) -> bytes:
    """An invented household's book with rows of the three months up to `today`, or of this year's months among them.

    On a month's first days its first rows stand on those there are, so that this month is never empty.
    """
    sample = tomllib.loads((_HERE / "sample.toml").read_text(encoding="utf-8"))
    budget, lists = _starting()
    monthly: Mapping[str, str] = sample["monthly"]
    budget = tuple(
        Category(
            line.name,
            line.group,
            Decimal(monthly[line.name]) if line.name in monthly else None,
            line.essential,
            line.words,
        )
        for line in budget
    )
    first_month = max(1, today.month - 2)
    drafts = []
    for month in range(first_month, today.month + 1):
        for day, description, mode, direction, category, *amounts in sample["entries"]["rows"]:
            amount = amounts[month - today.month + 2]
            early = month == today.month and day <= SAMPLE_BEGINS
            on = date(today.year, month, min(day, today.day) if early else day)
            if amount and on <= today:
                drafts.append(Draft(on, description, mode, direction, Decimal(amount), category or None))
    openings: dict[Mode, Decimal | None] = {mode: Decimal(sample["openings"][mode]) for mode in MODES}
    return new_book(today.year, budget, openings, date(today.year, first_month, 1), lists, drafts, first_month)


def _starting() -> tuple[tuple[Category, ...], Mapping[str, Sequence[str]]]:
    starter = tomllib.loads((_HERE / "starter.toml").read_text(encoding="utf-8"))
    budget = tuple(
        Category(line["category"], line["group"], None, line["essential"], tuple(line["words"]))
        for line in starter["budget"]
    )
    return budget, starter["lists"]


def _refuse_unfit(year: int, budget: Sequence[Category], drafts: Sequence[Draft], first_month: int) -> None:
    names = {line.name for line in budget}
    if len({name.casefold() for name in names}) != len(budget):
        raise BookRefused("The budget names a category twice. Give each category one line.")
    for line in budget:
        if re.search(r"^[<>=]|[*?~]", line.name) or not line.name.strip():
            raise BookRefused(
                f"The category {line.name!r} has a name the totals cannot look for. Use letters and digits."
            )
        if line.group not in GROUPS:
            raise BookRefused(
                f"The category {line.name} has the group {line.group}. A group is one of {', '.join(GROUPS)}."
            )
    for number, draft in enumerate(drafts, 1):
        where = f"Entry {number} ({draft.description}, {draft.date.isoformat()})"
        if draft.date.year != year:
            raise BookRefused(f"{where} is not of {year}. A book holds one calendar year.")
        if draft.date.month < first_month:
            raise BookRefused(f"{where} is before the book's first month, {MONTHS[first_month - 1]}.")
        if draft.amount <= 0:
            raise BookRefused(
                f"{where} has the amount {draft.amount}. An amount is above zero; its direction says the rest."
            )
        if draft.category is not None and draft.category not in names:
            raise BookRefused(f"{where} has the category {draft.category}, which the budget does not have.")
        if len(draft.stored_description) > 500:
            raise BookRefused(f"{where} has a description of more than 500 characters.")


class _Exact(float):
    """A number written as the decimal it came from; XlsxWriter's own 16 digits make 9.95 into 9.949999999999999."""

    text: str

    def __new__(cls, value: Decimal) -> "_Exact":
        self = super().__new__(cls, value)
        self.text = f"{value.normalize():f}"
        return self

    def __format__(self, format_spec: str) -> str:
        return self.text


@dataclass(frozen=True)
class _Row:
    """A row on its sheet with the two balances after it."""

    draft: Draft
    row: int
    balances: tuple[Decimal, Decimal]


@dataclass
class _BookWriter:
    """One book being written; holds the open workbook and what its sheets say of one another."""

    workbook: xlsxwriter.Workbook
    year: int
    budget: Sequence[Category]
    openings: Mapping[Mode, Decimal | None]
    opening_date: date | None
    lists: Mapping[str, Sequence[str]]
    drafts: Sequence[Draft]
    """in the order of their days"""
    months: Sequence[str]
    formats: dict[tuple[tuple[str, object], ...], Format] = field(default_factory=dict)

    def write(self) -> None:
        sheets = {
            name: self.workbook.add_worksheet(name) for name in (*self.months, CASH_TRACKER, "BUDGET", "TERMINOLOGY")
        }
        before = (self._opening("PHONEPE"), self._opening("WALLET"))
        for number, month in enumerate(self.months):
            before = self._month(sheets[month], number, before)
        closing = self._cash_tracker(sheets[CASH_TRACKER])
        self._budget(sheets["BUDGET"])
        self._terminology(sheets["TERMINOLOGY"], closing)
        sheets[self.months[-1]].activate()
        if len(self.months) > 4:
            sheets[self.months[-4]].set_first_sheet()

    # the sheets

    def _month(self, sheet: Worksheet, number: int, before: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
        """Write a month's sheet; gives its closing PhonePe and wallet balances."""
        month = self.months[number]
        self._page(
            sheet,
            f"{month} {self.year}",
            "PhonePe and wallet, in rupees. Cash and bank stand in CASH TRACKER.",
            header=4,
        )
        self._columns(sheet, {"A": 1.5, "B": 1.5, "K": 19, "L": 17, "M": 29})
        self._print(sheet, "M")
        self._header(
            sheet,
            4,
            "C",
            ("Date", "Description", "Mode", "Debit", "Credit", "PhonePe balance", "Wallet balance", "Category"),
        )
        first_day = date(self.year, MONTHS.index(month) + 1, 1)
        self._opening_row(sheet, 5, (self.opening_date or first_day) if number == 0 else first_day)
        opening = self._format(num_format=MONEY_FORMAT, bg_color=_rgb(OPENING_FILL), bottom=1, bottom_color=_LINE)
        if number == 0:
            self._typed(sheet, "H5", self.openings.get("PHONEPE"), opening)
            self._typed(sheet, "I5", self.openings.get("WALLET"), opening)
        else:
            earlier = quoted(self.months[number - 1])
            sheet.write_formula("H5", f"={earlier}!L8", opening, _Exact(before[0]))
            sheet.write_formula("I5", f"={earlier}!L7", opening, _Exact(before[1]))
        drafts = [draft for draft in self.drafts if draft.mode in MONTH_MODES and draft.date.month == first_day.month]
        rows = tuple(_running(drafts, before, MONTH_MODES, 6))
        closed = {rows[-1].row} if rows and number + 1 < len(self.months) else set()
        self._rows(sheet, rows, MONTH_MODES, closed)
        after = rows[-1].balances if rows else before
        self._cards(
            sheet,
            (("K7", "Wallet", "L7", "I5", "WALLET", after[1]), ("K8", "PhonePe", "L8", "H5", "PHONEPE", after[0])),
        )
        self._heading(sheet, "K4", "BALANCES")
        sheet.write_string("K5", "After the last row of the month", self._format(font_color=_QUIET, indent=1))
        self._legend(sheet)
        self._totals(sheet, month)
        self._validations(sheet, MONTH_MODES, 6)
        return after

    def _cash_tracker(self, sheet: Worksheet) -> Mapping[Mode, Decimal]:
        """Write CASH TRACKER; gives the closing balances of money and bank."""
        self._page(sheet, CASH_TRACKER, "Cash in hand and the bank account, the whole year, in rupees.", header=10)
        self._columns(sheet, {"A": 1.5, "B": 14})
        self._print(sheet, "J")
        headings = (
            "Month",
            "Date",
            "Description",
            "Mode",
            "Debit",
            "Credit",
            "Money balance",
            "Bank balance",
            "Category",
        )
        self._header(sheet, 10, "B", headings)
        self._opening_row(sheet, 11, self.opening_date or date(self.year, MONTHS.index(self.months[0]) + 1, 1))
        sheet.write_string("B11", self.months[0], self._format(bottom=1, bottom_color=_LINE, font_color=_QUIET))
        opening = self._format(num_format=MONEY_FORMAT, bg_color=_rgb(OPENING_FILL), bottom=1, bottom_color=_LINE)
        self._typed(sheet, "H11", self.openings.get("MONEY"), opening)
        self._typed(sheet, "I11", self.openings.get("BANK"), opening)
        before = (self._opening("MONEY"), self._opening("BANK"))
        rows = tuple(_running([draft for draft in self.drafts if draft.mode in CASH_MODES], before, CASH_MODES, 12))
        closed = {row.row for row, later in pairwise(rows) if row.draft.date.month != later.draft.date.month}
        self._rows(sheet, rows, CASH_MODES, closed)
        for row in rows:
            plain = self._format(bottom=1, bottom_color=_LINE, font_color=_QUIET)
            sheet.write_string(f"B{row.row}", MONTHS[row.draft.date.month - 1], plain)
        money, bank = rows[-1].balances if rows else before
        self._heading(sheet, "C4", "BALANCES")
        self._cards(sheet, (("C5", "BANK", "D5", "I11", "BANK", bank), ("C6", "MONEY", "D6", "H11", "MONEY", money)))
        self._validations(sheet, CASH_MODES, 12)
        return {"MONEY": money, "BANK": bank}

    def _budget(self, sheet: Worksheet) -> None:
        self._page(
            sheet,
            f"BUDGET {self.year}",
            "What each category may cost a month, in rupees. Words help to recognise it.",
            header=4,
        )
        self._widths(sheet, {"A": 1.5, "B": 1.5, "C": 22, "D": 14, "E": 17, "F": 12, "G": 78, "H": 3, "I": 20, "J": 17})
        self._print(sheet, "G")
        self._header(sheet, 4, "C", ("Category", "Group", "Monthly budget", "Essential", "Words"))
        plain = {"bottom": 1, "bottom_color": _LINE, "valign": "top"}
        for row, line in enumerate(self.budget, 5):
            fill = GROUP_FILLS.get(line.group)
            sheet.write_string(f"C{row}", line.name, self._format(**plain, bold=True))
            sheet.write_string(f"D{row}", line.group, self._format(**plain, **_painted(fill)))
            self._typed(sheet, f"E{row}", line.monthly, self._format(**plain, num_format=MONEY_FORMAT))
            sheet.write_string(f"F{row}", "Yes" if line.essential else "No", self._format(**plain, align="center"))
            sheet.write_string(
                f"G{row}", ", ".join(line.words), self._format(**plain, text_wrap=True, font_color=_QUIET)
            )
        total = sum((line.monthly for line in self.budget if line.monthly is not None), Decimal(0))
        self._heading(sheet, "I4", "ALL CATEGORIES")
        sheet.write_string("I5", "A month", self._format(font_color=_QUIET))
        sheet.write_formula("J5", "=SUM($E:$E)", self._format(num_format=RUPEE_FORMAT, bold=True), _Exact(total))
        self._list(
            sheet, "D5:D204", list(GROUPS), "A group", "Choose one of the groups; it gives the rows their colour."
        )
        self._list(
            sheet, "F5:F204", ["Yes", "No"], "Yes or No", "Essential spending is never what advice tells you to cut."
        )

    def _terminology(self, sheet: Worksheet, closing: Mapping[Mode, Decimal]) -> None:
        self._page(
            sheet,
            "TERMINOLOGY",
            "The words this book uses, and lists of things that tell where a row belongs.",
            header=4,
        )
        widths = {"A": 1.5, "B": 1.5, "C": 14, "D": 20, "E": 18, "F": 18, "G": 16, "H": 18, "I": 18, "J": 18, "K": 18}
        self._widths(sheet, {**widths, "L": 18, "M": 18, "N": 18})
        self._print(sheet, "N")
        self._header(sheet, 4, "C", ("Word", "Meaning", "", "", ""))
        for row, (word, meaning) in enumerate(_TERMS, 5):
            sheet.write_string(f"C{row}", word, self._format(bold=True))
            sheet.write_string(f"D{row}", meaning, self._format(font_color=_QUIET))
        self._heading(sheet, "J4", "NOW")
        label = self._format(font_color=_QUIET)
        value = self._format(num_format=RUPEE_FORMAT, bold=True, font_size=12)
        for row, mode in ((5, "BANK"), (6, "MONEY")):
            sheet.write_string(f"J{row}", f"{mode}[CURR]", label)
            sheet.write_formula(f"K{row}", f"='{CASH_TRACKER}'!$D${row}", value, _Exact(closing[cast("Mode", mode)]))
        self._heading(sheet, "H14", "WORD LISTS")
        for row, (name, words) in enumerate(self.lists.items(), 15):
            sheet.write_string(f"H{row}", name, self._format(bold=True))
            for column, word in enumerate(words, 8):
                sheet.write_string(row - 1, column, word, self._format())

    # the pieces of a ledger sheet

    def _rows(self, sheet: Worksheet, rows: Sequence[_Row], modes: tuple[Mode, Mode], closed: set[int]) -> None:
        line = {"bottom": 1, "bottom_color": _LINE}
        groups = {line.name: line.group for line in self.budget}
        for row in rows:
            draft, n = row.draft, row.row
            group = groups.get(draft.category) if draft.category else None
            fill = GROUP_FILLS.get(group) if group and draft.direction == "DEBIT" else None
            text = self._format(**line, **_painted(fill))
            money = self._format(**line, **_painted(fill), num_format=MONEY_FORMAT)
            sheet.write_number(
                f"C{n}",
                _serial(draft.date),
                self._format(**line, **_painted(fill), num_format=DATE_FORMAT, align="left"),
            )
            sheet.write_string(f"D{n}", draft.stored_description, text)
            sheet.write_string(f"E{n}", draft.mode, text)
            debit, credit = ("F", "G") if draft.direction == "DEBIT" else ("G", "F")
            sheet.write_number(f"{debit}{n}", _Exact(draft.amount), money)
            sheet.write_blank(f"{credit}{n}", None, money)
            closing = _painted(CLOSING_FILL) if n in closed else {}
            balance = self._format(**line, **closing, num_format=MONEY_FORMAT)
            for column, mode, value in zip("HI", modes, row.balances, strict=True):
                formula = f'={column}{n - 1}+IF($E{n}="{mode}",$G{n}-$F{n},0)'
                sheet.write_formula(f"{column}{n}", formula, balance, _Exact(value))
            category = self._format(**line, **_painted(fill), indent=1)
            if draft.category:
                sheet.write_string(f"J{n}", draft.category, category)
            else:
                sheet.write_blank(f"J{n}", None, category)

    def _opening_row(self, sheet: Worksheet, row: int, day: date) -> None:
        quiet = self._format(bottom=1, bottom_color=_LINE, font_color=_QUIET)
        sheet.write_number(
            f"C{row}",
            _serial(day),
            self._format(bottom=1, bottom_color=_LINE, font_color=_QUIET, num_format=DATE_FORMAT, align="left"),
        )
        sheet.write_string(f"D{row}", "OPENING BALANCE", self._format(bottom=1, bottom_color=_LINE, bold=True))
        for column in "EFGJ":
            sheet.write_blank(f"{column}{row}", None, quiet)

    def _cards(self, sheet: Worksheet, cards: Sequence[tuple[str, str, str, str, str, Decimal]]) -> None:
        for label_cell, label, cell, opening, mode, value in cards:
            absolute = f"${opening[0]}${opening[1:]}"
            formula = f'={absolute}+SUMIFS($G:$G,$E:$E,"{mode}")-SUMIFS($F:$F,$E:$E,"{mode}")'
            sheet.write_string(
                label_cell, label, self._format(font_color=_QUIET, font_size=12, indent=int(cell[0] == "L"))
            )
            amount = self._format(
                num_format=RUPEE_FORMAT, bold=True, font_size=13, align="right" if cell[0] == "L" else "left"
            )
            sheet.write_formula(cell, formula, amount, _Exact(value))

    def _legend(self, sheet: Worksheet) -> None:
        self._heading(sheet, "K11", "LEGEND")
        edge = {"bottom": 2, "bottom_color": "#FFFFFF", "left": 5, "left_color": "#FFFFFF"}
        for row, (fill, label, meaning) in enumerate(_LEGEND, 12):
            sheet.write_blank(f"K{row}", None, self._format(bg_color=_rgb(fill), **edge))
            sheet.write_string(f"L{row}", label, self._format(indent=1))
            sheet.write_string(f"M{row}", meaning, self._format(font_color=_QUIET))
        sheet.write_string("K20", "Credits and transfers are not coloured.", self._format(font_color=_QUIET, indent=1))

    def _totals(self, sheet: Worksheet, month: str) -> None:
        self._heading(sheet, "K24", "SPENDING BY CATEGORY")
        self._header(sheet, 25, "K", ("Category", "Spent"))
        cash = quoted(CASH_TRACKER)
        last = 25
        for budget_row, line in enumerate(self.budget, 5):
            if line.group == "TRANSFER":
                continue
            last += 1
            spent = sum(
                (_spent(d) for d in self.drafts if d.category == line.name and MONTHS[d.date.month - 1] == month),
                Decimal(0),
            )
            sheet.write_formula(
                f"K{last}", f"=BUDGET!$C${budget_row}", self._format(bottom=1, bottom_color=_LINE, indent=1), line.name
            )
            both = f"$J:$J,$K{last}"
            there = f'{cash}!$J:$J,$K{last},{cash}!$B:$B,"{month}"'
            formula = (
                f"=SUMIFS($F:$F,{both})-SUMIFS($G:$G,{both})+SUMIFS({cash}!$F:$F,{there})-SUMIFS({cash}!$G:$G,{there})"
            )
            money = self._format(bottom=1, bottom_color=_LINE, num_format=MONEY_FORMAT)
            sheet.write_formula(f"L{last}", formula, money, _Exact(spent))
        if last == 25:
            return
        chart = self.workbook.add_chart({"type": "bar"})
        place = quoted(month)
        chart.add_series(
            {
                "name": "Spent",
                "categories": f"={place}!$K$26:$K${last}",
                "values": f"={place}!$L$26:$L${last}",
                "fill": {"color": _ACCENT},
                "gap": 45,
                "data_labels": {
                    "value": True,
                    "num_format": RUPEE_FORMAT.replace("0.00", "0"),
                    "font": {"color": _QUIET, "size": 9},
                },
            }
        )
        chart.set_title(
            {
                "name": f"Spending in {month.capitalize()} {self.year}",
                "name_font": {"size": 12, "bold": True, "color": _INK},
                "overlay": False,
            }
        )
        chart.set_legend({"none": True})
        chart.set_y_axis(
            {"reverse": True, "line": {"none": True}, "major_tick_mark": "none", "num_font": {"color": _INK, "size": 9}}
        )
        chart.set_x_axis({"visible": False, "major_gridlines": {"visible": False}, "min": 0})
        chart.set_chartarea({"border": {"color": _LINE}})
        chart.set_size({"width": 560, "height": 90 + 27 * (last - 25)})
        sheet.insert_chart(
            "N4",
            chart,
            {"x_offset": 16, "object_position": 3, "description": f"Spending by category in {month.capitalize()}"},
        )

    def _validations(self, sheet: Worksheet, modes: tuple[Mode, Mode], first: int) -> None:
        there = (
            "Cash and bank rows stand in CASH TRACKER."
            if modes == MONTH_MODES
            else "PhonePe and wallet rows stand on the sheet of their month."
        )
        self._list(sheet, f"E{first}:E{LAST_VALIDATED_ROW}", list(modes), "Mode", f"{' or '.join(modes)}. {there}")
        lines = f"=BUDGET!$C$5:$C${4 + max(1, len(self.budget))}"
        self._list(
            sheet,
            f"J{first}:J{LAST_VALIDATED_ROW}",
            lines,
            "Category",
            "One of the categories of BUDGET, or empty for income.",
        )

    # small things

    def _list(self, sheet: Worksheet, cells: str, source: list[str] | str, title: str, message: str) -> None:
        sheet.data_validation(
            cells, {"validate": "list", "source": source, "error_title": title, "error_message": message}
        )

    def _page(self, sheet: Worksheet, title: str, caption: str, header: int) -> None:
        sheet.hide_gridlines(2)
        sheet.set_default_row(18)
        sheet.set_row(0, 8)
        sheet.set_row(1, 27)
        sheet.set_row(header - 1, 24)
        sheet.write_string("C2", title, self._format(bold=True, font_size=18))
        sheet.write_string("C3", caption, self._format(font_color=_QUIET, font_size=10))
        sheet.freeze_panes(header, 0)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        sheet.repeat_rows(header - 1)
        sheet.set_footer("&L&9&F&C&9&A&R&9&P of &N")
        sheet.set_tab_color(_ACCENT if header == 4 and title.split()[0] in MONTHS else _QUIET)

    def _print(self, sheet: Worksheet, last: str) -> None:
        """Print from column B to `last`, however many rows there will be.

        Named with its rows, not as `$B:$M`, which means the same and which openpyxl cannot read.
        """
        place = quoted(sheet.get_name())
        self.workbook.define_name(f"{place}!_xlnm.Print_Area", f"={place}!$B$1:${last}$1048576")

    def _columns(self, sheet: Worksheet, more: Mapping[str, float]) -> None:
        """Widths of a ledger sheet, and the formats a row typed by hand gets."""
        self._widths(sheet, {"C": 13, "D": 36, "E": 12, "F": 15, "G": 15, "H": 18, "I": 18, "J": 18, **more})
        sheet.set_column("C:C", 13, self._format(num_format=DATE_FORMAT, align="left"))
        sheet.set_column("F:G", 15, self._format(num_format=MONEY_FORMAT))
        sheet.set_column("H:I", 18, self._format(num_format=MONEY_FORMAT))

    def _widths(self, sheet: Worksheet, widths: Mapping[str, float]) -> None:
        for column, width in widths.items():
            sheet.set_column(f"{column}:{column}", width)

    def _header(self, sheet: Worksheet, row: int, first: str, titles: Sequence[str]) -> None:
        for column, title in enumerate(titles, ord(first) - 65):
            look: dict[str, Any] = {"bold": True, "bg_color": _PANEL, "bottom": 2, "bottom_color": _ACCENT}
            if any(word in title for word in ("Debit", "Credit", "balance", "budget", "Spent")):
                look["align"] = "right"
            elif title == "Essential":
                look["align"] = "center"
            elif (title == "Category" and first != "C") or column == 9:
                look["indent"] = 1
            sheet.write_string(row - 1, column, title, self._format(**look))

    def _heading(self, sheet: Worksheet, cell: str, words: str) -> None:
        sheet.write_string(
            cell, words, self._format(bold=True, font_size=10, font_color=_ACCENT, indent=int(cell[0] == "K"))
        )

    def _typed(self, sheet: Worksheet, cell: str, value: Decimal | None, style: Format) -> None:
        if value is None:
            sheet.write_blank(cell, None, style)
        else:
            sheet.write_number(cell, _Exact(value), style)

    def _opening(self, mode: Mode) -> Decimal:
        return self.openings.get(mode) or Decimal(0)

    def _format(self, **properties: Any) -> Format:
        properties = {"font_name": "Calibri", "font_size": 11, "font_color": _INK, "valign": "vcenter", **properties}
        key = tuple(sorted(properties.items()))
        if key not in self.formats:
            self.formats[key] = self.workbook.add_format(properties)
        return self.formats[key]


def _running(
    drafts: Sequence[Draft], before: tuple[Decimal, Decimal], modes: tuple[Mode, Mode], first: int
) -> Iterator[_Row]:
    left, right = before
    for row, draft in enumerate(drafts, first):
        if draft.mode == modes[0]:
            left -= _spent(draft)
        else:
            right -= _spent(draft)
        yield _Row(draft, row, (left, right))


def _spent(draft: Draft) -> Decimal:
    """What a row takes from its mode and adds to its category; below zero for a credit."""
    return draft.amount if draft.direction == "DEBIT" else -draft.amount


def _painted(fill: str | None) -> dict[str, Any]:
    if fill is None:
        return {}
    return {"bg_color": _rgb(fill), "font_color": "#FFFFFF" if fill in WHITE_TEXT_ON else _INK}


def _rgb(fill: str) -> str:
    return "#" + fill[2:]


def _serial(day: date) -> int:
    """Excel's number of a day."""
    return (day - date(1899, 12, 30)).days
