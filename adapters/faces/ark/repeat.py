"""Ark's answer for a client of Ark: its own events, as they came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adapters.faces.ark.encode import ArkEncoder
from adapters.faces.ark.words import WORDS
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.responses.annotations import EXTENSION
from adapters.sse import frame
from adapters.wire_json import Json, JsonError, as_object, as_text, dumps_any, loads

_DONE: Final = b"[DONE]"
_RUNS: Final = (b".delta", b".annotation.added")
"""How the names of those events end of which there are many."""

_TERMINAL: Final = frozenset(name.encode() for name in WORDS.terminal.values())

_ENDS: Final = (ev.PartEnded, ev.ItemEnded)

_JOINED: Final = 64
"""How many deltas become one at most."""

_Place = tuple[Any, ...]


class _Walked:
    """A walk so far, in about the room of its texts: of what a part says in a row, many deltas become one."""

    __slots__ = ("_events", "_item", "_part", "_texts")

    def __init__(self) -> None:
        self._events: list[ev.Event] = []
        self._item: int = -1
        self._part: int = -1
        self._texts: list[str] = []  # the last that this part said

    def add(self, event: ev.Event) -> None:
        """Take the next event."""
        if type(event) is ev.Delta:
            if event.part != self._part or event.item != self._item or len(self._texts) == _JOINED:
                self._join()
                self._item, self._part = event.item, event.part
            self._texts.append(event.text)
        elif type(event) is not ev.Progressed or event.item is not None:  # that the response began is known
            self._join()
            self._events.append(event)

    def _join(self) -> None:
        if self._texts:
            self._events.append(ev.Delta(self._item, self._part, "".join(self._texts)))
            self._texts.clear()

    def events(self) -> list[ev.Event]:
        """The walk so far."""
        self._join()
        return self._events


class ArkRepeater:
    """Repeats one answer.

    The terminal event waits for the walk's end, which may know of losses. Where the vendor's stream breaks off, what it
    left open is closed by an encoder that has followed the walk so far.
    """

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._walked = _Walked()
        self._count = 0
        self._last = b""
        self._said: set[_Place] = set()  # of which item and part what was said, but for deltas and citations
        self._announced: list[bytes] = []
        self._terminal: ev.Told | None = None
        self._error: ev.Told | None = None
        self._body: Json = {}

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; only those that the vendor told have any."""
        if type(event) is ev.Told:
            if event.name.endswith(_RUNS) and self._error is None and event.data.find(b"\n") < 0:
                self._count, self._last = self._count + 1, event.data
                return [b"event: %b\ndata: %b\n\n" % (event.name, event.data)]
            return self._repeat(event)
        if type(event) is ev.Ended:
            return self._end(event)
        self._walked.add(event)
        return []

    def close(self) -> list[bytes]:
        """`[DONE]` ends every stream."""
        return [WORDS.end] if self._encoding.request.stream else []

    def body(self) -> bytes:
        """The vendor's answer, once the walk has ended."""
        return dumps_any(self._body)

    def _repeat(self, told: ev.Told) -> list[bytes]:
        if told.body is not None:
            self._body = told.body
        elif told.name in _TERMINAL or (not told.name and _type(told) in _TERMINAL):
            self._terminal = told
        elif told.name == b"error":
            self._error = told
        elif told.data.strip() not in (b"", _DONE):
            self._count, self._last = self._count + 1, told.data
            if not (told.name or _type(told)).endswith(_RUNS):
                self._note(told.data)
            return [*self._failing(), _framed(told.name, told.data)]
        return []

    def _note(self, data: bytes) -> None:
        """Remember where the vendor said what, should it leave something open."""
        place = _place(_object(data))
        self._said.add(place)
        if place[0] == "response.output_item.added":
            self._announced.append(data)

    def _failing(self) -> list[bytes]:
        """An `error`, which waits for the failed response: where that does not come, the walk's end tells it."""
        told, self._error = self._error, None
        return [_framed(told.name, told.data)] if told is not None else []

    def _end(self, ended: ev.Ended) -> list[bytes]:
        losses = self._encoding.losses.told()
        said: Json = {"losses": losses} if losses and self._encoding.fidelity != "strict" else {}
        if self._body:
            self._body = _extended(self._body, said)
            return []
        told = self._terminal
        if told is None:
            return self._break_off(ended)
        if not said:
            return [*self._failing(), _framed(told.name, told.data)]
        payload = _object(told.data)
        payload["response"] = _extended(as_object(payload.get("response")), said)
        return [*self._failing(), _framed(told.name, dumps_any(payload))]

    def _break_off(self, ended: ev.Ended) -> list[bytes]:
        """Close what is open and end in the dialect's words for failure; or tell all, where nothing was told."""
        encoder, walked = ArkEncoder(self._encoding), self._walked.events()
        closing = len(walked)
        while closing and type(walked[closing - 1]) in _ENDS:
            closing -= 1
        before = [written for event in walked[:closing] for written in encoder.feed(event)]
        frames = [written for event in (*walked[closing:], ended) for written in encoder.feed(event)]
        self._body = as_object(loads(encoder.body()))
        return [*self._unsaid(frames)] if self._count else before + frames

    def _unsaid(self, frames: list[bytes]) -> Iterator[bytes]:
        """The frames of what the vendor did not say itself, numbered on from its last event."""
        *closing, terminal = [payload for payload in map(_payload, frames) if _place(payload) not in self._said]
        last = _object(self._last).get("sequence_number")
        number = last + 1 if type(last) is int else self._count
        for payload in (*closing, *self._wordless(self._said | set(map(_place, closing)), terminal), terminal):
            yield frame(as_text(payload.get("type")).encode(), dumps_any({**payload, "sequence_number": number}))
            number += 1

    def _wordless(self, ended: set[_Place], terminal: Json) -> Iterator[Json]:
        """The ends of items that were announced and said no word, which the walk does not hold."""
        for payload in map(_object, self._announced):
            index = payload.get("output_index")
            end: Json = {"type": "response.output_item.done", "output_index": index}
            if _place(end) in ended or type(index) is not int:
                continue
            item: Json = {"content": [], **as_object(payload.get("item")), "status": "incomplete"}
            terminal["response"]["output"].insert(index, item)
            yield {**end, "item": item}


def _payload(written: bytes) -> Json:
    return _object(written.partition(b"\ndata: ")[2])


def _object(data: bytes) -> Json:
    try:
        return as_object(loads(data))
    except JsonError:
        return {}


def _place(payload: Json) -> _Place:
    return tuple(map(payload.get, ("type", "output_index", "content_index", "summary_index")))


def _type(told: ev.Told) -> bytes:
    return as_text(_object(told.data).get("type")).encode()


def _framed(name: bytes, data: bytes) -> bytes:
    """The event as it came: its line of the name where it had one, and a line for each line of its data."""
    lines = data.split(b"\n")
    if name and len(lines) == 1:
        return frame(name, data)
    head = b"event: %b\n" % name if name else b""
    return head + b"".join(b"data: %b\n" % line for line in lines) + b"\n"


def _extended(response: Json, said: Json) -> Json:
    return {**response, EXTENSION: {**as_object(response.get(EXTENSION)), **said}} if said else response
