"""Reading a request's body under a limit."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import Receive

from adapters.hub.errors import BadRequest, TooLarge
from app.http.client import ClientLeft

_PLAIN = ("", "identity")


async def read_body(headers: Mapping[str, str], receive: Receive, limit: int) -> bytes:
    """The whole body. Raises `TooLarge` as soon as it is, or says it will be, over `limit` bytes.

    A compressed one is refused for what it is, `BadRequest`, before anybody reads it as broken JSON.
    """
    if (coding := headers.get("content-encoding", "").strip().lower()) not in _PLAIN:
        raise BadRequest(f"the body is compressed ({coding}): send it plain", code="unsupported_encoding", status=415)
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise _too_large(limit)
    pieces: list[bytes] = []
    held = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientLeft
        piece: bytes = message.get("body", b"")
        pieces.append(piece)
        held += len(piece)
        if held > limit:
            raise _too_large(limit)
        more = message.get("more_body", False)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"the body is larger than the limit of {limit} bytes")
