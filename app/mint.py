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
