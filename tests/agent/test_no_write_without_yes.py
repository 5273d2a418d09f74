"""No message ever writes without an explicit yes, whatever is said before it."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent import Settings, Workbench
from agent.language.amendments import agrees_to_delete
from agent.language.consent import consent

MESSAGES = st.sampled_from(
    [
        "coffee 100 cash and tea 50 upi",
        "lent 500 to ravi cash",
        "rent again",
        "moved 500 from bank to wallet",
        "delete the petrol",
        "the petrol of 9 nov was cash",
        "my cash is 10,500",
        "adjust",
        "add it",
        "apply to like rows",
        "widen",
        "2",
        "all",
        "item 1 amount 40",
        "only save item 1",
        "save all but the last",
        "skip the tea",
        "yes?",
        "yes but make it 60",
        "ok what is my balance",
        "not sure",
        "who owes me",
        "cash",
        "dinner 900 split with friends",
        "225",
        "cancel",
        "undo",
        "delete it",
        "tag the petrol of 9 nov as trip",
        "no",
    ]
)
TEXTS = st.one_of(MESSAGES, MESSAGES, st.text(max_size=30))


def is_a_yes(message: str) -> bool:
    """Whether a message agrees, by itself."""
    return consent(message) in ("yes", "anyway") or agrees_to_delete(message)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench.open(Settings.read({}, home=tmp_path_factory.mktemp("home"))) as opened:
        yield opened


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS.filter(lambda text: not is_a_yes(text)), min_size=2, max_size=7))
def test_the_book_stays_byte_for_byte_until_somebody_says_yes(
    bench: Workbench, book: Path, messages: list[str]
) -> None:
    before, thread = book.read_bytes(), uuid.uuid4().hex
    for message in messages:
        turn = bench.ask(message, thread, book=book)
        assert turn.written == ()
        assert "Something went wrong" not in turn.reply, message
        assert book.read_bytes() == before, messages
