"""Calls of functions that stand for a client's own tools, told in the client's terms."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from adapters.hub import events as ev
from adapters.hub.items import CUSTOM_CALL, FUNCTION_CALL, INPUT
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.responses.client_tools import OWN_TOOLS, ClientTool
from adapters.responses.free_text import FreeTextReader
from adapters.wire_json import Json, JsonError, as_object, loads

_TOLD_ANEW = frozenset({"type", "name", "arguments"})
_OF_PARTS = frozenset({ev.PartStarted, ev.Delta, ev.Annotated, ev.PartEnded})


class CallRestorer:
    """Reads a walk batch by batch. Only calls of the tools in `known` change; every other event is the same object.

    A call that is told only once it is whole holds its place: what comes after it waits.
    """

    __slots__ = ("_calls", "_known", "_line", "_losses")

    def __init__(self, known: Mapping[str, ClientTool], losses: Ledger) -> None:
        self._known = known
        self._losses = losses
        self._calls: dict[int, _Call] = {}
        self._line: deque[ev.Event | _WholeCall] = deque()

    def feed(self, events: list[ev.Event], /) -> list[ev.Event]:
        """The batch in the client's terms; empty while a call is not whole."""
        if not self._calls and not any(type(event) is ev.ItemStarted for event in events):
            return events
        for event in events:
            self._take(event)
        return self._due()

    def _take(self, event: ev.Event) -> None:
        if type(event) is ev.ItemStarted and event.kind == FUNCTION_CALL:
            tool = self._known.get(event.name)
            if tool is not None:
                self._open(event, tool)
                return
        call = self._calls.get(item) if (item := getattr(event, "item", None)) is not None else None
        if call is None:
            self._line.append(event)
            return
        self._line += call.feed(event)
        if type(event) is ev.ItemEnded:
            del self._calls[event.item]

    def _open(self, event: ev.ItemStarted, tool: ClientTool) -> None:
        if tool.kind in OWN_TOOLS:
            call = self._calls[event.item] = _WholeCall(event, tool)
            self._line.append(call)
            return
        call = self._calls[event.item] = _CustomCall(tool, self._losses) if tool.kind == "custom" else _NamedCall()
        kind = CUSTOM_CALL if tool.kind == "custom" else FUNCTION_CALL
        self._line.append(replace(event, kind=kind, name=tool.name, namespace=tool.namespace, extra=None))

    def _due(self) -> list[ev.Event]:
        """What stands in line before the first call that is not whole."""
        due: list[ev.Event] = []
        while self._line:
            head = self._line[0]
            if not isinstance(head, _WholeCall):
                due.append(head)
            elif head.opening is None:
                break
            else:
                due += head.opening
            self._line.popleft()
        return due


class _Call(Protocol):
    """One call that is told in other words than the vendor's."""

    def feed(self, event: ev.Event, /) -> list[ev.Event]: ...


class _NamedCall:
    """A call of a function that stands in a namespace."""

    def feed(self, event: ev.Event, /) -> list[ev.Event]:
        return [_ended(event) if type(event) is ev.ItemEnded else event]


class _CustomCall:
    """A call whose arguments hold one free text."""

    __slots__ = ("_losses", "_reader", "_tool")

    def __init__(self, tool: ClientTool, losses: Ledger) -> None:
        self._tool = tool
        self._losses = losses
        self._reader = FreeTextReader()

    def feed(self, event: ev.Event, /) -> list[ev.Event]:
        match event:
            case ev.PartStarted():
                return [replace(event, kind=INPUT)]
            case ev.Delta(item=item, part=part, text=piece):
                text = self._reader.feed(piece)
                return [ev.Delta(item, part, text)] if text else []
            case ev.PartEnded(item=item, part=part):
                text = self._reader.close()
                if self._reader.strays:
                    self._losses.note(f"output[{item}]", f"what the model gave '{self._tool.name}' besides its text")
                return [*([ev.Delta(item, part, text)] if text else []), ev.PartEnded(item, part)]
            case ev.ItemEnded():
                return [_ended(event)]
            case _:
                return [event]


class _WholeCall:
    """A call of a tool with types of its own, which is told once its arguments are whole.

    Arguments that do not say what to do leave it what it is for the vendor: the call of a function.
    """

    __slots__ = ("_held", "_pieces", "_started", "_tool", "opening")

    def __init__(self, event: ev.ItemStarted, tool: ClientTool) -> None:
        self._started = event
        self._tool = tool
        self._held: list[ev.Event] = [event]
        self._pieces: list[str] = []
        self.opening: list[ev.Event] | None = None
        """How the call is announced; None while it is not whole."""

    def feed(self, event: ev.Event, /) -> list[ev.Event]:
        if self.opening is None and type(event) is not ev.ItemEnded:
            self._hold(event)
            return []
        opening = self.opening or self._settle()
        if opening is self._held:
            return [event]
        if type(event) is ev.ItemEnded:
            return [_ended(event)]
        return [] if type(event) in _OF_PARTS else [event]

    def _hold(self, event: ev.Event) -> None:
        self._held.append(event)
        if type(event) is ev.Delta:
            self._pieces.append(event.text)
        elif type(event) is ev.PartEnded:
            self._settle()

    def _settle(self) -> list[ev.Event]:
        own = OWN_TOOLS[self._tool.kind]
        action = own.read(_object("".join(self._pieces)))
        self.opening = self._held
        if action is not None:
            start = replace(self._started, kind=own.call, name="", action=action, extra=None)
            self.opening = [start, *(event for event in self._held[1:] if type(event) not in _OF_PARTS)]
        return self.opening


def _object(arguments: str) -> Json:
    try:
        return as_object(loads(arguments))
    except JsonError:
        return {}


def _ended(event: ev.ItemEnded) -> ev.ItemEnded:
    """The end of a call, without the vendor's own words for what is told in the client's."""
    item = event.extra.data.get("item") if event.extra is not None else None
    if event.extra is None or not isinstance(item, dict):
        return event
    rest = {key: value for key, value in as_object(item).items() if key not in _TOLD_ANEW}
    return replace(event, extra=Kept(event.extra.wire, {**event.extra.data, "item": rest}))
