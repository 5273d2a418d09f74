"""How a page is put together: its width, its head, rows, tiles, tables, and how modes, signs and descriptions read.

Every `label` and text given to these is Markdown: text from outside goes through `frame.escape.literal` first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import cast

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from frame.escape import literal
from ledger import entries
from money import day_text, rupees

PAGE_WIDTH = 1180
ROW_HEIGHT = 32
HEADER_HEIGHT = 35
LETTER, CELL_PADDING = 7, 18
"""pixels a letter of a cell's name takes in a table, and the empty sides of a column"""

ARROW = "→"
CODE_LETTERS = 40
"""a longer name of cells is a sentence and is not set as code"""

_TAG = re.compile(r"\[[^\[\]]+\]")


def is_dark() -> bool:
    """Whether the visitor looks at the dark theme."""
    return st.context.theme.type == "dark"


@contextmanager
def centred(width: int = PAGE_WIDTH) -> Iterator[None]:
    """A column of at most `width` pixels in the middle of a wide page."""
    with st.container(horizontal=True, horizontal_alignment="center"), st.container(width=width):
        yield


@contextmanager
def line(*, wrap: bool = True, gap: str | None = "small") -> Iterator[None]:
    """A line whose first thing stands left and whose last stands right; what does not fit beside goes under.

    Without `wrap` it is one line that scrolls: what does not fit is cut, and the keyboard stops at it.
    """
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        wrap=wrap,
        gap=gap,  # type: ignore[arg-type]
    ):
        yield


def row(left: str, right: str) -> None:
    """A word at the left edge, its figure at the right."""
    with line(gap="xsmall"):
        st.markdown(left, width="content")
        st.markdown(right, width="content")


def head(title: str, scope: str) -> DeltaGenerator:
    """A page's title with its line of scope; actions go into the container given back, which drops under on a phone."""
    with line(wrap=True):
        with st.container(width="content", gap=None):
            st.title(title, anchor=False)
            st.caption(scope)
        return st.container(horizontal=True, width="content")


def tile(
    label: str, value: str, note: str = "", *, change: str = "", change_on: str = "", more_is_worse: bool = False
) -> None:
    """A figure in a box. `note` explains it in under ten letters; `change` is a true change, with its arrow."""
    st.metric(
        label,
        value,
        delta=change or note or None,
        delta_color="off" if not change else "inverse" if more_is_worse else "normal",
        delta_arrow="auto" if change else "off",
        delta_description=change_on or None,
        border=True,
        height="stretch",
    )


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, alt: str, key: str, most: int = 10) -> None:
    """Ready text as a table: columns with ₹ stand right, the first is pinned, more than `most` rows scroll."""
    if not rows:
        return
    shown = pd.DataFrame([list(cells) for cells in rows], columns=list(columns), dtype="string")
    st.dataframe(
        shown,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=HEADER_HEIGHT + ROW_HEIGHT * min(len(rows), most) + 2,
        column_config={
            column: st.column_config.TextColumn(
                column,
                alignment="right" if "₹" in column else "left",
                pinned=position == 0 and len(columns) > 4,
                width=CELL_PADDING + LETTER * max(len(cells[position]) for cells in rows) if column == "Cell" else None,
            )
            for position, column in enumerate(columns)
        },
        key=key,
        alt=alt,
    )


def mode_name(mode: str) -> str:
    """A mode as people say it: `MONEY` is Cash."""
    return cast("Mapping[str, str]", entries.MODE_NAMES).get(mode, mode.capitalize())


def signed(amount: Decimal, direction: str) -> str:
    """An amount with the sign its direction gives it: −₹500.00 out, +₹500.00 in."""
    return rupees(-amount) if direction == "DEBIT" else rupees(amount, sign=True)


def sentence(description: str) -> str:
    """A stored description in sentence case, its tags as they are: `TEAM LUNCH [PARTY]` is `Team lunch [PARTY]`."""
    if not description.isupper():
        return description[:1].upper() + description[1:]
    return _TAG.sub(lambda tag: tag.group().upper(), description.capitalize())


def cell_text(cell: str) -> str:
    """A cell's name as code, without the file's: `NOVEMBER!C17:J17`."""
    name = cell.rsplit("#", 1)[-1]
    return literal(name) if "`" in name or len(name) > CODE_LETTERS else f"`{name}`"


def entries_words(count: int) -> str:
    """`1 entry`, `9 entries`."""
    return "1 entry" if count == 1 else f"{count:,} entries"


def moment_text(iso: str, today: date) -> str:
    """An ISO time as `18:04` of today, or `28 Nov, 18:04`."""
    moment = datetime.fromisoformat(iso)
    clock = f"{moment:%H:%M}"
    return clock if moment.date() == today else f"{day_text(moment.date(), today)}, {clock}"


def shortened(text: str, most: int) -> str:
    """At most that many letters, the last one an ellipsis where something was left out."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
