"""Answering: plan the questions, run the tools, word what they found, hold every figure to its source."""

from dataclasses import replace
from datetime import date
from functools import partial
from typing import cast

from langgraph.runtime import Runtime

from agent.amending import which
from agent.calculation import calculation_of
from agent.evidence import Wording, plain_wording, said, told, unsupported
from agent.language.items import Standing
from agent.language.knowledge import Knowledge
from agent.nodes.clarify import question
from agent.nodes.understand import last_profile, last_query
from agent.phrases import CARD_STILL_OPEN, not_understood
from agent.planner import FAST_PATHS, plan_questions
from agent.state import ANEW, Findings, Pointed, Remembered, Saying, State, Toolbox, Waiting
from agent.tools import budget_advisor as book_advice
from agent.tools import ledger_query as book_questions
from agent.tools.financial_calculator import financial_calculator
from agent.tools.reused import from_insight
from agent.turn import Row
from ledger.entries import Book, BookRefused, Direction, Mode
from ledger.joined import across_years
from ledger.store import BookStore

TURNS_REMEMBERED = 5
ROWS_POINTED_AT = 20
"""rows shown that a later `that` may mean"""
WORDINGS = 2
"""a reply with an unsupported figure is written anew this often, then worded plainly"""


def plan(state: State, runtime: Runtime[Toolbox]) -> State:
    """Which tools answer the questions. What continues the last turn is planned already."""
    toolbox = runtime.context
    outcome = state["outcome"]
    calls = tuple(state.get("plan", ()))
    if calls and state.get("route") == "known":
        return {"plan": calls, "route": "calls"}
    questions = tuple(state.get("questions", ()))
    knowledge = Knowledge.of(toolbox.facts())
    profile = last_profile(state, toolbox.profile)
    planned = plan_questions(questions, toolbox.today, knowledge, last_query(state), profile)
    kept = planned.calls[: toolbox.tool_calls]
    sayings = [*(_unsure(words) for words in planned.unsure), *map(told, planned.told)]
    guardrails = outcome.guardrails
    if len(kept) < len(planned.calls):
        guardrails = (*guardrails, "calls")
        wording = Wording()
        left = ", ".join(wording.quote(call.words) for call in planned.calls[len(kept) :])
        sayings.append(wording.saying(f"That was more than I answer at once. Still to ask: {left}."))
    used = {call.tool for call in kept}
    later = tuple(path.intent for path in FAST_PATHS if path.tool in used and path.intent not in outcome.intents)
    return {
        "plan": kept,
        "questions": (),
        "route": "calls" if kept else "nothing",
        "outcome": replace(
            outcome,
            intents=(*outcome.intents, *later),
            confidence=min(outcome.confidence, planned.confidence),
            sayings=(*outcome.sayings, *sayings),
            guardrails=guardrails,
            plan_trace=(*outcome.plan_trace, *planned.trace),
        ),
    }


def ask_book(state: State, runtime: Runtime[Toolbox]) -> State:
    """The tool node of `ledger_query`: one call, sent to it alone."""
    toolbox = runtime.context
    call = state["plan"][0]
    if call.query is None:
        raise ValueError("ledger_query was called without a question")
    try:
        opened = toolbox.opened()
    except BookRefused as refused:
        return {"findings": (Findings(call.tool, call.words, told(str(refused))),)}
    book, missing = across_years(
        call.query, opened.book, toolbox.today, partial(_of_year, toolbox.store(), opened.book)
    )
    found = book_questions.ledger_query(call.query, book, toolbox.today, call.words)
    return {"findings": (book_questions.with_missing(found, opened.book, missing, toolbox.today),)}


def _of_year(store: BookStore, book: Book, year: int) -> Book | None:
    """The book of another year beside the open one; None when there is none that can be read."""
    try:
        return store.beside(book, year).read().book
    except BookRefused:
        return None


def advise(state: State, runtime: Runtime[Toolbox]) -> State:
    """The tool node of `budget_advisor`: one call, sent to it alone."""
    toolbox = runtime.context
    call = state["plan"][0]
    if call.advice is None:
        raise ValueError("budget_advisor was called without the advice that is asked for")
    if call.insight and call.about:
        return {"findings": (replace(from_insight(call.about, call.insight, call.words), advice=call.advice),)}
    try:
        opened = toolbox.opened()
    except BookRefused as refused:
        return {"findings": (Findings(call.tool, call.words, told(str(refused))),)}
    advised = book_advice.budget_advisor(call.advice, opened.book, toolbox.today, call.words, toolbox.put_aside)
    if call.about and advised.insight:
        answered = from_insight(call.about, advised.insight, call.words)
        advised = replace(answered, advice=call.advice, insight=advised.insight, count=advised.count)
    return {"findings": (advised,)}


def calculate(state: State, runtime: Runtime[Toolbox]) -> State:
    """The tool node of `financial_calculator`: one call, sent to it alone. It needs no book."""
    call = state["plan"][0]
    asked = calculation_of(call.words, runtime.context.today)
    if asked is None:
        raise ValueError("financial_calculator was called without a calculation")
    return {"findings": (financial_calculator(asked, call.words),)}


def check_guardrails(state: State, runtime: Runtime[Toolbox]) -> State:
    """The limits of a turn, between the tools and the answer."""
    outcome = state["outcome"]
    findings = tuple(state.get("findings", ()))
    late = runtime.context.recorder.seconds > runtime.context.turn_seconds
    trace = tuple(
        decision
        for found in findings
        for decision in (f"{found.tool}: {found.count} rows read for “{found.words}”", *found.trace)
    )
    return {
        "outcome": replace(
            outcome,
            tools=tuple(dict.fromkeys((*outcome.tools, *(found.tool for found in findings)))),
            guardrails=(*outcome.guardrails, "time") if late else outcome.guardrails,
            plan_trace=(*outcome.plan_trace, *trace),
        )
    }


def compose(state: State, runtime: Runtime[Toolbox]) -> State:
    """Word the findings: each under the words that asked when there are several."""
    del runtime
    findings = tuple(state.get("findings", ()))
    attempts = state.get("attempts", 0) + 1
    if attempts > WORDINGS + 1:
        answers = tuple(plain_wording(found.saying) for found in findings)
    elif len(findings) == 1 and len(state["outcome"].intents) == 1:
        answers = (findings[0].saying,)
    else:
        answers = tuple(_labelled(found) for found in findings)
    return {"answers": answers, "attempts": attempts}


def verify_answer(state: State, runtime: Runtime[Toolbox]) -> State:
    """Name every number of the answer that no finding supports."""
    del runtime
    missing = tuple(number for answer in state.get("answers", ()) for number in unsupported(answer))
    if not missing or state.get("attempts", 0) > WORDINGS + 1:
        return {"route": "supported"}
    outcome = state["outcome"]
    named = dict.fromkeys((*outcome.guardrails, "unsupported_figure"))
    trace = (*outcome.plan_trace, f"verify: no source for {', '.join(missing)}")
    return {"route": "unsupported", "outcome": replace(outcome, guardrails=tuple(named), plan_trace=trace)}


def finish(state: State, runtime: Runtime[Toolbox]) -> State:
    """Put the reply together, say what still waits, and remember the question for a follow-up."""
    outcome = state["outcome"]
    findings = tuple(state.get("findings", ()))
    waiting = state.get("waiting")
    sayings: tuple[Saying, ...] = (*outcome.sayings, *state.get("answers", ()))
    if waiting is not None:
        sayings = (*sayings, _still_waits(waiting, runtime.context.today))
    asked = next((found.query for found in reversed(findings) if found.query), None)
    advised = findings[-1].advice if findings else None
    memory = (*state.get("memory", ()), Remembered(state["given"].message, asked, advised))[-TURNS_REMEMBERED:]
    # rows of another year's book are read only from here
    shown = tuple(row for found in findings for row in found.rows if "[" not in row.cell)[:ROWS_POINTED_AT]
    pointed = Pointed(tuple(map(_standing, shown))) if shown else state.get("pointed", Pointed())
    turn = state.get("turns", 0) + 1
    insight = next((found.insight for found in reversed(findings) if found.insight), None)
    suggested = (*outcome.suggested, *(item for found in findings for item in found.suggested))
    if suggested and waiting is not None and waiting.kind == "card":
        waiting, suggested = replace(waiting, offered=suggested), ()
    return {
        "waiting": waiting,
        "suggested": suggested,
        "memory": memory,
        "pointed": pointed,
        "turns": turn,
        "insight": replace(insight, turn=turn) if insight else state.get("insight"),
        "plan": (),
        "findings": ANEW,
        "answers": (),
        "offer": next((found.offer for found in findings if found.offer), None),
        "outcome": replace(
            outcome,
            sayings=sayings,
            balances=outcome.balances or tuple(pair for found in findings for pair in found.balances),
            rows=tuple(row for found in findings for row in found.rows),
            charts=tuple(chart for found in findings for chart in found.charts),
            alerts=tuple(dict.fromkeys(alert for found in findings for alert in found.alerts)),
            recommendations=tuple(advised for found in findings for advised in found.recommendations),
            report=next((found.report for found in findings if found.report), None),
            confidence=min((outcome.confidence, *(found.confidence for found in findings))),
        ),
    }


def _still_waits(waiting: Waiting, today: date) -> Saying:
    match waiting.kind:
        case "card":
            return said(CARD_STILL_OPEN)
        case "choice":
            return which(waiting, today)
        case _:
            return question(waiting)


def _standing(row: Row) -> Standing:
    """A row that was shown, where it stands: `'CASH TRACKER'!F30`."""
    sheet, _, cell = row.cell.rpartition("!")
    return Standing(
        row.date,
        row.description,
        cast(Mode, row.mode),
        cast(Direction, row.direction),
        row.amount,
        row.category,
        sheet.strip("'").replace("''", "'"),
        int(cell.strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    )


def _labelled(found: Findings) -> Saying:
    wording = Wording()
    label = wording.quote(found.words)
    saying = found.saying
    return Saying(f"“{label}”\n\n{saying.text}", saying.figures, (*saying.quoted, label))


def _unsure(words: str) -> Saying:
    del words
    return not_understood(0)
