"""The rows of requests are true: the smallest request with a word is refused, reported or sent, as its row says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import adapters
from adapters.hub.coverage import Rule
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import VENDORS, surface

FACE = "openai"
USER: Json = {"type": "message", "role": "user", "content": "hi"}
FUNCTION: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}
PATCH: Json = {"type": "delete_file", "path": "p"}
SCHEMA: Json = {"type": "json_schema", "name": "n", "schema": {"type": "object"}}
SEARCH: Json = {"type": "search", "query": "q"}

FIELDS: Json = {
    "access_programs": {"cyber": True},
    "background": True,
    "background_options": {"completion_window": "2h"},
    "client_metadata": {"a": "b"},
    "context_management": [{"type": "compaction"}],
    "conversation": "c",
    "image": {"context_compression": "enabled"},
    "include": ["reasoning.encrypted_content"],
    "input": [USER, USER],
    "instructions": "i",
    "max_output_tokens": 9,
    "max_tool_calls": 3,
    "metadata": {"a": "b"},
    "model": "another",
    "moderation": {"model": "m"},
    "multi_agent": {"enabled": True},
    "parallel_tool_calls": False,
    "prompt": {"id": "p"},
    "prompt_cache_key": "k",
    "prompt_cache_options": {"mode": "explicit"},
    "prompt_cache_retention": "24h",
    "reasoning": {"effort": "low"},
    "safety_identifier": "s",
    "service_tier": "priority",
    "store": False,
    "stream": True,
    "stream_options": {"include_obfuscation": True},
    "temperature": 0.5,
    "text": {"format": SCHEMA},
    "tool_choice": "required",
    "tools": [FUNCTION],
    "top_logprobs": 3,
    "top_p": 0.5,
    "truncation": "auto",
    "user": "u",
    "thinking": {"type": "disabled"},
    "caching": {"type": "enabled"},
    "expire_at": 1_700_000_000,
    "session": {"a": "b"},
}

ITEMS: Json = {
    "message": {"role": "assistant", "content": "a"},
    "function_call": {"call_id": "c", "name": "f", "arguments": "{}"},
    "function_call_output": {"call_id": "c", "output": "o"},
    "custom_tool_call": {"call_id": "c", "name": "f", "input": "i"},
    "custom_tool_call_output": {"call_id": "c", "output": "o"},
    "shell_call": {"call_id": "c", "action": {"commands": ["ls"]}},
    "shell_call_output": {"call_id": "c", "output": [{"stdout": "o"}]},
    "local_shell_call": {"call_id": "c", "action": {"type": "exec", "command": ["ls"]}},
    "local_shell_call_output": {"output": "o"},
    "apply_patch_call": {"call_id": "c", "operation": PATCH},
    "apply_patch_call_output": {"call_id": "c", "status": "completed"},
    "web_search_call": {"status": "completed", "action": SEARCH},
    "file_search_call": {"status": "completed", "queries": ["q"]},
    "code_interpreter_call": {"code": "1", "outputs": [], "status": "completed", "container_id": "k"},
    "mcp_call": {"server_label": "w", "name": "ask", "arguments": "{}", "output": "o"},
    "mcp_list_tools": {"server_label": "w", "tools": []},
    "mcp_approval_request": {"server_label": "w", "name": "ask", "arguments": "{}"},
    "mcp_approval_response": {"approve": True},
    "image_generation_call": {"result": "QQ==", "status": "completed"},
    "tool_search_call": {"arguments": {}},
    "tool_search_output": {"tools": [FUNCTION]},
    "additional_tools": {"role": "developer", "tools": [FUNCTION]},
    "configuration_update": {"reasoning": {"effort": "low"}},
}
ASKED: dict[str, list[Json]] = {"tool_search_output": [{"type": "tool_search_call", "id": "t_1", "arguments": {}}]}
"""What stands before an item that answers."""

TOOLS: Json = {
    "function": FUNCTION,
    "custom": {"name": "f"},
    "namespace": {"name": "n", "description": "d", "tools": [FUNCTION]},
    "code_interpreter": {"container": {"type": "auto"}},
    "file_search": {"vector_store_ids": ["s"]},
    "mcp": {"server_label": "w", "server_url": "https://m.test", "require_approval": "never"},
    "knowledge_search": {"knowledge_resource_id": "k"},
    "image_process": {"zoom": {"type": "enabled"}},
    "doubao_app": {"feature": {"chat": {"type": "enabled"}}},
}

CONTENT: Json = {
    "input_text": {"text": "t"},
    "input_image": {"image_url": "https://i.test"},
    "input_file": {"file_url": "https://f.test/a.pdf"},
    "input_audio": {"input_audio": {"data": "QQ==", "format": "mp3"}},
    "input_video": {"video_url": "https://v.test/a.mp4"},
    "output_text": {"text": "t", "annotations": []},
    "refusal": {"refusal": "r"},
    "reasoning_text": {"text": "t"},
}

NAMED: Json = {
    "function": {"name": "f"},
    "custom": {"name": "f"},
    "namespace": {"name": "n"},
    "mcp": {"server_label": "w"},
}
"""How a choice names the tool of its kind."""

STORES = {"s": "fileSearchStores/s"}
"""What the settings call the vendor's own store of files."""

UNSENT = (
    (r"\w+-field-metadata", "the gateway tells it back"),
    (r"gemini-field-include|gemini-include-.*", "Gemini gives unasked what it has"),
    (r"gemini-field-parallel_tool_calls", "Gemini decides it, and the gateway tells it back"),
)
"""Rows of words that arrive without a word to the vendor, and why."""


def plain(vendor: str) -> Json:
    """The smallest request, of a model that can do what the words need."""
    return {"model": "gemini-3-pro-image" if vendor == "gemini" else "m", "input": [USER]}


def own_id(vendor: str, prefix: str) -> str:
    """An id as the client was shown it by that vendor."""
    return f"{prefix}1" if vendor == FACE else f"{prefix}gw1{vendor}_{prefix}1"


def field(vendor: str, name: str) -> tuple[Json, Json, str]:
    bare = plain(vendor) | ({"tools": [FUNCTION]} if name in ("tool_choice", "parallel_tool_calls") else {})
    if name == "previous_response_id":
        return {**bare, name: own_id(vendor, "resp_")}, bare, name
    if name == "x_dragoman":
        return {**bare, name: {vendor: {"extra_word": "w"}}}, bare, name
    if name.startswith("background"):
        bare["stream"] = True
    return {**bare, name: FIELDS[name]}, bare, name


def include(vendor: str, name: str) -> tuple[Json, Json, str]:
    return {**plain(vendor), "include": [name]}, plain(vendor), "include[0]"


def tool(vendor: str, name: str) -> tuple[Json, Json, str]:
    told = {**TOOLS.get(name, {}), "type": name}
    return {**plain(vendor), "tools": [told]}, plain(vendor), "tools[0]"


def item(vendor: str, name: str) -> tuple[Json, Json, str]:
    told: Json = {"id": own_id(vendor, "x_"), **ITEMS.get(name, {}), "type": name}
    if name == "reasoning":
        told |= {"summary": [], "encrypted_content": "s" if vendor == FACE else f"gw1.{vendor}.s"}
    if name == "mcp_approval_response":
        told["approval_request_id"] = own_id(vendor, "mcpr_")
    before = [USER, *ASKED.get(name, [])]
    return {**plain(vendor), "input": [*before, told]}, {**plain(vendor), "input": before}, f"input[{len(before)}]"


def content(vendor: str, name: str) -> tuple[Json, Json, str]:
    bare = plain(vendor)
    told = {"type": name, **CONTENT.get(name, {})}
    if name in ("summary_text", "reasoning_text"):
        seal = "s" if vendor == FACE else f"gw1.{vendor}.s"
        thought: Json = {"type": "reasoning", "id": own_id(vendor, "rs_"), "summary": [], "encrypted_content": seal}
        place, part = ("summary", {"type": name, "text": "t"}) if name == "summary_text" else ("content", told)
        whole = {**bare, "input": [USER, {**thought, place: [part]}]}
        return whole, {**bare, "input": [USER, thought]}, f"input[1].{place}"
    role = "assistant" if name in ("output_text", "refusal") else "user"
    message: Json = {"type": "message", "role": role, "content": [told]}
    return {**bare, "input": [USER, message]}, bare, "input[1].content"


def tool_choice(vendor: str, name: str) -> tuple[Json, Json, str]:
    kind = {"allowed_tools": "function", "computer_use": "computer"}.get(name, name)
    if name in ("none", "auto", "required"):
        bare = {**plain(vendor), "tools": [FUNCTION]}
        return (
            {**bare, "tool_choice": name},
            {**bare, "tool_choice": "none" if name == "auto" else "auto"},
            "tool_choice",
        )
    declared = [{**TOOLS.get(kind, {}), "type": kind}, {**FUNCTION, "name": "other"}]
    if name == "allowed_tools":
        choice: Json = {"type": name, "mode": "auto", "tools": [{"type": "function", "name": "f"}]}
    else:
        choice = {"type": name, **NAMED.get(kind, {})}
    bare = {**plain(vendor), "tools": declared}
    return {**bare, "tool_choice": choice}, bare, "tool"


SAMPLES = {
    "field": field,
    "include": include,
    "tool": tool,
    "tool_choice": tool_choice,
    "item": item,
    "content": content,
}


def send(body: Json, vendor: str) -> tuple[Json, dict[str, str]]:
    """What the vendor is sent, and the losses by their paths."""
    adapter, spoken, losses = adapters.load(vendor), surface(FACE), Ledger()
    request = spoken.decode_request(body)
    emulation = spoken.emulate(request, adapter.client_tools, losses) if spoken.emulate else None
    request = replace(emulation.request if emulation else request, store_ids=STORES)
    sent = adapter.codec.encode_request(request, losses)
    return sent, {loss.path: loss.reason for loss in losses.losses}


def rows(*verdicts: str) -> list[Any]:
    found: list[Any] = []
    for vendor in VENDORS:
        coverage = adapters.load(vendor).coverage.requests
        for feature in SAMPLES:
            for word, rule in coverage.get(feature, {}).items():
                if rule.verdict in verdicts:
                    found.append(pytest.param(vendor, feature, word, rule, id=f"{vendor}-{feature}-{word}"))
    return found


@pytest.mark.parametrize(("vendor", "feature", "word", "rule"), rows("rejected"))
def test_what_is_rejected_is_refused_by_name(vendor: str, feature: str, word: str, rule: Rule) -> None:
    body, _, path = SAMPLES[feature](vendor, word)
    with pytest.raises(BadRequest) as caught:
        send(body, vendor)
    assert (caught.value.param or "").startswith(path)


@pytest.mark.parametrize(("vendor", "feature", "word", "rule"), rows("dropped"))
def test_what_is_dropped_is_reported(vendor: str, feature: str, word: str, rule: Rule) -> None:
    body, _, path = SAMPLES[feature](vendor, word)
    lost = send(body, vendor)[1]
    assert any(place.startswith(path) for place in lost) is bool(rule.reason)


@pytest.mark.parametrize(("vendor", "feature", "word", "rule"), rows("exact", "approximated"))
def test_what_arrives_is_in_the_body(vendor: str, feature: str, word: str, rule: Rule) -> None:
    body, without, path = SAMPLES[feature](vendor, word)
    sent, lost = send(body, vendor)
    if rule.verdict == "exact":
        assert path not in lost
    changed = sent != send(without, vendor)[0]
    assert changed or any(re.fullmatch(row, f"{vendor}-{feature}-{word}") for row, _ in UNSENT)
