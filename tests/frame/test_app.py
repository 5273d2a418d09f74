"""The server answers on /healthz and keeps the browser to this machine."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import app as served


async def page(_request: object) -> PlainTextResponse:
    return PlainTextResponse("page")


@pytest.fixture
def client() -> Iterator[TestClient]:
    site = Starlette(
        routes=[Route("/", page), Route("/healthz", served.healthz)],
        middleware=[Middleware(served.SecurityHeaders)],
    )
    with TestClient(site, base_url="http://127.0.0.1:8501") as client:
        yield client


def test_healthz_says_ok_and_the_version(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "version": served.VERSION}


def test_every_answer_has_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/healthz", "/missing"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]


def test_a_page_may_load_and_reach_only_this_server(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self';" in policy
    assert "connect-src 'self' ws://127.0.0.1:8501 wss://127.0.0.1:8501;" in policy
    assert "img-src 'self' data: blob:;" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert "script-src 'self' 'wasm-unsafe-eval' 'sha256-" in policy


def test_a_strange_host_header_gets_no_socket_and_no_other_source() -> None:
    policy = served.content_security_policy("a; script-src *")
    assert "ws:" not in policy
    assert "*" not in policy
