"""Rows that stand in the book are changed or deleted: found, chosen where several could be meant, put on a card."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from langgraph.runtime import Runtime

from agent.amending import (
    SHOWN_AT_MOST,
    choices,
    deleted,
    found_again,
    item_of,
    once_more,
    row_words,
    same_moves,
    standing_of,
    which,
    with_partner,
)
from agent.evidence import Wording, cell_source, said
from agent.language.amendments import Amendment, amended, chosen, parse_amendment
from agent.language.consent import consent
from agent.language.edits import Edited
from agent.language.intents import classify, split_requests
from agent.language.items import Item, Standing
from agent.language.knowledge import Knowledge
from agent.language.repeats import day_of, newest_of_each, parse_repeat
from agent.language.sought import rows_meant
from agent.nodes.understand import last_query
from agent.planner import ASK_BELOW
from agent.state import NO_BOOK, Outcome, Pointed, Saying, State, Toolbox, Waiting
from agent.turn import Asked
from ledger.edits import says_the_same
from ledger.entries import Book, Entry, plain_description

USELESS_ANSWERS = 3
LOOKED_AT = 60
"""of more rows that could be meant the older ones are not looked at"""
_TOGETHER = frozenset({"amount", "date"})
"""what the two rows of a move between own modes have in common"""
_ASKING_INTENTS = frozenset({"ask", "advise", "calculate", "help", "smalltalk"})


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
    if amendment.action == "repeat" and sought.only_points and not found:
        found = tuple(sorted(book.entries, key=lambda entry: (entry.date, entry.row))[-1:])
    outcome = state["outcome"]
    trace = (*outcome.plan_trace, f"find_rows: {len(found)} rows for “{sought.said}”")
    if not found and (sought.only_points or not amendment.sure or book is NO_BOOK):
        return {"amendment": None, "route": "other"}
    told = replace(outcome, intents=("edit",), plan_trace=trace)
    if not found:
        return {"amendment": None, "route": "none", "outcome": _saying(told, _not_found(amendment))}
    if amendment.action == "repeat":
        named = newest_of_each(sought, tuple(plain_description(entry.description) for entry in found))
        found = tuple(found[place] for place in named)
        if len(found) == 1 or (not sought.first and same_moves(found, book)):
            return _repeated(with_partner(found[0], book), amendment, state, toolbox, told)
    if len(found) > 1 and amendment.action == "edit":
        if refused := amended(item_of(found[0], ""), amendment.becomes, toolbox.today, knowledge).refused:
            return {"amendment": None, "route": "none", "outcome": _saying(told, _refused(refused))}
        found = _that_would_change(found[:LOOKED_AT], amendment, toolbox.today, knowledge) or found[:1]
    if amendment.action != "repeat" and (len(found) == 1 or (_both_change(amendment) and same_moves(found, book))):
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
    asks = replace(asks, repeats=amendment.action == "repeat")
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
    if places and amendment.action == "repeat":
        repeated = tuple(dict.fromkeys(row for place in places for row in with_partner(rows[place], book)))
        return _repeated(repeated, amendment, state, toolbox, outcome)
    if places:
        meant = tuple(dict.fromkeys(row for place in places for row in _together((rows[place],), amendment, book)))
        words = waiting.items[0].words
        edited = _as_it_would_be(meant, amendment, words, toolbox.today, knowledge)
        told = replace(outcome, intents=(*outcome.intents, "answer"))
        if isinstance(edited, Saying):
            return {"waiting": None, "amendment": None, "route": "none", "outcome": _saying(told, edited)}
        card = Waiting("card", edited, waiting.card, toolbox.book_path)
        return {"waiting": card, "amendment": None, "route": "chosen", "outcome": told}
    other = _something_else(state, toolbox, knowledge) if places is None else None
    if other == "asks":
        return {"route": "other"}
    if other:
        return {"waiting": None, "amendment": None, "route": "other"}
    if places == () or waiting.useless + 1 >= USELESS_ANSWERS:
        let_be = said("Then I let it be. Nothing was changed.")
        return {"waiting": None, "amendment": None, "route": "none", "outcome": _saying(outcome, let_be)}
    again = replace(waiting, useless=waiting.useless + 1)
    return {"waiting": again, "route": "useless", "outcome": replace(outcome, intents=(*outcome.intents, "unclear"))}


def _repeated(rows: Sequence[Entry], amendment: Amendment, state: State, toolbox: Toolbox, outcome: Outcome) -> State:
    """The rows once more as new ones, of today or of the day that was said; which rows they are is told."""
    knowledge = Knowledge.of(toolbox.facts())
    day = day_of(amendment.becomes, toolbox.today)
    becomes = tuple((field, value) for field, value in amendment.becomes if field != "date")
    waiting = state.get("waiting")
    words = waiting.items[0].words if waiting and waiting.items else state["given"].message
    items: list[Item] = []
    for row in rows:
        edited = amended(once_more(row, words, day, toolbox.today), becomes, toolbox.today, knowledge)
        if edited.refused:
            return {
                "amendment": None,
                "waiting": None,
                "route": "none",
                "outcome": _saying(outcome, _refused(edited.refused)),
            }
        items += edited.items
    wording = Wording()
    named = [
        f"{row_words(Standing.of(row, row.sheet, row.row), wording, cell_source(row.amount_cell))}"
        f" ({wording.quote(row.cells)})"
        for row in rows
    ]
    same = wording.saying(f"The same as {', '.join(named)}.")
    begun = Waiting("answer", tuple(items), state["given"].request, toolbox.book_path)
    told = replace(outcome, intents=("log",), sayings=(*outcome.sayings, same))
    return {"amendment": None, "waiting": begun, "unclear": 0, "route": "again", "outcome": told}


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


def _something_else(state: State, toolbox: Toolbox, knowledge: Knowledge) -> Literal["asks", "begins"] | None:
    """Whether the reply asks something, which keeps the choice open, or begins another request; None: neither."""
    message = state["given"].message
    if parse_amendment(message, toolbox.today, knowledge) or parse_repeat(message, toolbox.today, knowledge):
        return "begins"
    readings = [
        classify(part, toolbox.today, knowledge, last_query(state)) for part in (split_requests(message) or (message,))
    ]
    intents = {reading.intent for reading in readings if reading.confidence >= ASK_BELOW}
    if "log" in intents:
        return "begins"
    return "asks" if intents & _ASKING_INTENTS else None


def _refused(refusal: str) -> Saying:
    wording = Wording()
    return wording.saying(f"{wording.quote(refusal)} Nothing was changed.")


def _not_found(amendment: Amendment) -> Saying:
    wording = Wording()
    name = wording.quote(amendment.sought.said)
    if amendment.action == "repeat":
        return wording.saying(f"I looked for “{name}” and found no such entry in the book to write again.")
    return wording.saying(f"I looked for “{name}” and found no such entry in the book, so nothing was changed.")


def _saying(outcome: Outcome, *sayings: Saying) -> Outcome:
    return replace(outcome, sayings=(*outcome.sayings, *sayings))
