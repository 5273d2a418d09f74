"""What somebody counted: `my cash is 10,500`, `phonepe shows 3200`, `bank balance is actually 45,210`."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from agent.language.modes import mentions_of
from agent.language.vocabulary import one_of, plain, table
from agent.language.wording import amounts_in
from ledger.entries import Mode


@dataclass(frozen=True)
class Counted:
    """What there is of a mode, as the user says."""

    mode: Mode
    amount: Decimal


def counted_in(message: str) -> Counted | None:
    """What a whole message says there is of one mode; None for any other message."""
    text = plain(message).strip(" .!")
    amounts = amounts_in(text)
    if len(amounts) != 1 or amounts[0].currency not in (None, "INR") or amounts[0].value < 0 or text.endswith("?"):
        return None
    amount = amounts[0]
    mentions = mentions_of(text)
    if len({mention.mode for mention in mentions}) != 1:
        return None
    said = text[: amount.start] + "#" + text[amount.end :]
    return Counted(mentions[0].mode, amount.value) if _whole().fullmatch(" ".join(said.split())) else None


@cache
def _whole() -> re.Pattern[str]:
    said = table("lending")["counted"]
    mode = rf"{one_of(name for names in table('modes')['names'].values() for name in names)}"
    owner, now = rf"(?:{one_of(said['owners'])} )*", rf"(?:{one_of(said['now'])} )*"
    has, then = one_of(said["has"]), rf"(?: {one_of(said['now'])})*"
    counted = "(?:i )?(?:just )?counted"
    return re.compile(
        rf"{owner}{mode}(?: (?:account|app))?(?: balance)? {now}{has}(?: |:)\s*{now}#{then}"
        rf"|{now}(?:i|we) {now}have {now}(?:only )?#(?: rs)?(?: left)? (?:in|as|of) {owner}{mode}(?: account)?{then}"
        rf"|{counted} {owner}{mode}(?: and it is|: ?|,)? ?#|{counted} # (?:in |of )?{owner}{mode}"
        rf"|there is {now}# in {owner}{mode}(?: account)?{then}"
        rf"|{owner}{mode} (?:mein|me|main) # (?:hai|he|hain|bache hai|bacha hai)"
    )
