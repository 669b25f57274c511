"""What Ark alone has words for, as a Responses client is told it: the app, transcriptions, approvals, raw thoughts."""

from __future__ import annotations

import random
from typing import Any

import pytest

import adapters
from adapters.ark.retelling import EVENTS
from adapters.hub import events as ev
from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Span, WordInfo
from adapters.hub.grammar import check_walk
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import body, created, ended, final, frames, lines, names, on, walk

CARD: Json = {"text_card": {"title": "A", "url": "https://a.test/", "sitename": "a.test", "summary": "long"}}
BLOCKS: list[Json] = [
    {"type": "reasoning_text", "id": "b1", "reasoning_text": "Hm", "status": "completed", "parent_id": "p"},
    {"type": "search", "id": "b2", "queries": ["q"], "results": [CARD], "summary": "s", "status": "completed"},
    {"type": "output_text", "id": "b3", "text": "你好", "status": "completed"},
]
APP: Json = {"type": "doubao_app_call", "id": "da_1", "feature": "ai_search", "status": "completed", "blocks": BLOCKS}
BEGUN: Json = {"type": "doubao_app_call", "id": "da_1", "status": "in_progress", "blocks": []}


def app(event: str, **fields: Any) -> Json:
    return on(f"doubao_app_call{event}", 0, item_id="da_1", **fields)


SPOKEN: list[Json] = [
    created(),
    on("output_item.added", 0, item=BEGUN),
    app(".in_progress", feature="ai_search"),
    app("_block.added", block={"type": "reasoning_text", "id": "b1", "status": "in_progress"}),
    app("_reasoning_text.delta", block_index=0, delta="H"),
    app("_reasoning_text.delta", block_index=0, delta="m"),
    app("_reasoning_text.done", block_index=0, text="Hm"),
    app("_block.done", block=BLOCKS[0]),
    app("_block.added", block={"type": "search", "id": "b2", "status": "in_progress"}),
    # the type of this event belongs to the SDK's class ReasoningSearch, and the other way round
    app("_search.in_progress", block_index=1),
    app("_search.searching", block_index=1, searching_state="reading"),
    app("_search.completed", block_index=1, queries=["q"], results=[CARD], summary="s"),
    app("_block.done", block=BLOCKS[1]),
    app("_block.added", block={"type": "output_text", "id": "b3", "status": "in_progress"}),
    app("_output_text.delta", block_index=2, delta="你"),
    app("_output_text.delta", block_index=2, delta="好"),
    app("_output_text.done", block_index=2, text="你好"),
    app("_block.done", block=BLOCKS[2]),
    app(".completed", feature="ai_search", blocks=BLOCKS),
    on("output_item.done", 0, item=APP),
]


def test_the_blocks_of_the_app_are_items() -> None:
    """b.6: one item of Ark's, three of the client's"""
    after = on("output_item.added", 1, item={"type": "message", "id": "msg_1", "role": "assistant", "content": []})
    later = on("output_text.delta", 1, item_id="msg_1", content_index=0, delta="!")
    whole: Json = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "!"}],
    }
    assert lines(walk("ark", *SPOKEN, after, later, ended([APP, whole]))) == [
        "started resp_1",
        "0 reasoning b1",
        "0.0 thought",
        "0.0 + H",
        "0.0 + m",
        "0.0 ends",
        "0 ends completed",
        "1 web_search_call b2",
        "1 is in_progress",
        "1 is searching",
        "1 is completed",
        "1 ends completed",
        "2 message b3",
        "2.0 text",
        "2.0 + 你",
        "2.0 + 好",
        "2.0 ends",
        "2 ends completed",
        "3 message msg_1",
        "3.0 text",
        "3.0 + !",
        "3.0 ends",
        "3 ends None",
        "ended completed stop",
    ]


def origin(number: int, **block: Any) -> Json:
    said: Json = {"type": "doubao_app_call", "id": "da_1", "feature": "ai_search", "at": number, "block": block}
    return {"v": "ark", "rest": {"origin": said}}


@pytest.mark.parametrize("streamed", [True, False])
def test_what_the_client_is_told_of_the_app(streamed: bool) -> None:
    """What has no word stands beside the items; the results of a search are its sources too."""
    events = [*SPOKEN, ended([APP])] if streamed else [created(), ended([APP])]
    thought, search, message = final(frames(walk("ark", *events)))["output"]
    assert thought["content"] == [{"type": "reasoning_text", "text": "Hm"}]
    assert thought["x_dragoman"] == origin(0, type="reasoning_text", id="b1", parent_id="p")
    assert search["action"] == {
        "type": "search",
        "query": "q",
        "queries": ["q"],
        "sources": [{"type": "url", "url": "https://a.test/"}],
    }
    assert search["x_dragoman"] == origin(1, type="search", id="b2", summary="s", results=[CARD])
    assert message["content"][0]["text"] == "你好"
    assert message["x_dragoman"] == origin(2, type="output_text", id="b3")
    assert [item["id"] for item in (thought, search, message)] == ["rs_gw1ark_b1", "ws_gw1ark_b2", "msg_gw1ark_b3"]
    losses = Ledger()
    strict = frames(walk("ark", *events), "strict", losses)
    assert [item["type"] for item in final(strict)["output"]] == ["reasoning", "web_search_call", "message"]
    assert {f"output[{n}]" for n in range(3)} <= {loss.path for loss in losses.losses}


@pytest.mark.parametrize("kept", [SPOKEN[:n] for n in range(1, len(SPOKEN) + 1)])
def test_whatever_is_missing_the_whole_item_tells_it(kept: list[Json]) -> None:
    items = final(frames(walk("ark", *kept, on("output_item.done", 0, item=APP), ended([APP]))))["output"]
    assert [item["type"] for item in items] == ["reasoning", "web_search_call", "message"]
    assert [items[0]["content"][0]["text"], items[2]["content"][0]["text"]] == ["Hm", "你好"]
    assert {item["status"] for item in items} == {"completed"}


@pytest.mark.parametrize("seed", range(20))
def test_a_stream_that_lost_events_keeps_the_grammar(seed: int) -> None:
    chosen = random.Random(seed)
    events = [event for event in SPOKEN if chosen.random() < 0.7]
    check_walk(walk("ark", *events))
    frames(walk("ark", *events, ended([APP])))


def test_an_app_that_fails() -> None:
    whole: Json = {**APP, "status": "failed", "blocks": []}
    events = [*SPOKEN[:5], app(".failed", error_message="no"), ended([whole], "incomplete")]
    losses = Ledger()
    response = final(frames(walk("ark", *events), "rich", losses))
    (thought,) = response["output"]
    assert (thought["status"], thought["content"][0]["text"]) == ("incomplete", "H")
    assert thought["x_dragoman"]["rest"]["origin"]["error_message"] == "no"
    assert [item["raw"]["type"] for item in response["x_dragoman"]["items"]] == ["doubao_app_call"]


def test_an_app_that_fails_without_a_word() -> None:
    losses = Ledger()
    events = [created(), on("output_item.added", 0, item=BEGUN), app(".failed", error_message="no"), ended()]
    assert final(frames(walk("ark", *events), "rich", losses))["output"] == []
    assert "ark.response.doubao_app_call.failed" in [loss.path for loss in losses.losses]


def test_blocks_of_no_known_type_are_left_out_and_kept() -> None:
    odd: Json = {"type": "card", "id": "b9", "text": "t"}
    losses = Ledger()
    response = final(frames(walk("ark", created(), ended([{**APP, "blocks": [odd, BLOCKS[2]]}])), "rich", losses))
    assert [item["type"] for item in response["output"]] == ["message"]
    assert response["x_dragoman"]["items"][0]["raw"]["block"] == odd
    assert [loss.path for loss in losses.losses] == ["ark.output[0]"]


def test_blocks_without_ids_end_in_the_order_they_began() -> None:
    block: Json = {"type": "output_text", "status": "completed"}
    events = [
        app("_block.added", block=block),
        app("_block.added", block=block),
        app("_block.done", block={**block, "text": "a"}),
        app("_block.done", block={**block, "text": "b"}),
        app("_block.done", block={**block, "text": "c"}),
    ]
    items = final(frames(walk("ark", created(), *events, ended())))["output"]
    assert [item["content"][0]["text"] for item in items] == ["a", "b", "c"]


# -- transcriptions ------------------------------------------------------------------------------

CHUNKS: list[Json] = [
    {"start_time": 0, "end_time": 800, "text": "你好"},
    {"start_time": 800, "end_time": 1500, "text": "世界"},
]
HEARD: Json = {
    "type": "transcription",
    "id": "tr_1",
    "status": "completed",
    "transcription": [{"type": "transcription_text", "text": "你好，世界", "chunks": CHUNKS}],
}


def heard(event: str, **fields: Any) -> Json:
    return on(f"transcription_{event}", 0, item_id="tr_1", transcription_index=0, **fields)


PIECES: dict[str, list[Json]] = {
    "the item alone": [],
    "with times on its pieces": [
        heard("part.added", part={"type": "transcription_text"}),
        heard("text.delta", delta="你好", start_time=0, end_time=800),
        heard("text.delta", delta="，"),
        heard("text.delta", delta="世界", start_time=800, end_time=1500),
        heard("text.done", text="你好，世界", chunks=CHUNKS),
        heard("part.done", part=HEARD["transcription"][0]),
    ],
    "with times at its end": [
        heard("text.delta", delta="你好，世界"),
        heard("text.done", text="你好，世界", chunks=CHUNKS),
        heard("part.done", part=HEARD["transcription"][0]),
    ],
    "with times on its part": [
        heard("part.added", part={"type": "transcription_text"}),
        heard("text.delta", delta="你好，世界"),
        heard("part.done", part=HEARD["transcription"][0]),
    ],
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES.keys())
def test_a_transcription_is_a_message_with_its_times(pieces: list[Json]) -> None:
    """a.4, b.6: "start_time", "end_time" are milliseconds; the place is found chunk by chunk."""
    begun = on("output_item.added", 0, item={"type": "transcription", "id": "tr_1", "status": "in_progress"})
    walked = walk("ark", created(), begun, *pieces, on("output_item.done", 0, item=HEARD), ended([HEARD]))
    assert [event.annotation for event in walked if isinstance(event, ev.Annotated)] == [
        WordInfo("你好", 0, 800, None, Span(0, 2), Kept("ark", CHUNKS[0])),
        WordInfo("世界", 800, 1500, None, Span(3, 5), Kept("ark", CHUNKS[1])),
    ]
    (message,) = final(frames(walked))["output"]
    (part,) = message["content"]
    assert (message["type"], message["id"], message["status"]) == ("message", "msg_gw1ark_tr_1", "completed")
    assert (part["text"], part["annotations"]) == ("你好，世界", [])
    kept = [{"at": 0, "raw": CHUNKS[0]}, {"at": 1, "raw": CHUNKS[1]}]
    assert part["x_dragoman"] == {"v": "ark", "annotations": kept}
    assert message["x_dragoman"] == {"v": "ark", "rest": {"origin": {"type": "transcription", "id": "tr_1"}}}


def test_strict_reports_the_times() -> None:
    losses = Ledger()
    (message,) = final(frames(walk("ark", created(), ended([HEARD])), "strict", losses))["output"]
    assert message["content"] == [{"type": "output_text", "text": "你好，世界", "annotations": [], "logprobs": []}]
    assert {f"output[0].content[0].annotations[{n}]" for n in range(2)} <= {loss.path for loss in losses.losses}


def test_a_chunk_that_the_text_does_not_hold_has_no_place() -> None:
    chunks = [CHUNKS[1], {**CHUNKS[0], "text": ""}, CHUNKS[0]]
    part = {**HEARD["transcription"][0], "chunks": chunks}
    walked = walk("ark", created(), ended([{**HEARD, "transcription": [part]}]))
    assert [event.annotation.span for event in walked if isinstance(event, ev.Annotated)] == [Span(3, 5), None, None]


def test_what_was_retold_goes_back_as_the_message_it_became() -> None:
    """Ark's input has no type for either, and knows the ids of neither; times are reported."""
    output = body(walk("ark", created(), ended([APP, HEARD])))["output"]
    surface = adapters.load("openai").surface
    assert surface is not None
    losses = Ledger()
    sent = adapters.load("ark").codec.encode_request(surface.decode_request({"model": "m", "input": output}), losses)
    texts = [{"type": "output_text", "text": text} for text in ("你好", "你好，世界")]
    assert sent["input"] == [{"type": "message", "role": "assistant", "content": [text]} for text in texts]
    assert {"input[0]", "input[1]"} <= {loss.path for loss in losses.losses}
    assert b"gw1" not in dumps(sent)


# -- the rest ------------------------------------------------------------------------------------

ASKED: Json = {"type": "mcp_approval_request", "id": "mcpr_1", "server_label": "s", "name": "f", "arguments": "{}"}
ASKING = on("mcp_approval_request", 0, function_mcp_approval_request={k: v for k, v in ASKED.items() if k != "type"})
ADDED, DONE = on("output_item.added", 0, item=ASKED), on("output_item.done", 0, item=ASKED)


@pytest.mark.parametrize("events", [[ASKING], [ADDED, ASKING, DONE], [ADDED, DONE, ASKING], [ASKING, ADDED, DONE]])
def test_a_request_for_approval_is_told_once(events: list[Json]) -> None:
    told = frames(walk("ark", created(), *events, ended([ASKED])))
    assert names(told) == ["created", "in_progress", "output_item.added", "output_item.done", "completed"]
    (item,) = final(told)["output"]
    assert item.items() >= {"type": "mcp_approval_request", "id": "mcpr_gw1ark_mcpr_1", "arguments": "{}"}.items()


RAW = [
    on("output_item.added", 0, item={"type": "reasoning", "id": "rs_1", "status": "in_progress"}),
    on("reasoning_raw_text.delta", 0, item_id="rs_1", content_index=0, delta="raw"),
    on("reasoning_raw_text.done", 0, item_id="rs_1", content_index=0, text="raw"),
]


@pytest.mark.parametrize(("fidelity", "told"), [("rich", False), ("strict", False), ("native", True)])
def test_raw_thoughts_are_told_natively_only(fidelity: Fidelity, told: bool) -> None:
    """They would double the plain ones."""
    losses = Ledger()
    shown = names(frames(walk("ark", created(), *RAW, ended()), fidelity, losses))
    assert [name for name in shown if "raw" in name] == (
        ["reasoning_raw_text.delta", "reasoning_raw_text.done"] if told else []
    )
    assert {f"ark.response.reasoning_raw_text.{end}" for end in ("delta", "done")} <= {
        loss.path for loss in losses.losses
    }


SEALS = [("a", "b", "c"), ("a", "", ""), ("", "b", ""), ("", "", "c"), ("a", "", "c"), (None, None, "c")]


@pytest.mark.parametrize("seals", SEALS)
def test_a_seal_may_come_with_any_telling_of_its_item(seals: tuple[Any, ...]) -> None:
    """S004: "response.output_item.added, response.output_item.done, response.completed", where it is not empty"""

    def sealed(seal: Any, status: str = "completed") -> Json:
        return {"type": "reasoning", "id": "rs_1", "status": status, "summary": [], "encrypted_content": seal}

    added, done = on("output_item.added", 0, item=sealed(seals[0], "in_progress")), sealed(seals[1])
    walked = walk("ark", created(), added, on("output_item.done", 0, item=done), ended([sealed(seals[2])]))
    (item,) = final(frames(walked))["output"]
    assert item["encrypted_content"] == f"gw1.ark.{seals[1] or seals[0] or seals[2]}"


@pytest.mark.parametrize("type_", EVENTS)
@pytest.mark.parametrize(
    "fields", [{}, {"output_index": 0}, {"output_index": 0, "block_index": -1, "block": 1, "part": []}]
)
def test_events_that_say_too_little_break_nothing(type_: str, fields: Json) -> None:
    frames(walk("ark", created(), {"type": type_, **fields}, ended()))


def test_a_block_of_any_number_costs_no_more_than_itself() -> None:
    walk("ark", created(), app("_output_text.delta", block_index=10**12, delta="x"), ended())
