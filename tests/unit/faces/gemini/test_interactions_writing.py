"""The Gemini face's answers, case by case: what each item of the hub becomes."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.faces.gemini.errors import encode_error
from adapters.faces.gemini.grammar import check
from adapters.faces.gemini.retelling import retell_steps
from adapters.faces.gemini.surface import SURFACE
from adapters.hub import events as ev
from adapters.hub.annotations import Annotation, DocumentCitation, OpaqueAnnotation, Span, UrlCitation
from adapters.hub.errors import (
    AuthRejected,
    BadRequest,
    HubError,
    Overloaded,
    ProtocolError,
    RateLimited,
    Unsupported,
    UpstreamTimeout,
)
from adapters.hub.items import CodeRun, Outcome, Picture, Search, Signature, ToolResult
from adapters.hub.kept import Kept
from adapters.sse import SseEvent
from adapters.wire_json import Json
from tests.unit.faces.gemini.written import encoding, run, steps_of, write

START = ev.Started("openai", "resp_1", "gpt-5", 1_700_000_000.0)
DONE = ev.Ended("completed", ev.Finish("stop"))


def walk(*events: ev.Event) -> list[ev.Event]:
    return [START, *events, DONE]


def item(
    kind: str, part: str = "", *texts: str, number: int = 0, end: ev.ItemEnded | None = None, **fields: Any
) -> list[ev.Event]:
    """An item with one part, whose text comes in these pieces."""
    parts: list[ev.Event] = []
    if part:
        deltas = [ev.Delta(number, 0, text) for text in texts]
        parts = [ev.PartStarted(number, 0, part), *deltas, ev.PartEnded(number, 0)]
    return [ev.ItemStarted(number, kind, **fields), *parts, end or ev.ItemEnded(number)]


def deltas(*events: ev.Event) -> list[Json]:
    """The deltas of a stream."""
    return [
        event["delta"] for event in write(walk(*events), "strict").payloads() if event["event_type"] == "step.delta"
    ]


def steps(*events: ev.Event, fidelity: Any = "strict") -> list[Json]:
    """The steps, as the stream and the body tell them."""
    streamed = steps_of(write(walk(*events), fidelity).payloads())
    assert streamed == write(walk(*events), fidelity, stream=False).body()["steps"]
    return streamed


def test_a_stream_has_its_frame() -> None:
    told = write(walk(*item("message", "text", "Hé", "llo")), "strict")
    names = [event.name.decode() for event in told.events()]
    assert names == [
        "interaction.created", "interaction.status_update", "step.start", "step.delta", "step.delta", "step.stop",
        "interaction.completed", "done",
    ]  # fmt: skip
    payloads = told.payloads()
    assert [payload["event_id"] for payload in payloads] == [f"int_gw1openai_resp_1.{n}" for n in range(7)]
    assert payloads[0]["interaction"] == {
        "id": "int_gw1openai_resp_1",
        "object": "interaction",
        "status": "in_progress",
        "created": "2023-11-14T22:13:20Z",
        "model": "gpt-5",
    }
    assert payloads[-1]["interaction"]["status"] == "completed"


HOSTED: list[tuple[str, list[ev.Event], list[Json]]] = [
    (
        "a search",
        item("web_search_call", id="ws_1", end=ev.ItemEnded(0, outcome=Search(queries=["a", "b"]))),
        [
            {"type": "google_search_call", "id": "ws_gw1openai_ws_1", "arguments": {"queries": ["a", "b"]}},
            {"type": "google_search_result", "call_id": "ws_gw1openai_ws_1", "result": []},
        ],
    ),
    (
        "a page",
        item("web_search_call", id="ws_1", end=ev.ItemEnded(0, outcome=Search("open_page", url="https://a.test"))),
        [
            {"type": "url_context_call", "id": "ws_gw1openai_ws_1", "arguments": {"urls": ["https://a.test"]}},
            {
                "type": "url_context_result",
                "call_id": "ws_gw1openai_ws_1",
                "result": [{"url": "https://a.test", "status": "success"}],
            },
        ],
    ),
    (
        "files",
        item("file_search_call", id="fs_1", end=ev.ItemEnded(0, outcome=Search(queries=["a"]))),
        [
            {"type": "file_search_call", "id": "fs_gw1openai_fs_1"},
            {"type": "file_search_result", "call_id": "fs_gw1openai_fs_1"},
        ],
    ),
    (
        "a run of code that failed",
        item("code_interpreter_call", "code", "1/", "0", id="ci_1",
             end=ev.ItemEnded(0, "failed", outcome=CodeRun("no"))),
        [
            {"type": "code_execution_call", "id": "ci_gw1openai_ci_1",
             "arguments": {"code": "1/0", "language": "python"}},
            {"type": "code_execution_result", "call_id": "ci_gw1openai_ci_1", "result": "no", "is_error": True},
        ],
    ),
    (
        "a run of code that drew",
        item("code_interpreter_call", "code", "x", id="ci_1",
             end=ev.ItemEnded(0, outcome=CodeRun("ok", ["data:image/png;base64,AA=="]))),
        [
            {"type": "code_execution_call", "id": "ci_gw1openai_ci_1",
             "arguments": {"code": "x", "language": "python"}},
            {
                "type": "code_execution_result",
                "call_id": "ci_gw1openai_ci_1",
                "result": [
                    {"type": "text", "text": "ok"},
                    {"type": "image", "data": "AA==", "mime_type": "image/png"},
                ],
            },
        ],
    ),
    (
        "a tool of a server",
        item("mcp_call", "arguments", '{"q":1}', id="mcp_1", name="ask", place="wiki",
             end=ev.ItemEnded(0, outcome=ToolResult("42"))),
        [
            {"type": "mcp_server_tool_call", "id": "mcp_gw1openai_mcp_1", "name": "ask", "server_name": "wiki",
             "arguments": {"q": 1}},
            {"type": "mcp_server_tool_result", "call_id": "mcp_gw1openai_mcp_1", "name": "ask", "server_name": "wiki",
             "result": "42"},
        ],
    ),
    (
        "an image",
        item("image_generation_call", id="ig_1", end=ev.ItemEnded(0, outcome=Picture("AA==", None, "image/png"))),
        [{"type": "model_output", "content": [{"type": "image", "data": "AA==", "mime_type": "image/png"}]}],
    ),
    (
        "a shell",
        item("shell_call", id="sh_1", call_id="call_1", action={"commands": ["ls"]}),
        [{"type": "function_call", "id": "call_1", "name": "shell", "arguments": {"commands": ["ls"]}}],
    ),
    (
        "a free text",
        item("custom_tool_call", "input", 'say "', "hé\n", id="ctc_1", call_id="call_1", name="sql"),
        [{"type": "function_call", "id": "call_1", "name": "sql", "arguments": {"input": 'say "hé\n'}}],
    ),
    (
        "an empty free text",
        item("custom_tool_call", "input", id="ctc_1", call_id="call_1", name="sql"),
        [{"type": "function_call", "id": "call_1", "name": "sql", "arguments": {"input": ""}}],
    ),
    (
        "arguments that are no object",
        item("function_call", "arguments", "[1", call_id="call_1", name="f"),
        [{"type": "function_call", "id": "call_1", "name": "f", "arguments": {"_raw": "[1"}}],
    ),
    (
        "a refusal",
        item("message", "refusal", "No."),
        [{"type": "model_output", "content": [{"type": "text", "text": "No."}]}],
    ),
    ("an empty message", item("message"), [{"type": "model_output"}]),
]  # fmt: skip


@pytest.mark.parametrize(("events", "told"), [pytest.param(e, t, id=name) for name, e, t in HOSTED])
def test_an_item_is_told_as_steps(events: list[ev.Event], told: list[Json]) -> None:
    assert steps(*events) == told


def test_thoughts_are_signed_at_their_end() -> None:
    end = ev.ItemEnded(0, signature=Signature("openai", "seal"))
    parts: list[ev.Event] = []
    for part, text in enumerate(("One.", "Two.")):
        parts += [ev.PartStarted(0, part, "summary"), ev.Delta(0, part, text), ev.PartEnded(0, part)]
    events = [ev.ItemStarted(0, "reasoning", id="rs_1"), *parts, end]
    assert deltas(*events) == [
        {"type": "thought_summary", "content": {"type": "text", "text": "One."}},
        {"type": "thought_summary", "content": {"type": "text", "text": "\n\nTwo."}},
        {"type": "thought_signature", "signature": "gw1.openai.seal"},
    ]
    assert write(walk(*events), "strict", stream=False).body()["steps"] == [
        {
            "type": "thought",
            "signature": "gw1.openai.seal",
            "summary": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}],
        }
    ]


def test_a_shell_that_the_vendor_runs_is_nothing_to_answer() -> None:
    place = {"environment": {"type": "container_reference", "container_id": "cntr_1"}}
    kept = Kept("openai", {"item": {"id": "sh_1", "type": "shell_call", "call_id": "c", "action": {}, **place}})
    call = [ev.ItemStarted(0, "shell_call", "sh_1", "c", extra=kept), ev.ItemEnded(0, extra=kept)]
    told = write([START, *call, *item("message", "text", "a", number=1), DONE], stream=False).body()
    assert told["status"] == "completed"
    assert [step["type"] for step in told["steps"]] == ["model_output"]
    assert told["steps"][0]["x_dragoman"]["before"] == [{"v": "openai", "raw": kept.data["item"]}]


@pytest.mark.parametrize("stream", [True, False])
def test_the_parts_of_a_summary_ride_along(stream: bool) -> None:
    """No delta tells them apart."""
    said = [{"type": "summary_text", "text": text} for text in ("One.", "Two.")]
    kept = Kept("openai", {"item": {"type": "reasoning", "id": "rs_1", "summary": said}})
    parts: list[ev.Event] = []
    for part, text in enumerate(["One.", "Two."]):
        parts += [ev.PartStarted(0, part, "summary"), ev.Delta(0, part, text), ev.PartEnded(0, part)]
    told = write(
        [START, ev.ItemStarted(0, "reasoning", "rs_1"), *parts, ev.ItemEnded(0, extra=kept), DONE], stream=stream
    )
    (step,) = steps_of(told.payloads()) if stream else told.body()["steps"]
    assert retell_steps([step])[0].item["summary"] == said


@pytest.mark.parametrize("kinds", [("summary", "thought"), ("thought", "summary")])
def test_what_comes_first_of_a_reasoning_is_told(kinds: tuple[str, str]) -> None:
    parts: list[ev.Event] = []
    for part, kind in enumerate(kinds):
        parts += [ev.PartStarted(0, part, kind), ev.Delta(0, part, kind), ev.PartEnded(0, part)]
    [thought] = steps(ev.ItemStarted(0, "reasoning"), *parts, ev.ItemEnded(0))
    assert thought == {"type": "thought", "summary": [{"type": "text", "text": kinds[0]}]}


def test_a_seal_that_comes_late_is_in_the_steps_of_the_end() -> None:
    events = [START, *item("reasoning", "summary", "a", id="rs_1")]
    ended = ev.Ended("completed", ev.Finish("stop"), signatures={0: Signature("openai", "seal")})
    told = write([*events, ended], "strict").payloads()[-1]["interaction"]["steps"]
    assert told[0]["signature"] == "gw1.openai.seal"


# -- order ---------------------------------------------------------------------------------------


def test_an_item_waits_for_the_one_before_it() -> None:
    first, second = item("message", "text", "a", "b", number=0), item("message", "text", "c", "d", number=1)
    mixed = [first[0], second[0], *second[1:3], *first[1:], *second[3:]]
    told = write(walk(*mixed), "strict")
    assert not check(told.events()).violations
    assert told.events() == write(walk(*first, *second), "strict").events()


def test_the_open_item_streams_on() -> None:
    first, second = item("message", "text", "a", number=0), item("message", "text", "c", number=1)
    begun = write([START, first[0], second[0], second[1], second[2], first[1], first[2]], "strict").payloads()
    assert [event["delta"]["text"] for event in begun if event["event_type"] == "step.delta"] == ["a"]


# -- citations -----------------------------------------------------------------------------------

ARK = Kept("ark", {"type": "url_citation", "url": "https://a.test", "title": "A", "site_name": "s"})
CITES: list[tuple[str, Annotation, Json]] = [
    (
        "bytes",
        UrlCitation("https://a.test", "A", Span(3, 5)),
        {"type": "url_citation", "url": "https://a.test", "title": "A", "start_index": 8, "end_index": 10},
    ),
    (
        "no place",
        UrlCitation("https://a.test", "A", None, ARK),
        {"type": "url_citation", "url": "https://a.test", "title": "A", "x_dragoman": {"v": "ark", "raw": ARK.data}},
    ),
    (
        "a file",
        DocumentCitation("f", "a.pdf", position=2),
        {"type": "file_citation", "document_uri": "f", "file_name": "a.pdf", "start_index": 7, "end_index": 7},
    ),
]


@pytest.mark.parametrize(("annotation", "told"), [pytest.param(a, t, id=name) for name, a, t in CITES])
def test_a_citation_counts_bytes(annotation: Annotation, told: Json) -> None:
    """東 has 3 bytes, 🗼 has 4."""
    start, part, *rest = item("message", "text", "東🗼 is high")
    [step] = steps(start, part, rest[0], ev.Annotated(0, 0, annotation), *rest[1:], fidelity="rich")
    assert step["content"][0]["annotations"] == [told]


@pytest.mark.parametrize(("unit", "start"), [("codepoint", 2), ("utf16", 3), ("utf8", 7), (None, 7)])
def test_a_citation_counts_as_the_client_does(unit: Any, start: int) -> None:
    events = item("message", "text", "東🗼ab")
    events.insert(3, ev.Annotated(0, 0, UrlCitation("u", "t", Span(2, 3))))
    body = write(walk(*events), stream=False, offsets=unit).body()
    assert body["steps"][0]["content"][0]["annotations"][0]["start_index"] == start
    assert not check(write(walk(*events), offsets=unit).events(), offsets=unit).violations


def test_a_citation_waits_for_its_text() -> None:
    cite = ev.Annotated(0, 0, UrlCitation("u", "t", Span(1, 3)))
    begin, part, first, second, *rest = item("message", "text", "ab", "cd")
    assert [delta["type"] for delta in deltas(begin, part, first, cite, second, *rest)] == [
        "text",
        "text",
        "text_annotation_delta",
    ]


@pytest.mark.parametrize("texts", [("one", "two"), ("one", ""), ("", "two"), ("", "")])
def test_a_citation_waits_for_the_block_that_it_cites(texts: tuple[str, ...]) -> None:
    parts: list[ev.Event] = []
    for part, text in enumerate(texts):
        cite = UrlCitation(span=None, url=f"https://{part}.test/", title="t")
        deltas = [ev.Delta(0, part, text)] if text else []
        parts += [ev.PartStarted(0, part, "text"), ev.Annotated(0, part, cite), *deltas, ev.PartEnded(0, part)]
    events = [START, ev.ItemStarted(0, "message", "m_1"), *parts, ev.ItemEnded(0), DONE]
    streamed = steps_of(write(events).payloads())
    assert streamed == write(events, stream=False).body()["steps"]
    blocks = [block for step in streamed for block in step["content"]]
    assert [(block["text"], [cite["url"] for cite in block["annotations"]]) for block in blocks] == [
        (text, [f"https://{part}.test/"]) for part, text in enumerate(texts)
    ]


def test_an_annotation_of_no_type_rides_with_its_text() -> None:
    events = item("message", "text", "ab")
    events.insert(3, ev.Annotated(0, 0, OpaqueAnnotation("ark", {"type": "thing"})))
    [step] = steps(*events, fidelity="rich")
    held = {"v": "ark", "annotations": [{"at": 0, "raw": {"type": "thing"}}]}
    assert step["content"] == [{"type": "text", "text": "ab", "x_dragoman": held}]
    strict = write(walk(*events), "strict")
    assert [loss.path for loss in strict.losses.losses] == ["steps[0].content[0].annotations[0]"]


# -- what has no step ----------------------------------------------------------------------------

LISTED = ev.ItemEnded(0, extra=Kept("openai", {"item": {"type": "mcp_list_tools", "id": "mcpl_1", "tools": []}}))


def test_an_item_without_a_step_rides_with_the_next() -> None:
    listed = item("mcp_list_tools", id="mcpl_1", end=LISTED)
    [step] = steps(*listed, *item("message", "text", "a", number=1), fidelity="rich")
    assert (
        step["x_dragoman"]["before"] == [{"v": "openai", "raw": LISTED.extra.data["item"]}] if LISTED.extra else False
    )


def test_the_last_one_rides_with_the_step_before_it() -> None:
    listed = [ev.ItemStarted(1, "mcp_list_tools", id="mcpl_1"), ev.ItemEnded(1, extra=LISTED.extra)]
    [step] = steps(*item("message", "text", "a"), *listed, fidelity="rich")
    assert [rider["v"] for rider in step["x_dragoman"]["after"]] == ["openai"]


def test_alone_it_stands_with_the_answer_and_is_reported() -> None:
    told = write(walk(*item("mcp_list_tools", id="mcpl_1", end=LISTED)), stream=False)
    assert [one["type"] for one in told.body()["x_dragoman"]["items"]] == ["mcp_list_tools"]
    assert [loss.path for loss in told.losses.losses] == ["steps"]


# -- the end -------------------------------------------------------------------------------------

ENDS: list[tuple[ev.Ended, str]] = [
    (DONE, "completed"),
    (ev.Ended("incomplete", ev.Finish("max_output_tokens")), "incomplete"),
    (ev.Ended("incomplete", ev.Finish("content_filter")), "incomplete"),
    (ev.Ended("cancelled", ev.Finish("cancelled")), "cancelled"),
    (ev.Ended("incomplete", ev.Finish("max_output_tokens", "budget_exceeded")), "budget_exceeded"),
    (ev.Ended("incomplete", ev.Finish("max_output_tokens", "requires_continuation")), "incomplete"),
    (ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut")), "failed"),
]


@pytest.mark.parametrize(("ended", "status"), ENDS)
def test_the_end_says_how_it_went(ended: ev.Ended, status: str) -> None:
    told = write([START, *item("message", "text", "a"), ended], "strict")
    assert told.payloads()[-1]["interaction"]["status"] == status
    assert (told.payloads()[-2]["event_type"] == "error") == (status == "failed")
    assert not check(told.events()).violations


def test_an_answer_in_the_background_is_on_its_way() -> None:
    told = write([START, ev.Ended("completed", ev.Finish("stop", "queued"))], stream=False)
    assert told.body()["status"] == "in_progress"


def test_labels_come_back() -> None:
    given = encoding()
    given.request = SURFACE.decode_request({"model": "m", "input": "x", "labels": {"a": "b"}})
    assert run(SURFACE.encoder(given), given, [START, DONE]).body()["labels"] == {"a": "b"}


def test_what_a_clients_tool_is_to_do_may_be_told_at_the_end() -> None:
    action = {"commands": ["ls"]}
    call = {"type": "shell_call", "id": "sh_1", "call_id": "c", "action": action}
    begun = ev.ItemStarted(0, "shell_call", "sh_1", call_id="c", action={"commands": []})
    (step,) = write([START, begun, ev.ItemEnded(0, extra=Kept("openai", {"item": call})), DONE], stream=False).body()[
        "steps"
    ]
    assert (step["name"], step["arguments"]) == ("shell", action)


def test_a_call_for_the_client_requires_action() -> None:
    told = write(walk(*item("function_call", "arguments", "{}", call_id="c", name="f")), "strict")
    assert told.payloads()[-1]["interaction"]["status"] == "requires_action"


def test_usage_counts_thoughts_apart() -> None:
    ended = ev.Ended("completed", ev.Finish("stop"), ev.Usage(10, 4, 9, 5, 19))
    assert write([START, ended], "strict", stream=False).body()["usage"] == {
        "total_tokens": 19,
        "total_input_tokens": 10,
        "total_cached_tokens": 4,
        "total_output_tokens": 4,
        "total_thought_tokens": 5,
        "total_tool_use_tokens": 0,
    }


def test_an_answer_that_never_began_is_told_as_one_that_failed() -> None:
    told = write([ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))], "strict")
    assert not check(told.events()).violations
    assert told.events()[-1] == SseEvent(b"done", b"[DONE]")


# -- errors and keys -----------------------------------------------------------------------------

ERRORS: list[tuple[HubError, str]] = [
    (BadRequest("no", code="missing_required_parameter"), "invalid_request"),
    (Unsupported("no"), "invalid_request"),
    (BadRequest("no", code="unknown_parameter"), "parameter_unknown"),
    (AuthRejected("no"), "authentication"),
    (RateLimited("no"), "rate_limit_exceeded"),
    (RateLimited("no", code="insufficient_quota"), "quota_exceeded"),
    (HubError("no", status=403, code="permission_denied"), "permission_denied"),
    (HubError("no", status=404, code="model_not_found"), "model_not_found"),
    (BadRequest("no", code="previous_response_not_found"), "not_found"),
    (Overloaded("no"), "unavailable"),
    (UpstreamTimeout("no"), "gateway_timeout"),
    (ProtocolError("no"), "internal"),
    (ProtocolError("no", raw=Kept("gemini", {"code": "data_loss"})), "data_loss"),
]


@pytest.mark.parametrize(("error", "code"), ERRORS)
def test_an_error_has_the_dialects_code(error: HubError, code: str) -> None:
    assert encode_error(error) == {"error": {"code": code, "message": "no"}}


def test_an_error_names_the_field() -> None:
    assert (
        encode_error(BadRequest("It is no text.", param="input[0]"))["error"]["message"] == "input[0]: It is no text."
    )


KEYS: list[tuple[dict[str, str], dict[str, str], str | None]] = [
    ({"x-goog-api-key": "a", "authorization": "Bearer b"}, {"key": "c"}, "a"),
    ({"authorization": "Bearer b"}, {"key": "c"}, "b"),
    ({"authorization": "Basic b"}, {"key": "c"}, "c"),
    ({}, {}, None),
]


@pytest.mark.parametrize(("headers", "query", "key"), KEYS)
def test_the_key_is_read_as_each_client_sends_it(
    headers: dict[str, str], query: dict[str, str], key: str | None
) -> None:
    assert SURFACE.credential(headers, query) == key


def test_outcomes_are_all_told() -> None:
    """Every outcome of the hub has a case above, or is told by the steps of a search for tools."""
    assert {one.__name__ for one in Outcome.__args__} == {"Search", "CodeRun", "ToolResult", "Picture", "ToolSearch"}


def test_geminis_own_blocks_stand_where_they_stood() -> None:
    audio: Json = {"type": "audio", "data": "YQ=="}
    kept = Kept("gemini", {"blocks": [{"at": 0, "block": audio}, {"at": 1, "rest": {"of_tomorrow": 1}}]})
    said = [ev.Started("gemini", "v1_a", "m"), *item("message", "text", "a", end=ev.ItemEnded(0, extra=kept)), DONE]
    content = [audio, {"type": "text", "text": "a", "of_tomorrow": 1}]
    assert steps_of(write(said).payloads())[0]["content"] == content
    assert write(said, stream=False).body()["steps"][0]["content"] == content
