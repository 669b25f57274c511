"""Tools, and the choice among them, in Gemini's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.gemini.coverage import CHOICES, RULES, TOOL_FIELDS, TOOLS, UNKNOWN
from adapters.gemini.hosted import HOSTED, encode_web_search
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool, OpaqueTool, Request, Tool, ToolChoice, WebSearchTool
from adapters.interactions.schema import encode_schema
from adapters.wire_json import Json, as_list, as_object

_MODES: Final = {"auto": "auto", "none": "none", "required": "any"}
_ALONE: Final = None
"""The choice that is sent where only hosted tools are left. The older API refuses `any` without functions."""

_IMAGES: Final = "image_generation"
_SEARCH: Final = "web_search"


@dataclass(slots=True)
class ToolWords:
    """What the tools make of a body: the tools themselves, the choice among them, and the form of images."""

    tools: list[Json] = field(default_factory=list[Json])
    choice: Any = None
    image: Json | None = None
    only_images: bool = False


def encode_tools(request: Request, losses: Ledger) -> ToolWords:
    """The tools that may be used. Raises `BadRequest`, or `Unsupported` for a tool that Gemini has not."""
    if request.parallel_tools is False:
        losses.note("parallel_tool_calls", "Gemini decides itself whether calls are parallel")
    words = ToolWords()
    entries = _entries(request.tool_choice)
    for entry in entries or ():
        RULES.heed(CHOICES.get(_kind(entry), UNKNOWN), _kind(entry), "tool_choice", losses)
    for tool in request.tools:
        if not _is_chosen(tool, request.tool_choice, entries):
            continue
        encoded = _TOOLS[type(tool)](tool, request, losses)
        if isinstance(tool, OpaqueTool) and tool.kind == _IMAGES:
            words.image = encoded
        else:
            words.tools.append(_narrow(tool, encoded, entries))
    if entries is not None and not words.tools and words.image is None:
        raise BadRequest("What 'tool_choice' names is not in 'tools'.", param="tool_choice")
    if words.tools:
        words.choice = _choice(request, entries, losses)
    words.only_images = entries is not None and words.image is not None and not words.tools
    return words


# -- the choice --------------------------------------------------------------------------------


def _entries(choice: ToolChoice | None) -> list[Json] | None:
    """The tools that a choice names, as the client names them; None where it names none."""
    if choice is None or (choice.source is None and choice.names is None):
        return None
    if choice.source is None:
        return [{"type": "function", "name": name} for name in choice.names or ()]
    said = choice.source.data
    return [as_object(entry) for entry in as_list(said.get("tools"))] if said.get("type") == "allowed_tools" else [said]


def _kind(entry: Json) -> str:
    return str(entry.get("type"))


def _is_chosen(tool: Tool, choice: ToolChoice | None, entries: list[Json] | None) -> bool:
    """Functions are held to by name; a hosted tool is sent or left out."""
    if entries is None:
        return isinstance(tool, FunctionTool) or choice is None or choice.mode != "none"
    return any(_means(entry, tool) for entry in entries)


def _means(entry: Json, tool: Tool) -> bool:
    kind = _kind(entry)
    if isinstance(tool, FunctionTool):
        return kind == "function"
    if isinstance(tool, WebSearchTool):
        return kind.startswith(_SEARCH)
    label = entry.get("server_label")
    return kind == tool.kind and (label is None or label == tool.source.data.get("server_label"))


def _narrow(tool: Tool, encoded: Json, entries: list[Json] | None) -> Json:
    """An MCP server with those of its tools that the choice names, where it names any."""
    if entries is None or not isinstance(tool, OpaqueTool) or tool.kind != "mcp":
        return encoded
    names = [entry.get("name") for entry in entries if _means(entry, tool)]
    return encoded if None in names else {**encoded, "allowed_tools": [{"tools": names}]}


def _choice(request: Request, entries: list[Json] | None, losses: Ledger) -> Any:
    """`validated` is Gemini's auto that holds calls to their schema, as strict functions want it."""
    mode = request.tool_choice.mode if request.tool_choice is not None else None
    strict = any(tool.strict for tool in _functions(request))
    told = "validated" if strict and mode in (None, "auto") else _MODES[mode] if mode is not None else None
    if entries is None:
        return told
    names = [entry.get("name") for entry in entries if _kind(entry) == "function"]
    if unknown := [name for name in names if not any(name == tool.name for tool in _functions(request))]:
        raise BadRequest(f"Tool choice '{unknown[0]}' not found in 'tools'.", param="tool_choice")
    if names:
        return {"allowed_tools": {"mode": told, "tools": names}}
    if mode == "required":
        losses.note("tool_choice", CHOICES[_kind(entries[0])].reason)
    return _ALONE


def _functions(request: Request) -> list[FunctionTool]:
    return [tool for tool in request.tools if isinstance(tool, FunctionTool)]


# -- the tools ---------------------------------------------------------------------------------


def encode_function(tool: FunctionTool, losses: Ledger) -> Json:
    """A function that the client runs."""
    said = tool.source.data if tool.source is not None else {}
    RULES.follow(TOOL_FIELDS["function"], said, tool.path, losses)
    told: Json = {"type": "function", "name": tool.name}
    if tool.description is not None:
        told["description"] = tool.description
    if tool.parameters is not None:
        told["parameters"] = encode_schema(tool.parameters, losses, f"{tool.path}.parameters")
    return {**told, "defer_loading": True} if said.get("defer_loading") is True else told


def _opaque(tool: OpaqueTool, request: Request, losses: Ledger) -> Json:
    RULES.heed(TOOLS.get(tool.kind, UNKNOWN), tool.kind, tool.path, losses)
    encode = HOSTED.get(tool.kind)
    if encode is None:
        raise Unsupported(f"Gemini cannot be given the tool '{tool.kind}'.", param=tool.path)
    return encode(tool, request, losses)


_TOOLS: dict[type, Callable[[Any, Request, Ledger], Json]] = {
    FunctionTool: lambda tool, _, losses: encode_function(tool, losses),
    WebSearchTool: lambda tool, _, losses: encode_web_search(tool, losses),
    OpaqueTool: _opaque,
}
