"""Joining: the walks of an answer that came in several pieces become one legal walk."""

from __future__ import annotations

from typing import Any

from adapters.hub import events as ev
from adapters.hub.adapter import Continuation


class Joiner:
    """Numbers the items of the pieces through. The answer starts with the first piece and ends with the last.

    Each piece is fed in batches. The batch that ends one which another follows goes to `pause`. Events
    are the piece's own and are renumbered in place; those of the first piece are not even looked at.
    """

    __slots__ = ("_base", "_ends", "_id", "_ids", "_join")

    def __init__(self, continuation: Continuation) -> None:
        self._join = continuation.join
        self._id: list[str] = []  # of the piece that is read, once it is known
        self._ids: list[str] = []  # of those before
        self._ends: list[ev.Ended] = []
        self._base = 0  # how many items stand before the piece that is read

    def feed(self, batch: list[ev.Event]) -> list[ev.Event]:
        """The next events of a piece."""
        return self._renumber(batch) if self._ends else batch

    def pause(self, batch: list[ev.Event], ended: ev.Ended, resume: ev.Resume) -> list[ev.Event]:
        """The last events of a piece which another follows; `ended` is its end and the last of them."""
        events = self.feed(batch[:-1])
        self._ids.append(resume.id)
        self._id = []
        self._ends.append(ended)
        self._base += resume.items
        return events

    def _renumber(self, batch: list[ev.Event]) -> list[ev.Event]:
        events: list[ev.Event] = []
        for event in batch:
            if type(event) is ev.Started:
                self._id = [event.id]
            elif type(event) is ev.Ended:
                events.append(self._join(self._ids + self._id, [*self._ends, event]))
            elif type(event) is not ev.Progressed or event.item is not None:  # that the response began is known
                _move(event, self._base)
                events.append(event)
        return events


def _move(event: Any, base: int) -> None:
    if event.item is not None:
        event.item += base
