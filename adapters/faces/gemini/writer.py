"""The frames of a stream of steps, each with its `event_id`, and the steps as they stand in the whole answer."""

from __future__ import annotations

from adapters.faces.gemini.step_events import events_of
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, dumps, dumps_any


class Writer:
    """Numbers the events and the steps of one answer. Every method gives its frames; [] for all of a whole answer.

    `late` says whether a step has more than its events told, so that the end must tell the steps.
    """

    __slots__ = ("_tail", "late", "number", "steps", "streaming")

    def __init__(self, streaming: bool) -> None:
        self.streaming = streaming
        self.number = 0
        self.steps: list[Json] = []
        self.late = False
        self._tail = b""

    def name(self, id: str) -> None:
        """Name the interaction: its events are `<id>.0`, `<id>.1` and so on."""
        self._tail = b',"event_id":%b' % dumps(f"{id}.")[:-1]

    def emit(self, type_: str, fields: Json) -> list[bytes]:
        """One event."""
        if not self.streaming:
            return []
        data = dumps_any({"event_type": type_, **fields})
        number = self.number
        self.number = number + 1
        return [b'event: %b\ndata: %b%b%d"}\n\n' % (type_.encode(), data[:-1], self._tail, number)]

    def around(self, index: int, before: bytes, after: bytes) -> tuple[bytes, bytes]:
        """What stands around the text of a delta whose own JSON is `before`, the text, and `after`; behind it all
        comes the event's number. Empty for a whole answer."""
        if not self.streaming:
            return b"", b""
        head = b'event: step.delta\ndata: {"event_type":"step.delta","index":%d,"delta":%b' % (index, before)
        return head, after + self._tail

    def start(self, step: Json) -> tuple[int, list[bytes]]:
        """Open a step; its index, and the frames. `finish` gives its final form."""
        index = len(self.steps)
        self.steps.append(step)
        return index, self.emit("step.start", {"index": index, "step": step})

    def delta(self, index: int, delta: Json) -> list[bytes]:
        """A delta of the open step."""
        return self.emit("step.delta", {"index": index, "delta": delta})

    def finish(self, index: int, step: Json, announced: Json) -> list[bytes]:
        """Close a step, which is `step` as a whole; `announced` is the extension that its start had."""
        self.steps[index] = step
        said = step.get(EXTENSION)
        news = {EXTENSION: said} if said is not None and said != announced else {}
        return self.emit("step.stop", {"index": index, **news})

    def tell(self, step: Json) -> list[bytes]:
        """A step that is whole already."""
        start, deltas = events_of(step)
        index, frames = self.start(start)
        for delta in deltas:
            frames += self.delta(index, delta)
        return frames + self.finish(index, step, step.get(EXTENSION, {}))
