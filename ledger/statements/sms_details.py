"""What a message says beside amount and direction: the account's last digits, the day, and whom it was paid to."""

import re
from datetime import date

from ledger.entries import MONTHS, Direction

_MONTHS = {name[:3].casefold(): number for number, name in enumerate(MONTHS, 1)}
_ACCOUNT = re.compile(
    r"(?:a/c|ac(?=\s|\.|:)|acct?|account|card|ending|ending\s+(?:with|in)|wallet|bobcard)\b\.?\s*"
    r"(?:(?:no|number|num|ending|ending with|ending in|ended|with|in|is|bank|of|starting|your)\b\.?\s*)*[:#\s-]*"
    r"(?P<digits>[\dxX*#.…-]*\d{3,6})(?![\d/.:]\d)",
    re.IGNORECASE,
)
_MASK = re.compile(r"(?<![\w/])(?:[xX*#]{1,}[-\s]?|\.{2,})(?P<digits>\d{3,6})(?!\w)")
_CARD = re.compile(r"\bcards?\b|\bbobcard\b", re.IGNORECASE)
_BANK_CARD = re.compile(r"(?:debit|credit)?\s*card", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<![\d/])(\d{1,2})[\s/-]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s/,'-]*(20\d\d|\d{2})(?!\d|:)"
)
_MONTH_NAMED = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d)"
)
_ISO = re.compile(r"(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2(20\d\d|\d{2})(?![\d/-])")
_NAME = r"(?P<name>[^\n;]{2,70}?)"
_END = (
    r"(?=\s+(?:on|ref|refno|upi|avl|avail|available|bal|not|via|using|rrn|utr|dated|txn|is|was|has|at\s+\d"
    r"|for\s+(?:rs|inr)|with|through|from\s+(?:a/c|your)|successful|credited|your|if|in\s+your|into|to\s+your|towards"
    r"|total|final|info|clear|card)\b|\s+\d{1,2}[-/ ]\w{2,3}[-/ ]\d{2}|[.,;(\n]\s|[.;(\n]|\s+-\s*[A-Z]|\s*$)"
)
_OUT = (
    re.compile(r";\s*(?P<name>[^;\n.]{2,50}?)\s+credited\b", re.IGNORECASE),
    re.compile(r"\bvpa\s+(?P<name>[\w.\-]+@\w+)", re.IGNORECASE),
    re.compile(rf"\b(?:paid|sent|trf|transferred|transfer)\s+to\s*:?\s*{_NAME}{_END}", re.IGNORECASE),
    re.compile(rf"\bto\s*:?\s+(?!your|a/c|ac\b|acct|account|dispute|block|report|xx|\d){_NAME}{_END}", re.IGNORECASE),
    re.compile(rf"\bto:(?!\s){_NAME}{_END}", re.IGNORECASE),
    re.compile(rf"(?:\bat|@)\s*:?\s+(?!\d){_NAME}{_END}", re.IGNORECASE),
    re.compile(r"@(?:UPI_)?(?!\d)(?P<name>[A-Z][^\n;@]{2,40}?)(?=\s+\d{1,2}[-/]|\s*$|\n|\.\s)"),
    re.compile(
        rf"\b(?:info|remarks|for|towards)\s*[:-]?\s+(?!rs\b|inr\b|₹|\d|upi\s+payment|your){_NAME}{_END}", re.IGNORECASE
    ),
    re.compile(rf"\bunder\s+(?!\d|your){_NAME}{_END}", re.IGNORECASE),
    re.compile(r"(?:rs\.?|inr|₹)\s*[\d,.]+\s+(?P<name>[A-Z][A-Z &.'-]{2,40}?)\s+(?=bal\b|avl\b)", re.IGNORECASE),
    re.compile(rf"\bon\s+(?!\d|your|card|a/c){_NAME}{_END}", re.IGNORECASE),
)
_IN = (
    re.compile(r"\bvpa\s+(?P<name>[\w.\-]+@\w+)", re.IGNORECASE),
    re.compile(
        rf"\b(?:from|by)\s*:?\s+(?!your|a/c|ac\b|acct|account|\d|rs|inr|cash acceptor){_NAME}{_END}", re.IGNORECASE
    ),
    re.compile(rf"\b(?:info|remarks|towards)\s*[:-]?\s*{_NAME}{_END}", re.IGNORECASE),
    re.compile(rf"\bas\s+{_NAME}{_END}", re.IGNORECASE),
)
_AMOUNT = re.compile(r"(?:the\b|rs\b|[a-z]{3}\s*\d|[₹$€£]|(?:xx|\*)|my\b|opt-out)", re.IGNORECASE)
_NO_NAME = re.compile(
    r":|\b(?:bank|card|a/c|account|avl|available|limit|lmt|balance|bal|debit|credit|spent|sent|upi|ref|no|not you|sms"
    r"|inr|rs|atm)\b|\d{2}[-/]|\d[.,]\d\d\b",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"\b(?:upi|imps|neft|ach|nach)[/*:-][^\s;]*[^\n;.(]*", re.IGNORECASE)


def account_in(text: str) -> tuple[str | None, bool]:
    """The last digits of the account or card that the message names first, and whether it is a card."""
    card = bool(_CARD.search(text))
    match = _ACCOUNT.search(text) or _MASK.search(text)
    if match is None:
        return None, card
    digits = re.search(r"\d+$", match["digits"])
    return (digits[0][-4:] if digits else None), card


def day_in(text: str) -> date | None:
    """The first day a message (in lower case) states with its year: day first, the month first where only that fits."""
    for pattern, order in ((_NAMED, "dmy"), (_ISO, "ymd"), (_NUMERIC, "dmy"), (_MONTH_NAMED, "mdy")):
        for match in pattern.finditer(text):
            parts = [part for part in match.groups() if part not in ("-", "/", ".")]
            found = dict(zip(order, parts, strict=True))
            year = int(found["y"])
            year = year + 2000 if year < 100 else year
            month = _MONTHS.get(found["m"][:3]) or int(found["m"])
            day = int(found["d"])
            for one, other in ((day, month), (month, day)):
                try:
                    return date(year, other, one)
                except ValueError:
                    continue
    return None


def payee_in(text: str, direction: Direction) -> str:
    """Whom a message names as the other side, as it stands there; empty when it names none."""
    slashed = _SLASHED.search(text)
    if slashed and slashed[0].count("/") + slashed[0].count("*") >= 2:
        return slashed[0].strip()
    for pattern in _OUT if direction == "DEBIT" else _IN:
        for match in pattern.finditer(text):
            if any(letter.isalpha() for letter in match["name"]) and not _AMOUNT.match(match["name"]):
                return match["name"].strip()
    return _lone_line(text)


def _lone_line(text: str) -> str:
    """Of a message in lines, the line that is a name and nothing else."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    names = [line for line in lines[1:] if len(line) > 2 and not _NO_NAME.search(line)]
    return names[0] if len(lines) > 3 and names else ""
