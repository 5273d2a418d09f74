"""Rows that stand in the book are changed and deleted in conversation: shown first, written on a yes, taken back."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from agent import Workbench
from agent.turn import Turn, turn_from_json
from ledger.entries import Entry
from ledger.store import BookStore


def store_of(bench: Workbench) -> BookStore:
    store = bench.book()
    assert store is not None
    return store


def rows(bench: Workbench, description: str) -> list[Entry]:
    return [entry for entry in store_of(bench).read().book.entries if entry.description == description]


def say(bench: Workbench, *messages: str, thread: str = "t") -> Turn:
    return [bench.ask(message, thread) for message in messages][-1]


def test_what_was_just_written_is_changed_on_a_yes_and_one_undo_takes_it_back(workbench: Workbench, book: Path) -> None:
    say(workbench, "spent 500 on tea cash", "yes")
    written = book.read_bytes()
    card = say(workbench, "that was 600, not 500")
    assert card.state == "awaiting_confirmation"
    (item,) = card.batch
    assert item.was is not None
    assert (item.action, item.was.amount, item.amount, item.mode) == ("edit", Decimal(500), Decimal(600), "MONEY")
    assert [(change.label, change.before - change.after) for change in card.changes] == [
        ("Cash", Decimal(100)),
        ("Left for Food", Decimal(100)),
    ]
    assert book.read_bytes() == written
    saved = say(workbench, "yes")
    assert [entry.amount for entry in rows(workbench, "TEA")] == [Decimal(600)]
    assert len(saved.written) == 1
    assert saved.reply.startswith("Changed:")
    sources = {figure.text: figure.source for figure in saved.figures}
    assert sources["₹600.00"].cells == ("'CASH TRACKER'!F40",)
    assert sources["₹500.00"].kind == "calculation"
    say(workbench, "undo")
    assert book.read_bytes() == written


def test_a_row_named_by_its_day_moves_to_another_mode_with_both_balances(workbench: Workbench) -> None:
    card = say(workbench, "the petrol of 9 Nov was cash")
    assert {change.label: change.after - change.before for change in card.changes} == {
        "PhonePe": Decimal(2100),
        "Cash": Decimal(-2100),
    }
    say(workbench, "yes")
    assert [entry.mode for entry in rows(workbench, "PETROL") if entry.date == date(2026, 11, 9)] == ["MONEY"]


def test_a_row_is_deleted_only_on_a_yes(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    card = say(workbench, "delete the concert")
    assert card.reply.startswith("Delete this entry?")
    assert card.batch[0].action == "delete"
    assert say(workbench, "delete it").state == "awaiting_confirmation"
    assert say(workbench, "make it 600").batch == card.batch
    assert say(workbench, "hmm").state == "awaiting_confirmation"
    assert book.read_bytes() == before
    assert say(workbench, "yes, delete it").reply.startswith("Deleted:")
    assert rows(workbench, "CONCERT") == []
    say(workbench, "undo")
    assert book.read_bytes() == before


def test_a_card_that_deletes_is_dropped_by_a_no(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    assert say(workbench, "delete the concert", "no").state == "idle"
    assert "Nothing is waiting" in say(workbench, "yes").reply
    assert book.read_bytes() == before


@pytest.mark.parametrize("reply", ["2", "the second one", "the one of 9 oct", "2. Petrol ₹2,000.00, 9 Oct, PhonePe"])
def test_of_several_rows_one_is_chosen_by_number_or_words(workbench: Workbench, reply: str) -> None:
    asked = say(workbench, "delete the petrol")
    assert asked.state == "awaiting_answer"
    assert asked.asked is not None
    assert asked.asked.field == "entry"
    assert [option[:9] for option in asked.options] == ["1. Petrol", "2. Petrol", "3. Petrol"]
    card = say(workbench, reply)
    assert [item.date for item in card.batch] == [date(2026, 10, 9)]


def test_a_question_which_row_ends_with_a_cancel_and_with_three_useless_answers(
    workbench: Workbench, book: Path
) -> None:
    before = book.read_bytes()
    assert say(workbench, "delete the petrol", "cancel").state == "idle"
    assert say(workbench, "delete the petrol", "qwerty").state == "awaiting_answer"
    assert "Nothing was changed" in say(workbench, "zxcvb", "asdfg").reply
    assert say(workbench, "2").batch == ()
    assert book.read_bytes() == before


def test_a_question_which_row_gives_way_to_another_request(workbench: Workbench) -> None:
    card = say(workbench, "delete the petrol", "spent 40 on buns cash")
    assert [(item.action, item.description) for item in card.batch] == [("add", "BUNS")]


def test_both_rows_of_a_move_between_own_modes_go_together(workbench: Workbench) -> None:
    card = say(workbench, "delete the atm withdrawal of 7 nov")
    assert [(item.action, item.mode) for item in card.batch] == [("delete", "BANK"), ("delete", "MONEY")]
    card = say(workbench, "cancel", "change the atm withdrawal of 7 nov to 4500")
    assert [item.amount for item in card.batch] == [Decimal(4500), Decimal(4500)]


def test_what_is_not_found_is_said_with_what_was_looked_for(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    turn = say(workbench, "delete yesterday's tea")
    assert turn.state == "idle"
    assert "yesterday's tea" in turn.reply
    assert "nothing was changed" in turn.reply
    assert book.read_bytes() == before


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("move the concert to fun", "no category “fun”"),
        ("the concert of 14 nov should be 3600", "how it stands already"),
        ("make it 600", "No card is open"),
        ("mark rent as paid", "how it stands already"),
    ],
)
def test_what_cannot_be_changed_is_said(workbench: Workbench, message: str, said: str) -> None:
    turn = say(workbench, message)
    assert said in turn.reply
    assert turn.state == "idle"


def test_rows_that_stand_so_already_are_not_offered(workbench: Workbench) -> None:
    card = say(workbench, "the movie was wallet")
    assert [(item.date, item.mode) for item in card.batch] == [(date(2026, 9, 19), "WALLET")]


def test_rows_that_were_shown_are_meant_before_others(workbench: Workbench) -> None:
    say(workbench, "show travel expenses in october")
    card = say(workbench, "the petrol was cash")
    assert [item.date for item in card.batch] == [date(2026, 10, 9)]


def test_the_last_entry_is_the_one_just_written_or_the_newest_of_the_book(workbench: Workbench) -> None:
    assert say(workbench, "delete the last entry").batch[0].description == "MOVIE"
    say(workbench, "cancel", "spent 40 on buns cash on 3 nov", "yes")
    assert say(workbench, "delete the last entry").batch[0].description == "BUNS"


def test_the_card_of_a_change_is_edited_in_words(workbench: Workbench) -> None:
    first = say(workbench, "change last swiggy to 300")
    second = say(workbench, "make it 350")
    assert second.proposal != first.proposal
    assert [(item.action, item.amount) for item in second.batch] == [("edit", Decimal(350))]
    assert workbench.decide("t", first.proposal or "", "save").written == ()
    assert len(workbench.decide("t", second.proposal or "", "save").written) == 1


def test_a_card_of_new_entries_keeps_its_own_edits(workbench: Workbench) -> None:
    say(workbench, "spent 500 on tea cash")
    assert say(workbench, "make it 600").batch[0].action == "add"
    kept = say(workbench, "delete the concert")
    assert [item.description for item in kept.batch] == ["TEA"]
    assert "Save or cancel this card first" in kept.reply


def test_a_row_changed_meanwhile_is_refused_with_a_sentence(workbench: Workbench) -> None:
    say(workbench, "change last swiggy to 300")
    say(workbench, "change last swiggy to 200", "yes", thread="another")
    refused = say(workbench, "yes")
    assert refused.written == ()
    assert refused.problem
    assert "SWIGGY ORDER" in refused.problem
    assert [entry.amount for entry in rows(workbench, "SWIGGY ORDER") if entry.date.month == 11] == [Decimal(200)]


def test_a_change_that_overdraws_is_refused(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    refused = say(workbench, "the movie of 28 nov should be 5000", "yes")
    assert "overdraft" in refused.guardrails
    assert book.read_bytes() == before


def test_a_card_and_a_question_which_row_outlive_a_restart(opened: Callable[[], Workbench]) -> None:
    say(opened(), "delete the petrol")
    assert say(opened(), "3").batch[0].date == date(2026, 9, 10)
    assert len(say(opened(), "yes").written) == 1


def test_a_turn_with_a_change_is_the_same_after_being_stored(workbench: Workbench) -> None:
    turn = say(workbench, "change last swiggy to 300")
    assert turn.as_json()["batch"][0]["was"]["amount"] == "2750.00"
    assert turn_from_json(turn.as_json()).as_json() == turn.as_json()
