"""Identity: where vendor and client speak the same wire, nothing changes on the way; the exceptions are named here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import adapters
from adapters.hub.adapter import Fidelity
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import (
    ANSWERS,
    FACES,
    FIDELITIES,
    REFUSALS,
    STREAMS,
    Recording,
    encode,
    requests_of,
    requests_of_clients,
    surface,
    tell,
)
from tests.laws.json_values import same, without

OWN = [recording for recording in STREAMS if recording.vendor in FACES and surface(recording.vendor).repeater is None]

# Each of these has a test of its own below, which says how it differs and why.
DIFFERENT = {
    "sandbox-cut",
    "sandbox-error_inside",
    "failed-stream-quota",
    "background-stream-resume-starting-after",
    "compat-github-copilot-id-rotation",
    "function-stream-verbatim-turn1",
    "function-stream-verbatim-turn2",
}


def said(recording: Recording) -> list[Json]:
    """The vendor's events, without the padding that hides their size: `obfuscation` fits no other frame."""
    return [{key: value for key, value in event.items() if key != "obfuscation"} for event in recording.payloads()]


def told(recording: Recording, fidelity: Fidelity) -> list[Json]:
    """The client's events."""
    return encode(recording.walk(), recording.vendor, fidelity).payloads()


def unnumbered(events: list[Json]) -> list[Json]:
    return [{key: value for key, value in event.items() if key != "sequence_number"} for event in events]


def agree(left: list[Json], right: list[Json]) -> None:
    assert [same(event) for event in left] == [same(event) for event in right]


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", [r for r in OWN if r.name not in DIFFERENT], ids=str)
def test_a_stream_comes_back_as_it_was(recording: Recording, fidelity: Fidelity) -> None:
    events = said(recording)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    agree(told(recording, fidelity), events)


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", [r for r in ANSWERS if r.vendor in FACES and "outputs" not in r.body()], ids=str)
def test_an_answer_comes_back_as_it_was(recording: Recording, fidelity: Fidelity) -> None:
    answer = tell(recording.walk, recording.vendor, recording.vendor, fidelity, stream=False)
    assert same(answer.body()) == same(recording.body())
    assert not answer.losses


@pytest.mark.parametrize("recording", [r for r in REFUSALS if r.vendor in FACES], ids=str)
def test_an_error_comes_back_as_it_was(recording: Recording) -> None:
    error = adapters.load(recording.vendor).endpoint.decode_error(recording.status, {}, recording.data)
    assert error.status == recording.status
    assert same(surface(recording.vendor).encode_error(error)["error"]) == same(recording.body()["error"])


# -- requests ----------------------------------------------------------------------------------


def requests(face: str) -> Iterator[tuple[str, Json]]:
    paths = surface(face).paths
    for name, path, body in (*requests_of(face), *requests_of_clients()):
        if path in paths:
            yield name, body


REQUESTS = {
    f"{face}-{name}": (face, body) for face in FACES for name, body in requests(face) if not name.startswith("old-")
}
BARE = {
    "openai-reasoning-json-signature-replay",
    "openai-ai-sdk-open-responses-9",
}
"""Requests that replay an output_text without its list of annotations."""


def sent(face: str, body: Json) -> Json:
    losses = Ledger()
    request = surface(face).decode_request(body)
    encoded = adapters.load(face).codec.encode_request(request, losses)
    assert not losses
    return encoded


def present(body: Json) -> Json:
    """The body without its nulls, which mean absent."""
    return {key: value for key, value in body.items() if value is not None}


@pytest.mark.parametrize("name", sorted(REQUESTS.keys() - BARE))
def test_a_request_goes_on_as_it_came(name: str) -> None:
    face, body = REQUESTS[name]
    assert same(sent(face, body)) == same(present(body))


@pytest.mark.parametrize("name", sorted(REQUESTS.keys() & BARE))
def test_a_replayed_text_without_annotations_gets_the_empty_list(name: str) -> None:
    """The reference requires the list, and some servers of the dialect answer 400 where it is absent."""
    face, body = REQUESTS[name]
    encoded = sent(face, body)
    spoken = [(n, m) for n, item in enumerate(body["input"]) if item["role"] == "assistant" for m in range(1)]
    assert spoken
    for item, part in spoken:
        place = ("input", item, "content", part, "annotations")
        assert encoded["input"][item]["content"][part]["annotations"] == []
        encoded = without(encoded, place)
    assert same(encoded) == same(present(body))


# -- streams that differ, and why --------------------------------------------------------------

NAMED = {recording.name: recording for recording in OWN}


def named(name: str) -> Recording:
    if name not in NAMED:
        pytest.skip("the recording is not beside this checkout")
    return NAMED[name]


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_a_cut_stream_is_ended_for_the_client(fidelity: Fidelity) -> None:
    """ "A cut stream never looks like success": the vendor's events stand, and what they left open is closed."""
    recording = named("sandbox-cut")
    events, vendors = told(recording, fidelity), said(recording)
    agree(events[: len(vendors)], vendors)
    assert [event["type"] for event in events[len(vendors) :]] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.failed",
    ]


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize(("name", "closed"), [("sandbox-error_inside", 3), ("failed-stream-quota", 0)])
def test_an_error_event_is_told_by_the_failed_response_alone(name: str, closed: int, fidelity: Fidelity) -> None:
    """Some clients throw on `error` before they see `response.failed`, which tells the same and ends the stream."""
    recording = named(name)
    events, vendors = unnumbered(told(recording, fidelity)), unnumbered(said(recording))
    assert [event["type"] for event in vendors[-2:]] == ["error", "response.failed"]
    agree(events[: len(vendors) - 2], vendors[:-2])
    assert len(events) == len(vendors) - 1 + closed
    assert all(event["type"].endswith(".done") for event in events[len(vendors) - 2 : -1])
    ours, theirs = events[-1]["response"], vendors[-1]["response"]
    assert same(ours["error"]) == same(theirs["error"])
    agree([{**ours, "output": []}], [{**theirs, "output": []}])


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_a_resumed_stream_is_begun_anew(fidelity: Fidelity) -> None:
    """It goes on with number 1, without `created`; a client of the gateway did not see number 0."""
    recording = named("background-stream-resume-starting-after")
    events, vendors = told(recording, fidelity), said(recording)
    assert [event["sequence_number"] for event in vendors] == list(range(1, len(vendors) + 1))
    assert same(events[0]) == same({**vendors[0], "type": "response.created", "sequence_number": 0})
    agree(events[1:], vendors)


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_ids_that_change_are_held_to_their_first_value(fidelity: Fidelity) -> None:
    """A proxy of another vendor gives every event a new id; clients join events by it.

    The bill that it adds beside the response, where the dialect has nothing, arrives as it is.
    """
    recording = named("compat-github-copilot-id-rotation")
    events, vendors = told(recording, fidelity), said(recording)
    assert events[-1]["copilot_usage"] == vendors[-1]["copilot_usage"] is not None
    agree([_unnamed(event) for event in events], [_unnamed(event) for event in vendors])
    items = {event["item"]["id"] for event in events if "item" in event}
    assert {event["item_id"] for event in events if "item_id" in event} <= items
    assert len({event["response"]["id"] for event in events if "response" in event}) == 1
    assert len(items) == len({event["output_index"] for event in events if "output_index" in event})


def _unnamed(event: Json) -> Json:
    """The event without its ids."""
    copy = {key: value for key, value in event.items() if key != "item_id"}
    for key in ("item", "response"):
        if key in copy:
            copy[key] = {name: value for name, value in copy[key].items() if name != "id"}
    if copy.get("response", {}).get("output"):
        copy["response"]["output"] = [{k: v for k, v in i.items() if k != "id"} for i in copy["response"]["output"]]
    return copy


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_events_of_before_numbers_are_numbered(fidelity: Fidelity) -> None:
    """In early 2025 events had no sequence_number; clients of today require it."""
    recording = named("function-stream-verbatim-turn1")
    events, vendors = told(recording, fidelity), said(recording)
    assert not any("sequence_number" in event for event in vendors)
    assert [event["sequence_number"] for event in events] == list(range(len(vendors)))
    agree(unnumbered(events), vendors)


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_events_of_before_logprobs_get_the_empty_list(fidelity: Fidelity) -> None:
    """In early 2025 text events had neither numbers nor logprobs; clients of today require both."""
    recording = named("function-stream-verbatim-turn2")
    events, vendors = told(recording, fidelity), said(recording)
    assert [event["sequence_number"] for event in events] == list(range(len(vendors)))
    agree(unnumbered(events), [_with_logprobs(event) for event in vendors])


def _with_logprobs(event: Json) -> Json:
    if event["type"].startswith("response.output_text."):
        return {**event, "logprobs": []}
    if event["type"].startswith("response.content_part."):
        return {**event, "part": {**event["part"], "logprobs": []}}
    return event


def test_every_exception_is_a_recording(shared: Path) -> None:
    assert NAMED.keys() >= DIFFERENT
    assert REQUESTS.keys() >= BARE
