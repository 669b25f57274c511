"""Volcengine Ark as a member of the Responses family."""

from __future__ import annotations

from adapters.ark.annotations import decode_annotation
from adapters.ark.endpoint import NAME, decode_event_error
from adapters.ark.request import encode_request
from adapters.ark.retelling import RETOLD, ArkRetelling
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.responses.decode import ResponsesDecoder
from adapters.responses.dialect import Dialect
from adapters.wire_json import Json

DIALECT = Dialect(
    NAME,
    decode_annotation,
    decode_event_error,
    items={"knowledge_search_call": "file_search_call"},
    thinks_in_messages=True,
    retelling=ArkRetelling,
    retold=RETOLD,
)


class ArkCodec:
    """Requests to Ark, answers from it."""

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        return encode_request(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return ResponsesDecoder(DIALECT).response(body)

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder(DIALECT)
