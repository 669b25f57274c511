"""Streams of servers that imitate the Responses wire badly: nothing is lost, doubled or glued together."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.fold import fold
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import call, created, ended, final, frames, lines, message, names, on, said, shown, walk

SUMMARY = "reasoning_summary_text.delta"
ARGUMENTS = "function_call_arguments.delta"


def parts(*events: Any) -> list[tuple[str, str, list[str]]]:
    """The items of a stream: kind, id, the texts of their parts."""
    items = fold(walk("openai", *events)).items
    return [(item.kind, item.id, [part.text for part in item.parts]) for item in items]


def texts(events: list[Json]) -> dict[int, str]:
    """The deltas that a client is shown, by output_index."""
    told: dict[int, str] = {}
    for event in events:
        if event["type"].endswith(".delta"):
            told[event["output_index"]] = told.get(event["output_index"], "") + event["delta"]
    return told


SHARED: dict[str, tuple[list[Any], list[tuple[str, str, list[str]]]]] = {
    "C02, C10 reasoning and text, both at 0, both announced": (
        [
            on("output_item.added", 0, item={"type": "reasoning", "id": "rs_1", "summary": []}),
            on(SUMMARY, 0, item_id="rs_1", summary_index=0, delta="Plan"),
            on("output_item.added", 0, item=message()),
            said(0, "H", item_id="msg_1"),
            on(SUMMARY, 0, item_id="rs_1", summary_index=0, delta="ned"),
            said(0, "i", item_id="msg_1"),
        ],
        [("reasoning", "rs_1", ["Planned"]), ("message", "msg_1", ["Hi"])],
    ),
    "C02 both at 0, neither announced, a new id for every delta": (
        [
            on(SUMMARY, 0, item_id="a", summary_index=0, delta="Pl"),
            on(SUMMARY, 0, item_id="b", summary_index=0, delta="an"),
            said(0, "H", item_id="c"),
            said(0, "i", item_id="d"),
        ],
        [("reasoning", "a", ["Plan"]), ("message", "c", ["Hi"])],
    ),
    "G11 two calls at 0, their arguments mixed": (
        [
            on("output_item.added", 0, item=call(id="a")),
            on("output_item.added", 0, item=call(id="b")),
            on(ARGUMENTS, 0, item_id="a", delta="[1"),
            on(ARGUMENTS, 0, item_id="b", delta="[2"),
            on(ARGUMENTS, 0, item_id="a", delta="]"),
            on(ARGUMENTS, 0, item_id="b", delta="]"),
            on("function_call_arguments.done", 0, item_id="a", arguments="[1]"),
            on("output_item.done", 0, item=call("[2]", id="b")),
            on("output_item.done", 0, item=call("[1]", id="a")),
        ],
        [("function_call", "a", ["[1]"]), ("function_call", "b", ["[2]"])],
    ),
    "one after the other at 0": (
        [
            on("output_item.added", 0, item=message(id="a")),
            said(0, "Hi", item_id="a"),
            on("output_item.done", 0, item=message("Hi", id="a")),
            on("output_item.added", 0, item=message(id="b")),
            said(0, "Ho", item_id="b"),
            on("output_item.done", 0, item=message("Ho", id="b")),
        ],
        [("message", "a", ["Hi"]), ("message", "b", ["Ho"])],
    ),
    "one after the other at 0, only closed": (
        [on("output_item.done", 0, item=message("Hi", id="a")), on("output_item.done", 0, item=call("[1]"))],
        [("message", "a", ["Hi"]), ("function_call", "fc_1", ["[1]"])],
    ),
    "indexes with a gap": (
        [on("output_item.added", 3, item=message(id="a")), said(3, "Hi"), on("output_item.added", 7, item=call())],
        [("message", "a", ["Hi"]), ("function_call", "fc_1", [])],
    ),
    "indexes out of order": (
        [on("output_item.done", 1, item=call("[1]")), on("output_item.done", 0, item=message("Hi"))],
        [("function_call", "fc_1", ["[1]"]), ("message", "msg_1", ["Hi"])],
    ),
}


@pytest.mark.parametrize(("events", "expected"), SHARED.values(), ids=SHARED.keys())
def test_items_are_told_apart(events: list[Any], expected: list[tuple[str, str, list[str]]]) -> None:
    assert parts(created(), *events, ended()) == expected


@pytest.mark.parametrize(("events", "expected"), SHARED.values(), ids=SHARED.keys())
def test_items_are_shown_apart(events: list[Any], expected: list[tuple[str, str, list[str]]]) -> None:
    """C10, C16, C19: indexes without gaps, one id for an item's life, the terminal response like the stream."""
    told = shown("openai", created(), *events, ended())
    assert [item["id"] for item in final(told)["output"]] == [id_ for _, id_, _ in expected]


ENDS = {
    "by their ids": [message("Hi", id="a"), call("[1]", id="b")],
    "in another order": [call("[1]", id="b"), message("Hi", id="a")],
    "C16 under other ids": [message("Hi", id="x"), call("[1]", id="y", call_id="call_b")],
    "without ids": [message("Hi", id=""), call("[1]", id="", call_id="call_b")],
}


@pytest.mark.parametrize("output", ENDS.values(), ids=ENDS.keys())
@pytest.mark.parametrize("indexes", [(0, 1), (1, 0), (2, 5)])
def test_the_terminal_response_tells_the_items_again(output: list[Json], indexes: tuple[int, int]) -> None:
    events = [
        on("output_item.added", indexes[0], item=message(id="a")),
        said(indexes[0], "Hi"),
        on("output_item.added", indexes[1], item=call(id="b")),
        on(ARGUMENTS, indexes[1], delta="[1]"),
    ]
    listed = output if indexes[0] < indexes[1] else [output[1], output[0]]  # the terminal response goes by index
    told = shown("openai", created(), *events, ended(listed))
    assert names(told).count("output_item.done") == 2
    assert [item["id"] for item in final(told)["output"]] == ["a", "b"]
    assert texts(told) == {0: "Hi", 1: "[1]"}


def test_an_item_that_only_the_terminal_response_has_is_told_in_full() -> None:
    events = [on("output_item.added", 0, item=message(id="a")), said(0, "Hi")]
    told = shown("openai", created(), *events, ended([message("Hi", id="a"), call("[1]", id="b")]))
    assert texts(told) == {0: "Hi", 1: "[1]"}
    assert names(told)[-5:] == [
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]


LATE_NAMES = {
    "announced late": [
        on(ARGUMENTS, 0, item_id="fc_1", delta="[1"),
        on("output_item.added", 0, item=call()),
        on(ARGUMENTS, 0, item_id="fc_1", delta=",2]"),
        on("output_item.done", 0, item=call("[1,2]")),
    ],
    "only closed": [
        on(ARGUMENTS, 0, item_id="fc_1", delta="[1"),
        on(ARGUMENTS, 0, item_id="fc_1", delta=",2]"),
        on("function_call_arguments.done", 0, item_id="fc_1", arguments="[1,2]"),
        on("output_item.done", 0, item=call("[1,2]")),
    ],
}


@pytest.mark.parametrize("events", LATE_NAMES.values(), ids=LATE_NAMES.keys())
def test_a_call_is_not_shown_before_its_name(events: list[Any]) -> None:
    """C07: a call without a name cannot be executed, so its arguments wait for it."""
    told = shown("openai", created(), *events, ended())
    assert texts(told) == {0: "[1,2]"}
    added = next(event for event in told if event["type"] == "response.output_item.added")
    assert (added["item"]["name"], added["item"]["call_id"], added["item"]["arguments"]) == ("f", "call_fc_1", "")


def test_a_call_that_never_gets_a_name_is_none() -> None:
    assert parts(created(), on(ARGUMENTS, 0, item_id="fc_1", delta="[1"), ended()) == []


def test_texts_begin_empty_whatever_the_announcement_says() -> None:
    """G12: a client adds the deltas to what was announced, so a whole text there would come twice."""
    events = [
        on("output_item.added", 0, item=message("Hi")),
        on("content_part.added", 0, content_index=0, part={"type": "output_text", "text": "Hi", "annotations": []}),
        said(0, "Hi"),
        on("output_item.added", 1, item=call("[1]")),
        on(ARGUMENTS, 1, delta="[1]"),
    ]
    told = shown("openai", created(), *events, ended())
    items = [event["item"] for event in told if event["type"] == "response.output_item.added"]
    assert (items[0]["content"], items[1]["arguments"]) == ([], "")
    assert texts(told) == {0: "Hi", 1: "[1]"}


# -- half characters ---------------------------------------------------------------------------


def _half(index: int, escaped: bytes) -> bytes:
    return dumps(said(index, "%")).replace(b"%", escaped)


HALVES = {
    "E08 cut between two deltas": ([_half(0, b"a\\ud83d"), _half(0, b"\\ude00b")], {0: "a😀b"}),
    "two texts at a time": (
        [_half(0, b"\\ud83d"), _half(1, b"\\ud83d\\ude01"), _half(0, b"\\ude00")],
        {0: "😀", 1: "😁"},
    ),
    "a half that stays alone": ([_half(0, b"a\\ud83d"), on("output_text.done", 0, content_index=0)], {0: "a\ufffd"}),
    "a low half alone": ([_half(0, b"\\ude00a")], {0: "\ufffda"}),
}


@pytest.mark.parametrize(("events", "expected"), HALVES.values(), ids=HALVES.keys())
def test_half_characters(events: list[Any], expected: dict[int, str]) -> None:
    told = texts(shown("openai", created(), *events, ended()))
    assert {index: text for index, text in told.items() if text} == expected


# -- fields of any kind ------------------------------------------------------------------------

ODD: list[Any] = [None, True, 0, -1, 1.5, 1e300, 2**63, "x", "", [], [None], {}, {"a": None}]
FIELDS = (
    "type",
    "output_index",
    "item_id",
    "content_index",
    "summary_index",
    "delta",
    "text",
    "part",
    "item",
    "response",
)


@pytest.mark.parametrize("field", [*FIELDS, "annotation", "arguments", "error", "logprobs"])
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_field_of_an_event_breaks_the_stream(field: str, odd: Any) -> None:
    good = [
        created(),
        on("output_item.added", 0, item=message()),
        on("content_part.added", 0, content_index=0, part={"type": "output_text", "text": "", "annotations": []}),
        said(0, "Hi"),
        on("output_text.annotation.added", 0, content_index=0, annotation={"type": "url_citation"}),
        on("output_text.done", 0, content_index=0, text="Hi"),
        on("output_item.done", 0, item=message("Hi")),
        on("function_call_arguments.done", 1, arguments="{}"),
        {"type": "error", "error": {"code": "c"}},
    ]
    for at, event in enumerate(good):
        broken = [*good[:at], {**event, field: odd}, *good[at + 1 :]]
        told = shown("openai", *broken, ended([message("Hi")]))
        assert names(told)[-1] in ("completed", "failed")


@pytest.mark.parametrize(
    "field", ["type", "id", "role", "status", "content", "summary", "arguments", "call_id", "name"]
)
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_field_of_an_item_breaks_the_stream(field: str, odd: Any) -> None:
    reasoning: Json = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Plan"}]}
    for item in (message("Hi"), call("[1]"), reasoning, {"type": "web_search_call", "id": "ws_1", "action": odd}):
        shown("ark", created(), on("output_item.done", 0, item={**item, field: odd}), ended())
        shown("ark", created(), on("output_item.added", 0, item={**item, field: odd}), ended([item]))


RESPONSE = ("id", "model", "created_at", "status", "usage", "error", "output", "incomplete_details")


@pytest.mark.parametrize("field", RESPONSE)
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_field_of_the_response_breaks_the_stream(field: str, odd: Any) -> None:
    for vendor, type_ in ((v, t) for v in ("openai", "ark") for t in ("completed", "incomplete", "failed")):
        end = ended(type_=type_)
        end["response"][field] = odd
        walked = walk(vendor, created(**{field: odd}), said(0, "Hi"), end)
        assert lines(walked)[-1].split()[:2] == ["ended", type_]
    told = frames(walk("ark", created(**{field: odd}), said(0, "Hi"), ended(**{field: odd})))
    assert final(told)["output"][0]["content"][0]["text"] == "Hi"


@pytest.mark.parametrize("field", ["input_tokens", "output_tokens", "total_tokens", "input_tokens_details"])
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_count_breaks_the_stream(field: str, odd: Any) -> None:
    told = shown("ark", created(), ended(usage={"input_tokens": 2**63, "output_tokens": 2**63, field: odd}))
    assert final(told)["usage"]["input_tokens"] == 0
