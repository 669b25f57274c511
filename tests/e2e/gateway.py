"""A gateway in a process of its own, started as a user starts it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

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


def _wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, f"the gateway ended with {process.returncode}"
        with suppress(httpx.TransportError):
            httpx.get(url).raise_for_status()
            return
        time.sleep(0.05)
    pytest.fail("the gateway does not answer")
