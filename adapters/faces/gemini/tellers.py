"""Items that are told as whole steps, and what every item's steps carry for its vendor."""

from __future__ import annotations

from adapters.faces.gemini.books import ItemBook
from adapters.faces.gemini.extension import rest_of_item
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.riders import Riders
from adapters.faces.gemini.whole import ACTIONS, WHOLE
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import CUSTOM_CALL, FOUND_TOOLS, IMAGE, TOOL_SEARCH
from adapters.hub.kept import Kept, kept_by
from adapters.hub.tags import tag_id, tag_new_id
from adapters.interactions.rest import steps_of
from adapters.responses.annotations import EXTENSION
from adapters.responses.tables import ID_PREFIX
from adapters.wire_json import Json, as_object, as_text

_KINDS_UNTOLD = ACTIONS | {CUSTOM_CALL}
_WITHOUT_ID = ACTIONS | {IMAGE}
_NO_WORD = "fields that the dialect has no word for"


class Teller:
    """Writes whole items. `vendor` is who answers."""

    def __init__(self, encoding: Encoding, writer: Writer, riders: Riders) -> None:
        self.encoding = encoding
        self.writer = writer
        self.vendor = NAME
        self.rich = encoding.fidelity != "strict"
        self._native = encoding.fidelity == "native"
        self._riders = riders
        self.late = False  # whether a step has more than its events told
        self._search = ""  # the id of the last search for tools

    def lose(self, path: str) -> None:
        """Report what a client is not told."""
        self.encoding.losses.note(path, f"{self.vendor} said {_NO_WORD}")

    def announce(self, book: ItemBook) -> Json:
        """What the extension of the item's step says from its start: whose it is, unless its id does."""
        if not self.rich or self.vendor == NAME:
            return {}
        said: Json = {}
        if book.started.id and not book.shown:
            said["id"] = book.started.id
        if book.started.kind in _KINDS_UNTOLD:
            said["kind"] = book.started.kind
        return {"v": self.vendor, **said} if said or not book.shown else {}

    def extend(self, book: ItemBook, extra: Kept | None, steps: list[Json]) -> list[Json]:
        """The steps of an item, of which the first carries what the vendor said beyond them."""
        first, *others = steps
        announced = book.announced
        kept = extra if extra is not None and extra.wire != NAME else None
        if not self.rich:
            if rest_of_item(kept, steps) or (kept is not None and book.started.id and not book.shown):
                self.lose(f"steps[{len(self.writer.steps) if book.index < 0 else book.index}]")
            return steps
        if announced:
            first = {**first, EXTENSION: announced}
        rest = rest_of_item(kept, [first, *others])
        said = {**announced, **({"rest": rest} if rest else {}), **self._riders.board()}
        if not said:
            return steps
        return [{**first, EXTENSION: {"v": self.vendor, **said}}, *others]

    def open(self, book: ItemBook) -> list[bytes]:
        """A whole item is told when it ends; until then it has its id."""
        kind = book.started.kind
        book.place = book.started.place
        if kind == TOOL_SEARCH:
            self._search = book.call_id = book.call_id or self._id(book)
        elif kind == FOUND_TOOLS:
            book.call_id = book.call_id or self._search or self._id(book)
        elif kind not in _WITHOUT_ID:
            book.shown = self._id(book)
        return []

    def _id(self, book: ItemBook) -> str:
        """The item's id as the client knows it."""
        id_, prefix = book.started.id, ID_PREFIX.get(book.started.kind, "item_")
        if self.vendor == NAME:
            return id_ or self.encoding.mint.id("")
        return tag_id(prefix, self.vendor, id_) if id_ else tag_new_id(prefix, self.vendor, self.encoding.mint.id(""))

    def close(self, book: ItemBook, event: ev.ItemEnded) -> list[bytes]:
        """Tell the item."""
        own = kept_by(NAME, event.extra) or {}
        steps = self._steps(book, event, own)
        if not steps:
            self._ride(book, event)
            return []
        book.announced = self.announce(book)
        book.index = len(self.writer.steps)
        frames: list[bytes] = []
        for step in [*self.extend(book, event.extra, steps), *self.silent(own)]:
            frames += self.writer.tell(step)
        return frames

    def silent(self, own: Json) -> list[Json]:
        """Steps of the dialect's own vendor that tell a reader nothing, and rode with an item."""
        return [*steps_of(own, "before"), *steps_of(own, "after")]

    def _steps(self, book: ItemBook, event: ev.ItemEnded, own: Json) -> list[Json]:
        if told := steps_of(own, "steps"):
            return told
        if block := as_object(own.get("block")):
            return [{"type": "model_output", "content": [block]}]
        build = WHOLE.get(book.started.kind)
        said = self._said(book, event).data
        book.place = book.place or as_text(said.get("server_label"))
        if build is not None:
            return build(book, event.outcome, event.status == "failed")
        return [{**said, "id": book.shown}] if self._native else []

    def _ride(self, book: ItemBook, event: ev.ItemEnded) -> None:
        kind = book.started.kind
        self._riders.add(self._said(book, event), kind, f"{self.vendor}.{kind}")

    def _said(self, book: ItemBook, event: ev.ItemEnded) -> Kept:
        """The item in its vendor's words."""
        extra = event.extra or book.started.extra
        if extra is None:
            return Kept(self.vendor, {"type": book.started.kind, "id": book.started.id})
        return Kept(extra.wire, as_object(extra.data.get("item", extra.data)))
