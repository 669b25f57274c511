"""The walk as it is written: numbers items and parts and remembers what is open."""

from __future__ import annotations

from adapters.hub import events as ev
from adapters.hub.items import Outcome, Signature
from adapters.hub.kept import Kept
from adapters.wire_json import Json


class Walk:
    """Where the steps of one answer write their events; `out` is the batch being written.

    `wire` names the vendor whose words are kept; `calls` are the steps whose item waits for another step;
    `riders` are steps that wait for an item to ride with, of which some clients were told the first `told`.
    """

    __slots__ = ("calls", "items", "out", "riders", "told", "wire")

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.out: list[ev.Event] = []
        self.items = 0
        self.calls: list[object] = []
        self.riders: list[Json] = []
        self.told = 0

    def open(self, kind: str, id: str = "", call_id: str = "", name: str = "", place: str = "") -> OpenItem:
        """Open the next item, with which the waiting steps ride."""
        item = self._open(ev.ItemStarted(self.items, kind, id, call_id, name, place=place))
        if self.riders:
            item.aside["before"], self.riders, self.told = self.riders, [], 0
        return item

    def open_private(self, kind: str, id: str, step: Json) -> OpenItem:
        """Open an item that not every client is shown: its `step`, and what waited, ride with the next as well."""
        item = self._open(ev.ItemStarted(self.items, kind, id))
        if before := self.riders[self.told :]:
            item.aside["before"] = before
        self.riders.append(step)
        self.told = len(self.riders)
        return item

    def _open(self, started: ev.ItemStarted) -> OpenItem:
        item = OpenItem(self, self.items)
        self.items += 1
        self.out.append(started)
        return item

    def note(self, payload: dict[str, object], item: OpenItem | None = None) -> None:
        """Write down what the hub has no word for."""
        self.out.append(ev.Opaque(self.wire, payload, item.number if item is not None else None))


class OpenItem:
    """One item that was opened. Its parts stand one after the other; -1 is no open part.

    `aside` is what rides with the item besides the words of its own step.
    """

    __slots__ = ("aside", "closed", "number", "part", "parts", "walk")

    def __init__(self, walk: Walk, number: int) -> None:
        self.walk = walk
        self.number = number
        self.part = -1
        self.parts = 0
        self.closed = False
        self.aside: Json = {}

    def open_part(self, kind: str, media: str | None = None) -> None:
        """Close the open part, if there is one, and open the next; `media` is the MIME type of a part that has one."""
        self.close_part()
        self.part = self.parts
        self.parts += 1
        self.walk.out.append(ev.PartStarted(self.number, self.part, kind, media))

    def write(self, text: str) -> None:
        """Add `text` to the open part."""
        if text:
            self.walk.out.append(ev.Delta(self.number, self.part, text))

    def close_part(self) -> None:
        """Close the open part, if there is one."""
        if self.part >= 0:
            self.walk.out.append(ev.PartEnded(self.number, self.part))
            self.part = -1

    def progress(self, phase: str) -> None:
        """Say that the item moved on."""
        self.walk.out.append(ev.Progressed(self.number, phase))

    def close(
        self,
        status: ev.ItemStatus,
        signature: Signature | None = None,
        outcome: Outcome | None = None,
        kept: Json | None = None,
    ) -> None:
        """Close the item; `kept` is what the step says beyond the hub's words."""
        self.close_part()
        self.closed = True
        said = {**(kept or {}), **self.aside}
        extra = Kept(self.walk.wire, said) if said else None
        self.walk.out.append(ev.ItemEnded(self.number, status, signature, outcome, extra))
