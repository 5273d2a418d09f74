"""A message taken apart into the requests in it: `log amma 100 bank and what's my bank balance` is two.

A cut is made only where what stands on its right begins a request of its own and what stands on its left is one. So
`balances and their total`, `food and travel expenses` and `coffee 100 cash and tea 50 upi` stay whole.
"""

import re
from functools import cache

from agent.language.facets import begins_with
from agent.language.modes import mentions_of
from agent.language.vocabulary import lowered, one_of, table
from money import find_amounts

_CUT = re.compile(
    r"\n+|;+|[?!]+\s+|\.\s+(?=\D)|,\s+(?:and\s+|then\s+|also\s+)?|\s+(?:and\s+then|and\s+also|and|then|also|plus|&)\s+",
    re.IGNORECASE,
)
_NO_CUT = re.compile(r"(?<!\w)(?:compare|compared|comparison|between|difference|vs|versus|from)(?!\w)")
_POINTING = re.compile(
    r"(?:their|its|the|his|her|my)?\s*(?:sum|total|totals|average|difference|count)\s*(?:too|also|as well)?[?.!]*$"
)
_WHAT_ABOUT = re.compile(r"(?:what|how) about(?!\w)")


def requests_of(message: str) -> tuple[str, ...]:
    """Every request in a message, in its order, in the user's words."""
    parts: list[str] = []
    start = 0
    end_of_left = 0
    for cut in _CUT.finditer(message):
        end_of_left = cut.start() + len(re.match(r"[?!.]*", cut[0])[0])  # type: ignore[index]
        left, right = message[start:end_of_left].strip(), _until_next(message, cut.end())
        if left and right and _apart(left, right, cut[0]):
            parts.append(left)
            start = cut.end()
    rest = message[start:].strip(" \t\n,;")
    if rest:
        parts.append(rest)
    return tuple(parts)


def tells_of_money(text: str) -> bool:
    """Whether words read like a transaction: an amount with a mode or words of its own, and no question."""
    if begins_with(text) or _bounded().search(lowered(text)):
        return False
    amounts = find_amounts(text)
    if not amounts:
        return bool(_logs().match(lowered(text).strip()))
    lower = lowered(text).strip()
    if _logs().match(lower) or mentions_of(text):
        return not re.search(r"(?<!\w)balances?(?!\w)", lower)
    if _row_noun().search(lower):
        return False
    return bool(re.search(r"[^\W\d_]{2,}", text[: amounts[0].start] + text[amounts[0].end :]))


def asks_of_the_book(text: str) -> bool:
    """Whether words name something of the book that can be asked for: a balance, expenses, income, transactions."""
    return bool(_book_noun().search(lowered(text)))


def _until_next(message: str, start: int) -> str:
    following = _CUT.search(message, start)
    return message[start : following.start() if following else len(message)].strip()


def _apart(left: str, right: str, cut: str) -> bool:
    low_left, low_right = lowered(left), lowered(right)
    if _POINTING.match(low_right):
        return False
    strong = bool(re.search(r"[\n;?!.]", cut))
    left_asks = bool(begins_with(left)) or asks_of_the_book(left)
    left_tells = tells_of_money(left)
    if tells_of_money(right):
        return left_asks and not left_tells and (bool(mentions_of(right)) or strong or bool(_logs().match(low_right)))
    asks = bool(begins_with(right)) or bool(_WHAT_ABOUT.match(low_right))
    if left_tells:
        return asks or (asks_of_the_book(right) and not find_amounts(right))
    if not left_asks and not strong:
        return False
    if asks:
        return strong or left_asks
    if _NO_CUT.search(low_left) and not strong:
        return False
    return asks_of_the_book(left) and asks_of_the_book(right)


@cache
def _logs() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:please|pls|i|we)\s+)?{one_of(table('questions')['leads']['logs'])}(?!\w)")


@cache
def _bounded() -> re.Pattern[str]:
    bounds = table("questions")["bounds"]
    said = one_of([*bounds["above"], *bounds["below"], *bounds["at_most"], "at least"])
    return re.compile(rf"(?<!\w){said}\s*(?:rs\.?|₹)?\s*\d")


@cache
def _book_noun() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['nouns']['book'])}(?!\w)")


@cache
def _row_noun() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w){one_of([*table('questions')['kinds']['all'], 'expenses', 'balances', 'balance'])}(?!\w)"
    )
