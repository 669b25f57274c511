"""What a dialect's grammar says of a stream: which event breaks which rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from adapters.hub.spans import Offsets
from adapters.sse import SseEvent


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule. `number` counts the events from 1; the end of the input is one more than the last.

    `type` and `sequence_number` are the event's own words, as far as it has them.
    """

    number: int
    type: str
    sequence_number: int | None
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many events and items a stream has, and every rule it breaks, in the order of the events."""

    events: int
    items: int
    violations: tuple[Violation, ...]


class StreamCheck(Protocol):
    """Judges a whole stream; never raises.

    `resumed`: it goes on where an earlier stream of the response broke off. `offsets` is what places in texts count;
    None is the dialect's own.
    """

    def __call__(
        self, events: Iterable[SseEvent], /, *, resumed: bool = False, offsets: Offsets | None = None
    ) -> Verdict: ...
