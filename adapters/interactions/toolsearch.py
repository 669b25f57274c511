"""A search for tools that the vendor runs: the call and what it found are two items."""

from __future__ import annotations

from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.items import FoundTool, ToolSearch
from adapters.interactions.steps import Step, grow
from adapters.interactions.walk import OpenItem, Walk
from adapters.wire_json import Json, as_list, as_object, as_text


class _Whole(Step):
    """A step that is told once it is whole."""

    def __init__(self, walk: Walk, step: Json, item: OpenItem) -> None:
        super().__init__(walk, step)
        self.raw = dict(step)
        self.kept = {"steps": [self.raw]}
        self.item = item

    def feed(self, delta: Json) -> bool:
        if delta.get("type", self.type) not in (self.type, "thought_signature"):
            return False
        grow(self.raw, delta)
        return True

    def end(self, status: ev.ItemStatus) -> None:
        if self.item is not None and not self.item.closed:
            self.item.close(status, outcome=self.outcome(), kept=self.kept)

    def outcome(self) -> ToolSearch:
        """What is known of the search."""
        raise NotImplementedError


class ToolSearchCall(_Whole):
    """The call, with the names that it looks for."""

    def __init__(self, walk: Walk, step: Json) -> None:
        id_ = as_text(step.get("id"))
        super().__init__(walk, step, walk.open(kind.TOOL_SEARCH, id_, call_id=id_))

    def outcome(self) -> ToolSearch:
        return ToolSearch(arguments=as_object(self.raw.get("arguments")))


class FoundTools(_Whole):
    """The functions that were found."""

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step, walk.open(kind.FOUND_TOOLS, call_id=as_text(step.get("call_id"))))

    def outcome(self) -> ToolSearch:
        return ToolSearch(tools=[_function(as_object(raw)) for raw in as_list(self.raw.get("result"))])


def _function(raw: Json) -> FoundTool:
    parameters = raw.get("parameters")
    described = as_text(raw.get("description")) or None
    return FoundTool(as_text(raw.get("name")), described, as_object(parameters) if parameters is not None else None)
