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


def _inside() -> dict[int, list[Json]]:
    """The events of each item between its announcement and its end."""

    def of(index: int, *events: tuple[str, Json]) -> list[Json]:
        return [on(name, index, item_id=f"i{index}", **fields) for name, fields in events]

    def phases(index: int, word: str, *names: str, **fields: Any) -> list[Json]:
        return of(index, *((f"{word}.{name}", fields) for name in names))

    at, heard = {"content_index": 0}, {"transcription_index": 0}
    summary, block = {"summary_index": 0}, "doubao_app_call_"
    return {
        0: of(
            0,
            ("reasoning_summary_part.added", {**summary, "part": {"type": "summary_text"}}),
            ("reasoning_summary_text.delta", {**summary, "delta": "s"}),
            ("reasoning_summary_text.done", {**summary, "text": "s"}),
            ("reasoning_summary_part.done", {**summary, "part": SUMMARY}),
            ("reasoning_raw_text.delta", {**at, "delta": "raw"}),
            ("reasoning_raw_text.done", {**at, "text": "raw"}),
            ("reasoning_text.delta", {**at, "delta": "r"}),
            ("reasoning_text.done", {**at, "text": "r"}),
        ),
        1: phases(1, "web_search_call", "in_progress", "searching", "completed"),
        2: phases(2, "knowledge_search_call", "in_progress", "searching", "completed"),
        3: phases(3, "knowledge_search_call", "failed"),
        4: phases(4, "image_process_call", "in_progress")
        + phases(4, "image_process_call", "progressing", "completed", **ACTION),
        5: phases(5, "mcp_list_tools", "in_progress", "completed"),
        6: phases(6, "mcp_list_tools", "failed"),
        7: [on("mcp_approval_request", 7, function_mcp_approval_request=ITEMS[7])],
        8: [
            *phases(8, "mcp_call", "in_progress"),
            *of(8, ("mcp_call_arguments.delta", {"delta": "{}"}), ("mcp_call_arguments.done", {"arguments": "{}"})),
            *phases(8, "mcp_call", "completed"),
        ],
        9: phases(9, "mcp_call", "failed"),
        10: phases(10, "agent_tool_call", "in_progress", "completed", name="browse"),
        11: of(
            11,
            ("doubao_app_call.in_progress", {"feature": "chat"}),
            (f"{block}block.added", {"block": {"type": "reasoning_text", "id": "b1"}}),
            (f"{block}reasoning_text.delta", {"block_index": 0, "delta": "x"}),
            (f"{block}reasoning_text.done", {"block_index": 0, "text": "x"}),
            (f"{block}block.done", {"block": BLOCKS[0]}),
            (f"{block}block.added", {"block": {"type": "search", "id": "b2"}}),
            *((f"{block}search.{phase}", {"block_index": 1}) for phase in ("in_progress", "searching", "completed")),
            (f"{block}block.done", {"block": BLOCKS[1]}),
            (f"{block}block.added", {"block": {"type": "reasoning_search", "id": "b3"}}),
            *((f"{block}reasoning_search.{p}", {"block_index": 2}) for p in ("in_progress", "searching", "completed")),
            (f"{block}block.done", {"block": BLOCKS[2]}),
            (f"{block}block.added", {"block": {"type": "output_text", "id": "b4"}}),
            (f"{block}output_text.delta", {"block_index": 3, "delta": "y"}),
            (f"{block}output_text.done", {"block_index": 3, "text": "y"}),
            ("doubao_app_call.completed", {"feature": "chat", "blocks": BLOCKS}),
        ),
        12: of(
            12,
            (f"{block}block.added", {"block": {"type": "output_text", "id": "b5"}}),
            (f"{block}output_text.delta", {"block_index": 0, "delta": "z"}),
            ("doubao_app_call.failed", {"error_message": "no"}),
        ),
        13: of(
            13,
            ("transcription_part.added", {**heard, "part": {"type": "transcription_text"}}),
            ("transcription_text.delta", {**heard, "delta": "a", "start_time": 0, "end_time": 9}),
            ("transcription_text.done", {**heard, "text": "a", "chunks": [CHUNK]}),
            ("transcription_part.done", {**heard, "part": SPOKEN}),
        ),
        14: of(
            14,
            ("content_part.added", {**at, "part": {"type": "output_text"}}),
            ("output_text.delta", {**at, "delta": "Hi"}),
            ("output_text.annotation.added", {**at, "annotation_index": 0, "annotation": CITE}),
            ("output_text.done", {**at, "text": "Hi"}),
            ("content_part.done", {**at, "part": PART}),
        ),
        15: of(
            15,
            ("function_call_arguments.delta", {"delta": "{}"}),
            ("function_call_arguments.done", {"arguments": "{}"}),
        ),
    }


def stream() -> list[Json]:
    """All of it, to the end of the last item."""
    events = [created(), {"type": "response.in_progress", "response": {"id": "resp_1", "status": "in_progress"}}]
    for index, inside in _inside().items():
        item = {"status": "completed", **ITEMS[index]}
        begun = {key: value for key, value in item.items() if key not in TOLD_LATER} | {"status": "in_progress"}
        if item["type"] != "mcp_approval_request":
            events.append(on("output_item.added", index, item=begun))
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
