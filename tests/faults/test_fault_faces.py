"""Faults of Interactions faces: each test names its row."""

from __future__ import annotations

import pytest

from adapters.wire_json import Json
from tests.laws.corpus import STREAMS, VENDORS, Recording, encode

TOOLS = [recording for recording in STREAMS if recording.name == "sandbox-tools" and recording.vendor != "gemini"]


@pytest.mark.parametrize("recording", TOOLS, ids=str)
def test_a_call_is_a_step_of_a_whole_answer(recording: Recording) -> None:
    """G21: calls vanished, and the answer was completed without a step."""
    told = encode(recording.walk(), "gemini", stream=False).body()
    calls = [step for step in told["steps"] if step["type"] == "function_call"]
    assert [call["name"] for call in calls] == ["get_weather"] * len(calls) != []
    assert all(call["arguments"] for call in calls)
    assert told["status"] == "requires_action"


@pytest.mark.parametrize("recording", TOOLS, ids=str)
def test_a_step_starts_once_and_a_call_requires_action(recording: Recording) -> None:
    """G22: the step of a tool-only answer was announced twice, and the end said completed."""
    events: list[Json] = encode(recording.walk(), "gemini").payloads()
    started = [event["index"] for event in events if event["event_type"] == "step.start"]
    assert started == list(range(len(started)))
    assert events[-1]["interaction"]["status"] == "requires_action"


def test_every_other_vendor_calls_a_tool() -> None:
    assert {recording.vendor for recording in TOOLS} == set(VENDORS) - {"gemini"}
