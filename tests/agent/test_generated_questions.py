"""Questions put together from periods, modes, categories, words, bounds and aggregates, over random books.

Every figure is held against pandas over what openpyxl reads of the file, which shares no code with what answers; it
stands in `figures`, and its source, opened in the file, gives it again.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from agent import Figure, Settings, Turn, Workbench, clock_on
from ledger.intake import book_from_json
from money import rupees

TODAY = date(2026, 11, 30)
PAISA = Decimal("0.01")
ZERO = Decimal(0)
QUICK, ALL = 120, 1000
QUESTIONS_A_BOOK = 80

BUDGET = (
    ("Groceries", "HOME"), ("Rent", "HOME"), ("Medicine", "HOME"), ("Food", "PERSONAL"), ("Travel", "PERSONAL"),
    ("Shopping", "PERSONAL"), ("Wishlist", "WISHLIST"), ("Transfer", "TRANSFER"),
)  # fmt: skip
THINGS = {
    "Groceries": ("DMART", "KIRANA", "BIGBASKET"), "Rent": ("RENT",), "Medicine": ("APOLLO", "PHARMACY"),
    "Food": ("SWIGGY", "TIFFIN", "BIRYANI"), "Travel": ("UBER", "PETROL"), "Shopping": ("MYNTRA", "SHIRT"),
    "Wishlist": ("GUITAR",), None: ("BALLOONS", "XEROX"),
}  # fmt: skip
MODES = {"PHONEPE": ("upi", "phonepe", "gpay"), "WALLET": ("wallet", "paytm"), "MONEY": ("cash",), "BANK": ("bank",)}
NAMES = {"PHONEPE": "PhonePe", "WALLET": "Wallet", "MONEY": "Cash", "BANK": "Bank"}
MONTHS = ("june", "july", "august", "september", "october", "november")


# a book, and what stands in it


def random_book(rng: random.Random) -> bytes:
    """Half a year of a household, with refunds, income and moves between modes."""
    rows: list[dict[str, object]] = []

    def add(day: date, words: str, mode: str, way: str, amount: Decimal, category: str | None) -> None:
        tags = ["PARTY"] if way == "DEBIT" and rng.random() < 0.08 else []
        rows.append(
            {"date": day.isoformat(), "description": words, "mode": mode, "direction": way, "amount": str(amount),
             "category": category, "tags": tags}
        )  # fmt: skip

    def amount(low: int, high: int) -> Decimal:
        paise = rng.choice((0, 0, 0, rng.randrange(100)))
        return Decimal(rng.randrange(low, high)) + Decimal(paise) / 100

    for month in range(6, 12):
        last = 30 if month in (6, 9, 11) else 31
        add(date(2026, month, 1), "SALARY", "BANK", "CREDIT", amount(60_000, 90_000), None)
        add(date(2026, month, 2), "RENT", "BANK", "DEBIT", amount(15_000, 18_000), "Rent")
        moved = Decimal(rng.randrange(5, 20) * 500)
        day = date(2026, month, rng.randrange(3, 9))
        add(day, "ATM CASH", "BANK", "DEBIT", moved, "Transfer")
        add(day, "ATM CASH", "MONEY", "CREDIT", moved, "Transfer")
        for _ in range(rng.randrange(12, 24)):
            category = rng.choice([name for name in THINGS if name != "Rent"])
            day = date(2026, month, rng.randrange(1, last + 1))
            add(day, rng.choice(THINGS[category]), rng.choice(tuple(MODES)), "DEBIT", amount(20, 3000), category)
        if rng.random() < 0.7:
            category = rng.choice(("Food", "Shopping"))
            day = date(2026, month, rng.randrange(10, last + 1))
            add(day, f"{THINGS[category][0]} REFUND", "PHONEPE", "CREDIT", amount(20, 900), category)
    book = {
        "year": 2026, "opening": {"PHONEPE": 90000, "WALLET": 80000, "MONEY": 70000, "BANK": 200000},
        "opening_date": "2026-06-01",
        "budget": [
            {"category": name, "group": group, "monthly": None if group == "TRANSFER" else 9000,
             "essential": group == "HOME", "words": []}
            for name, group in BUDGET
        ],
        "transactions": sorted(rows, key=lambda row: str(row["date"])),
    }  # fmt: skip
    return book_from_json(json.dumps(book).encode(), "random")


class File:
    """A book as openpyxl reads it: its rows as a table, and the value of any cell."""

    def __init__(self, path: Path) -> None:
        self._workbook = openpyxl.load_workbook(path, data_only=True)
        groups = dict(BUDGET)
        found = []
        for sheet in self._workbook.worksheets:
            cash = sheet.title == "CASH TRACKER"
            if not cash and sheet.title.casefold() not in MONTHS:
                continue
            for number in range(12 if cash else 6, sheet.max_row + 1):
                day, words, mode, debit, credit, category = (sheet[f"{letter}{number}"].value for letter in "CDEFGJ")
                if not isinstance(day, datetime) or (debit is None and credit is None):
                    continue
                group = groups.get(category)
                kind = (
                    "transfer" if group == "TRANSFER" else "expense" if debit is not None
                    else "refund" if category or "REFUND" in words else "income"
                )  # fmt: skip
                found.append((day.date(), words, mode, _money(debit or credit), debit is not None, category, kind))
        columns = ["day", "words", "mode", "amount", "out", "category", "kind"]
        self.rows = pd.DataFrame(found, columns=columns)
        self.rows["net"] = [-a if out else a for a, out in zip(self.rows["amount"], self.rows["out"], strict=True)]

    def cell(self, name: str) -> Decimal:
        """A cell's number by its name, `'CASH TRACKER'!F12`; an empty one is nothing."""
        sheet, _, place = name.rpartition("!")
        return _money(self._workbook[sheet.strip("'")][place].value or 0)

    def day(self, name: str) -> object:
        """The date of a cell's row."""
        sheet, _, place = name.rpartition("!")
        return self._workbook[sheet.strip("'")][f"C{place[1:]}"].value

    def signed(self, name: str) -> Decimal:
        """A cell's number as it moves a balance: the column of debits takes away."""
        return -self.cell(name) if re.fullmatch(r"F\d+", name.rpartition("!")[2]) else self.cell(name)


def _money(value: object) -> Decimal:
    return Decimal(str(value)).quantize(PAISA)


def total(values: "pd.Series[Decimal]") -> Decimal:
    return sum(values, ZERO)


# questions


@dataclass(frozen=True)
class Asked:
    """A question in words, the figures its reply must have, and whether there is anything to find."""

    words: str
    figures: tuple[tuple[str, Decimal], ...]
    found: bool = True


Rows = pd.DataFrame


def periods(rng: random.Random) -> tuple[str, date, date]:
    """Words for some days, and the days."""
    number = rng.randrange(6, 12)
    first = date(2026, number, 1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    name = MONTHS[number - 6]
    one, other = sorted(rng.sample(range(1, 29), 2))
    return rng.choice(
        [
            (f"in {name}", first, last),
            (f"during {name[:3]}", first, last),
            (f"in {name} 2026", first, last),
            (f"{name} me", first, last),
            ("this month", date(2026, 11, 1), TODAY),
            ("is mahine", date(2026, 11, 1), TODAY),
            ("last month", date(2026, 10, 1), date(2026, 10, 31)),
            ("last week", date(2026, 11, 24), TODAY),
            ("this year", date(2026, 1, 1), date(2026, 12, 31)),
            ("in q2 fy27", date(2026, 7, 1), date(2026, 9, 30)),
            ("in FY 2026-27", date(2026, 4, 1), date(2027, 3, 31)),
            (f"from {one} to {other} {name}", first.replace(day=one), first.replace(day=other)),
            (f"between {one} and {other} {name[:3]}", first.replace(day=one), first.replace(day=other)),
            (f"since {one} {name}", first.replace(day=one), TODAY),
        ]
    )


def subjects(rng: random.Random, rows: Rows) -> tuple[str, Rows]:
    """Words for some of the rows, and those rows."""
    category = rng.choice([name for name, group in BUDGET if group not in ("TRANSFER", "WISHLIST")])
    mode = rng.choice(tuple(MODES))
    thing = rng.choice([word for name, some in THINGS.items() if name not in ("Rent", "Wishlist") for word in some])
    bound = Decimal(rng.choice((100, 250, 500, 750, 1000, 1500)))
    of_category = rows["category"] == category
    of_mode = rows["mode"] == mode
    expense = rows["kind"] == "expense"
    said = rng.choice(MODES[mode])
    over = expense & (rows["amount"] > bound)
    return rng.choice(
        [
            ("", rows),
            (f"on {category.lower()}", rows[of_category]),
            (f"for {category.lower()}", rows[of_category]),
            (f"by {said}", rows[of_mode]),
            (f"via {said}", rows[of_mode]),
            (f"on {category.lower()} by {said}", rows[of_category & of_mode]),
            (f"on {thing.lower()}", rows[rows["words"].str.contains(rf"\b{thing}\b")]),
            (f"above {bound}", rows[over]),
            (f"on {category.lower()} over ₹{bound}", rows[of_category & over]),
            (f"below rs {bound}", rows[expense & (rows["amount"] < bound)]),
            (f"between {bound} and {bound * 2}", rows[expense & rows["amount"].between(bound, bound * 2)]),
            (f"excluding {category.lower()}", rows[~of_category]),
            (f"except {category.lower()} and {said}", rows[~of_category & ~of_mode]),
            ("on weekends", rows[[day.weekday() > 4 for day in rows["day"]]]),
            ("tagged party", rows[rows["words"].str.contains("[PARTY]", regex=False)]),
        ]
    )


def put(rng: random.Random, wordings: tuple[str, ...], subject: str, period: str) -> str:
    """One of the wordings, in one of the ways people write it."""
    words = " ".join(rng.choice(wordings).format(subject=subject, period=period).split())
    return rng.choice((words, f"{words}?", words.capitalize(), f"please tell me {words}", f"{words} ?"))


def spent(rng: random.Random, rows: Rows) -> Asked:
    subject, period, some = _narrowed(rng, rows)
    some = some[some["kind"].isin(("expense", "refund"))]
    wordings = (
        "how much did I spend {subject} {period}", "how much have I spent {subject} {period}",
        "what did I spend {subject} {period}", "total spending {subject} {period}", "spending {subject} {period}",
        "{period} how much did I spend {subject}", "kitna kharcha hua {subject} {period}",
        "what's my total expenditure {subject} {period}",
    )  # fmt: skip
    return Asked(put(rng, wordings, subject, period), (("₹", abs(total(some["net"]))),), not some.empty)


def listed(rng: random.Random, rows: Rows) -> Asked:
    subject, period, some = _narrowed(rng, rows)
    some = some[some["kind"].isin(("expense", "refund"))]
    wordings = (
        "show expenses {subject} {period}",
        "list my expenses {subject} {period}",
        "expenses {subject} {period}",
    )
    figures = [("₹", abs(total(some["net"])))]
    if (some["kind"] == "expense").any():
        figures.append(("expense", Decimal(int((some["kind"] == "expense").sum()))))
    return Asked(put(rng, wordings, subject, period), tuple(figures), not some.empty)


def counted(rng: random.Random, rows: Rows) -> Asked:
    subject, period, some = _narrowed(rng, rows)
    some = some[some["kind"] == "expense"]
    wordings = (
        "how many expenses {subject} {period}", "count expenses {subject} {period}",
        "number of expenses {subject} {period}", "how many expenses did I have {subject} {period}",
    )  # fmt: skip
    return Asked(put(rng, wordings, subject, period), (("expense", Decimal(len(some))),), not some.empty)


def averaged(rng: random.Random, rows: Rows) -> Asked:
    subject, period, some = _narrowed(rng, rows)
    some = some[some["kind"] == "expense"]
    name = rng.choice(("average", "median"))
    wordings = (
        f"{name} expense {{subject}} {{period}}", f"what is my {name} expense {{subject}} {{period}}",
        f"what was the {name} expense {{subject}} {{period}}",
    )  # fmt: skip
    if some.empty:
        return Asked(put(rng, wordings, subject, period), (), found=False)
    amounts = sorted(some["amount"])
    middle = (amounts[(len(amounts) - 1) // 2] + amounts[len(amounts) // 2]) / 2
    value = total(some["amount"]) / len(some) if name == "average" else middle
    return Asked(put(rng, wordings, subject, period), (("₹", value.quantize(PAISA, ROUND_HALF_UP)),))


def extreme(rng: random.Random, rows: Rows) -> Asked:
    subject, period, some = _narrowed(rng, rows)
    some = some[some["kind"] == "expense"]
    largest = rng.random() < 0.5
    names = ("largest", "biggest", "highest") if largest else ("smallest", "cheapest", "lowest")
    wordings = tuple(f"{name} expense {{subject}} {{period}}" for name in names)
    value = (some["amount"].max() if largest else some["amount"].min()) if len(some) else ZERO
    return Asked(put(rng, wordings, subject, period), (("₹", value),), not some.empty)


def daily(rng: random.Random, rows: Rows) -> Asked:
    words, first, last = periods(rng)
    some = _within(rows, first, last)
    some = some[some["kind"].isin(("expense", "refund"))]
    days = some["day"].nunique()
    value = (-total(some["net"]) / days).quantize(PAISA, ROUND_HALF_UP) if days else ZERO
    wordings = ("average daily spend {period}", "average spending per day {period}", "daily average spending {period}")
    return Asked(put(rng, wordings, "", words), (("₹", value),), days > 0)


def income(rng: random.Random, rows: Rows) -> Asked:
    words, first, last = periods(rng)
    some = _within(rows, first, last)
    name, wordings = rng.choice(
        [
            ("income", ("how much income {period}", "how much did I earn {period}", "total income {period}")),
            ("refund", ("how much refund did I get {period}", "refunds {period}", "did I get any refund {period}")),
            (
                "withdrawn",
                ("how much did I withdraw {period}", "atm withdrawals {period}", "cash withdrawals {period}"),
            ),
            ("net", ("net {period}", "net cash flow {period}", "what was my surplus {period}")),
        ]
    )
    if name == "net":
        some = some[some["kind"] != "transfer"]
        return Asked(put(rng, wordings, "", words), (("₹", abs(total(some["net"]))),), not some.empty)
    if name == "withdrawn":
        some = some[(some["kind"] == "transfer") & ~some["out"] & (some["mode"] == "MONEY")]
    else:
        some = some[some["kind"] == name]
    return Asked(put(rng, wordings, "", words), (("₹", total(some["amount"])),), not some.empty)


def shared(rng: random.Random, rows: Rows) -> Asked:
    words, first, last = periods(rng)
    some = _within(rows, first, last)
    some = some[some["kind"].isin(("expense", "refund"))]
    category = rng.choice([name for name, group in BUDGET if group not in ("TRANSFER", "WISHLIST")])
    part = some[some["category"] == category]
    wordings = (
        "what share of my spending was {subject} {period}",
        "what percent of my spending went to {subject} {period}",
    )
    asked = put(rng, wordings, category.lower(), words)
    if part.empty:
        return Asked(asked, (), found=False)
    if total(part["net"]) >= 0:
        return Asked(asked, (("₹", total(part["net"])),))
    rate = (total(part["net"]) * 100 / total(some["net"])).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return Asked(asked, (("%", rate), ("₹", abs(total(part["net"])))))


def compared(rng: random.Random, rows: Rows) -> Asked:
    earlier, later = sorted(rng.sample(range(6), 2))
    category = rng.choice([name for name, group in BUDGET if group not in ("TRANSFER", "WISHLIST")])
    some = rows[(rows["category"] == category) & rows["kind"].isin(("expense", "refund"))]
    sums = [-total(some[[day.month == number for day in some["day"]]]["net"]) for number in (later + 6, earlier + 6)]
    wordings = (
        "compare {subject} spending in {period}", "difference between {subject} spending in {period}",
        "{subject} spending in {period} compared",
    )  # fmt: skip
    months = f"{MONTHS[earlier]} and {MONTHS[later]}"
    return Asked(put(rng, wordings, category.lower(), months), tuple(("₹", abs(value)) for value in sums))


def balance(rng: random.Random, rows: Rows) -> Asked:
    mode = rng.choice(tuple(MODES))
    opening = {"PHONEPE": 90000, "WALLET": 80000, "MONEY": 70000, "BANK": 200000}[mode]
    number = rng.randrange(6, 12)
    day = date(2026, number, rng.randrange(1, 29))
    some = rows[(rows["mode"] == mode) & (rows["day"] <= day)]
    said = rng.choice(MODES[mode])
    wordings = (
        "what was my {subject} balance on {period}", "{subject} balance on {period}",
        "how much was in {subject} on {period}", "closing balance of {subject} on {period}",
    )  # fmt: skip
    words = f"{day.day} {MONTHS[number - 6]}"
    return Asked(put(rng, wordings, said, words), (("₹", opening + total(some["net"])),))


def _narrowed(rng: random.Random, rows: Rows) -> tuple[str, str, Rows]:
    words, first, last = periods(rng)
    subject, some = subjects(rng, _within(rows, first, last))
    return subject, words, some


def _within(rows: Rows, first: date, last: date) -> Rows:
    return rows[(rows["day"] >= first) & (rows["day"] <= last)]


QUESTIONS: tuple[Callable[[random.Random, Rows], Asked], ...] = (
    spent, spent, spent, listed, counted, averaged, extreme, daily, income, shared, compared, balance,
)  # fmt: skip


# holding a reply against what was expected


def told(turn: Turn, asked: Asked) -> list[str]:
    """What is wrong with a reply, a sentence each."""
    if not asked.found:
        nothing = "no " in turn.reply and not [figure for figure in turn.figures if figure.source.kind != "message"]
        return [] if nothing else [f"found what is not there: {turn.reply}"]
    wrong = []
    for mark, value in asked.figures:
        fits = [figure for figure in turn.figures if figure.value == value and mark in figure.text]
        if not fits:
            wrong.append(f"{mark}{value} is no figure of: {turn.reply}")
        elif all(figure.text not in turn.reply for figure in fits):
            wrong.append(f"{mark}{value} does not stand in: {turn.reply}")
    return wrong


def unopened(turn: Turn, file: File) -> list[str]:
    """The figures of a reply whose source, opened in the file, gives something else."""
    return [
        f"{figure.text} is not what {figure.source.ref} gives"
        for figure in turn.figures
        if not _gives(figure, file, turn)
    ]


def _gives(figure: Figure, file: File, turn: Turn) -> bool:
    cells = figure.source.cells
    match figure.source.kind:
        case "message":
            return re.sub(r"[₹,]", "", figure.text) in turn.message
        case "query":
            return figure.value == len(cells)
        case "cell" if len(cells) == 1 or not re.fullmatch(r"[FG]\d+", cells[0].rpartition("!")[2]):
            return file.cell(cells[0]) == figure.value
        case "cell":
            return abs(sum((file.signed(cell) for cell in cells), ZERO)) == figure.value
        case _:
            return _works_out(figure, file, turn)


def _works_out(figure: Figure, file: File, turn: Turn) -> bool:
    """A calculation, done again from its cells and from the other figures that it names."""
    cells, ref = figure.source.cells, figure.source.ref
    values = {other.text: other.value for other in turn.figures}
    if figure.text.endswith("%"):
        amounts = [value for text, value in values.items() if text.startswith("₹")]
        shares = [a * 100 / b for a in amounts for b in amounts if b]
        shares += [abs(a - b) * 100 / b for a in amounts for b in amounts if b]
        return any(share.quantize(Decimal("0.1"), ROUND_HALF_UP) == figure.value for share in shares)
    if re.match("the (days|weeks|months) of", ref):
        return Decimal(len({file.day(cell) for cell in cells})) == figure.value
    if "divided by" in ref:
        over = Decimal(re.search(r"divided by (\d+)", ref)[1])  # type: ignore[index]
        whole = abs(sum((file.signed(cell) for cell in cells), ZERO))
        return (whole / over).quantize(PAISA, ROUND_HALF_UP) == figure.value
    if "median" in ref:
        amounts = sorted(file.cell(cell) for cell in cells)
        middle = (amounts[(len(amounts) - 1) // 2] + amounts[len(amounts) // 2]) / 2
        return middle.quantize(PAISA, ROUND_HALF_UP) == figure.value
    if ref.startswith("the days"):
        return figure.text.split()[0] == str(figure.value)
    return abs(sum((file.signed(cell) for cell in cells), ZERO)) == abs(figure.value)


def asked_of(seed: int, count: int, folder: Path) -> Iterator[tuple[Turn, Asked, File]]:
    """So many questions over random books, each in a conversation of its own."""
    for number in range(0, count, QUESTIONS_A_BOOK):
        rng = random.Random(seed * 1000 + number)
        home = folder / str(number)
        home.mkdir()
        path = home / "Budget_2026.xlsx"
        path.write_bytes(random_book(rng))
        file = File(path)
        bench = Workbench.open(Settings.read({}, home=home / "munshi", book=path), clock_on(TODAY))
        try:
            for place in range(min(QUESTIONS_A_BOOK, count - number)):
                asked = rng.choice(QUESTIONS)(rng, file.rows)
                yield bench.ask(asked.words, thread=f"t{place}"), asked, file
        finally:
            bench.close()


def held(seed: int, count: int, folder: Path) -> None:
    wrong = [
        f"{asked.words}: {sentence}"
        for turn, asked, file in asked_of(seed, count, folder)
        for sentence in (*told(turn, asked), *unopened(turn, file))
    ]
    assert not wrong, f"{len(wrong)} of {count}:\n" + "\n".join(wrong[:40])


def test_every_figure_of_generated_questions_is_pandas_figure_and_its_source_gives_it(tmp_path: Path) -> None:
    held(1, QUICK, tmp_path)


@pytest.mark.soak
def test_every_figure_of_a_thousand_generated_questions_is_right(tmp_path: Path) -> None:
    held(2, ALL, tmp_path)


def test_a_wrong_figure_and_a_wrong_source_would_be_seen(tmp_path: Path) -> None:
    turn, asked, file = next(
        (turn, asked, file) for turn, asked, file in asked_of(3, 40, tmp_path) if asked.found and turn.figures
    )
    (mark, value), *_ = asked.figures
    assert told(turn, Asked(asked.words, ((mark, value + 1),)))
    assert rupees(value) in turn.reply or mark != "₹"
    figure = turn.figures[0]
    assert not _gives(Figure(figure.text, figure.value + 1, figure.source), file, turn)
