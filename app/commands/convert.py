"""`dragoman convert`: a recorded answer or request in one wire, written in another. No network."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from adapters.hub import adapter, asking, errors, fold, losses, telling
from adapters.hub.events import Event
from adapters.hub.request import Request
from adapters.wire_json import dumps_to_keep
from app.commands import recording, wires
from app.commands.fidelity import Fidelity
from app.mint import CountingMint

Form = Literal["sse", "json"]


def convert(  # noqa: PLR0913  each is a word of the command line
    source: Annotated[str, typer.Option("--from", help="The wire of the recording: a vendor, or its dialect.")],
    target: Annotated[str, typer.Option("--to", help="The wire to write: a dialect, or its vendor.")],
    file: Annotated[
        Path | None, typer.Argument(help="The recording: an SSE stream or a JSON body. Standard input if absent.")
    ] = None,
    form: Annotated[Form, typer.Option("--as", help="Write an answer as a stream or whole.")] = "sse",
    fidelity: Annotated[Fidelity, typer.Option(help="How much beyond the dialect's own types.")] = Fidelity.RICH,
    offsets: Annotated[
        adapter.Offsets | None, typer.Option(help="What places in texts count; the dialect's own unless given.")
    ] = None,
    *,
    request: Annotated[
        bool, typer.Option("--request", help="The recording is a client's request: write what the vendor is sent.")
    ] = False,
) -> None:
    """Translate a recorded answer (or, with --request, a request) and print it; what was lost goes to standard error.

    Exits 1 when the recorded answer failed or breaks off or the request is refused, 2 when the command cannot be done.
    """
    if request:
        _print_request(wires.surface(source, "--from")[1], wires.vendor(target, "--to"), file, offsets)
        return
    vendor = wires.vendor(source, "--from")
    dialect, surface = wires.surface(target, "--to")
    recorded = recording.read(file)
    repeats = telling.repeats(surface, vendor, offsets) and recording.is_stream(recorded) == (form == "sse")
    if repeats:
        vendor = replace(vendor, codec=telling.TellingCodec(vendor.codec))
    events = recording.decode(vendor, recorded)
    tree = fold.fold(events)
    asked = Request(dialect, tree.model or "", [], stream=form == "sse")
    encoding = adapter.Encoding(asked, CountingMint(), fidelity.value, offsets=offsets)
    encoder = surface.repeater(encoding) if repeats and surface.repeater else surface.encoder(encoding)
    frames = encode(encoder, events)
    _write(frames if form == "sse" else _whole(encoder, frames))
    _tell_losses(encoding.losses)
    if tree.status == "failed":
        raise recording.failed(tree.error)


def encode(encoder: adapter.StreamEncoder, events: Iterable[Event]) -> Iterator[bytes]:
    """The frames of the whole answer in the encoder's dialect."""
    for event in events:
        yield from encoder.feed(event)
    yield from encoder.close()


def _whole(encoder: adapter.StreamEncoder, frames: Iterator[bytes]) -> Iterator[bytes]:
    """The answer as one body, once all that would be streamed is made."""
    deque(frames, maxlen=0)
    yield encoder.body()
    yield b"\n"


def _print_request(
    surface: adapter.Surface, vendor: adapter.Adapter, file: Path | None, offsets: adapter.Offsets | None
) -> None:
    lost = losses.Ledger()
    try:
        asked = surface.decode_request(recording.read_object(recording.read(file)), offsets)
        body = asking.question(surface, vendor, asked, lost, asking.Named(asked.model)).body
    except errors.BadRequest as error:
        typer.echo(f"refused: {error.message}", err=True)
        raise typer.Exit(1) from None
    _write((dumps_to_keep(body), b"\n"))
    _tell_losses(lost)


def _tell_losses(lost: losses.Ledger) -> None:
    for loss in lost.losses:
        typer.echo(f"lost: {loss.path}: {loss.reason}", err=True)


def _write(frames: Iterable[bytes]) -> None:
    for frame in frames:
        sys.stdout.buffer.write(frame)
    sys.stdout.buffer.flush()
