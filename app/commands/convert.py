"""`dragoman convert`: a recorded answer of one vendor, written in the dialect of another. No network."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import typer

import adapters
from adapters.hub import adapter, fold, request
from adapters.hub.errors import UpstreamError
from adapters.hub.events import Event
from adapters.hub.surrogates import loads_mended
from adapters.sse import SseParser
from adapters.wire_json import Json, JsonError, loads
from app.commands.fidelity import Fidelity


class CountingMint:
    """Ids that count from 1 and a clock that stands still: the same input gives the same output."""

    def __init__(self) -> None:
        self._last = 0

    def id(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}{self._last:024x}"

    def now(self) -> float:
        return 0.0


def convert(
    source: Annotated[str, typer.Option("--from", help="The vendor whose answer was recorded.")],
    target: Annotated[str, typer.Option("--to", help="The dialect to write.")],
    file: Annotated[
        Path | None, typer.Argument(help="The recording: an SSE stream or a JSON body. Standard input if absent.")
    ] = None,
    fidelity: Annotated[Fidelity, typer.Option(help="How much beyond the dialect's own types.")] = Fidelity.RICH,
) -> None:
    """Translate a recorded stream (or JSON answer) and print it as SSE; what was lost goes to standard error.

    Exits 1 when the recorded answer failed or breaks off, 2 when the command cannot be done.
    """
    vendor = _vendor(source)
    dialect, surface = _surface(target)
    events = _decode(vendor, _read(file))
    tree = fold.fold(events)
    encoding = adapter.Encoding(
        request.Request(dialect, tree.model or "", [], stream=True), CountingMint(), fidelity.value
    )
    _write(encode(surface, encoding, events))
    for loss in encoding.losses.losses:
        typer.echo(f"lost: {loss.path}: {loss.reason}", err=True)
    if tree.status == "failed":
        raise _failed(tree.error)


def decode_stream(decoder: adapter.StreamDecoder, recording: bytes) -> Iterator[Event]:
    """All events of a recorded stream, to its end; a stream that breaks off gets the end it lacks."""
    parser = SseParser(limit=len(recording) + 1)
    for event in (*parser.feed(recording), *parser.close()):
        yield from decoder.feed(event)
    yield from decoder.close()


def encode(surface: adapter.Surface, encoding: adapter.Encoding, events: Iterable[Event]) -> Iterator[bytes]:
    """The frames of the whole answer in the surface's dialect."""
    encoder = surface.encoder(encoding)
    for event in events:
        yield from encoder.feed(event)
    yield from encoder.close()


def surfaces() -> dict[str, tuple[str, adapter.Surface]]:
    """What can be written: each vendor that has a surface, by its own name and by its dialect's."""
    found: dict[str, tuple[str, adapter.Surface]] = {}
    for name in adapters.names():
        surface = adapters.load(name).surface
        if surface is not None:
            found[surface.dialect] = found[name] = (name, surface)
    return found


def _vendor(name: str) -> adapter.Adapter:
    dialects = {dialect: vendor for dialect, (vendor, _) in surfaces().items()}
    vendor = dialects.get(name, name)
    if vendor not in adapters.names():
        raise typer.BadParameter(f"no vendor {name!r}; there are {', '.join(adapters.names())}", param_hint="--from")
    return adapters.load(vendor)


def _surface(name: str) -> tuple[str, adapter.Surface]:
    found = surfaces()
    if name not in found:
        raise typer.BadParameter(f"cannot write {name!r}; can write {', '.join(sorted(found))}", param_hint="--to")
    return found[name]


def _read(file: Path | None) -> bytes:
    try:
        recording = sys.stdin.buffer.read() if file is None else file.read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {file}: {error.strerror}", param_hint="FILE") from error
    if not recording.strip():
        raise typer.BadParameter("the recording is empty", param_hint="FILE")
    return recording


def _decode(vendor: adapter.Adapter, recording: bytes) -> list[Event]:
    recording = recording.removeprefix(b"\xef\xbb\xbf")
    if not recording.lstrip().startswith((b"{", b"[")):
        return list(decode_stream(vendor.codec.decoder(), recording))
    try:
        body = _loads(recording)
    except ValueError as error:
        raise typer.BadParameter(f"neither a stream nor JSON: {error}", param_hint="FILE") from error
    if not isinstance(body, dict):
        raise typer.BadParameter("the JSON is not one object", param_hint="FILE")
    answer = cast(Json, body)
    if answer.get("error") and "id" not in answer:  # the body of an HTTP error, in every wire
        raise _failed(vendor.endpoint.decode_error(0, {}, recording))
    return vendor.codec.decode_response(answer)


def _failed(error: UpstreamError | None) -> typer.Exit:
    typer.echo(f"failed: {error.message if error else 'no reason given'}", err=True)
    return typer.Exit(1)


def _loads(recording: bytes) -> Any:
    try:
        return loads(recording)
    except JsonError:
        return loads_mended(recording)


def _write(frames: Iterable[bytes]) -> None:
    for frame in frames:
        sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()
