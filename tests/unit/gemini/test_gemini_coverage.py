"""Each row of the requests' coverage, held to what it says: one request that holds the word, one that does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.gemini import ADAPTER
from adapters.hub.coverage import Rule
from adapters.hub.errors import BadRequest, Unsupported

Json = dict[str, Any]
ROWS = ADAPTER.coverage.requests
MODEL = "gemini-3-pro-image"
USER: Json = {"type": "message", "role": "user", "content": "hi"}
FUNCTION: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}
PLAIN: Json = {"model": MODEL, "input": [USER]}
SCHEMA: Json = {"type": "json_schema", "name": "n", "schema": {"type": "object"}}

FIELD_VALUES: Json = {
    "access_programs": {"cyber": True}, "background": True, "background_options": {"completion_window": "2h"},
    "client_metadata": {"a": "b"}, "context_management": [{"type": "compaction"}], "conversation": "c",
    "image": {"context_compression": "enabled"}, "include": ["message.output_text.logprobs"],
    "input": [USER, USER], "instructions": "i", "max_output_tokens": 9, "max_tool_calls": 3, "metadata": {"a": "b"},
    "model": "gemini-y", "moderation": {"model": "m"}, "multi_agent": {"enabled": True}, "parallel_tool_calls": False,
    "previous_response_id": "resp_gw1gemini_v1", "prompt": {"id": "p"}, "prompt_cache_key": "k",
    "prompt_cache_options": {"mode": "explicit"}, "prompt_cache_retention": "24h", "reasoning": {"effort": "low"},
    "safety_identifier": "s", "service_tier": "flex", "store": False, "stream": True,
    "stream_options": {"include_obfuscation": True}, "temperature": 0.5, "text": {"format": SCHEMA},
    "tool_choice": "required", "tools": [FUNCTION], "top_logprobs": 3, "top_p": 0.5, "truncation": "auto",
    "user": "u", "x_dragoman": {"gemini": {"labels": {"a": "b"}}},
}  # fmt: skip

ITEM_VALUES: Json = {
    "message": {"role": "assistant", "content": "a"},
    "reasoning": {"summary": [], "encrypted_content": "gw1.gemini.s"},
    "function_call": {"call_id": "c", "name": "f", "arguments": "{}"},
    "function_call_output": {"call_id": "c", "output": "o"},
    "custom_tool_call": {"call_id": "c", "name": "f", "input": "i"},
    "custom_tool_call_output": {"call_id": "c", "output": "o"},
    "shell_call": {"call_id": "c", "action": {"commands": ["ls"]}},
    "shell_call_output": {"call_id": "c", "output": [{"stdout": "o"}]},
    "local_shell_call": {"call_id": "c", "action": {"type": "exec", "command": ["ls"]}},
    "local_shell_call_output": {"output": "o"},
    "apply_patch_call": {"call_id": "c", "operation": {"type": "delete_file", "path": "p"}},
    "apply_patch_call_output": {"call_id": "c", "status": "completed"},
    "code_interpreter_call": {"code": "1", "outputs": []},
    "mcp_call": {"server_label": "w", "name": "ask", "arguments": "{}", "output": "o"},
    "image_generation_call": {"result": "QQ=="},
    "tool_search_call": {"arguments": {}},
    "tool_search_output": {"tools": [FUNCTION]},
    "additional_tools": {"role": "developer", "tools": [FUNCTION]},
    "configuration_update": {"reasoning": {"effort": "low"}},
}
BEFORE: dict[str, list[Json]] = {"tool_search_output": [{"type": "tool_search_call", "id": "t", "arguments": {}}]}

CONTENT_VALUES: Json = {
    "input_text": {"text": "t"}, "input_image": {"image_url": "https://i"}, "input_file": {"file_url": "https://f.pdf"},
    "input_audio": {"audio_url": "https://a.mp3"}, "input_video": {"video_url": "https://a.mp4"},
    "output_text": {"text": "t", "annotations": []}, "refusal": {"refusal": "r"},
}  # fmt: skip

TOOL_VALUES: Json = {
    "function": FUNCTION,
    "custom": {"name": "f"},
    "namespace": {"name": "n", "description": "d", "tools": [FUNCTION]},
    "code_interpreter": {"container": {"type": "auto"}},
    "file_search": {"vector_store_ids": ["fileSearchStores/s"]},
    "mcp": {"server_label": "w", "server_url": "https://m", "require_approval": "never"},
}

TOOL_FIELD_VALUES: Json = {
    "async": True, "allowed_callers": ["programmatic"], "output_schema": {"type": "object"}, "strict": True,
    "defer_loading": True, "name": "g", "description": "d", "parameters": {"type": "array"},
    "filters": {"type": "eq", "key": "k", "value": 1}, "search_context_size": "low",
    "user_location": {"type": "approximate"}, "external_web_access": False, "search_content_types": ["image"],
    "container": {"type": "auto"}, "file_ids": ["f"], "memory_limit": "4g", "network_policy": {"type": "allowlist"},
    "vector_store_ids": ["fileSearchStores/t"], "max_num_results": 3, "ranking_options": {"ranker": "auto"},
    "size": "1024x1024", "output_format": "jpeg", "input_image_mask": {"image_url": "u"}, "partial_images": 2,
    "action": "edit", "background": "opaque", "complexity": "low", "frame_count": 3, "frame_duration_ms": 9,
    "input_fidelity": "low", "moderation": "low", "output_compression": 9, "quality": "low", "svg": {"a": 1},
    "model": "gpt-image-2", "server_label": "v", "server_url": "https://n", "headers": {"a": "b"},
    "require_approval": "never", "authorization": "t", "allowed_tools": ["ask"], "connector_id": "c", "tunnel_id": "t",
    "server_description": "d", "execution": "server",
}  # fmt: skip

NAMED: Json = {
    "function": {"name": "f"},
    "custom": {"name": "f"},
    "namespace": {"name": "n"},
    "mcp": {"server_label": "w"},
}
CHOICE_TOOLS: Json = {
    "allowed_tools": FUNCTION,
    "web_search_preview_2025_03_11": {"type": "web_search_preview"},
    "computer_use": {"type": "computer"},
}


def with_item(item: Json, *before: Json) -> Json:
    return {**PLAIN, "input": [USER, *before, item]}


def with_tool(tool: Json) -> Json:
    return {**PLAIN, "tools": [tool]}


# each gives a request with the word, one without it (None: any is different), and where the word stands
Sample = tuple[Json, Json | None, str]


def field(name: str) -> Sample:
    tools = {"tools": [FUNCTION]} if name == "tool_choice" else {}
    stream = {"stream": True} if name == "background" else {}
    return {**PLAIN, **tools, **stream, name: FIELD_VALUES[name]}, {**PLAIN, **tools, **stream}, name


def include(name: str) -> Sample:
    return {**PLAIN, "include": [name]}, None, "include[0]"


def item(name: str) -> Sample:
    before = BEFORE.get(name, [])
    told = {"id": "x_1", **ITEM_VALUES.get(name, {}), "type": name}
    return with_item(told, *before), with_item(USER), f"input[{1 + len(before)}]"


def item_field(name: str) -> Sample:
    message = {"role": "assistant", "content": "a"}
    return with_item({**message, name: True}), with_item(message), f"input[1].{name}"


def content(name: str) -> Sample:
    role = "assistant" if name in ("output_text", "refusal") else "user"
    told = {"type": "message", "role": role, "content": [{"type": name, **CONTENT_VALUES.get(name, {})}]}
    if name in ("summary_text", "reasoning_text"):
        said = {"summary": [{"type": "summary_text", "text": "s"}], "encrypted_content": "gw1.gemini.s"}
        told = {"type": "reasoning", **said, "content": [{"type": "reasoning_text", "text": "t"}]}
    return with_item(told), with_item(USER), "input[1].content"


def annotation(name: str) -> Sample:
    cite = {"type": name, "url": "u", "title": "t", "file_id": "f", "filename": "n", "container_id": "c", "index": 0,
            "start_index": 0, "end_index": 1}  # fmt: skip
    part = {"type": "output_text", "text": "a", "annotations": [cite]}
    bare = {"role": "assistant", "content": [{**part, "annotations": []}]}
    return with_item({"role": "assistant", "content": [part]}), with_item(bare), "input[1].content[0].annotations[0]"


def detail(name: str) -> Sample:
    image = {"type": "input_image", "image_url": "https://i", "detail": name}
    return with_item({"role": "user", "content": [image]}), None, "input[1].content[0].detail"


def tool(name: str) -> Sample:
    return with_tool({**TOOL_VALUES.get(name, {}), "type": name}), PLAIN, "tools[0]"


def tool_field(kind: str) -> Callable[[str], Sample]:
    def sample(name: str) -> Sample:
        if kind == "container":
            told = {
                "type": "code_interpreter",
                "container": {"type": "auto", name: TOOL_FIELD_VALUES.get(name, "auto")},
            }
            return with_tool(told), None, f"tools[0].container.{name}"
        bare = {**TOOL_VALUES.get(kind, {}), "type": kind}
        given = (
            {"type": "object"} if (kind, name) == ("tool_search", "parameters") else TOOL_FIELD_VALUES.get(name, kind)
        )
        return with_tool({**bare, name: given}), None, f"tools[0].{name}"

    return sample


def tool_choice(name: str) -> Sample:
    kind = CHOICE_TOOLS.get(name, {}).get("type", name)
    declared = {**TOOL_VALUES.get(kind, {}), "type": kind}
    if name in ("none", "auto", "required"):
        return {**with_tool(FUNCTION), "tool_choice": name}, None, "tool_choice"
    choice: Json = {"type": name, **NAMED.get(kind, {})}
    if name == "allowed_tools":
        declared, choice = FUNCTION, {"type": name, "mode": "auto", "tools": [{"type": "function", "name": "f"}]}
    tools = [declared, {"type": "function", "name": "other", "parameters": None}]
    wanted = {**PLAIN, "tools": tools, "tool_choice": choice}
    return (
        wanted,
        {**PLAIN, "tools": tools} if kind not in ("computer", "computer_use_preview") else None,
        "tool_choice",
    )


def setting(top: str, values: Json) -> Callable[[str], Sample]:
    return lambda name: ({**PLAIN, top: {name: values[name]}}, PLAIN, f"{top}.{name}")


def format_(name: str) -> Sample:
    return {**PLAIN, "text": {"format": {**SCHEMA, "type": name}}}, None, "text.format"


def format_field(name: str) -> Sample:
    values = {"description": "d", "strict": True, **SCHEMA}
    return {**PLAIN, "text": {"format": {**SCHEMA, name: values[name]}}}, None, f"text.format.{name}"


REASONING_VALUES = {
    "effort": "low", "summary": "auto", "generate_summary": "auto", "context": "all_turns", "mode": "pro",
}  # fmt: skip

SAMPLES: dict[str, Callable[[str], Sample]] = {
    "field": field,
    "include": include,
    "item": item,
    "item field": item_field,
    "content": content,
    "annotation": annotation,
    "detail": detail,
    "tool": tool,
    "tool_choice": tool_choice,
    "reasoning": setting("reasoning", REASONING_VALUES),
    "effort": lambda name: ({**PLAIN, "reasoning": {"effort": name}}, PLAIN, "reasoning.effort"),
    "summary": lambda name: ({**PLAIN, "reasoning": {"summary": name}}, PLAIN, "reasoning.summary"),
    "service_tier": lambda name: ({**PLAIN, "service_tier": name}, PLAIN, "service_tier"),
    "text": setting("text", {"format": SCHEMA, "verbosity": "low"}),
    "format": format_,
    "field of format": format_field,
    **{feature: tool_field(feature.removeprefix("field of ")) for feature in ROWS if feature.startswith("field of ")},
}
SAMPLES["field of format"] = format_field

TOLD_BACK = {("field", "include"), ("field", "metadata"), ("field", "parallel_tool_calls"), ("service_tier", "auto")}
"""Taken without a word to Gemini: the gateway tells it back, or it is what Gemini does unasked."""


def rows(*verdicts: str) -> list[Any]:
    return [
        pytest.param(feature, name, rule, id=f"{feature}-{name}")
        for feature, words in ROWS.items()
        for name, rule in words.items()
        if rule.verdict in verdicts
    ]


@pytest.mark.parametrize(("feature", "name", "rule"), rows("rejected"))
def test_what_is_rejected(feature: str, name: str, rule: Rule, send: Any) -> None:
    body, _, path = SAMPLES[feature](name)
    with pytest.raises(Unsupported) as caught:
        send(body)
    assert caught.value.param == path
    assert rule.reason in caught.value.message


@pytest.mark.parametrize(("feature", "name", "rule"), rows("dropped"))
def test_what_is_dropped(feature: str, name: str, rule: Rule, send: Any) -> None:
    body, _, path = SAMPLES[feature](name)
    losses = send(body)[1]
    assert losses.get(path, "") == rule.reason


@pytest.mark.parametrize(("feature", "name", "rule"), rows("exact", "approximated"))
def test_what_arrives(feature: str, name: str, rule: Rule, send: Any) -> None:
    body, without, path = SAMPLES[feature](name)
    sent, losses = send(body)
    if without is not None and (feature, name) not in TOLD_BACK:
        assert sent != send(without)[0]
    if rule.verdict == "exact":
        assert path not in losses
    else:
        assert rule.reason


@pytest.mark.parametrize("kind", ["item", "content", "tool", "tool_choice"])
def test_what_has_no_row_is_refused(kind: str, send: Any) -> None:
    body, _, path = SAMPLES[kind]("word_of_tomorrow")
    with pytest.raises(BadRequest) as caught:
        send(body)
    assert caught.value.param is not None
    assert caught.value.param.startswith(path)


def test_a_field_without_a_row_is_reported(send: Any) -> None:
    assert "field_of_tomorrow" in send({**PLAIN, "field_of_tomorrow": 1})[1]


# -- the names ---------------------------------------------------------------------------------


def _names(entries: list[Json], key: str = "type") -> set[str]:
    names: list[str | list[str]] = [entry[key] for entry in entries]
    return {name for told in names for name in ([told] if isinstance(told, str) else told)}


def test_every_word_of_the_dialect_has_a_row(shared: Path) -> None:
    wire: Json = json.loads((shared / "wire" / "openai.json").read_bytes())
    items, beta = wire["input_item_types"], wire["input_item_types_beta_only"]
    content_types = [entry for kind, told in wire["content_types"].items() if kind != "note" for entry in told]
    told: dict[str, set[str]] = {
        "field": _names(wire["request_fields"], "name"),
        "include": set(wire["includable"]),
        "item": _names([*items, *beta]),
        "content": _names(content_types),
        "tool": _names(wire["tool_types"]),
        "tool_choice": {*wire["tool_choice"]["strings"], *_names(wire["tool_choice"]["objects"])},
        "effort": {"none", "minimal", "low", "medium", "high", "xhigh", "max"},
        "service_tier": {"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"},
        "format": {"text", "json_object", "json_schema"},
    }
    assert {
        feature: names - ROWS[feature].keys() for feature, names in told.items() if names - ROWS[feature].keys()
    } == {}
