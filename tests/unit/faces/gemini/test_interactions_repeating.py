"""Gemini's own answers at a client of its dialect: what is repeated, what is not, and how a broken one ends."""

from __future__ import annotations

import json

import pytest

from adapters.faces.gemini.grammar import check
from adapters.faces.gemini.repeat import InteractionsRepeater
from adapters.hub import events as ev
from adapters.hub.adapter import Fidelity
from adapters.hub.errors import ProtocolError, UpstreamTimeout
from adapters.hub.kept import Kept
from adapters.wire_json import Json
from tests.laws.corpus import Told
from tests.unit.faces.gemini.written import encoding, run

BEGIN = {"event_type": "interaction.created", "interaction": {"id": "v1_a", "status": "in_progress"}}
MOVED = {"event_type": "interaction.status_update", "interaction_id": "v1_a", "status": "in_progress"}
OPEN = {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}
STOP = {"event_type": "step.stop", "index": 0}


def delta(text: str, index: int = 0) -> Json:
    return {"event_type": "step.delta", "index": index, "delta": {"type": "text", "text": text}}


def end(status: str = "completed", **fields: object) -> Json:
    return {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": status, **fields}}


def told(event: Json) -> ev.Told:
    """The event as it came, spelled as some do: with spaces."""
    return ev.Told(str(event["event_type"]).encode(), json.dumps(event).encode())


def repeat(*events: Json | ev.Event, fidelity: Fidelity = "rich", loss: str = "") -> Told:
    given = encoding(fidelity)
    if loss:
        given.losses.note("tools[0]", loss)
    walk = [told(event) if isinstance(event, dict) else event for event in events]
    return run(InteractionsRepeater(given), given, walk)


DONE = ev.Ended("completed", ev.Finish("stop", "completed"))


def test_bytes_are_repeated_with_an_id() -> None:
    came = [BEGIN, OPEN, delta("é"), STOP, end()]
    frames = repeat(*came, DONE).events()
    assert [event.data for event in frames[:-1]] == [
        b'%b,"event_id":"v1_a.%d"}' % (json.dumps(event).encode()[:-1], number) for number, event in enumerate(came)
    ]


def test_an_id_of_the_vendors_stays() -> None:
    event = {**delta("a"), "event_id": "tok-1"}
    assert repeat(BEGIN, OPEN, event, STOP, end(), DONE).payloads()[2] == event


@pytest.mark.parametrize(
    "event",
    [
        delta('"event_id":"x"'),
        {"event_type": "step.delta", "index": 0, "delta": {"type": "x", "event_id": "not the event's"}},
    ],
)
def test_an_id_inside_is_none_of_the_events(event: Json) -> None:
    assert repeat(BEGIN, OPEN, event, STOP, end(), DONE).payloads()[2]["event_id"] == "v1_a.2"


def test_data_of_several_lines_is_one_line() -> None:
    data = json.dumps(delta("a"), indent=1).encode()
    payloads = repeat(BEGIN, OPEN, ev.Told(b"step.delta", data), STOP, end(), DONE).payloads()
    assert payloads[2]["delta"] == {"type": "text", "text": "a"}


def test_an_event_without_its_type_gets_it() -> None:
    bare = ev.Told(b"step.delta", json.dumps({"index": 0, "delta": {"type": "text", "text": "a"}}).encode())
    assert repeat(BEGIN, OPEN, bare, STOP, end(), DONE).payloads()[2]["event_type"] == "step.delta"


def test_how_to_go_on_is_not_shown() -> None:
    checkpoint = {**MOVED, "continuation_token": "secret"}
    paused = ev.Ended("incomplete", ev.Finish("max_output_tokens", "requires_continuation"))
    shown = repeat(BEGIN, checkpoint, OPEN, STOP, end("requires_continuation", continuation_token="secret"), paused)
    assert b"secret" not in shown.data
    assert shown.payloads()[-1]["interaction"]["status"] == "incomplete"
    assert not check(shown.events()).violations


def test_the_pieces_of_an_answer_are_one_stream() -> None:
    usage = {"total_tokens": 7}
    ended = ev.Ended(
        "completed",
        ev.Finish("stop"),
        ev.Usage(3, 0, 4, 0, 7, Kept("gemini", usage)),
        extra=Kept("gemini", {"continuation_ids": ["v1_a", "v1_b"]}),
    )
    second = {**BEGIN, "interaction": {"id": "v1_b", "status": "in_progress"}}
    last = {**end(), "interaction": {"id": "v1_b", "status": "completed", "usage": {"total_tokens": 4}}}
    shown = repeat(
        BEGIN, OPEN, delta("a"), end("requires_continuation"), second, MOVED, OPEN, delta("b"), STOP, last, ended
    )
    assert not check(shown.events()).violations
    assert [event.get("index") for event in shown.payloads()] == [None, 0, 0, 0, 1, 1, 1, None]
    assert shown.payloads()[-1]["interaction"] == {
        "id": "v1_b",
        "status": "completed",
        "usage": usage,
        "continuation_ids": ["v1_a", "v1_b"],
    }


ERROR: Json = {"event_type": "error", "error": {"code": "internal", "message": "no"}}


@pytest.mark.parametrize("events", [[], [BEGIN], [BEGIN, OPEN, delta("a")], [BEGIN, OPEN, ERROR], [OPEN]])
@pytest.mark.parametrize("error", [ProtocolError("cut"), UpstreamTimeout("late")])
def test_what_breaks_off_is_brought_to_an_end(events: list[Json], error: ProtocolError) -> None:
    shown = repeat(*events, ev.Ended("failed", ev.Finish("error"), error=error))
    assert not check(shown.events()).violations
    assert [payload["event_type"] for payload in shown.payloads()].count("error") == 1
    assert shown.payloads()[-1]["interaction"]["status"] == "failed"


def test_losses_are_told_at_the_end() -> None:
    said = {"losses": [{"path": "tools[0]", "reason": "no such tool"}]}
    assert repeat(BEGIN, end(), DONE, loss="no such tool").payloads()[-1]["interaction"]["x_dragoman"] == said
    assert b"x_dragoman" not in repeat(BEGIN, end(), DONE, fidelity="strict", loss="no such tool").data


# -- whole answers -------------------------------------------------------------------------------


def whole(*bodies: Json, ended: ev.Ended = DONE) -> Json:
    given = encoding(stream=False)
    return run(InteractionsRepeater(given), given, [*(ev.Told(body=body) for body in bodies), ended]).body()


def test_a_body_is_repeated() -> None:
    body = {"id": "v1_a", "status": "completed", "steps": [{"type": "thought", "signature": "s"}], "x": None}
    assert whole(body) == body


def test_bodies_are_joined() -> None:
    first = {"id": "v1_a", "status": "requires_continuation", "continuation_token": "t", "steps": [{"type": "thought"}]}
    second = {"id": "v1_b", "status": "completed", "steps": [{"type": "model_output"}]}
    assert whole(first, second) == {**second, "steps": [{"type": "thought"}, {"type": "model_output"}]}


def test_a_body_that_never_came_is_one_that_failed() -> None:
    failed = ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))
    assert whole(ended=failed)["status"] == "failed"
    paused: Json = {"id": "v1_a", "status": "requires_continuation", "steps": []}
    assert whole(paused, ended=failed)["errors"] == [{"code": "internal", "message": "cut"}]
