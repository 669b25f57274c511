"""A gateway for clients that block: in a process of its own, started as a user starts it, or in a thread."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

from app import sandbox
from app.embedded import serving
from app.main import create_app
from app.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(*arguments: str) -> Generator[str]:
    """`dragoman serve` with `arguments` on a free port of 127.0.0.1; gives host and port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    port = address.partition(":")[2]
    command = [sys.executable, "-c", "from app.cli import main; main()", "serve", "--port", port, *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRAGOMAN_")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_until_ready(f"http://{address}/readyz", process)
            yield address
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def hurried() -> Generator[str]:
    """The gateway and its sandbox in a thread; the sandbox waits for nothing between events. Gives host and port."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(hurried_here()) as port:
        yield f"127.0.0.1:{port}"


@asynccontextmanager
async def hurried_here() -> AsyncGenerator[int]:
    """The same in the running event loop; gives the port."""
    async with sandbox.start(delay=0) as base_urls:
        settings = Settings().with_upstreams(base_urls, "sk-sandbox")
        async with serving(create_app(settings)) as port:
            yield port


def _wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, f"the gateway ended with {process.returncode}"
        with suppress(httpx.TransportError):
            httpx.get(url).raise_for_status()
            return
        time.sleep(0.05)
    pytest.fail("the gateway does not answer")
