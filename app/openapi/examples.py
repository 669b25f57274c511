"""Examples of a dialect that are never wrong: its own encoder writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adapters.hub import errors
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Surface
from adapters.hub.annotations import Span, UrlCitation
from adapters.hub.request import Request
from adapters.wire_json import loads
from app.mint import CountingMint

ERRORS: dict[str, errors.HubError] = {
    "400": errors.BadRequest("'stream' must be a boolean, not a string.", code="invalid_type", param="stream"),
    "401": errors.AuthRejected("Incorrect API key provided."),
    "404": errors.BadRequest("no such path: POST /nowhere", code="not_found", status=404),
    "405": errors.BadRequest("not a method of this path: GET /somewhere", code="method_not_allowed", status=405),
    "413": errors.TooLarge("the body is larger than the limit of 67108864 bytes"),
    "415": errors.BadRequest("the body is compressed (gzip): send it plain", code="unsupported_encoding", status=415),
    "429": errors.RateLimited("You exceeded your current quota.", retryable=True, retry_after=30),
    "500": errors.HubError("the gateway made a mistake; the request id names it in the log"),
    "502": errors.UpstreamError("the vendor refused the gateway's own key", code="upstream_auth"),
    "503": errors.Overloaded("The model is overloaded. Please try again later.", retryable=True),
    "504": errors.UpstreamTimeout("the vendor did not answer in time", retryable=True),
}
"""What a client may have to read, by the HTTP status."""

_TEXT = ("The teahouse by the pond ", "opens at nine.")


def answer(surface: Surface, request: Request) -> Any:
    """A whole answer."""
    encoder = surface.encoder(Encoding(replace(request, stream=False), CountingMint()))
    for event in _walk(surface.default_provider, request.model):
        encoder.feed(event)
    return loads(encoder.body())


def stream(surface: Surface, request: Request) -> str:
    """The same answer as an event stream."""
    encoder = surface.encoder(Encoding(replace(request, stream=True), CountingMint()))
    frames = [frame for event in _walk(surface.default_provider, request.model) for frame in encoder.feed(event)]
    return b"".join([*frames, *encoder.close()]).decode()


def _walk(wire: str, model: str) -> Iterator[ev.Event]:
    yield ev.Started(wire, "", model, created_at=0.0)
    yield ev.ItemStarted(0, "message")
    yield ev.PartStarted(0, 0, "text")
    yield from (ev.Delta(0, 0, piece) for piece in _TEXT)
    cited = UrlCitation("https://example.com/teahouse", "The teahouse", Span(0, len("".join(_TEXT))))
    yield ev.Annotated(0, 0, cited)
    yield ev.PartEnded(0, 0)
    yield ev.ItemEnded(0)
    usage = ev.Usage(input=12, input_cached=0, output=9, output_reasoning=0, total=21)
    yield ev.Ended("completed", ev.Finish("stop"), usage)
