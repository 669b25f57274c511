"""What HTTP asks of every route: the body's limit, the client's leaving, comments on silence, errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import nullcontext
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from adapters.hub.errors import BadRequest, HubError, Overloaded, RateLimited, TooLarge, UpstreamError
from app.http.body import read_body
from app.http.client import ClientLeft, ClientWatch
from app.http.errors import Faces, error_response, internal_error, retry_headers
from app.http.middleware import Recorder
from app.http.sse import PING, send_frames
from app.silence import Silence
from tests.app.stub import SURFACE, vendor

# --- the body


def giving(*messages: Message) -> Receive:
    rest = list(messages)

    async def receive() -> Message:
        return rest.pop(0)

    return receive


def part(body: bytes, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_the_body_is_joined() -> None:
    assert await read_body({}, giving(part(b"ab", True), part(b"", True), part(b"cd", False)), 4) == b"abcd"


async def test_a_body_over_the_limit_is_refused_while_it_comes() -> None:
    receive = giving(part(b"abc", True), part(b"de", True))
    with pytest.raises(TooLarge, match="4 bytes") as caught:
        await read_body({}, receive, 4)
    assert caught.value.status == 413


async def test_a_body_that_says_it_is_over_the_limit_is_not_read() -> None:
    with pytest.raises(TooLarge):
        await read_body({"content-length": "5"}, giving(), 4)


async def test_a_compressed_body_is_refused_for_what_it_is() -> None:
    with pytest.raises(BadRequest, match="gzip") as caught:
        await read_body({"content-encoding": "gzip"}, giving(), 4)
    assert caught.value.status == 415
    assert await read_body({"content-encoding": "Identity"}, giving(part(b"{}", False)), 4) == b"{}"


async def test_a_client_that_leaves_within_its_body_is_noticed() -> None:
    with pytest.raises(ClientLeft):
        await read_body({}, giving(part(b"a", True), {"type": "http.disconnect"}), 4)


# --- the client's leaving


class Line:
    """A `receive` that tells of the client's leaving once `leave` was called."""

    def __init__(self) -> None:
        self._left = asyncio.Event()
        self.leave = self._left.set

    async def receive(self) -> Message:
        await self._left.wait()
        return {"type": "http.disconnect"}


async def test_leaving_cancels_the_work() -> None:
    async def work() -> int:
        line = Line()
        try:
            async with ClientWatch(line.receive):
                line.leave()
                await asyncio.Event().wait()
        except ClientLeft:
            task = asyncio.current_task()
            return task.cancelling() if task is not None else -1
        return -1

    assert await asyncio.create_task(work()) == 0


async def test_work_that_is_done_is_left_alone() -> None:
    line = Line()
    async with ClientWatch(line.receive):
        await asyncio.sleep(0)
        line.leave()
    await asyncio.sleep(0)


async def test_an_error_of_the_work_passes() -> None:
    with pytest.raises(BadRequest):
        async with ClientWatch(Line().receive):
            raise BadRequest("no")


async def test_a_cancellation_from_elsewhere_stays_one() -> None:
    async def work() -> None:
        async with ClientWatch(Line().receive):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# --- frames and comments


class Sent:
    """A `send` that keeps what it is given; `gate` holds sends back while it is closed."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.arrived = asyncio.Condition()

    async def __call__(self, message: Message) -> None:
        await self.gate.wait()
        self.messages.append(message)
        async with self.arrived:
            self.arrived.notify_all()

    @property
    def bodies(self) -> list[bytes]:
        return [message["body"] for message in self.messages[1:]]

    async def until(self, count: int) -> None:
        async with asyncio.timeout(5), self.arrived:
            await self.arrived.wait_for(lambda: len(self.messages) >= count)


async def frames(*pieces: bytes | asyncio.Event, closed: list[str] | None = None) -> AsyncGenerator[bytes]:
    try:
        for piece in pieces:
            if isinstance(piece, asyncio.Event):
                await piece.wait()
            else:
                yield piece
    finally:
        if closed is not None:
            closed.append("closed")


async def test_frames_are_sent_one_by_one_under_an_event_streams_head() -> None:
    sent = Sent()
    await send_frames(sent, frames(b"one", b"two"), {"x-a": "b"}, Silence(60))
    head = dict(sent.messages[0]["headers"])
    assert sent.messages[0]["status"] == 200
    assert head[b"content-type"] == b"text/event-stream; charset=utf-8"
    assert (head[b"cache-control"], head[b"x-a"]) == (b"no-store", b"b")
    assert sent.bodies == [b"one", b"two", b""]
    assert [message["more_body"] for message in sent.messages[1:]] == [True, True, False]


async def test_a_silent_stream_gets_comments_between_its_frames() -> None:
    sent, more = Sent(), asyncio.Event()
    task = asyncio.create_task(send_frames(sent, frames(b"one", more, b"two"), {}, Silence(0.01)))
    await sent.until(4)
    more.set()
    await task
    assert sent.bodies[0] == b"one"
    assert sent.bodies[-2:] == [b"two", b""]
    assert set(sent.bodies[1:-2]) == {PING}


async def test_a_client_that_does_not_read_gets_no_comments() -> None:
    sent = Sent()
    task = asyncio.create_task(send_frames(sent, frames(b"one", b"two"), {}, Silence(0.005)))
    await sent.until(1)
    sent.gate.clear()
    await asyncio.sleep(0.05)
    sent.gate.set()
    await task
    assert sent.bodies == [b"one", b"two", b""]


async def test_a_cancelled_stream_closes_its_source() -> None:
    sent, closed = Sent(), list[str]()
    task = asyncio.create_task(send_frames(sent, frames(b"one", asyncio.Event(), closed=closed), {}, Silence(60)))
    await sent.until(2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed == ["closed"]


# --- errors


def test_an_error_speaks_the_dialect_of_its_path() -> None:
    response = error_response(SURFACE, BadRequest("no", param="a.b"))
    assert (response.status_code, response.media_type) == (400, "application/json")
    assert json.loads(bytes(response.body)) == {"oops": "no", "code": "invalid_value", "param": "a.b"}


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (BadRequest("no"), {}),
        (Overloaded("busy", retryable=True), {"x-should-retry": "true"}),
        (RateLimited("spent"), {"x-should-retry": "false"}),
        (
            RateLimited("slow", retryable=True, retry_after=45.837906927),
            {"x-should-retry": "true", "retry-after": "46", "retry-after-ms": "45838"},
        ),
        (
            RateLimited("slow", retryable=True, retry_after=0),
            {"x-should-retry": "true", "retry-after": "0", "retry-after-ms": "0"},
        ),
        (RateLimited("odd", retry_after=-1), {"x-should-retry": "false"}),
    ],
)
def test_when_to_try_again_is_told_where_it_is_known(error: HubError, expected: Mapping[str, str]) -> None:
    assert retry_headers(error) == expected


def test_a_fault_of_our_own_tells_nothing() -> None:
    body: Any = json.loads(bytes(error_response(SURFACE, internal_error()).body))
    assert (internal_error().status, body["code"]) == (500, "internal_error")


def test_a_path_that_is_nobodys_speaks_the_most_like_dialect() -> None:
    second = vendor("second", (), surface=None)
    other = SURFACE.__class__(
        **{name: getattr(SURFACE, name) for name in SURFACE.__slots__ if name not in ("paths", "dialect")},
        paths=("/api/v3/answers",),
        dialect=second.name,
    )
    faces = Faces([SURFACE, other])
    assert faces.at("/api/v3/answers") is other
    assert faces.at("/api/v3/else") is other
    assert faces.at("/stub/else") is SURFACE
    assert faces.at("/") is SURFACE


def test_a_status_that_http_does_not_have_is_told_as_a_bad_gateway() -> None:
    assert error_response(SURFACE, UpstreamError("go away", status=999)).status_code == 502
    assert error_response(SURFACE, UpstreamError("go away", status=529)).status_code == 529


# --- the record


@pytest.mark.parametrize(("given", "shown"), [(b"c-1", "r-7 client c-1"), (b"c\n1", "r-7"), (b"", "r-7")])
async def test_the_log_quotes_the_id_that_the_client_shows(
    given: bytes, shown: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "dragoman")

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(_: Message) -> None: ...

    headers = [(b"x-request-id", b"r-7"), (b"x-client-request-id", given)]
    scope = {"type": "http", "method": "POST", "path": "/", "raw_path": b"/", "headers": headers}
    await Recorder(answer, Faces([SURFACE]))(scope, giving(), send)
    assert caplog.messages[-1].endswith(f" bytes {shown}")


@pytest.mark.parametrize("begun", [True, False])
async def test_a_fault_of_our_own_is_logged_with_the_requests_id(begun: bool, caplog: pytest.LogCaptureFixture) -> None:
    sent: list[Message] = []

    async def fail(_scope: Scope, _receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("a fault of our own")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "raw_path": b"/", "headers": [(b"x-request-id", b"r-7")]}
    with pytest.raises(RuntimeError) if begun else nullcontext():
        await Recorder(fail, Faces([SURFACE]))(scope, giving(), send)
    assert sent[0]["status"] == (200 if begun else 500)
    (fault,) = (record for record in caplog.records if record.exc_info)
    assert fault.getMessage() == "r-7 failed"
