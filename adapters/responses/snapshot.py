"""The objects of a Responses answer: response, item and part, built from the hub's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from adapters.hub import events as ev
from adapters.hub.errors import UpstreamError
from adapters.hub.items import (
    CODE,
    FILE_SEARCH,
    FOUND_TOOLS,
    IMAGE,
    MCP_CALL,
    TOOL_SEARCH,
    WEB_SEARCH,
    CodeRun,
    FoundTool,
    Outcome,
    Picture,
    Search,
    ToolResult,
    ToolSearch,
)
from adapters.hub.kept import Kept, kept_by
from adapters.hub.request import Request
from adapters.responses.tables import ACTIONS, ERROR_CODES
from adapters.wire_json import Json, as_object, as_text

_ECHOED: Json = {
    "background": False,
    "conversation": None,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "store": True,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_logprobs": 0,
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
"""Fields that an answer repeats from the request, with what they say when the client said nothing."""

_INCOMPLETE = {"max_output_tokens": "max_output_tokens", "content_filter": "content_filter"}


def echo(request: Request, wire: str) -> Json:
    """What every response object of this answer repeats, as the client declared it."""
    said = kept_by(wire, request.source) or {}
    return {key: said.get(key, default) for key, default in _ECHOED.items()}


_LAST_SECOND = 1 << 53  # beyond it a number of seconds is no integer to most readers, and none that can be written


def response_object(id: str, model: str, created_at: float, echoed: Json) -> Json:
    """A response that has just begun."""
    return {
        "id": id,
        "object": "response",
        "created_at": int(min(max(created_at, 0), _LAST_SECOND)),
        "status": "in_progress",
        "completed_at": None,
        "error": None,
        "incomplete_details": None,
        "model": model,
        "output": [],
        "usage": None,
        **echoed,
    }


def ended_fields(event: ev.Ended) -> Json:
    """What the terminal event adds to the response object."""
    fields: Json = {"status": event.unfinished or event.status, "usage": encode_usage(event.usage)}
    if event.status == "incomplete":
        fields["incomplete_details"] = {"reason": _INCOMPLETE.get(event.finish.unified, "max_output_tokens")}
    if event.error is not None:
        fields["error"] = encode_stream_error(event.error)
    return fields


def encode_stream_error(error: UpstreamError) -> Json:
    """The error of a failed response. Clients type the code as an enumeration, so others become server_error."""
    code = _STREAM_CODES.get(error.code, error.code)
    return {"code": code if code in ERROR_CODES else "server_error", "message": error.message}


_STREAM_CODES = {"content_policy_violation": "invalid_prompt"}


def encode_usage(usage: ev.Usage | None) -> Json | None:
    """Usage in the family's words; None, not zeros, where the vendor reported none."""
    if usage is None:
        return None
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.input_cached, "cache_write_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.output_reasoning},
        "total_tokens": usage.total,
    }


def filled_usage(raw: Any, usage: Json | None) -> Json | None:
    """The vendor's own usage `raw`, with what clients read without asking where it does not say it."""
    said = as_object(raw)
    if usage is None or all(as_object(said.get(key)).get(count) is not None for key, count in _DETAILS):
        return cast(Json | None, raw)
    filled = {**said, **{key: value for key, value in usage.items() if said.get(key) is None}}
    for key, count in _DETAILS:
        if as_object(filled[key]).get(count) is None:
            filled[key] = {**as_object(filled[key]), count: usage[key][count]}
    return filled


_DETAILS = (("input_tokens_details", "cached_tokens"), ("output_tokens_details", "reasoning_tokens"))


def item_object(kind: str, id: str, call_id: str, name: str, status: str) -> Json:
    """An item before its first part. Every field that clients read without asking is there."""
    shared: Json = {"id": id, "type": kind, "status": status}
    build = _NEW_ITEMS.get(kind)
    return {**shared, **_NEEDED.get(kind, {}), **(build(call_id, name) if build is not None else {})}


_NEW_ITEMS: dict[str, Callable[[str, str], Json]] = {
    "message": lambda _, __: {"role": "assistant", "content": []},
    "reasoning": lambda _, __: {"summary": []},
    "function_call": lambda call_id, name: {"arguments": "", "call_id": call_id, "name": name},
    "custom_tool_call": lambda call_id, name: {"input": "", "call_id": call_id, "name": name},
    **dict.fromkeys(ACTIONS, lambda call_id, _: {"call_id": call_id}),
    WEB_SEARCH: lambda _, __: {"action": {"type": "search", "query": "", "queries": []}},
    FILE_SEARCH: lambda _, __: {"queries": [], "results": None},
    CODE: lambda _, __: {"code": "", "container_id": "", "outputs": None},
    MCP_CALL: lambda _, name: {"arguments": "", "name": name, "server_label": "", "output": None, "error": None},
    IMAGE: lambda _, __: {"result": None},
    TOOL_SEARCH: lambda call_id, _: {"arguments": {}, "call_id": call_id or None, "execution": "server"},
    FOUND_TOOLS: lambda call_id, _: {"tools": [], "call_id": call_id or None, "execution": "server"},
}


def outcome_fields(outcome: Outcome | None, kind: str) -> Json:
    """What a hosted call gave, in the fields of its item."""
    if outcome is None:
        return {}
    return _OUTCOMES[type(outcome)](outcome, kind)


def _search(search: Search, kind: str) -> Json:
    if kind == FILE_SEARCH:
        return {"queries": search.queries}
    if search.action != "search":
        return {"action": {"type": search.action, "url": search.url or ""}}
    action: Json = {"type": "search", "query": (search.queries or [""])[0], "queries": search.queries}
    if search.sources:
        action["sources"] = [{"type": "url", "url": url} for url in search.sources]
    return {"action": action}


def _code_run(run: CodeRun, _: str) -> Json:
    logs = [{"type": "logs", "logs": run.logs}] if run.logs is not None else []
    return {"outputs": [*logs, *({"type": "image", "url": url} for url in run.images)]}


def _tool_result(result: ToolResult, _: str) -> Json:
    error: Json | None = None
    if result.error:
        error = {"type": "mcp_tool_execution_error", "content": [], "message": result.error}
    return {"output": result.output, "error": error}


def _picture(picture: Picture, _: str) -> Json:
    return {"result": picture.data}


def _tool_search(search: ToolSearch, kind: str) -> Json:
    if kind == TOOL_SEARCH:
        return {"arguments": search.arguments}
    return {"tools": [_found_tool(tool) for tool in search.tools]}


def _found_tool(tool: FoundTool) -> Json:
    told: Json = {"type": "function", "name": tool.name, "parameters": tool.parameters, "strict": None}
    return {**told, "description": tool.description, "defer_loading": True}


_OUTCOMES: dict[type, Callable[[Any, str], Json]] = {
    Search: _search,
    CodeRun: _code_run,
    ToolResult: _tool_result,
    Picture: _picture,
    ToolSearch: _tool_search,
}


def extension_of(kept: Kept, spelled: Json, spoken: frozenset[str]) -> Json:
    """What a client of another dialect carries for the vendor: its fields that `spelled` does not tell.

    A member of the family keeps its whole object under "item" or "response"; others keep just what is left. Beside it
    may stand what `kind` of item it is, and the items that ride `before` or `after` it.
    """
    whole = kept.data.get("item") or kept.data.get("response")
    if whole is None:
        return {"v": kept.wire, **kept.data}
    rest = {k: v for k, v in whole.items() if k not in spoken and k not in ("id", "status") and spelled.get(k) != v}
    said: Json = {"rest": rest} if rest else {}
    said |= {key: kept.data[key] for key in ("kind", "before", "after") if key in kept.data}
    return {"v": kept.wire, **said} if said else {}


def rest_of_part(kept: Kept | None, spoken: str) -> Json:
    """What a client of another dialect carries of a part: fields that neither the dialect nor `spoken` names."""
    part = as_object(kept.data.get("part")) if kept is not None else {}
    return {key: value for key, value in part.items() if key not in (spoken, *_PART_FIELDS) and value is not None}


_PART_FIELDS = ("type", "annotations", "logprobs")


def told_item(item: Json, base: Json) -> Json:
    """A vendor's item of a type that the dialect has too, with what clients read without asking where it lacks that."""
    needed = _NEEDED.get(as_text(base.get("type")), {})
    said = {key: item[key] for key, value in needed.items() if type(item.get(key)) is type(value)}
    if "tools" in said:
        said["tools"] = [_without_nulls(tool) for tool in said["tools"]]
    return {**item, **base, **said}


def _without_nulls(tool: Any) -> Any:
    """A server's tool: some clients stop at `annotations: null`, and what is null is as good as absent."""
    return {key: value for key, value in cast(Json, tool).items() if value is not None} if type(tool) is dict else tool


_NEEDED: dict[str, Json] = {
    "mcp_list_tools": {"server_label": "", "tools": []},
    "mcp_approval_request": {"server_label": "", "name": "", "arguments": ""},
}

BUILT = frozenset(_NEW_ITEMS)
"""Item kinds whose fields are built from the hub's words."""
