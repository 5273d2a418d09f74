"""A page that stands open while the server goes and comes back: the first word and the first press are heard."""

import pytest

pytestmark = pytest.mark.browser


def test_the_first_message_and_the_first_press_after_a_restart_are_heard(open_page, served) -> None:
    page = open_page("/")
    page.get_by_role("button", name="Look around with a sample").click()
    open_page.idle(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("upma 55 cash")
    box.press("Enter")
    page.get_by_text("−₹55.00").first.wait_for()
    open_page.idle(page)

    served.restart()
    page.wait_for_timeout(1000)
    open_page.idle(page)
    box.fill("amount 65")
    box.press("Enter")
    page.get_by_text("−₹65.00").first.wait_for()
    open_page.idle(page)

    served.restart()
    page.wait_for_timeout(1000)
    open_page.idle(page)
    page.get_by_role("button", name="Save to book").click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    assert undo.is_enabled(), "the saved card can be taken back"
