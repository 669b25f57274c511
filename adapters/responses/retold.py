"""Requests of dialects with other words than the family's: retold in the common words, and read as such."""

from __future__ import annotations

from adapters.hub.errors import BadRequest
from adapters.hub.origin import respell
from adapters.hub.request import Origin, Request
from adapters.responses.request import decode_request
from adapters.wire_json import Json


def decode_retold(body: Json, wire: str, origin: Origin) -> Request:
    """Read `body`, which tells in the common words what a client of the dialect `wire` said as `origin`.

    Raises `BadRequest` with the path of the field at fault in the client's own words.
    """
    try:
        request = decode_request(body, wire)
    except BadRequest as error:
        respell(origin, error)
        raise
    request.origin = origin
    return request
