"""A stream of the Responses wire as the walk that it becomes, one rule a row."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from adapters.wire_json import Json
from tests.unit.responses.stage import call, created, ended, lines, message, on, said, walk

AT = {"content_index": 0, "item_id": "msg_1"}
TEXT: Json = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
SUMMARY: Json = {"type": "summary_text", "text": ""}
CITE: Json = {"type": "url_citation", "url": "https://a.test/", "title": "A", "start_index": 0, "end_index": 2}
BEGIN = [created(), on("output_item.added", 0, item=message()), on("content_part.added", 0, **AT, part=TEXT)]
WHOLE = ["started resp_1", "0 message msg_1", "0.0 text", "0.0 + Hi", "0.0 ends", "0 ends completed"]
STOP = "ended completed stop"
CUT = "ended failed error"


def reasoning(summary: Sequence[str] = (), content: Sequence[Json] = (), **fields: object) -> Json:
    parts = [{"type": "summary_text", "text": text} for text in summary]
    return {"type": "reasoning", "id": "rs_1", "summary": parts, "content": list(content), **fields}


WALKS: dict[str, tuple[list[Json | bytes], list[str]]] = {
    "a message told in full": (
        [
            *BEGIN,
            said(0, "H"),
            said(0, "i"),
            on("output_text.done", 0, **AT, text="Hi"),
            on("content_part.done", 0, **AT, part={**TEXT, "text": "Hi"}),
            on("output_item.done", 0, item=message("Hi")),
            ended([message("Hi")]),
        ],
        [*WHOLE[:3], "0.0 + H", "0.0 + i", *WHOLE[4:], STOP],
    ),
    "C29 a stream of nothing but its end": ([ended([message("Hi")])], [*WHOLE, STOP]),
    "C23 a delta before created": (
        [said(0, "Hi", item_id="m"), ended()],
        ["started -", "0 message m", *WHOLE[2:], STOP],
    ),
    "C07 a delta before its item": (
        [created(), said(0, "Hi", item_id="msg_1"), on("output_item.done", 0, item=message("Hi")), ended()],
        [*WHOLE, STOP],
    ),
    "C04 a summary without its part": (
        [created(), on("reasoning_summary_text.delta", 0, summary_index=0, delta="Plan", item_id="rs_1"), ended()],
        ["started resp_1", "0 reasoning rs_1", "0.0 summary", "0.0 + Plan", "0.0 ends", "0 ends completed", STOP],
    ),
    "C13 indexes left out are the first": (
        [*BEGIN[:2], {"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Hi"}, ended()],
        [*WHOLE, STOP],
    ),
    "a text told only at its end": ([*BEGIN, on("output_text.done", 0, **AT, text="Hi"), ended()], [*WHOLE, STOP]),
    "a text told only in the item": (
        [created(), on("output_item.done", 0, item=message("Hi")), ended()],
        [*WHOLE, STOP],
    ),
    "the rest of a text at its end": (
        [*BEGIN, said(0, "H"), on("output_text.done", 0, **AT, text="Hi"), ended()],
        [*WHOLE[:3], "0.0 + H", "0.0 + i", *WHOLE[4:], STOP],
    ),
    "G12 a whole that was streamed is not told again": (
        [
            created(),
            on("output_item.added", 0, item=call()),
            on("function_call_arguments.delta", 0, delta='{"a":1}'),
            on("function_call_arguments.done", 0, arguments='{"a":1}'),
            on("output_item.done", 0, item=call('{"a":1}')),
            ended(),
        ],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            '0.0 + {"a":1}',
            "0.0 ends",
            "0 ends completed",
            "ended completed tool_calls",
        ],
    ),
    "a whole that contradicts its deltas is dropped": (
        [
            *BEGIN,
            said(0, "Hi"),
            on("output_text.done", 0, **AT, text="Ho"),
            on("output_item.done", 0, item=message("Ho")),
            ended(),
        ],
        [*WHOLE, STOP],
    ),
    "deltas after the part is done are dropped": (
        [*BEGIN, said(0, "Hi"), on("content_part.done", 0, **AT, part={**TEXT, "text": "Hi"}), said(0, "!"), ended()],
        [*WHOLE, STOP],
    ),
    "C09 events of a closed item change nothing": (
        [
            *BEGIN,
            said(0, "Hi"),
            on("output_item.done", 0, item=message("Hi")),
            said(0, "!"),
            on("output_item.added", 0, item=message()),
            on("output_item.done", 0, item=message("Hi!")),
            ended([message("Hi")]),
        ],
        [*WHOLE, STOP],
    ),
    "an item announced twice is one": ([*BEGIN[:2], BEGIN[1], BEGIN[2], said(0, "Hi"), ended()], [*WHOLE, STOP]),
    "C05 a second created is none": ([BEGIN[0], *BEGIN, said(0, "Hi"), ended()], [*WHOLE, STOP]),
    "D09 response.done is an end": (
        [*BEGIN, said(0, "Hi"), {"type": "response.done", "response": {"status": "completed"}}],
        [*WHOLE, STOP],
    ),
    "D06 nothing counts after the end": (
        [*BEGIN, said(0, "Hi"), ended(), said(0, "!"), ended(type_="failed")],
        [*WHOLE, STOP],
    ),
    "D07 the end mark is no event": ([*BEGIN, said(0, "Hi"), ended(), b"[DONE]"], [*WHOLE, STOP]),
    "D07 blank data is no event": ([*BEGIN, b" ", said(0, "Hi"), b"\n", ended()], [*WHOLE, STOP]),
    "C08, C25 a terminal response without output": ([*BEGIN, said(0, "Hi"), ended([])], [*WHOLE, STOP]),
    "C20 null where an item should be": (
        [
            *BEGIN,
            on("output_item.added", 1, item=None),
            on("output_item.done", 1, item=None),
            said(0, "Hi"),
            ended([None]),
        ],
        [*WHOLE[:3], "opaque response.output_item.added", "opaque response.output_item.done", *WHOLE[3:], STOP],
    ),
    "progress of the response": (
        [
            created(),
            {"type": "response.queued", "response": {}},
            {"type": "response.in_progress", "response": {}},
            ended(),
        ],
        ["started resp_1", "response is queued", "response is in_progress", STOP],
    ),
    "an unknown event": (
        [created(), on("colour.changed", 0), ended()],
        ["started resp_1", "opaque response.colour.changed", STOP],
    ),
    "K08 a refusal": (
        [
            created(),
            on("output_item.added", 0, item=message()),
            on("refusal.delta", 0, content_index=0, delta="No"),
            on("refusal.done", 0, content_index=0, refusal="No."),
            on("content_part.done", 0, content_index=0, part={"type": "refusal", "refusal": "No."}),
            ended(),
        ],
        [
            "started resp_1",
            "0 message msg_1",
            "0.0 refusal",
            "0.0 + No",
            "0.0 + .",
            "0.0 ends",
            "0 ends completed",
            STOP,
        ],
    ),
    "C26 reasoning: summaries, the thoughts, the seal": (
        [
            created(),
            on("output_item.added", 0, item=reasoning()),
            on("reasoning_summary_part.added", 0, summary_index=0, part=SUMMARY),
            on("reasoning_summary_text.delta", 0, summary_index=0, delta="Plan"),
            on("reasoning_summary_part.done", 0, summary_index=0, part={**SUMMARY, "text": "Plan"}),
            on("reasoning_text.delta", 0, content_index=0, delta="Hm"),
            on("reasoning_summary_text.delta", 0, summary_index=1, delta="Do"),
            on(
                "output_item.done",
                0,
                item=reasoning(["Plan", "Do"], [{"type": "reasoning_text", "text": "Hm"}], encrypted_content="blob"),
            ),
            ended(),
        ],
        [
            "started resp_1",
            "0 reasoning rs_1",
            "0.0 summary",
            "0.0 + Plan",
            "0.0 ends",
            "0.1 thought",
            "0.1 + Hm",
            "0.2 summary",
            "0.2 + Do",
            "0.2 ends",
            "0.1 ends",
            "0 ends None signed blob",
            STOP,
        ],
    ),
    "B13 citations come before the part ends": (
        [*BEGIN, said(0, "Hi"), on("output_text.annotation.added", 0, **AT, annotation=CITE), ended()],
        [*WHOLE[:4], "0.0 cites UrlCitation 0..2", *WHOLE[4:], STOP],
    ),
    "B02, B27 citations told only in the final object": (
        [*BEGIN, said(0, "Hi"), ended([message("Hi", content=[{**TEXT, "text": "Hi", "annotations": [CITE, CITE]}])])],
        [*WHOLE[:4], "0.0 cites UrlCitation 0..2", "0.0 cites UrlCitation 0..2", *WHOLE[4:], STOP],
    ),
    "B15, B27 a citation told in the stream is not told again": (
        [
            *BEGIN,
            said(0, "Hi"),
            on("output_text.annotation.added", 0, **AT, annotation=CITE),
            on(
                "content_part.done",
                0,
                **AT,
                part={**TEXT, "text": "Hi", "annotations": [CITE, {**CITE, "end_index": 1}]},
            ),
            ended(),
        ],
        [*WHOLE[:4], "0.0 cites UrlCitation 0..2", "0.0 cites UrlCitation 0..1", *WHOLE[4:], STOP],
    ),
    "G15 a function without arguments is called with {}": (
        [
            created(),
            on("output_item.added", 0, item=call()),
            on("function_call_arguments.done", 0, arguments=""),
            on("output_item.done", 0, item=call("")),
            ended(),
        ],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            "0.0 + {}",
            "0.0 ends",
            "0 ends None",
            "ended completed tool_calls",
        ],
    ),
    "G14, G15 a call that says nothing of arguments": (
        [created(), on("output_item.done", 0, item=call() | {"arguments": None, "status": "completed"}), ended()],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            "0.0 + {}",
            "0.0 ends",
            "0 ends completed",
            "ended completed tool_calls",
        ],
    ),
    "G13 arguments that are an object": (
        [ended([call() | {"arguments": {"a": 1}, "status": "completed"}])],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            '0.0 + {"a":1}',
            "0.0 ends",
            "0 ends completed",
            "ended completed tool_calls",
        ],
    ),
    "G15 a call cut before its arguments keeps none": (
        [created(), on("output_item.done", 0, item=call("", status="incomplete")), ended(type_="incomplete")],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            "0.0 ends",
            "0 ends incomplete",
            "ended incomplete max_output_tokens",
        ],
    ),
    "G20 arguments in pieces are passed on unread": (
        [
            created(),
            on("output_item.added", 0, item=call()),
            *(on("function_call_arguments.delta", 0, delta=piece) for piece in ('{"a', '":', "1")),
            ended(type_="incomplete"),
        ],
        [
            "started resp_1",
            "0 function_call fc_1 call_fc_1 f",
            "0.0 arguments",
            '0.0 + {"a',
            '0.0 + ":',
            "0.0 + 1",
            "0.0 ends",
            "0 ends incomplete",
            "ended incomplete max_output_tokens",
        ],
    ),
    "G11 two calls at a time, each under its own index": (
        [
            created(),
            on("output_item.added", 0, item=call(id="a")),
            on("output_item.added", 1, item=call(id="b")),
            on("function_call_arguments.delta", 1, delta="[2"),
            on("function_call_arguments.delta", 0, delta="[1"),
            on("function_call_arguments.delta", 1, delta="]"),
            on("function_call_arguments.delta", 0, delta="]"),
            ended(),
        ],
        [
            "started resp_1",
            "0 function_call a call_a f",
            "1 function_call b call_b f",
            "1.0 arguments",
            "1.0 + [2",
            "0.0 arguments",
            "0.0 + [1",
            "1.0 + ]",
            "0.0 + ]",
            "0.0 ends",
            "0 ends completed",
            "1.0 ends",
            "1 ends completed",
            "ended completed tool_calls",
        ],
    ),
}


@pytest.mark.parametrize(("events", "expected"), WALKS.values(), ids=WALKS.keys())
def test_a_stream_becomes(events: list[Json | bytes], expected: list[str]) -> None:
    assert lines(walk("openai", *events)) == expected


HOSTED: list[Json] = [
    on("web_search_call.in_progress", 0, item_id="ws_1", sequence_number=1),
    on("web_search_call.searching", 0, item_id="ws_1", sequence_number=2),
]


def test_a_hosted_call_begins_with_its_first_progress() -> None:
    """C07: a recorded stream tells in_progress and searching before anything announces the call."""
    done: Json = {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "q"},
    }
    told = lines(walk("ark", created(), *HOSTED, on("output_item.done", 0, item=done), ended()))
    assert told == [
        "started resp_1",
        "0 web_search_call ws_1",
        "0 is in_progress",
        "0 is searching",
        "0 ends completed",
        STOP,
    ]


def test_progress_of_what_is_no_call_is_opaque() -> None:
    assert lines(walk("openai", *BEGIN, on("message.moved.far", 0), on("shell_call.moved", 7), ended()))[3:5] == [
        "opaque response.message.moved.far",
        "opaque response.shell_call.moved",
    ]
