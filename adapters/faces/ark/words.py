"""The words of an answer in Ark's dialect, for the family's encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from adapters.faces.ark.citations import encode_citation
from adapters.faces.ark.errors import code_of
from adapters.faces.ark.items import KNOWLEDGE
from adapters.faces.ark.request import NAME
from adapters.hub import events as ev
from adapters.hub.items import FUNCTION_CALL, MCP_CALL, MESSAGE, REASONING, WEB_SEARCH, Outcome, Search, ToolResult
from adapters.hub.request import Request
from adapters.responses import snapshot
from adapters.responses.tables import BOOKED_EVENTS, ID_PREFIX, PART_OF, PHASES, TEXT
from adapters.responses.words import TERMINAL, Words
from adapters.wire_json import Json, as_object

_APP: Final = "doubao_app_call"

ITEM_TYPES: Final = frozenset(
    {MESSAGE, FUNCTION_CALL, REASONING, WEB_SEARCH, KNOWLEDGE, MCP_CALL}
    | {"mcp_list_tools", "mcp_approval_request", "image_process", _APP, "agent_tool_call"}
)
"""The item types of Ark's SDK."""

_PHASES: Final = {kind: PHASES[kind] for kind in (WEB_SEARCH, MCP_CALL)} | {
    KNOWLEDGE: ("in_progress", "searching", "completed", "failed"),
    "mcp_list_tools": ("in_progress", "completed"),  # "failed" is in the documentation, and not in the SDK
}

PROGRESS: Final = frozenset(f"response.{item}.{phase}" for item, phases in _PHASES.items() for phase in phases)

_TOLD_BY_ALL: Final = (
    "created", "in_progress", "completed", "failed", "incomplete", "output_item.added", "output_item.done",
    "content_part.added", "content_part.done", "output_text.delta", "output_text.done", "output_text.annotation.added",
    "reasoning_summary_part.added", "reasoning_summary_part.done", "reasoning_summary_text.delta",
    "reasoning_summary_text.done", "function_call_arguments.delta", "function_call_arguments.done",
    "mcp_call_arguments.delta", "mcp_call_arguments.done",
)  # fmt: skip

_ARKS: Final = (
    "image_process_call.in_progress", "image_process_call.progressing", "image_process_call.completed",
    "agent_tool_call.in_progress", "agent_tool_call.completed",
    *(f"{_APP}.{phase}" for phase in ("in_progress", "completed", "failed")),
    *(f"{_APP}_{what}" for what in ("block.added", "block.done")),
    *(f"{_APP}_{text}.{end}" for text in ("output_text", "reasoning_text") for end in ("delta", "done")),
    *(f"{_APP}_{kind}.{phase}" for kind in ("search", "reasoning_search")
      for phase in ("in_progress", "searching", "completed")),
)  # fmt: skip

EVENTS: Final = frozenset({"error", *PROGRESS, *(f"response.{name}" for name in (*_TOLD_BY_ALL, *_ARKS))})
"""The events of Ark's SDK. It takes any other for the beginning of a response."""

_ECHOED: Final = (
    "instructions", "max_output_tokens", "previous_response_id", "thinking", "service_tier", "temperature", "tools",
    "top_p", "caching", "text", "store", "expire_at", "tool_choice", "parallel_tool_calls", "max_tool_calls",
    "context_management", "reasoning", "session",
)  # fmt: skip

_REASONS: Final = {"max_output_tokens": "length"}


def _begun(id: str, model: str, created_at: float, request: Request) -> Json:
    said = request.origin.body if request.origin is not None else {}
    response = snapshot.response_object(id, model, created_at, {})
    known = {key: response[key] for key in ("id", "object", "created_at", "status", "model", "output", "usage")}
    return {**known, "tools": [], **{key: said[key] for key in _ECHOED if key in said}}


def _ended(event: ev.Ended, _: float) -> Json:
    cancelled = event.status == "cancelled"
    status = "failed" if cancelled else "in_progress" if event.unfinished else event.status
    fields: Json = {"status": status, "usage": _usage(event.usage)}
    if event.status == "incomplete":
        unified = event.finish.unified
        fields["incomplete_details"] = {"reason": _REASONS.get(unified, unified)}
    if event.error is not None:
        fields["error"] = {"code": code_of(event.error), "message": event.error.message}
    elif cancelled:
        fields["error"] = {"code": "cancelled", "message": "the answer was cancelled"}
    return fields


def _usage(usage: ev.Usage | None) -> Json | None:
    said = snapshot.encode_usage(usage)
    if said is None:
        return None
    del said["input_tokens_details"]["cache_write_tokens"]
    return {**said, "tool_usage": None, "tool_usage_details": None}  # null, but never absent, says the SDK


_NEW: Final[dict[str, Callable[[str, str], Json]]] = {
    MESSAGE: lambda _, __: {"role": "assistant", "content": []},
    REASONING: lambda _, __: {"summary": []},
    FUNCTION_CALL: lambda call_id, name: {"arguments": "", "call_id": call_id, "name": name},
    WEB_SEARCH: lambda _, __: {"action": {"type": "search", "query": ""}},
    KNOWLEDGE: lambda _, __: {"queries": [], "knowledge_resource_id": ""},
    MCP_CALL: lambda _, name: {"arguments": "", "name": name, "server_label": ""},
}


def _item(kind: str, id: str, call_id: str, name: str, status: str) -> Json:
    build = _NEW.get(kind)
    new = snapshot.item_object(kind, id, call_id, name, status) if build is None else {}
    return {**new, "id": id, "type": kind, "status": status, **(build(call_id, name) if build is not None else {})}


def _outcome(outcome: Outcome | None, kind: str) -> Json:
    match outcome:
        case Search() if kind == KNOWLEDGE:
            return {"queries": outcome.queries}
        case Search():
            return {"action": _action(outcome)}
        case ToolResult():
            said = {"output": outcome.output, "error": outcome.error}
            return {key: value for key, value in said.items() if value is not None}
        case _:
            return {}


def _action(search: Search) -> Json:
    """Ark knows one action, a search of one query; more queries stand beside it."""
    query = search.queries[0] if search.queries else search.url or ""
    said: Json = {"type": "search", "query": query}
    return {**said, "queries": search.queries} if len(search.queries) > 1 else said


def _filled(raw: Any, usage: Json | None) -> Json | None:
    return as_object(raw) or usage


WORDS: Final = Words(
    wire=NAME,
    item_types=ITEM_TYPES,
    id_prefixes={**ID_PREFIX, KNOWLEDGE: "ks_"},
    parts={**PART_OF, (MESSAGE, "text"): replace(TEXT, logprobs=False)},
    phases=_PHASES,
    built=frozenset(_NEW),
    events=EVENTS,
    progress=PROGRESS,
    booked=BOOKED_EVENTS | PROGRESS | {""},
    terminal={**TERMINAL, "cancelled": "response.failed"},
    needed=("id", "object", "created_at", "model", "output", "status", "tools"),
    item=_item,
    outcome=_outcome,
    annotation=encode_citation,
    begun=_begun,
    ended=_ended,
    usage=_filled,
    native=False,
    sound=False,
    places=False,
    end=b"data: [DONE]\n\n",
)
