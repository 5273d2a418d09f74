"""What the book says to a question, each figure with its cells."""

import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evidence import budgets_source, entries_source, unsupported
from agent.tools.ledger_query import ROWS_SHOWN, ledger_query
from evaluation.cases import BOOK
from ledger.book import read_book
from ledger.entries import MODES, Book, Issue
from ledger.intake import book_from_json
from ledger.queries import By, Query, Span
from ledger.template import sample_book
from ledger.workbook import Workbook

TODAY = date(2026, 11, 30)
NOVEMBER = Span(date(2026, 11, 1), date(2026, 11, 30), "in November")
OCTOBER = Span(date(2026, 10, 1), date(2026, 10, 31), "in October")


@pytest.fixture(scope="module")
def kept() -> Book:
    return read_book(Workbook(book_from_json(BOOK.read_bytes(), BOOK.name), "Budget_2026.xlsx"))


def spans() -> st.SearchStrategy[Span | None]:
    days = st.integers(0, 120).map(lambda days: date(2026, 9, 1) + timedelta(days=days))
    made = st.tuples(days, days).map(lambda pair: Span(min(pair), max(pair), "over those days"))
    return st.none() | made


QUERIES = st.builds(
    Query,
    aggregate=st.sampled_from(["rows", "total", "count", "average", "largest", "smallest", "latest", "balance"]),
    kind=st.sampled_from(["spending", "income", "debits", "credits", "transfers", "all"]),
    period=spans(),
    modes=st.lists(st.sampled_from(MODES), max_size=2, unique=True).map(tuple),
    categories=st.sampled_from([(), ("Food",), ("Food", "Travel")]),
    words=st.sampled_from([(), ("party",), ("7up 15",)]),
    above=st.sampled_from([None, Decimal(500), Decimal("1234.50")]),
    below=st.sampled_from([None, Decimal(100000)]),
    limit=st.sampled_from([None, 1, 3]),
    by=st.sampled_from([None, "category", "group", "mode", "day", "month"]),
    compare=st.sampled_from([None, OCTOBER]),
    chart=st.booleans(),
    with_total=st.booleans(),
    at=st.sampled_from([None, date(2026, 9, 30)]),
    description_only=st.booleans(),
)


@settings(max_examples=100, deadline=None)
@given(QUERIES)
def test_every_number_of_every_answer_has_its_source(kept: Book, query: Query) -> None:
    found = ledger_query(query, kept, TODAY, "the words")
    assert found.saying.text
    assert unsupported(found.saying) == ()
    for figure in found.saying.figures:
        assert figure.text in found.saying.text
        assert figure.source.ref
    assert len(found.rows) <= ROWS_SHOWN


def test_a_total_opens_to_the_cells_it_sums(kept: Book) -> None:
    found = ledger_query(Query("total", "spending", NOVEMBER, categories=("Food",)), kept, TODAY, "food")
    (total,) = [figure for figure in found.saying.figures if figure.value == Decimal("12000.00")]
    amounts = {entry.amount_cell: entry.amount for entry in kept.entries}
    assert sum(amounts[cell] for cell in total.source.cells) == total.value
    assert "NOVEMBER!F" in total.source.ref


def test_a_balance_opens_to_the_card_that_shows_it(kept: Book) -> None:
    found = ledger_query(Query("balance", modes=("PHONEPE",)), kept, TODAY, "balance")
    assert found.saying.text == "PhonePe has **₹7,670.00**."
    assert found.saying.figures[0].source.ref == "NOVEMBER!L8"


def test_a_change_has_its_rate_and_nothing_before_has_none(kept: Book) -> None:
    food = Query("total", "spending", NOVEMBER, categories=("Food",), compare=OCTOBER)
    assert "**25.0%** more" in ledger_query(food, kept, TODAY, "food").saying.text
    before = Span(date(2026, 8, 1), date(2026, 8, 31), "in August")
    assert "%" not in ledger_query(replace(food, compare=before), kept, TODAY, "food").saying.text


def test_a_cell_that_cannot_be_read_stops_the_total_and_is_named(kept: Book) -> None:
    broken = replace(kept, issues=(Issue("NOVEMBER!F12", "#REF!", "an error", stops_totals=True),))
    found = ledger_query(Query("total", "spending", NOVEMBER), broken, TODAY, "spent")
    assert found.saying.figures == ()
    assert "NOVEMBER!F12" in found.saying.text


def test_of_many_rows_the_newest_are_shown_and_the_count_said(kept: Book) -> None:
    many = replace(kept, entries=kept.entries * 2)
    found = ledger_query(Query("rows"), many, TODAY, "everything")
    assert len(found.rows) == ROWS_SHOWN
    assert f"**{len(many.entries)} transactions**" in found.saying.text
    assert "to see the rest" in found.saying.text


def test_a_card_that_disagrees_is_shown_beside_the_rows(kept: Book) -> None:
    cards = tuple(
        replace(card, shows=Decimal(1)) if card.mode == "BANK" and not card.month else card for card in kept.cards
    )
    found = ledger_query(Query("balance", modes=("BANK",)), replace(kept, cards=cards), TODAY, "balance")
    assert "**₹75,250.00**" in found.saying.text
    assert "**₹1.00** instead" in found.saying.text


def test_a_chart_has_its_numbers_under_it(kept: Book) -> None:
    (chart,) = ledger_query(Query("total", "spending", NOVEMBER, by="category"), kept, TODAY, "chart").charts
    assert chart.figure["data"][0]["type"] == "bar"
    assert len(chart.rows) == len(chart.figure["data"][0]["x"])
    assert chart.columns[0] == "Category"


def test_only_the_descriptions_when_only_they_are_asked(kept: Book, tmp_path: Path) -> None:
    query = Query("rows", "spending", NOVEMBER, categories=("Food",), description_only=True)
    found = ledger_query(query, kept, TODAY, "descriptions only")
    assert all(line.startswith("- ") for line in found.saying.text.splitlines())
    assert found.saying.figures == ()


SAMPLE = read_book(Workbook(sample_book(TODAY), "Sample.xlsx"))
_PLACE = re.compile(r"(?:(?P<sheet>'[^']+'|\w+)!)?(?P<column>[A-Z]+)(?P<first>\d+)(?::[A-Z]+(?P<last>\d+))?")


def sum_in_excel(book: Book, ref: str) -> Decimal:
    """What a person gets who sums the cells as the words name them; an empty cell counts as 0."""
    amounts = {entry.amount_cell: entry.amount for entry in book.entries}
    total, sheet = Decimal(0), ""
    for sign, part in zip((1, -1), ref.split(" − "), strict=False):
        for place in _PLACE.finditer(part):
            sheet = place["sheet"] or sheet
            for row in range(int(place["first"]), int(place["last"] or place["first"]) + 1):
                total += sign * amounts[f"{sheet}!{place['column']}{row}"]
    return total


def text_of(query: Query, book: Book = SAMPLE) -> str:
    return ledger_query(query, book, TODAY, "the words").saying.text


def test_expenses_and_refunds_are_counted_the_same_in_every_answer() -> None:
    told = "**29 expenses**, less **1 refund** of **₹700.00**"
    assert text_of(Query("total", "spending", NOVEMBER)) == f"You spent **₹54,830.22** in November, over {told}."
    assert text_of(Query("rows", "spending", NOVEMBER)) == f"{told}, in November: **₹54,830.22** in all."
    assert text_of(Query("total", "spending", NOVEMBER, by="day")).startswith(
        f"You spent **₹54,830.22** in November, over {told}:"
    )
    assert text_of(Query("count", "spending", NOVEMBER)) == "**29 expenses** in November."


def test_an_average_is_the_total_over_the_count_that_are_shown_with_it() -> None:
    found = ledger_query(Query("average", "spending", NOVEMBER, categories=("Food",)), SAMPLE, TODAY, "average")
    assert found.saying.text == (
        "**₹783.58** on average on Food in November: **₹4,701.50** over **6 expenses**, "
        "not counting **1 refund** of **₹700.00**."
    )
    average, total = (next(f for f in found.saying.figures if f.text == text) for text in ("₹783.58", "₹4,701.50"))
    assert average.value == (total.value / 6).quantize(Decimal("0.01"))
    assert average.source.ref == f"the sum of {total.source.ref}, divided by 6 expenses"


def test_money_that_came_in_is_never_spent_below_nothing() -> None:
    priya = Query("total", "spending", NOVEMBER, words=("priya",))
    assert text_of(priya) == "You got back **₹700.00** with “priya” in November, in **1 refund**."
    assert "- 27 Nov: **₹700.00** came back" in text_of(Query("total", "spending", NOVEMBER, by="day")).splitlines()
    against = replace(priya, compare=OCTOBER)
    assert "You got back **₹700.00**" in text_of(against)
    assert "−₹" not in text_of(against)


@pytest.mark.parametrize("by", ["category", "day", "month", "mode", "group"])
@pytest.mark.parametrize("period", [NOVEMBER, OCTOBER])
def test_who_sums_the_cells_of_a_source_gets_its_figure(by: By, period: Span) -> None:
    for query in (
        Query("total", "spending", period, by=by),
        Query("total", "income", period, by=by),
        Query("rows", "spending", period),
        Query("rows", "all", period),
        Query("rows", "transfers", period),
        Query("total", "spending", period, categories=("Food",), compare=OCTOBER),
    ):
        for figure in ledger_query(query, SAMPLE, TODAY, "the words").saying.figures:
            if figure.source.kind == "cell":
                assert sum_in_excel(SAMPLE, figure.source.ref) == figure.value, figure


def test_many_cells_are_shortened_and_the_rest_counted() -> None:
    every_other = tuple(entry for entry in SAMPLE.entries if entry.sheet == "NOVEMBER" and entry.row % 2)
    ref = entries_source(every_other * 2, counting=True).ref
    assert "more" not in ref
    far = tuple(replaced for place, entry in enumerate(SAMPLE.entries) for replaced in (entry._replace(row=2 * place),))
    assert re.search(r", F\d+ and \d+ more$", entries_source(far, counting=True).ref)


def test_the_largest_expense_says_how_many_share_its_amount() -> None:
    assert text_of(Query("largest", "spending")) == (
        "Rent: **₹17,500.00** from Bank on 2 Nov. It is the latest of **3 expenses** of that amount."
    )
    assert text_of(Query("largest", "spending", limit=2)).endswith("There is **1 more** of the last one's amount.")
    assert "amount" not in text_of(Query("smallest", "spending", NOVEMBER))


def test_a_move_between_own_modes_is_told_once() -> None:
    assert text_of(Query("rows", "transfers", NOVEMBER)) == (
        "**3 moves** between your own modes (**6 rows**) in November: **₹31,000.00** moved."
    )
    broken = replace(SAMPLE, entries=tuple(entry for entry in SAMPLE.entries if entry.description != "CASH FROM ATM"))
    assert text_of(Query("rows", "transfers", NOVEMBER), broken) == (
        "**2 moves** between your own modes (**4 rows**) and **1 row** without its other half in November: "
        "**₹31,000.00** moved."
    )
    assert text_of(Query("total", "transfers", NOVEMBER, modes=("PHONEPE",))) == (
        "**₹1,500.00** went out and **₹25,000.00** came in by PhonePe in November, over **2 transfers**."
    )


def test_with_a_chart_the_sentence_keeps_the_total_and_the_chart_the_parts() -> None:
    found = ledger_query(Query("total", "spending", OCTOBER, by="category"), SAMPLE, TODAY, "by category")
    assert found.saying.text == (
        "You spent **₹52,067.57** in October, over **29 expenses**, less **2 refunds** of **₹3,019.00**."
    )
    (chart,) = found.charts
    assert (chart.title, chart.figure["data"][0]["name"]) == ("Spending by category", "October")
    assert chart.columns == ("Category", "₹", "Expenses")
    assert ("Shopping", "2,460.00", "2 − 1 refund") in chart.rows
    assert sum(Decimal(amount.replace(",", "")) for _, amount, _ in chart.rows) == Decimal("52067.57")


def test_the_largest_categories_are_the_first_of_all_categories() -> None:
    (ranked,) = ledger_query(Query("largest", "spending", OCTOBER, by="category", limit=5), SAMPLE, TODAY, "top").charts
    (every,) = ledger_query(Query("total", "spending", OCTOBER, by="category"), SAMPLE, TODAY, "all").charts
    assert ranked.rows == every.rows[:5]
    assert text_of(Query("largest", "spending", NOVEMBER, by="category")) == (
        "Rent: **₹17,500.00** in November, over **1 expense**."
    )


def test_a_budget_opens_to_its_own_cell() -> None:
    food = SAMPLE.category("Food")
    assert food is not None
    assert re.fullmatch(r"BUDGET!E\d+", food.cell)
    assert budgets_source([food]).ref == food.cell
    assert re.fullmatch(r"BUDGET!E5:E\d+", budgets_source(line for line in SAMPLE.budget if line.monthly).ref)
