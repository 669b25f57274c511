"""One exchange: what is refused before a vendor hears of it, what is held back, and how every stream ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.hub.errors import BadRequest, HubError, ProtocolError, UpstreamError, UpstreamTimeout
from adapters.sse import SseParser
from app.exchange import Exchange, Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from tests.app.scripted import JSON, Played, Script
from tests.app.stub import SURFACE

pytestmark = pytest.mark.usefixtures("stub_vendors")


def said(t: str, **more: Any) -> dict[str, Any]:
    return {"t": t, **more}


def wire(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events)


START, HELLO, END = said("start", model="stub-1"), said("text", v="hello"), said("end")


def begin(answer: Played | UpstreamError, body: object = None, headers: Mapping[str, str] | None = None) -> Exchange:
    settings = Settings.model_validate({"upstreams": {"stub": {"api_key": "sk-own"}}})
    gateway = Gateway(build_router(settings), Script([answer]), RandomMint(), max_event_bytes=1000)
    given = {"model": "stub-1", "stream": True, "say": "hi"} if body is None else body
    raw = given if isinstance(given, bytes) else json.dumps(given).encode()
    return gateway.begin(SURFACE, headers or {}, raw)


async def stream(exchange: Exchange) -> list[tuple[str, Any]]:
    await exchange.start()
    parser = SseParser()
    frames = [event for piece in [piece async for piece in exchange.frames()] for event in parser.feed(piece)]
    await exchange.aclose()
    return [(event.name.decode(), json.loads(event.data)) for event in frames]


def words(frames: list[tuple[str, Any]]) -> list[str]:
    return [name for name, _ in frames]


def outcome(frames: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(frames)["end"]


# --- before the vendor hears of it


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        (b"{", "invalid_json", None),
        (b"", "invalid_json", None),
        (b"[1]", "invalid_json", None),
        (b"\xff{}", "invalid_json", None),
        ({}, "invalid_value", "model"),
    ],
)
def test_a_malformed_request_is_refused(body: object, code: str, param: str | None) -> None:
    with pytest.raises(BadRequest) as caught:
        begin(Played(), body)
    assert (caught.value.status, caught.value.code, caught.value.param) == (400, code, param)


@pytest.mark.parametrize("name", ["x-dragoman-fidelity", "x-dragoman-on-loss"])
def test_an_unknown_policy_is_refused(name: str) -> None:
    with pytest.raises(BadRequest, match=name) as caught:
        begin(Played(), None, {name: "maybe"})
    assert caught.value.param == name


async def test_the_fidelity_reaches_the_encoder() -> None:
    for given, expected in (({}, "rich"), ({"x-dragoman-fidelity": " Strict "}, "strict")):
        frames = await stream(begin(Played(wire(START, END)), None, given))
        assert frames[0][1]["fidelity"] == expected


LOSSY = {"model": "lossy", "temperature": 1, "stream": True}


def test_losses_are_reported_unless_told_otherwise() -> None:
    exchange = begin(Played(), LOSSY)
    assert [loss.path for loss in exchange.losses] == ["temperature"]


def test_losses_are_refused_where_that_is_asked() -> None:
    with pytest.raises(BadRequest, match="temperature: has no word for it") as caught:
        begin(Played(), LOSSY, {"x-dragoman-on-loss": "reject"})
    assert (caught.value.code, caught.value.param) == ("lossy_request", "temperature")


async def test_the_vendor_is_called_as_the_adapter_says() -> None:
    settings = Settings.model_validate({"upstreams": {"stub": {"api_key": "sk-own"}}})
    script = Script([Played(wire(START, END)), Played(wire(START, END))])
    gateway = Gateway(build_router(settings), script, RandomMint(), 1000)
    await gateway.begin(SURFACE, {}, b'{"model": "stub/m", "stream": true, "say": "hi"}').start()
    await gateway.begin(SURFACE, {}, b'{"model": "other/m"}').start()
    streamed, whole = script.calls
    assert streamed.url == "http://stub.invalid/v9/speak"
    assert streamed.headers == {"x-key": "sk-own", "accept": "text/event-stream"}
    assert json.loads(streamed.body) == {"model": "m", "say": "hi", "stream": True}
    assert (whole.url, whole.headers) == ("http://other.invalid/v9/speak", {})
    assert "sk-own" not in repr(streamed)


# --- before the first byte


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (UpstreamTimeout("late"), 504, "late"),
        (Played(b"no money", status=429), 429, "no money"),
        (Played(b"x", UpstreamTimeout("late"), status=429), 429, "^$"),
        (Played(*[b"x" * 1024] * 1025, status=500), 500, "^$"),
        (Played(b"", status=302), 502, "302"),
        (Played(b"", status=204), 502, "204"),
        (Played(), 502, "cut short"),
        (Played(b": nothing but a comment\n\n"), 502, "cut short"),
        (Played(wire(said("error", status=429, v="slow down"))), 429, "slow down"),
        (Played(wire(said("odd"), said("error", status=500, v="boom"))), 500, "boom"),
        (Played(b"data: gar", b"bage\n\n"), 502, "not JSON"),
        (Played(UpstreamTimeout("late")), 504, "late"),
        (Played(b"<html>", headers={"content-type": "text/html"}), 502, "cut short"),
        (Played(b"{", headers=JSON), 502, "not JSON"),
        (Played(b"[]", headers=JSON), 502, "not a JSON object"),
        (Played(b"[" * 100_000, headers=JSON), 502, "larger than the limit"),
        (Played(b'{"oops": 1}', headers=JSON), 502, "cut short"),
        (Played(b"data: " + b"x" * 2000), 502, "larger than the limit"),
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
async def test_what_fails_at_once_is_an_http_error(
    answer: Played | UpstreamError, status: int, message: str, streamed: bool
) -> None:
    if isinstance(answer, Played) and answer.headers == {"content-type": "text/html"} and not streamed:
        message = "not JSON"
    exchange = begin(answer, {"model": "stub-1", "stream": streamed})
    with pytest.raises(HubError, match=message) as caught:
        await exchange.start()
    assert caught.value.status == status


async def test_a_refused_key_of_the_gateway_is_502_in_a_stream_too() -> None:
    with pytest.raises(UpstreamError) as caught:
        await begin(Played(wire(said("error", status=401, v="bad sk-own")))).start()
    assert (caught.value.status, caught.value.code) == (502, "upstream_auth")


async def test_the_start_waits_for_the_vendors_first_word_and_no_longer() -> None:
    answer = Played(b": hm\n\n", wire(said("odd")), wire(START), wire(HELLO), wire(END))
    await begin(answer).start()
    assert answer.read == 3


# --- the stream


async def test_a_whole_stream_arrives() -> None:
    frames = await stream(begin(Played(wire(START), wire(HELLO, HELLO), wire(END))))
    assert words(frames) == ["start", "text", "text", "end", "bye"]
    assert outcome(frames) == {"status": "completed", "error": None}


async def test_each_read_is_one_piece() -> None:
    exchange = begin(Played(wire(START, HELLO), wire(HELLO)[:9], wire(HELLO)[9:] + wire(HELLO), wire(END)))
    await exchange.start()
    assert [piece.count(b"\n\n") async for piece in exchange.frames()] == [2, 2, 2]


async def test_the_stream_ends_with_the_vendors_last_event() -> None:
    answer = Played(wire(START, END), wire(HELLO), wire(HELLO))
    frames = await stream(begin(answer))
    assert (words(frames), answer.read, answer.closed) == (["start", "end", "bye"], 1, 1)


@pytest.mark.parametrize(
    ("last", "code"),
    [
        ([], "upstream_protocol_error"),
        ([wire(HELLO)[:-9]], "upstream_protocol_error"),
        ([b"data: garbage\n\n"], "upstream_protocol_error"),
        ([wire(HELLO) + b"data: \xff\n\n" + wire(HELLO)], "upstream_protocol_error"),
        ([b"data: " + b"x" * 2000], "upstream_protocol_error"),
        ([UpstreamTimeout("late")], "timeout"),
        ([wire(said("error", status=500, v="boom"))], "server_error"),
        ([wire(said("error", status=401, v="bad key sk-own"))], "upstream_auth"),
    ],
)
async def test_a_broken_stream_never_looks_whole(last: list[bytes | UpstreamError], code: str) -> None:
    frames = await stream(begin(Played(*[wire(START), wire(HELLO), *last, wire(HELLO)][: 2 + len(last)])))
    assert words(frames)[:2] == ["start", "text"]
    assert words(frames)[-2:] == ["end", "bye"]
    assert (outcome(frames)["status"], outcome(frames)["error"]["code"]) == ("failed", code)
    assert "sk-own" not in str(frames)


async def test_what_came_before_garbage_in_one_read_is_kept() -> None:
    frames = await stream(begin(Played(wire(START, HELLO) + b"data: {\n\n")))
    assert words(frames) == ["start", "text", "end", "bye"]


async def test_a_last_event_without_its_blank_line_counts() -> None:
    frames = await stream(begin(Played(wire(START), wire(END)[:-1])))
    assert outcome(frames)["status"] == "completed"


async def test_a_json_answer_to_a_stream_is_streamed() -> None:
    body = json.dumps({"events": [START, HELLO, END]}).encode()
    frames = await stream(begin(Played(body[:9], body[9:], headers=JSON)))
    assert words(frames) == ["start", "text", "end", "bye"]


async def test_without_a_content_type_what_was_asked_for_is_expected() -> None:
    frames = await stream(begin(Played(wire(START, HELLO, END), headers={})))
    assert words(frames) == ["start", "text", "end", "bye"]


# --- the whole answer


async def whole(answer: Played) -> dict[str, Any]:
    exchange = begin(answer, {"model": "stub-1"})
    await exchange.start()
    return json.loads(await exchange.body())


async def test_a_whole_answer_arrives() -> None:
    body = json.dumps({"events": [START, HELLO, HELLO, END]}).encode()
    assert await whole(Played(body, headers=JSON)) == {"text": "hellohello", "status": "completed"}


async def test_a_stream_where_json_was_asked_for_is_gathered() -> None:
    answer = Played(wire(START), wire(HELLO, HELLO), wire(END), wire(HELLO))
    assert await whole(answer) == {"text": "hellohello", "status": "completed"}
    assert answer.read == 3


async def test_a_failed_answer_that_had_begun_keeps_its_text() -> None:
    body = json.dumps({"events": [START, HELLO]}).encode()
    assert await whole(Played(body, headers=JSON)) == {"text": "hello", "status": "failed"}


async def test_losses_of_the_answer_join_those_of_the_request() -> None:
    body = json.dumps({"events": [START, said("text", v="¤"), END]}).encode()
    exchange = begin(Played(body, headers=JSON), {**LOSSY, "stream": False})
    await exchange.start()
    await exchange.body()
    assert [loss.path for loss in exchange.losses] == ["temperature", "output[0]"]


async def test_closing_twice_closes_once() -> None:
    answer = Played(wire(START, END))
    exchange = begin(answer)
    await exchange.start()
    await exchange.aclose()
    await exchange.aclose()
    assert answer.closed == 1


async def test_an_answer_longer_than_the_limit_is_an_error_of_the_vendor() -> None:
    with pytest.raises(ProtocolError, match="larger than the limit of 1000 bytes"):
        await whole(Played(b" " * 999, b"{}", headers=JSON))
