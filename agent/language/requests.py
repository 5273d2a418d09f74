"""A message taken apart into the requests in it: `log amma 100 bank and what's my bank balance` is two.

A cut is made only where what stands on its right begins a request of its own and what stands on its left is one. So
`balances and their total`, `food and travel expenses` and `coffee 100 cash and tea 50 upi` stay whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from agent.language.facets import begins_with
from agent.language.modes import mentions_of
from agent.language.splits import without_share
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import amounts_in
from money import find_periods

_CUT = re.compile(
    r"\n+|;+|(?<![?!])[?!]+\s+|\.\s+(?=\D)|,\s+(?:and\s+|then\s+|also\s+)?|\s+(?:and\s+then|and\s+also|and|then|also|plus|&)\s+",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[^\S\n]{2,}")
_STRONG = re.compile(r"[\n;?!.]")
_NO_CUT = re.compile(r"(?<!\w)(?:compare|compared|comparison|between|difference|vs|versus|from)(?!\w)")
_POINTING = re.compile(
    r"(?:what(?:'s|s| is| are| was| were)?\s+)?(?:their|its|the|his|her|my)?\s*"
    r"(?:sum|total|totals|average|difference|count)\s*(?:too|also|as well)?[?.!]*$"
)
_ASKS = re.compile(r"(?<!\w)(?:how (?:much|many)|what (?:is|are)|what's)(?!\w)")
_BETWEEN = re.compile(r"(?<!\w)between(?:(?!\sand\s|[;?!\n]).){1,28}$", re.IGNORECASE)
_ANY_DAY = date(2026, 1, 15)
"""to see where a period stands in a text, not which days it is"""


@dataclass(frozen=True)
class _Piece:
    """A part between two possible cuts, and what it is by itself."""

    start: int
    end: int
    text: str
    cut: str
    """what stands before it"""
    opens: bool
    """begins like a question or a request"""
    names_book: bool
    tells: bool


def requests_of(message: str) -> tuple[str, ...]:
    """Every request in a message, in its order, in the user's words."""
    message = _SPACES.sub(" ", message)
    requests: list[str] = []
    left: list[_Piece] = []
    for piece in _pieces(message):
        if left and _apart(left, piece):
            words = message[left[0].start : piece.start - len(piece.cut.lstrip("?!."))].strip(" \t\n,;")
            shares = left[-1].names_book and not left[-1].tells and not _STRONG.search(piece.cut)
            requests.append(_with_period_of(words, piece.text) if shares else words)
            left = []
        left.append(piece)
    if left:
        requests.append(message[left[0].start :].strip(" \t\n,;"))
    return tuple(requests)


def _pieces(message: str) -> Iterator[_Piece]:
    start, before = 0, ""
    cuts = [cut for cut in _CUT.finditer(message) if not _within_between(message, cut)]
    for cut in [*cuts, None]:
        end = cut.start() if cut else len(message)
        text = message[start:end].strip()
        if text:
            opens = bool(begins_with(text) or _opening_request().match(lowered(text)))
            yield _Piece(start, end, text, before, opens, asks_of_the_book(text), tells_of_money(text))
            before = ""
        if cut:
            start, before = cut.end(), before + cut[0]


def _within_between(message: str, cut: re.Match[str]) -> bool:
    """Whether the `and` is that of `between 500 and 1000`."""
    return "and" in cut[0] and _BETWEEN.search(message[max(cut.start() - 30, 0) : cut.start()]) is not None


def _with_period_of(left: str, right: str) -> str:
    """`food expenses and home expenses last month`: the days said at the end are meant for both."""
    if begins_with(right) or find_periods(left, _ANY_DAY):
        return left
    periods = find_periods(right, _ANY_DAY)
    return f"{left} {periods[0].text}" if len(periods) == 1 and periods[0].end >= len(right.rstrip(" ?.!")) else left


def tells_of_money(text: str) -> bool:
    """Whether words read like a transaction: an amount with a mode or words of its own, and no question."""
    text = without_share(text)
    if begins_with(text) or _bounded().search(lowered(text)) or _ASKS.search(lowered(text)):
        return False
    days = find_periods(text, _ANY_DAY) if "between" in lowered(text) else ()
    amounts = [at for at in amounts_in(text) if not any(day.start <= at.start < day.end for day in days)]
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


def _apart(left: list[_Piece], right: _Piece) -> bool:
    """Whether a request ends here and another begins."""
    lower = lowered(right.text)
    if _POINTING.match(lower):
        return False
    strong = bool(_STRONG.search(right.cut))
    left_asks = left[0].opens or any(piece.names_book for piece in left)
    left_tells = not left[0].opens and any(piece.tells for piece in left)
    if right.tells:
        return left_asks and not left_tells and (strong or bool(mentions_of(right.text)) or bool(_logs().match(lower)))
    if left_tells:
        return right.opens or (right.names_book and not amounts_in(right.text))
    if right.opens:
        return left_asks
    if not left_asks or (not strong and any(_NO_CUT.search(lowered(piece.text)) for piece in left)):
        return False
    return right.names_book and any(piece.names_book for piece in left)


@cache
def _logs() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:please|pls|i|we)\s+)?{one_of(table('questions')['leads']['logs'])}(?!\w)")


@cache
def _opening_request() -> re.Pattern[str]:
    """`what about` and the imperatives that ask for advice: `summarise last month`."""
    return re.compile(rf"{one_of(table('questions')['leads']['requests'])}(?!\w)")


@cache
def _bounded() -> re.Pattern[str]:
    bounds = table("questions")["bounds"]
    said = one_of([*bounds["above"], *bounds["below"], *bounds["at_most"], "at least", "between"])
    return re.compile(rf"(?<!\w){said}\s*(?:rs\.?|₹)?\s*\d")


@cache
def _book_noun() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['nouns']['book'])}(?!\w)")


@cache
def _row_noun() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w){one_of([*table('questions')['kinds']['all'], 'expenses', 'balances', 'balance'])}(?!\w)"
    )
