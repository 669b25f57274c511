"""Ark's streams as a Responses client is shown them: what Ark leaves out is there, what Ark adds is kept beside it."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.hub.adapter import Fidelity
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.unit.responses.stage import body, created, ended, final, frames, message, names, on, said, shown, walk

TAGGED = "msg_gw1ark_msg_1"
URL: Json = {"type": "url_citation", "title": "A", "url": "https://a.test/"}
FULL: Json = {**URL, "site_name": "a.test", "logo_url": "", "cover_image": {"url": "u", "width": 1}}
DOCUMENT: Json = {"type": "doc_citation", "doc_id": "d1", "doc_name": "a.pdf", "chunk_id": 7, "chunk_attachment": []}
PART: Json = {"type": "output_text"}  # Ark's skeleton of a part has nothing but its type
OPEN: list[Any] = [
    created(caching={"type": "disabled"}, store=True),
    {"type": "response.in_progress", "response": {"id": "resp_1"}},
    on("output_item.added", 0, item={"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress"}),
    on("content_part.added", 0, content_index=0, item_id="msg_1", part=PART),
    said(0, "你好", item_id="msg_1"),
]


def bare(text: str, **fields: Any) -> Json:
    """A finished message as Ark sends it: without annotations or log probabilities."""
    return {**message(), "status": "completed", "content": [{"type": "output_text", "text": text, **fields}]}


def done(text: str, **fields: Any) -> list[Json]:
    return [on("output_item.done", 0, item=bare(text, **fields)), ended([bare(text, **fields)])]


def cite(annotation: Json) -> Json:
    return on("output_text.annotation.added", 0, content_index=0, item_id="msg_1", annotation=annotation)


def test_what_ark_leaves_out_is_there() -> None:
    """B23, M01, C12, C13, C24: lists, indexes, log probabilities and sequence numbers."""
    told = shown("ark", *OPEN, *done("你好"))
    assert names(told) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    assert [event["sequence_number"] for event in told] == list(range(9))
    assert told[3]["part"] == {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    assert told[4] == {
        "type": "response.output_text.delta",
        "item_id": TAGGED,
        "output_index": 0,
        "content_index": 0,
        "delta": "你好",
        "logprobs": [],
        "sequence_number": 4,
    }
    part: Json = {"type": "output_text", "text": "你好", "annotations": [], "logprobs": []}
    assert told[6]["part"] == told[7]["item"]["content"][0] == final(told)["output"][0]["content"][0] == part


def test_the_response_is_ours_and_arks_own_fields_stand_beside_it() -> None:
    """d.1, M03"""
    told = shown(
        "ark", *OPEN, *done("你好")[:1], ended([bare("你好")], caching={"type": "disabled"}, expire_at=5, store=True)
    )
    response = final(told)
    assert (response["id"], response["object"], response["model"]) == ("resp_gw1ark_resp_1", "response", "m")
    needed = ("created_at", "tools", "tool_choice", "parallel_tool_calls", "temperature", "metadata", "truncation")
    assert all(field in response for field in needed)
    assert response["x_dragoman"]["v"] == "ark"
    assert response["x_dragoman"]["rest"] == {"caching": {"type": "disabled"}, "expire_at": 5}
    assert told[0]["response"]["status"] == told[1]["response"]["status"] == "in_progress"
    assert told[0]["response"]["usage"] is None


SHOWN: dict[str, tuple[Json, Fidelity, Json]] = {
    "strict": (FULL, "strict", {**URL, "start_index": 2, "end_index": 2}),
    "rich, with no more than the client is told": (
        URL,
        "rich",
        {**URL, "start_index": 2, "end_index": 2, "x_dragoman": {"loc": "none"}},
    ),
    "rich": (
        FULL,
        "rich",
        {**URL, "start_index": 2, "end_index": 2, "x_dragoman": {"v": "ark", "raw": FULL, "loc": "none"}},
    ),
    "native": (
        FULL,
        "native",
        {**FULL, "start_index": 2, "end_index": 2, "x_dragoman": {"v": "ark", "raw": FULL, "loc": "none"}},
    ),
    "M10 a document, strict": (
        DOCUMENT,
        "strict",
        {"type": "file_citation", "file_id": "d1", "filename": "a.pdf", "index": 2},
    ),
    "M10 a document, rich": (
        DOCUMENT,
        "rich",
        {
            "type": "file_citation",
            "file_id": "d1",
            "filename": "a.pdf",
            "index": 2,
            "x_dragoman": {"v": "ark", "raw": DOCUMENT, "loc": "none"},
        },
    ),
    "M10 a document, native": (
        DOCUMENT,
        "native",
        {**DOCUMENT, "x_dragoman": {"v": "ark", "raw": DOCUMENT, "loc": "none"}},
    ),
    "B20 without a title": (
        {"type": "url_citation", "url": "https://a.test/", "site_name": "a.test"},
        "strict",
        {"type": "url_citation", "url": "https://a.test/", "title": "a.test", "start_index": 2, "end_index": 2},
    ),
    "B20 with nothing but its address": (
        {"type": "url_citation", "url": "https://a.test/"},
        "strict",
        {
            "type": "url_citation",
            "url": "https://a.test/",
            "title": "https://a.test/",
            "start_index": 2,
            "end_index": 2,
        },
    ),
}


@pytest.mark.parametrize(("annotation", "fidelity", "expected"), SHOWN.values(), ids=SHOWN.keys())
def test_a_citation_stands_where_it_arrived(annotation: Json, fidelity: Fidelity, expected: Json) -> None:
    """a.4: zero wide, after what was said so far. A14, B12, B13, B27: the same in all four places, and in one body."""
    events = [*OPEN, cite(annotation), said(0, "世界", item_id="msg_1"), *done("你好世界", annotations=[annotation])]
    told = frames(walk("ark", *events), fidelity)
    (added,) = (event for event in told if event["type"].endswith("annotation.added"))
    assert (added["annotation_index"], added["annotation"]) == (0, expected)
    lists = [
        next(event for event in told if event["type"] == "response.content_part.done")["part"]["annotations"],
        next(event for event in told if event["type"] == "response.output_item.done")["item"]["content"][0][
            "annotations"
        ],
        final(told)["output"][0]["content"][0]["annotations"],
    ]
    assert lists == [[expected]] * 3
    whole = body(
        adapters.load("ark").codec.decode_response(ended([bare("你好", annotations=[annotation])])["response"]),
        fidelity,
    )
    assert whole["output"][0]["content"][0]["annotations"] == [expected]


def test_citations_are_counted_as_they_are_shown() -> None:
    """B14: what the dialect has no type for takes no number; B26: and no other type; rich keeps it beside the text."""
    odd = {"type": "mood", "value": 1}
    events = [
        *OPEN,
        cite(odd),
        cite(URL),
        cite(odd),
        cite(DOCUMENT),
        *done("你好", annotations=[odd, URL, odd, DOCUMENT]),
    ]
    told = shown("ark", *events)
    indexes = [event["annotation_index"] for event in told if event["type"].endswith("annotation.added")]
    assert indexes == [0, 1]
    part = final(told)["output"][0]["content"][0]
    assert [annotation["type"] for annotation in part["annotations"]] == ["url_citation", "file_citation"]
    assert part["x_dragoman"] == {"v": "ark", "annotations": [{"at": 0, "raw": odd}, {"at": 2, "raw": odd}]}
    losses = Ledger()
    part = final(frames(walk("ark", *events), "strict", losses))["output"][0]["content"][0]
    assert [annotation["type"] for annotation in part["annotations"]] == ["url_citation", "file_citation"]
    assert "x_dragoman" not in part
    assert "output[0].content[0].annotations[2]" in [loss.path for loss in losses.losses]


THINKING: dict[str, tuple[list[Any], list[tuple[str, str]]]] = {
    "thoughts before the text": (
        [
            on("content_part.added", 0, content_index=0, part={"type": "reasoning_text"}),
            on("reasoning_text.delta", 0, content_index=0, delta="Hm"),
            on("reasoning_text.done", 0, content_index=0, text="Hm"),
            on("content_part.added", 0, content_index=1, part=PART),
            said(0, "Hi", content_index=1),
        ],
        [("reasoning", "Hm"), ("message", "Hi")],
    ),
    "thoughts without their part": (
        [on("reasoning_text.delta", 0, content_index=0, delta="Hm"), said(0, "Hi", content_index=1)],
        [("reasoning", "Hm"), ("message", "Hi")],
    ),
    "thoughts, text, thoughts": (
        [
            on("reasoning_text.delta", 0, content_index=0, delta="Hm"),
            said(0, "Hi", content_index=1),
            on("reasoning_text.delta", 0, content_index=2, delta="Ah"),
        ],
        [("reasoning", "Hm"), ("message", "Hi"), ("reasoning", "Ah")],
    ),
    "text alone": ([said(0, "Hi")], [("message", "Hi")]),
}


def heard(told: list[Json]) -> list[tuple[str, str]]:
    return [(item["type"], "".join(part["text"] for part in item.get("content", []))) for item in final(told)["output"]]


@pytest.mark.parametrize(("events", "items"), THINKING.values(), ids=THINKING.keys())
def test_thoughts_inside_a_message_are_an_item_of_their_own(events: list[Any], items: list[tuple[str, str]]) -> None:
    """b.6: no client of the dialect looks for them in the message, so they come before it."""
    text = [{"type": "reasoning_text" if kind == "reasoning" else "output_text", "text": text} for kind, text in items]
    whole = message("Hi", content=text)
    begin = [created(), on("output_item.added", 0, item=message())]
    told = shown("ark", *begin, *events, on("output_item.done", 0, item=whole), ended([whole]))
    assert heard(told) == items
    assert heard(shown("ark", *begin, *events, ended([whole]))) == items
    assert heard(shown("ark", *begin, *events, ended())) == items
    assert final(told)["output"][0]["status"] == "completed"


def test_a_whole_answer_that_thinks_inside_its_message() -> None:
    content = [{"type": "reasoning_text", "text": "Hm"}, {"type": "output_text", "text": "Hi"}]
    answer = body(adapters.load("ark").codec.decode_response(ended([message(content=content)])["response"]))
    assert [(item["type"], item["content"][0]["text"]) for item in answer["output"]] == [
        ("reasoning", "Hm"),
        ("message", "Hi"),
    ]


CUT: dict[str, tuple[list[Any], list[tuple[str, str]]]] = {
    "before a word": ([], []),
    "inside its thoughts": (
        [on("reasoning_text.delta", 0, content_index=0, delta="Hm")],
        [("reasoning", "incomplete")],
    ),
    "inside its text": (
        [on("reasoning_text.delta", 0, content_index=0, delta="Hm"), said(0, "Hi", content_index=1)],
        [("reasoning", "completed"), ("message", "incomplete")],
    ),
}


@pytest.mark.parametrize(("events", "items"), CUT.values(), ids=CUT.keys())
def test_a_message_that_is_cut(events: list[Any], items: list[tuple[str, str]]) -> None:
    """C11: a message that never said a word was never there."""
    told = shown("ark", created(), on("output_item.added", 0, item=message()), *events)
    assert names(told)[-1] == "failed"
    assert [(item["type"], item["status"]) for item in final(told)["output"]] == items


def test_reasoning_that_calls_its_thoughts_a_text() -> None:
    """b.6: a reasoning item whose content is output_text."""
    item: Json = {
        "type": "reasoning",
        "id": "rs_1",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Hm"}],
    }
    events = [
        on("output_item.added", 0, item={"type": "reasoning", "id": "rs_1", "status": "in_progress"}),
        on("content_part.added", 0, item_id="rs_1", content_index=0, part=PART),
        said(0, "Hm", item_id="rs_1"),
        on("output_item.done", 0, item=item),
    ]
    told = shown("ark", created(), *events, ended([item]))
    (reasoning,) = final(told)["output"]
    assert (reasoning["summary"], reasoning["content"]) == ([], [{"type": "reasoning_text", "text": "Hm"}])
    assert names(told)[3:6] == ["content_part.added", "reasoning_text.delta", "reasoning_text.done"]


def test_a_seal_is_marked_as_arks() -> None:
    """I04, b.6: the last one that is not empty counts."""
    item: Json = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "seal", "status": "completed"}
    events = [
        on("output_item.added", 0, item={**item, "encrypted_content": "early"}),
        on("output_item.done", 0, item=item),
    ]
    (reasoning,) = final(shown("ark", created(), *events, ended([item])))["output"]
    assert reasoning["encrypted_content"] == "gw1.ark.seal"
    assert reasoning["id"] == "rs_gw1ark_rs_1"


def test_citations_of_thoughts_are_kept_beside_them() -> None:
    """e.: the dialect's thoughts have no annotations."""
    part = {"type": "reasoning_text", "text": "Hm", "annotations": [FULL, URL]}
    events = [
        on("output_item.added", 0, item=message()),
        on("content_part.done", 0, content_index=0, part=part),
        said(0, "Hi", content_index=1),
    ]
    told = shown("ark", created(), *events, ended())
    (thought,) = final(told)["output"][0]["content"]
    assert thought["x_dragoman"] == {"v": "ark", "annotations": [{"at": 0, "raw": FULL}, {"at": 1, "raw": URL}]}


HOSTED: dict[str, tuple[Json, str, list[str], Json]] = {
    # Ark's item, the words of its events, those of ours, what the item says
    "a web search": (
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
        "web_search_call",
        ["web_search_call.in_progress", "web_search_call.searching", "web_search_call.completed"],
        {"action": {"type": "search", "query": "q", "queries": ["q"]}, "status": "completed"},
    ),
    "a search of documents": (
        {
            "type": "knowledge_search_call",
            "id": "ks_1",
            "status": "completed",
            "queries": ["q"],
            "knowledge_resource_id": "k",
        },
        "knowledge_search_call",
        ["file_search_call.in_progress", "file_search_call.searching", "file_search_call.completed"],
        {"type": "file_search_call", "queries": ["q"], "results": None},
    ),
}


@pytest.mark.parametrize(("item", "words", "ours", "says"), HOSTED.values(), ids=HOSTED.keys())
@pytest.mark.parametrize("indexed", [True, False])
def test_a_hosted_call(item: Json, words: str, ours: list[str], says: Json, indexed: bool) -> None:
    """b.6: "knowledge_search_call" events have no output_index, so their item's id finds it."""
    events = [on(f"{words}.{phase}", 0, item_id=item["id"]) for phase in ("in_progress", "searching", "completed")]
    if not indexed:
        events = [{key: value for key, value in event.items() if key != "output_index"} for event in events]
    begun = {"type": item["type"], "id": item["id"], "status": "in_progress"}
    told = shown(
        "ark",
        created(),
        on("output_item.added", 0, item=begun),
        *events,
        on("output_item.done", 0, item=item),
        ended([item]),
    )
    assert names(told)[3:6] == ours
    assert final(told)["output"][0].items() >= says.items()


def test_items_without_an_id_get_one() -> None:
    """C14, C03: and it is never taken for Ark's."""
    item: Json = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": " {}", "status": "completed"}
    told = shown(
        "ark",
        created(),
        on("output_item.done", 0, item=item),
        on("output_item.done", 1, item=item),
        ended([item, item]),
    )
    ids = [item["id"] for item in final(told)["output"]]
    assert len(set(ids)) == 2
    assert all(id_.startswith("fc_gw1ark-") for id_ in ids)
    assert [item["call_id"] for item in final(told)["output"]] == ["call_1", "call_1"]


def test_a_call_without_a_call_id_gets_one() -> None:
    """G10, G16: unique, never empty, never the function's name."""
    item: Json = {"type": "function_call", "name": "f", "arguments": "{}", "status": "completed"}
    told = shown("ark", created(), on("output_item.done", 0, item=item), on("output_item.done", 1, item=item), ended())
    ids = [item["call_id"] for item in final(told)["output"]]
    assert len({*ids, "f", ""}) == 4


def test_an_item_of_arks_own_is_left_out_and_kept() -> None:
    """b.6: strict reports it, rich keeps it in the response, native shows it in the one shape that is safe."""
    item: Json = {"type": "image_process", "id": "ip_1", "status": "completed", "action": {"type": "zoom"}}
    events = [created(), on("output_item.done", 0, item=item), on("output_item.done", 1, item=message("Hi")), ended()]
    losses = Ledger()
    strict = final(frames(walk("ark", *events), "strict", losses))
    assert [item["type"] for item in strict["output"]] == ["message"]
    assert [loss.path for loss in losses.losses] == ["ark.output[0]"]
    rich = final(shown("ark", *events))
    assert rich["x_dragoman"]["items"] == [{"at": 0, "raw": item}]
    assert [item["type"] for item in rich["output"]] == ["message"]
    native = final(frames(walk("ark", *events), "native"))["output"][0]
    assert (
        native.items()
        >= {"type": "image_process", "role": "assistant", "content": [], "id": "item_gw1ark_ip_1"}.items()
    )


USAGE = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8, "output_tokens_details": {"reasoning_tokens": 2}}
USAGES: dict[str, tuple[Any, Json | None]] = {
    "L07, d.2 none": (None, None),
    "L08 without details": (
        {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8},
        {"cached": 0, "reasoning": 0, "total": 8},
    ),
    "L09 with details": (USAGE, {"cached": 0, "reasoning": 2, "total": 8}),
    "without a total": ({"input_tokens": 3, "output_tokens": 5}, {"cached": 0, "reasoning": 0, "total": 8}),
    "an empty object": ({}, None),
    "no object": ([1], None),
}


@pytest.mark.parametrize(("usage", "expected"), USAGES.values(), ids=USAGES.keys())
def test_usage(usage: Any, expected: Json | None) -> None:
    response = final(shown("ark", *OPEN, ended(usage=usage)))
    if expected is None:
        assert response["usage"] is None
        return
    assert response["usage"] == {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": expected["cached"], "cache_write_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": expected["reasoning"]},
        "total_tokens": expected["total"],
    }
    assert response["x_dragoman"]["usage"] == usage


FAILURES: dict[str, tuple[list[Any], str, str | None]] = {
    # what Ark says after the text: the code in the stream, and what stands beside it
    "d.4 a limit": (
        [{"type": "error", "code": "RateLimitExceeded.EndpointRPMExceeded", "message": "m"}],
        "rate_limit_exceeded",
        "RateLimitExceeded.EndpointRPMExceeded",
    ),
    "d.4 a filter": (
        [{"type": "error", "code": "OutputTextSensitiveContentDetected", "message": "m"}],
        "invalid_prompt",
        "OutputTextSensitiveContentDetected",
    ),
    "an image": (
        [ended(type_="failed", error={"code": "InvalidImageURL.X", "message": "m"})],
        "invalid_image_url",
        "InvalidImageURL.X",
    ),
    "anything else": ([ended(type_="failed", error={"code": "Odd", "message": "m"})], "server_error", "Odd"),
    "the sequence number inside": (
        [ended(type_="failed", sequence_number=5, error={"code": "server_error", "message": "m"})],
        "server_error",
        "server_error",
    ),
    "b.6 nothing but the end mark": ([b"[DONE]"], "server_error", None),
}


@pytest.mark.parametrize(("events", "code", "raw"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failure(events: list[Any], code: str, raw: str | None) -> None:
    response = final(shown("ark", *OPEN, *events))
    assert (response["status"], response["error"]["code"]) == ("failed", code)
    assert response.get("x_dragoman", {}).get("raw", {}).get("code") == raw
    assert response["output"][0]["content"][0]["text"] == "你好"


def test_an_incomplete_answer_keeps_arks_reason() -> None:
    """d.3: Ark's reasons are open, the client's are two."""
    response = final(shown("ark", *OPEN, ended(type_="incomplete", incomplete_details={"reason": "length"})))
    assert response["incomplete_details"] == {"reason": "max_output_tokens"}
    assert response["x_dragoman"]["rest"]["incomplete_details"] == {"reason": "length"}
    assert response["output"][0]["status"] == "incomplete"


def test_a_sample_of_the_reference_that_names_its_id_in_another_way() -> None:
    response: Json = {
        "response_id": "resp_4",
        "created_at": 1738123456,
        "status": "incomplete",
        "usage": None,
        "output": [],
    }
    told = shown("ark", {"type": "response.incomplete", "response": response, "sequence_number": 0})
    assert names(told) == ["created", "in_progress", "incomplete"]
    assert final(told)["id"].startswith("resp_gw1ark-")
