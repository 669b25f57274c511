"""What OpenAI is sent: the client's own words, and nothing of another vendor's."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

import adapters
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.responses.request import decode_request
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import body as answer_body

ADAPTER = adapters.load("openai")
URL: Json = {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
PLACE: Json = {"type": "place_citation", "name": "P"}


def send(**fields: Any) -> tuple[Json, list[str]]:
    """The body for OpenAI, and the paths of what is lost."""
    assert ADAPTER.surface is not None
    losses = Ledger()
    request = ADAPTER.surface.decode_request({"model": "gpt-5", "input": "x", **fields})
    return ADAPTER.codec.encode_request(request, losses), [loss.path for loss in losses.losses]


def sent(*items: Json) -> tuple[list[Json], list[str]]:
    body, losses = send(input=list(items))
    return body["input"], losses


def said(text: str = "x", annotations: list[Json] | None = None, **fields: Any) -> Json:
    part: Json = {"type": "output_text", "text": text}
    if annotations is not None:
        part["annotations"] = annotations
    return {"type": "message", "role": "assistant", "content": [part], **fields}


def test_every_field_passes_as_it_is() -> None:
    """c.1: also those that this gateway has never heard of."""
    fields: Json = {
        "instructions": "be",
        "tools": [
            {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True},
            {"type": "odd", "x": 1},
        ],
        "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
        "reasoning": {"effort": "xhigh", "summary": "detailed", "mode": "pro"},
        "text": {"format": {"type": "json_object"}, "verbosity": "low"},
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "metadata": {"a": "b"},
        "prompt_cache_key": "k",
        "field_of_tomorrow": {"deep": [1, 2.5, None]},
    }
    body, losses = send(**fields)
    assert body == {"model": "gpt-5", "input": "x", **fields}
    assert losses == []


def test_null_is_left_out_and_stream_stays() -> None:
    assert send(stream=True, tools=None, text=None)[0] == {"model": "gpt-5", "input": "x", "stream": True}


ITEMS: dict[str, tuple[Json, Json | None, list[str]]] = {
    "a user's message": ({"role": "user", "content": "x"}, {"role": "user", "content": "x"}, []),
    "its own message": (
        said(annotations=[URL], id="msg_1", status="completed"),
        said(annotations=[URL], id="msg_1", status="completed"),
        [],
    ),
    "B25 an answer without the list": (said(), said(annotations=[]), []),
    "B25 an answer with null for it": (
        {**said(), "content": [{"type": "output_text", "text": "x", "annotations": None}]},
        said(annotations=[]),
        [],
    ),
    "I07 a message of Ark": (
        said(annotations=[], id="msg_gw1ark_msg_1", x_dragoman={"v": "ark", "rest": {}}),
        said(annotations=[]),
        [],
    ),
    "I07 a message that had no id": (said(annotations=[], id="msg_gw1gemini-00"), said(annotations=[]), []),
    "its own citation keeps every field": (
        said(annotations=[{**URL, "new": 1}], id="msg_1"),
        said(annotations=[{**URL, "new": 1}], id="msg_1"),
        [],
    ),
    "a citation of Ark": (
        said(annotations=[{**URL, "logo_url": "l", "x_dragoman": {"v": "ark", "raw": {}}}], id="msg_gw1ark_1"),
        said(annotations=[URL]),
        [],
    ),
    "B26 a citation of another type": (
        said(annotations=[PLACE, URL], id="msg_gw1gemini_1"),
        said(annotations=[URL]),
        ["input[0].content[0].annotations[0]"],
    ),
    "its own reasoning": (
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"},
        [],
    ),
    "I04 reasoning that another signed": (
        {"type": "reasoning", "id": "rs_gw1ark_rs_1", "summary": [], "encrypted_content": "gw1.ark.s"},
        None,
        ["input[0]"],
    ),
    "reasoning of another without a signature": (
        {"type": "reasoning", "id": "rs_gw1ark_rs_1", "summary": []},
        None,
        ["input[0]"],
    ),
    "a search of another": (
        {"type": "web_search_call", "id": "ws_gw1gemini_1", "status": "completed"},
        None,
        ["input[0]"],
    ),
    "its own search": ({"type": "web_search_call", "id": "ws_1"}, {"type": "web_search_call", "id": "ws_1"}, []),
    "its own reference": ({"type": "item_reference", "id": "msg_1"}, {"type": "item_reference", "id": "msg_1"}, []),
    "an approval that another asked for": (
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_gw1ark_1", "approve": True},
        None,
        ["input[0]"],
    ),
    "its own approval": (
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        [],
    ),
    "a call of another": (
        {"type": "function_call", "id": "fc_gw1ark_fc_1", "call_id": "call_1", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"},
        [],
    ),
    "x_dragoman at any depth": (
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "x", "x_dragoman": {"v": "ark"}}],
            "x_dragoman": {"v": "ark"},
        },
        {"role": "user", "content": [{"type": "input_text", "text": "x"}]},
        [],
    ),
    "an unknown item": ({"type": "of_tomorrow", "a": 1}, {"type": "of_tomorrow", "a": 1}, []),
}


@pytest.mark.parametrize(("item", "expected", "lost"), ITEMS.values(), ids=ITEMS.keys())
def test_an_item(item: Json, expected: Json | None, lost: list[str]) -> None:
    """c.2, c.3"""
    assert sent(item) == ([expected] if expected is not None else [], lost)


REFUSED: dict[str, tuple[Json, str]] = {
    "M11 a message that was begun": ({"role": "assistant", "content": "x", "partial": True}, "input[0].partial"),
    "a reference that it cannot follow": ({"type": "item_reference", "id": "msg_gw1ark_msg_1"}, "input[0].id"),
}


@pytest.mark.parametrize(("item", "param"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_done_is_refused(item: Json, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        sent(item)
    assert caught.value.param == param


def test_long_call_ids_are_shortened_alike_in_the_call_and_its_output() -> None:
    """G03, G04: 64 characters are the limit."""
    long = "function-call-" + "9" * 60
    items, _ = sent(
        {"type": "function_call", "call_id": long, "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": long, "output": "1"},
        {"type": "function_call_output", "call_id": "short", "output": "2"},
    )
    assert items[0]["call_id"] == items[1]["call_id"] != long
    assert len(items[0]["call_id"]) <= 64
    assert items[2]["call_id"] == "short"


def test_a_previous_response_of_another_vendor_is_refused() -> None:
    """I08"""
    assert send(previous_response_id="resp_1")[0]["previous_response_id"] == "resp_1"
    with pytest.raises(BadRequest) as caught:
        send(previous_response_id="resp_gw1ark_resp_1")
    assert (caught.value.code, caught.value.param) == ("previous_response_not_found", "previous_response_id")


def test_a_clients_words_to_the_vendor_are_merged() -> None:
    """c.1: and only those to this vendor; what decides the stream is the body alone."""
    own: Json = {
        "openai": {"access_programs": ["a"], "model": "gpt-6", "stream": True},
        "ark": {"thinking": {}},
        "stop": "x",
    }
    assert send(x_dragoman=own)[0] == {"model": "gpt-6", "input": "x", "access_programs": ["a"]}


@pytest.mark.parametrize("wrong", ["x", [], 5])
def test_a_clients_words_must_be_an_object(wrong: Any) -> None:
    with pytest.raises(BadRequest) as caught:
        send(x_dragoman={"openai": wrong})
    assert caught.value.param == "x_dragoman.openai"


def test_nothing_of_the_clients_is_changed() -> None:
    assert ADAPTER.surface is not None
    items = [{**said(annotations=[PLACE, URL], id="msg_gw1ark_1"), "x_dragoman": {"v": "ark"}}]
    asked: Json = {
        "model": "m",
        "input": items,
        "tools": [{"type": "function", "name": "f"}],
        "x_dragoman": {"openai": {"a": 1}},
    }
    before = copy.deepcopy(asked)
    ADAPTER.codec.encode_request(ADAPTER.surface.decode_request(asked), Ledger())
    assert asked == before


def test_what_the_gateway_answered_can_be_sent_back_to_openai() -> None:
    """C03, I07, L11: an answer of Ark, replayed; no mark, no extension and no id of Ark's is left in it."""
    content = [
        {
            "type": "output_text",
            "text": "Hi",
            "annotations": [{"type": "url_citation", "title": "t", "url": "u", "logo_url": "l"}],
        }
    ]
    output: list[Json] = [
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "s"}],
            "encrypted_content": "e",
        },
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content},
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "f",
            "arguments": "{}",
            "status": "completed",
        },
    ]
    walked = adapters.load("ark").codec.decode_response({"id": "resp_1", "status": "completed", "output": output})
    items, lost = sent(*answer_body(walked)["output"])
    assert b"gw1" not in dumps(items)
    assert b"dragoman" not in dumps(items)
    assert [item["type"] for item in items] == ["message", "function_call"]
    assert items[0]["content"][0]["annotations"] == [
        {"type": "url_citation", "start_index": 2, "end_index": 2, "url": "u", "title": "t"}
    ]
    assert lost == ["input[0]", "input[1].content[0].annotations[0].x_dragoman"]


SEARCHES = {
    "its client's own name": ("openai", "vs_1", "vs_1"),
    "any name of its client's": ("openai", "mine", "mine"),
    "a name of the settings": ("openai", "handbook", "vs_9"),
    "its own name from another's client": ("ark", "vs_1", "vs_1"),
    "a name of the settings from another's client": ("ark", "handbook", "vs_9"),
}


@pytest.mark.parametrize(("wire", "id_", "expected"), SEARCHES.values(), ids=SEARCHES.keys())
def test_a_store_of_files_is_told_by_its_name_at_openai(wire: str, id_: str, expected: str) -> None:
    body = {"model": "m", "input": "x", "tools": [{"type": "file_search", "vector_store_ids": [id_]}]}
    request = replace(decode_request(body, wire), store_ids={"handbook": "vs_9"})
    assert ADAPTER.codec.encode_request(request, Ledger())["tools"][0]["vector_store_ids"] == [expected]


def test_a_store_that_openai_does_not_know_is_refused() -> None:
    body = {"model": "m", "input": "x", "tools": [{"type": "file_search", "vector_store_ids": ["kb_1"]}]}
    with pytest.raises(Unsupported) as refused:
        ADAPTER.codec.encode_request(decode_request(body, "ark"), Ledger())
    assert refused.value.param == "tools[0].vector_store_ids[0]"
