"""A vendor that pauses, heard by a client of its own dialect: one answer, and no word of a pause."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.hub.errors import ProtocolError
from adapters.sse import SseParser
from app.exchange import Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from app.wiring import surfaces
from tests.app.scripted import Played, Script
from tests.app.test_hops import MARK, VENDOR, events, hop, interaction, sse

Json = dict[str, Any]

SURFACE = next(surface for surface in surfaces() if surface.default_provider == VENDOR)


async def told(script: Script, *, stream: bool, **fields: Any) -> list[Json] | Json:
    """The events of a stream, which is well formed, but for its end mark; or the body."""
    settings = Settings.model_validate({"upstreams": {VENDOR: {"api_key": "sk-own"}}})
    gateway = Gateway(build_router(settings), script, RandomMint(), max_event_bytes=100_000)
    body = {"model": "m", "input": "hi", "stream": stream, **fields}
    exchange = gateway.begin(SURFACE, {}, json.dumps(body).encode())
    await exchange.start()
    sent = b"".join([piece async for piece in exchange.frames()]) if stream else await exchange.body()
    await exchange.aclose()
    for secret in (b"TOKEN", b"requires_continuation", b"sk-own"):
        assert secret not in sent
    if not stream:
        return json.loads(sent)
    frames = SseParser().feed(sent)
    assert SURFACE.check is not None
    assert SURFACE.check(frames).violations == ()
    return [json.loads(frame.data) for frame in frames[:-1]]


def texts(said: list[Json] | Json) -> list[str]:
    if isinstance(said, dict):
        return [block["text"] for step in said["steps"] for block in step["content"]]
    return [event["delta"]["text"] for event in said if event["event_type"] == "step.delta"]


def last(said: list[Json] | Json) -> Json:
    return said if isinstance(said, dict) else said[-1]["interaction"]


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def stream(request: pytest.FixtureRequest) -> bool:
    return request.param


async def test_hops_are_one_answer(stream: bool) -> None:
    hops = [hop(1, "one ", stream=stream), hop(2, "two ", stream=stream), hop(3, "three", stream=stream, last=True)]
    script = Script(hops)
    said = await told(script, stream=stream)
    assert texts(said) == ["one ", "two ", "three"]
    assert last(said)["status"] == "completed"
    assert last(said)["usage"]["total_tokens"] == 36
    assert [body.get("continuation_token") for body in script.bodies] == [None, "TOKEN-1", "TOKEN-2"]
    if isinstance(said, list):
        kinds = [event["event_type"] for event in said]
        assert kinds == ["interaction.created", *["step.start", "step.delta", "step.stop"] * 3, "interaction.completed"]
        assert [event["index"] for event in said if event["event_type"] == "step.start"] == [0, 1, 2]


async def test_an_answer_that_does_not_pause_is_the_vendors_own(stream: bool) -> None:
    said = await told(Script([hop(1, "one", stream=stream, last=True)]), stream=stream)
    whole = interaction(1, "one", "completed")
    if isinstance(said, dict):
        assert said == whole
    else:
        assert [{key: value for key, value in event.items() if key != "event_id"} for event in said] == events(whole)


REFUSED: Json = {"error": {"code": 400, "message": "bad continuation_token TOKEN-1, key sk-own"}}


@pytest.mark.parametrize("within", [True, False], ids=["in the stream", "at once"])
async def test_a_hop_that_fails_ends_the_answer_with_what_was_said(within: bool) -> None:
    refused = (
        Played(sse({"event_type": "error", **REFUSED}))
        if within
        else Played(json.dumps(REFUSED).encode(), status=400, headers={"content-type": "application/json"})
    )
    said = await told(Script([hop(1, "one ", stream=True), refused]), stream=True)
    assert texts(said) == ["one "]
    assert last(said)["status"] == "failed"
    assert "bad continuation_token [token], key [key]" in json.dumps(said)


async def test_a_stream_that_breaks_off_at_a_mark_goes_on() -> None:
    begun = [sse(event) for event in events(interaction(1, "one ", "completed"))[:4]]
    cut = Played(*begun, sse(MARK | {"status": "in_progress"}), ProtocolError("cut", retryable=True))
    said = await told(Script([cut, hop(2, "two", stream=True, last=True)]), stream=True)
    assert texts(said) == ["one ", "two"]
    assert last(said)["status"] == "completed"
