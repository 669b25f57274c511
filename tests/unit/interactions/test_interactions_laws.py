"""What holds for every stream: no event raises, the walk is legal and ends once, the cut does not matter."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.hub import events as ev
from adapters.hub.fold import fold
from adapters.hub.grammar import check_walk
from adapters.interactions.decode import Decoder
from adapters.sse import SseEvent
from adapters.wire_json import dumps

Json = dict[str, Any]

TYPES = [
    "text", "text_annotation_delta", "thought_summary", "thought_signature", "arguments_delta", "function_call",
    "image", "audio", "google_search_call", "google_search_result", "code_execution_call", "code_execution_result",
    "mcp_server_tool_call", "mcp_server_tool_result", "processing_call", "dance", "tool_search_call",
    "tool_search_result", "function_result", "user_input", "video", "document",
]  # fmt: skip
STEPS = ["thought", "model_output", "function_call", *TYPES[8:]]
CHARACTERS = st.characters(exclude_categories=())  # half characters among them
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(-2, 2**70), st.text(CHARACTERS, max_size=3), st.just("c"))


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)


def _object(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    nothing: dict[str, st.SearchStrategy[Any]] = {}
    return st.fixed_dictionaries(nothing, optional=fields)


JSON: st.SearchStrategy[Any] = st.recursive(SCALAR, _containers)
OFFSET = st.integers(-1, 9) | JSON
CITATION = _object(
    type=st.sampled_from(["url_citation", "file_citation", "x"]), start_index=OFFSET, end_index=OFFSET, url=JSON
)
BLOCK = _object(
    type=st.sampled_from(["text", "image", "audio", "x"]) | JSON,
    data=st.sampled_from(["QQ==", "QUJD", "!"]) | JSON,
    mime_type=st.sampled_from(["audio/wav", "image/png"]) | JSON,
    text=st.text(max_size=4) | JSON,
    annotations=st.lists(CITATION, max_size=3) | JSON,
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": st.just("c") | JSON,
    "call_id": st.just("c") | JSON,
    "name": st.just("f") | JSON,
    "signature": st.just("s") | JSON,
    "arguments": st.sampled_from(["{", {"queries": ["q"]}, {"code": "x"}]) | JSON,
    "result": st.lists(BLOCK, max_size=2) | JSON,
    "is_error": JSON,
    "content": st.lists(BLOCK, max_size=2) | BLOCK | JSON,
    "summary": st.lists(BLOCK, max_size=2) | JSON,
    "text": st.text(max_size=4) | JSON,
    "annotations": st.lists(BLOCK, max_size=2) | JSON,
    "error": JSON,
    "data": st.sampled_from(["QQ==", "QUJD", "!"]) | JSON,
    "mime_type": st.just("audio/wav") | JSON,
}
INDEX = st.integers(0, 2) | JSON
STEP = _object(type=st.sampled_from(STEPS) | JSON, **FIELDS)
DELTA = _object(type=st.sampled_from(TYPES) | JSON, **FIELDS)
INTERACTION = _object(
    id=JSON,
    model=JSON,
    created=JSON,
    usage=JSON,
    errors=JSON,
    error=JSON,
    status=st.sampled_from(["completed", "failed", "incomplete", "cancelled", "queued"]) | JSON,
    steps=st.lists(STEP, max_size=3) | JSON,
)


def event(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return _object(**fields).map(lambda told: {"event_type": kind, **told})


EVENT = st.one_of(
    event("interaction.created", interaction=INTERACTION | JSON),
    event("interaction.status_update", status=st.just("in_progress") | JSON, usage=JSON),
    event("step.start", index=INDEX, step=STEP | JSON),
    event("step.delta", index=INDEX, delta=DELTA | JSON, metadata=JSON),
    event("step.delta", index=INDEX, delta=DELTA),
    event("step.stop", index=INDEX, usage=JSON, step_usage=JSON),
    event("interaction.completed", interaction=INTERACTION | JSON),
    event("error", error=JSON),
    JSON,
)


def _feed(events: list[Any]) -> list[ev.Event]:
    decoder = Decoder("gemini")
    walk = [found for one in events for found in decoder.feed(SseEvent(b"", one))]
    return [*walk, *decoder.close()]


@given(st.lists(EVENT.map(json.dumps), max_size=12))
def test_any_stream_gives_one_legal_walk(events: list[str]) -> None:
    walk = _feed([event.encode() for event in events])
    check_walk(walk)
    assert sum(isinstance(found, ev.Ended) for found in walk) == 1


@given(st.lists(st.binary(max_size=40), max_size=4))
def test_any_bytes_give_one_legal_walk(events: list[bytes]) -> None:
    check_walk(_feed(events))


@given(INTERACTION | JSON)
def test_any_body_gives_one_legal_walk(body: Any) -> None:
    check_walk(Decoder("gemini").answer(body))


@given(st.text(min_size=1, max_size=30), st.integers(1, 7))
def test_how_the_text_is_cut_does_not_matter(text: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    cited = {"type": "url_citation", "url": "u", "title": "u", "start_index": 0, "end_index": len(text.encode())}
    block = {"type": "text", "text": text, "annotations": [cited]}
    deltas: list[Json] = [{"type": "text", "text": piece} for piece in pieces]
    for before in (0, len(deltas) // 2, len(deltas)):
        told = [*deltas[:before], {"type": "text_annotation_delta", "annotations": [cited]}, *deltas[before:]]
        stream = [
            {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
            *({"event_type": "step.delta", "index": 0, "delta": delta} for delta in told),
            {"event_type": "step.stop", "index": 0},
            {"event_type": "interaction.completed", "interaction": {"status": "completed"}},
        ]
        body = {"status": "completed", "steps": [{"type": "model_output", "content": [block]}]}
        assert fold(_feed([dumps(one) for one in stream])) == fold(Decoder("gemini").answer(body))
