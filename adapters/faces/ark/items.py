"""Input items of Ark, retold in the common words: what another vendor said becomes again what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.faces.ark.citations import retell_citation
from adapters.hub.fields import Fields
from adapters.hub.items import CUSTOM_CALL, FILE_SEARCH, FUNCTION_CALL, PATCH_CALL
from adapters.responses.annotations import EXTENSION
from adapters.responses.client_tools import OWN_TOOLS
from adapters.wire_json import Json, JsonError, as_list, as_object, as_text, loads

KNOWLEDGE: Final = "knowledge_search_call"
_OUTPUT: Final = "function_call_output"
_OURS: Final = frozenset({"kind", "before", "after"})
"""What of the extension this dialect reads itself."""

ACTIONS: Final = {own.call: own.action for own in OWN_TOOLS.values()}
"""Calls of tools with types of their own, by the field that says what to do."""


@dataclass(slots=True)
class History:
    """The items in the common words, and where the client's own stand: common path to the client's."""

    items: list[Json] = field(default_factory=list[Json])
    paths: dict[str, str] = field(default_factory=dict[str, str])
    calls: dict[str, str] = field(default_factory=dict[str, str])
    """The common kinds of calls that were shown as functions, by call_id."""

    def add(self, item: Json, path: str) -> None:
        here = f"input[{len(self.items)}]"
        if here != path:
            self.paths[here] = path
        self.items.append(item)


def retell_items(items: list[Fields], wire: str) -> History:
    """The items of a conversation."""
    history = History()
    for fields in items:
        item, path = fields.raw, fields.here
        for rider, at in _riders(item, "before", path):
            history.add(rider, at)
        history.add(_retold(item, wire, history.calls), path)
        for rider, at in _riders(item, "after", path):
            history.add(rider, at)
    return history


def riders_of(item: Json) -> tuple[int, int]:
    """How many items of other vendors ride before and after this one."""
    before, after = (sum(1 for _ in _riders(item, side, "")) for side in ("before", "after"))
    return before, after


def _riders(item: Json, side: str, path: str) -> Iterator[tuple[Json, str]]:
    for number, rider in enumerate(as_list(as_object(item.get(EXTENSION)).get(side))):
        if raw := as_object(as_object(rider).get("raw")):
            yield raw, f"{path}.{EXTENSION}.{side}[{number}].raw"


def _retold(item: Json, wire: str, calls: dict[str, str]) -> Json:
    type_, extension = as_text(item.get("type")), as_object(item.get(EXTENSION))
    kind = as_text(extension.get("kind"))
    told = {key: value for key, value in item.items() if key != EXTENSION}
    if type_ == FUNCTION_CALL and kind:
        told = _call(told, kind)
        if told["type"] == kind:
            calls[as_text(item.get("call_id"))] = kind
    elif type_ == _OUTPUT and (called := calls.get(as_text(item.get("call_id")))) is not None:
        told = _OUTPUTS[called](told)
    elif type_ in _TELLERS:
        told = _TELLERS[type_](told)
    elif isinstance(item.get("content"), list) and type_ in ("", "message"):
        told["content"] = [_part(part, wire) for part in item["content"]]
    return _with_extension(told, extension)


def retell_item(item: Json, wire: str) -> Json:
    """One item that stands alone, in the common words."""
    return _retold(item, wire, {})


def _with_extension(told: Json, extension: Json) -> Json:
    rest = {key: value for key, value in extension.items() if key not in _OURS}
    return {**told, EXTENSION: rest} if rest.keys() > {"v"} else told


def _call(told: Json, kind: str) -> Json:
    """A call that was shown as a function's, as long as its arguments still say the same kind of thing."""
    try:
        said = as_object(loads(as_text(told.get("arguments"))))
    except JsonError:
        return told
    rest = {key: value for key, value in told.items() if key not in ("arguments", "name")}
    if kind == CUSTOM_CALL and isinstance(said.get("input"), str):
        return {**rest, "type": kind, "name": told.get("name"), "input": said["input"]}
    if kind in ACTIONS and said:
        return {**rest, "type": kind, ACTIONS[kind]: said}
    return told


def _answered(type_: str, tell: Callable[[Any], Json]) -> Callable[[Json], Json]:
    def answer(told: Json) -> Json:
        rest = {key: value for key, value in told.items() if key not in ("output", "type")}
        return {**rest, "type": type_, **tell(told.get("output"))}

    return answer


def _printed(output: Any) -> Json:
    """What a client's shell gave, which a function tells as one text."""
    ended: Json = {"type": "exit", "exit_code": 0}
    return {"output": [{"stdout": as_text(output), "stderr": "", "outcome": ended}]}


_OUTPUTS: Final[dict[str, Callable[[Json], Json]]] = {
    CUSTOM_CALL: _answered("custom_tool_call_output", lambda output: {"output": output}),
    OWN_TOOLS["shell"].call: _answered(OWN_TOOLS["shell"].output, _printed),
    OWN_TOOLS["local_shell"].call: _answered(OWN_TOOLS["local_shell"].output, lambda output: {"output": output}),
    PATCH_CALL: _answered(OWN_TOOLS["apply_patch"].output, lambda output: {"output": output, "status": "completed"}),
}


def _reasoning(told: Json) -> Json:
    """Thoughts that were shown as summaries are thoughts again."""
    given = as_list(told.get("summary"))
    thoughts = [part for part in given if as_object(as_object(part).get(EXTENSION)).get("kind") == "reasoning_text"]
    if not thoughts:
        return told
    content = [{"type": "reasoning_text", "text": part.get("text")} for part in thoughts]
    return {**told, "summary": [part for part in given if part not in thoughts], "content": content}


def _knowledge(told: Json) -> Json:
    rest = {key: value for key, value in told.items() if key != "knowledge_resource_id"}
    return {**rest, "type": FILE_SEARCH}


_TELLERS: Final[dict[str, Callable[[Json], Json]]] = {"reasoning": _reasoning, KNOWLEDGE: _knowledge}


def _part(part: Any, wire: str) -> Any:
    said = as_object(part)
    if said.get("type") != "output_text":
        return part
    extension, text = as_object(said.get(EXTENSION)), as_text(said.get("text"))
    told = {key: value for key, value in said.items() if key != EXTENSION}
    if extension.get("kind") == "refusal":
        rest = {key: value for key, value in told.items() if key not in ("text", "annotations")}
        return _with_extension({**rest, "type": "refusal", "refusal": said.get("text")}, extension)
    if isinstance(said.get("annotations"), list):
        told["annotations"] = [
            retell_citation(as_object(cite), wire, len(text)) if isinstance(cite, dict) else cite
            for cite in said["annotations"]
        ]
    return _with_extension(told, extension)
