"""What is asked, how often, and what is to be reached."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Scenario:
    """One load. `unit` is what its CPU time is divided by; `limit` the most, as a ratio to the floor's."""

    name: str
    answer: str
    at_once: int
    requests: int
    unit: str
    limit: float | None = None
    stream: bool = True
    period_ms: int = 0
    """Time between two paced events; 0 sends the whole answer at once."""
    ramp_us: int = 0
    """Time between the first requests of two connections."""
    once: bool = False
    """Measured in one round only, and without warming up."""

    @property
    def model(self) -> str:
        """The model's name, which tells the mock what to answer."""
        return f"{self.answer}-{self.period_ms}" if self.period_ms else self.answer


@dataclass(frozen=True, slots=True)
class Pair:
    """Who answers, and whose dialect the client speaks: each a vendor's name."""

    upstream: str
    client: str

    def __str__(self) -> str:
        return f"{self.upstream} → {self.client}"


ADDED_TTFB_LIMIT_MS = 3.0
RESIDENT_LIMIT_MB = 110
OPEN_RESIDENT_LIMIT_MB = 150

QUICK = (
    Scenario("short", "short", 16, 400, "request", 2.0),
    Scenario("long", "long", 8, 80, "event", 3.0),
    Scenario("annot", "annot", 8, 150, "event", 3.0),
    Scenario("json", "short", 16, 400, "request", stream=False),
    Scenario("paced", "paced", 10, 10, "event", 1.3, period_ms=10, ramp_us=1000),
    Scenario("ttfb", "brief", 10, 100, "request", period_ms=10, ramp_us=20_000),
    Scenario("open2000", "slow", 2000, 2000, "event", period_ms=1500, ramp_us=1000, once=True),
)
QUICK_ROUNDS = 3
FULL_ROUNDS = 7


def _fuller(scenario: Scenario) -> Scenario:
    if scenario.once:
        return replace(scenario, answer="brief")
    return replace(scenario, requests=scenario.requests * 2)


FULL = tuple(map(_fuller, QUICK))
NAMES = tuple(scenario.name for scenario in QUICK)

_STREAMS = ("short", "long", "annot")
PAIRS = {
    Pair("openai", "openai"): NAMES,
    Pair("gemini", "openai"): NAMES,
    Pair("ark", "openai"): _STREAMS,
    Pair("gemini", "gemini"): _STREAMS,
    Pair("openai", "gemini"): _STREAMS,
    Pair("ark", "gemini"): _STREAMS,
    Pair("ark", "ark"): (*_STREAMS, "open2000"),
    Pair("openai", "ark"): _STREAMS,
    Pair("gemini", "ark"): _STREAMS,
}
"""What is measured of each pair: everything of two, of the others what depends on the dialect, and how much is held of
an answer that is repeated.
"""
