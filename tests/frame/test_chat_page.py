"""The chat page in every state it can be in, on a real workbench."""

import io
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from agent.trace import Recorder
from agent.turn import Asked, CardItem, Change, Chart, Figure, Row, Source, Turn, Usage, Written
from agent.workbench import Workbench
from frame import desk
from ledger.template import sample_book
from money import rupees

TODAY = date(2026, 11, 30)
HOSTILE = "![x](http://evil.example/p.png) [a](http://evil.example) :green-badge[PAID] $x$ <b>b</b> **bold** `c`"
GROCERIES = CardItem(1, TODAY, "GROCERIES", "Groceries", "HOME", "PHONEPE", "DEBIT", Decimal(500))
AUTO = CardItem(2, TODAY, "AUTO TO STATION", "Travel", "PERSONAL", "MONEY", "DEBIT", Decimal(120))
CARD = Turn(
    "t1",
    "r1",
    "spent 500 on groceries via phonepe and 120 cash for auto",
    "Two entries for today.",
    state="awaiting_confirmation",
    intents=("log",),
    batch=(GROCERIES, AUTO),
    proposal="p1",
    changes=(
        Change("PhonePe", Decimal(7670), Decimal(7170)),
        Change("Left for Groceries", Decimal(1700), Decimal(1200)),
    ),
)
RECEIPT = Turn(
    "t1",
    "r2",
    "yes",
    "Saved.",
    intents=("confirm",),
    written=(Written(1, "Budget_2026.xlsx#NOVEMBER!C24:J24"), Written(2, "Budget_2026.xlsx#'CASH TRACKER'!B31:J31")),
    changes=CARD.changes,
    undoable=True,
)
ANSWER = Turn(
    "t1",
    "r3",
    "how much on food?",
    "You spent **₹300.00** on Food in November, **20.0%** of its budget.",
    intents=("ask",),
    figures=(
        Figure("₹300.00", Decimal(300), Source("cell", "NOVEMBER!F6:F7", ("NOVEMBER!F6", "NOVEMBER!F7"))),
        Figure("20.0%", Decimal("20.0"), Source("calculation", "₹300.00 ÷ ₹1,500.00")),
    ),
    tools=("ledger_query",),
    plan_trace=("ledger_query: 2 rows read for “how much on food?”",),
    usage=Usage(latency_ms=42),
)


def texts(window: AppTest) -> str:
    """Everything written on the page, as Markdown."""
    kinds = ("markdown", "caption", "error", "warning", "title")
    return "\n".join(str(element.value) for kind in kinds for element in window.get(kind))


def labels(window: AppTest) -> list[str]:
    return [button.label for button in window.button]


def opened(window: AppTest, thread: str = "t1") -> AppTest:
    window.query_params["c"] = thread
    window.run()
    assert not window.exception
    return window


def test_an_empty_conversation_shows_what_can_be_said_and_only_that(sample: Workbench, window: AppTest) -> None:
    window.run()
    assert not window.exception
    assert window.title[0].value == "What should we look at?"
    assert "spent 500 on groceries via phonepe" in labels(window)
    captions = [caption.value for caption in window.caption]
    assert "Log" in captions
    assert "Ask" in captions
    assert "Advise" in captions
    assert "why did I overspend?" in labels(window)
    assert window.chat_input[0].placeholder == "Log an expense or ask a question"


def test_the_sidebar_shows_what_each_mode_holds(sample: Workbench, window: AppTest) -> None:
    window.run()
    written = "\n".join(element.value for element in window.sidebar.markdown)
    for words in ("PhonePe", "Wallet", "Cash", "Bank", "On hand"):
        assert words in written
    assert any(caption.value.startswith("Balances · ") for caption in window.sidebar.caption)


def test_without_a_book_the_card_to_open_one_stands_there_and_nothing_can_be_sent(window: AppTest) -> None:
    window.run()
    assert not window.exception
    assert "**Open your budget book**" in texts(window)
    assert {"Start a blank one", "Look around with a sample"} <= set(labels(window))
    assert window.chat_input[0].disabled


def test_the_sample_opens_by_its_button(bench: Workbench, window: AppTest) -> None:
    window.run()
    window.button(key="first-sample").click().run()
    assert not window.exception
    assert bench.book() is not None
    assert window.title[0].value == "What should we look at?"


def test_a_missing_book_is_said_and_another_can_be_chosen(sample: Workbench, window: AppTest) -> None:
    store = sample.book()
    assert store is not None
    store.path.unlink()
    window.run()
    assert not window.exception
    assert "Sample" in window.error[0].value
    assert "Look around with a sample" in labels(window)


def test_the_open_card_shows_items_and_what_saving_leaves(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, CARD)
    shown = texts(opened(window))
    assert "**Save 2 entries?**" in shown
    assert "Not saved yet" in shown
    assert "Groceries" in shown
    assert "30 Nov" in shown
    assert "**−₹500\\.00**" in shown
    assert ":gray[₹7,670\\.00 →] ₹7,170\\.00" in shown
    assert {"Save to book", "Edit", "Cancel"} <= set(labels(window))
    assert window.chat_input[0].placeholder == "Say yes, or “item 2 was upi”"


def test_a_card_that_changes_an_entry_strikes_what_was(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").set_value("change last netflix to 700").run()
    assert not window.exception
    shown = texts(window)
    assert "**Change 1 entry?**" in shown
    assert ":small[:gray[~~−₹649\\.00~~] →]\n**−₹700\\.00**" in shown
    assert {"Save change", "Edit", "Cancel"} <= set(labels(window))
    window.chat_input(key="message").set_value("make it cash").run()
    assert ":gray[~~Bank~~] → Cash" in texts(window)
    next(button for button in window.button if button.label == "Save change").click().run()
    assert not window.exception
    assert any(badge.value for badge in window.markdown if "Changed" in str(badge.value))
    assert "Undo" in labels(window)


def test_a_card_that_deletes_an_entry_strikes_it_and_cannot_be_edited(sample: Workbench, window: AppTest) -> None:
    store = sample.book()
    assert store is not None
    before = store.path.read_bytes()
    window.run()
    window.chat_input(key="message").set_value("delete the netflix of 21 nov").run()
    assert not window.exception
    shown = texts(window)
    assert "**Delete 1 entry?**" in shown
    assert ":gray[~~Netflix~~]" in shown
    assert "Edit" not in labels(window)
    assert store.path.read_bytes() == before
    next(button for button in window.button if button.label == "Delete from book").click().run()
    assert not window.exception
    assert store.path.read_bytes() != before
    next(button for button in window.button if button.label == "Undo").click().run()
    assert store.path.read_bytes() == before


def test_several_rows_that_could_be_meant_are_buttons(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").set_value("delete the netflix").run()
    assert not window.exception
    (first, *_) = [button for button in window.button if "Netflix" in button.label]
    first.click().run()
    assert not window.exception
    assert "**Delete 1 entry?**" in texts(window)


def test_only_the_newest_card_has_buttons(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    changed = replace(CARD, request="r1b", message="item 2 was upi", proposal="p1b")
    keep(sample, CARD, changed)
    opened(window)
    assert labels(window).count("Save to book") == 1
    assert any("changed below" in expander.label for expander in window.expander)


def test_a_refused_card_says_why_and_cannot_be_saved(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    problem = "Wallet has ₹300.00, this needs ₹620.00: ₹320.00 short."
    keep(sample, replace(CARD, problem=problem, guardrails=("overdraft",)))
    opened(window)
    assert window.error[0].value.replace("\\", "") == problem
    assert window.button(key="card-p1-save").disabled


def test_a_book_that_is_gone_is_said_on_the_card_which_is_whole_again_when_it_is_back(
    sample: Workbench, window: AppTest
) -> None:
    store = sample.book()
    assert store is not None
    window.run()
    window.chat_input(key="message").set_value("upma 55 cash").run()
    data = store.path.read_bytes()
    for damage in (None, b"not a workbook"):
        if damage is None:
            store.path.unlink()
        else:
            store.path.write_bytes(damage)
        window.run()
        assert not window.exception
        assert "**Save 1 entry?**" in texts(window)
        assert "Sample" in window.error[0].value
        assert len(window.error) == 1
        assert next(button for button in window.button if button.label == "Save to book").disabled
        assert not window.chat_input[0].disabled
        assert not window.chat_input[0].placeholder.startswith("Say yes")
        window.chat_input(key="message").set_value("yes").run()
        assert not window.exception
        assert "Sample" in window.error[0].value
    store.path.write_bytes(data)
    window.run()
    assert not window.error
    assert "After saving" in texts(window)
    next(button for button in window.button if button.label == "Save to book").click().run()
    assert "Undo" in labels(window)


@pytest.mark.parametrize(
    "said", ["spent 500 on groceries via phonepe on 3 jan 2024", f"{'tea ' * 200}20 cash", "rent 999999 via upi"]
)
def test_what_cannot_be_saved_cannot_be_pressed_and_says_why(sample: Workbench, window: AppTest, said: str) -> None:
    window.run()
    window.chat_input(key="message").set_value(said).run()
    assert not window.exception
    assert window.error or window.warning
    assert next(button for button in window.button if button.label == "Save to book").disabled
    assert window.chat_input[0].placeholder.startswith("Change it")


def test_the_undo_button_writes_no_message_in_the_user_s_name(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").set_value("upma 55 cash").run()
    next(button for button in window.button if button.label == "Save to book").click().run()
    next(button for button in window.button if button.label == "Undo").click().run()
    assert not window.exception
    assert [message.name for message in window.chat_message].count("user") == 1


def test_editing_on_the_card_says_what_is_wrong_with_an_amount(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, CARD)
    opened(window).button(key="card-p1-edit").click().run()
    assert window.text_input(key="edit-p1-1-amount").value == "500.00"
    window.text_input(key="edit-p1-1-amount").set_value("none").run()
    assert "is not an amount above zero" in window.error[0].value
    window.button(key="edit-p1-apply").click().run()
    assert "is not an amount above zero" in window.error[0].value, "the dialog stays open"
    assert not sample.unanswered("t1")


def test_more_than_five_items_are_edited_in_a_table(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    many = tuple(replace(GROCERIES, item=number) for number in range(1, 8))
    keep(sample, replace(CARD, batch=many))
    opened(window)
    assert "Edit" not in labels(window)
    window.session_state["card-p1-table"] = {
        "edited_rows": {0: {"Amount ₹": "650"}},
        "added_rows": [],
        "deleted_rows": [6],
    }
    window.run()
    assert not window.exception
    assert "Apply changes" in labels(window)
    assert "Save to book" not in labels(window)


def test_a_receipt_names_its_cells(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    keep(sample, CARD, RECEIPT)
    shown = texts(opened(window))
    assert "Saved" in shown
    assert "`NOVEMBER!C24:J24`" in shown
    assert "`'CASH TRACKER'!B31:J31`" in shown
    assert "Save to book" not in labels(window)


def test_undo_is_disabled_with_its_reason_when_the_write_is_not_the_last(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, CARD, RECEIPT)
    undo = opened(window).button(key="undo-r2")
    assert undo.disabled
    assert undo.help


def test_an_answer_opens_its_figures(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    store = sample.book()
    assert store is not None
    spent = [entry for entry in store.read().book.entries if entry.amount_cell.startswith("NOVEMBER!F")][:2]
    source = Source("cell", "NOVEMBER!F6:F9", tuple(entry.amount_cell for entry in spent))
    keep(sample, replace(ANSWER, figures=(replace(ANSWER.figures[0], source=source), ANSWER.figures[1])))
    opened(window)
    assert window.expander[0].label.replace("\\", "") == "Read 2 entries · 42 ms · no model used"
    chips = window.get("button_group")[0]
    chips.set_value(0).run()
    assert not window.exception
    assert list(window.dataframe[0].value.columns) == ["Date", "Amount ₹", "Description", "Cell"]
    assert list(window.dataframe[0].value["Description"]) == [entry.description for entry in spent]
    window.get("button_group")[0].set_value(1).run()
    assert "is worked out" in texts(window)


def test_rows_and_charts_are_tables_too(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    rows = (
        Row(TODAY, "LUNCH", "PHONEPE", "DEBIT", Decimal(250), "Food", "NOVEMBER!C6:J6"),
        Row(TODAY, "REFUND", "BANK", "CREDIT", Decimal(50), None, "'CASH TRACKER'!B12:J12"),
    )
    bars = {"data": [{"type": "bar", "orientation": "h", "y": ["Food"], "x": [250], "text": ["₹250"]}], "layout": {}}
    chart = Chart("Spending by category", bars, ("Category", "₹"), (("Food", "250.00"),), "NOVEMBER")
    keep(sample, replace(ANSWER, rows=rows, charts=(chart,)))
    opened(window)
    assert list(window.dataframe[0].value["Amount ₹"]) == ["−250.00", "+50.00"]
    assert list(window.dataframe[1].value["₹"]) == ["250.00"]
    assert "**Spending by category**" in texts(window)
    assert len(window.get("plotly_chart")) == 1


def test_a_question_for_the_mode_has_a_button_a_mode(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    asked = Turn(
        "t1", "r5", "spent 500 on groceries", "How was it paid?", state="awaiting_answer", asked=Asked(1, "mode")
    )
    keep(sample, asked)
    assert {"PhonePe", "Wallet", "Cash", "Bank"} <= set(labels(opened(window)))


def test_nothing_from_outside_becomes_markup(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    item = replace(GROCERIES, description=HOSTILE, category=HOSTILE)
    figure = Figure(HOSTILE, Decimal(1), Source("calculation", HOSTILE))
    turn = replace(
        CARD,
        message=HOSTILE,
        batch=(item, replace(item, item=2)),
        notes=(HOSTILE,),
        problem=HOSTILE,
        options=(HOSTILE,),
        figures=(figure,),
        changes=(Change(HOSTILE, Decimal(1), Decimal(2)),),
    )
    keep(sample, turn)
    opened(window)
    window.button(key="card-p1-edit").click().run()
    slots = [texts(window), *labels(window), *(expander.label for expander in window.expander)]
    slots += [str(option) for group in window.get("button_group") for option in group.options]
    for slot in slots:
        for mark in ("![", "](http", ":green-badge[PAID]", "$x$", "<b>", "**bold**", "`c`"):
            assert mark not in slot, slot


def test_a_conversation_is_renamed_and_deleted_after_a_second_word(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, ANSWER)
    opened(window).text_input(key="conversation-name-t1").set_value("Food in November").run()
    assert [info.title for info in sample.conversations()] == ["Food in November"]
    window.button(key="conversation-delete").click().run()
    assert sample.conversations()
    window.button(key="conversation-delete-yes").click().run()
    assert not window.exception
    assert sample.conversations() == ()
    assert window.title[0].value == "What should we look at?"


def test_conversations_are_searched_by_their_words(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, ANSWER, replace(ANSWER, thread="t2", request="r9", message="rent in october"))
    opened(window)
    window.text_input(key="conversation-search").set_value("rent").run()
    found = [button for button in window.button if str(button.key).startswith("conversation-open-")]
    assert [button.label.split(" :gray")[0] for button in found] == ["Rent in october"]
    assert window.query_params["c"] == ["t1"] or window.query_params["c"] == "t1", "searching opens nothing"


def test_conversations_of_one_name_are_opened_and_deleted_each_for_itself(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, *(replace(ANSWER, thread=f"t{number}", request=f"r{number}") for number in (1, 2, 3)))
    opened(window, "t3").button(key="conversation-open-t2").click().run()
    assert not window.exception
    assert window.query_params["c"] in ("t2", ["t2"])
    window.button(key="conversation-delete").click().run()
    window.button(key="conversation-delete-yes").click().run()
    assert sorted(info.id for info in sample.conversations()) == ["t1", "t3"]


def test_figures_that_read_the_same_open_each_its_own_source(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    store = sample.book()
    assert store is not None
    spent = [entry for entry in store.read().book.entries if entry.amount_cell.startswith("NOVEMBER!F")][:2]
    figures = tuple(
        Figure("₹300.00", Decimal(300), Source("cell", entry.amount_cell, (entry.amount_cell,))) for entry in spent
    )
    keep(sample, replace(ANSWER, figures=figures))
    opened(window)
    chips = window.get("button_group")[0]
    assert len({option.content for option in chips.proto.options}) == 2
    for number, entry in enumerate(spent):
        window.get("button_group")[0].set_value(number).run()
        assert not window.exception
        assert list(window.dataframe[0].value["Description"]) == [entry.description]


def test_the_sidebar_says_the_same_as_the_receipt_of_a_typed_yes_and_undo(sample: Workbench, window: AppTest) -> None:
    store = sample.book()
    assert store is not None
    window.run()
    window.chat_input(key="message").set_value("upma 55 cash").run()
    for word in ("yes", "undo"):
        window.chat_input(key="message").set_value(word).run()
        assert not window.exception
        cash = rupees(store.read().book.balances["MONEY"])
        assert cash in "\n".join(element.value for element in window.sidebar.markdown).replace("\\", ""), word


def test_a_long_conversation_shows_its_latest_turns_and_the_rest_on_request(
    sample: Workbench, window: AppTest, keep: Callable[..., None]
) -> None:
    keep(sample, *(replace(ANSWER, request=f"r{number}", message=f"question {number}") for number in range(25)))
    opened(window)
    assert len(window.chat_message) == 40
    window.button(key="earlier").click().run()
    assert len(window.chat_message) == 50


def test_a_dropped_book_is_read_first_and_opened_only_on_a_yes(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").upload("Mine.xlsx", sample_book(TODAY)).set_value("").run()
    assert not window.exception
    assert "**Open Mine\\.xlsx?**" in texts(window)
    assert window.button(key="offer-open").proto.type == "primary"
    before = sample.book()
    assert before is not None
    assert before.path.name == "Sample.xlsx"
    window.button(key="offer-open").click().run()
    after = sample.book()
    assert after is not None
    assert after.path.name == "Mine.xlsx"


def test_beside_an_open_card_a_dropped_book_s_button_steps_back(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").set_value("upma 55 cash").run()
    window.chat_input(key="message").upload("Mine.xlsx", sample_book(TODAY)).set_value("").run()
    assert not window.exception
    assert [button.label for button in window.button if button.proto.type == "primary"] == ["Save to book"]


def test_a_conversation_has_its_name_as_heading(sample: Workbench, window: AppTest, keep: Callable[..., None]) -> None:
    keep(sample, ANSWER)
    assert [title.value for title in opened(window).title] == ["How much on food?"]


def test_a_blank_book_says_which_balances_are_not_set(bench: Workbench, window: AppTest) -> None:
    bench.blank()
    window.run()
    written = [element.value for element in window.sidebar.markdown]
    assert sum("not set" in value for value in written) == 4


def test_a_dropped_file_that_is_no_book_is_refused_with_a_sentence(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").upload("notes.xlsx", io.BytesIO(b"not a zip").getvalue()).set_value("").run()
    assert not window.exception
    assert "**notes\\.xlsx** was not opened" in window.error[0].value


class PatientRunner:
    """A graph that takes until it is stopped."""

    def __init__(self) -> None:
        self.started = threading.Event()

    def run(self, stored: Any, *, recorder: Recorder, stopping: threading.Event, **_: Any) -> Turn:
        moment = recorder.started("classify", "ask")
        recorder.ended("classify", moment, "ok", "ask")
        recorder.started("ledger_query", "Food in November")
        self.started.set()
        stopping.wait(5)
        return Turn(
            stored.thread, stored.id, stored.given["message"], "Stopped. Nothing was written.", intents=("stop",)
        )

    def close(self) -> None:
        return


def test_a_running_turn_shows_its_steps_survives_a_reload_and_can_be_stopped(
    sample: Workbench, window: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = PatientRunner()
    monkeypatch.setattr(sample, "_runner", runner)
    window.run()
    window.chat_input(key="message").set_value("how much on food?").run()
    assert not window.exception
    assert runner.started.wait(5)
    thread = window.query_params["c"]
    again = opened(AppTest.from_file(window._script_path, default_timeout=30), thread)
    steps = " ".join(status.label for status in again.status)
    assert "Understood the message" in steps
    assert "Reading the book" in steps
    assert "You can leave this page" in texts(again)
    next(button for button in again.button if button.label == "Stop").click().run()
    again.run()
    assert "Stopped\\. Nothing was written\\." in texts(again)
    assert "Stop" not in labels(again)


def test_a_card_survives_a_restart_and_is_saved_once(
    sample: Workbench, window: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.run()
    window.chat_input(key="message").set_value("spent 500 on groceries via phonepe").run()
    assert "Save to book" in labels(window)
    thread = window.query_params["c"]
    sample._runner.close()

    with Workbench.open(sample.settings, sample._clock) as again:
        monkeypatch.setattr(desk, "open_workbench", lambda: again)
        desk.workbench.clear()
        reopened = opened(AppTest.from_file(window._script_path, default_timeout=30), thread)
        store = again.book()
        assert store is not None
        before = len(store.read().book.entries)
        next(button for button in reopened.button if button.label == "Save to book").click().run()
        assert not reopened.exception
        assert "Saved" in texts(reopened)
        assert "Save to book" not in labels(reopened)
        assert len(store.read().book.entries) == before + 1


def test_a_card_is_edited_with_the_form_and_the_new_one_says_so(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").set_value("spent 500 on groceries via phonepe").run()
    next(button for button in window.button if button.label == "Edit").click().run()
    amount = next(field for field in window.text_input if field.label == "Amount ₹")
    amount.set_value("650").run()
    next(button for button in window.button if button.label == "Apply").click().run()
    window.run()
    assert not window.exception
    assert "**−₹650\\.00**" in texts(window)
    assert labels(window).count("Save to book") == 1


def test_a_receipt_is_said_once_and_can_be_undone(sample: Workbench, window: AppTest) -> None:
    store = sample.book()
    assert store is not None
    before = store.path.read_bytes()
    window.run()
    window.chat_input(key="message").set_value("spent 500 on groceries via phonepe").run()
    window.chat_input(key="message").set_value("yes").run()
    assert "now holds" not in texts(window)
    assert store.path.read_bytes() != before
    next(button for button in window.button if button.label == "Undo").click().run()
    assert not window.exception
    assert "Undone" in texts(window)
    assert "Undo" not in labels(window)
    assert store.path.read_bytes() == before


def test_another_book_is_uploaded_and_the_first_one_chosen_again(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.file_uploader(key="book-upload-0").upload("Mine.xlsx", sample_book(TODAY)).run()
    assert not window.exception
    store = sample.book()
    assert store is not None
    assert store.path.name == "Mine.xlsx"
    next(button for button in window.button if button.label == "Sample\\.xlsx").click().run()
    again = sample.book()
    assert again is not None
    assert again.path.name == "Sample.xlsx"


def test_an_upload_that_is_no_book_says_why_and_changes_nothing(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.file_uploader(key="book-upload-0").upload("notes.xlsx", b"not a zip").run()
    assert not window.exception
    assert "notes" in window.error[0].value
    store = sample.book()
    assert store is not None
    assert store.path.name == "Sample.xlsx"


def test_a_blank_book_asks_what_a_mode_held_before(bench: Workbench, window: AppTest) -> None:
    window.run()
    window.button(key="first-blank").click().run()
    window.chat_input(key="message").set_value("spent 500 on groceries via phonepe").run()
    assert not window.exception
    assert "How much was in PhonePe before it?" in texts(window).replace("\\", "")
    next(button for button in window.button if button.label == "0").click().run()
    assert not window.exception
    assert window.button(key=next(b.key for b in window.button if b.label == "Save to book")).disabled
