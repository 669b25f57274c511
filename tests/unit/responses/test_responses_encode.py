"""What a client of the dialect is shown: verbatim where the vendor speaks it too, and whole whatever was left out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adapters
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Fidelity
from adapters.hub.annotations import DocumentCitation, OpaqueAnnotation, PlaceCitation, Span, UrlCitation
from adapters.hub.errors import ProtocolError
from adapters.hub.items import CodeRun, Picture, Search, Signature, ToolResult
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.sse import SseParser
from adapters.wire_json import Json, dumps, loads
from tests.unit.responses.stage import (
    NOW,
    CountingMint,
    body,
    created,
    ended,
    final,
    frames,
    message,
    names,
    on,
    said,
    shown,
    walk,
)

STOP = ev.Ended("completed", ev.Finish("stop"))


def foreign(*inside: ev.Event, end: ev.Ended = STOP) -> list[ev.Event]:
    """A walk of a vendor that speaks another wire."""
    return [ev.Started("far", "r1", "far-1", 1.5), *inside, end]


def item(kind: str, *parts: tuple[str, str], number: int = 0, **ending: Any) -> list[ev.Event]:
    walked: list[ev.Event] = [ev.ItemStarted(number, kind, f"i{number}", "c1" if "call" in kind else "", "f")]
    for at, (part, text) in enumerate(parts):
        walked += [ev.PartStarted(number, at, part), ev.Delta(number, at, text), ev.PartEnded(number, at)]
    return [*walked, ev.ItemEnded(number, **ending)]


SEQUENCES: dict[str, tuple[list[ev.Event], list[str]]] = {
    # b.2: the standard sequences
    "MSG": (
        item("message", ("text", "Hi")),
        ["content_part.added", "output_text.delta", "output_text.done", "content_part.done"],
    ),
    "MSG, a refusal": (
        item("message", ("refusal", "No")),
        ["content_part.added", "refusal.delta", "refusal.done", "content_part.done"],
    ),
    "RSN, a summary": (
        item("reasoning", ("summary", "Plan")),
        [
            "reasoning_summary_part.added",
            "reasoning_summary_text.delta",
            "reasoning_summary_text.done",
            "reasoning_summary_part.done",
        ],
    ),
    "RSN, the thoughts": (
        item("reasoning", ("thought", "Hm")),
        ["content_part.added", "reasoning_text.delta", "reasoning_text.done", "content_part.done"],
    ),
    "FUN": (
        item("function_call", ("arguments", "{}")),
        ["function_call_arguments.delta", "function_call_arguments.done"],
    ),
    "CUS": (item("custom_tool_call", ("input", "x")), ["custom_tool_call_input.delta", "custom_tool_call_input.done"]),
    "COD": (
        item("code_interpreter_call", ("code", "1")),
        ["code_interpreter_call_code.delta", "code_interpreter_call_code.done"],
    ),
    "MCP": (item("mcp_call", ("arguments", "{}")), ["mcp_call_arguments.delta", "mcp_call_arguments.done"]),
    "WEB": (item("web_search_call"), []),
    "FIL": (item("file_search_call"), []),
    "IMG": (item("image_generation_call"), []),
}


@pytest.mark.parametrize(("inside", "expected"), SEQUENCES.values(), ids=SEQUENCES.keys())
def test_a_sequence(inside: list[ev.Event], expected: list[str]) -> None:
    """C24, C06: the full set of events, whatever vendor it was."""
    told = frames(foreign(*inside))
    assert names(told) == ["created", "in_progress", "output_item.added", *expected, "output_item.done", "completed"]
    assert final(told)["output"] == [told[-2]["item"]]
    assert [event["sequence_number"] for event in told] == list(range(len(told)))


def test_a_response_has_every_field_that_clients_read() -> None:
    """C01, C25, d.1: and repeats the request's own words."""
    tools: list[Json] = [{"type": "function", "name": "f", "parameters": {}}]
    request: dict[str, Any] = {
        "tools": tools,
        "tool_choice": "required",
        "metadata": {"a": "b"},
        "temperature": 0.5,
        "store": False,
    }
    told = frames(foreign(), **request)
    for response in (told[0]["response"], told[1]["response"], final(told)):
        assert response.items() >= request.items()
        assert (
            response.items()
            >= {"id": "resp_gw1far_r1", "object": "response", "created_at": 1, "model": "far-1"}.items()
        )
        assert response.items() >= {"parallel_tool_calls": True, "error": None, "incomplete_details": None}.items()
    assert [event["response"]["output"] for event in told] == [[], [], []]
    assert final(told)["completed_at"] == NOW


def test_what_the_vendor_does_not_say_is_made() -> None:
    """C27: an id that no other response has, the request's model, the time."""
    told = frames([ev.Started("far", "", None), STOP])
    response = final(told)
    assert (response["id"], response["model"], response["created_at"]) == (f"resp_gw1far-{1:024x}", "m", NOW)


def test_an_answer_that_never_began_still_has_a_beginning() -> None:
    """C23, C25: and says how it ended."""
    told = frames([ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))])
    assert names(told) == ["created", "in_progress", "failed"]
    assert final(told)["error"] == {"code": "server_error", "message": "cut"}


def test_a_beginning_is_sent_at_once() -> None:
    """C28: a client waits for the first word, not for the news that there will be one."""
    assert names(frames_so_far([ev.Started("far", "r1", "m")])) == ["created"]


def frames_so_far(walked: list[ev.Event]) -> list[Json]:
    surface = adapters.load("openai").surface
    assert surface is not None
    encoder = surface.encoder(
        Encoding(surface.decode_request({"model": "m", "input": "x", "stream": True}), CountingMint())
    )
    sent = b"".join(frame for event in walked for frame in encoder.feed(event))
    return [loads(event.data) for event in SseParser().feed(sent)]


def test_in_progress_is_said_once_and_queued_before_it() -> None:
    """b.1: created comes first, also for a job that waits."""
    moves: list[ev.Event] = [
        ev.Progressed(None, phase) for phase in ("queued", "in_progress", "in_progress", "odd", "queued")
    ]
    assert names(frames(foreign(*moves))) == ["created", "queued", "in_progress", "completed"]
    assert names(shown("openai", said(0, "Hi"), ended()))[:3] == ["created", "in_progress", "output_item.added"]


ITEMS: dict[str, tuple[list[ev.Event], Json]] = {
    "a search that failed": (item("web_search_call", status="failed"), {"status": "failed"}),
    "without a status": (item("message", status=None), {"status": "completed", "role": "assistant", "content": []}),
    "C14 reasoning with nothing to say": (item("reasoning"), {"summary": [], "id": "rs_gw1far_i0"}),
    "I04 a signature": (item("reasoning", signature=Signature("far", "s")), {"encrypted_content": "gw1.far.s"}),
    "a search": (
        item("web_search_call", outcome=Search("search", ["a", "b"])),
        {"action": {"type": "search", "query": "a", "queries": ["a", "b"]}},
    ),
    "a page": (
        item("web_search_call", outcome=Search("open_page", url="u")),
        {"action": {"type": "open_page", "url": "u"}},
    ),
    "documents": (item("file_search_call", outcome=Search("search", ["a"])), {"queries": ["a"], "results": None}),
    "code": (
        item("code_interpreter_call", ("code", "1"), outcome=CodeRun("out", ["data:x"])),
        {"code": "1", "outputs": [{"type": "logs", "logs": "out"}, {"type": "image", "url": "data:x"}]},
    ),
    "an MCP call": (
        item("mcp_call", ("arguments", "{}"), outcome=ToolResult("out")),
        {"output": "out", "error": None, "arguments": "{}"},
    ),
    "an MCP call that failed": (
        item("mcp_call", outcome=ToolResult(error="no")),
        {"output": None, "error": {"type": "mcp_tool_execution_error", "content": [], "message": "no"}},
    ),
    "an image": (item("image_generation_call", outcome=Picture("AAAA")), {"result": "AAAA"}),
}


@pytest.mark.parametrize(("inside", "expected"), ITEMS.values(), ids=ITEMS.keys())
def test_an_item(inside: list[ev.Event], expected: Json) -> None:
    (told,) = final(frames(foreign(*inside)))["output"]
    assert told.items() >= expected.items()


def test_a_call_that_failed_is_incomplete() -> None:
    """d.3: the dialect has no failed call."""
    end = ev.Ended("incomplete", ev.Finish("max_output_tokens"))
    (told,) = final(frames(foreign(*item("function_call", ("arguments", "{}"), status="failed"), end=end)))["output"]
    assert told["status"] == "incomplete"


def test_items_have_ids_of_their_kind_and_no_two_the_same() -> None:
    """C03, b.1"""
    kinds = ("message", "reasoning", "function_call", "web_search_call", "mcp_call", "image_generation_call")
    inside = [event for number, kind in enumerate(kinds) for event in item(kind, number=number)]
    ids = [told["id"] for told in final(frames(foreign(*inside)))["output"]]
    assert ids == [f"{prefix}_gw1far_i{n}" for n, prefix in enumerate(("msg", "rs", "fc", "ws", "mcp", "ig"))]
    same: list[ev.Event] = [e for n in (0, 1) for e in (ev.ItemStarted(n, "message", "x"), ev.ItemEnded(n))]
    first, second = (told["id"] for told in final(frames(foreign(*same)))["output"])
    assert (first, second) == ("msg_gw1far_x", f"msg_gw1far-{1:024x}")


def test_items_that_overlap_keep_their_own_indexes() -> None:
    """C10, G11"""
    inside: list[ev.Event] = [
        ev.ItemStarted(0, "function_call", "a", "c0", "f"),
        ev.ItemStarted(1, "function_call", "b", "c1", "f"),
        ev.PartStarted(1, 0, "arguments"),
        ev.PartStarted(0, 0, "arguments"),
        *(ev.Delta(number, 0, text) for number, text in ((1, "[2"), (0, "[1"), (1, "]"), (0, "]"))),
        *(event for number in (0, 1) for event in (ev.PartEnded(number, 0), ev.ItemEnded(number))),
    ]
    told = frames(foreign(*inside))
    deltas = [(event["output_index"], event["delta"]) for event in told if event["type"].endswith(".delta")]
    assert deltas == [(1, "[2"), (0, "[1"), (1, "]"), (0, "]")]
    assert [item["arguments"] for item in final(told)["output"]] == ["[1]", "[2]"]


# -- citations ---------------------------------------------------------------------------------

RAW = {"type": "place_citation", "name": "P", "place_id": "p1"}
CITATIONS: dict[str, tuple[Any, Fidelity, Json | None]] = {
    "a place, strict": (
        PlaceCitation("p1", "P", "u", Span(0, 2), Kept("far", RAW)),
        "strict",
        {"type": "url_citation", "url": "u", "title": "P", "start_index": 0, "end_index": 2},
    ),
    "a place, native": (
        PlaceCitation("p1", "P", "u", Span(0, 2), Kept("far", RAW)),
        "native",
        {**RAW, "start_index": 0, "end_index": 2, "x_dragoman": {"v": "far", "raw": RAW}},
    ),
    "B19 a file": (
        DocumentCitation("f1", "a.pdf", Span(0, 2)),
        "strict",
        {"type": "file_citation", "file_id": "f1", "filename": "a.pdf", "index": 2},
    ),
    "a file at a point": (
        DocumentCitation("f1", "a.pdf", position=1),
        "strict",
        {"type": "file_citation", "file_id": "f1", "filename": "a.pdf", "index": 1},
    ),
    "a file without a name": (
        DocumentCitation("fs://s/a.pdf"),
        "strict",
        {"type": "file_citation", "file_id": "fs://s/a.pdf", "filename": "a.pdf", "index": 2},
    ),
    "a file with nothing but a name": (
        DocumentCitation(name="a.pdf"),
        "strict",
        {"type": "file_citation", "file_id": "a.pdf", "filename": "a.pdf", "index": 2},
    ),
    "a file in a container": (
        DocumentCitation("f1", "a.png", Span(0, 1), container_id="c"),
        "strict",
        {
            "type": "container_file_citation",
            "container_id": "c",
            "file_id": "f1",
            "filename": "a.png",
            "start_index": 0,
            "end_index": 1,
        },
    ),
    "B20 a page without a title": (
        UrlCitation("u", "", Span(0, 1)),
        "strict",
        {"type": "url_citation", "url": "u", "title": "u", "start_index": 0, "end_index": 1},
    ),
    "B26 an unknown one, strict": (OpaqueAnnotation("far", {"type": "mood"}), "strict", None),
    "an unknown one, native": (
        OpaqueAnnotation("far", {"type": "mood"}, Span(1, 2)),
        "native",
        {"type": "mood", "start_index": 1, "end_index": 2, "x_dragoman": {"v": "far", "raw": {"type": "mood"}}},
    ),
}


@pytest.mark.parametrize(("annotation", "fidelity", "expected"), CITATIONS.values(), ids=CITATIONS.keys())
def test_a_citation(annotation: Any, fidelity: Fidelity, expected: Json | None) -> None:
    """a.2, a.3"""
    inside: list[ev.Event] = [
        ev.ItemStarted(0, "message"),
        ev.PartStarted(0, 0, "text"),
        ev.Delta(0, 0, "Hi"),
        ev.Annotated(0, 0, annotation),
        ev.PartEnded(0, 0),
        ev.ItemEnded(0),
    ]
    part = final(frames(foreign(*inside), fidelity))["output"][0]["content"][0]
    assert part["annotations"] == ([expected] if expected is not None else [])


def test_a_citation_is_relative_to_its_own_part() -> None:
    """A14: the second text begins at 0."""
    inside: list[ev.Event] = [ev.ItemStarted(0, "message")]
    for at, text in enumerate(("first", "two")):
        inside += [ev.PartStarted(0, at, "text"), ev.Delta(0, at, text)]
        inside += [ev.Annotated(0, at, UrlCitation("u", "t")), ev.PartEnded(0, at)]
    told = frames(foreign(*inside, ev.ItemEnded(0)))
    added = [event for event in told if event["type"].endswith("annotation.added")]
    assert [(event["content_index"], event["annotation_index"]) for event in added] == [(0, 0), (1, 0)]
    assert [event["annotation"]["end_index"] for event in added] == [5, 3]


# -- the same dialect --------------------------------------------------------------------------

UNSAID: list[tuple[str, Json, Json]] = [
    ("url_citation", {"url": "https://a.test/"}, {"title": "https://a.test/", "start_index": 2, "end_index": 2}),
    ("file_citation", {"file_id": "f1"}, {"filename": "f1", "index": 2}),
    ("url_citation", {"url": "u", "title": None, "start_index": 0, "end_index": 1}, {"title": "u"}),
]


@pytest.mark.parametrize(("type_", "told", "filled"), UNSAID)
def test_a_vendor_of_the_dialect_that_leaves_a_field_out(type_: str, told: Json, filled: Json) -> None:
    """B20, B22: clients stop at a citation without its required fields."""
    cite = {"type": type_, **told}
    events = [on("output_text.annotation.added", 0, content_index=0, annotation=cite)]
    part = final(shown("openai", created(), said(0, "Hi"), *events, ended()))["output"][0]["content"][0]
    assert part["annotations"] == [{**cite, **filled}]


USAGES: dict[str, tuple[Any, Any]] = {
    "L08 without details": (
        {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        {
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    ),
    "L08 with empty details": (
        {
            "input_tokens": 1,
            "output_tokens": 2,
            "total_tokens": 3,
            "input_tokens_details": {},
            "output_tokens_details": {"x": 1},
        },
        {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"x": 1, "reasoning_tokens": 0}},
    ),
    "L10 in the words of chat": (
        {"prompt_tokens": 1, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 1}},
        {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}},
    ),
    "L07 none": (None, None),
}


@pytest.mark.parametrize(("usage", "filled"), USAGES.values(), ids=USAGES.keys())
def test_usage_has_what_clients_read(usage: Any, filled: Any) -> None:
    shown_usage = final(shown("openai", created(), said(0, "Hi"), ended(usage=usage)))["usage"]
    if filled is None:
        assert shown_usage is None
    else:
        assert shown_usage.items() >= {**usage, **filled}.items()


@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
def test_an_event_that_no_client_knows_goes_only_to_those_that_asked(fidelity: Fidelity) -> None:
    """b.7: clients throw on an unknown type."""
    losses = Ledger()
    told = frames(walk("openai", created(), {"type": "response.colour.changed", "hue": 1}, ended()), fidelity, losses)
    assert ("colour.changed" in names(told)) == (fidelity == "native")
    assert [loss.path for loss in losses.losses] == ([] if fidelity == "native" else ["openai.response.colour.changed"])


def test_a_name_that_would_break_the_frame_is_not_sent() -> None:
    """E07"""
    told = frames(walk("openai", created(), {"type": "response.a\ndata: x"}, ended()), "native")
    assert names(told) == ["created", "in_progress", "completed"] or names(told) == ["created", "completed"]


def test_padding_is_dropped() -> None:
    """b.7: it hid the size of another frame."""
    told = shown("openai", created(), said(0, "Hi", obfuscation="xxxx"), ended())
    assert all("obfuscation" not in event for event in told)


def test_a_vendors_words_that_are_nested_too_deep_cost_only_their_depths() -> None:
    deep = dumps(ended([message("Hi")], odd="%")).replace(b'"%"', b"[" * 400 + b"]" * 400)
    told = shown("openai", created(), said(0, "Hi", item_id="msg_1"), deep)
    assert final(told)["output"][0]["content"][0]["text"] == "Hi"
    answer = body(adapters.load("openai").codec.decode_response(loads(deep)["response"]))
    assert answer["output"][0]["content"][0]["text"] == "Hi"


# -- what is kept, and what is not touched -----------------------------------------------------


def test_nothing_that_was_given_is_changed() -> None:
    """The client's request and the vendor's words are read, never written."""
    asked: Json = {
        "model": "m",
        "input": "x",
        "stream": True,
        "tools": [{"type": "function", "name": "f"}],
        "metadata": {"a": "b"},
    }
    before = copy.deepcopy(asked)
    surface = adapters.load("openai").surface
    assert surface is not None
    events = [created(tools=[]), said(0, "Hi"), on("output_item.done", 0, item=message("Hi")), ended([message("Hi")])]
    kept = copy.deepcopy(events)
    walked = [*walk("ark", *events)]
    told = copy.deepcopy(walked)
    encoder = surface.encoder(Encoding(surface.decode_request(asked), CountingMint()))
    for event in walked:
        encoder.feed(event)
    assert (asked, events, walked) == (before, kept, told)


def test_what_was_sent_is_not_changed_by_what_follows() -> None:
    """Frames are bytes; the answer of one walk does not change while another is written."""
    one = body(foreign(*item("message", ("text", "Hi"))))
    again = body(foreign(*item("message", ("text", "Hi"))))
    assert one == again
    assert one["output"][0]["content"][0]["annotations"] == []


def test_losses_stand_in_the_terminal_response() -> None:
    losses = Ledger()
    losses.note("tools[0]", "why")
    expected = [{"path": "tools[0]", "reason": "why"}]
    assert final(frames(foreign(), "rich", losses))["x_dragoman"]["losses"] == expected
    assert final(frames(foreign(), "native", losses))["x_dragoman"]["losses"] == expected
    assert "x_dragoman" not in final(frames(foreign(), "strict", losses))
