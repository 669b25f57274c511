"""One request from body to last frame: the only loop that pumps events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast, get_args

from adapters.hub.adapter import Emulation, Encoding, Fidelity, Mint, Offsets, Stage, StreamEncoder, Surface
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest, ProtocolError, UpstreamError
from adapters.hub.events import Ended, Event, Started, Told
from adapters.hub.losses import Ledger, Loss
from adapters.hub.stopping import Stopper
from adapters.hub.telling import TellingCodec, end_untold, hush, repeats
from adapters.wire_json import Json, JsonError, dumps_to_keep, loads
from app.hops import Asker
from app.routing import Route, Router
from app.upstream.call import Call, Upstream

FIDELITY_HEADER = "x-dragoman-fidelity"
ON_LOSS_HEADER = "x-dragoman-on-loss"
OFFSETS_HEADER = "x-dragoman-offsets"

_FIDELITIES = get_args(Fidelity)
_ON_LOSS = ("report", "reject")
_OFFSETS = get_args(Offsets)


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
        query: bytes = b"",
        on_route: Callable[[str, str], None] = lambda _vendor, _model: None,
    ) -> Exchange:
        """Read the request and translate it, without a word to the vendor yet; raises `BadRequest`.

        `query` is the URL's, unread. `on_route` learns which vendor and model it is for, before what cannot be told
        there is refused.
        """
        fidelity = cast("Fidelity", _choice(headers, FIDELITY_HEADER, _FIDELITIES, "rich"))
        on_loss = _choice(headers, ON_LOSS_HEADER, _ON_LOSS, "report")
        offsets = cast("Offsets", _choice(headers, OFFSETS_HEADER, _OFFSETS)) if OFFSETS_HEADER in headers else None
        request = surface.decode_request(_read(body), offsets)
        route = self.router.route(surface, request.model, headers, query)
        vendor = route.vendor
        on_route(vendor.name, route.model)
        losses = Ledger()
        asked = question(surface, vendor.adapter, request, losses, Named(route.model, vendor.store_ids))
        if losses and on_loss == "reject":
            raise _lossy(losses.losses)
        call = route.call(dumps_to_keep(asked.body), streamed=request.stream)
        encoding = Encoding(asked.echo, self.mint, fidelity, losses, offsets)
        return Exchange(self, route, call, encoding, _voice(surface, route, encoding, asked.emulation))


@dataclass(frozen=True, slots=True)
class Voice:
    """How an answer is told to the client: through `stages` and by `encoder`, or by `repeater` in the vendor's words.

    An answer that comes in another form than was asked for has no words that can be repeated, and needs the encoder.
    """

    encoder: Callable[[Encoding], StreamEncoder]
    repeater: Callable[[Encoding], StreamEncoder] | None
    stages: tuple[Stage, ...]


class Exchange:
    """A request on its way: `start`, then `frames` or `body`, and `aclose` whatever happened."""

    def __init__(self, gateway: Gateway, route: Route, call: Call, encoding: Encoding, voice: Voice) -> None:
        self.route = route
        self.encoding = encoding
        self.streamed = encoding.request.stream
        self._call: Call | None = call
        adapter = route.vendor.adapter
        if voice.repeater is not None:
            adapter = replace(adapter, codec=TellingCodec(adapter.codec))
        self._asker = Asker(gateway.upstream, adapter, streamed=self.streamed, limit=gateway.max_event_bytes)
        self._voice = voice
        self._stages = voice.stages
        self._encoder: StreamEncoder
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
        repeater = self._voice.repeater if type(self._first[0]) is Told else None
        self._encoder = (repeater or self._voice.encoder)(self.encoding)

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
                batch = self._redact(batch, last, last.error)
        frames: list[bytes] = []
        feed = self._encoder.feed
        for event in batch:
            frames += feed(event)
        if self._ended:
            frames += self._encoder.close()
        return b"".join(frames)

    def _redact(self, batch: list[Event], ended: Ended, error: UpstreamError) -> list[Event]:
        """The end of an answer that failed, without the key, whoever says it."""
        credential = self.route.credential
        ended.error = credential.redact(error)
        if ended.error is not error:
            return end_untold(batch)
        return hush(batch, credential.key) if credential.key else batch


def _voice(surface: Surface, route: Route, encoding: Encoding, emulation: Emulation | None) -> Voice:
    adapter = route.vendor.adapter
    stop = encoding.request.sampling.stop
    if repeats(surface, adapter, encoding.offsets) and emulation is None and (adapter.stops or not stop):
        return Voice(surface.encoder, surface.repeater, ())
    stages: list[Stage] = []
    if stop:
        stages.append(Stopper(stop, encoding.losses))
    if emulation is not None:
        stages.append(emulation.calls)
    return Voice(surface.encoder, None, tuple(stages))


def _read(body: bytes) -> Json:
    try:
        given = loads(body)
    except JsonError as error:
        raise BadRequest(f"the body is not JSON: {error}", code="invalid_json") from None
    if not isinstance(given, dict):
        raise BadRequest("the body must be a JSON object", code="invalid_json")
    return cast("Json", given)


def _choice(headers: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str = "") -> str:
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
