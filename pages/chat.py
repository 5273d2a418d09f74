"""The conversation: say what was spent, look at the card, save it; ask, and open each figure of the answer."""

import re
import time
import uuid
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.typing import ChatInputValue

from agent import CardItem, ConversationInfo, ItemChange, Turn, plain_text
from frame import books, card, charts, desk, evidence, overview, press, statement_import, steps
from frame.escape import literal, literal_lines, prose
from frame.look import line, mode_name, moment_text, shortened
from frame.waiting import undo_refusal
from ledger.entries import MODES
from ledger.journal import JournalLine
from ledger.store import Opened

CONVERSATION = "c"
"""The conversation's id in the address: a reload, a bookmark and a restart come back to it."""

EXAMPLES = (
    ("Log", ("spent 500 on groceries via phonepe", "coffee 100 cash and auto 50 upi")),
    ("Ask", ("how much did I spend on food this month?", "chart my spending by category this month")),
    ("Advise", ("why did I overspend?", "can I afford a ₹12,000 phone?")),
)
ANSWERS_AT_ONCE = 0.6
"""Seconds a message waits for its answer before the running steps are drawn."""

POLL = 0.3
TURNS_SHOWN = 20
TITLE_LETTERS = 34
CONVERSATIONS_SHOWN = 6

EARLIER = "earlier-turns"
CARD_OPEN = "awaiting_confirmation"
UNDO = "undo-"
"""how the requests of Undo buttons begin"""

DELETING = "conversation-being-deleted"

ON_THE_CARD = "On the card:"
REFUSED = ("Nothing was saved", "Ready to save:", "It cannot be saved so")
"""How replies begin that say what the open card shows."""

STATIC = Path(__file__).parent.parent / "frame" / "static"
YOU, MUNSHI = STATIC / "you.svg", STATIC / "mark.svg"

_RECEIPT = re.compile(r"(?:Saved|Changed|Deleted):.*?Say \*\*undo\*\* to take it back\.", re.DOTALL)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def page() -> None:
    """Draw the conversation that the address names."""
    thread = current_thread()
    bench = desk.workbench()
    opened = desk.opened_book()
    running = bench.unanswered(thread) if thread else ()
    if running and _followed(running[0][0]).ended.wait(ANSWERS_AT_ONCE):
        running = bench.unanswered(thread)
    turns = bench.messages(thread) if thread else ()
    show_top(thread, empty=not turns and not running)
    if not turns and not running:
        if isinstance(opened, desk.NoBook):
            books.show_first_start(opened.reason)
        else:
            overview.show(opened.book, desk.today())
            show_empty()
    show_turns(turns, opened, live=not running)
    if running:
        show_running(thread, running)
    if turns and isinstance(opened, desk.NoBook):
        show_missing_book(opened.reason, told=turns[-1].state == CARD_OPEN)
    card_open = bool(turns) and turns[-1].state == CARD_OPEN
    if statement_import.STATEMENT in st.session_state and not running:
        statement_import.show(thread, card_open=bool(turns) and turns[-1].state != "idle")
    if books.OFFERED in st.session_state:
        books.show_offer(st.session_state[books.OFFERED], first=not card_open)
    show_message_box(turns, opened)


def current_thread() -> str:
    """The conversation of the address; empty for one that has not begun."""
    named = st.query_params.get(CONVERSATION, "")
    return named if _ID.fullmatch(named) else ""


# saying


def say(text: str) -> None:
    """Send a message; the first one begins the conversation."""
    thread = current_thread() or desk.workbench().new_conversation()
    st.query_params[CONVERSATION] = thread
    desk.workbench().submit(text, thread)


def _submitted() -> None:
    _take(st.session_state["message"])


def _take(said: ChatInputValue) -> None:
    """A message with or without a file came from the box."""
    opened = desk.opened_book()
    for file in said.files:
        name, data = Path(file.name).name, file.getvalue()
        if statement_import.take(name, data, opened.book if isinstance(opened, Opened) else None):
            continue
        st.session_state[books.OFFERED] = books.offer(name, data, desk.today())
    if said.text.strip():
        say(said.text.strip())


def _decide(thread: str, turn: Turn, action: card.Action, changes: tuple[ItemChange, ...] = ()) -> None:
    """A button of the card. Pressed twice it is one decision; on a card that was refused it is a new one."""
    request = uuid.uuid4().hex if action == "edit" else f"{action}-{turn.request}"
    desk.workbench().decide(thread, turn.proposal or "", action, changes, request)


def _followed(request: str) -> desk.Followed:
    return desk.followed(request, time.monotonic())


# the parts of the page, from top to bottom


def show_top(thread: str, *, empty: bool) -> None:
    """Which conversation this is, the others behind it, and a new one."""
    bench = desk.workbench()
    known = bench.conversations()
    if empty and not known:
        return
    current = next((info for info in known if info.id == thread), None)
    title = current.title if current else "New conversation"
    with line():
        if not empty:
            st.title(literal(_headline(title)), anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            with st.popover("Conversations", icon=":material/forum:", key=f"conversation-{thread}", width="content"):
                _show_conversations(thread, current)
            if not empty:
                press.button("New chat", icon=":material/edit_square:", key="new-chat", on_click=_open, args=("",))


def _show_conversations(thread: str, current: ConversationInfo | None) -> None:
    words = st.text_input(
        "Search conversations",
        placeholder="Search",
        icon=":material/search:",
        label_visibility="collapsed",
        key="conversation-search",
    )
    matching = desk.workbench().conversations(words or "")
    found = {info.id: info for info in matching[:CONVERSATIONS_SHOWN]}
    if found:
        with st.container(gap=None):
            for info in found.values():
                _show_conversation(info, chosen=info.id == thread)
        if len(matching) > len(found):
            st.caption(f"{len(matching) - len(found)} more; search finds them.")
    else:
        st.caption(f"Nothing about “{literal(words)}”." if words else "None yet.")
    if current is None:
        return
    st.text_input(
        "Name of this conversation",
        current.title,
        max_chars=60,
        key=f"conversation-name-{thread}",
        on_change=_rename,
        args=(thread,),
    )
    if st.session_state.get(DELETING) != thread:
        press.button(
            "Delete this conversation",
            icon=":material/delete:",
            type="tertiary",
            key="conversation-delete",
            on_click=_ask_to_delete,
            args=(thread,),
        )
        return
    st.markdown("Delete it with everything said in it? What it saved stays in the book.")
    with st.container(horizontal=True):
        press.button("Delete", key="conversation-delete-yes", on_click=_delete, args=(thread,))
        press.button("Keep", key="conversation-delete-no", type="tertiary", on_click=_ask_to_delete, args=("",))


def _show_conversation(info: ConversationInfo, *, chosen: bool) -> None:
    """A button a conversation: two of one name stay two, and typing in the search opens none."""
    when = moment_text(info.updated, desk.today())
    press.button(
        f"{literal(_headline(info.title))} :gray[:small[{literal(when)}]]",
        icon=":material/check:" if chosen else ":material/chat_bubble:",
        type="tertiary",
        key=f"conversation-open-{info.id}",
        on_click=_open,
        args=(info.id,),
    )


def _headline(title: str) -> str:
    return shortened(title[:1].upper() + title[1:], TITLE_LETTERS)


def show_empty() -> None:
    """What one may say here, in words that work."""
    st.space("small")
    st.title("What should we look at?", anchor=False)
    st.markdown(
        ":gray[Write an expense the way you would say it, or ask about your book.]  \n"
        ":gray[Nothing is saved before you say yes.]"
    )
    st.space("xsmall")
    with st.grid(2, min_column_width=260):
        for title, examples in EXAMPLES:
            with st.container(border=True, gap="xsmall"):
                st.caption(title)
                for example in examples:
                    press.button(
                        example,
                        icon=":material/north_east:",
                        type="tertiary",
                        key=f"example-{example}",
                        on_click=say,
                        args=(example,),
                    )


def show_missing_book(reason: str, *, told: bool) -> None:
    """Under a conversation: why its book cannot be read, unless its card says so, and how to open another."""
    if reason and not told:
        st.error(literal(reason), icon=":material/error:")
    with st.expander("Open a book", type="compact", expanded=not reason, key="missing-book"):
        books.show_first_start("")


def show_turns(turns: Sequence[Turn], opened: Opened | desk.NoBook, *, live: bool) -> None:
    """The conversation so far: its latest turns, and the earlier ones when asked for."""
    shown = TURNS_SHOWN * (1 + st.session_state.get(EARLIER, 0))
    first = max(len(turns) - shown, 0)
    if first:
        press.button(
            f"Show earlier messages · {first}",
            type="tertiary",
            icon=":material/expand_less:",
            key="earlier",
            on_click=_show_earlier,
        )
    journal = _journal() if any(turn.written for turn in turns[first:]) else ()
    for number in range(first, len(turns)):
        show_turn(turns, number, opened, journal, live=live and number == len(turns) - 1)


def show_turn(
    turns: Sequence[Turn],
    number: int,
    opened: Opened | desk.NoBook,
    journal: Sequence[JournalLine],
    *,
    live: bool,
) -> None:
    """One message with its answer. `live`: it is the last one, its card can be acted on."""
    turn, key, today = turns[number], f"turn-{turns[number].request}", desk.today()
    book = opened if isinstance(opened, Opened) else None
    standing = card.as_it_stands(turn, opened, desk.workbench().book()) if turn.batch and live else None
    turn = standing.turn if standing else turn
    if turn.message and not _by_button(turn.request):
        _show_message(turn.message)
    with st.chat_message("assistant", avatar=MUNSHI):
        if turn.tools:
            trace = desk.workbench().trace(turn.request)
            steps.show_steps(turn, trace.spans if trace else (), key=f"{key}-steps")
        if reply := beside_the_card(turn, live=live):
            st.markdown(prose(reply))
        figures = sorted(
            (figure for figure in turn.figures if figure.source.kind != "message" and figure.text in reply),
            key=lambda figure: reply.index(figure.text),
        )
        evidence.show_figures(figures, book, today=today, key=key)
        if turn.rows and not turn.written:
            evidence.show_rows(turn.rows, today=today, key=f"{key}-rows")
        for place, chart in enumerate(turn.charts):
            charts.show_chart(chart, f"{key}-chart-{place}")
        if turn.report and book:
            overview.show_report(book.book, date.fromisoformat(f"{turn.report}-01"), today, f"{key}-report")
        if turn.written:
            _show_receipt(turns, number, book, journal)
        elif standing:
            categories = tuple(category.name for category in book.book.budget) if book else ()
            card.show_card(standing, today=today, categories=categories, decide=partial(_decide, turn.thread, turn))
        elif turn.batch:
            card.show_closed_card(turn, outcome(turns, number), today=today, key=f"{key}-closed")
        elif turn.problem:
            st.error(literal(turn.problem))
        if live:
            _show_options(turn)


def show_running(thread: str, running: Sequence[tuple[str, str]]) -> None:
    """The message that is being answered, how far it is, and those that wait behind it."""
    (request, message), *waiting = running
    if message and not _by_button(request):
        _show_message(message)
    with st.chat_message("assistant", avatar=MUNSHI):
        _running_steps(thread, request)
    for _, text in waiting:
        _show_message(text, "Kept. It comes next.")


def _by_button(request: str) -> bool:
    """Whether a button asked for it: nobody wrote its message, so none is shown."""
    return request.startswith(UNDO)


def _show_message(message: str, note: str = "") -> None:
    with st.chat_message("user", avatar=YOU):
        st.markdown(literal_lines(message))
        if note:
            st.caption(note)


@st.fragment(run_every=POLL)
def _running_steps(thread: str, request: str) -> None:
    turn = _followed(request)
    if turn.ended.is_set():
        st.rerun()
    steps.show_running(
        tuple(turn.events), time.monotonic() - turn.began, stop=partial(_stop, thread), key=f"running-{request}"
    )


def show_message_box(turns: Sequence[Turn], opened: Opened | desk.NoBook) -> None:
    """Where one writes; what it suggests depends on what is open."""
    drawn_before = press.drawn_before("message")
    said = st.chat_input(
        hint(turns, opened),
        key="message",
        max_chars=4000,
        accept_file=True,
        file_type=statement_import.TYPES,
        max_upload_size=25,
        disabled=not turns and isinstance(opened, desk.NoBook),
        on_submit=_submitted,
    )
    if said and not drawn_before:
        _take(said)
        st.rerun()


def hint(turns: Sequence[Turn], opened: Opened | desk.NoBook) -> str:
    """What the box suggests, short enough for one line of a phone."""
    batch = turns[-1].batch if turns and turns[-1].state == CARD_OPEN else ()
    if isinstance(opened, desk.NoBook):
        return "Yes works once the book is back" if batch else "Open a book first"
    if not batch:
        return "Log an expense or ask a question"
    last = batch[-1]
    if last.action == "delete":
        return "Say yes, or cancel"
    mode = "cash" if last.mode == "PHONEPE" else "upi"
    said = f"“{'it' if len(batch) == 1 else f'item {last.item}'} was {mode}”"
    return f"Say yes, or {said}" if card.is_savable(turns[-1]) else f"Change it: {said}"


# pieces of a turn


def beside_the_card(turn: Turn, *, live: bool) -> str:
    """The reply without what the receipt, the card or the buttons under it show anyway."""
    reply = _RECEIPT.sub("", turn.reply, count=1) if turn.written else turn.reply
    shown = (turn.problem, *(f"- {option}" for option in turn.options if live))
    lines = [line for line in reply.split("\n") if plain_text(line) not in shown]
    if turn.batch:
        lines = [line for line in lines if not line.startswith(ON_THE_CARD)]
    if turn.batch and turn.problem:
        lines = [line for line in lines if not line.startswith(REFUSED)]
    return "\n".join(lines).strip()


def outcome(turns: Sequence[Turn], number: int) -> str:
    """What became of a card that is no longer the open one, in a few words."""
    turn = turns[number]
    for later in turns[number + 1 :]:
        if later.written:
            return "saved below"
        if later.batch:
            return "still open below" if later.proposal == turn.proposal else "changed below"
        if later.state == "idle":
            return "not saved"
    return "not saved yet"


def items_written(turns: Sequence[Turn], number: int) -> tuple[CardItem, ...]:
    """The items of the card that a receipt answers."""
    return next((turn.batch for turn in reversed(turns[:number]) if turn.batch), ())


def _show_receipt(turns: Sequence[Turn], number: int, book: Opened | None, journal: Sequence[JournalLine]) -> None:
    turn = turns[number]
    undone = any(entry.facts.undoes == turn.request and entry.outcome == "done" for entry in journal)
    card.show_receipt(
        turn,
        items_written(turns, number),
        today=desk.today(),
        undone=undone,
        blocked="" if undone else _undo_blocked(turn, book, journal),
        undo=partial(_undo, turn, len(journal)),
    )


def _undo_blocked(turn: Turn, book: Opened | None, journal: Sequence[JournalLine]) -> str:
    """Why the write cannot be taken back now; empty when it can."""
    store = desk.workbench().book()
    if store is None or book is None:
        return "The book is not open."
    if all(entry.request != turn.request for entry in journal):
        return "This was saved to another book; open that one first."
    return undo_refusal(store, book.book.sha256, turn.request) or ""


def _show_options(turn: Turn) -> None:
    options = turn.options
    if not options and turn.asked and turn.asked.field == "mode":
        options = tuple(mode_name(mode) for mode in MODES)
    if not options:
        return
    with st.container(horizontal=True):
        for place, option in enumerate(options):
            press.button(literal(option), key=f"option-{turn.request}-{place}", on_click=say, args=(option,))


def _journal() -> tuple[JournalLine, ...]:
    store = desk.workbench().book()
    return store.history() if store else ()


# what buttons do


def _open(thread: str) -> None:
    if thread:
        st.query_params[CONVERSATION] = thread
    else:
        st.query_params.pop(CONVERSATION, None)
    for name in (EARLIER, DELETING, books.OFFERED, statement_import.STATEMENT, card.EDITING):
        st.session_state.pop(name, None)


def _rename(thread: str) -> None:
    desk.workbench().rename(thread, st.session_state[f"conversation-name-{thread}"])


def _ask_to_delete(thread: str) -> None:
    st.session_state[DELETING] = thread


def _delete(thread: str) -> None:
    desk.workbench().delete(thread)
    _open("")


def _show_earlier() -> None:
    st.session_state[EARLIER] = st.session_state.get(EARLIER, 0) + 1


def _stop(thread: str) -> None:
    desk.workbench().stop(thread)


def _undo(turn: Turn, writes: int) -> None:
    """Take this receipt's own write back; `writes` of the book so far, so that one refused earlier is tried anew."""
    desk.workbench().undo(turn.thread, f"undo-{turn.request}-{writes}", write=turn.request)


page()
