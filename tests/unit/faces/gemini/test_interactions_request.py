"""A body of the dialect, retold in the common words: fields, settings, tools, forms, and what others cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.faces.gemini.request import decode_request
from adapters.hub.errors import BadRequest
from adapters.hub.origin import client_path
from adapters.hub.request import Request
from adapters.wire_json import Json

FUNCTION: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}}
SAMPLING: Json = {"temperature": 0.5, "top_p": 1, "max_output_tokens": 9}
CLOSED: Json = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


def read(**fields: Any) -> Request:
    return decode_request({"model": "m", "input": "x", **fields})


def told(**fields: Any) -> Json:
    """The common words that a body adds to those of the smallest one."""
    source = read(**fields).source
    assert source is not None
    return {name: value for name, value in source.data.items() if name not in ("model", "input")}


def config(**fields: Any) -> Json:
    return told(generation_config=fields)


def private(**fields: Any) -> dict[str, str]:
    origin = read(**fields).origin
    assert origin is not None
    return {path: rule.verdict for path, rule in origin.private.items()}


# -- fields ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "common"),
    [
        ({}, {}),
        ({"system_instruction": "i"}, {"instructions": "i"}),
        ({"system_instruction": {"type": "text", "text": "i"}}, {"instructions": "i"}),
        ({"previous_interaction_id": "v1_1"}, {"previous_response_id": "v1_1"}),
        ({"stream": True, "background": True}, {"stream": True, "background": True}),
        ({"store": False}, {"store": False, "include": ["reasoning.encrypted_content"]}),
        ({"labels": {"a": "b"}}, {"metadata": {"a": "b"}}),
        ({"service_tier": "standard"}, {"service_tier": "default"}),
        ({"service_tier": "deferred"}, {"service_tier": "flex"}),
        ({"tools": None, "generation_config": {"seed": None}, "labels": None}, {}),
    ],
)
def test_fields_in_the_common_words(fields: Json, common: Json) -> None:
    assert told(**fields) == common


@pytest.mark.parametrize(
    ("fields", "common"),
    [
        (dict(SAMPLING), SAMPLING),
        ({"stop_sequences": ["a", "b"]}, {"x_dragoman": {"stop": ["a", "b"]}}),
        (
            {"thinking_level": "xhigh", "thinking_summaries": "auto"},
            {"reasoning": {"effort": "xhigh", "summary": "auto"}, "include": ["reasoning.encrypted_content"]},
        ),
        ({"thinking_summaries": "none"}, {"include": ["reasoning.encrypted_content"]}),
    ],
)  # fmt: skip
def test_settings_in_the_common_words(fields: Json, common: Json) -> None:
    assert config(**fields) == common


def test_the_gateways_own_key_is_read_as_in_every_dialect() -> None:
    said = told(x_dragoman={"openai": {"user": "u"}}, generation_config={"stop_sequences": ["a"]})
    assert said == {"x_dragoman": {"openai": {"user": "u"}, "stop": ["a"]}}


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({"agent": "deep-research-1", "model": None}, {"agent": "rejected"}),
        ({"cached_content": "c"}, {"cached_content": "rejected"}),
        ({"environment": "e"}, {"environment": "rejected"}),
        ({"continuation_token": "t"}, {"continuation_token": "rejected"}),
        ({"webhook_config": {"uris": ["u"]}}, {"webhook_config": "rejected"}),
        ({"safety_settings": [{"type": "x"}]}, {"safety_settings": "dropped"}),
        ({"safety_settings": []}, {}),
        ({"service_tier": "tomorrow"}, {"service_tier": "dropped"}),
        ({"labels": {f"l{n}": "v" for n in range(17)}}, {"labels": "dropped"}),
        ({"generation_config": {"seed": 1}}, {"generation_config.seed": "dropped"}),
        ({"generation_config": {"speech_config": {"voice": "v"}}}, {"generation_config.speech_config": "rejected"}),
        ({"generation_config": {"of_tomorrow": 1}}, {"generation_config.of_tomorrow": "dropped"}),
        ({"generation_config": {"thinking_level": "deep"}}, {"generation_config.thinking_level": "dropped"}),
        ({"generation_config": {"stop_sequences": list("abcde")}}, {"generation_config.stop_sequences": "rejected"}),
        ({"response_modalities": ["audio"]}, {"response_modalities[0]": "rejected"}),
        ({"response_format": {"type": "audio"}}, {"response_format": "rejected"}),
        ({"input": [{"type": "thought", "of_tomorrow": 1}]}, {"input[0].of_tomorrow": "dropped"}),
    ],
)
def test_what_others_cannot_be_told(fields: Json, rules: dict[str, str]) -> None:
    assert private(**fields) == rules


# -- the input -------------------------------------------------------------------------------------

STEP: Json = {"type": "user_input", "content": [{"type": "text", "text": "t"}]}


@pytest.mark.parametrize(
    "value",
    [[STEP], STEP, STEP["content"], STEP["content"][0]],
    ids=["steps", "a step", "blocks", "a block"],
)
def test_every_form_of_input(value: Any) -> None:
    request = read(input=value)
    assert [getattr(item, "role", None) for item in request.items] == ["user"]
    assert request.origin is not None
    assert request.origin.body["input"] == value


def test_input_of_which_others_are_told_nothing_is_still_input() -> None:
    assert len(read(input=[{"type": "processing_call", "id": "1"}]).items) == 1


def test_paths_lead_into_the_clients_own_body() -> None:
    silent: Json = {"type": "processing_call", "id": "1"}
    image: Json = {"type": "image", "data": "aa==", "mime_type": "image/png"}
    spoken: Json = {"type": "model_output", "content": [image, {"type": "text", "text": "t"}]}
    origin = read(
        input=[silent, spoken, STEP], tools=[{"type": "google_maps"}, FUNCTION], system_instruction="i"
    ).origin
    assert origin is not None
    assert {path: client_path(origin, path) for path in COMMON} == COMMON


COMMON = {
    "input[0]": "input[1].content[0]",
    "input[1]": "input[1]",
    "input[1].content[0].annotations[2]": "input[1].content[1].annotations[2]",
    "input[2].content[0].detail": "input[2].content[0].detail",
    "tools[0].parameters": "tools[1].parameters",
    "tool_choice": "generation_config.tool_choice",
    "instructions": "system_instruction",
    "temperature": "generation_config.temperature",
    "reasoning.effort": "generation_config.thinking_level",
    "text.format.schema": "response_format.schema",
    "metadata.a": "labels.a",
    "model": "model",
}


def test_offsets_may_be_counted_in_another_unit() -> None:
    cite = {"type": "url_citation", "url": "u", "title": "t", "start_index": 2, "end_index": 4}
    block = {"type": "text", "text": "🗼東京", "annotations": [cite]}
    body: Json = {"model": "m", "input": [{"type": "model_output", "content": [block]}]}
    request = decode_request(body, "utf16")
    assert request.origin is not None
    told_own = request.origin.body["input"][0]["content"][0]["annotations"][0]
    assert (told_own["start_index"], told_own["end_index"]) == (4, 10)
    assert body["input"][0]["content"][0]["annotations"] == [cite]


def test_nulls_are_absent_and_those_of_data_stay() -> None:
    call = {"type": "function_call", "id": "c", "name": "f", "arguments": {"a": None}, "signature": None}
    origin = read(input=[call], tools=None).origin
    assert origin is not None
    kept = {key: value for key, value in call.items() if key != "signature"}
    assert origin.body == {"model": "m", "input": [kept]}


# -- tools -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tools", "common"),
    [
        ([FUNCTION], [{**FUNCTION, "strict": False}]),
        ([{"type": "google_search"}], [{"type": "web_search"}]),
        (
            [{"type": "google_search", "search_types": ["web_search", "image_search"]}, {"type": "url_context"}],
            [{"type": "web_search", "search_content_types": ["text", "image"]}],
        ),
        ([{"type": "code_execution"}], [{"type": "code_interpreter", "container": {"type": "auto"}}]),
        (
            [{"type": "file_search", "file_search_store_names": ["s"], "top_k": 3}],
            [{"type": "file_search", "vector_store_ids": ["s"], "max_num_results": 3}],
        ),
        (
            [
                {
                    "type": "mcp_server",
                    "name": "the wiki",
                    "url": "https://a.test/mcp",
                    "headers": {"a": "b"},
                    "allowed_tools": [{"mode": "auto", "tools": ["x"]}],
                }
            ],
            [
                {
                    "type": "mcp",
                    "server_label": "the_wiki",
                    "server_url": "https://a.test/mcp",
                    "headers": {"a": "b"},
                    "allowed_tools": ["x"],
                    "require_approval": "never",
                }
            ],
        ),
        ([{"type": "tool_search", "execution": "server"}], [{"type": "tool_search", "execution": "server"}]),
    ],
)
def test_tools_in_the_common_words(tools: list[Json], common: list[Json]) -> None:
    assert told(tools=tools) == {"tools": common}


@pytest.mark.parametrize("kind", ["google_maps", "retrieval", "computer_use", "tool_of_tomorrow"])
def test_a_tool_that_only_gemini_has(kind: str) -> None:
    assert told(tools=[{"type": kind}]) == {}
    assert private(tools=[{"type": kind}]) == {"tools[0]": "rejected"}


@pytest.mark.parametrize(
    ("choice", "common"),
    [
        ("auto", "auto"),
        ("any", "required"),
        ("none", "none"),
        ("validated", "auto"),
        ({"allowed_tools": {"mode": "any", "tools": ["f"]}}, {"type": "function", "name": "f"}),
        (
            {"allowed_tools": {"tools": ["f"]}},
            {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
        ),
        ({"allowed_tools": {"mode": "none", "tools": ["f"]}}, "none"),
        ({"allowed_tools": {"mode": "any"}}, "required"),
    ],
)
def test_choices_in_the_common_words(choice: Any, common: Any) -> None:
    assert told(tools=[FUNCTION], generation_config={"tool_choice": choice})["tool_choice"] == common


def test_validated_functions_are_strict_where_their_schema_allows_it() -> None:
    functions = [{**FUNCTION, "parameters": CLOSED}, FUNCTION]
    tools = told(tools=functions, generation_config={"tool_choice": "validated"})["tools"]
    assert [tool["strict"] for tool in tools] == [True, False]


# -- the form of the answer ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "form"),
    [
        ({"response_format": {"type": "text"}}, None),
        ({"response_format": {"type": "text", "mime_type": "text/plain"}}, None),
        ({"response_format": {"type": "text", "mime_type": "application/json"}}, {"type": "json_object"}),
        ({"response_mime_type": "application/json"}, {"type": "json_object"}),
        (
            {"response_format": [{"type": "text", "schema": {"title": "A person", **CLOSED}}]},
            {"type": "json_schema", "name": "A_person", "schema": {"title": "A person", **CLOSED}, "strict": True},
        ),
        (
            {"response_format": {"type": "object"}, "response_mime_type": "application/json"},
            {"type": "json_schema", "name": "response", "schema": {"type": "object"}, "strict": False},
        ),
    ],
)
def test_forms_of_text(fields: Json, form: Json | None) -> None:
    assert told(**fields) == ({"text": {"format": form}} if form is not None else {})


@pytest.mark.parametrize(
    ("fields", "tool", "choice"),
    [
        ({"response_modalities": ["text", "image"]}, {}, None),
        ({"response_modalities": ["image"]}, {}, {"type": "image_generation"}),
        (
            {"response_format": {"type": "image", "aspect_ratio": "3:2", "mime_type": "image/jpeg"}},
            {"size": "1536x1024", "output_format": "jpeg"},
            None,
        ),
        ({"generation_config": {"image_config": {"aspect_ratio": "9:16"}}}, {"size": "1024x1536"}, None),
    ],
)
def test_images_are_made_by_a_tool(fields: Json, tool: Json, choice: Any) -> None:
    said = told(**fields)
    assert said["tools"] == [{"type": "image_generation", **tool}]
    assert said.get("tool_choice") == choice


# -- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"model": None}, "model"),
        ({"agent": "a"}, "agent"),
        ({"input": None}, "input"),
        ({"input": 1}, "input"),
        ({"outputs": []}, "outputs"),
        ({"temperature": 1}, "temperature"),
        ({"system_instruction": 1}, "system_instruction"),
        ({"input": [{"role": "user", "content": "x"}]}, "input[0]"),
        ({"generation_config": 1}, "generation_config"),
        ({"generation_config": {"temperature": "x"}}, "generation_config.temperature"),
        ({"generation_config": {"max_output_tokens": 0}}, "generation_config.max_output_tokens"),
        ({"generation_config": {"stop_sequences": [1]}}, "generation_config.stop_sequences"),
        ({"generation_config": {"stop_sequences": ["a"]}, "x_dragoman": {"stop": ["b"]}}, "x_dragoman.stop"),
        ({"x_dragoman": {"stop": [1]}}, "x_dragoman.stop"),
        ({"generation_config": {"tool_choice": "maybe"}}, "generation_config.tool_choice"),
        ({"tools": [{"type": "google_maps"}, {"type": "function"}]}, "tools[1].name"),
        ({"tools": [{"type": "mcp_server", "name": "n"}]}, "tools[0].url"),
        ({"response_format": {"type": "text", "schema": 1}}, "response_format.schema"),
        ({"labels": {"a": 1}}, "labels.a"),
        ({"x_dragoman": {"nobody": {}}}, "x_dragoman.nobody"),
        ({"input": [{"type": "image", "uri": "data:x"}]}, "input[0].uri"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_in_the_clients_words(fields: Json, param: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        read(**fields)
    assert refusal.value.param == param
    assert f"'{param}'" in refusal.value.message or param in ("agent", "model")


def test_the_older_revision_is_refused_with_a_way_out() -> None:
    with pytest.raises(BadRequest, match=r"older revision.*'user_input'"):
        read(input=[{"role": "model", "content": "x"}])


def test_an_input_of_no_kind_is_told_the_kinds_there_are() -> None:
    with pytest.raises(BadRequest, match="must be a string, a step or an array of steps, not an integer"):
        read(input=1)
