"""Server-sent events: bytes to events and back, by the WHATWG rules, without I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass

DEFAULT_LIMIT = 64 * 1024 * 1024
"""Largest event, in bytes, that a parser takes unless told otherwise."""

# Nearly every vendor sends nothing but this form, and one search over a whole read finds all of it.
# A read holds other forms exactly when it has more line ends than these matches account for.
_PLAIN = re.compile(rb"^event: ([^\n]*)\ndata: ([^\n]*)\n\n", re.MULTILINE)
_BOM = b"\xef\xbb\xbf"


class EventTooLarge(ValueError):
    """An event exceeds the parser's limit."""


@dataclass(slots=True)
class SseEvent:
    """One event: its name (b"" where there is no `event:` line) and its data, lines joined by LF."""

    name: bytes
    data: bytes


class SseParser:
    """Cuts a byte stream into events. LF, CR and CRLF end lines; comments, `id:` and `retry:` vanish.

    An event without data is not an event. Raises `EventTooLarge` once an event exceeds `limit` bytes.
    """

    __slots__ = ("_after_cr", "_fresh", "_held", "_pieces", "limit")

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit
        self._pieces: list[bytes] = []
        self._held = 0
        self._after_cr = False
        self._fresh = True

    def feed(self, chunk: bytes, /) -> list[SseEvent]:
        """Take the next bytes, cut anywhere; give the events they complete."""
        if self._fresh:
            chunk = self._skip_bom(chunk)
        if self._after_cr or b"\r" in chunk:
            chunk = self._normalise(chunk)
        if self._pieces:
            if b"\n\n" not in chunk and not (chunk.startswith(b"\n") and self._pieces[-1].endswith(b"\n")):
                self._hold(chunk)
                return []
            self._pieces.append(chunk)
            chunk = b"".join(self._pieces)
            self._pieces.clear()
            self._held = 0
        end = chunk.rfind(b"\n\n") + 2
        if end < 2:
            self._hold(chunk)
            return []
        self._hold(chunk[end:])
        events = _cut(chunk, end)
        if end > self.limit:
            self._check(max((len(event.data) for event in events), default=0))
        return events

    def close(self) -> list[SseEvent]:
        """End of input. An event whose lines are whole but whose blank line is missing still counts;
        one that was cut inside a line does not."""
        rest = b"".join(self._pieces)
        self._pieces.clear()
        self._held = 0
        if not rest.endswith(b"\n"):
            return []
        event = _event(rest[:-1])
        return [event] if event is not None else []

    def _skip_bom(self, chunk: bytes) -> bytes:
        if chunk and self._pieces:
            chunk = self._pieces.pop() + chunk
            self._held = 0
        if len(chunk) < len(_BOM) and _BOM.startswith(chunk):
            self._hold(chunk)
            return b""
        self._fresh = False
        return chunk.removeprefix(_BOM)

    def _normalise(self, chunk: bytes) -> bytes:
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            if not chunk:
                self._after_cr = False
                return chunk
        self._after_cr = chunk.endswith(b"\r") if chunk else self._after_cr
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _hold(self, piece: bytes) -> None:
        if piece:
            self._pieces.append(piece)
            self._held += len(piece)
            self._check(self._held)

    def _check(self, size: int) -> None:
        if size > self.limit:
            raise EventTooLarge(f"an event of the vendor's stream is larger than the limit of {self.limit} bytes")


def _cut(chunk: bytes, end: int) -> list[SseEvent]:
    """The events of `chunk` up to `end`, where one ends."""
    events = _plain(chunk, end)
    if events is not None:
        return events
    before, border, _ = chunk[: end - 2].rpartition(b"\n\n")
    last = len(before) + len(border)
    events = _plain(chunk, last)  # many vendors' end mark is their one event of another form
    if events is None:
        events, last = [], 0
    blocks = chunk[last:end].split(b"\n\n")
    return events + [event for block in blocks if (event := _event(block)) is not None]


def _plain(chunk: bytes, end: int) -> list[SseEvent] | None:
    """The events of `chunk` up to `end`, where one ends; None if any has another form."""
    plain = _PLAIN.findall(chunk, 0, end)
    if 3 * len(plain) != chunk.count(b"\n", 0, end):
        return None
    return [SseEvent(name, data) for name, data in plain if data]


def _event(block: bytes) -> SseEvent | None:
    name = b""
    data: list[bytes] = []
    for line in block.split(b"\n"):
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data.append(value)
        elif field == b"event":
            name = value
    joined = b"\n".join(data)
    return SseEvent(name, joined) if joined else None


def frame(name: bytes, data: bytes) -> bytes:
    """One event in the plainest form there is: an `event:` line, one `data:` line, a blank line."""
    return b"event: %b\ndata: %b\n\n" % (name, data)
