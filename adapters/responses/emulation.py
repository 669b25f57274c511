"""Tools that only the client's dialect has: the request told with functions instead, its answer's calls told back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from adapters.hub.adapter import Emulation
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.fields import Fields, missing
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    FunctionTool,
    Item,
    OpaqueItem,
    OpaqueTool,
    Request,
    TextPart,
    Tool,
    ToolChoice,
)
from adapters.responses.annotations import EXTENSION
from adapters.responses.client_calls import CallRestorer
from adapters.responses.client_tools import (
    OWN_TOOLS,
    ClientTool,
    Told,
    flat_name,
    tell_custom,
    tell_namespace,
    tell_own,
)
from adapters.responses.free_text import wrap_text
from adapters.wire_json import Json, as_list, as_object, as_text, dumps

_TELL: Final[dict[str, Callable[[Fields, Ledger], list[Told]]]] = {
    "custom": tell_custom,
    "namespace": tell_namespace,
    **dict.fromkeys(OWN_TOOLS, tell_own),
}

CLIENT_TOOLS: Final = frozenset({"function", *_TELL})
"""The kinds of tools of the dialect that the client runs."""

_CALLS = {own.call: kind for kind, own in OWN_TOOLS.items()}
_SAID_OF_CALLS = frozenset({"type", "id", "call_id", "status", "environment", EXTENSION})
_OUTPUTS = {own.output: kind for kind, own in OWN_TOOLS.items()}


def emulate(request: Request, spoken: frozenset[str], losses: Ledger) -> Emulation | None:
    """The request for a vendor that has only the kinds of tools in `spoken`; None where it can stay as it is.

    Raises `BadRequest` for what is malformed, and `Unsupported` where two tools would have one name.
    """
    foreign = CLIENT_TOOLS - spoken
    if not foreign or not _is_needed(request, foreign):
        return None
    tools, known = _tell_tools(request.tools, foreign, losses)
    history = _History(foreign, list(request.unread))
    emulated = replace(
        request,
        tools=tools,
        items=[history.tell(item, f"input[{number}]") for number, item in enumerate(request.items)],
        tool_choice=_tell_choice(request.tool_choice, known, foreign | {"function"}),
        unread=history.unread,
    )
    changed = {name: tool for name, tool in known.items() if tool != ClientTool("function", name)}
    return Emulation(emulated, CallRestorer(changed, losses))


def _is_needed(request: Request, foreign: frozenset[str]) -> bool:
    if any(type(tool) is OpaqueTool and tool.kind in foreign for tool in request.tools):
        return True
    return any(not foreign.isdisjoint(_kinds(item)) for item in request.items)


def _kinds(item: Item) -> tuple[str, ...]:
    """The kinds of tools that an item speaks of."""
    if type(item) is FunctionCall:
        custom = ("custom",) if item.custom else ()
        return (*custom, "namespace") if item.namespace else custom
    if type(item) is FunctionOutput:
        return ("custom",) if item.custom else ()
    if type(item) is OpaqueItem:
        return (_CALLS.get(item.kind) or _OUTPUTS.get(item.kind) or "",)
    return ()


# -- tools -------------------------------------------------------------------------------------


def _tell_tools(tools: list[Tool], foreign: frozenset[str], losses: Ledger) -> tuple[list[Tool], dict[str, ClientTool]]:
    """The tools, with functions for those that the vendor has not, and what each function's name means."""
    told: list[Tool] = []
    known: dict[str, ClientTool] = {}
    for tool in tools:
        if isinstance(tool, OpaqueTool) and tool.kind in foreign:
            fields = Fields(tool.source.data, tool.source.wire, tool.path)
            pairs = _TELL[tool.kind](fields, losses)
        elif isinstance(tool, FunctionTool):
            pairs = [(tool, ClientTool("function", tool.name))]
        else:
            told.append(tool)
            continue
        for function, meant in pairs:
            if known.get(function.name, meant) != meant:
                raise Unsupported(
                    f"Two tools would be the function '{function.name}' at this vendor, which knows functions only.",
                    param=function.path,
                )
            known[function.name] = meant
            told.append(function)
    return told, known


def _tell_choice(choice: ToolChoice | None, known: dict[str, ClientTool], kinds: frozenset[str]) -> ToolChoice | None:
    """The choice among functions. Raises `BadRequest` where one of the `kinds` is not declared."""
    if choice is None or choice.source is None:
        return choice
    said = choice.source.data
    listed = said.get("type") == "allowed_tools"
    allowed: list[Json] = []
    for entry in map(as_object, as_list(said.get("tools")) if listed else [said]):
        if as_text(entry.get("type")) in kinds:
            allowed += [{"type": "function", "name": name} for name in _named(entry, known)]
        else:
            allowed.append(entry)
    names = [entry["name"] for entry in allowed if entry.get("type") == "function"]
    if not listed and not names:
        return choice
    alone = not listed and len(names) == 1
    told = allowed[0] if alone else {"type": "allowed_tools", "mode": choice.mode, "tools": allowed}
    return ToolChoice(choice.mode, names, Kept(choice.source.wire, told))


def _named(entry: Json, known: dict[str, ClientTool]) -> list[str]:
    """The functions that an entry of a choice means: the tool itself, or all that a namespace holds."""
    kind, name, namespace = entry.get("type"), entry.get("name"), entry.get("namespace")
    if kind == "namespace":
        found = [flat for flat, tool in known.items() if tool.namespace == name]
    else:
        alike = [(flat, tool) for flat, tool in known.items() if tool.kind == kind and tool.name == (name or kind)]
        exact = [flat for flat, tool in alike if tool.namespace == (namespace or "")]
        found = exact or [flat for flat, _ in alike if namespace is None]
    if not found:
        raise BadRequest(f"Tool choice '{name or kind}' not found in 'tools'.", param="tool_choice")
    return found


# -- the conversation so far -------------------------------------------------------------------


class _History:
    """Tells items one after the other: some answers name their call in another way than others do.

    `unread` are the paths of fields that have no place in what is told.
    """

    def __init__(self, foreign: frozenset[str], unread: list[str]) -> None:
        self._foreign = foreign
        self.unread = unread
        self._call_ids: dict[str, str] = {}  # of calls, by their item's id

    def tell(self, item: Item, path: str) -> Item:
        """The item as a function's call or answer, where it is one of another tool's."""
        if self._foreign.isdisjoint(_kinds(item)):
            return item
        match item:
            case FunctionCall():
                return self._tell_call(item)
            case FunctionOutput():
                return replace(item, custom=False)
            case OpaqueItem():
                fields = Fields(item.source.data, item.source.wire, path, self.unread)
                tell = self._tell_own_call if item.kind in _CALLS else self._tell_answer
                return tell(item, fields)
            case _:
                return item

    def _tell_call(self, item: FunctionCall) -> FunctionCall:
        call = replace(item)
        if "namespace" in self._foreign:
            call.name, call.namespace = flat_name(item.namespace, item.name), ""
        if item.custom and "custom" in self._foreign:
            call.custom, call.arguments = False, wrap_text(item.arguments)
        return call

    def _tell_own_call(self, item: OpaqueItem, fields: Fields) -> FunctionCall:
        kind = _CALLS[item.kind]
        own, call_id = OWN_TOOLS[kind], fields.needed_text("call_id")
        action = fields.object(own.action)
        if action is None:
            raise missing(fields.path(own.action))
        if item.id is not None:
            self._call_ids[item.id] = call_id
        fields.leave(_SAID_OF_CALLS | {own.action})
        said = {key: value for key, value in action.items() if value is not None and key not in own.unsaid}
        return FunctionCall(call_id, kind, dumps(said).decode(), id=item.id, source=item.source, extra=item.extra)

    def _tell_answer(self, item: OpaqueItem, fields: Fields) -> FunctionOutput:
        # "The unique ID of the local shell tool call generated by the model": that answer names its call by its own id
        by_id = item.kind == OWN_TOOLS["local_shell"].output and fields.raw.get("call_id") is None
        named = fields.needed_text("id" if by_id else "call_id")
        call_id = self._call_ids.get(named, named) if by_id else named
        text = OWN_TOOLS[_OUTPUTS[item.kind]].answer(fields)
        fields.leave(_SAID_OF_CALLS | {"output", "max_output_length"})
        return FunctionOutput(call_id, [TextPart(text)], id=item.id, source=item.source, extra=item.extra)
