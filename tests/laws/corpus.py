"""What the laws run over: the project's recordings and those of real vendors, and how to translate them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import adapters
from adapters.hub.adapter import Codec, Encoding, Fidelity, StreamEncoder, Surface
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.telling import TellingCodec
from adapters.hub.verdict import Violation
from adapters.sse import SseEvent, SseParser
from adapters.wire_json import Json
from tests.conftest import SHARED

VENDORS = adapters.names()
FACES = tuple(name for name in VENDORS if adapters.load(name).surface is not None)
"""The vendors whose dialect clients of the gateway speak."""

FIDELITIES: tuple[Fidelity, ...] = ("strict", "rich", "native")

NO_ANSWERS = {
    "compaction-json-endpoint": "the answer of another endpoint",
    "input-tokens-endpoint": "the answer of another endpoint",
    "doc-error-events": "a list of three events, and no answer",
}
"""JSON recordings that no vendor gives for a request to answer."""


@dataclass(frozen=True)
class Recording:
    """One recorded answer: a stream (`.sse`) or a whole body (`.json`)."""

    vendor: str
    name: str
    path: Path
    status: int = 200

    def __str__(self) -> str:
        return f"{self.vendor}-{self.name}"

    @property
    def streamed(self) -> bool:
        return self.path.suffix == ".sse"

    @property
    def data(self) -> bytes:
        return _read(self.path)

    def events(self) -> list[SseEvent]:
        """The events of a stream."""
        return parse(self.data)

    def payloads(self) -> list[Json]:
        """The JSON of a stream's events."""
        return [json.loads(event.data) for event in self.events() if event.data != b"[DONE]"]

    def body(self) -> Json:
        """The JSON of a whole answer."""
        return json.loads(self.data)

    def walk(self, codec: Codec | None = None) -> list[Event]:
        """What the vendor's decoder makes of it."""
        codec = codec or adapters.load(self.vendor).codec
        return decode(codec, self.events()) if self.streamed else codec.decode_response(self.body())


def label(value: object) -> str:
    """A test's name for what it is given."""
    return str(value) if isinstance(value, Recording) else ""


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


def _own() -> Iterator[Recording]:
    for vendor in VENDORS:
        statuses = {scene.name: scene.status for scene in adapters.load(vendor).scenes}
        for path in sorted((adapters.ROOT / vendor / "sandbox").iterdir()):
            if path.suffix in (".sse", ".json"):
                yield Recording(vendor, f"sandbox-{path.stem}", path, statuses[path.stem])


def _recorded() -> Iterator[Recording]:
    folders = [(vendor, SHARED / "recordings" / f"{vendor}-{wire}") for vendor in VENDORS for wire in _WIRES]
    for vendor, folder in folders:
        for meta in sorted(folder.glob("*/meta.json")):
            status = json.loads(meta.read_bytes()).get("status") or 200
            for path in sorted(meta.parent.glob("response.*")):
                yield Recording(vendor, meta.parent.name, path, status)


_WIRES = ("responses", "interactions")
OWN = tuple(_own())
"""The project's own recordings."""

_ALL = (*OWN, *_recorded())

STREAMS = tuple(r for r in _ALL if r.streamed)
ANSWERS = tuple(r for r in _ALL if not r.streamed and r.status == 200 and r.name not in NO_ANSWERS)
FINISHED = tuple(r for r in ANSWERS if r.body().get("status") not in ("queued", "in_progress"))
"""The whole answers that a stream could tell: the others are still being made."""

REFUSALS = tuple(r for r in _ALL if r.status >= 400)
"""HTTP errors."""


def requests_of(vendor: str) -> Iterator[tuple[str, str, Json]]:
    """Recorded requests for an answer: name, path, body."""
    for wire in _WIRES:
        for path in sorted((SHARED / "recordings" / f"{vendor}-{wire}").glob("*/request.json")):
            request = json.loads(path.read_bytes())
            if request["method"] == "POST" and isinstance(request["body"], dict):
                yield path.parent.name, request["path"], cast(Json, request["body"])


def requests_of_clients() -> Iterator[tuple[str, str, Json]]:
    """What real clients send, whatever they speak: name, path, body."""
    for path in sorted((SHARED / "requests").glob("*.json")):
        for number, request in enumerate(cast(list[Json], json.loads(path.read_bytes()))):
            if request["kind"] == "http" and request["method"] == "POST" and isinstance(request["body"], dict):
                yield f"{path.stem}-{number}", request["path"], cast(Json, request["body"])


# -- driving the translators -------------------------------------------------------------------


class CountingMint:
    """Ids that count, and a time that stands still."""

    def __init__(self) -> None:
        self._made = 0

    def id(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}{self._made:024x}"

    def now(self) -> float:
        return 1_700_000_000.0


@dataclass(frozen=True)
class Told:
    """What a client was told: the bytes, and what was reported as lost."""

    data: bytes
    losses: Ledger

    def events(self) -> list[SseEvent]:
        return parse(self.data)

    def payloads(self) -> list[Json]:
        return [json.loads(event.data) for event in self.events() if event.data != b"[DONE]"]

    def body(self) -> Json:
        """A whole answer, or the response of the terminal event (of an interaction: without its steps)."""
        if not self.data.startswith(b"event:"):
            return json.loads(self.data)
        last = self.payloads()[-1]
        return last["response"] if "response" in last else last["interaction"]


def surface(face: str) -> Surface:
    """How clients of that vendor's dialect call."""
    found = adapters.load(face).surface
    assert found is not None
    return found


def parse(data: bytes, sizes: Iterable[int] = ()) -> list[SseEvent]:
    """Cut `data` into reads of the given sizes, and the rest, and parse them."""
    parser, events, at = SseParser(), list[SseEvent](), 0
    for size in sizes:
        events += parser.feed(data[at : at + size])
        at += size
    return [*events, *parser.feed(data[at:]), *parser.close()]


def decode(vendor: str | Codec, events: Iterable[SseEvent]) -> list[Event]:
    """The walk of a stream, to its end."""
    decoder = (adapters.load(vendor).codec if isinstance(vendor, str) else vendor).decoder()
    walk = [step for event in events for step in decoder.feed(event)]
    return [*walk, *decoder.close()]


def tell(
    said: Callable[[Codec], list[Event]], vendor: str, face: str, fidelity: Fidelity = "rich", *, stream: bool = True
) -> Told:
    """What a client of that dialect is told of a vendor's answer: its own words where both speak the same dialect."""
    codec, repeater = adapters.load(vendor).codec, surface(face).repeater
    if repeater is None or vendor != face:
        return encode(said(codec), face, fidelity, stream=stream)
    return _write(repeater, said(TellingCodec(codec)), face, fidelity, stream=stream)


def encode(walk: Iterable[Event], face: str, fidelity: Fidelity = "rich", *, stream: bool = True) -> Told:
    """What a client of that dialect is told of a walk."""
    return _write(surface(face).encoder, walk, face, fidelity, stream=stream)


def _write(
    open_: Callable[[Encoding], StreamEncoder], walk: Iterable[Event], face: str, fidelity: Fidelity, *, stream: bool
) -> Told:
    request = surface(face).decode_request({"model": "m", "input": "x", "stream": stream})
    encoding = Encoding(request, CountingMint(), fidelity)
    encoder = open_(encoding)
    frames = [frame for step in walk for frame in encoder.feed(step)] + encoder.close()
    if not stream:
        assert frames == []
    return Told(b"".join(frames) if stream else encoder.body(), encoding.losses)


def violations(face: str, told: Told) -> tuple[Violation, ...]:
    """The rules of the dialect's own grammar that a stream breaks."""
    check = surface(face).check
    assert check is not None
    return check(told.events()).violations
