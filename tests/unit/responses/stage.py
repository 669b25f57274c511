"""Plays events of the Responses wire: as the walk that they become, and as what a client is shown of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import adapters
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Fidelity, Offsets
from adapters.hub.grammar import check_walk
from adapters.hub.losses import Ledger
from adapters.sse import SseEvent, SseParser
from adapters.wire_json import Json, dumps, loads

NOW = 1_700_000_000.0


class CountingMint:
    """Ids that count from 1, and a clock that stands still."""

    def __init__(self) -> None:
        self.made = 0

    def id(self, prefix: str) -> str:
        self.made += 1
        return f"{prefix}{self.made:024x}"

    def now(self) -> float:
        return NOW


def created(**fields: Any) -> Json:
    return {"type": "response.created", "response": {"id": "resp_1", "object": "response", "model": "m", **fields}}


def ended(output: list[Any] | None = None, type_: str = "completed", **fields: Any) -> Json:
    response: Json = {"id": "resp_1", "object": "response", "model": "m", "status": type_, **fields}
    if output is not None:
        response["output"] = output
    return {"type": f"response.{type_}", "response": response}


def on(event: str, index: int, **fields: Any) -> Json:
    return {"type": f"response.{event}", "output_index": index, **fields}


def said(index: int, text: str, **fields: Any) -> Json:
    return on("output_text.delta", index, **{"content_index": 0, "delta": text, **fields})


def message(text: str | None = None, id: str = "msg_1", **fields: Any) -> Json:
    """A message; with `text`, a finished one."""
    content: list[Json] = (
        [] if text is None else [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    )
    status = "in_progress" if text is None else "completed"
    return {"type": "message", "id": id, "role": "assistant", "status": status, "content": content, **fields}


def call(arguments: str = "", id: str = "fc_1", **fields: Any) -> Json:
    status = "completed" if arguments else "in_progress"
    said: Json = {"type": "function_call", "id": id, "call_id": f"call_{id}", "name": "f", "arguments": arguments}
    return {**said, "status": status, **fields}


def walk(vendor: str, *events: Json | bytes) -> list[ev.Event]:
    """The legal walk of a whole stream; events as JSON values, or as the bytes of their data."""
    decoder = adapters.load(vendor).codec.decoder()
    walked = [
        found
        for event in events
        for found in decoder.feed(SseEvent(b"", event if isinstance(event, bytes) else dumps(event)))
    ]
    walked += decoder.close()
    assert decoder.close() == []
    check_walk(walked)
    return walked


def frames(
    walked: Iterable[ev.Event],
    fidelity: Fidelity = "rich",
    losses: Ledger | None = None,
    offsets: Offsets | None = None,
    **request: Any,
) -> list[Json]:
    """The events that a client is shown, each of which keeps the dialect's grammar, which counts code points."""
    surface = adapters.load("openai").surface
    assert surface is not None
    asked = surface.decode_request({"model": "m", "input": "x", "stream": True, **request})
    losses = losses if losses is not None else Ledger()
    encoder = surface.encoder(Encoding(asked, CountingMint(), fidelity, losses, offsets))
    sent = b"".join(frame for event in walked for frame in encoder.feed(event)) + b"".join(encoder.close())
    events = SseParser().feed(sent)
    if fidelity != "native" and offsets is None:
        assert surface.check is not None
        assert surface.check(events).violations == ()
    return [loads(event.data) for event in events]


def shown(vendor: str, *events: Json | bytes, fidelity: Fidelity = "rich") -> list[Json]:
    """What a client is shown of a vendor's stream."""
    return frames(walk(vendor, *events), fidelity)


def body(walked: Iterable[ev.Event], fidelity: Fidelity = "rich", **request: Any) -> Json:
    """The whole answer of a client that does not stream."""
    surface = adapters.load("openai").surface
    assert surface is not None
    asked = surface.decode_request({"model": "m", "input": "x", **request})
    encoder = surface.encoder(Encoding(asked, CountingMint(), fidelity))
    assert [frame for event in walked for frame in encoder.feed(event)] == []
    return loads(encoder.body())


def names(events: Iterable[Json]) -> list[str]:
    """Their types, without the common prefix."""
    return [event["type"].removeprefix("response.") for event in events]


def final(events: list[Json]) -> Json:
    """The response of the terminal event."""
    return events[-1]["response"]


def _cited(event: ev.Annotated) -> str:
    span = event.annotation.span
    where = f"{span.start}..{span.end}" if span is not None else "nowhere"
    return f"{event.item}.{event.part} cites {type(event.annotation).__name__} {where}"


_LINES: dict[type, Callable[[Any], str]] = {
    ev.Started: lambda e: f"started {e.id or '-'}",
    ev.Progressed: lambda e: f"{'response' if e.item is None else e.item} is {e.phase}",
    ev.ItemStarted: lambda e: " ".join(filter(None, (str(e.item), e.kind, e.id, e.call_id, e.name))),
    ev.PartStarted: lambda e: f"{e.item}.{e.part} {e.kind}",
    ev.Delta: lambda e: f"{e.item}.{e.part} + {e.text}",
    ev.Annotated: _cited,
    ev.PartEnded: lambda e: f"{e.item}.{e.part} ends",
    ev.ItemEnded: lambda e: f"{e.item} ends {e.status}" + (f" signed {e.signature.blob}" if e.signature else ""),
    ev.Ended: lambda e: f"ended {e.status} {e.finish.unified}",
    ev.Opaque: lambda e: f"opaque {e.payload.get('type')}",
}


def lines(walked: Iterable[ev.Event]) -> list[str]:
    """A walk, one short line an event."""
    return [_LINES[type(event)](event) for event in walked]
