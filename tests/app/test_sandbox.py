"""The sandbox: which scene a request plays, and that it is played byte for byte over a real socket."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio

import adapters
from adapters.hub.adapter import Scene
from adapters.hub.losses import Ledger
from adapters.sse import SseParser
from adapters.wire_json import dumps
from app import sandbox
from app.sandbox.player import pick, pieces

VENDORS = adapters.names()
STREAMS = [(vendor, scene.name) for vendor in VENDORS for scene in adapters.load(vendor).scenes if scene.status == 200]

PROMPTS = {
    "hello": "text",
    "Cite your sources": "cite",
    "with citations, please": "cite",
    "search the web": "search",
    "think hard": "reasoning",
    "please refuse": "refusal",
    "[[429]]": "rate_limit",
    "[[error]] and cite": "error_inside",
    "[[cut]]": "cut",
    "[[long]]": "long",
    "[[incomplete]]": "incomplete",
    "as json_schema": "json",
    "the weather": "text",
    "thinking about research and cities": "text",
}


def recorded(vendor: str, file: str) -> bytes:
    return (adapters.ROOT / vendor / "sandbox" / file).read_bytes()


@pytest.mark.parametrize(("prompt", "scene"), PROMPTS.items())
@pytest.mark.parametrize("vendor", VENDORS)
def test_the_prompt_picks_the_scene(vendor: str, prompt: str, scene: str) -> None:
    body = json.dumps({"model": "m", "input": prompt, "stream": True}, ensure_ascii=False).encode()
    assert pick(adapters.load(vendor).scenes, body).name == scene


FUNCTION: dict[str, Any] = {"type": "function", "name": "get_weather", "parameters": {}}
CUSTOM: dict[str, Any] = {"type": "custom", "name": "run_sql"}
USER = {"role": "user", "content": "The weather?"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": '{"role": "user"}'}
STEP = {"type": "user_input", "content": [{"type": "text", "text": "The weather?"}]}
RESULT = {"type": "function_result", "call_id": "c", "result": "user_input"}
SCHEMA: dict[str, Any] = {"format": {"type": "json_schema", "name": "n", "schema": {}}}

BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("openai", {"input": [USER], "tools": [FUNCTION]}, "tools"),
    ("openai", {"input": [USER, OUTPUT], "tools": [FUNCTION]}, "tools_followup"),
    ("openai", {"input": [USER, OUTPUT, USER], "tools": [FUNCTION]}, "tools"),
    ("openai", {"input": [USER], "tools": [FUNCTION, CUSTOM]}, "client_tools"),
    ("openai", {"input": [USER, {**OUTPUT, "type": "custom_tool_call_output"}], "tools": [CUSTOM]}, "tools_followup"),
    ("gemini", {"input": [STEP], "tools": [{**FUNCTION, "name": "run_sql"}]}, "client_tools"),
    ("ark", {"input": [USER], "tools": [{**FUNCTION, "name": "run_sql"}]}, "client_tools"),
    ("openai", {"input": "hi", "text": SCHEMA}, "json"),
    ("openai", {"input": "hi", "tools": [{"type": "web_search"}]}, "search"),
    ("openai", {"input": "hi", "max_output_tokens": 16}, "incomplete"),
    ("openai", {"input": "hi", "max_output_tokens": 160}, "text"),
    ("gemini", {"input": [STEP], "tools": [FUNCTION]}, "tools"),
    ("gemini", {"input": [STEP, RESULT], "tools": [FUNCTION]}, "tools_followup"),
    ("gemini", {"input": [STEP, RESULT, STEP], "tools": [FUNCTION]}, "tools"),
    ("gemini", {"input": [STEP], "response_format": {"type": "text", "mime_type": "application/json"}}, "json"),
    ("gemini", {"input": "hi", "tools": [{"type": "google_search"}]}, "search"),
    ("gemini", {"input": "[[odd]] cite", "generation_config": {"thinking_level": "high"}}, "cite_odd"),
    ("ark", {"input": [USER], "tools": [FUNCTION]}, "tools"),
    ("ark", {"input": [USER, OUTPUT], "tools": [FUNCTION]}, "tools_followup"),
    ("ark", {"input": "hi", "thinking": {"type": "enabled"}}, "text"),
]


@pytest.mark.parametrize(("vendor", "body", "scene"), BODIES)
def test_the_body_picks_the_scene(vendor: str, body: dict[str, Any], scene: str) -> None:
    for layout in ({"separators": (",", ":")}, {"indent": 2}):
        assert pick(adapters.load(vendor).scenes, json.dumps(body, **layout).encode()).name == scene  # pyright: ignore[reportArgumentType]


CALL = {"type": "function_call", "call_id": "c", "name": "get_weather", "arguments": "{}"}
SAY = {"role": "user", "content": "The weather in Tokyo?"}
CLIENT_BODIES: list[tuple[dict[str, Any], str]] = [
    ({"input": "Plan a day in Tokyo and cite your sources."}, "cite"),
    ({"input": "hi", "reasoning": {"effort": "high", "summary": "auto"}}, "text"),
    ({"input": "think", "reasoning": {"effort": "high"}, "include": ["reasoning.encrypted_content"]}, "reasoning"),
    ({"input": [SAY], "tools": [FUNCTION]}, "tools"),
    ({"input": [SAY, CALL, OUTPUT], "tools": [FUNCTION]}, "tools_followup"),
    ({"input": [SAY, CALL, OUTPUT, SAY], "tools": [FUNCTION]}, "tools"),
    ({"input": "hi", "text": SCHEMA}, "json"),
    ({"input": "hi", "text": {"format": {"type": "json_object"}}}, "json"),
    ({"input": "hi", "tools": [{"type": "web_search"}]}, "search"),
    ({"input": "hi", "max_output_tokens": 16}, "incomplete"),
    ({"input": "hi [[429]]", "instructions": "Be brief."}, "rate_limit"),
]


@pytest.mark.parametrize(("body", "scene"), CLIENT_BODIES)
@pytest.mark.parametrize("vendor", VENDORS)
def test_what_a_client_asks_picks_the_scene_at_every_vendor(vendor: str, body: dict[str, Any], scene: str) -> None:
    surface = adapters.load("openai").surface
    assert surface is not None
    adapter = adapters.load(vendor)
    sent = adapter.codec.encode_request(surface.decode_request({"model": "m", **body}), Ledger())
    assert pick(adapter.scenes, dumps(sent)).name == scene


def test_the_last_scene_is_the_default() -> None:
    scenes = (Scene("first", "a"), Scene("second", "a"), Scene("last", "zzz"))
    assert pick(scenes, b"a").name == "first"
    assert pick(scenes, b"\xff").name == "last"


@pytest.mark.parametrize(("vendor", "name"), STREAMS)
def test_every_event_is_cut_in_two(vendor: str, name: str) -> None:
    recording = recorded(vendor, f"{name}.sse")
    events = list(pieces(recording))
    assert b"".join(head + tail for head, tail in events) == recording
    assert len(events) == recording.count(b"\n\n") + (name == "cut")
    assert any(head[-1] >= 0xC0 and tail[0] & 0xC0 == 0x80 for head, tail in events), "no cut inside a character"
    parser = SseParser()
    found = [event for pair in events for piece in pair for event in parser.feed(piece)]
    assert len(found) == recording.count(b"\n\n")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def urls() -> AsyncIterator[dict[str, str]]:
    """Each vendor's whole address in one running sandbox."""
    async with sandbox.start(delay=0) as bases:
        yield {vendor: base + adapters.load(vendor).endpoint.path for vendor, base in bases.items()}


async def ask(url: str, **body: Any) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.post(url, json={"model": "the-model", **body})


def prompt_for(name: str) -> str:
    return next(prompt for prompt, scene in PROMPTS.items() if scene == name)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("vendor", VENDORS)
class TestPlayer:
    """One running sandbox, asked by HTTP."""

    async def test_plays_a_stream(self, urls: dict[str, str], vendor: str) -> None:
        answer = await ask(urls[vendor], input=prompt_for("cite"), stream=True)
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        run = re.search(r"_([0-9a-f]{10})", answer.text)
        assert run
        played = answer.content.replace(b"the-model", b"sandbox-model").replace(run[1].encode(), b"sandboxrun")
        assert played == recorded(vendor, "cite.sse")

    async def test_plays_json_unless_the_body_says_stream(self, urls: dict[str, str], vendor: str) -> None:
        for body in ({}, {"stream": False}, {"stream": None}):
            answer = await ask(urls[vendor], input="hello", **body)
            assert answer.headers["content-type"] == "application/json"
            assert answer.json()["model"] == "the-model"

    async def test_no_two_answers_share_an_id(self, urls: dict[str, str], vendor: str) -> None:
        answers = [await ask(urls[vendor], input="hello") for _ in range(2)]
        assert answers[0].json()["id"] != answers[1].json()["id"]

    async def test_a_model_name_is_json(self, urls: dict[str, str], vendor: str) -> None:
        answer = await ask(urls[vendor], input="hello", model='a"b\n模')
        assert answer.json()["model"] == 'a"b\n模'

    @pytest.mark.parametrize("stream", [True, False])
    async def test_refuses_before_the_stream(self, urls: dict[str, str], vendor: str, stream: bool) -> None:
        answer = await ask(urls[vendor], input="[[429]]", stream=stream)
        assert answer.status_code == 429
        error = adapters.load(vendor).endpoint.decode_error(429, dict(answer.headers), answer.content)
        assert (error.status, error.retry_after) == (429, 2.0)

    async def test_a_cut_answer_breaks_off(self, urls: dict[str, str], vendor: str) -> None:
        with pytest.raises(httpx.RemoteProtocolError):
            await ask(urls[vendor], input="[[cut]]")
        streamed = await ask(urls[vendor], input="[[cut]]", stream=True)
        assert not streamed.content.endswith(b"\n")

    async def test_a_body_that_is_no_object_is_refused(self, urls: dict[str, str], vendor: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as client:
            for body in (b"", b"[]", b"{"):
                assert (await client.post(urls[vendor], content=body)).status_code == 400


def test_base_urls_have_the_shape_of_the_settings() -> None:
    bases = sandbox.base_urls(1234)
    assert bases["openai"].endswith("/v1")
    assert bases["ark"].endswith("/api/v3")
    assert bases["gemini"] == "http://127.0.0.1:1234/gemini"
