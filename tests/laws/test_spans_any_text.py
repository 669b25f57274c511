"""Spans of any text, cut anywhere, with any offsets."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.annotations import Span
from adapters.hub.fold import fold
from adapters.hub.losses import Ledger
from adapters.hub.spans import TextIndex
from adapters.sse import SseEvent
from adapters.wire_json import Json
from tests.laws.corpus import decode, encode, surface
from tests.laws.json_values import cited
from tests.laws.strategies import bounded

SCRIPTS = "ab .,\n[](é\u0301ßשּׁ日本語、北京한국어ไทยनमस्ते\U0001f600\u200d\U0001f469\U0001f1e8\U0001f1f3\u20dd\U00020000"
TEXTS = st.text(st.sampled_from(SCRIPTS), max_size=40)


@bounded(300)
@given(pieces=st.lists(TEXTS, max_size=6), data=st.data())
def test_code_points_and_bytes_are_one_measure(pieces: list[str], data: st.DataObject) -> None:
    text, index = "".join(pieces), TextIndex()
    for piece in pieces:
        index.feed(piece)
        if data.draw(st.booleans()):
            assert index.size == len(text[: index.chars].encode())
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    first, last = index.offset_at(start), index.offset_at(end)
    assert text.encode()[first:last].decode() == text[start:end]
    assert (index.char_floor(first), index.char_ceil(last)) == (start, end)
    half = len(text[:start].encode("utf-16-le")), len(text[:end].encode("utf-16-le"))
    assert text.encode("utf-16-le")[half[0] : half[1]].decode("utf-16-le") == text[start:end]
    inside = data.draw(st.integers(-3, len(text.encode()) + 3))
    floor, ceil = index.char_floor(inside), index.char_ceil(inside)
    assert 0 <= floor <= ceil <= len(text)
    assert ceil - floor <= 1


OFFSETS = st.one_of(st.none(), st.integers(-5, 160), st.integers(0, 40))


def streamed(pieces: Sequence[str], annotations: Sequence[Json], at: int) -> list[SseEvent]:
    """A stream in bytes: text in pieces, the annotations between the pieces."""
    texts = [{"type": "text", "text": piece} for piece in pieces]
    cites = [{"type": "text_annotation_delta", "annotations": list(annotations)}]
    deltas = [*texts[:at], *cites, *texts[at:]]
    events: list[Json] = [
        {"event_type": "interaction.created", "interaction": {"id": "i", "status": "in_progress"}},
        {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
        *({"event_type": "step.delta", "index": 0, "delta": delta} for delta in deltas),
        {"event_type": "step.stop", "index": 0},
        {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}},
    ]
    return [SseEvent(b"", json.dumps(event).encode()) for event in events]


@bounded(300)
@given(
    pieces=st.lists(TEXTS.filter(bool), min_size=1, max_size=6),
    offsets=st.lists(st.tuples(OFFSETS, OFFSETS), max_size=4),
    at=st.integers(0, 6),
)
def test_any_byte_offsets_become_whole_characters(
    pieces: list[str], offsets: list[tuple[int | None, int | None]], at: int
) -> None:
    """On borders exactly; inside a character wider; reversed or beyond the text clamped; in the vendor's order."""
    annotations = [
        {
            "type": "url_citation",
            "url": f"https://e.test/{number}",
            "title": "t",
            **{key: value for key, value in (("start_index", start), ("end_index", end)) if value is not None},
        }
        for number, (start, end) in enumerate(offsets)
    ]
    text = "".join(pieces)
    walk = decode("gemini", streamed(pieces, annotations, at))
    tree = fold(walk)
    assert tree.text == text
    heard = [annotation for item in tree.items for part in item.parts for annotation in part.annotations]
    assert [getattr(annotation, "url", None) for annotation in heard] == [raw["url"] for raw in annotations]
    for raw, annotation in zip(annotations, heard, strict=True):
        assert annotation.span == span_of(text, raw.get("start_index"), raw.get("end_index"))  # pyright: ignore[reportArgumentType]
    client = [raw for _, raws in cited(encode(walk, "openai").body()) for raw in raws]
    for raw, annotation in zip(client, heard, strict=True):
        span = annotation.span or Span(raw["start_index"], raw["start_index"])
        assert (raw["start_index"], raw["end_index"]) == (span.start, span.end)


def span_of(text: str, start: int | None, end: int | None) -> Span | None:
    """The characters that the bytes touch, found the slow way."""
    if start is None and end is None:
        return None
    edges = [len(text[:count].encode()) for count in range(len(text) + 1)]
    first = max(count for count, edge in enumerate(edges) if edge <= max(start or 0, 0) or count == 0)
    reach = edges[-1] if end is None else min(max(end, 0), edges[-1])
    last = min(count for count, edge in enumerate(edges) if edge >= reach)
    return Span(first, max(first, last))


@bounded(300)
@given(text=TEXTS, data=st.data())
def test_a_replayed_citation_cuts_out_the_same_bytes(text: str, data: st.DataObject) -> None:
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    spans = data.draw(st.lists(places, max_size=4))
    cites = [{"type": "url_citation", "url": "u", "title": "t", "start_index": s, "end_index": e} for s, e in spans]
    part = {"type": "output_text", "text": text, "annotations": cites}
    request = surface("openai").decode_request(
        {"model": "m", "input": [{"type": "message", "role": "assistant", "content": [part]}]}
    )
    body = adapters.load("gemini").codec.encode_request(request, Ledger())
    blocks = cited(body)
    assert [len(raws) for _, raws in blocks] == ([len(cites)] if cites else [])
    for sent, raws in blocks:
        assert sent == text
        for (start, end), raw in zip(spans, raws, strict=True):
            assert sent.encode()[raw["start_index"] : raw["end_index"]].decode() == text[start:end]
