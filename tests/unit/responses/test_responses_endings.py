"""How a stream of the Responses wire ends: well, badly, or not at all. What is cut never looks like success."""

from __future__ import annotations

import pytest

import adapters
from adapters.hub import events as ev
from adapters.hub.errors import Overloaded, RateLimited, UpstreamTimeout
from adapters.hub.fold import fold
from adapters.hub.grammar import check_walk
from adapters.sse import SseEvent
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import body, call, created, ended, final, message, names, on, said, shown, walk

OPEN = [created(), on("output_item.added", 0, item=message()), said(0, "Hi")]
QUOTA: Json = {"code": "insufficient_quota", "message": "no more", "param": None}
FLAT: Json = {"type": "error", "code": "RateLimitExceeded", "message": "slow down", "param": "p", "sequence_number": 3}
NESTED: Json = {"type": "error", "sequence_number": 3, "error": {"type": "x", **QUOTA}}

ENDS: dict[str, tuple[list[Json | bytes], tuple[str, str | None, str | None]]] = {
    # what follows the text: (status, finish, code of the error)
    "completed": ([ended()], ("completed", "stop", None)),
    "K03 a limit": (
        [ended(type_="incomplete", incomplete_details={"reason": "max_output_tokens"})],
        ("incomplete", "max_output_tokens", None),
    ),
    "K03 a limit in another word": (
        [ended(type_="incomplete", incomplete_details={"reason": "length"})],
        ("incomplete", "max_output_tokens", None),
    ),
    "a filter": (
        [ended(type_="incomplete", incomplete_details={"reason": "content_filter"})],
        ("incomplete", "content_filter", None),
    ),
    "incomplete without a reason": ([ended(type_="incomplete")], ("incomplete", "max_output_tokens", None)),
    "cancelled inside an incomplete event": (
        [ended(type_="incomplete", status="cancelled")],
        ("cancelled", "cancelled", None),
    ),
    "failed": ([ended(type_="failed", error=QUOTA)], ("failed", "error", "insufficient_quota")),
    "failed without an error": ([ended(type_="failed", error=None)], ("failed", "error", "upstream_protocol_error")),
    "failed by its name only": (
        [ended(type_="failed", status="completed")],
        ("failed", "error", "upstream_protocol_error"),
    ),
    "failed by its status only": ([ended(status="failed", error=QUOTA)], ("failed", "error", "insufficient_quota")),
    "failed, with a status that says nothing": (
        [ended(type_="failed", status="in_progress")],
        ("failed", "error", "upstream_protocol_error"),
    ),
    "completed, with a status that says nothing": ([ended(status=None)], ("completed", "stop", None)),
    "incomplete by its name only": (
        [ended(type_="incomplete", status="completed")],
        ("incomplete", "max_output_tokens", None),
    ),
    "an error, then failed": ([NESTED, ended(type_="failed", error=None)], ("failed", "error", "insufficient_quota")),
    "D05 an error, then completed": ([NESTED, ended()], ("failed", "error", "insufficient_quota")),
    "an error, then nothing": ([NESTED], ("failed", "error", "insufficient_quota")),
    "D12 an error, then the end mark": ([FLAT, b"[DONE]", ended()], ("failed", "error", "RateLimitExceeded")),
    "D14 an error without a type": ([{"error": QUOTA}], ("failed", "error", "insufficient_quota")),
    "D14 an error that is a text": ([{"error": "boom"}], ("failed", "error", "server_error")),
    "D12 the end mark alone": ([b"[DONE]", ended()], ("failed", "error", "upstream_protocol_error")),
    "D01, D02, D03 nothing": ([], ("failed", "error", "upstream_protocol_error")),
    "garbage": ([b"<html>", ended()], ("failed", "error", "upstream_protocol_error")),
    "JSON that is no event": ([b"[1]", ended()], ("failed", "error", "upstream_protocol_error")),
    "half an event": ([b'{"type": "response.comp', ended()], ("failed", "error", "upstream_protocol_error")),
    "NaN": ([b'{"type": "x", "n": NaN}', ended()], ("failed", "error", "upstream_protocol_error")),
}


@pytest.mark.parametrize(("events", "end"), ENDS.values(), ids=ENDS.keys())
def test_an_end(events: list[Json | bytes], end: tuple[str, str | None, str | None]) -> None:
    tree = fold(walk("openai", *OPEN, *events))
    code = tree.error.code if tree.error is not None else None
    assert (tree.status, tree.finish and tree.finish.unified, code) == end
    assert tree.text == "Hi"
    assert tree.items[0].status == ("completed" if tree.status == "completed" else "incomplete")


@pytest.mark.parametrize(("events", "end"), ENDS.values(), ids=ENDS.keys())
def test_an_end_as_the_client_is_shown_it(events: list[Json | bytes], end: tuple[str, str | None, str | None]) -> None:
    """C22, D02, D10, D13, D16, K09: one terminal event; everything closed before it; item, response and event agree."""
    told = shown("openai", *OPEN, *events)
    type_ = "incomplete" if end[0] == "cancelled" else end[0]
    assert names(told)[-4:] == ["output_text.done", "content_part.done", "output_item.done", type_]
    response = final(told)
    assert (response["status"], [item["status"] for item in response["output"]]) == (
        end[0],
        ["completed" if end[0] == "completed" else "incomplete"],
    )
    assert response["output"][0]["content"][0]["text"] == "Hi"
    assert (response.get("error") is not None) == (end[0] == "failed")
    assert (response.get("incomplete_details") is not None) == (end[0] == "incomplete")


def test_an_error_before_the_beginning_is_no_stream() -> None:
    """D18: the shortest walk there is, so that the gateway can answer with an HTTP error."""
    for events in ([FLAT], [NESTED], [{"error": QUOTA}], [b"oops"], []):
        (only,) = walk("openai", *events)
        assert isinstance(only, ev.Ended)
        assert only.status == "failed"


def test_the_flat_form_of_an_error_is_not_taken_for_its_type() -> None:
    (only,) = walk("openai", FLAT)
    assert isinstance(only, ev.Ended)
    assert only.error is not None
    assert (only.error.type, only.error.code, only.error.param) == ("server_error", "RateLimitExceeded", "p")
    assert only.error.message == "slow down"


@pytest.mark.parametrize(
    ("code", "kind", "status"),
    [("rate_limit_exceeded", RateLimited, 429), ("insufficient_quota", RateLimited, 429), ("odd", None, 500)],
)
def test_an_error_of_a_stream_has_the_status_that_its_code_tells(code: str, kind: type | None, status: int) -> None:
    """D04: what may be tried again says so."""
    error = fold(walk("openai", *OPEN, {"type": "error", "code": code, "message": "m"})).error
    assert error is not None
    assert error.status == status
    assert kind is None or isinstance(error, kind)
    assert error.retryable == (code != "insufficient_quota")


@pytest.mark.parametrize("error", [UpstreamTimeout("late"), Overloaded("busy")])
def test_a_broken_line_ends_what_was_said(error: UpstreamTimeout) -> None:
    """D05: the transport fails; the text stays, and the end says failed."""
    decoder = adapters.load("openai").codec.decoder()
    walked = [found for event in OPEN for found in decoder.feed(SseEvent(b"", dumps(event)))]
    walked += decoder.fail(error)
    check_walk(walked)
    assert decoder.fail(error) == decoder.close() == decoder.feed(SseEvent(b"", dumps(ended()))) == []
    assert fold(walked).error is error


def test_what_is_open_is_closed_in_the_order_it_was_opened() -> None:
    """C17"""
    events = [
        created(),
        on("output_item.added", 0, item=call(id="a")),
        on("output_item.added", 1, item=message()),
        said(1, "Hi"),
        on("function_call_arguments.delta", 0, delta="{"),
    ]
    told = [event for event in shown("openai", *events) if event["type"] == "response.output_item.done"]
    assert [event["item"]["type"] for event in told] == ["function_call", "message"]
    assert told[0]["item"]["arguments"] == "{"


BODIES: dict[str, tuple[Json, str, str | None]] = {
    "a response": (ended([message("Hi")])["response"], "completed", None),
    "failed with a part of the answer": (
        {"status": "failed", "output": [message("Hi")], "error": QUOTA},
        "failed",
        "insufficient_quota",
    ),
    "an error under 200": ({"error": QUOTA}, "failed", "insufficient_quota"),
    "no response": ({"hello": "world"}, "failed", "upstream_protocol_error"),
    "nothing": ({}, "failed", "upstream_protocol_error"),
    "output without a status": ({"output": [message("Hi")]}, "completed", None),
    "null for output": ({"status": "completed", "output": None}, "completed", None),
    "nothing but nulls in output": ({"status": "completed", "output": [None]}, "completed", None),
}


@pytest.mark.parametrize(("answer", "status", "code"), BODIES.values(), ids=BODIES.keys())
def test_a_whole_answer(answer: Json, status: str, code: str | None) -> None:
    walked = adapters.load("openai").codec.decode_response(answer)
    check_walk(walked)
    tree = fold(walked)
    assert (tree.status, tree.error.code if tree.error is not None else None) == (status, code)
    response = body(walked)
    assert response["status"] == status
    assert all(item["content"][0]["text"] == "Hi" for item in response["output"])


def test_a_whole_answer_that_waits_is_repeated_as_it_is() -> None:
    answer = {
        **ended([], status="queued", tools=[], tool_choice="auto", created_at=1, parallel_tool_calls=True)["response"]
    }
    assert body(adapters.load("openai").codec.decode_response(answer)) == answer | {"usage": None}
