"""What a legal walk is: the one table of the hub's grammar, used by tests and by decoders' authors.

stream = Started { Progressed | item } Ended        items may interleave
item   = ItemStarted { Progressed | part } ItemEnded
part   = PartStarted { Delta | Annotated } PartEnded
Opaque may stand between any two events; after Ended nothing. A vendor that fails before it begins
gives the shortest walk of all: one Ended(failed), without Started.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from adapters.hub import events as ev

_Key = TypeVar("_Key", int, tuple[int, int])


class WalkError(ValueError):
    """An event that may not stand where it stands; the message names the event and the rule."""


# event -> the level that must be open before it: nothing, the response, its item, its part
_NEEDS: dict[type, str] = {
    ev.Started: "nothing",
    ev.ItemStarted: "response",
    ev.Ended: "response",
    ev.PartStarted: "item",
    ev.ItemEnded: "item",
    ev.Delta: "part",
    ev.Annotated: "part",
    ev.PartEnded: "part",
}


class Walk:
    """Follows a walk and refuses the first event that breaks the grammar."""

    def __init__(self) -> None:
        self.state = "nothing"
        self.items: dict[int, str] = {}
        self.parts: dict[tuple[int, int], str] = {}

    def feed(self, event: ev.Event) -> None:
        """Take the next event; raises `WalkError` when it may not come now."""
        if self.state == "ended":
            self._refuse(event, "nothing may follow Ended")
        if isinstance(event, ev.Opaque):
            if event.item is not None and event.item not in self.items:
                self._refuse(event, "its item was never opened")
            return
        if isinstance(event, ev.Ended) and event.status == "failed" and self.state == "nothing":
            self._end(event)
            return
        if isinstance(event, ev.Progressed):
            self._require(event, "response" if event.item is None else "item")
            return
        self._require(event, _NEEDS[type(event)])
        self._step(event)

    def close(self) -> None:
        """End of the walk; raises `WalkError` unless it ended."""
        if self.state != "ended":
            raise WalkError("the walk has no Ended")

    def _step(self, event: ev.Event) -> None:
        match event:
            case ev.Started():
                self.state = "response"
            case ev.ItemStarted(item=item):
                self._open(event, self.items, item, len(self.items))
            case ev.PartStarted(item=item, part=part):
                self._open(event, self.parts, (item, part), (item, sum(key[0] == item for key in self.parts)))
            case ev.PartEnded(item=item, part=part):
                self.parts[(item, part)] = "closed"
            case ev.ItemEnded(item=item):
                if any(key[0] == item and state == "open" for key, state in self.parts.items()):
                    self._refuse(event, "its parts must be closed first")
                self.items[item] = "closed"
            case ev.Ended():
                self._end(event)
            case _:
                pass

    def _end(self, event: ev.Ended) -> None:
        if "open" in self.items.values():
            self._refuse(event, "every item must be closed first")
        if (event.status == "failed") != (event.error is not None):
            self._refuse(event, "an error goes with status failed, and only with it")
        self.state = "ended"

    def _open(self, event: ev.Event, table: dict[_Key, str], key: _Key, expected: _Key) -> None:
        if key != expected:
            self._refuse(event, f"the next number is {expected}")
        table[key] = "open"

    def _require(self, event: ev.Event, level: str) -> None:
        if (level == "nothing") != (self.state == "nothing"):
            self._refuse(event, "Started comes once, and first")
        item = getattr(event, "item", None)
        if level in ("item", "part") and self.items.get(item if item is not None else -1) != "open":
            self._refuse(event, "its item is not open")
        if level == "part" and self.parts.get((item if item is not None else -1, getattr(event, "part", -1))) != "open":
            self._refuse(event, "its part is not open")

    def _refuse(self, event: ev.Event, rule: str) -> None:
        raise WalkError(f"{event!r}: {rule}")


def check_walk(events: Iterable[ev.Event]) -> None:
    """Raise `WalkError` unless `events` is one whole legal walk."""
    walk = Walk()
    for event in events:
        walk.feed(event)
    walk.close()
