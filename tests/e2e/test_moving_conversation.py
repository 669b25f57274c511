"""One conversation that moves between vendors by one header, in every dialect: each gets a history in its own terms."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.wire_json import Json
from app.embedded import serving
from app.main import create_app
from app.settings import Settings
from tests.laws.corpus import FACES, surface
from tests.laws.json_values import objects, same, texts
from tests.laws.replaying import said_in
from tests.laws.sdk import TYPES
from tests.laws.wire_types import wire_types

FOUND = "🛰️ Köln: sunny, 21 °C."
WEATHER: Json = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

# What the vendors say, turn by turn; written by hand.
SAID: list[tuple[str, Json]] = [
    (
        "openai",
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": "gpt-5.5",
            "output": [
                {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "c2VhbGVk"},
                {
                    "id": "ws_1",
                    "type": "web_search_call",
                    "status": "completed",
                    "action": {"type": "search", "query": "weather in Köln", "queries": ["weather in Köln"]},
                },
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [
                        {
                            "type": "output_text",
                            "text": FOUND,
                            "logprobs": [],
                            "annotations": [
                                {
                                    "type": "url_citation",
                                    "url": "https://weather.example/",
                                    "title": "Weather",
                                    "start_index": FOUND.index("Köln"),
                                    "end_index": FOUND.index(":"),
                                }
                            ],
                        }
                    ],
                },
            ],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        },
    ),
    (
        "gemini",
        {
            "id": "int_2",
            "object": "interaction",
            "status": "requires_action",
            "model": "gemini-3-pro",
            "steps": [
                {"type": "thought", "signature": "R2VtaW5p", "summary": [{"type": "text", "text": "I should call."}]},
                {"type": "function_call", "id": "call_g", "name": "get_weather", "arguments": {"city": "Bonn"}},
            ],
        },
    ),
    (
        "ark",
        {
            "id": "resp_3",
            "object": "response",
            "created_at": 3,
            "status": "completed",
            "model": "doubao-seed-1-8",
            "output": [
                {
                    "id": "rs_3",
                    "type": "reasoning",
                    "status": "completed",
                    "summary": [{"type": "summary_text", "text": "It rains there."}],
                },
                {
                    "id": "msg_3",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [
                        {
                            "type": "output_text",
                            "text": "Bonn: rain.",
                            "annotations": [
                                {"type": "url_citation", "url": "https://rain.example/", "title": "Rain"},
                            ],
                        }
                    ],
                },
            ],
        },
    ),
    (
        "gemini",
        {
            "id": "int_4",
            "object": "interaction",
            "status": "completed",
            "model": "gemini-3-pro",
            "steps": [
                {"type": "thought", "signature": "enR3ZWk="},
                {
                    "type": "model_output",
                    "content": [
                        {
                            "type": "text",
                            "text": FOUND,
                            "annotations": [
                                {
                                    "type": "url_citation",
                                    "url": "https://maps.example/",
                                    "title": "Map",
                                    "start_index": len(FOUND[: FOUND.index("Köln")].encode()),
                                    "end_index": len(FOUND[: FOUND.index(":")].encode()),
                                }
                            ],
                        }
                    ],
                },
            ],
        },
    ),
    (
        "openai",
        {
            "id": "resp_5",
            "object": "response",
            "created_at": 5,
            "status": "completed",
            "model": "gpt-5.5",
            "output": [
                {
                    "id": "msg_5",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": "Sunny it is.", "annotations": [], "logprobs": []}],
                }
            ],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        },
    ),
]
MODELS = {"openai": "gpt-5.5", "gemini": "gemini-3-pro", "ark": "doubao-seed-1-8"}


@dataclass(frozen=True)
class Client:
    """How a program of one dialect asks: what the user says, what a function gave, the function itself."""

    user: Callable[[str], Json]
    output: Callable[[str, str], Json]
    tool: Json = field(default_factory=lambda: {"type": "function", "name": "get_weather", "parameters": WEATHER})


_RESPONSES = Client(
    user=lambda text: {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]},
    output=lambda call_id, text: {"type": "function_call_output", "call_id": call_id, "output": text},
)
CLIENTS = {
    "openai": _RESPONSES,
    "ark": _RESPONSES,
    "gemini": Client(
        user=lambda text: {"type": "user_input", "content": [{"type": "text", "text": text}]},
        output=lambda call_id, text: {
            "type": "function_result",
            "call_id": call_id,
            "name": "get_weather",
            "result": text,
        },
    ),
}


@asynccontextmanager
async def vendors(heard: list[tuple[str, Json]]) -> AsyncGenerator[httpx.AsyncClient]:
    """A gateway whose vendors give one of `SAID` after the other, and note what they are sent."""

    async def answer(request: Request) -> Response:
        vendor, said = SAID[len(heard)]
        heard.append((request.path_params["vendor"], await request.json()))
        assert heard[-1][0] == vendor
        return JSONResponse(said)

    upstream = Starlette(routes=[Route("/{vendor}/{path:path}", answer, methods=["POST"])])
    async with serving(upstream) as port:
        base_urls = {vendor: f"http://127.0.0.1:{port}/{vendor}" for vendor in MODELS}
        settings = Settings().with_upstreams(base_urls, "sk-test")
        async with (
            serving(create_app(settings)) as own,
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{own}", trust_env=False, timeout=30) as client,
        ):
            yield client


async def converse(face: str) -> list[tuple[str, Json]]:
    """The whole conversation; gives what each vendor was sent."""
    speaker, heard = CLIENTS[face], list[tuple[str, Json]]()
    turns = [
        speaker.user("What is the weather in Köln?"),
        speaker.user("And in Bonn?"),
        speaker.output("call_g", "rain"),
        speaker.user("And where is Köln?"),
        speaker.user("So?"),
    ]
    history: list[Json] = []
    async with vendors(heard) as client:
        for (vendor, _), turn in zip(SAID, turns, strict=True):
            history.append(turn)
            body = {"model": MODELS[vendor], "input": history, "tools": [speaker.tool]}
            answer = await client.post(surface(face).paths[0], json=body, headers={"x-provider": vendor})
            assert answer.status_code == 200, answer.text
            history += said_in(answer.json())
    return heard


def holds(history: list[Json], said: list[Json]) -> bool:
    """Whether all that was said stands in the history, whole and in order."""
    rest = iter(map(same, history))
    return all(item in rest for item in map(same, said))


def cites(history: list[Json]) -> list[Json]:
    """The citations that stand in a history, in order."""
    return [cite for value in objects(history) for cite in value.get("annotations") or ()]


@pytest.mark.parametrize("face", FACES)
async def test_a_conversation_moves(face: str) -> None:
    heard = await converse(face)
    assert [vendor for vendor, _ in heard] == ["openai", "gemini", "ark", "gemini", "openai"]
    for vendor, body in heard:
        assert not [text for text in texts(body) if "x_dragoman" in text or "gw1" in text]
        assert set(wire_types(body["input"])) <= TYPES[vendor]
        calls = [item.get("call_id") or item.get("id") for item in body["input"] if item["type"] == "function_call"]
        given = [i["call_id"] for i in body["input"] if i["type"] in ("function_call_output", "function_result")]
        assert calls == given == (["call_g"] if "call_g" in json.dumps(body["input"]) else [])

    (_, first), (_, second), (_, third), (_, fourth), (_, last) = heard
    own = [said_in(said) for _, said in SAID]
    assert len(first["input"]) == 1
    assert holds(fourth["input"], own[1]), "Gemini gets back its thought and its call as it said them"
    assert holds(last["input"], own[0]), "OpenAI gets back its reasoning, its search and its citation as it said them"

    # OpenAI's citation reaches Gemini in bytes, and Gemini's own reaches OpenAI in code points
    start, end = FOUND.index("Köln"), FOUND.index(":")
    (cite,) = cites(second["input"])
    assert FOUND.encode()[cite["start_index"] : cite["end_index"]].decode() == FOUND[start:end]
    places = [(cite["url"], FOUND[cite["start_index"] : cite["end_index"]]) for cite in cites(last["input"])]
    assert places[0] == ("https://weather.example/", "Köln")
    assert places[-1] == ("https://maps.example/", "Köln")
    assert [cite["url"] for cite in cites(fourth["input"])] == ["https://weather.example/", "https://rain.example/"]

    # what only its own vendor can read goes to no other
    sealed = {"c2VhbGVk": "openai", "R2VtaW5p": "gemini", "enR3ZWk=": "gemini"}
    for vendor, body in heard:
        assert {blob for blob in texts(body) if blob in sealed} == {
            blob for blob, owner in sealed.items() if owner == vendor and blob in texts(body)
        }
    assert "It rains there." not in set(texts(last)) | set(texts(fourth))
    assert "get_weather" in set(texts(third))
