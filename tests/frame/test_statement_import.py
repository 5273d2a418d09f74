"""A statement dropped into the window: what is new in it, what is asked, and the card that comes of it."""

import time
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from agent import Workbench
from frame import statement_import
from frame.statement_import import STATEMENT, Dropped
from ledger.template import sample_book

HDFC = b"""Account No :50100012344321
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
03/11/26,UPI-ZOMATO-ZOMATO@YBL-YESB0000001-612345678901-UPI,,03/11/26,350.00,,9650.00
13/11/26,UPI-<b>x</b>-X@YBL-YESB0000001-612345678902-UPI,,13/11/26,50.00,,9600.00
"""
MINE = b"Posted,Memo,Sum\n03/04/2026,Coffee,110.70\n04/05/2026,Tea,12.50\n"


def dropped(bench: Workbench, data: bytes, name: str = "hdfc.csv") -> Dropped:
    return Dropped(name, data, bench.read_statement(data, name), 1)


def words(window: AppTest) -> str:
    return "\n".join(element.value for element in (*window.markdown, *window.caption, *window.error))


def show(window: AppTest, what: Dropped | str) -> AppTest:
    window.session_state[STATEMENT] = what
    window.run()
    assert not window.exception
    return window


def test_a_statement_says_what_is_new_and_comes_to_a_card_on_a_press(sample: Workbench, window: AppTest) -> None:
    show(window, dropped(sample, HDFC))
    assert "2 transactions new to the book" in words(window)
    window.button(key="statement-1-import").click().run()
    deadline = time.monotonic() + 10
    while not (threads := sample.conversations()) or not sample.messages(threads[0].id):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    (turn,) = sample.messages(threads[0].id)
    assert [item.amount for item in turn.batch] == [350, 50]
    assert not window.exception


def test_an_unknown_tables_columns_and_signs_are_asked(sample: Workbench, window: AppTest) -> None:
    show(window, dropped(sample, MINE, "mine.csv"))
    assert [window.selectbox(key=f"statement-1-role-{role}").value for role in ("date", "description", "amount")] == [
        "Posted",
        "Memo",
        "Sum",
    ]
    assert "Choose where its money is kept" in words(window)
    assert window.button(key="statement-1-import").disabled


def test_a_table_of_text_without_a_book_says_what_to_do(bench: Workbench, window: AppTest) -> None:
    del bench
    show(window, "mine.csv is a table of text. Open a Munshi book first.")
    assert "Open a Munshi book first" in words(window)


@pytest.mark.parametrize("ways", ["statement-1-decline"])
def test_a_statement_can_be_put_aside(sample: Workbench, window: AppTest, ways: str) -> None:
    show(window, dropped(sample, HDFC))
    window.button(key=ways).click().run()
    assert STATEMENT not in window.session_state


def test_a_statement_can_be_brought_in_from_the_ledger_page(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.switch_page("../pages/ledger.py")
    show(window, dropped(sample, HDFC))
    assert "2 transactions new to the book" in words(window)


def test_a_book_of_munshis_own_is_never_taken_for_a_statement(sample: Workbench) -> None:
    store = sample.book()
    assert store
    assert not statement_import.take("Mine.xlsx", sample_book(date(2026, 11, 30)), store.read().book)
