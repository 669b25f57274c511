"""OpenAI as a member of the Responses family."""

from __future__ import annotations

from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.openai.endpoint import NAME, decode_event_error
from adapters.openai.request import encode_request
from adapters.responses.annotations import decode_annotation
from adapters.responses.decode import ResponsesDecoder
from adapters.responses.dialect import Dialect
from adapters.wire_json import Json

DIALECT = Dialect(NAME, lambda raw: decode_annotation(raw, NAME), decode_event_error)


class OpenAICodec:
    """Requests to OpenAI, answers from it."""

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        return encode_request(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return ResponsesDecoder(DIALECT).response(body)

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder(DIALECT)
