"""Gemini's own answer, repeated to a client that speaks its dialect: the bytes that came, as they came.

What is not repeated: how the gateway is asked to go on, the border between the pieces of an answer that paused, and
an end that is not the end. What is added: an `event_id` where an event has none, and a true end where it broke off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from adapters.faces.gemini import interaction
from adapters.faces.gemini.errors import encode_failure
from adapters.faces.gemini.marks import NAME
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.kept import kept_by
from adapters.hub.surrogates import loads_mended
from adapters.interactions.interaction import without_token
from adapters.interactions.tables import PAUSED
from adapters.responses.annotations import EXTENSION
from adapters.sse import frame
from adapters.wire_json import (
    Json,
    JsonError,
    as_list,
    as_object,
    as_text,
    dumps,
    dumps_any,
    loads,
)

_DONE: Final = b"[DONE]"
_BRACE: Final = ord("}")
_TYPED: Final = b'"event_type":"step.delta"'
_ID: Final = b'"event_id"'


class InteractionsRepeater:
    """Repeats one answer from the `Told` events of its walk. The others only say when it ended, and how."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._streaming = encoding.request.stream
        self._id = ""
        self._tail = b""  # what stands behind an event that had no id, but for its number
        self._plain = False  # whether an event of a step can be repeated without reading it
        self._number = 0
        self._base = 0  # how many steps the pieces before this one had
        self._steps = 0  # how many steps there were so far
        self._open: dict[int, None] = {}  # the steps that are open, by the client's index
        self._end: tuple[bytes, Json] | None = None  # the terminal event, and what it says
        self._failed = False  # whether the vendor told an error
        self._bodies: list[Json] = []
        self._whole: Json = {}

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if type(event) is not ev.Told:
            return self._ended(event) if type(event) is ev.Ended else []
        data = event.data
        if self._plain and event.name == b"step.delta" and data[-1] == _BRACE:
            # an id can be added at the end: the event has its type, no id, and is on one line
            find = data.rfind  # in half the time of `in`, which first tries to read a number
            if find(_TYPED) >= 0 and find(_ID) < 0 and find(b"\n") < 0:
                number = self._number
                self._number = number + 1
                return [b'event: step.delta\ndata: %b%b%d"}\n\n' % (data[:-1], self._tail, number)]
        if event.body is not None:
            self._bodies.append(event.body)
            return []
        return self._told(event)

    def close(self) -> list[bytes]:
        """The dialect's end mark."""
        return [frame(b"done", _DONE)] if self._streaming else []

    def body(self) -> bytes:
        """The interaction, once the walk has ended."""
        return dumps_any(self._whole)

    # -- events of the wire ----------------------------------------------------------------------

    def _told(self, event: ev.Told) -> list[bytes]:
        name, data = event.name, event.data
        if data.strip() == _DONE:
            return []
        payload = _read(data)
        told = as_text(payload.get("event_type")) or name.decode(errors="replace")
        take = self._handlers.get(told)
        if take is not None:
            return take(self, told.encode(), data, payload)
        return self._pass(told.encode(), data, payload) if told else []

    def _repeat(self, name: bytes, data: bytes) -> bytes:
        """The event as it came, with an id of its own where it has none."""
        if b"\n" in data:
            data = data.replace(b"\n", b" ")  # between two tokens, since no string of JSON holds one
        number, self._number = self._number, self._number + 1
        if _ID in data and as_text(_read(data).get("event_id")):
            return b"event: %b\ndata: %b\n\n" % (name, data)
        return b'event: %b\ndata: %b%b%d"}\n\n' % (name, data.rstrip()[:-1], self._tail, number)

    def _pass(self, name: bytes, data: bytes, payload: Json, said: Json | None = None) -> list[bytes]:
        """An event as it came, or as `said` where that is something else."""
        said = payload if said is None else said
        if not as_text(said.get("event_type")):
            said = {"event_type": name.decode(), **said}
        same = said == payload and data.lstrip().startswith(b"{")
        return [self._repeat(name, data if same else dumps_any(said))]

    def _created(self, name: bytes, data: bytes, payload: Json) -> list[bytes]:
        """The first piece begins the answer; another goes on with it."""
        if self._id:
            self._end, self._base, self._plain = None, self._steps, False
            return self._close_open()
        told = as_object(payload.get("interaction"))
        self._name(as_text(told.get("id")))
        return self._pass(name, data, payload, without_token(payload))

    def _name(self, id: str) -> None:
        self._id = id or self._encoding.mint.id("v1_")
        self._tail = b',"event_id":%b' % dumps(f"{self._id}.")[:-1]
        self._plain = True

    def _moved(self, name: bytes, data: bytes, payload: Json) -> list[bytes]:
        if not self._id:
            return [*self._begin(as_text(payload.get("interaction_id"))), *self._moved(name, data, payload)]
        if payload.get("status") == PAUSED or self._base:
            return []
        return self._pass(name, data, payload, without_token(payload))

    def _completed(self, _: bytes, data: bytes, payload: Json) -> list[bytes]:
        self._end = data, payload
        return []

    def _errored(self, name: bytes, data: bytes, payload: Json) -> list[bytes]:
        self._failed = True
        return self._pass(name, data, payload)

    def _of_step(self, name: bytes, data: bytes, payload: Json) -> list[bytes]:
        frames = self._begin("")
        index = payload.get("index")
        if type(index) is not int:
            return [*frames, *self._pass(name, data, payload)]
        index += self._base
        if name == b"step.start":
            self._open[index] = None
            self._steps = max(self._steps, index + 1)
        elif name == b"step.stop":
            self._open.pop(index, None)
        return [*frames, *self._pass(name, data, payload, {**payload, "index": index} if self._base else None)]

    def _begin(self, id: str) -> list[bytes]:
        """What begins every answer, should the vendor not have said it."""
        if self._id:
            return []
        self._name(id)
        started = ev.Started(NAME, self._id, None)
        said: Json = {"interaction": interaction.begun(self._id, started, self._encoding)}
        return self._say("interaction.created", said)

    _handlers: ClassVar[dict[str, Callable[[InteractionsRepeater, bytes, bytes, Json], list[bytes]]]] = {
        "interaction.created": _created,
        "interaction.status_update": _moved,
        "interaction.completed": _completed,
        "error": _errored,
        "step.start": _of_step,
        "step.delta": _of_step,
        "step.stop": _of_step,
    }

    # -- the end ---------------------------------------------------------------------------------

    def _ended(self, event: ev.Ended) -> list[bytes]:
        if not self._streaming:
            self._whole = self._joined(event)
            return []
        frames = [*self._begin(""), *self._close_open()]
        data, payload = self._end or (b"", {})
        told = as_object(payload.get("interaction"))
        if self._end is None or (told.get("status") == PAUSED and event.error is not None):
            return frames + self._broken_off(event)
        final = self._final(without_token(told), event)
        return frames + self._pass(b"interaction.completed", data, payload, {**payload, "interaction": final})

    def _close_open(self) -> list[bytes]:
        left, self._open = list(self._open), {}
        return [stop for index in left for stop in self._say("step.stop", {"index": index})]

    def _broken_off(self, event: ev.Ended) -> list[bytes]:
        """The answer stopped without its end: the error, unless the vendor told it, and an end."""
        failure = encode_failure(event.error) if event.error is not None else None
        frames = self._say("error", {"error": failure}) if failure is not None and not self._failed else []
        final = self._final(self._unfinished(event), event)
        return frames + self._say("interaction.completed", {"interaction": final})

    def _unfinished(self, event: ev.Ended) -> Json:
        began = interaction.begun(self._id, ev.Started(NAME, self._id, None), self._encoding)
        return began | interaction.ended(event, calls=False)

    def _final(self, told: Json, event: ev.Ended) -> Json:
        """The interaction of the end: the vendor's own but for what concerns the gateway alone."""
        final = dict(told)
        if final.get("status") == PAUSED:
            final["status"] = event.status
        if self._base or len(self._bodies) > 1:
            ids = as_list((kept_by(NAME, event.extra) or {}).get("continuation_ids"))
            usage = kept_by(NAME, event.usage.raw) if event.usage is not None else None
            final |= ({"continuation_ids": ids} if ids else {}) | ({"usage": usage} if usage else {})
        if self._encoding.losses and self._encoding.fidelity != "strict":
            final[EXTENSION] = {"losses": self._encoding.losses.told()}
        return final

    def _joined(self, event: ev.Ended) -> Json:
        """The whole answer, of all its pieces."""
        if not self._bodies:
            self._name("")
            return {**self._final(self._unfinished(event), event), "steps": []}
        whole = self._final(without_token(self._bodies[-1]), event)
        if event.error is not None and self._bodies[-1].get("status") != "failed":
            whole |= {"status": "failed", "errors": [encode_failure(event.error)]}
        if len(self._bodies) > 1:
            whole["steps"] = [step for body in self._bodies for step in as_list(body.get("steps"))]
        return whole

    def _say(self, type_: str, fields: Json) -> list[bytes]:
        return [self._repeat(type_.encode(), dumps_any({"event_type": type_, **fields}))] if self._streaming else []


def _read(data: bytes) -> Json:
    """The event's object; Google also wraps an error in a list."""
    try:
        value: Any = loads(data)
    except JsonError:
        try:
            value = loads_mended(data)
        except ValueError:
            value = None
    return as_object(value[0] if isinstance(value, list) and value else value)
