"""The translations of Gemini's side, under one roof."""

from __future__ import annotations

from adapters.faces.gemini.own import encode_own
from adapters.gemini.endpoint import NAME
from adapters.gemini.request import encode_request
from adapters.hub.errors import Unsupported
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.interactions.decode import Decoder
from adapters.wire_json import Json


class GeminiCodec:
    """Requests to Gemini, answers from it."""

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        """The body for Gemini: the client's own, where it speaks Gemini's dialect. Raises as `encode_request`."""
        if request.background and not request.stream:
            why = "A background answer is not ready when Gemini answers: ask for a stream."
            raise Unsupported(why, param="background")
        if request.origin is not None and request.wire == NAME:
            return encode_own(request, request.origin, losses)
        return encode_request(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return Decoder(NAME).answer(body)

    def decoder(self) -> Decoder:
        return Decoder(NAME)
