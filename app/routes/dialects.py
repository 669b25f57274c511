"""Every dialect's own paths: one endpoint, whatever the dialect, whatever the vendor behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from adapters.hub.adapter import Surface
from app.exchange import Gateway
from app.http.body import read_body
from app.http.client import ClientWatch
from app.http.headers import losses_header
from app.http.middleware import record_of
from app.http.sse import send_frames


@dataclass(frozen=True, slots=True)
class DialectEndpoint:
    """Answers requests of one dialect. Plain ASGI: the framework's own routing would cost a third of a short stream.

    `max_body` is in bytes, `keepalive` in seconds.
    """

    surface: Surface
    gateway: Gateway
    max_body: int
    keepalive: float

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        record = record_of(scope)
        exchange = self.gateway.begin(
            self.surface, record.headers, await read_body(record.headers, receive, self.max_body)
        )
        record.provider = exchange.route.vendor.name
        record.model = exchange.route.model
        try:
            async with ClientWatch(receive):
                await exchange.start()
                if exchange.streamed:
                    losses = losses_header(exchange.losses)
                    await send_frames(send, exchange.frames(), losses, keepalive=self.keepalive)
                else:
                    body = await exchange.body()
                    losses = losses_header(exchange.losses)
                    await Response(body, headers=losses, media_type="application/json")(scope, receive, send)
        finally:
            await exchange.aclose()


def dialect_routes(surfaces: Iterable[Surface], gateway: Gateway, *, max_body: int, keepalive: float) -> list[Route]:
    """A POST route for each path of each surface."""
    return [
        Route(path, DialectEndpoint(surface, gateway, max_body, keepalive), methods=["POST"])
        for surface in surfaces
        for path in surface.paths
    ]
