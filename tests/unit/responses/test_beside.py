"""What a server says beside the fields of a known event arrives, or is reported."""

from __future__ import annotations

import json

import pytest

from adapters.sse import SseEvent
from adapters.wire_json import Json
from tests.laws.corpus import Told, decode, encode

RESPONSE: Json = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": []}
ITEM: Json = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
PART: Json = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
PLACE: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
EVENTS: list[Json] = [
    {"type": "response.created", "response": {**RESPONSE, "status": "in_progress"}},
    {"type": "response.in_progress", "response": {**RESPONSE, "status": "in_progress"}},
    {"type": "response.output_item.added", "output_index": 0, "item": ITEM},
    {"type": "response.content_part.added", **PLACE, "part": PART},
    {"type": "response.output_text.delta", **PLACE, "delta": "hi", "logprobs": []},
    {"type": "response.output_text.done", **PLACE, "text": "hi", "logprobs": []},
    {"type": "response.content_part.done", **PLACE, "part": {**PART, "text": "hi"}},
    {"type": "response.output_item.done", "output_index": 0, "item": {**ITEM, "content": [{**PART, "text": "hi"}]}},
    {"type": "response.completed", "response": {**RESPONSE, "status": "completed"}},
]
OF_RESPONSES = [event["type"] for event in EVENTS if "response" in event]


def tell(at: str, vendor: str = "openai") -> Told:
    said = [{**event, "bill": 7} if event["type"] == at else event for event in EVENTS]
    walk = decode(vendor, [SseEvent(b"", json.dumps(event).encode()) for event in said])
    return encode(walk, "openai")


@pytest.mark.parametrize("at", OF_RESPONSES)
def test_what_stands_beside_a_response_is_repeated(at: str) -> None:
    told = tell(at)
    assert [event["type"] for event in told.payloads() if event.get("bill") == 7] == [at]
    assert not told.losses


@pytest.mark.parametrize("at", [event["type"] for event in EVENTS if event["type"] not in OF_RESPONSES])
def test_what_stands_beside_a_part_or_an_item_is_reported(at: str) -> None:
    assert [loss.path for loss in tell(at).losses.losses] == [f"openai.{at}"]


def test_what_another_vendor_says_beside_its_last_response_stands_in_the_extension() -> None:
    told = tell("response.completed", "ark")
    assert told.body()["x_dragoman"]["beside"] == {"bill": 7}


def test_what_another_vendor_says_beside_its_first_response_is_reported() -> None:
    assert [loss.path for loss in tell("response.created", "ark").losses.losses] == ["ark.response.created.bill"]
