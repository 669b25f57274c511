"""Joining: the walks of an answer that came in several pieces become one legal walk."""

from __future__ import annotations

from typing import Any

from adapters.hub import events as ev
from adapters.hub.adapter import Continuation


class Joiner:
    """Numbers the items of the pieces through. The answer starts with the first piece and ends with the last.

    Each piece is fed in batches. The batch that ends one which another follows goes to `pause`. Events
    are the piece's own and are renumbered in place.
    """

    __slots__ = ("_base", "_ends", "_ids", "_items", "_join")

    def __init__(self, continuation: Continuation) -> None:
        self._join = continuation.join
        self._ids: list[str] = []
        self._ends: list[ev.Ended] = []
        self._base = 0  # how many items stand before the piece that is read
        self._items = 0  # and how many there are with its own

    def feed(self, batch: list[ev.Event]) -> list[ev.Event]:
        """The next events of a piece."""
        for event in batch:
            if type(event) is ev.ItemStarted:
                self._items += 1
            elif type(event) is ev.Started:
                self._ids.append(event.id)
        return self._renumber(batch) if self._ends else batch

    def pause(self, batch: list[ev.Event], ended: ev.Ended) -> list[ev.Event]:
        """The last events of a piece which another follows; `ended` is its end and the last of them."""
        events = self.feed(batch[:-1])
        self._ends.append(ended)
        self._base = self._items
        return events

    def _renumber(self, batch: list[ev.Event]) -> list[ev.Event]:
        events: list[ev.Event] = []
        for event in batch:
            if type(event) is ev.Ended:
                events.append(self._join(self._ids, [*self._ends, event]))
            elif not _begins(event):
                _move(event, self._base)
                events.append(event)
        return events


def _begins(event: ev.Event) -> bool:
    """Whether it says that the response begins, which the first piece has said."""
    return type(event) is ev.Started or (type(event) is ev.Progressed and event.item is None)


def _move(event: Any, base: int) -> None:
    if event.item is not None:
        event.item += base
