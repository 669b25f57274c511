"""Requests of the dialects whose words are not the common ones: one with some of everything, and any part of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from adapters.wire_json import Json
from tests.laws import requests as common

_SCHEMA: Json = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}

GEMINI: Json = {
    "model": "m",
    "system_instruction": "i",
    "input": [
        {"type": "user_input", "content": [
            {"type": "text", "text": "t"}, {"type": "image", "data": "aa==", "mime_type": "image/png"},
            {"type": "document", "data": "aa==", "mime_type": "application/pdf"}]},
        {"type": "thought", "signature": "gw1.openai.blob", "summary": [{"type": "text", "text": "s"}],
         "x_dragoman": {"v": "openai", "id": "rs_1"}},
        {"type": "thought", "signature": "own"},
        {"type": "model_output", "content": [
            {"type": "text", "text": "some text", "annotations": [
                {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 4},
                {"type": "place_citation", "place_id": "p", "name": "n", "url": "v", "start_index": 1, "end_index": 2},
                {"type": "file_citation", "document_uri": "f", "file_name": "n", "page_number": 3, "end_index": 2}]}]},
        {"type": "google_search_call", "id": "s", "arguments": {"queries": ["q"]}, "signature": "z"},
        {"type": "google_search_result", "call_id": "s", "result": [{"search_suggestions": "x"}], "signature": "y"},
        {"type": "function_call", "id": "c", "name": "f", "arguments": {"q": "v"}},
        {"type": "function_result", "call_id": "c", "name": "f", "result": "o"},
        {"type": "user_input", "content": [{"type": "text", "text": "and?"}]},
    ],
    "tools": [
        {"type": "function", "name": "f", "description": "d", "parameters": _SCHEMA},
        {"type": "google_search", "search_types": ["web_search"]},
    ],
    "generation_config": {
        "temperature": 1, "top_p": 0.5, "max_output_tokens": 10, "stop_sequences": ["x"], "seed": 7,
        "thinking_level": "low", "thinking_summaries": "auto",
        "tool_choice": {"allowed_tools": {"mode": "auto", "tools": ["f"]}},
    },
    "response_format": {"type": "text", "mime_type": "application/json", "schema": _SCHEMA},
    "labels": {"a": "b"}, "stream": True, "store": False, "service_tier": "priority", "background": False,
    "x_dragoman": {"openai": {"a": 1}, "ark": {"a": 1}},
}  # fmt: skip

ARK: Json = {
    "model": "m",
    "instructions": "i",
    "input": [
        {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "t"},
            {"type": "input_image", "image_url": "data:image/png;base64,aa==", "detail": "low"},
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,aa=="}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}], "status": "completed"},
        {"type": "message", "role": "assistant", "id": "msg_gw1openai_1", "status": "completed", "content": [
            {"type": "output_text", "text": "some text", "annotations": [
                {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 4},
                {"type": "doc_citation", "doc_id": "d", "doc_name": "n", "chunk_id": 3}]}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc_1"},
        {"type": "function_call_output", "call_id": "c", "output": "o"},
        {"type": "message", "role": "user", "content": "and?"},
    ],
    "tools": [
        {"type": "function", "name": "f", "description": "d", "parameters": _SCHEMA, "strict": True},
        {"type": "web_search", "limit": 5, "max_keyword": 2, "sources": ["toutiao"],
         "user_location": {"type": "approximate", "city": "c"}},
    ],
    "tool_choice": {"type": "function", "name": "f"},
    "text": {"format": {"type": "json_schema", "name": "n", "schema": _SCHEMA, "strict": True}},
    "thinking": {"type": "enabled"}, "reasoning": {"effort": "low"}, "caching": {"type": "enabled"},
    "include": ["reasoning.encrypted_content"], "stream": True, "store": False, "expire_at": 1900000000,
    "temperature": 1, "top_p": 0.5, "max_output_tokens": 10, "max_tool_calls": 3, "parallel_tool_calls": True,
    "service_tier": "fast", "x_dragoman": {"gemini": {"a": 1}, "stop": ["x"]},
}  # fmt: skip

WHOLE = {"openai": common.WHOLE, "gemini": GEMINI, "ark": ARK}
"""A request with some of everything, in each dialect."""

_NEEDED = ("model", "input")


def _some_of(whole: Json) -> st.SearchStrategy[Json]:
    """The model, some of the input, and some of the other fields."""
    others = sorted(whole.keys() - set(_NEEDED))
    items: list[Any] = whole["input"]

    def chosen(at: list[int], fields: list[str]) -> Json:
        told = [items[number] for number in sorted(at)]
        return {"model": whole["model"], "input": told, **{field: whole[field] for field in fields}}

    places = st.lists(st.integers(0, len(items) - 1), min_size=1, unique=True)
    return st.builds(chosen, places, st.lists(st.sampled_from(others), unique=True))


REQUESTS = {"openai": common.REQUESTS, "gemini": _some_of(GEMINI), "ark": _some_of(ARK)}
"""Any request, in each dialect."""
