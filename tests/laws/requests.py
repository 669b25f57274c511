"""Requests of the Responses dialect that the laws send."""

from __future__ import annotations

from adapters.wire_json import Json

WHOLE: Json = {
    "model": "m",
    "instructions": "i",
    "input": [
        {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "t"}, {"type": "input_image", "image_url": "data:image/png;base64,aa=="},
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,aa=="}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}],
         "encrypted_content": "gw1.ark.blob", "x_dragoman": {"v": "gemini", "rest": {"a": 1}}},
        {"type": "message", "role": "assistant", "id": "msg_gw1gemini_1", "content": [
            {"type": "output_text", "text": "t", "annotations": [
                {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1,
                 "x_dragoman": {"v": "gemini", "raw": {"type": "url_citation", "url": "u", "end_index": 1}}},
                {"type": "file_citation", "file_id": "f", "filename": "n", "index": 1}],
             "x_dragoman": {"v": "gemini", "annotations": [{"at": 0, "raw": {"type": "word_info"}}]}},
            {"type": "refusal", "refusal": "r"}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc_1"},
        {"type": "function_call_output", "call_id": "c", "output": "o"},
        {"type": "web_search_call", "id": "ws_gw1gemini_1", "status": "completed",
         "x_dragoman": {"v": "gemini", "steps": [{"type": "google_search_call"}]}},
    ],
    "tools": [
        {"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True},
        {"type": "web_search", "search_context_size": "low", "user_location": {"type": "approximate", "city": "c"}},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
    "text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": True}},
    "reasoning": {"effort": "low", "summary": "auto"},
    "include": ["reasoning.encrypted_content"], "metadata": {"a": "b"}, "stream": True, "store": False,
    "temperature": 1, "top_p": 0.5, "max_output_tokens": 10, "max_tool_calls": 3, "parallel_tool_calls": True,
    "previous_response_id": None, "x_dragoman": {"gemini": {"a": 1}, "ark": {"a": 1}, "stop": ["x"]},
    "truncation": "auto", "service_tier": "priority", "background": False, "user": "u",
}  # fmt: skip
"""A request with some of everything."""
