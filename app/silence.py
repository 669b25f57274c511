"""Noticing silence cheaply: one timer for all that may fall silent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_LOOKS = 8
"""How often the timer rings within the time that it watches over."""


class Sign:
    """What somebody shows to be alive. `touch` only notes the time, so that what is busy pays next to nothing."""

    __slots__ = ("_now", "act", "touched")

    def __init__(self, act: Callable[[], None], now: Callable[[], float]) -> None:
        self.act = act
        self.touched = now()
        self._now = now

    def touch(self) -> None:
        self.touched = self._now()


class Silence:
    """Calls a sign's `act` whenever `seconds` (and up to an eighth more) went by without a touch of it.

    However many signs there are, one timer looks at them, and none while there is no sign.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._signs: set[Sign] = set()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, act: Callable[[], None]) -> Sign:
        """A new sign, touched now. Ends with `leave`. To be called within the running event loop."""
        loop = asyncio.get_running_loop()
        sign = Sign(act, loop.time)
        self._signs.add(sign)
        if self._timer is None:
            self._ring_later(loop)
        return sign

    def leave(self, sign: Sign) -> None:
        """Watch over `sign` no longer. Idempotent."""
        self._signs.discard(sign)

    def _ring_later(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = loop.call_later(self._seconds / _LOOKS, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._signs:
            self._timer = None
            return
        self._ring_later(loop)  # first, so that an act that fails does not end the watch over all others
        now = loop.time()
        for sign in [sign for sign in self._signs if now - sign.touched >= self._seconds]:
            sign.touched = now
            sign.act()
