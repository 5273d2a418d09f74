"""Words of a question typed in haste: `spendng on grocries last mnth`.

Only a word that nothing else explains is looked at: no word of the book, of a category or of the vocabulary. It is read
as the one word of the vocabulary, or of the book's categories, that it is with a vowel left out or one letter wrong;
where two would do, or none, it stays as it was typed.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from agent.language.vocabulary import table

_WORD = re.compile(r"[a-z]+")
_SHORTEST, _SHORTEST_EDIT = 3, 5
_UNITS = (
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
    "month", "months", "week", "weeks", "year", "years", "yesterday", "today", "last", "this", "previous", "quarter",
)  # fmt: skip


def mended(text: str, strange: Iterable[str], categories: tuple[str, ...]) -> str:
    """The text with each strange word read as the word that is meant, where only one can be."""
    for word in strange:
        if _WORD.fullmatch(word) and (meant := _meant(word, categories)):
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant, text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=512)
def _meant(word: str, categories: tuple[str, ...]) -> str | None:
    if len(word) < _SHORTEST:
        return None
    known = _lexicon(categories)
    for fits in (_without_vowels, _one_off):
        found = {other for other in known if fits(word, other)}
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return None


@lru_cache(maxsize=8)
def _lexicon(categories: tuple[str, ...]) -> frozenset[str]:
    """The words a question is made of: kinds, aggregates, parts, days, and the book's categories."""
    spoken = table("questions")
    phrases = [phrase for name in ("kinds", "aggregates", "by") for some in spoken[name].values() for phrase in some]
    texts = (*phrases, *(name.lower() for name in categories), *_UNITS, "much", "many", "show", "list")
    return frozenset(word for text in texts for word in _WORD.findall(text) if len(word) > _SHORTEST)


def _without_vowels(word: str, meant: str) -> bool:
    """Whether the word is the other one with vowels left out: `mnth`, `grocries`."""
    if word[0] != meant[0] or len(word) >= len(meant):
        return False
    letters = iter(word)
    wanted = next(letters, None)
    for letter in meant:
        if letter == wanted:
            wanted = next(letters, None)
        elif letter not in "aeiou":
            return False
    return wanted is None


def _one_off(word: str, meant: str) -> bool:
    """Whether one letter is wrong, missing or too many, or two neighbours changed places."""
    if len(word) < _SHORTEST_EDIT or word[0] != meant[0] or abs(len(word) - len(meant)) > 1 or word == meant:
        return False
    start = next(
        (place for place, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant))
    )
    rest, other = word[start:], meant[start:]
    swapped = len(rest) > 1 and rest[1] + rest[0] + rest[2:] == other
    return swapped or rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
