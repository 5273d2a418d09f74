"""Statements and a bank's own messages brought into the conversation: one card, one write, one undo, nothing twice."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from agent import Settings, Turn, Workbench, clock_on

TODAY = date(2026, 11, 30)
CHAI = (
    "Dear UPI user A/C X4321 debited by 60.0 on date 28Nov26 trf to CHAI POINT Refno 612345678901. "
    "If not u? call 1800111109. -SBI"
)
ATM = "Rs.2,000.00 withdrawn at SBI ATM S1AB000123 from A/cX4321 on 11Nov26. Available Balance Rs.10,000."
OTP = "123456 is your OTP for txn of Rs 2,000.00 at AMAZON on card ending 8812. Do not share it with anyone."
DOLLARS = "USD 12.50 spent using ICICI Bank Card XX7003 on 11-Nov-26 on OPENBOOKS. Avl Limit: INR 97,501.00."


@pytest.fixture
def bench(tmp_path: Path):  # type: ignore[no-untyped-def]
    with Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(TODAY)) as opened:
        opened.open_sample()
        yield opened


def statement(rows: int, first: date = date(2026, 9, 1)) -> bytes:
    lines = ["Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance"]
    balance = 50_000
    for number in range(rows):
        day = (first + timedelta(days=number * 80 // max(rows, 1))).strftime("%d/%m/%y")
        balance -= 11 + number % 7
        name = f"UPI-SHOP {number % 9}-SHOP@YBL-YESB0000001-6123456{number:05d}-UPI"
        lines.append(f"{day},{name},,{day},{11 + number % 7}.00,,{balance}.00")
    return "\n".join(lines).encode()


def brought(bench: Workbench, data: bytes, thread: str = "t") -> Turn:
    taken = bench.hold_statement(bench.read_statement(data, "hdfc.csv"), "BANK")
    request = bench.import_statement(taken, thread)
    return next(event.turn for event in bench.events(request) if event.turn)


def test_a_banks_message_comes_to_a_card_and_is_written_on_a_yes(bench: Workbench) -> None:
    turn = bench.ask(CHAI, "t")
    assert [(i.description, i.mode, i.direction, i.amount, i.date) for i in turn.batch] == [
        ("CHAI POINT", "BANK", "DEBIT", Decimal("60.0"), date(2026, 11, 28))
    ]
    assert bench.ask("yes", "t").written


def test_the_same_message_again_brings_nothing_until_its_write_is_taken_back(bench: Workbench) -> None:
    bench.ask(CHAI, "t")
    bench.ask("yes", "t")
    again = bench.ask(CHAI, "t")
    assert not again.batch
    assert "in the book already" in again.reply
    bench.ask("undo", "t")
    assert bench.ask(CHAI, "t").batch


def test_a_password_is_no_transaction_and_the_reply_says_so(bench: Workbench) -> None:
    turn = bench.ask(OTP, "t")
    assert not turn.batch
    assert turn.state == "idle"
    assert turn.reply.startswith("That message is no transaction")


def test_cash_from_a_machine_is_a_move_between_own_modes(bench: Workbench) -> None:
    turn = bench.ask(ATM, "t")
    assert [(i.mode, i.direction, i.category) for i in turn.batch] == [
        ("BANK", "DEBIT", "Transfer"),
        ("MONEY", "CREDIT", "Transfer"),
    ]
    assert {figure.text for figure in turn.figures} >= {"₹10,000.00", "₹2,000.00"}


def test_another_currency_is_asked_about_and_never_converted(bench: Workbench) -> None:
    turn = bench.ask(DOLLARS, "t")
    assert turn.asked
    assert (turn.asked.field, "USD" in turn.reply) == ("amount", True)


def test_several_messages_pasted_together_are_one_card(bench: Workbench) -> None:
    turn = bench.ask("\n\n".join((CHAI, OTP, ATM)), "t")
    assert len(turn.batch) == 3
    assert "password" in turn.reply


def test_where_an_account_is_kept_is_remembered_once_it_was_corrected(bench: Workbench) -> None:
    bench.ask(CHAI, "t")
    bench.ask("it was phonepe", "t")
    bench.ask("yes", "t")
    other = CHAI.replace("60.0", "75.0").replace("612345678901", "612345678999")
    assert [item.mode for item in bench.ask(other, "t").batch] == ["PHONEPE"]


def test_a_message_pasted_while_a_card_is_open_is_offered_to_it(bench: Workbench) -> None:
    bench.ask("tea 20 cash", "t")
    assert len(bench.ask(CHAI, "t").batch) == 1
    assert len(bench.ask("add it", "t").batch) == 2


def test_a_statement_of_500_rows_is_one_write_and_one_undo(bench: Workbench) -> None:
    store = bench.book()
    assert store
    before = store.read().book
    turn = brought(bench, statement(500))
    assert (len(turn.batch), turn.state) == (500, "awaiting_confirmation")
    assert len(bench.ask("yes", "t").written) == 500
    assert len(store.read().book.entries) == len(before.entries) + 500
    bench.ask("undo", "t")
    assert store.read().book.entries == before.entries


def test_a_longer_statement_that_overlaps_brings_only_what_is_new(bench: Workbench) -> None:
    brought(bench, statement(20))
    bench.ask("yes", "t")
    first, later = statement(20), statement(25)
    longer = first + b"\n" + b"\n".join(later.splitlines()[21:])
    taken = bench.hold_statement(bench.read_statement(longer, "hdfc.csv"), "BANK")
    assert (len(taken.new), len(taken.known)) == (5, 20)


def test_what_was_taken_over_stays_known_when_its_row_is_changed_in_the_book(bench: Workbench) -> None:
    brought(bench, statement(1))
    bench.ask("yes", "t")
    bench.ask("that was 99, not 11", "t")
    bench.ask("yes", "t")
    assert not bench.hold_statement(bench.read_statement(statement(1), "hdfc.csv"), "BANK").new


def test_nothing_of_a_statement_is_written_without_a_yes(bench: Workbench) -> None:
    store = bench.book()
    assert store
    before = store.read().book.sha256
    brought(bench, statement(6))
    bench.ask("cancel", "t")
    assert store.read().book.sha256 == before
