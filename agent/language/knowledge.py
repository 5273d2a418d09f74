"""What understanding needs to know of a book: its categories, their groups, the words its rows are described with."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from ledger.categories import categorise
from ledger.entries import Book, Group
from ledger.lending import LOAN_TAGS

_WORD = re.compile(r"\w+")
_KEPT = 8
_recent: dict[int, tuple[Book, "Knowledge"]] = {}


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The facts of a book that a message is read against."""

    groups: Mapping[str, Group]
    """the group of each category name, in the order of the BUDGET sheet"""
    categorise: Callable[[str], str | None]
    """the category a description has in this book; None when nothing says so"""
    descriptions: tuple[str, ...] = ()
    loans: frozenset[str] = frozenset()
    """the tags of money lent or borrowed that stand in the book: `LENT RAVI`"""
    carried_by: Callable[[str], str | None] = lambda _: None
    """the category most expenses have whose description begins with these words: what a merchant's refund lowers"""

    @classmethod
    def of(cls, book: Book) -> "Knowledge":
        """The knowledge of a book; the last few books are remembered, a book never changes."""
        known = _recent.get(id(book))
        if known and known[0] is book:
            return known[1]
        knowledge = cls(
            groups={line.name: line.group for line in book.budget},
            categorise=partial(_categorise, book),
            carried_by=partial(_carried_by, book),
            loans=frozenset(tag for entry in book.entries for tag in entry.tags if tag.startswith(LOAN_TAGS)),
            descriptions=tuple(entry.description for entry in book.entries),
        )
        while len(_recent) >= _KEPT:
            _recent.pop(next(iter(_recent)))
        _recent[id(book)] = (book, knowledge)
        return knowledge

    @property
    def categories(self) -> tuple[str, ...]:
        """The category names, in the order of the BUDGET sheet."""
        return tuple(self.groups)

    @property
    def transfer(self) -> str | None:
        """The category of money moved between one's own modes."""
        return next((name for name, group in self.groups.items() if group == "TRANSFER"), None)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word, in lower case, that stands in a description of the book."""
        return frozenset(_WORD.findall(" ".join(set(self.descriptions)).casefold()))


def _carried_by(book: Book, words: str) -> str | None:
    wanted = " ".join(_WORD.findall(words.casefold()))
    if not wanted:
        return None
    found: Counter[str] = Counter()
    for entry in book.entries:
        if entry.category and entry.direction == "DEBIT":
            described = " ".join(_WORD.findall(entry.description.casefold()))
            if described == wanted or described.startswith(f"{wanted} "):
                found[entry.category] += 1
    return found.most_common(1)[0][0] if found else None


def _categorise(book: Book, description: str) -> str | None:
    return categorise(description, book)
