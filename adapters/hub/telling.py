"""Telling: a decoder that also hands on the wire's own events, for clients that speak that wire themselves."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.hub.adapter import Codec, StreamDecoder
from adapters.hub.errors import ProtocolError
from adapters.hub.events import Ended, Event, Told
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.sse import SseEvent
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class TellingCodec:
    """A codec whose walks hold every event of the wire besides what it says."""

    codec: Codec

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        return self.codec.encode_request(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return _after(Told(body=body), self.codec.decode_response(body))

    def decoder(self) -> StreamDecoder:
        return _TellingDecoder(self.codec.decoder())


class _TellingDecoder:
    __slots__ = ("_decoder", "_ended", "close", "fail")

    def __init__(self, decoder: StreamDecoder) -> None:
        self._decoder = decoder
        self._ended = False
        self.close = decoder.close
        self.fail = decoder.fail

    def feed(self, event: SseEvent, /) -> list[Event]:
        if self._ended:
            return []
        events = self._decoder.feed(event)
        self._ended = bool(events) and type(events[-1]) is Ended
        return _after(Told(event.name, event.data), events)


def _after(told: Told, events: list[Event]) -> list[Event]:
    """What breaks the wire's own rules is not repeated: the walk's end says what it was."""
    last = events[-1] if events else None
    broken = type(last) is Ended and isinstance(last.error, ProtocolError)
    return events if broken else [told, *events]
