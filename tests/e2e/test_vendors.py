"""Every vendor's every scene through a running gateway: well formed, and ended as the vendor ended it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
import pytest_asyncio

import adapters
from adapters.hub.adapter import Scene, Surface
from adapters.sse import SseEvent, SseParser
from adapters.wire_json import loads
from app import sandbox
from app.embedded import serving
from app.main import create_app
from app.settings import Settings

CASES = [(vendor, scene) for vendor in adapters.names() for scene in adapters.load(vendor).scenes]
SURFACES = [surface for name in adapters.names() if (surface := adapters.load(name).surface) is not None]

ENDS = {"incomplete": "incomplete", "error_inside": "failed", "cut": "failed"}
"""How a scene ends, where it does not end as completed."""

TOOL: dict[str, Any] = {"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {}}}
CALL = {"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "sunny"}
FORMAT: dict[str, Any] = {"type": "json_schema", "name": "answer", "schema": {"type": "object", "properties": {}}}

REQUESTS: dict[str, dict[str, Any]] = {
    "rate_limit": {"input": "[[429]]"},
    "error_inside": {"input": "[[error]]"},
    "cite": {"input": "cite your sources"},
    "cite_odd": {"input": "[[odd]]"},
    "search": {"input": "search the web"},
    "reasoning": {"input": "think hard"},
    "refusal": {"input": "please refuse"},
    "text": {"input": "hello"},
    "tools": {"input": "the weather?", "tools": [TOOL]},
    "tools_followup": {"input": [{"role": "user", "content": "the weather?"}, CALL, OUTPUT], "tools": [TOOL]},
    "client_tools": {"input": "how many orders?", "tools": [{"type": "custom", "name": "run_sql"}]},
    "json": {"input": "hello", "text": {"format": FORMAT}},
}
"""What meets a scene; those that are not here are met by their names in brackets."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncGenerator[httpx.AsyncClient]:
    async with sandbox.start(delay=0) as base_urls:
        settings = Settings().with_upstreams(base_urls, "sk-sandbox")
        async with (
            serving(create_app(settings)) as port,
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30) as client,
        ):
            yield client


async def ask(
    client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene, *, stream: bool
) -> httpx.Response:
    request = REQUESTS.get(scene.name, {"input": f"[[{scene.name}]]"})
    return await client.post(surface.paths[0], json={"model": f"{vendor}/m", "stream": stream, **request})


def events(answer: httpx.Response) -> list[SseEvent]:
    return SseParser().feed(answer.content)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.dialect)
@pytest.mark.parametrize(("vendor", "scene"), CASES, ids=lambda part: getattr(part, "name", part))
async def test_a_stream_is_well_formed(client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene) -> None:
    answer = await ask(client, surface, vendor, scene, stream=True)
    assert answer.status_code == scene.status
    assert answer.headers["x-provider"] == vendor
    if scene.status != 200:
        assert int(answer.headers["retry-after"]) > 0
        return
    assert surface.check is not None
    assert surface.check(events(answer)).violations == ()
    assert events(answer)[-1].name.decode().rsplit(".", 1)[-1] == ENDS.get(scene.name, "completed")
    assert b"sk-sandbox" not in answer.content


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.dialect)
@pytest.mark.parametrize(("vendor", "scene"), CASES, ids=lambda part: getattr(part, "name", part))
async def test_a_whole_answer_ends_as_its_stream(
    client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene
) -> None:
    answer = await ask(client, surface, vendor, scene, stream=False)
    assert answer.status_code == (502 if scene.name == "cut" else scene.status)
    if answer.status_code == 200:
        assert loads(answer.content)["status"] == ENDS.get(scene.name, "completed")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("vendor", [name for name in adapters.names() if adapters.load(name).surface is None])
@pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
async def test_an_answer_repeats_what_the_client_declared(client: httpx.AsyncClient, vendor: str, stream: bool) -> None:
    declared: dict[str, Any] = {
        "instructions": "Be brief.",
        "tools": [TOOL, {"type": "custom", "name": "run_sql"}],
        "tool_choice": "auto",
        "metadata": {"trace": "t-1"},
        "temperature": 0.5,
    }
    body = {"model": "demo", "input": "hello", "stream": stream, **declared}
    answer = await client.post("/v1/responses", json=body, headers={"x-provider": vendor})
    response = loads(SseParser().feed(answer.content)[-1].data)["response"] if stream else answer.json()
    assert {key: response[key] for key in declared} == declared
