"""Noticing that the client has left, streamed or not, before the first byte or after."""

from __future__ import annotations

import asyncio
from types import TracebackType

from starlette.types import Receive


class ClientLeft(Exception):
    """The client closed its connection before it had its answer."""


class ClientWatch:
    """While it is entered, a client that leaves cancels the work; then `ClientLeft` is raised.

    The whole body must have been read before: the watch takes all that `receive` gives.
    """

    __slots__ = ("_left", "_listener", "_receive", "_worker")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = False
        self._worker: asyncio.Task[object] | None = None
        self._listener: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._worker = asyncio.current_task()
        self._listener = asyncio.create_task(self._listen())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        worker, self._worker = self._worker, None
        if self._listener is not None:
            self._listener.cancel()
        if self._left and worker is not None and worker.uncancel() == 0 and kind is asyncio.CancelledError:
            raise ClientLeft from None

    async def _listen(self) -> None:
        message = await self._receive()
        while message["type"] != "http.disconnect":
            message = await self._receive()
        if self._worker is not None:
            self._left = True
            self._worker.cancel()
