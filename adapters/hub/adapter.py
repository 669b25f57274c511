"""The contract of a vendor folder: what an adapter is, on one screen.

A vendor is one folder under `adapters/` whose package exports `ADAPTER`. The gateway finds it by
the folder's name; nothing else lists vendors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from adapters.hub.coverage import Coverage, Rows, Rule
from adapters.hub.errors import HubError, UpstreamError
from adapters.hub.events import Ended, Event
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.hub.spans import Offsets
from adapters.hub.verdict import StreamCheck
from adapters.sse import SseEvent
from adapters.wire_json import Json

Fidelity = Literal["strict", "rich", "native"]


class Mint(Protocol):
    """Makes what a translator may not: new ids and the time."""

    def id(self, prefix: str) -> str:
        """A new id: `prefix` and 24 hexadecimal digits."""
        ...

    def now(self) -> float:
        """Unix seconds."""
        ...


class StreamDecoder(Protocol):
    """Vendor to hub. Never raises on valid JSON; after `Ended` it answers []."""

    def feed(self, event: SseEvent, /) -> list[Event]: ...

    def close(self) -> list[Event]:
        """End of input; idempotent. Guarantees exactly one `Ended` over the decoder's life."""
        ...

    def fail(self, error: UpstreamError, /) -> list[Event]:
        """The transport broke: closes what is open as incomplete and ends with `error`."""
        ...


class StreamEncoder(Protocol):
    """Hub to the client's dialect."""

    def feed(self, event: Event, /) -> list[bytes]:
        """The complete SSE frames of one event."""
        ...

    def close(self) -> list[bytes]:
        """What the dialect sends after its terminal event."""
        ...

    def body(self) -> bytes:
        """The non-stream answer, once `Ended` was fed."""
        ...


@dataclass(slots=True)
class Encoding:
    """How one answer is to be written for one client.

    `request` is the client's own request, for the fields that an answer echoes; `losses` collects
    what the answer could not say. `offsets` is the unit of the places that the client reads; None is the dialect's own.
    """

    request: Request
    mint: Mint
    fidelity: Fidelity = "rich"
    losses: Ledger = field(default_factory=Ledger)
    offsets: Offsets | None = None


class Codec(Protocol):
    """The vendor's side of the translation. JSON in, values out, and back."""

    def encode_request(self, request: Request, losses: Ledger) -> Json:
        """The vendor's body. Raises `Unsupported` for what it cannot do and must not ignore."""
        ...

    def decode_response(self, body: Json) -> list[Event]:
        """A non-stream answer as the same walk a stream gives."""
        ...

    def decoder(self) -> StreamDecoder: ...


@dataclass(frozen=True, slots=True)
class Continuation:
    """How a vendor that pauses within an answer is asked to go on. Pure, as all of a codec is.

    `request(body, ended, losses)` gives what to send after `body`, or None where `ended` is the answer's end.
    `join(ids, ends)` gives the one end of an answer that came as several, of their ids and ends in order.
    """

    request: Callable[[Json, Ended, Ledger], Json | None]
    join: Callable[[Sequence[str], Sequence[Ended]], Ended]


class Stage(Protocol):
    """Hub to hub: changes a walk on its way from the decoder to the encoder, and leaves it legal."""

    def feed(self, events: list[Event], /) -> list[Event]: ...


@dataclass(frozen=True, slots=True)
class Emulation:
    """A request whose tools a vendor has not, told with functions; `calls` tells the answer's calls back."""

    request: Request
    calls: Stage


class RequestReader(Protocol):
    """Reads a client's body, whose citations are counted in `offsets`; None is the dialect's own unit.

    Raises `BadRequest` with the path of the field at fault.
    """

    def __call__(self, body: Json, offsets: Offsets | None = None, /) -> Request: ...


@dataclass(frozen=True, slots=True)
class Docs:
    """What people are told of a dialect, beside what can be seen of it: its paths, its errors, an answer.

    `request` is an example of a body that asks to cite sources. `security` are the ways in which a client may give its
    key, by any name, as OpenAPI's security schemes.
    """

    title: str
    summary: str
    request: Json
    security: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Surface:
    """How clients of a dialect call the gateway.

    `dialect` is the name people know the wire by, as "responses"; a path may have `{pieces}` that clients fill.
    `credential` reads the client's own key from the lower-cased headers and the query; `encode_error` gives the body
    (x-request-id and retry-after are added by the gateway). `default_provider` answers when nothing else names a
    vendor: it is the vendor whose own wire the dialect is, and `repeater` repeats its answers in its own words, from
    the `Told` events of the walk: those that come in the form that was asked for, for others need the `encoder`.
    `offsets` is what the dialect counts by. `check` judges a stream of the dialect. `emulate` tells a request with the
    kinds of tools that a vendor has; None where it has all that the request needs. `requests` says what becomes of the
    dialect's words at any vendor but its own, where they are not the common ones.
    """

    dialect: str
    paths: tuple[str, ...]
    default_provider: str
    decode_request: RequestReader
    encoder: Callable[[Encoding], StreamEncoder]
    credential: Callable[[Mapping[str, str], Mapping[str, str]], str | None]
    encode_error: Callable[[HubError], Json]
    offsets: Offsets = "codepoint"
    repeater: Callable[[Encoding], StreamEncoder] | None = None
    check: StreamCheck | None = None
    emulate: Callable[[Request, frozenset[str], Ledger], Emulation | None] | None = None
    docs: Docs | None = None
    requests: Rows = field(default_factory=dict[str, Mapping[str, Rule]])


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to call a vendor, as data.

    `path` is appended to the base URL; `headers` builds the authentication from a key.
    `decode_error(status, headers, body)` reads an HTTP error (lower-cased headers).
    """

    base_url: str
    path: str
    key_names: tuple[str, ...]
    headers: Callable[[str], dict[str, str]]
    decode_error: Callable[[int, Mapping[str, str], bytes], UpstreamError]
    stream_headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing the sandbox can play.

    `pattern` is searched in the raw request body (bytes; first match wins); the recordings lie in the vendor's
    folder `sandbox/` as `<name>.sse` and `<name>.json`. `status` other than 200 plays the JSON as an error.
    """

    name: str
    pattern: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Adapter:
    """A vendor: all that the gateway knows of it.

    `models` are shell patterns of model names that mean this vendor; `catalogue` the names to list. `client_tools`
    are the kinds of tools run by the client that the vendor's wire has; `stops` says whether it has stop sequences.
    """

    name: str
    codec: Codec
    endpoint: Endpoint
    models: tuple[str, ...]
    catalogue: tuple[str, ...] = ()
    client_tools: frozenset[str] = frozenset({"function"})
    stops: bool = False
    continuation: Continuation | None = None
    surface: Surface | None = None
    scenes: tuple[Scene, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
