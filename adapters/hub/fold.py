"""The fold: a walk of events back to the tree it walked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from adapters.hub import events as ev
from adapters.hub.annotations import Annotation
from adapters.hub.errors import UpstreamError
from adapters.hub.items import MEDIA, Outcome, Signature


@dataclass(slots=True)
class PartTree:
    """One part: its whole text and what it cites."""

    kind: str
    text: str = ""
    annotations: list[Annotation] = field(default_factory=list[Annotation])


@dataclass(slots=True)
class ItemTree:
    """One item with its parts in order. `status` is None while it is open."""

    kind: str
    id: str
    call_id: str
    name: str
    parts: list[PartTree] = field(default_factory=list[PartTree])
    status: ev.ItemStatus | None = None
    signature: Signature | None = None
    outcome: Outcome | None = None


@dataclass(slots=True)
class ResponseTree:
    """A whole response. `status` is None until it ended."""

    wire: str = ""
    id: str = ""
    model: str | None = None
    items: list[ItemTree] = field(default_factory=list[ItemTree])
    status: ev.Status | None = None
    finish: ev.Finish | None = None
    usage: ev.Usage | None = None
    error: UpstreamError | None = None

    @property
    def text(self) -> str:
        """The text of all messages, as a reader sees it."""
        return "".join(p.text for i in self.items if i.kind == "message" for p in i.parts if p.kind != MEDIA)


def fold(events: Iterable[ev.Event]) -> ResponseTree:
    """Build the tree of a legal walk (see `grammar.py`)."""
    tree = ResponseTree()
    for event in events:
        step = _STEPS.get(type(event))
        if step is not None:
            step(tree, event)
    return tree


def _started(tree: ResponseTree, event: ev.Started) -> None:
    tree.wire, tree.id, tree.model = event.wire, event.id, event.model


def _item_started(tree: ResponseTree, event: ev.ItemStarted) -> None:
    tree.items.append(ItemTree(event.kind, event.id, event.call_id, event.name))


def _part_started(tree: ResponseTree, event: ev.PartStarted) -> None:
    tree.items[event.item].parts.append(PartTree(event.kind))


def _delta(tree: ResponseTree, event: ev.Delta) -> None:
    tree.items[event.item].parts[event.part].text += event.text


def _annotated(tree: ResponseTree, event: ev.Annotated) -> None:
    tree.items[event.item].parts[event.part].annotations.append(event.annotation)


def _part_ended(tree: ResponseTree, event: ev.PartEnded) -> None:
    part = tree.items[event.item].parts[event.part]
    if event.text is not None and event.text.startswith(part.text):
        part.text = event.text


def _item_ended(tree: ResponseTree, event: ev.ItemEnded) -> None:
    item = tree.items[event.item]
    item.status, item.signature, item.outcome = event.status, event.signature, event.outcome


def _ended(tree: ResponseTree, event: ev.Ended) -> None:
    tree.status, tree.finish, tree.usage, tree.error = event.status, event.finish, event.usage, event.error
    for number, signature in (event.signatures or {}).items():
        tree.items[number].signature = signature


_STEPS: dict[type, Callable[[ResponseTree, Any], None]] = {
    ev.Started: _started,
    ev.ItemStarted: _item_started,
    ev.PartStarted: _part_started,
    ev.Delta: _delta,
    ev.Annotated: _annotated,
    ev.PartEnded: _part_ended,
    ev.ItemEnded: _item_ended,
    ev.Ended: _ended,
}
