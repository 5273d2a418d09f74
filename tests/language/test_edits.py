"""What changes an open card, in words."""

from datetime import date

import pytest

from agent.language.edits import Edited, apply_edits
from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.language.transactions import parse_transactions

TODAY = date(2026, 11, 30)
ONE, TWO, MOVE = "tea 20 cash", "idli 50 cash\ndosa 80 phonepay", "moved 500 from bank to wallet"


def edit(message: str, card: str, knowledge: Knowledge) -> Edited | None:
    return apply_edits(message, parse_transactions(card, TODAY, knowledge), TODAY, knowledge)


def edited(message: str, card: str, knowledge: Knowledge) -> tuple[Item, ...]:
    result = edit(message, card, knowledge)
    assert result is not None
    assert result.refused is None
    return result.items


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("make it 600", "amount", 600),
        ("no, make it 600", "amount", 600),
        ("change amount to 1.5k", "amount", 1500),
        ("600 not 20", "amount", 600),
        ("it was upi", "mode", "PHONEPE"),
        ("actually paid by card", "mode", "BANK"),
        ("wallet instead of cash", "mode", "WALLET"),
        ("change cash to upi", "mode", "PHONEPE"),
        ("change the date to yesterday", "date", date(2026, 11, 29)),
        ("change date to 5 nov", "date", date(2026, 11, 5)),
        ("description masala chai", "description", "masala chai"),
        ("change tea to masala tea", "description", "masala tea"),
        ("rename it to chai", "description", "chai"),
        ("category travel", "category", "Travel"),
        ("make it travel", "category", "Travel"),
        ("remove category", "category", None),
        ("it's income", "direction", "CREDIT"),
        ("tag it party", "tags", ("PARTY",)),
        ("add [party]", "tags", ("PARTY",)),
    ],
)
def test_the_one_item_is_changed(message: str, field: str, value: object, knowledge: Knowledge) -> None:
    (item,) = edited(message, ONE, knowledge)
    assert getattr(item, field) == value


def test_several_edits_in_one_message(knowledge: Knowledge) -> None:
    first, second = edited("item 1 description masala tea, item 2 mode wallet", TWO, knowledge)
    assert (first.description, first.mode, second.mode) == ("masala tea", "MONEY", "WALLET")


@pytest.mark.parametrize(
    ("message", "amounts", "modes"),
    [
        ("edit item 2 amount to 500", [50, 500], ["MONEY", "PHONEPE"]),
        ("change the amount of dosa to 500", [50, 500], ["MONEY", "PHONEPE"]),
        ("idli was 60 and dosa was 90", [60, 90], ["MONEY", "PHONEPE"]),
        ("second one was cash", [50, 80], ["MONEY", "MONEY"]),
        ("item 2 amount 500 and mode wallet", [50, 500], ["MONEY", "WALLET"]),
        ("make both upi", [50, 80], ["PHONEPE", "PHONEPE"]),
        ("cancel item 2", [50], ["MONEY"]),
        ("remove the last one", [50], ["MONEY"]),
        ("remove 1 and 2", [], []),
        ("delete dosa", [50], ["MONEY"]),
        ("add tea 20 cash", [50, 80, 20], ["MONEY", "PHONEPE", "MONEY"]),
    ],
)
def test_items_are_named_by_number_order_or_words(
    message: str, amounts: list[int], modes: list[str], knowledge: Knowledge
) -> None:
    items = edited(message, TWO, knowledge)
    assert ([item.amount for item in items], [item.mode for item in items]) == (amounts, modes)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("item 9 amount 10", "item 9"),
        ("item 1 category food and item 2 category nope", "nope"),
        ("item 2 mode xyz", "xyz"),
        ("item 1 amount 0", "more than zero"),
        ("item 1 amount $10", "another currency"),
        ("item 1 date tomorrow", "still to come"),
        ("change the date to yesterday", "Which item"),
        ("cancel 3", "item 3"),
    ],
)
def test_what_cannot_be_done_changes_nothing_and_says_why(message: str, names: str, knowledge: Knowledge) -> None:
    before = parse_transactions(TWO, TODAY, knowledge)
    result = apply_edits(message, before, TODAY, knowledge)
    assert result is not None
    assert result.items == before
    assert result.refused is not None
    assert names in result.refused


@pytest.mark.parametrize(
    "message",
    [
        "hmm maybe",
        "yes",
        "cancel",
        "stop",
        "coffee 50 cash",
        "what is my bank balance?",
        "it was delicious",
        "add it",
        "tea 30",
        "make it quick",
        "show my expenses",
        "how much did I spend on food",
        "",
    ],
)
def test_no_edit_is_none(message: str, knowledge: Knowledge) -> None:
    assert edit(message, ONE, knowledge) is None


@pytest.mark.parametrize("message", ["make it 600", "item 1 amount 600", "item 2 amount 600"])
def test_both_rows_of_a_move_change_together(message: str, knowledge: Knowledge) -> None:
    assert [item.amount for item in edited(message, MOVE, knowledge)] == [600, 600]
    assert edited("remove item 1", MOVE, knowledge) == ()


def test_a_new_description_finds_its_category_but_never_overrides_the_users(knowledge: Knowledge) -> None:
    assert edited("description petrol", ONE, knowledge)[0].category == "Travel"
    assert edited("description petrol", "tea 20 cash category groceries", knowledge)[0].category == "Groceries"


@pytest.mark.parametrize(
    "message", ['description "Team lunch" with tag [office]', "description Team lunch tag [office]"]
)
def test_a_description_ends_where_a_tag_begins(message: str, knowledge: Knowledge) -> None:
    item = edited(message, ONE, knowledge)[0]
    assert (item.description, item.tags) == ("Team lunch", ("OFFICE",))
