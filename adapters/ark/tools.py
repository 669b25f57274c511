"""Tools, and the choice among them, in Ark's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from adapters.ark.coverage import CHOICES, RULES, TOOL_FIELDS, TOOLS, UNKNOWN
from adapters.hub.coverage import EXACT, Rule, rejected
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.fields import Fields
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool, OpaqueTool, Request, ToolChoice, WebSearchTool
from adapters.responses.request import file_stores, found_tools
from adapters.wire_json import Json, as_list, as_object, as_text

_NO_PARAMETERS: Final[Json] = {"type": "object", "properties": {}}
_SEARCH: Final = "web_search"
_KNOWLEDGE: Final = "knowledge_search"

SEARCH_LIMIT: Final = {"low": 5, "medium": 10, "high": 20}
"""`search_context_size` as a number of results; Ark's default is 10."""


def encode_tools(request: Request, losses: Ledger) -> Json:
    """The tools that may be used, and the choice. Raises `Unsupported` for a tool or a choice that Ark has not."""
    declared = [*request.tools, *found_tools(request, losses)]
    tools = [told for tool in declared for told in _TOOLS[type(tool)](tool, request, losses)]
    choice = request.tool_choice
    allowed = _allowed(choice)
    if choice is not None and allowed is not None and not _is_forced(choice, allowed):
        # Ark chooses among all tools it is given, so it is given only those that are allowed
        tools = [tool for tool in tools if _is_meant(tool, allowed)]
        if not tools and choice.mode == "required":
            raise BadRequest("What 'tool_choice' allows is not in 'tools'.", param="tool_choice")
    body: Json = {"tools": tools} if tools else {}
    return {**body, "tool_choice": _choice(choice, allowed, tools, losses)} if choice is not None else body


# -- the choice --------------------------------------------------------------------------------


def _allowed(choice: ToolChoice | None) -> list[Json] | None:
    """The tools that may be chosen; None where all may."""
    if choice is None or choice.names is None:
        return None
    if choice.source is None or "tools" not in choice.source.data:
        return [{"type": "function", "name": name} for name in choice.names]
    return [as_object(entry) for entry in as_list(choice.source.data["tools"])]


def _kind(tool: Json) -> str:
    """Ark's type of a tool that a client names."""
    type_ = as_text(tool.get("type"))
    return _SEARCH if type_.startswith(_SEARCH) else _KNOWLEDGE if type_ == "file_search" else type_


def _is_meant(tool: Json, allowed: list[Json]) -> bool:
    names = (tool.get("name"), tool.get("server_label"))
    return any(
        _kind(entry) == tool["type"] and (entry.get("name") or entry.get("server_label")) in (*names, None)
        for entry in allowed
    )


def _is_forced(choice: ToolChoice, allowed: list[Json]) -> bool:
    """Whether one function, and nothing else, is to be called."""
    return choice.mode == "required" and len(allowed) == 1 and allowed[0].get("type") == "function"


def _choice(choice: ToolChoice, allowed: list[Json] | None, tools: list[Json], losses: Ledger) -> Any:
    if allowed is not None:
        forced = _is_forced(choice, allowed)
        return {"type": "function", "name": allowed[0].get("name")} if forced else choice.mode
    if choice.source is None:
        return choice.mode
    said = choice.source.data
    rule = CHOICES.get(as_text(said.get("type")), UNKNOWN)
    if said.get("type") == "file_search" and not any(tool["type"] == _KNOWLEDGE for tool in tools):
        rule = rejected("no such tool is declared")
    RULES.heed(rule, str(said.get("type")), "tool_choice.type", losses)
    named = {key: said[key] for key in ("server_label", "name") if said.get(key) is not None}
    return {"type": _kind(said), **named}


# -- the tools ---------------------------------------------------------------------------------


def _function(tool: FunctionTool, _: Request, losses: Ledger) -> list[Json]:
    RULES.follow(TOOL_FIELDS["function"], tool.source.data if tool.source is not None else {}, tool.path, losses)
    said: Json = {"type": "function", "name": tool.name, "parameters": tool.parameters or _NO_PARAMETERS}
    return [{**said, "description": tool.description} if tool.description is not None else said]


def _web_search(tool: WebSearchTool, _: Request, losses: Ledger) -> list[Json]:
    said = tool.source.data if tool.source is not None else {}
    RULES.follow(TOOL_FIELDS[_SEARCH], said, tool.path, losses)
    body: Json = {"type": _SEARCH}
    if tool.context_size in SEARCH_LIMIT:
        body["limit"] = SEARCH_LIMIT[tool.context_size]
    elif tool.context_size is not None:
        losses.note(f"{tool.path}.search_context_size", RULES.unknown.reason)
    body |= {field: said[field] for field in ("limit", "sources", "max_keyword") if said.get(field) is not None}
    location = as_object(said.get("user_location"))
    # "timezone": a number of hours in Ark's SDK, the name of a zone in the client's dialect
    hours = {key: value for key, value in location.items() if key == "timezone" and not isinstance(value, str)}
    named = {key: value for key, value in location.items() if key not in hours}
    rows = TOOL_FIELDS["user_location"]
    RULES.follow(rows, named, f"{tool.path}.user_location", losses)
    if told := {key: value for key, value in (_taken(rows, named) | hours).items() if value is not None}:
        body["user_location"] = told
    return [body]


def _taken(rows: dict[str, Rule] | Any, said: Json) -> Json:
    """The fields that Ark has under the same name."""
    return {key: value for key, value in said.items() if rows.get(key) is EXACT and value is not None}


def _opaque(tool: OpaqueTool, request: Request, losses: Ledger) -> list[Json]:
    rule = TOOLS.get(tool.kind, UNKNOWN)
    RULES.heed(rule, tool.kind, f"{tool.path}.type", losses)
    encode = _HOSTED.get(tool.kind)
    if rule.verdict == "dropped":
        return []
    if encode is None:
        raise Unsupported(f"Ark cannot be given the tool '{tool.kind}'.", param=f"{tool.path}.type")
    fields = Fields(tool.source.data, tool.source.wire, tool.path)
    RULES.follow(TOOL_FIELDS[tool.kind], fields.raw, tool.path, losses)
    return encode(fields, request, losses)


def _own(fields: Fields, _: Request, __: Ledger) -> list[Json]:
    """A tool that Ark has under the same name."""
    return [_taken(TOOL_FIELDS[fields.needed_text("type")], fields.raw)]


def _file_search(fields: Fields, request: Request, _: Ledger) -> list[Json]:
    """A search of each knowledge base: Ark's tool has one."""
    count = fields.integer("max_num_results")
    limit = {} if count is None else {"limit": count}
    return [
        {"type": _KNOWLEDGE, "knowledge_resource_id": name, **limit} for name in file_stores(fields, request, "Ark")
    ]


def _mcp(fields: Fields, _: Request, losses: Ledger) -> list[Json]:
    body = _taken(TOOL_FIELDS["mcp"], fields.raw)
    if (token := fields.text("authorization")) is not None:
        # "authorization": a token that goes to the server as its bearer
        body["headers"] = {**as_object(fields.raw.get("headers")), "Authorization": f"Bearer {token}"}
    allowed, approval = fields.raw.get("allowed_tools"), fields.raw.get("require_approval")
    if isinstance(allowed, dict):
        allowed = _by_name(cast(Json, allowed), fields.path("allowed_tools"), losses)
    if isinstance(approval, dict):
        rules = cast(Json, approval)
        told = {
            when: _by_name(as_object(which), fields.path(f"require_approval.{when}"), losses)
            for when, which in rules.items()
        }
        # a rule that names no tool would be none: then Ark asks for each, as it does by itself
        approval = told if all(told.values()) else "always"
    settings = {"allowed_tools": allowed, "require_approval": approval}
    return [body | {name: value for name, value in settings.items() if value is not None}]


def _by_name(which: Json, path: str, losses: Ledger) -> Json:
    """A filter of tools by their names."""
    for field in which.keys() - {"tool_names"}:
        losses.note(f"{path}.{field}", "Ark tells an MCP server's tools apart by name only")
    return {key: value for key, value in which.items() if key == "tool_names" and value is not None}


_HOSTED: Final[dict[str, Callable[[Fields, Request, Ledger], list[Json]]]] = {
    "file_search": _file_search,
    "mcp": _mcp,
    **dict.fromkeys((_KNOWLEDGE, "image_process", "doubao_app"), _own),
}

_TOOLS: dict[type, Callable[[Any, Request, Ledger], list[Json]]] = {
    FunctionTool: _function,
    WebSearchTool: _web_search,
    OpaqueTool: _opaque,
}
