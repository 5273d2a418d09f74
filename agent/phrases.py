"""Sentences that stand in more than one place: examples, the guide, reminders. None of them holds a figure."""

import re

from agent.evidence import Wording
from agent.language.intents import is_remark
from agent.state import Saying

EXAMPLES = (
    "spent 500 on groceries via phonepe",
    "how much did I spend this month?",
    "what is my bank balance?",
)

HERE = "I keep your budget book. Tell me what you spent or received, or ask me about it."
_GREETING = "Hello! I am Munshi, I keep your budget book. Tell me what you spent or received, or ask me about it."
_THANKS = re.compile(r"\b(?:thank\w*|thx|ty|shukriya|dhanyavad|great|nice|good job|well done|awesome|perfect)\b")
_PARTING = re.compile(r"\b(?:bye|goodbye|good night|see you|later|cya)\b")

NOTHING_WAITS = {
    "confirm": "Nothing is waiting to be saved, so nothing was done.",
    "cancel": "Nothing is waiting, so there is nothing to cancel.",
    "stop": "Nothing is running or waiting, so there is nothing to stop.",
    "edit": "No card is open, so there is nothing to change.",
}

ONE_UNDO_AT_A_TIME = "I take back one write at a time: say **undo**, and **undo** again for the one before it."
SAY_IT_ALONE = "Say **yes** or **cancel** by itself, so that I am sure it is meant for what waits."
CARD_STILL_OPEN = "Your card is still open: **yes** saves it, **cancel** drops it."


_NOTED = "Then there is nothing to write down. Your book stays as it is."


def small_talk(message: str) -> str:
    """The answer to a greeting, a thank you, a goodbye."""
    words = message.casefold()
    if is_remark(message):
        return _NOTED
    if _PARTING.search(words):
        return "Goodbye! Everything you saved is in your book."
    return "You are welcome." if _THANKS.search(words) else _GREETING


def is_greeting(message: str) -> bool:
    """Whether small talk is a hello: neither thanks nor a goodbye, nor a word that nothing was spent."""
    return small_talk(message) == _GREETING


def not_understood(times: int) -> Saying:
    """Asked with examples twice, then a short guide."""
    wording = Wording()
    if times < 2:
        examples = "\n".join(f"- {wording.quote(example)}" for example in EXAMPLES)
        opening = "I did not understand that." if times == 0 else "I still do not understand, sorry."
        return wording.saying(f"{opening} Here is the kind of thing you can say:\n{examples}")
    return wording.saying(
        "A short guide:\n"
        f"- **To write something down**, say what, how much and how it was paid: {wording.quote(EXAMPLES[0])}.\n"
        "- **Nothing is saved** before you say yes to the card I show.\n"
        f"- **To ask**, name a period, a category or a mode: {wording.quote('food expenses last month')}.\n"
        "- **undo** takes the last saved entries back."
    )


def help_text() -> Saying:
    """What the program can do today."""
    wording = Wording()
    return wording.saying(
        "I keep your budget book.\n"
        f"- Say what you spent or received: {wording.quote('tea 20 cash; petrol 500 upi')}.\n"
        "- I show a card first; **yes** writes it into your Excel book, **undo** takes it back.\n"
        "- Ask for balances, totals, entries and comparisons: "
        f"{wording.quote('compare my food spending with last month')}.\n"
        f"- Ask for advice: {wording.quote('why did I overspend?')}, {wording.quote('how can I save more')}, "
        f"{wording.quote('plan my month')}, {wording.quote('can I afford a 12,000 phone')}."
    )


def likely_readings(options: tuple[str, ...]) -> Saying:
    """Asked when understanding is not sure: the likeliest meanings, to be tapped or said."""
    wording = Wording()
    lines = "\n".join(f"- {wording.quote(option)}" for option in options)
    return wording.saying(f"I am not sure what you mean. Did you want one of these?\n{lines}")
