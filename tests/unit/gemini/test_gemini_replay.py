"""An answer with some of everything comes back as Gemini said it, through a client that keeps what it is sent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.gemini import ADAPTER
from adapters.hub.adapter import Fidelity
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.responses.emulation import emulate
from adapters.responses.request import decode_request
from adapters.sse import SseEvent
from adapters.wire_json import dumps
from tests.laws.corpus import decode, encode
from tests.laws.strategies import bounded, spoilt

Json = dict[str, Any]


def text(words: str, **rest: Any) -> Json:
    return {"type": "text", "text": words, **rest}


CITE: Json = {"type": "url_citation", "url": "https://u", "title": "t", "start_index": 0, "end_index": 3}
IMAGE: Json = {"type": "image", "data": "QQ==", "mime_type": "image/png"}
AUDIO: Json = {"type": "audio", "data": "QUJD", "mime_type": "audio/l16", "sample_rate": 24000}

STEPS: list[Json] = [
    {"type": "processing_call", "id": "p", "signature": "s1"},
    {"type": "thought", "signature": "s2", "summary": [text("Look"), IMAGE, text("at this", annotations=[CITE])]},
    {"type": "processing_result", "call_id": "p", "signature": "s3"},
    {"type": "step_of_tomorrow", "id": "x", "deep": {"a": [1]}},
    {"type": "tool_search_call", "id": "t", "arguments": {"function_names": ["f"]}, "signature": "s4"},
    {"type": "tool_search_result", "call_id": "t", "result": [{"type": "function", "name": "f", "parameters": {}}]},
    {"type": "code_execution_call", "id": "c", "arguments": {"code": "1", "language": "python"}},
    {"type": "code_execution_result", "call_id": "c", "result": [text("1"), IMAGE], "signature": "s5"},
    {"type": "mcp_server_tool_call", "id": "m", "name": "ask", "server_name": "my_wiki", "arguments": {}},
    {"type": "mcp_server_tool_result", "call_id": "m", "name": "ask", "server_name": "my_wiki", "result": {"a": 1}},
    {
        "type": "model_output",
        "content": [
            AUDIO,
            text("東京", annotations=[CITE], x=1),
            {"type": "video", "uri": "https://v"},
            IMAGE,
            text("b"),
        ],
        "error": {"code": 8, "message": "enough"},
    },
    {"type": "thought", "signature": "s6"},
    {"type": "function_call", "id": "f1", "name": "f", "arguments": {"a": 1}, "signature": ""},
    {"type": "function_call", "id": "f2", "name": "f", "arguments": {}},
    {"type": "processing_call", "id": "q", "signature": "s7"},
]
WHOLE: Json = {"id": "v1_a", "model": "m", "status": "requires_action", "steps": STEPS}


def _events() -> list[Json]:
    events: list[Json] = [{"event_type": "interaction.created", "interaction": {"id": "v1_a", "model": "m"}}]
    for index, step in enumerate(STEPS):
        events.append({"event_type": "step.start", "index": index, "step": step})
        events.append({"event_type": "step.stop", "index": index, "step_usage": {"total_tokens": index}})
    return [
        *events,
        {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "requires_action"}},
    ]


def _sent_back(output: list[Json]) -> tuple[list[Json], list[str]]:
    losses = Ledger()
    request = decode_request({"model": "gemini-x", "input": output}, "openai")
    sent = ADAPTER.codec.encode_request(request, losses)["input"]
    return sent, [loss.path for loss in losses.losses]


@pytest.mark.parametrize("fidelity", ["rich", "native"])
@pytest.mark.parametrize("streamed", [True, False])
def test_everything_comes_back(fidelity: Fidelity, streamed: bool) -> None:
    stream = [SseEvent(b"", dumps(event)) for event in _events()]
    walk = decode("gemini", stream) if streamed else ADAPTER.codec.decode_response(WHOLE)
    told = encode(walk, "openai", fidelity)
    sent, losses = _sent_back(told.body()["output"])
    assert sent == STEPS
    assert losses == []
    assert not {item.get("server_label") for item in told.body()["output"]} - {None, "my_wiki"}
    assert {item["container_id"] for item in told.body()["output"] if "container_id" in item} == {"gemini"}


def test_what_a_step_cost_is_told_and_not_sent_back() -> None:
    told = encode(decode("gemini", [SseEvent(b"", dumps(event)) for event in _events()]), "openai")
    extras = [item.get("x_dragoman", {}) for item in told.body()["output"]]
    assert [extra["usage"]["total_tokens"] for extra in extras if "usage" in extra] == [1, 4, 5, 7, 9, 10, 11, 12, 13]


def test_a_strict_client_brings_back_what_the_dialect_has_words_for() -> None:
    told = encode(ADAPTER.codec.decode_response(WHOLE), "openai", "strict")
    assert told.losses
    sent, _ = _sent_back(told.body()["output"])
    assert [step["type"] for step in sent] == [
        "thought", "tool_search_call", "tool_search_result", "code_execution_call", "code_execution_result",
        "mcp_server_tool_call", "mcp_server_tool_result", "model_output", "model_output", "model_output", "thought",
        "function_call", "function_call",
    ]  # fmt: skip


BODY: Json = {
    "model": "gemini-3-pro-image",
    "input": [
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}}]},
        {"type": "code_interpreter_call", "id": "c", "code": "1", "outputs": [{"type": "logs", "logs": "1"}]},
        {"type": "mcp_call", "id": "m", "server_label": "w", "name": "ask", "arguments": "{}", "error": {"a": 1}},
        {"type": "image_generation_call", "id": "i", "result": "QQ==", "output_format": "jpeg"},
        {"type": "tool_search_call", "id": "t", "arguments": {}},
        {"type": "tool_search_output", "id": "o", "tools": [{"type": "function", "name": "f", "parameters": {}}]},
        {"role": "assistant", "content": "a",
         "x_dragoman": {"v": "gemini", "before": STEPS[:1], "blocks": [{"at": 0, "block": AUDIO}]}},
    ],
    "tools": [
        {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True, "defer_loading": True},
        {"type": "web_search_preview", "search_content_types": ["text", "image"]},
        {"type": "code_interpreter", "container": {"type": "auto", "memory_limit": "1g"}},
        {"type": "file_search", "vector_store_ids": ["fileSearchStores/a"], "max_num_results": 3,
         "filters": {"type": "and", "filters": [{"type": "in", "key": "k", "value": ["a", 1]}]}},
        {"type": "mcp", "server_label": "w", "server_url": "u", "require_approval": "never", "headers": {"a": "b"},
         "allowed_tools": {"tool_names": ["ask"], "read_only": False}, "authorization": "t"},
        {"type": "image_generation", "size": "1024x1024", "output_format": "jpeg"},
        {"type": "tool_search", "execution": "server"},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "w"}]},
    "background_options": {"completion_window": "2h"},
    "x_dragoman": {"gemini": {"tools": [{"type": "google_maps"}], "generation_config": {"seed": 1}}},
}  # fmt: skip


@bounded(300)
@given(st.data())
def test_a_request_that_is_nearly_right_is_sent_or_refused(data: st.DataObject) -> None:
    body, losses = spoilt(data, BODY), Ledger()
    try:
        request = decode_request(body, "openai")
        emulation = emulate(request, ADAPTER.client_tools, losses)
        dumps(ADAPTER.codec.encode_request(emulation.request if emulation is not None else request, losses))
    except BadRequest:
        return
