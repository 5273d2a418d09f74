"""Text from outside, shown as it is written: cells, file names, messages, and the replies that quote them.

Streamlit reads Markdown in nearly every slot that takes text: labels, captions, errors, badges. There a cell could draw
a badge, fetch a picture, or typeset itself as a formula. `literal` leaves it nothing to do that with; `prose` keeps of
a reply only the few marks that our own sentences use. The Content-Security-Policy is the wall behind them.
"""

import re

JOINER = "\u2060"
"""Invisible and without width; breaks addresses and arrows, which a backslash does not stop from being rewritten."""

_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&@/'\"])")
_REWRITTEN = re.compile(r"(?i)(?<=://)(?=\S)|(?<=\bwww)(?=\.)|(?<=@)(?=\w)|(?<=[-<~>])(?=[-=>])")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_BACKSLASHED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_BULLET = re.compile(r"[-*] (?=\S)")
_QUOTED_MARKS = str.maketrans({"*": "\ue000", "-": "\ue001"})
_MARKS_AGAIN = str.maketrans({"\ue000": "*", "\ue001": "-"})


def literal(text: object) -> str:
    """`text` for a label, a caption or a sentence, every character as it is; line ends become spaces."""
    return _escaped(" ".join(str(text).split()))


def literal_lines(text: object) -> str:
    """`text` as a block that keeps its line ends, its indents and its empty lines."""
    lines = str(text).replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    return "  \n".join(_escaped(_indented(line)) or "\u00a0" for line in lines)


def prose(reply: str) -> str:
    """A reply for `st.markdown`: its paragraphs, bullets and bold figures stay, everything else is literal.

    What a reply quotes comes with backslashes before its punctuation; those characters are never marks.
    """
    quoted = _BACKSLASHED.sub(lambda found: found[1].translate(_QUOTED_MARKS), reply.replace("\r\n", "\n"))
    paragraphs = [part for part in re.split(r"\n[ \t]*\n+", quoted.strip("\n")) if part.strip()]
    return "\n\n".join("  \n".join(_line(line) for line in paragraph.split("\n")) for paragraph in paragraphs)


def _line(line: str) -> str:
    bullet = _BULLET.match(line)
    pieces, end = ["- " if bullet else ""], 2 if bullet else 0
    for bold in _BOLD.finditer(line, end):
        pieces += [_plain(line[end : bold.start()]), f"**{_plain(bold[1])}**"]
        end = bold.end()
    return "".join((*pieces, _plain(line[end:])))


def _plain(text: str) -> str:
    return _escaped(text.translate(_MARKS_AGAIN))


def _indented(line: str) -> str:
    """Leading spaces made no-break: Markdown would take four of them for code."""
    body = line.lstrip(" \t")
    return "\u00a0" * len(line[: len(line) - len(body)].expandtabs(4)) + body


def _escaped(text: str) -> str:
    visible = _UNSEEN.sub("\ufffd", text)
    return _PUNCTUATION.sub(r"\\\1", _REWRITTEN.sub(JOINER, visible))
