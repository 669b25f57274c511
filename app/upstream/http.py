"""The one file that opens connections: aiohttp, of which nothing is known outside.

aiohttp itself and not httpx with aiohttp below: that pair costs 0.11 ms more for each request, a
fifth of all that a short stream may cost, reads in pieces of 16 KiB and calls a reset connection
`ConnectTimeout`. Another client takes this one's place by being another `Upstream`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import aiohttp

from adapters.hub.errors import ProtocolError, Unreachable, UpstreamError, UpstreamTimeout
from app.silence import Silence
from app.upstream.call import Answer, Call

LINGER_SECONDS = 0.25
"""How long a vendor has, after its last event, to end its body properly and so keep the connection of use."""

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
        self._session: aiohttp.ClientSession | None = None
        self._lingering: set[aiohttp.ClientResponse] = set()
        self._silence = Silence(limits.read)

    async def open(self, call: Call, /) -> Answer:
        """Send the call and give the answer once its headers are there; raises `UpstreamError`."""
        session = self._session or self._connect()
        headers = {**_OWN_HEADERS, **call.headers}
        try:
            async with asyncio.timeout(self._limits.read):
                response = await session.request(
                    "POST", call.url, headers=headers, data=call.body, allow_redirects=False
                )
        except _TRANSPORT_ERRORS as error:
            raise _explain(error) from error
        return _HttpAnswer(response, self._silence, self._let_go)

    async def aclose(self) -> None:
        for response in list(self._lingering):
            self._close(response)
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _let_go(self, response: aiohttp.ClientResponse) -> None:
        """Close the connection, after a moment in which the body may still end.

        The event that ends a stream often arrives just before the body's own end; to close in between
        would cost every next request a new connection. A body that ends gives its connection back by itself.
        """
        if response.closed or response.content.exception() is not None:
            response.close()
        else:
            self._lingering.add(response)
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._close, response)

    def _close(self, response: aiohttp.ClientResponse) -> None:
        self._lingering.discard(response)
        response.close()

    def _connect(self) -> aiohttp.ClientSession:
        limits = self._limits
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=limits.connections),
            # Silence is watched here: aiohttp's own `sock_read` sets a new timer at every read.
            timeout=aiohttp.ClientTimeout(total=None, connect=limits.connect, sock_connect=limits.connect),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_HEADER_BYTES,
            max_field_size=_HEADER_BYTES,
        )
        return self._session


class _HttpAnswer:
    """A vendor's answer; itself the iterator over its chunks, since one is read for every send."""

    __slots__ = ("_late", "_let_go", "_response", "_sign", "_silence", "_waiting", "status")

    def __init__(
        self, response: aiohttp.ClientResponse, silence: Silence, let_go: Callable[[aiohttp.ClientResponse], None]
    ) -> None:
        """`silence` watches over the time that somebody waits for the next chunk."""
        self.status = response.status
        self._response = response
        self._let_go = let_go
        self._waiting = False
        self._late = False
        self._silence = silence
        self._sign = silence.watch(self._give_up)

    @property
    def headers(self) -> Mapping[str, str]:
        return {name.lower(): value for name, value in self._response.headers.items()}

    def chunks(self) -> AsyncIterator[bytes]:
        return self

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        self._sign.touch()
        self._waiting = True
        try:
            chunk = await self._response.content.readany()
        except _TRANSPORT_ERRORS as error:
            raise (_too_late() if self._late else _explain(error)) from error
        self._waiting = False
        if not chunk:
            raise StopAsyncIteration
        return chunk

    async def aclose(self) -> None:
        self._silence.leave(self._sign)
        self._let_go(self._response)

    def _give_up(self) -> None:
        if self._waiting:
            self._late = True
            self._response.close()


_BROKE_OFF = "the connection to the vendor broke off"

# The first that fits: what a transport error means to a client. The transport's own words stay in the chain.
_MEANINGS: tuple[tuple[type[Exception], type[UpstreamError], str], ...] = (
    (aiohttp.ClientConnectorError, Unreachable, "no connection to the vendor"),
    (aiohttp.ClientConnectionError, ProtocolError, _BROKE_OFF),
    (aiohttp.ClientPayloadError, ProtocolError, _BROKE_OFF),
    (aiohttp.ClientError, ProtocolError, "the vendor does not speak HTTP as it should"),
)

_TRANSPORT_ERRORS = (TimeoutError, aiohttp.ClientError)


def _too_late() -> UpstreamError:
    return UpstreamTimeout("the vendor did not answer in time", retryable=True)


def _explain(error: Exception) -> UpstreamError:
    if isinstance(error, TimeoutError):
        return _too_late()
    return next(meaning(words, retryable=True) for kind, meaning, words in _MEANINGS if isinstance(error, kind))
