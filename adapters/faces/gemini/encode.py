"""A walk, written as the event stream and the interaction of a client that speaks Gemini Interactions.

Steps are told one after the other, without gaps. An item that begins while another is written waits for its turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from adapters.faces.gemini import interaction
from adapters.faces.gemini.books import ItemBook
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.riders import Riders
from adapters.faces.gemini.spoken import SPOKEN, Spoken
from adapters.faces.gemini.tellers import Teller
from adapters.faces.gemini.whole import ACTIONS
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import CUSTOM_CALL, FUNCTION_CALL
from adapters.hub.tags import tag_id, tag_new_id, tag_signature
from adapters.responses.annotations import EXTENSION
from adapters.sse import frame
from adapters.wire_json import Json, as_text, dumps_any

_CLIENT_CALLS: Final = ACTIONS | {FUNCTION_CALL, CUSTOM_CALL}
_PREFIX: Final = "int_"


class InteractionsEncoder:
    """Writes one answer."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._rich = encoding.fidelity != "strict"
        self._writer = Writer(encoding.request.stream)
        self._riders = Riders(encoding)
        self._teller = Teller(encoding, self._writer, self._riders)
        self._spoken = Spoken(self._teller)
        self._items: list[ItemBook] = []
        self._turn = 0  # the item that is being written
        self._phases: set[str] = set()
        self._interaction: Json = {}

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if type(event) is ev.Delta:
            book = self._items[event.item]
            return self._spoken.delta(book, event) if book.held is None else book.hold(event)
        return self._handlers[type(event)](self, event)

    def close(self) -> list[bytes]:
        """The dialect's end mark."""
        return [frame(b"done", b"[DONE]")] if self._writer.streaming else []

    def body(self) -> bytes:
        """The interaction with its steps, once the walk has ended."""
        return dumps_any({**self._interaction, "steps": self._writer.steps})

    # -- the interaction -----------------------------------------------------------------------

    def _started(self, event: ev.Started) -> list[bytes]:
        self._teller.vendor = event.wire
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
        if self._phases & {event.phase, "in_progress"} or self._items:
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
        self._sign_late(event)
        self._teller.late |= self._riders.leave(self._writer.steps)
        calls = any(book.started.kind in _CLIENT_CALLS for book in self._items)
        final = {**self._interaction, "updated": interaction.updated(event, NAME, self._encoding)}
        final |= interaction.ended(event, NAME, calls)
        said = interaction.said_of_response(event, self._encoding.request, NAME) | self._riders.homeless()
        if said and not self._rich:
            self._teller.lose("interaction")
        losses = [{"path": loss.path, "reason": loss.reason} for loss in self._encoding.losses.losses]
        said |= {"losses": losses} if losses else {}
        self._interaction = {**final, EXTENSION: said} if said and self._rich else final
        if event.error is not None:
            frames += self._writer.emit("error", {"error": final["errors"][0]})
        steps: Json = {"steps": self._writer.steps} if self._teller.late else {}
        return frames + self._writer.emit("interaction.completed", {"interaction": {**self._interaction, **steps}})

    def _sign_late(self, event: ev.Ended) -> None:
        for number, signature in (event.signatures or {}).items():
            index = self._items[number].index
            step = self._writer.steps[index] if index >= 0 else {}
            if step.get("type") == "thought" and not step.get("signature"):
                step["signature"] = tag_signature(signature, NAME)
                self._teller.late = True

    # -- taking turns --------------------------------------------------------------------------

    def _item_started(self, event: ev.ItemStarted) -> list[bytes]:
        frames = self._begin()
        waits = self._turn < len(self._items)
        book = ItemBook(event, [] if waits else None)
        book.call_id = event.call_id or (self._encoding.mint.id("call_") if event.kind in _CLIENT_CALLS else "")
        self._items.append(book)
        return frames if waits else frames + self._open(book)

    def _open(self, book: ItemBook) -> list[bytes]:
        return self._spoken.open(book) if book.started.kind in SPOKEN else self._teller.open(book)

    def _of_item(self, event: Any) -> list[bytes]:
        number: int = event.item
        book = self._items[number]
        if book.held is not None:
            return book.hold(event)
        frames = self._tell(book, event)
        while book.ended and self._turn < len(self._items):
            book = self._items[self._turn]
            frames += self._catch_up(book)
        return frames

    def _tell(self, book: ItemBook, event: Any) -> list[bytes]:
        spoken = book.started.kind in SPOKEN
        if type(event) is ev.ItemEnded:
            book.ended = True
            self._turn += 1
            return self._spoken.close(book, event) if spoken else self._teller.close(book, event)
        return self._spoken.parts[type(event)](self._spoken, book, event)

    def _catch_up(self, book: ItemBook) -> list[bytes]:
        """It is an item's turn: what was held of it."""
        held, book.held = book.held or [], None
        frames = self._open(book)
        for event in held:
            frames += self._spoken.delta(book, event) if type(event) is ev.Delta else self._tell(book, event)
        return frames

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
