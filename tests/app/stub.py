"""A vendor and a dialect that exist only for tests: the smallest of each that keeps the contract.

The vendor's stream is one JSON object an event, told apart by `t`: start, text, pause, end, error. The
dialect streams `event: <word>` frames and answers whole with the text it has. A model named
`lossy` loses its temperature on the way, one named `cold` refuses it, one named `crash` meets a fault of the
gateway's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.hub import events as ev
from adapters.hub.adapter import Adapter, Encoding, Endpoint, Offsets, StreamDecoder, Surface
from adapters.hub.errors import (
    AuthRejected,
    BadRequest,
    HubError,
    ProtocolError,
    RateLimited,
    Unsupported,
    UpstreamError,
)
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.hub.verdict import Verdict
from adapters.sse import SseEvent, frame
from adapters.wire_json import Json, dumps, loads


class Decoder:
    """One message with one text part; what is open is closed before the end."""

    def __init__(self) -> None:
        self._open = False
        self._started = False
        self._ended = False

    def feed(self, event: SseEvent, /) -> list[ev.Event]:
        return self.take(loads(event.data))

    def take(self, said: Json) -> list[ev.Event]:
        if self._ended:
            return []
        match said["t"]:
            case "start":
                self._started = True
                return [ev.Started("stub", "s1", said.get("model"))]
            case "text":
                opening = [] if self._open else [ev.ItemStarted(0, "message"), ev.PartStarted(0, 0, "text")]
                self._open = True
                return [*opening, ev.Delta(0, 0, said["v"])]
            case "pause":
                resume = ev.Resume(said["token"], "s1", 1 if self._open else 0)
                return self._end(None, ev.Ended("incomplete", ev.Finish("stop"), resume=resume))
            case "end":
                return self._end(None)
            case "error":
                return self._end(_error(said["status"], said["v"]))
            case other:
                return [ev.Opaque("stub", {"t": other})]

    def close(self) -> list[ev.Event]:
        return [] if self._ended else self._end(ProtocolError("cut short", retryable=True))

    def fail(self, error: UpstreamError, /) -> list[ev.Event]:
        return [] if self._ended else self._end(error)

    def _end(self, error: UpstreamError | None, paused: ev.Ended | None = None) -> list[ev.Event]:
        self._ended = True
        closing = [ev.PartEnded(0, 0), ev.ItemEnded(0, "incomplete" if error else "completed")] if self._open else []
        ended = (
            ev.Ended("failed", ev.Finish("error"), error=error) if error else ev.Ended("completed", ev.Finish("stop"))
        )
        return [*closing, paused or ended]


def _error(status: int, words: str) -> UpstreamError:
    kinds: dict[int, type[UpstreamError]] = {401: AuthRejected, 429: RateLimited}
    return kinds.get(status, UpstreamError)(words, status=status)


class Codec:
    def encode_request(self, request: Request, losses: Ledger) -> Json:
        if request.model == "lossy" and request.sampling.temperature is not None:
            losses.note("temperature", "has no word for it")
        if request.model == "cold" and request.sampling.temperature is not None:
            raise Unsupported("'temperature' cannot be told", param="temperature")
        if request.model == "crash":
            raise RuntimeError("a fault that holds secrets")
        return {"model": request.model, "say": request.text, "stream": request.stream}

    def decode_response(self, body: Json) -> list[ev.Event]:
        decoder = Decoder()
        walk = [event for said in body.get("events", []) for event in decoder.take(said)]
        return walk + decoder.close()

    def decoder(self) -> StreamDecoder:
        return Decoder()


class Encoder:
    def __init__(self, encoding: Encoding) -> None:
        self._losses = encoding.losses
        self._fidelity = encoding.fidelity
        self._text = ""
        self._status = ""

    def feed(self, event: ev.Event, /) -> list[bytes]:
        match event:
            case ev.Started(model=model):
                return [frame(b"start", dumps({"model": model, "fidelity": self._fidelity}))]
            case ev.Delta(text=text):
                if "¤" in text:
                    self._losses.note("output[0]", "a sign that this dialect has not")
                self._text += text
                return [frame(b"text", dumps(text))]
            case ev.Ended(status=status, error=error):
                self._status = status
                told = {"code": error.code, "message": error.message} if error else None
                return [frame(b"end", dumps({"status": status, "error": told}))]
            case _:
                return []

    def close(self) -> list[bytes]:
        return [frame(b"bye", b"{}")]

    def body(self) -> bytes:
        return dumps({"text": self._text, "status": self._status})


def _decode_request(body: Json, _: Offsets | None = None, /) -> Request:
    model: Any = body.get("model")
    if not isinstance(model, str):
        raise BadRequest("model must be a string", param="model")
    request = Request("stub", model, [], text=body.get("say"), stream=body.get("stream", False))
    request.sampling.temperature = body.get("temperature")
    return request


def _credential(headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
    return headers.get("x-stub-key") or query.get("key")


def _encode_error(error: HubError) -> Json:
    return {"oops": error.message, "code": error.code, "param": error.param}


def _decode_error(status: int, headers: Mapping[str, str], body: bytes) -> UpstreamError:
    error = _error(status, body.decode())
    error.retryable = status == 429
    error.retry_after = float(headers["x-wait"]) if "x-wait" in headers else None
    return error


def _check(*_: object, **__: object) -> Verdict:
    return Verdict(0, 0, ())


SURFACE = Surface(
    dialect="stub",
    paths=("/stub/answers",),
    default_provider="stub",
    decode_request=_decode_request,
    encoder=Encoder,
    credential=_credential,
    encode_error=_encode_error,
    check=_check,
)


def vendor(name: str, models: tuple[str, ...], *, surface: Surface | None = None) -> Adapter:
    """A vendor of this wire under any name."""
    endpoint = Endpoint(
        base_url=f"http://{name}.invalid/v9",
        path="/speak",
        key_names=(f"{name.upper()}_KEY", f"{name.upper()}_OTHER_KEY"),
        headers=lambda key: {"x-key": key},
        decode_error=_decode_error,
        stream_headers={"accept": "text/event-stream"},
    )
    return Adapter(name, Codec(), endpoint, models, catalogue=(f"{name}-1", f"{name}-2"), surface=surface)


STUB = vendor("stub", ("stub-*",), surface=SURFACE)
OTHER = vendor("other", ("other-*", "o[0-9]*"))
VENDORS = {adapter.name: adapter for adapter in (OTHER, STUB)}
