"""The transport over real sockets: what a vendor or a client may do to a connection, and what comes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from adapters.sse import SseParser
from tests.e2e.lines import (
    END,
    HELLO,
    START,
    Line,
    Script,
    Vendor,
    calling,
    gateway_before,
    said,
    vendor_playing,
    wait_for,
)

pytestmark = pytest.mark.usefixtures("stub_vendors")

STREAM = {"model": "stub-1", "say": "hi", "stream": True}
WHOLE = {"model": "stub-1", "say": "hi"}


@dataclass
class Setup:
    """A vendor, the gateway before it and a client of it."""

    vendor: Vendor
    port: int
    client: httpx.AsyncClient

    async def ask(self, body: Any = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else json.dumps(STREAM if body is None else body).encode()
        return await self.client.post("/stub/answers", content=content, headers=named)


@asynccontextmanager
async def setup(script: Script, **settings: Any) -> AsyncGenerator[Setup]:
    async with (
        vendor_playing(script) as vendor,
        gateway_before(vendor.url, **settings) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as client,
    ):
        yield Setup(vendor, port, client)


def frames(body: bytes) -> list[tuple[str, Any]]:
    return [(event.name.decode(), json.loads(event.data)) for event in SseParser().feed(body)]


def names(body: bytes) -> list[str]:
    return [name for name, _ in frames(body)]


def failure(body: bytes) -> str | None:
    end = dict(frames(body))["end"]
    return end["error"]["code"] if end["error"] else None


async def play_all(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO, HELLO, END)
    await line.end()


# --- what a vendor may do


async def test_a_stream_passes() -> None:
    async with setup(play_all) as at:
        answer = await at.ask()
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-provider"] == "stub"
    assert names(answer.content) == ["start", "text", "text", "end", "bye"]
    assert b"\nid:" not in answer.content


async def test_line_ends_comments_and_cuts_at_every_byte_do_not_matter() -> None:
    odd = b"\xef\xbb\xbf: hello\r\n\r\nretry: 9\r\n\r\n" + (START + said("text", v="你😀") + END).replace(
        b"\n", b"\r\n"
    )

    async def script(line: Line) -> None:
        await line.begin()
        for at in range(len(odd)):
            await line.chunk(odd[at : at + 1])
            await asyncio.sleep(0)
        await line.end()

    async with setup(script) as at:
        assert frames((await at.ask()).content)[1:2] == [("text", "你😀")]


async def cut(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    line.writer.close()


async def cut_within_a_character(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO, 'data: {"t": "text", "v": "你'.encode()[:-1])
    await line.end()


async def reset(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    await asyncio.sleep(0.05)
    line.reset()


async def garbage(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO, b"data: \xff\xfe not json\n\n", END)
    await line.end()


async def broken_chunk(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    await asyncio.sleep(0.05)
    await line.send(b"zz\r\nno size\r\n")
    await asyncio.Event().wait()


async def too_large(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    await asyncio.sleep(0.05)
    await line.chunk(said("text", v="x" * 20_000), END)
    await line.end()


async def silent(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (cut, "upstream_protocol_error"),
        (cut_within_a_character, "upstream_protocol_error"),
        (reset, "upstream_protocol_error"),
        (garbage, "upstream_protocol_error"),
        (broken_chunk, "timeout"),  # aiohttp closes the connection and tells no reader of it: the silence does
        (too_large, "upstream_protocol_error"),
        (silent, "timeout"),
    ],
)
async def test_a_broken_stream_ends_as_failed_with_its_text_kept(script: Script, code: str) -> None:
    async with setup(script, max_event_bytes=10_000, read_seconds=0.3) as at:
        answer = await at.ask()
        if script is silent:
            await wait_for(at.vendor.left)
    assert answer.status_code == 200
    assert names(answer.content) == ["start", "text", "end", "bye"]
    assert failure(answer.content) == code


async def hang(_: Line) -> None:
    await asyncio.Event().wait()


async def hang_after_the_head(line: Line) -> None:
    await line.begin()
    await asyncio.Event().wait()


async def close_at_once(line: Line) -> None:
    line.writer.close()


async def speak_no_http(line: Line) -> None:
    await line.send(b"SSH-2.0-hello\r\n\r\n")


async def fail_at_once(line: Line) -> None:
    await line.begin()
    await line.chunk(said("error", status=429, v="slow down"))
    await line.end()


async def refuse(line: Line) -> None:
    await line.whole("slow down", "429 Too Many Requests", "x-wait: 1.2")


async def redirect(line: Line) -> None:
    await line.whole(
        "", "307 Temporary Redirect", f"location: http://{line.head.split('host: ')[-1].split()[0]}/v9/speak"
    )


@pytest.mark.parametrize("body", [STREAM, WHOLE])
@pytest.mark.parametrize(
    ("script", "status", "code"),
    [
        (hang, 504, "timeout"),
        (hang_after_the_head, 504, "timeout"),
        (close_at_once, 502, "upstream_protocol_error"),
        (speak_no_http, 502, "upstream_protocol_error"),
        (fail_at_once, 429, "rate_limit_exceeded"),
        (refuse, 429, "rate_limit_exceeded"),
        (redirect, 502, "upstream_protocol_error"),
    ],
)
async def test_what_fails_before_it_began_is_an_http_error(
    script: Script, status: int, code: str, body: dict[str, Any]
) -> None:
    async with setup(script, read_seconds=0.3) as at:
        answer = await at.ask(body)
        assert len(at.vendor.asked) == 1
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["x-provider"] == "stub"
    if script is refuse:
        assert (answer.headers["retry-after"], answer.headers["retry-after-ms"]) == ("2", "1200")
        assert answer.headers["x-should-retry"] == "true"


async def test_a_vendor_that_is_not_there_is_an_http_error() -> None:
    async with gateway_before("http://127.0.0.1:9") as port, httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(f"http://127.0.0.1:{port}/stub/answers", json=STREAM)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_unreachable")


async def test_a_line_kept_open_after_the_last_event_is_closed() -> None:
    async def script(line: Line) -> None:
        await line.begin()
        await line.chunk(START, END)
        await asyncio.Event().wait()

    async with setup(script) as at:
        assert names((await at.ask()).content) == ["start", "end", "bye"]
        await wait_for(at.vendor.left)


async def test_a_body_that_ends_just_after_its_last_event_leaves_the_connection_of_use() -> None:
    async def script(line: Line) -> None:
        await line.begin()
        await line.chunk(START, END)
        await asyncio.sleep(0.02)
        await line.end()
        ended.set()

    async with setup(script) as at:
        for _ in range(3):
            ended = asyncio.Event()
            await at.ask()
            await wait_for(ended)
            await asyncio.sleep(0.02)
        assert (len(at.vendor.asked), at.vendor.connections) == (3, 1)


async def test_an_event_of_many_megabytes_passes() -> None:
    text = "x" * (8 * 1024 * 1024)

    async def script(line: Line) -> None:
        await line.begin()
        await line.chunk(START, said("text", v=text), END)
        await line.end()

    async with setup(script) as at:
        answer = await at.ask()
    assert dict(frames(answer.content))["text"] == text


async def test_a_silent_stream_is_kept_alive_with_comments() -> None:
    async def script(line: Line) -> None:
        await line.begin()
        await line.chunk(START)
        await commented.wait()
        await line.chunk(END)
        await line.end()

    commented = asyncio.Event()
    body = b""
    async with (
        setup(script, keepalive_seconds=0.05) as at,
        at.client.stream("POST", "/stub/answers", json=STREAM) as answer,
    ):
        async for piece in answer.aiter_raw():
            body += piece
            if b": ping\n\n" in body:
                commented.set()
    assert names(body) == ["start", "end", "bye"]


async def test_the_vendor_hears_nothing_but_the_call() -> None:
    async with setup(play_all) as at:
        await at.ask(None, cookie="a=b", authorization="Bearer mine", accept_encoding="gzip", x_forwarded_for="1.2.3.4")
        head = at.vendor.asked[0].head.lower()
    assert head.startswith("post /v9/speak http/1.1\r\n")
    assert "\r\naccept-encoding: identity\r\n" in head
    assert "\r\nx-key: sk-own\r\n" in head
    sent = {line.partition(":")[0] for line in head.split("\r\n")[1:] if line}
    assert sent == {"host", "content-type", "accept", "accept-encoding", "user-agent", "content-length", "x-key"}


# --- what a client may do


async def begin_and_hang(line: Line) -> None:
    await line.begin()
    await line.chunk(START, HELLO)
    await asyncio.Event().wait()


async def begin_json_and_hang(line: Line) -> None:
    await line.begin(kind="application/json")
    await line.chunk(b'{"events": [')
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("script", "body", "first"),
    [
        (hang, STREAM, b""),
        (hang_after_the_head, STREAM, b""),
        (begin_and_hang, STREAM, b"event: text"),
        (hang, WHOLE, b""),
        (begin_json_and_hang, WHOLE, b""),
    ],
)
async def test_a_client_that_leaves_closes_the_vendors_line(script: Script, body: dict[str, Any], first: bytes) -> None:
    async with setup(script) as at:
        async with calling(at.port, body) as answer:
            await wait_for(at.vendor.arrived)
            if first:
                await answer.readuntil(first)
        await wait_for(at.vendor.left)


async def test_a_slow_client_holds_the_vendor_back() -> None:
    piece = said("text", v="x" * 65_000)
    total = 400
    sent = 0

    async def script(line: Line) -> None:
        nonlocal sent
        await line.begin()
        await line.chunk(START)
        for _ in range(total):
            await line.chunk(piece)
            sent += 1
        await line.chunk(END)
        await line.end()

    async with setup(script) as at, calling(at.port, STREAM) as answer:
        await answer.readuntil(b"event: start")
        before = -1
        while before != sent:
            before = sent
            await asyncio.sleep(0.3)
        assert sent < total
        body = await answer.read()
    assert body.count(b"event: text") == total
    assert b"event: end" in body


# --- what a request may be


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_over_the_limit_is_413(announced: bool) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 1000

    async with setup(play_all, max_body_bytes=10_000) as at:
        content = b" " * 20_000 if announced else pieces()
        answer = await at.client.post("/stub/answers", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
        assert (await at.ask()).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "headers", "content", "status", "code"),
    [
        ("POST", "/stub/answers", {}, b"{", 400, "invalid_json"),
        ("POST", "/stub/answers", {}, b'{"model": 1}', 400, "invalid_value"),
        ("POST", "/stub/answers", {"x-provider": "nobody"}, b'{"model": "m"}', 400, "unknown_provider"),
        (
            "POST",
            "/stub/answers",
            {"x-dragoman-on-loss": "reject"},
            b'{"model": "lossy", "temperature": 1}',
            400,
            "lossy_request",
        ),
        ("POST", "/stub/answers", {}, b'{"model": "crash"}', 500, "internal_error"),
        ("GET", "/stub/answers", {}, b"", 405, "method_not_allowed"),
        ("POST", "/stub/answers/", {}, b"{}", 404, "not_found"),
        ("POST", "/stub/nothing", {}, b"{}", 404, "not_found"),
        ("GET", "/", {}, b"", 404, "not_found"),
        ("GET", "/stub/answers", {"connection": "upgrade", "upgrade": "websocket"}, b"", 426, "upgrade_required"),
    ],
)
async def test_every_refusal_speaks_the_dialect(
    method: str, path: str, headers: dict[str, str], content: bytes, status: int, code: str
) -> None:
    async with setup(play_all) as at:
        answer = await at.client.request(method, path, headers=headers, content=content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["x-request-id"].startswith("req_")
    assert "secrets" not in answer.text


async def test_a_refusal_says_which_vendor_cannot_be_told() -> None:
    async with setup(play_all) as at:
        answer = await at.client.post(
            "/stub/answers", headers={"x-dragoman-on-loss": "reject"}, json={"model": "lossy", "temperature": 1}
        )
    assert (answer.status_code, answer.headers.get("x-provider")) == (400, "stub")


async def test_losses_are_told_in_a_header() -> None:
    async def script(line: Line) -> None:
        walk = [json.loads(event[6:]) for event in (START, said("text", v="¤"), END)]
        await line.whole({"events": walk})

    async with setup(script) as at:
        whole = await at.ask({**WHOLE, "model": "lossy", "temperature": 1})
        plain = await at.ask(WHOLE)
    async with setup(play_all) as at:
        streamed = await at.ask({**STREAM, "model": "lossy", "temperature": 1})
        lossless = await at.ask()
    header = "x-dragoman-losses"
    assert [answer.headers.get(header) for answer in (whole, plain, streamed, lossless)] == [
        "temperature,output[0]",
        "output[0]",
        "temperature",
        None,
    ]


async def test_a_request_id_of_the_client_is_kept() -> None:
    async with setup(play_all) as at:
        assert (await at.ask(None, x_request_id="mine-1")).headers["x-request-id"] == "mine-1"
        assert (await at.ask(None, x_request_id="not sane")).headers["x-request-id"].startswith("req_")


# --- keys and the log


async def refuse_the_key(line: Line) -> None:
    key = line.head.split("x-key: ")[-1].split("\r\n")[0] if "x-key" in line.head else "none"
    await line.whole(f"bad key: {key}", "401 Unauthorized")


@pytest.mark.parametrize(
    ("own", "headers", "status", "code"),
    [
        ("sk-own", {}, 502, "upstream_auth"),
        ("sk-own", {"x_stub_key": "sk-client"}, 502, "upstream_auth"),
        ("sk-own", {"x_provider_key": "sk-client"}, 401, "invalid_api_key"),
        (None, {"x_stub_key": "sk-client"}, 401, "invalid_api_key"),
        (None, {}, 401, "invalid_api_key"),
    ],
)
async def test_whose_key_was_refused_decides_the_status(
    own: str | None, headers: dict[str, str], status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with setup(refuse_the_key, key=own) as at:
        answer = await at.ask(None, **headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "sk-" not in answer.text
    assert "sk-" not in caplog.text


async def test_the_log_has_one_line_for_each_request(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "dragoman")
    async with setup(play_all) as at:
        await at.ask({**STREAM, "model": "stub/a\nb", "say": "a secret wish"}, x_request_id="r1")
        await at.client.get("/%0Aforged", headers={"x-request-id": "r2"})
    lines = [record.getMessage() for record in caplog.records if record.name == "dragoman"]
    assert [line.split(" ms ")[0].rsplit(" ", 1)[0] for line in lines] == [
        "POST /stub/answers stub 'a\\nb' 200",
        "GET /%0Aforged - '' 404",
    ]
    assert [line.split()[-1] for line in lines] == ["r1", "r2"]
    assert "secret" not in caplog.text
