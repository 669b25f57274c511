"""Requests in Gemini's words: what is sent, what is lost, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adapters.gemini import ADAPTER
from adapters.hub.annotations import OpaqueAnnotation, Span, UrlCitation
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.items import Signature
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    FunctionTool,
    Item,
    MediaPart,
    Message,
    OpaqueItem,
    OpaquePart,
    OpaqueTool,
    OutputFormat,
    Part,
    Reasoning,
    ReasoningRequest,
    Request,
    Role,
    Sampling,
    TextPart,
    ToolChoice,
    WebSearchTool,
)

Json = dict[str, Any]
MODEL = "gemini-3-flash-preview"
BASE = Request(wire="openai", model=MODEL, items=[], text="hi")
F = FunctionTool("f", "does f", {"type": "object"}, path="tools[0]")


def client(**fields: Any) -> Kept:
    return Kept("openai", fields)


def encode(request: Request) -> tuple[Json, list[str]]:
    losses = Ledger()
    body = ADAPTER.codec.encode_request(request, losses)
    return body, [loss.path for loss in losses.losses]


OWN_WORDS: Json = {"labels": {"a": "b"}, "generation_config": {"seed": 7}, "stream": True}

# a change of the plain request, what it adds to the body, the paths that are lost
FIELDS: dict[str, tuple[Json, Json, list[str]]] = {
    "nothing": ({}, {}, []),
    "instructions": ({"instructions": "be brief"}, {"system_instruction": "be brief"}, []),
    "stream": ({"stream": True}, {"stream": True}, []),
    "store": ({"store": False}, {"store": False}, []),
    "background": ({"background": True, "stream": True}, {"background": True, "stream": True}, []),
    "sampling": (
        {"sampling": Sampling(0.0, 0.5, 9)},
        {"generation_config": {"temperature": 0.0, "top_p": 0.5, "max_output_tokens": 9}},
        [],
    ),
    "effort": ({"reasoning": ReasoningRequest("high")}, {"generation_config": {"thinking_level": "high"}}, []),
    "no effort": (
        {"reasoning": ReasoningRequest("none", "auto")},
        {"generation_config": {"thinking_level": "minimal", "thinking_summaries": "auto"}},
        ["reasoning.effort"],
    ),
    "all effort": (
        {"reasoning": ReasoningRequest("max", "detailed", client(effort="max", summary="detailed", context="all"))},
        {"generation_config": {"thinking_level": "xhigh", "thinking_summaries": "auto"}},
        ["reasoning.context", "reasoning.effort", "reasoning.summary"],
    ),
    "plain text": (
        {"output": OutputFormat("text", source=client(format={"type": "text"}, verbosity="low"))},
        {},
        ["text.verbosity"],
    ),
    "any JSON": (
        {"output": OutputFormat("json_object")},
        {"response_format": {"type": "text", "mime_type": "application/json"}},
        [],
    ),
    "JSON of a schema": (
        {
            "output": OutputFormat(
                "json_schema", "n", {"type": "object", "minProperties": 1}, True, "d",
                client(format={"type": "json_schema", "name": "n", "schema": {}, "strict": True, "description": "d"}),
            )
        },
        {
            "response_format": {
                "type": "text", "mime_type": "application/json", "schema": {"type": "object", "minProperties": 1},
            }
        },
        ["text.format.description", "text.format.schema"],
    ),
    "previous": ({"previous_id": "resp_gw1gemini_v1_abc"}, {"previous_interaction_id": "v1_abc"}, []),
    "sequential calls": ({"parallel_tools": False}, {}, ["parallel_tool_calls"]),
    "parallel calls": ({"parallel_tools": True}, {}, []),
    "metadata": ({"metadata": {"a": "b"}}, {}, []),
    "what its search found": (
        {"include": ["web_search_call.action.sources", "web_search_call.results"]},
        {},
        ["include[0]", "include[1]"],
    ),
    "include": (
        {"include": ["reasoning.encrypted_content", "message.output_text.logprobs"]},
        {},
        ["include[1]"],
    ),
    "hints": ({"extra": client(user="u", prompt_cache_key="k", stream_options={}, truncation="disabled")}, {}, []),
    "losses": (
        {"extra": client(truncation="auto", top_logprobs=3, brand_new=1, max_tool_calls=None)},
        {},
        ["truncation", "top_logprobs", "brand_new"],
    ),
    "tier": ({"extra": client(service_tier="default")}, {"service_tier": "standard"}, []),
    "no tier": ({"extra": client(service_tier="auto")}, {}, []),
    "fast": ({"extra": client(service_tier="fast")}, {"service_tier": "priority"}, ["service_tier"]),
    "scale": ({"extra": client(service_tier="scale")}, {}, ["service_tier"]),
    "a tier of tomorrow": ({"extra": client(service_tier="new")}, {}, ["service_tier"]),
    "an answer within hours": (
        {"extra": client(background_options={"completion_window": "8h", "continuation_id": "c"})},
        {"service_tier": "deferred"},
        ["background_options.continuation_id"],
    ),
    "an answer soon": ({"extra": client(background_options={"completion_window": "soonest"})}, {}, []),
    "Gemini's own words": (
        {
            "sampling": Sampling(0.5, stop=["x"]),
            "extra": client(x_dragoman={"gemini": OWN_WORDS, "stop": "x"}),
        },
        {"labels": {"a": "b"}, "generation_config": {"temperature": 0.5, "seed": 7, "stop_sequences": ["x"]}},
        [],
    ),
    "another vendor's words": ({"extra": client(x_dragoman={"elsewhere": {"a": 1}})}, {}, []),
    "a function": (
        {"tools": [replace(F, source=client(type="function", defer_loading=True, output_schema={"a": 1}))]},
        {
            "tools": [
                {
                    "type": "function", "name": "f", "description": "does f", "parameters": {"type": "object"},
                    "defer_loading": True,
                }
            ]
        },
        ["tools[0].output_schema"],
    ),
    "a bare function": ({"tools": [FunctionTool("f")]}, {"tools": [{"type": "function", "name": "f"}]}, []),
    "Gemini's own tools beside the client's": (
        {"tools": [FunctionTool("f")], "extra": client(x_dragoman={"gemini": {"tools": [{"type": "google_maps"}]}})},
        {"tools": [{"type": "function", "name": "f"}, {"type": "google_maps"}]},
        [],
    ),
    "a search": (
        {
            "tools": [
                WebSearchTool(
                    "low",
                    client(type="web_search", search_context_size="low", filters={"a": 1}, external_web_access=True),
                    "tools[0]",
                )
            ]
        },
        {"tools": [{"type": "google_search"}]},
        ["tools[0].search_context_size", "tools[0].filters"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_fields(name: str) -> None:
    change, added, lost = FIELDS[name]
    body, losses = encode(replace(BASE, **change))
    assert body == {"model": MODEL, "input": "hi"} | added
    assert losses == lost


CHOICES: list[tuple[ToolChoice | None, bool, Any, list[str]]] = [
    (None, False, None, []),
    (None, True, "validated", []),
    (ToolChoice("auto"), False, "auto", []),
    (ToolChoice("auto"), True, "validated", []),
    (ToolChoice("none"), True, "none", []),
    (ToolChoice("required"), True, "any", []),
    (ToolChoice("required", ["f"]), False, {"allowed_tools": {"mode": "any", "tools": ["f"]}}, []),
    (ToolChoice("auto", ["f", "g"]), False, {"allowed_tools": {"mode": "auto", "tools": ["f", "g"]}}, []),
    (ToolChoice("auto", ["f"]), True, {"allowed_tools": {"mode": "validated", "tools": ["f"]}}, []),
]


@pytest.mark.parametrize(("choice", "strict", "sent", "lost"), CHOICES)
def test_tool_choice(choice: ToolChoice | None, strict: bool, sent: Any, lost: list[str]) -> None:
    body, losses = encode(replace(BASE, tools=[replace(F, strict=strict), FunctionTool("g")], tool_choice=choice))
    assert (body.get("generation_config", {}).get("tool_choice"), losses) == (sent, lost)


def test_a_choice_without_tools_is_not_sent() -> None:
    assert encode(replace(BASE, tool_choice=ToolChoice("auto")))[0] == {"model": MODEL, "input": "hi"}


def test_agents_are_no_models() -> None:
    body, losses = encode(replace(BASE, model="deep-research-preview-04-2026", sampling=Sampling(0.5)))
    assert body == {"agent": "deep-research-preview-04-2026", "input": "hi"}
    assert losses == ["model"]


REFUSED: list[tuple[Json, type[BadRequest], str, str]] = [
    ({"background": True}, Unsupported, "unsupported_value", "background"),
    ({"previous_id": "resp_1"}, BadRequest, "previous_response_not_found", "previous_response_id"),
    ({"previous_id": "resp_gw1ark_1"}, BadRequest, "previous_response_not_found", "previous_response_id"),
    ({"tools": [F, OpaqueTool("computer", client(), "tools[1]")]}, Unsupported, "unsupported_value", "tools[1]"),
    ({"tools": [F, OpaqueTool("custom", client(), "tools[1]")]}, Unsupported, "unsupported_value", "tools[1]"),
    (
        {"tools": [F], "tool_choice": ToolChoice("required", None, client(type="web_search"))},
        BadRequest,
        "invalid_value",
        "tool_choice",
    ),
    ({"extra": client(prompt={"id": "p"})}, Unsupported, "unsupported_value", "prompt"),
    ({"extra": client(conversation="c")}, Unsupported, "unsupported_value", "conversation"),
    ({"extra": client(x_dragoman={"gemini": 7})}, BadRequest, "invalid_type", "x_dragoman.gemini"),
]


@pytest.mark.parametrize(("change", "error", "code", "param"), REFUSED)
def test_what_is_refused(change: Json, error: type[BadRequest], code: str, param: str) -> None:
    with pytest.raises(error) as caught:
        encode(replace(BASE, **change))
    assert (caught.value.code, caught.value.param) == (code, param)


# -- items -------------------------------------------------------------------------------------


def say(role: Role, *parts: Part | str, **fields: Any) -> Message:
    return Message(role, [TextPart(part) if isinstance(part, str) else part for part in parts], **fields)


def told(kind: str, *content: Json, **rest: Any) -> Json:
    return {"type": kind, "content": list(content), **rest}


def block(text: str, **rest: Any) -> Json:
    return {"type": "text", "text": text, **rest}


def own(**data: Any) -> Kept:
    return Kept("gemini", data)


SIGNED = Reasoning(["Thinking"], signature=Signature("gemini", "s"))
THOUGHT: Json = {"type": "thought", "signature": "s", "summary": [block("Thinking")]}
SEARCHED: list[Json] = [
    {"type": "google_search_call", "id": "c", "arguments": {"queries": ["q"]}, "signature": "s"},
    {"type": "google_search_result", "call_id": "c", "result": [], "signature": "s"},
]


def call(call_id: str, **fields: Any) -> FunctionCall:
    return FunctionCall(call_id, f"f{call_id}", '{"a": 1}', **fields)


def called(call_id: str, **rest: Any) -> Json:
    return {"type": "function_call", "id": call_id, "name": f"f{call_id}", "arguments": {"a": 1}, **rest}


def output(call_id: str, *parts: Part) -> FunctionOutput:
    return FunctionOutput(call_id, list(parts) or [TextPart("ok")])


def result(call_id: str, value: Any = "ok", **rest: Any) -> Json:
    return {"type": "function_result", "call_id": call_id, "name": f"f{call_id}", "result": value, **rest}


SKIPPED: Json = {"type": "thought", "signature": "skip_thought_signature_validator"}
IMAGE: Json = {"type": "image", "data": "QQ==", "mime_type": "image/png"}

ITEMS: dict[str, tuple[list[Item], list[Json], list[str]]] = {
    "a conversation": (
        [say("user", "a", "b"), say("assistant", "c"), say("user", "d")],
        [told("user_input", block("a"), block("b")), told("model_output", block("c")), told("user_input", block("d"))],
        [],
    ),
    "a late instruction": (
        [say("user", "a"), say("developer", "b")],
        [told("user_input", block("a")), told("user_input", block("[developer]"), block("b"))],
        ["input[1].role"],
    ),
    "a phase": (
        [say("assistant", "a", phase="final")],
        [told("model_output", block("a"))],
        ["input[0].phase"],
    ),
    "a refusal": (
        [say("assistant", TextPart("no", refusal=True))],
        [told("model_output", block("no"))],
        ["input[0].content[0]"],
    ),
    "an empty message": ([say("user", "a"), say("assistant")], [told("user_input", block("a"))], []),
    "citations": (
        [
            say(
                "assistant",
                TextPart("東京", [UrlCitation("u", "t", Span(1, 2)), OpaqueAnnotation("elsewhere", {"type": "x"})]),
            )
        ],
        [
            told(
                "model_output",
                block("東京", annotations=[
                    {"type": "url_citation", "url": "u", "title": "t", "start_index": 3, "end_index": 6}
                ]),
            )
        ],
        ["input[0].content[0].annotations[0]", "input[0].content[0].annotations[1]"],
    ),
    "one step of several items": (
        [
            say("assistant", "a"),
            OpaqueItem("image_generation_call", client(), extra=own(block=IMAGE, continues=True)),
            say("assistant", "b", extra=own(continues=True, error={"code": 3})),
        ],
        [told("model_output", block("a"), IMAGE, block("b"), error={"code": 3})],
        [],
    ),
    "an image alone": (
        [OpaqueItem("image_generation_call", client(), extra=own(block=IMAGE))],
        [told("model_output", IMAGE)],
        [],
    ),
    "a thought": ([SIGNED], [THOUGHT], []),
    "a thought in its own shape": (
        [Reasoning(extra=own(signature="", summary=[]))],
        [{"type": "thought", "signature": "", "summary": []}],
        [],
    ),
    "thoughts of others": (
        [say("user", "a"), Reasoning(["x"], signature=Signature("openai", "s")), Reasoning(["y"])],
        [told("user_input", block("a"))],
        ["input[1]", "input[2]"],
    ),
    "a call and its result": (
        [SIGNED, call("1", extra=own(signature="")), output("1")],
        [THOUGHT, called("1", signature=""), result("1")],
        [],
    ),
    "parallel calls": (
        [SIGNED, call("1"), call("2"), output("1"), output("2")],
        [THOUGHT, called("1"), called("2"), result("1"), result("2")],
        [],
    ),
    "parallel calls, told in turns": (
        [SIGNED, call("1"), output("1"), call("2"), output("2")],
        [THOUGHT, called("1"), called("2"), result("1"), result("2")],
        [],
    ),
    "calls in turns": (
        [SIGNED, call("1"), output("1"), SIGNED, call("2"), output("2")],
        [THOUGHT, called("1"), result("1"), THOUGHT, called("2"), result("2")],
        [],
    ),
    "calls of another vendor": (
        [call("1"), output("1"), call("2"), call("3"), output("2"), output("3")],
        [SKIPPED, called("1"), result("1"), SKIPPED, called("2"), called("3"), result("2"), result("3")],
        [],
    ),
    "calls of Gemini's own, which had no thought": (
        [call("1", id="fc_gw1gemini-1"), output("1"), call("2", id="fc_gw1gemini-2")],
        [called("1"), result("1"), called("2")],
        [],
    ),
    "a result that failed": (
        [call("1", id="fc_gw1gemini-1"), replace(output("1"), extra=own(is_error=True))],
        [called("1"), result("1", is_error=True)],
        [],
    ),
    "a result alone": ([output("1")], [{"type": "function_result", "call_id": "1", "result": "ok"}], []),
    "a result of many parts": (
        [call("1"), output("1", TextPart("a"), MediaPart("image", data="QQ==", mime_type="image/png"))],
        [SKIPPED, called("1"), result("1", [block("a"), IMAGE])],
        [],
    ),
    "arguments that are no object": (
        [FunctionCall("1", "f", "[1"), FunctionCall("2", "f", "[1]"), FunctionCall("3", "f", "")],
        [
            SKIPPED,
            {"type": "function_call", "id": "1", "name": "f", "arguments": {"_raw": "[1"}},
            {"type": "function_call", "id": "2", "name": "f", "arguments": {"_raw": "[1]"}},
            {"type": "function_call", "id": "3", "name": "f", "arguments": {}},
        ],
        ["input[0].arguments", "input[1].arguments"],
    ),
    "what rides with an item": (
        [
            say(
                "assistant", "a", "b",
                extra=own(
                    before=SEARCHED[:1],
                    after=SEARCHED[1:],
                    blocks=[{"at": 0, "block": IMAGE}, {"at": 2, "rest": {"x": 1}}, {"at": 9, "block": IMAGE}],
                    usage={"total_tokens": 1},
                    error={"code": 3},
                ),
            )
        ],
        [
            SEARCHED[0],
            told("model_output", IMAGE, block("a"), block("b", x=1), IMAGE, error={"code": 3}),
            SEARCHED[1],
        ],
        [],
    ),
    "what rides with an item, and was told by an item of its own": (
        [
            OpaqueItem("gemini.dance", client(), extra=own(steps=SEARCHED[:1])),
            say("assistant", "a", extra=own(before=SEARCHED[:1])),
        ],
        [SEARCHED[0], told("model_output", block("a"))],
        [],
    ),
    "nonsense that rides with an item": (
        [say("assistant", "a", extra=own(before=3, after=["x"], blocks=[7, {"at": "x", "rest": 1}], steps={}))],
        [told("model_output", block("a"))],
        [],
    ),
    "a search of Gemini's": (
        [OpaqueItem("web_search_call", client(id="ws_1"), extra=own(steps=SEARCHED))],
        SEARCHED,
        [],
    ),
    "a search of another vendor": (
        [say("user", "a"), OpaqueItem("web_search_call", client(id="ws_1"), extra=Kept("elsewhere", {"rest": {}}))],
        [told("user_input", block("a"))],
        ["input[1]"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_items(name: str) -> None:
    items, steps, lost = ITEMS[name]
    body, losses = encode(replace(BASE, text=None, items=items))
    assert body == {"model": MODEL, "input": steps}
    assert losses == lost


SENT = [replace(BASE, **change) for change, _, _ in FIELDS.values()] + [
    replace(BASE, text=None, items=items) for items, _, _ in ITEMS.values()
]


@pytest.mark.parametrize("request_", SENT, ids=[*FIELDS, *ITEMS])
def test_the_vendors_own_models_take_what_is_sent(request_: Request) -> None:
    from google.genai._gaos.types.interactions.createmodelinteraction import CreateModelInteraction

    body, _ = encode(request_)
    taken = CreateModelInteraction.model_validate(body).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert {key: taken.get(key) for key in body} == body


def test_leading_instructions_join_the_system_instruction() -> None:
    items: list[Item] = [say("system", "b"), say("developer", "c", "d"), say("user", "e")]
    body, losses = encode(replace(BASE, text=None, instructions="a", items=items))
    assert body == {"model": MODEL, "system_instruction": "a\n\nb\n\nc\nd", "input": [told("user_input", block("e"))]}
    assert losses == []


def test_no_input_at_all() -> None:
    body, _ = encode(replace(BASE, text=None, previous_id="resp_gw1gemini_v1_abc"))
    assert body == {"model": MODEL, "previous_interaction_id": "v1_abc"}


MEDIA: list[tuple[MediaPart, Json, list[str]]] = [
    (MediaPart("image", data="QQ==", mime_type="image/png", detail="auto"), IMAGE, []),
    (
        MediaPart("image", url="https://a/b.png?c#d", detail="original"),
        {"type": "image", "uri": "https://a/b.png?c#d", "mime_type": "image/png", "resolution": "ultra_high"},
        ["input[0].content[0].detail"],
    ),
    (
        MediaPart("image", url="https://a/b", detail="low"),
        {"type": "image", "uri": "https://a/b", "resolution": "low"},
        [],
    ),
    (MediaPart("image", data="QQ=="), {"type": "image", "data": "QQ=="}, []),
    (
        MediaPart("file", data="QQ==", name="a.PDF"),
        {"type": "document", "data": "QQ==", "mime_type": "application/pdf"},
        ["input[0].content[0].filename"],
    ),
    (
        MediaPart("file", url="https://a/b.csv"),
        {"type": "document", "uri": "https://a/b.csv", "mime_type": "text/csv"},
        [],
    ),
    (MediaPart("file", url="https://a/b"), {"type": "document", "uri": "https://a/b"}, []),
    (
        MediaPart("file", url="gs://a/b", name="b.pdf"),
        {"type": "document", "uri": "gs://a/b", "mime_type": "application/pdf"},
        ["input[0].content[0].filename"],
    ),
    (
        MediaPart("file", data="QQ==", mime_type="audio/mpeg"),
        {"type": "audio", "data": "QQ==", "mime_type": "audio/mpeg"},
        [],
    ),
    (
        MediaPart("video", url="https://a/b.mp4"),
        {"type": "video", "uri": "https://a/b.mp4", "mime_type": "video/mp4"},
        [],
    ),
]


@pytest.mark.parametrize(("part", "sent", "lost"), MEDIA)
def test_media(part: MediaPart, sent: Json, lost: list[str]) -> None:
    body, losses = encode(replace(BASE, text=None, items=[say("user", part)]))
    assert (body["input"], losses) == ([told("user_input", sent)], lost)


FIRST = say("user", "a")
BAD_ITEMS: list[tuple[Item, type[BadRequest], str]] = [
    (OpaqueItem("compaction", client()), Unsupported, "input[1]"),
    (OpaqueItem("item_reference", client(), "msg_1"), Unsupported, "input[1]"),
    (OpaqueItem("computer_call", client()), Unsupported, "input[1]"),
    (say("user", "a", MediaPart("image", file_id="file-1")), Unsupported, "input[1].content[1].file_id"),
    (say("user", MediaPart("file", data="QQ==")), BadRequest, "input[1].content[0]"),
    (say("user", MediaPart("file", url="gs://b/file")), BadRequest, "input[1].content[0]"),
    (say("user", OpaquePart("openai", "input_audio", {})), BadRequest, "input[1].content[0].audio_url"),
    (say("user", OpaquePart("openai", "hologram", {})), Unsupported, "input[1].content[0]"),
    (output("1", TextPart("a"), MediaPart("file", file_id="f")), Unsupported, "input[1].output[1].file_id"),
]


@pytest.mark.parametrize(("item", "error", "param"), BAD_ITEMS)
def test_items_that_are_refused(item: Item, error: type[BadRequest], param: str) -> None:
    with pytest.raises(error) as caught:
        encode(replace(BASE, text=None, items=[FIRST, item]))
    assert caught.value.param == param


def test_an_instruction_is_plain_text() -> None:
    with pytest.raises(Unsupported) as caught:
        encode(replace(BASE, text=None, items=[say("system", "a", MediaPart("image", url="u"))]))
    assert caught.value.param == "input[0].content[1]"


def _foreign(item: Item) -> Item:
    return replace(item, source=client(x_dragoman={"v": "elsewhere"}), extra=Kept("elsewhere", {"blob": "secret"}))


@pytest.mark.parametrize(
    "make",
    [lambda: say("assistant", "a"), lambda: call("1"), lambda: output("1"), lambda: SIGNED, lambda: say("user", "a")],
)
def test_nothing_foreign_leaves(make: Callable[[], Item]) -> None:
    body, _ = encode(replace(BASE, text=None, items=[_foreign(make())]))
    assert "secret" not in str(body)
    assert "x_dragoman" not in str(body)
