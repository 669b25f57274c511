"""A vendor answers in another form than it was asked for, at a client of its own dialect: all of it arrives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import adapters
from adapters.hub.errors import ProtocolError
from adapters.hub.events import Delta
from adapters.sse import SseParser
from adapters.wire_json import Json, loads, texts_in
from app.exchange import Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from tests.app.scripted import JSON, Played, Script

VENDORS = [name for name in adapters.names() if (own := adapters.load(name).surface) is not None and own.repeater]


async def answer(vendor: str, played: Played, *, stream: bool, face: str | None = None) -> bytes:
    surface = adapters.load(face or vendor).surface
    assert surface is not None
    settings = Settings.model_validate({"upstreams": {vendor: {"api_key": "k"}}})
    gateway = Gateway(build_router(settings), Script([played]), RandomMint(), max_event_bytes=100_000)
    exchange = gateway.begin(
        surface, {"x-provider": vendor}, json.dumps({"model": "m", "input": "hi", "stream": stream}).encode()
    )
    await exchange.start()
    sent = b"".join([piece async for piece in exchange.frames()]) if stream else await exchange.body()
    await exchange.aclose()
    return sent


@pytest.mark.parametrize("scene", ["text", "reasoning"])
@pytest.mark.parametrize("vendor", VENDORS)
async def test_what_a_stream_says_is_in_the_body(vendor: str, scene: str) -> None:
    recording = (Path(adapters.__path__[0]) / vendor / "sandbox" / f"{scene}.sse").read_bytes()
    decoder = adapters.load(vendor).codec.decoder()
    walk = [event for told in SseParser().feed(recording) for event in decoder.feed(told)]
    said: dict[tuple[int, int], str] = {}
    for event in walk:
        if type(event) is Delta:
            said[event.item, event.part] = said.get((event.item, event.part), "") + event.text
    body = loads(await answer(vendor, Played(recording), stream=False))
    assert body["status"] == "completed"
    assert said
    assert {*said.values()} <= {*texts_in(body)}


@pytest.mark.parametrize("vendor", VENDORS)
async def test_what_a_body_says_is_in_the_stream(vendor: str) -> None:
    recording = (Path(adapters.__path__[0]) / vendor / "sandbox" / "text.json").read_bytes()
    walk = adapters.load(vendor).codec.decode_response(loads(recording))
    said = [event.text for event in walk if type(event) is Delta]
    sent = await answer(vendor, Played(recording, headers=JSON), stream=True)
    told = [text for event in SseParser().feed(sent) if event.data != b"[DONE]" for text in texts_in(loads(event.data))]
    assert said
    assert {*said} <= {*told}


# -- answers that are still being made ------------------------------------------------------------

STATUSES = {"openai": "queued", "gemini": "in_progress", "ark": "in_progress"}
"""What each dialect says of an answer that OpenAI will make."""


def queued() -> Played:
    """OpenAI's first answer to a request that it works on in the background."""
    body: Json = {"id": "resp_1", "object": "response", "created_at": 1, "status": "queued", "model": "m", "output": []}
    return Played(json.dumps(body).encode(), headers=JSON)


@pytest.mark.parametrize(("face", "status"), STATUSES.items())
async def test_an_answer_that_is_not_made_yet_is_not_completed(face: str, status: str) -> None:
    told = loads(await answer("openai", queued(), stream=False, face=face))
    assert told["status"] == status


@pytest.mark.parametrize("face", STATUSES)
async def test_a_stream_of_an_answer_that_is_not_made_yet_does_not_begin(face: str) -> None:
    with pytest.raises(ProtocolError):
        await answer("openai", queued(), stream=True, face=face)
