"""Requests of the Responses dialect that the laws send: one with some of everything, and any others."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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
            {"type": "output_text", "text": "some text", "annotations": [
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


# -- any request -------------------------------------------------------------------------------

_Strategy = st.SearchStrategy[Any]
_WORDS = st.text("abc ä東\U0001f600", min_size=1, max_size=8)
_NAMES = st.sampled_from(["f", "g", "look_up"])


def _object(needed: dict[str, _Strategy], maybe: dict[str, _Strategy] | None = None) -> _Strategy:
    return st.fixed_dictionaries(needed, optional=maybe or {})


def _is(kind: str) -> dict[str, _Strategy]:
    return {"type": st.just(kind)}


_CITED = st.one_of(
    _object(
        {**_is("url_citation"), "url": _WORDS, "title": _WORDS, "start_index": st.just(0), "end_index": st.just(3)},
    ),
    _object({**_is("file_citation"), "file_id": _WORDS, "filename": _WORDS, "index": st.just(2)}),
)
_SAID = st.one_of(
    _object(
        {**_is("output_text"), "text": _WORDS.map("a text of {}".format), "annotations": st.lists(_CITED, max_size=2)}
    ),
    _object({**_is("refusal"), "refusal": _WORDS}),
)
_ASKED = st.one_of(
    _object({**_is("input_text"), "text": _WORDS}, {"tomorrow": _WORDS}),
    _object(
        {**_is("input_image"), "image_url": st.sampled_from(["https://a.test/i.png", "data:image/png;base64,aGk="])},
        {"detail": st.sampled_from(["low", "high"])},
    ),
    _object({**_is("input_image"), "file_id": _WORDS}),
    _object(
        {
            **_is("input_file"),
            "filename": st.sampled_from(["a.pdf", "b.txt"]),
            "file_data": st.just("data:application/pdf;base64,aGk="),
        }
    ),
)
_ITEMS = st.one_of(
    _object({"role": st.sampled_from(["user", "system", "developer"]), "content": _WORDS}, {"tomorrow": _WORDS}),
    _object({**_is("message"), "role": st.just("user"), "content": st.lists(_ASKED, min_size=1, max_size=2)}),
    _object(
        {**_is("message"), "role": st.just("assistant"), "content": st.lists(_SAID, min_size=1, max_size=2)},
        {"phase": st.sampled_from(["commentary", "final_answer"]), "id": st.just("msg_1"), "tomorrow": _WORDS},
    ),
    _object(
        {**_is("reasoning"), "id": st.just("rs_1"), "summary": st.just([{"type": "summary_text", "text": "s"}])},
        {"encrypted_content": st.sampled_from(["own", "gw1.ark.blob", "gw1.gemini.blob"])},
    ),
    _object(
        {
            **_is("function_call"),
            "call_id": _WORDS,
            "name": _NAMES,
            "arguments": st.sampled_from(["{}", '{"a":1}', "x"]),
        },
        {"tomorrow": _WORDS},
    ),
    _object(
        {**_is("function_call_output"), "call_id": _WORDS, "output": st.one_of(_WORDS, st.lists(_ASKED, max_size=2))}
    ),
    _object({**_is("custom_tool_call"), "call_id": _WORDS, "name": _NAMES, "input": _WORDS}),
    _object({**_is("custom_tool_call_output"), "call_id": _WORDS, "output": _WORDS}),
    _object({**_is("web_search_call"), "id": st.just("ws_1"), "status": st.just("completed"), "action": st.just({})}),
    _object({**_is("item_reference"), "id": st.sampled_from(["msg_1", "msg_gw1ark_msg_1"])}),
    _object({**_is("item_of_tomorrow"), "id": st.just("x_1"), "deep": _WORDS}),
)
_SCHEMA = st.sampled_from(
    [{"type": "object"}, {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}}]
)
_TOOLS = st.one_of(
    _object(
        {**_is("function"), "name": _NAMES},
        {"description": _WORDS, "parameters": _SCHEMA, "strict": st.booleans(), "tomorrow": _WORDS},
    ),
    _object(
        {"type": st.sampled_from(["web_search", "web_search_preview"])},
        {
            "search_context_size": st.sampled_from(["low", "medium", "high"]),
            "user_location": st.just({"type": "approximate", "city": "Kyoto", "timezone": "Asia/Tokyo"}),
            "filters": st.just({"allowed_domains": ["a.test"]}),
            "tomorrow": _WORDS,
        },
    ),
    _object({**_is("tool_of_tomorrow"), "deep": _WORDS}),
)
_CHOICES = st.one_of(
    st.sampled_from(["auto", "none", "required"]),
    _object({**_is("function"), "name": _NAMES}),
    st.just({"type": "web_search"}),
)
_FORMATS = st.one_of(
    st.just({"type": "text"}),
    st.just({"type": "json_object"}),
    _object(
        {**_is("json_schema"), "name": _NAMES, "schema": _SCHEMA}, {"strict": st.booleans(), "description": _WORDS}
    ),
)

REQUESTS = _object(
    {"model": st.just("m"), "input": st.one_of(_WORDS, st.lists(_ITEMS, min_size=1, max_size=4))},
    {
        "instructions": _WORDS,
        "tools": st.lists(_TOOLS, max_size=2),
        "tool_choice": _CHOICES,
        "parallel_tool_calls": st.booleans(),
        "temperature": st.sampled_from([0.5, 1]),
        "top_p": st.just(0.5),
        "max_output_tokens": st.just(100),
        "max_tool_calls": st.sampled_from([3, 30]),
        "top_logprobs": st.just(2),
        "reasoning": _object(
            {},
            {
                "effort": st.sampled_from(["none", "minimal", "low", "high", "xhigh", "max"]),
                "summary": st.sampled_from(["auto", "concise", "detailed"]),
                "tomorrow": _WORDS,
            },
        ),
        "text": _object({}, {"format": _FORMATS, "verbosity": st.sampled_from(["low", "high"]), "tomorrow": _WORDS}),
        "include": st.lists(
            st.sampled_from(
                ["reasoning.encrypted_content", "file_search_call.results", "message.output_text.logprobs"]
            ),
            max_size=2,
        ),
        "metadata": st.just({"a": "b"}),
        "store": st.booleans(),
        "stream": st.booleans(),
        "background": st.booleans(),
        "truncation": st.sampled_from(["auto", "disabled"]),
        "service_tier": st.sampled_from(["auto", "flex", "priority"]),
        "previous_response_id": st.sampled_from(["resp_1", "resp_gw1ark_resp_1", "resp_gw1gemini_v1"]),
        "prompt": st.just({"id": "p"}),
        "conversation": st.just("conv_1"),
        "context_management": st.just([{"type": "compaction"}]),
        "user": _WORDS,
        "prompt_cache_key": _WORDS,
        "tomorrow": _WORDS,
    },
)
"""Any request that is well formed."""
