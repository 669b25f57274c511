"""What other vendors say in kinds that Ark lacks, told in kinds that it has, or carried by what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final

from adapters.faces.ark.items import ACTIONS, KNOWLEDGE
from adapters.faces.ark.request import NAME
from adapters.faces.ark.riders import Riders
from adapters.faces.ark.words import ITEM_TYPES
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import (
    ARGUMENTS,
    CUSTOM_CALL,
    FILE_SEARCH,
    FUNCTION_CALL,
    INPUT,
    REFUSAL,
    SUMMARY,
    TEXT,
    THOUGHT,
)
from adapters.hub.kept import Kept
from adapters.responses.tables import is_hosted
from adapters.wire_json import Json, as_object, dumps

_KINDS: Final = {FILE_SEARCH: KNOWLEDGE, CUSTOM_CALL: FUNCTION_CALL, **dict.fromkeys(ACTIONS, FUNCTION_CALL)}
"""Kinds of items that have another name here."""

_PARTS: Final = {REFUSAL: (TEXT, "refusal"), THOUGHT: (SUMMARY, "reasoning_text"), INPUT: (ARGUMENTS, "")}
"""Kinds of parts: what each is told as, and what it is in the common words."""


class ArkStage:
    """Tells a walk. `idle` while every event of it stands as it is."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._started = ev.Started(NAME, "", None)
        self._shown: list[int | None] = []  # by the walk's number, an item's own; None where it rides
        self._unfinished: set[int] = set()  # those that are shown
        self._count = 0  # of those that are shown
        self._kinds: dict[int, ev.ItemStarted] = {}
        self._extras: dict[int, Kept] = {}  # what the announcements of items kept
        self._parts: dict[tuple[int, int], str] = {}
        self._told: set[int] = set()
        self._riders: Riders | None = None
        self.idle = True

    def feed(self, event: ev.Event, /) -> list[ev.Event]:
        """What is told instead of one event."""
        tell = self._tellers.get(type(event))
        return tell(self, event) if tell is not None else self._numbered(event)

    def left(self) -> list[Json]:
        """The items that no other carries so far."""
        return self._riders.left() if self._riders is not None else []

    def _begin(self, event: ev.Started) -> list[ev.Event]:
        self._started = event
        return [event]

    def _progress(self, event: ev.Progressed) -> list[ev.Event]:
        if event.item is None:
            return [replace(event, phase="in_progress") if event.phase == "queued" else event]  # Ark has no queue
        return self._numbered(event)

    def _numbered(self, event: ev.Event) -> list[ev.Event]:
        """The event by the number that its item has among those that are shown."""
        item: int | None = getattr(event, "item", None)
        if item is None or self.idle:
            return [event]
        number = self._shown[item]
        if number is None:
            if self._riders is not None:
                self._riders.feed(event, item)
            return []
        return [event if number == item else replace(event, item=number)]  # pyright: ignore[reportCallIssue, reportArgumentType]

    # -- items -------------------------------------------------------------------------------

    def _start(self, event: ev.ItemStarted) -> list[ev.Event]:
        kind = _KINDS.get(event.kind, event.kind)
        if event.extra is not None:
            self._extras[event.item] = event.extra
        said = as_object(event.extra.data.get("item")) if event.extra is not None else {}
        rides = (kind not in ITEM_TYPES and self._started.wire != NAME) or is_hosted(said)
        self._shown.append(None if rides else self._count)
        self._count += not rides
        if not rides:
            self._unfinished.add(event.item)
        if kind == event.kind and not rides:
            return self._numbered(event)
        self.idle = False
        if rides:
            return self._ride(event)
        self._kinds[event.item] = event
        if event.kind in ACTIONS:
            event = replace(event, name=event.kind.removesuffix("_call"), action=None, extra=None)
        elif event.kind == CUSTOM_CALL:
            event = replace(event, extra=None)
        return self._numbered(replace(event, kind=kind))

    def _ride(self, event: ev.ItemStarted) -> list[ev.Event]:
        if self._encoding.fidelity == "strict":
            self._encoding.losses.note(f"{self._started.wire}.output[{event.item}]", f"no item type for {event.kind}")
            return []
        if self._riders is None:
            self._riders = Riders(self._encoding, self._started)
        return self._numbered(event)

    def _end(self, event: ev.ItemEnded) -> list[ev.Event]:
        known, events = self._kinds.get(event.item), list[ev.Event]()
        if known is not None and known.kind in ACTIONS:
            events += self._act(known, event)
        elif known is not None and known.kind == CUSTOM_CALL and event.item not in self._told:
            events += self._argue(event.item, '{"input":""}')
        said: Json = {}
        if known is not None and known.kind != FILE_SEARCH:
            said["kind"] = known.kind
        self._unfinished.discard(event.item)
        if self._riders is not None and self._shown[event.item] is not None:
            taken = self._riders.take(event.item, self._shown, self._unfinished)
            for side, riders in zip(("before", "after"), taken, strict=True):
                said |= {side: riders} if riders else {}
        if known is not None or said:
            event = replace(event, extra=self._kept(event.extra or self._extras.get(event.item), said, known))
        return events + self._numbered(event)

    def _kept(self, extra: Kept | None, said: Json, known: ev.ItemStarted | None) -> Kept | None:
        """What the vendor kept of the item, less what is told in Ark's words, and what is `said` besides."""
        data = dict(extra.data) if extra is not None else {}
        if known is not None and "item" in data and self._started.wire != NAME:
            told = {"type", ACTIONS.get(known.kind, "type")}
            data["item"] = {key: value for key, value in as_object(data["item"]).items() if key not in told}
        data |= said
        return Kept(extra.wire if extra is not None else self._started.wire, data) if data else None

    def _act(self, known: ev.ItemStarted, event: ev.ItemEnded) -> list[ev.Event]:
        """A call of a tool with a type of its own: its arguments are what it says to do."""
        item = as_object(event.extra.data.get("item")) if event.extra is not None else {}
        action = item.get(ACTIONS[known.kind]) or known.action or {}
        return self._argue(event.item, dumps(action).decode())

    def _argue(self, item: int, arguments: str) -> list[ev.Event]:
        told = [ev.PartStarted(item, 0, ARGUMENTS), ev.Delta(item, 0, arguments), ev.PartEnded(item, 0)]
        return [shown for event in told for shown in self._numbered(event)]

    # -- parts -------------------------------------------------------------------------------

    def _start_part(self, event: ev.PartStarted) -> list[ev.Event]:
        if event.kind not in _PARTS or self._shown[event.item] is None or self._started.wire == NAME:
            return self._numbered(event)
        self.idle = False
        self._parts[event.item, event.part] = event.kind
        opened = self._numbered(replace(event, kind=_PARTS[event.kind][0], extra=None))
        if event.kind == INPUT:
            self._told.add(event.item)
            opened += self._numbered(ev.Delta(event.item, event.part, '{"input":"'))
        return opened

    def _say(self, event: ev.Delta) -> list[ev.Event]:
        if self._parts and self._parts.get((event.item, event.part)) == INPUT:
            event = ev.Delta(event.item, event.part, dumps(event.text).decode()[1:-1])
        return self._numbered(event)

    def _end_part(self, event: ev.PartEnded) -> list[ev.Event]:
        kind = self._parts.get((event.item, event.part))
        if kind is None:
            return self._numbered(event)
        if kind == INPUT:
            return self._numbered(ev.Delta(event.item, event.part, '"}')) + self._numbered(replace(event, extra=None))
        said: Json = {"kind": _PARTS[kind][1]}
        return self._numbered(replace(event, extra=self._kept(event.extra, said, None)))

    # -- the end -----------------------------------------------------------------------------

    def _finish(self, event: ev.Ended) -> list[ev.Event]:
        if event.signatures is None or self.idle:
            return [event]
        shown = {self._shown[item]: signature for item, signature in event.signatures.items()}
        return [replace(event, signatures={item: sign for item, sign in shown.items() if item is not None})]

    _tellers: ClassVar[dict[type, Callable[[ArkStage, Any], list[ev.Event]]]] = {
        ev.Started: _begin,
        ev.Progressed: _progress,
        ev.ItemStarted: _start,
        ev.ItemEnded: _end,
        ev.PartStarted: _start_part,
        ev.Delta: _say,
        ev.PartEnded: _end_part,
        ev.Ended: _finish,
    }
