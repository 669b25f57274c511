"""A request in Ark's words: the fields it takes and no others, since it refuses what it does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from adapters.ark import tables
from adapters.ark.endpoint import NAME
from adapters.ark.input import encode_items
from adapters.hub.errors import Unsupported
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import FunctionTool, OpaqueTool, OutputFormat, Request, Tool, ToolChoice, WebSearchTool
from adapters.responses.annotations import EXTENSION
from adapters.responses.request import own_words
from adapters.wire_json import Json, as_list, as_object, as_text


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for Ark. Raises `Unsupported` for what it cannot do and must not ignore."""
    if request.background:
        raise Unsupported("Ark has no background responses.", param="background")
    if request.model.startswith("bot-"):
        raise Unsupported("Ark's bots have an API of their own, which answers nothing here.", param="model")
    for path in request.unread:
        if not path.endswith(".partial"):
            losses.note(path, "Ark has no such field")
    body: Json = {
        "model": request.model,
        "input": request.text if request.text is not None else encode_items(request.items, losses),
        "instructions": request.instructions,
        "temperature": request.sampling.temperature,
        "top_p": request.sampling.top_p,
        "max_output_tokens": request.sampling.max_output_tokens,
        "parallel_tool_calls": request.parallel_tools,
        "previous_response_id": previous_id_at(NAME, request),
        "store": request.store,
        "stream": request.stream,
        **_reasoning(request, losses),
        **_text(request.output, losses),
        **_tools(request, losses),
        **_include(request, losses),
        **_extra(request, losses),
    }
    return {key: value for key, value in body.items() if value is not None}


def _reasoning(request: Request, losses: Ledger) -> Json:
    asked = request.reasoning
    if asked is None:
        return {}
    if asked.summary in ("concise", "detailed"):
        losses.note("reasoning.summary", "Ark decides itself how long a summary is")
    _note_unknown(asked.source, frozenset({"effort", "summary", "generate_summary"}), losses, "reasoning")
    if asked.effort is None:
        return {}
    effort = tables.EFFORT.get(asked.effort)
    if effort is None:
        raise Unsupported(f"Ark has no reasoning effort '{asked.effort}'.", param="reasoning.effort")
    if asked.effort in ("xhigh", "max"):
        losses.note("reasoning.effort", f"Ark's highest effort is high, not {asked.effort}")
    # "disabled goes only with effort minimal"
    thinking = {"thinking": {"type": "disabled"}} if asked.effort == "none" else {}
    return {"reasoning": {"effort": effort}, **thinking}


def _text(output: OutputFormat | None, losses: Ledger) -> Json:
    if output is None:
        return {}
    _note_unknown(output.source, frozenset({"format"}), losses, "text")
    told = Kept(NAME, as_object(output.source.data.get("format") if output.source is not None else None))
    _note_unknown(told, tables.FORMAT_FIELDS, losses, "text.format")
    if output.kind == "text":
        return {}
    if output.kind == "json_object":
        return {"text": {"format": {"type": "json_object"}}}
    described = {
        "type": "json_schema",
        "name": output.name,
        "schema": output.schema,
        "strict": output.strict,
        "description": output.description,
    }
    return {"text": {"format": {key: value for key, value in described.items() if value is not None}}}


def _include(request: Request, losses: Ledger) -> Json:
    for number, wanted in enumerate(request.include):
        if wanted not in tables.INCLUDED:
            losses.note(f"include[{number}]", f"Ark cannot include {wanted}")
    included = [wanted for wanted in request.include if wanted in tables.INCLUDED]
    return {"include": included} if included else {}


def _extra(request: Request, losses: Ledger) -> Json:
    """The fields that the hub does not model, each by its row."""
    said = request.extra.data if request.extra is not None else {}
    body: Json = {}
    for field, value in said.items():
        if field in tables.PASSED:
            body[field] = value
        elif field in tables.REFUSED:
            raise Unsupported(f"'{field}' cannot be sent to Ark: {tables.REFUSED[field]}.", param=field)
        elif field == "service_tier":
            body |= _service_tier(value, losses)
        elif field in tables.IRRELEVANT or field == EXTENSION or _is_default(field, value):
            continue
        else:
            losses.note(field, tables.LOST.get(field, "Ark does not know this field"))
    calls = body.get("max_tool_calls")
    if type(calls) is int and not 1 <= calls <= 10:
        body["max_tool_calls"] = min(max(calls, 1), 10)
        losses.note("max_tool_calls", "Ark takes 1 to 10")
    return body | own_words(request, NAME)


def _is_default(field: str, value: Any) -> bool:
    return (field, value) in (("truncation", "disabled"), ("top_logprobs", 0))


def _service_tier(value: Any, losses: Ledger) -> Json:
    tier = tables.SERVICE_TIER.get(value) if isinstance(value, str) else None
    if tier is None:
        losses.note("service_tier", f"Ark has no service tier {value}")
        return {}
    return {"service_tier": tier}


# -- tools -----------------------------------------------------------------------------------


def _tools(request: Request, losses: Ledger) -> Json:
    tools = [_TOOLS[type(tool)](tool, losses, tool.path) for tool in request.tools]
    choice = request.tool_choice
    if choice is not None and choice.names is not None and not _is_forced(choice):
        # Ark chooses among all tools it is given, so it is given only those that are allowed
        tools = [tool for tool in tools if _known_by(tool) in _allowed(choice)]
    body: Json = {"tools": tools} if tools else {}
    return {**body, "tool_choice": _tool_choice(choice)} if choice is not None else body


def _is_forced(choice: ToolChoice) -> bool:
    """Whether one function, and nothing else, is to be called."""
    names = [("function", name) for name in choice.names or []]
    return choice.mode == "required" and len(names) == 1 and _allowed(choice) == names


def _allowed(choice: ToolChoice) -> list[tuple[str, Any]]:
    """The tools that may be chosen: Ark's type, and the name where the tool has one."""
    if choice.source is None or "tools" not in choice.source.data:
        return [("function", name) for name in choice.names or []]
    return [_known_by(tool) for tool in map(as_object, as_list(choice.source.data["tools"]))]


def _known_by(tool: Json) -> tuple[str, Any]:
    type_ = as_text(tool.get("type"))
    return "web_search" if type_.startswith("web_search") else type_, tool.get("name") or tool.get("server_label")


def _tool_choice(choice: ToolChoice) -> Any:
    if _is_forced(choice) and choice.names is not None:
        return {"type": "function", "name": choice.names[0]}
    if choice.names is not None or choice.source is None:
        return choice.mode
    kind = choice.source.data.get("type")
    if kind == "mcp":
        return {key: value for key, value in choice.source.data.items() if key in ("type", "server_label", "name")}
    if isinstance(kind, str) and kind.startswith("web_search"):
        return {"type": "web_search"}
    if kind == "knowledge_search":
        return {"type": kind}
    raise Unsupported(f"Ark cannot be made to choose '{kind}'.", param="tool_choice.type")


def _function(tool: FunctionTool, losses: Ledger, path: str) -> Json:
    if tool.strict:
        losses.note(f"{path}.strict", "Ark does not hold a function's arguments to its schema")
    _note_unknown(tool.source, tables.FUNCTION_FIELDS, losses, path)
    said: Json = {"type": "function", "name": tool.name, "parameters": tool.parameters or _NO_PARAMETERS}
    return {**said, "description": tool.description} if tool.description is not None else said


_NO_PARAMETERS: Json = {"type": "object", "properties": {}}


def _web_search(tool: WebSearchTool, losses: Ledger, path: str) -> Json:
    said = tool.source.data if tool.source is not None else {}
    body: Json = {"type": "web_search"}
    if tool.context_size is not None:
        body["limit"] = tables.SEARCH_LIMIT.get(tool.context_size, 10)
    for field in ("limit", "sources", "max_keyword"):
        if said.get(field) is not None:
            body[field] = said[field]
    location = as_object(said.get("user_location"))
    if location:
        if isinstance(location.get("timezone"), str):
            losses.note(f"{path}.user_location.timezone", "Ark wants an offset in hours, not a name")
        body["user_location"] = {
            key: location[key]
            for key in tables.LOCATION_FIELDS
            if location.get(key) is not None and not (key == "timezone" and isinstance(location[key], str))
        }
    if said.get("external_web_access") is False:
        losses.note(f"{path}.external_web_access", "Ark's search cannot be kept from the live web")
    _note_unknown(tool.source, tables.SEARCH_FIELDS, losses, path)
    return body


def _note_unknown(source: Kept | None, known: frozenset[str], losses: Ledger, path: str) -> None:
    for field, value in (source.data if source is not None else {}).items():
        if field not in known and value not in (None, [], {}):
            losses.note(f"{path}.{field}", "Ark has no such field")


def _opaque(tool: OpaqueTool, losses: Ledger, path: str) -> Json:
    known = tables.TOOLS_PASSED.get(tool.kind)
    if known is None:
        raise Unsupported(f"Ark has no tool '{tool.kind}'.", param=f"{path}.type")
    said = tool.source.data
    for field in ("connector_id", "tunnel_id"):
        if said.get(field) is not None:
            raise Unsupported(f"Ark's MCP tool has no '{field}'.", param=f"{path}.{field}")
    _note_unknown(tool.source, known | {"authorization"}, losses, path)
    body = {key: value for key, value in said.items() if key in known and value is not None}
    if said.get("authorization") is not None:
        # "authorization": a token that goes to the server as its bearer
        body["headers"] = {**as_object(said.get("headers")), "Authorization": f"Bearer {said['authorization']}"}
    return body


_TOOLS: dict[type[Tool], Callable[[Any, Ledger, str], Json]] = cast(
    dict[type[Tool], Callable[[Any, Ledger, str], Json]],
    {FunctionTool: _function, WebSearchTool: _web_search, OpaqueTool: _opaque},
)
