"""Grammar: whatever a vendor sends, its decoder walks legally, and the client's stream obeys the client's grammar."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.adapter import Fidelity
from adapters.hub.errors import UpstreamTimeout
from adapters.hub.events import Event, Started
from adapters.hub.grammar import check_walk
from adapters.sse import SseEvent
from adapters.wire_json import as_object
from tests.laws.corpus import ANSWERS, FACES, FIDELITIES, STREAMS, VENDORS, Recording, decode, encode, parse, violations
from tests.laws.strategies import bounded, broken

FOREIGN_WORDS = {"native": {"unknown-event"}}
"""What a fidelity breaks on purpose: native passes the vendor's own events on."""

OWN_PLACES = {"gemini": {"annotation-border", "annotation-span"}}
"""A vendor's own citations are repeated to its own clients, wherever they point."""

# Rules that even a vendor's broken stream cannot make the gateway break, where it repeats the vendor word by word.
BOOKS = {
    "after-terminal",
    "error-end",
    "frame-error",
    "frame-json",
    "frame-name",
    "item-id",
    "item-index",
    "lifecycle-order",
    "part-index",
    "part-open",
    "response-id",
    "sequence-absent",
    "sequence-order",
    "terminal-missing",
    "text-closed",
}

# Streams whose texts the hub has no part for. They pass as the vendor's own events, so that a cut inside such a
# text leaves it without its end, or its item without what was told.
UNMODELLED = {
    "apply-patch-stream": "the diff of a patch",
    "shell-stream-container-skills": "the commands of a shell",
}

SHORT = tuple(recording for recording in STREAMS if len(recording.data) < 20_000)
FOREIGN = {face: tuple(r for r in SHORT if r.vendor != face) for face in FACES}
SPOKEN = {face: tuple(r for r in SHORT if r.vendor == face and r.name not in UNMODELLED) for face in FACES}


def broken_rules(walk: list[Event], face: str, fidelity: Fidelity) -> set[str]:
    """The rules that a client's stream breaks, but for those its fidelity breaks on purpose."""
    rules = {violation.rule for violation in violations(face, encode(walk, face, fidelity))}
    own = any(isinstance(event, Started) and event.wire == face for event in walk)
    return rules - FOREIGN_WORDS.get(fidelity, set()) - (OWN_PLACES.get(face, set()) if own else set())


def borders(events: list[SseEvent]) -> list[int]:
    """Where a cut can make a difference: between two events of which the second is not more of the same."""
    kinds = [_kind(event) for event in events]
    return [at for at in range(len(events) + 1) if at in (0, len(events)) or kinds[at] != kinds[at - 1]]


def _kind(event: SseEvent) -> Any:
    try:
        payload = as_object(json.loads(event.data))
    except ValueError:
        return event.data
    return payload.get("type", payload.get("event_type")), as_object(payload.get("delta")).get("type")


# -- whole answers -----------------------------------------------------------------------------

# Whole answers that no stream of the dialect tells, with the rule that a stream of them would break.
NO_STREAM = {
    # it is not finished, and there is no terminal event to say so
    "background-json-queued": "response-status",
    # the hub has no part for a shell's commands, so the item is announced with all of them
    "shell-json-call": "text-start",
}


@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_a_recording_is_a_legal_walk(recording: Recording) -> None:
    check_walk(recording.walk())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_a_recording_becomes_a_well_formed_stream(recording: Recording, face: str) -> None:
    walk = recording.walk()
    for fidelity in FIDELITIES:
        assert (fidelity, broken_rules(walk, face, fidelity)) == (fidelity, set())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("recording", [r for r in ANSWERS if r.name not in NO_STREAM], ids=str)
def test_a_whole_answer_becomes_a_well_formed_stream(recording: Recording, face: str) -> None:
    walk = recording.walk()
    for fidelity in FIDELITIES:
        assert (fidelity, broken_rules(walk, face, fidelity)) == (fidelity, set())


@pytest.mark.parametrize("recording", [r for r in ANSWERS if r.name in NO_STREAM], ids=str)
def test_an_answer_that_no_stream_tells(recording: Recording) -> None:
    """Whole answers are asked for and given as such; these come back as they are (see identity), and only so."""
    assert broken_rules(recording.walk(), recording.vendor, "rich") == {NO_STREAM[recording.name]}


# -- answers that break off --------------------------------------------------------------------


@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_a_stream_cut_anywhere_is_a_legal_walk(recording: Recording) -> None:
    events = recording.events()
    for end in borders(events):
        walk = decode(recording.vendor, events[:end])
        check_walk(walk)


@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_a_stream_whose_transport_fails_anywhere_is_a_legal_walk(recording: Recording) -> None:
    events = recording.events()
    for end in borders(events):
        decoder = adapters.load(recording.vendor).codec.decoder()
        walk = [step for event in events[:end] for step in decoder.feed(event)]
        check_walk([*walk, *decoder.fail(UpstreamTimeout("it took too long")), *decoder.close()])


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("recording", [r for r in STREAMS if r.name not in UNMODELLED], ids=str)
def test_a_stream_cut_anywhere_is_well_formed(recording: Recording, face: str) -> None:
    events = recording.events()
    for end in borders(events):
        walk = decode(recording.vendor, events[:end])
        for fidelity in FIDELITIES:
            assert (end, fidelity, broken_rules(walk, face, fidelity)) == (end, fidelity, set())


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", [r for r in STREAMS if r.name in UNMODELLED], ids=str)
def test_a_stream_cut_inside_what_the_hub_has_no_part_for(recording: Recording, fidelity: Fidelity) -> None:
    events = recording.events()
    walks = [decode(recording.vendor, events[:end]) for end in borders(events)]
    found = [broken_rules(walk, recording.vendor, fidelity) for walk in walks]
    assert set().union(*found) == {"text-equal", "unclosed"}
    assert sum(map(bool, found)) <= 6


# -- answers of garbage ------------------------------------------------------------------------


@bounded(300)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_bytes_cut_anywhere_and_garbage_are_a_legal_walk(vendor: str, data: st.DataObject) -> None:
    recording = data.draw(st.sampled_from([r for r in SHORT if r.vendor == vendor]))
    whole = recording.data
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(whole)), st.integers(0, len(whole)))))
    garbage = data.draw(st.binary(max_size=20))
    walk = decode(vendor, parse(whole[:start] + garbage + whole[end:]))
    check_walk(walk)
    for face in FACES:
        if face != vendor:
            assert broken_rules(walk, face, "rich") == set()


@bounded(500)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_broken_stream_is_a_legal_walk(vendor: str, data: st.DataObject) -> None:
    _, events = broken(data, [r for r in SHORT if r.vendor == vendor])
    check_walk(decode(vendor, events))


@bounded(500)
@given(data=st.data())
@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("face", FACES)
def test_a_broken_stream_of_another_vendor_is_well_formed(face: str, fidelity: Fidelity, data: st.DataObject) -> None:
    recording, events = broken(data, FOREIGN[face])
    assert broken_rules(decode(recording.vendor, events), face, fidelity) == set()


@bounded(500)
@given(data=st.data())
@pytest.mark.parametrize("face", FACES)
def test_a_broken_stream_of_the_same_wire_keeps_the_books_right(face: str, data: st.DataObject) -> None:
    """What the vendor says wrong is repeated wrong; numbers, order and the end are the gateway's own."""
    _, events = broken(data, SPOKEN[face])
    assert broken_rules(decode(face, events), face, "rich") & BOOKS == set()
