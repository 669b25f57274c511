"""How a whole step is told as events: what its `step.start` holds, and which deltas bring the rest."""

from __future__ import annotations

from typing import Final

from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_list, as_object, as_text, dumps_any

_ARGUMENTS: Json = {"arguments": {}}
_RESULTS: Json = {"result": []}

_HOSTED: Final[dict[str, tuple[Json, frozenset[str]]]] = {
    "google_search_call": (_ARGUMENTS, frozenset({"arguments", "signature"})),
    "google_search_result": (_RESULTS, frozenset({"result", "is_error", "signature"})),
    "url_context_call": (_ARGUMENTS, frozenset({"arguments", "signature"})),
    "url_context_result": (_RESULTS, frozenset({"result", "is_error", "signature"})),
    "google_maps_call": ({}, frozenset({"arguments", "signature"})),
    "google_maps_result": (_RESULTS, frozenset({"result", "signature"})),
    "retrieval_call": (_ARGUMENTS, frozenset({"arguments", "retrieval_type", "signature"})),
    "retrieval_result": ({}, frozenset({"is_error", "signature"})),
    "file_search_call": ({}, frozenset({"signature"})),
    "file_search_result": ({}, frozenset({"result", "signature"})),
    "code_execution_call": (_ARGUMENTS, frozenset({"arguments", "signature"})),
    "code_execution_result": ({"result": ""}, frozenset({"result", "is_error", "signature"})),
    "mcp_server_tool_call": (_ARGUMENTS, frozenset({"arguments"})),
    "mcp_server_tool_result": ({"result": ""}, frozenset({"result"})),
    "tool_search_call": (_ARGUMENTS, frozenset({"arguments", "signature"})),
    "tool_search_result": (_RESULTS, frozenset({"result", "signature"})),
    "processing_call": ({}, frozenset({"signature"})),
    "processing_result": ({}, frozenset({"signature"})),
}
"""Steps of tools: the required fields that `step.start` has empty, and the fields that a delta brings."""

_DELTAS_NEED: Final[dict[str, tuple[Json, tuple[str, ...]]]] = {
    "file_search_result": ({"result": []}, ()),
    "mcp_server_tool_call": ({}, ("name", "server_name")),
    "mcp_server_tool_result": ({}, ("name", "server_name")),
}
"""What the SDK's types of a delta require besides: empty fields, and fields of the step that are said again."""
_NOTHING: Final[tuple[Json, tuple[str, ...]]] = ({}, ())


def events_of(step: Json) -> tuple[Json, list[Json]]:
    """The step of `step.start`, and the deltas, whose sum is `step`. What no delta can bring stands in the start."""
    kind = as_text(step.get("type"))
    if kind == "function_call" and isinstance(step.get("arguments"), dict):
        delta = {"type": "arguments_delta", "arguments": dumps_any(step["arguments"]).decode()}
        return {**step, "arguments": {}}, [delta] if step["arguments"] else []
    if kind == "model_output" and all("annotations" not in block and EXTENSION not in block for block in _blocks(step)):
        return {key: value for key, value in step.items() if key != "content"}, _blocks(step)
    if kind not in _HOSTED:
        return step, []
    empty, brought = _HOSTED[kind]
    if kind == "code_execution_result" and not isinstance(step.get("result"), str):
        brought -= {"result"}  # a delta takes text only
    told = {key: value for key, value in step.items() if key in brought}
    start = {key: value for key, value in step.items() if key not in brought}
    start |= {key: value for key, value in empty.items() if key in brought}
    if not told:
        return start, []
    needed, again = _DELTAS_NEED.get(kind, _NOTHING)
    return start, [{"type": kind, **needed, **{key: step[key] for key in again if key in step}, **told}]


def _blocks(step: Json) -> list[Json]:
    return [as_object(block) for block in as_list(step.get("content"))]
