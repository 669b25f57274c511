"""A walk, written as the event stream and the interaction of a client that speaks Gemini Interactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from adapters.faces.gemini import interaction
from adapters.faces.gemini.marking import Marker
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.turns import Turns
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.tags import tag_id, tag_new_id
from adapters.responses.annotations import EXTENSION
from adapters.sse import frame
from adapters.wire_json import Json, as_text, dumps_any

_PREFIX: Final = "int_"


class InteractionsEncoder:
    """Writes one answer."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._rich = encoding.fidelity != "strict"
        self._writer = Writer(encoding.request.stream)
        self._marker = Marker(encoding)
        self._items = Turns(encoding, self._writer, self._marker)
        self._phases: set[str] = set()
        self._interaction: Json = {}

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if type(event) is ev.Delta:
            return self._items.delta(event)
        return self._handlers[type(event)](self, event)

    def close(self) -> list[bytes]:
        """The dialect's end mark."""
        return [frame(b"done", b"[DONE]")] if self._writer.streaming else []

    def body(self) -> bytes:
        """The interaction with its steps, once the walk has ended."""
        return dumps_any({**self._interaction, "steps": self._writer.steps})

    # -- the interaction -----------------------------------------------------------------------

    def _started(self, event: ev.Started) -> list[bytes]:
        self._marker.vendor = event.wire
        own = event.wire == NAME
        shown = event.id if own else tag_id(_PREFIX, event.wire, event.id)
        if not event.id:  # it is not stored, so nothing can go on from it
            shown = tag_new_id(_PREFIX, event.wire, self._encoding.mint.id(""))
        self._writer.name(shown)
        self._interaction = interaction.begun(shown, event, self._encoding)
        return self._writer.emit("interaction.created", {"interaction": self._interaction})

    def _progressed(self, event: ev.Progressed) -> list[bytes]:
        """Where an item stands has no word in this dialect."""
        if event.item is not None or event.phase not in ("queued", "in_progress"):
            return []
        if self._phases & {event.phase, "in_progress"} or self._items.begun:
            return []
        self._phases.add(event.phase)
        told = {"interaction_id": self._interaction["id"], "status": event.phase}
        return self._writer.emit("interaction.status_update", told)

    def _begin(self) -> list[bytes]:
        """What every stream says before its first step, should the vendor not have said it."""
        frames = [] if self._interaction else self._started(ev.Started(NAME, "", None))
        return frames + self._progressed(ev.Progressed(None, "in_progress"))

    def _ended(self, event: ev.Ended) -> list[bytes]:
        frames = self._begin()
        self._items.sign(event.signatures or {})
        self._writer.late |= self._marker.riders.leave(self._writer.steps)
        final = {**self._interaction, "updated": interaction.updated(event, self._encoding)}
        final |= interaction.ended(event, self._items.asks)
        said = interaction.said_of_response(event, self._encoding.request) | self._marker.riders.homeless()
        if said and not self._rich:
            self._marker.lose("interaction")
        losses = self._encoding.losses.told()
        said |= {"losses": losses} if losses else {}
        self._interaction = {**final, EXTENSION: said} if said and self._rich else final
        if event.error is not None:
            frames += self._writer.emit("error", {"error": final["errors"][0]})
        steps: Json = {"steps": self._writer.steps} if self._writer.late else {}
        return frames + self._writer.emit("interaction.completed", {"interaction": {**self._interaction, **steps}})

    # -- its items -----------------------------------------------------------------------------

    def _item_started(self, event: ev.ItemStarted) -> list[bytes]:
        return self._begin() + self._items.start(event)

    def _of_item(self, event: Any) -> list[bytes]:
        return self._items.feed(event)

    # -- the rest ------------------------------------------------------------------------------

    def _opaque(self, event: ev.Opaque) -> list[bytes]:
        told = as_text(event.payload.get("event_type") or event.payload.get("type"))
        if event.wire != NAME or told != "step.start":  # a silent step of the dialect's own rides with an item
            self._encoding.losses.note(f"{event.wire}.{told}", "an event that the dialect has no word for")
        return []

    def _told(self, _: ev.Told) -> list[bytes]:
        """The wire's own events are the repeater's affair."""
        return []

    _handlers: ClassVar[dict[type, Callable[[InteractionsEncoder, Any], list[bytes]]]] = {
        ev.Started: _started,
        ev.Progressed: _progressed,
        ev.ItemStarted: _item_started,
        ev.PartStarted: _of_item,
        ev.Annotated: _of_item,
        ev.PartEnded: _of_item,
        ev.ItemEnded: _of_item,
        ev.Ended: _ended,
        ev.Opaque: _opaque,
        ev.Told: _told,
    }
