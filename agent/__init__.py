"""The conversation: what a message means, what is done about it, and how that is told.

    with Workbench.open(Settings.read()) as workbench:
        turn = workbench.ask("spent 500 on groceries via phonepe", thread="t1")

Everything another part or a program needs is named here.
"""

from agent.clock import Clock, clock_on, system_clock
from agent.home import HomeRefused
from agent.markdown import escaped, plain_text
from agent.person import Person, PersonRefused, person_of
from agent.settings import Settings, SettingsRefused
from agent.store import ConversationInfo, TraceInfo
from agent.trace import Event, Span
from agent.turn import (
    Action,
    Asked,
    CardItem,
    Change,
    Chart,
    Figure,
    ItemChange,
    Row,
    Source,
    Turn,
    Usage,
    Written,
    turn_from_json,
)
from agent.workbench import RequestReused, Workbench

__all__ = [
    "Action",
    "Asked",
    "CardItem",
    "Change",
    "Chart",
    "Clock",
    "ConversationInfo",
    "Event",
    "Figure",
    "HomeRefused",
    "ItemChange",
    "Person",
    "PersonRefused",
    "RequestReused",
    "Row",
    "Settings",
    "SettingsRefused",
    "Source",
    "Span",
    "TraceInfo",
    "Turn",
    "Usage",
    "Workbench",
    "Written",
    "clock_on",
    "escaped",
    "person_of",
    "plain_text",
    "system_clock",
    "turn_from_json",
]
