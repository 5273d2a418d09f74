"""The changes that wait: what each does to its cell, what follows from them, and Save or Discard.

Above it stands what somebody else did to the book meanwhile; below a save, what was saved and where.
"""

from datetime import date

import streamlit as st

from frame import ledger_issues, press, waiting
from frame.escape import JOINER, literal
from frame.look import ARROW, cell_text, line, moment_text, sentence, signed
from frame.waiting import Waiting
from ledger import pending as changing
from ledger.changes import Plan
from ledger.entries import MODE_NAMES, Book, Entry, Mode
from ledger.pending import Line, Pending
from ledger.store import BookStore
from money import day_text, rupees

LINES_SHOWN = 8
DIFFERENCES_SHOWN = 4


def show(store: BookStore, current: Waiting, today: date, *, with_saved: bool = True) -> None:
    """Everything about changes, in the order one needs to read it; nothing when there is none.

    Where `with_saved` is off, the last save is shown elsewhere.
    """
    _show_moved(store, today)
    if gone := waiting.taken_elsewhere():
        st.info(f"{_changes(gone)} of this window {'was' if gone == 1 else 'were'} taken over in another one.")
    for number, offer in enumerate(waiting.offers(store)):
        _show_offer(store, offer, number, today)
    for path, count in waiting.others(store):
        st.info(f"{_changes(count)} for {literal(path.name)} still wait. Open it to save or discard them.")
    if len(current.pending):
        _show_card(store, current, today)
    elif with_saved and (refused := st.session_state.get(waiting.REFUSED)):
        st.error(literal(refused))
    elif with_saved and (saved := waiting.last_saved(store)):
        _show_saved(store, saved, current.book.sha256)


def _show_offer(store: BookStore, offer: waiting.Offer, number: int, today: date) -> None:
    """What was typed before a reload, a restart, or in another window: taken up again or dropped."""
    with st.container(border=True, key=f"ledger-offer-{number}"), line(wrap=True):
        with st.container(gap=None, width="content"):
            st.markdown(
                f"**{_changes(len(offer.pending))} not saved, from {moment_text(offer.at.isoformat(), today)}**"
            )
            st.caption("Typed before this page was opened, or in another window.")
        with st.container(horizontal=True, width="content"):
            press.button(
                "Discard",
                key=f"ledger-offer-drop-{number}",
                type="tertiary",
                on_click=waiting.drop_offer,
                args=(store, offer),
            )
            press.button("Review", key=f"ledger-offer-take-{number}", on_click=waiting.take, args=(store, offer))


def _show_card(store: BookStore, current: Waiting, today: date) -> None:
    problems = changing.problems(current.pending)
    planned = waiting.plan(store, current) if not problems else ""
    refused = st.session_state.get(waiting.REFUSED) or (
        planned if isinstance(planned, str) else _overdrawn(planned, current.book)
    )
    count = len(current.pending)
    with st.container(border=True, key="ledger-changes", gap="small"):
        with line(wrap=True):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.markdown(f"**{_changes(count)} not saved**", width="content")
                st.badge("Book untouched", icon=":material/lock:", color="gray")
            with st.container(horizontal=True, width="content"):
                st.button("Discard", type="tertiary", key="ledger-discard", on_click=waiting.discard, args=(store,))
                st.button(
                    _save_label(current.pending),
                    type="primary",
                    key="ledger-save",
                    disabled=bool(problems) or isinstance(planned, str) or bool(planned.overdrafts),
                    on_click=waiting.save,
                    args=(store, current),
                )
        for problem in problems:
            st.error(literal(problem.sentence))
        if len(current.pending.fixes) not in (0, count):
            st.caption("Mended cells are saved first, as one write. The other changes wait on for a save of their own.")
        if not current.pending.fixes and current.book.differences and not current.book.differences_accepted:
            ledger_issues.show_differences(store, current.book, "card")
        elif refused and not problems:
            st.error(literal(refused))
        lines = changing.lines(current.pending)
        with st.container(gap="xsmall"):
            for number, each in enumerate(lines[:LINES_SHOWN]):
                _show_line(store, each, number, today)
        if len(lines) > LINES_SHOWN:
            with st.expander(f"{len(lines) - LINES_SHOWN} more", type="compact", key="ledger-more-changes"):
                for number, each in enumerate(lines[LINES_SHOWN:], LINES_SHOWN):
                    _show_line(store, each, number, today)
        if isinstance(planned, Plan) and not planned.overdrafts:
            said = changing.consequences(planned)
            if said:
                st.caption(literal(" · ".join(said)).replace("−", f"−{JOINER}"))


def _show_line(store: BookStore, each: Line, number: int, today: date) -> None:
    cell = f"{cell_text(each.cell)} " if each.cell else ""
    about = [literal(sentence(each.description))] if each.description else []
    about += [day_text(each.day, today)] if each.day else []
    what = " · ".join([*about, *([literal(each.what)] if each.what else [])])
    before = f":gray[~~{literal(each.before)}~~]" if each.before else ""
    after = f"**{literal(each.after)}**" if each.after else ""
    both = f" :gray[{ARROW}] " if before and after else ""
    with line(wrap=True, gap="xsmall"):
        st.markdown(f"{cell}:small[{what}]" if what else cell, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", wrap=False, gap="xsmall"):
            st.markdown(f":small[{before}{both}{after}]", width="content")
            st.button(
                "",
                icon=":material/close:",
                type="tertiary",
                help="Leave this change out",
                key=f"ledger-drop-{number}",
                on_click=_drop,
                args=(store, each),
            )


def _drop(store: BookStore, each: Line) -> None:
    waiting.change(store, lambda pending: changing.dropped(pending, each))


def _show_moved(store: BookStore, today: date) -> None:
    """What another program, tab or conversation did to the book while changes waited here."""
    moved: waiting.Moved | None = st.session_state.get(waiting.MOVED)
    if moved is None or moved.book != store.path:
        return
    when = f" at {moment_text(moved.at.isoformat(), today)}" if moved.at else ""
    came, went = moved.differences.came, moved.differences.went
    with st.container(border=True, key="ledger-moved", gap="small"):
        with line(wrap=True):
            st.markdown(f"**This book was changed{when}, not by this page**", width="content")
            st.button("I have seen it", type="tertiary", key="ledger-moved-seen", on_click=_seen)
        for issue in moved.fixes_lost:
            st.warning(f"{cell_text(issue.cell)} reads differently now, so what you typed for it was left out.")
        if moved.lost:
            st.warning(
                "These rows read differently now, so your changes of them were left out. Type them again if you still "
                "want them."
            )
            for lost in moved.lost:
                now = f"now reads {_row(lost.now, today)}" if lost.now else "is not there any more"
                st.markdown(f"{cell_text(lost.was.cells)} {_row(lost.was, today)} {now}")
        elif not moved.fixes_lost:
            st.caption("Your changes still fit. Review them and save.")
        for sign, entries in (("Now in the book", came), ("No longer in it", went)):
            if entries:
                more = f" and {len(entries) - DIFFERENCES_SHOWN} more" if len(entries) > DIFFERENCES_SHOWN else ""
                rows = ", ".join(_row(entry, today) for entry in entries[:DIFFERENCES_SHOWN])
                st.caption(f"{sign}: {rows}{more}")


def _seen() -> None:
    st.session_state.pop(waiting.MOVED, None)


def _row(entry: Entry, today: date) -> str:
    amount = literal(signed(entry.amount, entry.direction))
    return f"{literal(sentence(entry.description))} {amount} of {day_text(entry.date, today)}"


def _show_saved(store: BookStore, saved: waiting.Saved, book: str) -> None:
    """What was saved and where, until the next change."""
    cells = saved.receipt.cells
    with st.container(border=True, key="ledger-saved", gap="xsmall"):
        with line(wrap=True):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.markdown(f"**{_changes(saved.count)} saved**", width="content")
                st.badge("Saved", icon=":material/check:", color="green")
            request = saved.receipt.request
            if waiting.undo_refusal(store, book, request) is None:
                st.button(
                    "Undo", type="tertiary", key="ledger-saved-undo", on_click=waiting.undo, args=(store, request)
                )
        where = " ".join(cell_text(cell) for cell in cells[:LINES_SHOWN])
        more = f" and {len(cells) - LINES_SHOWN} more" if len(cells) > LINES_SHOWN else ""
        notes = " · ".join(literal(note) for note in saved.receipt.notes)
        if where or notes:
            st.caption(f"{where}{more}{' · ' if where and notes else ''}{notes}")


def _overdrawn(plan: Plan, book: Book) -> str:
    """The three figures of each mode the changes would take below zero; empty when none."""
    return " ".join(
        f"{MODE_NAMES[short.mode]} has {rupees(short.has)}, these need {rupees(short.needs)}: "
        f"{rupees(short.short)} short. {_way_out(short.mode, book)}"
        for short in plan.overdrafts
    )


def _way_out(mode: Mode, book: Book) -> str:
    if book.openings.get(mode) is not None:
        return "Change an amount or a mode."
    return (
        f"The book does not say what {MODE_NAMES[mode]} opened with: type it under More, Opening balances. It stands "
        f"in {book.opening_cells[mode]}."
    )


def _save_label(pending: Pending) -> str:
    fixes = len(pending.fixes)
    if fixes in (0, len(pending)):
        return f"Save {_changes(len(pending))}"
    return "Save the mended cell" if fixes == 1 else f"Save {fixes} mended cells"


def _changes(count: int) -> str:
    return "1 change" if count == 1 else f"{count} changes"
