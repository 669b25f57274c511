"""A member of the family as a vendor: what it is sent is its own, what it answers the family reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.responses.decode import ResponsesDecoder
from adapters.responses.dialect import Dialect
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class FamilyCodec:
    """Requests to the member of `dialect`, answers from it."""

    dialect: Dialect
    encode: Callable[[Request, Ledger], Json]

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        return self.encode(request, losses)

    def decode_response(self, body: Json) -> list[Event]:
        return self.decoder().response(body)

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder(self.dialect)
