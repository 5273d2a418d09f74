"""A figure's source says in words how the figure follows from its cells."""

from datetime import date
from decimal import Decimal

import pytest

from agent.turn import Figure, Source
from frame.evidence import SourceCell, amount_text, chip_names, relation


def cell(amount: str, day: date | None = date(2026, 11, 3)) -> SourceCell:
    return SourceCell("NOVEMBER!F7", day, "LUNCH", Decimal(amount))


def figure(text: str, value: str) -> Figure:
    return Figure(text, Decimal(value), Source("cell", "NOVEMBER!F7:F24"))


@pytest.mark.parametrize(
    ("text", "value", "amounts", "words"),
    [
        ("₹300.00", "300", ("-100", "-200"), "is the sum of 2 entries ·"),
        ("2 entries", "2", ("-100", "-200"), "counts 2 entries ·"),
        ("₹150.00", "150", ("-100", "-200"), "comes from 2 entries ·"),
        ("₹100.00", "100", ("-100", "40"), "stands in"),
    ],
)
def test_a_figure_says_how_it_follows_from_its_cells(
    text: str, value: str, amounts: tuple[str, ...], words: str
) -> None:
    assert relation(figure(text, value), [cell(amount) for amount in amounts]) == words


def test_cells_that_are_no_entries_are_called_cells() -> None:
    assert relation(figure("₹300.00", "300"), [cell("100", None), cell("200")]) == "is the sum of 2 cells ·"


def test_amounts_carry_a_sign_only_where_both_directions_meet() -> None:
    assert amount_text(Decimal("-1450"), with_sign=False) == "1,450.00"
    assert amount_text(Decimal("-1450"), with_sign=True) == "−1,450.00"
    assert amount_text(Decimal("1450"), with_sign=True) == "+1,450.00"


def _figure(text: str, ref: str, *cells: str) -> Figure:
    return Figure(text, Decimal(1), Source("cell", ref, cells))


def test_chips_of_one_text_are_told_apart_by_month_then_by_place_then_by_number() -> None:
    october, november = _figure("₹5", "OCTOBER!F6", "OCTOBER!F6"), _figure("₹5", "NOVEMBER!F6", "NOVEMBER!F6")
    assert chip_names((october, november, _figure("₹7", "x"))) == ("₹5 · October", "₹5 · November", "₹7")
    other = _figure("₹5", "NOVEMBER!F7", "NOVEMBER!F7")
    assert chip_names((november, other)) == ("₹5 · NOVEMBER!F6", "₹5 · NOVEMBER!F7")
    assert chip_names((_figure("₹5", "a" * 40), _figure("₹5", "b" * 40))) == ("₹5 · 1", "₹5 · 2")
