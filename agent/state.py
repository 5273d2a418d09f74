"""What a thread remembers between two messages, and what a turn is handed.

State    survives in the checkpoint: small, strings, Decimal, dates, frozen dataclasses named here
Toolbox  is handed in for one turn and never kept: the day, the book, the limits, the recorder
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, TypedDict, cast

from agent.bills import BillsOffered
from agent.imports import Imports
from agent.insights import Asked as AskedOf
from agent.insights import Insight, InsightLine, Saved
from agent.language.advice import Advice
from agent.language.amendments import Amendment
from agent.language.items import Item, Standing
from agent.language.sought import Sought
from agent.trace import Recorder
from agent.turn import Action, Alert, Asked, Change, Chart, Figure, ItemChange, Recommendation, Row, Source, Written
from ledger.budget import DEFAULT_PROFILE, Profile
from ledger.entries import Book, BookRefused, Mode
from ledger.queries import Query, Span
from ledger.store import BookStore, Opened


@dataclass(frozen=True)
class Given:
    """One message or button press, as it arrived."""

    thread: str
    request: str
    message: str
    action: Action = "message"
    proposal: str | None = None
    changes: tuple[ItemChange, ...] = ()
    late: bool = False
    """it arrived while another turn ran: it saw an older card, so its yes is none"""
    write: str | None = None
    """the request of the write that an undo is of; None: the last write of the book"""
    rows: tuple[Item, ...] = ()
    """transactions of a statement"""
    remarks: tuple[str, ...] = ()
    """what is said beside them"""


@dataclass(frozen=True)
class Waiting:
    """A batch that is not written yet: asked about (`answer`), one of several rows to be chosen (`choice`), or shown on
    a card (`card`).
    """

    kind: Literal["answer", "choice", "card"]
    items: tuple[Item, ...]
    card: str
    """the request that began it: two equal cards are two proposals"""
    book: str
    """the path of the book it is meant for"""
    asked: Asked | None = None
    useless: int = 0
    """answers in a row that said nothing"""
    rounds: int = 0
    openings: tuple[tuple[Mode, Decimal], ...] = ()
    """opening balances answered, by mode; written with the batch"""
    repeats: bool = False
    """the row chosen is written once more, not changed"""
    left: tuple[str, ...] = ()
    """items given up, in the user's words"""
    later: tuple[str, ...] = ()
    """requests of the same message, answered after the write"""
    offered: tuple[Item, ...] = ()
    """a new expense met while the card was open: `add it` takes it"""
    seen: str = ""
    """the hash of the book the card was shown for"""
    changes: tuple[Change, ...] = ()
    """on the card: balances and budgets before and after"""
    notes: tuple[str, ...] = ()
    problem: str | None = None
    """why the last yes was refused"""


@dataclass(frozen=True)
class Pointed:
    """The rows that `that` and `it` mean: what was just written or shown, the newest first."""

    rows: tuple[Standing, ...] = ()
    written: bool = False
    """they were written, so that `the last entry` means them too"""


@dataclass(frozen=True)
class Offer:
    """What a bare yes would do when nothing else waits: ask the question again without its dates."""

    query: Query
    words: str


@dataclass(frozen=True)
class Remembered:
    """A past message and the question it came to, for follow-ups."""

    message: str
    query: Query | None
    advice: Advice | None = None
    """the advice it asked for, if it did"""


@dataclass(frozen=True)
class Call:
    """A tool to run: which, on what, for which of the user's words."""

    tool: str
    words: str
    query: Query | None = None
    """for advice: the spending it looks at; None: it needs no rows"""
    advice: Advice | None = None
    insight: Insight | None = None
    """a result found before, which answers"""
    about: AskedOf | None = None
    """what is asked of it"""


@dataclass(frozen=True)
class Saying:
    """A piece of a reply: Markdown with bold figures, the figures, and the outside texts it quotes."""

    text: str
    figures: tuple[Figure, ...] = ()
    quoted: tuple[str, ...] = ()
    """texts from outside as they stand in `text`: numbers inside them are no figures of ours"""


@dataclass(frozen=True)
class Findings:
    """What a tool found."""

    tool: str
    words: str
    """the user's words it answers"""
    saying: Saying
    rows: tuple[Row, ...] = ()
    charts: tuple[Chart, ...] = ()
    balances: tuple[tuple[str, Decimal], ...] = ()
    query: Query | None = None
    offer: Offer | None = None
    count: int = 0
    """rows read for it"""
    confidence: float = 1.0
    notes: tuple[str, ...] = ()
    advice: Advice | None = None
    alerts: tuple[Alert, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    trace: tuple[str, ...] = ()
    """what the tool decided by itself"""
    insight: Insight | None = None
    """what a follow-up may be answered from"""
    report: str | None = None
    """the month, `2026-11`, whose report goes with the answer"""
    suggested: tuple[Item, ...] = ()
    """entries that its own words (`adjust`, `add it`) put on a card; a bare yes does not"""


@dataclass(frozen=True)
class Outcome:
    """The turn so far: what will be said and shown."""

    sayings: tuple[Saying, ...] = ()
    intents: tuple[str, ...] = ()
    confidence: float = 1.0
    written: tuple[Written, ...] = ()
    balances: tuple[tuple[str, Decimal], ...] = ()
    rows: tuple[Row, ...] = ()
    charts: tuple[Chart, ...] = ()
    alerts: tuple[Alert, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str | None = None
    options: tuple[str, ...] = ()
    report: str | None = None
    guardrails: tuple[str, ...] = ()
    plan_trace: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    undoable: bool = False
    suggested: tuple[Item, ...] = ()
    """entries that their own words put on a card"""


def gathered(before: tuple[Findings, ...], new: tuple[Findings, ...] | None) -> tuple[Findings, ...]:
    """Findings of parallel tools, in the order of their calls; None begins anew."""
    return () if new is None else (*before, *new)


ANEW = cast("tuple[Findings, ...]", None)
"""written to the findings: forget them"""


class State(TypedDict, total=False):
    """The channels of the graph. A node returns some of these keys and no other."""

    given: Given
    waiting: Waiting | None
    offer: Offer | None
    memory: tuple[Remembered, ...]
    """the last five turns, the latest last"""
    suggested: tuple[Item, ...]
    """what the last turn suggested to put on a card"""
    bills_told: tuple[str, ...]
    """the bills that were offered today, by book"""
    turns: int
    """messages answered in this conversation"""
    insight: Insight | None
    """the latest result of advice, for the questions that follow it"""
    pointed: Pointed
    amendment: Amendment | None
    """what this message wants of rows that stand in the book"""
    unclear: int
    """messages in a row that were not understood"""
    route: str
    """what the last deciding node found; the routes of graph.py read it"""
    parts: tuple[str, ...]
    """the requests in this message, in the user's words; after classify those that tell of a transaction"""
    questions: tuple[str, ...]
    """those of the parts that ask"""
    plan: tuple[Call, ...]
    findings: Annotated[tuple[Findings, ...], gathered]
    answers: tuple[Saying, ...]
    """what compose made of the findings"""
    attempts: int
    """how often compose has written it"""
    outcome: Outcome


class Routed(TypedDict):
    """What most routes read. LangGraph copies every channel that a route's state names, so they name few."""

    route: str


class Arrived(TypedDict, total=False):
    """What decides where a message begins."""

    given: Given
    waiting: Waiting | None


class Planned(Routed):
    """What decides which tools are sent for."""

    given: Given
    plan: tuple[Call, ...]


KEPT: tuple[type, ...] = (
    Advice,
    Alert,
    Amendment,
    Asked,
    Call,
    Change,
    Chart,
    Figure,
    Findings,
    Given,
    Insight,
    InsightLine,
    Item,
    ItemChange,
    Offer,
    Outcome,
    Pointed,
    Query,
    Recommendation,
    Remembered,
    Row,
    Saved,
    Saying,
    Sought,
    Source,
    Span,
    Standing,
    Waiting,
    Written,
)
"""every class that may come back from a checkpoint; a test puts each through one"""


@dataclass
class Toolbox:
    """What a turn works with. Made by the Workbench for one turn, never checkpointed."""

    today: date
    book: BookStore | None
    recorder: Recorder
    stopping: threading.Event = field(default_factory=threading.Event)
    tool_calls: int = 5
    turn_seconds: float = 8.0
    who: str = "chat"
    """who stands in the history of the book"""
    profile: Profile = DEFAULT_PROFILE
    """how bold advice is, unless the conversation said otherwise"""
    put_aside: Decimal = Decimal(0)
    """what the savings goal keeps of a month, in rupees"""
    said_in: Callable[[str], str | None] = lambda _: None
    """the conversation of a request, None when it is of none"""
    imports: Imports | None = None
    """what is remembered of statements and bank messages"""
    bills: BillsOffered | None = None
    """the bills that were offered today, in any conversation"""
    committed: bool = False
    """the book was written: from here on the turn is ended properly, never stopped"""
    _opened: Opened | None = None

    @property
    def book_path(self) -> str:
        """The chosen book's path; empty without one."""
        return str(self.book.path) if self.book else ""

    def opened(self) -> Opened:
        """The book as it is now, read once a turn. Raises BookRefused with what to do."""
        if self._opened is None:
            self._opened = self.store().read()
        return self._opened

    def store(self) -> BookStore:
        """The chosen book's store. Raises BookRefused, saying what to do, without one."""
        if self.book is None:
            message = "No budget book is open. Choose one, or start a blank one, and say it again."
            raise BookRefused(message)
        return self.book

    def changed(self) -> None:
        """Forget the book as read: it was just written."""
        self._opened = None

    def facts(self) -> Book:
        """The book for understanding a message: an empty one when none can be read."""
        try:
            return self.opened().book
        except BookRefused:
            return NO_BOOK


NO_BOOK = Book("", "", 0, (), (), (), {}, {}, {}, ())
