"""From a question about the book to the `Query` that answers it.

A question is read into facets; a follow-up (`show them`, `what about last month?`) lays its own facets over the
question it continues. Without a period this month is meant, but the latest row, the largest ever and rows found by
word or tag are looked for in the whole book.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import pairwise

from agent.language.facets import Facets, facets_of
from agent.language.knowledge import Knowledge
from agent.language.requests import asks_of_the_book, requests_of
from agent.language.spelling import mended
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import tokens_of
from ledger.queries import Aggregate, By, Kind, Query, Shape, Span
from money import days_text, month_span, previous_month

_SURE, _LIKELY, _POSSIBLE, _ENOUGH, _GUESS = 0.95, 0.85, 0.75, 0.72, 0.5
_STRANGE = 5
ROWS_AT_ONCE = 50
"""so many rows are shown; `the rest` goes on after them"""
_SEVERAL_LATEST = 10
_SEVERAL_LARGEST = 5
_SUM_OF_THEM = re.compile(
    r"(?<!\w)(?:their|its) (?:sum|total|amount)|(?<!\w)(?:and|,) (?:the |what(?:'s| is) the )?(?:sum|total)(?!\w)"
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


@dataclass(frozen=True)
class Question:
    """One question of a message: the words that asked it and how it was understood."""

    words: str
    query: Query
    confidence: float
    """how sure the understanding is, 0 to 1; below 0.7 the user is asked"""


@lru_cache(maxsize=1)  # one message is classified and then planned: it is read once
def parse_question(
    message: str, today: date, knowledge: Knowledge, previous: Query | None = None
) -> tuple[Question, ...]:
    """The questions in a message, in its order; `previous` is what a follow-up (`and last month?`) continues."""
    questions: list[Question] = []
    for words in requests_of(message):
        question = _one(words, today, knowledge, previous)
        if question:
            questions += _alternatives(question)
            previous = question.query
    return tuple(questions)


def widened(query: Query) -> Query:
    """The same question of the whole book: its dates dropped."""
    return replace(query, period=None, compare=None, at=None)


def _alternatives(question: Question) -> tuple[Question, ...]:
    """`how much on coffee and tea` asks of each: no row has both words."""
    searched = question.query.words
    lower = lowered(question.words)
    either = len(searched) > 1 and all(
        re.search(rf"(?<!\w){re.escape(one)}\w*\s*(?:,|and|or|&|,\s*and)\s+(?:on\s+)?{re.escape(other)}", lower)
        for one, other in pairwise(searched)
    )
    if not either:
        return (question,)
    return tuple(
        replace(question, words=f"{question.words}: {word}", query=replace(question.query, words=(word,)))
        for word in searched
    )


def _one(words: str, today: date, knowledge: Knowledge, previous: Query | None) -> Question | None:
    if previous and (pointed := _pointing_back(words, previous, today)):
        return Question(words, pointed, _SURE)
    bare, connected = _without_connector(words)
    facets = facets_of(bare, today, knowledge)
    if (strange := _strangers(facets, knowledge)) and (meant := mended(bare, strange, knowledge.categories)) != bare:
        bare, facets = meant, facets_of(meant, today, knowledge)
    if previous and _continues(facets, previous, knowledge, connected=connected):
        strange = _strangers(facets, knowledge)
        confidence = _LIKELY if not strange else _POSSIBLE if connected and len(strange) == 1 else _GUESS
        return Question(words, _laid_over(facets, bare, previous, today), confidence)
    if not (facets.narrows or facets.aggregate or facets.kind or facets.by or facets.chart):
        return None
    return Question(words, _query(facets, bare, today), _confidence(facets, bare, knowledge, connected=connected))


def _query(facets: Facets, words: str, today: date) -> Query:
    this_month = Span(*month_span(today), "this month")
    period = facets.period or (_before(this_month, facets.earlier, today) if facets.earlier else None)
    aggregate = _aggregate(facets, words)
    if aggregate == "balance":
        return Query(
            "balance",
            period=_days_held(period or this_month, today) if facets.over or facets.chart else None,
            modes=facets.modes,
            at=None if facets.over or facets.chart else _balance_day(period, today, opening=facets.opening),
            over=facets.over,
            with_total=len(facets.modes) != 1 and (facets.with_total or _how_much(words)),
            compare=facets.compare,
            chart=facets.chart,
        )
    side_by_side = facets.compares and len(facets.categories) > 1 and facets.periods < 2 and not facets.held_against
    if side_by_side and facets.compare:
        period, facets = facets.compare, replace(facets, period=facets.compare, compare=None)
    query = Query(
        aggregate,
        kind=_kind(facets, aggregate),
        period=period,
        # cash is what a withdrawal comes to, and a bank where it comes from: neither narrows it
        modes=() if facets.kind == "withdrawals" else facets.modes,
        categories=facets.categories,
        groups=facets.groups,
        words=facets.words,
        tags=facets.tags,
        weekdays=facets.weekdays,
        leaving_out=facets.leaving_out,
        above=facets.above,
        below=facets.below,
        at_least=facets.at_least,
        at_most=facets.at_most,
        order=facets.order or "newest",
        limit=_limit(facets, aggregate, words),
        by=_parted_by(facets, aggregate, side_by_side=side_by_side),
        shape=_shape(facets),
        share_of=facets.share_of,
        compare=facets.compare,
        chart=facets.chart,
        description_only=facets.description_only,
    )
    if facets.compares and query.compare is None and not side_by_side:
        query = _with_compare(query, this_month, today)
    if query.period is None and not _looks_at_whole_book(facets, query, words):
        query = replace(query, period=this_month)
    return query


def _parted_by(facets: Facets, aggregate: Aggregate, *, side_by_side: bool) -> By | None:
    """What the answer has a line for: as said, as the chart needs it; of a share each category where none is named."""
    if facets.shape and facets.shape in _SHAPED_BY:
        return _SHAPED_BY[facets.shape]
    if facets.by:
        return facets.by
    subject = facets.modes or facets.categories or facets.groups or facets.words or facets.tags
    if aggregate == "share" and not subject and not facets.weekdays and not facets.bounded:
        return "category"
    if facets.shape == "line" or (facets.chart and len(facets.categories) == 1):
        return "month"
    return "category" if side_by_side or facets.chart else None


_SHAPED_BY: Mapping[Shape, By] = {"budget": "category", "flow": "category", "calendar": "day"}


def _shape(facets: Facets) -> Shape | None:
    return facets.shape or ("line" if facets.trend else None)


def _days_held(period: Span, today: date) -> Span:
    """The days of a period that have been: a balance of tomorrow is none."""
    return replace(period, last=min(period.last, today)) if period.first <= today else period


def _aggregate(facets: Facets, words: str) -> Aggregate:
    if facets.description_only:
        return "latest" if facets.aggregate == "latest" else "rows"
    if facets.aggregate == "total" and facets.lead == "request" and not _asks_total().search(lowered(words)):
        return "rows"
    if facets.aggregate == "count" and _SUM_OF_THEM.search(lowered(words)):
        # the rows are told with their count and their sum
        return "rows"
    if facets.by and facets.compares and facets.aggregate in ("largest", "smallest"):
        return "total"
    if facets.order and facets.aggregate in (None, "total") and not facets.by:
        return "rows"
    if facets.shape in ("budget", "flow", "calendar"):
        return "total"
    if facets.aggregate:
        return facets.aggregate
    if facets.by or facets.compares or facets.chart:
        return "total"
    if facets.lead == "question" and facets.kind in ("spending", "income") and not _asks_rows().search(lowered(words)):
        return "total"
    if facets.kind == "net" or (facets.kind in ("refunds", "withdrawals") and facets.lead != "request"):
        return "total"
    if (facets.kind == "income" and facets.lead != "request") or (
        facets.lead is None and _mass_noun().search(lowered(words))
    ):
        return "total"
    return "rows"


def _kind(facets: Facets, aggregate: Aggregate) -> Kind:
    if facets.shape == "flow":
        return "net"
    if facets.shape == "budget" or (aggregate in ("unusual", "share") and facets.kind in (None, "all", "debits")):
        return "spending"
    if facets.kind:
        return facets.kind
    figures = aggregate in ("total", "average", "median", "largest", "smallest")
    return "spending" if figures or facets.by or facets.chart or facets.categories or facets.groups else "all"


def _limit(facets: Facets, aggregate: Aggregate, words: str) -> int | None:
    if facets.limit:
        return facets.limit
    several = _several().search(lowered(words)) is not None
    if aggregate in ("latest", "earliest"):
        return _SEVERAL_LATEST if several else 1
    if aggregate in ("largest", "smallest"):
        return _SEVERAL_LARGEST if several else 1
    return None


def _looks_at_whole_book(facets: Facets, query: Query, words: str) -> bool:
    found_by_word = query.aggregate == "rows" and bool(query.words or query.tags)
    asks_when = bool(re.match(r"\s*when(?!\w)", lowered(words)))
    by_month = query.by == "month" or facets.trend
    return facets.whole_book or query.aggregate in ("latest", "earliest") or by_month or found_by_word or asks_when


def _balance_day(period: Span | None, today: date, *, opening: bool) -> date | None:
    """The day at whose end a balance is asked; None: now."""
    if opening:
        return (period.first if period else today.replace(day=1)) - timedelta(days=1)
    return period.last if period and period.last < today else None


def _how_much(words: str) -> bool:
    return bool(re.search(r"how much|kitn|कितन", lowered(words)))


def _with_compare(query: Query, this_month: Span, today: date) -> Query:
    main = query.period or this_month
    first, last = previous_month(main.first)
    return replace(query, period=main, compare=Span(first, last, f"in {days_text(first, last, today)}"))


def _confidence(facets: Facets, words: str, knowledge: Knowledge, *, connected: bool) -> float:
    """How surely this is a question of the book: by what it names, less for words the book does not know."""
    strange = _strangers(facets, knowledge)
    noun = asks_of_the_book(words) or facets.aggregate == "balance" or (facets.lead and facets.compare)
    if noun or (facets.lead and facets.kind not in (None, "credits", "debits")):
        return _SURE if not strange else max(_SURE - 0.06 * len(strange), _ENOUGH) if len(strange) <= _STRANGE else 0.6
    plain = facets.kind in ("net", "refunds", "withdrawals") or facets.aggregate in ("share", "unusual", "median")
    plain = plain or bool(facets.leaving_out) or "" in facets.categories
    if (plain or facets.shape) and not strange:
        return _SURE if facets.period else _LIKELY
    if facets.aggregate in ("largest", "smallest") and facets.kind and facets.period and not strange:
        return _LIKELY
    if facets.aggregate == "total" and facets.lead == "question" and facets.period and not strange:
        return _POSSIBLE
    if strange:
        searched = re.match(r"\s*(?:find|search|look up|lookup|how much (?:\w+ ){0,2}?on)(?!\w)", lowered(words))
        return _ENOUGH if searched and len(strange) <= 2 else _GUESS
    told = facets.lead or facets.aggregate or facets.period or facets.categories
    if told and (facets.chart or facets.compares or facets.by in ("category", "group", "mode")):
        return _LIKELY
    if told and facets.by and facets.aggregate in ("largest", "smallest", "average", "median"):
        return _LIKELY
    if facets.period and (facets.lead == "request" or facets.kind == "credits"):
        return _POSSIBLE
    asks = bool(facets.lead or facets.period or facets.aggregate or connected)
    if facets.categories or facets.groups or facets.tags:
        return _LIKELY if asks else _POSSIBLE if facets.tags else 0.6
    if facets.modes or facets.words:
        return _POSSIBLE if asks else _GUESS
    return 0.6


def _strangers(facets: Facets, knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(word for word in facets.words if word not in knowledge.words and knowledge.categorise(word) is None)


def _pointing_back(words: str, previous: Query, today: date) -> Query | None:
    """The rows behind the last answer, for `show them`, `details?`, `those two?`."""
    said = [token.plain for token in tokens_of(words) if token.plain]
    follow = table("questions")["follow"]
    whole = " ".join(said)
    if whole not in follow["whole"]:
        pointed = any(word in follow["pointers"] for word in said)
        if not pointed or not all(word in follow["pointers"] or word in follow["with"] for word in said):
            return None
    limit = next((_NUMBERS[word] for word in said if word in _NUMBERS), None)
    if previous.aggregate == "balance":
        first, last = month_span(previous.at or today)
        month = Span(first, last, "this month" if first <= today <= last else f"in {days_text(first, last, today)}")
        return Query("rows", modes=previous.modes, period=month)
    if whole in follow["next"]:
        skip = previous.skip + ROWS_AT_ONCE
        return replace(previous, aggregate="rows", by=None, chart=False, compare=None, limit=None, skip=skip)
    kept = (
        previous.aggregate
        if previous.aggregate in ("latest", "earliest", "largest", "smallest", "unusual") and not previous.by
        else "rows"
    )
    return replace(
        previous, aggregate=kept, by=None, chart=False, shape=None, compare=None, limit=limit or previous.limit
    )


def _without_connector(words: str) -> tuple[str, bool]:
    found = _connector().match(words)
    return (words[found.end() :], True) if found and found.end() < len(words) else (words, False)


def _continues(facets: Facets, previous: Query, knowledge: Knowledge, *, connected: bool) -> bool:
    """Whether a question is a piece that only means something after the one before it."""
    if facets.periods > 1 and not connected:
        # it says both of what it compares, so it needs nothing of the question before
        return False
    if previous.aggregate == "balance":
        if facets.aggregate == "balance" and not connected:
            return False
        of_rows = facets.categories or facets.groups or facets.words or facets.tags or facets.kind or facets.by
        return not of_rows and facets.aggregate in (None, "balance", "total") and (connected or facets.lead is None)
    if facets.aggregate == "balance":
        return False
    if connected:
        return True
    subject = facets.modes or facets.categories or facets.groups or facets.words or facets.tags or facets.weekdays
    if facets.rest or facets.leaving_out or facets.order:
        return not subject and not facets.kind
    if facets.kind or _strangers(facets, knowledge):
        return False
    if facets.compares or facets.chart or facets.by or facets.description_only:
        return not subject
    if facets.lead:
        return bool(facets.aggregate) and not facets.narrows
    return facets.narrows or facets.aggregate is not None


def _laid_over(facets: Facets, words: str, previous: Query, today: date) -> Query:
    """The previous question with whatever the new one names in place of its own."""
    query = previous
    this_month = Span(*month_span(today), "this month")
    if facets.categories or facets.groups or facets.words or facets.tags:
        query = replace(query, categories=facets.categories, groups=facets.groups, words=facets.words, tags=facets.tags)
    elif facets.kind and facets.kind != query.kind:
        query = replace(query, categories=(), groups=(), words=(), tags=())
    if facets.kind:
        query = replace(query, kind=facets.kind)
    elif query.kind == "income" and (facets.categories or facets.groups):
        query = replace(query, kind="spending")
    if facets.modes or facets.every_mode:
        query = replace(query, modes=facets.modes)
    if facets.weekdays:
        query = replace(query, weekdays=facets.weekdays)
    if facets.leaving_out:
        query = replace(query, leaving_out=(*query.leaving_out, *facets.leaving_out))
    if facets.bounded:
        query = replace(query, above=facets.above, below=facets.below)
        query = replace(query, at_least=facets.at_least, at_most=facets.at_most)
    query = _moved(facets, query, today)
    if query.aggregate == "balance":
        return replace(query, with_total=query.with_total or facets.with_total)
    if facets.compares:
        compare = facets.compare or (facets.period if facets.held_against else None)
        query = replace(query, compare=compare) if compare else _with_compare(query, this_month, today)
        query = replace(query, period=query.period or this_month)
    if facets.by or facets.chart:
        single = len(query.categories) == 1
        by = _SHAPED_BY.get(facets.shape) if facets.shape else None
        by = by or facets.by or query.by or ("month" if single or _shape(facets) == "line" else "category")
        drawn, kind = facets.chart or query.chart, query.kind
        if facets.shape == "flow":
            kind = "net"
        query = replace(query, kind=kind, by=by, chart=drawn, shape=_shape(facets), aggregate="total", limit=None)
    if facets.order or facets.rest:
        kept = query.aggregate if query.aggregate == "unusual" else "rows"
        skip = query.skip + ROWS_AT_ONCE if facets.rest else 0
        order = facets.order or query.order
        query = replace(query, aggregate=kept, order=order, skip=skip, by=None, chart=False, compare=None, limit=None)
    aggregate = _aggregate(facets, words) if facets.aggregate or facets.description_only or facets.lead else None
    if aggregate and aggregate != "balance":
        query = replace(query, aggregate=aggregate, limit=_limit(facets, aggregate, words))
        if not (facets.by or facets.chart):
            query = replace(query, by=None, chart=False)
    return replace(query, description_only=facets.description_only)


def _moved(facets: Facets, query: Query, today: date) -> Query:
    """The query over the days the facets name, in words or from where the previous question stood."""
    if facets.whole_book and not facets.sums:
        return widened(query)
    stood = query.period or Span(*month_span(query.at or today), "")
    period = (
        _earlier(stood, facets.earlier, today)
        if facets.earlier
        else None
        if facets.compares and facets.periods < 2
        else facets.period
    )
    if period is None:
        return query
    if query.aggregate == "balance":
        return replace(query, at=_balance_day(period, today, opening=facets.opening))
    return replace(query, period=period, compare=None)


def _before(period: Span, unit: str, today: date) -> Span:
    """Asked by itself, `the previous year` is the whole year before."""
    if unit == "month":
        return _earlier(period, unit, today)
    year = today.year - 1
    return Span(date(year, 1, 1), date(year, 12, 31), f"in {year}")


def _earlier(period: Span, unit: str, today: date) -> Span:
    """The month before the period's, or the same days a year before."""
    if unit == "month":
        first, last = previous_month(period.first)
    else:
        first, last = (_year_before(day) for day in (period.first, period.last))
    days = days_text(first, last, today)
    return Span(first, last, f"{'on' if first == last else 'from' if ' to ' in days else 'in'} {days}")


def _year_before(day: date) -> date:
    leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap_day else day.day)


@cache
def _connector() -> re.Pattern[str]:
    connectors = one_of(table("questions")["follow"]["connectors"])
    return re.compile(rf"\s*(?:(?:yes|ok|okay|hmm|so)[\s,]+)?{connectors}(?!\w)[\s,]*", re.IGNORECASE)


@cache
def _several() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['nouns']['several'])}(?!\w)")


@cache
def _mass_noun() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of(table('questions')['nouns']['mass'])}(?!\w)")


@cache
def _asks_rows() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:what (?:are|were|all)|which|who|when|did i (?:buy|purchase)|do i have any)(?!\w)")


@cache
def _asks_total() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:how much|totals?|sum|kitn\w|कितन\w)(?!\w)")
