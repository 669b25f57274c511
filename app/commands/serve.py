"""`dragoman serve`: the gateway over HTTP, with live vendors or with the sandbox inside."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from app.main import create_app
from app.settings import Settings, SettingsError, load, unknown_variables

logger = logging.getLogger("dragoman")

SANDBOX_KEY = "sandbox"
"""The key that every vendor of the sandbox is called with."""


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 unless configured.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 8080 unless configured.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="YAML file with settings; else DRAGOMAN_CONFIG.")] = None,
    sandbox: Annotated[bool, typer.Option(help="Play the vendors inside the process: no key, no network.")] = False,
) -> None:
    """Serve the gateway."""
    try:
        settings = load(config)
    except SettingsError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    given = {"host": host, "port": port}
    settings = settings.model_copy(update={name: value for name, value in given.items() if value is not None})
    _log_to_stderr(settings.log_level)
    for name in unknown_variables():
        logger.warning("%s in the environment is no setting and changes nothing", name)
    _lift_file_limit()
    with (
        suppress(KeyboardInterrupt),
        asyncio.Runner(loop_factory=_server_config(None, settings).get_loop_factory()) as runner,
    ):
        runner.run(_run(settings, sandbox=sandbox))


async def _run(settings: Settings, *, sandbox: bool) -> None:
    async with AsyncExitStack() as stack:
        if sandbox:
            base_urls = await stack.enter_async_context(import_module("app.sandbox").start())
            settings = settings.with_upstreams(base_urls, SANDBOX_KEY)
        server = _Server(_server_config(create_app(settings), settings))
        _relax_collector()
        await server.serve()


class _Server(uvicorn.Server):
    """Stops on a signal and is done: uvicorn's own raises it once more, into what still has to be closed."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield  # the handlers stay until the process ends: a second signal within the clean-up changes nothing


def _server_config(app: object, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] - None where only the loop is asked for
        host=settings.host,
        port=settings.port,
        loop="auto",
        http="httptools",
        ws="none",
        backlog=4096,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,  # longer than clients keep idle connections, so that none sends into a closing one
        timeout_graceful_shutdown=max(1, int(settings.shutdown_seconds)),  # whole seconds; with 0 all is cut at once
    )


def _relax_collector() -> None:
    """Look for cycles seldom, and never among what start-up made.

    A stream makes thousands of small objects that die at once, by count; at the usual threshold of 700
    the collector walks the living ones so often that it costs a fifth of all CPU of a long stream.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(40_000, 20, 50)


def _log_to_stderr(level: str) -> None:
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("sse_starlette").setLevel(logging.WARNING)  # at debug it writes what the client is sent


def _lift_file_limit() -> None:
    """Two sockets a stream: the usual soft limit of 1,024 files would end at 500 streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems call the hard limit infinite and grant less: stay as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
