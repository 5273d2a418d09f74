"""Formula text is shifted, renamed and grown as Excel would, and what is no reference is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.formula.translate import Translator

from ledger.formulas import column_index, column_name, grown, ranges, renamed, reworded, shifted


@pytest.mark.parametrize(
    ("formula", "down_one"),
    [
        ('H23+IF($E24="PHONEPE",$G24-$F24,0)', 'H24+IF($E25="PHONEPE",$G25-$F25,0)'),
        ("$I$5+SUM(F$6:F23)", "$I$5+SUM(F$6:F24)"),
        ('COUNTIF(D6:D23,"A1")', 'COUNTIF(D7:D24,"A1")'),
        ("'CASH TRACKER'!F12+'A1 2'!B2", "'CASH TRACKER'!F13+'A1 2'!B3"),
        ("LOG10(A1)+Q1!B2", "LOG10(A2)+Q1!B3"),
        ("SUM(Spent[Amount1])+ZZZ2026+A1B", "SUM(Spent[Amount1])+ZZZ2026+A1B"),
        ("SUM($F:$F)+SUM(3:4)", "SUM($F:$F)+SUM(4:5)"),
        ("F6*1.5E3+F1048576", "F7*1.5E3+#REF!"),
        ('"it""s F6"&F6', '"it""s F6"&F7'),
        ("SUM(T[[#This Row],[A1]:[B2]])-F6", "SUM(T[[#This Row],[A1]:[B2]])-F7"),
        ("#REF!+F6", "#REF!+F7"),
    ],
)
def test_a_formula_copied_one_row_down_moves_its_relative_references_only(formula: str, down_one: str) -> None:
    assert shifted(formula, rows=1) == down_one


def test_a_reference_moved_off_the_sheet_is_an_error_as_in_excel() -> None:
    assert shifted("A1+B2", rows=-1) == "#REF!+B1"
    assert shifted("A1+B2", columns=-1) == "#REF!+A2"


def test_other_sheets_are_named_in_the_place_of_some() -> None:
    formula = """OCTOBER!L8+'CASH TRACKER'!D5+SUMIFS(F:F,B:B,"OCTOBER")+'october'!A1"""
    assert renamed(formula, {"OCTOBER": "NOVEMBER"}) == (
        """NOVEMBER!L8+'CASH TRACKER'!D5+SUMIFS(F:F,B:B,"OCTOBER")+NOVEMBER!A1"""
    )
    assert reworded(formula, {"OCTOBER": "NOVEMBER"}) == (
        """OCTOBER!L8+'CASH TRACKER'!D5+SUMIFS(F:F,B:B,"NOVEMBER")+'october'!A1"""
    )
    assert renamed("A!B1", {"A": "CASH TRACKER"}) == "'CASH TRACKER'!B1"


def test_ranges_know_their_sheet_and_corners() -> None:
    found = ranges("SUM($F$6:$F$23)+'CASH TRACKER'!F12:G40+A1+F:F+Q1!A1:B2")
    assert [(each.sheet, each.first_row, each.last_row) for each in found] == [
        (None, 6, 23),
        ("CASH TRACKER", 12, 40),
        ("Q1", 1, 2),
    ]


def test_a_grown_range_keeps_its_dollars_and_the_rest_of_the_formula() -> None:
    formula = 'SUM($F$6:$F$23)-SUM(F6:F22)&"F6:F23"'
    assert grown(formula, lambda each: each.last_row == 23, 24) == 'SUM($F$6:$F$24)-SUM(F6:F22)&"F6:F23"'


@given(st.integers(1, 16_384))
def test_column_letters_and_numbers_are_each_others_inverse(index: int) -> None:
    assert column_index(column_name(index)) == index


references = st.builds(
    lambda a, c, b, r: f"{a}{column_name(c)}{b}{r}",
    st.sampled_from(["", "$"]),
    st.integers(1, 700),
    st.sampled_from(["", "$"]),
    st.integers(1, 9_000),
)


@given(
    st.lists(
        st.one_of(references, st.sampled_from(['"F6"', "SUM(F6:F9)", "IF(A1,2,3)", "1.5"])), min_size=1, max_size=5
    ),
    st.integers(0, 50),
)
def test_shifting_agrees_with_openpyxls_translator(parts: list[str], rows: int) -> None:
    formula = "+".join(parts)
    assert shifted(formula, rows=rows) == Translator("=" + formula, "A1").translate_formula(row_delta=rows)[1:]
