"""Messages of banks, cards, wallets and UPI apps: which tell of money that moved, how much, which way, to whom."""

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.statements.sms import NotTransaction, SmsTransaction, looks_like_sms, read_sms, split_sms

with Path(__file__).with_name("sms.toml").open("rb") as file:
    MESSAGES = tomllib.load(file)
MOVED = [(each["text"], each["amount"], each["direction"], each["payee"]) for each in MESSAGES["moved"]]
NONE = [(each["text"], each["reason"]) for each in MESSAGES["none"]]


def moved(text: str) -> SmsTransaction:
    read = read_sms(text)
    assert isinstance(read, SmsTransaction), read
    return read


@pytest.mark.parametrize(("text", "amount", "direction", "payee"), MOVED)
def test_a_message_of_money_that_moved_says_how_much_and_which_way(
    text: str, amount: str, direction: str, payee: str
) -> None:
    read = moved(text)
    assert (read.amount, read.direction) == (Decimal(amount), direction)
    if payee and payee not in ("JARIR", "TRADER"):
        assert payee.casefold() in read.payee.casefold()


@pytest.mark.parametrize(("text", "reason"), NONE)
def test_a_message_of_money_that_did_not_move_is_no_transaction(text: str, reason: str) -> None:
    read = read_sms(text)
    assert isinstance(read, NotTransaction)
    assert read.reason == reason
    assert read.sentence.endswith(".")


def test_balance_account_reference_and_day_are_read() -> None:
    read = moved(
        "Rs.75.00 debited from A/c XX4321 on 12-11-2026 to MILK BOOTH. UPI Ref no 612345678901. Avl Bal Rs.3,500.75"
    )
    assert (read.balance, read.account, read.reference, read.day) == (
        Decimal("3500.75"),
        "4321",
        "612345678901",
        date(2026, 11, 12),
    )


def test_a_credit_card_spend_is_money_out_and_its_refund_money_in() -> None:
    spent = moved("INR 640.00 spent on your Credit Card ending 8812 at HPCL on 10-11-26.")
    refund = moved("Refund of INR 640.00 from HPCL has been credited to your Credit Card ending 8812.")
    assert (spent.direction, spent.card, refund.direction) == ("DEBIT", True, "CREDIT")


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("Rs.60 debited from A/c X4321 trf to CHAI via UPI Ref 612345678901", "BANK"),
        ("Rs.99 paid to JIO from Paytm Wallet. Updated balance Rs 401.", "WALLET"),
        ("You've paid Rs. 220 to Uber India using UPI. Ref 612345678901", "PHONEPE"),
    ],
)
def test_the_message_says_where_the_money_is_kept(text: str, mode: str) -> None:
    assert moved(text).mode == mode


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("USD 12.50 spent using Card XX8812 on 10-Nov-26 at OPENBOOKS. Avl Limit: INR 90,000.00", "USD", "12.50"),
        ("Purchase of AED 88.25 at LULU with Debit Card ending 8812", "AED", "88.25"),
        ("KWD 1.250 debited from account XX4321 at CAFE", "KWD", "1.250"),
        ("Purchase THB 120.00 (INR 290.40) with card *8812 at NOODLES", "INR", "290.40"),
    ],
)
def test_another_currency_is_read_as_it_is_written(text: str, currency: str, amount: str) -> None:
    read = moved(text)
    assert (read.currency, read.amount) == (currency, Decimal(amount))


FIRST = "Rs.60 debited from A/c X4321 on 12-11-26 to CHAI POINT. UPI Ref 612345678901"
SECOND = "Rs.900 credited to A/c X4321 on 13-11-26 from RAVI. UPI Ref 612345678902"
OTP = "123456 is your OTP for txn of Rs 2,000.00 at SHOP. Do not share it with anyone."


@pytest.mark.parametrize("between", ["\n", "\n\n", "\r\n\r\n"])
def test_messages_pasted_together_are_read_one_by_one(between: str) -> None:
    messages = split_sms(between.join((FIRST, OTP, SECOND)))
    assert [isinstance(read_sms(message), SmsTransaction) for message in messages] == [True, False, True]


def test_one_message_of_several_lines_stays_one() -> None:
    text = "Sent Rs.450.00\nFrom HDFC Bank A/C *4321\nTo RAJESH KUMAR\nOn 12/11/26\nRef 612345678901"
    assert split_sms(text) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "spent 500 on groceries via phonepe",
        "received 5000 salary in bank",
        "coffee 100 cash and auto 50 upi",
        "refund 749 from myntra to bank",
        "salary credited 50000 bank",
        "how much did I spend on food",
        "atm withdrawal 2000",
        "my card bill 5000 was paid from bank",
        "500 debited from bank for emi",
        "can I afford a phone for 12,000",
        "the petrol of 9 Nov was cash",
    ],
)
def test_a_persons_own_words_are_not_taken_for_a_banks(text: str) -> None:
    assert not looks_like_sms(text)


def test_a_banks_words_are_known_for_what_they_are() -> None:
    assert all(map(looks_like_sms, (FIRST, SECOND, OTP)))
