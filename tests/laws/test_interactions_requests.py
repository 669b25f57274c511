"""Requests of the Interactions dialect: what real clients send arrives at Gemini as it was, and elsewhere too, or is
refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.faces.gemini.coverage import STEP_FIELDS, STEPS, TOOLS
from adapters.faces.gemini.request import decode_request
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.hub.origin import heed_private, respell
from adapters.hub.request import Request
from adapters.hub.spans import Offsets
from adapters.wire_json import Json, dumps
from tests.laws.corpus import VENDORS, requests_of, requests_of_clients
from tests.laws.json_values import places, replaced, same, without
from tests.laws.strategies import JUNK, VALUES, bounded, spoilt

OLDER = "old-"
"""How the names of recordings of the older revision begin."""

REFUSED = {
    "previous_interaction_id": "another vendor gave that response, and this one cannot know it",
}
"""By the field that the client is told: why a recorded request cannot go elsewhere."""


def recorded() -> Iterator[tuple[str, Json]]:
    """All recorded requests of the revision of steps."""
    for name, path, body in (*requests_of_clients(), *requests_of("gemini")):
        if path.endswith("/interactions") and not name.startswith(OLDER):
            yield name, body


def encode(request: Request, vendor: str) -> Json:
    """What a vendor is sent, as the gateway does it; errors name the client's own fields."""
    assert request.origin is not None
    losses = Ledger()
    try:
        if vendor != "gemini":
            heed_private(request, vendor, losses)
        body = adapters.load(vendor).codec.encode_request(request, losses)
    except BadRequest as refusal:
        respell(request.origin, refusal)
        raise
    dumps(body)
    assert all(loss.path and loss.reason for loss in losses.losses)
    return body


def test_what_clients_send_arrives_at_gemini_as_it_was(shared: Path) -> None:
    found = list(recorded())
    assert len(found) > 30
    for name, body in found:
        assert same(encode(decode_request(body), "gemini")) == same(body), name


def test_the_older_revision_is_refused_with_a_way_out(shared: Path) -> None:
    older = [body for name, _, body in requests_of("gemini") if name.startswith(OLDER)]
    assert older
    for body in older:
        with pytest.raises(BadRequest, match="older revision") as refusal:
            decode_request(body)
        assert refusal.value.param == "input[0]"


@pytest.mark.parametrize("vendor", [vendor for vendor in VENDORS if vendor != "gemini"])
def test_what_clients_send_is_taken_elsewhere_or_refused_by_name(vendor: str, shared: Path) -> None:
    refused: dict[str, str | None] = {}
    for name, body in recorded():
        try:
            encode(decode_request(body), vendor)
        except BadRequest as refusal:
            refused[name] = refusal.param
    assert set(refused.values()) <= REFUSED.keys(), refused


# -- any request -----------------------------------------------------------------------------------

WHOLE: Json = {
    "model": "m",
    "system_instruction": "i",
    "input": [
        {"type": "user_input", "content": [
            {"type": "text", "text": "t"},
            {"type": "image", "data": "aa==", "mime_type": "image/png", "resolution": "low"},
            {"type": "document", "data": "aa==", "mime_type": "application/pdf"},
            {"type": "function_result", "call_id": "c", "result": "o"}]},
        {"type": "thought", "signature": "gw1.openai.blob", "summary": [{"type": "text", "text": "s"}],
         "x_dragoman": {"v": "openai", "id": "rs_1", "rest": {"content": [{"type": "reasoning_text", "text": "s"}]}}},
        {"type": "model_output", "content": [
            {"type": "text", "text": "some text", "annotations": [
                {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1},
                {"type": "file_citation", "document_uri": "f", "file_name": "n", "start_index": 1, "end_index": 1,
                 "x_dragoman": {"v": "openai", "raw": {"type": "file_citation", "file_id": "f", "filename": "n",
                                                       "index": 1}}}],
             "x_dragoman": {"v": "ark", "annotations": [{"at": 0, "raw": {"type": "thing"}}]}},
            {"type": "image", "data": "aa==", "mime_type": "image/png"}],
         "x_dragoman": {"v": "openai", "id": "msg_1", "before": [{"v": "openai", "raw": {"type": "mcp_list_tools"}}]}},
        {"type": "google_search_call", "id": "ws_gw1openai_ws_1", "arguments": {"queries": ["q"]}},
        {"type": "google_search_result", "call_id": "ws_gw1openai_ws_1", "result": []},
        {"type": "mcp_server_tool_call", "id": "1", "name": "n", "server_name": "s", "arguments": {"a": 1}},
        {"type": "mcp_server_tool_result", "call_id": "1", "result": [{"type": "text", "text": "t"}]},
        {"type": "function_call", "id": "c", "name": "f", "arguments": {"input": "x"},
         "x_dragoman": {"v": "openai", "id": "ctc_1", "kind": "custom_tool_call"}},
        {"type": "function_result", "call_id": "c", "result": [{"type": "text", "text": "o"}], "is_error": True},
    ],
    "tools": [
        {"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}},
        {"type": "google_search", "search_types": ["web_search"]},
        {"type": "mcp_server", "name": "n", "url": "u", "headers": {"a": "b"}, "allowed_tools": [{"tools": ["x"]}]},
    ],
    "generation_config": {
        "temperature": 1, "top_p": 0.5, "max_output_tokens": 10, "stop_sequences": ["x"], "thinking_level": "low",
        "thinking_summaries": "auto", "seed": 1, "tool_choice": {"allowed_tools": {"mode": "auto", "tools": ["f"]}},
    },
    "response_format": [{"type": "text", "mime_type": "application/json", "schema": {"type": "object", "title": "t"}},
                        {"type": "image", "aspect_ratio": "1:1", "mime_type": "image/jpeg"}],
    "response_modalities": ["text", "image"],
    "labels": {"a": "b"}, "service_tier": "priority", "store": True, "stream": True, "background": False,
    "safety_settings": [{"type": "x"}], "x_dragoman": {"openai": {"a": 1}},
}  # fmt: skip
"""A request with some of everything."""


def asked(body: Json, offsets: Offsets | None = None) -> None:
    """A request is read and sent to every vendor, or refused with the field at fault."""
    refusals: list[BadRequest] = []
    for vendor in VENDORS:
        try:
            encode(decode_request(body, offsets), vendor)
        except BadRequest as refusal:
            refusals.append(refusal)
    assert all(refusal.param and refusal.message for refusal in refusals)


def test_a_request_with_some_of_everything_is_read() -> None:
    told = encode(decode_request(WHOLE), "gemini")
    assert "x_dragoman" not in str(told)
    assert "gw1" not in str(told)


def test_every_field_of_every_kind_is_read_or_refused() -> None:
    """Each field of a request with some of everything, lost, and replaced by each kind of junk."""
    for place in places(WHOLE):
        asked(without(WHOLE, place))
        for junk in JUNK:
            asked(replaced(WHOLE, place, junk))


@bounded(300)
@given(data=st.data(), offsets=st.sampled_from([None, "codepoint", "utf16", "utf8"]))
def test_no_spoilt_field_breaks_a_request(data: st.DataObject, offsets: Offsets | None) -> None:
    asked(spoilt(data, WHOLE), offsets)


_Strategy = st.SearchStrategy[Any]
_WORDS = st.sampled_from(["a", "1", "gw1.ark.b", "ws_gw1openai_1", "東京 🗼", ""])
_FIELDS = sorted({field for fields in STEP_FIELDS.values() for field in fields} - {"type"})
_BLOCKS: _Strategy = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image", "document", "audio", "video", "function_result", "x"])},
        optional={
            "text": _WORDS,
            "data": _WORDS,
            "uri": _WORDS,
            "mime_type": _WORDS,
            "call_id": _WORDS,
            "result": VALUES,
        },
    ),
    max_size=3,
)
_ANY_STEP: _Strategy = st.fixed_dictionaries(
    {"type": st.sampled_from([*STEPS, "step_of_tomorrow"])},
    optional={
        **{field: st.one_of(_WORDS, _BLOCKS, VALUES) for field in _FIELDS},
        "arguments": st.dictionaries(st.sampled_from(["queries", "code", "urls", "input", "_raw"]), VALUES, max_size=2),
        "x_dragoman": st.one_of(VALUES, st.just({"v": "openai", "id": "x_1", "kind": "custom_tool_call"})),
    },
)


@bounded(300)
@given(steps=st.lists(_ANY_STEP, min_size=1, max_size=5))
def test_no_steps_break_a_request(steps: list[Json]) -> None:
    asked({"model": "m", "input": steps})


@bounded(150)
@given(kind=st.sampled_from([*TOOLS, "tool_of_tomorrow"]), fields=st.dictionaries(_WORDS, VALUES, max_size=3))
def test_no_tool_breaks_a_request(kind: str, fields: Json) -> None:
    asked({"model": "m", "input": "x", "tools": [{**fields, "type": kind, "name": "n", "url": "u"}]})
