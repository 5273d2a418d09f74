"""What is asked of all days, left out, parted, shared or ordered is a field of the question, and none is guessed."""

from datetime import date

import pytest

from agent.language.intents import classify
from agent.language.knowledge import Knowledge
from agent.language.questions import Question, parse_question
from agent.planner import plan_questions
from ledger.queries import Query

TODAY = date(2026, 11, 30)


def ask(message: str, knowledge: Knowledge, previous: Query | None = None) -> Question:
    (question,) = parse_question(message, TODAY, knowledge, previous)
    return question


RENT, FOOD, SWIGGY = (
    Query("rows", categories=("Rent",)),
    Query("rows", categories=("Food",)),
    Query("rows", words=("swiggy",)),
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("lowest cash balance in november", {"aggregate": "balance", "over": "lowest", "modes": ("MONEY",)}),
        ("average bank balance in october", {"aggregate": "balance", "over": "average", "modes": ("BANK",)}),
        ("spending excluding rent", {"kind": "spending", "leaving_out": (RENT,)}),
        ("food except swiggy", {"categories": ("Food",), "leaving_out": (SWIGGY,)}),
        ("how much did I spend without rent and food", {"aggregate": "total", "leaving_out": (RENT, FOOD)}),
        ("rent ke alawa kitna kharcha hua", {"aggregate": "total", "leaving_out": (RENT,)}),
        ("spend on weekends", {"aggregate": "total", "weekdays": (5, 6)}),
        ("spending on sundays in november", {"weekdays": (6,)}),
        ("rows without category", {"categories": ("",)}),
        ("show uncategorised expenses", {"aggregate": "rows", "categories": ("",)}),
        ("how much cash did I withdraw this month", {"aggregate": "total", "kind": "withdrawals"}),
        ("how much did I withdraw", {"aggregate": "total", "kind": "withdrawals"}),
        ("how much did I withdraw from the bank", {"aggregate": "total", "kind": "withdrawals", "modes": ()}),
        ("did I get any refund in FY 2026-27 ?", {"aggregate": "total", "kind": "refunds"}),
        ("net in FY 2026-27", {"aggregate": "total", "kind": "net"}),
        ("compare food and travel in october", {"by": "category", "compare": None, "categories": ("Food", "Travel")}),
        ("most expensive day in october", {"aggregate": "largest", "by": "day"}),
        ("trend of my savings", {"kind": "net", "by": "month", "shape": "line"}),
        ("net for october", {"aggregate": "total", "kind": "net"}),
        ("how much did I save this month", {"aggregate": "total", "kind": "net"}),
        ("savings this year", {"aggregate": "total", "kind": "net", "modes": ()}),
        ("how much did I save in october", {"aggregate": "total", "kind": "net"}),
        ("income vs expenses by month", {"kind": "net", "by": "month", "compare": None}),
        ("did I get any refund", {"kind": "refunds"}),
        ("anything unusual this month", {"aggregate": "unusual", "kind": "spending"}),
        ("any unusual transactions in october?", {"aggregate": "unusual"}),
        ("median expense this month", {"aggregate": "median", "kind": "spending"}),
        ("average daily spend", {"aggregate": "average", "kind": "spending", "by": "day"}),
        ("average weekly spending", {"aggregate": "average", "by": "week"}),
        ("what share of my spending is food", {"aggregate": "share", "categories": ("Food",)}),
        ("what share of my income went to rent", {"aggregate": "share", "share_of": "income", "kind": "spending"}),
        ("share by category in october", {"aggregate": "share", "by": "category"}),
        ("spending by week", {"by": "week"}),
        ("trend of food spending", {"by": "month", "shape": "line", "chart": True}),
        ("expenses in october sorted by amount", {"aggregate": "rows", "order": "largest"}),
        ("transactions in october oldest first", {"aggregate": "rows", "order": "oldest"}),
        ("first transaction of the year", {"aggregate": "earliest"}),
        ("what did I spend most on", {"aggregate": "largest", "by": "category"}),
        ("calendar heatmap of spending", {"chart": True, "shape": "calendar", "by": "day"}),
        ("treemap of spending", {"chart": True, "shape": "treemap", "by": "category"}),
        ("budget vs actual chart", {"chart": True, "shape": "budget"}),
        ("where does my income go, as a sankey", {"chart": True, "shape": "flow", "kind": "net"}),
    ],
)
def test_it_is_understood_and_answered(message: str, expected: dict[str, object], knowledge: Knowledge) -> None:
    query = ask(message, knowledge).query
    assert {name: getattr(query, name) for name in expected} == expected
    assert query.words == ()
    reading = classify(message, TODAY, knowledge)
    assert (reading.intent, reading.confidence >= 0.7) == ("ask", True)
    assert plan_questions((message,), TODAY, knowledge, None).calls


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("sort by amount", {"aggregate": "rows", "order": "largest"}),
        ("oldest first", {"aggregate": "rows", "order": "oldest"}),
        ("show more", {"aggregate": "rows", "skip": 50}),
        ("the rest", {"aggregate": "rows", "skip": 50}),
        ("excluding swiggy", {"leaving_out": (SWIGGY,)}),
        ("only on weekends", {"weekdays": (5, 6)}),
        ("as a line chart", {"chart": True, "shape": "line", "by": "month"}),
    ],
)
def test_it_continues_the_question_before(message: str, expected: dict[str, object], knowledge: Knowledge) -> None:
    before = ask("how much did I spend on food in october", knowledge).query
    query = ask(message, knowledge, before).query
    assert {name: getattr(query, name) for name in expected} == expected
    assert (query.categories, query.period) == (("Food",), before.period)


def test_the_rest_goes_on_where_the_rows_ended(knowledge: Knowledge) -> None:
    query = ask("show all transactions this year", knowledge).query
    for shown in (50, 100):
        query = ask("show more", knowledge, query).query
        assert query.skip == shown


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("spendng on grocries last mnth", "spending on groceries last month"),
        ("how mch did i spend on food this month", "how much did i spend on food this month"),
        ("avrage expnese in octber", "average expense in october"),
        ("what is my bank balnce", "what is my bank balance"),
    ],
)
def test_a_word_typed_in_haste_is_read_as_what_is_meant(message: str, meant: str, knowledge: Knowledge) -> None:
    assert ask(message, knowledge).query == ask(meant, knowledge).query
    assert classify(message, TODAY, knowledge).intent == "ask"


@pytest.mark.parametrize("word", ["ramesh", "xerox", "tolls", "party", "coffee"])
def test_a_word_that_is_looked_for_stays_as_it_was_typed(word: str, knowledge: Knowledge) -> None:
    assert ask(f"show {word} expenses", knowledge).query.words[0].startswith(word[:5])
