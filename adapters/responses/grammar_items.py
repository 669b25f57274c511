"""The part of the grammar that watches items, their parts and their texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from adapters.hub.spans import Offsets, TextIndex
from adapters.responses import grammar_tables as tables
from adapters.responses.grammar_state import (
    ItemState,
    PartState,
    Report,
    TextState,
    compare,
    dig,
    require,
    shorten,
    word,
)
from adapters.responses.grammar_tables import Row, Tables
from adapters.wire_json import Json


class ItemGrammar:
    """Follows the items of one response.

    `resumed`: events of items announced before the stream began are let pass. `offsets` is what annotations count.
    `roles` are the handlers, each for an event that has all that its row needs.
    """

    def __init__(self, report: Report, of: Tables, offsets: Offsets, *, resumed: bool) -> None:
        self._tables = of
        self._report = report
        self._offsets: Offsets = offsets
        self._resumed = resumed
        self._ids: set[str] = set()
        self._next = 0
        self.items: dict[int, ItemState] = {}
        self.roles: Mapping[str, Callable[[Row, Json], None]] = {
            "item_added": self._item_added,
            "item_done": self._item_done,
            "phase": self._phase,
            "part_added": self._part_added,
            "part_done": self._part_done,
            "command_added": self._command_added,
            "text_delta": self._text_delta,
            "text_done": self._text_done,
            "annotation": self._annotation,
            "value_delta": self._value_delta,
            "value_done": self._value_done,
        }

    def end(self, response: Json) -> None:
        """The terminal response: everything is closed, and its output is what was streamed."""
        output = cast("list[Any]", response["output"] if isinstance(response.get("output"), list) else [])
        if len(output) != len(self.items) and not self._resumed:
            self._report("snapshot-equal", f"{len(output)} items, announced {len(self.items)}")
        for index, item in self.items.items():
            if item.done is None:
                self._report("unclosed", f"output[{index}] ({item.kind})")
                continue
            if index < len(output):
                compare(item.done, output[index], f"output[{index}]", self._report)
            if response.get("status") == "completed" and item.done.get("status") == "incomplete":
                self._report("item-status", f"output[{index}] is incomplete in a completed response")

    # -- items

    def _item_added(self, _row: Row, data: Json) -> None:
        index: int = data["output_index"]
        new: Json = data["item"]
        if index != self._next and (self.items or not self._resumed):
            self._report("item-index", f"output_index is {index}, expected {self._next}")
        self._next = max(self._next, index + 1)
        if index in self.items:
            return
        item = self.items[index] = ItemState(word(new.get("type")), word(new.get("id")), new)
        self._shape(new, late=self._late(item.kind))
        if not item.id or item.id in self._ids:
            self._report("item-id", f"the id is {shorten(new.get('id'))}")
        self._ids.add(item.id)
        self._start(item)

    def _start(self, item: ItemState) -> None:
        """Texts begin as "" and lists as []: clients append to what the announcement holds."""
        for path in tables.PLACES.get(item.kind, {}).values():
            if dig(item.added, path):
                self._report("text-start", f"{'.'.join(path)} is {shorten(dig(item.added, path))}")
        path = tables.VALUES.get(item.kind)
        if path and item.kind not in tables.UNSTREAMED and dig(item.added, path) not in ("", None):
            self._report("text-start", f"{'.'.join(path)} is {shorten(dig(item.added, path))}")

    def _late(self, kind: str) -> frozenset[str]:
        """What an item or a part need not have when it is announced."""
        return self._tables.late_fields.get(kind, frozenset())

    def _shape(self, item: Json, late: frozenset[str] = frozenset()) -> None:
        kind = word(item.get("type"))
        if kind in self._tables.items:
            require(self._tables.items[kind], item, "item.", self._report, late=late)
            status = item.get("status")
            if status is not None and word(status) not in tables.STATUSES:
                self._report("item-status", f"the status is {shorten(status)}")
        elif item.get("role") != "assistant" or item.get("content") != []:
            self._report("item-shape", f"type {shorten(kind)}")

    def _item_done(self, _row: Row, data: Json) -> None:
        item = self._open_item(data["output_index"])
        new: Json = data["item"]
        if item is None:
            return
        item.done = new
        self._shape(new)
        # A call that its own progress announced, where the vendor forgot to, names its server when it is done.
        before = {key: item.added.get(key) for key in tables.IDENTITY if key != "server_label" or item.added.get(key)}
        compare(before, {key: new.get(key) for key in before}, "item", self._report)
        status = word(new.get("status"))
        # A call made by a program waits for the client and stays in progress; Azure closes a search as searching.
        waiting = "caller" in new or (status == item.phase and status != "in_progress")
        if status in tables.OPEN_STATUSES and not waiting:
            self._report("item-status", f"closed as {shorten(status)}")
        if names := item.open_parts():
            self._report("unclosed", ", ".join(names))
        else:
            self._settle(item, new)

    def _settle(self, item: ItemState, new: Json) -> None:
        """The closing snapshot says what was streamed."""
        if path := tables.VALUES.get(item.kind):
            if item.value.pieces and item.value.final is None:
                self._report("unclosed", f"{'.'.join(path)} has no done event")
            elif item.value.final is not None or item.kind not in tables.UNSTREAMED:
                compare(item.value.final or "", dig(new, path) or "", ".".join(path), self._report)
        for place, path in tables.PLACES.get(item.kind, {}).items():
            parts = item.parts.get(place, [])
            if parts or item.kind not in tables.UNSTREAMED:
                compare([part.closed for part in parts], dig(new, path) or [], ".".join(path), self._report)

    def _open_item(self, index: int) -> ItemState | None:
        item = self.items.get(index)
        if item is not None and item.done is None:
            return item
        if item is not None or not self._resumed:
            self._report("item-open", f"output_index {index} is {'not announced' if item is None else 'closed'}")
        return None

    def _item(self, row: Row, data: Json) -> ItemState | None:
        """The open item that the event belongs to; None, and a report, where there is none or it does not fit."""
        item = self._open_item(data["output_index"])
        if item is None:
            return None
        if "item_id" in row.needs and data["item_id"] != item.id:
            self._report("item-identity", f"item_id is {shorten(data['item_id'])}, the item's id {shorten(item.id)}")
        if row.items and item.kind not in row.items:
            self._report("item-kind", f"the item is a {item.kind}")
            return None
        return item

    def _phase(self, row: Row, data: Json) -> None:
        item = self._item(row, data)
        if item is None or not row.field:
            return
        rank = tables.PHASE_RANK.get
        if rank(row.field, 1) < rank(item.phase, 0):
            self._report("phase-order", f"it was {item.phase}")
        item.phase = row.field

    # -- parts

    def _part_added(self, row: Row, data: Json) -> None:
        part: Json = data["part"]
        kind = word(part.get("type"))
        if (item := self._item(row, data)) is None:
            return
        self._open_part(item, row, data, kind)
        if tables.PART_HOMES.get(kind) != (item.kind, row.place):
            self._report("part-kind", f"a {shorten(kind)} in the {row.place} of a {item.kind}")
        elif require(self._tables.parts[kind], part, "part.", self._report, late=self._late(kind)):
            for name in (tables.PART_TEXTS[kind], "annotations"):
                if part.get(name):
                    self._report("text-start", f"part.{name} is {shorten(part[name])}")

    def _command_added(self, row: Row, data: Json) -> None:
        if (item := self._item(row, data)) is None:
            return
        self._open_part(item, row, data, row.part)
        if data["command"]:
            self._report("text-start", f"command is {shorten(data['command'])}")

    def _open_part(self, item: ItemState, row: Row, data: Json, kind: str) -> None:
        parts = item.parts.setdefault(row.place, [])
        index = data[f"{row.place}_index"]
        if index != len(parts):
            self._report("part-index", f"{row.place}_index is {index}, not {len(parts)}")
        parts.append(PartState(kind, TextIndex(self._offsets)))

    def _part(self, row: Row, data: Json) -> PartState | None:
        """The open part that the event belongs to; None, and a report, where there is none or it does not fit."""
        if (item := self._item(row, data)) is None:
            return None
        parts: list[PartState] = item.parts.get(row.place, [])
        index: int = data[f"{row.place}_index"]
        part = parts[index] if 0 <= index < len(parts) else None
        if part is None or part.closed is not None:
            self._report("part-open", f"{row.place}_index {index} is {'not announced' if part is None else 'closed'}")
            return None
        if row.part and part.kind != row.part:
            self._report("part-kind", f"the part is a {shorten(part.kind)}")
            return None
        return part

    def _text_delta(self, row: Row, data: Json) -> None:
        if part := self._part(row, data):
            self._add(part.text, data[row.field])
            part.index.feed(data[row.field])

    def _text_done(self, row: Row, data: Json) -> None:
        if part := self._part(row, data):
            self._finish(part.text, row.field, data)
            if part.reach > part.index.size:
                self._report("annotation-span", f"one ends at {part.reach}, the text at {part.index.size}")
            if row.part == "command":
                part.closed = data[row.field]  # a command has no other closing event

    def _part_done(self, row: Row, data: Json) -> None:
        part = self._part(row, data)
        new: Json = data["part"]
        if part is None:
            return
        part.closed = new
        if new.get("type") != part.kind:
            self._report("part-kind", f"a {shorten(part.kind)} closes as {shorten(new.get('type'))}")
            return
        require(self._tables.parts.get(part.kind, {}), new, "part.", self._report)
        if part.text.final is None:
            self._report("unclosed", "the text of the part has no done event")
        elif name := tables.PART_TEXTS.get(part.kind):
            compare(part.text.final, new.get(name), f"part.{name}", self._report)
        compare(part.annotations, new.get("annotations") or [], "part.annotations", self._report)

    def _annotation(self, row: Row, data: Json) -> None:
        part = self._part(row, data)
        new: Json = data["annotation"]
        if part is None:
            return
        if part.text.final is not None:
            self._report("annotation-late", "the text is done")
        index = data.get("annotation_index", len(part.annotations))  # not all dialects count
        if index != len(part.annotations):
            self._report("annotation-index", f"it is {shorten(index)}, not {len(part.annotations)}")
        part.annotations.append(new)
        kind = word(new.get("type"))
        if require(self._tables.annotations.get(kind, tables.ANNOTATION), new, "annotation.", self._report):
            self._span(part, new, *self._tables.spans.get(kind, ()))

    def _span(self, part: PartState, annotation: Json, *names: str) -> None:
        if not names:
            return
        start, end = annotation[names[0]], annotation[names[-1]]
        part.reach = max(part.reach, end)
        if not 0 <= start <= end:
            self._report("annotation-span", f"{start} to {end}")
        elif end > part.index.size:
            self._report("annotation-early", f"it ends at {end}, the text so far at {part.index.size}")
        else:
            for place in (start, end):
                if part.index.on_border(place) is None:
                    self._report("annotation-border", str(place))

    # -- texts

    def _value_delta(self, row: Row, data: Json) -> None:
        if item := self._item(row, data):
            self._add(item.value, data[row.field])

    def _value_done(self, row: Row, data: Json) -> None:
        if item := self._item(row, data):
            self._finish(item.value, row.field, data)

    def _add(self, text: TextState, delta: str) -> None:
        if text.final is not None:
            self._report("text-closed", f"{shorten(delta)} is added")
        text.add(delta)

    def _finish(self, text: TextState, name: str, data: Json) -> None:
        if text.final is not None:
            self._report("text-closed", "it is said to be done again")
        compare(text.whole(), data[name], name, self._report)
        text.final = data[name]
