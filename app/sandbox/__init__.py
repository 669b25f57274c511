"""The sandbox: every vendor's own wire over real sockets, played from the project's synthetic recordings.

It stands where a vendor stands, at the far end of a connection; no adapter is bypassed. Which scene
a request plays is the adapter's data; what a vendor's fields mean is not known here. The two fields
that are read, `model` and `stream`, every wire has in common.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.routing import Route

import adapters
from adapters.hub.adapter import Adapter
from app.embedded import serving
from app.sandbox.player import Player

DELAY = 0.025
"""Seconds from one event of a stream to the next, unless told otherwise."""


@asynccontextmanager
async def start(*, delay: float = DELAY, port: int = 0) -> AsyncGenerator[dict[str, str]]:
    """Run the sandbox on 127.0.0.1 and give each vendor's base URL, in the shape its settings take.

    `delay` is in seconds; `port` 0 takes a free one.
    """
    async with serving(application(delay), port=port) as bound:
        yield base_urls(bound)


def base_urls(port: int) -> dict[str, str]:
    """Each vendor's base URL: to it the adapter appends its path."""
    return {adapter.name: f"http://127.0.0.1:{port}{_mount(adapter)}" for adapter in _vendors()}


def application(delay: float = DELAY) -> Starlette:
    """The sandbox as an ASGI application: one route a vendor."""
    return Starlette(
        routes=[
            Route(_mount(adapter) + urlsplit(adapter.endpoint.path).path, Player(adapter, delay).play, methods=["POST"])
            for adapter in _vendors()
        ]
    )


def _vendors() -> list[Adapter]:
    return [adapter for adapter in map(adapters.load, adapters.names()) if adapter.scenes]


def _mount(adapter: Adapter) -> str:
    return f"/{adapter.name}{urlsplit(adapter.endpoint.base_url).path.rstrip('/')}"
