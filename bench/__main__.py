"""`python -m bench`: measure the gateway beside its floor, print the table; fails on broken integrity alone."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from . import report, servers
from .bodies import WIRES
from .measure import Sample, rounds
from .scenarios import FULL, FULL_ROUNDS, NAMES, PAIRS, QUICK, QUICK_ROUNDS, Pair, Scenario


class Options(argparse.Namespace):
    """The command line."""

    scenario: list[str]
    upstream: list[str]
    client: list[str]
    rounds: int | None
    full: bool
    out: Path | None
    command: str


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--scenario", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--upstream", nargs="+", choices=list(WIRES), default=list(WIRES), help="who answers")
    parser.add_argument("--client", nargs="+", choices=list(WIRES), default=list(WIRES), help="whose dialect is spoken")
    parser.add_argument("--rounds", type=int, help=f"of each scenario: {QUICK_ROUNDS}, with --full {FULL_ROUNDS}")
    parser.add_argument("--full", action="store_true", help="more rounds, more requests, longer streams")
    parser.add_argument("--out", type=Path, help="append each sample to this file, one JSON object a line")
    parser.add_argument("--command", default=servers.GATEWAY_COMMAND, help="starts the gateway; {port} is filled in")
    return parser.parse_args(namespace=Options())


def _keep(sample: Sample, out: Path | None) -> None:
    load = sample.load
    rate = f"{load.whole / load.wall_s:,.0f} requests/s"
    place = f"{sample.pair}, {sample.scenario.name}, {sample.server}"
    print(f"{place}: {sample.cost:,.1f} µs per {sample.scenario.unit}, {rate}", file=sys.stderr, flush=True)
    if out:
        with out.open("a") as file:
            file.write(json.dumps(asdict(sample) | {"cost_us": sample.cost, "lost": sample.lost}) + "\n")


def _measure(options: Options, scenarios: list[Scenario], count: int) -> list[Sample]:
    samples: list[Sample] = []
    for pair, wanted in _chosen(options, scenarios).items():
        with servers.running(options.command) as running:  # anew, so that memory is the pair's own
            for scenario in wanted:
                for sample in rounds(running, scenario, pair, count):
                    samples.append(sample)
                    _keep(sample, options.out)
    return samples


def _chosen(options: Options, scenarios: list[Scenario]) -> dict[Pair, list[Scenario]]:
    """The pairs that are asked for, each with those of the scenarios that are measured of it."""
    pairs = {pair: names for pair, names in PAIRS.items() if pair.upstream in options.upstream}
    chosen = {
        pair: [scenario for scenario in scenarios if scenario.name in names]
        for pair, names in pairs.items()
        if pair.client in options.client
    }
    return {pair: wanted for pair, wanted in chosen.items() if wanted}


def main() -> int:
    """0; 1 when a text or an event did not come through; 2 when a server did not start."""
    options = _options()
    count = options.rounds or (FULL_ROUNDS if options.full else QUICK_ROUNDS)
    scenarios = [scenario for scenario in (FULL if options.full else QUICK) if scenario.name in options.scenario]
    servers.build()
    if servers.raise_file_limit() < servers.FILES_WANTED // 2:
        print("too few open files allowed for 2,000 streams: that scenario is left out", file=sys.stderr)
        scenarios = [scenario for scenario in scenarios if not scenario.once]
    try:
        samples = _measure(options, scenarios, count)
    except servers.NotRunning as error:
        print(error, file=sys.stderr)
        return 2
    print(report.table(samples, count))
    return 1 if report.problems(samples) else 0


if __name__ == "__main__":
    sys.exit(main())
