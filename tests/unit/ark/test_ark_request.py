"""What Ark is sent: the fields it takes, each by its row, and what is told of those it does not."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adapters
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.wire_json import Json

ADAPTER = adapters.load("ark")
SURFACE = adapters.load("openai").surface
SCHEMA: Json = {"type": "object", "properties": {}}


def send(**fields: Any) -> tuple[Json, list[str]]:
    """The body for Ark, and the paths of what is lost."""
    assert SURFACE is not None
    losses = Ledger()
    request = SURFACE.decode_request({"model": "doubao-x", "input": "x", **fields})
    return ADAPTER.codec.encode_request(request, losses), [loss.path for loss in losses.losses]


PLAIN: Json = {"model": "doubao-x", "input": "x", "stream": False}

# fields of the request: (what Ark is sent besides the model and the input, what is lost)
FIELDS: dict[str, tuple[Json, Json, list[str]]] = {
    "the common fields": (
        {
            "instructions": "be",
            "temperature": 0.5,
            "top_p": 1,
            "max_output_tokens": 9,
            "parallel_tool_calls": False,
            "store": True,
            "stream": True,
        },
        {
            "instructions": "be",
            "temperature": 0.5,
            "top_p": 1,
            "max_output_tokens": 9,
            "parallel_tool_calls": False,
            "store": True,
            "stream": True,
        },
        [],
    ),
    "its own previous response": (
        {"previous_response_id": "resp_gw1ark_resp_02"},
        {"previous_response_id": "resp_02"},
        [],
    ),
    "M08 effort none": (
        {"reasoning": {"effort": "none"}},
        {"reasoning": {"effort": "minimal"}, "thinking": {"type": "disabled"}},
        [],
    ),
    "M08 effort minimal": ({"reasoning": {"effort": "minimal"}}, {"reasoning": {"effort": "minimal"}}, []),
    "effort high": ({"reasoning": {"effort": "high", "summary": "auto"}}, {"reasoning": {"effort": "high"}}, []),
    "effort beyond high": ({"reasoning": {"effort": "xhigh"}}, {"reasoning": {"effort": "high"}}, ["reasoning.effort"]),
    "a summary of one length": ({"reasoning": {"summary": "detailed"}}, {}, ["reasoning.summary"]),
    "a setting of reasoning that it has not": (
        {"reasoning": {"effort": "low", "mode": "pro"}},
        {"reasoning": {"effort": "low"}},
        ["reasoning.mode"],
    ),
    "M03 its own fields": (
        {"thinking": {"type": "disabled"}, "caching": {"type": "enabled"}, "expire_at": 5, "session": {"id": "s"}},
        {"thinking": {"type": "disabled"}, "caching": {"type": "enabled"}, "expire_at": 5, "session": {"id": "s"}},
        [],
    ),
    "M03 its own thinking counts more than an effort": (
        {"reasoning": {"effort": "none"}, "thinking": {"type": "auto"}},
        {"reasoning": {"effort": "minimal"}, "thinking": {"type": "auto"}},
        [],
    ),
    "calls of tools": ({"max_tool_calls": 3}, {"max_tool_calls": 3}, []),
    "too many calls of tools": ({"max_tool_calls": 99}, {"max_tool_calls": 10}, ["max_tool_calls"]),
    "text": ({"text": {"format": {"type": "text"}}}, {}, []),
    "any JSON": ({"text": {"format": {"type": "json_object"}}}, {"text": {"format": {"type": "json_object"}}}, []),
    "JSON of a schema": (
        {
            "text": {
                "format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True},
                "verbosity": "low",
            }
        },
        {"text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}}},
        ["text.verbosity"],
    ),
    "what can be included": (
        {"include": ["reasoning.encrypted_content", "message.output_text.logprobs"]},
        {"include": ["reasoning.encrypted_content"]},
        ["include[1]"],
    ),
    "what its search found": (
        {"include": ["web_search_call.action.sources", "web_search_call.results"]},
        {},
        ["include[0]", "include[1]"],
    ),
    "hints": (
        {
            "user": "u",
            "safety_identifier": "s",
            "prompt_cache_key": "k",
            "prompt_cache_retention": "24h",
            "stream_options": {},
        },
        {},
        [],
    ),
    "what says nothing": ({"truncation": "disabled", "top_logprobs": 0, "metadata": {"a": "b"}}, {}, []),
    "what an answer can do without": (
        {
            "truncation": "auto",
            "top_logprobs": 3,
            "moderation": {"model": "m"},
            "access_programs": {"a": 1},
            "context_management": [{"type": "compaction"}],
        },
        {},
        ["truncation", "top_logprobs", "moderation", "access_programs", "context_management"],
    ),
    "M02 a field of tomorrow": ({"field_of_tomorrow": 1}, {}, ["field_of_tomorrow"]),
    "a fast tier": ({"service_tier": "priority"}, {"service_tier": "fast"}, []),
    "a tier that it has not": ({"service_tier": "flex"}, {}, ["service_tier"]),
    "a tier that is none": ({"service_tier": 5}, {}, ["service_tier"]),
    "a client's words to it": (
        {"x_dragoman": {"ark": {"thinking": {"type": "auto"}, "stream": True}, "openai": {"a": 1}}},
        {"thinking": {"type": "auto"}},
        [],
    ),
}


@pytest.mark.parametrize(("fields", "sent", "lost"), FIELDS.values(), ids=FIELDS.keys())
def test_a_field(fields: Json, sent: Json, lost: list[str]) -> None:
    """c.1, c.6"""
    assert send(**fields) == (PLAIN | sent, lost)


REFUSED: dict[str, tuple[Json, str]] = {
    "background": ({"background": True}, "background"),
    "a template": ({"prompt": {"id": "p"}}, "prompt"),
    "a conversation": ({"conversation": "c"}, "conversation"),
    "an effort that nobody has": ({"reasoning": {"effort": "enormous"}}, "reasoning.effort"),
    "M06 a bot": ({"model": "bot-20250101"}, "model"),
    "a tool that it has not": (
        {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]},
        "tools[0].type",
    ),
    "a server by its connector": (
        {"tools": [{"type": "mcp", "server_label": "s", "connector_id": "c"}]},
        "tools[0].connector_id",
    ),
    "a choice that it cannot make": ({"tool_choice": {"type": "file_search"}}, "tool_choice.type"),
}


@pytest.mark.parametrize(("fields", "param"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_done_and_must_not_be_ignored(fields: Json, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        send(**fields)
    assert (caught.value.status, caught.value.code, caught.value.param) == (400, "unsupported_value", param)


def test_a_previous_response_of_another_vendor_is_refused() -> None:
    """I08"""
    with pytest.raises(BadRequest) as caught:
        send(previous_response_id="resp_0123")
    assert (caught.value.code, caught.value.param) == ("previous_response_not_found", "previous_response_id")


FUNCTION: Json = {"type": "function", "name": "f", "description": "d", "parameters": SCHEMA}
TOOLS: dict[str, tuple[Json, Json, list[str]]] = {
    "a function": ({**FUNCTION, "strict": False}, FUNCTION, []),
    "a function of a strict kind": ({**FUNCTION, "strict": True}, FUNCTION, ["tools[0].strict"]),
    "a function without parameters": (
        {"type": "function", "name": "f", "parameters": None},
        {"type": "function", "name": "f", "parameters": SCHEMA},
        [],
    ),
    "a function with more": ({**FUNCTION, "defer_loading": True}, FUNCTION, ["tools[0].defer_loading"]),
    "a search": ({"type": "web_search"}, {"type": "web_search"}, []),
    "a search of a size": (
        {"type": "web_search_preview", "search_context_size": "high"},
        {"type": "web_search", "limit": 20},
        [],
    ),
    "a search of a size of tomorrow": (
        {"type": "web_search", "search_context_size": "huge"},
        {"type": "web_search"},
        ["tools[0].search_context_size"],
    ),
    "a search of its own number": (
        {"type": "web_search", "search_context_size": "low", "limit": 7, "sources": ["toutiao"]},
        {"type": "web_search", "limit": 7, "sources": ["toutiao"]},
        [],
    ),
    "M02 a search with the field it refuses": (
        {"type": "web_search", "external_web_access": True},
        {"type": "web_search"},
        [],
    ),
    "a search kept from the web": (
        {"type": "web_search", "external_web_access": False},
        {"type": "web_search"},
        ["tools[0].external_web_access"],
    ),
    "a search with filters": (
        {"type": "web_search", "filters": {"allowed_domains": ["a"]}, "x": 1},
        {"type": "web_search"},
        ["tools[0].filters", "tools[0].x"],
    ),
    "a search from a place": (
        {
            "type": "web_search",
            "user_location": {"type": "approximate", "city": "X", "region": None, "timezone": "Asia/Shanghai"},
        },
        {"type": "web_search", "user_location": {"type": "approximate", "city": "X"}},
        ["tools[0].user_location.timezone"],
    ),
    "a search from a place of its own kind": (
        {"type": "web_search", "user_location": {"type": "approximate", "timezone": 8.0}},
        {"type": "web_search", "user_location": {"type": "approximate", "timezone": 8.0}},
        [],
    ),
    "a server": (
        {
            "type": "mcp",
            "server_label": "s",
            "server_url": "u",
            "require_approval": "never",
            "allowed_tools": ["a"],
            "authorization": None,
        },
        {"type": "mcp", "server_label": "s", "server_url": "u", "require_approval": "never", "allowed_tools": ["a"]},
        [],
    ),
    "a server with a token": (
        {"type": "mcp", "server_label": "s", "server_url": "u", "authorization": "t", "headers": {"a": "b"}},
        {"type": "mcp", "server_label": "s", "server_url": "u", "headers": {"a": "b", "Authorization": "Bearer t"}},
        [],
    ),
    "its own search of documents": (
        {"type": "knowledge_search", "knowledge_resource_id": "k", "limit": 3},
        {"type": "knowledge_search", "knowledge_resource_id": "k", "limit": 3},
        [],
    ),
}


@pytest.mark.parametrize(("tool", "sent", "lost"), TOOLS.values(), ids=TOOLS.keys())
def test_a_tool(tool: Json, sent: Json, lost: list[str]) -> None:
    """c.4"""
    assert send(tools=[tool]) == (PLAIN | {"tools": [sent]}, lost)


F, G = FUNCTION, {**FUNCTION, "name": "g"}
SEARCH: Json = {"type": "web_search"}
ALL = [F, G, SEARCH]
CHOICES: dict[str, tuple[Any, Any, list[Json]]] = {
    # the choice: (Ark's, the tools that it is given)
    "auto": ("auto", "auto", ALL),
    "none": ("none", "none", ALL),
    "required": ("required", "required", ALL),
    "a function": ({"type": "function", "name": "g"}, {"type": "function", "name": "g"}, ALL),
    "one allowed and required": (
        {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "g"}]},
        {"type": "function", "name": "g"},
        ALL,
    ),
    "one allowed": (
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "g"}]},
        "auto",
        [G],
    ),
    "a function and the search": (
        {
            "type": "allowed_tools",
            "mode": "required",
            "tools": [{"type": "function", "name": "f"}, {"type": "web_search_preview"}],
        },
        "required",
        [F, SEARCH],
    ),
    "the search alone": (
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "web_search"}]},
        "auto",
        [SEARCH],
    ),
    "the search": ({"type": "web_search_preview"}, {"type": "web_search"}, ALL),
    "a server": ({"type": "mcp", "server_label": "s", "x": 1}, {"type": "mcp", "server_label": "s"}, ALL),
}


@pytest.mark.parametrize(("choice", "sent", "tools"), CHOICES.values(), ids=CHOICES.keys())
def test_a_tool_choice(choice: Any, sent: Any, tools: list[Json]) -> None:
    """c.5: Ark chooses among all it is given, so it is given what is allowed."""
    body, _ = send(tools=ALL, tool_choice=choice)
    assert (body["tool_choice"], body["tools"]) == (sent, tools)


def test_nothing_of_the_clients_is_changed() -> None:
    assert SURFACE is not None
    asked: Json = {
        "model": "m",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}],
        "tools": [FUNCTION, {"type": "web_search", "user_location": {"type": "approximate", "timezone": "x"}}],
        "text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}},
        "x_dragoman": {"ark": {"caching": {}}},
    }
    before = copy.deepcopy(asked)
    ADAPTER.codec.encode_request(SURFACE.decode_request(asked), Ledger())
    assert asked == before
