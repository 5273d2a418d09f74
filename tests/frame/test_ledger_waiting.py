"""What waits on the Ledger outlives the page; unread cells, differences, opening balances and the list of books."""

from decimal import Decimal
from pathlib import Path

from streamlit.testing.v1 import AppTest

from agent.workbench import Workbench
from frame import desk
from ledger.store import BookStore
from ledger.workbook import Workbook

ROOT = Path(__file__).resolve().parent.parent.parent


def ledger(window: AppTest) -> AppTest:
    window.run()
    window.switch_page("../pages/ledger.py").run()
    assert not window.exception
    return window


def texts(window: AppTest) -> str:
    kinds = ("markdown", "caption", "error", "warning", "info", "title")
    return "\n".join(str(element.value) for kind in kinds for element in window.get(kind)).replace("\\", "")


def press(window: AppTest, key: str) -> AppTest:
    window.button(key=key).click().run()
    assert not window.exception
    return window


def view(window: AppTest, name: str) -> AppTest:
    window.segmented_control(key="ledger-view").set_value(name).run()
    assert not window.exception
    return window


def type_out(window: AppTest, description: str, amount: str) -> AppTest:
    """Type an amount going out over the row of that description."""
    shown = window.dataframe[0].value
    at = list(shown["Description"]).index(description)
    key = window.session_state["ledger-drawn"].key
    window.session_state[key] = {"edited_rows": {at: {"Out ₹": amount}}, "added_rows": [], "deleted_rows": []}
    window.run()
    assert not window.exception
    return window


def another_visit() -> AppTest:
    """A tab of its own, as after a reload or a restart."""
    return AppTest.from_file(str(ROOT / "frame" / "main.py"), default_timeout=30)


def store_of(bench: Workbench) -> BookStore:
    store = bench.book()
    assert store is not None
    return store


def with_cell(bench: Workbench, place: str, xml: str) -> None:
    """Put a cell's XML in the book, as another program would."""
    store = store_of(bench)
    workbook = Workbook(store.path.read_bytes(), store.name)
    name, _, reference = place.rpartition("!")
    sheet = workbook.sheet(name)
    column = reference.rstrip("0123456789")
    cell = sheet.cells(int(reference[len(column) :]))[column]
    new = sheet.xml[: cell.start] + xml.encode() + sheet.xml[cell.end :]
    store.path.write_bytes(workbook.rebuilt({sheet.part: new}))


# what waits


def test_changes_not_saved_are_offered_back_after_a_reload(sample: Workbench, window: AppTest) -> None:
    type_out(ledger(window), "RENT", "18,000")
    later = ledger(another_visit())
    assert "1 change not saved, from " in texts(later)
    press(later, "ledger-offer-take-0")
    assert "**₹18,000.00**" in texts(later)
    press(later, "ledger-save")
    assert "1 change saved" in texts(later)
    assert "not saved, from" not in texts(ledger(another_visit()))


def test_changes_offered_back_can_be_discarded(sample: Workbench, window: AppTest) -> None:
    type_out(ledger(window), "RENT", "18,000")
    later = press(ledger(another_visit()), "ledger-offer-drop-0")
    assert "not saved" not in texts(later)
    assert "not saved" not in texts(ledger(another_visit()))


def test_a_window_whose_changes_were_taken_over_does_not_save_them_twice(sample: Workbench, window: AppTest) -> None:
    type_out(ledger(window), "RENT", "18,000")
    press(ledger(another_visit()), "ledger-offer-take-0")
    window.run()
    assert "1 change of this window was taken over in another one." in texts(window)
    assert not [button for button in window.button if button.key == "ledger-save"]


def test_changes_taken_up_are_held_against_the_book_as_it_is_now(sample: Workbench, window: AppTest) -> None:
    type_out(ledger(window), "RENT", "18,000")
    other = type_out(ledger(another_visit()), "RENT", "19,000")
    press(other, "ledger-save")
    later = press(ledger(another_visit()), "ledger-offer-take-0")
    assert "now reads" in texts(later)
    assert "1 change not saved" not in texts(later)


# unread cells


def broken(bench: Workbench) -> str:
    entry = next(
        each
        for each in store_of(bench).read().book.entries
        if each.description == "FILTER COFFEE" and each.date.month == 11
    )
    place = f"{entry.sheet}!F{entry.row}"
    with_cell(bench, place, f'<c r="F{entry.row}" t="e"><v>#REF!</v></c>')
    return place


def test_an_unread_cell_is_typed_right_on_the_page_and_taken_back(sample: Workbench, window: AppTest) -> None:
    place = broken(sample)
    before = store_of(sample).path.read_bytes()
    view(ledger(window), "Issues")
    press(window, "ledger-fix-0")
    press(window, "fix-done")
    assert "Type an amount above zero." in texts(window)
    window.text_input(key="fix-amount").set_value("17,500")
    press(window, "fix-done")
    assert place.rpartition("!")[2] in texts(window)
    assert "~~#REF!~~" in texts(window)
    assert store_of(sample).path.read_bytes() == before
    press(window, "ledger-save")
    book = store_of(sample).read().book
    assert (book.issues, book.differences) == ((), ())
    assert "Every cell was read." in texts(window)
    press(window, "ledger-saved-undo")
    assert store_of(sample).path.read_bytes() == before


def test_an_ignored_cell_stops_no_tile_and_the_page_says_what_is_left_out(sample: Workbench, window: AppTest) -> None:
    broken(sample)
    ledger(window)
    assert {tile.value for tile in window.metric if tile.label == "Money out"} == {"Unknown"}
    view(window, "Issues")
    press(window, "ledger-ignore-0")
    assert "Ignored · 1" in texts(window)
    view(window, "Entries")
    assert "Unknown" not in {tile.value for tile in window.metric}
    assert "1 cell that you ignore is left out of these figures." in texts(window)
    view(window, "Issues")
    press(window, "ledger-show-again-0")
    assert "One cell could not be read." in texts(window)


# differences


def test_a_book_that_differs_is_written_only_on_the_users_own_word(sample: Workbench, window: AppTest) -> None:
    entry = next(each for each in store_of(sample).read().book.entries if each.mode == "PHONEPE")
    with_cell(sample, f"{entry.sheet}!H{entry.row}", f'<c r="H{entry.row}"><v>1</v></c>')
    ledger(window)
    type_out(window, "RENT", "18,000")
    said = texts(window)
    assert f"`{entry.sheet}!H{entry.row}` PhonePe shows **₹1.00**" in said
    assert "Here the difference begins." in said
    assert window.button(key="ledger-save").disabled
    press(window, "ledger-anyway-card")
    assert not window.button(key="ledger-save").disabled
    press(window, "ledger-save")
    assert "differs from its rows, as you said" in texts(window)
    view(window, "Issues")
    assert "You said to write all the same" in texts(window)


def test_the_chat_writes_into_a_book_that_differs_on_write_anyway_and_not_on_yes(sample: Workbench) -> None:
    entry = next(each for each in store_of(sample).read().book.entries if each.mode == "PHONEPE")
    with_cell(sample, f"{entry.sheet}!H{entry.row}", f'<c r="H{entry.row}"><v>1</v></c>')
    before = store_of(sample).path.read_bytes()
    card = sample.ask("tea 20 cash", "t")
    assert "write anyway" in card.reply.replace("\\", "")
    assert not sample.ask("yes", "t").written
    assert store_of(sample).path.read_bytes() == before
    assert sample.ask("write anyway", "t").written
    sample.ask("bun 10 cash", "t")
    assert sample.ask("yes", "t").written, "the word holds while the differences are the same"


# opening balances, and the list of books


def test_opening_balances_are_typed_saved_and_taken_back(bench: Workbench, window: AppTest) -> None:
    bench.blank()
    ledger(window)
    press(window, "ledger-begin")
    window.text_input(key="opening-PHONEPE").set_value("5,000")
    window.text_input(key="opening-BANK").set_value("x")
    press(window, "opening-done")
    assert "Bank reads “x”, which is not an amount." in texts(window)
    window.text_input(key="opening-BANK").set_value("60,000")
    press(window, "opening-done")
    assert "PhonePe opening balance" in texts(window)
    assert "2 changes not saved" in texts(window)
    press(window, "ledger-save")
    balances = store_of(bench).read().book.balances
    assert (balances["PHONEPE"], balances["BANK"]) == (Decimal(5000), Decimal(60000))
    press(window, "ledger-openings")
    window.text_input(key="opening-PHONEPE").set_value("5,500")
    press(window, "opening-done")
    press(window, "ledger-save")
    assert store_of(bench).read().book.balances["PHONEPE"] == 5500
    press(window, "ledger-saved-undo")
    assert store_of(bench).read().book.balances["PHONEPE"] == 5000


def test_a_second_blank_book_of_a_year_is_asked_about(bench: Workbench, window: AppTest) -> None:
    path = bench.blank()
    bench.open_sample()
    ledger(window)
    press(window, "more-blank")
    assert "Budget_2026.xlsx is there already." in texts(window)
    press(window, "more-taken-open")
    assert store_of(bench).path == path
    assert [each.name for each in desk.known_books()] == ["Budget_2026.xlsx", "Sample.xlsx"]


def test_other_books_are_shown_with_what_they_hold_and_can_be_taken_off_the_list(
    bench: Workbench, window: AppTest
) -> None:
    bench.open_sample()
    blank = bench.blank()
    ledger(window)
    assert "PhonePe ₹" in texts(window)
    press(window, "more-0-remove")
    assert "Take Sample.xlsx off the list?" in texts(window)
    assert "Its file stays in" in texts(window)
    press(window, "more-removing-yes")
    assert desk.known_books() == (blank,)
    assert (blank.parent / "Sample.xlsx").is_file()
    press(window, "more-remove")
    press(window, "more-removing-delete")
    assert not blank.exists()
    assert "Open your budget book" in texts(window)
