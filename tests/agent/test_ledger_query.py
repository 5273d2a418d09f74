"""What the book says to a question, each figure with its cells."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evidence import unsupported
from agent.tools.ledger_query import ROWS_SHOWN, ledger_query
from evaluation.cases import BOOK
from ledger.book import read_book
from ledger.entries import MODES, Book, Issue
from ledger.intake import book_from_json
from ledger.queries import Query, Span
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
