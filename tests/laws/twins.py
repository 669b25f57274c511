"""The whole answer that a recorded stream tells, put together without the decoders: what a vendor gives unstreamed."""

from __future__ import annotations

import json
from typing import Any

from adapters.wire_json import Json
from tests.laws.corpus import STREAMS, Recording

_TERMINAL = {"response.completed", "response.incomplete", "response.failed"}


def told_whole(recording: Recording) -> Json | None:
    """The body of the answer; None where the stream does not come to its end."""
    if b'"event_type":' in recording.data:
        return _interaction(recording.payloads())
    last = recording.payloads()[-1]
    return last["response"] if last["type"] in _TERMINAL else None


def _interaction(events: list[Json]) -> Json | None:
    """The interaction with the steps that its terminal event leaves out."""
    if events[-1]["event_type"] != "interaction.completed" or any(event["event_type"] == "error" for event in events):
        return None
    steps: dict[int, Json] = {}
    for event in events:
        if event["event_type"] == "step.start":
            steps[event["index"]] = json.loads(json.dumps(event["step"]))
        elif event["event_type"] == "step.delta":
            _grow(steps[event["index"]], event["delta"])
    for step in steps.values():
        if isinstance(step.get("arguments"), str):
            step["arguments"] = json.loads(step["arguments"])
    return {**events[-1]["interaction"], "steps": [steps[index] for index in sorted(steps)]}


def _grow(step: Json, delta: Json) -> None:
    match delta["type"]:
        case "text":
            _write(step.setdefault("content", []), delta["text"])
        case "thought_summary":
            _write(step.setdefault("summary", []), delta["content"]["text"])
        case "text_annotation_delta":
            step["content"][-1].setdefault("annotations", []).extend(delta["annotations"])
        case "thought_signature":
            step["signature"] = step.get("signature", "") + delta["signature"]
        case "arguments_delta":
            step["arguments"] = (step["arguments"] or "") + delta["arguments"]
        case "image":
            step.setdefault("content", []).append(delta)
        case _:
            step |= {key: value for key, value in delta.items() if value != ""}


def _write(blocks: list[Any], text: str) -> None:
    if not blocks or blocks[-1]["type"] != "text":
        blocks.append({"type": "text", "text": ""})
    blocks[-1]["text"] += text


PARTIAL = {
    "doc-text-stream-framing": "two samples of the reference joined in one",
    "websearch-stream-partial": "most of its deltas are left out",
}
"""Streams whose end tells more or other than they do."""

WHOLE = tuple((r, body) for r in STREAMS if r.name not in PARTIAL and (body := told_whole(r)) is not None)
"""Every stream that comes to its end, with the whole answer it tells."""
