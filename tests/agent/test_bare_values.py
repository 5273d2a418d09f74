from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from agent import Settings, Workbench, clock_on


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(Settings.read({}, home=tmp_path / "home"), clock_on(date(2026, 11, 30))) as opened:
        opened.open_sample()
        yield opened


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("upi", "mode", "PHONEPE"),
        ("and wallet", "mode", "WALLET"),
        ("was 540 actually", "amount", "540.00"),
        ("yesterday", "date", "2026-11-29"),
        ("540", "amount", "540.00"),
    ],
)
def test_a_bare_value_said_to_a_card_changes_the_field_it_can_only_be(
    bench: Workbench, said: str, field: str, value: str
) -> None:
    bench.ask("tea 50 cash", thread="t")
    turn = bench.ask(said, thread="t")
    assert turn.intents == ("edit",)
    assert turn.as_json()["batch"][0][field] == value
    assert turn.state == "awaiting_confirmation"


def test_of_several_items_a_bare_value_asks_which(bench: Workbench) -> None:
    bench.ask("tea 50 cash, milk 60 upi", thread="t")
    turn = bench.ask("bank", thread="t")
    assert "Which item?" in turn.reply
    assert [item.mode for item in turn.batch] == ["MONEY", "PHONEPE"]


@pytest.mark.parametrize("said", ["what's my bank balance", "coffee 30 cash", "hmm"])
def test_what_is_no_bare_value_leaves_the_card_as_it_is(bench: Workbench, said: str) -> None:
    before = bench.ask("tea 50 cash", thread="t").batch
    assert bench.ask(said, thread="t").batch == before
