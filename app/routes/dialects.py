"""Every dialect's own paths: one endpoint, whatever the dialect, whatever the vendor behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from adapters.hub.adapter import Surface
from app.exchange import Exchange, Gateway
from app.http.body import read_body
from app.http.client import ClientWatch
from app.http.headers import losses_header, read_headers
from app.http.middleware import record_of
from app.http.sse import send_frames
from app.silence import Silence


@dataclass(frozen=True, slots=True)
class DialectEndpoint:
    """Answers requests of one dialect. Plain ASGI: the framework's own routing would cost a third of a short stream.

    `max_body` is in bytes.
    """

    surface: Surface
    gateway: Gateway
    max_body: int
    keepalive: Silence

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = await self._begin(scope, receive)
        try:
            async with ClientWatch(receive):
                await exchange.start()
                if exchange.streamed:
                    losses = losses_header(exchange.losses)
                    await send_frames(send, exchange.frames(), losses, self.keepalive)
                else:
                    body = await exchange.body()
                    losses = losses_header(exchange.losses)
                    await Response(body, headers=losses, media_type="application/json")(scope, receive, send)
        finally:
            await exchange.aclose()

    async def _begin(self, scope: Scope, receive: Receive) -> Exchange:
        """Apart from the answer, so that nothing of the request is held while that is on its way."""
        headers = read_headers(scope)
        record = record_of(scope)

        def note(provider: str, model: str) -> None:
            record.provider, record.model = provider, model

        body = await read_body(headers, receive, self.max_body)
        return self.gateway.begin(self.surface, headers, body, scope["query_string"], note)


def dialect_routes(surfaces: Iterable[Surface], gateway: Gateway, *, max_body: int, keepalive: Silence) -> list[Route]:
    """A POST route for each path of each surface."""
    return [
        Route(path, DialectEndpoint(surface, gateway, max_body, keepalive), methods=["POST"])
        for surface in surfaces
        for path in surface.paths
    ]
