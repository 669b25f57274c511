"""A recording that a command reads: a stream, a body, or what is neither."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import typer

from adapters.hub.adapter import Adapter, StreamDecoder
from adapters.hub.errors import UpstreamError
from adapters.hub.events import Event
from adapters.hub.surrogates import loads_mended
from adapters.sse import SseParser
from adapters.wire_json import Json, JsonError, loads


def read(file: Path | None) -> bytes:
    """The file, or standard input."""
    try:
        recording = sys.stdin.buffer.read() if file is None else file.read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"cannot read {file}: {error.strerror}", param_hint="FILE") from error
    if not recording.strip():
        raise typer.BadParameter("the recording is empty", param_hint="FILE")
    return recording.removeprefix(b"\xef\xbb\xbf")


def is_stream(recording: bytes) -> bool:
    """Whether it is no JSON body."""
    return not recording.lstrip().startswith((b"{", b"["))


def decode(vendor: Adapter, recording: bytes) -> list[Event]:
    """The walk of a recorded answer of `vendor`."""
    if is_stream(recording):
        return list(decode_stream(vendor.codec.decoder(), recording))
    answer = read_object(recording)
    if answer.get("error") and "id" not in answer:  # the body of an HTTP error, in every wire
        raise failed(vendor.endpoint.decode_error(0, {}, recording))
    return vendor.codec.decode_response(answer)


def read_object(recording: bytes) -> Json:
    """The JSON object that was recorded; lone surrogates in it are mended."""
    try:
        body = _loads(recording)
    except ValueError as error:
        raise typer.BadParameter(f"neither a stream nor JSON: {error}", param_hint="FILE") from error
    if not isinstance(body, dict):
        raise typer.BadParameter("the JSON is not one object", param_hint="FILE")
    return cast(Json, body)


def decode_stream(decoder: StreamDecoder, recording: bytes) -> Iterator[Event]:
    """All events of a recorded stream, to its end; a stream that breaks off gets the end it lacks."""
    parser = SseParser(limit=len(recording) + 1)
    for event in (*parser.feed(recording), *parser.close()):
        yield from decoder.feed(event)
    yield from decoder.close()


def failed(error: UpstreamError | None) -> typer.Exit:
    """Say why the answer failed; what is to be raised."""
    typer.echo(f"failed: {error.message if error else 'no reason given'}", err=True)
    return typer.Exit(1)


def _loads(recording: bytes) -> Any:
    try:
        return loads(recording)
    except JsonError:
        return loads_mended(recording)
