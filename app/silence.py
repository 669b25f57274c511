"""Noticing silence cheaply: one timer, however many signs of life there are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Silence:
    """Calls `act` whenever `seconds` went by without a `touch`, until it is stopped.

    A touch only notes the time. The timer looks at it when it rings, and sets itself again for the
    rest of the silence: what is busy pays next to nothing. Make it inside the running event loop.
    """

    __slots__ = ("_act", "_loop", "_seconds", "_timer", "_touched")

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._act = act
        self._touched = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._look)

    def touch(self) -> None:
        self._touched = self._loop.time()

    def stop(self) -> None:
        """Idempotent."""
        self._timer.cancel()

    def _look(self) -> None:
        rest = self._seconds - (self._loop.time() - self._touched)
        self._timer = self._loop.call_later(rest if rest > 0 else self._seconds, self._look)
        if rest <= 0:
            self._act()
