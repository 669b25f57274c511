"""Plays events of the Interactions wire and tells the walk in short lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from adapters.hub import events as ev
from adapters.hub.grammar import check_walk
from adapters.interactions.decode import Decoder
from adapters.sse import SseEvent
from adapters.wire_json import dumps

Play = Callable[..., list[ev.Event]]
Tell = Callable[[Iterable[ev.Event]], list[str]]


def _play(*events: Any, close: bool = True) -> list[ev.Event]:
    """The legal walk of a stream: events as JSON values, or as the bytes of their data."""
    decoder = Decoder("gemini")
    walk = [
        found
        for event in events
        for found in decoder.feed(SseEvent(b"", event if isinstance(event, bytes) else dumps(event)))
    ]
    if close:
        walk += decoder.close()
        assert decoder.close() == []
        check_walk(walk)
    return walk


def _words(*words: object) -> str:
    return " ".join(str(word) for word in words if word not in ("", None))


def _tell_citation(event: ev.Annotated) -> str:
    span = event.annotation.span
    where = f"{span.start}..{span.end}" if span is not None else "nowhere"
    return f"{event.item}.{event.part} cites {type(event.annotation).__name__} {where}"


def _tell_end(event: ev.ItemEnded) -> str:
    signed = f"signed {event.signature.blob}" if event.signature is not None else None
    kept = f"keeps {event.extra.data}" if event.extra is not None else None
    return _words(event.item, "ends", event.status, signed, event.outcome, kept)


_LINES: dict[type, Callable[[Any], str]] = {
    ev.Started: lambda e: f"started {e.id or '-'} {e.model or '-'}",
    ev.Progressed: lambda e: f"{'response' if e.item is None else e.item} is {e.phase}",
    ev.ItemStarted: lambda e: _words(e.item, e.kind, e.id, e.call_id, e.name),
    ev.PartStarted: lambda e: _words(f"{e.item}.{e.part}", e.kind, e.media),
    ev.Delta: lambda e: f"{e.item}.{e.part} + {e.text}",
    ev.Annotated: _tell_citation,
    ev.PartEnded: lambda e: f"{e.item}.{e.part} ends",
    ev.ItemEnded: _tell_end,
    ev.Ended: lambda e: _words("ended", e.status, e.finish.unified, e.finish.raw or "-", e.error and e.error.code),
    ev.Opaque: lambda e: f"opaque {e.payload.get('event_type') or e.payload.get('type')}",
}


@pytest.fixture(scope="session")
def play() -> Play:
    return _play


@pytest.fixture(scope="session")
def tell() -> Tell:
    return lambda events: [_LINES[type(event)](event) for event in events]
