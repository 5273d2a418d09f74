"""Taking writes back: a receipt's own one, and the last one of the book, whoever made it."""

from datetime import date
from decimal import Decimal

from agent import Turn, Workbench, plain_text
from ledger.edits import Add, Delete
from ledger.entries import Draft


def saved(workbench: Workbench, message: str, thread: str) -> Turn:
    workbench.ask(message, thread)
    receipt = workbench.ask("yes", thread)
    assert receipt.written, receipt.reply
    return receipt


def standing(workbench: Workbench) -> set[str]:
    store = workbench.book()
    assert store is not None
    return {entry.description for entry in store.read().book.entries}


def test_a_receipt_takes_back_its_own_write_though_another_conversation_saved_after_it(workbench: Workbench) -> None:
    receipt = saved(workbench, "jalebi 40 cash", "a")
    saved(workbench, "kachori 15 cash", "b")
    undone = workbench.undo("a", write=receipt.request)
    assert "Jalebi ₹40.00" in plain_text(undone.reply)
    assert "JALEBI" not in standing(workbench)
    assert "KACHORI" in standing(workbench)


def test_a_receipt_whose_write_was_undone_elsewhere_says_so(workbench: Workbench) -> None:
    receipt = saved(workbench, "jalebi 40 cash", "a")
    assert workbench.messages("a")[-1].undoable
    workbench.ask("undo", "b")
    assert not workbench.messages("a")[-1].undoable
    again = workbench.undo("a", write=receipt.request)
    assert "undone already" in again.reply


def test_what_must_be_undone_first_is_named(workbench: Workbench) -> None:
    receipt = saved(workbench, "jalebi 40 cash", "a")
    store = workbench.book()
    assert store is not None
    row = next(entry for entry in store.read().book.entries if entry.description == "JALEBI")
    store.change([Delete(row)], request="ledger-1", who="ledger")
    refused = workbench.undo("a", write=receipt.request)
    assert "Undo that first" in plain_text(refused.reply)


def test_undo_names_what_it_took_back_and_where_it_came_from(workbench: Workbench) -> None:
    saved(workbench, "jalebi 40 cash", "a")
    elsewhere = plain_text(workbench.ask("undo", "b").reply)
    assert "Jalebi ₹40.00" in elsewhere
    assert "saved in another conversation" in elsewhere

    saved(workbench, "kachori 15 cash", "b")
    assert "another conversation" not in workbench.ask("undo", "b").reply

    store = workbench.book()
    assert store is not None
    draft = Draft(date(2026, 11, 30), "lassi", "MONEY", "DEBIT", Decimal(50), None)
    store.change([Add(draft)], request="ledger-1", who="ledger")
    ledger = plain_text(workbench.ask("undo", "b").reply)
    assert "Lassi ₹50.00" in ledger
    assert "saved on the Ledger page" in ledger


def test_two_presses_of_one_undo_are_one(workbench: Workbench) -> None:
    receipt = saved(workbench, "jalebi 40 cash", "a")
    saved(workbench, "kachori 15 cash", "a")
    first = workbench.undo("a", "u", write=receipt.request)
    assert workbench.undo("a", "u", write=receipt.request) == first
    assert "KACHORI" in standing(workbench)
