"""`dragoman check`: says whether a recorded stream of a dialect is well formed, and which event breaks which rule."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from adapters.hub.spans import Offsets
from adapters.hub.verdict import StreamCheck, Verdict, Violation
from adapters.sse import EventTooLarge, SseEvent, SseParser
from app.commands import wires

_CHUNK = 1 << 16


def check(
    file: Annotated[Path | None, typer.Argument(help="The recorded SSE stream. Standard input if absent.")] = None,
    *,
    dialect: Annotated[str, typer.Option(help="The dialect of the stream, or its vendor.")] = "responses",
    offsets: Annotated[
        Offsets | None, typer.Option(help="What places in texts count; the dialect's own unless given.")
    ] = None,
    resumed: Annotated[bool, typer.Option("--resumed", help="The stream goes on where another broke off.")] = False,
) -> None:
    """Judge a stream that a client was sent: one line for each broken rule, or one that says it is well formed.

    Exits 0 when it is well formed, 1 when it is not, 2 when the input is no event stream.
    """
    judge = partial(_stream_check(dialect), resumed=resumed, offsets=offsets)
    verdict = _judge(judge, file)
    if not verdict.events:
        raise _refusal("the input is no event stream")
    for violation in verdict.violations:
        typer.echo(describe(violation))
    if verdict.violations:
        raise typer.Exit(1)
    typer.echo(f"well formed: {_count(verdict.events, 'event')}, {_count(verdict.items, 'item')}")


def describe(violation: Violation) -> str:
    """One line: where, which rule, and what is wrong."""
    sequence = "" if violation.sequence_number is None else f", sequence_number {violation.sequence_number}"
    kind = violation.type or "without a type"
    return f"event {violation.number} ({kind}{sequence}): {violation.rule}: {violation.message}"


def _judge(judge: Callable[[Iterable[SseEvent]], Verdict], file: Path | None) -> Verdict:
    try:
        if file is None:
            return judge(_events(sys.stdin.buffer))
        with file.open("rb") as stream:
            return judge(_events(stream))
    except OSError as error:
        raise _refusal(f"cannot read {file or 'standard input'}: {error.strerror}") from error
    except EventTooLarge as error:
        raise _refusal(str(error)) from error


def _events(stream: BinaryIO) -> Iterator[SseEvent]:
    parser = SseParser()
    while chunk := stream.read(_CHUNK):
        yield from parser.feed(chunk)
    yield from parser.close()


def _stream_check(dialect: str) -> StreamCheck:
    checks = {name: surface.check for name, (_, surface) in wires.surfaces().items() if surface.check is not None}
    if dialect not in checks:
        known = ", ".join(sorted(checks))
        raise typer.BadParameter(f"no check of {dialect!r}; there are {known}", param_hint="--dialect")
    return checks[dialect]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _refusal(why: str) -> typer.Exit:
    typer.echo(why, err=True)
    return typer.Exit(2)
