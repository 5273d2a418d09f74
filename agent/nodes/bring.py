"""Rows of a statement, or messages a bank sent: what they come to, put on a card like anything else."""

import re
from dataclasses import replace

from agent.evidence import Wording, message_source, said, told
from agent.language.bank_messages import Brought, bring_messages, looks_like_sms
from agent.markdown import escaped
from agent.state import Saying, State, Toolbox, Waiting
from ledger.entries import BookRefused
from money import parse_amount

_RUPEES = re.compile(r"−?₹[\d,]+(?:\.\d\d)?")


def is_brought(state: State) -> bool:
    """Whether this message brings rows of a statement or a bank's own words."""
    given = state["given"]
    return bool(given.rows) or looks_like_sms(given.message)


def bring(state: State, toolbox: Toolbox) -> State:
    """The items brought, to be confirmed; with a card open they are offered to it."""
    outcome = state["outcome"]
    brought = what_came(state, toolbox)
    sayings = tuple(remark(each) for each in brought.remarks)
    trace = (*outcome.plan_trace, f"parse_transactions: {len(brought.items)} brought by a statement or bank messages")
    confident = replace(
        outcome,
        intents=(*outcome.intents, "log"),
        sayings=(*outcome.sayings, *sayings),
        plan_trace=trace,
    )
    if not brought.items:
        nothing = () if sayings else (said("There is nothing new in it to save."),)
        return {"outcome": replace(confident, sayings=(*confident.sayings, *nothing)), "route": "nothing"}
    if read_only := toolbox.facts().read_only:
        refused = replace(confident, sayings=(*outcome.sayings, told(f"Nothing was saved. {read_only}")))
        return {"outcome": refused, "route": "nothing"}
    begun = Waiting("answer", brought.items, state["given"].request, toolbox.book_path)
    return {"waiting": begun, "outcome": confident, "route": "items"}


def what_came(state: State, toolbox: Toolbox) -> Brought:
    """The items, and what is said beside the card."""
    given = state["given"]
    if given.rows:
        return Brought(given.rows, given.remarks)
    if toolbox.imports is None or toolbox.book is None:
        return bring_messages(given.message, toolbox.today, toolbox.facts())
    try:
        references = toolbox.imports.references(toolbox.book)
    except BookRefused:
        references = frozenset()
    return bring_messages(given.message, toolbox.today, toolbox.facts(), toolbox.imports.mode_of, references)


def remark(text: str) -> Saying:
    """A sentence with its amounts as figures: they stand in what was brought, or are worked out from it."""
    wording = Wording()
    pieces: list[str] = []
    place = 0
    for match in _RUPEES.finditer(text):
        amount = parse_amount(match[0])
        if amount is None:
            continue
        pieces += [_quoted(wording, text[place : match.start()]), wording.money(amount, message_source(text))]
        place = match.end()
    return wording.saying("".join([*pieces, _quoted(wording, text[place:])]))


def _quoted(wording: Wording, text: str) -> str:
    core = text.strip()
    if not core:
        return text
    start = len(text) - len(text.lstrip())
    # only what holds a number is quoted: a full stop taken for a quotation would be cut out of every amount
    shown = wording.quote(core) if any(letter.isdigit() for letter in core) else escaped(core)
    return f"{text[:start]}{shown}{text[start + len(core) :]}"
