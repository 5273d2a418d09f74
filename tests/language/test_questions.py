"""What is asked of the book."""

from datetime import date
from decimal import Decimal

import pytest

from agent.language.knowledge import Knowledge
from agent.language.questions import Question, parse_question, widened
from ledger.queries import Query, Span

TODAY = date(2026, 11, 30)
NOVEMBER, OCTOBER = (date(2026, 11, 1), date(2026, 11, 30)), (date(2026, 10, 1), date(2026, 10, 31))
WEEK = (date(2026, 11, 24), date(2026, 11, 30))


def ask(message: str, knowledge: Knowledge, previous: Query | None = None) -> Question:
    (question,) = parse_question(message, TODAY, knowledge, previous)
    return question


def days(query: Query) -> tuple[date, date] | None:
    return (query.period.first, query.period.last) if query.period else None


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("what's my phonepe balance", Query("balance", modes=("PHONEPE",))),
        ("balances and their total", Query("balance", with_total=True)),
        ("how much money do I have", Query("balance", with_total=True)),
        ("how much is left in my wallet?", Query("balance", modes=("WALLET",))),
        ("what's in bank", Query("balance", modes=("BANK",))),
        ("september closing balance of bank", Query("balance", modes=("BANK",), at=date(2026, 9, 30))),
        ("opening balance of november", Query("balance", at=date(2026, 10, 31))),
        ("balance on 5 november", Query("balance", at=date(2026, 11, 5))),
        ("cash balance this month", Query("balance", modes=("MONEY",))),
    ],
)
def test_balances(message: str, expected: Query, knowledge: Knowledge) -> None:
    assert ask(message, knowledge).query == expected


@pytest.mark.parametrize(
    ("message", "aggregate", "kind", "period"),
    [
        ("how much did I spend this month?", "total", "spending", NOVEMBER),
        ("how much did I spend last month", "total", "spending", OCTOBER),
        ("what did I spend in november", "total", "spending", NOVEMBER),
        ("spending last week", "total", "spending", WEEK),
        ("expenses last week", "rows", "spending", WEEK),
        ("show all transactions", "rows", "all", NOVEMBER),
        ("count transactions", "count", "all", NOVEMBER),
        ("average expense", "average", "spending", NOVEMBER),
        ("how much did they pay me this month", "total", "credits", NOVEMBER),
        ("largest expense", "largest", "spending", NOVEMBER),
        ("biggest expense ever", "largest", "spending", None),
        ("latest bank transaction", "latest", "all", None),
        ("income this month", "total", "income", NOVEMBER),
        ("transfers this month", "rows", "transfers", NOVEMBER),
        ("kitna kharcha hua is mahine", "total", "spending", NOVEMBER),
    ],
)
def test_what_is_counted_over_which_days(
    message: str, aggregate: str, kind: str, period: tuple[date, date] | None, knowledge: Knowledge
) -> None:
    question = ask(message, knowledge)
    assert (question.query.aggregate, question.query.kind, days(question.query)) == (aggregate, kind, period)
    assert question.confidence >= 0.7


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("what did I spend on food in november", "categories", ("Food",)),
        ("food and travel expenses", "categories", ("Food", "Travel")),
        ("family expenses", "categories", ("For family",)),
        ("avoid expenses last week", "groups", ("AVOID",)),
        ("pay home expenses", "groups", ("PAY HOME",)),
        ("show wishlist expenses", "groups", ("WISHLIST",)),
        ("count phonepay transactions", "modes", ("PHONEPE",)),
        ("how much did I spend by card", "modes", ("BANK",)),
        ("how much money did I spend", "modes", ()),
        ("show me party expenses", "words", ("party",)),
        ("how much did I spend on coffees", "words", ("coffee",)),
        ("#party expenses", "tags", ("PARTY",)),
        ("show expenses above 3000 this month", "above", Decimal(3000)),
        ("transactions below 100", "below", Decimal(100)),
        ("last 5 transactions", "limit", 5),
        ("3 largest expenses in october", "limit", 3),
        ("spending by category", "by", "category"),
        ("where did my money go", "by", "category"),
        ("which day did I spend most", "by", "day"),
        ("month wise spending", "by", "month"),
        ("chart of spending by mode", "chart", True),
        ("personal expenses description only", "description_only", True),
    ],
)
def test_what_narrows_a_question(message: str, field: str, value: object, knowledge: Knowledge) -> None:
    assert getattr(ask(message, knowledge).query, field) == value


def test_rows_by_word_are_looked_for_in_the_whole_book_and_totals_in_this_month(knowledge: Knowledge) -> None:
    assert days(ask("show me party expenses", knowledge).query) is None
    assert days(ask("how much did I spend on petrol", knowledge).query) == NOVEMBER


@pytest.mark.parametrize(
    "message",
    [
        "difference between food spending in october and november",
        "compare my food spending with last month",
        "food spending this month vs last month",
        "did I spend more on food than last month?",
    ],
)
def test_against_last_month(message: str, knowledge: Knowledge) -> None:
    query = ask(message, knowledge).query
    assert (query.aggregate, query.categories, days(query)) == ("total", ("Food",), NOVEMBER)
    assert query.compare is not None
    assert (query.compare.first, query.compare.last) == OCTOBER


def test_several_questions_are_each_kept_with_their_words(knowledge: Knowledge) -> None:
    asked = parse_question("food expenses last month and home expenses this month", TODAY, knowledge)
    assert [question.words for question in asked] == ["food expenses last month", "home expenses this month"]
    assert [days(question.query) for question in asked] == [OCTOBER, NOVEMBER]


def test_days_said_at_the_end_are_meant_for_both(knowledge: Knowledge) -> None:
    asked = parse_question("food expenses and travel expenses last month", TODAY, knowledge)
    assert [days(question.query) for question in asked] == [OCTOBER, OCTOBER]


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("show them", "aggregate", "rows"),
        ("details?", "aggregate", "rows"),
        ("how many?", "aggregate", "count"),
        ("and travel?", "categories", ("Travel",)),
        ("what about petrol", "words", ("petrol",)),
        ("what about cash?", "modes", ("MONEY",)),
        ("only above 500", "above", Decimal(500)),
        ("by mode", "by", "mode"),
        ("as a chart", "chart", True),
        ("what about income?", "kind", "income"),
        ("those two?", "limit", 2),
    ],
)
def test_a_follow_up_changes_only_what_it_names(message: str, field: str, value: object, knowledge: Knowledge) -> None:
    before = ask("how much did I spend on food last month", knowledge).query
    after = ask(message, knowledge, before)
    assert getattr(after.query, field) == value
    assert days(after.query) == OCTOBER
    assert after.confidence >= 0.7


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("what about last month?", date(2026, 10, 1)),
        ("and in september?", date(2026, 9, 1)),
        ("the month before?", date(2026, 9, 1)),
        ("the previous year?", date(2025, 10, 1)),
    ],
)
def test_a_follow_up_moves_the_days(message: str, first: date, knowledge: Knowledge) -> None:
    before = ask("how much did I spend on food in october", knowledge).query
    after = ask(message, knowledge, before).query
    assert (after.categories, after.period is not None and after.period.first) == (("Food",), first)


def test_a_whole_question_starts_afresh(knowledge: Knowledge) -> None:
    before = ask("how much did I spend on food last month", knowledge).query
    assert ask("what is my bank balance", knowledge, before).query == Query("balance", modes=("BANK",))
    assert ask("show my expenses", knowledge, before).query.categories == ()


def test_a_balance_is_followed_by_modes_and_days(knowledge: Knowledge) -> None:
    balance = ask("what's my bank balance", knowledge).query
    assert ask("and wallet?", knowledge, balance).query == Query("balance", modes=("WALLET",))
    assert ask("and last month?", knowledge, balance).query == Query("balance", modes=("BANK",), at=date(2026, 10, 31))


def test_either_of_two_words_is_asked_one_by_one(knowledge: Knowledge) -> None:
    asked = parse_question("how much did I spend on coffee and petrol", TODAY, knowledge)
    assert [question.query.words for question in asked] == [("coffee",), ("petrol",)]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("how much salary did I get this year", "income"),
        ("refunds this month", "refunds"),
        ("how much went out from bank this month", "spending"),
        ("how much money came in this month", "income"),
    ],
)
def test_which_way_the_money_went(message: str, kind: str, knowledge: Knowledge) -> None:
    assert ask(message, knowledge).query.kind == kind


def test_widening_drops_the_dates_and_nothing_else(knowledge: Knowledge) -> None:
    query = ask("avoid expenses last week", knowledge).query
    assert (days(widened(query)), widened(query).groups) == (None, ("AVOID",))


@pytest.mark.parametrize("message", ["asdf qwer zxcv", "what is the weather", "show me restaurents", "pay my bill"])
def test_what_is_not_of_the_book_is_not_sure(message: str, knowledge: Knowledge) -> None:
    assert all(question.confidence < 0.7 for question in parse_question(message, TODAY, knowledge))


@pytest.mark.parametrize("before", ["how much on food in november", "what is my phonepe balance"])
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("all my balances", Query("balance")),
        ("all balances", Query("balance")),
        ("balance", Query("balance")),
        ("closing balance of september", Query("balance", at=date(2026, 9, 30))),
        ("total balance", Query("balance", with_total=True)),
        (
            "compare october and september",
            Query(
                "total",
                "spending",
                Span(*OCTOBER, "in October"),
                compare=Span(date(2026, 9, 1), date(2026, 9, 30), "in September"),
            ),
        ),
    ],
)
def test_a_question_that_names_its_own_scope_takes_nothing_from_the_one_before(
    before: str, message: str, expected: Query, knowledge: Knowledge
) -> None:
    assert ask(message, knowledge, ask(before, knowledge).query).query == expected


@pytest.mark.parametrize(
    ("message", "at_least", "at_most"),
    [
        ("expenses between 500 and 1000", 500, 1000),
        ("expenses from 500 to 1000", 500, 1000),
        ("expenses of exactly 649", 649, 649),
        ("transactions of at least 500", 500, None),
        ("expenses not more than 500", None, 500),
    ],
)
def test_a_bound_that_is_included_says_so(
    message: str, at_least: int | None, at_most: int | None, knowledge: Knowledge
) -> None:
    query = ask(message, knowledge).query
    assert (query.at_least, query.at_most) == (at_least, at_most)
    assert query.above is None
    assert query.below is None
    assert query.words == ()


def test_how_much_in_total_keeps_the_days_of_the_question_it_continues(knowledge: Knowledge) -> None:
    query = ask("how much in total", knowledge, ask("travel expenses in october", knowledge).query).query
    assert (query.aggregate, query.categories, days(query)) == ("total", ("Travel",), OCTOBER)
    assert days(ask("how much have I spent on food in total", knowledge).query) is None


def test_the_previous_year_asked_by_itself_is_the_whole_year_before(knowledge: Knowledge) -> None:
    assert days(ask("previous year spending", knowledge).query) == (date(2025, 1, 1), date(2025, 12, 31))


@pytest.mark.parametrize(
    ("message", "aggregate", "kind", "words", "categories"),
    [
        ("how many times did I order swiggy", "count", "spending", ("swiggy",), ()),
        ("how many times did I eat out", "count", "spending", (), ("Food",)),
        ("how much did I send to amma", "total", "spending", ("amma",), ()),
        ("did my salary come this month", "total", "income", ("salary",), ()),
        ("list income", "rows", "income", (), ()),
        ("most expensive thing I bought in october", "largest", "spending", (), ()),
    ],
)
def test_what_was_done_is_no_word_of_a_description(
    message: str, aggregate: str, kind: str, words: tuple[str, ...], categories: tuple[str, ...], knowledge: Knowledge
) -> None:
    question = ask(message, knowledge)
    query = question.query
    assert (query.aggregate, query.kind, query.words, query.categories) == (aggregate, kind, words, categories)
    assert question.confidence >= 0.7


def test_which_category_rose_is_a_comparison_by_category(knowledge: Knowledge) -> None:
    query = ask("which category increased the most", knowledge).query
    assert (query.aggregate, query.by, query.compare and query.compare.words) == ("total", "category", "in October")
