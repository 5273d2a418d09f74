"""The cards of the Settings page: a subject each, what it is at the left, its control at the right."""

import tempfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from agent import HomeRefused, PersonRefused, Settings, Workbench, person_of
from frame import desk
from frame.escape import literal
from ledger.budget import CUT_PERCENT, Profile
from money import parse_amount, rupees, whole_rupees

PROFILES: dict[Profile, str] = {"conservative": "Conservative", "balanced": "Balanced", "aggressive": "Aggressive"}
NO_GOAL, A_MONTH, BY_A_DAY = "None", "So much a month", "An amount by a day"
_SHARES = (5, 7)


def show_person(bench: Workbench, today: date) -> None:
    """The name, how bold advice is, and the savings goal; kept together on Save."""
    kept = bench.person()
    with st.container(border=True, key="settings-person", gap="medium"):
        st.markdown("**You**")
        right = _row("Name", "Stands beside what you write in the history of your book. Leave it empty if you like.")
        name = right.text_input("Name", kept.name, max_chars=60, label_visibility="collapsed")
        cuts = ", ".join(f"{PROFILES[each].lower()} {percent}%" for each, percent in CUT_PERCENT.items())
        right = _row("Advice", f"How much less of a category is recommended: {cuts}.")
        profile = right.segmented_control(
            "Advice",
            list(PROFILES),
            default=kept.profile,
            format_func=PROFILES.__getitem__,
            label_visibility="collapsed",
        )
        right = _row("Savings goal", "Is kept back before Munshi says what is safe to spend.")
        kinds = [NO_GOAL, A_MONTH, BY_A_DAY]
        kind = right.selectbox(
            "Savings goal", kinds, _kind_number(kept.goal_amount, kept.goal_by), label_visibility="collapsed"
        )
        amount, by = "", None
        if kind != NO_GOAL:
            was = rupees(kept.goal_amount) if kept.goal_amount else ""
            amount = right.text_input("Amount in ₹", was, placeholder="₹10,000 or 5 lakh")
        if kind == BY_A_DAY:
            by = right.date_input("By", kept.goal_by or date(today.year + 1, today.month, 1), min_value=today)
        if kept.goal:
            right.caption(literal(f"Now {whole_rupees(kept.put_aside(today))} a month are kept back."))
        if st.button("Save", type="primary", key="settings-save"):
            try:
                bench.set_person(
                    person_of(name=name, profile=profile or kept.profile, **_goal(bench, kind, amount, by, today))
                )
                st.session_state["settings-saved"] = True
                st.rerun()
            except PersonRefused as refused:
                st.error(literal(f"{refused} Nothing was saved."))
    if st.session_state.pop("settings-saved", False):
        st.toast("Saved. The next message counts on it.", icon=":material/check:")


def show_places(bench: Workbench) -> None:
    """Where everything is kept, and a copy of it."""
    settings = bench.settings
    book = bench.book()
    with st.container(border=True, key="settings-places", gap="medium"):
        st.markdown("**Where things are kept**")
        _row("Budget book", "The file you chose; Munshi writes only there.").markdown(
            literal(str(book.path) if book else "None is open.")
        )
        _row("Munshi's folder", "Conversations, versions of your books, unsaved changes.").markdown(
            literal(str(settings.home.resolve()))
        )
        _row("Database", "Conversations and how each answer came about.").markdown(
            "The one named by MUNSHI_DATABASE_URL." if settings.database_url else "A file in Munshi's folder."
        )
        right = _row("Backup", "Everything in that folder as one file. A book that lies elsewhere is not in it.")
        _backup(bench, right)
        st.caption(
            "Nothing leaves this machine. To delete everything, stop Munshi first: the README says how to erase it. "
            "Books that lie elsewhere stay."
        )


def show_environment() -> None:
    """What the environment can say, and whether it does: no value is shown, for it may be secret."""
    with st.container(border=True, key="settings-environment", gap="small"):
        st.markdown("**Set by the environment**")
        st.caption("Read when Munshi starts. The file .env.example says what each is for.")
        for setting in Settings.described():
            right = _row(setting.name, setting.what[:1].upper() + setting.what[1:])
            right.badge("set", color="green") if setting.is_set else right.badge("not set", color="gray")


def _row(label: str, caption: str) -> DeltaGenerator:
    """A subject at the left; gives the place for its control."""
    left, right = st.columns(_SHARES, vertical_alignment="center", gap="xsmall")
    with left.container(gap=None):
        st.markdown(literal(label))
        st.caption(literal(caption))
    return right


def _kind_number(amount: Decimal | None, by: date | None) -> int:
    if amount is None:
        return 0
    return 1 if by is None else 2


def _goal(bench: Workbench, kind: str, amount_text: str, by: date | None, today: date) -> dict[str, object]:
    """The fields of the goal as typed. Raises PersonRefused."""
    if kind == NO_GOAL:
        return {}
    amount = parse_amount(amount_text) if amount_text.strip() else None
    if amount is None or amount <= 0:
        raise PersonRefused("The savings goal needs an amount above 0, like ₹10,000 or 5 lakh.")
    if kind == A_MONTH:
        return {"goal_amount": amount}
    was = bench.person()
    same = was.goal_by == by and was.goal_amount == amount
    return {"goal_amount": amount, "goal_by": by, "goal_since": was.goal_since if same and was.goal_since else today}


def _backup(bench: Workbench, place: DeltaGenerator) -> None:
    """Made on the first press, kept for the download: a backup may be large."""
    if "settings-backup" not in st.session_state:
        if place.button("Make a backup", icon=":material/archive:", key="settings-make-backup"):
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "munshi.zip"
                try:
                    bench.back_up(target)
                except HomeRefused as refused:
                    place.error(literal(str(refused)))
                    return
                st.session_state["settings-backup"] = target.read_bytes()
            st.rerun()
        return
    place.download_button(
        "Download the backup",
        st.session_state["settings-backup"],
        f"munshi-{desk.today():%Y-%m-%d}.zip",
        "application/zip",
        icon=":material/download:",
        on_click="ignore",
        key="settings-take-backup",
    )
