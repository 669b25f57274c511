"""Requests of Ark's dialect: read, sent to Ark as they came, and to other vendors in their words or refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.faces.ark.request import decode_request
from adapters.faces.ark.surface import SURFACE
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import requests_of, requests_of_clients

SEARCH: Json = {"type": "web_search"}


def asked(body: Json, vendor: str) -> tuple[Json, dict[str, str]]:
    """What the vendor is sent, and what was reported, as the gateway does it."""
    losses = Ledger()
    request = decode_request({"model": "m", "input": "x"} | body)
    said = question(SURFACE, adapters.load(vendor), request, losses, Named("m"))
    return said.body, {loss.path: loss.reason for loss in losses.losses}


def refused(body: Json, vendor: str) -> str | None:
    """The field, or the reason, for which a request is refused; None where it is taken."""
    try:
        asked(body, vendor)
    except BadRequest as error:
        return error.param or error.message
    return None


def recorded() -> Iterator[tuple[str, Json]]:
    for name, path, body in (*requests_of_clients(), *requests_of("ark")):
        if path in SURFACE.paths:
            yield name, body


RECORDED = dict(recorded())


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_recorded_request_arrives_at_ark_as_it_came(name: str) -> None:
    body = RECORDED[name]
    sent, losses = asked(body, "ark")
    assert sent == {key: value for key, value in body.items() if value is not None} | {"model": "m"}
    assert not losses


@pytest.mark.parametrize("vendor", ["openai", "gemini"])
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_recorded_request_is_taken_elsewhere_or_refused_by_name(name: str, vendor: str) -> None:
    foreign = "previous_response_id" if RECORDED[name].get("previous_response_id") else None
    assert refused(RECORDED[name], vendor) in (foreign, "tools[0]")


def test_the_recordings_are_there(shared: Any) -> None:
    assert len(RECORDED) > 10


OPENAI: tuple[tuple[str, Json, Json], ...] = (
    ("an effort", {"reasoning": {"effort": "high"}}, {"reasoning": {"effort": "high"}}),
    ("no thinking", {"thinking": {"type": "disabled"}}, {"reasoning": {"effort": "none"}}),
    ("thinking", {"thinking": {"type": "enabled"}, "reasoning": {"effort": "low"}}, {"reasoning": {"effort": "low"}}),
    ("nulls", {"text": None, "tools": None, "store": None}, {}),
    (
        "a nested schema",
        {"text": {"format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}, "strict": None}}}},
        {"text": {"format": {"type": "json_schema", "name": "n", "schema": {}}}},
    ),
    ("a search", {"tools": [SEARCH]}, {"tools": [SEARCH]}),
    (
        "a large search in a place",
        {"tools": [{**SEARCH, "limit": 20, "user_location": {"type": "approximate", "city": "Paris"}}]},
        {
            "tools": [
                {**SEARCH, "search_context_size": "high", "user_location": {"type": "approximate", "city": "Paris"}}
            ]
        },
    ),
    ("a choice", {"tools": [SEARCH], "tool_choice": SEARCH}, {"tools": [SEARCH], "tool_choice": SEARCH}),
    ("words for the vendor", {"x_dragoman": {"openai": {"top_logprobs": 2}}}, {"top_logprobs": 2}),
)


@pytest.mark.parametrize(("said", "told"), [row[1:] for row in OPENAI], ids=[row[0] for row in OPENAI])
def test_another_vendor_is_told_in_the_common_words(said: Json, told: Json) -> None:
    sent, losses = asked(said, "openai")
    assert sent == {"model": "m", "input": "x"} | told
    assert not losses


ONLY_ARKS: tuple[tuple[Json, str], ...] = (
    ({"caching": {"type": "enabled"}}, "caching"),
    ({"session": {"id": "s"}}, "session"),
    ({"expire_at": 1}, "expire_at"),
    ({"context_management": {"edits": []}}, "context_management"),
    ({"tools": [{**SEARCH, "max_keyword": 3}]}, "tools[0].max_keyword"),
    ({"tools": [{**SEARCH, "sources": ["douyin"]}]}, "tools[0].sources"),
    ({"tools": [{**SEARCH, "user_location": {"timezone": 8.0}}]}, "tools[0].user_location.timezone"),
)


@pytest.mark.parametrize(("said", "path"), ONLY_ARKS, ids=[row[1] for row in ONLY_ARKS])
@pytest.mark.parametrize("vendor", ["openai", "gemini"])
def test_what_only_ark_understands_is_reported(said: Json, path: str, vendor: str) -> None:
    assert path in asked(said, vendor)[1]


@pytest.mark.parametrize("said", [row[0] for row in ONLY_ARKS], ids=[row[1] for row in ONLY_ARKS])
def test_what_only_ark_understands_arrives_there(said: Json) -> None:
    assert asked(said, "ark") == ({"model": "m", "input": "x"} | said, {})


REFUSED: tuple[tuple[Json, str], ...] = (
    ({"reasoning_effort": "high"}, "reasoning_effort"),
    ({"tools": [{"type": "image_process", "zoom": {}}]}, "tools[0]"),
    ({"tools": [{"type": "doubao_app", "feature": {}}]}, "tools[0]"),
    ({"tools": [{"type": "knowledge_search", "knowledge_resource_id": "k"}]}, "tools[0].knowledge_resource_id"),
    ({"previous_response_id": "resp_of_ark"}, "previous_response_id"),
)


@pytest.mark.parametrize(("said", "path"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_another_vendor_cannot_do_is_refused_in_the_clients_words(said: Json, path: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        asked(said, "gemini")
    assert refusal.value.param == path
    assert asked(said, "ark")[0] == {"model": "m", "input": "x"} | said


MALFORMED: tuple[tuple[Json, str], ...] = (
    ({"input": [{"role": "user"}]}, "input[0].content"),
    ({"input": 7}, "input"),
    ({"model": None}, "model"),
    ({"thinking": {"type": "perhaps"}}, "thinking.type"),
    ({"thinking": "on"}, "thinking"),
    ({"tools": [{}]}, "tools[0].type"),
    ({"tool_choice": {"name": "f"}}, "tool_choice.type"),
    ({"text": {"format": {"type": "json_schema", "json_schema": {"schema": 1}}}}, "text.format.json_schema.schema"),
)


@pytest.mark.parametrize(("said", "path"), MALFORMED, ids=[row[1] for row in MALFORMED])
def test_what_is_malformed_is_named_by_the_clients_own_path(said: Json, path: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        decode_request({"model": "m", "input": "x"} | said)
    assert refusal.value.param == path


def test_a_begun_message_is_arks_alone() -> None:
    said = {"input": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "partial": True}]}
    assert asked(said, "ark")[0]["input"] == said["input"]
    with pytest.raises(Unsupported):
        asked(said, "openai")


_FIELDS = ["model", "input", "type", "role", "content", "text", "annotations", "tools", "tool_choice", "thinking", "id"]
_INSIDE = ["x_dragoman", "before", "raw", "v", "kind", "format", "summary", "arguments", "call_id", "json_schema"]
_TYPES = ["message", "output_text", "url_citation", "web_search", "function_call", "reasoning", "knowledge_search_call"]
_WORDS = st.sampled_from([*_FIELDS, *_INSIDE, *_TYPES])
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_WORDS, inner, max_size=5),
    max_leaves=30,
)


@given(st.dictionaries(_WORDS, _JSON, max_size=6), st.sampled_from(["openai", "gemini", "ark"]))
def test_any_body_is_taken_or_refused(body: Json, vendor: str) -> None:
    assert refused(body, vendor) != ""
