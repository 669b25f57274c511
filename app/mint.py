"""New ids and the time, for the translators that may make neither."""

from __future__ import annotations

import os
import time


class RandomMint:
    """Ids of 96 random bits, so that two answers of one moment never share one."""

    __slots__ = ()

    def id(self, prefix: str) -> str:
        return prefix + os.urandom(12).hex()

    def now(self) -> float:
        return time.time()


class CountingMint:
    """Ids that count from 1 and a clock that stands still: the same input gives the same output."""

    def __init__(self) -> None:
        self._last = 0

    def id(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}{self._last:024x}"

    def now(self) -> float:
        return 0.0
