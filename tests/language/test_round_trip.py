"""Whatever way an entry is said, it is read as that entry: parse(render(entry)) == entry."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.language.knowledge import Knowledge
from agent.language.transactions import parse_transactions
from ledger.entries import MODES, Draft, Mode
from money import day_text, rupees

TODAY = date(2026, 11, 30)
MODE_WORDS: dict[Mode, tuple[str, ...]] = {
    "PHONEPE": ("upi", "gpay", "phonepe", "phone pay", "google pay"),
    "WALLET": ("wallet", "paytm", "amazon pay"),
    "MONEY": ("cash",),
    "BANK": ("bank", "debit card", "netbanking", "neft"),
}
FIRST = ("coffee", "dosa", "petrol", "xerox", "haircut", "big bazaar", "team lunch", "jalebi", "school fees")
SECOND = ("", " with ravi", " at airport", " for amma", " and chutney")


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """An entry of the last two months."""
    paise = draw(st.integers(100, 99_99_999_99))
    whole = draw(st.booleans())
    return Draft(
        TODAY - timedelta(days=draw(st.integers(0, 60))),
        draw(st.sampled_from(FIRST)) + draw(st.sampled_from(SECOND)),
        draw(st.sampled_from(MODES)),
        "CREDIT" if draw(st.booleans()) else "DEBIT",
        Decimal(paise // 100) if whole else Decimal(paise) / 100,
        tags=draw(st.sampled_from([(), ("PARTY",), ("GOA TRIP",)])),
    )


@st.composite
def amounts(draw: st.DrawFn, value: Decimal) -> str:
    """An amount as people write it."""
    plain = f"{value:f}"
    grouped = rupees(value)
    forms = [plain, grouped, f"rs {plain}", f"Rs. {grouped.removeprefix('₹')}", f"₹{plain}", f"{plain}/-"]
    if value == value.to_integral() and value % 1000 == 0:
        forms += [f"{int(value) // 1000}k", f"{int(value) // 1000} thousand"]
    if value == value.to_integral() and value % 1_00_000 == 0:
        forms += [f"{int(value) // 1_00_000} lakh", f"{int(value) // 1_00_000}L"]
    return draw(st.sampled_from(forms))


@st.composite
def days(draw: st.DrawFn, day: date) -> str:
    """A day as people write it; today needs no word."""
    forms = [f"on {day.day}/{day.month}/{day.year}", f"on {day.day} {day:%b}", f"on {day.day} {day:%B} {day.year}"]
    forms += [day_text(day, day)]
    if (ago := (TODAY - day).days) < 2:
        forms = ["yesterday"] if ago else ["", "today"]
    elif ago < 10:
        forms = [*forms, f"{ago} days ago"]
    return draw(st.sampled_from(forms))


@st.composite
def rendered(draw: st.DrawFn) -> tuple[Draft, str]:
    """An entry and a message that says it."""
    entry = draw(drafts())
    amount, day = draw(amounts(entry.amount)), draw(days(entry.date))
    mode, name = draw(st.sampled_from(MODE_WORDS[entry.mode])), entry.description
    tags = "".join(f" [{tag.lower()}]" for tag in entry.tags)
    out = (
        f"spent {amount} on {name} via {mode} {day}{tags}",
        f"{name} {amount} {mode} {day}{tags}",
        f"paid {amount} for {name} by {mode} {day}{tags}",
        f"{day} {name}{tags} {amount} {mode}",
    )
    came_in = (
        f"received {amount} for {name} in {mode} {day}{tags}",
        f"{name} {amount} credited to {mode} {day}{tags}",
        f"{day} received {name}{tags} {amount} {mode}",
    )
    return entry, draw(st.sampled_from(out if entry.direction == "DEBIT" else came_in)).strip()


@settings(max_examples=300, deadline=None)
@given(rendered())
def test_an_entry_said_in_any_wording_is_read_as_it_is(knowledge: Knowledge, said: tuple[Draft, str]) -> None:
    entry, message = said
    (item,) = parse_transactions(message, TODAY, knowledge)
    read = item.draft()
    assert (read.description, read.amount, read.mode, read.direction, read.date, read.tags) == (
        entry.description,
        entry.amount,
        entry.mode,
        entry.direction,
        entry.date,
        entry.tags,
    ), message


@settings(max_examples=60, deadline=None)
@given(st.lists(rendered(), min_size=2, max_size=4))
def test_each_line_of_several_is_read_as_its_entry(knowledge: Knowledge, said: list[tuple[Draft, str]]) -> None:
    items = parse_transactions("\n".join(message for _, message in said), TODAY, knowledge)
    assert [(item.amount, item.mode, item.direction) for item in items] == [
        (entry.amount, entry.mode, entry.direction) for entry, _ in said
    ]
