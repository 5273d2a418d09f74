"""What holds for every text: spans of chunks, forms of numbers and years, and both engines of search by words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import Heading, Page, Table
from rag.chunks import TABLE_LONGEST, TARGET, chunks_of
from rag.confidence import Signs, confidence, covered, demands, lacking
from rag.lexical import Okapi, Postings
from rag.periods import years
from rag.tokens import Term, placed_tokens, question_terms, spelled_out, tokens

WORDS = st.lists(st.text("abc .\n0₹é", max_size=12), max_size=400).map(" ".join)


@st.composite
def a_page(draw: st.DrawFn) -> Page:
    text = draw(WORDS)
    places = st.integers(0, len(text))
    headings = tuple(
        Heading(start, 1, f"h{start}") for start in sorted(draw(st.sets(places, max_size=4))) if start < len(text)
    )
    first, second = sorted((draw(places), draw(places)))
    tables = (Table(first, second, header_end=min(first + 20, second)),) if first < second else ()
    return Page(1, "1", text, headings, tables)


@given(a_page())
def test_chunks_are_exact_spans_of_their_page_in_order_and_leave_no_word_out(page: Page) -> None:
    chunks = chunks_of(page, "before")
    assert all(page.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(one.end <= two.start for one, two in pairwise(chunks))
    kept = "".join("".join(chunk.text.split()) for chunk in chunks)
    assert kept == "".join(page.text.split())
    assert all(len(chunk.text) <= max(1.3 * TARGET, TABLE_LONGEST) + 1 for chunk in chunks)


@given(a_page())
def test_a_chunk_stands_under_the_last_heading_that_began_before_it(page: Page) -> None:
    for chunk in chunks_of(page, "before"):
        if chunk.kind == "text":
            above = [heading.text for heading in page.headings if heading.start <= chunk.start]
            assert chunk.heading == (above[-1] if above else "before")


def test_a_long_table_is_cut_by_rows_and_repeats_its_header() -> None:
    header = "| Bank | Rate |\n| --- | --- |\n"
    text = header + "".join(f"| Bank number {row} | {row}.5 |\n" for row in range(400))
    chunks = chunks_of(Page(1, "1", text, (), (Table(0, len(text), header_end=len(header)),)))
    assert len(chunks) > 1
    assert all(chunk.lead == header.strip() for chunk in chunks[1:])
    assert all(line.startswith("| Bank") for chunk in chunks[1:] for line in chunk.text.splitlines())


def test_a_short_table_stays_in_one_piece() -> None:
    text = "| a | b |\n| --- | --- |\n" + "| some words of a row | 12.5 |\n" * 60
    (chunk,) = chunks_of(Page(1, "1", text, (), (Table(0, len(text)),)))
    assert (chunk.kind, chunk.text) == ("table", text.strip())


@pytest.mark.parametrize(
    "text", ["FY2023", "FY 2022-23", "2022-23", "F.Y. 2022–23", "financial year 2022-2023", "FY23"]
)
def test_a_financial_year_is_the_same_however_it_is_written(text: str) -> None:
    assert [year.token for year in years(text)] == ["fy2023"]


@pytest.mark.parametrize("text", ["in 2022-23, and", "(2022-23).", "2022-23: a", "till 2023, 500 went"])
def test_a_year_before_a_mark_is_a_year(text: str) -> None:
    assert [year.ends for year in years(text)] == [2023]


def test_a_number_with_grouping_is_no_year() -> None:
    assert not list(years("2,023 and 2023.5 and 2019,500"))


@pytest.mark.parametrize("text", ["6.5 per cent", "6.5 %", "6.50%", "6.5 percent"])
def test_a_percentage_is_the_same_however_it_is_written(text: str) -> None:
    assert tokens(text) == ["6.5", "6.5%"]


@pytest.mark.parametrize("text", ["1,23,456", "123,456.00", "₹123456", "(1,23,456)"])
def test_a_number_is_kept_whole_however_it_is_grouped(text: str) -> None:
    assert tokens(text) == ["123456"]


@given(st.text(max_size=200))
def test_each_word_of_search_comes_from_its_place_in_the_text(text: str) -> None:
    places = [(start, end) for _, start, end in placed_tokens(text)]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


def test_an_abbreviation_looks_for_what_it_stands_for_at_half_weight() -> None:
    weights = {term.token: term.weight for term in question_terms("What is TDS?")}
    assert weights["tds"] == 1
    assert weights["deduct"] == 0.5


CHUNKS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=8), min_size=1, max_size=12)


@given(CHUNKS, st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True))
def test_both_engines_give_the_same_scores_and_none_below_zero(chunks: list[list[str]], asked: list[str]) -> None:
    terms = [Term(token, 0.5 if place else 1.0) for place, token in enumerate(asked)]
    small, large = Okapi(chunks).scores(terms), Postings.of(chunks).scores(terms)
    assert small == pytest.approx(large, abs=1e-9)
    assert (large >= 0).all()


SHARE = st.floats(0, 1)


@given(SHARE, SHARE, SHARE, SHARE, SHARE)
def test_a_confidence_is_a_probability_and_grows_with_likeness(
    cosine: float, words: float, covered: float, three: float, agreed: float
) -> None:
    low = confidence(Signs(cosine / 2, cosine / 2, words, covered, three, agreed))
    high = confidence(Signs(cosine, cosine, words, covered, three, agreed))
    assert 0 <= low <= high <= 1


def test_names_years_and_figures_of_a_question_are_looked_for_in_the_passage() -> None:
    asked = demands("What did HDFC Bank earn in FY2023 above 5,000 crore?")
    assert set(asked) == {"HDFC", "Bank", "FY2023", "5,000"}
    having = frozenset(tokens("HDFC Bank earned ₹5000 crore in 2021-22"))
    assert lacking(asked, having) == ("FY2023",)


def test_an_abbreviation_is_spelled_out_for_meaning_and_covered_by_what_it_stands_for() -> None:
    assert spelled_out("what is TDS") == "what is TDS (tax deducted at source)"
    assert spelled_out("what is rent") == "what is rent"
    having = frozenset(tokens("Tax deducted at source is paid by the deductor"))
    assert covered(question_terms("what is TDS"), lambda _: 1.0, [having]) == 1.0
