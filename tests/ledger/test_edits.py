"""Entries added, edited and deleted in one write: the book holds exactly that, and every balance follows."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from ledger.book import read_book
from ledger.changes import Plan
from ledger.edits import Add, Delete, Edit, EntryChange, NotStanding, draft_of, says_the_same
from ledger.entries import CASH_TRACKER, MODES, MONTHS, Book, BookRefused, Category, Draft, Entry, Mode
from ledger.journal import Facts, JournalLine
from ledger.patch import patch
from ledger.plan import plan_changes
from ledger.reversal import reversed_changes, steps_of
from ledger.template import new_book, sample_book
from ledger.verify import WriteRejected, verify
from ledger.workbook import Workbook

EditBook = Callable[..., bytes]
BUDGET = (
    Category("Food", "PERSONAL", Decimal(5000), essential=False, words=("lunch", "coffee")),
    Category("Rent", "HOME", Decimal(15000), essential=True, words=("rent",)),
    Category("Gifts", "WISHLIST", None, essential=False),
)
OPENINGS: Mapping[Mode, Decimal | None] = {"PHONEPE": Decimal("7670.1"), "WALLET": None, "MONEY": Decimal("0.3")}
COFFEE = Draft(date(2026, 11, 6), "coffee", "PHONEPE", "DEBIT", Decimal("120.25"), "Food")


def reading(data: bytes) -> Book:
    return read_book(Workbook(data, "Budget_2026.xlsx"))


def entry(book: Book, words: str) -> Entry:
    return next(each for each in book.entries if each.description.startswith(words))


def changed(data: bytes, *changes: EntryChange) -> tuple[bytes, Plan]:
    """Plan, patch and verify, and hold what the new book says to what was asked."""
    workbook = Workbook(data, "Budget_2026.xlsx")
    before = read_book(workbook)
    plan = plan_changes(workbook, before, changes)
    after = patch(workbook, plan)
    verify(data, after, plan)
    book = reading(after)
    assert (book.disagreements, book.issues) == ((), ())
    removed = list(plan.removed)
    stay = [each for each in before.entries if each not in removed]
    assert sorted(map(facts, book.entries)) == sorted([*map(facts, stay), *map(facts, plan.drafts)])
    assert book.balances == plan.balances_after == balances(book)
    return after, plan


def facts(row: Entry | Draft) -> tuple[str, ...]:
    draft = draft_of(row) if isinstance(row, Entry) else row
    said = (draft.date, draft.stored_description, draft.mode, draft.direction, f"{draft.amount:.2f}", draft.category)
    return tuple(map(str, said))


def balances(book: Book) -> dict[Mode, Decimal]:
    """Computed here, from nothing but openings and rows."""
    found = {mode: book.openings[mode] or Decimal(0) for mode in MODES}
    for each in book.entries:
        found[each.mode] += each.amount if each.direction == "CREDIT" else -each.amount
    return found


def order(data: bytes, sheet: str = "NOVEMBER") -> list[str]:
    return [each.description for each in reading(data).entries if each.sheet == sheet]


def shown(data: bytes, cell: str) -> object:
    sheet, _, reference = cell.partition("!")
    of = Workbook(data, "Budget_2026.xlsx").sheet(sheet)
    return of.value(of.cells(int(reference[1:])).get(reference[0]))


# where rows stand


def test_a_row_of_an_earlier_day_stands_below_those_of_its_day(small_book: bytes) -> None:
    after, plan = changed(small_book, Add(COFFEE))
    assert order(after) == ["LUNCH [PARTY]", "REFUND OF LUNCH", "COFFEE", "AUTO", "PRESENT"]
    assert plan.rows[0].cells_ref == "NOVEMBER!C8:J8"
    assert shown(after, "NOVEMBER!H8") == Decimal("7424.80")
    assert shown(after, "NOVEMBER!I10") == Decimal("155.50")


def test_colours_move_with_their_rows(small_book: bytes) -> None:
    after, _ = changed(small_book, Add(COFFEE))
    book = Workbook(after, "Budget_2026.xlsx")
    fills = {row: book.fill_of(book.sheet("NOVEMBER").cells(row)["D"].style) for row in range(6, 11)}
    assert fills == {6: "FF70AD47", 7: None, 8: "FF70AD47", 9: None, 10: "FFC00000"}


def test_an_amount_is_edited_in_its_own_cell(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    after, plan = changed(small_book, Edit(lunch, replace(draft_of(lunch), amount=Decimal("19.95"))))
    own = [cell.cell for cell in plan.cells if cell.row == 6 and cell.sheet == "NOVEMBER"]
    assert (own, plan.moves) == (["NOVEMBER!F6"], ())
    assert shown(after, "NOVEMBER!H9") == Decimal("7535.05")
    assert shown(after, "NOVEMBER!L8") == Decimal("7535.05")
    assert plan.budget_left == (("Food", Decimal("4995.05"), Decimal("4985.05")),)


def test_a_new_date_moves_the_row_and_its_neighbours(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    after, plan = changed(small_book, Edit(lunch, replace(draft_of(lunch), date=date(2026, 11, 8))))
    assert order(after) == ["REFUND OF LUNCH", "AUTO", "LUNCH [PARTY]", "PRESENT"]
    assert plan.rows[0].row == 8
    within, plan = changed(small_book, Edit(lunch, replace(draft_of(lunch), date=date(2026, 11, 6))))
    assert (order(within)[0], plan.moves) == ("LUNCH [PARTY]", ())


def test_another_mode_takes_the_row_to_its_sheet_in_one_write(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    after, plan = changed(small_book, Edit(lunch, replace(draft_of(lunch), mode="BANK")))
    assert order(after) == ["REFUND OF LUNCH", "AUTO", "PRESENT"]
    assert plan.rows[0].sheet == CASH_TRACKER
    assert shown(after, "NOVEMBER!H9") is None
    assert plan.balances_after["PHONEPE"] - plan.balances_before["PHONEPE"] == Decimal("9.95")


def test_another_month_takes_the_row_to_its_sheet(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    after, _ = changed(small_book, Edit(lunch, replace(draft_of(lunch), date=date(2026, 10, 2))))
    assert order(after, "OCTOBER") == ["LUNCH [PARTY]", "COFFEE"]
    later, plan = changed(small_book, Edit(lunch, replace(draft_of(lunch), date=date(2026, 12, 2))))
    assert (order(later, "DECEMBER"), plan.new_sheets[0].name) == (["LUNCH [PARTY]"], "DECEMBER")


def test_a_deleted_row_leaves_the_last_one_blank_for_the_next(small_book: bytes) -> None:
    auto = entry(reading(small_book), "AUTO")
    after, plan = changed(small_book, Delete(auto))
    assert order(after) == ["LUNCH [PARTY]", "REFUND OF LUNCH", "PRESENT"]
    assert [shown(after, f"NOVEMBER!{column}9") for column in "CDEFGHIJ"] == [None] * 8
    assert plan.balances_after["WALLET"] - plan.balances_before["WALLET"] == Decimal("45.50")
    again, plan = changed(after, Add(replace(COFFEE, date=date(2026, 11, 30))))
    assert plan.rows[0].row == 9
    assert shown(again, "NOVEMBER!I9") == Decimal("201.00")


def test_a_range_to_the_blank_row_takes_in_all_that_come_after(small_book: bytes, edit: EditBook) -> None:
    summed = edit(small_book, {"BUDGET!L6": "v:SUM(NOVEMBER!F6:F9)|154.45"})
    after, _ = changed(summed, Delete(entry(reading(summed), "AUTO")))
    late = replace(COFFEE, date=date(2026, 11, 30))
    again, _ = changed(after, Add(late), Add(replace(late, description="tea")))
    assert Workbook(again, "Budget_2026.xlsx").sheet("BUDGET").cells(6)["L"].formula == "SUM(NOVEMBER!F6:F10)"


def test_everything_at_once(small_book: bytes) -> None:
    book = reading(small_book)
    lunch, auto, rent = entry(book, "LUNCH"), entry(book, "AUTO"), entry(book, "RENT")
    after, plan = changed(
        small_book,
        Edit(lunch, replace(draft_of(lunch), amount=Decimal(50), category="Gifts")),
        Delete(auto),
        Add(COFFEE),
        Edit(rent, replace(draft_of(rent), mode="MONEY", amount=Decimal(1500))),
        Add(replace(COFFEE, date=date(2026, 10, 2), mode="WALLET")),
    )
    assert [row.item for row in plan.rows] == [1, 3, 4, 5]
    assert order(after) == ["LUNCH [PARTY]", "REFUND OF LUNCH", "COFFEE", "PRESENT"]


# what is refused


def test_an_entry_that_reads_otherwise_now_is_not_changed(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    other = lunch._replace(amount=Decimal(10))
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    with pytest.raises(NotStanding, match=r"no longer reads LUNCH \[PARTY\] ₹10.00 of 5 Nov: in its row stands LUNCH"):
        plan_changes(workbook, read_book(workbook), [Delete(other)])


def test_an_edit_that_changes_nothing_is_refused(small_book: bytes) -> None:
    lunch = entry(reading(small_book), "LUNCH")
    with pytest.raises(BookRefused, match="that is what the book says already"):
        changed(small_book, Edit(lunch, draft_of(lunch)))


def test_an_edit_that_changes_nothing_beside_others_is_no_hindrance(small_book: bytes) -> None:
    book = reading(small_book)
    coffee, rent = entry(book, "COFFEE"), entry(book, "RENT")
    _, plan = changed(small_book, Edit(coffee, draft_of(coffee)), Delete(rent))
    assert [row.cells_ref for row in plan.rows] == ["OCTOBER!C6:J6"]


def test_a_cell_whose_formula_others_share_is_not_written_over(small_book: bytes) -> None:
    book = Workbook(small_book, "Budget_2026.xlsx")
    part = book.sheet("NOVEMBER").part
    shared = re.sub(
        rb'(<c r="F6"[^>]*>)<v>', rb'\1<f t="shared" ref="F6:F9" si="7">4.95+5</f><v>', book.part(part), count=1
    )
    data = book.rebuilt({part: shared})
    lunch = entry(reading(data), "LUNCH")
    with pytest.raises(BookRefused, match="NOVEMBER!F6 has its formula in common with other cells"):
        changed(data, Edit(lunch, replace(draft_of(lunch), amount=Decimal(4))))


def test_an_entry_that_only_moved_is_found_again(small_book: bytes) -> None:
    auto = entry(reading(small_book), "AUTO")
    after, _ = changed(small_book, Add(COFFEE))
    assert order(changed(after, Delete(auto))[0]) == ["LUNCH [PARTY]", "REFUND OF LUNCH", "COFFEE", "PRESENT"]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"NOVEMBER!P9": "t:note"}, "NOVEMBER!P9 stands beside"),
        ({"BUDGET!L6": "v:NOVEMBER!F9*2|198"}, "BUDGET!L6 refers to some"),
        ({"BUDGET!L6": "v:SUM(NOVEMBER!F6:F8)|55"}, "BUDGET!L6 refers to some"),
        ({"NOVEMBER!F9": "v:F6*2+79.1|99"}, "NOVEMBER!F9 is a formula over other cells"),
        ({"NOVEMBER!H9": "v:H8|7545.05"}, "the running balance NOVEMBER!H9 is written in another way"),
    ],
)
def test_what_is_tied_to_a_row_keeps_it_in_place(
    cells: Mapping[str, str], reason: str, small_book: bytes, edit: EditBook
) -> None:
    data = edit(small_book, cells)
    with pytest.raises(BookRefused, match=reason):
        changed(data, Delete(entry(reading(data), "REFUND")))
    workbook = Workbook(data, "Budget_2026.xlsx")
    plan = plan_changes(workbook, read_book(workbook), [Add(COFFEE)])
    assert (plan.rows[0].row, plan.moves) == (10, ())
    assert reason in plan.notes[0]


@pytest.mark.parametrize("formula", ["SUM(NOVEMBER!F6:F9)", "SUM(NOVEMBER!F:F)", "NOVEMBER!F6", "SUM(NOVEMBER!F4:F50)"])
def test_a_formula_over_all_or_none_of_the_rows_is_no_obstacle(formula: str, small_book: bytes, edit: EditBook) -> None:
    data = edit(small_book, {"BUDGET!L6": f"v:{formula}|1"})
    assert order(changed(data, Add(COFFEE))[0])[2] == "COFFEE"


# whatever is changed


def rows(year_months: Sequence[int] = (10, 11, 12)) -> st.SearchStrategy[Draft]:
    return st.builds(
        Draft,
        st.dates(date(2026, year_months[0], 1), date(2026, year_months[-1], 28)),
        st.sampled_from(("tea", "bus", "gift [PARTY]", "<b> & co", "rent")),
        st.sampled_from(MODES),
        st.sampled_from(("DEBIT", "CREDIT")),
        st.integers(1, 10**6).map(lambda paise: Decimal(paise) / 100),
        st.sampled_from(("Food", "Rent", "Gifts", None)),
    )


@given(data=st.data(), first=st.lists(rows((10, 11)), max_size=8))
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_any_changes_to_any_book_leave_exactly_what_was_asked(data: st.DataObject, first: list[Draft]) -> None:
    book = new_book(2026, BUDGET, OPENINGS, date(2026, 10, 1), {}, sorted(first, key=lambda d: d.date), 10)
    for _ in range(data.draw(st.integers(1, 3))):
        entries = reading(book).entries
        picked = data.draw(st.lists(st.sampled_from(entries), unique=True, max_size=3)) if entries else []
        changes: list[EntryChange] = [
            Delete(each) if data.draw(st.booleans()) else Edit(each, data.draw(rows())) for each in picked
        ]
        changes += [Add(draft) for draft in data.draw(st.lists(rows(), min_size=not changes, max_size=3))]
        assume(any(isinstance(c, Add | Delete) or not says_the_same(c.was, c.draft) for c in changes))
        book, _ = changed(book, *changes)
        for sheet in (*MONTHS, CASH_TRACKER):
            days = [each.date for each in reading(book).entries if each.sheet == sheet]
            assert days == sorted(days)


@pytest.mark.office
def test_libreoffice_finds_every_formula_at_its_value_after_any_change(
    small_book: bytes,
    recalculated: Callable[[Mapping[str, bytes]], Mapping[str, Mapping[str, object]]],
    stale_formulas: Callable[[bytes, Mapping[str, object]], list[str]],
) -> None:
    book = reading(small_book)
    lunch, auto, rent = entry(book, "LUNCH"), entry(book, "AUTO"), entry(book, "RENT")
    sample = sample_book(date(2026, 11, 28))
    own = reading(sample).entries
    early = Draft(date(2026, 9, 3), "forgotten", "PHONEPE", "DEBIT", Decimal("12.34"), own[0].category)
    books = {
        "back": changed(small_book, Add(COFFEE), Add(replace(COFFEE, date=date(2026, 10, 2))))[0],
        "moved": changed(small_book, Edit(lunch, replace(draft_of(lunch), date=date(2026, 11, 8))))[0],
        "deleted": changed(small_book, Delete(auto), Delete(rent))[0],
        "mode": changed(small_book, Edit(lunch, replace(draft_of(lunch), mode="BANK")))[0],
        "sample": changed(sample, Add(early), Delete(own[3]), Delete(own[-4]))[0],
    }
    fresh = recalculated(books)
    assert {name: stale_formulas(data, fresh[name]) for name, data in books.items()} == {name: [] for name in books}


# what the check before saving rejects


def test_a_plan_that_loses_doubles_or_mixes_up_rows_is_rejected_with_its_own_bytes(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    book = read_book(workbook)
    plan = plan_changes(workbook, book, [Add(COFFEE)])
    (moves,) = plan.moves
    wrong: list[tuple[Plan, str]] = [
        (replace(plan, moves=(replace(moves, origins=(None, 8, 8)),)), "would stand twice"),
        (replace(plan, moves=(replace(moves, origins=(None, 8, None)),)), "row 9 of NOVEMBER would be lost"),
        (replace(plan, moves=(replace(moves, origins=(None, 8, 7)),)), "comes from outside"),
        (replace(plan, moves=(replace(moves, origins=(None, 9, 8)),)), "does not follow the row above"),
        (replace(plan, moves=(replace(moves, columns=("D", "E", "F", "G", "J")),)), "other columns of NOVEMBER move"),
        (replace(plan, changes=(Add(COFFEE), Delete(entry(book, "AUTO")))), "does not move by the rows"),
    ]
    for each, reason in wrong:
        with pytest.raises(WriteRejected, match=reason):
            verify(small_book, patch(workbook, each), each)


def test_an_edit_of_another_row_than_was_asked_is_rejected(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    book = read_book(workbook)
    lunch, refund = entry(book, "LUNCH"), entry(book, "REFUND")
    plan = plan_changes(workbook, book, [Edit(lunch, replace(draft_of(lunch), description="dinner [PARTY]"))])
    other = replace(plan, changes=(Edit(refund._replace(row=6), plan.drafts[0]),))
    with pytest.raises(WriteRejected):
        verify(small_book, patch(workbook, other), other)
    misplaced = replace(plan, changes=(Edit(lunch._replace(row=7), plan.drafts[0]),))
    with pytest.raises(WriteRejected, match="does not stand where its entry goes"):
        verify(small_book, patch(workbook, misplaced), misplaced)


def test_a_deletion_that_leaves_the_row_or_takes_another_is_rejected(small_book: bytes) -> None:
    workbook = Workbook(small_book, "Budget_2026.xlsx")
    book = read_book(workbook)
    auto, refund = entry(book, "AUTO"), entry(book, "REFUND")
    plan = plan_changes(workbook, book, [Delete(auto)])
    (moves,) = plan.moves
    twin = auto._replace(row=refund.row)
    wrong = replace(plan, changes=(Delete(twin),), moves=(replace(moves, first=7, origins=(8, 9, None)),))
    with pytest.raises(WriteRejected):
        verify(small_book, patch(workbook, wrong), wrong)
    kept = replace(plan, moves=(replace(moves, origins=(8, 9)),))
    with pytest.raises(WriteRejected):
        verify(small_book, patch(workbook, kept), kept)


# taking back


def cells(data: bytes) -> dict[str, tuple[object, object, object]]:
    """Every cell that holds something: its value, formula and fill; amounts without the zeros at their ends."""
    book = Workbook(data, "Budget_2026.xlsx")
    found = {}
    for ref in book.sheets:
        sheet = book.sheet(ref.name)
        for row, line in sheet.iterate():
            for column, cell in line.items():
                value = sheet.value(cell)
                if value is not None or cell.formula is not None:
                    shown = value.normalize() if isinstance(value, Decimal) else value
                    found[f"{ref.name}!{column}{row}"] = (shown, cell.formula, book.fill_of(cell.style))
    return found


@given(data=st.data(), first=st.lists(rows((10, 11)), max_size=8))
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # the drawn books are small; shrinking them takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_whatever_was_written_is_taken_back_cell_by_cell(data: st.DataObject, first: list[Draft]) -> None:
    days = sorted(first, key=lambda d: d.date)
    start = Draft(date(2026, 11, 1), "start", "WALLET", "CREDIT", Decimal(1))
    book = new_book(2026, BUDGET, OPENINGS, date(2026, 10, 1), {}, [*days, start], 10)
    entries = reading(book).entries
    picked = data.draw(st.lists(st.sampled_from(entries), unique=True, max_size=3))
    changes: list[EntryChange] = [
        Delete(each) if data.draw(st.booleans()) else Edit(each, data.draw(rows((10, 11)))) for each in picked
    ]
    changes += [Add(draft) for draft in data.draw(st.lists(rows((10, 11)), min_size=not changes, max_size=3))]
    assume(any(isinstance(c, Add | Delete) or not says_the_same(c.was, c.draft) for c in changes))
    after, plan = changed(book, *changes)
    line = JournalLine("r", "", "asha", datetime(2026, 11, 30), "", "", Facts("write", "", steps=steps_of(plan)))
    again, _ = changed(after, *reversed_changes(line))
    assert sorted(map(facts, reading(again).entries)) == sorted(map(facts, entries))
    distinct = len({each.date for each in (*entries, *plan.drafts)}) == len(entries) + len(plan.drafts)
    if distinct:  # rows of one day may stand in another order among themselves
        assert cells(again) == cells(book)


@pytest.mark.parametrize("sparse", [True, False])
def test_a_book_of_plain_number_balances_keeps_plain_numbers(sparse: bool, small_book: bytes, edit: EditBook) -> None:
    numbers = {"H": ("7660.15", "7665.15", "7665.15", "7665.15"), "I": ("300", "300", "254.5", "155.5")}
    own = {"H": (True, True, False, False), "I": (False, False, True, True)}
    plain = {
        f"NOVEMBER!{column}{row}": f"n:{shown[row - 6]}" if own[column][row - 6] or not sparse else ""
        for column, shown in numbers.items()
        for row in range(6, 10)
    }
    before = shown(small_book, "NOVEMBER!H6")
    assert before == Decimal("7540.05")
    plain |= {
        place: f"n:{Decimal(content[2:]) - Decimal('120.1')}"
        for place, content in plain.items()
        if place[9] == "H" and content
    }
    data = edit(small_book, plain)
    lunch = entry(reading(data), "LUNCH")
    for changes in ([Add(COFFEE)], [Delete(lunch)], [Edit(lunch, replace(draft_of(lunch), date=date(2026, 11, 8)))]):
        after, _ = changed(data, *changes)
        of = Workbook(after, "Budget_2026.xlsx").sheet("NOVEMBER")
        assert all(
            cell.formula is None for row in range(6, 11) for cell in of.cells(row).values() if cell.column in "HI"
        )


COMMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"


def test_a_comment_or_a_link_keeps_its_row_in_place(small_book: bytes) -> None:
    book = Workbook(small_book, "Budget_2026.xlsx")
    part = book.sheet("NOVEMBER").part
    relations = part.replace("worksheets/", "worksheets/_rels/") + ".rels"
    commented = book.rebuilt(
        {
            relations: book.part(relations).replace(
                b"</Relationships>",
                f'<Relationship Id="rId8" Type="{COMMENT}" Target="../comments1.xml"/></Relationships>'.encode(),
            )
        },
        {"xl/comments1.xml": b'<comments xmlns="m"><commentList><comment ref="D8"/></commentList></comments>'},
    )
    linked = book.rebuilt(
        {part: book.part(part).replace(b"<pageMargins", b'<hyperlinks><hyperlink ref="D8"/></hyperlinks><pageMargins')}
    )
    for data, what in ((commented, "a comment"), (linked, "a link")):
        workbook = Workbook(data, "Budget_2026.xlsx")
        plan = plan_changes(workbook, read_book(workbook), [Add(COFFEE)])
        assert plan.moves == ()
        assert f"because NOVEMBER!D8 has {what}, which would not move with its row" in plan.notes[0]
