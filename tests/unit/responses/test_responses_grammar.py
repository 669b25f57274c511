"""The grammar of a Responses stream: a good stream has no violation, and each rule is broken once, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub.spans import Offsets
from adapters.hub.verdict import Verdict
from adapters.responses.grammar import check
from adapters.responses.grammar_tables import EVENTS, RULES
from adapters.sse import SseEvent
from adapters.wire_json import Json, dumps, loads

Stream = list[Json]

URL: Json = {"type": "url_citation", "url": "https://a.test/", "title": "A", "start_index": 0, "end_index": 2}
FILE: Json = {"type": "file_citation", "file_id": "file_1", "filename": "a.pdf", "index": 5}
USAGE: Json = {
    "input_tokens": 3,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 2,
    "output_tokens_details": {"reasoning_tokens": 1},
    "total_tokens": 5,
}
TEXT: Json = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}


def ev(name: str, **fields: Any) -> Json:
    return {"type": f"response.{name}", **fields}


def lifecycle(name: str, status: str, output: list[Json] | None = None, **fields: Any) -> Json:
    response = {"id": "resp_1", "object": "response", "created_at": 1.0, "model": "m", "status": status}
    rest = {"output": output or [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], **fields}
    return ev(name, response={**response, "error": None, "incomplete_details": None, "usage": None, **rest})


def reasoning() -> Stream:
    at = {"output_index": 0, "item_id": "rs_1"}
    added: Json = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "first"}
    summary, thought = {"type": "summary_text", "text": "Plan"}, {"type": "reasoning_text", "text": "Think"}
    done = {**added, "summary": [summary], "content": [thought], "encrypted_content": "second"}
    return [
        ev("output_item.added", output_index=0, item=added),
        ev("reasoning_summary_part.added", **at, summary_index=0, part={**summary, "text": ""}),
        ev("reasoning_summary_text.delta", **at, summary_index=0, delta="Pl"),
        ev("reasoning_summary_text.delta", **at, summary_index=0, delta="an"),
        ev("reasoning_summary_text.done", **at, summary_index=0, text="Plan"),
        ev("reasoning_summary_part.done", **at, summary_index=0, part=summary),
        ev("content_part.added", **at, content_index=0, part={**thought, "text": ""}),
        ev("reasoning_text.delta", **at, content_index=0, delta="Think"),
        ev("reasoning_text.done", **at, content_index=0, text="Think"),
        ev("content_part.done", **at, content_index=0, part=thought),
        ev("output_item.done", output_index=0, item=done),
    ]


def message() -> Stream:
    at = {"output_index": 1, "item_id": "msg_1"}
    added: Json = {"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []}
    text, refusal = {**TEXT, "text": "你好 😀.", "annotations": [URL, FILE]}, {"type": "refusal", "refusal": "No."}
    return [
        ev("output_item.added", output_index=1, item=added),
        ev("content_part.added", **at, content_index=0, part=TEXT),
        ev("output_text.delta", **at, content_index=0, delta="你好", logprobs=[], obfuscation="xx"),
        ev("output_text.annotation.added", **at, content_index=0, annotation_index=0, annotation=URL),
        ev("output_text.delta", **at, content_index=0, delta=" 😀.", logprobs=[]),
        ev("output_text.annotation.added", **at, content_index=0, annotation_index=1, annotation=FILE),
        ev("output_text.done", **at, content_index=0, text="你好 😀.", logprobs=[]),
        ev("content_part.done", **at, content_index=0, part=text),
        ev("content_part.added", **at, content_index=1, part={"type": "refusal", "refusal": ""}),
        ev("refusal.delta", **at, content_index=1, delta="No."),
        ev("refusal.done", **at, content_index=1, refusal="No."),
        ev("content_part.done", **at, content_index=1, part=refusal),
        ev("output_item.done", output_index=1, item={**added, "status": "completed", "content": [text, refusal]}),
    ]


def calls() -> Stream:
    """A search that stays open across a function call, a command, and an item of a vendor's own."""
    search, call = {"output_index": 2, "item_id": "ws_1"}, {"output_index": 3, "item_id": "fc_1"}
    web = {"type": "web_search_call", "id": "ws_1", "status": "in_progress"}
    function = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "c",
        "name": "f",
        "arguments": "",
        "status": "in_progress",
    }
    shell: Json = {
        "type": "shell_call",
        "id": "sh_1",
        "call_id": "s",
        "status": "in_progress",
        "action": {"commands": []},
    }
    own: Json = {"type": "place_call", "id": "pc_1", "role": "assistant", "content": [], "x_dragoman": {"v": "w"}}
    command = {"output_index": 4, "command_index": 0}
    return [
        ev("output_item.added", output_index=2, item=web),
        ev("web_search_call.in_progress", **search),
        ev("web_search_call.searching", **search),
        ev("output_item.added", output_index=3, item=function),
        ev("function_call_arguments.delta", **call, delta='{"a"'),
        ev("function_call_arguments.delta", **call, delta=":1}"),
        ev("function_call_arguments.done", **call, arguments='{"a":1}'),
        ev("output_item.done", output_index=3, item={**function, "arguments": '{"a":1}', "status": "completed"}),
        ev("web_search_call.completed", **search),
        ev("output_item.done", output_index=2, item={**web, "status": "completed", "action": {"type": "search"}}),
        ev("output_item.added", output_index=4, item=shell),
        ev("shell_call_command.added", **command, command=""),
        ev("shell_call_command.delta", **command, delta="ls"),
        ev("shell_call_command.done", **command, command="ls"),
        ev("output_item.done", output_index=4, item={**shell, "status": "completed", "action": {"commands": ["ls"]}}),
        ev("output_item.added", output_index=5, item=own),
        ev("output_item.done", output_index=5, item=own),
    ]


def good() -> Stream:
    """A whole synthetic stream, without its sequence numbers."""
    items = [*reasoning(), *message(), *calls()]
    done = {event["output_index"]: event["item"] for event in items if event["type"].endswith("item.done")}
    output = [done[index] for index in sorted(done)]
    output[0] = {**output[0], "encrypted_content": "third"}
    start = [lifecycle("created", "queued"), lifecycle("queued", "queued"), lifecycle("in_progress", "in_progress")]
    return loads(dumps([*start, *items, lifecycle("completed", "completed", output, usage=USAGE)]))


def frames(stream: Stream) -> list[SseEvent]:
    """As they stand on the wire, numbered where they have no number of their own."""
    numbered: list[Json] = [{"sequence_number": number, **event} for number, event in enumerate(stream)]
    return [SseEvent(event["type"].encode(), dumps(event)) for event in numbered]


def rules(verdict: Verdict) -> set[str]:
    return {violation.rule for violation in verdict.violations}


def find(stream: Stream, name: str, nth: int = 0) -> Json:
    return [event for event in stream if event["type"] == f"response.{name}"][nth]


def put(name: str, path: str, value: Any, nth: int = 0) -> Callable[[Stream], None]:
    """Sets one field of an event; `path` as "item.status" or "response.output.0.id"."""

    def mutate(stream: Stream) -> None:
        *way, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
        target: Any = find(stream, name, nth)
        for key in way:
            target = target[key]
        target[last] = value

    return mutate


def drop(name: str, nth: int = 0) -> Callable[[Stream], None]:
    return lambda stream: stream.remove(find(stream, name, nth))


def add(name: str, event: Json, nth: int = 0) -> Callable[[Stream], None]:
    """Puts an event right after the named one."""
    return lambda stream: stream.insert(stream.index(find(stream, name, nth)) + 1, event)


def repeat(name: str) -> Callable[[Stream], None]:
    return lambda stream: stream.insert(stream.index(find(stream, name)) + 1, find(stream, name))


def swap(name: str, nth: int = 0) -> Callable[[Stream], None]:
    """Exchanges the named event with the next one."""

    def mutate(stream: Stream) -> None:
        at = stream.index(find(stream, name, nth))
        stream[at], stream[at + 1] = stream[at + 1], stream[at]

    return mutate


def end(name: str, status: str, **fields: Any) -> Callable[[Stream], None]:
    """Exchanges the terminal event for another."""

    def mutate(stream: Stream) -> None:
        stream[-1] = lifecycle(name, status, stream[-1]["response"]["output"], **fields)

    return mutate


def nested_error(stream: Stream) -> None:
    stream.insert(-1, {"type": "error", "error": {"message": "m", "code": "c"}})


def drop_arguments(stream: Stream) -> None:
    stream[:] = [event for event in stream if "function_call_arguments" not in event["type"]]


def failed_with_an_error_event(stream: Stream) -> None:
    end("failed", "failed", error=FAILURE)(stream)
    nested_error(stream)


ANNOTATION = "output_text.annotation.added"
NOTES = "content.0.annotations"
FAILURE = {"code": "server_error", "message": "m"}

BROKEN: list[tuple[str, Callable[[Stream], None], set[str]]] = [
    ("top-level error", put("queued", "error", {"message": "m"}), {"frame-error"}),
    ("event of another dialect", add("in_progress", ev("place_call.searching")), {"unknown-event"}),
    ("annotation: null", put(ANNOTATION, "annotation", None), {"field-missing", "annotation-index", "annotation-list"}),
    ("item: null", add("in_progress", ev("output_item.added", output_index=0, item=None)), {"field-missing"}),
    ("no url", put(ANNOTATION, "annotation", {**URL, "url": None}), {"field-missing", "annotation-list"}),
    ("text without logprobs", put("output_text.delta", "logprobs", None), {"field-missing"}),
    ("response without tools", put("created", "response.tools", None), {"field-missing"}),
    ("usage without totals", put("completed", "response.usage", {**USAGE, "total_tokens": None}), {"field-missing"}),
    ("search without action", put("output_item.done", "item.action", None, 3), {"field-missing", "snapshot-equal"}),
    ("number that is true", put("web_search_call.searching", "output_index", True), {"field-type"}),
    ("number missing", put("queued", "sequence_number", None), {"sequence-order"}),
    ("number twice", put("queued", "sequence_number", 0), {"sequence-order"}),
    ("queued first", drop("created"), {"lifecycle-order"}),
    ("created twice", repeat("created"), {"lifecycle-order"}),
    ("queued after in_progress", swap("queued"), {"lifecycle-order"}),
    ("in_progress after an item", swap("in_progress"), {"lifecycle-order"}),
    ("response id changes", put("in_progress", "response.id", "resp_2"), {"response-id"}),
    ("response id empty", put("created", "response.id", ""), {"response-id"}),
    ("created as completed", put("created", "response.status", "completed"), {"response-status"}),
    ("completed with error", put("completed", "response.error", FAILURE), {"response-status"}),
    ("failed without error", end("failed", "failed"), {"response-status"}),
    ("incomplete without reason", end("incomplete", "incomplete"), {"response-status"}),
    ("output in created", put("created", "response.output", [{}]), {"output-early"}),
    ("usage in in_progress", put("in_progress", "response.usage", USAGE), {"usage-early"}),
    ("item never announced", drop("output_item.added", 4), {"item-open", "item-index", "snapshot-equal"}),
    ("item announced twice", repeat("output_item.added"), {"item-index"}),
    ("item id empty", put("output_item.added", "item.id", "", 5), {"item-id", "item-identity"}),
    ("item id of another", put("output_item.added", "item.id", "fc_1", 5), {"item-id", "item-identity"}),
    ("item id changes in a delta", put("refusal.delta", "item_id", "msg_2"), {"item-identity"}),
    ("item id changes at the end", put("completed", "response.output.3.id", "fc_2"), {"item-identity"}),
    ("call id changes", put("output_item.done", "item.call_id", "d", 2), {"item-identity"}),
    ("own item without content", put("output_item.added", "item.content", None, 5), {"item-shape"}),
    ("event after its item", swap("web_search_call.completed"), {"item-open"}),
    ("item closed twice", repeat("output_item.done"), {"item-open"}),
    (
        "search phase of a function",
        put("function_call_arguments.delta", "output_index", 2),
        {"item-identity", "item-kind", "text-equal"},
    ),
    ("status unknown", put("output_item.added", "item.status", "thinking", 1), {"item-status"}),
    ("closed in progress", put("output_item.done", "item.status", "in_progress", 1), {"item-status"}),
    ("incomplete in completed", put("completed", "response.output.1.status", "incomplete"), {"item-status"}),
    ("phase goes back", swap("web_search_call.in_progress"), {"phase-order"}),
    ("part index jumps", put("content_part.added", "content_index", 2, 2), {"part-index"}),
    (
        "delta before its part",
        swap("content_part.added", 1),
        {"part-open", "text-equal", "annotation-early", "annotation-span"},
    ),
    ("summary before its part", drop("reasoning_summary_part.added"), {"part-open", "snapshot-equal"}),
    ("thought in a message", put("content_part.added", "part.type", "reasoning_text", 1), {"part-kind"}),
    ("refusal becomes text", put("content_part.done", "part.type", "output_text", 2), {"part-kind", "snapshot-equal"}),
    ("part with text from the start", put("content_part.added", "part.text", "x"), {"text-start"}),
    ("message with content from the start", put("output_item.added", "item.content", [TEXT], 1), {"text-start"}),
    ("arguments from the start", put("output_item.added", "item.arguments", "{}", 3), {"text-start"}),
    ("command from the start", put("shell_call_command.added", "command", "l"), {"text-start"}),
    ("text done twice", repeat("refusal.done"), {"text-closed"}),
    ("arguments done before a delta", swap("function_call_arguments.delta", 1), {"text-closed", "text-equal"}),
    ("done says another text", put("output_text.done", "text", "你好"), {"text-equal"}),
    ("part says another text", put("content_part.done", "part.text", "T"), {"text-equal"}),
    ("item says another text", put("output_item.done", "item.summary.0.text", "T"), {"text-equal"}),
    ("response says another text", put("completed", "response.output.1.content.0.text", "T"), {"text-equal"}),
    ("response says other arguments", put("completed", "response.output.3.arguments", "{}"), {"text-equal"}),
    ("item says another command", put("output_item.done", "item.action.commands", ["rm"], 4), {"text-equal"}),
    ("delta lost", drop("output_text.delta", 1), {"text-equal", "annotation-early", "annotation-span"}),
    ("arguments only in the item", drop_arguments, {"text-equal"}),
    ("annotation index from 1", put(ANNOTATION, "annotation_index", 1), {"annotation-index"}),
    ("annotation before its text", swap("output_text.delta"), {"annotation-early"}),
    ("annotation after its text", swap(ANNOTATION, 1), {"annotation-late"}),
    ("annotation reversed", put(ANNOTATION, "annotation.start_index", 3), {"annotation-span", "annotation-list"}),
    ("annotation negative", put(ANNOTATION, "annotation.start_index", -1), {"annotation-span", "annotation-list"}),
    ("annotation event lost", drop(ANNOTATION, 1), {"annotation-list"}),
    ("annotations gone from the part", put("content_part.done", "part.annotations", [], 1), {"annotation-list"}),
    ("item without annotations", put("output_item.done", f"item.{NOTES}", [], 1), {"annotation-list"}),
    ("end without annotations", put("completed", f"response.output.1.{NOTES}", []), {"annotation-list"}),
    ("end without an item", lambda s: s[-1]["response"]["output"].pop(), {"snapshot-equal"}),
    ("another action", put("completed", "response.output.2.action", {"type": "x"}), {"snapshot-equal"}),
    ("text not done", drop("output_text.done"), {"unclosed"}),
    ("part not done", drop("content_part.done", 1), {"unclosed"}),
    ("item not done", drop("output_item.done", 2), {"unclosed"}),
    ("arguments not done", drop("function_call_arguments.done"), {"unclosed"}),
    ("error, then completed", nested_error, {"error-end"}),
    ("cut", drop("completed"), {"terminal-missing"}),
    ("two ends", repeat("completed"), {"after-terminal"}),
    ("an event after the end", add("completed", ev("audio.done")), {"after-terminal"}),
]


def test_a_good_stream_breaks_no_rule() -> None:
    assert check(frames(good())) == Verdict(events=45, items=6, violations=())


@pytest.mark.parametrize(("mutate", "expected"), [pytest.param(m, e, id=name) for name, m, e in BROKEN])
def test_a_broken_stream_names_the_rule(mutate: Callable[[Stream], None], expected: set[str]) -> None:
    stream = good()
    mutate(stream)
    assert rules(check(frames(stream))) == expected


def test_a_violation_names_its_event() -> None:
    stream = good()
    put("output_text.done", "text", "你好")(stream)
    first = check(frames(stream)).violations[0]
    assert (first.number, first.type, first.sequence_number) == (21, "response.output_text.done", 20)
    assert first.message == f"{RULES['text-equal']}: text was '你好 😀.' and is now '你好'"


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (SseEvent(b"response.queued", b"{"), "frame-json"),
        (SseEvent(b"response.queued", b"[]"), "frame-json"),
        (SseEvent(b"response.queued", b'{"type":"response.queued","sequence_number":1,"a":"\\ud83d"}'), "frame-json"),
        (SseEvent(b"", b"[DONE]"), "frame-json"),
        (SseEvent(b"", frames(good())[1].data), "frame-name"),
        (SseEvent(b"response.created", frames(good())[1].data), "frame-name"),
    ],
)
def test_a_broken_frame(event: SseEvent, expected: str) -> None:
    stream = frames(good())
    stream[1] = event
    assert expected in rules(check(stream))


def test_a_stream_without_numbers_is_told_once() -> None:
    stream = [SseEvent(event["type"].encode(), dumps(event)) for event in good()]
    assert [violation.rule for violation in check(stream).violations] == ["sequence-absent"]


@pytest.mark.parametrize(
    "mutate",
    [
        end("failed", "failed", error=FAILURE),
        end("incomplete", "incomplete", incomplete_details={"reason": "max_output_tokens"}),
        end("incomplete", "cancelled"),
        failed_with_an_error_event,
    ],
)
def test_each_legal_end(mutate: Callable[[Stream], None]) -> None:
    stream = good()
    mutate(stream)
    assert not check(frames(stream)).violations


@pytest.mark.parametrize(("first", "expected"), [("", set[str]()), ("a", set[str]()), ("b", {"item-identity"})])
def test_a_call_may_name_its_server_when_it_is_done(first: str, expected: set[str]) -> None:
    listed: Json = {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "a", "tools": []}
    stream = good()
    stream[-1:-1] = [
        ev("output_item.added", output_index=6, item={**listed, "server_label": first}),
        ev("output_item.done", output_index=6, item=listed),
    ]
    stream[-1]["response"]["output"].append(listed)
    assert rules(check(frames(stream))) == expected


def test_done_after_the_end_is_let_pass() -> None:
    assert check([*frames(good()), SseEvent(b"", b"[DONE]")]) == check(frames(good()))


def test_extension_keys_are_let_pass_everywhere() -> None:
    def extend(value: Any, note: int) -> Any:
        if isinstance(value, list):
            return [extend(one, note) for one in cast("list[Any]", value)]
        if isinstance(value, dict):
            fields = {key: extend(one, note) for key, one in cast("Json", value).items()}
            return {**fields, "x_dragoman": {"v": "w", "note": note}}
        return value

    stream = [extend(event, note) for note, event in enumerate(good())]
    assert not check(frames(stream)).violations


@pytest.mark.parametrize("start", range(len(good())))
def test_a_resumed_stream_may_begin_anywhere_between_items(start: int) -> None:
    stream = frames(good())[start:]
    found = rules(check(stream, resumed=True))
    assert not found
    assert start == 0 or "lifecycle-order" in rules(check(stream))


@given(st.data())
def test_any_json_gets_a_verdict(data: st.DataObject) -> None:
    scalars = st.none() | st.booleans() | st.integers(-2, 5) | st.sampled_from(["", "message", "in_progress", "msg_1"])
    values = st.recursive(
        scalars, lambda v: st.lists(v, max_size=2) | st.dictionaries(st.sampled_from(KEYS), v, max_size=6)
    )
    stream = good()
    for _ in range(data.draw(st.integers(1, 4))):
        event = data.draw(st.sampled_from(stream))
        event[data.draw(st.sampled_from(KEYS))] = data.draw(values)
    events = [SseEvent(str(event["type"]).encode(), dumps(event)) for event in stream]
    assert check(events).events == len(stream)


KEYS = sorted({key for row in EVENTS.values() for key in row.needs} | {"type", "id", "status", "content", "output"})


def test_every_rule_is_broken_somewhere_here() -> None:
    broken = {rule for _, _, expected in BROKEN for rule in expected}
    assert set(RULES) - broken == {"frame-json", "frame-name", "sequence-absent", "annotation-border"}


FINE: set[str] = set()
INSIDE = {"annotation-border"}
OUTSIDE = {"annotation-early", "annotation-span"}


@pytest.mark.parametrize(
    ("offsets", "end", "index", "expected"),
    [
        (None, 2, 5, FINE),
        ("codepoint", 2, 5, FINE),
        ("utf16", 2, 6, FINE),
        ("utf8", 6, 12, FINE),
        ("utf16", 2, 4, INSIDE),
        ("utf8", 5, 12, INSIDE),
        (None, 2, 6, OUTSIDE),
        ("utf16", 2, 7, OUTSIDE),
        ("utf8", 6, 13, OUTSIDE),
    ],
)
def test_places_are_counted_as_the_client_reads_them(
    monkeypatch: pytest.MonkeyPatch, offsets: Offsets | None, end: int, index: int, expected: set[str]
) -> None:
    monkeypatch.setitem(URL, "end_index", end)
    monkeypatch.setitem(FILE, "index", index)
    assert rules(check(frames(good()), offsets=offsets)) == expected
