"""A statement dropped into the conversation or brought on the Ledger page: what is new in it, and where it goes.

a file ─► read ─► what its columns are, where its money is kept ─► N new, M known ─► the card in the conversation
              └► or opened as a book of its own
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import streamlit as st

from frame import desk
from frame.escape import literal
from frame.look import line, mode_name, sentence, shortened, signed, table
from ledger.entries import MODES, Book, BookRefused, Direction, Mode
from ledger.foreign import open_book
from ledger.statements.formats import StatementRole
from ledger.statements.statement import Said, Statement
from ledger.statements.taking_over import Taken, told
from ledger.store import Opened
from ledger.workbook import Workbook
from money import day_text

STATEMENT = "statement-dropped"
BROUGHT = "statement-brought"
"""the conversation that a statement was just brought into"""
UPLOADS = "statement-uploads"
TYPES = ["xlsx", "xls", "csv", "tsv", "txt"]
ROWS_SHOWN = 8
_ROLE_NAMES: dict[StatementRole, str] = {
    "date": "Date",
    "description": "Description",
    "debit": "Money out",
    "credit": "Money in",
    "amount": "Amount",
    "type": "In or out",
    "balance": "Balance",
    "reference": "Reference",
}
_NOT_READ = "Not read"
_SIGNS: dict[Direction, str] = {"DEBIT": "Money out", "CREDIT": "Money in"}


@dataclass(frozen=True)
class Dropped:
    """A file that holds a statement."""

    name: str
    data: bytes = field(repr=False)
    statement: Statement
    number: int
    """how many were dropped before: names the widgets"""


def take(name: str, data: bytes, book: Book | None) -> bool:
    """Keep a dropped file when it is a statement that could go into the open book; whether it is one.

    A CSV is never a book: why it cannot be read is said as well.
    """
    spreadsheet = Path(name).suffix.lower() in (".xlsx", ".xls")
    if book is None or book.read_only or book.tables:
        if not spreadsheet:
            st.session_state[STATEMENT] = (
                f"{name} is a table of text. Open a Munshi book first; then its transactions can be brought into it."
            )
        return not spreadsheet
    if spreadsheet and _is_book(data, name):
        return False
    try:
        statement = desk.workbench().read_statement(data, name)
    except BookRefused as refused:
        if not spreadsheet:
            st.session_state[STATEMENT] = str(refused)
        return not spreadsheet
    number = st.session_state.get(UPLOADS, 0) + 1
    st.session_state[UPLOADS] = number
    st.session_state[STATEMENT] = Dropped(name, data, statement, number)
    return True


def _is_book(data: bytes, name: str) -> bool:
    """Whether a workbook is a book in Munshi's own layout, mended or not."""
    try:
        open_book(Workbook(data, name))
    except BookRefused:
        return False
    return True


def forget() -> None:
    """Put the statement aside."""
    st.session_state.pop(STATEMENT, None)


def show(thread: str, *, card_open: bool, elsewhere: bool = False) -> None:
    """What waits to be brought in, with the ways it can go. `card_open`: another card must be settled first."""
    dropped = st.session_state.get(STATEMENT)
    if isinstance(dropped, str):
        st.error(literal(dropped), icon=":material/error:")
        st.button("Close", type="tertiary", key="statement-close", on_click=forget)
        return
    opened = desk.opened_book()
    if not isinstance(dropped, Dropped) or not isinstance(opened, Opened):
        return
    key = f"statement-{dropped.number}"
    with st.container(border=True, key="statement-card"):
        with line(wrap=True):
            name = literal(shortened(dropped.name, 40))
            st.markdown(f"**Bring {name} into {literal(opened.book.name)}?**", width="content")
            st.badge("Not saved yet", icon=":material/hourglass_empty:", color="orange")
        statement = _settled(dropped, key)
        if isinstance(statement, str):
            st.error(literal(statement))
            _other_buttons(dropped, key)
            return
        mode = _mode(statement, key)
        taken = _held(statement, mode)
        if isinstance(taken, str):
            st.error(literal(taken))
        elif taken:
            _told(taken)
        _buttons(
            dropped, taken if isinstance(taken, Taken) else None, thread, key, card_open=card_open, elsewhere=elsewhere
        )


def show_elsewhere() -> None:
    """On another page than the conversation: what waits; brought in, its card stands in a new conversation."""
    if thread := st.session_state.pop(BROUGHT, None):
        st.switch_page("../pages/chat.py", query_params={"c": thread})
    if STATEMENT in st.session_state:
        show("", card_open=False, elsewhere=True)


# the parts


def _settled(dropped: Dropped, key: str) -> Statement | str:
    """The statement as a person settles what it does not say; a known bank's says everything."""
    statement = dropped.statement
    if not statement.asked:
        return statement
    roles: dict[StatementRole, int] = {}
    if not statement.known:
        st.caption("Its columns are not those of a bank I know. See that each is what it says.")
        places = {caption: at for at, caption in statement.captions.items() if caption}
        names = [_NOT_READ, *places]
        with st.grid(3, min_column_width=150):
            for role, title in _ROLE_NAMES.items():
                at = statement.roles.get(role)
                chosen = st.selectbox(
                    title,
                    names,
                    index=names.index(statement.captions[at]) if at is not None and statement.captions.get(at) else 0,
                    format_func=literal,
                    key=f"{key}-role-{role}",
                )
                if (place := places.get(chosen)) is not None:
                    roles[role] = place
    day_first, positive = None, None
    if statement.order in ("either", "both"):
        order = st.segmented_control(
            "Dates such as 03/04 begin with the",
            ("day", "month"),
            default="day",
            required=True,
            key=f"{key}-order",
        )
        day_first = order == "day"
    if statement.sign_asked:
        positive = st.segmented_control(
            "Its amounts are all above zero. They are",
            tuple(_SIGNS),
            default="DEBIT",
            required=True,
            format_func=lambda code: _SIGNS[code],
            key=f"{key}-sign",
        )
    try:
        return desk.workbench().read_statement(dropped.data, dropped.name, Said(roles, day_first, positive))
    except BookRefused as refused:
        return str(refused)


def _mode(statement: Statement, key: str) -> Mode | None:
    """Where its money is kept: as said of this account before, or as its bank says; otherwise asked."""
    account = f" · account ending {literal(statement.account)}" if statement.account else ""
    return cast(
        "Mode | None",
        st.segmented_control(
            f"This money is kept in{account}",
            MODES,
            default=desk.workbench().statement_mode(statement),
            format_func=mode_name,
            key=f"{key}-mode",
        ),
    )


def _held(statement: Statement, mode: Mode | None) -> Taken | str | None:
    if mode is None:
        st.caption("Choose where its money is kept, and I compare it with the book.")
        return None
    try:
        return desk.workbench().hold_statement(statement, mode)
    except BookRefused as refused:
        return str(refused)


def _told(taken: Taken) -> None:
    """What was found, and the first of the new transactions."""
    st.markdown("  \n".join(literal(each) for each in told(taken)))
    if taken.new:
        today = desk.today()
        with st.expander(f"The first of the new ones · {len(taken.new):,}", type="compact", key="statement-new"):
            table(
                ("Date", "Description", "Amount ₹", "Category"),
                [
                    (
                        day_text(draft.date, today),
                        sentence(draft.description),
                        signed(draft.amount, draft.direction),
                        draft.category or "None",
                    )
                    for _, draft in taken.new[:ROWS_SHOWN]
                ],
                alt="The first of the new transactions",
                key="statement-new-rows",
            )


def _buttons(dropped: Dropped, taken: Taken | None, thread: str, key: str, *, card_open: bool, elsewhere: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        count = len(taken.new) if taken else 0
        st.button(
            f"Review {count:,} {'entry' if count == 1 else 'entries'}" if count else "Nothing new to bring in",
            type="secondary" if card_open else "primary",
            key=f"{key}-import",
            disabled=not count or card_open,
            help="Save or cancel the open card first" if card_open else None,
            on_click=_import,
            args=(taken, thread, elsewhere),
        )
        _aside(dropped, key)


def _other_buttons(dropped: Dropped, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        _aside(dropped, key)


def _aside(dropped: Dropped, key: str) -> None:
    if Path(dropped.name).suffix.lower() in (".xlsx", ".xls"):
        st.button("Open it as a book", key=f"{key}-open", on_click=_open_as_book, args=(dropped,))
    st.button("Not now", type="tertiary", key=f"{key}-decline", on_click=forget)


def _open_as_book(dropped: Dropped) -> None:
    from frame import books

    forget()
    st.session_state[books.OFFERED] = books.offer(dropped.name, dropped.data, desk.today())


def _import(taken: Taken, thread: str, elsewhere: bool) -> None:  # noqa: FBT001  a callback has no names
    forget()
    bench = desk.workbench()
    thread = thread or bench.new_conversation()
    bench.import_statement(taken, thread)
    if elsewhere:
        st.session_state[BROUGHT] = thread
    else:
        st.query_params["c"] = thread
