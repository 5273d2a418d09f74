"""The one place that asks what time it is. Everything else is told."""

from collections.abc import Callable
from datetime import date, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Now, in the zone of this machine."""
    return datetime.now().astimezone()  # noqa: TID251  the one reader of the clock


def clock_on(day: date, clock: Clock = system_clock) -> Clock:
    """A clock whose day is always `day` and whose time of day runs on."""

    def told() -> datetime:
        return clock().replace(year=day.year, month=day.month, day=day.day)

    return told
