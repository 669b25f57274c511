"""An interaction that pauses: what it is asked next, how its ends are added up, and that its token stays here."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub import events as ev
from adapters.hub.errors import ProtocolError, UpstreamError, UpstreamTimeout
from adapters.hub.fold import fold
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.interactions.continuation import continue_request, join_ends
from adapters.interactions.decode import Decoder
from adapters.interactions.interaction import decode_usage
from adapters.sse import SseEvent
from adapters.wire_json import dumps

Json = dict[str, Any]
BODY: Json = {"model": "m", "input": "hi", "stream": True, "tools": [{"type": "google_search"}]}
BEGIN: Json = {"event_type": "interaction.created", "interaction": {"id": "v1_a", "status": "in_progress"}}
OPEN: Json = {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}
DELTA: Json = {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "a"}}
STOP: Json = {"event_type": "step.stop", "index": 0}
MARK: Json = {"event_type": "interaction.status_update", "status": "in_progress", "continuation_token": "mark"}
ERROR: Json = {"event_type": "error", "error": {"code": "internal", "message": "no"}}
UNKNOWN: Json = {"event_type": "interaction.noted", "continuation_token": "t"}
PAUSED = ev.Ended("incomplete", ev.Finish("max_output_tokens"), resume=ev.Resume("t", "v1_a", 1))


def end(status: str, **fields: Any) -> Json:
    return {"event_type": "interaction.completed", "interaction": {"status": status, **fields}}


# -- what the decoder says of a pause


@pytest.mark.parametrize(
    ("events", "token"),
    [
        ([BEGIN, OPEN, DELTA, end("requires_continuation", continuation_token="t")], "t"),
        ([BEGIN, MARK, end("requires_continuation", continuation_token="t")], "t"),
        ([BEGIN, MARK, end("requires_continuation")], None),  # the last word counts
        ([BEGIN, end("completed", continuation_token="t")], None),
        ([BEGIN, end("incomplete", continuation_token="t")], None),
        ([BEGIN, ERROR, end("requires_continuation", continuation_token="t")], None),
        ([BEGIN, end("requires_continuation", continuation_token=7)], None),
    ],
)
def test_a_pause_gives_its_token(events: list[Json], token: str | None, play: Any) -> None:
    resume = play(*events)[-1].resume
    assert resume == (ev.Resume(token, "v1_a", sum(event is OPEN for event in events)) if token else None)


def test_a_pause_in_json_gives_its_token() -> None:
    text = {"type": "model_output", "content": [{"type": "text", "text": "a"}]}
    body = {"id": "v1_a", "status": "requires_continuation", "continuation_token": "t", "steps": [text]}
    ended = Decoder("gemini").answer(body)[-1]
    assert isinstance(ended, ev.Ended)
    assert (ended.status, ended.resume) == ("incomplete", ev.Resume("t", "v1_a", 1))


CALL: Json = {"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c", "name": "f"}}


@pytest.mark.parametrize(
    ("events", "statuses"),
    [
        ([OPEN, DELTA], ["completed"]),
        ([OPEN, DELTA, STOP], ["completed"]),
        ([OPEN, DELTA, STOP, CALL], ["completed", "incomplete"]),  # half a call is none
        ([OPEN, DELTA, STOP, CALL, {**STOP, "index": 1}], ["completed", "completed"]),
        ([OPEN], []),
    ],
)
def test_what_was_said_before_a_pause_is_whole_by_itself(events: list[Json], statuses: list[str], play: Any) -> None:
    paused = play(BEGIN, *events, end("requires_continuation", continuation_token="t"))
    assert [item.status for item in fold(paused).items] == statuses
    assert paused[-1].resume.items == len(statuses)
    broken_off = play(BEGIN, *events, MARK)
    assert [item.status for item in fold(broken_off).items] == statuses


LATE = UpstreamTimeout("late", retryable=True)
LARGE = ProtocolError("too large")


@pytest.mark.parametrize(
    ("events", "error", "token"),
    [
        ([BEGIN, MARK], None, "mark"),
        ([BEGIN, MARK], LATE, "mark"),
        ([BEGIN, MARK], LARGE, None),
        ([BEGIN, OPEN, DELTA, MARK], LATE, "mark"),
        ([BEGIN, MARK, {**MARK, "continuation_token": None}], LATE, "mark"),
        ([BEGIN, MARK, OPEN], LATE, None),
        ([BEGIN, OPEN, MARK, DELTA], LATE, None),
        ([BEGIN, OPEN, MARK, STOP], LATE, None),
        ([BEGIN, MARK, UNKNOWN], LATE, None),
        ([BEGIN, MARK, ERROR], None, None),
        ([BEGIN], LATE, None),
    ],
)
def test_a_stream_that_breaks_off_goes_on_from_its_mark_unless_it_said_more(
    events: list[Json], error: UpstreamError | None, token: str | None
) -> None:
    decoder = Decoder("gemini")
    for event in events:
        decoder.feed(SseEvent(b"", dumps(event)))
    ended = (decoder.close() if error is None else decoder.fail(error))[-1]
    assert isinstance(ended, ev.Ended)
    assert (ended.status, ended.resume) == (
        "failed",
        ev.Resume(token, "v1_a", sum(event is OPEN for event in events)) if token else None,
    )


def test_no_event_holds_a_token(play: Any) -> None:
    secret = {"continuation_token": "TOKEN"}
    events: list[Json] = [
        {**BEGIN, **secret, "interaction": {**BEGIN["interaction"], **secret}},
        {**MARK, **secret},
        {**UNKNOWN, **secret, "interaction": {"a": 1, **secret}},
        OPEN,
        {**DELTA, **secret},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "odd"}, **secret},
        end("requires_continuation", **secret),
    ]
    walk = play(*events)
    assert walk[-1].resume.token == "TOKEN"
    assert "TOKEN" not in str(walk)
    assert [event.payload for event in walk if isinstance(event, ev.Opaque)] == [
        {"event_type": "interaction.noted", "interaction": {"a": 1}},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "odd"}},
    ]


# -- what is asked next

REQUESTS: dict[str, tuple[Json, ev.Ended, Json | None]] = {
    "the vendor kept the input": (
        BODY,
        PAUSED,
        {
            "model": "m",
            "stream": True,
            "tools": BODY["tools"],
            "continuation_token": "t",
            "previous_interaction_id": "v1_a",
        },
    ),
    "after another hop": (
        {"model": "m", "continuation_token": "s", "previous_interaction_id": "v1_0"},
        PAUSED,
        {"model": "m", "continuation_token": "t", "previous_interaction_id": "v1_a"},
    ),
    "nothing is stored": (
        {**BODY, "store": False, "previous_interaction_id": "p"},
        PAUSED,
        {**BODY, "store": False, "previous_interaction_id": "p", "continuation_token": "t"},
    ),
    "without an id": (
        BODY,
        ev.Ended("failed", ev.Finish("error"), resume=ev.Resume("t", "", 1)),
        {**BODY, "continuation_token": "t"},
    ),
    "no pause": (BODY, ev.Ended("completed", ev.Finish("stop")), None),
    "no progress": ({**BODY, "continuation_token": "t"}, PAUSED, None),
    "in the background": ({**BODY, "background": True}, PAUSED, None),
    "an agent": ({"agent": "deep-research-1", "input": "hi"}, PAUSED, None),
}


@pytest.mark.parametrize(("body", "ended", "asked"), REQUESTS.values(), ids=REQUESTS)
def test_what_is_asked_next(body: Json, ended: ev.Ended, asked: Json | None) -> None:
    losses, before = Ledger(), dict(body)
    assert continue_request(body, ended, losses) == asked
    assert body == before
    assert [loss.path for loss in losses.losses] == (
        ["id"] if asked and "previous_interaction_id" in asked and "input" not in asked else []
    )


# -- the end


def ended(usage: Json | None, **extra: Any) -> ev.Ended:
    return ev.Ended("completed", ev.Finish("stop"), decode_usage(usage, "gemini"), None, Kept("gemini", extra))


def test_the_usage_of_all_hops_is_added_up() -> None:
    first = {
        "total_input_tokens": 10,
        "total_output_tokens": 3,
        "total_thought_tokens": 2,
        "total_tokens": 15,
        "input_tokens_by_modality": [{"modality": "text", "tokens": 10}],
        "grounding_tool_count": [{"type": "google_search", "count": 1}],
    }
    second = {
        "total_input_tokens": 12,
        "total_cached_tokens": 4,
        "total_output_tokens": 5,
        "total_tokens": 17,
        "input_tokens_by_modality": [{"modality": "text", "tokens": 11}, {"modality": "image", "tokens": 1}],
        "grounding_tool_count": None,
    }
    whole = join_ends("gemini", ["a", "b", "b", ""], [ended(first), ended(None), ended(second, service_tier="flex")])
    assert whole.extra == Kept("gemini", {"service_tier": "flex", "continuation_ids": ["a", "b"]})
    assert whole.usage == ev.Usage(
        input=22,
        input_cached=4,
        output=10,
        output_reasoning=2,
        total=32,
        raw=Kept(
            "gemini",
            {
                "total_input_tokens": 22,
                "total_output_tokens": 8,
                "total_thought_tokens": 2,
                "total_tokens": 32,
                "input_tokens_by_modality": [{"modality": "text", "tokens": 21}, {"modality": "image", "tokens": 1}],
                "grounding_tool_count": [{"type": "google_search", "count": 1}],
                "total_cached_tokens": 4,
                "initial_input_tokens": 10,
            },
        ),
    )


@pytest.mark.parametrize("told", [None, {}])
def test_usage_that_nobody_told_is_unknown(told: Json | None) -> None:
    assert join_ends("gemini", ["a", "b"], [ended(told), ended(told)]).usage is None


def test_odd_usage_is_no_error() -> None:
    odd: Json = {"total_tokens": "many", "input_tokens_by_modality": [7, {"tokens": "x"}], "grounding_tool_count": {}}
    assert join_ends("gemini", [], [ended(odd), ended(odd)]).usage is not None
