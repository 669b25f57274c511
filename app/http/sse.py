"""Sending an event stream: whole frames, comments on silence, back-pressure from the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

from sse_starlette import EventSourceResponse
from starlette.types import Message, Receive, Scope, Send
from typing_extensions import override

PING = b": ping\n\n"
"""A comment that every client skips, provided that no frame has an `id:` line: none of ours has."""


class FrameResponse(EventSourceResponse):
    """Sends frames as they are made, one send for each piece that `frames` gives.

    The base gives the head of the answer. Its task group is left out: three tasks for each stream
    double the CPU of a short one and take 40 MB at 2,000 open. The route watches the client,
    and a stop of the server lets streams run on for a while instead of cutting them.
    """

    def __init__(self, frames: AsyncGenerator[bytes], headers: Mapping[str, str], keepalive: float) -> None:
        """`keepalive` is in seconds."""
        super().__init__(frames, headers=headers, ping=0)  # pyright: ignore[reportUnknownMemberType]
        self._frames = frames
        self._keepalive = keepalive

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        paced = KeepAlive(send, self._keepalive)
        try:
            await paced({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for piece in self._frames:
                await paced({"type": "http.response.body", "body": piece, "more_body": True})
            paced.stop()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            paced.stop()
            await self._frames.aclose()


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
