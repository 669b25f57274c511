"""A request in Gemini's words."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, cast

from adapters.gemini.endpoint import NAME
from adapters.gemini.input import encode_items
from adapters.gemini.schema import encode_schema
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import FunctionTool, OpaqueTool, OutputFormat, Request, Tool, ToolChoice, WebSearchTool
from adapters.wire_json import Json, as_object

AGENTS = ("deep-research-*", "antigravity-*")
"""Names that stand in `agent` and not in `model`."""

_EFFORTS = {"none": "minimal", "max": "xhigh"}
_MODES = {"auto": "auto", "none": "none", "required": "any"}
_TIERS = {"default": "standard", "flex": "flex", "priority": "priority", "fast": "priority", "ultrafast": "priority"}
_NOT_INCLUDED = frozenset(
    {"file_search_call.results", "computer_call_output.output.image_url", "message.output_text.logprobs"}
)
_IRRELEVANT = frozenset(
    {
        "user", "safety_identifier", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention",
        "client_metadata", "stream_options", "service_tier", "x_dragoman",
    }
)  # fmt: skip
"""Hints whose absence changes no answer, and what is read elsewhere."""

_REFUSED = {
    "prompt": "prompt templates live at another vendor",
    "conversation": "the gateway keeps no conversations; send the input items",
    "multi_agent": "Gemini has no agents of that kind",
}
"""Fields that change the request's meaning."""

_LOST = {
    "top_logprobs": "Gemini reports no log probabilities",
    "truncation": "Gemini does not shorten the input by itself",
    "max_tool_calls": "Gemini does not count tool calls",
    "moderation": "Gemini has safety settings of another kind",
    "background_options": "Gemini has no such setting",
}
_DEFAULTS = (("truncation", "disabled"), ("top_logprobs", 0))


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for Gemini. Raises `BadRequest`, or `Unsupported` for what it cannot do and must not ignore."""
    if request.background and not request.stream:
        raise Unsupported("A background answer is not ready when Gemini answers: ask for a stream.", param="background")
    for path in request.unread:
        losses.note(path, "Gemini has no such field")
    agent = any(fnmatchcase(request.model, pattern) for pattern in AGENTS)
    body: Json = {"agent" if agent else "model": request.model}
    body |= _input(request, losses)
    body |= _tools(request, losses)
    config = _generation_config(request, losses)
    if agent:
        config.pop("stop_sequences", None)  # the answer is cut on its way to the client
    if agent and config:
        losses.note("model", f"an agent takes no {', '.join(sorted(config))}")
    elif config:
        body["generation_config"] = config
    body |= _response_format(request.output, losses)
    previous = previous_id_at(NAME, request)
    own: Json = {
        "previous_interaction_id": previous,
        "store": request.store,
        "stream": True if request.stream else None,
        "background": True if request.background else None,
    }
    body |= {key: value for key, value in own.items() if value is not None}
    return _extra(body, request, losses)


def _input(request: Request, losses: Ledger) -> Json:
    system, steps = encode_items(request.items, losses)
    if request.instructions is not None:
        system.insert(0, request.instructions)
    body: Json = {"system_instruction": "\n\n".join(system)} if system else {}
    if request.text is not None:
        return {"input": request.text, **body}
    return {"input": steps, **body} if steps else body


def _generation_config(request: Request, losses: Ledger) -> Json:
    sampling, asked = request.sampling, request.reasoning
    config: Json = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_output_tokens": sampling.max_output_tokens,
        "stop_sequences": sampling.stop or None,
        "tool_choice": _tool_choice(request, losses) if request.tools else None,
    }
    if asked is not None:
        if asked.effort in _EFFORTS:
            losses.note("reasoning.effort", f"Gemini's nearest to {asked.effort} is {_EFFORTS[asked.effort]}")
        if asked.summary in ("concise", "detailed"):
            losses.note("reasoning.summary", "Gemini decides itself how long a summary is")
        if asked.effort is not None:
            config["thinking_level"] = _EFFORTS.get(asked.effort, asked.effort)
        if asked.summary is not None:
            config["thinking_summaries"] = "auto"
        _note_rest(losses, "reasoning", asked.source, frozenset({"effort", "summary", "generate_summary"}))
    return {key: value for key, value in config.items() if value is not None}


def _response_format(output: OutputFormat | None, losses: Ledger) -> Json:
    if output is None:
        return {}
    _note_rest(losses, "text", output.source, frozenset({"format"}))
    if output.kind == "text":
        return {}
    told: Json = {"type": "text", "mime_type": "application/json"}
    if output.schema is not None:
        told["schema"] = encode_schema(output.schema, losses, "text.format.schema")
    if output.description is not None:
        losses.note("text.format.description", "Gemini's response format has no description")
    return {"response_format": told}


def _note_rest(losses: Ledger, path: str, source: Kept | None, known: frozenset[str]) -> None:
    """Report the fields of a client's object that have no place here."""
    for key, value in (source.data if source is not None else {}).items():
        if key not in known and value is not None and value != []:
            losses.note(f"{path}.{key}", "Gemini has no such setting")


# -- tools -------------------------------------------------------------------------------------


def _tools(request: Request, losses: Ledger) -> Json:
    if request.parallel_tools is False:
        losses.note("parallel_tool_calls", "Gemini decides itself whether calls are parallel")
    tools = [_TOOLS[type(tool)](tool, losses, tool.path) for tool in request.tools]
    return {"tools": tools} if tools else {}


def _function(tool: FunctionTool, losses: Ledger, path: str) -> Json:
    told: Json = {"type": "function", "name": tool.name}
    if tool.description is not None:
        told["description"] = tool.description
    if tool.parameters is not None:
        told["parameters"] = encode_schema(tool.parameters, losses, f"{path}.parameters")
    _note_rest(losses, path, tool.source, frozenset({"type", "name", "description", "parameters", "strict"}))
    return told


def _web_search(tool: WebSearchTool, losses: Ledger, path: str) -> Json:
    said = tool.source.data if tool.source is not None else {}
    # `external_web_access: true` is what Gemini's search does anyway
    known = {"type"} | ({"external_web_access"} if said.get("external_web_access") is True else set[str]())
    _note_rest(losses, path, tool.source, frozenset(known))
    return {"type": "google_search"}


def _opaque(tool: OpaqueTool, _: Ledger, path: str) -> Json:
    raise Unsupported(f"Gemini cannot be given the tool '{tool.kind}' here.", param=path)


_TOOLS: dict[type[Tool], Callable[[Any, Ledger, str], Json]] = cast(
    dict[type[Tool], Callable[[Any, Ledger, str], Json]],
    {FunctionTool: _function, WebSearchTool: _web_search, OpaqueTool: _opaque},
)


def _tool_choice(request: Request, losses: Ledger) -> Any:
    """`validated` is Gemini's auto that holds calls to their schema, as strict functions want it."""
    choice: ToolChoice | None = request.tool_choice
    strict = any(isinstance(tool, FunctionTool) and tool.strict for tool in request.tools)
    if choice is None:
        return "validated" if strict else None
    if choice.names is not None:
        return {"allowed_tools": {"mode": _MODES[choice.mode], "tools": choice.names}}
    if choice.source is not None:
        losses.note("tool_choice", "Gemini can be made to choose a function, not a hosted tool")
    return "validated" if strict and choice.mode == "auto" else _MODES[choice.mode]


# -- the rest ----------------------------------------------------------------------------------


def _extra(body: Json, request: Request, losses: Ledger) -> Json:
    """Add the fields that the hub does not model, each by its row, and the client's words for Gemini itself."""
    for number, wanted in enumerate(request.include):
        if wanted in _NOT_INCLUDED:
            losses.note(f"include[{number}]", f"Gemini cannot include {wanted}")
    said = request.extra.data if request.extra is not None else {}
    for field, value in said.items():
        if value is None or field in _IRRELEVANT or (field, value) in _DEFAULTS:
            continue
        if field in _REFUSED:
            raise Unsupported(f"'{field}' cannot be sent to Gemini: {_REFUSED[field]}.", param=field)
        losses.note(field, _LOST.get(field, "Gemini does not know this field"))
    return _pass_through(body | _service_tier(said.get("service_tier"), losses), as_object(said.get("x_dragoman")))


def _service_tier(value: Any, losses: Ledger) -> Json:
    if value in (None, "auto"):
        return {}
    tier = _TIERS.get(value) if isinstance(value, str) else None
    if tier is None:
        losses.note("service_tier", f"Gemini has no service tier {value}")
        return {}
    return {"service_tier": tier}


def _pass_through(body: Json, said: Json) -> Json:
    """Merge what the client says to Gemini in Gemini's own words."""
    own = said.get(NAME)
    if own is not None and not isinstance(own, dict):
        raise BadRequest("'x_dragoman.gemini' must be an object.", param="x_dragoman.gemini")
    merged = body | {key: value for key, value in as_object(own).items() if key != "stream"}
    config = as_object(body.get("generation_config")) | as_object(as_object(own).get("generation_config"))
    return merged | ({"generation_config": config} if config else {})
