"""Which tool answers which intent: the fast paths, as one table, and the sentence for what no code stands behind yet.

The planner takes the first path that matches; a model's plan will only be asked for what no path decides.
"""

from dataclasses import dataclass
from datetime import date

from agent.calculation import calculation_of
from agent.language.advice import parse_advice, rows_of
from agent.language.intents import Intent
from agent.language.knowledge import Knowledge
from agent.language.lending import owed_asked
from agent.language.limits import cannot_answer, note_on
from agent.language.questions import parse_question
from agent.language.reality import counted_in
from agent.state import Call
from ledger.budget import DEFAULT_PROFILE, Profile
from ledger.queries import Query

ASK_BELOW = 0.7
"""understanding that is less sure than this asks and does not act"""


@dataclass(frozen=True)
class FastPath:
    """An intent that needs no thinking about: the tool, and why."""

    intent: Intent
    tool: str
    why: str


FAST_PATHS: tuple[FastPath, ...] = (
    FastPath("ask", "ledger_query", "a question about the book is a filter and an aggregate over its rows"),
    FastPath("advise", "budget_advisor", "advice is worked out from the book's rows and its budget"),
    FastPath("ask", "lending", "who owes whom is what the tagged rows of loans leave open"),
    FastPath("ask", "match_reality", "what was counted is held against the balance the rows give"),
    FastPath("calculate", "financial_calculator", "the figures stand in the message, and a formula joins them"),
)

_BOOK_WORKS = "What works is your budget book: say what you spent or received, or ask for balances, totals and entries."
NOT_BUILT: dict[Intent, str] = {
    "research": f"I cannot read documents yet. {_BOOK_WORKS}",
    "compare": f"I cannot compare documents yet. {_BOOK_WORKS}",
    "calculate": (
        "I can work that out once its figures stand in the message: sums, percentages, an EMI, a SIP, what an amount "
        "grows to, a growth rate, a yearly return. For example “EMI on 25 lakh at 8.5% for 20 years”."
    ),
    "market": f"I cannot look up prices yet. {_BOOK_WORKS}",
    "portfolio": f"I cannot follow holdings yet. {_BOOK_WORKS}",
    "plan_goal": f"I cannot plan for a goal yet. {_BOOK_WORKS}",
    "sheet": f"I cannot query other sheets yet. {_BOOK_WORKS}",
}


@dataclass(frozen=True)
class Planned:
    """What is to be run for some questions, what was decided, and the questions that were not understood."""

    calls: tuple[Call, ...] = ()
    trace: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    confidence: float = 1.0
    told: tuple[str, ...] = ()
    """sentences for what cannot be answered as asked, and for what has to be said beside an answer"""


def plan_questions(
    questions: tuple[str, ...],
    today: date,
    knowledge: Knowledge,
    previous: Query | None,
    profile: Profile = DEFAULT_PROFILE,
) -> Planned:
    """The calls that answer the questions, each under the words that asked; `profile` is how bold the advice is."""
    calls: list[Call] = []
    trace: list[str] = []
    unsure: list[str] = []
    told: list[str] = []
    confidence = 1.0
    ask, advise, owed, reality, calculate = FAST_PATHS
    for words in questions:
        if path := owed if owed_asked(words) else reality if counted_in(words) else None:
            calls.append(Call(path.tool, words))
            trace.append(f"planner: {path.intent} → {path.tool}: {path.why}")
            continue
        if calculation_of(words, today):
            calls.append(Call(calculate.tool, words))
            trace.append(f"planner: {calculate.intent} → {calculate.tool}: {calculate.why}")
            continue
        if advice := parse_advice(words, today, knowledge, profile):
            previous, profile = rows_of(advice, today), advice.profile
            calls.append(Call(advise.tool, words, previous, advice))
            trace.append(f"planner: {advise.intent} → {advise.tool} ({advice.kind}): {advise.why}")
            continue
        if reason := cannot_answer(words, today, knowledge, previous):
            told.append(reason)
            trace.append(f"planner: “{words}” cannot be answered as asked")
            continue
        found = parse_question(words, today, knowledge, previous)
        sure = [question for question in found if question.confidence >= ASK_BELOW]
        if not sure:
            unsure.append(words)
            trace.append(f"planner: “{words}” names no figure of the book")
        elif note := note_on(words):
            told.append(note)
        for question in sure:
            calls.append(Call(ask.tool, question.words, question.query))
            trace.append(f"planner: {ask.intent} → {ask.tool} ({question.query.aggregate}): {ask.why}")
            previous = question.query
            confidence = min(confidence, question.confidence)
    return Planned(tuple(dict.fromkeys(calls)), tuple(trace), tuple(unsure), confidence, tuple(dict.fromkeys(told)))
