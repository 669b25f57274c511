"""The verdict: what broke, and a Markdown table of costs, ratios and targets."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median

from . import bodies
from .measure import Load, Sample
from .scenarios import ADDED_TTFB_LIMIT_MS, OPEN_RESIDENT_LIMIT_MB, RESIDENT_LIMIT_MB, Pair, Scenario

_HEAD = """\
| upstream → client | scenario | measured | floor | dragoman | result | target | reached |
|---|---|---|---|---|---|---|---|"""
_FAILURES = ("cut", "refused", "bad_status", "without_final", "unfinished", "other_text")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `value` is held against `limit`; `result` says it in words."""

    pair: Pair
    scenario: str
    measured: str
    floor: str
    gateway: str
    result: str
    value: float
    limit: float | None = None
    unit: str = ""

    def __str__(self) -> str:
        target = "" if self.limit is None else f"≤ {self.limit:g}{self.unit}"
        reached = "" if self.limit is None else "yes" if self.value <= self.limit else "**no**"
        cells = (str(self.pair), self.scenario, self.measured, self.floor, self.gateway, self.result, target, reached)
        return f"| {' | '.join(cells)} |"


class Group:
    """The samples of one scenario of one pair, by server, in the order of the rounds."""

    def __init__(self, pair: Pair, scenario: Scenario, samples: list[Sample]) -> None:
        self.pair = pair
        self.scenario = scenario
        mine = [s for s in samples if s.pair == pair and s.scenario == scenario]
        self.direct, self.floor, self.gateway = (
            [s for s in mine if s.server == name] for name in ("direct", "floor", "dragoman")
        )

    def rows(self) -> Iterator[Row]:
        if self.scenario.name == "ttfb":
            yield self._first_event()
            return
        yield self._cost()
        if self.scenario.period_ms:
            yield self._delay()
        if self.scenario.once:
            yield self._open()
            yield self._resident()

    def _row(self, measured: str, cells: tuple[str, ...], value: float, limit: tuple[float | None, str]) -> Row:
        floor, gateway, result = cells
        return Row(self.pair, self.scenario.name, measured, floor, gateway, result, value, *limit)

    def _cost(self) -> Row:
        floor, gateway = (median(s.cost for s in group) for group in (self.floor, self.gateway))
        pairs = zip(self.gateway, self.floor, strict=True)
        ratios = sorted(ours.cost / lowest.cost for ours, lowest in pairs)
        spread = f" ({ratios[0]:.2f}–{ratios[-1]:.2f})" if len(ratios) > 1 else ""
        ratio = gateway / floor
        cells = (f"{floor:,.2f} µs", f"{gateway:,.2f} µs", f"{ratio:.2f} ×{spread}")
        return self._row(f"CPU per {self.scenario.unit}", cells, ratio, (self.scenario.limit, " ×"))

    def _added(self, name: str) -> tuple[float, float]:
        """Median milliseconds that the floor and the gateway add to the mock's own."""
        floor, gateway = (
            median(getattr(s.load, name)[0] - getattr(d.load, name)[0] for s, d in zip(group, self.direct, strict=True))
            for group in (self.floor, self.gateway)
        )
        return floor / 1000, gateway / 1000

    def _first_event(self) -> Row:
        floor, gateway = self._added("first_event_us")
        cells = (f"{floor:.2f} ms", f"{gateway:.2f} ms", f"{gateway:.2f} ms")
        return self._row("added time to first event, median", cells, gateway, (ADDED_TTFB_LIMIT_MS, " ms"))

    def _delay(self) -> Row:
        floor, gateway = self._added("delay_us")
        cells = (f"{floor:.2f} ms", f"{gateway:.2f} ms", f"{gateway:.2f} ms")
        return self._row("added delay of an event, median", cells, gateway, (None, ""))

    def _open(self) -> Row:
        floor, gateway = (max(group, key=lambda s: s.lost) for group in (self.floor, self.gateway))
        counts = (f"{s.lost} of {s.lost + s.load.deltas[0]:,}" for s in (floor, gateway))
        at_once = min(s.load.open_peak for s in self.gateway)
        measured = f"events lost, {at_once:,} streams open"
        missing = gateway.lost + max(0, self.scenario.at_once - at_once)
        return self._row(measured, (*counts, f"{gateway.lost}"), missing, (0, " lost"))

    def _resident(self) -> Row:
        floor, gateway = (max(s.peak_mb for s in group) for group in (self.floor, self.gateway))
        cells = (f"{floor:.0f} MB", f"{gateway:.0f} MB", f"{gateway:.0f} MB")
        return self._row("peak resident", cells, gateway, (OPEN_RESIDENT_LIMIT_MB, " MB"))


def _resident(pair: Pair, samples: list[Sample]) -> Iterator[Row]:
    mine = [s for s in samples if s.pair == pair and not s.scenario.once]
    if mine:
        floor, gateway = (max(s.peak_mb for s in mine if s.server == name) for name in ("floor", "dragoman"))
        cells = (f"{floor:.0f} MB", f"{gateway:.0f} MB", f"{gateway:.0f} MB")
        yield Row(pair, "all others", "peak resident", *cells, gateway, RESIDENT_LIMIT_MB, " MB")


def _rows(samples: list[Sample]) -> Iterator[Row]:
    for pair in dict.fromkeys(s.pair for s in samples):
        for scenario in dict.fromkeys(s.scenario for s in samples if s.pair == pair):
            yield from Group(pair, scenario, samples).rows()
        yield from _resident(pair, samples)


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    system = f"Linux {platform.release()}, CPython {platform.python_version()}"
    return f"{models[0] if models else platform.machine()}, {len(models) or 1} cores, {system}"


def table(samples: list[Sample], rounds: int) -> str:
    """Markdown: when and where, then a line a figure. Costs are medians; a ratio's span is that of the rounds."""
    broken = problems(samples)
    integrity = "no event lost, every text and citation count the same as direct" if not broken else "BROKEN, see below"
    place = f"Measured {date.today().isoformat()} on {_machine()}; rounds: {rounds}, floor and gateway in turns."
    parts = [f"{place} Integrity: {integrity}.", "", _HEAD, *map(str, _rows(samples))]
    return "\n".join(parts + (["", *(f"- {line}" for line in broken)] if broken else []))


def _failures(load: Load) -> Iterator[str]:
    for name in _FAILURES:
        if count := getattr(load, name):
            yield f"{count} {name.replace('_', ' ')}"


def _complaints(sample: Sample, text_hash: str) -> Iterator[str]:
    yield from _failures(sample.load)
    if sample.lost:
        yield f"{sample.lost} events lost"
    citations = len(bodies.ANSWERS[sample.scenario.answer].citations)
    if sample.scenario.stream and sample.load.annotations != (citations * sample.load.whole, citations, citations):
        yield f"annotations {sample.load.annotations}, {citations} a request expected"
    if sample.load.text_hash != text_hash:
        yield "text differs from the direct run"


def problems(samples: list[Sample]) -> list[str]:
    """What is broken, a line a sample; empty when every text came through whole and unchanged."""
    direct = {(s.pair, s.scenario): s.load.text_hash for s in samples if s.server == "direct"}
    lines: list[str] = []
    for sample in samples:
        complaints = ", ".join(_complaints(sample, direct[sample.pair, sample.scenario]))
        if complaints:
            lines.append(f"{sample.server}, {sample.pair}, {sample.scenario.name}: {complaints}")
    return lines
