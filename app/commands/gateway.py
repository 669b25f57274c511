"""A gateway for a command to ask: the one that is named, or one started here in front of the sandbox."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from app import sandbox
from app.embedded import serving
from app.main import create_app
from app.settings import Settings

Gateway = AbstractAsyncContextManager[str]


@asynccontextmanager
async def reachable(url: str | None, pace: float) -> AsyncGenerator[str]:
    """The address to ask, without the version. The gateway that is started for None ends with the block.

    `pace` is the sandbox's, in seconds an event.
    """
    if url is not None:
        yield url.rstrip("/").removesuffix("/v1")
        return
    async with sandbox.start(delay=pace) as base_urls:
        settings = Settings().with_upstreams(base_urls, api_key="sandbox")
        async with serving(create_app(settings)) as port:
            yield f"http://127.0.0.1:{port}"
