"""The benchmark's canned answers say in every wire what they claim to say, or its counts mean nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from adapters.sse import SseParser
from bench.bodies import ANSWERS, WIRES, event_count

Json = dict[str, Any]
EVERY = [(vendor, name) for vendor in WIRES for name in ANSWERS]
SIZES = {"short": (20, 0), "long": (1000, 0), "annot": (200, 50), "paced": (200, 0), "brief": (20, 0), "slow": (8, 0)}


def events(vendor: str, name: str) -> list[Json]:
    """The stream's events but for the sentinel `[DONE]`."""
    found = SseParser().feed(WIRES[vendor].stream(ANSWERS[name]).encode())
    return [json.loads(event.data) for event in found if event.data != b"[DONE]"]


def deltas(vendor: str, name: str) -> tuple[list[str], list[Json]]:
    """The pieces of text and the annotations, as they arrive."""
    if vendor == "gemini":
        steps = [event["delta"] for event in events(vendor, name) if event["event_type"] == "step.delta"]
        cited = [annotation for delta in steps for annotation in delta.get("annotations", [])]
        return [delta["text"] for delta in steps if delta["type"] == "text"], cited
    family = events(vendor, name)
    text = [event["delta"] for event in family if event["type"] == "response.output_text.delta"]
    return text, [event["annotation"] for event in family if event["type"] == "response.output_text.annotation.added"]


def answered(vendor: str, name: str) -> Json:
    """The one text block of the answer that is not streamed."""
    body = WIRES[vendor].json(ANSWERS[name])
    block: Json = body["steps" if vendor == "gemini" else "output"][0]["content"][0]
    return block


@pytest.mark.parametrize(("vendor", "name"), EVERY)
def test_stream_and_json_hold_the_promised_pieces_and_citations(vendor: str, name: str) -> None:
    pieces, citations = deltas(vendor, name)
    assert (len(pieces), len(citations)) == SIZES[name]
    assert answered(vendor, name)["text"] == "".join(pieces)
    assert answered(vendor, name)["annotations"] == citations


@pytest.mark.parametrize(("vendor", "name"), EVERY)
def test_events_are_counted_with_their_sentinel(vendor: str, name: str) -> None:
    assert event_count(vendor, name) == len(events(vendor, name)) + (vendor != "openai")


@pytest.mark.parametrize("vendor", ["openai", "ark"])
@pytest.mark.parametrize("name", ANSWERS)
def test_sequence_numbers_are_one_series(vendor: str, name: str) -> None:
    numbers = [event["sequence_number"] for event in events(vendor, name)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("name", ANSWERS)
def test_openai_answers_satisfy_the_sdk(name: str) -> None:
    known: TypeAdapter[ResponseStreamEvent] = TypeAdapter(ResponseStreamEvent)
    for event in events("openai", name):
        known.validate_python(event)
    Response.model_validate(WIRES["openai"].json(ANSWERS[name]))


def test_openai_offsets_are_code_points_of_the_cited_text() -> None:
    answer = ANSWERS["annot"]
    spans = [(a["start_index"], a["end_index"]) for a in deltas("openai", "annot")[1]]
    assert spans == [(c.start, c.end) for c in answer.citations.values()]
    ends = ["".join(answer.pieces[: last + 1]) for last in answer.citations]
    assert all(so_far.endswith(answer.text[start:end]) for so_far, (start, end) in zip(ends, spans, strict=True))


def test_gemini_offsets_are_bytes_on_borders_of_characters() -> None:
    answer = ANSWERS["annot"]
    data = answer.text.encode()
    assert len(data) > 2 * len(answer.text), "bytes and code points must differ for the offsets to be tried"
    cited = [data[a["start_index"] : a["end_index"]].decode() for a in deltas("gemini", "annot")[1]]
    assert cited == [answer.text[c.start : c.end] for c in answer.citations.values()]


def test_ark_citations_have_no_offsets() -> None:
    assert all("start_index" not in annotation for annotation in deltas("ark", "annot")[1])
