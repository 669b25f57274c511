"""How a stream begins and ends, whatever the vendor does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.hub import events as ev
from adapters.hub.errors import Overloaded, ProtocolError, UpstreamTimeout
from adapters.hub.fold import fold
from adapters.interactions.decode import Decoder
from adapters.sse import SseEvent

Json = dict[str, Any]

BEGIN: Json = {
    "event_type": "interaction.created",
    "interaction": {"id": "v1_a", "model": "m", "status": "in_progress", "created": "2026-01-01T00:00:00Z"},
}
TEXT: list[Json] = [
    {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
    {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "a"}},
]
STOP: Json = {"event_type": "step.stop", "index": 0}
ERROR: Json = {"event_type": "error", "error": {"code": "gateway_timeout", "message": "Deadline expired"}}
WALKED = ["started v1_a m", "response is in_progress", "0 message", "0.0 text", "0.0 + a"]


def end(status: str, **fields: Any) -> Json:
    return {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": status, **fields}}


STATUSES = {
    "completed": ("completed", "stop", "completed"),
    "idle": ("completed", "stop", "completed"),
    "requires_action": ("completed", "tool_calls", "completed"),
    "incomplete": ("incomplete", "max_output_tokens", "incomplete"),
    "budget_exceeded": ("incomplete", "max_output_tokens", "incomplete"),
    "requires_continuation": ("incomplete", "max_output_tokens", "incomplete"),
    "failed": ("failed", "error", "incomplete"),
    "cancelled": ("cancelled", "cancelled", "incomplete"),
    "brand_new": ("completed", "stop", "completed"),
}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("stopped", [True, False])
def test_the_status_ends_the_walk_and_the_last_item(status: str, stopped: bool, play: Any) -> None:
    tree = fold(play(BEGIN, *TEXT, *([STOP] if stopped else []), end(status)))
    assert tree.finish is not None
    assert (tree.status, tree.finish.unified, tree.items[0].status) == STATUSES[status]
    assert (tree.finish.raw, tree.text) == (status, "a")


def test_an_item_before_the_last_is_whole_even_if_the_answer_is_not(play: Any) -> None:
    thought = {"event_type": "step.start", "index": 1, "step": {"type": "thought"}}
    tree = fold(play(BEGIN, *TEXT, STOP, thought, end("incomplete")))
    assert [item.status for item in tree.items] == ["completed", "incomplete"]


def test_a_filter_is_told_by_the_errors(play: Any) -> None:
    tree = fold(play(BEGIN, *TEXT, end("incomplete", errors=[{"code": "safety_blocked"}])))
    assert tree.finish == ev.Finish("content_filter", "incomplete")


@pytest.mark.parametrize(
    ("told", "message"), [({"errors": [{"code": "internal", "message": "oops"}]}, "oops"), ({}, "gave no reason")]
)
def test_a_failure_has_its_reason(told: Json, message: str, play: Any) -> None:
    tree = fold(play(BEGIN, end("failed", **told)))
    assert tree.error is not None
    assert message in tree.error.message


def test_the_beginning_is_kept(play: Any) -> None:
    created = {"event_type": "interaction.created", "interaction": {"id": "i", "agent": "deep-research-x", "zone": 1}}
    started = play(created)[0]
    assert (started.id, started.model, started.created_at) == ("i", "deep-research-x", None)
    assert started.extra.data == {"agent": "deep-research-x", "zone": 1}
    assert play(BEGIN)[0].created_at == 1767225600.0


def test_the_end_is_kept_but_no_continuation_token(play: Any) -> None:
    ended = play(BEGIN, end("completed", service_tier="standard", continuation_token="t"))[-1]
    assert ended.extra.data == {"service_tier": "standard"}


def test_phases_are_said_once(play: Any, tell: Any) -> None:
    update = {"event_type": "interaction.status_update", "interaction_id": "v1_a"}
    events = [{**update, "status": status} for status in ("queued", "in_progress", "in_progress", "requires_action")]
    third_party = {"event_type": "interaction.in_progress", "interaction_id": "v1_a"}
    lines = tell(play(*events, third_party, end("completed")))
    assert lines[:-1] == ["started v1_a -", "response is queued", "response is in_progress"]


@pytest.mark.parametrize("first", [*TEXT, STOP, end("completed"), {"event_type": "news"}])
def test_whatever_comes_first_the_walk_is_started(first: Json, play: Any) -> None:
    assert isinstance(play(first)[0], ev.Started)


def test_a_cut_stream_fails_with_its_text_kept(play: Any, tell: Any) -> None:
    assert tell(play(BEGIN, *TEXT)) == [
        *WALKED, "0.0 ends", "0 ends incomplete", "ended failed error upstream_protocol_error upstream_protocol_error",
    ]  # fmt: skip


def test_what_the_vendor_closed_before_the_cut_is_whole(play: Any) -> None:
    search = {"event_type": "step.start", "index": 1, "step": {"type": "google_search_call", "id": "c"}}
    tree = fold(play(BEGIN, *TEXT, STOP, search, {"event_type": "step.stop", "index": 1}))
    assert [item.status for item in tree.items] == ["completed", "incomplete"]


def test_a_cut_call_gets_no_arguments_that_nobody_said(play: Any) -> None:
    call = {"event_type": "step.start", "index": 0, "step": {"type": "function_call", "id": "c", "name": "f"}}
    assert fold(play(BEGIN, call)).items[0].parts[0].text == ""


def test_nothing_at_all_is_a_failure(play: Any, tell: Any) -> None:
    assert tell(play()) == ["ended failed error upstream_protocol_error upstream_protocol_error"]


@pytest.mark.parametrize("garbage", [b"{", b"\xff", b"<html>", b'{"a":NaN}', b"17", b"[1]", b'"x"', b"null"])
def test_garbage_ends_the_walk_at_once(garbage: bytes, play: Any) -> None:
    tree = fold(play(BEGIN, *TEXT, garbage, end("completed")))
    assert (tree.status, tree.text, tree.items[0].status) == ("failed", "a", "incomplete")
    assert isinstance(tree.error, ProtocolError)


def test_arguments_nested_too_deep_to_be_written_are_cut(play: Any) -> None:
    deep = b'{"a":' * 1000 + b"1" + b"}" * 1000
    step = b'{"type":"function_call","id":"c","name":"f","arguments":%b}' % deep
    tree = fold(play(BEGIN, b'{"event_type":"step.start","index":1,"step":%b}' % step, end("completed")))
    assert tree.items[0].parts[0].text.startswith('{"a":{"a":')
    assert "null" in tree.items[0].parts[0].text


def test_an_error_before_the_start_is_the_whole_answer(play: Any) -> None:
    (ended,) = play(ERROR, BEGIN, *TEXT)
    assert isinstance(ended.error, UpstreamTimeout)
    assert ended.error.message == "Deadline expired"


@pytest.mark.parametrize("last", [None, end("failed"), end("completed")])
def test_an_error_inside_ends_the_walk_later(last: Json | None, play: Any) -> None:
    tree = fold(play(BEGIN, *TEXT, ERROR, STOP, *([last] if last else [])))
    assert (tree.status, tree.text) == ("failed", "a")
    assert isinstance(tree.error, UpstreamTimeout)


@pytest.mark.parametrize(
    "event",
    [
        SseEvent(b"error", b'{"error":{"code":"unavailable","message":"busy"}}'),
        SseEvent(b"", b'{"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}}'),
        SseEvent(b"", b'[{"error":{"code":503,"status":"UNAVAILABLE","message":"busy"}}]'),
    ],
)
def test_errors_in_other_clothes(event: SseEvent) -> None:
    (ended,) = Decoder("gemini").feed(event)
    assert isinstance(ended, ev.Ended)
    assert isinstance(ended.error, Overloaded)


def test_the_event_line_names_what_the_data_does_not() -> None:
    data = json.dumps({"interaction": {"id": "v1_a"}}).encode()
    assert isinstance(Decoder("gemini").feed(SseEvent(b"interaction.created", data))[0], ev.Started)


def test_the_transport_broke() -> None:
    decoder, error = Decoder("gemini"), UpstreamTimeout("no answer in 60 s")
    for event in (BEGIN, *TEXT):
        decoder.feed(SseEvent(b"", json.dumps(event).encode()))
    ended = decoder.fail(error)[-1]
    assert isinstance(ended, ev.Ended)
    assert ended.error is error
    assert decoder.close() == decoder.fail(error) == decoder.feed(SseEvent(b"", json.dumps(STOP).encode())) == []


def test_nothing_follows_the_end(play: Any) -> None:
    assert play(BEGIN, end("completed"), *TEXT, b"[DONE]", b"{") == play(BEGIN, end("completed"))


def test_the_end_mark_says_nothing(play: Any) -> None:
    assert play(b"[DONE]", close=False) == []


def test_unknown_events_are_kept(play: Any) -> None:
    news = {"event_type": "interaction.news", "n": 1}
    assert play(BEGIN, news)[2] == ev.Opaque("gemini", news)


@pytest.mark.parametrize("old", ["interaction.start", "content.start", "content.delta", "interaction.complete"])
def test_the_revision_before_steps_is_refused(old: str, play: Any) -> None:
    error = fold(play({"event_type": old})).error
    assert isinstance(error, ProtocolError)
    assert "before steps" in error.message


USAGE: Json = {
    "total_tokens": 1373,
    "total_input_tokens": 22,
    "total_cached_tokens": 5,
    "total_output_tokens": 973,
    "total_tool_use_tokens": 129,
    "total_thought_tokens": 249,
}


@pytest.mark.parametrize("total", [1373, None])
def test_usage(total: int | None, play: Any) -> None:
    usage = fold(play(BEGIN, end("completed", usage={**USAGE, "total_tokens": total}))).usage
    assert usage is not None
    assert (usage.input, usage.input_cached, usage.output, usage.output_reasoning, usage.total) == (
        151, 5, 1222, 249, 1373,
    )  # fmt: skip
    assert usage.raw is not None
    assert usage.raw.data["total_input_tokens"] == 22


def test_the_last_usage_counts_and_none_is_none(play: Any) -> None:
    counted = [
        {"event_type": "interaction.status_update", "status": "in_progress", "usage": {"total_input_tokens": 1}},
        TEXT[0],
        {**TEXT[1], "metadata": {"total_usage": {"total_input_tokens": 2}}},
        {**STOP, "usage": {"total_input_tokens": 3}},
    ]
    for number in (1, 3, 4):
        usage = fold(play(BEGIN, *counted[:number], end("completed"))).usage
        assert usage is not None
        assert usage.input == (1 if number == 1 else number - 1)
    assert fold(play(BEGIN, end("completed"))).usage is None
    assert fold(play(BEGIN, end("completed", usage={}))).usage is None


FINAL: Json = {
    "type": "model_output",
    "content": [{"type": "text", "text": "abc", "annotations": [{"type": "url_citation", "url": "u", "end_index": 3}]}],
}


@pytest.mark.parametrize("stopped", [True, False])
def test_the_final_steps_tell_what_the_stream_left_out(stopped: bool, play: Any) -> None:
    tree = fold(play(BEGIN, *TEXT, *([STOP] if stopped else []), end("completed", steps=[FINAL])))
    assert tree.text == "abc"
    assert {item.status for item in tree.items} == {"completed"}
    if not stopped:
        assert len(tree.items[0].parts[0].annotations) == 1


def test_text_that_is_missed_late_is_a_message_of_its_own(play: Any) -> None:
    thought = {"event_type": "step.start", "index": 1, "step": {"type": "thought"}}
    tree = fold(play(BEGIN, *TEXT, STOP, thought, end("completed", steps=[FINAL, {"type": "thought"}])))
    assert [(item.kind, item.status) for item in tree.items] == [
        ("message", "completed"), ("reasoning", "completed"), ("message", "completed"),
    ]  # fmt: skip
    assert tree.text == "abc"


def test_the_final_steps_may_be_all_there_is(play: Any) -> None:
    tree = fold(play(BEGIN, end("completed", steps=[{"type": "thought", "signature": "s"}, FINAL])))
    assert [item.kind for item in tree.items] == ["reasoning", "message"]


def test_what_was_streamed_is_not_contradicted(play: Any) -> None:
    other = {"type": "model_output", "content": [{"type": "text", "text": "xyz"}]}
    for final in (other, {"type": "thought"}):
        assert fold(play(BEGIN, *TEXT, STOP, end("completed", steps=[final]))).text == "a"
    unnumbered = [{key: value for key, value in event.items() if key != "index"} for event in TEXT]
    assert fold(play(BEGIN, *unnumbered, end("completed", steps=[FINAL]))).text == "a"


BODIES: dict[str, tuple[Any, str]] = {
    "an error": ({"error": {"code": "unavailable", "message": "busy"}}, "busy"),
    "an error in a list": ([{"error": {"status": "INTERNAL", "message": "oops"}}], "oops"),
    "the old revision": ({"outputs": [], "status": "completed"}, "before steps"),
    "not an interaction": ({"candidates": []}, "not an interaction"),
    "not an object": (None, "not an interaction"),
    "not finished": ({"id": "v1_a", "status": "in_progress"}, "not finished"),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_that_are_no_answer(name: str) -> None:
    body, message = BODIES[name]
    (ended,) = Decoder("gemini").answer(body)
    assert isinstance(ended, ev.Ended)
    assert ended.error is not None
    assert message in ended.error.message


def test_a_character_cut_between_two_deltas(play: Any) -> None:
    def delta(escaped: str) -> bytes:
        return b'{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"%s"}}' % escaped.encode()

    halves = (r"a\ud83d", r"\ude00b", r"\ud83d", "c", r"\ud83d", r"\udc00\udc00", r"d\ud83d")
    tree = fold(play(BEGIN, TEXT[0], *map(delta, halves), STOP, end("completed")))
    assert tree.text == "a😀b\ufffdc🐀\ufffdd\ufffd"


def test_halves_in_summaries_and_arguments(play: Any) -> None:
    def event(kind: str, index: int, rest: str) -> bytes:
        return b'{"event_type":"step.%s","index":%d,%s}' % (kind.encode(), index, rest.encode())

    summary = '"delta":{"type":"thought_summary","content":{"text":"%s"}}'
    arguments = '"delta":{"type":"arguments_delta","arguments":"%s"}'
    tree = fold(
        play(
            BEGIN,
            event("start", 0, '"step":{"type":"thought"}'),
            event("delta", 0, summary % r"\ud83d"),
            event("start", 1, r'"step":{"type":"function_call","id":"c","name":"f\ud83d"}'),
            event("delta", 1, arguments % r"\ud83d"),
            event("delta", 1, arguments % r"\ude00"),
            end("completed"),
        )
    )
    assert [item.parts[0].text for item in tree.items] == ["\ufffd", "😀"]
    assert tree.items[1].name == "f\ufffd"
