"""The processes under test: builds the tools, starts the mock, the floor and the gateway, and ends them again."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import bodies, floor, processes

HERE = Path(__file__).resolve().parent
BUILD = HERE / "build"
START_LIMIT_S = 60
FILES_WANTED = 10_000

GATEWAY_COMMAND = shlex.join(
    [sys.executable, "-c", "from app.cli import main; main()", "serve", "--host", "127.0.0.1", "--port", "{port}"]
)
"""`dragoman serve` of this checkout, whatever version may be installed."""
_FLOOR_COMMAND = (
    f"{shlex.quote(sys.executable)} -m uvicorn bench.floor:app --host 127.0.0.1 --port {{port}} "
    "--loop uvloop --http httptools --no-access-log --log-level warning"
)
_PATHS = {"openai": "/v1/responses", "gemini": "/v1beta/interactions", "ark": "/api/v3/responses"}


class NotRunning(RuntimeError):
    """A process did not come up; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Server:
    """Something that answers requests, and the process to watch."""

    name: str
    port: int
    pid: int

    def path(self, upstream: str, client: str) -> str:
        """Where it takes requests: the floor at one path, whoever answers."""
        return floor.PATH if self.name == "floor" else _PATHS[self.wire(upstream, client)]

    def wire(self, upstream: str, client: str) -> str:
        """Whose dialect it speaks: the gateway alone translates."""
        return client if self.name == "dragoman" else upstream


def build() -> None:
    """Compile the tools when their source is newer, and write the bodies."""
    BUILD.mkdir(exist_ok=True)
    shared = (HERE / "net.h").stat().st_mtime
    for tool in ("mock", "load"):
        source, binary = HERE / f"{tool}.c", BUILD / tool
        if not binary.exists() or binary.stat().st_mtime < max(shared, source.stat().st_mtime):
            subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", str(binary), str(source)], check=True)
    bodies.write(BUILD / "bodies")


def raise_file_limit() -> int:
    """Allow ourselves and the processes we start more open files; give the limit reached."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(soft, FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that we started, and what it started in its session: asked first, then killed."""
    family = processes.tree(process.pid)
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    for pid in family:
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) == process.pid:
                os.kill(pid, signal.SIGKILL)
    process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def _await_port(name: str, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise NotRunning(f"{name} did not start; its log ends with\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)


@contextmanager
def _mock() -> Generator[Server]:
    files = sorted(str(path) for path in (BUILD / "bodies").iterdir())
    process = subprocess.Popen([BUILD / "mock", *files], stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout is not None
        yield Server("direct", int(process.stdout.readline()), process.pid)
    finally:
        _end(process)


@contextmanager
def _server(name: str, command: str, environment: dict[str, str]) -> Generator[Server]:
    port = _free_port()
    log = BUILD / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [word.replace("{port}", str(port)) for word in shlex.split(command)],
            cwd=HERE.parent,
            env=os.environ | environment | {"NO_PROXY": "127.0.0.1"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _await_port(name, process, port, log)
        yield Server(name, port, process.pid)
    finally:
        _end(process)


def _gateway_environment(base: str) -> dict[str, str]:
    return {
        "DRAGOMAN_OPENAI_BASE_URL": f"{base}/v1",
        "DRAGOMAN_GEMINI_BASE_URL": base,
        "DRAGOMAN_ARK_BASE_URL": f"{base}/api/v3",
        "OPENAI_API_KEY": "bench",
        "GEMINI_API_KEY": "bench",
        "ARK_API_KEY": "bench",
    }


@contextmanager
def running(command: str = GATEWAY_COMMAND) -> Generator[tuple[Server, Server, Server]]:
    """The mock, the floor and the gateway, all up; ended on the way out. Raises `NotRunning`."""
    with ExitStack() as stack:
        direct = stack.enter_context(_mock())
        base = f"http://127.0.0.1:{direct.port}"
        upstreams = json.dumps({vendor: base + path for vendor, path in _PATHS.items()})
        lowest = stack.enter_context(_server("floor", _FLOOR_COMMAND, {floor.VARIABLE: upstreams}))
        gateway = stack.enter_context(_server("dragoman", command, _gateway_environment(base)))
        yield direct, lowest, gateway
