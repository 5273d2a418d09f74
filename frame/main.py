"""The window: page settings, logo, sidebar and menu around the page that is open."""

from pathlib import Path
from typing import Literal, NamedTuple

import streamlit as st

from agent import SettingsRefused
from frame import books, confirm_book, desk, sidebar
from frame.escape import literal
from frame.look import is_dark

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "frame" / "static"


class Screen(NamedTuple):
    """A page of the menu."""

    file: str
    title: str
    icon: str
    layout: Literal["centered", "wide"] = "wide"
    """a conversation is centred: only then does its message box follow it to the bottom"""


PAGES = (
    Screen("chat.py", "Chat", ":material/chat_bubble:", "centered"),
    Screen("ledger.py", "Ledger", ":material/table_rows:"),
    Screen("settings.py", "Settings", ":material/settings:"),
)
"""The menu, in order; the first is where one arrives."""

st.set_page_config(page_title="Munshi", page_icon="📒")
menu = st.navigation(
    [
        st.Page(ROOT / "pages" / page.file, title=page.title, icon=page.icon, default=number == 0)
        for number, page in enumerate(PAGES)
    ]
)
st.set_page_config(layout=next(page.layout for page in PAGES if page.title == menu.title))
st.logo(
    STATIC / ("logo_dark.svg" if is_dark() else "logo_light.svg"),
    icon_image=STATIC / "mark.svg",
)
try:
    desk.workbench()
except SettingsRefused as refused:
    st.error(literal(str(refused)))
    st.stop()
opened = desk.opened_book()
with st.sidebar:
    books.show_chooser(opened)
    if not isinstance(opened, desk.NoBook):
        sidebar.show_balances(opened.book, desk.today())
confirm_book.show()
menu.run()
if desk.fingerprint(desk.opened_book()) != desk.fingerprint(opened):
    st.rerun()  # a turn that the page waited for has written: the sidebar above still shows the book as it was
