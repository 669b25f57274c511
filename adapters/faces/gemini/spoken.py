"""Items that are told as they come: messages, reasoning, and calls of the client's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from adapters.faces.gemini.books import ItemBook, PartBook
from adapters.faces.gemini.citing import Citing
from adapters.faces.gemini.marking import Marker
from adapters.faces.gemini.marks import NAME, shown_signature
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.items import (
    ARGUMENTS,
    CUSTOM_CALL,
    FUNCTION_CALL,
    INPUT,
    MEDIA,
    MESSAGE,
    REASONING,
    REFUSAL,
    SUMMARY,
    TEXT,
    THOUGHT,
)
from adapters.hub.kept import Kept, kept_by
from adapters.interactions.arguments import arguments_of
from adapters.interactions.rest import fields_of, restored, silent_steps
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_list, as_object, dumps

_STEPS: Final = {
    MESSAGE: "model_output",
    REASONING: "thought",
    FUNCTION_CALL: "function_call",
    CUSTOM_CALL: "function_call",
}
SPOKEN: Final = frozenset(_STEPS)

_TEXT = b'{"type":"text","text":'
_SUMMARY = b'{"type":"thought_summary","content":{"type":"text","text":'
_ARGUMENTS = b'{"type":"arguments_delta","arguments":'
_BETWEEN = "\n\n"  # a thought_summary delta does not say which part it belongs to


class Spoken:
    """Writes these items. A part of any other item is only remembered."""

    def __init__(self, writer: Writer, marker: Marker, citing: Citing) -> None:
        self._writer = writer
        self._marker = marker
        self._citing = citing

    def open(self, book: ItemBook) -> list[bytes]:
        """Begin the step."""
        started = book.started
        step: Json = {"type": _STEPS[started.kind]}
        if step["type"] == "function_call":
            step |= {"id": book.call_id, "name": started.name, "arguments": {}}
        book.announced = self._marker.announce(book)
        if book.announced:
            step[EXTENSION] = book.announced
        book.index, frames = self._writer.start(step)
        return frames

    # -- parts ---------------------------------------------------------------------------------

    def feed(self, book: ItemBook, event: Any) -> list[bytes]:
        """The beginning or the end of a part, or a citation of it."""
        return self._takes[type(event)](self, book, event)

    def delta(self, book: ItemBook, event: ev.Delta) -> list[bytes]:
        """The next piece of a part."""
        part = book.parts[event.part]
        part.pieces.append(event.text)
        if not part.head:
            return self._place(book, part) if part.waiting else []
        writer = self._writer
        number = writer.number
        writer.number = number + 1
        frames = [b'%b%b%b%d"}\n\n' % (part.head, part.write(event.text), part.tail, number)]
        return frames + self._place(book, part) if part.waiting else frames

    def _part_started(self, book: ItemBook, event: ev.PartStarted) -> list[bytes]:
        frames = self._part_with(book) if book.parts_with(event.kind) else []
        part = PartBook(event.kind)
        begin = self._beginnings.get((book.started.kind, event.kind))
        frames += begin(self, book, part, event) if begin is not None else []
        if begin is None and book.started.kind in SPOKEN:
            self._marker.lose(f"steps[{book.index}]")
        book.parts.append(part)
        book.here.append(part)
        return frames

    def _text(self, book: ItemBook, part: PartBook, _: ev.PartStarted) -> list[bytes]:
        part.block = {"type": "text"}
        part.head, part.tail = self._writer.around(book.index, _TEXT, b"}")
        return []

    def _part_with(self, book: ItemBook) -> list[bytes]:
        """End the step and begin the next of a message that has another text.

        A delta names no block: who adds a step's deltas up reads one text, of which the citations count the offsets.
        """
        step: Json = {"type": "model_output", "content": _blocks(book.here)}
        frames = self._writer.finish(book.index, self._marker.mark_first(book, step), book.announced)
        book.parted.append(book.index)
        book.here = []
        book.announced = self._marker.announce(book)
        said: Json = {EXTENSION: book.announced} if book.announced else {}
        book.index, begun = self._writer.start({"type": "model_output", **said})
        return frames + begun

    def _media(self, book: ItemBook, part: PartBook, event: ev.PartStarted) -> list[bytes]:
        """Sound and films, as they come; the dialect's own vendor tells its blocks whole."""
        if self._marker.vendor == NAME:
            return []
        family = (event.media or "").partition("/")[0]
        part.block = {"type": family if family in ("audio", "image", "video") else "document"}
        if "/" in (event.media or ""):
            part.block["mime_type"] = event.media
        part.name = "data"
        before = b'%b,"data":' % dumps(part.block)[:-1]
        part.head, part.tail = self._writer.around(book.index, before, b"}")
        return []

    def _thought(self, book: ItemBook, part: PartBook, event: ev.PartStarted) -> list[bytes]:
        """One of the two is told, the summary or the thoughts themselves: what comes first."""
        shown = [other for other in book.parts if other.block is not None]
        if shown and shown[0].kind != event.kind:
            if not self._marker.rich:
                self._marker.lose(f"steps[{book.index}]")
            return []
        part.block = {"type": "text"}
        part.head, part.tail = self._writer.around(book.index, _SUMMARY, b"}}")
        if any(other.pieces for other in shown):
            part.write = _summarise_after(part)
        return []

    def _arguments(self, book: ItemBook, part: PartBook, _: ev.PartStarted) -> list[bytes]:
        part.head, part.tail = self._writer.around(book.index, _ARGUMENTS, b"}")
        return []

    def _input(self, book: ItemBook, part: PartBook, _: ev.PartStarted) -> list[bytes]:
        part.head, part.tail = self._writer.around(book.index, _ARGUMENTS, b"}")
        part.write = _wrap(part)
        return []

    def _annotated(self, book: ItemBook, event: ev.Annotated) -> list[bytes]:
        part = book.parts[event.part]
        if part.block is None or part.name != "text" or book.started.kind != MESSAGE:
            self._marker.lose(f"steps[{book.index}]")
            return []
        part.waiting.append(event.annotation)
        return self._place(book, part) if part.pieces else []  # a delta cites the block whose text came last

    def _place(self, book: ItemBook, part: PartBook, *, whole: bool = False) -> list[bytes]:
        """Tell the citations whose text has arrived; `whole`: no more text will come."""
        blocks = _blocks(book.here)
        told = self._citing.due(part, book.index, len(blocks) - 1, whole=whole)
        if not told or part.block is None:
            return []
        part.block.setdefault("annotations", []).extend(told)
        if part.block is not blocks[-1]:
            self._writer.late = True  # another block has begun, and a delta cites the open one
            return []
        return self._writer.delta(book.index, {"type": "text_annotation_delta", "annotations": told})

    def _part_ended(self, book: ItemBook, event: ev.PartEnded) -> list[bytes]:
        part = book.parts[event.part]
        part.ended = True
        if part.kind == INPUT and part.head:
            rest = '"}' if part.pieces else '{"input":""}'
            return self._writer.delta(book.index, {"type": "arguments_delta", "arguments": rest})
        if part.block is None:
            return []
        frames: list[bytes] = []
        if part.head and not part.pieces and book.started.kind == MESSAGE:
            frames = self._writer.delta(book.index, {**part.block, part.name: ""})
        if part.waiting:
            frames += self._place(book, part, whole=True)
        part.block[part.name] = part.text()
        if book.started.kind != MESSAGE or part.name != "text":
            return frames
        said = self._marker.of_part(book, part, event.extra)
        return frames + self._mark_block(book, part.block, said) if said else frames

    def _mark_block(self, book: ItemBook, block: Json, said: Json) -> list[bytes]:
        """Tell what a text block carries for its vendor."""
        block[EXTENSION] = said
        if block is not _blocks(book.here)[-1]:
            self._writer.late = True  # a delta tells of the last block of an open step
            return []
        delta = {"type": "text_annotation_delta", "annotations": list[Json](), EXTENSION: said}
        return self._writer.delta(book.index, delta)

    _beginnings: ClassVar[
        dict[tuple[str, str], Callable[[Spoken, ItemBook, PartBook, ev.PartStarted], list[bytes]]]
    ] = {
        (MESSAGE, TEXT): _text,
        (MESSAGE, REFUSAL): _text,
        (MESSAGE, MEDIA): _media,
        (REASONING, SUMMARY): _thought,
        (REASONING, THOUGHT): _thought,
        (FUNCTION_CALL, ARGUMENTS): _arguments,
        (CUSTOM_CALL, INPUT): _input,
    }
    _takes: ClassVar[dict[type, Callable[[Spoken, ItemBook, Any], list[bytes]]]] = {
        ev.PartStarted: _part_started,
        ev.Annotated: _annotated,
        ev.PartEnded: _part_ended,
    }

    # -- the end -------------------------------------------------------------------------------

    def close(self, book: ItemBook, event: ev.ItemEnded) -> list[bytes]:
        """Close the step, with what only its end tells."""
        own = kept_by(NAME, event.extra) or {}
        step, frames = self._ends[book.started.kind](self, book, event, own)
        [step] = self._marker.mark(book, event.extra, [step])
        if book.parted:
            step = self._share(book, step)
        frames += self._writer.finish(book.index, step, book.announced)
        for silent in silent_steps(own):
            frames += self._writer.tell(silent)
        return frames

    def _share(self, book: ItemBook, step: Json) -> Json:
        """The last step of a message whose texts have a step each; `step` is all of them in one."""
        shares = _by_text(step["content"])
        for index, share in zip(book.parted, shares, strict=False):
            self._writer.steps[index]["content"] = share
        return {**step, "content": shares[-1]}

    def _message(self, book: ItemBook, event: ev.ItemEnded, own: Json) -> tuple[Json, list[bytes]]:
        frames = self._end_parts(book, event.extra)
        told = _blocks(book.parts)
        content = restored(own, told)
        for entry in map(as_object, as_list(own.get("blocks"))):
            if block := as_object(entry.get("block")):
                told.append(block)
                frames += self._writer.delta(book.index, block)
        self._writer.late |= told != content
        step: Json = {"type": "model_output", **({"content": content} if content else {})}
        return self._with_own(step, own), frames

    def _end_parts(self, book: ItemBook, extra: Kept | None) -> list[bytes]:
        """What only the whole item tells of its parts."""
        frames: list[bytes] = []
        for block, said in self._marker.of_parts(book, extra):
            frames += self._mark_block(book, block, said)
        return frames

    def _reasoning(self, book: ItemBook, event: ev.ItemEnded, own: Json) -> tuple[Json, list[bytes]]:
        step: Json = {"type": "thought"}
        frames: list[bytes] = []
        if event.signature is not None:
            step["signature"] = shown_signature(event.signature)
            frames = self._writer.delta(book.index, {"type": "thought_signature", "signature": step["signature"]})
        if summary := _blocks(book.parts):
            step["summary"] = summary
        return self._with_own(step, own), frames

    def _call(self, book: ItemBook, _: ev.ItemEnded, own: Json) -> tuple[Json, list[bytes]]:
        custom = book.started.kind == CUSTOM_CALL
        text = book.text_of(INPUT if custom else ARGUMENTS)
        arguments = {"input": text} if custom else arguments_of(text)
        step = {"type": "function_call", "id": book.call_id, "name": book.started.name, "arguments": arguments}
        return self._with_own(step, own), []

    def _with_own(self, step: Json, own: Json) -> Json:
        """The step with the fields that the dialect's own vendor said of it, which no delta brings."""
        fields = fields_of(own)
        self._writer.late |= bool(fields)
        return step | fields

    _ends: ClassVar[dict[str, Callable[[Spoken, ItemBook, ev.ItemEnded, Json], tuple[Json, list[bytes]]]]] = {
        MESSAGE: _message,
        REASONING: _reasoning,
        FUNCTION_CALL: _call,
        CUSTOM_CALL: _call,
    }


def _blocks(parts: list[PartBook]) -> list[Json]:
    return [part.block for part in parts if part.block is not None]


def _by_text(content: list[Json]) -> list[list[Json]]:
    """The blocks of a message, parted before each text but the first."""
    shares: list[list[Json]] = [[]]
    for block in content:
        if block["type"] == "text" and any(other["type"] == "text" for other in shares[-1]):
            shares.append([])
        shares[-1].append(block)
    return shares


def _inside(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return dumps(text)[1:-1].decode()


def _spell(text: str) -> bytes:
    return dumps(_inside(text))


def _summarise_after(part: PartBook) -> Callable[[str], bytes]:
    """Writes the first piece of a part that follows another; the pieces after it are written as they are."""

    def write(text: str) -> bytes:
        part.write = dumps
        return dumps(_BETWEEN + text)

    return write


def _wrap(part: PartBook) -> Callable[[str], bytes]:
    """Writes the first piece of a free text as the beginning of the one argument that holds it."""

    def write(text: str) -> bytes:
        part.write = _spell
        return dumps(f'{{"input":"{_inside(text)}')

    return write
