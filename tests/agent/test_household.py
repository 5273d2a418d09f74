"""Loans, what was counted, the same again, like rows, bills due: offered in words, written on a yes alone."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from agent import Workbench
from agent.nodes.offering import bills_now_due
from agent.turn import Turn
from ledger.entries import Entry
from ledger.store import BookStore


def say(bench: Workbench, *messages: str, thread: str = "t") -> Turn:
    return [bench.ask(message, thread) for message in messages][-1]


def store_of(bench: Workbench) -> BookStore:
    store = bench.book()
    assert store is not None
    return store


def test_what_was_lent_is_owed_until_it_is_paid_back(workbench: Workbench) -> None:
    spent = say(workbench, "how much did I spend this month").reply
    card = say(workbench, "lent 500 to my brother cash")
    assert [(item.direction, item.tags) for item in card.batch] == [("DEBIT", ("LENT BROTHER",))]
    say(workbench, "yes")
    assert "Brother owes you **₹500.00**" in say(workbench, "who owes me").reply
    assert say(workbench, "how much did I spend this month").reply == spent
    back = say(workbench, "brother paid back 300 upi")
    assert [(item.direction, item.tags) for item in back.batch] == [("CREDIT", ("LENT BROTHER",))]
    say(workbench, "yes")
    told = say(workbench, "how much does my brother owe me?")
    assert {figure.text for figure in told.figures} == {"₹200.00", "₹500.00", "₹300.00"}
    assert "received" in say(workbench, "how much did I receive this month").reply
    say(workbench, "brother paid back 200 cash", "yes")
    assert "settled" in say(workbench, "who owes me").reply


def test_what_comes_back_without_a_loan_is_money_in(workbench: Workbench) -> None:
    card = say(workbench, "ravi paid back 300 cash")
    assert [(item.direction, item.tags) for item in card.batch] == [("CREDIT", ())]


def test_what_was_borrowed_is_paid_back(workbench: Workbench) -> None:
    say(workbench, "borrowed 2000 from amma cash", "yes", "paid back amma 500 cash", "yes")
    told = say(workbench, "whom do I owe?")
    assert "You owe Amma **₹1,500.00**" in told.reply


def test_an_adjustment_closes_the_gap_outside_spending_only_when_asked_for(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    spent = say(workbench, "how much did I spend this month").reply
    told = say(workbench, "my cash is 10,500")
    assert {"₹11,130.00", "₹10,500.00", "₹630.00"} <= {figure.text for figure in told.figures}
    assert told.state == "idle"
    assert say(workbench, "yes").written == ()
    say(workbench, "my cash is 10,500")
    card = say(workbench, "adjust")
    assert [(item.amount, item.direction, item.mode) for item in card.batch] == [(Decimal(630), "DEBIT", "MONEY")]
    assert book.read_bytes() == before
    say(workbench, "yes")
    assert say(workbench, "my cash is 10,500").reply.startswith("The book says the same")
    assert say(workbench, "how much did I spend this month").reply == spent
    say(workbench, "undo")
    assert book.read_bytes() == before


def test_a_row_that_explains_the_gap_is_named_with_its_cell(workbench: Workbench) -> None:
    told = say(workbench, "phonepe shows 9770")
    assert "NOVEMBER!C11:J11" in told.reply
    assert "another mode" in told.reply


def test_a_row_written_twice_is_suspected(workbench: Workbench) -> None:
    say(workbench, "coffee 100 cash", "yes", "coffee 100 cash", "yes")
    assert "may stand twice" in say(workbench, "my cash is 11,030").reply


@pytest.mark.parametrize("message", ["rent again", "usual rent", "same as 2 nov"])
def test_the_same_again_is_todays_row_and_says_which_it_repeats(message: str, workbench: Workbench) -> None:
    card = say(workbench, message)
    if card.state == "awaiting_answer":
        card = say(workbench, "1")
    assert any(item.date == date(2026, 11, 30) and item.action == "add" for item in card.batch)
    assert "The same as" in card.reply


def test_the_same_again_on_a_day_to_come_is_asked_about(workbench: Workbench) -> None:
    say(workbench, "tea 20 cash", "yes")
    asked = say(workbench, "same again tomorrow")
    assert asked.asked is not None
    assert asked.asked.field == "date"


def test_a_card_says_which_row_it_may_be(workbench: Workbench) -> None:
    card = say(workbench, "tea 20 cash", "yes", "tea 20 cash")
    assert any("may stand in the book already: 'CASH TRACKER'!B40:J40" in note for note in card.notes)
    assert len(say(workbench, "yes").written) == 1


def test_a_question_keeps_the_choice_open(workbench: Workbench) -> None:
    asked = say(workbench, "delete the petrol", "what is my bank balance")
    assert "Bank has" in asked.reply
    assert asked.state == "awaiting_answer"
    card = say(workbench, "2")
    assert [(item.action, item.date) for item in card.batch] == [("delete", date(2026, 10, 9))]


def test_a_category_corrected_is_learnt_aloud_and_given_to_like_rows_only_when_said(workbench: Workbench) -> None:
    told = say(workbench, "petrol 500 upi", "change category to food", "yes")
    assert "From now on I file Petrol under Food" in told.reply
    assert sum(entry.category == "Travel" for entry in petrol(workbench)) == 3
    card = say(workbench, "apply to like rows")
    assert [item.action for item in card.batch] == ["edit"] * 3
    say(workbench, "yes")
    assert {entry.category for entry in petrol(workbench)} == {"Food"}


def test_a_category_nobody_corrected_is_not_talked_about(workbench: Workbench) -> None:
    assert "From now on" not in say(workbench, "petrol 500 upi", "yes").reply


def test_a_row_is_tagged_in_words_and_the_tag_taken_off(workbench: Workbench) -> None:
    card = say(workbench, "tag the petrol of 9 nov as trip")
    assert "tags none → TRIP" in card.reply
    say(workbench, "yes")
    assert [entry.tags for entry in petrol(workbench) if entry.date.month == 11] == [("TRIP",)]
    say(workbench, "remove the trip tag from the petrol of 9 nov", "yes")
    assert [entry.tags for entry in petrol(workbench) if entry.date.month == 11] == [()]


def test_a_shared_bill_says_the_share_and_the_whole(workbench: Workbench) -> None:
    card = say(workbench, "dinner 1000 split 3 ways upi")
    assert {figure.text for figure in card.figures} == {"₹333.33", "₹1,000.00", "3 ways"}
    assert "rounded" in card.reply


def test_a_bill_that_is_due_is_offered_on_a_greeting_once_a_day(opened: Callable[[], Workbench]) -> None:
    bench = opened()
    read = store_of(bench).read().book
    due = bills_now_due(read, date(2026, 12, 3), ())
    assert due.items
    assert all(item.date == date(2026, 12, 3) and item.was is None for item in due.items)
    assert not bills_now_due(read, date(2026, 12, 3), due.names).items
    greeted = bench.ask("hello", "t", today=date(2026, 12, 3))
    assert "due" in greeted.reply
    assert bench.ask("yes", "t", today=date(2026, 12, 3)).written == ()
    again = bench.ask("hello", "t", today=date(2026, 12, 3))
    assert "due" not in again.reply


def test_bills_that_are_due_are_offered_once_a_day_for_a_book_whatever_the_conversation(
    opened: Callable[[], Workbench],
) -> None:
    bench = opened()
    day = date(2026, 12, 3)
    assert "due" in bench.ask("hello", "one", today=day).reply
    assert "due" not in bench.ask("hello", "another", today=day).reply
    assert "due" in bench.ask("hello", "one more", today=date(2026, 12, 4)).reply


def test_a_bill_asked_after_is_put_on_a_card_by_its_own_words(workbench: Workbench) -> None:
    told = say(workbench, "when is rent due")
    assert "add it" in told.reply
    assert say(workbench, "yes").written == ()
    card = say(workbench, "when is rent due", "add it")
    assert [(item.description, item.amount) for item in card.batch] == [("RENT", Decimal(15000))]
    assert card.written == ()


def test_several_writes_are_taken_back_one_at_a_time(workbench: Workbench) -> None:
    told = say(workbench, "tea 20 cash", "yes", "undo the last two")
    assert "one write at a time" in told.reply
    assert say(workbench, "undo").reply.startswith("Taken back")


def petrol(bench: Workbench) -> list[Entry]:
    return [entry for entry in store_of(bench).read().book.entries if entry.description.startswith("PETROL")]
