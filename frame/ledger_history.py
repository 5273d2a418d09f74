"""The Ledger's history: a row a write with its Undo, and the versions that can be put back."""

from datetime import date

import streamlit as st

from frame import press, waiting
from frame.escape import literal
from frame.look import cell_text, line, moment_text
from ledger.store import BookStore
from ledger.trail import TrailLine, trail
from money import rupees

ROWS_SHOWN = 25
LOOKED_AT = 6
"""so many Undo buttons say beforehand why they cannot be pressed; a later one says so when it is pressed"""

CELLS_SHOWN = 3
VERSIONS_SHOWN = 10
RESTORING = "ledger-restoring"
MORE = "ledger-history-more"
WHO = {"chat": "Chat", "ledger": "Ledger"}


def show(store: BookStore, sha256: str, today: date) -> None:
    """Every write, the newest first; then the versions. `sha256` names the book as it is now."""
    if refused := st.session_state.get(waiting.REFUSED):
        st.error(literal(refused))
    lines = trail(store.history())
    if not lines:
        with st.container(border=True, key="ledger-history"), st.container(gap=None):
            st.markdown("**Nothing was saved through Munshi yet.**")
            st.caption("Each save stands here with its cells, and can be taken back.")
        return
    shown = ROWS_SHOWN * (1 + st.session_state.get(MORE, 0))
    with st.container(border=True, key="ledger-history", gap="small"):
        for number, each in enumerate(lines[:shown]):
            _show_line(store, each, number, sha256=sha256, today=today)
    if len(lines) > shown:
        st.button(f"Show earlier · {len(lines) - shown}", type="tertiary", key="ledger-history-earlier", on_click=_more)
    st.caption("Undo puts back what a change replaced. Every version of the book is kept.")
    _show_versions(store, today)


def _show_line(store: BookStore, each: TrailLine, number: int, *, sha256: str, today: date) -> None:
    entry = each.line
    cells = " ".join(cell_text(cell) for cell in entry.facts.cells[:CELLS_SHOWN])
    more = f" and {len(entry.facts.cells) - CELLS_SHOWN} more" if len(entry.facts.cells) > CELLS_SHOWN else ""
    said = (
        moment_text(entry.at.isoformat(), today),
        literal(WHO.get(entry.who, entry.who)),
        *([f"{cells}{more}"] if cells else []),
    )
    what = entry.facts.what
    with line():
        with st.container(gap=None):
            st.markdown(literal(what[:1].upper() + what[1:]))
            st.caption(" · ".join(said))
        with st.container(horizontal=True, vertical_alignment="center", width="content", wrap=False):
            st.markdown("" if each.moved is None else literal(rupees(each.moved, sign=True)), width="content")
            if each.state == "standing":
                why = waiting.undo_refusal(store, sha256, entry.request) if number < LOOKED_AT else None
                press.button(
                    "Undo",
                    key=f"ledger-undo-{number}",
                    disabled=bool(why),
                    help=literal(why) if why else None,
                    on_click=waiting.undo,
                    args=(store, entry.request),
                )
            elif each.state != "undo":
                st.badge("Undone" if each.state == "undone" else "Not made", color="gray")


def _show_versions(store: BookStore, today: date) -> None:
    versions = store.versions()
    if not versions:
        return
    with st.expander(f"Earlier versions · {len(versions)}", type="compact", key="ledger-versions"):
        for number, version in enumerate(versions[:VERSIONS_SHOWN]):
            with line():
                with st.container(gap=None):
                    st.markdown(f"Until {moment_text(version.at.isoformat(), today)}")
                    st.caption(f"before {literal(version.why)} · {version.size:,} bytes · {version.sha256[:8]}")
                press.button("Restore", key=f"ledger-restore-{number}", on_click=_ask, args=(version.sha256,))
            if st.session_state.get(RESTORING) == version.sha256:
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown("Put this version in the book's place? What is there now is kept too.", width="content")
                    press.button(
                        "Restore it", key="ledger-restore-yes", on_click=_restore, args=(store, version.sha256)
                    )
                    press.button("Keep the book", key="ledger-restore-no", type="tertiary", on_click=_ask, args=("",))
        if len(versions) > VERSIONS_SHOWN:
            st.caption(f"{len(versions) - VERSIONS_SHOWN} older ones are kept too.")


def _ask(version: str) -> None:
    st.session_state[RESTORING] = version


def _restore(store: BookStore, version: str) -> None:
    _ask("")
    waiting.restore(store, version)


def _more() -> None:
    st.session_state[MORE] = st.session_state.get(MORE, 0) + 1
