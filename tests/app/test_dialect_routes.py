"""Every dialect at its own paths, over real sockets: what is found there, and in whose words the rest is refused."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx
import pytest

import adapters
from adapters.hub.adapter import Surface
from adapters.hub.errors import BadRequest
from app.embedded import serving
from app.main import create_app
from app.settings import Settings
from app.wiring import surfaces
from tests.app import retold, stub

LIMIT = 2000


@asynccontextmanager
async def gateway(settings: Settings | None = None) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app(settings or Settings(max_body_bytes=LIMIT))
    async with (
        serving(app) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client,
    ):
        yield client


def filled(template: str) -> str:
    """A path that the template stands for."""
    return re.sub(r"\{(\w+)\}", r"some-\1", template)


def shape(value: Any) -> Any:
    """An error's keys, all the way down."""
    if not isinstance(value, dict):
        return None
    return {key: shape(inner) for key, inner in cast(dict[str, Any], value).items()}


FACES = [pytest.param(surface, path, id=path) for surface in surfaces() for path in map(filled, surface.paths)]
CASES: dict[str, tuple[str, Callable[[str], str], bytes, int]] = {
    "no JSON": ("POST", lambda path: path, b"{", 400),
    "no JSON, with a query": ("POST", lambda path: f"{path}?alt=sse&key=k", b"{", 400),
    "too large": ("POST", lambda path: path, b" " * (LIMIT + 1), 413),
    "another method": ("GET", lambda path: path, b"", 405),
    "below": ("GET", lambda path: f"{path}/abc", b"", 404),
    "far below": ("POST", lambda path: f"{path}/abc/cancel?x=y", b"{}", 404),
    "beside": ("POST", lambda path: f"{path}s", b"{}", 404),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("surface", "path"), FACES)
async def test_every_refusal_speaks_the_dialect_of_its_path(surface: Surface, path: str, case: str) -> None:
    method, change, body, status = CASES[case]
    async with gateway() as client:
        answer = await client.request(method, change(path), content=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    assert "x-request-id" in answer.headers
    if case != "beside" or len(surfaces()) == 1:
        assert shape(answer.json()) == shape(surface.encode_error(BadRequest("x", status=status)))


@pytest.mark.parametrize("path", ["/", "/v1/models", "/v1/chat/completions", "/nowhere/at/all", "/healthz"])
async def test_where_a_path_says_nothing_the_first_dialect_speaks(path: str) -> None:
    async with gateway() as client:
        answer = await client.post(path, content=b"{}")
    assert answer.status_code in (404, 405)
    assert shape(answer.json()) == shape(surfaces()[0].encode_error(BadRequest("x")))


@pytest.fixture
def two_dialects(stub_vendors: None, monkeypatch: pytest.MonkeyPatch) -> None:
    vendors = {**stub.VENDORS, "retold": retold.vendor()}
    monkeypatch.setattr(adapters, "names", lambda: tuple(vendors))
    monkeypatch.setattr(adapters, "load", vendors.__getitem__)


@pytest.mark.usefixtures("two_dialects")
@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/retold/answers", "retold"),
        ("/v1/of/me/retold", "retold"),
        ("/v9/of/a%20b/retold", "retold"),
        ("/v1/of/me/elsewhere", "retold"),
        ("/v1/of/me/and/you/retold", "retold"),
        ("/retold", "retold"),
        ("/v1/on/me/retold", "oops"),
        ("//of/me/retold", "oops"),
        ("/stub/answers", "oops"),
        ("/", "oops"),
    ],
)
async def test_paths_with_pieces_that_clients_fill(path: str, word: str) -> None:
    body = {"engine": "cold", "heat": 1}
    async with gateway() as client:
        answer = await client.post(path, json=body)
    assert next(iter(answer.json())) == word
    found = path.endswith("retold") and len(path.split("/")) == 5 and word == "retold"
    assert (answer.json().get("at") == "heat") == (found or path == "/retold/answers")


@pytest.mark.usefixtures("two_dialects")
@pytest.mark.parametrize(("path", "word"), [("/v1/of/me/retold", "retold"), ("/stub/answers", "oops")])
async def test_a_fault_of_our_own_speaks_the_dialect_too(path: str, word: str) -> None:
    async with gateway() as client:
        answer = await client.post(path, json={"engine": "crash", "model": "crash"})
    assert (answer.status_code, next(iter(answer.json()))) == (500, word)
    assert "secrets" not in answer.text


@pytest.mark.usefixtures("two_dialects")
async def test_the_key_in_a_query_is_in_no_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with gateway() as client:
        told = [
            (await client.post(f"{path}?alt=sse&key=sk-secret", json={"engine": engine, "heat": 1})).text
            for path in ("/retold/answers", "/retold/nowhere", "/nowhere")
            for engine in ("cold", "crash")
        ]
    log = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records if _ours(record))
    assert "POST /retold/answers retold 'cold' 400" in log
    assert "sk-secret" not in log
    assert "sk-secret" not in json.dumps(told)


def _ours(record: logging.LogRecord) -> bool:
    """The test's own client writes down what it asks."""
    return not record.name.startswith(("httpx", "httpcore"))
