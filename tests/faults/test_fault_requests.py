"""Faults of requests, each with the smallest request that shows it: what the vendor is sent, or how it is refused."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, dumps
from tests.laws.corpus import decode, encode, parse, surface


def send(vendor: str, **fields: Any) -> tuple[Json, list[str]]:
    """What the vendor is sent, and the paths that are lost."""
    losses = Ledger()
    request = surface("openai").decode_request({"model": "m", "input": "x", **fields})
    return adapters.load(vendor).codec.encode_request(request, losses), [loss.path for loss in losses.losses]


def function(schema: Json) -> Json:
    return {"type": "function", "name": "f", "parameters": schema}


def format_(schema: Json) -> Json:
    return {"format": {"type": "json_schema", "name": "n", "schema": schema}}


# Interactions takes JSON Schema, where generateContent takes a Schema of its own: most of it may stand.
# the schema, what Gemini is sent (None: the same), whether something of it is lost
SCHEMAS: dict[str, tuple[Json, Json | None, bool]] = {
    "H01 a list of types": ({"type": ["string", "null"]}, None, False),
    "H02 a reference": ({"properties": {"x": {}, "l": {"items": {"$ref": "#/properties/x"}}}}, None, False),
    "H03 no other properties": ({"properties": {"a": {"additionalProperties": False}}}, None, False),
    "H04 the name of the dialect": (
        {"$schema": "https://json-schema.org/x", "type": "object"},
        {"type": "object"},
        False,
    ),
    "H06 an open bound": (
        {"properties": {"n": {"type": "number", "exclusiveMinimum": 0}}},
        {"properties": {"n": {"type": "number"}}},
        True,
    ),
    "H07 a constant": ({"oneOf": [{"const": "a"}]}, {"oneOf": [{"enum": ["a"]}]}, False),
    "H08 a choice beside other keys": (
        {"anyOf": [{"type": "object"}], "type": "object", "description": "d"},
        None,
        False,
    ),
    "H09 an object without properties": ({"type": "object", "properties": {}}, None, False),
    "H10 numbers to choose from": (
        {"properties": {"n": {"type": "integer", "enum": [1, 2], "default": 1}}},
        None,
        False,
    ),
    "H10 a format and a title": ({"properties": {"u": {"type": "string", "format": "uri", "title": "U"}}}, None, False),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_that_gemini_takes(name: str) -> None:
    schema, changed, lossy = SCHEMAS[name]
    expected = schema if changed is None else changed
    sent, lost = send("gemini", tools=[function(schema)], text=format_(schema))
    assert (sent["tools"][0]["parameters"], sent["response_format"]["schema"]) == (expected, expected)
    assert sorted(lost) == (["text.format.schema", "tools[0].parameters"] if lossy else [])


@pytest.mark.parametrize("vendor", ["ark", "openai"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_left_to_vendors_of_json_schema(name: str, vendor: str) -> None:
    schema, _, _ = SCHEMAS[name]
    assert send(vendor, tools=[function(schema)])[0]["tools"][0]["parameters"] == schema


@pytest.mark.parametrize("vendor", ["gemini", "ark"])
def test_a_schema_beside_a_search_is_sent(vendor: str) -> None:
    """H12: generateContent refuses the two together; these routes take them."""
    sent, lost = send(vendor, tools=[{"type": "web_search"}], text=format_({"type": "object"}))
    assert lost == []
    assert len(sent["tools"]) == 1
    assert "schema" in str(sent.get("response_format", sent.get("text")))


def test_a_model_without_guided_decoding_is_told_in_arks_words() -> None:
    """H13"""
    message = "json_schema is not supported by this model"
    error = {"code": "InvalidParameter", "message": message, "param": "text.format", "type": "BadRequest"}
    found = adapters.load("ark").endpoint.decode_error(400, {}, dumps({"error": error}))
    assert (found.status, found.param, found.retryable) == (400, "text.format", False)
    assert message in found.message


def file(**fields: Any) -> Json:
    return {"input": [{"role": "user", "content": [{"type": "input_file", **fields}]}]}


@pytest.mark.parametrize("vendor", ["gemini", "ark"])
@pytest.mark.parametrize("kind", ["input_file", "input_image"])
def test_a_file_of_another_vendor_is_refused(kind: str, vendor: str) -> None:
    """L01"""
    content = [{"type": kind, "file_id": "file-1"}]
    with pytest.raises(BadRequest) as caught:
        send(vendor, input=[{"role": "user", "content": content}])
    assert caught.value.param == "input[0].content[0].file_id"


def test_a_file_of_a_bucket_must_tell_its_type() -> None:
    """L02: a bucket does not say it, so the name must."""
    with pytest.raises(BadRequest, match="type is unknown"):
        send("gemini", **file(file_url="gs://b/file"))
    sent, _ = send("gemini", **file(file_url="gs://b/file.pdf"))
    assert sent["input"][0]["content"][0]["mime_type"] == "application/pdf"


def test_an_address_is_passed_with_its_type() -> None:
    """L03, L04: nothing is fetched here."""
    sent, _ = send("gemini", **file(file_url="https://a.test/a.pdf"))
    told = {"type": "document", "uri": "https://a.test/a.pdf", "mime_type": "application/pdf"}
    assert sent["input"][0]["content"] == [told]


def test_a_limit_of_tokens_reaches_every_vendor() -> None:
    """K04"""
    assert send("openai", max_output_tokens=5)[0]["max_output_tokens"] == 5
    assert send("ark", max_output_tokens=5)[0]["max_output_tokens"] == 5
    assert send("gemini", max_output_tokens=5)[0]["generation_config"]["max_output_tokens"] == 5


@pytest.mark.parametrize("store", [True, False])
@pytest.mark.parametrize("vendor", ["openai", "ark", "gemini"])
def test_whether_to_store_reaches_every_vendor(vendor: str, store: bool) -> None:
    """I14"""
    assert send(vendor, store=store)[0]["store"] is store


@pytest.mark.parametrize("vendor", ["openai", "ark"])
def test_sealed_reasoning_is_asked_for_and_comes_back(vendor: str) -> None:
    """I05: nothing is stored, so the seal is the only memory. Gemini gives its own unasked."""
    include = ["reasoning.encrypted_content"]
    blob = "s" if vendor == "openai" else f"gw1.{vendor}.s"
    sealed: Json = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": blob}
    sent, _ = send(vendor, store=False, include=include, input=[sealed])
    assert (sent["include"], sent["input"][0]["encrypted_content"]) == (include, "s")


LINK: Json = {"type": "url_citation", "url": "https://a.test", "title": "t", "start_index": 9, "end_index": 12}
FILE: Json = {"type": "container_file_citation", "container_id": "c", "file_id": "f", "filename": "n"}
CITED: dict[str, tuple[str, Json, bool]] = {
    "the link to a page": ("msg_1", LINK, True),
    "the link to a file": ("msg_1", {**FILE, "start_index": 9, "end_index": 12}, True),
    "a number in a list": ("msg_1", {"type": "file_path", "file_id": "f", "index": 2}, True),
    "a point in the text": ("msg_1", {"type": "file_citation", "file_id": "f", "filename": "n", "index": 8}, False),
    "Gemini's own claim": ("msg_gw1gemini-1", LINK, False),
    "Gemini's own words": (
        "msg_1",
        {**LINK, "x_dragoman": {"v": "gemini", "raw": {"type": "url_citation", "url": "https://a.test", "title": "t",
                                                       "start_index": 9, "end_index": 12, "snippet": "s"}}},
        False,
    ),
    "Ark's citation, which stands nowhere": (
        "msg_gw1ark_1",
        {**LINK, "x_dragoman": {"v": "ark", "raw": {"type": "url_citation", "logo_url": "l"}, "loc": "none"}},
        True,
    ),
    "the address of Ark's citation": ("msg_gw1ark_1", {**LINK, "x_dragoman": {"v": "ark", "loc": "none"}}, False),
}  # fmt: skip


@pytest.mark.parametrize("name", CITED)
def test_a_link_is_no_claim(name: str) -> None:
    """A08: one vendor cites by the link that its model wrote, Gemini by the claim; neither can be made of the other."""
    said_by, cite, lossy = CITED[name]
    content = [{"type": "output_text", "text": "It rains [1].", "annotations": [cite]}]
    sent, lost = send("gemini", input=[{"type": "message", "id": said_by, "role": "assistant", "content": content}])
    assert len(sent["input"][0]["content"][0]["annotations"]) == 1
    assert lost == (["input[0].content[0].annotations[0]"] if lossy else [])


def test_an_error_is_never_the_answers_text() -> None:
    """K10"""
    step: Json = {"type": "model_output", "content": [], "error": {"code": 13, "message": "it broke"}}
    events: list[Json] = [
        {"event_type": "step.start", "index": 0, "step": step},
        {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "failed"}},
    ]
    frames = b"".join(b"data: %b\n\n" % dumps(event) for event in events)
    response = encode(decode("gemini", parse(frames)), "openai", "strict").body()
    assert response["status"] == "failed"
    assert not [part for item in response["output"] for part in item.get("content", [])]


@pytest.mark.parametrize("vendor", adapters.names())
def test_an_envelope_of_a_websocket_stays_behind(vendor: str) -> None:
    """J02: a client that falls back from the WebSocket sends its message as the body; OpenAI answers 400 to `type`."""
    assert send(vendor, type="response.create") == send(vendor)
