"""Which category a description belongs to, in this book's own words before anybody else's.

    the book's own rows with the same description  >  BUDGET words  >  word lists  >  lexicon.toml  >  none

Words are matched whole and the longest wins. A category is always one of the BUDGET sheet's; nothing is made up.
"""

import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ledger.entries import Book, Category, Group, plain_description

LIST_GROUPS: Mapping[str, Group] = {
    "FOR HOME": "HOME",
    "HOME": "HOME",
    "PERSONAL": "PERSONAL",
    "WISHLIST": "WISHLIST",
    "AVOID": "AVOID",
    "PAY HOME": "PAY HOME",
}
"""the group that each word list of TERMINOLOGY stands for"""

_LEXICON = Path(__file__).with_name("lexicon.toml")
_BOOKS_REMEMBERED = 4
_remembered: dict[int, tuple[Book, dict[str, str]]] = {}
"""of the last books asked about; a book never changes"""
_APART = str.maketrans(dict.fromkeys(".,;:!?()[]{}<>/\\|\"'`*&@#+=~_-", " "))


class _Concept(NamedTuple):
    categories: tuple[str, ...]
    words: tuple[str, ...]


def categorise(description: str, book: Book) -> str | None:
    """The category the description has in this book; None when nothing says so, as for a person's name."""
    text = _spoken(description)
    if not text:
        return None
    return (
        _of_own_rows(plain_description(description), book)
        or _of_budget_words(text, book)
        or _of_word_lists(text, book)
        or _of_lexicon(text, book)
    )


def listed_group(description: str, book: Book) -> Group | None:
    """The group of the word list that has the description's longest word; it may hold several categories."""
    text = _spoken(description)
    found = [
        (len(spoken), group)
        for label, words in book.lists.items()
        if (group := LIST_GROUPS.get(" ".join(label.upper().split())))
        for word in words
        if (spoken := _spoken(word)) and spoken in text
    ]
    return max(found, key=lambda item: item[0])[1] if found else None


def _of_own_rows(description: str, book: Book) -> str | None:
    """What the newest row with this description was filed under."""
    known = _remembered.get(id(book))
    if known is None or known[0] is not book:
        known = (book, _filed(book))
        while len(_remembered) >= _BOOKS_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[id(book)] = known
    return known[1].get(description.upper())


def _filed(book: Book) -> dict[str, str]:
    """The category of the newest row of each description; of one day the one further down."""
    newest: dict[str, tuple[date, str]] = {}
    for entry in book.entries:
        if entry.category is None:
            continue
        stored = entry.description.upper()
        for name in {stored, plain_description(stored)} if "[" in stored else (stored,):
            if name not in newest or newest[name][0] <= entry.date:
                newest[name] = (entry.date, entry.category)
    return {name: category for name, (_, category) in newest.items()}


def _of_budget_words(text: str, book: Book) -> str | None:
    return _longest(text, ((line.name, (*line.words, *_own_name(line))) for line in book.budget))


def _own_name(line: Category) -> tuple[str, ...]:
    # a bank transfer to a landlord is no move between one's own modes: "transfer" alone says nothing
    return () if line.group == "TRANSFER" else (line.name,)


def _of_word_lists(text: str, book: Book) -> str | None:
    """The one category of the list's group; where there are several, the one of them the lexicon knows."""
    group = listed_group(text, book)
    lines = [line for line in book.budget if line.group == group]
    if len(lines) == 1:
        return lines[0].name
    return _lexicon_category(text, lines)


def _of_lexicon(text: str, book: Book) -> str | None:
    return _lexicon_category(text, [line for line in book.budget if line.group != "TRANSFER"])


def _lexicon_category(text: str, lines: list[Category]) -> str | None:
    named = ((_named_for(concept, lines), concept.words) for concept in _concepts())
    return _longest(text, ((name, words) for name, words in named if name))


def _named_for(concept: _Concept, lines: list[Category]) -> str | None:
    """The book's line for a concept: one of its very names, else one that begins with it (`Food & Dining`)."""
    names = [(line.name, _spoken(line.name)) for line in lines]
    wanted = [_spoken(category) for category in concept.categories]
    for want in wanted:
        for name, spoken in names:
            if spoken == want:
                return name
    for want in wanted:
        for name, spoken in names:
            if spoken.startswith(want):
                return name
    return None


def _longest(text: str, lines: Iterable[tuple[str, Iterable[str]]]) -> str | None:
    """The name whose longest word stands whole in the text; of equals the first."""
    best, longest = None, 0
    for name, words in lines:
        for word in words:
            spoken = _spoken(word)
            if len(spoken) > longest and spoken in text:
                best, longest = name, len(spoken)
    return best


@cache
def _concepts() -> tuple[_Concept, ...]:
    with _LEXICON.open("rb") as file:
        tables: list[dict[str, Any]] = tomllib.load(file)["concept"]
    return tuple(_Concept(tuple(table["categories"]), tuple(table["words"])) for table in tables)


def _spoken_word(word: str) -> str:
    """A word for comparing, its plural as its singular."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=4096)
def _spoken(text: str) -> str:
    """The words of a text with a space around each, tags left out; empty when there are none."""
    words = [_spoken_word(word) for word in plain_description(text).casefold().translate(_APART).split()]
    return f" {' '.join(words)} " if words else ""
