"""Buttons whose press is never lost.

After the server restarted, a page that stands open comes back with a new session, and its first press arrives before
that session has drawn anything: Streamlit then knows no callback for it and calls none. Here such a press is acted on
when the button is drawn.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

DRAWN = "drawn-before"


def drawn_before(key: str) -> bool:
    """Whether this session has drawn that widget in an earlier run, and so has called its callback itself."""
    known: set[str] = st.session_state.setdefault(DRAWN, set())
    before = key in known
    known.add(key)
    return before


def button(label: str, *, key: str, on_click: Callable[..., None], args: tuple[Any, ...] = (), **options: Any) -> None:
    """`st.button` with a callback that is called for every press, the first one of a session included."""
    before = drawn_before(key)
    if st.button(label, key=key, on_click=on_click, args=args, **options) and not before:
        on_click(*args)
        st.rerun()
