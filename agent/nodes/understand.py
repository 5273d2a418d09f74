"""What the message is: what it continues, what it wants, which transactions it tells of."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.calculation import calculation_of
from agent.evidence import Wording, message_source, said, told
from agent.insights import KEPT_FOR, asked_of
from agent.language.advice import continued, rows_of
from agent.language.amendments import parse_amendment
from agent.language.consent import consent, undoes_several
from agent.language.intents import Reading, classify, split_requests
from agent.language.items import Item
from agent.language.knowledge import Knowledge
from agent.language.questions import widened
from agent.language.repeats import parse_repeat
from agent.language.transactions import parse_transactions
from agent.markdown import sentence_case
from agent.nodes.bring import bring, is_brought
from agent.nodes.offering import BillsDue, bills_now_due
from agent.nodes.reckon import suggestion_taken
from agent.phrases import (
    HERE,
    NOTHING_WAITS,
    ONE_UNDO_AT_A_TIME,
    SAY_IT_ALONE,
    help_text,
    is_greeting,
    likely_readings,
    not_understood,
    small_talk,
)
from agent.planner import ASK_BELOW, NOT_BUILT
from agent.state import Call, Remembered, Saying, State, Toolbox, Waiting
from ledger.budget import Profile
from ledger.queries import Query

BILLS_REMEMBERED = 40
WIDEN_WORDS = frozenset({"widen", "widen it", "yes widen", "yes, widen it", "look at the whole book", "whole book"})


def resolve_memory(state: State, runtime: Runtime[Toolbox]) -> State:
    """Take an accepted offer, continue the last advice, or see whether rows of the book are to change, or what else."""
    toolbox = runtime.context
    message = state["given"].message
    offer = state.get("offer")
    waits = state.get("waiting")
    if waits is None and is_brought(state):
        return {"offer": None, "route": "brought"}
    if taken := suggestion_taken(state, toolbox):
        return taken
    accepted = offer and (
        message.strip(" .!").casefold() in WIDEN_WORDS or (waits is None and consent(message) == "yes")
    )
    if offer and accepted:
        call = Call("ledger_query", offer.words, widened(offer.query))
        outcome = replace(
            state["outcome"],
            intents=("ask",),
            sayings=(said("Over the whole book, without the dates:"),),
            plan_trace=("memory: the offer to look over the whole book was taken",),
        )
        return {"offer": None, "plan": (call,), "route": "known", "outcome": outcome}
    if advised := _continued_advice(state, toolbox) or _of_the_result(state, toolbox):
        return advised
    parts = split_requests(message)
    knowledge = Knowledge.of(toolbox.facts())
    if waits is None and (
        amendment := parse_amendment(message, toolbox.today, knowledge)
        or parse_repeat(message, toolbox.today, knowledge)
    ):
        return {"offer": None, "suggested": (), "parts": parts, "amendment": amendment, "route": "amend"}
    return {"offer": None, "suggested": (), "parts": parts, "route": "read"}


def classify_parts(state: State, runtime: Runtime[Toolbox]) -> State:
    """The intent of each request in the message, and what to say to those that need no tool."""
    toolbox = runtime.context
    knowledge = Knowledge.of(toolbox.facts())
    parts = tuple(state.get("parts", ()))
    previous = last_query(state)
    readings = [classify(part, toolbox.today, knowledge, previous) for part in parts]
    readings = readings or [Reading("unclear", 1.0)]
    times = state.get("unclear", 0)
    sayings: list[Saying] = []
    options: tuple[str, ...] = ()
    transactions: list[str] = []
    questions: list[str] = []
    for part, reading in zip(parts or ("",), readings, strict=True):
        if undoes_several(part):
            sayings.append(said(ONE_UNDO_AT_A_TIME))
        elif reading.confidence < ASK_BELOW and reading.options:
            sayings.append(likely_readings(reading.options))
            options = (*options, *reading.options)
        elif reading.confidence < ASK_BELOW or reading.intent == "unclear":
            sayings.append(not_understood(times))
        elif reading.intent == "log":
            transactions.append(part)
        elif reading.intent in ("ask", "advise") or (
            reading.intent == "calculate" and calculation_of(part, toolbox.today)
        ):
            questions.append(part)
        elif reading.intent != "undo":
            sayings.append(_reply_to(part, reading, waits=state.get("waiting") is not None))
    greeted = [reading.intent for reading in readings] == ["smalltalk"] and is_greeting(parts[0])
    due = BillsDue()
    if greeted and state.get("waiting") is None:
        told_before = (*state.get("bills_told", ()), *(toolbox.bills.told() if toolbox.bills else ()))
        due = bills_now_due(toolbox.facts(), toolbox.today, told_before, toolbox.book_path)
        if toolbox.bills:
            toolbox.bills.tell(due.names)
    sayings += due.sayings
    unclear = all(reading.intent == "unclear" or reading.confidence < ASK_BELOW for reading in readings)
    # several requests of which one is clear: what was not understood is said once, beside the answers
    outcome = replace(
        state["outcome"],
        intents=(*state["outcome"].intents, *(reading.intent for reading in readings)),
        confidence=min(reading.confidence for reading in readings),
        sayings=(*state["outcome"].sayings, *dict.fromkeys(sayings)),
        options=options,
        suggested=due.items,
        plan_trace=(
            *state["outcome"].plan_trace,
            *(f"classify: {reading.intent} {reading.confidence:.2f} by {reading.by}" for reading in readings),
        ),
    )
    if transactions:
        route = "transactions"
    elif questions:
        route = "questions"
    elif any(reading.intent == "undo" and reading.confidence >= ASK_BELOW for reading in readings):
        route = "undo"
    else:
        route = "talk"
    return {
        "unclear": times + 1 if unclear else 0,
        "bills_told": (*state.get("bills_told", ()), *due.names)[-BILLS_REMEMBERED:],
        "parts": tuple(transactions),
        "questions": tuple(questions),
        "route": route,
        "outcome": outcome,
    }


def read_transactions(state: State, runtime: Runtime[Toolbox]) -> State:
    """The transactions told of. With a card open they are offered to it, never put on it unasked."""
    toolbox = runtime.context
    if state.get("waiting") is None and is_brought(state):
        return bring(state, toolbox)
    knowledge = Knowledge.of(toolbox.facts())
    items = tuple(
        item for part in state.get("parts", ()) for item in parse_transactions(part, toolbox.today, knowledge)
    )
    outcome = state["outcome"]
    questions = tuple(state.get("questions", ()))
    waiting = state.get("waiting")
    if not items:
        unread = replace(outcome, sayings=(*outcome.sayings, not_understood(0)))
        return {"outcome": unread, "route": "questions" if questions else "nothing"}
    if read_only := toolbox.facts().read_only:
        refused = replace(outcome, sayings=(*outcome.sayings, told(f"Nothing was saved. {read_only}")))
        return {"outcome": refused, "route": "questions" if questions else "nothing"}
    trace = (*outcome.plan_trace, f"parse_transactions: {len(items)} found")
    if waiting is not None:
        return {
            "waiting": replace(waiting, offered=items),
            "outcome": replace(outcome, plan_trace=trace, sayings=(*outcome.sayings, offer_items(items))),
            "route": "questions" if questions else "offered",
        }
    begun = Waiting("answer", items, state["given"].request, toolbox.book_path, later=questions)
    return {"waiting": begun, "outcome": replace(outcome, plan_trace=trace), "route": "items"}


def offer_items(items: tuple[Item, ...]) -> Saying:
    """A new expense while a card is open."""
    wording = Wording()
    named = [
        wording.quote(sentence_case(item.description or item.words))
        + (f" {wording.money(item.amount, message_source(item.words))}" if item.amount else "")
        for item in items
    ]
    return wording.saying(f"That reads like another entry: {', '.join(named)}. Say **add it** to put it on this card.")


def last_query(state: State) -> Query | None:
    """The question a follow-up continues: the latest of the last five turns."""
    memory: tuple[Remembered, ...] = tuple(state.get("memory", ()))
    return next((past.query for past in reversed(memory) if past.query), None)


def last_profile(state: State, usual: Profile) -> Profile:
    """How bold advice is to be: as the latest of the last five turns that had any said, else as it is set."""
    memory: tuple[Remembered, ...] = tuple(state.get("memory", ()))
    return next((past.advice.profile for past in reversed(memory) if past.advice), usual)


def _continued_advice(state: State, toolbox: Toolbox) -> State | None:
    """The advice of the turn before with what this message changes of it; None: it changes nothing of it."""
    message = state["given"].message
    memory: tuple[Remembered, ...] = tuple(state.get("memory", ()))
    last = memory[-1].advice if memory else None
    advice = continued(message, last, toolbox.today, Knowledge.of(toolbox.facts())) if last else None
    if advice is None:
        return None
    said_before = " ".join(memory[-1].message.split())
    outcome = replace(
        state["outcome"],
        intents=("advise",),
        plan_trace=(f"memory: continues “{said_before}” ({advice.kind}, {advice.profile})",),
    )
    call = Call("budget_advisor", message, rows_of(advice, toolbox.today), advice)
    return {"offer": None, "plan": (call,), "route": "known", "outcome": outcome}


def _of_the_result(state: State, toolbox: Toolbox) -> State | None:
    """A question about the result just told; it is worked out anew when the book has changed since."""
    insight, about = state.get("insight"), asked_of(state["given"].message)
    if insight is None or about is None or state.get("turns", 0) - insight.turn >= KEPT_FOR:
        return None
    memory: tuple[Remembered, ...] = tuple(state.get("memory", ()))
    # a question of another kind in between is what `which one` is about now
    latest = next((past for past in reversed(memory) if past.query or past.advice), None)
    last = latest.advice if latest else None
    if last is None:
        return None
    same = toolbox.facts().sha256 == insight.book
    how = "reused" if same else "the book changed since, so worked out anew:"
    outcome = replace(
        state["outcome"], intents=("advise",), plan_trace=(f"memory: {how} the insight of turn {insight.turn}",)
    )
    call = Call(
        "budget_advisor", state["given"].message, rows_of(last, toolbox.today), last, insight if same else None, about
    )
    return {"offer": None, "plan": (call,), "route": "known", "outcome": outcome}


def _reply_to(part: str, reading: Reading, *, waits: bool) -> Saying:
    """What is said to an intent that needs no tool."""
    if reading.intent == "smalltalk":
        return said(small_talk(part) if reading.by == "rules" or not is_greeting(part) else HERE)
    if reading.intent == "help":
        return help_text()
    if reading.intent in NOTHING_WAITS:
        return said(SAY_IT_ALONE if waits else NOTHING_WAITS[reading.intent])
    return told(NOT_BUILT[reading.intent])
