import io
import zipfile
from datetime import date
from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest

from agent.person import Person, PersonRefused, person_of
from agent.settings import Settings
from agent.workbench import Workbench


@pytest.fixture
def page(sample: Workbench, window: AppTest) -> AppTest:
    return window.switch_page("../pages/settings.py").run()


def save(page: AppTest) -> AppTest:
    return next(button for button in page.button if button.key == "settings-save").click().run()


def test_what_is_set_is_kept_and_shown_again(page: AppTest, sample: Workbench) -> None:
    page.text_input[0].set_value("Asha")
    page.segmented_control[0].set_value("aggressive")
    save(page)
    assert not page.exception
    assert (sample.person().name, sample.person().profile) == ("Asha", "aggressive")
    again = page.switch_page("../pages/settings.py").run()
    assert again.text_input[0].value == "Asha"


def test_a_goal_is_kept_back_before_money_is_safe_to_spend(sample: Workbench) -> None:
    before = sample.ask("how much can I safely spend a day", thread="t").reply
    sample.set_person(person_of(goal_amount=Decimal(3000)))
    after = sample.ask("how much can I safely spend a day", thread="u").reply
    assert "₹3,000.00" in after
    assert before != after


def test_advice_cuts_as_boldly_as_is_set_until_the_conversation_says_otherwise(sample: Workbench) -> None:
    sample.set_person(person_of(profile="aggressive"))
    assert {cut.cut_percent for cut in sample.ask("how can I save more", thread="t").recommendations} == {20}
    assert {cut.cut_percent for cut in sample.ask("make it conservative", thread="t").recommendations} == {10}
    assert {cut.cut_percent for cut in sample.ask("how can I save more", thread="u").recommendations} == {20}


def test_the_name_stands_in_the_history_of_the_book(sample: Workbench) -> None:
    sample.set_person(person_of(name="Asha"))
    sample.ask("spent 50 on tea via cash", thread="t")
    sample.ask("yes", thread="t")
    book = sample.book()
    assert book is not None
    assert book.history()[-1].who == "Asha · chat" or book.history()[0].who == "Asha · chat"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"goal_amount": Decimal(-5)}, "greater than 0"),
        ({"goal_amount": Decimal(5), "goal_by": date(2026, 1, 1), "goal_since": date(2026, 11, 30)}, "lie ahead"),
        ({"name": "x" * 61}, "at most 60"),
        ({"profile": "reckless"}, "conservative"),
    ],
)
def test_what_cannot_be_set_is_refused_with_a_sentence(fields: dict[str, object], says: str) -> None:
    with pytest.raises(PersonRefused, match=says):
        person_of(**fields)


def test_a_goal_by_a_day_is_spread_over_the_months_until_then() -> None:
    person = person_of(goal_amount=Decimal(120000), goal_by=date(2027, 11, 1), goal_since=date(2026, 12, 5))
    assert person.put_aside(date(2026, 12, 5)) == Decimal(10000)
    assert Person().put_aside(date(2026, 12, 5)) == 0


def test_an_unreadable_amount_is_told_and_nothing_is_kept(page: AppTest, sample: Workbench) -> None:
    goal = next(box for box in page.selectbox if "So much a month" in box.options)
    goal.set_value("So much a month").run()
    next(box for box in page.text_input if box.label == "Amount in ₹").set_value("lots")
    save(page)
    assert any("needs an amount above 0" in error.value for error in page.error)
    assert sample.person() == Person()


def test_settings_of_the_environment_are_named_without_their_values(page: AppTest) -> None:
    assert "MUNSHI" in " ".join(each.value for each in page.markdown)
    said = Settings.described({"MUNSHI_DATABASE_URL": "postgresql://me:secret@host/db"})
    assert next(each for each in said if each.name == "MUNSHI_DATABASE_URL").is_set
    assert "secret" not in str(said)


def test_a_backup_holds_everything_kept(sample: Workbench) -> None:
    target = sample.settings.home.parent / "copy.zip"
    count = sample.back_up(target)
    names = zipfile.ZipFile(io.BytesIO(target.read_bytes())).namelist()
    assert len(names) == count
    assert "munshi.sqlite" in names


def test_the_page_names_the_open_book_and_the_folder(page: AppTest, sample: Workbench) -> None:
    text = " ".join(each.value for each in page.markdown).replace("\\", "")
    book = sample.book()
    assert book is not None
    assert book.path.name in text
