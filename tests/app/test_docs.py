"""The documentation of what is served: valid, complete, true, and of use without another host."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from openapi_spec_validator import validate
from typing_extensions import override

import adapters
from adapters.hub.adapter import Surface
from adapters.sse import SseParser
from app.exchange import FIDELITY_HEADER, OFFSETS_HEADER, ON_LOSS_HEADER
from app.http.errors import retry_headers
from app.main import create_app
from app.openapi import examples
from app.settings import Settings
from app.wiring import surfaces

SURFACES = [pytest.param(surface, id=surface.dialect) for surface in surfaces()]


async def get(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(create_app(Settings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as client:
        answer = await client.get(path)
    assert answer.status_code == 200
    return answer


async def described() -> dict[str, Any]:
    return (await get("/openapi.json")).json()


def resolved(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    found: Any = document
    for step in value.get("$ref", "").split("/")[1:]:
        found = found[step]
    return found if "$ref" in value else value


async def test_the_document_validates() -> None:
    validate(await described())


async def test_every_path_is_described_and_what_is_described_is_served() -> None:
    dialects = {path for surface in surfaces() for path in surface.paths}
    paths = (await described())["paths"]
    assert set(paths) == dialects | {"/v1/models", "/healthz", "/readyz"}
    transport = httpx.ASGITransport(create_app(Settings()))
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as client:
        for path, methods in paths.items():
            for method in methods:
                assert (await client.request(method, path)).status_code in (200, 400)


@pytest.mark.parametrize("surface", SURFACES)
async def test_each_dialect_is_described_at_all_its_paths(surface: Surface) -> None:
    document = await described()
    assert surface.docs is not None
    for path in surface.paths:
        operation = document["paths"][path]["post"]
        parameters = [resolved(document, parameter) for parameter in operation["parameters"]]
        pieces = [parameter["name"] for parameter in parameters if parameter["in"] == "path"]
        assert pieces == re.findall(r"\{(\w+)\}", path)
        headers = {parameter["name"]: parameter["schema"] for parameter in parameters if parameter["in"] == "header"}
        assert set(headers) >= {FIDELITY_HEADER, ON_LOSS_HEADER, OFFSETS_HEADER, "x-provider-key"}
        assert headers["x-provider"]["enum"] == list(adapters.names())
        assert operation["requestBody"]["content"]["application/json"]["example"] == surface.docs.request


@pytest.mark.parametrize("surface", SURFACES)
async def test_the_examples_are_what_the_dialect_says(surface: Surface) -> None:
    operation = (await described())["paths"][surface.paths[0]]["post"]
    answer = operation["responses"]["200"]["content"]
    assert "The teahouse by the pond opens at nine." in json.dumps(answer["application/json"]["example"])
    if surface.check is not None:
        events = SseParser().feed(answer["text/event-stream"]["example"].encode())
        assert surface.check(events).violations == ()
    for status, error in examples.ERRORS.items():
        told = operation["responses"][status]
        assert int(status) == error.status
        assert told["content"]["application/json"]["example"] == surface.encode_error(error)
        assert set(told["headers"]) == {"x-request-id", *retry_headers(error)}


class Page(HTMLParser):
    """What a page loads or links to, its text, and that it is balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag != "meta":
            self.tags.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.tags.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        self.text += data


async def test_the_page_shows_all_of_it_and_needs_nothing_else() -> None:
    answer = await get("/docs")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = Page(answer.text)
    assert page.tags == []
    assert page.links == ["openapi.json"]
    assert "script" not in answer.text
    assert "url(" not in answer.text
    document = await described()
    for path in document["paths"]:
        assert f" {path}" in page.text
    for surface in surfaces():
        assert surface.docs is not None
        assert surface.docs.title in page.text
        for scheme in surface.docs.security.values():
            assert str(scheme.get("name") or "Authorization: Bearer") in page.text
        assert json.dumps(surface.encode_error(examples.ERRORS["429"]), indent=2) in page.text
    for name in document["components"]["parameters"]:
        assert name in page.text
