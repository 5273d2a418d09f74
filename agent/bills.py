"""Which bills were offered today, kept for all conversations of a book: each is offered once a day."""

import json
from collections.abc import Callable

_KEY = "bills offered"
_KEPT = 40


class BillsOffered:
    """What was offered, by day, book and bill; `read` and `keep` are where it stands."""

    def __init__(self, read: Callable[[str], str | None], keep: Callable[[str, str], None]) -> None:
        self._read = read
        self._keep = keep

    def told(self) -> tuple[str, ...]:
        """The names that were offered, the latest last."""
        return tuple(json.loads(self._read(_KEY) or "[]"))

    def tell(self, names: tuple[str, ...]) -> None:
        """Remember that these were offered."""
        if names:
            self._keep(_KEY, json.dumps([*self.told(), *names][-_KEPT:]))
