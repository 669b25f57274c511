"""Telling: a decoder that also hands on the wire's own events, for clients that speak that wire themselves."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.hub.adapter import Adapter, Codec, Offsets, StreamDecoder, Surface
from adapters.hub.errors import ProtocolError
from adapters.hub.events import Ended, Event, Told
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.sse import SseEvent
from adapters.wire_json import Json, texts_in


def repeats(surface: Surface, adapter: Adapter, offsets: Offsets | None) -> bool:
    """Whether clients of `surface` who count by `offsets` can be told the vendor's answers in its own words."""
    own = surface.default_provider == adapter.name and offsets in (None, surface.offsets)
    return own and surface.repeater is not None


@dataclass(frozen=True, slots=True)
class TellingCodec:
    """A codec whose walks hold every event of the wire besides what it says."""

    codec: Codec

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        return self.codec.encode_request(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return _tell(Told(body=body), self.codec.decode_response(body))

    def decoder(self) -> StreamDecoder:
        return _TellingDecoder(self.codec.decoder())


class _TellingDecoder:
    __slots__ = ("_ended", "_feed", "close", "fail")

    def __init__(self, decoder: StreamDecoder) -> None:
        self._feed = decoder.feed
        self._ended = False
        self.close = decoder.close
        self.fail = decoder.fail

    def feed(self, event: SseEvent, /) -> list[Event]:
        if self._ended:
            return []
        events = self._feed(event)
        if events and type(events[-1]) is Ended:
            self._ended = True
            return _tell(Told(event.name, event.data), events)
        events.insert(0, Told(event.name, event.data))  # they are nobody else's
        return events


def _tell(told: Told, events: list[Event]) -> list[Event]:
    """What breaks the wire's own rules is not repeated: the walk's end says what it was."""
    last = events[-1] if events else None
    broken = type(last) is Ended and isinstance(last.error, ProtocolError)
    return events if broken else [told, *events]


def end_untold(events: list[Event]) -> list[Event]:
    """The events of a walk's end without the wire's own that told of it: the last of those."""
    last = max((place for place, event in enumerate(events) if type(event) is Told), default=len(events))
    return events[:last] + events[last + 1 :]


def hush(events: list[Event], secret: str) -> list[Event]:
    """The events without the wire's own that hold `secret`, as an error may: the walk tells what they said."""
    return [event for event in events if type(event) is not Told or not _holds(event, secret)]


def _holds(told: Told, secret: str) -> bool:
    return secret.encode() in told.data or any(secret in text for text in texts_in(told.body))
