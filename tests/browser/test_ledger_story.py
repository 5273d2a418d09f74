"""The Ledger by hand: type into a cell, see what follows, save, find it in the real file, take it back; two windows."""

from datetime import date

import openpyxl
import pytest

pytestmark = pytest.mark.browser

CANVAS = "[class*=st-key-entries-] canvas[data-testid=data-grid-canvas]"


def open_ledger(open_page, **how):
    """The Ledger, on the sample book."""
    page = open_page("/", **how)
    if page.get_by_test_id("stExpandSidebarButton").is_visible():
        page.get_by_test_id("stExpandSidebarButton").click()
        page.wait_for_timeout(400)
    page.get_by_role("link", name="Ledger").click()
    page.get_by_role("heading", name="Ledger").wait_for()
    open_page.idle(page)
    sample = page.get_by_role("button", name="Look around with a sample")
    if sample.count():
        sample.click()
        open_page.idle(page)
    page.locator(CANVAS).wait_for()
    return page


def type_into(page, idle, row: int, column: int, text: str, *, mouse: bool = True) -> None:
    """Type into a cell of the table, which has the focus or is given it by the mouse."""
    if mouse:
        box = page.locator(CANVAS).bounding_box()
        page.mouse.click(box["x"] + 60, box["y"] + 35 + 17)
    page.keyboard.press("Control+Home")
    for _ in range(row):
        page.keyboard.press("ArrowDown")
    for _ in range(column):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator("#portal input, #portal textarea").last.wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.type(text, delay=15)
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)
    idle(page)


def sample_path(served):
    return served.home / "workbooks" / "Sample.xlsx"


def amounts(path) -> list[object]:
    """Every amount going out on this month's sheet, read by openpyxl."""
    month = openpyxl.load_workbook(path)[date.today().strftime("%B").upper()]
    return [row[0].value for row in month.iter_rows(min_row=6, min_col=6, max_col=6) if row[0].value is not None]


def test_a_cell_is_typed_reviewed_saved_and_taken_back(open_page, served, seen) -> None:
    page = open_ledger(open_page)
    path = sample_path(served)
    before, bytes_before = amounts(path), path.read_bytes()

    page.get_by_role("button", name="Filter").click()
    page.get_by_role("button", name="PhonePe").last.click()
    open_page.idle(page)
    page.get_by_label("Category").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Filter · 1").wait_for()
    open_page.idle(page)

    type_into(page, open_page.idle, 1, 2, "1234.50")
    page.get_by_text("1 change not saved").wait_for()
    assert page.get_by_text("Book untouched").is_visible()
    assert page.get_by_text("₹1,234.50").first.is_visible()
    assert page.get_by_text("PhonePe closes at").is_visible()
    assert path.read_bytes() == bytes_before, "nothing is written before a yes"

    page.get_by_role("button", name="Save 1 change").click()
    page.get_by_text("1 change saved").wait_for()
    open_page.idle(page)
    after = amounts(path)
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [1234.5]

    page.get_by_role("radio", name="History").click()
    page.get_by_text("1 row edited").first.wait_for()
    open_page.idle(page)
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_text("Undone").first.wait_for()
    assert path.read_bytes() == bytes_before
    assert seen.errors == []
    assert seen.outside == []


def test_a_bad_cell_is_said_and_what_was_typed_stays(open_page) -> None:
    page = open_ledger(open_page)
    type_into(page, open_page.idle, 3, 2, "12x")
    page.get_by_text("which is not an amount above zero").wait_for()
    assert page.get_by_role("button", name="Save 1 change").is_disabled()
    type_into(page, open_page.idle, 4, 1, "Something else")
    page.get_by_text("2 changes not saved").wait_for()
    assert page.get_by_text("which is not an amount above zero").is_visible()
    page.get_by_role("button", name="Discard").click()
    page.get_by_text("2 changes not saved").wait_for(state="detached")


def test_changes_not_saved_outlive_a_reload_and_a_restart_of_the_server(open_page, served) -> None:
    page = open_ledger(open_page)
    path = sample_path(served)
    before = amounts(path)
    type_into(page, open_page.idle, 3, 2, "1111")
    page.get_by_text("1 change not saved").wait_for()
    served.restart()
    page.goto(f"{served.url}/ledger")
    open_page.idle(page)
    page.get_by_text("1 change not saved, from").wait_for()
    assert amounts(path) == before
    page.get_by_role("button", name="Review").click()
    page.get_by_text("₹1,111.00").first.wait_for()
    page.get_by_role("button", name="Save 1 change").click()
    page.get_by_text("1 change saved").wait_for()
    assert [new for old, new in zip(before, amounts(path), strict=True) if old != new] == [1111]
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_text("1 change saved").wait_for(state="detached")
    assert amounts(path) == before


def test_opening_balances_are_typed_and_saved_by_keyboard_alone(open_page, served) -> None:
    page = open_ledger(open_page)
    tab_to(page, "[class*=st-key-ledger-more] button")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Opening balances").wait_for()
    tab_to(page, "[class*=st-key-ledger-openings] button")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Wallet ₹").wait_for()
    open_page.idle(page)
    tab_to(page, "[class*=st-key-opening-WALLET] input")
    page.keyboard.press("Control+a")
    page.keyboard.type("98765")
    page.keyboard.press("Enter")
    open_page.idle(page)
    tab_to(page, "[class*=st-key-opening-done] button")
    page.keyboard.press("Enter")
    page.get_by_text("Wallet opening balance").wait_for()
    open_page.idle(page)
    tab_to(page, "[class*=st-key-ledger-save] button")
    page.keyboard.press("Enter")
    page.get_by_text("1 change saved").wait_for()


def test_a_second_window_is_shown_what_the_first_one_changed(open_page) -> None:
    first, second = open_ledger(open_page), open_ledger(open_page)
    type_into(first, open_page.idle, 3, 1, "From the first")
    type_into(second, open_page.idle, 4, 1, "From the second")
    first.get_by_role("button", name="Save 1 change").click()
    first.get_by_text("1 change saved").wait_for()
    second.get_by_role("radio", name="Budget").click()
    open_page.idle(second)
    second.get_by_role("radio", name="Entries").click()
    second.get_by_text("This book was changed").wait_for()
    assert second.get_by_text("Your changes still fit").is_visible()
    second.get_by_role("button", name="Save 1 change").click()
    second.get_by_text("1 change saved").wait_for()
    open_page.idle(second)
    second.get_by_role("radio", name="History").click()
    second.get_by_text("FROM THE FIRST").first.wait_for()
    assert second.get_by_text("FROM THE SECOND").first.is_visible()


def tab_to(page, wanted: str, key: str = "Tab") -> None:
    """Press Tab until what has the focus matches the selector."""
    for _ in range(80):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} never comes to {wanted}")


def test_a_cell_is_changed_and_saved_by_keyboard_alone(open_page, served) -> None:
    page = open_ledger(open_page)
    before = amounts(sample_path(served))
    tab_to(page, "canvas[data-testid=data-grid-canvas]")
    type_into(page, open_page.idle, 3, 2, "1500", mouse=False)
    page.get_by_role("button", name="Save 1 change").wait_for()
    tab_to(page, "[class*=st-key-ledger-save] button", "Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_text("1 change saved").wait_for()
    assert [new for old, new in zip(before, amounts(sample_path(served)), strict=True) if old != new] == [1500]


def test_the_page_fits_a_phone(open_page, seen) -> None:
    page = open_ledger(open_page, width=390, height=844)
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390
    assert page.get_by_role("radio", name="Issues").is_visible()
    assert seen.errors == []
