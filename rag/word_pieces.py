"""A text as the numbers of its word pieces, the way BERT's uncased models read one.

    "Groceries via UPI"   →   [CLS] groceries via up ##i [SEP]   →   101 … 102

Words are lowered, accents and control characters dropped, punctuation and ideographs stand alone; a word is then the
longest pieces of the vocabulary, from its beginning on.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPieces:
    """The vocabulary of a model, and the reading of texts by it."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    @classmethod
    def read(cls, path: Path) -> "WordPieces":
        """The vocabulary of a file: a piece a line, in the order of their numbers."""
        return cls({piece: number for number, piece in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1])})

    def encode(self, text: str, longest: int) -> list[int]:
        """The numbers of a text's pieces with the marks of its start and end, at most `longest` of them."""
        pieces = [self._numbers[START]]
        for word in _words(text):
            pieces.extend(self._pieces(word))
            if len(pieces) >= longest:
                break
        return [*pieces[: longest - 1], self._numbers[END]]

    def _pieces(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return [self._numbers[UNKNOWN]]
        found: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start:
                number = self._numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
                end -= 1
            else:
                return [self._numbers[UNKNOWN]]
            found.append(number)
            start = end
        return found


def _words(text: str) -> Iterator[str]:
    """The words and marks of a text, lowered and without accents."""
    word: list[str] = []
    for letter in unicodedata.normalize("NFD", _cleaned(text).lower()):
        kind = unicodedata.category(letter)
        if kind == "Mn":
            continue
        if letter == " " or _stands_alone(letter, kind):
            if word:
                yield "".join(word)
                word = []
            if letter != " ":
                yield letter
        else:
            word.append(letter)
    if word:
        yield "".join(word)


def _cleaned(text: str) -> str:
    """Without control characters, every white space a space."""
    kept: list[str] = []
    for letter in text:
        kind = unicodedata.category(letter)
        if letter in "\t\n\r" or kind == "Zs":
            kept.append(" ")
        elif letter not in "\x00\N{REPLACEMENT CHARACTER}" and not kind.startswith("C"):
            kept.append(letter)
    return "".join(kept)


def _stands_alone(letter: str, kind: str) -> bool:
    """Punctuation, every ASCII mark, and ideographs."""
    code = ord(letter)
    if kind.startswith("P") or 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return any(first <= code <= last for first, last in _IDEOGRAPHS)
