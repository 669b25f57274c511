"""A dialect with words of its own, for tests, and its vendor, which may pause within an answer.

A body says `engine`, `heat` and `ask`; `mood` and `oath` are words that no other vendor knows: the first is lost there,
the second refused. The dialect counts UTF-8 bytes. Its repeater tells the vendor's events as they came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adapters.hub import events as ev
from adapters.hub.adapter import Continuation, Emulation, Encoding, Offsets, Surface
from adapters.hub.coverage import Rule
from adapters.hub.losses import Ledger
from adapters.hub.request import Origin, Request
from adapters.sse import frame
from adapters.wire_json import Json, dumps
from tests.app import stub

PRIVATE = {"mood": Rule("dropped", "nobody else has moods"), "oath": Rule("rejected", "nobody else swears")}
OFFSETS: list[Offsets | None] = []
"""What the last requests were read in."""
REPEATERS: list[Repeater] = []
"""The last that were made."""


class Unmoved:
    """A stage that changes nothing."""

    def feed(self, events: list[ev.Event], /) -> list[ev.Event]:
        return events


class Repeater:
    """Tells every event of the wire but those that tell of a pause; the end only once the walk has ended."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.seen: list[ev.Event] = []
        REPEATERS.append(self)
        self._end = b""

    def feed(self, event: ev.Event, /) -> list[bytes]:
        self.seen.append(event)
        match event:
            case ev.Told(body=None, data=data):
                told, self._end = frame(b"told", data), b""
                if b'"end"' in data or b'"error"' in data:
                    self._end, told = told, b""
                return [told] if told else []
            case ev.Ended(error=error):
                return [self._end or frame(b"failed", dumps(error.message if error else None))]
            case _:
                return []

    def close(self) -> list[bytes]:
        return [frame(b"done", b"[DONE]")]

    def body(self) -> bytes:
        return dumps([event.body for event in self.seen if type(event) is ev.Told])


def _decode_request(body: Json, offsets: Offsets | None = None, /) -> Request:
    OFFSETS.append(offsets)
    request = Request("retold", body["engine"], [], text=body.get("ask"), stream=body.get("stream", False))
    request.sampling.temperature = body.get("heat")
    request.sampling.stop = body.get("stop", [])
    private = {word: rule for word, rule in PRIVATE.items() if word in body}
    request.origin = Origin(body, private, {"model": "engine", "temperature": "heat"})
    return request


def emulate(request: Request, tools: frozenset[str], _losses: Ledger) -> Emulation | None:
    return None if "custom" in tools else Emulation(request, Unmoved())


def _continue(body: Json, ended: ev.Ended, _losses: Ledger) -> Json | None:
    return {**body, "token": ended.resume.token} if ended.resume is not None else None


def _join(_ids: Sequence[str], ends: Sequence[ev.Ended]) -> ev.Ended:
    return ends[-1]


SURFACE = Surface(
    dialect="retold",
    paths=("/retold/answers", "/{version}/of/{place}/retold"),
    default_provider="retold",
    decode_request=_decode_request,
    encoder=stub.Encoder,
    credential=lambda headers, query: query.get("key") or headers.get("x-retold-key"),
    encode_error=lambda error: {"retold": error.message, "at": error.param},
    offsets="utf8",
    repeater=Repeater,
)


def vendor(**changes: Any) -> stub.Adapter:
    """The dialect's own vendor, or another in its place."""
    own = stub.vendor("retold", ("retold-*",), surface=SURFACE)
    return replace(own, continuation=Continuation(_continue, _join), **changes)
