"""The clients on Node: programs of their own that print what came of their job."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.e2e.jobs import CITE, PLACE, WEATHER, Citation, Cited, Place, Station, Told

HERE = Path(__file__).parent
GUARD_SECONDS = 120
"""No program is waited for longer."""


async def output(*command: str, environment: Mapping[str, str] | None = None) -> str:
    """What a program prints; it fails with what it said of its failure."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(GUARD_SECONDS):
            said, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, complaint.decode()
    return said.decode()


class Script:
    """A script beside this file; `more` are its arguments after the job."""

    def __init__(self, station: Station, name: str, *more: str) -> None:
        self._station = station
        self._command = ("node", str(HERE / name))
        self._more = more

    async def run(self, job: str, question: str) -> Any:
        given = {**self._station._asdict(), "job": job, "question": question}
        return json.loads(await output(*self._command, json.dumps(given), *self._more))

    async def cite(self) -> Cited:
        said = await self.run("cite", CITE)
        return Cited(said["text"], [Citation(*citation) for citation in said["citations"]])

    async def weather(self) -> Told:
        return Told(**await self.run("weather", WEATHER))

    async def place(self) -> Place:
        return Place.model_validate(await self.run("place", PLACE))


def script(name: str, *more: str) -> Callable[[Station], Script]:
    """What makes the client that is the script `name`."""
    return lambda station: Script(station, name, *more)


class Codex:
    """The Codex CLI without a terminal. It has no place for citations; its tool is the shell."""

    def __init__(self, station: Station) -> None:
        provider = {"name": "Dragoman", "base_url": f"{station.origin}/v1", "wire_api": "responses"}
        table = ", ".join(f"{name} = {json.dumps(value)}" for name, value in provider.items())
        header = f'http_headers = {{ x-provider = "{station.vendor}" }}'
        self._settings = ("model_provider=dragoman", f"model_providers.dragoman={{ {table}, {header} }}")

    async def run(self, question: str, *more: str) -> list[Any]:
        """The finished items of one turn."""
        options = [part for setting in self._settings for part in ("--config", setting)]
        with tempfile.TemporaryDirectory() as home:
            lines = await output(
                *(str(HERE / "node_modules/.bin/codex"), "exec", "--json", "--ephemeral", "--skip-git-repo-check"),
                *("--cd", home, "--sandbox", "danger-full-access", "--model", "demo", *options, *more, question),
                environment={**os.environ, "CODEX_HOME": home},
            )
        events = [json.loads(line) for line in lines.splitlines()]
        assert events[-1]["type"] == "turn.completed"
        return [event["item"] for event in events if event["type"] == "item.completed"]

    async def cite(self) -> Cited:
        return Cited((await self.run(CITE))[-1]["text"], None)

    async def weather(self) -> Told:
        items = await self.run(WEATHER)
        printed: list[str] = [item["aggregated_output"] for item in items if item["type"] == "command_execution"]
        return Told(" ".join(printed).split(), items[-1]["text"])

    async def place(self) -> Place:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as form:
            json.dump({**Place.model_json_schema(), "additionalProperties": False}, form)
            form.flush()
            return Place.model_validate_json((await self.run(PLACE, "--output-schema", form.name))[-1]["text"])
