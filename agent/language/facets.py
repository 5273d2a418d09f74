"""What a question names: period, modes, categories, bounds, kind, aggregate, and the words to be searched for.

Each facet blanks out what it has read, the most particular first, so that the `last` of `last week` is not also the
`last` of `last 5 transactions`, and what remains at the end are the words of a description.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from agent.language.knowledge import Knowledge
from agent.language.modes import mentions_of
from agent.language.vocabulary import lowered, one_of, table, words
from agent.language.wording import READ, amounts_in, blank, tokens_of
from ledger.entries import GROUPS, Group, Mode
from ledger.queries import Aggregate, By, Extreme, Kind, Order, Query, Shape, Span
from money import find_periods, month_span

_KINDS: tuple[Kind, ...] = (
    "refunds", "withdrawals", "net", "income", "transfers", "spending", "credits", "debits", "all",
)  # fmt: skip
_AGGREGATES: tuple[Aggregate, ...] = (
    "unusual", "share", "median", "balance", "count", "average", "earliest", "latest", "largest", "smallest", "total",
)  # fmt: skip
_BYS: tuple[By, ...] = ("day", "week", "month", "mode", "group", "category")
_ORDERS: tuple[Order, ...] = ("oldest", "smallest", "largest", "newest")
_SHAPES: tuple[Shape, ...] = ("budget", "flow", "calendar", "treemap", "line")
_OVERS: tuple[Extreme, ...] = ("lowest", "highest", "average")
_WEEKDAY = "weekday"
_EXTREMES: tuple[Aggregate, ...] = ("latest", "largest", "smallest")
_MOST_ROWS = 500
_FLAGS = ("description_only", "chart", "trend", "compare", "whole_book")
_TAG = re.compile(
    r"\[([^\[\]]+)\]|(?<!\w)#([a-z][\w-]*)"
    r"|(?<!\w)(?:tagged(?:\s+(?:as|with))?|with\s+(?:the\s+)?tag|tag)\s+(?!me\b)([a-z][\w-]*)"
)
_INCOME_AND_SPENDING = re.compile(
    r"(?<!\w)(?P<in>income|earnings)(?!\w)[^.?;]{0,24}?(?P<out>(?<!\w)(?:vs\.?|versus|against|minus|less)\s+"
    r"(?:my |the |total )*(?:expenses?|spendings?|expenditure|kharcha|kharch))(?!\w)"
)
_SAVINGS = re.compile(
    r"\s*(?:(?:(?:what|how much) (?:are|is|were|was)|what's|show(?: me)?|tell me)\s+)?(?:my |our |the |total |net )*"
    r"savings(?= (?:this|last|in|during|so far|of (?:this|last|the))(?!\w))(?!.*(?<!\w)(?:accounts?|bank)(?!\w))"
)
"""`savings this year` are what was kept; a `savings account` is a bank"""
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,40})[\"”]")
_PERIOD_COMPARED = re.compile(r"(?:vs\.?|versus|against|with|to|than|from)\s*$")


@dataclass(frozen=True)
class Facets:
    """What one question names; None or empty: it does not say."""

    aggregate: Aggregate | None = None
    kind: Kind | None = None
    period: Span | None = None
    compare: Span | None = None
    compares: bool = False
    held_against: bool = False
    """the one period it names stands after `with`, `than`: it is what is compared with, not what is asked about"""
    periods: int = 0
    """how many periods it names"""
    modes: tuple[Mode, ...] = ()
    categories: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    tags: tuple[str, ...] = ()
    above: Decimal | None = None
    below: Decimal | None = None
    at_least: Decimal | None = None
    at_most: Decimal | None = None
    limit: int | None = None
    by: By | None = None
    chart: bool = False
    trend: bool = False
    with_total: bool = False
    whole_book: bool = False
    sums: bool = False
    """`in total`: the whole book, but in a follow-up the sum of what it continues"""
    every_mode: bool = False
    """`all my balances`"""
    description_only: bool = False
    opening: bool = False
    paid_by: bool = False
    """a mode stands after `by`, `via`, `from`: how it was paid, not what is there"""
    earlier: str | None = None
    """`month` or `year`: the one before the period of the question that is continued"""
    weekdays: tuple[int, ...] = ()
    leaving_out: tuple[Query, ...] = ()
    order: Order | None = None
    shape: Shape | None = None
    over: Extreme | None = None
    """the lowest, highest or average balance"""
    share_of: Kind | None = None
    rest: bool = False
    """those not shown yet"""
    lead: str | None = None
    """`question` or `request`: how it begins"""
    words: tuple[str, ...] = ()
    """what is left: words of a description"""

    @property
    def narrows(self) -> bool:
        """Whether it says which rows."""
        return bool(
            self.period or self.modes or self.categories or self.groups or self.tags or self.words
            or self.bounded or self.earlier or self.weekdays or self.leaving_out
        )  # fmt: skip

    @property
    def bounded(self) -> bool:
        """Whether it says how large the amounts are."""
        return any(bound is not None for bound in (self.above, self.below, self.at_least, self.at_most))


@lru_cache(maxsize=256)
def _periods(text: str, today: date) -> tuple[tuple[Span, int, int], ...]:
    return tuple(
        (Span(found.first, found.last, found.words), found.start, found.end) for found in find_periods(text, today)
    )


def facets_of(question: str, today: date, knowledge: Knowledge) -> Facets:
    """The facets of one question."""
    text = lowered(question).replace("’", "'")
    facets = Facets(lead=_lead(text))
    for read in (_read_tags, _read_net, _read_limit, _read_bounds):
        facets, text = read(facets, text)
    facets, text = _read_periods(facets, text, today)
    facets, text = _read_exact_amount(facets, text)
    for read in (_read_order, _read_shape, _read_weekdays, _read_share):
        facets, text = read(facets, text)
    facets, text = _read_left_out(facets, text, knowledge)
    facets, text = _read_flags(facets, text)
    facets, text = _read_categories(facets, text, knowledge)
    facets, text = _read_done(facets, text)
    facets, text = _read_by(facets, text)
    facets, text = _read_groups(facets, text, knowledge)
    facets, text = _read_modes(facets, text)
    facets, text = _read_aggregate(facets, text)
    facets, text = _read_kind(facets, text)
    return replace(facets, words=(*facets.words, *_searched(text, knowledge)))


def begins_with(text: str) -> str | None:
    """How a message begins: `question`, `request`, or neither."""
    return _lead(lowered(text).replace("’", "'"))


def _lead(text: str) -> str | None:
    text = text.lstrip(" ,.-")
    bare = _opening_words().sub("", text, count=1)
    lead = next((name for name in ("request", "question") if _leads(name).match(bare)), None)
    if not lead and _asks_in_hindi().search(text):
        return "question"
    if lead or _leads("logs").match(bare):
        return lead
    asking = re.search(r"(?<!\w)(?:(?:can|could|would|will) you|tell me|know)(?!\w)", text[: len(text) - len(bare)])
    return "request" if asking else None


def _read_tags(facets: Facets, text: str) -> tuple[Facets, str]:
    found = list(_TAG.finditer(text))
    quoted = list(_QUOTED.finditer(text))
    tags = tuple(next(group for group in match.groups() if group).strip().upper() for match in found)
    spans = tuple(match.span() for match in (*found, *quoted))
    return replace(facets, tags=tags, words=tuple(match[1].strip() for match in quoted)), blank(text, spans, READ)


def _read_net(facets: Facets, text: str) -> tuple[Facets, str]:
    """`income vs expenses` is what was kept, and compares no days."""
    if both := _INCOME_AND_SPENDING.search(text):
        return replace(facets, kind="net"), blank(text, (both.span("in"), both.span("out")), READ)
    found = words(table("questions")["kinds"]["net"]).search(text) or _SAVINGS.match(text)
    if not found or re.match(r"\s+worth(?!\w)", text[found.end() :]) or re.search(r"(?<!\w)balances?(?!\w)", text):
        return facets, text
    return replace(facets, kind="net"), blank(text, (found.span(),), READ)


def _read_limit(facets: Facets, text: str) -> tuple[Facets, str]:
    for pattern in _limits():
        if found := pattern.search(text):
            number = int(found["n"]) if found["n"].isdigit() else _extremes()["numbers"][found["n"]]
            which = next(name for name in _EXTREMES if " ".join(found["which"].split()) in _extremes()[name])
            if 0 < number <= _MOST_ROWS:
                return replace(facets, limit=number, aggregate=which), blank(text, (found.span(),), READ)
    return facets, text


def _read_bounds(facets: Facets, text: str) -> tuple[Facets, str]:
    bounds: dict[str, Decimal] = {}
    amounts = [found for found in amounts_in(text) if found.currency in (None, "INR")]
    spans: list[tuple[int, int]] = []
    for index, found in enumerate(amounts):
        before = text[: found.start]
        between = re.search(r"(?<!\w)(?:between|from)\s*$", before)
        following = amounts[index + 1] if index + 1 < len(amounts) else None
        if between and following and re.fullmatch(r"\s*(?:and|to|-)\s*", text[found.end : following.start]):
            smaller, larger = sorted((found.value, following.value))
            bounds |= {"at_least": smaller, "at_most": larger}
            spans.append((between.start(), following.end))
            break
        for name in ("at_least", "at_most", "above", "below"):
            if bound := _bound(name).search(before):
                spans.append((bound.start(), found.end))
                bounds[name] = found.value
                break
    told = replace(
        facets,
        above=bounds.get("above"),
        below=bounds.get("below"),
        at_least=bounds.get("at_least"),
        at_most=bounds.get("at_most"),
    )
    return told, blank(text, tuple(spans), READ)


def _read_exact_amount(facets: Facets, text: str) -> tuple[Facets, str]:
    """An amount without a bound: `the expense of 500`."""
    found = next((each for each in amounts_in(text) if each.currency in (None, "INR")), None)
    if found is None or facets.bounded:
        return facets, text
    within = replace(facets, at_least=found.value, at_most=found.value)
    return within, blank(text, ((found.start, found.end),), READ)


def _read_periods(facets: Facets, text: str, today: date) -> tuple[Facets, str]:
    follow = table("questions")["follow"]
    for name, unit in (("before", "month"), ("year_before", "year")):
        found = words(follow[name]).search(text)
        if found and "last" not in found[0]:
            facets = replace(facets, earlier=unit)
            text = blank(text, (found.span(),), READ)
    if words(table("questions")["flags"]["compare"]).search(text):
        # "the difference between october and november" is of two months, not of the days from one to the other
        text = re.sub(r"(?<!\w)between(?!\w)", READ * len("between"), text)
    periods = _periods(text.replace(READ, " "), today)
    compares = bool(words(table("questions")["flags"]["compare"]).search(text))
    main, other = _told_apart(periods, text, today, compares=compares)
    spans = tuple((start, end) for _, start, end in periods)
    against = len(periods) == 1 and bool(_PERIOD_COMPARED.search(text[: periods[0][1]].rstrip()))
    told = replace(facets, period=main, compare=other, compares=compares, periods=len(periods), held_against=against)
    return told, blank(text, spans, READ)


def _told_apart(
    periods: tuple[tuple[Span, int, int], ...], text: str, today: date, *, compares: bool
) -> tuple[Span | None, Span | None]:
    """The period asked and the one it is compared with: the later and the earlier, or this month and the one named."""
    this_month = Span(*month_span(today), "this month")
    if not compares:
        if len(periods) > 1:
            ordered = sorted((span for span, _, _ in periods), key=lambda span: span.first)
            joined = ordered[0]
            for span in ordered[1:]:
                if span.first <= joined.last + timedelta(days=1) and span.last > joined.last:
                    joined = Span(joined.first, span.last, f"{joined.words} and {span.words}")
            return (joined if joined is not ordered[0] else periods[-1][0]), None
        return (periods[0][0] if periods else None), None
    if len(periods) > 1:
        later, earlier = sorted((periods[0][0], periods[1][0]), key=lambda span: span.first, reverse=True)
        return later, earlier
    if not periods:
        return None, None
    span, start, _ = periods[0]
    if span.first <= today <= span.last and not _PERIOD_COMPARED.search(text[:start].rstrip()):
        return span, None
    return (this_month, span) if span.first < this_month.first else (span, None)


def _read_order(facets: Facets, text: str) -> tuple[Facets, str]:
    """`sort by amount`, `oldest first`, `the rest`."""
    spoken = table("questions")["order"]
    if rest := words(spoken["rest"]).search(text):
        facets, text = replace(facets, rest=True), blank(text, (rest.span(),), READ)
    for order in _ORDERS:
        if found := words(spoken[order]).search(text):
            return replace(facets, order=order), blank(text, (found.span(),), READ)
    return facets, text


def _read_shape(facets: Facets, text: str) -> tuple[Facets, str]:
    """How a chart is to be drawn: `calendar heat map`, `treemap`, `budget against actual`."""
    for shape in _SHAPES:
        if found := tuple(words(table("questions")["shapes"][shape]).finditer(text)):
            return replace(facets, shape=shape), blank(text, tuple(each.span() for each in found), READ)
    return facets, text


def _read_weekdays(facets: Facets, text: str) -> tuple[Facets, str]:
    """`on weekends`, `on sundays`; one weekend is a period and was read."""
    days: set[int] = set()
    for name, numbers in table("questions")["weekdays"].items():
        pattern = re.compile(rf"(?<!\w)(?:(?:on|at|over|during|every|all)\s+)?(?:the\s+)?{name}(?!\w)")
        if found := pattern.search(text):
            days.update(numbers)
            text = blank(text, (found.span(),), READ)
    return replace(facets, weekdays=tuple(sorted(days))), text


def _read_share(facets: Facets, text: str) -> tuple[Facets, str]:
    """`what share of my income went to rent`: of what it is a share, which is not what is asked about."""
    share = words(table("questions")["aggregates"]["share"]).search(text)
    if not share:
        return facets, text
    of = re.compile(r"\s+of\s+(?:all\s+)?(?:my\s+|the\s+|total\s+|our\s+|monthly\s+)*(?P<what>[a-z]+)").match(
        text, share.end()
    )
    named = next((kind for kind in _SHARED if of and _named_whole(kind).fullmatch(of["what"])), None)
    end = of.end() if of and named else share.end()
    return replace(facets, aggregate="share", share_of=named), blank(text, ((share.start(), end),), READ)


_SHARED: tuple[Kind, ...] = ("income", "spending")


def _named_whole(kind: Kind) -> re.Pattern[str]:
    """What a share may be of: `income`, `salary`, `spending`."""
    spoken = table("questions")
    return words([*spoken["kinds"][kind], *(spoken["nouns"]["earned"] if kind == "income" else ())])


def _read_left_out(facets: Facets, text: str, knowledge: Knowledge) -> tuple[Facets, str]:
    """`spending excluding rent and swiggy`: each thing named is left out by itself."""
    facets, text = _read_uncategorised(facets, text)
    found = _leaving_out().search(text) or _left_out_before().search(text)
    if not found:
        return facets, text
    named = Facets()
    rest = found["what"]
    named, rest = _read_weekdays(named, rest)
    named, rest = _read_categories(named, rest, knowledge)
    every_group = f"{rest} {READ}"
    named, rest = _read_groups(named, every_group, knowledge)
    named, rest = _read_modes(named, rest)
    transfers = words(table("questions")["kinds"]["transfers"]).search(rest)
    out: list[Query] = [Query("rows", categories=(name,)) for name in named.categories]
    out += [Query("rows", groups=(group,)) for group in named.groups]
    out += [Query("rows", modes=(mode,)) for mode in named.modes]
    out += [Query("rows", weekdays=named.weekdays)] if named.weekdays else []
    out += [Query("rows", kind="transfers")] if transfers else []
    if transfers:
        rest = blank(rest, (transfers.span(),), READ)
    out += [Query("rows", words=(word,)) for word in _searched(rest, knowledge)]
    return replace(facets, leaving_out=tuple(out)), blank(text, (found.span(),), READ)


def _read_uncategorised(facets: Facets, text: str) -> tuple[Facets, str]:
    found = words(table("questions")["uncategorised"]["phrases"]).search(text)
    if not found:
        return facets, text
    return replace(facets, categories=("",)), blank(text, (found.span(),), READ)


def _read_flags(facets: Facets, text: str) -> tuple[Facets, str]:
    spoken = table("questions")["flags"]
    said = {}
    for name in _FLAGS:
        found = words(spoken[name]).search(text)
        said[name] = bool(found)
        if found:
            text = blank(text, (found.span(),), READ)
    total = bool(words(spoken["with_total"]).search(text))
    every = bool(words(spoken["every_mode"]).search(text))
    sums = words(spoken["sums"]).search(text)
    if sums:
        text = blank(text, (sums.span(),), READ)
    opening = bool(re.search(r"(?<!\w)opening(?!\w)", text))
    told = replace(
        facets, chart=said["chart"] or said["trend"] or facets.shape is not None, trend=said["trend"],
        whole_book=said["whole_book"] or bool(sums), sums=bool(sums) and not said["whole_book"], every_mode=every,
        with_total=total, description_only=said["description_only"], opening=opening,
    )  # fmt: skip
    return told, text


def _read_by(facets: Facets, text: str) -> tuple[Facets, str]:
    for by in _BYS:
        if by in _ranked() and words(_ranked()[by]).search(text):
            # the words also say which are wanted: they are read again for that
            return replace(facets, by=by), text
        found = words(table("questions")["by"][by]).search(text)
        if found and not (found[0] in ("category", "categories") and facets.categories):
            return replace(facets, by=by), blank(text, (found.span(),), READ)
    if facets.trend:
        return replace(facets, by="month"), text
    return facets, text


def _read_categories(facets: Facets, text: str, knowledge: Knowledge) -> tuple[Facets, str]:
    named: dict[str, None] = {}
    if facets.categories:
        return facets, text
    for name, pattern in _category_patterns(knowledge.categories):
        if knowledge.groups[name] in GROUPS and name.upper() in GROUPS and knowledge.groups[name] == name.upper():
            # a group of the same name says at least as much
            continue
        if found := pattern.search(text):
            named[name] = None
            text = blank(text, (found.span(),), READ)
    for word, phrases in table("questions")["meanings"].items():
        if (found := words(phrases).search(text)) and (category := knowledge.categorise(word)):
            named[category] = None
            text = blank(text, (found.span(),), READ)
    ordered = tuple(name for name in knowledge.categories if name in named)
    return replace(facets, categories=ordered), text


def _read_done(facets: Facets, text: str) -> tuple[Facets, str]:
    """`did I order`: something was paid for, and `order` is no word of its description."""
    found = _done().search(text)
    if not found:
        return facets, text
    return replace(facets, kind="spending"), blank(text, (found.span("verb"),), READ)


def _read_groups(facets: Facets, text: str, knowledge: Knowledge) -> tuple[Facets, str]:
    del knowledge
    groups: list[Group] = []
    for group in sorted(GROUPS, key=len, reverse=True):
        if group == "TRANSFER":
            continue
        if found := _group_pattern(group).search(text):
            groups.append(group)
            text = blank(text, (found.span("name"),), READ)
    return replace(facets, groups=tuple(group for group in GROUPS if group in groups)), text


def _read_modes(facets: Facets, text: str) -> tuple[Facets, str]:
    charged = one_of(table("modes")["words"]["charged"])
    modes: list[Mode] = []
    spans: list[tuple[int, int]] = []
    for mention in mentions_of(text):
        if mention.name == "money" and not _money_is_cash().search(text):
            continue
        if re.match(rf"\s+{charged}(?!\w)", text[mention.end :]) and not re.match(r"\s+statement", text[mention.end :]):
            continue
        modes.append(mention.mode)
        spans.append((mention.start, mention.end))
    paid_by = any(mention.binder not in ("", "in") for mention in mentions_of(text) if mention.mode in modes)
    return replace(facets, modes=tuple(dict.fromkeys(modes)), paid_by=paid_by), blank(text, tuple(spans), READ)


def _read_aggregate(facets: Facets, text: str) -> tuple[Facets, str]:
    if facets.aggregate:
        return facets, text
    if over := _over_balance(text):
        which, span = over
        return replace(facets, aggregate="balance", over=which), blank(text, (span,), READ)
    if _asks_what_is_there(facets, text):
        return replace(facets, aggregate="balance"), text
    for name in _AGGREGATES:
        pattern = words(table("questions")["aggregates"][name])
        found = pattern.search(text)
        if not found:
            continue
        if name == "balance" and not _is_balance(text, facets):
            continue
        if name == "total":
            # "what did I spend" still says what kind is meant
            return replace(facets, aggregate=name), text
        return replace(facets, aggregate=name), pattern.sub(lambda match: READ * len(match[0]), text)
    return facets, text


def _over_balance(text: str) -> tuple[Extreme, tuple[int, int]] | None:
    """`lowest cash balance`: of the balances of some days, not the balance now."""
    for which in _OVERS:
        pattern = rf"(?<!\w){one_of(table('questions')['over'][which])}(?!\w)[^.?]*?(?<!\w)(?:balances?|bal)(?!\w)"
        if found := re.search(pattern, text):
            return which, found.span()
    return None


def _asks_what_is_there(facets: Facets, text: str) -> bool:
    """`how much is in my bank`, `what's left in wallet`: a mode, and nothing else that could be meant."""
    if (
        not facets.modes
        or facets.paid_by
        or facets.lead != "question"
        or facets.categories
        or facets.groups
        or facets.tags
        or facets.by
    ):
        return False
    kinds = table("questions")["kinds"]
    if any(words(kinds[name]).search(text) for name in _KINDS):
        return False
    stop = _stop_words()
    return bool(re.search(r"how much|what|kitn|कितन", text)) and all(
        token.plain in stop for token in tokens_of(text) if token.plain
    )


def _is_balance(text: str, facets: Facets) -> bool:
    """`how much do I have` asks a balance; `do I have any bank transactions` does not."""
    if re.search(r"(?<!\w)(?:bal|balances?|closing)(?!\w)", text):
        return True
    kinds = table("questions")["kinds"]
    if words(kinds["all"]).search(text) or words(kinds["spending"]).search(text):
        return False
    return bool(
        facets.modes or re.search(r"(?<!\w)(?:money|how much|available|kitna|all (?:my |the )?accounts)(?!\w)", text)
    )


def _read_kind(facets: Facets, text: str) -> tuple[Facets, str]:
    nouns = table("questions")["nouns"]
    came_in = words(nouns["money_back"]).search(text) or words(nouns["paid_me"]).search(text)
    kind: Kind | None = "credits" if came_in else facets.kind
    if kind is None and facets.aggregate in ("total", "average", "count") and words(nouns["earned"]).search(text):
        kind = "income"
    for name in _KINDS:
        pattern = words(table("questions")["kinds"][name])
        if pattern.search(text):
            kind = kind or name
            text = pattern.sub(lambda match: READ * len(match[0]), text)
    return replace(facets, kind=kind), text


def _searched(text: str, knowledge: Knowledge) -> tuple[str, ...]:
    """The words left that a description may have; a plural the book does not know as the singular it does."""
    stop = _stop_words()
    left = (token.plain.removesuffix("'s") for token in tokens_of(text))
    return tuple(
        dict.fromkeys(
            _known_form(word, knowledge) for word in left if word and word not in stop and re.search(r"\w", word)
        )
    )


def _known_form(word: str, knowledge: Knowledge) -> str:
    word = word.removesuffix("s") if word in table("questions")["nouns"]["money_back"] else word
    if word in knowledge.words:
        return word
    forms = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y", f"{word}s", f"{word}es")
    return next((form for form in forms if form in knowledge.words), word)


@lru_cache(maxsize=8)
def _category_patterns(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """How each category is named in a sentence, the longest first: in full, singular, or by a word of its own."""
    parts = {
        name: [part for part in re.findall(r"\w+", lowered(name)) if part not in ("for", "and", "of", "the")]
        for name in names
    }
    every = [part for words_of in parts.values() for part in words_of]
    patterns = []
    for name in sorted(names, key=len, reverse=True):
        own = [part for part in parts[name] if every.count(part) == 1 and len(part) > 3]
        full = r"\W+(?:(?:and|of|for|the)\W+)?".join(_stem(part) for part in parts[name]) or re.escape(lowered(name))
        either = "|".join([full, *(_stem(part) for part in own)]) if len(parts[name]) > 1 else full
        patterns.append((name, re.compile(rf"(?<!\w)(?:for\s+)?(?:{either})(?!\w)")))
    return tuple(patterns)


def _stem(part: str) -> str:
    """A word with or without its plural ending."""
    if part.endswith("ies") and len(part) > 4:
        return re.escape(part[:-3]) + "(?:y|ies)"
    if part.endswith("s") and not part.endswith("ss") and len(part) > 3:
        return re.escape(part[:-1]) + "s?"
    if part.endswith("y") and len(part) > 3:
        return re.escape(part[:-1]) + "(?:y|ies)"
    return re.escape(part) + "s?"


@cache
def _group_pattern(group: Group) -> re.Pattern[str]:
    """A group is meant before a word for rows, after `on` and its like, or alone: `home expenses`, not `home loan`."""
    name = r"\s+".join(lowered(group).split())
    nouns = table("questions")["nouns"]
    after = rf"(?:\w+\s+){{0,2}}?{one_of(nouns['row'])}|{one_of(nouns['after_group'])}"
    return re.compile(rf"(?<!\w)(?P<name>{name})(?=\s*(?:$|[?.,!{READ}]|(?:{after})(?!\w)))")


@cache
def _extremes() -> Mapping[str, Any]:
    extremes: Mapping[str, Any] = table("questions")["extremes"]
    return extremes


@cache
def _ranked() -> Mapping[str, Any]:
    ranked: Mapping[str, Any] = table("questions")["by_ranked"]
    return ranked


@cache
def _limits() -> tuple[re.Pattern[str], ...]:
    """`last 5 …` and `5 largest …`, but not `last 5 days`."""
    count = rf"(?P<n>\d{{1,3}}|{one_of(_extremes()['numbers'])})"
    which = rf"(?P<which>{one_of(word for name in _EXTREMES for word in _extremes()[name])})"
    no_time = r"(?!\w)(?!\s+(?:day|week|month|year|quarter)s?(?!\w))"
    return (
        re.compile(rf"(?<!\w){which}\s+{count}{no_time}"),
        re.compile(rf"(?<!\w){count}\s+{which}{no_time}"),
    )


@cache
def _money_is_cash() -> re.Pattern[str]:
    """In a question `money` is cash only where it is named as a mode."""
    after = one_of(table("questions")["nouns"]["after_cash"])
    return re.compile(rf"(?<!\w)(?:by|via|in|with|using)\s+money(?!\w)|(?<!\w)money(?=\s+{after}(?!\w))")


@cache
def _bound(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['bounds'][name])}\s*(?:of\s+|rs\.?\s*|₹\s*|an?\s+)?$")


@cache
def _done() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:did|do|have|had) (?:i|we) (?P<verb>{one_of(table('questions')['done']['verbs'])})(?!\w)"
    )


@cache
def _asks_in_hindi() -> re.Pattern[str]:
    """`kitna` asks wherever it stands: `bank me kitna paisa hai`."""
    return words(table("questions")["leads"]["anywhere"])


@cache
def _leaving_out() -> re.Pattern[str]:
    """What is left out goes on to the next thing said: a day, a question, the end."""
    said = table("questions")["leaving_out"]
    end = rf"(?={READ}|[?.;]|,\s*(?:how|what|show|list)|\s+{one_of(said['until'])}(?!\w)|$)"
    return re.compile(rf"(?<!\w){one_of(said['phrases'])}\s+(?P<what>[^{READ}?.;]+?){end}")


@cache
def _left_out_before() -> re.Pattern[str]:
    """`rent aur food ke alawa`: in Hindi the things stand before the word."""
    after = one_of(table("questions")["leaving_out"]["after"])
    return re.compile(rf"(?<!\w)(?P<what>[^\W\d_]+(?:\s*(?:,|aur|and|और)\s*[^\W\d_]+)*)\s+{after}(?!\w)")


@cache
def _leads(name: str) -> re.Pattern[str]:
    return re.compile(rf"{one_of(table('questions')['leads'][name])}(?!\w)")


@cache
def _opening_words() -> re.Pattern[str]:
    return re.compile(rf"(?:{one_of(table('questions')['leads']['opening'])}[\s,]+)*")


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(table("questions")["stop"]["words"])
