"""Says whether an Interactions stream is well formed, as clients rely on it, and which event breaks which rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, cast

from adapters.faces.gemini.grammar_tables import DELTAS, ENDS, NEEDS, OLD, RULES
from adapters.hub.spans import Offsets, TextIndex
from adapters.hub.verdict import Verdict, Violation
from adapters.sse import SseEvent
from adapters.wire_json import Json, JsonError, as_list, as_object, as_text, loads

_DONE = b"[DONE]"
_END = "end of input"


def check(events: Iterable[SseEvent], /, *, resumed: bool = False, offsets: Offsets | None = None) -> Verdict:
    """Judge a whole stream, in time proportional to its size.

    `resumed`: it begins in the middle of an interaction. `offsets` is what annotations count, bytes where it is None.
    """
    grammar = Grammar(resumed=resumed, offsets=offsets or "utf8")
    for event in events:
        grammar.feed(event)
    return grammar.close()


class Grammar:
    """Follows one stream and notes every rule that an event breaks. Never raises."""

    def __init__(self, *, resumed: bool = False, offsets: Offsets = "utf8") -> None:
        self._resumed = resumed
        self._offsets: Offsets = offsets
        self._violations: list[Violation] = []
        self._number = 0
        self._type = ""
        self._created_id: str | None = None
        self._ids: set[str] = set()
        self._numbered: bool | None = None  # whether events have an event_id; None before the first
        self._steps: int | None = None if resumed else 0
        self._begun = 0
        self._open: dict[int, str] = {}
        self._index: TextIndex | None = None  # of the open text
        self._failing = self._ended = self._done = False

    def feed(self, event: SseEvent) -> None:
        """Take the next event."""
        if event.data == _DONE and (self._ended or event.name == b"done") and not self._done:
            self._done = True
            return
        self._number += 1
        data = self._read(event)
        if data is None:
            return
        self._count(data)
        needs = NEEDS.get(self._type)
        if self._ended or self._done:
            self._report("after-terminal", "the stream has ended")
        elif self._type in OLD:
            self._report("old-revision", self._type)
        elif needs is None:
            self._report("unknown-event", self._type[:80] or "it has none")
        elif self._has(needs, data, ""):
            self._precede()
            self._roles[self._type](self, data)

    def close(self) -> Verdict:
        """End of the input."""
        events = self._number
        self._number, self._type = events + 1, _END
        if not self._ended:
            self._report("terminal-missing", "the stream breaks off")
        return Verdict(events, self._begun, tuple(self._violations))

    def _report(self, rule: str, what: str) -> None:
        self._violations.append(Violation(self._number, self._type, None, rule, f"{RULES[rule]}: {what}"))

    def _read(self, event: SseEvent) -> Json | None:
        name = self._type = event.name.decode("utf-8", "replace")
        try:
            value = loads(event.data)
        except JsonError as error:
            self._report("frame-json", str(error))
            return None
        if not isinstance(value, dict):
            self._report("frame-json", "it is something else")
            return None
        data = cast("Json", value)
        self._type = as_text(data.get("event_type"))
        if name != self._type:
            self._report("frame-name", f"the event line says {name[:80]!r}, the data {self._type[:80]!r}")
        if "continuation_token" in data or "continuation_token" in as_object(data.get("interaction")):
            self._report("continuation", "there is a continuation_token")
        return data

    def _count(self, data: Json) -> None:
        given = as_text(data.get("event_id"))
        if self._numbered is None:
            self._numbered = bool(given)
        if self._numbered != bool(given) or given in self._ids:
            self._report("event-id", f"it is {given[:80]!r}")
        if given:
            self._ids.add(given)

    def _has(self, needs: Any, data: Json, where: str) -> bool:
        whole = True
        for name, kind in needs.items():
            value = data.get(name)
            if type(value) is not kind:
                whole = False
                self._report("field-missing" if value is None else "field-type", f"{where}{name}")
        return whole

    def _precede(self) -> None:
        created = self._type == "interaction.created"
        if created == (self._created_id is not None) and not (self._resumed and not created):
            self._report("lifecycle-order", "it is not the first" if created else "interaction.created did not come")
        if self._failing and self._type not in ("step.stop", "interaction.completed"):
            self._report("error-end", f"{self._type} follows")

    # -- the interaction -----------------------------------------------------------------------

    def _named(self, id: str, *, joined: bool = False) -> None:
        if self._created_id is None:
            self._created_id = id
        if id != self._created_id and not joined:
            self._report("interaction-id", f"it is {id[:80]!r}")

    def _created(self, data: Json) -> None:
        if self._has({"id": str, "status": str}, data["interaction"], "interaction."):
            self._named(data["interaction"]["id"])

    def _moved(self, data: Json) -> None:
        self._named(data["interaction_id"])
        if data["status"] == "requires_continuation":
            self._report("continuation", "the status says so")

    def _completed(self, data: Json) -> None:
        self._ended = True
        told: Json = data["interaction"]
        if self._open:
            self._report("step-unclosed", f"step {min(self._open)}")
        if not self._has({"id": str, "status": str}, told, "interaction."):
            return
        self._named(told["id"], joined=bool(told.get("continuation_ids")))
        if told["status"] == "requires_continuation":
            self._report("continuation", "the status says so")
        elif told["status"] not in ENDS:
            self._report("interaction-status", f"it is {told['status'][:80]!r}")
        if self._failing and told["status"] != "failed":
            self._report("error-end", f"the status is {told['status'][:80]!r}")

    def _errored(self, data: Json) -> None:
        self._failing = True
        self._has({"code": str, "message": str}, data["error"], "error.")

    # -- steps ---------------------------------------------------------------------------------

    def _started(self, data: Json) -> None:
        index: int = data["index"]
        if self._steps is not None and index != self._steps:
            self._report("step-index", f"it is {index}, expected {self._steps}")
        if self._open:
            self._report("step-order", f"step {min(self._open)} is open")
        self._begun += 1
        self._steps = index + 1
        self._index = None
        self._open[index] = ""
        step: Json = data["step"]
        if self._has({"type": str}, step, "step."):
            self._open[index] = step["type"]
            for block in map(as_object, as_list(step.get("content"))):
                self._block(block)

    def _block(self, block: Json) -> None:
        """A block that `step.start` holds."""
        self._index = None
        if isinstance(block.get("text"), str):
            self._write(block["text"])
            self._cite(block)

    def _delta(self, data: Json) -> None:
        index, delta = data["index"], data["delta"]
        if index not in self._open:
            if not (self._resumed and index not in self._open and self._steps is None):
                self._report("step-open", f"step {index}")
            return
        if not self._has({"type": str}, delta, "delta."):
            return
        kind = delta["type"]
        taken = DELTAS.get(self._open[index])
        if taken is not None and kind not in taken:
            self._report("delta-kind", f"{kind[:80]} in {self._open[index]}")
        take = self._deltas.get(kind)
        if take is not None:
            take(self, delta)
        elif kind != "thought_signature":
            self._index = None

    def _text(self, delta: Json) -> None:
        if self._has({"text": str}, delta, "delta."):
            self._write(delta["text"])

    def _write(self, text: str) -> None:
        if self._index is None:
            self._index = TextIndex(self._offsets)
        self._index.feed(text)

    def _cite(self, delta: Json) -> None:
        index = self._index or TextIndex(self._offsets)
        for raw in map(as_object, as_list(delta.get("annotations"))):
            start, end = raw.get("start_index"), raw.get("end_index")
            places = [place for place in (start, end) if type(place) is int]
            if start is not None and end is not None and len(places) == 2 and places[0] > places[1]:
                self._report("annotation-span", f"{start} to {end}")
            for place in places:
                if not 0 <= place <= index.size:
                    self._report("annotation-span", f"{place} of {index.size}")
                elif index.on_border(place) is None:
                    self._report("annotation-border", f"{place}")

    def _stopped(self, data: Json) -> None:
        if self._open.pop(data["index"], None) is None and not (self._resumed and self._steps is None):
            self._report("step-open", f"step {data['index']}")

    _deltas: ClassVar[dict[str, Callable[[Grammar, Json], None]]] = {"text": _text, "text_annotation_delta": _cite}
    _roles: ClassVar[dict[str, Callable[[Grammar, Json], None]]] = {
        "interaction.created": _created,
        "interaction.status_update": _moved,
        "interaction.completed": _completed,
        "error": _errored,
        "step.start": _started,
        "step.delta": _delta,
        "step.stop": _stopped,
    }
