"""Serves Munshi: the pages, /healthz, and the headers that keep a browser to this machine.

    streamlit run app.py        starts it on 127.0.0.1

The main script lies in `frame/`, away from `pages/`: beside a folder of that name Streamlit would open a page
without its frame.
"""

import base64
import gc
import hashlib
import importlib
import logging
import re
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.settings import SettingsRefused

_log = logging.getLogger(__name__)

ROOT = Path(__file__).parent
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]

WARM = (
    "pandas",
    "pyarrow",
    "plotly.graph_objects",
    "frame.books",
    "frame.card",
    "frame.charts",
    "frame.entries_table",
    "frame.ledger_figures",
    "frame.ledger_history",
    "frame.pending_card",
    "frame.steps",
)
"""What the first page would otherwise wait for."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]{1,255}")


def content_security_policy(host: str, script_hashes: tuple[str, ...] = ()) -> str:
    """What the browser may load: everything from here, nothing from elsewhere. A page's text can then fetch nothing.

    `host` is the Host header; a strange one gets no socket.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    scripts = "".join(f" '{digest}'" for digest in script_hashes)
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval'{scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "media-src 'self' data: blob:",
            "font-src 'self' data:",
            f"connect-src 'self'{sockets}",
            "worker-src 'self' blob:",
            "frame-src 'self' blob: data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def inline_script_hashes() -> tuple[str, ...]:
    """The hashes of the scripts that stand inside Streamlit's own page, so that they and no other inline script run."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_bytes()
    digests = (hashlib.sha256(script).digest() for script in _INLINE_SCRIPT.findall(page))
    return tuple(f"sha256-{base64.b64encode(digest).decode()}" for digest in digests)


class SecurityHeaders:
    """Puts the security headers on every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.script_hashes = inline_script_hashes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        host = Request(scope).headers.get("host", "")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = content_security_policy(host, self.script_hashes)
            await send(message)

        await self.app(scope, receive, send_with_headers)


async def healthz(_request: Request) -> JSONResponse:
    """Says that the server stands, and which version it is."""
    return JSONResponse({"status": "ok", "version": VERSION})


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Open the workbench and import the heavy modules before the first visitor; close the workbench at the end.

    Streamlit collects garbage after every run while holding the interpreter: what is frozen here is not walked again.
    """
    for name in WARM:
        importlib.import_module(name)
    desk = importlib.import_module("frame.desk")
    try:
        desk.workbench()
    except SettingsRefused as refused:
        _log.error("%s Every page says so until that is mended.", refused)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        with suppress(SettingsRefused):
            desk.workbench().close()


app = st.App(
    ROOT / "frame" / "main.py",
    lifespan=lifespan,
    routes=[Route("/healthz", healthz)],
    middleware=[Middleware(SecurityHeaders)],
)

if __name__ == "__main__":
    app.run()
