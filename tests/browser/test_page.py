"""What only a browser shows: nothing from outside is drawn or fetched, phones, the keyboard, both themes."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from agent.settings import Settings
from agent.store import Store
from agent.turn import CardItem, Change, Figure, Source, Turn
from agent.workbench import Workbench

pytestmark = pytest.mark.browser

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOSTILE = (
    "![x](http://evil.example/p.png) [click](http://evil.example/a) :green-badge[PAID] $x^2$ <b>bold</b> "
    "https://evil.example/b www.evil.example me@evil.example **strong** `code` 1. x"
)
ITEM = CardItem(1, date(2026, 11, 30), "GROCERIES", "Groceries", "HOME", "PHONEPE", "DEBIT", Decimal(500))
CARD = Turn(
    "phone",
    "r-phone",
    "spent 500 on groceries via phonepe and 120 cash for auto to station",
    "Two entries for today. Have a look before I write them.",
    state="awaiting_confirmation",
    batch=(ITEM, replace(ITEM, item=2, description="AUTO TO STATION", mode="MONEY")),
    proposal="p-phone",
    changes=(Change("PhonePe", Decimal(7670), Decimal(7170)), Change("Left for Groceries", Decimal(0), Decimal(1))),
)
OUTSIDE = Turn(
    "hostile",
    "r-hostile",
    f"{HOSTILE}\n1. one\n    code\n# big",
    "Nothing special.",
    state="awaiting_confirmation",
    batch=(replace(ITEM, description=HOSTILE, category=HOSTILE),),
    proposal="p-hostile",
    figures=(Figure(HOSTILE, Decimal(1), Source("calculation", HOSTILE)),),
    changes=(Change(HOSTILE, Decimal(1), Decimal(2)),),
    notes=(HOSTILE,),
    problem=HOSTILE,
    options=(HOSTILE,),
)


def prepare(home: Path) -> None:
    """A sample book and two conversations, kept as the server keeps them."""
    settings = Settings.read({}, home=home)
    with Workbench.open(settings) as bench:
        bench.open_sample()
    store = Store(settings.database, settings.home)
    for turn in (CARD, OUTSIDE):
        store.arrived(turn.request, turn.thread, {"message": turn.message}, status="started", at=NOON)
        store.finish(replace(turn, at=NOON.isoformat()), (), NOON)
    store.close()


def test_text_from_outside_draws_nothing_and_fetches_nothing(open_page, seen) -> None:
    page = open_page("/?c=hostile")
    page.get_by_text("Save 1 entry?").wait_for()
    main = page.locator("main, [data-testid=stMain]").first
    shown = main.inner_text().replace("\u2060", "")
    assert shown.count(HOSTILE) >= 6
    for selector in ("a[href*=evil]", "img[src*=evil]", ".katex", "b", "code", "ol", "h1 b", "h1 ~ h1"):
        assert main.locator(selector).count() == 0, selector
    assert [badge.inner_text() for badge in main.locator(".stMarkdownBadge").all()] == ["hourglass_empty Not saved yet"]
    assert seen.outside == []
    assert seen.errors == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_the_card_whole_and_nothing_sideways(open_page, dark: bool) -> None:
    page = open_page("/?c=phone", width=390, height=844, dark=dark)
    page.get_by_role("button", name="Save to book").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    card = page.locator(".st-key-card-p-phone").bounding_box()
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= 390
    for text in ("−₹500.00", "₹7,170.00"):
        box = page.get_by_text(text).first.bounding_box()
        assert box["x"] + box["width"] <= 390
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("dialog").wait_for()
    apply = page.get_by_role("button", name="Apply").bounding_box()
    assert apply["y"] + apply["height"] <= 844


def test_the_keyboard_reaches_the_card_s_buttons_in_order(open_page) -> None:
    page = open_page("/?c=phone")
    page.get_by_role("button", name="Save to book").focus()
    reached = []
    for _ in range(3):
        reached.append(page.evaluate("document.activeElement.innerText"))
        page.keyboard.press("Tab")
    assert reached == ["Save to book", "Edit", "Cancel"]
    assert page.evaluate("document.activeElement.tagName") in ("TEXTAREA", "BUTTON", "INPUT")


def test_every_control_has_a_name(open_page) -> None:
    page = open_page("/?c=phone")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("dialog").wait_for()
    open_page.idle(page)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, textarea, [role=radio]')]
        .filter(e => e.offsetParent && e.tabIndex >= 0 && !e.labels?.length
            && !(e.getAttribute('aria-label') || e.innerText
            || e.title || e.getAttribute('aria-labelledby') || e.closest('[role=radiogroup],[role=group]')
                ?.getAttribute('aria-label'))).map(e => e.outerHTML.slice(0, 120))"""
    )
    assert nameless == []


def test_the_keyboard_stops_only_at_what_can_be_acted_on(open_page) -> None:
    page = open_page("/?c=phone", width=390, height=844)
    page.get_by_role("button", name="Save to book").wait_for()
    scrolling = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=stHorizontalBlock]')]
        .filter(e => /auto|scroll/.test(getComputedStyle(e).overflowX)).map(e => e.innerText)"""
    )
    assert scrolling == []


def test_the_card_is_edited_in_place(open_page) -> None:
    page = open_page("/?c=phone")
    page.get_by_role("button", name="Edit").click()
    amount = page.get_by_label("Amount ₹")
    amount.fill("nothing")
    amount.press("Tab")
    page.get_by_text("is not an amount above zero").wait_for()
    amount.fill("750")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("dialog").wait_for(state="hidden")
