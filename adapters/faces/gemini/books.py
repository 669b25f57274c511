"""What the encoder keeps of every item and part while it writes the steps that they become."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.hub import events as ev
from adapters.hub.adapter import Offsets
from adapters.hub.annotations import Annotation, DocumentCitation
from adapters.hub.items import MESSAGE, REFUSAL, TEXT
from adapters.hub.spans import TextIndex
from adapters.wire_json import Json, dumps

_TEXTS: Final = frozenset({TEXT, REFUSAL})


@dataclass(slots=True)
class PartBook:
    """One part of the walk, as it is written.

    `head` and `tail` are the bytes around a delta's text, b"" where the part does not stream; `write` spells the text.
    `block` is the content block that the part becomes, None for one that is no block of its own.
    """

    kind: str
    pieces: list[str] = field(default_factory=list[str])
    block: Json | None = None
    name: str = "text"
    head: bytes = b""
    tail: bytes = b""
    write: Callable[[str], bytes] = dumps
    waiting: list[Annotation] = field(default_factory=list[Annotation])
    held: list[Json] = field(default_factory=list[Json])
    held_wire: str = ""
    heard: int = 0
    ended: bool = False
    _index: TextIndex | None = None
    _measured: int = 0

    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def measure(self, unit: Offsets) -> TextIndex:
        """The measure of the text so far, made when a citation first asks for it."""
        index = self._index
        if index is None:
            index = self._index = TextIndex(unit)
        for piece in self.pieces[self._measured :]:
            index.feed(piece)
        self._measured = len(self.pieces)
        return index

    def due(self, unit: Offsets, *, whole: bool) -> list[Annotation]:
        """Take the citations whose text has arrived, in the vendor's order; all, where no more text will come."""
        if whole:
            due, self.waiting = self.waiting, []
            return due
        chars = self.measure(unit).chars
        count = next((n for n, one in enumerate(self.waiting) if _reach(one) > chars), len(self.waiting))
        due, self.waiting = self.waiting[:count], self.waiting[count:]
        return due


def _reach(annotation: Annotation) -> int:
    """How many code points of the text must be there before the citation can be placed."""
    if annotation.span is not None:
        return max(annotation.span.start, annotation.span.end)
    return (annotation.position or 0) if isinstance(annotation, DocumentCitation) else 0


@dataclass(slots=True)
class ItemBook:
    """One item of the walk. `held` are its events while an earlier item, or an earlier text of its own, is written;
    None where nothing waits.

    `index` is that of the step it is written as, and `here` are the parts that stand in that; -1 while there is none.
    `parted` are the indexes of the steps before that one, which hold the texts of a message but its last. `shown` is
    the id that the client knows, "" where the dialect has no place for one; `place` says where a call runs that the
    vendor executes, and `action` what a call of one of the client's own tools is to do.
    """

    started: ev.ItemStarted
    held: list[ev.Event] | None = None
    index: int = -1
    here: list[PartBook] = field(default_factory=list[PartBook])
    parted: list[int] = field(default_factory=list[int])
    shown: str = ""
    call_id: str = ""
    place: str = ""
    action: Json = field(default_factory=dict[str, Any])
    announced: Json = field(default_factory=dict[str, Any])
    parts: list[PartBook] = field(default_factory=list[PartBook])
    ended: bool = False

    def hold(self, event: ev.Event) -> list[bytes]:
        """Keep an event until it is the item's turn; nothing is told of it now."""
        if self.held is not None:
            self.held.append(event)
        return []

    def parts_with(self, kind: str) -> bool:
        """Whether a part of that kind would begin a new step of the item."""
        text = kind in _TEXTS and self.started.kind == MESSAGE
        return text and any(part.kind in _TEXTS for part in self.here)

    def waits(self, kind: str) -> bool:
        """Whether a part of that kind would end a step of which another part is still told."""
        return self.parts_with(kind) and not all(part.ended for part in self.here)

    def text_of(self, kind: str) -> str:
        """The whole text of the parts of that kind."""
        return "".join([part.text() for part in self.parts if part.kind == kind])
