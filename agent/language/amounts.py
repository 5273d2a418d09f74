"""How much a clause says was paid: one amount, or a price for each and a count."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from agent.language.vocabulary import one_of, table
from agent.language.wording import amounts_in
from money import AmountFound

_COUNT = re.compile(r"(?<![\w.,₹$€£])(\d{1,3}(?:\.\d{1,3})?)(?=\s*(?!\d)\w)")
_TIMES = re.compile(r"\s*[x×*]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class AmountSaid:
    """The amount of a clause in rupees, or why there is none, and which parts of the clause said it."""

    value: Decimal | None
    doubt: str | None
    spans: tuple[tuple[int, int], ...]


def amount_said(clause: str) -> AmountSaid:
    """The amount of one transaction: `3 coffees 40 each` is 120; zero, negative and foreign ones are doubts."""
    found = amounts_in(clause)
    spans = tuple((amount.start, amount.end) for amount in found)
    foreign = next((amount.currency for amount in found if amount.currency not in (None, "INR")), None)
    if foreign:
        return AmountSaid(None, f"currency:{foreign}", spans)
    if len(found) == 2 and _TIMES.fullmatch(clause[found[0].end : found[1].start]):
        return _positive(found[0].value * found[1].value, ((found[0].start, found[1].end),))
    if len(found) == 1 and (part := _part().search(clause[: found[0].start])):
        return AmountSaid(None, "part", ((part.start(), found[0].end),))
    if len(found) == 1:
        return _each(clause, found[0]) or _positive(found[0].value, spans)
    if found:
        return AmountSaid(None, "two_amounts", spans)
    return AmountSaid(None, None, ())


def _each(clause: str, price: AmountFound) -> AmountSaid | None:
    """A price for one with its count; None when the amount is not a price for one."""
    times = re.search(r"(?<![\w.,])(\d{1,3})\s*[x×*]\s*$", clause[: price.start], re.IGNORECASE)
    if times:
        return _positive(int(times[1]) * price.value, ((times.start(), price.end),))
    each = _each_words().match(clause, price.end)
    if not each:
        return None
    span = (price.start, each.end())
    counts = [Decimal(found[1]) for found in _COUNT.finditer(clause[: price.start] + " | " + clause[each.end() :])]
    if not counts:
        around = f"{clause[: price.start]} | {clause[each.end() :]}".casefold()
        counts = [Decimal(table("transactions")["counts"][found[0]]) for found in _count_words().finditer(around)]
    if len(counts) != 1:
        return AmountSaid(None, "each", (span,))
    return _positive(counts[0] * price.value, (span,))


def _positive(value: Decimal, spans: tuple[tuple[int, int], ...]) -> AmountSaid:
    return AmountSaid(value, None, spans) if value > 0 else AmountSaid(None, "not_positive", spans)


@cache
def _part() -> re.Pattern[str]:
    """`half of`, `20% advance of` before an amount."""
    return re.compile(
        rf"(?<![\w.])(?:{one_of(table('transactions')['part'])}|\d{{1,3}}(?:\.\d+)?\s*(?:%|percent|per cent)"
        r"(?:\s+[a-z]+)?)\s+of\s+(?:the\s+|my\s+|rs\.?\s*|₹\s*)?$",
        re.IGNORECASE,
    )


@cache
def _each_words() -> re.Pattern[str]:
    each = one_of(table("transactions")["each"])
    return re.compile(
        rf"\s*(?:/-)?\s*{each}(?!\w)(?:\s+(?:piece|head|person|plate|cup|unit|kg|litre|ticket|one))?", re.IGNORECASE
    )


@cache
def _count_words() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(set(table('transactions')['counts']) - {'a'})}(?!\w)")
