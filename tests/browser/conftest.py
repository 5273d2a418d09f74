"""A real server on a free port with a home of its own, and a real browser looking at it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return !!app && app.getAttribute('data-test-connection-state') === 'CONNECTED'
    && app.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-testid=stSkeleton],[data-testid=stAppSkeleton]');
}"""


@dataclass
class Served:
    """A running workbench: its address and its home folder."""

    url: str
    home: Path
    restart: Callable[[], None]
    """kill it without a word, and start it anew on the same port and home"""


@dataclass
class Seen:
    """What the browser complained of and asked for."""

    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


def chromium() -> str:
    """The path of a Chromium; skips where there is none."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    return found


def wait_idle(page, seconds: float = 20) -> None:
    """Until the page is connected and no script has run for a moment."""
    end, quiet = time.monotonic() + seconds, None
    while time.monotonic() < end:
        if page.evaluate(IDLE):
            quiet = quiet or time.monotonic()
            if time.monotonic() - quiet > 0.2:
                return
        else:
            quiet = None
        page.wait_for_timeout(40)
    pytest.fail(f"the page was not idle after {seconds} s")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Served]:
    """A server of this module's own; a module's `prepare(home)` fills its home first."""
    chromium()
    home = tmp_path_factory.mktemp("served") / "home"
    getattr(request.module, "prepare", lambda _home: None)(home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (home.parent / "server.log").open("w+")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    environment = {**os.environ, "MUNSHI_HOME": str(home), "MUNSHI_BOOK": ""}
    url = f"http://127.0.0.1:{port}"
    servers: list[subprocess.Popen] = []

    def start() -> None:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
        servers.append(server)
        for _ in range(300):
            if server.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{url}/healthz", timeout=2).close()
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                return
        log.seek(0)
        pytest.fail(f"the server did not start: {log.read()[-2000:]}")

    def restart() -> None:
        servers[-1].kill()
        servers[-1].wait(10)
        start()

    try:
        start()
        yield Served(url, home, restart)
    finally:
        servers[-1].terminate()
        servers[-1].wait(10)
        log.close()


@pytest.fixture(scope="module")
def browser(served: Served) -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def open_page(browser, served: Served, seen: Seen) -> Iterator[object]:
    """Opens a path of the workbench: `open_page("/?c=t1", width=390)`."""
    contexts = []

    def opened(path: str = "/", width: int = 1280, height: int = 850, dark: bool = False):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda told: seen.errors.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((served.url, served.url.replace("http", "ws"), "data:", "blob:"))
                else seen.outside.append(asked.url)
            ),
        )
        page.goto(f"{served.url}{path}", wait_until="domcontentloaded")
        wait_idle(page)
        return page

    opened.idle = wait_idle
    yield opened
    for context in contexts:
        context.close()
