"""Whatever is written into whatever book: what was asked stands there, every balance follows, and each undo is exact.

Books of several months with gaps between them, with and without a category column, with balances by formula or as plain
numbers; openpyxl, which shares nothing with the program's own reader, looks at every cell.
"""

import io
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
from hypothesis import HealthCheck, Phase, assume, event, given, settings
from hypothesis import strategies as st

from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import CASH_TRACKER, MODES, MONTHS, Book, BookRefused, Draft, Entry, Mode
from ledger.store import BookStore
from ledger.template import new_book
from ledger.workbook import Workbook
from tests.ledger.test_edits import BUDGET

NOON = datetime(2026, 12, 31, 12)
OPENINGS = dict.fromkeys(MODES, Decimal("90000.3"))
CARDS: dict[Mode, tuple[str, str]] = {"BANK": (CASH_TRACKER, "D5"), "MONEY": (CASH_TRACKER, "D6")}
QUICK = settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # the drawn books are small; shrinking them takes minutes
    suppress_health_check=[HealthCheck.too_slow],
)

Seen = dict[str, tuple[object, object, object]]


def rows(months: Sequence[int]) -> st.SearchStrategy[Draft]:
    return st.builds(
        Draft,
        st.builds(lambda month, day: date(2026, month, day), st.sampled_from(months), st.integers(2, 28)),
        st.sampled_from(("tea", "bus", "gift [PARTY]", "<b> & co", "=1+1")),
        st.sampled_from(MODES),
        st.sampled_from(("DEBIT", "CREDIT")),
        st.integers(1, 10**5).map(lambda paise: Decimal(paise) / 100),
        st.sampled_from(("Food", "Rent", "Gifts", None)),
    )


@st.composite
def books(draw: st.DrawFn) -> tuple[bytes, tuple[int, ...], bool]:
    """A book, the months it has, and whether it has a category column."""
    months = tuple(sorted(draw(st.sets(st.integers(2, 11), min_size=1, max_size=3))))
    drafts = draw(st.lists(rows(months), max_size=5))
    start = [Draft(date(2026, month, 1), "start", "WALLET", "CREDIT", Decimal(1)) for month in months]
    own = sorted([*start, *drafts], key=lambda draft: draft.date)
    categorised = draw(st.booleans())
    first = [draft for draft in own if draft.date.month == months[0]]
    data = new_book(2026, BUDGET, OPENINGS, date(2026, months[0], 1), {}, first, months[0])
    for month in months[1:]:  # a month that is opened later leaves a gap before it
        later = [Add(draft) for draft in own if draft.date.month == month]
        data = written(data, later)
    workbook = Workbook(data, "Budget_2026.xlsx")
    changed = {}
    plain = draw(st.booleans())
    for ref in workbook.sheets:
        if ref.name in (*MONTHS, CASH_TRACKER, "TERMINOLOGY"):
            xml = workbook.part(ref.part)
            if plain:
                xml = re.sub(rb'(<c r="(?:[HI]\d+|L[78]|[DK][56])"[^>]*>)<f>[^<]*</f>', rb"\1", xml)
            if not categorised and ref.name != "TERMINOLOGY":
                xml = re.sub(rb'<c r="J\d+"[^>]*?(?:/>|>.*?</c>)', b"", xml)
            changed[ref.part] = xml
    return workbook.rebuilt(changed), months, categorised


def written(data: bytes, changes: Sequence[EntryChange]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        store = held(Path(folder), data)
        store.change(changes, request="r", who="asha")
        return store.path.read_bytes()


def held(folder: Path, data: bytes) -> BookStore:
    path = folder / "Budget_2026.xlsx"
    path.write_bytes(data)
    return BookStore(path, folder / "home", lambda: NOON)


def seen(data: bytes, *, shown: bool = False) -> Seen:
    """Every cell by openpyxl: its value or formula (`shown`: its stored value), number format and fill."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=shown)
    return {
        f"{sheet.title}!{cell.coordinate}": (cell.value, cell.number_format, fill)
        for sheet in book.worksheets
        for line in sheet.iter_rows()
        for cell in line
        if cell.value is not None
        for fill in [cell.fill.fgColor.rgb if cell.fill.patternType else None]
    }


def differing(first: bytes, second: bytes) -> dict[str, object]:
    """The cells that differ, in what they hold or what they show, with both."""
    found: dict[str, object] = {}
    for shown in (False, True):
        one, other = seen(first, shown=shown), seen(second, shown=shown)
        found |= {cell: (one.get(cell), other.get(cell)) for cell in one | other if one.get(cell) != other.get(cell)}
    return found


def said(row: Entry | Draft, *, categorised: bool) -> tuple[object, ...]:
    draft = draft_of(row) if isinstance(row, Entry) else row
    category = draft.category if categorised else None
    return draft.date, draft.stored_description, draft.mode, draft.direction, draft.amount, category


def plans(draw: st.DataObject, book: Book, months: Sequence[int]) -> list[EntryChange]:
    """Adds, back-dated ones among them, edits of any kind, moves between modes, deletions: all in one."""
    entries = [entry for entry in book.entries if entry.description != "START"]
    picked = draw.draw(st.lists(st.sampled_from(entries), unique=True, max_size=3)) if entries else []
    changes: list[EntryChange] = []
    for entry in picked:
        was = draft_of(entry)
        other = draw.draw(rows(months))
        kind = draw.draw(st.sampled_from(("delete", "all", "amount", "category", "mode", "date")))
        now = {
            "all": other,
            "amount": replace(was, amount=other.amount),
            "category": replace(was, category=other.category),
            "mode": replace(was, mode=other.mode),
            "date": replace(was, date=other.date),
        }
        changes.append(Delete(entry) if kind == "delete" else Edit(entry, now[kind]))
    added = draw.draw(st.lists(rows(months), min_size=not changes, max_size=3))
    return [*changes, *map(Add, added)]


def hold_balances(data: bytes, book: Book) -> None:
    """Every stored card and running balance is what the rows give, computed here row by row by openpyxl."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sheets = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    balances = dict(OPENINGS)
    columns: dict[str, tuple[Mode, Mode]] = {CASH_TRACKER: ("MONEY", "BANK")}
    for name in [*book.months, CASH_TRACKER]:
        sheet = sheets[name]
        modes = columns.get(name, ("PHONEPE", "WALLET"))
        for row in range(12 if name == CASH_TRACKER else 6, sheet.max_row + 1):
            mode, debit, credit = (sheet[f"{column}{row}"].value for column in "EFG")
            if mode:
                balances[mode] += Decimal(str(credit or 0)) - Decimal(str(debit or 0))
                shown = [sheet[f"{column}{row}"].value for column in "HI"]
                wanted = [float(balances[each]) for each in modes]
                assert all(abs(a - b) < 1e-6 for a, b in zip(shown, wanted, strict=True)), (name, row, shown, wanted)
    assert dict(book.balances) == balances
    last = sheets[book.months[-1]]
    for mode, value in (("WALLET", last["L7"].value), ("PHONEPE", last["L8"].value)):
        assert abs(value - float(balances[mode])) < 1e-6
    for mode, (name, cell) in CARDS.items():
        assert abs(sheets[name][cell].value - float(balances[mode])) < 1e-6


@given(data=st.data(), start=books())
@QUICK
def test_any_plan_in_any_book_is_written_as_asked_and_undone_cell_by_cell_or_changes_no_byte(
    data: st.DataObject, start: tuple[bytes, tuple[int, ...], bool]
) -> None:
    before, months, categorised = start
    with tempfile.TemporaryDirectory() as folder:
        store = held(Path(folder), before)
        book = store.read().book
        changes = plans(data, book, data.draw(st.sampled_from((months, (1, 6, 12)))))
        removed = [each.was for each in changes if not isinstance(each, Add)]
        try:
            store.change(changes, request="r", who="asha")
        except BookRefused:
            event("refused")
            assert store.path.read_bytes() == before
            return
        after = store.read().book
        expected = Counter(said(row, categorised=categorised) for row in book.entries)
        expected -= Counter(said(row, categorised=categorised) for row in removed)
        drafts = [each.draft for each in changes if not isinstance(each, Delete)]
        expected += Counter(said(row, categorised=categorised) for row in drafts)
        assert Counter(said(row, categorised=categorised) for row in after.entries) == expected
        hold_balances(store.path.read_bytes(), after)
        store.undo(request="u", who="asha")
        assert differing(store.path.read_bytes(), before) == {}


@given(data=st.data(), start=books())
@QUICK
def test_an_earlier_write_is_undone_as_though_only_the_later_one_had_been_made(
    data: st.DataObject, start: tuple[bytes, tuple[int, ...], bool]
) -> None:
    before, months, _ = start
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        store, alone = held(Path(folder), before), held(Path(elsewhere), before)
        book = store.read().book
        first, then = plans(data, book, months), plans(data, book, months)
        touched = [each.was for each in first if not isinstance(each, Add)]
        assume(not any(not isinstance(each, Add) and each.was in touched for each in then))
        drafts = [each.draft for each in (*first, *then) if not isinstance(each, Delete)]
        days = Counter(row.date for row in (*book.entries, *drafts))
        try:
            alone.change(then, request="b", who="asha")
            store.change(first, request="a", who="asha")
            store.change(then, request="b", who="asha")
            store.undo(request="u", who="asha", write="a")
        except BookRefused as refused:
            event(f"refused: {str(refused)[:40]}")
            return
        now, wanted = store.path.read_bytes(), alone.path.read_bytes()
        mine, theirs = store.read().book, alone.read().book
        assert Counter(map(draft_of, mine.entries)) == Counter(map(draft_of, theirs.entries))
        assert mine.balances == theirs.balances
        hold_balances(now, mine)
        if max(days.values()) == 1:  # rows of one day may stand in another order among themselves
            event("cell by cell")
            assert differing(now, wanted) == {}
