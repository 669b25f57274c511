"""A server inside the process: the sandbox and the demonstration run one beside what they serve."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn


@asynccontextmanager
async def serving(app: Any, *, port: int = 0) -> AsyncGenerator[int]:
    """Serve the ASGI application `app` on 127.0.0.1 and give the port; 0 takes a free one.

    Raises `RuntimeError` when the application does not start. Answers still being written when the
    block ends have one second left.
    """
    listener = socket.create_server(("127.0.0.1", port))
    server = _Server(uvicorn.Config(app, ws="none", log_config=None, access_log=False, timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await server.tried.wait()
        if not server.started:
            raise RuntimeError("the embedded server did not start")
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task
        listener.close()


class _Server(uvicorn.Server):
    """Leaves the signals to the process it is embedded in, and says when its start has succeeded or failed."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.tried = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        finally:
            self.tried.set()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield
