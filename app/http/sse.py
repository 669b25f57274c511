"""Sending an event stream: whole frames, comments on silence, back-pressure from the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

from sse_starlette import EventSourceResponse
from starlette.types import Send

from app.silence import Silence

PING = b": ping\n\n"
"""A comment that every client skips, provided that no frame has an `id:` line: none of ours has."""

_HEAD = EventSourceResponse(iter(()), ping=0).raw_headers


async def send_frames(
    send: Send, frames: AsyncGenerator[bytes], headers: Mapping[str, str], keepalive: Silence
) -> None:
    """Send `frames` as they are made, one send for each, and a comment whenever `keepalive` finds silence.

    The head is `EventSourceResponse`'s. Its task group is not used: three tasks and a lock for each
    stream cost as much CPU as all else of a short one, and 40 MB at 2,000 open streams. The route
    watches the client, and a server that is told to stop lets streams run on for a while.
    """
    head = _HEAD + [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    comments = Comments(send)
    sign = keepalive.watch(comments.add)
    try:
        async for piece in frames:
            comments.sending = True
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            comments.sending = False
            sign.touch()
        comments.stop()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        keepalive.leave(sign)
        comments.stop()
        await frames.aclose()


class Comments:
    """Keeps a silent stream alive. Frames are sent whole, so a comment never falls into one.

    While a send waits for a client that does not read (`sending`), there is no silence to break.
    """

    __slots__ = ("_send", "_task", "sending")

    def __init__(self, send: Send) -> None:
        self.sending = False
        self._send = send
        self._task: asyncio.Task[None] | None = None

    def add(self) -> None:
        """Send a comment, unless one is still on its way."""
        if not self.sending and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._send_comment())

    def stop(self) -> None:
        """No comment goes out from now on."""
        self.sending = True
        if self._task is not None:
            self._task.cancel()

    async def _send_comment(self) -> None:
        await self._send({"type": "http.response.body", "body": PING, "more_body": True})
