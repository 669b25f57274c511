"""`dragoman serve` as a process: it stops without cutting what it is saying."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from adapters.sse import SseParser

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", "from app.cli import main; main()", "serve", "--sandbox", "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRAGOMAN_")}
    environment["DRAGOMAN_PROT"] = "8081"
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    line = next(line for line in process.stderr if "running on" in line)
    return line.split("running on ")[1].split()[0]


def test_a_variable_that_is_no_setting_is_named_in_the_log(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    assert "WARNING dragoman: DRAGOMAN_PROT " in next(process.stderr)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_stream_ends_properly_after_the_signal_to_stop(process: subprocess.Popen[str], stop: signal.Signals) -> None:
    body = {"model": "m", "input": "hello", "stream": True}
    parser = SseParser()
    names: list[bytes] = []
    with (
        httpx.Client(base_url=address(process), trust_env=False, timeout=30) as client,
        client.stream("POST", "/v1/responses", json=body) as answer,
    ):
        for piece in answer.iter_raw():
            if not names:
                process.send_signal(stop)
            names += [event.name for event in parser.feed(piece)]
    assert names[-1] == b"response.completed"
    _, log = process.communicate(timeout=20)
    assert (process.returncode, "Traceback" in log) == (0, False), log
