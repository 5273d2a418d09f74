"""How modes, signs, descriptions and times read."""

from datetime import date
from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest

from frame.look import cell_text, entries_words, mode_name, moment_text, sentence, shortened, signed

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("stored", "reads"),
    [
        ("AUTO TO STATION", "Auto to station"),
        ("TEAM LUNCH [PARTY]", "Team lunch [PARTY]"),
        ("iPhone cover", "IPhone cover"),
        ("", ""),
    ],
)
def test_descriptions_read_as_sentences(stored: str, reads: str) -> None:
    assert sentence(stored) == reads


def test_money_out_has_a_real_minus_and_money_in_a_plus() -> None:
    assert signed(Decimal(500), "DEBIT") == "−₹500.00"
    assert signed(Decimal("123456.5"), "CREDIT") == "+₹1,23,456.50"


def test_money_is_shown_as_cash() -> None:
    assert [mode_name(mode) for mode in ("PHONEPE", "MONEY")] == ["PhonePe", "Cash"]


def test_a_cell_is_named_without_its_file() -> None:
    assert cell_text("Budget_2026.xlsx#NOVEMBER!C24:J24") == "`NOVEMBER!C24:J24`"


def test_a_sheet_name_cannot_leave_its_code() -> None:
    assert "`" not in cell_text("'A` :green-badge[PAID]'!F2").replace("\\`", "")


def test_counts_have_their_noun() -> None:
    assert [entries_words(1), entries_words(9)] == ["1 entry", "9 entries"]


def test_a_time_of_today_is_a_clock_time_and_another_names_its_day() -> None:
    assert moment_text("2026-11-30T18:04:00+05:30", TODAY) == "18:04"
    assert moment_text("2026-11-28T18:04:00+05:30", TODAY) == "28 Nov, 18:04"


def test_long_names_end_in_an_ellipsis() -> None:
    assert shortened("spent 500 on groceries", 10) == "spent 500…"


def test_a_page_s_head_row_and_tiles_are_drawn() -> None:
    def script() -> None:
        from frame.look import centred, head, row, tile

        with centred():
            with head("Ledger", "Budget_2026.xlsx · 61 entries"):
                row("Cash", "₹500.00")
            tile("Money in", "₹74,000", "3 entries")
            tile("Money out", "₹76,450", change="+12.4%", change_on="on Oct")

    drawn = AppTest.from_function(script).run()
    assert not drawn.exception
    assert drawn.title[0].value == "Ledger"
    assert [tile.delta for tile in drawn.metric] == ["3 entries", "+12.4%"]
