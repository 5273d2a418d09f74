"""python -m frame.timed BOOK HOME: how long each step on the Ledger takes its script, without a browser or a network.

Prints a JSON object, seconds by step: opening the page, the whole book, a filter, one cell edited, saved, each view.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter

from streamlit.testing.v1 import AppTest

from agent import Settings, Workbench
from frame import desk

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 120
"""seconds after which a step is given up"""


def measured(book: Path, home: Path) -> Mapping[str, float]:
    """Seconds of each step on that book; Munshi's own files go into `home`."""
    with Workbench.open(Settings.read({}, home=home)) as bench:
        desk.open_workbench = lambda: bench
        desk.workbench.clear()
        began = perf_counter()
        bench.choose_book(book)
        took = {"read the book": perf_counter() - began}
        window = AppTest.from_file(str(ROOT / "frame" / "main.py"), default_timeout=LONGEST)
        window.run()
        for name, step in _steps(window):
            began = perf_counter()
            step()
            took[name] = perf_counter() - began
            if window.exception:
                raise RuntimeError(f"{name}: {window.exception[0].value}")
        return took


def _steps(window: AppTest) -> Iterator[tuple[str, Callable[[], object]]]:
    window.switch_page("../pages/ledger.py")
    yield "open the page", window.run
    yield "whole book", lambda: window.selectbox(key="ledger-month").set_value("Whole book").run()
    yield "filter by text", lambda: window.text_input(key="ledger-text").set_value("milk").run()
    yield "no filter", lambda: window.text_input(key="ledger-text").set_value("").run()
    yield "edit one cell", partial(_edit, window, "777")
    yield "save it", lambda: window.button(key="ledger-save").click().run()
    for name in ("Budget", "History", "Issues"):
        yield f"view {name}", partial(_view, window, name)


def _edit(window: AppTest, amount: str) -> None:
    key = window.session_state["ledger-drawn"].key
    window.session_state[key] = {
        "edited_rows": {7: {"Out ₹": amount, "In ₹": ""}},
        "added_rows": [],
        "deleted_rows": [],
    }
    window.run()


def _view(window: AppTest, name: str) -> None:
    window.segmented_control(key="ledger-view").set_value(name).run()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(Path(sys.argv[1]), Path(sys.argv[2]))) + "\n")
