"""A bill that was shared: `dinner 1200 split 3 ways`, `split 900 equally with ravi and priya`, `my share was 500`.

What is logged is the user's own share. `split with friends` says of how many nobody, so the share is asked.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from agent.language.modes import mentions_of, mode_named
from agent.language.vocabulary import lowered, one_of, table
from agent.language.wording import READ, amounts_in, blank, content, tokens_of

_CENT = Decimal("0.01")
_MOST = 50
_IS = r"(?:was|is|=|:|-|came to|comes to|only|just)"
_TOTAL_OF_SHARE = re.compile(rf"(?<!\w)(?:my|our) share (?:of|in|from) (?P<whole>.+?)\s*{_IS}\s+(?=\S)")
_SHARE_AFTER = re.compile(rf"(?<!\w)(?:and |but )?(?:my|our) share\s*(?:of (?:it|that|this) )?(?:{_IS}\s*)*(?=\S)")
_DIVIDED = re.compile(r"(?<![\d/.,-])\d[\d,]{2,}(?:\.\d{1,2})?(?P<by>\s?/\s?(?P<count>\d{1,2}))(?![\d/.,%-])")
_NAME = r"(?:my |the |our )?[^\W\d_][\w']*"


@dataclass(frozen=True)
class ShareSaid:
    """How a bill was shared, and where a clause says so."""

    spans: tuple[tuple[int, int], ...]
    ways: int | None = None
    """people it was split between, the user among them; None: not said"""
    asked: bool = False
    """the bill was for so many, and whether the share or the whole is meant has to be asked"""
    whole: Decimal | None = None
    """what all paid, where the share itself is said"""

    def of(self, whole: Decimal) -> Decimal | None:
        """The user's part of the whole, to the paisa; None when it has to be asked."""
        shared = self.ways and not self.asked
        return (whole / self.ways).quantize(_CENT, ROUND_HALF_UP) if self.ways and shared else None


def share_said(text: str) -> ShareSaid | None:
    """How the bill of a clause was shared; None when it says nothing of that."""
    lower = lowered(text)
    return _own_share(text, lower) or _ways(lower) or _with_people(lower) or _divided(text, lower) or _among(lower)


def _own_share(text: str, lower: str) -> ShareSaid | None:
    """`my share of 1500 was 500`, `pizza 1500, my share 500`: the share is said, and the whole beside it."""
    if found := _TOTAL_OF_SHARE.search(lower):
        said = amounts_in(text[slice(*found.span("whole"))])
        if len(said) == 1 and amounts_in(text[found.end() :]):
            start, end = found.span("whole")
            # what was shared is named in between: it stays as the description
            marks = ((found.start(), start), (start + said[0].start, start + said[0].end), (end, found.end()))
            return ShareSaid(marks, whole=said[0].value)
    found = _SHARE_AFTER.search(lower)
    if found is None:
        return None
    before, after = amounts_in(text[: found.start()]), amounts_in(text[found.end() :])
    if after and after[0].start == 0:
        wholes = tuple((each.start, each.end) for each in before) if len(before) == 1 else ()
        return ShareSaid((*wholes, found.span()), whole=before[0].value if wholes else None)
    return None


def _ways(lower: str) -> ShareSaid | None:
    """`split 3 ways`, `split equally between 4 of us`, `divided by 3`."""
    for pattern in (_counted(), _counted_apart(), _counted_before()):
        found = pattern.search(lower)
        if found is None:
            continue
        said = found["count"]
        count = _count_of(said)
        if 2 <= count <= _MOST:
            spans = (found.span(),) if "how" not in found.groupdict() else (found.span("verb"), found.span("how"))
            return ShareSaid(spans, count)
    halves = _halves().search(lower)
    return ShareSaid((halves.span(),), 2) if halves else None


def _count_of(said: str) -> int:
    counts = table("transactions")
    number: int = int(said) if said.isdigit() else {**counts["counts"], **counts["splits"]["counts_in_hindi"]}[said]
    return number


def _divided(text: str, lower: str) -> ShareSaid | None:
    """`cake 1000/3 cash`: a bill over the people it was for, with words beside it and no day."""
    found = _DIVIDED.search(lower)
    if found is None or int(found["count"]) < 2 or int(found["count"]) > _MOST:
        return None
    beside = text[: found.start()] + text[found.end() :]
    if not re.search(r"[^\W\d_]{2,}", beside) or re.search(r"[=?]", beside) or amounts_in(beside):
        # with another amount beside it, it is the number of a house or a bill
        return None
    if re.match(rf"\s*{one_of(table('transactions')['units'])}(?!\w)", text[found.end() :], re.IGNORECASE):
        return None
    return ShareSaid((found.span("by"),), int(found["count"]))


def _among(lower: str) -> ShareSaid | None:
    """`paid 2000 for 4 of us`: for how many it was, and not whose share is meant."""
    found = _of_us().search(lower)
    if found is None:
        return None
    named = blank(lower, tuple((m.start, m.end) for m in mentions_of(lower)), READ)
    amounts = tuple((amount.start, amount.end) for amount in amounts_in(lower[: found.start()]))
    if content(tokens_of(blank(named, (found.span(), *amounts), READ))):
        # what it was for is told: the bill is logged as it stands
        return None
    count = _count_of(found["count"])
    return ShareSaid((found.span(),), count, asked=True) if 2 <= count <= _MOST else None


def _with_people(lower: str) -> ShareSaid | None:
    """`split with ravi and priya`, `shared between me and ravi`, `split 900 equally with my brother`."""
    found = _split_with().search(lower)
    if found is None:
        return None
    people: list[str] = []
    end = found.end()
    for name in re.finditer(
        rf"(?:\s*,\s*(?:and\s+)?|\s+(?:and|&|aur)\s+|(?<=\s))(?P<name>{_NAME})", lower[found.end() - 1 :]
    ):
        at = found.end() - 1 + name.start()
        if at > end or mode_named(name["name"]) or name["name"] in _no_names():
            break
        people.append(name["name"])
        end = found.end() - 1 + name.end()
    if not people:
        return None
    verb = (found.start("verb"), found.end("verb"))
    spans = (verb, (found.start("how"), end))
    if len(people) == 1 and people[0].split()[-1] in table("transactions")["splits"]["several"]:
        return ShareSaid(spans)
    own = 0 if any(person in ("me", "us", "myself") for person in people) else 1
    return ShareSaid(spans, len(people) + own)


def without_share(text: str) -> str:
    """The text with how it was shared blanked out: its numbers are no amounts, its `and` joins people."""
    said = share_said(text)
    return blank(text, said.spans, READ) if said else text


@cache
def _counted() -> re.Pattern[str]:
    count = rf"(?P<count>\d{{1,2}}|{one_of(table('transactions')['counts'])})"
    said = table("transactions")["splits"]
    return re.compile(
        rf"(?<!\w)(?:{one_of(said['verbs'])})\s+(?:{one_of(said['evenly'])}\s+)?(?:it\s+)?(?:in(?:to)?|between|among|amongst|by|with)?\s*"
        rf"(?:the\s+)?{count}(?!\w)(?![.,]\d)(?:[\s-]*{one_of(said['ways'])}(?!\w))?(?:\s+(?:of us|equally|evenly))?"
    )


@cache
def _counted_apart() -> re.Pattern[str]:
    """`split the dinner 1200 between 4 of us`: what was split stands between."""
    count = rf"(?P<count>\d{{1,2}}|{one_of(table('transactions')['counts'])})"
    said = table("transactions")["splits"]
    return re.compile(
        rf"(?<!\w)(?P<verb>{one_of(said['verbs'])})\s[^\n;,]{{1,40}}?\s(?P<how>(?:{one_of(said['evenly'])}\s+)?"
        rf"(?P<between>(?:between|among|amongst|in|into)\s+)?{count}(?(between)(?:[\s-]*{one_of(said['ways'])})?"
        rf"|[\s-]*{one_of(said['ways'])})(?!\w)(?![.,]\d))"
    )


@cache
def _counted_before() -> re.Pattern[str]:
    """`dinner 3 log me split`, `2 logo mein baanta`: in Hindi how many stands before the verb."""
    said = table("transactions")["splits"]
    count = rf"(?P<count>\d{{1,2}}|{one_of(table('transactions')['counts'])}|{one_of(said['counts_in_hindi'])})"
    return re.compile(
        rf"(?<![\w.,]){count}\s+(?:{one_of(said['ways'])}\s+)?{one_of(said['among_in_hindi'])}\s+"
        rf"(?:{one_of(said['evenly'])}\s+)?{one_of([*said['verbs'], *said['verbs_in_hindi']])}"
        rf"(?:\s+{one_of(said['done_in_hindi'])})*(?!\w)"
    )


@cache
def _halves() -> re.Pattern[str]:
    """`half half with amit`, `50-50 with priya`."""
    said = table("transactions")["splits"]
    return re.compile(
        rf"(?<![\w.,])(?:{one_of(said['verbs'])}\s+)?{one_of(said['halves'])}"
        rf"(?:\s+(?:with|between|ke saath)\s+{_NAME})?"
        rf"(?:\s+{one_of([*said['verbs'], *said['verbs_in_hindi'], *said['done_in_hindi']])})*(?!\w)"
    )


@cache
def _of_us() -> re.Pattern[str]:
    count = rf"(?P<count>\d{{1,2}}|{one_of(table('transactions')['counts'])})"
    return re.compile(rf"(?<!\w)for\s+(?:all\s+|the\s+)?{count}\s+of\s+us(?!\w)")


@cache
def _split_with() -> re.Pattern[str]:
    said = table("transactions")["splits"]
    return re.compile(
        rf"(?<!\w)(?P<verb>{one_of(said['verbs'])})(?!\w)(?:[^\n;]{{0,30}}?\s)??(?P<how>(?:{one_of(said['evenly'])}\s+)?"
        rf"(?:with|between|among|amongst)\s)"
    )


@cache
def _no_names() -> frozenset[str]:
    return frozenset((*table("transactions")["splits"]["no_names"], *table("transactions")["trail"]))
