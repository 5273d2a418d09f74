"""Rows that stand in the book are changed or deleted: found, chosen where several could be meant, put on a card."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from langgraph.runtime import Runtime

from agent.amending import (
    SHOWN_AT_MOST,
    choices,
    deleted,
    found_again,
    item_of,
    same_moves,
    standing_of,
    which,
    with_partner,
)
from agent.evidence import Wording, said
from agent.language.amendments import Amendment, amended, chosen, parse_amendment
from agent.language.consent import consent
from agent.language.edits import Edited
from agent.language.intents import classify, split_requests
from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.language.sought import rows_meant
from agent.nodes.understand import last_query
from agent.planner import ASK_BELOW
from agent.state import NO_BOOK, Outcome, Pointed, Saying, State, Toolbox, Waiting
from agent.turn import Asked
from ledger.edits import says_the_same
from ledger.entries import Book, Entry

USELESS_ANSWERS = 3
LOOKED_AT = 60
"""of more rows that could be meant the older ones are not looked at"""
_TOGETHER = frozenset({"amount", "date"})
"""what the two rows of a move between own modes have in common"""
_OTHER_INTENTS = frozenset({"log", "ask", "advise", "help", "smalltalk"})


def find_rows(state: State, runtime: Runtime[Toolbox]) -> State:
    """The rows that the message means: one is put on a card as it was and as it would be, of several one is asked."""
    toolbox = runtime.context
    amendment = state.get("amendment")
    book = toolbox.facts()
    if amendment is None:
        return {"route": "other"}
    knowledge = Knowledge.of(book)
    pointed = state.get("pointed") or Pointed()
    sought = amendment.sought
    near = found_again(pointed.rows, book) if pointed.written or not sought.newest else ()
    found = rows_meant(sought, book.entries, near, knowledge)
    outcome = state["outcome"]
    trace = (*outcome.plan_trace, f"find_rows: {len(found)} rows for “{sought.said}”")
    if not found and (sought.only_points or not amendment.sure or book is NO_BOOK):
        return {"amendment": None, "route": "other"}
    told = replace(outcome, intents=("edit",), plan_trace=trace)
    if not found:
        return {"amendment": None, "route": "none", "outcome": _saying(told, _not_found(amendment))}
    if len(found) > 1 and amendment.action == "edit":
        if refused := amended(item_of(found[0], ""), amendment.becomes, toolbox.today, knowledge).refused:
            return {"amendment": None, "route": "none", "outcome": _saying(told, _refused(refused))}
        found = _that_would_change(found[:LOOKED_AT], amendment, toolbox.today, knowledge) or found[:1]
    if len(found) == 1 or (_both_change(amendment) and same_moves(found, book)):
        rows = _together(found, amendment, book)
        edited = _as_it_would_be(rows, amendment, state["given"].message, toolbox.today, knowledge)
        if isinstance(edited, Saying):
            return {"amendment": None, "route": "none", "outcome": _saying(told, edited)}
        card = Waiting("card", edited, state["given"].request, toolbox.book_path)
        return {"amendment": None, "waiting": card, "unclear": 0, "route": "one", "outcome": told}
    shown = found[:SHOWN_AT_MOST]
    items = tuple(item_of(entry, state["given"].message) for entry in shown)
    items = tuple(map(deleted, items)) if amendment.action == "delete" else items
    left = ("more",) if len(found) > len(shown) else ()
    asks = Waiting("choice", items, state["given"].request, toolbox.book_path, asked=Asked(None, "entry"), left=left)
    return {"waiting": asks, "unclear": 0, "route": "several", "outcome": told}


def ask_which(state: State, runtime: Runtime[Toolbox]) -> State:
    """Ask which of the rows is meant, numbered."""
    waiting = state["waiting"]
    if waiting is None:
        return {}
    today = runtime.context.today
    again = (said("I did not get that."),) if waiting.useless else ()
    outcome = _saying(state["outcome"], *again, which(waiting, today))
    return {"outcome": replace(outcome, options=choices(standing_of(waiting), today))}


def parse_choice(state: State, runtime: Runtime[Toolbox]) -> State:
    """Which row a reply means; an end, or something else altogether."""
    toolbox = runtime.context
    message = state["given"].message
    waiting, amendment = state["waiting"], state.get("amendment")
    outcome = state["outcome"]
    word = consent(message)
    if word in ("cancel", "stop", "undo"):
        ends: State = {"route": word, "outcome": replace(outcome, intents=(*outcome.intents, word))}
        return ends if word == "undo" else {**ends, "amendment": None}
    if waiting is None or amendment is None:
        return {"waiting": None, "route": "other"}
    book = toolbox.facts()
    knowledge = Knowledge.of(book)
    rows = found_again(standing_of(waiting), book)
    if len(rows) < len(waiting.items):
        changed = said("The book was changed meanwhile, so I let that be. Say it again; nothing was changed by me.")
        return {"waiting": None, "amendment": None, "route": "none", "outcome": _saying(outcome, changed)}
    places = chosen(message, rows, toolbox.today, knowledge)
    if places:
        meant = tuple(dict.fromkeys(row for place in places for row in _together((rows[place],), amendment, book)))
        words = waiting.items[0].words
        edited = _as_it_would_be(meant, amendment, words, toolbox.today, knowledge)
        told = replace(outcome, intents=(*outcome.intents, "answer"))
        if isinstance(edited, Saying):
            return {"waiting": None, "amendment": None, "route": "none", "outcome": _saying(told, edited)}
        card = Waiting("card", edited, waiting.card, toolbox.book_path)
        return {"waiting": card, "amendment": None, "route": "chosen", "outcome": told}
    if places is None and _is_something_else(state, toolbox, knowledge):
        return {"waiting": None, "amendment": None, "route": "other"}
    if places == () or waiting.useless + 1 >= USELESS_ANSWERS:
        let_be = said("Then I let it be. Nothing was changed.")
        return {"waiting": None, "amendment": None, "route": "none", "outcome": _saying(outcome, let_be)}
    again = replace(waiting, useless=waiting.useless + 1)
    return {"waiting": again, "route": "again", "outcome": replace(outcome, intents=(*outcome.intents, "unclear"))}


def _together(found: Sequence[Entry], amendment: Amendment, book: Book) -> tuple[Entry, ...]:
    """The rows, with the other row of a move between own modes where both change."""
    return with_partner(found[0], book) if len(found) == 1 and _both_change(amendment) else tuple(found)


def _both_change(amendment: Amendment) -> bool:
    """Whether what is asked of one row of a move between own modes holds of the other as well."""
    return amendment.action == "delete" or {field for field, _ in amendment.becomes} <= _TOGETHER


def _as_it_would_be(
    rows: Sequence[Entry], amendment: Amendment, words: str, today: date, knowledge: Knowledge
) -> tuple[Item, ...] | Saying:
    """The rows as items of a card; or why they cannot be changed so."""
    items = tuple(item_of(row, words) for row in rows)
    if amendment.action == "delete":
        return tuple(map(deleted, items))
    changed: list[Item] = []
    for item, row in zip(items, rows, strict=True):
        edited: Edited = amended(item, amendment.becomes, today, knowledge)
        if edited.refused:
            return _refused(edited.refused)
        changed += [new for new in edited.items if not says_the_same(row, new.draft())]
    return tuple(changed) or said("That is how it stands already, so nothing was changed.")


def _that_would_change(
    rows: Sequence[Entry], amendment: Amendment, today: date, knowledge: Knowledge
) -> tuple[Entry, ...]:
    """Those of the rows that do not stand so already: "the petrol was cash" means none that is."""
    return tuple(
        row for row in rows if not isinstance(_as_it_would_be((row,), amendment, "", today, knowledge), Saying)
    )


def _is_something_else(state: State, toolbox: Toolbox, knowledge: Knowledge) -> bool:
    """Whether the reply begins another request."""
    message = state["given"].message
    if parse_amendment(message, toolbox.today, knowledge):
        return True
    readings = [
        classify(part, toolbox.today, knowledge, last_query(state)) for part in (split_requests(message) or (message,))
    ]
    return any(reading.intent in _OTHER_INTENTS and reading.confidence >= ASK_BELOW for reading in readings)


def _refused(refusal: str) -> Saying:
    wording = Wording()
    return wording.saying(f"{wording.quote(refusal)} Nothing was changed.")


def _not_found(amendment: Amendment) -> Saying:
    wording = Wording()
    name = wording.quote(amendment.sought.said)
    return wording.saying(f"I looked for “{name}” and found no such entry in the book, so nothing was changed.")


def _saying(outcome: Outcome, *sayings: Saying) -> Outcome:
    return replace(outcome, sayings=(*outcome.sayings, *sayings))
