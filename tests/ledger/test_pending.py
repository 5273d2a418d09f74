"""What a person typed and did not save: kept as typed, told cell by cell, asked for as one write, never lost."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.book import read_book
from ledger.edits import Add, Delete, Edit
from ledger.entries import Book, Draft, Entry
from ledger.pending import (
    FIELDS,
    Field,
    Pending,
    Problem,
    added,
    changes,
    deleted,
    differences,
    draft_of,
    dropped,
    lines,
    problems,
    rebased,
    split,
    texts,
    typed,
)
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)
BOOK: Book = read_book(Workbook(sample_book(TODAY), "Sample.xlsx"))
RENT = next(entry for entry in BOOK.entries if entry.description == "RENT" and entry.date.month == 11)
SALARY = next(entry for entry in BOOK.entries if entry.description == "SALARY" and entry.date.month == 11)
TEA = Draft(TODAY, "Tea", "MONEY", "DEBIT", Decimal(20), "Food")

fields = st.sampled_from([*FIELDS])
entries = st.sampled_from(BOOK.entries)


def test_an_amount_typed_over_is_one_edit_told_before_and_after() -> None:
    pending = typed(Pending(), RENT, {"out": "18,000"})
    (change,) = changes(pending)
    assert isinstance(change, Edit)
    assert change.was == RENT
    assert change.draft.amount == 18_000
    (line,) = lines(pending)
    assert (line.cell, line.what, line.before, line.after) == (RENT.amount_cell, "amount", "₹17,500.00", "₹18,000.00")


def test_the_same_amount_written_otherwise_is_no_change() -> None:
    assert len(typed(Pending(), RENT, {"out": "17500"})) == 0
    assert len(typed(Pending(), RENT, {"out": "₹17,500/-", "description": " RENT "})) == 0


def test_typing_the_old_value_again_takes_the_change_back() -> None:
    pending = typed(typed(Pending(), RENT, {"category": "Food"}), RENT, {"category": "Rent"})
    assert len(pending) == 0


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("out", "12x", "Out reads “12x”, which is not an amount above zero."),
        ("out", "0", "Out reads “0”, which is not an amount above zero."),
        ("out", "1.234", "Out reads “1.234”, which is not an amount above zero."),
        ("out", "", "Out is empty, and so is the other one. Give an amount."),
        ("in", "5", "In is filled beside the other one. Empty one of them."),
        ("description", " ", "Description is empty. Say what it was."),
        ("date", "", "Date has no day. Choose one."),
        ("mode", "", "Mode is empty. Choose one."),
    ],
)
def test_a_cell_that_cannot_be_saved_is_named_by_row_and_column(field: Field, text: str, says: str) -> None:
    pending = typed(Pending(), RENT, {field: text})
    (problem,) = problems(pending)
    assert problem.sentence == f"RENT of 2 Nov ({RENT.cells}): {says}"
    assert changes(pending) == ()
    assert pending.cells_of(RENT) == {field: text.strip()}, "what was typed stays"
    assert lines(pending)


def test_money_typed_into_the_other_column_turns_its_way() -> None:
    draft = draft_of(SALARY, {"in": "", "out": "68,000"})
    assert isinstance(draft, Draft)
    assert draft.direction == "DEBIT"
    (line,) = lines(typed(Pending(), SALARY, {"in": "", "out": "68,000"}))
    assert (line.before, line.after) == ("+₹68,000.00", "−₹68,000.00")


def test_a_row_to_be_deleted_gives_up_what_was_typed_over_it() -> None:
    pending = deleted(typed(Pending(), RENT, {"out": "1"}), [RENT, RENT])
    assert changes(pending) == (Delete(RENT),)


def test_a_split_leaves_the_amount_of_both_together() -> None:
    part = replace(draft_of(RENT, {}), description="Water", amount=Decimal(500), category="Utilities")
    edit, add = changes(split(Pending(), RENT, part))
    assert isinstance(edit, Edit)
    assert isinstance(add, Add)
    assert edit.draft.amount + add.draft.amount == RENT.amount


def test_one_change_can_be_left_out_of_several() -> None:
    pending = added(deleted(typed(Pending(), RENT, {"category": "Food"}), [SALARY]), TEA)
    assert [line.kind for line in lines(pending)] == ["edit", "delete", "add"]
    for line in lines(pending):
        assert len(dropped(pending, line)) == 2
        assert line.kind not in {left.kind for left in lines(dropped(pending, line))}


def test_one_cell_of_a_row_can_be_left_out_and_the_others_stay() -> None:
    pending = typed(Pending(), RENT, {"out": "18,000", "category": "Food", "description": "Flat"})
    amount = next(line for line in lines(pending) if line.what == "amount")
    assert dropped(pending, amount).cells_of(RENT) == {"category": "Food", "description": "Flat"}


@given(entries, st.dictionaries(fields, st.text(max_size=12)))
def test_whatever_is_typed_becomes_a_row_or_a_sentence_and_is_kept(entry: Entry, cells: dict[Field, str]) -> None:
    pending = typed(Pending(), entry, cells)
    assert len(changes(pending)) + len(problems(pending)) == len(pending) <= 1
    for field, text in pending.cells_of(entry).items():
        assert text == cells[field].strip()
    result = draft_of(entry, pending.cells_of(entry))
    assert isinstance(result, Problem) or result.amount > 0
    assert (lines(pending) == ()) == (len(pending) == 0)


@given(entries)
def test_the_cells_of_a_row_typed_as_they_stand_change_nothing(entry: Entry) -> None:
    assert len(typed(Pending(), entry, texts(entry))) == 0


# a book that was changed meanwhile


def without(book: Book, *gone: Entry) -> Book:
    return replace(book, sha256="other", entries=tuple(entry for entry in book.entries if entry not in gone))


def with_(book: Book, was: Entry, now: Entry) -> Book:
    return replace(book, sha256="other", entries=tuple(now if entry == was else entry for entry in book.entries))


def test_changes_of_rows_nobody_touched_still_fit() -> None:
    pending = added(typed(Pending(), RENT, {"out": "18,000"}), TEA)
    result = rebased(pending, without(BOOK, SALARY))
    assert result.pending == pending
    assert result.lost == ()


def test_a_row_that_moved_is_found_by_what_stands_in_it() -> None:
    moved = RENT._replace(row=RENT.row + 1)
    pending = typed(Pending(), RENT, {"out": "18,000"})
    (edit,) = rebased(pending, with_(BOOK, RENT, moved)).pending.edits
    assert edit.was == moved
    assert edit.cells == {"out": "18,000"}


def test_a_row_that_reads_differently_now_is_told_and_its_change_left_out() -> None:
    now = RENT._replace(amount=Decimal(17_000))
    result = rebased(deleted(added(Pending(), TEA), [RENT]), with_(BOOK, RENT, now))
    assert result.pending == added(Pending(), TEA)
    assert [(lost.was, lost.now) for lost in result.lost] == [(RENT, now)]


def test_what_another_program_changed_is_told_as_rows_that_came_and_went() -> None:
    now = RENT._replace(amount=Decimal(17_000))
    found = differences(BOOK, with_(BOOK, RENT, now))
    assert (found.came, found.went) == ((now,), (RENT,))
    assert differences(BOOK, BOOK).came == ()
