"""The items that Ark is sent: its own as it gave them, others in its words, none with a mark or an extension in it."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import body, frames

ADAPTER = adapters.load("ark")
SURFACE = adapters.load("openai").surface
URL: Json = {"type": "url_citation", "title": "t", "url": "u"}


def sent(*items: Json) -> tuple[list[Json], list[str]]:
    """The items that Ark is sent, and the paths of what is lost."""
    assert SURFACE is not None
    losses = Ledger()
    request = SURFACE.decode_request({"model": "doubao-x", "input": list(items)})
    return ADAPTER.codec.encode_request(request, losses)["input"], [loss.path for loss in losses.losses]


def user(*content: Json) -> Json:
    return {"type": "message", "role": "user", "content": list(content)}


def said(*content: Json, **fields: Any) -> Json:
    return {"type": "message", "role": "assistant", "content": list(content), **fields}


TEXT: Json = {"type": "output_text", "text": "x"}
PLACED: Json = {**URL, "start_index": 0, "end_index": 1}

ITEMS: dict[str, tuple[Json, Json | None, list[str]]] = {
    "plain text": ({"role": "user", "content": "x"}, {"type": "message", "role": "user", "content": "x"}, []),
    "a message of the developer": (
        {"role": "developer", "content": "x"},
        {"type": "message", "role": "developer", "content": "x"},
        [],
    ),
    "a text": (user({"type": "input_text", "text": "x"}), user({"type": "input_text", "text": "x"}), []),
    "an image": (
        user({"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "original"}),
        user({"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "high"}),
        ["input[0].content[0].detail"],
    ),
    "an image without a type": (
        user({"type": "input_image", "image_url": "data:;base64,AA"}),
        user({"type": "input_image", "image_url": "data:;base64,AA", "detail": "auto"}),
        [],
    ),
    "an image at an address": (
        user({"type": "input_image", "image_url": "https://a.test/x"}),
        user({"type": "input_image", "image_url": "https://a.test/x", "detail": "auto"}),
        [],
    ),
    "a file": (
        user({"type": "input_file", "file_data": "data:application/pdf;base64,AA", "filename": "a.pdf"}),
        user({"type": "input_file", "file_data": "data:application/pdf;base64,AA", "filename": "a.pdf"}),
        [],
    ),
    "a file at an address": (
        user({"type": "input_file", "file_url": "u"}),
        user({"type": "input_file", "file_url": "u"}),
        [],
    ),
    "its own kinds of input": (
        user({"type": "input_video", "video_url": "u", "fps": 1}),
        user({"type": "input_video", "video_url": "u", "fps": 1}),
        [],
    ),
    "M11 a message to go on with": (said(TEXT, partial=True), said(TEXT, partial=True), []),
    "a text to go on with": (said({**TEXT, "partial": True}), said(TEXT), ["input[0].content[0].partial"]),
    "L11 an answer told as input": (said({"type": "input_text", "text": "x"}), said(TEXT), []),
    "K08 a refusal": (
        said({"type": "refusal", "refusal": "no"}),
        said({"type": "output_text", "text": "no"}),
        ["input[0].content[0]"],
    ),
    "a phase": (said(TEXT, phase="final_answer"), said(TEXT, phase="final_answer"), []),
    "I07 an id of another": (said(TEXT, id="msg_1", status="completed"), said(TEXT), []),
    "I07 its own id": (
        said(TEXT, id="msg_gw1ark_msg_1", status="incomplete"),
        said(TEXT, id="msg_1", status="incomplete"),
        [],
    ),
    "an id that was made here": (said(TEXT, id="msg_gw1ark-00"), said(TEXT), []),
    "a citation with a place": (
        said({**TEXT, "annotations": [PLACED]}),
        said({**TEXT, "annotations": [URL]}),
        ["input[0].content[0].annotations[0]"],
    ),
    "I04 reasoning of another": (
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
        None,
        ["input[0]"],
    ),
    "reasoning of nobody": ({"type": "reasoning", "summary": []}, None, ["input[0]"]),
    "its own reasoning": (
        {
            "type": "reasoning",
            "id": "rs_gw1ark_rs_1",
            "summary": [{"type": "summary_text", "text": "s"}],
            "encrypted_content": "gw1.ark.e",
        },
        {
            "type": "reasoning",
            "id": "rs_1",
            "status": "completed",
            "summary": [{"type": "summary_text", "text": "s"}],
            "encrypted_content": "e",
        },
        [],
    ),
    "its own reasoning, known by its seal": (
        {"type": "reasoning", "summary": [], "encrypted_content": "gw1.ark.e"},
        {"type": "reasoning", "status": "completed", "summary": [], "encrypted_content": "e"},
        [],
    ),
    "a call": (
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc_1", "status": "completed"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        [],
    ),
    "G15 a call without arguments": (
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "", "id": "fc_gw1ark_fc_1"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "fc_1"},
        [],
    ),
    "an output": (
        {"type": "function_call_output", "call_id": "c", "output": "x", "status": "completed"},
        {"type": "function_call_output", "call_id": "c", "output": "x"},
        [],
    ),
    "an output in parts": (
        {
            "type": "function_call_output",
            "call_id": "c",
            "output": [{"type": "input_text", "text": "x"}, {"type": "input_image", "image_url": "u"}],
        },
        {"type": "function_call_output", "call_id": "c", "output": "x"},
        ["input[0].output[1]"],
    ),
    "a search": ({"type": "web_search_call", "id": "ws_gw1ark_ws_1", "status": "completed"}, None, ["input[0]"]),
    "its own reference": (
        {"type": "item_reference", "id": "msg_gw1ark_msg_1"},
        {"type": "item_reference", "id": "msg_1"},
        [],
    ),
    "an approval that it asked for": (
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_gw1ark_mcpr_1", "approve": True},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        [],
    ),
}


@pytest.mark.parametrize(("item", "expected", "lost"), ITEMS.values(), ids=ITEMS.keys())
def test_an_item(item: Json, expected: Json | None, lost: list[str]) -> None:
    """c.2, c.3"""
    assert sent(item) == ([expected] if expected is not None else [], lost)


REFUSED: dict[str, tuple[Json, str]] = {
    "a file of another": (user({"type": "input_file", "file_id": "file-1"}), "input[0].content[0].file_id"),
    "an image of another": (user({"type": "input_image", "file_id": "file-1"}), "input[0].content[0].file_id"),
    "an unknown part": (user({"type": "input_smell"}), "input[0].content[0]"),
    "an item that it has not": ({"type": "compaction", "encrypted_content": "x"}, "input[0]"),
    "a reference of another": ({"type": "item_reference", "id": "msg_1"}, "input[0].id"),
    "an approval that another asked for": (
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_gw1gemini_1", "approve": True},
        "input[0].approval_request_id",
    ),
}


@pytest.mark.parametrize(("item", "param"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_sent_is_refused(item: Json, param: str) -> None:
    with pytest.raises(Unsupported) as caught:
        sent(item)
    assert caught.value.param == param


FULL: Json = {**URL, "site_name": "a.test", "logo_url": "l", "summary": "s"}
DOCUMENT: Json = {
    "type": "doc_citation",
    "doc_id": "d",
    "doc_name": "a.pdf",
    "chunk_id": 3,
    "chunk_attachment": [{"x": 1}],
}
BARE: Json = {"type": "url_citation", "url": "u"}
NAMELESS: Json = {"type": "doc_citation", "doc_name": "a.pdf"}
ODD: Json = {"type": "mood", "value": 1}
CITED = [URL, FULL, DOCUMENT, BARE, NAMELESS, ODD]

OUTPUT: list[Json] = [
    {
        "type": "reasoning",
        "id": "rs_1",
        "status": "completed",
        "summary": [{"type": "summary_text", "text": "s"}],
        "encrypted_content": "e",
    },
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{**TEXT, "annotations": CITED}],
        "of_ark": 1,
    },
    {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": " {}", "status": "completed"},
]


@pytest.mark.parametrize("fidelity", ["rich", "native"])
@pytest.mark.parametrize("streamed", [True, False])
def test_an_answer_of_arks_returns_to_it_as_it_was(fidelity: Any, streamed: bool) -> None:
    """Annotations, seals and arguments are JSON-identical; so are the fields that the client never knew."""
    walked = ADAPTER.codec.decode_response({"id": "resp_1", "status": "completed", "output": OUTPUT})
    answer = frames(walked, fidelity)[-1]["response"] if streamed else body(walked, fidelity)
    items, _ = sent(*answer["output"])
    reasoning, message, call = items
    assert reasoning == OUTPUT[0]
    assert message == OUTPUT[1]
    assert call == {key: value for key, value in OUTPUT[2].items() if key != "status"}
    assert b"gw1" not in dumps(items)
    assert b"dragoman" not in dumps(items)


EDITS: dict[str, tuple[Json, Json, Json]] = {
    # Ark's citation, what the client changes, what Ark is sent
    "another address": (FULL, {"url": "other"}, {"type": "url_citation", "title": "t", "url": "other"}),
    "another title": (FULL, {"title": "other"}, {"type": "url_citation", "title": "other", "url": "u"}),
    "another place": (FULL, {"start_index": 0}, FULL),
    "another document": (
        DOCUMENT,
        {"file_id": "other"},
        {"type": "doc_citation", "doc_id": "other", "doc_name": "a.pdf", "chunk_attachment": []},
    ),
    "another name": (
        DOCUMENT,
        {"filename": "b.pdf"},
        {"type": "doc_citation", "doc_id": "d", "doc_name": "b.pdf", "chunk_attachment": []},
    ),
}


@pytest.mark.parametrize(("raw", "edit", "expected"), EDITS.values(), ids=EDITS.keys())
def test_what_the_client_changed_counts(raw: Json, edit: Json, expected: Json) -> None:
    """0.2: the vendor's own words go back only while the client still holds what it was shown."""
    content = [{**TEXT, "annotations": [raw]}]
    walked = ADAPTER.codec.decode_response({"status": "completed", "output": [{**OUTPUT[1], "content": content}]})
    item = body(walked)["output"][0]
    item["content"][0]["annotations"][0] |= edit
    assert sent(item)[0][0]["content"][0]["annotations"] == [expected]


def test_a_text_that_the_client_changed_goes_as_it_is_now() -> None:
    walked = ADAPTER.codec.decode_response({"status": "completed", "output": OUTPUT[1:]})
    message, call = body(walked)["output"]
    message["content"][0]["text"] = "other"
    call["arguments"] = '{"a":1}'
    message["x_dragoman"]["rest"] = {"role": "system", "content": "no", "of_ark": 2}
    items, _ = sent(message, call)
    assert (items[0]["content"][0]["text"], items[0]["role"], items[0]["of_ark"]) == ("other", "assistant", 2)
    assert items[1]["arguments"] == '{"a":1}'


def test_an_answer_of_another_vendor_goes_in_arks_words() -> None:
    citation = {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
    output: list[Json] = [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{**TEXT, "annotations": [citation], "logprobs": []}],
        },
    ]
    items, lost = sent(*output)
    assert items == [said({**TEXT, "annotations": [URL]})]
    assert lost[0] == "input[0]"
