"""Steps of an interaction as items of the walk: thoughts, model output, function calls, and the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.items import Picture, Signature
from adapters.hub.kept import Kept, leftovers
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import decode_annotation, reach
from adapters.interactions.walk import OpenItem, Walk
from adapters.wire_json import Json, JsonEncodeError, as_list, as_object, as_text, dumps, dumps_shallow

_TEXT_BLOCK = frozenset({"type", "text", "annotations"})
_TEXT_DELTA = frozenset({"type", "text"})


def json_text(value: Any) -> str:
    """A JSON value as text."""
    try:
        return dumps(value).decode()
    except JsonEncodeError:
        return dumps_shallow(value).decode()


_Take = Callable[[Any, Json], None]


class Step:
    """One step of the vendor's. It is born of `step.start`, whose step may already hold everything.

    `stop` closes the parts at the vendor's word, `cut` because nothing more will come; `end` closes the
    item, later, once it is known whether the interaction broke off here.
    """

    deltas: ClassVar[Mapping[str, _Take]] = {}
    known: ClassVar[frozenset[str]] = frozenset({"type"})
    untyped: ClassVar[Mapping[str, str]] = {}
    """Where a delta lacks its type, the field that gives it away and the type it then has."""
    waits = False
    """Whether the item stays open until another step completes it."""
    divisible = True
    """Whether a piece of the item is of use by itself."""

    def __init__(self, walk: Walk, step: Json) -> None:
        self.walk = walk
        self.type = as_text(step.get("type"))
        self.kept: Json = {key: value for key, value in step.items() if key not in self.known}
        self.item: OpenItem | None = None
        self.stopped = False

    def feed(self, delta: Json) -> bool:
        """Take a delta that is not in the step's table by its own name; False where the step has no word for it."""
        untold = next((self.untyped[field] for field in self.untyped if field in delta), self.type)
        take = self.deltas.get(untold) if type(delta.get("type")) is not str else None
        if take is None:
            return False
        take(self, delta)
        return True

    def stop(self) -> None:
        """Close the parts."""
        self.stopped = True
        if self.item is not None:
            self.item.close_part()

    def cut(self) -> None:
        """Close the parts of a step that the vendor did not finish."""
        self.stop()

    def end(self, status: ev.ItemStatus) -> None:
        """Close the item."""
        if self.item is not None and not self.item.closed:
            self.item.close(status, kept=self.kept)

    def settle(self, final: Json) -> None:
        """Take the vendor's final word on this step, where the terminal event has one."""

    def sign(self, delta: Json) -> None:
        """Keep a signature that came on a step which has no place for one in the hub."""
        self.kept["signature"] = as_text(self.kept.get("signature")) + as_text(delta.get("signature"))


class Thought(Step):
    """Reasoning: its summary as parts, its signature at the end."""

    known = frozenset({"type", "summary", "signature"})
    untyped: ClassVar[Mapping[str, str]] = {"content": "thought_summary", "signature": "thought_signature"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._signature = as_text(step.get("signature"))
        self._empty = {key: step[key] for key in ("signature", "summary") if key in step and not step[key]}
        self._reasoning = self.item = walk.open(kind.REASONING)
        for block in as_list(step.get("summary")):
            self._add_block(as_object(block))

    def _add_block(self, block: Json) -> None:
        self._reasoning.close_part()
        self._summarise({"content": block})

    def _summarise(self, delta: Json) -> None:
        """Text continues the open part: recorded summaries go on in the middle of a sentence."""
        content = as_object(delta.get("content"))
        if as_text(content.get("type")) not in ("", "text"):
            self.walk.note({"type": "thought_summary", "content": content}, self._reasoning)
            return
        if self._reasoning.part < 0:
            self._reasoning.open_part(kind.SUMMARY)
        self._reasoning.write(as_text(content.get("text")))

    def sign(self, delta: Json) -> None:
        self._signature += as_text(delta.get("signature"))

    def end(self, status: ev.ItemStatus) -> None:
        if self._reasoning.closed:
            return
        if not self._signature and "signature" in self._empty:
            self.kept["signature"] = self._empty["signature"]
        if not self._reasoning.parts and "summary" in self._empty:
            self.kept["summary"] = self._empty["summary"]
        signature = Signature(self.walk.wire, self._signature) if self._signature else None
        self._reasoning.close(status, signature, kept=self.kept)

    deltas: ClassVar[Mapping[str, _Take]] = {"thought_summary": _summarise, "thought_signature": sign}


class ModelOutput(Step):
    """What the model says. Text makes a message; an image stands between messages as an item of its own."""

    known = frozenset({"type", "content"})
    untyped: ClassVar[Mapping[str, str]] = {"text": "text", "annotations": "text_annotation_delta"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._index = TextIndex()  # of the open text block
        self._held: list[Json] = []  # annotations of text that has not arrived
        self._pieces: list[str] = []
        self._cited = False
        self._joint: Json = {}  # the mark of an item that shares its step with the one before
        self._begun = False
        self._block: Kept | None = None
        for block in as_list(step.get("content")):
            self._add_block(as_object(block))
        if "error" in self.kept and self.item is None:
            self._open_message()

    def _add_block(self, block: Json) -> None:
        if as_text(block.get("type")) not in ("", "text"):
            self._add_media(block)
            return
        self._close_text()
        self._write({"text": block.get("text"), "type": "text"})
        self._cite(block)
        if self.item is not None and self.item.part >= 0:
            self._block = leftovers(self.walk.wire, block, _TEXT_BLOCK)

    def _begin(self, item_kind: str) -> OpenItem:
        self._joint = {"continues": True} if self._begun else {}
        self._begun = True
        return self.walk.open(item_kind)

    def _open_message(self) -> OpenItem:
        if self.item is None:
            self.item = self._begin(kind.MESSAGE)
        return self.item

    def _open_text(self) -> OpenItem:
        item = self._open_message()
        if item.part < 0:
            item.open_part(kind.TEXT)
            self._index = TextIndex()
        return item

    def _close_text(self) -> None:
        if self.item is not None and self.item.part >= 0:
            self._place_held(whole=True)
            self.item.close_part(self._block)
            self._block = None

    def _write(self, delta: Json) -> None:
        text = delta.get("text")
        if type(text) is not str or not text:
            return
        item = self.item
        if item is None or item.part < 0:
            item = self._open_text()
        self._index.feed(text)
        self._pieces.append(text)
        extra = leftovers(self.walk.wire, delta, _TEXT_DELTA) if len(delta) != 2 else None
        self.walk.out.append(ev.Delta(item.number, item.part, text, extra))
        if self._held:
            self._place_held()

    def _cite(self, delta: Json) -> None:
        """Annotations name no block: they apply to the text that is open."""
        annotations = [as_object(raw) for raw in as_list(delta.get("annotations"))]
        if annotations:
            self._open_text()
            self._held += annotations
            self._place_held()

    def _place_held(self, whole: bool = False) -> None:
        """Say what cites text that has arrived, in the vendor's order; `whole`: no more text will come."""
        item = self._open_text()
        size = self._index.bytes
        while self._held and (whole or reach(self._held[0]) <= size):
            self._cited = True
            annotation = decode_annotation(self._held.pop(0), self._index, self.walk.wire)
            self.walk.out.append(ev.Annotated(item.number, item.part, annotation))

    def _add_media(self, block: Json) -> None:
        self._close_message("completed")
        if block.get("type") != "image":
            self.walk.note(block)
            return
        item = self._begin(kind.IMAGE)
        for phase in ("in_progress", "generating", "completed"):
            item.progress(phase)
        data, uri, mime_type = (as_text(block.get(key)) or None for key in ("data", "uri", "mime_type"))
        item.close("completed", outcome=Picture(data, uri, mime_type), kept={"block": block, **self._joint})

    def _close_message(self, status: ev.ItemStatus, kept: Json | None = None) -> None:
        if self.item is not None:
            self._close_text()
            self.item.close(status, kept={**(kept or {}), **self._joint})
            self.item = None

    def stop(self) -> None:
        self._close_text()
        super().stop()

    def end(self, status: ev.ItemStatus) -> None:
        self._close_message("incomplete" if "error" in self.kept else status, self.kept)

    def settle(self, final: Json) -> None:
        """Say what the stream left out of the text, and of the citations where one block makes them certain."""
        blocks = [as_object(block) for block in as_list(final.get("content"))]
        texts = [block for block in blocks if isinstance(block.get("text"), str)]
        said, whole = "".join(self._pieces), "".join(block["text"] for block in texts)
        if whole.startswith(said) and whole != said:
            self._write({"text": whole[len(said) :], "type": "text"})
        if len(texts) == 1 and not self._cited and self.item is not None and self.item.parts == 1:
            self._cite(texts[0])

    deltas: ClassVar[Mapping[str, _Take]] = {
        "text": _write,
        "text_annotation_delta": _cite,
        "image": _add_media,
        "audio": _add_media,
        "video": _add_media,
        "document": _add_media,
        "thought_signature": Step.sign,
    }


class FunctionCall(Step):
    """A call for the client. It opens once its name is known; its arguments are sent once."""

    divisible = False
    known = frozenset({"type", "id", "name", "arguments"})
    untyped: ClassVar[Mapping[str, str]] = {"arguments": "arguments_delta"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._id, self._name = as_text(step.get("id")), as_text(step.get("name"))
        self._given = step.get("arguments")
        self._said = False
        if self._name:
            self._open()

    def _open(self) -> OpenItem:
        if self.item is None:
            self.item = self.walk.open(kind.FUNCTION_CALL, call_id=self._id, name=self._name)
            self.item.open_part(kind.ARGUMENTS)
        return self.item

    def _continue(self, delta: Json) -> None:
        """A piece of the arguments' JSON text; some senders give the whole object."""
        piece = delta.get("arguments")
        self._write(piece if isinstance(piece, str) else json_text(piece) if piece else "")

    def _give(self, delta: Json) -> None:
        self._id, self._name = self._id or as_text(delta.get("id")), self._name or as_text(delta.get("name"))
        self._given = delta.get("arguments") or self._given

    def _write(self, text: str) -> None:
        if text:
            self._said = True
            self._open().write(text)

    def stop(self) -> None:
        self._settle_arguments()
        if not self._said:
            self._write("{}")
        super().stop()

    def cut(self) -> None:
        self._settle_arguments()
        super().stop()

    def _settle_arguments(self) -> None:
        """Send what `step.start` held, unless the deltas told it."""
        self._open()
        if not self._said and self._given:
            self._continue({"arguments": self._given})

    deltas: ClassVar[Mapping[str, _Take]] = {
        "arguments_delta": _continue,
        "function_call": _give,
        "thought_signature": Step.sign,
    }


class Private(Step):
    """A step that the hub has no kind for: an item of the vendor's own, verbatim."""

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self.raw = dict(step)
        self.kept = {"steps": [self.raw]}
        self.item = walk.open(f"{walk.wire}.{self.type or 'step'}", as_text(step.get("id")))

    def feed(self, delta: Json) -> bool:
        if not self.type or delta.get("type", self.type) != self.type:
            return False
        grow(self.raw, delta)
        return True


class Silent(Step):
    """A step that tells a reader nothing: no item, only the vendor's own words."""

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        walk.note({"event_type": "step.start", "step": step})


def grow(raw: Json, delta: Json) -> None:
    """Add a delta to the step as it stands: results and signatures grow, everything else is said anew."""
    for key, value in delta.items():
        if value is None or key == "type":
            continue
        old = raw.get(key)
        if key in ("result", "signature") and type(old) is type(value) and isinstance(old, str | list):
            raw[key] = old + value
        elif value != "":
            raw[key] = value
