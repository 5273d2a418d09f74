"""What stands outside the cells: the same, but for ranges that were planned to grow."""

import re
from collections.abc import Mapping
from xml.sax.saxutils import unescape

from ledger.changes import Plan
from ledger.verify.rejection import require

_TOKEN = re.compile(rb"<[^>]*>|[^<]+")
_ATTRIBUTE = re.compile(rb"([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


def pairs_of(plan: Plan, part: str) -> dict[str, str]:
    """The planned ranges of a part, before and after."""
    pairs: dict[str, str] = {}
    for change in plan.ranges:
        if change.part == part:
            require(
                pairs.setdefault(change.before, change.after) == change.after, f"the plan grows {change.before} twice"
            )
    return pairs


def plain(text: bytes) -> str:
    """Character data as text."""
    return unescape(text.decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})


def check_ranges(old: bytes, new: bytes, pairs: Mapping[str, str], where: str) -> None:
    """The same tags and texts, but for those that are a planned range; each planned range has grown."""
    if old == new and not pairs:
        return
    first, second = _TOKEN.findall(old), _TOKEN.findall(new)
    require(len(first) == len(second), f"{where} has something more or less outside the cells")
    grown: set[str] = set()
    for before, after in zip(first, second, strict=True):
        if not before.startswith(b"<"):
            text = plain(before)
            grown |= {text} & pairs.keys()
            same = before == after or pairs.get(text) == plain(after)
            require(same, f"{where} has an unplanned change: {text[:60]}")
            continue
        if before == after and b"ref=" not in before:
            continue
        require(
            _ATTRIBUTE.sub(b"", before) == _ATTRIBUTE.sub(b"", after),
            f"{where} has an unplanned change outside the cells",
        )
        one, two = _ATTRIBUTE.findall(before), _ATTRIBUTE.findall(after)
        require(
            [key for key, _ in one] == [key for key, _ in two], f"{where} has an unplanned change outside the cells"
        )
        for (key, was), (_, becomes) in zip(one, two, strict=True):
            text = plain(was[1:-1])
            ranges = key in (b"ref", b"sqref")
            if ranges and text in pairs:
                grown.add(text)
                require(plain(becomes[1:-1]) == pairs[text], f"the range {text} of {where} did not grow as planned")
            else:
                require(was == becomes, f"{where} has an unplanned change: {key.decode()} {text[:60]}")
    require(grown == pairs.keys(), f"a range of {where} that should grow is not there")
