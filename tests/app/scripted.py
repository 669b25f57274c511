"""An upstream that plays answers from a script, and whole exchanges over it with the vendors there are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import adapters
from adapters.hub.errors import UpstreamError
from adapters.sse import SseParser
from app.exchange import Exchange, Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from app.upstream.call import Answer, Call

Json = dict[str, Any]
SSE = {"content-type": "text/event-stream; charset=utf-8"}
JSON = {"content-type": "application/json"}
RESPONSES = next(
    surface
    for name in adapters.names()
    if (surface := adapters.load(name).surface) is not None and surface.dialect == "responses"
)


class Played:
    """An answer that gives `pieces`, raising those that are errors; it counts how often it was read and closed."""

    def __init__(self, *pieces: bytes | UpstreamError, status: int = 200, headers: Mapping[str, str] = SSE) -> None:
        self.status = status
        self.headers = headers
        self.closed = 0
        self.read = 0
        self._pieces = pieces

    async def chunks(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            self.read += 1
            if isinstance(piece, UpstreamError):
                raise piece
            yield piece

    async def aclose(self) -> None:
        self.closed += 1


class Script:
    """Gives one answer, or refuses, for each call; a call more than there are answers is a mistake."""

    def __init__(self, answers: Iterable[Answer | UpstreamError]) -> None:
        self._answers = list(answers)
        self.calls: list[Call] = []

    async def open(self, call: Call, /) -> Answer:
        self.calls.append(call)
        answer = self._answers.pop(0)
        if isinstance(answer, UpstreamError):
            raise answer
        return answer

    async def aclose(self) -> None: ...

    @property
    def bodies(self) -> list[Json]:
        """What was asked, call by call."""
        return [json.loads(call.body) for call in self.calls]


@dataclass
class Told:
    """What the client was sent: the bytes, the response they end in, and what was lost."""

    sent: bytes
    response: Json
    losses: list[str]

    @property
    def texts(self) -> list[str]:
        """The text of each message."""
        messages = [item for item in self.response["output"] if item["type"] == "message"]
        return ["".join(part["text"] for part in item["content"]) for item in messages]


def begin(upstream: Script, vendor: str, body: Json, fidelity: str = "rich") -> Exchange:
    """An exchange of a client of the Responses dialect with `vendor`."""
    settings = Settings.model_validate({"upstreams": {vendor: {"api_key": "sk-own"}}})
    gateway = Gateway(build_router(settings), upstream, RandomMint(), max_event_bytes=100_000)
    headers = {"x-provider": vendor, "x-dragoman-fidelity": fidelity}
    return gateway.begin(RESPONSES, headers, json.dumps({"model": "m", "input": "hi"} | body).encode())


async def run(exchange: Exchange) -> Told:
    """The whole answer, streamed or not; a stream must be well formed."""
    await exchange.start()
    if not exchange.streamed:
        sent = await exchange.body()
        response = json.loads(sent)
    else:
        sent = b"".join([piece async for piece in exchange.frames()])
        events = SseParser().feed(sent)
        assert RESPONSES.check is not None
        assert RESPONSES.check(events).violations == ()
        response = json.loads(events[-1].data)["response"]
    await exchange.aclose()
    return Told(sent, response, [loss.path for loss in exchange.losses])
