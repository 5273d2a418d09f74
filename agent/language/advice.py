"""Which advice a message asks for, and what it names: days, categories, a price, how bold a cut.

    message ──asks for advice?──► kind, by the first pattern of advice.toml that fits
                               └► days, categories, modes (as of any question), price and thing, profile

`continued` reads what only makes sense after advice: `make it aggressive`, `and last month?`, `what about 20,000?`.
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Literal

from agent.language.facets import Facets, facets_of
from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of
from agent.language.vocabulary import lowered, one_of, plain, table
from agent.language.wording import READ, amounts_in, blank, tokens_of
from ledger.budget import DEFAULT_PROFILE, Profile
from ledger.entries import Mode
from ledger.queries import Query, Span
from money import days_text, find_periods, month_span, previous_month

AdviceKind = Literal[
    "afford",
    "overspend",
    "plan",
    "cut",
    "save",
    "status",
    "summary",
    "due",
    "subscriptions",
    "safe",
    "forecast",
    "report",
]

PROFILES: tuple[Profile, ...] = ("conservative", "balanced", "aggressive")
"""from the gentlest to the boldest"""
_CUTS = frozenset[AdviceKind]({"cut", "save"})
_BILLS = frozenset[AdviceKind]({"due", "subscriptions"})
_RUPEES = (None, "INR")
_LOOKS_BACK = frozenset[AdviceKind]({"overspend", "cut", "save", "status", "summary", "report"})


@dataclass(frozen=True)
class Advice:
    """One request for advice."""

    kind: AdviceKind
    period: Span | None = None
    """the days asked about; for a plan the days it is for. None: this month"""
    categories: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    """can I afford it: the modes it would be paid from; none are all"""
    price: Decimal | None = None
    price_text: str = ""
    """as the user wrote it: `12k`"""
    currency: str | None = None
    """of a price that is not in rupees"""
    thing: str = ""
    """what one would like to have, or the bill one asks after, in the user's words"""
    profile: Profile = DEFAULT_PROFILE


def parse_advice(words: str, today: date, knowledge: Knowledge, profile: Profile = DEFAULT_PROFILE) -> Advice | None:
    """The advice a message asks for; None when it asks for none. `profile` holds unless the message says another."""
    text = plain(words)
    if not asks_advice(words, today, knowledge):
        return None
    facets = facets_of(words, today, knowledge)
    left = bool(facets.categories) and bool(_left_for().search(text))
    ahead = asks_ahead(text)
    kind: AdviceKind = "status"
    if _report().fullmatch(text.strip(" ?.!")):
        kind = "report"
    elif ahead:
        kind = ahead
    elif not left:
        kind = next(kind for kind, pattern in _kinds() if pattern.search(text))
    asked = Advice(kind, _period(facets, today), facets.categories, profile=_profile(text, profile) or profile)
    if ahead in _BILLS:
        return replace(asked, thing=_bill_named(text))
    return _with_price(asked, words, today) if kind == "afford" else asked


def asks_ahead(text: str) -> AdviceKind | None:
    """Whether lower-case words ask after bills that come back, safe spending or the month's end; which of them."""
    return next((kind for kind, pattern in _ahead() if pattern.search(text)), None)


def asks_advice(words: str, today: date, knowledge: Knowledge) -> bool:
    """Whether a message asks for advice; `how much is left for food` asks for what is left of its budget."""
    text = plain(words)
    if _asks().search(text) or asks_ahead(text) or _report().fullmatch(text.strip(" ?.!")):
        return True
    return bool(_left_for().search(text)) and bool(facets_of(words, today, knowledge).categories)


def continued(message: str, last: Advice, today: date, knowledge: Knowledge) -> Advice | None:
    """The last advice with what a follow-up changes: its profile, days, category or price. None: it is no follow-up."""
    text = plain(message).strip(" ?.!,")
    if (profile := _profile(text, last.profile)) and _only(text, _of_profiles()):
        return replace(last, profile=profile, kind=last.kind if last.kind in _CUTS else "save")
    if last.kind == "afford":
        return _another_price(message, last, today)
    opening = _opening().match(text)
    facets = facets_of(text[opening.end() :] if opening else text, today, knowledge)
    named = facets.period or facets.earlier or facets.categories
    more = facets.words or facets.aggregate or facets.kind or facets.by or facets.modes or facets.tags or facets.lead
    if not named or more or facets.groups or facets.bounded:
        return None
    if facets.categories and last.kind not in ("overspend", "status"):
        return None
    period = _period(facets, today, last.period)
    if period and (period.first > today if last.kind in _LOOKS_BACK else period.last < today):
        return None
    return replace(last, period=period or last.period, categories=facets.categories or last.categories)


def rows_of(advice: Advice, today: date) -> Query:
    """The spending the advice looks at: what `show them` shows after it."""
    period = advice.period if advice.period and advice.kind in _LOOKS_BACK else None
    return Query("total", "spending", period or Span(*month_span(today), "this month"), categories=advice.categories)


def _period(facets: Facets, today: date, of: Span | None = None) -> Span | None:
    if facets.period or facets.earlier != "month":
        return facets.period
    first, last = previous_month(of.first if of else today)
    return Span(first, last, f"in {days_text(first, last, today)}")


def _profile(text: str, now: Profile) -> Profile | None:
    """The profile a text names; `less aggressive` is a step from the one there is."""
    named = next((name for name in PROFILES if _named(name).search(text)), None)
    if named and _named("less").search(text):
        step = -1 if named == "aggressive" else 1 if named == "conservative" else 0
        return PROFILES[min(max(PROFILES.index(now) + step, 0), len(PROFILES) - 1)]
    return named


def _only(text: str, read: re.Pattern[str]) -> bool:
    """Whether nothing of importance is left when some words are taken out."""
    left = {token.plain for token in tokens_of(read.sub(" ", text)) if token.plain}
    return left <= set(table("advice")["follow"]["with"])


def _with_price(asked: Advice, words: str, today: date) -> Advice:
    amounts = amounts_in(words)
    # of an iphone 15 for 80,000 the larger number is the price
    price = max(amounts, key=lambda amount: amount.value, default=None)
    named = [mention for mention in mentions_of(words) if mention.binder]
    periods = tuple((found.start, found.end) for found in find_periods(words, today))
    read = (*([(price.start, price.end)] if price else []), *periods, *((m.start, m.end) for m in named))
    after = _verbs().search(lowered(words))
    rest = blank(words, read, READ)[after.end() if after else 0 :]
    kept = [token for token in tokens_of(rest.replace(READ, " ")) if token.plain]
    edges = set(table("advice")["thing"]["edges"])
    while kept and kept[0].plain in edges:
        kept.pop(0)
    while kept and kept[-1].plain in edges:
        kept.pop()
    return replace(
        asked,
        period=None,
        categories=(),
        modes=tuple(dict.fromkeys(mention.mode for mention in named)),
        price=price.value if price and price.currency in _RUPEES else None,
        price_text=price.text.strip() if price else "",
        currency=price.currency if price and price.currency not in _RUPEES else None,
        thing=" ".join(token.plain for token in kept),
    )


def _another_price(message: str, last: Advice, today: date) -> Advice | None:
    """`what about 20,000?`, `or a laptop for 80k`; a bare amount where the price was missing."""
    opening = _pricing().match(plain(message))
    amounts = amounts_in(message)
    bare = len(amounts) == 1 and not re.search(r"\w", blank(message, ((amounts[0].start, amounts[0].end),), " "))
    if len(amounts) != 1 or not (opening or (bare and last.price is None)):
        return None
    if any(not mention.binder for mention in mentions_of(message)):
        return None
    other = _with_price(last, message[opening.end() :] if opening else message, today)
    return replace(other, thing=other.thing or last.thing, modes=other.modes or last.modes)


@cache
def _asks() -> re.Pattern[str]:
    return _whole(table("intents")["advise"]["anywhere"])


@cache
def _report() -> re.Pattern[str]:
    return re.compile(table("advice")["report"]["asks"])


@cache
def _ahead() -> tuple[tuple[AdviceKind, re.Pattern[str]], ...]:
    return tuple((kind, _whole(patterns)) for kind, patterns in table("advice")["ahead"].items())


def _bill_named(text: str) -> str:
    """The bill asked after: `rent` of `when is my rent due`; empty for all of them."""
    found = _one_bill().search(text)
    words = [token.plain for token in tokens_of(found["name"])] if found else []
    return " ".join(word for word in words if word and word not in table("advice")["bill"]["around"])


@cache
def _one_bill() -> re.Pattern[str]:
    return re.compile("|".join(table("advice")["bill"]["named"]))


@cache
def _left_for() -> re.Pattern[str]:
    return _whole(table("advice")["left"]["for"])


@cache
def _kinds() -> tuple[tuple[AdviceKind, re.Pattern[str]], ...]:
    kinds = table("advice")["kinds"]
    # what one has saved is told by the summary
    return tuple(("summary" if name == "saved" else name, _whole(kinds[name])) for name in kinds)


def _whole(patterns: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)")


@cache
def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('advice')['profiles'][name])}(?!\w)")


@cache
def _of_profiles() -> re.Pattern[str]:
    phrases = [phrase for some in table("advice")["profiles"].values() for phrase in some]
    return re.compile(rf"(?<!\w){one_of(phrases)}(?!\w)")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"{one_of(table('advice')['follow']['opening'])}(?!\w)")


@cache
def _pricing() -> re.Pattern[str]:
    return re.compile(rf"{one_of(table('advice')['follow']['price'])}(?!\w)")


@cache
def _verbs() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('advice')['thing']['verbs'])}(?!\w)")
