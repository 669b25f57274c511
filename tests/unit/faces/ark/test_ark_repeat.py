"""Ark's own answers to a client of Ark: as they came, and ended where they broke off."""

from __future__ import annotations

import json

import pytest

import adapters
from adapters.faces.ark.grammar import check
from adapters.faces.ark.repeat import ArkRepeater
from adapters.faces.ark.request import decode_request
from adapters.hub.adapter import Encoding
from adapters.hub.errors import Unreachable
from adapters.hub.telling import TellingCodec
from adapters.sse import SseEvent
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, STREAMS, CountingMint, Recording, parse
from tests.laws.twins import PARTIAL

OWN = [recording for recording in STREAMS if recording.vendor == "ark"]
BROKEN_OFF = {"sandbox-cut", "function-stream-partial", "image-process-stream-partial"}
BROKEN = {"sandbox-error_inside": {"unclosed"}}
"""The rules that Ark's own events break, which are repeated as they came: its failed response closes nothing."""
CODEC = TellingCodec(adapters.load("ark").codec)


def repeat(events: list[SseEvent], *, loss: str = "", stream: bool = True) -> list[SseEvent]:
    """What a client is told of these events of Ark's."""
    encoding = Encoding(decode_request({"model": "m", "input": "x", "stream": stream}), CountingMint())
    if loss:
        encoding.losses.note(loss, "it is not said")
    repeater, decoder = ArkRepeater(encoding), CODEC.decoder()
    walk = [step for event in events for step in decoder.feed(event)] + decoder.close()
    return parse(b"".join([frame for step in walk for frame in repeater.feed(step)] + repeater.close()))


def rules(events: list[SseEvent]) -> set[str]:
    return {violation.rule for violation in check(events).violations}


@pytest.mark.parametrize("recording", [r for r in OWN if r.name not in BROKEN_OFF | PARTIAL.keys()], ids=str)
def test_the_grammar_takes_recorded_streams(recording: Recording) -> None:
    assert rules(recording.events()) == BROKEN.get(recording.name, set())


@pytest.mark.parametrize("recording", [r for r in OWN if r.name not in BROKEN_OFF], ids=str)
def test_a_stream_is_repeated_to_the_last_byte(recording: Recording) -> None:
    ended = [event for event in recording.events() if event.data != b"[DONE]"]
    assert repeat(recording.events()) == [*ended, SseEvent(b"", b"[DONE]")]


@pytest.mark.parametrize("recording", [r for r in OWN if r.name in BROKEN_OFF], ids=str)
def test_a_stream_that_breaks_off_ends_as_failed(recording: Recording) -> None:
    said = [event for event in recording.events() if event.data != b"[DONE]"]
    told = repeat(recording.events())
    assert told[: len(said)] == said
    assert (told[-2].name, told[-1].data) == (b"response.failed", b"[DONE]")


@pytest.mark.parametrize("recording", [r for r in OWN if r.name.startswith("sandbox-")], ids=str)
def test_a_stream_cut_anywhere_is_well_formed(recording: Recording) -> None:
    events = recording.events()
    for end in range(0, len(events), max(1, len(events) // 40)):
        told = repeat(events[:end])
        assert rules(told) <= BROKEN.get(recording.name, set())
        assert told[-2].name in (b"response.failed", b"response.completed", b"response.incomplete")


@pytest.mark.parametrize("recording", [r for r in ANSWERS if r.vendor == "ark"], ids=str)
def test_a_whole_answer_is_repeated(recording: Recording) -> None:
    encoding = Encoding(decode_request({"model": "m", "input": "x"}), CountingMint())
    repeater = ArkRepeater(encoding)
    assert [frame for step in CODEC.decode_response(recording.body()) for frame in repeater.feed(step)] == []
    assert json.loads(repeater.body()) == recording.body()


def test_losses_stand_in_the_terminal_event_alone() -> None:
    recording = next(r for r in OWN if r.name == "sandbox-text")
    *said, terminal, done = repeat(recording.events(), loss="tools[0].strict")
    *own, last = [event for event in recording.events() if event.data != b"[DONE]"]
    assert said == own
    response: Json = json.loads(terminal.data)["response"]
    assert response.pop("x_dragoman") == {"losses": [{"path": "tools[0].strict", "reason": "it is not said"}]}
    assert response == json.loads(last.data)["response"]
    assert done.data == b"[DONE]"


def test_a_stream_that_never_began_fails_as_one_that_did() -> None:
    encoding = Encoding(decode_request({"model": "m", "input": "x", "stream": True}), CountingMint())
    repeater, decoder = ArkRepeater(encoding), CODEC.decoder()
    walk = decoder.fail(Unreachable("no connection"))
    told = parse(b"".join([frame for step in walk for frame in repeater.feed(step)] + repeater.close()))
    assert told[0].name == b"response.created"
    assert check(told).violations == ()
