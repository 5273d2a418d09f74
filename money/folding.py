"""Text as the parsers read it: lower case, ASCII digits, plain spaces and hyphens, and never a character more or fewer.

Because the length stays, a place found in the folded text is the same place in the user's own words.
"""

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_ZEROS = (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66)
_DIGITS = {zero + digit: ord("0") + digit for zero in _ZEROS for digit in range(10)}
_SPACES = dict.fromkeys(
    (0xA0, 0x2002, 0x2003, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000, 0x200E, 0x200F, 0xFEFF), ord(" ")
)
_HYPHENS = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212, 0xFE63), ord("-"))
_QUOTES = dict.fromkeys((0x2018, 0x2019), ord("'"))
_ONE_FOR_ONE = {**_FULL_WIDTH, **_DIGITS, **_SPACES, **_HYPHENS, **_QUOTES}


def fold(text: str) -> str:
    """`text` in lower case with one spelling for each digit, space, hyphen and quote; the same length."""
    plain = text.translate(_ONE_FOR_ONE)
    lowered = plain.lower()
    if len(lowered) == len(plain):
        return lowered
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in plain)
