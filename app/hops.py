"""A vendor is asked once or, where it pauses within its answer, again; the answer is one walk whatever it took."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from adapters.hub.adapter import Adapter, Continuation
from adapters.hub.errors import ProtocolError, UpstreamError
from adapters.hub.events import Ended, Event, Finish
from adapters.hub.joining import Joiner
from adapters.hub.losses import Ledger
from adapters.hub.telling import hush
from adapters.wire_json import Json, dumps_to_keep, loads
from app.batches import batches, read_all
from app.upstream.call import Answer, Call, Upstream

MAX_HOPS = 16
"""How often a vendor is asked for one answer."""

_ERROR_BYTES = 1024 * 1024


class Asker:
    """Asks one vendor for one client, and holds at most one of its answers. `limit` is that of `batches`."""

    def __init__(self, upstream: Upstream, adapter: Adapter, *, streamed: bool, limit: int) -> None:
        self._upstream = upstream
        self._adapter = adapter
        self._streamed = streamed
        self._limit = limit
        self._answer: Answer | None = None

    async def ask(self, call: Call, losses: Ledger) -> AsyncIterator[list[Event]]:
        """The walk of the answer to `call`, and to what the vendor may have to be asked besides.

        Raises `UpstreamError` if the vendor refuses. `losses` collects what its pauses cost.
        """
        first = await self.open(call)
        continuation = self._adapter.continuation
        return first if continuation is None else Hops(self, call, first, continuation, losses)

    async def open(self, call: Call) -> AsyncIterator[list[Event]]:
        """The walk of the answer to `call`, in place of the answer before. Raises `UpstreamError`."""
        await self.aclose()
        answer = self._answer = await self._upstream.open(call)
        if answer.status >= 400:
            raise self._adapter.endpoint.decode_error(answer.status, answer.headers, await _read_error(answer))
        if answer.status != 200:
            raise ProtocolError(f"the vendor answered with the unexpected status {answer.status}")
        return batches(answer, self._adapter.codec, streamed=self._streamed, limit=self._limit)

    async def aclose(self) -> None:
        """Let go of the vendor. Idempotent."""
        answer, self._answer = self._answer, None
        if answer is not None:
            await answer.aclose()


class Hops:
    """The answer of a vendor that may pause. It is asked to go on only once that is waited for.

    What fails after the first pause ends the walk as failed instead of raising, since all that was said before stands.
    """

    __slots__ = ("_asker", "_batches", "_call", "_continuation", "_count", "_ended", "_joiner", "_losses", "_token")

    def __init__(
        self, asker: Asker, call: Call, first: AsyncIterator[list[Event]], continuation: Continuation, losses: Ledger
    ) -> None:
        self._asker = asker
        self._call = call
        self._batches: AsyncIterator[list[Event]] | None = first  # None: the vendor paused
        self._continuation = continuation
        self._losses = losses
        self._joiner = Joiner(continuation)
        self._count = 1
        self._token = ""
        self._ended = False

    def __aiter__(self) -> AsyncIterator[list[Event]]:
        return self

    async def __anext__(self) -> list[Event]:
        batch: list[Event]
        while not self._ended:
            try:
                if self._batches is None:
                    self._batches = await self._asker.open(self._call)
                batch = await self._batches.__anext__()
            except UpstreamError as error:
                if self._count == 1:
                    raise
                batch = [Ended("failed", Finish("error", error.code), error=error)]
            last = batch[-1]
            batch = self._take_end(batch, last) if type(last) is Ended else self._joiner.feed(batch)
            if batch:
                return batch
        raise StopAsyncIteration

    def _take_end(self, batch: list[Event], ended: Ended) -> list[Event]:
        """The last events of an answer. A vendor that only paused is asked to go on, once that is waited for."""
        if ended.error is not None and self._token:
            ended.error.forget(self._token, "[token]")
            batch = hush(batch, self._token)
        resume = ended.resume
        body = self._next_body(ended) if resume is not None else None
        if resume is None or body is None:
            self._ended = True
            return self._joiner.feed(batch)
        self._call = replace(self._call, body=dumps_to_keep(body))
        self._token = resume.token
        self._batches = None
        self._count += 1
        return self._joiner.pause(batch, ended, resume)

    def _next_body(self, ended: Ended) -> Json | None:
        if self._count == MAX_HOPS:
            self._losses.note("output", f"the vendor paused {MAX_HOPS} times and was not asked again")
            return None
        return self._continuation.request(loads(self._call.body), ended, self._losses)


async def _read_error(answer: Answer) -> bytes:
    """The body of an error; nothing where it breaks off or has no end: the status says the most of it."""
    try:
        return await read_all(answer, _ERROR_BYTES)
    except UpstreamError:
        return b""
