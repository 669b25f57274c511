"""One measurement: a load on one server, what came back, and what it cost the server."""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from . import bodies, processes
from .scenarios import Pair, Scenario
from .servers import BUILD, Server

TIMEOUT_S = 90
_PROMPT = "Tell me what the keepers of the lighthouse wrote about the storm, and name your sources. " * 6


@dataclass(frozen=True, slots=True)
class Marks:
    """How a dialect's events are told apart in their `data:` lines, and the key of a delta's text."""

    key: str
    delta: str
    annotation: str
    final: str


_RESPONSES = Marks(
    '"delta"', '"response.output_text.delta"', '"response.output_text.annotation.added"', '"response.completed"'
)
_STREAM_MARKS = {
    "openai": _RESPONSES,
    "ark": _RESPONSES,
    "gemini": Marks('"text"', '"text":"', '"annotations":[{', '"interaction.completed"'),
}
_JSON_MARKS = Marks('"text"', "", "", "")


@dataclass(frozen=True, slots=True)
class Load:
    """What the load generator saw. Counts are (all, least of a request, most); times (median, 99th percentile)."""

    requests: int
    whole: int
    cut: int
    refused: int
    bad_status: int
    without_final: int
    unfinished: int
    other_text: int
    open_peak: int
    bytes: int
    text_hash: str
    wall_s: float
    own_cpu_s: float
    deltas: tuple[int, int, int]
    annotations: tuple[int, int, int]
    first_event_us: tuple[float, float]
    delay_us: tuple[float, float]


_LOAD = TypeAdapter(Load)


@dataclass(frozen=True, slots=True)
class Sample:
    """One load on one server and its cost."""

    pair: Pair
    scenario: Scenario
    server: str
    cpu_s: float
    peak_mb: float
    load: Load

    @property
    def cost(self) -> float:
        """CPU microseconds per request or upstream event, as the scenario counts; infinite when none came through."""
        count = self.load.whole
        if not count:
            return math.inf
        if self.scenario.unit == "event":
            count *= bodies.event_count(self.pair.upstream, self.scenario.answer)
        return self.cpu_s * 1e6 / count

    @property
    def lost(self) -> int:
        """Deltas that were sent, or should have been, and did not arrive."""
        if not self.scenario.stream:
            return 0
        pieces = len(bodies.ANSWERS[self.scenario.answer].pieces)
        return pieces * self.load.requests - self.load.deltas[0]


def _question(client: str) -> dict[str, Any]:
    """The same question in each dialect."""
    if client == "gemini":
        step = {"type": "user_input", "content": [{"type": "text", "text": _PROMPT}]}
        return {"system_instruction": "Answer briefly.", "input": [step]}
    content = [{"type": "input_text", "text": _PROMPT}]
    return {"instructions": "Answer briefly.", "input": [{"role": "user", "content": content}]}


def _request(server: Server, scenario: Scenario, pair: Pair) -> bytes:
    said = {"model": scenario.model, "stream": scenario.stream, "store": False}
    data = bodies.dumps({**said, **_question(pair.client)}).encode()
    path = server.path(pair.upstream, pair.client)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        f"Accept: */*\r\nAuthorization: Bearer bench\r\nx-provider: {pair.upstream}\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


def drive(server: Server, scenario: Scenario, pair: Pair, requests: int) -> Load:
    """Put the scenario's load on the server."""
    marks = _STREAM_MARKS[server.wire(pair.upstream, pair.client)] if scenario.stream else _JSON_MARKS
    at_once = min(scenario.at_once, requests)
    numbers = (server.port, at_once, requests, scenario.ramp_us, TIMEOUT_S)
    done = subprocess.run(
        [BUILD / "load", *map(str, numbers), marks.key, marks.delta, marks.annotation, marks.final],
        input=_request(server, scenario, pair),
        stdout=subprocess.PIPE,
        check=True,
        timeout=TIMEOUT_S + 30,
    )
    return _LOAD.validate_json(done.stdout)


def measure(server: Server, scenario: Scenario, pair: Pair) -> Sample:
    """Load the server and read what its process tree used meanwhile."""
    before = processes.tree(server.pid)
    processes.forget_peak(before)
    used = processes.cpu_seconds(before)
    load = drive(server, scenario, pair, scenario.requests)
    time.sleep(0.05)  # let it put the last connections away: that belongs to the cost
    after = processes.tree(server.pid)
    spent = processes.cpu_seconds(after) - used
    return Sample(pair, scenario, server.name, spent, processes.peak_mb(after), load)


def rounds(servers: tuple[Server, Server, Server], scenario: Scenario, pair: Pair, count: int) -> Iterator[Sample]:
    """Measure in turns: the mock itself, then the floor and the gateway, whose order changes from round to round."""
    direct, *others = servers
    if not scenario.once:
        for server in others:
            drive(server, scenario, pair, max(scenario.at_once, scenario.requests // 4))
    for _ in range(1 if scenario.once else count):
        yield measure(direct, scenario, pair)
        for server in others:
            yield measure(server, scenario, pair)
        others.reverse()
