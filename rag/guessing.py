"""What a document is, guessed from its name and its first pages."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rag.documents import Metadata, Page
from rag.periods import years
from rag.tokens import tokens

_KINDS = Path(__file__).parent / "vocabulary" / "documents.toml"
_FIRST_PAGES = 5
_LONGEST_TITLE = 120


def guessed_metadata(file: str, pages: Sequence[Page]) -> Metadata:
    """What is known of a document without being told; what is not clear stays empty."""
    name = file.rsplit(".", 1)[0].replace("_", " ")
    first = "\n".join(page.text for page in pages[:_FIRST_PAGES])[:20_000]
    domain = _best(_known()["domain"], f"{name}\n{first}")
    return Metadata(
        title=_title(pages),
        publisher=_best(_known()["publisher"], f"{name}\n{first[:4000]}", least=1),
        period=_period(name, first),
        domain=domain,
        jurisdiction=_best(_known()["jurisdiction"], f"{name}\n{first}"),
        tax_year=_tax_year(f"{name}\n{first}") if domain == "tax" else "",
    )


def _title(pages: Sequence[Page]) -> str:
    """The highest heading of the first page that has one."""
    for page in pages[:2]:
        fit = [heading for heading in page.headings if 8 <= len(heading.text) <= _LONGEST_TITLE]
        if fit:
            highest = min(heading.level for heading in fit)
            return next(" ".join(heading.text.split()) for heading in fit if heading.level == highest)
    return ""


def _period(name: str, text: str) -> str:
    """The year the name says, else the one that its first pages say most, when it is said more than once."""
    told = [year.text for year in years(name)]
    if told:
        return told[-1]
    counted = Counter(year.text for year in years(text) if year.kind != "assessment")
    return next((text for text, count in counted.most_common(1) if count > 1), "")


def _tax_year(text: str) -> str:
    """The year a tax document is for: the assessment year it names, else the financial year."""
    counted = Counter(year for year in ((year.kind, year.ends) for year in years(text)) if year[0] != "calendar")
    best = counted.most_common(1)
    if not best:
        return ""
    (kind, ends), _ = best[0]
    return str(ends - 1 if kind == "assessment" else ends)


def _best(known: Sequence[dict[str, Any]], text: str, least: int = 2) -> str:
    words = f" {' '.join(tokens(text))} "
    scores = {one["name"]: sum(words.count(f" {' '.join(tokens(sign))} ") for sign in one["signs"]) for one in known}
    best = max(scores, key=lambda name: scores[name], default="")
    return best if best and scores[best] >= least else ""


@cache
def _known() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(_KINDS.read_text(encoding="utf-8"))
