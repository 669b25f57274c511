"""What the model says: text as a message, an image as an item of its own, sound and other media with the message."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Mapping
from typing import ClassVar, Final

from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.items import Picture
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import decode_annotation, reach
from adapters.interactions.steps import Step, Take
from adapters.interactions.walk import OpenItem, Walk
from adapters.wire_json import Json, as_list, as_object, as_text

_TEXT_BLOCK: Final = frozenset({"type", "text", "annotations"})


class ModelOutput(Step):
    """One step. Its items close when the next begins; the last of them when it is known how the interaction went on."""

    known = frozenset({"type", "content"})
    untyped: ClassVar[Mapping[str, str]] = {"text": "text", "annotations": "text_annotation_delta"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._index = TextIndex()  # of the open text
        self._texting = False  # whether a text is open
        self._held: list[Json] = []  # annotations of text that has not arrived
        self._pieces: list[str] = []
        self._cited = False
        self._begun = False
        self._image: Json | None = None  # the block that the open item is, where it is no message
        self._blocks: list[Json] = []  # of the open message: what its texts do not tell, as `rest.py` says
        self._count = 0  # of the open message's blocks
        self._media: Json = {}  # the open block that is neither text nor image
        self._data: list[str] = []  # and its pieces
        self._rest: Json = {}  # what the open text says besides
        self._add_blocks(step)
        if "error" in self.kept and self.item is None:
            self._open_message()

    def _add_blocks(self, step: Json) -> None:
        for block in map(as_object, as_list(step.get("content"))):
            if as_text(block.get("type")) in ("", "text"):
                self._close_part()
                self._write({"text": block.get("text"), "type": "text"})
                self._cite(block)
                if self._texting:
                    self._rest = {key: value for key, value in block.items() if key not in _TEXT_BLOCK}
            else:
                (self._add_image if block["type"] == "image" else self._add_media)(block)
                self._close_part()

    # -- items -----------------------------------------------------------------------------------

    def _begin(self, item_kind: str) -> OpenItem:
        self._close_item("completed")
        item = self.item = self.walk.open(item_kind)
        if self._begun:
            item.aside["continues"] = True
        self._begun = True
        return item

    def _open_message(self) -> OpenItem:
        return self.item if self.item is not None and self._image is None else self._begin(kind.MESSAGE)

    def _close_item(self, status: ev.ItemStatus, kept: Json | None = None) -> None:
        """`kept` is what the step itself says, which goes with the last of its items."""
        item = self.item
        if item is None:
            return
        self._close_part()
        said = dict(kept or {})
        outcome: Picture | None = None
        if self._image is not None:
            data, uri, mime = (as_text(self._image.get(key)) or None for key in ("data", "uri", "mime_type"))
            outcome = Picture(data, uri, mime)
            said["block"] = self._image
        elif self._blocks:
            said["blocks"] = self._blocks
        item.close(status, outcome=outcome, kept=said)
        self.item = self._image = None
        self._blocks, self._count = [], 0

    # -- blocks ----------------------------------------------------------------------------------

    def _open_text(self) -> OpenItem:
        item = self._open_message()
        if not self._texting:
            self._close_part()
            item.open_part(kind.TEXT)
            self._index = TextIndex()
            self._texting = True
            self._count += 1
        return item

    def _close_part(self) -> None:
        if self._texting:
            self._place_held(whole=True)
            if self._rest:
                self._blocks.append({"at": self._count - 1, "rest": self._rest})
                self._rest = {}
            self._texting = False
        elif self._media:
            if self._data:
                self._media["data"] = _joined(self._data)
            self._media, self._data = {}, []
        if self.item is not None:
            self.item.close_part()

    def _write(self, delta: Json) -> None:
        text = delta.get("text")
        if type(text) is not str or not text:
            return
        item = self.item if self._texting else None
        if item is None:
            item = self._open_text()
        self._index.feed(text)
        self._pieces.append(text)
        self.walk.out.append(ev.Delta(item.number, item.part, text))
        if len(delta) != 2:
            self._rest |= {key: value for key, value in delta.items() if key not in _TEXT_BLOCK}
        if self._held:
            self._place_held()

    def _cite(self, delta: Json) -> None:
        """Annotations name no block: they apply to the text that is open."""
        self._held += map(as_object, as_list(delta.get("annotations")))
        self._place_held()

    def _place_held(self, whole: bool = False) -> None:
        """Say what cites text that has arrived, in the vendor's order; `whole`: no more text will come."""
        if not self._held:
            return
        item = self._open_text()
        size = self._index.size
        while self._held and (whole or reach(self._held[0]) <= size):
            self._cited = True
            annotation = decode_annotation(self._held.pop(0), self._index, self.walk.wire)
            self.walk.out.append(ev.Annotated(item.number, item.part, annotation))

    def _add_image(self, block: Json) -> None:
        item = self._begin(kind.IMAGE)
        for phase in ("in_progress", "generating", "completed"):
            item.progress(phase)
        self._image = block

    def _add_media(self, block: Json) -> None:
        """Sound, a film or a document. Sound streams in pieces, which are one block as long as they are of one kind."""
        media, data = as_text(block.get("mime_type")) or as_text(block.get("type")), as_text(block.get("data"))
        if not self._data or not data or _kind(block) != _kind(self._media):
            item = self._open_message()
            self._close_part()
            item.open_part(kind.MEDIA, media)
            self._media = dict(block)
            self._blocks.append({"at": self._count, "block": self._media})
            self._count += 1
        if data and self.item is not None:
            self._data.append(data)
            self.item.write(data)

    # -- the end ---------------------------------------------------------------------------------

    def stop(self) -> None:
        self._close_part()
        super().stop()

    def end(self, status: ev.ItemStatus) -> None:
        self._close_item("incomplete" if "error" in self.kept else status, self.kept)

    def settle(self, final: Json) -> None:
        """Say what the stream left out of the text, and of the citations where one block makes them certain."""
        if not self._begun:
            self._add_blocks(final)
            return
        blocks = [as_object(block) for block in as_list(final.get("content"))]
        texts = [block for block in blocks if isinstance(block.get("text"), str)]
        said, whole = "".join(self._pieces), "".join(block["text"] for block in texts)
        if whole.startswith(said) and whole != said:
            self._write({"text": whole[len(said) :], "type": "text"})
        if len(texts) == 1 and not self._cited and self.item is not None and self.item.parts == 1:
            self._cite(texts[0])

    deltas: ClassVar[Mapping[str, Take]] = {
        "text": _write,
        "text_annotation_delta": _cite,
        "image": _add_image,
        "audio": _add_media,
        "video": _add_media,
        "document": _add_media,
        "thought_signature": Step.sign,
    }


def _kind(block: Json) -> Json:
    """What the pieces of one block have in common."""
    return {key: value for key, value in block.items() if key != "data"}


def _joined(pieces: list[str]) -> str:
    """The base64 text of all pieces, each of which may be padded by itself."""
    if len(pieces) == 1:
        return pieces[0]
    try:
        return b64encode(b"".join(b64decode(piece, validate=True) for piece in pieces)).decode()
    except (Error, ValueError):
        return "".join(pieces)
