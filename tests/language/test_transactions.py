"""What a message tells of, and what an answer adds."""

from datetime import date
from decimal import Decimal

import pytest

from agent.language.items import Item, missing
from agent.language.knowledge import Knowledge
from agent.language.transactions import answer, parse_transactions, question_for

TODAY = date(2026, 11, 30)


def read(message: str, knowledge: Knowledge) -> tuple[Item, ...]:
    return parse_transactions(message, TODAY, knowledge)


def one(message: str, knowledge: Knowledge) -> Item:
    items = read(message, knowledge)
    assert len(items) == 1, items
    return items[0]


@pytest.mark.parametrize(
    ("message", "description", "amount", "mode"),
    [
        ("spent 500 on groceries via phonepay", "groceries", "500", "PHONEPE"),
        ("1000 phnpe harsha restaurant", "harsha restaurant", "1000", "PHONEPE"),
        ("headset 2000 money", "headset", "2000", "MONEY"),
        ("45 wallet senagapindi, soyachunks", "senagapindi, soyachunks", "45", "WALLET"),
        ("paid rs. 1,500/- for shirt by debit card", "shirt", "1500", "BANK"),
        ("petrol 2k upi", "petrol", "2000", "PHONEPE"),
        ("Lunch - 120 - Cash", "Lunch", "120", "MONEY"),
        ("please log 40 for xerox in cash", "xerox", "40", "MONEY"),
        ("Spent Rs 1,250.50 on Big Bazaar with HDFC debit card", "Big Bazaar", "1250.50", "BANK"),
        ("10.00 Coffee (large)", "Coffee (large)", "10.00", None),
        ("dinner 500 upi, with friends and family", "dinner, with friends and family", "500", "PHONEPE"),
        ("3 coffees 40 each upi", "3 coffees", "120", "PHONEPE"),
        ("movie 2 x 150 upi", "movie", "300", "PHONEPE"),
        ("2 kg rice 60 per kg cash", "2 kg rice", "120", "MONEY"),
        ("five hundred on shoes by card", "shoes", "500", "BANK"),
    ],
)
def test_one_expense_is_read_in_the_users_words(
    message: str, description: str, amount: str, mode: str | None, knowledge: Knowledge
) -> None:
    item = one(message, knowledge)
    assert (item.description, item.amount, item.mode) == (description, Decimal(amount), mode)
    assert (item.direction, item.date) == ("DEBIT", TODAY)


@pytest.mark.parametrize(
    ("message", "mode", "description"),
    [
        ("bank charges 118 via gpay", "PHONEPE", "bank charges"),
        ("bank charges 118", "BANK", "bank charges"),
        ("bought a wallet for 500 cash", "MONEY", "wallet"),
        ("wallet 500 cash", "MONEY", "wallet"),
        ("gift card 500 upi", "PHONEPE", "gift card"),
        ("paid credit card bill 5000 from bank", "BANK", "credit card bill"),
        ("pay 200 to bank guy by cash", "MONEY", "bank guy"),
        ("bought wallet 700", None, "wallet"),
    ],
)
def test_a_mode_word_that_belongs_to_what_was_bought_is_not_the_mode(
    message: str, mode: str | None, description: str, knowledge: Knowledge
) -> None:
    item = one(message, knowledge)
    assert (item.mode, item.description) == (mode, description)


def test_money_given_to_somebody_is_not_the_mode(knowledge: Knowledge) -> None:
    assert one("gave money to amma via upi", knowledge).mode == "PHONEPE"


@pytest.mark.parametrize(
    ("message", "modes"),
    [("paid 300 by bank or cash for milk", {"BANK", "MONEY"}), ("coffee 100 cash upi", {"MONEY", "PHONEPE"})],
)
def test_two_modes_are_asked_not_guessed(message: str, modes: set[str], knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert item.mode is None
    assert item.doubt is not None
    assert set(item.doubt.removeprefix("two_modes:").split(",")) == modes
    assert "Cash" in question_for(item, 1, 1)


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("idli 50 cash\ndosa 80 phonepay", [("idli", 50, "MONEY"), ("dosa", 80, "PHONEPE")]),
        ("coffee 100 cash and tea 50 upi", [("coffee", 100, "MONEY"), ("tea", 50, "PHONEPE")]),
        ("idli 50 cash;vada 30 upi;", [("idli", 50, "MONEY"), ("vada", 30, "PHONEPE")]),
        (
            "idli 50 cash\nvada upi\ndosa 80 wallet",
            [("idli", 50, "MONEY"), ("vada", None, "PHONEPE"), ("dosa", 80, "WALLET")],
        ),
        ("coffee 100 cash and tea upi", [("coffee", 100, "MONEY"), ("tea", None, "PHONEPE")]),
        ("milk, bread 50 cash, tea 20 upi", [("milk, bread", 50, "MONEY"), ("tea", 20, "PHONEPE")]),
        ("coffee 100 tea 50 cash", [("coffee", 100, None), ("tea", 50, "MONEY")]),
        ("1. idli 50 cash\n2. vada 30 upi", [("idli", 50, "MONEY"), ("vada", 30, "PHONEPE")]),
        ("coffee 100 and tea 50 all by upi", [("coffee", 100, "PHONEPE"), ("tea", 50, "PHONEPE")]),
        ("idli\n50\ncash", [("idli", 50, "MONEY")]),
    ],
)
def test_several_items_keep_their_own_amount_and_mode(
    message: str, rows: list[tuple[str, int | None, str | None]], knowledge: Knowledge
) -> None:
    assert [(item.description, item.amount, item.mode) for item in read(message, knowledge)] == rows


@pytest.mark.parametrize(
    "message",
    [
        "received salary 1.5 lakh in bank",
        "salary 50000 credited to bank",
        "cashback 50 phonepe",
        "ravi paid me back 500 upi",
        "ravi paid back 500 upi",
        "got 500 from appa cash",
        "stipend of 8000 in account",
        "appa gave me 1000 cash",
    ],
)
def test_a_signal_makes_it_income_without_a_category(message: str, knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert (item.direction, item.category) == ("CREDIT", None)


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("received refund of 1,299 from amazon to bank", "Shopping"),
        ("refund from amazon 1200 card", "Shopping"),
        ("returned shirt got 500 refund bank", "Shopping"),
        ("cashback on petrol 20 wallet", "Travel"),
        ("refund for team lunch 300 upi", "Food"),
        ("refund 100 cash", None),
        ("refund from ravi 200 upi", None),
        ("ravi returned 500 cash", None),
    ],
)
def test_a_refund_lowers_the_spending_it_pays_back(message: str, category: str | None, knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert (item.direction, item.category) == ("CREDIT", category)


@pytest.mark.parametrize(
    "message",
    [
        "I paid back ravi 500 upi",
        "paid credit card bill 5000 from bank",
        "maid salary 3000 cash",
        "income tax 5000 bank",
        "lent 500 to ravi cash",
        "got coffee from dmart 500 upi",
    ],
)
def test_paying_is_no_income_whatever_words_it_has(message: str, knowledge: Knowledge) -> None:
    assert one(message, knowledge).direction == "DEBIT"


@pytest.mark.parametrize(
    "message", ["akka gave 1500 to savings", "bonus 5000 bank", "500 from amma bank", "dad transferred 5000 via upi"]
)
def test_what_only_reads_like_income_is_asked(message: str, knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert (missing(item), item.doubt) == ("direction", "looks_like_income")
    answered = answer(item, "direction", "coming in", TODAY, knowledge)
    assert answered is not None
    assert (answered.direction, missing(answered)) == ("CREDIT", None)


@pytest.mark.parametrize(
    ("message", "source", "target"),
    [
        ("moved 500 from bank to wallet", "BANK", "WALLET"),
        ("withdrew 500 from the atm", "BANK", "MONEY"),
        ("withdrew 500", "BANK", "MONEY"),
        ("topped up wallet 500 from bank", "BANK", "WALLET"),
        ("loaded 500 into paytm via upi", "PHONEPE", "WALLET"),
        ("deposited 500 cash in bank", "MONEY", "BANK"),
        ("transferred 500 to wallet", None, "WALLET"),
    ],
)
def test_money_moved_between_own_modes_is_two_rows_money_out_first(
    message: str, source: str | None, target: str, knowledge: Knowledge
) -> None:
    out, into = read(message, knowledge)
    assert (out.mode, out.direction, into.mode, into.direction) == (source, "DEBIT", target, "CREDIT")
    assert (out.amount, into.amount) == (500, 500)
    assert (out.category, into.category) == ("Transfer", "Transfer")


@pytest.mark.parametrize(
    "message", ["mobile topup 199 upi", "sent 500 from bank to amma", "ravi transferred 500 to bank"]
)
def test_a_payment_is_no_move_between_own_modes(message: str, knowledge: Knowledge) -> None:
    assert len(read(message, knowledge)) == 1


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("petrol 100 upi on 5 november", date(2026, 11, 5)),
        ("28/11 lunch 120 cash", date(2026, 11, 28)),
        ("chai 10 yesterday cash", date(2026, 11, 29)),
    ],
)
def test_the_day_is_today_unless_said(message: str, day: date, knowledge: Knowledge) -> None:
    assert one(message, knowledge).date == day


def test_a_day_said_once_for_a_line_or_a_heading_is_everybodys(knowledge: Knowledge) -> None:
    for message in ("yesterday coffee 100 cash and tea 50 upi", "yesterday:\ncoffee 100 cash\ntea 50 upi"):
        assert {item.date for item in read(message, knowledge)} == {date(2026, 11, 29)}


def test_a_day_to_come_is_asked_about_and_taken_when_said_again(knowledge: Knowledge) -> None:
    item = one("tea 20 cash tomorrow", knowledge)
    assert (missing(item), item.date) == ("date", None)
    assert "1 Dec is still to come" in question_for(item, 1, 1)
    assert answer(item, "date", "5 december", TODAY, knowledge) == answer(item, "date", "5 dec", TODAY, knowledge)
    again = answer(item, "date", "tomorrow", TODAY, knowledge)
    assert again is not None
    assert again.date == date(2026, 12, 1)


def test_what_was_paid_for_may_lie_ahead(knowledge: Knowledge) -> None:
    item = one("movie ticket for tomorrow 300 upi", knowledge)
    assert (item.date, item.description) == (TODAY, "movie ticket for tomorrow")


@pytest.mark.parametrize(
    ("message", "doubt"),
    [
        ("$10 Coffee cash", "currency:USD"),
        ("Grab taxi RM25 cash", "currency:MYR"),
        ("0 tea cash", "not_positive"),
        ("tea -20 cash", "not_positive"),
        ("coffee 100 200 cash", "two_amounts"),
        ("coffee 40 each cash", "each"),
    ],
)
def test_an_amount_that_cannot_be_taken_is_asked(message: str, doubt: str, knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert (missing(item), item.doubt) == ("amount", doubt)
    answered = answer(item, "amount", "250", TODAY, knowledge)
    assert answered is not None
    assert (answered.amount, answered.doubts) == (250, ())


def test_a_tag_in_brackets_is_kept_and_not_described(knowledge: Knowledge) -> None:
    item = one("amma 300 cash [party] #home", knowledge)
    assert (item.description, item.tags, item.mode) == ("amma", ("PARTY", "HOME"), "MONEY")


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("lunch 250 as travel upi", "Travel"),
        ("tea 20 cash category groceries", "Groceries"),
        ("coffee 20 cash", "Food"),
        ("food 20 cash", "Food"),
        ("amma 20 cash", None),
    ],
)
def test_the_category_is_what_the_user_said_then_what_the_words_say(
    message: str, category: str | None, knowledge: Knowledge
) -> None:
    assert one(message, knowledge).category == category


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("coffee via upi", "How much was coffee?"),
        ("500 via upi", "What was the ₹500.00 for?"),
        ("spent 500 on groceries", "How was groceries paid: PhonePe, Wallet, Cash or Bank?"),
        ("salary 45000", "How was salary received: PhonePe, Wallet, Cash or Bank?"),
    ],
)
def test_what_is_missing_is_asked_in_the_users_words(message: str, question: str, knowledge: Knowledge) -> None:
    assert question_for(one(message, knowledge), 1, 1) == question


@pytest.mark.parametrize(
    ("message", "field", "reply", "value"),
    [
        ("coffee via upi", "amount", "it was around 100 I think", Decimal(100)),
        ("coffee via upi", "amount", "1.5k", Decimal(1500)),
        ("500 via upi", "description", "it was for a birthday gift", "birthday gift"),
        ("spent 500 on milk", "mode", "by phonepay", "PHONEPE"),
        ("paid 300 by bank or cash for milk", "mode", "bank", "BANK"),
        ("bonus 500 bank", "direction", "it came in", "CREDIT"),
        ("bonus 500 bank", "direction", "going out", "DEBIT"),
        ("tea 20 cash tomorrow", "date", "yesterday", date(2026, 11, 29)),
    ],
)
def test_an_answer_lands_on_the_field_asked(
    message: str, field: str, reply: str, value: object, knowledge: Knowledge
) -> None:
    item = one(message, knowledge)
    answered = answer(item, field, reply, TODAY, knowledge)  # type: ignore[arg-type]
    assert answered is not None
    assert getattr(answered, field) == value
    same = {"words", "tags"} | {"amount", "description", "mode", "date"} - {field}
    assert all(getattr(answered, other) == getattr(item, other) for other in same)


@pytest.mark.parametrize(
    ("message", "field", "reply"),
    [
        ("coffee via upi", "amount", "dunno meh"),
        ("coffee via upi", "amount", "whatever"),
        ("coffee via upi", "amount", "tea 50 cash"),
        ("coffee via upi", "amount", "-5"),
        ("coffee via upi", "amount", "$5"),
        ("500 via upi", "description", "hmm hmm"),
        ("500 via upi", "description", "500"),
        ("500 via upi", "description", "upi"),
        ("500 via upi", "description", "what is my bank balance"),
        ("milk 500", "mode", "bank or cash"),
        ("milk 500", "mode", "the usual"),
        ("bonus 500 bank", "direction", "maybe"),
        ("tea 20 cash tomorrow", "date", "soon"),
    ],
)
def test_a_useless_answer_is_none(message: str, field: str, reply: str, knowledge: Knowledge) -> None:
    assert answer(one(message, knowledge), field, reply, TODAY, knowledge) is None  # type: ignore[arg-type]


def test_a_described_item_finds_its_category(knowledge: Knowledge) -> None:
    answered = answer(one("500 via upi", knowledge), "description", "petrol", TODAY, knowledge)
    assert answered is not None
    assert answered.category == "Travel"


def test_only_a_complete_item_can_be_written(knowledge: Knowledge) -> None:
    draft = one("tea 20 cash [party]", knowledge).draft()
    assert (draft.stored_description, draft.amount, draft.category) == ("TEA [PARTY]", 20, "Food")
    with pytest.raises(ValueError, match="no mode"):
        one("tea 20", knowledge).draft()


@pytest.mark.parametrize(
    ("message", "description", "amount", "mode"),
    [
        ("emi 12,500 auto debited from hdfc account", "emi", 12500, "BANK"),
        ("paid ravi back 500 via gpay", "ravi", 500, "PHONEPE"),
        ("bus 13 fare 25 cash", "bus 13 fare", 25, "MONEY"),
        ("room 12 rent 500 cash", "room 12 rent", 500, "MONEY"),
        ("bus 45 cash", "bus", 45, "MONEY"),
        ("lunch 180 phonepe not cash", "lunch", 180, "PHONEPE"),
        ("notes on $x^2$ 20 cash", "notes on $x^2$", 20, "MONEY"),
    ],
)
def test_words_beside_an_amount_keep_their_own_meaning(
    message: str, description: str, amount: int, mode: str, knowledge: Knowledge
) -> None:
    item = one(message, knowledge)
    assert (item.description, item.amount, item.mode) == (description, amount, mode)
    assert item.category != "Travel" or "bus" in message


@pytest.mark.parametrize("message", ["paid half of 1000 to ravi cash", "paid ravi 20% advance of 50000 bank"])
def test_a_part_of_an_amount_is_asked_about(message: str, knowledge: Knowledge) -> None:
    item = one(message, knowledge)
    assert (missing(item), item.doubt) == ("amount", "part")
    assert "Say the amount in rupees" in question_for(item, 1, 1)


def test_the_mode_is_asked_in_plain_words(knowledge: Knowledge) -> None:
    assert question_for(one("lunch 180 (paid by ravi)", knowledge), 1, 1).startswith("How was lunch paid:")
