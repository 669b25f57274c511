"""The choice of fidelity, as commands take it."""

from __future__ import annotations

from enum import StrEnum


class Fidelity(StrEnum):
    """How far an answer may go beyond its dialect's own types."""

    STRICT = "strict"
    RICH = "rich"
    NATIVE = "native"
