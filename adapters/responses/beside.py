"""What servers of the family say beside the fields that an event has: some add a bill, or a note of their own."""

from __future__ import annotations

from typing import Final

from adapters.hub import events as ev
from adapters.hub.kept import Kept
from adapters.responses.tables import PART_WIRES, PartWire
from adapters.wire_json import Json, as_text

_ALWAYS = frozenset({"type", "sequence_number"})
_OF_RESPONSES = _ALWAYS | {"response"}
_OF_ITEMS = _ALWAYS | {"output_index", "item"}
_PLACED = _ALWAYS | {"output_index", "item_id"}
_WHOLE = ("created", "queued", "in_progress", "completed", "incomplete", "failed", "done")


def _of_part(wire: PartWire) -> dict[str, frozenset[str]]:
    place = _PLACED | ({wire.index} if wire.index is not None else set[str]())
    logprobs = {"logprobs"} if wire.citable else set[str]()
    fields = {
        f"{wire.stem}.delta": place | logprobs | {"delta", "obfuscation"},
        f"{wire.stem}.done": place | logprobs | {wire.field, "name"},
    }
    return fields | {event: place | {"part"} for event in (wire.opened, wire.closed) if event is not None}


FIELDS: Final = {
    **{f"response.{phase}": _OF_RESPONSES for phase in _WHOLE},
    **dict.fromkeys(("response.output_item.added", "response.output_item.done"), _OF_ITEMS),
    **{event: fields for wire in PART_WIRES for event, fields in _of_part(wire).items()},
    "response.output_text.annotation.added": _PLACED | {"content_index", "annotation_index", "annotation"},
}
"""The fields of every event that the decoder reads, by its type."""

ANY: Final = frozenset[str]()
"""Of `error`, which comes in several forms and is kept whole."""


def keep_beside(wire: str, payload: Json, known: frozenset[str], events: list[ev.Event]) -> list[ev.Event]:
    """The events of `payload`, and what it says beside the `known` fields.

    An event of the whole response keeps it, to be said again. Anywhere else it is an event that has no place, as an
    `error` is everywhere: it makes clients raise, whatever the event.
    """
    said = {key: value for key, value in payload.items() if key not in known}
    for event in reversed(events) if "error" not in said else ():
        whole = type(event) in (ev.Started, ev.Ended) or (type(event) is ev.Progressed and event.item is None)
        if whole and isinstance(event, ev.Started | ev.Ended | ev.Progressed):
            kept = event.extra.data if event.extra is not None else {}
            event.extra = Kept(wire, {**kept, "beside": said})
            return events
    return [ev.Opaque(wire, {"type": as_text(payload.get("type")), **said}), *events]
