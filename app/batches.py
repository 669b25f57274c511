"""A vendor's answer as batches of hub events, one batch a read, whatever the answer's content type."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

from adapters.hub.adapter import Codec, StreamDecoder
from adapters.hub.errors import ProtocolError, UpstreamError
from adapters.hub.events import Ended, Event
from adapters.hub.surrogates import loads_mended
from adapters.hub.telling import TellingCodec
from adapters.sse import EventTooLarge, SseParser
from adapters.wire_json import Json, JsonError, loads
from app.upstream.call import Answer

EVENT_STREAM = "text/event-stream"


def batches(answer: Answer, codec: Codec, *, streamed: bool, limit: int) -> AsyncIterator[list[Event]]:
    """The walk of `answer`, in batches that are never empty.

    Its content type decides; where that says nothing, what was asked for (`streamed`).
    A broken JSON answer raises `UpstreamError`; a broken stream ends the walk with it instead, since
    a part of it may have been passed on. `limit` is in bytes.
    """
    kind = answer.headers.get("content-type", "").lower()
    comes_as_stream = kind.startswith(EVENT_STREAM) or (streamed and "json" not in kind)
    if comes_as_stream != streamed and isinstance(codec, TellingCodec):
        codec = codec.codec  # the wire's own words can be repeated only in the form that was asked for
    if comes_as_stream:
        return StreamBatches(answer, codec.decoder(), limit)
    return JsonBatch(answer, codec, limit, finished=streamed)


async def read_all(answer: Answer, limit: int) -> bytes:
    """The whole body; raises `ProtocolError` once it is larger than `limit` bytes."""
    pieces: list[bytes] = []
    held = 0
    async for piece in answer.chunks():
        pieces.append(piece)
        held += len(piece)
        if held > limit:
            raise ProtocolError(f"the vendor's answer is larger than the limit of {limit} bytes")
    return b"".join(pieces)


def _read_object(body: bytes) -> Json:
    try:
        try:
            value = loads(body)
        except JsonError:
            value = loads_mended(body)
    except JsonError:
        raise ProtocolError("the vendor's answer is not JSON", retryable=True) from None
    if not isinstance(value, dict):
        raise ProtocolError("the vendor's answer is not a JSON object", retryable=True)
    return cast("Json", value)


class JsonBatch:
    """A JSON answer: one batch, which is the whole walk.

    `finished` is set where it must be: a stream cannot say that its answer is still being made.
    """

    __slots__ = ("_answer", "_codec", "_finished", "_limit")

    def __init__(self, answer: Answer, codec: Codec, limit: int, *, finished: bool) -> None:
        self._answer: Answer | None = answer
        self._codec = codec
        self._limit = limit
        self._finished = finished

    def __aiter__(self) -> AsyncIterator[list[Event]]:
        return self

    async def __anext__(self) -> list[Event]:
        answer, self._answer = self._answer, None
        if answer is None:
            raise StopAsyncIteration
        body = await read_all(answer, self._limit)
        walk = self._codec.decode_response(_read_object(body))
        if not walk:
            raise ProtocolError("the vendor's answer is empty", retryable=True)
        last = walk[-1]
        if self._finished and type(last) is Ended and last.unfinished is not None:
            raise ProtocolError("the vendor did not stream: its answer is still being made")
        return walk


class StreamBatches:
    """An event stream. It ends with the vendor's terminal event even if the vendor keeps the line open."""

    __slots__ = ("_chunks", "_decoder", "_ended", "_parser")

    def __init__(self, answer: Answer, decoder: StreamDecoder, limit: int) -> None:
        self._chunks = answer.chunks()
        self._parser = SseParser(limit)
        self._decoder = decoder
        self._ended = False

    def __aiter__(self) -> AsyncIterator[list[Event]]:
        return self

    async def __anext__(self) -> list[Event]:
        while not self._ended:
            try:
                batch = self._decode(await self._chunks.__anext__())
            except StopAsyncIteration:
                batch = self._close()
            except UpstreamError as error:
                batch = self._fail(error)
            if batch:
                self._ended = self._ended or type(batch[-1]) is Ended
                return batch
        raise StopAsyncIteration

    def _decode(self, chunk: bytes | None) -> list[Event]:
        """The events of the next bytes; None is their end."""
        batch: list[Event] = []
        feed = self._decoder.feed
        try:
            for event in self._parser.close() if chunk is None else self._parser.feed(chunk):
                batch += feed(event)
        except EventTooLarge as error:
            batch += self._fail(ProtocolError(str(error)))
        except JsonError:
            batch += self._fail(ProtocolError("the vendor's stream holds something that is not JSON"))
        return batch

    def _close(self) -> list[Event]:
        self._ended = True
        return self._decode(None) + self._decoder.close()

    def _fail(self, error: UpstreamError) -> list[Event]:
        self._ended = True
        return self._decoder.fail(error)
