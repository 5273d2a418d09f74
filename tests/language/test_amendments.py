"""Rows of the book changed and deleted in words: what is one, which row it means, what the row becomes."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.amending import item_of
from agent.language.amendments import agrees_to_delete, amended, chosen, only_says_delete, parse_amendment
from agent.language.knowledge import Knowledge
from agent.language.sought import Sought, rows_meant, sought_in
from ledger.entries import Direction, Entry, Mode

TODAY = date(2026, 11, 30)


def row(
    day: int, description: str, amount: int, mode: Mode = "PHONEPE", category: str | None = None, number: int = 0
) -> Entry:
    direction: Direction = "DEBIT"
    when = date(2026, 11, day)
    return Entry(when, description, mode, direction, Decimal(amount), category, None, (), "NOVEMBER", number or day)


PETROL = row(5, "PETROL", 2000, category="Travel")
PETROL_LATER = row(19, "PETROL", 2100, category="Travel")
TEA = row(29, "TEA", 20, "MONEY", "Food")
SWIGGY = row(13, "SWIGGY ORDER", 250, category="Food")
CHARGES = row(14, "BANK CHARGES", 118)
BANK_TEA = row(15, "TEA", 30, "BANK", "Food")
BOOK = (PETROL, SWIGGY, CHARGES, BANK_TEA, PETROL_LATER, TEA)


@pytest.mark.parametrize(
    ("message", "action", "becomes", "said"),
    [
        ("that was 600, not 500", "edit", (("amount", "600"),), {"pointed": True, "amount": Decimal(500)}),
        ("no, it was 600", "edit", (("amount", "600"),), {"pointed": True}),
        ("that was 2100, not 2011", "edit", (("amount", "2100"),), {"amount": Decimal(2011), "first": None}),
        ("600 not 500", "edit", (("amount", "600"),), {"pointed": True, "amount": Decimal(500)}),
        ("it was not 500 but 600", "edit", (("amount", "600"),), {"pointed": True, "amount": Decimal(500)}),
        ("make it 600", "edit", (("amount", "600"),), {"pointed": True}),
        ("change the amount to 600", "edit", (("amount", "600"),), {"pointed": True}),
        ("change cash to upi", "edit", (("mode", "upi"),), {"pointed": True, "mode": "MONEY"}),
        ("change 500 to 600", "edit", (("amount", "600"),), {"pointed": True, "amount": Decimal(500)}),
        ("that should have been cash", "edit", (("mode", "cash"),), {"pointed": True}),
        ("that was yesterday", "edit", (("date", "yesterday"),), {"pointed": True}),
        (
            "the petrol of 5 Nov was cash",
            "edit",
            (("mode", "cash"),),
            {"words": ("petrol",), "first": date(2026, 11, 5)},
        ),
        ("the rent on 2 nov should be 15500", "edit", (("amount", "15500"),), {"words": ("rent",)}),
        ("change last swiggy to 300", "edit", (("amount", "300"),), {"words": ("swiggy",), "newest": True}),
        ("change the amount of last swiggy to 300", "edit", (("amount", "300"),), {"newest": True}),
        ("change petrol from 500 to 600", "edit", (("amount", "600"),), {"amount": Decimal(500)}),
        ("update tea's mode to upi", "edit", (("mode", "upi"),), {"words": ("tea",)}),
        ("move petrol from cash to upi", "edit", (("mode", "upi"),), {"mode": "MONEY"}),
        ("move the movie to food", "edit", (("category", "food"),), {"words": ("movie",)}),
        ("rename tea to masala tea", "edit", (("description", "masala tea"),), {"words": ("tea",)}),
        ("make the rent 15500", "edit", (("amount", "15500"),), {"words": ("rent",)}),
        ("make the petrol 600 cash", "edit", (("amount", "600"), ("mode", "cash")), {"words": ("petrol",)}),
        ("delete yesterday's tea", "delete", (), {"words": ("tea",), "first": date(2026, 11, 29)}),
        ("can you delete yesterday's tea?", "delete", (), {"words": ("tea",)}),
        ("delete the last entry", "delete", (), {"newest": True}),
        ("please remove the petrol of 500 on 5 nov", "delete", (), {"amount": Decimal(500)}),
        ("delete it", "delete", (), {"pointed": True}),
    ],
)
def test_what_is_wanted_of_which_row(
    knowledge: Knowledge, message: str, action: str, becomes: tuple[tuple[str, str], ...], said: dict[str, object]
) -> None:
    found = parse_amendment(message, TODAY, knowledge)
    assert found is not None
    assert (found.action, found.becomes) == (action, becomes)
    assert {name: getattr(found.sought, name) for name in said} == said


@pytest.mark.parametrize(
    "message",
    [
        "spent 500 on groceries via phonepe",
        "tea was 20 upi",
        "the tea was 20 upi",
        "the petrol was 500",
        "salary was 50000 bank",
        "move 500 from bank to wallet",
        "move money from bank to wallet",
        "moved 500 from bank to wallet",
        "got cashback not cash 20 upi",
        "was the petrol cash?",
        "the petrol of 5 nov was cash?",
        "how much was petrol last month",
        "what was my spending, not counting rent",
        "set budget of food to 5000",
        "change my name to Asha",
        "delete everything",
        "delete all",
        "remove my budget",
        "delete my account",
        "change the pin on my savings account to 1234",
        "change item 1 mode to bank",
        "remove 2",
        "make it aggressive",
        "make it a chart",
        "cancel",
        "drop it",
        "no",
        "undo the last entry",
        "stop",
    ],
)
def test_a_plain_expense_a_question_and_a_command_are_none(knowledge: Knowledge, message: str) -> None:
    assert parse_amendment(message, TODAY, knowledge) is None


@pytest.mark.parametrize(
    "message", ["the petrol was cash", "600 not 500", "change the plot to bar", "tea was 20 not 30"]
)
def test_what_could_mean_something_else_counts_only_where_a_row_is_found(knowledge: Knowledge, message: str) -> None:
    found = parse_amendment(message, TODAY, knowledge)
    assert found is not None
    assert not found.sure


NAMES = st.sampled_from(["tea", "petrol", "rent", "team lunch", "masala dosa", "auto to station", "salary"])
MODES = st.sampled_from(["cash", "upi", "via gpay", "by card", "from wallet"])
TOLD = """
    spent {amount} on {name} {mode}
    {name} {amount} {mode}
    paid {amount} for {name} {mode}
    {name} was {amount} {mode}
    {amount} {name} {mode} yesterday
    got {amount} for {name} {mode}
    how much was {name}?
    what did i spend on {name}
    show {name} last month
    was {name} {mode}?
    is {name} {amount}?
    list {name} above {amount}
    did i pay {amount} for {name} {mode}
"""
FORMS = st.sampled_from([line.strip() for line in TOLD.strip().splitlines()])
WORDS = "change delete move make the last tea petrol of to from not was should be 5 nov 600 ₹500 cash upi it that food"
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS.split()), max_size=10).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(FORMS, NAMES, st.integers(1, 99_999), MODES)
def test_no_plain_expense_and_no_question_is_taken_for_one(
    knowledge: Knowledge, form: str, name: str, amount: int, mode: str
) -> None:
    message = form.format(name=name, amount=amount, mode=mode)
    assert parse_amendment(message, TODAY, knowledge) is None


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 9_99_999), st.integers(1, 9_99_999), st.sampled_from(["that was {}, not {}", "it was {} not {}"]))
def test_the_old_amount_is_looked_for_and_the_new_one_set(knowledge: Knowledge, new: int, old: int, form: str) -> None:
    found = parse_amendment(form.format(new, old), TODAY, knowledge)
    assert found is not None
    assert found.sought.amount == Decimal(old)
    edited = amended(item_of(PETROL, ""), found.becomes, TODAY, knowledge)
    assert edited.items[0].amount == Decimal(new)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_reading_never_fails_and_never_names_a_row_that_is_not_there(knowledge: Knowledge, text: str) -> None:
    found = parse_amendment(text, TODAY, knowledge)
    if found is not None:
        assert set(rows_meant(found.sought, BOOK, (), knowledge)) <= set(BOOK)
        edited = amended(item_of(TEA, text), found.becomes, TODAY, knowledge)
        assert edited.refused or all(item.amount and item.amount > 0 and item.draft() for item in edited.items)
    places = chosen(text, BOOK, TODAY, knowledge)
    assert places is None or all(0 <= place < len(BOOK) for place in places)


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("the petrol of 5 nov", (PETROL,)),
        ("the petrol", (PETROL_LATER, PETROL)),
        ("last petrol", (PETROL_LATER,)),
        ("the 2000 petrol", (PETROL,)),
        ("yesterday's tea", (TEA,)),
        ("bank charges", (CHARGES,)),
        ("the bank tea", (BANK_TEA,)),
        ("swiggy orders", (SWIGGY,)),
        ("the last entry", (TEA,)),
        ("the food of 13 nov", (SWIGGY,)),
        ("coffee", ()),
        ("petrol of 6 nov", ()),
    ],
)
def test_a_row_is_found_by_words_day_amount_and_mode(knowledge: Knowledge, words: str, rows: tuple[Entry, ...]) -> None:
    sought = sought_in(words, TODAY)
    assert sought is not None
    assert rows_meant(sought, BOOK, (), knowledge) == rows


def test_that_is_what_was_just_written_or_shown(knowledge: Knowledge) -> None:
    assert rows_meant(Sought(pointed=True), BOOK, (PETROL,), knowledge) == (PETROL,)
    sought = sought_in("the petrol", TODAY)
    assert sought is not None
    assert rows_meant(sought, BOOK, (PETROL,), knowledge) == (PETROL,)
    assert rows_meant(Sought(newest=True), BOOK, (PETROL,), knowledge) == (PETROL,)


@pytest.mark.parametrize(
    ("reply", "places"),
    [
        ("2", (1,)),
        ("1. Petrol ₹2,000.00, 5 Nov, PhonePe", (0,)),
        ("the second one", (1,)),
        ("number 3", (2,)),
        ("last one", (5,)),
        ("the swiggy", (1,)),
        ("all of them", (0, 1, 2, 3, 4, 5)),
        ("none of them", ()),
        ("7", None),
        ("the petrol", None),
        ("hmm", None),
    ],
)
def test_a_question_which_row_is_answered_by_number_or_words(
    knowledge: Knowledge, reply: str, places: tuple[int, ...] | None
) -> None:
    assert chosen(reply, BOOK, TODAY, knowledge) == places


@pytest.mark.parametrize(
    ("becomes", "refusal"),
    [
        ((("category", "fun"),), "There is no category “fun” in this book."),
        ((("amount", "zero rupees"),), "more than zero"),
        ((("date", "5 dec 2026"),), "still to come"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_a_sentence(
    knowledge: Knowledge, becomes: tuple[tuple[str, str], ...], refusal: str
) -> None:
    edited = amended(item_of(PETROL, ""), becomes, TODAY, knowledge)  # type: ignore[arg-type]
    assert edited.refused is not None
    assert refusal in edited.refused


def test_a_new_name_keeps_the_category_the_row_has(knowledge: Knowledge) -> None:
    renamed = amended(item_of(PETROL, ""), (("description", "tea"),), TODAY, knowledge).items[0]
    assert (renamed.description, renamed.category) == ("tea", "Travel")


def test_yes_delete_it_is_a_yes_only_in_whole() -> None:
    assert agrees_to_delete("Yes, delete it.")
    assert not agrees_to_delete("delete it")
    assert not agrees_to_delete("yes, but delete item 2")
    assert only_says_delete("delete it")
    assert not only_says_delete("delete the tea")
