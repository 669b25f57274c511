"""Every error in the dialect of the path that was asked, with the headers that go with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.hub.adapter import Surface
from adapters.hub.errors import BadRequest, HubError, UpstreamError
from adapters.wire_json import dumps

Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]

CLOSED_BY_CLIENT = 499
"""Never sent: what the log says of a request whose client left."""


class Faces:
    """Which dialect speaks at a path: the surface that has it, else the one whose paths are most like it.

    Of several that are as much like it, and so where nothing is, the first speaks.
    """

    def __init__(self, surfaces: Sequence[Surface]) -> None:
        self._surfaces = surfaces

    def at(self, path: str) -> Surface:
        asked = path.split("/")
        return max(self._surfaces, key=lambda surface: max(_shared(asked, own) for own in surface.paths))


def _shared(asked: Sequence[str], template: str) -> int:
    """How many leading segments a path shares with a template, up to the last that the template itself names."""
    shared = 0
    for count, (mine, theirs) in enumerate(zip(asked, template.split("/"), strict=False), 1):
        if mine == theirs:
            shared = count
        elif not (mine and theirs.startswith("{")):
            break
    return shared


def error_response(surface: Surface, error: HubError, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that tells `error` to a client of `surface`."""
    body = dumps(surface.encode_error(error))
    status = error.status if error.status < 600 else 502  # some vendors answer 999, which servers refuse to write
    return Response(body, status, headers={**retry_headers(error), **(headers or {})}, media_type="application/json")


def retry_headers(error: HubError) -> dict[str, str]:
    """When to try again, where that is known: SDKs obey these."""
    if not isinstance(error, UpstreamError):
        return {}
    headers = {"x-should-retry": "true" if error.retryable else "false"}
    if error.retry_after is not None and error.retry_after >= 0:
        headers["retry-after"] = str(math.ceil(error.retry_after))
        headers["retry-after-ms"] = str(math.ceil(error.retry_after * 1000))
    return headers


def exception_handlers(faces: Faces) -> dict[int | type[Exception], Handler]:
    """What the framework calls for the errors that routes raise and for those it finds itself."""

    async def on_hub_error(request: Request, error: HubError) -> Response:
        return error_response(faces.at(request.url.path), error)

    async def on_http_error(request: Request, error: HTTPException) -> Response:
        surface = faces.at(request.url.path)
        if request.headers.get("upgrade", "").lower() == "websocket":
            return error_response(surface, _NO_WEBSOCKET, {"upgrade": "HTTP/1.1", "connection": "close"})
        return error_response(surface, _refusal(request, error.status_code), error.headers)

    return {HubError: on_hub_error, HTTPException: on_http_error}


# Clients that try a WebSocket first fall back to HTTP on this status alone.
_NO_WEBSOCKET = BadRequest("no WebSocket here: use HTTP", code="upgrade_required", status=426)


def _refusal(request: Request, status: int) -> BadRequest:
    asked = f"{request.method} {request.url.path}"
    if status == 405:
        return BadRequest(f"not a method of this path: {asked}", code="method_not_allowed", status=status)
    return BadRequest(f"no such path: {asked}", code="not_found", status=status)


def internal_error() -> HubError:
    """A fault of the gateway's own, of which nobody outside learns more."""
    return HubError("the gateway made a mistake; the request id names it in the log")
