"""Asking for what is missing: one fact at a time, the answer on its own row, and an end to it."""

import re
from dataclasses import replace
from decimal import Decimal

from langgraph.runtime import Runtime

from agent.evidence import Wording, message_source, said
from agent.language.consent import consent
from agent.language.edits import apply_edits
from agent.language.intents import classify, split_requests
from agent.language.items import Field, Item, missing
from agent.language.knowledge import Knowledge
from agent.language.transactions import answer, parse_transactions, question_for
from agent.nodes.understand import last_query
from agent.planner import ASK_BELOW
from agent.state import NO_BOOK, Outcome, Saying, State, Toolbox, Waiting
from agent.turn import Asked
from ledger.entries import MODE_NAMES, MODES, Book, Mode
from money import find_amounts, rupees

USELESS_ANSWERS = 3
ROUNDS = 6
_OPENING = "opening:"
_NOTHING = frozenset(
    {"zero", "nothing", "none", "nil", "no", "empty", "skip", "not sure", "dont know", "don't know", "no idea", "idk"}
)
_NAMES_AN_ITEM = re.compile(r"\b(?:item|row|entry)\s*#?\d", re.IGNORECASE)
_TALK = ("ask", "help", "advise", "research", "compare", "calculate", "market", "portfolio", "plan_goal", "sheet")
_MODE_OPTIONS = tuple(MODE_NAMES[mode] for mode in MODES)
_OPTIONS: dict[str, tuple[str, ...]] = {"mode": _MODE_OPTIONS, "direction": ("Going out", "Coming in")}


def parse_clarification(state: State, runtime: Runtime[Toolbox]) -> State:
    """What the reply to a question is: the answer, an edit, another expense, a question, an end, or nothing."""
    toolbox = runtime.context
    waiting = state["waiting"]
    message = state["given"].message
    outcome = state["outcome"]
    if waiting is None or waiting.asked is None:
        return {"route": "validate"}
    word = consent(message)
    if word in ("cancel", "stop", "undo"):
        return {"route": word, "outcome": _intent(outcome, word)}
    knowledge = Knowledge.of(toolbox.facts())
    readings = [
        classify(part, toolbox.today, knowledge, last_query(state)) for part in (split_requests(message) or (message,))
    ]
    asks = any(reading.intent in _TALK and reading.confidence >= ASK_BELOW for reading in readings)
    if asks and message.rstrip().endswith("?"):
        return {"route": "question"}
    if waiting.asked.field.startswith(_OPENING):
        answered = _opening_answered(waiting, message)
    else:
        answered = _field_answered(waiting, message, toolbox, knowledge)
    if answered is not None:
        return {"waiting": answered, "route": "validate", "outcome": _intent(outcome, "answer")}
    if asks:
        return {"route": "question"}
    if any(reading.intent == "log" and reading.confidence >= ASK_BELOW for reading in readings):
        more = parse_transactions(message, toolbox.today, knowledge)
        if more and any(item.amount for item in more):
            grown = replace(waiting, items=(*waiting.items, *more), useless=0)
            sayings = (*outcome.sayings, said("Noted that one too."))
            return {"waiting": grown, "route": "validate", "outcome": replace(_intent(outcome, "log"), sayings=sayings)}
    useless = replace(waiting, useless=waiting.useless + 1, rounds=waiting.rounds + 1)
    return {"waiting": useless, "route": "validate", "outcome": _intent(outcome, "unclear")}


def validate(state: State, runtime: Runtime[Toolbox]) -> State:
    """Whether everything is there to be shown, what is asked next, or that it has been asked often enough."""
    waiting = state["waiting"]
    if waiting is None:
        return {"route": "complete"}
    asked = next_question(waiting, runtime.context.facts())
    if asked is None:
        return {"waiting": replace(waiting, asked=None), "route": "complete"}
    exhausted = waiting.useless >= USELESS_ANSWERS or waiting.rounds >= ROUNDS
    return {"waiting": replace(waiting, asked=asked), "route": "exhausted" if exhausted else "missing"}


def request_clarification(state: State, runtime: Runtime[Toolbox]) -> State:
    """Ask for the missing fact, in the user's words."""
    del runtime
    waiting = state["waiting"]
    if waiting is None or waiting.asked is None:
        return {}
    outcome = state["outcome"]
    again = (said("I did not get that."),) if waiting.useless and "unclear" in outcome.intents else ()
    field = waiting.asked.field
    options = ("0",) if field.startswith(_OPENING) else _OPTIONS.get(field, ())
    return {
        "waiting": replace(waiting, kind="answer"),
        "outcome": replace(
            outcome,
            sayings=(*outcome.sayings, *again, question(waiting)),
            options=options,
            plan_trace=(*outcome.plan_trace, f"validate: {field} is missing"),
        ),
    }


def reject(state: State, runtime: Runtime[Toolbox]) -> State:
    """Give up what could not be made out. Complete siblings go on to the card; the reply names what was left."""
    del runtime
    waiting = state["waiting"]
    if waiting is None:
        return {"route": "none"}
    complete = tuple(item for item in waiting.items if missing(item) is None)
    lost = tuple(item for item in waiting.items if missing(item) is not None)
    wording = Wording()
    if lost:
        names = " and ".join(wording.quote(item.description or item.words or "an entry") for item in lost)
        why = wording.saying(f"I could not make out what was missing for {names}, so I left it out.")
    else:
        mode = _opening_mode(waiting.asked)
        why = said(
            f"Without knowing what {MODE_NAMES[mode]} opened with I cannot write the first entry, so I stopped there."
        )
        complete = ()
    outcome = replace(
        state["outcome"],
        sayings=(*state["outcome"].sayings, why),
        guardrails=(*state["outcome"].guardrails, "rounds"),
        plan_trace=(*state["outcome"].plan_trace, "reject: asked often enough"),
    )
    if not complete:
        ended = replace(
            outcome, sayings=(*outcome.sayings, said("Nothing was written. Say it again whenever you like."))
        )
        return {
            "waiting": None,
            "questions": waiting.later,
            "route": "later" if waiting.later else "none",
            "outcome": ended,
        }
    left = tuple(item.words or item.description or "" for item in lost)
    kept = replace(waiting, items=complete, asked=None, useless=0, rounds=0, left=(*waiting.left, *left))
    return {"waiting": kept, "route": "left", "outcome": outcome}


def next_question(waiting: Waiting, book: Book) -> Asked | None:
    """The first missing fact, first row first; then the opening balance of a mode that the book knows nothing of."""
    for number, item in enumerate(waiting.items, 1):
        if field := missing(item):
            return Asked(number, field)
    if book is NO_BOOK or book.tables:
        return None  # a table in another layout begins where it begins
    answered = {mode for mode, _ in waiting.openings}
    for mode in MODES:
        if mode in answered or not any(item.mode == mode for item in waiting.items):
            continue
        if book.openings.get(mode) is None and not any(entry.mode == mode for entry in book.entries):
            return Asked(None, _OPENING + mode)
    return None


def question(waiting: Waiting) -> Saying:
    """The question for what is asked."""
    wording = Wording()
    asked = waiting.asked
    if asked is None:
        return said("")
    if asked.item is None:
        name = MODE_NAMES[_opening_mode(asked)]
        return said(
            f"This is the first {name} entry in the book. How much was in {name} before it? (Zero is an answer too.)"
        )
    item = waiting.items[asked.item - 1]
    text = question_for(item, asked.item, len(waiting.items))
    if item.amount is not None and rupees(item.amount) in text:
        before, amount, after = text.partition(rupees(item.amount))
        shown = wording.money(item.amount, message_source(item.words)) if amount else ""
        return wording.saying(f"{wording.quote(before)} {shown} {wording.quote(after)}".replace(" ?", "?").strip())
    return wording.saying(wording.quote(text))


def _field_answered(waiting: Waiting, message: str, toolbox: Toolbox, knowledge: Knowledge) -> Waiting | None:
    """The batch with the asked fact on the asked row, or edited in words; None: the reply says neither."""
    asked = waiting.asked
    if asked is None or asked.item is None:
        return None
    field: Field = asked.field  # type: ignore[assignment]
    item = waiting.items[asked.item - 1]
    landed = None if _NAMES_AN_ITEM.search(message) else answer(item, field, message, toolbox.today, knowledge)
    if landed is not None:
        return _moved_on(waiting, _with_item(waiting.items, asked.item, landed))
    edited = apply_edits(message, waiting.items, toolbox.today, knowledge)
    if edited is None or edited.refused or not edited.items:
        return None
    return _moved_on(waiting, edited.items)


def _opening_answered(waiting: Waiting, message: str) -> Waiting | None:
    mode = _opening_mode(waiting.asked)
    amounts = find_amounts(message)
    if message.strip(" .!").casefold().replace("’", "'") in _NOTHING:
        amount = Decimal(0)
    elif len(amounts) == 1 and amounts[0].currency in (None, "INR"):
        amount = amounts[0].value
    else:
        return None
    return replace(waiting, openings=(*waiting.openings, (mode, amount)), useless=0)


def _moved_on(waiting: Waiting, items: tuple[Item, ...]) -> Waiting:
    return replace(waiting, items=items, useless=0, rounds=waiting.rounds + 1)


def _with_item(items: tuple[Item, ...], number: int, item: Item) -> tuple[Item, ...]:
    return (*items[: number - 1], item, *items[number:])


def _opening_mode(asked: Asked | None) -> Mode:
    field = asked.field if asked else ""
    return next(mode for mode in MODES if field == _OPENING + mode)


def _intent(outcome: Outcome, intent: str) -> Outcome:
    return replace(outcome, intents=(*outcome.intents, intent))
