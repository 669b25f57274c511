"""Items that are told as whole steps when they end: what vendors' tools did, and calls of the client's own tools."""

from __future__ import annotations

from typing import Final

from adapters.faces.gemini.books import ItemBook
from adapters.faces.gemini.building import BUILD
from adapters.faces.gemini.marking import Marker
from adapters.faces.gemini.marks import NAME, shown_id
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import FOUND_TOOLS, IMAGE, TOOL_SEARCH
from adapters.hub.kept import Kept, kept_by
from adapters.interactions.rest import silent_steps, steps_of
from adapters.responses.tables import ACTIONS, is_hosted
from adapters.wire_json import Json, as_object, as_text

_WITHOUT_ID: Final = frozenset({*ACTIONS, IMAGE})
"""Kinds whose steps have no place for the item's own id."""


class Whole:
    """Writes these items."""

    def __init__(self, encoding: Encoding, writer: Writer, marker: Marker) -> None:
        self._mint = encoding.mint
        self._native = encoding.fidelity == "native"
        self._writer = writer
        self._marker = marker
        self._search = ""  # the id of the last search for tools

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
        vendor, id_ = self._marker.vendor, book.started.id
        new = "" if id_ else self._mint.id("")
        return id_ or new if vendor == NAME else shown_id(book.started.kind, vendor, id_, new)

    def close(self, book: ItemBook, event: ev.ItemEnded) -> list[bytes]:
        """Tell the item, or let it ride with the next that has a step."""
        own = kept_by(NAME, event.extra) or {}
        steps = self._steps(book, event, own)
        if not steps:
            kind = book.started.kind
            self._marker.riders.add(self._said(book, event), kind, f"{self._marker.vendor}.{kind}")
            return []
        book.announced = self._marker.announce(book)
        book.index = len(self._writer.steps)
        marked = self._marker.mark(book, event.extra, steps)
        return [frame for step in [*marked, *silent_steps(own)] for frame in self._writer.tell(step)]

    def _steps(self, book: ItemBook, event: ev.ItemEnded, own: Json) -> list[Json]:
        """The steps that the item becomes; none where the dialect has no word for it."""
        if told := steps_of(own, "steps"):
            return told
        if block := as_object(own.get("block")):
            return [{"type": "model_output", "content": [block]}]
        build = BUILD.get(book.started.kind)
        said = self._said(book, event).data
        book.place = book.place or as_text(said.get("server_label"))
        if is_hosted(said):
            return []
        if book.started.kind in ACTIONS:  # a stream announces what to do empty
            book.action = as_object(said.get(ACTIONS[book.started.kind][0])) or book.started.action or {}
        if build is not None:
            return build(book, event.outcome, event.status == "failed")
        return [{**said, "id": book.shown}] if self._native else []

    def _said(self, book: ItemBook, event: ev.ItemEnded) -> Kept:
        """The item in its vendor's words."""
        extra = event.extra or book.started.extra
        if extra is None:
            return Kept(self._marker.vendor, {"type": book.started.kind, "id": book.started.id})
        return Kept(extra.wire, as_object(extra.data.get("item", extra.data)))
