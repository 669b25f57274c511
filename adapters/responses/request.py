"""A Responses request, read for the hub. Every field that is wrong is named; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, cast

import adapters
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.fields import Fields, check_depth, missing, mistyped
from adapters.hub.kept import Kept, leftovers
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionTool,
    OpaqueItem,
    OpaqueTool,
    OutputFormat,
    ReasoningRequest,
    Request,
    Sampling,
    Tool,
    ToolChoice,
    WebSearchTool,
)
from adapters.hub.spans import Offsets
from adapters.responses.annotations import EXTENSION
from adapters.responses.input import decode_items
from adapters.responses.offsets import recount_content
from adapters.wire_json import Json

MODELLED = frozenset(
    {
        "model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p",
        "max_output_tokens", "reasoning", "text", "previous_response_id", "store", "stream", "background", "include",
        "metadata",
    }
)  # fmt: skip
"""Top-level fields that the hub has a place for."""

_WEB_SEARCH = frozenset({"web_search", "web_search_preview", "web_search_2025_08_26", "web_search_preview_2025_03_11"})
_CHOICES: dict[Any, Literal["auto", "none", "required"]] = {"auto": "auto", "none": "none", "required": "required"}
_FORMATS = ("text", "json_object", "json_schema")
_MAX_STOPS = 4
_WITHOUT_INPUT = ("previous_response_id", "prompt", "conversation")
_ENVELOPE = ("type", "response.create")
"""What a WebSocket message has besides a body. Clients that fall back to HTTP send it on, and OpenAI answers 400."""


def decode_request(body: Json, wire: str, offsets: Offsets = "codepoint") -> Request:
    """Read a request body of the dialect `wire`, whose citations count by `offsets`; what is read counts code points.

    Raises `BadRequest` with the path of the field at fault.
    """
    check_depth(body)
    if offsets != "codepoint" and "input" in body:
        body = body | {"input": recount_content(body["input"], offsets, "codepoint")}
    fields = Fields(body, wire)
    model = fields.needed_text("model")
    if not model.strip():
        raise missing("model")
    said = {key: value for key, value in body.items() if value is not None and (key, value) != _ENVELOPE}
    _check_extension(fields)
    text, items = _decode_input(fields)
    request = Request(
        wire=wire,
        model=model,
        items=items,
        text=text,
        instructions=fields.text("instructions"),
        tools=[decode_tool(tool) for tool in fields.objects("tools")],
        tool_choice=_decode_tool_choice(fields),
        parallel_tools=fields.flag("parallel_tool_calls"),
        sampling=_decode_sampling(fields),
        reasoning=_decode_reasoning(fields),
        output=_decode_output(fields),
        previous_id=fields.text("previous_response_id"),
        store=fields.flag("store"),
        stream=fields.flag("stream") or False,
        background=fields.flag("background"),
        include=_texts(fields, "include"),
        metadata=_decode_metadata(fields),
        unread=fields.unread,
        source=Kept(wire, {key: value for key, value in said.items() if key != "input" or not value}),
        extra=leftovers(wire, said, MODELLED),
    )
    _decode_updates(request)
    return request


def _check_extension(fields: Fields) -> None:
    """What the extension key says, and to whom, has to be known: a slip of the pen would be lost without a word."""
    extension = fields.object(EXTENSION)
    if not extension:
        return
    known, inner = ("stop", *adapters.names()), fields.inner(extension, EXTENSION)
    for key, value in extension.items():
        if key not in known and value is not None:
            path, names = inner.path(key), ", ".join(f"'{name}'" for name in known)
            why = f"Unknown parameter: '{path}'. '{EXTENSION}' may hold: {names}."
            raise BadRequest(why, code="unknown_parameter", param=path)
        if key != "stop":
            inner.object(key)


def _decode_updates(request: Request) -> None:
    """What items of the input say of the request: more tools, another effort, another form of the answer.

    A vendor that knows no such items takes them as said from the start; the last one counts.
    """
    for number, item in enumerate(request.items):
        if not isinstance(item, OpaqueItem):
            continue
        fields = Fields(item.source.data, item.source.wire, f"input[{number}]")
        if item.kind == "additional_tools":
            request.tools += [decode_tool(tool) for tool in fields.objects("tools")]
        elif item.kind == "configuration_update":
            reasoning = fields.object("reasoning") or {}
            if effort := fields.inner(reasoning, "reasoning").text("effort"):
                request.reasoning = replace(request.reasoning or ReasoningRequest(), effort=effort)
            request.output = _decode_output(fields) or request.output


def found_tools(request: Request, losses: Ledger) -> Iterator[FunctionTool]:
    """Functions that an earlier search for tools found, for a vendor that is told of all tools from the start."""
    names = {tool.name for tool in request.tools if isinstance(tool, FunctionTool)}
    for number, item in enumerate(request.items):
        if not isinstance(item, OpaqueItem) or item.kind != "tool_search_output":
            continue
        for tool in map(decode_tool, Fields(item.source.data, item.source.wire, f"input[{number}]").objects("tools")):
            if not isinstance(tool, FunctionTool):
                losses.note(tool.path, "only functions that a search found are told to this vendor")
            elif tool.name not in names:
                names.add(tool.name)
                yield tool


def file_stores(fields: Fields, request: Request, vendor: str) -> list[str]:
    """The vendor's own names of the stores that a tool searches. Raises `Unsupported` for one that it does not know."""
    names: list[str] = []
    for number, id_ in enumerate(fields.array("vector_store_ids")):
        path = fields.path(f"vector_store_ids[{number}]")
        if not isinstance(id_, str):
            raise mistyped(path, "a string", id_)
        if id_ not in request.store_ids:
            why = f"{vendor} does not know the vector store '{id_}': name it in the settings, under file_stores."
            raise Unsupported(why, param=path)
        names.append(request.store_ids[id_])
    if not names:
        raise missing(fields.path("vector_store_ids"))
    return names


def _decode_input(fields: Fields) -> tuple[str | None, list[Any]]:
    value = fields.raw.get("input")
    if isinstance(value, str):
        return value, []
    if value is None or value == []:
        if any(fields.raw.get(key) is not None for key in _WITHOUT_INPUT):
            return None, []
        raise missing("input")
    if not isinstance(value, list):
        raise mistyped("input", "a string or an array", value)
    return None, decode_items(fields.objects("input"))


def _texts(fields: Fields, name: str) -> list[str]:
    values = fields.array(name)
    for number, value in enumerate(values):
        if type(value) is not str:
            raise mistyped(f"{name}[{number}]", "a string", value)
    return values


def _decode_sampling(fields: Fields) -> Sampling:
    limit = fields.integer("max_output_tokens")
    if limit is not None and limit < 1:
        raise BadRequest("'max_output_tokens' must be at least 1.", param="max_output_tokens")
    return Sampling(fields.number("temperature"), fields.number("top_p"), limit, _decode_stop(fields))


def _decode_stop(fields: Fields) -> list[str]:
    """The dialect has no word for stop sequences, so they stand in the extension key."""
    value: Any = (fields.object(EXTENSION) or {}).get("stop")
    stops = cast(list[Any], value) if isinstance(value, list) else [] if value is None else [value]
    if len(stops) > _MAX_STOPS or not all(type(stop) is str and stop for stop in stops):
        path = f"{EXTENSION}.stop"
        raise BadRequest(f"'{path}' must be a text or an array of up to {_MAX_STOPS}, none of them empty.", param=path)
    return stops


def _decode_reasoning(fields: Fields) -> ReasoningRequest | None:
    raw = fields.object("reasoning")
    if raw is None:
        return None
    inner = fields.inner(raw, "reasoning")
    summary = inner.text("summary") or inner.text("generate_summary")
    return ReasoningRequest(inner.text("effort"), summary, inner.source())


def _decode_output(fields: Fields) -> OutputFormat | None:
    raw = fields.object("text")
    if raw is None:
        return None
    text = fields.inner(raw, "text")
    source, format_ = text.source(), text.object("format")
    if format_ is None:
        return OutputFormat("text", source=source)
    inner = text.inner(format_, "format")
    inner.needed_text("type")
    kind = cast(Literal["text", "json_object", "json_schema"], inner.choice("type", _FORMATS))
    if kind != "json_schema":
        return OutputFormat(kind, source=source)
    schema = inner.object("schema")
    if schema is None:
        raise missing("text.format.schema")
    name, strict, description = inner.needed_text("name"), inner.flag("strict"), inner.text("description")
    return OutputFormat(kind, name, schema, strict, description, source)


def _decode_metadata(fields: Fields) -> dict[str, str] | None:
    raw = fields.object("metadata")
    for key, value in (raw or {}).items():
        if type(value) is not str:
            raise mistyped(f"metadata.{key}", "a string", value)
    return raw


def decode_tool(fields: Fields) -> Tool:
    """Read the declaration of a tool."""
    kind = fields.needed_text("type")
    source, path = fields.source(), fields.here
    if kind == "function":
        name = fields.needed_text("name")
        return FunctionTool(
            name, fields.text("description"), fields.object("parameters"), fields.flag("strict"), source, path
        )
    if kind in _WEB_SEARCH:
        return WebSearchTool(fields.text("search_context_size"), source, path)
    return OpaqueTool(kind, source, path)


def _decode_tool_choice(fields: Fields) -> ToolChoice | None:
    raw = fields.raw.get("tool_choice")
    if raw is None:
        return None
    if isinstance(raw, str):
        fields.choice("tool_choice", tuple(_CHOICES))
        return ToolChoice(_CHOICES[raw])
    if not isinstance(raw, dict):
        raise mistyped("tool_choice", "a string or an object", raw)
    inner = fields.inner(raw, "tool_choice")
    kind, source = inner.needed_text("type"), inner.source()
    if kind == "function":
        return ToolChoice("required", [inner.needed_text("name")], source)
    if kind == "allowed_tools":
        names = [tool.needed_text("name") for tool in inner.objects("tools") if tool.text("type") == "function"]
        return ToolChoice(_CHOICES.get(inner.choice("mode", ("auto", "required")), "auto"), names, source)
    return ToolChoice("required", None, source)
