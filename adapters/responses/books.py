"""What the encoder keeps of every item and part it has announced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.hub.kept import Kept
from adapters.hub.spans import Offsets, Recount
from adapters.responses.offsets import recount
from adapters.responses.tables import ACTIONS, PLACES, TEXT, PartWire
from adapters.wire_json import Json, as_list, as_object, dumps, dumps_any


@dataclass(slots=True)
class PartBook:
    """One part as the client knows it. `wire` is None for a part that has no place in an item.

    `media` is the MIME type of a part that is no text; audio is heard as it comes where clients have `sound`. `head`
    and `tail` are the bytes around a delta's text, `cite_head` those before a citation; `held` the vendor's annotations
    that the dialect has no type for; `heard` how many annotations the vendor gave in all; `counted` the text that was
    there at the last citation, for a client that does not count code points.
    """

    wire: PartWire | None
    place: Json
    media: str | None = None
    sound: bool = True
    pieces: list[str] = field(default_factory=list[str])
    cites: list[Json] = field(default_factory=list[Json])
    held: list[Json] = field(default_factory=list[Json])
    held_wire: str = ""
    heard: int = 0
    head: bytes = b""
    tail: bytes = b""
    cite_head: bytes = b""
    counted: Recount | None = None
    final: Json | None = None

    def __post_init__(self) -> None:
        if self.sound and (self.media or "").startswith("audio"):
            self.head = b'event: response.audio.delta\ndata: {"type":"response.audio.delta","delta":'
            self.tail = b',"sequence_number":'
        if self.wire is not None:
            self.head = self._head(f"{self.wire.stem}.delta") + b'"delta":'
            logprobs = b',"logprobs":[]' if self.wire.logprobs else b""
            self.tail = logprobs + b',"sequence_number":'

    def _head(self, type_: str) -> bytes:
        """The frame of an event of this part, up to where its own fields begin."""
        return b"event: %b\ndata: %b," % (type_.encode(), dumps({"type": type_, **self.place})[:-1])

    def recounted(self, said: Json, unit: Offsets) -> Json:
        """A citation of the text so far, its places told in `unit` instead of code points."""
        counted = self.counted = self.counted or Recount("codepoint", unit)
        counted.feed(self.text()[counted.chars :])
        return recount(said, counted)

    def citation_frame(self, said: Json, number: int) -> bytes:
        """The frame of the newest citation; `number` is its sequence_number."""
        if not self.cite_head:
            self.cite_head = self._head("response.output_text.annotation.added") + b'"annotation_index":'
        place = self.cite_head, len(self.cites) - 1
        return b'%b%d,"annotation":%b,"sequence_number":%d}\n\n' % (*place, dumps_any(said), number)

    def text(self) -> str:
        """The text so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def object(self) -> Json:
        """The part as it stands in `*_part.done` and in its item."""
        if self.wire is None:
            return {}
        part: Json = {"type": self.wire.type, self.wire.field: self.text()}
        if self.wire.citable:
            part |= {"annotations": self.cites}
        if self.wire.logprobs:
            part["logprobs"] = []
        return part


@dataclass(slots=True)
class ItemBook:
    """One item as the client knows it. `index` is its output_index, None where it is not shown.

    `namespace` and `action` are those of `ItemStarted`, and `runs_at` is its place. `taken` counts the places that its
    parts have, by what those are called.
    """

    number: int
    kind: str
    id: str
    call_id: str
    name: str
    index: int | None
    extra: Kept | None = None
    namespace: str = ""
    action: Json | None = None
    runs_at: str = ""
    parts: list[PartBook] = field(default_factory=list[PartBook])
    taken: dict[str, int] = field(default_factory=dict[str, int])
    final: Json | None = None
    phase: int = 0

    def advance(self, phase: str, table: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether the item may move on to `phase`: those of the table do not go back."""
        phases = table.get(self.kind, ())
        if phase not in phases:
            return True
        at = phases.index(phase)
        if at < self.phase:
            return False
        self.phase = at
        return True

    def take_place(self, part: PartWire) -> Json:
        """Where the next part of that spelling stands, in the words of its events. It is the next one's no more."""
        place: Json = {"item_id": self.id, "output_index": self.index}
        if part.index is not None:
            place[part.index] = number = self.taken.get(part.index, 0)
            self.taken[part.index] = number + 1
        return place

    def announced(self) -> Json:
        """The fields that only this item has from its start; texts that clients see grow are empty."""
        fields: Json = {"namespace": self.namespace} if self.namespace else {}
        if self.runs_at and self.kind in PLACES:
            fields[PLACES[self.kind]] = self.runs_at
        if self.action is not None:
            name, empty = ACTIONS[self.kind]
            fields[name] = {key: empty.get(key, value) for key, value in self.action.items()}
        return fields

    def recited(self, item: Json) -> Json:
        """The vendor's own item, with its citations as the client was told them."""
        told = iter([book.cites for book in self.parts if book.wire is not None and book.wire.citable])
        content = [
            {**part, "annotations": next(told, list[Json]())} if as_object(part).get("type") == TEXT.type else part
            for part in as_list(item.get("content"))
        ]
        return {**item, "content": content} if content else item

    def spoken(self) -> Json:
        """The fields of the item that its parts, or its action, tell."""
        fields: Json = {ACTIONS[self.kind][0]: self.action} if self.action is not None else {}
        if self.kind == "message":
            fields["content"] = []
        if self.kind == "reasoning":
            fields["summary"] = []
        for book in self.parts:
            if book.wire is None:
                continue
            if book.wire.index is None:
                fields[book.wire.field] = book.text()
            else:
                field_name = "summary" if book.wire.index == "summary_index" else "content"
                fields.setdefault(field_name, []).append(book.final or book.object())
        return fields
