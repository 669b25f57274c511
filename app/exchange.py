"""One request from body to last frame: the only loop that pumps events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast, get_args

from adapters.hub.adapter import Emulation, Encoding, Fidelity, Mint, Stage, Surface
from adapters.hub.errors import BadRequest, ProtocolError, UpstreamError
from adapters.hub.events import Ended, Event, Started
from adapters.hub.losses import Ledger, Loss
from adapters.hub.request import Request
from adapters.hub.stopping import Stopper
from adapters.wire_json import Json, JsonError, dumps_to_keep, loads
from app.hops import Asker
from app.routing import Route, Router
from app.upstream.call import Call, Upstream

FIDELITY_HEADER = "x-dragoman-fidelity"
ON_LOSS_HEADER = "x-dragoman-on-loss"

_FIDELITIES = get_args(Fidelity)
_ON_LOSS = ("report", "reject")


@dataclass(frozen=True, slots=True)
class Gateway:
    """What every exchange needs. `max_event_bytes` bounds one event of a stream, and a whole JSON answer."""

    router: Router
    upstream: Upstream
    mint: Mint
    max_event_bytes: int

    def begin(
        self,
        surface: Surface,
        headers: Mapping[str, str],
        body: bytes,
        on_route: Callable[[str, str], None] = lambda _vendor, _model: None,
    ) -> Exchange:
        """Read the request and translate it, without a word to the vendor yet; raises `BadRequest`.

        `on_route` learns which vendor and model it is for, before what cannot be told there is refused.
        """
        fidelity = cast("Fidelity", _choice(headers, FIDELITY_HEADER, _FIDELITIES, "rich"))
        on_loss = _choice(headers, ON_LOSS_HEADER, _ON_LOSS, "report")
        request = surface.decode_request(_read(body))
        route = self.router.route(surface, request.model, headers)
        on_route(route.vendor.name, route.model)
        losses = Ledger()
        emulation = surface.emulate(request, route.vendor.adapter.client_tools, losses) if surface.emulate else None
        call = _call(route, emulation.request if emulation is not None else request, losses)
        if losses and on_loss == "reject":
            raise _lossy(losses.losses)
        echoed = replace(request, items=[], text=None)  # no answer repeats its input, which may be many megabytes
        encoding = Encoding(echoed, self.mint, fidelity, losses)
        return Exchange(self, surface, route, encoding, call, _stages(encoding, emulation))


class Exchange:
    """A request on its way: `start`, then `frames` or `body`, and `aclose` whatever happened."""

    def __init__(
        self,
        gateway: Gateway,
        surface: Surface,
        route: Route,
        encoding: Encoding,
        call: Call,
        stages: tuple[Stage, ...],
    ) -> None:
        self.route = route
        self.encoding = encoding
        self.streamed = encoding.request.stream
        self._call: Call | None = call
        self._asker = Asker(
            gateway.upstream, route.vendor.adapter, streamed=self.streamed, limit=gateway.max_event_bytes
        )
        self._stages = stages
        self._encoder = surface.encoder(encoding)
        self._batches: AsyncIterator[list[Event]]
        self._first: list[Event] = []
        self._ended = False

    @property
    def losses(self) -> list[Loss]:
        """What the vendor could not be told, and what, so far, the answer could not say."""
        return self.encoding.losses.losses

    async def start(self) -> None:
        """Call the vendor, once, and wait until it began to answer. Raises `UpstreamError` if it refuses."""
        call, self._call = self._call, None  # an answer may take minutes: the question need not be held so long
        if call is None:
            raise RuntimeError("an exchange starts once")
        try:
            self._batches = await self._asker.ask(call, self.encoding.losses)
            del call
            await self._hold_back()
        except UpstreamError as error:
            raise self.route.credential.redact(error) from error

    async def frames(self) -> AsyncGenerator[bytes]:
        """The answer as SSE frames of the client's dialect: whole frames, one piece for each read."""
        yield self._opening()
        while not self._ended:
            if piece := self._encode(await anext(self._batches)):
                yield piece

    async def body(self) -> bytes:
        """The answer as one JSON body of the client's dialect."""
        self._opening()
        while not self._ended:
            self._encode(await anext(self._batches))
        return self._encoder.body()

    async def aclose(self) -> None:
        """Let go of the vendor. Idempotent."""
        await self._asker.aclose()

    async def _hold_back(self) -> None:
        """Read up to the first event that says how it goes: a vendor that fails at once is an HTTP error."""
        async for batch in self._batches:
            self._first += batch
            for event in batch:
                if type(event) is Started:
                    return
                if type(event) is Ended and event.error is not None:
                    raise event.error
        raise ProtocolError("the vendor's answer is empty", retryable=True)

    def _opening(self) -> bytes:
        """What was held back, which nobody needs again."""
        first, self._first = self._first, []
        return self._encode(first)

    def _encode(self, batch: list[Event]) -> bytes:
        for stage in self._stages:
            batch = stage.feed(batch)
        if not batch:
            return b""
        last = batch[-1]
        if type(last) is Ended:
            self._ended = True
            if last.error is not None:
                last.error = self.route.credential.redact(last.error)
        frames: list[bytes] = []
        feed = self._encoder.feed
        for event in batch:
            frames += feed(event)
        if self._ended:
            frames += self._encoder.close()
        return b"".join(frames)


def _stages(encoding: Encoding, emulation: Emulation | None) -> tuple[Stage, ...]:
    """What a walk passes between the vendor's decoder and the client's encoder, in that order."""
    stages: list[Stage] = []
    if encoding.request.sampling.stop:
        stages.append(Stopper(encoding.request.sampling.stop, encoding.losses))
    if emulation is not None:
        stages.append(emulation.calls)
    return tuple(stages)


def _read(body: bytes) -> Json:
    try:
        given = loads(body)
    except JsonError as error:
        raise BadRequest(f"the body is not JSON: {error}", code="invalid_json") from None
    if not isinstance(given, dict):
        raise BadRequest("the body must be a JSON object", code="invalid_json")
    return cast("Json", given)


def _call(route: Route, request: Request, losses: Ledger) -> Call:
    adapter = route.vendor.adapter
    request = replace(request, model=route.model, store_ids=route.vendor.store_ids)
    body = dumps_to_keep(adapter.codec.encode_request(request, losses))
    headers = dict(adapter.endpoint.stream_headers) if request.stream else {}
    if route.credential.key is not None:
        headers |= adapter.endpoint.headers(route.credential.key)
    return Call(route.vendor.url, headers, body)


def _choice(headers: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> str:
    value = headers.get(name, default).strip().lower()
    if value not in allowed:
        raise BadRequest(f"{name} must be one of {', '.join(allowed)}", param=name)
    return value


def _lossy(losses: Iterable[Loss]) -> BadRequest:
    told = "; ".join(f"{loss.path}: {loss.reason}" for loss in losses)
    first = next(iter(losses)).path
    return BadRequest(
        f"the chosen vendor cannot be told all of this request: {told}", code="lossy_request", param=first
    )
