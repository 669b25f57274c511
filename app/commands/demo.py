"""`dragoman demo`: one question through every vendor, and what became of its citations."""

from __future__ import annotations

import asyncio
from typing import Annotated

import httpx
import typer
from rich.console import Console
from rich.live import Live

import adapters
from app.commands.answer import Answer, ask
from app.commands.demo_view import render
from app.commands.fidelity import Fidelity
from app.commands.gateway import Gateway, reachable
from app.sandbox import DELAY

QUESTION = "Plan a day in Tokyo and cite your sources."

_DETAIL = {"text": {"verbosity": "low"}}  # a wish that not every vendor can be told, so that something is lost
_PLAIN_WIDTH = 140  # columns where the output is no terminal


def demo(
    url: Annotated[str | None, typer.Option(help="A running gateway; without it, one is started.")] = None,
    prompt: Annotated[str, typer.Option(help="The question.")] = QUESTION,
    fidelity: Annotated[Fidelity, typer.Option(help="How much beyond the dialect's own types.")] = Fidelity.RICH,
    pace: Annotated[float, typer.Option(min=0, help="Seconds between two events of the sandbox.")] = DELAY,
) -> None:
    """Ask every vendor the same question, streamed; show the text, its citations, the events and the losses.

    Without `--url` a gateway is started in front of the sandbox. Exits 1 when an answer failed.
    """
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PLAIN_WIDTH)
    if not asyncio.run(_ask_all(console, reachable(url, pace), prompt, fidelity)):
        raise typer.Exit(1)


async def _ask_all(console: Console, gateway: Gateway, prompt: str, fidelity: Fidelity) -> bool:
    """Whether every vendor gave an answer, be it whole or cut to a limit."""
    well = True
    async with gateway as base_url, _client(base_url) as client:
        for name in adapters.names():
            model = next(iter(adapters.load(name).catalogue), name)
            headers = {"x-provider": name, "x-dragoman-fidelity": fidelity.value}
            body = {"model": model, "input": prompt, "stream": True, **_DETAIL}
            answer = Answer()
            with Live(console=console, transient=True, auto_refresh=False, vertical_overflow="crop") as live:
                async for _ in ask(client, body, headers, answer):
                    live.update(render(name, model, answer), refresh=console.is_terminal)
            console.print(render(name, model, answer))
            well &= answer.status in ("completed", "incomplete")
    return well


def _client(base_url: str) -> httpx.AsyncClient:
    """A proxy of the environment has no business between two ends on this machine."""
    return httpx.AsyncClient(base_url=base_url, timeout=60, trust_env=not base_url.startswith("http://127."))
