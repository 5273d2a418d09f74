"""Turns as a person meets them: asked, decided, undone, busy, stopped, restarted."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from agent import Event, ItemChange, RequestReused, Settings, Turn, Workbench, clock_on
from agent.nodes import understand
from ledger.entries import BookRefused

TODAY = date(2026, 11, 30)
OpenAgain = Callable[[], Workbench]


def rows_named(book: Path, description: str) -> int:
    """How often a description stands in the book, as another program reads it."""
    sheets = openpyxl.load_workbook(book, data_only=True).worksheets
    return sum(cell.value == description for sheet in sheets for row in sheet.iter_rows() for cell in row)


def card(workbench: Workbench, message: str = "sugarcane juice 30 cash", thread: str = "t") -> Turn:
    turn = workbench.ask(message, thread)
    assert turn.state == "awaiting_confirmation", turn.reply
    return turn


# the card


def test_nothing_is_written_before_a_yes_and_one_row_after_it(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    shown = card(workbench)
    assert book.read_bytes() == before
    assert [(change.label, change.before - change.after) for change in shown.changes][:1] == [("Cash", Decimal(30))]
    receipt = workbench.ask("yes", "t")
    assert (receipt.state, len(receipt.written), receipt.undoable) == ("idle", 1, True)
    assert rows_named(book, "SUGARCANE JUICE") == 1
    assert "undo" in receipt.reply
    assert receipt.written[0].cell.rpartition("#")[2] in receipt.reply.replace("\\", "")


def test_half_a_character_in_a_message_is_taken_for_an_unknown_one(workbench: Workbench, book: Path) -> None:
    card(workbench, "\ud83c sugarcane juice 30 cash")
    workbench.ask("yes", "t")
    assert rows_named(book, "SUGARCANE JUICE") + rows_named(book, "\ufffd SUGARCANE JUICE") == 1


def test_undo_gives_the_book_back_byte_for_byte(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    card(workbench)
    workbench.ask("yes", "t")
    undone = workbench.undo("t")
    assert book.read_bytes() == before
    assert undone.balances == {"MONEY": Decimal("11130.00")}


def test_a_button_saves_the_card_it_was_pressed_on(workbench: Workbench, book: Path) -> None:
    shown = card(workbench)
    receipt = workbench.decide("t", shown.proposal or "", "save")
    assert len(receipt.written) == 1
    again = workbench.decide("t", shown.proposal or "", "save")
    assert "no longer open" in again.reply
    assert rows_named(book, "SUGARCANE JUICE") == 1


def test_a_button_of_an_older_card_shows_the_new_one_and_does_nothing(workbench: Workbench, book: Path) -> None:
    older = card(workbench)
    newer = workbench.decide("t", older.proposal or "", "edit", (ItemChange(1, "amount", "35"),))
    assert newer.batch[0].amount == Decimal(35)
    refused = workbench.decide("t", older.proposal or "", "save")
    assert (refused.state, refused.written, refused.proposal) == ("awaiting_confirmation", (), newer.proposal)
    assert rows_named(book, "SUGARCANE JUICE") == 0


def test_two_equal_cards_are_two_proposals(workbench: Workbench) -> None:
    first = card(workbench)
    workbench.decide("t", first.proposal or "", "cancel")
    assert card(workbench).proposal != first.proposal


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (ItemChange(1, "amount", "minus two"), "not an amount"),
        (ItemChange(1, "category", "Yachts"), "no category"),
        (ItemChange(1, "mode", "cheque"), "no mode"),
        (ItemChange(1, "date", "someday"), "not a date"),
        (ItemChange(7, "amount", "5"), "no item 7"),
    ],
)
def test_a_change_that_cannot_be_made_changes_nothing(workbench: Workbench, change: ItemChange, says: str) -> None:
    shown = card(workbench)
    turn = workbench.decide("t", shown.proposal or "", "edit", (ItemChange(1, "description", "juice"), change))
    assert says in turn.reply
    assert turn.batch == shown.batch


def test_the_form_changes_every_field(workbench: Workbench) -> None:
    shown = card(workbench)
    values = (
        ("description", "fresh juice"),
        ("amount", "₹1,040.50"),
        ("date", "2026-11-28"),
        ("mode", "Wallet"),
        ("direction", "CREDIT"),
        ("category", "food"),
        ("tags", "party, trip"),
    )
    changes = tuple(ItemChange(1, field, value) for field, value in values)  # type: ignore[arg-type]
    (item,) = workbench.decide("t", shown.proposal or "", "edit", changes).batch
    assert (item.description, item.amount, item.date) == ("FRESH JUICE", Decimal("1040.50"), date(2026, 11, 28))
    assert (item.mode, item.direction, item.category, item.tags) == ("WALLET", "CREDIT", "Food", ("PARTY", "TRIP"))


def test_removing_the_last_item_closes_the_card(workbench: Workbench) -> None:
    shown = card(workbench)
    turn = workbench.decide("t", shown.proposal or "", "edit", (ItemChange(1, "remove"),))
    assert (turn.state, turn.batch) == ("idle", ())


def test_a_new_expense_is_offered_and_added_by_its_own_words_only(workbench: Workbench) -> None:
    card(workbench)
    offered = workbench.ask("samosa 40 cash", "t")
    assert len(offered.batch) == 1
    added = workbench.ask("add it", "t")
    assert [item.description for item in added.batch] == ["SUGARCANE JUICE", "SAMOSA"]


def test_an_overdraft_is_refused_with_three_figures_and_the_card_stays(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    shown = card(workbench, "guitar 900 wallet")
    refused = workbench.ask("yes", "t")
    assert "to save" not in shown.reply + refused.reply
    assert shown.problem == "It cannot be saved so. Wallet has ₹300.00, this needs ₹900.00: ₹600.00 short. " + (
        "Change the amount or the mode."
    )
    assert {"300.00", "900.00", "600.00"} <= {str(figure.value) for figure in shown.figures}
    assert refused.reply.count("600.00") == 1
    assert refused.guardrails == ("overdraft",)
    assert {"300.00", "900.00", "600.00"} <= {str(figure.value) for figure in refused.figures}
    assert (refused.state, len(refused.batch), refused.problem is not None) == ("awaiting_confirmation", 1, True)
    assert book.read_bytes() == before


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("rent 500 upi on 5 jan 2024", "the book of 2026"),
        (f"{'very ' * 110} long cable 500 upi", "characters"),
        ("refunded 100 cash; guitar 900 wallet", "remove an item"),
    ],
)
def test_a_card_that_cannot_be_saved_says_so_and_why_and_not_how_to_save_it(
    workbench: Workbench, message: str, why: str
) -> None:
    shown = card(workbench, message)
    assert "Ready" not in shown.reply
    assert "to save" not in shown.reply
    assert "It cannot be saved so." in shown.reply
    assert why in (shown.problem or "")
    assert "python -m" not in shown.reply


@pytest.mark.parametrize("word", ["yes", "cancel", "stop", "undo"])
def test_with_nothing_waiting_a_word_says_so_and_does_nothing(workbench: Workbench, book: Path, word: str) -> None:
    before = book.read_bytes()
    turn = workbench.ask(word, "t")
    assert (turn.state, turn.written) == ("idle", ())
    assert "othing" in turn.reply
    assert book.read_bytes() == before


def test_a_question_of_the_same_message_is_answered_from_the_book_as_written(workbench: Workbench) -> None:
    card(workbench, "log sugarcane juice 100 bank and what's my bank balance")
    receipt = workbench.ask("yes", "t")
    assert Decimal("75150.00") in [figure.value for figure in receipt.figures]
    assert receipt.intents == ("confirm", "ask")


def test_a_question_of_a_dropped_card_is_still_answered(workbench: Workbench) -> None:
    card(workbench, "log sugarcane juice 100 bank and what's my bank balance")
    dropped = workbench.ask("cancel", "t")
    assert Decimal("75250.00") in [figure.value for figure in dropped.figures]


def test_a_book_open_in_libreoffice_is_left_alone_and_the_card_stays(workbench: Workbench, book: Path) -> None:
    before = book.read_bytes()
    card(workbench)
    lock = book.with_name(f".~lock.{book.name}#")
    lock.write_text(",me,here,30.11.2026 18:04,file:///x;")
    refused = workbench.ask("yes", "t")
    assert (refused.state, refused.written, "LibreOffice" in refused.reply) == ("awaiting_confirmation", (), True)
    assert book.read_bytes() == before
    lock.unlink()
    assert len(workbench.ask("yes", "t").written) == 1


def test_a_book_changed_since_the_card_gets_the_row_too_and_the_receipt_says_so(workbench: Workbench) -> None:
    card(workbench)
    card(workbench, "samosa 40 cash", "u")
    workbench.ask("yes", "u")
    receipt = workbench.ask("yes", "t")
    assert receipt.balances == {"MONEY": Decimal("11060.00")}
    assert any("changed since" in note for note in receipt.notes)


def test_undo_with_a_card_open_keeps_the_card_on_the_book_as_it_is_then(workbench: Workbench) -> None:
    card(workbench, "samosa 40 cash")
    workbench.ask("yes", "t")
    card(workbench)
    shown = workbench.ask("undo", "t")
    assert (shown.state, len(shown.batch)) == ("awaiting_confirmation", 1)
    assert shown.changes[0].before == Decimal("11130.00")
    assert len(workbench.ask("yes", "t").written) == 1


def test_a_failure_after_the_write_still_tells_the_receipt(
    workbench: Workbench, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card(workbench, "log sugarcane juice 100 bank and what's my bank balance")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("agent.nodes.answer.book_questions.ledger_query", broken)
    receipt = workbench.ask("yes", "t")
    assert (receipt.state, len(receipt.written)) == ("idle", 1)
    assert "Saved" in receipt.reply
    assert "went wrong" in receipt.reply


# asking


def test_a_bare_yes_widens_once(workbench: Workbench) -> None:
    nothing = workbench.ask("avoid expenses last week", "t")
    assert nothing.rows == ()
    widened = workbench.ask("yes", "t")
    assert len(widened.rows) == 2
    assert "whole book" in widened.reply
    assert "Nothing is waiting" in workbench.ask("yes", "t").reply


def test_with_a_card_open_an_offer_is_taken_by_its_own_word_and_yes_means_the_card(workbench: Workbench) -> None:
    card(workbench)
    workbench.ask("avoid expenses last week", "t")
    widened = workbench.ask("widen", "t")
    assert (len(widened.rows), widened.state, len(widened.batch)) == (2, "awaiting_confirmation", 1)
    workbench.ask("avoid expenses last week", "t")
    assert len(workbench.ask("yes", "t").written) == 1


def test_gibberish_gets_examples_twice_and_then_a_guide(workbench: Workbench) -> None:
    turns = [workbench.ask("asdf qwer zxcv", "t") for _ in range(3)]
    assert {turn.state for turn in turns} == {"idle"}
    assert ["guide" in turn.reply for turn in turns] == [False, False, True]
    workbench.ask("hi", "t")
    assert "guide" not in workbench.ask("asdf qwer zxcv", "t").reply


def test_what_is_not_sure_is_asked_with_the_likely_meanings(workbench: Workbench) -> None:
    turn = workbench.ask("milk", "t")
    assert (turn.state, turn.batch, turn.rows) == ("idle", (), ())
    assert turn.confidence < 0.7
    assert len(turn.options) > 1


def test_a_wish_that_nothing_stands_behind_gets_one_sentence(workbench: Workbench) -> None:
    turn = workbench.ask("what is the price of RELIANCE.NS", "t")
    assert (turn.state, turn.tools) == ("idle", ())
    assert "yet" in turn.reply


def test_a_question_while_a_fact_is_asked_is_answered_and_the_fact_asked_again(workbench: Workbench) -> None:
    workbench.ask("coffee via upi", "t")
    turn = workbench.ask("what is my bank balance?", "t")
    assert turn.state == "awaiting_answer"
    assert Decimal("75250.00") in [figure.value for figure in turn.figures]
    assert "How much was coffee?" in turn.reply
    assert workbench.ask("100", "t").batch[0].amount == Decimal(100)


def test_a_follow_up_reaches_back_over_small_talk(workbench: Workbench) -> None:
    workbench.ask("how much did I spend on food this month", "t")
    workbench.ask("hi", "t")
    assert Decimal("9600.00") in [figure.value for figure in workbench.ask("what about last month?", "t").figures]


# asking for what is missing


def test_what_cannot_be_made_out_is_named_and_its_siblings_come_to_the_card(workbench: Workbench) -> None:
    asked = workbench.ask("idli 50 cash\nvada upi\ndosa 80 wallet", "t")
    assert asked.state == "awaiting_answer"
    for useless in ("dunno meh", "whatever"):
        assert workbench.ask(useless, "t").state == "awaiting_answer"
    ended = workbench.ask("hmm hmm", "t")
    assert [item.description for item in ended.batch] == ["IDLI", "DOSA"]
    assert "vada" in ended.reply.casefold()
    assert ended.guardrails == ("rounds",)


def test_an_end_is_an_end(workbench: Workbench) -> None:
    workbench.ask("coffee via upi", "t")
    assert workbench.ask("never mind", "t").state == "idle"


def test_a_blank_book_asks_what_a_mode_opened_with_before_its_first_card(home: Path) -> None:
    with Workbench.open(Settings.read({}, home=home), clock_on(TODAY)) as workbench:
        path = workbench.blank()
        asked = workbench.ask("tea 20 cash", "t")
        assert (asked.state, asked.asked and asked.asked.item, asked.asked and asked.asked.field) == (
            "awaiting_answer",
            None,
            "opening:MONEY",
        )
        shown = workbench.ask("500", "t")
        assert shown.state == "awaiting_confirmation"
        assert any("opens with ₹500.00" in note for note in shown.notes)
        receipt = workbench.ask("yes", "t")
        assert receipt.balances == {"MONEY": Decimal(480)}
        assert workbench.ask("tea 20 cash", "t").state == "awaiting_confirmation"
        assert openpyxl.load_workbook(path)["CASH TRACKER"]["H11"].value == 500


# exactly once


def test_the_same_request_gives_the_same_reply_and_one_write(opened: OpenAgain, book: Path) -> None:
    first = opened()
    card(first)
    receipt = first.ask("yes", "t", "r-yes")
    assert first.ask("yes", "t", "r-yes").as_json() == receipt.as_json()
    first.close()
    assert opened().ask("yes", "t", "r-yes").as_json() == receipt.as_json()
    assert rows_named(book, "SUGARCANE JUICE") == 1


def test_the_same_request_with_another_message_is_refused(workbench: Workbench) -> None:
    workbench.ask("hi", "t", "r1")
    with pytest.raises(RequestReused):
        workbench.ask("tea 20 cash", "t", "r1")


def test_a_card_survives_a_restart(opened: OpenAgain, book: Path) -> None:
    first = opened()
    shown = card(first)
    first.close()
    receipt = opened().decide("t", shown.proposal or "", "save")
    assert len(receipt.written) == 1
    assert rows_named(book, "SUGARCANE JUICE") == 1


def test_a_turn_whose_end_was_not_kept_is_told_again_and_not_done_again(opened: OpenAgain, book: Path) -> None:
    first = opened()
    card(first)
    kept = first._store.finish
    first._store.finish = lambda *_: (_ for _ in ()).throw(OSError("the disk is full"))  # type: ignore[method-assign]
    assert "could not keep" in first.ask("yes", "t", "r-yes").reply
    first._store.finish = kept  # type: ignore[method-assign]
    first.close()
    again = opened()
    assert again.running("t") == "r-yes"
    events = list(again.events("r-yes"))
    assert events[-1].turn is not None
    assert len(events[-1].turn.written) == 1
    assert again.running("t") is None
    assert rows_named(book, "SUGARCANE JUICE") == 1
    assert again.ask("yes", "t").written == ()


def test_a_write_that_the_thread_could_not_remember_is_told_again_and_not_done_again(
    workbench: Workbench, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card(workbench)

    def full(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(workbench._runner._checkpoints, "put", full)
        assert workbench.ask("yes", "t", "r-yes").written == ()
    assert rows_named(book, "SUGARCANE JUICE") == 1
    assert workbench.ask("yes", "t").written == ()
    assert [len(turn.written) for turn in workbench.messages("t")] == [0, 1, 0]
    assert rows_named(book, "SUGARCANE JUICE") == 1


def test_what_a_dead_process_left_comes_before_the_next_message(opened: OpenAgain, book: Path) -> None:
    first = opened()
    card(first)
    given: dict[str, Any] = {"message": "yes", "action": "message", "proposal": None, "changes": [], "book": None}
    first._store.arrived("left", "t", {**given, "today": TODAY.isoformat()}, status="started", at=first._clock())
    turn = first.ask("what is my bank balance?", "t")
    assert turn.state == "idle"
    assert rows_named(book, "SUGARCANE JUICE") == 1
    assert [each.request for each in first.messages("t")][-2] == "left"


# running turns


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Turns of the message `slow` wait in `classify` until they may go on."""
    entered, go = threading.Event(), threading.Event()
    split = understand.split_requests

    def waiting(message: str) -> tuple[str, ...]:
        if message == "slow":
            entered.set()
            assert go.wait(10)
        return split(message)

    monkeypatch.setattr(understand, "split_requests", waiting)
    return entered, go


def test_a_message_while_a_turn_runs_gets_a_busy_reply_and_its_turn_later(
    workbench: Workbench, held: tuple[threading.Event, threading.Event]
) -> None:
    entered, go = held
    slow = workbench.submit("slow", "t")
    assert entered.wait(10)
    assert workbench.running("t") == slow
    busy = workbench.ask("hi", "t", "r-hi")
    assert "still working" in busy.reply
    assert workbench.turn("r-hi") is None
    go.set()
    assert [event.turn.intents for event in workbench.events("r-hi") if event.turn] == [("smalltalk",)]
    assert [turn.message for turn in workbench.messages("t")] == ["slow", "hi"]


def test_a_yes_that_came_while_a_turn_ran_only_shows_the_card(
    workbench: Workbench, book: Path, held: tuple[threading.Event, threading.Event]
) -> None:
    entered, go = held
    card(workbench, thread="t")
    monkey = workbench.submit("slow", "other")
    assert entered.wait(10)
    lock = workbench._lock("t")
    lock.acquire()
    workbench.ask("yes", "t", "late-yes")
    lock.release()
    turn = next(event.turn for event in workbench.events("late-yes") if event.turn)
    assert turn.state == "awaiting_confirmation"
    assert rows_named(book, "SUGARCANE JUICE") == 0
    go.set()
    list(workbench.events(monkey))


def test_other_threads_do_not_wait(workbench: Workbench, held: tuple[threading.Event, threading.Event]) -> None:
    entered, go = held
    slow = workbench.submit("slow", "t")
    assert entered.wait(10)
    assert workbench.ask("hi", "u").intents == ("smalltalk",)
    go.set()
    assert list(workbench.events(slow))[-1].turn is not None


def test_stop_ends_a_running_turn_and_keeps_the_transcript(
    workbench: Workbench, held: tuple[threading.Event, threading.Event]
) -> None:
    entered, go = held
    workbench.submit("slow", "t", "r-slow")
    assert entered.wait(10)
    threading.Timer(0.2, go.set).start()
    stopped = workbench.stop("t")
    assert (stopped.request, stopped.intents, stopped.state) == ("r-slow", ("stop",), "idle")
    assert [turn.request for turn in workbench.messages("t")] == ["r-slow"]
    assert card(workbench).state == "awaiting_confirmation"
    span = workbench.trace("r-slow")
    assert span is not None
    assert span.spans[-1].status == "stopped"


def test_stop_with_nothing_running_ends_what_waits(workbench: Workbench) -> None:
    card(workbench)
    turn = workbench.stop("t")
    assert (turn.state, turn.batch) == ("idle", ())


def test_a_node_that_fails_is_told_and_what_waited_is_kept(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = card(workbench)

    def broken(message: str) -> tuple[str, ...]:
        raise ZeroDivisionError(message)

    with monkeypatch.context() as patched:
        patched.setattr("agent.nodes.decide.split_requests", broken)
        failed = workbench.ask("so what about it then", "t")
    assert "went wrong inside" in failed.reply
    assert failed.batch == shown.batch
    assert workbench.decide("t", shown.proposal or "", "save").written


def test_events_tell_the_nodes_in_order_and_end_with_the_turn(workbench: Workbench) -> None:
    request = workbench.submit("tea 20 cash", "t")
    events: list[Event] = list(workbench.events(request))
    started = [event.name for event in events if event.kind == "node_started"]
    assert started == ["memory_resolver", "classify", "parse_transactions", "validate", "present_batch"]
    assert events[-1].turn == workbench.turn(request)
    trace = workbench.trace(request)
    assert trace is not None
    assert [span.node for span in trace.spans] == started
    assert all(span.status == "ok" and span.note for span in trace.spans)


def test_each_step_says_what_it_came_to_and_not_the_message_again(workbench: Workbench) -> None:
    request = workbench.ask("how much did I spend on food this month", "t", "r-steps").request
    trace = workbench.trace(request)
    assert trace is not None
    notes = [span.note for span in trace.spans if span.note]
    assert len(set(notes)) == len(notes) == len(trace.spans) - 1  # the last step only finishes
    assert notes.count("how much did I spend on food this month") == 1


def test_two_processes_on_one_thread_take_turns(home: Path, book: Path, workbench: Workbench) -> None:
    """The other process runs while this one holds the thread; its message is kept and answered."""
    lock = workbench._lock("t")
    lock.acquire()
    said = [sys.executable, "-m", "agent", "ask", "hi", "--thread", "t", "--request", "theirs", "--json"]
    where = ["--home", str(home), "--book", str(book), "--today", TODAY.isoformat()]
    done = subprocess.run([*said, *where], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert "still working" in json.loads(done.stdout)["reply"]
    assert workbench.running("t") == "theirs"
    lock.release()
    assert list(workbench.events("theirs"))[-1].turn == workbench.turn("theirs")
    assert workbench.ask("hi", "t").intents == ("smalltalk",)


# books and conversations


def test_without_a_book_a_card_is_kept_until_there_is_one(home: Path, book: Path) -> None:
    with Workbench.open(Settings.read({}, home=home), clock_on(TODAY)) as workbench:
        shown = workbench.ask("tea 20 cash", "t")
        assert "No budget book is open" in (shown.problem or "")
        asked = workbench.ask("what is my bank balance?", "t")
        assert "No budget book is open" in asked.reply
        workbench.choose_book(book)
        again = workbench.ask("yes", "t")
        assert again.written == ()
        assert len(workbench.ask("yes", "t").written) == 1


def test_an_uploaded_book_is_kept_under_its_own_name(workbench: Workbench, book: Path, home: Path) -> None:
    first = workbench.add_book(book.read_bytes(), "../../My: book.xlsx")
    second = workbench.add_book(book.read_bytes(), "../../My: book.xlsx")
    assert first.parent == second.parent == (home / "workbooks").resolve()
    assert (first.name, second.name) == ("My_ book.xlsx", "My_ book (2).xlsx")
    current = workbench.book()
    assert current is not None
    assert current.path == second


def test_a_file_that_is_no_book_is_refused_and_not_kept(workbench: Workbench, home: Path) -> None:
    with pytest.raises(BookRefused):
        workbench.add_book(b"PK, but no", "x.xlsx")
    assert not (home / "workbooks").exists()


def test_the_sample_book_answers(home: Path) -> None:
    with Workbench.open(Settings.read({}, home=home), clock_on(TODAY)) as workbench:
        workbench.open_sample()
        assert workbench.ask("how much did I spend this month?", "t").figures
        assert workbench.open_sample() == workbench.open_sample()


def test_conversations_are_listed_found_renamed_and_deleted(workbench: Workbench) -> None:
    thread = workbench.new_conversation()
    assert workbench.conversations() == ()
    workbench.ask("what is my bank balance?", thread)
    assert [info.title for info in workbench.conversations("bank")] == ["what is my bank balance?"]
    workbench.rename(thread, "Balances")
    assert [info.title for info in workbench.conversations()] == ["Balances"]
    workbench.ask("tea 20 cash", thread)
    workbench.delete(thread)
    assert workbench.conversations() == workbench.messages(thread) == ()
    assert workbench.ask("yes", thread).written == ()


def test_text_from_outside_is_escaped_in_replies(workbench: Workbench) -> None:
    turn = card(workbench, "![x](http://evil.example/a.png) <b>juice</b> 30 cash")
    assert "![x]" not in turn.reply
    assert "<b>" not in turn.reply


def test_a_long_conversation_keeps_one_checkpoint_in_a_while(workbench: Workbench) -> None:
    for number in range(40):
        workbench.ask("hi", "t", f"r{number}")
    with workbench._runner._checkpoints.cursor() as cursor:
        (kept,) = cursor.execute("SELECT count(*) FROM checkpoints").fetchone()
    assert kept <= 20


def test_a_card_is_not_saved_into_another_book_unseen(workbench: Workbench, book: Path, tmp_path: Path) -> None:
    shown = card(workbench)
    other = tmp_path / "Other_2026.xlsx"
    other.write_bytes(book.read_bytes())
    before = other.read_bytes()
    workbench.choose_book(other)
    again = workbench.decide("t", shown.proposal or "", "save")
    assert (again.written, again.state) == ((), "awaiting_confirmation")
    assert other.read_bytes() == before
    assert again.proposal != shown.proposal
    receipt = workbench.decide("t", again.proposal or "", "save")
    assert receipt.written[0].cell.startswith("Other_2026.xlsx#")


# a bare amount said to a card


@pytest.mark.parametrize(("said", "amount"), [("640", "640"), ("1,300", "1300"), ("₹42.50", "42.50")])
def test_a_bare_amount_is_the_new_amount_of_a_card_with_one_item(workbench: Workbench, said: str, amount: str) -> None:
    card(workbench)
    changed = workbench.ask(said, "t")
    assert [item.amount for item in changed.batch] == [Decimal(amount)]
    assert "amount **₹30.00** → " in changed.reply


@pytest.mark.parametrize("said", ["0", "-5"])
def test_a_bare_amount_that_is_none_changes_nothing_and_says_why(workbench: Workbench, said: str) -> None:
    card(workbench)
    refused = workbench.ask(said, "t")
    assert refused.batch[0].amount == Decimal(30)
    assert "more than zero" in refused.reply


def test_a_bare_amount_said_to_several_items_asks_which(workbench: Workbench) -> None:
    card(workbench, "sugarcane juice 30 cash; samosa 40 cash")
    asked = workbench.ask("640", "t")
    assert "item 2 amount 640" in asked.reply
    assert [item.amount for item in asked.batch] == [Decimal(30), Decimal(40)]


def test_what_an_edit_changed_is_told_once_an_item_with_before_and_after(workbench: Workbench) -> None:
    card(workbench, "sugarcane juice 30 cash; samosa 40 cash")
    changed = workbench.ask("item 1 description lassi, item 1 amount 55, item 2 mode bank", "t")
    told = changed.reply.replace("**", "").partition("\n")[0]
    assert told == (
        "Changed item 1: description Sugarcane juice → Lassi, amount ₹30.00 → ₹55.00; item 2: mode Cash → Bank."
    )


def test_a_reply_that_begins_with_a_name_begins_with_a_capital(workbench: Workbench) -> None:
    assert workbench.ask("paid $30 for chatgpt", "t").reply.startswith("Chatgpt is in another currency")
