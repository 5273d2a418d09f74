"""The main job by hand: say it, look at the card, save it, find the row in the real file; ask, open the figure."""

from datetime import date
from decimal import Decimal

import openpyxl
import pytest

pytestmark = pytest.mark.browser


def say(page, idle, text: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    page.wait_for_timeout(200)
    idle(page)


def badge(page, words: str):
    return page.locator(".stMarkdownBadge").filter(has_text=words).last


def in_view(page, element) -> bool:
    """Whether the element stands inside the window, scrolled as it is."""
    page.wait_for_timeout(300)
    box, window = element.bounding_box(), page.viewport_size
    return box["y"] >= 0 and box["y"] + box["height"] <= window["height"]


def rows_of(path) -> list[tuple]:
    """Every entry of the book as (date, description, mode, debit, credit, category), read by openpyxl."""
    book = openpyxl.load_workbook(path)
    month = book[date.today().strftime("%B").upper()]
    return [(*(cell.value for cell in row[2:7]), row[9].value) for row in month.iter_rows(min_row=6, max_col=10)]


def test_an_expense_is_said_reviewed_saved_and_asked_for(open_page, served, seen) -> None:
    page = open_page("/", height=640)
    page.get_by_role("button", name="Look around with a sample").click()
    open_page.idle(page)
    assert page.get_by_role("heading", name="What should we look at?").is_visible()
    path = served.home / "workbooks" / "Sample.xlsx"
    before = rows_of(path)

    say(page, open_page.idle, "spent 500 on groceries via phonepe")
    page.get_by_text("Save 1 entry?").wait_for()
    assert page.get_by_text("Not saved yet").is_visible()
    assert in_view(page, page.get_by_role("button", name="Save to book")), "the page follows the conversation down"
    assert page.get_by_text("−₹500.00").is_visible()
    assert rows_of(path) == before, "nothing is written before a yes"

    page.get_by_role("button", name="Save to book").click()
    badge(page, "Saved").wait_for()
    open_page.idle(page)
    assert page.get_by_role("button", name="Undo").is_enabled()
    assert in_view(page, page.get_by_role("button", name="Undo"))
    new = [row for row in rows_of(path) if row not in before or rows_of(path).count(row) > before.count(row)]
    described = [(row[1], row[2], Decimal(str(row[3])), row[4], row[5]) for row in new if row[1]]
    assert described == [("GROCERIES", "PHONEPE", Decimal(500), None, "Groceries")]

    say(page, open_page.idle, "what's my phonepe balance")
    chip = page.get_by_role("radio").filter(has_text="₹").last
    chip.wait_for()
    figure = chip.inner_text().split("\n")[-1]
    chip.click()
    open_page.idle(page)
    source = page.locator("[class*=st-key-turn-][class*=-source-]").last
    assert figure in source.inner_text()
    assert "!" in source.inner_text(), "the source names its cells"
    assert figure in page.get_by_test_id("stSidebar").inner_text(), "the sidebar says the same"

    page.reload(wait_until="domcontentloaded")
    open_page.idle(page)
    badge(page, "Saved").wait_for()
    assert page.get_by_text("spent 500 on groceries via phonepe").first.is_visible()
    assert page.get_by_role("button", name="Save to book").count() == 0
    assert seen.errors == []
    assert seen.outside == []


def test_undo_takes_the_row_out_of_the_file_again(open_page, served) -> None:
    path = served.home / "workbooks" / "Sample.xlsx"
    page = open_page("/")
    if page.get_by_role("button", name="Look around with a sample").count():
        page.get_by_role("button", name="Look around with a sample").click()
        open_page.idle(page)
    before = path.read_bytes()
    say(page, open_page.idle, "tea 20 cash")
    page.get_by_role("button", name="Save to book").click()
    page.get_by_role("button", name="Undo").wait_for()
    open_page.idle(page)
    assert path.read_bytes() != before
    page.get_by_role("button", name="Undo").click()
    badge(page, "Undone").wait_for()
    assert path.read_bytes() == before
