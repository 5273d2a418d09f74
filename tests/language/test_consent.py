"""Yes, cancel, stop and undo as whole messages."""

import pytest

from agent.language.consent import consent


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("yes", "yes"),
        ("Yes!", "yes"),
        ("y", "yes"),
        ("OK, save it", "yes"),
        ("looks good", "yes"),
        ("go ahead please", "yes"),
        ("haan ji", "yes"),
        ("yes 👍", "yes"),
        ("cancel", "cancel"),
        ("no", "cancel"),
        ("never mind", "cancel"),
        ("Leave it.", "cancel"),
        ("forget it", "cancel"),
        ("don\u2019t save", "cancel"),
        ("stop", "stop"),
        ("stop please", "stop"),
        ("undo", "undo"),
        ("undo it", "undo"),
    ],
)
def test_a_whole_message_means_it(message: str, meaning: str) -> None:
    assert consent(message) == meaning


@pytest.mark.parametrize(
    "message",
    [
        "hmm maybe",
        "yes?",
        "yes but make it 500",
        "y/n",
        "yes or no",
        "no stop",
        "stop buying groceries",
        "cancel item 2",
        "undo the carpet",
        "save for a trip",
        "add it",
        "widen",
        "yes" * 40,
        "",
        "👍❌",
    ],
)
def test_anything_besides_is_none_of_them(message: str) -> None:
    assert consent(message) is None
