"""A workbook in another layout is shown as it would be read, corrected, and opened only on a yes."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO

import pytest
import xlsxwriter
from streamlit.testing.v1 import AppTest

from agent.workbench import Workbench
from ledger.entries import BookRefused, Draft
from ledger.foreign import OtherLayout, TableMapping

ROWS = (
    ("Date", "Item", "Amount", "Category"),
    (datetime(2026, 11, 5), "Tea", 10, "Food"),
    (datetime(2026, 11, 6), "Bus", 40, "Travel"),
    (datetime(2026, 11, 7), "Odd", "ten or so", "Food"),
    ("Total", None, 50, None),
)


def workbook(*sheets: str, rows: Sequence[Sequence[object]] = ROWS) -> bytes:
    file = BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "default_date_format": "dd-mmm-yyyy"})
    for name in sheets or ("Sheet1",):
        sheet = book.add_worksheet(name)
        for row, cells in enumerate(rows):
            sheet.write_row(row, 0, cells)
    book.close()
    return file.getvalue()


def texts(window: AppTest) -> str:
    kinds = ("markdown", "caption", "error", "warning", "info")
    return "\n".join(str(element.value) for kind in kinds for element in window.get(kind)).replace("\\", "")


def uploaded(window: AppTest, data: bytes) -> AppTest:
    window.run()
    window.file_uploader(key="first-upload-0").upload("Mine.xlsx", data).run()
    assert not window.exception
    return window


def test_an_upload_in_another_layout_is_shown_and_not_opened_before_a_yes(bench: Workbench, window: AppTest) -> None:
    uploaded(window, workbook())
    assert "How is Mine.xlsx read?" in texts(window)
    assert "Choose where this money is kept." in texts(window)
    assert [row["Description"] for _, row in window.dataframe[0].value.iterrows()] == ["Tea", "Bus"]
    assert window.button(key="confirm-use").disabled
    assert bench.book() is None
    window.selectbox(key="confirm-0-mode").select("MONEY").run()
    assert not window.exception
    assert "2 entries, 1 cell not read and left out." in texts(window)
    assert "1 row is a total or balance, not counted: Sheet1!A5." in texts(window)
    window.button(key="confirm-use").click().run()
    assert not window.exception
    store = bench.book()
    assert store is not None
    assert [entry.description for entry in store.read().book.entries] == ["TEA", "BUS"]
    assert "How is" not in texts(window)


def test_a_file_dropped_into_the_conversation_is_asked_about_likewise(sample: Workbench, window: AppTest) -> None:
    window.run()
    window.chat_input(key="message").upload("Mine.xlsx", workbook()).set_value("").run()
    window.button(key="statement-1-open").click().run()
    assert not window.exception
    assert "How is Mine.xlsx read?" in texts(window)
    window.button(key="confirm-decline").click().run()
    assert not window.exception
    assert "How is" not in texts(window)
    store = sample.book()
    assert store is not None
    assert store.path.name == "Sample.xlsx"


def test_a_column_is_corrected_on_the_card(bench: Workbench, window: AppTest) -> None:
    uploaded(window, workbook())
    window.selectbox(key="confirm-0-mode").select("BANK").run()
    window.selectbox(key="confirm-0-column-D").select("").run()
    window.selectbox(key="confirm-0-sign").select("CREDIT").run()
    window.button(key="confirm-use").click().run()
    assert not window.exception
    store = bench.book()
    assert store is not None
    assert [(entry.direction, entry.category) for entry in store.read().book.entries] == [("CREDIT", None)] * 2


def test_without_dates_the_card_says_what_is_missing(bench: Workbench, window: AppTest) -> None:
    uploaded(window, workbook())
    window.selectbox(key="confirm-0-column-A").select("").run()
    assert "Choose the column of the dates." in texts(window)
    assert window.button(key="confirm-use").disabled


def test_monthly_sheets_alike_are_settled_by_one_answer(bench: Workbench, window: AppTest) -> None:
    uploaded(window, workbook("October", "November"))
    assert "October and November, 2 tables alike" in texts(window)
    window.selectbox(key="confirm-0-mode").select("MONEY").run()
    window.button(key="confirm-use").click().run()
    store = bench.book()
    assert store is not None
    assert len(store.read().book.entries) == 4


def test_a_word_that_is_no_mode_and_dates_that_could_be_either_are_asked_on_the_card(
    bench: Workbench, window: AppTest
) -> None:
    rows = (
        ("Date", "Item", "Amount", "Paid via"),
        ("05/11/2026", "Tea", 10, "Amma"),
        ("06/11/2026", "Bus", 40, "cash"),
    )
    uploaded(window, workbook(rows=rows))
    assert "such as 05/11/2026, could begin with the day or the month" in texts(window)
    window.selectbox(key="confirm-0-word-0").select("BANK").run()
    window.selectbox(key="confirm-0-dates").select("The month").run()
    window.button(key="confirm-use").click().run()
    assert not window.exception
    store = bench.book()
    assert store is not None
    assert [(entry.date, entry.mode) for entry in store.read().book.entries] == [
        (date(2026, 5, 11), "BANK"),
        (date(2026, 6, 11), "MONEY"),
    ]


def test_a_workbook_that_is_kept_already_is_asked_about_where_it_lies(sample: Workbench, window: AppTest) -> None:
    kept = sample.settings.home / "workbooks" / "Kept.xlsx"
    kept.write_bytes(workbook())
    window.run()
    next(button for button in window.button if button.label == "Kept\\.xlsx").click().run()
    assert not window.exception
    assert "How is Kept.xlsx read?" in texts(window)
    window.selectbox(key="confirm-0-mode").select("WALLET").run()
    window.button(key="confirm-use").click().run()
    assert not window.exception
    store = sample.book()
    assert store is not None
    assert store.path == kept.resolve()
    assert [entry.mode for entry in store.read().book.entries] == ["WALLET", "WALLET"]


def test_the_answer_is_remembered_and_a_total_in_the_way_is_named(bench: Workbench) -> None:
    with pytest.raises(OtherLayout) as refused:
        bench.add_book(workbook(), "Mine.xlsx")
    table = refused.value.recognised.mapping.tables[0].model_copy(update={"mode": "MONEY"})
    path = bench.add_book(workbook(), "Mine.xlsx", TableMapping(tables=(table,)))
    bench.open_sample()
    assert len(bench.choose_book(path).read().book.entries) == 2
    before = path.read_bytes()
    answer = bench.ask("how much did I spend on food in november", thread="t1")
    assert "₹10.00" in answer.reply
    told = bench.ask("spent 500 on groceries via cash on 9 nov", thread="t2")
    assert "Sheet1!A5" in told.reply.replace("\\", "")
    assert not bench.ask("yes", thread="t2").written
    other = bench.ask("spent 500 on groceries via phonepe on 9 nov", thread="t3")
    assert other.problem
    assert not bench.ask("yes", thread="t3").written
    assert path.read_bytes() == before


def test_the_ledger_page_shows_a_table_of_ones_own_and_offers_to_add_to_it(bench: Workbench, window: AppTest) -> None:
    uploaded(window, workbook())
    window.selectbox(key="confirm-0-mode").select("MONEY").run()
    window.button(key="confirm-use").click().run()
    window.switch_page("../pages/ledger.py").run()
    assert not window.exception
    assert "2 entries" in texts(window)
    assert "read only" not in texts(window)
    assert not window.button(key="ledger-add").disabled
    window.segmented_control(key="ledger-view").set_value("Issues").run()
    assert not window.exception
    assert "1 row is a total or balance, not counted: Sheet1!A5." in texts(window)


def test_rows_of_another_year_stay_in_a_table_of_ones_own(bench: Workbench) -> None:
    with pytest.raises(OtherLayout) as refused:
        bench.add_book(workbook(), "Mine 2026.xlsx")
    table = refused.value.recognised.mapping.tables[0].model_copy(update={"mode": "MONEY"})
    path = bench.add_book(workbook(), "Mine 2026.xlsx", TableMapping(tables=(table,)))
    store = bench.book()
    assert store is not None
    with pytest.raises(BookRefused, match="Sheet1!A5"):
        store.write([Draft(date(2027, 1, 5), "Tea", "MONEY", "DEBIT", Decimal(5))], request="w1", who="me")
    assert [each.name for each in path.parent.iterdir()] == ["Mine 2026.xlsx"]
