"""A bank's, card's, wallet's or UPI app's message read as the transaction it tells of, or why it tells of none.

    the message ─► ends that tell what to do are left out ─► a password, a failure, a request, what is to come? ─► none
                └► the amounts ─► the words that say where money went ─► the transaction

What such messages say stands in `phrases.toml`. A spend with a credit card is money out. An amount in another
currency is read with its currency; what becomes of it is asked where it is booked.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ledger.entries import Direction, Mode
from ledger.statements.narration import clean_payee, reference_in
from ledger.statements.sms_amounts import Said, amounts_in, bare_balance, bare_numbers
from ledger.statements.sms_details import account_in, day_in, payee_in
from ledger.statements.vocabulary import Phrases, phrases

LONGEST = 1_500
"""letters of a message that are looked at"""
MARKS_NEEDED = 2
LOOKED_AT = 4
"""messages of several that are looked at to know them for a bank's"""
_DIGITS = {ord(letter): str(unicodedata.digit(letter)) for letter in "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९"}
_MAY_BE = re.compile(r"\d{3}|otp|password|code", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\brs)(?<!\bno)(?<!\bref)(?<!\bcr)(?<!\bdr)\.\s+(?=\D)|[!;]\s+|\n\s*\n")
_MASKED = re.compile(r"(?:(?:xx|\*\*|##)[x*#]*|(?:(?<!\w)|(?<=a/c))[x*#]|\.{2,})-?\d{3,}|\d+[x*]{2,}\d*", re.IGNORECASE)
_SENDER = re.compile(r"^\s*[A-Z]{2}-[A-Z0-9]{4,9}(?:-[A-Z])?\s*[:\-]?\s*")
_LONG_NUMBER = re.compile(r"\d{9,}")
_CHUNK = re.compile(r"\n\s*\n+|\r\n\s*\r\n")
_SIDE_OF_BALANCE = re.compile(r"(?:(?<=\d)|(?<=[.,]\d\d)\s*)\(?(?:cr|dr)\b\)?")
"""`27000.00 CR`: which side a balance is on, no movement"""


@dataclass(frozen=True)
class SmsTransaction:
    """What a message says of money that moved."""

    amount: Decimal
    """above zero, in `currency`"""
    currency: str
    """three letters; INR where the message names none"""
    direction: Direction
    balance: Decimal | None
    """what the message says is left in the account"""
    account: str | None
    """the last digits of the account or card"""
    card: bool
    """a card was used"""
    reference: str | None
    """the bank's own number of the transaction: UPI reference, RRN, UTR"""
    payee: str
    """whom it was paid to or came from; empty where the message does not say"""
    day: date | None
    mode: Mode
    """where the money is kept, as far as the message says"""
    cash: bool
    """cash taken out at a machine or paid in"""
    text: str


@dataclass(frozen=True)
class NotTransaction:
    """Why a message is no transaction."""

    reason: str
    """`otp`, `failed`, `upcoming`, `request`, `card_paid`, `offer`, `low_balance`, `mandate`, `due`, `statement`,
    `promotion`, `balance`, `service` or `nothing`"""
    sentence: str
    text: str


def read_sms(text: str) -> SmsTransaction | NotTransaction:
    """The transaction that one message tells of, or why it tells of none."""
    words = phrases()
    whole = _plain(text)
    said = _without_footers(_lowered(whole), words)
    whole = "".join(letter if low != " " else " " for letter, low in zip(whole, said, strict=True))
    masked = words.names.sub(lambda match: "~" * len(match[0]), _SIDE_OF_BALANCE.sub(_blank, said))
    movements, announced = _movements(masked, words)
    back = words.back.search(masked)
    for refusal in words.never:
        if refusal.pattern.search(said) and not (refusal.name == "failed" and back and _real(masked, back, words)):
            return NotTransaction(refusal.name, refusal.sentence, text)
    amounts = amounts_in(said)
    moved = [each for each in amounts if each.role == "moved" and each.value] or bare_numbers(masked)
    account, card = account_in(whole)
    if not any(each.sure for each in movements):
        if announced:
            upcoming = next(refusal for refusal in words.never if refusal.name == "upcoming")
            return NotTransaction(upcoming.name, upcoming.sentence, text)
        likely = bool(movements and moved and (account or card))
        for refusal in words.unless:
            if refusal.pattern.search(masked) and not (refusal.weak_outweighs and likely):
                return NotTransaction(refusal.name, refusal.sentence, text)
    signed = [each for each in moved if each.sign]
    if not movements and signed and account:
        movements = [_Movement(signed[0].start, "DEBIT" if signed[0].sign == "-" else "CREDIT", sure=True)]
    if not movements or not moved:
        return NotTransaction("nothing", "It does not say that an amount of money moved.", text)
    amount = _amount(said, moved)
    direction = _direction(masked, amount, movements, words)
    balance = next((each for each in amounts if each.role == "balance"), None) or bare_balance(said)
    lowered = _lowered(whole)
    cash = bool(words.atm.search(said) if direction == "DEBIT" else words.cash_in.search(said))
    return SmsTransaction(
        amount=amount.value,
        currency=amount.currency or "INR",
        direction=direction,
        balance=balance.value if balance else None,
        account=account,
        card=card,
        reference=reference_in(whole),
        payee=clean_payee(payee_in(whole, direction)),
        day=day_in(lowered),
        mode=_mode(lowered, account, words),
        cash=cash,
        text=text,
    )


def looks_like_sms(text: str) -> bool:
    """Whether a message reads like one a bank sends rather than like a person's own words."""
    if not _MAY_BE.search(text):
        return False
    words, lowered = phrases(), text.lower()
    if not (_MASKED.search(text) or _SENDER.search(text) or words.official.search(lowered)):
        return False
    return any(_one_looks_like_sms(message) for message in split_sms(text[: 6 * LONGEST])[:LOOKED_AT])


def _one_looks_like_sms(plain: str) -> bool:
    words = phrases()
    lowered = _lowered(_plain(plain))
    marks = sum(1 for mark in words.marks if mark.search(lowered)) + bool(_LONG_NUMBER.search(plain))
    certain = bool(_MASKED.search(plain) or _SENDER.search(plain))
    if not certain and not words.official.search(lowered) and not words.footers.search(lowered):
        return False
    read = read_sms(plain)
    if isinstance(read, SmsTransaction):
        return marks + certain >= MARKS_NEEDED
    return read.reason != "nothing" and marks + certain + (read.reason == "otp") > MARKS_NEEDED


def split_sms(text: str) -> tuple[str, ...]:
    """Several messages pasted as one: apart by blank lines, or each on lines of its own."""
    chunks: list[str] = []
    for chunk in _CHUNK.split(text.strip()):
        if not chunk.strip():
            continue
        if chunks and not (_stands(chunk) and _stands(chunks[-1])):
            chunks[-1] = f"{chunks[-1]}\n{chunk}"
        else:
            chunks.append(chunk)
    return tuple(message for chunk in chunks for message in _by_lines(chunk))


def _by_lines(chunk: str) -> list[str]:
    """One message, or several with a line each: a line that is a message by itself begins a new one."""
    lines = [line.strip() for line in chunk.split("\n") if line.strip()]
    if sum(1 for line in lines if _stands(line)) < 2:
        return [chunk.strip()]
    messages: list[str] = []
    for line in lines:
        if not messages or (_stands(line) and _stands(messages[-1])):
            messages.append(line)
        else:
            messages[-1] = f"{messages[-1]}\n{line}"
    return messages


def _stands(text: str) -> bool:
    """Whether a text is a message by itself."""
    read = read_sms(text)
    if isinstance(read, SmsTransaction):
        return True
    return read.reason not in ("nothing", "balance", "service") and len(text.split()) > 4


# the steps


@dataclass(frozen=True)
class _Movement:
    start: int
    direction: Direction
    sure: bool


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _plain(text: str) -> str:
    """The message in one kind of letters and digits, without who sent it."""
    return _SENDER.sub("", unicodedata.normalize("NFKC", text[:LONGEST]).translate(_DIGITS)).strip()


def _lowered(text: str) -> str:
    """Lower case, every letter in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(letter.lower()[:1] for letter in text)


def _without_footers(text: str, words: Phrases) -> str:
    """The message with `Not you? Call …` and the like blanked to the end of their sentence; places stay."""

    def blanked(match: re.Match[str]) -> str:
        end = re.search(r"(?<!\brs)(?<!\bno)\.\s|\n|!\s", text[match.start() :])
        return text[match.start() : match.start() + end.start()] if end else text[match.start() :]

    for match in list(words.footers.finditer(text)):
        if match.start() > 12:
            piece = blanked(match)
            text = text[: match.start()] + " " * len(piece) + text[match.start() + len(piece) :]
    return text


def _movements(text: str, words: Phrases) -> tuple[list[_Movement], bool]:
    """The words that say money went or came, in order; and whether a sure one of them has not come to pass."""
    kinds: tuple[tuple[re.Pattern[str], Direction, bool], ...] = (
        (words.theirs, "DEBIT", True),
        (words.out_sure, "DEBIT", True),
        (words.in_sure, "CREDIT", True),
        (words.out_weak, "DEBIT", False),
        (words.in_weak, "CREDIT", False),
    )
    taken: list[tuple[int, int]] = []
    found: list[_Movement] = []
    announced = False
    for pattern, direction, sure in kinds:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                # of two that overlap, `paid you` says more than `paid`
                longer = next(
                    (
                        span
                        for span in taken
                        if match.start() <= span[0] <= span[1] <= match.end() and span != match.span()
                    ),
                    None,
                )
                if longer is None:
                    continue
                found = [each for each in found if each.start != longer[0]]
                taken.remove(longer)
            taken.append(match.span())
            if _real(text, match, words):
                found.append(_Movement(match.start(), direction, sure))
            else:
                announced |= sure
    return sorted(found, key=lambda each: each.start), announced


def _real(text: str, match: re.Match[str], words: Phrases) -> bool:
    return not words.unreal.search(text[max(match.start() - 40, 0) : match.start()])


def _amount(text: str, moved: list[Said]) -> Said:
    """The amount that moved: the first one; where another stands behind it in brackets, the account's own currency."""
    first = moved[0]
    if len(moved) > 1:
        second = moved[1]
        between = text[first.end : second.start]
        if second.currency != first.currency and re.fullmatch(r"\s*(?:\(|=|~|/|eq\.?|equivalent to)\s*\(?", between):
            return second
    return first


def _direction(text: str, amount: Said, movements: list[_Movement], words: Phrases) -> Direction:
    """Which way the money went: what turned it back, else the first sure word of the amount's sentence."""
    back = words.back.search(text)
    if back and _real(text, back, words):
        return "CREDIT"
    start, end = _sentence(text, amount.start)
    inside = [each for each in movements if start <= each.start < end]
    for candidates in (inside, movements):
        for sure in (True, False):
            if chosen := next((each for each in candidates if each.sure == sure), None):
                return chosen.direction
    return "DEBIT"


def _sentence(text: str, place: int) -> tuple[int, int]:
    start = 0
    for match in _SENTENCE.finditer(text):
        if match.start() >= place:
            return start, match.start()
        start = match.end()
    return start, len(text)


def _mode(text: str, account: str | None, words: Phrases) -> Mode:
    """Where the money is kept: a wallet named, UPI without an account, otherwise the bank."""
    if words.wallet.search(text):
        return "WALLET"
    if account is None and words.upi.search(text):
        return "PHONEPE"
    return "BANK"
