"""Totality: no JSON makes a translator raise, and every answer ends exactly once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.errors import HubError, ProtocolError
from adapters.hub.events import Ended, Event
from adapters.hub.grammar import check_walk
from adapters.sse import SseEvent
from adapters.wire_json import dumps
from tests.laws.corpus import ANSWERS, FACES, FIDELITIES, STREAMS, VENDORS, Recording, decode, encode, surface
from tests.laws.json_values import Place, at, places, replaced
from tests.laws.strategies import JUNK, VALUES, bounded, broken, spoilt, spoken, sse

SHORT = tuple(recording for recording in STREAMS if len(recording.data) < 20_000)
DEPTHS = (100, 200, 250, 300, 900, 2_000, 100_000)
HALVES = (
    '"\\ud83d"',
    '"\\ude00"',
    '"\\ud83d\\ude00"',
    '"x\\ud83d"',
    '"\\ude00\\ud83d"',
    '{"\\ud83d":1}',
    '["\\udfff"]',
)


def ends_once(walk: list[Event]) -> None:
    """The walk is legal, ends exactly once, and can be told to every client in every fidelity."""
    check_walk(walk)
    assert sum(isinstance(step, Ended) for step in walk) == 1
    for face in FACES:
        encode(walk, face, stream=False).body()
        for fidelity in FIDELITIES:
            encode(walk, face, fidelity).payloads()


@bounded(100)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_json_breaks_a_stream(vendor: str, data: st.DataObject) -> None:
    payloads = data.draw(st.lists(st.one_of(VALUES, spoken(vendor)), max_size=6))
    ends_once(decode(vendor, map(sse, payloads)))


@bounded(150)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_event_of_known_words_breaks_a_stream(vendor: str, data: st.DataObject) -> None:
    """Real events, some spoilt, with objects of the vendor's own words between them."""
    _, events = broken(data, [recording for recording in SHORT if recording.vendor == vendor])
    for payload in data.draw(st.lists(spoken(vendor), max_size=3)):
        events.insert(data.draw(st.integers(0, len(events))), sse(payload))
    ends_once(decode(vendor, events))


@bounded(100)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_json_breaks_a_whole_answer(vendor: str, data: st.DataObject) -> None:
    body = data.draw(st.one_of(st.dictionaries(st.text(max_size=6), VALUES, max_size=5), spoken(vendor)))
    ends_once(adapters.load(vendor).codec.decode_response(body))


@bounded(150)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_spoilt_field_breaks_a_whole_answer(vendor: str, data: st.DataObject) -> None:
    answers = [answer for answer in ANSWERS if answer.vendor == vendor and len(answer.data) < 20_000]
    body = spoilt(data, data.draw(st.sampled_from(answers)).body())
    ends_once(adapters.load(vendor).codec.decode_response(body))


# -- after the end -----------------------------------------------------------------------------


@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_nothing_follows_the_end(recording: Recording) -> None:
    """After `Ended` there is no answer to anything, and closing twice is closing once."""
    decoder = adapters.load(recording.vendor).codec.decoder()
    events = recording.events()
    walk = [step for event in events for step in decoder.feed(event)]
    walk += decoder.close()
    assert isinstance(walk[-1], Ended)
    assert decoder.close() == []
    assert decoder.fail(ProtocolError("again")) == []
    assert [step for event in events for step in decoder.feed(event)] == []
    assert decoder.feed(SseEvent(b"", b"garbage")) == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_empty_stream_ends_too(vendor: str) -> None:
    ends_once(decode(vendor, []))


# -- odd JSON ----------------------------------------------------------------------------------


def strings(payload: Any) -> list[Place]:
    """The places of the strings."""
    return [place for place in places(payload) if isinstance(at(payload, place), str)]


def planted(payload: Any, place: Place, text: str) -> SseEvent:
    """The event with raw JSON text at a place."""
    marked = json.dumps(replaced(payload, place, "\0here"))
    return SseEvent(b"", marked.replace('"\\u0000here"', text).encode())


def rarely(recording: Recording, change: Callable[[Any, Place], SseEvent], nth: int) -> None:
    """Change one string of every nth event, a different one each time."""
    payloads = recording.payloads()
    for number in range(0, len(payloads), nth):
        found = strings(payloads[number])
        if found:
            events = recording.events()
            events[number] = change(payloads[number], found[(number * 7) % len(found)])
            ends_once(decode(recording.vendor, events))


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_depth_breaks_a_stream(vendor: str, depth: int) -> None:
    deep = ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth)
    for recording in SHORT:
        if recording.vendor == vendor and "cite" in recording.name:
            for text in deep:
                rarely(recording, lambda payload, place, text=text: planted(payload, place, text), 3)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_half_character_breaks_a_stream(vendor: str, half: str) -> None:
    for recording in SHORT:
        if recording.vendor == vendor and recording.name in ("sandbox-cite", "sandbox-tools", "sandbox-reasoning"):
            rarely(recording, lambda payload, place: planted(payload, place, half), 2)


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" * 30, "-" + "9" * 400, "1E-400", "0.1e1", "-0", "1.0"])
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_number_breaks_a_stream(vendor: str, number: str) -> None:
    for recording in SHORT:
        if recording.vendor == vendor and recording.name in ("sandbox-cite", "sandbox-tools"):
            rarely(recording, lambda payload, place: planted(payload, place, number), 2)


# -- errors ------------------------------------------------------------------------------------


@bounded(100)
@given(
    status=st.integers(400, 599), body=st.one_of(st.binary(max_size=60), VALUES.map(lambda v: json.dumps(v).encode()))
)
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_body_breaks_an_error(vendor: str, status: int, body: bytes) -> None:
    error = adapters.load(vendor).endpoint.decode_error(status, {"retry-after": "x"}, body)
    assert isinstance(error, HubError)
    assert error.message
    assert 400 <= error.status <= 599
    for face in FACES:
        dumps(surface(face).encode_error(error))


@bounded(100)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_no_error_object_breaks_an_error(vendor: str, data: st.DataObject) -> None:
    keys = st.sampled_from(["message", "code", "type", "param", "status", "details"])
    inner = data.draw(st.dictionaries(keys, st.one_of(st.sampled_from(JUNK), VALUES), max_size=6))
    body = data.draw(st.sampled_from([{"error": inner}, [{"error": inner}], {"error": [inner]}, inner]))
    error = adapters.load(vendor).endpoint.decode_error(429, {}, json.dumps(body).encode())
    for face in FACES:
        dumps(surface(face).encode_error(error))
