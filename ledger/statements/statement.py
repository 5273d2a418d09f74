"""A bank's or app's statement read as transactions, and what of it could not be read.

    rows of cells ─► captions of a known format ─► rows below ─► transactions, unread rows with reasons
                  └► of none: a mapping to be confirmed      └► held against the statement's own balances

Opening, closing and total rows are no transactions, and neither are rows whose status says they failed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import pairwise

from ledger.cell_values import Unread, shown
from ledger.entries import BookRefused, Direction, Mode
from ledger.foreign.days import LONGEST_DAY, Order, column_day, order_of
from ledger.foreign.layouts import direction_of, is_opening, is_total, plain_caption
from ledger.sheetxml import Value
from ledger.statements.files import Row, rows_of_file, rows_of_pages
from ledger.statements.formats import Columns, StatementRole, columns_by_content, find_columns
from ledger.statements.narration import clean_payee, reference_in
from ledger.statements.numbers import Notation, Signed, notation_of, signed_amount
from money import rupees

SAMPLES = 5
_FAILED = re.compile(r"\b(?:fail|declin|pending|revers|cancel|reject|expired|unsuccess)", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"(?:account|a/c|acc|card)\s*(?:no|number|num)?\.?\s*[:\-]?\s*\(?(?:inr)?\)?\s*[-:_]*\s*(?P<digits>[\dxX*]{2,}\d{3,})",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"^\W*(?:\d{1,4}\s*[-/. ]+\s*(?:\d{1,2}|[A-Za-z]{3,9})\s*[-/., ]+\s*\d{2,4}|\d{1,2}[A-Za-z]{3}\d{2,4}"
    r"|[A-Za-z]{3,9}\.?\s+\d{1,2},?\s+\d{4})"
)
_UTR = re.compile(r"\b(?:utr|rrn|upi ref)\b\D{0,12}(?P<ref>\w*\d{9,})", re.IGNORECASE)
NEAR = 4
"""rows below a transaction that can still be its own"""
_TOTAL = re.compile(r"\b(?:sub)?totals?\b|\bpage \d")
_END = re.compile(
    r"statement summary|end of (?:the )?statement|(?:computer|system) generated|legends?\b|abbreviations|disclaimer",
    re.IGNORECASE,
)
_PAISA = Decimal("0.005")


@dataclass(frozen=True)
class StatementRow:
    """One transaction of a statement."""

    row: int
    """where it stands in the file, from 1"""
    day: date
    narration: str
    payee: str
    """the narration as a name a person knows"""
    direction: Direction
    amount: Decimal
    """above zero, in rupees"""
    balance: Decimal | None = None
    reference: str | None = None

    @property
    def signed(self) -> Decimal:
        """What it does to the balance."""
        return self.amount if self.direction == "CREDIT" else -self.amount


@dataclass(frozen=True)
class UnreadRow:
    """A row that was not read, and why."""

    row: int
    reads: str
    reason: str


@dataclass(frozen=True)
class Said:
    """What a person said of a statement that does not say it itself."""

    roles: Mapping[StatementRole, int] = field(default_factory=dict)
    """which column is what, from 0; empty: as its captions say"""
    day_first: bool | None = None
    positive: Direction | None = None


@dataclass(frozen=True)
class Statement:
    """A statement as read."""

    name: str
    title: str
    """`HDFC Bank`"""
    known: bool
    """its format is a known one; otherwise the mapping is to be confirmed"""
    mode: Mode | None
    account: str | None
    """the last four digits of its account"""
    rows: tuple[StatementRow, ...]
    """oldest first, in the order of the statement within a day"""
    unread: tuple[UnreadRow, ...]
    passed: int
    """rows that are no transactions: opening, closing, totals, failed"""
    opening: Decimal | None
    closing: Decimal | None
    differs: str
    """a sentence: the first row whose balance its rows do not give; empty when they agree"""
    captions: Mapping[int, str]
    roles: Mapping[StatementRole, int]
    order: Order
    """how its dates stand; `either` is asked, except of a known bank, all of which write the day first"""
    sign_asked: bool
    """every amount is above zero and nothing says which way it went"""

    @property
    def first(self) -> date:
        """The earliest day."""
        return min(row.day for row in self.rows)

    @property
    def last(self) -> date:
        """The latest day."""
        return max(row.day for row in self.rows)

    @property
    def asked(self) -> bool:
        """Whether a person must say something before it can be taken over."""
        return not self.known or self.order == "both" or self.sign_asked


def read_statement(data: bytes, name: str, said: Said | None = None) -> Statement:
    """The statement in a file. Raises BookRefused, saying what to do, when it holds none."""
    rows, date1904 = rows_of_file(data, name)
    return read_rows(rows, name, said, date1904=date1904)


def read_pages(pages: Sequence[Sequence[str]], name: str, said: Said | None = None) -> Statement:
    """The statement on a PDF's pages, each handed in as its lines."""
    return read_rows(rows_of_pages(pages), name, said)


def read_rows(rows: Sequence[Row], name: str, said: Said | None = None, *, date1904: bool = False) -> Statement:
    """The statement in rows of cells, such as a PDF's tables handed in one after another."""
    columns = find_columns(rows, name) or columns_by_content(rows)
    if columns is None:
        raise BookRefused(
            f"{name} holds no statement that can be read: no row of captions such as Date and Amount, or Date, "
            "Withdrawal and Deposit, stands in it."
        )
    said = said or Said()
    if said.roles:
        columns = replace(columns, at=dict(said.roles))
        if not columns.whole:
            raise BookRefused("Choose the columns of the dates and of the amounts.")
    return _Reader(rows, name, columns, said, date1904=date1904).statement()


class _Reader:
    def __init__(self, rows: Sequence[Row], name: str, columns: Columns, said: Said, *, date1904: bool) -> None:
        self._name = name
        self._columns = columns
        self._said = said
        self._date1904 = date1904
        self._above = rows[: columns.header]
        self._rows = rows[columns.header + 1 :]
        texts = [value for row in self._rows if isinstance(value := self._cell(row, "date"), str) and value]
        self._order = order_of(texts)
        self._day_first = said.day_first if said.day_first is not None else self._order != "month first"
        money = [
            value
            for row in self._rows
            for role in ("amount", "debit", "credit", "balance")
            if isinstance(value := self._cell(row, role), str) and value and self._has_day(row)
        ]
        self._notation: Notation = notation_of(money)
        self._amounts = [
            read.value
            for row in self._rows
            if "amount" in columns.at
            and self._has_day(row)
            and isinstance(read := self._money(row, "amount"), Signed)
            and not read.side
        ]
        self._signed = any(amount < 0 for amount in self._amounts)
        self._typed = "type" in columns.at
        self._read: list[StatementRow] = []
        self._unread: list[UnreadRow] = []
        self._passed = 0
        self._opening: Decimal | None = None
        self._closing: Decimal | None = None

    def statement(self) -> Statement:
        for number, row in enumerate(self._rows, self._columns.header + 2):
            if self._read and not self._has_day(row) and any(_END.search(shown(value)) for value in row):
                break
            self._take(number, row)
        if not self._read and not self._unread:
            raise BookRefused(f"{self._name} holds no transaction below its captions.")
        rows = self._in_order()
        each = self._columns.format
        bare = bool(self._amounts) and not self._signed and not self._typed and self._balances_say(rows) is None
        opening, closing, differs = held_against_balances(rows, self._opening)
        return Statement(
            name=self._name,
            title=each.title,
            known=each.name != "generic",
            mode=each.mode,
            account=self._account(),
            rows=tuple(sorted(rows, key=lambda row: row.day)),
            unread=tuple(self._unread),
            passed=self._passed,
            opening=opening,
            closing=self._closing if self._closing is not None else closing,
            differs=differs,
            captions=self._columns.captions,
            roles=self._columns.at,
            order=self._order if self._said.day_first is None else "plain",
            sign_asked=bare and self._said.positive is None and each.positive is None,
        )

    # rows

    def _take(self, number: int, row: Row) -> None:
        texts = [text for value in row if (text := shown(value).strip())]
        if not texts:
            return
        if not self._has_day(row):
            self._take_undated(number, row, texts)
            return
        label = shown(self._cell(row, "description")).strip()
        if is_opening(label) or is_total(label):
            self._passed += 1
            balance = self._money(row, "balance")
            if isinstance(balance, Signed):
                self._opening, self._closing = (
                    (balance.value, self._closing) if is_opening(label) else (self._opening, balance.value)
                )
            return
        if _FAILED.search(shown(self._cell(row, "status"))):
            self._passed += 1
            return
        day = column_day(self._cell(row, "date"), day_first=self._day_first, date1904=self._date1904, year=None)
        reads = " ".join(texts)[:200]
        if isinstance(day, Unread):
            self._unread.append(UnreadRow(number, reads, day.reason))
            return
        amount = self._amount(row)
        if isinstance(amount, str):
            self._unread.append(UnreadRow(number, reads, amount))
            return
        balance = self._money(row, "balance")
        narration = " ".join(label.split())
        stated = shown(self._cell(row, "reference")).strip()
        self._read.append(
            StatementRow(
                number,
                day,
                narration[:2000],
                clean_payee(narration) or ("Money in" if amount > 0 else "Payment"),
                "CREDIT" if amount > 0 else "DEBIT",
                abs(amount),
                self._signed_balance(balance),
                reference_in(narration) or _own_reference(stated),
            )
        )

    def _take_undated(self, number: int, row: Row, texts: list[str]) -> None:
        """A row without a day: a total, captions again, the rest of a narration, a footer; or one that lost its day."""
        balance = self._money(row, "balance")
        if any(is_opening(text) for text in texts) and isinstance(balance, Signed):
            self._opening = balance.value
            self._passed += 1
            return
        if any(is_total(text) or _TOTAL.search(plain_caption(text)) for text in texts) or self._repeats(row):
            self._passed += 1
            return
        day = shown(self._cell(row, "date")).strip()
        moved = [self._money(row, role) for role in ("amount", "debit", "credit") if role in self._columns.at]
        has_money = any(isinstance(each, Signed) and each.value for each in moved)
        label = shown(self._cell(row, "description")).strip()
        if has_money and (day or label) and "description" in self._columns.at:
            reason = "The row has no date that can be read." if day else "The row has an amount and no date."
            self._unread.append(UnreadRow(number, " ".join(texts)[:200], reason))
        elif not self._read or self._read[-1].row < number - NEAR:
            return
        elif stated := _UTR.search(" ".join(texts)):
            self._read[-1] = replace(self._read[-1], reference=stated["ref"].upper())
        elif label and len(texts) == 1:
            last = self._read[-1]
            narration = f"{last.narration} {label}"[:2000]
            self._read[-1] = replace(
                last,
                row=last.row,
                narration=narration,
                payee=clean_payee(narration),
                reference=last.reference or reference_in(label),
            )

    def _amount(self, row: Row) -> Decimal | str:
        """What the row does to the balance, or why nobody can say."""
        if "amount" not in self._columns.at:
            return self._two_columns(row)
        read = self._money(row, "amount")
        if isinstance(read, str):
            return read
        if read is None or not read.value:
            return "The row has no amount."
        side = read.side
        if self._typed:
            side = direction_of(shown(self._cell(row, "type"))) or side
            if side is None:
                return "The row does not say whether the money went out or came in."
        if side is not None:
            return abs(read.value) if side == "CREDIT" else -abs(read.value)
        if self._signed:
            return read.value
        positive = self._said.positive or self._columns.format.positive or "DEBIT"
        return read.value if positive == "CREDIT" else -read.value

    def _two_columns(self, row: Row) -> Decimal | str:
        values: dict[str, Decimal] = {}
        for role in ("debit", "credit"):
            read = self._money(row, role)
            if isinstance(read, str):
                return read
            if read is not None and read.value:
                values[role] = read.value
        if len(values) == 2:
            return "The row has both money out and money in."
        if not values:
            return "The row has no amount."
        # a negative withdrawal is a reversal: money that came back
        return values["credit"] if "credit" in values else -values["debit"]

    # cells

    def _cell(self, row: Row, role: str) -> Value:
        at = next((place for name, place in self._columns.at.items() if name == role), None)
        return row[at] if at is not None and at < len(row) else None

    def _money(self, row: Row, role: str) -> Signed | str | None:
        value = self._cell(row, role)
        if value is None or isinstance(value, bool):
            return None
        if isinstance(value, Decimal | str):
            return signed_amount(value, self._notation if isinstance(value, str) else "point")
        return "The cell shows an error."

    def _has_day(self, row: Row) -> bool:
        value = self._cell(row, "date")
        if isinstance(value, str):
            return len(value) < LONGEST_DAY and bool(_DAY.search(value))
        return isinstance(value, Decimal)

    def _repeats(self, row: Row) -> bool:
        """The captions again, at the top of the next page."""
        said = {place: plain_caption(shown(value)) for place, value in enumerate(row) if shown(value).strip()}
        return bool(said) and all(
            plain_caption(self._columns.captions.get(at, "")) == text for at, text in said.items()
        )

    @staticmethod
    def _signed_balance(read: Signed | str | None) -> Decimal | None:
        if not isinstance(read, Signed):
            return None
        return -abs(read.value) if read.side == "DEBIT" else read.value

    def _account(self) -> str | None:
        """The account's last four digits, from the lines above the captions."""
        for row in self._above:
            line = " ".join(shown(value) for value in row if value is not None)
            if (match := _ACCOUNT.search(line)) and (digits := re.search(r"\d{3,}$", match["digits"])):
                return digits[0][-4:]
        cells = [row for row in self._rows if shown(self._cell(row, "account"))]
        digits = re.search(r"\d{3,}\s*$", shown(self._cell(cells[0], "account"))) if cells else None
        return digits[0].strip()[-4:] if digits else None

    def _in_order(self) -> list[StatementRow]:
        """Oldest first as the balances run: many statements begin with the newest."""
        rows = self._read
        backward = rows[::-1]
        days = [row.day for row in rows]
        if _agreeing(backward) > _agreeing(rows) or (
            _agreeing(backward) == _agreeing(rows) and days and days[0] > days[-1]
        ):
            return backward
        return rows

    def _balances_say(self, rows: Sequence[StatementRow]) -> bool | None:
        return True if _agreeing(rows) >= max(1, len(rows) // 2) else None


def held_against_balances(
    rows: Sequence[StatementRow], opening: Decimal | None = None
) -> tuple[Decimal | None, Decimal | None, str]:
    """The balance before the first row, that after the last, and a sentence for the first its rows do not give."""
    stated = [row for row in rows if row.balance is not None]
    if not stated or not rows:
        return opening, None, ""
    first = rows[0]
    if opening is None and first.balance is not None:
        opening = first.balance - first.signed
    if opening is None:
        return None, stated[-1].balance, ""
    balance = opening
    for row in rows:
        balance += row.signed
        if row.balance is not None and abs(row.balance - balance) >= _PAISA:
            sentence = (
                f"Row {row.row} of the statement states {rupees(row.balance)}; its rows give {rupees(balance)}. "
                "A row may be missing or unread before it."
            )
            return opening, stated[-1].balance, sentence
    return opening, stated[-1].balance, ""


def _agreeing(rows: Sequence[StatementRow]) -> int:
    return sum(
        1
        for before, after in pairwise(rows)
        if before.balance is not None
        and after.balance is not None
        and abs(before.balance + after.signed - after.balance) < _PAISA
    )


def _own_reference(text: str) -> str | None:
    """A reference column's number; a cheque column of zeroes or dashes is none."""
    plain = re.sub(r"\W", "", text).upper()
    return plain if len(plain.strip("0")) >= 4 and any(letter.isdigit() for letter in plain) else None
