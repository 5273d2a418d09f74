"""Any book survives: whatever else stands in it is as it was after every write, and every figure follows.

A book of each kind (tests.ledger.corpus), and the same as LibreOffice saves it, takes a row below the last one, an
earlier row, an edit and a deletion; each is undone. Where one cannot be made, the refusal names the cell.
"""

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree

from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, draft_of
from ledger.entries import CASH_TRACKER, Book, BookRefused, Draft, Entry
from ledger.store import BookStore
from ledger.workbook import Workbook
from tests.ledger.conftest import BUDGET, DRAFTS, LISTS, OPENINGS
from tests.ledger.corpus import MAIN, TOTALS, WORKBOOKS, Case, Parts, altered, corpus

NOON = datetime(2026, 11, 30, 12)
TEA = Draft(date(2026, 11, 30), "tea", "PHONEPE", "DEBIT", Decimal("10.55"), "Food")
BUS = Draft(date(2026, 11, 30), "bus", "BANK", "DEBIT", Decimal("12.5"))
ARGUMENTS: Mapping[str, Any] = {
    "year": 2026,
    "budget": BUDGET,
    "openings": OPENINGS,
    "opening_date": date(2026, 10, 1),
    "lists": LISTS,
    "drafts": DRAFTS,
    "first_month": 10,
}
BOOKS = corpus(**ARGUMENTS)
SAVED_BY_LIBREOFFICE = ("charts", "things", "lists")
WHOLE = ("everything", "lists")
"""of these LibreOffice calculates every write, of the others one each, the kinds in turn"""


def _entry(book: Book, words: str) -> Entry:
    return next(each for each in book.entries if each.description.startswith(words))


def _edits(book: Book) -> list[EntryChange]:
    lunch, rent = _entry(book, "LUNCH"), _entry(book, "RENT")
    return [
        Edit(lunch, replace(draft_of(lunch), amount=Decimal("20.45"), date=date(2026, 11, 8))),
        Edit(rent, replace(draft_of(rent), amount=Decimal(15100))),
    ]


WRITES: Mapping[str, Callable[[Book], list[EntryChange]]] = {
    "append": lambda _: [Add(TEA), Add(BUS)],
    "earlier": lambda _: [Add(replace(TEA, date=date(2026, 11, 6))), Add(replace(BUS, date=date(2026, 11, 2)))],
    "edit": _edits,
    "month": lambda _: [Add(replace(TEA, date=date(2026, 12, 1)))],
    "delete": lambda book: [Delete(_entry(book, "LUNCH")), Delete(_entry(book, "RENT"))],
}


LARGE = ("merges", "formatted")
"""written to in two ways only, for the time other readers take over them"""


@dataclass(frozen=True)
class Written:
    """A write that was made in a book of the corpus and undone."""

    before: bytes
    after: bytes
    plan: Plan
    entries: tuple[Entry, ...]
    """as the book has them after the write"""


def written(case: Case, kind: str, folder: Path) -> Written | str:
    """The write made and undone, or the sentence that refuses it; the file is as it was either way."""
    path = folder / f"Budget_2026{case.suffix}"
    path.write_bytes(case.data)
    store = BookStore(path, folder / "home", lambda: NOON)
    try:
        changes = WRITES[kind](store.read().book)
        plan = store.preview(changes)
        store.change(changes, request=kind, who="asha")
    except BookRefused as refused:
        assert path.read_bytes() == case.data
        return str(refused)
    after, entries = path.read_bytes(), store.read().book.entries
    store.undo(request=f"undo {kind}", who="asha")
    assert path.read_bytes() == case.data
    return Written(case.data, after, plan, entries)


def members(data: bytes) -> dict[str, bytes]:
    """The compressed bytes of every member, from the file itself."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
            start = info.header_offset + 30 + name + extra
            found[info.filename] = data[start : start + info.compress_size]
    return found


def planned_parts(data: bytes, plan: Plan) -> set[str]:
    """The parts a plan names."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    names = {each.sheet for each in (*plan.cells, *plan.shifts, *plan.moves)}
    parts = {ref.part for ref in workbook.sheets if ref.name in names} | {each.part for each in plan.ranges}
    parts |= {workbook.workbook_part} | ({"xl/styles.xml"} if plan.styles else set())
    parts |= {copy for sheet in plan.new_sheets for _, copy in sheet.parts}
    parts |= {re.sub(r"([^/]+)$", r"_rels/\1.rels", copy) for sheet in plan.new_sheets for _, copy in sheet.parts}
    if plan.dropped or plan.new_sheets:
        parts |= {*plan.dropped, "[Content_Types].xml", "xl/_rels/workbook.xml.rels"}
    return parts


def planned_cells(plan: Plan) -> set[str]:
    """The cells a plan names, `NOVEMBER!H6`."""
    found = {f"{each.sheet}!{each.column}{each.row}" for each in plan.cells}
    found |= {f"{sheet.name}!{each.column}{each.row}" for sheet in plan.new_sheets for each in sheet.cells}
    for shift in plan.shifts:
        found |= {f"{shift.sheet}!{shift.column}{row}" for row in range(shift.first, shift.last + 1)}
    for moves in plan.moves:
        found |= {f"{moves.sheet}!{column}{row}" for row in moves.changed() for column in moves.columns}
    return found


@lru_cache(maxsize=4)
def cells(data: bytes) -> dict[str, bytes]:
    """Every cell of every sheet in its canonical form, by lxml."""
    found = {}
    workbook = Workbook(data, "Budget_2026.xlsx")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for ref in workbook.sheets:
            for cell in etree.fromstring(archive.read(ref.part)).iterfind(
                f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c"
            ):
                found[f"{ref.name}!{cell.get('r')}"] = etree.tostring(cell, method="c14n", with_tail=False)
    return found


@lru_cache(maxsize=4)
def seen(data: bytes) -> dict[str, tuple[object, ...]]:
    """Every cell as openpyxl sees it: its value or formula, number format and fill."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data), rich_text=True)
    return {
        f"{sheet.title}!{cell.coordinate}": (str(getattr(cell.value, "text", cell.value)), cell.number_format, fill)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
        for fill in [cell.fill.fgColor.rgb if cell.fill.patternType else None]
    }


def outside(data: bytes, part: str) -> list[str]:
    """The elements of a sheet outside its rows, in order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = etree.fromstring(archive.read(part))
    return [str(each.tag) for child in root if child.tag != f"{{{MAIN}}}sheetData" for each in child.iter()]


def figures(entries: tuple[Entry, ...]) -> dict[str, float]:
    """What the totals of SUMMARY are, from the entries alone."""

    def total(sheet: str, direction: str) -> float:
        return float(sum(e.amount for e in entries if (e.sheet, e.direction) == (sheet, direction)))

    november = [each for each in entries if each.sheet == "NOVEMBER"]
    bank = sum(e.amount if e.direction == "CREDIT" else -e.amount for e in entries if e.mode == "BANK")
    return {
        "debits of november": total("NOVEMBER", "DEBIT"),
        "credits of november": total("NOVEMBER", "CREDIT"),
        "debits of the column": total("NOVEMBER", "DEBIT"),
        "rows of november": len(november),
        "food": float(sum(e.amount for e in november if e.category == "Food" and e.direction == "DEBIT")),
        "debits of cash": total(CASH_TRACKER, "DEBIT"),
        "credits of cash": total(CASH_TRACKER, "CREDIT"),
        "bank": float(OPENINGS["BANK"] + bank),
    }


@pytest.fixture(scope="module")
def writes(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], Written | str]:
    return {
        (name, kind): written(case, kind, tmp_path_factory.mktemp("book"))
        for name, case in BOOKS.items()
        for kind in (WRITES if name not in LARGE else ("earlier", "delete"))
    }


def test_every_write_is_made_and_undone_or_refused_with_its_cell(
    writes: Mapping[tuple[str, str], Written | str],
) -> None:
    refused = {key: said for key, said in writes.items() if isinstance(said, str)}
    expected = {(name, kind): words for name, case in BOOKS.items() for kind, words in case.refused.items()}
    assert refused.keys() == expected.keys()
    assert [key for key, words in expected.items() if words not in refused[key]] == []


@pytest.mark.parametrize("name", BOOKS)
def test_all_that_is_not_in_the_plan_is_the_same_bytes_and_the_same_cells(
    name: str, writes: Mapping[tuple[str, str], Written | str]
) -> None:
    for kind in WRITES:
        if isinstance(result := writes.get((name, kind)), Written):
            _hold(result)


def _hold(result: Written) -> None:
    old, new = members(result.before), members(result.after)
    allowed = planned_parts(result.before, result.plan)
    assert {part for part in old.keys() | new.keys() if old.get(part) != new.get(part)} <= allowed
    assert [part for part in old if part in new] == [part for part in new if part in old]
    mine = planned_cells(result.plan)
    for reading in (cells, seen):
        was, now = reading(result.before), reading(result.after)
        differing = {cell for cell in was.keys() | now.keys() if was.get(cell) != now.get(cell)}
        assert differing - mine == set()
    for part in allowed & old.keys() & new.keys():
        if part.startswith("xl/worksheets/sheet"):
            assert outside(result.before, part) == outside(result.after, part)


def _in_place(book: Book) -> list[EntryChange]:
    lunch, rent = _entry(book, "LUNCH"), _entry(book, "RENT")
    return [
        Edit(lunch, replace(draft_of(lunch), amount=Decimal("20.45"))),
        Edit(rent, replace(draft_of(rent), amount=Decimal(15100))),
    ]


@pytest.mark.parametrize("name", [name for name in BOOKS if name not in LARGE])
def test_an_earlier_write_is_undone_and_all_else_is_as_though_it_had_never_been(name: str, tmp_path: Path) -> None:
    case, later = BOOKS[name], [Add(replace(TEA, date=date(2026, 10, 31), mode="WALLET"))]
    folders = {each: tmp_path / each for each in ("alone", "first", "second")}
    stores = {}
    for each, folder in folders.items():
        folder.mkdir()
        path = folder / f"Budget_2026{case.suffix}"
        path.write_bytes(case.data)
        stores[each] = BookStore(path, folder / "home", lambda: NOON)
    stores["alone"].change(later, request="b", who="asha")
    wanted, entries = stores["alone"].path.read_bytes(), stores["alone"].read().book.entries
    for each, changes in (("first", _in_place), ("second", WRITES["earlier"])):
        store = stores[each]
        plan = store.preview(changes(store.read().book))
        store.change(changes(store.read().book), request="a", who="asha")
        store.change(later, request="b", who="asha")
        store.undo(request="u", who="asha", write="a")
        now = store.path.read_bytes()
        assert store.read().book.entries == entries
        assert not store.read().book.differences
        was, seen_now = seen(wanted), seen(now)
        differing = {cell for cell in was.keys() | seen_now.keys() if was.get(cell) != seen_now.get(cell)}
        # ranges that were extended for a row stay so, over the blank one it leaves
        assert differing <= (set() if each == "first" else planned_cells(plan))
        old, new = members(wanted), members(now)
        assert {part for part in old.keys() | new.keys() if old.get(part) != new.get(part)} <= planned_parts(
            case.data, plan
        ) | planned_parts(case.data, stores["alone"].preview(later))


def _by_libreoffice(
    books: Mapping[str, bytes], saved: Callable[[Mapping[str, bytes]], Mapping[str, bytes]], values: Callable[..., Any]
) -> Mapping[str, Mapping[str, object]]:
    return {name: values(data) for name, data in saved(books).items()}


def _compare(
    results: Mapping[str, Written],
    fresh: Mapping[str, Mapping[str, object]],
    before: Mapping[str, Mapping[str, object]],
    stale: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    for name, result in results.items():
        now, was = fresh[name], before[name.partition("|")[0]]
        own = [f"SUMMARY!B{row}" for row in range(1, len(TOTALS) + 1)]
        totals = dict(zip(TOTALS, (now.get(cell, 0) for cell in own), strict=True))
        assert totals == pytest.approx(figures(result.entries)), name
        mine = {*planned_cells(result.plan), *own}
        others = [cell for cell in was.keys() | now.keys() if cell not in mine and not _follows(cell)]
        others = [cell for cell in others if not re.fullmatch(r"SUMMARY![AB]4\d", cell)]  # the pivot table's own
        assert [cell for cell in others if was.get(cell) != now.get(cell)] == [], name
        assert [said for said in stale(result.after, now) if _follows(said)] == [], name


def _follows(cell: str) -> bool:
    """Whether a cell is of a sheet whose formulas may follow the rows."""
    return cell.startswith(("OCTOBER!", "NOVEMBER!", "DECEMBER!", "CASH TRACKER!", "TERMINOLOGY!"))


@pytest.mark.office
@pytest.mark.filterwarnings("ignore:.*extension is not supported", "ignore:Print area cannot be set")
def test_libreoffice_finds_every_old_formula_at_its_value_and_every_total_moved(
    writes: Mapping[tuple[str, str], Written | str],
    saved_by_libreoffice: Callable[[Mapping[str, bytes]], Mapping[str, bytes]],
    cell_values: Callable[[bytes], Mapping[str, object]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    opened = {name: case.data for name, case in BOOKS.items() if case.office}
    turns = {(name, [*WRITES][number % 5]) for number, name in enumerate(opened)}
    pairs = {key: each for key, each in writes.items() if key in turns or key[0] in WHOLE}
    results = {f"{name}|{kind}": each for (name, kind), each in pairs.items() if isinstance(each, Written)}
    books = {**opened, **{name: each.after for name, each in results.items()}}
    fresh = _by_libreoffice(books, saved_by_libreoffice, cell_values)
    _compare(results, fresh, fresh, stale_formulas)


@pytest.mark.office
@pytest.mark.filterwarnings("ignore:.*extension is not supported", "ignore:Print area cannot be set")
def test_a_book_libreoffice_saved_is_written_like_any_other(
    tmp_path_factory: pytest.TempPathFactory,
    saved_by_libreoffice: Callable[[Mapping[str, bytes]], Mapping[str, bytes]],
    cell_values: Callable[[bytes], Mapping[str, object]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    saved = saved_by_libreoffice({name: BOOKS[name].data for name in SAVED_BY_LIBREOFFICE})
    results: dict[str, Written] = {}
    for name, data in saved.items():
        for kind in WRITES:
            result = written(Case(data), kind, tmp_path_factory.mktemp("saved"))
            assert isinstance(result, Written), (name, kind, result)
            _hold(result)
            results[f"{name}|{kind}"] = result
    books = {**saved, **{name: each.after for name, each in results.items()}}
    fresh = _by_libreoffice(books, saved_by_libreoffice, cell_values)
    _compare(results, fresh, fresh, stale_formulas)


def test_a_month_is_begun_without_the_table_and_the_controls_of_the_one_before(
    writes: Mapping[tuple[str, str], Written | str],
) -> None:
    for name, what in (("table", "an Excel table"), ("controls", "controls and an embedded object")):
        result = writes[name, "month"]
        assert isinstance(result, Written)
        assert f"November has {what}; the sheet DECEMBER is begun without." in result.plan.notes
        part = next(copy for sheet in result.plan.new_sheets for _, copy in sheet.parts)
        with zipfile.ZipFile(io.BytesIO(result.after)) as archive:
            assert not re.search(rb"<(?:tableParts|controls|oleObjects|legacyDrawing)", archive.read(part))


def test_a_month_whose_formulas_need_the_old_table_is_refused_with_the_cell(tmp_path: Path) -> None:
    def over_table(parts: Parts) -> None:
        parts.cell("NOVEMBER", "M7", "|<f>SUM(Rows[Debit])</f><v>0</v>")

    said = written(Case(altered(BOOKS["table"].data, over_table)), "month", tmp_path)
    assert "NOVEMBER!M7 refers to that table (=SUM(Rows[Debit]))" in str(said)


# files of other programs


@pytest.mark.parametrize("path", sorted(WORKBOOKS.glob("*.xlsx")), ids=lambda path: path.stem)
def test_a_public_workbook_is_read_or_refused_and_never_changed(path: Path, tmp_path: Path) -> None:
    own = tmp_path / path.name
    own.write_bytes(path.read_bytes())
    store = BookStore(own, tmp_path / "home", lambda: NOON)
    for call in (store.read, lambda: store.write([TEA], request="r", who="asha")):
        with pytest.raises(BookRefused) as refused:
            call()
        assert re.search(r"[A-Z].*\.$", str(refused.value), re.DOTALL)
    assert own.read_bytes() == path.read_bytes()
