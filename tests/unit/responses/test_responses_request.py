"""A Responses request, field by field: what is read of it, and the path of what is wrong with it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adapters
from adapters.hub.annotations import Span, UrlCitation
from adapters.hub.errors import BadRequest
from adapters.hub.items import Signature
from adapters.hub.kept import Kept
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    FunctionTool,
    MediaPart,
    Message,
    OpaqueItem,
    OpaquePart,
    OpaqueTool,
    Reasoning,
    Request,
    TextPart,
    WebSearchTool,
)
from adapters.responses.request import decode_request
from adapters.wire_json import Json

PIXEL = "iVBORw0KGgo="


def read(**fields: Any) -> Request:
    return decode_request({"model": "m", "input": "x", **fields}, "openai")


def read_item(item: Any) -> Any:
    (found,) = read(input=[item]).items
    return found


def read_part(part: Any) -> Any:
    (found,) = read_item({"role": "user", "content": [part]}).parts
    return found


# (fields of the request, the field at fault, the code)
WRONG: list[tuple[Json, str, str]] = [
    ({"model": None}, "model", "missing_required_parameter"),
    ({"model": ""}, "model", "missing_required_parameter"),
    ({"model": " \t"}, "model", "missing_required_parameter"),
    ({"model": 5}, "model", "invalid_type"),
    ({"input": None}, "input", "missing_required_parameter"),
    ({"input": []}, "input", "missing_required_parameter"),
    ({"input": 5}, "input", "invalid_type"),
    ({"input": {"role": "user"}}, "input", "invalid_type"),
    ({"input": ["x"]}, "input[0]", "invalid_type"),
    ({"input": [None]}, "input[0]", "invalid_type"),
    ({"input": [{}]}, "input[0].type", "missing_required_parameter"),
    ({"input": [{"type": 5}]}, "input[0].type", "invalid_type"),
    ({"input": [{"content": "x"}]}, "input[0].type", "missing_required_parameter"),
    ({"input": [{"type": "message", "content": "x"}]}, "input[0].role", "missing_required_parameter"),
    ({"input": [{"role": "robot", "content": "x"}]}, "input[0].role", "invalid_value"),
    ({"input": [{"role": 5, "content": "x"}]}, "input[0].role", "invalid_type"),
    ({"input": [{"role": "user"}]}, "input[0].content", "missing_required_parameter"),
    ({"input": [{"role": "user", "content": 5}]}, "input[0].content", "invalid_type"),
    ({"input": [{"role": "user", "content": "x", "id": 5}]}, "input[0].id", "invalid_type"),
    ({"input": [{"role": "user", "content": ["x"]}]}, "input[0].content[0]", "invalid_type"),
    ({"input": [{"role": "user", "content": [{}]}]}, "input[0].content[0].type", "missing_required_parameter"),
    (
        {"input": [{"role": "user", "content": [{"type": "input_text"}]}]},
        "input[0].content[0].text",
        "missing_required_parameter",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": 5}]}]},
        "input[0].content[0].text",
        "invalid_type",
    ),
    (
        {"input": [{"role": "assistant", "content": [{"type": "refusal"}]}]},
        "input[0].content[0].refusal",
        "missing_required_parameter",
    ),
    (
        {"input": [{"role": "assistant", "content": [{"type": "output_text", "text": "", "annotations": "x"}]}]},
        "input[0].content[0].annotations",
        "invalid_type",
    ),
    (
        {"input": [{"role": "assistant", "content": [{"type": "output_text", "text": "", "annotations": [None]}]}]},
        "input[0].content[0].annotations[0]",
        "invalid_type",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_image"}]}]},
        "input[0].content[0].image_url",
        "missing_required_parameter",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": {"url": "x"}}]}]},
        "input[0].content[0].image_url",
        "invalid_type",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png,x"}]}]},
        "input[0].content[0].image_url",
        "invalid_value",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_file"}]}]},
        "input[0].content[0].file_url",
        "missing_required_parameter",
    ),
    (
        {"input": [{"role": "user", "content": [{"type": "input_file", "file_data": "data:x"}]}]},
        "input[0].content[0].file_data",
        "invalid_value",
    ),
    ({"input": [{"type": "reasoning", "summary": "x"}]}, "input[0].summary", "invalid_type"),
    ({"input": [{"type": "reasoning", "summary": [{}]}]}, "input[0].summary[0].text", "missing_required_parameter"),
    ({"input": [{"type": "reasoning", "encrypted_content": 5}]}, "input[0].encrypted_content", "invalid_type"),
    (
        {"input": [{"type": "function_call", "name": "f", "arguments": ""}]},
        "input[0].call_id",
        "missing_required_parameter",
    ),
    (
        {"input": [{"type": "function_call", "call_id": "c", "arguments": ""}]},
        "input[0].name",
        "missing_required_parameter",
    ),
    (
        {"input": [{"type": "function_call", "call_id": "c", "name": "f"}]},
        "input[0].arguments",
        "missing_required_parameter",
    ),
    (
        {"input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": {}}]},
        "input[0].arguments",
        "invalid_type",
    ),
    ({"input": [{"type": "function_call_output", "call_id": "c"}]}, "input[0].output", "missing_required_parameter"),
    ({"input": [{"type": "function_call_output", "call_id": "c", "output": 5}]}, "input[0].output", "invalid_type"),
    ({"input": [{"role": "user", "content": "x", "x_dragoman": 5}]}, "input[0].x_dragoman", "invalid_type"),
    ({"input": [{"role": "user", "content": "x", "x_dragoman": {"v": 5}}]}, "input[0].x_dragoman.v", "invalid_type"),
    ({"instructions": 5}, "instructions", "invalid_type"),
    ({"stream": "yes"}, "stream", "invalid_type"),
    ({"stream": 1}, "stream", "invalid_type"),
    ({"store": 0}, "store", "invalid_type"),
    ({"background": "no"}, "background", "invalid_type"),
    ({"parallel_tool_calls": 1}, "parallel_tool_calls", "invalid_type"),
    ({"temperature": "hot"}, "temperature", "invalid_type"),
    ({"temperature": True}, "temperature", "invalid_type"),
    ({"top_p": []}, "top_p", "invalid_type"),
    ({"max_output_tokens": 1.5}, "max_output_tokens", "invalid_type"),
    ({"max_output_tokens": True}, "max_output_tokens", "invalid_type"),
    ({"max_output_tokens": 1e30}, "max_output_tokens", "invalid_type"),
    ({"max_output_tokens": 0}, "max_output_tokens", "invalid_value"),
    ({"reasoning": "high"}, "reasoning", "invalid_type"),
    ({"reasoning": {"effort": 5}}, "reasoning.effort", "invalid_type"),
    ({"reasoning": {"summary": True}}, "reasoning.summary", "invalid_type"),
    ({"text": "json"}, "text", "invalid_type"),
    ({"text": {"format": "json"}}, "text.format", "invalid_type"),
    ({"text": {"format": {}}}, "text.format.type", "missing_required_parameter"),
    ({"text": {"format": {"type": "xml"}}}, "text.format.type", "invalid_value"),
    ({"text": {"format": {"type": "json_schema", "name": "n"}}}, "text.format.schema", "missing_required_parameter"),
    ({"text": {"format": {"type": "json_schema", "schema": {}}}}, "text.format.name", "missing_required_parameter"),
    ({"text": {"format": {"type": "json_schema", "name": "n", "schema": []}}}, "text.format.schema", "invalid_type"),
    ({"previous_response_id": 5}, "previous_response_id", "invalid_type"),
    ({"include": "x"}, "include", "invalid_type"),
    ({"include": ["a", 5]}, "include[1]", "invalid_type"),
    ({"metadata": []}, "metadata", "invalid_type"),
    ({"metadata": {"a": 1}}, "metadata.a", "invalid_type"),
    ({"tools": {}}, "tools", "invalid_type"),
    ({"tools": [None]}, "tools[0]", "invalid_type"),
    ({"tools": [{}]}, "tools[0].type", "missing_required_parameter"),
    ({"tools": [{"type": "function"}]}, "tools[0].name", "missing_required_parameter"),
    ({"tools": [{"type": "function", "name": "f", "parameters": "x"}]}, "tools[0].parameters", "invalid_type"),
    ({"tools": [{"type": "function", "name": "f", "strict": "x"}]}, "tools[0].strict", "invalid_type"),
    ({"tools": [{"type": "web_search", "search_context_size": 5}]}, "tools[0].search_context_size", "invalid_type"),
    ({"tool_choice": 5}, "tool_choice", "invalid_type"),
    ({"tool_choice": "sometimes"}, "tool_choice", "invalid_value"),
    ({"tool_choice": {}}, "tool_choice.type", "missing_required_parameter"),
    ({"tool_choice": {"type": "function"}}, "tool_choice.name", "missing_required_parameter"),
    ({"tool_choice": {"type": "allowed_tools", "mode": "never"}}, "tool_choice.mode", "invalid_value"),
    (
        {"tool_choice": {"type": "allowed_tools", "tools": [{"type": "function"}]}},
        "tool_choice.tools[0].name",
        "missing_required_parameter",
    ),
    ({"x_dragoman": "x"}, "x_dragoman", "invalid_type"),
    ({"x_dragoman": {"stop": "x", "stops": ["y"]}}, "x_dragoman.stops", "unknown_parameter"),
    *(({"x_dragoman": {vendor: 7}}, f"x_dragoman.{vendor}", "invalid_type") for vendor in adapters.names()),
]


@pytest.mark.parametrize(("fields", "param", "code"), WRONG, ids=[f"{param} {code}" for _, param, code in WRONG])
def test_what_is_wrong_is_named(fields: Json, param: str, code: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read(**fields)
    assert (caught.value.status, caught.value.param, caught.value.code) == (400, param, code)
    assert param in caught.value.message


@pytest.mark.parametrize("body", [{}, {"input": "x"}, {"model": "m"}])
def test_nothing_is_guessed(body: Json) -> None:
    with pytest.raises(BadRequest, match="Missing required parameter"):
        decode_request(body, "openai")


def test_a_body_that_is_nested_too_deep_to_be_passed_on_is_refused() -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = {"a": deep}
    with pytest.raises(BadRequest, match="nested too deep"):
        read(tools=[{"type": "function", "name": "f", "parameters": deep}])


def test_null_is_absent() -> None:
    """0.1: SDKs send every field, null where it is unset."""
    fields = ("instructions", "tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p", "text", "store")
    more = ("max_output_tokens", "reasoning", "previous_response_id", "stream", "background", "include", "metadata")
    plain = read()
    assert read(**dict.fromkeys((*fields, *more, "x_dragoman", "truncation"))) == plain
    assert (plain.stream, plain.store, plain.tools, plain.include) == (False, None, [], [])
    assert read(text={"format": None}).output is not None


def test_a_request_is_read() -> None:
    schema = {"type": "object"}
    tools = [
        {"type": "function", "name": "f", "description": "d", "parameters": schema, "strict": True},
        {"type": "web_search_preview", "search_context_size": "low"},
        {"type": "mcp", "server_label": "s"},
    ]
    request = read(
        instructions="be",
        tools=tools,
        tool_choice="required",
        temperature=1,
        max_output_tokens=9,
        reasoning={"effort": "low", "generate_summary": "auto"},
        text={"format": {"type": "json_schema", "name": "n", "schema": schema, "strict": False, "description": "d"}},
        stream=True,
        metadata={"a": "b"},
        odd=1,
    )
    assert (request.wire, request.model, request.text, request.items, request.instructions) == (
        "openai",
        "m",
        "x",
        [],
        "be",
    )
    assert [type(tool) for tool in request.tools] == [FunctionTool, WebSearchTool, OpaqueTool]
    assert [tool.source.data for tool in request.tools if tool.source is not None] == tools
    assert request.tool_choice is not None
    assert (request.tool_choice.mode, request.tool_choice.names) == ("required", None)
    assert (request.sampling.temperature, request.sampling.max_output_tokens, request.stream) == (1, 9, True)
    assert request.reasoning is not None
    assert (request.reasoning.effort, request.reasoning.summary) == ("low", "auto")
    assert request.output is not None
    assert (request.output.kind, request.output.name, request.output.schema) == ("json_schema", "n", schema)
    assert request.extra == Kept("openai", {"odd": 1})


CHOICES: dict[str, tuple[str | Json, tuple[str, list[str] | None]]] = {
    "auto": ("auto", ("auto", None)),
    "none": ("none", ("none", None)),
    "a function": ({"type": "function", "name": "f"}, ("required", ["f"])),
    "allowed tools": (
        {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}, {"type": "mcp"}]},
        ("required", ["f"]),
    ),
    "allowed tools without a mode": ({"type": "allowed_tools", "tools": []}, ("auto", [])),
    "a hosted tool": ({"type": "web_search_preview"}, ("required", None)),
}


@pytest.mark.parametrize(("choice", "expected"), CHOICES.values(), ids=CHOICES.keys())
def test_a_tool_choice(choice: str | Json, expected: tuple[str, list[str] | None]) -> None:
    found = read(tool_choice=choice).tool_choice
    assert found is not None
    assert (found.mode, found.names) == expected
    assert found.source == (Kept("openai", choice) if isinstance(choice, dict) else None)


def test_a_slip_in_the_extension_is_told_what_is_known() -> None:
    with pytest.raises(BadRequest, match=r"'x_dragoman\.Gemini'.*'stop', 'ark', 'gemini', 'openai'"):
        read(x_dragoman={"Gemini": {}})
    assert read(x_dragoman={"stop": None, "gemini": None, "ark": {"a": 1}, "later": None}).sampling.stop == []


def test_an_input_may_be_left_to_what_the_vendor_keeps() -> None:
    for field in ("previous_response_id", "prompt", "conversation"):
        request = decode_request(
            {"model": "m", field: "x" if field[0] == "p" and field != "prompt" else {"id": "x"}}, "openai"
        )
        assert (request.text, request.items) == (None, [])


PARTS: dict[str, tuple[Json, Any]] = {
    "a text": ({"type": "input_text", "text": "x"}, TextPart("x")),
    "an image at an address": (
        {"type": "input_image", "image_url": "https://a.test/x", "detail": "low"},
        MediaPart("image", url="https://a.test/x", detail="low"),
    ),
    "an image in the text": (
        {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"},
        MediaPart("image", PIXEL, mime_type="image/png"),
    ),
    "an image without a type": (
        {"type": "input_image", "image_url": f"data:;base64,{PIXEL}"},
        MediaPart("image", PIXEL),
    ),
    "a type with more": (
        {"type": "input_image", "image_url": f"data:image/png;x=y;base64,{PIXEL}"},
        MediaPart("image", PIXEL, mime_type="image/png"),
    ),
    "an image by its id": (
        {"type": "input_image", "file_id": "file-1", "image_url": None},
        MediaPart("image", file_id="file-1"),
    ),
    "a file": (
        {"type": "input_file", "file_data": "data:application/pdf;base64,JVBE", "filename": "a.pdf"},
        MediaPart("file", "JVBE", mime_type="application/pdf", name="a.pdf"),
    ),
    "a file without a type": ({"type": "input_file", "file_data": "JVBE"}, MediaPart("file", "JVBE")),
    "a file at an address": (
        {"type": "input_file", "file_url": "https://a.test/a.pdf"},
        MediaPart("file", url="https://a.test/a.pdf"),
    ),
    "a file by its id": ({"type": "input_file", "file_id": "file-1"}, MediaPart("file", file_id="file-1")),
    "an unknown part": (
        {"type": "input_video", "video_url": "u"},
        OpaquePart("openai", "input_video", {"type": "input_video", "video_url": "u"}),
    ),
}


@pytest.mark.parametrize(("part", "expected"), PARTS.values(), ids=PARTS.keys())
def test_a_part(part: Json, expected: Any) -> None:
    """Nothing that a request names is fetched: an address stays an address."""
    assert read_part(part) == expected


ITEMS: dict[str, tuple[Json, Any]] = {
    "a message without a type": ({"role": "user", "content": "x"}, Message("user", [TextPart("x")])),
    "a message of the developer": ({"type": "message", "role": "developer", "content": []}, Message("developer", [])),
    "an answer with citations": (
        {
            "role": "assistant",
            "id": "msg_1",
            "phase": "final_answer",
            "content": [
                {
                    "type": "output_text",
                    "text": "x",
                    "annotations": [
                        {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
                    ],
                }
            ],
        },
        Message("assistant", [TextPart("x", [UrlCitation("u", "t", Span(0, 1))])], "msg_1", "final_answer"),
    ),
    "B25 an answer without a list": (
        {"role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
        Message("assistant", [TextPart("x")]),
    ),
    "K08 a refusal": (
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
        Message("assistant", [TextPart("no", refusal=True)]),
    ),
    "reasoning": (
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "s"}],
            "content": None,
            "encrypted_content": "b",
        },
        Reasoning(["s"], [], Signature("openai", "b"), "rs_1"),
    ),
    "I04 reasoning that another vendor signed": (
        {
            "type": "reasoning",
            "summary": [],
            "content": [{"type": "reasoning_text", "text": "t"}],
            "encrypted_content": "gw1.ark.b",
        },
        Reasoning([], ["t"], Signature("ark", "b")),
    ),
    "a call": (
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc_1", "status": "completed"},
        FunctionCall("c", "f", "{}", id="fc_1"),
    ),
    "a custom call": (
        {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"},
        FunctionCall("c", "f", "x", custom=True),
    ),
    "an output": (
        {"type": "function_call_output", "call_id": "c", "output": "x"},
        FunctionOutput("c", [TextPart("x")]),
    ),
    "an output in parts": (
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "x"}]},
        FunctionOutput("c", [TextPart("x")]),
    ),
    "any other": ({"type": "web_search_call", "id": "ws_1"}, OpaqueItem("web_search_call", Kept("", {}), "ws_1")),
    "a reference to reasoning that its vendor gave no id": (
        {"type": "item_reference", "id": "rs_gw1gemini-1"},
        Reasoning(id="rs_gw1gemini-1"),
    ),
    "a reference to reasoning that has one": (
        {"type": "item_reference", "id": "rs_gw1ark_rs_1"},
        OpaqueItem("item_reference", Kept("", {}), "rs_gw1ark_rs_1"),
    ),
    "a reference, whose type is optional": ({"id": "msg_1"}, OpaqueItem("item_reference", Kept("", {}), "msg_1")),
}


@pytest.mark.parametrize(("item", "expected"), ITEMS.values(), ids=ITEMS.keys())
def test_an_item(item: Json, expected: Any) -> None:
    found = read_item(item)
    assert found.source == Kept("openai", item)
    expected.source = found.source
    assert found == expected


def test_what_a_vendor_kept_of_an_item_comes_back() -> None:
    said = {"v": "ark", "rest": {"partial": False}}
    found = read_item({"role": "assistant", "content": "x", "x_dragoman": said})
    assert found.extra == Kept("ark", {"rest": {"partial": False}})
    assert read_item({"role": "assistant", "content": "x", "x_dragoman": {"rest": {}}}).extra is None


def test_the_clients_own_body_is_never_changed() -> None:
    body: Json = {
        "model": "m",
        "store": None,
        "input": [{"role": "assistant", "content": [{"type": "output_text", "text": "x"}], "x_dragoman": {"v": "ark"}}],
        "tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}}],
    }
    before = copy.deepcopy(body)
    decode_request(body, "openai")
    assert body == before


@pytest.mark.parametrize("given", ["a" * 1000, [{"role": "user", "content": "a" * 1000}]], ids=["text", "items"])
def test_a_request_holds_its_input_once(given: object) -> None:
    """What an answer repeats outlives the asking, and the input may be many megabytes."""
    request = decode_request({"model": "m", "input": given, "instructions": "Be brief."}, "openai")
    assert request.source is not None
    assert request.source.data == {"model": "m", "instructions": "Be brief."}
