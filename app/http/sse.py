"""Sending an event stream: whole frames, comments on silence, back-pressure from the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

from sse_starlette import EventSourceResponse
from starlette.types import Message, Send

PING = b": ping\n\n"
"""A comment that every client skips, provided that no frame has an `id:` line: none of ours has."""

_HEAD = EventSourceResponse(iter(()), ping=0).raw_headers


async def send_frames(
    send: Send, frames: AsyncGenerator[bytes], headers: Mapping[str, str], *, keepalive: float
) -> None:
    """Send `frames` as they are made, one send for each; `keepalive` in seconds.

    The head is `EventSourceResponse`'s. Its task group is not used: three tasks and a lock for each
    stream cost as much CPU as all else of a short one, and 40 MB at 2,000 open streams. The route
    watches the client, and a server that is told to stop lets streams run on for a while.
    """
    head = _HEAD + [(name.encode(), value.encode()) for name, value in headers.items()]
    paced = KeepAlive(send, keepalive)
    try:
        await paced({"type": "http.response.start", "status": 200, "headers": head})
        async for piece in frames:
            await paced({"type": "http.response.body", "body": piece, "more_body": True})
        paced.stop()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        paced.stop()
        await frames.aclose()


class KeepAlive:
    """A `send` that puts a comment between two sends when the second is long in coming.

    A send only notes the time; one timer looks at it, and sets itself again for the rest of the
    silence, so that a busy stream pays next to nothing. A client that does not read gets none.
    """

    __slots__ = ("_loop", "_ping", "_seconds", "_send", "_sending", "_sent_at", "_timer")

    def __init__(self, send: Send, seconds: float) -> None:
        self._send = send
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._sending = False
        self._sent_at = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._look)
        self._ping: asyncio.Task[None] | None = None

    async def __call__(self, message: Message) -> None:
        self._sending = True
        await self._send(message)
        self._sending = False
        self._sent_at = self._loop.time()

    def stop(self) -> None:
        """No comment from now on. Idempotent."""
        self._timer.cancel()
        if self._ping is not None:
            self._ping.cancel()

    def _look(self) -> None:
        rest = self._seconds - (self._loop.time() - self._sent_at)
        if rest <= 0 and not self._sending:
            self._ping = self._loop.create_task(self({"type": "http.response.body", "body": PING, "more_body": True}))
        self._timer = self._loop.call_later(rest if rest > 0 else self._seconds, self._look)
