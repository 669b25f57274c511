"""A stream with every event that Ark has (synthetic, written by hand), and what a client is shown at each."""

from __future__ import annotations

from typing import Any

import adapters
from adapters.hub.adapter import Encoding, Fidelity
from adapters.hub.losses import Ledger
from adapters.sse import SseEvent, SseParser
from adapters.wire_json import Json, dumps, loads
from tests.unit.responses.stage import CountingMint, created, ended, on

CHUNK: Json = {"start_time": 0, "end_time": 9, "text": "a"}
CITE: Json = {"type": "url_citation", "title": "t", "url": "u"}
PART: Json = {"type": "output_text", "text": "Hi", "annotations": [CITE]}
SUMMARY: Json = {"type": "summary_text", "text": "s"}
SPOKEN: Json = {"type": "transcription_text", "text": "a", "chunks": [CHUNK]}
ACTION: Json = {"action": {"type": "zoom"}, "arguments": {"scale": 2}}
SEARCH: Json = {"type": "search", "id": "b2", "queries": ["q"], "results": [], "status": "completed"}
BLOCKS: list[Json] = [
    {"type": "reasoning_text", "id": "b1", "reasoning_text": "x", "status": "completed"},
    SEARCH,
    {**SEARCH, "type": "reasoning_search", "id": "b3"},
    {"type": "output_text", "id": "b4", "text": "y", "status": "completed"},
]

ITEMS: list[Json] = [
    {"type": "reasoning", "id": "i0", "summary": [SUMMARY], "content": [{"type": "reasoning_text", "text": "r"}]},
    {"type": "web_search_call", "id": "i1", "action": {"type": "search", "query": "q"}},
    {"type": "knowledge_search_call", "id": "i2", "queries": ["q"], "knowledge_resource_id": "k"},
    {"type": "knowledge_search_call", "id": "i3", "queries": ["q"], "knowledge_resource_id": "k", "status": "failed"},
    {"type": "image_process", "id": "i4", **ACTION},
    {"type": "mcp_list_tools", "id": "i5", "server_label": "s", "tools": []},
    {"type": "mcp_list_tools", "id": "i6", "server_label": "s", "tools": [], "error": "no"},
    {"type": "mcp_approval_request", "id": "i7", "server_label": "s", "name": "f", "arguments": "{}"},
    {"type": "mcp_call", "id": "i8", "server_label": "s", "name": "f", "arguments": "{}", "output": "o"},
    {"type": "mcp_call", "id": "i9", "server_label": "s", "name": "f", "arguments": "{}", "error": "no"},
    {"type": "agent_tool_call", "id": "i10", "name": "browse"},
    {"type": "doubao_app_call", "id": "i11", "feature": "chat", "blocks": BLOCKS},
    {"type": "doubao_app_call", "id": "i12", "feature": "chat", "blocks": [], "status": "failed"},
    {"type": "transcription", "id": "i13", "transcription": [SPOKEN]},
    {"type": "message", "id": "i14", "role": "assistant", "content": [PART]},
    {"type": "function_call", "id": "i15", "call_id": "c", "name": "f", "arguments": "{}"},
]
TOLD_LATER = ("content", "summary", "arguments", "transcription", "blocks", "queries", "action", "output", "error")


def _of(index: int, *events: tuple[str, Json]) -> list[Json]:
    return [on(name, index, item_id=f"i{index}", **fields) for name, fields in events]


def _phases(index: int, word: str, *names: str, **fields: Any) -> list[Json]:
    return _of(index, *((f"{word}.{name}", fields) for name in names))


_AT: Json = {"content_index": 0}
_SUMMARY: Json = {"summary_index": 0}
_HEARD: Json = {"transcription_index": 0}
_APP = "doubao_app_call_"


def _thoughts() -> list[Json]:
    return _of(
        0,
        ("reasoning_summary_part.added", {**_SUMMARY, "part": {"type": "summary_text"}}),
        ("reasoning_summary_text.delta", {**_SUMMARY, "delta": "s"}),
        ("reasoning_summary_text.done", {**_SUMMARY, "text": "s"}),
        ("reasoning_summary_part.done", {**_SUMMARY, "part": SUMMARY}),
        ("reasoning_raw_text.delta", {**_AT, "delta": "raw"}),
        ("reasoning_raw_text.done", {**_AT, "text": "raw"}),
        ("reasoning_text.delta", {**_AT, "delta": "r"}),
        ("reasoning_text.done", {**_AT, "text": "r"}),
    )


def _app() -> list[Json]:
    return _of(
        11,
        ("doubao_app_call.in_progress", {"feature": "chat"}),
        (f"{_APP}block.added", {"block": {"type": "reasoning_text", "id": "b1"}}),
        (f"{_APP}reasoning_text.delta", {"block_index": 0, "delta": "x"}),
        (f"{_APP}reasoning_text.done", {"block_index": 0, "text": "x"}),
        (f"{_APP}block.done", {"block": BLOCKS[0]}),
        (f"{_APP}block.added", {"block": {"type": "search", "id": "b2"}}),
        *((f"{_APP}search.{phase}", {"block_index": 1}) for phase in ("in_progress", "searching", "completed")),
        (f"{_APP}block.done", {"block": BLOCKS[1]}),
        (f"{_APP}block.added", {"block": {"type": "reasoning_search", "id": "b3"}}),
        *((f"{_APP}reasoning_search.{p}", {"block_index": 2}) for p in ("in_progress", "searching", "completed")),
        (f"{_APP}block.done", {"block": BLOCKS[2]}),
        (f"{_APP}block.added", {"block": {"type": "output_text", "id": "b4"}}),
        (f"{_APP}output_text.delta", {"block_index": 3, "delta": "y"}),
        (f"{_APP}output_text.done", {"block_index": 3, "text": "y"}),
        ("doubao_app_call.completed", {"feature": "chat", "blocks": BLOCKS}),
    ) + _of(
        12,
        (f"{_APP}block.added", {"block": {"type": "output_text", "id": "b5"}}),
        (f"{_APP}output_text.delta", {"block_index": 0, "delta": "z"}),
        ("doubao_app_call.failed", {"error_message": "no"}),
    )


def _speech() -> list[Json]:
    return _of(
        13,
        ("transcription_part.added", {**_HEARD, "part": {"type": "transcription_text"}}),
        ("transcription_text.delta", {**_HEARD, "delta": "a", "start_time": 0, "end_time": 9}),
        ("transcription_text.done", {**_HEARD, "text": "a", "chunks": [CHUNK]}),
        ("transcription_part.done", {**_HEARD, "part": SPOKEN}),
    )


def _texts() -> list[Json]:
    return _of(
        14,
        ("content_part.added", {**_AT, "part": {"type": "output_text"}}),
        ("output_text.delta", {**_AT, "delta": "Hi"}),
        ("output_text.annotation.added", {**_AT, "annotation_index": 0, "annotation": CITE}),
        ("output_text.done", {**_AT, "text": "Hi"}),
        ("content_part.done", {**_AT, "part": PART}),
    ) + _of(
        15,
        ("function_call_arguments.delta", {"delta": "{}"}),
        ("function_call_arguments.done", {"arguments": "{}"}),
    )


def _hosted() -> list[Json]:
    return [
        *_phases(1, "web_search_call", "in_progress", "searching", "completed"),
        *_phases(2, "knowledge_search_call", "in_progress", "searching", "completed"),
        *_phases(3, "knowledge_search_call", "failed"),
        *_phases(4, "image_process_call", "in_progress"),
        *_phases(4, "image_process_call", "progressing", "completed", **ACTION),
        *_phases(5, "mcp_list_tools", "in_progress", "completed"),
        *_phases(6, "mcp_list_tools", "failed"),
        on("mcp_approval_request", 7, function_mcp_approval_request=ITEMS[7]),
        *_phases(8, "mcp_call", "in_progress"),
        *_of(8, ("mcp_call_arguments.delta", {"delta": "{}"}), ("mcp_call_arguments.done", {"arguments": "{}"})),
        *_phases(8, "mcp_call", "completed"),
        *_phases(9, "mcp_call", "failed"),
        *_phases(10, "agent_tool_call", "in_progress", "completed", name="browse"),
    ]


def stream() -> list[Json]:
    """All of it, to the end of the last item."""
    events = [created(), {"type": "response.in_progress", "response": {"id": "resp_1", "status": "in_progress"}}]
    said = [*_thoughts(), *_hosted(), *_app(), *_speech(), *_texts()]
    for index in range(len(ITEMS)):
        item = {"status": "completed", **ITEMS[index]}
        begun = {key: value for key, value in item.items() if key not in TOLD_LATER} | {"status": "in_progress"}
        if item["type"] != "mcp_approval_request":
            events.append(on("output_item.added", index, item=begun))
        inside = [event for event in said if event["output_index"] == index]
        events += [*inside, on("output_item.done", index, item=item)]
    return events


ENDS: list[Json] = [
    ended(ITEMS),
    ended(type_="incomplete", incomplete_details={"reason": "length"}),
    ended(type_="failed", error={"code": "InternalServiceError", "message": "m"}),
]
ERROR: Json = {"type": "error", "code": "InternalServiceError", "message": "m", "param": None}


def play(events: list[Json], fidelity: Fidelity = "rich") -> tuple[dict[str, set[str]], list[str], list[Json]]:
    """The types of what a client is shown at each type of event, what is reported, and all that is shown."""
    surface = adapters.load("openai").surface
    assert surface is not None
    losses, decoder = Ledger(), adapters.load("ark").codec.decoder()
    asked = surface.decode_request({"model": "m", "input": "x", "stream": True})
    encoder, parser = surface.encoder(Encoding(asked, CountingMint(), fidelity, losses)), SseParser()
    at: dict[str, set[str]] = {}
    shown: list[SseEvent] = []
    for event in events:
        sent = b"".join(f for e in decoder.feed(SseEvent(b"", dumps(event))) for f in encoder.feed(e))
        told = parser.feed(sent)
        at.setdefault(event["type"], set()).update(loads(e.data)["type"] for e in told)
        shown += told
    shown += parser.feed(b"".join(frame for e in decoder.close() for frame in encoder.feed(e)))
    if fidelity != "native":
        assert surface.check is not None
        assert surface.check(shown).violations == ()
    return at, [loss.path for loss in losses.losses], [loads(e.data) for e in shown]
