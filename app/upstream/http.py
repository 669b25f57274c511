"""The one file that opens connections: httpx's API over aiohttp's transport.

The transport is called directly: what `httpx.AsyncClient` adds (cookies, redirects, authentication,
proxies from the environment) must not happen here, and costs as much again as the call itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import AiohttpResponseStream

from adapters.hub.errors import ProtocolError, Unreachable, UpstreamError, UpstreamTimeout
from app.upstream.call import Answer, Call

LINGER_SECONDS = 0.25
"""How long a vendor has, after its last event, to end its body properly and so keep the connection of use."""

_READ_BYTES = 128 * 1024  # the most one read gives; what a slow client lets pile up is bounded by aiohttp's buffer
_HEADER_BYTES = 64 * 1024

_OWN_HEADERS = {
    "content-type": "application/json",
    "accept": "application/json",
    "accept-encoding": "identity",  # a compressed event stream stalls until the compressor's block is full
    "user-agent": "dragoman",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """`connect` covers the wait for a free connection too; `read` is the longest silence. In seconds."""

    connect: float = 10.0
    read: float = 600.0
    connections: int = 10_000


class HttpUpstream:
    """Calls vendors over HTTP/1.1. The first call binds it to the running event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tls = httpx.create_ssl_context()
        self._transport = AiohttpTransport(verify=self._tls, client=self._session)
        self._extensions = {"timeout": {"connect": limits.connect, "pool": limits.connect, "read": limits.read}}

    async def open(self, call: Call, /) -> Answer:
        """Send the call and give the answer once its headers are there; raises `UpstreamError`."""
        request = httpx.Request(
            "POST", call.url, headers={**_OWN_HEADERS, **call.headers}, content=call.body, extensions=self._extensions
        )
        try:
            response = await self._transport.handle_async_request(request)
        except _TRANSPORT_ERRORS as error:
            raise _explain(error) from error
        return _HttpAnswer(response)

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._limits.connections, ssl=self._tls),
            response_class=_PatientResponse,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_HEADER_BYTES,
            max_field_size=_HEADER_BYTES,
        )


class _HttpAnswer:
    """A vendor's answer; itself the iterator over its chunks, since one is read for every send."""

    __slots__ = ("_pieces", "_stream", "headers", "status")

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._stream = cast("AiohttpResponseStream", response.stream)
        self._stream.CHUNK_SIZE = _READ_BYTES  # pyright: ignore[reportAttributeAccessIssue] - a default, typed as final
        self._pieces = cast("AsyncGenerator[bytes]", aiter(self._stream))

    def chunks(self) -> AsyncIterator[bytes]:
        return self

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await self._pieces.__anext__()
        except _TRANSPORT_ERRORS as error:
            raise _explain(error) from error

    async def aclose(self) -> None:
        await self._pieces.aclose()
        await self._stream.aclose()


class _PatientResponse(aiohttp.ClientResponse):
    """Waits a moment before it closes a connection whose body has not ended.

    The event that ends a stream often arrives just before the body's own end; to close in between
    would cost every next request a new connection. A body that ends by then releases by itself.
    """

    _waiting = False

    def release(self) -> Any:
        if self.closed or self._waiting:
            return super().release()
        self._waiting = True
        asyncio.get_running_loop().call_later(LINGER_SECONDS, super().release)
        return None


_TOO_LATE = "the vendor did not answer in time"
_BROKE_OFF = "the connection to the vendor broke off"

# The first that fits. httpx's own names are no guide: the transport calls a reset connection `ConnectTimeout`.
_MEANINGS: tuple[tuple[type[Exception], type[UpstreamError], str], ...] = (
    (aiohttp.ServerTimeoutError, UpstreamTimeout, _TOO_LATE),
    (TimeoutError, UpstreamTimeout, _TOO_LATE),
    (aiohttp.ClientConnectorError, Unreachable, "no connection to the vendor"),
    (aiohttp.ClientPayloadError, ProtocolError, _BROKE_OFF),
    (aiohttp.ClientConnectionError, ProtocolError, _BROKE_OFF),
    (aiohttp.ClientError, ProtocolError, "the vendor does not speak HTTP as it should"),
    (httpx.TransportError, ProtocolError, _BROKE_OFF),
)

_TRANSPORT_ERRORS = (aiohttp.ClientError, httpx.TransportError, TimeoutError)


def _explain(error: Exception) -> UpstreamError:
    """What a transport error means to a client; the transport's own words stay in the chain."""
    cause = error.__cause__
    known = cause if isinstance(cause, aiohttp.ClientError | TimeoutError) else error
    return next(meaning(words, retryable=True) for kind, meaning, words in _MEANINGS if isinstance(known, kind))
