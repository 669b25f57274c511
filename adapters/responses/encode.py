"""A walk, written as the event stream and the response object of a Responses client.

All books of the dialect are kept here: ids, indexes, `*.added`/`*.done` pairs, sequence numbers and
snapshots. Where vendor and client speak the same dialect, what the vendor said is repeated verbatim.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Offsets
from adapters.hub.items import MEDIA, MESSAGE, REASONING
from adapters.hub.kept import Kept, kept_by
from adapters.hub.tags import tag_id, tag_new_id, tag_signature
from adapters.responses import snapshot
from adapters.responses.annotations import EXTENSION, own_words, without_place
from adapters.responses.books import ItemBook, PartBook
from adapters.responses.tables import CLIENT_CALLS, PLACES
from adapters.responses.words import Words
from adapters.sse import frame
from adapters.wire_json import Json, as_list, as_object, as_text, dumps, dumps_any

_SPOKEN = frozenset({"content", "summary", "arguments", "input", "code", "encrypted_content"})
_CLIENTS_NEED = {"type", "content", "role", "summary", "arguments", "input", "code", "call_id", "name"}
_MADE_ANEW = frozenset({"type", "sequence_number", "obfuscation"})  # padding that hid a size fits no other frame
_OPEN_ENDED = CLIENT_CALLS | {MESSAGE, REASONING}


class ResponsesEncoder:
    """Writes one answer for a client of the dialect with these `words`."""

    def __init__(self, words: Words, encoding: Encoding) -> None:
        self._words = words
        self._wire = wire = words.wire
        self._encoding = encoding
        self._mint = encoding.mint
        self._rich = encoding.fidelity != "strict"
        self._native = encoding.fidelity == "native" and words.native
        self._streaming = encoding.request.stream
        self._offsets: Offsets = encoding.offsets or "codepoint"
        self._vendor = wire
        self._items: list[ItemBook] = []
        self._shown = 0  # how many of them the client knows
        self._ids: set[str] = set()
        self._response: Json = {}
        self._phases: set[str] = set()
        self._left_out: list[Json] = []
        self._sequence = 0
        self._told = False  # whether the vendor speaks the client's dialect and began as it must

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if type(event) is not ev.Delta:
            return self._handlers[type(event)](self, event)
        part = self._items[event.item].parts[event.part]
        part.pieces.append(event.text)
        if not self._streaming or not part.head:
            return []
        number = self._sequence
        self._sequence = number + 1
        tail = part.tail
        if event.extra is not None and (own := kept_by(self._wire, event.extra)):
            tail = b',"logprobs":%b,"sequence_number":' % dumps(own.get("logprobs"))
        return [b"%b%b%b%d}\n\n" % (part.head, dumps(event.text), tail, number)]

    def close(self) -> list[bytes]:
        """What follows the terminal event: nothing at OpenAI, which sends no `[DONE]`."""
        return [self._words.end] if self._words.end and self._streaming else []

    def body(self) -> bytes:
        """The response object, once the walk has ended."""
        return dumps_any(self._response)

    def _emit(self, type_: str, fields: Json) -> list[bytes]:
        if not self._streaming:
            return []
        number = self._sequence
        self._sequence = number + 1
        said = {"type": type_, **fields, "sequence_number": number}
        return [frame(type_.encode(), dumps_any(said))]

    # -- the response ------------------------------------------------------------------------

    def _started(self, event: ev.Started) -> list[bytes]:
        self._vendor = event.wire
        same = event.wire == self._wire
        request = self._encoding.request
        id_ = event.id if same else tag_id("resp_", event.wire, event.id)
        created = event.created_at if event.created_at is not None else self._mint.now()
        id_ = id_ if event.id else self._new_id("resp_", event.wire)
        self._response = self._words.begun(id_, event.model or request.model, created, request)
        kept = kept_by(self._wire, event.extra) or {}
        own, beside = kept.get("response"), as_object(kept.get("beside"))
        if own is not None:
            self._told = True
            said = self._own_response(own)
            self._response = said | {"output": [], "usage": None}
            return self._emit("response.created", {**beside, "response": said})
        self._miss_beside("response.created", event.extra)
        return self._emit("response.created", {"response": self._response})

    def _own_response(self, own: Json, fields: Json | None = None) -> Json:
        """What the vendor says of the response, with `fields` and what clients need where it does not say them."""
        fields = fields or {}
        needed = (*self._words.needed, *(key for key, value in fields.items() if value is not None))
        if own.get("id") == self._response["id"] and None not in map(own.get, needed):
            return {**fields, **own}
        said = {key: value for key, value in own.items() if value is not None or key not in needed}
        return {**self._response, **fields, **said, "id": self._response["id"]}

    def _begin(self) -> list[bytes]:
        """What every stream says before its first item, should the vendor not have said it."""
        frames = [] if self._response else self._started(ev.Started(self._wire, "", None))
        if self._told or "in_progress" in self._phases:
            return frames
        return frames + self._response_moved("in_progress", None)

    def _response_moved(self, phase: str, kept: Json | None, extra: Kept | None = None) -> list[bytes]:
        if phase not in ("queued", "in_progress") or self._phases & {phase, "in_progress"} or self._items:
            return []
        self._phases.add(phase)
        own, beside = (kept or {}).get("response"), as_object((kept or {}).get("beside"))
        if kept is None:
            self._miss_beside(f"response.{phase}", extra)
        said = self._own_response(own) if own is not None else {**self._response, "status": phase}
        return self._emit(f"response.{phase}", {**beside, "response": said})

    def _miss_beside(self, type_: str, extra: Kept | None) -> None:
        for key in as_object(extra.data.get("beside")) if extra is not None else ():
            self._encoding.losses.note(f"{self._vendor}.{type_}.{key}", "a field that the dialect's event has not")

    def _ended(self, event: ev.Ended) -> list[bytes]:
        frames = self._begin()
        for number, signature in (event.signatures or {}).items():
            if (signed := self._items[number].final) is not None:
                signed.setdefault("encrypted_content", tag_signature(signature, self._wire))
        output = [book.final for book in self._items if book.final is not None]
        kept = kept_by(self._wire, event.extra) or {}
        own, beside = kept.get("response"), as_object(kept.get("beside"))
        ending = self._words.ended(event, self._mint.now())
        if own is not None:
            final = self._own_response(own, {key: value for key, value in ending.items() if key != "completed_at"})
            final["usage"] = self._words.usage(own.get("usage"), ending["usage"])
            told = [as_object(item).get("id") for item in as_list(own.get("output"))]
            if told != [item["id"] for item in output] or not own.get("output"):
                final["output"] = output
            elif self._offsets != "codepoint":
                shown = [book for book in self._items if book.final is not None]
                final["output"] = [book.recited(item) for book, item in zip(shown, own["output"], strict=True)]
        else:
            final = {**self._response, **ending, "output": output}
        said = self._said_at_end(event, final)
        if said and not self._rich:
            self._encoding.losses.note("response", f"fields of {self._vendor} that the dialect has no word for")
        elif self._rich:
            said = self._with_losses(said)
        self._response = {**final, EXTENSION: said} if said and self._rich else final
        return frames + self._emit(self._words.terminal[event.status], {**beside, "response": self._response})

    def _said_at_end(self, event: ev.Ended, final: Json) -> Json:
        """What the vendor said of the response beyond the dialect."""
        said: Json = {}
        if self._vendor != self._wire:
            if event.extra is not None:
                said |= snapshot.extension_of(event.extra, final, frozenset({"output", "usage"}))
                if beside := event.extra.data.get("beside"):
                    said |= {"v": self._vendor, "beside": beside}
            raw_usage = event.usage.raw if event.usage is not None else None
            if raw_usage is not None and raw_usage.data != final.get("usage"):
                said |= {"v": raw_usage.wire, "usage": raw_usage.data}
            if event.error is not None and event.error.raw is not None:
                said |= {"v": event.error.raw.wire, "raw": event.error.raw.data}
        if self._left_out:
            said |= {"v": self._vendor, "items": self._left_out}
        return said

    def _with_losses(self, said: Json) -> Json:
        losses = self._encoding.losses.told()
        return {**said, "losses": losses} if losses else said

    # -- items -------------------------------------------------------------------------------

    def _progressed(self, event: ev.Progressed) -> list[bytes]:
        own = kept_by(self._wire, event.extra)
        if event.item is None:
            return self._response_moved(event.phase, own, event.extra)
        book = self._items[event.item]
        type_ = f"response.{book.kind}.{event.phase}"
        own_kind = self._native and book.kind not in self._words.item_types
        known = type_ in self._words.progress or own_kind or self._vendor == self._wire
        if book.index is None or not known or not book.advance(event.phase, self._words.phases):
            return []
        return self._emit(type_, {"item_id": book.id, "output_index": book.index, **(own or {})})

    def _item_started(self, event: ev.ItemStarted) -> list[bytes]:
        frames = self._begin()
        shown = event.kind in self._words.item_types or self._native or self._vendor == self._wire
        call_id = event.call_id
        if not call_id and event.kind in CLIENT_CALLS:
            call_id = self._mint.id("call_")
        index = self._shown if shown else None
        self._shown += shown
        book = ItemBook(len(self._items), event.kind, self._id(event), call_id, event.name, index, event.extra)
        book.namespace, book.action, book.runs_at = event.namespace, event.action, event.place
        self._items.append(book)
        if not shown:
            return frames
        item = self._item(book, event.extra, "in_progress")
        return frames + self._emit("response.output_item.added", {"output_index": index, "item": item})

    def _id(self, event: ev.ItemStarted) -> str:
        """The item's id for its whole life: the vendor's own, marked where the dialects differ."""
        prefix = self._words.id_prefixes.get(event.kind, "item_")
        id_ = tag_id(prefix, self._vendor, event.id) if self._vendor != self._wire else event.id
        if not event.id or id_ in self._ids:
            id_ = self._new_id(prefix, self._vendor)
        self._ids.add(id_)
        return id_

    def _new_id(self, prefix: str, vendor: str) -> str:
        return self._mint.id(prefix) if vendor == self._wire else tag_new_id(prefix, vendor, self._mint.id(""))

    def _item(self, book: ItemBook, extra: Kept | None, status: str) -> Json:
        """The item as it is announced: the vendor's own words, or the dialect's with nothing said yet."""
        base = self._words.item(book.kind, book.id, book.call_id, book.name, status) | book.announced()
        own = (kept_by(self._wire, extra) or {}).get("item")
        if own is not None:
            has_status = book.kind == MESSAGE or (book.kind in self._words.phases and book.kind != "mcp_list_tools")
            clients_need = _CLIENTS_NEED | {"status"} if has_status else _CLIENTS_NEED
            needed = {key: base[key] for key in clients_need & base.keys() if own.get(key) is None}
            return {**own, **needed, "id": book.id}
        if book.kind not in self._words.item_types:
            # the one shape of an unknown item that no client stumbles over
            raw: Json = extra.data.get("item", extra.data) if extra is not None else {}
            return {**raw, "role": raw.get("role") or "assistant", "content": raw.get("content") or [], **base}
        if extra is not None and "item" in extra.data and book.kind not in self._words.built:
            return snapshot.told_item(extra.data["item"], base)
        told = as_object((extra.data if extra is not None else {}).get("item"))
        return base | {key: told[key] for key in PLACES.values() if key in base and isinstance(told.get(key), str)}

    def _item_ended(self, event: ev.ItemEnded) -> list[bytes]:
        book = self._items[event.item]
        if book.index is None:
            self._leave_out(book, event)
            return []
        item = self._final_item(book, event)
        book.final = item
        return self._emit("response.output_item.done", {"output_index": book.index, "item": item})

    def _final_item(self, book: ItemBook, event: ev.ItemEnded) -> Json:
        own = (kept_by(self._wire, event.extra) or {}).get("item")
        if own is not None:
            spoken = {key: value for key, value in book.spoken().items() if key not in own}
            item = {**self._item(book, event.extra, event.status or "completed"), **spoken}
            return item if self._offsets == "codepoint" else book.recited(item)
        status = event.status or "completed"
        if status == "failed" and book.kind in _OPEN_ENDED:
            status = "incomplete"
        new = self._words.item(book.kind, book.id, book.call_id, book.name, status)
        item = {**new, **self._item(book, event.extra or book.extra, status)}
        item |= {"status": status, **book.spoken(), **self._words.outcome(event.outcome, book.kind)}
        if event.signature is not None:
            item["encrypted_content"] = tag_signature(event.signature, self._wire)
        if event.extra is not None and event.extra.wire != self._wire:
            self._extend(item, snapshot.extension_of(event.extra, item, _SPOKEN), f"output[{book.index}]")
        return item

    def _extend(self, target: Json, said: Json, path: str) -> None:
        if said and self._rich:
            target[EXTENSION] = said
        elif said:
            self._encoding.losses.note(path, f"fields of {said['v']} that the dialect has no word for")

    def item(self, number: int) -> Json | None:
        """The whole item, once it has ended; None for one that is not shown."""
        return self._items[number].final

    def ride(self, riders: list[Json]) -> None:
        """Let the last item carry those that the dialect has no type for; the response does where there is none."""
        last = next((book.final for book in reversed(self._items) if book.final is not None), None)
        if last is None:
            self._left_out += riders
            self._encoding.losses.note("output", "items that the dialect has no type for, and none to carry them")
            return
        said = as_object(last.get(EXTENSION))
        last[EXTENSION] = {"v": self._vendor, **said, "after": [*as_list(said.get("after")), *riders]}

    def _leave_out(self, book: ItemBook, event: ev.ItemEnded) -> None:
        extra = event.extra or book.extra
        raw = extra.data.get("item", extra.data) if extra is not None else {"type": book.kind}
        self._encoding.losses.note(f"{self._vendor}.output[{book.number}]", f"no item type for {book.kind}")
        if self._rich:
            self._left_out.append({"at": book.number, "raw": raw})

    # -- parts -------------------------------------------------------------------------------

    def _part_started(self, event: ev.PartStarted) -> list[bytes]:
        item = self._items[event.item]
        wire = self._words.parts.get((item.kind, event.kind)) if item.index is not None else None
        media = event.media or event.kind if event.kind == MEDIA and item.index is not None else None
        book = PartBook(wire, item.take_place(wire) if wire is not None else {}, media, self._words.sound)
        item.parts.append(book)
        if wire is None or wire.opened is None:
            return []
        own = (kept_by(self._wire, event.extra) or {}).get("part", {})
        return self._emit(wire.opened, {**book.place, "part": {**book.object(), **own}})

    def _annotated(self, event: ev.Annotated) -> list[bytes]:
        item = self._items[event.item]
        part, annotation = item.parts[event.part], event.annotation
        at, part.heard = part.heard, part.heard + 1
        citable = part.wire is not None and part.wire.citable
        length = len(part.text()) if annotation.span is None else 0
        said = self._words.annotation(annotation, self._wire, self._encoding.fidelity, length) if citable else None
        if not self._rich or said is None:
            self._note_citation(event, part, at, told=said is not None)
        if said is None:
            return []
        if self._offsets != "codepoint":
            said = part.recounted(said, self._offsets)
        part.cites.append(said)
        if not self._streaming:
            return []
        number = self._sequence
        self._sequence = number + 1
        return [part.citation_frame(said, number)]

    def _note_citation(self, event: ev.Annotated, part: PartBook, at: int, told: bool) -> None:
        """Keep or report an annotation that the client cannot be told in full; `told` where it could in part."""
        kept = own_words(event.annotation)
        if kept is None and not told:
            kept = Kept(self._vendor, without_place(event.annotation))
        if kept is not None and kept.wire == self._wire:
            return
        path = f"output[{self._items[event.item].index}].content[{event.part}].annotations[{at}]"
        if kept is None:
            if event.annotation.span is None and self._words.places:
                self._encoding.losses.note(path, "the citation has no place in the text; it stands where it arrived")
            elif event.annotation.span is not None and not self._words.places:
                self._encoding.losses.note(path, "the dialect's citations have no place in the text")
        elif self._rich:
            part.held.append({"at": at, "raw": kept.data})
            part.held_wire = kept.wire
        else:
            said = f"{kept.data.get('type')} of {kept.wire}"
            self._encoding.losses.note(path, f"{said} has more than the dialect can say")

    def _part_ended(self, event: ev.PartEnded) -> list[bytes]:
        part = self._items[event.item].parts[event.part]
        wire = part.wire
        if wire is None:
            return self._media_ended(event, part)
        own = kept_by(self._wire, event.extra) or {}
        logprobs = {"logprobs": own.get("logprobs", [])} if wire.logprobs else {}
        frames = self._emit(f"{wire.stem}.done", {**part.place, wire.field: part.text(), **logprobs})
        part.final = {**part.object(), **{k: v for k, v in own.get("part", {}).items() if k != wire.field}}
        if wire.citable:
            part.final["annotations"] = part.cites
        said: Json = {"v": part.held_wire, "annotations": part.held} if part.held else {}
        if event.extra is not None and (rest := snapshot.rest_of_part(event.extra, wire.field)) and not own:
            said = {"v": event.extra.wire, **said, "rest": rest}
        if event.extra is not None and (kind := event.extra.data.get("kind")) is not None:
            said = {"v": event.extra.wire, **said, "kind": kind}
        self._extend(part.final, said, f"output[{part.place['output_index']}].content[{event.part}]")
        if wire.closed is not None:
            frames += self._emit(wire.closed, {**part.place, "part": part.final})
        return frames

    def _media_ended(self, event: ev.PartEnded, part: PartBook) -> list[bytes]:
        """Sound was heard, where the answer streams; nothing else that is no text has a place in an item."""
        if part.media is None:
            return []
        if part.head and self._streaming:
            return self._emit("response.audio.done", {})
        place = f"output[{self._items[event.item].index}].content[{event.part}]"
        self._encoding.losses.note(place, f"no content part for {part.media}")
        return []

    # -- the rest ----------------------------------------------------------------------------

    def _opaque(self, event: ev.Opaque) -> list[bytes]:
        payload = {key: value for key, value in event.payload.items() if key not in _MADE_ANEW}
        if event.item is not None and self._items[event.item].index is not None:
            book = self._items[event.item]
            payload["output_index"] = book.index
            if "item_id" in payload:
                payload["item_id"] = book.id
        told = as_text(event.payload.get("type") or event.payload.get("event_type"))
        if not self._response or not told.isprintable() or told in self._words.booked or payload.get("error"):
            # out of place here; and "error" makes clients raise whatever the type
            self._encoding.losses.note(f"{event.wire}.{told}", "something that has no place in what was announced")
            return []
        if event.wire == self._wire and (self._native or told in self._words.events):
            return self._emit(told, payload)
        self._encoding.losses.note(f"{event.wire}.{told}", "an event that the dialect has no word for")
        return self._begin() + self._emit(told, payload) if self._native else []

    _handlers: ClassVar[dict[type, Callable[[ResponsesEncoder, Any], list[bytes]]]] = {
        ev.Started: _started,
        ev.Progressed: _progressed,
        ev.ItemStarted: _item_started,
        ev.PartStarted: _part_started,
        ev.Annotated: _annotated,
        ev.PartEnded: _part_ended,
        ev.ItemEnded: _item_ended,
        ev.Ended: _ended,
        ev.Opaque: _opaque,
    }
