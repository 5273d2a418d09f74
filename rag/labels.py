"""The number a reader sees on a page: the file's own label, else the number printed at its head or foot."""

import re
from collections import Counter
from collections.abc import Sequence

from rag.documents import Page

_PRINTED = re.compile(r"(?:page\s*)?(\d{1,4})(?:\s*(?:/|of|\|)\s*\d{1,4}(?:\s*\|?\s*page)?)?", re.IGNORECASE)
_ENOUGH = 0.6
"""share of the pages whose printed numbers must run with the file's"""


def printed_labels(pages: Sequence[Page]) -> tuple[str, ...]:
    """A label a page. Printed numbers count when they run with the pages: page 5 of the file printed as 3, 6 as 4."""
    own = [page.label for page in pages]
    if any(label != str(page.number) for label, page in zip(own, pages, strict=True)):
        return tuple(own)
    shifts: Counter[int] = Counter()
    for page in pages:
        shifts.update({page.number - printed for printed in _numbers(page)})
    if not shifts:
        return tuple(own)
    shift, count = min(shifts.items(), key=lambda item: (-item[1], abs(item[0])))
    if count < 3 or count < _ENOUGH * len(pages) or shift == 0:
        return tuple(own)
    # what stands before the first printed page keeps the file's own number, told apart
    return tuple(str(page.number - shift) if page.number > shift else f"[{page.number}]" for page in pages)


def _numbers(page: Page) -> set[int]:
    lines = [line.strip() for line in page.text.splitlines() if line.strip()]
    found = set()
    for line in {*lines[:2], *lines[-2:]}:
        match = _PRINTED.fullmatch(line)
        if match:
            found.add(int(match[1]))
    return found
